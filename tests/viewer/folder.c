/* folder.c - lists folders, and chooses pictures by name. Public domain. */
#define _XOPEN_SOURCE 700             /* scandir, strcasecmp */
#include "folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *file_name(const char *path)
{
    const char *name = path;
    for (; *path; ++path) name = *path == '/' || *path == '\\' ? path + 1 : name;
    return name;
}

static bool begins_with(const char *text, const char *start)
{
    return strncasecmp(text, start, strlen(start)) == 0;
}

bool has_name(const char *path, const char *name) { return !strcasecmp(file_name(path), name); }

bool holds_word(const char *text, const char *word)
{
    while (*text && !begins_with(text, word)) ++text;
    return *text != 0;
}

bool has_extension(const char *path, const char *extension)
{
    const char *dot = strrchr(file_name(path), '.');
    return dot && strcasecmp(dot, extension) == 0;
}

/* -- Listing ----------------------------------------------------------------------------------- */

static int is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }

folder list_folder(const char *path)
{
    struct dirent **entries = NULL;
    size_t          length = strlen(path);
    const char     *slash = length && path[length - 1] == '/' ? "" : "/";
    int             count = scandir(path, &entries, is_shown, alphasort);
    folder          f = { count > 0 ? malloc((size_t)count * sizeof *f.paths) : NULL, 0 };
    for (; f.count < count; ++f.count) {
        char *copy = malloc(length + strlen(entries[f.count]->d_name) + 2);
        if (!copy || !f.paths) abort();
        sprintf(copy, "%s%s%s", path, slash, entries[f.count]->d_name);
        f.paths[f.count] = copy;
        free(entries[f.count]);
    }
    free(entries);
    return f;
}

folder list_beside(const char *file)
{
    char path[MAX_PATH_LENGTH];
    int  length = (int)(file_name(file) - file);
    snprintf(path, sizeof path, "%.*s", length, file);
    return list_folder(length ? path : ".");
}

void free_folder(folder *f)
{
    for (int i = 0; i < f->count; ++i) free(f->paths[i]);
    free(f->paths);
    f->paths = NULL;
    f->count = 0;
}

/* -- The picture beside a model ---------------------------------------------------------------- */

static bool is_picture(const char *path)
{
    static const char *const extensions[] = { ".pcx", ".png", ".tga", ".jpg", ".jpeg", ".bmp" };
    for (int i = 0; i < COUNT(extensions); ++i) {
        if (has_extension(path, extensions[i])) return true;
    }
    return false;
}

static size_t stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

static bool is_same_stem(const char *a, const char *b)
{
    size_t length = stem_length(a = file_name(a));
    return length == stem_length(b = file_name(b)) && strncasecmp(a, b, length) == 0;
}

/* "grunt_i.pcx" shows the face of who wears "grunt.pcx". */
static bool is_icon(const char *path)
{
    const char *name = file_name(path);
    size_t      length = stem_length(name);
    return length > 2 && begins_with(name + length - 2, "_i.");
}

static bool is_icon_of(const char *icon, const char *picture)
{
    size_t length = stem_length(picture = file_name(picture));
    icon = file_name(icon);
    return stem_length(icon) == length + 2 && !strncasecmp(icon, picture, length) && is_icon(icon);
}

bool is_weapon(const char *path)
{
    const char *name = file_name(path);
    return begins_with(name, "w_") || begins_with(name, "a_") || begins_with(name, "weapon");
}

/* 3: the listed icon shows it; 2: it has an icon; 1: it is there; 0: it is none, or another's, or a
   team's (ctf_r, ctf_b). */
static int rank_picture(const folder *f, const char *path, bool of_weapon, const char *listed)
{
    bool others = of_weapon != is_weapon(path);
    if (!is_picture(path) || is_icon(path) || others) return 0;
    if (begins_with(file_name(path), "ctf_")) return 0;
    if (is_icon_of(listed, path)) return 3;
    for (int i = 0; i < f->count; ++i) {
        if (is_icon_of(f->paths[i], path)) return 2;
    }
    return 1;
}

/* For a skin that was not found: the picture to which the listed icon belongs, else one that has an
   icon, else the only one, be it in several formats. */
bool find_picture_beside(const char *model, const char *listed, char out[MAX_PATH_LENGTH])
{
    folder      f = list_beside(model);
    const char *best = NULL;
    int         best_rank = 0, pictures = 0;
    bool        player = false;
    for (int i = 0; i < f.count; ++i) player = player || has_name(f.paths[i], "tris.md2");
    for (int i = 0; i < f.count; ++i) {
        const char *path = f.paths[i];
        int         rank = rank_picture(&f, path, player && is_weapon(model), listed);
        if (rank && !(best && is_same_stem(path, best))) ++pictures;
        if (rank > best_rank || (best && rank == best_rank && is_same_stem(path, best))) {
            best = path;
            best_rank = rank;
        }
    }
    bool found = pictures == 1 || best_rank > 1;
    if (found) snprintf(out, MAX_PATH_LENGTH, "%s", best);
    free_folder(&f);
    return found;
}
