#!/bin/sh
# settings.sh CHARACTER: builds the programs beside it, each with the library of another project, as C99 and as
# C++98 with all warnings as errors, and runs them where build/character is CHARACTER, on a display of its own.
# Their pictures stay in $BUILD/settings. A program ends well only if its pixels were right.
set -u
out=${BUILD:-build}/settings
passed=0 failed=0
mkdir -p "$out/build" && ln -sfn "$(realpath "$1")" "$out/build/character" || exit 1

# try SOURCE PICTURE LIBRARIES COMPILER OPTION...
try() {
    source=tests/recipes/settings/$1 picture=$out/$2 libraries=$3
    shift 3
    rm -f "$out/program" "$out/log" "$picture"
    # shellcheck disable=SC2086
    if "$@" -Werror -I. -o "$out/program" "$source" -x none $libraries -lm >"$out/log" 2>&1 &&
       (cd "$out" && timeout 120 xvfb-run -a -s '-screen 0 1280x1024x24' env LIBGL_ALWAYS_SOFTWARE=1 \
           ./program build/character "${picture##*/}") >"$out/log" 2>&1 </dev/null && [ -s "$picture" ]; then
        passed=$((passed + 1))
        echo "settings: $(basename "$source"), ${*%% -W*}: $(tail -n 1 "$out/log")"
    else
        failed=$((failed + 1))
        cat "$out/log"
        echo "settings: FAIL: $source, ${*%% -W*}"
    fi
}

# shellcheck disable=SC2086
{
    try sdl2.c sdl2.png '-lSDL2 -lGL' gcc -std=c99 -Og $C_WARNINGS
    try sdl2.c sdl2.png '-lSDL2 -lGL' g++ -x c++ -std=c++98 -Og $CXX_WARNINGS -Wno-long-long
    try irrlicht.cpp irrlicht.png -lIrrlicht g++ -std=c++98 -Og $CXX_WARNINGS -Wno-long-long
    try irrlicht.cpp irrlicht.png -lIrrlicht g++ -std=c++17 -Og $CXX_WARNINGS
}
echo "$passed passed, $failed failed"
[ $failed = 0 ]
