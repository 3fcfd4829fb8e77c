/* The player against a second one in double precision, and its crossfades, pauses and jumps. Public
   domain. */
#include "test_md2.h"

typedef struct ref_track {
    md2_anim anim;
    md2_mode mode;
    double time, fade, fade_length;
} ref_track;

typedef struct ref_player {
    uint32_t count;
    double speed;
    ref_track track[5];
} ref_player;

static double ref_faded_in(const ref_track *t)
{
    return t->fade < t->fade_length ? t->fade / t->fade_length : 1.0;
}

static void ref_play(ref_player *r, const md2_anim *anim, md2_mode mode, double fade)
{
    ref_track t;
    memset(&t, 0, sizeof t);
    if (!(fade > 0.0)) r->count = 0;
    if (r->count == 5) r->count = 4;
    t.anim = *anim;
    t.mode = mode;
    t.fade_length = r->count ? fade : 0.0;
    r->track[r->count++] = t;
    r->speed = 1.0;
}

/* While a fifth waits, fades go as fast as its own; when one is complete, the fifth fades in for the
   rest of the step. */
static void ref_advance_fades(ref_player *r, double seconds)
{
    double spare = 0.0;
    uint32_t i, from = 0;
    for (i = 1; i < r->count && i < 4; ++i) {
        ref_track *t = &r->track[i];
        double haste = r->count == 5 ? t->fade_length / r->track[4].fade_length : 1.0;
        if (haste < 1.0) haste = 1.0;
        t->fade += seconds * haste;
        if (t->fade - t->fade_length > spare * haste) spare = (t->fade - t->fade_length) / haste;
    }
    if (r->count == 5) r->track[4].fade = spare;
    for (i = 1; i < r->count; ++i)
        if (ref_faded_in(&r->track[i]) >= 1.0) from = i;
    r->count -= from;
    memmove(r->track, r->track + from, r->count * sizeof r->track[0]);
}

static void ref_advance(ref_player *r, double delta)
{
    uint32_t i;
    for (i = 0; i < r->count; ++i) {
        ref_track *t = &r->track[i];
        t->time += delta * r->speed;
        if (t->mode == MD2_ONCE) {
            double end = ((double)t->anim.count - 1.0) / (double)t->anim.fps;
            t->time = t->time < 0.0 ? 0.0 : t->time > end ? end : t->time;
        }
    }
    ref_advance_fades(r, fabs(delta));
}

/* The oldest, and over it one after the other of the next three, as far as it has faded in. */
static dense ref_pose(const ref_player *r)
{
    dense sum;
    uint32_t i, k;
    memset(&sum, 0, sizeof sum);
    for (i = 0; i < r->count && i < 4; ++i) {
        double in = i ? ref_faded_in(&r->track[i]) : 1.0;
        dense one = expected_pose(&r->track[i].anim, r->track[i].mode, r->track[i].time);
        for (k = 0; k < DENSE; ++k) sum.weight[k] += (one.weight[k] - sum.weight[k]) * in;
    }
    return sum;
}

typedef struct duel { /* a player and its reference, going through the same */
    md2_player player;
    ref_player ref;
    double worst;
    uint32_t compared, waiting;
} duel;

static void duel_compare(duel *d)
{
    md2_pose pose = md2_player_pose(&d->player);
    dense got = dense_of(pose), want = ref_pose(&d->ref);
    double difference = dense_distance(&got, &want);
    CHECK(sound_pose(&pose));
    CHECK_EQ(d->player.track_count, d->ref.count);
    CHECK_NEAR(difference, 0, 2e-5);
    if (difference > d->worst) d->worst = difference;
    d->waiting += d->ref.count == 5;
    ++d->compared;
}

static md2_anim random_anim(random_source *random)
{
    return random_anim_of(random, 180, 1, 18, 10.0f);
}

/* Random plays, fades, steps and speeds: every pose is the one that the rules give. */
static void duel_round(duel *d, random_source *random)
{
    uint32_t step;
    memset(&d->player, 0, sizeof d->player);
    memset(&d->ref, 0, sizeof d->ref);
    for (step = 0; step < 120; ++step) {
        double delta = (double)(float)(random_unit(random) * 0.12 - 0.02);
        if (step == 0 || random_below(random, 4) == 0) {
            md2_anim anim = random_anim(random);
            float fade = random_below(random, 8) == 0 ? 0.0f
                             : (float)(0.1 + random_unit(random) * 0.9);
            md2_mode mode = modes[random_below(random, 3)];
            md2_play(&d->player, &anim, mode, fade);
            ref_play(&d->ref, &anim, mode, (double)fade);
            if (random_below(random, 3) == 0) {
                d->player.speed = (float)random_below(random, 9) / 2.0f - 2.0f;
                d->ref.speed = (double)d->player.speed;
            }
        }
        md2_advance(&d->player, (float)delta);
        ref_advance(&d->ref, delta);
        duel_compare(d);
    }
}

static void test_player_against_reference(void)
{
    random_source random = { 71 };
    duel d;
    uint32_t i;
    memset(&d, 0, sizeof d);
    for (i = 0; i < 200; ++i) duel_round(&d, &random);
    printf("worst player pose: off by %.2g of the weight\n", d.worst);
    CHECK_FLOOR(d.compared, 20000, "player poses against reference");
    CHECK_FLOOR(d.waiting, 2000, "of them with a track that waits");
}

/* -- Nothing jumps ------------------------------------------------------------ */

/* How much of the weight is in other frames. */
static double moved_weight(const md2_pose *a, const md2_pose *b)
{
    float    weight[DENSE], sum = 0.0f;
    uint32_t i;
    for (i = 0; i < b->count; ++i) weight[b->frame[i]] = 0.0f;
    for (i = 0; i < a->count; ++i) weight[a->frame[i]] = a->weight[i];
    for (i = 0; i < b->count; ++i) weight[b->frame[i]] -= b->weight[i];
    for (i = 0; i < b->count; ++i) {
        sum += fabsf(weight[b->frame[i]]);
        weight[b->frame[i]] = 0.0f;
    }
    for (i = 0; i < a->count; ++i) sum += fabsf(weight[a->frame[i]]);
    return (double)sum / 2.0;
}

typedef struct glide {
    double   used, worst; /* of the bound; of the weight */
    uint32_t presses, waited;
} glide;

/* 0.3 s of presses, up to 20 a second, in steps of a millisecond. One may move no more
   than dt * (3 / shortest fade + fastest rate) of the weight, and the newest track begins to show
   after its own fade at the latest. */
static bool glide_sequence(glide *g, random_source *random)
{
    double     shortest = 0.05 + 0.3 * random_unit(random), until = 0.0;
    uint32_t   step, chance = 50 + random_below(random, 100);
    float      fps = (float)(5 + random_below(random, 26)), fade;
    md2_anim   anim = random_anim_of(random, 180, 1, 18, fps);
    md2_player player = player_of(&anim, modes[random_below(random, 3)]);
    md2_pose   last = md2_player_pose(&player), pose;
    bool       fine = true;
    for (step = 0; step < 300; ++step) {
        double moved, bound;
        if (random_below(random, chance) == 0) {
            anim = random_anim_of(random, 180, 1, 18, fps);
            fade = (float)(shortest * (1.0 + 5.0 * random_unit(random) * random_unit(random)));
            md2_play(&player, &anim, modes[random_below(random, 3)], fade);
            player.speed = (float)random_below(random, 9) / 2.0f - 2.0f;
            until = step * 0.001 + (double)fade;
            ++g->presses;
        }
        md2_advance(&player, 0.001f);
        pose = md2_player_pose(&player);
        moved = moved_weight(&pose, &last);
        bound = 0.001 * (3.0 / shortest + (double)fps * fabs((double)player.speed));
        fine = fine && moved <= bound + 2e-6;
        if (moved > g->worst) g->worst = moved;
        if (moved / bound > g->used) g->used = moved / bound;
        if (player.track_count == 5) {
            fine = fine && step * 0.001 <= until;
            ++g->waited;
        }
        last = pose;
    }
    return fine;
}

static void test_player_glides(void)
{
    random_source random = { 81 };
    uint32_t      i;
    glide         g;
    memset(&g, 0, sizeof g);
    for (i = 0; i < 6000; ++i) CHECK(glide_sequence(&g, &random));
    printf("fades: a millisecond moves %.2f %% of the weight at most, %.0f %% of its bound\n",
           100.0 * g.worst, 100.0 * g.used);
    CHECK(g.used > 0.5);
    CHECK_FLOOR(g.presses, 15000, "presses");
    CHECK_FLOOR(g.waited, 50000, "steps in which a track waited");
}

/* -- Crossfades --------------------------------------------------------------- */

static void test_fades(void)
{
    md2_anim run = make_anim(40, 1, 10.0f), jump = make_anim(66, 1, 10.0f),
             flip = make_anim(72, 1, 10.0f);
    md2_player p;
    dense d;
    memset(&p, 0, sizeof p);
    md2_play(&p, &run, MD2_LOOP, 0.5f);
    CHECK_EQ(shown(&p, 40), 1.0); /* nothing played before: nothing to fade from */
    CHECK_EQ(p.track_count, 1);
    md2_play(&p, &jump, MD2_LOOP, 0.5f);
    CHECK_NEAR(shown(&p, 40), 1.0, 1e-7);
    md2_advance(&p, 0.125f);
    d = dense_of(md2_player_pose(&p));
    CHECK_NEAR(d.weight[40], 0.75, 1e-6);
    CHECK_NEAR(d.weight[66], 0.25, 1e-6);
    md2_play(&p, &flip, MD2_LOOP, 0.25f);
    CHECK_EQ(p.track_count, 3);
    md2_advance(&p, -0.125f); /* a fade goes on whichever way time goes */
    d = dense_of(md2_player_pose(&p));
    CHECK_NEAR(d.weight[72], 0.5, 1e-6);
    CHECK_NEAR(d.weight[66], 0.25, 1e-6);
    CHECK_NEAR(d.weight[40], 0.25, 1e-6);
    md2_advance(&p, 0.125f);
    CHECK_EQ(p.track_count, 1);
    CHECK_EQ(shown(&p, 72), 1.0);
    md2_play(&p, &run, MD2_LOOP, (float)(HUGE_VAL - HUGE_VAL));
    CHECK(p.track_count == 1 && shown(&p, 40) == 1.0);
    md2_play(&p, &jump, MD2_LOOP, -1.0f);
    CHECK(p.track_count == 1 && shown(&p, 66) == 1.0);
}

/* Fades do not go faster when the animations do. */
static void test_fade_ignores_speed(void)
{
    md2_anim a = make_anim(0, 4, 10.0f), b = make_anim(10, 1, 10.0f);
    md2_player p = player_of(&a, MD2_LOOP);
    md2_play(&p, &b, MD2_LOOP, 1.0f);
    p.speed = 4.0f;
    md2_advance(&p, 0.25f);
    CHECK_NEAR(shown(&p, 10), 0.25, 1e-6);
    CHECK_NEAR(p.track[1].time, 1.0, 1e-9);
    CHECK_NEAR(p.track[0].time, 1.0, 1e-9); /* every track moves on by delta * speed */
    p.speed = 0.0f;
    md2_advance(&p, 0.25f);
    CHECK_NEAR(shown(&p, 10), 0.5, 1e-6);
}

/* The weights of `count` tracks, and what is left for the others. */
static void expect_weights(const md2_player *player, const double *want)
{
    float    weights[5];
    uint32_t i;
    md2_track_weights(player, weights);
    for (i = 0; i < 5; ++i) CHECK_NEAR(weights[i], want[i], 1e-6);
}

/* Four tracks show. A fifth waits: its time runs and its events come, but it does not show until a
   fade is complete; a sixth takes its place. The fades hurry as the waiting one's length asks. */
static void test_waiting_track(void)
{
    static const double weights[][5] = {
        { 1, 0, 0, 0, 0 }, { 0.125, 0.125, 0.25, 0.5, 0 }, { 0.5, 0.5, 0, 0, 0 }, { 1, 0, 0, 0, 0 },
        { 0, 0, 0, 0, 0 }
    };
    md2_anim   anims[6];
    md2_player p;
    uint32_t   i;
    memset(&p, 0, sizeof p);
    expect_weights(&p, weights[4]);
    for (i = 0; i < 6; ++i) {
        anims[i] = make_anim(10 * i, 4, 8.0f);
        md2_play(&p, &anims[i], MD2_LOOP, i < 4 ? 2.0f : i == 4 ? 8.0f : 1.0f);
        CHECK(md2_playing(&p) && md2_playing(&p)->first == 10 * i);
        CHECK_EQ(p.track_count, i < 5 ? i + 1 : 5);
    }
    CHECK(p.track[3].anim.first == 30 && p.track[4].anim.first == 50);
    expect_weights(&p, weights[0]);
    md2_advance(&p, 0.5f); /* half of the waiting track's fade, so half of all */
    expect_weights(&p, weights[1]);
    CHECK_EQ(p.track[4].time, 0.5);
    CHECK(md2_crossed(&p, 50) == 2 && md2_crossed(&p, 51) == 1 && md2_crossed(&p, 31) == 0);
    md2_advance(&p, 1.0f); /* the fourth is complete after half of the step */
    CHECK(p.track_count == 2 && p.track[0].anim.first == 30);
    expect_weights(&p, weights[2]);
    md2_advance(&p, 0.5f);
    CHECK(p.track_count == 1 && p.track[0].anim.first == 50);
    expect_weights(&p, weights[3]);
    for (i = 0; i < 5; ++i) md2_play(&p, &anims[i], MD2_LOOP, 0.25f);
    md2_play(&p, &anims[0], MD2_LOOP, (float)not_a_number()); /* not above 0: at once */
    CHECK(p.track_count == 1 && p.track[0].anim.first == 0);
    for (i = 1; i < 5; ++i) md2_play(&p, &anims[i], MD2_LOOP, i < 4 ? (float)HUGE_VAL : 0.25f);
    md2_advance(&p, 0.0f);
    expect_weights(&p, weights[0]);
    md2_advance(&p, 1000.0f);
    CHECK(p.track_count == 1 && p.track[0].anim.first == 40);
}

static void test_playing(void)
{
    static const double nothing[5] = { 0, 0, 0, 0, 0 };
    md2_anim   run = make_anim(40, 6, 8.0f);
    md2_player p;
    memset(&p, 0, sizeof p);
    CHECK(!md2_playing(NULL) && !md2_playing(&p));
    expect_weights(NULL, nothing);
    md2_track_weights(&p, NULL);
    md2_play(&p, &run, MD2_LOOP, 0.2f);
    CHECK(md2_playing(&p) && md2_playing(&p)->first == 40 && md2_playing(&p) != &run);
    md2_play(&p, md2_playing(&p), MD2_ONCE, 0.2f); /* again */
    CHECK(p.track_count == 2 && md2_playing(&p) && md2_playing(&p)->count == 6);
    md2_play(&p, NULL, MD2_LOOP, 0.2f);
    CHECK(p.track_count == 3 && !md2_playing(&p));
    md2_advance(&p, 1.0f);
    CHECK(shown(&p, 0) == 1.0 && md2_crossed(&p, 0) == 0);
}

/* -- Playing ------------------------------------------------------------------ */

/* A million steps are one step a million times as long: no drift, no lost remainders. */
static void test_million_steps(void)
{
    static const float steps[] = { 1.0f / 60.0f, 0.001f, 0.037f };
    md2_anim run = make_anim(40, 6, 10.0f);
    uint32_t i, s;
    for (s = 0; s < 3; ++s) {
        md2_player player;
        dense got, want;
        double total = 1e6 * (double)steps[s];
        memset(&player, 0, sizeof player);
        md2_play(&player, &run, MD2_LOOP, 0.0f);
        for (i = 0; i < 1000000; ++i) md2_advance(&player, steps[s]);
        CHECK_NEAR(player.track[0].time, total,
                   total * 2.3e-16); /* the sums are exact in double: one rounding at most */
        got = dense_of(md2_player_pose(&player));
        want = dense_of(md2_pose_at(&run, MD2_LOOP, total));
        CHECK_NEAR(dense_distance(&got, &want), 0.0, 1e-6);
    }
}

static void test_play_restarts(void)
{
    md2_anim run = make_anim(40, 6, 10.0f);
    md2_player p = player_of(&run, MD2_ONCE);
    p.speed = 3.0f;
    md2_advance(&p, 100.0f);
    md2_pause(&p, true);
    CHECK(p.finished && p.paused);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    CHECK(!p.finished && !p.paused && p.speed == 1.0f);
    CHECK_EQ(p.track[0].time, 0.0);
    CHECK_EQ(shown(&p, 40), 1.0);
    CHECK_EQ(p.track[0].mode, MD2_LOOP);
}

/* An animation that is not there shows frame 0, in a player that goes on working. */
static void test_missing_animation(void)
{
    md2_model *m = load_named("player", 0);
    md2_player p;
    md2_pose pose;
    memset(&p, 0, sizeof p);
    CHECK_EQ(shown(&p, 0), 1.0);
    CHECK_EQ(md2_advance(&p, 0.1f), 0);
    CHECK_EQ(md2_crossed(&p, 0), 0);
    md2_pause(&p, true);
    md2_pause(&p, false);
    md2_seek(&p, 1.0);
    md2_stop(&p);
    memset(&p, 0, sizeof p);
    md2_play(&p, md2_find_anim(m, "no such thing"), MD2_LOOP, 0.0f);
    md2_advance(&p, 3.33f);
    pose = md2_player_pose(&p);
    CHECK_EQ(dense_of(pose).weight[0], 1.0);
    CHECK(p.track[0].anim.first == 0 && p.track[0].anim.count == 0);
    CHECK_TEXT(p.track[0].anim.name, "");
    md2_play(&p, md2_find_anim(m, "run"), MD2_LOOP, 0.0f);
    md2_advance(&p, 0.1f);
    CHECK_NEAR(shown(&p, 41), 1.0, 1e-5);
}

static void test_wild_deltas(void)
{
    md2_anim run = make_anim(40, 6, 8.0f);
    md2_player p = player_of(&run, MD2_LOOP);
    md2_pose pose;
    double nan = HUGE_VAL - HUGE_VAL;
    md2_advance(&p, 0.125f);
    CHECK_EQ(md2_advance(&p, (float)nan), 0);
    CHECK_EQ(md2_advance(&p, (float)HUGE_VAL), 0);
    CHECK_EQ(md2_advance(&p, (float)-HUGE_VAL), 0);
    CHECK_EQ(p.track[0].time, 0.125);
    CHECK(md2_advance(&p, 3600.0f) & (uint32_t)MD2_LOOPED); /* a hitch of an hour */
    CHECK_EQ(p.track[0].time, 3600.125);
    md2_advance(&p, -7200.0f);
    CHECK_EQ(p.track[0].time, -3599.875);
    pose = md2_player_pose(&p);
    CHECK(sound_pose(&pose) && pose.frame[0] >= 40 && pose.frame[0] < 46);
    p.speed = (float)nan;
    md2_advance(&p, 1.0f);
    pose = md2_player_pose(&p);
    CHECK(sound_pose(&pose));
    p.speed = 3e38f;
    md2_advance(&p, 3e38f);
    md2_advance(&p, 3e38f);
    pose = md2_player_pose(&p);
    CHECK(sound_pose(&pose));
    (void)md2_crossed(&p, 41);
}

/* -- Pause, stop, seek ---------------------------------------------------- */

static void test_pause(void)
{
    md2_anim run = make_anim(40, 6, 8.0f), jump = make_anim(66, 6, 8.0f);
    md2_player p = player_of(&run, MD2_LOOP);
    CHECK(!p.begun && !p.passed_start);
    md2_advance(&p, 0.125f);
    CHECK(p.begun && p.passed_start);
    CHECK_EQ(md2_crossed(&p, 41), 1);
    md2_pause(&p, true);
    CHECK_EQ(md2_advance(&p, 10.0f), 0);
    CHECK(p.begun && !p.passed_start);
    CHECK_EQ(md2_crossed(&p, 41), 0);
    CHECK_EQ(p.track[0].time, 0.125);
    CHECK_EQ(p.previous_time, 0.125);
    md2_pause(&p, false);
    md2_advance(&p, 0.125f);
    CHECK(md2_crossed(&p, 41) == 0 && md2_crossed(&p, 42) == 1);
    md2_play(&p, &jump, MD2_LOOP, 1.0f);
    md2_advance(&p, 0.25f);
    md2_pause(&p, true);
    md2_advance(&p, 10.0f); /* fades stand still as well */
    CHECK_NEAR(shown(&p, 68), 0.25, 1e-6);
    CHECK_EQ(p.track_count, 2);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    md2_pause(&p, true);
    md2_advance(&p, 1.0f);
    md2_pause(&p, false);
    md2_advance(&p, 0.01f);
    CHECK_EQ(md2_crossed(&p, 40), 1);
}

static void test_stop(void)
{
    md2_anim run = make_anim(40, 6, 8.0f), jump = make_anim(66, 6, 8.0f);
    md2_player p = player_of(&run, MD2_LOOP);
    md2_advance(&p, 0.3f);
    md2_play(&p, &jump, MD2_ONCE, 1.0f);
    md2_advance(&p, 0.3f);
    md2_stop(&p);
    CHECK(p.paused && !p.finished && p.track_count == 1);
    CHECK_EQ(p.track[0].time, 0.0);
    CHECK_EQ(shown(&p, 66), 1.0);
    CHECK_EQ(md2_crossed(&p, 66), 0);
    CHECK_EQ(md2_advance(&p, 1.0f), 0);
    CHECK_EQ(shown(&p, 66), 1.0);
    md2_pause(&p, false);
    md2_advance(&p, 0.125f);
    CHECK(md2_crossed(&p, 66) == 1 && md2_crossed(&p, 67) == 1);
    md2_advance(&p, 10.0f);
    CHECK(p.finished);
    md2_stop(&p);
    CHECK(!p.finished);
}

static void test_seek(void)
{
    md2_anim run = make_anim(40, 6, 8.0f);
    md2_player p = player_of(&run, MD2_LOOP);
    md2_seek(&p, 0.25);
    CHECK(p.track[0].time == 0.25 && p.previous_time == 0.25);
    CHECK_EQ(shown(&p, 42), 1.0);
    CHECK(md2_crossed(&p, 40) == 0 && md2_crossed(&p, 41) == 0 && md2_crossed(&p, 42) == 0);
    md2_advance(&p, 0.0625f);
    CHECK(md2_crossed(&p, 42) == 0 && md2_crossed(&p, 43) == 0);
    md2_advance(&p, 0.0625f);
    CHECK_EQ(md2_crossed(&p, 43), 1);
    md2_play(&p, &run, MD2_ONCE, 0.0f);
    md2_advance(&p, 100.0f);
    CHECK(p.finished);
    md2_seek(&p, 0.125);
    CHECK(!p.finished);
    CHECK_EQ(md2_advance(&p, 100.0f), MD2_FINISHED); /* and it can finish again */
    md2_seek(&p, 1e9);
    CHECK_EQ(p.track[0].time, 0.625);
    md2_seek(&p, -5.0);
    CHECK_EQ(p.track[0].time, 0.0);
    md2_play(&p, &run, MD2_LOOP, 0.0f);
    md2_seek(&p, HUGE_VAL - HUGE_VAL);
    md2_advance(&p, 0.125f);
    CHECK_NEAR(shown(&p, 41), 1.0, 1e-6);
}

/* To change the animation and keep the phase: play, then seek to where the old one was. */
static void test_seek_keeps_phase(void)
{
    md2_anim run = make_anim(40, 6, 8.0f), walk = make_anim(154, 6, 8.0f);
    md2_player p = player_of(&run, MD2_LOOP);
    double phase;
    md2_advance(&p, 0.375f);
    phase = p.track[p.track_count - 1].time;
    md2_play(&p, &walk, MD2_LOOP, 0.25f);
    md2_seek(&p, phase);
    md2_advance(&p, 0.25f);
    CHECK_EQ(shown(&p, 159), 1.0);
    CHECK(md2_crossed(&p, 154) == 0 && md2_crossed(&p, 158) == 1 && md2_crossed(&p, 159) == 1);
}

void test_player(void)
{
    RUN(test_player_against_reference);
    RUN(test_player_glides);
    RUN(test_fades);
    RUN(test_fade_ignores_speed);
    RUN(test_waiting_track);
    RUN(test_playing);
    RUN(test_million_steps);
    RUN(test_play_restarts);
    RUN(test_missing_animation);
    RUN(test_wild_deltas);
    RUN(test_pause);
    RUN(test_stop);
    RUN(test_seek);
    RUN(test_seek_keeps_phase);
}
