/* Positions, normals and bounds of poses, also compared with double precision; matrices of triangles. Public
   domain. */
#include "test_md2.h"

/* -- Positions and normals ------------------------------------------------------- */

/* The cube extends from -0.5 to 0.5, and in frame 1 it is 1 unit farther along x. */
static void test_halfway(void)
{
    md2_model *m = load_named("moving_cube", 0);
    md2_pose   pose = md2_pose_between(0, 1, 0.5f);
    float      positions[3 * 24], normals[3 * 24], alone[3 * 24];
    md2_pose_vertices(m, &pose, positions, 0, normals, 0);
    for (uint32_t i = 0; i < 24; ++i) {
        uint32_t point = m->vertices[i].point;
        check_step("vertex %u, point %u", (unsigned)i, (unsigned)point);
        CHECK_NEAR(positions[3 * i], point & 1 ? 1.0 : 0.0, 1e-6);
        CHECK_NEAR(positions[3 * i + 1], point & 2 ? 0.5 : -0.5, 1e-6);
        CHECK_NEAR(positions[3 * i + 2], point & 4 ? 0.5 : -0.5, 1e-6);
        const float *normal = md2_normal(m->frames[0].points[point].normal); /* the same in both frames */
        for (uint32_t k = 0; k < 3; ++k) CHECK_NEAR(normals[3 * i + k], normal[k], 1e-6);
    }

    check_step("only positions");
    md2_pose_vertices(m, &pose, alone, 0, NULL, 0);
    CHECK(same_floats(alone, positions, 3 * 24));
    check_step("only normals");
    md2_pose_vertices(m, &pose, NULL, 0, alone, 0);
    CHECK(same_floats(alone, normals, 3 * 24));
}

/* Computes a point of a pose in double precision, from the bytes and normals of its frames. A frame number that is
   too large means the last frame. If the sum of the normals is almost zero, the normal is (0, 0, 0). */
static void pose_point(const md2_model *m, const md2_pose *pose, uint32_t point, double position[3],
                       double normal[3])
{
    uint32_t entries = pose->count ? pose->count : 1;
    for (uint32_t k = 0; k < 3; ++k) position[k] = normal[k] = 0;
    for (uint32_t i = 0; i < entries; ++i) {
        uint32_t         number = pose->count ? pose->frame[i] : 0;
        double           weight = pose->count ? (double)pose->weight[i] : 1;
        const md2_frame *frame = &m->frames[number < m->frame_count ? number : m->frame_count - 1];
        const md2_point *p = &frame->points[point];
        const uint8_t    bytes[3] = { p->x, p->y, p->z };
        for (uint32_t k = 0; k < 3; ++k) {
            position[k] += weight * (bytes[k] * (double)frame->scale[k] + (double)frame->translate[k]);
            normal[k] += weight * (double)md2_normal(p->normal)[k];
        }
    }
    double length = sqrt(dot3(normal, normal));
    for (uint32_t k = 0; k < 3; ++k) normal[k] = length < 1e-3 ? 0 : normal[k] / length;
}

/* The shortest sum of normals that is compared has the length 0.001, which makes rounding errors a thousand times as
   large as for length 1. */
static void check_pose(const md2_model *m, const md2_pose *pose)
{
    float *positions = (float *)malloc_or_abort((size_t)m->vertex_count * 24 + 24);
    float *normals = positions + 3 * m->vertex_count;
    double extent = extent_of(m), position[3], normal[3];
    md2_pose_vertices(m, pose, positions, 0, normals, 0);
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        double length = 0;
        pose_point(m, pose, m->vertices[i].point, position, normal);
        check_step("vertex %u of a pose of %u frames", (unsigned)i, (unsigned)pose->count);
        for (uint32_t k = 0; k < 3; ++k) {
            double got = (double)normals[3 * i + k];
            CHECK_NEAR(positions[3 * i + k], position[k], 1e-6 * extent);
            if (dot3(normal, normal) > 0) CHECK_NEAR(got, normal[k], 2e-4);
            length += got * got;
        }
        CHECK_NEAR(sqrt(length), 1, 1e-6);
    }
    free(positions);
}

static void check_random_poses(const m2_bytes *bytes, const md2_options *options, random_source *random)
{
    md2_model *m = load_with(bytes, options);
    check_bounds(m);
    for (uint32_t i = 0; i < 20; ++i) {
        md2_pose pose = random_pose(random, i < 16 ? m->frame_count : 100); /* 100: more frames than the model has */
        check_pose(m, &pose);
    }
}

static void test_random_poses(void)
{
    random_source random = { 21 };
    md2_options   options;
    for (uint32_t seed = 1; seed <= (check_is_quick() ? 16 : 60); ++seed) {
        options = options_of(seed % 16);
        options.scale = seed % 3 ? 0.0f : 2.5f;
        check_scene("model %u of seed 21, flags %u, scale %g", (unsigned)seed,
                    (unsigned)options.flags, (double)options.scale);
        check_random_poses(random_bytes(seed, 1 + seed * 3, seed * 5, 1 + seed % 7), &options, &random);
    }
    check_scene("normals out of range");
    options = options_of(0);
    check_random_poses(named("normal_out_of_range"), &options, &random);
    options = options_of(MD2_Y_UP);
    check_random_poses(named("normal_out_of_range"), &options, &random);
}

static void test_interleaved(void)
{
    struct { float position[3], u, v, normal[3]; } vertices[24];
    md2_model *m = load_named("cube", 0);
    md2_pose   pose = still(0);
    for (uint32_t i = 0; i < 24; ++i) vertices[i].u = vertices[i].v = 7;
    md2_pose_vertices(m, &pose, vertices[0].position, sizeof vertices[0], vertices[0].normal,
                      sizeof vertices[0]);
    for (uint32_t i = 0; i < 24; ++i) {
        const md2_point *point = &m->frames[0].points[m->vertices[i].point];
        check_step("vertex %u", (unsigned)i);
        CHECK_EQ(vertices[i].position[2], point->z ? 0.5 : -0.5);
        CHECK_NEAR(vertices[i].normal[0], md2_normal(point->normal)[0], 1e-6);
        CHECK_EQ(vertices[i].u, 7);
        CHECK_EQ(vertices[i].v, 7);
    }
}

/* Checks that exactly twelve bytes are written for each vertex and output. `layout` has the strides of positions and
   normals, and the offset of the first normal. */
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

static void test_any_strides(void)
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
            check_scene("%u points, strides %lu and %lu", (unsigned)points,
                        (unsigned long)layouts[k][0], (unsigned long)layouts[k][1]);
            check_layout(m, &pose, layouts[k]);
        }
    }
}

/* The mean of +X and -X is zero. The other points keep their normals. */
static void test_vanishing_normals(void)
{
    md2_pose  pose = md2_pose_between(0, 1, 0.5f);
    m2_bytes *bytes = named("moving_cube");
    uint8_t  *points = m2_section(bytes, M2_OFS_FRAMES) + 40;
    float     normals[3 * 24];
    for (uint32_t i = 0; i < 8; ++i) {
        points[i * 4 + 3] = i < 4 ? 52 : 5; /* equal normals would be repaired */
        points[72 + i * 4 + 3] = i % 3 ? 143 : 52;
    }
    for (uint32_t i = 0; i < 6; ++i) /* faces without size, so no normal looks wrong */
        m2_put_float(points - 40 + i / 3 * 72 + i % 3 * 4, 0);
    for (uint32_t y_up = 0; y_up < 2; ++y_up) {
        md2_model *model = load(bytes, y_up ? MD2_Y_UP : 0);
        md2_pose_vertices(model, &pose, NULL, 0, normals, 0);
        for (uint32_t i = 0; i < model->vertex_count * 3; ++i) {
            uint32_t point = model->vertices[i / 3].point, axis = (i % 3 + y_up) % 3;
            check_step("normal of point %u, axis %u", (unsigned)point, (unsigned)axis);
            if (point < 4) CHECK_NEAR(normals[i], axis == (point % 3 ? 2 : 0), 1e-6);
        }
        for (uint32_t i = 0; i < model->vertex_count; ++i) { /* of all points */
            check_step("normal of vertex %u", (unsigned)i);
            const float *n = normals + 3 * i;
            CHECK_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-6);
        }
    }
}

/* -- Bounds ------------------------------------------------------------------ */

static void test_bounds(void)
{
    md2_model *m = load_named("moving_cube", 0);
    md2_pose   pose = md2_pose_between(0, 1, 0.5f);
    float      min[3], max[3];
    md2_pose_bounds(m, &pose, min, max);
    CHECK_EQ(min[0], 0.0); /* halfway from -0.5 to 0.5 */
    CHECK_EQ(max[0], 1.0);
    CHECK_EQ(min[1], -0.5);
    CHECK_EQ(max[2], 0.5);
    CHECK_EQ(m->min[0], -0.5); /* the bounds of both frames */
    CHECK_EQ(m->max[0], 1.5);
}

/* Bounds contain all points, even unused ones. So the triangles are changed to use every point. */
static void test_exact_bounds(void)
{
    random_source random = { 41 };
    for (uint32_t seed = 0; seed < 60; ++seed) { /* seed 0: a single point */
        m2_bytes *bytes = random_bytes(seed, seed ? 3 * seed : 1, seed ? seed : 1, 5);
        for (uint32_t i = 0; i < seed * 3; ++i)
            m2_put16(m2_section(bytes, M2_OFS_TRIS) + i / 3 * 12 + i % 3 * 2, i);
        md2_model *m = load(bytes, seed % 2);
        float     *p = (float *)malloc_or_abort((size_t)m->vertex_count * 12);

        for (uint32_t k = 0; k < 36; ++k) {
            uint32_t axis = k % 3;
            md2_pose pose = random_pose(&random, 6);
            float    min[3], max[3];
            md2_pose_vertices(m, &pose, p, 0, NULL, 0);
            md2_pose_bounds(m, &pose, min, max);
            float low = p[axis], high = p[axis];
            for (uint32_t i = 1; i < m->vertex_count; ++i) {
                low = fminf(low, p[i * 3 + axis]);
                high = fmaxf(high, p[i * 3 + axis]);
            }
            check_scene("model %u of seed 41, pose %u, axis %u", (unsigned)seed, (unsigned)k,
                        (unsigned)axis);
            CHECK_EQ(min[axis], low);
            CHECK_EQ(max[axis], high);
        }
        free(p);
    }
}

static void test_bounds_of_few_points(void)
{
    for (uint32_t points = 1; points < 10; ++points) {
        m2_file file;
        m2_begin(&file, 0, points, 1, 1, 0, 3);
        for (uint32_t i = 0; i < 3; ++i) m2_frame(&file, i, "~~~~~~~~~~~~~~~~", 1, 0);
        for (uint32_t i = 0; i < points; ++i)
            m2_set_point(&file, 1, i, 90 + (int)i, 80 - (int)i, 70 + (int)i, 5);
        const md2_frame *frame = &load(written(&file), 0)->frames[1];
        const float last = (float)(points - 1);
        const float min[3] = { 90, 80 - last, 70 }, max[3] = { 90 + last, 80, 70 + last };
        check_scene("%u points", (unsigned)points);
        for (uint32_t axis = 0; axis < 3; ++axis) {
            CHECK_EQ(frame->min[axis], min[axis]);
            CHECK_EQ(frame->max[axis], max[axis]);
        }
    }
}

/* The cube with another scale and translation, and with the bytes a and b in turn. In the last case, scale and
   translation almost cancel. */
static void test_extreme_bounds(void)
{
    static const struct { float scale, translate; uint8_t a, b; } cases[] = {
        { 1e36f, 0, 255, 255 }, { 1.1e36f, 0, 255, 255 }, { 0, 0, 255, 255 },
        { 1e-40f, 0, 255, 255 }, { 4000.3f, -1000000.0f, 249, 250 }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        m2_bytes *bytes = named("cube");
        uint8_t  *frame = m2_section(bytes, M2_OFS_FRAMES);
        check_scene("scale %g, translate %g", (double)cases[i].scale, (double)cases[i].translate);
        for (int k = 0; k < 24; ++k) {
            frame[40 + k / 3 * 4 + k % 3] = k / 3 % 2 ? cases[i].b : cases[i].a;
            m2_put_float(frame + 4 * (k % 3), cases[i].scale);
            m2_put_float(frame + 12 + 4 * (k % 3), cases[i].translate);
        }
        check_bounds(load(bytes, 0));
    }
}

/* -- Unusual poses ------------------------------------------------------------ */

static void test_unusual_poses(void)
{
    static const char *const whose[] = { "without entries, followed by garbage", "of frame 65535",
                                         "whose count is 4294967295" };
    md2_model *m = load_named("moving_cube", 0); /* from -0.5 to 0.5, then from 0.5 to 1.5 */
    md2_pose   poses[3];
    float      min[3], max[3];
    memset(poses, 0x5A, sizeof poses);
    poses[0].count = 0;
    poses[1] = still(65535);
    memset(&poses[2], 0, sizeof poses[2]);
    poses[2].count = 0xFFFFFFFFu;
    poses[2].weight[0] = poses[2].weight[3] = 0.5f;
    for (int i = 0; i < 3; ++i) {
        check_step("a pose %s", whose[i]);
        md2_pose_bounds(m, &poses[i], min, max);
        CHECK_EQ(min[0], i == 1 ? 0.5 : -0.5);
        CHECK_EQ(max[0], i == 1 ? 1.5 : 0.5);
    }
    check_step("NULL, and a mix of two poses without frames");
    md2_pose mixed = md2_pose_mix(poses[2], poses[0], 0.5f);
    CHECK_EQ(mixed.count, 1);
    CHECK_EQ(mixed.weight[0], 1);
    md2_pose_bounds(m, NULL, min, max);
    CHECK_EQ(max[0], 0.5);
}

/* -- Matrices of triangles ------------------------------------------------ */

/* The first triangle of the cube has the corners 0, 6 and 2, on the side that faces -x. */
static void test_triangle(void)
{
    const float h = sqrtf(0.5f);
    const float want[16] = { 0,  h, h, 0, 0,     h,         -h,        0,
                             -1, 0, 0, 0, -0.5f, 1.0f / 6, -1.0f / 6, 1 };
    md2_model  *m = load_named("cube", 0);
    md2_pose    pose = still(0);
    float       got[16];
    CHECK(md2_pose_triangle(m, &pose, 0, got));
    for (int i = 0; i < 16; ++i) {
        check_step("float %d: %s", i, i < 4 ? "x" : i < 8 ? "y" : i < 12 ? "z" : "the origin");
        CHECK_NEAR(got[i], want[i], 1e-6);
    }
}

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
    for (uint32_t i = 0; i < 4; ++i) CHECK_EQ(frame[4 * i + 3], i == 3);
}

static void test_triangles(void)
{
    random_source random = { 51 };
    float p[72], frame[16];
    uint32_t seen = 0;
    for (uint32_t k = 0; k < 50; ++k) {
        md2_model *m = load_named("player", k % 2 ? MD2_KEEP_WINDING : 0);
        md2_pose pose = random_pose(&random, 198);
        md2_pose_vertices(m, &pose, p, 0, NULL, 0);
        for (uint32_t i = 0; i < m->index_count / 3; ++i) {
            check_scene("seed 51, pose %u, triangle %u", (unsigned)k, (unsigned)i);
            if (!md2_pose_triangle(m, &pose, i, frame)) continue;
            check_triangle(m, p, i, frame);
            ++seen;
        }
    }
    CHECK(seen > 0);
}

/* A triangle has no matrix if the squares of its sides underflow. */
static void test_triangles_without_area(void)
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
    for (uint32_t i = 0; i < 24; ++i) {   /* two sizes; the squares of the diagonals do not underflow */
        check_step("cube %u", (unsigned)i);
        options.scale = sqrtf(FLT_MIN * (i < 12 ? 0.75f : 1.5f)) / side;
        cube = load_with(named("cube"), &options);
        CHECK_EQ(md2_pose_triangle(cube, &pose, i % 12, frame), i >= 12);
    }
}

/* Rounding changes the normals of slivers. In frame 0, all points are on a line, and frame 1 has a small weight. */
static void test_slivers(void)
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
    for (uint32_t i = 0; i < 60 * POINTS; ++i)
        file.tris[i] = (uint16_t)random_below(&random, POINTS);
    md2_model *m = load(written(&file), 0);
    for (uint32_t i = 0; i < m->index_count / 3; ++i) {
        md2_pose pose = md2_pose_between(0, 1, i % 4 ? 1e-5f * (float)(i % 100) : 0);
        check_scene("seed 88, sliver %u", (unsigned)i);
        if (!md2_pose_triangle(m, &pose, i, frame)) continue;
        for (uint32_t k = 0; k < 9; ++k) {
            double a[3], b[3];
            widen(frame + 4 * (k / 3), a);
            widen(frame + 4 * (k % 3), b);
            CHECK_NEAR(dot3(a, b), k / 3 == k % 3, 1e-6);
        }
        ++seen;
    }
    CHECK(seen > 0);
}

void test_vertices(void)
{
    RUN(test_halfway, "halfway between two frames, every point is halfway");
    RUN(test_interleaved, "with strides, positions and normals are written into a vertex buffer");
    RUN(test_bounds, "the bounds of a pose contain its points exactly");
    RUN(test_triangle, "a triangle's matrix is at its center, along an edge, and points out of the model");
    RUN(test_triangles_without_area, "a triangle without area, or after the last, has no matrix");
    RUN(test_vanishing_normals, "normals that cancel point up, and the normals next to them keep their length");
    RUN(test_unusual_poses, "a frame number that is too large means the last frame; a pose without entries is frame 0");
    RUN(test_any_strides, "any stride works, and no other byte is written");
    RUN(test_bounds_of_few_points, "the bounds of a few points do not include the bytes before and after them");
    RUN(test_extreme_bounds, "bounds may be too large to measure in a float, or have no size");
    RUN(test_exact_bounds, "the bounds of random poses are those of their vertices, bit for bit");
    RUN(test_random_poses, "random poses agree with double precision");
    RUN(test_triangles, "the matrices of random triangles are right");
    RUN(test_slivers, "the matrix of a sliver is orthonormal, or there is none");
}
