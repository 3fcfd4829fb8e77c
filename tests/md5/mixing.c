/* mixing.c: poses mixed, added and masked, joint by joint, against double precision. Public
   domain. */
#include "reference.h"

static double length4(const double q[4])
{
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

static void random_rotation(random_source *random, float out[4])
{
    double q[4];
    do {
        for (int k = 0; k < 4; ++k) q[k] = random_unit(random) * 2.0 - 1.0;
    } while (length4(q) < 0.1);
    m5_normalize(q, 4);
    for (int k = 0; k < 4; ++k) out[k] = (float)q[k];
}

/* A second rotation: anywhere, near, near the opposite, or almost a half turn away. */
static void related_rotation(random_source *random, const float a[4], float out[4])
{
    double q[4], other[4], size = pow(10.0, -7.0 * random_unit(random)), dot = 0.0;
    uint32_t kind = random_below(random, 4);
    random_rotation(random, out);
    if (kind == 0) return;
    for (int k = 0; k < 4; ++k) {
        other[k] = (double)out[k];
        dot += (double)a[k] * other[k];
    }
    for (int k = 0; k < 4; ++k) {
        q[k] = (kind == 2 ? -1.0 : 1.0) * (double)a[k] + size * other[k];
        if (kind == 3) q[k] = other[k] - dot * (double)a[k] + (size + 1e-3) * (double)a[k];
    }
    m5_normalize(q, 4);
    for (int k = 0; k < 4; ++k) out[k] = (float)q[k];
}

static void check_slerp(const md5_xform *a, const md5_xform *b, float t)
{
    md5_xform out;
    m5_xform x = widen(a), y = widen(b), got;
    double want[4];
    md5_pose_mix(a, b, t, NULL, 1, &out);
    m5_normalize(x.q, 4);
    m5_normalize(y.q, 4);
    ref_slerp(x.q, y.q, (double)t, want);
    got = widen(&out);
    CHECK_NEAR(length4(got.q), 1, 1e-6);
    CHECK_NEAR(rotation_distance(got.q, want), 0, 1e-6);
}

static void test_slerp(void)
{
    random_source random = { 7 };
    md5_xform a, b;
    int i;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    for (i = 0; i < 200000; ++i) {
        random_rotation(&random, a.rotation);
        related_rotation(&random, a.rotation, b.rotation);
        check_slerp(&a, &b, i % 10 ? (float)random_unit(&random) : (float)(i / 10 % 5) * 0.25f);
    }
    CHECK_FLOOR(i, 200000, "pairs of rotations");
    for (i = 0; i < 4; ++i) b.rotation[i] = -a.rotation[i];
    md5_pose_mix(&a, &b, 0.5f, NULL, 1, &b);
    CHECK(pose_distance(&a, &b, 1) < 1e-6);
    /* exactly a half turn apart: either way round will do, as long as it is a rotation */
    for (i = 0; i < 4; ++i) {
        a.rotation[i] = i == 0 ? 1.0f : 0.0f;
        b.rotation[i] = i == 1 ? 1.0f : 0.0f;
    }
    md5_pose_mix(&a, &b, 0.5f, NULL, 1, &a);
    m5_xform half = widen(&a);
    CHECK_NEAR(length4(half.q), 1, 1e-6);
}

static void random_pose(random_source *random, md5_xform *pose, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) pose[i].position[k] = (float)(random_unit(random) * 8.0 - 4.0);
        random_rotation(random, pose[i].rotation);
        pose[i].scale = (float)(random_unit(random) + 0.5);
    }
}

static double mix_error(const md5_xform *a, const md5_xform *b, const md5_xform *out, size_t count,
                        float t, const float *mask)
{
    double most = 0.0;
    for (size_t i = 0; i < count; ++i) {
        m5_xform x = widen(&a[i]), y = widen(&b[i]);
        m5_xform want = ref_mix(&x, &y, (double)t * (mask ? (double)mask[i] : 1.0));
        keep_worst(&most, xform_distance(&out[i], &want));
    }
    return most;
}

static void test_mix(void)
{
    enum { COUNT = 67 };
    random_source random = { 3 };
    md5_xform a[COUNT], b[COUNT], out[COUNT], again[COUNT];
    float mask[COUNT];
    random_pose(&random, a, COUNT);
    random_pose(&random, b, COUNT);
    for (size_t i = 0; i < COUNT; ++i) mask[i] = (float)(i % 5) * 0.25f;
    for (size_t count = 0; count <= COUNT; count += count < 9 ? 1 : 29) {
        memset(out, 0x5A, sizeof out);
        md5_pose_mix(a, b, 0.3f, NULL, count, out);
        CHECK_NEAR(mix_error(a, b, out, count, 0.3f, NULL), 0, 2e-6);
        if (count < COUNT) CHECK(((const unsigned char *)&out[count])[0] == 0x5A);
        md5_pose_mix(a, b, 0.7f, mask, count, out);
        CHECK_NEAR(mix_error(a, b, out, count, 0.7f, mask), 0, 2e-6);
    }
    md5_pose_mix(a, b, 0.4f, NULL, COUNT, out);
    memcpy(again, a, sizeof a);
    md5_pose_mix(again, b, 0.4f, NULL, COUNT, again);
    CHECK(same_bits(again, out, sizeof out));
    memcpy(again, b, sizeof b);
    md5_pose_mix(a, again, 0.4f, NULL, COUNT, again);
    CHECK(same_bits(again, out, sizeof out));
}

static double add_error(const md5_xform *base, const md5_xform *pose, const md5_xform *reference,
                        double t, const md5_xform *got)
{
    static const m5_xform nothing = { { 0, 0, 0 }, { 0, 0, 0, 1 } };
    m5_xform from = widen(reference), to = widen(pose), onto = widen(base), change, want;
    from = m5_inverse(&from);
    change = m5_compose(&from, &to);
    change = ref_mix(&nothing, &change, t);
    want = m5_compose(&onto, &change);
    return xform_distance(got, &want);
}

static void test_add(void)
{
    enum { COUNT = 23 };
    random_source random = { 5 };
    md5_xform base[COUNT], pose[COUNT], reference[COUNT], out[COUNT], again[COUNT];
    float mask[COUNT];
    random_pose(&random, base, COUNT);
    random_pose(&random, pose, COUNT);
    random_pose(&random, reference, COUNT);
    for (size_t i = 0; i < COUNT; ++i) mask[i] = (float)(i % 3) * 0.5f;
    md5_pose_add(base, pose, reference, 0.6f, NULL, COUNT, out);
    md5_pose_add(base, pose, reference, 0.6f, mask, COUNT, again);
    for (size_t i = 0; i < COUNT; ++i) {
        double t = (double)0.6f;
        CHECK_NEAR(add_error(&base[i], &pose[i], &reference[i], t, &out[i]), 0, 1e-5);
        CHECK_NEAR(add_error(&base[i], &pose[i], &reference[i], t * (double)mask[i], &again[i]), 0,
                   1e-5);
    }
    memcpy(again, base, sizeof base);
    md5_pose_add(again, pose, reference, 0.6f, NULL, COUNT, again);
    CHECK(same_bits(again, out, sizeof out));
    memcpy(again, pose, sizeof pose);
    md5_pose_add(base, again, reference, 0.6f, NULL, COUNT, again);
    CHECK(same_bits(again, out, sizeof out));
}

static void put_wide_joint(m5_text *text, int joint)
{
    m5_put(text, "j%d %d", joint, joint == 0 ? -1 : joint % 3 ? joint - 1 : joint / 2);
}

/* Skeletons with parents near and far, and a mask that already holds the value at some joints. Only
   the branch is set, and nothing by a joint that there is not. */
static void check_masks(int32_t joints, int32_t step)
{
    static float mask[2601], before[2601];
    m5_text *text = new_text();
    int32_t ancestor;
    put_mesh_head(text, joints, 0, put_wide_joint);
    md5_model *model = model_of(text, NULL);
    for (int32_t i = 0; i <= joints; ++i) before[i] = i % 2 ? 0.5f : 3.0f;
    for (int32_t joint = 0; joint <= joints + step; joint += step) {
        memcpy(mask, before, sizeof mask);
        md5_mask_branch(model, (uint32_t)joint, 0.5f, mask);
        for (int32_t i = 0; i < joints; ++i) {
            for (ancestor = i; ancestor > joint;) ancestor = model->joints[ancestor].parent;
            CHECK_EQ(mask[i], ancestor == joint ? 0.5f : before[i]);
        }
        CHECK_EQ(mask[joints], before[joints]);
    }
    memcpy(mask, before, sizeof mask);
    md5_mask_branch(model, 4294967295u, 0.25f, mask);
    CHECK(same_bits(mask, before, sizeof mask));
}

static void test_masks(void)
{
    for (int32_t joints = 1; joints < 20; ++joints) check_masks(joints, 1);
    check_masks(2600, 37);
}

void test_mixing(void)
{
    run_test("slerp", test_slerp);
    run_test("mix", test_mix);
    run_test("add", test_add);
    run_test("masks of skeletons of any size", test_masks);
}
