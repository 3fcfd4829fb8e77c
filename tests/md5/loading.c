/* loading.c: from memory, through readers, from files; arguments, allocators and limits. Public
   domain. */
#include "reference.h"

/* The large one has blanks behind its first line. */
static const void *sample(bool large, size_t *size)
{
    enum { BLANKS = 300000 };
    size_t tiny = strlen(tiny_mesh), head = 14;
    *size = large ? BLANKS + tiny : tiny;
    if (!large) return tiny_mesh;
    char *text = (char *)keep_block(*size);
    memset(text, ' ', *size);
    memcpy(text, tiny_mesh, head);
    memcpy(text + BLANKS + head, tiny_mesh + head, tiny - head);
    return text;
}

static bool is_sample(const md5_model *model, bool large)
{
    ref_model     tiny = ref_read_model(tiny_mesh, strlen(tiny_mesh));
    unsigned long failed = check_state.failed;
    (void)large;
    check_model(model, &tiny);
    return check_state.failed == failed;
}

#define LIB(name)    md5_##name
#define OPTION(name) MD5_##name
#define LOAD_MEMORY  md5_load_model_memory
#define LOAD_READER  md5_load_model_reader
#define LOAD_FILE    md5_load_model_file
#define FREE         md5_free_model
#define NO_DATA      "no text is given"
#define BAD_SCALE    "options.scale is no number above 0 and up to 1e9"
#define NOT_MINE     MD5_ERROR_NOT_MD5
#define FILE_NAME    "test_md5.tmp"
#include "loading_both.h"

static void test_anim_files(void)
{
    m5_text *text = clip_text(M5_WALK, 0);
    md5_error error;
    CHECK(write_file("test_md5.walk.md5anim", text->bytes, text->size));
    md5_anim *anim = keep_anim(md5_load_anim_file("./test_md5.walk.md5anim", NULL, &error));
    if (CHECK(anim != NULL)) CHECK_TEXT(anim->name, "test_md5.walk");
    remove("test_md5.walk.md5anim");
    CHECK(!md5_load_anim_file("no such folder/no.md5anim", NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_OPEN);
}

static void test_anim_arguments(void)
{
    md5_options options = options_of(0, -1.0f);
    feed from = feed_of("", 0, 1);
    md5_reader reader = { read_feed, &from }, none = { NULL, NULL };
    md5_error error;
    expect_argument_error(md5_load_anim_memory(NULL, 5, "x", NULL, &error), &error, NO_DATA);
    expect_argument_error(md5_load_anim_reader(NULL, "", NULL, &error), &error,
                          "no reader is given");
    expect_argument_error(md5_load_anim_reader(&none, "", NULL, &error), &error,
                          "no reader is given");
    expect_argument_error(md5_load_anim_file(NULL, NULL, &error), &error, "no path is given");
    expect_argument_error(md5_load_anim_memory(tiny_anim, strlen(tiny_anim), "", &options, &error),
                          &error, BAD_SCALE);
    expect_argument_error(md5_load_anim_reader(&reader, "", &options, &error), &error, BAD_SCALE);
    expect_argument_error(md5_load_anim_file("x.md5anim", &options, &error), &error, BAD_SCALE);
    expect_argument_error(md5_retarget_anim(arm(), clip(M5_WAVE), NULL, &options, &error), &error,
                          BAD_SCALE);
    CHECK(!md5_load_anim_memory("junk", 4, NULL, NULL, NULL));
    md5_free_anim(NULL);
}

/* The most that is held unless max_bytes says otherwise. */
static void test_usual_limit(void)
{
    counting_allocator memory;
    md5_options options = counting_options(&memory);
    md5_error error;
    feed from = feed_of("", 0, 1);
    md5_reader reader = { read_feed, &from };
    CHECK(!md5_load_model_reader(&reader, NULL, &error));
    check_error(&error, MD5_ERROR_NOT_MD5, 1,
                "not an MD5: it begins with the end of the text instead of MD5Version");
    from.endless = true;
    CHECK(!md5_load_model_reader(&reader, &options, &error));
    check_error(&error, MD5_ERROR_LIMIT, 0,
                "33619458 bytes more are needed, but max_bytes is 67108864");
    CHECK(memory.peak_bytes <= (size_t)64 << 20);
    CHECK(counting_is_clean(&memory));
}

/* Of the tiny ones no byte more than it takes; the text may be lent in a block of exactly its
   size. */
static void test_memory(void)
{
    static const size_t kept[2] = { 855, 345 }, most[2] = { 1398, 616 };
    for (int kind = 0; kind < 2; ++kind) {
        const char *text = kind == M5_MESH ? tiny_mesh : tiny_anim;
        counting_allocator memory;
        md5_options options = counting_options(&memory);
        char *exact = (char *)malloc_or_abort(strlen(text));
        memcpy(exact, text, strlen(text));
        loaded_text loaded = load_text(kind, exact, strlen(text), &options, NULL);
        free(exact);
        CHECK(loaded.loads && memory.live_blocks == 1 && memory.peak_blocks <= 2);
        CHECK_EQ(memory.live_bytes, loaded.bytes);
        if (sizeof(void *) == 8) {
            CHECK_EQ(loaded.bytes, kept[kind]);
            CHECK_EQ(memory.peak_bytes, most[kind]);
        }
        free_text(&loaded);
        CHECK(counting_is_clean(&memory));
    }
}

static md5_anim *load_empty_frames(int count, md5_error *error)
{
    m5_text *text = new_text();
    put_anim_head(text, 1, count, 0, put_chain_joint);
    for (int i = 0; i < count; ++i) m5_put(text, "frame %d {\n}\n", i);
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
    run_test("result names", test_result_names);
    run_test("readers", test_readers);
    run_test("files", test_files);
    run_test("missing arguments", test_missing_arguments);
    run_test("refused options", test_refused_options);
    run_test("limits", test_limits);
    run_test("files of animations", test_anim_files);
    run_test("arguments for animations", test_anim_arguments);
    run_test("the usual limit", test_usual_limit);
    run_test("memory", test_memory);
    run_test("65,536 frames", test_frame_limit);
}
