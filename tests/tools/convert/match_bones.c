/* match_bones.c - chooses the method of retargeting, and matches bones of the source with bones of the target. Public
   domain. */
#include "retarget.h"

#include <stdlib.h>
#include <string.h>

/* -- Names ------------------------------------------------------------------------------------- */

/* Returns the name without the prefix of its rig: "Hips" for "mixamorig:Hips", also for "mixamorig_Hips" (Godot) and
   "mixamorigHips" (three.js). */
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

bool has_joint_name(const scene_node *n)
{
    /* A mesh may have the name of the joint that moves it. */
    bool is_bound_mesh = n->mesh != NO_INDEX && n->skin != NO_INDEX;
    return n->name[0] && !is_bound_mesh;
}

static void match(retargeting *r, uint32_t target, uint32_t source)
{
    r->source_of[target] = source;
    r->target_of[source] = target;
}

/* Matches nodes whose names are equal. A node has at most one match. */
static void match_names(retargeting *r, const char *(*name_of)(const char *), bool is_exact)
{
    const scene *target = r->target.s, *source = r->source.s;
    name_table   table = { NULL, 0, 0, is_exact };
    for (uint32_t i = 0; i < target->node_count; ++i) {
        const scene_node *n = &target->nodes[i];
        bool is_free = has_joint_name(n) && r->source_of[i] == NO_INDEX;
        if (is_free) add_name(&table, name_of(n->name), i);
    }
    for (uint32_t i = 0; i < source->node_count; ++i) {
        const scene_node *n = &source->nodes[i];
        bool is_free = has_joint_name(n) && r->target_of[i] == NO_INDEX;
        const uint32_t *found = is_free ? find_name(&table, name_of(n->name)) : NULL;
        if (found && r->source_of[*found] == NO_INDEX) match(r, *found, i);
    }
    free_name_table(&table);
}

static void clear_matches(retargeting *r)
{
    for (uint32_t i = 0; i < r->target.s->node_count; ++i) r->source_of[i] = NO_INDEX;
    for (uint32_t i = 0; i < r->source.s->node_count; ++i) r->target_of[i] = NO_INDEX;
}

/* -- Joints ------------------------------------------------------------------------------------ */

bool *list_joints(const scene *s)
{
    bool *is_joint = (bool *)allocate(s->node_count, sizeof *is_joint);
    for (uint32_t i = 0; i < s->skin_count; ++i) {
        for (uint32_t k = 0; k < s->skins[i].joint_count; ++k) is_joint[s->skins[i].joints[k]] = true;
    }
    for (uint32_t i = 0; i < s->node_count && s->skin_count == 0; ++i) {
        is_joint[i] = has_joint_name(&s->nodes[i]);
    }
    return is_joint;
}

bool is_node_above(const scene *s, uint32_t above, uint32_t node)
{
    while (node != NO_INDEX && node != above) node = s->nodes[node].parent;
    return node == above;
}

static void find_moved_nodes(retargeting *r)
{
    const scene *s = r->source.s;
    r->is_moved = (bool *)allocate(s->node_count, sizeof *r->is_moved);
    for (uint32_t i = 0; i < s->anim_count; ++i) {
        for (uint32_t t = 0; t < s->anims[i].track_count; ++t) {
            const scene_track *track = &s->anims[i].tracks[t];
            if (track->path != TRACK_WEIGHTS) r->is_moved[track->node] = true;
        }
    }
}

bool is_match_moved(const retargeting *r, uint32_t node)
{
    return r->source_of[node] != NO_INDEX && r->is_moved[r->source_of[node]];
}

/* Counts the joints of the target, and the joints that the source moves. A node that the source moves becomes a
   joint. */
static void count_matches(retargeting *r)
{
    r->moved_count = r->joint_count = 0;
    for (uint32_t i = 0; i < r->target.s->node_count; ++i) {
        if (is_match_moved(r, i)) {
            r->target.is_joint[i] = true;
            ++r->moved_count;
        }
        if (r->target.is_joint[i]) ++r->joint_count;
    }
}

bool has_matched_bone(const retargeting *r, uint32_t node)
{
    const skeleton *t = &r->target;
    uint32_t        parent = t->s->nodes[node].parent, source = r->source_of[node];
    bool            is_bone = parent != NO_INDEX && t->is_joint[node] && t->is_joint[parent];
    return is_bone && source != NO_INDEX && r->source.s->nodes[source].parent != NO_INDEX;
}

static uint32_t count_matched_bones(const retargeting *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->target.s->node_count; ++i) {
        if (has_matched_bone(r, i)) ++count;
    }
    return count;
}

/* -- Same bones -------------------------------------------------------------------------------- */

double skeleton_size(const scene *s, const bool *is_joint)
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

/* Returns the number of bones of a scene, without the joints that count_matches adds. */
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

/* Returns true if the local rotations and positions of the source can be copied to the target: at least half of the
   bones are matched, and nine of ten matched bones have the same length and the same direction relative to their
   parents. */
static bool have_same_bones(const retargeting *r)
{
    const double most = 0.05;         /* of the size of the skeleton */
    scene       *target = r->target.s;
    uint32_t     count = count_matched_bones(r), alike = 0;
    uint32_t     target_bones = count_bones(target), source_bones = count_bones(r->source.s);
    uint32_t     fewer = source_bones < target_bones ? source_bones : target_bones;
    if (count == 0 || 2 * count < fewer || r->moved_count == 0) return false;

    pose_scene(target, NULL, 0);
    double size = skeleton_size(target, r->target.is_joint);
    for (uint32_t i = 0; i < target->node_count; ++i) {
        if (!has_matched_bone(r, i)) continue;
        const scene_node *ours = &target->nodes[i], *theirs = &r->source.s->nodes[r->source_of[i]];
        const double     *a = theirs->translation, *b = ours->translation;
        vec3              off = make_vec3(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        if (length_of(transformed(&target->nodes[ours->parent].world, off, 0)) <= most * size) ++alike;
    }
    return 10 * (uint64_t)alike >= 9 * (uint64_t)count;
}

/* -- Same names -------------------------------------------------------------------------------- */

/* Returns true if enough joints of the target are moved by the source: more than a tenth of the joints, and also a limb
   or most of the joints. The trunk is not enough, because animals also have hips and a head. */
static bool have_same_names(const retargeting *r)
{
    bool is_limb_moved = false;
    for (uint32_t i = 0; i < r->target.s->node_count; ++i) {
        bool is_limb = has_matched_bone(r, i) && !is_trunk_name(r->target.s->nodes[i].name);
        if (is_limb && is_match_moved(r, i)) is_limb_moved = true;
    }
    bool are_most_moved = 2 * (uint64_t)r->moved_count >= r->joint_count;
    bool are_bones = count_matched_bones(r) > 0 || r->joint_count == 1;
    return 10 * (uint64_t)r->moved_count > r->joint_count && are_bones && (is_limb_moved || are_most_moved);
}

/* -- Humanoids --------------------------------------------------------------------------------- */

/* Finds the nodes that have roles. A VRM lists the role of each bone, so the names of its nodes are ignored. */
static void find_scene_roles(skeleton *k)
{
    const scene *s = k->s;
    const char **names = (const char **)allocate(s->node_count, sizeof *names);
    uint32_t    *parents = (uint32_t *)allocate(s->node_count, sizeof *parents);
    bone_tree    tree = { s->node_count, names, parents, k->is_joint };
    for (uint32_t i = 0; i < s->node_count; ++i) {
        const scene_node *n = &s->nodes[i];
        names[i] = has_joint_name(n) ? n->name : "";
        if (s->has_human_bones) names[i] = n->human_bone ? n->human_bone : "";
        parents[i] = n->parent;
    }
    find_roles(&tree, k->bones);
    release(names);
    release(parents);
}

/* Returns true if a bone below a hand has the name of a finger. */
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

/* Matches fingers by their names. The names of other bones without a role are not compared, because head_2 is the
   hair of one character and the jaw of another. */
static void match_fingers(retargeting *r)
{
    const scene *target = r->target.s, *source = r->source.s;
    for (uint32_t i = 0; i < target->node_count; ++i) {
        uint32_t          node = target->order[i];
        const scene_node *n = &target->nodes[node];
        bool is_free = r->source_of[node] == NO_INDEX && n->parent != NO_INDEX && has_joint_name(n) &&
                       is_finger(n->name);
        if (!is_free) continue;

        uint32_t above = r->source_of[n->parent];
        for (uint32_t k = 0; above != NO_INDEX && k < source->node_count; ++k) {
            const scene_node *other = &source->nodes[k];
            bool is_same = other->parent == above && r->target_of[k] == NO_INDEX &&
                           strcmp(bare_name(other->name), bare_name(n->name)) == 0;
            if (!is_same) continue;
            match(r, node, k);
            break;
        }
    }
}

/* Returns true if both skeletons have the same tree: each joint has a match of the same name, and the parents of both
   match, too. Then helpers with the same name are the same part of the body. */
static bool is_same_tree(const retargeting *r)
{
    const skeleton *t = &r->target;
    for (uint32_t i = 0; i < t->s->node_count; ++i) {
        if (!t->is_joint[i]) continue;
        uint32_t source = r->source_of[i], parent = t->s->nodes[i].parent;
        if (source == NO_INDEX) return false;
        bool is_root = parent == NO_INDEX || !t->is_joint[parent];
        if (!is_root && r->source.s->nodes[source].parent != r->source_of[parent]) return false;
    }
    return true;
}

/* Matches the bones that have the same role. They count as moved, even if only an ancestor is animated. */
static void match_roles(retargeting *r)
{
    bool is_same = is_same_tree(r);
    clear_matches(r);
    for (uint32_t role = 0; role < ROLE_COUNT; ++role) {
        uint32_t target = r->target.bones[role], source = r->source.bones[role];
        bool     is_free = target != NO_BONE && source != NO_BONE && r->source_of[target] == NO_INDEX &&
                           r->target_of[source] == NO_INDEX;
        if (!is_free) continue;
        match(r, target, source);
        r->is_moved[source] = true;
    }
    match_fingers(r);
    if (is_same) match_names(r, whole_name, true);
}

/* -- The method -------------------------------------------------------------------------------- */

static void open_skeleton(skeleton *k)
{
    k->is_joint = list_joints(k->s);
    find_scene_roles(k);
}

bool match_bones(retargeting *r)
{
    uint32_t target_count = r->target.s->node_count, source_count = r->source.s->node_count;
    r->source_of = (uint32_t *)allocate(target_count, sizeof *r->source_of);
    r->target_of = (uint32_t *)allocate(source_count, sizeof *r->target_of);
    open_skeleton(&r->target);
    open_skeleton(&r->source);
    find_moved_nodes(r);
    clear_matches(r);
    match_names(r, whole_name, true);
    match_names(r, bare_name, false);
    count_matches(r);

    if (have_same_bones(r)) {
        r->method = SAME_BONES;
    } else if (is_humanoid(r->target.bones) && is_humanoid(r->source.bones)) {
        r->method = HUMANOIDS;
        match_roles(r);
        count_matches(r);
    } else {
        r->method = SAME_NAMES;
        return have_same_names(r) || refuse_source(r);
    }
    return true;
}

static void close_skeleton(skeleton *k)
{
    release(k->is_joint);
    release(k->carriers);
    release(k->bind);
}

void free_retargeting(retargeting *r)
{
    close_skeleton(&r->target);
    close_skeleton(&r->source);
    release(r->source_of);
    release(r->target_of);
    release(r->is_moved);
    release(r->order);
    release(r->rest);
}
