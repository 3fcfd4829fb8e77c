/* times.h: the time of an animation in poses, for both libraries. Include it after

       names_md2.h or names_md5.h
       USUAL_RATE                         the rate of an animation that has none
       const anim_t *counting_anim(float fps)   an animation of five frames, which show 0 to 4
       double value_at(const anim_t *, play_mode_t, double seconds)   the value; also checks the pose

   Public domain. */

static void test_lengths(void)
{
    const anim_t *anim = counting_anim(10);
    CHECK_NEAR(anim_length(anim, LOOP), 0.5, 1e-12);
    CHECK_NEAR(anim_length(anim, ONCE), 0.4, 1e-12);
    CHECK_NEAR(anim_length(anim, PING_PONG), 0.8, 1e-12);
    CHECK_EQ(anim_length(NULL, LOOP), 0);
}

static const char *const names_of_modes[3] = { "loop", "once", "ping-pong" };

/* Times before the start, after the end, and nearer to a frame than a float can represent. */
static void test_values_at_times(void)
{
    static const struct { play_mode_t mode; double seconds, value; } cases[] = {
        { LOOP, 2.5, 2.5 },       { LOOP, 4.5, 2 },
        { LOOP, -1, 4 },          { LOOP, 3 - 1e-12, 3 },
        { LOOP, 5 - 1e-12, 0 },   { ONCE, -3, 0 },
        { ONCE, 4 - 1e-12, 4 },   { ONCE, 1e300, 4 },
        { PING_PONG, 5, 3 },      { PING_PONG, -1, 1 }
    };
    const anim_t *anim = counting_anim(1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_step("%s at %.15g s", names_of_modes[cases[i].mode], cases[i].seconds);
        CHECK_EQ(value_at(anim, cases[i].mode, cases[i].seconds), cases[i].value);
    }
}

/* The pose at k / fps is exactly frame k, both at rates whose reciprocal is exact and at other rates. */
static void test_frames_at_times(void)
{
    static const float rates[] = { 8, 10, 24, 7, 60, 0.3f };
    for (int r = 0; r < 6; ++r) {
        const anim_t *anim = counting_anim(rates[r]);
        double off = r == 0 ? 0 : 1e-5;
        check_scene("%g frames a second", (double)rates[r]);
        for (int k = 0; k < 200; ++k) {
            double seconds = k / (double)rates[r];
            check_step("at %d / rate s", k);
            CHECK_NEAR(value_at(anim, LOOP, seconds), k % 5, off);
            CHECK_NEAR(value_at(anim, ONCE, seconds), k < 4 ? k : 4, off);
            CHECK_NEAR(value_at(anim, PING_PONG, seconds), k % 8 < 5 ? k % 8 : 8 - k % 8, off);
        }
    }
}

/* No clock returns such times, but each must give a pose. NaN counts as 0, and so does infinity in a mode
   without an end. A rate that is not a positive number counts as the usual rate. */
static void test_unusual_times(void)
{
    const double none = HUGE_VAL - HUGE_VAL;
    const float  rates[3] = { (float)none, 0.0f, -1.0f };
    const anim_t *anim = counting_anim(1);
    random_source random = { 5 };
    for (int mode = 0; mode < 3; ++mode) {
        check_step("%s", names_of_modes[mode]);
        CHECK_EQ(value_at(anim, (play_mode_t)mode, HUGE_VAL), mode == ONCE ? 4 : 0);
        CHECK_EQ(value_at(anim, (play_mode_t)mode, -HUGE_VAL), 0);
        CHECK_EQ(value_at(anim, (play_mode_t)mode, none), 0);
    }
    /* Here the remainders are rounding errors: the remainder of this time is -2. */
    CHECK_NEAR(value_at(anim, LOOP, 11259015011259014.0), 2, 2);
    for (int i = 0; i < 20000; ++i) {
        double seconds = (random_unit(&random) - 0.5) * pow(10, 10 + i % 20);
        check_step("random time %d: %.17g s", i, seconds);
        CHECK_NEAR(value_at(anim, i % 2 ? LOOP : PING_PONG, seconds), 2, 2);
    }
    CHECK_EQ(value_at(counting_anim(3e38f), LOOP, 1e300), 0);
    for (int i = 0; i < 3; ++i) {
        anim = counting_anim(rates[i]);
        check_step("a rate of %g", (double)rates[i]);
        CHECK_NEAR(anim_length(anim, ONCE), 4 / USUAL_RATE, 1e-12);
        CHECK_NEAR(value_at(anim, LOOP, 2 / USUAL_RATE), 2, 1e-6);
    }
}
