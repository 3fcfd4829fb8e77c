/* retarget_anims.c - animations of one scene, on the skeleton of another. Public domain.

   There are three methods. The first that is possible is used:

     same bones    The joints of both have the same names and the same distances, so the tracks are copied.
     humanoids     Both are humanoids (humanoid.h). Each limb rotates away from the canonical pose like the same
                   limb of the source, whatever the names are. The hips move in proportion to the length of the
                   legs, the feet rest where those of the source rest, and the lowest point stays as far above
                   the ground.
     same names    Each joint rotates away from its bind pose like the joint of the same name, and moves in
                   proportion to the length of the bones. */
#include "retarget.h"

#include <stdlib.h>
#include <string.h>

/* -- Poses ------------------------------------------------------------------------------------- */

static void invert_rotation(const double a[4], double out[4])
{
    double q[4] = { -a[0], -a[1], -a[2], a[3] };
    memcpy(out, q, sizeof q);
}

matrix heading_matrix(const retargeting *r)
{
    const double zero[3] = { 0, 0, 0 }, one[3] = { 1, 1, 1 };
    return compose(zero, r->heading, one);
}

/* Computes the rotation of a joint in the world: its rotation in the bind pose, followed by the rotation of its match
   away from the bind pose. */
static void get_retargeted_rotation(const retargeting *r, uint32_t node, double out[4])
{
    uint32_t source = r->source_of[node];
    double   away[4], back[4];
    get_rotation(&r->source.s->nodes[source].world, away);
    get_rotation(&r->source.bind[source], back);
    invert_rotation(back, back);
    multiply_quaternions(away, back, away);
    multiply_quaternions(r->heading, away, away);
    invert_rotation(r->heading, back);
    multiply_quaternions(away, back, away);
    get_rotation(&r->target.bind[node], back);
    multiply_quaternions(away, back, out);
}

static void get_local_position(const matrix *parent, const matrix *node, double out[3])
{
    const double position[3] = { node->m[0][3], node->m[1][3], node->m[2][3] };
    matrix       back;
    memcpy(out, position, sizeof position);
    if (parent && invert(parent, &back)) transform(&back, position, 1, out);
}

/* Computes the position of a joint relative to its parent: its position in the bind pose, plus the offset of its match
   from the match's position in the bind pose, times the ratio of the skeletons' sizes. */
static void get_retargeted_position(const retargeting *r, uint32_t node, double out[3])
{
    const scene_node *nodes = r->source.s->nodes;
    uint32_t          source = r->source_of[node], parent = nodes[source].parent;
    const matrix     *now = parent == NO_INDEX ? NULL : &nodes[parent].world;
    const matrix     *then = parent == NO_INDEX ? NULL : &r->source.bind[parent];
    const matrix      heading = heading_matrix(r);
    double            bind[3], offset[3];
    get_local_position(now, &nodes[source].world, offset);
    get_local_position(then, &r->source.bind[source], bind);
    for (int k = 0; k < 3; ++k) offset[k] = r->ratio * (offset[k] - bind[k]);
    if (then) transform(then, offset, 0, offset);
    transform(&heading, offset, 0, offset);

    uint32_t      above = r->target.s->nodes[node].parent;
    const matrix *ours = above == NO_INDEX ? NULL : &r->target.bind[above];
    matrix        back;
    get_local_position(ours, &r->target.bind[node], out);
    if (ours && invert(ours, &back)) transform(&back, offset, 0, offset);
    for (int k = 0; k < 3; ++k) out[k] += offset[k];
}

static vec3 midpoint(const matrix *a, const matrix *b)
{
    return scaled(add(position_of(a), position_of(b)), 0.5);
}

/* Moves the hips until the point halfway between the hip joints has moved like that of the source, scaled by the ratio.
   The joint of the hips would not do: it is at different positions in different skeletons. The hips also follow a root
   of the source that the target does not have. */
static void place_hips(const retargeting *r, matrix *hips)
{
    const skeleton *t = &r->target, *s = &r->source;
    const uint32_t *ours = t->bones + THIGH, *theirs = s->bones + THIGH;
    vec3   bind = midpoint(&s->bind[theirs[LEFT_SIDE]], &s->bind[theirs[RIGHT_SIDE]]);
    vec3   now = midpoint(&s->s->nodes[theirs[LEFT_SIDE]].world, &s->s->nodes[theirs[RIGHT_SIDE]].world);
    vec3   offset = scaled(minus(now, bind), r->ratio);
    vec3   center = midpoint(&t->bind[ours[LEFT_SIDE]], &t->bind[ours[RIGHT_SIDE]]);
    double moved[3] = { offset.x, offset.y, offset.z }, at[3] = { center.x, center.y, center.z };
    matrix heading = heading_matrix(r), back = identity_matrix();
    transform(&heading, moved, 0, moved);
    invert(&t->bind[t->bones[HIPS]], &back);
    transform(&back, at, 1, at);
    transform(hips, at, 1, at);
    hips->m[0][3] += center.x + moved[0] - at[0];
    hips->m[1][3] += center.y + moved[1] - at[1];
    hips->m[2][3] += center.z + moved[2] - at[2];
}

/* Returns true if a node moves with a node that is not its parent. */
static bool is_carried_by_other(const retargeting *r, uint32_t node)
{
    return r->target.carriers[node] != r->target.s->nodes[node].parent;
}

/* Returns true if a node gets a track of positions. The limbs of humanoids keep their lengths. */
static bool has_own_position(const retargeting *r, uint32_t node)
{
    if (r->method == SAME_NAMES || is_carried_by_other(r, node)) return true;
    return is_node_above(r->target.s, node, r->target.bones[HIPS]);
}

/* Computes the world transforms of the target's nodes from the current pose of the source. The target must be in its
   rest pose. `feet` have rotations of the legs; NULL = none. */
static void retarget_pose(const retargeting *r, const foot_key feet[SIDES], matrix *worlds)
{
    const scene_node *nodes = r->target.s->nodes;
    for (uint32_t i = 0; i < r->target.s->node_count; ++i) {
        uint32_t      node = r->order[i], carrier = r->target.carriers[node];
        const matrix *above = carrier == NO_INDEX ? NULL : &worlds[carrier];
        matrix        back, local = nodes[node].world;
        bool          is_carried = above && invert(&nodes[carrier].world, &back);
        if (is_carried) local = multiply(&back, &nodes[node].world);
        if (is_match_moved(r, node)) {
            double rotation[4], inverse[4] = { 0, 0, 0, 1 }, position[3];
            for (int k = 0; k < 3; ++k) position[k] = local.m[k][3];
            get_retargeted_rotation(r, node, rotation);
            for (int role = THIGH; feet && role < FOOT; ++role) {
                const double *swing = feet[(role - THIGH) % SIDES].rotation;
                if (node == r->target.bones[role]) multiply_quaternions(swing, rotation, rotation);
            }
            if (above) get_rotation(above, inverse);
            invert_rotation(inverse, inverse);
            multiply_quaternions(inverse, rotation, rotation);
            if (has_own_position(r, node)) get_retargeted_position(r, node, position);
            local = compose(position, rotation, nodes[node].scale);
        }
        worlds[node] = above ? multiply(above, &local) : local;
        if (r->method == HUMANOIDS && node == r->target.bones[HIPS]) place_hips(r, &worlds[node]);
    }
}

/* Computes the position and the rotation of a node relative to its parent. */
static void get_local(const scene *s, const matrix *worlds, uint32_t node, float position[3], float rotation[4])
{
    uint32_t parent = s->nodes[node].parent;
    double   rounded[4];
    matrix   back, local = worlds[node];
    bool     is_inside = parent != NO_INDEX && invert(&worlds[parent], &back);
    if (is_inside) local = multiply(&back, &local);
    get_rotation(&local, rounded);
    for (int k = 0; k < 3; ++k) position[k] = (float)local.m[k][3];
    for (int k = 0; k < 4; ++k) rotation[k] = (float)rounded[k];
}

/* -- Animations -------------------------------------------------------------------------------- */

/* Moves the tracks from the source to the target. */
static void copy_anim(const retargeting *r, scene_anim *from, scene_anim *to)
{
    to->tracks = (scene_track *)allocate(from->track_count, sizeof *to->tracks);
    for (uint32_t i = 0; i < from->track_count; ++i) {
        scene_track *track = &from->tracks[i];
        uint32_t     target = r->target_of[track->node];
        if (target == NO_INDEX || track->path == TRACK_WEIGHTS) continue;
        to->tracks[to->track_count] = *track;
        to->tracks[to->track_count++].node = target;
        track->times = track->values = NULL;
    }
}

/* Returns the joint that has the root motion of the target: the highest joint above the hips. If the hips are not
   below another joint, returns the hips. */
static uint32_t find_root(const skeleton *k)
{
    uint32_t root = k->bones[HIPS];
    for (uint32_t i = root; i != NO_INDEX; i = k->s->nodes[i].parent) {
        if (k->is_joint[i]) root = i;
    }
    return root;
}

/* Samples the animation. Scales are left out, because they are only useful on the same bones. */
static void sample_anim(retargeting *r, const scene_anim *from, scene_anim *to)
{
    scene   *s = r->target.s;
    double   fps = find_rate(from);
    uint32_t count = (uint32_t)fmin(floor((from->end - from->start) * fps + 0.5), 65535) + 1;
    uint32_t root = r->method == HUMANOIDS ? find_root(&r->target) : NO_INDEX;
    matrix  *worlds = (matrix *)allocate(s->node_count, sizeof *worlds);
    to->tracks = (scene_track *)allocate(2 * (size_t)s->node_count, sizeof *to->tracks);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        if (!is_match_moved(r, i) && !is_carried_by_other(r, i) && i != root) continue;
        if (has_own_position(r, i)) add_track(to, i, TRACK_TRANSLATION, count);
        add_track(to, i, TRACK_ROTATION, count);
    }
    foot_key *feet = r->method == HUMANOIDS ? (foot_key *)allocate(count, SIDES * sizeof *feet) : NULL;
    pose_scene(s, NULL, 0);
    for (uint32_t key = 0; feet && key < count; ++key) {
        pose_scene(r->source.s, from, fmin(from->start + key / fps, from->end));
        retarget_pose(r, NULL, worlds);
        measure_feet(r, worlds, &feet[SIDES * key]);
    }
    if (feet) keep_feet(r, feet, count);
    for (uint32_t key = 0; key < count; ++key) {
        double time = fmin(from->start + key / fps, from->end);
        pose_scene(r->source.s, from, time);
        retarget_pose(r, feet ? &feet[SIDES * key] : NULL, worlds);
        for (uint32_t i = 0; i < to->track_count; ++i) {
            scene_track *t = &to->tracks[i];
            float        position[3], rotation[4];
            get_local(s, worlds, t->node, position, rotation);
            t->times[key] = (float)time;
            memcpy(t->values + (size_t)t->width * key, t->width == 4 ? rotation : position,
                   t->width * sizeof(float));
        }
    }
    if (r->method == HUMANOIDS) put_on_ground(r, from, to);
    if (r->method == HUMANOIDS && root != r->target.bones[HIPS]) {
        move_root_motion_to(s, to, root, r->target.bones[HIPS], r->target.up);
    }
    release(feet);
    release(worlds);
}

static void add_anims(retargeting *r)
{
    uint32_t     count = r->source.s->anim_count;
    scene       *s = r->target.s;
    scene_anim  *anims = (scene_anim *)allocate((size_t)s->anim_count + count, sizeof *anims);
    kind         from_kind = kind_of(r->source.path);
    const double up[3] = { r->target.up.x, r->target.up.y, r->target.up.z };

    /* Animations of an MD2 already have no root motion, and begin at the model's own place. */
    bool stays = r->request->in_place || (has_extension(r->request->output, ".md2") && from_kind != KIND_MD2);
    bool may_be_far = stays || (r->method != SAME_BONES && from_kind != KIND_MD2);
    pose_scene(s, NULL, 0);
    double least = 0.05 * skeleton_size(s, r->target.is_joint);

    if (s->anim_count > 0) memcpy(anims, s->anims, s->anim_count * sizeof *anims);
    release(s->anims);
    s->anims = anims;
    for (uint32_t i = 0; i < count; ++i) {
        scene_anim *from = &r->source.s->anims[i], *to = &anims[s->anim_count];
        char       *stem = stem_of(r->source.path);

        /* A glTF file with one animation often has a better name than its animation. */
        bool is_named_by_file = count == 1 && from_kind == KIND_GLTF;
        to->name = name_source_anim(r->request, s, is_named_by_file ? stem : from->name, r->source.path);
        to->start = from->start;
        to->end = from->end;
        if (r->method == SAME_BONES) copy_anim(r, from, to);
        else sample_anim(r, from, to);
        if (may_be_far) begin_at_rest(s, to, r->target.bones[HIPS], r->target.up, least);
        if (stays) keep_in_place(r->request, s, to, up, units_per_meter(r->request));
        ++s->anim_count;
        release(stem);
    }
}

bool retarget_anims(const convert_request *request, scene *target, const char *target_path, scene *source,
                    const char *source_path)
{
    retargeting r;
    memset(&r, 0, sizeof r);
    r.request = request;
    r.target.s = target;
    r.source.s = source;
    r.target.path = target_path;
    r.source.path = source_path;
    r.target.up = make_vec3(0, 1, 0);
    if (source->anim_count == 0) return fail(source_path, "it has no animation");

    bool is_good = match_bones(&r);
    if (is_good) {
        if (r.method != SAME_BONES) find_reference_poses(&r);
        if (r.method == HUMANOIDS) find_floor(&r);
        note_method(&r);
        add_anims(&r);
    }
    free_retargeting(&r);
    return is_good;
}
