/* read_meshes.c - reads the meshes of a glTF file. Public domain. */
#include "gltf_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Meshes: triangles ------------------------------------------------------------------------- */

enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };

/* Returns where the list of indices (or of vertices, if there are no indices) has corner `k` of a triangle. */
static uint32_t corner_of(uint32_t mode, uint32_t triangle, uint32_t k)
{
    if (mode == TRIANGLES) return 3 * triangle + k;
    if (mode == FAN) return k == 0 ? 0 : triangle + k;

    /* Every second triangle of a strip is reversed, so that all triangles face the same side. */
    bool is_reversed = triangle % 2 == 1 && k > 0;
    return triangle + (is_reversed ? 3 - k : k);
}

static bool read_triangles(reader *r, const json *source, uint32_t mode, uint32_t vertex_count,
                           scene_part *part)
{
    const accessor *a;
    if (!get_accessor(r, source, "indices", 1, &a)) return false;
    uint32_t listed = a ? a->count : vertex_count;
    uint32_t triangle_count = mode == TRIANGLES ? listed / 3 : listed < 3 ? 0 : listed - 2;
    part->indices = (uint32_t *)allocate(triangle_count, 3 * sizeof *part->indices);

    for (uint32_t i = 0; i < triangle_count; ++i) {
        uint32_t corners[3];
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t at = corner_of(mode, i, k);
            double   vertex = a ? a->numbers[at] : (double)at;
            if (!(vertex >= 0 && vertex < vertex_count)) {
                return refuse(r, "the file is damaged: a triangle uses a vertex that does not exist");
            }
            corners[k] = (uint32_t)vertex;
        }
        bool is_line = corners[0] == corners[1] || corners[1] == corners[2] ||
                       corners[2] == corners[0];
        if (is_line) continue;
        memcpy(part->indices + part->index_count, corners, sizeof corners);
        part->index_count += 3;
    }
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Removes the vertices that no triangle uses. Returns the old numbers of the remaining vertices. Many small parts may
   share the vertices of a large accessor, so this function visits only the vertices of the part's own triangles. */
static uint32_t *keep_used_vertices(reader *r, uint32_t vertex_count, scene_part *part)
{
    uint32_t *kept = (uint32_t *)allocate(part->index_count, sizeof *kept);
    if (r->number_room < vertex_count) {
        release(r->new_numbers);
        r->new_numbers = (uint32_t *)allocate(vertex_count, sizeof *r->new_numbers);
        r->number_room = vertex_count;
    }
    for (uint32_t i = 0; i < part->index_count; ++i) {
        uint32_t *number = &r->new_numbers[part->indices[i]];
        if (*number == 0) kept[part->vertex_count++] = part->indices[i];
        *number = 1;
    }
    qsort(kept, part->vertex_count, sizeof *kept, compare_numbers);
    for (uint32_t i = 0; i < part->vertex_count; ++i) r->new_numbers[kept[i]] = i;
    for (uint32_t i = 0; i < part->index_count; ++i) {
        part->indices[i] = r->new_numbers[part->indices[i]];
    }
    for (uint32_t i = 0; i < part->vertex_count; ++i) r->new_numbers[kept[i]] = 0;
    return kept;
}

/* -- Meshes: vertices -------------------------------------------------------------------------- */

typedef struct vertex_source {        /* the vertices of a part, as they are in the file */
    const json       *attributes;
    const uint32_t   *kept;           /* [part->vertex_count] number in the file */
    uint32_t          count;          /* number of vertices in the file */
    const scene_part *part;
} vertex_source;

/* Gets the accessor of an attribute; NULL if the part has no such attribute. Refuses an accessor with fewer rows than
   vertices. */
static bool get_attribute(reader *r, const vertex_source *from, const char *name, uint32_t width,
                          const accessor **out)
{
    if (!get_accessor(r, from->attributes, name, width, out)) return false;
    bool is_short = *out && (*out)->count < from->count;
    return is_short ? refuse(r, "the file is damaged: \"%s\" has too few rows", name) : true;
}

/* Reads an attribute of the kept vertices. If the part has no such attribute, *out stays NULL. Numbers that are not
   finite become 0, or are refused if `is_strict` is set. */
static bool read_rows(reader *r, const vertex_source *from, const char *name, uint32_t width,
                      bool is_strict, float **out)
{
    const accessor *a;
    if (!get_attribute(r, from, name, width, &a)) return false;
    if (!a) return true;

    *out = (float *)allocate(from->part->vertex_count, width * sizeof(float));
    for (uint32_t i = 0; i < from->part->vertex_count; ++i) {
        const double *row = a->numbers + (size_t)a->width * from->kept[i];
        for (uint32_t k = 0; k < width; ++k) {
            double x = k < a->width ? row[k] : 1; /* 1 is the alpha of a color without alpha. */
            bool   is_number = is_finite_list(&x, 1);
            if (!is_number && is_strict) {
                return refuse(r, "the file is damaged: \"%s\" has numbers that are not finite", name);
            }
            (*out)[(size_t)width * i + k] = is_number ? (float)x : 0;
        }
    }
    return true;
}

/* Reads the joints and weights of the vertices. JOINTS_0 and WEIGHTS_0 have four per vertex; JOINTS_1 and WEIGHTS_1
   have the next four. */
static bool read_influences(reader *r, const vertex_source *from, scene_part *part)
{
    const accessor *joints[MAX_SCENE_INFLUENCES / 4], *weights[MAX_SCENE_INFLUENCES / 4];
    uint32_t        sets = 0;
    for (; sets < MAX_SCENE_INFLUENCES / 4; ++sets) {
        char joint_name[16], weight_name[16];
        snprintf(joint_name, sizeof joint_name, "JOINTS_%u", (unsigned)sets);
        snprintf(weight_name, sizeof weight_name, "WEIGHTS_%u", (unsigned)sets);
        if (!get_attribute(r, from, joint_name, 4, &joints[sets])) return false;
        if (!get_attribute(r, from, weight_name, 4, &weights[sets])) return false;
        if (!joints[sets] || !weights[sets]) break;
    }

    size_t room = (size_t)part->vertex_count * 4 * sets;
    part->influence_count = 4 * sets;
    part->joints = (uint16_t *)allocate(room, sizeof *part->joints);
    part->weights = (float *)allocate(room, sizeof *part->weights);
    for (size_t i = 0; i < room; ++i) {
        size_t set = i / 4 % sets, at = 4 * (size_t)from->kept[i / (4 * sets)] + i % 4;
        double weight = weights[set]->numbers[at], joint = joints[set]->numbers[at];
        bool   counts = weight > 0 && is_finite_list(&weight, 1); /* false for NaN */
        if (!counts) continue;
        if (!(joint >= 0 && joint < 65536)) {
            return refuse(r, "the file is damaged: a vertex uses a joint that does not exist");
        }
        part->joints[i] = (uint16_t)joint;
        part->weights[i] = (float)weight;
    }
    return true;
}

static void transform_texcoords(const texture_mapping *mapping, scene_part *part)
{
    const double *scale = mapping->scale, *offset = mapping->offset;
    double        c = cos(mapping->rotation), s = sin(mapping->rotation);
    for (size_t i = 0; part->texcoords && i < part->vertex_count; ++i) {
        double u = scale[0] * (double)part->texcoords[2 * i];
        double v = scale[1] * (double)part->texcoords[2 * i + 1];
        double transformed[2] = { offset[0] + c * u + s * v, offset[1] - s * u + c * v };
        bool   is_finite = is_finite_list(transformed, 2);
        part->texcoords[2 * i] = is_finite ? (float)transformed[0] : 0;
        part->texcoords[2 * i + 1] = is_finite ? (float)transformed[1] : 0;
    }
}

static bool read_texcoords(reader *r, const vertex_source *from, scene_part *part)
{
    static const texture_mapping plain = { 0, { 0, 0 }, { 1, 1 }, 0 };
    const texture_mapping       *mapping = part->material == NO_INDEX ? &plain : &r->mappings[part->material];
    char                         name[16];
    snprintf(name, sizeof name, "TEXCOORD_%u", (unsigned)mapping->texcoord);
    if (!read_rows(r, from, name, 2, false, &part->texcoords)) return false;
    transform_texcoords(mapping, part);
    return true;
}

static bool read_targets(reader *r, const json *source, vertex_source from, scene_part *part)
{
    const json *list = member(source, "targets");
    part->targets = (scene_target *)allocate(count_children(list), sizeof *part->targets);
    for (const json *c = first_child(list); c; c = next_child(list, c)) {
        scene_target *target = &part->targets[part->target_count++];
        from.attributes = c;
        if (!read_rows(r, &from, "POSITION", 3, true, &target->positions)) return false;
        if (!read_rows(r, &from, "NORMAL", 3, false, &target->normals)) return false;
    }
    return true;
}

/* Adds the normal of a triangle; its length is twice the area. */
static void add_normal(const float *a, const float *b, const float *c, double out[3])
{
    double u[3], v[3];
    for (int k = 0; k < 3; ++k) u[k] = (double)b[k] - (double)a[k];
    for (int k = 0; k < 3; ++k) v[k] = (double)c[k] - (double)a[k];
    for (int k = 0; k < 3; ++k) {
        out[k] += u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    }
}

static uint32_t hash_position(const float position[3])
{
    uint32_t words[3], hash = 2166136261u;
    float    sum[3] = { position[0] + 0.0f, position[1] + 0.0f, position[2] + 0.0f }; /* -0 becomes 0 */
    memcpy(words, sum, sizeof words);
    for (int k = 0; k < 3; ++k) hash = (hash ^ words[k]) * 16777619u;
    return hash ^ hash >> 15;
}

/* Sets for each vertex the first vertex that has the same position, [vertex_count]. */
static void find_first_at_position(const scene_part *part, uint32_t *first)
{
    uint32_t  slot_count = 2 * part->vertex_count + 1;
    uint32_t *slots = (uint32_t *)allocate(slot_count, sizeof *slots); /* 1 + index of a vertex; 0 = free */
    for (uint32_t i = 0; i < part->vertex_count; ++i) {
        const float *position = part->positions + 3 * (size_t)i;
        uint32_t     slot = hash_position(position) % slot_count;
        for (; slots[slot]; slot = (slot + 1) % slot_count) {
            const float *other = part->positions + 3 * (size_t)(slots[slot] - 1);
            bool         is_same = !(other[0] < position[0] || other[0] > position[0] ||
                                    other[1] < position[1] || other[1] > position[1] ||
                                    other[2] < position[2] || other[2] > position[2]);
            if (is_same) break;
        }
        if (!slots[slot]) slots[slot] = i + 1;
        first[i] = slots[slot] - 1;
    }
    release(slots);
}

/* Computes smooth normals, because the file does not say which edges are hard. A vertex gets the mean normal of the
   triangles around its position, weighted by area. */
static void compute_normals(scene_part *part)
{
    uint32_t    *first = (uint32_t *)allocate(part->vertex_count, sizeof *first);
    double      *sums = (double *)allocate(part->vertex_count, 3 * sizeof *sums);
    const float *p = part->positions;
    part->normals = (float *)allocate(part->vertex_count, 3 * sizeof *part->normals);
    find_first_at_position(part, first);
    for (uint32_t i = 0; i < part->index_count; ++i) {
        const uint32_t *corners = part->indices + i / 3 * 3;
        add_normal(p + 3 * (size_t)corners[0], p + 3 * (size_t)corners[1],
                   p + 3 * (size_t)corners[2], sums + 3 * (size_t)first[part->indices[i]]);
    }
    for (uint32_t i = 0; i < part->vertex_count; ++i) {
        const double *n = sums + 3 * (size_t)first[i];
        double        length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        bool          is_normal = length > 0 && length < HUGE_VAL;
        for (size_t k = 0; is_normal && k < 3; ++k) {
            part->normals[3 * (size_t)i + k] = (float)(n[k] / length);
        }
    }
    release(first);
    release(sums);
}

/* -- Meshes ------------------------------------------------------------------------------------ */

static bool read_vertices(reader *r, const json *source, const vertex_source *from,
                          scene_part *part)
{
    if (!read_rows(r, from, "POSITION", 3, true, &part->positions)) return false;
    if (!read_rows(r, from, "NORMAL", 3, false, &part->normals)) return false;
    part->is_flat = !part->normals;
    if (part->is_flat) compute_normals(part);
    if (!read_rows(r, from, "COLOR_0", 4, false, &part->colors)) return false;
    return read_texcoords(r, from, part) && read_influences(r, from, part) &&
           read_targets(r, source, *from, part);
}

/* Reads a part of a mesh. The index_count of a part that has no triangles is 0. */
static bool read_part(reader *r, const json *source, const char *mesh, scene_part *part)
{
    uint32_t        mode;
    const accessor *positions = NULL;
    vertex_source   from = { member(source, "attributes"), NULL, 0, part };
    if (!get_unsigned(r, source, "mode", FAN + 1, TRIANGLES, &mode)) return false;
    if (!get_index(r, source, "material", r->s->material_count, &part->material)) return false;

    if (mode >= TRIANGLES && !get_attribute(r, &from, "POSITION", 3, &positions)) return false;
    from.count = positions ? positions->count : 0;
    if (positions && !read_triangles(r, source, mode, from.count, part)) return false;
    if (part->index_count == 0) {
        if (r->options->note) {
            r->options->note("a part of mesh \"%.100s\" has no triangles: left out", mesh);
        }
        return true;
    }

    uint32_t *kept = keep_used_vertices(r, from.count, part);
    from.kept = kept;
    bool is_good = read_vertices(r, source, &from, part);
    release(kept);
    return is_good;
}

float *read_weights(const json *object, uint32_t count, const float *fallback)
{
    float  *out = (float *)allocate(count, sizeof *out);
    double *numbers = (double *)allocate(count, sizeof *numbers);
    bool    is_given = count > 0 && numbers_of(object, "weights", numbers, count) == count &&
                    is_finite_list(numbers, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (is_given) out[i] = (float)numbers[i];
        else out[i] = fallback ? fallback[i] : 0;
    }
    release(numbers);
    return out;
}

static bool read_mesh(reader *r, const json *source, scene_mesh *mesh)
{
    const json *list = member(source, "primitives");
    mesh->name = copy_text(text_of(source, "name", ""));
    mesh->parts = (scene_part *)allocate(count_children(list), sizeof *mesh->parts);
    for (const json *c = first_child(list); c; c = next_child(list, c)) {
        scene_part *part = &mesh->parts[mesh->part_count++];
        if (!read_part(r, c, mesh->name, part)) return false;

        /* All parts of a mesh must have the same morph targets. */
        if (mesh->part_count == 1) mesh->target_count = count_children(member(c, "targets"));
        bool differs = part->index_count > 0 && part->target_count != mesh->target_count;
        if (differs) return refuse(r, "the file is damaged: parts of a mesh differ in their morph targets");
    }
    mesh->rest_weights = read_weights(source, mesh->target_count, NULL);
    return true;
}

bool read_meshes(reader *r)
{
    const json *list = member(r->root, "meshes");
    scene_mesh *mesh = (scene_mesh *)list_items(r, "meshes", sizeof *mesh, &r->s->mesh_count);
    r->s->meshes = mesh;
    for (const json *source = first_child(list); source; source = next_child(list, source)) {
        if (!read_mesh(r, source, mesh++)) return false;
    }
    return true;
}
