/* write_glb.c - writes binary glTF 2.0: a JSON text, followed by the binary data. Public domain. */
#include "convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Lists in JSON ----------------------------------------------------------------------------- */

typedef struct json_list {            /* JSON objects, separated by commas */
    blob     text;
    uint32_t count;
} json_list;

/* Adds the comma before an item, and returns the item's index. The caller writes the item. */
static uint32_t add_item(json_list *list)
{
    if (list->count > 0) put_text(&list->text, ",\n");
    return list->count++;
}

typedef struct writer {
    const glb_model *model;
    blob             binary;
    json_list        views, accessors, images, textures, materials, primitives, nodes, animations;
    uint32_t         first_joint;     /* node index of joint 0 */
    uint8_t         *animated;        /* [joint_count] ANIMATES_ flags of what animations change */
} writer;

/* Writes a list as the array `name` of an object, unless the list is empty. Frees the list. */
static void put_list(blob *json, const char *name, json_list *list)
{
    if (list->count > 0) {
        put_format(json, ",\n\"%s\":[\n", name);
        put(json, list->text.data, list->text.size);
        put_text(json, "]");
    }
    free_blob(&list->text);
}

static void put_json_floats(blob *json, const float *numbers, uint32_t count)
{
    put_text(json, "[");
    for (uint32_t i = 0; i < count; ++i) {
        put_format(json, i > 0 ? ",%.9g" : "%.9g", (double)numbers[i]);
    }
    put_text(json, "]");
}

/* -- Arrays ------------------------------------------------------------------------------------ */

typedef enum component {
    UNSIGNED_BYTE = 5121, UNSIGNED_SHORT = 5123, UNSIGNED_INT = 5125, FLOAT = 5126
} component;

typedef enum buffer_target { NO_TARGET = 0, VERTICES = 34962, INDICES = 34963 } buffer_target;

static void align(blob *b, uint8_t filler)
{
    while (b->size % 4 != 0) put_byte(b, filler);
}

/* Adds a buffer view of the binary data from `start` to the end. Returns its index. */
static uint32_t add_view(writer *w, size_t start, buffer_target target)
{
    uint32_t view = add_item(&w->views);
    blob   *json = &w->views.text;
    put_format(json, "{\"buffer\":0,\"byteOffset\":%lu,\"byteLength\":%lu", (unsigned long)start,
               (unsigned long)(w->binary.size - start));
    if (target != NO_TARGET) put_format(json, ",\"target\":%d", (int)target);
    put_text(json, "}");
    align(&w->binary, 0);
    return view;
}

static void put_floats(blob *b, const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i) put_float(b, numbers[i]);
}

static void put_bounds(blob *json, const float *numbers, uint32_t count, uint32_t width)
{
    float low[4] = { 0, 0, 0, 0 }, high[4] = { 0, 0, 0, 0 };
    for (size_t i = 0; i < (size_t)count * width; ++i) {
        bool  is_first = i < width;
        float x = numbers[i];
        if (is_first || x < low[i % width]) low[i % width] = x;
        if (is_first || x > high[i % width]) high[i % width] = x;
    }
    put_text(json, ",\"min\":");
    put_json_floats(json, low, width);
    put_text(json, ",\"max\":");
    put_json_floats(json, high, width);
}

static const char *type_of(uint32_t width)
{
    static const char *const types[] = { "", "SCALAR", "VEC2", "VEC3", "VEC4" };
    return width == 16 ? "MAT4" : types[width];
}

/* Begins an accessor and returns its index. The caller writes the closing brace. */
static uint32_t begin_accessor(writer *w, component type, uint32_t count, uint32_t width)
{
    uint32_t accessor = add_item(&w->accessors);
    put_format(&w->accessors.text, "{\"componentType\":%d,\"count\":%u,\"type\":\"%s\"", (int)type,
               (unsigned)count, type_of(width));
    return accessor;
}

static uint32_t add_floats(writer *w, const float *numbers, uint32_t count, uint32_t width,
                           buffer_target target, bool has_bounds)
{
    size_t start = w->binary.size;
    put_floats(&w->binary, numbers, (size_t)count * width);
    uint32_t view = add_view(w, start, target);
    uint32_t accessor = begin_accessor(w, FLOAT, count, width);
    put_format(&w->accessors.text, ",\"bufferView\":%u", (unsigned)view);
    if (has_bounds) put_bounds(&w->accessors.text, numbers, count, width);
    put_text(&w->accessors.text, "}");
    return accessor;
}

/* Writes a whole number in the given type. */
static void put_unsigned(blob *b, component type, uint32_t x)
{
    if (type == UNSIGNED_BYTE) put_byte(b, x);
    else if (type == UNSIGNED_SHORT) put_u16(b, x);
    else put_u32(b, x);
}

/* Returns the smallest type for vertex indices. glTF does not allow 65,535 as an index of 16 bits, because 65,535 may
   restart a strip. */
static component index_type(uint32_t vertex_count)
{
    return vertex_count < 65536 ? UNSIGNED_SHORT : UNSIGNED_INT;
}

static uint32_t add_indices(writer *w, const glb_part *part)
{
    component type = index_type(part->vertex_count);
    size_t    start = w->binary.size;
    for (uint32_t i = 0; i < part->index_count; ++i) {
        put_unsigned(&w->binary, type, part->indices[i]);
    }
    uint32_t view = add_view(w, start, INDICES);
    uint32_t accessor = begin_accessor(w, type, part->index_count, 1);
    put_format(&w->accessors.text, ",\"bufferView\":%u}", (unsigned)view);
    return accessor;
}

/* -- Morph targets ----------------------------------------------------------------------------- */

static bool is_zero3(const float *v)
{
    return !(v[0] < 0 || v[0] > 0 || v[1] < 0 || v[1] > 0 || v[2] < 0 || v[2] > 0);
}

/* Returns true if a sparse accessor lists vertex `i`. It lists the vertices that the shape changes. It also lists the
   first vertex, because some programs reject an accessor without elements. */
static bool is_listed(const float *deltas, uint32_t i)
{
    return i == 0 || !is_zero3(deltas + 3 * i);
}

/* Adds an accessor with the offsets of a shape, three numbers per vertex. If few offsets differ from 0, adds a sparse
   accessor with only these offsets. */
static uint32_t add_deltas(writer *w, const float *deltas, uint32_t count, bool has_bounds)
{
    uint32_t listed = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (is_listed(deltas, i)) ++listed;
    }

    component type = index_type(count);
    uint32_t  index_size = type == UNSIGNED_SHORT ? 2 : 4;
    bool      is_sparse = listed * (12 + index_size) + 100 < count * 12;
    if (!is_sparse) return add_floats(w, deltas, count, 3, VERTICES, has_bounds);

    size_t start = w->binary.size;
    for (uint32_t i = 0; i < count; ++i) {
        if (is_listed(deltas, i)) put_unsigned(&w->binary, type, i);
    }
    uint32_t indices = add_view(w, start, NO_TARGET);

    start = w->binary.size;
    for (uint32_t i = 0; i < count; ++i) {
        if (is_listed(deltas, i)) put_floats(&w->binary, deltas + 3 * i, 3);
    }
    uint32_t values = add_view(w, start, NO_TARGET);

    uint32_t accessor = begin_accessor(w, FLOAT, count, 3);
    blob   *json = &w->accessors.text;
    put_format(json, ",\"sparse\":{\"count\":%u,\"indices\":{\"bufferView\":%u,"
               "\"componentType\":%d},\"values\":{\"bufferView\":%u}}",
               (unsigned)listed, (unsigned)indices, (int)type, (unsigned)values);
    if (has_bounds) put_bounds(json, deltas, count, 3);
    put_text(json, "}");
    return accessor;
}

/* Writes a shape as a morph target of the part. */
static void put_target(writer *w, blob *json, const glb_part *part, const glb_shape *shape)
{
    uint32_t numbers = 3 * part->vertex_count;
    float   *deltas = (float *)allocate(numbers, sizeof(float));
    for (uint32_t i = 0; i < numbers; ++i) deltas[i] = shape->positions[i] - part->positions[i];
    uint32_t positions = add_deltas(w, deltas, part->vertex_count, true);

    for (uint32_t i = 0; i < numbers; ++i) deltas[i] = shape->normals[i] - part->normals[i];
    uint32_t normals = add_deltas(w, deltas, part->vertex_count, false);
    release(deltas);
    put_format(json, "{\"POSITION\":%u,\"NORMAL\":%u}", (unsigned)positions, (unsigned)normals);
}

/* -- The mesh ---------------------------------------------------------------------------------- */

/* Writes four influences of each vertex: set 0 has the first four (JOINTS_0, WEIGHTS_0), and set 1 the next four. */
static void put_influences(writer *w, blob *json, const glb_part *part, uint32_t set)
{
    component type = w->model->joint_count <= 256 ? UNSIGNED_BYTE : UNSIGNED_SHORT;
    size_t    start = w->binary.size;
    float    *weights = (float *)allocate(4 * (size_t)part->vertex_count, sizeof(float));
    for (size_t i = 0; i < 4 * (size_t)part->vertex_count; ++i) {
        uint32_t influence = 4 * set + (uint32_t)(i % 4);
        bool     is_there = influence < part->influence_count;
        size_t   at = i / 4 * part->influence_count + influence;
        weights[i] = is_there ? part->weights[at] : 0;
        put_unsigned(&w->binary, type, is_there ? part->joints[at] : 0);
    }

    uint32_t view = add_view(w, start, VERTICES);
    uint32_t joints = begin_accessor(w, type, part->vertex_count, 4);
    put_format(&w->accessors.text, ",\"bufferView\":%u}", (unsigned)view);
    uint32_t values = add_floats(w, weights, part->vertex_count, 4, VERTICES, false);
    release(weights);
    put_format(json, ",\"JOINTS_%u\":%u,\"WEIGHTS_%u\":%u", (unsigned)set, (unsigned)joints,
               (unsigned)set, (unsigned)values);
}

static void add_part(writer *w, const glb_part *part)
{
    uint32_t positions = add_floats(w, part->positions, part->vertex_count, 3, VERTICES, true);
    uint32_t normals = add_floats(w, part->normals, part->vertex_count, 3, VERTICES, false);
    uint32_t texcoords = add_floats(w, part->texcoords, part->vertex_count, 2, VERTICES, false);
    uint32_t indices = add_indices(w, part);

    add_item(&w->primitives);
    blob *json = &w->primitives.text;
    put_format(json, "{\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u,\"TEXCOORD_0\":%u",
               (unsigned)positions, (unsigned)normals, (unsigned)texcoords);
    for (uint32_t set = 0; 4 * set < part->influence_count; ++set) {
        put_influences(w, json, part, set);
    }
    put_format(json, "},\"indices\":%u,\"material\":%u", (unsigned)indices,
               (unsigned)part->material);

    if (w->model->shape_count > 0) put_text(json, ",\n\"targets\":[");
    for (uint32_t i = 0; i < w->model->shape_count; ++i) {
        if (i > 0) put_text(json, ",");
        put_target(w, json, part, &w->model->shapes[i]);
    }
    if (w->model->shape_count > 0) put_text(json, "]");
    put_text(json, "}");
}

static void put_mesh(writer *w, blob *json)
{
    const glb_model *model = w->model;
    put_text(json, ",\n\"meshes\":[{\"name\":");
    put_json_string(json, model->name);
    put_list(json, "primitives", &w->primitives);
    if (model->shape_count > 0) {
        put_text(json, ",\n\"weights\":[0");
        for (uint32_t i = 1; i < model->shape_count; ++i) put_text(json, ",0");
        put_text(json, "],\n\"extras\":{\"targetNames\":[");
        for (uint32_t i = 0; i < model->shape_count; ++i) {
            if (i > 0) put_text(json, ",");
            put_json_string(json, model->shapes[i].name);
        }
        put_text(json, "]}");
    }
    put_text(json, "}]");
}

/* -- Pictures ---------------------------------------------------------------------------------- */

static void add_picture(writer *w, const glb_picture *picture)
{
    size_t start = w->binary.size;
    put(&w->binary, picture->file.data, picture->file.size);
    uint32_t view = add_view(w, start, NO_TARGET);

    uint32_t image = add_item(&w->images);
    put_text(&w->images.text, "{\"name\":");
    put_json_string(&w->images.text, picture->name);
    put_format(&w->images.text, ",\"mimeType\":\"%s\",\"bufferView\":%u}", picture->type,
               (unsigned)view);

    add_item(&w->textures);
    put_format(&w->textures.text, "{\"source\":%u,\"sampler\":0}", (unsigned)image);
}

/* Adds a material that is neither metallic nor glossy, because skins contain light and shadow. */
static void add_material(writer *w, const glb_material *material)
{
    add_item(&w->materials);
    blob *json = &w->materials.text;
    put_text(json, "{\"name\":");
    put_json_string(json, material->name);
    put_text(json, ",\"pbrMetallicRoughness\":{");
    if (material->picture >= 0) {
        put_format(json, "\"baseColorTexture\":{\"index\":%d},", material->picture);
    }
    put_text(json, "\"metallicFactor\":0,\"roughnessFactor\":0.9}");
    if (material->picture < 0) {
        put_format(json, ",\"extras\":{\"missing_picture\":{\"width\":%u,\"height\":%u}}",
                   (unsigned)material->missing_width, (unsigned)material->missing_height);
    }
    put_text(json, "}");
}

/* -- The skeleton ------------------------------------------------------------------------------ */

static void put_children(blob *json, const glb_model *model, int32_t parent, uint32_t first_node)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        if (model->joints[i].parent != parent) continue;
        put_text(json, count++ == 0 ? ",\"children\":[" : ",");
        put_format(json, "%u", (unsigned)(first_node + i));
    }
    if (count > 0) put_text(json, "]");
}

static void put_transform(blob *json, const md5_xform *xform)
{
    float scale[3] = { xform->scale, xform->scale, xform->scale };
    put_text(json, ",\"translation\":");
    put_json_floats(json, xform->position, 3);

    /* Rounding can make a component of a unit quaternion slightly larger than 1. */
    float rotation[4];
    for (uint32_t k = 0; k < 4; ++k) rotation[k] = fminf(fmaxf(xform->rotation[k], -1), 1);
    put_text(json, ",\"rotation\":");
    put_json_floats(json, rotation, 4);
    bool is_scaled = xform->scale < 1 || xform->scale > 1;
    if (!is_scaled) return;
    put_text(json, ",\"scale\":");
    put_json_floats(json, scale, 3);
}

/* Adds the nodes. Node 0 has the mesh. The joints, if any, are descendants of node 1, because a skeleton must have one
   root. */
static void add_nodes(writer *w)
{
    const glb_model *model = w->model;
    blob           *json = &w->nodes.text;
    bool             has_joints = model->joint_count > 0;

    add_item(&w->nodes);
    put_text(json, "{\"name\":");
    put_json_string(json, model->name);
    put_format(json, ",\"mesh\":0%s}", has_joints ? ",\"skin\":0" : "");
    if (!has_joints) return;

    w->first_joint = 2;
    add_item(&w->nodes);
    put_text(json, "{\"name\":\"skeleton\"");
    put_children(json, model, -1, w->first_joint);
    put_text(json, "}");
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        add_item(&w->nodes);
        put_text(json, "{\"name\":");
        put_json_string(json, model->joints[i].name);
        put_transform(json, &model->joints[i].local);
        put_children(json, model, (int32_t)i, w->first_joint);
        put_text(json, "}");
    }
}

static void put_skin(writer *w, blob *json)
{
    const glb_model *model = w->model;
    if (model->joint_count == 0) return;

    float *matrices = (float *)allocate(16 * (size_t)model->joint_count, sizeof(float));
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        const float *rows = model->joints[i].inverse_bind;
        for (uint32_t k = 0; k < 12; ++k) matrices[16 * i + k % 4 * 4 + k / 4] = rows[k];
        matrices[16 * i + 15] = 1;
    }
    uint32_t accessor = add_floats(w, matrices, model->joint_count, 16, NO_TARGET, false);
    release(matrices);

    put_format(json, ",\n\"skins\":[{\"inverseBindMatrices\":%u,\"skeleton\":1,\"joints\":[",
               (unsigned)accessor);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        put_format(json, i > 0 ? ",%u" : "%u", (unsigned)(w->first_joint + i));
    }
    put_text(json, "]}]");
}

/* -- Animations -------------------------------------------------------------------------------- */

enum { ANIMATES_POSITION = 1, ANIMATES_ROTATION = 2, ANIMATES_SCALE = 4 };

typedef struct tracks {
    const glb_anim *anim;
    json_list       samplers, channels;
    uint32_t        all_times, outer_times; /* accessors; 0 = none yet (accessor 0 has positions) */
} tracks;

/* Adds the times of `count` keys: of all keys, or only of the first and the last key. */
static uint32_t add_times(writer *w, const glb_anim *anim, uint32_t count)
{
    float   *times = (float *)allocate(count, sizeof(float));
    uint32_t step = count > 1 ? (anim->key_count - 1) / (count - 1) : 1;
    for (uint32_t i = 0; i < count; ++i) times[i] = (float)(i * step / anim->fps);
    uint32_t accessor = add_floats(w, times, count, 1, NO_TARGET, true);
    release(times);
    return accessor;
}

/* Adds a track of `numbers`, [key_count][width]. A constant track has only the first and the last key. The last key is
   needed, because the animation ends with it. */
static void add_track(writer *w, tracks *t, uint32_t node, const char *path, float *numbers,
                      uint32_t width, bool is_still)
{
    bool      is_short = is_still && t->anim->key_count > 2;
    uint32_t  count = is_short ? 2 : t->anim->key_count;
    uint32_t *times = is_short ? &t->outer_times : &t->all_times;
    if (*times == 0) *times = add_times(w, t->anim, count);

    bool     is_weights = strcmp(path, "weights") == 0;
    uint32_t output = is_weights ? add_floats(w, numbers, count * width, 1, NO_TARGET, false)
                                 : add_floats(w, numbers, count, width, NO_TARGET, false);
    uint32_t sampler = add_item(&t->samplers);
    put_format(&t->samplers.text, "{\"input\":%u,\"output\":%u}", (unsigned)*times,
               (unsigned)output);
    add_item(&t->channels);
    put_format(&t->channels.text, "{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}",
               (unsigned)sampler, (unsigned)node, path);
}

static bool are_floats_different(const float *a, const float *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (a[i] < b[i] || a[i] > b[i]) return true;
    }
    return false;
}

/* Adds a track of a joint's position or rotation. `first` points to its `width` floats in the first key. `numbers` has
   room for the track. */
static void add_joint_track(writer *w, tracks *t, uint32_t joint, const char *path,
                            const float *first, uint32_t width, float *numbers)
{
    const glb_model *model = w->model;
    bool             is_still = true;
    for (uint32_t i = 0; i < t->anim->key_count; ++i) {
        size_t       step = sizeof(md5_xform) / sizeof(float) * model->joint_count;
        const float *key = first + i * step;
        if (are_floats_different(key, first, width)) is_still = false;
        memcpy(numbers + (size_t)i * width, key, width * sizeof(float));
    }

    /* A quaternion and its negative are the same rotation. Choose the one that is nearer to the previous key. */
    for (uint32_t i = 4; width == 4 && i < 4 * t->anim->key_count; i += 4) {
        float *q = numbers + i, *p = q - 4;
        float  dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
        for (uint32_t k = 0; dot < 0 && k < 4; ++k) q[k] = -q[k];
    }
    add_track(w, t, w->first_joint + joint, path, numbers, width, is_still);
}

/* Adds a track of a joint's scale, which is the same on all axes. */
static void add_scale_track(writer *w, tracks *t, uint32_t joint, float *numbers)
{
    const glb_model *model = w->model;
    bool             is_still = true;
    float            first = t->anim->poses[joint].scale;
    for (uint32_t i = 0; i < t->anim->key_count; ++i) {
        float scale = t->anim->poses[(size_t)i * model->joint_count + joint].scale;
        if (are_floats_different(&scale, &first, 1)) is_still = false;
        for (uint32_t k = 0; k < 3; ++k) numbers[3 * i + k] = scale;
    }
    add_track(w, t, w->first_joint + joint, "scale", numbers, 3, is_still);
}

/* Finds the properties of joints that any animation changes. Each animation gets tracks for all these properties: when
   Blender starts another animation, it does not reset a property without a track. */
static void find_animated(writer *w)
{
    const glb_model *model = w->model;
    w->animated = (uint8_t *)allocate(model->joint_count, 1);
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        const md5_xform *poses = model->anims[i].poses;
        size_t           count = poses ? (size_t)model->anims[i].key_count * model->joint_count : 0;
        for (size_t k = 0; k < count; ++k) {
            uint32_t         joint = (uint32_t)(k % model->joint_count);
            const md5_xform *bind = &model->joints[joint].local;
            if (are_floats_different(poses[k].position, bind->position, 3)) w->animated[joint] |= ANIMATES_POSITION;
            if (are_floats_different(poses[k].rotation, bind->rotation, 4)) w->animated[joint] |= ANIMATES_ROTATION;
            if (are_floats_different(&poses[k].scale, &bind->scale, 1)) w->animated[joint] |= ANIMATES_SCALE;
        }
    }
}

static void add_joint_tracks(writer *w, tracks *t)
{
    float *numbers = (float *)allocate(4 * (size_t)t->anim->key_count, sizeof(float));
    for (uint32_t i = 0; i < w->model->joint_count; ++i) {
        const md5_xform *first = &t->anim->poses[i];
        uint32_t         flags = w->animated[i];
        const float     *position = first->position, *rotation = first->rotation;
        if (flags & ANIMATES_POSITION) add_joint_track(w, t, i, "translation", position, 3, numbers);
        if (flags & ANIMATES_ROTATION) add_joint_track(w, t, i, "rotation", rotation, 4, numbers);
        if (flags & ANIMATES_SCALE) add_scale_track(w, t, i, numbers);
    }
    release(numbers);
}

static void add_shape_track(writer *w, tracks *t)
{
    uint32_t width = w->model->shape_count;
    bool     is_still = true;
    float   *weights = (float *)allocate((size_t)t->anim->key_count * width, sizeof(float));
    for (uint32_t i = 0; i < t->anim->key_count; ++i) {
        uint32_t shape = t->anim->shapes[i];
        if (shape != t->anim->shapes[0]) is_still = false;
        if (shape != GLB_BASE) weights[(size_t)i * width + shape] = 1;
    }
    add_track(w, t, 0, "weights", weights, width, is_still);
    release(weights);
}

/* Adds a constant track. An animation needs at least one track, even if nothing moves. */
static void add_still_track(writer *w, tracks *t)
{
    float *numbers = (float *)allocate((size_t)t->anim->key_count, 3 * sizeof(float));
    add_track(w, t, 0, "translation", numbers, 3, true);
    release(numbers);
}

static void add_animation(writer *w, const glb_anim *anim)
{
    tracks t;
    memset(&t, 0, sizeof t);
    t.anim = anim;
    if (anim->poses) add_joint_tracks(w, &t);
    if (anim->shapes && w->model->shape_count > 0) add_shape_track(w, &t);

    if (t.channels.count == 0) add_still_track(w, &t);

    add_item(&w->animations);
    put_text(&w->animations.text, "{\"name\":");
    put_json_string(&w->animations.text, anim->name);
    put_list(&w->animations.text, "samplers", &t.samplers);
    put_list(&w->animations.text, "channels", &t.channels);
    put_text(&w->animations.text, "}");
}

/* -- The file ---------------------------------------------------------------------------------- */

static void put_chunk(blob *file, const char *type, const blob *content)
{
    put_u32(file, (uint32_t)content->size);
    put(file, type, 4);
    put(file, content->data, content->size);
}

blob write_glb(const glb_model *model)
{
    writer w;
    memset(&w, 0, sizeof w);
    w.model = model;
    for (uint32_t i = 0; i < model->part_count; ++i) add_part(&w, &model->parts[i]);
    for (uint32_t i = 0; i < model->picture_count; ++i) add_picture(&w, &model->pictures[i]);
    for (uint32_t i = 0; i < model->material_count; ++i) add_material(&w, &model->materials[i]);
    add_nodes(&w);

    blob json = { NULL, 0, 0 };
    put_text(&json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"mdconvert\"},\n\"scene\":0,\n"
             "\"scenes\":[{\"nodes\":");
    put_text(&json, model->joint_count > 0 ? "[0,1]}]" : "[0]}]");
    put_skin(&w, &json);
    find_animated(&w);
    for (uint32_t i = 0; i < model->anim_count; ++i) add_animation(&w, &model->anims[i]);
    put_mesh(&w, &json);
    if (w.textures.count > 0) {
        put_text(&json, ",\n\"samplers\":[{\"magFilter\":9729,\"minFilter\":9987}]");
    }
    put_list(&json, "nodes", &w.nodes);
    put_list(&json, "materials", &w.materials);
    put_list(&json, "textures", &w.textures);
    put_list(&json, "images", &w.images);
    put_list(&json, "animations", &w.animations);
    put_list(&json, "accessors", &w.accessors);
    put_list(&json, "bufferViews", &w.views);
    put_format(&json, ",\n\"buffers\":[{\"byteLength\":%lu}]}\n", (unsigned long)w.binary.size);
    align(&json, ' ');

    enum { HEADER_BYTES = 12, CHUNK_HEADER_BYTES = 8 };
    blob file = { NULL, 0, 0 };
    put_text(&file, "glTF");
    put_u32(&file, 2);
    put_u32(&file, (uint32_t)(HEADER_BYTES + 2 * CHUNK_HEADER_BYTES + json.size + w.binary.size));
    put_chunk(&file, "JSON", &json);
    put_chunk(&file, "BIN\0", &w.binary);
    free_blob(&json);
    free_blob(&w.binary);
    release(w.animated);
    return file;
}

void measure_glb(const glb_model *model, double size[3])
{
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    for (uint32_t i = 0; i < model->part_count; ++i) {
        const glb_part *part = &model->parts[i];
        for (size_t v = 0; v < 3 * (size_t)part->vertex_count; ++v) {
            low[v % 3] = fmin(low[v % 3], (double)part->positions[v]);
            high[v % 3] = fmax(high[v % 3], (double)part->positions[v]);
        }
    }
    for (int k = 0; k < 3; ++k) size[(k + 1) % 3] = high[k] - low[k];
}
