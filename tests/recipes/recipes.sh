#!/bin/sh
# recipes.sh CHARACTER: runs each program of this folder with CHARACTER as the folder knight, and prints the last line
# of its output. The programs check their results with assert, under sanitizers. All warnings are errors, in C99 with
# gcc and clang and in C++98 with g++. The headers are compiled once for all programs. RECIPES_FLOOR is the smallest
# number of programs that is accepted.
set -u
. tests/support/only.sh
out=${BUILD:-build}/recipes_built
objects=$out.objects
passed=0 failed=0 programs=0
rm -rf "$out" "$objects" && mkdir -p "$objects" "$out/soldier/md5" && ln -sfn "$(realpath "$1")" "$out/knight" || exit 1

# Succeeds if a program has removed all files that it wrote.
leaves_nothing() {
    left=$(cd "$out" && ls | grep -v -x -e program -e log -e knight -e soldier)
    [ -z "$left" ] || { echo "files that it did not remove: $left" >>"$out/log"; return 1; }
}

count() {
    if [ "$1" = 0 ]; then passed=$((passed + 1)); return; fi
    failed=$((failed + 1))
    cat "$out/log"
    echo "recipes: FAIL: $2"
}

sanitized='gcc -std=c99 -Og -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -I. -Itests/recipes'

# g++ and gcc compile a program without the implementations, which are in $objects, so it needs their includes.
included='-include math.h -include stdio.h -include stdlib.h -include string.h'
# shellcheck disable=SC2086
try() {
    clang -std=c99 -fsyntax-only -Werror $C_WARNINGS -I. -Itests/recipes "$1" >"$out/log" 2>&1
    count $? "$1, by clang"

    used=$objects/$(basename "$1")
    sed 's/^#define MD[25]_IMPLEMENTATION$//' "$1" >"$used"
    g++ -x c++ -std=c++98 -fsyntax-only -Werror $CXX_WARNINGS -Wno-long-long $included -I. -Itests/recipes \
        "$used" >"$out/log" 2>&1
    count $? "$1, by g++"

    rm -f "$out/program" "$out/log"
    grep -q '^#define MD[25]_IMPLEMENTATION$' "$1" &&
        $sanitized $C_WARNINGS -Werror $included -o "$out/program" "$used" "$objects"/*.o -pthread -lm >"$out/log" 2>&1 &&
        (cd "$out" && ./program) >"$out/log" 2>&1 </dev/null && [ -s "$out/log" ] && leaves_nothing
    count $? "$1"
}

# Compiles the shader that own_skinning.c writes.
try_shader() {
    (cd "$out" && ./program skinning.vert && glslangValidator skinning.vert && rm skinning.vert) >"$out/log" 2>&1
    count $? 'the shader of own_skinning.c'
}

all_builds() {
    for header in md2 md5; do
        $sanitized -c -o "$objects/$header.o" "tests/support/${header}_gl_implementation.c" || exit 1
    done
    for source in tests/recipes/*.c; do
        name=$(basename "$source")
        wanted "${ONLY:-}" "$name" || continue
        programs=$((programs + 1))
        try "$source"
        echo "recipes: ${name%.c}: $(tail -n 1 "$out/log")"
        if [ "$name" = own_skinning.c ]; then try_shader; fi
        grep -q "^|.*\[$name\]($name).*|" tests/recipes/README.md
        count $? "$name has no row in the cookbook's table of complete programs"
    done
    echo "recipes: $programs programs"
    if [ "${ONLY:-}" ] || [ $programs -ge "$RECIPES_FLOOR" ]; then return; fi
    echo "recipes: FAIL: only $programs programs, at least $RECIPES_FLOOR expected"
    failed=$((failed + 1))
}

# Runs the Python program with the commands in its first lines.
try_python() {
    wanted "${ONLY:-}" ffi.py || return
    ln -sfn "$PWD/md2.h" "$out/md2.h" && ln -sfn "$PWD/tests" "$out/tests"
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
