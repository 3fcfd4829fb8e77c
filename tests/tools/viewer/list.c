/* list.c - finds the models in a list of files, folders and archives, with their weapons,
   animations and pictures. Public domain. */
#include "viewer.h"

#define KINDS ".md2, .md5mesh, and folders, .pak, .pk3, .pk4 and .zip with such files"

bool is_model(const char *path)
{
    return has_extension(path, ".md2") || has_extension(path, ".md5mesh");
}

bool is_anim(const char *path)
{
    return has_extension(path, ".md5anim");
}

typedef struct entry {                /* a model and its weapon */
    const char *model, *weapon;       /* paths in the list; the weapon may be NULL */
    int         rank;
    bool        is_given;             /* the model was named individually */
} entry;

static struct list {
    folder given;                     /* files that were named individually */
    folder found;                     /* files in folders and archives */
    entry *entries;                   /* highest rank first */
    int    count;
    int    shown;                     /* index of the open entry */
} list;

const char *find_in_list(const char *name)
{
    for (int i = 0; i < list.found.count; ++i) {
        if (has_name(list.found.paths[i], name)) return list.found.paths[i];
    }
    return NULL;
}

/* -- Entries ----------------------------------------------------------------------------------- */

/* Returns the rank of a model. The model with the highest rank is shown first. */
static int rank_model(const char *path)
{
    bool is_player = has_name(path, "tris.md2");
    if (is_player && contains_text(path, "players/")) return 5;
    if (is_player) return 4;
    if (is_weapon(path)) return 1;
    return has_extension(path, ".md5mesh") ? 2 : 3;
}

static bool are_in_same_folder(const char *a, const char *b)
{
    size_t length = (size_t)(file_name(a) - a);
    return (size_t)(file_name(b) - b) == length && memcmp(a, b, length) == 0;
}

static bool can_hold_weapon(const entry *e, const entry *weapon)
{
    bool is_md2 = has_extension(weapon->model, ".md2");
    if (e->rank <= 1 || has_extension(e->model, ".md2") != is_md2) return false;
    return e->is_given ? weapon->is_given : are_in_same_folder(e->model, weapon->model);
}

/* Returns the model with the highest rank that can carry a weapon. Returns NULL if there is none,
   or if it can carry several weapons and this one is not named "weapon.md2" or "weapon.md5mesh". */
static entry *find_weapon_holder(const struct list *l, const entry *weapon)
{
    entry *holder = NULL;
    for (int i = l->count - 1; i >= 0; --i) {
        entry *e = &l->entries[i];
        if (can_hold_weapon(e, weapon) && (!holder || e->rank >= holder->rank)) holder = e;
    }
    if (!holder || has_name(weapon->model, "weapon.md2") ||
        has_name(weapon->model, "weapon.md5mesh")) {
        return holder;
    }

    int weapons = 0;
    for (int i = 0; i < l->count; ++i) {
        const entry *e = &l->entries[i];
        if (e->rank == 1 && can_hold_weapon(holder, e)) ++weapons;
    }
    return weapons == 1 ? holder : NULL;
}

/* Compares by rank, highest first; then named files before found files; then by path. */
static int compare_entries(const void *a, const void *b)
{
    const entry *x = (const entry *)a, *y = (const entry *)b;
    if (x->rank != y->rank) return y->rank - x->rank;
    if (x->is_given != y->is_given) return x->is_given ? -1 : 1;
    return strcmp(x->model, y->model);
}

static void add_entries(struct list *l, const folder *f, bool is_given)
{
    for (int i = 0; i < f->count; ++i) {
        const char *path = f->paths[i];
        if (!is_model(path)) continue;
        l->entries[l->count++] = (entry){ path, NULL, rank_model(path), is_given };
    }
}

/* Assigns the weapons to models, and removes the entries of assigned weapons. */
static void assign_weapons(struct list *l)
{
    for (int i = 0; i < l->count; ++i) {
        const entry *weapon = &l->entries[i];
        entry       *holder = weapon->rank == 1 ? find_weapon_holder(l, weapon) : NULL;
        if (holder && !holder->weapon) holder->weapon = weapon->model;
    }

    int kept = 0;
    for (int i = 0; i < l->count; ++i) {
        const char *path = l->entries[i].model;
        bool        is_carried = false;
        for (int k = 0; k < l->count; ++k) {
            if (l->entries[k].weapon == path) is_carried = true;
        }
        if (!is_carried) l->entries[kept++] = l->entries[i];
    }
    l->count = kept;
}

/* -- Lists ------------------------------------------------------------------------------------- */

static void close_list(struct list *l)
{
    free_folder(&l->given);
    free_folder(&l->found);
    free(l->entries);
    memset(l, 0, sizeof *l);
}

static void make_entries(struct list *l)
{
    size_t most = (size_t)l->given.count + (size_t)l->found.count;
    l->entries = allocate_again(l->entries, most, sizeof *l->entries);
    l->count = 0;
    add_entries(l, &l->given, true);
    add_entries(l, &l->found, false);
    assign_weapons(l);
    qsort(l->entries, (size_t)l->count, sizeof *l->entries, compare_entries);
}

static struct list make_list(int count, const char **paths)
{
    struct list l = { { NULL, 0 }, { NULL, 0 }, NULL, 0, 0 };
    for (int i = 0; i < count; ++i) {
        if (!list_tree(&l.found, paths[i])) add_path(&l.given, paths[i]);
    }
    make_entries(&l);
    return l;
}

static void remove_path(folder *f, const char *path)
{
    int kept = 0;
    for (int i = 0; i < f->count; ++i) {
        if (f->paths[i] == path) free(f->paths[i]);
        else f->paths[kept++] = f->paths[i];
    }
    f->count = kept;
}

/* Returns true if a mesh uses this picture because of its name. */
static bool is_used_by_name(const char *picture)
{
    for (int i = 0; i < viewer.model_count; ++i) {
        const model *m = &viewer.models[i];
        for (uint32_t k = 0; k < m->mesh_count; ++k) {
            char found[MAX_PATH_LENGTH];
            if (find_named_picture(m, k, found) && strcmp(found, picture) == 0) return true;
        }
    }
    return false;
}

static bool has_used_picture(const folder *f)
{
    for (int i = 0; i < f->count; ++i) {
        if (is_used_by_name(f->paths[i])) return true;
    }
    return false;
}

static bool has_anim(const folder *f)
{
    for (int i = 0; i < f->count; ++i) {
        if (is_anim(f->paths[i])) return true;
    }
    return false;
}

/* Returns the open model with a path, or NULL. */
static model *find_open_model(const char *path)
{
    for (int i = 0; i < viewer.model_count; ++i) {
        if (strcmp(viewer.models[i].path, path) == 0) return &viewer.models[i];
    }
    return NULL;
}

static bool is_gltf(const char *path)
{
    return has_extension(path, ".glb") || has_extension(path, ".gltf") ||
           has_extension(path, ".vrm");
}

static void report_unsupported(const char *path)
{
    if (is_gltf(path)) {
        report_error(path, "convert it first: mdconvert %s -o hero.md5mesh", file_name(path));
    } else {
        report_error(path, "it contains no model; the viewer reads " KINDS);
    }
}

/* Returns the file that the error message is about if no file is a model: a glTF, or else the first
   file. Returns NULL if the list is empty. */
static const char *find_unsupported(const folder *found)
{
    for (int i = 0; i < found->count; ++i) {
        if (is_gltf(found->paths[i])) return found->paths[i];
    }
    return found->count > 0 ? found->paths[0] : NULL;
}

/* Opens the named animations and pictures. If a mesh uses one of the pictures because of its name,
   the other pictures are not used as skins, because they are bump maps or specular maps. */
static void open_anims_and_skins(const folder *given, bool plays_them)
{
    bool are_skins = !has_used_picture(given);

    /* A picture is the skin of the model before it in the list, or else of the first model. */
    model *skin_owner = &viewer.models[0];
    for (int i = 0; i < given->count; ++i) {
        const char *path = given->paths[i];
        if (is_model(path)) {
            skin_owner = find_open_model(path);
        } else if (is_anim(path)) {
            bool is_added = open_md5anim(path);
            if (is_added && plays_them) viewer.clip = viewer.clip_count - 1;
        } else if (!viewer.model_count || is_gltf(path)) {
            report_unsupported(path);
        } else if (are_skins && skin_owner) {
            set_skin(skin_owner, path);
        }
    }
}

/* Shows an entry in place of the open models, with its animations. If that fails, returns false and
   changes nothing. */
static bool show_entry(struct list *l, int index)
{
    const entry *e = &l->entries[index];
    const char  *paths[2] = { e->model, e->weapon };
    forget_used_files();
    if (!replace_models(e->weapon ? 2 : 1, paths)) {
        restore_used_files();
        return false;
    }

    /* If no animations are named individually, an MD5 gets the animations of its folder. */
    l->shown = index;
    bool needs_anims = !has_anim(&l->given);
    if (needs_anims && viewer.models[0].md5) open_anims_beside(&viewer.models[0]);
    open_anims_and_skins(&l->given, false);
    if (viewer.smooth) smooth_models();
    viewer.first_clip = choose_clip();
    viewer.clip = viewer.first_clip;

    /* A new model starts as a single character. */
    viewer.time = arguments.time;
    viewer.mixed = false;
    form_crowd(1);
    return true;
}

/* Shows an entry. If that fails and the entry was not named individually, removes it, assigns the
   weapons again and shows the best remaining entry. The error becomes a note. */
static bool show_any_entry(struct list *l, int index)
{
    while (!show_entry(l, index)) {
        entry *e = &l->entries[index];
        if (e->weapon) {
            e->weapon = NULL;         /* the weapon may be the damaged file */
            continue;
        }
        if (e->is_given) return false;
        remove_path(&l->found, e->model);
        make_entries(l);
        if (l->count == 0) return false;
        index = 0;
    }
    if (viewer.error[0]) snprintf(viewer.note, sizeof viewer.note, "%s", viewer.error);
    viewer.error[0] = 0;
    return true;
}

/* Adds animations and pictures to the shown model. The last new animation starts to play. If there
   are only pictures, time and camera do not change. */
static void add_to_shown(const folder *given)
{
    open_anims_and_skins(given, true);
    if (!has_anim(given)) return;
    viewer.time = arguments.time;
    form_crowd(viewer.crowd);
}

void open_files(int count, const char **paths, int index)
{
    viewer.error[0] = 0;
    viewer.note[0] = 0;
    struct list opened = make_list(count, paths);
    if (opened.count == 0) {
        const char *file = find_unsupported(&opened.found);
        if (opened.given.count == 0) report_unsupported(file ? file : paths[0]);
        else if (!viewer.error[0]) add_to_shown(&opened.given);
        close_list(&opened);
        return;
    }

    /* The new list is set first, because textures are searched for in it. */
    struct list before = list;
    list = opened;
    if (index >= list.count) index = 0;
    if (show_any_entry(&list, index)) {
        close_list(&before);
        return;
    }
    close_list(&list);
    list = before;
}

int count_entries(void)
{
    return list.count;
}

int shown_entry(void)
{
    return list.shown;
}

const char *entry_path(int index)
{
    return list.entries[index].model;
}

/* Returns the last part of the path that ends at `end`, and its length. */
static const char *last_part(const char *path, const char *end, int *length)
{
    const char *start = end;
    while (start > path && start[-1] != '/' && start[-1] != '\\') --start;
    *length = (int)(end - start);
    return start;
}

/* Returns the name of a file without its extension. All players and monsters of Quake II are named
   "tris", so their name is the name of their folder. In the re-release, tris.md5mesh is in a folder
   "md5" inside this folder. */
const char *entry_name(int index)
{
    static char name[256];
    const char *path = list.entries[index].model;
    int         length;
    const char *part = last_part(path, strrchr(path, '.'), &length);

    bool is_tris = has_name(path, "tris.md2") || has_name(path, "tris.md5mesh");
    if (is_tris && part > path) part = last_part(path, part - 1, &length);
    bool is_md5_folder = is_tris && length == 3 && memcmp(part, "md5", 3) == 0;
    if (is_md5_folder && part > path) part = last_part(path, part - 1, &length);

    if (length == 0) part = last_part(path, strrchr(path, '.'), &length);
    snprintf(name, sizeof name, "%.*s", length, part);
    return name;
}

void show_next_entry(int step)
{
    for (int i = 1; i < list.count; ++i) {
        int next = ((list.shown + i * step) % list.count + list.count) % list.count;
        if (show_entry(&list, next)) return;
    }
}
