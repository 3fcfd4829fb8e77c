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

/* Returns the height of the target's lowest vertex in the current pose; HUGE_VAL if it has no vertices. */
static double lowest_vertex(const skeleton *k)
{
    double lowest = HUGE_VAL;
    for (uint32_t i = 0; i < k->s->instance_count; ++i) {
        const scene_instance *in = &k->s->instances[i];
        size_t  size = 3 * (size_t)in->part->vertex_count;
        double *positions = (double *)allocate(size, 2 * sizeof *positions);
        pose_instance(k->s, in, positions, positions + size);
        for (const double *p = positions; p < positions + size; p += 3) {
            lowest = fmin(lowest, dot(make_vec3(p[0], p[1], p[2]), k->up));
        }
        release(positions);
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
    pose_scene(r->target.s, NULL, 0);
    r->ground = lowest_vertex(&r->target);
    r->floor = fabs(lowest) > far * r->source.leg_length && lowest < HUGE_VAL ? lowest : 0;
}

void put_on_ground(retargeting *r, const scene_anim *from, frame *frames, uint32_t count)
{
    if (!(r->ground < HUGE_VAL)) return;

    double *lifts = (double *)allocate(count, sizeof *lifts);
    for (uint32_t i = 0; i < count; ++i) {
        pose_frame(r, from, &frames[i]);
        double clearance = r->ratio * fmax(source_clearance(r) - r->floor, 0);
        lifts[i] = r->ground + clearance - lowest_vertex(&r->target);
    }

    /* A weighted mean of three frames keeps the body from jittering. */
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t before = i > 0 ? i - 1 : i, after = i + 1 < count ? i + 1 : i;
        frames[i].lift = (lifts[before] + 2 * lifts[i] + lifts[after]) / 4;
    }
    release(lifts);
}

/* -- Resting feet ------------------------------------------------------------------------------ */

/* Measures the feet in the current poses of source and target. */
static void measure_feet(const retargeting *r, foot feet[SIDES])
{
    const double near = 0.05 * r->source.leg_length;
    const vec3   up = r->target.up;
    for (int side = 0; side < SIDES; ++side) {
        uint32_t ours = r->target.bones[FOOT + side], theirs = r->source.bones[FOOT + side];
        if (ours == NO_BONE || theirs == NO_BONE) continue;
        const scene_node *nodes = r->target.s->nodes;
        vec3 ankle = position_of(&nodes[ours].world), other = position_of(&r->source.s->nodes[theirs].world);
        vec3 offset = minus(rotate(r->heading, scaled(other, r->ratio)), ankle);
        feet[side].offset = minus(offset, scaled(up, dot(up, offset)));
        feet[side].leg = minus(ankle, position_of(&nodes[r->target.bones[THIGH + side]].world));
        feet[side].rests = foot_clearance(&r->source, side) - r->floor < near;
    }
}

/* Subtracts the mean of a rest from the offsets in this rest: the ankle then moves like that of the source, and the leg
   rotates little. */
static void center_rests(foot **feet, uint32_t count)
{
    for (uint32_t first = 0, end; first < count; first = end + 1) {
        vec3 sum = make_vec3(0, 0, 0);
        for (end = first; end < count && feet[end]->rests; ++end) sum = add(sum, feet[end]->offset);
        for (uint32_t i = first; i < end; ++i) {
            feet[i]->offset = minus(feet[i]->offset, scaled(sum, 1.0 / (end - first)));
        }
    }
}

/* Changes the offset evenly from the end of a rest to the beginning of the next rest, so that nothing jumps. */
static void connect_rests(foot **feet, uint32_t count)
{
    const vec3 none = make_vec3(0, 0, 0);
    for (uint32_t first = 0, end; first < count; first = end + 1) {
        for (end = first; end < count && !feet[end]->rests; ++end) continue;
        vec3 before = first > 0 ? feet[first - 1]->offset : none;
        vec3 after = feet[end] && feet[end]->rests ? feet[end]->offset : none;
        for (uint32_t i = first; i < end; ++i) {
            double part = (i - first + 1.0) / (end - first + 1.0);
            feet[i]->offset = add(scaled(before, 1 - part), scaled(after, part));
        }
    }
}

/* Lists a foot in all frames and in the frame after the last, which is NULL unless the animation is a loop. In a loop,
   the last frame is the first one again, so it is not listed, and *count is reduced. The list of a loop begins where a
   rest begins, because a rest may continue from the end of the animation to its beginning. */
static foot **list_feet(frame *frames, uint32_t *count, int side, double little)
{
    foot   **list = (foot **)allocate((size_t)*count + 1, sizeof *list);
    uint32_t last = *count - 1, first = 0;
    vec3     difference = minus(frames[last].feet[side].offset, frames[0].feet[side].offset);
    bool     is_loop = last > 0 && length_of(difference) < little;
    if (is_loop) *count = last;
    for (uint32_t i = 0; is_loop && i < last; ++i) {
        uint32_t before = i > 0 ? i - 1 : last - 1;
        if (frames[i].feet[side].rests && !frames[before].feet[side].rests) first = i;
    }
    for (uint32_t i = 0; i < *count; ++i) list[i] = &frames[(first + i) % *count].feet[side];
    if (is_loop) list[last] = list[0];
    return list;
}

/* Computes the rotation of the whole leg about the hip joint that moves the ankle by the offset. The knee keeps its
   angle, and a limit keeps the leg close to the source's leg. */
static void swing_leg(foot *f, vec3 up)
{
    const double most = 2.5 / 180 * 3.14159265358979323846;
    double height = dot(f->leg, up);
    vec3   along = add(minus(f->leg, scaled(up, height)), f->offset);
    double rest = sqrt(fmax(dot(f->leg, f->leg) - dot(along, along), 0));
    vec3   wanted = add(along, scaled(up, height < 0 ? -rest : rest)), axis = cross(f->leg, wanted);
    double sine = length_of(axis), angle = fmin(atan2(sine, dot(f->leg, wanted)), most);
    f->rotation = rotation_about(scaled(axis, angle / fmax(sine, 1e-30)));
}

void keep_feet(retargeting *r, const scene_anim *from, frame *frames, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        pose_frame(r, from, &frames[i]);
        measure_feet(r, frames[i].feet);
    }
    for (int side = 0; side < SIDES; ++side) {
        uint32_t cycle = count;
        foot   **list = list_feet(frames, &cycle, side, 0.01 * r->target.leg_length);
        center_rests(list, cycle);
        connect_rests(list, cycle);
        if (list[cycle]) frames[cycle].feet[side].offset = frames[0].feet[side].offset;
        for (uint32_t i = 0; i < count; ++i) swing_leg(&frames[i].feet[side], r->target.up);
        release(list);
    }
}
