#!/bin/bash
# minimize.sh TARGET...: packs the smallest set of inputs that reaches as much code as all inputs that the fuzzers have
# found into corpus/TARGET.pack. `make fuzz PACK=1` runs it; use it after long runs of `make fuzz`.
set -eu
folder=$FUZZERS
export ASAN_OPTIONS=detect_leaks=0
for target do
    rm -rf "$folder/merged"
    mkdir -p "$folder/merged" "$folder/corpus/$target" "$folder/seeds/$target"
    python3 -B tests/fuzz/seeds.py unpack "tests/fuzz/corpus/$target.pack" "$folder/seeds/$target"
    "$folder/$target" -merge=1 -use_counters=0 -max_len=$((4 * FUZZ_LENGTH)) "$folder/merged" "$folder/corpus/$target" \
        "$folder/seeds/$target" >"$folder/$target.log" 2>&1 </dev/null || { tail -n 20 "$folder/$target.log"; exit 1; }
    python3 -B tests/fuzz/seeds.py pack "$folder/merged" "tests/fuzz/corpus/$target.pack"
done
