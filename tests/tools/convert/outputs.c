/* outputs.c - files that appear whole or not at all. Public domain. */
#include "mdconvert.h"
#include "../viewer/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *join_path(const char *folder_of, const char *name, const char *extension)
{
    size_t length = (size_t)(file_name(folder_of) - folder_of); /* of the folder, with its slash */
    size_t room = length + strlen(name) + strlen(extension) + 1;
    char  *path = (char *)allocate(room, 1);
    snprintf(path, room, "%.*s%s%s", (int)length, folder_of, name, extension);
    return path;
}

char *stem_of(const char *path)
{
    const char *name = file_name(path);
    const char *dot = strrchr(name, '.');
    size_t      length = dot ? (size_t)(dot - name) : strlen(name);
    char       *stem = (char *)allocate(length + 1, 1);
    memcpy(stem, name, length);
    return stem;
}

/* As what stands before the first dot; "COM1" and "LPT9", too. */
static bool is_device(const char *name)
{
    static const char *const devices[] = { "CON", "PRN", "AUX", "NUL", "COM", "LPT" };
    size_t                   length = strcspn(name, ".");
    bool                     has_number = length == 4 && name[3] >= '0' && name[3] <= '9';
    for (int i = 0; i < COUNT(devices); ++i) {
        char start[4] = { name[0], length > 1 ? name[1] : 0, length > 2 ? name[2] : 0, 0 };
        if (has_name(start, devices[i])) return i < 4 ? length == 3 : has_number;
    }
    return false;
}

char *name_for_file(const char *name, const char *otherwise)
{
    const size_t most = 100;
    const char  *from = name[0] ? name : otherwise;
    size_t       length = whole_length(from, most);
    char        *out = (char *)allocate(length + 2, 1), *start = out;
    if (is_device(from)) *start++ = '_';
    memcpy(start, from, length);
    for (char *c = out; *c; ++c) {
        bool is_bad = strchr("/\\:*?\"<>|", *c) || (unsigned char)*c < 32 || *c == 127;
        if (is_bad) *c = '_';
    }

    /* Hidden, or not the same name in Windows. */
    char *last = out + strlen(out) - 1;
    if (out[0] == '.') out[0] = '_';
    if (*last == '.' || *last == ' ') *last = '_';
    return out;
}

bool file_exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* In pieces, as a folder, which opens like a file, has no size. */
bool read_blob(const char *path, blob *b)
{
    static uint8_t piece[65536];
    FILE          *file = fopen(path, "rb");
    if (!file) return false;

    for (size_t size = 1; size > 0;) {
        size = fread(piece, 1, sizeof piece, file);
        put(b, piece, size);
    }
    bool is_read = !ferror(file);
    fclose(file);
    if (!is_read) free_blob(b);
    return is_read;
}

void add_output(outputs *o, const char *path, blob *file)
{
    if (o->count == o->room) {
        o->room = 2 * o->room + 8;
        o->list = (output *)reallocate(o->list, o->room * sizeof *o->list);
    }
    char *copy = (char *)allocate(strlen(path) + 1, 1);
    memcpy(copy, path, strlen(path));
    o->list[o->count].path = copy;
    o->list[o->count].file = *file;
    ++o->count;
    memset(file, 0, sizeof *file);
}

static bool has_content(const char *path, const blob *file)
{
    blob there = { NULL, 0, 0 };
    bool is_same = read_blob(path, &there) && there.size == file->size &&
                   memcmp(there.data, file->data, file->size) == 0;
    free_blob(&there);
    return is_same;
}

void add_picture_file(outputs *o, const char *path, const blob *file)
{
    for (uint32_t i = 0; i < o->count; ++i) {
        if (strcmp(o->list[i].path, path) == 0) return;
    }
    if (has_content(path, file)) return;

    blob copy = { NULL, 0, 0 };
    put(&copy, file->data, file->size);
    add_output(o, path, &copy);
}

void free_outputs(outputs *o)
{
    for (uint32_t i = 0; i < o->count; ++i) {
        release(o->list[i].path);
        free_blob(&o->list[i].file);
    }
    release(o->list);
    memset(o, 0, sizeof *o);
}

/* Beside the file, so that renaming moves no bytes. */
static char *temporary_path(const char *path)
{
    return join_path(path, file_name(path), ".part");
}

static bool write_temporary(const output *one)
{
    char *path = temporary_path(one->path);
    FILE *file = fopen(path, "wb");
    bool  is_written = file && fwrite(one->file.data, 1, one->file.size, file) == one->file.size;
    bool  is_closed = file && fclose(file) == 0;
    bool  is_good = is_written && is_closed;
    if (file && !is_good) remove(path);
    release(path);
    return is_good || fail(one->path, "cannot be written: no such folder, no right, or no room");
}

static void remove_temporary(const output *one)
{
    char *path = temporary_path(one->path);
    remove(path);
    release(path);
}

static bool take_temporary(const output *one)
{
    char *path = temporary_path(one->path);
#ifdef _WIN32
    remove(one->path);                /* there, renaming replaces nothing */
#endif
    bool is_good = rename(path, one->path) == 0;
    if (!is_good) remove(path);
    release(path);
    return is_good || fail(one->path, "cannot be replaced");
}

bool write_outputs(const outputs *o, bool force)
{
    for (uint32_t i = 0; i < o->count; ++i) {
        bool is_in_the_way = !force && file_exists(o->list[i].path);
        if (is_in_the_way) return fail(o->list[i].path, "is there already; --force replaces it");
    }

    for (uint32_t i = 0; i < o->count; ++i) {
        if (write_temporary(&o->list[i])) continue;
        for (uint32_t k = 0; k < i; ++k) remove_temporary(&o->list[k]);
        return false;
    }

    /* Where one cannot be put in its place, those that were not there before go again. */
    bool *is_old = (bool *)allocate(o->count, sizeof *is_old), is_good = true;
    for (uint32_t i = 0; i < o->count; ++i) is_old[i] = file_exists(o->list[i].path);
    for (uint32_t i = 0; i < o->count; ++i) {
        if (is_good) is_good = take_temporary(&o->list[i]);
        else remove_temporary(&o->list[i]);
        if (is_good) continue;
        for (uint32_t k = 0; k < i; ++k) {
            if (!is_old[k]) remove(o->list[k].path);
        }
    }
    for (uint32_t i = 0; i < o->count && is_good && !is_quiet; ++i) {
        printf("%s: %lu bytes\n", o->list[i].path, (unsigned long)o->list[i].file.size);
    }
    release(is_old);
    return is_good;
}
