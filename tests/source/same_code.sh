#!/bin/sh
# same_code.sh [COMMIT]: the machine code of both headers is, byte for byte, that of COMMIT (HEAD when
# none is given). For changes that only rename, comment or reformat: by gcc and clang, at -O2, with
# vectors and without, the core alone and with the OpenGL renderer and smoothing.
set -u
base=${1:-HEAD}
cd "$(dirname "$0")/../.." || exit 1
work=${BUILD:-build}/same_code
rm -rf "$work" && mkdir -p "$work/old" "$work/new" || exit 1

passed=0 failed=0
for header in md2 md5; do
    git show "$base:$header.h" >"$work/old/$header.h" || exit 1
    cp "$header.h" "$work/new/$header.h" || exit 1
done

# The contents of all sections and the relocations of one build, without the names of private symbols.
build() {
    folder=$1
    shift
    "$@" -std=c99 -O2 "-D${prefix}_IMPLEMENTATION" -include "$work/$folder/$header.h" -x c -c /dev/null \
        -o "$work/$folder/object" &&
        objdump -rs "$work/$folder/object" | sed '1,2d; s/md[25]__[A-Za-z0-9_.]*/private/' >"$work/$folder/code"
}

for header in md2 md5; do
    prefix=$(echo "$header" | tr md MD)
    for compiler in gcc clang; do
        for vectors in '' "-D${prefix}_NO_SIMD"; do
            for features in '' "-D${prefix}_GL -DMD2_SMOOTH"; do
                what="$header.h, $compiler -O2 $vectors $features"
                # shellcheck disable=SC2086
                if build old "$compiler" $vectors $features && build new "$compiler" $vectors $features &&
                   [ -s "$work/new/code" ] && cmp "$work/old/code" "$work/new/code"; then
                    passed=$((passed + 1))
                else
                    failed=$((failed + 1))
                    echo "same_code: $what: not the code of $base"
                fi
            done
        done
    done
done
echo "same_code: $passed of 16 builds have the machine code of $base"
[ $((passed + failed)) = 16 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
