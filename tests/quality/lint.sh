#!/bin/bash
# lint.sh HEADER...: runs clang-tidy, with clang's static analyzer, on each implementation, with several sets of
# options. The code suppresses no check; lint.clang-tidy lists the checks that are turned off, with reasons. A planted
# mistake must be found.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${BUILD:-build}/lint
rm -rf "$out" && mkdir -p "$out" || exit 1
log=$out/log
. tests/quality/verdict.sh

run_tidy() { local file=$1; shift; clang-tidy --quiet --config-file=tests/quality/lint.clang-tidy "$file" -- "$@" >"$log" 2>&1; }

# A read after the end of an array, and a pointer that is used after it was found to be NULL.
cat >"$out/planted.c" <<'END'
int planted(const int *p);
int planted(const int *p)
{
    int list[4] = { 1, 2, 3, 4 }, sum = 0;
    if (!p) sum += *p;
    return sum + list[4];
}
END
! run_tidy "$out/planted.c" && grep -q 'null pointer' "$log"
verdict $? 'a planted mistake is found' "$log"

for header do
    prefix=$(basename "$header" .h | tr '[:lower:]' '[:upper:]')
    unit=$out/$prefix.c
    printf '#define %s_IMPLEMENTATION\n#include "%s"\n' "$prefix" "$PWD/$header" >"$unit"
    while read -r options; do
        # shellcheck disable=SC2086
        run_tidy "$unit" $options
        verdict $? "$header: $options" "$log"
    done <<END
-std=c99
-std=c99 -D${prefix}_GL -DMD2_SMOOTH -Itests/recipes
-std=c99 -D${prefix}_GL -D${prefix}_NO_SIMD
-std=c99 -D${prefix}_NO_STDIO -D${prefix}_STATIC
-x c++ -std=c++17 -D${prefix}_GL
END
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
