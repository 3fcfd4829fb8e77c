/* Poses as values: an animation at a time, two frames, two poses mixed. Public domain. */
#include "test_md2.h"

static void test_pose_at(void)
{
    random_source random = { 3 };
    for (uint32_t i = 0; i < 20000; ++i) {
        uint32_t first = random_below(&random, 100), count = random_below(&random, i % 3 ? 8 : 100);
        md2_anim anim = make_anim(first, 1 + count, (float)(1 + random_below(&random, 60)) / 2.0f);
        double   seconds = (random_unit(&random) - 0.3) * 30.0;
        md2_pose pose = md2_pose_at(&anim, modes[i % 3], seconds);
        dense    got = dense_of(pose), want = expected_pose(&anim, modes[i % 3], seconds);
        CHECK(sound_pose(&pose) && pose.count >= 1 && pose.count <= 2);
        CHECK_NEAR(dense_distance(&got, &want), 0.0, 1e-6);
    }
}

/* At k / fps it is frame k and nothing else, with rates whose reciprocal is exact and with those
   that it is not. */
static void test_pose_at_frames(void)
{
    static const float rates[] = { 8.0f, 10.0f, 24.0f, 7.0f, 60.0f, 0.3f };
    for (uint32_t r = 0; r < 6; ++r) {
        md2_anim anim = make_anim(40, 6, rates[r]);
        for (uint32_t k = 0; k < 200; ++k) {
            for (uint32_t mode = 0; mode < 3; ++mode) {
                md2_pose pose = md2_pose_at(&anim, modes[mode], k / (double)rates[r]);
                uint32_t frame = mode == 0    ? k % 6 : mode == 1  ? (k < 5 ? k : 5)
                                 : k % 10 < 6 ? k % 10 : 10 - k % 10;
                if (r == 0) CHECK(pose.count == 1 && pose.weight[0] == 1.0f);
                CHECK_NEAR(dense_of(pose).weight[40 + frame], 1.0, 1e-6);
            }
        }
    }
}

static void test_lengths(void)
{
    md2_anim run = make_anim(40, 6, 10.0f), one = make_anim(7, 1, 10.0f);
    CHECK_NEAR(md2_anim_length(&run, MD2_LOOP), 0.6, 1e-12);
    CHECK_NEAR(md2_anim_length(&run, MD2_ONCE), 0.5, 1e-12);
    CHECK_NEAR(md2_anim_length(&run, MD2_PING_PONG), 1.0, 1e-12);
    CHECK_NEAR(md2_anim_length(&one, MD2_LOOP), 0.1, 1e-12);
    CHECK_EQ(md2_anim_length(&one, MD2_ONCE), 0);
    CHECK_EQ(md2_anim_length(&one, MD2_PING_PONG), 0);
    CHECK_EQ(md2_anim_length(NULL, MD2_LOOP), 0);
}

static bool within(const md2_pose *pose, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < pose->count; ++i) {
        if (pose->frame[i] < first || pose->frame[i] > last) return false;
    }
    return sound_pose(pose) && pose->count >= 1 && pose->count <= 2;
}

/* No clock gives these, but the pose is sound. What is no number counts as 0. */
static void test_extreme_times(void)
{
    const double times[] = { 0.0, 1e300, -1e300, 1e18, -1e18, 4.5e15, 1e-320, 0.1, -0.1, HUGE_VAL,
                             -HUGE_VAL, not_a_number() };
    md2_anim     run = make_anim(40, 6, 10.0f), slow = make_anim(10, 5, 1.0f);
    random_source random = { 5 };
    md2_pose     pose;
    for (uint32_t mode = 0; mode < 3; ++mode) {
        for (uint32_t i = 0; i < 12; ++i) {
            pose = md2_pose_at(&run, modes[mode], times[i]);
            CHECK(within(&pose, 40, 45));
            if (i >= 9) CHECK(pose.count == 1 && pose.frame[0] == 40);
        }
    }
    /* remainders that are rounding errors: that of this one is -2 */
    pose = md2_pose_at(&slow, MD2_LOOP, 11259015011259014.0);
    CHECK_EQ(pose.frame[0], 10);
    for (uint32_t i = 0; i < 20000; ++i) {
        double seconds = (random_unit(&random) - 0.5) * pow(10, 10 + i % 20);
        pose = md2_pose_at(&slow, i % 2 ? MD2_LOOP : MD2_PING_PONG, seconds);
        CHECK(within(&pose, 10, 14));
    }
}

static void test_odd_animations(void)
{
    const float rates[] = { (float)not_a_number(), 0.0f, (float)HUGE_VAL, -1.0f };
    md2_anim    odd;
    md2_pose    pose;
    for (uint32_t i = 0; i < 4; ++i) {
        odd = make_anim(3, 4, rates[i]);
        pose = md2_pose_at(&odd, MD2_LOOP, 0.15);
        CHECK(within(&pose, 3, 6));
        CHECK_NEAR(md2_anim_length(&odd, MD2_LOOP), 0.4, 1e-9);
    }
    odd = make_anim(3, 0, 10.0f);
    pose = md2_pose_at(&odd, MD2_LOOP, 0.15);
    CHECK(sound_pose(&pose) && pose.count <= 1);
    CHECK_EQ(md2_pose_at(NULL, MD2_LOOP, 1.0).count, 0);
    odd = make_anim(70000, 5, 10.0f); /* beyond any model: the last frame, not 70000 modulo 65536 */
    CHECK_EQ(md2_pose_at(&odd, MD2_LOOP, 0.0).frame[0], 65535);
    odd = make_anim(0xFFFFFFF0u, 0xFFFFFFFFu, 10.0f);
    pose = md2_pose_at(&odd, MD2_PING_PONG, 123456.7);
    CHECK(within(&pose, 65535, 65535));
}

/* A lerp so near to 1 that a float cannot tell is the next frame, so that weights never are 0 and
   1. */
static void test_lerp_rounds_up(void)
{
    md2_anim run = make_anim(40, 6, 1.0f);
    md2_pose pose = md2_pose_at(&run, MD2_LOOP, 3.0 - 1e-12);
    CHECK(pose.count == 1 && pose.frame[0] == 43);
    pose = md2_pose_at(&run, MD2_LOOP, 6.0 - 1e-12);
    CHECK(pose.count == 1 && pose.frame[0] == 40);
    pose = md2_pose_at(&run, MD2_ONCE, 5.0 - 1e-12);
    CHECK(pose.count == 1 && pose.frame[0] == 45);
}

static void test_between(void)
{
    md2_pose pose = md2_pose_between(3, 9, 0.25f);
    dense d = dense_of(pose);
    CHECK_EQ(pose.count, 2);
    CHECK_NEAR(d.weight[3], 0.75, 1e-7);
    CHECK_NEAR(d.weight[9], 0.25, 1e-7);
    CHECK(md2_pose_between(3, 9, 0.0f).count == 1 && md2_pose_between(3, 9, 0.0f).frame[0] == 3);
    CHECK(md2_pose_between(3, 9, 1.0f).count == 1 && md2_pose_between(3, 9, 1.0f).frame[0] == 9);
    d = dense_of(md2_pose_between(5, 5, 0.4f));
    CHECK_NEAR(d.weight[5], 1.0, 1e-7);
    CHECK_EQ(md2_pose_between(70000, 1, 0.0f).frame[0], 65535);
    pose = md2_pose_between(3, 9, (float)(HUGE_VAL - HUGE_VAL));
    CHECK(sound_pose(&pose));
}

/* -- Mixing --------------------------------------------------------------- */

/* Exact up to eight frames. Beyond, the lightest go; which of two that weigh nearly the same is left
   open. */
static void test_mix(void)
{
    random_source random = { 11 };
    uint32_t exact = 0, reduced = 0;
    for (uint32_t i = 0; i < 30000; ++i) {
        md2_pose a = random_pose(&random, i % 2 ? 6 : 200),
                 b = random_pose(&random, i % 2 ? 6 : 200), mixed;
        double t = (double)random_below(&random, 65) / 64.0, clear;
        dense want, all, got;
        memset(&want, 0, sizeof want);
        add_pose(&want, &a, 1.0 - t);
        add_pose(&want, &b, t);
        all = want;
        clear = keep_eight(&want);
        mixed = md2_pose_mix(a, b, (float)t);
        CHECK(sound_pose(&mixed));
        if (clear < 1e-6) continue;
        got = dense_of(mixed);
        CHECK_NEAR(dense_distance(&got, &want), 0.0, 2e-6);
        if (dense_distance(&all, &want) < 1e-6) ++exact;
        else ++reduced;
    }
    CHECK_FLOOR(exact, 20000, "exact mixes");
    CHECK_FLOOR(reduced, 5000, "mixes of more than eight frames");
}

static double mixed_distance(md2_pose a, md2_pose b, float t, md2_pose want)
{
    dense got = dense_of(md2_pose_mix(a, b, t)), wanted = dense_of(want);
    return dense_distance(&got, &wanted);
}

static void test_mix_edges(void)
{
    md2_pose a = md2_pose_between(1, 2, 0.5f), b = md2_pose_between(3, 4, 0.25f), none, four[2];
    memset(&none, 0, sizeof none);
    memset(four, 0, sizeof four);
    CHECK_NEAR(mixed_distance(a, b, 0.0f, a), 0.0, 1e-7);
    CHECK_NEAR(mixed_distance(a, b, 1.0f, b), 0.0, 1e-7);
    CHECK_NEAR(mixed_distance(a, a, 0.5f, a), 0.0, 1e-6);
    CHECK_NEAR(mixed_distance(none, a, 1.0f, a), 0.0, 1e-6);
    CHECK_NEAR(mixed_distance(none, none, 0.5f, still(0)), 0.0, 1e-6); /* no entries mean frame 0 */
    for (uint32_t i = 0; i < 8; ++i) {
        four[i / 4].count = 4;
        four[i / 4].weight[i % 4] = 0.25f;
        four[i / 4].frame[i % 4] = (uint16_t)(10 + i);
    }
    /* eight of the same weight: no jump */
    CHECK_NEAR(mixed_distance(four[0], four[1], 0.4999f, md2_pose_mix(four[0], four[1], 0.5001f)),
               0.0004, 1e-5);
    none = md2_pose_mix(a, b, (float)not_a_number());
    CHECK(sound_pose(&none));
}

void test_poses(void)
{
    RUN(test_pose_at);
    RUN(test_pose_at_frames);
    RUN(test_lengths);
    RUN(test_extreme_times);
    RUN(test_odd_animations);
    RUN(test_lerp_rounds_up);
    RUN(test_between);
    RUN(test_mix);
    RUN(test_mix_edges);
}
