/* retarget_anims.c - animations of another scene, on the skeleton of this one. Public domain.

   Three methods, the first that is possible:

     same bones    The joints of both have the same names and the same distances, so the tracks are
                   copied.
     humanoids     Both are humanoids: see humanoid.h. Each limb rotates away from the canonical pose
                   as the same limb of the source does, whatever both call it. The hips move as far in
                   proportion to the legs, and the lowest point stays as far above the ground.
     same names    Each joint rotates away from its bind pose as the joint of the same name does, and
                   moves as far in proportion to the bones.

   The bind pose is that of a skin. A file without a skin only has the pose in which it rests. */
#include "from_scene.h"
#include "humanoid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum method { SAME_BONES, HUMANOIDS, SAME_NAMES } method;

typedef struct retargeting {
    const convert_request *request;
    const char            *target_path, *source_path;
    scene                 *target, *source;
    uint32_t              *source_of;            /* [target->node_count] the match; or NO_INDEX */
    uint32_t              *target_of;            /* [source->node_count] */
    bool                  *is_joint;             /* [target->node_count] */
    bool                  *is_moved;             /* [source->node_count] by any of its animations */
    uint32_t               joint_count;          /* of the target */
    uint32_t               moved_count;          /* joints of the target with a match that is moved */
    method                 how;
    uint32_t               target_bones[ROLE_COUNT], source_bones[ROLE_COUNT];
    matrix                *target_bind, *source_bind; /* in the world */
    uint32_t              *carriers;             /* [target->node_count] see find_carriers */
    uint32_t              *order;                /* [target->node_count] carriers first */
    double                 heading[4];           /* the rotation from the world of the source to ours */
    double                 ratio;                /* of our bones' lengths to those of the source */
    vec3                   target_up, source_up; /* for humanoids */
    double                 floor;                /* height at which the source stands, above its canonical pose */
} retargeting;

/* -- Rotations --------------------------------------------------------------------------------- */

static void invert_rotation(const double a[4], double out[4])
{
    double q[4] = { -a[0], -a[1], -a[2], a[3] };
    memcpy(out, q, sizeof q);
}

static void get_rotation(const matrix *world, double rotation[4])
{
    static const double none[4] = { 0, 0, 0, 1 };
    double              size, uneven;
    memcpy(rotation, none, sizeof none);
    split_rotation(world, rotation, &size, &uneven);
}

static vec3 position_of(const matrix *m)
{
    return make_vec3(m->m[0][3], m->m[1][3], m->m[2][3]);
}

/* -- Matches ----------------------------------------------------------------------------------- */

/* Programs write the name of the rig before it: "mixamorig:Hips", "mixamorig_Hips" in Godot,
   "mixamorigHips" in three.js. */
static const char *bare_name(const char *name)
{
    static const char rig[] = "mixamorig";
    const char       *colon = strrchr(name, ':'), *bare = colon ? colon + 1 : name;
    if (strncmp(bare, rig, strlen(rig)) == 0) {
        bare += strlen(rig);
        bare += strspn(bare, "0123456789");
        if (*bare == '_') ++bare;
    }
    return *bare ? bare : name;
}

static const char *whole_name(const char *name)
{
    return name;
}

/* A mesh may have the name of the joint that moves it. */
static bool has_joint_name(const scene_node *n)
{
    bool is_bound_mesh = n->mesh != NO_INDEX && n->skin != NO_INDEX;
    return n->name[0] && !is_bound_mesh;
}

static void match(retargeting *r, uint32_t target, uint32_t source)
{
    r->source_of[target] = source;
    r->target_of[source] = target;
}

/* Each joint is matched with at most one other joint. */
static void match_names(retargeting *r, const char *(*name_of)(const char *), bool is_exact)
{
    name_table table = { NULL, 0, 0, is_exact };
    for (uint32_t i = 0; i < r->target->node_count; ++i) {
        const scene_node *n = &r->target->nodes[i];
        bool is_free = has_joint_name(n) && r->source_of[i] == NO_INDEX;
        if (is_free) add_name(&table, name_of(n->name), i);
    }
    for (uint32_t i = 0; i < r->source->node_count; ++i) {
        const scene_node *n = &r->source->nodes[i];
        bool is_free = has_joint_name(n) && r->target_of[i] == NO_INDEX;
        const uint32_t *found = is_free ? find_name(&table, name_of(n->name)) : NULL;
        if (found && r->source_of[*found] == NO_INDEX) match(r, *found, i);
    }
    free_name_table(&table);
}

static uint32_t *no_indices(uint32_t count)
{
    uint32_t *list = (uint32_t *)allocate(count, sizeof *list);
    for (uint32_t i = 0; i < count; ++i) list[i] = NO_INDEX;
    return list;
}

static void clear_matches(retargeting *r)
{
    for (uint32_t i = 0; i < r->target->node_count; ++i) r->source_of[i] = NO_INDEX;
    for (uint32_t i = 0; i < r->source->node_count; ++i) r->target_of[i] = NO_INDEX;
}

static void match_all_names(retargeting *r)
{
    clear_matches(r);
    match_names(r, whole_name, true);
    match_names(r, bare_name, false);
}

static void find_moved(retargeting *r)
{
    const scene *s = r->source;
    r->is_moved = (bool *)allocate(s->node_count, sizeof *r->is_moved);
    for (uint32_t i = 0; i < s->anim_count; ++i) {
        for (uint32_t t = 0; t < s->anims[i].track_count; ++t) {
            const scene_track *track = &s->anims[i].tracks[t];
            if (track->path != TRACK_WEIGHTS) r->is_moved[track->node] = true;
        }
    }
}

static bool is_taken(const retargeting *r, uint32_t node)
{
    return r->source_of[node] != NO_INDEX && r->is_moved[r->source_of[node]];
}

/* Joints are the nodes of skins; in a scene without skins, all nodes with names. */
static bool *list_joints(const scene *s)
{
    bool *is_joint = (bool *)allocate(s->node_count, sizeof *is_joint);
    for (uint32_t i = 0; i < s->skin_count; ++i) {
        for (uint32_t k = 0; k < s->skins[i].joint_count; ++k) {
            is_joint[s->skins[i].joints[k]] = true;
        }
    }
    for (uint32_t i = 0; i < s->node_count && s->skin_count == 0; ++i) {
        is_joint[i] = has_joint_name(&s->nodes[i]);
    }
    return is_joint;
}

static uint32_t count_true(const bool *list, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) sum += list[i] ? 1 : 0;
    return sum;
}

/* A joint of a skin, or a node that is moved. */
static void count_matches(retargeting *r)
{
    r->moved_count = 0;
    for (uint32_t i = 0; i < r->target->node_count; ++i) {
        if (!is_taken(r, i)) continue;
        r->is_joint[i] = true;
        ++r->moved_count;
    }
    r->joint_count = count_true(r->is_joint, r->target->node_count);
}

/* A bone is the way from the parent to a joint. The hips have none, since they may be anywhere. */
static bool has_matched_bone(const retargeting *r, uint32_t node)
{
    uint32_t parent = r->target->nodes[node].parent, source = r->source_of[node];
    bool     is_bone = parent != NO_INDEX && r->is_joint[node] && r->is_joint[parent];
    return is_bone && source != NO_INDEX && r->source->nodes[source].parent != NO_INDEX;
}

static uint32_t count_matched_bones(const retargeting *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->target->node_count; ++i) {
        if (has_matched_bone(r, i)) ++count;
    }
    return count;
}

/* -- Humanoids --------------------------------------------------------------------------------- */

static void find_scene_roles(const scene *s, uint32_t bones[ROLE_COUNT])
{
    const char **names = (const char **)allocate(s->node_count, sizeof *names);
    uint32_t    *parents = (uint32_t *)allocate(s->node_count, sizeof *parents);
    bool        *is_joint = list_joints(s);
    bone_tree    tree = { s->node_count, names, parents, is_joint };
    for (uint32_t i = 0; i < s->node_count; ++i) {
        names[i] = has_joint_name(&s->nodes[i]) ? s->nodes[i].name : "";
        parents[i] = s->nodes[i].parent;
    }
    find_roles(&tree, bones);
    release(names);
    release(parents);
    release(is_joint);
}

/* Whether a bone of a hand is that of a finger, by its name. */
static bool is_finger(const char *name)
{
    static const char *const words[] = { "thumb", "index", "middle", "ring", "pinky", "little" };
    char lower[64];
    for (size_t i = 0; i < sizeof lower; ++i) {
        char c = name[i];
        lower[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        if (!c) break;
    }
    lower[sizeof lower - 1] = 0;
    for (int i = 0; i < COUNT(words); ++i) {
        if (strstr(lower, words[i])) return true;
    }
    return false;
}

/* Fingers are matched by their names. Names of other bones without a role may mean anything: head_2
   is the hair of one character and the jaw of another. */
static void match_fingers(retargeting *r)
{
    for (uint32_t i = 0; i < r->target->node_count; ++i) {
        uint32_t          node = r->target->order[i];
        const scene_node *n = &r->target->nodes[node];
        bool is_free = r->source_of[node] == NO_INDEX && n->parent != NO_INDEX &&
                       has_joint_name(n) && is_finger(n->name);
        if (!is_free) continue;

        uint32_t above = r->source_of[n->parent];
        for (uint32_t k = 0; above != NO_INDEX && k < r->source->node_count; ++k) {
            const scene_node *other = &r->source->nodes[k];
            bool is_same = other->parent == above && r->target_of[k] == NO_INDEX &&
                           strcmp(bare_name(other->name), bare_name(n->name)) == 0;
            if (!is_same) continue;
            match(r, node, k);
            break;
        }
    }
}

/* The root that carries the hips takes the root motion if both have a root of that name. */
static void match_roots(retargeting *r)
{
    uint32_t ours = r->target->nodes[r->target_bones[HIPS]].parent;
    for (; ours != NO_INDEX; ours = r->target->nodes[ours].parent) {
        const char *name = bare_name(r->target->nodes[ours].name);
        uint32_t    theirs = r->source->nodes[r->source_bones[HIPS]].parent;
        for (; theirs != NO_INDEX; theirs = r->source->nodes[theirs].parent) {
            bool is_same = strcmp(bare_name(r->source->nodes[theirs].name), name) == 0;
            bool is_free = r->source_of[ours] == NO_INDEX && r->target_of[theirs] == NO_INDEX;
            if (is_same && is_free && name[0]) match(r, ours, theirs);
        }
    }
}

/* Whether all joints have a match of the same name whose parent is the match of their parent. Then
   helper joints of both mean the same, too. */
static bool is_same_tree(const retargeting *r)
{
    for (uint32_t i = 0; i < r->target->node_count; ++i) {
        if (!r->is_joint[i]) continue;
        uint32_t source = r->source_of[i], parent = r->target->nodes[i].parent;
        if (source == NO_INDEX) return false;
        bool is_root = parent == NO_INDEX || !r->is_joint[parent];
        if (!is_root && r->source->nodes[source].parent != r->source_of[parent]) return false;
    }
    return true;
}

static void match_roles(retargeting *r)
{
    bool is_same = is_same_tree(r);
    clear_matches(r);
    for (uint32_t role = 0; role < ROLE_COUNT; ++role) {
        uint32_t target = r->target_bones[role], source = r->source_bones[role];
        bool     is_free = target != NO_BONE && source != NO_BONE &&
                           r->source_of[target] == NO_INDEX && r->target_of[source] == NO_INDEX;
        if (!is_free) continue;
        match(r, target, source);
        r->is_moved[source] = true;   /* at least by the bone above it */
    }
    match_fingers(r);
    match_roots(r);
    if (is_same) match_names(r, whole_name, true);
}

/* Whether a name is that of a helper of a limb: "shin_l_helper_3f9a", or "shin_l.2". */
static bool is_helper_name(const char *name, const char *limb)
{
    static const char helper[] = "_helper_";
    size_t            length = strlen(limb);
    if (strncmp(name, limb, length) != 0) return false;
    const char *rest = name + length;
    if (strncmp(rest, helper, strlen(helper)) == 0) return true;
    bool has_number = rest[0] == '.' && rest[1];
    return has_number && rest[1 + strspn(rest + 1, "0123456789")] == 0;
}

static bool is_node_above(const scene *s, uint32_t above, uint32_t node)
{
    while (node != NO_INDEX && node != above) node = s->nodes[node].parent;
    return node == above;
}

/* Returns [node_count] what moves each node: its parent, mostly. A helper of a limb that is no
   descendant of the limb moves with the limb: in skeletons that are found in an MD2, many helpers are
   children of the hips. */
static uint32_t *find_carriers(const scene *s, const uint32_t bones[ROLE_COUNT])
{
    uint32_t *carriers = (uint32_t *)allocate(s->node_count, sizeof *carriers);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        carriers[i] = s->nodes[i].parent;
        for (uint32_t r = 0; r < ROLE_COUNT && has_joint_name(&s->nodes[i]); ++r) {
            uint32_t limb = bones[r];
            bool     is_helper = limb != NO_BONE && is_helper_name(s->nodes[i].name, s->nodes[limb].name);
            bool     is_apart = is_helper && !is_node_above(s, limb, i) && !is_node_above(s, i, limb);
            if (is_apart) carriers[i] = limb;
        }
    }
    return carriers;
}

/* Rotates and moves the bind pose into the canonical pose. */
static void make_canonical(const scene *s, const uint32_t bones[ROLE_COUNT], const uint32_t *carriers,
                           matrix *bind, mat3 *axes)
{
    uint32_t  count = s->node_count;
    vec3     *positions = (vec3 *)allocate(count, sizeof *positions);
    vec3     *posed = (vec3 *)allocate(count, sizeof *posed);
    mat3     *rotations = (mat3 *)allocate(count, sizeof *rotations);
    bone_tree tree = { count, NULL, carriers, NULL };
    for (uint32_t i = 0; i < count; ++i) positions[i] = position_of(&bind[i]);
    *axes = find_axes(positions, bones);
    find_canonical_pose(&tree, bones, *axes, positions, rotations, posed);
    for (uint32_t i = 0; i < count; ++i) {
        double(*m)[4] = bind[i].m;
        for (int k = 0; k < 3; ++k) {
            vec3 column = rotate(rotations[i], make_vec3(m[0][k], m[1][k], m[2][k]));
            m[0][k] = column.x;
            m[1][k] = column.y;
            m[2][k] = column.z;
        }
        m[0][3] = posed[i].x;
        m[1][3] = posed[i].y;
        m[2][3] = posed[i].z;
    }
    release(positions);
    release(posed);
    release(rotations);
}

static double leg_length_of(const scene *s, const uint32_t bones[ROLE_COUNT], const matrix *bind)
{
    vec3 *positions = (vec3 *)allocate(s->node_count, sizeof *positions);
    for (uint32_t i = 0; i < s->node_count; ++i) positions[i] = position_of(&bind[i]);
    double length = leg_length(positions, bones);
    release(positions);
    return length;
}

/* -- Same bones -------------------------------------------------------------------------------- */

/* The diagonal of the box around the joints. */
static double skeleton_size(const scene *s, const bool *is_joint)
{
    vec3 low = make_vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = scaled(low, -1);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        if (!is_joint[i]) continue;
        vec3 p = position_of(&s->nodes[i].world);
        low = make_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = make_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    return high.x >= low.x ? length_of(minus(high, low)) : 0;
}

static uint32_t count_bones(const scene *s)
{
    bool    *is_joint = list_joints(s);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->node_count; ++i) {
        uint32_t parent = s->nodes[i].parent;
        if (is_joint[i] && parent != NO_INDEX && is_joint[parent]) ++count;
    }
    release(is_joint);
    return count;
}

/* Half of the bones are matched at least. Nine in ten joints are as far from their parents, and in
   the same direction relative to the parents, so rotations and positions mean the same. */
static bool have_same_bones(retargeting *r)
{
    const double most = 0.05;         /* of the size of the skeleton */
    uint32_t     count = count_matched_bones(r), alike = 0;
    uint32_t     target_bones = count_bones(r->target), source_bones = count_bones(r->source);
    uint32_t     fewer = source_bones < target_bones ? source_bones : target_bones;
    if (count == 0 || 2 * count < fewer) return false;

    pose_scene(r->target, NULL, 0);
    double size = skeleton_size(r->target, r->is_joint);
    for (uint32_t i = 0; i < r->target->node_count; ++i) {
        if (!has_matched_bone(r, i)) continue;
        const scene_node *ours = &r->target->nodes[i];
        const scene_node *theirs = &r->source->nodes[r->source_of[i]];
        double            off[3];
        for (int k = 0; k < 3; ++k) off[k] = theirs->translation[k] - ours->translation[k];
        transform(&r->target->nodes[ours->parent].world, off, 0, off);
        if (length_of(make_vec3(off[0], off[1], off[2])) <= most * size) ++alike;
    }
    return 10 * (uint64_t)alike >= 9 * (uint64_t)count;
}

/* Moves the tracks from the source to the target. */
static void copy_anim(retargeting *r, scene_anim *from, scene_anim *to)
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

/* -- Bind poses -------------------------------------------------------------------------------- */

/* Returns [skin_count] nodes that may be the space in which a skin is bound: the node of its mesh; if
   no mesh has the skin, the parent of its first joint. */
static uint32_t *find_bases(const scene *s)
{
    uint32_t *bases = no_indices(s->skin_count);
    uint32_t *ranks = (uint32_t *)allocate(s->node_count, sizeof *ranks);
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

/* Returns the mean distance between the bind positions of a skin's joints, relative to a base, and
   their rest positions. */
static double distance_to_rest(const scene *s, const scene_skin *skin, const matrix *base)
{
    double sum = 0;
    for (uint32_t k = 0; k < skin->joint_count; ++k) {
        matrix from_joint;
        if (!invert(&skin->to_joint[k], &from_joint)) continue;
        from_joint = multiply(base, &from_joint);
        sum += length_of(minus(position_of(&from_joint),
                               position_of(&s->nodes[skin->joints[k]].world)));
    }
    return sum / fmax(skin->joint_count, 1);
}

/* Returns the transform from the space in which a skin is bound to the world. glTF ignores the
   transform of the node that has the skinned mesh, and some programs bind relative to the world.
   Other programs bind relative to that node. The joints tell which: in most files they rest near
   their bind positions. */
static matrix bind_space(const scene *s, const scene_skin *skin, uint32_t base, double size)
{
    const double little = 0.001;      /* of the size of the skeleton */
    matrix       world = identity_matrix();
    if (base == NO_INDEX) return world;
    const matrix *node = &s->nodes[base].world;
    double        gain = distance_to_rest(s, skin, &world) - distance_to_rest(s, skin, node);
    return gain > little * size ? *node : world;
}

/* Returns [node_count] in the world. A node that is in no skin follows its parent as it rests. */
static matrix *list_bind_pose(scene *s)
{
    matrix   *pose = (matrix *)allocate(s->node_count, sizeof *pose);
    bool     *is_bound = (bool *)allocate(s->node_count, sizeof *is_bound), *is_joint;
    uint32_t *bases = find_bases(s);
    pose_scene(s, NULL, 0);
    is_joint = list_joints(s);
    double size = skeleton_size(s, is_joint);
    release(is_joint);
    for (uint32_t i = 0; i < s->skin_count; ++i) {
        const scene_skin *skin = &s->skins[i];
        matrix base = bind_space(s, skin, bases[i], size), from_joint;
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
    return pose;
}

static bool has_bind_pose(const scene *s)
{
    for (uint32_t i = 0; i < s->skin_count; ++i) {
        if (s->skins[i].has_bind_pose) return true;
    }
    return false;
}

/* Sets the ratio, and the sum of the products of matched bones: [our axis][their axis]. */
static void compare_bones(retargeting *r, double along[3][3])
{
    double our_length = 0, their_length = 0;
    memset(along, 0, 9 * sizeof along[0][0]);
    for (uint32_t i = 0; i < r->target->node_count; ++i) {
        if (!has_matched_bone(r, i)) continue;
        uint32_t source = r->source_of[i];
        vec3     ours = minus(position_of(&r->target_bind[i]),
                              position_of(&r->target_bind[r->target->nodes[i].parent]));
        vec3     theirs = minus(position_of(&r->source_bind[source]),
                                position_of(&r->source_bind[r->source->nodes[source].parent]));
        double   a[3] = { ours.x, ours.y, ours.z }, b[3] = { theirs.x, theirs.y, theirs.z };
        our_length += length_of(ours);
        their_length += length_of(theirs);
        for (int k = 0; k < 9; ++k) along[k / 3][k % 3] += a[k / 3] * b[k % 3];
    }
    r->ratio = our_length > 0 && their_length > 0 ? our_length / their_length : 1;
}

/* Files may face along any axis. Of the 24 rotations that map axes to axes, this takes the one that
   brings the bones of the source nearest to ours. A pose that differs, as arms that hang, does not
   tilt it. */
static void find_heading(retargeting *r, double along[3][3])
{
    double best = -HUGE_VAL;
    for (int way = 0; way < 48; ++way) {
        int    x = way / 16, y = (x + 1 + way / 8 % 2) % 3, z = 3 - x - y;
        matrix rotated;
        memset(&rotated, 0, sizeof rotated);
        rotated.m[0][x] = way & 1 ? -1 : 1;
        rotated.m[1][y] = way & 2 ? -1 : 1;
        rotated.m[2][z] = way & 4 ? -1 : 1;
        if (is_mirrored(&rotated)) continue;

        double fit = rotated.m[0][x] * along[0][x] + rotated.m[1][y] * along[1][y] +
                     rotated.m[2][z] * along[2][z];
        bool is_better = way == 0 || fit > best + 1e-6 * fabs(best);
        if (!is_better) continue;
        best = fit;
        get_rotation(&rotated, r->heading);
    }
}

/* Returns how far the lowest limb of the source is above the ground, as it is posed now. The soles
   are as far below the joints of the feet as in the canonical pose. */
static double source_clearance(const retargeting *r)
{
    const uint32_t *bones = r->source_bones;
    int    soles = bones[TOES] != NO_BONE && bones[TOES + RIGHT_SIDE] != NO_BONE ? TOES : FOOT;
    double ankle = 0, lowest = HUGE_VAL, floor = HUGE_VAL;
    for (int side = 0; side < SIDES; ++side) {
        for (int foot = FOOT; foot <= soles; foot += SIDES) {
            if (bones[foot + side] == NO_BONE) continue;
            double height = dot(position_of(&r->source_bind[bones[foot + side]]), r->source_up);
            double now = dot(position_of(&r->source->nodes[bones[foot + side]].world), r->source_up);
            floor = fmin(floor, height);
            lowest = fmin(lowest, now - height);
        }
    }
    if (!(lowest < HUGE_VAL)) return 0;

    /* Other limbs are about as thick as the ankles are high. They count if they are lower. */
    ankle = 0.1 * leg_length_of(r->source, bones, r->source_bind);
    for (uint32_t role = 0; role < FOOT; ++role) {
        if (bones[role] == NO_BONE) continue;
        double now = dot(position_of(&r->source->nodes[bones[role]].world), r->source_up);
        lowest = fmin(lowest, now - floor - ankle);
    }
    return lowest;
}

/* The canonical pose stands on the ground. If all animations are far above or below it, as if hips
   are at the height 0 in the bind pose, their lowest frame stands on the ground. */
static void find_floor(retargeting *r)
{
    const double far = 0.25;          /* of the legs */
    double       lowest = HUGE_VAL;
    for (uint32_t i = 0; i < r->source->anim_count; ++i) {
        const scene_anim *anim = &r->source->anims[i];
        for (int step = 0; step <= 30; ++step) {
            pose_scene(r->source, anim, anim->start + (anim->end - anim->start) * step / 30);
            lowest = fmin(lowest, source_clearance(r));
        }
    }
    double legs = leg_length_of(r->source, r->source_bones, r->source_bind);
    r->floor = fabs(lowest) > far * legs && lowest < HUGE_VAL ? lowest : 0;
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
        if (count == before) break;   /* no carrier is below what it carries */
    }
    release(is_listed);
    return order;
}

static void compare_skeletons(retargeting *r)
{
    double along[3][3];
    r->target_bind = list_bind_pose(r->target);
    r->source_bind = list_bind_pose(r->source);
    r->carriers = find_carriers(r->target, r->target_bones);
    r->order = list_carriers_first(r->target, r->carriers);
    if (r->how == SAME_NAMES) {
        compare_bones(r, along);
        find_heading(r, along);
        return;
    }

    mat3      target_axes, source_axes;
    uint32_t *carriers = find_carriers(r->source, r->source_bones);
    make_canonical(r->target, r->target_bones, r->carriers, r->target_bind, &target_axes);
    make_canonical(r->source, r->source_bones, carriers, r->source_bind, &source_axes);
    release(carriers);
    quaternion_of(times(transposed(target_axes), source_axes), r->heading);
    r->target_up = rotate_back(target_axes, make_vec3(0, 0, 1));
    r->source_up = rotate_back(source_axes, make_vec3(0, 0, 1));
    r->ratio = leg_length_of(r->target, r->target_bones, r->target_bind) /
               fmax(leg_length_of(r->source, r->source_bones, r->source_bind), 1e-30);
    find_floor(r);
}

/* -- Poses ------------------------------------------------------------------------------------- */

/* Sets the rotation of a joint in our world: that of the bind pose, then the rotation away from the
   bind pose of its match. */
static void get_taken_rotation(const retargeting *r, uint32_t node, double out[4])
{
    uint32_t source = r->source_of[node];
    double   away[4], back[4];
    get_rotation(&r->source->nodes[source].world, away);
    get_rotation(&r->source_bind[source], back);
    invert_rotation(back, back);
    multiply_quaternions(away, back, away);
    multiply_quaternions(r->heading, away, away);
    invert_rotation(r->heading, back);
    multiply_quaternions(away, back, away);
    get_rotation(&r->target_bind[node], back);
    multiply_quaternions(away, back, out);
}

static void get_local_position(const matrix *parent, const matrix *node, double out[3])
{
    const double position[3] = { node->m[0][3], node->m[1][3], node->m[2][3] };
    matrix       back;
    memcpy(out, position, sizeof position);
    if (parent && invert(parent, &back)) transform(&back, position, 1, out);
}

/* Sets the position of a joint relative to its parent: that of the bind pose, and as far away from it
   as the match is from its own, in proportion. */
static void get_taken_position(const retargeting *r, uint32_t node, double out[3])
{
    uint32_t      source = r->source_of[node], parent = r->source->nodes[source].parent;
    const scene_node *nodes = r->source->nodes;
    const matrix *now = parent == NO_INDEX ? NULL : &nodes[parent].world, *then = NULL;
    const double  zero[3] = { 0, 0, 0 }, one[3] = { 1, 1, 1 };
    const matrix  heading = compose(zero, r->heading, one);
    double        bind[3], move[3];
    if (now) then = &r->source_bind[parent];
    get_local_position(now, &nodes[source].world, move);
    get_local_position(then, &r->source_bind[source], bind);
    for (int k = 0; k < 3; ++k) move[k] = r->ratio * (move[k] - bind[k]);
    if (then) transform(then, move, 0, move);
    transform(&heading, move, 0, move);

    uint32_t      above = r->target->nodes[node].parent;
    const matrix *ours = above == NO_INDEX ? NULL : &r->target_bind[above];
    matrix        back;
    get_local_position(ours, &r->target_bind[node], out);
    if (ours && invert(ours, &back)) transform(&back, move, 0, move);
    for (int k = 0; k < 3; ++k) out[k] += move[k];
}

/* Sets the position of the hips relative to their parent. They move as far in the world as those of
   the source, in proportion; so they also take the movement of a root above them that our skeleton
   does not have. */
static void get_hip_position(const retargeting *r, const matrix *parent, double out[3])
{
    uint32_t node = r->target_bones[HIPS], source = r->source_bones[HIPS];
    vec3     bind = position_of(&r->source_bind[source]);
    vec3     now = position_of(&r->source->nodes[source].world);
    vec3     move = scaled(minus(now, bind), r->ratio);
    const double zero[3] = { 0, 0, 0 }, one[3] = { 1, 1, 1 };
    const matrix heading = compose(zero, r->heading, one);
    double       moved[3] = { move.x, move.y, move.z };
    matrix       placed = r->target_bind[node];
    transform(&heading, moved, 0, moved);
    for (int k = 0; k < 3; ++k) placed.m[k][3] += moved[k];
    get_local_position(parent, &placed, out);
}

/* The limbs of humanoids keep their lengths. */
static bool has_own_position(const retargeting *r, uint32_t node)
{
    if (r->how == SAME_NAMES || r->carriers[node] != r->target->nodes[node].parent) return true;
    return is_node_above(r->target, node, r->target_bones[HIPS]);
}

/* Whether a node gets tracks. */
static bool is_posed(const retargeting *r, uint32_t node)
{
    return is_taken(r, node) || r->carriers[node] != r->target->nodes[node].parent;
}

/* Sets the world transforms of our nodes while the source is posed and the target rests. */
static void take_pose(const retargeting *r, matrix *worlds)
{
    for (uint32_t i = 0; i < r->target->node_count; ++i) {
        uint32_t          node = r->order[i], carrier = r->carriers[node];
        const scene_node *n = &r->target->nodes[node];
        const matrix     *above = carrier == NO_INDEX ? NULL : &worlds[carrier];
        matrix            back, local = n->world;
        bool is_carried = above && invert(&r->target->nodes[carrier].world, &back);
        if (is_carried) local = multiply(&back, &n->world);
        if (is_taken(r, node)) {
            double rotation[4], inverse[4] = { 0, 0, 0, 1 }, position[3];
            for (int k = 0; k < 3; ++k) position[k] = local.m[k][3];
            get_taken_rotation(r, node, rotation);
            if (above) get_rotation(above, inverse);
            invert_rotation(inverse, inverse);
            multiply_quaternions(inverse, rotation, rotation);
            bool is_hips = r->how == HUMANOIDS && node == r->target_bones[HIPS];
            if (is_hips) get_hip_position(r, above, position);
            else if (has_own_position(r, node)) get_taken_position(r, node, position);
            local = compose(position, rotation, n->scale);
        }
        worlds[node] = above ? multiply(above, &local) : local;
    }
}

/* Sets the position and the rotation of a node relative to its parent. */
static void get_local(const retargeting *r, const matrix *worlds, uint32_t node, float position[3],
                      float rotation[4])
{
    uint32_t parent = r->target->nodes[node].parent;
    double   turn[4];
    matrix   back, local = worlds[node];
    bool     is_inside = parent != NO_INDEX && invert(&worlds[parent], &back);
    if (is_inside) local = multiply(&back, &local);
    get_rotation(&local, turn);
    for (int k = 0; k < 3; ++k) position[k] = (float)local.m[k][3];
    for (int k = 0; k < 4; ++k) rotation[k] = (float)turn[k];
}

/* -- Feet on the ground ------------------------------------------------------------------------ */

/* Returns the height of the lowest vertex of the target as it is posed now; HUGE_VAL if it has none. */
static double lowest_vertex(const retargeting *r, double *positions, double *normals)
{
    double lowest = HUGE_VAL;
    for (uint32_t i = 0; i < r->target->instance_count; ++i) {
        const scene_instance *in = &r->target->instances[i];
        pose_instance(r->target, in, positions, normals);
        for (size_t v = 0; v < in->part->vertex_count; ++v) {
            const double *p = positions + 3 * v;
            lowest = fmin(lowest, dot(make_vec3(p[0], p[1], p[2]), r->target_up));
        }
    }
    return lowest;
}

static scene_track *find_track(scene_anim *anim, uint32_t node, track_path path)
{
    for (uint32_t i = 0; i < anim->track_count; ++i) {
        scene_track *t = &anim->tracks[i];
        if (t->node == node && t->path == path) return t;
    }
    return NULL;
}

/* Adds a vector of the world to a key of a translation. */
static void move_key(const scene *s, scene_track *track, uint32_t key, vec3 move)
{
    uint32_t parent = s->nodes[track->node].parent;
    double   v[3] = { move.x, move.y, move.z };
    matrix   back;
    if (parent != NO_INDEX && invert(&s->nodes[parent].world, &back)) transform(&back, v, 0, v);
    for (size_t k = 0; k < 3; ++k) track->values[3 * (size_t)key + k] += (float)v[k];
}

/* Lifts or lowers each frame until the lowest vertex is as far above the ground as the lowest limb
   of the source, in proportion. The shift is the mean of three frames, so that the body does not
   jitter. */
static void stand_on_ground(retargeting *r, const scene_anim *from, scene_anim *to)
{
    scene       *s = r->target;
    scene_track *track = find_track(to, r->target_bones[HIPS], TRACK_TRANSLATION);
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
    double ground = lowest_vertex(r, positions, normals);
    for (uint32_t key = 0; key < track->key_count; ++key) {
        double time = (double)track->times[key];
        pose_scene(r->source, from, time);
        double clearance = r->ratio * (source_clearance(r) - r->floor);
        pose_scene(s, to, time);
        shifts[key] = ground + clearance - lowest_vertex(r, positions, normals);
    }
    pose_scene(s, NULL, 0);
    for (uint32_t key = 0; key < track->key_count; ++key) {
        uint32_t before = key > 0 ? key - 1 : key;
        uint32_t after = key + 1 < track->key_count ? key + 1 : key;
        double   shift = (shifts[before] + shifts[key] + shifts[after]) / 3;
        move_key(s, track, key, scaled(r->target_up, shift));
    }
    release(positions);
    release(normals);
    release(shifts);
}

/* -- In place ---------------------------------------------------------------------------------- */

static vec3 world_position(scene *s, const scene_anim *anim, double time, uint32_t node)
{
    pose_scene(s, anim, time);
    return position_of(&s->nodes[node].world);
}

static vec3 horizontal(vec3 v, vec3 up)
{
    return minus(v, scaled(up, dot(up, v)));
}

/* Returns the first track whose node moves as far from the first to the last key as any: that of the
   root. */
static scene_track *find_root_track(scene *s, scene_anim *anim, vec3 up)
{
    const double nearly = 0.9;
    scene_track *found = NULL;
    double       most = 0;
    for (uint32_t i = 0; i < s->node_count; ++i) {
        uint32_t     node = s->order[i];
        scene_track *track = find_track(anim, node, TRACK_TRANSLATION);
        if (!track) continue;
        vec3   first = world_position(s, anim, anim->start, node);
        vec3   last = world_position(s, anim, anim->end, node);
        double length = length_of(horizontal(minus(last, first), up));
        if (found && !(nearly * length > most)) continue;
        found = track;
        most = length;
    }
    return found;
}

/* The first frame is where the model rests, and so is the last one. */
void keep_in_place(const convert_request *request, scene *s, scene_anim *anim, const double up[3])
{
    const double little = 1;          /* unit of the output, too little to matter */
    double       length = anim->end - anim->start, unit = units_per_meter(request);
    vec3         upward = make_vec3(up[0], up[1], up[2]);
    scene_track *track = find_root_track(s, anim, upward);
    if (!track) return;

    uint32_t node = track->node, parent = s->nodes[node].parent;
    vec3     rest = world_position(s, NULL, 0, node);
    vec3     first = world_position(s, anim, anim->start, node);
    vec3     last = world_position(s, anim, anim->end, node);
    vec3     offset = horizontal(minus(rest, first), upward);
    vec3     drift = horizontal(minus(first, last), upward);
    bool     is_moved = (length_of(drift) + length_of(offset)) * unit > little;
    if (!is_moved) return;

    bool   is_curved = track->interpolation == CUBIC_KEYS;
    size_t rows = is_curved ? 3 : 1;
    for (uint32_t key = 0; key < track->key_count; ++key) {
        double time = (double)track->times[key];
        double part = length > 0 ? (time - anim->start) / length : 0;
        pose_scene(s, anim, time);
        for (size_t row = 0; row < rows; ++row) {
            /* The rows before and behind the value of a curve are slopes. */
            bool   is_slope = is_curved && row != 1;
            vec3   away = is_slope ? scaled(drift, 1 / length) : add(offset, scaled(drift, part));
            double v[3] = { away.x, away.y, away.z };
            matrix back;
            if (parent != NO_INDEX && invert(&s->nodes[parent].world, &back)) transform(&back, v, 0, v);
            float *value = track->values + 3 * (rows * key + row);
            for (int k = 0; k < 3; ++k) value[k] += (float)v[k];
        }
    }
    if (length_of(drift) * unit > little) {
        note("%s: root motion of %.0f units is removed%s", anim->name, length_of(drift) * unit,
             request->in_place ? "" : ": an MD2 has none");
    }
}

/* -- Animations -------------------------------------------------------------------------------- */

static void add_track(scene_anim *anim, uint32_t node, track_path path, uint32_t key_count)
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

/* Scales change in proportion to those at rest. Takes the tracks from the source. */
static void take_scales(retargeting *r, scene_anim *from, scene_anim *to)
{
    for (uint32_t i = 0; i < from->track_count; ++i) {
        scene_track *track = &from->tracks[i];
        uint32_t     node = r->target_of[track->node];
        if (node == NO_INDEX || track->path != TRACK_SCALE) continue;

        const double *ours = r->target->nodes[node].scale;
        const double *theirs = r->source->nodes[track->node].scale;
        size_t        rows = track->interpolation == CUBIC_KEYS ? 3 : 1;
        size_t        count = track->key_count * rows * 3;
        for (size_t k = 0; k < count; ++k) {
            double ratio = fabs(theirs[k % 3]) > 0 ? ours[k % 3] / theirs[k % 3] : 1;
            track->values[k] = (float)(ratio * (double)track->values[k]);
        }
        to->tracks[to->track_count] = *track;
        to->tracks[to->track_count++].node = node;
        track->times = track->values = NULL;
    }
}

static void move_anim(retargeting *r, scene_anim *from, scene_anim *to)
{
    scene   *s = r->target;
    double   fps = find_rate(from);
    uint32_t count = (uint32_t)fmin(floor((from->end - from->start) * fps + 0.5), 65535) + 1;
    matrix  *worlds = (matrix *)allocate(s->node_count, sizeof *worlds);
    size_t   room = 2 * (size_t)s->node_count + from->track_count;
    to->tracks = (scene_track *)allocate(room, sizeof *to->tracks);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        if (!is_posed(r, i)) continue;
        if (has_own_position(r, i)) add_track(to, i, TRACK_TRANSLATION, count);
        add_track(to, i, TRACK_ROTATION, count);
    }
    pose_scene(s, NULL, 0);
    for (uint32_t key = 0; key < count; ++key) {
        double time = fmin(from->start + key / fps, from->end);
        pose_scene(r->source, from, time);
        take_pose(r, worlds);
        for (uint32_t i = 0; i < to->track_count; ++i) {
            scene_track *t = &to->tracks[i];
            float        position[3], rotation[4];
            get_local(r, worlds, t->node, position, rotation);
            t->times[key] = (float)time;
            memcpy(t->values + (size_t)t->width * key, t->width == 4 ? rotation : position,
                   t->width * sizeof(float));
        }
    }
    if (r->how == HUMANOIDS) stand_on_ground(r, from, to);
    if (r->how == SAME_NAMES) take_scales(r, from, to);
    release(worlds);
}

/* -- Messages ---------------------------------------------------------------------------------- */

typedef struct name_list {            /* the first of some names, with commas */
    blob     text;
    uint32_t count;
} name_list;

static void list_name(name_list *l, const char *name, uint32_t most)
{
    if (l->count < most) put_format(&l->text, "%s%.60s", l->count > 0 ? ", " : "", name);
    ++l->count;
}

static const char *listed(name_list *l)
{
    put_byte(&l->text, 0);
    return (const char *)l->text.data;
}

/* Lists the arms and feet that `bones` lack and `other` has. */
static void note_missing_limbs(const char *path, const uint32_t bones[ROLE_COUNT],
                               const uint32_t other[ROLE_COUNT], const char *result)
{
    name_list list = { { NULL, 0, 0 }, 0 };
    bool      lacks_arms = true;
    for (uint32_t role = UPPER_ARM; role < THIGH; ++role) {
        if (bones[role] != NO_BONE || other[role] == NO_BONE) lacks_arms = false;
    }
    if (lacks_arms) list_name(&list, "arms", ROLE_COUNT);
    for (uint32_t role = UPPER_ARM; role < TOES; ++role) {
        bool is_listed = lacks_arms && role < THIGH;
        bool is_missing = bones[role] == NO_BONE && other[role] != NO_BONE;
        if (is_missing && !is_listed) list_name(&list, role_name(role), ROLE_COUNT);
    }
    if (list.count > 0) note("%s: not found: %s; %s", file_name(path), listed(&list), result);
    free_blob(&list.text);
}

static void note_humanoids(const retargeting *r)
{
    name_list   list = { { NULL, 0, 0 }, 0 };
    const char *target = file_name(r->target_path), *source = file_name(r->source_path);
    for (uint32_t role = 0; role < ROLE_COUNT; ++role) {
        uint32_t ours = r->target_bones[role], theirs = r->source_bones[role];
        char     pair[128];
        if (ours == NO_BONE || theirs == NO_BONE || r->source_of[ours] != theirs) continue;
        snprintf(pair, sizeof pair, "%.50s = %.50s", r->target->nodes[ours].name,
                 r->source->nodes[theirs].name);
        list_name(&list, pair, ROLE_COUNT);
    }
    note("%s: by limbs, since both are humanoids with different bones (%s = %s): %s", source, target,
         source, listed(&list));
    free_blob(&list.text);
    note_missing_limbs(r->target_path, r->target_bones, r->source_bones,
                       "what is there keeps its pose relative to the body");
    note_missing_limbs(r->source_path, r->source_bones, r->target_bones,
                       "the limbs of the model keep their pose there");
}

/* Joints of the target that the source lacks. */
static void note_missing_joints(const retargeting *r)
{
    enum { MOST = 8 };
    name_list list = { { NULL, 0, 0 }, 0 };
    for (uint32_t i = 0; i < r->target->node_count; ++i) {
        bool is_lacking = r->is_joint[i] && r->source_of[i] == NO_INDEX;
        if (is_lacking) list_name(&list, r->target->nodes[i].name, MOST);
    }
    if (list.count > 0) {
        note("%s has no %s%s: %s", file_name(r->source_path), listed(&list),
             list.count > MOST ? ", ..." : "",
             list.count > 1 ? "these joints stay as they rest" : "this joint stays as it rests");
    }
    free_blob(&list.text);
}

static void note_method(const retargeting *r)
{
    const char *target = file_name(r->target_path), *source = file_name(r->source_path);
    if (r->how == HUMANOIDS) {
        note_humanoids(r);
        return;
    }
    if (r->how == SAME_BONES) {
        note("%s: its bones are those of %s, so its animations are copied", source, target);
    } else {
        note("%s: by names: joints of %s rotate away from their bind pose as far as those of the same "
             "name; the bind pose of %s is %s", source, target, source,
             has_bind_pose(r->source) ? "in its skin"
             : "not in the file, so its rest pose is taken");
    }
    note_missing_joints(r);
}

static void list_missing_roles(name_list *list, const uint32_t bones[ROLE_COUNT])
{
    for (uint32_t role = 0; role < ROLE_COUNT; ++role) {
        bool is_missing = is_needed_role(role) && bones[role] == NO_BONE;
        if (is_missing) list_name(list, role_name(role), ROLE_COUNT);
    }
}

/* Reports what one of both lacks for a humanoid, and the names of some joints of both. */
static bool refuse(const retargeting *r)
{
    enum { MOST = 3 };
    name_list   ours = { { NULL, 0, 0 }, 0 }, theirs = ours, missing = ours;
    bool        is_target = !is_humanoid(r->target_bones);
    const char *path = is_target ? r->target_path : r->source_path;
    for (uint32_t i = 0; i < r->target->node_count; ++i) {
        bool is_joint = r->target->skin_count == 0 || r->is_joint[i];
        if (is_joint && has_joint_name(&r->target->nodes[i])) {
            list_name(&ours, r->target->nodes[i].name, MOST);
        }
    }
    for (uint32_t i = 0; i < r->source->node_count; ++i) {
        if (r->is_moved[i]) list_name(&theirs, r->source->nodes[i].name, MOST);
    }
    list_missing_roles(&missing, is_target ? r->target_bones : r->source_bones);
    fail(r->source_path, "it cannot move %s: %s is no humanoid, since no %s is found; and by names it moves "
         "%u of %u joints (%s has %s, %s has %s)", file_name(r->target_path), file_name(path),
         listed(&missing), (unsigned)r->moved_count, (unsigned)r->joint_count,
         file_name(r->target_path), ours.count > 0 ? listed(&ours) : "none",
         file_name(r->source_path), theirs.count > 0 ? listed(&theirs) : "none");
    free_blob(&ours.text);
    free_blob(&theirs.text);
    free_blob(&missing.text);
    return false;
}

/* -- All of it --------------------------------------------------------------------------------- */

/* Sets the method and the matches. False, and told, if there is none. */
static bool choose_method(retargeting *r)
{
    find_moved(r);
    r->is_joint = list_joints(r->target);
    find_scene_roles(r->target, r->target_bones);
    find_scene_roles(r->source, r->source_bones);
    match_all_names(r);
    count_matches(r);
    bool are_humanoids = is_humanoid(r->target_bones) && is_humanoid(r->source_bones);
    if (have_same_bones(r) && r->moved_count > 0) {
        r->how = SAME_BONES;
        return true;
    }
    if (are_humanoids) {
        r->how = HUMANOIDS;
        match_roles(r);
        count_matches(r);
    } else {
        r->how = SAME_NAMES;
        bool is_enough = 10 * (uint64_t)r->moved_count > r->joint_count &&
                         (count_matched_bones(r) > 0 || r->joint_count == 1);
        if (!is_enough) return refuse(r);
    }
    compare_skeletons(r);
    return true;
}

static void add_anims(retargeting *r)
{
    uint32_t    count = r->source->anim_count;
    scene      *s = r->target;
    scene_anim *anims = (scene_anim *)allocate((size_t)s->anim_count + count, sizeof *anims);
    bool        stays = r->request->in_place || has_extension(r->request->output, ".md2");
    bool        is_gltf = !has_extension(r->source_path, ".md2") && !has_extension(r->source_path, ".md5mesh");
    double      up[3] = { 0, 1, 0 };
    if (r->how == HUMANOIDS) {
        up[0] = r->target_up.x;
        up[1] = r->target_up.y;
        up[2] = r->target_up.z;
    }
    if (s->anim_count > 0) memcpy(anims, s->anims, s->anim_count * sizeof *anims);
    release(s->anims);
    s->anims = anims;
    for (uint32_t i = 0; i < count; ++i) {
        scene_anim *from = &r->source->anims[i], *to = &anims[s->anim_count];
        char       *stem = stem_of(r->source_path);

        /* A glTF file with one animation often has a better name than its animation. */
        to->name = name_source_anim(s, count == 1 && is_gltf ? stem : from->name, stem);
        to->start = from->start;
        to->end = from->end;
        if (r->how == SAME_BONES) copy_anim(r, from, to);
        else move_anim(r, from, to);
        if (stays) keep_in_place(r->request, s, to, up);
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
    r.target = target;
    r.source = source;
    r.target_path = target_path;
    r.source_path = source_path;
    r.source_of = no_indices(target->node_count);
    r.target_of = no_indices(source->node_count);
    bool is_good = source->anim_count > 0 || fail(source_path, "it has no animation");
    if (is_good) is_good = choose_method(&r);
    if (is_good) {
        note_method(&r);
        add_anims(&r);
    }
    release(r.source_of);
    release(r.target_of);
    release(r.is_joint);
    release(r.is_moved);
    release(r.target_bind);
    release(r.source_bind);
    release(r.carriers);
    release(r.order);
    return is_good;
}
