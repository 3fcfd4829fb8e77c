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

static void test_normal_table(void)
{
    static const uint32_t wild[] = { 255, 256, 65535, 0x7FFFFFFF, 0xFFFFFFFFu };
    uint8_t bytes[NORMALS * 12];
    uint32_t i, axis;
    for (i = 0; i < NORMALS; ++i) {
        for (axis = 0; axis < 3; ++axis)
            m2_put_float(bytes + i * 12 + axis * 4, md2_normal(i)[axis] + 0.0f);
    }
    CHECK_EQ(crc32_of(bytes, sizeof bytes), 0x90F4DA7Fu);
    for (i = 0; i < 300 - NORMALS + 5; ++i) {
        const float *n = md2_normal(i < 5 ? wild[i] : NORMALS + i - 5);
        CHECK(n[0] == 0.0f && n[1] == 0.0f && n[2] == 1.0f);
    }
}

void test_vertices(void)
{
    RUN(test_exact_cube);
    RUN(test_normal_table);
}
