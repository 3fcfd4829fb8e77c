/* The player against a second one in double precision, and its crossfades, pauses and jumps. Public
   domain. */
#include "test_md2.h"

typedef struct ref_track {
    md2_anim anim;
    md2_mode mode;
    double time, fade; /* fade from 0 to 1 */
    double fade_length;
} ref_track;

typedef struct ref_player {
    uint32_t count;
    double speed;
    ref_track track[4];
} ref_player;

/* What each track shows: the newest its fade, those below share the rest by the same rule, the
   oldest takes what is left. Of four, the lightest gives way and its weight is taken from all, as
   with frames. Returns what that leaves. */
static double ref_weights(const ref_player *r, double weight[4])
{
    double rest = 1.0, least = 1.0, left;
    uint32_t i;
    for (i = r->count; i-- > 0;) {
        weight[i] = i ? rest * r->track[i].fade : rest;
        rest -= weight[i];
        if (weight[i] < least) least = weight[i];
    }
    left = r->count == 4 ? 1.0 - 4.0 * least : 1.0;
    for (i = 0; i < r->count && r->count == 4 && left > 0.0; ++i)
        weight[i] = (weight[i] - least) / left;
    return left;
}

/* The lightest of four goes; the others' fades are set so that they show what they showed. */
static void ref_make_room(ref_player *r)
{
    double weight[4], sum = 0.0;
    uint32_t i, lightest = 0, kept = 0;
    (void)ref_weights(r, weight);
    for (i = 1; i < 4; ++i)
        if (weight[i] < weight[lightest]) lightest = i;
    for (i = 0; i < 4; ++i) {
        if (i == lightest) continue;
        sum += weight[i];
        r->track[kept] = r->track[i];
        r->track[kept++].fade = sum > 0.0 ? weight[i] / sum : 0.0;
    }
    r->count = kept;
}

static void ref_play(ref_player *r, const md2_anim *anim, md2_mode mode, double fade)
{
    ref_track t;
    bool alone = !(fade > 0.0) || r->count == 0;
    if (alone) r->count = 0;
    if (r->count == 4) ref_make_room(r);
    t.anim = *anim;
    t.mode = mode;
    t.time = 0.0;
    t.fade = alone ? 1.0 : 0.0;
    t.fade_length = fade;
    r->track[r->count++] = t;
    r->speed = 1.0;
}

static void ref_advance(ref_player *r, double delta)
{
    uint32_t i, from = 0;
    for (i = 0; i < r->count; ++i) {
        ref_track *t = &r->track[i];
        t->time += delta * r->speed;
        if (t->mode == MD2_ONCE) {
            double end = ((double)t->anim.count - 1.0) / (double)t->anim.fps;
            t->time = t->time < 0.0 ? 0.0 : t->time > end ? end : t->time;
        }
        if (t->fade < 1.0) t->fade += fabs(delta) / t->fade_length;
        if (t->fade > 1.0) t->fade = 1.0;
        if (t->fade >= 1.0) from = i;
    }
    r->count -= from;
    memmove(r->track, r->track + from, r->count * sizeof r->track[0]);
}

static void add_dense(dense *to, const dense *from, double share)
{
    uint32_t i;
    for (i = 0; i < DENSE; ++i) to->weight[i] += from->weight[i] * share;
}

/* All frames of all tracks weighed at once, then the four heaviest. `left` says how far these stand
   out. */
static dense ref_pose(const ref_player *r, double *left)
{
    dense sum;
    double weight[4];
    uint32_t i;
    *left = ref_weights(r, weight);
    memset(&sum, 0, sizeof sum);
    for (i = 0; i < r->count; ++i) {
        dense one = expected_pose(&r->track[i].anim, r->track[i].mode, r->track[i].time);
        add_dense(&sum, &one, weight[i]);
    }
    *left *= keep_four(&sum);
    return sum;
}

typedef struct duel { /* a player and its reference, going through the same */
    md2_player player;
    ref_player ref;
    double worst; /* difference, in units of what rounding may make of it */
    uint32_t compared;
} duel;

static void duel_play(duel *d, const md2_anim *anim, md2_mode mode, float fade)
{
    md2_play(&d->player, anim, mode, fade);
    ref_play(&d->ref, anim, mode, (double)fade);
}

static void duel_advance(duel *d, float delta)
{
    md2_advance(&d->player, delta);
    ref_advance(&d->ref, (double)delta);
}

static void duel_compare(duel *d)
{
    md2_pose pose = md2_player_pose(&d->player);
    dense got = dense_of(pose), want;
    double left, difference;
    CHECK(sound_pose(&pose));
    want = ref_pose(&d->ref, &left);
    if (left <= 0.02) return;
    difference = dense_distance(&got, &want) / (2e-5 / left);
    CHECK(difference <= 1.0);
    if (difference > d->worst) d->worst = difference;
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
        if (step == 0 || random_below(random, 7) == 0) {
            md2_anim anim = random_anim(random);
            float fade = random_below(random, 5) == 0 ? 0.0f
                             : (float)(0.1 + random_unit(random) * 0.6);
            md2_mode mode = modes[random_below(random, 3)];
            duel_play(d, &anim, mode, fade);
            if (random_below(random, 3) == 0) {
                d->player.speed = (float)random_below(random, 9) / 2.0f - 2.0f;
                d->ref.speed = (double)d->player.speed;
            }
        }
        duel_advance(d, (float)(random_unit(random) * 0.12 - 0.02));
        duel_compare(d);
        CHECK_EQ(d->player.track_count, d->ref.count);
    }
}

static void test_player_against_reference(void)
{
    random_source random = { 71 };
    duel d;
    uint32_t i;
    d.worst = 0.0;
    d.compared = 0;
    for (i = 0; i < 200; ++i) duel_round(&d, &random);
    printf("worst player pose: %.3f of what rounding accounts for\n", d.worst);
    CHECK_FLOOR(d.compared, 20000, "player poses against reference");
}

/* -- Nothing jumps ------------------------------------------------------------ */

/* How fast the weights may change, in all, per second: an animation hands weight from frame to
   frame at fps * speed, a fade from below to above at 1 / length; each moves its weight out of one
   place and into another, so twice. */
static double weight_rate(const ref_player *r)
{
    double rate = 0.0, fastest = 0.0;
    uint32_t i;
    for (i = 0; i < r->count; ++i) {
        double speed = (double)r->track[i].anim.fps * fabs(r->speed);
        if (speed > fastest) fastest = speed;
        if (r->track[i].fade < 1.0) rate += 2.0 / r->track[i].fade_length;
    }
    return rate + 2.0 * fastest;
}

/* No weight may change more in one small step than the animations and fades account for, and so no
   vertex jumps. Where five frames or four tracks meet, those that are shown stand out by `left` in
   all; their own weights and the lightest's, which each of them loses, then change that much
   faster. */
static void glide_step(duel *d, float delta, dense *last, double *left)
{
    double rate = weight_rate(&d->ref), before = *left, stands_out, bound;
    dense  now;
    duel_advance(d, delta);
    (void)ref_pose(&d->ref, left);
    now = dense_of(md2_player_pose(&d->player));
    stands_out = before < *left ? before : *left;
    bound = rate * (double)delta * (stands_out > 0.9999 ? 1.0 : 10.0 / stands_out) + 2e-5;
    if (stands_out > 0.05) {
        double ratio = dense_distance(&now, last) / bound;
        CHECK(ratio <= 1.0);
        if (ratio > d->worst) d->worst = ratio;
    }
    *last = now;
}

/* Playing something new with a fade changes nothing at that moment, also where a fifth track is one
   too many. */
static void glide_play(duel *d, random_source *random, const dense *last)
{
    float    speed = d->player.speed;
    md2_anim anim = random_anim(random);
    md2_mode mode = modes[random_below(random, 3)];
    dense    now;
    d->compared += d->player.track_count == 4;
    duel_play(d, &anim, mode, (float)(0.2 + random_unit(random) * 0.4));
    d->player.speed = random_below(random, 4) == 0 ? -speed : speed;
    d->ref.speed = (double)d->player.speed;
    now = dense_of(md2_player_pose(&d->player));
    CHECK(dense_distance(&now, last) <= 2e-5);
}

static void test_player_glides(void)
{
    random_source random = { 81 };
    double        left;
    uint32_t      round, step;
    duel          d;
    d.worst = 0.0;
    d.compared = 0;
    for (round = 0; round < 60; ++round) {
        md2_anim anim = random_anim(&random);
        dense    last;
        memset(&d.player, 0, sizeof d.player);
        memset(&d.ref, 0, sizeof d.ref);
        duel_play(&d, &anim, MD2_LOOP, 0.3f);
        last = dense_of(md2_player_pose(&d.player));
        left = 1.0;
        for (step = 0; step < 1500; ++step) {
            if (random_below(&random, 100) == 0) glide_play(&d, &random, &last);
            glide_step(&d, 0.001f, &last, &left);
        }
    }
    printf("largest step %.3f of what the animations account for\n", d.worst);
    CHECK(d.worst > 0.1); /* or the bound is so wide that nothing could fail */
    CHECK_FLOOR(d.compared, 100, "fifth tracks");
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

/* Of four tracks the one that weighs least gives way; of equal ones none. A track that is fully in
   hides those before it. */
static void test_four_tracks(void)
{
    md2_anim   anims[5];
    md2_player p;
    uint32_t   i;
    memset(&p, 0, sizeof p);
    for (i = 0; i < 5; ++i) anims[i] = make_anim(i, 1, 10.0f);
    for (i = 0; i < 4; ++i) md2_play(&p, &anims[i], MD2_LOOP, 1);
    CHECK_EQ(p.track_count, 4);
    for (i = 1; i < 4; ++i) p.track[i].fade = 1.0f / (float)(i + 1);
    for (i = 0; i < 4; ++i) CHECK_NEAR(shown(&p, i), 0.25, 1e-6);
    p.track[2].fade = 1;
    CHECK_NEAR(shown(&p, 2), 0.75, 1e-6);
    CHECK_NEAR(shown(&p, 3), 0.25, 1e-6);
    md2_play(&p, &anims[4], MD2_LOOP, 1);
    CHECK_EQ(p.track_count, 4);
    CHECK_NEAR(shown(&p, 0) + shown(&p, 1) + shown(&p, 4), 0, 1e-6);
    CHECK_NEAR(shown(&p, 2), 0.75, 1e-6);
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
    CHECK(p.track[0].anim.first == 0 && p.track[0].anim.count == 1 && p.track[0].anim.fps == 10.0f);
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
    RUN(test_four_tracks);
    RUN(test_million_steps);
    RUN(test_play_restarts);
    RUN(test_missing_animation);
    RUN(test_wild_deltas);
    RUN(test_pause);
    RUN(test_stop);
    RUN(test_seek);
    RUN(test_seek_keeps_phase);
}
