#!/bin/sh
# bench_check.sh PROGRAM CHARACTER-FOLDER OUTPUT-FOLDER: how many instructions md2.h and md5.h take for what has to
# be fast, compared with tests/bench/bench_counts.txt. PROGRAM.sse2 and PROGRAM.plain are builds of bench_counts.c.
# BENCH_RECORD=1 writes that file anew, after a question where there is somebody to ask. Public domain.
set -u
program=$1 character=$2 out=$3
record=tests/bench/bench_counts.txt
floor=36
tolerance=3

# Only what runs in functions of the libraries counts: the C library's differ from one processor to the next.
count() {
    rm -f "$out"/bench_counts.callgrind*
    valgrind --quiet --tool=callgrind --combine-dumps=yes --callgrind-out-file="$out/bench_counts.callgrind" \
        "$program.$1" "$character" >"$out/bench_counts.log" || { cat "$out/bench_counts.log" >&2; return 1; }
    awk -v build="$1" '
        /^desc: Trigger: Client Request: / { kernel = $NF; order[++kernels] = kernel; next }
        /^desc: Trigger: /                 { kernel = ""; next }
        /^fn=/ {
            id = substr($1, 4)
            if (NF > 1) name[id] = $2
            ours = kernel != "" && name[id] ~ /^md[25]_/
            next
        }
        /^c?fn=/ { id = $1; sub(/^c?fn=/, "", id); if (NF > 1) name[id] = $2; next }
        /^calls=/ { skip = 1; next }
        /^[-+*0-9]/ { if (skip) skip = 0; else if (ours) total[kernel] += $2 }
        END { for (i = 1; i <= kernels; ++i) print build, order[i], total[order[i]] + 0 }
    ' "$out/bench_counts.callgrind"
}

new=$out/bench_counts.txt
{ count sse2 && count plain; } >"$new" || { echo '0 passed, 1 failed'; exit 1; }
compiler=$(sed -n 's/^compiler //p' "$out/bench_counts.log")
counts=$(wc -l <"$new")
if [ "$counts" -lt $floor ]; then
    echo "only $counts counts, at least $floor expected"
    echo '0 passed, 1 failed'
    exit 1
fi

if [ "${BENCH_RECORD:-}" ]; then
    if [ -t 0 ]; then
        printf 'This replaces %s. Type yes: ' "$record"
        read -r answer
        [ "$answer" = yes ] || exit 1
    fi
    { echo '# Instructions that md2.h and md5.h take (make bench-check; to record anew: BENCH_RECORD=1 make bench-check).'
      echo "compiler $compiler"
      cat "$new"; } >"$record"
    echo "$counts counts written to $record"
fi

recorded=$(sed -n 's/^compiler //p' "$record")
if [ "$compiler" != "$recorded" ]; then
    echo "NOT COMPARED: the counts in $record are of $recorded, and this is $compiler."
    echo 'A different compiler makes different instructions. What they are here:'
    cat "$new"
    if [ "${CI:-}" ]; then echo '0 passed, 1 failed'; exit 1; fi
    echo '0 passed, 0 failed'
    exit 0
fi

awk -v tolerance=$tolerance '
    FNR == NR { if (NF == 3 && $1 != "compiler" && $1 != "#") old[$1 " " $2] = $3; next }
    {
        what = $1 " " $2
        if (!(what in old) || old[what] == 0 || $3 == 0) {
            printf("%-28s %10d  no count to compare with\n", what, $3)
            ++failed
            next
        }
        change = ($3 - old[what]) * 100 / old[what]
        ok = change <= tolerance && change >= -tolerance
        verdict = ok ? "" : (change > 0 ? "  SLOWER" : "  faster: record it")
        printf("%-28s %10d  %+6.1f %%%s\n", what, $3, change, verdict)
        if (ok) ++passed; else ++failed
        delete old[what]
    }
    END {
        for (what in old) { printf("%-28s is gone\n", what); ++failed }
        printf("%d passed, %d failed\n", passed, failed)
        exit failed > 0
    }
' "$record" "$new"
