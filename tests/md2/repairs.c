/* Tests of damaged files that load, and of the repairs that loading makes. Public domain. */
#include "test_md2.h"

static const uint32_t flag_sets[] = { 0, MD2_Y_UP, MD2_KEEP_WINDING, MD2_Y_UP | MD2_KEEP_WINDING };
#define FLAG_SETS (sizeof flag_sets / sizeof flag_sets[0])

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

static void negate_frame(m2_bytes *bytes, uint32_t frame)
{
    for (uint32_t i = 0; i < m2_field(bytes, M2_POINTS); ++i) {
        uint8_t *point = point_bytes(bytes, frame, i);
        point[3] = opposite(point[3]);
    }
}

static void negate_normals(m2_bytes *bytes)
{
    for (uint32_t frame = 0; frame < m2_field(bytes, M2_FRAMES); ++frame)
        negate_frame(bytes, frame);
}

static void flatten_normals(m2_bytes *bytes, uint32_t frame, uint8_t normal)
{
    for (uint32_t i = 0; i < m2_field(bytes, M2_POINTS); ++i)
        point_bytes(bytes, frame, i)[3] = normal;
}

static void check_normals(const md2_model *m, const md2_model *want, uint32_t frame)
{
    check_step("frame %u", (unsigned)frame);
    for (uint32_t i = 0; i < m->point_count; ++i)
        CHECK_EQ(m->frames[frame].points[i].normal, want->frames[frame].points[i].normal);
}

static void test_inward_normals(void)
{
    static const char *const names[] = { "cube", "moving_cube", "501_frames" };
    for (uint32_t i = 0; i < 3; ++i) {
        m2_bytes *good = named(names[i]), *bad = named(names[i]);
        negate_normals(bad);
        for (uint32_t k = 0; k < FLAG_SETS; ++k) {
            md2_model *want = load(good, flag_sets[k]), *got = load(bad, flag_sets[k]);
            check_scene("%s, flags %u", names[i], (unsigned)flag_sets[k]);
            CHECK_EQ(want->defects, 0);
            CHECK_EQ(got->defects, MD2_NORMALS_INWARD);
            for (uint32_t frame = 0; frame < got->frame_count; ++frame)
                check_normals(got, want, frame);
            CHECK(outward_of(got, 0) > 0);
        }
    }
}

/* Checks that if all normals of a frame are equal, this frame is repaired, and the other frame is not. */
static void check_equal_normals(uint32_t flags, uint32_t frame, uint8_t normal)
{
    m2_bytes *good = named("moving_cube"), *bad = named("moving_cube");
    flatten_normals(bad, frame, normal);
    check_scene("flags %u, normals of frame %u are %d", (unsigned)flags, (unsigned)frame, normal);
    md2_model *got = load(bad, flags);
    CHECK_EQ(got->defects, MD2_NORMALS_WRONG);
    check_normals(got, load(good, flags), 1 - frame);
    CHECK(outward_of(got, frame) > 0.5);
}

static void test_equal_normals(void)
{
    for (uint32_t normal = 0; normal < 256; normal += 51) {
        for (uint32_t k = 0; k < 2 * FLAG_SETS; ++k)
            check_equal_normals(flag_sets[k / 2], k % 2, (uint8_t)normal);
    }
}

/* Loads a model of a tetrahedron with a random shape in each frame. Frame i has shape `first` + i. All stored normals
   are equal. */
static md2_model *load_shapes(uint32_t first, uint32_t frames)
{
    m2_file f;
    m2_begin(&f, 0, 4, 1, 4, 0, frames);
    for (uint32_t frame = 0; frame < frames; ++frame) {
        m2_frame(&f, frame, "stand", 1, 0);
        for (uint32_t i = 0; i < 4; ++i) {
            uint32_t random = (4 * (first + frame) + i + 1) * 0x9e3779b1u;
            m2_set_point(&f, frame, i, (int)(random >> 24), (int)(random >> 16 & 255),
                         (int)(random >> 8 & 255), 0);
        }
    }

    m2_bytes *bytes = written(&f);
    for (uint32_t corner = 0; corner < 12; ++corner)
        m2_put16(m2_section(bytes, M2_OFS_TRIS) + 12 * (corner / 3) + 2 * (corner % 3),
                 (corner + corner / 3) % 4);
    return load(bytes, 0);
}

static void test_shapes(void)
{
    for (uint32_t frames = 1; frames < 10; ++frames) {
        md2_model *together = load_shapes(0, frames);
        for (uint32_t frame = 0; frame < frames; ++frame) {
            md2_model *alone = load_shapes(frame, 1);
            check_scene("frame %u of %u", (unsigned)frame, (unsigned)frames);
            for (uint32_t i = 0; i < 4; ++i)
                CHECK_EQ(together->frames[frame].points[i].normal,
                         alone->frames[0].points[i].normal);
        }
    }
}

/* Adds up the normals of the faces around each of four points. */
static void sum_shape_normals(const md2_model *m, uint32_t frame, double sums[4][3])
{
    memset(sums, 0, 4 * sizeof sums[0]);
    for (uint32_t i = 0; i < m->index_count; i += 3) {
        const md2_point *points = m->frames[frame].points;
        uint32_t         corners[3];
        double           edges[2][3], normal[3];
        for (uint32_t k = 0; k < 3; ++k) corners[k] = m->vertices[m->indices[i + k]].point;
        for (uint32_t k = 0; k < 2; ++k) {
            edges[k][0] = points[corners[k + 1]].x - points[corners[0]].x;
            edges[k][1] = points[corners[k + 1]].y - points[corners[0]].y;
            edges[k][2] = points[corners[k + 1]].z - points[corners[0]].z;
        }

        cross3(edges[0], edges[1], normal);
        for (uint32_t k = 0; k < 9; ++k) sums[corners[k / 3]][k % 3] += normal[k % 3];
    }
}

/* Checks that no normal of the table is nearer to `sum` than `normal`. If two are equally near, either is right. */
static void check_nearest_normal(const double sum[3], uint8_t normal)
{
    double length = sqrt(dot3(sum, sum)), best = -1, cosine = -1;
    for (uint32_t i = 0; length > 0 && i < 162; ++i) {
        const float *n = md2_normal(i);
        double       along = (sum[0] * (double)n[0] + sum[1] * (double)n[1] +
                              sum[2] * (double)n[2]) / length;
        if (along > best) best = along;
        if (i == normal) cosine = along;
    }
    CHECK(cosine > best - 1e-6);
}

/* One frame has inward normals, and the other has equal normals. The inward normals are negated. The equal normals are
   computed, and the computed normals are not negated, even if they are in the first frame. */
static void test_inward_and_equal_normals(void)
{
    for (uint32_t equal = 0; equal < 2; ++equal) {
        m2_bytes *good = named("moving_cube"), *bad = named("moving_cube");
        negate_normals(bad);
        flatten_normals(bad, equal, 7);
        check_scene("normals of frame %u are equal", (unsigned)equal);
        md2_model *got = load(bad, 0);
        CHECK_EQ(got->defects, MD2_NORMALS_INWARD | MD2_NORMALS_WRONG);
        CHECK(outward_of(got, equal) > 0.5);
        check_normals(got, load(good, 0), 1 - equal);
    }
}

static void test_nearest_normals(void)
{
    md2_model *m = load_shapes(0, 5000);
    for (uint32_t frame = 0; frame < m->frame_count; ++frame) {
        double sums[4][3];
        sum_shape_normals(m, frame, sums);
        check_scene("frame %u", (unsigned)frame);
        for (uint32_t i = 0; i < 4; ++i)
            check_nearest_normal(sums[i], m->frames[frame].points[i].normal);
    }
}

/* In some frames, normals point inward. Only the normals of these frames are negated. In some cases, the first frame
   has a scale of 0, so this frame does not show whether the model is inside out. */
static void test_inward_frames(void)
{
    static const struct { const char *name; uint32_t first, end; } cases[] = {
        { "moving_cube", 0, 1 }, { "moving_cube", 1, 2 },  { "501_frames", 0, 250 },
        { "501_frames", 7, 8 },  { "501_frames", 3, 501 }, { "501_frames", 500, 501 }
    };
    for (uint32_t i = 0; i < 2 * (sizeof cases / sizeof cases[0]); ++i) {
        uint32_t  flags = i % 2 ? MD2_Y_UP : 0, first = cases[i / 2].first, end = cases[i / 2].end;
        m2_bytes *good = named(cases[i / 2].name), *bad = named(cases[i / 2].name);
        check_scene("%s, flags %u, frames %u to %u", cases[i / 2].name, (unsigned)flags,
                    (unsigned)first, (unsigned)end);
        for (uint32_t frame = first; frame < end; ++frame) negate_frame(bad, frame);
        for (uint32_t k = 0; k < 3 && first > 0 && flags; ++k) {
            m2_put_float(m2_section(good, M2_OFS_FRAMES) + 4 * k, 0);
            m2_put_float(m2_section(bad, M2_OFS_FRAMES) + 4 * k, 0);
        }
        md2_model *got = load(bad, flags), *want = load(good, flags);
        CHECK_EQ(got->defects, MD2_NORMALS_INWARD);
        for (uint32_t frame = 0; frame < got->frame_count; ++frame) check_normals(got, want, frame);
    }
}

/* Makes a frame a flat box whose upper corners have the normal straight up and whose lower corners have the normal
   straight down; `inward` swaps both normals. If `is_upside_down`, the box is rotated by 180 degrees about x. */
static void make_flat_box(m2_bytes *bytes, uint32_t frame, bool is_upside_down, bool inward)
{
    uint8_t *header = m2_section(bytes, M2_OFS_FRAMES) + frame * m2_field(bytes, M2_FRAME_SIZE);
    m2_put_float(header + 8, m2_get_float(header) / 100);
    for (uint32_t i = 0; i < 8; ++i) {
        uint8_t *point = point_bytes(bytes, frame, i);
        memcpy(point, point_bytes(bytes, 0, i), 3);
        bool is_above = point[2] > 127;
        if (is_upside_down && frame > 0) {
            point[1] = (uint8_t)(255 - point[1]);
            point[2] = (uint8_t)(255 - point[2]);
            is_above = !is_above;
        }
        point[3] = is_above != inward ? 5 : 84;
    }
}

/* A box is upside down in some frames, and its normals point inward in some frames. */
static void test_inward_frames_upside_down(void)
{
    static const struct { bool is_upside_down[3], inward[3]; } cases[] = {
        { { false, true, false }, { true, true, true } },
        { { false, true, true }, { true, true, true } },
        { { false, true, false }, { false, true, true } }
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        m2_bytes *bad = named("501_frames");
        for (uint32_t frame = 0; frame < 501; ++frame) {
            uint32_t k = frame < 2 ? frame : 2;
            make_flat_box(bad, frame, cases[i].is_upside_down[k], cases[i].inward[k]);
        }
        md2_model *got = load(bad, 0);
        CHECK_EQ(got->defects, MD2_NORMALS_INWARD);
        for (uint32_t frame = 0; frame < 501; ++frame) {
            check_step("case %u, frame %u", (unsigned)i, (unsigned)frame);
            CHECK(outward_of(got, frame) > 0.5);
        }
    }
}

/* Checks a cube, whose corners have eight different normals, after `count` of the normals are set to one index, as if
   they had not been written. */
static void check_unwritten(const char *name, uint32_t flags, uint32_t count, uint8_t normal)
{
    m2_bytes *bad = named(name);
    uint32_t  frames = m2_field(bad, M2_FRAMES);
    for (uint32_t frame = 0; frame < frames; ++frame) {
        for (uint32_t i = 0; i < count; ++i) point_bytes(bad, frame, (i * 3) % 8)[3] = normal;
    }
    check_scene("%s, flags %u, index %d on %u of 8 points", name, (unsigned)flags, normal,
                (unsigned)count);
    md2_model *got = load(bad, flags);
    CHECK_EQ(got->defects, MD2_NORMALS_WRONG);
    for (uint32_t frame = 0; frame < frames; ++frame)
        CHECK(outward_of(got, frame) > 0.5); /* 0.57 if all are right */
}

static void test_unwritten_normals(void)
{
    static const char *const names[] = { "cube", "moving_cube" };
    for (uint32_t normal = 0; normal < 256; normal += 85) {
        for (uint32_t k = 0; k < 2 * FLAG_SETS; ++k) {
            for (uint32_t count = 6; count < 8; ++count)
                check_unwritten(names[k % 2], flag_sets[k / 2], count, (uint8_t)normal);
        }
    }

    /* The loader examines frames in groups; this model has more frames than a group. */
    for (uint32_t k = 0; k < FLAG_SETS; ++k) check_unwritten("501_frames", flag_sets[k], 7, 0);
}

/* In some frames, each corner of the cube has the normal of another corner. */
static void test_unrelated_normals(void)
{
    for (uint32_t first = 0; first < 501; first += 100) {
        m2_bytes *bad = named("501_frames");
        for (uint32_t frame = first; frame < 501; ++frame) {
            uint8_t moved[8];
            for (uint32_t i = 0; i < 8; ++i) moved[i] = point_bytes(bad, frame, i ^ (i & 1 ? 2 : 7))[3];
            for (uint32_t i = 0; i < 8; ++i) point_bytes(bad, frame, i)[3] = moved[i];
        }
        check_scene("from frame %u on", (unsigned)first);
        md2_model *got = load(bad, 0), *good = load_named("501_frames", 0);
        CHECK_EQ(got->defects, MD2_NORMALS_WRONG);
        for (uint32_t frame = 0; frame < first; ++frame) check_normals(got, good, frame);
        for (uint32_t frame = first; frame < 501; ++frame) CHECK(outward_of(got, frame) > 0.5);
    }
}

/* A floor of 8 by 8 points in three frames. In the first frame all normals point up, in the third frame none does. In
   the second frame only the normals that a quick check examines point up. */
static void test_wrong_at_second_glance(void)
{
    m2_file f;
    m2_begin(&f, 0, 64, 1, 98, 0, 3);
    for (uint32_t frame = 0; frame < 3; ++frame) {
        m2_frame(&f, frame, "stand", 1, 0);
        for (uint32_t i = 0; i < 64; ++i) {
            bool points_up = frame == 0 || (frame == 1 && i % 8 == 0);
            int  up = i % 3 ? 5 : 14, aside = i % 3 ? 52 : 32;
            m2_set_point(&f, frame, i, (int)(30 * (i % 8)), (int)(30 * (i / 8)), 0,
                         points_up ? up : aside);
        }
    }
    for (uint32_t i = 0; i < 49; ++i) {
        uint32_t left = i / 7 * 8 + i % 7;
        uint16_t corners[6] = { 0, 8, 1, 1, 8, 9 };
        for (uint32_t k = 0; k < 6; ++k)
            f.tris[i * 12 + k / 3 * 6 + k % 3] = (uint16_t)(left + corners[k]);
    }

    md2_model *got = load(written(&f), 0);
    CHECK_EQ(got->defects, MD2_NORMALS_WRONG);
    for (uint32_t frame = 0; frame < 3; ++frame) {
        check_step("frame %u", (unsigned)frame);
        CHECK(outward_of(got, frame) > 0.9);
    }
}

/* In a model of one triangle, all normals should be equal, so equal normals do not prove that the normals were never
   written. They are kept if they point along the face's normal, negated if they point the opposite way, and computed
   in all other cases. */
static void test_common_normals(void)
{
    static const struct { uint8_t normal, want; uint32_t defects; } cases[] = {
        { 84, 84, 0 }, { 52, 84, MD2_NORMALS_WRONG }, { 104, 84, MD2_NORMALS_WRONG },
        { 5, 84, MD2_NORMALS_INWARD }
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        static const uint8_t x[8] = { 9, 200, 40, 9, 9, 9, 9, 9 };
        static const uint8_t y[8] = { 9, 30, 90, 9, 9, 9, 9, 9 };
        m2_bytes *bytes = named("cube");
        uint8_t  *triangle = m2_section(bytes, M2_OFS_TRIS);
        check_scene("normal %d on all points but one", cases[i].normal);
        m2_set_field(bytes, M2_TRIS, 1);
        m2_set_field(bytes, M2_WORDS, 0);
        for (uint32_t k = 0; k < 3; ++k) m2_put16(triangle + 2 * k, k);
        for (uint32_t k = 0; k < 8; ++k) {
            uint8_t *point = point_bytes(bytes, 0, k);
            point[0] = x[k];
            point[1] = y[k];
            point[2] = 77;
            point[3] = k == 7 ? 90 : cases[i].normal;
        }
        md2_model *model = load(bytes, 0);
        CHECK_EQ(model->defects, cases[i].defects);
        for (uint32_t k = 0; k < 3; ++k) CHECK_EQ(model->frames[0].points[k].normal, cases[i].want);
    }
}

/* A triangle with one side or with both sides. With one side, a normal is kept if it is right, and computed if it is
   wrong. With both sides, the faces cancel each other, so any normal is kept. */
static void test_flat_models(void)
{
    static const struct { uint8_t normal, want; uint32_t sides, defects; } cases[] = {
        { 84, 84, 1, 0 }, { 5, 84, 1, MD2_NORMALS_WRONG }, { 52, 84, 1, MD2_NORMALS_WRONG },
        { 5, 5, 2, 0 },   { 52, 52, 2, 0 },                { 200, 200, 2, 0 }
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        m2_bytes  *bytes = named("cube");
        uint8_t   *triangle = m2_section(bytes, M2_OFS_TRIS);
        static const uint8_t x[8] = { 9, 200, 40, 9, 9, 9, 9, 9 };
        static const uint8_t y[8] = { 9, 30, 90, 9, 9, 9, 9, 9 };
        check_scene("normal %d, %u sides", cases[i].normal, (unsigned)cases[i].sides);
        m2_set_field(bytes, M2_TRIS, cases[i].sides);
        m2_set_field(bytes, M2_WORDS, 0);
        for (uint32_t k = 0; k < 3; ++k) {
            m2_put16(triangle + 2 * k, k);
            m2_put16(triangle + 12 + 2 * k, (k * 2 + 1) % 3); /* the opposite winding, beginning with point 1 */
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

/* If a model is inside out, its faces are kept. Stored normals are kept if they point outward,
   and negated if they point inward. */
static void test_inward_faces(void)
{
    for (uint32_t negated = 0; negated < 2; ++negated) {
        for (uint32_t k = 0; k < FLAG_SETS; ++k) {
            m2_bytes  *bytes = named("cube");
            check_scene("flags %u, normals negated %u", (unsigned)flag_sets[k], (unsigned)negated);
            md2_model *want = load(bytes, flag_sets[k]);
            if (negated) negate_normals(bytes);
            reverse_triangles(bytes);
            md2_model *inside_out = load(bytes, flag_sets[k]);
            CHECK_EQ(inside_out->defects, MD2_FACES_INWARD | (negated ? MD2_NORMALS_INWARD : 0));
            check_normals(inside_out, want, 0);

            /* With the opposite MD2_KEEP_WINDING, the loaded faces point outward, as the normals do. outward_of
               is negative because it uses the winding of the file, in which the faces point inward. */
            md2_model *other = load(bytes, flag_sets[k] ^ MD2_KEEP_WINDING);
            CHECK_EQ(other->defects, inside_out->defects);
            CHECK(outward_of(other, 0) < -0.5);
        }
    }
}

/* Computes how far the z axis of each triangle's matrix points away from the center of a cube. Returns the minimum over
   all triangles. */
static double least_outward_axis(const md2_model *m, uint32_t frame)
{
    double   least = 1;
    md2_pose pose = md2_pose_between(frame, frame, 0);
    for (uint32_t i = 0; i < m->index_count / 3; ++i) {
        float  matrix[16], low[3], high[3];
        double away = 0;
        CHECK(md2_pose_triangle(m, &pose, i, matrix));
        md2_pose_bounds(m, &pose, low, high);
        for (uint32_t k = 0; k < 3; ++k) {
            away += (double)matrix[8 + k] * ((double)matrix[12 + k] - ((double)low[k] + (double)high[k]) / 2);
        }
        if (away < least) least = away;
    }
    return least;
}

/* In a model that is inside out, one frame lacks its normals. The computed normals point outward, like those of the
   other frame, and so does the z axis of each triangle's matrix. */
static void test_computed_normals_of_inward_faces(void)
{
    for (uint32_t k = 0; k < FLAG_SETS; ++k) {
        m2_bytes *bytes = named("moving_cube");
        check_scene("flags %u", (unsigned)flag_sets[k]);
        flatten_normals(bytes, 1, 7);
        md2_model *plain = load(bytes, flag_sets[k]);
        reverse_triangles(bytes);
        md2_model *got = load(bytes, flag_sets[k]);
        CHECK_EQ(got->defects, MD2_FACES_INWARD | MD2_NORMALS_WRONG);
        for (uint32_t frame = 0; frame < 2; ++frame) check_normals(got, plain, frame);
        CHECK(least_outward_axis(got, 0) > 0);
    }
}

static uint32_t inward_defect_of(m2_bytes *bytes) { return load(bytes, 0)->defects & MD2_FACES_INWARD; }

static void set_corners(m2_bytes *bytes, uint32_t triangle, uint32_t a, uint32_t b, uint32_t c)
{
    uint8_t *at = m2_section(bytes, M2_OFS_TRIS) + 12 * triangle;
    m2_put16(at, a);
    m2_put16(at + 2, b);
    m2_put16(at + 4, c);
}

/* Two tetrahedra are far from each other. Seen from the center of both, half of the faces point inward, like the faces
   of a gun that consists of several parts. */
static void test_inward_parts(void)
{
    m2_bytes *bytes = named("cube");
    m2_set_field(bytes, M2_TRIS, 8);
    m2_set_field(bytes, M2_WORDS, 0);
    for (uint32_t part = 0; part < 2; ++part) {
        uint32_t first = 4 * part;
        for (uint32_t k = 0; k < 4; ++k) {
            uint8_t *point = point_bytes(bytes, 0, first + k);
            point[0] = (uint8_t)(215 * part + (k == 1 ? 40 : 0));
            point[1] = (uint8_t)(k == 2 ? 40 : 0);
            point[2] = (uint8_t)(k == 3 ? 40 : 0);
        }
        set_corners(bytes, first, first, first + 1, first + 2);
        set_corners(bytes, first + 1, first, first + 2, first + 3);
        set_corners(bytes, first + 2, first, first + 3, first + 1);
        set_corners(bytes, first + 3, first + 1, first + 3, first + 2);
    }
    CHECK_EQ(inward_defect_of(bytes), 0);
    reverse_triangles(bytes);
    CHECK_EQ(inward_defect_of(bytes), MD2_FACES_INWARD);
}

/* Three sides of a cube may be the corner of a room, seen from inside, or the corner of a box. Five sides are a box
   without a lid. */
static void test_open_models(void)
{
    static const struct { uint32_t triangles, inward; } cases[] = {
        { 10, MD2_FACES_INWARD }, { 6, 0 }, { 2, 0 }
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        m2_bytes *bytes = named("cube");
        uint8_t  *first = m2_section(bytes, M2_OFS_TRIS);
        check_scene("%u triangles of a cube", (unsigned)cases[i].triangles);
        if (cases[i].triangles == 6) { /* the second, fourth and sixth side: one of each axis */
            for (uint32_t k = 0; k < 3; ++k) memmove(first + 24 * k, first + 48 * k + 24, 24);
        }
        m2_set_field(bytes, M2_WORDS, 0);
        m2_set_field(bytes, M2_TRIS, cases[i].triangles);
        CHECK_EQ(inward_defect_of(bytes), 0);
        reverse_triangles(bytes);
        CHECK_EQ(inward_defect_of(bytes), cases[i].inward);
    }
}

/* Returns outward_of for the normals that the file has in its first frame. */
static double stored_outward_of(m2_bytes *bytes, const md2_model *m)
{
    md2_frame frame = m->frames[0];
    md2_model stored = *m;
    frame.points = (const md2_point *)point_bytes(bytes, 0, 0);
    stored.frames = &frame;
    stored.frame_count = 1;
    return outward_of(&stored, 0);
}

/* Random models of up to 810 triangles. A large model is judged by some of its triangles, unless these leave doubt. */
static void test_large_models(void)
{
    uint32_t loaded = 0;
    for (uint32_t seed = 0; seed < 40; ++seed) {
        m2_bytes  *bytes = random_bytes(seed, 40 + seed * 5, 30 + seed * 20, 2);
        md2_model *model = load(bytes, 0);
        double     outward = stored_outward_of(bytes, model);
        check_scene("model %u, outward by %g", (unsigned)seed, outward);
        if (fabs(outward + 0.1) > 1e-3 && !(model->defects & MD2_FACES_INWARD)) {
            CHECK((outward < -0.1) == ((model->defects & MD2_NORMALS_INWARD) != 0));
            ++loaded;
        }
        CHECK(outward_of(model, 0) >= -0.1001 || model->defects & MD2_FACES_INWARD);
    }
    CHECK(loaded > 0);
}

/* The cube has 24 texture coordinates. Tries number 24, number 65535, and a model that has none. */
static void test_bad_texture_coordinates(void)
{
    for (uint32_t bad = 0; bad < 3; ++bad) {
        m2_bytes  *bytes = named("cube");
        uint32_t   count = bad == 2 ? 0 : m2_field(bytes, M2_ST);
        uint8_t   *corner = m2_section(bytes, M2_OFS_TRIS) + 6;
        check_scene("index %u of %u", bad == 0 ? (unsigned)count : 65535u, (unsigned)count);
        m2_put16(corner, bad == 2 ? 0 : count - 1);
        md2_model *want = load(bytes, 0);
        m2_put16(corner, bad == 0 ? count : 65535);
        m2_set_field(bytes, M2_ST, count);
        md2_model *got = load(bytes, 0);
        CHECK_EQ(want->defects, 0);
        CHECK_EQ(got->defects, MD2_BAD_TEXCOORDS);
        CHECK_EQ(got->index_count, 36); /* no triangle is dropped */
        CHECK_EQ(got->vertices[0].u, bad == 2 ? 0.5f / 64 : want->vertices[0].u);
        CHECK_EQ(got->vertices[0].v, bad == 2 ? 0.5f / 64 : want->vertices[0].v);
        if (bad == 2) CHECK_EQ(got->vertex_count, 8);
    }
}

static void test_dropped_triangles(void)
{
    m2_bytes *bytes = named("cube");
    m2_put16(m2_section(bytes, M2_OFS_TRIS) + 2, 8);      /* points are 0 to 7 */
    m2_put16(m2_section(bytes, M2_OFS_TRIS) + 12, 65535); /* in the second triangle */
    md2_model *m = load(bytes, 0);
    CHECK_EQ(m->dropped_triangles, 2);
    CHECK_EQ(m->index_count, 3 * 10);
}

/* A list of commands that is cut short anywhere is invalid. */
static void test_bad_commands(void)
{
    m2_bytes *bytes = named("sheet");
    uint32_t  full = m2_field(bytes, M2_WORDS);
    for (uint32_t n = 0; n <= full; ++n) {
        check_step("%u of %u words", (unsigned)n, (unsigned)full);
        m2_set_field(bytes, M2_WORDS, n);
        md2_model *m = load(bytes, 0);
        CHECK_EQ(m->strip_count > 0, n == full);
        CHECK_EQ(m->defects & MD2_BAD_COMMANDS, n > 0 && n < full ? MD2_BAD_COMMANDS : 0);
    }
    check_step("commands that begin after the end of the file");
    m2_set_field(bytes, M2_OFS_WORDS, (uint32_t)bytes->size + 1);
    CHECK_EQ(load(bytes, 0)->strip_count, 0);
    CHECK_EQ(load(bytes, 0)->defects & MD2_BAD_COMMANDS, MD2_BAD_COMMANDS);
}

void test_repairs(void)
{
    RUN(test_inward_normals, "normals that point inward are negated");
    RUN(test_inward_frames, "each frame is judged separately from the others");
    RUN(test_inward_frames_upside_down, "each frame is judged correctly if a model turns upside down");
    RUN(test_equal_normals, "normals that are all the same are computed");
    RUN(test_inward_and_equal_normals, "computed normals are not negated, whichever frame has them");
    RUN(test_nearest_normals, "a computed normal is the nearest normal of the table");
    RUN(test_shapes, "a frame has the normals of its own shape, however many frames there are");
    RUN(test_unwritten_normals, "if normals were not written for most points, all are computed");
    RUN(test_unrelated_normals, "normals that are unrelated to the faces are computed");
    RUN(test_wrong_at_second_glance, "if normals are wrong in one frame, wrong normals of other frames are also found");
    RUN(test_common_normals, "a normal that most points have is kept if it is right");
    RUN(test_inward_faces, "a model stored inside out is kept and reported; its normals point outward");
    RUN(test_computed_normals_of_inward_faces, "missing normals of a model stored inside out point outward");
    RUN(test_inward_parts, "a model of parts that are inside out is reported");
    RUN(test_open_models, "an open model is called inside out only if it is so from every direction");
    RUN(test_bad_texture_coordinates, "a missing texture coordinate is replaced by the last one");
    RUN(test_dropped_triangles, "a triangle is dropped if one of its points is missing");
    RUN(test_bad_commands, "invalid GL commands give no strips");
    RUN(test_flat_models, "a flat model keeps its normals unless they are wrong");
    RUN(test_large_models, "the normals of a large model are negated if its triangles show that they point inward");
}
