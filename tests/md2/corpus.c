/* Every model below the folder MODELS: nothing where that is not set. Public domain. */
#include "test_md2.h"

typedef struct collection {
    uint64_t file_bytes, model_bytes;
    uint32_t loaded, with_strips, strips_match, twins, players, players_right, other_story,
        welds_known;
    worst_of worst;
} collection;

/* Measured once, by hand: how many vertices welding must leave. */
static const struct known_weld {
    const char *name;
    uint32_t corners, vertices;
} known_welds[] = { { "faerie.md2", 1962, 503 }, { "sydney.md2", 2037, 482 },
                    { "flag.md2", 612, 134 },    { "horse.md2", 2070, 540 },
                    { "ogro.md2", 2010, 541 },   { "usmc.md2", 1824, 526 },
                    { "female.md2", 1776, 434 }, { "blade.md2", 2268, 810 } };

static void check_known_weld(const char *path, const md2_model *m, collection *all)
{
    size_t i;
    for (i = 0; i < sizeof known_welds / sizeof known_welds[0]; ++i) {
        if (!has_suffix(path, known_welds[i].name) || m->index_count != known_welds[i].corners)
            continue;
        CHECK_EQ(m->vertex_count, known_welds[i].vertices);
        ++all->welds_known;
    }
}

/* The twenty of a Quake II player, and nothing else. */
static bool has_table(const md2_model *m)
{
    uint32_t i;
    for (i = 0; i < M2_PLAYER_CLIPS && m->anim_count == M2_PLAYER_CLIPS; ++i) {
        const md2_anim *anim = &m->anims[i];
        const m2_clip  *clip = &m2_player_clips[i];
        if (anim->first != clip->first || anim->count != clip->count || strcmp(anim->name, clip->name) != 0) {
            return false;
        }
    }
    return m->anim_count == M2_PLAYER_CLIPS;
}

static bool on_table_edge(uint32_t frame)
{
    uint32_t i;
    for (i = 1; i < M2_PLAYER_CLIPS; ++i)
        if (m2_player_clips[i].first == frame) return true;
    return false;
}

/* Three cuts or more, one after the first frame not counted, fewer than half of them where the
   table has one: then the names know better. Unless a third of the table is there among the slips:
   then either answer is right. */
static bool tells_another_story(const md2_anim *list, uint32_t count, bool *slips)
{
    uint32_t i, cuts = 0, edges = 0;
    for (i = 1; i < count; ++i) {
        if (list[i].first == 1) continue;
        ++cuts;
        edges += on_table_edge(list[i].first);
    }
    *slips = edges * 3 >= 19;
    return cuts >= 3 && edges * 2 < cuts;
}

static void check_player_model(const char *path, const md2_model *m, const md2_model *by_name,
                               collection *all)
{
    bool table = has_table(m);
    bool slips, story = tells_another_story(by_name->anims, by_name->anim_count, &slips);
    ++all->players;
    all->players_right += table;
    all->other_story += story;
    if (!(story && slips)) CHECK_EQ(table, !story);
    if (!table) CHECK_EQ(m->anim_count, by_name->anim_count);
    if (!table) printf("    not id's 20 animations: %s\n", path);
}

static void check_poses_of(const md2_model *m, const md2_model *s, const m2_bytes *bytes,
                           collection *all)
{
    random_source random = { 121 };
    md2_options options = options_of(0);
    view v = view_of(bytes, &options);
    uint32_t i, different = 0;
    for (i = 0; i < 4; ++i) {
        md2_pose pose = i == 0 ? still(m->frame_count - 1) : random_pose(&random, m->frame_count);
        compare_pose(m, &v, &pose, &all->worst);
        different += !same_as_scalar(m, s, &pose, i % 2 ? 12 : 32, 24);
    }
    CHECK_EQ(different, 0);
}

static void check_collected(const char *path, const m2_bytes *bytes, collection *all)
{
    md2_options options = options_of(0);
    counting_allocator memory;
    md2_error error;
    md2_model *m, *s = scalar_load(bytes->data, bytes->size, &options), *by_name;
    use_memory(&options, &memory);
    m = md2_load_memory(bytes->data, bytes->size, &options, &error);
    if (!CHECK(m != NULL)) {
        printf("    %s\n", error.message);
        return;
    }
    check_memory_of(m, &memory, bytes->size);
    check_model(m, bytes, &options);
    ++all->loaded;
    all->file_bytes += bytes->size;
    all->model_bytes += m->bytes;
    if (m->strip_count) {
        check_strips(m, bytes, &options);
        ++all->with_strips;
        all->strips_match += strips_match_triangles(m);
    }
    check_known_weld(path, m, all);
    check_poses_of(m, s, bytes, all);
    if (CHECK(s && same_model(m, s))) ++all->twins;
    by_name = load(bytes, MD2_FRAME_NAMES);
    if (by_name && m->frame_count == 198) check_player_model(path, m, by_name, all);
    scalar_free(s);
    CHECK(counting_is_clean(&memory));
}

static void test_collection(void)
{
    file_list files = list_models("md2", ".md2");
    collection all;
    size_t i;
    memset(&all, 0, sizeof all);
    for (i = 0; i < files.count; ++i) {
        m2_bytes bytes;
        check_subject(files.path[i]);
        bytes.data = read_file(files.path[i], &bytes.size);
        if (CHECK(bytes.data != NULL)) check_collected(files.path[i], &bytes, &all);
    }
    check_subject("");
    if (files.count) {
        printf("worst position %.3g of the extent, worst normal %.3g\n", all.worst.position,
               all.worst.normal);
        check_worst(&all.worst);
        CHECK_EQ(all.loaded, files.count);
        printf("memory: %.3f of the files\n", (double)all.model_bytes / (double)all.file_bytes);
        CHECK(all.model_bytes <= all.file_bytes * 5 / 4);
        CHECK_FLOOR(all.loaded, 300, "collected models loaded");
        CHECK_FLOOR(all.worst.vertices, 200000, "their vertices against double precision");
        CHECK_FLOOR(all.with_strips, 300, "with strips");
        CHECK_FLOOR(all.strips_match, all.with_strips - all.with_strips / 50,
                    "whose strips show their triangles");
        CHECK_FLOOR(all.welds_known, 3, "with a known number of vertices");
        CHECK_FLOOR(all.players, 80, "with 198 frames");
        CHECK_FLOOR(all.players_right, all.players - all.players / 50,
                    "that get id's 20 animations");
    }
    file_list_free(&files);
}

/* What is broken is refused with a sentence; a model of another game is called by its name. */
static void check_broken(const m2_bytes *bytes, uint32_t *refused)
{
    md2_options options = options_of(0);
    counting_allocator memory;
    md2_error error;
    md2_model *m;
    use_memory(&options, &memory);
    m = md2_load_memory(bytes->data, bytes->size, &options, &error);
    CHECK(memory.peak_bytes <= 64 * bytes->size + (1u << 20));
    if (m) {
        check_model(m, bytes, &options);
    } else {
        check_refused(m, &error, error.code);
        ++*refused;
        if (bytes->size >= 4 && memcmp(bytes->data, "IDP3", 4) == 0) {
            CHECK_EQ(error.code, MD2_ERROR_NOT_MD2);
            CHECK(strstr(error.message, "MD3") != NULL);
        }
        printf("    %s\n", error.message);
    }
    CHECK(counting_is_clean(&memory));
}

static void test_broken_collection(void)
{
    file_list files = list_models("bad", ".md2");
    uint32_t refused = 0;
    size_t i;
    for (i = 0; i < files.count; ++i) {
        m2_bytes bytes;
        check_subject(files.path[i]);
        bytes.data = read_file(files.path[i], &bytes.size);
        if (CHECK(bytes.data != NULL)) check_broken(&bytes, &refused);
    }
    check_subject("");
    if (files.count) CHECK_FLOOR(refused, 11, "broken models refused");
    file_list_free(&files);
}

/* A plain reading of the same picture; NULL where it is none. */
static uint8_t *plain_pcx(const m2_bytes *b, uint32_t *width, uint32_t *height)
{
    uint32_t line = m2_get16(b->data + 66), run = 0, x, y;
    size_t at = 128;
    uint8_t value = 0, *out;
    const uint8_t *palette = b->data + b->size - 768;
    *width = m2_get16(b->data + 8) - m2_get16(b->data + 4) + 1;
    *height = m2_get16(b->data + 10) - m2_get16(b->data + 6) + 1;
    out = (uint8_t *)malloc_or_abort((size_t)*width * *height * 4);
    for (y = 0; y < *height; ++y) {
        for (x = 0; x < line; ++x) {
            if (run == 0 && at + 1 < b->size) {
                run = b->data[at] >= 0xC0 ? b->data[at++] & 63u : 1;
                value = b->data[at++];
            }
            run -= run > 0;
            if (x >= *width) continue;
            memcpy(out + ((size_t)y * *width + x) * 4, palette + value * 3, 3);
            out[((size_t)y * *width + x) * 4 + 3] = 255;
        }
    }
    return out;
}

static uint32_t check_collected_pcx(const m2_bytes *bytes)
{
    counting_allocator memory;
    md2_error error;
    uint32_t w = 0, h = 0, x = 0, y = 0;
    uint8_t *pixels = load_pcx(bytes, &w, &h, &memory, &error), *plain;
    if (!pixels) {
        printf("    %s: %s\n", check_state.subject, error.message);
        CHECK(strlen(error.message) >= 10);
        return 0;
    }
    plain = plain_pcx(bytes, &x, &y);
    if (CHECK(w == x && h == y)) CHECK(memcmp(pixels, plain, (size_t)w * h * 4) == 0);
    free(plain);
    free_pcx(pixels, w, h, &memory);
    return 1;
}

static void test_collected_pictures(void)
{
    file_list files = list_models("md2", ".pcx");
    uint32_t loaded = 0;
    size_t i;
    for (i = 0; i < files.count; ++i) {
        m2_bytes bytes;
        check_subject(files.path[i]);
        bytes.data = read_file(files.path[i], &bytes.size);
        if (CHECK(bytes.data != NULL)) loaded += check_collected_pcx(&bytes);
    }
    check_subject("");
    if (files.count) CHECK_FLOOR(loaded, 84, "pictures loaded");
    file_list_free(&files);
}

void test_corpus(void)
{
    RUN(test_collection);
    RUN(test_broken_collection);
    RUN(test_collected_pictures);
}
