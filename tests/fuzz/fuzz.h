/* fuzz.h: shared by all fuzz targets: checks that end the program, an allocator with guarded blocks, and options
   that the last bytes of an input choose. damage.h changes files.

   A target is a function fuzz_NAME(input) and a line FUZZ_ENTRY(NAME, mutator) at the end of its file, for
   libFuzzer. test_fuzz.c includes the same files and calls the same functions. Public domain. */
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

/* Coverage of the library guides the fuzzer; coverage of these files is not recorded. */
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

/* A failed check ends the program like a crash, so that the fuzzer saves the input. */
#define FUZZ_CHECK(cond) ((cond) ? (void)0 : fuzz_failed(__FILE__, __LINE__, #cond))

#ifdef FUZZ_REPLAY
static void fuzz_failed(const char *file, int line, const char *text);
#else
FUZZ_HELPER void fuzz_failed(const char *file, int line, const char *text)
{
    fprintf(stderr, "%s:%d: check failed: %s (the fuzzer saves the input)\n", file, line,
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

/* Each block ends at the end of a malloc block, which sanitizers guard. All blocks are freed before the next
   input. */

#if defined(__has_feature)
  #if __has_feature(memory_sanitizer)
    #define FUZZ_MSAN
  #endif
#endif

#ifdef FUZZ_MSAN
  #include <sanitizer/msan_interface.h>
  #define FUZZ_SPOIL(at, size)       ((void)(at), (void)(size)) /* MemorySanitizer tracks unset bytes */
  #define FUZZ_INITIALISED(at, size) __msan_check_mem_is_initialized(at, size)
  #define FUZZ_KNOWN(at, size)       __msan_unpoison(at, size) /* libFuzzer does not mark them as set */
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
    size_t asked, allocations; /* sums over all blocks, also freed blocks */
    size_t limit, fail_at;     /* largest sum; 3 = the third allocation and all later ones fail; 0 = none */
    bool fail_once;            /* only the allocation `fail_at` fails */
    bool failed;               /* an allocation has failed */
    fuzz_block block[FUZZ_BLOCKS];
    size_t taken_count;
    void *taken[FUZZ_TAKEN]; /* blocks that the next input frees; NULL = freed */
    unsigned long loads;     /* number of loads in all inputs */
} fuzz_memory;

/* Returns a block that begins `shift` bytes after an address that is aligned for any type. */
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

/* Returns true if the current allocation must fail. */
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

/* Returns the largest sum of bytes that a library may request to load a file of this size: for the result, for scratch
   memory and, with a reader, for the bytes of the file. */
FUZZ_HELPER size_t fuzz_memory_bound(size_t size, bool reader)
{
    return 32 * size + 4096 + (reader ? 3 * ((size_t)65536 + size) : 0);
}

/* Compares two blocks of equal size, the results of loading one file twice. Each word must be equal in both, or be an
   address at the same offset of its block. Bytes between arrays are set for all except MemorySanitizer. */
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

/* Checks after a load that there is one block if there is a result, otherwise none. */
FUZZ_HELPER void fuzz_check_memory(size_t live, size_t blocks_before, size_t bytes_before)
{
    FUZZ_CHECK(!live || !fuzz_memory.failed);
    fuzz_memory.loads += live > 0;
    FUZZ_CHECK(fuzz_memory.live_bytes - bytes_before == live);
    FUZZ_CHECK(fuzz_memory.live_blocks - blocks_before == (live ? 1u : 0u));
    FUZZ_CHECK(fuzz_memory.peak_blocks - blocks_before <= 2);
}

/* -- Random decisions -------------------------------------------------------- */

/* The bytes of a script come first, then random numbers, so that a fuzzer can change a single decision. */
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

/* The list is not static, because not every compiler accepts minus infinity as a constant. */
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

/* Returns a usual time, or a time that a caller might pass by mistake. */
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

/* -- Input: a file, and after it bytes that decide how it is read ---------- */

enum { FUZZ_TAIL = 12 };

typedef struct fuzz_input {
    const uint8_t *data; /* a copy in its own block, with any alignment */
    size_t size;
    uint8_t flags;
    float scale, fps;
    size_t max_bytes; /* 0 = no limit */
    size_t fail_at;   /* number of the allocation that fails; 0 = none */
    bool fail_once;   /* later allocations succeed */
    size_t step;      /* number of bytes that a reader returns per call; 0 = no reader */
    size_t break_at;  /* position at which the reader fails; SIZE_MAX = never */
    uint8_t choice;   /* its meaning depends on the target */
    fuzz_dice dice;
} fuzz_input;

/* Returns the plain case: no options, no failures, no reader, empty memory. The copy begins `shift` bytes after an
   even address. */
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

/* Reads an input of the fuzzer. If all bytes after the file are 0, it is the plain case. */
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

/* Resets the counts of requests; blocks in use still count toward the peaks. From now on a library may request at most
   `limit` bytes in all, and allocations fail as the input decides. */
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

/* Sets options that md2.h and md5.h share. */
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
