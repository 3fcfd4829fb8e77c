/* anim_names.c - names and frame rates for the animations of a scene. Public domain. */
#include "from_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Names ------------------------------------------------------------------------------------- */

/* Returns "walk" for Blender's "Armature|walk". Free the result. */
static char *short_name(const char *name)
{
    const char *bar = strrchr(name, '|');
    return name_for_file(bar && bar[1] ? bar + 1 : name, "anim");
}

char **name_anims(const scene *s)
{
    name_table used = { NULL, 0, 0, false };
    char     **names = (char **)allocate(s->anim_count, sizeof *names);
    for (uint32_t i = 0; i < s->anim_count; ++i) {
        char *name = short_name(s->anims[i].name);
        names[i] = take_unique_name(&used, name);
        release(name);
    }
    free_name_table(&used);
    return names;
}

/* Returns the name of the file without its extension. All players of Quake II are called tris.md2, so for these,
   returns the name of the folder. Free it. */
static char *name_of_character(const char *path)
{
    char *stem = stem_of(path);
    bool  has_folder = file_name(path) > path;
    if (strcmp(stem, "tris") != 0 || !has_folder) return stem;

    char *parent = (char *)allocate(strlen(path), 1);
    memcpy(parent, path, (size_t)(file_name(path) - path) - 1);
    char *name = name_for_file(file_name(parent), stem);
    bool  is_name = strspn(name, "._") < strlen(name);
    release(parent);
    release(is_name ? stem : name);
    return is_name ? name : stem;
}

static bool has_anim(const scene *s, const char *name)
{
    bool is_found = false;
    for (uint32_t i = 0; i < s->anim_count && !is_found; ++i) {
        char *other = short_name(s->anims[i].name);
        is_found = is_same_name(other, name);
        release(other);
    }
    return is_found;
}

char *name_source_anim(const convert_request *request, const scene *s, const char *name, const char *path)
{
    enum { MOST_IN_MD2 = MD2_NAME_LENGTH - 3 };
    char *plain = short_name(name);
    if (!has_anim(s, plain)) return plain;

    /* The frames of an MD2 have short names, so only the start of the character's name is used. */
    char  *character = name_of_character(path);
    size_t room = strlen(plain) + 2 < MOST_IN_MD2 ? MOST_IN_MD2 - 1 - strlen(plain) : 1;
    if (!has_extension(request->output, ".md2")) room = 100;
    blob both = { NULL, 0, 0 };
    put_format(&both, "%.*s_%.100s", (int)whole_length(character, room), character, plain);
    put_byte(&both, 0);
    release(character);
    release(plain);
    return (char *)both.data;
}

void free_names(char **names, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) release(names[i]);
    release(names);
}

/* -- Rates ------------------------------------------------------------------------------------- */

/* Returns the largest loss at any key: 0.1 means that the nearest frame misses the time of the key by a tenth of the
   time between this key and its nearest neighbor. */
static double loss_at_rate(const scene_anim *anim, double rate)
{
    double most = 0;
    for (uint32_t i = 0; i < anim->track_count; ++i) {
        const scene_track *t = &anim->tracks[i];
        for (uint32_t k = 0; k < t->key_count; ++k) {
            double time = (double)t->times[k], gap = HUGE_VAL;
            double frame = (time - anim->start) * rate;
            double off = fabs(frame - floor(frame + 0.5)) / rate;
            if (k > 0) gap = time - (double)t->times[k - 1];
            if (k + 1 < t->key_count) gap = fmin(gap, (double)t->times[k + 1] - time);
            if (gap > 1e-6) most = fmax(most, off / gap);
        }
    }
    return most;
}

/* Tries frame rates from low to high. Returns the first with a loss below 2 %, or else the rate with the smallest
   loss. */
double find_rate(const scene_anim *anim)
{
    enum { LOWEST = 10, USUAL = 30, HIGHEST = 125 };
    const double negligible = 0.02;
    double       best = USUAL, least = HUGE_VAL;
    bool         is_curved = false;
    for (uint32_t i = 0; i < anim->track_count; ++i) {
        if (anim->tracks[i].interpolation == CUBIC_KEYS) is_curved = true;
    }
    for (int rate = is_curved ? USUAL : LOWEST; rate <= HIGHEST; ++rate) {
        double loss = loss_at_rate(anim, rate);
        if (loss < negligible) return rate;
        if (loss < 0.9 * least) {
            least = loss;
            best = rate;
        }
    }
    return best;
}
