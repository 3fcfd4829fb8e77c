/* The player: what a game sees of it. Public domain. */
#include "test_md2.h"

#define LIB(name)    md2_##name
#define OPTION(name) MD2_##name

enum { CLOSED_CLIP = -2 };

static md2_anim frames_at(uint32_t first, uint32_t count, float fps)
{
    return make_anim(first, count, fps);
}

static uint32_t first_frame_of(const md2_anim *anim) { return anim->first; }

/* The number of a frame is its index. */
static double seen(const md2_player *player)
{
    md2_pose pose = md2_player_pose(player);
    double   number = 0.0;
    CHECK(sound_pose(&pose));
    for (uint32_t i = 0; i < pose.count; ++i) number += (double)pose.weight[i] * pose.frame[i];
    return number;
}

#include "tests/both/player.h"

static void test_own_copy(void)
{
    md2_anim   anim = make_anim(10, 5, 10);
    md2_player player = start(&anim, MD2_LOOP);
    anim = make_anim(60, 1, 10);
    CHECK(player.track[0].playing == &anim); /* for comparing: it may have expired */
    CHECK_EQ(seen(&player), 10);
}

static void test_no_player(void)
{
    float weights[5] = { 1, 1, 1, 1, 1 };
    md2_track_weights(NULL, weights);
    for (int i = 0; i < 5; ++i) CHECK_EQ(weights[i], 0);
    CHECK(!md2_playing(NULL));
}

void test_player(void)
{
    run_stories();
    RUN(test_own_copy, "a player has its own copy of the animation");
    RUN(test_no_player, "without a player nothing plays, and no track has weight");
    run_long_tests();
}
