#!/bin/sh
# readme.sh: compiles test_recipes and the README's two programs with several compilers and dialects, with all warnings
# as errors; the cookbook's shader for OpenGL 3.3 and OpenGL ES 3.0; the CMake blocks; and the cookbook's window
# program, with GLFW and stb_image, which it then runs on its own display, checking the pictures. Without the packages
# for it, the window is SKIPPED; with CI set, this is a failure.
set -u
build=${BUILD:-build}
out=$build/readme
here=$PWD
passed=0 failed=0 stb=
. tests/support/only.sh
character=$build/character
recipes=$(make -s --no-print-directory files-test_recipes)
window=$(make -s --no-print-directory files-readme_window)
mkdir -p "$out/files" && sh tests/readme/recipes.sh "$out" || { echo '0 passed, 1 failed'; exit 1; }

verdict() {
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); echo "readme: $2"; else failed=$((failed + 1)); echo "readme: FAIL: $2"; fi
}

# try COMPILER OPTION...: compiles and runs all recipes, or those that $ONLY names.
try() {
    [ "$recipes" ] || return
    rm -f "$out/recipes" "$out/log"
    # shellcheck disable=SC2086
    "$@" -O1 -Werror -Itests/readme/recipes -I"$out" -o "$out/recipes" $recipes -lm &&
        "$out/recipes" --character="$character" --folder="$out/files" ${ONLY:+"$ONLY"} >"$out/log"
    status=$?
    [ $status != 2 ] || { recipes=; return; } # there is no recipe with this name
    [ $status = 0 ] || cat "$out/log" 2>/dev/null
    verdict $status "${*%% -W*}: $(grep '^ *recipes:' "$out/log" 2>/dev/null); $(tail -n 1 "$out/log" 2>/dev/null)"
}

# try_program NAME COMPILER OPTION...: compiles a program of the page, unchanged. -O0 is enough: `try` finds the
# warnings that need the optimizer.
try_program() {
    name=$1 libraries=
    shift
    cp "$out/$name.inc" "$out/$name.c"
    [ "$name" = window ] && libraries="-isystem $stb -lglfw -lGL"
    # shellcheck disable=SC2086
    "$@" -O0 -Werror -I. -o "$out/program" "$out/$name.c" $libraries -lm
    verdict $? "$name: ${*%% -W*}"
}

# try_user NAME COMPILER OPTION...: compiles the program as if the implementation were in a separate file, to check that
# it does not depend on headers that only the implementation includes.
try_user() {
    name=$1
    shift
    sed '/^#define .*_IMPLEMENTATION$/d' "$out/$name.inc" >"$out/$name.c"
    # shellcheck disable=SC2086
    "$@" -fsyntax-only -Werror -I. ${stb:+-isystem $stb} "$out/$name.c"
    verdict $? "$name without the implementation: ${*%% -W*}"
}

# GLFW cannot be initialized without a display, and the program must say so.
try_without_display() {
    env -u DISPLAY -u WAYLAND_DISPLAY "$out/window" "$character/tris.md2" 2>&1 </dev/null |
        grep -q '^knight: .*is there a display?$'
    verdict $? 'without a display, the window program says so'
}

show_window() {
    # shellcheck disable=SC2086
    gcc -std=c99 -O1 -Wall -Wextra -Werror -I"$out" -isystem "$stb" -o "$out/window" $window \
        -lglfw -lGL -lm &&
    cp "$character/skin.png" "$out" &&
    xvfb-run -a -s '-noreset -screen 0 1280x1024x24' env LIBGL_ALWAYS_SOFTWARE=1 timeout --foreground 600 \
        "$out/window" "$character/tris.md2" "$out/giant.md2" >"$out/log" 2>&1 </dev/null
    status=$?
    cat "$out/log"
    [ $status = 0 ] && grep -q '^knight: cannot open ' "$out/log" &&
        tail -n 1 "$out/log" | grep -q '^[1-9][0-9]* passed, 0 failed$'
    verdict $? "the window shows the knight: $(tail -n 1 "$out/log")"
}

WARN='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wcast-qual -Wundef
      -Wvla -Wwrite-strings -Wpointer-arith -Wformat=2'
C='-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wc++-compat'
# each_dialect COMMAND: calls the command with each compiler, for C and C++, old and new.
# shellcheck disable=SC2086
each_dialect() {
    $1 gcc -std=c99 $WARN $C
    $1 clang -std=c17 $WARN $C
    $1 g++ -x c++ -std=c++98 $WARN -Wno-long-long
    $1 clang++ -x c++ -std=c++20 $WARN
}

# try_first tests both programs. The last one compiled is "second", in which the knight runs: at every other footstep
# the hand is in front of the body, otherwise behind it.
try_first() {
    for page_program in first second; do
        each_dialect "try_program $page_program"
        each_dialect "try_user $page_program"
    done
    ln -sfn "$(realpath "$character")" "$out/knight"
    (cd "$out" && ./program) | tr '\n' ' ' |
        grep -q -x -E '(footstep; the hand is 1[0-9] units ahead footstep; the hand is -[0-9] units ahead ){2}'
    verdict $? 'the program "second" prints the position of the hand'
}

# test_recipes has written the shader to a file.
try_shader() {
    for head in '#version 330 core' '#version 300 es
precision highp float;'; do
        { printf '%s\n' "$head"; cat "$out/files/shader.frag"; } >"$out/shader.frag"
        glslangValidator "$out/shader.frag" >"$out/log"
        verdict $? "the shader: $(printf '%s' "$head" | head -n 1)"
    done
}

skipped=
try_window() {
    # shellcheck disable=SC2086
    if ! sh tests/support/deps.sh $WINDOW_NEEDS; then
        echo 'SKIPPED: the packages for the window cannot be installed here'
        skipped=', 1 skipped'
        if [ "${CI:-}" ]; then verdict 1 'the window'; fi
        return
    fi
    stb=$(echo '#include <stb/stb_image.h>' | gcc -M -x c - | grep -o '/[^ ]*/stb/stb_image.h' | sed 's,/[^/]*$,,')
    each_dialect 'try_program window'
    each_dialect 'try_user window'
    show_window
    try_without_display
}

# Builds a game from the README's CMake block, its pair of lines and its first program. publish.py adds a CMake block to
# the cookbook, so a copy of the pages is published; its block fetches a local repository with this md2.h and the
# block's tag.
try_cmake() {
    game=$out/game
    published=$out/published
    rm -rf "$published" && mkdir -p "$published/tests/recipes" "$published/.github"
    for file in md2.h README.md tests/recipes/README.md .github/SECURITY.md; do cp $file "$published/$file"; done
    repository=file://$(realpath "$out")/game/repository
    (cd "$published" && python3 -B "$here/tests/source/publish.py" "$repository" http://localhost/)
    for page in README.md "$published/tests/recipes/README.md"; do
        rm -rf "$game" && mkdir -p "$game/third_party/md" "$game/repository" && ln -s "$(realpath "$character")" "$game/knight"
        {
            printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(game C)' 'add_executable(game game.c)'
            awk '/^```/ { inside = $0 == "```cmake"; next } inside' $page
        } >"$game/CMakeLists.txt"
        cp "$out/pair.inc" "$game/third_party/md/md2.c"
        sed '/IMPLEMENTATION$/d; s,"md2.h","md/md2.h",' "$out/first.inc" >"$game/game.c"

        tag=$(sed -n 's/.*GIT_TAG \([^ ]*\).*/\1/p' "$game/CMakeLists.txt")
        if [ "$tag" ]; then git_here md2.h "$game/repository" "$tag"; else cp md2.h "$game/third_party/md"; fi
        {
            cmake -S "$game" -B "$game/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXPORT_COMPILE_COMMANDS=ON &&
                cmake --build "$game/build" &&
                (cd "$game" && build/game)
        } >"$out/log" 2>&1
        grep -q -e '-O2 .*md2[.]c' "$game/build/compile_commands.json" && [ "$(grep -c '^footstep in frame' "$out/log")" = 4 ]
        status=$?
        [ $status = 0 ] || tail -n 20 "$out/log"
        verdict $status "CMake, with the block of $page"
    done
}

# Runs the README's commands for mdconvert, in order, in a new folder. `make` has already built the programs that they
# use.
try_convert() {
    rm -rf "$out/convert" && mkdir -p "$out/convert"
    cp -r "$character" "$out/convert/knight" && cp -r "$build/dancer" "$out/convert/knight"
    ln -s "$(realpath "$build")" "$out/convert/build"
    awk '/^## From Blender/ { section = 1 } /^```/ { inside = section && !inside; next } inside && !/^make / { print }' README.md |
        (cd "$out/convert" && sh -e) >"$out/log" 2>&1
    [ -e "$out/convert/md5/run.md5anim" ] && [ -e "$out/convert/new/tris.md2" ]
    status=$?
    [ $status = 0 ] || tail -n 20 "$out/log"
    verdict $status "mdconvert: the commands of the page, in order"
}

# git_here FILE FOLDER TAG: creates a repository in the folder, with the file and the tag.
git_here() {
    cp "$1" "$2" && git -C "$2" init -q && git -C "$2" add "$1" &&
        git -C "$2" -c user.name=somebody -c user.email=somebody@localhost commit -q -m "$1" && git -C "$2" tag "$3"
}

each_dialect try
for part in first shader cmake convert window; do
    if wanted "${ONLY:-}" $part; then try_$part; fi
done
echo "$passed passed, $failed failed$skipped"
[ $failed = 0 ]
