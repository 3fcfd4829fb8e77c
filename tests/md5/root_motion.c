/* Root motion: how far the root moves between two times, and the pose in place. Public domain. */
#include "test_md5.h"

static void motion_between(const md5_anim *anim, md5_mode mode, double from, double to,
                           double out[3])
{
    md5_xform x;
    memset(&x, 0x5A, sizeof x);
    md5_anim_motion(anim, mode, MD5_TRAVEL, from, to, &x);
    for (int k = 0; k < 3; ++k) out[k] = (double)x.position[k];
    CHECK_NEAR(fabs((double)x.rotation[3]), 1, 1e-6);
}

/* Returns the distance of the root motion over the ground in one loop. */
static void motion_of_loop(const md5_anim *anim, double out[3])
{
    motion_between(anim, MD5_LOOP, 0, md5_anim_length(anim, MD5_LOOP), out);
}

static double along_x(const md5_anim *anim, md5_mode mode, double from, double to)
{
    double motion[3];
    motion_between(anim, mode, from, to, motion);
    CHECK_NEAR(motion[1], 0, 1e-5);
    return motion[0];
}

/* -- Examples ---------------------------------------------------------------- */

/* A body moves 2 units forward per frame, at 16 frames per second. Its foot stays on the ground: relative to the
   body, the foot moves 2 units back per frame. */
static m5_xform step_pose(int joint, int frame)
{
    return xform_at(joint ? -2 * frame : 2 * frame, 0, joint ? -5 : 5, 0, 0, 1, 0);
}

static void test_foot_stays(void)
{
    md5_anim *walk = chain_anim(2, 9, step_pose);
    md5_model *model = chain_model(2);
    md5_xform pose[2], motion;
    double position = 0;
    for (int picture = 0; picture < 30; ++picture) { /* half a second, at 60 pictures per second */
        double now = picture / 60.0;
        check_step("picture %d", picture);
        md5_pose_in_place(model, walk, MD5_LOOP, MD5_TRAVEL, now, pose);
        CHECK_NEAR(pose[0].position[0], 0, 1e-5);
        CHECK_NEAR(position + (double)(pose[0].position[0] + pose[1].position[0]), 0, 1e-4);
        md5_anim_motion(walk, MD5_LOOP, MD5_TRAVEL, now, now + 1 / 60.0, &motion);
        position += (double)motion.position[0];
    }
    CHECK_NEAR(position, 16, 1e-4);
}

/* A body moves from 0 to 8. Next to it is a gun, whose joint has no parent. */
static void test_second_root(void)
{
    md5_anim *anim = anim_from(
        "MD5Version 10 numFrames 2 numJoints 2 frameRate 1 numAnimatedComponents 2 hierarchy { "
        "body -1 1 0 gun -1 1 1 } baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) } "
        "frame 0 { 0 2 } frame 1 { 8 11 }");
    md5_xform pose[2];
    md5_pose_in_place(body_of(anim), anim, MD5_ONCE, MD5_TRAVEL, 1, pose);
    CHECK_EQ(pose[0].position[0], 0);
    CHECK_EQ(pose[1].position[0], 3); /* from 2 to 11, minus the 8 units that the body has moved */
}

/* The walk moves 3 units per frame at 12 frames per second: 36 units per second. */
static void test_walk(void)
{
    md5_anim *walk = clip(M5_WALK);
    CHECK_NEAR(along_x(walk, MD5_LOOP, 0, 1), 36, 1e-4);
    CHECK_NEAR(along_x(walk, MD5_LOOP, 5, 5.5), 18, 1e-4);
    CHECK_NEAR(along_x(walk, MD5_LOOP, 1, 0), -36, 1e-4);
    CHECK_NEAR(along_x(walk, MD5_LOOP, 0, 600), 21600, 0.05);
    CHECK_EQ(along_x(walk, MD5_LOOP, 2, 2), 0);
    CHECK_NEAR(along_x(walk, MD5_LOOP, 0, md5_anim_length(walk, MD5_LOOP)), 24, 1e-5);
}

/* -- The motion of a player ---------------------------------------------------- */

static double player_distance(md5_player *player, float seconds)
{
    md5_xform step;
    md5_advance(player, seconds);
    md5_player_motion(player, &step);
    CHECK_NEAR(step.position[1], 0, 1e-5);
    CHECK_EQ(step.position[2], 0);
    CHECK_NEAR(step.rotation[3], 1, 1e-6);
    return (double)step.position[0];
}

/* The walk moves 36 units per second, either as root motion or in the pose. */
static void test_player_motion(void)
{
    md5_model *model = arm();
    md5_anim *walk = clip(M5_WALK);
    md5_xform pose[M5_JOINTS], scratch[M5_JOINTS];
    md5_player player;
    memset(&player, 0, sizeof player);
    CHECK_EQ(player_distance(&player, 1), 0); /* nothing plays */
    CHECK_EQ(player.private_data.motion.scale, 0);

    player.root_motion = MD5_TRAVEL;
    md5_play(&player, walk, MD5_LOOP, 0);
    CHECK_EQ(player.root_motion, MD5_TRAVEL);
    CHECK_NEAR(player_distance(&player, 0.25f), 9, 1e-5);
    CHECK_NEAR(player_distance(&player, 10), 360, 1e-3);
    md5_player_pose(model, &player, pose, scratch);
    CHECK_NEAR(pose[0].position[0], walk->frames[0].position[0], 1e-5);

    check_step("paused, and backwards");
    md5_pause(&player, true);
    CHECK_EQ(player_distance(&player, 1), 0);
    md5_pause(&player, false);
    player.speed = -0.5f;
    CHECK_NEAR(player_distance(&player, 1), -18, 1e-4);

    check_step("a jump is no motion");
    md5_seek(&player, 7.4);
    CHECK_EQ(player_distance(&player, 0), 0);

    check_step("without root motion, the pose moves, up to the end of a loop");
    player.root_motion = 0;
    md5_seek(&player, 0.5);
    CHECK_EQ(player_distance(&player, 0.0625f), 0);
    md5_player_pose(model, &player, pose, scratch);
    CHECK_NEAR(pose[0].position[0] - walk->frames[0].position[0], 16.875, 1e-4);
}

/* A walk of 36 units per second is replaced by a walk of 72. Neither the position of the character nor the pose
   jumps. */
static void test_replaced_walk(void)
{
    md5_model *model = arm();
    md5_anim *walk = clip(M5_WALK), *fast = clip(M5_WALK);
    md5_xform pose[M5_JOINTS], scratch[M5_JOINTS];
    md5_player player;
    fast->fps = 2 * walk->fps;
    memset(&player, 0, sizeof player);
    player.root_motion = MD5_TRAVEL;
    md5_play(&player, walk, MD5_LOOP, 0);
    CHECK_NEAR(player_distance(&player, 7.5f), 270, 1e-3);
    md5_replace_anim(&player, walk, fast);
    CHECK_NEAR(player_distance(&player, 0), 0, 1e-5);
    CHECK_NEAR(player_distance(&player, 0.25f), 18, 1e-4);
    CHECK_NEAR(player_distance(&player, 10), 720, 1e-3);
    md5_player_pose(model, &player, pose, scratch);
    CHECK_NEAR(pose[0].position[0], walk->frames[0].position[0], 1e-5);
}

/* A stand fades into a walk of 36 units per second. During the fade of one second, the character moves half as far,
   and after the fade as far as the walk does, even if one step contains the whole fade. */
static void test_fading_walk(void)
{
    md5_anim *walk = clip(M5_WALK), *stand = clip(M5_STILL);
    for (int steps = 1; steps <= 64; steps *= 8) {
        md5_player player;
        double distance = 0;
        check_scene("%d steps", steps);
        memset(&player, 0, sizeof player);
        player.root_motion = MD5_TRAVEL | MD5_TURN;
        md5_play(&player, stand, MD5_LOOP, 0);
        md5_play(&player, walk, MD5_LOOP, 1);
        for (int i = 0; i < steps; ++i) distance += player_distance(&player, 2.0f / (float)steps);
        CHECK_NEAR(distance, 18 + 36, 1e-3);
        CHECK_EQ(player.track_count, 1);

        md5_play(&player, NULL, MD5_LOOP, 1);
        distance = 0;
        for (int i = 0; i < steps; ++i) distance += player_distance(&player, 2.0f / (float)steps);
        CHECK_NEAR(distance, 18, 1e-3);
    }
}

/* A limp: of four steps, one moves 9 units, one moves 3 units and two move half a unit. */
static m5_xform limping_pose(int joint, int frame)
{
    static const double x[9] = { 0, 0.5, 9.5, 12.5, 13, 13.5, 22.5, 25.5, 26 };
    return xform_at(joint ? 0 : x[frame], 0, joint, 0, 0, 1, 0);
}

static void test_fading_into_a_limp(void)
{
    md5_anim *walk = clip(M5_WALK), *limp = chain_anim(M5_JOINTS, 9, limping_pose);
    for (int moment = 0; moment < 8; ++moment) {
        double distances[2];
        check_scene("from the walk into the limp at %g s", moment * 0.05);
        for (int i = 0; i < 2; ++i) {
            md5_player player;
            int steps = i ? 64 : 1;
            memset(&player, 0, sizeof player);
            player.root_motion = MD5_TRAVEL;
            md5_play(&player, walk, MD5_LOOP, 0);
            md5_advance(&player, 0.1f);
            md5_play(&player, limp, MD5_LOOP, 0.3f);
            md5_seek(&player, moment * 0.05);
            distances[i] = 0;
            for (int k = 0; k < steps; ++k) distances[i] += player_distance(&player, 0.3f / (float)steps);
        }
        CHECK_NEAR(distances[0], distances[1], 0.02 * distances[1]);
    }
}

/* The four stands fade in. The walk is on the fifth track, which plays but has no weight yet. */
static void test_waiting_walk(void)
{
    md5_anim *walk = clip(M5_WALK), *stand = clip(M5_STILL);
    md5_player player;
    memset(&player, 0, sizeof player);
    player.root_motion = MD5_TRAVEL;
    for (int i = 0; i < 4; ++i) md5_play(&player, stand, MD5_LOOP, 1);
    md5_play(&player, walk, MD5_LOOP, 1);
    CHECK_EQ(player.track_count, 5);
    CHECK_EQ(player_distance(&player, 0.5f), 0);
    CHECK_NEAR(player.track[4].time, 0.5, 1e-6);
}

static double degrees_about_z(const md5_xform *motion)
{
    CHECK_NEAR(motion->rotation[0], 0, 1e-6);
    CHECK_NEAR(motion->rotation[1], 0, 1e-6);
    double half = atan2((double)motion->rotation[2], (double)motion->rotation[3]);
    return remainder(half * 360 / 3.14159265358979, 360);
}

/* A walk of a quarter of a circle to the left around (0, 100): 9 degrees per frame, 10 frames per second. The arm
   swings and returns. */
static m5_xform corner_pose(int joint, int frame)
{
    double angle = 9.0 * frame, radians = angle / 57.29577951308232;
    if (joint) return xform_at(0, 3, 9, 0, 1, 0, 20 * sin(frame * 0.6283185307));
    return xform_at(100 * sin(radians), 100 - 100 * cos(radians), 5, 0, 0, 1, angle);
}

static md5_anim *corner(void)
{
    md5_anim *anim = chain_anim(2, 11, corner_pose);
    anim->fps = 10;
    CHECK(anim->closed);
    return anim;
}

static const uint32_t both = MD5_TRAVEL | MD5_TURN;

static void test_corner(void)
{
    md5_anim *anim = corner();
    md5_model *model = body_of(anim);
    md5_xform motion, pose[2];
    md5_anim_motion(anim, MD5_LOOP, both, 0, 1, &motion);
    CHECK_NEAR(motion.position[0], 100, 1e-4);
    CHECK_NEAR(motion.position[1], 100, 1e-4);
    CHECK_EQ(motion.position[2], 0);
    CHECK_NEAR(degrees_about_z(&motion), 90, 1e-4);

    md5_anim_motion(anim, MD5_LOOP, both, 0.25, 4.25, &motion); /* a full circle */
    for (int k = 0; k < 3; ++k) CHECK_NEAR(motion.position[k], 0, 1e-4);
    CHECK_NEAR(degrees_about_z(&motion), 0, 1e-4);

    md5_anim_motion(anim, MD5_LOOP, both, 2, 1, &motion); /* from a later time to an earlier time */
    CHECK_NEAR(motion.position[0], -100, 1e-4);
    CHECK_NEAR(motion.position[1], 100, 1e-4);
    CHECK_NEAR(degrees_about_z(&motion), -90, 1e-4);

    for (int step = 0; step < 40; ++step) {
        check_step("in place at %g s", step * 0.05);
        md5_pose_in_place(model, anim, MD5_LOOP, both, step * 0.05, pose);
        CHECK_NEAR(degrees_about_z(&pose[0]), 0, 1e-3);
        CHECK_NEAR(pose[0].position[0], 0, 1e-4);
        CHECK_NEAR(pose[0].position[1], 0, 1e-4);
        CHECK_NEAR(pose[0].position[2], 5, 1e-4);
    }
}

/* A motion is relative to the axes of the root at its first time. Without MD5_TURN, these axes never rotate. */
static void test_flags(void)
{
    md5_anim *anim = corner();
    md5_model *model = body_of(anim);
    md5_xform motion, pose[2], whole[2];
    check_step("MD5_TRAVEL only");
    md5_anim_motion(anim, MD5_LOOP, MD5_TRAVEL, 1, 2, &motion);
    CHECK_NEAR(motion.position[0], 100, 1e-4);
    CHECK_NEAR(degrees_about_z(&motion), 0, 1e-6);
    md5_pose_in_place(model, anim, MD5_LOOP, MD5_TRAVEL, 0.5, pose);
    CHECK_NEAR(pose[0].position[0], 0, 1e-4);
    CHECK_NEAR(degrees_about_z(&pose[0]), 45, 1e-4);

    check_step("MD5_TURN only");
    md5_anim_motion(anim, MD5_LOOP, MD5_TURN, 1, 1.5, &motion);
    CHECK_NEAR(degrees_about_z(&motion), 45, 1e-4);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(motion.position[k], 0, 1e-6);
    md5_pose_in_place(model, anim, MD5_LOOP, MD5_TURN, 0.5, pose);
    CHECK_NEAR(degrees_about_z(&pose[0]), 0, 1e-4);
    CHECK(fabs((double)pose[0].position[0]) > 50); /* the pose still moves */

    check_step("neither");
    md5_anim_motion(anim, MD5_LOOP, 0, 0.1, 77, &motion);
    for (int k = 0; k < 3; ++k) CHECK_EQ(motion.position[k], 0);
    CHECK_EQ(motion.rotation[3], 1);
    md5_pose_in_place(model, anim, MD5_LOOP, 0, 0.33, pose);
    md5_pose_at(model, anim, MD5_LOOP, 0.33, whole);
    CHECK(same_bits(pose, whole, sizeof pose));
}

/* A path from (30, 0) to (69, 9), with a rotation by 40 degrees to the left. */
static m5_xform far_pose(int joint, int frame)
{
    if (joint) return xform_at(0, 0, 9, 0, 1, 0, 25 * frame);
    return xform_at(30 + 9.75 * frame, 2.25 * frame, 5, 0, 0, 1, 10 * frame);
}

static void test_far_corner(void)
{
    md5_anim *anim = chain_anim(2, 5, far_pose);
    md5_xform motion;
    anim->closed = true;
    double length = md5_anim_length(anim, MD5_LOOP), turn = 40 * acos(-1.0) / 180;
    /* A cycle moves (30, 0) to (69, 9), so it is a rotation by 40 degrees about the origin, then a translation by
       (x, y). */
    double x = 69 - 30 * cos(turn), y = 9 - 30 * sin(turn);
    md5_anim_motion(anim, MD5_LOOP, both, 0, 2 * length, &motion);
    CHECK_NEAR(motion.position[0], x + x * cos(turn) - y * sin(turn), 1e-4);
    CHECK_NEAR(motion.position[1], y + x * sin(turn) + y * cos(turn), 1e-4);
    CHECK_NEAR(degrees_about_z(&motion), 80, 1e-4);

    check_step("an open loop in fixed axes: four steps of the file, and one more of the same length");
    anim->closed = false;
    md5_anim_motion(anim, MD5_LOOP, MD5_TRAVEL, 0, md5_anim_length(anim, MD5_LOOP), &motion);
    CHECK_NEAR(motion.position[0], 48.75, 1e-4);
    CHECK_NEAR(motion.position[1], 11.25, 1e-4);
    CHECK_NEAR(degrees_about_z(&motion), 0, 1e-4);
}

static md5_xform composed(const md5_xform *parent, const md5_xform *child)
{
    m5_xform a = widen(parent), b = widen(child), c = m5_compose(&a, &b);
    md5_xform out = *child;
    for (int k = 0; k < 3; ++k) out.position[k] = (float)c.p[k];
    for (int k = 0; k < 4; ++k) out.rotation[k] = (float)c.q[k];
    return out;
}

/* The root motion up to a time, followed by the pose in place, is the pose at that time. */
static void test_back_to_the_pose(void)
{
    md5_anim *anim = corner();
    md5_model *model = body_of(anim);
    for (uint32_t flags = 0; flags <= both; ++flags) {
        check_scene("flags %u", (unsigned)flags);
        for (int step = 0; step < 100; ++step) {
            double seconds = step * 0.00999;
            md5_xform motion, pose[2], in_place[2];
            check_step("at %g s", seconds);
            md5_anim_motion(anim, MD5_LOOP, flags, 0, seconds, &motion);
            md5_pose_in_place(model, anim, MD5_LOOP, flags, seconds, in_place);
            md5_pose_at(model, anim, MD5_LOOP, seconds, pose);
            md5_xform back = composed(&motion, &in_place[0]);
            CHECK_NEAR(pose_distance(&back, &pose[0], 1), 0, 1e-4);
            CHECK_NEAR(pose_distance(&in_place[1], &pose[1], 1), 0, 1e-6);
        }
    }
}

/* A root that looks left and right, a root that goes around and back, and a root that only bobs. */
static m5_xform looking_pose(int joint, int frame)
{
    return xform_at(joint, 0, 0, 0, 0, 1, 20 * sin((frame + 2 * joint) * 0.5711986643));
}

static m5_xform circling_pose(int joint, int frame)
{
    double radians = frame * 0.5711986643;
    return xform_at(joint ? 5 : 30 * cos(radians), joint ? 0 : 30 * sin(radians), 0, 0, 0, 1, 0);
}

static void test_coming_back(void)
{
    static const struct { const char *what; pose_function pose; } cases[] = {
        { "it looks left and right", looking_pose }, { "it circles", circling_pose }
    };
    for (int i = 0; i < 2; ++i) {
        md5_anim *anim = chain_anim(2, 11, cases[i].pose);
        md5_xform motion;
        check_scene("%s", cases[i].what);
        CHECK(!anim->closed);
        CHECK_EQ(anim->private_data.net_motion[1], 0);
        md5_anim_motion(anim, MD5_LOOP, both, 0, 100 * md5_anim_length(anim, MD5_LOOP), &motion);
        CHECK_XYZ(motion.position, 0, 0, 0);
        CHECK_NEAR(degrees_about_z(&motion), 0, 1e-4);
    }
}

/* Three steps of 0.1 s forward and three steps back do not end at exactly 0 in doubles. */
static void test_rewind(void)
{
    md5_anim *walk = clip(M5_WALK);
    double time = 0.3;
    for (int step = 0; step < 6; ++step) {
        double before = time;
        time -= 0.1;
        check_step("from %.17g s to %.17g s", before, time);
        CHECK_NEAR(along_x(walk, MD5_LOOP, before, time), -3.6, 1e-4);
    }
}

/* -- Any times, any loops ------------------------------------------------------- */

/* A path around a bend in an open loop, with a root that is tilted and sways. */
static m5_xform bend_pose(int joint, int frame)
{
    double angle = 14 * frame + 5 * sin(frame * 1.1);
    if (joint) return xform_at(0, 3, 9, 1, 0, 0, 20 * frame);
    return xform_at(7 * frame, 4 * sin(frame * 0.4), frame % 3, 0.1, 0.2, 1, angle);
}

static void check_parts(const md5_anim *anim, random_source *random, uint32_t flags, double cycles)
{
    double length = md5_anim_length(anim, MD5_LOOP) * cycles, times[3];
    for (int i = 0; i < 3; ++i) {
        times[i] = (random_unit(random) - 0.5) * length;
        if (random_below(random, 4) == 0) times[i] = floor(times[i]);
    }
    md5_xform first, second, whole;
    check_step("flags %u: %.9g s, %.9g s, %.9g s", (unsigned)flags, times[0], times[1], times[2]);
    md5_anim_motion(anim, MD5_LOOP, flags, times[0], times[1], &first);
    md5_anim_motion(anim, MD5_LOOP, flags, times[1], times[2], &second);
    md5_anim_motion(anim, MD5_LOOP, flags, times[0], times[2], &whole);
    md5_xform sum = composed(&first, &second);
    double distance = length3f(first.position) + length3f(second.position);
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(sum.position[k], whole.position[k], 1e-4 + 1e-6 * distance);
    }
    m5_xform a = widen(&sum), b = widen(&whole);
    CHECK_NEAR(rotation_distance(a.q, b.q), 0, 2e-6);
}

static void test_parts(void)
{
    random_source random = { 17 };
    md5_anim *anims[2] = { corner(), chain_anim(2, 9, bend_pose) };
    CHECK(!anims[1]->closed);
    for (int i = 0; i < 2; ++i) {
        check_scene("%s", i ? "an open bend" : "a closed corner");
        for (uint32_t flags = 0; flags <= both; ++flags) {
            for (int step = 0; step < 500; ++step) {
                check_parts(anims[i], &random, flags, step % 5 ? 4 : 2000);
            }
        }
    }
}

/* From one picture to the next, the pose in place moves by less than 0.2 units, also when an open loop begins again. */
static void test_steady(void)
{
    md5_anim *anim = chain_anim(2, 9, bend_pose);
    md5_model *model = chain_model(2);
    double length = md5_anim_length(anim, MD5_LOOP);
    md5_xform before[2], after[2];
    for (int i = 0; i <= 900; ++i) {
        check_step("picture %d", i);
        md5_pose_in_place(model, anim, MD5_LOOP, both, length * i / 300, after);
        if (i > 0) CHECK(pose_distance(before, after, 1) < 0.2);
        memcpy(before, after, sizeof before);
    }
}

static void test_extreme_motion(void)
{
    const double extreme[6] = { HUGE_VAL, -HUGE_VAL, HUGE_VAL - HUGE_VAL, 1e300, -1e300, 1e15 };
    md5_anim *anims[3] = { corner(), clip(M5_WALK), clip(M5_STILL) };
    for (int i = 0; i < 36; ++i) {
        md5_xform motion;
        check_step("from %g s to %g s", extreme[i / 6], extreme[i % 6]);
        for (int k = 0; k < 9; ++k) {
            md5_anim_motion(anims[k / 3], (md5_mode)(k % 3), both, extreme[i / 6], extreme[i % 6], &motion);
            CHECK(all_finite(motion.position, 3));
            CHECK(all_finite(motion.rotation, 4));
        }
    }
}

static void test_closed_loops(void)
{
    static const double times[] = { 0,    0.1,   0.5,       0.6666666, 0.7,  1.0,
                                    7.77, 100.0, 12345.678, -0.1,      -1.0, -99.9 };
    md5_anim *walk = clip(M5_WALK), *march = clip(M5_REACH);
    size_t count = sizeof times / sizeof times[0];
    for (size_t i = 0; i < count; ++i) {
        for (size_t k = 0; k < count; ++k) {
            check_step("from %.9g s to %.9g s", times[i], times[k]);
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
        check_step("to %g s, and on to 3.1 s", times[i]);
        motion_between(anim, MD5_LOOP, 0.0, times[i], d);
        CHECK_NEAR(d[1], 32.0 * times[i], tolerance);
        motion_between(anim, MD5_LOOP, times[i], 3.1, d);
        CHECK_NEAR(d[1], 32.0 * (3.1 - times[i]), tolerance);
    }
}

/* Loops whose last frame does not repeat the first. A straight walk of n frames moves n steps per cycle, although its
   frames show only n - 1. A path that is at least 8/5 as long as the straight line from its start to its end has no
   root motion. In a lunge, the position of a single frame on the path makes no difference. */
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
                  { 3, { 0, 10, 8 }, 0, 12 },
                  { 3, { 0, 13, 9.9 }, 0, 0 },
                  { 3, { 0, 13, 10.1 }, 0, 15.15 },
                  { 3, { 0, 4, 8 }, 3, 12 },
                  { 3, { 0, 3, 6 }, 4, 0 },
                  { 3, { 0, 10, 5 }, 0, 0 },
                  { 3, { 0, 10, 0 }, 0, 0 },
                  { 4, { 0, 0, 0, 0 }, 0, 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        m5_text *text = new_text();
        check_scene("case %u: %d frames, travel %g", (unsigned)i, cases[i].frames, cases[i].travel);
        m5_put(text, "MD5Version 10 numFrames %d numJoints 2 frameRate 1 numAnimatedComponents 4 "
                     "hierarchy { a -1 7 0 b 0 8 3 } baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 90 0 0 ) ( 0 "
                     "0 0 ) } ", cases[i].frames);
        for (int k = 0; k < cases[i].frames; ++k) { /* joint b rotates, so the loop is open */
            m5_put(text, "frame %d { %g %g %d %g } ", k, k % 2 ? cases[i].aside : 0,
                   cases[i].along[k], k, 0.1 * k);
        }
        const md5_anim *anim = anim_of(text, NULL);
        CHECK(!anim->closed);
        double travel[3];
        motion_of_loop(anim, travel);
        CHECK_NEAR(travel[0], 0, 1e-5);
        CHECK_NEAR(travel[1], cases[i].travel, 1e-4);
        CHECK_EQ(travel[2], 0);
    }
}

/* Compares the pose in place with the pose: only the root differs, and only over the ground. */
static void test_in_place(void)
{
    md5_anim *walk = clip(M5_WALK);
    md5_model *model = arm();
    md5_xform first[M5_JOINTS], pose[M5_JOINTS], still[M5_JOINTS];
    double d[3];
    md5_pose_in_place(model, walk, MD5_LOOP, MD5_TRAVEL, 0.0, first);
    for (int step = 0; step < 60; ++step) {
        double seconds = 0.0109 * step;
        check_step("at %g s", seconds);
        md5_pose_at(model, walk, MD5_LOOP, seconds, pose);
        md5_pose_in_place(model, walk, MD5_LOOP, MD5_TRAVEL, seconds, still);
        CHECK(pose_distance(pose + 1, still + 1, M5_JOINTS - 1) <= 0.0);
        CHECK(same_floats(pose[0].rotation, still[0].rotation, 4));
        CHECK_NEAR(still[0].position[0], first[0].position[0], 1e-5);
        CHECK_NEAR(still[0].position[1], first[0].position[1], 1e-5);
        CHECK_NEAR(still[0].position[2], pose[0].position[2], 1e-5);
        motion_between(walk, MD5_LOOP, 0.0, seconds, d);
        CHECK_NEAR((double)still[0].position[0] + d[0], pose[0].position[0], 1e-4);
        CHECK_EQ(d[2], 0);
        md5_pose_in_place(model, walk, MD5_LOOP, MD5_TRAVEL, seconds + 8.0 / 12.0 * 1000.0, pose);
        CHECK(pose_distance(pose, still, M5_JOINTS) < 1e-4);
    }
}

static void test_ground(void)
{
    static const char text[] =
        "MD5Version 10 numFrames 2 numJoints 1 frameRate 1 numAnimatedComponents 3 hierarchy { a "
        "-1 7 0 }"
        "baseframe { ( 0 0 0 ) ( 0 0 0 ) } frame 0 { 1 2 3 } frame 1 { 10 20 30 }";
    static const float positions[2][3] = { { 1, 2, 30 }, { 2, 30, 1 } },
                       motions[2][3] = { { 9, 18, 0 }, { 18, 0, 9 } };
    for (int i = 0; i < 2; ++i) {
        md5_options options = options_of(i ? MD5_Y_UP : 0, 0.0f);
        md5_anim *anim =
            keep_anim(md5_load_anim_memory(text, sizeof text - 1, NULL, &options, NULL));
        md5_xform pose, motion;
        check_scene("%s", i ? "y up" : "z up");
        CHECK(anim != NULL);
        md5_pose_in_place(body_of(anim), anim, MD5_ONCE, MD5_TRAVEL, 1, &pose);
        CHECK(same_floats(pose.position, positions[i], 3));
        md5_anim_motion(anim, MD5_ONCE, MD5_TRAVEL, 0, 1, &motion);
        CHECK(same_floats(motion.position, motions[i], 3));
    }
}

void test_root_motion(void)
{
    RUN(test_walk, "a walk of 36 units per second moves 36 units in a second, in any cycle");
    RUN(test_foot_stays, "with the walk in place and root motion applied, the foot does not slide");
    RUN(test_other_modes, "MD5_ONCE moves to its end and no further; MD5_PING_PONG moves there and back");
    RUN(test_ground, "root motion is horizontal: along x and y, or along x and z if y is up");
    RUN(test_in_place, "in place, the root keeps height and rotation, and nothing else changes");
    RUN(test_second_root, "in place, all joints without a parent are moved back as far as the root");
    RUN(test_corner, "a walk around a corner ends after the corner, with the new heading");
    RUN(test_far_corner, "a walk that begins far from the origin goes around the same corner");
    RUN(test_flags, "without MD5_TRAVEL or MD5_TURN, that part of the motion stays in the pose");
    RUN(test_back_to_the_pose, "root motion followed by the pose in place is the pose");
    RUN(test_coming_back, "a root that returns to its start within a loop has no net motion and no net rotation");
    RUN(test_rewind, "a time just below 0, after rounding errors, does not count as a step into another cycle");
    RUN(test_player_motion, "a player returns the motion of the root, and keeps the pose in place");
    RUN(test_replaced_walk, "an animation that replaces a walk continues the root motion");
    RUN(test_fading_walk, "during a fade, the motion of each animation counts by its weight");
    RUN(test_fading_into_a_limp, "a fade in one long step moves as far as in many short steps");
    RUN(test_waiting_walk, "a track that waits does not move the character");
    RUN(test_open_loops, "a march keeps its pace through the step back to the first frame");
    RUN(test_straightness, "a loop has root motion if its root moves straight, not if it returns");
    RUN(test_parts, "the parts of a motion add up to the whole");
    RUN(test_steady, "in place, nothing jumps when an open loop begins again");
    RUN(test_extreme_motion, "root motion between infinite and huge times is finite");
    RUN(test_closed_loops, "the root motion of a closed loop is right between any two times");
}
