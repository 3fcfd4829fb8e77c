#!/bin/bash
# lint.sh HEADER...: cppcheck, clang-tidy, clang --analyze and scan-build over each implementation, in
# every shape that the options give it. Nothing is suppressed in the code; lint.clang-tidy says which
# checks are not made, and why. A planted mistake must be found by each tool.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${BUILD:-build}/lint
rm -rf "$out" && mkdir -p "$out" || exit 1
. tests/quality/verdict.sh

run_cppcheck()   { cppcheck --quiet --force --enable=warning,performance,portability --error-exitcode=1 "$@"; }
run_clang_tidy() { local file=$1; shift; clang-tidy --quiet --config-file=tests/quality/lint.clang-tidy "$file" -- "$@"; }

# clang --analyze ends well whatever it finds; what it prints tells.
run_analyze()    { local text; text=$(clang --analyze -Xclang -analyzer-output=text "$@" 2>&1); printf '%s' "$text"; [ -z "$text" ]; }
run_scan_build() { scan-build --status-bugs -o "$out/reports" clang -c -o "$out/scanned.o" "$@"; }

# A loop that reads one beyond an array, and a pointer that is used after it was found to be NULL.
cat >"$out/planted.c" <<'END'
int planted(const int *p);
int planted(const int *p)
{
    int list[4] = { 1, 2, 3, 4 }, sum = 0;
    if (!p) sum += *p;
    return sum + list[4];
}
END

log=$out/planted.log
for tool in cppcheck clang_tidy analyze scan_build; do
    # A tool that is not there fails as well, but names no mistake.
    ! run_$tool "$out/planted.c" >"$log" 2>&1 && grep -q -i 'null pointer' "$log"
    verdict $? "$tool finds a planted mistake" "$log"
done

# The shapes: dialect, then options.
shapes() {
    echo '-std=c99'
    echo "-std=c99 -D${1}_GL"
    echo "-std=c99 -D${1}_GL -D${1}_NO_SIMD"
    echo "-std=c99 -D${1}_NO_STDIO -D${1}_STATIC"
    echo "-x c++ -std=c++17 -D${1}_GL"
}

for header do
    prefix=$(basename "$header" .h | tr '[:lower:]' '[:upper:]')
    unit=$out/${prefix}.c
    printf '#define %s_IMPLEMENTATION\n#include "%s"\n' "$prefix" "$PWD/$header" >"$unit"
    # cppcheck tries all combinations of the options by itself.
    run_cppcheck --std=c99 "$unit" >"$log" 2>&1
    verdict $? "$header: cppcheck" "$log"
    while read -r shape; do
        for tool in clang_tidy analyze scan_build; do
            # shellcheck disable=SC2086
            case $tool in
                clang_tidy) run_clang_tidy "$unit" $shape >"$log" 2>&1 ;;
                *)          run_$tool $shape "$unit" >"$log" 2>&1 ;;
            esac
            verdict $? "$header: $tool $shape" "$log"
        done
    done <<END
$(shapes "$prefix")
END
done
echo "$((passed + failed)) looks"
if [ $((passed + failed)) -lt "${LINT_FLOOR:-36}" ]; then
    echo "only $((passed + failed)) looks, at least ${LINT_FLOOR:-36} expected"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
