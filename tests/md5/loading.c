/* loading.c: from memory, through readers, from files; arguments, allocators and limits. Public
   domain. */
#include "test_md5.h"

static const char *const path = "test_md5.tmp.md5mesh";

/* -- Readers and files ------------------------------------------------------ */

static void check_reader(int kind, const m5_text *text, size_t step)
{
    source from = source_of(text->bytes, text->size, step);
    md5_error error;
    loaded_text got = load_pieces(kind, &from, NULL, &error);
    CHECK(got.loads && error.code == MD5_OK);
    if (got.model) CHECK(same_joints(got.model, arm()) && same_meshes(got.model, arm()));
    if (got.anim) CHECK(same_anim(got.anim, clip(M5_WAVE)));
    if (got.anim) CHECK_TEXT(got.anim->name, "tiny");
    free_text(&got);
    from.at = 0;
    from.fail_at = 1 + from.size / 2;
    got = load_pieces(kind, &from, NULL, &error);
    CHECK(!got.loads);
    if (step < from.size) CHECK_EQ(error.code, MD5_ERROR_READ);
}

static void test_readers(void)
{
    static const size_t steps[5] = { 1, 7, 64, 4096, 1000000 };
    int i;
    for (i = 0; i < 5; ++i) {
        check_reader(M5_MESH, arm_text(0), steps[i]);
        check_reader(M5_ANIM, clip_text(M5_WAVE, 0), steps[i]);
    }
}

static size_t read_too_much(void *user, void *dst, size_t size)
{
    (void)user;
    memset(dst, ' ', size);
    return size + 1;
}

static size_t read_endlessly(void *user, void *dst, size_t size)
{
    (void)user;
    memset(dst, ' ', size);
    return size;
}

static void test_odd_readers(void)
{
    md5_reader reader;
    md5_error error;
    source empty = source_of("", 0, 1);
    counting_allocator memory;
    md5_options options = counting_options(&memory);
    memset(&reader, 0, sizeof reader);
    CHECK(!md5_load_model_reader(&reader, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    CHECK(!md5_load_anim_reader(&reader, NULL, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    reader.read = read_too_much;
    CHECK(!md5_load_model_reader(&reader, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_READ);
    reader = reader_of(&empty);
    CHECK(!md5_load_model_reader(&reader, NULL, &error));
    check_error(&error, MD5_ERROR_NOT_MD5, 1,
                "not an MD5: it begins with the end of the text instead of MD5Version");
    reader.read = read_endlessly; /* 64 MiB at most are held unless max_bytes says otherwise */
    CHECK(!md5_load_model_reader(&reader, &options, &error));
    check_error(&error, MD5_ERROR_LIMIT, 0,
                "33619458 bytes more are needed, but max_bytes is 67108864");
    CHECK(memory.peak_bytes <= (size_t)64 << 20);
    CHECK(counting_is_clean(&memory));
}

static void test_files(void)
{
    m5_text *mesh = arm_text(0), *anim = clip_text(M5_WALK, 0);
    md5_model *model;
    md5_anim *loaded;
    md5_error error;
    CHECK(write_file("test_md5_\xC3\xA4rm.md5mesh", mesh->bytes, mesh->size));
    CHECK(write_file("test_md5.walk.md5anim", anim->bytes, anim->size));
    model = keep_model(md5_load_model_file("test_md5_\xC3\xA4rm.md5mesh", NULL, &error));
    CHECK(model && same_meshes(model, arm()));
    loaded = keep_anim(md5_load_anim_file("./test_md5.walk.md5anim", NULL, &error));
    if (CHECK(loaded != NULL)) CHECK_TEXT(loaded->name, "test_md5.walk");
    remove_file("test_md5_\xC3\xA4rm.md5mesh");
    remove("test_md5.walk.md5anim");
    CHECK(!md5_load_anim_file("no such folder/no.md5anim", NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_OPEN);
    CHECK(!md5_load_model_file("no folder\n\x01\x1F\x7F\xC3\xA4 $#", NULL, &error));
    check_error(&error, MD5_ERROR_OPEN, 0, "cannot open no folder ????? $#");
    CHECK(!md5_load_model_file(".", NULL, &error));
    CHECK_TEXT(error.message,
               error.code == MD5_ERROR_OPEN ? "cannot open ." : "cannot read .: is it a folder?");
    CHECK(write_file(path, "", 0));
    CHECK(!md5_load_model_file(path, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_NOT_MD5);
    remove(path);
}

/* A long text comes out alike in any number of pieces, and the room for it grows in few steps. */
static void test_long_texts(void)
{
    enum { BLANKS = 300000 };
    static const size_t steps[3] = { 1, 997, BLANKS };
    size_t tiny = strlen(tiny_mesh), head = 14, i; /* behind the first line */
    char *text = (char *)keep_block(BLANKS + tiny);
    memset(text, ' ', BLANKS + tiny);
    memcpy(text, tiny_mesh, head);
    memcpy(text + BLANKS + head, tiny_mesh + head, tiny - head);
    CHECK(write_file(path, text, BLANKS + tiny));
    for (i = 0; i < 4; ++i) {
        counting_allocator memory;
        md5_options options = counting_options(&memory);
        source from = source_of(text, BLANKS + tiny, steps[i % 3]);
        md5_reader reader = reader_of(&from);
        md5_model *model = i < 3 ? md5_load_model_reader(&reader, &options, NULL)
                                 : md5_load_model_file(path, &options, NULL);
        if (CHECK(model != NULL)) CHECK_EQ(model->meshes[0].vertex_count, 3);
        CHECK(memory.allocations < (i < 3 ? 10 : 6)); /* the size of a file is known */
        md5_free_model(model);
        CHECK(counting_is_clean(&memory));
    }
    remove(path);
}

/* -- Arguments -------------------------------------------------------------- */

/* Spoils the error for the next loader. */
static void expect_argument_error(const void *loaded, md5_error *error, const char *message)
{
    CHECK(loaded == NULL);
    check_error(error, MD5_ERROR_ARGUMENT, 0, message);
    memset(error, 0x5A, sizeof *error);
}

static void test_missing_arguments(void)
{
    md5_error error;
    expect_argument_error(md5_load_model_memory(NULL, 5, NULL, &error), &error, "no text is given");
    expect_argument_error(md5_load_anim_memory(NULL, 5, "x", NULL, &error), &error,
                          "no text is given");
    expect_argument_error(md5_load_model_reader(NULL, NULL, &error), &error, "no reader is given");
    expect_argument_error(md5_load_anim_reader(NULL, "", NULL, &error), &error,
                          "no reader is given");
    expect_argument_error(md5_load_model_file(NULL, NULL, &error), &error, "no path is given");
    expect_argument_error(md5_load_anim_file(NULL, NULL, &error), &error, "no path is given");
    CHECK(!md5_load_model_memory("", 0, NULL, NULL));
    CHECK(!md5_load_anim_memory("junk", 4, NULL, NULL, NULL));
    CHECK(keep_model(md5_load_model_memory(tiny_mesh, strlen(tiny_mesh), NULL, NULL)) != NULL);
    md5_free_model(NULL);
    md5_free_anim(NULL);
}

/* Every loader refuses the same options, in the same words. */
static void test_loaders_alike(void)
{
    static const char *const message = "options.scale is no number above 0 and up to 1e9";
    md5_options options = options_of(0, -1.0f);
    source from = source_of("", 0, 1);
    md5_reader reader = reader_of(&from);
    md5_error error;
    CHECK(write_file(path, tiny_mesh, strlen(tiny_mesh)));
    expect_argument_error(md5_load_model_memory(tiny_mesh, strlen(tiny_mesh), &options, &error),
                          &error, message);
    expect_argument_error(md5_load_model_reader(&reader, &options, &error), &error, message);
    expect_argument_error(md5_load_model_file(path, &options, &error), &error, message);
    expect_argument_error(md5_load_anim_memory(tiny_anim, strlen(tiny_anim), "", &options, &error),
                          &error, message);
    expect_argument_error(md5_load_anim_reader(&reader, "", &options, &error), &error, message);
    expect_argument_error(md5_load_anim_file(path, &options, &error), &error, message);
    expect_argument_error(md5_retarget_anim(arm(), clip(M5_WAVE), NULL, &options, &error), &error,
                          message);
    remove(path);
}

static void expect_result(const md5_options *options, md5_result want)
{
    int kind;
    for (kind = 0; kind < 2; ++kind) {
        const char *text = kind == M5_MESH ? tiny_mesh : tiny_anim;
        md5_error error;
        loaded_text loaded = load_text(kind, text, strlen(text), options, &error);
        CHECK_EQ(error.code, want);
        CHECK(loaded.loads == (want == MD5_OK));
        free_text(&loaded);
    }
}

static void test_options_checked(void)
{
    counting_allocator memory;
    md5_options options = counting_options(&memory);
    float infinite = (float)HUGE_VAL;
    expect_result(NULL, MD5_OK);
    expect_result(&options, MD5_OK);
    CHECK(counting_is_clean(&memory));
    options.max_bytes = 100;
    expect_result(&options, MD5_ERROR_LIMIT);
    options.max_bytes = (size_t)1 << 20;
    expect_result(&options, MD5_OK);
    options.allocator.release = NULL;
    expect_result(&options, MD5_ERROR_ARGUMENT);
    options.allocator.release = counting_release;
    options.allocator.alloc = NULL;
    expect_result(&options, MD5_ERROR_ARGUMENT);
    options = options_of(0, infinite);
    expect_result(&options, MD5_ERROR_ARGUMENT);
    options = options_of(0, infinite - infinite);
    expect_result(&options, MD5_ERROR_ARGUMENT);
    options = options_of(0, 1.0f);
    expect_result(&options, MD5_OK);
}

/* -- Memory ----------------------------------------------------------------- */

/* One block stays, released with its own size; at most one more while loading; the bytes may be
   lent in a block of exactly their size. */
static void test_memory(void)
{
    int kind;
    for (kind = 0; kind < 2; ++kind) {
        m5_text *text = kind == M5_MESH ? arm_text(0) : clip_text(M5_WALK, 0);
        counting_allocator memory;
        md5_options options = counting_options(&memory);
        char *exact = (char *)malloc_or_abort(text->size);
        loaded_text loaded;
        memcpy(exact, text->bytes, text->size);
        loaded = load_text(kind, exact, text->size, &options, NULL);
        free(exact);
        if (!CHECK(loaded.loads)) return;
        CHECK_EQ(memory.live_blocks, 1);
        CHECK_EQ(memory.live_bytes, loaded.bytes);
        CHECK(memory.peak_blocks <= 2);
        free_text(&loaded);
        CHECK(counting_is_clean(&memory));
    }
}

static bool tiny_loads(const md5_options *options, md5_result want)
{
    md5_error error;
    md5_model *model = md5_load_model_memory(tiny_mesh, strlen(tiny_mesh), options, &error);
    md5_free_model(model);
    CHECK_EQ(error.code, want);
    return model != NULL;
}

/* max_bytes bounds what is held at any time, with the bytes of the file if the library reads
   them. */
static void test_limits(void)
{
    counting_allocator memory;
    md5_options options = counting_options(&memory);
    md5_error error;
    size_t bytes, least;
    md5_model *model = md5_load_model_memory(tiny_mesh, strlen(tiny_mesh), &options, NULL);
    if (!CHECK(model != NULL)) return;
    least = memory.peak_bytes;
    bytes = model->bytes;
    md5_free_model(model);
    CHECK(least > bytes);
    if (sizeof(void *) == 8) { /* no byte more than it takes */
        md5_anim *anim;
        CHECK_EQ(bytes, 855);
        CHECK_EQ(least, 1414);
        memory.peak_bytes = 0;
        anim = md5_load_anim_memory(tiny_anim, strlen(tiny_anim), "tiny", &options, NULL);
        if (CHECK(anim != NULL)) CHECK_EQ(anim->bytes, 345);
        CHECK_EQ(memory.peak_bytes, 616);
        md5_free_anim(anim);
    }
    options.max_bytes = least;
    CHECK(tiny_loads(&options, MD5_OK));
    options.max_bytes = least - 1;
    CHECK(!tiny_loads(&options, MD5_ERROR_LIMIT));
    options.max_bytes = least - bytes; /* the scratch alone fits */
    CHECK(!tiny_loads(&options, MD5_ERROR_LIMIT));
    options.max_bytes = least - bytes - 1;
    CHECK(!tiny_loads(&options, MD5_ERROR_LIMIT));
    options.max_bytes = 100;
    CHECK(write_file(path, tiny_mesh, strlen(tiny_mesh)));
    CHECK(!md5_load_model_file(path, &options, &error)); /* the file alone is too large */
    check_error(&error, MD5_ERROR_LIMIT, 0, "100 bytes more are needed, but max_bytes is 100");
    CHECK(memory.largest <= least);
    options.max_bytes = 0;
    memory.allocations = 0;
    memory.fail_at = 1;
    CHECK(!md5_load_model_file(path, &options, &error)); /* not even for the first bytes */
    check_error(&error, MD5_ERROR_MEMORY, 0, "no memory for 295 bytes");
    CHECK(counting_is_clean(&memory));
    remove(path);
}

static md5_anim *load_empty_frames(int count, md5_error *error)
{
    m5_text *text = new_text();
    int i;
    put_anim_head(text, 1, count, 0, put_chain_joint);
    for (i = 0; i < count; ++i) m5_put(text, "frame %d {\n}\n", i);
    return keep_anim(md5_load_anim_memory(text->bytes, text->size, NULL, NULL, error));
}

static void test_frame_limit(void)
{
    md5_error error;
    md5_anim *anim = load_empty_frames(65536, &error);
    md5_xform pose;
    if (CHECK(anim != NULL)) {
        CHECK_EQ(anim->frame_count, 65536);
        md5_pose_at(anim, MD5_LOOP, 1e6, &pose);
        CHECK_EQ(pose.position[2], 7);
    }
    CHECK(!load_empty_frames(65537, &error));
    CHECK_EQ(error.code, MD5_ERROR_LIMIT);
}

void test_loading(void)
{
    run_test("readers", test_readers);
    run_test("odd readers", test_odd_readers);
    run_test("files", test_files);
    run_test("long texts", test_long_texts);
    run_test("missing arguments", test_missing_arguments);
    run_test("loaders alike", test_loaders_alike);
    run_test("options", test_options_checked);
    run_test("memory", test_memory);
    run_test("limits", test_limits);
    run_test("65,536 frames", test_frame_limit);
}
