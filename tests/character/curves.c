/* Curves: the course of a channel, as text. Public domain. */
#include "character.h"

enum { MAX_KEYS = 24 };

typedef struct curve {
    double frame[MAX_KEYS], value[MAX_KEYS];
    int    straight[MAX_KEYS], count;
} curve;

static double read_number(const char **text)
{
    double sign = 1, value = 0, digit = 0;
    while (**text == ' ') ++*text;
    if (**text == '-') sign = -1, ++*text;
    for (; (**text >= '0' && **text <= '9') || **text == '.'; ++*text) {
        if (**text == '.') digit = 1;
        else value = value * 10 + (**text - '0'), digit *= 10;
    }
    return sign * value / (digit > 0 ? digit : 1);
}

static void read_keys(curve *c, const char *text)
{
    for (c->count = 0; *text && c->count < MAX_KEYS; ++c->count) {
        c->frame[c->count] = read_number(&text);
        if (*text++ != ':') abort();
        c->value[c->count] = read_number(&text);
        c->straight[c->count] = *text == '=';
        text += *text == '=';
    }
}

/* Key i of a curve, also before its first and behind its last: there a loop of so many frames goes
   round, and what is played once (round 0) stays. */
static void key_at(const curve *c, int i, double round, double *frame, double *value)
{
    int beyond = i < 0 ? i : i >= c->count ? i - c->count + 1 : 0;
    if (round > 0) i -= beyond < 0 ? -c->count : beyond > 0 ? c->count : 0;
    else i -= beyond;
    *frame = c->frame[i] + (round <= 0 ? beyond : beyond < 0 ? -round : beyond > 0 ? round : 0);
    *value = c->value[i];
}

static int is_straight(const curve *c, int i, double round)
{
    if (i >= 0 && i < c->count) return c->straight[i];
    return round > 0 && c->straight[i < 0 ? i + c->count : i - c->count];
}

/* Slope at key i: that of a straight side, none at a peak, else the gentler mean of both sides. */
static double key_slope(const curve *c, int i, double round)
{
    double f[3], v[3], before, behind;
    int    k;
    for (k = 0; k < 3; ++k) key_at(c, i - 1 + k, round, &f[k], &v[k]);
    before = (v[1] - v[0]) / (f[1] - f[0]);
    behind = (v[2] - v[1]) / (f[2] - f[1]);
    if (is_straight(c, i - 1, round)) return before;
    if (is_straight(c, i, round)) return behind;
    if (before * behind <= 0) return 0;
    return 2 * before * behind / (before + behind);
}

static double keys_at(const curve *c, double frame, double round)
{
    double f0, f1, v0, v1, t, d;
    int    i;
    if (c->count == 1) return c->value[0];
    if (round > 0) frame -= floor((frame - c->frame[0]) / round) * round;
    else frame = clamp(frame, c->frame[0], c->frame[c->count - 1]);
    for (i = c->count - 1; i > 0 && c->frame[i] > frame; --i) {}
    key_at(c, i, round, &f0, &v0);
    key_at(c, i + 1, round, &f1, &v1);
    d = f1 - f0;
    t = (frame - f0) / d;
    if (is_straight(c, i, round)) return mix(v0, v1, t);
    return v0 + t * t * (3 - 2 * t) * (v1 - v0) +
           d * t * (1 - t) * ((1 - t) * key_slope(c, i, round) - t * key_slope(c, i + 1, round));
}

double curve_at(const char *text, double frame, double frames, int loops)
{
    curve c;
    if (*text == '~') {
        double height, rounds, phase;
        ++text;
        height = read_number(&text);
        rounds = read_number(&text);
        phase = read_number(&text);
        return height * sine(360 * (frame * rounds / frames + phase));
    }
    read_keys(&c, text);
    return keys_at(&c, frame, loops ? frames : 0);
}
