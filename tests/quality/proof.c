/* proof.c: what Frama-C's WP proves of the headers, for every input there is: see proof.sh.

   The contracts stand behind the headers, which know nothing of them; what must stand inside of a function is in
   proof.sed. Taken for granted, with a contract and no proof: md2__fail_at, md5__fail_at_token and md5__fail_expected
   note the error; the allocator gives as many bytes as it was asked for; and what proof.sed calls in the place of
   memset, memcpy and strchr. Not proved, but tested and fuzzed: what is done with the bytes inside of these ranges
   of an MD2 (triangles, welding, strips, runs of names, frames, normals), md5__read_keyword and md5__read_count, what md5.h
   fills from the tokens, and all that is done with a model. */
#define BLANK(c) (0 <= (c) <= 32)
/* What a text ends with after md5__set_input: no blank, and nothing of a number. */
#define ENDS(c)  (!BLANK(c) && !('0' <= (c) <= '9') && (c) != '+' && (c) != '-' && (c) != '.' && (c) != 'e' && (c) != 'E')
/* WP compares only pointers into one block. */
#define LE(p, q) (\base_addr(p) == \base_addr(q) && (p) <= (q))
#define LT(p, q) (\base_addr(p) == \base_addr(q) && (p) < (q))
#define WITHIN(from, end, ...) loop invariant LE(from, at) && LE(at, end); loop assigns __VA_ARGS__; loop variant (end) - at;
#define BELOW(from, end, ...)  loop invariant LE(from, at) && LT(at, end); loop assigns __VA_ARGS__; loop variant (end) - at;
#define TRIM(begin, most)      loop invariant LE(begin, end) && LE(end, most);
#define MOST_DIGITS 720575940379279369 /* 2^56 * 10 + 9: what md5__read_integer can reach */

#define MD2_NO_SIMD
#define MD5_NO_SIMD
#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#include "md2.h"
#include "md5.h"

/* -- Numbers of several bytes: bit k of the number is bit k % 8 of byte k / 8 -------------------------- */

#define BIT(k)  (((\result >> (k)) & 1) == ((p[(k) / 8] >> ((k) % 8)) & 1))
#define BYTE(i) (BIT(8 * (i)) && BIT(8 * (i) + 1) && BIT(8 * (i) + 2) && BIT(8 * (i) + 3) && \
                 BIT(8 * (i) + 4) && BIT(8 * (i) + 5) && BIT(8 * (i) + 6) && BIT(8 * (i) + 7))

/*@ requires \valid_read(p + (0 .. 1));
    assigns \nothing;
    ensures low:  BYTE(0);
    ensures high: BYTE(1); */
static uint32_t md2__read_u16(const uint8_t *p);

/*@ requires \valid_read(p + (0 .. 3));
    assigns \nothing;
    ensures first:  BYTE(0);
    ensures second: BYTE(1);
    ensures third:  BYTE(2);
    ensures fourth: BYTE(3); */
static uint32_t md2__read_u32(const uint8_t *p);

/* -- Which part of the file may be read ------------------------------------------------------------------ */

/*@ assigns context->error;
    ensures \result == \false; */
static bool md2__fail_at(md2__context *context, md2_result code, size_t offset, const char *format,
                         const char *text, uint64_t number, uint64_t next_number);

/*@ assigns loader->context.error; */
static void md2__forget_error(md2__loader *loader);

/*@ requires \valid(loader) && field < MD2__HEADER_FIELD_COUNT;
    assigns loader->context.error;
    ensures \result <==> 0 < loader->header[field] <= 0x7fffffff; */
static bool md2__check_count(md2__loader *loader, uint32_t field, const char *name);

/*@ lemma product: \forall integer a, b; 0 <= a <= 0xffffffff && 0 <= b <= 0xffffffff ==>
        0 <= a * b <= 0xfffffffe00000001; */

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
    ensures sound:    \result ==> INSIDE(section->count_field, section->offset_field, ITEM_BYTES);
    ensures complete: INSIDE(section->count_field, section->offset_field, ITEM_BYTES) ==> \result; */
static bool md2__check_section_range(md2__loader *loader, const md2__section *section);

/* Each frame holds its points. */
/*@ requires \valid(loader);
    assigns loader->context.error;
    ensures \result ==> 0 < loader->header[MD2__NUM_POINTS] && 0 < loader->header[MD2__NUM_FRAMES] <= 0x7fffffff;
    ensures \result ==> MD2__FRAME_POINTS_OFFSET + 4 * loader->header[MD2__NUM_POINTS] <=
                        loader->header[MD2__FRAME_SIZE] <= 0x7fffffff; */
static bool md2__check_frames(md2__loader *loader);

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

/* -- Where the parts of a block lie ------------------------------------------------------------------------ */

/* What it is called with: fewer than 2^32 items, each below 2^32 bytes, and no more than 2^62 bytes before. */
/*@ requires \valid(total) && block == \null;
    requires *total <= 0x4000000000000000 && count <= 0xffffffff && item_size <= 0x7fffffff;
    assigns *total;
    ensures \old(*total) + count * item_size <= *total < \old(*total) + 16 + count * item_size;
    ensures (*total - count * item_size) % 16 == 0; */
static void *md2__place_array(uint8_t *block, uint64_t *total, uint64_t count, uint64_t item_size);

/*@ requires \valid(total) && block == \null;
    requires *total <= 0x4000000000000000 && count <= 0xffffffff && item_size <= 0x7fffffff;
    assigns *total;
    ensures \old(*total) + count * item_size <= *total < \old(*total) + 16 + count * item_size;
    ensures (*total - count * item_size) % 16 == 0; */
static void *md5__place_array(uint8_t *block, uint64_t *total, uint64_t count, uint64_t item_size);

/* -- Names of frames: whatever they are, what is taken of them lies inside -------------------------------- */

#define NAME requires LE(begin, end) && end - begin <= 0x7fffffff && \valid_read(begin + (0 .. end - begin - 1));

/*@ assigns \nothing; ensures \result <==> '0' <= c <= '9'; */
static bool md2__is_digit(char c);
/*@ assigns \nothing; */
static char md2__to_lower(char c);
/*@ assigns \nothing; */
static bool md2__is_white_space(char c);
/*@ assigns \nothing; */
static bool md2__is_name_separator(char c);

/*@ requires \valid_read(name + (0 .. size - 1)); assigns \nothing; ensures \result <= size; */
static size_t md2__find_name_length(const char *name, size_t size);
/*@ NAME assigns \nothing; ensures LE(begin, \result) && LE(\result, end); */
static const char *md2__trim_trailing_letters(const char *begin, const char *end);
/*@ requires \valid(number); NAME assigns *number; ensures LE(begin, \result) && LE(\result, end); */
static const char *md2__trim_trailing_number(const char *begin, const char *end, uint32_t *number);
/*@ requires length <= 0x7fffffff && \valid_read(text + (0 .. length - 1));
    assigns \nothing;
    ensures (LE(text, \result.base) && LE(\result.base + \result.base_length, text + length)) ||
            \result.base_length == 4; */
static md2__frame_name md2__parse_frame_name(const char *text, size_t length);

/* -- Memory that grows: what is promised is there, and no more is copied than fits ------------------------- */

/*@ requires \valid(context) && context->used_bytes <= context->max_bytes;
    assigns context->used_bytes, context->error;
    ensures \result == \null || \valid(\result + (0 .. size - 1));
    ensures context->used_bytes <= context->max_bytes; */
static uint8_t *md2__alloc_bytes(md2__context *context, uint64_t size);

/*@ assigns context->used_bytes; */
static void md2__release(md2__context *context, void *ptr, size_t size);

/*@ requires \valid(to + (0 .. size - 1)) && \valid_read(from + (0 .. size - 1));
    assigns \nothing; */
static void md2__copy_bytes(uint8_t *to, const uint8_t *from, size_t size);

/*@ requires \valid(context) && context->used_bytes <= context->max_bytes && \valid(buffer) && \separated(context, buffer);
    requires buffer->size <= buffer->capacity <= 0x4000000000000000 && required <= 0x4000000000000000;
    requires \valid_read(buffer->data + (0 .. buffer->size - 1));
    assigns *buffer, context->used_bytes, context->error;
    ensures \result ==> buffer->size == \old(buffer->size) && buffer->capacity - buffer->size >= required;
    ensures !\result ==> *buffer == \old(*buffer); */
static bool md2__reserve_bytes(md2__context *context, md2__buffer *buffer, uint64_t required, uint64_t preferred);

/* -- The token reader: no byte outside of the text is read, whatever it holds, and each loop ends ------------ */

#define LAST(from, end) (\forall char *p; LE(from, p) && (end) - p == 1 ==> ENDS(*p))
#define TEXT (\valid(loader) && LE(loader->text, loader->end) && loader->end - loader->text <= 0x100000000000000 && \
              \valid_read(loader->text + (0 .. loader->end - loader->text - 1)) && \
              LAST(loader->text, loader->end) && valid_read_string(loader->symbols))
#define AT     (LE(loader->text, at) && LE(at, loader->end))
#define AFTER  (LE(at, \result) && LE(\result, loader->end))
#define BEHIND (\result == \null || (LE(loader->text, \result) && LE(\result, loader->end)))
#define OUT    (\valid(out) && \separated(out, loader))
#define LOOKS  requires TEXT && AT; assigns \nothing;
#define READS  requires TEXT && proof_end == loader->end && (at == \null || AT); assigns loader->text_error
#define FAILS  assigns loader->text_error; ensures \result == \null;

/* What all others rely on is made here. */
/*@ requires \valid(loader) && (text == \null || \valid_read((char *)text + (0 .. size - 1)));
    requires size <= 0x100000000000000 && loader->text_bytes <= 0x100000000000000;
    assigns loader->text, loader->end, loader->text_bytes, loader->context.error;
    ensures text != \null ==> LE(loader->text, loader->end) && LE(loader->end, (char *)text + size);
    ensures text != \null ==> LAST(loader->text, loader->end); */
static void md5__set_input(md5__loader *loader, const void *text, size_t size);

/*@ assigns context->error; */
static bool md5__fail(md5__context *context, md5_result code, const char *format, const char *text, uint64_t number,
                      uint64_t next_number);
/*@ assigns \nothing; ensures \result <==> c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E'; */
static bool md5__is_number_char(char c);
/*@ assigns \nothing; ensures \result <==> '0' <= c <= '9'; */
static bool md5__is_digit(char c);
/*@ assigns \nothing; ensures \result <==> BLANK(c); */
static bool md5__is_blank(char c);
/*@ assigns \nothing; ensures \result < 10 <==> '0' <= c <= '9'; */
static uint32_t md5__digit_of(char c);

/*@ LOOKS ensures AFTER && (\result == loader->end || !BLANK(*\result)); */
static inline const char *md5__skip_blanks(const md5__loader *loader, const char *at);
/*@ LOOKS ensures \result ==> LE(at + 2, loader->end); */
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

/*@ FAILS */
static const char *md5__fail_at_token(md5__loader *loader, md5_result code, const char *at, const char *format,
                                      uint64_t number, uint64_t next_number);
/*@ FAILS */
static const char *md5__fail_expected(md5__loader *loader, const char *at, const char *expectation);

/*@ requires \valid_read(symbol); READS; ensures BEHIND; */
static const char *md5__read_symbol(md5__loader *loader, const char *at, const char *symbol);
/*@ requires OUT && at != \null; READS, *out; ensures BEHIND; */
static const char *md5__read_string(md5__loader *loader, const char *at, md5__string *out);
/*@ requires OUT && least < limit; READS, *out; ensures BEHIND; ensures least <= *out < limit; */
static const char *md5__read_integer(md5__loader *loader, const char *at, int64_t least, int64_t limit,
                                     const char *format, uint64_t number, int64_t *out);
/* The index that a fill function is given lies below the limit. */
/*@ requires OUT && 0 < limit; READS, *out; ensures BEHIND; ensures \result != \null ==> *out < limit; */
static const char *md5__read_index_slow(md5__loader *loader, const char *at, uint32_t limit, const char *format,
                                        uint32_t *out);
/*@ requires OUT && 0 < limit; READS, *out; ensures BEHIND; ensures \result != \null ==> *out < limit; */
static const char *md5__read_index(md5__loader *loader, const char *at, uint32_t limit, const char *format,
                                   uint32_t *out);
/*@ requires at != \null; READS; ensures BEHIND; */
static const char *md5__skip_item(md5__loader *loader, const char *at);

/* Numbers stop before the end, which their readers are not told, and take no power of ten behind the table. */
#define NUMBER requires LT(at, proof_end) && proof_end - at <= 0x100000000000000 && \valid(out); \
               requires \valid_read(at + (0 .. proof_end - at - 1)) && LAST(at, proof_end); \
               assigns *out; \
               ensures \result == \null || (LE(at, \result) && LT(\result, proof_end));

/*@ assigns \nothing; */
static float md5__scale_by_ten(uint64_t digits, int64_t exponent);
/*@ NUMBER */
static const char *md5__parse_float(const char *at, float *out);
/*@ NUMBER */
static inline const char *md5__parse_float_fast(const char *at, float *out);
/*@ requires \valid(out); assigns *out; */
static void md5__set_sign(float *out, uint32_t negative);
/*@ requires \valid(out) && at != \null; READS, *out; ensures BEHIND; */
static const char *md5__read_float_slow(md5__loader *loader, const char *at, float *out);
/*@ requires \valid(out); READS, *out; ensures BEHIND; */
static const char *md5__read_float(md5__loader *loader, const char *at, float *out);
/*@ requires \valid(out + (0 .. count - 1)); READS, out[0 .. count - 1]; ensures BEHIND; */
static const char *md5__read_tuple(md5__loader *loader, const char *at, float *out, uint32_t count);
