#!/bin/sh
# cover.sh FOLDER HEADER...: builds and runs the tests there; which lines and branches of the headers they
# have run, by gcov.
# A header is compiled into several programs, with SIMD and without; a line or a branch counts as run when
# it ran in one of them. Prints all lines that never ran, and with BRANCHES=1 where branches were not taken.
#
# LINES_PERCENT     fails when a header has fewer lines run than this (100)
# BRANCHES_PERCENT  the same for branches (95)
# COVER_FLOOR       fails when a header has fewer lines than this that could run
set -u
folder=${1:?usage: cover.sh FOLDER HEADER...}
shift
: "${LINES_PERCENT:=100}" "${BRANCHES_PERCENT:=95}" "${COVER_FLOOR:=1000}"
gcov=gcov
command -v "$gcov" >/dev/null 2>&1 || gcov=gcov-$(gcc -dumpversion)
passed=0 failed=0

# The torture and counted_names count decisions by macros, which makes branches of its own; the recipes compile code that they
# do not use.
find "$folder/obj" -name '*.gcda' -exec rm -f {} + 2>/dev/null
mkdir -p "$folder" || exit 1
if ! env MAKEFLAGS= ${MAKE:-make} --no-print-directory BUILD="$folder" CC=gcc CFLAGS='-std=c99 -O0 --coverage' test >"$folder/test.log" 2>&1; then
    cat "$folder/test.log"
    echo 'cover: the tests themselves fail'
    echo '0 passed, 1 failed'
    exit 1
fi
rm -rf "$folder"/obj/*/torture_*.gcda "$folder"/obj/md2/counted_names.gcda "$folder"/obj/readme/*.gcda

for header do
    for data in "$folder"/obj/*/*.gcda; do
        echo "        -:    0:Program:$data"
        "$gcov" --branch-probabilities --branch-counts --stdout "$data" 2>/dev/null
    done | awk -v header="$header" -v show="${BRANCHES:-}" -v lines_wanted="$LINES_PERCENT" \
               -v branches_wanted="$BRANCHES_PERCENT" -v floor="$COVER_FLOOR" '
        # What gcov said of one line of one program. Where its code differs from program to program, so
        # does the number of its branches: each kind counts for itself.
        function end_line(   i, key) {
            for (i = 1; i <= branches; i++) {
                key = line ":" branches ":" i
                if (!(key in taken)) { total_branches++; taken[key] = 0; line_of[key] = line }
                if (times[i] > 0) taken[key] = 1
            }
            branches = 0
        }
        /^ *[-#=0-9*]+: *[0-9]+:/ {
            end_line()
            count = $0; sub(/:.*/, "", count); gsub(/[ *]/, "", count)
            line = $0; sub(/^[^:]*: */, "", line); text = line; sub(/:.*/, "", line); sub(/^[0-9]*:/, "", text)
            if (line == 0) {
                if (text ~ /^Program:/) { program = text; inside = 0 }
                if (text ~ /^Source:/) {
                    sub(/^Source:/, "", text); sub(/.*\//, "", text)
                    inside = text == header
                    if (inside) programs++
                }
                next
            }
            if (!inside || count == "-") { line_counts = 0; next }
            line_counts = 1
            if (!(line in ran)) { total_lines++; ran[line] = 0; source[line] = text }
            if (count !~ /^[#=]+$/) ran[line] = 1
            next
        }
        /^branch +[0-9]+ / && inside && line_counts {
            times[++branches] = $3 == "never" ? 0 : $4
            next
        }
        END {
            end_line()
            for (line in ran) { lines_run += ran[line]; if (line + 0 > last) last = line + 0 }
            for (key in taken) {
                branches_taken += taken[key]
                all[line_of[key]]++
                missed[line_of[key]] += !taken[key]
            }
            for (line = 1; line <= last; line++) {
                if (line in ran && !ran[line]) printf "%s:%d: never ran: %s\n", header, line, source[line]
                else if (show && missed[line])
                    printf "%s:%d: %d of %d branches never taken: %s\n", header, line, missed[line], all[line], source[line]
            }
            printf "cover: %s in %d parts of programs: %d of %d lines (%.2f %%), %d of %d branches (%.2f %%)\n", header,
                programs, lines_run, total_lines, 100 * lines_run / (total_lines + !total_lines), branches_taken,
                total_branches, 100 * branches_taken / (total_branches + !total_branches)
            if (total_lines < floor) printf "cover: FAIL: only %d lines of %s found, at least %d expected\n", total_lines, header, floor
            bad = total_lines < floor || total_branches < floor / 2
            if (lines_run * 100 < total_lines * lines_wanted) { bad = 1; printf "cover: FAIL: %s: less than %s %% of the lines\n", header, lines_wanted }
            if (branches_taken * 100 < total_branches * branches_wanted) { bad = 1; printf "cover: FAIL: %s: less than %s %% of the branches\n", header, branches_wanted }
            exit bad
        }' && passed=$((passed + 1)) || failed=$((failed + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
