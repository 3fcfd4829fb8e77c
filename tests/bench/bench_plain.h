/* What the libraries are measured against: each task once more, as a competent programmer writes it
   from the description of the format, for well-formed files and without SIMD. Public domain. */
#ifndef BENCH_PLAIN_H_INCLUDED
#define BENCH_PLAIN_H_INCLUDED

#include "md2.h"
#include "md5.h"
#include "check.h"
#include "support.h"

/* -- MD2: every frame as floats -------------------------------------------- */

typedef struct plain_frames {
    float *positions, *normals; /* [frames][points][3] */
} plain_frames;

static inline uint32_t plain_u32(const unsigned char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* The header's words: 4 frame size, 6 points, 10 frames, 14 where the frames lie. */
static inline plain_frames plain_expand(const unsigned char *file)
{
    plain_frames out;
    size_t   frame_size = plain_u32(file + 16), points = plain_u32(file + 24);
    size_t   frames = plain_u32(file + 40), frame, i, k, at = 0;
    out.positions = (float *)malloc_or_abort(frames * points * 3 * sizeof(float));
    out.normals = (float *)malloc_or_abort(frames * points * 3 * sizeof(float));
    for (frame = 0; frame < frames; ++frame) {
        const unsigned char *bytes = file + plain_u32(file + 56) + frame * frame_size;
        float head[6];
        memcpy(head, bytes, sizeof head);
        for (i = 0; i < points; ++i, at += 3) {
            const unsigned char *point = bytes + 40 + 4 * i;
            const float         *normal = md2_normal(point[3]);
            for (k = 0; k < 3; ++k) {
                out.positions[at + k] = (float)point[k] * head[k] + head[3 + k];
                out.normals[at + k] = normal[k];
            }
        }
    }
    return out;
}

/* -- MD2: between two frames ----------------------------------------------- */

/* As in Quake II: the scales and translations of both frames are folded once, then each number
   costs two multiplications. */
static inline void plain_lerp(const md2_model *model, uint32_t from, uint32_t to, float t,
                              float *positions)
{
    const md2_frame *a = &model->frames[from], *b = &model->frames[to];
    float    origin[3], scale_a[3], scale_b[3];
    uint32_t i, k;
    for (k = 0; k < 3; ++k) {
        origin[k] = a->translate[k] * (1 - t) + b->translate[k] * t;
        scale_a[k] = a->scale[k] * (1 - t);
        scale_b[k] = b->scale[k] * t;
    }
    for (i = 0; i < model->vertex_count; ++i, positions += 3) {
        const md2_point *p = &a->points[model->vertices[i].point];
        const md2_point *q = &b->points[model->vertices[i].point];
        positions[0] = origin[0] + (float)p->x * scale_a[0] + (float)q->x * scale_b[0];
        positions[1] = origin[1] + (float)p->y * scale_a[1] + (float)q->y * scale_b[1];
        positions[2] = origin[2] + (float)p->z * scale_a[2] + (float)q->z * scale_b[2];
    }
}

static inline void plain_lerp_normals(const md2_model *model, uint32_t from, uint32_t to, float t,
                                      bool unit, float *normals)
{
    const md2_frame *a = &model->frames[from], *b = &model->frames[to];
    uint32_t i;
    for (i = 0; i < model->vertex_count; ++i, normals += 3) {
        const float *p = md2_normal(a->points[model->vertices[i].point].normal);
        const float *q = md2_normal(b->points[model->vertices[i].point].normal);
        float x = p[0] + (q[0] - p[0]) * t;
        float y = p[1] + (q[1] - p[1]) * t;
        float z = p[2] + (q[2] - p[2]) * t;
        float shrink = unit ? 1 / sqrtf(x * x + y * y + z * z) : 1;
        normals[0] = x * shrink;
        normals[1] = y * shrink;
        normals[2] = z * shrink;
    }
}

/* -- MD5 text: tokens in place, numbers by strtof and strtol ---------------- */

static inline char *plain_skip(char *at)
{
    for (;;) {
        while (*at && (unsigned char)*at <= ' ') ++at;
        if (at[0] != '/' || at[1] != '/') return at;
        while (*at && *at != '\n') ++at;
    }
}

static inline char *plain_symbol(char *at)
{
    at = plain_skip(at);
    return *at ? at + 1 : at;
}

static inline char *plain_word(char *at, char **word, size_t *size)
{
    bool quoted;
    at = plain_skip(at);
    quoted = *at == '"';
    *word = at += quoted;
    while (*at && (quoted ? *at != '"' : (unsigned char)*at > ' ')) ++at;
    *size = (size_t)(at - *word);
    return *at && quoted ? at + 1 : at;
}

static inline bool plain_is(const char *word, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(word, wanted, size) == 0;
}

static inline char *plain_int(char *at, int *out)
{
    char *end;
    *out = (int)strtol(plain_skip(at), &end, 10);
    return end;
}

static inline char *plain_float(char *at, float *out)
{
    char *end;
    *out = strtof(plain_skip(at), &end);
    return end;
}

static inline char *plain_tuple(char *at, float *out, int count)
{
    int i;
    at = plain_symbol(at);
    for (i = 0; i < count; ++i) at = plain_float(at, &out[i]);
    return plain_symbol(at);
}

typedef struct plain_joint {
    char *name;
    int   parent;
    float position[3], rotation[3];
} plain_joint;

typedef struct plain_vertex {
    float uv[2];
    int   first, count;
} plain_vertex;

typedef struct plain_weight {
    int   joint;
    float bias, position[3];
} plain_weight;

typedef struct plain_part {
    int           vertex_count, triangle_count, weight_count;
    plain_vertex *vertices;
    int         (*triangles)[3];
    plain_weight *weights;
} plain_part;

typedef struct plain_mesh {
    int          joint_count, part_count, parts_read;
    plain_joint *joints;
    plain_part  *parts;
} plain_mesh;

static inline char *plain_read_joints(char *at, plain_mesh *mesh)
{
    int    i;
    size_t size;
    mesh->joints = (plain_joint *)malloc_or_abort((size_t)mesh->joint_count * sizeof(plain_joint));
    at = plain_symbol(at);
    for (i = 0; i < mesh->joint_count; ++i) {
        plain_joint *joint = &mesh->joints[i];
        at = plain_word(at, &joint->name, &size);
        at = plain_int(at, &joint->parent);
        at = plain_tuple(at, joint->position, 3);
        at = plain_tuple(at, joint->rotation, 3);
    }
    return plain_symbol(at);
}

static inline char *plain_read_vertices(char *at, plain_part *part)
{
    int    i, number;
    char  *word;
    size_t size;
    at = plain_int(at, &part->vertex_count);
    part->vertices =
        (plain_vertex *)malloc_or_abort((size_t)part->vertex_count * sizeof(plain_vertex));
    for (i = 0; i < part->vertex_count; ++i) {
        at = plain_int(plain_word(at, &word, &size), &number);
        at = plain_tuple(at, part->vertices[i].uv, 2);
        at = plain_int(plain_int(at, &part->vertices[i].first), &part->vertices[i].count);
    }
    return at;
}

static inline char *plain_read_triangles(char *at, plain_part *part)
{
    int    i, number;
    char  *word;
    size_t size;
    at = plain_int(at, &part->triangle_count);
    part->triangles = (int(*)[3])malloc_or_abort((size_t)part->triangle_count * sizeof(int[3]));
    for (i = 0; i < part->triangle_count; ++i) {
        int *triangle = part->triangles[i];
        at = plain_int(plain_word(at, &word, &size), &number);
        at = plain_int(plain_int(plain_int(at, triangle), triangle + 1), triangle + 2);
    }
    return at;
}

static inline char *plain_read_weights(char *at, plain_part *part)
{
    int    i, number;
    char  *word;
    size_t size;
    at = plain_int(at, &part->weight_count);
    part->weights = (plain_weight *)malloc_or_abort((size_t)part->weight_count * sizeof(plain_weight));
    for (i = 0; i < part->weight_count; ++i) {
        plain_weight *weight = &part->weights[i];
        at = plain_int(plain_word(at, &word, &size), &number);
        at = plain_float(plain_int(at, &weight->joint), &weight->bias);
        at = plain_tuple(at, weight->position, 3);
    }
    return at;
}

static inline char *plain_read_part(char *at, plain_part *part)
{
    char  *word;
    size_t size;
    at = plain_symbol(at);
    for (;;) {
        at = plain_word(at, &word, &size);
        if (size == 0 || *word == '}') return at;
        if (plain_is(word, size, "shader")) at = plain_word(at, &word, &size);
        else if (plain_is(word, size, "numverts")) at = plain_read_vertices(at, part);
        else if (plain_is(word, size, "numtris")) at = plain_read_triangles(at, part);
        else if (plain_is(word, size, "numweights")) at = plain_read_weights(at, part);
    }
}

static inline plain_mesh plain_load_mesh(char *text)
{
    plain_mesh mesh;
    char      *at = text, *word;
    size_t     size;
    memset(&mesh, 0, sizeof mesh);
    for (;;) {
        at = plain_word(at, &word, &size);
        if (size == 0) return mesh;
        if (plain_is(word, size, "commandline")) {
            at = plain_word(at, &word, &size);
        } else if (plain_is(word, size, "numJoints")) {
            at = plain_int(at, &mesh.joint_count);
        } else if (plain_is(word, size, "numMeshes")) {
            at = plain_int(at, &mesh.part_count);
            mesh.parts = (plain_part *)malloc_or_abort((size_t)mesh.part_count * sizeof(plain_part));
            memset(mesh.parts, 0, (size_t)mesh.part_count * sizeof(plain_part));
        } else if (plain_is(word, size, "joints")) {
            at = plain_read_joints(at, &mesh);
        } else if (plain_is(word, size, "mesh") && mesh.parts_read < mesh.part_count) {
            at = plain_read_part(at, &mesh.parts[mesh.parts_read++]);
        }
    }
}

static inline void plain_free_mesh(plain_mesh *mesh)
{
    int i;
    for (i = 0; i < mesh->part_count; ++i) {
        free(mesh->parts[i].vertices);
        free(mesh->parts[i].triangles);
        free(mesh->parts[i].weights);
    }
    free(mesh->parts);
    free(mesh->joints);
}

typedef struct plain_track {
    char *name;
    int   parent, flags, start;
} plain_track;

typedef struct plain_anim {
    int          frame_count, joint_count, component_count;
    float        rate;
    plain_track *tracks;
    float       *bounds, *base, *components;
} plain_anim;

static inline float *plain_floats(int count, int each)
{
    return (float *)malloc_or_abort((size_t)count * (size_t)each * sizeof(float));
}

static inline char *plain_read_tracks(char *at, plain_anim *anim)
{
    int    i;
    size_t size;
    anim->tracks = (plain_track *)malloc_or_abort((size_t)anim->joint_count * sizeof(plain_track));
    at = plain_symbol(at);
    for (i = 0; i < anim->joint_count; ++i) {
        plain_track *track = &anim->tracks[i];
        at = plain_word(at, &track->name, &size);
        at = plain_int(plain_int(plain_int(at, &track->parent), &track->flags), &track->start);
    }
    return plain_symbol(at);
}

/* Pairs of tuples of three. */
static inline char *plain_read_pairs(char *at, float **out, int count)
{
    int i;
    *out = plain_floats(count, 6);
    at = plain_symbol(at);
    for (i = 0; i < count; ++i) {
        at = plain_tuple(at, *out + 6 * i, 3);
        at = plain_tuple(at, *out + 6 * i + 3, 3);
    }
    return plain_symbol(at);
}

static inline char *plain_read_frame(char *at, plain_anim *anim)
{
    int frame, i;
    at = plain_symbol(plain_int(at, &frame));
    if (!anim->components) {
        anim->components = plain_floats(anim->frame_count, anim->component_count);
    }
    if (frame < 0 || frame >= anim->frame_count) return at;
    for (i = 0; i < anim->component_count; ++i) {
        at = plain_float(at, &anim->components[frame * anim->component_count + i]);
    }
    return plain_symbol(at);
}

static inline plain_anim plain_load_anim(char *text)
{
    plain_anim anim;
    char      *at = text, *word;
    size_t     size;
    memset(&anim, 0, sizeof anim);
    for (;;) {
        at = plain_word(at, &word, &size);
        if (size == 0) return anim;
        if (plain_is(word, size, "commandline")) at = plain_word(at, &word, &size);
        else if (plain_is(word, size, "numFrames")) at = plain_int(at, &anim.frame_count);
        else if (plain_is(word, size, "numJoints")) at = plain_int(at, &anim.joint_count);
        else if (plain_is(word, size, "frameRate")) at = plain_float(at, &anim.rate);
        else if (plain_is(word, size, "numAnimatedComponents"))
            at = plain_int(at, &anim.component_count);
        else if (plain_is(word, size, "hierarchy")) at = plain_read_tracks(at, &anim);
        else if (plain_is(word, size, "bounds"))
            at = plain_read_pairs(at, &anim.bounds, anim.frame_count);
        else if (plain_is(word, size, "baseframe"))
            at = plain_read_pairs(at, &anim.base, anim.joint_count);
        else if (plain_is(word, size, "frame")) at = plain_read_frame(at, &anim);
    }
}

static inline void plain_free_anim(plain_anim *anim)
{
    free(anim->tracks);
    free(anim->bounds);
    free(anim->base);
    free(anim->components);
}

/* -- MD5: a pose between two frames ---------------------------------------- */

static inline void plain_decode_joint(const md5_anim *anim, uint32_t joint, uint32_t frame,
                                      float position[3], float q[4])
{
    const float *next = anim->components + (size_t)frame * anim->component_count +
                        anim->joint_start[joint];
    const float *base = anim->base + 6 * (size_t)joint;
    float    six[6], rest;
    uint32_t i;
    for (i = 0; i < 6; ++i) six[i] = anim->joint_flags[joint] >> i & 1 ? *next++ : base[i];
    memcpy(position, six, 3 * sizeof(float));
    memcpy(q, six + 3, 3 * sizeof(float));
    rest = 1 - q[0] * q[0] - q[1] * q[1] - q[2] * q[2];
    q[3] = rest > 0 ? -sqrtf(rest) : 0;
}

static inline void plain_slerp(const float a[4], const float b[4], float t, float out[4])
{
    float cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    float of_a = 1 - t, of_b = t, sign = cosine < 0 ? -1.0f : 1.0f;
    int   i;
    cosine *= sign;
    if (cosine < 0.9999f) {
        float sine = sqrtf(1 - cosine * cosine), angle = atan2f(sine, cosine), inverse = 1 / sine;
        of_a = sinf(of_a * angle) * inverse;
        of_b = sinf(t * angle) * inverse;
    }
    for (i = 0; i < 4; ++i) out[i] = of_a * a[i] + of_b * sign * b[i];
}

/* Three rows of four. */
static inline void plain_matrix(const float position[3], const float q[4], float out[12])
{
    float x = q[0], y = q[1], z = q[2], w = q[3];
    out[0] = 1 - 2 * (y * y + z * z);
    out[1] = 2 * (x * y - w * z);
    out[2] = 2 * (x * z + w * y);
    out[3] = position[0];
    out[4] = 2 * (x * y + w * z);
    out[5] = 1 - 2 * (x * x + z * z);
    out[6] = 2 * (y * z - w * x);
    out[7] = position[1];
    out[8] = 2 * (x * z - w * y);
    out[9] = 2 * (y * z + w * x);
    out[10] = 1 - 2 * (x * x + y * y);
    out[11] = position[2];
}

static inline void plain_compose(const float a[12], const float b[12], float out[12])
{
    int row, column;
    for (row = 0; row < 3; ++row) {
        const float *r = a + 4 * row;
        for (column = 0; column < 4; ++column) {
            out[4 * row + column] = r[0] * b[column] + r[1] * b[4 + column] + r[2] * b[8 + column] +
                                    (column == 3 ? r[3] : 0);
        }
    }
}

/* Both frames from the compact animation, slerp, matrices, down the hierarchy. */
static inline void plain_pose(const md5_anim *anim, uint32_t from, uint32_t to, float t, float *out)
{
    uint32_t i, k;
    for (i = 0; i < anim->joint_count; ++i) {
        float p[3], q[3], a[4], b[4], turn[4], local[12];
        plain_decode_joint(anim, i, from, p, a);
        plain_decode_joint(anim, i, to, q, b);
        for (k = 0; k < 3; ++k) p[k] += (q[k] - p[k]) * t;
        plain_slerp(a, b, t, turn);
        plain_matrix(p, turn, local);
        if (anim->parents[i] < 0) memcpy(out + 12 * i, local, sizeof local);
        else plain_compose(out + 12 * anim->parents[i], local, out + 12 * i);
    }
}

/* -- MD5: skinning ---------------------------------------------------------- */

static inline void plain_multiply(const float a[4], const float b[4], float out[4])
{
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[1] * b[3] + a[3] * b[1] + a[2] * b[0] - a[0] * b[2];
    out[2] = a[2] * b[3] + a[3] * b[2] + a[0] * b[1] - a[1] * b[0];
}

/* q v q*. The article on the format that everybody copies makes q unit each time, just in case. */
static inline void plain_rotate(const float q[4], const float v[3], bool make_unit, float out[3])
{
    float point[4], back[4], half[4], whole[4], shrink = 1;
    int   i;
    if (make_unit) {
        float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        shrink = length > 0 ? 1 / length : 0;
    }
    for (i = 0; i < 3; ++i) {
        point[i] = v[i];
        back[i] = -q[i] * shrink;
    }
    point[3] = 0;
    back[3] = q[3] * shrink;
    plain_multiply(q, point, half);
    plain_multiply(half, back, whole);
    memcpy(out, whole, 3 * sizeof(float));
}

/* Each weight's position turned by its joint, and summed by its bias. */
static inline void plain_skin(const md5_mesh *mesh, const md5_xform *pose, bool make_unit,
                              float *out)
{
    uint32_t i, k;
    for (i = 0; i < mesh->vertex_count; ++i, out += 3) {
        const md5_vertex *vertex = &mesh->vertices[i];
        out[0] = out[1] = out[2] = 0;
        for (k = 0; k < vertex->weight_count; ++k) {
            const md5_weight *weight = &mesh->weights[vertex->first_weight + k];
            const md5_xform  *joint = &pose[weight->joint];
            float turned[3];
            plain_rotate(joint->rotation, weight->position, make_unit, turned);
            out[0] += (joint->position[0] + turned[0]) * weight->bias;
            out[1] += (joint->position[1] + turned[1]) * weight->bias;
            out[2] += (joint->position[2] + turned[2]) * weight->bias;
        }
    }
}

/* -- MD5: what a renderer needs of a mesh, in bind pose ---------------------- */

typedef struct plain_frame {
    float position[3], normal[3], tangent[3];
} plain_frame;

static inline void plain_place(const plain_mesh *mesh, const plain_part *part, plain_frame *out)
{
    int i, k, axis;
    for (i = 0; i < part->vertex_count; ++i) {
        memset(&out[i], 0, sizeof out[i]);
        for (k = 0; k < part->vertices[i].count; ++k) {
            const plain_weight *weight = &part->weights[part->vertices[i].first + k];
            const plain_joint  *joint = &mesh->joints[weight->joint];
            float q[4], rest, turned[3];
            memcpy(q, joint->rotation, 3 * sizeof(float));
            rest = 1 - q[0] * q[0] - q[1] * q[1] - q[2] * q[2];
            q[3] = rest > 0 ? -sqrtf(rest) : 0;
            plain_rotate(q, weight->position, false, turned);
            for (axis = 0; axis < 3; ++axis) {
                out[i].position[axis] += (joint->position[axis] + turned[axis]) * weight->bias;
            }
        }
    }
}

/* The normal and the way in which u grows of each triangle, added at its corners. */
static inline void plain_add_triangle(const plain_part *part, const int corners[3],
                                      plain_frame *out)
{
    const plain_frame *a = &out[corners[0]], *b = &out[corners[1]], *c = &out[corners[2]];
    const float *s = part->vertices[corners[0]].uv, *t = part->vertices[corners[1]].uv;
    const float *r = part->vertices[corners[2]].uv;
    float e[3], f[3], normal[3];
    int   i, axis;
    for (axis = 0; axis < 3; ++axis) {
        e[axis] = b->position[axis] - a->position[axis];
        f[axis] = c->position[axis] - a->position[axis];
    }
    for (axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        normal[axis] = f[next] * e[last] - f[last] * e[next];
    }
    for (i = 0; i < 3; ++i) {
        for (axis = 0; axis < 3; ++axis) {
            out[corners[i]].normal[axis] += normal[axis];
            out[corners[i]].tangent[axis] += e[axis] * (r[1] - s[1]) - f[axis] * (t[1] - s[1]);
        }
    }
}

static inline void plain_make_unit(float v[3])
{
    float square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    float shrink = square > 0 ? 1 / sqrtf(square) : 0;
    v[0] *= shrink;
    v[1] *= shrink;
    v[2] *= shrink;
}

/* Returns something of the result. */
static inline float plain_prepare(const plain_mesh *mesh)
{
    int   part, i;
    float sum = 0;
    for (part = 0; part < mesh->parts_read; ++part) {
        const plain_part *from = &mesh->parts[part];
        plain_frame *out = (plain_frame *)malloc_or_abort((size_t)from->vertex_count * sizeof *out);
        plain_place(mesh, from, out);
        for (i = 0; i < from->triangle_count; ++i)
            plain_add_triangle(from, from->triangles[i], out);
        for (i = 0; i < from->vertex_count; ++i) {
            plain_make_unit(out[i].normal);
            plain_make_unit(out[i].tangent);
        }
        sum += from->vertex_count ? out[0].normal[0] + out[0].tangent[1] : 0;
        free(out);
    }
    return sum;
}

/* -- Animations from the names of frames ------------------------------------ */

typedef struct plain_clip {
    char     name[17];
    uint32_t first, count;
} plain_clip;

/* A name less its digits; a new one begins a new animation. */
static inline uint32_t plain_split(const char *const *names, uint32_t count, plain_clip *out)
{
    uint32_t i, clips = 0;
    for (i = 0; i < count; ++i) {
        size_t size = strlen(names[i]);
        while (size && names[i][size - 1] >= '0' && names[i][size - 1] <= '9') --size;
        if (!clips || strncmp(out[clips - 1].name, names[i], size) != 0 ||
            out[clips - 1].name[size]) {
            memcpy(out[clips].name, names[i], size);
            out[clips].name[size] = 0;
            out[clips].first = i;
            out[clips++].count = 0;
        }
        ++out[clips - 1].count;
    }
    return clips;
}

#endif /* BENCH_PLAIN_H_INCLUDED */
