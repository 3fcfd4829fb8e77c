/* md2_smooth_model; tests/character measures it on the character. Public domain. */
#define MD2_SMOOTH
#include "test_md2.h"

static md2_model *smooth(const md2_model *m, size_t max_bytes, counting_allocator *memory,
                         md2_error *error)
{
    md2_options options = counting_options(memory);
    options.max_bytes = max_bytes;
    return md2_smooth_model(m, &options, error);
}

/* 256 * byte + 128 is the byte, 256 steps from the next: whole numbers, so this is exact. */
static uint32_t count_outside_bytes(const md2_model *m, const md2_model *s, uint32_t frame)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < m->point_count; ++i) {
        const md2_point *stored = &m->frames[frame].points[i];
        const uint8_t    bytes[3] = { stored->x, stored->y, stored->z };
        for (uint32_t axis = 0; axis < 3; ++axis) {
            int offset = s->frames[frame].fine[i].position[axis] - (256 * bytes[axis] + 128);
            wrong += offset >= 128 || offset <= -128;
        }
    }
    return wrong;
}

static bool stands_still(const md2_model *m, const md2_anim *anim, uint32_t point)
{
    const md2_frame *first = &m->frames[anim->first], *f;
    for (f = first; f < first + anim->count; ++f) {
        if (memcmp(&f->points[point], &first->points[point], sizeof *f->points) != 0 ||
            !same_floats(f->scale, first->scale, 3) ||
            !same_floats(f->translate, first->translate, 3)) {
            return false;
        }
    }
    return true;
}

/* Points that stand still in an animation stand still when smoothed. */
static uint32_t count_moved_points(const md2_model *m, const md2_model *s)
{
    uint32_t moved = 0;
    for (uint32_t k = 0; k < m->anim_count; ++k) {
        const md2_frame *first = &s->frames[m->anims[k].first];
        for (uint32_t i = 0; i < m->point_count; ++i) {
            if (!stands_still(m, &m->anims[k], i)) continue;
            for (uint32_t frame = 1; frame < m->anims[k].count; ++frame) {
                moved += memcmp(first->fine[i].position, first[frame].fine[i].position, 6) != 0;
            }
        }
    }
    return moved;
}

/* The vertices of a pose of a smoothed model, in double precision. */
static uint32_t count_wrong_vertices(const md2_model *s, const md2_pose *pose)
{
    float   *positions = (float *)malloc_or_abort(s->vertex_count * 24 + 24);
    float   *normals = positions + 3 * s->vertex_count, low[3], high[3];
    uint32_t wrong = 0;
    md2_pose_vertices(s, pose, positions, 0, normals, 0);
    md2_pose_bounds(s, pose, low, high);
    for (uint32_t i = 0; i < s->vertex_count; ++i) {
        double length = 0;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            double sum = 0, size = 0, got = (double)positions[3 * i + axis];
            for (uint32_t k = 0; k < pose->count; ++k) {
                const md2_frame *f = &s->frames[pose->frame[k]];
                int    offset = f->fine[s->vertices[i].point].position[axis] - 128;
                double step = (double)f->scale[axis] / 256, base = (double)f->translate[axis];
                sum += (double)pose->weight[k] * (base + offset * step);
                size += (double)pose->weight[k] * (fabs(base) + fabs(65535 * step));
            }
            wrong += fabs(got - sum) > 1e-6 * size;
            wrong += positions[3 * i + axis] < low[axis] || positions[3 * i + axis] > high[axis];
            length += (double)normals[3 * i + axis] * (double)normals[3 * i + axis];
        }
        wrong += fabs(length - 1) > 1e-5;
    }
    free(positions);
    return wrong;
}

void check_smooth(const md2_model *m)
{
    size_t             points = m->point_count, cells = points * m->frame_count;
    counting_allocator memory;
    md2_error          error;
    md2_model         *s = smooth(m, 0, &memory, &error);
    random_source      random = { 5 };
    uint32_t           wrong = 0;
    md2_pose           pose;
    if (!CHECK(s != NULL)) return;
    CHECK(s->bytes <= m->bytes + 12 * cells + 32);
    CHECK(memory.peak_bytes - s->bytes <= 12 * cells + 256 * points + 64);
    for (uint32_t i = 0; i < s->frame_count; ++i) wrong += count_outside_bytes(m, s, i);
    CHECK_EQ(wrong, 0);
    CHECK_EQ(count_moved_points(m, s), 0);
    for (uint32_t i = 0; i < 4; ++i) {
        pose = random_pose(&random, s->frame_count < 256 ? s->frame_count : 256);
        CHECK_EQ(count_wrong_vertices(s, &pose), 0);
    }
    pose = still(s->frame_count - 1);
    CHECK_EQ(count_wrong_vertices(s, &pose), 0);
    CHECK(memory.allocations == 2 && memory.live_blocks == 1);
    md2_free_model(s);
    CHECK(counting_is_clean(&memory));
}

static void test_smooth_odd_models(void)
{
    static const char *const names[] = {
        "cube", "moving_cube", "player", "sheet", "shared_scale", "negative_scale", "far_out",
        "zero_scale", "degenerate_triangles", "normal_out_of_range", "all_triangles_dropped",
        "no_triangles", "one_point", "65536_points", "65536_frames"
    };
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        check_subject(names[i]);
        check_smooth(load_named(names[i], 0));
        check_smooth(load_named(names[i], MD2_Y_UP | MD2_KEEP_WINDING));
        check_smooth(load(named(names[i]), MD2_BORROW));
    }
    for (uint32_t i = 1; i < 40; ++i) check_smooth(load(random_bytes(i, 5 * i, 3 * i, 1 + i % 7), 0));
    check_subject("");
}

static void test_smooth_memory(void)
{
    const md2_model   *m = load_named("moving_cube", 0);
    counting_allocator memory;
    md2_error          error;
    md2_model *s = smooth(m, 0, &memory, &error);
    size_t needed = memory.peak_bytes;
    md2_free_model(s);
    s = smooth(m, needed, &memory, &error);
    CHECK(s != NULL && error.code == MD2_OK);
    md2_free_model(s);
    check_refused(smooth(m, needed - 1, &memory, &error), &error, MD2_ERROR_LIMIT);
    CHECK(counting_is_clean(&memory));
    for (size_t fail_at = 1; fail_at <= 2; ++fail_at) {
        md2_options options = counting_options(&memory);
        memory.fail_at = fail_at;
        check_refused(md2_smooth_model(m, &options, &error), &error, MD2_ERROR_MEMORY);
        CHECK(counting_is_clean(&memory));
    }
    md2_options half = counting_options(&memory);
    half.allocator.release = NULL;
    check_refused(md2_smooth_model(m, &half, &error), &error, MD2_ERROR_ARGUMENT);
    check_refused(md2_smooth_model(NULL, NULL, &error), &error, MD2_ERROR_ARGUMENT);
    CHECK(md2_smooth_model(NULL, NULL, NULL) == NULL);
    s = md2_smooth_model(m, NULL, NULL);
    CHECK(s != NULL);
    md2_free_model(s);
}

/* Points that differ by 65,536 share nothing: the others are smoothed as without these. */
static void test_smooth_beyond_indices(void)
{
    md2_model *smoothed[2];
    uint32_t   differences = 0;
    for (uint32_t k = 0; k < 2; ++k) {
        uint32_t points = k ? 66200 : 65536;
        m2_file  file;
        m2_begin(&file, 0, points, 1, 1, 0, 4);
        for (uint32_t frame = 0; frame < 4; ++frame) {
            m2_frame(&file, frame, "wave", 1.0f, 0.0f);
            for (uint32_t i = 0; i < points; ++i) {
                m2_set_point(&file, frame, i, (int)((i * (frame + 7) / 3) & 255), (int)(i & 255), (int)(i >> 9), 0);
            }
        }
        smoothed[k] = md2_smooth_model(load(written(&file), 0), NULL, NULL);
        if (!CHECK(smoothed[k] != NULL)) return;
    }
    for (uint32_t frame = 0; frame < 4; ++frame) {
        differences += memcmp(smoothed[0]->frames[frame].fine + 500, smoothed[1]->frames[frame].fine + 500,
                              150 * sizeof(md2_fine)) != 0;
    }
    CHECK_EQ(differences, 0);
    for (uint32_t k = 0; k < 2; ++k) md2_free_model(smoothed[k]);
}

void test_smooth(void)
{
    RUN(test_smooth_memory);
    RUN(test_smooth_odd_models);
    RUN(test_smooth_beyond_indices);
}
