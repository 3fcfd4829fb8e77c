/* scene_to_md5.c - converts glTF to MD5: nodes become joints. Public domain.

   All numbers are in the axes and units of the output: see to_output. */
#include "mdconvert.h"
#include "from_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- The axes of the output -------------------------------------------------------------------- */

/* Converts a transform to the axes and units of the output. glTF has Z forward, X left and Y up, in meters: (x, y, z)
   becomes (z, x, y) * scale. */
static matrix to_output(const matrix *a, double scale)
{
    matrix out;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) out.m[row][k] = a->m[(row + 2) % 3][(k + 2) % 3];
        out.m[row][3] = a->m[(row + 2) % 3][3] * scale;
    }
    return out;
}

/* Rounds a quaternion for the file. An MD5 stores only x, y and z, and readers compute w from them. Near a rotation by
   180 degrees, w is near 0, and rounding x, y and z to floats would change the rotation by up to 0.02 degrees. So the
   last digits of x, y and z, the largest first, are changed until the computed w is right. Then x, y and z are rounded
   to ten decimals, so that readers with floats and readers with doubles get the same rotation. */
static void round_rotation(double q[4])
{
    const double near_half = 0.02, least = 0.001;
    double       wanted = 1 - q[3] * q[3];
    bool         is_exact = fabs(q[3]) > near_half, is_done[3] = { false, false, false };
    for (int k = 0; k < 3; ++k) q[k] = (double)(float)q[k];
    for (int i = 0; i < 3 && !is_exact; ++i) {
        int largest = -1;
        for (int k = 0; k < 3; ++k) {
            if (!is_done[k] && (largest < 0 || fabs(q[k]) > fabs(q[largest]))) largest = k;
        }
        is_done[largest] = true;
        if (fabs(q[largest]) < least) break;
        double rest = wanted - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        q[largest] = (double)(float)(q[largest] + rest / (2 * q[largest]));
    }
    for (int k = 0; k < 3 && !is_exact; ++k) q[k] = floor(q[k] * 1e10 + 0.5) / 1e10;
}

/* -- The skeleton ------------------------------------------------------------------------------ */

/* A joint has a position and a rotation, and in an .md5scale also a size (a uniform scale). A node of glTF may also be
   stretched or sheared. If a node is stretched or sheared in the rest pose, the positions of its weights are stretched
   instead of the joint: `from_node` converts a vector from the axes of the node to the axes of the joint, and `to_node`
   converts it back.

   If an animation stretches or shears the node, its joint gets three children, one for each axis. A vertex of the joint
   is attached to all three children. Each child gets a third of the weight. Its weight position is three times the
   coordinate along its axis, and 0 along the other two axes. In each frame, the child rotates its axis to the direction
   of the node's axis, and its size is the length of the node's axis. */
typedef struct bone {
    uint32_t   node;
    int32_t    parent;                /* index of a joint; -1 = root */
    int        axis;                  /* 0 to 2 for a child that stretches an axis, otherwise -1 */
    uint32_t   axes;                  /* first of its three children that stretch an axis; NO_INDEX = none */
    bool       is_used;               /* has weights */
    matrix     from_node, to_node;
    rigid_pose rest;
    double     uneven;                /* largest `uneven` of split_rotation in any sampled frame */
    double     reach;                 /* distance of the farthest weight */
    matrix     world;                 /* world transform of the node in the previous pose */
    bool       is_still;              /* the joint and its ancestors have the same pose as before */
} bone;

typedef struct joint_pose {
    rigid_pose transform;             /* in model space */
    double     size;                  /* scale of the weights */
} joint_pose;

typedef struct skeleton {
    scene     *s;
    double     scale;                 /* units per meter */
    bone      *joints;
    uint32_t   count, node_count;     /* joints from node_count on stretch an axis */
    uint32_t  *joint_of;              /* [s->node_count] joint of the node, or of its nearest ancestor that has a
                                         joint; NO_INDEX = none */
    bool       is_rounded;            /* positions are multiples of a millionth */
} skeleton;

static double round_position(const skeleton *k, double x)
{
    return k->is_rounded ? round_to_millionths(x) : (double)(float)x;
}

static void round_pose(const skeleton *k, rigid_pose *r)
{
    for (int axis = 0; axis < 3; ++axis) r->position[axis] = round_position(k, r->position[axis]);
    round_rotation(r->rotation);
}

/* Decides whether positions are rounded. In a model that is smaller than one unit, rounding to millionths would be
   visible. */
static void choose_rounding(skeleton *k)
{
    double size = 0;
    for (uint32_t i = 0; i < k->s->instance_count; ++i) {
        const scene_instance *in = &k->s->instances[i];
        double *positions = (double *)allocate(2 * (size_t)in->part->vertex_count, 3 * sizeof(double));
        pose_instance(k->s, in, positions, positions + 3 * (size_t)in->part->vertex_count);
        for (size_t v = 0; v < 3 * (size_t)in->part->vertex_count; ++v) {
            size = fmax(size, fabs(positions[v]) * k->scale);
        }
        release(positions);
    }
    k->is_rounded = size >= 1;
}

/* Makes a joint for each node that moves vertices or is animated. */
static void find_joints(skeleton *k)
{
    scene *s = k->s;
    bool  *is_joint = (bool *)allocate(s->node_count, sizeof *is_joint);
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        const scene_instance *in = &s->instances[i];
        bool follows_node = !in->skin;
        for (uint32_t v = 0; in->skin && v < in->part->vertex_count; ++v) {
            if (!has_weights(in->part, v)) follows_node = true;
        }
        if (follows_node) is_joint[in->node] = true;
        for (uint32_t j = 0; in->skin && j < in->skin->joint_count; ++j) {
            is_joint[in->skin->joints[j]] = true;
        }
    }
    for (uint32_t i = 0; i < s->anim_count; ++i) {
        for (uint32_t t = 0; t < s->anims[i].track_count; ++t) {
            const scene_track *track = &s->anims[i].tracks[t];
            bool moves_node = track->path != TRACK_WEIGHTS && s->nodes[track->node].is_shown;
            if (moves_node) is_joint[track->node] = true;
        }
    }

    /* Allocate room for three children of each joint: see add_axes. */
    k->joints = (bone *)allocate(4 * (size_t)s->node_count, sizeof *k->joints);
    k->joint_of = (uint32_t *)allocate(s->node_count, sizeof *k->joint_of);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        uint32_t node = s->order[i], parent = s->nodes[node].parent;
        uint32_t above = parent == NO_INDEX ? NO_INDEX : k->joint_of[parent];
        k->joint_of[node] = is_joint[node] ? k->count : above;
        if (!is_joint[node]) continue;
        k->joints[k->count].node = node;
        k->joints[k->count].axis = -1;
        k->joints[k->count].axes = NO_INDEX;
        k->joints[k->count++].parent = above == NO_INDEX ? -1 : (int32_t)above;
    }
    release(is_joint);
    k->node_count = k->count;
}

static void find_used_joints(skeleton *k)
{
    influence list[MAX_SCENE_INFLUENCES];
    for (uint32_t i = 0; i < k->s->instance_count; ++i) {
        const scene_instance *in = &k->s->instances[i];
        for (uint32_t v = 0; v < in->part->vertex_count; ++v) {
            uint32_t count = list_vertex_influences(in, v, list);
            for (uint32_t w = 0; w < count; ++w) {
                k->joints[k->joint_of[list[w].node]].is_used = true;
            }
        }
    }
}

static matrix node_matrix(const skeleton *k, const bone *j)
{
    return to_output(&k->s->nodes[j->node].world, k->scale);
}

static int compare_times(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

/* Returns the times of all scale keys in ascending order, without duplicates. */
static float *list_size_times(const scene_anim *anim, uint32_t *count)
{
    size_t room = 0, listed = 0;
    for (uint32_t t = 0; t < anim->track_count; ++t) {
        if (anim->tracks[t].path == TRACK_SCALE) room += anim->tracks[t].key_count;
    }
    float *times = (float *)allocate(room, sizeof *times);
    for (uint32_t t = 0; t < anim->track_count; ++t) {
        const scene_track *track = &anim->tracks[t];
        if (track->path != TRACK_SCALE) continue;
        memcpy(times + listed, track->times, track->key_count * sizeof *times);
        listed += track->key_count;
    }
    qsort(times, listed, sizeof *times, compare_times);
    *count = 0;
    for (size_t i = 0; i < listed; ++i) {
        bool is_new = *count == 0 || times[i] > times[*count - 1];
        if (is_new) times[(*count)++] = times[i];
    }
    return times;
}

/* Finds a matrix of each node in which the node is not scaled to zero. This is the matrix at rest, unless a scale key
   makes the volume of the node more than 10^6 times as large. Then it is the matrix at the key with the largest
   volume. */
static void find_largest_matrices(skeleton *k, matrix *largest)
{
    double *volumes = (double *)allocate(k->count, sizeof *volumes);
    for (uint32_t i = 0; i < k->count; ++i) {
        largest[i] = node_matrix(k, &k->joints[i]);
        /* 10^6 times the volume is a hundred times the length. */
        volumes[i] = 1e6 * fabs(determinant(&largest[i]));
    }
    for (uint32_t a = 0; a < k->s->anim_count; ++a) {
        uint32_t time_count;
        float   *times = list_size_times(&k->s->anims[a], &time_count);
        for (uint32_t t = 0; t < time_count; ++t) {
            pose_scene(k->s, &k->s->anims[a], (double)times[t]);
            for (uint32_t i = 0; i < k->count; ++i) {
                matrix moved = node_matrix(k, &k->joints[i]);
                if (!(fabs(determinant(&moved)) > volumes[i])) continue;
                volumes[i] = fabs(determinant(&moved));
                largest[i] = moved;
            }
        }
        release(times);
    }
    release(volumes);
}

/* Returns true if any node is scaled to zero in the current pose. */
static bool is_any_scaled_to_zero(skeleton *k)
{
    for (uint32_t i = 0; i < k->count; ++i) {
        matrix m = node_matrix(k, &k->joints[i]), inverse;
        if (!invert(&m, &inverse) || largest_number(&m) < 1e-3) return true;
    }
    return false;
}

static void copy_parent_rotation(const skeleton *k, const bone *j, double rotation[4])
{
    static const double none[4] = { 0, 0, 0, 1 };
    memcpy(rotation, j->parent < 0 ? none : k->joints[j->parent].rest.rotation, sizeof none);
}

static void set_rest(skeleton *k)
{
    matrix *largest = (matrix *)allocate(k->count, sizeof *largest);
    pose_scene(k->s, NULL, 0);
    choose_rounding(k);
    if (is_any_scaled_to_zero(k)) find_largest_matrices(k, largest);
    else for (uint32_t i = 0; i < k->count; ++i) largest[i] = node_matrix(k, &k->joints[i]);

    pose_scene(k->s, NULL, 0);
    for (uint32_t i = 0; i < k->count; ++i) {
        bone  *j = &k->joints[i];
        matrix at_rest = node_matrix(k, j), inverse;
        double size, uneven;
        if (!split_rotation(&largest[i], j->rest.rotation, &size, &uneven)) {
            copy_parent_rotation(k, j, j->rest.rotation);
        }
        for (int row = 0; row < 3; ++row) j->rest.position[row] = at_rest.m[row][3];
        round_pose(k, &j->rest);

        rigid_pose only_rotation = j->rest;
        memset(only_rotation.position, 0, sizeof only_rotation.position);
        matrix rotation = rigid_matrix(&only_rotation), back = rotation;
        invert(&rotation, &back);
        for (int row = 0; row < 3; ++row) largest[i].m[row][3] = 0;
        j->from_node = multiply(&back, &largest[i]);
        if (invert(&largest[i], &inverse)) j->to_node = multiply(&inverse, &rotation);
        else memset(&j->to_node, 0, sizeof j->to_node);
    }
    release(largest);
}

/* Returns the transform of the joint's weights in the current pose: the transform of the node, applied to vectors in
   the axes of the joint. */
static matrix get_weight_transform(const skeleton *k, const bone *j)
{
    matrix node = node_matrix(k, j);
    return multiply(&node, &j->to_node);
}

/* Poses a joint. A joint of size 0 gets the rotation of its parent; a root of size 0 gets its rest rotation. */
static void pose_joint(skeleton *k, bone *j, const joint_pose *poses, joint_pose *pose)
{
    matrix moved = get_weight_transform(k, j);
    double uneven;
    for (int row = 0; row < 3; ++row) pose->transform.position[row] = moved.m[row][3];
    if (!split_rotation(&moved, pose->transform.rotation, &pose->size, &uneven)) {
        const double *above = j->parent < 0 ? j->rest.rotation : poses[j->parent].transform.rotation;
        memcpy(pose->transform.rotation, above, sizeof pose->transform.rotation);
        pose->size = 0;
        uneven = largest_number(&moved);
    }
    if (pose->size < 0) uneven = fmax(uneven, -pose->size); /* The node is mirrored; a joint cannot be. */
    pose->size = fabs(pose->size);
    j->uneven = fmax(j->uneven, uneven);
}

/* Computes a rotation followed by the shortest rotation from one unit vector to another. */
static void rotate_toward(const double from[3], const double to[3], const double rotation[4],
                          double out[4])
{
    double cosine = 0, q[4];
    for (int k = 0; k < 3; ++k) cosine += from[k] * to[k];
    for (int k = 0; k < 3; ++k) {
        q[k] = from[(k + 1) % 3] * to[(k + 2) % 3] - from[(k + 2) % 3] * to[(k + 1) % 3];
    }
    q[3] = 1 + cosine;
    if (q[3] < 1e-9) {                /* The vectors are opposite: rotate about any perpendicular axis. */
        int least = fabs(from[0]) < fabs(from[1]) ? 0 : 1;
        if (fabs(from[2]) < fabs(from[least])) least = 2;
        double axis[3] = { 0, 0, 0 };
        axis[least] = 1;
        for (int k = 0; k < 3; ++k) {
            q[k] = from[(k + 1) % 3] * axis[(k + 2) % 3] - from[(k + 2) % 3] * axis[(k + 1) % 3];
        }
        q[3] = 0;
    }
    normalize_quaternion(q);
    multiply_quaternions(q, rotation, out);
}

/* Poses a joint that stretches an axis. `own` is the pose of its parent, the joint that is stretched. */
static void pose_axis(const skeleton *k, const bone *j, const joint_pose *own, joint_pose *pose)
{
    const double zero[3] = { 0, 0, 0 }, one[3] = { 1, 1, 1 };
    matrix       moved = get_weight_transform(k, j), rotated = compose(zero, own->transform.rotation, one);
    double       from[3], to[3], length = 0;
    *pose = *own;
    for (int row = 0; row < 3; ++row) from[row] = rotated.m[row][j->axis];
    for (int row = 0; row < 3; ++row) to[row] = moved.m[row][j->axis];
    for (int row = 0; row < 3; ++row) length += to[row] * to[row];
    pose->size = sqrt(length);
    if (!(pose->size > 1e-9)) return;
    for (int row = 0; row < 3; ++row) to[row] /= pose->size;
    rotate_toward(from, to, own->transform.rotation, pose->transform.rotation);
}

/* Poses all joints for the current pose of the scene. `poses` must contain the previous pose, unless `is_first` is
   true. */
static void pose_joints(skeleton *k, joint_pose *poses, bool is_first)
{
    for (uint32_t i = 0; i < k->count; ++i) {
        bone         *j = &k->joints[i];
        const matrix *world = &k->s->nodes[j->node].world;
        bool          is_same = memcmp(world, &j->world, sizeof *world) == 0;
        j->is_still = !is_first && is_same && (j->parent < 0 || k->joints[j->parent].is_still);
        j->world = *world;
        if (j->is_still) continue;
        if (j->axis < 0) pose_joint(k, j, poses, &poses[i]);
        else pose_axis(k, j, &poses[j->parent], &poses[i]);
    }
}

/* Returns the frame rate of an animation. A stretched joint is exact at the frames, but not between them, so an
   animation with stretched joints gets at least 30 frames per second, unless --fps sets the rate. */
static double rate_of(const convert_request *request, const skeleton *k, const scene_anim *anim)
{
    const double smooth = 30;
    double       rate = request->fps > 0 ? (double)request->fps : find_rate(anim);
    bool         is_coarse = request->fps <= 0 && k->count > k->node_count && rate < smooth;
    return is_coarse ? rate * ceil(smooth / rate) : rate;
}

/* Adds three children to each joint that is stretched or sheared in any sampled frame. Returns true if it added any. */
static bool add_axes(skeleton *k)
{
    const double visible = 0.001;     /* fraction of the size */
    uint32_t     added = 0;
    for (uint32_t i = 0; i < k->node_count; ++i) {
        bone *own = &k->joints[i];
        if (!own->is_used || !(own->uneven > visible)) continue;
        own->axes = k->count;
        own->reach = 0;
        ++added;
        for (int axis = 0; axis < 3; ++axis) {
            bone *child = &k->joints[k->count++];
            *child = *own;
            child->parent = (int32_t)i;
            child->axis = axis;
            child->axes = NO_INDEX;
        }
    }
    if (added > 0) {
        note("%u joints are stretched, which an MD5 cannot store: each gets three children, one for "
             "each axis, and the .md5scale scales them", (unsigned)added);
    }
    return added > 0;
}

/* -- Meshes ------------------------------------------------------------------------------------ */

typedef struct mesh_content {         /* the content of the .md5mesh */
    md5_out_joint *joints;
    md5_out_mesh  *meshes;
    uint32_t     **indices;           /* [mesh_count] */
    char         **names;             /* [joint count] */
    char         **shaders;           /* [mesh_count] */
    uint32_t       mesh_count;
} mesh_content;

static void set_weight_position(skeleton *k, uint32_t number, double bias, const double position[3],
                                md5_out_weight *weight)
{
    bone  *j = &k->joints[number];
    double square = 0;
    weight->joint = number;
    weight->bias = bias;
    for (int axis = 0; axis < 3; ++axis) {
        weight->position[axis] = round_position(k, position[axis]);
        square += position[axis] * position[axis];
    }
    j->reach = fmax(j->reach, fmax(sqrt(square), 1e-6));
}

/* Sets the weights of a vertex for one of its influences: three weights if the joint has children that stretch an axis,
   otherwise one. `shape` is the position of the vertex in the mesh. Returns the number of weights. */
static uint32_t set_joint_weights(skeleton *k, const influence *from, const double shape[3], md5_out_weight *weights)
{
    uint32_t    number = k->joint_of[from->node];
    const bone *j = &k->joints[number];
    matrix to_node = to_output(from->to_node, k->scale);
    double point[3] = { shape[2] * k->scale, shape[0] * k->scale, shape[1] * k->scale };
    transform(&to_node, point, 1, point);
    transform(&j->from_node, point, 0, point);
    if (j->axes == NO_INDEX) {
        set_weight_position(k, number, from->weight, point, weights);
        return 1;
    }
    for (uint32_t axis = 0; axis < 3; ++axis) {
        double along[3] = { 0, 0, 0 };
        along[axis] = 3 * point[axis];
        set_weight_position(k, j->axes + axis, from->weight / 3, along, weights + axis);
    }
    return 3;
}

static void set_weights(skeleton *k, const scene_instance *in, md5_out_mesh *out)
{
    influence list[MAX_SCENE_INFLUENCES];
    size_t    room = 0;
    for (uint32_t i = 0; i < in->part->vertex_count; ++i) {
        room += 3 * (size_t)list_vertex_influences(in, i, list);
    }
    out->weights = (md5_out_weight *)allocate(room, sizeof *out->weights);
    for (uint32_t i = 0; i < in->part->vertex_count; ++i) {
        double   position[3], normal[3];
        uint32_t count = list_vertex_influences(in, i, list);
        get_shape(k->s, in, i, position, normal);
        out->vertices[i].first_weight = out->weight_count;
        for (uint32_t w = 0; w < count; ++w) {
            out->weight_count += set_joint_weights(k, &list[w], position,
                                                   &out->weights[out->weight_count]);
        }
        out->vertices[i].weight_count = out->weight_count - out->vertices[i].first_weight;
    }
}

static void add_mesh(skeleton *k, const scene_instance *in, const char *shader, mesh_content *content)
{
    const scene_part *part = in->part;
    md5_out_mesh     *out = &content->meshes[content->mesh_count];
    content->indices[content->mesh_count++] = list_clockwise(k->s, in);
    out->shader = shader;
    out->vertex_count = part->vertex_count;
    out->index_count = part->index_count;
    out->indices = content->indices[content->mesh_count - 1];
    out->vertices = (md5_out_vertex *)allocate(part->vertex_count, sizeof *out->vertices);
    for (uint32_t i = 0; part->texcoords && i < part->vertex_count; ++i) {
        out->vertices[i].u = (double)part->texcoords[2 * (size_t)i];
        out->vertices[i].v = (double)part->texcoords[2 * (size_t)i + 1];
    }
    set_weights(k, in, out);
}

static void note_shapes(const scene *s)
{
    for (uint32_t i = 0; i < s->mesh_count; ++i) {
        const scene_mesh *mesh = &s->meshes[i];
        if (mesh->target_count == 0) continue;
        note("mesh \"%s\": its shape keys (morph targets) are left out, because an MD5 has only "
             "joints; an MD2 keeps them", mesh->name);
    }
}

/* Returns true if two vertices at the same position have normals that differ by more than 25 degrees. Compares each
   vertex only with the last vertex in its slot of the hash table, which is enough for a note. */
static bool has_hard_edges(const scene_part *part)
{
    enum { SLOTS = 4096 };
    uint32_t *last = (uint32_t *)allocate(SLOTS, sizeof *last); /* 1 + index of the last vertex; 0 = none */
    bool      is_hard = false;
    for (uint32_t i = 0; i < part->vertex_count && !is_hard; ++i) {
        const float *p = part->positions + 3 * (size_t)i, *n = part->normals + 3 * (size_t)i;
        uint64_t     slot = hash_more(1, p, 3 * sizeof *p) % SLOTS;
        uint32_t     other = last[slot];
        last[slot] = i + 1;
        if (other == 0) continue;

        const float *q = part->positions + 3 * (size_t)(other - 1);
        const float *m = part->normals + 3 * (size_t)(other - 1);
        float        dot = n[0] * m[0] + n[1] * m[1] + n[2] * m[2];
        is_hard = memcmp(p, q, 3 * sizeof *p) == 0 && dot < 0.9063f && dot > -1;
    }
    release(last);
    return is_hard;
}

static void note_hard_edges(const scene *s)
{
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        if (!has_hard_edges(s->instances[i].part)) continue;
        note("an MD5 has no normals: engines compute them, and hard edges become smooth");
        return;
    }
}

/* Returns the name of a mesh, which is part `number` of its material: sword, part2/sword, part3/sword. The name after
   the slash is the name of the texture, so all parts find sword.png. */
static char *name_part(const char *shader, uint32_t number)
{
    enum { MORE = 16 };               /* room for "part", the digits and a slash */
    size_t room = strlen(shader) + MORE;
    char  *name = (char *)allocate(room, 1);
    if (number == 1) snprintf(name, room, "%s", shader);
    else snprintf(name, room, "part%u/%s", (unsigned)number, shader);
    return name;
}

static mesh_content make_mesh_content(skeleton *k, const textures *p)
{
    mesh_content content;
    memset(&content, 0, sizeof content);
    pose_scene(k->s, NULL, 0);
    content.meshes = (md5_out_mesh *)allocate(k->s->instance_count, sizeof *content.meshes);
    content.indices = (uint32_t **)allocate(k->s->instance_count, sizeof *content.indices);
    content.shaders = (char **)allocate(k->s->instance_count, sizeof *content.shaders);
    uint32_t *used = (uint32_t *)allocate(p->count, sizeof *used);
    for (uint32_t i = 0; i < k->s->instance_count; ++i) {
        const scene_instance *in = &k->s->instances[i];
        content.shaders[i] = name_part(p->list[in->part->texture].shader, ++used[in->part->texture]);
        add_mesh(k, in, content.shaders[i], &content);
    }
    release(used);
    content.joints = (md5_out_joint *)allocate(k->count, sizeof *content.joints);
    for (uint32_t i = 0; i < k->count; ++i) {
        const bone *j = &k->joints[i];
        content.joints[i].parent = j->parent;
        memcpy(content.joints[i].position, j->rest.position, sizeof j->rest.position);
        memcpy(content.joints[i].rotation, j->rest.rotation, sizeof j->rest.rotation);
    }
    return content;
}

static void free_mesh_content(mesh_content *content)
{
    for (uint32_t i = 0; i < content->mesh_count; ++i) {
        release(content->indices[i]);
        release(content->shaders[i]);
        release(content->meshes[i].vertices);
        release(content->meshes[i].weights);
    }
    release(content->meshes);
    release(content->indices);
    release(content->shaders);
    release(content->joints);
}

/* -- Animations -------------------------------------------------------------------------------- */

typedef struct sampled_anim {
    double        fps;
    uint32_t      frame_count;
    md5_out_part *parts;              /* [frame_count][joint count] */
    double       *sizes;              /* [frame_count][joint count] */
    double       *bounds;             /* [frame_count][6] lowest and highest corner */
} sampled_anim;

/* Computes the bounds of a frame: a box around the spheres of all joints. The sphere of a joint contains all weights of
   the joint. */
static void set_bounds(const skeleton *k, const joint_pose *poses, double bounds[6])
{
    bool is_first = true;
    for (uint32_t i = 0; i < k->count; ++i) {
        double reach = k->joints[i].reach * poses[i].size;
        if (!(k->joints[i].reach > 0)) continue;
        for (int axis = 0; axis < 3; ++axis) {
            double low = poses[i].transform.position[axis] - reach, high = low + 2 * reach;
            if (is_first || low < bounds[axis]) bounds[axis] = round_to_millionths(low);
            if (is_first || high > bounds[3 + axis]) bounds[3 + axis] = round_to_millionths(high);
        }
        is_first = false;
    }
}

static void sample_frame(skeleton *k, sampled_anim *r, uint32_t frame, joint_pose *poses)
{
    pose_joints(k, poses, frame == 0);
    for (uint32_t i = 0; i < k->count; ++i) {
        size_t at = (size_t)frame * k->count + i;
        if (k->joints[i].is_still) {
            r->parts[at] = r->parts[at - k->count];
            r->sizes[at] = r->sizes[at - k->count];
            continue;
        }
        int        parent = k->joints[i].parent;
        rigid_pose local = parent < 0 ? poses[i].transform : relative_to(&poses[parent].transform,
                                                                &poses[i].transform);
        round_pose(k, &local);
        memcpy(r->parts[at].number, local.position, sizeof local.position);
        md5_stored_rotation(local.rotation, r->parts[at].number + 3);
        r->sizes[at] = round_to_millionths(poses[i].size);
    }
    set_bounds(k, poses, r->bounds + 6 * (size_t)frame);
}

/* Samples the frames of an animation. */
static bool sample_anim(const convert_request *request, skeleton *k, const scene_anim *anim, const char *name,
                        sampled_anim *r)
{
    const double most_parts = 1 << 23;
    double       length = anim->end - anim->start;
    r->fps = rate_of(request, k, anim);
    double frames = floor(length * r->fps + 0.5) + 1;
    if (!(frames * k->count < most_parts && frames < 65536)) {
        return fail(request->model, "%s is too long, with %.0f frames of %u joints: lower the rate with "
                    "--fps NUMBER, or select other animations with --only NAME", name, frames, (unsigned)k->count);
    }

    r->frame_count = (uint32_t)frames;
    r->parts = (md5_out_part *)allocate((size_t)r->frame_count * k->count, sizeof *r->parts);
    r->sizes = (double *)allocate((size_t)r->frame_count * k->count, sizeof *r->sizes);
    r->bounds = (double *)allocate(r->frame_count, 6 * sizeof *r->bounds);
    joint_pose *poses = (joint_pose *)allocate(k->count, sizeof *poses);
    for (uint32_t i = 0; i < r->frame_count; ++i) {
        pose_scene(k->s, anim, fmin(anim->start + i / r->fps, anim->end));
        sample_frame(k, r, i, poses);
    }
    release(poses);
    return true;
}

static bool is_scaled(const sampled_anim *r, uint32_t joint_count, uint32_t joint)
{
    for (uint32_t i = 0; i < r->frame_count; ++i) {
        if (fabs(r->sizes[(size_t)i * joint_count + joint] - 1) > 1e-4) return true;
    }
    return false;
}

/* Writes an .md5scale: for each joint whose size is not always 1, the frames in which it is not 1, and the sizes there.
   Returns an empty file if all sizes are 1. */
static blob write_md5scale(const md5_out_joint *joints, uint32_t joint_count, const sampled_anim *r)
{
    blob file = { NULL, 0, 0 };
    for (uint32_t i = 0; i < joint_count; ++i) {
        uint32_t written = 0;
        if (!is_scaled(r, joint_count, i)) continue;
        put_text(&file, file.size == 0 ? "{\n\t" : ",\n\t");
        put_json_string(&file, joints[i].name);
        put_text(&file, ": {");
        for (uint32_t frame = 0; frame < r->frame_count; ++frame) {
            double size = r->sizes[(size_t)frame * joint_count + i];
            if (!(size < 1 || size > 1)) continue;
            put_format(&file, "%s \"%u\": ", written++ > 0 ? "," : "", (unsigned)frame);
            put_number(&file, size);
        }
        put_text(&file, " }");
    }
    if (file.size > 0) put_text(&file, "\n}\n");
    return file;
}

static void add_anim_files(const convert_request *request, const mesh_content *content, uint32_t joint_count,
                           const char *name, const sampled_anim *r, outputs *o)
{
    md5_out_anim out;
    out.frame_count = r->frame_count;
    out.joint_count = joint_count;
    out.fps = r->fps;
    out.joints = content->joints;
    out.parts = r->parts;
    out.bounds = r->bounds;
    blob  file = write_md5anim("mdconvert", &out);
    char *path = join_path(request->output, name, ".md5anim");
    add_output(o, path, &file);
    release(path);

    file = write_md5scale(content->joints, joint_count, r);
    path = join_path(request->output, name, ".md5scale");
    if (file.size > 0) add_output(o, path, &file);
    release(path);
}

/* -- Conversion -------------------------------------------------------------------------------- */

/* Returns the names of all joints. If an .md5scale is written, duplicate names get numbers, because an .md5scale refers
   to joints by name. */
static char **name_joints(const skeleton *k, const sampled_anim *anims, uint32_t count)
{
    static const char *const axes[] = { "_x", "_y", "_z" };
    bool                     has_sizes = false;
    char                   **names = (char **)allocate(k->count, sizeof *names);
    name_table               used = { NULL, 0, 0, false };
    for (uint32_t a = 0; a < count; ++a) {
        for (uint32_t i = 0; i < k->count; ++i) {
            if (is_scaled(&anims[a], k->count, i)) has_sizes = true;
        }
    }
    for (uint32_t i = 0; i < k->count; ++i) {
        const bone *j = &k->joints[i];
        blob        name = { NULL, 0, 0 };
        put_text(&name, j->axis < 0 ? k->s->nodes[j->node].name : names[j->parent]);
        if (j->axis >= 0) put_text(&name, axes[j->axis]);
        put_byte(&name, 0);
        if (has_sizes) {
            names[i] = take_unique_name(&used, (const char *)name.data);
            free_blob(&name);
        } else {
            names[i] = (char *)name.data;
        }
    }
    free_name_table(&used);
    return names;
}

static void free_sampled_anims(sampled_anim *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        release(list[i].parts);
        release(list[i].sizes);
        release(list[i].bounds);
    }
    release(list);
}

/* Samples the selected animations. Returns an array [anim_count], in which the other animations are empty. Returns NULL
   and reports an error if an animation is too long. */
static sampled_anim *sample_anims(const convert_request *request, skeleton *k, char *const *names)
{
    scene        *s = k->s;
    sampled_anim *list = (sampled_anim *)allocate(s->anim_count, sizeof *list);
    for (uint32_t i = 0; i < s->anim_count; ++i) {
        progress("animations", i, s->anim_count);
        if (!is_wanted(request, names[i]) || sample_anim(request, k, &s->anims[i], names[i], &list[i])) continue;
        free_sampled_anims(list, s->anim_count);
        return NULL;
    }
    return list;
}

/* Adds the .md5mesh, the .md5anim files and the .md5scale files. */
static bool add_md5_files(const convert_request *request, skeleton *k, const textures *p, char *const *names,
                          outputs *o)
{
    uint32_t count = k->s->anim_count;
    set_rest(k);
    find_used_joints(k);
    mesh_content  content = make_mesh_content(k, p);
    sampled_anim *anims = sample_anims(request, k, names);
    if (anims && add_axes(k)) {       /* The new joints change weights and frames, so start again. */
        free_mesh_content(&content);
        free_sampled_anims(anims, count);
        content = make_mesh_content(k, p);
        anims = sample_anims(request, k, names);
    }
    note_shapes(k->s);
    note_hard_edges(k->s);

    if (anims) {
        content.names = name_joints(k, anims, count);
        for (uint32_t i = 0; i < k->count; ++i) content.joints[i].name = content.names[i];
        blob file = write_md5mesh("mdconvert", content.joints, k->count, content.meshes, content.mesh_count);
        add_output(o, request->output, &file);
        for (uint32_t i = 0; i < count; ++i) {
            if (!anims[i].parts) continue;
            add_anim_files(request, &content, k->count, new_name_of(request, names[i]), &anims[i], o);
        }
        free_names(content.names, k->count);
        free_sampled_anims(anims, count);
    }
    free_mesh_content(&content);
    return anims != NULL;
}

bool scene_to_md5(const convert_request *request, outputs *o)
{
    skeleton k;
    memset(&k, 0, sizeof k);
    k.s = open_scene(request);
    if (!k.s) return false;

    k.scale = units_per_meter(request);
    char **names = name_anims(k.s);
    bool   is_good = check_only(request, (const char *const *)names, k.s->anim_count);
    if (is_good) {
        textures p = make_textures(k.s);
        find_joints(&k);
        is_good = add_md5_files(request, &k, &p, names, o);
        if (is_good) add_texture_files(request, &p, o);
        free_textures(&p);
    }
    free_names(names, k.s->anim_count);
    release(k.joints);
    release(k.joint_of);
    free_scene(k.s);
    return is_good;
}
