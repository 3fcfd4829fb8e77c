#!/bin/sh
# sum_up.sh PROGRAM...: adds up the counts in PROGRAM.log, which has the output of a program, then the line "status N".
# Prints a line for each program, and the messages of tests that failed. A program without a count is a failure, and so
# are the source files in ORPHANS, which belong to no program. With ONLY set, ORPHANS is empty and a program without
# such a test is left out, but at least one program must have such a test.
set -u
passed=0 failed=0 asked=0

if [ "${ORPHANS:-}" ]; then
    echo "part of no test program: $ORPHANS"
    failed=1
fi

# print_failures LOG: prints the first failure or crash with the indented lines after it, the names of the other
# failures, and the summaries of a sanitizer. If there are none, prints the end of the output.
print_failures() {
    awk '/^(FAILED|CRASHED|HUNG)/ { name = $1 == "CRASHED" ? $3 : $3 == "more" ? $2 " more" : $2
                               sub(/:$/, "", name)
                               if (found++) others = others " " name; else print
                               shown = found == 1
                               next }
         /runtime error: |^SUMMARY: / { if (++reports <= 3) words = words "    " $0 "\n" }
         shown && /^    /    { print; next }
                             { shown = 0 }
         END                 { printf "%s", words
                               if (others) print "    and" others
                               exit !found }' "$1" || sed '$d' "$1" | tail -n 20
}

for program do
    log=$program.log status='' counts=''
    if [ -e "$log" ]; then
        status=$(sed -n '$s/^status //p' "$log")
        counts=$(sed '$d' "$log" | sed -n '$s/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed$/\1 \2/p')
        tests=$(sed -n 's/^\([0-9][0-9]*\) tests$/\1 tests, /p' "$log")
        if [ "${ONLY:-}" ] && [ "$status" = 2 ] && grep -q 'has no such test' "$log"; then continue; fi
    fi
    asked=$((asked + 1))
    if [ -z "$counts" ]; then
        if [ "$status" ]; then
            echo "$program: ended with status $status and no count of tests"
            print_failures "$log"
        else
            echo "$program: was not built"
        fi
        counts='0 1'
    elif [ "$status" != 0 ] && [ "${counts#* }" = 0 ]; then
        echo "$program: counted no failure but ended with status $status"
        counts="${counts% *} 1"
    elif [ "${counts#* }" = 0 ]; then
        echo "$program: $tests${counts% *} checks"
    else
        echo "$program: $tests${counts% *} checks passed, ${counts#* } failed"
        print_failures "$log"
    fi
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
done

if [ "${ONLY:-}" ] && [ "$asked" = 0 ]; then
    echo "no program has a test called '$ONLY'; to see all, run a program with --list"
    failed=$((failed + 1))
fi
if [ "$failed" != 0 ]; then echo "the whole output of each program is next to it, in PROGRAM.log"; fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
