/* borrow_anims.c - animations of another file, on the bones of this one. Public domain.

   Joints are matched by their names. Where the bones of both are alike, all that moves theirs moves
   ours: the tracks are copied. Else each of our joints turns away from the bind pose as its match
   does, and moves as far in proportion to the skeletons; then ours keeps its own lengths and axes.
   The bind pose is that of a skin; a file without one has none but the pose in which it rests. */
#include "from_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct borrowing {
    const char *model, *path;
    scene      *ours, *theirs;
    uint32_t   *theirs_of;            /* [our node_count] of the same name; or NO_INDEX */
    uint32_t   *ours_of;              /* [their node_count] */
    bool       *is_joint;             /* [our node_count] */
    bool       *is_moved;             /* [their node_count] by any of their animations */
    uint32_t    moved_count;          /* of those that have a match */
    matrix     *our_bind, *their_bind; /* in the world */
    double      facing[4];            /* the turn from their world to ours */
    double      ratio;                /* of our bones' lengths to theirs */
} borrowing;

/* -- Turns ------------------------------------------------------------------------------------- */

static void turn_back(const double a[4], double out[4])
{
    double q[4] = { -a[0], -a[1], -a[2], a[3] };
    memcpy(out, q, sizeof q);
}

static void get_turn(const matrix *world, double turn[4])
{
    static const double none[4] = { 0, 0, 0, 1 };
    double              size, uneven;
    memcpy(turn, none, sizeof none);
    split_turn(world, turn, &size, &uneven);
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* -- Names ------------------------------------------------------------------------------------- */

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

/* A mesh may have the name of the joint that moves it. */
static bool has_joint_name(const scene_node *n)
{
    bool is_bound_mesh = n->mesh != NO_INDEX && n->skin != NO_INDEX;
    return n->name[0] && !is_bound_mesh;
}

/* Each with one at most. */
static void match_names(borrowing *b, const char *(*name_of)(const char *), bool is_exact)
{
    name_table table = { NULL, 0, 0, is_exact };
    for (uint32_t i = 0; i < b->ours->node_count; ++i) {
        const scene_node *n = &b->ours->nodes[i];
        bool is_free = has_joint_name(n) && b->theirs_of[i] == NO_INDEX;
        if (is_free) add_name(&table, name_of(n->name), i);
    }
    for (uint32_t i = 0; i < b->theirs->node_count; ++i) {
        const scene_node *n = &b->theirs->nodes[i];
        bool is_free = has_joint_name(n) && b->ours_of[i] == NO_INDEX;
        const uint32_t *ours = is_free ? find_name(&table, name_of(n->name)) : NULL;
        if (!ours || b->theirs_of[*ours] != NO_INDEX) continue;
        b->theirs_of[*ours] = i;
        b->ours_of[i] = *ours;
        if (b->is_moved[i]) ++b->moved_count;
    }
    free_name_table(&table);
}

static const char *whole_name(const char *name)
{
    return name;
}

static uint32_t *no_indices(uint32_t count)
{
    uint32_t *list = (uint32_t *)allocate(count, sizeof *list);
    for (uint32_t i = 0; i < count; ++i) list[i] = NO_INDEX;
    return list;
}

static void match_nodes(borrowing *b)
{
    const scene *theirs = b->theirs;
    b->theirs_of = no_indices(b->ours->node_count);
    b->ours_of = no_indices(theirs->node_count);
    b->is_moved = (bool *)allocate(theirs->node_count, sizeof *b->is_moved);
    for (uint32_t i = 0; i < theirs->anim_count; ++i) {
        for (uint32_t t = 0; t < theirs->anims[i].track_count; ++t) {
            const scene_track *track = &theirs->anims[i].tracks[t];
            if (track->path != TRACK_WEIGHTS) b->is_moved[track->node] = true;
        }
    }
    match_names(b, whole_name, true);
    match_names(b, bare_name, false);
}

static bool is_borrowed(const borrowing *b, uint32_t node)
{
    return b->theirs_of[node] != NO_INDEX && b->is_moved[b->theirs_of[node]];
}

/* Those of the skins, and what has a match that is moved. */
static void find_joints(borrowing *b)
{
    const scene *s = b->ours;
    b->is_joint = (bool *)allocate(s->node_count, sizeof *b->is_joint);
    for (uint32_t i = 0; i < s->skin_count; ++i) {
        for (uint32_t k = 0; k < s->skins[i].joint_count; ++k) {
            b->is_joint[s->skins[i].joints[k]] = true;
        }
    }
    for (uint32_t i = 0; i < s->node_count; ++i) {
        if (is_borrowed(b, i)) b->is_joint[i] = true;
    }
}

/* A bone goes from the parent to the joint, so hips have none: they may be anywhere. */
static bool has_matched_bone(const borrowing *b, uint32_t node)
{
    uint32_t parent = b->ours->nodes[node].parent, theirs = b->theirs_of[node];
    bool     is_bone = parent != NO_INDEX && b->is_joint[node] && b->is_joint[parent];
    return is_bone && theirs != NO_INDEX && b->theirs->nodes[theirs].parent != NO_INDEX;
}

/* -- Alike ------------------------------------------------------------------------------------- */

/* The diagonal of the box around the joints. */
static double skeleton_size(const scene *s, const bool *is_joint)
{
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    double diagonal[3];
    for (uint32_t i = 0; i < s->node_count; ++i) {
        for (int k = 0; k < 3 && is_joint[i]; ++k) {
            low[k] = fmin(low[k], s->nodes[i].world.m[k][3]);
            high[k] = fmax(high[k], s->nodes[i].world.m[k][3]);
        }
    }
    for (int k = 0; k < 3; ++k) diagonal[k] = fmax(high[k] - low[k], 0);
    return length_of(diagonal);
}

/* Nine in ten joints are as far from their parents, and in the same direction, as the parents have
   it: turns and places mean the same then. */
static bool are_alike(borrowing *b)
{
    const double most = 0.05;         /* of the size of the skeleton */
    uint32_t     count = 0, alike = 0;
    pose_scene(b->ours, NULL, 0);
    double size = skeleton_size(b->ours, b->is_joint);
    for (uint32_t i = 0; i < b->ours->node_count; ++i) {
        if (!has_matched_bone(b, i)) continue;

        const scene_node *ours = &b->ours->nodes[i], *theirs = &b->theirs->nodes[b->theirs_of[i]];
        double            off[3];
        for (int k = 0; k < 3; ++k) off[k] = theirs->translation[k] - ours->translation[k];
        transform(&b->ours->nodes[ours->parent].world, off, 0, off);
        if (length_of(off) <= most * size) ++alike;
        ++count;
    }
    return count > 0 && 10 * (uint64_t)alike >= 9 * (uint64_t)count;
}

/* Takes the tracks from theirs. */
static void copy_anim(borrowing *b, scene_anim *from, scene_anim *to)
{
    to->tracks = (scene_track *)allocate(from->track_count, sizeof *to->tracks);
    for (uint32_t i = 0; i < from->track_count; ++i) {
        scene_track *track = &from->tracks[i];
        uint32_t     ours = b->ours_of[track->node];
        if (ours == NO_INDEX || track->path == TRACK_WEIGHTS) continue;
        to->tracks[to->track_count] = *track;
        to->tracks[to->track_count++].node = ours;
        track->times = track->values = NULL;
    }
}

/* -- Bind poses -------------------------------------------------------------------------------- */

/* [skin_count] the node in whose axes its joints are bound: that of the mesh; where no mesh has the
   skin, what its first joint hangs on. */
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
        const matrix *rest = &s->nodes[skin->joints[k]].world;
        matrix        from_joint;
        double        off[3];
        if (!invert(&skin->to_joint[k], &from_joint)) continue;
        from_joint = multiply(base, &from_joint);
        for (int i = 0; i < 3; ++i) off[i] = from_joint.m[i][3] - rest->m[i][3];
        sum += length_of(off);
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

/* [node_count] in the world. What is in no skin hangs on its parent as it rests. */
static matrix *list_bind_pose(scene *s)
{
    matrix   *pose = (matrix *)allocate(s->node_count, sizeof *pose);
    bool     *is_bound = (bool *)allocate(s->node_count, sizeof *is_bound);
    uint32_t *bases = find_bases(s);
    pose_scene(s, NULL, 0);
    for (uint32_t i = 0; i < s->node_count; ++i) is_bound[i] = has_joint_name(&s->nodes[i]);
    double size = skeleton_size(s, is_bound);
    memset(is_bound, 0, s->node_count * sizeof *is_bound);
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
        bool hangs = n->parent != NO_INDEX && invert(&s->nodes[n->parent].world, &back);
        if (!hangs) continue;
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

static void get_bone(const matrix *pose, uint32_t node, uint32_t parent, double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = pose[node].m[k][3] - pose[parent].m[k][3];
}

/* Sets the ratio, and how our bones go along with theirs: [our axis][their axis]. */
static void compare_bones(borrowing *b, double along[3][3])
{
    double our_length = 0, their_length = 0;
    memset(along, 0, 9 * sizeof along[0][0]);
    for (uint32_t i = 0; i < b->ours->node_count; ++i) {
        uint32_t match = b->theirs_of[i];
        double   ours[3], theirs[3];
        if (!has_matched_bone(b, i)) continue;

        get_bone(b->our_bind, i, b->ours->nodes[i].parent, ours);
        get_bone(b->their_bind, match, b->theirs->nodes[match].parent, theirs);
        our_length += length_of(ours);
        their_length += length_of(theirs);
        for (int k = 0; k < 9; ++k) along[k / 3][k % 3] += ours[k / 3] * theirs[k % 3];
    }
    b->ratio = our_length > 0 && their_length > 0 ? our_length / their_length : 1;
}

/* Files face along any axis. Of the 24 ways to turn the axes into each other, the one that brings
   their bones nearest to ours; a pose that differs, as arms that hang, does not tilt it. */
static void set_facing(borrowing *b, double along[3][3])
{
    double best = -HUGE_VAL;
    for (int way = 0; way < 48; ++way) {
        int    x = way / 16, y = (x + 1 + way / 8 % 2) % 3, z = 3 - x - y;
        matrix turned;
        memset(&turned, 0, sizeof turned);
        turned.m[0][x] = way & 1 ? -1 : 1;
        turned.m[1][y] = way & 2 ? -1 : 1;
        turned.m[2][z] = way & 4 ? -1 : 1;
        if (is_mirrored(&turned)) continue;

        double fit = turned.m[0][x] * along[0][x] + turned.m[1][y] * along[1][y] +
                     turned.m[2][z] * along[2][z];
        bool is_better = way == 0 || fit > best + 1e-6 * fabs(best);
        if (!is_better) continue;
        best = fit;
        get_turn(&turned, b->facing);
    }
}

/* -- Unlike ------------------------------------------------------------------------------------ */

/* Their turn away from their bind pose, in our world, behind that of our bind pose. */
static void get_borrowed_turn(const borrowing *b, uint32_t node, double out[4])
{
    uint32_t match = b->theirs_of[node];
    double   away[4], back[4];
    get_turn(&b->theirs->nodes[match].world, away);
    get_turn(&b->their_bind[match], back);
    turn_back(back, back);
    multiply_turns(away, back, away);
    multiply_turns(b->facing, away, away);
    turn_back(b->facing, back);
    multiply_turns(away, back, away);
    get_turn(&b->our_bind[node], back);
    multiply_turns(away, back, out);
}

/* The place of a node as its parent has it. */
static void get_local_place(const matrix *parent, const matrix *node, double out[3])
{
    const double place[3] = { node->m[0][3], node->m[1][3], node->m[2][3] };
    matrix       back;
    memcpy(out, place, sizeof place);
    if (parent && invert(parent, &back)) transform(&back, place, 1, out);
}

/* Our place in the bind pose, and as far from it as theirs is, in proportion. */
static void get_borrowed_place(const borrowing *b, uint32_t node, double out[3])
{
    uint32_t      match = b->theirs_of[node], parent = b->theirs->nodes[match].parent;
    const scene_node *nodes = b->theirs->nodes;
    const matrix *now = parent == NO_INDEX ? NULL : &nodes[parent].world, *then = NULL;
    const double  zero[3] = { 0, 0, 0 }, one[3] = { 1, 1, 1 };
    const matrix  turned = compose(zero, b->facing, one);
    double        place[3], move[3];
    if (now) then = &b->their_bind[parent];
    get_local_place(now, &nodes[match].world, move);
    get_local_place(then, &b->their_bind[match], place);
    for (int k = 0; k < 3; ++k) move[k] = b->ratio * (move[k] - place[k]);
    if (then) transform(then, move, 0, move);
    transform(&turned, move, 0, move);

    uint32_t      above = b->ours->nodes[node].parent;
    const matrix *ours = above == NO_INDEX ? NULL : &b->our_bind[above];
    matrix        back;
    get_local_place(ours, &b->our_bind[node], out);
    if (ours && invert(ours, &back)) transform(&back, move, 0, move);
    for (int k = 0; k < 3; ++k) out[k] += move[k];
}

/* The local places and turns of our nodes, with theirs posed now. `turns` are those in the world,
   parents first. */
static void borrow_pose(const borrowing *b, double (*turns)[4], float *places, float *locals)
{
    for (uint32_t i = 0; i < b->ours->node_count; ++i) {
        uint32_t          node = b->ours->order[i];
        const scene_node *n = &b->ours->nodes[node];
        double            above[4] = { 0, 0, 0, 1 }, local[4], place[3];
        if (n->parent != NO_INDEX) memcpy(above, turns[n->parent], sizeof above);
        if (!is_borrowed(b, node)) {
            multiply_turns(above, n->rotation, turns[node]);
            continue;
        }
        get_borrowed_turn(b, node, turns[node]);
        get_borrowed_place(b, node, place);
        turn_back(above, above);
        multiply_turns(above, turns[node], local);
        for (size_t k = 0; k < 3; ++k) places[3 * (size_t)node + k] = (float)place[k];
        for (size_t k = 0; k < 4; ++k) locals[4 * (size_t)node + k] = (float)local[k];
    }
}

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

/* Sizes are in proportion to those at rest. */
static void take_sizes(borrowing *b, scene_anim *from, scene_anim *to)
{
    for (uint32_t i = 0; i < from->track_count; ++i) {
        scene_track *track = &from->tracks[i];
        uint32_t     node = b->ours_of[track->node];
        if (node == NO_INDEX || track->path != TRACK_SCALE) continue;

        const double *ours = b->ours->nodes[node].scale;
        const double *theirs = b->theirs->nodes[track->node].scale;
        size_t        values = track->interpolation == CUBIC_KEYS ? 9 : 3;
        size_t        count = track->key_count * values;
        for (size_t k = 0; k < count; ++k) {
            double share = fabs(theirs[k % 3]) > 0 ? ours[k % 3] / theirs[k % 3] : 1;
            track->values[k] = (float)(share * (double)track->values[k]);
        }
        to->tracks[to->track_count] = *track;
        to->tracks[to->track_count++].node = node;
        track->times = track->values = NULL;
    }
}

static void move_anim(borrowing *b, scene_anim *from, scene_anim *to)
{
    scene   *ours = b->ours;
    double   fps = find_rate(from);
    uint32_t count = (uint32_t)fmin(floor((from->end - from->start) * fps + 0.5), 65535) + 1;
    double (*turns)[4] = (double (*)[4])allocate(ours->node_count, sizeof *turns);
    float   *places = (float *)allocate(ours->node_count, 3 * sizeof(float));
    float   *locals = (float *)allocate(ours->node_count, 4 * sizeof(float));
    size_t   room = 2 * (size_t)b->moved_count + from->track_count;
    to->tracks = (scene_track *)allocate(room, sizeof *to->tracks);
    for (uint32_t i = 0; i < ours->node_count; ++i) {
        if (!is_borrowed(b, i)) continue;
        add_track(to, i, TRACK_TRANSLATION, count);
        add_track(to, i, TRACK_ROTATION, count);
    }
    for (uint32_t key = 0; key < count; ++key) {
        double time = fmin(from->start + key / fps, from->end);
        pose_scene(b->theirs, from, time);
        borrow_pose(b, turns, places, locals);
        for (uint32_t i = 0; i < to->track_count; ++i) {
            scene_track *t = &to->tracks[i];
            const float *row = (t->width == 4 ? locals : places) + (size_t)t->width * t->node;
            t->times[key] = (float)time;
            memcpy(t->values + (size_t)t->width * key, row, t->width * sizeof(float));
        }
    }
    take_sizes(b, from, to);
    release(turns);
    release(places);
    release(locals);
}

/* -- What is told ------------------------------------------------------------------------------ */

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

/* Joints of ours that the other file lacks. */
static void note_lacking(const borrowing *b)
{
    enum { MOST = 8 };
    name_list list = { { NULL, 0, 0 }, 0 };
    for (uint32_t i = 0; i < b->ours->node_count; ++i) {
        bool is_lacking = b->is_joint[i] && b->theirs_of[i] == NO_INDEX;
        if (is_lacking) list_name(&list, b->ours->nodes[i].name, MOST);
    }
    if (list.count > 0) {
        note("%s has no %s%s: %s", file_name(b->path), listed(&list),
             list.count > MOST ? ", ..." : "",
             list.count > 1 ? "these joints stay as they rest" : "this joint stays as it rests");
    }
    free_blob(&list.text);
}

static bool refuse_names(const borrowing *b)
{
    enum { MOST = 3 };
    name_list ours = { { NULL, 0, 0 }, 0 }, theirs = ours;
    for (uint32_t i = 0; i < b->ours->node_count; ++i) {
        bool is_joint = b->ours->skin_count == 0 || b->is_joint[i];
        if (is_joint && has_joint_name(&b->ours->nodes[i])) list_name(&ours, b->ours->nodes[i].name, MOST);
    }
    for (uint32_t i = 0; i < b->theirs->node_count; ++i) {
        if (b->is_moved[i]) list_name(&theirs, b->theirs->nodes[i].name, MOST);
    }
    fail(b->path, "no joint that it moves has a name of %s: there are %s there, and here %s",
         file_name(b->model), ours.count > 0 ? listed(&ours) : "none",
         theirs.count > 0 ? listed(&theirs) : "none");
    free_blob(&ours.text);
    free_blob(&theirs.text);
    return false;
}

/* -- All of it --------------------------------------------------------------------------------- */

static void compare_skeletons(borrowing *b)
{
    double along[3][3];
    b->our_bind = list_bind_pose(b->ours);
    b->their_bind = list_bind_pose(b->theirs);
    compare_bones(b, along);
    set_facing(b, along);
}

static void add_borrowed(borrowing *b)
{
    const char *name = file_name(b->path), *model = file_name(b->model);
    bool        is_alike = are_alike(b);
    uint32_t    count = b->theirs->anim_count;
    scene      *s = b->ours;
    scene_anim *anims = (scene_anim *)allocate((size_t)s->anim_count + count, sizeof *anims);
    if (s->anim_count > 0) memcpy(anims, s->anims, s->anim_count * sizeof *anims);
    release(s->anims);
    s->anims = anims;

    if (is_alike) {
        note("%s: its bones are those of %s, so its animations are copied as they are", name, model);
    } else {
        compare_skeletons(b);
        note("%s: its bones are not those of %s, so joints turn as far away from the bind pose as "
             "in it; %s", name, model, has_bind_pose(b->theirs) ? "its skin tells that pose"
             : "without a skin that is how it rests, and limbs are wrong if it rests otherwise");
    }
    note_lacking(b);
    for (uint32_t i = 0; i < count; ++i) {
        scene_anim *from = &b->theirs->anims[i], *to = &anims[s->anim_count++];
        /* Of a file with one animation its name tells more. */
        to->name = count == 1 ? stem_of(b->path) : from->name;
        to->start = from->start;
        to->end = from->end;
        if (count > 1) from->name = NULL;
        if (is_alike) copy_anim(b, from, to);
        else move_anim(b, from, to);
    }
}

bool borrow_anims(const job *j, scene *s, const char *path)
{
    borrowing b;
    memset(&b, 0, sizeof b);
    b.model = j->model;
    b.path = path;
    b.ours = s;
    b.theirs = read_scene(path, false);
    if (!b.theirs) return false;

    match_nodes(&b);
    find_joints(&b);
    bool is_good = true;
    if (b.theirs->anim_count == 0) is_good = fail(path, "it has no animation");
    else if (b.moved_count == 0) is_good = refuse_names(&b);
    if (is_good) add_borrowed(&b);
    release(b.theirs_of);
    release(b.ours_of);
    release(b.is_joint);
    release(b.is_moved);
    release(b.our_bind);
    release(b.their_bind);
    free_scene(b.theirs);
    return is_good;
}
