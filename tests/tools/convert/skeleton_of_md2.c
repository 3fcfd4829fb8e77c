/* skeleton_of_md2.c - an MD2 becomes an MD5, or a glTF with a skin: bones.h finds what moves it,
   and this looks whether anything can, writes what is found, and says how near it is. Public
   domain. */
#include "bones.h"
#include "humanoid.h"
#include "mdconvert.h"
#include "names.h"
#include "../viewer/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct subject {              /* a model whose skeleton is looked for */
    const md2_model *model;
    const char      *path;
    uint32_t        *points_of;       /* [point_count] of the file: number in the motion */
    uint32_t        *files_points;    /* [m.point_count] the other way */
    bool            *is_kept;         /* [frame_count] of the file: it is in the motion */
    uint32_t        *frames_of;       /* [frame_count] of the file: number in the motion */
    uint32_t        *files_frames;    /* [m.frame_count] the other way */
    uint32_t         vertex_count;    /* of the MD5: first those of the MD2, then the linings' */
    uint32_t        *sources;         /* [vertex_count] the vertex of the MD2 that each one copies */
    uint32_t        *indices;         /* [index_count of the file] of the MD5's vertices */
    motion           m;
    rig              r;
} subject;

/* -- The motion -------------------------------------------------------------------------------- */

static vec3 position_in_file(const subject *s, uint32_t point, uint32_t frame, bool y_up)
{
    const md2_frame *f = &s->model->frames[frame];
    const md2_point *p = &f->points[point];
    vec3 place = make_vec3((double)f->translate[0] + p->x * (double)f->scale[0],
                           (double)f->translate[1] + p->y * (double)f->scale[1],
                           (double)f->translate[2] + p->z * (double)f->scale[2]);
    return y_up ? make_vec3(place.z, place.x, place.y) : place;
}

/* Of the frames that are kept. */
static void set_motion(subject *s, bool y_up)
{
    motion *m = &s->m;
    double  squares = 0;
    m->frame_count = 0;
    for (uint32_t f = 0; f < s->model->frame_count; ++f) {
        if (!s->is_kept[f]) continue;
        const md2_frame *frame = &s->model->frames[f];
        uint32_t         i = m->frame_count++;
        s->files_frames[i] = f;
        s->frames_of[f] = i;
        m->anim_names[i] = "";
        m->after[i] = i;
        for (int k = 0; k < 3; ++k) squares += (double)frame->scale[k] * (double)frame->scale[k];
    }
    m->step = sqrt(squares / (3 * m->frame_count));

    release(m->positions);
    m->positions = (vec3 *)allocate((size_t)m->point_count * m->frame_count, sizeof *m->positions);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        for (uint32_t f = 0; f < m->frame_count; ++f) {
            m->positions[(size_t)p * m->frame_count + f] = position_in_file(s, s->files_points[p],
                                                                         s->files_frames[f], y_up);
        }
    }
    for (uint32_t i = 0; i < s->model->anim_count; ++i) {
        const md2_anim *anim = &s->model->anims[i];
        for (uint32_t f = anim->first; f < anim->first + anim->count; ++f) {
            if (s->is_kept[f]) m->anim_names[s->frames_of[f]] = anim->name;
        }
        uint32_t end = anim->first + anim->count;
        bool     is_loop = is_md2_loop(s->model, anim);
        for (uint32_t f = anim->first; f < end; ++f) {
            uint32_t next = f + 1 < end ? f + 1 : anim->first;
            bool     goes_on = f + 1 < end || is_loop;
            if (!goes_on || !s->is_kept[f] || !s->is_kept[next]) continue;
            m->after[s->frames_of[f]] = s->frames_of[next];
        }
    }
}

/* Writes the vertices of a triangle, the smallest first, so that their order is the direction that
   the triangle faces. */
static void get_face(const uint32_t *indices, bool reversed, uint32_t face[3])
{
    uint32_t corners[3] = { indices[0], indices[reversed ? 2 : 1], indices[reversed ? 1 : 2] };
    uint32_t least = 0;
    for (uint32_t k = 1; k < 3; ++k) {
        if (corners[k] < corners[least]) least = k;
    }
    for (uint32_t k = 0; k < 3; ++k) face[k] = corners[(least + k) % 3];
}

/* Returns the slot of a face in a table of 1 + the first index of a triangle, 0 = none. */
static uint32_t *find_face(const md2_model *model, uint32_t *slots, uint32_t slot_count,
                           const uint32_t face[3])
{
    uint32_t slot = (uint32_t)(hash_more(0, face, 3 * sizeof *face) % slot_count), other[3];
    for (; slots[slot]; slot = (slot + 1) % slot_count) {
        get_face(model->indices + slots[slot] - 1, false, other);
        if (memcmp(face, other, sizeof other) == 0) break;
    }
    return &slots[slot];
}

/* Returns a number above 0 if a triangle, clockwise from outside, faces away from the normals of its
   vertices. */
static double measure_inward(const uint32_t *indices, const float *positions, const float *normals)
{
    double sides[2][3], sum = 0;
    for (int k = 0; k < 3; ++k) {
        double origin = (double)positions[3 * indices[0] + k];
        sides[0][k] = (double)positions[3 * indices[1] + k] - origin;
        sides[1][k] = (double)positions[3 * indices[2] + k] - origin;
    }
    for (int k = 0; k < 3; ++k) {
        int    y = (k + 1) % 3, z = (k + 2) % 3;
        double normal = sides[0][y] * sides[1][z] - sides[0][z] * sides[1][y];
        for (int n = 0; n < 3; ++n) sum += normal * (double)normals[3 * indices[n] + k];
    }
    return sum;
}

/* Writes which triangles are the lining of a face that is drawn from both sides with the same
   vertices: those that face away from the normals, in all frames on average. */
static void find_linings(const md2_model *model, bool *is_lining)
{
    uint32_t  slot_count = 2 * model->index_count / 3 + 1, face[3];
    uint32_t *slots = (uint32_t *)allocate(slot_count, sizeof *slots);
    double   *inward = (double *)allocate(model->index_count / 3, sizeof *inward);
    float    *positions = (float *)allocate(6 * (size_t)model->vertex_count, sizeof *positions);
    float    *normals = positions + 3 * (size_t)model->vertex_count;
    bool      any = false;

    for (uint32_t i = 0; i < model->index_count; i += 3) {
        get_face(model->indices + i, false, face);
        *find_face(model, slots, slot_count, face) = i + 1;
    }
    for (uint32_t i = 0; i < model->index_count; i += 3) {
        get_face(model->indices + i, true, face);
        is_lining[i / 3] = *find_face(model, slots, slot_count, face) != 0;
        any = any || is_lining[i / 3];
    }
    for (uint32_t f = 0; any && f < model->frame_count; ++f) {
        md2_pose pose = md2_pose_between(f, f, 0);
        md2_pose_vertices(model, &pose, positions, 0, normals, 0);
        for (uint32_t i = 0; i < model->index_count; i += 3) {
            if (!is_lining[i / 3]) continue;
            inward[i / 3] += measure_inward(model->indices + i, positions, normals);
        }
    }
    for (uint32_t i = 0; i < model->index_count / 3; ++i) is_lining[i] = inward[i] > 0;
    release(slots);
    release(inward);
    release(positions);
}

/* Gives the lining of a cape its own vertices. An MD2 may draw a face from both sides with the same
   vertices, which have one normal. In an MD5, the normals of the two sides would cancel. */
static void separate_linings(subject *s)
{
    const md2_model *model = s->model;
    uint32_t        *copies = (uint32_t *)allocate(model->vertex_count, sizeof *copies); /* 0: none */
    bool            *is_lining = (bool *)allocate(model->index_count / 3, sizeof *is_lining);

    find_linings(model, is_lining);
    s->indices = (uint32_t *)allocate(model->index_count, sizeof *s->indices);
    s->sources = (uint32_t *)allocate(2 * (size_t)model->vertex_count, sizeof *s->sources);
    s->vertex_count = model->vertex_count;
    for (uint32_t i = 0; i < model->vertex_count; ++i) s->sources[i] = i;
    for (uint32_t i = 0; i < model->index_count; ++i) {
        uint32_t vertex = model->indices[i];
        if (is_lining[i / 3] && copies[vertex] == 0) {
            copies[vertex] = s->vertex_count;
            s->sources[s->vertex_count++] = vertex;
        }
        s->indices[i] = is_lining[i / 3] ? copies[vertex] : vertex;
    }
    release(copies);
    release(is_lining);
}

static void begin_subject(subject *s, const md2_model *model, const char *path, bool y_up)
{
    memset(s, 0, sizeof *s);
    s->model = model;
    s->path = path;
    s->is_kept = (bool *)allocate(model->frame_count, sizeof *s->is_kept);
    s->frames_of = (uint32_t *)allocate(model->frame_count, sizeof *s->frames_of);
    s->files_frames = (uint32_t *)allocate(model->frame_count, sizeof *s->files_frames);
    s->m.anim_names = (const char **)allocate(model->frame_count, sizeof *s->m.anim_names);
    s->m.after = (uint32_t *)allocate(model->frame_count, sizeof *s->m.after);
    for (uint32_t f = 0; f < model->frame_count; ++f) s->is_kept[f] = true;

    /* A seam of the skin has a point on either side of it, and may not open. */
    s->points_of = (uint32_t *)allocate(model->point_count, sizeof *s->points_of);
    s->files_points = (uint32_t *)allocate(model->point_count, sizeof *s->files_points);
    s->m.point_count = number_md2_points(model, s->is_kept, true, s->points_of, s->files_points);
    s->m.corner_count = model->index_count;
    s->m.corners = (uint32_t *)allocate(model->index_count, sizeof *s->m.corners);
    for (uint32_t i = 0; i < model->index_count; ++i) {
        s->m.corners[i] = s->points_of[model->vertices[model->indices[i]].point];
    }
    set_motion(s, y_up);
    separate_linings(s);
}

static void end_subject(subject *s)
{
    free_rig(&s->r);
    release(s->indices);
    release(s->sources);
    release(s->points_of);
    release(s->files_points);
    release(s->is_kept);
    release(s->frames_of);
    release(s->files_frames);
    release(s->m.positions);
    release(s->m.steps);
    release(s->m.corners);
    release(s->m.anim_names);
    release(s->m.after);
}

static vec3 position_of(const subject *s, uint32_t point, uint32_t frame)
{
    return s->m.positions[(size_t)point * s->m.frame_count + frame];
}

static const char *name_of_frame(const subject *s, uint32_t frame)
{
    return s->model->frames[s->files_frames[frame]].name;
}

/* -- Frames that are left out ------------------------------------------------------------------ */

static double edge_length(const subject *s, uint32_t corner, uint32_t frame)
{
    uint32_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
    return length_of(minus(position_of(s, s->m.corners[corner], frame),
                           position_of(s, s->m.corners[next], frame)));
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    if (x < y) return -1;
    return x > y ? 1 : 0;
}

/* Leaves out some of the frames of the motion, unless they are more than a quarter of the file's,
   with those that are left out already. Returns whether any was left out. */
static bool leave_out(const convert_request *request, subject *s, const bool *is_bad)
{
    uint32_t frames = s->model->frame_count, left_out = frames - s->m.frame_count, bad = 0;
    for (uint32_t f = 0; f < s->m.frame_count; ++f) bad += is_bad[f];
    if (bad == 0 || 4 * (left_out + bad) > frames) return false;
    for (uint32_t f = 0; f < s->m.frame_count; ++f) {
        if (is_bad[f]) s->is_kept[s->files_frames[f]] = false;
    }
    set_motion(s, request->y_up);
    return true;
}

/* Bones keep their size, so they cannot follow a body that shrinks, as some do that sink into the
   ground. */
static void leave_out_shrunk(const convert_request *request, subject *s)
{
    const double least = 0.85;
    uint32_t     frames = s->m.frame_count;
    double      *sums = (double *)allocate(2 * (size_t)frames, sizeof *sums);
    double      *sorted = sums + frames;
    for (uint32_t f = 0; f < frames; ++f) {
        for (uint32_t i = 0; i < s->m.corner_count; ++i) sums[f] += edge_length(s, i, f);
    }
    memcpy(sorted, sums, frames * sizeof *sorted);
    qsort(sorted, frames, sizeof *sorted, compare_doubles);

    bool *is_shrunk = (bool *)allocate(frames, sizeof *is_shrunk);
    for (uint32_t f = 0; f < frames; ++f) is_shrunk[f] = sums[f] < least * sorted[frames / 2];
    leave_out(request, s, is_shrunk);
    release(is_shrunk);
    release(sums);
}

/* Prints the names of the frames that are left out. Of several in a row, the first and the last. */
static void print_left_out(const subject *s)
{
    uint32_t count = 0, frames = s->model->frame_count;
    blob     names = { NULL, 0, 0 };
    for (uint32_t f = 0; f < frames; ++f) {
        if (s->is_kept[f]) continue;
        const char *name = s->model->frames[f].name;
        bool        follows = f > 0 && !s->is_kept[f - 1];
        bool        goes_on = f + 1 < frames && !s->is_kept[f + 1];
        ++count;
        if (!follows) put_format(&names, count > 1 ? ", %s" : "%s", name);
        else if (!goes_on) put_format(&names, " to %s", name);
    }
    put_byte(&names, 0);
    if (count > 0) {
        note("%u of %u frames are left out, because no bones fit them: %s", (unsigned)count,
             (unsigned)frames, (const char *)names.data);
    }
    free_blob(&names);
}

#define INSTEAD "keep the MD2, or make a .glb with shape keys"

/* Each point is compared with each other. */
enum { MOST_POINTS = 8192 };

static bool has_points(const subject *s)
{
    if (s->m.corner_count == 0) return fail(s->path, "the model has no triangles");
    if (s->m.point_count <= MOST_POINTS) return true;
    return fail(s->path, "the model has %u points, but bones are found in at most 8,192; " INSTEAD,
                (unsigned)s->m.point_count);
}

/* -- The verdict ------------------------------------------------------------------------------- */

/* Distances in quantization steps of the MD2, along one axis. */
typedef struct fit_errors {
    double   rms, nearly_all;         /* 99 % of the points are within nearly_all */
    double   farthest, distance;      /* the largest, in steps and in units of the model */
    uint32_t point, frame;            /* that point of the file, and its frame of the motion */
    double  *list;                    /* all errors, while they are collected */
    size_t   count;
} fit_errors;

/* The longest side of the model's box, in the frame where it is longest. */
static double size_of(const subject *s)
{
    double most = 1e-9;
    for (uint32_t f = 0; f < s->m.frame_count; ++f) {
        vec3 low = position_of(s, 0, f), high = low;
        for (uint32_t p = 1; p < s->m.point_count; ++p) {
            vec3 v = position_of(s, p, f);
            low = make_vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
            high = make_vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
        }
        vec3 sides = minus(high, low);
        most = fmax(most, fmax(sides.x, fmax(sides.y, sides.z)));
    }
    return most;
}

/* Sets the quantization steps of a frame along the axes of the motion. A frame that is flat, as a
   closed book is, has steps of 0 across; there, distances count in steps of the other axes. */
static void set_steps(const convert_request *request, const subject *s, uint32_t frame, double steps[3])
{
    const float *scale = s->model->frames[s->files_frames[frame]].scale;
    double       least = fmax(0.1 * s->m.step, 1e-9);
    for (int k = 0; k < 3; ++k) {
        steps[k] = fmax((double)scale[request->y_up ? (k + 2) % 3 : k], least);
    }
}

static double nearly_all_of(double *errors, size_t count)
{
    qsort(errors, count, sizeof *errors, compare_doubles);
    return count > 0 ? errors[(size_t)(0.99 * (double)(count - 1))] : 0;
}

static void begin_errors(fit_errors *e, const subject *s, size_t frames)
{
    memset(e, 0, sizeof *e);
    e->farthest = -1;
    e->list = (double *)allocate(3 * (size_t)s->m.point_count * frames + 1, sizeof *e->list);
}

static void end_errors(fit_errors *e)
{
    e->rms = sqrt(e->rms / fmax(1, (double)e->count));
    e->nearly_all = nearly_all_of(e->list, e->count);
    release(e->list);
}

/* Adds the errors of all points along each axis in a frame. Returns that of 99 % of them. */
static double add_errors(const convert_request *request, const subject *s, const vec3 *points, uint32_t frame,
                         fit_errors *e)
{
    size_t first = e->count;
    double steps[3];
    set_steps(request, s, frame, steps);
    for (uint32_t p = 0; p < s->m.point_count; ++p) {
        vec3   off = minus(points[p], position_of(s, p, frame));
        double parts[3] = { off.x, off.y, off.z };
        for (int k = 0; k < 3; ++k) {
            double error = fabs(parts[k]) / steps[k];
            e->list[e->count++] = error;
            e->rms += error * error;
            if (!(error > e->farthest)) continue;
            e->farthest = error;
            e->distance = length_of(off);
            e->point = s->files_points[p];
            e->frame = frame;
        }
    }
    return nearly_all_of(e->list + first, e->count - first);
}

/* The largest error that cannot be seen. */
static const double most_steps = 5;

/* Leaves out the frames that the bones do not fit. Returns whether another fit is worth trying. */
static bool leave_out_misfits(const convert_request *request, subject *s)
{
    fit_errors e;
    vec3      *points = (vec3 *)allocate(s->m.point_count, sizeof *points);
    bool      *is_bad = (bool *)allocate(s->m.frame_count, sizeof *is_bad);
    begin_errors(&e, s, s->m.frame_count);
    for (uint32_t f = 0; f < s->m.frame_count; ++f) {
        for (uint32_t p = 0; p < s->m.point_count; ++p) {
            points[p] = s->r.posed[(size_t)p * s->m.frame_count + f];
        }
        is_bad[f] = add_errors(request, s, points, f, &e) > most_steps;
    }
    end_errors(&e);
    bool is_worth = e.nearly_all > most_steps && leave_out(request, s, is_bad);
    release(is_bad);
    release(points);
    return is_worth;
}

/* Measures the frames of an animation's text. */
static void measure_anim(const convert_request *request, const subject *s, const md5_model *model, const blob *text,
                         const md2_anim *anim, fit_errors *e)
{
    md5_anim *written = md5_load_anim_memory(text->data, text->size, "", NULL, NULL);
    if (!written) return;
    md5_xform *pose = (md5_xform *)allocate(model->joint_count, sizeof *pose);
    float     *vertices = (float *)allocate(3 * (size_t)s->vertex_count, sizeof *vertices);
    vec3      *points = (vec3 *)allocate(s->m.point_count, sizeof *points);
    uint32_t   number = 0;
    for (uint32_t f = anim->first; f < anim->first + anim->count; ++f) {
        if (!s->is_kept[f]) continue;
        double seconds = number++ / (double)written->fps;
        md5_pose_at(model, written, MD5_ONCE, seconds, pose);
        md5_pose_to_model_space(model, pose, pose);
        md5_pose_vertices(model, 0, pose, vertices, 0, NULL, 0, NULL, 0);
        for (uint32_t i = 0; i < s->model->vertex_count; ++i) {
            const float *v = vertices + 3 * (size_t)i;
            points[s->points_of[s->model->vertices[i].point]] =
                make_vec3((double)v[0], (double)v[1], (double)v[2]);
        }
        add_errors(request, s, points, s->frames_of[f], e);
    }
    release(points);
    release(vertices);
    release(pose);
    md5_free_anim(written);
}

/* Measures the texts, as a program that reads the files would. */
static fit_errors measure_texts(const convert_request *request, const subject *s, const outputs *texts)
{
    fit_errors e;
    md5_model *model = NULL;
    size_t     frames = 0;
    uint32_t   next = 0;
    for (uint32_t i = 0; i < s->model->anim_count; ++i) frames += s->model->anims[i].count;
    begin_errors(&e, s, frames);
    for (uint32_t i = 0; i < texts->count && !model; ++i) {
        const output *text = &texts->list[i];
        if (strcmp(text->path, request->output) != 0) continue;
        model = md5_load_model_memory(text->file.data, text->file.size, NULL, NULL);

        /* The texts of a .glb have the bind pose before the animations. */
        next = has_extension(request->output, ".glb") ? i + 2 : i + 1;
    }
    for (uint32_t i = 0; i < s->model->anim_count && model; ++i) {
        const md2_anim *anim = &s->model->anims[i];
        uint32_t        kept = 0;
        for (uint32_t f = anim->first; f < anim->first + anim->count; ++f) kept += s->is_kept[f];
        if (kept == 0 || !is_wanted(request, anim->name)) continue;
        while (next < texts->count && !has_extension(texts->list[next].path, ".md5anim")) ++next;
        if (next == texts->count) break;
        measure_anim(request, s, model, &texts->list[next++].file, anim, &e);
    }
    md5_free_model(model);
    end_errors(&e);
    return e;
}

static void print_errors(const subject *s, const fit_errors *e, const halfway_errors *between)
{
    uint32_t named = 0;
    for (uint32_t b = 0; b < s->r.bone_count; ++b) {
        bool is_other = strstr(s->r.names[b], "_helper") || strncmp(s->r.names[b], "bone_", 5) == 0;
        named += !is_other;
    }
    note("%u bones, %u with names: off by %.2f quantization steps RMS (rounding to bytes: 0.29), "
         "99 %% of the points by up to %.1f, halfway between frames by up to %.1f",
         (unsigned)s->r.bone_count, (unsigned)named, e->rms, e->nearly_all, between->nearly_all);
    if (e->farthest < 0) return;
    note("farthest: point %u in %s, by %.1f steps, %.1f %% of the model's size", (unsigned)e->point,
         name_of_frame(s, e->frame), e->farthest, 100 * e->distance / size_of(s));
}

/* Prints how far the texts are from the MD2. Returns whether they are near enough, or whether
   --anyway accepts any error. */
static bool judge_texts(const convert_request *request, const subject *s, const outputs *texts)
{
    const double   bends = 0.75;
    fit_errors     e = measure_texts(request, s, texts);
    halfway_errors between = find_halfway_errors(&s->m, &s->r);
    print_errors(s, &e, &between);
    if (s->r.unnamed) note("%s", s->r.unnamed);
    print_left_out(s);
    bool is_near = e.nearly_all <= most_steps && between.nearly_all <= most_steps;
    if (is_near && e.rms > bends) note("the model bends more than bones do: look at the result");
    if (is_near || request->anyway) return true;
    return fail(s->path, "no bones fit its motion: 99 %% of its points are within %.1f quantization steps, "
                "and halfway between frames within %.1f; more than 5 can be seen: " INSTEAD
                "; --anyway continues", e.nearly_all, between.nearly_all);
}

/* The tag keeps animations of other models from moving these bones. */
static void name_the_rest(const motion *m, rig *r)
{
    unsigned tag = tag_of_mesh(m);
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (r->names[b][0]) continue;
        snprintf(r->names[b], sizeof r->names[b], "bone_%04x_%u", tag, (unsigned)b);
    }
}

/* -- Files ------------------------------------------------------------------------------------- */

#define COMMANDLINE "mdconvert"

/* Six decimals, as in the files of id Software: a millionth of an inch. */
static double rounded(double x)
{
    return floor(x * 1e6 + 0.5) / 1e6;
}

static void set_numbers(vec3 v, double out[3])
{
    out[0] = rounded(v.x);
    out[1] = rounded(v.y);
    out[2] = rounded(v.z);
}

static void set_rotation(mat3 rotation, double out[4])
{
    quaternion_of(rotation, out);
    for (int k = 0; k < 4; ++k) out[k] = rounded(out[k]);
}

/* Lists the joints in the bind pose. A .glb has one position of a vertex for all its joints, so its
   mesh is bound at rest. */
static md5_out_joint *list_joints(const rig *r, bool is_at_rest)
{
    md5_out_joint *joints = (md5_out_joint *)allocate(r->bone_count, sizeof *joints);
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        const rigid_transform *bind = &r->bind[b];
        joints[b].name = r->names[b];
        joints[b].parent = r->parents[b];
        if (is_at_rest) {
            set_numbers(r->joints[b], joints[b].position);
            set_rotation(transposed(bind->rotation), joints[b].rotation);
        } else {
            set_numbers(transform_point(bind, r->joints[b]), joints[b].position);
            joints[b].rotation[3] = 1;
        }
    }
    return joints;
}

/* Each vertex of the MD2 has the weights of its point. */
static md5_out_mesh make_mesh(const subject *s, const char *shader)
{
    const md2_model *model = s->model;
    md5_out_mesh     mesh;
    uint32_t         count = s->vertex_count;
    md5_out_vertex  *vertices = (md5_out_vertex *)allocate(count, sizeof *vertices);
    md5_out_weight  *weights = (md5_out_weight *)allocate(MOST_BONE_WEIGHTS * (size_t)count,
                                                          sizeof *weights);
    memset(&mesh, 0, sizeof mesh);
    mesh.shader = shader;
    mesh.vertices = vertices;
    mesh.vertex_count = count;
    mesh.indices = s->indices;
    mesh.index_count = model->index_count;
    for (uint32_t i = 0; i < count; ++i) {
        const md2_vertex    *source = &model->vertices[s->sources[i]];
        uint32_t             point = s->points_of[source->point];
        const point_weights *w = &s->r.weights[point];
        vertices[i].u = (double)source->u;
        vertices[i].v = (double)source->v;
        vertices[i].first_weight = mesh.weight_count;
        vertices[i].weight_count = w->count;
        for (uint32_t k = 0; k < w->count; ++k) {
            md5_out_weight *out = &weights[mesh.weight_count++];
            out->joint = w->bone[k];
            out->bias = rounded(w->weight[k]);
            vec3 offset = minus(s->r.rest[point], s->r.joints[w->bone[k]]);
            set_numbers(rotate(s->r.bind[w->bone[k]].rotation, offset), out->position);
        }
    }
    mesh.weights = weights;
    return mesh;
}

static void free_mesh(md5_out_mesh *mesh)
{
    release(mesh->vertices);
    release(mesh->weights);
}

static md5_out_part part_of(const subject *s, uint32_t bone, uint32_t frame)
{
    rigid_transform pose = local_pose(&s->m, &s->r, bone, frame);
    md5_out_part    part;
    double          q[4];
    set_numbers(pose.translation, part.number);
    quaternion_of(pose.rotation, q);
    md5_stored_rotation(q, part.number + 3);
    for (int k = 3; k < 6; ++k) part.number[k] = rounded(part.number[k]);
    return part;
}

static void set_bounds(const subject *s, uint32_t frame, double bounds[6])
{
    vec3 low = s->r.posed[frame], high = low;
    for (uint32_t p = 0; p < s->m.point_count; ++p) {
        vec3 v = s->r.posed[(size_t)p * s->m.frame_count + frame];
        low = make_vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
        high = make_vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
    }
    set_numbers(low, bounds);
    set_numbers(high, bounds + 3);
}

static blob write_anim(const subject *s, const md5_out_joint *joints, const uint32_t *frames,
                       uint32_t count, double fps)
{
    uint32_t      bones = s->r.bone_count;
    md5_out_part *parts = (md5_out_part *)allocate((size_t)count * bones, sizeof *parts);
    double       *bounds = (double *)allocate(6 * (size_t)count, sizeof *bounds);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t b = 0; b < bones; ++b) {
            parts[(size_t)i * bones + b] = part_of(s, b, frames[i]);
        }
        set_bounds(s, frames[i], bounds + 6 * (size_t)i);
    }
    md5_out_anim anim = { count, bones, rounded(fps), joints, parts, bounds };
    blob         file = write_md5anim(COMMANDLINE, &anim);
    release(parts);
    release(bounds);
    return file;
}

/* md5.h takes a loop whose last frame repeats the first for one step shorter than md2.h does. */
static bool is_read_as_closed(const blob *file)
{
    md5_anim *anim = md5_load_anim_memory(file->data, file->size, "", NULL, NULL);
    bool      is_closed = anim && anim->closed;
    md5_free_anim(anim);
    return is_closed;
}

/* In a .glb a loop gets its first frame once more as its last key, as viewers repeat from there. */
static void add_anim(const convert_request *request, const subject *s, const md2_anim *anim,
                     const md5_out_joint *joints, const char *name, outputs *o)
{
    uint32_t *frames = (uint32_t *)allocate((size_t)anim->count + 1, sizeof *frames), count = 0;
    for (uint32_t f = anim->first; f < anim->first + anim->count; ++f) {
        if (s->is_kept[f]) frames[count++] = s->frames_of[f];
    }
    if (count == 0) {
        note("%s is left out: none of its frames is left", anim->name);
        release(frames);
        return;
    }
    bool is_glb = has_extension(request->output, ".glb");
    if (is_glb && is_md2_loop(s->model, anim)) {
        frames[count] = frames[0];
        ++count;
    }

    double fps = (double)anim->fps;
    blob   file = write_anim(s, joints, frames, count, fps);
    if (!is_glb && is_read_as_closed(&file)) {
        free_blob(&file);
        file = write_anim(s, joints, frames, count, fps * (count - 1) / count);
    }
    char *path = join_path(request->output, name, ".md5anim");
    add_output(o, path, &file);
    release(path);
    release(frames);
}

/* Adds the bind pose as an animation of one frame. */
static void add_bind_pose(const convert_request *request, const subject *s, const md5_out_joint *joints, outputs *o)
{
    const rig    *r = &s->r;
    md5_out_part *parts = (md5_out_part *)allocate(r->bone_count, sizeof *parts);
    double        bounds[6] = { 0 };
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        vec3 position = transform_point(&r->bind[b], r->joints[b]);
        if (r->parents[b] >= 0) {
            uint32_t above = (uint32_t)r->parents[b];
            position = minus(position, transform_point(&r->bind[above], r->joints[above]));
        }
        set_numbers(position, parts[b].number);
    }
    md5_out_anim anim = { 1, r->bone_count, 1, joints, parts, bounds };
    blob         file = write_md5anim(COMMANDLINE, &anim);
    char        *path = join_path(request->output, "bind", ".md5anim");
    add_output(o, path, &file);
    release(path);
    release(parts);
}

static void add_anims(const convert_request *request, const subject *s, const md5_out_joint *joints, outputs *o)
{
    name_table used = { NULL, 0, 0, false };
    char     **names = (char **)allocate(s->model->anim_count, sizeof *names);
    for (uint32_t i = 0; i < s->model->anim_count; ++i) {
        const md2_anim *anim = &s->model->anims[i];
        char           *plain = name_for_file(anim->name, "anim");
        names[i] = take_unique_name(&used, plain);
        if (is_wanted(request, anim->name)) add_anim(request, s, anim, joints, names[i], o);
        release(plain);
    }
    free_name_table(&used);
    for (uint32_t i = 0; i < s->model->anim_count; ++i) release(names[i]);
    release(names);
}

/* -- Skins ------------------------------------------------------------------------------------- */

typedef struct skin {                 /* a picture that is added */
    char *own_name, *name;
    blob  file;
} skin;

typedef struct skins {                /* of the model and its weapon, which may lie elsewhere */
    skin      *list;
    uint32_t   count;
    name_table used;
} skins;

static void free_skins(skins *all)
{
    free_name_table(&all->used);
    for (uint32_t i = 0; i < all->count; ++i) {
        release(all->list[i].own_name);
        release(all->list[i].name);
        free_blob(&all->list[i].file);
    }
    release(all->list);
}

/* The one of this name and content, which is taken from the picture if there is none yet. */
static const skin *find_skin(skins *all, glb_picture *picture)
{
    char *own_name = name_for_file(picture->name, "skin");
    for (uint32_t i = 0; i < all->count; ++i) {
        const skin *one = &all->list[i];
        if (strcmp(one->own_name, own_name) == 0 && one->file.size == picture->file.size &&
            memcmp(one->file.data, picture->file.data, one->file.size) == 0) {
            release(own_name);
            return one;
        }
    }
    all->list = (skin *)reallocate(all->list, (all->count + 1) * sizeof *all->list);
    skin *added = &all->list[all->count++];
    added->own_name = own_name;
    added->name = take_unique_name(&all->used, own_name);
    added->file = picture->file;
    memset(&picture->file, 0, sizeof picture->file);
    return added;
}

/* Adds the picture of a skin under the name that an MD5 looks for, and returns that; NULL if there
   is none. */
static const char *add_skin(const convert_request *request, const char *path, skins *all, outputs *o)
{
    glb_picture picture;
    char        problem[256];
    uint32_t    width, height;
    if (!read_picture(path, &picture, &width, &height, problem)) {
        note("the skin %s is left out: %s", path, problem);
        return NULL;
    }
    bool        is_jpeg = strcmp(picture.type, "image/jpeg") == 0;
    const skin *one = find_skin(all, &picture);
    char       *to = join_path(request->output, one->name, is_jpeg ? ".jpg" : ".png");
    if (has_extension(request->output, ".glb")) {
        blob copy = { NULL, 0, 0 };
        put(&copy, one->file.data, one->file.size);
        add_output(o, to, &copy);
    } else {
        add_picture_file(o, to, &one->file);
    }
    release(to);
    free_picture(&picture);
    return one->name;
}

/* Adds all skins that are found. Returns the shader: the name of the first. */
static const char *add_skins(const convert_request *request, const subject *s, skins *all, outputs *o)
{
    if (request->is_bare) return "skin";
    char       *first = find_md2_picture(s->model, s->path);
    const char *shader = first ? add_skin(request, first, all, o) : NULL;
    for (uint32_t i = 1; i < s->model->skin_count; ++i) {
        char path[MAX_PATH_LENGTH];
        if (!md2_find_skin(s->model, s->path, i, is_picture_file, NULL, path, sizeof path)) continue;
        add_skin(request, path, all, o);
    }
    if (!first) {
        note("no skin was found (the file lists %s): put the picture next to the model",
             s->model->skin_count > 0 ? s->model->skins[0].path : "none");
    }
    release(first);
    return shader ? shader : "skin";
}

/* -- Weapons ----------------------------------------------------------------------------------- */

/* Keeps the frames that the model also has. */
static bool share_frames(const convert_request *request, const subject *hero, subject *weapon)
{
    if (!has_points(weapon)) return false;
    uint32_t frames = weapon->model->frame_count, heros = hero->model->frame_count;
    for (uint32_t f = 0; f < frames; ++f) weapon->is_kept[f] = f < heros && hero->is_kept[f];
    set_motion(weapon, request->y_up);
    motion *m = &weapon->m;
    if (m->frame_count == 0) return fail(weapon->path, "the weapon has none of the frames of the model");
    if (m->frame_count < hero->m.frame_count) {
        note("%s lacks the last %u frames of the model: in these, the weapon keeps its last position in the hand",
             weapon->path, (unsigned)(hero->m.frame_count - m->frame_count));
    }

    /* The points of a dummy are all in one position, and have no quantization steps. */
    m->step = fmax(m->step, 0.1 * hero->m.step);
    m->steps = (vec3 *)allocate(m->frame_count, sizeof *m->steps);
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        double steps[3];
        set_steps(request, weapon, f, steps);
        m->steps[f] = make_vec3(steps[0], steps[1], steps[2]);
    }
    return true;
}

static bool attach_weapon(subject *hero, subject *weapon, weapon_fit *fit)
{
    bool        is_good = fit_weapon(&hero->m, &hero->r, &weapon->m, &weapon->r, fit);
    const char *joint = hero->r.names[fit->joint];
    if (!is_good) return fail(weapon->path, "the weapon needs too many bones: " INSTEAD);
    if (fit->bone_count == 0) {
        note("%s is held by the joint %s, within %.1f quantization steps in nine of ten frames",
             weapon->path, joint, fit->nine_of_ten);
        return true;
    }
    const char *first = hero->r.names[hero->r.bone_count - fit->bone_count];
    if (fit->bone_count == 1) {
        note("%s does not follow a single joint (%s is off by up to %.1f units in nine of ten frames): "
             "a separate bone, %s, holds it within %.2f quantization steps RMS", weapon->path, joint,
             fit->distance, first, fit->off);
    } else {
        note("%s is not rigid: it is skinned to %u separate bones, from %s on, within %.2f "
             "quantization steps RMS", weapon->path, (unsigned)fit->bone_count, first, fit->off);
    }
    return true;
}

/* Adds a separate mesh, relative to the joint that holds it. Its only joint has that joint's name, by which the viewer
   attaches the mesh. */
static void add_weapon_file(const convert_request *request, const subject *weapon, const char *holder,
                            const char *shader, name_table *used, outputs *o)
{
    md5_out_joint origin = { holder, -1, { 0, 0, 0 }, { 0, 0, 0, 1 } };
    md5_out_mesh  mesh = make_mesh(weapon, shader);
    for (uint32_t i = 0; i < mesh.weight_count; ++i) mesh.weights[i].joint = 0;

    char *stem = stem_of(weapon->path), *name = take_unique_name(used, stem);
    char *path = join_path(request->output, name, ".md5mesh");
    if (strcmp(name, stem) != 0) note("%s becomes %s.md5mesh", weapon->path, name);
    blob file = write_md5mesh(COMMANDLINE, &origin, 1, &mesh, 1);
    add_output(o, path, &file);
    release(path);
    release(name);
    release(stem);
    free_mesh(&mesh);
}

/* -- All --------------------------------------------------------------------------------------- */

static void print_progress(double done)
{
    progress("percent of the skeleton", (uint32_t)(100 * done), 100);
}

static bool find_skeleton(const convert_request *request, subject *s)
{
    if (!has_points(s)) return false;
    s->m.report = print_progress;
    leave_out_shrunk(request, s);
    find_bones(&s->m, &s->r);
    if (leave_out_misfits(request, s)) {
        free_rig(&s->r);
        find_bones(&s->m, &s->r);
    }
    name_the_rest(&s->m, &s->r);
    return true;
}

static md2_model *load_weapon(const convert_request *request, const char *path)
{
    md2_options options;
    memset(&options, 0, sizeof options);
    options.scale = has_extension(request->output, ".glb") ? 0 : request->scale;
    convert_request of_weapon = *request;
    of_weapon.model = path;
    return load_md2(&of_weapon, &options, true);
}

/* Adds the meshes. A weapon with several bones, and any weapon in a .glb, is a part of the model. */
static bool add_meshes(const convert_request *request, subject *hero, subject *weapons, outputs *o)
{
    bool          is_glb = has_extension(request->output, ".glb"), is_good = true;
    md5_out_mesh *meshes = (md5_out_mesh *)allocate((size_t)request->weapon_count + 1, sizeof *meshes);
    uint32_t      mesh_count = 1;
    skins         all_skins;
    name_table    used = { NULL, 0, 0, false };
    memset(&all_skins, 0, sizeof all_skins);
    const char *shader = add_skins(request, hero, &all_skins, o);
    meshes[0] = make_mesh(hero, shader);

    /* Many weapons of Quake II are called tris.md2, as their players are. */
    char *stem = stem_of(request->output);
    add_name(&used, stem, 2);
    for (int i = 0; i < request->weapon_count && is_good; ++i) {
        weapon_fit fit;
        is_good = attach_weapon(hero, &weapons[i], &fit);
        if (!is_good) break;
        shader = add_skins(request, &weapons[i], &all_skins, o);
        uint32_t    bone = fit.bone_count == 0 ? fit.joint : hero->r.bone_count - fit.bone_count;
        const char *holder = hero->r.names[bone];
        if (fit.bone_count <= 1 && !is_glb) add_weapon_file(request, &weapons[i], holder, shader, &used, o);
        else meshes[mesh_count++] = make_mesh(&weapons[i], shader);
    }

    md5_out_joint *joints = list_joints(&hero->r, is_glb);
    blob file = write_md5mesh(COMMANDLINE, joints, hero->r.bone_count, meshes, mesh_count);
    add_output(o, request->output, &file);
    for (uint32_t i = 0; i < mesh_count; ++i) free_mesh(&meshes[i]);
    release(meshes);
    release(joints);
    release(stem);
    free_name_table(&used);
    free_skins(&all_skins);
    return is_good;
}

/* Adds the texts: the meshes first, then the animations. */
static bool add_texts(const convert_request *request, subject *hero, subject *weapons, outputs *o)
{
    if (!add_meshes(request, hero, weapons, o)) return false;
    bool           is_glb = has_extension(request->output, ".glb");
    md5_out_joint *joints = list_joints(&hero->r, is_glb);
    if (is_glb) add_bind_pose(request, hero, joints, o);
    add_anims(request, hero, joints, o);
    release(joints);
    return true;
}

static bool find_texts(const convert_request *request, outputs *o)
{
    md2_options options;
    memset(&options, 0, sizeof options);
    options.scale = has_extension(request->output, ".glb") ? 0 : request->scale;
    options.fps = request->fps;
    md2_model *model = load_md2(request, &options, true);
    subject    hero, *weapons = (subject *)allocate((size_t)request->weapon_count + 1, sizeof *weapons);
    bool       is_good = model && check_only_md2(request, model);
    if (is_good) {
        int count = 0;
        begin_subject(&hero, model, request->model, request->y_up);
        is_good = find_skeleton(request, &hero);
        for (int i = 0; i < request->weapon_count && is_good; ++i) {
            md2_model *weapon = load_weapon(request, request->weapons[i]);
            is_good = weapon != NULL;
            if (!is_good) break;
            begin_subject(&weapons[count++], weapon, request->weapons[i], request->y_up);
            is_good = share_frames(request, &hero, &weapons[i]);
        }
        is_good = is_good && add_texts(request, &hero, weapons, o) && judge_texts(request, &hero, o);
        if (!is_good) free_outputs(o);
        for (int i = 0; i < count; ++i) {
            md2_free_model((md2_model *)weapons[i].model);
            end_subject(&weapons[i]);
        }
        end_subject(&hero);
    }
    release(weapons);
    md2_free_model(model);
    return is_good;
}

/* The animations of the sources follow those of the model. */
static bool find_all_texts(const convert_request *request, outputs *o)
{
    if (!find_texts(request, o)) return false;
    if (request->source_count == 0) return true;
    uint32_t count = 0, own_count = o->count;
    char   **names = (char **)allocate(own_count, sizeof *names);
    uint32_t mesh = 0;
    for (uint32_t i = 0; i < own_count; ++i) {
        const char *path = o->list[i].path;
        if (strcmp(path, request->output) == 0) mesh = i;
        if (has_extension(path, ".md5anim")) names[count++] = stem_of(path);
    }
    blob text = o->list[mesh].file;
    bool is_good = add_source_texts(request, &text, (const char *const *)names, count, o);
    for (uint32_t i = 0; i < count; ++i) release(names[i]);
    release(names);
    return is_good;
}

bool md2_to_md5(const convert_request *request, outputs *o)
{
    return find_all_texts(request, o);
}

bool is_md2_humanoid(const char *path)
{
    md2_options options;
    memset(&options, 0, sizeof options);
    md2_model *model = md2_load_file(path, &options, NULL);
    if (!model) return false;

    uint32_t bones[ROLE_COUNT], parents[MOST_BONES];
    const char *names[MOST_BONES];
    subject  s;
    bool     is_found = false;
    begin_subject(&s, model, path, false);
    if (s.m.corner_count > 0 && s.m.point_count <= MOST_POINTS) {
        find_bones(&s.m, &s.r);
        for (uint32_t b = 0; b < s.r.bone_count; ++b) {
            names[b] = s.r.names[b];
            parents[b] = s.r.parents[b] < 0 ? NO_BONE : (uint32_t)s.r.parents[b];
        }
        bone_tree tree = { s.r.bone_count, names, parents, NULL };
        find_roles(&tree, bones);
        is_found = is_humanoid(bones);
    }
    end_subject(&s);
    md2_free_model(model);
    return is_found;
}

/* Moves what is no text of an MD5 to a list of its own. */
static outputs take_pictures(outputs *texts)
{
    outputs  pictures = { NULL, 0, 0, { 0, 0, 0 } };
    uint32_t kept = 0;
    for (uint32_t i = 0; i < texts->count; ++i) {
        output *one = &texts->list[i];
        bool is_picture = has_extension(one->path, ".png") || has_extension(one->path, ".jpg");
        if (!is_picture) {
            texts->list[kept++] = *one;
            continue;
        }
        add_output(&pictures, one->path, &one->file);
        release(one->path);
    }
    texts->count = kept;
    return pictures;
}

/* The texts are the mesh, the bind pose and the animations. They are read in the axes and the scale of
   glTF, and become a .glb as those of files do. */
bool md2_to_skinned_glb(const convert_request *request, outputs *o)
{
    outputs    texts;
    loaded_md5 c;
    float      scale = request->scale > 0 ? request->scale : METERS_PER_UNIT;
    memset(&texts, 0, sizeof texts);
    memset(&c, 0, sizeof c);
    bool    is_good = find_all_texts(request, &texts);
    outputs pictures = take_pictures(&texts);
    is_good = is_good && load_texts(request, &texts, 2, MD5_Y_UP, scale, &c);
    if (is_good) {
        const blob *bind = &texts.list[1].file;
        md5_options options = make_md5_options(MD5_Y_UP, scale);
        c.rest = md5_load_anim_memory(bind->data, bind->size, "", &options, NULL);
    }
    c.pictures = &pictures;
    if (is_good) is_good = loaded_md5_to_glb(request, &c, o);
    free_outputs(&texts);
    free_outputs(&pictures);
    free_loaded_md5(&c);
    return is_good;
}
