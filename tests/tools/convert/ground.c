/* ground.c - keeps a humanoid as far above the ground as the source of its animation is. Public domain. */
#include "retarget.h"

#include <stdlib.h>
#include <string.h>

/* Returns the height of the source's lowest limb above the ground in the current pose. The soles are assumed to be as
   far below the joints of the feet as in the canonical pose, so the result may be below 0 if a foot is tilted. */
static double source_clearance(const retargeting *r)
{
    const skeleton *k = &r->source;
    const uint32_t *bones = k->bones;
    int    soles = bones[TOES] != NO_BONE && bones[TOES + RIGHT_SIDE] != NO_BONE ? TOES : FOOT;
    double lowest = HUGE_VAL, ground = HUGE_VAL;
    for (int side = 0; side < SIDES; ++side) {
        for (int foot = FOOT; foot <= soles; foot += SIDES) {
            if (bones[foot + side] == NO_BONE) continue;
            double height = dot(position_of(&k->bind[bones[foot + side]]), k->up);
            double now = dot(position_of(&k->s->nodes[bones[foot + side]].world), k->up);
            ground = fmin(ground, height);
            lowest = fmin(lowest, now - height);
        }
    }
    if (!(lowest < HUGE_VAL)) return 0;

    /* A different limb may be lower than the feet. Limbs are about as thick as the ankles are high. */
    double thickness = 0.1 * k->leg_length;
    for (uint32_t role = 0; role < FOOT; ++role) {
        if (bones[role] == NO_BONE) continue;
        double now = dot(position_of(&k->s->nodes[bones[role]].world), k->up);
        lowest = fmin(lowest, now - ground - thickness);
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

    /* The mean of three frames keeps the body from jittering. */
    for (uint32_t key = 0; key < track->key_count; ++key) {
        uint32_t before = key > 0 ? key - 1 : key;
        uint32_t after = key + 1 < track->key_count ? key + 1 : key;
        double   shift = (shifts[before] + shifts[key] + shifts[after]) / 3;
        pose_scene(s, to, (double)track->times[key]);
        add_to_value(s, track, key, scaled(r->target.up, shift));
    }
    release(positions);
    release(normals);
    release(shifts);
}
