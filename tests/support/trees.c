/* The functions of trees.h. Public domain. */
#define _XOPEN_SOURCE 700             /* lstat, mkfifo, readlink, symlink */
#include "trees.h"

#include "check.h"
#include "support.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 1024 };

static int compare_names(const void *a, const void *b)
{
    return strcmp((const char *)a, (const char *)b);
}

typedef char entry_name[256];

/* Returns the names in a folder, also hidden names, sorted. The caller frees them. */
static entry_name *list_names(const char *path, size_t *count)
{
    enum { MAX_ENTRIES = 1000 };
    entry_name *names = (entry_name *)malloc_or_abort(MAX_ENTRIES * sizeof *names);
    DIR        *stream = opendir(path);
    *count = 0;
    for (struct dirent *entry = stream ? readdir(stream) : NULL; entry; entry = readdir(stream)) {
        bool is_dots = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        if (is_dots || *count == MAX_ENTRIES) continue;
        snprintf(names[(*count)++], sizeof *names, "%s", entry->d_name);
    }
    if (stream) closedir(stream);
    qsort(names, *count, sizeof *names, compare_names);
    return names;
}

void remove_tree(const char *path)
{
    size_t      count;
    entry_name *names = list_names(path, &count);
    for (size_t i = 0; i < count; ++i) {
        char        full[PATH_SIZE];
        struct stat status;
        snprintf(full, sizeof full, "%s/%s", path, names[i]);
        bool is_folder = lstat(full, &status) == 0 && S_ISDIR(status.st_mode);
        if (is_folder) remove_tree(full);
        else remove(full);
    }
    free(names);
    rmdir(path);
}

static void make_entry(const char *parent, char *entry)
{
    char  path[PATH_SIZE];
    char *mark = strpbrk(entry, "=>|");
    if (!mark) mark = entry + strlen(entry) - 1; /* a folder ends with its slash */
    char kind = *mark;
    *mark = 0;
    snprintf(path, sizeof path, "%s/%s", parent, entry);
    if (kind == '=') CHECK(write_file(path, mark + 1, strlen(mark + 1)));
    else if (kind == '>') CHECK(symlink(mark + 1, path) == 0);
    else if (kind == '|') CHECK(mkfifo(path, 0600) == 0);
    else CHECK(mkdir(path, 0777) == 0);
}

void make_tree(const char *path, const char *entries)
{
    char text[PATH_SIZE];
    snprintf(text, sizeof text, "%s", entries);
    remove_tree(path);
    CHECK(mkdir(path, 0777) == 0);
    for (char *entry = strtok(text, " "); entry; entry = strtok(NULL, " ")) make_entry(path, entry);
}

/* Appends the entries of a folder to a text. `inside` is the path of the folder within the tree, with a
   slash at its end; "" is the root. */
static void append_entries(const char *root, const char *inside, char text[PATH_SIZE])
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", root, inside);
    size_t      count;
    entry_name *names = list_names(path, &count);
    for (size_t i = 0; i < count; ++i) {
        char        full[2 * PATH_SIZE], below[PATH_SIZE], rest[64] = "";
        struct stat status;
        size_t      size = 0;
        snprintf(full, sizeof full, "%s%s", path, names[i]);
        snprintf(below, sizeof below, "%s%s/", inside, names[i]);
        if (lstat(full, &status) != 0) continue;

        if (S_ISLNK(status.st_mode)) {
            rest[0] = '>';
            CHECK(readlink(full, rest + 1, sizeof rest - 2) > 0);
        } else if (S_ISDIR(status.st_mode)) {
            rest[0] = '/';
        } else if (S_ISFIFO(status.st_mode)) {
            rest[0] = '|';
        } else {
            unsigned char *content = read_file(full, &size);
            snprintf(rest, sizeof rest, "=%.*s", (int)size, content ? (const char *)content : "");
            free(content);
        }
        size_t used = strlen(text);
        snprintf(text + used, PATH_SIZE - used, "%s%s%s%s", used > 0 ? " " : "", inside, names[i], rest);
        if (S_ISDIR(status.st_mode)) append_entries(root, below, text);
    }
    free(names);
}

void check_tree(const char *path, const char *entries)
{
    char text[PATH_SIZE] = "";
    append_entries(path, "", text);
    CHECK_TEXT(text, entries);
}
