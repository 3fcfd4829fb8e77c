/* proof.c: what Frama-C's WP proves of the headers, for every input there is: see proof.sh.

   The contracts stand behind the headers, which know nothing of them; what must stand inside of a function is in
   proof.sed. Taken for granted: md2__fail_at fills in the error and is false, md2__forget_error empties it. Not
   proved, but tested and fuzzed: what is done with the bytes inside of these ranges (triangles, strips, names,
   frames, normals), and all of md5.h but the layout of its blocks. */
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
