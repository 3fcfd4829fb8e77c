/* fuzz.h: what every fuzz target needs: checks that end the program, memory that knows its blocks,
   options out of the input's last bytes, and tools for mutators.

   A target is a function fuzz_NAME(data, size) and a line FUZZ_ENTRY(NAME, mutator) at the end of
   its file, for libFuzzer; test_fuzz.c includes the same files and calls the same functions.
   Public domain. */
#ifndef FUZZ_H_INCLUDED
#define FUZZ_H_INCLUDED

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FUZZ_GUARD
  #include <sys/mman.h>
#endif

/* What the library does shall guide the fuzzer, not what these files do. */
#if defined(__clang__) && !defined(FUZZ_REPLAY)
  /* clang-format off: the string must stay in one piece */
  #define FUZZ_UNSEEN_BEGIN _Pragma( \
    "clang attribute push(__attribute__((no_sanitize(\"coverage\"))), apply_to = function)")
  /* clang-format on */
  #define FUZZ_UNSEEN_END _Pragma("clang attribute pop")
#else
  #define FUZZ_UNSEEN_BEGIN
  #define FUZZ_UNSEEN_END
#endif

#ifdef __GNUC__
  #define FUZZ_HELPER static __attribute__((unused))
#else
  #define FUZZ_HELPER static
#endif

FUZZ_UNSEEN_BEGIN

/* -- Checks --------------------------------------------------------------- */

/* As a crash, so that a fuzzer keeps the input. */
#define FUZZ_CHECK(cond) ((cond) ? (void)0 : fuzz_failed(__FILE__, __LINE__, #cond))

#ifdef FUZZ_REPLAY
static void fuzz_failed(const char *file, int line, const char *text);
#else
FUZZ_HELPER void fuzz_failed(const char *file, int line, const char *text)
{
    fprintf(stderr, "%s:%d: does not hold for the input that the fuzzer keeps: %s\n", file, line,
            text);
    abort();
}
#endif

FUZZ_HELPER bool fuzz_is_finite(double x) { return x - x == 0.0; }

FUZZ_HELPER void fuzz_check_finite(const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i) FUZZ_CHECK(fuzz_is_finite((double)numbers[i]));
}

/* -- Memory --------------------------------------------------------------- */

/* Blocks one behind the other in one array, emptied before each input: far quicker than malloc
   under AddressSanitizer, and as watchful, since all that is in no block is poisoned. */

#if defined(__has_feature)
  #if __has_feature(address_sanitizer)
    #define FUZZ_ASAN
  #elif __has_feature(memory_sanitizer)
    #define FUZZ_MSAN
  #endif
#elif defined(__SANITIZE_ADDRESS__)
  #define FUZZ_ASAN
#endif

#if defined(FUZZ_ASAN)
  #include <sanitizer/asan_interface.h>
  #define FUZZ_CLOSE(at, size)       __asan_poison_memory_region(at, size)
  #define FUZZ_OPEN(at, size)        (__asan_unpoison_memory_region(at, size), memset(at, 0xA5, size))
  #define FUZZ_INITIALISED(at, size) ((void)(at), (void)(size))
#elif defined(FUZZ_MSAN)
  #include <sanitizer/msan_interface.h>
  #define FUZZ_CLOSE(at, size)       __msan_poison(at, size)
  #define FUZZ_OPEN(at, size)        __msan_poison(at, size)
  #define FUZZ_INITIALISED(at, size) __msan_check_mem_is_initialized(at, size)
  #define FUZZ_KNOWN(at, size)       __msan_unpoison(at, size) /* libFuzzer does not say */
#else
  #define FUZZ_CLOSE(at, size)       memset(at, 0xDD, (size) < 4096 ? (size) : 4096)
  #define FUZZ_OPEN(at, size)        memset(at, 0xA5, size)
  #define FUZZ_INITIALISED(at, size) ((void)(at), (void)(size))
#endif

#ifndef FUZZ_KNOWN
  #define FUZZ_KNOWN(at, size) ((void)(at), (void)(size))
#endif

enum { FUZZ_ARENA = 8 << 20, FUZZ_BLOCKS = 64, FUZZ_GAP = 48 };

typedef struct fuzz_block {
    uint8_t *at;
    size_t size;
} fuzz_block;

static struct fuzz_memory {
    size_t top, highest; /* the arena in use, and where an input before this one reached */
    size_t live_bytes, live_blocks, peak_bytes, peak_blocks;
    size_t asked, allocations; /* all together, released or not */
    size_t limit, fail_at;     /* no more may be asked; the n-th fails and all after it, 0 = none */
    fuzz_block block[FUZZ_BLOCKS];
} fuzz_memory;

#ifdef FUZZ_GUARD
/* Without a sanitizer: each block ends at a page that ends the program when it is touched. */
enum { FUZZ_PAGE = 4096, FUZZ_SLOTS = 1024, FUZZ_SLOT = FUZZ_ARENA + FUZZ_PAGE };

static uint8_t *fuzz_map_slots(void)
{
    size_t i, bytes = (size_t)FUZZ_SLOTS * FUZZ_SLOT;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    uint8_t *slots = (uint8_t *)mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    FUZZ_CHECK(slots != MAP_FAILED);
    for (i = 1; i <= FUZZ_SLOTS; ++i)
        FUZZ_CHECK(mprotect(slots + i * FUZZ_SLOT - FUZZ_PAGE, FUZZ_PAGE, PROT_NONE) == 0);
    return slots;
}

/* `shift` below 16 asks for no alignment. */
FUZZ_HELPER uint8_t *fuzz_find_room(size_t size, size_t shift)
{
    static uint8_t *slots;
    size_t up = shift < 16 ? size : (size + 15) / 16 * 16;
    if (!slots) slots = fuzz_map_slots();
    FUZZ_CHECK(up < FUZZ_ARENA && fuzz_memory.top < FUZZ_SLOTS);
    return slots + ++fuzz_memory.top * FUZZ_SLOT - FUZZ_PAGE - up;
}
#else
static union {
    double aligned[2];
    uint8_t bytes[FUZZ_ARENA];
} fuzz_arena;

FUZZ_HELPER uint8_t *fuzz_find_room(size_t size, size_t shift)
{
    size_t begin = (fuzz_memory.top + FUZZ_GAP + 15) / 16 * 16 + shift;
    FUZZ_CHECK(size < FUZZ_ARENA && begin + size + FUZZ_GAP < FUZZ_ARENA);
    fuzz_memory.top = begin + size;
    if (fuzz_memory.highest < fuzz_memory.top + FUZZ_GAP)
        fuzz_memory.highest = fuzz_memory.top + FUZZ_GAP;
    return fuzz_arena.bytes + begin;
}
#endif

FUZZ_HELPER void fuzz_start_memory(void)
{
#ifndef FUZZ_GUARD
    FUZZ_CLOSE(fuzz_arena.bytes, fuzz_memory.highest ? fuzz_memory.highest : sizeof fuzz_arena);
#endif
    memset(&fuzz_memory, 0, offsetof(struct fuzz_memory, block));
}

/* Counts from here on, over the blocks that live. */
FUZZ_HELPER void fuzz_measure(size_t limit, size_t fail_at)
{
    fuzz_memory.asked = fuzz_memory.allocations = 0;
    fuzz_memory.peak_bytes = fuzz_memory.live_bytes;
    fuzz_memory.peak_blocks = fuzz_memory.live_blocks;
    fuzz_memory.limit = limit;
    fuzz_memory.fail_at = fail_at;
}

FUZZ_HELPER void *fuzz_take(size_t size, size_t shift)
{
    uint8_t *at = fuzz_find_room(size, shift);
    FUZZ_OPEN(at, size);
    return at;
}

FUZZ_HELPER void *fuzz_alloc(void *user, size_t size)
{
    FUZZ_CHECK(user == &fuzz_memory);
    fuzz_memory.asked += size;
    FUZZ_CHECK(fuzz_memory.asked <= fuzz_memory.limit);
    if (++fuzz_memory.allocations >= fuzz_memory.fail_at && fuzz_memory.fail_at) return NULL;
    FUZZ_CHECK(fuzz_memory.live_blocks < FUZZ_BLOCKS);
    fuzz_block *block = &fuzz_memory.block[fuzz_memory.live_blocks++];
    block->at = (uint8_t *)fuzz_take(size, 16);
    block->size = size;
    fuzz_memory.live_bytes += size;
    if (fuzz_memory.peak_bytes < fuzz_memory.live_bytes)
        fuzz_memory.peak_bytes = fuzz_memory.live_bytes;
    if (fuzz_memory.peak_blocks < fuzz_memory.live_blocks)
        fuzz_memory.peak_blocks = fuzz_memory.live_blocks;
    return block->at;
}

FUZZ_HELPER void fuzz_release(void *user, void *at, size_t size)
{
    size_t i = fuzz_memory.live_blocks;
    FUZZ_CHECK(user == &fuzz_memory);
    while (i > 0 && fuzz_memory.block[i - 1].at != at) --i;
    FUZZ_CHECK(i > 0);
    FUZZ_CHECK(fuzz_memory.block[i - 1].size == size);
    fuzz_memory.block[i - 1] = fuzz_memory.block[--fuzz_memory.live_blocks];
    fuzz_memory.live_bytes -= size;
    FUZZ_CLOSE(at, size);
}

/* What a file of this size may make a library ask for, scratch and the read file included. */
FUZZ_HELPER size_t fuzz_memory_bound(size_t size, bool reader)
{
    return 32 * size + 4096 + (reader ? 3 * ((size_t)65536 + size) : 0);
}

/* Two results of one file, in blocks of one size: each word is the same, or lies as far inside.
   What lies between the arrays is known to all but MemorySanitizer. */
FUZZ_HELPER void fuzz_check_same(const void *a, const void *b, size_t size)
{
#ifndef FUZZ_MSAN
    uintptr_t one, two;
    for (size_t i = 0; i + sizeof one <= size; i += sizeof one) {
        memcpy(&one, (const char *)a + i, sizeof one);
        memcpy(&two, (const char *)b + i, sizeof two);
        FUZZ_CHECK(one == two || one - (uintptr_t)a == two - (uintptr_t)b);
    }
#else
    (void)a, (void)b, (void)size;
#endif
}

/* After a load: one block where there is a result, else none; at most one more on the way. */
FUZZ_HELPER void fuzz_check_memory(size_t live, size_t blocks_before, size_t bytes_before)
{
    FUZZ_CHECK(fuzz_memory.live_bytes - bytes_before == live);
    FUZZ_CHECK(fuzz_memory.live_blocks - blocks_before == (live ? 1u : 0u));
    FUZZ_CHECK(fuzz_memory.peak_blocks - blocks_before <= 2);
}

/* -- Dice ----------------------------------------------------------------- */

/* As long as there is a script, its bytes are what falls: so a fuzzer can change one decision. */
typedef struct fuzz_dice {
    uint64_t state;
    const uint8_t *script, *script_end;
} fuzz_dice;

FUZZ_HELPER uint32_t fuzz_throw(fuzz_dice *dice)
{
    if (dice->script < dice->script_end) return *dice->script++;
    dice->state = dice->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((dice->state ^ dice->state >> 22) >> 29);
}

FUZZ_HELPER uint32_t fuzz_below(fuzz_dice *dice, size_t limit)
{
    if (dice->script < dice->script_end && limit) return *dice->script++ % (uint32_t)limit;
    return (uint32_t)(((uint64_t)fuzz_throw(dice) * (uint32_t)limit) >> 32);
}

#define FUZZ_COUNT(list)      (sizeof(list) / sizeof(list)[0])
#define FUZZ_PICK(dice, list) ((list)[fuzz_below(dice, FUZZ_COUNT(list))])

/* No static lists: not every compiler calls minus infinity a constant. */
FUZZ_HELPER float fuzz_strange_float(uint32_t i)
{
    const float list[] = {
        0.0f,    1.0f,       0.5f,   2.0f,  1e-3f, 100.0f, 1e30f,    FLT_MIN,         1e-45f,
        FLT_MAX, 0.0254f,    1e-30f, -0.0f, -1.0f, -1e30f, -FLT_MAX, (float)HUGE_VAL, -(float)HUGE_VAL,
        NAN,     16777216.0f
    };
    return list[i % FUZZ_COUNT(list)];
}

FUZZ_HELPER double fuzz_strange_time(uint32_t i)
{
    const double list[] = { 0.0,         0.1,       0.05,        1.0,
                            -0.1,        1e9,       -1e9,        4503599627370495.5,
                            1e18,        -1e18,     1e300,       -1e300,
                            DBL_MAX,     -DBL_MAX,  1e-300,      5e-324,
                            HUGE_VAL,    -HUGE_VAL, (double)NAN, 0.30000000000000004,
                            2147483648.0 };
    return list[i % FUZZ_COUNT(list)];
}

/* A number that a caller might pass by mistake, or one that nobody minds. */
FUZZ_HELPER double fuzz_time(fuzz_dice *dice)
{
    return fuzz_below(dice, 3) ? fuzz_below(dice, 6000) / 1000.0 - 1.0
                               : fuzz_strange_time(fuzz_throw(dice));
}

FUZZ_HELPER float fuzz_float(fuzz_dice *dice)
{
    return fuzz_below(dice, 3) ? (float)fuzz_below(dice, 1001) / 1000.0f
                               : fuzz_strange_float(fuzz_throw(dice));
}

/* -- Input: a file, and behind it what decides how it is read -------------- */

enum { FUZZ_TAIL = 12 };

typedef struct fuzz_input {
    const uint8_t *data; /* a copy with nothing around it, aligned anyhow */
    size_t size;
    uint8_t flags;
    float scale, fps;
    size_t max_bytes; /* 0 = no limit */
    size_t fail_at;   /* allocation that fails; 0 = none */
    size_t step;      /* bytes that a reader gives at once; 0 = no reader */
    size_t break_at;  /* where it fails; SIZE_MAX = nowhere */
    uint8_t choice;   /* the target's own */
    fuzz_dice dice;
} fuzz_input;

/* Where every target begins, its memory empty. All zero is the plain case: no options, no failures,
   no reader. */
FUZZ_HELPER fuzz_input fuzz_open(const uint8_t *data, size_t size)
{
    static const size_t limits[] = {
        0, 0, 0, 0, 1, 100, 1000, 3000, 10000, 70000, 140000, SIZE_MAX
    };
    static const uint8_t none[FUZZ_TAIL] = { 0 };
    const uint8_t *tail = size < FUZZ_TAIL ? none : data + size - FUZZ_TAIL;
    fuzz_input input;
    fuzz_start_memory();
    memset(&input, 0, sizeof input);
    input.size = size < FUZZ_TAIL ? size : size - FUZZ_TAIL;
    uint8_t *copy = (uint8_t *)fuzz_take(input.size, tail[5] % 8u);
    if (input.size) memcpy(copy, data, input.size);
    input.data = copy;
    input.flags = tail[0];
    input.scale = tail[1] < 128 ? 0.0f : fuzz_strange_float(tail[1]);
    input.max_bytes = tail[2] < 128 ? 0 : limits[tail[2] % FUZZ_COUNT(limits)];
    input.fail_at = tail[3] < 128 ? 0 : tail[3] % 8u;
    input.step = tail[4] < 128 ? 0 : tail[4] == 255 ? 1 : input.size / (1 + tail[4] % 16u) + 1;
    input.break_at = tail[5] < 128 ? SIZE_MAX : tail[5] % 16u * 37;
    input.fps = tail[6] < 128 ? 0.0f : fuzz_strange_float(tail[6]);
    input.choice = tail[7];
    memcpy(&input.dice.state, tail + 8, 4);
    return input;
}

/* What md2.h and md5.h have in common. */
#define FUZZ_SET_OPTIONS(options, input, all_flags)       \
    memset(&(options), 0, sizeof(options));               \
    (options).flags = (input)->flags & (all_flags);       \
    (options).scale = (input)->scale;                     \
    (options).max_bytes = (input)->max_bytes;             \
    (options).allocator.alloc = fuzz_alloc;               \
    (options).allocator.release = fuzz_release;           \
    (options).allocator.user = &fuzz_memory

#define FUZZ_CHECK_ERROR(MD, error, loaded)                                    \
    FUZZ_CHECK((loaded) == ((error)->code == MD##_OK));                        \
    FUZZ_CHECK((unsigned)(error)->code < MD##_RESULT_COUNT);                   \
    FUZZ_CHECK(memchr((error)->message, 0, sizeof(error)->message) != NULL);   \
    FUZZ_CHECK((loaded) || (error)->message[0] != 0)

typedef struct fuzz_source {
    const fuzz_input *input;
    size_t at;
} fuzz_source;

FUZZ_HELPER size_t fuzz_read(void *user, void *dst, size_t size)
{
    fuzz_source *from = (fuzz_source *)user;
    const fuzz_input *input = from->input;
    size_t left = input->size - from->at;
    if (from->at >= input->break_at) return SIZE_MAX;
    if (size > left) size = left;
    if (size > input->step) size = input->step;
    if (size) memcpy(dst, input->data + from->at, size);
    from->at += size;
    return size;
}

#ifndef FUZZ_NO_MUTATORS
/* -- Mutators ------------------------------------------------------------- */

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

/* Puts `length` bytes in the place of `removed`; changes nothing where there is no room. */
FUZZ_HELPER size_t fuzz_splice(uint8_t *data, size_t size, size_t max, size_t at, size_t removed,
                               const void *with, size_t length)
{
    if (size - removed + length > max) return size;
    memmove(data + at + length, data + at + removed, size - at - removed);
    if (length) memcpy(data + at, with, length);
    return size - removed + length;
}

/* In the place of libFuzzer's: up to four bytes changed, put in, taken out or copied. */
FUZZ_HELPER size_t fuzz_edit_bytes(uint8_t *data, size_t size, size_t max, fuzz_dice *dice)
{
    static const uint8_t strange[] = { 0, 0, 1, 127, 128, 255 };
    uint32_t edits = 1 + fuzz_below(dice, 3);
    for (; edits; --edits) {
        uint8_t bytes[4];
        size_t i, width = (size_t)1 << fuzz_below(dice, 3);
        size_t at = fuzz_below(dice, size + 1), from = fuzz_below(dice, size + 1);
        uint32_t kind = fuzz_below(dice, 6);
        for (i = 0; i < width; ++i)
            bytes[i] = fuzz_below(dice, 2) ? (uint8_t)fuzz_throw(dice) : FUZZ_PICK(dice, strange);
        if (from + width <= size && fuzz_below(dice, 3) == 0) memcpy(bytes, data + from, width);
        if (kind == 0) size = fuzz_splice(data, size, max, at, 0, bytes, width);
        else if (at + width > size) continue;
        else if (kind == 1) size = fuzz_splice(data, size, max, at, width, NULL, 0);
        else if (kind < 4) data[at] = (uint8_t)(data[at] + fuzz_below(dice, 33) - 16);
        else memcpy(data + at, bytes, width);
    }
    return size;
}

/* The first token of a text that ends behind `at`, as of both texts of Doom 3. */
static size_t fuzz_find_token(const uint8_t *data, size_t size, size_t at, size_t *length)
{
    size_t end;
    while (at > 0 && at < size && data[at - 1] > ' ') --at;
    while (at < size && data[at] <= ' ') ++at;
    for (end = at; end < size && data[end] > ' ';) ++end;
    *length = end - at;
    return at;
}

/* Behind "run07" comes "run08": the token up to its digits, and their number counted on. */
static size_t fuzz_count_on(char *out, const uint8_t *token, size_t length, uint32_t step)
{
    size_t digits = length;
    while (digits > 0 && length - digits < 8 && token[digits - 1] >= '0' && token[digits - 1] <= '9')
        --digits;
    unsigned number = digits < length ? (unsigned)atoi((const char *)token + digits) + step : step;
    return (size_t)sprintf(out, "\n%.*s%0*u", (int)digits, (const char *)token,
                           (int)(length - digits), number);
}

/* A token goes, comes twice, becomes another one of the text or a number that hurts, or is counted
   on. */
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
    switch (fuzz_below(dice, 10)) {
    case 0: return fuzz_splice(data, size, max, at, length, NULL, 0);
    case 1: return fuzz_splice(data, size, max, other, 0, kept, other_length + 1);
    case 2: return fuzz_splice(data, size, max, at, 0, kept, other_length + 1);
    case 3: return fuzz_splice(data, size, max, at, length, kept, other_length);
    case 4:
    case 5: return fuzz_splice(data, size, max, at, length, number, strlen(number));
    case 6:
    case 7:
        length = fuzz_count_on(next, kept, other_length,
                               fuzz_below(dice, 4) ? 1 : fuzz_below(dice, 1000));
        return fuzz_splice(data, size, max, other + other_length, 0, next, length);
    default: return fuzz_mutate_bytes(data, size, max, dice);
    }
}

static void fuzz_mutate_tail(uint8_t tail[FUZZ_TAIL], fuzz_dice *dice)
{
    uint32_t at = fuzz_below(dice, FUZZ_TAIL);
    uint8_t bits = (uint8_t)fuzz_throw(dice);
    if (fuzz_below(dice, 8) == 0)
        memset(tail, 0, 8);
    else
        tail[at] = at > 0 && fuzz_below(dice, 2) ? bits & 127 : bits;
}

/* The file by the target's own mutator, the tail apart. */
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

#endif /* FUZZ_NO_MUTATORS */

FUZZ_UNSEEN_END

#ifdef FUZZ_REPLAY
  #define FUZZ_ENTRY(name, mutator)
#else
  #define FUZZ_ENTRY(name, mutator)                                                        \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);                          \
    size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed); \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                           \
    {                                                                                      \
      fuzz_##name(data, size);                                                             \
      return 0;                                                                            \
    }                                                                                      \
    size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)  \
    {                                                                                      \
      return fuzz_mutate(data, size, max, seed, mutator);                                  \
    }
#endif

#endif /* FUZZ_H_INCLUDED */
