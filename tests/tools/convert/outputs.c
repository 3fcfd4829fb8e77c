/* outputs.c - makes file names, reads files, and writes all files of a conversion or none. Public domain. */
#define _XOPEN_SOURCE 700             /* for realpath and fdopen */
#include "mdconvert.h"
#include "../viewer/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef _WIN32
  #define WIN32_LEAN_AND_MEAN
  #include <windows.h>
  #include <direct.h>
  #include <io.h>
#else
  #include <unistd.h>
#endif

/* -- System calls ------------------------------------------------------------------------------ */

/* Creates a file. Returns NULL if the file exists, so that nothing is written through a link or into a pipe. */
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

static bool make_folder(const char *path)
{
#ifdef _WIN32
    return _mkdir(path) == 0;
#else
    return mkdir(path, 0777) == 0;
#endif
}

/* Removes a folder if it is empty. */
static void remove_folder(const char *path)
{
#ifdef _WIN32
    _rmdir(path);
#else
    rmdir(path);
#endif
}

/* Returns the path that a link leads to, so that the file there is replaced and the link stays. Returns a copy of any
   other path. The caller releases the result. */
static char *follow_links(const char *path)
{
#ifndef _WIN32
    char *real = realpath(path, NULL);
    if (real) {
        char *copy = copy_text(real);
        free(real);
        return copy;
    }
#endif
    return copy_text(path);
}

#ifdef _WIN32
/* Returns true for a link or a junction. Other reparse points, such as files in cloud storage, are not links. */
static bool is_link(const char *path)
{
    WIN32_FIND_DATAA found;
    HANDLE           search = FindFirstFileA(path, &found);
    if (search == INVALID_HANDLE_VALUE) return false;
    FindClose(search);
    return (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
           (found.dwReserved0 == IO_REPARSE_TAG_SYMLINK ||
            found.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
}
#endif

bool leaves_folder(const char *folder_of, const char *name)
{
    char *path = join_path(folder_of, name, "");
    bool  leaves = false;
#ifdef _WIN32
    for (char *c = path + strlen(path) - strlen(name); !leaves; ++c) {
        char end = *c;
        if (end != '/' && end != '\\' && end != 0) continue;
        *c = 0;
        leaves = is_link(path);
        *c = end;
        if (end == 0) break;
    }
#else
    char *folder = join_path(folder_of, ".", "");
    char *real_folder = realpath(folder, NULL), *real = realpath(path, NULL);
    if (real_folder && real) {
        size_t length = strlen(real_folder);
        bool   is_root = strcmp(real_folder, "/") == 0;
        leaves = !is_root && (strncmp(real, real_folder, length) != 0 || real[length] != '/');
    }
    free(real_folder);
    free(real);
    release(folder);
#endif
    release(path);
    return leaves;
}

/* Gives a new file the permissions of the file that it replaces. */
static void copy_mode(const char *from, const char *to)
{
#ifndef _WIN32
    struct stat there;
    if (stat(from, &there) == 0) chmod(to, there.st_mode & 07777);
#else
    (void)from, (void)to;
#endif
}

/* Renames a file. If the target exists, replaces it, which rename() does not do in Windows. */
static bool rename_file(const char *from, const char *to)
{
#ifdef _WIN32
    remove(to);
#endif
    return rename(from, to) == 0;
}

/* -- Names ------------------------------------------------------------------------------------- */

char *join_path(const char *folder_of, const char *name, const char *extension)
{
    size_t folder_length = (size_t)(file_name(folder_of) - folder_of); /* includes the slash */
    size_t room = folder_length + strlen(name) + strlen(extension) + 1;
    char  *path = (char *)allocate(room, 1);
    snprintf(path, room, "%.*s%s%s", (int)folder_length, folder_of, name, extension);
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

/* Returns true for the name of a device in Windows, such as "NUL", "com1.txt" or "LPT9 .x". Windows looks only at the
   part before the first dot, without the spaces at the end of the part. */
static bool is_device(const char *name)
{
    static const char *const devices[] = { "CON", "PRN", "AUX", "NUL", "COM", "LPT" };
    size_t                   length = strcspn(name, ".");
    while (length > 0 && name[length - 1] == ' ') --length;
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

    /* A dot at the start would hide the file, and Windows drops a dot or a space at the end. */
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

/* Returns true for a regular file. Reading a pipe or a device might never end. */
bool is_file(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0 && (there.st_mode & S_IFMT) == S_IFREG;
}

/* -- Reading and listing files ----------------------------------------------------------------- */

/* Reads a whole file. Allocates memory before it opens the file: if memory runs out, nothing closes an open file. */
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
    output *added = &o->list[o->count++];
    memset(added, 0, sizeof *added);
    added->path = copy_text(path);
    added->file = *file;
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

/* -- Signals ----------------------------------------------------------------------------------- */

/* While files are written, signals that end the program wait until the unfinished files are removed. */
#ifdef SIGHUP
static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP };
#else
static const int ending_signals[] = { SIGINT, SIGTERM };
#endif
static volatile sig_atomic_t caught_signal;

typedef void (*signal_handler)(int number);

static void catch_signal(int number)
{
    caught_signal = number;
    signal(number, catch_signal);     /* System V removes a handler when it calls it. */
}

static void catch_signals(signal_handler before[COUNT(ending_signals)])
{
    for (int i = 0; i < COUNT(ending_signals); ++i) {
        before[i] = signal(ending_signals[i], catch_signal);

        /* Continue to ignore a signal that nohup or a shell has told this program to ignore. */
        if (before[i] == SIG_IGN) signal(ending_signals[i], SIG_IGN);
    }
}

/* Restores the signal handlers, and raises the signal that was caught, if any. */
static void release_signals(const signal_handler before[COUNT(ending_signals)])
{
    for (int i = 0; i < COUNT(ending_signals); ++i) {
        if (before[i] != SIG_ERR) signal(ending_signals[i], before[i]);
    }
    int number = caught_signal;
    caught_signal = 0;
    if (number != 0) raise(number);
}

/* -- Writing ----------------------------------------------------------------------------------- */

/* New files are written under temporary names next to their targets. When all new files are complete, each old file is
   renamed to a temporary name, and the new file is renamed to its target. Until the last file is renamed, everything
   can be undone.

   No function after prepare_outputs allocates memory: if memory ran out, nothing would be undone. */
static const char part_name[] = "mdconvert000000.part";

typedef struct writing {
    const outputs *o;
    char         **folders;           /* folders that are missing, outermost first */
    uint32_t       folder_count, folder_room;
    uint32_t       made_count;        /* number of `folders` that have been created */
} writing;

static bool is_slash(char c)
{
#ifdef _WIN32
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

static void add_folder_once(writing *w, const char *path)
{
    for (uint32_t i = 0; i < w->folder_count; ++i) {
        if (strcmp(w->folders[i], path) == 0) return;
    }
    if (w->folder_count == w->folder_room) {
        w->folder_room = 2 * w->folder_room + 8;
        w->folders = (char **)reallocate(w->folders, w->folder_room * sizeof *w->folders);
    }
    w->folders[w->folder_count++] = copy_text(path);
}

static void list_missing_folders(writing *w, const char *path)
{
    char *part = copy_text(path);
    for (char *c = part + 1; part[0] && *c; ++c) {
        char slash = *c;
        if (!is_slash(slash)) continue;
        *c = 0;
        if (!file_exists(part)) add_folder_once(w, part);
        *c = slash;
    }
    release(part);
}

/* Returns false and reports an error if the target exists and may not be replaced. Only regular files are replaced,
   never a folder, a pipe or a device. */
static bool check_target(const output *one, bool force)
{
    if (!file_exists(one->path)) return true;
    if (!is_file(one->path)) return fail(one->path, "already exists and is not a regular file");
    return force || fail(one->path, "already exists; --force replaces it");
}

static bool prepare_outputs(writing *w, bool force)
{
    for (uint32_t i = 0; i < w->o->count; ++i) {
        if (!check_target(&w->o->list[i], force)) return false;
    }
    for (uint32_t i = 0; i < w->o->count; ++i) {
        output *one = &w->o->list[i];
        list_missing_folders(w, one->path);
        one->target = follow_links(one->path);
        one->temporary = join_path(one->target, part_name, "");
        one->old = join_path(one->target, part_name, "");
    }
    return true;
}

/* Creates a temporary file. Sets the number in `path` to a number that no other file has. */
static FILE *create_part(char *path)
{
    static unsigned number;
    char           *name = path + strlen(path) - strlen(part_name);
    FILE           *file = NULL;
    for (int attempt = 0; attempt < 1000 && !file; ++attempt) {
        snprintf(name, sizeof part_name, "mdconvert%06u.part", number++ % 1000000);
        file = create_file(path);
        if (!file && errno != EEXIST) break;
    }
    return file;
}

static bool make_missing_folders(writing *w)
{
    for (; w->made_count < w->folder_count; ++w->made_count) {
        const char *path = w->folders[w->made_count];
        if (!make_folder(path)) return fail(path, "cannot be created: %s", strerror(errno));
    }
    return true;
}

/* Writes the content in pieces, and stops between two pieces if a signal has arrived. */
static bool write_content(FILE *file, const blob *content)
{
    const size_t piece = 1 << 20;
    size_t       done = 0;
    while (done < content->size && !caught_signal) {
        size_t size = content->size - done < piece ? content->size - done : piece;
        if (fwrite(content->data + done, 1, size, file) != size) return false;
        done += size;
    }
    return !caught_signal;
}

static bool write_temporary(output *one)
{
    FILE *file = create_part(one->temporary);
    if (!file) return fail(one->path, "cannot be written: %s", strerror(errno));

    one->is_written = true;
    bool is_whole = write_content(file, &one->file);
    int  problem = errno;
    if (fclose(file) != 0) {
        is_whole = false;
        problem = errno;
    }
    if (is_whole) return true;
    return caught_signal ? false : fail(one->path, "cannot be written: %s", strerror(problem));
}

/* Renames a new file to its target. The old file has a temporary name until all new files are at their targets. */
static bool place_output(output *one)
{
    if (file_exists(one->target)) {
        FILE *file = create_part(one->old);
        if (!file) return fail(one->path, "cannot be replaced: %s", strerror(errno));
        fclose(file);
        one->is_saved = rename_file(one->target, one->old);
        if (!one->is_saved) {
            int problem = errno;
            remove(one->old);
            return fail(one->path, "cannot be replaced: %s", strerror(problem));
        }
        copy_mode(one->old, one->temporary);
    }
    one->is_placed = rename_file(one->temporary, one->target);
    return one->is_placed || fail(one->path, "cannot be written: %s", strerror(errno));
}

static bool write_all(writing *w)
{
    if (!make_missing_folders(w)) return false;
    for (uint32_t i = 0; i < w->o->count; ++i) {
        if (!write_temporary(&w->o->list[i])) return false;
    }
    for (uint32_t i = 0; i < w->o->count; ++i) {
        if (!place_output(&w->o->list[i])) return false;
    }
    return true;
}

/* Removes the new files and folders, and restores the old files. Goes through the outputs in reverse order, because two
   outputs may have the same target. */
static void undo_all(writing *w)
{
    for (uint32_t i = w->o->count; i-- > 0;) {
        output *one = &w->o->list[i];
        if (one->is_placed) remove(one->target);
        else if (one->is_written) remove(one->temporary);
        if (one->is_saved) rename_file(one->old, one->target);
    }
    while (w->made_count > 0) remove_folder(w->folders[--w->made_count]);
}

static void remove_old_files(const writing *w)
{
    for (uint32_t i = 0; i < w->o->count; ++i) {
        if (w->o->list[i].is_saved) remove(w->o->list[i].old);
    }
}

static void end_writing(writing *w)
{
    for (uint32_t i = 0; i < w->folder_count; ++i) release(w->folders[i]);
    release(w->folders);
    for (uint32_t i = 0; i < w->o->count; ++i) {
        output *one = &w->o->list[i];
        release(one->target);
        release(one->temporary);
        release(one->old);
        one->target = one->temporary = one->old = NULL;
        one->is_written = one->is_saved = one->is_placed = false;
    }
}

static void print_outputs(const outputs *o)
{
    const uint32_t most_lines = 2;
    unsigned long  bytes = 0;
    for (uint32_t i = 0; i < o->count; ++i) {
        const output *one = &o->list[i];
        unsigned long size = (unsigned long)one->file.size;
        bytes += size;
        if (o->count <= most_lines) printf("%s: %lu bytes\n", one->path, size);
    }
    if (o->count <= most_lines) return;

    /* Print the name of the model, even if pictures come before it. */
    uint32_t model = 0;
    while (model + 1 < o->count && has_extension(o->list[model].path, ".png")) ++model;
    printf("%s and %u more files: %lu bytes\n", o->list[model].path, (unsigned)o->count - 1, bytes);
}

bool write_outputs(const outputs *o, bool force)
{
    writing w;
    memset(&w, 0, sizeof w);
    w.o = o;
    bool is_good = prepare_outputs(&w, force);
    if (is_good) {
        signal_handler before[COUNT(ending_signals)];
        catch_signals(before);
        is_good = write_all(&w);
        if (is_good) remove_old_files(&w);
        else undo_all(&w);
        release_signals(before);
    }
    end_writing(&w);

    if (is_good && !is_quiet) print_outputs(o);
    return is_good;
}
