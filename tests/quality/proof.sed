# What copies of md2.h and md5.h are told for the proof, inside of their functions: how often a loop turns, and calls in
# the place of memset and memcpy over structs, of strchr and of casts from void *, which WP does not read. The rest is in proof.c.
/^static bool md2__read_header/i\
static bool md2__has_ident(const uint8_t *bytes);
/^static bool md2__read_header/,/^}/{
    s/memcmp(loader->data, "IDP2", 4) != 0/!md2__has_ident(loader->data)/
    s#^    for#/*@ loop invariant 0 <= i <= 17; loop assigns i, loader->header[0 .. 16]; loop variant 17 - i; */\n&#
}
/^static bool md2__check_sections/i\
static void md2__forget_error(md2__loader *loader);
/^static bool md2__check_sections/,/^}/{
    s#^    for#/*@ loop pragma UNROLL "completely", 5; */\n&#
    s/^        memset(&loader->context.error, 0, sizeof loader->context.error);/        md2__forget_error(loader);/
}
/^static bool md2__reserve_bytes/i\
static uint8_t *md2__alloc_bytes(md2__context *context, uint64_t size);\
static void md2__copy_bytes(uint8_t *to, const uint8_t *from, size_t size);
/^static bool md2__reserve_bytes/,/^}/{
    s/memcpy(/md2__copy_bytes(/
    s/(uint8_t \*)md2__alloc(/md2__alloc_bytes(/
}
/^static bool md2__build_strip(/i\
static uint64_t proof_strips, proof_strip_vertices;
/^static bool md2__build_strip(/,/^}/s#^    for#/*@ assert space: 2 * (model->strip_vertex_count + strip->count) <= COMMAND_COUNT \&\& COMMAND_COUNT == \\at(loader->header[MD2__NUM_COMMANDS], Pre); */\n/*@ assert vertices: 8 * (model->strip_vertex_count + strip->count) <= bytes + length * 12 - COMMANDS; */\n/*@ assert strips: 16 * model->strip_count <= bytes + length * 12 - COMMANDS; */\n/*@ loop invariant strip->count == length || (strip->count == length + 1 \&\& !keep_winding \&\& !fan \&\& length % 2 == 0); loop invariant 0 <= i <= strip->count \&\& model->strip_vertex_count == \\at(loader->model.strip_vertex_count, Pre) + i; loop assigns i, model->strip_vertex_count, loader->strip_vertices[0 .. proof_strip_vertices - 1]; loop variant strip->count - i; */\n&#
/^static void md2__build_strips(/,/^}/s#^    while#/*@ loop invariant LE(COMMANDS, bytes) \&\& LE(bytes, end) \&\& (end - bytes) % 4 == 0 \&\& FITS(bytes - COMMANDS); loop invariant COMMAND_COUNT == \\at(loader->header[MD2__NUM_COMMANDS], Pre); loop assigns bytes, STRIPS; loop variant end - bytes; */\n&#

# Welding: which branch a link is, unless it is a slot, and which level each node is on. What comparing two floats gives is
# left open.
/^static uint32_t md2__number_key/i\
static uint64_t proof_keys, proof_slots, *proof_levels;\
static uint32_t md2__pick_bit(const uint32_t key[3], uint32_t level, uint32_t bits);
/^static uint32_t md2__number_key/,/^}/{
    s#^    for#    uint32_t proof_node = MD2__NONE, proof_branch = 0, proof_level = 0;\n/*@ loop invariant link == (proof_node == MD2__NONE ? \&table->slots[slot] : \&table->nodes[proof_node].branches[proof_branch]); loop invariant proof_node == MD2__NONE ? level == 0 : (proof_node < table->count \&\& proof_branch < 2 \&\& level == proof_levels[proof_node] + 1 \&\& BELONGS(key, proof_node, proof_branch)); loop invariant level == proof_level <= 96; loop assigns link, level, proof_level, proof_node, proof_branch; */\n&#
    s#^        md2__key_node \*node#/*@ assert known: *link < table->count \&\& proof_levels[*link] == level; */\n/*@ assert alike: ALIKE(key, table->nodes[*link].key, level); */\n&#
    s#^        uint32_t bits#/*@ assert differ: level < 96; */\n&#
    s#^        link = &node->branches\[\(.*\)\];#        proof_node = *link;\n        proof_level = level + 1;\n        proof_branch = md2__pick_bit(key, level, \1);\n        link = \&node->branches[proof_branch];#
    s#^    \*link = #    proof_levels[number] = proof_level;\n&#
}
/^static void md2__build_vertex/,/^}/s#^ *memset(out.*##
/^static uint32_t md2__find_nearest_vertex/i\
static bool md2__is_above(float a, float b);
/^static uint32_t md2__find_nearest_vertex/,/^}/{
    s/distance < nearest_distance/md2__is_above(nearest_distance, distance)/
    s/!(distance > 0)/!md2__is_above(distance, 0)/
    s#^    for#/*@ loop invariant (vertex == MD2__NONE || vertex < VERTICES) \&\& nearest < VERTICES; loop invariant i <= 16; loop assigns i, vertex, nearest, nearest_distance; loop variant 16 - i; */\n&#
}

# Skins, frames and faces.
/^static void md2__build_skins/,/^}/s#^    for#/*@ loop invariant 0 <= i <= loader->model.skin_count; loop assigns i, loader->skins[0 .. loader->model.skin_count - 1]; loop variant loader->model.skin_count - i; */\n&#
/^static md2__point_bounds md2__find_point_bounds/,/^}/s#^    for#/*@ loop invariant 1 <= i <= count; loop assigns i, bounds; loop variant count - i; */\n&#
/^static void md2__convert_points_y_up/,/^}/s#^    for#/*@ loop invariant 0 <= i <= count; loop assigns i, points[0 .. count - 1]; loop variant count - i; */\n&#
/^static void md2__add_facing/i\
static int md2__multiply(int a, int b) { return a * b; }
/^static void md2__add_facing/,/^}/{
    s/(\([abc]\.. - [abc]\..\)) \* (\([abc]\.. - [abc]\..\))/md2__multiply(\1, \2)/g
    s#^    for#/*@ loop invariant 0 <= axis <= 3; loop assigns axis, volume, sum->opening[0 .. 2]; loop variant 3 - axis; */\n&#
}
/^static md2__facing md2__measure_facing/,/^}/{
    s#^    for#/*@ loop invariant 0 <= first; loop assigns first, sum; */\n&#
    s#^        for#/*@ loop invariant 0 <= i; loop assigns i, sum; */\n&#
}
/^static float md2__measure_doubt/,/^}/s#^    for#/*@ loop invariant 0 <= axis <= 3; loop assigns axis, doubt; loop variant 3 - axis; */\n&#
/^static void md2__detect_inward_facing/,/^}/s/(sum.\([a-z]*\) < \(.*\)) {/(md2__is_above(\2, sum.\1)) {/
/^static void md2__negate_normals/i\
static uint64_t proof_points;\
static size_t md2__count_points(const md2_model *model);
/^static void md2__negate_normals/,/^}/{
    s/(size_t)model->point_count \* model->frame_count/md2__count_points(model)/
    s#^    for#/*@ loop invariant 0 <= i <= count; loop assigns i, points[0 .. count - 1].normal; loop variant count - i; */\n&#
}
/^static void md2__read_frame_header/,/^}/s#^    for#/*@ loop invariant 0 <= axis <= 3; loop assigns axis, frame->scale[0 .. 2], frame->translate[0 .. 2]; loop variant 3 - axis; */\n&#
/^static bool md2__build_frame/i\
static const md2_point *md2__points_at(const uint8_t *bytes, uint32_t count);\
static void md2__copy_points(md2_point *to, const md2_point *from, uint32_t count);\
static void md2__clear_frame(md2_frame *frame);\
static md2_point md2__convert_point(md2_point point);\
static bool md2__decode_bounds(md2__point_bounds stored, md2_frame *frame);
/^static bool md2__build_frame/,/^}/{
    s/(const md2_point \*)(bytes + MD2__FRAME_POINTS_OFFSET)/md2__points_at(bytes + MD2__FRAME_POINTS_OFFSET, model->point_count)/
    s#^    size_t  *offset#/*@ assert grows: (index + 1) * FRAME_BYTES <= loader->header[MD2__NUM_FRAMES] * FRAME_BYTES; */\n/*@ assert next: (index + 1) * FRAME_BYTES == index * FRAME_BYTES + FRAME_BYTES; */\n&#
    s/md2__convert_points_y_up(loader, &bounds.\([a-z]*\), 1)/bounds.\1 = md2__convert_point(bounds.\1)/
    s/md2__decode_frame_bounds(&bounds/md2__decode_bounds(bounds/
    s/memset(frame, 0, sizeof \*frame)/md2__clear_frame(frame)/
    s/memcpy(points, stored, model->point_count \* sizeof \*points)/md2__copy_points(points, stored, model->point_count)/
}
/^static float md2__compute_frame_radius/,/^}/{
    /float extent/,/^    for/s#^    for#/*@ loop invariant 0 <= axis <= 3; loop assigns axis, extent[0 .. 2], max_extent; loop variant 3 - axis; */\n&#
    /float sum/,/^    for/s#^    for#/*@ loop invariant 0 <= axis <= 3; loop assigns axis, sum; loop variant 3 - axis; */\n&#
}
/^static void md2__compute_model_bounds/,/^}/{
    s#^    for#/*@ loop invariant 0 <= i <= model->frame_count; loop assigns i, model->min[0 .. 2], model->max[0 .. 2]; loop variant model->frame_count - i; */\n&#
    s#^        for#/*@ loop invariant 0 <= axis <= 3; loop assigns axis, model->min[0 .. 2], model->max[0 .. 2]; loop variant 3 - axis; */\n&#
}

# The names of frames.
/md2__find_name_length(const/,/^}/s#^    while#/*@ loop invariant length <= size; loop assigns length; loop variant size - length; */\n&#
/md2__trim_trailing_letters(const/,/^}/s#^    while#/*@ loop invariant LE(begin, letters) \&\& LE(letters, end); loop assigns letters; loop variant letters - begin; */\n&#
/md2__trim_trailing_capitals(const/,/^}/s#^    while#/*@ loop invariant LE(begin, capitals) \&\& LE(capitals, end); loop assigns capitals; loop variant capitals - begin; */\n&#
/md2__trim_trailing_number(const/,/^}/{
    s#^    for#/*@ TRIM(begin, \\at(end, Pre)) loop assigns end, place_value, *number; loop variant end - begin; */\n&#
    s#^    while#/*@ TRIM(begin, \\at(end, Pre)) loop assigns end; loop variant end - begin; */\n&#
}
/md2__parse_frame_name(const/,/^}/{
    s#^    while (begin#/*@ loop invariant LE(text, begin) \&\& LE(begin, end); loop assigns begin; loop variant end - begin; */\n&#
    s#^    while (end#/*@ TRIM(begin, text + length) loop assigns end; loop variant end - begin; */\n&#
}
/md2__skip_leading_number(const/,/^}/s#^    while#/*@ loop invariant LE(begin, rest) \&\& LE(rest, end); loop assigns rest; loop variant end - rest; */\n&#

# The loops of the token reader: `at` walks up to the end of the text. The readers of numbers do not know that end.
/^static void md5__begin_text/i\
static const char *proof_end;\
static bool md5__is_blank(char c) { return (uint8_t)c <= ' '; }\
static const char *md5__literal(const char *word);\
static int md5__compare_bytes(const char *a, const char *b, size_t size);
/^static void md5__begin_text/,/^}/s#^    while#/*@ loop invariant LE(loader->text, loader->end) \&\& LE(loader->end, (char *)text + size); loop assigns loader->end; loop variant loader->end - loader->text; */\n&#
/^static void md5__begin_text/,/^\/\* -- Quaternions/{
    s/memcmp(at/md5__compare_bytes(at/
    s/(uint8_t)\*at <= ' '/md5__is_blank(*at)/
}
/md5__skip_blanks(const/,/^}/s#^        while#/*@ BELOW(\\at(at, Pre), loader->end, at) */\n&#
/md5__skip_comment(const/,/^}/s#^    for#/*@ WITHIN(\\at(at, Pre) + 2, loader->end, at) */\n&#
/md5__find_token(const/,/^}/s#^    while#/*@ loop invariant at == loader->end || !BLANK(*at); WITHIN(\\at(at, Pre), loader->end, at) */\n&#
/md5__find_word_end(const/,/^}/s#^    while#/*@ WITHIN(\\at(at, Pre), loader->end, at) */\n&#
/md5__match_word(const/,/^}/s#^    for#/*@ loop invariant 0 <= word - \\at(word, Pre) <= strlen(\\at(word, Pre)) \&\& at - \\at(at, Pre) == word - \\at(word, Pre); loop invariant strlen(word) == strlen(\\at(word, Pre)) - (word - \\at(word, Pre)); loop invariant \\base_addr(word) == \\base_addr(\\at(word, Pre)); WITHIN(\\at(at, Pre), loader->end, at, word) */\n&#
/md5__read_string(md5__loader/,/^}/s#^    while#/*@ WITHIN(first, loader->end, at) */\n&#
/md5__read_integer(md5__loader/,/^}/s#^    for#/*@ loop invariant 0 <= value <= MOST_DIGITS; BELOW(first_digit, loader->end, at, value) */\n&#
/md5__read_index(md5__loader/,/^}/s#^        for#/*@ BELOW(token, loader->end, at, index) */\n&#
/md5__scale_by_ten(uint64_t/,/^}/s#^    while#/*@ loop invariant -63 <= exponent <= 22; loop assigns exponent, value; loop variant -exponent; */\n&#
/md5__parse_number(const/,/^}/{
    s#^    for#/*@ loop invariant \\at(at, Pre) - at <= exponent <= at - \\at(at, Pre); loop invariant has_digits ==> LT(\\at(at, Pre), at); BELOW(\\at(at, Pre), proof_end, at, has_point, has_digits, digits, exponent) */\n&#
    s#^        for#/*@ loop invariant 0 <= written <= MOST_DIGITS; BELOW(\\at(at, Pre) + 1, proof_end, at, written) */\n&#
}
/md5__parse_number_fast(const/,/^}/{
    s#^    for#/*@ BELOW(first, proof_end, at, digits) */\n&#
    s#^        for#/*@ BELOW(point + 1, proof_end, at, digits) */\n&#
}
/md5__read_tuple(md5__loader/,/^}/s#^    for#/*@ PASSED loop invariant 0 <= i <= count; loop assigns at, i, out[0 .. count - 1], loader->text_error; loop variant count - i; */\n&#
/md5__read_triple(md5__loader/,/^}/s#^    for#/*@ PASSED loop invariant 0 <= i <= 3; loop assigns at, i, out[0 .. 2], loader->text_error; loop variant 3 - i; */\n&#
/md5__skip_item(md5__loader/,/^}/s#^    do #/*@ loop invariant LE(loader->text, at) \&\& LE(at, loader->end); loop assigns at, depth, loader->text_error; */\n&#

# What is filled from the tokens.
/md5__skip_tuples(md5__loader/,/^}/s#^    while#/*@ PASSED loop assigns at, is_inside, loader->text_error; */\n&#
/md5__read_triangle(md5__loader/,/^}/s#^    for#/*@ loop pragma UNROLL "completely", 4; */\n&#
/^static const char \*md5__read_list/i\
static md5__vertex_text proof_vertex;\
static uint32_t proof_triangle[3];\
static md5_weight proof_weight;\
static uint8_t *proof_lists;\
static uint64_t proof_room;\
static void md5__fill_bytes(uint8_t *bytes, size_t count, size_t size);\
static bool md5__is_missing(const uint8_t *item, size_t size);\
static md5__vertex_text *md5__vertex_at(uint8_t *item);\
static uint32_t *md5__triangle_at(uint8_t *item);\
static md5_weight *md5__weight_at(uint8_t *item);
/md5__read_list(md5__loader/,/^}/{
    s/at, \("[a-z]*"\))/at, md5__literal(\1))/
    s#^    memset#/*@ assert table: item_bytes == (kind == 0 ? 16 : kind == 1 ? 12 : 20) \&\& md5__lists[kind].text_bytes == (kind == 0 ? 15 : kind == 1 ? 12 : 19); */\n/*@ assert vertices: kind == 0 ==> count * item_bytes == count * 16 \&\& count * md5__lists[kind].text_bytes == count * 15; */\n/*@ assert triangles: kind == 1 ==> count * item_bytes == count * 12 \&\& count * md5__lists[kind].text_bytes == count * 12; */\n/*@ assert weights: kind == 2 ==> count * item_bytes == count * 20 \&\& count * md5__lists[kind].text_bytes == count * 19; */\n/*@ assert room: items - proof_lists + count * item_bytes <= proof_room; */\n/*@ assert sum: 8 * (items - proof_lists + count * item_bytes) <= 9 * loader->claimed_bytes; */\n&#
    s#^        void \*item =#/*@ assert slot: index < count \&\& index * item_bytes + item_bytes <= count * item_bytes; */\n        uint8_t *item =#
    s/memset(items, 0xff, (size_t)count \* item_bytes)/md5__fill_bytes(items, count, item_bytes)/
    s/\*(uint32_t \*)item != MD5__NONE/!md5__is_missing(item, item_bytes)/
    s/(md5__vertex_text \*)item/md5__vertex_at(item)/
    s/(uint32_t \*)item/md5__triangle_at(item)/
    s/(md5_weight \*)item/md5__weight_at(item)/
    s#^    for#/*@ PASSED loop invariant at != \\null \&\& 0 <= i <= count; loop invariant items - proof_lists + count * item_bytes <= proof_room; loop invariant 8 * (items - proof_lists + count * item_bytes) <= 9 * loader->claimed_bytes; loop assigns at, i, loader->text_error, proof_vertex, proof_triangle[0 .. 2], proof_weight; loop variant count - i; */\n&#
}
/^static const char \*md5__check_weight_ranges/i\
static const md5__vertex_text *proof_vertices;\
static const md5__vertex_text *md5__vertices_of(const md5__mesh_text *mesh);
/md5__check_weight_ranges(md5__loader/,/^}/{
    s/(const md5__vertex_text \*)mesh->lists\[MD5__VERTICES\]/md5__vertices_of(mesh)/
    s#^    for#/*@ loop invariant 0 <= i <= mesh->counts[0] \&\& RANGED(i); loop assigns i, mesh->influence_count; loop variant mesh->counts[0] - i; */\n&#
}
/^static const char \*md5__skip_unknown_item/i\
static const char *md5__foreign_keyword(size_t index);
/md5__skip_unknown_item(md5__loader/,/^}/{
    s/md5__foreign_keywords\[i\].keyword/md5__foreign_keyword(i)/
    s#^    for#/*@ loop invariant 0 <= i <= 7; loop assigns i; loop variant 7 - i; */\n&#
}
/md5__read_base_frame(md5__loader/,/^}/s#^    for#/*@ PASSED loop invariant 0 <= i <= text->joint_count; loop assigns at, i, loader->text_error, text->base[0 .. 6 * text->joint_count - 1]; loop variant text->joint_count - i; */\n&#
