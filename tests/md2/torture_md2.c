/* torture_md2: every model of the tests' own, and every one under MODELS, cut short at every
   length, with bytes changed, with allocations failing and readers breaking off. Whatever still
   loads is used. Meant for the sanitizers; `--quick` takes a sample that fits into any test run,
   `--brief` one for a machine that is emulated. Public domain. */
#define MD2_IMPLEMENTATION
#define MD2_SMOOTH
#include "count_steps.h"
#include "md2.h"
#include "count_steps.h"

#include "test_md2.h"
#define FUZZ_NO_MUTATORS
#include "tests/fuzz/replay.h"
#include "tests/fuzz/md2_model.h"
#include "torture.h"

static random_source dice = { 2024 };

static struct {
    unsigned long used_whole, vertices;
    double hardest; /* steps a byte, and a few for each file */
} seen;

/* Each load takes the next way. */
static const struct { uint32_t flags; const char *names; } ways[8] = {
    { 0, "no flags" },
    { MD2_Y_UP, "MD2_Y_UP" },
    { MD2_KEEP_WINDING | MD2_FLIP_V, "MD2_KEEP_WINDING | MD2_FLIP_V" },
    { MD2_BORROW, "MD2_BORROW" },
    { MD2_WHOLE_TEXEL, "MD2_WHOLE_TEXEL" },
    { MD2_FRAME_NAMES, "MD2_FRAME_NAMES" },
    { 0, "no flags" },
    { MD2_QUAKE2_ANIMS | MD2_Y_UP, "MD2_QUAKE2_ANIMS | MD2_Y_UP" }
};
static uint32_t loads; /* of the file under torture */

/* -- Using a model that loaded -------------------------------------------- */

static void use_pose(const md2_model *m, const md2_pose *pose, float *out)
{
    float frame[16], min[3], max[3];
    uint32_t floats = m->vertex_count * 6, finite = 0; /* those before the first that is not */
    md2_pose_vertices(m, pose, out, 24, out + 3, 24);
    while (finite < floats && out[finite] - out[finite] == 0.0f) ++finite;
    CHECK_EQ(finite, floats);

    md2_pose_bounds(m, pose, min, max);
    CHECK(min[0] <= max[0] && min[1] <= max[1] && min[2] <= max[2]);
    if (md2_pose_triangle(m, pose, m->index_count / 6, frame)) CHECK(frame[12] - frame[12] == 0.0f);
    seen.vertices += m->vertex_count;
}

/* With every frame once when `whole`, else with some of them. */
static void use_model(const md2_model *m, bool whole)
{
    float     *out = (float *)malloc_or_abort((size_t)m->vertex_count * 24 + 12);
    uint32_t   attempt = 0, step = whole ? 1 : m->frame_count / 2 + 1;
    char       path[64];
    md2_player player;
    md2_pose   pose;
    fuzz_check_md2_triangles(m);
    fuzz_check_md2_strips(m);
    if (whole) fuzz_check_md2(m);
    seen.used_whole += whole;
    while (attempt < (seen.used_whole % 16 ? 3u : 201u) &&
           md2_skin_path(m, "a/b/tris.md2", 0, attempt, path, sizeof path)) {
        ++attempt;
    }
    CHECK(attempt <= 200);
    for (uint32_t i = 0; i < m->frame_count; i += step) {
        pose = md2_pose_between(i, i + 1, i % 3 ? 0.25f : 0.0f);
        use_pose(m, &pose, out);
    }
    memset(&player, 0, sizeof player);
    for (uint32_t i = 0; i < (whole ? 6u : 2u); ++i) {
        md2_play(&player, m->anim_count ? &m->anims[i % m->anim_count] : NULL, (md2_mode)(i % 3),
                 i ? 0.5f : 0.0f);
        md2_advance(&player, 0.17f);
        pose = md2_player_pose(&player);
        use_pose(m, &pose, out);
    }
    free(out);
}

/* -- One load and what follows -------------------------------------------- */

static outcome load_and_use(int kind, feed *from, counting_allocator *memory)
{
    uint32_t    way = loads++ % 8;
    md2_options options = options_of(ways[way].flags);
    md2_reader  reader = { read_feed, from };
    md2_error   error;
    outcome     out;
    const md2_allocator counting = { counting_alloc, counting_release, memory };
    (void)kind;
    check_step("%s, loaded with %s", torture.damage, ways[way].names);
    options.allocator = counting;
    if (from->step) options.flags &= ~(uint32_t)MD2_BORROW;
    memset(&out, 0, sizeof out);
    steps_taken = 0;
    md2_model *m = from->step ? md2_load_reader(&reader, &options, &error)
                              : md2_load_memory(from->bytes, from->size, &options, &error);
    double steps = (double)steps_taken / ((double)from->size + 1000);
    if (!from->step) {
        /* 8,000 to turn 162 normals, however small the file; up to 40 to compute one of a point */
        CHECK_NEAR(steps, 0, 30);
        seen.hardest = fmax(seen.hardest, steps);
    }

    out.loaded = m != NULL;
    out.unread = error.code == MD2_ERROR_READ;
    out.allocations = memory->allocations;
    CHECK_EQ(out.loaded, error.code == MD2_OK);
    if (m) use_model(m, from->size <= 20480);
    else check_refused(m, &error, error.code);

    md2_free_model(m);
    CHECK(counting_is_clean(memory));
    CHECK(memory->peak_bytes <= 17 * from->size + 66560); /* as the interface says for a reader */
    return out;
}

/* -- The ways of breaking a file ------------------------------------------ */

/* Half of them anywhere, half in a section of its own choosing: the small ones would else never be
   hit. */
static size_t place_in_model(random_source *random, const char *bytes, size_t size)
{
    static const int fields[] = { M2_OFS_SKINS, M2_OFS_ST, M2_OFS_TRIS, M2_OFS_WORDS,
                                  M2_OFS_FRAMES };
    size_t at = random_below(random, (uint32_t)size), from;
    if (size <= M2_HEADER || random_below(random, 2)) return at;
    from = m2_get32((const uint8_t *)bytes + 4 * fields[random_below(random, 5)]);
    if (from >= size) return at;
    return from + random_below(random, (uint32_t)(size - from < 2000 ? size - from : 2000));
}

/* Each word of the header becomes each of the numbers that programs forget, its neighbours, and
   itself with each of its bits turned. */
static void change_fields(m2_bytes *b)
{
    static const uint32_t values[] = { 0,           1,           0xFFFFFFFFu, 0x7FFFFFFFu,
                                       0x80000000u, 0x7FFFFFFEu, 0xFFFFu,     0x10000u };
    static const char *const names[M2_FIELDS] = {
        "ident", "version", "skinwidth", "skinheight", "framesize", "num_skins", "num_xyz",
        "num_st", "num_tris", "num_glcmds", "num_frames", "ofs_skins", "ofs_st", "ofs_tris",
        "ofs_frames", "ofs_glcmds", "ofs_end"
    };
    for (int field = 0; field < M2_FIELDS && b->size >= M2_HEADER; ++field) {
        uint32_t kept = m2_field(b, field);
        for (uint32_t i = 0; i < 42; ++i) {
            m2_set_field(b, field, i < 8    ? values[i] : i == 8 ? kept - 1 : i == 9 ? kept + 1
                                   : kept ^ (uint32_t)1 << (i - 10));
            torture_damage("%s in the header is 0x%08lX instead of 0x%08lX", names[field],
                           (unsigned long)m2_field(b, field), (unsigned long)kept);
            torture_once(0, b->data, b->size);
        }
        m2_set_field(b, field, kept);
    }
}

static void check_same_model(const md2_model *a, const md2_model *b)
{
    uint32_t same_frames = 0;
    CHECK(memcmp(&a->skin_width, &b->skin_width, offsetof(md2_model, flags)) == 0);
    CHECK_EQ(b->bytes, a->bytes);
    CHECK_EQ(b->flags, a->flags);
    CHECK_EQ(b->defects, a->defects);
    CHECK(memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) == 0);
    CHECK(memcmp(a->indices, b->indices, a->index_count * sizeof *a->indices) == 0);
    for (; same_frames < a->frame_count; ++same_frames) {
        const md2_frame *one = &a->frames[same_frames], *other = &b->frames[same_frames];
        if (memcmp(one->points, other->points, a->point_count * sizeof(md2_point)) != 0) break;
        if (memcmp(one->scale, other->scale, sizeof one->scale) != 0) break;
    }
    CHECK_EQ(same_frames, a->frame_count);
}

/* The file may begin at any address, borrowed or not: nothing of it is read as if it were aligned,
   which the sanitizers and some processors would notice. */
static void move_about(const m2_bytes *b)
{
    uint8_t *room = (uint8_t *)malloc_or_abort(b->size + 16);
    for (uint32_t offset = 1; offset < 16; ++offset) {
        md2_options options = options_of(offset % 2 ? MD2_BORROW : 0); /* its normals stay */
        check_step("it begins %u bytes behind an even address%s", (unsigned)offset,
                   offset % 2 ? ", and is borrowed" : "");
        steps_taken = 0;
        md2_model *at_home = md2_load_memory(b->data, b->size, &options, NULL);
        uint64_t work = steps_taken;
        memcpy(room + offset, b->data, b->size);
        md2_model *m = md2_load_memory(room + offset, b->size, &options, NULL);
        CHECK_EQ(steps_taken, 2 * work); /* no address decides an order */
        CHECK_EQ(m != NULL, at_home != NULL);
        if (at_home && m) check_same_model(at_home, m);
        if (m) use_model(m, false);
        md2_free_model(m);
        md2_free_model(at_home);
    }
    free(room);
}

static void torture_bytes(m2_bytes *b)
{
    loads = 0;
    torture_file(0, b->data, b->size, torture.quick ? 200 : 2000);
    if (b->size < 20480 || !torture.quick) change_fields(b);
    if (b->size < 100000) move_about(b);
}

/* -- Files made to hurt ---------------------------------------------------- */

/* Triangles over `points` points and `st` texture coordinates: multiples of `factor`, all the same
   if it is 0. `step` says how the corners walk through them. */
static m2_bytes hurt_triangles(uint32_t bytes, uint32_t points, uint32_t st, uint32_t factor,
                               uint32_t step)
{
    m2_file f;
    uint32_t tris = bytes / 12, seed = 7;
    m2_begin(&f, 1, points, st, tris, 0, 1);
    for (uint32_t i = 0; i < st; ++i) {
        f.st[2 * i] = (int16_t)(i * factor & 0xffff);
        f.st[2 * i + 1] = (int16_t)(i * factor >> 16);
    }
    for (uint32_t i = 0; i < tris * 3; ++i) {
        uint32_t point = step ? i * step : m2_dice(&seed, 65536);
        uint32_t corner = step ? i / points : m2_dice(&seed, 65536);
        f.tris[i / 3 * 6 + i % 3] = (uint16_t)(point % points);
        f.tris[i / 3 * 6 + 3 + i % 3] = (uint16_t)(corner % st);
    }
    return m2_write(&f);
}

/* GL commands: runs of `run` vertices, all at one point that has more vertices than any. */
static m2_bytes hurt_strips(uint32_t bytes, uint32_t run)
{
    m2_file f;
    uint32_t words = bytes / 4 / (1 + 3 * run) * (1 + 3 * run);
    uint32_t tris = bytes < 1000000 ? bytes / 50 : 20000, st = tris * 3;
    m2_begin(&f, 1, 3, st, tris, words + 1, 1);
    for (uint32_t i = 0; i < tris * 3; ++i) {
        f.tris[i / 3 * 6 + i % 3] = 0;
        f.tris[i / 3 * 6 + 3 + i % 3] = (uint16_t)i;
    }
    for (uint32_t i = 0; i < st; ++i) f.st[2 * i] = (int16_t)i, f.st[2 * i + 1] = (int16_t)(i / 256);
    while (f.words_used + 1 + 3 * run <= words) {
        m2_word(&f, f.words_used % 2 ? run : (uint32_t)-(int32_t)run);
        for (uint32_t point = 0; point < run; ++point) {
            m2_float_word(&f, 0.5f);
            m2_float_word(&f, 0.25f);
            m2_word(&f, 0);
        }
    }
    m2_word(&f, 0);
    return m2_write(&f);
}

/* A name of 14 letters differs from frame to frame at its end: each is an animation of its own. */
static m2_bytes hurt_frames(uint32_t frames, uint32_t points, uint32_t tris, const char *name)
{
    m2_file f;
    char own[16];
    m2_begin(&f, 1, points, 1, tris, 0, frames);
    for (uint32_t i = 0; i < tris; ++i) f.tris[6 * i] = (uint16_t)(i % points);
    for (uint32_t i = 0; i < frames; ++i) {
        snprintf(own, sizeof own, "%s", name);
        if (strlen(name) == 14) {
            own[13] = (char)('a' + i / 26 % 26);
            own[14] = (char)('a' + i % 26);
            own[15] = 0;
        }
        m2_frame(&f, i, own, 0.5f, 1.0f);
    }
    return m2_write(&f);
}

static m2_bytes hurt_skins(uint32_t skins)
{
    m2_file f;
    m2_begin(&f, skins, 1, 1, 1, 0, 1);
    for (uint32_t i = 0; i < skins; ++i) m2_skin(&f, i, "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s.pcx");
    return m2_write(&f);
}

/* Undoes the factor that spreads the bits of texture coordinates, so that the upper ones are equal. */
static const uint32_t unspread = 0xe8b2f51u;

/* A tree of one branch, as deep as can be: each vertex shares one bit more with the last one, at
   which all triangles but the first ones look. */
static m2_bytes hurt_tree(uint32_t bytes)
{
    m2_file f;
    uint32_t tris = bytes / 12, last = 0x1b1b1b1bu;
    m2_begin(&f, 1, 1, 33, tris, 0, 1);
    for (uint32_t i = 0; i < 33; ++i) {
        uint32_t texcoord = (i < 32 ? last ^ 0x80000000u >> i : last) * unspread;
        f.st[2 * i] = (int16_t)(texcoord & 0xffff);
        f.st[2 * i + 1] = (int16_t)(texcoord >> 16);
    }
    for (uint32_t i = 0; i < tris * 3; ++i) {
        f.tris[i / 3 * 6 + 3 + i % 3] = (uint16_t)(i < 32 ? i : 32);
    }
    return m2_write(&f);
}

static const char *const hurt_names[] = {
    "triangles over 2,000 points in no order",
    "triangles over 65,000 points in no order",
    "65,000 points whose texture coordinates are all the same",
    "one point with 65,000 texture coordinates",
    "65,000 points with one texture coordinate",
    "256 points with ever more texture coordinates",
    "GL commands of three vertices, all at one point",
    "GL commands of a thousand vertices, all at one point",
    "many frames of one name",
    "many frames of a name that fills its field",
    "a few frames of 20,000 points",
    "texture coordinates whose upper bits are equal",
    "texture coordinates that make a tree of one branch",
    "many frames, each an animation of its own",
    "frames whose normals are all the same",
    "many skins with deep paths"
};

enum { HURTS = sizeof hurt_names / sizeof *hurt_names, OWN_ANIMS = 13 };

static m2_bytes make_hurt(int which, uint32_t bytes)
{
    switch (which) {
        case 0: return hurt_triangles(bytes, 2000, 2000, 1, 0);
        case 1: return hurt_triangles(bytes, 65000, 65000, 1, 0);
        case 2: return hurt_triangles(bytes, 65000, 65000, 0, 0);
        case 3: return hurt_triangles(bytes, 1, 65000, 1, 1);
        case 4: return hurt_triangles(bytes, 65000, 1, 0, 1);
        case 5: return hurt_triangles(bytes, 256, bytes / 1024 + 1, 1, 256);
        case 6: return hurt_strips(bytes, 3);
        case 7: return hurt_strips(bytes, 1000);
        case 8: return hurt_frames(bytes / 44, 1, 1, "run1");
        case 9: return hurt_frames(bytes / 44, 1, 1, "a name of 15 ch");
        case 10: return hurt_frames(bytes / 80040 + 1, 20000, 1, "run");
        case 11: return hurt_triangles(bytes, 1, 65000, unspread, 1);
        case 12: return hurt_tree(bytes);
        case OWN_ANIMS: return hurt_frames(bytes / 44, 1, 1, "aaaaaaaaaaaaaa");
        case 14: return hurt_frames(bytes / 320, 30, bytes / 24, "equal normals");
        default: return hurt_skins(bytes / 64);
    }
}

/* Steps a byte, of about `size` of them. The many frames are more than may be, from a certain size
   on: that is quick. */
static double work_of(int which, size_t size)
{
    check_scene("made to hurt: %s", hurt_names[which]);
    m2_bytes b = make_hurt(which, (uint32_t)size);
    counting_allocator memory;
    md2_options options = counting_options(&memory);
    md2_error error;
    options.max_bytes = (size_t)1 << 30;
    steps_taken = 0;
    md2_model *m = md2_load_memory(b.data, b.size, &options, &error);
    double work = (double)steps_taken / (double)b.size;
    CHECK(m || (error.code == MD2_ERROR_LIMIT && which >= 8));
    CHECK(memory.peak_bytes <= 15 * b.size + 1024); /* as the interface says */
    if (m) use_model(m, false);
    md2_free_model(m);
    CHECK(counting_is_clean(&memory));
    m2_free(&b);
    return work;
}

/* Linear: no byte of a file made to hurt costs much more than one of an honest file, and none costs
   more where there are four times as many: 10 MB against 2.5, or a tenth of both. */
static void test_hostile_files(void)
{
    check_linear_work(work_of, HURTS, torture.quick ? 250000 : 2500000, 18.0, 1.6, 0.5);
}

/* The first 512 are compared with one another, however small the file. */
static void test_hostile_names(void)
{
    const size_t size = 2048 * 44;
    double steps = work_of(OWN_ANIMS, size) * (double)size;
    check_step("%lu bytes take %.0f steps", (unsigned long)size, steps);
    CHECK(steps < 512 * 512 / 2 * 18 + (double)size * 8);
}

static const char *const smoothing_names[] = {
    "triangles around one point", "triangles in no order", "triangles in a row",
    "triangles of one point", "far too many triangles of one point",
    "one frame, triangles around one point", "one frame, triangles in no order",
    "one frame, triangles in a row", "one frame, triangles of one point"
};

static m2_bytes hurt_smoothing(int which, uint32_t points, uint32_t frames)
{
    m2_file f;
    uint32_t tris = points * (which == 4 ? 200 : 2);
    m2_begin(&f, 1, points, 1, tris, 0, frames);
    for (uint32_t i = 0; i < frames * points * 4; ++i) f.points[i] = (uint8_t)random_below(&dice, 256);
    for (uint32_t i = 0; i < frames; ++i) m2_frame(&f, i, "run1", 0.5f, 1.0f);
    for (uint32_t i = 0; i < tris * 3; ++i) {
        uint32_t any = random_below(&dice, points), next = i / 3 + i % 3;
        uint32_t point = which == 0 ? (i % 3 ? next : 0) : which == 1 ? any : which == 2 ? next : 0;
        f.tris[i / 3 * 6 + i % 3] = (uint16_t)(point % points);
    }
    return m2_write(&f);
}

/* Smoothing is linear in points and frames, for any triangles: steps for each point of a frame, and
   for each point; the filter of a patch is of points alone. */
static double smoothing_work(int which, size_t points)
{
    uint32_t frames = which < 5 ? 40 : 1;
    check_scene("made to hurt: %s", smoothing_names[which]);
    m2_bytes b = hurt_smoothing(which % 5, (uint32_t)points, frames);
    md2_options options = options_of(0);
    options.max_bytes = (size_t)1 << 30;
    md2_model *m = md2_load_memory(b.data, b.size, &options, NULL), *smooth;
    steps_taken = 0;
    smooth = md2_smooth_model(m, &options, NULL);
    CHECK(smooth && smooth->frame_count == frames);
    md2_free_model(smooth);
    md2_free_model(m);
    m2_free(&b);
    return (double)steps_taken / (double)points / (frames + 12.0);
}

static void test_hostile_smoothing(void)
{
    check_linear_work(smoothing_work, 9, torture.quick ? 500 : 4000, 1500.0, 1.1, 10.0);
}

/* -- Paths ---------------------------------------------------------------- */

static bool path_opens(const char *path)
{
    md2_error error;
    md2_model *m = md2_load_file(path, NULL, &error);
    bool opens = m != NULL;
    CHECK(opens || error.code == MD2_ERROR_OPEN);
    md2_free_model(m);
    return opens;
}

static void test_paths(void)
{
    m2_bytes cube = m2_named("cube");
    check_paths("2", path_opens, cube.data, cube.size);
    m2_free(&cube);
}

/* -- All of them ---------------------------------------------------------- */

static void test_own_models(void)
{
    for (size_t i = 0; i < M2_CASES; i += torture.brief ? 5 : 1) {
        m2_bytes bytes = m2_case_bytes(&m2_cases[i]);
        check_scene("%s", m2_cases[i].name);
        torture_bytes(&bytes);
        m2_free(&bytes);
    }
}

static uint32_t torture_files(file_list files)
{
    uint32_t count = 0;
    for (size_t i = 0; i < files.count; ++i) {
        m2_bytes bytes;
        check_scene("%s", files.path[i]);
        bytes.data = read_file(files.path[i], &bytes.size);
        CHECK(bytes.data != NULL);
        torture_bytes(&bytes);
        ++count;
        m2_free(&bytes);
    }
    file_list_free(&files);
    return count;
}

static void test_models_at_hand(void)
{
    const char *models = getenv("MODELS");
    if (!models || !*models) return;
    CHECK_FLOOR(torture_files(list_models(".md2")), of_collection(300), "collected models");
    CHECK_FLOOR(torture_files(list_bad_models(".md2")), of_collection(11), "broken models");
}

static void test_totals(void)
{
    check_torture();
    CHECK_FLOOR(seen.used_whole, torture.brief ? 1000 : 5000, "models used whole");
    printf("    %.1f million vertices posed; the hardest load took %.2f steps a byte\n",
           (double)seen.vertices / 1e6, seen.hardest);
    CHECK(seen.hardest > 0.0);
}

int main(int argc, char **argv)
{
    check_start(argc, argv, "--quick --brief");
    check_after_each(release_kept);
    torture.load = load_and_use;
    torture.place = place_in_model;
    torture.brief = check_option("--brief") != NULL;
    torture.quick = torture.brief || check_option("--quick");
    RUN(test_hostile_names, "a name of a frame is compared with 512 others at most");
    RUN(test_hostile_files, "no byte of a file takes many steps to load, however large the file");
    RUN(test_hostile_smoothing, "smoothing takes steps in proportion to points and frames");
    RUN(test_own_models, "a damaged model of our own loads and can be used, or is refused");
    RUN(test_paths, "a path that is not UTF-8 opens nothing");
    RUN(test_models_at_hand, "a damaged model of $MODELS loads and can be used, or is refused");
    if (!check_runs_some() && check_failures() == 0)
        RUN(test_totals, "of the damaged models many load, and many are refused");
    return check_finish();
}
