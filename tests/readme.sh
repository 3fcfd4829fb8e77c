#!/bin/sh
# readme.sh: test_recipes under compilers and dialects, with all warnings as errors; and the page's shader
# as OpenGL 3.3 and as OpenGL ES 3.0 have it. FLOOR is the least number of builds.
set -u
build=${BUILD:-build}
out=$build/readme
floor=${FLOOR:-10}
passed=0 failed=0
mkdir -p "$out/files" && sh tests/recipes.sh README.md "$out" || { echo '0 passed, 1 failed'; exit 1; }

verdict() {
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); echo "readme: $2"; else failed=$((failed + 1)); echo "readme: FAIL: $2"; fi
}

# try COMPILER OPTION...: the recipes' own files; the character, which no page shows, is C at all times.
try() {
    rm -f "$out/recipes" "$out/log"
    "$@" -O1 -Werror -I. -I"$out" -pthread -o "$out/recipes" tests/test_recipes.c tests/recipes_*.c \
        -x none "$out/character.o" -lm &&
    "$out/recipes" "$out/files" >"$out/log" && tail -n 1 "$out/log" | grep -q '^[1-9][0-9]* passed, 0 failed$'
    status=$?
    [ $status = 0 ] || cat "$out/log" 2>/dev/null
    verdict $status "${*%% -W*}: $(grep '^recipes:' "$out/log" 2>/dev/null); $(tail -n 1 "$out/log" 2>/dev/null)"
}

WARN='-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wcast-qual -Wundef
      -Wvla -Wwrite-strings -Wpointer-arith -Wformat=2'
C='-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wc++-compat'
for compiler in gcc clang; do
    $compiler -std=c99 -O1 -c -o "$out/character.o" tests/hashes_character.c || failed=$((failed + 1))
    for dialect in c99 c17; do
        # shellcheck disable=SC2086
        try $compiler -std=$dialect $WARN $C
    done
done
for compiler in g++ clang++; do
    for dialect in c++98 c++20; do
        # shellcheck disable=SC2086
        try $compiler -x c++ -std=$dialect $WARN $([ $dialect = c++98 ] && echo '-Wno-long-long')
    done
done
for head in '#version 330 core' '#version 300 es
precision highp float;'; do
    { printf '%s\n' "$head"; cat "$out/files/shader.frag"; } >"$out/shader.frag"
    glslangValidator "$out/shader.frag" >"$out/log"
    verdict $? "the shader: $(printf '%s' "$head" | head -n 1)"
done
[ $passed -ge "$floor" ]; verdict $? "$passed builds (at least $floor)"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
