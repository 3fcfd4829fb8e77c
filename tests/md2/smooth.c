/* md2_smooth_model; tests/character measures it on the character. Public domain. */
#define MD2_SMOOTH
#include "test_md2.h"

static md2_model *smooth(const md2_model *m, size_t max_bytes, counting_allocator *memory,
                         md2_error *error)
{
    md2_options options = options_of(0);
    use_memory(&options, memory);
    options.max_bytes = max_bytes;
    return md2_smooth_model(m, &options, error);
}

/* 256 * byte + 128 is the byte, 256 steps from the next: whole numbers, so this is exact. */
static uint32_t count_outside_bytes(const md2_model *m, const md2_model *s, uint32_t frame)
{
    uint32_t i, axis, wrong = 0;
    for (i = 0; i < m->point_count; ++i) {
        const md2_point *stored = &m->frames[frame].points[i];
        const uint8_t    bytes[3] = { stored->x, stored->y, stored->z };
        for (axis = 0; axis < 3; ++axis) {
            int offset = s->frames[frame].fine[i].position[axis] - (256 * bytes[axis] + 128);
            wrong += offset >= 128 || offset <= -128;
        }
    }
    return wrong;
}

/* The vertices of a pose of a smoothed model, in double precision. */
static uint32_t count_wrong_vertices(const md2_model *s, const md2_pose *pose)
{
    float   *positions = (float *)malloc_or_abort(s->vertex_count * 24 + 24);
    float   *normals = positions + 3 * s->vertex_count, low[3], high[3];
    uint32_t i, k, axis, wrong = 0;
    md2_pose_vertices(s, pose, positions, 0, normals, 0);
    md2_pose_bounds(s, pose, low, high);
    for (i = 0; i < s->vertex_count; ++i) {
        double length = 0;
        for (axis = 0; axis < 3; ++axis) {
            double sum = 0, size = 0, got = (double)positions[3 * i + axis];
            for (k = 0; k < pose->count; ++k) {
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
    uint32_t           i, wrong = 0;
    md2_pose           pose;
    if (!CHECK(s != NULL)) return;
    CHECK(s->bytes <= m->bytes + 12 * cells + 32);
    CHECK(memory.peak_bytes - s->bytes <= 12 * cells + 256 * points + 64);
    for (i = 0; i < s->frame_count; ++i) wrong += count_outside_bytes(m, s, i);
    CHECK_EQ(wrong, 0);
    for (i = 0; i < 4; ++i) {
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
    uint32_t i;
    for (i = 0; i < sizeof names / sizeof names[0]; ++i) {
        check_subject(names[i]);
        check_smooth(load_named(names[i], 0));
        check_smooth(load_named(names[i], MD2_Y_UP | MD2_KEEP_WINDING));
        check_smooth(load(named(names[i]), MD2_BORROW));
    }
    for (i = 1; i < 40; ++i) check_smooth(load(random_bytes(i, 5 * i, 3 * i, 1 + i % 7), 0));
    check_subject("");
}

static void test_smooth_memory(void)
{
    const md2_model   *m = load_named("moving_cube", 0);
    counting_allocator memory;
    md2_options        options = options_of(0);
    md2_error          error;
    md2_model         *s;
    size_t             fail_at, needed;
    s = smooth(m, 0, &memory, &error);
    needed = memory.peak_bytes;
    md2_free_model(s);
    s = smooth(m, needed, &memory, &error);
    CHECK(s != NULL && error.code == MD2_OK);
    md2_free_model(s);
    check_refused(smooth(m, needed - 1, &memory, &error), &error, MD2_ERROR_LIMIT);
    CHECK(counting_is_clean(&memory));
    for (fail_at = 1; fail_at <= 2; ++fail_at) {
        use_memory(&options, &memory);
        memory.fail_at = fail_at;
        check_refused(md2_smooth_model(m, &options, &error), &error, MD2_ERROR_MEMORY);
        CHECK(counting_is_clean(&memory));
    }
    check_refused(md2_smooth_model(NULL, NULL, &error), &error, MD2_ERROR_ARGUMENT);
    CHECK(md2_smooth_model(NULL, NULL, NULL) == NULL);
    s = md2_smooth_model(m, NULL, NULL);
    CHECK(s != NULL);
    md2_free_model(s);
}

/* -- A ball of which the truth is known: it sways, then leaps away; a block below stands still ---- */

enum { ROWS = 12, COLUMNS = 20, BALL = ROWS * COLUMNS, BLOCK = 20, SWAY = 40, LEAP = 8,
       FRAMES = SWAY + LEAP };

static void place_point(uint32_t frame, uint32_t i, double out[3])
{
    double turn = 6.283185307179586 / SWAY * frame, height, width, around;
    double leap = frame < SWAY ? 0 : 20 + 3.0 * (frame - SWAY);
    if (i >= BALL) {
        out[0] = 7.3 * (i % 5), out[1] = 6.1 * (i / 5 % 4) + 0.37, out[2] = -40.21;
        return;
    }
    height = -0.93 + 1.86 * (i / COLUMNS) / (ROWS - 1);
    width = 25 * sqrt(1 - height * height);
    around = 6.283185307179586 / COLUMNS * (i % COLUMNS) + 0.3 * sin(turn);
    out[0] = width * cos(around) + leap;
    out[1] = width * sin(around) + 0.3 * cos(turn);
    out[2] = 25 * height;
}

static md2_model *load_ball(void)
{
    m2_file  f;
    uint32_t frame, i, k, axis;
    m2_begin(&f, 0, BALL + BLOCK, 1, (ROWS - 1) * COLUMNS * 2, 0, FRAMES);
    for (i = 0; i < (ROWS - 1) * COLUMNS; ++i) {
        uint32_t right = i % COLUMNS == COLUMNS - 1 ? i + 1 - COLUMNS : i + 1;
        uint32_t corners[6] = { 0, 0, 0, 0, 0, 0 };
        corners[0] = i, corners[1] = i + COLUMNS, corners[2] = right;
        corners[3] = right, corners[4] = i + COLUMNS, corners[5] = right + COLUMNS;
        for (k = 0; k < 6; ++k) f.tris[12 * i + k % 3 + k / 3 * 6] = (uint16_t)corners[k];
    }
    for (frame = 0; frame < FRAMES; ++frame) {
        char name[16];
        snprintf(name, sizeof name, "%s%u", frame < SWAY ? "sway" : "leap", (unsigned)frame + 1);
        m2_frame(&f, frame, name, 0.5f, -60);
        for (i = 0; i < BALL + BLOCK; ++i) {
            double p[3];
            int    bytes[3];
            place_point(frame, i, p);
            for (axis = 0; axis < 3; ++axis) bytes[axis] = (int)floor((p[axis] + 60) / 0.5 + 0.5);
            m2_set_point(&f, frame, i, bytes[0], bytes[1], bytes[2], 5);
        }
    }
    return load(written(&f), MD2_FRAME_NAMES);
}

/* The offset from the truth, in steps. */
static double offset_of(const md2_model *m, uint32_t frame, uint32_t i, uint32_t axis)
{
    const md2_frame *f = &m->frames[frame];
    const uint8_t    bytes[3] = { f->points[i].x, f->points[i].y, f->points[i].z };
    double           truth[3], steps = bytes[axis];
    place_point(frame, i, truth);
    if (f->fine) steps = (f->fine[i].position[axis] - 128) / 256.0;
    return steps - (truth[axis] + 60) / 0.5;
}

/* The sums of the squares of the offsets, and of their second differences around the loop. */
static void measure_ball(const md2_model *m, uint32_t first, uint32_t count, double *error,
                         double *jitter)
{
    uint32_t k, i, axis;
    *error = *jitter = 0;
    for (k = 0; k < count; ++k) {
        for (i = 0; i < BALL; ++i) {
            for (axis = 0; axis < 3; ++axis) {
                double before = offset_of(m, first + (k + count - 1) % count, i, axis);
                double here = offset_of(m, first + k, i, axis);
                double bend = before - 2 * here + offset_of(m, first + (k + 1) % count, i, axis);
                *error += here * here;
                *jitter += bend * bend;
            }
        }
    }
}

static void test_smooth_ball(void)
{
    md2_model *m = load_ball(), *s = md2_smooth_model(m, NULL, NULL);
    double     error[2], jitter[2];
    uint32_t   i, frame, moved = 0;
    CHECK_EQ(m->anim_count, 2);
    measure_ball(m, 0, SWAY, &error[0], &jitter[0]);
    measure_ball(s, 0, SWAY, &error[1], &jitter[1]);
    CHECK(error[1] <= 0.55 * error[0]);
    CHECK(jitter[1] <= 0.04 * jitter[0]); /* a fifth, also from the last frame to the first */
    measure_ball(m, SWAY, LEAP, &error[0], &jitter[0]);
    measure_ball(s, SWAY, LEAP, &error[1], &jitter[1]);
    CHECK(error[1] <= 0.55 * error[0]); /* a cut is a cut */
    for (frame = 0; frame < FRAMES; ++frame) {
        for (i = BALL; i < BALL + BLOCK; ++i) {
            const uint16_t *p = s->frames[frame].fine[i].position;
            const uint16_t *first = s->frames[frame < SWAY ? 0 : SWAY].fine[i].position;
            moved += memcmp(p, first, 3 * sizeof *p) != 0;
        }
    }
    CHECK_EQ(moved, 0);
    md2_free_model(s);
}

void test_smooth(void)
{
    RUN(test_smooth_ball);
    RUN(test_smooth_memory);
    RUN(test_smooth_odd_models);
}
