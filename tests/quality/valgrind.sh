#!/bin/bash
# valgrind.sh 'PROGRAM ARGUMENT...'...: each under memcheck, which must count no error and no byte lost.
# What the program checks counts as well. A planted leak and a planted use of what was never set must be
# found. The processor that valgrind shows is its own: what is compiled for this one only may not run.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${BUILD:-build}/valgrind
mkdir -p "$out" || exit 1
unset MODELS TABLES
passed=0 failed=0

# memcheck NAME COMMAND...: its output is in $out/NAME.log, its status in $out/NAME.status.
memcheck() {
    local name=$out/$1
    shift
    timeout 1800 valgrind --error-exitcode=99 --leak-check=full --show-leak-kinds=all \
        --errors-for-leak-kinds=all --log-file="$name.memcheck" "$@" >"$name.log" 2>&1 </dev/null
    echo $? >"$name.status"
}

# fail NAME WHAT
fail() {
    failed=$((failed + 1))
    echo "FAIL  $2"
    tail -n 30 "$out/$1.memcheck" | cut -c 1-160
    tail -n 3 "$out/$1.log"
}

cat >"$out/planted.c" <<'END'
#include <stdlib.h>
int main(int argc, char **argv)
{
    int *p = malloc(sizeof(int) * 4), *q = malloc(4);
    (void)argv;
    if (argc > 1) p = q, p[0] = 1; /* the first four are lost */
    else if (p[1] == 7) return 3;
    free(q);
    if (argc == 1) free(p);
    return 0;
}
END
${CC:-cc} -g -O0 "$out/planted.c" -o "$out/planted"
for argument in '' lose; do
    # shellcheck disable=SC2086
    memcheck planted "$out/planted" $argument
    if [ "$(cat "$out/planted.status")" = 99 ]; then
        passed=$((passed + 1))
    else
        fail planted "a planted mistake is found ($argument)"
    fi
done

number=0
for command do
    [ "$(jobs -rp | wc -l)" -lt "${JOBS:-2}" ] || wait -n
    number=$((number + 1))
    # shellcheck disable=SC2086
    memcheck $number $command &
done
wait

number=0
for command do
    number=$((number + 1))
    log=$out/$number status=$(cat "$out/$number.status")
    summary=$(sed -n 's/.*ERROR SUMMARY: \([0-9]*\) errors.*/\1/p' "$log.memcheck")
    lost=$(grep -E -c 'All heap blocks were freed|in use at exit: 0 bytes' "$log.memcheck")
    counts=$(tail -n 1 "$log.log" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
    if [ "$status" = 0 ] && [ "$summary" = 0 ] && [ "$lost" -gt 0 ] && [ -n "$counts" ]; then
        passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
        echo "ok    $command: 0 errors, 0 bytes lost; $(grep -o 'total heap usage: [0-9,]* allocs' "$log.memcheck")"
    else
        fail $number "$command: status $status, ${summary:-no} errors"
    fi
done
if [ $# -lt "${VALGRIND_FLOOR:-8}" ]; then
    echo "only $# programs, at least ${VALGRIND_FLOOR:-8} expected"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
