#!/bin/sh
# recipes.sh CHARACTER: compiles each program beside it as C99 and as C++98 with all warnings as errors,
# runs it where the folder knight is CHARACTER, and shows the last line that it prints. Each proves itself by assert;
# one build has the sanitizers watch it. RECIPES_FLOOR is the least number of programs.
set -u
. tests/support/only.sh
out=${BUILD:-build}/recipes_built
passed=0 failed=0 programs=0
rm -rf "$out" && mkdir -p "$out/soldier/md5" && ln -sfn "$(realpath "$1")" "$out/knight" || exit 1

# Whether a program has removed what it has written.
leaves_nothing() {
    left=$(cd "$out" && ls | grep -v -x -e program -e log -e knight -e soldier)
    [ -z "$left" ] || { echo "it leaves $left" >>"$out/log"; return 1; }
}

# try SOURCE COMPILER OPTION...
try() {
    source=$1
    shift
    rm -f "$out/program" "$out/log"
    if "$@" -Werror -I. -Itests/recipes -o "$out/program" "$source" -pthread -lm >"$out/log" 2>&1 &&
       (cd "$out" && ./program) >"$out/log" 2>&1 </dev/null && [ -s "$out/log" ] && leaves_nothing; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        cat "$out/log"
        echo "recipes: FAIL: $source, ${*%% -W*}"
    fi
}

# The shader that own_skinning.c has.
try_shader() {
    if (cd "$out" && ./program skinning.vert && glslangValidator skinning.vert && rm skinning.vert) >"$out/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "recipes: FAIL: the shader of own_skinning.c: $(cat "$out/log")"
    fi
}

# shellcheck disable=SC2086
all_builds() {
    for source in tests/recipes/*.c; do
        name=$(basename "$source")
        wanted "${ONLY:-}" "$name" || continue
        programs=$((programs + 1))
        try "$source" clang -std=c99 -O0 $C_WARNINGS
        try "$source" g++ -x c++ -std=c++98 -O0 $CXX_WARNINGS -Wno-long-long
        try "$source" gcc -std=c99 -Og -g1 -fsanitize=address,undefined -fno-sanitize-recover=all $C_WARNINGS
        echo "recipes: ${name%.c}: $(tail -n 1 "$out/log")"
        if [ "$name" = own_skinning.c ]; then try_shader; fi
        if grep -q "^|.*\[$name\]($name).*|" tests/recipes/README.md; then passed=$((passed + 1)); else
            failed=$((failed + 1))
            echo "recipes: FAIL: $name has no row in the cookbook's table of complete programs"
        fi
    done
    echo "recipes: $programs programs, each in 3 builds"
    if [ "${ONLY:-}" ] || [ $programs -ge "$RECIPES_FLOOR" ]; then return; fi
    echo "recipes: FAIL: only $programs programs, at least $RECIPES_FLOOR expected"
    failed=$((failed + 1))
}

# The program in Python, by the commands that it begins with.
try_python() {
    wanted "${ONLY:-}" ffi.py || return
    ln -sfn "$PWD/md2.h" "$out/md2.h" && ln -sfn "$PWD/tests" "$out/tests" && ln -sfn build/character "$out/knight"
    if sed -n '1,10s/^    //p' tests/recipes/ffi.py | (cd "$out" && sh -e) >"$out/log" 2>&1 &&
       grep -q ': 4 footsteps; .* 33[.]5$' "$out/log"; then
        passed=$((passed + 1))
        echo "recipes: ffi: $(tail -n 1 "$out/log")"
    else
        failed=$((failed + 1))
        echo "recipes: FAIL: ffi.py: $(cat "$out/log")"
    fi
}

all_builds
try_python
echo "$passed passed, $failed failed"
[ $failed = 0 ]
