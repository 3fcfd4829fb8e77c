#!/bin/bash
# tsan.sh: runs tests/both/test_threads.c under ThreadSanitizer. It must also report an intended race; otherwise finding
# no race in the tests would prove nothing.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${BUILD:-build}/tsan/test_threads log=${BUILD:-build}/tsan/log
mkdir -p "${program%/*}" || exit 1
sources=$(make -s --no-print-directory files-test_threads) || exit 1
. tests/quality/verdict.sh
. tests/support/only.sh
wanted "${ONLY:-}" threads || { echo '0 passed, 0 failed'; exit; }
# A race is reported only if both accesses are still in the history, so use the longest history.
export TSAN_OPTIONS=history_size=7${TSAN_OPTIONS:+:$TSAN_OPTIONS}

# The compiler removes no access to memory if it does not optimize.
# shellcheck disable=SC2086
clang -std=c99 -O0 -g -fsanitize=thread -pthread $sources -o "$program" -lm >"$log" 2>&1
verdict $? 'threads: the program builds' "$log"
"$program" >"$log" 2>&1 </dev/null
verdict $? 'threads: eight threads share models without a race' "$log"
"$program" --race >"$log" 2>&1 </dev/null
grep -q 'WARNING: ThreadSanitizer: data race' "$log"
verdict $? 'threads: an intended race is reported' "$log"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
