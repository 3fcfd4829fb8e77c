/* The player: the poses and events that a game gets. Public domain. */
#include "test_md2.h"

static md2_anim frames_at(uint32_t first, uint32_t count, float fps)
{
    return make_anim(first, count, fps);
}

static const md2_anim *played_by(const md2_track *track)
{
    return track->anim.count ? &track->anim : NULL;
}

/* Returns the mean of the frame numbers of a pose, by weight. */
static double seen(const md2_player *player)
{
    md2_pose pose = md2_player_pose(player);
    double   number = 0.0;
    CHECK(is_valid_pose(&pose));
    for (uint32_t i = 0; i < pose.count; ++i) number += (double)pose.weight[i] * pose.frame[i];
    return number;
}

#include "tests/both/names_md2.h"
#include "tests/both/player.h"

static void test_own_copy(void)
{
    md2_anim   anim = make_anim(10, 5, 10);
    md2_player player = start(&anim, MD2_LOOP);
    anim = make_anim(60, 1, 10);
    CHECK(md2_playing(&player, &walk) && !md2_playing(&player, &anim));
    CHECK_EQ(seen(&player), 10);
}

/* A game changes the rates, so it plays copies of the animations, all in the same variable. */
static void test_copies_of_other_rates(void)
{
    md2_player player = start(&walk, MD2_LOOP);
    md2_anim   copy = walk;
    copy.name[0] = 0;
    CHECK(md2_playing(&player, &copy)); /* the name does not count */
    copy.fps = 20;
    CHECK(!md2_playing(&player, &copy) && md2_playing(&player, &walk));
    md2_play(&player, &copy, MD2_LOOP, 0);
    CHECK(md2_playing(&player, &copy) && !md2_playing(&player, &walk));
    copy.first = 60;
    CHECK(!md2_playing(&player, &copy));
    copy.first = 10;
    copy.count = 4;
    CHECK(!md2_playing(&player, &copy));
    md2_advance(&player, 0.1f);
    CHECK_EQ(md2_crossed(&player, &walk, 2), 1); /* the rate does not count */
    CHECK_EQ(md2_crossed(&player, &copy, 2), 0);
}

static void test_rates_of_0(void)
{
    md2_anim   anim = walk;
    md2_player player = start(&anim, MD2_LOOP);
    anim.fps = 0;
    CHECK(md2_playing(&player, &anim));
    anim.fps = -3;
    CHECK(md2_playing(&player, &anim));
    md2_play(&player, &anim, MD2_LOOP, 0);
    CHECK(md2_playing(&player, &walk));
}

void test_player(void)
{
    run_player_tests();
    RUN(test_own_copy, "a player has its own copy of the animation");
    RUN(test_copies_of_other_rates, "copies with other rates or frames are other animations; the name does not count");
    RUN(test_rates_of_0, "a rate of 0 or less counts as 10");
    run_long_tests();
}
