/* The functions of torture.h. Public domain. */
#include "torture.h"

#include <stdarg.h>

/* -- Broken files ----------------------------------------------------------- */

struct torture torture;

CHECK_FORMAT void torture_damage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(torture.damage, sizeof torture.damage, format, arguments);
    va_end(arguments);
    check_step("%s", torture.damage);
}

static outcome load_counted(int kind, feed *from, counting_allocator *memory)
{
    outcome out = torture.load(kind, from, memory);
    torture.loaded += out.loaded;
    torture.refused += !out.loaded;
    return out;
}

outcome torture_once(int kind, const void *bytes, size_t size)
{
    counting_allocator memory;
    feed from = feed_of(bytes, size, 0);
    memset(&memory, 0, sizeof memory);
    return load_counted(kind, &from, &memory);
}

/* How many times a file is loaded for one torture: `wanted`, or fewer where that many bytes would
   take all day. */
static size_t times_for(size_t size, size_t wanted)
{
    size_t budget = torture.quick ? 200000 : 100000000, times = size ? budget / size + 1 : 1;
    return times < wanted && !torture.all ? times : wanted;
}

/* In a block of exactly its length, so that a byte read beyond it is noticed. */
static void torture_lengths(int kind, const char *bytes, size_t size, size_t wanted)
{
    size_t times = times_for(size / 2 + 1, size <= 20000 && wanted >= 2000 ? size : wanted);
    if (times > size) times = size;
    for (size_t i = 0; i < times; ++i) {
        size_t length = (size_t)((double)size * ((double)i / (double)times));
        if (times < size && i % 2 && length) length -= (i * 7919) % (size / times + 1) % length;
        char *exact = (char *)malloc_or_abort(length);
        memcpy(exact, bytes, length);
        torture_damage("cut to %lu of %lu bytes", (unsigned long)length, (unsigned long)size);
        torture_once(kind, exact, length);
        free(exact);
    }
}

/* A telling byte, any, or the old one with a bit turned. */
static char other_byte(random_source *random, char old)
{
    char c = old;
    while (c == old) {
        uint32_t way = random_below(random, 4);
        if (torture.telling && way) {
            c = torture.telling[random_below(random, (uint32_t)strlen(torture.telling) + 1)];
        } else if (way == 1) {
            c = (char)(old ^ 1 << random_below(random, 8));
        } else {
            c = (char)random_below(random, 256);
        }
    }
    return c;
}

static void torture_changes(int kind, const char *bytes, size_t size, size_t wanted)
{
    random_source random = { 4711 };
    size_t times = times_for(size, wanted);
    char  *copy = (char *)malloc_or_abort(size);
    memcpy(copy, bytes, size);
    for (size_t i = 0; i < times && size; ++i) {
        size_t at = torture.place(&random, bytes, size);
        copy[at] = other_byte(&random, bytes[at]);
        torture_damage("byte %lu is 0x%02X instead of 0x%02X", (unsigned long)at,
                       (unsigned)copy[at] & 0xFF, (unsigned)bytes[at] & 0xFF);
        torture_once(kind, copy, size);
        copy[at] = bytes[at];
    }
    free(copy);
}

static void torture_memory(int kind, const char *bytes, size_t size)
{
    for (int way = 0; way < 4; ++way) {
        bool   fails_once = !(way & 1), in_pieces = (way & 2) != 0;
        size_t fails = 0, allocations;
        do {
            counting_allocator memory;
            feed from = feed_of(bytes, size, in_pieces ? 1000 : 0);
            memset(&memory, 0, sizeof memory);
            memory.fail_at = ++fails;
            memory.fail_once = fails_once;
            torture_damage("allocation %lu fails%s%s", (unsigned long)fails,
                           fails_once ? "" : " and all after it",
                           in_pieces ? ", read in pieces of 1000 bytes" : "");
            outcome out = load_counted(kind, &from, &memory);
            allocations = out.allocations;
            CHECK(!out.loaded || allocations < fails);
            CHECK(allocations < 200);
        } while (allocations >= fails);
    }
}

/* One byte at a time, then in larger pieces until the reader fails. */
static void torture_readers(int kind, const char *bytes, size_t size, bool loads)
{
    size_t times = torture.quick ? 3 : 12;
    for (size_t i = 0; i <= times; ++i) {
        counting_allocator memory;
        feed from = feed_of(bytes, size, i ? 1 + (i - 1) * 311 : 1);
        memset(&memory, 0, sizeof memory);
        torture_damage("read one byte at a time");
        if (i) {
            from.fail_at = size * (i - 1) / times;
            torture_damage("the reader fails at byte %lu, after pieces of %lu bytes",
                           (unsigned long)from.fail_at, (unsigned long)from.step);
        }
        outcome out = load_counted(kind, &from, &memory);
        CHECK_EQ(out.loaded, i == 0 && loads);
        if (i == 1) CHECK(out.unread);
    }
}

void torture_file(int kind, const void *bytes, size_t size, size_t wanted)
{
    torture_damage("undamaged");
    outcome whole = torture_once(kind, bytes, size);
    torture_readers(kind, (const char *)bytes, size, whole.loaded);
    torture_memory(kind, (const char *)bytes, size);
    torture_lengths(kind, (const char *)bytes, size, wanted);
    torture_changes(kind, (const char *)bytes, size, wanted);
}

void check_torture(void)
{
    CHECK_FLOOR(torture.loaded, 1000, "broken files that load, and are used");
    CHECK_FLOOR(torture.refused, 1000, "broken files that are refused");
}

/* -- Work and paths ---------------------------------------------------------- */

void check_linear_work(hurt_work work, int hurts, size_t bytes, double most, double growth,
                       double slack)
{
    double hardest = 0.0, largest_growth = 0.0;
    for (int i = 0; i < hurts; ++i) {
        check_scene("made to hurt, number %d", i);
        double steps = work(i, bytes), steps_of_more = work(i, bytes * 4);
        check_step("%.3f steps a byte, and %.3f in four times the size", steps, steps_of_more);
        CHECK(steps_of_more < most);
        CHECK(steps_of_more < growth * steps + slack);
        hardest = fmax(hardest, steps_of_more);
        largest_growth = fmax(largest_growth, steps_of_more / (steps + slack));
    }
    printf("    the hardest takes %.2f steps a byte; four times the size, %.2f times as many\n",
           hardest, largest_growth);
}

/* A file, and spellings of its name that are not UTF-8: none may open it. */
static const struct {
    const char *what, *right, *wrong[4];
} hostile_paths[3] = {
    { "a letter in more bytes than it needs", "check_up.tmp",
      { "check_\xC1\xB5p.tmp", "check_\xE0\x81\xB5p.tmp", "check_\xF0\x80\x81\xB5p.tmp",
        "check_\xF8\x80\x80\x81\xB5p.tmp" } },
    { "a letter without one of its bytes", "check_\xC2\xB5p.tmp",
      { "check_\xB5p.tmp", "check_\xC2p.tmp", "check_\xE0\x82\xB5p.tmp",
        "check_\xC2\xB5p.tmp\xF0" } },
    { "a sword, as halves of UTF-16 or cut", "check_\xF0\x9F\x97\xA1.tmp",
      { "check_\xED\xA0\xBD\xED\xB7\xA1.tmp", "check_\xED\xA0\xBD.tmp",
        "check_\xF7\x9F\x97\xA1.tmp", "check_\xF0\x9F\x97.tmp" } }
};

/* Emscripten turns every path into a string of JavaScript before it looks for the file, and takes
   much for UTF-8: the library has no say in which file a wrong path opens there. */
#ifdef __EMSCRIPTEN__
enum { WRONG_PATHS = 0 };
#else
enum { WRONG_PATHS = 4 };
#endif

/* The bytes that are no ASCII as \x... */
static void step_of_spelling(const char *path)
{
    char told[160];
    for (size_t length = 0; *path; ++path) {
        bool is_ascii = (unsigned char)*path < 128;
        snprintf(told + length, sizeof told - length, is_ascii ? "%c" : "\\x%02X",
                 (unsigned)*path & 0xFF);
        length += is_ascii ? 1 : 4;
    }
    check_step("spelled %s", told);
}

void check_paths(const char *ending, path_test opens, const void *data, size_t size)
{
    char ends[64];
    for (int i = 0; i < 3; ++i) {
        check_scene("%s", hostile_paths[i].what);
        char right[1024];
        snprintf(ends, sizeof ends, "%s%s", hostile_paths[i].right, ending);
        strcpy(right, check_path(ends));
        CHECK(write_file(right, data, size));
        check_step("spelled rightly");
        CHECK(opens(right));
        for (int k = 0; k < WRONG_PATHS; ++k) {
            snprintf(ends, sizeof ends, "%s%s", hostile_paths[i].wrong[k], ending);
            step_of_spelling(ends);
            CHECK(!opens(check_path(ends)));
        }
        remove_file(right);
    }
}
