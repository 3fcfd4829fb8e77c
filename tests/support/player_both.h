/* A player that takes every step and loop by itself, and random acts that it and one of the library
   go through together. Included by the tests of either library, after

       LIB(name), OPTION(name)            the prefixes of names and of options
       CLIPS, clip_frames[], clip_first[]  animations of CLIP_RATE frames a second
       CLOSED_CLIP                        one whose last frame repeats the first, or none
       const LIB(anim) *clip_of(int)
       const LIB(anim) *anim_of_rate(uint32_t count, float fps), whose first frame is RATE_FIRST
       void check_shown(const LIB(player) *, const slow_player *)

   Public domain. */

#define CLIP_RATE 16.0

typedef struct slow_track {
    double time, fade, fade_length;
    int    mode, clip;                /* clip -1 = no animation */
} slow_track;

typedef struct slow_player {
    int        count;
    double     speed, before;
    bool       begun, first, forwards, paused, finished;
    slow_track track[5];
} slow_player;

static void check_shown(const LIB(player) *player, const slow_player *slow);

/* -- Its steps -------------------------------------------------------------- */

static slow_track *slow_newest(slow_player *player)
{
    return player->count ? &player->track[player->count - 1] : NULL;
}

static int slow_steps(const slow_track *track)
{
    int frames = track->clip < 0 ? 1 : clip_frames[track->clip];
    if (track->mode == OPTION(ONCE)) return frames - 1;
    if (track->mode == OPTION(PING_PONG)) return 2 * (frames - 1);
    return track->clip == CLOSED_CLIP ? frames - 1 : frames;
}

static double slow_in(const slow_track *track)
{
    double in = track->fade_length > 0.0 ? track->fade / track->fade_length : 1.0;
    return in < 1.0 ? in : 1.0;
}

static void slow_set_time(slow_track *track, double time)
{
    double end = (double)slow_steps(track) / CLIP_RATE;
    if (track->mode == OPTION(ONCE)) time = time < 0.0 ? 0.0 : time > end ? end : time;
    track->time = time;
}

static void slow_play(slow_player *player, int clip_number, int mode, double fade)
{
    if (!(fade > 0.0)) player->count = 0;
    if (player->count == 5) player->count = 4;
    slow_track track = { 0, 0, player->count ? fade : 0.0, mode, clip_number };
    player->track[player->count++] = track;
    player->speed = 1.0;
    player->before = 0.0;
    player->paused = player->finished = player->begun = player->first = false;
}

/* While a fifth waits, fades go as fast as its own; when one is complete, the fifth fades in for
   the rest of the step. */
static void slow_fade(slow_player *player, double seconds)
{
    double spare = 0.0;
    int    gone = 0;
    for (int i = 1; i < player->count && i < 4; ++i) {
        slow_track *track = &player->track[i];
        double      haste = 1.0;
        if (player->count == 5 && track->fade_length > player->track[4].fade_length) {
            haste = track->fade_length / player->track[4].fade_length;
        }
        double fade = track->fade + seconds * haste;
        if (fade - track->fade_length > spare * haste) spare = (fade - track->fade_length) / haste;
        track->fade = fade < track->fade_length ? (double)(float)fade : track->fade_length;
    }
    if (player->count == 5) player->track[4].fade = (double)(float)spare;
    for (int i = 1; i < player->count; ++i) {
        if (slow_in(&player->track[i]) >= 1.0) gone = i;
    }
    player->count -= gone;
    memmove(player->track, player->track + gone, sizeof(slow_track) * (size_t)player->count);
}

static bool slow_passed(slow_player *player, double at)
{
    double from = player->before * CLIP_RATE, to = slow_newest(player)->time * CLIP_RATE;
    if (player->first && fabs(at - from) <= 0.0) return true;
    return player->forwards ? at > from && at <= to : at < from && at >= to;
}

/* Every round near the two times is looked at, one by one. */
static int slow_crossed(slow_player *player, int frame)
{
    const slow_track *track = slow_newest(player);
    int               count = 0;
    if (!track || track->clip < 0) return 0;
    int steps = slow_steps(track);
    if (track->mode == OPTION(ONCE) || steps == 0) return slow_passed(player, frame);
    int low = (int)floor(fmin(player->before, track->time) * CLIP_RATE / steps) - 2;
    int high = (int)floor(fmax(player->before, track->time) * CLIP_RATE / steps) + 2;
    for (int round = low; round <= high; ++round) {
        count += slow_passed(player, (double)round * steps + frame);
        if (track->mode == OPTION(PING_PONG) && frame > 0 && 2 * frame != steps) {
            count += slow_passed(player, (double)round * steps + steps - frame);
        }
    }
    return count;
}

static uint32_t slow_advance(slow_player *player, double delta)
{
    double            step = delta * player->speed;
    const slow_track *newest = slow_newest(player);
    uint32_t          events = 0;
    if (!newest) return 0;
    player->before = newest->time;
    player->first = false;
    if (player->paused) return 0;
    slow_fade(player, fabs(delta));
    if (fabs(step) <= 0.0) return 0;
    player->first = !player->begun;
    player->begun = true;
    player->forwards = step > 0.0;
    for (int i = 0; i < player->count; ++i) {
        slow_set_time(&player->track[i], player->track[i].time + step);
    }
    newest = slow_newest(player);
    if (newest->mode != OPTION(ONCE)) {
        return slow_crossed(player, 0) > player->first ? OPTION(LOOPED) : 0;
    }
    bool at_end = player->forwards ? newest->time >= (double)slow_steps(newest) / CLIP_RATE
                                   : newest->time <= 0.0;
    if (at_end && !player->finished) events = OPTION(FINISHED);
    player->finished = at_end;
    return events;
}

static void slow_seek(slow_player *player, double seconds)
{
    slow_track *track = slow_newest(player);
    player->finished = false;
    if (!track) return;
    slow_set_time(track, seconds);
    player->before = track->time;
    player->begun = true;
    player->first = false;
}

static void slow_stop(slow_player *player)
{
    player->paused = true;
    player->finished = player->begun = player->first = false;
    player->before = 0.0;
    if (player->count == 0) return;
    player->track[0] = *slow_newest(player);
    player->track[0].time = 0.0;
    player->track[0].fade = player->track[0].fade_length;
    player->count = 1;
}

/* -- Both together ---------------------------------------------------------- */

static void compare_weights(const LIB(player) *player, const slow_player *slow)
{
    float  weights[5];
    double shown[5] = { 1, 0, 0, 0, 0 };
    LIB(track_weights)(player, weights);
    if (slow->count == 0) shown[0] = 0;
    for (int i = 1; i < slow->count && i < 4; ++i) {
        shown[i] = slow_in(&slow->track[i]);
        for (int k = 0; k < i; ++k) shown[k] *= 1 - shown[i];
    }
    for (int i = 0; i < 5; ++i) CHECK_NEAR(weights[i], shown[i], 1e-6);
}

static void compare_tracks(const LIB(player) *player, const slow_player *slow)
{
    if (!CHECK_EQ(player->track_count, slow->count)) return;
    for (int i = 0; i < slow->count; ++i) {
        CHECK_EQ(player->track[i].time, slow->track[i].time);
        CHECK_EQ(player->track[i].mode, slow->track[i].mode);
        CHECK_NEAR(player->track[i].fade, slow->track[i].fade, 1e-6);
        CHECK_EQ(player->track[i].fade_length, slow->track[i].fade_length);
    }
    CHECK(player->paused == slow->paused && player->finished == slow->finished);
    if (slow->count == 0) return;
    CHECK(player->begun == slow->begun && player->passed_start == slow->first);
    CHECK_EQ(player->previous_time, slow->before);
}

static void compare_players(const LIB(player) *player, slow_player *slow)
{
    const slow_track *newest = slow_newest(slow);
    compare_tracks(player, slow);
    compare_weights(player, slow);
    check_shown(player, slow);
    CHECK((LIB(playing)(player) != NULL) == (newest && newest->clip >= 0));
    CHECK_EQ(LIB(crossed)(player, 1000), 0);
    if (!newest || newest->clip < 0) return;
    int last = clip_frames[newest->clip];
    if (newest->clip == CLOSED_CLIP && newest->mode == OPTION(LOOP)) --last;
    for (int frame = 0; frame < last; ++frame) {
        uint32_t number = (uint32_t)(clip_first[newest->clip] + frame);
        CHECK_EQ(LIB(crossed)(player, number), slow_crossed(slow, frame));
    }
}

static void advance_both(random_source *random, double amount, LIB(player) *player,
                         slow_player *slow)
{
    amount *= random_below(random, 16) == 0 ? 16.0 : 0.0625;
    if (random_below(random, 8) == 0) amount = -amount;
    uint32_t events = LIB(advance)(player, (float)amount);
    uint32_t wanted = slow_advance(slow, amount);
    CHECK_EQ(events, wanted);
}

/* Numbers that floats hold exactly, so that all sums are exact. */
static void random_act(random_source *random, LIB(player) *player, slow_player *slow)
{
    static const double speeds[6] = { 1.0, 2.0, 0.5, -1.0, -0.25, 0.0 };
    double              amount = (double)random_below(random, 65) / 64.0;
    int                 number = (int)random_below(random, CLIPS + 1) - 1;
    int                 mode = (int)random_below(random, 3);
    uint32_t            act = random_below(random, 26);
    if (act < 4) {
        if (random_below(random, 8) == 0) amount = 0.0;
        LIB(play)(player, number < 0 ? NULL : clip_of(number), (LIB(mode))mode, (float)amount);
        slow_play(slow, number, mode, amount);
    } else if (act == 4) {
        player->speed = (float)(slow->speed = speeds[random_below(random, 6)]);
    } else if (act == 5) {
        slow->paused = random_below(random, 2) != 0;
        LIB(pause)(player, slow->paused);
    } else if (act == 6) {
        LIB(seek)(player, amount * 4.0 - 2.0);
        slow_seek(slow, amount * 4.0 - 2.0);
    } else if (act == 7 && random_below(random, 3) == 0) {
        LIB(stop)(player);
        slow_stop(slow);
    } else {
        advance_both(random, amount, player, slow);
    }
}

static void test_random_acts(void)
{
    random_source random = { 11 };
    LIB(player) player;
    slow_player slow;
    int waited = 0;
    memset(&player, 0, sizeof player);
    memset(&slow, 0, sizeof slow);
    for (int i = 0; i < 20000; ++i) {
        random_act(&random, &player, &slow);
        compare_players(&player, &slow);
        waited += slow.count == 5;
    }
    CHECK_FLOOR(waited, 1000, "acts while a track waited");
}

/* -- What only some steps show ------------------------------------------------ */

static void test_nothing_plays(void)
{
    LIB(player) player;
    memset(&player, 0, sizeof player);
    CHECK_EQ(LIB(advance)(&player, 1), 0);
    CHECK_EQ(LIB(crossed)(&player, 0), 0);
    LIB(seek)(&player, 3);
    LIB(stop)(&player);
    CHECK(player.track_count == 0 && !player.begun && !LIB(playing)(&player));
    LIB(play)(&player, NULL, OPTION(LOOP), 0);
    CHECK_EQ(LIB(advance)(&player, 1), 0);
    CHECK_EQ(LIB(advance)(&player, -3), 0);
    CHECK(player.track_count == 1 && !LIB(playing)(&player));
}

static LIB(player) player_from(const LIB(anim) *anim, LIB(mode) mode)
{
    LIB(player) player;
    memset(&player, 0, sizeof player);
    LIB(play)(&player, anim, mode, 0.0f);
    return player;
}

static void test_far_events(void)
{
    LIB(player) player = player_from(anim_of_rate(5, 10), OPTION(LOOP));
    CHECK_EQ(LIB(advance)(&player, 3e38f), OPTION(LOOPED));
    CHECK_EQ(LIB(crossed)(&player, RATE_FIRST + 2), 2147483647);
    CHECK_EQ(LIB(crossed)(&player, 0xFFFFFFFFu), 0);
    player = player_from(anim_of_rate(5, 10), OPTION(LOOP));
    LIB(advance)(&player, 1073741824.0f); /* 2^31 times */
    CHECK_EQ(LIB(crossed)(&player, RATE_FIRST + 2), 2147483647);
}

/* NaN and infinite steps count as none; huge ones do no harm. */
static void test_odd_steps(void)
{
    const float infinite = (float)HUGE_VAL, none = infinite - infinite;
    LIB(player) player = player_from(anim_of_rate(6, 8), OPTION(LOOP));
    LIB(advance)(&player, 0.125f);
    CHECK(LIB(advance)(&player, infinite) == 0 && LIB(advance)(&player, -infinite) == 0);
    CHECK_EQ(LIB(advance)(&player, none), 0);
    CHECK_EQ(player.track[0].time, 0.125);
    CHECK_EQ(LIB(advance)(&player, 3600), OPTION(LOOPED)); /* a hitch of an hour */
    LIB(advance)(&player, -7200);
    CHECK_EQ(player.track[0].time, -3599.875);
    LIB(seek)(&player, (double)none);
    player.speed = none;
    LIB(advance)(&player, 1);
    CHECK_EQ(player.track[0].time, 0);
    player.speed = infinite;
    LIB(advance)(&player, 1);
    player.speed = 3e38f;
    LIB(advance)(&player, 3e38f);
    LIB(advance)(&player, 3e38f);
    LIB(seek)(&player, HUGE_VAL);
    CHECK(player.track[0].time - player.track[0].time >= 0);
    (void)LIB(crossed)(&player, RATE_FIRST + 1);
}

/* Both ends of an animation that plays once are passed once, at the step that finishes it, for
   every rate and count. */
static void check_ends(const LIB(anim) *anim, uint32_t count, float step, float speed)
{
    LIB(player) player = player_from(anim, OPTION(ONCE));
    uint32_t    end = RATE_FIRST + (speed > 0 ? count - 1 : 0), steps = 0, told = 0, agreed = 0;
    if (speed < 0) LIB(seek)(&player, 1e9);
    player.speed = speed;
    while (told == 0 && steps++ < 1000) {
        told += LIB(advance)(&player, step) == (uint32_t)OPTION(FINISHED);
        agreed += LIB(crossed)(&player, end) == (int)told;
    }
    CHECK(told == 1 && agreed == steps);
    CHECK(LIB(advance)(&player, step) == 0 && LIB(crossed)(&player, end) == 0 && player.finished);
}

/* Rounds and first frames agree. */
static void check_rounds(const LIB(anim) *anim, float step)
{
    LIB(player) player = player_from(anim, OPTION(LOOP));
    uint32_t    disagree = 0;
    LIB(advance)(&player, 1e-6f);
    for (uint32_t i = 0; i < 50; ++i) {
        bool looped = LIB(advance)(&player, step) == (uint32_t)OPTION(LOOPED);
        disagree += looped != (LIB(crossed)(&player, RATE_FIRST) > 0);
    }
    CHECK_EQ(disagree, 0);
}

static void test_all_rates(void)
{
    uint32_t pairs = 0;
    for (uint32_t rate = 1; rate <= 122; ++rate) {
        float fps = rate == 121 ? 29.97f : rate == 122 ? 23.976f : (float)rate;
        for (uint32_t count = 2; count <= 200; ++count, ++pairs) {
            const LIB(anim) *anim = anim_of_rate(count, fps);
            float length = (float)LIB(anim_length)(anim, OPTION(ONCE));
            check_ends(anim, count, 1.5f * length, 1);
            check_ends(anim, count, length * 0.15f, pairs % 2 ? 1.0f : -0.7f);
            if (pairs % 16 == 0) check_ends(anim, count, 1.0f / fps, 1);
        }
        for (uint32_t count = 1; count <= 20; ++count) {
            check_rounds(anim_of_rate(count, fps), 1.0f / fps);
        }
    }
    CHECK_FLOOR(pairs, 24278, "pairs of rate and count");
}
