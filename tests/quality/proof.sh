#!/bin/sh
# Has Frama-C's WP prove what tests/quality/proof.c says of the headers, for every input there is; then makes mistakes
# in copies of the headers, each of which must leave something of its function unproved.
#
#   proof.sh FOLDER FLOOR      where to work; how many goals there are at least
work=$1 floor=$2
contracts=$PWD/tests/quality/proof
passed=0 failed=0 goals=0
mkdir -p "$work/broken" || exit 1

# Names that neither a header nor proof.sed declares.
private='\<[Mm][Dd][25]__*[A-Za-z0-9_]*'
{ cat md2.h md5.h; grep '^static' "$contracts.sed"; } | grep -o "$private" | sort -u >"$work/known"
cat "$contracts.c" "$contracts.sed" "$contracts.sh" | grep -o "$private" | sort -u | comm -23 - "$work/known" >"$work/unknown"
sed 's/^/proof: no header has /' "$work/unknown"
failed=$((failed + $(wc -l <"$work/unknown")))

# What is proved: the functions that proof.c declares behind the headline "Proved".
proved=$(sed '1,/^\/\* == Proved/d' "$contracts.c" | sed -n 's/^static.*[ *]\(md[25]__[a-z0-9_]*\)(.*/\1/p')

# prove FOLDER FUNCTION...: tries to prove each goal of these, of each header on a core of its own. What a goal may take is
# counted in steps of $PROVER, so that a busy machine proves the same; most take 20,000, in a tenth of a second.
prove() (
    cd "$work/$1" && sed -i -f "$contracts.sed" md2.h md5.h || exit 1
    shift
    for format in md2 md5; do
        functions=$(printf '%s\n' "$@" | grep "^$format" | paste -s -d ,)
        frama-c -machdep gcc_x86_64 -kernel-warn-key inline=inactive -warn-special-float none -wp -wp-rte -wp-par 1 \
            -wp-prover "$PROVER" -wp-steps 200000 -wp-timeout 600 -wp-fct "$functions" "$contracts.c" >$format.log 2>&1 &
    done
    wait
)

# Mistakes, each of which must leave something of its function unproved: lines of "FUNCTION|FROM|TO", no two of them in
# one function. What calls a broken function is proved by its contract, and finds nothing.
mkdir -p "$work/broken" && cp md2.h md5.h "$work/broken" || exit 1
cat >"$work/mistakes" <<'END'
md2__read_u32|p + 2|p + 3
md2__check_section_range|count \* item_size;|(uint32_t)(count * item_size);
md2__read_header|4 \* i|8 * i
md2__read_texcoord|index = count - 1;|index = count;
md2__map_strip_index|return i > 0 ? length - i : 0;|return length - i;
md2__weld_vertex|latest\[point\] = vertex|latest[point] = vertex + 1
md2__find_nearest_vertex| \&\& vertex != MD2__NONE|
md2__build_skins|i \* MD2__SKIN_BYTES|(i + 1) * MD2__SKIN_BYTES
md2__convert_points_y_up|i < count|i <= count
md2__place_array|(\*total + 15) \/ 16|(*total + 8) \/ 16
md2__reserve_bytes|buffer->size >= required|buffer->size + 1 >= required
md2__trim_trailing_number|end > begin \&\& md2__is_digit|md2__is_digit
md2__trim_extension|extension - begin < 2|extension - begin < 1
md5__begin_text|last_number > loader->text|last_number >= loader->text
md5__find_token|at < loader->end|at <= loader->end
md5__is_comment_start|loader->end - at > 1|loader->end - at > 0
md5__match_word|at == loader->end|at > loader->end
md5__read_count|loader->claimed_bytes > text_bytes|loader->claimed_bytes > 2 * text_bytes
md5__parse_digits|< 100000000000000000u|< 1000000000000000000u
md5__read_integer|token >= loader|token > loader
md5__read_index|0, limit|0, (int64_t)limit + 1
md5__scale_by_ten|exponent > 22|exponent > 23
md5__read_number|token < loader|token <= loader
md5__read_tuple|i < count; ++i|i <= count; ++i
md5__check_weight_ranges|weight_end > weight_count|weight_end > (uint64_t)weight_count + 1
md5__read_base_frame|i < text->joint_count|i <= text->joint_count
END
while IFS='|' read -r name from to; do
    sed -i "/^[A-Za-z].*[ *]$name(/,/^}/s/$from/$to/" "$work/broken/${name%%__*}.h"
done <"$work/mistakes"

# All at once: what is proved and what is not does not depend on how long it takes.
mkdir -p "$work/whole" && cp md2.h md5.h "$work/whole" || exit 1
export WHY3CONFIG="$work/why3.conf"
[ -s "$WHY3CONFIG" ] || why3 config detect >"$work/why3.log" 2>&1 || cat "$work/why3.log"
prove broken $(cut -d '|' -f 1 "$work/mistakes") &
prove whole $proved
wait

for log in "$work"/whole/*.log; do
    counts=$(sed -n 's,.*Proved goals: *\([0-9]*\) */ *\([0-9]*\).*,\1 \2,p' "$log")
    goals=$((goals + ${counts#* }))
    passed=$((passed + ${counts% *}))
    if [ -z "$counts" ] || [ "${counts% *}" != "${counts#* }" ]; then
        grep -v ' : Valid' "$log"
        failed=$((failed + 1))
    fi
done
echo "proof: $(echo "$proved" | wc -l) functions have $goals goals"
if [ "$goals" -lt "$floor" ]; then
    echo "proof: at least $floor are expected"
    failed=$((failed + 1))
fi

while IFS='|' read -r name from to; do
    if grep -E "Goal typed_${name%%__*}__?${name#*__}_" "$work/broken/${name%%__*}.log" | grep -q -E 'Step limit|Timeout|Unknown'; then
        passed=$((passed + 1))
    else
        echo "proof: '$to' for '$from' in $name is not noticed"
        failed=$((failed + 1))
    fi
done <"$work/mistakes"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
