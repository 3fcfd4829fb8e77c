/* fades.c: crossfades do not jump, however many overlap. Public domain. */
#include "test_md5.h"

enum { CHAIN_JOINTS = 3 };

static double faded_in(const md5_track *track)
{
    double in = track->fade_length > 0.0f ? (double)track->fade / (double)track->fade_length : 1.0;
    return in < 1.0 ? in : 1.0;
}

/* The largest change of the tracks' weights in a second. The weight of each follows the fades:
   together no faster than the sum of their rates. Of four the lightest shows nothing, its weight
   taken from all: the others are stretched by 1 / (1 - 4 x lightest). */
static double fade_rate(const md5_player *player)
{
    double rate = 0.0, rest = 1.0, least = 1.0;
    uint32_t i;
    for (i = player->track_count; i-- > 0;) {
        double weight = i ? rest * faded_in(&player->track[i]) : rest;
        rest -= weight;
        if (weight < least) least = weight;
        if (i && faded_in(&player->track[i]) < 1.0) {
            rate += 1.0 / (double)player->track[i].fade_length;
        }
    }
    if (player->track_count == 4) rate *= 4.0 / (1.0001 - 4.0 * (least < 0.25 ? least : 0.25));
    return rate;
}

/* Advances, and returns the larger of the rates before and after. */
static double advance(md5_player *player, float delta)
{
    double before = fade_rate(player), after;
    md5_advance(player, delta);
    after = fade_rate(player);
    return before > after ? before : after;
}

static int still_number;

static m5_xform still_pose(int joint, int frame)
{
    m5_xform x = xform_at(0, 0, 0, 0, 0, 1, 0);
    (void)frame;
    if (still_number / 3 + 1 == joint) x.p[still_number % 3] = 1.0;
    return x;
}

/* Six poses, each with a component of its own: the player shows the weights themselves. They sum to
   one, none is negative, a play with a fade changes nothing at that moment, and a step of time
   changes them no faster than the fades run. */
static void test_still_fades(void)
{
    enum { STILLS = 6 };
    random_source random = { 17 };
    md5_model *model = chain_model(CHAIN_JOINTS);
    md5_anim *anims[STILLS];
    md5_player player;
    double last[STILLS] = { 1, 0, 0, 0, 0, 0 };
    int i, k, plays = 0, full = 0;
    memset(&player, 0, sizeof player);
    for (still_number = 0; still_number < STILLS; ++still_number) {
        anims[still_number] = chain_anim(CHAIN_JOINTS, 1, still_pose);
    }
    md5_play(&player, anims[0], MD5_LOOP, 0.0f);
    for (i = 0; i < 40000; ++i) {
        md5_xform pose[CHAIN_JOINTS], scratch[CHAIN_JOINTS];
        double sum = 0.0, allowed = 0.0;
        if (random_below(&random, 40) == 0) {
            full += player.track_count == 4;
            ++plays;
            md5_play(&player, anims[random_below(&random, STILLS)], MD5_LOOP,
                     0.125f + (float)random_unit(&random));
        } else {
            float delta = (float)random_unit(&random) * 0.01f;
            allowed = advance(&player, delta) * (double)delta;
        }
        md5_player_pose(model, &player, pose, scratch);
        for (k = 0; k < STILLS; ++k) {
            double now = (double)pose[1 + k / 3].position[k % 3];
            CHECK(now >= -1e-6);
            CHECK_NEAR(now, last[k], allowed + 2e-5);
            sum += now;
            last[k] = now;
        }
        CHECK_NEAR(sum, 1, 1e-5);
    }
    printf("fades: %d plays, %d of them while four were on\n", plays, full);
    CHECK(full >= 100);
}

static void joint_places(const md5_model *model, const md5_xform *local, double out[M5_JOINTS][3])
{
    md5_xform pose[M5_JOINTS];
    int       j, k;
    md5_pose_to_model_space(model, local, pose);
    for (j = 0; j < M5_JOINTS; j++) {
        for (k = 0; k < 3; k++) out[j][k] = (double)pose[j].position[k];
    }
}

static double farthest(double a[M5_JOINTS][3], double b[M5_JOINTS][3])
{
    double most = 0.0;
    int    j;
    for (j = 0; j < M5_JOINTS; j++) keep_worst(&most, distance3(a[j], b[j]));
    return most;
}

/* The same with moving arms. The bound: twice what the fastest animation moves a joint in the step,
   plus twice the part of the fades in the step times the largest distance of any two poses. */
static void test_moving_fades(void)
{
    enum { SAMPLES = 60 };
    static const int numbers[3] = { M5_WAVE, M5_REACH, M5_NOD };
    static double places[3 * SAMPLES][M5_JOINTS][3];
    random_source random = { 23 };
    md5_model *model = arm();
    md5_anim *anims[3];
    md5_xform pose[M5_JOINTS], scratch[M5_JOINTS];
    double apart = 0.0, fastest = 0.0, last[M5_JOINTS][3], now[M5_JOINTS][3], used = 0.0;
    md5_player player;
    int i, k;
    for (i = 0; i < 3 * SAMPLES; ++i) {
        if (i % SAMPLES == 0) anims[i / SAMPLES] = clip(numbers[i / SAMPLES]);
        md5_pose_at(anims[i / SAMPLES], MD5_LOOP, 0.01 * (i % SAMPLES), pose);
        joint_places(model, pose, places[i]);
        if (i % SAMPLES) keep_worst(&fastest, farthest(places[i], places[i - 1]) / 0.01);
        for (k = 0; k < i; ++k) keep_worst(&apart, farthest(places[i], places[k]));
    }
    memset(&player, 0, sizeof player);
    md5_play(&player, anims[0], MD5_LOOP, 0.0f);
    for (i = 0; i < 20000; ++i) {
        float delta = i % 23 == 22 ? 0.0f : 1.0f / 240.0f;
        double bound;
        if (i % 23 == 22) {
            md5_play(&player, anims[random_below(&random, 3)], MD5_LOOP,
                     0.25f + (float)random_unit(&random));
        }
        bound = 2.0 * (double)delta * (fastest + advance(&player, delta) * apart) + 1e-4;
        md5_player_pose(model, &player, pose, scratch);
        joint_places(model, pose, now);
        if (i && !CHECK(farthest(now, last) <= bound)) {
            printf("  moved %g of %g at step %d\n", farthest(now, last), bound, i);
        }
        if (i) keep_worst(&used, farthest(now, last) / bound);
        memcpy(last, now, sizeof last);
    }
    CHECK(used > 0.05);
}

/* Five frames, a second each: x is the number of the frame. */
static m5_xform counted_pose(int joint, int frame)
{
    return xform_at(joint ? 0 : frame, 0, 0, 0, 0, 1, 0);
}

static double shown_x(const md5_model *model, const md5_player *player)
{
    md5_xform pose[2], scratch[2];
    md5_player_pose(model, player, pose, scratch);
    return (double)pose[0].position[0];
}

/* Four tracks of the same weight: none gives way. A track that has fully faded in hides those
   before it. */
static void test_four_tracks(void)
{
    md5_model *model = chain_model(2);
    md5_anim *anim = chain_anim(2, 5, counted_pose);
    md5_player player;
    uint32_t i;
    memset(&player, 0, sizeof player);
    for (i = 0; i < 4; ++i) md5_play(&player, anim, MD5_LOOP, 1);
    for (i = 0; i < 4; ++i) {
        player.track[i].time = i / 16.0;
        player.track[i].fade_length = 1;
        player.track[i].fade = 1.0f / (float)(i + 1);
    }
    CHECK_EQ(player.track_count, 4);
    CHECK_NEAR(shown_x(model, &player), 1.5, 1e-5);
    player.track[2].fade = 1;
    CHECK_NEAR(shown_x(model, &player), 2.25, 1e-5);
    md5_play(&player, anim, MD5_LOOP, 1);
    CHECK_EQ(player.track_count, 4);
    CHECK_NEAR(shown_x(model, &player), 2.25, 1e-5);
}

void test_fades(void)
{
    run_test("fades without jumps", test_still_fades);
    run_test("moving fades", test_moving_fades);
    run_test("four tracks", test_four_tracks);
}
