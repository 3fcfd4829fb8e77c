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

/* Passings counted one by one: (from, to] forwards, [to, from) backwards; the first step other than
   0 counts where it began too. */
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

/* All in eighths and sixty-fourths, so that every key is met exactly and every sum is exact. */
static void event_round(random_source *random, uint32_t *events)
{
    md2_mode mode = modes[random_below(random, 3)];
    md2_anim anim = random_anim_of(random, 50, mode == MD2_PING_PONG ? 2 : 1, 7, 8.0f);
    md2_player p = player_of(&anim, mode);
    double from = 0.0, to, end = ((double)anim.count - 1.0) / 8.0;
    uint32_t step, frame;
    bool begun = false, first;
    p.speed = random_below(random, 3) == 0 ? -1.0f : 1.0f;
    for (step = 0; step < 30; ++step) {
        double delta = ((double)random_below(random, 32) - 8.0) / 64.0;
        uint32_t happened;
        if (random_below(random, 9) == 0) delta *= 50.0;
        happened = md2_advance(&p, (float)delta);
        first = !begun && fabs(delta) > 0.0;
        begun = begun || first;
        to = from + delta * (double)p.speed;
        if (mode == MD2_ONCE) to = to < 0.0 ? 0.0 : to > end ? end : to;
        CHECK_EQ(p.track[0].time, to);
        for (frame = anim.first ? anim.first - 1 : 0; frame <= anim.first + anim.count; ++frame) {
            int wanted = count_passings(&anim, mode, from, to, first, frame);
            CHECK_EQ(md2_crossed(&p, frame), wanted);
            *events += (uint32_t)wanted;
        }
        if (mode != MD2_ONCE)
            CHECK_EQ((happened & (uint32_t)MD2_LOOPED) != 0, md2_crossed(&p, anim.first) > first);
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

/* Both ends of MD2_ONCE are passed once, at the step that finishes it, and rounds and first frames
   agree, for every rate and count. */
static void check_ends(const md2_anim *anim, float step, float speed)
{
    md2_player p = player_of(anim, MD2_ONCE);
    uint32_t   last = anim->first + anim->count - 1, end = speed > 0 ? last : anim->first;
    uint32_t   i, happened = 0, finished = 0, passed = 0, agreed = 0;
    if (speed < 0) md2_seek(&p, 1e9);
    p.speed = speed;
    for (i = 0; i < 1000 && finished == 0; ++i) {
        happened = md2_advance(&p, step);
        finished += happened == (uint32_t)MD2_FINISHED;
        passed += (uint32_t)md2_crossed(&p, end);
        agreed += (happened == (uint32_t)MD2_FINISHED) == (md2_crossed(&p, end) == 1);
    }
    CHECK(passed == 1 && agreed == i && finished == 1);
    CHECK(md2_advance(&p, step) == 0 && md2_crossed(&p, end) == 0 && p.finished);
    CHECK_EQ(shown(&p, end), 1.0);
}

static void test_all_rates(void)
{
    uint32_t rate, count, i, pairs = 0;
    for (rate = 1; rate <= 122; ++rate) {
        for (count = 2; count <= 200; ++count, ++pairs) {
            float fps = rate == 121 ? 29.97f : rate == 122 ? 23.976f : (float)rate;
            md2_anim anim = make_anim(3, count, fps);
            float length = (float)md2_anim_length(&anim, MD2_ONCE);
            check_ends(&anim, 1.5f * length, 1);
            check_ends(&anim, length * 0.15f, pairs % 2 ? 1.0f : -0.7f);
            if (pairs % 16 == 0) check_ends(&anim, 1.0f / fps, 1);
        }
        for (count = 1; count <= 20; ++count) {
            md2_anim anim = make_anim(3, count, (float)rate);
            md2_player p = player_of(&anim, MD2_LOOP);
            uint32_t disagree = 0;
            md2_advance(&p, 1e-6f);
            for (i = 0; i < 50; ++i) {
                bool looped = md2_advance(&p, 1.0f / (float)rate) == (uint32_t)MD2_LOOPED;
                disagree += looped != (md2_crossed(&p, 3) > 0);
            }
            CHECK_EQ(disagree, 0);
        }
    }
    CHECK_FLOOR(pairs, 24278, "pairs of rate and count");
}

/* A step of 0 changes neither time nor events: nothing begins, finishes or is told twice. */
static void test_zero_steps(void)
{
    static const float steps[][2] = { { 0, 1 }, { -0.0f, -1 }, { 1, 0 }, { 1, -0.0f } };
    md2_anim death = make_anim(178, 6, 8.0f);
    uint32_t i, k;
    for (i = 0; i < 6; ++i) {
        float speed = i < 3 ? 1.0f : -1.0f; /* fresh, between the ends, at the end */
        md2_player p = player_of(&death, MD2_ONCE), before;
        if (i >= 3) md2_seek(&p, 9.0);
        p.speed = speed;
        if (i % 3) CHECK_EQ(md2_advance(&p, i % 3 == 1 ? 0.25f : 9.0f) != 0, i % 3 == 2);
        md2_advance(&p, 0.0f);
        before = p;
        for (k = 0; k < 6; ++k) {
            p.speed = k < 4 ? steps[k][1] : speed;
            CHECK_EQ(md2_advance(&p, k < 4 ? steps[k][0] : (float)not_a_number()), 0);
            p.speed = speed;
            CHECK_EQ(md2_crossed(&p, 178) + md2_crossed(&p, 183), 0);
            CHECK(p.begun == before.begun && p.finished == before.finished);
            CHECK_EQ(p.track[0].time, before.track[0].time);
        }
        if (i % 3 == 2) {
            CHECK_EQ(md2_advance(&p, 0.125f), 0);
            md2_seek(&p, speed > 0 ? 9.0 : 0.0); /* arms it again, but only a step tells */
            CHECK_EQ(md2_advance(&p, 0.0f), 0);
        }
        CHECK_EQ(md2_advance(&p, 9.0f), MD2_FINISHED);
        CHECK_EQ(md2_crossed(&p, 178), i == 0 || (i >= 3 && i < 5));
    }
}

void test_events(void)
{
    RUN(test_random_events);
    RUN(test_events_add_up);
    RUN(test_frames_outside);
    RUN(test_events_of_newest_track);
    RUN(test_once_finishes);
    RUN(test_all_rates);
    RUN(test_zero_steps);
}
