/* proof.c: what Frama-C's WP proves of the headers, for every input there is: see proof.sh.

   The contracts stand behind the headers, which know nothing of them. That of md2__fail_at alone is taken for
   granted: it fills in the error and is false. */
#define MD2_NO_SIMD
#define MD5_NO_SIMD
#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#include "../../md2.h"
#include "../../md5.h"

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

/*@ requires \valid(loader) && field < MD2__HEADER_FIELD_COUNT;
    assigns loader->context.error;
    ensures \result <==> 0 < loader->header[field] <= 0x7fffffff; */
static bool md2__check_count(md2__loader *loader, uint32_t field, const char *name);

/*@ lemma product: \forall integer a, b; 0 <= a <= 0xffffffff && 0 <= b <= 0xffffffff ==>
        0 <= a * b <= 0xfffffffe00000001; */

/*@ logic integer item_bytes(md2__loader *loader, md2__section *section) =
        section->item_bytes == 0 ? loader->header[MD2__FRAME_SIZE] : section->item_bytes;
    predicate is_inside(md2__loader *loader, integer count, integer offset, integer item) =
        count == 0 || (count <= 0x7fffffff && MD2__HEADER_BYTES <= offset <= 0x7fffffff &&
                       offset + count * item <= loader->size); */

/* The numbers here are those without an end: that the sums of the header do not overflow is part of it. */
/*@ requires \valid(loader) && \valid_read(section) && \separated(loader, section);
    requires section->count_field < MD2__HEADER_FIELD_COUNT && section->offset_field < MD2__HEADER_FIELD_COUNT;
    assigns loader->context.error;
    ensures sound:    \result ==> is_inside(loader, loader->header[section->count_field],
                                            loader->header[section->offset_field], item_bytes(loader, section));
    ensures complete: is_inside(loader, loader->header[section->count_field], loader->header[section->offset_field],
                                item_bytes(loader, section)) ==> \result; */
static bool md2__check_section_range(md2__loader *loader, const md2__section *section);

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
