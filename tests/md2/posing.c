/* Positions, normals and bounds of poses, against double precision; frames of triangles. Public
   domain. */
#include "test_md2.h"

static void compare_random_poses(const m2_bytes *bytes, const md2_options *options,
                                 random_source *random, worst_of *worst)
{
    view       v = view_of(bytes, options);
    md2_model *m = load_with(bytes, options);
    check_model(m, bytes, options);
    for (uint32_t i = 0; i < 20; ++i) { /* some have frames that the model has not */
        md2_pose pose = random_pose(random, i < 16 ? m->frame_count : 100);
        compare_pose(m, &v, &pose, worst);
    }
}

static void test_poses_against_reference(void)
{
    random_source random = { 21 };
    worst_of      worst;
    md2_options   options;
    memset(&worst, 0, sizeof worst);
    for (uint32_t seed = 1; seed <= 60; ++seed) {
        options = options_of(seed % 16);
        options.scale = seed % 3 ? 0.0f : 2.5f;
        compare_random_poses(random_bytes(seed, 1 + seed * 3, seed * 5, 1 + seed % 7), &options,
                             &random, &worst);
    }
    options = options_of(MD2_BORROW);
    compare_random_poses(named("normal_out_of_range"), &options, &random, &worst);
    options = options_of(MD2_Y_UP);
    compare_random_poses(named("normal_out_of_range"), &options, &random, &worst);
    printf("worst position %.3g of the extent, worst normal %.3g\n", worst.position, worst.normal);
    check_worst(&worst);
    CHECK_FLOOR(worst.vertices, 50000, "vertices against double precision");
}

/* Writes exactly twelve bytes for each vertex and output, wherever they lie: everything between is
   left alone. The strides of positions and of normals, and where the first normal lies. */
static void check_layout(const md2_model *m, const md2_pose *pose, const size_t layout[3])
{
    size_t n = m->vertex_count, size = layout[2] + n * (layout[0] + layout[1]) + 24;
    uint8_t *out = (uint8_t *)malloc_or_abort(2 * size), *want = out + size;
    float *p = (float *)malloc_or_abort(n * 24), *q = p + 3 * n;
    memset(out, 0x5C, 2 * size);
    md2_pose_vertices(m, pose, p, 0, q, 0);
    md2_pose_vertices(m, pose, (float *)(void *)out, layout[0], (float *)(void *)(out + layout[2]),
                      layout[1]);
    for (size_t i = 0; i < n; ++i) {
        memcpy(want + i * layout[0], p + i * 3, 12);
        memcpy(want + layout[2] + i * layout[1], q + i * 3, 12);
    }
    CHECK(memcmp(out, want, size) == 0);
    free(out);
    free(p);
}

static void test_strides(void)
{
    static const size_t layouts[][3] = { { 24, 24, 12 },   { 32, 32, 12 },   { 32, 32, 20 },
                                         { 16, 16, 4000 }, { 12, 12, 8000 }, { 20, 12, 9000 },
                                         { 48, 48, 16 },   { 28, 28, 16 },   { 36, 64, 12000 },
                                         { 27, 27, 12 },   { 18, 13, 9000 } };
    random_source random = { 5 };
    for (uint32_t points = 1; points < 40; ++points) {
        md2_model *m = load(random_bytes(points, points, points, 3), 0);
        for (uint32_t k = 0; k < sizeof layouts / sizeof layouts[0]; ++k) {
            md2_pose pose = random_pose(&random, 3);
            check_layout(m, &pose, layouts[k]);
        }
    }
}

/* -- Normals ----------------------------------------------------------------- */

/* +X and -X half and half have no length: these points get the normal that points up, the others
   keep theirs. */
static void test_vanishing_normals(void)
{
    md2_pose  pose = md2_pose_between(0, 1, 0.5f);
    m2_bytes *bytes = named("moving_cube");
    uint8_t  *points = m2_section(bytes, M2_OFS_FRAMES) + 40;
    float     normals[3 * 24];
    for (uint32_t i = 0; i < 8; ++i) {
        points[i * 4 + 3] = i < 7 ? 52 : 5; /* not all the same, which would be repaired */
        points[72 + i * 4 + 3] = i % 3 ? 143 : 52;
    }
    for (uint32_t y_up = 0; y_up < 2; ++y_up) {
        md2_model *model = load(bytes, y_up ? MD2_Y_UP : 0);
        md2_pose_vertices(model, &pose, NULL, 0, normals, 0);
        for (uint32_t i = 0; i < model->vertex_count * 3; ++i) {
            uint32_t point = model->vertices[i / 3].point, axis = (i % 3 + y_up) % 3;
            if (point < 7) CHECK_NEAR(normals[i], axis == (point % 3 ? 2 : 0), 1e-6);
        }
    }
}

/* -- Bounds ------------------------------------------------------------------ */

/* Over all points, used or not: the model is rebuilt so that its triangles use every point, and
   then they must agree exactly. */
static void test_pose_bounds(void)
{
    random_source random = { 41 };
    uint32_t wrong = 0;
    for (uint32_t seed = 0; seed < 60; ++seed) { /* 0: a single point */
        m2_bytes *bytes = random_bytes(seed, seed ? 3 * seed : 1, seed ? seed : 1, 5);
        float *p, low[3], high[3], min[3], max[3];
        for (uint32_t i = 0; i < seed * 3; ++i)
            m2_put16(m2_section(bytes, M2_OFS_TRIS) + i / 3 * 12 + i % 3 * 2, i);
        md2_model *m = load(bytes, seed % 2);
        p = (float *)malloc_or_abort((size_t)m->vertex_count * 12);
        for (uint32_t k = 0; k < 12; ++k) {
            md2_pose pose = random_pose(&random, 6);
            md2_pose_vertices(m, &pose, p, 0, NULL, 0);
            md2_pose_bounds(m, &pose, min, max);
            for (uint32_t axis = 0; axis < 3; ++axis) {
                low[axis] = high[axis] = p[axis];
                for (uint32_t i = 1; i < m->vertex_count; ++i) {
                    if (p[i * 3 + axis] < low[axis]) low[axis] = p[i * 3 + axis];
                    if (p[i * 3 + axis] > high[axis]) high[axis] = p[i * 3 + axis];
                }
                wrong += low[axis] != min[axis] || high[axis] != max[axis];
            }
        }
        free(p);
    }
    CHECK_EQ(wrong, 0);
}

/* Fewer points than a vector holds: the frame's name before them does not count, nor what comes after them. */
static void test_bounds_of_few_points(void)
{
    for (uint32_t points = 1; points < 10; ++points) {
        m2_file file;
        m2_begin(&file, 0, points, 1, 1, 0, 3);
        for (uint32_t i = 0; i < 3; ++i) m2_frame(&file, i, "~~~~~~~~~~~~~~~~", 1, 0);
        for (uint32_t i = 0; i < points; ++i)
            m2_set_point(&file, 1, i, 90 + (int)i, 80 - (int)i, 70 + (int)i, 5);
        const md2_frame *frame = &load(written(&file), 0)->frames[1];
        float last = (float)(points - 1);
        CHECK(frame->min[0] == 90 && frame->min[1] == 80 - last && frame->min[2] == 70);
        CHECK(frame->max[0] == 90 + last && frame->max[1] == 80 && frame->max[2] == 70 + last);
    }
}

/* Spheres that no float can measure, of no size, and of which translate and scale cancel: the cube
   with another scale and place of its frame, and with the bytes a and b in turn. */
static void test_odd_boxes(void)
{
    static const struct { float scale, translate; uint8_t a, b; } cases[] = {
        { 1e36f, 0, 255, 255 }, { 1.1e36f, 0, 255, 255 }, { 0, 0, 255, 255 },
        { 1e-40f, 0, 255, 255 }, { 4000.3f, -1000000.0f, 249, 250 }
    };
    md2_options options = options_of(0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        m2_bytes *bytes = named("cube");
        uint8_t  *frame = m2_section(bytes, M2_OFS_FRAMES);
        for (int k = 0; k < 24; ++k) {
            frame[40 + k / 3 * 4 + k % 3] = k / 3 % 2 ? cases[i].b : cases[i].a;
            m2_put_float(frame + 4 * (k % 3), cases[i].scale);
            m2_put_float(frame + 12 + 4 * (k % 3), cases[i].translate);
        }
        check_model(load(bytes, 0), bytes, &options);
    }
}

/* -- Odd poses ---------------------------------------------------------------- */

/* A pose without entries is frame 0; one that claims more than eight has eight. */
static void test_odd_poses(void)
{
    md2_model *model = load_named("moving_cube", 0);
    md2_pose   first = still(0), none, many, mixed;
    float      bounds[4][6];
    memset(&none, 0x5A, sizeof none);
    none.count = 0;
    memset(&many, 0, sizeof many);
    many.count = 0xFFFFFFFFu;
    many.weight[0] = many.weight[3] = 0.5f;
    md2_pose_bounds(model, &first, bounds[0], bounds[0] + 3);
    md2_pose_bounds(model, NULL, bounds[1], bounds[1] + 3);
    md2_pose_bounds(model, &none, bounds[2], bounds[2] + 3);
    md2_pose_bounds(model, &many, bounds[3], bounds[3] + 3);
    for (int i = 1; i < 4; ++i) CHECK(same_floats(bounds[i], bounds[0], 6));
    mixed = md2_pose_mix(many, none, 0.5f);
    CHECK(mixed.count == 1 && mixed.frame[0] == 0);
    CHECK_NEAR(mixed.weight[0], 1, 0);
}

/* -- Triangle frames ------------------------------------------------------ */

static void widen(const float *from, double to[3])
{
    for (int k = 0; k < 3; ++k) to[k] = (double)from[k];
}

static void check_triangle(const md2_model *m, const float *p, uint32_t triangle,
                           const float frame[16])
{
    double corner[3][3], edge[3], other[3], normal[3], x[3], y[3], z[3], c[3], size = extent_of(m);
    for (uint32_t i = 0; i < 3; ++i) widen(p + m->indices[triangle * 3 + i] * 3, corner[i]);
    for (uint32_t i = 0; i < 3; ++i) {
        edge[i] = corner[1][i] - corner[0][i];
        other[i] = corner[2][i] - corner[0][i];
        CHECK_NEAR(frame[12 + i], (corner[0][i] + corner[1][i] + corner[2][i]) / 3.0, 2e-6 * size);
    }
    if (m->flags & MD2_KEEP_WINDING) cross3(other, edge, normal);
    else cross3(edge, other, normal);
    widen(frame, x);
    widen(frame + 4, y);
    widen(frame + 8, z);
    cross3(z, x, c);
    for (uint32_t i = 0; i < 3; ++i) {
        CHECK_NEAR(x[i], edge[i] / sqrt(dot3(edge, edge)), 1e-4);
        CHECK_NEAR(z[i], normal[i] / sqrt(dot3(normal, normal)), 1e-2);
        CHECK_NEAR(y[i], c[i], 1e-4);
    }
    CHECK_NEAR(dot3(x, x), 1.0, 1e-5);
    CHECK_NEAR(dot3(y, y), 1.0, 1e-5);
    CHECK_NEAR(dot3(z, z), 1.0, 1e-5);
    CHECK(frame[3] == 0.0f && frame[7] == 0.0f && frame[11] == 0.0f && frame[15] == 1.0f);
}

static void test_triangle_frames(void)
{
    random_source random = { 51 };
    float p[72], frame[16];
    uint32_t seen = 0;
    for (uint32_t k = 0; k < 50; ++k) {
        md2_model *m = load_named("player", k % 2 ? MD2_KEEP_WINDING : 0);
        md2_pose pose = random_pose(&random, 198);
        md2_pose_vertices(m, &pose, p, 0, NULL, 0);
        for (uint32_t i = 0; i < m->index_count / 3; ++i) {
            if (!md2_pose_triangle(m, &pose, i, frame)) continue;
            check_triangle(m, p, i, frame);
            ++seen;
        }
    }
    CHECK_FLOOR(seen, 400, "triangle frames");
}

/* No area, no frame; nor for sides whose squares underflow. And no triangle beyond the last. */
static void test_triangle_frames_without_area(void)
{
    md2_model *m = load_named("degenerate_triangles", 0), *none = load_named("no_triangles", 0);
    md2_model *cube = load_named("cube", 0);
    md2_options options = options_of(0);
    md2_pose pose = still(0);
    float frame[16];
    CHECK(!md2_pose_triangle(m, &pose, 0, frame));
    CHECK(!md2_pose_triangle(m, &pose, 1, frame));
    CHECK(md2_pose_triangle(m, &pose, 2, frame));
    CHECK(!md2_pose_triangle(m, &pose, 12, frame));
    CHECK(!md2_pose_triangle(m, &pose, 0xFFFFFFFFu, frame));
    CHECK(!md2_pose_triangle(none, &pose, 0, frame));
    float side = cube->max[0] - cube->min[0];
    for (uint32_t i = 0; i < 24; ++i) {   /* of two sizes; the diagonals do not underflow */
        options.scale = sqrtf(FLT_MIN * (i < 12 ? 0.75f : 1.5f)) / side;
        cube = load_with(named("cube"), &options);
        CHECK_EQ(md2_pose_triangle(cube, &pose, i % 12, frame), i >= 12);
    }
}

/* Triangles so thin that rounding turns their normals: the axes are orthonormal, or there is no
   frame. In frame 0 all points lie on a line, and frame 1 counts for little. */
static void test_triangle_frames_of_slivers(void)
{
    enum { POINTS = 200 };
    random_source random = { 88 };
    m2_file file;
    uint32_t seen = 0;
    float frame[16];
    m2_begin(&file, 0, POINTS, POINTS, 10 * POINTS, 0, 2);
    m2_frame(&file, 0, "a", 0.37f, 3);
    m2_frame(&file, 1, "b", 0.37f, 3);
    for (uint32_t i = 0; i < POINTS; ++i) {
        int along = (int)random_below(&random, 200), aside = (int)random_below(&random, 50);
        m2_set_point(&file, 0, i, along, along, 255 - along, 0);
        m2_set_point(&file, 1, i, along, along + aside, 255 - along, 0);
    }
    for (uint32_t i = 0; i < 60 * POINTS; ++i) file.tris[i] = (uint16_t)random_below(&random, POINTS);
    md2_model *m = load(written(&file), 0);
    for (uint32_t i = 0; i < m->index_count / 3; ++i) {
        md2_pose pose = md2_pose_between(0, 1, i % 4 ? 1e-5f * (float)(i % 100) : 0);
        if (!md2_pose_triangle(m, &pose, i, frame)) continue;
        for (uint32_t k = 0; k < 9; ++k) {
            double a[3], b[3];
            widen(frame + 4 * (k / 3), a);
            widen(frame + 4 * (k % 3), b);
            CHECK_NEAR(dot3(a, b), k / 3 == k % 3, 1e-6);
        }
        ++seen;
    }
    CHECK_FLOOR(seen, 1000, "slivers with a frame");
}

void test_posing(void)
{
    RUN(test_poses_against_reference);
    RUN(test_strides);
    RUN(test_vanishing_normals);
    RUN(test_pose_bounds);
    RUN(test_bounds_of_few_points);
    RUN(test_odd_boxes);
    RUN(test_odd_poses);
    RUN(test_triangle_frames);
    RUN(test_triangle_frames_without_area);
    RUN(test_triangle_frames_of_slivers);
}
