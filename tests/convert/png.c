/* png.c - writes PNG pictures: filtered rows, runs found by a hash of three bytes, the fixed
   Huffman codes of deflate. Whole numbers only: the same bytes on every machine. Public domain. */
#include "convert.h"

#include <stdlib.h>
#include <string.h>

/* -- Checksums --------------------------------------------------------------------------------- */

static uint32_t crc32_of(const uint8_t *data, size_t size)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; ++i) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

static uint32_t adler32_of(const uint8_t *data, size_t size)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; ++i) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* -- Deflate ----------------------------------------------------------------------------------- */

enum { SHORTEST = 3, LONGEST = 258, WINDOW = 32768, HASHES = 32768, TRIES = 64 };

typedef struct deflater {
    blob         *out;
    uint32_t       bits, bit_count;   /* not yet written, the lowest first */
    const uint8_t *data;
    size_t         size;
    uint32_t      *newest;            /* [HASHES] 1 + the last place with this hash; 0 = none */
    uint32_t      *older;             /* [WINDOW] the one before it */
} deflater;

static void put_bits(deflater *d, uint32_t bits, uint32_t count)
{
    d->bits |= bits << d->bit_count;
    d->bit_count += count;
    while (d->bit_count >= 8) {
        put_byte(d->out, d->bits);
        d->bits >>= 8;
        d->bit_count -= 8;
    }
}

/* Huffman codes have their highest bit first. */
static void put_code(deflater *d, uint32_t code, uint32_t count)
{
    uint32_t turned = 0;
    for (uint32_t i = 0; i < count; ++i) turned |= (code >> i & 1) << (count - 1 - i);
    put_bits(d, turned, count);
}

static void put_symbol(deflater *d, uint32_t symbol)
{
    if (symbol < 144) put_code(d, 0x30 + symbol, 8);
    else if (symbol < 256) put_code(d, 0x190 + symbol - 144, 9);
    else if (symbol < 280) put_code(d, symbol - 256, 7);
    else put_code(d, 0xC0 + symbol - 280, 8);
}

/* Lengths and distances are grouped: `step` groups for each number of extra bits, after as many of
   two groups' worth without. Returns the group of a value counted from 0, and its extra bits. */
static uint32_t find_group(uint32_t value, uint32_t step, uint32_t *extra_bits)
{
    uint32_t extra = 0;
    while (value >> extra >= 2 * step) ++extra;
    *extra_bits = extra;
    return extra * step + (value >> extra);
}

static void put_match(deflater *d, uint32_t length, uint32_t distance)
{
    uint32_t extra, value = length - SHORTEST;
    if (length == LONGEST) {
        put_symbol(d, 285);           /* has a code of its own */
    } else {
        put_symbol(d, 257 + find_group(value, 4, &extra));
        put_bits(d, value & ((1u << extra) - 1), extra);
    }

    value = distance - 1;
    put_code(d, find_group(value, 2, &extra), 5);
    put_bits(d, value & ((1u << extra) - 1), extra);
}

static uint32_t hash_at(const deflater *d, size_t at)
{
    const uint8_t *p = d->data + at;
    uint32_t       three = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    return (three * 2654435761u >> 17) % HASHES;
}

static void remember(deflater *d, size_t at)
{
    if (at + SHORTEST > d->size) return;

    uint32_t hash = hash_at(d, at);
    d->older[at % WINDOW] = d->newest[hash];
    d->newest[hash] = (uint32_t)at + 1;
}

static uint32_t match_length(const deflater *d, size_t from, size_t at)
{
    size_t most = d->size - at;
    if (most > LONGEST) most = LONGEST;

    size_t length = 0;
    while (length < most && d->data[from + length] == d->data[at + length]) ++length;
    return (uint32_t)length;
}

/* The longest of what came before; 0 if there is none. */
static uint32_t find_match(const deflater *d, size_t at, uint32_t *distance)
{
    uint32_t best = 0;
    if (at + SHORTEST > d->size) return 0;

    uint32_t place = d->newest[hash_at(d, at)];
    for (int tries = 0; place > 0 && tries < TRIES; ++tries) {
        size_t from = place - 1;
        if (from >= at || at - from > WINDOW - 1) break;

        uint32_t length = match_length(d, from, at);
        if (length > best) {
            best = length;
            *distance = (uint32_t)(at - from);
        }

        /* What has been overwritten leads to a later place, or to none. */
        uint32_t next = d->older[from % WINDOW];
        if (next >= place) break;
        place = next;
    }
    return best >= SHORTEST ? best : 0;
}

static void deflate(blob *out, const uint8_t *data, size_t size)
{
    deflater d;
    memset(&d, 0, sizeof d);
    d.out = out;
    d.data = data;
    d.size = size;
    d.newest = (uint32_t *)allocate(HASHES, sizeof(uint32_t));
    d.older = (uint32_t *)allocate(WINDOW, sizeof(uint32_t));

    put_bits(&d, 1, 1);               /* the last block, */
    put_bits(&d, 1, 2);               /* of fixed codes */
    for (size_t at = 0; at < size;) {
        uint32_t distance = 0;
        uint32_t length = find_match(&d, at, &distance);
        if (length > 0) put_match(&d, length, distance);
        else put_symbol(&d, data[at]);

        size_t end = at + (length > 0 ? length : 1);
        for (; at < end; ++at) remember(&d, at);
    }
    put_symbol(&d, 256);
    put_bits(&d, 0, 7);               /* what is left of the last byte */

    free(d.newest);
    free(d.older);
}

/* -- Rows -------------------------------------------------------------------------------------- */

enum { NO_FILTER, LEFT, ABOVE, AVERAGE, PAETH, FILTERS };

/* Of left, above and their corner, the one that is nearest to left + above - corner. */
static int paeth(int left, int above, int corner)
{
    int to_left = abs(above - corner);
    int to_above = abs(left - corner);
    int to_corner = abs(left + above - 2 * corner);
    if (to_left <= to_above && to_left <= to_corner) return left;
    return to_above <= to_corner ? above : corner;
}

static void filter_row(int filter, const uint8_t *row, const uint8_t *above, size_t size,
                       size_t pixel, uint8_t *out)
{
    for (size_t i = 0; i < size; ++i) {
        int a = i >= pixel ? row[i - pixel] : 0;
        int b = above ? above[i] : 0;
        int c = above && i >= pixel ? above[i - pixel] : 0;
        int guess = 0;
        if (filter == LEFT) guess = a;
        if (filter == ABOVE) guess = b;
        if (filter == AVERAGE) guess = (a + b) / 2;
        if (filter == PAETH) guess = paeth(a, b, c);
        out[i] = (uint8_t)(row[i] - guess);
    }
}

static unsigned long sum_of_sizes(const uint8_t *row, size_t size)
{
    unsigned long sum = 0;
    for (size_t i = 0; i < size; ++i) sum += row[i] < 128 ? row[i] : 256u - row[i];
    return sum;
}

/* Each row has the filter that leaves the smallest numbers; those of a palette have none. */
static blob filter_rows(const uint8_t *pixels, uint32_t width, uint32_t height, uint32_t pixel,
                        bool is_palette)
{
    blob    rows = { NULL, 0, 0 };
    size_t   size = (size_t)width * pixel;
    uint8_t *tried = (uint8_t *)allocate(size, 1);

    for (uint32_t y = 0; y < height; ++y) {
        const uint8_t *row = pixels + y * size;
        const uint8_t *above = y > 0 ? row - size : NULL;
        int            best = NO_FILTER;
        unsigned long  least = sum_of_sizes(row, size);
        for (int filter = LEFT; filter < FILTERS && !is_palette; ++filter) {
            filter_row(filter, row, above, size, pixel, tried);
            unsigned long sum = sum_of_sizes(tried, size);
            if (sum >= least) continue;
            least = sum;
            best = filter;
        }
        filter_row(best, row, above, size, pixel, tried);
        put_byte(&rows, (uint32_t)best);
        put(&rows, tried, size);
    }
    free(tried);
    return rows;
}

/* -- Palettes ---------------------------------------------------------------------------------- */

enum { MOST_COLOURS = 256, COLOUR_SLOTS = 1024 };

typedef struct palette {
    uint8_t  colours[MOST_COLOURS][3];
    uint32_t count;
    uint32_t slots[COLOUR_SLOTS];     /* 1 + a colour; 0 = free */
} palette;

/* Adds the colour unless it is there; -1 if there is no more room. */
static int find_colour(palette *p, const uint8_t *rgb)
{
    uint32_t key = (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
    uint32_t slot = (key * 2654435761u >> 16) % COLOUR_SLOTS;
    for (; p->slots[slot]; slot = (slot + 1) % COLOUR_SLOTS) {
        uint32_t colour = p->slots[slot] - 1;
        if (memcmp(p->colours[colour], rgb, 3) == 0) return (int)colour;
    }
    if (p->count == MOST_COLOURS) return -1;

    memcpy(p->colours[p->count], rgb, 3);
    p->slots[slot] = ++p->count;
    return (int)p->count - 1;
}

/* Returns one byte a pixel, or NULL if there are too many colours. */
static uint8_t *index_colours(palette *p, const uint8_t *pixels, size_t count)
{
    uint8_t *indices = (uint8_t *)allocate(count, 1);
    for (size_t i = 0; i < count; ++i) {
        int colour = find_colour(p, pixels + 3 * i);
        if (colour < 0) {
            free(indices);
            return NULL;
        }
        indices[i] = (uint8_t)colour;
    }
    return indices;
}

/* -- Chunks ------------------------------------------------------------------------------------ */

static void put_chunk(blob *file, const char *type, const void *content, size_t size)
{
    put_u32_big(file, (uint32_t)size);
    size_t start = file->size;
    put(file, type, 4);
    put(file, content, size);
    put_u32_big(file, crc32_of(file->data + start, file->size - start));
}

static void put_header(blob *file, uint32_t width, uint32_t height, uint32_t colour_type)
{
    blob header = { NULL, 0, 0 };
    put_u32_big(&header, width);
    put_u32_big(&header, height);
    put_byte(&header, 8);             /* bits */
    put_byte(&header, colour_type);
    put(&header, "\0\0\0", 3);        /* deflate, the five filters, not interlaced */
    put_chunk(file, "IHDR", header.data, header.size);
    free_blob(&header);
}

static void put_rows(blob *file, const blob *rows)
{
    blob stream = { NULL, 0, 0 };
    put(&stream, "\x78\x01", 2);
    deflate(&stream, rows->data, rows->size);
    put_u32_big(&stream, adler32_of(rows->data, rows->size));
    put_chunk(file, "IDAT", stream.data, stream.size);
    free_blob(&stream);
}

blob write_png(const uint8_t *pixels, uint32_t width, uint32_t height, uint32_t channels)
{
    enum { RGB = 2, INDEXED = 3, RGBA = 6 };
    palette  p;
    uint8_t *indices = NULL;
    memset(&p, 0, sizeof p);
    if (channels == 3) indices = index_colours(&p, pixels, (size_t)width * height);

    blob file = { NULL, 0, 0 };
    put(&file, "\x89PNG\r\n\x1a\n", 8);
    blob rows;
    if (indices) {
        put_header(&file, width, height, INDEXED);
        put_chunk(&file, "PLTE", p.colours, 3 * p.count);
        rows = filter_rows(indices, width, height, 1, true);
    } else {
        put_header(&file, width, height, channels == 3 ? RGB : RGBA);
        rows = filter_rows(pixels, width, height, channels, false);
    }
    put_rows(&file, &rows);
    put_chunk(&file, "IEND", NULL, 0);

    free_blob(&rows);
    free(indices);
    return file;
}
