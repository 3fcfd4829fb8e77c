#!/bin/sh
# sum_up.sh FLOOR PROGRAM...: shows what each test program printed into PROGRAM.log and adds up their last
# lines. A program that was not built, crashed or ended without its count is a failure; so are fewer checks
# than FLOOR. ORPHANS names source files that are part of no program.
set -u
floor=$1
shift
passed=0 failed=0

if [ "${ORPHANS:-}" ]; then
    echo "part of no test program: $ORPHANS"
    failed=1
fi
for program do
    log=$program.log status='' counts=''
    echo "-- $program"
    if [ -e "$log" ]; then
        status=$(sed -n '$s/^status //p' "$log")
        sed '$d' "$log"
        counts=$(sed '$d' "$log" | sed -n '$s/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed$/\1 \2/p')
    fi
    if [ -z "$counts" ]; then
        if [ "$status" ]; then
            echo "$program: ended with status $status and no count"
        else
            echo "$program: was not built"
        fi
        counts='0 1'
    elif [ "$status" != 0 ] && [ "${counts#* }" = 0 ]; then
        echo "$program: counted no failure but ended with status $status"
        counts="${counts% *} 1"
    fi
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
done
echo "-- $# programs"
if [ "$passed" -lt "$floor" ]; then
    echo "only $passed checks, at least $floor expected"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
