#!/bin/sh
# shape.sh HEADER...: how long the functions are, how much the interface explains, how wide the lines run.
# A function is what stands between `{` and `}` in the first column, counted from the first line of its
# head. Fails when one is longer than 90 lines, or when a tenth of them reach 40.
set -u
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0

verdict() {
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "shape: FAIL: $2"; fi
}

# "length name" of each function: its head is the unindented lines above the brace.
functions() {
    awk '
        /^[A-Za-z_].*\(/ && !/;[ \t]*$/ { head = NR; name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
        /^[A-Za-z_].*\) *\{.*\}$/ { print 1, name; head = 0 }
        /^\{/ && head { inside = 1 }
        /^\}/ { if (inside) print NR - head + 1, name; inside = head = 0 }' "$1"
}

# Share of the lines with text that are, or that carry, a comment, up to the end of the interface.
comments() {
    awk '
        /End of the interface/ { exit }
        /^[ \t]*$/ { next }
        { lines++; starts = /^[ \t]*(\/\*|\/\/)/; has = /\/\*|\/\// }
        open { starts = has = 1 }
        { pure += starts; any += has }
        { rest = $0; while (match(rest, /\/\*|\*\//)) { open = substr(rest, RSTART, 2) == "/*"; rest = substr(rest, RSTART + 2) } }
        END { printf "%d %d %d\n", lines, 100 * pure / lines, 100 * any / lines }' "$1"
}

for header do
    list=$(functions "$header" | sort -n)
    count=$(printf '%s\n' "$list" | grep -c .)
    if [ "$count" -lt 30 ]; then
        verdict 1 "$header: only $count functions found, at least 30 expected"
        continue
    fi
    at() { printf '%s\n' "$list" | awk -v share="$1" -v count="$count" 'NR == int((count - 1) * share) + 1 { print $1 }'; }
    longest=$(printf '%s\n' "$list" | tail -n 1)
    under=$(printf '%s\n' "$list" | awk '$1 < 40' | wc -l)
    set_of=$(comments "$header")
    echo "shape: $header: $(wc -l <"$header") lines, $count functions: median $(at 0.5), 90th percentile $(at 0.9), longest $longest;" \
        "$under of $count under 40"
    echo "shape: $header: interface of $(echo "$set_of" | cut -d' ' -f1) lines with text, $(echo "$set_of" | cut -d' ' -f2) % comments" \
        "($(echo "$set_of" | cut -d' ' -f3) % carry one); $(awk 'length > 100' "$header" | wc -l) lines over 100 columns"
    printf '%s\n' "$list" | tail -n 5 | sort -rn | sed 's/^/        /'
    [ "${longest%% *}" -le 90 ]; verdict $? "$header: ${longest#* } has ${longest%% *} lines, more than 90"
    [ $((under * 10)) -ge $((count * 9)) ]; verdict $? "$header: $under of $count functions are under 40 lines, fewer than 90 %"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
