/* Boxes and radii of frames and of poses. Public domain. */
#include "test_md2.h"

/* Over all points, used or not: the model is rebuilt so that its triangles use every point, and
   then they must agree exactly. */
static void test_pose_bounds(void)
{
    random_source random = { 41 };
    uint32_t seed, i, k, axis, wrong = 0;
    for (seed = 1; seed < 60; ++seed) {
        m2_bytes *bytes = random_bytes(seed, 3 * seed, seed, 5);
        md2_model *m;
        float *p, low[3], high[3], min[3], max[3];
        for (i = 0; i < seed * 3; ++i)
            m2_put16(m2_section(bytes, M2_OFS_TRIS) + i / 3 * 12 + i % 3 * 2, i);
        m = load(bytes, seed % 2);
        p = (float *)malloc_or_abort((size_t)m->vertex_count * 12);
        for (k = 0; k < 12; ++k) {
            md2_pose pose = random_pose(&random, 6);
            md2_pose_vertices(m, &pose, p, 0, NULL, 0);
            md2_pose_bounds(m, &pose, min, max);
            for (axis = 0; axis < 3; ++axis) {
                low[axis] = high[axis] = p[axis];
                for (i = 1; i < m->vertex_count; ++i) {
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

static int random_byte(random_source *random, int low, uint32_t sides)
{
    return low + (int)random_below(random, sides);
}

/* The point that lies farthest is another one in each frame, wherever in the frame that is. The
   last frames are lines, in which one point lies hardly farther than another. */
static void test_farthest_points(void)
{
    random_source random = { 24 };
    uint32_t      points, frame, i;
    float         min[3] = { 0, 0, 0 }, max[3] = { 0, 0, 0 };
    for (points = 1; points <= 100; ++points) {
        m2_file    f;
        md2_model *m;
        m2_begin(&f, 0, points, 1, 0, 0, 24);
        for (frame = 0; frame < 24; ++frame) {
            float far = frame < 20 ? -60.0f : frame % 2 ? 6000.0f : -6000.0f;
            m2_frame(&f, frame, "", frame % (frame < 20 ? 5 : 2) ? 0.7f : -0.7f, far);
            for (i = 0; i < points; ++i) {
                int x = random_byte(&random, 60, 60), y = random_byte(&random, 60, 60);
                int z = random_byte(&random, 60, 60), along = random_byte(&random, 0, 256);
                if (frame < 20) m2_set_point(&f, frame, i, x, y, z, 0);
                else m2_set_point(&f, frame, i, along, along, along, 0);
            }
            if (frame >= 20) continue;
            i = random_below(&random, points);
            m2_set_point(&f, frame, i, 255 * random_byte(&random, 0, 2), 255, 255, 0);
        }
        m = load(written(&f), points % 2 ? MD2_Y_UP : MD2_BORROW);
        for (frame = 0; frame < 24; ++frame) check_frame_bounds(m, frame, min, max);
    }
}

/* The cube with other scales and places of its only frame, and with the bytes a and b in turn. */
static const md2_frame *frame_of_bytes(float scale, float translate, int a, int b)
{
    m2_bytes *bytes = named("cube");
    uint8_t  *frame = m2_section(bytes, M2_OFS_FRAMES);
    int       axis, point;
    for (axis = 0; axis < 3; ++axis) {
        m2_put_float(frame + 4 * axis, scale);
        m2_put_float(frame + 12 + 4 * axis, translate);
        for (point = 0; point < 8; ++point) {
            frame[40 + 4 * point + axis] = (uint8_t)(point % 2 ? b : a);
        }
    }
    return load(bytes, 0)->frames;
}

/* A sphere that no float can measure has the largest radius; a point at the origin has none. */
static void test_radius(void)
{
    const double tiny = 255.0 * (double)1e-40f;
    CHECK_EQ(frame_of_bytes(1e36f, 0, 255, 255)->radius, FLT_MAX);
    CHECK_EQ(frame_of_bytes(1.1e36f, 0, 255, 255)->radius, FLT_MAX);
    CHECK_EQ(frame_of_bytes(0, 0, 255, 255)->radius, 0);
    CHECK_NEAR((double)frame_of_bytes(1e-40f, 0, 255, 255)->radius / tiny, 1.7320508, 1e-4);
}

/* Translate and scale cancel: still no point lies outside. */
static void test_radius_after_cancellation(void)
{
    const md2_frame *frame = frame_of_bytes(4000.3f, -1000000.0f, 249, 250);
    double           place = (double)frame->min[0], length = sqrt(3.0 * place * place);
    CHECK_NEAR(place, -3925.3, 0.1);
    CHECK((double)frame->radius >= length);
    CHECK_NEAR((double)frame->radius / length, 1, 1e-5);
}

void test_bounds(void)
{
    RUN(test_pose_bounds);
    RUN(test_farthest_points);
    RUN(test_radius);
    RUN(test_radius_after_cancellation);
}
