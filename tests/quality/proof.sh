#!/bin/sh
# Has Frama-C's WP prove what tests/quality/proof.c says of the headers, for every input there is; then makes mistakes
# in copies of the headers, each of which must leave something of its function unproved.
#
#   proof.sh FOLDER FLOOR      where to work; how many goals there are at least
#   proof.sh FOLDER names      looks in a second, without Frama-C, whether the headers still have what the proof is about:
#                              the names, the lines that proof.sed changes and those in which mistakes are made
work=$1 floor=$2
contracts=$PWD/tests/quality/proof
passed=0 failed=0 all=0
mkdir -p "$work/broken" || exit 1

# missing FILE WHAT: each line of the file is something that is not there.
missing() {
    sed "s/^/proof: $2: /" "$1"
    failed=$((failed + $(wc -l <"$1")))
}

# Names that neither a header nor proof.sed declares. Commands of proof.sed that change nothing: each writes the lines
# that it changes into a file of its own, which stays empty then.
private='\<[Mm][Dd][25]__*[A-Za-z0-9_]*'
{ cat md2.h md5.h; grep '^static' "$contracts.sed"; } | grep -o "$private" | sort -u >"$work/known"
cat "$contracts.c" "$contracts.sed" "$contracts.sh" | grep -o "$private" | sort -u >"$work/named"
comm -23 "$work/named" "$work/known" >"$work/unknown"
missing "$work/unknown" 'no header has'

rm -rf "$work/changed"
mkdir "$work/changed"
awk -v folder="$work/changed" '/^ *s[#\/]/ || /\/s[#\/]/ { $0 = $0 "w " folder "/" NR } { print }' "$contracts.sed" >"$work/noting.sed"
sed -n -f "$work/noting.sed" md2.h md5.h >/dev/null || failed=$((failed + 1))
find "$work/changed" -empty -exec basename {} ';' | sort -n >"$work/idle"
missing "$work/idle" 'changes nothing: line of proof.sed'
passed=$((passed + $(wc -l <"$work/named") + $(find "$work/changed" -type f | wc -l)))

# prove NAME SECONDS PROVERS FUNCTIONS [OPTION]...: a report about the headers in a folder of that name, where a goal gets
# so many seconds of each prover.
prove() (
    cd "$work/$1" && sed -i -f "$contracts.sed" md2.h md5.h || exit 1
    seconds=$2 provers=$3 functions=$4
    shift 4
    frama-c -machdep gcc_x86_64 -kernel-warn-key inline=inactive -warn-special-float none -inline-calls md2__read_u16 \
        -wp -wp-rte -wp-par 2 -wp-prover "$provers" -wp-timeout "$seconds" ${functions:+-wp-fct "$functions"} "$@" \
        "$contracts.c" >log 2>&1
)

# all_of NAME PROVERS FUNCTIONS [OPTION]...: tries to prove each goal of these; judge NAME looks whether it could.
all_of() {
    mkdir -p "$work/$1" && cp md2.h md5.h "$work/$1" || exit 1
    name=$1
    shift
    prove "$name" 300 "$@"
}
judge() {
    counts=$(sed -n 's,.*Proved goals: *\([0-9]*\) */ *\([0-9]*\).*,\1 \2,p' "$work/$1/log")
    all=$((all + ${counts#* }))
    if [ -n "$counts" ] && [ "${counts% *}" = "${counts#* }" ]; then
        passed=$((passed + ${counts% *}))
        echo "proof: ${counts% *} goals proved about $1"
    else
        grep -v ' : Valid' "$work/$1/log"
        echo "proof: ${counts% *} of ${counts#* } goals are proved about $1"
        failed=$((failed + 1))
    fi
}

ranges=md2__read_u16,md2__read_u32,md2__check_count,md2__check_section_range,md2__check_frames,md2__check_sections
names=md2__find_name_length,md2__has_lwo_extension,md2__trim_trailing_letters,md2__trim_trailing_capitals
names=$names,md2__trim_trailing_number,md2__skip_leading_number,md2__parse_frame_name
welding=md2__number_key,md2__build_vertex,md2__weld_vertex,md2__find_nearest_vertex
tokens=md5__is_digit,md5__is_number_char,md5__is_blank,md5__digit_of,md5__skip_blanks,md5__is_comment_start
tokens=$tokens,md5__skip_comment,md5__find_token,md5__has_char,md5__is_word_end,md5__find_word_end,md5__read_symbol,md5__read_string,md5__skip_item
tokens=$tokens,md5__match_word,md5__accept_word,md5__read_keyword,md5__read_count
numbers=md5__read_integer,md5__read_index_slow,md5__read_index,md5__scale_by_ten,md5__parse_number,md5__parse_number_fast
numbers=$numbers,md5__read_number_slow,md5__read_number,md5__read_float,md5__read_tuple,md5__read_triple
fills=md2__build_strip,md2__build_strips,md5__convert_axes,md5__read_parent_index,md5__read_joint_line
fills=$fills,md5__skip_tuples,md5__read_vertex,md5__read_triangle,md5__read_weight,md5__read_list,md5__read_base_frame
fills=$fills,md5__check_weight_ranges,md5__skip_unknown_item
frames=md2__read_header,md2__find_section,md2__build_skins,md2__find_point_bounds,md2__convert_points_y_up,md2__read_frame_header
frames=$frames,md2__build_frame,md2__convert_face_normal,md2__compute_frame_radius,md2__compute_model_bounds
frames=$frames,md2__multiply,md2__add_facing,md2__measure_facing,md2__measure_doubt,md2__detect_inward_facing,md2__negate_normals
# CVC4 is quick, but Z3 alone knows bits, remainders and some of the loops over frames.
bits=md2__decode_texcoord,md2__place_array,md5__place_array
prove_all() {
    export WHY3CONFIG="$work/why3.conf"
    [ -s "$WHY3CONFIG" ] || why3 config detect >"$work/why3.log" 2>&1 || cat "$work/why3.log"
    {
        all_of lemmas cvc4 '' -wp-prop=@lemma
        all_of bits z3,cvc4 "$bits" -wp-split
        all_of ranges cvc4 "$ranges,$welding,md2__read_texcoord,md2__map_strip_index" -wp-split
        all_of tokens z3,cvc4 "$tokens,$numbers,md5__begin_text"
    } &
    all_of frames z3,cvc4 "$frames"
    all_of names cvc4 "$names,md2__reserve_bytes"
    all_of fills z3,cvc4 "$fills"
    wait
    for group in lemmas bits ranges tokens frames names fills; do judge $group; done
    if [ "$all" -lt "$floor" ]; then
        echo "proof: only $all goals, at least $floor are expected"
        failed=$((failed + 1))
    fi
}
[ "$floor" = names ] || prove_all

# broken SECONDS [OPTION]: a round of mistakes, lines of "FUNCTION|FROM|TO", no two of them in one function or in one
# that another calls. The functions are proved in that time when there is no mistake in them.
broken() {
    cp md2.h md5.h "$work/broken/" || exit 1
    cat >"$work/mistakes"
    while IFS='|' read -r name from to; do
        sed -n "/^[A-Za-z].*[ *]$name(/,/^}/s/$from/$to/p" "${name%%__*}.h" | grep -q . || echo "'$from' in $name"
    done <"$work/mistakes" >"$work/harmless"
    missing "$work/harmless" 'there is nothing to break'
    [ "$floor" = names ] && return
    while IFS='|' read -r name from to; do
        sed -i "/^[A-Za-z].*[ *]$name(/,/^}/s/$from/$to/" "$work/broken/${name%%__*}.h"
    done <"$work/mistakes"
    seconds=$1
    shift
    prove broken "$seconds" z3,cvc4 "$(cut -d '|' -f 1 "$work/mistakes" | paste -s -d ,)" "$@"
    while IFS='|' read -r name from to; do
        if grep -E "Goal typed_${name%%__*}__?${name#*__}_" "$work/broken/log" | grep -q -E 'Failed|Timeout|Unknown'; then
            passed=$((passed + 1))
        else
            echo "proof: '$to' for '$from' in $name is not noticed"
            failed=$((failed + 1))
        fi
    done <"$work/mistakes"
}

broken 3 <<'END'
md2__read_u16|<< 8|<< 9
md2__check_section_range|end > loader->size|end > loader->size + 1
md2__check_frames|frame_size < MD2__FRAME_POINTS_OFFSET + points|frame_size < points
md2__read_texcoord|index = count - 1;|index = count;
md2__find_nearest_vertex| \&\& vertex != MD2__NONE|
md2__build_vertex|(uint16_t)point|(uint16_t)(point + 1)
md2__map_strip_index|return i > 0 ? length - i : 0;|return length - i;
md2__place_array|(\*total + 15) \/ 16|(*total + 8) \/ 16
md2__reserve_bytes|buffer->size >= required|buffer->size + 1 >= required
md2__find_name_length|length < size|length <= size
md2__trim_trailing_letters|letters > begin \&\& end|end
md2__has_lwo_extension|end - begin > 4|end - begin > 2
md2__skip_leading_number|rest < end \&\& (|(
md2__build_skins|i \* MD2__SKIN_BYTES|(i + 1) * MD2__SKIN_BYTES
md2__find_point_bounds|points\[0\]|points[count]
md2__convert_points_y_up|i < count|i <= count
md2__add_facing|indices\[2\]|indices[3]
md2__compute_frame_radius|extent\[3\]|extent[2]
md2__compute_model_bounds|i < model->frame_count|i <= model->frame_count
md5__is_number_char|c == '-'|c == '_'
md5__skip_blanks|at < loader->end|at <= loader->end
md5__skip_comment|at < loader->end; ++at|at <= loader->end; ++at
md5__is_word_end|at == loader->end|at > loader->end
md5__read_string|at < loader->end \&\& \*at|*at
md5__read_integer|(int64_t)1 << 56|(int64_t)1 << 60
md5__scale_by_ten|exponent > 22|exponent > 23
md5__parse_number_fast|digit_count > 18|digit_count > 28
md5__read_vertex|MD5__MAX_INFLUENCES + 1|MD5__MAX_INFLUENCES + 2
md5__read_triangle|out\[k\]|out[k + 1]
md5__read_weight|at, joint_count|at, joint_count + 1
md5__check_weight_ranges|(uint64_t)vertices|(uint32_t)vertices
md5__skip_unknown_item|i < sizeof md5__foreign_keywords|i <= sizeof md5__foreign_keywords
END
broken 3 <<'END'
md2__read_u32|md2__read_u16(p + 2) << 16|md2__read_u16(p + 1) << 16
md2__check_section_range|uint64_t end = offset + count \* item_size;|uint64_t end = offset + (uint32_t)(count * item_size);
md2__trim_trailing_number|end > begin \&\& md2__is_digit|md2__is_digit
md2__parse_frame_name|end - number_end == 1|end - number_end <= 1
md2__read_header|4 \* i|8 * i
md2__measure_facing|i < triangle_count|i <= triangle_count
md2__negate_normals|i < count|i <= count
md5__begin_text|md5__is_number_char(loader->end\[-1\])|md5__is_digit(loader->end[-1])
md5__is_comment_start|loader->end - at > 1|loader->end - at > 0
md5__find_word_end|!md5__is_word_end(loader, at)|*at != ' '
md5__read_index|index < limit|index <= limit
md5__parse_number|(int64_t)1 << 56|(int64_t)1 << 62
md5__read_tuple|i < count; ++i|i <= count; ++i
md5__match_word|at == loader->end|at > loader->end
md5__read_count|loader->claimed_bytes > text_bytes|loader->claimed_bytes > 2 * text_bytes
md5__read_parent_index|-1, joint|-1, joint + 1
END
broken 3 <<'END'
md2__check_section_range|offset > INT32_MAX) {|offset > UINT32_MAX) {
md2__build_strips|(end - bytes) \/ MD2__STRIP_VERTEX_BYTES|(end - bytes) \/ MD2__COMMAND_BYTES
md5__read_list|items + (size_t)index|items + (size_t)(index + 1)
md5__read_base_frame|i < text->joint_count|i <= text->joint_count
END
broken 20 <<'END'
md2__build_strip|length % 2 == 0|length % 2
md2__read_frame_header|bytes + 12|bytes + 100
md2__weld_vertex|latest\[point\] = vertex|latest[point] = vertex + 1
END
broken 20 <<'END'
md2__build_frame|offset = loader->header|offset = 4 + loader->header
END
broken 60 -wp-split <<'END'
md2__number_key|\*link = number;|*link = number + 1;
END
if [ "$floor" = names ]; then
    echo "proof: looked for all that it names"
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
    exit
fi

# share HEADER FROM TO WHAT: how many lines the proved functions have, of those between two headlines.
proved=$ranges,$welding,$frames,md2__read_texcoord,md2__map_strip_index,$names,$tokens,$numbers,$fills
proved=$proved,$bits,md2__reserve_bytes,md5__begin_text
share() {
    awk -v from="$2" -v to="$3" -v what="$4" -v proved=",$proved," '
        index($0, "/* -- " from " -") { inside = 1 }
        index($0, "/* -- " to " -") { inside = 0 }
        match($0, /md[25]__?[a-z0-9_]*\(/) && /^[A-Za-z]/ { name = substr($0, RSTART, RLENGTH - 1) }
        /^{/ { body = 1 }
        body && inside { ++all; some += index(proved, "," name ",") > 0 }
        /^}/ { body = 0 }
        END { printf "proved: %d of the %d lines of %s\n", some, all, what }' "$1"
}
share md2.h 'Loading: the file and its ranges' 'Loading: memory, reader, file' 'loading an MD2'
share md5.h Tokens 'Quaternions and transforms' "reading an MD5's tokens"
share md5.h 'Loading: the text' 'Loading: building the model' "reading a model's text"
share md5.h 'Loading: the text of an animation' 'Loading: building the animation' "reading an animation's text"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
