#!/bin/sh
# shape.sh: how the headers read, as far as that can be measured: their size, the length of their functions, the
# words in their names, the openings of their comments and the depth of their calls, each against a limit.
# The limits are what widely read single-file libraries have.
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
    measured=$(awk -f tests/promises/shape.awk "$header")
    echo "shape: $header: $(printf '%s\n' "$measured" | awk '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $1, $2 }')"
    case $header in
        md2.h)
            check $header lines '<=' "${MD2_LINES:-4600}"; check $header functions '>=' 200
            check $header smoothing '<=' "${SMOOTHING_LINES:-500}"; check $header smoothing '>=' 1 ;;
        md5.h) check $header lines '<=' "${MD5_LINES:-6200}"; check $header functions '>=' 250 ;;
    esac
    check $header wide '<=' 0
    check $header interface_comments '>=' 60
    check $header median '<=' 14
    check $header ninetieth '<=' 32
    check $header longest '<=' 60
    check $header one_word '<=' 10
    check $header words '>=' 2.3
    check $header comments '>=' 150
    check $header openings '<=' 2
    check $header depth '<=' 12
    hand_kept=$((hand_kept + $(printf '%s\n' "$measured" | sed -n 's/^lines //p')))
done

copied=$(awk '/\[\/twin: / { inside = 0 } inside { ++lines } /\[twin: / { inside = 1 } END { print lines + 0 }' md5.h)
hand_kept=$((hand_kept - copied))
measured="hand_kept $hand_kept"
echo "shape: $hand_kept lines of both headers are kept by hand, $copied are written by make twins"
check both hand_kept '<=' "${HAND_KEPT_LINES:-9300}"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
