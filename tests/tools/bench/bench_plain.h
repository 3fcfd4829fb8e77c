/* bench_plain.h: the plain code that the libraries are compared with: each task as a competent programmer would write
   it from the description of the format, for well-formed files and without SIMD. Public domain. */
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

/* Words of the file's header: 4 = size of a frame, 6 = points, 10 = frames, 14 = offset of the frames. */
static inline plain_frames plain_expand(const unsigned char *file)
{
    plain_frames out;
    size_t   frame_size = plain_u32(file + 16), points = plain_u32(file + 24);
    size_t   frames = plain_u32(file + 40), at = 0;
    out.positions = (float *)malloc_or_abort(frames * points * 3 * sizeof(float));
    out.normals = (float *)malloc_or_abort(frames * points * 3 * sizeof(float));
    for (size_t frame = 0; frame < frames; ++frame) {
        const unsigned char *bytes = file + plain_u32(file + 56) + frame * frame_size;
        float head[6];
        memcpy(head, bytes, sizeof head);
        for (size_t i = 0; i < points; ++i, at += 3) {
            const unsigned char *point = bytes + 40 + 4 * i;
            const float         *normal = md2_normal(point[3]);
            for (size_t k = 0; k < 3; ++k) {
                out.positions[at + k] = (float)point[k] * head[k] + head[3 + k];
                out.normals[at + k] = normal[k];
            }
        }
    }
    return out;
}

static inline void plain_free_frames(plain_frames *frames)
{
    free(frames->positions);
    free(frames->normals);
}

/* -- MD2: between two frames ----------------------------------------------- */

/* Blends two frames as Quake II does: combines the scales and translations of both frames once; then each coordinate
   takes two multiplications. */
static inline void plain_lerp(const md2_model *model, uint32_t from, uint32_t to, float t,
                              float *positions)
{
    const md2_frame *a = &model->frames[from], *b = &model->frames[to];
    float    origin[3], scale_a[3], scale_b[3];
    for (uint32_t k = 0; k < 3; ++k) {
        origin[k] = a->translate[k] * (1 - t) + b->translate[k] * t;
        scale_a[k] = a->scale[k] * (1 - t);
        scale_b[k] = b->scale[k] * t;
    }
    for (uint32_t i = 0; i < model->vertex_count; ++i, positions += 3) {
        const md2_point *p = &a->points[model->vertices[i].point];
        const md2_point *q = &b->points[model->vertices[i].point];
        positions[0] = origin[0] + (float)p->x * scale_a[0] + (float)q->x * scale_b[0];
        positions[1] = origin[1] + (float)p->y * scale_a[1] + (float)q->y * scale_b[1];
        positions[2] = origin[2] + (float)p->z * scale_a[2] + (float)q->z * scale_b[2];
    }
}

static inline void plain_lerp_normals(const md2_model *model, uint32_t from, uint32_t to, float t,
                                      float *normals)
{
    const md2_frame *a = &model->frames[from], *b = &model->frames[to];
    for (uint32_t i = 0; i < model->vertex_count; ++i, normals += 3) {
        const float *p = md2_normal(a->points[model->vertices[i].point].normal);
        const float *q = md2_normal(b->points[model->vertices[i].point].normal);
        float x = p[0] + (q[0] - p[0]) * t;
        float y = p[1] + (q[1] - p[1]) * t;
        float z = p[2] + (q[2] - p[2]) * t;
        float shrink = 1 / sqrtf(x * x + y * y + z * z);
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
    at = plain_skip(at);
    bool quoted = *at == '"';
    *word = at += quoted;
    while (*at && (quoted ? *at != '"' : (unsigned char)*at > ' ')) ++at;
    *size = (size_t)(at - *word);
    return *at && quoted ? at + 1 : at;
}

static inline bool plain_is(const char *word, size_t size, const char *wanted)
{
    return size == strlen(wanted) && memcmp(word, wanted, size) == 0;
}

typedef union plain_cell {
    int   i;
    float f;
} plain_cell;

/* Reads values as the format describes: i = integer, f = float, ( and ) = themselves; w = a word and n = a number that
   are skipped. */
static inline char *plain_read(char *at, const char *format, plain_cell *out)
{
    char  *word;
    size_t size;
    for (; *format; ++format) {
        at = plain_skip(at);
        switch (*format) {
        case 'i': (out++)->i = (int)strtol(at, &at, 10); break;
        case 'f': (out++)->f = strtof(at, &at); break;
        case 'n': strtol(at, &at, 10); break;
        case 'w': at = plain_word(at, &word, &size); break;
        default: at = plain_symbol(at);
        }
    }
    return at;
}

/* A list of items of one format, each of `width` cells. */
typedef struct plain_list {
    int         count;
    size_t      width;
    plain_cell *cells;
} plain_list;

static inline char *plain_read_list(char *at, const char *format, plain_cell count,
                                    plain_list *list)
{
    list->count = count.i;
    list->width = 0;
    for (const char *c = format; *c; ++c) list->width += *c == 'i' || *c == 'f';
    list->cells = (plain_cell *)malloc_or_abort((size_t)count.i * list->width * sizeof(plain_cell));
    for (int i = 0; i < count.i; ++i)
        at = plain_read(at, format, list->cells + (size_t)i * list->width);
    return at;
}

static inline char *plain_read_block(char *at, const char *format, plain_cell count,
                                     plain_list *list)
{
    return plain_symbol(plain_read_list(plain_symbol(at), format, count, list));
}

static inline char *plain_read_counted(char *at, const char *format, plain_list *list)
{
    plain_cell count;
    at = plain_read(at, "i", &count);
    return plain_read_list(at, format, count, list);
}

enum { PLAIN_PARTS = 64 };

typedef struct plain_part {
    plain_list vertices;  /* u, v, first weight, weights */
    plain_list triangles; /* three vertices */
    plain_list weights;   /* joint, bias, x, y, z */
} plain_part;

/* A mesh or an animation. The first part stays empty. */
typedef struct plain_md5 {
    plain_cell  joint_count, frame_count, component_count, rate;
    plain_list  joints; /* parent, position, rotation */
    int         part_count;
    plain_part  parts[PLAIN_PARTS];
    plain_list  tracks; /* parent, flags, start */
    plain_list  bounds, base;
    plain_cell *components;
} plain_md5;

static inline char *plain_read_frame(char *at, plain_md5 *md5)
{
    plain_cell frame;
    int count = md5->component_count.i;
    at = plain_symbol(plain_read(at, "i", &frame));
    if (!md5->components) {
        md5->components = (plain_cell *)malloc_or_abort((size_t)md5->frame_count.i * (size_t)count *
                                                        sizeof(plain_cell));
    }
    if (frame.i < 0 || frame.i >= md5->frame_count.i) return at;
    for (int i = 0; i < count; ++i) at = plain_read(at, "f", &md5->components[frame.i * count + i]);
    return plain_symbol(at);
}

static inline plain_md5 plain_load(char *text)
{
    plain_md5 md5 = { 0 };
    char     *at = text, *word;
    size_t    size;
#define IS(keyword) plain_is(word, size, keyword)
    for (;;) {
        plain_part *part = &md5.parts[md5.part_count];
        at = plain_word(at, &word, &size);
        if (size == 0) return md5;
        if (IS("commandline") || IS("shader")) at = plain_word(at, &word, &size);
        else if (IS("numJoints")) at = plain_read(at, "i", &md5.joint_count);
        else if (IS("numFrames")) at = plain_read(at, "i", &md5.frame_count);
        else if (IS("frameRate")) at = plain_read(at, "f", &md5.rate);
        else if (IS("numAnimatedComponents")) at = plain_read(at, "i", &md5.component_count);
        else if (IS("joints"))
            at = plain_read_block(at, "wi(fff)(fff)", md5.joint_count, &md5.joints);
        else if (IS("hierarchy")) at = plain_read_block(at, "wiii", md5.joint_count, &md5.tracks);
        else if (IS("bounds"))
            at = plain_read_block(at, "(fff)(fff)", md5.frame_count, &md5.bounds);
        else if (IS("baseframe"))
            at = plain_read_block(at, "(fff)(fff)", md5.joint_count, &md5.base);
        else if (IS("frame")) at = plain_read_frame(at, &md5);
        else if (IS("mesh")) md5.part_count += md5.part_count + 1 < PLAIN_PARTS;
        else if (IS("numverts")) at = plain_read_counted(at, "wn(ff)ii", &part->vertices);
        else if (IS("numtris")) at = plain_read_counted(at, "wniii", &part->triangles);
        else if (IS("numweights")) at = plain_read_counted(at, "wnif(fff)", &part->weights);
    }
#undef IS
}

static inline void plain_free(plain_md5 *md5)
{
    for (int i = 1; i <= md5->part_count; ++i) {
        free(md5->parts[i].vertices.cells);
        free(md5->parts[i].triangles.cells);
        free(md5->parts[i].weights.cells);
    }
    free(md5->joints.cells);
    free(md5->tracks.cells);
    free(md5->bounds.cells);
    free(md5->base.cells);
    free(md5->components);
}

/* -- MD5: a pose between two frames ---------------------------------------- */

static inline const md5_xform *plain_find_joint(const md5_anim *anim, uint32_t joint,
                                                uint32_t frame)
{
    uint32_t slot = anim->slots[joint], moving = anim->moving_count;
    return slot < moving ? &anim->frames[(size_t)frame * moving + slot]
                         : &anim->still[slot - moving];
}

static inline void plain_slerp(const float a[4], const float b[4], float t, float out[4])
{
    float cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    float of_a = 1 - t, of_b = t, sign = cosine < 0 ? -1.0f : 1.0f;
    cosine *= sign;
    if (cosine < 0.9999f) {
        float sine = sqrtf(1 - cosine * cosine), angle = atan2f(sine, cosine), inverse = 1 / sine;
        of_a = sinf(of_a * angle) * inverse;
        of_b = sinf(t * angle) * inverse;
    }
    for (int i = 0; i < 4; ++i) out[i] = of_a * a[i] + of_b * sign * b[i];
}

/* Writes a matrix of three rows of four. */
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
    for (int row = 0; row < 3; ++row) {
        const float *r = a + 4 * row;
        for (int column = 0; column < 4; ++column) {
            out[4 * row + column] = r[0] * b[column] + r[1] * b[4 + column] + r[2] * b[8 + column] +
                                    (column == 3 ? r[3] : 0);
        }
    }
}

/* Computes a pose: both frames, slerp, matrices, down the hierarchy. */
static inline void plain_pose(const md5_anim *anim, uint32_t from, uint32_t to, float t, float *out)
{
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        const md5_xform *a = plain_find_joint(anim, i, from), *b = plain_find_joint(anim, i, to);
        float            p[3], turn[4], local[12];
        for (uint32_t k = 0; k < 3; ++k)
            p[k] = a->position[k] + (b->position[k] - a->position[k]) * t;
        plain_slerp(a->rotation, b->rotation, t, turn);
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

/* Computes q v q*. Like the well-known article on the format, it normalizes q each time. */
static inline void plain_rotate(const float q[4], const float v[3], float out[3])
{
    float point[4], back[4], half[4], whole[4];
    float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    float shrink = length > 0 ? 1 / length : 0;
    for (int i = 0; i < 3; ++i) {
        point[i] = v[i];
        back[i] = -q[i] * shrink;
    }
    point[3] = 0;
    back[3] = q[3] * shrink;
    plain_multiply(q, point, half);
    plain_multiply(half, back, whole);
    memcpy(out, whole, 3 * sizeof(float));
}

/* Rotates the position of each weight with its joint, and sums the results, multiplied by the biases. */
static inline void plain_skin(const md5_mesh *mesh, const md5_xform *pose, float *out)
{
    for (uint32_t i = 0; i < mesh->vertex_count; ++i, out += 3) {
        const md5_vertex *vertex = &mesh->vertices[i];
        out[0] = out[1] = out[2] = 0;
        for (uint32_t k = 0; k < vertex->weight_count; ++k) {
            const md5_weight *weight = &mesh->weights[vertex->first_weight + k];
            const md5_xform  *joint = &pose[weight->joint];
            float turned[3];
            plain_rotate(joint->rotation, weight->position, turned);
            out[0] += (joint->position[0] + turned[0]) * weight->bias;
            out[1] += (joint->position[1] + turned[1]) * weight->bias;
            out[2] += (joint->position[2] + turned[2]) * weight->bias;
        }
    }
}

#endif /* BENCH_PLAIN_H_INCLUDED */
