/* The player against one that takes every step by itself, and what only some steps show. Public
   domain. */
#include "test_md2.h"

#define LIB(name)    md2_##name
#define OPTION(name) MD2_##name

enum { CLIPS = 5, CLOSED_CLIP = -2, RATE_FIRST = 3 };
static const int clip_frames[CLIPS] = { 5, 8, 4, 1, 2 }, clip_first[CLIPS] = { 40, 10, 100, 7, 90 };

static const md2_anim *clip_of(int number)
{
    static md2_anim anim;
    anim = make_anim((uint32_t)clip_first[number], (uint32_t)clip_frames[number], 16);
    return &anim;
}

static const md2_anim *anim_of_rate(uint32_t count, float fps)
{
    static md2_anim anim;
    anim = make_anim(RATE_FIRST, count, fps);
    return &anim;
}

#include "player_both.h"

/* The frames of the tracks, each by its weight. */
static void check_shown(const md2_player *player, const slow_player *slow)
{
    md2_pose pose = md2_player_pose(player);
    dense    got = dense_of(pose), want, one;
    float    weights[5];
    memset(&want, 0, sizeof want);
    if (slow->count == 0) want.weight[0] = 1;
    md2_track_weights(player, weights);
    for (int i = 0; i < slow->count && i < 4; ++i) {
        const slow_track *track = &slow->track[i];
        memset(&one, 0, sizeof one);
        if (track->clip < 0) one.weight[0] = 1;
        else one = expected_pose(clip_of(track->clip), (md2_mode)track->mode, track->time);
        for (int k = 0; k < DENSE; ++k) want.weight[k] += (double)weights[i] * one.weight[k];
    }
    CHECK(sound_pose(&pose));
    CHECK_NEAR(dense_distance(&got, &want), 0, 2e-5);
}

/* A fade that is not above 0 takes no time, and one without end makes way for a track that
   waits. */
static void test_odd_fades(void)
{
    md2_anim   anims[5];
    md2_player p;
    memset(&p, 0, sizeof p);
    for (uint32_t i = 0; i < 5; ++i) {
        anims[i] = make_anim(10 * i, 4, 8.0f);
        md2_play(&p, &anims[i], MD2_LOOP, 0.25f);
    }
    md2_play(&p, &anims[0], MD2_LOOP, (float)not_a_number());
    CHECK(p.track_count == 1 && p.track[0].anim.first == 0);
    for (uint32_t i = 1; i < 5; ++i) md2_play(&p, &anims[i], MD2_LOOP, i < 4 ? (float)HUGE_VAL : 0.25f);
    md2_advance(&p, 0.0f);
    CHECK(p.track_count == 5 && dense_of(md2_player_pose(&p)).weight[0] == 1.0);
    md2_advance(&p, 1000.0f);
    CHECK(p.track_count == 1 && p.track[0].anim.first == 40);
}

/* The animation to play may be the player's own. Without a player nothing plays. */
static void test_playing_again(void)
{
    md2_anim   run = make_anim(40, 6, 8.0f);
    md2_player p = player_from(&run, MD2_LOOP);
    float      weights[5] = { 1, 1, 1, 1, 1 };
    CHECK(md2_playing(&p) && md2_playing(&p) != &run);
    md2_play(&p, md2_playing(&p), MD2_ONCE, 0.2f);
    CHECK(p.track_count == 2 && md2_playing(&p) && md2_playing(&p)->count == 6);
    md2_track_weights(NULL, weights);
    CHECK(weights[0] == 0 && weights[4] == 0 && !md2_playing(NULL));
}

void test_player(void)
{
    RUN(test_nothing_plays);
    RUN(test_random_acts);
    RUN(test_odd_fades);
    RUN(test_playing_again);
    RUN(test_odd_steps);
    RUN(test_far_events);
    RUN(test_all_rates);
}
