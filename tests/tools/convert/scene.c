/* scene.c - poses a scene at any time, and frees it. Public domain. */
#include "scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Splitting vertices ------------------------------------------------------------------------ */

/* Returns a new array of the rows old[0], old[1] ... of an array, and frees the old array. */
static void *gather_rows(void *rows, size_t size, const uint32_t *old, uint32_t count)
{
    if (!rows) return NULL;
    uint8_t *picked = (uint8_t *)allocate(count, size);
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(picked + size * i, (const uint8_t *)rows + size * old[i], size);
    }
    release(rows);
    return picked;
}

static void gather_vertices(scene_part *part, const uint32_t *old, uint32_t count)
{
    size_t vector = 3 * sizeof(float), influences = part->influence_count;
    part->positions = (float *)gather_rows(part->positions, vector, old, count);
    part->normals = (float *)gather_rows(part->normals, vector, old, count);
    part->texcoords = (float *)gather_rows(part->texcoords, 2 * sizeof(float), old, count);
    part->colors = (float *)gather_rows(part->colors, 4 * sizeof(float), old, count);
    part->joints = (uint16_t *)gather_rows(part->joints, influences * sizeof(uint16_t), old, count);
    part->weights = (float *)gather_rows(part->weights, influences * sizeof(float), old, count);
    for (uint32_t i = 0; i < part->target_count; ++i) {
        scene_target *target = &part->targets[i];
        target->positions = (float *)gather_rows(target->positions, vector, old, count);
        target->normals = (float *)gather_rows(target->normals, vector, old, count);
    }
    part->vertex_count = count;
}

void split_vertices(scene_part *part, const uint32_t *numbers)
{
    uint32_t  slot_count = 2 * part->index_count + 1, count = 0;
    uint32_t *slots = (uint32_t *)allocate(slot_count, sizeof *slots); /* 1 + new index of a vertex; 0 = free */
    uint32_t *old = (uint32_t *)allocate(part->index_count, sizeof *old);
    uint32_t *number_of = (uint32_t *)allocate(part->index_count, sizeof *number_of);
    for (uint32_t i = 0; i < part->index_count; ++i) {
        uint32_t vertex = part->indices[i];
        uint32_t slot = (vertex * 2654435761u ^ numbers[i] * 40503u) % slot_count;
        for (; slots[slot]; slot = (slot + 1) % slot_count) {
            uint32_t known = slots[slot] - 1;
            if (old[known] == vertex && number_of[known] == numbers[i]) break;
        }
        if (!slots[slot]) {
            old[count] = vertex;
            number_of[count] = numbers[i];
            slots[slot] = ++count;
        }
        part->indices[i] = slots[slot] - 1;
    }
    gather_vertices(part, old, count);
    release(slots);
    release(old);
    release(number_of);
}

/* -- Tracks ------------------------------------------------------------------------------------ */

/* Returns the last key that is not after the time. Sets `fraction` to the position between this key and the next, from
   0 to 1; it is 0 before the first key and after the last key. */
static uint32_t find_key(const scene_track *t, double time, double *fraction)
{
    uint32_t low = 0, high = t->key_count; /* the key is at least low and below high */
    *fraction = 0;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)t->times[middle] <= time) low = middle;
        else high = middle;
    }

    double before = (double)t->times[low];
    if (low + 1 < t->key_count && time > before) {
        double length = (double)t->times[low + 1] - before;
        *fraction = length > 0 ? (time - before) / length : 0;
    }
    return low;
}

/* Interpolates two rotations along the shorter arc at constant speed (slerp). */
static void slerp(const float *from, const float *to, double t, double out[4])
{
    double a[4], b[4], dot = 0;
    for (int k = 0; k < 4; ++k) a[k] = (double)from[k];
    for (int k = 0; k < 4; ++k) b[k] = (double)to[k];
    normalize_quaternion(a);
    normalize_quaternion(b);
    for (int k = 0; k < 4; ++k) dot += a[k] * b[k];

    double sign = dot < 0 ? -1 : 1;
    double angle = acos(fmin(dot * sign, 1));
    double weight_a = 1 - t, weight_b = t;
    if (angle > 1e-6) {
        weight_a = sin((1 - t) * angle) / sin(angle);
        weight_b = sin(t * angle) / sin(angle);
    }
    for (int k = 0; k < 4; ++k) out[k] = weight_a * a[k] + weight_b * sign * b[k];
}

/* Evaluates a cubic Hermite spline. Each key has three rows: in-tangent, value, out-tangent. */
static double get_cubic(const scene_track *t, uint32_t key, double fraction, uint32_t column)
{
    const float *row = t->values + (size_t)3 * t->width * key, *next = row + (size_t)3 * t->width;
    if (!(fraction > 0)) return (double)row[t->width + column];

    double length = (double)t->times[key + 1] - (double)t->times[key];
    double squared = fraction * fraction, cubed = squared * fraction;
    double from = (double)row[t->width + column], out_tangent = (double)row[2 * t->width + column];
    double to = (double)next[t->width + column], in_tangent = (double)next[column];
    return (2 * cubed - 3 * squared + 1) * from + length * (cubed - 2 * squared + fraction) * out_tangent +
           (3 * squared - 2 * cubed) * to + length * (cubed - squared) * in_tangent;
}

/* Gets the value of a track at a time. */
static void get_track(const scene_track *t, double time, double *out)
{
    double       fraction;
    uint32_t     key = find_key(t, time, &fraction);
    bool         is_between = fraction > 0 && t->interpolation == LINEAR_KEYS;
    const float *row = t->values + (size_t)t->width * key;
    for (uint32_t k = 0; k < t->width; ++k) {
        if (t->interpolation == CUBIC_KEYS) out[k] = get_cubic(t, key, fraction, k);
        else out[k] = (double)row[k];
        if (is_between) out[k] += fraction * ((double)row[t->width + k] - (double)row[k]);
    }
    if (is_between && t->path == TRACK_ROTATION) slerp(row, row + 4, fraction, out);
}

/* -- Nodes ------------------------------------------------------------------------------------- */

typedef struct local_pose {           /* local transform of a node */
    double translation[3], rotation[4], scale[3];
    bool   is_animated;
} local_pose;

/* Replaces the rest transforms and weights of the nodes that an animation changes. */
static void animate_nodes(scene *s, const scene_anim *anim, double time, local_pose *locals)
{
    for (uint32_t i = 0; i < anim->track_count; ++i) {
        const scene_track *track = &anim->tracks[i];
        local_pose        *local = &locals[track->node];
        scene_node        *n = &s->nodes[track->node];
        switch (track->path) {
            case TRACK_TRANSLATION: get_track(track, time, local->translation); break;
            case TRACK_ROTATION:    get_track(track, time, local->rotation); break;
            case TRACK_SCALE:       get_track(track, time, local->scale); break;
            default:                get_track(track, time, n->weights); break;
        }
        if (track->path != TRACK_WEIGHTS) local->is_animated = true;
    }
}

void pose_scene(scene *s, const scene_anim *anim, double time)
{
    local_pose *locals = (local_pose *)allocate(s->node_count, sizeof *locals);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        scene_node *n = &s->nodes[i];
        memcpy(locals[i].translation, n->translation, sizeof n->translation);
        memcpy(locals[i].rotation, n->rotation, sizeof n->rotation);
        memcpy(locals[i].scale, n->scale, sizeof n->scale);
        for (uint32_t k = 0; k < n->weight_count; ++k) n->weights[k] = (double)n->rest_weights[k];
    }
    if (anim) animate_nodes(s, anim, time, locals);

    for (uint32_t i = 0; i < s->node_count; ++i) {
        scene_node       *n = &s->nodes[s->order[i]];
        const local_pose *l = &locals[s->order[i]];
        bool              has_matrix = n->has_matrix && !l->is_animated;
        matrix            local = has_matrix ? n->own_matrix
                                             : compose(l->translation, l->rotation, l->scale);
        const matrix     *parent = n->parent == NO_INDEX ? &s->root_transform
                                                         : &s->nodes[n->parent].world;
        n->world = multiply(parent, &local);
    }
    release(locals);
}

/* -- Vertices ---------------------------------------------------------------------------------- */

bool has_weights(const scene_part *part, uint32_t vertex)
{
    const float *weights = part->weights + (size_t)vertex * part->influence_count;
    for (uint32_t i = 0; i < part->influence_count; ++i) {
        if (weights[i] > 0) return true;
    }
    return false;
}

uint32_t list_vertex_influences(const scene_instance *in, uint32_t vertex,
                                influence list[MAX_SCENE_INFLUENCES])
{
    static const matrix at_node = { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
    const scene_part   *part = in->part;
    size_t              first = (size_t)vertex * part->influence_count;
    uint32_t            count = 0;
    double              sum = 0;
    for (uint32_t i = 0; in->skin && i < part->influence_count; ++i) {
        double weight = (double)part->weights[first + i];
        if (!(weight > 0)) continue;

        uint32_t joint = part->joints[first + i];
        list[count].node = in->skin->joints[joint];
        list[count].to_node = &in->skin->to_joint[joint];
        list[count++].weight = weight;
        sum += weight;
    }
    for (uint32_t i = 0; i < count; ++i) list[i].weight /= sum;
    if (count > 0) return count;

    list[0].node = in->node;
    list[0].to_node = &at_node;
    list[0].weight = 1;
    return 1;
}

void get_shape(const scene *s, const scene_instance *in, uint32_t vertex, double position[3],
               double normal[3])
{
    const scene_part *part = in->part;
    const double     *weights = s->nodes[in->node].weights;
    size_t            at = 3 * (size_t)vertex;
    for (int k = 0; k < 3; ++k) position[k] = (double)part->positions[at + (size_t)k];
    for (int k = 0; k < 3; ++k) normal[k] = (double)part->normals[at + (size_t)k];
    for (uint32_t i = 0; i < part->target_count; ++i) {
        const scene_target *target = &part->targets[i];
        bool                counts = weights[i] < 0 || weights[i] > 0;
        for (size_t k = 0; counts && k < 3; ++k) {
            if (target->positions) position[k] += weights[i] * (double)target->positions[at + k];
            if (target->normals) normal[k] += weights[i] * (double)target->normals[at + k];
        }
    }
}

void pose_instance(const scene *s, const scene_instance *in, double *positions, double *normals)
{
    for (uint32_t i = 0; i < in->part->vertex_count; ++i) {
        influence list[MAX_SCENE_INFLUENCES];
        uint32_t  count = list_vertex_influences(in, i, list);
        double    position[3], normal[3];
        matrix    blended;
        memset(&blended, 0, sizeof blended);
        for (uint32_t k = 0; k < count; ++k) {
            matrix moved = multiply(&s->nodes[list[k].node].world, list[k].to_node);
            for (int row = 0; row < 3; ++row) {
                for (int column = 0; column < 4; ++column) {
                    blended.m[row][column] += list[k].weight * moved.m[row][column];
                }
            }
        }
        get_shape(s, in, i, position, normal);
        transform(&blended, position, 1, positions + 3 * (size_t)i);
        transform_normal(&blended, normal, normals + 3 * (size_t)i);
    }
}

/* -- Freeing a scene --------------------------------------------------------------------------- */

static void free_part(scene_part *part)
{
    for (uint32_t i = 0; i < part->target_count; ++i) {
        release(part->targets[i].positions);
        release(part->targets[i].normals);
    }
    release(part->targets);
    release(part->indices);
    release(part->positions);
    release(part->normals);
    release(part->texcoords);
    release(part->colors);
    release(part->joints);
    release(part->weights);
}

static void free_mesh(scene_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->part_count; ++i) free_part(&mesh->parts[i]);
    release(mesh->parts);
    release(mesh->rest_weights);
    release(mesh->name);
}

static void free_anim(scene_anim *anim)
{
    for (uint32_t i = 0; i < anim->track_count; ++i) {
        release(anim->tracks[i].times);
        release(anim->tracks[i].values);
    }
    release(anim->tracks);
    release(anim->name);
}

void free_scene(scene *s)
{
    if (!s) return;
    for (uint32_t i = 0; i < s->node_count; ++i) {
        release(s->nodes[i].name);
        release(s->nodes[i].human_bone);
        release(s->nodes[i].rest_weights);
        release(s->nodes[i].weights);
    }
    for (uint32_t i = 0; i < s->skin_count; ++i) {
        release(s->skins[i].joints);
        release(s->skins[i].to_joint);
    }
    for (uint32_t i = 0; i < s->picture_count; ++i) {
        release(s->pictures[i].name);
        free_blob(&s->pictures[i].file);
    }
    for (uint32_t i = 0; i < s->mesh_count; ++i) free_mesh(&s->meshes[i]);
    for (uint32_t i = 0; i < s->material_count; ++i) release(s->materials[i].name);
    for (uint32_t i = 0; i < s->anim_count; ++i) free_anim(&s->anims[i]);
    release(s->nodes);
    release(s->order);
    release(s->skins);
    release(s->meshes);
    release(s->pictures);
    release(s->materials);
    release(s->anims);
    release(s->instances);
    release(s);
}
