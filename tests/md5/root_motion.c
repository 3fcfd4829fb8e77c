/* root_motion.c: how far the root moves between two times, and the pose without it. Public
   domain. */
#include "test_md5.h"

static void motion_between(const md5_anim *anim, md5_mode mode, double from, double to,
                           double out[3])
{
    md5_xform x;
    memset(&x, 0x5A, sizeof x);
    md5_root_motion(anim, mode, from, to, &x);
    for (int k = 0; k < 3; ++k) out[k] = (double)x.position[k];
    CHECK_NEAR(fabs((double)x.rotation[3]), 1, 1e-6);
}

static double along_x(const md5_anim *anim, md5_mode mode, double from, double to)
{
    double motion[3];
    motion_between(anim, mode, from, to, motion);
    CHECK_NEAR(motion[1], 0, 1e-5);
    return motion[0];
}

/* The walk takes 3 units a frame, 12 frames a second, so 36 a second for ever. */
static void test_closed_loops(void)
{
    static const double times[] = { 0,    0.1,   0.5,       0.6666666, 0.7,  1.0,
                                    7.77, 100.0, 12345.678, -0.1,      -1.0, -99.9 };
    md5_anim *walk = clip(M5_WALK), *march = clip(M5_REACH);
    size_t count = sizeof times / sizeof times[0];
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < count; ++k) {
            double want = 36.0 * (times[k] - times[i]),
                   whole = along_x(march, MD5_LOOP, 0, times[k]);
            CHECK_NEAR(along_x(walk, MD5_LOOP, times[i], times[k]), want, 1e-4 + 1e-6 * fabs(want));
            CHECK_NEAR(along_x(march, MD5_LOOP, 0, times[i]) +
                           along_x(march, MD5_LOOP, times[i], times[k]),
                       whole, 1e-4 + 1e-6 * fabs(whole));
        }
    }
    CHECK(along_x(walk, MD5_LOOP, 0.0, HUGE_VAL) < HUGE_VAL);
}

static void test_other_modes(void)
{
    md5_anim *walk = clip(M5_WALK);
    CHECK_NEAR(along_x(walk, MD5_ONCE, -5.0, 1e9), 24, 1e-4);
    CHECK_NEAR(along_x(walk, MD5_ONCE, 0.25, 0.5), 9, 1e-4);
    CHECK_NEAR(along_x(walk, MD5_ONCE, 1e9, 1e9 + 1), 0, 1e-6);
    CHECK_NEAR(along_x(walk, MD5_PING_PONG, 0.0, 8.0 / 12.0), 24, 1e-4);
    CHECK_NEAR(along_x(walk, MD5_PING_PONG, 0.0, 16.0 / 12.0 * 5.0), 0, 1e-4);
    CHECK_NEAR(along_x(walk, MD5_PING_PONG, 0.0, 12.0 / 12.0), 12, 1e-4);
}

static m5_xform march_pose(int joint, int frame)
{
    m5_xform x = xform_at(joint, 0, joint, 0, 0, 1, joint ? 25.0 * frame : 0.0);
    if (joint == 0) x.p[1] = 2.0 * frame;
    return x;
}

/* A loop whose last frame does not repeat the first: a march goes on at its pace through the step
   back to the first frame. */
static void test_open_loops(void)
{
    static const double times[] = {
        0, 0.1, 0.3, 0.33, 0.374, 0.376, 0.75, 10.01, 999.9, -0.01, -7
    };
    md5_anim *anim = chain_anim(3, 6, march_pose);
    double d[3];
    CHECK(!anim->closed);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i) {
        double tolerance = 1e-4 + 1e-6 * fabs(32.0 * times[i]);
        motion_between(anim, MD5_LOOP, 0.0, times[i], d);
        CHECK_NEAR(d[1], 32.0 * times[i], tolerance);
        motion_between(anim, MD5_LOOP, times[i], 3.1, d);
        CHECK_NEAR(d[1], 32.0 * (3.1 - times[i]), tolerance);
    }
}

/* Loops whose last frame is not the first: straight walks of few frames travel with the step that
   their frames do not show; a path twice as long as its way stays in place, in proportion up to
   4/3; moving one frame of a lunge along the way changes nothing. */
static void test_straightness(void)
{
    static const struct {
        int frames;
        double along[8], aside, travel;
    } cases[] = { { 1, { 7 }, 0, 0 },
                  { 2, { 0, 10 }, 0, 20 },
                  { 3, { 0, 10, 20 }, 0, 30 },
                  { 4, { 0, 10, 20, 30 }, 0, 40 },
                  { 8, { 0, 1, 2, 40, 60, 62, 63, 64 }, 0, 64 + 64.0 / 7 },
                  { 8, { 0, 1, 2, 30, 60, 62, 63, 64 }, 0, 64 + 64.0 / 7 },
                  { 3, { 0, 10, 8 }, 0, (8 + 4.0) * (4 * 8.0 / 12 - 2) },
                  { 3, { 0, 4, 8 }, 3, 12 },
                  { 3, { 0, 3, 6 }, 4, (6 + 3.0) * (4 * 0.6 - 2) },
                  { 3, { 0, 10, 5 }, 0, 0 },
                  { 3, { 0, 10, 0 }, 0, 0 },
                  { 4, { 0, 0, 0, 0 }, 0, 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        m5_text *text = new_text();
        m5_put(text, "MD5Version 10 numFrames %d numJoints 2 frameRate 1 numAnimatedComponents 4 "
                     "hierarchy { a -1 7 0 b 0 8 3 } baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 1 0 0 ) ( 0 "
                     "0 0 ) } ", cases[i].frames);
        for (int k = 0; k < cases[i].frames; ++k) { /* joint b turns, so the loop is open */
            m5_put(text, "frame %d { %g %g %d %g } ", k, k % 2 ? cases[i].aside : 0,
                   cases[i].along[k], k, 0.1 * k);
        }
        const md5_anim *anim = anim_of(text, NULL);
        CHECK(!anim->closed);
        CHECK_NEAR(anim->travel[0], 0, 1e-5);
        CHECK_NEAR(anim->travel[1], cases[i].travel, 1e-4);
        CHECK_EQ(anim->travel[2], 0);
    }
}

/* The motion over the ground is taken out, and nothing else: the root's height, its rotation and
   all other joints stay. Within a loop, the pose in place moved by the root motion is the pose. */
static void test_in_place(void)
{
    md5_anim *walk = clip(M5_WALK);
    md5_xform first[M5_JOINTS], pose[M5_JOINTS], still[M5_JOINTS];
    double d[3];
    md5_pose_in_place(walk, MD5_LOOP, 0.0, first);
    for (int step = 0; step < 60; ++step) {
        double seconds = 0.0109 * step;
        md5_pose_at(walk, MD5_LOOP, seconds, pose);
        md5_pose_in_place(walk, MD5_LOOP, seconds, still);
        CHECK(pose_distance(pose + 1, still + 1, M5_JOINTS - 1) <= 0.0);
        CHECK(same_floats(pose[0].rotation, still[0].rotation, 4));
        CHECK_NEAR(still[0].position[0], first[0].position[0], 1e-5);
        CHECK_NEAR(still[0].position[1], first[0].position[1], 1e-5);
        CHECK_NEAR(still[0].position[2], pose[0].position[2], 1e-5);
        motion_between(walk, MD5_LOOP, 0.0, seconds, d);
        CHECK_NEAR((double)still[0].position[0] + d[0], pose[0].position[0], 1e-4);
        CHECK_NEAR((double)still[0].position[2] + d[2], pose[0].position[2], 1e-5);
        md5_pose_in_place(walk, MD5_LOOP, seconds + 8.0 / 12.0 * 1000.0, pose);
        CHECK(pose_distance(pose, still, M5_JOINTS) < 1e-4);
    }
}

/* The ground is across z, or across y where that points up. */
static void test_ground(void)
{
    static const char text[] =
        "MD5Version 10 numFrames 2 numJoints 1 frameRate 1 numAnimatedComponents 3 hierarchy { a "
        "-1 7 0 }"
        "baseframe { ( 0 0 0 ) ( 0 0 0 ) } frame 0 { 1 2 3 } frame 1 { 10 20 30 }";
    static const float places[2][3] = { { 1, 2, 30 }, { 2, 30, 1 } },
                       motions[2][3] = { { 9, 18, 0 }, { 18, 0, 9 } };
    for (int i = 0; i < 2; ++i) {
        md5_options options = options_of(i ? MD5_Y_UP : 0, 0.0f);
        md5_anim *anim =
            keep_anim(md5_load_anim_memory(text, sizeof text - 1, NULL, &options, NULL));
        md5_xform pose, motion;
        if (!CHECK(anim != NULL)) return;
        md5_pose_in_place(anim, MD5_ONCE, 1, &pose);
        CHECK(same_floats(pose.position, places[i], 3));
        md5_root_motion(anim, MD5_ONCE, 0, 1, &motion);
        CHECK(same_floats(motion.position, motions[i], 3));
    }
}

void test_root_motion(void)
{
    run_test("root motion of closed loops", test_closed_loops);
    run_test("root motion of the other modes", test_other_modes);
    run_test("root motion of open loops", test_open_loops);
    run_test("how straight an open loop goes", test_straightness);
    run_test("in place", test_in_place);
    run_test("ground", test_ground);
}
