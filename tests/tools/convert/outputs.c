/* outputs.c - files that appear whole or not at all, and the names of all. Public domain. */
#define _XOPEN_SOURCE 700             /* realpath, fdopen */
#include "mdconvert.h"
#include "../viewer/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef _WIN32
  #include <direct.h>
  #include <io.h>
#else
  #include <unistd.h>
#endif

/* -- What systems call differently ------------------------------------------------------------- */

/* A file that was not there, so that nothing is written through what is there: a link, a fifo. */
static FILE *create_file(const char *path)
{
#ifdef _WIN32
    int file = _open(path, _O_CREAT | _O_EXCL | _O_WRONLY | _O_BINARY, _S_IREAD | _S_IWRITE);
    return file < 0 ? NULL : _fdopen(file, "wb");
#else
    int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0666);
    return file < 0 ? NULL : fdopen(file, "wb");
#endif
}

static void make_folder(const char *path)
{
#ifdef _WIN32
    _mkdir(path);
#else
    mkdir(path, 0777);
#endif
}

/* The file that a link stands for, so that the link stays; else the path itself. Free it. */
static char *behind_links(const char *path)
{
#ifndef _WIN32
    char *real = realpath(path, NULL);
    if (real) {
        char *copy = join_path("", real, "");
        free(real);
        return copy;
    }
#endif
    return join_path("", path, "");
}

/* What could be read and run by whom stays so. */
static void copy_mode(const char *from, const char *to)
{
#ifndef _WIN32
    struct stat there;
    if (stat(from, &there) == 0) chmod(to, there.st_mode & 07777);
#else
    (void)from, (void)to;
#endif
}

/* Windows renames to no name that is there. */
static bool move_file(const char *from, const char *to)
{
#ifdef _WIN32
    remove(to);
#endif
    return rename(from, to) == 0;
}

/* -- Names ------------------------------------------------------------------------------------- */

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
        char start[4] = "";
        memcpy(start, name, length < 3 ? length : 3);
        if (has_name(start, devices[i])) return i < 4 ? length == 3 : has_number;
    }
    return false;
}

char *name_for_file(const char *name, const char *fallback)
{
    const size_t most = 100;
    const char  *from = name[0] ? name : fallback;
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
    struct stat there;
    return stat(path, &there) == 0;
}

/* A fifo would never end, nor would a device. */
bool is_file(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && (there.st_mode & S_IFMT) == S_IFREG;
}

/* -- Files in memory --------------------------------------------------------------------------- */

/* What needs memory comes before the file is opened: where it lacks, nothing would close that. */
bool read_blob(const char *path, blob *b)
{
    struct stat there;
    if (!is_file(path) || stat(path, &there) != 0) return false;
    b->room = (size_t)there.st_size;
    b->data = (uint8_t *)allocate(b->room, 1);

    FILE *file = fopen(path, "rb");
    b->size = file ? fread(b->data, 1, b->room, file) : 0;
    bool is_read = file && !ferror(file);
    if (file) fclose(file);
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
    memset(&o->list[o->count], 0, sizeof *o->list);
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
        release(o->list[i].target);
        release(o->list[i].temporary);
        free_blob(&o->list[i].file);
    }
    release(o->list);
    memset(o, 0, sizeof *o);
}

/* -- Writing ----------------------------------------------------------------------------------- */

/* All folders on the way to a file, as far as they are not there. */
static void make_folders(const char *path)
{
    char *part = join_path("", path, "");
    for (char *c = part + 1; *c; ++c) {
        char slash = *c;
        if (slash != '/' && slash != '\\') continue;
        *c = 0;
        if (!file_exists(part)) make_folder(part);
        *c = slash;
    }
    release(part);
}

/* A file of a name that nothing has, beside the one that it becomes, so that renaming moves no
   bytes. */
static FILE *create_temporary(output *one)
{
    static unsigned number;
    FILE           *file = NULL;
    for (int attempt = 0; attempt < 1000 && !file; ++attempt) {
        char name[32];
        snprintf(name, sizeof name, "mdconvert%u.part", number++ % 1000000);
        release(one->temporary);
        one->temporary = join_path(one->target, name, "");
        file = create_file(one->temporary);
        if (!file && errno != EEXIST) break;
    }
    return file;
}

static void remove_temporary(output *one)
{
    if (one->temporary) remove(one->temporary);
    release(one->temporary);
    one->temporary = NULL;
}

static bool write_temporary(output *one)
{
    make_folders(one->path);
    one->target = behind_links(one->path);
    FILE *file = create_temporary(one);
    if (!file) {
        release(one->temporary);
        one->temporary = NULL;
    }
    bool is_written = file && fwrite(one->file.data, 1, one->file.size, file) == one->file.size;
    bool is_closed = file && fclose(file) == 0;
    if (is_written && is_closed) return true;
    remove_temporary(one);
    return fail(one->path, "cannot be written: no right to its folder, or no room");
}

static bool take_temporary(output *one)
{
    copy_mode(one->target, one->temporary);
    bool is_good = move_file(one->temporary, one->target);
    if (!is_good) remove_temporary(one);
    release(one->temporary);
    one->temporary = NULL;
    return is_good || fail(one->path, "cannot be replaced");
}

static bool write_temporaries(const outputs *o)
{
    for (uint32_t i = 0; i < o->count; ++i) {
        if (write_temporary(&o->list[i])) continue;
        for (uint32_t k = 0; k < i; ++k) remove_temporary(&o->list[k]);
        return false;
    }
    return true;
}

/* Where one cannot be put in its place, those that were not there before go again. */
static bool take_temporaries(const outputs *o)
{
    for (uint32_t i = 0; i < o->count; ++i) {
        output *one = &o->list[i];
        one->is_old = file_exists(one->target);
        if (take_temporary(one)) continue;
        for (uint32_t k = i + 1; k < o->count; ++k) remove_temporary(&o->list[k]);
        for (uint32_t k = 0; k < i; ++k) {
            if (!o->list[k].is_old) remove(o->list[k].target);
        }
        return false;
    }
    return true;
}

bool write_outputs(const outputs *o, bool force)
{
    for (uint32_t i = 0; i < o->count; ++i) {
        bool is_in_the_way = !force && file_exists(o->list[i].path);
        if (is_in_the_way) return fail(o->list[i].path, "is there already; --force replaces it");
    }
    if (!write_temporaries(o) || !take_temporaries(o)) return false;

    for (uint32_t i = 0; i < o->count && !is_quiet; ++i) {
        printf("%s: %lu bytes\n", o->list[i].path, (unsigned long)o->list[i].file.size);
    }
    return true;
}
