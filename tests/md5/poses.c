/* The fields of models and animations, and the pose at a time. Public domain. */
#include "test_md5.h"

/* -- The time of an animation --------------------------------------------------- */

#define USUAL_RATE   24.0

/* The x of the root, and the x of its child, is the number of the frame. */
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
    md5_pose_at(body_of(anim), anim, mode, seconds, pose);
    CHECK_EQ(pose[0].position[0], pose[1].position[0]);
    return (double)pose[1].position[0];
}

#include "tests/both/names_md5.h"
#include "tests/both/times.h"

/* -- Poses ------------------------------------------------------------------------ */

static m5_xform swing_pose(int joint, int frame)
{
    return xform_at(10 * frame, joint, 0, 0, 0, 1, 90 * frame);
}

static void test_between_frames(void)
{
    md5_anim *swing = chain_anim(2, 2, swing_pose);
    md5_xform pose[2];
    swing->fps = 10;
    md5_pose_at(chain_model(2), swing, MD5_ONCE, 0.05, pose);
    for (int joint = 0; joint < 2; ++joint) {
        m5_xform half = xform_at(5, joint, 0, 0, 0, 1, 45);
        check_step("joint %d", joint);
        CHECK_NEAR(xform_distance(&pose[joint], &half), 0, 1e-6);
    }
}

static void test_bind_pose(void)
{
    md5_model *model = chain_model(3);
    md5_xform pose[3];
    md5_pose_bind(model, pose);
    for (int joint = 0; joint < 3; ++joint) CHECK_EQ(pose[joint].position[0], joint ? 1 : 0);
    md5_pose_to_model_space(model, pose, pose);
    for (int joint = 0; joint < 3; ++joint) CHECK_EQ(pose[joint].position[0], joint);
}

/* Converts in place, and into another array. */
static void test_to_local(void)
{
    const md5_anim *wave = clip(M5_WAVE);
    md5_model      *model = arm();
    md5_xform       local[M5_JOINTS], space[M5_JOINTS], back[M5_JOINTS];
    for (int step = 0; step < 50; ++step) {
        check_step("at %g s", 0.03 * step);
        md5_pose_at(model, wave, MD5_LOOP, 0.03 * step, local);
        local[M5_HAND].scale = 2;
        local[model->joints[M5_HAND].parent].scale = 3;
        md5_pose_to_model_space(model, local, space);
        md5_pose_to_local(model, space, back);
        CHECK(pose_distance(back, local, M5_JOINTS) < 1e-5);
        CHECK_EQ(back[M5_HAND].scale, 2);
        md5_pose_to_local(model, space, space);
        CHECK(same_bits(space, back, sizeof space));
    }
}

static void test_loop_lengths(void)
{
    md5_anim *walk = clip(M5_WALK), *reach = clip(M5_REACH);
    CHECK(walk->closed);
    CHECK_EQ(walk->frame_count, 9);
    CHECK_NEAR(md5_anim_length(walk, MD5_LOOP), 8 / 12.0, 1e-12);
    CHECK(!reach->closed);
    CHECK_EQ(reach->frame_count, 8);
    CHECK_NEAR(md5_anim_length(reach, MD5_LOOP), 8 / 30.0, 1e-12);
}

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

/* The sign of w is a trap. A bind pose and a base frame of the same skeleton agree only if w is negative. */
static void test_w_sign(void)
{
    md5_model *model =
        model_from("MD5Version 10 numJoints 2 numMeshes 0 joints { "
                   "\"a\" -1 ( 1 2 3 ) ( 0.5 0.5 0.5 ) \"b\" 0 ( 1 2 13 ) ( 0 0 0.70710678 ) }");
    md5_xform local[2];
    CHECK_NEAR(model->joints[0].bind.rotation[3], -0.5, 1e-6);
    CHECK_NEAR(model->joints[1].bind.rotation[3], -0.70710678, 1e-6);
    md5_pose_bind(model, local);
    /* A rotation by 120 degrees about (-1, -1, -1) takes x to z. A positive w would mean (1, 1, 1), which takes
       x to y. */
    for (int k = 0; k < 3; ++k) CHECK_NEAR(local[1].position[k], k ? 0 : 10, 1e-5);
}

/* If (x, y, z) of a rotation is longer than 1, the rotation is a half turn and the vector is normalized. This test
   tries such a rotation in a mesh, in the base frame and in a frame. */
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
        check_scene("%s", cases[i].text);
        m5_put(mesh, "MD5Version 10 numJoints 1 numMeshes 0 joints { a -1 ( 0 0 0 ) ( %s ) }",
               cases[i].text);
        m5_put(anim, "MD5Version 10 numFrames 2 numJoints 2 frameRate 1 numAnimatedComponents 3 "
                     "hierarchy { a -1 0 0 b 0 56 0 } baseframe { ( 0 0 0 ) ( %s ) ( 0 0 0 ) "
                     "( 0 0 0 ) } frame 0 { %s } frame 1 { %s }",
               cases[i].text, cases[i].text, cases[i].text);
        CHECK_NEAR(xform_distance(&model_of(mesh, NULL)->joints[0].bind, &want), 0, 1e-6);
        const md5_anim *held = anim_of(anim, NULL);
        md5_pose_at(body_of(held), held, MD5_ONCE, 0.5, pose);
        for (size_t k = 0; k < 2; ++k) CHECK_NEAR(xform_distance(&pose[k], &want), 0, 1e-6);
    }
}

/* Returns the angle in radians between a rotation and a rotation by `radians` about the axis. */
static double turn_error(const float rotation[4], double radians)
{
    static const double axis[3] = { 0.6, 0.48, 0.64 };
    double squared = pow((double)rotation[3] - cos(radians / 2), 2);
    for (int k = 0; k < 3; ++k) squared += pow((double)rotation[k] - axis[k] * sin(radians / 2), 2);
    return 2 * sqrt(squared);
}

/* A joint rotates through half a turn, with ten digits in the file. There w is nearly 0, and must be computed as
   sqrt(1 - x * x - y * y - z * z). */
static void test_half_turns(void)
{
    for (int i = 0; i <= 400; ++i) {
        double radians = 3.14159265358979 + i * 5e-6;
        double sine = sin(radians / 2);
        char xyz[100];
        snprintf(xyz, sizeof xyz, "%.10f %.10f %.10f", 0.6 * sine, 0.48 * sine, 0.64 * sine);
        check_scene("a rotation by %.6f radians", radians);

        m5_text *mesh = new_text(), *anim = new_text();
        m5_put(mesh, "MD5Version 10 numJoints 1 numMeshes 0 joints { a -1 ( 0 0 0 ) ( %s ) }", xyz);
        CHECK_NEAR(turn_error(model_of(mesh, NULL)->joints[0].bind.rotation, radians), 0, 2.6e-5);

        m5_put(anim, "MD5Version 10 numFrames 1 numJoints 2 frameRate 1 numAnimatedComponents 3 "
                     "hierarchy { still -1 0 0 moves 0 56 0 } baseframe { ( 0 0 0 ) ( %s ) "
                     "( 0 0 0 ) ( 0 0 0 ) } frame 0 { %s }", xyz, xyz);
        md5_xform pose[2];
        const md5_anim *held = anim_of(anim, NULL);
        md5_pose_at(body_of(held), held, MD5_ONCE, 0, pose);
        CHECK_NEAR(turn_error(pose[0].rotation, radians), 0, 2.6e-5);
        CHECK_NEAR(turn_error(pose[1].rotation, radians), 0, 2.6e-5);
    }
}

/* Computes the local pose of the arm from the frames that the text was written from. */
static void arm_pose_at(const m5_clip *from, md5_mode mode, double seconds,
                        m5_xform pose[M5_JOINTS])
{
    int    first, second;
    double t = find_frames(from->frames, from->repeats, (int)mode, seconds * from->rate, &first,
                           &second);
    for (int j = 0; j < M5_JOINTS; ++j) {
        m5_xform a = m5_arm_local(from, j, first), b = m5_arm_local(from, j, second);
        pose[j] = ref_mix(&a, &b, t);
    }
}

static void test_frames(void)
{
    for (int number = 0; number < M5_CLIPS; ++number) {
        const m5_clip *from = &m5_clips[number];
        md5_anim      *anim = clip(number);
        check_scene("the animation %s", from->name);
        CHECK_EQ(anim->frame_count, from->frames);
        CHECK_EQ(anim->fps, from->rate);
        CHECK_EQ(anim->joint_count, M5_JOINTS);
        for (int j = 0; j < M5_JOINTS; ++j) {
            CHECK_TEXT(anim->joint_names[j], m5_arm[j].name);
            CHECK_EQ(anim->parents[j], m5_arm[j].parent);
            for (int i = 0; i < from->frames; ++i) {
                m5_xform want = m5_arm_local(from, j, i);
                check_step("joint %s in frame %d", m5_arm[j].name, i);
                CHECK_NEAR(xform_distance(anim_xform(anim, i, j), &want), 0, 2e-6);
                CHECK_EQ(anim_xform(anim, i, j)->scale, 1);
            }
        }
    }
}

/* Tries times before the start and after the end, on frames and between them, and at each seam. NaN and infinity
   count as 0, except that infinity in MD5_ONCE is the end. */
static void test_times(void)
{
    static const double times[] = { 0,       0.03125, 0.0625, 0.1, 0.25,  0.3,  0.3125,
                                    0.34375, 0.375,   0.4,    0.5, 1,     17.3, 1e6 + 0.1,
                                    -0.01,   -0.0625, -0.3,   -1,  -77.77 };
    const double infinite[3] = { HUGE_VAL, -HUGE_VAL, HUGE_VAL - HUGE_VAL };
    for (int number = 0; number < M5_CLIPS; ++number) {
        md5_anim *anim = clip(number);
        md5_model *model = arm();
        CHECK_EQ(anim->closed, m5_clips[number].repeats);
        for (int mode = 0; mode < 3; ++mode) {
            check_scene("%s, %s", m5_clips[number].name, names_of_modes[mode]);
            md5_xform *same = new_pose(M5_JOINTS), *pose = new_pose(M5_JOINTS);
            for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i) {
                m5_xform want[M5_JOINTS];
                check_step("at %.9g s", times[i]);
                arm_pose_at(&m5_clips[number], (md5_mode)mode, times[i], want);
                md5_pose_at(model, anim, (md5_mode)mode, times[i], pose);
                for (size_t j = 0; j < M5_JOINTS; ++j) {
                    CHECK_NEAR(xform_distance(&pose[j], &want[j]), 0, 1e-5);
                }
            }
            for (int k = 0; k < 3; ++k) {
                check_step("at %g s", infinite[k]);
                md5_pose_at(model, anim, (md5_mode)mode, mode == MD5_ONCE && k == 0 ? 60 : 0, same);
                md5_pose_at(model, anim, (md5_mode)mode, infinite[k], pose);
                CHECK(same_bits(pose, same, M5_JOINTS * sizeof *pose));
            }
        }
    }
}

/* A bone of length 10 swings by up to 0.3 rad, and returns to `seam` rad from its first frame. Its root moves by
   `travel`. The frames are at 0, 0.1, 0.2, 0.3, 0.2, 0.1 rad, so a step is 0.1 rad. */
static md5_anim *swing_to(double seam, double travel)
{
    static const double angles[6] = { 0, 0.1, 0.2, 0.3, 0.2, 0.1 };
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numFrames 7 numJoints 2 frameRate 24 numAnimatedComponents 2 "
                 "hierarchy { root -1 1 0 bone 0 8 1 } "
                 "baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 10 0 0 ) ( 0 0 0 ) } ");
    for (int frame = 0; frame < 7; ++frame) {
        double angle = frame < 6 ? angles[frame] : seam;
        m5_put(text, "frame %d { %.9f %.9f } ", frame, travel * frame, sin(angle / 2));
    }
    return anim_of(text, NULL);
}

/* The mean of the first and the last step is 0.1 rad. A seam of 0.024 rad is noise, a seam of 0.026 rad is not. The
   seam of Doom 3's walk3 is 0.02 rad. */
static void test_closed(void)
{
    CHECK(swing_to(0, 0)->closed);
    CHECK(swing_to(0.021, 0)->closed);
    CHECK(!swing_to(0.03, 0)->closed);
    CHECK(swing_to(0.021, 5)->closed); /* the movement of the root does not count */
    CHECK(!swing_to(0.03, 5)->closed);
    CHECK(!clip(M5_STILL)->closed); /* one frame */
}

/* An animation of one joint whose animated components are x and z of its position and z of its rotation. */
static md5_anim *root_anim(const char *frames, int count)
{
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numFrames %d numJoints 1 frameRate 12 numAnimatedComponents 3 "
                 "hierarchy { a -1 37 0 } baseframe { ( 0 0 0 ) ( 0 0 0 ) } %s", count, frames);
    return anim_of(text, NULL);
}

/* If only the root moves, its movement decides. */
static void test_closed_root(void)
{
    static const struct { const char *what, *frames; int count; bool closed; } cases[] = {
        { "it bobs up and down, one step short of its first frame",
          "frame 0 { 0 0 0 } frame 1 { 0 7 0 } frame 2 { 0 7 0 } frame 3 { 0 0 0 } "
          "frame 4 { 0 -7 0 } frame 5 { 0 -7 0 }", 6, false },
        { "it bobs up and down, and is back in its last frame",
          "frame 0 { 0 0 0 } frame 1 { 0 7 0 } frame 2 { 0 0 0 } frame 3 { 0 -7 0 } "
          "frame 4 { 0 0 0 }", 5, true },
        { "a door slides open", "frame 0 { 0 0 0 } frame 1 { 5 0 0 } frame 2 { 9 0 0 }", 3, false },
        { "a door turns open", "frame 0 { 0 0 0 } frame 1 { 0 0 .3 } frame 2 { 0 0 .6 }", 3,
          false },
        { "two frames", "frame 0 { 0 0 0 } frame 1 { 0 1 0 }", 2, false },
        { "two frames that are one", "frame 0 { 3 4 0 } frame 1 { 3 4 0 }", 2, true },
        { "a half turn, told twice", "frame 0 { 0 0 1 } frame 1 { 0 0 -1 }", 2, true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_scene("%s", cases[i].what);
        CHECK_EQ(root_anim(cases[i].frames, cases[i].count)->closed, cases[i].closed);
    }
}

/* A character breathes by a thousandth of its size, so its last step is as small as its seam. A tenth of a degree
   and 0.028 % of the size still are noise. */
static void test_closed_still(void)
{
    static const char head[] =
        "MD5Version 10 numFrames 2 numJoints 3 frameRate 24 numAnimatedComponents 2 "
        "hierarchy { a -1 0 0 b 0 8 0 c 1 1 1 } baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 100 0 0 ) "
        "( 0 0 0 ) ( 100 0 0 ) ( 0 0 0 ) } frame 0 { 0 100 } frame 1 { ";
    static const struct { const char *last; bool closed; } cases[] = {
        { "0 100", true },       { "0.0009 100", true }, { "0.0011 100", false },
        { "0 100.039", true }, { "0 100.041", false }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        m5_text *text = new_text();
        m5_put(text, "%s%s }", head, cases[i].last);
        check_scene("to %s", cases[i].last);
        CHECK_EQ(anim_of(text, NULL)->closed, cases[i].closed);
    }
}

/* The last frame differs from frame 0 by 0.02 rad. The last step leads to frame 0 instead, so nothing jumps, but the
   root still moves to its position in the last frame. */
static void test_last_step(void)
{
    md5_anim *swing = swing_to(0.02, 5);
    double length = md5_anim_length(swing, MD5_LOOP);
    md5_model *model = body_of(swing);
    md5_xform before[2], after[2];
    CHECK_NEAR(length, 6 / 24.0, 1e-9);
    md5_pose_at(model, swing, MD5_LOOP, length - 1e-9, before);
    md5_pose_at(model, swing, MD5_LOOP, length, after);
    CHECK_NEAR(pose_distance(before + 1, after + 1, 1), 0, 1e-5);
    CHECK_NEAR(before[0].position[0], 30, 1e-4);
    CHECK_EQ(after[0].position[0], 0);

    check_step("in MD5_ONCE, the last frame is unchanged");
    md5_pose_at(model, swing, MD5_ONCE, length, before);
    CHECK_NEAR(before[1].rotation[0], sin(0.01), 1e-5);
    CHECK_NEAR(before[0].position[0], 30, 1e-4);
}

static void test_closed_by_hand(void)
{
    md5_anim *door = root_anim("frame 0 { 0 0 0 } frame 1 { 5 0 0 } frame 2 { 9 0 0 }", 3);
    md5_xform pose;
    CHECK_NEAR(md5_anim_length(door, MD5_LOOP), 3 / 12.0, 1e-9);
    door->closed = true;
    CHECK_NEAR(md5_anim_length(door, MD5_LOOP), 2 / 12.0, 1e-9);
    md5_pose_at(body_of(door), door, MD5_LOOP, 1.5 / 12, &pose);
    CHECK_NEAR(pose.position[0], 7, 1e-5);
}

void test_poses(void)
{
    RUN(test_lengths, "n frames take n steps in MD5_LOOP, n - 1 in MD5_ONCE, 2 n - 2 in MD5_PING_PONG");
    RUN(test_loop_lengths, "a loop whose last frame repeats the first takes one step less");
    RUN(test_bind_pose, "the bind pose is relative to the parents, and can be converted to model space");
    RUN(test_to_local, "a pose in model space can be converted back to one relative to the parents");
    RUN(test_between_frames, "halfway between two frames, joints are halfway in position and rotation");
    RUN(test_values_at_times, "each mode has poses for times before the start and after the end too");
    RUN(test_frames_at_times, "at k / fps seconds, the pose is exactly frame k");
    RUN(test_unusual_times, "infinite times have a pose; an animation without a rate has 24 frames per second");
    RUN(test_anim_fields, "joints that move are stored before joints that never move");
    RUN(test_w_sign, "the w of a rotation in a file is negative");
    RUN(test_long_rotations, "a rotation whose (x, y, z) is longer than 1 is a half turn");
    RUN(test_half_turns, "near half a turn, a rotation is as exact as the digits in the file");
    RUN(test_closed, "a loop is closed if its seam is less than a quarter of a step");
    RUN(test_closed_root, "a loop in which only the root moves is closed if the root returns");
    RUN(test_closed_still, "a loop that hardly moves is closed if its ends differ by no more than rounding");
    RUN(test_last_step, "the last step of a closed loop leads to its first frame");
    RUN(test_closed_by_hand, "a program may decide whether a loop is closed");
    RUN(test_frames, "a frame of an animation has the transforms that its text was written from");
    RUN(test_times, "the pose at any time is a mix of the two frames around it");
}
