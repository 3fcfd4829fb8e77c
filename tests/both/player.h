/* player.h: tests of the player of both libraries. Each frame of the animations shows a number, so a pose is also
   a number: halfway between frames that show 10 and 11 it is 10.5. Include this file after

       names_md2.h or names_md5.h
       anim_t frames_at(uint32_t first, uint32_t count, float fps)
                                    an animation that shows the numbers first, first + 1, ...
       const anim_t *played_by(const track_t *)      the track's animation, or NULL
       double seen(const player_t *)         the number that the player shows; 0 if nothing plays

   Public domain. */

/* -- Animations and helpers -------------------------------------------------- */

/* Animations of 10 frames a second. The walk shows the numbers 10 to 14. The trot shows the same numbers at
   20 frames a second. Each of the others shows one number. */
static anim_t walk, trot, one_1, stand_20, run_60, jump_80;

static player_t start(const anim_t *anim, play_mode_t mode)
{
    player_t player;
    memset(&player, 0, sizeof player);
    play(&player, anim, mode, 0.0f);
    return player;
}

static player_t start_fade(const anim_t *from, const anim_t *to, float seconds)
{
    player_t player = start(from, LOOP);
    play(&player, to, LOOP, seconds);
    return player;
}

static double seen_after(player_t *player, float seconds)
{
    advance(player, seconds);
    return seen(player);
}

/* Returns the animation of the newest track, or NULL if there is no track. */
static const anim_t *newest_anim(const player_t *player)
{
    return player->track_count ? played_by(&player->track[player->track_count - 1]) : NULL;
}

/* Returns how often each of the first five frames of the newest animation fired in the last step: "00010". */
static const char *crossings(const player_t *player)
{
    static char      digits[6];
    const anim_t *anim = newest_anim(player);
    for (uint32_t i = 0; i < 5; ++i) digits[i] = (char)('0' + crossed(player, anim, i));
    return digits;
}

static const char *crossings_in(player_t *player, float seconds)
{
    advance(player, seconds);
    return crossings(player);
}

/* -- Playing ----------------------------------------------------------------- */

static void test_zeroed(void)
{
    player_t player;
    memset(&player, 0, sizeof player);
    CHECK_EQ(seen(&player), 0);
    CHECK(playing(&player, NULL) && !playing(&player, &walk));
    CHECK_EQ(advance(&player, 1), 0);
    CHECK_TEXT(crossings(&player), "00000");
    seek(&player, 3);
    stop(&player);
    CHECK_EQ(player.track_count, 0);
    CHECK(!player.private_data.begun);
}

/* Returns a player whose bytes all have one value, as in an uninitialized variable. */
static player_t not_zeroed(int byte)
{
    player_t player;
    memset(&player, byte, sizeof player);
    if (byte == 0) player.track_count = MAX_TRACKS + 1;
    return player;
}

static void test_not_zeroed(void)
{
    for (int byte = 0; byte < 256; byte += 85) {
        player_t player = not_zeroed(byte);
        check_scene("bytes of %d", byte);
        check_step("queries");
        CHECK(playing(&player, NULL) && !playing(&player, &walk));
        CHECK_EQ(crossed(&player, &walk, 0), 0);
        CHECK_EQ(seen(&player), 0);

        check_step("play");
        play(&player, &walk, LOOP, 0.2f);
        CHECK_EQ(player.track_count, 1);
        CHECK_NEAR(seen_after(&player, 0.1f), 11, 1e-4);
        CHECK(!player.paused);

        check_step("play in phase");
        player = not_zeroed(byte);
        play_in_phase(&player, &walk, 0.2f);
        CHECK_NEAR(seen_after(&player, 0.1f), 11, 1e-4);

        check_step("advance, seek, pause and stop");
        player = not_zeroed(byte);
        CHECK_EQ(advance(&player, 1), 0);
        CHECK_EQ(player.track_count, 0);
        player = not_zeroed(byte);
        seek(&player, 1);
        CHECK_EQ(player.track_count, 0);
        CHECK(!player.paused);
        player = not_zeroed(byte);
        pause(&player, true);
        CHECK_EQ(player.track_count, 0);
        CHECK(player.paused);
        player = not_zeroed(byte);
        stop(&player);
        CHECK_EQ(player.track_count, 0);
    }
}

static void test_playing(void)
{
    player_t player = start_fade(&stand_20, &walk, 0.2f);
    CHECK_EQ(seen(&player), 20);
    CHECK(playing(&player, &walk) && !playing(&player, &stand_20));
    CHECK(!playing(&player, &trot) && !playing(&player, NULL));
    CHECK(!playing(NULL, NULL) && !playing(NULL, &walk));
    play(&player, newest_anim(&player), LOOP, 0.0f); /* again */
    CHECK_EQ(seen(&player), 10);
    CHECK(playing(&player, &walk));
}

static void test_playing_without_motion(void)
{
    player_t player = start(&walk, ONCE);
    advance(&player, 7);
    CHECK(player.finished && playing(&player, &walk));
    pause(&player, true);
    CHECK(playing(&player, &walk));
    stop(&player);
    CHECK(playing(&player, &walk));
}

static void test_play_each_frame(void)
{
    player_t player = start(&stand_20, LOOP);
    for (int frame = 0; frame < 60; ++frame) {
        if (!playing(&player, &walk)) play(&player, &walk, LOOP, 0.2f);
        advance(&player, 1 / 60.0f);
    }
    CHECK_EQ(player.track_count, 1);
    CHECK_NEAR(player.track[0].time, 1, 1e-6);
}

/* -- Fades -------------------------------------------------------------------- */

/* Returns the weight of a track in the pose: the number that would show if this track showed 1 and all others 0. */
static double weight_of(const player_t *player, uint32_t track)
{
    player_t ones = start(&one_1, LOOP), nothing = start(NULL, LOOP);
    player_t marked = *player;
    for (uint32_t i = 0; i < player->track_count; ++i) {
        marked.track[i].anim = (i == track ? ones : nothing).track[0].anim;
    }
    return track < player->track_count ? seen(&marked) : 0;
}

static void test_fade(void)
{
    player_t player = start_fade(&stand_20, &run_60, 0.2f);
    for (int step = 0; step <= 4; ++step) {
        check_step("%g s after play", 0.05 * step);
        CHECK_NEAR(seen(&player), 20 + 10 * step, 1e-4);
        CHECK_EQ(player.track_count, step < 4 ? 2 : 1);
        CHECK_NEAR(weight_of(&player, 0), step < 4 ? 1 - 0.25 * step : 1, 1e-6);
        CHECK_NEAR(weight_of(&player, 1), step < 4 ? 0.25 * step : 0, 1e-6);
        advance(&player, 0.05f);
    }
}

static void test_play_nothing(void)
{
    player_t player = start_fade(&stand_20, NULL, 0.2f);
    CHECK(playing(&player, NULL) && !playing(&player, &stand_20));
    CHECK_EQ(advance(&player, 0.1f), 0);
    CHECK_TEXT(crossings(&player), "00000");
    CHECK_NEAR(seen(&player), 10, 1e-4); /* halfway from 20 to 0 */
    CHECK_EQ(advance(&player, -3), 0);
    CHECK_EQ(seen(&player), 0);
}

static void test_no_frames(void)
{
    anim_t   empty;
    player_t player;
    memset(&empty, 0, sizeof empty);
    CHECK_EQ(anim_length(&empty, LOOP), 0);
    memset(&player, 0, sizeof player);
    CHECK(playing(&player, &empty));
    player = start_fade(&stand_20, &empty, 0.2f);
    CHECK(playing(&player, NULL) && playing(&player, &empty));
    CHECK_EQ(crossed(&player, &empty, 0), 0);
    CHECK_NEAR(seen_after(&player, 0.1f), 10, 1e-4);
    play_in_phase(&player, &empty, 0.2f);
    CHECK_EQ(advance(&player, 1), 0);
    CHECK_EQ(seen(&player), 0);
}

static void test_play(void)
{
    player_t player;
    memset(&player, 0, sizeof player);
    play(&player, &walk, LOOP, 0.2f); /* shows immediately, because nothing played before */
    CHECK_EQ(seen(&player), 10);
    CHECK_NEAR(seen_after(&player, 0.1f), 11, 1e-4);
    CHECK_NEAR(seen_after(&player, 0.15f), 12.5, 1e-4);
}

static void test_no_fade(void)
{
    const float fades[3] = { 0.0f, -1.0f, (float)(HUGE_VAL - HUGE_VAL) };
    for (int i = 0; i < 3; ++i) {
        player_t player = start_fade(&stand_20, &walk, 1.0f);
        check_scene("a fade of %g s", (double)fades[i]);
        play(&player, &run_60, LOOP, fades[i]);
        CHECK_EQ(seen(&player), 60);
        CHECK_EQ(player.track_count, 1);
        CHECK_EQ(player.track[0].fade_length, 0);
    }
}

static void test_fade_in_motion(void)
{
    player_t player = start(&stand_20, LOOP);
    play(&player, &walk, LOOP, 0.2f);
    CHECK_NEAR(seen_after(&player, 0.1f), (20 + 11) / 2.0, 1e-4);
    play(&player, &run_60, LOOP, 0.4f);
    CHECK_NEAR(seen_after(&player, 0.1f), 0.75 * 12 + 0.25 * 60, 1e-4);
    CHECK_NEAR(seen_after(&player, 0.1f), 0.5 * 13 + 0.5 * 60, 1e-4);
}

static void test_fade_over_fade(void)
{
    player_t player = start_fade(&stand_20, &run_60, 1.0f);
    advance(&player, 0.5f);
    play(&player, &jump_80, LOOP, 1.0f);
    CHECK_NEAR(seen(&player), 40, 1e-4);

    /* The run has faded in by three quarters, so the pose is 50. Over it, the jump has faded in by a quarter. */
    CHECK_NEAR(seen_after(&player, 0.25f), 0.75 * 50 + 0.25 * 80, 1e-4);

    CHECK_NEAR(seen_after(&player, 0.25f), (60 + 80) / 2.0, 1e-4);
    CHECK_EQ(player.track_count, 2); /* the run hides the stand */
}

static void test_fade_by_clock(void)
{
    static const float speeds[4] = { 4, 0, -2, 1 };
    for (int i = 0; i < 4; ++i) {
        player_t player = start_fade(&stand_20, &run_60, 0.2f);
        check_scene("speed %g%s", (double)speeds[i], i == 3 ? ", a step back" : "");
        player.speed = speeds[i];
        CHECK_NEAR(seen_after(&player, i == 3 ? -0.1f : 0.1f), 40, 1e-4);
    }
}

/* Four animations have weight, and a fifth waits. While it waits, the others fade faster. After 0.1 s the oldest
   has no weight, the fifth begins, and the others fade at their own pace again. */
static void test_any_steps(void)
{
    static const int counts[4] = { 1, 2, 7, 200 };
    for (int i = 0; i < 4; ++i) {
        player_t player = start_fade(&stand_20, &walk, 1.0f);
        check_scene("0.2 s in %d steps", counts[i]);
        advance(&player, 0.2f);
        play(&player, &run_60, LOOP, 1.0f);
        advance(&player, 0.2f);
        play(&player, &walk, LOOP, 1.0f);
        advance(&player, 0.1f);
        play(&player, &jump_80, LOOP, 0.2f);
        for (int step = 0; step < counts[i]; ++step) {
            advance(&player, 0.2f / (float)counts[i]);
        }

        /* The stand ended after 0.1 s. The jump has faded in by 0.5; of the rest, the second walk has 0.7; of the
           rest below that, the run has 0.9: 0.5 + 0.1 * 2 + 0.2. */
        CHECK_EQ(player.track_count, 4);
        CHECK_NEAR(weight_of(&player, 3), 0.5, 1e-5);
        CHECK_NEAR(weight_of(&player, 2), 0.5 * 0.7, 1e-5);
        CHECK_NEAR(weight_of(&player, 1), 0.5 * 0.3 * 0.9, 1e-5);
        CHECK_NEAR(weight_of(&player, 0), 0.5 * 0.3 * 0.1, 1e-5);
        CHECK_NEAR(player.track[2].time, 0.3, 1e-6);
    }
}

/* Returns a player in which three runs fade in over each other for a second each, and another animation waits. */
static player_t start_five(const anim_t *waiting, float fade)
{
    player_t player = start(NULL, LOOP);
    for (int i = 0; i < 3; ++i) play(&player, &run_60, LOOP, 1.0f);
    play(&player, waiting, LOOP, fade);
    return player;
}

/* The three runs finish fading in within the fade time of the waiting animation. Meanwhile, the waiting animation
   plays without weight, and its frames fire. */
static void test_fifth_waits(void)
{
    player_t player = start_five(&walk, 0.5f);
    CHECK_NEAR(seen_after(&player, 0.25f), 60 * (1 - 0.125), 1e-4);
    CHECK_EQ(player.track_count, 5);
    CHECK_TEXT(crossings(&player), "11100");
    CHECK_EQ(advance(&player, 0.25f), LOOPED);
    CHECK_NEAR(seen(&player), 60, 1e-4);
    CHECK_EQ(player.track_count, 2);
    CHECK_NEAR(seen_after(&player, 0.25f), (60 + 12.5) / 2, 1e-4);
    player = start_five(&jump_80, 0.5f);
    CHECK_NEAR(seen_after(&player, 0.75f), (60 + 80) / 2.0, 1e-4); /* everything in one step */
}

static void test_sixth_replaces(void)
{
    player_t player = start_five(&walk, 0.5f);
    play(&player, &jump_80, LOOP, 0.25f);
    CHECK_EQ(player.track_count, 5);
    CHECK_NEAR(seen_after(&player, 0.25f), 60, 1e-4);
    CHECK_NEAR(seen_after(&player, 0.25f), 80, 1e-4);
}

static void test_endless_fade(void)
{
    player_t player = start(&stand_20, LOOP);
    for (int i = 0; i < 3; ++i) play(&player, &run_60, LOOP, (float)HUGE_VAL);
    CHECK_NEAR(seen_after(&player, 1000), 20, 1e-4);
    play(&player, &jump_80, LOOP, 0.25f);
    CHECK_NEAR(seen_after(&player, 0), 20, 1e-4);
    CHECK_EQ(player.track_count, 5);
    CHECK_EQ(seen_after(&player, 0.5f), 80);
    CHECK_EQ(player.track_count, 1);
}

/* A program may end a fade by writing to the track, and no value that it writes may do harm. */
static void test_edited_fade(void)
{
    const float none = (float)(HUGE_VAL - HUGE_VAL), lengths[4] = { 0, -1, none, 0.25f };
    for (int i = 0; i < 4; ++i) {
        player_t player = start_fade(&stand_20, &walk, 1.0f);
        check_scene("a length of %g s after 0.5 s", (double)lengths[i]);
        advance(&player, 0.5f);
        player.track[1].fade_length = lengths[i];
        CHECK_EQ(weight_of(&player, 1), 1);
        CHECK_NEAR(seen_after(&player, 0.15f), 11.5, 1e-4);
        CHECK_EQ(player.track_count, 1);
    }
}

/* If the fade of the waiting animation is over, it hides all others immediately. */
static void test_edited_fade_of_waiting(void)
{
    const float none = (float)(HUGE_VAL - HUGE_VAL), lengths[3] = { 0, -1, none };
    for (int i = 0; i < 3; ++i) {
        player_t player = start_five(&walk, 0.5f);
        check_scene("a length of %g s", (double)lengths[i]);
        player.track[4].fade_length = lengths[i];
        CHECK_NEAR(seen_after(&player, 0.15f), 11.5, 1e-4);
        CHECK_EQ(player.track_count, 1);
    }
}

/* -- Loops in phase ---------------------------------------------------------------- */

/* Walk and trot show the same numbers, so the number is the position of both in their cycles. The walk makes
   2 cycles a second, the trot 4. */
static player_t start_in_phase(double walked, float fade)
{
    player_t player = start(&walk, LOOP);
    seek(&player, walked);
    play_in_phase(&player, &trot, fade);
    return player;
}

/* Both make 2.5 cycles a second on average in the first half of the fade, and 3.5 in the second half. */
static void test_in_phase(void)
{
    player_t player = start_in_phase(0.22, 0.2f);
    CHECK(playing(&player, &trot));
    CHECK_NEAR(seen(&player), 12.2, 1e-4);
    CHECK_TEXT(crossings(&player), "00000");
    CHECK_EQ(advance(&player, 0.1f), 0);
    CHECK_NEAR(seen(&player), 12.2 + 0.25 * 5, 1e-4);
    CHECK_TEXT(crossings(&player), "00010"); /* the trot began after its first frame, which does not fire */
    CHECK_EQ(advance(&player, 0.1f), LOOPED);
    CHECK_NEAR(seen(&player), 10.2, 1e-4);
    CHECK_EQ(player.track_count, 1);
    CHECK_NEAR(seen_after(&player, 0.05f), 11.2, 1e-4); /* only the trot */
}

/* Returns the number of cycles of the newest track in the last step. */
static double cycles_made(const player_t *player)
{
    const track_t *track = &player->track[player->track_count - 1];
    double length = anim_length(newest_anim(player), LOOP);
    return (track->time - track->previous_time) / length;
}

/* The gait changes back before the other gait has faded in, so up to four tracks show. */
static void test_in_phase_and_back(void)
{
    player_t player = start(&walk, LOOP);
    for (int step = 0; step < 60; ++step) {
        const anim_t *gait = step / 4 % 2 ? &trot : &walk;
        check_step("step %d, a %s", step, gait == &walk ? "walk" : "trot");
        if (!playing(&player, gait)) play_in_phase(&player, gait, 0.25f);
        advance(&player, 1 / 60.0f);
        CHECK_NEAR(60 * cycles_made(&player), 3, 1 + 1e-6);
        for (uint32_t i = 0; i < player.track_count; ++i) {
            player_t alone = player;
            alone.track[0] = player.track[i];
            alone.track_count = 1;
            CHECK_NEAR(seen(&alone), seen(&player), 1e-4);
        }
    }
    CHECK(player.track_count > 2);
}

/* An attack that fades in over the walk does not speed up the trot. */
static void test_in_phase_past_once(void)
{
    player_t player = start(&walk, LOOP);
    double before = 0;
    play(&player, &jump_80, ONCE, 0.2f);
    advance(&player, 0.1f);
    play_in_phase(&player, &trot, 0.3f);
    for (int step = 0; step < 400; ++step) {
        advance(&player, 0.001f);
        double cycles = 1000 * cycles_made(&player);
        check_step("step %d of 1 ms", step);
        if (step > 0) CHECK_NEAR(cycles, before, 0.05);
        before = cycles;
    }
    CHECK_NEAR(before, 4, 1e-4);
}

/* The second walk is in phase with the trot. The first walk keeps its own speed. */
static void test_in_phase_with_the_newest(void)
{
    player_t player = start_fade(&walk, &trot, 1);
    play_in_phase(&player, &walk, 1);
    advance(&player, 0.125f);
    CHECK_NEAR(player.track[0].time, 0.125, 1e-9);
    CHECK_NEAR(player.track[2].time, 2 * player.track[1].time, 1e-9);
    CHECK(player.track[2].time > 0.13);
}

/* A forward walk fades into a backward walk. The speed of both falls from 2 cycles a second to 0 in the middle of the
   fade, and then to -2. */
static void test_in_phase_backwards(void)
{
    player_t player = start(&walk, LOOP);
    seek(&player, 0.1);
    play_in_phase(&player, &walk, 0.3f);
    player.speed = -1;
    CHECK_NEAR(seen_after(&player, 0.15f), 11.75, 1e-4);
    CHECK_NEAR(seen_after(&player, 0.15f), 11, 1e-4);
    CHECK_NEAR(seen_after(&player, 0.05f), 10.5, 1e-4);
}

static void test_in_phase_with_none(void)
{
    player_t others[4];
    others[0] = start(NULL, LOOP);
    others[1] = start(&stand_20, LOOP);
    others[2] = start(&walk, ONCE);
    others[3] = start(&walk, PING_PONG);
    for (int i = 0; i < 4; ++i) {
        check_scene("over %s", i == 0 ? "nothing" : i == 1 ? "one frame" : i == 2 ? "once" : "ping-pong");
        advance(&others[i], 0.25f);
        play_in_phase(&others[i], &trot, 0.1f);
        CHECK_TEXT(crossings_in(&others[i], 0.125f), "11100"); /* as after play */
        CHECK_NEAR(seen(&others[i]), 12.5, 1e-4);
    }
}

/* A loop of two frames goes from one to the other and back. A quarter of this cycle takes as long as a quarter of
   the trot's cycle. */
static void test_in_phase_with_two_frames(void)
{
    anim_t   nod = frames_at(90, 2, 10);
    player_t player = start(&nod, LOOP);
    advance(&player, 0.05f);
    play_in_phase(&player, &trot, 0);
    CHECK_NEAR(seen(&player), 11.25, 1e-4);
}

/* The walk has not moved yet, so the first frames of both the walk and the trot have yet to fire. */
static void test_in_phase_before_begun(void)
{
    player_t player = start(&walk, LOOP);
    play_in_phase(&player, &trot, 0.1f);
    CHECK_TEXT(crossings_in(&player, 0.001f), "10000");
    CHECK_TEXT(crossings_in(&player, 0.001f), "00000");
}

/* The walk also has not moved yet if another animation is played over it in the same frame of the game. */
static void test_in_phase_below_another(void)
{
    player_t player = start(&walk, LOOP);
    play(&player, &jump_80, ONCE, 0.5f);
    play_in_phase(&player, &trot, 0.1f);
    CHECK_TEXT(crossings_in(&player, 0.001f), "10000");
}

/* If a loop has moved back to its start, or seek has set it there, its first frame does not fire again. */
static void test_in_phase_once_begun(void)
{
    player_t player = start(&walk, LOOP);
    player.speed = -1;
    advance(&player, 0.1f);
    play(&player, &jump_80, ONCE, 0.5f);
    play_in_phase(&player, &trot, 0.1f);
    CHECK_TEXT(crossings_in(&player, 0.001f), "00000");

    player = start(&walk, LOOP);
    seek(&player, 0);
    play_in_phase(&player, &trot, 0.1f);
    CHECK_TEXT(crossings_in(&player, 0.001f), "00000");
}

/* A loop with a speed of 0 moves with the loop that it is in phase with. */
static void test_in_phase_with_no_speed(void)
{
    player_t player = start(&walk, LOOP);
    play_in_phase(&player, &trot, 1);
    player.speed = 0;
    CHECK_TEXT(crossings_in(&player, 0.05f), "10000");
    CHECK(player.private_data.begun);
    player.speed = 1;
    CHECK_TEXT(crossings_in(&player, 0.001f), "00000");

    player = start(&walk, LOOP); /* the same backward */
    player.speed = -1;
    play_in_phase(&player, &trot, 1);
    player.speed = 0;
    advance(&player, 0.05f);
    CHECK(player.private_data.begun);
}

static void test_in_phase_at_once(void)
{
    player_t player = start_in_phase(0.22, 0);
    CHECK_EQ(player.track_count, 1);
    CHECK_NEAR(seen(&player), 12.2, 1e-4);
    CHECK_NEAR(seen_after(&player, 0.05f), 13.2, 1e-4);
}

/* A fade of infinite length has just begun, so neither the walk nor the trot has weight yet. */
static void test_in_phase_unseen(void)
{
    player_t player = start_fade(&stand_20, &walk, (float)HUGE_VAL);
    play_in_phase(&player, &trot, (float)HUGE_VAL);
    advance(&player, 1e-9f);
    CHECK_NEAR(player.track[1].time, 1e-9, 1e-15);
    CHECK_NEAR(player.track[2].time, 0.5e-9, 1e-15);
}

static void test_in_phase_and_seek(void)
{
    player_t player = start_in_phase(0.2, 0.2f);
    seek(&player, 0);
    CHECK_NEAR(seen_after(&player, 0.1f), (13 + 12) / 2.0, 1e-4);
}

/* -- In phase, in steps of any size ---------------------------------------------------- */

enum { PLAYS = 6 };

/* Calls of play and play_in_phase, one every 0.127 s. All animations have 5 frames, at 8 to 16 a second. */
typedef struct play_list {
    int        in_phase;              /* number of calls of play_in_phase among the first four */
    struct {
        anim_t anim;
        int       mode;               /* a play_mode_t, or 3 for play_in_phase */
        float     fade, speed;
    } play[PLAYS];
} play_list;

/* Returns a random list in which `loops` of the first four animations are in phase and show at the same time. */
static play_list random_play_list(random_source *random, int loops)
{
    play_list s;
    do {
        s.in_phase = 0;
        for (int i = 0; i < PLAYS; ++i) {
            bool in_phase = random_below(random, 3) != 0;
            s.play[i].anim = frames_at(10, 5, 8 + (float)random_below(random, 9));
            s.play[i].mode = in_phase ? 3 : (int)random_below(random, 3);
            s.play[i].fade = 0.25f + (float)random_below(random, 16) / 32;
            s.play[i].speed = (float)(1 + random_below(random, 4)) / 2;
            if (i == 0) s.play[i].mode = LOOP;
            if (i < 4) s.in_phase += s.play[i].mode == 3;
        }
    } while (s.in_phase != loops - 1);
    return s;
}

typedef struct outcome {
    int    crossed[5];
    double time[5];                   /* times of the tracks at the end */
} outcome;

/* Plays the list in steps of 1 / rate seconds, or of random size if the rate is 0. */
static outcome play_all(const play_list *s, int rate, random_source *random)
{
    outcome     o;
    player_t player;
    memset(&o, 0, sizeof o);
    memset(&player, 0, sizeof player);
    for (int i = 0; i < PLAYS; ++i) {
        if (s->play[i].mode == 3) play_in_phase(&player, &s->play[i].anim, s->play[i].fade);
        else play(&player, &s->play[i].anim, (play_mode_t)s->play[i].mode, s->play[i].fade);
        player.speed = s->play[i].speed;
        for (double left = i + 1 < PLAYS ? 0.127 : 1.913; left > 0;) {
            double step = rate ? 1.0 / rate : random_unit(random) * 0.1;
            if (step > left) step = left;
            advance(&player, (float)step);
            left -= step;
            for (uint32_t k = 0; k < 5; ++k) {
                o.crossed[k] += crossed(&player, &s->play[i].anim, k);
            }
        }
    }
    for (uint32_t i = 0; i < player.track_count; ++i) o.time[i] = player.track[i].time;
    return o;
}

static void test_in_phase_any_steps(void)
{
    static const int rates[6] = { 1, 30, 60, 144, 0, 0 };
    random_source    random = { 1 };
    for (int i = 0; i < 300; ++i) {
        int     loops = 2 + i % 3;
        play_list s = random_play_list(&random, loops);
        outcome whole = play_all(&s, 1, NULL);
        for (int k = 1; k < 6; ++k) {
            outcome cut = play_all(&s, rates[k], &random);
            check_scene("play list %d, %d loops in phase", i, loops);
            check_step("%d steps a second", rates[k]);
            for (int frame = 0; frame < 5; ++frame) {
                CHECK_EQ(cut.crossed[frame], whole.crossed[frame]);
                CHECK_NEAR(cut.time[frame], whole.time[frame], 1e-5);
            }
        }
    }
}

/* -- Modes and their ends ------------------------------------------------------- */

static void test_loop(void)
{
    player_t player = start(&walk, LOOP);
    CHECK_EQ(advance(&player, 0.4f), 0);
    CHECK_NEAR(seen(&player), 14, 1e-4);
    CHECK_NEAR(seen_after(&player, 0.05f), (14 + 10) / 2.0, 1e-4);
    CHECK_EQ(advance(&player, 0.05f), LOOPED);
    CHECK_NEAR(seen(&player), 10, 1e-4);
    CHECK_EQ(advance(&player, 0.1f), 0);
    CHECK_EQ(advance(&player, 1.5f), LOOPED); /* three cycles in one step */
    CHECK_NEAR(seen(&player), 11, 1e-4);
}

static void test_once(void)
{
    player_t player = start(&walk, ONCE);
    CHECK_EQ(advance(&player, 0.3f), 0);
    CHECK_NEAR(seen(&player), 13, 1e-4);
    CHECK(!player.finished);
    CHECK_EQ(advance(&player, 7), FINISHED);
    CHECK_EQ(advance(&player, 0.1f), 0);
    CHECK_EQ(seen(&player), 14);
    CHECK(player.finished);
}

static void test_once_backwards(void)
{
    player_t player = start(&walk, ONCE);
    advance(&player, 60);
    player.speed = -1;
    CHECK_EQ(advance(&player, 0.1f), 0);
    CHECK_NEAR(seen(&player), 13, 1e-4);
    CHECK(!player.finished);
    CHECK_EQ(advance(&player, 0.3f), FINISHED);
    CHECK_EQ(advance(&player, 0.1f), 0);
    CHECK_EQ(seen(&player), 10);

    player = start(&walk, ONCE); /* already at its start */
    player.speed = -1;
    CHECK_EQ(advance(&player, 0.1f), FINISHED);
    play(&player, &trot, LOOP, 0);
    CHECK(!player.finished);
}

/* An animation at one end changes direction, and reaches the other end in the same step. */
static void test_once_from_end_to_end(void)
{
    player_t player = start(&walk, ONCE);
    CHECK_EQ(advance(&player, 10), FINISHED);
    player.speed = -1;
    CHECK_EQ(advance(&player, 10), FINISHED);
    CHECK_EQ(advance(&player, 10), 0);
    player.speed = 1;
    CHECK_EQ(advance(&player, 10), FINISHED);
    CHECK_EQ(advance(&player, 10), 0);
}

static void test_ping_pong(void)
{
    player_t player = start(&walk, PING_PONG);
    CHECK_EQ(advance(&player, 0.4f), 0);
    CHECK_NEAR(seen(&player), 14, 1e-4);
    CHECK_NEAR(seen_after(&player, 0.1f), 13, 1e-4);
    CHECK_EQ(advance(&player, 0.3f), LOOPED);
    CHECK_NEAR(seen(&player), 10, 1e-4);
    CHECK_NEAR(seen_after(&player, 0.1f), 11, 1e-4);
}

static void test_one_frame(void)
{
    player_t player = start(&stand_20, LOOP);
    CHECK_EQ(seen_after(&player, 0.05f), 20);
    CHECK_EQ(advance(&player, 0.05f), LOOPED);
    player = start(&stand_20, ONCE);
    CHECK_EQ(advance(&player, 0.01f), FINISHED);
}

/* -- Frames that are crossed ----------------------------------------------------- */

/* The frame at which the animation starts fires in the first step. */
static void test_crossed(void)
{
    player_t player = start(&walk, LOOP);
    CHECK_TEXT(crossings(&player), "00000");
    CHECK_TEXT(crossings_in(&player, 0.1f), "11000");
    CHECK_TEXT(crossings_in(&player, 0.1f), "00100");
    CHECK_TEXT(crossings_in(&player, 0.05f), "00000");
    CHECK_TEXT(crossings_in(&player, 0.3f), "10011");
    CHECK_EQ(crossed(&player, &walk, 5), 0); /* the walk has no such frame */
}

static void test_crossed_backwards(void)
{
    player_t player = start(&walk, LOOP);
    player.speed = -1;
    CHECK_NEAR(seen_after(&player, 0.1f), 14, 1e-4);
    CHECK_TEXT(crossings(&player), "10001");
    CHECK_TEXT(crossings_in(&player, 0.2f), "00110");
    CHECK_EQ(advance(&player, 0.25f), LOOPED);
    CHECK_TEXT(crossings(&player), "11000");
}

/* Only the newest animation has events; frames of the older animation do not fire while it fades out. */
static void test_crossed_of_another(void)
{
    player_t player = start_fade(&walk, &stand_20, 0.2f);
    advance(&player, 0.1f);
    CHECK_EQ(crossed(&player, &stand_20, 0), 2); /* at its start, and after one cycle */
    CHECK_EQ(crossed(&player, &walk, 0), 0);
    CHECK_EQ(crossed(&player, &walk, 1), 0);
    CHECK_EQ(crossed(&player, NULL, 0), 0);
    CHECK_EQ(crossed(NULL, &stand_20, 0), 0);
}

static void test_crossed_in_cycles(void)
{
    player_t player = start(&walk, LOOP);
    CHECK_TEXT(crossings_in(&player, 1.65f), "44333"); /* 01234 01234 01234 01 */
    player = start(&walk, PING_PONG);
    CHECK_TEXT(crossings_in(&player, 1.65f), "34442"); /* 01234321 01234321 0 */
    player = start(&walk, ONCE);
    CHECK_TEXT(crossings_in(&player, 1.65f), "11111");
}

/* The feet touch the ground at frame 2: twice a second. */
static void test_footsteps(void)
{
    static const int rates[5] = { 1, 7, 30, 60, 144 };
    for (int i = 0; i < 10; ++i) {
        player_t player = start(&walk, LOOP);
        int rate = rates[i % 5], heard = 0;
        if (i >= 5) player.speed = -1;
        check_scene("%d steps a second, speed %g", rate, (double)player.speed);
        for (int step = 0; step < 60 * rate; ++step) {
            advance(&player, 1.0f / (float)rate);
            heard += crossed(&player, &walk, 2);
        }
        CHECK_EQ(heard, 120);
    }
}

/* 10^9 seconds are a whole number of cycles. */
static void test_years(void)
{
    player_t old = start(&walk, LOOP), young = old;
    int         heard = 0;
    seek(&old, 1e9);
    for (int step = 1; step <= 60 * 60; ++step) {
        check_step("step %d", step);
        advance(&young, 1 / 60.0f);
        CHECK_NEAR(seen_after(&old, 1 / 60.0f), seen(&young), 0.01);
        heard += crossed(&old, &walk, 2);
    }
    CHECK_EQ(heard, 120);
}

/* -- Pause, stop, seek, speed ----------------------------------------------------- */

static void test_pause(void)
{
    player_t player = start_fade(&stand_20, &walk, 0.2f);
    advance(&player, 0.1f);
    pause(&player, true);
    CHECK_TEXT(crossings_in(&player, 5), "00000");
    CHECK_NEAR(seen(&player), (20 + 11) / 2.0, 1e-4);
    pause(&player, false);
    CHECK_NEAR(seen_after(&player, 0.1f), 12, 1e-4);
    pause(&player, true);
    play(&player, &walk, LOOP, 0);
    CHECK_NEAR(seen_after(&player, 0.1f), 11, 1e-4);
}

static void test_stop(void)
{
    player_t player = start_fade(&stand_20, &walk, 0.2f);
    advance(&player, 0.1f);
    stop(&player);
    CHECK_EQ(seen(&player), 10);
    CHECK_EQ(player.track[0].fade, player.track[0].fade_length);
    CHECK_TEXT(crossings(&player), "00000");
    CHECK_EQ(seen_after(&player, 5), 10);
    pause(&player, false);
    CHECK_TEXT(crossings_in(&player, 0.1f), "11000"); /* as after play */
    CHECK_NEAR(seen(&player), 11, 1e-4);
}

static void test_seek(void)
{
    player_t player = start(&walk, LOOP);
    seek(&player, 7.3);
    CHECK_NEAR(seen(&player), 13, 1e-4);
    CHECK_TEXT(crossings(&player), "00000");
    CHECK_TEXT(crossings_in(&player, 0.1f), "00001");
    play(&player, &walk, LOOP, 0.2f);
    advance(&player, 0.1f);
    seek(&player, 0.2); /* only the newest track jumps */
    CHECK_NEAR(seen(&player), (10 + 12) / 2.0, 1e-4);
}

static void test_seek_once(void)
{
    player_t player = start(&walk, ONCE);
    advance(&player, 99);
    seek(&player, 0.2);
    CHECK_NEAR(seen(&player), 12, 1e-4);
    CHECK(!player.finished);
    seek(&player, 99);
    CHECK_EQ(seen(&player), 14);
    CHECK(!player.finished);
    CHECK_EQ(advance(&player, 0.1f), FINISHED);
    seek(&player, -HUGE_VAL);
    CHECK_EQ(seen(&player), 10);
    seek(&player, HUGE_VAL);
    CHECK_EQ(seen(&player), 14);
}

static void test_seek_to_end(void)
{
    player_t player = start(&walk, ONCE);
    seek(&player, anim_length(&walk, ONCE));
    player.speed = -1;
    CHECK_NEAR(seen_after(&player, 0.15f), 12.5, 1e-4);
    CHECK_TEXT(crossings(&player), "00010");
}

static void test_speed(void)
{
    player_t player = start(&walk, LOOP);
    CHECK_EQ(player.speed, 1);
    player.speed = 2;
    CHECK_NEAR(seen_after(&player, 0.1f), 12, 1e-4);
    player.speed = -1;
    CHECK_NEAR(seen_after(&player, 0.1f), 11, 1e-4);
    player.speed = 0;
    CHECK_EQ(advance(&player, 1), 0);
    CHECK_TEXT(crossings(&player), "00000");
    CHECK_NEAR(seen(&player), 11, 1e-4);
    play(&player, &walk, LOOP, 0.2f);
    CHECK_EQ(player.speed, 1);
}

/* The walk plays backward from 13, also while it fades out. */
static void test_speed_of_each(void)
{
    player_t player = start(&walk, LOOP);
    seek(&player, 0.3);
    player.speed = -1;
    play(&player, &trot, LOOP, 0.2f);
    CHECK_EQ(player.speed, 1);
    CHECK_NEAR(seen_after(&player, 0.1f), (12 + 12) / 2.0, 1e-4);
    player.speed = 0.5f;
    CHECK_NEAR(seen_after(&player, 0.05f), 0.25 * 11.5 + 0.75 * 12.5, 1e-4);
    player.track[0].speed = 0;
    CHECK_NEAR(seen_after(&player, 0.025f), 0.125 * 11.5 + 0.875 * 12.75, 1e-4);
}

/* -- Unusual steps ----------------------------------------------------------------- */

static void test_step_of_zero(void)
{
    player_t player = start(&walk, LOOP);
    CHECK_TEXT(crossings_in(&player, 0), "00000");
    advance(&player, 0.5f);
    CHECK_EQ(advance(&player, 0), 0);
    CHECK_TEXT(crossings(&player), "00000");
    CHECK_NEAR(seen(&player), 10, 1e-4);
}

static void test_hitch(void)
{
    player_t player = start_fade(&stand_20, &walk, 0.2f);
    CHECK_EQ(advance(&player, 3600), LOOPED);
    CHECK_EQ(seen(&player), 10);
    CHECK_EQ(crossed(&player, &walk, 0), 7201);
    CHECK_EQ(crossed(&player, &walk, 1), 7200);
    CHECK_NEAR(seen_after(&player, 0.1f), 11, 1e-4);
}

static void test_unusual_steps(void)
{
    const float infinite = (float)HUGE_VAL, none = infinite - infinite;
    player_t player = start(&walk, LOOP);
    advance(&player, 0.125f);
    CHECK_EQ(advance(&player, infinite), 0);
    CHECK_EQ(advance(&player, -infinite), 0);
    CHECK_EQ(advance(&player, none), 0);
    CHECK_EQ(player.track[0].time, 0.125);
    advance(&player, -7200);
    CHECK_EQ(player.track[0].time, -7199.875);
    seek(&player, (double)none);
    player.speed = none;
    advance(&player, 1);
    CHECK_EQ(player.track[0].time, 0);
    play(&player, &walk, LOOP, 1); /* the older track has a speed of 0 */
    advance(&player, 0.25f);
    CHECK_EQ(player.track[0].time, 0);
    CHECK_EQ(player.track[1].time, 0.25);
    player.speed = infinite;
    advance(&player, 1);
    player.speed = 3e38f;
    advance(&player, 3e38f);
    advance(&player, 3e38f);
    seek(&player, HUGE_VAL);
    CHECK_EQ(player.track[player.track_count - 1].time, 0);
    (void)crossed(&player, &walk, 1);
}

static void test_far_events(void)
{
    static const float steps[2] = { 3e38f, 1073741824.0f }; /* the second: 2^31 rounds */
    for (int i = 0; i < 2; ++i) {
        player_t player = start(&walk, LOOP);
        check_scene("a step of %g s", (double)steps[i]);
        CHECK_EQ(advance(&player, steps[i]), LOOPED);
        CHECK_EQ(crossed(&player, &walk, 2), 2147483647);
        CHECK_EQ(crossed(&player, &walk, 0xFFFFFFFFu), 0);
    }
}

/* -- Every rate and count ---------------------------------------------------------- */

static void check_ends(const anim_t *anim, uint32_t count, float seconds, float speed)
{
    player_t player = start(anim, ONCE);
    uint32_t    end = speed > 0 ? count - 1 : 0, events = 0;
    check_step("once, in steps of %g s, speed %g", (double)seconds, (double)speed);
    if (speed < 0) seek(&player, 1e9);
    player.speed = speed;
    for (int step = 0; step < 1000 && !events; ++step) {
        events = advance(&player, seconds);
        CHECK_EQ(crossed(&player, anim, end), events == FINISHED);
    }
    CHECK(player.finished);
    CHECK_EQ(advance(&player, seconds), 0);
    CHECK_EQ(crossed(&player, anim, end), 0);
    CHECK(player.finished);
}

static void check_cycles(const anim_t *anim, float seconds)
{
    player_t player = start(anim, LOOP);
    check_step("a loop, in steps of %g s", (double)seconds);
    advance(&player, 1e-6f);
    for (int step = 0; step < 50; ++step) {
        bool looped = advance(&player, seconds) == LOOPED;
        CHECK_EQ(crossed(&player, anim, 0) > 0, looped);
    }
}

static void test_all_rates(void)
{
    uint32_t step = check_is_quick() ? 11 : 1;
    for (uint32_t rate = 1; rate <= 122; rate += step) {
        float fps = rate == 121 ? 29.97f : rate == 122 ? 23.976f : (float)rate;
        for (uint32_t count = 2; count <= 200; ++count) {
            anim_t anim = frames_at(10, count, fps);
            float length = (float)anim_length(&anim, ONCE);
            check_scene("%u frames, %g a second", count, (double)fps);
            check_ends(&anim, count, 1.5f * length, 1);
            check_ends(&anim, count, length * 0.15f, count % 2 ? 1.0f : -0.7f);
            if (count % 16 == 0) check_ends(&anim, count, 1.0f / fps, 1);
        }
        for (uint32_t count = 1; count <= 20; ++count) {
            anim_t anim = frames_at(10, count, fps);
            check_scene("%u frames, %g a second", count, (double)fps);
            check_cycles(&anim, 1.0f / fps);
        }
    }
}

/* -- The list of tests -------------------------------------------------------- */

static void run_player_tests(void)
{
    walk = frames_at(10, 5, 10);
    trot = frames_at(10, 5, 20);
    one_1 = frames_at(1, 1, 10);
    stand_20 = frames_at(20, 1, 10);
    run_60 = frames_at(60, 1, 10);
    jump_80 = frames_at(80, 1, 10);
    RUN(test_zeroed, "a player that is all zero plays nothing, and takes every call");
    RUN(test_not_zeroed, "a player that was not zeroed plays nothing, and is zeroed by the first play");
    RUN(test_play, "an animation begins at its first frame and goes on at its rate");
    RUN(test_playing, "playing returns true for the newest animation as soon as it fades in");
    RUN(test_playing_without_motion, "playing returns true also for a track that is finished, paused or stopped");
    RUN(test_play_each_frame, "an animation that is played again in each frame starts only once");
    RUN(test_fade, "a fade goes evenly from one animation to the next");
    RUN(test_play_nothing, "playing NULL fades to the pose without an animation");
    RUN(test_no_frames, "an animation without frames plays as NULL does");
    RUN(test_no_fade, "with a fade of 0 or less, only the next animation shows, immediately");
    RUN(test_fade_in_motion, "animations go on while one fades into the other");
    RUN(test_fade_over_fade, "a fade during a fade begins at the current pose, without a jump");
    RUN(test_fade_by_clock, "a fade takes its time at any speed, also in backward steps");
    RUN(test_fifth_waits, "a fifth animation waits unseen until one of four has faded in");
    RUN(test_sixth_replaces, "a sixth animation replaces the one that waits");
    RUN(test_endless_fade, "a fade without end ends when a waiting animation has to begin");
    RUN(test_edited_fade, "a fade that a program cuts short is over");
    RUN(test_edited_fade_of_waiting, "the fade of a waiting animation is also over if a program cuts it short");
    RUN(test_in_phase, "in phase, walk and trot continue together from the position of the walk");
    RUN(test_in_phase_and_back, "gaits that change back and forth during their fades all stay in phase");
    RUN(test_in_phase_past_once, "an animation that is not in phase does not change the pace of loops in phase");
    RUN(test_in_phase_with_the_newest, "a loop is in phase only with the newest loop before it");
    RUN(test_in_phase_backwards, "in phase with a backward walk, a walk slows down and reverses");
    RUN(test_in_phase_with_none, "without another loop, play_in_phase does the same as play");
    RUN(test_in_phase_with_two_frames, "two frames are also a loop");
    RUN(test_in_phase_before_begun, "in phase with a loop that has not moved yet, a loop still fires its first frame");
    RUN(test_in_phase_below_another, "the same if another animation plays over the loop that has not moved yet");
    RUN(test_in_phase_once_begun, "a loop has begun if its time has changed in any way");
    RUN(test_in_phase_with_no_speed, "a loop with a speed of 0 begins when the loop in phase moves it");
    RUN(test_in_phase_at_once, "without a fade, a loop in phase continues at the position of the other");
    RUN(test_in_phase_unseen, "if no loop has weight, the oldest sets the pace");
    RUN(test_in_phase_and_seek, "after a seek, a loop is no longer in phase");
    RUN(test_loop, "a loop blends its last frame into its first, and reports each new cycle");
    RUN(test_once, "once stops at the last frame, and reports it one time");
    RUN(test_once_backwards, "at a negative speed, once leaves its end immediately and finishes at its start");
    RUN(test_once_from_end_to_end, "a step from one end of once to the other finishes there");
    RUN(test_ping_pong, "ping-pong goes to the last frame and back, and reports its start");
    RUN(test_one_frame, "an animation of one frame does not move, and has its events");
    RUN(test_crossed, "each frame fires in the step that reaches it, and not again (crossed)");
    RUN(test_crossed_backwards, "frames also fire in the step that reaches them backward (crossed)");
    RUN(test_crossed_in_cycles, "a long step crosses each frame once per pass");
    RUN(test_crossed_of_another, "frames of an animation that does not play are not crossed");
    RUN(test_footsteps, "steps of any size cross a frame equally often in a minute");
    RUN(test_years, "after thirty years poses and footsteps are the same as in the first minute");
    RUN(test_pause, "a pause keeps pose and fade, fires nothing, and ends with play");
    RUN(test_stop, "stop shows only the first frame, until the player continues from it");
    RUN(test_seek, "seek jumps without events, and the next step counts from there");
    RUN(test_seek_once, "seek to an end of once does not finish it");
    RUN(test_seek_to_end, "played backward from the end, the last frame is not crossed");
    RUN(test_speed, "speed 2 plays twice as fast, -1 backward, 0 not at all; play sets it to 1");
    RUN(test_speed_of_each, "an older animation goes on at its own speed");
    RUN(test_step_of_zero, "a step of 0 moves nothing and crosses nothing");
    RUN(test_hitch, "a step of an hour ends in the same state as many short steps");
    RUN(test_unusual_steps, "infinite and NaN steps count as 0");
    RUN(test_far_events, "a frame is crossed at most 2,147,483,647 times");
}

static void run_long_tests(void)
{
    RUN(test_any_steps, "fades have the same result for any division of a second into steps");
    RUN(test_in_phase_any_steps, "up to four loops in phase have the same result for steps of any size");
    RUN(test_all_rates, "the ends of an animation are crossed in the steps that report LOOPED or FINISHED");
}
