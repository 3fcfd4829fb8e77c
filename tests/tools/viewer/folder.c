/* folder.c - lists folders, and chooses pictures by name. Public domain. */
#define _XOPEN_SOURCE 700             /* strcasecmp */
#include "folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* -- Names ------------------------------------------------------------------------------------- */

const char *file_name(const char *path)
{
    const char *name = path;
    for (const char *c = path; *c; ++c) {
        if (*c == '/' || *c == '\\') name = c + 1;
    }
    return name;
}

static bool begins_with(const char *text, const char *start)
{
    return strncasecmp(text, start, strlen(start)) == 0;
}

bool is_same_name(const char *a, const char *b)
{
    return strcasecmp(a, b) == 0;
}

bool has_name(const char *path, const char *name)
{
    return is_same_name(file_name(path), name);
}

bool contains_text(const char *text, const char *part)
{
    for (const char *c = text; *c; ++c) {
        if (begins_with(c, part)) return true;
    }
    return false;
}

bool has_extension(const char *path, const char *extension)
{
    const char *dot = strrchr(file_name(path), '.');
    return dot && strcasecmp(dot, extension) == 0;
}

/* Returns the length of a file name without its extension. */
static size_t stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

static bool has_same_stem(const char *path_a, const char *path_b)
{
    const char *a = file_name(path_a);
    const char *b = file_name(path_b);
    size_t      length = stem_length(a);
    return stem_length(b) == length && strncasecmp(a, b, length) == 0;
}

/* -- Listing ----------------------------------------------------------------------------------- */

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void add_path(folder *f, const char *path)
{
    /* The capacity is a power of two. */
    bool is_full = (f->count & (f->count - 1)) == 0;
    if (is_full) {
        size_t capacity = f->count ? 2 * (size_t)f->count : 1;
        f->paths = (char **)realloc(f->paths, capacity * sizeof *f->paths);
        if (!f->paths) abort();
    }

    size_t size = strlen(path) + 1;
    char  *copy = (char *)malloc(size);
    if (!copy) abort();
    memcpy(copy, path, size);
    f->paths[f->count++] = copy;
}

folder list_folder(const char *path)
{
    /* MinGW's dirent.h has no scandir, so readdir is used. */
    folder f = { NULL, 0 };
    DIR   *stream = opendir(path);
    if (!stream) return f;

    size_t      length = strlen(path);
    bool        ends_with_slash = length > 0 && path[length - 1] == '/';
    const char *slash = ends_with_slash ? "" : "/";
    for (struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
        if (entry->d_name[0] == '.') continue;
        char full[MAX_PATH_LENGTH];
        int  written = snprintf(full, sizeof full, "%s%s%s", path, slash, entry->d_name);
        if (written < MAX_PATH_LENGTH) add_path(&f, full);
    }
    closedir(stream);
    if (f.count > 0) qsort(f.paths, (size_t)f.count, sizeof *f.paths, compare_paths);
    return f;
}

folder list_beside(const char *file)
{
    char path[MAX_PATH_LENGTH];
    int  length = (int)(file_name(file) - file); /* including the slash; 0 if there is none */
    if (length == 0) return list_folder(".");

    snprintf(path, sizeof path, "%.*s", length, file);
    return list_folder(path);
}

void free_folder(folder *f)
{
    for (int i = 0; i < f->count; ++i) free(f->paths[i]);
    free(f->paths);
    f->paths = NULL;
    f->count = 0;
}

/* -- The picture of a model -------------------------------------------------------------------- */

static bool is_picture(const char *path)
{
    static const char *const extensions[] = { ".pcx", ".png", ".tga", ".jpg", ".jpeg", ".bmp" };
    for (int i = 0; i < COUNT(extensions); ++i) {
        if (has_extension(path, extensions[i])) return true;
    }
    return false;
}

/* Returns true for an icon: the menus of Quake II show "grunt_i.pcx" for the skin "grunt.pcx". */
static bool is_icon(const char *path)
{
    const char *name = file_name(path);
    size_t      length = stem_length(name);
    return length > 2 && begins_with(name + length - 2, "_i.");
}

static bool is_icon_of(const char *icon_path, const char *picture_path)
{
    const char *icon = file_name(icon_path);
    const char *picture = file_name(picture_path);
    size_t      length = stem_length(picture);
    return is_icon(icon) && stem_length(icon) == length + 2 &&
           strncasecmp(icon, picture, length) == 0;
}

static bool has_icon(const folder *f, const char *picture)
{
    for (int i = 0; i < f->count; ++i) {
        if (is_icon_of(f->paths[i], picture)) return true;
    }
    return false;
}

bool is_weapon(const char *path)
{
    const char *name = file_name(path);
    return begins_with(name, "w_") || begins_with(name, "a_") || begins_with(name, "weapon");
}

static bool has_player_model(const folder *f)
{
    for (int i = 0; i < f->count; ++i) {
        if (has_name(f->paths[i], "tris.md2")) return true;
    }
    return false;
}

/* Ranks a file by how likely it is the skin of a model. */
typedef enum rank {
    NO_SKIN,                          /* not a picture, or the picture of another model */
    SOME_PICTURE,
    HAS_ICON,                         /* a skin that players can choose */
    HAS_LISTED_ICON                   /* the model lists the icon of this skin as its skin */
} rank;

static rank rank_picture(const folder *f, const char *path, const char *model, const char *listed)
{
    if (!is_picture(path) || is_icon(path)) return NO_SKIN;

    /* In the folder of a player, pictures with the name of a weapon are for weapons, and all others
       are for the player. A folder that has only weapons has only pictures for weapons. */
    bool has_only_weapons = is_weapon(model) && !has_player_model(f);
    if (!has_only_weapons && is_weapon(path) != is_weapon(model)) return NO_SKIN;

    /* ctf_r and ctf_b are the team skins for Capture the Flag. */
    if (begins_with(file_name(path), "ctf_")) return NO_SKIN;

    if (is_icon_of(listed, path)) return HAS_LISTED_ICON;
    return has_icon(f, path) ? HAS_ICON : SOME_PICTURE;
}

/* Finds the picture with the highest rank. A picture without an icon must be the only picture. */
bool find_picture_among(const folder *beside, const char *model, const char *listed,
                        char out[MAX_PATH_LENGTH])
{
    const char *best = NULL;
    rank        best_rank = NO_SKIN;
    int         picture_count = 0;    /* a picture in several formats counts once */

    for (int i = 0; i < beside->count; ++i) {
        const char *path = beside->paths[i];
        rank        path_rank = rank_picture(beside, path, model, listed);
        if (path_rank == NO_SKIN) continue;

        bool is_other_format = best && has_same_stem(path, best);
        if (!is_other_format) ++picture_count;

        /* The last of several formats is taken: .png or .tga instead of .pcx. */
        if (path_rank > best_rank || (is_other_format && path_rank == best_rank)) {
            best = path;
            best_rank = path_rank;
        }
    }

    bool found = picture_count == 1 || best_rank >= HAS_ICON;
    if (found) snprintf(out, MAX_PATH_LENGTH, "%s", best);
    return found;
}

bool find_picture_beside(const char *model, const char *listed, char out[MAX_PATH_LENGTH])
{
    folder f = list_beside(model);
    bool   found = find_picture_among(&f, model, listed, out);
    free_folder(&f);
    return found;
}
