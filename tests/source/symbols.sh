#!/bin/bash
# symbols.sh HEADER...: checks the symbols, data, stack frames and instructions of the compiled implementation, and the
# macros that remain after a header.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${BUILD:-build}/symbols
rm -rf "$out" && mkdir -p "$out" || exit 1

frame_limit=8192
passed=0 failed=0
. tests/support/only.sh
wanted "${ONLY:-}" symbols || { echo '0 passed, 0 failed'; exit; }

# check WHAT FOUND: passes if FOUND is empty; otherwise prints it.
check() {
    if [ -z "$2" ]; then
        passed=$((passed + 1))
        echo "ok    $1"
    else
        failed=$((failed + 1))
        echo "FAIL  $1"
        printf '%s\n' "$2" | head -n 20 | sed 's/^/        /'
    fi
}

# listed COUNT: prints a problem if the list to be checked is empty.
listed() { [ "$1" -gt 0 ] || echo "the list to be checked is empty"; }

# object NAME COMPILER FLAGS...: compiles only the implementation to $out/NAME.o.
object() {
    local name=$1
    shift
    "$@" -Itests/recipes -D"${P}_IMPLEMENTATION" -include "$header" -c "$out/empty.c" -o "$out/$name.o" 2>"$out/$name.log" ||
        check "$p: $name compiles" "$(cat "$out/$name.log")"
}

# Constants that contain addresses are in .data.rel.ro, which is read-only while the program runs.
writable() {
    size -A "$1" | awk '$1 ~ /^\.(data|bss|tdata|tbss|ldata|lbss)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 { print $1, $2, "bytes" }'
    nm "$1" | awk '$2 == "C" { print "common symbol", $3 }'
}

defined()   { nm -g --defined-only "$1" | awk '{ print $3 }' | sort -u; }
undefined() { nm -u "$1" | awk '{ print $2 }' | sort -u; }

check_object() {
    local object=$out/$1.o functions
    [ -f "$object" ] || return
    functions=$(defined "$object" | wc -l)
    check "$p: $1: no writable data" "$(writable "$object")"
    check "$p: $1: its $functions global symbols begin with ${p}_, none with ${p}__" \
        "$(listed "$functions"; defined "$object" | grep -v -E "^${p}_[a-z0-9]"; defined "$object" | grep "^${p}__")"
    check "$p: $1: no OpenGL function is linked (needs: $(undefined "$object" | tr '\n' ' '))" \
        "$(undefined "$object" | grep -E '^_?(gl|egl|wgl|glX)[A-Z]')"
}

check_static() {
    [ -f "$out/static.o" ] && check "$p: static: no global symbol" "$(defined "$out/static.o")"
}

# Checks the functions that the implementation needs without stdio and without malloc.
check_bare() {
    [ -f "$out/bare.o" ] && check "$p: bare: needs only string.h and sqrtf ($(undefined "$out/bare.o" | tr '\n' ' '))" \
        "$(undefined "$out/bare.o" | grep -v -x -E '(own_malloc|own_free|mem(cpy|move|set|cmp|chr)|str(len|n?cmp|r?chr|str|cspn|pbrk)|sqrtf|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_)')"
}

check_stack() {
    local level=$1 su=$out/stack$1.su frames
    rm -f "$out"/stack"$level"*.su
    object "stack$level" gcc -std=c99 "$level" -D"${P}_GL" -DMD2_SMOOTH -fstack-usage
    [ -f "$su" ] || { check "$p: frames at $level" "gcc wrote no $su"; return; }
    frames=$(wc -l <"$su")
    check "$p: $frames frames at $level, none above $frame_limit bytes (largest: $(sort -t'	' -k2 -n -r "$su" | head -n 1 |
        awk -F'\t' '{ sub(/.*:/, "", $1); print $2, $1 }'))" \
        "$(listed "$frames"; awk -F'\t' -v limit=$frame_limit '$2 > limit || $3 == "dynamic" { print $1, $2, $3 }' "$su")"
}

# gcc writes the call graph at -O0, which inlines nothing; tsort finds cycles in it.
check_recursion() {
    local calls=$out/calls.txt
    object calls gcc -std=c99 -O0 -D"${P}_GL" -fcallgraph-info
    sed -n 's/^edge: { sourcename: "\([^"]*\)" targetname: "\([^"]*\)".*/\1 \2/p' "$out/calls.ci" >"$calls"
    check "$p: $(wc -l <"$calls") calls, no recursion" \
        "$(listed "$(wc -l <"$calls")"; awk '$1 == $2 { print $1, "calls itself" }' "$calls"; tsort "$calls" 2>&1 >/dev/null)"
}

# Prints the macros that are still defined after the header, from the preprocessor's #define and #undef lines.
macros() {
    printf '%s#include "%s"\n' "$2" "$PWD/$header" >"$out/macros.c"
    gcc -std=c99 -E -dD $1 "$out/macros.c" | awk -v header="/$header\"" '
        /^# [0-9]+ "/ { inside = index($3, header) > 0 }
        inside && /^#define / { sub(/\(.*/, "", $2); left[$2] = 1 }
        inside && /^#undef / { delete left[$2] }
        END { for (name in left) print name }' | sort
}

check_macros() {
    local interface implementation
    interface=$(macros "$1" '')
    implementation=$(macros "$1" "#define ${P}_IMPLEMENTATION
")
    check "$p: $(echo "$interface" | wc -l) macros of the interface${1:+ with $1} begin with ${P}_" \
        "$(listed "$(echo "$interface" | grep -c .)"; echo "$interface" | grep -v "^${P}_[A-Z]")"
    check "$p: no private macro outlives the implementation${1:+ with $1}" \
        "$(listed "$(echo "$implementation" | grep -c .)"
           comm -13 <(echo "$interface") <(echo "$implementation") |
               grep -v -x -E "${P}_(IMPLEMENTATION_ONCE|IMPLEMENTATION|MALLOC|FREE)")"
}

# The results must have the same bits everywhere, so a * b + c must never become one fused instruction. With gcc this
# holds for all flags of the user. With -ffp-contract=fast, clang ignores the header's pragma, so clang is tested
# without it.
fused() { objdump -d "$1" | grep -o -E 'vf[n]?m(add|sub)[0-9a-z]*' | sort | uniq -c; }

check_contraction() {
    local compiler flags
    [ "$(uname -m)" = x86_64 ] || { echo "left out: fused multiply-adds, because this is not x86-64"; return; }
    echo 'float f(float a, float b, float c); float f(float a, float b, float c) { return a * b + c; }' >"$out/fma.c"
    for compiler in gcc clang; do
        flags='-O3 -mavx2 -mfma -ffp-contract=fast'
        [ $compiler = clang ] && flags=${flags/fast/on}
        # shellcheck disable=SC2086
        $compiler $flags -c "$out/fma.c" -o "$out/fma.o"
        object "contraction-$compiler" $compiler -std=c99 $flags
        check "$p: $compiler $flags fuses nothing" \
            "$([ -n "$(fused "$out/fma.o")" ] || echo 'the compiler never fuses, so this check proves nothing'
               fused "$out/contraction-$compiler.o")"
        # shellcheck disable=SC2086
        $compiler $flags -D"${P}_IMPLEMENTATION" -include "$header" -c "$out/fma.c" -o "$out/after.o"
        check "$p: $compiler still fuses in the user's code after the header" \
            "$(objdump -d --disassemble=f "$out/after.o" | grep -q vfmadd || echo 'it does not fuse')"
    done
    echo '#pragma STDC FP_CONTRACT OFF' >"$out/off.h"
    # shellcheck disable=SC2086
    clang $flags -D"${P}_IMPLEMENTATION" -include "$out/off.h" -include "$header" -c "$out/fma.c" -o "$out/after.o"
    check "$p: clang still does not fuse if the user's code has turned it off before the header" \
        "$(objdump -d --disassemble=f "$out/after.o" | grep vfmadd)"
}

# Most checks pass if nothing is found, and a missing program would find nothing.
for program in gcc g++ clang nm size objdump tsort comm awk; do
    check "$program is installed" "$(command -v $program >/dev/null || echo 'it is not installed')"
done
: >"$out/empty.c"
for header do
    p=${header%.h}
    P=$(echo "$p" | tr '[:lower:]' '[:upper:]')
    rm -f "$out"/*.o "$out"/*.su "$out"/*.ci
    object c        gcc -std=c99 -O2 -D"${P}_GL" -DMD2_SMOOTH;     check_object c
    object c++      g++ -x c++ -std=c++17 -O0 -D"${P}_GL" -DMD2_SMOOTH; check_object c++
    object static   gcc -std=c99 -O0 -D"${P}_STATIC" -D"${P}_GL" -DMD2_SMOOTH; check_static
    object bare     gcc -std=c99 -O2 -D"${P}_GL" -DMD2_SMOOTH -D"${P}_NO_STDIO" \
                    -D"${P}_MALLOC(n)=own_malloc(n)" -D"${P}_FREE(p)=own_free(p)" \
                    -include tests/source/compile/own_malloc.h
    check_bare
    check_stack -O0
    check_stack -O3
    check_recursion
    check_macros ''
    check_macros "-D${P}_GL"
    check_contraction
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
