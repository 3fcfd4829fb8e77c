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

/* Computes the rotation of a node in the world: its rotation in the reference pose, followed by the rotation of its
   match away from the reference pose and the rotation of the leg. */
static mat3 get_retargeted_rotation(const retargeting *r, uint32_t node, const frame *f)
{
    uint32_t source = r->source_of[node];
    mat3     bind = rotation_of(&r->source.bind[source]);
    mat3     away = times(rotation_of(&r->source.s->nodes[source].world), transposed(bind));
    mat3     rotation = times(times(r->heading, away), transposed(r->heading));
    for (int role = THIGH; role < FOOT; ++role) {
        if (node == r->target.bones[role]) rotation = times(f->feet[(role - THIGH) % SIDES].rotation, rotation);
    }
    return times(rotation, rotation_of(&r->target.bind[node]));
}

static vec3 relative_position(const matrix *parent, const matrix *node)
{
    matrix back;
    return parent && invert(parent, &back) ? transformed(&back, position_of(node), 1) : position_of(node);
}

/* Computes the position of a node relative to its parent: its position in the reference pose, plus the offset of its
   match from the match's position in the reference pose, times the ratio of the skeletons' sizes. */
static vec3 get_retargeted_position(const retargeting *r, uint32_t node)
{
    const scene_node *nodes = r->source.s->nodes;
    uint32_t      source = r->source_of[node], parent = nodes[source].parent, above = r->target.s->nodes[node].parent;
    const matrix *now = parent == NO_INDEX ? NULL : &nodes[parent].world;
    const matrix *then = parent == NO_INDEX ? NULL : &r->source.bind[parent];
    const matrix *ours = above == NO_INDEX ? NULL : &r->target.bind[above];
    matrix        back;
    vec3          bind = relative_position(then, &r->source.bind[source]);
    vec3          offset = scaled(minus(relative_position(now, &nodes[source].world), bind), r->ratio);
    if (then) offset = transformed(then, offset, 0);
    offset = rotate(r->heading, offset);
    if (ours && invert(ours, &back)) offset = transformed(&back, offset, 0);
    return add(relative_position(ours, &r->target.bind[node]), offset);
}

static vec3 midpoint(const matrix *a, const matrix *b)
{
    return scaled(add(position_of(a), position_of(b)), 0.5);
}

/* Moves the hips until the point halfway between the hip joints has moved like that of the source, scaled by the ratio,
   and is lifted. The joint of the hips would not do: it is at different positions in different skeletons. The hips also
   follow a root of the source that the target does not have. */
static void place_hips(const retargeting *r, double lift, matrix *hips)
{
    const skeleton *t = &r->target, *s = &r->source;
    const uint32_t *ours = t->bones + THIGH, *theirs = s->bones + THIGH;
    vec3   bind = midpoint(&s->bind[theirs[LEFT_SIDE]], &s->bind[theirs[RIGHT_SIDE]]);
    vec3   now = midpoint(&s->s->nodes[theirs[LEFT_SIDE]].world, &s->s->nodes[theirs[RIGHT_SIDE]].world);
    vec3   center = midpoint(&t->bind[ours[LEFT_SIDE]], &t->bind[ours[RIGHT_SIDE]]);
    vec3   offset = add(rotate(r->heading, scaled(minus(now, bind), r->ratio)), scaled(t->up, lift));
    matrix back = identity_matrix();
    invert(&t->bind[t->bones[HIPS]], &back);
    vec3   moved = minus(add(center, offset), transformed(hips, transformed(&back, center, 1), 1));
    hips->m[0][3] += moved.x;
    hips->m[1][3] += moved.y;
    hips->m[2][3] += moved.z;
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

/* Sets r->rest. */
static void find_rest_pose(retargeting *r)
{
    scene *s = r->target.s;
    pose_scene(s, NULL, 0);
    r->rest = (matrix *)allocate(s->node_count, sizeof *r->rest);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        uint32_t carrier = r->target.carriers[i];
        matrix   back;
        r->rest[i] = s->nodes[i].world;
        if (carrier != NO_INDEX && invert(&s->nodes[carrier].world, &back)) r->rest[i] = multiply(&back, &r->rest[i]);
    }
}

void pose_frame(retargeting *r, const scene_anim *from, const frame *f)
{
    scene_node *nodes = r->target.s->nodes;
    pose_scene(r->source.s, from, f->time);
    for (uint32_t i = 0; i < r->target.s->node_count; ++i) {
        uint32_t     node = r->order[i], carrier = r->target.carriers[node];
        const matrix above = carrier == NO_INDEX ? identity_matrix() : nodes[carrier].world;
        matrix       local = r->rest[node];
        if (is_match_moved(r, node)) {
            mat3   own = transposed_times(rotation_of(&above), get_retargeted_rotation(r, node, f));
            vec3   at = has_own_position(r, node) ? get_retargeted_position(r, node) : position_of(&local);
            double position[3] = { at.x, at.y, at.z }, rotation[4];
            quaternion_of(own, rotation);
            local = compose(position, rotation, nodes[node].scale);
        }
        nodes[node].world = multiply(&above, &local);
        bool is_hips = r->method == HUMANOIDS && node == r->target.bones[HIPS];
        if (is_hips) place_hips(r, f->lift, &nodes[node].world);
    }
}

/* Sets the value of a track from the current pose. */
static void set_key(const scene *s, scene_track *t, uint32_t key)
{
    uint32_t parent = s->nodes[t->node].parent;
    double   rotation[4];
    matrix   back, local = s->nodes[t->node].world;
    bool     is_inside = parent != NO_INDEX && invert(&s->nodes[parent].world, &back);
    if (is_inside) local = multiply(&back, &local);
    quaternion_of(rotation_of(&local), rotation);
    for (uint32_t k = 0; k < t->width; ++k) {
        t->values[t->width * key + k] = (float)(t->path == TRACK_ROTATION ? rotation[k] : local.m[k][3]);
    }
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
    frame   *frames = (frame *)allocate(count, sizeof *frames);
    to->tracks = (scene_track *)allocate(2 * (size_t)s->node_count, sizeof *to->tracks);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        if (!is_match_moved(r, i) && !is_carried_by_other(r, i) && i != root) continue;
        if (has_own_position(r, i)) add_track(to, i, TRACK_TRANSLATION, count);
        add_track(to, i, TRACK_ROTATION, count);
    }
    for (uint32_t key = 0; key < count; ++key) {
        frames[key].time = fmin(from->start + key / fps, from->end);
        for (int side = 0; side < SIDES; ++side) frames[key].feet[side].rotation = diagonal(1);
    }
    if (r->method == HUMANOIDS) {
        keep_feet(r, from, frames, count);
        put_on_ground(r, from, frames, count);
    }
    for (uint32_t key = 0; key < count; ++key) {
        pose_frame(r, from, &frames[key]);
        for (uint32_t i = 0; i < to->track_count; ++i) {
            to->tracks[i].times[key] = (float)frames[key].time;
            set_key(s, &to->tracks[i], key);
        }
    }
    if (r->method == HUMANOIDS && root != r->target.bones[HIPS]) {
        move_root_motion_to(s, to, root, r->target.bones[HIPS], r->target.up);
    }
    release(frames);
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
        if (r.method != SAME_BONES) find_rest_pose(&r);
        if (r.method == HUMANOIDS) find_floor(&r);
        note_method(&r);
        add_anims(&r);
    }
    free_retargeting(&r);
    return is_good;
}
