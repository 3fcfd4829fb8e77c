/* Whole models against a second reading: every case of the table with every kind of option, and
   every model below the folder MODELS, none where that is not set. Public domain. */
#include "test_md2.h"

/* -- Every case ------------------------------------------------------------- */

static void check_case_loaded(const m2_case *one, const md2_model *m, const m2_bytes *bytes,
                              const md2_options *options)
{
    CHECK_EQ(m->dropped_triangles, one->dropped);
    if (one->strips >= 0) CHECK_EQ(m->strip_count > 0, one->strips == 1);
    check_model(m, bytes, options);
    if (m->strip_count) check_strips(m, bytes, options);
    else CHECK_EQ(m->strip_vertex_count, 0);
}

static void check_case(const m2_case *one, uint32_t flags)
{
    m2_bytes           bytes = m2_case_bytes(one);
    counting_allocator memory;
    md2_options        options = counting_options(&memory);
    md2_error          error;
    check_scene("%s, flags %u", one->name, (unsigned)flags);
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
                                      MD2_Y_UP | MD2_FLIP_V, MD2_FRAME_NAMES,
                                      MD2_QUAKE2_ANIMS };
    for (size_t k = 0; k < sizeof flags / sizeof flags[0]; ++k) {
        for (size_t i = 0; i < M2_CASES; ++i) {
            const char *name = m2_cases[i].name;
            bool        large = strncmp(name, "65536", 5) == 0 || strcmp(name, "many_st") == 0;
            if (k && large) continue;
            check_case(&m2_cases[i], flags[k]);
        }
    }
}

/* -- Collected models ---------------------------------------------------------- */

static struct {
    uint64_t file_bytes, model_bytes;
    uint32_t players, players_right, weapons, weapons_right;
    worst_of worst;
} all;

/* The first animations are those of a Quake II player: each begins where the table says, or where
   the names begin one, at most three frames from there. */
static bool has_table(const md2_model *m, uint32_t rows)
{
    uint32_t i;
    for (i = 0; i < rows && i < m->anim_count; ++i) {
        const md2_anim *anim = &m->anims[i];
        const m2_clip  *clip = &m2_player_clips[i];
        if (anim->first + 3u < clip->first || anim->first > clip->first + 3u) return false;
        if (strcmp(anim->name, clip->name) != 0) return false;
    }
    return i == rows;
}

static void check_animations(const char *path, const m2_bytes *bytes, const md2_model *m)
{
    md2_options options = options_of(MD2_FRAME_NAMES);
    md2_model  *by_name = load_with(bytes, &options);
    check_model(by_name, bytes, &options);
    if (m->frame_count == 198) {
        bool right = m->anim_count == 20 && has_table(m, 20);
        ++all.players;
        all.players_right += right;
        if (!right) printf("    not the 20 animations of a player: %s\n", path);
    } else if (m->frame_count == 173 || m->frame_count == 174) {
        ++all.weapons;
        all.weapons_right += has_table(m, 16);
    }
}

static void check_poses_of(const md2_model *m, const m2_bytes *bytes)
{
    random_source random = { 121 };
    md2_options options = options_of(0);
    view v = view_of(bytes, &options);
    for (uint32_t i = 0; i < 4; ++i) {
        md2_pose pose = i == 0 ? still(m->frame_count - 1) : random_pose(&random, m->frame_count);
        compare_pose(m, &v, &pose, &all.worst);
    }
}

static void check_collected(const char *path, const m2_bytes *bytes, const md2_model *m)
{
    md2_options options = options_of(0);
    all.file_bytes += bytes->size;
    all.model_bytes += m->bytes;
    if (m->strip_count) check_strips(m, bytes, &options);
    CHECK(is_lit_outside(m, 0));
    check_poses_of(m, bytes);
    check_smooth(m);
    check_step("%s", "");
    check_animations(path, bytes, m);
}

/* What is broken is refused with a sentence; a model of another game is called by its name. */
static void check_broken(const char *path, const m2_bytes *bytes, const md2_error *error)
{
    check_refused(NULL, error, error->code);
    if (bytes->size >= 4 && memcmp(bytes->data, "IDP3", 4) == 0) {
        CHECK_EQ(error->code, MD2_ERROR_NOT_MD2);
        CHECK(strstr(error->message, "MD3") != NULL);
    }
    printf("    %s: %s\n", path, error->message);
}

/* Returns whether the file loads, as it has to unless it is known to be broken. */
static bool check_file(const char *path, bool broken)
{
    m2_bytes           bytes;
    counting_allocator memory;
    md2_options        options = counting_options(&memory);
    md2_error          error;
    bytes.data = read_file(path, &bytes.size);
    check_scene("%s", path);
    CHECK(bytes.data != NULL);
    md2_model *m = md2_load_memory(bytes.data, bytes.size, &options, &error);
    bool loads = m != NULL;
    check_memory_of(m, &memory, bytes.size);
    if (m) check_model(m, &bytes, &options);
    if (!m) check_broken(path, &bytes, &error);
    else if (!broken) check_collected(path, &bytes, m);
    md2_free_model(m);
    CHECK(counting_is_clean(&memory));
    m2_free(&bytes);
    return loads;
}

static void test_collection(void)
{
    file_list files = list_models(".md2");
    size_t    i;
    for (i = 0; i < files.count; ++i) CHECK(check_file(files.path[i], false));
    file_list_free(&files);
    if (!i) return;
    check_scene("all together");
    tell_worst(&all.worst);
    printf("    memory: %.3f of the files\n", (double)all.model_bytes / (double)all.file_bytes);
    CHECK(all.players_right + 1 >= all.players - all.players / 100);
    CHECK(all.weapons_right + 1 >= all.weapons);
}

static void test_broken_collection(void)
{
    file_list files = list_bad_models(".md2");
    for (size_t i = 0; i < files.count; ++i) CHECK(!check_file(files.path[i], true));
    file_list_free(&files);
}

void test_corpus(void)
{
    RUN(test_every_case, "each shape of a model loads with each flag, as its bytes say");
    RUN(test_collection, "every collected model loads, is repaired, posed and smoothed");
    RUN(test_broken_collection, "broken models are refused with a sentence");
}
