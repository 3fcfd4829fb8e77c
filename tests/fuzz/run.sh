#!/bin/bash
# run.sh TARGET...: runs each fuzz target of $FUZZERS for $FUZZ_SECONDS. It starts with inputs that it has found before,
# and with those in corpus/ and regress/. Inputs that fail are saved in $FUZZERS/crashes. The last line counts targets.
set -u
here=tests/fuzz
folder=$FUZZERS
passed=0 failed=0 total=0
export ASAN_OPTIONS=quarantine_size_mb=8:detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export UBSAN_OPTIONS=print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}

number() { sed -n "s/^stat::$1: *//p" "$2" | tail -n 1; }

# report LOG: prints libFuzzer's results in a line: RUNS runs RATE/s EDGES of ALL edges, none new in the last N runs
report() {
    local runs rate edges all last
    runs=$(number number_of_executed_units "$1") rate=$(number average_exec_per_sec "$1")
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$1" | tail -n 1)
    all=$(sed -n 's/.*Loaded 1 PC tables (\([0-9]*\) PCs).*/\1/p' "$1" | tail -n 1)
    # The run that found the last new edge. Runs before INITED only read the existing inputs.
    last=$(sed -n 's/^#\([0-9]*\)[^0-9].* cov: \([0-9]*\) .*/\1 \2/p' "$1" | awk '$2 > most { most = $2; run = $1 } END { print run + 0 }')
    echo "${runs:-0} runs ${rate:-0}/s ${edges:-0} of ${all:-0} edges, none new in the last $((${runs:-0} - last)) runs"
}

# fuzz TARGET: runs a target and returns its status. $folder/TARGET.log has the output, then the report.
fuzz() {
    local target=$1 log=$folder/$1.log dictionary= length=$FUZZ_LENGTH status
    local inputs=("$folder/corpus/$target" "$folder/seeds/$target" "$here/regress/$target")
    mkdir -p "${inputs[@]}"
    if [ -e "$here/corpus/$target.pack" ]; then
        python3 -B $here/seeds.py unpack "$here/corpus/$target.pack" "$folder/seeds/$target" >"$log" 2>&1 || return 1
    fi
    case $target in
        md5_*|calls) dictionary=-dict=$here/md5.dict ;;
        gltf)        length=$((4 * FUZZ_LENGTH)) ;; # even the smallest scene is a long text
    esac
    # shellcheck disable=SC2086
    "$folder/$target" -max_len="$length" -max_total_time="$FUZZ_SECONDS" -timeout=10 -use_value_profile=0 -entropic=1 \
        -reload=0 -print_final_stats=1 -detect_leaks=0 -artifact_prefix="$folder/crashes/$target-" $dictionary \
        "${inputs[@]}" >"$log" 2>&1 </dev/null
    status=$?
    report "$log" >>"$log"
    return $status
}

mkdir -p "$folder/crashes"
declare -A started
for target do
    [ "$(jobs -rp | wc -l)" -lt "${JOBS:-2}" ] || wait -n
    fuzz "$target" &
    started[$target]=$!
done
for target do
    wait "${started[$target]}"
    status=$? log=$folder/$target.log line=$(tail -n 1 "$folder/$target.log")
    echo "$target: $line"
    read -r runs _ _ edges _ <<<"${line//\/s/}"
    if [ $status -ne 0 ]; then
        grep -a -m 20 -e 'check failed' -e 'ERROR' -e 'runtime error' -e 'Test unit written' -e '^ *#[0-9]* ' "$log" || tail -n 20 "$log"
        failed=$((failed + 1))
    elif [ "$edges" -lt 50 ]; then
        echo "$target: reached only $edges edges of the library, expected at least 50"
        failed=$((failed + 1))
    else
        passed=$((passed + 1)) total=$((total + runs))
    fi
done
echo "$total runs"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
