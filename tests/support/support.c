/* The functions of support.h. Public domain. */
#include "support.h"

#ifdef _WIN32
  #include <wchar.h>
#else
  #include <dirent.h>
#endif

/* -- Memory --------------------------------------------------------------- */

void *malloc_or_abort(size_t size)
{
    void *block = malloc(size ? size : 1);
    if (!block) {
        printf("the test itself is out of memory (%lu bytes)\n", (unsigned long)size);
        abort();
    }
    return block;
}

enum {
    PREFIX = 32, /* bytes before a block, which keep it aligned for any type */
    MAGIC = 0x5AFEB10C
};

void *counting_alloc(void *user, size_t size)
{
    counting_allocator *memory = (counting_allocator *)user;
    size_t note[2];
    memory->asked += size;
    ++memory->allocations;
    if (memory->fail_at && memory->allocations >= memory->fail_at &&
        !(memory->fail_once && memory->allocations > memory->fail_at)) {
        return NULL;
    }
    if (size > memory->largest) memory->largest = size;
    unsigned char *block = (unsigned char *)malloc(size + PREFIX);
    if (!block) return NULL;
    note[0] = size;
    note[1] = MAGIC;
    memcpy(block, note, sizeof note);
    memset(block + PREFIX, 0xCB, size); /* these bytes are far from 0 as any type */
    memory->live_bytes += size;
    memory->live_blocks += 1;
    if (memory->live_bytes > memory->peak_bytes) memory->peak_bytes = memory->live_bytes;
    if (memory->live_blocks > memory->peak_blocks) memory->peak_blocks = memory->live_blocks;
    return block + PREFIX;
}

void counting_release(void *user, void *pointer, size_t size)
{
    counting_allocator *memory = (counting_allocator *)user;
    size_t note[2];
    if (!pointer) return;
    unsigned char *block = (unsigned char *)pointer - PREFIX;
    memcpy(note, block, sizeof note);
    if (note[1] != MAGIC || note[0] != size) ++memory->mistakes;
    memory->live_bytes -= note[0];
    memory->live_blocks -= 1;
    ++memory->releases;
    memset(block, 0xDD, note[1] == MAGIC ? note[0] + PREFIX : sizeof note);
    free(block);
}

bool counting_is_clean(const counting_allocator *memory)
{
    return memory->live_bytes == 0 && memory->live_blocks == 0 && memory->mistakes == 0;
}

/* -- Files: paths are UTF-8, also on Windows ------------------------------- */

#ifdef _WIN32
/* Converts a path from UTF-8 to UTF-16, and cuts it off if it is too long. The paths of the tests are
   well-formed UTF-8. */
static void widen_path(const char *path, wchar_t *wide, size_t room)
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

FILE *open_file(const char *path, const char *mode)
{
#ifdef _WIN32
    wchar_t wide[512], wide_mode[8];
    widen_path(path, wide, sizeof wide / sizeof *wide);
    widen_path(mode, wide_mode, sizeof wide_mode / sizeof *wide_mode);
    return _wfopen(wide, wide_mode);
#else
    return fopen(path, mode);
#endif
}

void remove_file(const char *path)
{
#ifdef _WIN32
    wchar_t wide[512];
    widen_path(path, wide, sizeof wide / sizeof *wide);
    _wremove(wide);
#else
    remove(path);
#endif
}

unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = open_file(path, "rb");
    unsigned char *data = NULL;
    long length = -1;
    if (!file) return NULL;
    if (fseek(file, 0, SEEK_END) == 0) length = ftell(file);
    if (length >= 0 && fseek(file, 0, SEEK_SET) == 0) {
        data = (unsigned char *)malloc_or_abort((size_t)length);
        *size = fread(data, 1, (size_t)length, file);
        if (*size != (size_t)length) {
            free(data);
            data = NULL;
        }
    }
    fclose(file);
    return data;
}

bool write_file(const char *path, const void *data, size_t size)
{
    FILE *file = open_file(path, "wb");
    bool ok = file && fwrite(data, 1, size, file) == size;
    if (file && fclose(file) != 0) ok = false;
    return ok;
}

feed feed_of(const void *bytes, size_t size, size_t step)
{
    const feed from = { (const char *)bytes, size, 0, step, SIZE_MAX, 0, false };
    return from;
}

size_t read_feed(void *user, void *dst, size_t size)
{
    feed *from = (feed *)user;
    size_t left = from->size - from->at, step = from->step ? from->step : from->calls * 37 % 61 + 1;
    ++from->calls;
    if (from->at >= from->fail_at) return SIZE_MAX;
    if (!left && from->endless) {
        memset(dst, ' ', size);
        return size;
    }
    if (size > step) size = step;
    if (size > left) size = left;
    if (size > from->fail_at - from->at) size = from->fail_at - from->at;
    if (size) memcpy(dst, from->bytes + from->at, size);
    from->at += size;
    return size;
}

/* -- Folders --------------------------------------------------------------- */

void file_list_add(file_list *list, const char *folder, const char *name)
{
    size_t folder_length = strlen(folder), name_length = strlen(name);
    char *path = (char *)malloc_or_abort(folder_length + name_length + 2);
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

void file_list_free(file_list *list)
{
    for (size_t i = 0; i < list->count; ++i) free(list->path[i]);
    free(list->path);
    memset(list, 0, sizeof *list);
}

bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix);
    if (tail > length) return false;
    for (size_t i = 0; i < tail; ++i) {
        char c = path[length - tail + i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != suffix[i]) return false;
    }
    return true;
}

#ifndef _WIN32
static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}
#endif

file_list list_files(const char *folder, const char *suffix)
{
    file_list files = { NULL, 0, 0 };
#ifndef _WIN32
    file_list folders = { NULL, 0, 0 };
    file_list_add(&folders, "", folder);
    for (size_t at = 0; at < folders.count; ++at) {
        const struct dirent *entry;
        DIR *stream = opendir(folders.path[at]);
        if (!stream) {
            if (has_suffix(folders.path[at], suffix)) file_list_add(&files, "", folders.path[at]);
            continue;
        }
        while ((entry = readdir(stream)) != NULL) {
            if (entry->d_name[0] != '.') file_list_add(&folders, folders.path[at], entry->d_name);
        }
        closedir(stream);
    }
    file_list_free(&folders);
    if (files.count) qsort(files.path, files.count, sizeof(char *), compare_paths);
#else
    (void)folder;
    (void)suffix;
#endif
    return files;
}

static bool is_folder(const char *path)
{
#ifndef _WIN32
    DIR *stream = opendir(path);
    if (!stream) return false;
    closedir(stream);
#else
    (void)path;
#endif
    return true;
}

/* Returns the files under $MODELS/bad, or all other files under $MODELS. */
static file_list list_collected(const char *suffix, bool bad)
{
    file_list   models = { NULL, 0, 0 };
    const char *root = getenv("MODELS");
    char        bad_folder[1024];
    if (!root || !*root) return models;
    if (!is_folder(root)) {
        printf("MODELS is %s, which is not a folder\n", root);
        exit(EXIT_FAILURE);
    }

    snprintf(bad_folder, sizeof bad_folder, "%s/bad/", root);
    file_list all = list_files(root, suffix);
    for (size_t i = 0; i < all.count; ++i) {
        bool is_bad = strncmp(all.path[i], bad_folder, strlen(bad_folder)) == 0;
        if (is_bad == bad) file_list_add(&models, "", all.path[i]);
    }
    file_list_free(&all);
    return models;
}

file_list list_models(const char *suffix) { return list_collected(suffix, false); }
file_list list_bad_models(const char *suffix) { return list_collected(suffix, true); }

/* -- Numbers -------------------------------------------------------------- */

uint32_t random_next(random_source *random)
{
    uint64_t x = random->state ? random->state : 88172645u;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return (uint32_t)((x * (((uint64_t)0x2545F491u << 32) | 0x4F6CDD1Du)) >> 32);
}

uint32_t random_below(random_source *random, uint32_t limit)
{
    return (uint32_t)(((uint64_t)random_next(random) * limit) >> 32);
}

double random_unit(random_source *random)
{
    return (double)random_next(random) / 4294967296.0;
}

double find_frames(int frames, bool closed, int mode, double time, int *from, int *to)
{
    double steps = mode == 0 && !closed ? frames : frames - 1;
    if (steps < 1.0) {
        time = 0.0;
    } else if (mode == 0) {
        time -= floor(time / steps) * steps;
    } else if (mode == 1) {
        time = time < 0.0 ? 0.0 : time > steps ? steps : time;
    } else {
        time -= floor(time / (2.0 * steps)) * 2.0 * steps;
        if (time > steps) time = 2.0 * steps - time;
    }
    *from = (int)floor(time);
    if (*from > frames - 1) *from = frames - 1;
    *to = *from + 1 < frames ? *from + 1 : mode == 0 ? 0 : frames - 1;
    return time - *from;
}
