/* Curves: the values of a channel over time, written as text. Public domain. */
#include "character.h"

enum { MAX_KEYS = 24, AROUND = 2 };

typedef struct key {
    double frame, value;
    int    straight;
} key;

static double read_number(const char **text)
{
    char  *end;
    double number = strtod(*text, &end);
    *text = end;
    return number;
}

/* Reads keys and returns their number. Adds AROUND keys before and after them. In a loop of `round` frames, these are
   the keys from the other end of the loop. In an animation that plays once (`round` is 0), they are copies of the first
   and the last key. */
static int read_keys(key *k, const char *text, double round)
{
    int count;
    for (count = 0; *text && count < MAX_KEYS; ++count) {
        key *to = &k[AROUND + count];
        to->frame = read_number(&text);
        if (*text++ != ':') abort();
        to->value = read_number(&text);
        to->straight = *text == '=';
        text += to->straight;
    }
    for (int i = 0; i < AROUND; ++i) {
        key *before = &k[AROUND - 1 - i], *behind = &k[AROUND + count + i];
        *before = round > 0 ? before[count] : before[1];
        *behind = round > 0 ? behind[-count] : behind[-1];
        before->frame -= round > 0 ? round : 1;
        behind->frame += round > 0 ? round : 1;
    }
    return count;
}

/* Returns the slope at a key: next to a straight line, the slope of the line; at a peak, 0; otherwise the harmonic mean
   of the slopes on both sides. */
static double key_slope(const key *k)
{
    double before = (k[0].value - k[-1].value) / (k[0].frame - k[-1].frame);
    double behind = (k[1].value - k[0].value) / (k[1].frame - k[0].frame);
    if (k[-1].straight) return before;
    if (k[0].straight) return behind;
    if (before * behind <= 0) return 0;
    return 2 * before * behind / (before + behind);
}

static double interpolate_keys(const char *text, double frame, double round)
{
    key    keys[MAX_KEYS + 2 * AROUND], *first = keys + AROUND, *k;
    int    count = read_keys(keys, text, round);
    if (round > 0) frame -= floor((frame - first->frame) / round) * round;
    else frame = clamp(frame, first->frame, first[count - 1].frame);
    for (k = first + count - 1; k > first && k->frame > frame; --k) {}
    double d = k[1].frame - k->frame;
    double t = (frame - k->frame) / d;
    if (k->straight) return mix(k->value, k[1].value, t);
    return k->value + t * t * (3 - 2 * t) * (k[1].value - k->value) +
           d * t * (1 - t) * ((1 - t) * key_slope(k) - t * key_slope(k + 1));
}

double curve_at(const char *text, double frame, double frames, int loops)
{
    if (*text == '~') {
        ++text;
        double height = read_number(&text);
        double rounds = read_number(&text);
        double phase = read_number(&text);
        return height * sine(360 * (frame * rounds / frames + phase));
    }
    return interpolate_keys(text, frame, loops ? frames : 0);
}
