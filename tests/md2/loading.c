/* Loading: every case of the table with every kind of option, from memory, readers and files;
   memory and its limits; borrowed bytes. Public domain. */
#include "test_md2.h"

/* -- Every case ------------------------------------------------------------- */

static void check_case_loaded(const m2_case *one, const md2_model *m, const m2_bytes *bytes,
                              const md2_options *options)
{
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
    md2_options        options = options_of(flags);
    counting_allocator memory;
    md2_error          error;
    md2_model         *m;
    check_subject(one->name);
    use_memory(&options, &memory);
    m = md2_load_memory(bytes.data, bytes.size, &options, &error);
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
                                      MD2_QUAKE2_ANIMS };
    size_t i, k, loads = 0;
    for (k = 0; k < sizeof flags / sizeof flags[0]; ++k) {
        for (i = 0; i < M2_CASES; ++i) {
            const char *name = m2_cases[i].name;
            bool        large = strncmp(name, "65536", 5) == 0 || strcmp(name, "many_st") == 0;
            if (k && large) continue;
            check_case(&m2_cases[i], flags[k]);
            ++loads;
        }
    }
    check_subject("");
    CHECK_FLOOR(loads, 430, "cases with options");
}

static void test_options_on_random_models(void)
{
    uint32_t seed, flags, loaded = 0;
    for (seed = 1; seed <= 24; ++seed) {
        m2_bytes *bytes = random_bytes(seed, 1 + seed * 5, seed * 9, 1 + seed % 4);
        for (flags = 0; flags < 16; ++flags, ++loaded) {
            md2_options options = options_of(flags);
            check_model(load_with(bytes, &options), bytes, &options);
        }
    }
    CHECK_FLOOR(loaded, 24 * 16, "random models with options");
}

/* -- Readers and files -------------------------------------------------------- */

static void check_feed(const m2_bytes *bytes, size_t chunk)
{
    md2_options        options = options_of(0);
    counting_allocator memory;
    md2_error          error;
    feed               f = feed_of(bytes, chunk);
    md2_model         *m;
    use_memory(&options, &memory);
    m = load_feed(&f, &options, &error);
    if (CHECK(m != NULL)) CHECK(same_model(m, load(bytes, 0)));
    CHECK_EQ(error.code, MD2_OK);
    CHECK(memory.allocations < 10); /* room for more grows in few steps */
    check_memory_of(m, &memory, bytes->size);
    md2_free_model(m);
    CHECK(counting_is_clean(&memory));
}

static void test_reader(void)
{
    m2_bytes *sheet = named("sheet"), *player = named("player"), *cut = named("bad_cut_by_half");
    m2_bytes *large = random_bytes(5, 2000, 1000, 30);
    md2_error error;
    feed      f = feed_of(cut, 100);
    CHECK(large->size > 200000);
    check_feed(sheet, 1);
    check_feed(sheet, 0);
    check_feed(player, 0);
    check_feed(player, 4095);
    check_feed(player, SIZE_MAX);
    check_feed(large, 1);
    check_feed(large, 997);
    check_feed(large, 1000000);
    check_refused(load_feed(&f, NULL, &error), &error, MD2_ERROR_TRUNCATED);
}

/* A source without an end stops at max_bytes, or when the model is complete: it is never followed
   for ever. */
static void test_endless_reader(void)
{
    m2_bytes *cube = named("cube");
    md2_options options = options_of(0);
    counting_allocator memory;
    md2_error error;
    md2_model *m;
    feed f = feed_of(cube, 4096);
    f.endless = true;
    use_memory(&options, &memory);
    options.max_bytes = 1u << 20;
    m = load_feed(&f, &options, &error);
    CHECK(m || error.code == MD2_ERROR_LIMIT);
    CHECK(memory.peak_bytes <= options.max_bytes);
    CHECK(counting_is_clean(&memory));
}

static void check_one_file(const char *path, const m2_bytes *bytes)
{
    md2_options        options = options_of(0);
    counting_allocator memory;
    md2_model         *m;
    use_memory(&options, &memory);
    if (!CHECK(write_file(path, bytes->data, bytes->size))) return;
    m = md2_load_file(path, &options, NULL);
    if (CHECK(m != NULL)) CHECK(same_model(m, load(bytes, 0)));
    CHECK(memory.allocations < 4); /* the size of a file is known */
    md2_free_model(m);
    CHECK(counting_is_clean(&memory));
    remove_file(path);
}

static void test_files(void)
{
    m2_bytes *cube = named("cube");
    md2_error error;
    check_one_file("test_md2.tmp", cube);
    check_one_file("test_md2.tmp", random_bytes(5, 2000, 1000, 30));
    check_one_file("test_md2_\xC3\xB6\xE6\x97\xA5.tmp", cube);
    check_one_file("test_md2_\xF0\x9F\x97\xA1.tmp", cube); /* beyond 16 bits */
    CHECK(!md2_load_file("no folder\n\x01\x1F\x7F\xC3\xA4 $#", NULL, &error));
    check_error(&error, MD2_ERROR_OPEN, 0, "cannot open no folder ????? $#");
    CHECK(md2_load_file(".", NULL, &error) == NULL);
    CHECK_TEXT(error.message, error.code == MD2_ERROR_OPEN ? "cannot open ."
                                                          : "cannot read .: is it a folder?");
    CHECK(write_file("test_md2.tmp", "", 0));
    CHECK(!md2_load_file("test_md2.tmp", NULL, &error));
    check_error(&error, MD2_ERROR_NOT_MD2, 0, "the file is empty");
    remove_file("test_md2.tmp");
}

/* -- Arguments and options ------------------------------------------------------ */

static void test_null_arguments(void)
{
    m2_bytes  *cube = named("cube");
    md2_model *m = md2_load_memory(cube->data, cube->size, NULL, NULL);
    md2_reader none;
    md2_error  error;
    if (CHECK(m != NULL)) {
        CHECK(md2_find_anim(m, NULL) == NULL);
        CHECK(md2_find_frame(m, NULL) == -1);
    }
    md2_free_model(m);
    md2_free_model(NULL);
    memset(&none, 0, sizeof none);
    memset(&error, 0x5A, sizeof error);
    CHECK(!md2_load_memory(NULL, 9, NULL, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "no data is given");
    CHECK(!md2_load_memory(NULL, 100, NULL, NULL));
    CHECK(!md2_load_reader(NULL, NULL, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "no reader is given");
    check_refused(md2_load_reader(&none, NULL, &error), &error, MD2_ERROR_ARGUMENT);
    CHECK(!md2_load_file(NULL, NULL, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, "no path is given");
}

/* By each loader in the same words. Borrowing is for memory alone, which loads it where `flags`
   allow. */
static void check_loaders_refuse(const md2_options *options, const char *message)
{
    m2_bytes   *cube = named("cube");
    feed        f = feed_of(cube, 100);
    md2_error   error;
    bool        alone = options->flags == (uint32_t)MD2_BORROW;
    check_subject(message);
    CHECK(write_file("test_md2.tmp", cube->data, cube->size));
    if (!alone) {
        error = refusal_of(cube, options);
        check_error(&error, MD2_ERROR_ARGUMENT, 0, message);
    }
    memset(&error, 0x5A, sizeof error);
    CHECK(!load_feed(&f, options, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, message);
    memset(&error, 0x5A, sizeof error);
    CHECK(!md2_load_file("test_md2.tmp", options, &error));
    check_error(&error, MD2_ERROR_ARGUMENT, 0, message);
    remove_file("test_md2.tmp");
}

static void test_contradictions(void)
{
    static const char  scale[] = "options.scale is no finite number above 0";
    static const char  borrow[] = "MD2_BORROW is for md2_load_memory, without MD2_Y_UP";
    static const char  allocator[] = "an allocator needs both alloc and release";
    counting_allocator memory;
    md2_options        options = options_of(MD2_BORROW | MD2_Y_UP);
    check_loaders_refuse(&options, borrow);
    options = options_of(MD2_BORROW);
    check_loaders_refuse(&options, borrow);
    options = options_of(MD2_FRAME_NAMES | MD2_QUAKE2_ANIMS);
    check_loaders_refuse(&options, "MD2_FRAME_NAMES and MD2_QUAKE2_ANIMS exclude each other");
    options = options_of(0);
    use_memory(&options, &memory);
    options.allocator.release = NULL;
    check_loaders_refuse(&options, allocator);
    use_memory(&options, &memory);
    options.allocator.alloc = NULL;
    check_loaders_refuse(&options, allocator);
    options = options_of(0);
    options.scale = -1.0f;
    check_loaders_refuse(&options, scale);
    options.scale = (float)HUGE_VAL;
    check_loaders_refuse(&options, scale);
    options.scale = (float)not_a_number();
    check_loaders_refuse(&options, scale);
}

static void test_result_names(void)
{
    int i, k;
    for (i = 0; i < (int)MD2_RESULT_COUNT; ++i) {
        const char *name = md2_result_name((md2_result)i);
        CHECK(name && strncmp(name, "MD2_", 4) == 0);
        for (k = 0; k < i; ++k) CHECK(strcmp(name, md2_result_name((md2_result)k)) != 0);
    }
    CHECK_TEXT(md2_result_name(MD2_OK), "MD2_OK");
    CHECK_TEXT(md2_result_name(MD2_ERROR_CORRUPT), "MD2_ERROR_CORRUPT");
    CHECK_TEXT(md2_result_name(MD2_ERROR_NOT_MD2), "MD2_ERROR_NOT_MD2");
    CHECK(md2_result_name((md2_result)MD2_RESULT_COUNT) != NULL);
}

static void test_fps_option(void)
{
    const float given[] = { 0, 25, -5, 0.5f, -FLT_MAX, FLT_MAX, (float)not_a_number() };
    const float wanted[] = { 10, 25, 10, 0.5f, 10, FLT_MAX, 10 };
    md2_options options = options_of(0);
    uint32_t    i, k;
    for (i = 0; i < sizeof given / sizeof given[0]; ++i) {
        md2_model *m;
        options.fps = given[i];
        m = load_with(named("player"), &options);
        for (k = 0; k < m->anim_count; ++k) CHECK_EQ(m->anims[k].fps, wanted[i]);
    }
}

static void test_scale_option(void)
{
    m2_bytes   *bytes = named("player");
    md2_options options = options_of(MD2_Y_UP);
    md2_model  *m, *plain = load(bytes, MD2_Y_UP);
    uint32_t    axis;
    options.scale = 0.0254f;
    m = load_with(bytes, &options);
    check_model(m, bytes, &options);
    for (axis = 0; axis < 3; ++axis) {
        CHECK(close_to((double)m->max[axis], (double)plain->max[axis] * 0.0254, 1e-6));
    }
    CHECK(close_to((double)m->frames[7].radius, (double)plain->frames[7].radius * 0.0254, 1e-6));
    options.scale = 3e38f; /* finite, but the positions are not */
    CHECK_EQ(refusal_of(bytes, &options).code, MD2_ERROR_CORRUPT);
}

/* -- Memory ----------------------------------------------------------------------- */

/* No byte more than it takes. */
static void test_memory(void)
{
    static const char *const names[3] = { "cube", "sheet", "moving_cube" };
    static const size_t      kept[3] = { 1232, 2012, 1344 }, most[3] = { 3680, 6888, 3824 };
    int                      i;
    for (i = 0; i < 3 && sizeof(void *) == 8; ++i) {
        m2_bytes          *bytes = named(names[i]);
        md2_options        options = options_of(0);
        counting_allocator memory;
        md2_model         *model;
        use_memory(&options, &memory);
        model = md2_load_memory(bytes->data, bytes->size, &options, NULL);
        if (CHECK(model != NULL)) CHECK_EQ(model->bytes, kept[i]);
        CHECK_EQ(memory.peak_bytes, most[i]);
        md2_free_model(model);
        CHECK(counting_is_clean(&memory));
    }
}

/* At the exact limit it loads, one byte below it is refused: max_bytes bounds all that is live at
   once. */
static void test_max_bytes(void)
{
    m2_bytes          *bytes = named("player");
    md2_options        options = options_of(0);
    counting_allocator memory;
    md2_error          error;
    use_memory(&options, &memory);
    md2_free_model(md2_load_memory(bytes->data, bytes->size, &options, NULL));
    options.max_bytes = memory.peak_bytes;
    load_with(bytes, &options);
    options.max_bytes -= 1;
    use_memory(&options, &memory);
    error = refusal_of(bytes, &options);
    check_refused(NULL, &error, MD2_ERROR_LIMIT);
    CHECK(message_has(&error, (long)options.max_bytes));
    CHECK(memory.peak_bytes <= options.max_bytes);
    options.max_bytes = 1;
    CHECK_EQ(refusal_of(bytes, &options).code, MD2_ERROR_LIMIT);
    CHECK(counting_is_clean(&memory));
    CHECK(write_file("test_md2.tmp", bytes->data, bytes->size));
    options.max_bytes = 100; /* the file alone is too large */
    CHECK(!md2_load_file("test_md2.tmp", &options, &error));
    check_error(&error, MD2_ERROR_LIMIT, 0, "100 bytes more are needed, but max_bytes is 100");
    remove_file("test_md2.tmp");
}

/* -- Borrowing ---------------------------------------------------------------------- */

static bool lies_in(const void *pointer, size_t size, const m2_bytes *bytes)
{
    const uint8_t *at = (const uint8_t *)pointer;
    return at >= bytes->data && at + size <= bytes->data + bytes->size;
}

static void check_borrowed(const char *name)
{
    m2_bytes          *bytes = named(name);
    md2_options        options = options_of(MD2_BORROW);
    counting_allocator memory;
    md2_model         *own = load(bytes, 0), *borrowed;
    uint32_t           i, wrong = 0;
    check_subject(name);
    use_memory(&options, &memory);
    borrowed = md2_load_memory(bytes->data, bytes->size, &options, NULL);
    if (CHECK(borrowed != NULL)) {
        CHECK(same_model(own, borrowed));
        CHECK(own->bytes >= borrowed->bytes + (size_t)own->frame_count * own->point_count * 4);
        for (i = 0; i < own->frame_count; ++i) {
            wrong += !lies_in(borrowed->frames[i].points, own->point_count * 4u, bytes);
            wrong += lies_in(own->frames[i].points, 1, bytes);
        }
        CHECK_EQ(wrong, 0);
        CHECK_EQ(memory.live_bytes, borrowed->bytes);
        CHECK_EQ(borrowed->flags, MD2_BORROW);
    }
    md2_free_model(borrowed);
    CHECK(counting_is_clean(&memory));
}

static void test_borrow(void)
{
    check_borrowed("player");
    check_borrowed("odd_wide_frames");
    check_borrowed("unaligned_sections");
    check_borrowed("reversed_sections");
}

void test_loading(void)
{
    RUN(test_every_case);
    RUN(test_options_on_random_models);
    RUN(test_reader);
    RUN(test_endless_reader);
    RUN(test_files);
    RUN(test_null_arguments);
    RUN(test_contradictions);
    RUN(test_result_names);
    RUN(test_fps_option);
    RUN(test_scale_option);
    RUN(test_memory);
    RUN(test_max_bytes);
    RUN(test_borrow);
}
