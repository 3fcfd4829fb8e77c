/* Frames that a step passes, rounds and ends. Public domain. */
#include "test_md2.h"

/* Which frame the j-th key of the endless animation is; -1 where there is none. */
static long key_frame(const md2_anim *anim, md2_mode mode, double j)
{
    double n = (double)anim->count, period = mode == MD2_PING_PONG ? 2.0 * (n - 1.0) : n;
    if (mode == MD2_ONCE) return j < 0.0 || j > n - 1.0 ? -1 : (long)j + (long)anim->first;
    j -= floor(j / period) * period;
    if (j > n - 1.0) j = period - j;
    return (long)j + (long)anim->first;
}

/* Passings counted one by one: (from, to] forwards, [to, from) backwards; the very first advance
   counts where it began too. */
static int count_passings(const md2_anim *anim, md2_mode mode, double from, double to, bool first,
                          uint32_t frame)
{
    double fps = (double)anim->fps, a = from * fps, b = to * fps, j;
    int passings = 0;
    for (j = floor((a < b ? a : b) - 1.0); j <= (a < b ? b : a) + 1.0; j += 1.0) {
        bool inside = a <= b ? (j > a && j <= b) : (j >= b && j < a);
        if (first && j == a) inside = true;
        if (inside && key_frame(anim, mode, j) == (long)frame) ++passings;
    }
    return passings;
}

static bool round_changed(const md2_anim *anim, md2_mode mode, double from, double to)
{
    double length = md2_anim_length(anim, mode);
    return mode != MD2_ONCE && floor(from / length) != floor(to / length);
}

/* All in eighths and sixty-fourths, so that every key is met exactly and every sum is exact. */
static void event_round(random_source *random, uint32_t *events)
{
    md2_mode mode = modes[random_below(random, 3)];
    md2_anim anim = random_anim_of(random, 50, mode == MD2_PING_PONG ? 2 : 1, 7, 8.0f);
    md2_player p = player_of(&anim, mode);
    double from = 0.0, to, end = ((double)anim.count - 1.0) / 8.0;
    uint32_t step, frame;
    p.speed = random_below(random, 3) == 0 ? -1.0f : 1.0f;
    for (step = 0; step < 30; ++step) {
        double delta = ((double)random_below(random, 32) - 8.0) / 64.0;
        uint32_t happened;
        if (random_below(random, 9) == 0) delta *= 50.0;
        happened = md2_advance(&p, (float)delta);
        to = from + delta * (double)p.speed;
        if (mode == MD2_ONCE) to = to < 0.0 ? 0.0 : to > end ? end : to;
        CHECK_EQ(p.track[0].time, to);
        for (frame = anim.first ? anim.first - 1 : 0; frame <= anim.first + anim.count; ++frame) {
            int wanted = count_passings(&anim, mode, from, to, step == 0, frame);
            CHECK_EQ(md2_crossed(&p, frame), wanted);
            *events += (uint32_t)wanted;
        }
        if (mode != MD2_ONCE)
            CHECK_EQ((happened & (uint32_t)MD2_LOOPED) != 0, round_changed(&anim, mode, from, to));
        from = to;
    }
}

static void test_random_events(void)
{
    random_source random = { 101 };
    uint32_t i, events = 0;
    for (i = 0; i < 600; ++i) event_round(&random, &events);
    CHECK_FLOOR(events, 20000, "events");
}

/* Steps of any size lose no event and count none twice: the sum is what one step over all of them
   passes. */
static void test_events_add_up(void)
{
    random_source random = { 111 };
    md2_anim run = make_anim(40, 6, 10.0f);
    uint32_t i, k, mode;
    for (mode = 0; mode < 3; ++mode) {
        for (i = 0; i < 60; ++i) {
            md2_player p, whole;
            int sum[6] = { 0, 0, 0, 0, 0, 0 };
            double total = 0.0;
            memset(&p, 0, sizeof p);
            md2_play(&p, &run, modes[mode], 0.0f);
            whole = p;
            for (k = 0; k < 500; ++k) {
                float delta = (float)(random_unit(&random) * 0.05);
                total += (double)delta;
                md2_advance(&p, delta);
                sum[0] += md2_crossed(&p, 40);
                sum[3] += md2_crossed(&p, 43);
                sum[5] += md2_crossed(&p, 45);
            }
            md2_advance(&whole, (float)total);
            CHECK(abs(sum[0] - md2_crossed(&whole, 40)) <= (fabs(fmod(total, 0.1)) < 1e-5));
            CHECK_EQ(sum[0], count_passings(&run, modes[mode], 0.0, p.track[0].time, true, 40));
            CHECK_EQ(sum[3], count_passings(&run, modes[mode], 0.0, p.track[0].time, true, 43));
            CHECK_EQ(sum[5], count_passings(&run, modes[mode], 0.0, p.track[0].time, true, 45));
        }
    }
}

/* Before the first advance nothing is passed, and no frame outside the animation ever. */
static void test_frames_outside(void)
{
    md2_anim   run = make_anim(40, 6, 8.0f), loop = make_anim(0, 5, 10.0f);
    md2_player p = player_of(&run, MD2_PING_PONG);
    CHECK_EQ(md2_crossed(&p, 40), 0);
    md2_advance(&p, 1.25f); /* one period: there and back */
    CHECK(md2_crossed(&p, 40) == 2 && md2_crossed(&p, 41) == 2 && md2_crossed(&p, 45) == 1);
    CHECK(md2_crossed(&p, 46) == 0 && md2_crossed(&p, 0xFFFFFFFFu) == 0);
    p = player_of(&loop, MD2_LOOP);
    CHECK_EQ(md2_advance(&p, 3e38f), MD2_LOOPED);
    CHECK_EQ(md2_crossed(&p, 2), 2147483647);
}

static void test_events_of_newest_track(void)
{
    md2_anim run = make_anim(40, 6, 8.0f), jump = make_anim(66, 6, 8.0f);
    md2_player p = player_of(&run, MD2_LOOP);
    md2_advance(&p, 0.125f);
    md2_play(&p, &jump, MD2_LOOP, 10.0f);
    md2_advance(&p, 0.125f);
    CHECK(md2_crossed(&p, 42) == 0 && md2_crossed(&p, 66) == 1 && md2_crossed(&p, 67) == 1);
}

static void test_once_finishes(void)
{
    md2_anim death = make_anim(178, 6, 8.0f), one = make_anim(5, 1, 8.0f);
    md2_player p = player_of(&death, MD2_ONCE);
    uint32_t i, finished = 0;
    CHECK_EQ(md2_advance(&p, 0.5f), 0);
    CHECK(!p.finished);
    CHECK_EQ(md2_advance(&p, 0.125f), MD2_FINISHED);
    CHECK(p.finished);
    for (i = 0; i < 10; ++i) finished += md2_advance(&p, 0.3f) != 0;
    CHECK_EQ(finished, 0);
    CHECK_EQ(shown(&p, 183), 1.0); /* holds the last frame, never blends into the first */
    p.speed = -1.0f;
    CHECK_EQ(md2_advance(&p, 0.125f), 0);
    CHECK(!p.finished);
    CHECK_EQ(md2_advance(&p, 10.0f), MD2_FINISHED);
    CHECK(p.finished && p.track[0].time == 0.0);
    md2_play(&p, &one, MD2_ONCE, 0.0f);
    for (i = 0; i < 5; ++i) finished += md2_advance(&p, 0.1f) == (uint32_t)MD2_FINISHED;
    CHECK_EQ(finished, 1);
    CHECK_EQ(shown(&p, 5), 1.0);
}

void test_events(void)
{
    RUN(test_random_events);
    RUN(test_events_add_up);
    RUN(test_frames_outside);
    RUN(test_events_of_newest_track);
    RUN(test_once_finishes);
}
