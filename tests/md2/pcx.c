/* PCX pictures. Public domain. */
#include "test_md2.h"

/* Bytes before the pixels. */
enum { IMAGE_HEADER = (sizeof(md2_allocator) + sizeof(size_t) + 15) / 16 * 16 };

/* Returns a picture of these bytes, repeated `count` times between a header and a palette. */
static m2_bytes *picture_of(uint32_t width, uint32_t height, const uint8_t *part, size_t size,
                            uint32_t count)
{
    m2_bytes *bytes = pcx_bytes(width, 1, width, M2_PCX_RUNS);
    uint8_t   tail[769];
    memcpy(tail, bytes->data + bytes->size - sizeof tail, sizeof tail);
    m2_resize(bytes, 128);
    m2_put16(bytes->data + 10, height - 1);
    while (count-- > 0) m2_append(bytes, part, size);
    m2_append(bytes, tail, sizeof tail);
    return bytes;
}

/* Color i of the palette is (3 i + 1, 255 - i, 7 i). */
static void test_picture(void)
{
    static const uint8_t rows[] = { 10, 11, 12, 0xC0 + 3, 20 }; /* two rows of three pixels */
    static const uint8_t want[6][4] = { { 31, 245, 70, 255 },  { 34, 244, 77, 255 },
                                        { 37, 243, 84, 255 },  { 61, 235, 140, 255 },
                                        { 61, 235, 140, 255 }, { 61, 235, 140, 255 } };
    const m2_bytes *bytes = picture_of(3, 2, rows, sizeof rows, 1);
    uint32_t        width, height;
    uint8_t *pixels = md2_load_pcx_memory(bytes->data, bytes->size, &width, &height, NULL, NULL);
    CHECK(pixels != NULL);
    CHECK_EQ(width, 3);
    CHECK_EQ(height, 2);
    for (int i = 0; i < 24; ++i) {
        check_step("pixel %d, byte %d", i / 4, i % 4);
        CHECK_EQ(pixels[i], want[i / 4][i % 4]);
    }
    md2_free_image(pixels);
}

typedef uint8_t index_function(uint32_t x, uint32_t y);

static uint8_t index_five(uint32_t x, uint32_t y) { return (void)x, (void)y, 5; }
static uint8_t index_column(uint32_t x, uint32_t y) { return (void)y, (uint8_t)(x + 1); }

/* Returns whether a picture loads. If it does, checks its size and its colors; `index` may be NULL. */
static bool load_picture(const m2_bytes *bytes, uint32_t width, uint32_t height,
                         index_function *index)
{
    counting_allocator memory;
    md2_options        options = counting_options(&memory);
    md2_error          error;
    uint32_t           w = 0, h = 0;
    uint8_t           *pixels, want[4] = { 0, 0, 0, 255 };
    pixels = md2_load_pcx_memory(bytes->data, bytes->size, &w, &h, &options, &error);
    if (!pixels) check_step("%s", error.message);
    CHECK((pixels != NULL) == (error.code == MD2_OK));
    CHECK(pixels ? !error.message[0] : strlen(error.message) >= 10);
    CHECK(memory.peak_bytes <= 128 * bytes->size + (1u << 20));
    CHECK_EQ(memory.live_bytes, pixels ? (size_t)w * h * 4 + IMAGE_HEADER : 0);

    if (pixels && index) {
        CHECK_EQ(w, width);
        CHECK_EQ(h, height);
        for (uint32_t i = 0; i < w * h; ++i) {
            m2_pcx_color(index(i % w, i / w), want);
            if (memcmp(pixels + 4 * i, want, 4) == 0) continue;
            check_step("pixel %u, %u", (unsigned)(i % w), (unsigned)(i / w));
            for (uint32_t k = 0; k < 4; ++k) CHECK_EQ(pixels[4 * i + k], want[k]);
        }
    }
    md2_free_image(pixels);
    CHECK(counting_is_clean(&memory));
    return pixels != NULL;
}

static void test_sizes(void)
{
    static const uint32_t sizes[][3] = { { 64, 64, 64 }, { 1, 1, 2 },     { 61, 40, 64 },
                                         { 61, 40, 62 }, { 256, 3, 256 }, { 319, 200, 320 },
                                         { 5, 300, 6 },  { 7, 7, 7 },     { 20, 20, 100 } };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        const uint32_t *one = sizes[i];
        for (int style = M2_PCX_PLAIN; style <= M2_PCX_RUNS_ACROSS_LINES; ++style) {
            if (style == M2_PCX_RUNS_ACROSS_LINES && one[0] != one[2]) continue;
            check_scene("%u x %u pixels, rows of %u bytes, style %d", (unsigned)one[0],
                        (unsigned)one[1], (unsigned)one[2], style);
            CHECK(load_picture(pcx_bytes(one[0], one[1], one[2], style), one[0], one[1],
                               m2_pcx_index));
        }
    }
}

/* Tries the smallest file for a size, and the tallest picture. Runs of length 0 are at the beginning, inside a row and
   at the end of a row. */
static void test_runs(void)
{
    static const uint8_t longest[] = { 0xC0 + 63, 5 }, half[] = { 0xC0 + 32, 5 };
    static const uint8_t empty[] = { 0xC0, 5, 0xC0, 6, 1, 2, 3, 0xC0, 7, 4, 0xC0, 8 };
    CHECK(load_picture(picture_of(63, 200, longest, 2, 200), 63, 200, index_five));
    CHECK(load_picture(picture_of(1, 65536, half, 2, 2048), 1, 65536, index_five));
    CHECK(load_picture(picture_of(4, 1, empty, sizeof empty, 1), 4, 1, index_column));
}

typedef struct pcx_edit {             /* a byte of a picture of 8 x 4 pixels in 941 bytes, and its new value */
    size_t      at;
    uint8_t     byte;
    size_t      offset;
    const char *message;
    md2_result  code;
} pcx_edit;

#define LOADS(at, byte) { at, byte, 0, "", MD2_OK }

static const pcx_edit pcx_edits[] = {
    { 0, 9, 0, "not a PCX picture", MD2_ERROR_NOT_MD2 },
    { 2, 0, 2, "a PCX with encoding 0, not 1 (packed runs)", MD2_ERROR_VERSION },
    { 2, 2, 2, "a PCX with encoding 2, not 1 (packed runs)", MD2_ERROR_VERSION },
    { 3, 4, 3, "a PCX with 1 planes of 4 bits, not 1 plane of 8 bits", MD2_ERROR_VERSION },
    { 65, 3, 3, "a PCX with 3 planes of 8 bits, not 1 plane of 8 bits", MD2_ERROR_VERSION },
    { 65, 0, 3, "a PCX with 0 planes of 8 bits, not 1 plane of 8 bits", MD2_ERROR_VERSION },
    { 4, 8, 4, "a PCX that begins at column 8 and ends at column 7", MD2_ERROR_CORRUPT },
    { 5, 1, 4, "a PCX that begins at column 256 and ends at column 7", MD2_ERROR_CORRUPT },
    { 6, 4, 6, "a PCX that begins at row 4 and ends at row 3", MD2_ERROR_CORRUPT },
    { 8, 8, 66, "a PCX with rows of 8 bytes for 9 pixels", MD2_ERROR_CORRUPT },
    { 9, 1, 66, "a PCX with rows of 8 bytes for 264 pixels", MD2_ERROR_CORRUPT },
    { 10, 4, 173, "the PCX ends before its 8 x 5 pixels are complete", MD2_ERROR_TRUNCATED },
    { 10, 255, 173, "the PCX ends before its 8 x 256 pixels are complete", MD2_ERROR_TRUNCATED },
    { 66, 7, 66, "a PCX with rows of 7 bytes for 8 pixels", MD2_ERROR_CORRUPT },
    { 66, 9, 173, "the PCX ends before its 8 x 4 pixels are complete", MD2_ERROR_TRUNCATED },
    { 67, 1, 173, "the PCX ends before its 8 x 4 pixels are complete", MD2_ERROR_TRUNCATED },
    /* These load. */
    LOADS(0, 10), LOADS(4, 7), LOADS(6, 3), LOADS(8, 6), LOADS(10, 2), LOADS(128, 192),
    LOADS(128, 193), LOADS(128, 255), LOADS(172, 0), LOADS(172, 12), LOADS(172, 200),
    LOADS(173, 12)
};

static void test_changed_bytes(void)
{
    for (size_t i = 0; i < sizeof pcx_edits / sizeof pcx_edits[0]; ++i) {
        const pcx_edit *one = &pcx_edits[i];
        m2_bytes       *bytes = pcx_bytes(8, 4, 8, M2_PCX_PLAIN);
        uint32_t        width = 99, height = 99;
        md2_error       error;
        check_scene("byte %lu becomes %d", (unsigned long)one->at, one->byte);
        bytes->data[one->at] = one->byte;
        uint8_t *pixels =
            md2_load_pcx_memory(bytes->data, bytes->size, &width, &height, NULL, &error);
        check_error(&error, one->code, one->offset, one->message);
        CHECK((pixels != NULL) == (one->code == MD2_OK));
        CHECK((width <= 8 && height <= 4) == (pixels != NULL));
        md2_free_image(pixels);
    }
}

static void test_cut_pictures(void)
{
    m2_bytes *bytes = pcx_bytes(61, 40, 64, M2_PCX_RUNS);
    check_scene("65,536 x 65,536 pixels in a very small file");
    memset(bytes->data + 8, 0xFF, 4);
    CHECK(!load_picture(bytes, 0, 0, NULL));
    bytes = pcx_bytes(61, 40, 64, M2_PCX_RUNS);
    while (bytes->size) {
        m2_resize(bytes, bytes->size - 1);
        check_scene("cut to %lu bytes", (unsigned long)bytes->size);
        CHECK(!load_picture(bytes, 0, 0, NULL));
    }
}

/* Some real files lack the byte that marks the palette. Such a picture is read or refused. */
static void test_palette_marker(void)
{
    m2_bytes *bytes = pcx_bytes(64, 64, 64, M2_PCX_RUNS);
    uint8_t  *marker = bytes->data + bytes->size - 769;
    *marker = 0;
    load_picture(bytes, 64, 64, m2_pcx_index);
    memmove(marker, marker + 1, 768); /* without the byte */
    m2_resize(bytes, bytes->size - 1);
    load_picture(bytes, 64, 64, m2_pcx_index);
}

static void check_pcx_refused(const m2_bytes *bytes, size_t size, const md2_options *options,
                              md2_result code, size_t offset, const char *message)
{
    uint32_t  width = 7, height = 7;
    md2_error error;
    CHECK(!md2_load_pcx_memory(bytes->data, size, &width, &height, options, &error));
    check_error(&error, code, offset, message);
    CHECK_EQ(width, 7);
}

static void test_picture_arguments(void)
{
    m2_bytes          *bytes = pcx_bytes(8, 4, 8, M2_PCX_PLAIN), none = { NULL, 9 };
    size_t             size = bytes->size;
    counting_allocator memory;
    md2_options        options = counting_options(&memory);
    md2_error          error;
    uint32_t           side;
    char               message[80];
    int                needed = 8 * 4 * 4 + IMAGE_HEADER;
    check_pcx_refused(&none, 9, NULL, MD2_ERROR_ARGUMENT, 0, "no data, width or height is given");
    check_pcx_refused(bytes, 3, NULL, MD2_ERROR_NOT_MD2, 0, "not a PCX picture");
    check_pcx_refused(bytes, 895, NULL, MD2_ERROR_TRUNCATED, 895,
                      "895 bytes are too few for a PCX with a palette");
    check_pcx_refused(bytes, size - 1, NULL, MD2_ERROR_TRUNCATED, size - 1,
                      "the last byte of the PCX, a part of its palette, is missing");
    options.allocator.alloc = NULL;
    check_pcx_refused(bytes, size, &options, MD2_ERROR_ARGUMENT, 0,
                      "an allocator needs both alloc and release");
    options.allocator.alloc = counting_alloc;
    memory.fail_at = 1;
    snprintf(message, sizeof message, "no memory for %d bytes", needed);
    check_pcx_refused(bytes, size, &options, MD2_ERROR_MEMORY, 0, message);
    memory.fail_at = 0;
    options.max_bytes = (size_t)needed - 1;
    snprintf(message, sizeof message, "needs %d more bytes, but max_bytes is %d", needed,
             needed - 1);
    check_pcx_refused(bytes, size, &options, MD2_ERROR_LIMIT, 0, message);
    options.max_bytes = (size_t)needed;
    uint8_t *pixels = md2_load_pcx_memory(bytes->data, size, &side, &side, &options, &error);
    CHECK(pixels != NULL);
    md2_free_image(pixels);
    CHECK(counting_is_clean(&memory));
}

/* Two pictures of two allocators are freed after the options are gone. Each must be freed by its own allocator, with
   its size. */
static void test_freed_pictures(void)
{
    m2_bytes          *bytes = pcx_bytes(8, 4, 8, M2_PCX_RUNS);
    counting_allocator memories[2];
    uint8_t           *pixels[2];
    uint32_t           width, height;
    for (int i = 0; i < 2; ++i) {
        md2_options options = counting_options(&memories[i]);
        pixels[i] = md2_load_pcx_memory(bytes->data, bytes->size, &width, &height, &options, NULL);
        memset(&options, 0, sizeof options);
    }
    for (int i = 0; i < 2; ++i) {
        CHECK_EQ(memories[i].live_blocks, 1);
        md2_free_image(pixels[i]);
        CHECK(counting_is_clean(&memories[i]));
    }
    md2_free_image(NULL);
}

void test_pcx(void)
{
    RUN(test_picture, "a picture is RGBA, top row first, with the colors of its palette");
    RUN(test_sizes, "pictures of any size are read, with or without padding and compression");
    RUN(test_runs, "a run may have 0 to 63 pixels");
    RUN(test_changed_bytes, "a file that is not a picture of 256 colors is refused and reported");
    RUN(test_cut_pictures, "a picture that is cut short is refused, and takes no memory");
    RUN(test_palette_marker, "a picture without the byte before its palette is read or refused");
    RUN(test_freed_pictures, "a picture is released by the allocator that it came from");
    RUN(test_picture_arguments, "missing arguments, memory and limits are refused and reported");
}
