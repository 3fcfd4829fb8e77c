/* blob.c - memory, growing byte arrays, and numbers as text. Public domain. */
#include "convert.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Memory ------------------------------------------------------------------------------------ */

/* header of each allocated block */
typedef struct block {
    struct block *next;
    struct block **link;              /* the pointer that points to this block */
    size_t        size, unused;       /* `unused` pads the header, so that the memory after it is aligned */
} block;

static struct {
    block   *first;                   /* the newest block */
    size_t   size, limit;             /* bytes in all blocks, and their maximum; 0 = no maximum */
    jmp_buf *return_point;            /* point where within_memory continues if memory runs out */
} memory;

static void stop_or_exit(void)
{
    if (memory.return_point) longjmp(*memory.return_point, 1);
    fprintf(stderr, "out of memory\n");
    exit(EXIT_FAILURE);
}

/* overhead of a block in bytes: its header, and about as much as the system adds */
#define OVERHEAD (sizeof(block) + 2 * sizeof(size_t))

/* Returns true if a block of this size fits into the limit, after a block of the size `freed` is released. */
static bool fits_limit(size_t size, size_t freed)
{
    size_t left = memory.limit > 0 ? memory.limit - (memory.size - freed) : SIZE_MAX / 2;
    return size <= SIZE_MAX / 2 && size + OVERHEAD <= left;
}

/* Adds a block to the total size, and subtracts the block that it replaces. Stops the work if the total would exceed
   the limit. */
static size_t add_to_total(size_t size, size_t freed)
{
    if (!fits_limit(size, freed)) stop_or_exit();
    memory.size = memory.size - freed + size + OVERHEAD;
    return size + OVERHEAD;
}

static void *link_block(block *b, size_t size)
{
    if (!b) stop_or_exit();
    b->size = size;
    b->next = memory.first;
    b->link = &memory.first;
    if (b->next) b->next->link = &b->next;
    memory.first = b;
    return b + 1;
}

static void unlink_block(block *b)
{
    *b->link = b->next;
    if (b->next) b->next->link = b->link;
}

void *allocate(size_t count, size_t size)
{
    bool is_too_much = size > 0 && count > SIZE_MAX / 2 / size;
    if (is_too_much) stop_or_exit();
    size_t all = add_to_total(count * size, 0);
    return link_block((block *)calloc(1, all), all);
}

void *reallocate(void *old, size_t size)
{
    if (!old) return allocate(size, 1);
    block *b = (block *)old - 1;
    size_t all = add_to_total(size, b->size);
    unlink_block(b);
    return link_block((block *)realloc(b, all), all);
}

void release(void *old)
{
    if (!old) return;
    block *b = (block *)old - 1;
    memory.size -= b->size;
    unlink_block(b);
    free(b);
}

void *allocate_if_there(void *user, size_t size)
{
    (void)user;
    return fits_limit(size, 0) ? allocate(size, 1) : NULL;
}

void release_sized(void *user, void *old, size_t size)
{
    (void)user, (void)size;
    release(old);
}

static void end_limit(void)
{
    memory.limit = 0;
    memory.return_point = NULL;
}

bool within_memory(size_t limit, void (*work)(void *user), void *user)
{
    block  *const before = memory.first;
    jmp_buf return_point;
    memory.limit = memory.size + limit;
    memory.return_point = &return_point;
    if (setjmp(return_point) == 0) {
        work(user);
        end_limit();
        return true;
    }
    end_limit();
    while (memory.first != before) release(memory.first + 1);
    return false;
}

void free_blob(blob *b)
{
    release(b->data);
    memset(b, 0, sizeof *b);
}

void put(blob *b, const void *data, size_t size)
{
    if (size > b->room - b->size) {
        b->room = (b->size + size) * 2;
        b->data = (uint8_t *)reallocate(b->data, b->room);
    }
    if (size > 0) memcpy(b->data + b->size, data, size);
    b->size += size;
}

/* -- Numbers ----------------------------------------------------------------------------------- */

void put_byte(blob *b, uint32_t x)
{
    uint8_t byte = (uint8_t)(x & 255);
    put(b, &byte, 1);
}

void put_u16(blob *b, uint32_t x)
{
    put_byte(b, x);
    put_byte(b, x >> 8);
}

void put_u32(blob *b, uint32_t x)
{
    put_u16(b, x);
    put_u16(b, x >> 16);
}

void put_u32_big(blob *b, uint32_t x)
{
    for (int shift = 24; shift >= 0; shift -= 8) put_byte(b, x >> shift);
}

void put_float(blob *b, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_u32(b, bits);
}

/* -- Text -------------------------------------------------------------------------------------- */

void put_text(blob *b, const char *text)
{
    put(b, text, strlen(text));
}

void put_format(blob *b, const char *format, ...)
{
    char    text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    put_text(b, text);
}

/* Writes a number of millionths. Only whole numbers are printed, so the result does not depend on how the C library
   rounds. */
static void put_millionths(blob *b, double count)
{
    double        size = count < 0 ? -count : count;
    double        whole = floor(size / 1000000);
    unsigned long rest = (unsigned long)(size - whole * 1000000);

    put_format(b, "%s%lu", count < 0 ? "-" : "", (unsigned long)whole);
    if (rest > 0) put_format(b, ".%06lu", rest);
}

/* Writes a number if it is the double nearest to a multiple of a millionth. */
static bool put_if_millionths(blob *b, double x)
{
    const double most = 4e15;         /* larger doubles are all whole */
    double       count = floor(x * 1000000 + 0.5);
    bool         is_small = count > -most && count < most;
    bool         is_same = is_small && !(count / 1000000 < x) && !(count / 1000000 > x);
    if (is_same) put_millionths(b, count);
    return is_same;
}

void put_number(blob *b, double x)
{
    if (put_if_millionths(b, x)) return;

    /* Use as few digits as possible: at most 9 for a float, 17 for a double. */
    bool is_float = !((double)(float)x < x) && !((double)(float)x > x);
    int  most = is_float ? 9 : 17;
    char text[40];
    for (int digits = 6; digits <= most; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        double read_back = strtod(text, NULL);
        if (is_float) read_back = (double)(float)read_back;
        bool is_same = !(read_back < x) && !(read_back > x);
        if (is_same) break;
    }
    if (!put_if_millionths(b, strtod(text, NULL))) put_text(b, text);
}

/* -- JSON -------------------------------------------------------------------------------------- */

/* Returns the length in bytes of the UTF-8 character at the start of the text, or 0 if it is not UTF-8. */
static int utf8_length(const uint8_t *text)
{
    int length = 0;
    if (text[0] < 0x80) length = 1;
    else if (text[0] >= 0xC2 && text[0] < 0xE0) length = 2;
    else if (text[0] >= 0xE0 && text[0] < 0xF0) length = 3;
    else if (text[0] >= 0xF0 && text[0] < 0xF5) length = 4;

    for (int i = 1; i < length; ++i) {
        if ((text[i] & 0xC0) != 0x80) return 0;
    }

    /* Refuse characters that could be shorter, halves of surrogate pairs, and codes above the last code point. */
    if (text[0] == 0xE0 && text[1] < 0xA0) return 0;
    if (text[0] == 0xED && text[1] >= 0xA0) return 0;
    if (text[0] == 0xF0 && text[1] < 0x90) return 0;
    if (text[0] == 0xF4 && text[1] >= 0x90) return 0;
    return length;
}

size_t whole_length(const char *text, size_t most)
{
    size_t length = 0;
    while (text[length]) {
        int next = utf8_length((const uint8_t *)text + length);
        if (next == 0) next = 1;      /* a Latin-1 character */
        if (length + (size_t)next > most) break;
        length += (size_t)next;
    }
    return length;
}

char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char  *copy = (char *)allocate(size, 1);
    memcpy(copy, text, size);
    return copy;
}

bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

void put_json_string(blob *b, const char *text)
{
    const uint8_t *at = (const uint8_t *)text;
    put_text(b, "\"");
    while (*at) {
        int length = utf8_length(at);
        if (length == 0) {
            put_byte(b, 0xC0u | *at >> 6); /* a Latin-1 character */
            put_byte(b, 0x80u | (*at & 63u));
            length = 1;
        } else if (*at == '"' || *at == '\\') {
            put_format(b, "\\%c", *at);
        } else if (*at < 32 || *at == 127) {
            put_format(b, "\\u%04x", *at);
        } else {
            put(b, at, (size_t)length);
        }
        at += length;
    }
    put_text(b, "\"");
}
