#!/bin/bash
# everywhere.sh: the core tests on every platform there is a compiler and an emulator for, and what they
# compute compared with one table of hashes. Prints a matrix: a line for each platform, the number of
# checks that each program passed there.
#   ONLY=regular-expression   only the platforms whose names match
#   JOBS=2                    so many at a time
set -u
cd "$(dirname "$0")/../.." || exit 1
here=$PWD
out=${BUILD:-build}/everywhere
export NODE_PATH=/usr/share/nodejs WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
export LC_ALL=C.UTF-8 # in a locale of ASCII alone wine creates no file with another name
unset MODELS TABLES
exec </dev/null

columns='hashes test_md2 test_md5 test_names torture_md2 torture_md5'
# Fewer checks than this in a program, and it did not do its work. In the order of the columns.
floors='7000000 1100000 800000 12000 80000 6000'
limit=1800 # seconds for a program

numbers='hashes test_md2 test_md5' # enough where only the code for numbers differs
plain='-DMD2_NO_SIMD -DMD5_NO_SIMD'
x87='-m32 -msse2 -mfpmath=sse'     # not x87: that keeps more bits than a float has
haswell=$(grep -q -w fma /proc/cpuinfo || echo qemu-x86_64 -cpu Haswell)

# NAME | programs | how it is run | how it is compiled. The slow ones come first. gnu99 lets gcc fuse
# multiplications with additions wherever the processor can; that it does not is what is tested.
platforms() {
    cat <<END
powerpc (big-endian)|$columns|qemu-ppc|powerpc-linux-gnu-gcc -std=gnu99 -O2 -static -fno-builtin-sin -fno-builtin-cos tests/portable/everywhere_powerpc.c
s390x (big-endian)|$columns|qemu-s390x|s390x-linux-gnu-gcc -std=gnu99 -O2 -static
riscv64|$columns|qemu-riscv64|riscv64-linux-gnu-gcc -std=gnu99 -O2 -static
armhf|$columns|qemu-arm|arm-linux-gnueabihf-gcc -std=gnu99 -O2 -static
aarch64 NEON|$columns|qemu-aarch64|aarch64-linux-gnu-gcc -std=gnu99 -O2 -static
aarch64 plain C|$numbers|qemu-aarch64|aarch64-linux-gnu-gcc -std=gnu99 -O2 -static $plain
Windows, mingw|$columns|wine|x86_64-w64-mingw32-gcc -std=gnu99 -O2 -static
WebAssembly|$columns|node|emcc -O2 -sWASM_ASYNC_COMPILATION=0 -sNODERAWFS -sALLOW_MEMORY_GROWTH -sEXIT_RUNTIME
i386 gcc|$columns||gcc -std=gnu99 -O2 $x87
i386 clang|$columns||clang -std=gnu99 -O2 $x87
i386 plain C|$numbers||gcc -std=gnu99 -O2 $x87 $plain
x86-64 tcc|$columns||tcc -std=c99
x86-64 gcc -O0|$columns||gcc -std=c99 -O0
x86-64 gcc -O2|$columns||gcc -std=gnu99 -O2
x86-64 gcc -O3|$numbers||gcc -std=gnu99 -O3
x86-64 gcc plain C|$numbers||gcc -std=gnu99 -O2 $plain
x86-64 gcc haswell|$numbers|$haswell|gcc -std=gnu99 -O3 -march=haswell
x86-64 gcc native|$numbers||gcc -std=gnu99 -O3 -march=native
x86-64 g++|$numbers||g++ -x c++ -std=gnu++17 -O2
x86-64 clang -O0|$numbers||clang -std=c99 -O0
x86-64 clang -O2|$columns||clang -std=gnu99 -O2
x86-64 clang -O3|$numbers||clang -std=gnu99 -O3
x86-64 clang plain C|$numbers||clang -std=gnu99 -O2 $plain
x86-64 clang haswell|$numbers|$haswell|clang -std=gnu99 -O3 -march=haswell -ffp-contract=on
END
}

# The folder of a platform: its name without blanks and the like.
slug() { printf '%s' "$1" | tr -c 'a-zA-Z0-9\n' '-'; }

arguments_of() {
    case $1 in
        hashes)     echo . hashes.txt ;;
        torture_md2) case $2 in qemu*) echo --brief ;; *) echo --quick ;; esac ;;
        torture*)   echo --quick ;;
    esac
}

run() {
    local runner=$1
    shift
    case $runner in
        wine) timeout "$limit" /usr/lib/wine/wine64 "$@" ;;
        '')   timeout "$limit" "$@" ;;
        *)    # shellcheck disable=SC2086
              timeout "$limit" $runner "$@" ;;
    esac
}

# cell NAME PROGRAM FLOOR RUNNER COMPILER: builds and runs one program in a folder of its own, and leaves what
# became of it in "result": how many checks passed, how many failed, and what the matrix shows.
cell() {
    local folder program=$2 runner=$4 suffix=
    folder=$out/$(slug "$1")/$program
    mkdir -p "$folder" || exit 1
    cp tests/golden/hashes.txt "$folder/hashes.txt"
    case $runner in wine) suffix=.exe ;; node) suffix=.js ;; esac
    # shellcheck disable=SC2046,SC2086
    if ! $5 $(cat "$out/files-$program") -o "$folder/$program$suffix" -lm >"$folder/log" 2>&1; then
        echo '0 1 not-built' >"$folder/result"
        return
    fi
    # shellcheck disable=SC2046
    (cd "$folder" && run "$runner" ./"$program$suffix" $(arguments_of "$program" "$runner")) >"$folder/log" 2>&1
    echo "status $?" >>"$folder/log"
    tr -d '\r' <"$folder/log" | tail -n 2 |
        awk -v least="$3" '
            NR == 1 && /^[0-9]+ passed, [0-9]+ failed$/ { passed = $1; failed = $3; seen = 1 }
            { status = $2 }
            END {
                bad = !seen ? "crashed" : failed ? failed "-failed" : status != 0 ? "ended-badly" : passed < least ? "only-" passed : ""
                print passed + 0, bad == "" ? 0 : failed ? failed : 1, bad == "" ? passed : bad
            }' >"$folder/result"
}

if [ "${1:-}" = --cell ]; then
    shift
    cell "$@"
    exit 0
fi

# -- Wine: a home of its own, and a server that stays until the end ----------------------------------

WINEPREFIX=$(mktemp -d) || exit 1
export WINEPREFIX
tidy() {
    timeout 30 wineserver -k >/dev/null 2>&1
    rm -rf "$WINEPREFIX"
}
trap tidy EXIT
trap 'exit 1' INT TERM

start_wine() {
    PATH=$PATH:/usr/lib/wine
    timeout 120 /usr/lib/wine/wine64 wineboot -i >/dev/null 2>&1
    timeout 30 wineserver -p >/dev/null 2>&1
}

# -- All of them -----------------------------------------------------------------------------------------

rm -rf "$out" && mkdir -p "$out" || exit 1
[ "$(uname -m)" = x86_64 ] || echo 'this is no x86-64: expect its lines to fail'
for program in $columns; do make -s --no-print-directory "files-$program" >"$out/files-$program" || exit 1; done
platforms | grep -E -- "${ONLY:-.}" >"$out/platforms"
grep -q '|wine|' "$out/platforms" && start_wine

start=$SECONDS
while IFS='|' read -r name programs runner compiler; do
    # shellcheck disable=SC2086
    set -- $floors
    for program in $columns; do
        case " $programs " in *" $program "*) printf '%s\0' "$name" "$program" "$1" "$runner" "$compiler" ;; esac
        shift
    done
done <"$out/platforms" | xargs -0 -n 5 -P "${JOBS:-2}" bash "$here/tests/portable/everywhere.sh" --cell

passed=0 failed=0 cells=0

: >"$out/failures"
printf '%-22s' platform
for program in $columns; do printf ' %12s' "$program"; done
echo
while IFS='|' read -r name programs _ _; do
    printf '%-22s' "$name"
    for program in $columns; do
        shown=.
        case " $programs " in *" $program "*)
            folder=$out/$(slug "$name")/$program
            read -r good bad shown <"$folder/result" || good=0 bad=1 shown=missing
            cells=$((cells + 1)) passed=$((passed + good)) failed=$((failed + bad))
            if [ "$bad" != 0 ]; then
                echo "-- $name, $program: $shown"
                grep -a -v '^status' "$folder/log" | tail -n 8 | cut -c 1-160
            fi >>"$out/failures" ;;
        esac
        printf ' %12s' "$shown"
    done
    echo
done <"$out/platforms"
cat "$out/failures"

# A build that does fuse must not equal the table, else the table would say nothing.
control() {
    cell 'control: fused' hashes 0 "$haswell" 'clang -std=c99 -O2 -march=haswell -ffp-contract=fast'
    local differ
    differ=$(grep -a -c ' differs' "$out/$(slug 'control: fused')/hashes/log")
    echo "control: with -ffp-contract=fast $differ rows of hashes differ"
    if [ "$differ" -gt 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
control

echo "$(wc -l <tests/golden/hashes.txt) hashes, $(wc -l <"$out/platforms") platforms, $cells programs run, $((SECONDS - start)) s"
if [ -z "${ONLY:-}" ] && [ "$cells" -lt "${EVERYWHERE_FLOOR:-100}" ]; then
    echo "only $cells programs, at least ${EVERYWHERE_FLOOR:-100} expected"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
