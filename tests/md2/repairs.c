/* What is wrong with a file that loads nevertheless, and what loading makes of it. Public domain. */
#include "test_md2.h"

static const uint32_t readings[] = { 0, MD2_Y_UP, MD2_KEEP_WINDING, MD2_Y_UP | MD2_KEEP_WINDING,
                                     MD2_BORROW };
#define READINGS (sizeof readings / sizeof readings[0])

static uint8_t *point_bytes(m2_bytes *bytes, uint32_t frame, uint32_t point)
{
    return m2_section(bytes, M2_OFS_FRAMES) + frame * m2_field(bytes, M2_FRAME_SIZE) + 40 +
           4 * point;
}

static uint8_t opposite(uint8_t normal)
{
    const float *n = md2_normal(normal);
    uint32_t     i = 0;
    while (md2_normal(i)[0] != -n[0] || md2_normal(i)[1] != -n[1] || md2_normal(i)[2] != -n[2]) ++i;
    return (uint8_t)i;
}

/* A cube or cubes whose normals point from the center to the corners. */
static m2_bytes *outward_cubes(const char *name)
{
    m2_bytes *bytes = named(name);
    for (uint32_t frame = 0; frame < m2_field(bytes, M2_FRAMES); ++frame) {
        for (uint32_t i = 0; i < 8; ++i) {
            double best = -2.0;
            for (uint32_t k = 0; k < 162; ++k) {
                const float *n = md2_normal(k);
                double       fit = (i & 1 ? 1.0 : -1.0) * (double)n[0] +
                             (i & 2 ? 1.0 : -1.0) * (double)n[1] +
                             (i & 4 ? 1.0 : -1.0) * (double)n[2];
                if (fit > best) point_bytes(bytes, frame, i)[3] = (uint8_t)k;
                if (fit > best) best = fit;
            }
        }
    }
    return bytes;
}

static void negate_normals(m2_bytes *bytes)
{
    for (uint32_t frame = 0; frame < m2_field(bytes, M2_FRAMES); ++frame) {
        for (uint32_t i = 0; i < m2_field(bytes, M2_POINTS); ++i) {
            uint8_t *point = point_bytes(bytes, frame, i);
            point[3] = opposite(point[3]);
        }
    }
}

static void flatten_normals(m2_bytes *bytes, uint32_t frame, uint8_t normal)
{
    for (uint32_t i = 0; i < m2_field(bytes, M2_POINTS); ++i) point_bytes(bytes, frame, i)[3] = normal;
}

static void turn_triangles(m2_bytes *bytes)
{
    for (uint32_t i = 0; i < m2_field(bytes, M2_TRIS); ++i) {
        uint8_t *at = m2_section(bytes, M2_OFS_TRIS) + 12 * i;
        for (uint32_t k = 0; k < 8; k += k == 1 ? 5 : 1) { /* the first corner and the second, both parts */
            uint8_t swapped = at[k];
            at[k] = at[k + 2];
            at[k + 2] = swapped;
        }
    }
}

/* Counts the normals of a frame that are not those of another model. */
static uint32_t different_normals(const md2_model *a, const md2_model *b, uint32_t frame)
{
    uint32_t different = 0;
    for (uint32_t i = 0; i < a->point_count; ++i) {
        different += a->frames[frame].points[i].normal != b->frames[frame].points[i].normal;
    }
    return different;
}

static void test_inward_normals(void)
{
    static const char *const names[] = { "cube", "moving_cube", "player" };
    for (uint32_t i = 0; i < 3; ++i) {
        m2_bytes *good = outward_cubes(names[i]), *bad = outward_cubes(names[i]);
        negate_normals(bad);
        for (uint32_t k = 0; k < READINGS; ++k) {
            bool       borrowed = readings[k] == MD2_BORROW;
            md2_model *want = load(borrowed ? bad : good, readings[k]);
            md2_model *got = load(bad, readings[k]);
            CHECK_EQ(load(good, readings[k])->defects, 0);
            CHECK_EQ(got->defects, MD2_NORMALS_INWARD);
            for (uint32_t frame = 0; frame < got->frame_count; ++frame) {
                CHECK_EQ(different_normals(got, want, frame), 0);
            }
            CHECK((outward_of(got, 0) > 0) == !borrowed);
        }
    }
}

/* A frame of its own: the others keep what they have. */
static void test_equal_normals(void)
{
    for (uint32_t normal = 0; normal < 256; normal += 51) {
        for (uint32_t frame = 0; frame < 2; ++frame) {
            m2_bytes *good = outward_cubes("moving_cube"), *bad = outward_cubes("moving_cube");
            flatten_normals(bad, frame, (uint8_t)normal);
            for (uint32_t k = 0; k < READINGS; ++k) {
                bool       borrowed = readings[k] == MD2_BORROW;
                md2_model *want = load(good, readings[k]);
                md2_model *got = load(bad, readings[k]);
                CHECK_EQ(got->defects, MD2_NORMALS_EQUAL);
                CHECK_EQ(different_normals(got, want, 1 - frame), 0);
                if (borrowed) {
                    CHECK_EQ(got->frames[frame].points[5].normal, normal);
                } else {
                    CHECK(outward_of(got, frame) > 0.5);
                }
            }
        }
    }
}

/* One triangle, seen from one side or from both: a normal that is right, or that nothing says to be
   wrong, stays. A normal that is wrong does not. */
static void test_flat_models(void)
{
    static const struct { uint8_t normal, want; uint32_t sides, defects; } cases[] = {
        { 84, 84, 1, 0 }, { 5, 84, 1, MD2_NORMALS_EQUAL }, { 52, 84, 1, MD2_NORMALS_EQUAL },
        { 5, 5, 2, 0 },   { 52, 52, 2, 0 },                { 200, 200, 2, 0 }
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        m2_bytes  *bytes = named("cube");
        uint8_t   *triangle = m2_section(bytes, M2_OFS_TRIS);
        static const uint8_t x[8] = { 9, 200, 40, 9, 9, 9, 9, 9 }, y[8] = { 9, 30, 90, 9, 9, 9, 9, 9 };
        m2_set_field(bytes, M2_TRIS, cases[i].sides);
        m2_set_field(bytes, M2_WORDS, 0);
        for (uint32_t k = 0; k < 3; ++k) {
            m2_put16(triangle + 2 * k, k);
            m2_put16(triangle + 12 + 2 * k, (k * 2 + 1) % 3); /* the other way round, from 1 on */
        }
        for (uint32_t k = 0; k < 8; ++k) {
            uint8_t *point = point_bytes(bytes, 0, k);
            point[0] = x[k];
            point[1] = y[k];
            point[2] = 77;
            point[3] = cases[i].normal;
        }
        md2_model *model = load(bytes, 0);
        CHECK_EQ(model->defects, cases[i].defects);
        for (uint32_t k = 0; k < 3; ++k) CHECK_EQ(model->frames[0].points[k].normal, cases[i].want);
        CHECK_EQ(model->frames[0].points[7].normal, cases[i].normal); /* no triangle uses it */
    }
}

/* Nothing says whether the normals or the triangles were meant. */
static void test_inward_faces(void)
{
    for (uint32_t negated = 0; negated < 2; ++negated) {
        for (uint32_t k = 0; k < READINGS; ++k) {
            m2_bytes  *bytes = outward_cubes("cube");
            if (negated) negate_normals(bytes);
            md2_model *plain = load(bytes, MD2_BORROW | (readings[k] & MD2_KEEP_WINDING));
            md2_model *turned = load(bytes, MD2_BORROW);
            CHECK_EQ(turned->defects, negated ? MD2_NORMALS_INWARD : 0);
            turn_triangles(bytes);
            turned = load(bytes, readings[k]);
            CHECK_EQ(turned->defects, MD2_FACES_INWARD);
            if (!(readings[k] & MD2_Y_UP)) CHECK_EQ(different_normals(plain, turned, 0), 0);
        }
    }
}

/* Most of a large model is judged by some of its triangles. Two cubes of 64 triangles each, one in
   the other: where the first looks good and the second does not, all are counted. */
static void test_large_models(void)
{
    uint32_t loaded = 0;
    for (uint32_t seed = 0; seed < 40; ++seed) {
        m2_bytes  *bytes = random_bytes(seed, 40 + seed * 5, 30 + seed * 20, 2);
        md2_model *model = load(bytes, MD2_BORROW), *repaired = load(bytes, 0);
        double     outward = outward_of(model, 0);
        CHECK_EQ(model->defects, repaired->defects);
        if (fabs(outward + 0.1) > 1e-3 && !(model->defects & MD2_FACES_INWARD)) {
            CHECK((outward < -0.1) == ((model->defects & MD2_NORMALS_INWARD) != 0));
            ++loaded;
        }
        CHECK(outward_of(repaired, 0) >= -0.1001 || model->defects & MD2_FACES_INWARD);
    }
    CHECK_FLOOR(loaded, 30, "large models judged");
}

/* The last texture coordinate stands for one that is not there; without any it is 0, 0. */
static void test_texture_coordinates(void)
{
    for (uint32_t bad = 0; bad < 3; ++bad) {
        m2_bytes  *bytes = named("cube");
        uint32_t   count = bad == 2 ? 0 : m2_field(bytes, M2_ST);
        uint8_t   *corner = m2_section(bytes, M2_OFS_TRIS) + 6;
        m2_put16(corner, bad == 2 ? 0 : count - 1);
        md2_model *want = load(bytes, MD2_WHOLE_TEXEL);
        m2_put16(corner, bad == 0 ? count : 65535);
        m2_set_field(bytes, M2_ST, count);
        md2_model *got = load(bytes, MD2_WHOLE_TEXEL);
        CHECK_EQ(want->defects, 0);
        CHECK_EQ(got->defects, MD2_BAD_TEXCOORDS);
        CHECK_EQ(got->dropped_triangles, 0);
        CHECK_EQ(got->index_count, 36);
        if (bad < 2) CHECK(memcmp(&got->vertices[0], &want->vertices[0], sizeof(md2_vertex)) == 0);
        else CHECK(got->vertex_count == 8 && got->vertices[3].u == 0 && got->vertices[7].v == 0);
    }
}

/* Without its end the list of strips is none, wherever it is cut. */
static void test_cut_strips(void)
{
    m2_bytes *bytes = named("sheet");
    uint32_t  full = m2_field(bytes, M2_WORDS);
    for (uint32_t n = 0; n <= full; ++n) {
        m2_set_field(bytes, M2_WORDS, n);
        CHECK_EQ(load(bytes, 0)->strip_count > 0, n == full);
    }
}

void test_repairs(void)
{
    RUN(test_inward_normals);
    RUN(test_equal_normals);
    RUN(test_flat_models);
    RUN(test_inward_faces);
    RUN(test_large_models);
    RUN(test_texture_coordinates);
    RUN(test_cut_strips);
}
