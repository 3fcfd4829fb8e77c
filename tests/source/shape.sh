#!/bin/sh
# shape.sh: how the headers read, as far as that can be measured. Their size and the length of their functions are
# printed and have no limit, for a limit makes code dense. The width of lines, the words in names, the comments and
# the depth of calls have those that widely read single-file libraries keep.
set -u
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0 hand_kept=0

# check HEADER KEY OPERATOR LIMIT: one measured value against its limit.
check() {
    value=$(printf '%s\n' "$measured" | sed -n "s/^$2 \([0-9.]*\).*/\1/p")
    note=$(printf '%s\n' "$measured" | sed -n "s/^$2 [0-9.]* \(.*\)/ (\1)/p")
    if [ -n "$value" ] && awk -v a="$value" -v b="$4" -v op="$3" 'BEGIN { exit !(op == "<=" ? a + 0 <= b : a + 0 >= b) }'; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "shape: FAIL: $1: $2 is ${value:-not measured}$note, not $3 $4"
    fi
}

for header in md2.h md5.h; do
    measured=$(awk -f tests/source/shape.awk "$header")
    echo "shape: $header: $(printf '%s\n' "$measured" | awk '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $1, $2 }')"
    case $header in
        md2.h) check $header functions '>=' 200 ;;
        md5.h) check $header functions '>=' 250 ;;
    esac
    check $header wide '<=' 0
    check $header interface_comments '>=' 60
    check $header one_word '<=' 10
    check $header words '>=' 2.3
    check $header comments '>=' 150
    check $header openings '<=' 2
    check $header depth '<=' 12
    hand_kept=$((hand_kept + $(printf '%s\n' "$measured" | sed -n 's/^lines //p')))
done

# What the proof is about is there; make proof itself takes minutes, and a prover.
work=${BUILD:-build}/shape
if named=$(sh tests/quality/proof.sh "$work" names); then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    printf '%s\n' "$named" | sed '$d'
fi

copied=$(awk '/\[\/twin: / { inside = 0 } inside { ++lines } /\[twin: / { inside = 1 } END { print lines + 0 }' md5.h)
echo "shape: $((hand_kept - copied)) lines of both headers are kept by hand, $copied are written by make twins"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
