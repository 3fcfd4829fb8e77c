/* bake_md2.c - converts any animated model to an MD2: its animations become frames, and its meshes become one mesh.
   Public domain. */
#include "mdconvert.h"
#include "../viewer/folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Points ------------------------------------------------------------------------------------ */

typedef struct corner {               /* a vertex of the MD2: a vertex that a triangle of a mesh uses */
    uint32_t mesh, vertex, point;
    int16_t  s, t;                    /* texel */
} corner;

typedef struct baked_model {          /* the MD2 without its frames */
    const bake_source *source;
    corner            *corners;
    uint32_t           corner_count, point_count;
    uint32_t          *indices;       /* indices of corners */
    uint32_t           index_count;
    uint32_t           degenerate_count; /* triangles without area, which are left out */
    uint32_t         **corner_of;     /* [mesh][vertex] 1 + index of the corner; 0 = no corner yet */
    uint32_t           outside_count; /* texture coordinates outside the picture */
} baked_model;

/* Returns true if two vertices become the same point: their positions are equal in all frames, and their normals in the
   rest pose differ by at most 25 degrees. Vertices on a texture seam become the same point; vertices on a hard edge do
   not. */
static bool becomes_same_point(const baked_model *baked, const corner *a, const corner *b)
{
    const bake_mesh *first = &baked->source->meshes[a->mesh], *second = &baked->source->meshes[b->mesh];
    if (first->motion_ids[a->vertex] != second->motion_ids[b->vertex]) return false;

    const double least = 0.906308;    /* cosine of 25 degrees */
    const float *x = first->normals + 3 * (size_t)a->vertex;
    const float *y = second->normals + 3 * (size_t)b->vertex;
    double       dot = 0, squares[2] = { 0, 0 };
    for (int k = 0; k < 3; ++k) {
        dot += (double)x[k] * (double)y[k];
        squares[0] += (double)x[k] * (double)x[k];
        squares[1] += (double)y[k] * (double)y[k];
    }
    return dot >= least * sqrt(squares[0] * squares[1]);
}

static void number_points(baked_model *baked)
{
    uint32_t  slot_count = 2 * baked->corner_count + 1;
    uint32_t *slots = (uint32_t *)allocate(slot_count, sizeof(uint32_t)); /* 1 + index of a corner; 0 = free */
    for (uint32_t i = 0; i < baked->corner_count; ++i) {
        corner  *c = &baked->corners[i];
        uint32_t slot = (uint32_t)(baked->source->meshes[c->mesh].motion_ids[c->vertex] % slot_count);
        while (slots[slot] && !becomes_same_point(baked, &baked->corners[slots[slot] - 1], c)) {
            slot = (slot + 1) % slot_count;
        }
        if (slots[slot]) {
            c->point = baked->corners[slots[slot] - 1].point;
        } else {
            c->point = baked->point_count++;
            slots[slot] = i + 1;
        }
    }
    release(slots);
}

/* -- Triangles and texture coordinates --------------------------------------------------------- */

/* Converts a texture coordinate to the texel that contains it. A coordinate of 1, the right edge of the picture,
   becomes the last texel. */
static int16_t containing_texel(double coordinate, uint32_t size)
{
    double texel = coordinate < 1 || coordinate > 1 ? floor(coordinate * size) : (double)size - 1;
    if (!(texel > INT16_MIN)) return INT16_MIN;
    return texel < INT16_MAX ? (int16_t)texel : INT16_MAX;
}

static uint32_t find_corner(baked_model *baked, uint32_t mesh, uint32_t vertex)
{
    uint32_t *number = &baked->corner_of[mesh][vertex];
    if (*number == 0) {
        const float *uv = baked->source->meshes[mesh].texcoords + 2 * (size_t)vertex;
        corner      *c = &baked->corners[baked->corner_count];
        c->mesh = mesh;
        c->vertex = vertex;
        c->s = containing_texel((double)uv[0], baked->source->skin_width);
        c->t = containing_texel((double)uv[1], baked->source->skin_height);
        bool is_inside = uv[0] >= 0 && uv[0] <= 1 && uv[1] >= 0 && uv[1] <= 1;
        if (!is_inside) ++baked->outside_count;
        *number = ++baked->corner_count;
    }
    return *number - 1;
}

static void list_corners(baked_model *baked)
{
    size_t vertex_count = 0, index_count = 0;
    baked->corner_of = (uint32_t **)allocate(baked->source->mesh_count, sizeof *baked->corner_of);
    for (uint32_t i = 0; i < baked->source->mesh_count; ++i) {
        vertex_count += baked->source->meshes[i].vertex_count;
        index_count += baked->source->meshes[i].index_count;
        baked->corner_of[i] = (uint32_t *)allocate(baked->source->meshes[i].vertex_count, sizeof(uint32_t));
    }
    baked->corners = (corner *)allocate(vertex_count, sizeof(corner));
    baked->indices = (uint32_t *)allocate(index_count, sizeof(uint32_t));

    for (uint32_t i = 0; i < baked->source->mesh_count; ++i) {
        const bake_mesh *mesh = &baked->source->meshes[i];
        for (uint32_t k = 0; k < mesh->index_count; ++k) {
            baked->indices[baked->index_count++] = find_corner(baked, i, mesh->indices[k]);
        }
    }
}

static void drop_degenerate_triangles(baked_model *baked)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < baked->index_count; i += 3) {
        uint32_t *corners = baked->indices + i;
        uint32_t  a = baked->corners[corners[0]].point;
        uint32_t  b = baked->corners[corners[1]].point;
        uint32_t  c = baked->corners[corners[2]].point;
        if (a == b || b == c || c == a) {
            ++baked->degenerate_count;
            continue;
        }
        memmove(baked->indices + kept, corners, 3 * sizeof(uint32_t));
        kept += 3;
    }
    baked->index_count = kept;
}

static void free_baked(baked_model *baked)
{
    for (uint32_t i = 0; i < baked->source->mesh_count; ++i) release(baked->corner_of[i]);
    release(baked->corner_of);
    release(baked->corners);
    release(baked->indices);
}

static md2_out_vertex *list_vertices(const baked_model *baked, int16_t *texcoords, uint32_t *count)
{
    md2_out_vertex *vertices = (md2_out_vertex *)allocate(baked->corner_count, sizeof *vertices);
    for (uint32_t i = 0; i < baked->corner_count; ++i) {
        vertices[i].point = baked->corners[i].point;
        texcoords[2 * (size_t)i] = baked->corners[i].s;
        texcoords[2 * (size_t)i + 1] = baked->corners[i].t;
    }
    *count = merge_texcoords(texcoords, vertices, baked->corner_count);
    return vertices;
}

/* -- Frames ------------------------------------------------------------------------------------ */

#define USUAL_FPS 10.0

static double rate_of(const convert_request *request)
{
    return request->fps > 0 ? (double)request->fps : USUAL_FPS;
}

static double count_steps(const bake_anim *anim, double fps)
{
    return fmax(floor(anim->length * fps + 0.5), 1);
}

/* Returns the number of frames of an animation. A loop of 1 second has 10 frames at 10 frames per second, because a
   frame at its end would repeat the first frame. Any other animation of 1 second has 11 frames, so that a death ends on
   the ground. The result may exceed 32 bits. */
static double count_frames(const bake_anim *anim, double fps)
{
    if (!(anim->length > 0)) return 1;
    return count_steps(anim, fps) + (anim->loops ? 0 : 1);
}

static bool check_frames(const convert_request *request, const bake_source *source)
{
    const double most = 65536;
    double       total = 0;
    for (uint32_t i = 0; i < source->anim_count; ++i) {
        total += count_frames(&source->anims[i], rate_of(request));
    }
    if (total <= most) return true;
    return fail(request->model, "its %u animations have %.0f frames, but an MD2 has room for 65,536: "
                "select some of them with --only NAME", (unsigned)source->anim_count, total);
}

/* Prints a note if rounding to whole frames changes the length of an animation by more than 2 %: the number of such
   animations, and the largest change. */
static void note_lengths(const bake_source *source, double fps)
{
    const bake_anim *most_changed = NULL;
    double           most = 0;
    uint32_t         count = 0;
    for (uint32_t i = 0; i < source->anim_count; ++i) {
        const bake_anim *anim = &source->anims[i];
        if (!(anim->length > 0)) continue;

        double change = fabs(count_steps(anim, fps) / fps - anim->length) / anim->length;
        if (change <= 0.02) continue;
        if (change > most) {
            most = change;
            most_changed = anim;
        }
        ++count;
    }
    if (!most_changed) return;
    note("lengths rounded to whole frames: %u; the largest change: %s, from %.3g to %.3g seconds",
         (unsigned)count, most_changed->name, most_changed->length,
         count_steps(most_changed, fps) / fps);
}

static double frame_time(const bake_anim *anim, double fps, uint32_t frame, uint32_t count)
{
    bool is_end = !anim->loops && frame + 1 == count;
    return is_end ? anim->length : fmin(frame / fps, anim->length);
}

typedef struct sampler {
    const baked_model     *model;
    const convert_request *request;
    float                 *positions, *normals; /* of one mesh; large enough for the largest mesh */
    double                *point_positions, *point_normals; /* of the whole frame */
} sampler;

static sampler begin_sampler(const baked_model *baked, const convert_request *request)
{
    sampler s;
    size_t  most = 0;
    for (uint32_t i = 0; i < baked->source->mesh_count; ++i) {
        if (baked->source->meshes[i].vertex_count > most) most = baked->source->meshes[i].vertex_count;
    }
    s.model = baked;
    s.request = request;
    s.positions = (float *)allocate(3 * most, sizeof(float));
    s.normals = (float *)allocate(3 * most, sizeof(float));
    s.point_positions = (double *)allocate(3 * (size_t)baked->point_count, sizeof(double));
    s.point_normals = (double *)allocate(3 * (size_t)baked->point_count, sizeof(double));
    return s;
}

static void end_sampler(sampler *s)
{
    release(s->positions);
    release(s->normals);
    release(s->point_positions);
    release(s->point_normals);
}

/* Collects the points of a mesh: each point gets the position of its last corner, and the sum of its corners' normals.
   A model with Y up is converted to Z up: (x, y, z) becomes (z, x, y). *at is the index of the first corner of the
   mesh, and becomes the index of the first corner of the next mesh. */
static void gather_points(sampler *s, uint32_t mesh, uint32_t *at)
{
    const baked_model *baked = s->model;
    uint32_t          shift = baked->source->y_up ? 2 : 0;
    for (; *at < baked->corner_count && baked->corners[*at].mesh == mesh; ++*at) {
        const corner *c = &baked->corners[*at];
        for (uint32_t k = 0; k < 3; ++k) {
            size_t from = 3 * (size_t)c->vertex + (k + shift) % 3;
            s->point_positions[3 * (size_t)c->point + k] = (double)s->positions[from];
            s->point_normals[3 * (size_t)c->point + k] += (double)s->normals[from];
        }
    }
}

static void add_frame(sampler *s, uint32_t anim, double time, md2_out_frame *frame)
{
    const baked_model  *baked = s->model;
    const bake_source *source = baked->source;
    uint32_t           corner_at = 0;
    memset(s->point_normals, 0, 3 * (size_t)baked->point_count * sizeof(double));
    source->pose(source->user, anim, time);
    for (uint32_t i = 0; i < source->mesh_count; ++i) {
        source->get_vertices(source->user, i, s->positions, s->normals);
        for (size_t v = 0; v < source->meshes[i].vertex_count; ++v) {
            rotate_vector(source->yaw, source->y_up ? 1 : 2, s->positions + 3 * v);
            rotate_vector(source->yaw, source->y_up ? 1 : 2, s->normals + 3 * v);
        }
        gather_points(s, i, &corner_at);
    }
    quantize_frame(frame, s->point_positions, s->point_normals, baked->point_count);
}

/* Copies a frame, except its name. */
static void repeat_frame(const md2_out_frame *frame, md2_out_frame *copy, uint32_t point_count)
{
    memcpy(copy->scale, frame->scale, sizeof frame->scale);
    memcpy(copy->translate, frame->translate, sizeof frame->translate);
    copy->points = (uint8_t *)allocate(point_count, 4);
    memcpy(copy->points, frame->points, 4 * (size_t)point_count);
}

/* Samples the frames of all animations, one animation after another. */
static void sample_frames(const convert_request *request, const baked_model *baked, const uint32_t *counts,
                          uint32_t total, md2_out_frame *frames)
{
    const bake_source *source = baked->source;
    sampler            s = begin_sampler(baked, request);
    uint32_t           at = 0;
    for (uint32_t i = 0; i < source->anim_count; ++i) {
        for (uint32_t k = 0; k < counts[i]; ++k, ++at) {
            progress("frames", at, total);
            add_frame(&s, i, frame_time(&source->anims[i], rate_of(request), k, counts[i]), &frames[at]);
        }
    }
    if (source->anim_count == 0) add_frame(&s, BAKE_REST, 0, &frames[0]);
    end_sampler(&s);
}

static md2_out_frame *sample_anims(const convert_request *request, const baked_model *baked, uint32_t *total)
{
    const bake_source *source = baked->source;
    double             fps = rate_of(request);
    uint32_t           anim_count = source->anim_count > 0 ? source->anim_count : 1;
    uint32_t          *counts = (uint32_t *)allocate(anim_count, sizeof *counts);
    const char       **names = (const char **)allocate(anim_count, sizeof *names);
    counts[0] = 1;                    /* for a model without animations: one frame, the rest pose */
    names[0] = "bind";
    *total = source->anim_count > 0 ? 0 : 1;
    for (uint32_t i = 0; i < source->anim_count; ++i) {
        counts[i] = (uint32_t)count_frames(&source->anims[i], fps);
        names[i] = source->anims[i].name;
        *total += counts[i];
    }
    note_lengths(source, fps);
    bool is_usual = fabs(fps - USUAL_FPS) < 1e-6;
    if (!is_usual) note("%g frames per second: an MD2 does not store its rate, so load it with options.fps", fps);

    size_t         room = (size_t)*total + MD2_EXTRA_FRAMES;
    md2_out_frame *frames = (md2_out_frame *)allocate(room, sizeof *frames);
    sample_frames(request, baked, counts, *total, frames);
    uint32_t extra = name_frames(names, counts, anim_count, frames);
    for (; extra > 0; --extra, ++*total) {
        repeat_frame(&frames[*total - 1], &frames[*total], baked->point_count);
    }

    release(names);
    release(counts);
    return frames;
}

md2_out_frame *sample_points(const convert_request *request, const bake_source *source, uint32_t mesh,
                             const uint32_t *points, uint32_t point_count, uint32_t *counts, uint32_t *total)
{
    uint32_t    vertex_count = source->meshes[mesh].vertex_count;
    baked_model baked;
    *total = 0;
    if (!check_frames(request, source)) return NULL;
    memset(&baked, 0, sizeof baked);
    baked.source = source;
    baked.point_count = point_count;
    baked.corners = (corner *)allocate((size_t)vertex_count + point_count, sizeof *baked.corners);
    bool *is_used = (bool *)allocate(point_count, sizeof *is_used);
    for (uint32_t i = 0; i < vertex_count; ++i) {
        if (points[i] == UINT32_MAX) continue;
        corner *c = &baked.corners[baked.corner_count++];
        c->mesh = mesh;
        c->vertex = i;
        c->point = points[i];
        is_used[points[i]] = true;
    }

    /* A point without a vertex gets the position of the first vertex, so that it does not enlarge the bounds of a
       frame. */
    for (uint32_t i = 0; i < point_count; ++i) {
        if (is_used[i]) continue;
        baked.corners[baked.corner_count].mesh = mesh;
        baked.corners[baked.corner_count++].point = i;
    }
    release(is_used);
    for (uint32_t i = 0; i < source->anim_count; ++i) {
        counts[i] = (uint32_t)count_frames(&source->anims[i], rate_of(request));
        *total += counts[i];
    }
    if (mesh == 0) note_lengths(source, rate_of(request));
    md2_out_frame *frames = (md2_out_frame *)allocate(*total, sizeof *frames);
    sample_frames(request, &baked, counts, *total, frames);
    release(baked.corners);
    return frames;
}

/* -- Conversion -------------------------------------------------------------------------------- */

void note_md2_limits(const md2_out *model)
{
    const struct { uint32_t count, most; const char *what, *engine; } limits[] = {
        { model->point_count, 2048, "points", "Quake II itself allows 2,048" },
        { model->index_count / 3, 2048, "triangles",
          "renderers with Quake's limits allow 2,048, and Quake II itself 4,096" },
        { model->frame_count, 512, "frames", "Quake II itself allows 512" },
    };
    for (int i = 0; i < COUNT(limits); ++i) {
        if (limits[i].count <= limits[i].most) continue;
        note("%u %s: %s; other engines and md2.h allow more", (unsigned)limits[i].count, limits[i].what,
             limits[i].engine);
    }
}

static bool check_limits(const convert_request *request, const baked_model *baked)
{
    enum { MOST = 65536 };
    uint32_t triangle_count = baked->index_count / 3;
    if (triangle_count == 0) return fail(request->model, "the model has no triangles");
    if (baked->point_count > MOST || baked->corner_count > MOST) {
        return fail(request->model, "%u points and %u vertices, but an MD2 allows 65,536 of each: reduce the mesh",
                    (unsigned)baked->point_count, (unsigned)baked->corner_count);
    }

    if (baked->degenerate_count > 0) note("%u triangles without area: left out", (unsigned)baked->degenerate_count);
    if (baked->outside_count > 0) {
        note("%u texture coordinates outside the picture: the engine must repeat the skin",
             (unsigned)baked->outside_count);
    }
    return true;
}

/* Adds the skin to the output files, unless the same file is already next to the MD2. Sets `name`, the path of the skin
   in the MD2. */
static void add_skin(const convert_request *request, const bake_source *source, char name[MD2_SKIN_LENGTH + 1],
                     outputs *o)
{
    name[0] = 0;
    if (!source->skin_name) return;

    if (strlen(source->skin_name) > MD2_SKIN_LENGTH) {
        note("the name of the skin is cut to 63 characters, the limit of an MD2: %s", source->skin_name);
    }
    snprintf(name, MD2_SKIN_LENGTH + 1, "%s", source->skin_name);
    char *path = join_path(request->output, name, "");
    add_picture_file(o, path, &source->skin_file);
    release(path);
}

static void write_baked(const convert_request *request, const baked_model *baked, outputs *o)
{
    char skin[MD2_SKIN_LENGTH + 1];
    add_skin(request, baked->source, skin, o);

    const char *skins = skin;
    md2_out     out;
    memset(&out, 0, sizeof out);
    out.skin_width = baked->source->skin_width;
    out.skin_height = baked->source->skin_height;
    out.skins = &skins;
    out.skin_count = skin[0] ? 1 : 0;
    out.point_count = baked->point_count;
    out.vertex_count = baked->corner_count;
    out.indices = baked->indices;
    out.index_count = baked->index_count;

    int16_t        *texcoords = (int16_t *)allocate(2 * (size_t)baked->corner_count, sizeof *texcoords);
    md2_out_vertex *vertices = list_vertices(baked, texcoords, &out.texcoord_count);
    out.texcoords = texcoords;
    out.vertices = vertices;

    md2_out_frame *frames = sample_anims(request, baked, &out.frame_count);
    out.frames = frames;
    note_md2_limits(&out);
    blob file = write_md2(&out);
    add_output(o, request->output, &file);
    for (uint32_t i = 0; i < out.frame_count; ++i) release(frames[i].points);
    release(frames);
    release(vertices);
    release(texcoords);
}

bool bake_md2(const convert_request *request, const bake_source *source, outputs *o)
{
    baked_model baked;
    if (!check_frames(request, source)) return false;
    memset(&baked, 0, sizeof baked);
    baked.source = source;
    list_corners(&baked);
    number_points(&baked);
    drop_degenerate_triangles(&baked);

    bool is_good = check_limits(request, &baked);
    if (is_good) write_baked(request, &baked, o);
    free_baked(&baked);
    return is_good;
}

/* -- Functions for sources --------------------------------------------------------------------- */

uint64_t hash_more(uint64_t hash, const void *data, size_t size)
{
    const uint64_t prime = (uint64_t)0x100u << 32 | 0x1B3u;
    const uint8_t *bytes = (const uint8_t *)data;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * prime;
    return hash ^ hash >> 29;
}

void free_bake_mesh(bake_mesh *mesh)
{
    release(mesh->indices);
    release(mesh->texcoords);
    release(mesh->normals);
    release(mesh->motion_ids);
}
