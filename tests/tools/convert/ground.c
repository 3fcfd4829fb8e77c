/* ground.c - keeps a humanoid as far above the ground as the source of its animation is, and its feet as still. Public
   domain. */
#include "retarget.h"

#include <stdlib.h>
#include <string.h>

static double height_of(const skeleton *k, const matrix *node)
{
    return dot(position_of(node), k->up);
}

/* Returns the height of a foot of the source above the ground in the current pose; HUGE_VAL if it has no foot. The sole
   is assumed to be as far below the joints of the foot as in the canonical pose, so the result may be below 0 if the
   foot is tilted. */
static double foot_clearance(const skeleton *k, int side)
{
    double lowest = HUGE_VAL;
    for (int joint = FOOT + side; joint < ROLE_COUNT; joint += SIDES) {
        uint32_t bone = k->bones[joint];
        if (bone == NO_BONE) continue;
        lowest = fmin(lowest, height_of(k, &k->s->nodes[bone].world) - height_of(k, &k->bind[bone]));
    }
    return lowest;
}

/* Returns the height of the source's lowest limb above the ground in the current pose. */
static double source_clearance(const retargeting *r)
{
    const skeleton *k = &r->source;
    double          lowest = fmin(foot_clearance(k, LEFT_SIDE), foot_clearance(k, RIGHT_SIDE)), ground = HUGE_VAL;
    for (uint32_t role = FOOT; role < ROLE_COUNT; ++role) {
        if (k->bones[role] != NO_BONE) ground = fmin(ground, height_of(k, &k->bind[k->bones[role]]));
    }
    if (!(lowest < HUGE_VAL)) return 0;

    /* A different limb may be lower than the feet. Limbs are about as thick as the ankles are high. */
    double thickness = 0.1 * k->leg_length;
    for (uint32_t role = 0; role < FOOT; ++role) {
        if (k->bones[role] == NO_BONE) continue;
        lowest = fmin(lowest, height_of(k, &k->s->nodes[k->bones[role]].world) - ground - thickness);
    }
    return lowest;
}

/* Finds the height of the ground in the animations. It is usually the ground of the canonical pose. But if all
   animations are far above or below this ground, for example because the hips are at height 0 in the bind pose, it is
   the height of the lowest limb in all animations. */
void find_floor(retargeting *r)
{
    const double far = 0.25;          /* of the legs */
    double       lowest = HUGE_VAL;
    for (uint32_t i = 0; i < r->source.s->anim_count; ++i) {
        const scene_anim *anim = &r->source.s->anims[i];
        for (int step = 0; step <= 30; ++step) {
            pose_scene(r->source.s, anim, anim->start + (anim->end - anim->start) * step / 30);
            lowest = fmin(lowest, source_clearance(r));
        }
    }
    r->floor = fabs(lowest) > far * r->source.leg_length && lowest < HUGE_VAL ? lowest : 0;
}

/* Returns the height of the target's lowest vertex in the current pose; HUGE_VAL if it has no vertices. */
static double lowest_vertex(const skeleton *k, double *positions, double *normals)
{
    double lowest = HUGE_VAL;
    for (uint32_t i = 0; i < k->s->instance_count; ++i) {
        const scene_instance *in = &k->s->instances[i];
        pose_instance(k->s, in, positions, normals);
        for (size_t v = 0; v < in->part->vertex_count; ++v) {
            const double *p = positions + 3 * v;
            lowest = fmin(lowest, dot(make_vec3(p[0], p[1], p[2]), k->up));
        }
    }
    return lowest;
}

void put_on_ground(retargeting *r, const scene_anim *from, scene_anim *to)
{
    scene       *s = r->target.s;
    scene_track *track = find_track(to, r->target.bones[HIPS], TRACK_TRANSLATION);
    size_t       most = 0;
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        size_t count = s->instances[i].part->vertex_count;
        if (count > most) most = count;
    }
    if (!track || most == 0) return;

    double *positions = (double *)allocate(most, 3 * sizeof *positions);
    double *normals = (double *)allocate(most, 3 * sizeof *normals);
    double *shifts = (double *)allocate(track->key_count, sizeof *shifts);
    pose_scene(s, NULL, 0);
    double ground = lowest_vertex(&r->target, positions, normals);
    for (uint32_t key = 0; key < track->key_count; ++key) {
        double time = (double)track->times[key];
        pose_scene(r->source.s, from, time);
        double clearance = r->ratio * fmax(source_clearance(r) - r->floor, 0);
        pose_scene(s, to, time);
        shifts[key] = ground + clearance - lowest_vertex(&r->target, positions, normals);
    }

    /* A weighted mean of three frames keeps the body from jittering. */
    for (uint32_t key = 0; key < track->key_count; ++key) {
        uint32_t before = key > 0 ? key - 1 : key;
        uint32_t after = key + 1 < track->key_count ? key + 1 : key;
        double   shift = (shifts[before] + 2 * shifts[key] + shifts[after]) / 4;
        pose_scene(s, to, (double)track->times[key]);
        add_to_value(s, track, key, scaled(r->target.up, shift));
    }
    release(positions);
    release(normals);
    release(shifts);
}

/* -- Resting feet ------------------------------------------------------------------------------ */

void measure_feet(const retargeting *r, const matrix *worlds, foot_key feet[SIDES])
{
    const double near = 0.05 * r->source.leg_length;
    const vec3   up = r->target.up;
    matrix       heading = heading_matrix(r);
    for (int side = 0; side < SIDES; ++side) {
        uint32_t ours = r->target.bones[FOOT + side], theirs = r->source.bones[FOOT + side];
        if (ours == NO_BONE || theirs == NO_BONE) continue;
        vec3   ankle = position_of(&worlds[ours]), other = position_of(&r->source.s->nodes[theirs].world);
        double wanted[3] = { other.x, other.y, other.z };
        transform(&heading, wanted, 1, wanted);
        vec3 offset = minus(scaled(make_vec3(wanted[0], wanted[1], wanted[2]), r->ratio), ankle);
        feet[side].offset = minus(offset, scaled(up, dot(up, offset)));
        feet[side].leg = minus(ankle, position_of(&worlds[r->target.bones[THIGH + side]]));
        feet[side].rests = foot_clearance(&r->source, side) - r->floor < near;
    }
}

/* Subtracts the mean of a rest from the offsets in this rest: the ankle then moves like that of the source, and the leg
   rotates little. */
static void center_rests(foot_key **keys, uint32_t count)
{
    for (uint32_t first = 0, end; first < count; first = end + 1) {
        vec3 sum = make_vec3(0, 0, 0);
        for (end = first; end < count && keys[end]->rests; ++end) sum = add(sum, keys[end]->offset);
        for (uint32_t i = first; i < end; ++i) {
            keys[i]->offset = minus(keys[i]->offset, scaled(sum, 1.0 / (end - first)));
        }
    }
}

/* Changes the offset evenly from the end of a rest to the beginning of the next rest, so that nothing jumps. */
static void connect_rests(foot_key **keys, uint32_t count)
{
    const vec3 none = make_vec3(0, 0, 0);
    for (uint32_t first = 0, end; first < count; first = end + 1) {
        for (end = first; end < count && !keys[end]->rests; ++end) continue;
        vec3 before = first > 0 ? keys[first - 1]->offset : none;
        vec3 after = keys[end] ? keys[end]->offset : none;
        for (uint32_t i = first; i < end; ++i) {
            double part = (i - first + 1.0) / (end - first + 1.0);
            keys[i]->offset = add(scaled(before, 1 - part), scaled(after, part));
        }
    }
}

/* Lists the keys of a foot and the key after the last, which is NULL unless the animation is a loop. In a loop, the
   last key is the first one again, so it is not listed, and *count is reduced. The list of a loop begins where a rest
   begins, because a rest may continue from the end of the animation to its beginning. */
static foot_key **list_keys(foot_key *keys, uint32_t *count, double little)
{
    foot_key **list = (foot_key **)allocate((size_t)*count + 1, sizeof *list);
    uint32_t   last = *count - 1, first = 0;
    bool       is_loop = last > 0 && length_of(minus(keys[0].offset, keys[SIDES * last].offset)) < little;
    if (is_loop) *count = last;
    for (uint32_t i = 0; is_loop && i < last; ++i) {
        uint32_t before = i > 0 ? i - 1 : last - 1;
        if (keys[SIDES * i].rests && !keys[SIDES * before].rests) first = i;
    }
    for (uint32_t i = 0; i < *count; ++i) list[i] = &keys[SIDES * ((first + i) % *count)];
    if (is_loop) list[last] = list[0];
    return list;
}

/* Computes the rotation of the whole leg about the hip joint that moves the ankle by the offset. The knee keeps its
   angle, and a limit keeps the leg close to the source's leg. */
static void swing_leg(foot_key *key, vec3 up)
{
    const double most = 2.5 / 180 * 3.14159265358979323846;
    double height = dot(key->leg, up);
    vec3   along = add(minus(key->leg, scaled(up, height)), key->offset);
    double rest = sqrt(fmax(dot(key->leg, key->leg) - dot(along, along), 0));
    vec3   wanted = add(along, scaled(up, height < 0 ? -rest : rest)), axis = cross(key->leg, wanted);
    double sine = length_of(axis), angle = fmin(atan2(sine, dot(key->leg, wanted)), most);
    quaternion_of(rotation_about(scaled(axis, angle / fmax(sine, 1e-30))), key->rotation);
}

void keep_feet(const retargeting *r, foot_key *feet, uint32_t count)
{
    for (int side = 0; side < SIDES; ++side) {
        foot_key  *all = feet + side;
        uint32_t   cycle = count;
        foot_key **keys = list_keys(all, &cycle, 0.01 * r->target.leg_length);
        center_rests(keys, cycle);
        connect_rests(keys, cycle);
        if (keys[cycle]) all[SIDES * cycle].offset = all[0].offset;
        for (uint32_t i = 0; i < count; ++i) swing_leg(&all[SIDES * i], r->target.up);
        release(keys);
    }
}
