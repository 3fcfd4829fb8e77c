/* test_md2_edges.c: a cube of 760 bytes with one number changed, cut at one place: what loads, what is
   refused, with which words and at which byte; and every function at the edge of what it takes. Quick,
   and exact where test_md2 is thorough. Public domain. */
#include "md2.h"

#include "check.h"
#include "model_builder_md2.h"
#include "support.h"

void scalar_vertices(const md2_model *model, const md2_pose *pose, float *positions,
                     size_t position_stride, float *normals, size_t normal_stride);

/* -- One number changed ---------------------------------------------------- */

/* The cube: 64 x 64, frames of 72 bytes; 1 skin at 68, 24 texture coordinates at 132, 12 triangles
   at 228, 1 frame at 372, 79 words of GL commands at 444, the end at 760. */
typedef struct edit {
    int         field;                /* of the header; or M2_FIELDS: the file ends after `value` */
    uint32_t    value;
    size_t      offset;
    const char *message;
    md2_result  code;
} edit;

static m2_bytes cube_with(int field, uint32_t value)
{
    m2_bytes bytes = m2_named("cube");
    if (field == M2_FIELDS) m2_resize(&bytes, value);
    else m2_set_field(&bytes, field, value);
    return bytes;
}

static void check_error(const md2_error *error, md2_result code, size_t offset, const char *message)
{
    CHECK_TEXT(md2_result_name(error->code), md2_result_name(code));
    CHECK_EQ(error->offset, offset);
    CHECK_TEXT(error->message, message);
}

static const edit edits[] = {
    { M2_IDENT, 0x33504449, 0, "this is an MD3 (Quake III) model, not an MD2", MD2_ERROR_NOT_MD2 },
    { M2_IDENT, 0x4F504449, 0, "this is an MDL (Quake) model, not an MD2", MD2_ERROR_NOT_MD2 },
    { M2_IDENT, 0x54534449, 0, "this is an MDL (Half-Life) model, not an MD2", MD2_ERROR_NOT_MD2 },
    { M2_IDENT, 0x58504449, 0, "this is an MDX (Kingpin) model, not an MD2", MD2_ERROR_NOT_MD2 },
    { M2_IDENT, 0x32534449, 0, "this is an SP2 (Quake II) sprite, not an MD2", MD2_ERROR_NOT_MD2 },
    { M2_IDENT, 0x444D4B44, 0, "this is a DKM (Daikatana) model, not an MD2", MD2_ERROR_NOT_MD2 },
    { M2_IDENT, 0x5635444D, 0,
      "this is an MD5 (Doom 3) text, for md5.h, not an MD2", MD2_ERROR_NOT_MD2 },
    { M2_IDENT, 0x46546C67, 0, "this is a glTF model, not an MD2", MD2_ERROR_NOT_MD2 },
    { M2_IDENT, 0x2032444D, 0,
      "not an MD2: its 760 bytes begin with \"MD2 \", not with \"IDP2\"", MD2_ERROR_NOT_MD2 },
    { M2_IDENT, 0x31504449, 0,
      "not an MD2: its 760 bytes begin with \"IDP1\", not with \"IDP2\"", MD2_ERROR_NOT_MD2 },
    { M2_VERSION, 8, 0, "", MD2_OK },
    { M2_VERSION, 7, 4, "version 7, not 8", MD2_ERROR_VERSION },
    { M2_VERSION, 9, 4, "version 9, not 8", MD2_ERROR_VERSION },
    { M2_VERSION, 14, 4, "version 14, not 8: Anachronox' variant of MD2", MD2_ERROR_VERSION },
    { M2_VERSION, 15, 4, "version 15, not 8: Anachronox' variant of MD2", MD2_ERROR_VERSION },
    { M2_VERSION, 13, 4, "version 13, not 8", MD2_ERROR_VERSION },
    { M2_VERSION, 16, 4, "version 16, not 8", MD2_ERROR_VERSION },
    { M2_VERSION, 0x8000000E, 4,
      "version 2147483662, not 8: Anachronox' variant of MD2", MD2_ERROR_VERSION },
    { M2_VERSION, 0xFFFFFFFF, 4, "version 4294967295, not 8", MD2_ERROR_VERSION },
    { M2_SKIN_WIDTH, 0, 0, "", MD2_OK },
    { M2_SKIN_WIDTH, 1, 0, "", MD2_OK },
    { M2_SKIN_WIDTH, 0x7FFFFFFF, 0, "", MD2_OK },
    { M2_SKIN_WIDTH, 0x80000000, 0, "", MD2_OK },
    { M2_SKIN_HEIGHT, 0, 0, "", MD2_OK },
    { M2_SKIN_HEIGHT, 1, 0, "", MD2_OK },
    { M2_SKIN_HEIGHT, 0x7FFFFFFF, 0, "", MD2_OK },
    { M2_SKIN_HEIGHT, 0x80000000, 0, "", MD2_OK },
    { M2_FRAME_SIZE, 0, 16, "a frame of 0 bytes cannot hold 8 points", MD2_ERROR_CORRUPT },
    { M2_FRAME_SIZE, 71, 16, "a frame of 71 bytes cannot hold 8 points", MD2_ERROR_CORRUPT },
    { M2_FRAME_SIZE, 72, 0, "", MD2_OK },
    { M2_FRAME_SIZE, 73, 0, "", MD2_OK },
    { M2_FRAME_SIZE, 388, 0, "", MD2_OK },
    { M2_FRAME_SIZE, 389, 56, "the frames end at byte 761, the file has 760", MD2_ERROR_CORRUPT },
    { M2_FRAME_SIZE, 0x7FFFFFFF, 56,
      "the frames end at byte 2147484019, the file has 760", MD2_ERROR_CORRUPT },
    { M2_FRAME_SIZE, 0x80000000, 16,
      "the number of bytes in a frame is negative: -2147483648", MD2_ERROR_CORRUPT },
    { M2_FRAME_SIZE, 0xFFFFFFFF, 16,
      "the number of bytes in a frame is negative: -1", MD2_ERROR_CORRUPT },
    { M2_SKINS, 0, 0, "", MD2_OK },
    { M2_SKINS, 10, 0, "", MD2_OK },
    { M2_SKINS, 11, 44, "the skins end at byte 772, the file has 760", MD2_ERROR_CORRUPT },
    { M2_SKINS, 0x7FFFFFFF, 44,
      "the skins end at byte 137438953476, the file has 760", MD2_ERROR_CORRUPT },
    { M2_SKINS, 0x80000000, 20,
      "the number of skins is negative: -2147483648", MD2_ERROR_CORRUPT },
    { M2_SKINS, 0xFFFFFFFF, 20, "the number of skins is negative: -1", MD2_ERROR_CORRUPT },
    { M2_POINTS, 0, 24, "the model has no points", MD2_ERROR_CORRUPT },
    { M2_POINTS, 1, 0, "", MD2_OK },
    { M2_POINTS, 7, 0, "", MD2_OK },
    { M2_POINTS, 9, 16, "a frame of 72 bytes cannot hold 9 points", MD2_ERROR_CORRUPT },
    { M2_POINTS, 0x7FFFFFFF, 16,
      "a frame of 72 bytes cannot hold 2147483647 points", MD2_ERROR_CORRUPT },
    { M2_POINTS, 0x80000000, 24,
      "the number of points is negative: -2147483648", MD2_ERROR_CORRUPT },
    { M2_ST, 0, 0, "", MD2_OK },
    { M2_ST, 157, 0, "", MD2_OK },
    { M2_ST, 158, 48,
      "the texture coordinates end at byte 764, the file has 760", MD2_ERROR_CORRUPT },
    { M2_ST, 0x80000000, 28,
      "the number of texture coordinates is negative: -2147483648", MD2_ERROR_CORRUPT },
    { M2_TRIS, 0, 0, "", MD2_OK },
    { M2_TRIS, 44, 0, "", MD2_OK },
    { M2_TRIS, 45, 52, "the triangles end at byte 768, the file has 760", MD2_ERROR_CORRUPT },
    { M2_TRIS, 0x80000000, 32,
      "the number of triangles is negative: -2147483648", MD2_ERROR_CORRUPT },
    { M2_WORDS, 0, 0, "", MD2_OK },
    { M2_WORDS, 78, 0, "", MD2_OK },
    { M2_WORDS, 80, 60, "the GL commands end at byte 764, the file has 760", MD2_ERROR_CORRUPT },
    { M2_WORDS, 0x80000000, 36,
      "the number of GL commands is negative: -2147483648", MD2_ERROR_CORRUPT },
    { M2_FRAMES, 0, 40, "the model has no frames", MD2_ERROR_CORRUPT },
    { M2_FRAMES, 2, 444,
      "frame 1 of 2 has a scale or a position that is no finite number", MD2_ERROR_CORRUPT },
    { M2_FRAMES, 5, 444,
      "frame 1 of 5 has a scale or a position that is no finite number", MD2_ERROR_CORRUPT },
    { M2_FRAMES, 6, 56, "the frames end at byte 804, the file has 760", MD2_ERROR_CORRUPT },
    { M2_FRAMES, 65536, 56,
      "the frames end at byte 4718964, the file has 760", MD2_ERROR_CORRUPT },
    { M2_FRAMES, 65537, 56,
      "the frames end at byte 4719036, the file has 760", MD2_ERROR_CORRUPT },
    { M2_FRAMES, 0x80000000, 40,
      "the number of frames is negative: -2147483648", MD2_ERROR_CORRUPT },
    { M2_OFS_SKINS, 0, 44,
      "the skins begin at byte 0, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_SKINS, 67, 44,
      "the skins begin at byte 67, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_SKINS, 68, 0, "", MD2_OK },
    { M2_OFS_SKINS, 696, 0, "", MD2_OK },
    { M2_OFS_SKINS, 697, 44, "the skins end at byte 761, the file has 760", MD2_ERROR_CORRUPT },
    { M2_OFS_SKINS, 0x7FFFFFFF, 44,
      "the skins end at byte 2147483711, the file has 760", MD2_ERROR_CORRUPT },
    { M2_OFS_SKINS, 0x80000000, 44,
      "the skins begin at byte 2147483648, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_SKINS, 0xFFFFFFFF, 44,
      "the skins begin at byte 4294967295, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_ST, 0, 48,
      "the texture coordinates begin at byte 0, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_ST, 67, 48,
      "the texture coordinates begin at byte 67, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_ST, 68, 0, "", MD2_OK },
    { M2_OFS_ST, 664, 0, "", MD2_OK },
    { M2_OFS_ST, 665, 48,
      "the texture coordinates end at byte 761, the file has 760", MD2_ERROR_CORRUPT },
    { M2_OFS_ST, 0x7FFFFFFF, 48,
      "the texture coordinates end at byte 2147483743, the file has 760", MD2_ERROR_CORRUPT },
    { M2_OFS_ST, 0x80000000, 48,
      "the texture coordinates begin at byte 2147483648, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_ST, 0xFFFFFFFF, 48,
      "the texture coordinates begin at byte 4294967295, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_TRIS, 0, 52,
      "the triangles begin at byte 0, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_TRIS, 67, 52,
      "the triangles begin at byte 67, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_TRIS, 68, 0, "", MD2_OK },
    { M2_OFS_TRIS, 616, 0, "", MD2_OK },
    { M2_OFS_TRIS, 617, 52, "the triangles end at byte 761, the file has 760", MD2_ERROR_CORRUPT },
    { M2_OFS_TRIS, 0x7FFFFFFF, 52,
      "the triangles end at byte 2147483791, the file has 760", MD2_ERROR_CORRUPT },
    { M2_OFS_TRIS, 0x80000000, 52,
      "the triangles begin at byte 2147483648, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_TRIS, 0xFFFFFFFF, 52,
      "the triangles begin at byte 4294967295, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_FRAMES, 0, 56,
      "the frames begin at byte 0, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_FRAMES, 67, 56,
      "the frames begin at byte 67, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_FRAMES, 68, 0, "", MD2_OK },
    { M2_OFS_FRAMES, 688, 688,
      "frame 0 of 1 has a scale or a position that is no finite number", MD2_ERROR_CORRUPT },
    { M2_OFS_FRAMES, 689, 56, "the frames end at byte 761, the file has 760", MD2_ERROR_CORRUPT },
    { M2_OFS_FRAMES, 0x7FFFFFFF, 56,
      "the frames end at byte 2147483719, the file has 760", MD2_ERROR_CORRUPT },
    { M2_OFS_FRAMES, 0x80000000, 56,
      "the frames begin at byte 2147483648, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_FRAMES, 0xFFFFFFFF, 56,
      "the frames begin at byte 4294967295, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_WORDS, 0, 60,
      "the GL commands begin at byte 0, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_WORDS, 67, 60,
      "the GL commands begin at byte 67, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_WORDS, 68, 0, "", MD2_OK },
    { M2_OFS_WORDS, 444, 0, "", MD2_OK },
    { M2_OFS_WORDS, 445, 60,
      "the GL commands end at byte 761, the file has 760", MD2_ERROR_CORRUPT },
    { M2_OFS_WORDS, 0x7FFFFFFF, 60,
      "the GL commands end at byte 2147483963, the file has 760", MD2_ERROR_CORRUPT },
    { M2_OFS_WORDS, 0x80000000, 60,
      "the GL commands begin at byte 2147483648, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_OFS_WORDS, 0xFFFFFFFF, 60,
      "the GL commands begin at byte 4294967295, outside the file or inside its header", MD2_ERROR_CORRUPT },
    { M2_END, 0, 0, "", MD2_OK },
    { M2_END, 759, 0, "", MD2_OK },
    { M2_END, 761, 0, "", MD2_OK },
    { M2_FIELDS, 0, 0, "the file is empty", MD2_ERROR_NOT_MD2 },
    { M2_FIELDS, 3, 0, "not an MD2: its 3 bytes begin with \"IDP\", not with \"IDP2\"", MD2_ERROR_NOT_MD2 },
    { M2_FIELDS, 4, 4, "the header has 68 bytes, the file 4", MD2_ERROR_TRUNCATED },
    { M2_FIELDS, 67, 67, "the header has 68 bytes, the file 67", MD2_ERROR_TRUNCATED },
    { M2_FIELDS, 68, 44, "the skins end at byte 132, the file has 68", MD2_ERROR_TRUNCATED },
    { M2_FIELDS, 131, 44, "the skins end at byte 132, the file has 131", MD2_ERROR_TRUNCATED },
    { M2_FIELDS, 132, 48,
      "the texture coordinates end at byte 228, the file has 132", MD2_ERROR_TRUNCATED },
    { M2_FIELDS, 371, 52, "the triangles end at byte 372, the file has 371", MD2_ERROR_TRUNCATED },
    { M2_FIELDS, 443, 56, "the frames end at byte 444, the file has 443", MD2_ERROR_TRUNCATED },
    { M2_FIELDS, 444, 60,
      "the GL commands end at byte 760, the file has 444", MD2_ERROR_TRUNCATED },
    { M2_FIELDS, 759, 60,
      "the GL commands end at byte 760, the file has 759", MD2_ERROR_TRUNCATED },
    { M2_FIELDS, 760, 0, "", MD2_OK }
};

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

static void test_edits(void)
{
    size_t    i;
    md2_error error;
    check_section("a cube with one number changed");
    for (i = 0; i < sizeof edits / sizeof edits[0]; ++i) {
        m2_bytes   bytes = cube_with(edits[i].field, edits[i].value);
        md2_model *model = md2_load_memory(bytes.data, bytes.size, NULL, &error);
        CHECK((model != NULL) == (edits[i].code == MD2_OK));
        check_error(&error, edits[i].code, edits[i].offset, edits[i].message);
        if (model) {
            uint32_t sound = edits[i].value > 0x7FFFFFFFu ? 0 : edits[i].value;
            CHECK_EQ(model->skin_width, edits[i].field == M2_SKIN_WIDTH ? sound : 64);
            CHECK_EQ(model->skin_height, edits[i].field == M2_SKIN_HEIGHT ? sound : 64);
        }
        md2_free_model(model);
        m2_free(&bytes);
    }
    check_section("a picture with one byte changed");
    for (i = 0; i < sizeof pcx_edits / sizeof pcx_edits[0]; ++i) {
        const pcx_edit *one = &pcx_edits[i];
        m2_bytes        bytes = m2_pcx(8, 4, 8, M2_PCX_PLAIN);
        uint32_t        width = 99, height = 99;
        uint8_t        *pixels;
        bytes.data[one->at] = one->byte;
        pixels = md2_load_pcx_memory(bytes.data, bytes.size, &width, &height, NULL, &error);
        CHECK((pixels != NULL) == (one->code == MD2_OK));
        check_error(&error, one->code, one->offset, one->message);
        CHECK((width <= 8 && height <= 4) == (pixels != NULL));
        md2_free_image(pixels, width, height, NULL);
        m2_free(&bytes);
    }
}

/* -- Arguments ------------------------------------------------------------- */

static size_t read_nothing(void *user, void *dst, size_t size)
{
    (void)user;
    (void)dst;
    (void)size;
    return 0;
}

/* Every loader refuses what one refuses, and says so in the same words. */
static void test_loaders_alike(void)
{
    m2_bytes    bytes = m2_named("cube");
    md2_options options;
    md2_reader  reader;
    md2_error   error;
    const char *path = "test_md2_edges.tmp";
    int         i;
    counting_allocator memory;
    check_section("loaders");
    memset(&options, 0, sizeof options);
    options.scale = -1;
    reader.read = read_nothing;
    reader.user = NULL;
    CHECK(write_file(path, bytes.data, bytes.size));
    for (i = 0; i < 3; ++i) {
        memset(&error, 0x5A, sizeof error);
        if (i == 0) CHECK(!md2_load_memory(bytes.data, bytes.size, &options, &error));
        if (i == 1) CHECK(!md2_load_reader(&reader, &options, &error));
        if (i == 2) CHECK(!md2_load_file(path, &options, &error));
        check_error(&error, MD2_ERROR_ARGUMENT, 0, "options.scale is no finite number above 0");
    }
    options.scale = 0;
    for (i = 0; i < 2; ++i) {
        md2_model *model;
        options.fps = i ? FLT_MAX : -FLT_MAX;
        model = md2_load_memory(bytes.data, bytes.size, &options, NULL);
        if (CHECK(model && model->anim_count)) CHECK(model->anims[0].fps == (i ? FLT_MAX : 10.0f));
        md2_free_model(model);
    }
    options.fps = 0;
    options.flags = MD2_BORROW;
    for (i = 1; i < 3; ++i) {
        memset(&error, 0x5A, sizeof error);
        if (i == 1) CHECK(!md2_load_reader(&reader, &options, &error));
        if (i == 2) CHECK(!md2_load_file(path, &options, &error));
        check_error(&error, MD2_ERROR_ARGUMENT, 0, "MD2_BORROW is for md2_load_memory, without MD2_Y_UP");
    }
    options.flags = MD2_BORROW | MD2_Y_UP;
    CHECK(!md2_load_memory(bytes.data, bytes.size, &options, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "MD2_BORROW is for md2_load_memory, without MD2_Y_UP");
    options.flags = MD2_FRAME_NAMES | MD2_QUAKE2_ANIMS;
    CHECK(!md2_load_memory(bytes.data, bytes.size, &options, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "MD2_FRAME_NAMES and MD2_QUAKE2_ANIMS exclude each other");
    options.flags = 0;
    options.max_bytes = 100;
    CHECK(!md2_load_file(path, &options, &error)); /* the file alone is too large */
    check_error(&error, MD2_ERROR_LIMIT, 0, "100 bytes more are needed, but max_bytes is 100");
    options.allocator.alloc = counting_alloc;
    CHECK(!md2_load_file(path, &options, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "an allocator needs both alloc and release");
    memset(&memory, 0, sizeof memory);
    memory.fail_at = 1;
    options.allocator.release = counting_release;
    options.allocator.user = &memory;
    options.max_bytes = 0;
    CHECK(!md2_load_file(path, &options, &error)); /* not even for the first bytes */
    check_error(&error, MD2_ERROR_MEMORY, 0, "no memory for 761 bytes");
    CHECK(!md2_load_reader(&reader, NULL, &error));
    check_error(&error, MD2_ERROR_NOT_MD2, 0, "the file is empty");
    CHECK_TEXT(md2_result_name(MD2_RESULT_COUNT), "MD2_ERROR_UNKNOWN");
    CHECK(!md2_load_memory(NULL, 9, NULL, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "no data is given");
    CHECK(!md2_load_reader(NULL, NULL, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "no reader is given");
    CHECK(!md2_load_file(NULL, NULL, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "no path is given");
    CHECK(write_file(path, "", 0));
    CHECK(!md2_load_file(path, NULL, &error));
    CHECK_EQ(error.code, MD2_ERROR_NOT_MD2);
    CHECK(!md2_load_file("no folder\n\x01\x1F\x7F\xC3\xA4 $#", NULL, &error));
    check_error(&error, MD2_ERROR_OPEN, 0, "cannot open no folder ????? $#");
    remove(path);
    m2_free(&bytes);
}

static void test_pcx_arguments(void)
{
    m2_bytes     bytes = m2_pcx(8, 4, 8, M2_PCX_PLAIN);
    md2_options  options;
    md2_error    error;
    counting_allocator memory;
    uint32_t     width = 7, height = 7;
    uint8_t     *pixels;
    check_section("arguments of pictures");
    memset(&options, 0, sizeof options);
    memset(&memory, 0, sizeof memory);
    CHECK(!md2_load_pcx_memory(NULL, 9, &width, &height, NULL, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "no data, width or height is given");
    CHECK(!md2_load_pcx_memory(bytes.data, bytes.size, NULL, &height, NULL, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "no data, width or height is given");
    CHECK(!md2_load_pcx_memory(bytes.data, bytes.size, &width, NULL, NULL, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "no data, width or height is given");
    CHECK(!md2_load_pcx_memory(bytes.data, 3, &width, &height, NULL, &error));
    check_error(&error, MD2_ERROR_NOT_MD2, 0, "not a PCX picture");
    CHECK(!md2_load_pcx_memory(bytes.data, 895, &width, &height, NULL, &error));
    check_error(&error, MD2_ERROR_TRUNCATED, 895, "895 bytes are too few for a PCX with a palette");
    CHECK_EQ(width, 7);
    options.allocator.release = counting_release;
    options.allocator.user = &memory;
    CHECK(!md2_load_pcx_memory(bytes.data, bytes.size, &width, &height, &options, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "an allocator needs both alloc and release");
    options.allocator.alloc = counting_alloc;
    options.max_bytes = 127;
    CHECK(!md2_load_pcx_memory(bytes.data, bytes.size, &width, &height, &options, &error));
    check_error(&error, MD2_ERROR_LIMIT, 0, "128 bytes more are needed, but max_bytes is 127");
    options.max_bytes = 128;
    pixels = md2_load_pcx_memory(bytes.data, bytes.size, &width, &height, &options, &error);
    CHECK(pixels && width == 8 && height == 4);
    options.allocator.alloc = NULL; /* half an allocator releases nothing */
    md2_free_image(pixels, width, height, &options);
    CHECK_EQ(memory.live_blocks, 1);
    options.allocator.alloc = counting_alloc;
    md2_free_image(pixels, width, height, &options);
    CHECK(counting_is_clean(&memory));
    m2_free(&bytes);
}

/* No byte more than it takes. */
static void test_memory(void)
{
    static const char *const names[3] = { "cube", "sheet", "moving_cube" };
    static const size_t      kept[3] = { 1200, 1964, 1312 }, most[3] = { 2183, 4083, 2343 };
    int i;
    check_section("memory");
    for (i = 0; i < 3 && sizeof(void *) == 8; ++i) {
        m2_bytes     bytes = m2_named(names[i]);
        md2_options  options;
        counting_allocator memory;
        md2_model   *model;
        memset(&options, 0, sizeof options);
        memset(&memory, 0, sizeof memory);
        options.allocator.alloc = counting_alloc;
        options.allocator.release = counting_release;
        options.allocator.user = &memory;
        model = md2_load_memory(bytes.data, bytes.size, &options, NULL);
        if (CHECK(model != NULL)) {
            CHECK_EQ(model->bytes, kept[i]);
            CHECK_EQ(memory.peak_bytes, most[i]);
        }
        md2_free_model(model);
        CHECK(counting_is_clean(&memory));
        m2_free(&bytes);
    }
}

/* The tallest picture there can be: 65,536 rows of one pixel. */
static void test_tall_pcx(void)
{
    m2_bytes             bytes = m2_pcx(1, 1, 1, M2_PCX_PLAIN);
    uint8_t              tail[769], *pixels;
    static const uint8_t run[2] = { 0xC0 + 32, 5 };
    uint32_t             width = 0, height = 0, i;
    check_section("a tall picture");
    memcpy(tail, bytes.data + bytes.size - 769, sizeof tail);
    bytes.data[10] = bytes.data[11] = 0xFF;
    m2_resize(&bytes, 128);
    for (i = 0; i < 2048; ++i) m2_append(&bytes, run, 2);
    m2_append(&bytes, tail, sizeof tail);
    pixels = md2_load_pcx_memory(bytes.data, bytes.size, &width, &height, NULL, NULL);
    CHECK(pixels && width == 1 && height == 65536);
    if (pixels) CHECK(memcmp(pixels + 4 * 65535, tail + 1 + 3 * 5, 3) == 0 && pixels[4 * 65535 + 3] == 255);
    md2_free_image(pixels, width, height, NULL);
    m2_free(&bytes);
}

static void expect_path(const md2_model *model, const char *model_path, uint32_t attempt,
                        const char *wanted)
{
    char path[64] = "";
    bool found = md2_skin_path(model, model_path, 0, attempt, path, sizeof path);
    CHECK_EQ(found, wanted != NULL);
    if (wanted) CHECK_TEXT(path, wanted);
}

static void expect_anims(const char *const *names, uint32_t count, const char *first, const char *second)
{
    md2_anim anims[8];
    uint32_t found = md2_split_frame_names(names, count, NULL, anims, 8);
    CHECK_EQ(found, second ? 2 : 1);
    CHECK_TEXT(anims[0].name, first);
    if (found > 1) CHECK_TEXT(anims[1].name, second);
}

/* An ending alone is the name; z is a letter, too; thousands begin at 1000. */
static void test_odd_frame_names(void)
{
    static const char *const bare[4] = { ".lwo", ".lwo", "a1.lwo", "a2.lwo" };
    static const char *const late[3] = { "a1", "a2z", "a3" };
    static const char *const later[3] = { "b1000", "b1001", "b1002" };
    check_section("odd names of frames");
    expect_anims(bare, 4, ".lwo", "a");
    expect_anims(late, 3, "a", NULL);
    expect_anims(later, 3, "b1", NULL);
}

/* Without its end the list of strips is none, wherever it is cut. */
static void test_cut_strips(void)
{
    m2_bytes bytes = m2_named("sheet");
    uint32_t full = m2_field(&bytes, M2_WORDS), n;
    check_section("strips that are cut");
    for (n = 0; n <= full; ++n) {
        md2_model *model;
        m2_set_field(&bytes, M2_WORDS, n);
        model = md2_load_memory(bytes.data, bytes.size, NULL, NULL);
        if (CHECK(model != NULL)) CHECK_EQ(model->strip_count > 0, n == full);
        md2_free_model(model);
    }
    m2_free(&bytes);
}

/* Names of the same length, and names that only differ in case. */
static void test_skin_names(void)
{
    m2_bytes   bytes = m2_named("cube");
    md2_model *model;
    check_section("names of skins");
    memset(m2_section(&bytes, M2_OFS_SKINS), 0, 64);
    memcpy(m2_section(&bytes, M2_OFS_SKINS), "a/Skin.pcx", 11);
    model = md2_load_memory(bytes.data, bytes.size, NULL, NULL);
    if (CHECK(model != NULL)) {
        expect_path(model, "b/tris.md2", 0, "b/Skin.pcx");
        expect_path(model, "b/tris.md2", 1, "b/Skin.png");
        expect_path(model, "b/tris.md2", 5, "b/Skin.bmp");
        expect_path(model, "b/tris.md2", 6, "b/tris.png");
        expect_path(model, "b/tris.md2", 11, "b/tris.pcx");
        expect_path(model, "b/tris.md2", 12, "b/skin.pcx");
        expect_path(model, "b/tris.md2", 17, "b/skin.bmp");
        expect_path(model, "b/tris.md2", 18, NULL);
        expect_path(model, "b/Skin.md2", 6, "b/skin.pcx");
        expect_path(model, "b/Skin.md2", 11, "b/skin.bmp");
        expect_path(model, "b/Skin.md2", 12, NULL);
        expect_path(model, NULL, 0, "Skin.pcx");
    }
    md2_free_model(model);
    m2_free(&bytes);
}

/* -- Numbers --------------------------------------------------------------- */

/* A sphere that no float can measure has the largest radius; a point at the origin has none. */
static void test_radius(void)
{
    static const float scales[4] = { 1e36f, 1.1e36f, 0, 1e-40f };
    int i;
    check_section("radius");
    for (i = 0; i < 4; ++i) {
        m2_bytes   bytes = m2_named("cube");
        uint8_t   *frame = m2_section(&bytes, M2_OFS_FRAMES);
        md2_model *model;
        int        axis, point;
        for (axis = 0; axis < 3; ++axis) {
            m2_put_float(frame + 4 * axis, scales[i]);
            m2_put_float(frame + 12 + 4 * axis, 0);
            for (point = 0; point < 8; ++point) frame[40 + 4 * point + axis] = 255;
        }
        model = md2_load_memory(bytes.data, bytes.size, NULL, NULL);
        if (CHECK(model != NULL)) {
            double reach = 255.0 * (double)scales[i];
            if (i == 1) CHECK_NEAR(model->frames[0].radius, FLT_MAX, 0);
            if (i == 0) CHECK(model->frames[0].radius >= FLT_MAX);
            if (i == 2) CHECK_NEAR(model->frames[0].radius, 0, 0);
            if (i == 3) CHECK_NEAR((double)model->frames[0].radius / reach, 1.7320508, 1e-4);
        }
        md2_free_model(model);
        m2_free(&bytes);
    }
}

/* Where translate and scale cancel, no point may lie outside what the decoded ones say. */
static void test_radius_after_cancellation(void)
{
    m2_bytes   bytes = m2_named("cube");
    uint8_t   *frame = m2_section(&bytes, M2_OFS_FRAMES);
    md2_model *model;
    int        axis, point;
    check_section("radius after cancellation");
    for (axis = 0; axis < 3; ++axis) {
        m2_put_float(frame + 4 * axis, 4000.3f);
        m2_put_float(frame + 12 + 4 * axis, -1000000.0f);
        for (point = 0; point < 8; ++point) frame[40 + 4 * point + axis] = (uint8_t)(249 + point % 2);
    }
    model = md2_load_memory(bytes.data, bytes.size, NULL, NULL);
    if (CHECK(model != NULL)) {
        const md2_frame *one = &model->frames[0];
        double           most = 0;
        for (point = 0; point < 8; ++point) {
            const md2_point *at = &one->points[point];
            double           square = 0;
            uint8_t          bytes_of[3];
            bytes_of[0] = at->x;
            bytes_of[1] = at->y;
            bytes_of[2] = at->z;
            for (axis = 0; axis < 3; ++axis) {
                float place = (float)bytes_of[axis] * one->scale[axis];
                place += one->translate[axis];
                square += (double)place * (double)place;
            }
            most = square > most ? square : most;
        }
        CHECK((double)one->radius >= sqrt(most));
        CHECK_NEAR((double)one->radius / sqrt(most), 1, 1e-6);
    }
    md2_free_model(model);
    m2_free(&bytes);
}

/* Normals that cancel out leave the one that points up, with SIMD and without, and in the vertices
   behind the last four. */
static void test_vanishing_normals(void)
{
    m2_bytes   bytes = m2_named("moving_cube");
    md2_model *model;
    md2_pose   pose = md2_pose_between(0, 1, 0.5f);
    float      normals[2][3 * 64];
    uint32_t   frame, i;
    check_section("normals that vanish");
    for (frame = 0; frame < 2; ++frame) {
        uint8_t *points = m2_section(&bytes, M2_OFS_FRAMES) + frame * 72 + 40;
        for (i = 0; i < 8; ++i) points[i * 4 + 3] = frame ? 143 : 52;
    }
    m2_set_field(&bytes, M2_TRIS, 11);
    model = md2_load_memory(bytes.data, bytes.size, NULL, NULL);
    if (CHECK(model != NULL && model->vertex_count < 64)) {
        uint32_t count = model->vertex_count;
        for (; model->vertex_count > count - 4; --model->vertex_count) {
            md2_pose_vertices(model, &pose, NULL, 0, normals[0], 0);
            scalar_vertices(model, &pose, NULL, 0, normals[1], 0);
            for (i = 0; i < model->vertex_count * 3; ++i) {
                CHECK_NEAR(normals[0][i], i % 3 == 2, 0);
                CHECK_NEAR(normals[1][i], i % 3 == 2, 0);
            }
        }
    }
    md2_free_model(model);
    m2_free(&bytes);
}

/* Any of the points, beside others whose normals stay. */
static void test_some_vanishing_normals(void)
{
    m2_bytes bytes = m2_named("moving_cube");
    md2_pose pose = md2_pose_between(0, 1, 0.5f);
    float    normals[2][3 * 64];
    uint32_t gone, i, axis;
    check_section("some normals vanish");
    for (gone = 0; gone < 256; ++gone) {
        uint8_t   *points = m2_section(&bytes, M2_OFS_FRAMES) + 40;
        md2_model *model;
        for (i = 0; i < 8; ++i) {
            points[i * 4 + 3] = 52;
            points[72 + i * 4 + 3] = gone >> i & 1 ? 143 : 52;
        }
        model = md2_load_memory(bytes.data, bytes.size, NULL, NULL);
        if (CHECK(model != NULL && model->vertex_count <= 64)) {
            md2_pose_vertices(model, &pose, NULL, 0, normals[0], 0);
            scalar_vertices(model, &pose, NULL, 0, normals[1], 0);
            CHECK(memcmp(normals[0], normals[1], model->vertex_count * 3 * sizeof(float)) == 0);
            for (i = 0; i < model->vertex_count; ++i) {
                bool         vanishes = (gone >> model->vertices[i].point & 1) != 0;
                const float *wanted = md2_normal(vanishes ? 255 : 52);
                for (axis = 0; axis < 3; ++axis) CHECK_NEAR(normals[0][3 * i + axis], wanted[axis], 1e-6);
            }
        }
        md2_free_model(model);
    }
    m2_free(&bytes);
}

/* A pose without entries is frame 0; one that claims more than four has four. */
static void test_odd_poses(void)
{
    m2_bytes   bytes = m2_named("moving_cube");
    md2_model *model = md2_load_memory(bytes.data, bytes.size, NULL, NULL);
    md2_pose   none, many, still = md2_pose_between(0, 0, 0), mixed;
    float      min[4][3], max[4][3];
    check_section("odd poses");
    memset(&none, 0x5A, sizeof none);
    none.count = 0;
    memset(&many, 0, sizeof many);
    many.count = 0xFFFFFFFFu;
    many.weight[0] = many.weight[3] = 0.5f;
    if (CHECK(model != NULL)) {
        md2_pose_bounds(model, &still, min[0], max[0]);
        md2_pose_bounds(model, NULL, min[1], max[1]);
        md2_pose_bounds(model, &none, min[2], max[2]);
        md2_pose_bounds(model, &many, min[3], max[3]);
        CHECK(memcmp(min[0], min[1], sizeof min[0]) == 0 && memcmp(max[0], max[1], sizeof max[0]) == 0);
        CHECK(memcmp(min[0], min[2], sizeof min[0]) == 0 && memcmp(max[0], max[2], sizeof max[0]) == 0);
        CHECK(memcmp(min[0], min[3], sizeof min[0]) == 0 && memcmp(max[0], max[3], sizeof max[0]) == 0);
    }
    mixed = md2_pose_mix(many, none, 0.5f);
    CHECK_EQ(mixed.count, 1);
    CHECK_EQ(mixed.frame[0], 0);
    CHECK_NEAR(mixed.weight[0], 1, 0);
    md2_free_model(model);
    m2_free(&bytes);
}

/* Times so large that their remainders are rounding errors still name frames of the animation. */
static void test_times(void)
{
    md2_anim     anim = { 10, 5, 1.0f, "x" };
    random_source random = { 5 };
    md2_pose     pose;
    int          i;
    check_section("times");
    pose = md2_pose_at(&anim, MD2_LOOP, 11259015011259014.0); /* the rest of that is -2 */
    CHECK_EQ(pose.frame[0], 10);
    for (i = 0; i < 20000; ++i) {
        double seconds = (random_unit(&random) - 0.5) * pow(10, 10 + i % 20);
        pose = md2_pose_at(&anim, i % 2 ? MD2_LOOP : MD2_PING_PONG, seconds);
        CHECK(pose.count >= 1 && pose.count <= 2 && pose.frame[0] >= 10 && pose.frame[0] <= 14);
        CHECK(pose.count == 1 || (pose.frame[1] >= 10 && pose.frame[1] <= 14));
    }
    CHECK_NEAR(md2_anim_length(NULL, MD2_LOOP), 0, 0);
    anim.fps = (float)HUGE_VAL;
    CHECK_NEAR(md2_anim_length(&anim, MD2_LOOP), 0.5, 0);
    anim.fps = -1;
    CHECK_NEAR(md2_anim_length(&anim, MD2_ONCE), 0.4, 1e-9);
    pose = md2_pose_at(NULL, MD2_LOOP, 1);
    CHECK_EQ(pose.count, 0);
}

/* -- The same bits everywhere ----------------------------------------------- */

typedef struct hashes {
    uint64_t loaded, strips, anims, posed, bounds, triangles;
} hashes;

static void hash_loaded(const md2_model *model, hashes *sums)
{
    uint32_t i, point;
    for (i = 0; i < model->vertex_count; ++i) {
        point = model->vertices[i].point;
        sums->loaded = hash_words(sums->loaded, &point, 1);
        sums->loaded = hash_words(sums->loaded, &model->vertices[i].u, 1);
        sums->loaded = hash_words(sums->loaded, &model->vertices[i].v, 1);
    }
    sums->loaded = hash_words(sums->loaded, model->indices, model->index_count);
    for (i = 0; i < model->frame_count; ++i) {
        sums->loaded = hash_words(sums->loaded, model->frames[i].min, 3);
        sums->loaded = hash_words(sums->loaded, model->frames[i].max, 3);
        sums->loaded = hash_words(sums->loaded, &model->frames[i].radius, 1);
    }
    sums->loaded = hash_words(hash_words(sums->loaded, model->min, 3), model->max, 3);
    for (i = 0; i < model->strip_count; ++i) {
        uint32_t fan = model->strips[i].fan;
        sums->strips = hash_words(sums->strips, &fan, 1);
        sums->strips = hash_words(sums->strips, &model->strips[i].first, 1);
        sums->strips = hash_words(sums->strips, &model->strips[i].count, 1);
    }
    for (i = 0; i < model->strip_vertex_count; ++i) {
        sums->strips = hash_words(sums->strips, &model->strip_vertices[i].vertex, 1);
        sums->strips = hash_words(sums->strips, &model->strip_vertices[i].u, 1);
        sums->strips = hash_words(sums->strips, &model->strip_vertices[i].v, 1);
    }
    for (i = 0; i < model->anim_count; ++i) {
        sums->anims = hash_words(sums->anims, &model->anims[i].first, 1);
        sums->anims = hash_words(sums->anims, &model->anims[i].count, 1);
        sums->anims = hash_words(sums->anims, &model->anims[i].fps, 1);
    }
}

static void hash_pose(const md2_model *model, const md2_pose *pose, hashes *sums)
{
    size_t   count = model->vertex_count;
    float   *out = (float *)malloc_or_abort((6 * count + 1) * sizeof(float)), frame[16], bounds[6];
    uint32_t i;
    memset(out, 0, (6 * count + 1) * sizeof(float));
    md2_pose_vertices(model, pose, out, 0, out + 3 * count, 0);
    sums->posed = hash_words(sums->posed, out, 6 * count);
    md2_pose_bounds(model, pose, bounds, bounds + 3);
    sums->bounds = hash_words(sums->bounds, bounds, 6);
    for (i = 0; i < 5; ++i) {
        if (md2_pose_triangle(model, pose, i, frame)) {
            sums->triangles = hash_words(sums->triangles, frame, 16);
        }
    }
    free(out);
}

/* Where floats are computed as floats, every number is this one, to the bit. No model whose numbers are
   computed here: the compiler may fuse what is outside the header. */
static void test_bits(void)
{
    static const uint32_t flags[4] = { 0, MD2_Y_UP | MD2_FLIP_V, MD2_KEEP_WINDING | MD2_HALF_TEXEL, MD2_BORROW };
    hashes   sums;
    uint32_t which, i, k;
    check_section("bits");
    memset(&sums, 0, sizeof sums);
    for (which = 0; which < 12; ++which) {
        m2_bytes    bytes = which < 8 ? m2_random(which + 1, 3 + which * 5, which * 7, 1 + which % 4)
                          : m2_named(which == 8 ? "moving_cube" : which == 9 ? "sheet" : which == 10 ? "far_out" : "negative_scale");
        md2_options options;
        md2_model  *model;
        memset(&options, 0, sizeof options);
        options.flags = flags[which % 4];
        options.scale = which % 3 ? 0.3f : 0;
        model = md2_load_memory(bytes.data, bytes.size, &options, NULL);
        if (!CHECK(model != NULL)) return;
        hash_loaded(model, &sums);
        for (k = 0; k < 12; ++k) {
            uint32_t a = k * 7 % model->frame_count, b = k * 3 % model->frame_count;
            md2_pose pose = md2_pose_between(a, b, (float)k / 16);
            if (k % 3 == 2) {
                pose = md2_pose_mix(pose, md2_pose_between(b, (a + 1) % model->frame_count, 0.375f), 0.3125f);
            }
            for (i = 0; i < pose.count; ++i) sums.posed = hash_words(sums.posed, &pose.weight[i], 1);
            hash_pose(model, &pose, &sums);
        }
        md2_free_model(model);
        m2_free(&bytes);
    }
    check_hash("anims", sums.anims, 0x09355606, 0xA1EC5ADD);
    if (floats_are_wider()) {
        printf("floats are computed as something wider here: their bits are not compared\n");
        return;
    }
    check_hash("loaded", sums.loaded, 0xD3B41853, 0x2A7FEB28);
    check_hash("strips", sums.strips, 0x62E7622B, 0xB34AEA11);
    check_hash("posed", sums.posed, 0x167D539D, 0x7F1C40CC);
    check_hash("bounds", sums.bounds, 0xEBA416D3, 0x24B6E9DC);
    check_hash("triangles", sums.triangles, 0x97641D86, 0x7C5361FD);
}

/* -- Playing --------------------------------------------------------------- */

static double shown(const md2_player *player, uint16_t frame)
{
    md2_pose pose = md2_player_pose(player);
    double   sum = 0;
    uint32_t i;
    for (i = 0; i < pose.count; ++i) {
        if (pose.frame[i] == frame) sum += (double)pose.weight[i];
    }
    return sum;
}

/* What is read in many pieces is what was in memory, and the room for it grows in few steps. */
typedef struct slow_reader {
    const m2_bytes *bytes;
    size_t          at, step;
} slow_reader;

static size_t read_slowly(void *user, void *dst, size_t size)
{
    slow_reader *slow = (slow_reader *)user;
    size_t       left = slow->bytes->size - slow->at, got = slow->step < size ? slow->step : size;
    if (got > left) got = left;
    if (got) memcpy(dst, slow->bytes->data + slow->at, got);
    slow->at += got;
    return got;
}

static void test_long_reading(void)
{
    static const size_t steps[3] = { 1, 997, 1000000 };
    m2_bytes   bytes = m2_random(5, 2000, 1000, 30);
    md2_model *whole = md2_load_memory(bytes.data, bytes.size, NULL, NULL);
    hashes     wanted;
    int        i;
    check_section("long reading");
    CHECK(bytes.size > 200000);
    memset(&wanted, 0, sizeof wanted);
    if (CHECK(whole != NULL)) hash_loaded(whole, &wanted);
    CHECK(write_file("test_md2_edges.tmp", bytes.data, bytes.size));
    for (i = 0; i < 4 && whole; ++i) {
        counting_allocator memory;
        md2_options  options;
        md2_reader   reader;
        slow_reader  slow;
        md2_model   *model;
        hashes       sums;
        slow.bytes = &bytes;
        slow.at = 0;
        slow.step = steps[i % 3];
        reader.read = read_slowly;
        reader.user = &slow;
        memset(&sums, 0, sizeof sums);
        memset(&memory, 0, sizeof memory);
        memset(&options, 0, sizeof options);
        options.allocator.alloc = counting_alloc;
        options.allocator.release = counting_release;
        options.allocator.user = &memory;
        if (i < 3) model = md2_load_reader(&reader, &options, NULL);
        else model = md2_load_file("test_md2_edges.tmp", &options, NULL);
        if (CHECK(model != NULL)) hash_loaded(model, &sums);
        CHECK(memcmp(&sums, &wanted, sizeof sums) == 0);
        CHECK(memory.allocations < (i < 3 ? 10 : 4)); /* the size of a file is known */
        md2_free_model(model);
        CHECK(counting_is_clean(&memory));
    }
    remove("test_md2_edges.tmp");
    md2_free_model(whole);
    m2_free(&bytes);
}

static void test_player(void)
{
    md2_anim   anims[5] = { { 0, 1, 10, "a" }, { 1, 1, 10, "b" }, { 2, 1, 10, "c" },
                            { 3, 1, 10, "d" }, { 4, 1, 10, "e" } };
    md2_anim   loop = { 0, 5, 10, "loop" };
    md2_player player;
    int        i;
    check_section("players");
    memset(&player, 0, sizeof player);
    CHECK_EQ(md2_advance(&player, 1), 0);
    CHECK_EQ(md2_crossed(&player, 0), 0);
    md2_seek(&player, 3);
    md2_stop(&player);
    CHECK_EQ(player.track_count, 0);
    for (i = 0; i < 4; ++i) md2_play(&player, &anims[i], MD2_LOOP, 1);
    CHECK_EQ(player.track_count, 4);
    player.track[1].fade = 0.5f; /* all four weigh the same: none gives way */
    player.track[2].fade = 1.0f / 3;
    player.track[3].fade = 0.25f;
    for (i = 0; i < 4; ++i) CHECK_NEAR(shown(&player, (uint16_t)i), 0.25, 1e-6);
    player.track[2].fade = 1; /* the third hides the first two */
    CHECK_NEAR(shown(&player, 2), 0.75, 1e-6);
    CHECK_NEAR(shown(&player, 3), 0.25, 1e-6);
    md2_play(&player, &anims[4], MD2_LOOP, 1);
    CHECK_EQ(player.track_count, 4);
    CHECK_NEAR(shown(&player, 0) + shown(&player, 1) + shown(&player, 4), 0, 1e-6);
    CHECK_NEAR(shown(&player, 2), 0.75, 1e-6);
    md2_play(&player, &loop, MD2_LOOP, 0);
    CHECK_EQ(md2_advance(&player, 3e38f), MD2_LOOPED);
    CHECK_EQ(md2_crossed(&player, 2), 2147483647);
}

int main(void)
{
    test_edits();
    test_loaders_alike();
    test_pcx_arguments();
    test_tall_pcx();
    test_memory();
    test_skin_names();
    test_odd_frame_names();
    test_cut_strips();
    test_radius();
    test_radius_after_cancellation();
    test_vanishing_normals();
    test_some_vanishing_normals();
    test_odd_poses();
    test_times();
    test_bits();
    test_long_reading();
    test_player();
    return check_finish();
}
