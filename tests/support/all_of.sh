#!/bin/sh
# all_of.sh COMMAND...: runs all commands, even if one fails, and adds up the counts in their last lines.
set -u
. tests/support/only.sh
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
for command do
    { sh -c "$command" 2>&1; echo "status $?"; } | tee "$log" | grep -v '^status [0-9]*$'
    status=$(sed -n '$s/^status //p' "$log")
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed\(, \([0-9]*\) skipped\)*$/\1 \2 \4/p' "$log" | tail -n 1)
    if [ -z "$counts" ] || { [ "$status" != 0 ] && [ "${counts#* 0}" != "$counts" ]; }; then
        echo "ended with status $status and no failure counted: $command"
        counts='0 1'
    fi
    read -r good bad passed_over <<END
$counts
END
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + ${passed_over:-0}))
done
some $((passed + failed + skipped)) "${ONLY:-}" || failed=1
echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
[ $failed = 0 ]
