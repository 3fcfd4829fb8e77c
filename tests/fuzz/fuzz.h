/* fuzz.h: what every fuzz target needs: checks that end the program, memory that knows its blocks,
   and how a file is read, out of the input's last bytes. damage.h changes files.

   A target is a function fuzz_NAME(input) and a line FUZZ_ENTRY(NAME, mutator) at the end of
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

/* Each block ends where nothing more may be touched: at the end of one of malloc, which the
   sanitizers guard. All blocks go before the next input. */

#if defined(__has_feature)
  #if __has_feature(memory_sanitizer)
    #define FUZZ_MSAN
  #endif
#endif

#ifdef FUZZ_MSAN
  #include <sanitizer/msan_interface.h>
  #define FUZZ_SPOIL(at, size)       ((void)(at), (void)(size)) /* it knows what was never set */
  #define FUZZ_INITIALISED(at, size) __msan_check_mem_is_initialized(at, size)
  #define FUZZ_KNOWN(at, size)       __msan_unpoison(at, size) /* libFuzzer does not say */
#else
  #define FUZZ_SPOIL(at, size)       memset(at, 0xA5, size)
  #define FUZZ_INITIALISED(at, size) ((void)(at), (void)(size))
  #define FUZZ_KNOWN(at, size)       ((void)(at), (void)(size))
#endif

enum { FUZZ_TAKEN = 1024, FUZZ_BLOCKS = 64 };

typedef struct fuzz_block {
    uint8_t *at;
    size_t size;
} fuzz_block;

static struct fuzz_memory {
    size_t live_bytes, live_blocks, peak_bytes, peak_blocks;
    size_t asked, allocations; /* all together, released or not */
    size_t limit, fail_at;     /* no more may be asked; the n-th fails and all after it, 0 = none */
    bool fail_once;            /* the n-th alone */
    bool failed;               /* it did */
    fuzz_block block[FUZZ_BLOCKS];
    size_t taken_count;
    void *taken[FUZZ_TAKEN]; /* what the next input frees; NULL = freed */
    unsigned long loads;     /* of all inputs */
} fuzz_memory;

/* The block begins `shift` bytes behind an address that suits any type. */
FUZZ_HELPER uint8_t *fuzz_find_room(size_t size, size_t shift)
{
    uint8_t *room = (uint8_t *)malloc(size + shift % 16 + (size == 0));
    FUZZ_CHECK(room != NULL);
    fuzz_memory.taken[fuzz_memory.taken_count++] = room;
    return room + shift % 16;
}

FUZZ_HELPER void fuzz_free(const void *at)
{
    size_t i = fuzz_memory.taken_count;
    while (fuzz_memory.taken[--i] != at) continue;
    free(fuzz_memory.taken[i]);
    fuzz_memory.taken[i] = NULL;
}

FUZZ_HELPER void fuzz_start_memory(void)
{
    while (fuzz_memory.taken_count) free(fuzz_memory.taken[--fuzz_memory.taken_count]);
    memset(&fuzz_memory, 0, offsetof(struct fuzz_memory, block));
}

FUZZ_HELPER void *fuzz_take(size_t size, size_t shift)
{
    FUZZ_CHECK(fuzz_memory.taken_count < FUZZ_TAKEN);
    uint8_t *at = fuzz_find_room(size, shift);
    FUZZ_SPOIL(at, size);
    return at;
}

/* Whether the allocation that comes now is to fail. */
static bool fuzz_fails(void)
{
    size_t number = ++fuzz_memory.allocations, fail_at = fuzz_memory.fail_at;
    return fail_at && (fuzz_memory.fail_once ? number == fail_at : number >= fail_at);
}

FUZZ_HELPER void *fuzz_alloc(void *user, size_t size)
{
    FUZZ_CHECK(user == &fuzz_memory);
    fuzz_memory.asked += size;
    FUZZ_CHECK(fuzz_memory.asked <= fuzz_memory.limit);
    if (fuzz_fails()) {
        fuzz_memory.failed = true;
        return NULL;
    }
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
    fuzz_free(at);
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
    FUZZ_CHECK(!live || !fuzz_memory.failed);
    fuzz_memory.loads += live > 0;
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
    bool fail_once;   /* and none behind it */
    size_t step;      /* bytes that a reader gives at once; 0 = no reader */
    size_t break_at;  /* where it fails; SIZE_MAX = nowhere */
    uint8_t choice;   /* the target's own */
    fuzz_dice dice;
} fuzz_input;

/* The plain case, where every target begins, its memory empty: no options, no failures, no reader.
   The copy begins `shift` bytes behind an even address. */
FUZZ_HELPER fuzz_input fuzz_plain(const uint8_t *data, size_t size, size_t shift)
{
    fuzz_input input;
    fuzz_start_memory();
    memset(&input, 0, sizeof input);
    uint8_t *copy = (uint8_t *)fuzz_take(size, shift);
    if (size) memcpy(copy, data, size);
    input.data = copy;
    input.size = size;
    input.break_at = SIZE_MAX;
    return input;
}

/* What a fuzzer makes: all zero behind the file is the plain case. */
FUZZ_HELPER fuzz_input fuzz_open(const uint8_t *data, size_t size)
{
    static const size_t limits[] = {
        0, 0, 0, 0, 1, 100, 1000, 3000, 10000, 70000, 140000, SIZE_MAX
    };
    static const uint8_t none[FUZZ_TAIL] = { 0 };
    const uint8_t *tail = size < FUZZ_TAIL ? none : data + size - FUZZ_TAIL;
    fuzz_input input = fuzz_plain(data, size < FUZZ_TAIL ? size : size - FUZZ_TAIL, tail[5] % 8u);
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

/* Counts from here on, over the blocks that live: no more than `limit` may be asked for, and what
   the input says fails. */
FUZZ_HELPER void fuzz_measure(size_t limit, const fuzz_input *input)
{
    fuzz_memory.asked = fuzz_memory.allocations = 0;
    fuzz_memory.peak_bytes = fuzz_memory.live_bytes;
    fuzz_memory.peak_blocks = fuzz_memory.live_blocks;
    fuzz_memory.limit = limit;
    fuzz_memory.fail_at = input->fail_at;
    fuzz_memory.fail_once = input->fail_once;
    fuzz_memory.failed = false;
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
    FUZZ_CHECK((unsigned)(error)->code <= MD##_ERROR_GL);                       \
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

FUZZ_UNSEEN_END

#ifdef FUZZ_REPLAY
  #define FUZZ_ENTRY(name, mutator)
#else
  #define FUZZ_ENTRY(name, mutator)                                                        \
    FUZZ_UNSEEN_BEGIN                                                                      \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);                          \
    size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed); \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                           \
    {                                                                                      \
      fuzz_input input = fuzz_open(data, size);                                            \
      fuzz_##name(&input);                                                                 \
      return 0;                                                                            \
    }                                                                                      \
    size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)  \
    {                                                                                      \
      return fuzz_mutate(data, size, max, seed, mutator);                                  \
    }                                                                                      \
    FUZZ_UNSEEN_END
#endif

#include "damage.h"

#endif /* FUZZ_H_INCLUDED */
