/* reference_poses.c - a reference pose of the target and one of the source, in which both have the same posture. A
   rotation away from its reference pose has the same effect on both. Public domain. */
#include "retarget.h"

#include <stdlib.h>
#include <string.h>

/* -- Bind poses -------------------------------------------------------------------------------- */

/* Returns for each skin [skin_count] the node in whose space the skin may be bound: the node of its mesh or, if no
   mesh has the skin, the parent of its first joint. */
static uint32_t *find_bases(const scene *s)
{
    uint32_t *bases = (uint32_t *)allocate(s->skin_count, sizeof *bases);
    uint32_t *ranks = (uint32_t *)allocate(s->node_count, sizeof *ranks);
    for (uint32_t i = 0; i < s->skin_count; ++i) bases[i] = NO_INDEX;
    for (uint32_t i = 0; i < s->node_count; ++i) {
        const scene_node *n = &s->nodes[s->order[i]];
        ranks[s->order[i]] = i;
        if (n->skin != NO_INDEX && n->mesh != NO_INDEX) bases[n->skin] = s->order[i];
    }
    for (uint32_t i = 0; i < s->skin_count; ++i) {
        const scene_skin *skin = &s->skins[i];
        if (bases[i] != NO_INDEX || skin->joint_count == 0) continue;
        uint32_t first = skin->joints[0];
        for (uint32_t k = 1; k < skin->joint_count; ++k) {
            if (ranks[skin->joints[k]] < ranks[first]) first = skin->joints[k];
        }
        bases[i] = s->nodes[first].parent;
    }
    release(ranks);
    return bases;
}

/* Returns the mean distance of a skin's joints between the bind pose, if it is relative to `base`, and the rest
   pose. */
static double distance_to_rest(const scene *s, const scene_skin *skin, const matrix *base)
{
    double sum = 0;
    for (uint32_t k = 0; k < skin->joint_count; ++k) {
        matrix from_joint;
        if (!invert(&skin->to_joint[k], &from_joint)) continue;
        from_joint = multiply(base, &from_joint);
        sum += length_of(minus(position_of(&from_joint), position_of(&s->nodes[skin->joints[k]].world)));
    }
    return sum / fmax(skin->joint_count, 1);
}

/* Returns the transform from the space in which a skin is bound to the world. glTF ignores the transform of the
   node that has the skinned mesh, and some programs bind relative to the world. Other programs bind relative to
   that node. The joints show which is the case: in most files they rest near their bind positions. */
static matrix bind_space(const scene *s, const scene_skin *skin, uint32_t base, double size)
{
    const double little = 0.001;      /* of the size of the skeleton */
    matrix       world = identity_matrix();
    if (base == NO_INDEX) return world;
    const matrix *node = &s->nodes[base].world;
    double        gain = distance_to_rest(s, skin, &world) - distance_to_rest(s, skin, node);
    return gain > little * size ? *node : world;
}

/* Returns the bind pose of each node [node_count] in the world. A node that is in no skin has the same transform
   relative to its parent as in the rest pose. */
static matrix *list_bind_pose(scene *s)
{
    matrix   *pose = (matrix *)allocate(s->node_count, sizeof *pose);
    bool     *is_bound = (bool *)allocate(s->node_count, sizeof *is_bound), *is_joint = list_joints(s);
    uint32_t *bases = find_bases(s);
    pose_scene(s, NULL, 0);
    double size = skeleton_size(s, is_joint);
    for (uint32_t i = 0; i < s->skin_count; ++i) {
        const scene_skin *skin = &s->skins[i];
        matrix            base = bind_space(s, skin, bases[i], size), from_joint;
        for (uint32_t k = 0; skin->has_bind_pose && k < skin->joint_count; ++k) {
            if (!invert(&skin->to_joint[k], &from_joint)) continue;
            pose[skin->joints[k]] = multiply(&base, &from_joint);
            is_bound[skin->joints[k]] = true;
        }
    }
    for (uint32_t i = 0; i < s->node_count; ++i) {
        uint32_t          node = s->order[i];
        const scene_node *n = &s->nodes[node];
        matrix            back;
        if (is_bound[node]) continue;
        pose[node] = n->world;
        bool has_parent = n->parent != NO_INDEX && invert(&s->nodes[n->parent].world, &back);
        if (!has_parent) continue;
        matrix local = multiply(&back, &n->world);
        pose[node] = multiply(&pose[n->parent], &local);
    }
    release(bases);
    release(is_bound);
    release(is_joint);
    return pose;
}

bool has_bind_pose(const scene *s)
{
    for (uint32_t i = 0; i < s->skin_count; ++i) {
        if (s->skins[i].has_bind_pose) return true;
    }
    return false;
}

/* -- Same names: a heading and a ratio --------------------------------------------------------- */

mat3 rotation_of(const matrix *world)
{
    double rotation[4] = { 0, 0, 0, 1 }, size, uneven;
    split_rotation(world, rotation, &size, &uneven);
    return mat3_of_quaternion(rotation);
}

/* Sets the ratio, and along[i][k]: component i of a bone of the target times component k of the matched bone of the
   source, summed over all matched bones. */
static void compare_bones(retargeting *r, double along[3][3])
{
    double our_length = 0, their_length = 0;
    memset(along, 0, 9 * sizeof along[0][0]);
    for (uint32_t i = 0; i < r->target.s->node_count; ++i) {
        if (!has_matched_bone(r, i)) continue;
        uint32_t source = r->source_of[i];
        uint32_t our_parent = r->target.s->nodes[i].parent, their_parent = r->source.s->nodes[source].parent;
        vec3     ours = minus(position_of(&r->target.bind[i]), position_of(&r->target.bind[our_parent]));
        vec3     theirs = minus(position_of(&r->source.bind[source]), position_of(&r->source.bind[their_parent]));
        double   a[3] = { ours.x, ours.y, ours.z }, b[3] = { theirs.x, theirs.y, theirs.z };
        our_length += length_of(ours);
        their_length += length_of(theirs);
        for (int k = 0; k < 9; ++k) along[k / 3][k % 3] += a[k / 3] * b[k % 3];
    }
    r->ratio = our_length > 0 && their_length > 0 ? our_length / their_length : 1;
}

/* Finds the heading of the source relative to the target. Characters may face along any axis of their file, so this
   chooses one of the 24 rotations that map axes to axes: the one that makes the bones of both most similar. Other
   rotations are not considered, so a different posture, such as arms that hang down, does not tilt the result. */
static void find_heading(retargeting *r, double along[3][3])
{
    double best = -HUGE_VAL;
    for (int i = 0; i < 48; ++i) {
        int    x = i / 16, y = (x + 1 + i / 8 % 2) % 3, z = 3 - x - y;
        matrix rotated;
        memset(&rotated, 0, sizeof rotated);
        rotated.m[0][x] = i & 1 ? -1 : 1;
        rotated.m[1][y] = i & 2 ? -1 : 1;
        rotated.m[2][z] = i & 4 ? -1 : 1;
        if (is_mirrored(&rotated)) continue;

        double fit = rotated.m[0][x] * along[0][x] + rotated.m[1][y] * along[1][y] +
                     rotated.m[2][z] * along[2][z];
        bool is_better = i == 0 || fit > best + 1e-6 * fabs(best);
        if (!is_better) continue;
        best = fit;
        r->heading = rotation_of(&rotated);
    }
}

/* -- Humanoids: the canonical pose ------------------------------------------------------------- */

/* Sets k->carriers. The parent carries a joint, except a helper that is attached to a different limb. */
static void list_carriers(skeleton *k)
{
    uint32_t     count = k->s->node_count;
    const char **names = (const char **)allocate(count, sizeof *names);
    uint32_t    *parents = (uint32_t *)allocate(count, sizeof *parents);
    bone_tree    tree = { count, names, parents, NULL };
    for (uint32_t i = 0; i < count; ++i) {
        const scene_node *n = &k->s->nodes[i];
        names[i] = has_joint_name(n) ? n->name : "";
        parents[i] = n->parent;
    }
    k->carriers = (uint32_t *)allocate(count, sizeof *k->carriers);
    find_carriers(&tree, k->bones, k->carriers);
    release(names);
    release(parents);
}

static uint32_t *list_carriers_first(const scene *s, const uint32_t *carriers)
{
    uint32_t *order = (uint32_t *)allocate(s->node_count, sizeof *order), count = 0;
    bool     *is_listed = (bool *)allocate(s->node_count, sizeof *is_listed);
    while (count < s->node_count) {
        uint32_t before = count;
        for (uint32_t i = 0; i < s->node_count; ++i) {
            uint32_t node = s->order[i], carrier = carriers[node];
            bool     is_ready = carrier == NO_INDEX || is_listed[carrier];
            if (is_listed[node] || !is_ready) continue;
            order[count++] = node;
            is_listed[node] = true;
        }
        if (count == before) break;   /* no carrier is below the node that it carries */
    }
    release(is_listed);
    return order;
}

static double cosine(vec3 a, vec3 b)
{
    return dot(a, b) / fmax(length_of(a) * length_of(b), 1e-30);
}

/* Returns how well a pose fits its axes, at most 3: for level hips and vertical thighs. */
static double alignment(const vec3 *positions, const uint32_t bones[ROLE_COUNT], mat3 axes)
{
    vec3   left = rotate_back(axes, make_vec3(0, 1, 0)), down = rotate_back(axes, make_vec3(0, 0, -1));
    double sum = cosine(minus(positions[bones[THIGH]], positions[bones[THIGH + RIGHT_SIDE]]), left);
    for (int side = 0; side < SIDES; ++side) {
        sum += cosine(minus(positions[bones[SHIN + side]], positions[bones[THIGH + side]]), down);
    }
    return sum;
}

/* Finds the axes of the skeleton in the bind pose, or in the rest pose if that pose fits its axes better. In many files
   one of the two poses is a frame of an animation in which the body is turned aside. */
static mat3 find_pose_axes(const skeleton *k, const vec3 *bind)
{
    vec3 *rest = (vec3 *)allocate(k->s->node_count, sizeof *rest);
    pose_scene(k->s, NULL, 0);
    for (uint32_t i = 0; i < k->s->node_count; ++i) rest[i] = position_of(&k->s->nodes[i].world);
    mat3   axes = find_axes(bind, k->bones), rest_axes = find_axes(rest, k->bones);
    double gain = alignment(rest, k->bones, rest_axes) - alignment(bind, k->bones, axes);
    release(rest);
    return gain > 0.01 ? rest_axes : axes;
}

/* Replaces the bind pose with the canonical pose. Returns the rotation from the world to the axes of the canonical
   pose. */
static mat3 make_canonical(skeleton *k)
{
    uint32_t  count = k->s->node_count;
    vec3     *positions = (vec3 *)allocate(count, sizeof *positions);
    vec3     *posed = (vec3 *)allocate(count, sizeof *posed);
    mat3     *rotations = (mat3 *)allocate(count, sizeof *rotations);
    bone_tree tree = { count, NULL, k->carriers, NULL };
    for (uint32_t i = 0; i < count; ++i) positions[i] = position_of(&k->bind[i]);
    mat3 axes = find_pose_axes(k, positions);
    find_canonical_pose(&tree, k->bones, axes, positions, NULL, rotations, posed);
    for (uint32_t i = 0; i < count; ++i) {
        double(*m)[4] = k->bind[i].m;
        for (int c = 0; c < 3; ++c) {
            vec3 column = rotate(rotations[i], make_vec3(m[0][c], m[1][c], m[2][c]));
            m[0][c] = column.x;
            m[1][c] = column.y;
            m[2][c] = column.z;
        }
        m[0][3] = posed[i].x;
        m[1][3] = posed[i].y;
        m[2][3] = posed[i].z;
    }
    k->up = rotate_back(axes, make_vec3(0, 0, 1));
    k->leg_length = leg_length(posed, k->bones);
    release(positions);
    release(posed);
    release(rotations);
    return axes;
}

void find_reference_poses(retargeting *r)
{
    r->target.bind = list_bind_pose(r->target.s);
    r->source.bind = list_bind_pose(r->source.s);
    list_carriers(&r->target);
    list_carriers(&r->source);
    r->order = list_carriers_first(r->target.s, r->target.carriers);
    if (r->method == SAME_NAMES) {
        double along[3][3];
        r->target.up = make_vec3(0, 1, 0);
        compare_bones(r, along);
        find_heading(r, along);
        return;
    }

    mat3 target_axes = make_canonical(&r->target), source_axes = make_canonical(&r->source);
    r->heading = times(transposed(target_axes), source_axes);
    r->ratio = r->target.leg_length / fmax(r->source.leg_length, 1e-30);
}
