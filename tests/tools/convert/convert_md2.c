/* convert_md2.c - converts MD2 to glTF, and to a repaired MD2. Public domain. */
#include "mdconvert.h"
#include "names.h"
#include "../viewer/folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Loading ----------------------------------------------------------------------------------- */

void note_repairs(const md2_model *model)
{
    if (model->defects & MD2_NORMALS_INWARD) note("normals pointed inward: reversed");
    if (model->defects & MD2_NORMALS_WRONG) note("normals did not match the faces: recomputed");
    if (model->defects & MD2_FACES_INWARD) note("triangles were inside out: reversed");
    if (model->defects & MD2_BAD_TEXCOORDS) note("bad indices of texture coordinates: replaced by the last one");
    if (model->defects & MD2_BAD_COMMANDS) note("the GL commands were damaged: ignored");
    if (model->dropped_triangles > 0) {
        note("%u triangles with a bad index: left out", (unsigned)model->dropped_triangles);
    }
}

/* Rotates a frame by 90 degrees, counter-clockwise when seen from above. If the sign of an axis changes, its bytes are
   mirrored: 0 becomes 255. */
static void rotate_frame(md2_frame *f, int up, uint32_t point_count)
{
    int   a = (up + 1) % 3, b = (up + 2) % 3;
    float scale = f->scale[a], translate = f->translate[a];
    f->scale[a] = f->scale[b];
    f->translate[a] = -f->translate[b] - 255 * f->scale[b];
    f->scale[b] = scale;
    f->translate[b] = translate;
    for (uint32_t i = 0; i < point_count; ++i) {
        uint8_t *bytes = (uint8_t *)(uintptr_t)&f->points[i], old = bytes[a];
        bytes[a] = (uint8_t)(255 - bytes[b]);
        bytes[b] = old;
    }
}

/* Rotates all frames in place. Nothing else uses this model, so the casts may remove const. */
static void rotate_md2(const convert_request *request, const md2_model *model)
{
    int     up = request->y_up ? 1 : 2;
    uint8_t normals[256];
    for (int i = 0; i < 256; ++i) {
        float n[3];
        memcpy(n, md2_normal((uint8_t)i), sizeof n);
        rotate_vector(request->yaw, up, n);
        double rotated[3] = { (double)n[0], (double)n[1], (double)n[2] };
        normals[i] = (uint8_t)nearest_normal(rotated);
    }
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        md2_frame *f = (md2_frame *)(uintptr_t)&model->frames[i];
        for (int degrees = 0; degrees < request->yaw; degrees += 90) rotate_frame(f, up, model->point_count);
        for (uint32_t k = 0; k < model->point_count; ++k) {
            md2_point *p = (md2_point *)(uintptr_t)&f->points[k];
            p->normal = normals[p->normal];
        }
    }
}

md2_model *load_md2(const convert_request *request, md2_options *options, bool is_clockwise)
{
    enum { MAX_BYTES = 1 << 30 };
    md2_error error;
    options->allocator.alloc = allocate_if_there;
    options->allocator.release = release_sized;
    options->max_bytes = MAX_BYTES;
    options->fps = request->fps;
    options->flags |= is_clockwise ? (uint32_t)MD2_KEEP_WINDING : 0;
    md2_model *model = md2_load_file(request->model, options, &error);

    /* If the file is inside out, loading it with the opposite winding corrects it. */
    if (model && model->defects & MD2_FACES_INWARD) {
        md2_free_model(model);
        options->flags ^= MD2_KEEP_WINDING;
        model = md2_load_file(request->model, options, &error);
    }
    if (!model) {
        /* If the file cannot be opened, the message of md2.h repeats the path. */
        fail(request->model, "%s", error.code == MD2_ERROR_OPEN ? "cannot be opened" : error.message);
        return NULL;
    }
    if (request->yaw > 0) rotate_md2(request, model);
    return model;
}

/* Renames the animations that --name lists, in the model. Nothing else uses the model, so the cast may remove const. */
static bool rename_md2_anims(const convert_request *request, const md2_model *model)
{
    if (request->name_count == 0) return true;

    const char **names = (const char **)allocate(model->anim_count, sizeof *names);
    for (uint32_t i = 0; i < model->anim_count; ++i) names[i] = model->anims[i].name;
    bool is_good = request->source_count > 0 || check_only(request, names, model->anim_count);
    release(names);
    for (uint32_t i = 0; i < model->anim_count && is_good; ++i) {
        md2_anim   *anim = (md2_anim *)(uintptr_t)&model->anims[i];
        const char *name = new_name_of(request, anim->name);
        if (name == anim->name) continue;
        if (strlen(name) < sizeof anim->name) snprintf(anim->name, sizeof anim->name, "%s", name);
        else is_good = fail("--name", "%s is too long: use at most 27 characters", name);
    }
    return is_good;
}

static void replace_text(char **text, const char *by)
{
    release(*text);
    *text = copy_text(by);
}

/* Replaces the names of --only by the full names of the animations, because md2_find_anim also finds "pain1" by "pain".
   Then renames the animations that --name lists. Returns false and reports an error if an animation does not exist, or
   if a new name is too long. If the request has sources, an unknown name may be one of their animations, and is not an
   error. */
bool check_only_md2(const convert_request *request, const md2_model *model)
{
    const char     **names = (const char **)allocate(model->anim_count, sizeof *names);
    const md2_anim **found = (const md2_anim **)allocate((size_t)request->only_count, sizeof *found);
    bool             is_good = true;
    for (uint32_t i = 0; i < model->anim_count; ++i) names[i] = model->anims[i].name;
    for (int i = 0; i < request->only_count && is_good; ++i) {
        found[i] = md2_find_anim(model, request->only[i]);
        bool may_be_of_source = request->source_count > 0;
        if (found[i]) replace_text(&request->only[i], found[i]->name);
        else is_good = may_be_of_source || fail_no_anim("--only", request->only[i], names, model->anim_count);
    }
    is_good = is_good && rename_md2_anims(request, model);
    for (int i = 0; i < request->only_count && is_good; ++i) {
        if (found[i]) replace_text(&request->only[i], found[i]->name);
    }
    release(found);
    release(names);
    return is_good;
}

/* -- To glTF: frames become morph targets ------------------------------------------------------ */

typedef struct frame_store {          /* the vertices of all frames */
    float    *positions, *normals;    /* [frame_count][vertex_count][3] */
    uint32_t *shapes;                 /* [frame_count] index of the morph target; GLB_BASE = none */
    uint32_t *frames;                 /* [shape_count] the frame that the morph target shows */
    uint32_t  shape_count;
    size_t    row;                    /* floats per frame */
} frame_store;

static bool are_frames_equal(const frame_store *s, uint32_t a, uint32_t b)
{
    size_t size = s->row * sizeof(float);
    return memcmp(s->positions + a * s->row, s->positions + b * s->row, size) == 0 &&
           memcmp(s->normals + a * s->row, s->normals + b * s->row, size) == 0;
}

/* Finds the frames that become morph targets. Equal frames share a target. A frame that looks like the first frame
   needs no target, because the mesh itself shows the first frame. A frame that no selected animation shows gets no
   target either. */
static void find_shapes(frame_store *s, uint32_t frame_count, const bool *is_shown)
{
    uint64_t *hashes = (uint64_t *)allocate(frame_count, sizeof(uint64_t));
    for (uint32_t i = 0; i < frame_count; ++i) {
        hashes[i] = hash_more(0, s->positions + i * s->row, s->row * sizeof(float));
        s->shapes[i] = GLB_BASE;
        if (!is_shown[i] || are_frames_equal(s, i, 0)) continue;

        uint32_t shape = 0;
        for (; shape < s->shape_count; ++shape) {
            uint32_t frame = s->frames[shape];
            if (hashes[frame] == hashes[i] && are_frames_equal(s, frame, i)) break;
        }
        s->shapes[i] = shape;
        if (shape == s->shape_count) s->frames[s->shape_count++] = i;
    }
    release(hashes);
}

static frame_store store_frames(const md2_model *model, const bool *is_shown)
{
    frame_store s;
    memset(&s, 0, sizeof s);
    s.row = 3 * (size_t)model->vertex_count;
    s.positions = (float *)allocate(model->frame_count * s.row, sizeof(float));
    s.normals = (float *)allocate(model->frame_count * s.row, sizeof(float));
    s.shapes = (uint32_t *)allocate(model->frame_count, sizeof(uint32_t));
    s.frames = (uint32_t *)allocate(model->frame_count, sizeof(uint32_t));
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        md2_pose pose = md2_pose_between(i, i, 0);
        md2_pose_vertices(model, &pose, s.positions + i * s.row, 0, s.normals + i * s.row, 0);
    }
    find_shapes(&s, model->frame_count, is_shown);
    return s;
}

static void free_frames(frame_store *s)
{
    release(s->positions);
    release(s->normals);
    release(s->shapes);
    release(s->frames);
}

/* Returns the longest distance that any point moves from one frame to another. */
static double longest_movement(const md2_model *model, const md2_frame *a, const md2_frame *b)
{
    double most = 0;
    for (uint32_t i = 0; i < model->vertex_count; ++i) {
        const uint8_t *p = &a->points[model->vertices[i].point].x;
        const uint8_t *q = &b->points[model->vertices[i].point].x;
        double         square = 0;
        for (int k = 0; k < 3; ++k) {
            double from = (double)a->translate[k] + p[k] * (double)a->scale[k];
            double to = (double)b->translate[k] + q[k] * (double)b->scale[k];
            square += (to - from) * (to - from);
        }
        most = fmax(most, square);
    }
    return sqrt(most);
}

bool is_md2_loop(const md2_model *model, const md2_anim *anim)
{
    const md2_frame *first = &model->frames[anim->first], *last = first + anim->count - 1;
    double           length = 0;
    for (const md2_frame *f = first; f < last; ++f) length += longest_movement(model, f, f + 1);
    return anim->count > 1 && longest_movement(model, last, first) * anim->count <= 2 * length;
}

/* Makes an animation. A glTF viewer jumps from the last key to the first, so the last key of a loop repeats its first
   frame. An animation that does not return to its start, such as a death, ends with its last frame. */
static glb_anim make_anim(const md2_model *model, const frame_store *s, const md2_anim *anim)
{
    glb_anim out;
    memset(&out, 0, sizeof out);
    bool loops = is_md2_loop(model, anim);
    out.name = anim->name;
    out.fps = (double)anim->fps;
    out.key_count = anim->count + (loops ? 1 : 0);

    uint32_t *shapes = (uint32_t *)allocate(out.key_count, sizeof(uint32_t));
    for (uint32_t i = 0; i < out.key_count; ++i) {
        shapes[i] = s->shapes[anim->first + i % anim->count];
    }
    out.shapes = shapes;
    return out;
}

static void set_part(glb_part *part, const md2_model *model, const frame_store *s)
{
    float *texcoords = (float *)allocate(2 * (size_t)model->vertex_count, sizeof(float));
    for (uint32_t i = 0; i < model->vertex_count; ++i) {
        texcoords[2 * i] = model->vertices[i].u;
        texcoords[2 * i + 1] = model->vertices[i].v;
    }
    memset(part, 0, sizeof *part);
    part->vertex_count = model->vertex_count;
    part->index_count = model->index_count;
    part->positions = s->positions;
    part->normals = s->normals;
    part->texcoords = texcoords;
    part->indices = model->indices;
}

static glb_shape *list_shapes(const md2_model *model, const frame_store *s)
{
    glb_shape *shapes = (glb_shape *)allocate(s->shape_count, sizeof(glb_shape));
    for (uint32_t i = 0; i < s->shape_count; ++i) {
        uint32_t frame = s->frames[i];
        shapes[i].name = model->frames[frame].name;
        shapes[i].positions = s->positions + frame * s->row;
        shapes[i].normals = s->normals + frame * s->row;
    }
    return shapes;
}

/* Reads the skin. Returns false and prints a note if no skin is found, or if the skin cannot be read. */
static bool read_skin(const convert_request *request, const md2_model *model, glb_picture *picture)
{
    char *path = find_md2_picture(model, request->model);
    if (!path) {
        const char *listed = model->skin_count > 0 ? model->skins[0].path : "none";
        note("no skin was found (the file lists %s): put the picture next to the model", listed);
        return false;
    }

    char     problem[256];
    uint32_t width, height;
    bool     is_read = read_picture(path, picture, &width, &height, problem);
    if (is_read && model->skin_count > 1) {
        note("of %u skins, only %s is included", (unsigned)model->skin_count, path);
    }
    if (!is_read) note("the skin %s is left out: %s", path, problem);
    release(path);
    return is_read;
}

static void make_glb(const convert_request *request, const md2_model *model, const frame_store *s, outputs *o)
{
    glb_model    glb;
    glb_part     part;
    glb_picture  picture;
    glb_material material;
    memset(&glb, 0, sizeof glb);
    char *name = stem_of(request->output);
    glb.name = name;

    bool has_skin = read_skin(request, model, &picture);
    material.name = has_skin ? picture.name : "skin";
    material.picture = has_skin ? 0 : -1;
    material.missing_width = model->skin_width;
    material.missing_height = model->skin_height;
    glb.pictures = &picture;
    glb.picture_count = has_skin ? 1 : 0;
    glb.materials = &material;
    glb.material_count = 1;

    set_part(&part, model, s);
    glb.parts = &part;
    glb.part_count = 1;
    glb_shape *shapes = list_shapes(model, s);
    glb.shapes = shapes;
    glb.shape_count = s->shape_count;

    glb_anim *anims = (glb_anim *)allocate(model->anim_count, sizeof(glb_anim));
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        if (!is_wanted(request, model->anims[i].name)) continue;
        anims[glb.anim_count++] = make_anim(model, s, &model->anims[i]);
    }
    glb.anims = anims;

    measure_glb(&glb, o->size);
    blob file = write_glb(&glb);
    add_output(o, request->output, &file);

    for (uint32_t i = 0; i < glb.anim_count; ++i) release(anims[i].shapes);
    release(anims);
    release(shapes);
    release(part.texcoords);
    release(name);
    if (has_skin) free_picture(&picture);
}

/* Returns an array [frame_count] that is true for each frame of a selected animation. */
static bool *list_shown_frames(const convert_request *request, const md2_model *model)
{
    bool *is_shown = (bool *)allocate(model->frame_count, sizeof(bool));
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        const md2_anim *anim = &model->anims[i];
        if (!is_wanted(request, anim->name)) continue;
        for (uint32_t k = 0; k < anim->count; ++k) is_shown[anim->first + k] = true;
    }
    return is_shown;
}

bool md2_to_glb(const convert_request *request, outputs *o)
{
    md2_options options;
    memset(&options, 0, sizeof options);
    options.flags = request->y_up ? 0 : MD2_Y_UP;
    options.scale = request->scale > 0 ? request->scale : METERS_PER_UNIT;
    md2_model *model = load_md2(request, &options, false);
    if (!model) return false;

    note_repairs(model);
    bool is_good = check_only_md2(request, model);
    if (is_good && model->index_count == 0) is_good = fail(request->model, "the model has no triangles");
    if (is_good) {
        bool       *is_shown = list_shown_frames(request, model);
        frame_store s = store_frames(model, is_shown);
        make_glb(request, model, &s, o);
        free_frames(&s);
        release(is_shown);
    }
    md2_free_model(model);
    return is_good;
}

/* -- To MD2 ------------------------------------------------------------------------------------ */

typedef struct repair {               /* the parts of the old model that are in the new model */
    const md2_model *model;
    bool            *is_kept;         /* [frame_count] */
    uint32_t        *new_points;      /* [model->point_count] new index; UINT32_MAX = not used */
    uint32_t        *old_points;      /* [point_count] old index */
    uint32_t         point_count;     /* of the new model */
    uint32_t        *indices;         /* of the new model */
    uint32_t         index_count;
    blob             stored;          /* the file of the old model, if its frames stay unchanged */
} repair;

/* Returns true if two points have the same bytes in every frame that is kept. */
static bool are_points_equal(const md2_model *model, const bool *is_kept, size_t bytes, uint32_t a,
                      uint32_t b)
{
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        const md2_point *points = model->frames[i].points;
        if (is_kept[i] && memcmp(&points[a], &points[b], bytes) != 0) return false;
    }
    return true;
}

static uint32_t hash_point(const md2_model *model, const bool *is_kept, size_t bytes,
                           uint32_t point)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        if (is_kept[i]) hash = hash_more(hash, &model->frames[i].points[point], bytes);
    }
    return (uint32_t)hash;
}

uint32_t number_md2_points(const md2_model *model, const bool *is_kept, bool by_position,
                       uint32_t *numbers, uint32_t *points)
{
    const size_t bytes = by_position ? 3 : sizeof(md2_point);
    uint32_t     count = 0, slot_count = 2 * model->point_count + 1;
    uint32_t    *slots = (uint32_t *)allocate(slot_count, sizeof(uint32_t)); /* 1 + new index; 0 = free */
    for (uint32_t i = 0; i < model->point_count; ++i) numbers[i] = UINT32_MAX;
    for (uint32_t i = 0; i < model->index_count; ++i) {
        uint32_t point = model->vertices[model->indices[i]].point;
        if (numbers[point] != UINT32_MAX) continue;

        uint32_t slot = hash_point(model, is_kept, bytes, point) % slot_count;
        while (slots[slot]) {
            if (are_points_equal(model, is_kept, bytes, points[slots[slot] - 1], point)) break;
            slot = (slot + 1) % slot_count;
        }
        if (!slots[slot]) {
            points[count] = point;
            slots[slot] = ++count;
        }
        numbers[point] = slots[slot] - 1;
    }
    release(slots);
    return count;
}

/* Keeps the triangles whose corners are three different points. */
static void keep_triangles(repair *r)
{
    for (uint32_t i = 0; i < r->model->index_count; i += 3) {
        const uint32_t *corners = r->model->indices + i;
        uint32_t        points[3];
        for (uint32_t k = 0; k < 3; ++k) {
            points[k] = r->new_points[r->model->vertices[corners[k]].point];
        }
        bool has_area = points[0] != points[1] && points[1] != points[2] && points[2] != points[0];
        if (!has_area) continue;
        memcpy(r->indices + r->index_count, corners, 3 * sizeof(uint32_t));
        r->index_count += 3;
    }
}

/* Keeps all points and triangles, so that no bit of the old frames changes when new frames are added. */
static void keep_all(repair *r)
{
    r->point_count = r->model->point_count;
    r->index_count = r->model->index_count;
    for (uint32_t i = 0; i < r->point_count; ++i) r->new_points[i] = r->old_points[i] = i;
    memcpy(r->indices, r->model->indices, r->index_count * sizeof *r->indices);
}

static void note_points(const repair *r)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < r->model->point_count; ++i) used += r->new_points[i] != UINT32_MAX;
    uint32_t unused = r->model->point_count - used, duplicates = used - r->point_count;
    uint32_t degenerate = (r->model->index_count - r->index_count) / 3;
    if (unused > 0) note("%u points that no triangle uses: left out", (unsigned)unused);
    if (duplicates > 0) note("%u duplicate points: merged", (unsigned)duplicates);
    if (degenerate > 0) note("%u triangles without area: left out", (unsigned)degenerate);
}

/* Converts a frame from Y up to Z up: (x, y, z) becomes (z, x, y). */
static void convert_y_up_frame(md2_out_frame *frame, uint32_t point_count)
{
    float *vectors[2] = { frame->scale, frame->translate };
    for (int i = 0; i < 2; ++i) {
        float *v = vectors[i], z = v[2];
        v[2] = v[1];
        v[1] = v[0];
        v[0] = z;
    }
    for (uint32_t i = 0; i < point_count; ++i) {
        uint8_t     *p = frame->points + 4 * i;
        const float *n = md2_normal(p[3]);
        double       normal[3] = { (double)n[2], (double)n[0], (double)n[1] };
        uint8_t      z = p[2];
        p[2] = p[1];
        p[1] = p[0];
        p[0] = z;
        p[3] = (uint8_t)nearest_normal(normal);
    }
}

static uint32_t read_number(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Replaces the normals, which md2.h may have repaired, by those of the file. */
static void copy_stored_normals(const repair *r, uint32_t frame, md2_out_frame *out)
{
    enum { FRAME_BYTES = 16, FRAME_OFFSET = 56, POINT_OFFSET = 40 };
    const blob *file = &r->stored;
    uint64_t    at = (uint64_t)frame * read_number(file->data + FRAME_BYTES) + read_number(file->data + FRAME_OFFSET) +
                  POINT_OFFSET;
    for (uint32_t i = 0; i < r->point_count; ++i) {
        uint64_t normal = at + 4 * (uint64_t)r->old_points[i] + 3;
        if (normal < file->size) out->points[4 * i + 3] = file->data[normal];
    }
}

/* Copies the stored bytes of a frame, so that no position is rounded again. */
static void copy_frame(const convert_request *request, const repair *r, uint32_t frame, md2_out_frame *out)
{
    const md2_frame *in = &r->model->frames[frame];
    if (strlen(in->name) > MD2_NAME_LENGTH) {
        note("frame %u: the name \"%s\" is cut to 15 characters", (unsigned)frame, in->name);
    }
    memcpy(out->name, in->name, MD2_NAME_LENGTH);
    memcpy(out->scale, in->scale, sizeof out->scale);
    memcpy(out->translate, in->translate, sizeof out->translate);
    out->points = (uint8_t *)allocate(r->point_count, 4);
    for (uint32_t i = 0; i < r->point_count; ++i) {
        memcpy(out->points + 4 * i, &in->points[r->old_points[i]], 4);

        /* Replace a normal that is not among the 162 of the table with the normal that points up. */
        uint32_t normal = out->points[4 * i + 3];
        const double up[3] = { 0, 0, 1 };
        if (normal > 161) out->points[4 * i + 3] = (uint8_t)nearest_normal(up);
    }
    if (r->stored.size > 0) copy_stored_normals(r, frame, out);
    if (request->y_up) convert_y_up_frame(out, r->point_count);
}

/* Returns the texel that the file stores for a texture coordinate of md2.h, which is the center of a texel. */
static int16_t stored_texel(float coordinate, uint32_t size)
{
    double texel = floor((double)coordinate * size);
    if (!(texel > INT16_MIN)) return INT16_MIN;
    return texel < INT16_MAX ? (int16_t)texel : INT16_MAX;
}

/* -- New frames after the old frames ----------------------------------------------------------- */

/* Names the frames of an added animation: the animation's name, shortened if necessary, and a number. If an earlier
   animation has the same shortened name, the last character of the new name is replaced by a, b, c, ... */
static void name_added_frames(name_table *used, const char *anim, uint32_t count, md2_out_frame *frames)
{
    char   base[MD2_NAME_LENGTH + 1], digits[16];
    int    digit_count = snprintf(digits, sizeof digits, "%u", (unsigned)count);
    size_t room = MD2_NAME_LENGTH - (size_t)(digit_count < 2 ? 2 : digit_count);
    size_t length = whole_length(anim, room);
    bool   ends_in_digit = length > 0 && anim[length - 1] >= '0' && anim[length - 1] <= '9';
    if (ends_in_digit) length = whole_length(anim, room - 1);
    snprintf(base, sizeof base, "%.*s%s", (int)length, anim, ends_in_digit ? "_" : "");
    for (char letter = 'a'; find_name(used, base) && letter <= 'z'; ++letter) {
        base[strlen(base) - 1] = letter;
    }
    add_name(used, base, 0);
    for (uint32_t i = 0; i < count; ++i) {
        char name[32];
        snprintf(name, sizeof name, "%s%02u", base, (unsigned)(i + 1));
        memcpy(frames[i].name, name, MD2_NAME_LENGTH);
    }
    if (strcmp(base, anim) == 0) return;
    note("%s: frame names have at most 15 characters, so its frames are called %s to %s", anim, frames[0].name,
         frames[count - 1].name);
}

typedef struct added_frames {         /* frames of the sources' animations, with the points of the new model */
    md2_out_frame *list;
    uint32_t       count;
} added_frames;

typedef struct longer_md2 {           /* the model or a weapon, which both get new frames */
    convert_request request;          /* with the paths of this file */
    md2_model      *model;
    repair          r;
    added_frames    added;
} longer_md2;

/* Adds copies of a weapon's last frame until it has as many frames as the model, so that the new frames of both have the
   same numbers. */
static void add_missing_frames(const longer_md2 *body, longer_md2 *weapon)
{
    uint32_t frames = weapon->model->frame_count;
    weapon->added.list = (md2_out_frame *)allocate(body->model->frame_count, sizeof *weapon->added.list);
    for (uint32_t f = frames; f < body->model->frame_count; ++f) {
        if (!body->r.is_kept[f]) continue;
        md2_out_frame *added = &weapon->added.list[weapon->added.count++];
        copy_frame(&weapon->request, &weapon->r, frames - 1, added);
        memcpy(added->name, body->model->frames[f].name, MD2_NAME_LENGTH);
    }
}

/* Samples the new frames of a file, which is one mesh of `source`. */
static bool sample_new_frames(const bake_source *source, uint32_t mesh, longer_md2 *file, uint32_t *counts)
{
    const md2_model *model = file->model;
    uint32_t         vertex_count = source->meshes[mesh].vertex_count, count;
    uint32_t        *points = (uint32_t *)allocate(vertex_count, sizeof *points);

    /* The mesh has the vertices of the file, and then the vertices of linings, which have the same points. */
    for (uint32_t i = 0; i < vertex_count; ++i) {
        bool is_lining = i >= model->vertex_count;
        points[i] = is_lining ? UINT32_MAX : file->r.new_points[model->vertices[i].point];
    }
    md2_out_frame *frames = sample_points(&file->request, source, mesh, points, file->r.point_count, counts, &count);
    if (frames) {
        size_t room = (size_t)file->added.count + count;
        file->added.list = (md2_out_frame *)reallocate(file->added.list, room * sizeof *frames);
        memcpy(file->added.list + file->added.count, frames, count * sizeof *frames);
        file->added.count += count;
    }
    release(points);
    release(frames);
    return frames != NULL;
}

/* Names the new frames of the model, files[0], and gives the frames of its weapons the same names. */
static void name_new_frames(const loaded_md5 *c, const uint32_t *counts, char *const *old_names, longer_md2 *files,
                            int file_count)
{
    name_table used = { NULL, 0, 0, false };
    uint32_t   next = 0, count = files[0].added.count;
    for (uint32_t i = 0; i < files[0].model->anim_count; ++i) add_name(&used, old_names[i], 0);
    for (uint32_t i = 0; i < c->anim_count; ++i) {
        name_added_frames(&used, c->anims[i]->name, counts[i], files[0].added.list + next);
        next += counts[i];
    }
    for (int k = 1; k < file_count; ++k) {
        md2_out_frame *frames = files[k].added.list + files[k].added.count - count;
        for (uint32_t f = 0; f < count; ++f) memcpy(frames[f].name, files[0].added.list[f].name, MD2_NAME_LENGTH);
    }
    free_name_table(&used);
}

/* Finds a skeleton for the model, plays the animations of request->sources on it, and samples the new frames of the model
   and its weapons. */
static bool add_source_frames(const convert_request *request, longer_md2 *files, int file_count)
{
    const md2_model *model = files[0].model;
    convert_request  own = *request;
    outputs          texts;
    memset(&texts, 0, sizeof texts);
    own.output = "skeleton.md2";      /* not an .md5mesh, so that the weapons are meshes of the model */
    own.is_bare = true;
    own.source_count = 0;
    own.only_count = 0;
    bool       is_good = md2_to_md5(&own, &texts);
    uint32_t   own_count = texts.count;
    char     **names = (char **)allocate(model->anim_count, sizeof *names);
    loaded_md5 c;
    memset(&c, 0, sizeof c);
    for (uint32_t i = 0; i < model->anim_count; ++i) names[i] = name_for_file(model->anims[i].name, "anim");
    if (is_good) {
        blob mesh = texts.list[0].file;
        is_good = add_source_texts(request, &mesh, NULL, (const char *const *)names, model->anim_count, &texts);
    }
    if (is_good) is_good = load_texts(request, &texts, own_count, MD5_KEEP_WINDING, 1, &c);
    if (is_good && c.anim_count > 0) {
        bake_source source;
        uint32_t   *counts = (uint32_t *)allocate(c.anim_count, sizeof *counts);
        memset(&source, 0, sizeof source);
        begin_md5_source(&c, &source);
        for (int k = 0; k < file_count && is_good; ++k) {
            is_good = sample_new_frames(&source, (uint32_t)k, &files[k], counts);
        }
        if (is_good) name_new_frames(&c, counts, names, files, file_count);
        end_md5_source(&source);
        release(counts);
    }
    for (uint32_t i = 0; i < model->anim_count; ++i) release(names[i]);
    release(names);
    free_loaded_md5(&c);
    free_outputs(&texts);
    return is_good;
}

/* Prints a note if md2.h does not find an animation by its new name. If a model has the frames of a player, md2.h reads
   the animations from Quake II's table of player animations, not from the names of the frames. */
static void note_unused_name(const char *anim, const md2_out_frame *frames, uint32_t frame_count)
{
    const char **names = (const char **)allocate(frame_count, sizeof *names);
    md2_anim    *found = (md2_anim *)allocate(frame_count, sizeof *found);
    bool         is_found = false;
    for (uint32_t i = 0; i < frame_count; ++i) names[i] = frames[i].name;
    uint32_t count = md2_split_frame_names(names, frame_count, NULL, found, frame_count);
    for (uint32_t i = 0; i < count; ++i) is_found |= strcmp(found[i].name, anim) == 0;
    if (!is_found) {
        note("%s: md2.h finds this name only with MD2_FRAME_NAMES, because the model has the frames of a "
             "player", anim);
    }
    release(names);
    release(found);
}

/* Renames the frames of the animations that --name renames. */
static bool rename_frames(const convert_request *request, const repair *r, md2_out_frame *frames, uint32_t frame_count)
{
    const md2_model *model = r->model;
    bool             is_good = true;
    for (uint32_t i = 0; i < model->anim_count && is_good; ++i) {
        const md2_anim *anim = &model->anims[i];
        bool            is_renamed = false;
        for (int k = 0; k < request->name_count; ++k) is_renamed |= strcmp(request->new_names[k], anim->name) == 0;
        if (!is_renamed || !r->is_kept[anim->first]) continue;

        uint32_t first = 0;
        for (uint32_t f = 0; f < anim->first; ++f) first += r->is_kept[f] ? 1 : 0;
        is_good = name_anim_frames(anim->name, frames + first, anim->count);
        if (is_good) note_unused_name(anim->name, frames, frame_count);
    }
    return is_good;
}

static bool write_repaired(const convert_request *request, const repair *r, const added_frames *added, outputs *o)
{
    const md2_model *model = r->model;
    md2_out          out;
    memset(&out, 0, sizeof out);
    out.skin_width = model->skin_width > 0 ? model->skin_width : 1;
    out.skin_height = model->skin_height > 0 ? model->skin_height : 1;
    out.point_count = r->point_count;
    out.vertex_count = model->vertex_count;
    out.index_count = r->index_count;
    out.indices = r->indices;

    const char **skins = (const char **)allocate(model->skin_count, sizeof *skins);
    for (uint32_t i = 0; i < model->skin_count; ++i) skins[i] = model->skins[i].path;
    out.skins = skins;
    out.skin_count = model->skin_count;

    int16_t        *texcoords = (int16_t *)allocate(2 * (size_t)model->vertex_count,
                                                    sizeof *texcoords);
    md2_out_vertex *vertices = (md2_out_vertex *)allocate(model->vertex_count, sizeof *vertices);
    for (uint32_t i = 0; i < model->vertex_count; ++i) {
        uint32_t point = r->new_points[model->vertices[i].point];
        vertices[i].point = point == UINT32_MAX ? 0 : point;
        texcoords[2 * (size_t)i] = stored_texel(model->vertices[i].u, out.skin_width);
        texcoords[2 * (size_t)i + 1] = stored_texel(model->vertices[i].v, out.skin_height);
    }
    out.texcoord_count = merge_texcoords(texcoords, vertices, model->vertex_count);
    out.texcoords = texcoords;
    out.vertices = vertices;

    size_t         room = (size_t)model->frame_count + added->count;
    md2_out_frame *frames = (md2_out_frame *)allocate(room, sizeof *frames);
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        if (r->is_kept[i]) copy_frame(request, r, i, &frames[out.frame_count++]);
    }
    for (uint32_t i = 0; i < added->count; ++i) frames[out.frame_count++] = added->list[i];
    out.frames = frames;
    note_md2_limits(&out);
    bool is_good = rename_frames(request, r, frames, out.frame_count);

    blob file = write_md2(&out);
    add_output(o, request->output, &file);
    for (uint32_t i = 0; i < out.frame_count; ++i) release(frames[i].points);
    release(frames);
    release(vertices);
    release(texcoords);
    release(skins);
    return is_good;
}

/* Copies all skins that are found. The new MD2 lists the same names. */
static void copy_skins(const convert_request *request, const md2_model *model, outputs *o)
{
    char *first = find_md2_picture(model, request->model);
    if (first) copy_picture(request, request->model, first, o);
    release(first);
    for (uint32_t i = 0; i < model->skin_count; ++i) {
        char path[MAX_PATH_LENGTH];
        bool is_found = md2_find_skin(model, request->model, i, is_picture_file, NULL, path, sizeof path);
        if (is_found) copy_picture(request, request->model, path, o);
    }
}

/* Loads a file. Returns false and reports an error if this fails. */
static bool begin_longer_md2(const convert_request *request, longer_md2 *file)
{
    md2_options options;
    memset(&options, 0, sizeof options);
    options.scale = request->scale;
    file->request = *request;
    file->model = load_md2(request, &options, true);
    if (!file->model) return false;
    if (file->model->index_count == 0) return fail(request->model, "the model has no triangles");

    bool stays = request->source_count > 0 && !request->y_up && request->yaw == 0;
    if (!stays) note_repairs(file->model);
    else if (!read_blob(request->model, &file->r.stored)) return fail(request->model, "cannot be opened");
    if (stays && file->model->defects & (MD2_NORMALS_INWARD | MD2_NORMALS_WRONG)) {
        note("%s: the old frames keep the normals of the file", request->model);
    }
    file->r.model = file->model;
    file->r.is_kept = (bool *)allocate(file->model->frame_count, sizeof(bool));
    file->r.new_points = (uint32_t *)allocate(file->model->point_count, sizeof(uint32_t));
    file->r.old_points = (uint32_t *)allocate(file->model->point_count, sizeof(uint32_t));
    file->r.indices = (uint32_t *)allocate(file->model->index_count, sizeof(uint32_t));
    return true;
}

static void end_longer_md2(longer_md2 *file)
{
    release(file->added.list);
    release(file->r.is_kept);
    release(file->r.new_points);
    release(file->r.old_points);
    release(file->r.indices);
    free_blob(&file->r.stored);
    md2_free_model(file->model);
}

/* Loads a weapon, whose output is in the folder of the model's output. */
static bool begin_longer_weapon(const convert_request *request, const char *path, const char *output,
                                const longer_md2 *body, longer_md2 *weapon)
{
    convert_request own = *request;
    own.model = path;
    own.output = output;
    if (!begin_longer_md2(&own, weapon)) return false;
    for (uint32_t f = 0; f < weapon->model->frame_count; ++f) {
        weapon->r.is_kept[f] = f < body->model->frame_count && body->r.is_kept[f];
    }
    keep_all(&weapon->r);
    add_missing_frames(body, weapon);
    return true;
}

bool md2_to_md2(const convert_request *request, outputs *o)
{
    int         file_count = 1 + request->weapon_count, begun_count = 1;
    longer_md2 *files = (longer_md2 *)allocate((size_t)file_count, sizeof *files);
    char      **paths = (char **)allocate((size_t)file_count, sizeof *paths);
    name_table  used = { NULL, 0, 0, false };
    char       *stem = stem_of(request->output);
    add_name(&used, stem, 2);
    bool is_good = begin_longer_md2(request, &files[0]) && check_only_md2(request, files[0].model);
    if (is_good) {
        repair *r = &files[0].r;
        bool   *is_shown = list_shown_frames(request, files[0].model);
        memcpy(r->is_kept, is_shown, files[0].model->frame_count * sizeof *is_shown);
        release(is_shown);
        if (request->source_count > 0) {
            keep_all(r);
        } else {
            r->point_count = number_md2_points(files[0].model, r->is_kept, false, r->new_points, r->old_points);
            keep_triangles(r);
            note_points(r);
        }
    }
    for (int i = 1; i < file_count && is_good; ++i) {
        const char *weapon = request->weapons[i - 1];
        char       *own_stem = stem_of(weapon), *name = take_unique_name(&used, own_stem);
        paths[i] = join_path(request->output, name, ".md2");
        if (strcmp(name, own_stem) != 0) note("%s becomes %s.md2", weapon, name);
        is_good = begin_longer_weapon(request, weapon, paths[i], &files[0], &files[i]);
        begun_count = i + 1;
        release(own_stem);
        release(name);
    }
    if (is_good && request->source_count > 0) is_good = add_source_frames(request, files, file_count);
    for (int i = 0; i < begun_count; ++i) {
        const convert_request *own = &files[i].request;
        is_good = is_good && write_repaired(own, &files[i].r, &files[i].added, o);
        if (is_good) copy_skins(own, files[i].model, o);
        end_longer_md2(&files[i]);
        release(paths[i]);
    }
    free_name_table(&used);
    release(stem);
    release(paths);
    release(files);
    return is_good;
}
