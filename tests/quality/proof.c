/* proof.c: what Frama-C's WP proves of the headers, for every input there is: that no byte outside of a file is read, and
   that what is found in it lies below the limits that it is read with. proof.sh runs it.

   The contracts stand behind the headers, which know nothing of them; what must stand inside of a function is in
   proof.sed. Those below "Taken for granted" have no proof: the error is noted; the allocator gives as many bytes as it
   was asked for; characters and floats are compared and computed without memory; and what proof.sed calls in the place
   of memset, memcpy, memcmp, strchr and casts does what they do. A search in a tree of keys gives the number of an old
   key or the next new one; what it writes is its own. A frame is decoded, cleared and copied, and its normals computed,
   within its arrays. Taken for granted too: that functions are called with what they require, where proof.c does not
   name the caller, and that the triangles of an MD2 have fewer than 2^32 corners (16 GiB of file).

   Not proved, but tested and fuzzed: of an MD2 the triangles and the GL commands, which call proved functions; the trees
   of keys, the runs of names, the normals, the faces, the bounds, and where the arrays of the model and of scratch
   memory lie. Of an MD5 the lists of a mesh, that meshes fit and how scratch memory is laid out, the hierarchy, bounds
   and frames of an animation, .md5scale, and what fills the model. And all that is done with a model. */
#define BLANK(c) (0 <= (c) <= 32)
#define DIGIT(c) ('0' <= (c) <= '9')
/* What comes before loader->last_number: nothing of a number, so the loops over digits stop there. */
#define ENDS(c)  (!DIGIT(c) && (c) != '+' && (c) != '-' && (c) != '.' && (c) != 'e' && (c) != 'E')
/* WP compares only pointers into one block. */
#define LE(p, q) (\base_addr(p) == \base_addr(q) && (p) <= (q))
#define LT(p, q) (\base_addr(p) == \base_addr(q) && (p) < (q))
#define WITHIN(from, end, ...) loop invariant LE(from, at) && LE(at, end); loop assigns __VA_ARGS__; loop variant (end) - at;
#define BELOW(from, end, ...)  loop invariant LE(from, at) && LT(at, end); loop assigns __VA_ARGS__; loop variant (end) - at;
#define PASSED                 loop invariant at == \null || (\at(at, Pre) != \null && LE(loader->text, at) && LE(at, loader->end));
#define TRIM(begin, most)      loop invariant LE(begin, end) && LE(end, most);
#define DIGITS_18    999999999999999999 /* what md5__parse_digits keeps at most */
#define MOST_BYTES  0x100000000000000  /* 2^56 */

/* What a vertex of a mesh names are weights of its mesh. */
#define RANGED(count) (\forall integer j; 0 <= j < (count) ==> proof_vertices[j].weight_count == 0 || \
                           proof_vertices[j].first_weight + proof_vertices[j].weight_count <= mesh->counts[2])

/* What welding keeps: the latest and the previous of each name vertices, and each vertex a point. */
#define CORNERS  (3 * loader->header[MD2__NUM_TRIANGLES])
#define POINTS   loader->header[MD2__NUM_POINTS]
#define VERTICES loader->model.vertex_count
#define VERTEX(number) ((number) == 0xffffffff || (number) < VERTICES)
#define LINKS    loader->latest[0 .. POINTS - 1], loader->previous[0 .. CORNERS - 1]
#define WELDED_MEMORY \valid(loader) && CORNERS <= 0xffffffff && VERTICES <= CORNERS && \
                      \valid(loader->vertices + (0 .. CORNERS - 1)) && \valid(loader->previous + (0 .. CORNERS - 1)) && \
                      \valid(loader->latest + (0 .. POINTS - 1)) && \
                      \separated(loader, loader->vertices + (0 .. CORNERS - 1), loader->previous + (0 .. CORNERS - 1), \
                                 loader->latest + (0 .. POINTS - 1))
#define LATEST   (\forall integer p; 0 <= p < POINTS ==> VERTEX(loader->latest[p]))
#define PREVIOUS (\forall integer k; 0 <= k < VERTICES ==> VERTEX(loader->previous[k]))
#define PLACES   (\forall integer k; 0 <= k < VERTICES ==> loader->vertices[k].point < POINTS)

#define MD2_NO_SIMD
#define MD5_NO_SIMD
#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#include "md2.h"
#include "md5.h"

/* -- Taken for granted -------------------------------------------------------------------------------------- */

/*@ assigns context->error;
    ensures \result == \false; */
static bool md2__fail_at(md2__context *context, md2_result code, size_t offset, const char *format,
                         const char *text, uint64_t number, uint64_t next_number);
/*@ assigns loader->context.error; */
static void md2__forget_error(md2__loader *loader);
/*@ requires \valid_read(bytes + (0 .. 3)); assigns \nothing; */
static bool md2__has_ident(const uint8_t *bytes);
/*@ requires \valid_read(loader); requires \valid_read(loader->data + (0 .. loader->size - 1)); assigns loader->context.error;
    ensures \result == \false; */
static bool md2__fail_format(md2__loader *loader);
/*@ requires \valid_read(p + (0 .. 3)); assigns \nothing; */
static float md2__read_f32(const uint8_t *p);
/*@ assigns table->count;
    ensures (\result < \old(table->count) && table->count == \old(table->count)) ||
            (\result == \old(table->count) && table->count == \old(table->count) + 1); */
static uint32_t md2__number_key(md2__key_table *table, uint32_t slot, const uint32_t key[3]);
/*@ requires bits <= 0xffff; assigns \nothing; */
static float md2__decode_texcoord(uint32_t bits);
/*@ assigns \nothing; */
static bool md2__is_above(float a, float b);
/*@ requires \valid(out + (0 .. size)) && \valid_read(name + (0 .. size - 1)) && size <= 64; assigns out[0 .. size]; */
static void md2__copy_name_field(char *out, const uint8_t *name, size_t size);
/*@ requires \valid_read(bytes + (0 .. 4 * count - 1)); assigns \nothing; ensures \valid_read(\result + (0 .. count - 1)); */
static const md2_point *md2__points_at(const uint8_t *bytes, uint32_t count);
/*@ requires \valid(to + (0 .. count - 1)) && \valid_read(from + (0 .. count - 1)); assigns to[0 .. count - 1]; */
static void md2__copy_points(md2_point *to, const md2_point *from, uint32_t count);
/*@ requires \valid(frame); assigns *frame; */
static void md2__clear_frame(md2_frame *frame);
/*@ assigns \nothing; */
static md2_point md2__convert_point(md2_point point);
/*@ requires \valid(frame); assigns frame->min[0 .. 2], frame->max[0 .. 2]; */
static bool md2__decode_bounds(md2__point_bounds stored, md2_frame *frame);
/*@ assigns \nothing; ensures \result <==> '0' <= c <= '9'; */
static bool md2__is_digit(char c);
/*@ assigns \nothing; */
static char md2__to_lower(char c);
/*@ assigns \nothing; */
static bool md2__is_white_space(char c);
/*@ assigns \nothing; */
static bool md2__is_name_separator(char c);
/*@ requires \valid(context) && context->used_bytes <= context->max_bytes;
    assigns context->used_bytes, context->error;
    ensures \result == \null || \valid(\result + (0 .. size - 1));
    ensures context->used_bytes <= context->max_bytes; */
static uint8_t *md2__alloc_bytes(md2__context *context, uint64_t size);
/*@ assigns context->used_bytes; */
static void md2__release(md2__context *context, void *ptr, size_t size);
/*@ requires \valid(to + (0 .. size - 1)) && \valid_read(from + (0 .. size - 1)); assigns \nothing; */
static void md2__copy_bytes(uint8_t *to, const uint8_t *from, size_t size);
#define FAILS assigns loader->context.error; ensures \result == \null;
/*@ assigns context->error; */
static bool md5__fail(md5__context *context, md5_result code, const char *message);
/*@ FAILS */
static const char *md5__fail_at(md5__loader *loader, md5_result code, const char *at, const char *format);
/*@ FAILS */
static const char *md5__fail_at_numbers(md5__loader *loader, md5_result code, const char *at, const char *format,
                                        uint64_t number, uint64_t next_number);
/*@ FAILS */
static const char *md5__fail_expected(md5__loader *loader, const char *at, const char *expectation);
/*@ FAILS */
static const char *md5__fail_number(md5__loader *loader, const char *token, const char *expectation);
/*@ assigns \nothing; ensures \result <==> BLANK(c); */
static bool md5__is_blank(char c);
/*@ assigns \nothing; ensures \result < 10 <==> '0' <= c <= '9'; */
static uint32_t md5__digit_of(char c);
/*@ assigns \nothing; */
static char md5__to_lower(char c);
/*@ requires \valid_read(a + (0 .. size - 1)) && \valid_read(b + (0 .. size - 1)); assigns \nothing; */
static int md5__compare_bytes(const char *a, const char *b, size_t size);
/*@ assigns \nothing; */
static bool md5__is_too_large(float number);
/*@ requires \valid_read(loader) && \valid_read(in + (0 .. 2)) && \valid(out + (0 .. 2)); assigns out[0 .. 2]; */
static void md5__convert_axes(const md5__loader *loader, const double in[3], float scale, float out[3]);
/*@ requires \valid_read(mesh);
    assigns \nothing; ensures \result == proof_vertices && \valid_read(\result + (0 .. mesh->counts[0] - 1)); */
static const md5__vertex_text *md5__vertices_of(const md5__mesh_text *mesh);
/*@ assigns \nothing; */
static const char *md5__find_open_comment(const md5__loader *loader);
/*@ assigns loader->context.error; */
static const char *md5__find_vertex_line(md5__loader *loader, const char *list, uint32_t vertex);
/*@ requires index < 7; assigns \nothing; ensures valid_read_string(\result); */
static const char *md5__foreign_keyword(size_t index);

/* == Proved ================================================================================================ */

/* -- Numbers of several bytes -------------------------------------------------------------------------- */

/*@ requires \valid_read(p + (0 .. 1)); assigns \nothing; */
static uint32_t md2__read_u16(const uint8_t *p);
/*@ requires \valid_read(p + (0 .. 3)); assigns \nothing; */
static uint32_t md2__read_u32(const uint8_t *p);

/* -- Which part of the file may be read ------------------------------------------------------------------ */

/*@ requires \valid(loader) && field < MD2__HEADER_FIELD_COUNT;
    assigns loader->context.error;
    ensures \result <==> 0 < loader->header[field] <= 0x7fffffff; */
static bool md2__check_count(md2__loader *loader, uint32_t field, const char *name);

/* The numbers here are those without an end: that the sums of the header do not overflow is part of it. Macros,
   as the solvers do not look into predicates. */
#define INSIDE(count, offset, item)                                                                        \
    (loader->header[count] == 0 ||                                                                         \
     (loader->header[count] <= 0x7fffffff && MD2__HEADER_BYTES <= loader->header[offset] <= 0x7fffffff &&  \
      loader->header[offset] + loader->header[count] * (item) <= loader->size))
#define ITEM_BYTES (section->item_bytes == 0 ? loader->header[MD2__FRAME_SIZE] : section->item_bytes)

/*@ requires \valid(loader) && \valid_read(section) && \separated(loader, section);
    requires section->count_field < MD2__HEADER_FIELD_COUNT && section->offset_field < MD2__HEADER_FIELD_COUNT;
    assigns loader->context.error;
    ensures \result ==> INSIDE(section->count_field, section->offset_field, ITEM_BYTES); */
static bool md2__check_section_range(md2__loader *loader, const md2__section *section);

/* Each frame holds its points. */
/*@ requires \valid(loader);
    assigns loader->context.error;
    ensures \result ==> 0 < loader->header[MD2__NUM_POINTS] && 0 < loader->header[MD2__NUM_FRAMES] <= 0x7fffffff;
    ensures \result ==> MD2__FRAME_POINTS_OFFSET + 4 * loader->header[MD2__NUM_POINTS] <=
                        loader->header[MD2__FRAME_SIZE] <= 0x7fffffff; */
static bool md2__check_frames(md2__loader *loader);

/*@ requires \valid(loader) && \valid_read(loader->data + (0 .. loader->size - 1));
    requires \separated(loader, loader->data + (0 .. loader->size - 1));
    assigns loader->header[0 .. 16], loader->context.error;
    ensures \result ==> loader->size >= MD2__HEADER_BYTES; */
static bool md2__read_header(md2__loader *loader);

/* All sections lie inside of the file; the commands may have been given up. */
/*@ requires \valid(loader) && \separated(loader, &md2__sections[0 .. 4]);
    assigns loader->context.error, loader->header[MD2__NUM_COMMANDS], loader->model.defects;
    ensures skins:     \result ==> INSIDE(MD2__NUM_SKINS, MD2__OFS_SKINS, 64);
    ensures texcoords: \result ==> INSIDE(MD2__NUM_TEXCOORDS, MD2__OFS_TEXCOORDS, 4);
    ensures triangles: \result ==> INSIDE(MD2__NUM_TRIANGLES, MD2__OFS_TRIANGLES, 12);
    ensures frames:    \result ==> INSIDE(MD2__NUM_FRAMES, MD2__OFS_FRAMES, loader->header[MD2__FRAME_SIZE]);
    ensures commands:  \result ==> INSIDE(MD2__NUM_COMMANDS, MD2__OFS_COMMANDS, 4);
    ensures few:       \result ==> loader->header[MD2__NUM_FRAMES] <= 65536; */
static bool md2__check_sections(md2__loader *loader);

/* -- What is read of the sections -------------------------------------------------------------------------- */

/*@ requires \valid_read(loader) && count_field < MD2__HEADER_FIELD_COUNT && offset_field < MD2__HEADER_FIELD_COUNT;
    assigns \nothing;
    ensures \result == loader->data + (loader->header[count_field] == 0 ? 0 : loader->header[offset_field]); */
static const uint8_t *md2__find_section(const md2__loader *loader, uint32_t count_field, uint32_t offset_field);

/* Whatever a triangle names, what is read lies inside of the file. */
/*@ requires \valid(loader) && \valid_read(loader->data + (0 .. loader->size - 1));
    requires \separated(loader, loader->data + (0 .. loader->size - 1));
    requires INSIDE(MD2__NUM_TEXCOORDS, MD2__OFS_TEXCOORDS, 4);
    assigns loader->model.defects; */
static uint32_t md2__read_texcoord(md2__loader *loader, uint32_t index);

/* No vertex of a strip lies behind its last one. */
/*@ requires 1 <= length <= 0x7fffffff && i <= length;
    requires i < length || (!keep_winding && !fan && length % 2 == 0);
    assigns \nothing;
    ensures \result < length; */
static uint32_t md2__map_strip_index(uint32_t i, uint32_t length, bool fan, bool keep_winding);

/* -- Welding: whatever the keys are, all that names a vertex names one, and each vertex a point -------------- */

/*@ requires \valid_read(loader) && \valid(out) && point <= 0xffff; assigns *out; ensures out->point == point; */
static void md2__build_vertex(const md2__loader *loader, uint32_t point, uint32_t texcoord, md2_vertex *out);
/*@ requires WELDED_MEMORY && VERTICES < CORNERS && loader->vertex_keys.count == VERTICES && point < POINTS && point <= 0xffff;
    requires LATEST && PREVIOUS && PLACES;
    assigns VERTICES, loader->vertex_keys.count, loader->vertices[0 .. CORNERS - 1], LINKS;
    ensures count:    \result < VERTICES && \old(VERTICES) <= VERTICES <= \old(VERTICES) + 1;
    ensures numbers:  loader->vertex_keys.count == VERTICES;
    ensures latest:   LATEST;
    ensures previous: PREVIOUS;
    ensures places:   PLACES; */
static uint32_t md2__weld_vertex(md2__loader *loader, uint32_t point, uint32_t texcoord);

/*@ requires WELDED_MEMORY;
    requires LATEST;
    requires PREVIOUS;
    requires point < POINTS && loader->latest[point] != 0xffffffff;
    assigns \nothing; ensures \result < VERTICES; */
static uint32_t md2__find_nearest_vertex(const md2__loader *loader, uint32_t point, float u, float v);

/* -- Skins, frames and faces: they read their points and nothing else ---------------------------------------- */

/*@ requires \valid_read(loader) && \valid_read(loader->data + (0 .. loader->size - 1));
    requires loader->model.skin_count == loader->header[MD2__NUM_SKINS] && INSIDE(MD2__NUM_SKINS, MD2__OFS_SKINS, 64);
    requires \valid(loader->skins + (0 .. loader->model.skin_count - 1));
    requires \separated(loader, loader->skins + (0 .. loader->model.skin_count - 1));
    assigns loader->skins[0 .. loader->model.skin_count - 1]; */
static void md2__build_skins(md2__loader *loader);

/*@ requires count >= 1 && \valid_read(points + (0 .. count - 1)); assigns \nothing; */
static md2__point_bounds md2__find_point_bounds(const md2_point *points, size_t count);
/*@ requires \valid_read(loader) && \valid(points + (0 .. count - 1)); requires \separated(loader, points + (0 .. count - 1));
    assigns points[0 .. count - 1]; */
static void md2__convert_points_y_up(const md2__loader *loader, md2_point *points, size_t count);
/*@ requires \valid_read(loader) && \valid_read(bytes + (0 .. 39)) && \valid(frame);
    requires \separated(frame, loader, bytes + (0 .. 39));
    assigns frame->scale[0 .. 2], frame->translate[0 .. 2], frame->name[0 .. 16]; */
static void md2__read_frame_header(const md2__loader *loader, const uint8_t *bytes, md2_frame *frame);
/*@ requires \valid(loader) && \valid(frame) && \separated(loader, frame);
    requires \valid_read(loader->data + (0 .. loader->size - 1)) && \separated(loader, loader->data + (0 .. loader->size - 1));
    requires index < loader->header[MD2__NUM_FRAMES] <= 65536 && 1 <= POINTS <= 0x7fffffff;
    requires INSIDE(MD2__NUM_FRAMES, MD2__OFS_FRAMES, loader->header[MD2__FRAME_SIZE]);
    requires (index + 1) * loader->header[MD2__FRAME_SIZE] <= loader->header[MD2__NUM_FRAMES] * loader->header[MD2__FRAME_SIZE];
    requires 40 + 4 * POINTS <= loader->header[MD2__FRAME_SIZE] <= 0x7fffffff && loader->model.point_count == POINTS;
    requires \valid(points + (0 .. POINTS - 1));
    requires \separated(loader, frame, points + (0 .. POINTS - 1));
    requires \separated(frame, loader->data + (0 .. loader->size - 1)); */
static bool md2__build_frame(md2__loader *loader, md2_frame *frame, md2_point *points, size_t index);

/* -- Where the parts of a block lie ------------------------------------------------------------------------ */

/* What it is called with: fewer than 2^32 items, each below 2^32 bytes, and no more than 2^62 bytes before. */
#define PLACED requires \valid(total) && block == \null; \
               requires *total <= 0x4000000000000000 && count <= 0xffffffff && item_size <= 0x7fffffff; \
               assigns *total; \
               ensures \old(*total) + count * item_size <= *total < \old(*total) + 16 + count * item_size;
/*@ PLACED */
static void *md2__place_array(uint8_t *block, uint64_t *total, uint64_t count, uint64_t item_size);
/*@ PLACED */
static void *md5__place_array(uint8_t *block, uint64_t *total, uint64_t count, uint64_t item_size);

/* -- Names of frames: whatever they are, what is taken of them lies inside -------------------------------- */

#define NAME requires LE(begin, end) && end - begin <= 0x7fffffff && \valid_read(begin + (0 .. end - begin - 1));

/*@ requires \valid_read(name + (0 .. size - 1)); assigns \nothing; ensures \result <= size; */
static size_t md2__find_name_length(const char *name, size_t size);
/*@ NAME assigns \nothing; ensures LE(begin, \result) && LE(\result, end); */
static const char *md2__trim_extension(const char *begin, const char *end);
/*@ requires \valid(number); NAME assigns *number; ensures LE(begin, \result) && LE(\result, end); */
static const char *md2__trim_trailing_number(const char *begin, const char *end, uint32_t *number);
/*@ NAME assigns \nothing; ensures LE(begin, \result) && LE(\result, end); */
static const char *md2__skip_leading_number(const char *begin, const char *end);
/*@ requires length <= 0x7fffffff && \valid_read(text + (0 .. length - 1));
    assigns \nothing;
    ensures (LE(text, \result.base) && LE(\result.base + \result.base_length, text + length)) ||
            \result.base_length == 4; */
static md2__frame_name md2__parse_frame_name(const char *text, size_t length);

/* -- Memory that grows: what is promised is there, and no more is copied than fits ------------------------- */

/*@ requires \valid(context) && context->used_bytes <= context->max_bytes && \valid(buffer) && \separated(context, buffer);
    requires buffer->size <= buffer->capacity <= 0x4000000000000000 && required <= 0x4000000000000000;
    requires \valid_read(buffer->data + (0 .. buffer->size - 1));
    assigns *buffer, context->used_bytes, context->error;
    ensures \result ==> buffer->size == \old(buffer->size) && buffer->capacity - buffer->size >= required;
    ensures !\result ==> *buffer == \old(*buffer); */
static bool md2__reserve_bytes(md2__context *context, md2__buffer *buffer, uint64_t required, uint64_t preferred);

/* -- The token reader: no byte outside of the text is read, whatever it holds, and each loop ends ------------ */

#define LAST(from, end) (\forall char *p; LE(from, p) && (end) - p == 1 ==> ENDS(*p))
#define TEXT (\valid(loader) && LE(loader->text, loader->last_number) && LE(loader->last_number, loader->end) && \
              loader->end - loader->text <= MOST_BYTES && \
              \valid_read(loader->text + (0 .. loader->end - loader->text - 1)) && \
              LAST(loader->text, loader->last_number) && valid_read_string(loader->symbols))
#define AT     (LE(loader->text, at) && LE(at, loader->end))
#define AFTER  (LE(at, \result) && LE(\result, loader->end))
#define BEHIND \result == \null || at != \null; \
               ensures \result == \null || LE(loader->text, \result); ensures \result == \null || LE(\result, loader->end)
#define OUT    (\valid(out) && \separated(out, loader))
#define LOOKS  requires TEXT && AT; assigns \nothing;
#define READS  requires TEXT && proof_end == loader->last_number && (at == \null || AT); assigns loader->context.error

/* What all others rely on is made here. */
/*@ requires \valid(loader) && (text == \null || \valid_read((char *)text + (0 .. size - 1)));
    requires size <= MOST_BYTES && loader->text_bytes <= MOST_BYTES;
    assigns loader->text, loader->end, loader->last_number, loader->text_bytes, loader->context.error;
    ensures text != \null ==> LE(loader->text, loader->end) && LE(loader->end, (char *)text + size);
    ensures text != \null ==> LE(loader->text, loader->last_number) && LE(loader->last_number, loader->end);
    ensures text != \null ==> LAST(loader->text, loader->last_number); */
static void md5__begin_text(md5__loader *loader, const void *text, size_t size);

/*@ assigns \nothing;
    ensures \result <==> '0' <= c <= '9' || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E'; */
static bool md5__is_number_char(char c);
/*@ assigns \nothing; ensures \result <==> '0' <= c <= '9'; */
static bool md5__is_digit(char c);

/*@ requires LT(at, loader->end); LOOKS ensures \result ==> LE(at + 2, loader->end); */
static bool md5__is_comment_start(const md5__loader *loader, const char *at);
/*@ requires LE(at + 2, loader->end); LOOKS ensures LE(at + 2, \result) && LE(\result, loader->end); */
static const char *md5__skip_comment(const md5__loader *loader, const char *at);
/*@ LOOKS ensures AFTER && (\result == loader->end || !BLANK(*\result)); */
static inline const char *md5__find_token(const md5__loader *loader, const char *at);
/*@ LOOKS ensures \result ==> LT(at, loader->end) && *at == c; */
static bool md5__has_char(const md5__loader *loader, const char *at, char c);
/*@ LOOKS ensures !\result ==> LT(at, loader->end); */
static bool md5__is_word_end(const md5__loader *loader, const char *at);
/*@ LOOKS ensures AFTER; */
static const char *md5__find_word_end(const md5__loader *loader, const char *at);

/*@ LOOKS ensures \result == \null || (LE(at, \result) && LT(\result, loader->end)); */
static const char *md5__find_closing_quotes(const md5__loader *loader, const char *at);

/* A word stands there if as many bytes do as it has, so `at` stays inside of the text. */
/*@ requires valid_read_string(word); LOOKS
    ensures \result == \null || (LE(\result, loader->end) && \result == at + strlen(word)); */
static const char *md5__match_word(const md5__loader *loader, const char *at, const char *word);
/*@ requires TEXT && \valid(at) && \separated(at, loader) && valid_read_string(word);
    requires LE(loader->text, *at) && LE(*at, loader->end);
    assigns *at;
    ensures LE(\old(*at), *at) && LE(*at, loader->end); */
static bool md5__accept_word(const md5__loader *loader, const char **at, const char *word);
/*@ requires at != \null && valid_read_string(keyword); READS; ensures BEHIND; */
static const char *md5__read_keyword(md5__loader *loader, const char *at, const char *keyword);
/* What the counts so far need of the text never exceeds it, which bounds the memory. */
/*@ requires OUT && at != \null; READS, loader->claimed_bytes, *out; ensures BEHIND;
    ensures \result != \null ==> loader->claimed_bytes <= loader->end - loader->text; */
static const char *md5__read_count(md5__loader *loader, const char *at, uint32_t item_bytes, uint32_t *out);

/*@ requires \valid_read(symbol); READS; ensures BEHIND; */
static const char *md5__read_symbol(md5__loader *loader, const char *at, const char *symbol);
/*@ requires OUT && at != \null; READS, *out; ensures BEHIND; */
static const char *md5__read_string(md5__loader *loader, const char *at, md5__string *out);
/*@ requires OUT; READS, *out; ensures BEHIND;
    ensures least <= *out && (*out < limit || (\result == \null && *out == least)); */
static const char *md5__read_integer(md5__loader *loader, const char *at, int64_t least, int64_t limit,
                                     const char *format, uint64_t number, int64_t *out);
/* The index that a fill function is given lies below the limit; without one it is 0. */
/*@ requires OUT; READS, *out; ensures BEHIND; ensures *out < limit || (\result == \null && *out == 0); */
static const char *md5__read_index(md5__loader *loader, const char *at, uint32_t limit, const char *format,
                                   uint32_t *out);
/*@ requires at != \null; READS; ensures BEHIND; */
static const char *md5__skip_item(md5__loader *loader, const char *at);

/* Numbers stop before last_number, which their readers are not told, and take no power of ten behind the table. */
#define NUMBER(from) requires LT(from, proof_end) && proof_end - (from) <= MOST_BYTES; \
                     requires \valid_read((from) + (0 .. proof_end - (from) - 1)) && LAST(from, proof_end);
#define STOPS        LE(at, \result) && LT(\result, proof_end)

/*@ NUMBER(at) requires \valid(digits) && \valid(dropped) && \separated(digits, dropped);
    requires *digits <= DIGITS_18 && -MOST_BYTES <= *dropped <= MOST_BYTES;
    assigns *digits, *dropped;
    ensures STOPS && !DIGIT(*\result) && *digits <= DIGITS_18;
    ensures \old(*dropped) <= *dropped <= \old(*dropped) + (\result - at); */
static inline const char *md5__parse_digits(const char *at, uint64_t *digits, int64_t *dropped);
/*@ requires digits <= DIGITS_18; assigns \nothing; */
static double md5__scale_by_ten(uint64_t digits, int64_t exponent);
/*@ NUMBER(at) requires \valid(exponent) && -2 * MOST_BYTES <= *exponent <= 2 * MOST_BYTES;
    assigns *exponent; ensures \result == \null || (STOPS); */
static const char *md5__parse_exponent(const char *at, int64_t *exponent);
/*@ NUMBER(at) requires \valid(out); assigns *out; ensures \result == \null || (STOPS); */
static inline const char *md5__parse_number(const char *at, double *out);
/*@ requires OUT; READS, *out; ensures BEHIND; */
static inline const char *md5__read_number(md5__loader *loader, const char *at, double *out);
/*@ requires OUT; READS, *out; ensures BEHIND; */
static const char *md5__read_float(md5__loader *loader, const char *at, float *out);
/*@ requires \valid(out + (0 .. count - 1)) && \separated(out + (0 .. count - 1), loader);
    READS, out[0 .. count - 1]; ensures BEHIND; */
static const char *md5__read_tuple(md5__loader *loader, const char *at, double *out, uint32_t count);

/* -- What the fill functions write: only what is theirs, and indices below their limit ------------------------- */

/*@ requires OUT && joint_count <= 0x7fffffff; READS, *out; ensures BEHIND;
    ensures *out == -1 || 0 <= *out < joint_count; */
static const char *md5__read_parent_index(md5__loader *loader, const char *at, uint32_t joint, uint32_t joint_count,
                                          int32_t *out);
/*@ requires at != \null; READS; ensures BEHIND; */
static const char *md5__check_joint_is_listed(md5__loader *loader, const char *at, uint32_t joint, uint32_t joint_count);
/*@ requires OUT && at != \null && joint_count <= 0x7fffffff; READS, *out; ensures BEHIND;
    ensures out->parent == -1 || 0 <= out->parent < joint_count; */
static const char *md5__read_joint_line(md5__loader *loader, const char *at, uint32_t joint, uint32_t joint_count,
                                        md5__joint_line *out);
/*@ READS; ensures BEHIND; */
static const char *md5__skip_tuples(md5__loader *loader, const char *at);
/*@ requires OUT; READS, *out; ensures BEHIND; */
static const char *md5__read_vertex(md5__loader *loader, const char *at, md5__vertex_text *out);
/*@ requires \valid(out + (0 .. 2)) && \separated(out + (0 .. 2), loader); READS, out[0 .. 2]; ensures BEHIND;
    ensures \result != \null ==> out[0] < vertex_count && out[1] < vertex_count && out[2] < vertex_count; */
static const char *md5__read_triangle(md5__loader *loader, const char *at, uint32_t vertex_count, uint32_t *out);
/*@ requires OUT; READS, *out; ensures BEHIND; ensures \result != \null ==> out->joint < joint_count; */
static const char *md5__read_weight(md5__loader *loader, const char *at, uint32_t joint_count, md5_weight *out);

/*@ requires at != \null && \valid(mesh) && \separated(loader, mesh, proof_vertices + (0 .. mesh->counts[0] - 1));
    READS, mesh->influence_count, mesh->has_loose_vertices; ensures BEHIND;
    ensures \result != \null ==> RANGED(mesh->counts[0]); */
static const char *md5__check_weight_ranges(md5__loader *loader, const char *at, md5__mesh_text *mesh,
                                            const char *vertex_list);

/*@ requires at != \null; READS; ensures BEHIND; */
static const char *md5__skip_unknown_item(md5__loader *loader, const char *at);

/* Whatever the text holds, no more is written than the counts before it announced. */
/*@ requires \valid(text) && at != \null && text->joint_count <= 0x7fffffff;
    requires \valid(text->base + (0 .. 6 * text->joint_count - 1));
    requires \separated(loader, text, text->base + (0 .. 6 * text->joint_count - 1));
    READS, text->has_base, text->base[0 .. 6 * text->joint_count - 1]; ensures BEHIND; */
static const char *md5__read_base_frame(md5__loader *loader, const char *at, md5__anim_text *text);
