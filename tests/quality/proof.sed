# What copies of md2.h and md5.h are told for the proof, inside of their functions: how often a loop turns, and calls in
# the place of memset and memcpy over structs, of strchr and of casts from void *, which WP does not read. The rest is in proof.c.
/^static bool md2__read_header/i\
static bool md2__has_ident(const uint8_t *bytes);
/^static bool md2__read_header/,/^}/{
    s/memcmp(loader->data, "IDP2", 4) != 0/!md2__has_ident(loader->data)/
    s#^    for#/*@ loop invariant 0 <= i <= 17; loop assigns i, loader->header[0 .. 16]; */\n&#
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
/^static void md2__build_vertex/,/^}/s#^ *memset(out.*##
/^static uint32_t md2__find_nearest_vertex/i\
static bool md2__is_above(float a, float b);
/^static uint32_t md2__find_nearest_vertex/,/^}/{
    s/distance < nearest_distance/md2__is_above(nearest_distance, distance)/
    s/!(distance > 0)/!md2__is_above(distance, 0)/
    s#^    for#/*@ loop invariant (vertex == MD2__NONE || vertex < VERTICES) \&\& nearest < VERTICES; loop invariant i <= 16; loop assigns i, vertex, nearest, nearest_distance; */\n&#
}

# Skins, frames and faces.
/^static void md2__build_skins/,/^}/s#^    for#/*@ loop invariant 0 <= i <= loader->model.skin_count; loop assigns i, loader->skins[0 .. loader->model.skin_count - 1]; */\n&#
/^static md2__point_bounds md2__find_point_bounds/,/^}/s#^    for#/*@ loop invariant 1 <= i <= count; loop assigns i, bounds; */\n&#
/^static void md2__convert_points_y_up/,/^}/s#^    for#/*@ loop invariant 0 <= i <= count; loop assigns i, points[0 .. count - 1]; */\n&#
/^static void md2__read_frame_header/,/^}/s#^    for#/*@ loop invariant 0 <= axis <= 3; loop assigns axis, frame->scale[0 .. 2], frame->translate[0 .. 2]; */\n&#
/^static bool md2__build_frame/i\
static const md2_point *md2__points_at(const uint8_t *bytes, uint32_t count);\
static void md2__copy_points(md2_point *to, const md2_point *from, uint32_t count);\
static void md2__clear_frame(md2_frame *frame);\
static md2_point md2__convert_point(md2_point point);\
static bool md2__decode_bounds(md2__point_bounds stored, md2_frame *frame);
/^static bool md2__build_frame/,/^}/{
    s/(const md2_point \*)(bytes + MD2__FRAME_POINTS_OFFSET)/md2__points_at(bytes + MD2__FRAME_POINTS_OFFSET, model->point_count)/
    s#^    size_t  *offset#/*@ assert next: (index + 1) * loader->header[MD2__FRAME_SIZE] == index * loader->header[MD2__FRAME_SIZE] + loader->header[MD2__FRAME_SIZE]; */\n&#
    s/md2__convert_points_y_up(loader, &bounds.\([a-z]*\), 1)/bounds.\1 = md2__convert_point(bounds.\1)/
    s/md2__decode_frame_bounds(&bounds/md2__decode_bounds(bounds/
    s/memset(frame, 0, sizeof \*frame)/md2__clear_frame(frame)/
    s/memcpy(points, stored, model->point_count \* sizeof \*points)/md2__copy_points(points, stored, model->point_count)/
}

# The names of frames.
/md2__find_name_length(const/,/^}/s#^    while#/*@ loop invariant length <= size; loop assigns length; */\n&#
/md2__trim_extension(const/,/^}/s#^    while#/*@ loop invariant LE(begin, extension) \&\& LE(extension, end); loop assigns extension; */\n&#
/md2__trim_trailing_number(const/,/^}/{
    s#^    for#/*@ TRIM(begin, \\at(end, Pre)) loop assigns end, place_value, *number; */\n&#
    s#^    while#/*@ TRIM(begin, \\at(end, Pre)) loop assigns end; */\n&#
}
/md2__parse_frame_name(const/,/^}/{
    s#^    while (begin#/*@ loop invariant LE(text, begin) \&\& LE(begin, end); loop assigns begin; */\n&#
    s#^    while (end#/*@ TRIM(begin, text + length) loop assigns end; */\n&#
}
/md2__skip_leading_number(const/,/^}/s#^    while#/*@ loop invariant LE(begin, rest) \&\& LE(rest, end); loop assigns rest; */\n&#

# The loops of the token reader: `at` walks up to the end of the text. The readers of numbers do not know last_number.
/^static void md5__begin_text/i\
static const char *proof_end;\
static bool md5__is_blank(char c);\
static int md5__compare_bytes(const char *a, const char *b, size_t size);
/^static void md5__begin_text/,/^}/{
    s#^    while (loader->end#/*@ loop invariant LE(loader->text, loader->end) \&\& LE(loader->end, (char *)text + size); loop assigns loader->end; */\n&#
    s#^    while (loader->last_number#/*@ loop invariant LE(loader->text, loader->last_number) \&\& LE(loader->last_number, loader->end); loop assigns loader->last_number; */\n&#
}
/^static void md5__begin_text/,/^\/\* -- Quaternions/{
    s/memcmp(at/md5__compare_bytes(at/
    s/(uint8_t)\*at <= ' '/md5__is_blank(*at)/
}
/md5__skip_comment(const/,/^}/s#^    for#/*@ WITHIN(\\at(at, Pre) + 2, loader->end, at) */\n&#
/md5__find_token(const/,/^}/s#^    while#/*@ WITHIN(\\at(at, Pre), loader->end, at) */\n&#
/md5__find_word_end(const/,/^}/s#^    while#/*@ WITHIN(\\at(at, Pre), loader->end, at) */\n&#
/md5__match_word(const/,/^}/s#^    for#/*@ loop invariant 0 <= word - \\at(word, Pre) <= strlen(\\at(word, Pre)) \&\& at - \\at(at, Pre) == word - \\at(word, Pre); loop invariant strlen(word) == strlen(\\at(word, Pre)) - (word - \\at(word, Pre)); loop invariant \\base_addr(word) == \\base_addr(\\at(word, Pre)); WITHIN(\\at(at, Pre), loader->end, at, word) */\n&#
/md5__find_closing_quotes(const/,/^}/s#^    while#/*@ WITHIN(\\at(at, Pre), loader->end, at, has_lines) */\n&#
/md5__scale_by_ten(uint64_t/,/^}/s#^    while#/*@ loop invariant -63 <= exponent < 0; loop assigns exponent, value; */\n&#
/md5__parse_digits(const/,/^}/s#^    for#/*@ loop invariant *digits <= DIGITS_18 \&\& \\at(*dropped, Pre) <= *dropped <= \\at(*dropped, Pre) + (at - \\at(at, Pre)); BELOW(\\at(at, Pre), proof_end, at, *digits, *dropped) */\n&#
/^static inline const char \*md5__read_number/i\
static bool md5__is_too_large(float number);
/^static inline const char \*md5__read_number/,/^}/s/(float)\*out > .* < -md5__max_number/md5__is_too_large((float)*out)/
/md5__read_tuple(md5__loader/,/^}/s#^    for#/*@ PASSED loop invariant 0 <= i <= count; loop assigns at, i, out[0 .. count - 1], loader->context.error; */\n&#
/md5__skip_item(md5__loader/,/^}/s#^    do #/*@ loop invariant LE(loader->text, at) \&\& LE(at, loader->end); loop assigns at, depth, loader->context.error; */\n&#

# What is filled from the tokens.
/md5__skip_tuples(md5__loader/,/^}/s#^    while#/*@ PASSED loop assigns at, is_inside, loader->context.error; */\n&#
/md5__read_triangle(md5__loader/,/^}/s#^    for#/*@ loop pragma UNROLL "completely", 4; */\n&#
/^static const char \*md5__check_weight_ranges/i\
static const md5__vertex_text *proof_vertices;\
static const md5__vertex_text *md5__vertices_of(const md5__mesh_text *mesh);
/md5__check_weight_ranges(md5__loader/,/^}/{
    s/(const md5__vertex_text \*)mesh->lists\[MD5__VERTICES\]/md5__vertices_of(mesh)/
    s#^    for#/*@ loop invariant 0 <= i <= mesh->counts[0] \&\& RANGED(i); loop assigns i, mesh->influence_count, mesh->has_loose_vertices; */\n&#
}
/^static const char \*md5__skip_unknown_item/i\
static const char *md5__foreign_keyword(size_t index);
/md5__skip_unknown_item(md5__loader/,/^}/{
    s/md5__foreign_keywords\[i\].keyword/md5__foreign_keyword(i)/
    s#^    for#/*@ loop invariant 0 <= i <= 7; loop assigns i; */\n&#
}
/md5__read_base_frame(md5__loader/,/^}/s#^    for#/*@ PASSED loop invariant 0 <= i <= text->joint_count; loop assigns at, i, loader->context.error, text->base[0 .. 6 * text->joint_count - 1]; */\n&#
