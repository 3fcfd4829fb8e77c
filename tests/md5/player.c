/* Players: against one that takes every step and loop by itself, and what they show. Public
   domain. */
#include "reference.h"

#define LIB(name)    md5_##name
#define OPTION(name) MD5_##name

/* Clip i moves component i of the six of the upper two joints, one unit a frame; the third repeats
   its first frame. */
enum { CHAIN_JOINTS = 3, CLIPS = 5, CLOSED_CLIP = 2, RATE_FIRST = 0 };
static const int  clip_frames[CLIPS] = { 5, 8, 4, 1, 2 }, clip_first[CLIPS] = { 0, 0, 0, 0, 0 };
static int        chain_clip;
static md5_anim  *clips[CLIPS];
static md5_model *chain;

static const md5_anim *clip_of(int number) { return clips[number]; }

/* The header of an animation is enough for a player that shows nothing. */
static const md5_anim *anim_of_rate(uint32_t count, float fps)
{
    static md5_anim anim;
    memset(&anim, 0, sizeof anim);
    anim.frame_count = count;
    anim.fps = fps;
    return &anim;
}

#include "player_both.h"

static m5_xform chain_pose(int joint, int frame)
{
    m5_xform x = xform_at(0, 0, 0, 0, 0, 1, 0);
    if (chain_clip == CLOSED_CLIP) frame %= 3;
    if (chain_clip / 3 + 1 == joint) x.p[chain_clip % 3] = 1 + frame;
    return x;
}

static md5_anim *new_chain_clip(int number)
{
    chain_clip = number;
    return chain_anim(CHAIN_JOINTS, clip_frames[number], chain_pose);
}

/* What one clip adds to component c of the pose. */
static double shown_component(const slow_track *track, int c)
{
    int    from, to;
    if (track->clip < 0) return c % 3 == 0 ? 1.0 : 0.0; /* the bind pose: bones of length one */
    if (track->clip != c) return 0.0;
    double t = find_frames(clip_frames[c], c == CLOSED_CLIP, track->mode, track->time * CLIP_RATE,
                           &from, &to);
    if (c == CLOSED_CLIP) {
        from %= 3;
        to %= 3;
    }
    return 1.0 + from + (to - from) * t;
}

static void check_shown(const md5_player *player, const slow_player *slow)
{
    md5_xform pose[CHAIN_JOINTS], scratch[CHAIN_JOINTS];
    float     weights[5];
    md5_player_pose(chain, player, pose, scratch);
    md5_track_weights(player, weights);
    for (int c = 0; c < 6; ++c) {
        double want = slow->count == 0 && c % 3 == 0 ? 1.0 : 0.0;
        for (int i = 0; i < slow->count && i < 4; ++i) {
            want += (double)weights[i] * shown_component(&slow->track[i], c);
        }
        CHECK_NEAR(pose[1 + c / 3].position[c % 3], want, 1e-5);
    }
}

static void test_slow_player(void)
{
    chain = chain_model(CHAIN_JOINTS);
    for (int i = 0; i < CLIPS; ++i) clips[i] = new_chain_clip(i);
    test_random_acts();
}

static void put_renamed_joint(m5_text *text, int joint)
{
    m5_put(text, "\"%s\" %d", joint == M5_HAND ? "paw" : m5_arm[joint].name, m5_arm[joint].parent);
}

static m5_xform wave_pose(int joint, int frame)
{
    return m5_arm_local(&m5_clips[M5_WAVE], joint, frame);
}

/* Exactly joint_count transforms are written, into arrays of exactly that size, whatever plays;
   what does not fit the model shows the bind pose. */
static void test_player_pose(void)
{
    md5_options y_up = options_of(MD5_Y_UP, 0.0f), large = options_of(0, 2.0f);
    md5_model *model = arm();
    m5_text *text = new_text();
    md5_xform bind[M5_JOINTS], want[M5_JOINTS];
    md5_xform *pose = new_pose(M5_JOINTS), *scratch = new_pose(M5_JOINTS);
    put_anim(text, M5_JOINTS, 3, put_renamed_joint, wave_pose);
    const md5_anim *playing[7] = { NULL, chain_anim(40, 3, chain_pose), new_chain_clip(0),
                                   anim_of(text, NULL), clip_with(M5_WAVE, &y_up),
                                   clip_with(M5_WAVE, &large), clip(M5_WAVE) };
    md5_pose_bind(model, bind);
    for (int i = 0; i < 7; ++i) {
        md5_player player = player_from(NULL, MD5_LOOP);
        md5_play(&player, playing[i], MD5_LOOP, 0.0f);
        md5_advance(&player, 0.1f);
        md5_player_pose(model, &player, pose, scratch);
        if (i < 6) {
            CHECK(pose_distance(pose, bind, M5_JOINTS) <= 0.0);
        } else {
            md5_pose_at(playing[i], MD5_LOOP, player.track[0].time, want);
            CHECK(pose_distance(pose, want, M5_JOINTS) < 1e-6);
            CHECK(pose_distance(pose, bind, M5_JOINTS) > 0.1);
        }
        md5_play(&player, playing[(i + 1) % 7], MD5_LOOP, 1.0f);
        md5_advance(&player, 0.5f);
        md5_player_pose(model, &player, pose, scratch);
        CHECK(all_finite(pose[0].position, 3) && all_finite(pose[M5_JOINTS - 1].rotation, 4));
    }
}

/* The pose of a player over another pose is what mixing its own pose in would give: exactly so for
   positions, and for rotations with one track or where the mask is 0 or 1. */
static void test_pose_over(void)
{
    static const float masks[4] = { 0.0f, 0.25f, 1.0f, 7.0f };
    const md5_anim *waves[2] = { clip(M5_WAVE), clip(M5_WALK) };
    md5_model *model = arm();
    md5_xform base[M5_JOINTS], own[M5_JOINTS], want[M5_JOINTS], pose[M5_JOINTS], scratch[M5_JOINTS];
    float mask[M5_JOINTS];
    md5_player player;
    memset(&player, 0, sizeof player);
    md5_pose_at(waves[1], MD5_LOOP, 0.4, base);
    for (int i = 0; i < M5_JOINTS; ++i) mask[i] = masks[i % 4];
    for (int tracks = 0; tracks < 3; ++tracks) {
        md5_player_pose(model, &player, own, scratch);
        md5_pose_mix(base, own, 1, mask, M5_JOINTS, want);
        memcpy(pose, base, sizeof pose);
        md5_player_pose_over(model, &player, mask, pose, scratch);
        for (int i = 0; i < M5_JOINTS; ++i) {
            const md5_xform *wanted = tracks ? &want[i] : &base[i];
            for (int axis = 0; axis < 3; ++axis) {
                CHECK_NEAR(pose[i].position[axis], wanted->position[axis], 1e-5);
            }
            if (tracks < 2 || i % 4 != 1) {
                CHECK(pose_distance(&pose[i], wanted, 1) < 1e-5);
            }
        }
        memcpy(pose, base, sizeof pose);
        md5_player_pose_over(model, &player, NULL, pose, scratch);
        CHECK(same_bits(pose, tracks ? own : base, sizeof pose));
        if (tracks < 2) md5_play(&player, waves[tracks], MD5_LOOP, tracks ? 1.0f : 0.0f);
        md5_advance(&player, 0.3f);
    }
    CHECK_EQ(player.track_count, 2);
}

void test_player(void)
{
    run_test("nothing plays", test_nothing_plays);
    run_test("player against a slow one", test_slow_player);
    run_test("far events", test_far_events);
    run_test("all rates", test_all_rates);
    run_test("odd steps", test_odd_steps);
    run_test("pose of a player", test_player_pose);
    run_test("pose over another", test_pose_over);
}
