/* One number in an animation: the float of strtof or one beside it, or refused from 1e9 on. */
#include "fuzz.h"

#include "md5_model.h"

FUZZ_UNSEEN_BEGIN

static const char fuzz_number_head[] =
    "MD5Version 10 numFrames 1 numJoints 1 frameRate 24 numAnimatedComponents 1 hierarchy{a -1 1 0}"
    "baseframe{(0 0 0)(0 0 0)}frame 0{ ";

enum { FUZZ_NUMBER = 400 };

/* At most one unit in the last place apart, with the same sign. */
static int fuzz_is_close(float a, float b)
{
    uint32_t x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return (x ^ y) >> 31 == 0 && x - y + 1 <= 2;
}

static void fuzz_numbers(const uint8_t *data, size_t size)
{
    char text[sizeof fuzz_number_head + FUZZ_NUMBER + 8],
        *digits = text + sizeof fuzz_number_head - 1, *end;
    size_t length = 0;
    fuzz_input input;
    md5_options options;
    md5_anim *anim;
    float want;
    int is_number;
    fuzz_start_memory(0, 0);
    input = fuzz_open(data, size);
    memcpy(text, fuzz_number_head, sizeof fuzz_number_head);
    while (length < input.size && length < FUZZ_NUMBER && input.data[length] &&
           strchr("0123456789+-.eE", input.data[length])) {
        digits[length] = (char)input.data[length];
        ++length;
    }
    digits[length] = 0;
    want = strtof(digits, &end);
    memcpy(digits + length, " }", 3);
    fuzz_measure(16384, 0);
    memset(&input, 0, sizeof input);
    options = fuzz_md5_options(&input);
    anim = md5_load_anim_memory(text, strlen(text), NULL, &options, NULL);
    is_number = length > 0 && end == digits + length;
    FUZZ_CHECK(anim ? is_number && fuzz_is_close(anim->frames[0].position[0], want)
                    : !is_number || want >= 1e9f || want <= -1e9f);
    md5_free_anim(anim);
    FUZZ_CHECK(fuzz_memory.live_blocks == 0);
}

/* A number near the middle between two floats: there the last digit decides. */
static size_t fuzz_put_middle(char *out, size_t room, fuzz_dice *dice)
{
    uint32_t bits = fuzz_throw(dice) & 0x7FFFFFFFu, next;
    float low, high;
    int length;
    if (bits >= 0x7F7FFFFFu) bits = 0x3F800000u;
    if (fuzz_below(dice, 6) == 0) bits &= 0x00FFFFFFu;
    next = bits + 1;
    memcpy(&low, &bits, sizeof low);
    memcpy(&high, &next, sizeof high);
    length = snprintf(out, room, "%.*e", 6 + (int)fuzz_below(dice, 150),
                      ((double)low + (double)high) / 2);
    return length > 0 && (size_t)length < room ? (size_t)length : 0;
}

static size_t fuzz_mutate_number(uint8_t *data, size_t size, size_t max, fuzz_dice *dice)
{
    static const char letters[] = "0123456789012345678999000+-.eE";
    char middle[220];
    size_t at = size ? fuzz_below(dice, size) : 0, length;
    char letter = letters[fuzz_below(dice, sizeof letters - 1)];
    switch (fuzz_below(dice, 5)) {
    case 0:
        length = fuzz_put_middle(middle, sizeof middle, dice);
        return fuzz_splice(data, size, max, 0, size, middle, length);
    case 1: return fuzz_splice(data, size, max, at, 0, &letter, 1);
    case 2: return size ? fuzz_splice(data, size, max, at, 1, NULL, 0) : 0;
    case 3: return size ? fuzz_splice(data, size, max, at, 1, &letter, 1) : 0;
    default: return fuzz_mutate_bytes(data, size, max, dice);
    }
}

FUZZ_UNSEEN_END

FUZZ_ENTRY(numbers, fuzz_mutate_number)
