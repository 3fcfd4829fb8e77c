/* poses.c: what a model and an animation hold, and the pose at a time. Public domain. */
#include "reference.h"

/* Joints that move come before those that stand still. */
static void test_anim_fields(void)
{
    md5_anim *anim = clip(M5_WAVE);
    int moving = 0;
    for (int j = 0; j < M5_JOINTS; ++j) {
        if (m5_arm[j].flags) CHECK_EQ(anim->slots[j], moving++);
    }
    CHECK_EQ(anim->moving_count, moving);
    for (int j = 0; j < M5_JOINTS; ++j) {
        if (!m5_arm[j].flags) CHECK_EQ(anim->slots[j], moving++);
    }
    CHECK_TEXT(anim->name, "own");
    CHECK_EQ(anim->bounds[2].min[1], -32.5);
    CHECK_EQ(anim->bounds[2].max[1], 42.25);
}

/* Trap: the sign of w. A bind pose and a baseframe of the same skeleton agree only with minus. */
static void test_w_sign(void)
{
    md5_model *model =
        model_from("MD5Version 10 numJoints 2 numMeshes 0 joints { "
                   "\"a\" -1 ( 1 2 3 ) ( 0.5 0.5 0.5 ) \"b\" 0 ( 1 2 13 ) ( 0 0 0.70710678 ) }");
    md5_xform local[2];
    CHECK_NEAR(model->joints[0].bind.rotation[3], -0.5, 1e-6);
    CHECK_NEAR(model->joints[1].bind.rotation[3], -0.70710678, 1e-6);
    md5_pose_bind(model, local);
    /* 120 degrees about (-1, -1, -1) turn x into z; about (1, 1, 1), which plus would mean, y
       does */
    for (int k = 0; k < 3; ++k) CHECK_NEAR(local[1].position[k], k ? 0 : 10, 1e-5);
}

/* Trap: x y z longer than one mean a half turn, and are shortened: in a mesh, in the base frame and
   in a frame. */
static void test_long_rotations(void)
{
    static const struct { const char *text; double want[4]; } cases[] = {
        { "1 0 0", { 1, 0, 0, 0 } },       { "0.6 0 0.8001", { 0.6, 0, 0.8001, 0 } },
        { "0 -3 4", { 0, -3, 4, 0 } },     { "1e9 0 1e9", { 1, 0, 1, 0 } },
        { "-1e9 1e9 1e9", { -1, 1, 1, 0 } }, { "1e9 1e-9 0", { 1, 0, 0, 0 } }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        m5_text *mesh = new_text(), *anim = new_text();
        m5_xform want;
        md5_xform pose[2];
        memset(&want, 0, sizeof want);
        memcpy(want.q, cases[i].want, sizeof want.q);
        m5_normalize(want.q, 4);
        check_subject(cases[i].text);
        m5_put(mesh, "MD5Version 10 numJoints 1 numMeshes 0 joints { a -1 ( 0 0 0 ) ( %s ) }",
               cases[i].text);
        m5_put(anim, "MD5Version 10 numFrames 2 numJoints 2 frameRate 1 numAnimatedComponents 3 "
                     "hierarchy { a -1 0 0 b 0 56 0 } baseframe { ( 0 0 0 ) ( %s ) ( 0 0 0 ) "
                     "( 0 0 0 ) } frame 0 { %s } frame 1 { %s }",
               cases[i].text, cases[i].text, cases[i].text);
        CHECK_NEAR(xform_distance(&model_of(mesh, NULL)->joints[0].bind, &want), 0, 1e-6);
        md5_pose_at(anim_of(anim, NULL), MD5_ONCE, 0.5, pose);
        for (size_t k = 0; k < 2; ++k) CHECK_NEAR(xform_distance(&pose[k], &want), 0, 1e-6);
    }
}

/* Times before the start, beyond the end, on frames, between them, at every seam; NaN and infinity
   count as 0. */
static void test_times(void)
{
    static const double times[] = { 0,       0.03125, 0.0625, 0.1, 0.25,  0.3,  0.3125,
                                    0.34375, 0.375,   0.4,    0.5, 1,     17.3, 1e6 + 0.1,
                                    -0.01,   -0.0625, -0.3,   -1,  -77.77 };
    const double infinite[3] = { HUGE_VAL, -HUGE_VAL, HUGE_VAL - HUGE_VAL };
    size_t pairs = 0;
    for (int number = 0; number < M5_CLIPS; ++number) {
        m5_text *text = clip_text(number, 0);
        ref_anim ref = ref_read_anim(text->bytes, text->size);
        md5_anim *anim = anim_of(text, NULL);
        CHECK_EQ(anim->closed, m5_clips[number].repeats);
        for (int mode = 0; mode < 3; ++mode) {
            md5_xform *zero = new_pose(M5_JOINTS), *pose = new_pose(M5_JOINTS);
            for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i, ++pairs) {
                m5_xform want[M5_JOINTS];
                double most = 0.0;
                ref_pose_at(&ref, anim->closed, (md5_mode)mode, times[i], want);
                md5_pose_at(anim, (md5_mode)mode, times[i], pose);
                for (size_t j = 0; j < M5_JOINTS; ++j) {
                    keep_worst(&most, xform_distance(&pose[j], &want[j]));
                }
                CHECK_NEAR(most, 0, 1e-5);
            }
            md5_pose_at(anim, (md5_mode)mode, 0.0, zero);
            for (int k = 0; k < 3; ++k) {
                md5_pose_at(anim, (md5_mode)mode, infinite[k], pose);
                CHECK(same_bits(pose, zero, M5_JOINTS * sizeof *pose));
            }
        }
    }
    CHECK_FLOOR(pairs, 250, "times against the reference");
}

#define LIB(name)    md5_##name
#define OPTION(name) MD5_##name
#define USUAL_RATE   24.0

/* x is the number of the frame, of the root and once more of its child. */
static const md5_anim *counting_anim(float fps)
{
    md5_anim *anim = anim_from(
        "MD5Version 10 numFrames 5 numJoints 2 frameRate 1 numAnimatedComponents 1 "
        "hierarchy { a -1 1 0 b 0 1 0 } baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) } "
        "frame 0 { 0 } frame 1 { 1 } frame 2 { 2 } frame 3 { 3 } frame 4 { 4 }");
    anim->fps = fps;
    return anim;
}

static double value_at(const md5_anim *anim, md5_mode mode, double seconds)
{
    md5_xform pose[2];
    md5_pose_at(anim, mode, seconds, pose);
    CHECK_EQ(pose[0].position[0], pose[1].position[0]);
    return (double)pose[1].position[0];
}

#include "times_both.h"

/* The root moves and does not count. Of two bones, of 10 and of 100, the end may be 0.2 % of their
   length away from its first place, and turned a little; a half turn is the same one way round and
   the other: x y z all negated. */
static void test_closed(void)
{
    static const char turning[] =
        "numJoints 2 numAnimatedComponents 7 hierarchy { r -1 7 0 a 0 57 3 } "
        "baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) } frame 0 { 0 0 0 10 0 0 0.5 } "
        "frame 1 { ";
    static const char half_turn[] =
        "numJoints 1 numAnimatedComponents 3 hierarchy { a -1 56 0 } "
        "baseframe { ( 0 0 0 ) ( 0 0 0 ) } frame 0 { 1 0 0 } frame 1 { ";
    static const char chain[] =
        "numJoints 3 numAnimatedComponents 1 hierarchy { a -1 0 0 b 0 0 0 c 1 1 0 } "
        "baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 100 0 0 ) ( 0 0 0 ) ( 100 0 0 ) ( 0 0 0 ) } "
        "frame 0 { 100 } frame 1 { ";
    static const struct {
        const char *text, *last;
        bool closed;
    } cases[] = { { turning, "0 0 0 10 0 0 0.5", true }, { turning, "0 50 0 10 0 0 0.5", true },
                  { turning, "0 0 0 10 0 0 0.506", true }, { turning, "0 3 0 10 0 0 0.494", true },
                  { turning, "0 0 0 10 0 0 0.513", false }, { turning, "0 0 0 10 0 0 -0.9", false },
                  { turning, "0 0 0 10.01 0 0 0.5", true }, { turning, "0 0 0 11 0 0 0.5", false },
                  { turning, "0 9 0 8 0 0 0.5", false }, { half_turn, "1 0 0", true },
                  { half_turn, "-1 0 0", true }, { half_turn, "-0.99999 -0.004 0", true },
                  { half_turn, "0 1 0", false }, { chain, "100.3", true },
                  { chain, "100.5", false }, { chain, "99.7", true }, { chain, "99.5", false } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        m5_text *text = new_text();
        m5_put(text, "MD5Version 10 numFrames 2 frameRate 24 %s%s }", cases[i].text, cases[i].last);
        check_subject(cases[i].last);
        CHECK_EQ(anim_of(text, NULL)->closed, cases[i].closed);
    }
    CHECK(!clip(M5_STILL)->closed); /* of one frame */
}

void test_poses(void)
{
    run_test("fields of an animation", test_anim_fields);
    run_test("lengths", test_lengths);
    run_test("the sign of w", test_w_sign);
    run_test("x y z longer than one", test_long_rotations);
    run_test("times", test_times);
    run_test("values at times", test_values_at_times);
    run_test("frames at times", test_frames_at_times);
    run_test("odd times", test_odd_times);
    run_test("closed", test_closed);
}
