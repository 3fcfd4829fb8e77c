/* check.h: checks that count themselves, and the few tools that every test needs. C99 and C++98.

   CHECK(list != NULL);  CHECK_EQ(got, want);  CHECK_TEXT(got, want);
   CHECK_NEAR(got, want, tolerance);
   CHECK_FLOOR(files, 300, "models loaded");   return check_finish();   */

#ifndef CHECK_H_INCLUDED
#define CHECK_H_INCLUDED

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
  #include <wchar.h>
#else
  #include <dirent.h>
#endif

#ifdef __GNUC__
  #define CHECK_UNUSED __attribute__((unused))
#else
  #define CHECK_UNUSED
#endif
#define CHECK_HELPER static CHECK_UNUSED

#define CHECK_LINES_SHOWN 60 /* failures beyond these are counted, not printed */

static struct check_state {
    unsigned long passed, failed;
    const char *section, *subject; /* the subject is a file or case name, for failure lines */
} check_state = { 0, 0, "", "" };

#define CHECK(cond)         check_that((cond) ? true : false, __FILE__, __LINE__, #cond)
#define CHECK_EQ(got, want) check_equal((double)(got), (double)(want), __FILE__, __LINE__, #got)
#define CHECK_NEAR(got, want, tolerance) \
  check_near((double)(got), (double)(want), (double)(tolerance), __FILE__, __LINE__, #got)
#define CHECK_TEXT(got, want) check_text((got), (want), __FILE__, __LINE__, #got)
#define CHECK_FLOOR(count, floor, what) \
  check_floor((unsigned long)(count), (unsigned long)(floor), (what), __FILE__, __LINE__)

CHECK_HELPER void check_section(const char *name)
{
    check_state.section = name;
    check_state.subject = "";
}

CHECK_HELPER void check_subject(const char *name) { check_state.subject = name; }

/* Counts one check; true when the caller should print the rest of a failure line. With CHECK_STOP in the
   environment the first failure is the last. */
CHECK_HELPER bool check_count(bool ok, const char *file, int line, const char *text)
{
    if (ok) {
        ++check_state.passed;
        return false;
    }
    if (getenv("CHECK_STOP")) exit(EXIT_FAILURE);
    if (++check_state.failed > CHECK_LINES_SHOWN) return false;
    printf("%s:%d: [%s%s%s] %s", file, line, check_state.section, *check_state.subject ? ": " : "",
           check_state.subject, text);
    return true;
}

CHECK_HELPER bool check_that(bool ok, const char *file, int line, const char *text)
{
    if (check_count(ok, file, line, text)) printf("\n");
    return ok;
}

CHECK_HELPER bool check_near(double got, double want, double tolerance, const char *file, int line,
                             const char *text)
{
    bool ok = fabs(got - want) <= tolerance;
    if (check_count(ok, file, line, text)) {
        printf(" is %.9g, not %.9g within %.3g\n", got, want, tolerance);
    }
    return ok;
}

CHECK_HELPER bool check_equal(double got, double want, const char *file, int line, const char *text)
{
    bool ok = !(got < want) && !(got > want) && got == got && want == want;
    if (check_count(ok, file, line, text)) printf(" is %.17g, not %.17g\n", got, want);
    return ok;
}

CHECK_HELPER bool check_text(const char *got, const char *want, const char *file, int line,
                             const char *text)
{
    bool ok = got && want && strcmp(got, want) == 0;
    if (check_count(ok, file, line, text)) {
        printf(" is \"%s\", not \"%s\"\n", got ? got : "(null)", want ? want : "(null)");
    }
    return ok;
}

/* A count that must not fall to nothing unnoticed. */
CHECK_HELPER bool check_floor(unsigned long count, unsigned long floor_value, const char *what,
                              const char *file, int line)
{
    printf("%s: %lu (at least %lu)\n", what, count, floor_value);
    if (check_count(count >= floor_value, file, line, what)) {
        printf(" is %lu, below %lu\n", count, floor_value);
    }
    return count >= floor_value;
}

/* The totals, alone on the last line; the value for main to return. */
CHECK_HELPER int check_finish(void)
{
    if (check_state.failed > CHECK_LINES_SHOWN) {
        printf("%lu more failures are not shown\n", check_state.failed - CHECK_LINES_SHOWN);
    }
    printf("%lu passed, %lu failed\n", check_state.passed, check_state.failed);
    return check_state.failed || !check_state.passed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* -- Memory --------------------------------------------------------------- */

CHECK_HELPER void *check_malloc(size_t size)
{
    void *block = malloc(size ? size : 1);
    if (!block) {
        printf("the test itself is out of memory (%lu bytes)\n", (unsigned long)size);
        abort();
    }
    return block;
}

/* An allocator that counts, fails on request, and notices a wrong size or pointer on release. */
typedef struct check_memory {
    size_t live_bytes, live_blocks, peak_bytes, peak_blocks;
    size_t allocations, releases, largest;
    size_t fail_at; /* the n-th allocation returns NULL, and all after it; 0 = none */
    size_t mistakes;
} check_memory;

#define CHECK_MEMORY_PREFIX 32 /* keeps what follows aligned for any type */
#define CHECK_MEMORY_MAGIC  0x5AFEB10Cu

CHECK_HELPER void *check_alloc(void *user, size_t size)
{
    check_memory *memory = (check_memory *)user;
    unsigned char *block;
    size_t note[2];
    ++memory->allocations;
    if (memory->fail_at && memory->allocations >= memory->fail_at) return NULL;
    if (size > memory->largest) memory->largest = size;
    block = (unsigned char *)malloc(size + CHECK_MEMORY_PREFIX);
    if (!block) return NULL;
    note[0] = size;
    note[1] = CHECK_MEMORY_MAGIC;
    memcpy(block, note, sizeof note);
    memset(block + CHECK_MEMORY_PREFIX, 0xA5, size);
    memory->live_bytes += size;
    memory->live_blocks += 1;
    if (memory->live_bytes > memory->peak_bytes) memory->peak_bytes = memory->live_bytes;
    if (memory->live_blocks > memory->peak_blocks) memory->peak_blocks = memory->live_blocks;
    return block + CHECK_MEMORY_PREFIX;
}

CHECK_HELPER void check_release(void *user, void *pointer, size_t size)
{
    check_memory *memory = (check_memory *)user;
    unsigned char *block;
    size_t note[2];
    if (!pointer) return;
    block = (unsigned char *)pointer - CHECK_MEMORY_PREFIX;
    memcpy(note, block, sizeof note);
    if (note[1] != CHECK_MEMORY_MAGIC || note[0] != size) ++memory->mistakes;
    memory->live_bytes -= note[0];
    memory->live_blocks -= 1;
    ++memory->releases;
    memset(block, 0xDD, note[1] == CHECK_MEMORY_MAGIC ? note[0] + CHECK_MEMORY_PREFIX : sizeof note);
    free(block);
}

CHECK_HELPER bool check_memory_clean(const check_memory *memory)
{
    return memory->live_bytes == 0 && memory->live_blocks == 0 && memory->mistakes == 0;
}

/* -- Files: paths are UTF-8, on Windows too -------------------------------- */

#ifdef _WIN32
/* For well-formed paths, which those of the tests are; cut where they are too long. */
CHECK_HELPER void check_wide(const char *path, wchar_t *wide, size_t room)
{
    size_t count = 0;
    while (*path && count + 3 < room) {
        unsigned long code = (unsigned char)*path++;
        int follow = code < 0xC0 ? 0 : code < 0xE0 ? 1 : code < 0xF0 ? 2 : 3;
        if (follow) code &= 0x3Fu >> follow;
        while (follow-- > 0) code = code << 6 | ((unsigned char)*path++ & 0x3Fu);
        if (code > 0xFFFF) {
            wide[count++] = (wchar_t)(0xD7C0 + (code >> 10));
            code = 0xDC00 | (code & 0x3FF);
        }
        wide[count++] = (wchar_t)code;
    }
    wide[count] = 0;
}
#endif

/* Three files, and spellings of their names that are no UTF-8: none may open one of them. To each
   belongs an ending, so that two programs can do this at once. */
typedef struct check_path {
    const char *right, *wrong[4];
} check_path;

/* Emscripten turns every path into a string of JavaScript before it looks for the file, and takes
   much for UTF-8: which file a wrong one opens is not the library's to say there. */
#ifdef __EMSCRIPTEN__
enum { CHECK_WRONG_PATHS = 0 };
#else
enum { CHECK_WRONG_PATHS = 4 };
#endif

static const check_path check_paths[3] CHECK_UNUSED = {
    /* u as if it were far away, in two, three and four bytes, and five */
    { "check_up.tmp",
      { "check_\xC1\xB5p.tmp", "check_\xE0\x81\xB5p.tmp", "check_\xF0\x80\x81\xB5p.tmp",
        "check_\xF8\x80\x80\x81\xB5p.tmp" } },
    /* a letter of two bytes, of which one is left */
    { "check_\xC2\xB5p.tmp",
      { "check_\xB5p.tmp", "check_\xC2p.tmp", "check_\xE0\x82\xB5p.tmp",
        "check_\xC2\xB5p.tmp\xF0" } },
    /* a sword, as two halves of UTF-16 */
    { "check_\xF0\x9F\x97\xA1.tmp",
      { "check_\xED\xA0\xBD\xED\xB7\xA1.tmp", "check_\xED\xA0\xBD.tmp",
        "check_\xF7\x9F\x97\xA1.tmp", "check_\xF0\x9F\x97.tmp" } }
};

CHECK_HELPER const char *check_path_of(const char *start, const char *ending)
{
    static char path[64];
    snprintf(path, sizeof path, "%s%s", start, ending);
    return path;
}

CHECK_HELPER FILE *check_open(const char *path, const char *mode)
{
#ifdef _WIN32
    wchar_t wide[512], wide_mode[8];
    check_wide(path, wide, sizeof wide / sizeof *wide);
    check_wide(mode, wide_mode, sizeof wide_mode / sizeof *wide_mode);
    return _wfopen(wide, wide_mode);
#else
    return fopen(path, mode);
#endif
}

CHECK_HELPER void check_remove(const char *path)
{
#ifdef _WIN32
    wchar_t wide[512];
    check_wide(path, wide, sizeof wide / sizeof *wide);
    _wremove(wide);
#else
    remove(path);
#endif
}

/* A whole file in a malloc block of exactly its size, or NULL. */
CHECK_HELPER unsigned char *check_read_file(const char *path, size_t *size)
{
    FILE *file = check_open(path, "rb");
    unsigned char *data = NULL;
    long length = -1;
    if (!file) return NULL;
    if (fseek(file, 0, SEEK_END) == 0) length = ftell(file);
    if (length >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        data = (unsigned char *)check_malloc((size_t)length);
        *size = fread(data, 1, (size_t)length, file);
        if (*size != (size_t)length) {
            free(data);
            data = NULL;
        }
    }
    fclose(file);
    return data;
}

CHECK_HELPER bool check_write_file(const char *path, const void *data, size_t size)
{
    FILE *file = check_open(path, "wb");
    bool ok = file && fwrite(data, 1, size, file) == size;
    if (file && fclose(file) != 0) ok = false;
    return ok;
}

typedef struct check_list {
    char **path;
    size_t count, capacity;
} check_list;

CHECK_HELPER void check_list_add(check_list *list, const char *folder, const char *name)
{
    size_t folder_length = strlen(folder), name_length = strlen(name);
    char *path = (char *)check_malloc(folder_length + name_length + 2);
    memcpy(path, folder, folder_length);
    if (folder_length) path[folder_length++] = '/';
    memcpy(path + folder_length, name, name_length + 1);
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 64;
        list->path = (char **)realloc(list->path, list->capacity * sizeof(char *));
        if (!list->path) abort();
    }
    list->path[list->count++] = path;
}

CHECK_HELPER void check_list_free(check_list *list)
{
    size_t i;
    for (i = 0; i < list->count; ++i) free(list->path[i]);
    free(list->path);
    memset(list, 0, sizeof *list);
}

CHECK_HELPER bool check_has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix), i;
    if (tail > length) return false;
    for (i = 0; i < tail; ++i) {
        char c = path[length - tail + i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != suffix[i]) return false;
    }
    return true;
}

CHECK_HELPER int check_compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Every file under `folder` whose name ends with `suffix` (lower case), in a fixed order. */
CHECK_HELPER check_list check_list_files(const char *folder, const char *suffix)
{
    check_list files = { NULL, 0, 0 };
#ifndef _WIN32
    check_list folders = { NULL, 0, 0 };
    size_t at;
    check_list_add(&folders, "", folder);
    for (at = 0; at < folders.count; ++at) {
        const struct dirent *entry;
        DIR *stream = opendir(folders.path[at]);
        if (!stream) {
            if (check_has_suffix(folders.path[at], suffix)) {
                check_list_add(&files, "", folders.path[at]);
            }
            continue;
        }
        while ((entry = readdir(stream)) != NULL) {
            if (entry->d_name[0] != '.') check_list_add(&folders, folders.path[at], entry->d_name);
        }
        closedir(stream);
    }
    check_list_free(&folders);
    if (files.count) qsort(files.path, files.count, sizeof(char *), check_compare_paths);
#else
    (void)folder;
    (void)suffix;
#endif
    return files;
}

/* The files of $MODELS/<part>, none when MODELS is not set. */
CHECK_HELPER check_list check_models(const char *part, const char *suffix)
{
    check_list none = { NULL, 0, 0 }, path = { NULL, 0, 0 };
    const char *root = getenv("MODELS");
    if (!root || !*root) return none;
    check_list_add(&path, root, part);
    none = check_list_files(path.path[0], suffix);
    check_list_free(&path);
    return none;
}

/* -- Numbers -------------------------------------------------------------- */

/* xorshift64*: the same sequence on every machine. */
typedef struct check_random {
    uint64_t state;
} check_random;

CHECK_HELPER uint32_t check_random_next(check_random *random)
{
    uint64_t x = random->state ? random->state : 88172645u;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return (uint32_t)((x * (((uint64_t)0x2545F491u << 32) | 0x4F6CDD1Du)) >> 32);
}

CHECK_HELPER uint32_t check_random_below(check_random *random, uint32_t limit)
{
    return (uint32_t)(((uint64_t)check_random_next(random) * limit) >> 32);
}

CHECK_HELPER double check_random_unit(check_random *random)
{
    return (double)check_random_next(random) / 4294967296.0;
}

/* -- The same bits everywhere ----------------------------------------------- */

/* Of numbers of four bytes each: floats, or uint32_t. */
CHECK_HELPER uint64_t check_hash_words(uint64_t hash, const void *words, size_t count)
{
    const uint8_t *at = (const uint8_t *)words;
    uint32_t       word;
    for (; count; --count, at += 4) {
        memcpy(&word, at, 4);
        hash = (hash ^ word) * (((uint64_t)0x100 << 32) + 0x1b3);
    }
    return hash;
}

CHECK_HELPER void check_hash(const char *what, uint64_t hash, uint32_t high, uint32_t low)
{
    uint64_t wanted = (uint64_t)high << 32 | low;
    if (!CHECK(hash == wanted)) {
        printf("  %s: 0x%08lX, 0x%08lX\n", what, (unsigned long)(hash >> 32),
               (unsigned long)(hash & 0xFFFFFFFFu));
    }
}

/* Whether this compiler computes with more than a float where the text says float. */
CHECK_HELPER bool check_floats_are_wider(void)
{
#if defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2)
    return true;
#else
    return false;
#endif
}

#endif /* CHECK_H_INCLUDED */
