/* Whole models: every case of the table of model_builder_md2.h with every kind of option, and every model
   in the folder MODELS, if that is set. Public domain. */
#include "test_md2.h"

/* -- Every case ------------------------------------------------------------- */

typedef struct corner {
    uint32_t point;
    float    u, v;
} corner;

static int compare_corners(const void *a, const void *b) { return memcmp(a, b, sizeof(corner)); }

/* Vertices are numbered in the order in which the corners of the triangles refer to them, and no two are
   equal. */
static void check_vertices(const md2_model *m)
{
    uint32_t numbered = 0;
    for (uint32_t i = 0; i < m->index_count; ++i) {
        check_step("corner %u of triangle %u", (unsigned)(i % 3), (unsigned)(i / 3));
        CHECK(m->indices[i] <= numbered);
        if (m->indices[i] == numbered) ++numbered;
    }
    CHECK_EQ(numbered, m->vertex_count);

    corner *sorted = (corner *)malloc_or_abort((m->vertex_count + 1) * sizeof *sorted);
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        check_step("vertex %u", (unsigned)i);
        CHECK(m->vertices[i].point < m->point_count);
        sorted[i].point = m->vertices[i].point;
        sorted[i].u = m->vertices[i].u;
        sorted[i].v = m->vertices[i].v;
    }
    qsort(sorted, m->vertex_count, sizeof *sorted, compare_corners);
    for (uint32_t i = 1; i < m->vertex_count; ++i) {
        check_step("two vertices of point %u", (unsigned)sorted[i].point);
        CHECK(compare_corners(&sorted[i - 1], &sorted[i]) < 0);
    }
    free(sorted);
}

/* Each frame belongs to exactly one animation, and each animation is found by its name. */
static void check_anims(const md2_model *m)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < m->anim_count; ++i) {
        const md2_anim *anim = &m->anims[i];
        check_step("animation %u, %s", (unsigned)i, anim->name);
        CHECK_EQ(anim->first, next);
        CHECK(anim->count > 0);
        CHECK_EQ(anim->fps, 10);
        if (i < 2000) CHECK(md2_find_anim(m, anim->name) == anim);
        next += anim->count;
    }
    CHECK_EQ(next, m->frame_count);
}

static void check_loaded(const md2_model *m, const m2_bytes *bytes)
{
    check_vertices(m);
    check_bounds(m);
    if (!(m->flags & MD2_QUAKE2_ANIMS)) check_anims(m);
    check_step("%s", "");
    if (m->strip_count) check_strips(m, bytes);
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
        CHECK_EQ(m->dropped_triangles, one->dropped);
        CHECK_EQ(m->strip_count > 0, one->strips == 1);
        check_loaded(m, &bytes);
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
    uint32_t players, players_right, weapons, weapons_right;
} counts;

/* Returns whether the first animations are those of a Quake II player. Frame names may begin an animation up
   to three frames earlier or later than the table. */
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

static void count_players(const char *path, const md2_model *m)
{
    if (m->frame_count == 198) {
        bool right = m->anim_count == 20 && has_table(m, 20);
        ++counts.players;
        counts.players_right += right;
        if (!right) printf("    not the 20 animations of a player: %s\n", path);
    } else if (m->frame_count == 173 || m->frame_count == 174) {
        ++counts.weapons;
        counts.weapons_right += has_table(m, 16);
    }
}

static void check_collected(const char *path, const m2_bytes *bytes, const md2_model *m)
{
    check_loaded(m, bytes);
    CHECK(is_lit_outside(m, 0));
    check_smooth(m);
    check_step("%s", "");
    check_anims(load(bytes, MD2_FRAME_NAMES));
    count_players(path, m);
}

static void check_file(const char *path)
{
    m2_bytes           bytes;
    counting_allocator memory;
    md2_options        options = counting_options(&memory);
    md2_error          error;
    bytes.data = read_file(path, &bytes.size);
    check_scene("%s", path);
    CHECK(bytes.data != NULL);
    md2_model *m = md2_load_memory(bytes.data, bytes.size, &options, &error);
    if (!m) check_step("%s", error.message);
    CHECK(m != NULL);
    check_memory_of(m, &memory, bytes.size);
    check_collected(path, &bytes, m);
    md2_free_model(m);
    CHECK(counting_is_clean(&memory));
    m2_free(&bytes);
}

static void test_collection(void)
{
    file_list files = list_models(".md2");
    size_t    i;
    for (i = 0; i < files.count; ++i) check_file(files.path[i]);
    file_list_free(&files);
    if (!i) return;

    check_scene("%u players of 198 frames and %u weapons of 173 or 174", (unsigned)counts.players,
                (unsigned)counts.weapons);
    CHECK(counts.players_right + 1 >= counts.players - counts.players / 100);
    CHECK(counts.weapons_right + 1 >= counts.weapons);
}

void test_corpus(void)
{
    RUN(test_every_case, "each model of the table loads or is refused as the table says, with all kinds of flags");
    RUN(test_collection, "every model under MODELS is lit, animated and smoothed correctly");
}
