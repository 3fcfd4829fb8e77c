/* The functions of picture.h. Public domain. */
#include "picture.h"
#include "support.h"

picture picture_new(uint32_t width, uint32_t height)
{
    picture p;
    p.width = width;
    p.height = height;
    p.rgb = (uint8_t *)malloc_or_abort((size_t)width * height * 3);
    memset(p.rgb, 0, (size_t)width * height * 3);
    return p;
}

void picture_free(picture *p)
{
    free(p->rgb);
    memset(p, 0, sizeof *p);
}

const uint8_t *picture_at(const picture *p, uint32_t x, uint32_t y)
{
    return p->rgb + ((size_t)y * p->width + x) * 3;
}

/* -- How far apart --------------------------------------------------------- */

picture_distance picture_compare(const picture *a, const picture *b)
{
    picture_distance d = { 0, 0, 0 };
    uint32_t i, k;
    d.pixels = a->width * a->height;
    if (a->width != b->width || a->height != b->height) {
        d.over = d.pixels;
        d.worst = 256;
        return d;
    }
    for (i = 0; i < d.pixels; ++i) {
        int worst = 0;
        for (k = 0; k < 3; ++k) {
            int apart = a->rgb[i * 3 + k] - b->rgb[i * 3 + k];
            if (apart < 0) apart = -apart;
            if (apart > worst) worst = apart;
        }
        if (worst > 8) ++d.over;
        if (worst > d.worst) d.worst = worst;
    }
    return d;
}

bool picture_alike(picture_distance d) { return d.over * (uint64_t)1000 <= d.pixels; }

/* -- Bytes that grow ------------------------------------------------------- */

typedef struct picture_bytes {
    uint8_t *data;
    size_t   size, capacity;
    uint32_t bits, bit_count;         /* not yet a whole byte */
} picture_bytes;

static void picture_put(picture_bytes *out, uint32_t byte)
{
    if (out->size == out->capacity) {
        out->capacity = out->capacity ? out->capacity * 2 : 4096;
        out->data = (uint8_t *)realloc(out->data, out->capacity);
        if (!out->data) abort();
    }
    out->data[out->size++] = (uint8_t)byte;
}

static void picture_put_u32(picture_bytes *out, uint32_t word)
{
    int shift;
    for (shift = 24; shift >= 0; shift -= 8) picture_put(out, word >> shift & 0xFF);
}

static void picture_put_bits(picture_bytes *out, uint32_t bits, uint32_t count)
{
    out->bits |= bits << out->bit_count;
    out->bit_count += count;
    while (out->bit_count >= 8) {
        picture_put(out, out->bits & 0xFF);
        out->bits >>= 8;
        out->bit_count -= 8;
    }
}

/* -- Deflate with the fixed codes (RFC 1951) ------------------------------- */

static const uint16_t picture_length_base[29] = { 3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                  15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                  67, 83, 99, 115, 131, 163, 195, 227, 258 };
static const uint8_t picture_length_bits[29] = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0 };
static const uint16_t picture_distance_base[30] = {
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577
};
static const uint8_t picture_distance_bits[30] = { 0, 0, 0,  0,  1,  1,  2,  2,  3,  3,
                                                   4, 4, 5,  5,  6,  6,  7,  7,  8,  8,
                                                   9, 9, 10, 10, 11, 11, 12, 12, 13, 13 };

/* Codes go out with their first bit lowest. */
static void picture_put_code(picture_bytes *out, uint32_t code, uint32_t count)
{
    uint32_t turned = 0, i;
    for (i = 0; i < count; ++i) turned |= (code >> i & 1) << (count - 1 - i);
    picture_put_bits(out, turned, count);
}

static void picture_put_symbol(picture_bytes *out, uint32_t symbol)
{
    if (symbol < 144) picture_put_code(out, 0x30 + symbol, 8);
    else if (symbol < 256) picture_put_code(out, 0x190 + symbol - 144, 9);
    else if (symbol < 280) picture_put_code(out, symbol - 256, 7);
    else picture_put_code(out, 0xC0 + symbol - 280, 8);
}

static void picture_put_match(picture_bytes *out, uint32_t length, uint32_t distance)
{
    uint32_t l = 28, d = 29;
    while (picture_length_base[l] > length) --l;
    while (picture_distance_base[d] > distance) --d;
    picture_put_symbol(out, 257 + l);
    picture_put_bits(out, length - picture_length_base[l], picture_length_bits[l]);
    picture_put_code(out, d, 5);
    picture_put_bits(out, distance - picture_distance_base[d], picture_distance_bits[d]);
}

static void picture_deflate(picture_bytes *out, const uint8_t *data, size_t size)
{
    enum { PLACES = 1 << 15 };
    size_t *last = (size_t *)malloc_or_abort(PLACES * sizeof *last), at = 0,
           i; /* where such four bytes were last, + 1 */
    memset(last, 0, PLACES * sizeof *last);
    picture_put_bits(out, 1, 1); /* the only block, with the fixed codes */
    picture_put_bits(out, 1, 2);
    while (at < size) {
        size_t length = 0, from = 0;
        if (at + 4 <= size) {
            uint32_t word;
            memcpy(&word, data + at, 4);
            from = last[word * 2654435761u >> 17];
            if (from && at - (from - 1) <= 32768) {
                while (length < 258 && at + length < size &&
                       data[from - 1 + length] == data[at + length])
                    ++length;
            }
        }
        if (length >= 4) {
            picture_put_match(out, (uint32_t)length, (uint32_t)(at - (from - 1)));
        } else {
            picture_put_symbol(out, data[at]);
            length = 1;
        }
        for (i = 0; i < length; ++i, ++at) {
            uint32_t word;
            if (at + 4 > size) continue;
            memcpy(&word, data + at, 4);
            last[word * 2654435761u >> 17] = at + 1;
        }
    }
    picture_put_symbol(out, 256);
    picture_put_bits(out, 0, out->bit_count % 8 ? 8 - out->bit_count % 8 : 0);
    free(last);
}

typedef struct picture_reader {
    const uint8_t *data;
    size_t         size, at;          /* at: in bits */
    bool           bad;
} picture_reader;

static uint32_t picture_get_bits(picture_reader *in, uint32_t count)
{
    uint32_t value = 0, i;
    for (i = 0; i < count; ++i, ++in->at) {
        if (in->at / 8 >= in->size) in->bad = true;
        else value |= (uint32_t)(in->data[in->at / 8] >> in->at % 8 & 1) << i;
    }
    return value;
}

static uint32_t picture_get_symbol(picture_reader *in)
{
    uint32_t code = 0, i;
    for (i = 0; i < 7; ++i) code = code << 1 | picture_get_bits(in, 1);
    if (code < 0x18) return 256 + code;
    code = code << 1 | picture_get_bits(in, 1);
    if (code >= 0x30 && code < 0xC0) return code - 0x30;
    if (code >= 0xC0 && code < 0xC8) return 280 + code - 0xC0;
    code = code << 1 | picture_get_bits(in, 1);
    return 144 + code - 0x190;
}

static bool picture_get_match(picture_reader *in, uint32_t symbol, uint8_t *out, size_t *at,
                              size_t size)
{
    uint32_t length, distance, code = 0, i;
    if (symbol > 285) return false;
    length =
        picture_length_base[symbol - 257] + picture_get_bits(in, picture_length_bits[symbol - 257]);
    for (i = 0; i < 5; ++i) code = code << 1 | picture_get_bits(in, 1);
    if (code > 29) return false;
    distance = picture_distance_base[code] + picture_get_bits(in, picture_distance_bits[code]);
    if (distance > *at || length > size - *at) return false;
    for (i = 0; i < length; ++i, ++*at) out[*at] = out[*at - distance];
    return true;
}

/* Exactly `size` bytes; false for what this does not read. */
static bool picture_inflate(const uint8_t *data, size_t data_size, uint8_t *out, size_t size)
{
    picture_reader in = { NULL, 0, 0, false };
    size_t at = 0;
    in.data = data;
    in.size = data_size;
    if (picture_get_bits(&in, 3) != 3) return false; /* one block of fixed codes */
    while (!in.bad) {
        uint32_t symbol = picture_get_symbol(&in);
        if (symbol == 256) return at == size && !in.bad;
        if (symbol > 256) {
            if (!picture_get_match(&in, symbol, out, &at, size)) return false;
        } else {
            if (at == size) return false;
            out[at++] = (uint8_t)symbol;
        }
    }
    return false;
}

/* -- PNG ------------------------------------------------------------------- */

static uint32_t picture_crc(const uint8_t *data, size_t size)
{
    uint32_t crc = 0xFFFFFFFFu;
    size_t i;
    int bit;
    for (i = 0; i < size; ++i) {
        crc ^= data[i];
        for (bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static uint32_t picture_adler(const uint8_t *data, size_t size)
{
    uint32_t a = 1, b = 0;
    size_t i;
    for (i = 0; i < size; ++i) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* What PNG's filter 0 (none), 1 (left), 2 (above) or 4 (Paeth) guesses for byte x of a row. */
static int picture_guess(int filter, const uint8_t *row, const uint8_t *above, size_t x)
{
    int a = x >= 3 ? row[x - 3] : 0, b = above ? above[x] : 0,
        c = above && x >= 3 ? above[x - 3] : 0;
    int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
    if (filter == 0) return 0;
    if (filter == 1) return a;
    if (filter == 2) return b;
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* The filter that leaves the smallest numbers. */
static int picture_best_filter(const uint8_t *row, const uint8_t *above, size_t bytes)
{
    static const int filters[4] = { 0, 1, 2, 4 };
    long best_sum = -1;
    int best = 0, i;
    size_t x;
    for (i = 0; i < 4; ++i) {
        long sum = 0;
        for (x = 0; x < bytes; ++x)
            sum += abs((int8_t)(uint8_t)(row[x] - picture_guess(filters[i], row, above, x)));
        if (best_sum < 0 || sum < best_sum) {
            best_sum = sum;
            best = filters[i];
        }
    }
    return best;
}

static void picture_put_chunk(picture_bytes *out, const char *type,
                              const picture_bytes *content)
{
    size_t start = out->size + 4, i;
    picture_put_u32(out, (uint32_t)content->size);
    for (i = 0; i < 4; ++i) picture_put(out, (uint8_t)type[i]);
    for (i = 0; i < content->size; ++i) picture_put(out, content->data[i]);
    picture_put_u32(out, picture_crc(out->data + start, out->size - start));
}

static const uint8_t picture_signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n' };

bool picture_write_png(const char *path, const picture *p)
{
    picture_bytes out, head, rows, packed, end;
    size_t stride = (size_t)p->width * 3, x;
    uint32_t y;
    bool ok;
    memset(&out, 0, sizeof out);
    head = rows = packed = end = out;
    for (x = 0; x < 8; ++x) picture_put(&out, picture_signature[x]);
    picture_put_u32(&head, p->width);
    picture_put_u32(&head, p->height);
    picture_put_u32(&head, 0x08020000u); /* 8 bits, RGB */
    picture_put(&head, 0);
    for (y = 0; y < p->height; ++y) {
        const uint8_t *row = p->rgb + y * stride, *above = y ? row - stride : NULL;
        int filter = picture_best_filter(row, above, stride);
        picture_put(&rows, (uint32_t)filter);
        for (x = 0; x < stride; ++x)
            picture_put(&rows, (uint8_t)(row[x] - picture_guess(filter, row, above, x)));
    }
    picture_put(&packed, 0x78);
    picture_put(&packed, 0x01);
    picture_deflate(&packed, rows.data, rows.size);
    picture_put_u32(&packed, picture_adler(rows.data, rows.size));
    picture_put_chunk(&out, "IHDR", &head);
    picture_put_chunk(&out, "IDAT", &packed);
    picture_put_chunk(&out, "IEND", &end);
    ok = write_file(path, out.data, out.size);
    free(out.data);
    free(head.data);
    free(rows.data);
    free(packed.data);
    return ok;
}

static uint32_t picture_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool picture_unfilter(picture *p, const uint8_t *rows)
{
    size_t stride = (size_t)p->width * 3, x;
    uint32_t y;
    for (y = 0; y < p->height; ++y, rows += stride + 1) {
        uint8_t *row = p->rgb + y * stride;
        if (rows[0] == 3 || rows[0] > 4) return false;
        for (x = 0; x < stride; ++x) {
            row[x] =
                (uint8_t)(rows[1 + x] + picture_guess(rows[0], row, y ? row - stride : NULL, x));
        }
    }
    return true;
}

bool picture_read_png(const char *path, picture *p)
{
    size_t size = 0, packed, bytes;
    uint8_t *data = read_file(path, &size), *rows;
    bool ok = data && size > 57 && memcmp(data, picture_signature, 8) == 0 &&
              memcmp(data + 37, "IDAT", 4) == 0 && picture_u32(data + 24) == 0x08020000u;
    memset(p, 0, sizeof *p);
    packed = ok ? picture_u32(data + 33) : 0;
    ok = ok && packed > 6 && packed <= size - 57 && picture_u32(data + 16) - 1 < 8192 &&
         picture_u32(data + 20) - 1 < 8192;
    if (ok) {
        *p = picture_new(picture_u32(data + 16), picture_u32(data + 20));
        bytes = ((size_t)p->width * 3 + 1) * p->height;
        rows = (uint8_t *)malloc_or_abort(bytes);
        ok = picture_inflate(data + 43, packed - 6, rows, bytes) &&
             picture_adler(rows, bytes) == picture_u32(data + 41 + packed - 4) &&
             picture_unfilter(p, rows);
        free(rows);
        if (!ok) picture_free(p);
    }
    free(data);
    return ok;
}
