/* read_anims.c - reads the animations of a glTF. Public domain. */
#include "gltf_reader.h"

#include <string.h>

/* -- Animations -------------------------------------------------------------------------------- */

static bool find_path(const char *name, track_path *path)
{
    static const char *const names[] = { "translation", "rotation", "scale", "weights" };
    for (int i = 0; i < 4; ++i) {
        if (strcmp(names[i], name) != 0) continue;
        *path = (track_path)i;
        return true;
    }
    return false;
}

static bool read_keys(reader *r, const json *sampler, scene_track *t)
{
    const accessor *times, *values;
    const char     *interpolation = text_of(sampler, "interpolation", "LINEAR");
    bool            is_rotation = t->path == TRACK_ROTATION, is_weights = t->path == TRACK_WEIGHTS;
    t->width = is_weights ? r->s->nodes[t->node].weight_count : is_rotation ? 4 : 3;
    t->interpolation = strcmp(interpolation, "STEP") == 0 ? STEP_KEYS : LINEAR_KEYS;
    if (strcmp(interpolation, "CUBICSPLINE") == 0) t->interpolation = CUBIC_KEYS;
    if (!get_accessor(r, sampler, "input", 1, &times)) return false;
    if (!get_accessor(r, sampler, "output", is_weights ? 1 : t->width, &values)) return false;
    if (!times || !values || times->count == 0) {
        return refuse(r, "the file is damaged: an animation has no keys");
    }

    size_t rows = times->count;
    if (t->interpolation == CUBIC_KEYS) rows *= 3;
    if (is_weights) rows *= t->width;
    if (values->count < rows) return refuse(r, "the file is damaged: an animation has too few values");
    t->key_count = times->count;
    t->times = copy_floats(r, times, "input");
    t->values = t->times ? copy_floats(r, values, "output") : NULL;
    if (!t->values) return false;
    for (uint32_t i = 1; i < t->key_count; ++i) {
        if (t->times[i] < t->times[i - 1]) return refuse(r, "the file is damaged: keys are not in order of time");
    }
    return true;
}

/* Reads a channel as a track. Skips a channel that does not animate a node. */
static bool read_track(reader *r, const json **samplers, uint32_t sampler_count,
                       const json *channel, scene_anim *anim)
{
    const json  *target = member(channel, "target");
    scene_track *t = &anim->tracks[anim->track_count];
    uint32_t     index;
    if (!get_index(r, target, "node", r->s->node_count, &t->node)) return false;
    if (!get_index(r, channel, "sampler", sampler_count, &index)) return false;
    bool is_for_node = t->node != NO_INDEX && find_path(text_of(target, "path", ""), &t->path);
    if (!is_for_node || index == NO_INDEX) return true;
    bool has_targets = r->s->nodes[t->node].weight_count > 0;
    if (t->path == TRACK_WEIGHTS && !has_targets) return true;

    ++anim->track_count;
    if (!read_keys(r, samplers[index], t)) return false;

    double first = (double)t->times[0], last = (double)t->times[t->key_count - 1];
    bool   is_only = anim->track_count == 1;
    if (is_only || first < anim->start) anim->start = first;
    if (is_only || last > anim->end) anim->end = last;
    return true;
}

static bool read_anim(reader *r, const json *source, scene_anim *anim)
{
    const json *list = member(source, "channels");
    anim->name = copy_text(text_of(source, "name", ""));
    anim->tracks = (scene_track *)allocate(count_children(list), sizeof *anim->tracks);
    uint32_t     sampler_count;
    const json **samplers = list_children(member(source, "samplers"), &sampler_count);
    bool         is_good = true;
    for (const json *c = first_child(list); c && is_good; c = next_child(list, c)) {
        is_good = read_track(r, samplers, sampler_count, c, anim);
    }
    release(samplers);
    return is_good;
}

bool read_anims(reader *r)
{
    const json *list = member(r->root, "animations");
    scene_anim *anim = (scene_anim *)list_items(r, "animations", sizeof *anim, &r->s->anim_count);
    r->s->anims = anim;
    for (const json *source = first_child(list); source; source = next_child(list, source)) {
        if (!read_anim(r, source, anim++)) return false;
    }
    return true;
}
