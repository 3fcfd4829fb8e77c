/* skeleton_input.c - the points and frames of an MD2, as a motion for bones.h. Public domain.

   Linings, which an MD2 draws with the vertices of the other side, get separate vertices. Frames in
   which the body shrinks are left out. */
#include "skeleton_of_md2.h"

#include <stdlib.h>
#include <string.h>

/* -- Points and frames -------------------------------------------------------------------------------- */

static vec3 position_in_file(const skinned_md2 *s, uint32_t point, uint32_t frame, bool y_up)
{
    const md2_frame *f = &s->model->frames[frame];
    const md2_point *p = &f->points[point];
    vec3 place = make_vec3((double)f->translate[0] + p->x * (double)f->scale[0],
                           (double)f->translate[1] + p->y * (double)f->scale[1],
                           (double)f->translate[2] + p->z * (double)f->scale[2]);
    return y_up ? make_vec3(place.z, place.x, place.y) : place;
}

void set_motion(skinned_md2 *s, bool y_up)
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

/* Writes the vertices of a triangle in order, beginning with the smallest index. So two triangles have the
   same result if they have the same vertices and face in the same direction. */
static void get_face(const uint32_t *indices, bool reversed, uint32_t face[3])
{
    uint32_t corners[3] = { indices[0], indices[reversed ? 2 : 1], indices[reversed ? 1 : 2] };
    uint32_t least = 0;
    for (uint32_t k = 1; k < 3; ++k) {
        if (corners[k] < corners[least]) least = k;
    }
    for (uint32_t k = 0; k < 3; ++k) face[k] = corners[(least + k) % 3];
}

/* Returns the slot of a face in a hash table. A slot contains 1 + the first index of a triangle, or 0 = none. */
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

/* Finds the triangles that are linings. If a face is drawn from both sides with the same vertices, its lining
   is the triangle that, on average over all frames, faces away from the normals. */
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

/* Gives the lining of a cape separate vertices. An MD2 may draw a face from both sides with the same
   vertices, which have one normal. In an MD5, the normals of the two sides would cancel each other. */
static void separate_linings(skinned_md2 *s)
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

void begin_skinned_md2(skinned_md2 *s, const md2_model *model, const char *path, bool y_up)
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

    /* A seam of the skin has a point on either side. Both are one point here, so that the seam stays shut. */
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

void end_skinned_md2(skinned_md2 *s)
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

vec3 position_of(const skinned_md2 *s, uint32_t point, uint32_t frame)
{
    return s->m.positions[(size_t)point * s->m.frame_count + frame];
}

const char *name_of_frame(const skinned_md2 *s, uint32_t frame)
{
    return s->model->frames[s->files_frames[frame]].name;
}

/* -- Frames that are left out ------------------------------------------------------------------ */

static double edge_length(const skinned_md2 *s, uint32_t corner, uint32_t frame)
{
    uint32_t next = corner % 3 == 2 ? corner - 2 : corner + 1;
    return length_of(minus(position_of(s, s->m.corners[corner], frame),
                           position_of(s, s->m.corners[next], frame)));
}

int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    if (x < y) return -1;
    return x > y ? 1 : 0;
}

bool leave_out(const convert_request *request, skinned_md2 *s, const bool *is_bad)
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

void leave_out_shrunk(const convert_request *request, skinned_md2 *s)
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

void print_left_out(const skinned_md2 *s)
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

bool has_points(const skinned_md2 *s)
{
    if (s->m.corner_count == 0) return fail(s->path, "the model has no triangles");
    if (s->m.point_count <= MOST_POINTS) return true;
    return fail(s->path, "the model has %u points, but bones are found in at most 8,192; " INSTEAD,
                (unsigned)s->m.point_count);
}
