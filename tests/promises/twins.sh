#!/bin/sh
# twins.sh FLOOR: what md2.h and md5.h share is written once and repeated under the other prefix, between
#   /* [twin: name] */ ... /* [/twin] */
# Each such block must be the same in both after md5 is rewritten to md2; FLOOR is how many there must be.
set -u
floor=${1:?usage: twins.sh FLOOR}
cd "$(dirname "$0")/../.." || exit 1
work=${BUILD:-build}/twins
rm -rf "$work" && mkdir -p "$work/md2" "$work/md5" || exit 1

if [ ! -f md5.h ]; then
    echo "twins: md5.h does not exist, nothing to compare (floor $floor)"
    if [ "$floor" -gt 0 ]; then echo "0 passed, 1 failed"; exit 1; fi
    echo "0 passed, 0 failed"
    exit 0
fi

# Writes each block of a header into a file of its name; complains about markers that do not pair up.
split() {
    sed "s/$2/md2/g; s/$(echo "$2" | tr m M | tr d D)/MD2/g" "$1" | awk -v header="$1" -v folder="$work/$2" '
        function complain(what) { printf "%s:%d: %s\n", header, NR, what; bad = 1 }
        /\/\* \[twin: [a-z0-9_ -]+\] \*\// {
            if (name != "") complain("twin \"" name "\" is not closed")
            name = $0; sub(/.*\[twin: /, "", name); sub(/\].*/, "", name); gsub(/ /, "_", name)
            if (name in seen) complain("a second twin \"" name "\"")
            seen[name] = 1; printf "" > (folder "/" name); next
        }
        /\/\* \[\/twin\] \*\// { if (name == "") complain("end of no twin"); name = ""; next }
        /\[\/?twin[]:]/ { complain("a marker that is not understood: " $0) }
        name != "" { print > (folder "/" name) }
        END { if (name != "") complain("twin \"" name "\" is not closed"); exit bad }'
}

passed=0 failed=0 lines=0
split md2.h md2 || failed=$((failed + 1))
split md5.h md5 || failed=$((failed + 1))
for name in $(cd "$work" && find md2 md5 -type f | sed "s|^md./||" | sort -u); do
    count=$(cat "$work/md2/$name" 2>/dev/null | wc -l)
    if diff -u --label "md2.h: $name" --label "md5.h: $name (rewritten)" \
            "$work/md2/$name" "$work/md5/$name" 2>&1 && [ "$count" -gt 0 ]; then
        passed=$((passed + 1)) lines=$((lines + count))
    else
        failed=$((failed + 1))
        echo "twins: \"$name\" differs, is empty or stands in one header only"
    fi
done
echo "twins: $passed blocks of $lines lines are the same in both headers (floor $floor)"
if [ "$passed" -lt "$floor" ]; then echo "twins: fewer than the floor"; failed=$((failed + 1)); fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
