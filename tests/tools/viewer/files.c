/* files.c - reads and lists files, on the disk and in archives: a path may lead through one, as in
   "baseq2/pak0.pak/models/imp/tris.md2". Public domain. */
#define _XOPEN_SOURCE 700             /* fseeko */
#include "viewer.h"
#include "archive.h"

#include <sys/stat.h>

#define MAX_TREE_DEPTH 8              /* of folders in folders */
#define MAX_TREE_FILES 20000

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

/* -- The archive that was read last, which stays open ------------------------------------------ */

static struct opened_archive {
    char    path[MAX_PATH_LENGTH];
    FILE   *file;
    archive archive;
} opened;

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

/* False, and an error, if it cannot be read. */
static bool open_archive_file(const char *path)
{
    if (strcmp(opened.path, path) == 0) return true;

    close_opened_archive();
    opened.file = fopen(path, "rb");
    if (!opened.file || fseeko(opened.file, 0, SEEK_END) != 0) {
        return report_error(path, "it cannot be read");
    }

    archive_source source = { read_disk, opened.file, (uint64_t)ftello(opened.file),
                              stbi_zlib_decode_noheader_buffer };
    const char    *problem = open_archive(&opened.archive, &source);
    if (problem) {
        close_opened_archive();
        return report_error(path, "%s", problem);
    }
    snprintf(opened.path, sizeof opened.path, "%s", path);
    return true;
}

/* Opens the archive that a path leads through, and returns what stands behind it: "" for the archive
   itself. NULL if there is none, or if it cannot be read. */
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

/* Steps over "." and ".." in a path, in place. */
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

/* In any case, as games find them. */
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

static uint8_t *read_plain_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;

    uint8_t *bytes = NULL;
    if (is_plain_file(path) && fseeko(file, 0, SEEK_END) == 0) {
        *size = (size_t)ftello(file);
        bytes = allocate_again(NULL, *size, 1);
        bool is_whole = *size == 0 || read_disk(file, 0, *size, bytes);
        if (!is_whole) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

/* For what is shown, and for what was shown before it. */
static struct reading {
    folder used;                      /* what was read */
    folder strangers;                 /* of this, what does not go with the model */
} reading, reading_before;

static void free_reading(struct reading *r)
{
    free_folder(&r->used);
    free_folder(&r->strangers);
}

void forget_used(void)
{
    free_reading(&reading_before);
    reading_before = reading;
    memset(&reading, 0, sizeof reading);
}

void restore_used(void)
{
    free_reading(&reading);
    reading = reading_before;
    memset(&reading_before, 0, sizeof reading_before);
}

const char *used_file(int index)
{
    return index < reading.used.count ? reading.used.paths[index] : NULL;
}

void note_stranger(const char *path)
{
    add_path(&reading.strangers, path);
}

const char *strange_file(int index)
{
    return index < reading.strangers.count ? reading.strangers.paths[index] : NULL;
}

static void note_used(const char *path)
{
    for (int i = 0; i < reading.used.count; ++i) {
        if (strcmp(reading.used.paths[i], path) == 0) return;
    }
    add_path(&reading.used, path);
}

uint8_t *read_file(const char *path, size_t *size)
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

bool is_there(const char *path)
{
    const char *inside = enter_archive(path);
    if (inside) return find_archived(inside) != NULL;

    FILE *file = fopen(path, "rb");
    if (!file) return false;
    fclose(file);
    return true;
}

/* -- Lists ------------------------------------------------------------------------------------- */

/* Adds all that the opened archive has. */
static void add_archived(folder *f, const char *archive_path)
{
    if (opened.archive.count == 0) add_path(f, archive_path);
    for (int i = 0; i < opened.archive.count; ++i) {
        char path[MAX_PATH_LENGTH];
        snprintf(path, sizeof path, "%s/%s", archive_path, opened.archive.files[i].name);
        add_path(f, path);
    }
}

static void add_tree(folder *f, const char *path, int depth)
{
    if (is_plain_file(path)) {
        if (!is_archive(path)) add_path(f, path);
        else if (open_archive_file(path)) add_archived(f, path);
        return;
    }

    folder here = list_folder(path);
    for (int i = 0; i < here.count && depth < MAX_TREE_DEPTH && f->count < MAX_TREE_FILES; ++i) {
        add_tree(f, here.paths[i], depth + 1);
    }
    free_folder(&here);
}

bool list_tree(folder *f, const char *path)
{
    struct stat found;
    bool        is_folder = stat(path, &found) == 0 && S_ISDIR(found.st_mode);
    if (!is_folder && !is_archive(path)) return false;
    add_tree(f, path, 0);
    return true;
}

folder list_files_beside(const char *file)
{
    if (!enter_archive(file)) return list_beside(file);

    /* Of the same length up to its name, and the same up to there. */
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
