/* damage.h: changes files to damage them. The fuzzers ask for one random change; test_fuzz makes all changes of
   some kinds in order, then random changes. Public domain. */
#ifndef FUZZ_DAMAGE_H_INCLUDED
#define FUZZ_DAMAGE_H_INCLUDED

FUZZ_UNSEEN_BEGIN

/* -- Bytes ----------------------------------------------------------------- */

/* Replaces `removed` bytes by `length` other bytes. Does nothing if the result would be too large. */
FUZZ_HELPER size_t fuzz_splice(uint8_t *data, size_t size, size_t max, size_t at, size_t removed,
                               const void *with, size_t length)
{
    if (size - removed + length > max) return size;
    memmove(data + at + length, data + at + removed, size - at - removed);
    if (length) memcpy(data + at, with, length);
    return size - removed + length;
}

/* New values for a word of 32 bits: values that programs often forget, neighbors of the old value, and the old
   value with one bit inverted. */
enum { FUZZ_STRANGE_WORDS = 42 };

FUZZ_HELPER uint32_t fuzz_strange_word(uint32_t i, uint32_t word)
{
    static const uint32_t forgotten[] = { 0,           1,           0xFFFFFFFFu, 0x7FFFFFFFu,
                                          0x80000000u, 0x7FFFFFFEu, 0xFFFFu,     0x10000u };
    if (i < 8) return forgotten[i];
    return i == 8 ? word - 1 : i == 9 ? word + 1 : word ^ (uint32_t)1 << (i - 10) % 32;
}

/* Reads a little-endian word. */
FUZZ_HELPER uint32_t fuzz_get_word(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

FUZZ_HELPER void fuzz_put_word(uint8_t *at, uint32_t word)
{
    for (int i = 0; i < 4; ++i) at[i] = (uint8_t)(word >> 8 * i);
}

/* Changes, inserts, removes or copies one to four bytes, or replaces a word by an unusual value, or cuts off the
   end. */
static size_t fuzz_edit_once(uint8_t *data, size_t size, size_t max, fuzz_dice *dice)
{
    static const uint8_t strange[] = { 0, 0, 1, 127, 128, 255 };
    uint8_t bytes[4];
    size_t i, width = (size_t)1 << fuzz_below(dice, 3);
    size_t at = fuzz_below(dice, size + 1), from = fuzz_below(dice, size + 1);
    uint32_t kind = fuzz_below(dice, 7), word = fuzz_below(dice, FUZZ_STRANGE_WORDS);
    for (i = 0; i < width; ++i)
        bytes[i] = fuzz_below(dice, 2) ? (uint8_t)fuzz_throw(dice) : FUZZ_PICK(dice, strange);
    if (from + width <= size && fuzz_below(dice, 3) == 0) memcpy(bytes, data + from, width);

    if (kind == 0) return fuzz_splice(data, size, max, at, 0, bytes, width);
    if (kind == 1 && word < 4) return at;
    if (at + width > size) return size;
    if (kind == 1) return fuzz_splice(data, size, max, at, width, NULL, 0);
    if (kind < 4) data[at] = (uint8_t)(data[at] + fuzz_below(dice, 33) - 16);
    else if (kind == 4 && width == 4)
        fuzz_put_word(data + at, fuzz_strange_word(word, fuzz_get_word(data + at)));
    else memcpy(data + at, bytes, width);
    return size;
}

/* Used instead of libFuzzer's own mutator. */
FUZZ_HELPER size_t fuzz_edit_bytes(uint8_t *data, size_t size, size_t max, fuzz_dice *dice)
{
    for (uint32_t edits = 1 + fuzz_below(dice, 3); edits; --edits)
        size = fuzz_edit_once(data, size, max, dice);
    return size;
}

/* -- Changes of each target --------------------------------------------------- */

/* Changes a file of `size` bytes that may grow to `max`, and returns its new size. */
typedef size_t fuzz_mutator(uint8_t *data, size_t size, size_t max, fuzz_dice *dice);

#ifdef __cplusplus
extern "C"
#endif
    size_t
    LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

FUZZ_HELPER size_t fuzz_mutate_bytes(uint8_t *data, size_t size, size_t max, fuzz_dice *dice)
{
    (void)dice;
    size = max ? LLVMFuzzerMutate(data, size, max) : 0;
    FUZZ_KNOWN(data, size);
    return size;
}

/* Finds the first token of a text that ends after `at`, in the syntax of both text formats of Doom 3. */
static size_t fuzz_find_token(const uint8_t *data, size_t size, size_t at, size_t *length)
{
    size_t end;
    while (at > 0 && at < size && data[at - 1] > ' ') --at;
    while (at < size && data[at] <= ' ') ++at;
    for (end = at; end < size && data[end] > ' ';) ++end;
    *length = end - at;
    return at;
}

/* Writes the name that follows a token: after "run07" comes "run08". */
static size_t fuzz_next_name(char *out, const uint8_t *token, size_t length, uint32_t step)
{
    size_t digits = length;
    while (digits > 0 && length - digits < 8 && token[digits - 1] >= '0' && token[digits - 1] <= '9')
        --digits;
    unsigned number = digits < length ? (unsigned)atoi((const char *)token + digits) + step : step;
    return (size_t)sprintf(out, "\n%.*s%0*u", (int)digits, (const char *)token,
                           (int)(length - digits), number);
}

/* Finds the first integer of a text after `at`, between spaces; returns `size` if there is none. */
FUZZ_HELPER size_t fuzz_find_number(const uint8_t *data, size_t size, size_t at, size_t *length)
{
    for (*length = 0; at < size; at += *length) {
        size_t digits = 0;
        while (at > 0 && at < size && data[at - 1] > ' ') ++at; /* the rest of a token */
        at = fuzz_find_token(data, size, at, length);
        while (digits < *length && data[at + digits] >= '0' && data[at + digits] <= '9') ++digits;
        if (digits == *length && digits > 0 && digits < 10) break;
    }
    return at;
}

enum { FUZZ_STRANGE_NUMBERS = 4 };

/* Changes an integer: 0 = add 1, 1 = subtract 1, 2 = the largest of 32 bits, 3 = the largest minus 1. */
FUZZ_HELPER size_t fuzz_change_number(uint8_t *data, size_t size, size_t max, size_t at,
                                      size_t length, uint32_t kind)
{
    char text[16] = "";
    memcpy(text, data + at, length < 10 ? length : 10);
    int number = atoi(text);
    sprintf(text, "%d", kind == 0 ? number + 1 : kind == 1 ? number - 1 : INT32_MAX - (kind == 3));
    return fuzz_splice(data, size, max, at, length, text, strlen(text));
}

/* Removes a token, repeats it, replaces it by another token of the text or by an extreme number, or increases the
   number in its name; or changes a number slightly. */
FUZZ_HELPER size_t fuzz_mutate_tokens(uint8_t *data, size_t size, size_t max, fuzz_dice *dice)
{
    static const char *const numbers[] = {
        "0", "-1", "1", "2", "-0", "63", "64", "65535", "65536", "2147483647", "2147483648",
        "4294967295", "4294967296", "18446744073709551616", "1e9", "-1e9", "1.0000001e9", "1e39",
        "1e-45", "1e-400", "nan", "-1.#IND", "0.30000000000000004", "."
    };
    uint8_t kept[64];
    char next[96];
    size_t length, other_length;
    const char *number = FUZZ_PICK(dice, numbers);
    size_t at = fuzz_find_token(data, size, fuzz_below(dice, size + 1), &length);
    size_t other = fuzz_find_token(data, size, fuzz_below(dice, size + 1), &other_length);
    if (other_length > sizeof kept - 1) other_length = sizeof kept - 1;
    memcpy(kept, data + other, other_length);
    kept[other_length] = ' ';
    switch (fuzz_below(dice, 11)) {
    case 0: return fuzz_splice(data, size, max, at, length, NULL, 0);
    case 1: return fuzz_splice(data, size, max, other, 0, kept, other_length + 1);
    case 2: return fuzz_splice(data, size, max, at, 0, kept, other_length + 1);
    case 3: return fuzz_splice(data, size, max, at, length, kept, other_length);
    case 4:
    case 5: return fuzz_splice(data, size, max, at, length, number, strlen(number));
    case 6:
    case 7:
        length = fuzz_next_name(next, kept, other_length,
                               fuzz_below(dice, 4) ? 1 : fuzz_below(dice, 1000));
        return fuzz_splice(data, size, max, other + other_length, 0, next, length);
    case 8:
        at = fuzz_find_number(data, size, at, &length);
        if (at == size) return size;
        return fuzz_change_number(data, size, max, at, length, fuzz_below(dice, FUZZ_STRANGE_NUMBERS));
    default: return fuzz_mutate_bytes(data, size, max, dice);
    }
}

/* -- Input: the file and the bytes after it ----------------------------------- */

static void fuzz_mutate_tail(uint8_t tail[FUZZ_TAIL], fuzz_dice *dice)
{
    uint32_t at = fuzz_below(dice, FUZZ_TAIL);
    uint8_t bits = (uint8_t)fuzz_throw(dice);
    if (fuzz_below(dice, 8) == 0)
        memset(tail, 0, 8);
    else
        tail[at] = at > 0 && fuzz_below(dice, 2) ? bits & 127 : bits;
}

/* Changes the file with the target's mutator, and the tail separately. */
FUZZ_HELPER size_t fuzz_mutate(uint8_t *data, size_t size, size_t max, unsigned seed,
                               fuzz_mutator *mutator)
{
    fuzz_dice dice = { 0, NULL, NULL };
    uint8_t tail[FUZZ_TAIL] = { 0 };
    size_t body = size;
    dice.state = seed;
    fuzz_throw(&dice);
    if (max <= FUZZ_TAIL) return fuzz_mutate_bytes(data, size, max, &dice);
    if (size >= FUZZ_TAIL) {
        body = size - FUZZ_TAIL;
        memcpy(tail, data + body, FUZZ_TAIL);
    } else if (body > max - FUZZ_TAIL) {
        body = max - FUZZ_TAIL;
    }
    if (fuzz_below(&dice, 6) == 0)
        fuzz_mutate_tail(tail, &dice);
    else
        body = mutator(data, body, max - FUZZ_TAIL, &dice);
    memcpy(data + body, tail, FUZZ_TAIL);
    return body + FUZZ_TAIL;
}

FUZZ_UNSEEN_END

#endif /* FUZZ_DAMAGE_H_INCLUDED */
