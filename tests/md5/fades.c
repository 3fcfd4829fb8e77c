/* fades.c: crossfades do not jump, however many overlap. Public domain. */
#include "test_md5.h"

/* How much weight went to other tracks. `gone` of the oldest are no longer there. */
static double moved_weight(const float before[5], const float *now, uint32_t gone)
{
    double   sum = 0.0;
    uint32_t i;
    for (i = 0; i < 5; ++i) {
        float after = i >= gone ? now[i - gone] : 0.0f;
        sum += fabs((double)after - (double)before[i]);
    }
    return sum / 2.0;
}

typedef struct glide {
    double   used; /* of the bound */
    uint32_t presses, waited;
} glide;

/* Presses, up to 20 a second, in steps of a millisecond. One may move no more than 3 / shortest fade
   of the weight, and the newest track begins to show after its own fade at the latest. */
static bool glide_sequence(glide *g, random_source *random)
{
    double     shortest = 0.05 + 0.3 * random_unit(random), until = 0.0;
    uint32_t   step, chance = 50 + random_below(random, 100);
    float      weights[5], before[5], fade;
    md5_player player;
    bool       fine = true;
    memset(&player, 0, sizeof player);
    md5_play(&player, NULL, MD5_LOOP, 0.0f);
    for (step = 0; step < 300; ++step) {
        uint32_t count;
        double   moved;
        md5_track_weights(&player, before);
        if (random_below(random, chance) == 0) {
            fade = (float)(shortest * (1.0 + 5.0 * random_unit(random) * random_unit(random)));
            md5_play(&player, NULL, (md5_mode)random_below(random, 3), fade);
            player.speed = (float)random_below(random, 9) / 2.0f - 2.0f;
            until = step * 0.001 + (double)fade;
            ++g->presses;
        }
        count = player.track_count;
        md5_advance(&player, 0.001f);
        md5_track_weights(&player, weights);
        moved = moved_weight(before, weights, count - player.track_count) / (0.003 / shortest);
        fine = fine && moved <= 1.0 + 1e-4 && (player.track_count < 5 || step * 0.001 <= until);
        if (moved > g->used) g->used = moved;
        g->waited += player.track_count == 5;
    }
    return fine;
}

static void test_weights_glide(void)
{
    random_source random = { 17 };
    int           i;
    glide         g;
    memset(&g, 0, sizeof g);
    for (i = 0; i < 6000; ++i) CHECK(glide_sequence(&g, &random));
    printf("fades: a millisecond moves at most %.0f %% of its bound\n", 100.0 * g.used);
    CHECK(g.used > 0.5);
    CHECK_FLOOR(g.presses, 15000, "presses");
    CHECK_FLOOR(g.waited, 50000, "steps in which a track waited");
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

/* Moving arms. The bound: twice what the fastest animation moves a joint in the step, plus twice the
   part of three fades in the step times the largest distance of any two poses. */
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
        bound = 2.0 * (double)delta * (fastest + 3.0 / 0.25 * apart) + 1e-4;
        md5_advance(&player, delta);
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

/* Five frames, of which the last is the first, a step farther on: x is the number of the frame. */
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

/* The weights are those that show; a fifth track waits until a fade is complete, which it hurries,
   and a sixth takes its place. */
static void test_waiting_track(void)
{
    static const double weights[][5] = {
        { 1, 0, 0, 0, 0 }, { 0.125, 0.125, 0.25, 0.5, 0 }, { 0.5, 0.5, 0, 0, 0 }, { 1, 0, 0, 0, 0 }
    };
    md5_model *model = chain_model(2);
    md5_anim *anim = chain_anim(2, 5, counted_pose);
    md5_player player;
    uint32_t i, k;
    memset(&player, 0, sizeof player);
    for (i = 0; i < 6; ++i) {
        md5_play(&player, anim, MD5_LOOP, i < 4 ? 2.0f : i == 4 ? 8.0f : 1.0f);
        md5_seek(&player, i / 16.0);
        player.speed = 0;
        CHECK_EQ(player.track_count, i < 5 ? i + 1 : 5);
    }
    for (k = 0; k < 4; ++k) {
        float  got[5];
        double x = 0;
        md5_track_weights(&player, got);
        for (i = 0; i < 5; ++i) {
            CHECK_NEAR(got[i], weights[k][i], 1e-6);
            if (got[i] > 0) x += (double)got[i] * fmod(player.track[i].time * 16.0, 4);
        }
        CHECK_NEAR(shown_x(model, &player), x, 1e-5);
        md5_advance(&player, k == 1 ? 1.0f : 0.5f);
    }
    CHECK_EQ(player.track_count, 1);
}

void test_fades(void)
{
    run_test("fades without jumps", test_weights_glide);
    run_test("moving fades", test_moving_fades);
    run_test("a track that waits", test_waiting_track);
}
