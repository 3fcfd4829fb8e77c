/* player.c: players by hand, and against one that takes every step and loop by itself. Public
   domain. */
#include "reference.h"

enum { CHAIN_JOINTS = 3, CHAIN_CLIPS = 5 };
#define CHAIN_RATE 16.0

/* Clip i moves component i of the six of the upper two joints, one unit a frame; the third repeats
   its first frame, the fourth has one frame. */
static const int chain_frames[CHAIN_CLIPS] = { 5, 8, 4, 1, 2 };
static int       chain_clip;

static m5_xform chain_pose(int joint, int frame)
{
    m5_xform x = xform_at(0, 0, 0, 0, 0, 1, 0);
    if (chain_clip == 2) frame %= 3;
    if (chain_clip / 3 + 1 == joint) x.p[chain_clip % 3] = 1 + frame;
    return x;
}

static md5_anim *new_chain_clip(int number)
{
    chain_clip = number;
    return chain_anim(CHAIN_JOINTS, chain_frames[number], chain_pose);
}

static md5_player new_player(const md5_anim *anim, md5_mode mode)
{
    md5_player player;
    memset(&player, 0, sizeof player);
    if (anim) md5_play(&player, anim, mode, 0.0f);
    return player;
}

/* -- By hand ---------------------------------------------------------------- */

static void test_empty_player(void)
{
    md5_model *model = arm();
    md5_player player = new_player(NULL, MD5_LOOP);
    md5_xform pose[M5_JOINTS], scratch[M5_JOINTS], bind[M5_JOINTS];
    CHECK_EQ(md5_advance(&player, 1), 0);
    CHECK_EQ(md5_crossed(&player, 0), 0);
    md5_seek(&player, 3);
    md5_stop(&player);
    CHECK_EQ(player.track_count, 0);
    md5_pose_bind(model, bind);
    md5_player_pose(model, &player, pose, scratch);
    CHECK(pose_distance(pose, bind, M5_JOINTS) <= 0.0);
}

/* Footsteps on frame 2 of a loop of five at 16 a second: once each 5/16 s, whatever the steps, and
   both ways. */
static void test_events(void)
{
    md5_anim *anim = new_chain_clip(0);
    md5_player player = new_player(anim, MD5_LOOP);
    int steps = 0, firsts = 0, i;
    CHECK_EQ(player.speed, 1);
    CHECK(!player.begun && !player.passed_start);
    CHECK_EQ(md5_crossed(&player, 0), 0);
    md5_advance(&player, 0.0f);
    CHECK(!player.begun && !player.passed_start);
    CHECK_EQ(md5_crossed(&player, 0), 0);
    for (i = 0; i < 1000; ++i) {
        md5_advance(&player, 0.013f);
        steps += md5_crossed(&player, 2);
        firsts += md5_crossed(&player, 0);
    }
    CHECK_EQ(steps, 42); /* 13 s = 208 frames: 2, 7 ... 207 */
    CHECK_EQ(firsts, 42); /* 0, 5 ... 205 */
    for (i = 0; i < 2; ++i) {
        player.speed = i ? -1.0f : 1.0f;
        md5_advance(&player, 10.0f);
        CHECK_EQ(md5_crossed(&player, 3), 32);
    }
    md5_seek(&player, 0);
    CHECK(player.begun && !player.passed_start);
    player.speed = 1.0f;
    CHECK_EQ(md5_advance(&player, 3e38f), MD5_LOOPED);
    CHECK_EQ(md5_crossed(&player, 2), 2147483647);
    player = new_player(anim, MD5_LOOP);
    player.speed = -1.0f;
    md5_advance(&player, 1.0f / 16.0f);
    CHECK_EQ(md5_crossed(&player, 0), 1);
    CHECK_EQ(md5_crossed(&player, 4), 1);
    CHECK_EQ(md5_crossed(&player, 3), 0);
    player = new_player(anim, MD5_PING_PONG);
    md5_advance(&player, 0.5f);
    CHECK_EQ(md5_crossed(&player, 0), 2);
    CHECK_EQ(md5_crossed(&player, 2), 2);
    CHECK_EQ(md5_crossed(&player, 4), 1);
}

static void test_once(void)
{
    md5_player player = new_player(new_chain_clip(0), MD5_ONCE);
    CHECK_EQ(md5_advance(&player, 0.125f), 0);
    CHECK_EQ(md5_advance(&player, 9.0f), MD5_FINISHED);
    CHECK(player.finished);
    CHECK_EQ(player.track[0].time, 0.25);
    CHECK_EQ(md5_crossed(&player, 4), 1);
    CHECK_EQ(md5_advance(&player, 1.0f), 0);
    CHECK_EQ(md5_crossed(&player, 4), 0);
    player.speed = -1.0f;
    CHECK_EQ(md5_advance(&player, 0.0625f), 0);
    CHECK(!player.finished);
    CHECK_EQ(player.track[0].time, 0.1875);
    CHECK_EQ(md5_advance(&player, 5.0f), MD5_FINISHED);
    CHECK_EQ(player.track[0].time, 0);
    md5_play(&player, player.track[0].anim, MD5_ONCE, 0.0f);
    CHECK(!player.finished);
}

/* Both ends of MD5_ONCE are passed once, at the step that finishes it. */
static void check_ends(const md5_anim *anim, float step, float speed)
{
    md5_player player = new_player(anim, MD5_ONCE);
    uint32_t   end = speed > 0 ? anim->frame_count - 1 : 0, steps = 0, told = 0, agreed = 0;
    if (speed < 0) md5_seek(&player, 1e9);
    player.speed = speed;
    while (told == 0 && steps++ < 1000) {
        told += md5_advance(&player, step) == (uint32_t)MD5_FINISHED;
        agreed += md5_crossed(&player, end) == (int)told;
    }
    CHECK(told == 1 && agreed == steps);
    CHECK(md5_advance(&player, step) == 0 && md5_crossed(&player, end) == 0 && player.finished);
}

/* The header of an animation is enough for a player that shows nothing. */
static void test_all_rates(void)
{
    uint32_t rate, count, pairs = 0;
    for (rate = 1; rate <= 122; ++rate) {
        for (count = 2; count <= 200; ++count, ++pairs) {
            md5_anim anim;
            float    length;
            memset(&anim, 0, sizeof anim);
            anim.fps = rate == 121 ? 29.97f : rate == 122 ? 23.976f : (float)rate;
            anim.frame_count = count;
            length = (float)md5_anim_length(&anim, MD5_ONCE);
            check_ends(&anim, 1.5f * length, 1);
            check_ends(&anim, length * 0.15f, pairs % 2 ? 1.0f : -0.7f);
            if (pairs % 16 == 0) check_ends(&anim, 1.0f / anim.fps, 1);
        }
    }
    CHECK_FLOOR(pairs, 24278, "pairs of rate and count");
}

/* A step of 0 begins nothing and finishes nothing, forwards or backwards. */
static void test_zero_steps(void)
{
    int i, back;
    for (back = 0; back < 2; ++back) {
        md5_player player = new_player(new_chain_clip(0), MD5_ONCE);
        uint32_t   told = 0;
        if (back) md5_seek(&player, 9);
        for (i = 0; i < 12; ++i) { /* every third step is none */
            player.speed = i % 3 == 2 ? 0.0f : back ? -1.0f : 1.0f;
            told += md5_advance(&player, i % 3 ? 0.1f : 0.0f) == (uint32_t)MD5_FINISHED;
            CHECK_EQ(told, i >= 7);
            CHECK_EQ(md5_crossed(&player, 0), back ? i == 7 : i == 1);
            CHECK_EQ(player.begun, back || i > 0);
            CHECK_EQ(player.finished, told);
        }
    }
}

static void test_playing(void)
{
    const md5_anim *anim = new_chain_clip(0);
    md5_player player = new_player(NULL, MD5_LOOP);
    float weights[5] = { 1, 1, 1, 1, 1 };
    md5_track_weights(NULL, weights);
    md5_track_weights(&player, NULL);
    CHECK_EQ(weights[0] + weights[1] + weights[2] + weights[3] + weights[4], 0);
    CHECK(!md5_playing(NULL) && !md5_playing(&player));
    md5_play(&player, anim, MD5_LOOP, 0.2f);
    CHECK(md5_playing(&player) == anim);
    md5_play(&player, NULL, MD5_LOOP, 0.2f);
    CHECK(player.track_count == 2 && !md5_playing(&player) && md5_crossed(&player, 0) == 0);
}

/* NaN and infinite steps count as none; a huge one does no harm. */
static void test_odd_steps(void)
{
    md5_model *model = chain_model(CHAIN_JOINTS);
    md5_xform pose[CHAIN_JOINTS], scratch[CHAIN_JOINTS];
    float infinite = (float)HUGE_VAL;
    md5_player player = new_player(NULL, MD5_LOOP);
    int i;
    md5_play(&player, new_chain_clip(1), MD5_LOOP, (float)(infinite - infinite));
    md5_advance(&player, 0.25f);
    md5_advance(&player, infinite);
    md5_advance(&player, -infinite);
    md5_advance(&player, infinite - infinite);
    CHECK_EQ(player.track[0].time, 0.25);
    player.speed = infinite - infinite;
    md5_advance(&player, 0.25f);
    CHECK_EQ(player.track[0].time, 0.25);
    player.speed = infinite;
    md5_advance(&player, 0.25f);
    CHECK(player.track[0].time - player.track[0].time >= 0.0);
    player.speed = 1e30f;
    for (i = 0; i < 4; ++i) md5_advance(&player, 3e38f);
    md5_seek(&player, HUGE_VAL);
    md5_player_pose(model, &player, pose, scratch);
    CHECK(all_finite(pose[0].position, 3) && all_finite(pose[0].rotation, 4));
    md5_crossed(&player, 3);
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
    const md5_anim *playing[7] = { NULL };
    md5_xform bind[M5_JOINTS], want[M5_JOINTS];
    md5_xform *pose = new_pose(M5_JOINTS), *scratch = new_pose(M5_JOINTS);
    int i;
    put_anim(text, M5_JOINTS, 3, put_renamed_joint, wave_pose);
    playing[1] = chain_anim(40, 3, chain_pose);
    playing[2] = new_chain_clip(0);
    playing[3] = anim_of(text, NULL);
    playing[4] = clip_with(M5_WAVE, &y_up);
    playing[5] = clip_with(M5_WAVE, &large);
    playing[6] = clip(M5_WAVE);
    md5_pose_bind(model, bind);
    for (i = 0; i < 7; ++i) {
        md5_player player = new_player(NULL, MD5_LOOP);
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
    const md5_anim *waves[2];
    md5_model *model = arm();
    md5_xform base[M5_JOINTS], own[M5_JOINTS], want[M5_JOINTS], pose[M5_JOINTS], scratch[M5_JOINTS];
    float mask[M5_JOINTS];
    md5_player player, still;
    int i, axis, tracks;
    waves[0] = clip(M5_WAVE);
    waves[1] = clip(M5_WALK);
    memset(&still, 0, sizeof still);
    md5_pose_at(waves[1], MD5_LOOP, 0.4, base);
    for (i = 0; i < M5_JOINTS; ++i) mask[i] = masks[i % 4];
    player = still;
    for (tracks = 0; tracks < 3; ++tracks) {
        md5_player_pose(model, &player, own, scratch);
        md5_pose_mix(base, own, 1, mask, M5_JOINTS, want);
        memcpy(pose, base, sizeof pose);
        md5_player_pose_over(model, &player, mask, pose, scratch);
        for (i = 0; i < M5_JOINTS; ++i) {
            const md5_xform *wanted = tracks ? &want[i] : &base[i];
            for (axis = 0; axis < 3; ++axis) {
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

/* An animation that a program makes plays wherever md5_check_anim finds no fault, and nowhere else;
   it can be retargeted too. */
static void test_made_by_hand(void)
{
    static const char *const names[2] = { "a", "b" }, *const others[2] = { "a", "c" };
    static const int32_t parents[2] = { -1, 0 };
    static const md5_xform frames[4] = {
        { { 5, 0, 0 }, 1, { 0, 0, 0, -1 } }, { { 3, 1, 0 }, 1, { 0, 0, 0, -1 } },
        { { 6, 0, 0 }, 1, { 0, 0, 0, -1 } }, { { 3, 2, 0 }, 1, { 0, 0, 0, -1 } }
    };
    md5_model *model = model_from("MD5Version 10 numJoints 2 numMeshes 0 joints { a -1 ( 0 0 0 ) "
                                  "( 0 0 0 ) b 0 ( 9 9 9 ) ( 0 0 0 ) }");
    md5_xform pose[2], scratch[2];
    md5_anim anim;
    int i;
    memset(&anim, 0, sizeof anim);
    anim.frame_count = anim.joint_count = anim.moving_count = 2;
    anim.fps = 10;
    anim.scale = 1;
    anim.parents = parents;
    anim.frames = frames;
    for (i = 0; i < 4; ++i) {
        bool fits = i == 0;
        md5_player player = new_player(&anim, MD5_ONCE);
        anim.joint_names = i == 1 ? others : names;
        anim.scale = i == 2 ? 2.0f : 1.0f;
        anim.flags = i == 3 ? MD5_Y_UP : 0;
        CHECK_EQ(md5_check_anim(model, &anim, NULL) == MD5_OK, fits);
        md5_seek(&player, 0.05);
        md5_player_pose(model, &player, pose, scratch);
        CHECK_NEAR(pose[0].position[0], fits ? 5.5 : 0, 1e-6);
        CHECK_NEAR(pose[1].position[1], fits ? 1.5 : 9, 1e-6);
        if (fits) {
            md5_anim *copy = keep_anim(md5_retarget_anim(model, &anim, NULL, NULL, NULL));
            if (CHECK(copy != NULL)) md5_pose_at(copy, MD5_ONCE, 0.05, scratch);
            CHECK(pose_distance(pose, scratch, 2) < 1e-6);
        }
    }
}

/* -- A player that takes every step by itself ------------------------------- */

typedef struct slow_track {
    double time, fade, fade_length;
    int    mode, clip; /* clip -1 = no animation */
} slow_track;

typedef struct slow_player {
    int        count;
    double     speed, before;
    bool       begun, first, forwards, paused, finished;
    slow_track track[5];
} slow_player;

static int slow_steps(const slow_track *track)
{
    int frames = track->clip < 0 ? 1 : chain_frames[track->clip];
    if (track->mode == MD5_ONCE) return frames - 1;
    if (track->mode == MD5_PING_PONG) return 2 * (frames - 1);
    return track->clip == 2 ? frames - 1 : frames;
}

static double slow_in(const slow_track *track)
{
    double in = track->fade_length > 0.0 ? track->fade / track->fade_length : 1.0;
    return in < 1.0 ? in : 1.0;
}

static void slow_set_time(slow_track *track, double time)
{
    double end = (double)slow_steps(track) / CHAIN_RATE;
    if (track->mode == MD5_ONCE) time = time < 0.0 ? 0.0 : time > end ? end : time;
    track->time = time;
}

static void slow_play(slow_player *player, int clip_number, int mode, double fade)
{
    slow_track track = { 0, 0, 0, 0, 0 };
    if (!(fade > 0.0)) player->count = 0;
    if (player->count == 5) player->count = 4;
    track.mode = mode;
    track.clip = clip_number;
    track.fade_length = player->count ? fade : 0.0;
    player->track[player->count++] = track;
    player->speed = 1.0;
    player->before = 0.0;
    player->paused = player->finished = player->begun = player->first = false;
}

/* While a fifth waits, fades go as fast as its own. */
static void slow_fade(slow_player *player, double seconds)
{
    double spare = 0.0;
    int    i, gone = 0;
    for (i = 1; i < player->count && i < 4; i++) {
        slow_track *track = &player->track[i];
        double      haste = 1.0, fade;
        if (player->count == 5 && track->fade_length > player->track[4].fade_length) {
            haste = track->fade_length / player->track[4].fade_length;
        }
        fade = track->fade + seconds * haste;
        if (fade - track->fade_length > spare * haste) spare = (fade - track->fade_length) / haste;
        track->fade = fade < track->fade_length ? (double)(float)fade : track->fade_length;
    }
    if (player->count == 5) player->track[4].fade = (double)(float)spare;
    for (i = 1; i < player->count; i++) {
        if (slow_in(&player->track[i]) >= 1.0) gone = i;
    }
    player->count -= gone;
    memmove(player->track, player->track + gone, sizeof(slow_track) * (size_t)player->count);
}

static bool slow_passed(const slow_player *player, double at)
{
    double from = player->before * CHAIN_RATE,
           to = player->track[player->count - 1].time * CHAIN_RATE;
    if (player->first && fabs(at - from) <= 0.0) return true;
    return player->forwards ? at > from && at <= to : at < from && at >= to;
}

/* Every round near the two times is looked at, one by one. */
static int slow_crossed(const slow_player *player, int frame)
{
    const slow_track *track = &player->track[player->count - 1];
    int               steps = slow_steps(track), count = 0, round, low, high;
    if (player->count == 0 || track->clip < 0) return 0;
    if (track->mode == MD5_ONCE || steps == 0) return slow_passed(player, frame);
    low = (int)floor((player->before < track->time ? player->before : track->time) * CHAIN_RATE /
                     steps) -
          2;
    high = (int)floor((player->before > track->time ? player->before : track->time) * CHAIN_RATE /
                      steps) +
           2;
    for (round = low; round <= high; round++) {
        count += slow_passed(player, (double)round * steps + frame);
        if (track->mode == MD5_PING_PONG && frame > 0 && 2 * frame != steps) {
            count += slow_passed(player, (double)round * steps + steps - frame);
        }
    }
    return count;
}

static uint32_t slow_advance(slow_player *player, double delta)
{
    double            step = delta * player->speed;
    const slow_track *newest;
    bool              at_end;
    uint32_t          events = 0;
    int               i;
    if (player->count == 0) return 0;
    player->before = player->track[player->count - 1].time;
    player->first = false;
    if (player->paused) return 0;
    slow_fade(player, fabs(delta));
    if (fabs(step) <= 0.0) return 0;
    player->first = !player->begun;
    player->begun = true;
    player->forwards = step > 0.0;
    for (i = 0; i < player->count; i++) {
        slow_set_time(&player->track[i], player->track[i].time + step);
    }
    newest = &player->track[player->count - 1];
    if (newest->mode != MD5_ONCE && slow_crossed(player, 0) > player->first) {
        events |= MD5_LOOPED;
    }
    at_end = newest->mode == MD5_ONCE &&
             (player->forwards ? newest->time >= (double)slow_steps(newest) / CHAIN_RATE
                               : newest->time <= 0.0);
    if (at_end && !player->finished) events |= MD5_FINISHED;
    player->finished = at_end;
    return events;
}

/* What one clip adds to component c of the pose. */
static double slow_component(const slow_track *track, int c)
{
    int    from, to;
    double t;
    if (track->clip < 0) return c % 3 == 0 ? 1.0 : 0.0;
    if (track->clip != c) return 0.0;
    t = ref_time(chain_frames[track->clip], track->clip == 2, CHAIN_RATE, (md5_mode)track->mode,
                 track->time, &from, &to);
    if (track->clip == 2) {
        from %= 3;
        to %= 3;
    }
    return 1.0 + from + (to - from) * t;
}

static double slow_shown(const slow_player *player, int c)
{
    double shown = c % 3 == 0 ? 1.0 : 0.0; /* the bind pose: bones of length one */
    int    i;
    for (i = 0; i < player->count && i < 4; i++) {
        double in = i ? slow_in(&player->track[i]) : 1.0;
        shown += (slow_component(&player->track[i], c) - shown) * in;
    }
    return shown;
}

static void compare_players(const md5_player *player, const slow_player *slow,
                            const md5_model *model, md5_anim *const *anims)
{
    md5_xform pose[CHAIN_JOINTS], scratch[CHAIN_JOINTS];
    bool same = player->track_count == (uint32_t)slow->count && player->paused == slow->paused &&
                player->finished == slow->finished;
    int i, frame;
    for (i = 0; same && i < slow->count; i++) {
        const md5_track *track = &player->track[i];
        same = fabs(track->time - slow->track[i].time) <= 0.0 &&
               (int)track->mode == slow->track[i].mode &&
               track->anim == (slow->track[i].clip < 0 ? NULL : anims[slow->track[i].clip]);
    }
    CHECK(same);
    if (slow->count && slow->track[slow->count - 1].clip >= 0) {
        int frames = chain_frames[slow->track[slow->count - 1].clip];
        if (slow->track[slow->count - 1].clip == 2 &&
            slow->track[slow->count - 1].mode == MD5_LOOP) {
            frames--;
        }
        for (frame = 0; frame < frames; frame++) {
            CHECK_EQ(md5_crossed(player, (uint32_t)frame), slow_crossed(slow, frame));
        }
    }
    CHECK_EQ(md5_crossed(player, 1000), 0);
    md5_player_pose(model, player, pose, scratch);
    for (i = 0; i < 6; i++) CHECK_NEAR(pose[1 + i / 3].position[i % 3], slow_shown(slow, i), 1e-5);
}

static void random_act(random_source *random, md5_player *player, slow_player *slow,
                       md5_anim *const *anims)
{
    static const double speeds[6] = { 1.0, 2.0, 0.5, -1.0, -0.25, 0.0 };
    double              amount = (double)random_below(random, 65) / 64.0;
    int                 number = (int)random_below(random, CHAIN_CLIPS + 1) - 1,
        mode = (int)random_below(random, 3);
    uint32_t events, wanted;
    switch (random_below(random, 26)) {
        case 0:
        case 1:
        case 2:
        case 3:
            if (random_below(random, 8) == 0) amount = 0.0;
            md5_play(player, number < 0 ? NULL : anims[number], (md5_mode)mode, (float)amount);
            slow_play(slow, number, mode, amount);
            break;
        case 4: player->speed = (float)(slow->speed = speeds[random_below(random, 6)]); break;
        case 5:
            slow->paused = random_below(random, 2) != 0;
            md5_pause(player, slow->paused);
            break;
        case 6:
            amount = amount * 4.0 - 2.0;
            md5_seek(player, amount);
            slow->finished = false;
            if (slow->count) {
                slow_set_time(&slow->track[slow->count - 1], amount);
                slow->before = slow->track[slow->count - 1].time;
                slow->begun = true;
                slow->first = false;
            }
            break;
        case 7:
            if (random_below(random, 3)) break;
            md5_stop(player);
            slow->paused = true;
            slow->finished = slow->begun = slow->first = false;
            slow->before = 0.0;
            if (slow->count) {
                slow->track[0] = slow->track[slow->count - 1];
                slow->track[0].time = 0.0;
                slow->count = 1;
            }
            break;
        default:
            amount *= random_below(random, 16) == 0 ? 16.0 : 0.0625;
            if (random_below(random, 8) == 0) amount = -amount;
            events = md5_advance(player, (float)amount);
            wanted = slow_advance(slow, amount);
            if (slow->count && slow->track[slow->count - 1].clip >= 0) CHECK_EQ(events, wanted);
            break;
    }
}

static void test_random_acts(void)
{
    random_source random = { 11 };
    md5_model *model = chain_model(CHAIN_JOINTS);
    md5_anim *anims[CHAIN_CLIPS];
    md5_player player = new_player(NULL, MD5_LOOP);
    slow_player slow;
    int i, waited = 0;
    memset(&slow, 0, sizeof slow);
    for (i = 0; i < CHAIN_CLIPS; ++i) anims[i] = new_chain_clip(i);
    compare_players(&player, &slow, model, anims);
    for (i = 0; i < 20000; ++i) {
        random_act(&random, &player, &slow, anims);
        compare_players(&player, &slow, model, anims);
        waited += slow.count == 5;
    }
    CHECK_FLOOR(waited, 1000, "acts while a track waited");
}

void test_player(void)
{
    run_test("empty player", test_empty_player);
    run_test("events", test_events);
    run_test("once", test_once);
    run_test("all rates", test_all_rates);
    run_test("zero steps", test_zero_steps);
    run_test("playing", test_playing);
    run_test("odd steps", test_odd_steps);
    run_test("pose of a player", test_player_pose);
    run_test("pose over another", test_pose_over);
    run_test("made by hand", test_made_by_hand);
    run_test("player against a slow one", test_random_acts);
}
