/* skeleton_errors.c - measures the errors of a skeleton's files against their MD2. Public domain.

   The files are loaded and posed with md5.h, as another program would. A model is refused if more
   than one percent of its points have visible errors, in the frames or halfway between two frames. */
#include "names.h"
#include "skeleton_of_md2.h"
#include "../viewer/folder.h"

#include <stdlib.h>
#include <string.h>

/* -- The verdict ------------------------------------------------------------------------------- */

/* Distances in quantization steps of the MD2, along one axis. */
typedef struct fit_errors {
    double   rms, nearly_all;         /* 99 % of the points are within nearly_all */
    double   farthest, distance;      /* the largest error, in steps and in units of the model */
    uint32_t point, frame;            /* the point of the file with this error, and the frame of the motion */
    double  *list;                    /* all errors, while they are collected */
    size_t   count;
} fit_errors;

/* Returns the longest side of the model's bounding box in any frame. */
static double size_of(const skinned_md2 *s)
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

void set_steps(const convert_request *request, const skinned_md2 *s, uint32_t frame, double steps[3])
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

static void begin_errors(fit_errors *e, const skinned_md2 *s, size_t frames)
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

/* Adds the errors of all points along each axis in a frame. Returns the error that 99 % of them do not exceed. */
static double add_errors(const convert_request *request, const skinned_md2 *s, const vec3 *points, uint32_t frame,
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

/* An error is visible if it is larger. */
static const double most_steps = 5;

/* Measures the errors of the fit. Marks the frames in which they are visible. */
static fit_errors measure_fit_errors(const convert_request *request, const skinned_md2 *s, bool *is_bad)
{
    fit_errors e;
    vec3      *points = (vec3 *)allocate(s->m.point_count, sizeof *points);
    begin_errors(&e, s, s->m.frame_count);
    for (uint32_t f = 0; f < s->m.frame_count; ++f) {
        for (uint32_t p = 0; p < s->m.point_count; ++p) {
            points[p] = s->r.posed[(size_t)p * s->m.frame_count + f];
        }
        is_bad[f] = add_errors(request, s, points, f, &e) > most_steps;
    }
    end_errors(&e);
    release(points);
    return e;
}

bool leave_out_misfits(const convert_request *request, skinned_md2 *s)
{
    bool      *is_bad = (bool *)allocate(s->m.frame_count, sizeof *is_bad);
    fit_errors e = measure_fit_errors(request, s, is_bad);
    bool       is_worth = e.nearly_all > most_steps && leave_out(request, s, is_bad);
    release(is_bad);
    return is_worth;
}

/* Adds the errors of an animation, which has been written to `text`. */
static void measure_anim(const convert_request *request, const skinned_md2 *s, const md5_model *model, const blob *text,
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

/* Measures the errors of all animations in the written texts. */
static fit_errors measure_text_errors(const convert_request *request, const skinned_md2 *s, const outputs *texts)
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

static void print_errors(const skinned_md2 *s, const fit_errors *e, const halfway_errors *between)
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

bool check_text_errors(const convert_request *request, const skinned_md2 *s, const outputs *texts)
{
    const double   bends = 0.75;
    bool          *is_bad = (bool *)allocate(s->m.frame_count, sizeof *is_bad);
    fit_errors     e = measure_text_errors(request, s, texts);

    /* If --only selects no animation of the MD2, nothing that is written has its frames. */
    if (e.count == 0) e = measure_fit_errors(request, s, is_bad);
    release(is_bad);
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
