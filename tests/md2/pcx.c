/* PCX pictures. Public domain. */
#include "test_md2.h"

static uint32_t wrong_pixels(const uint8_t *rgba, uint32_t width, uint32_t height)
{
    uint32_t x, y, wrong = 0;
    uint8_t rgb[3];
    for (y = 0; y < height; ++y) {
        for (x = 0; x < width; ++x) {
            const uint8_t *p = rgba + ((size_t)y * width + x) * 4;
            m2_pcx_colour(m2_pcx_index(x, y), rgb);
            wrong += memcmp(p, rgb, 3) != 0 || (p[3] != 255 && m2_pcx_index(x, y) != 255);
        }
    }
    return wrong;
}

/* A picture, or why there is none; dropping it checks the allocator. */
typedef struct shot {
    counting_allocator memory;
    uint8_t           *pixels;
    uint32_t           width, height;
    md2_error          error;
} shot;

static shot *take(const m2_bytes *bytes)
{
    static shot one;
    md2_options options = options_of(0);
    memset(&one, 0, sizeof one);
    use_memory(&options, &one.memory);
    one.pixels = md2_load_pcx_memory(bytes->data, bytes->size, &one.width, &one.height, &options,
                                     &one.error);
    CHECK((one.pixels == NULL) == (one.error.code != MD2_OK));
    CHECK(one.memory.peak_bytes <= 128 * bytes->size + (1u << 20));
    return &one;
}

static void drop(shot *one)
{
    counting_allocator scratch;
    md2_options        options = options_of(0);
    use_memory(&options, &scratch);
    options.allocator.user = &one->memory;
    md2_free_image(one->pixels, one->width, one->height, &options);
    CHECK(counting_is_clean(&one->memory));
}

static void check_good_pcx(uint32_t width, uint32_t height, uint32_t bytes_per_line, int style)
{
    shot *one = take(pcx_bytes(width, height, bytes_per_line, style));
    CHECK_TEXT(one->error.message, "");
    if (CHECK(one->pixels && one->width == width && one->height == height)) {
        CHECK_EQ(wrong_pixels(one->pixels, width, height), 0);
        CHECK_EQ(one->memory.live_bytes, (size_t)width * height * 4);
    }
    drop(one);
}

static void test_good_pictures(void)
{
    static const uint32_t sizes[][3] = { { 64, 64, 64 }, { 1, 1, 2 },     { 61, 40, 64 },
                                         { 61, 40, 62 }, { 256, 3, 256 }, { 319, 200, 320 },
                                         { 5, 300, 6 },  { 7, 7, 7 },     { 20, 20, 100 } };
    size_t i;
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        check_good_pcx(sizes[i][0], sizes[i][1], sizes[i][2], M2_PCX_PLAIN);
        check_good_pcx(sizes[i][0], sizes[i][1], sizes[i][2], M2_PCX_RUNS);
        if (sizes[i][0] == sizes[i][2])
            check_good_pcx(sizes[i][0], sizes[i][1], sizes[i][2], M2_PCX_RUNS_ACROSS_LINES);
    }
    md2_free_image(NULL, 0, 0, NULL);
}

/* `count` runs of palette entry 5, each as long as a row of `width` or a part of one. */
static void check_runs(uint32_t width, uint32_t height, uint32_t length, uint32_t count)
{
    m2_bytes *bytes = pcx_bytes(width, 1, width, M2_PCX_RUNS);
    uint8_t   tail[769], run[2], rgb[3];
    uint32_t  i, wrong = 0;
    shot     *one;
    memcpy(tail, bytes->data + bytes->size - sizeof tail, sizeof tail);
    m2_resize(bytes, 128);
    m2_put16(bytes->data + 10, height - 1);
    run[0] = (uint8_t)(0xC0 + length);
    run[1] = 5;
    for (i = 0; i < count; ++i) m2_append(bytes, run, 2);
    m2_append(bytes, tail, sizeof tail);
    m2_pcx_colour(5, rgb);
    one = take(bytes);
    CHECK(one->pixels && one->width == width && one->height == height);
    for (i = 0; one->pixels && i < width * height; ++i) {
        wrong += memcmp(one->pixels + i * 4, rgb, 3) != 0 || one->pixels[i * 4 + 3] != 255;
    }
    CHECK_EQ(wrong, 0);
    drop(one);
}

/* Runs of length 0, in front, in a row and at the end of a row, paint nothing. */
static void test_empty_runs(void)
{
    static const uint8_t runs[] = { 0xC0, 5, 0xC0, 6, 1, 2, 3, 0xC0, 7, 4, 0xC0, 8, 12 };
    m2_bytes *bytes = pcx_bytes(4, 1, 4, M2_PCX_PLAIN);
    uint8_t   palette[768], rgb[3];
    uint32_t  i;
    shot     *one;
    memcpy(palette, bytes->data + bytes->size - sizeof palette, sizeof palette);
    m2_resize(bytes, 128);
    m2_append(bytes, runs, sizeof runs);
    m2_append(bytes, palette, sizeof palette);
    one = take(bytes);
    CHECK(one->pixels && one->width == 4 && one->height == 1);
    for (i = 0; one->pixels && i < 4; ++i) {
        m2_pcx_colour((uint8_t)(i + 1), rgb);
        CHECK(memcmp(one->pixels + 4 * i, rgb, 3) == 0);
    }
    drop(one);
}

static void test_long_runs(void)
{
    check_runs(63, 200, 63, 200);    /* as small as a picture can be for its size */
    check_runs(1, 65536, 32, 2048);  /* as tall as a picture can be */
}

typedef struct pcx_edit {             /* 8 x 4 pixels in 941 bytes: a byte, and what it becomes */
    size_t      at;
    uint8_t     byte;
    size_t      offset;
    const char *message;
    md2_result  code;
} pcx_edit;

static const pcx_edit pcx_edits[] = {
    { 0, 9, 0, "not a PCX picture", MD2_ERROR_NOT_MD2 },
    { 0, 10, 0, "", MD2_OK },
    { 2, 0, 2, "a PCX of 1 planes of 8 bits, not one of 8", MD2_ERROR_VERSION },
    { 2, 2, 2, "a PCX of 1 planes of 8 bits, not one of 8", MD2_ERROR_VERSION },
    { 3, 4, 2, "a PCX of 1 planes of 4 bits, not one of 8", MD2_ERROR_VERSION },
    { 65, 3, 2, "a PCX of 3 planes of 8 bits, not one of 8", MD2_ERROR_VERSION },
    { 65, 0, 2, "a PCX of 0 planes of 8 bits, not one of 8", MD2_ERROR_VERSION },
    { 4, 8, 4, "a PCX with rows of 8 bytes for 0 pixels", MD2_ERROR_CORRUPT },
    { 4, 7, 0, "", MD2_OK },
    { 5, 1, 4, "a PCX with rows of 8 bytes for 4294967048 pixels", MD2_ERROR_CORRUPT },
    { 6, 4, 4, "a PCX with rows of 8 bytes for 8 pixels", MD2_ERROR_CORRUPT },
    { 6, 3, 0, "", MD2_OK },
    { 8, 6, 0, "", MD2_OK },
    { 8, 8, 4, "a PCX with rows of 8 bytes for 9 pixels", MD2_ERROR_CORRUPT },
    { 9, 1, 4, "a PCX with rows of 8 bytes for 264 pixels", MD2_ERROR_CORRUPT },
    { 10, 4, 173, "the PCX ends before its 8 x 5 pixels do", MD2_ERROR_TRUNCATED },
    { 10, 2, 0, "", MD2_OK },
    { 10, 255, 173, "the PCX ends before its 8 x 256 pixels do", MD2_ERROR_TRUNCATED },
    { 66, 7, 4, "a PCX with rows of 7 bytes for 8 pixels", MD2_ERROR_CORRUPT },
    { 66, 9, 173, "the PCX ends before its 8 x 4 pixels do", MD2_ERROR_TRUNCATED },
    { 67, 1, 173, "the PCX ends before its 8 x 4 pixels do", MD2_ERROR_TRUNCATED },
    { 128, 192, 0, "", MD2_OK },
    { 128, 193, 0, "", MD2_OK },
    { 128, 255, 0, "", MD2_OK },
    { 172, 0, 0, "", MD2_OK },
    { 172, 12, 0, "", MD2_OK },
    { 172, 200, 0, "", MD2_OK },
    { 173, 12, 0, "", MD2_OK }
};

static void test_pcx_edits(void)
{
    size_t i;
    for (i = 0; i < sizeof pcx_edits / sizeof pcx_edits[0]; ++i) {
        const pcx_edit *one = &pcx_edits[i];
        m2_bytes       *bytes = pcx_bytes(8, 4, 8, M2_PCX_PLAIN);
        uint32_t        width = 99, height = 99;
        md2_error       error;
        uint8_t        *pixels;
        bytes->data[one->at] = one->byte;
        pixels = md2_load_pcx_memory(bytes->data, bytes->size, &width, &height, NULL, &error);
        CHECK((pixels != NULL) == (one->code == MD2_OK));
        check_error(&error, one->code, one->offset, one->message);
        CHECK((width <= 8 && height <= 4) == (pixels != NULL));
        md2_free_image(pixels, width, height, NULL);
    }
}

static void check_bad_pcx(const m2_bytes *bytes)
{
    shot *one = take(bytes);
    CHECK(!one->pixels && strlen(one->error.message) >= 10);
    drop(one);
}

/* Cut short anywhere, or 65,536 x 65,536 pixels of next to nothing. */
static void test_bad_pictures(void)
{
    size_t    length;
    m2_bytes *bytes = pcx_bytes(61, 40, 64, M2_PCX_RUNS);
    memset(bytes->data + 8, 0xFF, 4);
    check_bad_pcx(bytes);
    for (length = 0; length < bytes->size; ++length) {
        m2_bytes *cut = pcx_bytes(61, 40, 64, M2_PCX_RUNS);
        m2_resize(cut, length);
        check_bad_pcx(cut);
    }
}

/* Real files lack the byte that announces the palette: the picture is shown as it is or refused. */
static void check_palette_of(const m2_bytes *bytes)
{
    shot *one = take(bytes);
    if (one->pixels) CHECK_EQ(wrong_pixels(one->pixels, 64, 64), 0);
    else CHECK(strlen(one->error.message) >= 10);
    drop(one);
}

static void test_palette_marker(void)
{
    m2_bytes *bytes = pcx_bytes(64, 64, 64, M2_PCX_RUNS);
    uint8_t  *marker = bytes->data + bytes->size - 769;
    *marker = 0;
    check_palette_of(bytes);
    memmove(marker, marker + 1, 768); /* and without any */
    m2_resize(bytes, bytes->size - 1);
    check_palette_of(bytes);
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

static void test_pcx_arguments(void)
{
    m2_bytes          *bytes = pcx_bytes(8, 4, 8, M2_PCX_PLAIN), none = { NULL, 9 };
    size_t             size = bytes->size;
    md2_options        options = options_of(0);
    md2_error          error;
    counting_allocator memory;
    uint32_t           side;
    uint8_t           *pixels;
    check_pcx_refused(&none, 9, NULL, MD2_ERROR_ARGUMENT, 0, "no data, width or height is given");
    CHECK(!md2_load_pcx_memory(bytes->data, size, NULL, &side, NULL, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "no data, width or height is given");
    CHECK(!md2_load_pcx_memory(bytes->data, size, &side, NULL, NULL, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "no data, width or height is given");
    check_pcx_refused(bytes, 3, NULL, MD2_ERROR_NOT_MD2, 0, "not a PCX picture");
    check_pcx_refused(bytes, 895, NULL, MD2_ERROR_TRUNCATED, 895,
                      "895 bytes are too few for a PCX with a palette");
    use_memory(&options, &memory);
    options.allocator.alloc = NULL;
    check_pcx_refused(bytes, size, &options, MD2_ERROR_ARGUMENT, 0,
                      "an allocator needs both alloc and release");
    options.allocator.alloc = counting_alloc;
    memory.fail_at = 1;
    check_pcx_refused(bytes, size, &options, MD2_ERROR_MEMORY, 0, "no memory for 128 bytes");
    memory.fail_at = 0;
    options.max_bytes = 127;
    check_pcx_refused(bytes, size, &options, MD2_ERROR_LIMIT, 0,
                      "128 bytes more are needed, but max_bytes is 127");
    options.max_bytes = 128;
    pixels = md2_load_pcx_memory(bytes->data, size, &side, &side, &options, &error);
    CHECK(pixels != NULL);
    options.allocator.alloc = NULL; /* half an allocator releases nothing */
    md2_free_image(pixels, 8, 4, &options);
    CHECK_EQ(memory.live_blocks, 1);
    options.allocator.alloc = counting_alloc;
    md2_free_image(pixels, 8, 4, &options);
    CHECK(counting_is_clean(&memory));
    md2_free_image(NULL, 0, 0, NULL);
}

/* Any single byte may be anything: a picture or a refusal, nothing else. */
static void test_byte_changes(void)
{
    m2_bytes *bytes = pcx_bytes(13, 9, 14, M2_PCX_RUNS);
    size_t    i;
    uint32_t  value, loaded = 0, refused = 0;
    for (i = 0; i < bytes->size; i += i < 300 ? 1 : 31) {
        uint8_t kept = bytes->data[i];
        for (value = 0; value < 256; value += i < 128 ? 1 : 5) {
            shot *one;
            bytes->data[i] = (uint8_t)value;
            one = take(bytes);
            if (one->pixels) ++loaded;
            else ++refused;
            drop(one);
        }
        bytes->data[i] = kept;
    }
    CHECK_FLOOR(loaded, 10000, "changed pictures that still load");
    CHECK_FLOOR(refused, 500, "changed pictures that are refused");
}

void test_pcx(void)
{
    RUN(test_good_pictures);
    RUN(test_long_runs);
    RUN(test_empty_runs);
    RUN(test_pcx_edits);
    RUN(test_bad_pictures);
    RUN(test_palette_marker);
    RUN(test_pcx_arguments);
    RUN(test_byte_changes);
}
