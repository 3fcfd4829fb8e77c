/* What is loaded, in the caller's conventions: winding, texture coordinates, axes, normals. Public
   domain. */
#include "test_md2.h"

/* Six times the volume inside the triangles, positive where they are counter-clockwise seen from
   outside. */
static double signed_volume(const md2_model *m, const float *positions)
{
    double sum = 0.0, p[3][3], c[3];
    uint32_t i, k, axis;
    for (i = 0; i < m->index_count; i += 3) {
        for (k = 0; k < 3; ++k) {
            for (axis = 0; axis < 3; ++axis)
                p[k][axis] = (double)positions[m->indices[i + k] * 3 + axis];
        }
        cross3(p[1], p[2], c);
        sum += dot3(p[0], c);
    }
    return sum;
}

static double posed_volume(const md2_model *m, uint32_t frame)
{
    float *positions = (float *)malloc_or_abort((size_t)m->vertex_count * 12);
    md2_pose pose = still(frame);
    double volume;
    md2_pose_vertices(m, &pose, positions, 0, NULL, 0);
    volume = signed_volume(m, positions);
    free(positions);
    return volume;
}

/* Everything about the cube is known exactly. */
static void test_exact_cube(void)
{
    md2_model *m = load_named("cube", 0);
    float positions[24 * 3];
    md2_pose pose = still(0);
    uint32_t i;
    CHECK_EQ(m->vertex_count, 24);
    CHECK_EQ(m->index_count, 36);
    CHECK_EQ(m->strip_count, 6);
    CHECK_EQ(m->skin_count, 1);
    CHECK_TEXT(m->skins[0].path, "models/cube/cube.pcx");
    CHECK_TEXT(m->frames[0].name, "move1");
    CHECK_NEAR(m->frames[0].radius, sqrt(0.75), 1e-6);
    md2_pose_vertices(m, &pose, positions, 0, NULL, 0);
    for (i = 0; i < 3; ++i) CHECK(m->min[i] == -0.5f && m->max[i] == 0.5f);
    for (i = 0; i < 72; ++i) CHECK(positions[i] == 0.5f || positions[i] == -0.5f);
    CHECK_NEAR(signed_volume(m, positions), 6.0, 1e-6);
    CHECK_EQ(m->vertices[0].point, 0);
    CHECK(m->vertices[1].u == 16.5f / 64 && m->vertices[1].v == 16.5f / 64 && m->vertices[1].point == 6);
    CHECK(m->vertices[2].u == 16.5f / 64 && m->vertices[2].v == 0.5f / 64 && m->vertices[2].point == 2);
    CHECK(m->indices[0] == 0 && m->indices[1] == 1 && m->indices[2] == 2);
    CHECK(m->indices[3] == 0 && m->indices[4] == 3 && m->indices[5] == 1);
}

static void test_winding(void)
{
    md2_model *plain = load_named("cube", 0), *kept = load_named("cube", MD2_KEEP_WINDING);
    md2_model *up = load_named("cube", MD2_Y_UP), *mirrored = load_named("negative_scale", 0);
    CHECK_NEAR(posed_volume(plain, 0), 6.0, 1e-6);
    CHECK_NEAR(posed_volume(kept, 0), -6.0, 1e-6);
    CHECK_NEAR(posed_volume(up, 0), 6.0, 1e-6); /* a permutation, not a mirror */
    CHECK_NEAR(posed_volume(mirrored, 0), -6.0, 1e-6);
    CHECK(same_vertex(&plain->vertices[plain->indices[1]], &kept->vertices[kept->indices[2]]));
    CHECK(same_vertex(&plain->vertices[plain->indices[2]], &kept->vertices[kept->indices[1]]));
}

static void test_texture_options(void)
{
    md2_model *plain = load_named("sheet", 0), *flipped = load_named("sheet", MD2_FLIP_V);
    md2_model *whole = load_named("sheet", MD2_WHOLE_TEXEL),
              *both = load_named("sheet", MD2_WHOLE_TEXEL | MD2_FLIP_V);
    uint32_t i;
    for (i = 0; i < plain->vertex_count; ++i) {
        double u = (double)plain->vertices[i].u, v = (double)plain->vertices[i].v;
        CHECK_NEAR(flipped->vertices[i].u, u, 1e-7);
        CHECK_NEAR(flipped->vertices[i].v, 1.0 - v, 1e-7);
        CHECK_NEAR(whole->vertices[i].u, u - 0.5 / 256, 1e-7);
        CHECK_NEAR(whole->vertices[i].v, v - 0.5 / 128, 1e-7);
        CHECK_NEAR(both->vertices[i].v, 1.0 - v + 0.5 / 128, 1e-7);
    }
    for (i = 0; i < plain->strip_vertex_count; ++i) {
        const md2_strip_vertex *a = &plain->strip_vertices[i];
        CHECK(whole->strip_vertices[i].u == a->u && whole->strip_vertices[i].v == a->v);
        CHECK_NEAR(flipped->strip_vertices[i].v, 1.0 - (double)a->v, 1e-7);
    }
}

static double highest_u(const md2_model *m)
{
    double   high = 0.0;
    uint32_t i;
    for (i = 0; i < m->vertex_count; ++i) {
        if ((double)m->vertices[i].u > high) high = (double)m->vertices[i].u;
    }
    return high;
}

/* Skin sizes of 0 divide by 1; what lies on the edge, beyond it or below zero is kept as it is. */
static void test_texture_edges(void)
{
    CHECK_EQ(highest_u(load_named("skin_size_zero", MD2_WHOLE_TEXEL)), 56.0);
    CHECK_EQ(highest_u(load_named("st_at_edge", MD2_WHOLE_TEXEL)), 1.0);
    CHECK_NEAR(load_named("st_negative", MD2_WHOLE_TEXEL)->vertices[0].u, -516.0 / 64, 1e-6);
}

static void test_y_up(void)
{
    md2_model *plain = load_named("player", 0), *up = load_named("player", MD2_Y_UP);
    uint32_t frame, point, wrong = 0;
    int axis;
    for (axis = 0; axis < 3; ++axis) {
        CHECK(up->min[axis] == plain->min[(axis + 1) % 3] &&
              up->max[axis] == plain->max[(axis + 1) % 3]);
    }
    for (frame = 0; frame < plain->frame_count; ++frame) {
        for (point = 0; point < plain->point_count; ++point) {
            const float *a = md2_normal(plain->frames[frame].points[point].normal);
            const float *b = md2_normal(up->frames[frame].points[point].normal);
            wrong += b[0] != a[1] || b[1] != a[2] || b[2] != a[0];
        }
    }
    CHECK_EQ(wrong, 0);
}

/* -- The table of normals ------------------------------------------------- */

#define NORMALS 162u

static uint32_t crc32_of(const uint8_t *data, size_t size)
{
    uint32_t crc = 0xFFFFFFFFu;
    size_t i;
    int bit;
    for (i = 0; i < size; ++i) {
        crc ^= data[i];
        for (bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return crc ^ 0xFFFFFFFFu;
}

static int find_normal(float x, float y, float z)
{
    uint32_t i;
    for (i = 0; i < NORMALS; ++i) {
        const float *n = md2_normal(i);
        if (n[0] == x && n[1] == y && n[2] == z) return (int)i;
    }
    return -1;
}

static void test_normal_table(void)
{
    uint8_t bytes[NORMALS * 12];
    uint32_t i, axis;
    for (i = 0; i < NORMALS; ++i) {
        for (axis = 0; axis < 3; ++axis)
            m2_put_float(bytes + i * 12 + axis * 4, md2_normal(i)[axis] + 0.0f);
    }
    CHECK_EQ(crc32_of(bytes, sizeof bytes), 0x90F4DA7Fu);
    CHECK(find_normal(1, 0, 0) == 52 && find_normal(-1, 0, 0) == 143);
    CHECK(find_normal(0, 1, 0) == 32 && find_normal(0, -1, 0) == 104);
    CHECK(find_normal(0, 0, 1) == 5 && find_normal(0, 0, -1) == 84);
    CHECK(find_normal(-0.525731f, 0.0f, 0.850651f) == 0);
    CHECK(find_normal(-0.442863f, 0.238856f, 0.864188f) == 1);
    CHECK(find_normal(-0.688191f, -0.587785f, -0.425325f) == 161);
}

static void test_normal_properties(void)
{
    static const uint32_t wild[] = { 255, 256, 65535, 0x7FFFFFFF, 0xFFFFFFFFu };
    double                sum[3] = { 0, 0, 0 };
    uint32_t              i, axis;
    for (i = 0; i < 300 - NORMALS + 5; ++i) {
        const float *n = md2_normal(i < 5 ? wild[i] : NORMALS + i - 5);
        CHECK(n[0] == 0.0f && n[1] == 0.0f && n[2] == 1.0f);
    }
    for (i = 0; i < NORMALS; ++i) {
        const float *n = md2_normal(i);
        double       length = 0.0;
        for (axis = 0; axis < 3; ++axis) {
            length += (double)n[axis] * (double)n[axis];
            sum[axis] += (double)n[axis];
        }
        CHECK_NEAR(sqrt(length), 1.0, 1e-6);
        CHECK(find_normal(n[0], n[1], n[2]) == (int)i); /* distinct */
        CHECK(find_normal(-n[0], n[1], n[2]) >= 0);
        CHECK(find_normal(n[0], -n[1], n[2]) >= 0);
        CHECK(find_normal(n[0], n[1], -n[2]) >= 0);
        CHECK(find_normal(-n[0], -n[1], -n[2]) >= 0);
        CHECK(find_normal(n[1], n[2], n[0]) >= 0);
    }
    for (axis = 0; axis < 3; ++axis) CHECK_NEAR(sum[axis], 0.0, 1e-6);
}

void test_vertices(void)
{
    RUN(test_exact_cube);
    RUN(test_winding);
    RUN(test_texture_options);
    RUN(test_texture_edges);
    RUN(test_y_up);
    RUN(test_normal_table);
    RUN(test_normal_properties);
}
