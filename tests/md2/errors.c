/* Malformed files: a cube of 760 bytes with one number changed, or cut short. Checks whether it loads, or the message
   and the byte of the error. Public domain. */
#include "test_md2.h"

/* The cube: 64 x 64, frames of 72 bytes; 1 skin at 68, 24 texture coordinates at 132, 12 triangles
   at 228, 1 frame at 372, 79 words of GL commands at 444, the end at 760. */
typedef struct edit {
    int         field; /* a word of the file; or M2_FIELDS: the file is cut to `value` bytes */
    uint32_t    value;
    size_t      offset;
    const char *message;
    md2_result  code;
} edit;

#define LOADS(field, value)                    { field, value, 0, "", MD2_OK }
#define NOT_MD2(word, message)                 { M2_IDENT, word, 0, message, MD2_ERROR_NOT_MD2 }
#define VERSION(number, message)               { M2_VERSION, number, 4, message, MD2_ERROR_VERSION }
#define CORRUPT(field, value, offset, message) { field, value, offset, message, MD2_ERROR_CORRUPT }
#define NOT_FINITE(number, bits) /* scale and translation */                                       \
    CORRUPT(372 / 4 + number, bits, 372,                                                           \
            "frame 0 of 1 has a scale or a position that is not finite")

static const edit formats[] = {
    NOT_MD2(0x33504449, "this is an MD3 (Quake III) model, not an MD2"),
    NOT_MD2(0x4F504449, "this is an MDL (Quake) model, not an MD2"),
    NOT_MD2(0x54534449, "this is an MDL (Half-Life) model, not an MD2"),
    NOT_MD2(0x58504449, "this is an MDX (Kingpin) model, not an MD2"),
    NOT_MD2(0x32534449, "this is an SP2 (Quake II) sprite, not an MD2"),
    NOT_MD2(0x444D4B44, "this is a DKM (Daikatana) model, not an MD2"),
    NOT_MD2(0x5635444D, "this is an MD5 (Doom 3) text, for md5.h, not an MD2"),
    NOT_MD2(0x46546C67, "this is a glTF model, not an MD2"),
    NOT_MD2(0x2032444D, "not an MD2: its 760 bytes begin with \"MD2 \", not with \"IDP2\""),
    NOT_MD2(0x31504449, "not an MD2: its 760 bytes begin with \"IDP1\", not with \"IDP2\""),
    { M2_FIELDS, 0, 0, "the file is empty", MD2_ERROR_NOT_MD2 },
    { M2_FIELDS, 3, 0,
      "not an MD2: its 3 bytes begin with \"IDP\", not with \"IDP2\"", MD2_ERROR_NOT_MD2 }
};

static const edit versions[] = {
    VERSION(7, "version 7, not 8"),
    VERSION(9, "version 9, not 8"),
    VERSION(14, "version 14, not 8: Anachronox's variant of MD2"),
    VERSION(15, "version 15, not 8: Anachronox's variant of MD2"),
    VERSION(13, "version 13, not 8"),
    VERSION(16, "version 16, not 8"),
    VERSION(0x8000000E, "version 2147483662, not 8: Anachronox's variant of MD2"),
    VERSION(0xFFFFFFFF, "version 4294967295, not 8")
};

static const edit numbers[] = {
    CORRUPT(M2_FRAME_SIZE, 0, 16, "a frame of 0 bytes cannot hold 8 points"),
    CORRUPT(M2_FRAME_SIZE, 71, 16, "a frame of 71 bytes cannot hold 8 points"),
    CORRUPT(M2_FRAME_SIZE, 389, 56, "the frames end at byte 761, but the file has 760 bytes"),
    CORRUPT(M2_FRAME_SIZE, 0x7FFFFFFF, 56, "the frames end at byte 2147484019, but the file has 760 bytes"),
    CORRUPT(M2_FRAME_SIZE, 0x80000000, 16,
            "the number of bytes in a frame is negative: -2147483648"),
    CORRUPT(M2_FRAME_SIZE, 0xFFFFFFFF, 16, "the number of bytes in a frame is negative: -1"),
    CORRUPT(M2_POINTS, 0, 24, "the model has no points"),
    CORRUPT(M2_POINTS, 9, 16, "a frame of 72 bytes cannot hold 9 points"),
    CORRUPT(M2_POINTS, 0x7FFFFFFF, 16, "a frame of 72 bytes cannot hold 2147483647 points"),
    CORRUPT(M2_POINTS, 0x80000000, 24, "the number of points is negative: -2147483648"),
    CORRUPT(M2_FRAMES, 0, 40, "the model has no frames"),
    CORRUPT(M2_FRAMES, 2, 444, "frame 1 of 2 has a scale or a position that is not finite"),
    CORRUPT(M2_FRAMES, 65536, 56, "the frames end at byte 4718964, but the file has 760 bytes"),
    CORRUPT(M2_FRAMES, 65537, 56, "the frames end at byte 4719036, but the file has 760 bytes"),
    CORRUPT(M2_OFS_FRAMES, 688, 688,
            "frame 0 of 1 has a scale or a position that is not finite"),
    NOT_FINITE(1, 0x7FC00000), NOT_FINITE(0, 0x7F800000), NOT_FINITE(5, 0xFFC00001),
    NOT_FINITE(3, 0xFF800000), NOT_FINITE(2, 0x7F7FFFFF)
};

static const edit cuts[] = {
    { M2_FIELDS, 4, 4, "the header has 68 bytes, but the file has 4", MD2_ERROR_TRUNCATED },
    { M2_FIELDS, 67, 67, "the header has 68 bytes, but the file has 67", MD2_ERROR_TRUNCATED },
    { M2_FIELDS, 68, 44, "the skins end at byte 132, but the file has 68 bytes", MD2_ERROR_TRUNCATED }
};

static const edit edges[] = {
    LOADS(M2_VERSION, 8), LOADS(M2_SKIN_WIDTH, 0), LOADS(M2_SKIN_WIDTH, 1),
    LOADS(M2_SKIN_WIDTH, 0x7FFFFFFF), LOADS(M2_SKIN_WIDTH, 0x80000000), LOADS(M2_SKIN_HEIGHT, 0),
    LOADS(M2_SKIN_HEIGHT, 1), LOADS(M2_SKIN_HEIGHT, 0x7FFFFFFF), LOADS(M2_SKIN_HEIGHT, 0x80000000),
    LOADS(M2_FRAME_SIZE, 72), LOADS(M2_FRAME_SIZE, 73), LOADS(M2_FRAME_SIZE, 388),
    LOADS(M2_POINTS, 1), LOADS(M2_POINTS, 7), LOADS(M2_WORDS, 78), LOADS(M2_OFS_WORDS, 444),
    LOADS(M2_END, 0), LOADS(M2_END, 759), LOADS(M2_END, 761), LOADS(M2_FIELDS, 760)
};

typedef struct part { /* a section of the file */
    const char *name;
    int         count_field, offset_field;
    uint32_t    count, offset, size; /* in the cube; the size of an item in bytes */
} part;

static const part parts[] = {
    { "skins", M2_SKINS, M2_OFS_SKINS, 1, 68, 64 },
    { "texture coordinates", M2_ST, M2_OFS_ST, 24, 132, 4 },
    { "triangles", M2_TRIS, M2_OFS_TRIS, 12, 228, 12 },
    { "frames", M2_FRAMES, M2_OFS_FRAMES, 1, 372, 72 },
    { "GL commands", M2_WORDS, M2_OFS_WORDS, 79, 444, 4 }
};

/* Only invalid GL commands may load; the model then has no strips. */
static void check_edit(int field, uint32_t value, md2_result code, size_t offset,
                       const char *message)
{
    bool      stray = code == MD2_OK && message[0];
    m2_bytes  bytes = m2_named("cube");
    md2_error error;
    if (field == M2_FIELDS) {
        check_scene("a cube cut to %lu bytes", (unsigned long)value);
        m2_resize(&bytes, value);
    } else {
        check_scene("a cube whose word %d is %ld", field, (long)(int32_t)value);
        m2_set_field(&bytes, field, value);
    }

    md2_model *model = md2_load_memory(bytes.data, bytes.size, NULL, &error);
    check_error(&error, code, stray ? 0 : offset, stray ? "" : message);
    CHECK((model != NULL) == (code == MD2_OK));
    if (model) {
        uint32_t size = value > 0x7FFFFFFFu ? 0 : value;
        CHECK_EQ(model->skin_width, field == M2_SKIN_WIDTH ? size : 64);
        CHECK_EQ(model->skin_height, field == M2_SKIN_HEIGHT ? size : 64);
        if (stray) CHECK_EQ(model->defects, MD2_BAD_COMMANDS);
        if (stray) CHECK_EQ(model->strip_count, 0);
    }
    md2_free_model(model);
    m2_free(&bytes);
}

#define CHECK_EDITS(list) check_edits(list, sizeof list / sizeof list[0])
static void check_edits(const edit *list, size_t count)
{
    for (const edit *one = list; one < list + count; ++one)
        check_edit(one->field, one->value, one->code, one->offset, one->message);
}

static void test_error_of_cut_file(void)
{
    md2_error error;
    m2_bytes *bytes = named("cube");
    m2_resize(bytes, 300); /* the triangles are bytes 228 to 371 */

    CHECK(md2_load_memory(bytes->data, bytes->size, NULL, &error) == NULL);
    CHECK_TEXT(error.message, "the triangles end at byte 372, but the file has 300 bytes");
    CHECK_TEXT(md2_result_name(error.code), "MD2_ERROR_TRUNCATED");
    CHECK_EQ(error.offset, 4 * M2_OFS_TRIS); /* the header's field for their offset */
}

static void test_other_formats(void) { CHECK_EDITS(formats); }
static void test_other_versions(void) { CHECK_EDITS(versions); }
static void test_impossible_numbers(void) { CHECK_EDITS(numbers); }
static void test_cut_header(void) { CHECK_EDITS(cuts); }
static void test_edges_that_load(void) { CHECK_EDITS(edges); }

static void check_outside(const part *one, int field, uint32_t value, size_t offset,
                          const char *message)
{
    bool words = one->count_field == M2_WORDS;
    check_edit(field, value, words ? MD2_OK : MD2_ERROR_CORRUPT, offset, message);
}

static void check_end(const part *one, int field, uint32_t value, uint64_t end)
{
    char message[120];
    sprintf(message, "the %s end at byte %.0f, but the file has 760 bytes", one->name, (double)end);
    check_outside(one, field, value, 4 * (size_t)one->offset_field, message);
}

/* Tries the largest counts and offsets that fit, and the smallest that do not. A file that is one byte too short is
   truncated. */
static void check_part(const part *one)
{
    static const uint32_t outside[] = { 0, 67, 0x80000000, 0xFFFFFFFF }, far = 0x7FFFFFFF;
    bool                  frames = one->count_field == M2_FRAMES;
    uint32_t              size = one->count * one->size, last = 760 - size;
    uint32_t              fit = (760 - one->offset) / one->size, end = one->offset + size;
    size_t                error_offset = 4 * (size_t)one->offset_field;
    size_t                count_error_offset = 4 * (size_t)one->count_field;
    char                  message[120];
    for (uint32_t i = 0; i < 4; ++i) {
        sprintf(message, "the %s begin at byte %.0f, outside the file or inside its header",
                one->name, (double)outside[i]);
        check_outside(one, one->offset_field, outside[i], error_offset, message);
    }
    sprintf(message, "the number of %s is negative: -2147483648", one->name);
    check_outside(one, one->count_field, far + 1, count_error_offset, message);
    sprintf(message, "the number of %s is negative: -1", one->name);
    check_outside(one, one->count_field, 0xFFFFFFFF, count_error_offset, message);
    sprintf(message, "the %s end at byte %.0f, but the file has %.0f bytes", one->name, (double)end,
            (double)end - 1);
    check_edit(M2_FIELDS, end - 1, MD2_ERROR_TRUNCATED, error_offset, message);
    check_edit(one->offset_field, 68, MD2_OK, 0, "");
    check_end(one, one->offset_field, last + 1, 761);
    check_end(one, one->offset_field, far, (uint64_t)far + size);
    check_end(one, one->count_field, fit + 1, one->offset + (uint64_t)(fit + 1) * one->size);
    check_end(one, one->count_field, far, one->offset + (uint64_t)far * one->size);
    if (frames) return; /* the bytes after the cube's frame are not a frame */
    check_edit(one->offset_field, last, MD2_OK, 0, "");
    check_edit(one->count_field, 0, MD2_OK, 0, "");
    check_edit(one->count_field, fit, MD2_OK, 0, "");
}

static void test_parts(void)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) check_part(&parts[i]);
}

static void test_too_many_frames(void)
{
    CHECK_EQ(load_named("65536_frames", 0)->frame_count, 65536);
    md2_error error = refusal_of(named("bad_65537_frames"), NULL);
    check_error(&error, MD2_ERROR_LIMIT, 4 * M2_FRAMES,
                "65537 frames are more than the 65536 that a pose can number");
}

void test_errors(void)
{
    RUN(test_error_of_cut_file, "an error has a code, a byte of the file and a sentence");
    RUN(test_other_formats, "another format is refused, and the error names it");
    RUN(test_other_versions, "only version 8 is read; any other version is reported");
    RUN(test_cut_header, "a file that ends inside its header is refused");
    RUN(test_impossible_numbers, "a number that is never valid is refused and reported");
    RUN(test_parts, "data outside the file or inside its header is refused and reported");
    RUN(test_too_many_frames, "65,536 frames load, and one more is refused");
    RUN(test_edges_that_load, "numbers at the edge of what is valid load");
}
