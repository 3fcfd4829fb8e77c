/* Poses as values: an animation at a time, two frames, two poses mixed. Public domain. */
#include "test_md2.h"

#define LIB(name)    md2_##name
#define OPTION(name) MD2_##name
#define USUAL_RATE   10.0

static const md2_anim *counting_anim(float fps)
{
    static md2_anim anim;
    anim = make_anim(40, 5, fps);
    return &anim;
}

static double value_at(const md2_anim *anim, md2_mode mode, double seconds)
{
    md2_pose pose = md2_pose_at(anim, mode, seconds);
    double   value = 0.0;
    CHECK(sound_pose(&pose) && pose.count >= 1 && pose.count <= 2);
    for (uint32_t i = 0; i < pose.count; ++i) {
        CHECK(pose.frame[i] >= 40 && pose.frame[i] < 45);
        value += (double)pose.weight[i] * (pose.frame[i] - 40);
    }
    return value;
}

#include "times_both.h"

/* Without frames, and beyond any model: the last frame, not 70000 modulo 65536. */
static void test_odd_animations(void)
{
    md2_anim odd = make_anim(3, 0, 10.0f);
    md2_pose pose = md2_pose_at(&odd, MD2_LOOP, 0.15);
    CHECK(sound_pose(&pose) && pose.count <= 1);
    CHECK_EQ(md2_pose_at(NULL, MD2_LOOP, 1.0).count, 0);
    odd = make_anim(3, 5, (float)HUGE_VAL);
    CHECK_NEAR(md2_anim_length(&odd, MD2_LOOP), 0.5, 1e-9);
    odd = make_anim(70000, 5, 10.0f);
    CHECK_EQ(md2_pose_at(&odd, MD2_LOOP, 0.0).frame[0], 65535);
    odd = make_anim(0xFFFFFFF0u, 0xFFFFFFFFu, 10.0f);
    pose = md2_pose_at(&odd, MD2_PING_PONG, 123456.7);
    CHECK(sound_pose(&pose) && pose.count == 1 && pose.frame[0] == 65535);
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

/* Without the lightest frames beyond eight, whose weight the others share. Returns by how much the
   lightest that stays outweighs the heaviest that goes. */
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

/* Exact up to eight frames. Beyond, the lightest go; which of two that weigh nearly the same is
   left open. */
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
    four[0] = a;
    four[0].frame[a.count] = 7;            /* behind its last frame */
    four[0].weight[a.count] = 9;
    CHECK_NEAR(mixed_distance(four[0], b, 0.5f, md2_pose_mix(a, b, 0.5f)), 0.0, 1e-7);
    none = md2_pose_mix(a, b, (float)not_a_number());
    CHECK(sound_pose(&none));
}

void test_poses(void)
{
    RUN(test_lengths);
    RUN(test_values_at_times);
    RUN(test_frames_at_times);
    RUN(test_odd_times);
    RUN(test_odd_animations);
    RUN(test_between);
    RUN(test_mix);
    RUN(test_mix_edges);
}
