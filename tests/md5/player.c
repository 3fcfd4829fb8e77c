/* The player: the poses and events that a game gets, and layers over another pose. Public domain. */
#include "test_md5.h"

enum { NUMBERS = 256 };

/* Frames of a body that stands still and a hand at x = 0, 1, 2 ... Frame 103 repeats frame 100, like the last
   frame of a closed loop. */
static md5_xform  number_frames[NUMBERS][2];
static md5_model *number_model;

static void prepare_numbers(void)
{
    static const char mesh[] = "MD5Version 10 numJoints 2 numMeshes 0 joints { "
                               "body -1 ( 0 0 0 ) ( 0 0 0 ) hand 0 ( 0 0 0 ) ( 0 0 0 ) }";
    number_model = md5_load_model_memory(mesh, sizeof mesh - 1, NULL, NULL);
    for (int i = 0; i < NUMBERS; ++i) {
        for (int j = 0; j < 2; ++j) number_frames[i][j] = number_model->joints[j].bind;
        number_frames[i][1].position[0] = (float)(i == 103 ? 100 : i);
    }
}

static md5_anim frames_at(uint32_t first, uint32_t count, float fps)
{
    static const char *const names[2] = { "body", "hand" };
    static const int32_t     parents[2] = { -1, 0 };
    md5_anim anim;
    memset(&anim, 0, sizeof anim);
    anim.joint_count = anim.moving_count = 2;
    anim.frame_count = count;
    anim.fps = fps;
    anim.scale = 1;
    anim.joint_names = names;
    anim.parents = parents;
    anim.frames = number_frames[first];
    return md5_slice_anim(&anim, 0, count, "numbers");
}

static const md5_anim *played_by(const md5_track *track) { return track->anim; }

static double seen(const md5_player *player)
{
    md5_xform pose[2], scratch[2];
    md5_player_pose(number_model, player, pose, scratch);
    double body_moved = pose_distance(pose, &number_model->joints[0].bind, 1);
    CHECK_EQ(body_moved, 0);
    return (double)pose[1].position[0];
}

#include "tests/both/names_md5.h"
#include "tests/both/player.h"

static void test_closed_loop(void)
{
    md5_anim   turn = frames_at(100, 4, 10); /* 100 101 102 100 */
    md5_player player = start(&turn, MD5_LOOP);
    CHECK_NEAR(seen_after(&player, 0.2f), 102, 1e-4);
    CHECK_NEAR(seen_after(&player, 0.05f), 101, 1e-4);
    CHECK_EQ(md5_advance(&player, 0.05f), MD5_LOOPED);
    CHECK_NEAR(seen_after(&player, 0.1f), 101, 1e-4);
    md5_play_in_phase(&player, &trot, 0);
    CHECK_NEAR(seen(&player), 10 + 5 / 3.0, 1e-4);

    player = start(&turn, MD5_PING_PONG);
    CHECK_NEAR(seen_after(&player, 0.35f), 101, 1e-4);
    player = start(&turn, MD5_ONCE);
    CHECK_EQ(md5_advance(&player, 0.3f), MD5_FINISHED);
    CHECK_EQ(seen(&player), 100);
}

/* -- Layers ------------------------------------------------------------------------ */

/* Returns the x of the hand if the player is a layer over frame 40. */
static double seen_over_40(const md5_player *player, float weight, const float *mask)
{
    md5_xform pose[2], scratch[2];
    memcpy(pose, number_frames[40], sizeof pose);
    md5_player_pose_over(number_model, player, weight, mask, pose, scratch);
    return (double)pose[1].position[0];
}

static double seen_over_40_after(md5_player *player, float seconds)
{
    md5_advance(player, seconds);
    return seen_over_40(player, 1, NULL);
}

static void test_layer_not_zeroed(void)
{
    md5_player player = not_zeroed(255);
    md5_xform  step;
    CHECK_EQ(seen_over_40(&player, 1, NULL), 40);
    md5_player_motion(&player, &step);
    CHECK_EQ(step.position[0], 0);
    md5_play_once(&player, &walk, 0, 0.2f);
    CHECK_EQ(player.root_motion, 0);
    CHECK_EQ(seen_over_40(&player, 1, NULL), 10);
    player = not_zeroed(255);
    md5_fade_out(&player, 0.2f);
    CHECK_EQ(player.track_count, 1);
    CHECK_EQ(seen_over_40(&player, 1, NULL), 40);
}

static void test_layer(void)
{
    md5_player player;
    memset(&player, 0, sizeof player);
    CHECK_EQ(seen_over_40(&player, 1, NULL), 40);
    md5_play(&player, &run_60, MD5_LOOP, 0.2f);
    CHECK_EQ(seen_over_40(&player, 1, NULL), 40);
    CHECK_EQ(seen(&player), 60); /* not as a layer: no fade */
    CHECK_NEAR(seen_over_40_after(&player, 0.1f), 50, 1e-4);
    CHECK_NEAR(seen_over_40_after(&player, 0.1f), 60, 1e-4);
    md5_fade_out(&player, 0.2f);
    CHECK_NEAR(seen_over_40_after(&player, 0.05f), 55, 1e-4);
    CHECK_NEAR(seen_over_40_after(&player, 0.15f), 40, 1e-4);
    CHECK_EQ(seen_over_40_after(&player, 60), 40);
    CHECK_EQ(seen(&player), 0);  /* the bind pose */
    CHECK(md5_playing(&player, NULL));
}

/* The run has faded in by half, so the layer shows 50. Then the jump fades in over the run, while the run goes on
   fading in over 40. */
static void test_layer_fade_over_fade(void)
{
    md5_player player;
    memset(&player, 0, sizeof player);
    md5_play(&player, &run_60, MD5_LOOP, 0.4f);
    CHECK_NEAR(seen_over_40_after(&player, 0.2f), 50, 1e-4);
    md5_play(&player, &jump_80, MD5_LOOP, 0.4f);
    CHECK_NEAR(seen_over_40(&player, 1, NULL), 50, 1e-4);
    CHECK_NEAR(seen_over_40_after(&player, 0.1f), 0.25 * 80 + 0.75 * 55, 1e-4);
    CHECK_NEAR(seen_over_40_after(&player, 0.3f), 80, 1e-4);
    md5_play(&player, &run_60, MD5_LOOP, 0);
    CHECK_NEAR(seen_over_40(&player, 1, NULL), 60, 1e-4);
}

static void test_layer_weight(void)
{
    const float none = (float)(HUGE_VAL - HUGE_VAL);
    const float half[2] = { 0.5f, 0.5f }, not_numbers[2] = { none, none }, more[2] = { 7, 7 }, less[2] = { -1, -1 };
    md5_player  player = start(&run_60, MD5_LOOP);
    CHECK_NEAR(seen_over_40(&player, 0.5f, NULL), 50, 1e-4);
    CHECK_NEAR(seen_over_40(&player, 1, half), 50, 1e-4);
    CHECK_NEAR(seen_over_40(&player, 0.5f, half), 45, 1e-4);
    CHECK_EQ(seen_over_40(&player, 0, NULL), 40);
    CHECK_EQ(seen_over_40(&player, -1, NULL), 40);
    CHECK_EQ(seen_over_40(&player, none, NULL), 40);
    CHECK_EQ(seen_over_40(&player, 7, NULL), 60);
    CHECK_EQ(seen_over_40(&player, 1, not_numbers), 40);
    CHECK_EQ(seen_over_40(&player, 1, less), 40);
    CHECK_NEAR(seen_over_40(&player, 0.5f, more), 50, 1e-4);
}

/* The animation takes 0.4 s: it fades in for a quarter of this time, and out for half of it. */
static void test_play_once(void)
{
    md5_player player;
    memset(&player, 0, sizeof player);
    md5_play_once(&player, &walk, 0.1f, 0.2f);
    CHECK_EQ(seen_over_40(&player, 1, NULL), 40);
    CHECK_NEAR(seen_over_40_after(&player, 0.05f), (40 + 10.5) / 2, 1e-4);
    CHECK_NEAR(seen_over_40_after(&player, 0.1f), 11.5, 1e-4);
    CHECK_NEAR(seen_over_40_after(&player, 0.1f), 0.75 * 12.5 + 0.25 * 40, 1e-4);
    CHECK_EQ(md5_advance(&player, 0.1f), 0);
    CHECK_NEAR(seen_over_40(&player, 1, NULL), 0.25 * 13.5 + 0.75 * 40, 1e-4);
    CHECK_EQ(md5_advance(&player, 0.05f), MD5_FINISHED);
    CHECK_TEXT(crossings(&player), "00001");
    CHECK_EQ(seen_over_40(&player, 1, NULL), 40);
    CHECK_EQ(seen_over_40_after(&player, 60), 40);
    CHECK_EQ(seen(&player), 14); /* not as a layer: the last frame stays */
    md5_play_once(&player, &walk, 0.1f, 0.2f);
    CHECK_NEAR(seen_over_40_after(&player, 0.05f), (40 + 10.5) / 2, 1e-4); /* played once more */
}

static void test_play_once_abruptly(void)
{
    const float fades[3] = { 0.0f, -1.0f, (float)(HUGE_VAL - HUGE_VAL) };
    for (int i = 0; i < 3; ++i) {
        md5_player player = start(&stand_20, MD5_LOOP);
        check_scene("fades of %g s", (double)fades[i]);
        md5_play_once(&player, &walk, fades[i], fades[i]);
        CHECK_NEAR(seen_over_40(&player, 1, NULL), 10, 1e-4);
        CHECK_NEAR(seen_over_40_after(&player, 0.35f), 13.5, 1e-4);
        CHECK_EQ(seen_over_40_after(&player, 0.1f), 40);
    }
}

/* At a higher rate, the time of the track is beyond the end of the animation. */
static void test_play_once_faster(void)
{
    md5_anim   jump = walk;
    md5_player player;
    memset(&player, 0, sizeof player);
    md5_play_once(&player, &jump, 0, 0.2f);
    CHECK_EQ(seen_over_40_after(&player, 60), 40);
    md5_play(&player, &run_60, MD5_LOOP, 0.2f);
    md5_advance(&player, 0.1f);
    jump.fps = 20;
    CHECK_NEAR(seen_over_40(&player, 1, NULL), 50, 1e-4);
}

/* A fade-out that is longer than the animation has already begun when the animation starts. */
static void test_play_once_briefly(void)
{
    md5_player player;
    memset(&player, 0, sizeof player);
    md5_play_once(&player, &walk, 0, 0.8f);
    CHECK_NEAR(seen_over_40(&player, 1, NULL), (10 + 40) / 2.0, 1e-4);
    md5_play_once(&player, &walk, 0, (float)HUGE_VAL);
    CHECK_NEAR(seen_over_40(&player, 1, NULL), 40, 1e-4);
    md5_play_once(&player, &stand_20, 0, 0.2f);
    CHECK_EQ(seen_over_40(&player, 1, NULL), 40); /* an animation of one frame has no length */
}

/* All joints run; the branch of the forearm attacks for half a second. At 60 pictures per second, no joint
   rotates by more than 7 degrees from one picture to the next. */
static void test_attack(void)
{
    const md5_anim *run = clip(M5_WALK), *attack = clip(M5_WAVE);
    md5_model      *model = arm();
    md5_player      body = start(run, MD5_LOOP), forearm;
    md5_xform       ran[M5_JOINTS], pose[M5_JOINTS], before[M5_JOINTS], scratch[M5_JOINTS];
    float           mask[M5_JOINTS] = { 0 };
    memset(&forearm, 0, sizeof forearm);
    md5_mask_branch(model, M5_LOWER, 1, mask);
    for (int picture = 0; picture < 90; ++picture) {
        check_step("picture %d, attack from 20 to 49", picture);
        if (picture == 20) md5_play_once(&forearm, attack, 0.15f, 0.2f);
        md5_advance(&body, 1 / 60.0f);
        md5_advance(&forearm, 1 / 60.0f);
        md5_player_pose(model, &body, ran, scratch);
        memcpy(pose, ran, sizeof pose);
        md5_player_pose_over(model, &forearm, 1, mask, pose, scratch);
        CHECK(same_bits(pose, ran, M5_LOWER * sizeof *pose));
        CHECK_EQ(same_bits(pose, ran, sizeof pose), picture < 20 || picture >= 49);
        for (int joint = M5_LOWER; picture && joint < M5_JOINTS; ++joint) {
            CHECK_NEAR(pose_distance(&pose[joint], &before[joint], 1), 0, 0.12);
        }
        if (picture == 33) {
            md5_pose_at(model, attack, MD5_ONCE, forearm.track[0].time, scratch);
            CHECK(pose_distance(pose + M5_LOWER, scratch + M5_LOWER, M5_JOINTS - M5_LOWER) < 1e-6);
        }
        memcpy(before, pose, sizeof before);
    }
    CHECK(forearm.finished);
}

/* Computes the weight of each track in a layer, by the rules of the interface. Returns their sum. */
static double layer_shares(const md5_player *player, double shares[5])
{
    double sum = 0;
    for (uint32_t i = 0; i < 5; ++i) {
        const md5_track *track = &player->track[i];
        double in = 1, out = 1, left = md5_anim_length(track->anim, track->mode) - track->time;
        if (i == 0 && track->fade_length > 0) in = (double)(track->fade / track->fade_length);
        if (track->fade_out > 0) out = fmin(1, left / (double)track->fade_out);
        shares[i] = track->anim ? weight_of(player, i) * in * out : 0;
        sum += shares[i];
    }
    return sum;
}

typedef struct picture {              /* a layer over a run */
    md5_player player;
    double     shares[5], sum;
    md5_xform  below[M5_JOINTS], tracks[5][M5_JOINTS], shown[M5_JOINTS];
} picture;

static void take_picture(picture *p, const md5_model *model, const md5_anim *run, double seconds,
                         const float *mask)
{
    md5_xform scratch[M5_JOINTS];
    p->sum = layer_shares(&p->player, p->shares);
    md5_pose_at(model, run, MD5_LOOP, seconds, p->below);
    for (uint32_t i = 0; i < p->player.track_count; ++i) {
        const md5_track *track = &p->player.track[i];
        md5_pose_at(model, track->anim, track->mode, track->time, p->tracks[i]);
    }
    memcpy(p->shown, p->below, sizeof p->shown);
    md5_player_pose_over(model, &p->player, 1, mask, p->shown, scratch);
}

static double turned(const md5_xform *a, const md5_xform *b)
{
    m5_xform wide_a = widen(a), wide_b = widen(b);
    return rotation_distance(wide_a.q, wide_b.q);
}

/* Returns the largest rotation of a joint between two pictures that the animations explain: the rotation in each
   pose that has a weight, and the rotation toward a pose whose weight grows. */
static double explained_turn(const picture *old, const picture *now, int joint, double mask)
{
    const md5_xform *shown = &now->shown[joint], *below = &now->below[joint];
    uint32_t gone = old->player.track_count - now->player.track_count;
    double   most_below = 1 - mask * fmin(old->sum, now->sum);
    double   turn = most_below * turned(&old->below[joint], below);
    turn += mask * fabs(old->sum - now->sum) * turned(below, shown);
    for (uint32_t i = 0; i < old->player.track_count; ++i) {
        const md5_xform *before = &old->tracks[i][joint];
        const md5_xform *after = i < gone ? before : &now->tracks[i - gone][joint];
        double           share = i < gone ? 0 : now->shares[i - gone];
        if (!old->player.track[i].anim) continue;
        turn += mask * fmax(old->shares[i], share) * turned(before, after);
        turn += mask * fabs(old->shares[i] - share) * turned(after, shown);
    }
    return turn;
}

static void random_layer_act(random_source *random, md5_player *player, const md5_anim *anim)
{
    float    fade = 0.1f + (float)random_unit(random) * 0.3f;
    uint32_t choice = random_below(random, 60);
    if (choice == 0) md5_fade_out(player, fade);
    else if (choice < 3) md5_play_once(player, anim, fade, 0.2f);
    else if (choice < 5) md5_play(player, anim, (md5_mode)random_below(random, 3), fade);
    else if (choice == 5) md5_play_in_phase(player, anim, fade);
}

static void test_layers_never_leap(void)
{
    const float     mask[M5_JOINTS] = { 0, 1, 0.5f, 1, 1, 0.25f };
    md5_model      *model = arm();
    const md5_anim *anims[M5_CLIPS], *run = clip(M5_WALK);
    unsigned        moved = 0;
    for (int i = 0; i < M5_CLIPS; ++i) anims[i] = clip(i);
    for (unsigned seed = 1; seed <= 100; ++seed) {
        random_source random = { seed };
        picture       old, now;
        check_scene("seed %u", seed);
        memset(&now, 0, sizeof now);
        for (int step = 0; step < 120; ++step) {
            random_layer_act(&random, &now.player, anims[random_below(&random, M5_CLIPS)]);
            take_picture(&now, model, run, step / 60.0, mask);
            old = now;
            md5_advance(&now.player, 1 / 60.0f);
            take_picture(&now, model, run, (step + 1) / 60.0, mask);
            for (int joint = 0; joint < M5_JOINTS; ++joint) {
                double turn = turned(&old.shown[joint], &now.shown[joint]);
                double explained = explained_turn(&old, &now, joint, (double)mask[joint]);
                check_step("step %d, joint %d", step, joint);
                CHECK_NEAR(turn, 0, 1.2 * explained + 2e-3);
                moved += turn > 1e-2;
            }
        }
    }
    CHECK(moved > 0);
}

static m5_xform wave_pose(int joint, int frame)
{
    return m5_arm_local(&m5_clips[M5_WAVE], joint % M5_JOINTS, frame);
}

static void put_rehung_joint(m5_text *text, int joint)
{
    m5_put(text, "\"%s\" %d", m5_arm[joint].name, joint == M5_FINGER ? 0 : m5_arm[joint].parent);
}

/* The arrays have exactly the model's joints, so a sanitizer notices a write beyond the end. */
static void test_misfits(void)
{
    md5_options y_up = options_of(MD5_Y_UP, 0.0f), large = options_of(0, 2.0f);
    m5_text *rehung = new_text();
    put_anim(rehung, M5_JOINTS, 3, put_rehung_joint, wave_pose);
    const struct { const char *what; const md5_anim *anim; } cases[] = {
        { "none", NULL },
        { "more joints", chain_anim(40, 3, wave_pose) },
        { "fewer joints", chain_anim(3, 3, wave_pose) },
        { "a joint of another parent", anim_of(rehung, NULL) },
        { "other axes", clip_with(M5_WAVE, &y_up) },
        { "another scale", clip_with(M5_WAVE, &large) }
    };
    md5_model *model = arm();
    md5_xform bind[M5_JOINTS], *pose = new_pose(M5_JOINTS), *scratch = new_pose(M5_JOINTS);
    md5_pose_bind(model, bind);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_scene("an animation of %s", cases[i].what);
        md5_player player = start(cases[i].anim, MD5_LOOP);
        md5_advance(&player, 0.1f);
        md5_player_pose(model, &player, pose, scratch);
        CHECK(pose_distance(pose, bind, M5_JOINTS) <= 0.0);
        for (int k = 0; k < 2; ++k) {
            memset(pose, 0, M5_JOINTS * sizeof *pose);
            if (k == 0) md5_pose_at(model, cases[i].anim, MD5_LOOP, 0.1, pose);
            else md5_pose_in_place(model, cases[i].anim, MD5_LOOP, MD5_TRAVEL, 0.1, pose);
            CHECK(pose_distance(pose, bind, M5_JOINTS) <= 0.0);
        }
        pose[M5_HAND].position[2] = 7;
        md5_player_pose_over(model, &player, 1, NULL, pose, scratch);
        CHECK_EQ(pose[M5_HAND].position[2], 7); /* in a layer, the pose below */

        md5_play(&player, clip(M5_WAVE), MD5_LOOP, 0.2f);
        md5_advance(&player, 0.1f);
        md5_player_pose(model, &player, pose, scratch);
        CHECK(all_finite(pose[0].position, 3));
        CHECK(all_finite(pose[M5_JOINTS - 1].rotation, 4));
        CHECK(pose_distance(pose, bind, M5_JOINTS) > 0.1);

        md5_advance(&player, 0.1f);
        md5_player_pose(model, &player, pose, scratch);
        md5_pose_at(model, clip(M5_WAVE), MD5_LOOP, player.track[0].time, scratch);
        CHECK(pose_distance(pose, scratch, M5_JOINTS) < 1e-6);
    }
}

/* A layer gives the same as mixing the pose of the player into the other pose: exactly for positions, and for
   rotations with one track or a mask of 0 or 1. */
static void test_pose_over(void)
{
    static const float masks[4] = { 0.0f, 0.25f, 1.0f, 7.0f };
    const md5_anim *waves[2] = { clip(M5_WAVE), clip(M5_WALK) };
    md5_model *model = arm();
    md5_xform base[M5_JOINTS], own[M5_JOINTS], want[M5_JOINTS], pose[M5_JOINTS], scratch[M5_JOINTS];
    float mask[M5_JOINTS];
    md5_player player;
    memset(&player, 0, sizeof player);
    md5_pose_at(model, waves[1], MD5_LOOP, 0.4, base);
    for (int i = 0; i < M5_JOINTS; ++i) mask[i] = masks[i % 4];
    for (int tracks = 0; tracks < 3; ++tracks) {
        check_scene("%d tracks play", tracks);
        md5_player_pose(model, &player, own, scratch);
        md5_pose_mix(base, own, 1, mask, M5_JOINTS, want);
        memcpy(pose, base, sizeof pose);
        md5_player_pose_over(model, &player, 1, mask, pose, scratch);
        for (int i = 0; i < M5_JOINTS; ++i) {
            const md5_xform *wanted = tracks ? &want[i] : &base[i];
            check_step("joint %d, mask %g", i, (double)mask[i]);
            for (int axis = 0; axis < 3; ++axis) {
                CHECK_NEAR(pose[i].position[axis], wanted->position[axis], 1e-5);
            }
            if (tracks < 2 || i % 4 != 1) {
                CHECK(pose_distance(&pose[i], wanted, 1) < 1e-5);
            }
        }
        check_step("without a mask");
        memcpy(pose, base, sizeof pose);
        md5_player_pose_over(model, &player, 1, NULL, pose, scratch);
        CHECK(same_bits(pose, tracks ? own : base, sizeof pose));
        if (tracks < 2) md5_play(&player, waves[tracks], MD5_LOOP, tracks ? 1.0f : 0.0f);
        md5_advance(&player, 0.3f);
    }
    CHECK_EQ(player.track_count, 2);
}

/* -- Animations that are replaced --------------------------------------------------- */

/* The march has the rate of the walk and twice as many frames: 30 to 39. */
static md5_anim march(void) { return frames_at(30, 10, 10); }

/* Returns a copy in its own block. After the block is freed, a sanitizer notices any use of the copy. */
static md5_anim *put_on_heap(const md5_anim *anim)
{
    md5_anim *copy = (md5_anim *)malloc_or_abort(sizeof *copy);
    *copy = *anim;
    return copy;
}

static void replace_and_free(md5_player *player, md5_anim *old, const md5_anim *anim)
{
    md5_replace_anim(player, old, anim);
    free(old);
}

static void test_replace_loop(void)
{
    for (int mode = 0; mode < 3; mode += 2) {
        md5_anim  *old = put_on_heap(&walk), other = march();
        md5_player player = start(old, (md5_mode)mode);
        double     cycles = 0.45 / md5_anim_length(old, (md5_mode)mode);
        check_scene("%s", mode ? "ping-pong" : "a loop");
        md5_advance(&player, 0.45f);
        replace_and_free(&player, old, &other);
        CHECK(md5_playing(&player, &other));
        CHECK_NEAR(player.track[0].time / md5_anim_length(&other, (md5_mode)mode), cycles, 1e-6);
        CHECK_TEXT(crossings(&player), "00000");
        CHECK_EQ(md5_advance(&player, 0), 0);
        CHECK_EQ(md5_advance(&player, 0.15f), mode ? 0 : MD5_LOOPED);
        md5_seek(&player, 0);
        CHECK_EQ(seen(&player), 30);
    }
}

static void test_replace_before_start(void)
{
    md5_anim  *old = put_on_heap(&walk), other = march();
    md5_player player = start(old, MD5_LOOP);
    replace_and_free(&player, old, &other);
    CHECK_EQ(seen(&player), 30);
    CHECK_TEXT(crossings_in(&player, 0.1f), "11000"); /* its start has not been passed */
}

/* Only the old animation has passed its start. */
static void test_replace_after_start(void)
{
    md5_anim  *old = put_on_heap(&walk), other = march();
    md5_player player = start(old, MD5_LOOP);
    CHECK_TEXT(crossings_in(&player, 0.05f), "10000");
    replace_and_free(&player, old, &other);
    CHECK_TEXT(crossings(&player), "00000");
}

static void test_replace_once(void)
{
    md5_anim  *old = put_on_heap(&walk), other = march();
    md5_player player = start(old, MD5_ONCE);
    md5_advance(&player, 0.25f);
    replace_and_free(&player, old, &other);
    CHECK_NEAR(seen(&player), 32.5, 1e-4);
    CHECK(!player.finished);

    check_step("after the end of the replacement");
    old = put_on_heap(&other);
    player = start(old, MD5_ONCE);
    md5_advance(&player, 0.75f);
    replace_and_free(&player, old, &walk);
    CHECK_EQ(seen(&player), 14);
    CHECK(!player.finished);
    CHECK_EQ(md5_advance(&player, 0.01f), MD5_FINISHED);

    check_step("an animation that has not begun");
    old = put_on_heap(&stand_20);
    player = start(old, MD5_ONCE);
    replace_and_free(&player, old, &walk);
    CHECK_NEAR(seen_after(&player, 0.1f), 11, 1e-4);
}

/* A character that lies dead on the ground must not fall again. */
static void test_replace_finished(void)
{
    md5_anim  *old = put_on_heap(&walk), other = march();
    md5_player player = start(old, MD5_ONCE);
    CHECK_EQ(md5_advance(&player, 5), MD5_FINISHED);
    replace_and_free(&player, old, &other);
    CHECK(player.finished);
    CHECK_EQ(seen(&player), 39);
    CHECK_EQ(md5_advance(&player, 0.1f), 0);
    CHECK_EQ(seen(&player), 39);

    check_step("played backwards, at the start");
    old = put_on_heap(&walk);
    player = start(old, MD5_ONCE);
    md5_seek(&player, 0.1);
    player.speed = -1;
    CHECK_EQ(md5_advance(&player, 5), MD5_FINISHED);
    replace_and_free(&player, old, &other);
    CHECK_EQ(md5_advance(&player, 0.1f), 0);
    CHECK_EQ(seen(&player), 30);
}

/* Both animations are replaced, the older one first. */
static void test_replace_in_fade(void)
{
    md5_anim  *stand = put_on_heap(&stand_20), *old = put_on_heap(&walk), other = march();
    md5_player player = start(stand, MD5_LOOP);
    md5_play(&player, old, MD5_LOOP, 0.4f);
    md5_advance(&player, 0.1f);
    replace_and_free(&player, stand, &run_60);
    CHECK_TEXT(crossings(&player), "11000"); /* events of the newest animation stay */
    CHECK_NEAR(seen(&player), 0.75 * 60 + 0.25 * 11, 1e-4);
    replace_and_free(&player, old, &other);
    CHECK_TEXT(crossings(&player), "00000");
    CHECK_NEAR(seen(&player), 0.75 * 60 + 0.25 * 32, 1e-4);
    CHECK_NEAR(seen_after(&player, 0.1f), 0.5 * 60 + 0.5 * 33, 1e-4);
    CHECK_NEAR(seen_after(&player, 0.2f), 35, 1e-4);
}

static void test_replace_in_phase(void)
{
    md5_anim  *old = put_on_heap(&walk), other = march();
    md5_player player = start(old, MD5_LOOP);
    md5_seek(&player, 7.2);
    md5_play_in_phase(&player, &trot, 0.5f);
    md5_advance(&player, 0.1f);
    replace_and_free(&player, old, &other);
    for (int step = 0; step < 20; ++step) {
        double cycles[2];
        check_step("step %d", step);
        for (int i = 0; i < 2; ++i) {
            const md5_track *track = &player.track[i];
            cycles[i] = track->time / md5_anim_length(track->anim, MD5_LOOP);
        }
        CHECK_EQ(player.track_count, 2);
        CHECK(player.track[1].in_phase);
        CHECK_NEAR(cycles[0] - floor(cycles[0]), cycles[1] - floor(cycles[1]), 1e-6);
        md5_advance(&player, 0.015f);
    }
}

static void test_replace_waiting(void)
{
    md5_anim  *old = put_on_heap(&walk), other = march();
    md5_player player = start_five(old, 0.5f);
    md5_advance(&player, 0.25f);
    replace_and_free(&player, old, &other);
    CHECK_EQ(player.track_count, 5);
    CHECK_NEAR(seen_after(&player, 0.5f), 0.5 * 60 + 0.5 * 30, 1e-4); /* half of the fade, and a whole cycle */
}

static void test_replace_in_layer(void)
{
    md5_anim  *old = put_on_heap(&walk), other = march();
    md5_player player;
    memset(&player, 0, sizeof player);
    md5_play_once(&player, old, 0.2f, 0.2f);
    CHECK_NEAR(seen_over_40_after(&player, 0.1f), 0.5 * 40 + 0.5 * 11, 1e-4);
    replace_and_free(&player, old, &other);
    CHECK_NEAR(seen_over_40(&player, 1, NULL), 0.5 * 40 + 0.5 * 31, 1e-4);
    CHECK_NEAR(seen_over_40_after(&player, 0.7f), 0.5 * 40 + 0.5 * 38, 1e-4); /* fades out before its own end */
    CHECK_EQ(seen_over_40_after(&player, 0.1f), 40);
}

static void test_replace_by_nothing(void)
{
    md5_anim   empty, *old = put_on_heap(&walk);
    md5_player player = start(old, MD5_LOOP);
    memset(&empty, 0, sizeof empty);
    md5_replace_anim(&player, NULL, &run_60);
    md5_replace_anim(&player, &trot, &run_60); /* the trot does not play */
    md5_replace_anim(NULL, old, &run_60);
    CHECK(md5_playing(&player, old));
    md5_advance(&player, 0.1f);
    replace_and_free(&player, old, NULL);
    CHECK(md5_playing(&player, NULL));
    CHECK_EQ(seen(&player), 0);
    CHECK_EQ(md5_advance(&player, 5), 0);

    old = put_on_heap(&run_60);
    player = start_fade(&stand_20, old, 0.2f);
    replace_and_free(&player, old, &empty);
    CHECK_NEAR(seen_after(&player, 0.1f), 10, 1e-4);
    CHECK(md5_playing(&player, NULL));

    player = not_zeroed(255);
    md5_replace_anim(&player, &walk, &trot);
    CHECK(md5_playing(&player, NULL));
}

/* Two players play the same. The animations of the second player are replaced by copies now and then, and then
   freed. Poses and events must not differ. */
static void test_replace_by_the_same(void)
{
    const md5_anim *const anims[3] = { clip(M5_WAVE), clip(M5_WALK), clip(M5_STILL) };
    md5_model *model = arm();
    int        replaced = 0;
    for (unsigned seed = 1; seed <= 100; ++seed) {
        random_source random = { seed };
        md5_player    one, other;
        md5_anim     *copies[3];
        check_scene("seed %u", seed);
        memset(&one, 0, sizeof one);
        memset(&other, 0, sizeof other);
        one.root_motion = other.root_motion = seed % 4;
        for (int i = 0; i < 3; ++i) copies[i] = put_on_heap(anims[i]);
        for (int step = 0; step < 120; ++step) {
            md5_xform shown[M5_JOINTS], wanted[M5_JOINTS], moved, moves, scratch[M5_JOINTS];
            uint32_t  which = random_below(&random, 3);
            check_step("step %d", step);
            if (random_below(&random, 3) == 0) {
                md5_anim *copy = put_on_heap(anims[which]);
                for (uint32_t i = 0; i < other.track_count; ++i) {
                    replaced += other.track[i].anim == copies[which];
                }
                replace_and_free(&other, copies[which], copy);
                copies[which] = copy;
            }
            random_source again = random;
            random_layer_act(&random, &one, anims[which]);
            random_layer_act(&again, &other, copies[which]);
            CHECK_EQ(md5_advance(&one, 1 / 60.0f), md5_advance(&other, 1 / 60.0f));
            for (uint32_t frame = 0; frame < 8; ++frame) {
                CHECK_EQ(md5_crossed(&one, newest_anim(&one), frame),
                         md5_crossed(&other, newest_anim(&other), frame));
            }
            md5_player_pose(model, &one, wanted, scratch);
            md5_player_pose(model, &other, shown, scratch);
            md5_player_motion(&one, &moves);
            md5_player_motion(&other, &moved);
            CHECK(same_bits(shown, wanted, sizeof shown) && same_bits(&moved, &moves, sizeof moved));
        }
        for (int i = 0; i < 3; ++i) free(copies[i]);
    }
    CHECK(replaced > 0);
}

void test_player(void)
{
    prepare_numbers();
    run_player_tests();
    RUN(test_closed_loop, "a loop whose last frame repeats the first continues evenly");
    RUN(test_layer_not_zeroed, "a layer that was not zeroed is zeroed, and shows the pose below");
    RUN(test_layer, "a layer fades in from the pose below it, and out to that pose");
    RUN(test_layer_fade_over_fade, "a layer that is still fading in can start another fade without a jump");
    RUN(test_layer_weight, "a layer counts by its weight times its mask, each from 0 to 1");
    RUN(test_play_once, "an animation played once in a layer fades in, and fades out until it ends");
    RUN(test_play_once_abruptly, "without a fade, play_once appears and disappears immediately");
    RUN(test_play_once_faster, "a finished animation stays finished at another rate");
    RUN(test_play_once_briefly, "with a fade longer than the animation, it never has its full weight");
    RUN(test_attack, "if a forearm attacks over a running body, no joint jumps");
    RUN(test_layers_never_leap, "with any animation in a layer, no joint rotates further than the animation explains");
    RUN(test_misfits, "an animation that does not fit the model shows the bind pose; in a layer, the pose below");
    RUN(test_pose_over, "a layer over a pose gives the same as mixing joint by joint");
    RUN(test_replace_loop, "an animation that replaces a loop continues at the same part of its cycle");
    RUN(test_replace_before_start, "a replacement for an animation that has not begun begins at its start");
    RUN(test_replace_after_start, "a replacement has not passed its start because the old animation did");
    RUN(test_replace_once, "in MD5_ONCE, a replacement continues at the same seconds, and ends at its own end");
    RUN(test_replace_finished, "a finished track stays finished, at the end of the replacement");
    RUN(test_replace_in_fade, "in a fade, each animation is replaced on its own track");
    RUN(test_replace_in_phase, "loops in phase stay in phase when one is replaced");
    RUN(test_replace_waiting, "a waiting animation is also replaced");
    RUN(test_replace_in_layer, "in a layer the replacement fades in and out like the old animation");
    RUN(test_replace_by_nothing, "an animation that is replaced by NULL shows nothing; other tracks do not change");
    RUN(test_replace_by_the_same, "replacing an animation by an equal one changes no pose and no event");
    run_long_tests();
    md5_free_model(number_model);
}
