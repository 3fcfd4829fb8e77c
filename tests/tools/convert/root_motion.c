/* root_motion.c - the steady part of the movement of a root: removes it, or moves it to another joint. Public
   domain. */
#include "retarget.h"

#include <stdlib.h>
#include <string.h>

static scene_track *find_track(scene_anim *anim, uint32_t node, track_path path)
{
    for (uint32_t i = 0; i < anim->track_count; ++i) {
        scene_track *t = &anim->tracks[i];
        if (t->node == node && t->path == path) return t;
    }
    return NULL;
}

void add_track(scene_anim *anim, uint32_t node, track_path path, uint32_t key_count)
{
    scene_track *t = &anim->tracks[anim->track_count++];
    t->node = node;
    t->path = path;
    t->interpolation = LINEAR_KEYS;
    t->key_count = key_count;
    t->width = path == TRACK_ROTATION ? 4 : 3;
    t->times = (float *)allocate(key_count, sizeof(float));
    t->values = (float *)allocate((size_t)key_count * t->width, sizeof(float));
}

typedef struct path {                 /* the horizontal path of a node */
    scene   *s;
    uint32_t node, base;              /* relative to the position of `base`; NO_INDEX = in the world */
    vec3     up;
} path;

static vec3 position_at(const path *p, const scene_anim *anim, double time)
{
    pose_scene(p->s, anim, time);
    vec3 at = position_of(&p->s->nodes[p->node].world);
    if (p->base != NO_INDEX) at = minus(at, position_of(&p->s->nodes[p->base].world));
    return minus(at, scaled(p->up, dot(p->up, at)));
}

/* Returns the movement from the first to the last key. */
static vec3 total_movement(const path *p, const scene_anim *anim)
{
    vec3 last = position_at(p, anim, anim->end);
    return minus(last, position_at(p, anim, anim->start));
}

/* Returns true if a path is a straight line with a constant speed. The path of a body that falls is not: the body moves
   at first, and then lies still. */
static bool is_steady(const path *p, const scene_anim *anim)
{
    enum { STEPS = 32 };
    const double most = 0.25;         /* of the whole movement */
    vec3         first = position_at(p, anim, anim->start), movement = total_movement(p, anim);
    double       off = 0;
    for (int i = 1; i < STEPS; ++i) {
        double part = (double)i / STEPS;
        vec3   now = position_at(p, anim, anim->start + (anim->end - anim->start) * part);
        off = fmax(off, length_of(minus(minus(now, first), scaled(movement, part))));
    }
    return off <= most * length_of(movement);
}

/* Returns how far the keys of a translation track themselves move the node from the first to the last key, without the
   movement of the node's parents: a hand also moves if only the root rotates. */
static double own_movement(const path *p, const scene_anim *anim, const scene_track *track)
{
    size_t       rows = track->interpolation == CUBIC_KEYS ? 3 : 1;
    const float *first = track->values + 3 * (rows / 2);
    const float *last = first + 3 * rows * (track->key_count - 1);
    uint32_t     parent = p->s->nodes[p->node].parent;
    vec3         moved = make_vec3((double)last[0] - (double)first[0], (double)last[1] - (double)first[1],
                                   (double)last[2] - (double)first[2]);
    pose_scene(p->s, anim, anim->end);
    if (parent != NO_INDEX) moved = transformed(&p->s->nodes[parent].world, moved, 0);
    return length_of(minus(moved, scaled(p->up, dot(p->up, moved))));
}

/* Returns the translation track of the root: the first node, parents first, that moves about as far from the first to
   the last key as any other node. Returns NULL if its own keys do not move it, because then the animation has no root
   motion, but rotates or falls. */
static scene_track *find_root_track(scene *s, scene_anim *anim, vec3 up)
{
    const double nearly = 0.9;
    scene_track *found = NULL;
    double       most = 0;
    for (uint32_t i = 0; i < s->node_count; ++i) {
        path         p = { s, s->order[i], NO_INDEX, up };
        scene_track *track = find_track(anim, p.node, TRACK_TRANSLATION);
        if (!track) continue;
        double length = length_of(total_movement(&p, anim));
        if (found && !(nearly * length > most)) continue;
        found = track;
        most = length;
    }
    if (!found) return NULL;
    path p = { s, found->node, NO_INDEX, up };
    return own_movement(&p, anim, found) < 0.5 * most ? NULL : found;
}

/* Adds a vector of the world to a value of a translation, in the current pose of the node's parent. */
static void add_to_value(const scene *s, scene_track *track, size_t row, vec3 offset)
{
    uint32_t parent = s->nodes[track->node].parent;
    float   *value = track->values + 3 * row;
    matrix   back;
    if (parent != NO_INDEX && invert(&s->nodes[parent].world, &back)) offset = transformed(&back, offset, 0);
    value[0] += (float)offset.x;
    value[1] += (float)offset.y;
    value[2] += (float)offset.z;
}

/* Adds an offset to all keys of a translation track, and a movement that grows from 0 at the first key to `movement`
   at the last key. Both are vectors in the world. */
static void add_movement(scene *s, const scene_anim *anim, scene_track *track, vec3 offset, vec3 movement)
{
    double length = anim->end - anim->start;
    bool   is_curved = track->interpolation == CUBIC_KEYS;
    size_t rows = is_curved ? 3 : 1;
    for (uint32_t key = 0; key < track->key_count; ++key) {
        double time = (double)track->times[key];
        double part = length > 0 ? (time - anim->start) / length : 0;
        pose_scene(s, anim, time);
        for (size_t row = 0; row < rows; ++row) {
            /* The rows before and after the value of a curve are slopes. */
            bool is_slope = is_curved && row != 1;
            vec3 away = is_slope ? scaled(movement, 1 / length) : add(offset, scaled(movement, part));
            add_to_value(s, track, rows * key + row, away);
        }
    }
}

void begin_at_rest(scene *s, scene_anim *anim, uint32_t hips, vec3 up, double least)
{
    vec3    *moved = (vec3 *)allocate(s->node_count, sizeof *moved);   /* [node_count] */
    uint32_t body = hips;
    for (uint32_t i = 0; i < s->node_count && body == NO_INDEX; ++i) {
        if (find_track(anim, s->order[i], TRACK_TRANSLATION)) body = s->order[i];
    }
    if (body != NO_INDEX) {
        path p = { s, body, NO_INDEX, up };
        vec3 rest = position_at(&p, NULL, 0);
        vec3 whole = minus(rest, position_at(&p, anim, anim->start));
        uint32_t count = length_of(whole) < least ? 0 : s->node_count;
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t     node = s->order[i], parent = s->nodes[node].parent;
            scene_track *track = find_track(anim, node, TRACK_TRANSLATION);
            moved[node] = parent == NO_INDEX ? make_vec3(0, 0, 0) : moved[parent];
            if (!track) continue;

            /* A root above the hips also begins at its rest position, not at the negative offset of the hips. */
            vec3 offset = minus(whole, moved[node]);
            if (node != body && is_node_above(s, node, body)) {
                path above = { s, node, NO_INDEX, up };
                offset = minus(position_at(&above, NULL, 0), position_at(&above, anim, anim->start));
            }
            moved[node] = add(moved[node], offset);
            if (length_of(offset) > 0) add_movement(s, anim, track, offset, make_vec3(0, 0, 0));
        }
    }
    release(moved);
}

void keep_in_place(const convert_request *request, scene *s, scene_anim *anim, const double up[3], double unit)
{
    const double little = 1;          /* unit, too little to matter */
    vec3         upward = make_vec3(up[0], up[1], up[2]);
    scene_track *track = find_root_track(s, anim, upward);
    if (!track) return;

    path p = { s, track->node, NO_INDEX, upward };
    vec3 offset = minus(position_at(&p, NULL, 0), position_at(&p, anim, anim->start));
    vec3 movement = total_movement(&p, anim);
    bool is_moved = (length_of(movement) + length_of(offset)) * unit > little;
    if (!is_moved || !is_steady(&p, anim)) return;

    add_movement(s, anim, track, offset, scaled(movement, -1));
    if (length_of(movement) * unit > little) {
        note("%s: root motion of %.0f units is removed%s", anim->name, length_of(movement) * unit,
             request->in_place ? "" : ", because an MD2 cannot have root motion");
    }
}

void move_root_motion_to(scene *s, scene_anim *anim, uint32_t root, uint32_t hips, vec3 up)
{
    path         p = { s, hips, root, up };
    scene_track *from = find_track(anim, hips, TRACK_TRANSLATION);
    scene_track *to = find_track(anim, root, TRACK_TRANSLATION);
    if (!from || !to || !is_steady(&p, anim)) return;

    vec3 movement = total_movement(&p, anim), none = make_vec3(0, 0, 0);
    add_movement(s, anim, from, none, scaled(movement, -1));
    add_movement(s, anim, to, none, movement);
}
