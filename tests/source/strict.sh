#!/bin/bash
# The compile matrix. A combination is one program of tests/source/compile with one compiler, dialect and set of flags:
# compiled with all warnings as errors, linked with a main that calls the library, and run. The programs are written for
# md2.h; for md5.h they are rewritten (md2 -> md5, MD2 -> MD5). One compiler is enough for code that only the
# preprocessor selects; warnings and errors are tested with each compiler. `make strict` calls this with C_WARNINGS and
# CXX_WARNINGS set; `make strict ONLY='hash|module'` runs only the combinations whose line has one of these words.
# FULL=1 adds the dialects between the oldest and the newest, and the test programs with clang and for 32 bits.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${C_WARNINGS:?run this as: make strict}" "${CXX_WARNINGS:?run this as: make strict}"
export C_WARNINGS CXX_WARNINGS MAKE="${MAKE:-make}"
export root=$PWD out=$PWD/${BUILD:-build}/strict
only=${ONLY:-}
. tests/support/only.sh
full=${FULL:-}
jobs=${STRICT_JOBS:-$(nproc 2>/dev/null || echo 2)}
mkdir -p "$out" || exit 1
exec 9>"$out.lock"
flock -n 9 || { echo "strict: another run in $out is not done yet, waiting for it"; flock 9; }
rm -rf "$out" && mkdir -p "$out/jobs" "$out/lists" || exit 1

# -- The commands of a combination: each runs in a worker, in a new folder ---------------------------

# cc COMPILER ARGUMENTS...: compiles with the compiler's warnings and -Wnull-dereference as errors.
cc() {
    local compiler=$1 all=(-Wnull-dereference -Werror -I"$root/tests/source/compile" -I"$root/tests/recipes" -I"$out/lists")
    shift
    case $compiler in
        *++*) $compiler $CXX_WARNINGS "${all[@]}" -x c++ "$@" ;;
        tcc*) $compiler -Wall "${all[@]}" "$@" ;;
        *)    $compiler $C_WARNINGS "${all[@]}" "$@" ;;
    esac
}

run() { timeout 60 "$@" || { echo "$* ended with status $?"; return 1; }; }

# program COMPILER LIBRARIES SOURCE...: compiles each file separately, links and runs the program.
program() {
    local compiler=$1 libraries=$2 objects=() source
    shift 2
    for source do
        cc "$compiler" -c "$source" -o "${source##*/}.o" || return 1
        objects+=("${source##*/}.o")
    done
    $compiler "${objects[@]}" $libraries -lm -o program && run ./program
}

# mixed COMPILER_A A.c COMPILER_B B.c: compiles one file with each compiler, and links with the C++ compiler.
mixed() {
    local linker=$1
    cc "$1" -c "$2" -o a.o && cc "$3" -c "$4" -o b.o || return 1
    case $3 in *++*) linker=$3 ;; esac
    $linker a.o b.o -lm -o program && run ./program
}

# nothing COMPILER SOURCE NAME: like `program`; also checks that the object neither defines nor uses symbols of the
# library.
nothing() {
    program "$1" '' "$2" && nm "${2##*/}.o" >symbols || return 1
    ! grep -i "$3_" symbols
}

# old_stdint COMPILER SOURCE: compiles with a <stdint.h> from before C++11, which defines UINT32_MAX and similar macros
# only on request.
old_stdint() {
    echo '#include <stdint-gcc.h>' >stdint.h
    program "$1 -isystem ." '' "$2"
}

# library COMPILER A.c B.c: A becomes a shared library that hides all symbols that are not exported.
library() {
    cc "$1" -fPIC -fvisibility=hidden -shared "$2" -lm -o liba.so && cc "$1" -c "$3" -o b.o || return 1
    $1 b.o ./liba.so -lm -o program && run ./program
}

# vectors COMPILER PREFIX SOURCE: checks that there are vector instructions, and none with PREFIX_NO_SIMD.
vectors() {
    cc "$1" -E "$3" >with && cc "$1" -D"$2_NO_SIMD" -E "$3" >without || return 1
    grep -q -E '_mm_|vld1|float32x4_t' with || { echo "the program has no vector code"; return 1; }
    ! grep -m 3 -E '_mm_|vld1|float32x4_t' without
}

# refused COMPILER PATTERN SOURCE: checks that the source does not compile, and that the error matches the pattern.
refused() {
    if cc "$1" -c "$3" -o refused.o >refused.log 2>&1; then echo "compiled, but must not"; return 1; fi
    grep -q -E "$2" refused.log || { echo "the error does not match $2:"; cat refused.log; return 1; }
}

# refused_in_a_line COMPILER PATTERN SOURCE: like `refused`; also checks that there is no other error.
refused_in_a_line() {
    refused "$@" || return 1
    [ "$(grep -c 'error:' refused.log)" = 1 ] || { echo "more than one error:"; head -n 20 refused.log; return 1; }
}

# module COMPILER FOLDER: builds a C++20 module that includes the header in its `module;` part, and a program that uses
# it.
module() {
    $1 -std=c++20 -c -x c++ "$2/implementation.c" -o implementation.o || return 1
    case $1 in
        clang*) $1 -std=c++20 -x c++-module --precompile "$2/module.c" -o quake.pcm && $1 -std=c++20 -c quake.pcm -o module.o &&
                $1 -std=c++20 -fprebuilt-module-path=. -c -x c++ "$2/module_user.c" -o user.o ;;
        *)      $1 -std=c++20 -fmodules-ts -c -x c++ "$2/module.c" -o module.o &&
                $1 -std=c++20 -fmodules-ts -c -x c++ "$2/module_user.c" -o user.o ;;
    esac && $1 module.o user.o implementation.o -lm -o program && run ./program
}

# msvc TARGET LANGUAGE ARGUMENTS...: checks the source with clang in MSVC's dialect; msvc.h replaces the C library of
# MSVC.
msvc() {
    local name target=$1 warnings=$C_WARNINGS
    case $2 in c++) warnings=$CXX_WARNINGS ;; esac
    for name in math string stdio stdlib malloc; do echo '#include "msvc.h"' >"$name.h"; done
    shift
    clang --target="$target-pc-windows-msvc" -fms-compatibility -fms-extensions -fms-compatibility-version=19.30 -fsyntax-only \
        $warnings -Wno-language-extension-token -Werror -isystem . -isystem "$root/tests/source/compile" -I"$root/tests/recipes" -x "$@"
}

# suite TARGET COMPILER: builds the test programs of the headers with all warnings as errors; the target `test` also
# runs them, without third-party models. For tcc three programs are enough to find its errors.
suite() {
    local target=$1 compiler=$2 flags=$C_WARNINGS
    local programs=() header_flags=
    case $compiler in
        *++*)            flags=$CXX_WARNINGS ;;
        tcc*)            flags=-Wall programs=(TESTS='test_md5 test_md2 hashes') ;;
        'gcc -std=c99'*) header_flags=-O3 ;;
    esac
    env -u MODELS -u TABLES -u FULL -u ONLY MAKEFLAGS= timeout 900 "$MAKE" -s -C "$root" BUILD="$PWD" CC="${compiler%% *}" CFLAGS="${compiler#* } $flags -Werror" \
        HEADER_FLAGS="$header_flags" QUICK=1 "${programs[@]}" "$target"
}

work() {
    local job=$1
    mkdir -p "$job.dir" && cd "$job.dir" || return
    # shellcheck disable=SC1090
    . "$job" >"$job.log" 2>&1 </dev/null && touch "$job.passed"
    rm -rf "$job.dir"
}
export -f cc run program mixed nothing old_stdint library vectors refused refused_in_a_line module msvc suite work

# -- The list of combinations ----------------------------------------------------------------------

count=0
combination() {
    wanted "$only" "$*" || return 0
    count=$((count + 1))
    printf '%q ' "$@" >"$(printf '%s/jobs/%04d' "$out" $count)"
}

# functions HEADER: writes USE(name) for each public function, read from the preprocessor's output. Functions that
# MD2_NO_STDIO removes, and functions that MD2_GL or MD2_SMOOTH add, are in separate #if parts. (MD2_STATIC hides
# functions that are not compiled.)
functions() {
    local P=${1%.h} list=$out/lists/functions_$1
    P=${P^^}
    declared() { gcc -E -P "-D${P}_API=${P}_API" "-D${P}_STATIC" "$@" | tr '\n' ' ' | grep -o -E "\<${P}_API\>[^(;]*\(" | sed 's/ *($//; s/.*[ *]//' | sort; }
    use() { sed 's/.*/USE(&)/'; }
    declared "$1" >"$list.all"
    declared "-D${P}_NO_STDIO" "$1" >"$list.base"
    declared "-D${P}_GL" "$1" >"$list.gl"
    declared "-DMD2_SMOOTH" "$1" >"$list.smooth"
    {
        use <"$list.base"
        echo "#ifndef ${P}_NO_STDIO"; comm -13 "$list.base" "$list.all" | use; echo '#endif'
        echo "#ifdef ${P}_GL";        comm -13 "$list.all"  "$list.gl"  | use; echo '#endif'
        echo "#ifdef MD2_SMOOTH";    comm -13 "$list.all"  "$list.smooth" | use; echo '#endif'
    } >"$list"
    echo "strict: $1: $(wc -l <"$list.gl") public functions, $(comm -13 "$list.base" "$list.all" | wc -l) with stdio," \
        "$(comm -13 "$list.all" "$list.gl" | wc -l) with ${P}_GL"
    [ -s "$list.base" ] || { echo "strict: no functions are found in $1"; nothing_found=1; }
}

# Some kernels for x86-64 cannot run programs of 32 bits.
runs_32_bit() {
    echo 'int main(void) { return 0; }' | gcc -m32 -x c - -o "$out/runs_32_bit" && "$out/runs_32_bit"
}
x86=$([ "$(uname -m)" = x86_64 ] && runs_32_bit 2>/dev/null && echo yes)
[ "$x86" ] || echo "strict: SKIPPED: -m32, because programs of 32 bits do not run here"

# one_header HEADER FOLDER: lists the combinations for one header, whose programs are in FOLDER.
one_header() {
    local p=${1%.h} dir=$2 compiler dialect
    local P=${p^^}
    local all="-D${P}_GL -DMD2_SMOOTH" plain="-D${P}_NO_SIMD"
    functions "$1"

    # The complete header: with each compiler, the oldest and the newest dialect, all levels of optimization, signed and
    # unsigned char, with and without vector instructions.
    for compiler in 'gcc -std=c99 -O0' 'gcc -std=c2x -O3 -funsigned-char -fshort-enums' "gcc -std=c99 -O2 $plain" \
                    'clang -std=c99 -O2' "clang -std=c2x -O0 -funsigned-char $plain" \
                    'g++ -std=c++98 -O2' "g++ -std=c++2b -O3 -Wold-style-cast $plain" \
                    "clang++ -std=c++98 -O0 $plain" 'clang++ -std=c++2b -O2 -Wold-style-cast' 'tcc -std=c99' \
                    ${x86:+'gcc -m32 -std=gnu99 -O3' 'gcc -m32 -std=c99 -O2 -msse2 -mfpmath=sse'}; do
        combination program "$compiler $all" '' "$dir/alone.c"
    done
    if [ "$full" ]; then
        for dialect in c11 c17; do
            for compiler in gcc clang; do combination program "$compiler -std=$dialect -O2 $all" '' "$dir/alone.c"; done
        done
        for dialect in c++11 c++14 c++17 c++20; do
            for compiler in g++ clang++; do combination program "$compiler -std=$dialect -O2 $all" '' "$dir/alone.c"; done
        done
    fi

    # Parts of the header: functions that nothing calls must be left out or cause no warning.
    for compiler in 'gcc -std=c99 -O2' 'clang++ -std=c++11 -O2'; do
        combination program "$compiler" '' "$dir/alone.c"
        combination program "$compiler -D${P}_NO_STDIO $all" '' "$dir/alone.c"
        combination program "$compiler $all" '' "$dir/static_unused.c"
    done

    # Other code before or after the header, or linked with it.
    combination program 'gcc -std=c99 -O1' '' "$dir/twice.c"
    combination program 'gcc -std=c99 -O1' '' "$dir/gl_later.c"
    combination program 'gcc -std=c99 -O1' '' "$dir/no_malloc.c"
    combination nothing 'gcc -std=c99 -O1' "$dir/declared.c" "$p"
    combination program 'gcc -std=c99 -O1' -lcrypto "$dir/hash.c"
    combination program 'clang++ -std=c++11 -O1 -DUSE_LIBMD' -lmd "$dir/hash.c"
    combination refused 'gcc -std=c99 -O1' "warns_after\.c:[0-9]+:.*conversion" "$dir/warns_after.c"
    combination refused 'clang++ -std=c++11 -O1' "warns_after\.c:[0-9]+:.*conversion" "$dir/warns_after.c"

    # Mistakes of the user give one clear error.
    combination refused 'gcc -std=c99' 'error.*both' "$dir/half_allocator.c"
    combination refused 'gcc -std=c99' 'error.*include stb_image.h' "$dir/no_stb_image.c"
    for compiler in gcc clang; do
        combination refused_in_a_line "$compiler -std=c89" 'needs C99' "$dir/old_dialect.c"
    done

    # Several files: the implementation in C and its user in C++, the reverse, a private copy in each file, a shared
    # library, a module.
    combination mixed "gcc -std=c99 -O1 $all" "$dir/two_a.c" "g++ -std=c++98 -O1 $all" "$dir/two_b.c"
    combination mixed "clang -std=c99 -O1 $all" "$dir/two_b.c" "clang++ -std=c++17 -O1 $all" "$dir/two_a.c"
    combination program 'tcc -std=c99' '' "$dir/static_a.c" "$dir/static_b.c"
    combination library 'g++ -std=c++11 -O2' "$dir/shared.c" "$dir/two_b.c"
    combination module g++ "$dir"
    combination module clang++ "$dir"

    # Other systems: vector instructions of each processor; `long` of 32 bits; big-endian ARM, which must use plain C
    # because the code for NEON reads points as little-endian words.
    combination msvc x86_64 c -std=c11 $all "$dir/implementation.c"
    combination msvc x86_64 c++ -std=c++14 $all "$plain" "$dir/implementation.c"
    combination msvc i686 c++ -std=c++20 $all "$dir/implementation.c"
    combination msvc aarch64 c++ -std=c++14 $all "$dir/implementation.c"
    combination vectors 'gcc -std=c99' "$P" "$dir/alone.c"
    combination old_stdint 'g++ -std=c++98 -O1' "$dir/alone.c"
    [ "$x86" ] && combination program 'gcc -std=c99 -O1 -U__SSE2__ -D__aarch64__ -D__ARM_NEON -D__AARCH64EB__' '' "$dir/alone.c"
}

both_headers() {
    local dir=$root/tests/source/compile
    combination program 'gcc -std=c99 -O1 -DMD2_GL -DMD5_GL' '' "$dir/both.c"
    combination program 'g++ -std=c++98 -O1 -DMD2_GL -DMD5_GL -DMD5_FIRST' '' "$dir/both.c"
    combination program 'gcc -std=c99 -O1 -DMD2_GL -DMD5_GL' '' "$dir/both_windows_words.c"
    combination program 'gcc -std=c99 -O1 -DMD2_GL -DMD5_GL' '' "$dir/both_other_words.c"
}

only_md2() {
    local dir=$root/tests/source/compile
    combination refused_in_a_line 'gcc -std=c99' 'include only md2.h' "$dir/md2_smooth_alone.c"
    combination refused_in_a_line 'gcc -std=c99' 'have different versions' "$dir/md2_smooth_older.c"
    combination program 'gcc -std=c99 -O2 -ffast-math' '' "$dir/md2_short_normals.c"
    combination program 'clang -std=c99 -O2 -ffast-math' '' "$dir/md2_short_normals.c"
    [ "$x86" ] && combination program 'gcc -m32 -std=c99 -O2' '' "$dir/md2_short_normals.c" # on an x87
}

# All tests of the headers, because an optimizer, a simple compiler and a C++ compiler generate different code.
# Only the headers get -O3, because -O3 doubles the time that gcc takes to compile the tests.
test_programs() {
    local compiler
    local suites=('gcc -std=c99 -O1' 'tcc -std=c99' 'g++ -x c++ -std=c++98 -O1')
    [ "$full" ] && suites+=('clang++ -x c++ -std=c++20 -O1')
    # If pointers have 32 bits, an offset from a file can make a pointer overflow.
    [ "$full" ] && [ "$x86" ] && suites+=('gcc -m32 -std=gnu99 -O1 -funsigned-char -fshort-enums -fshort-wchar -msse2 -mfpmath=sse -fsanitize=undefined -fno-sanitize-recover=undefined')
    for compiler in "${suites[@]}"; do combination suite test "$compiler"; done
}

nothing_found=0
[ -z "$only" ] || echo "strict: only the combinations with '$only'"
one_header md2.h "$root/tests/source/compile"
mkdir -p "$out/md5"
for file in tests/source/compile/*.c; do
    case ${file##*/} in both*|md2*) continue ;; esac
    sed "s/md2/md5/g; s/MD2/MD5/g; s|\"\.\./\.\./\.\./|\"$root/|" "$file" >"$out/md5/${file##*/}"
done
one_header md5.h "$out/md5"
both_headers
only_md2
test_programs
[ "$count" -gt 0 ] || { echo '0 passed, 0 failed'; exit 0; }

# -- Run them ----------------------------------------------------------------------------------------

printf '%s\n' "$out"/jobs/???? | xargs -P "$jobs" -n 1 bash -c 'work "$1"' work

# Combinations that fail for the same reason are listed together, with the output of the first.
failed=0
declare -A labels logs
for job in "$out"/jobs/????; do
    [ -e "$job.passed" ] && continue
    failed=$((failed + 1))
    [ -e "$job.log" ] || echo 'this combination did not run' >"$job.log"
    sed -i "s|${job#$root/}.dir/||g; s|$root/tests/source/compile/\.\./\.\./\.\./||g; s|$root/||g" "$job.log"
    reason=$(grep -E 'error|warning|undefined|status|refer' "$job.log" || cat "$job.log")
    labels[x$reason]+=$(sed "s|$root/||g; s|\\\\\(.\)|\1|g; s|'' ||; s|tests/source/compile/||g; s|^|FAIL  |" "$job")$'\n'
    logs[x$reason]+=$job.log$'\n'
done
for reason in "${!labels[@]}"; do
    printf '%s' "${labels[$reason]}"
    grep -v -E '^(In file included from|  *from )' "${logs[$reason]%%$'\n'*}" | head -n 25 | sed 's/^/        /'
done
echo "strict: $count combinations, $failed failed"
passed=$((count - failed))
failed=$((failed + nothing_found))
echo "$passed passed, $failed failed$([ "$x86" ] || echo ', 1 skipped')"
[ "$failed" = 0 ]
