/* Poses that are mixed, added and masked, compared joint by joint with double precision. Public domain. */
#include "test_md5.h"
#include <limits.h>

/* -- Examples ---------------------------------------------------------------- */

/* Returns the transform of a joint at x that is rotated about z. */
static md5_xform joint_at(double x, double degrees)
{
    m5_xform at = xform_at(x, 0, 0, 0, 0, 1, degrees);
    md5_xform joint;
    for (int k = 0; k < 3; ++k) joint.position[k] = (float)at.p[k];
    for (int k = 0; k < 4; ++k) joint.rotation[k] = (float)at.q[k];
    joint.scale = 1;
    return joint;
}

static void expect_joint(md5_xform joint, double x, double wanted)
{
    double half = atan2((double)joint.rotation[2], (double)joint.rotation[3]);
    double degrees = remainder(half * 360 / 3.14159265358979, 360);
    CHECK_NEAR(joint.position[0], x, 1e-6);
    CHECK_NEAR(degrees, wanted, 1e-4);
}

static void test_halfway(void)
{
    static const float ts[6] = { -1, 0, 0.25f, 0.5f, 1, 7 };
    static const double shares[6] = { 0, 0, 0.25, 0.5, 1, 1 };
    md5_xform a = joint_at(0, 10), b = joint_at(8, 90), out;
    for (int i = 0; i < 6; ++i) {
        check_step("t %g", (double)ts[i]);
        md5_pose_mix(&a, &b, ts[i], NULL, 1, &out);
        expect_joint(out, 8 * shares[i], 10 + 80 * shares[i]);
    }
}

static void test_shorter_way(void)
{
    md5_xform a = joint_at(0, 170), b = joint_at(0, -170), out;
    md5_pose_mix(&a, &b, 0.25f, NULL, 1, &out);
    expect_joint(out, 0, 175);
}

/* The joints are hips, spine, arm and leg. The branch of the spine waves; hips and leg run. */
static void test_upper_body(void)
{
    md5_model *model = model_from("MD5Version 10 numJoints 4 numMeshes 0 joints { "
                                  "hips -1 ( 0 0 0 ) ( 0 0 0 ) spine 0 ( 0 0 0 ) ( 0 0 0 ) "
                                  "arm 1 ( 0 0 0 ) ( 0 0 0 ) leg 0 ( 0 0 0 ) ( 0 0 0 ) }");
    md5_xform run[4], wave[4];
    float mask[4] = { 0, 0, 0, 0 };
    for (int joint = 0; joint < 4; ++joint) run[joint] = joint_at(0, 10);
    for (int joint = 0; joint < 4; ++joint) wave[joint] = joint_at(4, 50);
    md5_mask_branch(model, md5_find_joint(model, "spine"), 1, mask);
    mask[2] = 0.5f;
    md5_pose_mix(run, wave, 1, mask, 4, run);
    expect_joint(run[0], 0, 10);
    expect_joint(run[1], 4, 50);
    expect_joint(run[2], 2, 30); /* mask 0.5 */
    expect_joint(run[3], 0, 10);
}

/* The recoil rotates a joint by 20 degrees in addition to its own rotation. */
static void test_recoil(void)
{
    md5_xform aim = joint_at(3, 40), rest = joint_at(0, 0), recoil = joint_at(0, 20), out;
    md5_pose_add(&aim, &recoil, &rest, 1, NULL, 1, &out);
    expect_joint(out, 3, 60);
    md5_pose_add(&aim, &recoil, &rest, 0.5f, NULL, 1, &out);
    expect_joint(out, 3, 50);
    md5_pose_add(&aim, &recoil, &recoil, 1, NULL, 1, &out);
    expect_joint(out, 3, 40);
    md5_pose_add(&aim, &recoil, &rest, 0, NULL, 1, &out);
    CHECK(same_bits(&out, &aim, sizeof out));
}

/* Positions are in the axes of the parent, so up is up whatever the rotation of the joint is. */
static void test_bob(void)
{
    md5_xform base = joint_at(10, 90), rest = joint_at(0, 0), bob = joint_at(0, 0), out;
    bob.position[2] = 2;
    bob.scale = 1.5f;
    md5_pose_add(&base, &bob, &rest, 1, NULL, 1, &out);
    expect_joint(out, 10, 90);
    CHECK_XYZ(out.position, 10, 0, 2);
    CHECK_NEAR(out.scale, 1.5, 1e-6);
}

/* The joint is rotated by 90 degrees to the left relative to its parent. A nod about y is about the y axis of the
   parent, not about the rotated y axis of the joint. */
static void test_nod_of_turned(void)
{
    md5_xform base = joint_at(0, 90), rest = joint_at(0, 0), nod = joint_at(0, 0), out;
    m5_xform turn = xform_at(0, 0, 0, 0, 0, 1, 90), down = xform_at(0, 0, 0, 0, 1, 0, 30);
    m5_xform wanted = m5_compose(&down, &turn);
    for (int k = 0; k < 4; ++k) nod.rotation[k] = (float)down.q[k];
    md5_pose_add(&base, &nod, &rest, 1, NULL, 1, &out);
    CHECK_NEAR(xform_distance(&out, &wanted), 0, 1e-6);
}

/* Adds to the pose of the previous picture, for each picture of an hour. */
static void test_added_again(void)
{
    md5_xform pose = joint_at(0, 0), rest = joint_at(0, 0), step = joint_at(0, 0.1);
    for (int i = 0; i < 216000; ++i) md5_pose_add(&pose, &step, &rest, 1, NULL, 1, &pose);
    m5_xform sum = widen(&pose);
    CHECK_NEAR(sqrt(sum.q[2] * sum.q[2] + sum.q[3] * sum.q[3]), 1, 1e-6);
}

/* -- Compared with double precision -------------------------------------------- */

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

/* Writes a second rotation: any, one near `a`, one near -a, or one almost half a turn from `a`. */
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
    CHECK_NEAR(rotation_distance(got.q, want), 0, 1.5e-6);
}

static void test_slerp(void)
{
    random_source random = { 7 };
    md5_xform a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    for (int i = 0; i < 200000; ++i) {
        check_step("pair %d", i);
        random_rotation(&random, a.rotation);
        related_rotation(&random, a.rotation, b.rotation);
        check_slerp(&a, &b, i % 10 ? (float)random_unit(&random) : (float)(i / 10 % 5) * 0.25f);
    }
    check_step("the same rotation, with all signs changed");
    for (int i = 0; i < 4; ++i) b.rotation[i] = -a.rotation[i];
    md5_pose_mix(&a, &b, 0.5f, NULL, 1, &b);
    CHECK(pose_distance(&a, &b, 1) < 1e-6);

    /* Both directions are right, so only check that the result is a rotation. */
    check_step("exactly a half turn apart");
    for (int i = 0; i < 4; ++i) {
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

static void check_mix(const md5_xform *a, const md5_xform *b, const md5_xform *out, size_t count,
                      float t, const float *mask)
{
    for (size_t i = 0; i < count; ++i) {
        m5_xform x = widen(&a[i]), y = widen(&b[i]);
        m5_xform want = ref_mix(&x, &y, (double)t * (mask ? (double)mask[i] : 1.0));
        check_step("joint %u of %u%s", (unsigned)i, (unsigned)count, mask ? ", masked" : "");
        CHECK_NEAR(xform_distance(&out[i], &want), 0, 2e-6);
    }
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
        check_mix(a, b, out, count, 0.3f, NULL);
        if (count < COUNT) CHECK(((const unsigned char *)&out[count])[0] == 0x5A);
        md5_pose_mix(a, b, 0.7f, mask, count, out);
        check_mix(a, b, out, count, 0.7f, mask);
    }
    check_step("out is a or b");
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
    m5_xform from = widen(reference), to = widen(pose), onto = widen(base), want = onto;
    for (int k = 0; k < 3; ++k) want.p[k] += t * (to.p[k] - from.p[k]);
    for (int k = 0; k < 3; ++k) from.p[k] = to.p[k] = onto.p[k] = 0;
    from = m5_inverse(&from);
    m5_xform change = m5_compose(&to, &from);
    change = ref_mix(&nothing, &change, t);
    change = m5_compose(&change, &onto);
    memcpy(want.q, change.q, sizeof want.q);
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
        check_step("joint %u", (unsigned)i);
        CHECK_NEAR(add_error(&base[i], &pose[i], &reference[i], t, &out[i]), 0, 1e-5);
        CHECK_NEAR(add_error(&base[i], &pose[i], &reference[i], t * (double)mask[i], &again[i]), 0,
                   1e-5);
    }
    check_step("out is base or pose");
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

/* Tries skeletons whose parents are near and far, and a mask that already has the value at some joints. Only the
   branch is set; a joint that does not exist sets nothing. */
static void check_masks(int32_t joints, int32_t step)
{
    static float mask[2601], before[2601];
    m5_text *text = new_text();
    int32_t ancestor;
    put_mesh_head(text, joints, 0, put_wide_joint);
    md5_model *model = model_of(text, NULL);
    for (int32_t i = 0; i <= joints; ++i) before[i] = i % 2 ? 0.5f : 3.0f;
    CHECK_EQ(model->joints[0].private_data.branch_first, 0); /* the whole skeleton */
    CHECK_EQ(model->joints[0].private_data.branch_size, joints);
    for (int32_t joint = 0; joint <= joints + step; joint += step) {
        check_scene("%d joints, the branch of %d", (int)joints, (int)joint);
        memcpy(mask, before, sizeof mask);
        md5_mask_branch(model, joint, 0.5f, mask);
        for (int32_t i = 0; i < joints; ++i) {
            for (ancestor = i; ancestor > joint;) ancestor = model->joints[ancestor].parent;
            float wanted = ancestor == joint ? 0.5f : before[i];
            if (mask[i] < wanted || mask[i] > wanted) check_step("joint %d", (int)i);
            CHECK_EQ(mask[i], wanted);
        }
        CHECK_EQ(mask[joints], before[joints]);
    }
    memcpy(mask, before, sizeof mask);
    md5_mask_branch(model, -1, 0.25f, mask);
    md5_mask_branch(model, INT_MIN, 0.25f, mask);
    md5_mask_branch(model, INT_MAX, 0.25f, mask);
    CHECK(same_bits(mask, before, sizeof mask));
}

static void test_masks(void)
{
    for (int32_t joints = 1; joints < 20; ++joints) check_masks(joints, 1);
    check_masks(2600, 37);
}

void test_mixing(void)
{
    RUN(test_halfway, "a mix goes straight from one pose to the other while t goes from 0 to 1");
    RUN(test_shorter_way, "between 170 and -170 degrees a joint rotates through 180");
    RUN(test_upper_body, "with a mask the upper body waves while the legs run");
    RUN(test_recoil, "an added pose rotates a joint by its difference from the reference");
    RUN(test_bob, "an added pose moves a joint in its parent's axes, whatever its rotation is");
    RUN(test_nod_of_turned, "an added pose rotates a joint about its parent's axes, whatever its rotation is");
    RUN(test_added_again, "rotations keep the length 1 when poses are added again and again");
    RUN(test_masks, "the mask of a branch is set for a joint and all its descendants, and for no other joint");
    RUN(test_mix, "mixing agrees with double precision, for any number of joints");
    RUN(test_add, "adding agrees with double precision");
    RUN(test_slerp, "rotations between two others agree with double precision");
}
