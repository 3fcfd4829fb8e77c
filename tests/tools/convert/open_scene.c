/* open_scene.c - opens a glTF file as a scene. Public domain. */
#include "from_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns true if a path is relative, never leaves the folder of the model on its way, and does not end at the folder
   itself. */
static bool is_below(const char *name)
{
    int depth = 0;
    if (name[0] == '/' || name[0] == '\\' || strchr(name, ':')) return false;
    while (*name && depth >= 0) {
        size_t length = strcspn(name, "/\\");
        bool   is_up = length == 2 && memcmp(name, "..", 2) == 0;
        bool   is_here = length == 0 || (length == 1 && name[0] == '.');
        if (is_up) --depth;
        else if (!is_here) ++depth;
        name += length + (name[length] ? 1 : 0);
    }
    return depth > 0;
}

static const char *read_beside(void *user, const char *name, blob *file)
{
    if (!is_below(name)) return "is not below the folder of the .gltf: copy it there";
    if (leaves_folder((const char *)user, name)) {
        return "is a link that leads out of the folder of the .gltf: copy the file there";
    }

    char       *path = join_path((const char *)user, name, "");
    const char *problem = file_exists(path) ? "is not a regular file" : "does not exist";
    if (is_file(path)) problem = read_blob(path, file) ? NULL : "cannot be read";
    release(path);
    return problem;
}

static void note_loose_vertices(const scene *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        const scene_instance *in = &s->instances[i];
        for (uint32_t v = 0; in->skin && v < in->part->vertex_count; ++v) {
            if (!has_weights(in->part, v)) ++count;
        }
    }
    if (count > 0) {
        note("%u vertices have no valid weights: they follow the node of their mesh", (unsigned)count);
    }
}

/* Reports faces that look different in MD2 and MD5: two-sided faces, and flat faces. */
static void note_faces(const scene *s)
{
    uint32_t two_sided = 0, flat = 0;
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        const scene_part *part = s->instances[i].part;
        if (part->is_flat) ++flat;
        if (part->material == NO_INDEX) continue;
        if (s->materials[part->material].is_two_sided) ++two_sided;
    }
    if (two_sided > 0) {
        note("%u of %u parts are two-sided: their backs show only if faces are not culled",
             (unsigned)two_sided, (unsigned)s->instance_count);
    }
    if (flat > 0) {
        note("%u of %u parts have no normals, so glTF shows flat faces: they become smooth",
             (unsigned)flat, (unsigned)s->instance_count);
    }
}

/* Limits the total number of vertices, because any number of nodes may show the same mesh. */
static bool check_vertices(const char *model, const scene *s)
{
    const uint64_t most = 1 << 22;
    uint64_t       count = 0;
    for (uint32_t i = 0; i < s->instance_count; ++i) count += s->instances[i].part->vertex_count;
    if (count <= most) return true;
    return fail(model, "its nodes show %.0f vertices, but mdconvert can convert at most %.0f",
                (double)count, (double)most);
}

/* Returns true for "mixamo.com" and "Armature|mixamo.com|Layer0": Mixamo gives all animations the same name, and
   Blender adds the names of the armature and the layer. */
static bool is_meaningless(const char *name)
{
    const char *bar = strstr(name, "mixamo.com");
    return bar && (bar == name || bar[-1] == '|');
}

/* Replaces meaningless names by the name of the file. */
static void name_by_file(scene *s, const char *path)
{
    for (uint32_t i = 0; i < s->anim_count; ++i) {
        if (!is_meaningless(s->anims[i].name)) continue;
        release(s->anims[i].name);
        s->anims[i].name = stem_of(path);
    }
}

scene *read_scene(const char *model, bool needs_triangles)
{
    gltf_options options = { read_beside, (void *)(uintptr_t)model, note };
    blob         file = { NULL, 0, 0 };
    char         problem[256];
    if (!read_blob(model, &file)) {
        fail(model, "cannot be opened");
        return NULL;
    }
    scene *s = read_gltf(file.data, file.size, &options, problem);
    free_blob(&file);
    if (!s) {
        fail(model, "%s", problem);
        return NULL;
    }
    if (needs_triangles && s->instance_count == 0) {
        fail(model, s->anim_count > 0 ? "the file has animations but no triangles: put it after the model"
             : "the file has no triangles");
        free_scene(s);
        return NULL;
    }
    if (!check_vertices(model, s)) {
        free_scene(s);
        return NULL;
    }
    name_by_file(s, model);
    if (needs_triangles) {
        note_loose_vertices(s);
        note_faces(s);
    }
    return s;
}

/* Returns the transform for --turn and --y-up. --y-up is applied first: it raises a model that lies on its back because
   its Z was up. */
static matrix root_transform_of(const convert_request *request)
{
    const double half = 0.5 * request->yaw / 180 * 3.14159265358979323846;
    const double rotation[4] = { 0, sin(half), 0, cos(half) };
    const double raise[4] = { -sqrt(0.5), 0, 0, sqrt(0.5) };
    const double zero[3] = { 0, 0, 0 }, one[3] = { 1, 1, 1 };
    matrix       rotated = compose(zero, rotation, one), raised = compose(zero, raise, one);
    return request->y_up ? multiply(&rotated, &raised) : rotated;
}

static bool has_this_name(const scene *s, const scene_instance *in, const char *name)
{
    uint32_t    material = in->part->material;
    const char *of_material = material == NO_INDEX ? "" : s->materials[material].name;
    return strcmp(name, s->nodes[in->node].name) == 0 || strcmp(name, in->mesh->name) == 0 ||
           strcmp(name, of_material) == 0;
}

/* Removes the parts that --without names. Returns false and reports an error if a name fits no part, or if no part is
   left. */
static bool leave_out(const convert_request *request, scene *s)
{
    for (int i = 0; i < request->without_count; ++i) {
        uint32_t kept = 0;
        for (uint32_t k = 0; k < s->instance_count; ++k) {
            const scene_instance in = s->instances[k];
            if (!has_this_name(s, &in, request->without[i])) s->instances[kept++] = in;
        }
        if (kept == s->instance_count) return fail(request->without[i], "no part has this name");
        if (kept == 0) return fail(request->without[i], "without it, nothing is left");
        s->instance_count = kept;
    }
    return true;
}

scene *open_scene(const convert_request *request)
{
    scene *s = read_scene(request->model, true);
    if (s && !leave_out(request, s)) {
        free_scene(s);
        return NULL;
    }
    bool stays = request->in_place || has_extension(request->output, ".md2");
    for (uint32_t i = 0; s && stays && i < s->anim_count; ++i) {
        const double up[3] = { 0, 1, 0 };
        keep_in_place(request, s, &s->anims[i], up, units_per_meter(request));
    }
    if (s && !add_sources(request, s)) {
        free_scene(s);
        s = NULL;
    }
    if (s) s->root_transform = root_transform_of(request);
    return s;
}

double units_per_meter(const convert_request *request)
{
    return (request->scale > 0 ? (double)request->scale : 1) / (double)METERS_PER_UNIT;
}

/* Returns true if the joint with the largest weight mirrors the vertex. */
static bool is_vertex_mirrored(const scene *s, const scene_instance *in, uint32_t vertex)
{
    influence list[MAX_SCENE_INFLUENCES];
    uint32_t  count = list_vertex_influences(in, vertex, list), most = 0;
    for (uint32_t i = 1; i < count; ++i) {
        if (list[i].weight > list[most].weight) most = i;
    }
    return is_mirrored(&s->nodes[list[most].node].world) != is_mirrored(list[most].to_node);
}

uint32_t *list_clockwise(const scene *s, const scene_instance *in)
{
    const scene_part *part = in->part;
    uint32_t         *indices = (uint32_t *)allocate(part->index_count, sizeof *indices);
    for (uint32_t i = 0; i < part->index_count; i += 3) {
        const uint32_t *corners = part->indices + i;
        bool            is_reversed = is_vertex_mirrored(s, in, corners[0]);
        for (uint32_t k = 0; k < 3; ++k) indices[i + k] = corners[is_reversed ? k : (3 - k) % 3];
    }
    return indices;
}
