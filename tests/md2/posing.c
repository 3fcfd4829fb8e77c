/* Positions and normals of poses, against double precision; frames of triangles. Public domain. */
#include "test_md2.h"

static void compare_random_poses(const m2_bytes *bytes, const md2_options *options,
                                 random_source *random, worst_of *worst)
{
    view       v = view_of(bytes, options);
    md2_model *m = load_with(bytes, options);
    uint32_t   i;
    for (i = 0; i < 20; ++i) { /* some have frames that the model has not */
        md2_pose pose = random_pose(random, i < 16 ? m->frame_count : 100);
        compare_pose(m, &v, &pose, worst);
    }
}

static void test_poses_against_reference(void)
{
    random_source random = { 21 };
    worst_of      worst;
    md2_options   options;
    uint32_t      seed;
    memset(&worst, 0, sizeof worst);
    for (seed = 1; seed <= 60; ++seed) {
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

typedef struct layout {
    size_t position_stride, normal_stride, normal_offset;
} layout;

/* Writes exactly twelve bytes for each vertex and output, wherever they lie: everything between is
   left alone. */
static void check_layout(const md2_model *m, const md2_pose *pose, const layout *l)
{
    size_t n = m->vertex_count, ps = l->position_stride, ns = l->normal_stride, i, k, touched = 0;
    size_t end_p = n ? (n - 1) * ps + 12 : 0, end_n = n ? l->normal_offset + (n - 1) * ns + 12 : 0;
    size_t size = end_p > end_n ? end_p : end_n;
    uint8_t *out = (uint8_t *)malloc_or_abort(size), *mine = (uint8_t *)malloc_or_abort(size);
    float *p = (float *)malloc_or_abort(n * 12), *q = (float *)malloc_or_abort(n * 12);
    memset(out, 0x5C, size);
    memset(mine, 0, size);
    md2_pose_vertices(m, pose, p, 0, q, 0);
    md2_pose_vertices(m, pose, (float *)(void *)out, ps, (float *)(void *)(out + l->normal_offset),
                      ns);
    for (i = 0; i < n; ++i) {
        touched += memcmp(out + i * ps, p + i * 3, 12) != 0;
        touched += memcmp(out + l->normal_offset + i * ns, q + i * 3, 12) != 0;
        memset(mine + i * ps, 1, 12);
        memset(mine + l->normal_offset + i * ns, 1, 12);
    }
    for (k = 0; k < size; ++k) touched += !mine[k] && out[k] != 0x5C;
    CHECK_EQ(touched, 0);
    free(out);
    free(mine);
    free(p);
    free(q);
}

static void test_strides(void)
{
    static const layout layouts[] = { { 24, 24, 12 },   { 32, 32, 12 },   { 32, 32, 20 },
                                      { 16, 16, 4000 }, { 12, 12, 8000 }, { 20, 12, 9000 },
                                      { 48, 48, 16 },   { 28, 28, 16 },   { 36, 64, 12000 } };
    uint32_t points, k;
    random_source random = { 5 };
    for (points = 1; points < 40; ++points) {
        md2_model *m = load(random_bytes(points, points, points, 3), 0);
        for (k = 0; k < sizeof layouts / sizeof layouts[0]; ++k) {
            md2_pose pose = random_pose(&random, 3);
            check_layout(m, &pose, &layouts[k]);
        }
    }
}

static void test_null_outputs(void)
{
    md2_model *m = load_named("player", 0);
    md2_pose   pose = md2_pose_between(3, 8, 0.3f);
    float      both[2][72], alone[2][72];
    md2_pose_vertices(m, &pose, both[0], 0, both[1], 0);
    md2_pose_vertices(m, &pose, alone[0], 0, NULL, 0);
    md2_pose_vertices(m, &pose, NULL, 0, alone[1], 0);
    md2_pose_vertices(m, &pose, NULL, 0, NULL, 0);
    CHECK(memcmp(both, alone, sizeof both) == 0);
}

/* -- Normals ----------------------------------------------------------------- */

/* +X and -X half and half have no length: those points get the normal that points up, beside others
   that stay; and in the vertices behind the last four. */
static void test_vanishing_normals(void)
{
    md2_pose  pose = md2_pose_between(0, 1, 0.5f);
    m2_bytes *bytes = named("moving_cube");
    float     normals[3 * 24];
    uint32_t  gone, i, count;
    for (gone = 0; gone < 1024; ++gone) {
        uint8_t    *points = m2_section(bytes, M2_OFS_FRAMES) + 40;
        bool        y_up = gone >= 512;
        const float side[3] = { y_up ? 0.0f : 1.0f, 0.0f, y_up ? 1.0f : 0.0f };
        const float up[3] = { 0.0f, y_up ? 1.0f : 0.0f, y_up ? 0.0f : 1.0f };
        md2_model  *model;
        for (i = 0; i < 8; ++i) {
            points[i * 4 + 3] = 52;
            points[72 + i * 4 + 3] = gone >> i & 1 ? 143 : 52;
        }
        model = load(bytes, y_up ? MD2_Y_UP : 0);
        count = model->vertex_count;
        for (; model->vertex_count > count - 4; --model->vertex_count) {
            md2_pose_vertices(model, &pose, NULL, 0, normals, 0);
            for (i = 0; i < model->vertex_count * 3; ++i) {
                bool vanishes = (gone >> model->vertices[i / 3].point & 1) != 0;
                CHECK_NEAR(normals[i], (vanishes ? up : side)[i % 3], vanishes ? 0 : 1e-6);
            }
        }
    }
}

/* -- Odd poses ---------------------------------------------------------------- */

/* A pose without entries is frame 0; one that claims more than four has four. */
static void test_odd_poses(void)
{
    md2_model *model = load_named("moving_cube", 0);
    md2_pose   first = still(0), none, many, mixed;
    float      bounds[4][6];
    int        i;
    memset(&none, 0x5A, sizeof none);
    none.count = 0;
    memset(&many, 0, sizeof many);
    many.count = 0xFFFFFFFFu;
    many.weight[0] = many.weight[3] = 0.5f;
    md2_pose_bounds(model, &first, bounds[0], bounds[0] + 3);
    md2_pose_bounds(model, NULL, bounds[1], bounds[1] + 3);
    md2_pose_bounds(model, &none, bounds[2], bounds[2] + 3);
    md2_pose_bounds(model, &many, bounds[3], bounds[3] + 3);
    for (i = 1; i < 4; ++i) CHECK(same_floats(bounds[i], bounds[0], 6));
    mixed = md2_pose_mix(many, none, 0.5f);
    CHECK(mixed.count == 1 && mixed.frame[0] == 0);
    CHECK_NEAR(mixed.weight[0], 1, 0);
}

/* -- Triangle frames ------------------------------------------------------ */

static void widen(const float *from, double to[3])
{
    to[0] = (double)from[0];
    to[1] = (double)from[1];
    to[2] = (double)from[2];
}

static void check_triangle(const md2_model *m, const float *p, uint32_t triangle,
                           const float frame[16])
{
    double corner[3][3], edge[3], other[3], normal[3], x[3], y[3], z[3], c[3], size = extent_of(m);
    uint32_t i;
    for (i = 0; i < 3; ++i) widen(p + m->indices[triangle * 3 + i] * 3, corner[i]);
    for (i = 0; i < 3; ++i) {
        edge[i] = corner[1][i] - corner[0][i];
        other[i] = corner[2][i] - corner[0][i];
        CHECK_NEAR(frame[12 + i], (corner[0][i] + corner[1][i] + corner[2][i]) / 3.0, 2e-6 * size);
    }
    cross3(edge, other, normal);
    widen(frame, x);
    widen(frame + 4, y);
    widen(frame + 8, z);
    cross3(z, x, c);
    for (i = 0; i < 3; ++i) {
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
    md2_model *m = load_named("player", 0);
    float p[72], frame[16];
    uint32_t i, k, seen = 0;
    for (k = 0; k < 50; ++k) {
        md2_pose pose = random_pose(&random, 198);
        md2_pose_vertices(m, &pose, p, 0, NULL, 0);
        for (i = 0; i < m->index_count / 3; ++i) {
            if (!md2_pose_triangle(m, &pose, i, frame)) continue;
            check_triangle(m, p, i, frame);
            ++seen;
        }
    }
    CHECK_FLOOR(seen, 400, "triangle frames");
}

/* No area, no frame; and no triangle beyond the last. */
static void test_triangle_frames_without_area(void)
{
    md2_model *m = load_named("degenerate_triangles", 0), *none = load_named("no_triangles", 0);
    md2_pose pose = still(0);
    float frame[16];
    CHECK(!md2_pose_triangle(m, &pose, 0, frame));
    CHECK(!md2_pose_triangle(m, &pose, 1, frame));
    CHECK(md2_pose_triangle(m, &pose, 2, frame));
    CHECK(!md2_pose_triangle(m, &pose, 12, frame));
    CHECK(!md2_pose_triangle(m, &pose, 0xFFFFFFFFu, frame));
    CHECK(!md2_pose_triangle(none, &pose, 0, frame));
}

/* On the face z = +0.5 of the cube: origin on the face, z straight out of it, however the triangles
   are wound. */
static void test_triangle_frame_of_cube(void)
{
    uint32_t flags;
    for (flags = 0; flags <= (uint32_t)MD2_KEEP_WINDING; flags += (uint32_t)MD2_KEEP_WINDING) {
        md2_model *m = load_named("cube", flags);
        md2_pose pose = still(0);
        float frame[16];
        CHECK(md2_pose_triangle(m, &pose, 10, frame));
        CHECK_NEAR(frame[8], 0, 1e-6);
        CHECK_NEAR(frame[9], 0, 1e-6);
        CHECK_NEAR(frame[10], 1, 1e-6);
        CHECK_NEAR(frame[14], 0.5, 1e-6);
    }
}

/* Positions may be huge, what is made of them stays finite. */
static void test_far_out(void)
{
    md2_model *m = load_named("far_out", 0);
    float frame[16];
    uint32_t i, k;
    for (i = 0; i < 12; ++i) {
        md2_pose pose = md2_pose_between(0, 1, (float)(i % 3) * 0.5f);
        if (!md2_pose_triangle(m, &pose, i, frame)) continue;
        for (k = 0; k < 16; ++k) CHECK(frame[k] - frame[k] == 0.0f);
    }
    for (i = 0; i < m->frame_count; ++i) CHECK(m->frames[i].radius - m->frames[i].radius == 0.0f);
}

void test_posing(void)
{
    RUN(test_poses_against_reference);
    RUN(test_strides);
    RUN(test_null_outputs);
    RUN(test_vanishing_normals);
    RUN(test_odd_poses);
    RUN(test_triangle_frames);
    RUN(test_triangle_frames_without_area);
    RUN(test_triangle_frame_of_cube);
    RUN(test_far_out);
}
