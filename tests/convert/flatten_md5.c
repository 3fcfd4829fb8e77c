/* flatten_md5.c - from MD5 to the MD2 of a distant character: its animations as frames, its meshes
   as one, its skeleton gone. Public domain. */
#include "mdconvert.h"
#include "../viewer/folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Points: vertices that always move together --------------------------------------------------- */

typedef struct corner {               /* a vertex of a mesh that triangles use */
    uint32_t mesh, vertex, point;
    int16_t  s, t;
} corner;

typedef struct flat_model {
    const md5_model *model;
    corner          *corners;
    uint32_t         corner_count, point_count;
    uint32_t        *indices;         /* of corners */
    uint32_t         index_count, flat_count; /* flat: triangles without area, left out */
    uint32_t       **corner_of;       /* [mesh][vertex] 1 + a corner, 0 = none */
    uint32_t         skin_width, skin_height;
    uint32_t         beyond_count;    /* texture coordinates outside of the picture */
} flat_model;

static const md5_vertex *vertex_of(const flat_model *f, const corner *c)
{
    return &f->model->meshes[c->mesh].vertices[c->vertex];
}

/* Two vertices along the seam of a skin: one place, the same weights. Not the two sides of a cape,
   whose normals are opposite. */
static bool move_together(const flat_model *f, const corner *a, const corner *b)
{
    const md5_vertex *x = vertex_of(f, a), *y = vertex_of(f, b);
    if (x->weight_count != y->weight_count) return false;
    float dot = x->normal[0] * y->normal[0] + x->normal[1] * y->normal[1] +
                x->normal[2] * y->normal[2];
    if (!(dot > 0)) return false;

    const md5_weight *first = f->model->meshes[a->mesh].weights + x->first_weight;
    const md5_weight *second = f->model->meshes[b->mesh].weights + y->first_weight;
    for (uint32_t i = 0; i < x->weight_count; ++i) {
        if (memcmp(&first[i], &second[i], sizeof *first) != 0) return false;
    }
    return true;
}

static uint32_t hash_place(const md5_vertex *vertex)
{
    uint32_t hash = 2166136261u;
    for (int k = 0; k < 3; ++k) {
        uint32_t bits;
        float    x = vertex->position[k] + 0; /* no -0 */
        memcpy(&bits, &x, sizeof bits);
        hash = (hash ^ bits) * 16777619u;
        hash ^= hash >> 15;
    }
    return hash;
}

static void number_points(flat_model *f)
{
    uint32_t  slot_count = 2 * f->corner_count + 1;
    uint32_t *slots = (uint32_t *)allocate(slot_count, sizeof(uint32_t)); /* 1 + a corner */
    for (uint32_t i = 0; i < f->corner_count; ++i) {
        corner  *c = &f->corners[i];
        uint32_t slot = hash_place(vertex_of(f, c)) % slot_count;
        while (slots[slot] && !move_together(f, &f->corners[slots[slot] - 1], c)) {
            slot = (slot + 1) % slot_count;
        }
        if (slots[slot]) {
            c->point = f->corners[slots[slot] - 1].point;
        } else {
            c->point = f->point_count++;
            slots[slot] = i + 1;
        }
    }
    free(slots);
}

/* -- Triangles and texture coordinates --------------------------------------------------------------- */

static int16_t to_texel(double coordinate, uint32_t size)
{
    double texel = floor(coordinate * size); /* the middle of a texel lies half a texel farther */
    if (!(texel > INT16_MIN)) return INT16_MIN;
    return texel < INT16_MAX ? (int16_t)texel : INT16_MAX;
}

static uint32_t find_corner(flat_model *f, uint32_t mesh, uint32_t vertex)
{
    uint32_t *number = &f->corner_of[mesh][vertex];
    if (*number == 0) {
        const md5_vertex *v = &f->model->meshes[mesh].vertices[vertex];
        corner           *c = &f->corners[f->corner_count];
        c->mesh = mesh;
        c->vertex = vertex;
        c->s = to_texel((double)v->u, f->skin_width);
        c->t = to_texel((double)v->v, f->skin_height);
        bool is_inside = v->u >= 0 && v->u <= 1 && v->v >= 0 && v->v <= 1;
        if (!is_inside) ++f->beyond_count;
        *number = ++f->corner_count;
    }
    return *number - 1;
}

static void list_corners(flat_model *f)
{
    size_t vertex_count = 0, index_count = 0;
    f->corner_of = (uint32_t **)allocate(f->model->mesh_count, sizeof *f->corner_of);
    for (uint32_t i = 0; i < f->model->mesh_count; ++i) {
        vertex_count += f->model->meshes[i].vertex_count;
        index_count += f->model->meshes[i].index_count;
        f->corner_of[i] = (uint32_t *)allocate(f->model->meshes[i].vertex_count, sizeof(uint32_t));
    }
    f->corners = (corner *)allocate(vertex_count, sizeof(corner));
    f->indices = (uint32_t *)allocate(index_count, sizeof(uint32_t));

    for (uint32_t i = 0; i < f->model->mesh_count; ++i) {
        const md5_mesh *mesh = &f->model->meshes[i];
        for (uint32_t k = 0; k < mesh->index_count; ++k) {
            f->indices[f->index_count++] = find_corner(f, i, mesh->indices[k]);
        }
    }
}

static void drop_flat_triangles(flat_model *f)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < f->index_count; i += 3) {
        uint32_t *corners = f->indices + i;
        uint32_t  a = f->corners[corners[0]].point;
        uint32_t  b = f->corners[corners[1]].point;
        uint32_t  c = f->corners[corners[2]].point;
        if (a == b || b == c || c == a) {
            ++f->flat_count;
            continue;
        }
        memmove(f->indices + kept, corners, 3 * sizeof(uint32_t));
        kept += 3;
    }
    f->index_count = kept;
}

static void free_flat(flat_model *f)
{
    for (uint32_t i = 0; i < f->model->mesh_count; ++i) free(f->corner_of[i]);
    free(f->corner_of);
    free(f->corners);
    free(f->indices);
}

/* Each pair of texels once. */
static md2_out_vertex *list_vertices(const flat_model *f, int16_t *texcoords, uint32_t *count)
{
    md2_out_vertex *vertices = (md2_out_vertex *)allocate(f->corner_count, sizeof *vertices);
    uint32_t        slot_count = 2 * f->corner_count + 1;
    uint32_t       *slots = (uint32_t *)allocate(slot_count, sizeof(uint32_t));
    *count = 0;
    for (uint32_t i = 0; i < f->corner_count; ++i) {
        const corner *c = &f->corners[i];
        uint32_t      key = (uint32_t)(uint16_t)c->s << 16 | (uint16_t)c->t;
        uint32_t      slot = (uint32_t)(((uint64_t)key * 2654435761u >> 8) % slot_count);
        for (; slots[slot]; slot = (slot + 1) % slot_count) {
            const int16_t *known = texcoords + 2 * (size_t)(slots[slot] - 1);
            if (known[0] == c->s && known[1] == c->t) break;
        }
        if (!slots[slot]) {
            texcoords[2 * *count] = c->s;
            texcoords[2 * *count + 1] = c->t;
            slots[slot] = ++*count;
        }
        vertices[i].point = c->point;
        vertices[i].texcoord = slots[slot] - 1;
    }
    free(slots);
    return vertices;
}

/* -- Frames ------------------------------------------------------------------------------------------- */

/* When an animation is sampled. One that ends as it begins is cut into whole steps of equal length, so
   that it goes on without a halt; its last frame, which is its first, is left out. */
typedef struct sampling {
    uint32_t count;
    double   step;                    /* seconds of the animation */
    md5_mode mode;
} sampling;

static sampling plan_sampling(const md5_anim *anim, double fps)
{
    sampling s = { 1, 0, MD5_ONCE };
    if (anim->closed && anim->frame_count > 1) s.mode = MD5_LOOP;
    double length = md5_anim_length(anim, s.mode);
    double steps = floor(length * fps + 0.5);
    if (s.mode == MD5_LOOP) {
        s.count = steps > 1 ? (uint32_t)steps : 1;
        s.step = length / s.count;
    } else if (length > 0) {
        uint32_t step_count = steps > 1 ? (uint32_t)steps : 1;
        s.count = step_count + 1;
        s.step = length / step_count;
    }

    double played = (s.mode == MD5_LOOP ? s.count : s.count - 1) / fps;
    bool   differs = fabs(played - length) > 0.02 * length;
    if (differs) note("%s: %.3g seconds became %.3g, a whole number of frames", anim->name, length, played);
    return s;
}

typedef struct sampler {
    const flat_model *flat;
    const job        *j;
    md5_xform        *pose;
    float            *positions, *normals; /* of the mesh with the most vertices */
    double           *point_positions, *point_normals;
} sampler;

static sampler begin_sampler(const flat_model *f, const job *j)
{
    sampler s;
    size_t  most = 0;
    for (uint32_t i = 0; i < f->model->mesh_count; ++i) {
        if (f->model->meshes[i].vertex_count > most) most = f->model->meshes[i].vertex_count;
    }
    s.flat = f;
    s.j = j;
    s.pose = (md5_xform *)allocate(f->model->joint_count, sizeof *s.pose);
    s.positions = (float *)allocate(3 * most, sizeof(float));
    s.normals = (float *)allocate(3 * most, sizeof(float));
    s.point_positions = (double *)allocate(3 * (size_t)f->point_count, sizeof(double));
    s.point_normals = (double *)allocate(3 * (size_t)f->point_count, sizeof(double));
    return s;
}

static void end_sampler(sampler *s)
{
    free(s->pose);
    free(s->positions);
    free(s->normals);
    free(s->point_positions);
    free(s->point_normals);
}

/* A point takes the place of any of its corners, and all their normals. A model with Y up is turned:
   (x, y, z) becomes (z, x, y). */
static void gather_points(sampler *s, uint32_t mesh)
{
    const flat_model *f = s->flat;
    uint32_t          shift = s->j->y_up ? 2 : 0;
    for (uint32_t i = 0; i < f->corner_count; ++i) {
        const corner *c = &f->corners[i];
        if (c->mesh != mesh) continue;
        for (uint32_t k = 0; k < 3; ++k) {
            size_t from = 3 * (size_t)c->vertex + (k + shift) % 3;
            s->point_positions[3 * (size_t)c->point + k] = (double)s->positions[from];
            s->point_normals[3 * (size_t)c->point + k] += (double)s->normals[from];
        }
    }
}

/* `s->pose` is in model space. */
static void add_frame(sampler *s, md2_out_frame *frame)
{
    const flat_model *f = s->flat;
    memset(s->point_normals, 0, 3 * (size_t)f->point_count * sizeof(double));
    for (uint32_t i = 0; i < f->model->mesh_count; ++i) {
        md5_pose_vertices(f->model, i, s->pose, s->positions, 0, s->normals, 0, NULL, 0);
        gather_points(s, i);
    }
    quantise_frame(frame, s->point_positions, s->point_normals, f->point_count);
}

static md2_out_frame *sample_anims(const job *j, const cast *c, const flat_model *f, uint32_t *total)
{
    double      fps = j->fps > 0 ? (double)j->fps : 10;
    uint32_t    anim_count = c->anim_count > 0 ? c->anim_count : 1;
    sampling   *plans = (sampling *)allocate(anim_count, sizeof *plans);
    uint32_t   *counts = (uint32_t *)allocate(anim_count, sizeof *counts);
    const char **names = (const char **)allocate(anim_count, sizeof *names);
    counts[0] = 1;                    /* without animations the bind pose */
    names[0] = "bind";
    *total = c->anim_count > 0 ? 0 : 1;
    for (uint32_t i = 0; i < c->anim_count; ++i) {
        plans[i] = plan_sampling(c->anims[i], fps);
        counts[i] = plans[i].count;
        names[i] = c->anims[i]->name;
        *total += counts[i];
    }

    md2_out_frame *frames = (md2_out_frame *)allocate(*total, sizeof *frames);
    sampler        s = begin_sampler(f, j);
    uint32_t       at = 0;
    if (c->anim_count == 0) {
        md5_pose_bind(c->model, s.pose);
        md5_pose_to_model_space(c->model, s.pose, s.pose);
        add_frame(&s, &frames[at]);
    }
    for (uint32_t i = 0; i < c->anim_count; ++i) {
        for (uint32_t k = 0; k < counts[i]; ++k) {
            progress("frames", at, *total);
            md5_pose_at(c->anims[i], plans[i].mode, k * plans[i].step, s.pose);
            md5_pose_to_model_space(c->model, s.pose, s.pose);
            add_frame(&s, &frames[at++]);
        }
    }
    name_frames(names, counts, anim_count, frames);

    end_sampler(&s);
    free(names);
    free(counts);
    free(plans);
    return frames;
}

/* -- The skin ----------------------------------------------------------------------------------------- */

/* Reads how large the picture of the first mesh that has one is, and puts a copy beside the MD2 unless
   it lies there. Its file name is in `name`, which is empty if there is none. */
static void take_skin(const job *j, flat_model *f, char name[MD2_SKIN_LETTERS + 1], outputs *o)
{
    enum { UNKNOWN_SIZE = 256 };
    char *first = NULL;
    f->skin_width = f->skin_height = UNKNOWN_SIZE;
    name[0] = 0;
    for (uint32_t i = 0; i < f->model->mesh_count; ++i) {
        char *path = find_md5_picture(f->model, j->model, i);
        if (!path) {
            note("no picture is found for \"%s\"", f->model->meshes[i].shader);
            continue;
        }
        bool is_other = first && strcmp(first, path) != 0;
        if (is_other) note("an MD2 has one skin: %s is left out, its mesh shows %s", path, first);
        if (first) free(path);
        else first = path;
    }
    if (!first) return;

    glb_picture picture;
    char        problem[256];
    if (!read_picture(first, &picture, &f->skin_width, &f->skin_height, problem)) {
        note("the picture %s is left out: %s", first, problem);
        free(first);
        return;
    }
    free_picture(&picture);

    const char *file = file_name(first);
    if (strlen(file) > MD2_SKIN_LETTERS) note("the name of the skin is cut to 63 letters: %s", file);
    snprintf(name, MD2_SKIN_LETTERS + 1, "%s", file);
    char *beside = join_path(j->output, name, "");
    blob copy = { NULL, 0, 0 };
    if (!file_exists(beside) && read_blob(first, &copy)) add_output(o, beside, &copy);
    free(beside);
    free(first);
}

static bool check_limits(const job *j, const flat_model *f)
{
    enum { MOST = 65536, QUAKE2_POINTS = 2048, QUAKE2_TRIANGLES = 4096 };
    uint32_t triangle_count = f->index_count / 3;
    if (triangle_count == 0) return fail(j->model, "it has no triangles");
    if (f->point_count > MOST || f->corner_count > MOST) {
        return fail(j->model, "%u points and %u vertices: an MD2 numbers 65,536",
                    (unsigned)f->point_count, (unsigned)f->corner_count);
    }

    if (f->point_count > QUAKE2_POINTS) {
        note("%u points: id's own Quake II takes 2,048, other engines and md2.h more",
             (unsigned)f->point_count);
    }
    if (triangle_count > QUAKE2_TRIANGLES) {
        note("%u triangles: id's own Quake II takes 4,096, other engines and md2.h more",
             (unsigned)triangle_count);
    }
    if (f->flat_count > 0) note("%u triangles without area: left out", (unsigned)f->flat_count);
    if (f->beyond_count > 0) {
        note("%u texture coordinates outside of the picture: the engine must repeat the skin",
             (unsigned)f->beyond_count);
    }
    return true;
}

/* -- All of it ---------------------------------------------------------------------------------------- */

static void write_flat(const job *j, const cast *c, const flat_model *f, const char *skin, outputs *o)
{
    enum { QUAKE2_FRAMES = 512 };
    md2_out out;
    memset(&out, 0, sizeof out);
    out.skin_width = f->skin_width;
    out.skin_height = f->skin_height;
    out.skins = &skin;
    out.skin_count = skin[0] ? 1 : 0;
    out.point_count = f->point_count;
    out.vertex_count = f->corner_count;
    out.indices = f->indices;
    out.index_count = f->index_count;

    int16_t        *texcoords = (int16_t *)allocate(2 * (size_t)f->corner_count, sizeof *texcoords);
    md2_out_vertex *vertices = list_vertices(f, texcoords, &out.texcoord_count);
    out.texcoords = texcoords;
    out.vertices = vertices;

    md2_out_frame *frames = sample_anims(j, c, f, &out.frame_count);
    out.frames = frames;
    if (out.frame_count > QUAKE2_FRAMES) {
        note("%u frames: id's own Quake II takes 512, other engines and md2.h more",
             (unsigned)out.frame_count);
    }

    blob file = write_md2(&out);
    add_output(o, j->output, &file);
    for (uint32_t i = 0; i < out.frame_count; ++i) free(frames[i].points);
    free(frames);
    free(vertices);
    free(texcoords);
}

bool md5_to_md2(const job *j, outputs *o)
{
    cast c;
    if (!load_cast(j, MD5_KEEP_WINDING, j->scale, &c)) return false;

    flat_model f;
    char       skin[MD2_SKIN_LETTERS + 1];
    memset(&f, 0, sizeof f);
    f.model = c.model;
    take_skin(j, &f, skin, o);
    list_corners(&f);
    number_points(&f);
    drop_flat_triangles(&f);

    bool is_good = check_limits(j, &f);
    if (is_good) write_flat(j, &c, &f, skin, o);
    free_flat(&f);
    free_cast(&c);
    return is_good;
}
