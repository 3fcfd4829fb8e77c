/* Loading: every case of the table with every kind of option, from memory, readers and files;
   memory and its limits; normals beyond the table. Public domain. */
#include "test_md2.h"

/* -- Every case ------------------------------------------------------------- */

static bool lies_in(const md2_point *points, uint32_t count, const m2_bytes *bytes)
{
    const uint8_t *at = (const uint8_t *)points;
    return at >= bytes->data && at + 4 * (size_t)count <= bytes->data + bytes->size;
}

static void check_case_loaded(const m2_case *one, const md2_model *m, const m2_bytes *bytes,
                              const md2_options *options)
{
    bool     borrowed = (options->flags & (uint32_t)MD2_BORROW) != 0;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < m->frame_count; ++i) {
        wrong += lies_in(m->frames[i].points, m->point_count, bytes) != borrowed;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(m->dropped_triangles, one->dropped);
    if (one->strips >= 0) CHECK_EQ(m->strip_count > 0, one->strips == 1);
    check_model(m, bytes, options);
    if (m->strip_count)
        check_strips(m, bytes, options);
    else
        CHECK_EQ(m->strip_vertex_count, 0);
}

static void check_case(const m2_case *one, uint32_t flags)
{
    m2_bytes           bytes = m2_case_bytes(one);
    counting_allocator memory;
    md2_options        options = counting_options(&memory);
    md2_error          error;
    check_subject(one->name);
    options.flags = flags;
    md2_model *m = md2_load_memory(bytes.data, bytes.size, &options, &error);
    check_memory_of(m, &memory, bytes.size);
    CHECK_TEXT(md2_result_name(error.code), md2_result_name(one->result));
    if (!m) {
        check_refused(m, &error, one->result);
        CHECK(error.offset <= bytes.size);
    } else if (one->result == MD2_OK) {
        check_case_loaded(one, m, &bytes, &options);
    }
    md2_free_model(m);
    CHECK(counting_is_clean(&memory));
    m2_free(&bytes);
}

static void test_every_case(void)
{
    static const uint32_t flags[] = { 0, MD2_Y_UP, MD2_KEEP_WINDING | MD2_FLIP_V,
                                      MD2_WHOLE_TEXEL | MD2_Y_UP | MD2_FLIP_V, MD2_FRAME_NAMES,
                                      MD2_QUAKE2_ANIMS, MD2_BORROW };
    size_t loads = 0;
    for (size_t k = 0; k < sizeof flags / sizeof flags[0]; ++k) {
        for (size_t i = 0; i < M2_CASES; ++i) {
            const char *name = m2_cases[i].name;
            bool        large = strncmp(name, "65536", 5) == 0 || strcmp(name, "many_st") == 0;
            if (k && large) continue;
            check_case(&m2_cases[i], flags[k]);
            ++loads;
        }
    }
    check_subject("");
    CHECK_FLOOR(loads, 450, "cases with options");
}

/* The table itself is in the recorded hashes. */
static void test_normals_beyond_table(void)
{
    static const uint32_t beyond[] = { 162, 255, 256, 65535, 0x7FFFFFFF, 0xFFFFFFFFu };
    for (uint32_t i = 0; i < 6; ++i) {
        const float *n = md2_normal(beyond[i]);
        CHECK(n[0] == 0.0f && n[1] == 0.0f && n[2] == 1.0f);
    }
}

/* -- Readers, files, arguments and limits ---------------------------------------- */

static void *sample(bool large, size_t *size)
{
    m2_bytes *bytes = large ? random_bytes(5, 2000, 1000, 30) : named("player");
    *size = bytes->size;
    return bytes->data;
}

static bool is_sample(const md2_model *model, bool large)
{
    m2_bytes      bytes;
    md2_options   options = options_of(0);
    unsigned long failed = check_state.failed;
    bytes.data = (uint8_t *)sample(large, &bytes.size);
    check_model(model, &bytes, &options);
    return check_state.failed == failed;
}

#define LIB(name)    md2_##name
#define OPTION(name) MD2_##name
#define LOAD_MEMORY  md2_load_memory
#define LOAD_READER  md2_load_reader
#define LOAD_FILE    md2_load_file
#define FREE         md2_free_model
#define NO_DATA      "no data is given"
#define BAD_SCALE    "options.scale is no finite number above 0"
#define NOT_MINE     MD2_ERROR_NOT_MD2
#define FILE_NAME    "test_md2.tmp"
#include "loading_both.h"

/* Borrowing is for memory alone. */
static void test_contradictions(void)
{
    static const char borrow[] = "MD2_BORROW is for md2_load_memory, without MD2_Y_UP";
    md2_options       options = options_of(MD2_BORROW | MD2_Y_UP);
    expect_refused(&options, false, borrow);
    options = options_of(MD2_BORROW);
    expect_refused(&options, true, borrow);
    options = options_of(MD2_FRAME_NAMES | MD2_QUAKE2_ANIMS);
    expect_refused(&options, false, "MD2_FRAME_NAMES and MD2_QUAKE2_ANIMS exclude each other");
}

/* Finite, but the positions are not. */
static void test_large_scale(void)
{
    md2_options options = options_of(0);
    options.scale = 3e38f;
    CHECK_EQ(refusal_of(named("player"), &options).code, MD2_ERROR_CORRUPT);
}

/* -- Memory ----------------------------------------------------------------------- */

/* No byte more than it takes. */
static void test_memory(void)
{
    static const char *const names[3] = { "cube", "sheet", "moving_cube" };
    static const size_t kept[3] = { 1232, 2012, 1344 }, most[3] = { 3968, 7724, 4112 };
    for (int i = 0; i < 3 && sizeof(void *) == 8; ++i) {
        m2_bytes          *bytes = named(names[i]);
        counting_allocator memory;
        md2_options        options = counting_options(&memory);
        md2_model *model = md2_load_memory(bytes->data, bytes->size, &options, NULL);
        if (CHECK(model != NULL)) CHECK_EQ(model->bytes, kept[i]);
        CHECK_EQ(memory.peak_bytes, most[i]);
        md2_free_model(model);
        CHECK(counting_is_clean(&memory));
        model = load(bytes, 0); /* all points are saved by borrowing them */
        CHECK(model->bytes >= load(bytes, MD2_BORROW)->bytes +
                              (size_t)model->frame_count * model->point_count * sizeof(md2_point));
    }
}

void test_loading(void)
{
    RUN(test_every_case);
    RUN(test_normals_beyond_table);
    RUN(test_readers);
    RUN(test_files);
    RUN(test_missing_arguments);
    RUN(test_refused_options);
    RUN(test_contradictions);
    RUN(test_limits);
    RUN(test_result_names);
    RUN(test_large_scale);
    RUN(test_memory);
}
