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
    /^    for (; section->count_field/i\
    /*@ loop pragma UNROLL "completely", 5; */
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

# Welding: which branch a link is, unless it is a root. What comparing two floats gives is left open.
/^static void md2__build_vertex/,/^}/{/memset(out/d;}
/^static uint32_t md2__weld_vertex/,/^}/{
    s#^    for#//@ ghost uint32_t proof_node = 0, proof_branch = 0;\n/*@ loop invariant link == (proof_node ? \&loader->nodes[proof_node].branches[proof_branch] : \&loader->roots[point]); loop invariant proof_node <= VERTICES \&\& proof_branch < 4 \&\& (proof_node == 0 || loader->roots[point] != 0); loop assigns link, bits, node, proof_node, proof_branch; */\n&#
    s#^        link = .*#//@ ghost proof_node = *link;\n//@ ghost proof_branch = bits >> 30;\n&#
    s/memset(node, 0, sizeof \*node)/node->next = node->branches[0] = node->branches[1] = node->branches[2] = node->branches[3] = 0/
}
/^static uint32_t md2__find_nearest_vertex/i\
static bool md2__is_above(float a, float b);
/^static uint32_t md2__find_nearest_vertex/,/^}/{
    s/distance < best_distance/md2__is_above(best_distance, distance)/
    s/best_distance > 0/md2__is_above(best_distance, 0)/
    s#^    do#/*@ loop invariant 1 <= newest <= VERTICES \&\& 1 <= number <= VERTICES \&\& 1 <= best <= VERTICES; loop assigns number, best, visited, best_distance; */\n&#
}

# Skins, frames and faces.
/^static void md2__build_skins/,/^}/s#^    for#/*@ loop invariant 0 <= i <= loader->model.skin_count; loop assigns i, loader->skins[0 .. loader->model.skin_count - 1]; loop variant loader->model.skin_count - i; */\n&#
/^static md2__point_bounds md2__find_point_bounds/,/^}/s#^    for#/*@ loop invariant 1 <= i <= count; loop assigns i, bounds; loop variant count - i; */\n&#
/^static void md2__convert_points_y_up/,/^}/s#^    for#/*@ loop invariant 0 <= i <= count; loop assigns i, points[0 .. count - 1]; loop variant count - i; */\n&#
/^static void md2__add_facing/i\
static int md2__multiply(int a, int b) { return a * b; }
/^static void md2__add_facing/,/^}/{
    s/(\([abc]\.. - [abc]\..\)) \* (\([abc]\.. - [abc]\..\))/md2__multiply(\1, \2)/g
    s#^    for#/*@ loop invariant 0 <= k <= 3; loop assigns k, height; loop variant 3 - k; */\n&#
}
/^static void md2__repair_facing/i\
static uint64_t proof_points;\
static size_t md2__count_points(const md2_model *model);
/^static void md2__repair_facing/,/^}/{
    s/(sum.\([a-z]*\) < \(.*\)) {/(md2__is_above(\2, sum.\1)) {/
    s/(size_t)model->point_count \* model->frame_count/md2__count_points(model)/
    s#^    for#/*@ loop invariant 0 <= first; loop assigns first, i, sum; */\n&#
    s#^        for (i = f#/*@ loop invariant 0 <= i; loop assigns i, sum; */\n&#
    s#^        for (i = 0#/*@ loop invariant 0 <= i \&\& (points == \\null || i <= count); loop assigns i, points[0 .. count - 1].normal; */\n&#
}
/^static bool md2__build_frame/i\
static const md2_point *md2__points_at(const uint8_t *bytes, uint32_t count);\
static void md2__copy_points(md2_point *to, const md2_point *from, uint32_t count);\
static void md2__clear_frame(md2_frame *frame);\
static md2_point md2__convert_point(md2_point point);\
static bool md2__decode_bounds(md2__point_bounds stored, md2_frame *frame);
/^static bool md2__build_frame/,/^}/{
    s/(const md2_point \*)(bytes + MD2__FRAME_POINTS_OFFSET)/md2__points_at(bytes + MD2__FRAME_POINTS_OFFSET, model->point_count)/
    s#^    size_t            offset#/*@ assert grows: (index + 1) * frame_size <= loader->header[MD2__NUM_FRAMES] * frame_size; */\n/*@ assert next: (index + 1) * frame_size == index * frame_size + frame_size; */\n&#
    s/md2__convert_points_y_up(loader, &bounds.\([a-z]*\), 1)/bounds.\1 = md2__convert_point(bounds.\1)/
    s/md2__decode_frame_bounds(&bounds/md2__decode_bounds(bounds/
    s/memset(frame, 0, sizeof \*frame)/md2__clear_frame(frame)/
    s/memcpy(points, stored, model->point_count \* sizeof \*points)/md2__copy_points(points, stored, model->point_count)/
    s#^    for#/*@ loop invariant 0 <= axis <= 3; loop assigns axis, frame->scale[0 .. 2], frame->translate[0 .. 2]; loop variant 3 - axis; */\n&#
}
/^static float md2__compute_frame_radius/,/^}/s#^    for#/*@ loop invariant 0 <= axis <= 3; loop assigns axis, extent[0 .. 2], max_extent, sum; loop variant 3 - axis; */\n&#
/^static void md2__compute_model_bounds/,/^}/{
    s#^    for#/*@ loop invariant 0 <= i <= model->frame_count; loop assigns i, axis, model->min[0 .. 2], model->max[0 .. 2]; loop variant model->frame_count - i; */\n&#
    s#^        for#/*@ loop invariant 0 <= axis <= 3; loop assigns axis, model->min[0 .. 2], model->max[0 .. 2]; loop variant 3 - axis; */\n&#
}

# The names of frames.
/md2__find_name_length(const/,/^}/s#^    for#/*@ loop invariant length <= size; loop assigns length; loop variant size - length; */\n&#
/md2__trim_trailing_letters(const/,/^}/s#^    while#/*@ loop invariant LE(begin, remark) \&\& LE(remark, end); loop assigns remark; loop variant remark - begin; */\n&#
/md2__trim_trailing_number(const/,/^}/{
    s#^    for#/*@ TRIM(begin, \\at(end, Pre)) loop assigns end, place_value, *number; loop variant end - begin; */\n&#
    s#^    while#/*@ TRIM(begin, \\at(end, Pre)) loop assigns end; loop variant end - begin; */\n&#
}
/md2__parse_frame_name(const/,/^}/{
    s#^    while (begin#/*@ loop invariant LE(text, begin) \&\& LE(begin, end); loop assigns begin; loop variant end - begin; */\n&#
    s#^    while (end#/*@ TRIM(begin, text + length) loop assigns end; loop variant end - begin; */\n&#
    s#^    while (text#/*@ loop invariant LE(begin, text) \&\& LE(text, end); loop assigns text; loop variant end - text; */\n&#
}

# The loops of the token reader: `at` walks up to the end of the text. The readers of numbers do not know that end.
/^static void md5__set_input/i\
static const char *proof_end;\
static bool md5__is_blank(char c) { return (uint8_t)c <= ' '; }\
static uint32_t md5__digit_of(char c) { return (uint32_t)c - '0'; }\
static void md5__set_sign(float *out, uint32_t negative);\
static bool md5__is_number_char(char c);\
static const char *md5__literal(const char *word);\
static int md5__compare_bytes(const char *a, const char *b, size_t size);
/^static void md5__set_input/,/^}/{
    s/strchr("+-.eE", loader->end\[-1\])/md5__is_number_char(loader->end[-1])/
    s#^    while#/*@ loop invariant LE(loader->text, loader->end) \&\& LE(loader->end, (char *)text + size); loop assigns loader->end; loop variant loader->end - loader->text; */\n&#
}
/^static void md5__set_input/,/^\/\* -- Quaternions/{
    s/memcmp(at/md5__compare_bytes(at/
    s/(uint8_t)\*at <= ' '/md5__is_blank(*at)/
    s/(uint32_t)\(\*[+]*at\) - '0'/md5__digit_of(\1)/
}
/md5__skip_blanks(const/,/^}/s#^        while#/*@ BELOW(\\at(at, Pre), loader->end, at) */\n&#
/md5__skip_comment(const/,/^}/s#^    for#/*@ WITHIN(\\at(at, Pre) + 2, loader->end, at) */\n&#
/md5__find_token(const/,/^}/s#^    while#/*@ loop invariant at == loader->end || !BLANK(*at); WITHIN(\\at(at, Pre), loader->end, at) */\n&#
/md5__find_word_end(const/,/^}/s#^    while#/*@ WITHIN(\\at(at, Pre), loader->end, at) */\n&#
/md5__match_word(const/,/^}/s#^    for#/*@ loop invariant 0 <= word - \\at(word, Pre) <= strlen(\\at(word, Pre)) \&\& at - \\at(at, Pre) == word - \\at(word, Pre); loop invariant strlen(word) == strlen(\\at(word, Pre)) - (word - \\at(word, Pre)); loop invariant \\base_addr(word) == \\base_addr(\\at(word, Pre)); WITHIN(\\at(at, Pre), loader->end, at, word) */\n&#
/md5__read_string(md5__loader/,/^}/s#^    for#/*@ WITHIN(out->text, loader->end, at) */\n&#
/md5__read_integer(md5__loader/,/^}/s#^        for#/*@ loop invariant 0 <= value <= MOST_DIGITS; BELOW(first_digit, loader->end, at, value) */\n&#
/md5__read_index(md5__loader/,/^}/s#^        for#/*@ BELOW(token, loader->end, at, index, digit) */\n&#
/md5__scale_by_ten(uint64_t/,/^}/s#^    for#/*@ loop invariant -63 <= exponent <= 22; loop assigns exponent, value; loop variant -exponent; */\n&#
/md5__parse_float(const/,/^}/{
    s/(\*at | 0x20) == 'e'/(*at == 'e' || *at == 'E')/
    s#^    for#/*@ loop invariant \\at(at, Pre) - at <= exponent <= at - \\at(at, Pre); loop invariant has_digits ==> LT(\\at(at, Pre), at); BELOW(\\at(at, Pre), proof_end, at, has_point, has_digits, is_kept, digits, exponent) */\n&#
    s#^        for#/*@ loop invariant 0 <= written <= MOST_DIGITS; BELOW(\\at(at, Pre) + 1, proof_end, at, written) */\n&#
}
/md5__parse_float_fast(const/,/^}/{
    s#^    for#/*@ BELOW(first, proof_end, at, digit, mantissa) */\n&#
    s#^        while#/*@ loop invariant !ENDS(*at); BELOW(point, proof_end, at, digit, mantissa) */\n&#
    /memcpy(&bits, out/d
    /bits |= negative/d
    s/memcpy(out, &bits, sizeof bits)/md5__set_sign(out, negative)/
}
/md5__read_tuple(md5__loader/,/^}/s#^    for#/*@ PASSED loop invariant 0 <= i <= count; loop assigns at, i, out[0 .. count - 1], loader->text_error; loop variant count - i; */\n&#
/md5__skip_item(md5__loader/,/^}/s#^    do #/*@ loop invariant LE(loader->text, at) \&\& LE(at, loader->end); loop assigns at, depth, string, loader->text_error; */\n&#

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
    s#^    memset#/*@ assert table: item_bytes == (kind == 0 ? 16 : kind == 1 ? 12 : 20) \&\& md5__lists[kind].text_bytes == (kind == 0 ? 15 : kind == 1 ? 12 : 19); */\n/*@ assert vertices: kind == 0 ==> count * item_bytes == count * 16 \&\& count * md5__lists[kind].text_bytes == count * 15; */\n/*@ assert triangles: kind == 1 ==> count * item_bytes == count * 12 \&\& count * md5__lists[kind].text_bytes == count * 12; */\n/*@ assert weights: kind == 2 ==> count * item_bytes == count * 20 \&\& count * md5__lists[kind].text_bytes == count * 19; */\n/*@ assert room: at != \\null ==> items - proof_lists + count * item_bytes <= proof_room; */\n/*@ assert sum: at != \\null ==> 8 * (items - proof_lists + count * item_bytes) <= 9 * loader->claimed_bytes; */\n&#
    s#^        item =#/*@ assert slot: index < count \&\& index * item_bytes + item_bytes <= count * item_bytes; */\n&#
    s/memset(items, 0xff, at ? (size_t)count \* item_bytes : 0)/md5__fill_bytes(items, at ? count : 0, item_bytes)/
    s/void \*item;/uint8_t *item;/
    s/\*(uint32_t \*)item != UINT32_MAX/!md5__is_missing(item, item_bytes)/
    s/(md5__vertex_text \*)item/md5__vertex_at(item)/
    s/(uint32_t \*)item/md5__triangle_at(item)/
    s/(md5_weight \*)item/md5__weight_at(item)/
    s#^    for#/*@ PASSED loop invariant 0 <= i <= count; loop invariant at != \\null ==> items - proof_lists + count * item_bytes <= proof_room; loop invariant at != \\null ==> 8 * (items - proof_lists + count * item_bytes) <= 9 * loader->claimed_bytes; loop invariant index == 0 || index < count; loop assigns at, i, index, loader->text_error, proof_vertex, proof_triangle[0 .. 2], proof_weight; loop variant count - i; */\n&#
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
