/* scene_to_md2.c - converts glTF to MD2. Public domain. */
#include "from_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene_poser {          /* arguments of the functions of a bake_source */
    scene    *s;
    double    scale;                  /* units per meter */
    uint32_t *anims;                  /* indices of the selected animations in the scene */
    double   *positions, *normals;    /* vertices of one part; room for the largest part */
    size_t    vertex_count;           /* vertices of all parts together */
    double    size;                   /* longest side of the bounding box at rest; meters */
} scene_poser;

static void pose_scene_at(void *user, uint32_t index, double seconds)
{
    scene_poser      *all = (scene_poser *)user;
    const scene_anim *anim = index == BAKE_REST ? NULL : &all->s->anims[all->anims[index]];
    pose_scene(all->s, anim, anim ? fmin(anim->start + seconds, anim->end) : 0);
}

/* Gets the vertices of a part, converted from the axes of glTF (Z forward, X left, Y up) to the axes of an MD2 (X
   forward, Y left, Z up). */
static void get_scene_vertices(void *user, uint32_t mesh, float *positions, float *normals)
{
    const scene_poser    *all = (const scene_poser *)user;
    const scene_instance *in = &all->s->instances[mesh];
    pose_instance(all->s, in, all->positions, all->normals);
    for (size_t i = 0; i < in->part->vertex_count; ++i) {
        const double *p = all->positions + 3 * i, *n = all->normals + 3 * i;
        double        length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        double        factor = length > 0 && length < HUGE_VAL ? 1 / length : 0;
        for (size_t k = 0; k < 3; ++k) {
            positions[3 * i + k] = (float)(p[(k + 2) % 3] * all->scale);
            normals[3 * i + k] = (float)(n[(k + 2) % 3] * factor);
        }
    }
}

/* Returns the motion_id of a vertex: a hash of everything that determines its position in a pose. */
static uint64_t hash_motion(const scene_instance *in, uint32_t vertex)
{
    const scene_part *part = in->part;
    influence         list[MAX_SCENE_INFLUENCES];
    uint32_t          count = list_vertex_influences(in, vertex, list);
    size_t            at = 3 * (size_t)vertex;
    uint64_t          hash = hash_more(1, part->positions + at, 3 * sizeof(float));
    for (uint32_t i = 0; i < part->target_count; ++i) {
        const float *moved = part->targets[i].positions;
        if (moved) hash = hash_more(hash, moved + at, 3 * sizeof(float));
    }
    for (uint32_t i = 0; i < count; ++i) {
        hash = hash_more(hash, &list[i].node, sizeof list[i].node);
        hash = hash_more(hash, list[i].to_node, sizeof *list[i].to_node);
        hash = hash_more(hash, &list[i].weight, sizeof list[i].weight);
    }
    return hash;
}

static bake_mesh make_bake_mesh(scene_poser *all, uint32_t index)
{
    const scene_instance *in = &all->s->instances[index];
    const scene_part     *part = in->part;
    size_t                count = part->vertex_count;
    bake_mesh             out;
    float                *positions = (float *)allocate(count, 3 * sizeof(float));
    out.vertex_count = part->vertex_count;
    out.index_count = part->index_count;
    out.indices = list_clockwise(all->s, in);
    out.texcoords = (float *)allocate(count, 2 * sizeof(float));
    out.normals = (float *)allocate(count, 3 * sizeof(float));
    out.motion_ids = (uint64_t *)allocate(count, sizeof(uint64_t));
    get_scene_vertices(all, index, positions, out.normals);
    for (size_t i = 0; i < count; ++i) out.motion_ids[i] = hash_motion(in, (uint32_t)i);
    if (part->texcoords) memcpy(out.texcoords, part->texcoords, count * 2 * sizeof(float));
    release(positions);
    return out;
}

/* Allocates the buffers for the vertices of the largest part. */
static void allocate_buffers(scene_poser *all)
{
    size_t most = 0;
    for (uint32_t i = 0; i < all->s->instance_count; ++i) {
        size_t count = all->s->instances[i].part->vertex_count;
        all->vertex_count += count;
        if (count > most) most = count;
    }
    all->positions = (double *)allocate(most, 3 * sizeof(double));
    all->normals = (double *)allocate(most, 3 * sizeof(double));
}

/* Returns the first node that the animation moves, parents first: for a character, the root of the skeleton. NO_INDEX =
   none. */
static uint32_t find_root(const scene *s, const scene_anim *anim)
{
    bool *is_moved = (bool *)allocate(s->node_count, sizeof *is_moved);
    for (uint32_t t = 0; t < anim->track_count; ++t) {
        if (anim->tracks[t].path != TRACK_WEIGHTS) is_moved[anim->tracks[t].node] = true;
    }
    uint32_t first = 0;
    while (first < s->node_count && !is_moved[s->order[first]]) ++first;
    release(is_moved);
    return first < s->node_count ? s->order[first] : NO_INDEX;
}

/* Returns the positions of all vertices at a time, [vertex_count][3], relative to a node (NO_INDEX = the scene). Free
   them. */
static double *get_positions(scene_poser *all, const scene_anim *anim, double time, uint32_t node)
{
    scene  *s = all->s;
    double *positions = (double *)allocate(all->vertex_count, 3 * sizeof *positions), *next = positions;
    matrix  back = identity_matrix();
    pose_scene(s, anim, time);
    if (node != NO_INDEX) invert(&s->nodes[node].world, &back);
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        pose_instance(s, &s->instances[i], next, all->normals);
        next += 3 * (size_t)s->instances[i].part->vertex_count;
    }
    for (double *p = positions; p < next; p += 3) transform(&back, p, 1, p);
    return positions;
}

/* Returns the longest distance that any vertex moves along an axis between two times. */
static double longest_movement(scene_poser *all, const scene_anim *anim, double from, double to,
                           uint32_t node)
{
    double *before = get_positions(all, anim, from, node), *after = get_positions(all, anim, to, node);
    double  most = 0;
    for (size_t k = 0; k < 3 * all->vertex_count; ++k) {
        most = fmax(most, fabs(before[k] - after[k]));
    }
    release(before);
    release(after);
    return most;
}

/* Returns the longest side of the bounding box at rest. */
static double size_of(scene_poser *all)
{
    double  low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
    double  high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    double *positions = get_positions(all, NULL, 0, NO_INDEX), size = 0;
    for (size_t k = 0; k < 3 * all->vertex_count; ++k) {
        low[k % 3] = fmin(low[k % 3], positions[k]);
        high[k % 3] = fmax(high[k % 3], positions[k]);
    }
    for (int k = 0; k < 3; ++k) size = fmax(size, high[k] - low[k]);
    release(positions);
    return size;
}

/* Returns true if an animation ends in the pose in which it begins. As in md5.h, the poses may differ by a quarter of
   the mean of the first and the last step, of at most 0.1 seconds each. Vertices are compared relative to the root, so
   that a walk with root motion is a loop. */
static bool is_loop(scene_poser *all, const scene_anim *anim)
{
    double   negligible = 1e-4 * all->size;
    double   step = fmin(0.1, (anim->end - anim->start) / 2);
    uint32_t relative_to_node[2] = { find_root(all->s, anim), NO_INDEX };
    for (int i = 0; i < 2; ++i) {
        double difference = longest_movement(all, anim, anim->start, anim->end, relative_to_node[i]);
        double first = longest_movement(all, anim, anim->start, anim->start + step, relative_to_node[i]);
        double last = longest_movement(all, anim, anim->end - step, anim->end, relative_to_node[i]);
        bool   has_moved = first + last > negligible || relative_to_node[i] == NO_INDEX;
        if (has_moved) return difference <= fmax(negligible, (first + last) / 8);
    }
    return false;
}

static void add_anims(const convert_request *request, scene_poser *all, char *const *names, bake_source *source)
{
    scene *s = all->s;
    all->size = size_of(all);
    all->anims = (uint32_t *)allocate(s->anim_count, sizeof *all->anims);
    source->anims = (bake_anim *)allocate(s->anim_count, sizeof *source->anims);
    for (uint32_t i = 0; i < s->anim_count; ++i) {
        if (!is_wanted(request, names[i])) continue;
        bake_anim *out = &source->anims[source->anim_count];
        out->name = new_name_of(request, names[i]);
        out->length = s->anims[i].end - s->anims[i].start;
        out->loops = is_loop(all, &s->anims[i]);
        all->anims[source->anim_count++] = i;
    }
}

/* -- The skin ---------------------------------------------------------------------------------- */

static void use_skin(const texture *skin, bake_source *source)
{
    const uint32_t unknown_size = 256;
    source->skin_width = skin->width > 0 ? skin->width : unknown_size;
    source->skin_height = skin->height > 0 ? skin->height : unknown_size;
    if (skin->file.size == 0) return;
    source->skin_name = join_path(skin->name, skin->name, skin->extension);
    source->skin_file = skin->file;
}

/* -- Conversion -------------------------------------------------------------------------------- */

static bool bake_scene(const convert_request *request, scene_poser *all, char *const *names, outputs *o)
{
    bake_source source;
    memset(&source, 0, sizeof source);
    textures p = make_textures(all->s);
    if (p.count > 1) pack_textures(all->s, &p);
    use_skin(&p.list[0], &source);
    allocate_buffers(all);
    pose_scene(all->s, NULL, 0);
    source.mesh_count = all->s->instance_count;
    source.meshes = (bake_mesh *)allocate(source.mesh_count, sizeof *source.meshes);
    for (uint32_t i = 0; i < source.mesh_count; ++i) source.meshes[i] = make_bake_mesh(all, i);
    add_anims(request, all, names, &source);
    source.user = all;
    source.pose = pose_scene_at;
    source.get_vertices = get_scene_vertices;
    bool is_good = bake_md2(request, &source, o);

    for (uint32_t i = 0; i < source.mesh_count; ++i) free_bake_mesh(&source.meshes[i]);
    release(source.meshes);
    release(source.anims);
    release(source.skin_name);
    release(all->anims);
    release(all->positions);
    release(all->normals);
    free_textures(&p);
    return is_good;
}

bool scene_to_md2(const convert_request *request, outputs *o)
{
    scene_poser all;
    memset(&all, 0, sizeof all);
    all.s = open_scene(request);
    if (!all.s) return false;

    all.scale = units_per_meter(request);
    char **names = name_anims(all.s);
    bool   is_good = check_only(request, (const char *const *)names, all.s->anim_count);
    if (is_good) is_good = bake_scene(request, &all, names, o);
    free_names(names, all.s->anim_count);
    free_scene(all.s);
    return is_good;
}
