#!/bin/bash
# tsan.sh: tests/both/test_threads.c under the ThreadSanitizer of gcc and of clang, optimised and not. A race
# that is meant must be reported by each, else the silence about the others says nothing.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${BUILD:-build}/tsan
mkdir -p "$out" || exit 1
sources=$(make -s --no-print-directory files-test_threads) || exit 1
. tests/quality/verdict.sh
. tests/support/only.sh
wanted "${ONLY:-}" threads || { echo '0 passed, 0 failed'; exit; }
# A race is reported only while it is still known what both threads did then, so the history is as long as can be.
export TSAN_OPTIONS=history_size=7${TSAN_OPTIONS:+:$TSAN_OPTIONS}

for compiler in gcc clang; do
    for level in -O0 -O2; do
        program=$out/threads-$compiler$level log=$out/$compiler$level.log
        # shellcheck disable=SC2086
        $compiler -std=c99 $level -g -fsanitize=thread -pthread $sources -o "$program" -lm >"$log" 2>&1
        verdict $? "$compiler $level builds" "$log"
        timeout 300 "$program" >"$log" 2>&1 </dev/null
        verdict $? "$compiler $level: $(tail -n 1 "$log")" "$log"
        timeout 60 "$program" --race >"$log" 2>&1 </dev/null
        grep -q 'WARNING: ThreadSanitizer: data race' "$log"
        verdict $? "$compiler $level: a race that is meant is reported" "$log"
    done
done
if [ $((passed + failed)) -lt 12 ]; then failed=$((failed + 1)); fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
