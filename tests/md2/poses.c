/* Poses: an animation at a time, a pose between two frames, mixes, and poses with fewer frames. Public domain. */
#include "test_md2.h"

#define USUAL_RATE   10.0

static const md2_anim *counting_anim(float fps)
{
    static md2_anim anim;
    anim = make_anim(40, 5, fps);
    return &anim;
}

/* Returns the mean of the frame numbers, by weight, from 0 to 4. */
static double value_at(const md2_anim *anim, md2_mode mode, double seconds)
{
    md2_pose pose = md2_pose_at(anim, mode, seconds);
    double   value = 0.0;
    CHECK(is_valid_pose(&pose));
    CHECK(pose.count >= 1 && pose.count <= 2);
    for (uint32_t i = 0; i < pose.count; ++i) {
        CHECK(pose.frame[i] >= 40 && pose.frame[i] < 45);
        value += (double)pose.weight[i] * (pose.frame[i] - 40);
    }
    return value;
}

#include "tests/both/names_md2.h"
#include "tests/both/times.h"

/* -- One animation at a time --------------------------------------------------- */

static void expect_still(md2_pose pose, uint32_t frame)
{
    CHECK_EQ(pose.count, 1);
    CHECK_EQ(pose.frame[0], frame);
    CHECK_EQ(pose.weight[0], 1);
}

static void test_pose_at(void)
{
    check_scene("frames 40 to 44, 10 per second");
    md2_anim walk = make_anim(40, 5, 10.0f);
    md2_pose pose = md2_pose_at(&walk, MD2_LOOP, 0.25);
    CHECK_EQ(pose.count, 2);
    dense d = dense_of(pose);
    CHECK_NEAR(d.weight[42], 0.5, 1e-6);
    CHECK_NEAR(d.weight[43], 0.5, 1e-6);

    d = dense_of(md2_pose_at(&walk, MD2_LOOP, 0.475)); /* a quarter of a frame before the end */
    CHECK_NEAR(d.weight[44], 0.25, 1e-6);
    CHECK_NEAR(d.weight[40], 0.75, 1e-6);

    expect_still(md2_pose_at(&walk, MD2_ONCE, 7.0), 44);
}

/* An animation has no frames, or frames outside any model. A frame number of 70000 becomes 65535, the largest, not
   70000 modulo 65536. */
static void test_unusual_animations(void)
{
    CHECK_EQ(md2_pose_at(NULL, MD2_LOOP, 1.0).count, 0);
    md2_anim unusual = make_anim(3, 0, 10.0f);
    md2_pose pose = md2_pose_at(&unusual, MD2_LOOP, 0.15);
    CHECK(is_valid_pose(&pose));
    CHECK(pose.count <= 1);

    unusual = make_anim(3, 5, (float)HUGE_VAL);
    CHECK_NEAR(md2_anim_length(&unusual, MD2_LOOP), 0.5, 1e-9);

    unusual = make_anim(70000, 5, 10.0f);
    CHECK_EQ(md2_pose_at(&unusual, MD2_LOOP, 0.0).frame[0], 65535);
    unusual = make_anim(0xFFFFFFF0u, 0xFFFFFFFFu, 10.0f);
    expect_still(md2_pose_at(&unusual, MD2_PING_PONG, 123456.7), 65535);
}

static void test_between(void)
{
    md2_pose pose = md2_pose_between(3, 9, 0.25f);
    dense d = dense_of(pose);
    CHECK_EQ(pose.count, 2);
    CHECK_NEAR(d.weight[3], 0.75, 1e-7);
    CHECK_NEAR(d.weight[9], 0.25, 1e-7);

    expect_still(md2_pose_between(3, 9, 0.0f), 3);
    expect_still(md2_pose_between(3, 9, 1.0f), 9);
    d = dense_of(md2_pose_between(5, 5, 0.4f));
    CHECK_NEAR(d.weight[5], 1.0, 1e-7);
    expect_still(md2_pose_between(70000, 1, 0.0f), 65535);
    pose = md2_pose_between(3, 9, (float)not_a_number());
    CHECK(is_valid_pose(&pose));
}

/* -- Mixing --------------------------------------------------------------- */

static void test_mix(void)
{
    md2_pose walk = md2_pose_between(1, 2, 0.5f), jump = still(9);
    dense    d = dense_of(md2_pose_mix(walk, jump, 0.25f));
    CHECK_NEAR(d.weight[1], 0.375, 1e-6);
    CHECK_NEAR(d.weight[2], 0.375, 1e-6);
    CHECK_NEAR(d.weight[9], 0.25, 1e-6);

    d = dense_of(md2_pose_mix(walk, jump, 0.0f));
    CHECK_NEAR(d.weight[1], 0.5, 1e-7);
    d = dense_of(md2_pose_mix(walk, jump, 1.0f));
    CHECK_NEAR(d.weight[9], 1.0, 1e-7);
}

/* Frames 1 to 9 have the weights 1/45 to 9/45. Without the first, the sum is 44/45. */
static void test_mix_of_nine(void)
{
    md2_pose a = { 5, { 1, 2, 3, 4, 5 }, { 0 } }, b = { 4, { 6, 7, 8, 9 }, { 0 } };
    for (int i = 0; i < 5; ++i) a.weight[i] = (float)(i + 1) / 15;
    for (int i = 0; i < 4; ++i) b.weight[i] = (float)(i + 6) / 30;
    md2_pose mixed = md2_pose_mix(a, b, 30.0f / 45);
    CHECK_EQ(mixed.count, 8);
    dense d = dense_of(mixed);
    for (int frame = 1; frame <= 9; ++frame) {
        check_step("frame %d", frame);
        CHECK_NEAR(d.weight[frame], frame == 1 ? 0 : frame / 44.0, 1e-6);
    }
}

/* Drops the lightest frames until eight are left, and divides the weights by their sum. Returns the difference between
   the lightest frame that stays and the heaviest that is dropped. */
static double keep_eight(dense *d)
{
    double   gone = 0.0, sum = 0.0;
    uint32_t count, lightest;
    for (;;) {
        for (uint32_t i = count = lightest = 0; i < DENSE; ++i) {
            if (d->weight[i] <= 0.0) continue;
            if (count++ == 0 || d->weight[i] < d->weight[lightest]) lightest = i;
        }
        if (count <= 8) break;
        gone = d->weight[lightest];
        d->weight[lightest] = 0.0;
    }
    for (uint32_t i = 0; i < DENSE; ++i) sum += d->weight[i];
    for (uint32_t i = 0; i < DENSE; ++i) d->weight[i] /= sum;
    return d->weight[lightest] * sum - gone;
}

/* If two frames have nearly the same weight, either may be dropped, so the result is not compared. */
static void test_random_mixes(void)
{
    random_source random = { 11 };
    uint32_t exact = 0, reduced = 0;
    check_scene("seed 11");
    for (uint32_t i = 0; i < 30000; ++i) {
        md2_pose a = random_pose(&random, i % 2 ? 6 : 200),
                 b = random_pose(&random, i % 2 ? 6 : 200);
        double t = (double)random_below(&random, 65) / 64.0;
        check_step("mix %u of %u and %u frames, t %g", (unsigned)i, (unsigned)a.count,
                   (unsigned)b.count, t);

        dense want;
        memset(&want, 0, sizeof want);
        add_pose(&want, &a, 1.0 - t);
        add_pose(&want, &b, t);
        dense  all = want;
        double clear = keep_eight(&want);

        md2_pose mixed = md2_pose_mix(a, b, (float)t);
        CHECK(is_valid_pose(&mixed));
        if (clear < 1e-6) continue;
        dense got = dense_of(mixed);
        check_distance(&got, &want, 2e-6);
        if (dense_distance(&all, &want) < 1e-6) ++exact;
        else ++reduced;
    }
    CHECK(exact > 0 && reduced > 0);
}

static void expect_mix(md2_pose a, md2_pose b, float t, md2_pose want, double tolerance)
{
    dense got = dense_of(md2_pose_mix(a, b, t)), wanted = dense_of(want);
    check_distance(&got, &wanted, tolerance);
}

static void test_unusual_mixes(void)
{
    md2_pose a = md2_pose_between(1, 2, 0.5f), b = md2_pose_between(3, 4, 0.25f), none;
    memset(&none, 0, sizeof none);
    check_step("a pose and itself");
    expect_mix(a, a, 0.5f, a, 1e-6);
    check_step("no entries mean frame 0");
    expect_mix(none, a, 1.0f, a, 1e-6);
    expect_mix(none, none, 0.5f, still(0), 1e-6);

    check_step("an entry after the last one");
    md2_pose more = a;
    more.frame[a.count] = 7;
    more.weight[a.count] = 9;
    expect_mix(more, b, 0.5f, md2_pose_mix(a, b, 0.5f), 1e-7);

    check_step("t is NaN");
    none = md2_pose_mix(a, b, (float)not_a_number());
    CHECK(is_valid_pose(&none));
}

/* The weights are 0.1 to 0.4, in another order than the frames. */
static void test_reduce(void)
{
    const md2_pose pose = { 4, { 7, 5, 3, 9 }, { 0.3f, 0.1f, 0.4f, 0.2f } };
    static const double wanted[6][4] = {
        { 0, 0, 1, 0 }, { 0, 0, 1, 0 }, { 3 / 7.0, 0, 4 / 7.0, 0 }, { 3 / 9.0, 0, 4 / 9.0, 2 / 9.0 },
        { 0.3, 0.1, 0.4, 0.2 }, { 0.3, 0.1, 0.4, 0.2 }
    };
    for (uint32_t count = 0; count < 6; ++count) {
        md2_pose less = md2_pose_reduce(pose, count);
        dense    d = dense_of(less);
        check_step("%u frames", (unsigned)count);
        CHECK(is_valid_pose(&less));
        CHECK_EQ(less.count, count == 0 ? 1 : count > 4 ? 4 : count);
        for (int i = 0; i < 4; ++i) CHECK_NEAR(d.weight[pose.frame[i]], wanted[count][i], 1e-6);
    }
}

/* The pose of an idle player has no frames. A program may also set all weights to 0. */
static void test_reduce_nothing(void)
{
    md2_pose none;
    memset(&none, 0, sizeof none);
    expect_still(md2_pose_reduce(none, 2), 0);
    none.count = 2;
    none.frame[0] = none.frame[1] = 5;
    expect_still(md2_pose_reduce(none, 2), 0);
    none.weight[1] = (float)not_a_number();
    expect_still(md2_pose_reduce(none, 2), 0);
    none.count = UINT32_MAX;
    none.weight[1] = 0.5f;
    expect_still(md2_pose_reduce(none, UINT32_MAX), 5);
}

/* Weights may be the largest float, or infinite. */
static void test_reduce_huge(void)
{
    const float infinite = (float)HUGE_VAL;
    const md2_pose sums = { 3, { 1, 2, 3 }, { FLT_MAX, FLT_MAX, FLT_MAX / 2 } };
    const md2_pose none = { 2, { 1, 2 }, { infinite, 1 } }, twice = { 3, { 1, 1, 2 }, { FLT_MAX, FLT_MAX, 1 } };
    md2_pose less = md2_pose_reduce(sums, 8);
    CHECK(is_valid_pose(&less));
    CHECK_NEAR(dense_of(less).weight[2], 0.4, 1e-6);
    CHECK_NEAR(dense_of(less).weight[3], 0.2, 1e-6);
    less = md2_pose_reduce(none, 8);
    CHECK_NEAR(dense_of(less).weight[1], 1, 1e-6);
    less = md2_pose_reduce(twice, 8);
    CHECK_NEAR(dense_of(less).weight[1], 1, 1e-6);
    less = md2_pose_mix(none, sums, 0.5f);
    CHECK(is_valid_pose(&less));
}

/* If weights are equal, the first frame is dropped. */
static void test_reduce_equal(void)
{
    const md2_pose pose = { 4, { 7, 5, 3, 9 }, { 0.25f, 0.25f, 0.25f, 0.25f } };
    md2_pose less = md2_pose_reduce(pose, 3);
    CHECK_EQ(dense_of(less).weight[7], 0);
    CHECK_NEAR(dense_of(less).weight[9], 1 / 3.0, 1e-6);
}

void test_poses(void)
{
    RUN(test_pose_at, "between two frames, a pose has both, weighted by the distance in time");
    RUN(test_lengths, "n frames take n steps in MD2_LOOP, n - 1 in MD2_ONCE, 2 (n - 1) in MD2_PING_PONG");
    RUN(test_between, "md2_pose_between goes from frame a at 0 to frame b at 1");
    RUN(test_mix, "md2_pose_mix goes from pose a at 0 to pose b at 1");
    RUN(test_mix_of_nine, "a mix of nine frames drops the lightest, and the others share its weight");
    RUN(test_reduce, "a reduced pose has its heaviest frames, which share the weight of the others");
    RUN(test_reduce_huge, "weights may be infinite, and their sum may be larger than a float");
    RUN(test_reduce_equal, "of frames with equal weights, the first is dropped");
    RUN(test_reduce_nothing, "a pose without weights, if reduced, is frame 0");
    RUN(test_values_at_times, "times before the start and after the end follow the mode");
    RUN(test_frames_at_times, "at k / fps seconds, the pose is exactly frame k");
    RUN(test_unusual_times, "there is a pose for times and rates that are NaN or infinite");
    RUN(test_unusual_animations, "an animation without frames, or with frames outside any model, has a pose");
    RUN(test_unusual_mixes, "a mix of unusual poses is a pose");
    RUN(test_random_mixes, "a mix has the weights of both poses, reduced to the eight heaviest frames");
}
