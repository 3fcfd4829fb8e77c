/* The work must be in proportion to the size, for files and names that are made to be slow. This file includes md2.h a
   second time, with static functions that count their steps. Public domain. */
#define MD2_IMPLEMENTATION
#define MD2_STATIC
#define MD2_SMOOTH
#include "count_steps.h"
#include "md2.h"
#include "count_steps.h"

#include "test_md2.h"
#include "tests/both/work.h"

/* -- Names, for the chapter of names ------------------------------------------ */

uint64_t work_of_split(const char *const *names, uint32_t count, const md2_options *options,
                       md2_anim *out, uint32_t capacity);

uint64_t work_of_split(const char *const *names, uint32_t count, const md2_options *options,
                       md2_anim *out, uint32_t capacity)
{
    steps_taken = 0;
    (void)md2_split_frame_names(names, count, options, out, capacity);
    return steps_taken;
}

/* -- Files -------------------------------------------------------------------- */

/* Builds triangles with `points` points and `st` texture coordinates, which are multiples of `factor`. The points of
   consecutive corners are `step` apart; with a step of 0 all corners are random. */
static m2_bytes triangles_of_points(uint32_t bytes, uint32_t points, uint32_t st, uint32_t factor,
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

/* Builds strips and fans of `run` vertices, all at one point that has many vertices. */
static m2_bytes strips_of_one_point(uint32_t bytes, uint32_t run)
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

/* If the name has 14 letters, its end is different in each frame, so each frame is a separate animation. */
static m2_bytes many_frames(uint32_t frames, uint32_t points, uint32_t tris, const char *name)
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

static m2_bytes many_skins(uint32_t skins)
{
    m2_file f;
    m2_begin(&f, skins, 1, 1, 1, 0, 1);
    for (uint32_t i = 0; i < skins; ++i) m2_skin(&f, i, "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s.pcx");
    return m2_write(&f);
}

/* The inverse of the factor by which md2.h hashes texture coordinates. It makes the upper bits of all hashes equal. */
static const uint32_t unspread = 0xe8b2f51u;

static const char *const worst_case_names[] = {
    "triangles of 2,000 points in random order",
    "triangles of 65,000 points in random order",
    "one point with 65,000 texture coordinates",
    "256 points whose texture coordinates grow with the file",
    "GL commands of three vertices, all at one point",
    "GL commands of a thousand vertices, all at one point",
    "many frames of one name",
    "many frames of a name that fills its field",
    "a few frames of 20,000 points",
    "texture coordinates whose upper bits are equal",
    "many frames, each a separate animation",
    "frames whose normals are all the same",
    "many skins with deep paths"
};

enum { WORST_CASES = sizeof worst_case_names / sizeof *worst_case_names, OWN_ANIMS = 10 };

static m2_bytes make_worst_case(int which, uint32_t bytes)
{
    switch (which) {
        case 0: return triangles_of_points(bytes, 2000, 2000, 1, 0);
        case 1: return triangles_of_points(bytes, 65000, 65000, 1, 0);
        case 2: return triangles_of_points(bytes, 1, 65000, 1, 1);
        case 3: return triangles_of_points(bytes, 256, bytes / 1024 + 1, 1, 256);
        case 4: return strips_of_one_point(bytes, 3);
        case 5: return strips_of_one_point(bytes, 1000);
        case 6: return many_frames(bytes / 44, 1, 1, "run1");
        case 7: return many_frames(bytes / 44, 1, 1, "a name of 15 ch");
        case 8: return many_frames(bytes / 80040 + 1, 20000, 1, "run");
        case 9: return triangles_of_points(bytes, 1, 65000, unspread, 1);
        case OWN_ANIMS: return many_frames(bytes / 44, 1, 1, "aaaaaaaaaaaaaa");
        case 11: return many_frames(bytes / 320, 30, bytes / 24, "equal normals");
        default: return many_skins(bytes / 64);
    }
}

/* Returns the steps per byte of loading a file of about `size` bytes. Large files of many frames have more frames than
   allowed, and are refused quickly. */
static double work_of(int which, size_t size)
{
    check_scene("a file made to be slow: %s", worst_case_names[which]);
    m2_bytes b = make_worst_case(which, (uint32_t)size);
    counting_allocator memory;
    md2_options options = counting_options(&memory);
    md2_error error;
    options.max_bytes = (size_t)1 << 30;
    steps_taken = 0;
    md2_model *m = md2_load_memory(b.data, b.size, &options, &error);
    double work = (double)steps_taken / (double)b.size;
    CHECK(m || (error.code == MD2_ERROR_LIMIT && which >= 6));
    CHECK(memory.peak_bytes <= 14 * b.size + 1024); /* as the interface states */
    md2_free_model(m);
    CHECK(counting_is_clean(&memory));
    m2_free(&b);
    return work;
}

/* A byte of a hostile file takes at most 18 steps, and no more in a file of 1 MB than in a file of 250 KB. */
static void test_hostile_files(void)
{
    check_linear_work(work_of, WORST_CASES, 250000, 18.0, 1.6, 0.5);
}

/* The first 512 names are compared with each other, even in a small file. */
static void test_hostile_names(void)
{
    const size_t size = 2048 * 44;
    double steps = work_of(OWN_ANIMS, size) * (double)size;
    check_step("%lu bytes take %.0f steps", (unsigned long)size, steps);
    CHECK(steps < 512 * 512 / 2 * 18 + (double)size * 8);
}

static const char *const smoothing_names[] = {
    "triangles around one point", "triangles in random order", "triangles in a row",
    "triangles of one point", "far too many triangles of one point",
    "one frame, triangles around one point", "one frame, triangles in random order",
    "one frame, triangles in a row", "one frame, triangles of one point"
};

static m2_bytes smoothing_worst_case(int which, uint32_t points, uint32_t frames)
{
    m2_file f;
    uint32_t tris = points * (which == 4 ? 200 : 2), seed = 2024;
    m2_begin(&f, 1, points, 1, tris, 0, frames);
    for (uint32_t i = 0; i < frames * points * 4; ++i) f.points[i] = (uint8_t)m2_dice(&seed, 256);
    for (uint32_t i = 0; i < frames; ++i) m2_frame(&f, i, "run1", 0.5f, 1.0f);
    for (uint32_t i = 0; i < tris * 3; ++i) {
        uint32_t any = m2_dice(&seed, points), next = i / 3 + i % 3;
        uint32_t point = which == 0 ? (i % 3 ? next : 0) : which == 1 ? any : which == 2 ? next : 0;
        f.tris[i / 3 * 6 + i % 3] = (uint16_t)(point % points);
    }
    return m2_write(&f);
}

/* Returns the steps of smoothing, divided by points and frames. 12 more frames are counted, because the filter of a
   patch takes steps for each point, whatever the number of frames is. */
static double smoothing_work(int which, size_t points)
{
    uint32_t frames = which < 5 ? 40 : 1;
    check_scene("a model made to be slow: %s", smoothing_names[which]);
    m2_bytes b = smoothing_worst_case(which % 5, (uint32_t)points, frames);
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
    check_linear_work(smoothing_work, 9, 500, 1500.0, 1.1, 10.0);
}

void test_work(void)
{
    if (check_is_quick()) return; /* steps are the same on every processor */
    RUN(test_hostile_names, "a frame name is compared with at most 512 others");
    RUN(test_hostile_files, "no byte of a file takes many steps to load, however large the file");
    RUN(test_hostile_smoothing, "smoothing takes steps in proportion to points and frames");
}
