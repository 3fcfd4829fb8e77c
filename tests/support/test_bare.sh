#!/bin/sh
# test_bare.sh: what the page promises of a machine with a C compiler, make and nothing else. In a copy of what git
# holds, with nothing on the PATH but the base system, gcc and make: the tests, and the commands that the page types
# into a shell. A package that is missing there stays missing, since apt-get is not on that PATH either.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${BUILD:-build}/bare
rm -rf "$out" && mkdir -p "$out/bin" "$out/copy" && out=$(realpath "$out") || exit 1
log=$out/log
. tests/quality/verdict.sh

sh tests/support/archive.sh "$out/copy.tar" && tar -x -f "$out/copy.tar" -C "$out/copy" || exit 1

# -- The PATH: links to the programs that every Debian has, to gcc with what it calls, and to make --------

essential=$(dpkg-query -W -f '${Package} ${Essential}\n' | sed -n 's/ yes$//p')
for package in $essential mawk; do dpkg -L "$package"; done |
    grep -E '^(/usr)?/s?bin/[^/]+$' | while read -r program; do ln -sf "$program" "$out/bin"; done
for program in awk gcc as ld make; do ln -sf "$(command -v $program)" "$out/bin/$program"; done
ln -sf gcc "$out/bin/cc"

bare() { (cd "$out/copy" && exec env -i PATH="$out/bin" HOME="$out" LC_ALL=C "$@" </dev/null); }

bare sh -c 'for program in apt-get git python3 g++ clang tcc glad; do
    if command -v $program; then exit 1; fi
done' >"$log" 2>&1
verdict $? "a PATH of $(find "$out/bin" -type l | wc -l) programs, and no others" "$log"

# -- What is promised -------------------------------------------------------------------------------------

# Make names the cause of a failure long before the tests print their summary.
bare make test >"$log" 2>"$out/errors"
status=$?
summary=$(tail -n 1 "$log")
head -n 20 "$out/errors" >>"$log"
verdict $status "make test: $summary" "$log"

bare sh tests/support/first_program.sh >"$log" 2>&1
verdict $? "the page's commands: $(tail -n 1 "$log")" "$log"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
