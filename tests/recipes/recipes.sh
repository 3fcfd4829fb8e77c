#!/bin/sh
# recipes.sh CHARACTER [settings]: compiles each program beside it as C99 and as C++98 with all warnings as errors,
# runs it where build/character is CHARACTER, and shows the last line that it prints. Each proves itself by assert;
# one build has the sanitizers watch it. RECIPES_FLOOR is the least number of programs. With `settings` those of that
# folder, each with the library of another project and on a display of its own: they look at their pixels, and leave
# a picture in $BUILD/recipes_built.
set -u
out=${BUILD:-build}/recipes_built
passed=0 failed=0 programs=0 display=
mkdir -p "$out/build" && ln -sfn "$(realpath "$1")" "$out/build/character" || exit 1

# try SOURCE LIBRARIES COMPILER OPTION...
try() {
    source=tests/recipes/$1 libraries=$2
    shift 2
    rm -f "$out/program" "$out/log"
    # shellcheck disable=SC2086
    if "$@" -Werror -I. -o "$out/program" "$source" -x none $libraries -lm >"$out/log" 2>&1 &&
       (cd "$out" && $display ./program) >"$out/log" 2>&1 </dev/null && [ -s "$out/log" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        cat "$out/log"
        echo "recipes: FAIL: $source, ${*%% -W*}"
    fi
}

# shellcheck disable=SC2086
all_builds() {
    for source in tests/recipes/*.c; do
        programs=$((programs + 1)) name=$(basename "$source")
        try "$name" -pthread clang -std=c99 -O0 $C_WARNINGS
        try "$name" -pthread g++ -x c++ -std=c++98 -O0 $CXX_WARNINGS -Wno-long-long
        try "$name" -pthread clang++ -x c++ -std=c++98 -O0 $CXX_WARNINGS -Wno-long-long
        try "$name" -pthread gcc -std=c99 -Og -g1 -fsanitize=address,undefined -fno-sanitize-recover=all $C_WARNINGS
        echo "recipes: ${name%.c}: $(tail -n 1 "$out/log")"
    done
    echo "recipes: $programs programs, each in 4 builds"
    [ $programs -lt "$RECIPES_FLOOR" ] || return
    echo "recipes: FAIL: only $programs programs, at least $RECIPES_FLOOR expected"
    failed=$((failed + 1))
}

with_display() { timeout 120 xvfb-run -a -s '-screen 0 1280x1024x24' env LIBGL_ALWAYS_SOFTWARE=1 "$@"; }

# shellcheck disable=SC2086
settings() {
    display=with_display
    try settings/sdl2.c '-lSDL2 -lGL' gcc -std=c99 -Og $C_WARNINGS
    try settings/sdl2.c '-lSDL2 -lGL' g++ -x c++ -std=c++98 -Og $CXX_WARNINGS -Wno-long-long
    echo "settings: sdl2: $(tail -n 1 "$out/log")"
    try settings/irrlicht.cpp -lIrrlicht g++ -std=c++98 -Og $CXX_WARNINGS -Wno-long-long
    try settings/irrlicht.cpp -lIrrlicht g++ -std=c++17 -Og $CXX_WARNINGS
    echo "settings: irrlicht: $(tail -n 1 "$out/log")"
}

"${2:-all_builds}"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
