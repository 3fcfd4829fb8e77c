#!/bin/bash
# tsan.sh: tests/both/test_threads.c under ThreadSanitizer. It must also report a race that is meant, because
# otherwise its silence about the others says nothing.
set -u
cd "$(dirname "$0")/../.." || exit 1
program=${BUILD:-build}/tsan/test_threads log=${BUILD:-build}/tsan/log
mkdir -p "${program%/*}" || exit 1
sources=$(make -s --no-print-directory files-test_threads) || exit 1
. tests/quality/verdict.sh
. tests/support/only.sh
wanted "${ONLY:-}" threads || { echo '0 passed, 0 failed'; exit; }
# A race is reported only while it is still known what both threads did then, so the history is as long as can be.
export TSAN_OPTIONS=history_size=7${TSAN_OPTIONS:+:$TSAN_OPTIONS}

# Without optimization every access is made, and watched.
# shellcheck disable=SC2086
clang -std=c99 -O0 -g -fsanitize=thread -pthread $sources -o "$program" -lm >"$log" 2>&1
verdict $? 'threads: it builds' "$log"
"$program" >"$log" 2>&1 </dev/null
verdict $? 'threads: eight of them share models without a race' "$log"
"$program" --race >"$log" 2>&1 </dev/null
grep -q 'WARNING: ThreadSanitizer: data race' "$log"
verdict $? 'threads: a race that is meant is reported' "$log"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
