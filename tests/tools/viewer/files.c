/* files.c - reads and lists files, on the disk and in archives. A path can name a file in an
   archive: "baseq2/pak0.pak/models/imp/tris.md2". Public domain. */
#define _XOPEN_SOURCE 700             /* fseeko, lstat */
#include "files.h"
#include "archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_FILE_SIZE    ((uint64_t)256 << 20) /* bytes of a file outside of archives */
#define MAX_TREE_DEPTH   8            /* of folders in folders */
#define MAX_TREE_FILES   20000
#define MAX_TREE_FOLDERS 20000

static bool is_archive(const char *path)
{
    static const char *const extensions[] = { ".pak", ".zip", ".pk3", ".pk4" };
    for (int i = 0; i < COUNT(extensions); ++i) {
        if (has_extension(path, extensions[i])) return true;
    }
    return false;
}

static bool is_plain_file(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

/* -- The open archive -------------------------------------------------------------------------- */

/* The archive that was read last stays open. */

static struct opened_archive {
    char        path[MAX_PATH_LENGTH];
    struct stat state;                /* of the file when it was opened */
    FILE       *file;
    archive     archive;
} opened;

/* Returns true if the archive is open and its file has not been written or replaced since then. */
static bool is_opened(const char *path)
{
    struct stat now;
    const struct stat *then = &opened.state;
    if (strcmp(opened.path, path) != 0 || stat(path, &now) != 0) return false;
#ifdef __linux__
    if (now.st_mtim.tv_nsec != then->st_mtim.tv_nsec) return false;
#endif
    return now.st_size == then->st_size && now.st_mtime == then->st_mtime &&
           now.st_ino == then->st_ino && now.st_dev == then->st_dev;
}

static bool read_disk(void *user, uint64_t offset, size_t size, void *out)
{
    FILE *file = (FILE *)user;
    return fseeko(file, (off_t)offset, SEEK_SET) == 0 && fread(out, 1, size, file) == size;
}

static void close_opened_archive(void)
{
    close_archive(&opened.archive);
    if (opened.file) fclose(opened.file);
    memset(&opened, 0, sizeof opened);
}

/* Opens an archive. If it cannot be read, reports an error and returns false. */
static bool open_archive_file(const char *path)
{
    if (is_opened(path)) return true;

    close_opened_archive();
    opened.file = fopen(path, "rb");
    bool is_known = opened.file && stat(path, &opened.state) == 0;
    if (!is_known || fseeko(opened.file, 0, SEEK_END) != 0) {
        return report_error(path, "it cannot be read");
    }

    archive_source source = { read_disk, opened.file, (uint64_t)ftello(opened.file),
                              inflate_stream };
    const char    *problem = open_archive(&opened.archive, &source);
    if (problem) {
        close_opened_archive();
        return report_error(path, "%s", problem);
    }
    snprintf(opened.path, sizeof opened.path, "%s", path);
    return true;
}

/* Opens the archive in a path and returns the rest: for "baseq2/pak0.pak/models/imp/tris.md2",
   opens pak0.pak and returns "models/imp/tris.md2". For the archive itself, returns "". Returns
   NULL if the path has no archive, or if it cannot be read. */
static const char *enter_archive(const char *path)
{
    char   part[MAX_PATH_LENGTH];
    size_t length = strlen(path);
    if (length >= sizeof part) return NULL;

    for (size_t end = 1; end <= length; ++end) {
        bool is_end = path[end] == '/' || path[end] == 0;
        if (!is_end) continue;

        memcpy(part, path, end);
        part[end] = 0;
        if (!is_archive(part) || !is_plain_file(part)) continue;
        if (!open_archive_file(part)) return NULL;
        return path[end] == 0 ? path + end : path + end + 1;
    }
    return NULL;
}

/* Resolves "." and ".." in a path, in place. */
static void simplify(char *path)
{
    char *out = path;
    for (char *part = path; part;) {
        char  *slash = strchr(part, '/');
        size_t length = slash ? (size_t)(slash - part) : strlen(part);
        bool   climbs = length == 2 && memcmp(part, "..", 2) == 0;
        bool   stays = length == 1 && part[0] == '.';
        if (climbs) {
            if (out > path) --out;
            while (out > path && out[-1] != '/') --out;
        } else if (!stays) {
            memmove(out, part, length);
            out += length;
            if (slash) *out++ = '/';
        }
        part = slash ? slash + 1 : NULL;
    }
    *out = 0;
}

/* Finds a file in the open archive. The case of names does not matter, as in the games. */
static const archived_file *find_archived(const char *inside)
{
    char name[MAX_PATH_LENGTH];
    snprintf(name, sizeof name, "%s", inside);
    simplify(name);
    for (int i = 0; i < opened.archive.count; ++i) {
        if (is_same_name(opened.archive.files[i].name, name)) return &opened.archive.files[i];
    }
    return NULL;
}

/* -- Files ------------------------------------------------------------------------------------- */

/* Opens only regular files, because a pipe would never end. */
static FILE *open_plain_file(const char *path)
{
    return is_plain_file(path) ? fopen(path, "rb") : NULL;
}

static uint8_t *read_plain_file(const char *path, size_t *size)
{
    FILE *file = open_plain_file(path);
    if (!file) return NULL;

    uint8_t *bytes = NULL;
    off_t    end = fseeko(file, 0, SEEK_END) == 0 ? ftello(file) : -1;
    if (end >= 0 && (uint64_t)end > MAX_FILE_SIZE) {
        report_error(path, "it is larger than %d MB", (int)(MAX_FILE_SIZE >> 20));
    } else if (end >= 0) {
        *size = (size_t)end;
        bytes = (uint8_t *)malloc(*size + 1); /* never 0 bytes, which could return NULL */
        if (!bytes) report_error(path, "there is not enough memory");
    }
    bool is_whole = bytes && (*size == 0 || read_disk(file, 0, *size, bytes));
    fclose(file);
    if (is_whole) return bytes;
    free(bytes);
    return NULL;
}

/* The files of the current models, and of the models before them. */
static struct reading {
    folder used;                      /* files that were read */
    folder unusable;                  /* animations among them that do not fit or cannot be read */
} reading, reading_before;

static void free_reading(struct reading *r)
{
    free_folder(&r->used);
    free_folder(&r->unusable);
}

void forget_used_files(void)
{
    free_reading(&reading_before);
    reading_before = reading;
    memset(&reading, 0, sizeof reading);
}

void restore_used_files(void)
{
    free_reading(&reading);
    reading = reading_before;
    memset(&reading_before, 0, sizeof reading_before);
}

const char *used_file(int index)
{
    return index < reading.used.count ? reading.used.paths[index] : NULL;
}

void note_unusable_anim(const char *path)
{
    add_path(&reading.unusable, path);
}

const char *unusable_anim(int index)
{
    return index < reading.unusable.count ? reading.unusable.paths[index] : NULL;
}

static void note_used(const char *path)
{
    for (int i = 0; i < reading.used.count; ++i) {
        if (strcmp(reading.used.paths[i], path) == 0) return;
    }
    add_path(&reading.used, path);
}

uint8_t *read_bytes(const char *path, size_t *size)
{
    note_used(path);
    const char *inside = enter_archive(path);
    if (!inside) return read_plain_file(path, size);

    const archived_file *file = find_archived(inside);
    if (!file) return NULL;

    const char *problem;
    uint8_t    *bytes = read_archived(&opened.archive, file, &problem);
    if (!bytes) report_error(path, "%s", problem);
    *size = file->size;
    return bytes;
}

bool file_exists(const char *path)
{
    const char *inside = enter_archive(path);
    if (inside) return find_archived(inside) != NULL;

    FILE *file = open_plain_file(path);
    if (!file) return false;
    fclose(file);
    return true;
}

/* -- Lists ------------------------------------------------------------------------------------- */

/* Adds all files of the open archive. */
static void add_archived(folder *f, const char *archive_path)
{
    if (opened.archive.count == 0) add_path(f, archive_path);
    for (int i = 0; i < opened.archive.count; ++i) {
        char path[MAX_PATH_LENGTH];
        snprintf(path, sizeof path, "%s/%s", archive_path, opened.archive.files[i].name);
        add_path(f, path);
    }
}

typedef struct folder_id {
    dev_t device;
    ino_t number;                     /* 0 on systems without such numbers */
} folder_id;

typedef struct walk {                 /* a search through folders */
    folder    *files;
    folder     links;                 /* links to folders, which are listed last */
    folder_id *seen;                  /* folders that were listed */
    int        seen_count;
} walk;

/* Returns false for a folder that was listed before, because links can lead back to it. */
static bool enter_folder(walk *w, const char *path)
{
    struct stat here;
    bool        is_folder = stat(path, &here) == 0 && S_ISDIR(here.st_mode);
    if (!is_folder || w->seen_count == MAX_TREE_FOLDERS) return false;
    folder_id id = { here.st_dev, here.st_ino };
    for (int i = 0; i < w->seen_count && id.number != 0; ++i) {
        if (w->seen[i].number == id.number && w->seen[i].device == id.device) return false;
    }

    /* The capacity is a power of two. */
    bool is_full = (w->seen_count & (w->seen_count - 1)) == 0;
    if (is_full) {
        size_t capacity = w->seen_count ? 2 * (size_t)w->seen_count : 1;
        w->seen = (folder_id *)realloc(w->seen, capacity * sizeof *w->seen);
        if (!w->seen) abort();
    }
    w->seen[w->seen_count++] = id;
    return true;
}

static bool is_link(const char *path)
{
#ifdef _WIN32
    (void)path;
    return false;
#else
    struct stat there;
    return lstat(path, &there) == 0 && S_ISLNK(there.st_mode);
#endif
}

static void add_file(folder *f, const char *path)
{
    if (!is_archive(path)) add_path(f, path);
    else if (open_archive_file(path)) add_archived(f, path);
}

static void add_folder(walk *w, const char *path, int depth)
{
    if (!enter_folder(w, path)) return;

    folder here = list_folder(path);
    for (int i = 0; i < here.count && w->files->count < MAX_TREE_FILES; ++i) {
        const char *entry = here.paths[i];
        if (is_plain_file(entry)) add_file(w->files, entry);
        else if (is_link(entry)) add_path(&w->links, entry);
        else if (depth < MAX_TREE_DEPTH) add_folder(w, entry, depth + 1);
    }
    free_folder(&here);
}

bool list_tree(folder *f, const char *path)
{
    struct stat found;
    bool        is_folder = stat(path, &found) == 0 && S_ISDIR(found.st_mode);
    if (!is_folder && !is_archive(path)) return false;

    walk w = { f, { NULL, 0 }, NULL, 0 };
    if (is_plain_file(path)) add_file(f, path);
    add_folder(&w, path, 0);
    for (int i = 0; i < w.links.count; ++i) add_folder(&w, w.links.paths[i], 1);
    free_folder(&w.links);
    free(w.seen);
    return true;
}

folder list_files_beside(const char *file)
{
    if (!enter_archive(file)) return list_beside(file);

    /* Files in the same folder have the same path up to their name. */
    folder all = { NULL, 0 }, beside = { NULL, 0 };
    add_archived(&all, opened.path);
    size_t length = (size_t)(file_name(file) - file);
    for (int i = 0; i < all.count; ++i) {
        const char *path = all.paths[i];
        bool is_beside = (size_t)(file_name(path) - path) == length && memcmp(path, file, length) == 0;
        if (is_beside) add_path(&beside, path);
    }
    free_folder(&all);
    return beside;
}
