#!/bin/sh
# Has Frama-C's WP prove what tests/quality/proof.c says of the headers, for every input there is; then makes mistakes
# in copies of a header, each of which must leave something unproved.
#
#   proof.sh FOLDER FLOOR      where to work; how many goals there are at least
work=$1 floor=$2
mkdir -p "$work/broken" || exit 1
export WHY3CONFIG="$work/why3.conf"
[ -s "$WHY3CONFIG" ] || why3 config detect >"$work/why3.log" 2>&1 || { cat "$work/why3.log"; echo '0 passed, 1 failed'; exit 1; }

# prove FOLDER SECONDS FUNCTIONS: the report of the prover about md2.h and md5.h there; a goal gets so many seconds
# from each of two solvers.
contracts=$PWD/tests/quality/proof
prove() (
    cd "$1" && sed -i -f "$contracts.sed" md2.h && grep -q 'loop pragma' md2.h || exit 1
    frama-c -machdep gcc_x86_64 -kernel-warn-key inline=inactive -inline-calls md2__read_u16 -wp -wp-rte -wp-split -wp-par 2 \
        -wp-prover cvc4,z3 -wp-timeout "$2" -wp-fct "$3" "$contracts.c" 2>&1
)

# The numbers of "Proved goals: 49 / 50" in a report.
goals() { sed -n 's,.*Proved goals: *\([0-9]*\) */ *\([0-9]*\).*,\1 \2,p' "$1"; }

passed=0 failed=0
ranges=md2__read_u16,md2__read_u32,md2__check_count,md2__check_section_range,md2__check_frames,md2__check_sections
functions=$ranges,md2__read_texcoord,md2__map_strip_index,md2__place_array,md5__place_array
cp md2.h md5.h "$work" || exit 1
prove "$work" 120 $functions >"$work/log"
counts=$(goals "$work/log")
proved=${counts% *} all=${counts#* }
if [ -n "$counts" ] && [ "$proved" = "$all" ] && [ "$all" -ge "$floor" ]; then
    passed=$proved
    echo "$proved goals proved, of $functions"
else
    cat "$work/log"
    echo "proof: ${proved:-0} of ${all:-0} goals are proved; all of them, and at least $floor, are expected"
    failed=$((failed + 1))
fi

# broken FUNCTION FROM TO: with this mistake some goal of the function may not be proved.
broken() {
    cp md5.h "$work/broken/" || exit 1
    sed "s/$2/$3/" md2.h >"$work/broken/md2.h"
    if cmp -s md2.h "$work/broken/md2.h"; then
        counts=none
    else
        prove "$work/broken" 5 "$1" >"$work/broken/log"
        counts=$(goals "$work/broken/log")
    fi
    if [ "$counts" = none ]; then
        echo "proof: there is no '$2' to break"
        failed=$((failed + 1))
    elif [ -z "$counts" ] || [ "${counts% *}" = "${counts#* }" ]; then
        cat "$work/broken/log"
        echo "proof: '$3' for '$2' is not noticed"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
}

broken md2__read_u16           'return (uint32_t)p\[0\] | (uint32_t)p\[1\] << 8;' 'return (uint32_t)p[0] | (uint32_t)p[1] << 9;'
broken md2__read_u32           'md2__read_u16(p + 2) << 16' 'md2__read_u16(p + 1) << 16'
broken md2__check_section_range 'return end <= loader->size ||' 'return end <= loader->size + 1 ||'
broken md2__check_section_range 'uint64_t end = offset + count \* item_size;' 'uint64_t end = offset + (uint32_t)(count * item_size);'
broken md2__check_section_range 'offset > INT32_MAX) {' 'offset > UINT32_MAX) {'
broken md2__check_frames        'frame_size < MD2__FRAME_POINTS_OFFSET + points' 'frame_size < points'
broken md2__read_texcoord       'index = count - 1;' 'index = count;'
broken md2__map_strip_index     'return i ? length - i : 0;' 'return length - i;'
broken md2__place_array         '(\*total + 15) \/ 16 \* 16' '(*total + 8) \/ 16 * 16'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
