/* convert_md5.c - converts MD5 to glTF, MD5 and MD2. Public domain. */
#include "from_scene.h"
#include "humanoid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Loading ----------------------------------------------------------------------------------- */

void free_loaded_md5(loaded_md5 *c)
{
    for (uint32_t i = 0; i < c->anim_count; ++i) md5_free_anim(c->anims[i]);
    md5_free_anim(c->rest);
    release(c->mesh_files);
    release(c->anims);
    md5_free_model(c->model);
}

static bool fail_md5(const char *path, const md5_error *error)
{
    /* The message of the header repeats the path here. */
    if (error->code == MD5_ERROR_OPEN) return fail(path, "cannot be opened");
    if (error->line == 0) return fail(path, "%s", error->message);
    return fail(path, "line %u: %s", (unsigned)error->line, error->message);
}

/* Loads an animation. An animation for another skeleton animates the joints that have the same names. */
static md5_anim *load_anim(const char *path, const md5_model *model, const md5_options *options)
{
    /* md5.h also reads the .md5scale next to the animation. Refuse a pipe there: reading it would never end. */
    char *stem = stem_of(path), *scale = join_path(path, stem, ".md5scale");
    bool  may_load = !file_exists(scale) || is_file(scale) || fail(scale, "is not a regular file");
    release(stem);
    release(scale);
    if (!may_load) return NULL;

    md5_error error;
    md5_anim *anim = md5_load_anim_file(path, options, &error);
    if (!anim) {
        fail_md5(path, &error);
        return NULL;
    }
    if (anim->frame_count == 0) {
        fail(path, "the animation has no frames");
        md5_free_anim(anim);
        return NULL;
    }
    if (md5_check_anim(model, anim, NULL) == MD5_OK) return anim;

    uint32_t  missing = 0;
    md5_anim *fitted = md5_retarget_anim(model, NULL, anim, &missing, options, &error);
    if (fitted) {
        note("%s is for another skeleton: %u of the model's %u joints are missing in it, and stay in the "
             "bind pose", path, (unsigned)missing, (unsigned)model->joint_count);
    } else {
        fail_md5(path, &error);
    }
    md5_free_anim(anim);
    return fitted;
}

static bool load_anims(const convert_request *request, const md5_options *options, loaded_md5 *c)
{
    char **stems = (char **)allocate((size_t)request->anim_count, sizeof *stems);
    for (int i = 0; i < request->anim_count; ++i) stems[i] = stem_of(request->anims[i]);
    bool is_good = request->source_count > 0 ||
                   check_only(request, (const char *const *)stems, (uint32_t)request->anim_count);

    c->anims = (md5_anim **)allocate((size_t)request->anim_count, sizeof *c->anims);
    for (int i = 0; i < request->anim_count && is_good; ++i) {
        if (!is_wanted(request, stems[i])) continue;
        md5_anim *anim = load_anim(request->anims[i], c->model, options);
        is_good = anim != NULL;
        if (!anim) continue;
        const char *name = new_name_of(request, stems[i]);
        if (name != stems[i]) anim->name = name;
        c->anims[c->anim_count++] = anim;
    }
    for (int i = 0; i < request->anim_count; ++i) release(stems[i]);
    release(stems);
    return is_good;
}

static bool load_anim_texts(const convert_request *request, const outputs *texts, uint32_t first,
                            const md5_options *options, loaded_md5 *c)
{
    size_t room = c->anim_count + (size_t)texts->count;
    c->anims = (md5_anim **)reallocate(c->anims, room * sizeof *c->anims);
    for (uint32_t i = first; i < texts->count; ++i) {
        const output *text = &texts->list[i];
        md5_error     error;
        if (!has_extension(text->path, ".md5anim")) continue;
        char     *name = stem_of(text->path);
        md5_anim *anim = md5_load_anim_memory(text->file.data, text->file.size, name, options, &error);
        release(name);
        if (!anim) return fail(request->model, "%s", error.message);
        c->anims[c->anim_count++] = anim;
    }
    return true;
}

bool load_texts(const convert_request *request, const outputs *texts, uint32_t first_anim, uint32_t flags, float scale,
                loaded_md5 *c)
{
    md5_options options = make_md5_options(flags, scale);
    md5_error   error;
    const blob *mesh = &texts->list[0].file;
    memset(c, 0, sizeof *c);
    c->model = md5_load_model_memory(mesh->data, mesh->size, &options, &error);
    if (!c->model) return fail(request->model, "%s", error.message);
    return load_anim_texts(request, texts, first_anim, &options, c);
}

/* Plays the animations of request->sources on the model's skeleton, and adds the results to the model's animations. */
static bool load_source_anims(const convert_request *request, const md5_options *options, loaded_md5 *c)
{
    outputs      texts;
    blob         mesh = { NULL, 0, 0 };
    uint32_t     count = (uint32_t)request->anim_count;
    char       **stems = (char **)allocate(count, sizeof *stems);
    const char **names = (const char **)allocate(count, sizeof *names);
    memset(&texts, 0, sizeof texts);

    /* An animation that --only does not select keeps its name, so that --only does not change the names of others. */
    for (uint32_t i = 0; i < count; ++i) {
        stems[i] = stem_of(request->anims[i]);
        names[i] = new_name_of(request, stems[i]);
    }
    bool is_good = read_blob(request->model, &mesh) || fail(request->model, "cannot be read");
    if (is_good) is_good = add_source_texts(request, &mesh, NULL, names, count, &texts);

    if (is_good) is_good = load_anim_texts(request, &texts, 0, options, c);
    free_blob(&mesh);
    free_outputs(&texts);
    for (uint32_t i = 0; i < count; ++i) release(stems[i]);
    release(stems);
    release(names);
    return is_good;
}

/* Rotates a transform by `yaw` degrees about the up axis: `up` is 1 for Y, 2 for Z. */
static void rotate_xform(int yaw, int up, md5_xform *xform)
{
    double       half = 0.5 * yaw / 180 * 3.14159265358979323846, s = sin(half), c = cos(half);
    const float *q = xform->rotation;
    int          a = (up + 1) % 3, b = (up + 2) % 3;
    float        rotated[4];
    if (yaw == 0) return;
    rotated[up] = (float)(c * (double)q[up] + s * (double)q[3]);
    rotated[a] = (float)(c * (double)q[a] - s * (double)q[b]);
    rotated[b] = (float)(c * (double)q[b] + s * (double)q[a]);
    rotated[3] = (float)(c * (double)q[3] - s * (double)q[up]);
    memcpy(xform->rotation, rotated, sizeof rotated);
    rotate_vector(yaw, up, xform->position);
}

/* Converts a vector from Y up to Z up: (x, y, z) becomes (z, x, y), a rotation by 120 degrees about the diagonal. */
static void convert_y_up_vector(float v[3])
{
    float z = v[2];
    v[2] = v[1];
    v[1] = v[0];
    v[0] = z;
}

static void convert_y_up_xform(md5_xform *xform)
{
    float x = xform->rotation[0], y = xform->rotation[1], z = xform->rotation[2];
    float w = xform->rotation[3];
    xform->rotation[0] = 0.5f * (x - y + z + w);
    xform->rotation[1] = 0.5f * (x + y - z + w);
    xform->rotation[2] = 0.5f * (-x + y + z + w);
    xform->rotation[3] = 0.5f * (w - x - y - z);
    convert_y_up_vector(xform->position);
}

/* Applies --y-up and --turn to a vector. */
static void orient_vector(const convert_request *request, float v[3])
{
    if (request->y_up) convert_y_up_vector(v);
    rotate_vector(request->yaw, 2, v);
}

/* Applies --y-up and --turn to a transform in model space. In frames, only the transforms of root joints are in model
   space; the transforms of other joints are relative to their parents. */
static void orient_xform(const convert_request *request, md5_xform *xform)
{
    if (request->y_up) convert_y_up_xform(xform);
    rotate_xform(request->yaw, 2, xform);
}

/* Returns true if a mesh has exactly this name. If no mesh is called `sword`, --without sword removes `part2/sword`. */
static bool has_exact_name(const md5_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        if (strcmp(model->meshes[i].shader, name) == 0) return true;
    }
    return false;
}

/* Removes the meshes that --without lists. The names refer to the meshes in the file, not to the meshes that are left:
   `--without sword --without sword` does not remove `part2/sword`. Nothing else uses the model, so the cast may remove
   const. */
static bool remove_meshes(const convert_request *request, loaded_md5 *c)
{
    md5_model *model = c->model;
    md5_mesh  *meshes = (md5_mesh *)(uintptr_t)model->meshes;
    bool     *are_exact = (bool *)allocate((size_t)request->without_count, sizeof *are_exact);
    for (int i = 0; i < request->without_count; ++i) are_exact[i] = has_exact_name(model, request->without[i]);
    bool is_good = true;
    for (int i = 0; i < request->without_count && is_good; ++i) {
        bool     is_exact = are_exact[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < model->mesh_count; ++k) {
            const char *name = is_exact ? meshes[k].shader : file_name(meshes[k].shader);
            if (strcmp(name, request->without[i]) == 0) continue;
            if (c->mesh_files) c->mesh_files[kept] = c->mesh_files[k];
            meshes[kept++] = meshes[k];
        }
        if (kept == model->mesh_count) is_good = fail(request->without[i], "no mesh has this name");
        else if (kept == 0) is_good = fail(request->without[i], "without it, nothing is left");
        else model->mesh_count = kept;
    }
    release(are_exact);
    return is_good;
}

md5_options make_md5_options(uint32_t flags, float scale)
{
    enum { MAX_BYTES = 1 << 30 };
    md5_options options;
    memset(&options, 0, sizeof options);
    options.flags = flags;
    options.scale = scale;
    options.allocator.alloc = allocate_if_there;
    options.allocator.release = release_sized;
    options.max_bytes = MAX_BYTES;
    return options;
}

/* Copies the stored transforms of a frame. Sampling at the frame's time instead could round the time. */
static void get_frame(const md5_anim *anim, uint32_t frame, md5_xform *local)
{
    const md5_xform *moving = anim->frames + (size_t)frame * anim->moving_count;
    for (uint32_t i = 0; i < anim->joint_count; ++i) {
        uint32_t slot = anim->slots ? anim->slots[i] : i;
        bool     moves = slot < anim->moving_count;
        local[i] = moves ? moving[slot] : anim->still[slot - anim->moving_count];
    }
}

/* -- In place ---------------------------------------------------------------------------------- */

/* Makes a scene of the joints, which rest in the first frame. Its animation has a key for each frame. Tracks 2 i and
   2 i + 1 are the position and the rotation of joint i. */
static scene *make_scene(const md5_model *model, const md5_anim *anim)
{
    scene      *s = (scene *)allocate(1, sizeof *s);
    scene_anim *motion = (scene_anim *)allocate(1, sizeof *motion);
    md5_xform  *local = (md5_xform *)allocate(model->joint_count, sizeof *local);
    s->node_count = model->joint_count;
    s->nodes = (scene_node *)allocate(s->node_count, sizeof *s->nodes);
    s->order = (uint32_t *)allocate(s->node_count, sizeof *s->order);
    s->root_transform = identity_matrix();
    s->anims = motion;
    s->anim_count = 1;
    motion->name = copy_text(anim->name);
    motion->end = anim->frame_count - 1.0;
    motion->tracks = (scene_track *)allocate(s->node_count, 2 * sizeof *motion->tracks);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        s->order[i] = i;
        s->nodes[i].parent = model->joints[i].parent < 0 ? NO_INDEX : (uint32_t)model->joints[i].parent;
        for (int k = 0; k < 3; ++k) s->nodes[i].scale[k] = 1;
        add_track(motion, i, TRACK_TRANSLATION, anim->frame_count);
        add_track(motion, i, TRACK_ROTATION, anim->frame_count);
    }
    for (uint32_t f = anim->frame_count; f-- > 0;) {
        get_frame(anim, f, local);
        for (uint32_t i = 0; i < s->node_count; ++i) {
            scene_track *position = &motion->tracks[2 * i], *rotation = position + 1;
            position->times[f] = rotation->times[f] = (float)f;
            memcpy(position->values + 3 * (size_t)f, local[i].position, sizeof local[i].position);
            memcpy(rotation->values + 4 * (size_t)f, local[i].rotation, sizeof local[i].rotation);
        }
    }
    for (uint32_t i = 0; i < s->node_count; ++i) {
        for (int k = 0; k < 3; ++k) s->nodes[i].translation[k] = (double)local[i].position[k];
        for (int k = 0; k < 4; ++k) s->nodes[i].rotation[k] = (double)local[i].rotation[k];
    }
    release(local);
    return s;
}

/* Removes steady root motion. Nothing else uses the frames, so the cast may remove const. */
static void keep_md5_in_place(const convert_request *request, const md5_model *model, const md5_anim *anim, int up)
{
    const double axis[3] = { 0, up == 1, up == 2 };
    bool         is_glb = has_extension(request->output, ".glb");
    scene       *s = make_scene(model, anim);
    keep_in_place(request, s, &s->anims[0], axis, is_glb ? 1 / (double)METERS_PER_UNIT : 1);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        uint32_t     slot = anim->slots ? anim->slots[i] : i;
        const float *values = s->anims[0].tracks[2 * i].values;
        for (uint32_t f = 0; slot < anim->moving_count && f < anim->frame_count; ++f) {
            md5_xform *frame = (md5_xform *)(uintptr_t)anim->frames + (size_t)f * anim->moving_count;
            memcpy(frame[slot].position, values + 3 * (size_t)f, sizeof frame[slot].position);
        }
    }
    free_scene(s);
}

/* -- The model --------------------------------------------------------------------------------- */

/* Loads a model with the weapons that it holds: their meshes become meshes of the model. */
static bool load_armed_model(const convert_request *request, const md5_options *options, loaded_md5 *c);

/* Loads the model and its animations. Unless `are_weapons_separate` is true, the meshes of the weapons become meshes of
   the model. */
static bool load_md5(const convert_request *request, uint32_t flags, float scale, bool are_weapons_separate,
                     loaded_md5 *c)
{
    md5_options options = make_md5_options(flags, scale);
    md5_error   error;
    memset(c, 0, sizeof *c);

    bool is_good;
    if (request->weapon_count > 0 && !are_weapons_separate) {
        is_good = load_armed_model(request, &options, c);
    } else {
        c->model = md5_load_model_file(request->model, &options, &error);
        is_good = c->model || fail_md5(request->model, &error);
    }
    is_good = is_good && remove_meshes(request, c) && load_anims(request, &options, c);
    bool stays = request->in_place || has_extension(request->output, ".md2");
    int  up = (flags & MD5_Y_UP) || request->y_up ? 1 : 2;
    for (uint32_t i = 0; is_good && stays && i < c->anim_count; ++i) {
        keep_md5_in_place(request, c->model, c->anims[i], up);
    }
    if (is_good && request->source_count > 0) is_good = load_source_anims(request, &options, c);
    if (is_good) return true;
    free_loaded_md5(c);
    return false;
}

static double rate_of(const md5_anim *anim)
{
    const double usual = 24;
    return anim->fps > 0 ? (double)anim->fps : usual;
}

/* -- Weights ----------------------------------------------------------------------------------- */

typedef struct vertex_influence {
    uint32_t joint;
    double   weight;
} vertex_influence;

enum { MAX_INFLUENCES = 64 };

static int compare_influences(const void *a, const void *b)
{
    const vertex_influence *x = (const vertex_influence *)a, *y = (const vertex_influence *)b;
    if (x->weight > y->weight) return -1;
    if (x->weight < y->weight) return 1;
    return x->joint < y->joint ? -1 : 1; /* No joint is listed twice. */
}

/* Lists the influences on a vertex as glTF requires: each joint once, with weights that are above 0 and sum to 1. The
   weights descend, because many programs read only four influences. Returns the number of influences, and sets *sum to
   the sum of the weights in the MD5. */
static uint32_t list_influences(const md5_mesh *mesh, const md5_vertex *vertex,
                                vertex_influence list[MAX_INFLUENCES], double *sum)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < vertex->weight_count; ++i) {
        const md5_weight *weight = &mesh->weights[vertex->first_weight + i];
        uint32_t          at = 0;
        while (at < count && list[at].joint != weight->joint) ++at;
        if (at == MAX_INFLUENCES) continue;
        if (at == count) {
            list[count].joint = weight->joint;
            list[count++].weight = 0;
        }
        list[at].weight += (double)weight->bias;
    }

    uint32_t kept = 0;
    *sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        *sum += list[i].weight;
        if (list[i].weight > 1e-6) list[kept++] = list[i];
    }
    if (kept == 0) {
        list[0].joint = count > 0 ? list[0].joint : 0;
        list[0].weight = 1;
        return 1;
    }
    qsort(list, kept, sizeof(vertex_influence), compare_influences);

    double total = 0;
    for (uint32_t i = 0; i < kept; ++i) total += list[i].weight;
    for (uint32_t i = 0; i < kept; ++i) list[i].weight /= total;
    return kept;
}

static void set_influences(const md5_mesh *mesh, glb_part *part, uint32_t *uneven_count)
{
    vertex_influence list[MAX_INFLUENCES];
    double    sum;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        uint32_t count = list_influences(mesh, &mesh->vertices[i], list, &sum);
        if (count > part->influence_count) part->influence_count = count;
        if (fabs(sum - 1) > 0.001) ++*uneven_count;
    }

    size_t    total = (size_t)mesh->vertex_count * part->influence_count;
    uint16_t *joints = (uint16_t *)allocate(total, sizeof *joints);
    float    *weights = (float *)allocate(total, sizeof *weights);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        size_t   at = (size_t)i * part->influence_count;
        uint32_t count = list_influences(mesh, &mesh->vertices[i], list, &sum);
        for (uint32_t k = 0; k < count; ++k) {
            joints[at + k] = (uint16_t)list[k].joint;
            weights[at + k] = (float)list[k].weight;
        }
    }
    part->joints = joints;
    part->weights = weights;
}

/* Returns true if all weights of a vertex give the same position in the bind pose. In files from exporters, they do. */
static bool do_weights_agree(const md5_model *model, const md5_mesh *mesh, const md5_vertex *vertex,
                             float tolerance)
{
    for (uint32_t i = 0; i < vertex->weight_count; ++i) {
        const md5_weight *weight = &mesh->weights[vertex->first_weight + i];
        float             m[16];
        md5_pose_matrix(&model->joints[weight->joint].bind, m);
        for (int k = 0; k < 3; ++k) {
            const float *p = weight->position;
            float        position = m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
            if (fabsf(position - vertex->position[k]) * weight->bias > tolerance) return false;
        }
    }
    return true;
}

/* Reports vertices whose weights disagree, because glTF has only one position for each vertex. */
static void note_disagreement(const md5_model *model)
{
    const float invisible = 0.001f;   /* fraction of the size */
    float       size = 0;
    uint32_t    count = 0;
    for (int k = 0; k < 3; ++k) size = fmaxf(size, model->max[k] - model->min[k]);
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        const md5_mesh *mesh = &model->meshes[i];
        for (uint32_t k = 0; k < mesh->vertex_count; ++k) {
            if (!do_weights_agree(model, mesh, &mesh->vertices[k], size * invisible)) ++count;
        }
    }
    if (count > 0) {
        note("the weights of %u vertices give different positions in the bind pose: these vertices move "
             "slightly differently in glTF", (unsigned)count);
    }
}

/* -- To glTF: parts of the mesh ---------------------------------------------------------------- */

static void set_part(const md5_mesh *mesh, glb_part *part, uint32_t *uneven_count)
{
    size_t count = mesh->vertex_count;
    float *positions = (float *)allocate(3 * count, sizeof(float));
    float *normals = (float *)allocate(3 * count, sizeof(float));
    float *texcoords = (float *)allocate(2 * count, sizeof(float));
    for (size_t i = 0; i < count; ++i) {
        const md5_vertex *vertex = &mesh->vertices[i];
        memcpy(positions + 3 * i, vertex->position, sizeof vertex->position);
        memcpy(normals + 3 * i, vertex->normal, sizeof vertex->normal);
        texcoords[2 * i] = vertex->u;
        texcoords[2 * i + 1] = vertex->v;
    }
    memset(part, 0, sizeof *part);
    part->vertex_count = mesh->vertex_count;
    part->index_count = mesh->index_count;
    part->positions = positions;
    part->normals = normals;
    part->texcoords = texcoords;
    part->indices = mesh->indices;
    set_influences(mesh, part, uneven_count);
}

static void free_part(glb_part *part)
{
    release(part->positions);
    release(part->normals);
    release(part->texcoords);
    release(part->joints);
    release(part->weights);
}

/* Reports a missing picture, but only once for consecutive meshes with the same name. */
static void note_no_picture(const md5_model *model, uint32_t mesh)
{
    const char *shader = model->meshes[mesh].shader;
    bool        is_repeated = mesh > 0 && strcmp(model->meshes[mesh - 1].shader, shader) == 0;
    const char *name = file_name(shader), *dot = strrchr(name, '.');
    int         length = dot ? (int)(dot - name) : (int)strlen(name);
    if (is_repeated) return;
    note("no picture was found for \"%s\": put %.*s.png, .jpg, .tga, .bmp or .pcx next to the model",
         shader, length, name);
}

/* Returns the path of the picture of a mesh, next to the file that has the mesh or else next to the model; NULL = none.
   Free it. */
static char *find_picture(const convert_request *request, const loaded_md5 *c, uint32_t mesh)
{
    char *path = c->mesh_files ? find_md5_picture(c->model, c->mesh_files[mesh], mesh) : NULL;
    return path ? path : find_md5_picture(c->model, request->model, mesh);
}

/* Returns the picture among c->pictures that has the name of a shader; NULL = none. */
static const output *find_own_picture(const loaded_md5 *c, const char *shader)
{
    const output *found = NULL;
    for (uint32_t i = 0; c->pictures && i < c->pictures->count && !found; ++i) {
        const output *one = &c->pictures->list[i];
        char         *stem = stem_of(one->path);
        bool is_picture = has_extension(one->path, ".png") || has_extension(one->path, ".jpg");
        if (is_picture && strcmp(stem, shader) == 0) found = one;
        release(stem);
    }
    return found;
}

static void copy_own_picture(const output *one, glb_picture *picture)
{
    picture->name = stem_of(one->path);
    picture->type = has_extension(one->path, ".jpg") ? "image/jpeg" : "image/png";
    put(&picture->file, one->file.data, one->file.size);
}

/* Adds the picture of a mesh, unless another mesh has added it. Returns its index; -1 = none. */
static int add_picture(const convert_request *request, const loaded_md5 *c, uint32_t mesh, glb_picture *pictures,
                       char **paths, uint32_t *count)
{
    const md5_model *model = c->model;
    const output    *own = find_own_picture(c, model->meshes[mesh].shader);
    char            *path = NULL;
    if (own) path = copy_text(own->path);
    else if (!c->pictures && !request->is_bare) path = find_picture(request, c, mesh);
    if (!path) {
        bool is_reported = c->pictures || request->is_bare;
        if (!is_reported) note_no_picture(model, mesh);
        return -1;
    }
    for (uint32_t i = 0; i < *count; ++i) {
        if (strcmp(paths[i], path) != 0) continue;
        release(path);
        return (int)i;
    }

    char     problem[256];
    uint32_t width, height;
    if (own) {
        copy_own_picture(own, &pictures[*count]);
    } else if (!read_picture(path, &pictures[*count], &width, &height, problem)) {
        note("the picture %s is left out: %s", path, problem);
        release(path);
        return -1;
    }
    paths[*count] = path;
    return (int)(*count)++;
}

static void add_parts(const convert_request *request, const loaded_md5 *c, glb_model *glb, glb_part *parts,
                      glb_material *materials, glb_picture *pictures)
{
    const md5_model *model = c->model;
    uint32_t         uneven_count = 0;
    char           **paths = (char **)allocate(model->mesh_count, sizeof *paths);
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        const md5_mesh *mesh = &model->meshes[i];
        if (mesh->index_count == 0) {
            if (!request->is_bare) note("\"%s\" has no triangles: left out", mesh->shader);
            continue;
        }
        set_part(mesh, &parts[glb->part_count], &uneven_count);
        parts[glb->part_count].material = glb->part_count;
        materials[glb->part_count].name = mesh->shader;
        materials[glb->part_count].picture = add_picture(request, c, i, pictures, paths,
                                                         &glb->picture_count);
        ++glb->part_count;
    }
    glb->material_count = glb->part_count;
    if (!request->is_bare) note_disagreement(model);
    if (uneven_count > 0 && !request->is_bare) {
        note("the weights of %u vertices did not sum to 1: normalized, because glTF requires it",
             (unsigned)uneven_count);
    }
    for (uint32_t i = 0; i < glb->picture_count; ++i) release(paths[i]);
    release(paths);
}

/* -- To glTF: the skeleton --------------------------------------------------------------------- */

static bool is_scaled(const md5_xform *xform)
{
    return xform->scale < 1 || xform->scale > 1;
}

/* Returns the index of the holder of each joint, [joint_count], and sets *total to the number of joints and holders.
   In glTF, children inherit the scale of their parent; in an MD5, they do not. So a joint that any animation scales
   gets an additional child, its holder. The holder has the scale and the weights of the joint. Other joints are their
   own holders. */
static uint32_t *find_holders(const loaded_md5 *c, uint32_t *total)
{
    uint32_t   count = c->model->joint_count;
    uint32_t  *holders = (uint32_t *)allocate(count, sizeof *holders);
    md5_xform *local = (md5_xform *)allocate(count, sizeof *local);
    for (uint32_t i = 0; i < count; ++i) holders[i] = i;

    *total = count;
    for (uint32_t a = 0; a < c->anim_count; ++a) {
        for (uint32_t frame = 0; frame < c->anims[a]->frame_count; ++frame) {
            get_frame(c->anims[a], frame, local);
            for (uint32_t i = 0; i < count; ++i) {
                if (is_scaled(&local[i]) && holders[i] == i) holders[i] = (*total)++;
            }
        }
    }
    release(local);
    return holders;
}

/* Moves the scale of each joint that has a holder to the holder. */
static void split_pose(const uint32_t *holders, uint32_t count, const md5_xform *local,
                       md5_xform *out)
{
    for (uint32_t i = 0; i < count; ++i) {
        out[i] = local[i];
        if (holders[i] == i) continue;
        md5_xform *holder = &out[holders[i]];
        memset(holder, 0, sizeof *holder);
        holder->rotation[3] = 1;
        holder->scale = local[i].scale;
        out[i].scale = 1;
    }
}

static glb_joint *list_joints(const loaded_md5 *c, const uint32_t *holders, uint32_t total)
{
    const md5_model *model = c->model;
    glb_joint *joints = (glb_joint *)allocate(total, sizeof *joints);
    md5_xform *bind = (md5_xform *)allocate(model->joint_count, sizeof *bind);
    md5_xform *split = (md5_xform *)allocate(total, sizeof *split);
    if (c->rest) get_frame(c->rest, 0, bind);
    else md5_pose_bind(model, bind);
    split_pose(holders, model->joint_count, bind, split);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        const md5_joint *in = &model->joints[i];
        joints[i].name = in->name;
        joints[i].parent = in->parent;
        memcpy(joints[i].inverse_bind, in->inverse_bind, sizeof in->inverse_bind);
        if (holders[i] == i) continue;
        joints[holders[i]] = joints[i];
        joints[holders[i]].parent = (int32_t)i;
    }
    for (uint32_t i = 0; i < total; ++i) joints[i].local = split[i];
    release(bind);
    release(split);
    return joints;
}

static void move_weights_to_holders(glb_part *part, const uint32_t *holders)
{
    size_t count = (size_t)part->vertex_count * part->influence_count;
    for (size_t i = 0; i < count; ++i) {
        bool is_used = part->weights[i] > 0;
        if (is_used) part->joints[i] = (uint16_t)holders[part->joints[i]];
    }
}

static glb_anim make_anim(const convert_request *request, const md5_anim *anim, const uint32_t *holders,
                          uint32_t total)
{
    glb_anim out;
    memset(&out, 0, sizeof out);
    out.name = anim->name;
    out.fps = request->fps > 0 ? (double)request->fps : rate_of(anim);
    out.key_count = anim->frame_count;

    md5_xform *poses = (md5_xform *)allocate((size_t)anim->frame_count * total, sizeof *poses);
    md5_xform *local = (md5_xform *)allocate(anim->joint_count, sizeof *local);
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        get_frame(anim, i, local);
        split_pose(holders, anim->joint_count, local, poses + (size_t)i * total);
    }
    release(local);
    out.poses = poses;
    return out;
}

/* Applies --turn to a .glb, which has Y up. */
static void rotate_glb(const glb_model *glb, int yaw, glb_part *parts, glb_joint *joints,
                     glb_anim *anims)
{
    for (uint32_t i = 0; i < glb->part_count; ++i) {
        for (size_t v = 0; v < parts[i].vertex_count; ++v) {
            rotate_vector(yaw, 1, parts[i].positions + 3 * v);
            rotate_vector(yaw, 1, parts[i].normals + 3 * v);
        }
    }
    for (uint32_t i = 0; i < glb->joint_count; ++i) {
        for (int row = 0; row < 3; ++row) rotate_vector(yaw, 1, joints[i].inverse_bind + 4 * row);
        if (joints[i].parent >= 0) continue;
        rotate_xform(yaw, 1, &joints[i].local);
        for (uint32_t a = 0; a < glb->anim_count; ++a) {
            for (uint32_t key = 0; key < anims[a].key_count; ++key) {
                rotate_xform(yaw, 1, &anims[a].poses[(size_t)key * glb->joint_count + i]);
            }
        }
    }
}

static void make_glb(const convert_request *request, const loaded_md5 *c, outputs *o)
{
    const md5_model *model = c->model;
    glb_model        glb;
    memset(&glb, 0, sizeof glb);
    char *name = stem_of(request->output);
    glb.name = name;

    glb_part     *parts = (glb_part *)allocate(model->mesh_count, sizeof *parts);
    glb_material *materials = (glb_material *)allocate(model->mesh_count, sizeof *materials);
    glb_picture  *pictures = (glb_picture *)allocate(model->mesh_count, sizeof *pictures);
    add_parts(request, c, &glb, parts, materials, pictures);
    glb.parts = parts;
    glb.materials = materials;
    glb.pictures = pictures;

    uint32_t  *holders = find_holders(c, &glb.joint_count);
    glb_joint *joints = list_joints(c, holders, glb.joint_count);
    for (uint32_t i = 0; i < glb.part_count; ++i) move_weights_to_holders(&parts[i], holders);
    glb.joints = joints;

    glb_anim *anims = (glb_anim *)allocate(c->anim_count, sizeof *anims);
    for (uint32_t i = 0; i < c->anim_count; ++i) {
        progress("animations", i, c->anim_count);
        anims[i] = make_anim(request, c->anims[i], holders, glb.joint_count);
    }
    glb.anims = anims;
    glb.anim_count = c->anim_count;
    if (request->yaw > 0) rotate_glb(&glb, request->yaw, parts, joints, anims);

    measure_glb(&glb, o->size);
    blob file = write_glb(&glb);
    add_output(o, request->output, &file);

    for (uint32_t i = 0; i < c->anim_count; ++i) release(anims[i].poses);
    for (uint32_t i = 0; i < glb.part_count; ++i) free_part(&parts[i]);
    for (uint32_t i = 0; i < glb.picture_count; ++i) free_picture(&pictures[i]);
    release(anims);
    release(joints);
    release(holders);
    release(pictures);
    release(materials);
    release(parts);
    release(name);
}

static bool has_triangles(const md5_model *model)
{
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        if (model->meshes[i].index_count > 0) return true;
    }
    return false;
}

bool loaded_md5_to_glb(const convert_request *request, const loaded_md5 *c, outputs *o)
{
    enum { MAX_JOINTS = 65536 / 2 };  /* indices have 16 bits, and each joint may have a holder */
    if (!has_triangles(c->model)) return fail(request->model, "the model has no triangles");
    if (c->model->joint_count > MAX_JOINTS) {
        return fail(request->model, "the model has %u joints, but mdconvert writes at most %d into a .glb",
                    (unsigned)c->model->joint_count, (int)MAX_JOINTS);
    }
    make_glb(request, c, o);
    return true;
}

bool md5_to_glb(const convert_request *request, outputs *o)
{
    loaded_md5 c;
    float      scale = request->scale > 0 ? request->scale : METERS_PER_UNIT;
    if (!load_md5(request, request->y_up ? 0 : MD5_Y_UP, scale, false, &c)) return false;

    bool is_good = loaded_md5_to_glb(request, &c, o);
    free_loaded_md5(&c);
    return is_good;
}

/* -- To MD5 ------------------------------------------------------------------------------------ */

#define COMMANDLINE "mdconvert"

static md5_out_joint *list_out_joints(const convert_request *request, const md5_model *model)
{
    md5_out_joint *joints = (md5_out_joint *)allocate(model->joint_count, sizeof *joints);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        const md5_joint *in = &model->joints[i];
        joints[i].name = in->name;
        joints[i].parent = in->parent;
        md5_xform bind = in->bind;
        orient_xform(request, &bind);
        for (int k = 0; k < 3; ++k) joints[i].position[k] = (double)bind.position[k];
        for (int k = 0; k < 4; ++k) joints[i].rotation[k] = (double)bind.rotation[k];
    }
    return joints;
}

static md5_out_mesh make_mesh(const md5_mesh *in)
{
    md5_out_vertex *vertices = (md5_out_vertex *)allocate(in->vertex_count, sizeof *vertices);
    md5_out_weight *weights = (md5_out_weight *)allocate(in->weight_count, sizeof *weights);
    for (uint32_t i = 0; i < in->vertex_count; ++i) {
        vertices[i].u = (double)in->vertices[i].u;
        vertices[i].v = (double)in->vertices[i].v;
        vertices[i].first_weight = in->vertices[i].first_weight;
        vertices[i].weight_count = in->vertices[i].weight_count;
    }
    for (uint32_t i = 0; i < in->weight_count; ++i) {
        weights[i].joint = in->weights[i].joint;
        weights[i].bias = (double)in->weights[i].bias;
        for (int k = 0; k < 3; ++k) weights[i].position[k] = (double)in->weights[i].position[k];
    }

    md5_out_mesh out;
    out.shader = in->shader;
    out.vertex_count = in->vertex_count;
    out.weight_count = in->weight_count;
    out.index_count = in->index_count;
    out.vertices = vertices;
    out.weights = weights;
    out.indices = in->indices;
    return out;
}

static void free_meshes(md5_out_mesh *meshes, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        release(meshes[i].vertices);
        release(meshes[i].weights);
    }
    release(meshes);
}

static void add_md5mesh(const convert_request *request, const md5_model *model, const md5_out_joint *joints,
                        outputs *o)
{
    md5_out_mesh *meshes = (md5_out_mesh *)allocate(model->mesh_count, sizeof *meshes);
    for (uint32_t i = 0; i < model->mesh_count; ++i) meshes[i] = make_mesh(&model->meshes[i]);
    blob file = write_md5mesh(COMMANDLINE, joints, model->joint_count, meshes, model->mesh_count);
    add_output(o, request->output, &file);
    free_meshes(meshes, model->mesh_count);
}

static void set_part_numbers(const md5_xform *local, md5_out_part *part)
{
    double rotation[4];
    for (int k = 0; k < 4; ++k) rotation[k] = (double)local->rotation[k];
    for (int k = 0; k < 3; ++k) part->number[k] = (double)local->position[k];
    md5_stored_rotation(rotation, part->number + 3);
}

void set_frame_bounds(const md5_model *model, const md5_out_part *parts, double bounds[6])
{
    md5_xform *pose = (md5_xform *)allocate(model->joint_count, sizeof *pose);
    float      low[3], high[3];
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        const double *stored = parts[i].number + 3;
        double        square = 1 - stored[0] * stored[0] - stored[1] * stored[1] - stored[2] * stored[2];
        for (int k = 0; k < 3; ++k) pose[i].position[k] = (float)parts[i].number[k];
        for (int k = 0; k < 3; ++k) pose[i].rotation[k] = (float)stored[k];
        pose[i].rotation[3] = -(float)sqrt(fmax(square, 0));
        pose[i].scale = 1;
    }
    md5_pose_to_model_space(model, pose, pose);
    md5_pose_bounds(model, pose, low, high);
    for (int k = 0; k < 3; ++k) {
        bounds[k] = round_to_millionths((double)low[k]);
        bounds[3 + k] = round_to_millionths((double)high[k]);
    }
    release(pose);
}

static void add_md5anim(const convert_request *request, const md5_model *model, const md5_anim *anim,
                        const md5_out_joint *joints, outputs *o)
{
    size_t        count = anim->joint_count;
    md5_out_part *parts = (md5_out_part *)allocate(anim->frame_count * count, sizeof *parts);
    double       *bounds = (double *)allocate(6 * (size_t)anim->frame_count, sizeof *bounds);
    md5_xform    *pose = (md5_xform *)allocate(count, sizeof *pose);
    bool          has_scales = false;
    for (uint32_t i = 0; i < anim->frame_count; ++i) {
        float low[3], high[3];
        get_frame(anim, i, pose);
        for (size_t k = 0; k < count; ++k) {
            md5_xform local = pose[k];
            if (model->joints[k].parent < 0) orient_xform(request, &local);
            set_part_numbers(&local, &parts[i * count + k]);
            if (is_scaled(&pose[k])) has_scales = true;
        }
        md5_pose_to_model_space(model, pose, pose);
        md5_pose_bounds(model, pose, low, high);
        orient_vector(request, low);
        orient_vector(request, high);
        for (int k = 0; k < 3; ++k) {
            bounds[6 * i + (size_t)k] = (double)fminf(low[k], high[k]);
            bounds[6 * i + 3 + (size_t)k] = (double)fmaxf(low[k], high[k]);
        }
    }
    if (has_scales) note("%s: scales are not written: copy its .md5scale next to the new .md5anim", anim->name);

    md5_out_anim out;
    out.frame_count = anim->frame_count;
    out.joint_count = anim->joint_count;
    out.fps = request->fps > 0 ? (double)request->fps : rate_of(anim);
    out.joints = joints;
    out.parts = parts;
    out.bounds = bounds;
    blob file = write_md5anim(COMMANDLINE, &out);
    char *path = join_path(request->output, anim->name, ".md5anim");
    add_output(o, path, &file);
    release(path);
    release(pose);
    release(bounds);
    release(parts);
}

/* -- Weapons ----------------------------------------------------------------------------------- */

/* Returns the joint of the model that holds a joint of a weapon: the joint of the same name if the name begins with
   "weapon", such as weapon_2, or if the model has no joint "weapon"; otherwise the joint "weapon". Returns -1 if there is
   none. */
static int find_holder(const md5_model *model, const char *name)
{
    int  weapon = md5_find_joint(model, "weapon"), same = md5_find_joint(model, name);
    bool is_same = same >= 0 && (weapon < 0 || strncmp(name, "weapon", 6) == 0);
    return is_same ? same : weapon;
}

/* Moves the weights of a weapon to the joints of the model that hold it. If a joint has another name, its weights keep
   their positions in the weapon's bind pose. */
static void attach_weapon_mesh(const md5_model *model, const md5_model *weapon, md5_out_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->weight_count; ++i) {
        md5_out_weight  *weight = &mesh->weights[i];
        const md5_joint *joint = &weapon->joints[weight->joint];
        float            m[16];
        double           p[3];
        weight->joint = (uint32_t)find_holder(model, joint->name);
        if (strcmp(model->joints[weight->joint].name, joint->name) == 0) continue;
        memcpy(p, weight->position, sizeof p);
        md5_pose_matrix(&joint->bind, m);
        for (int k = 0; k < 3; ++k) {
            weight->position[k] = (double)m[k] * p[0] + (double)m[4 + k] * p[1] + (double)m[8 + k] * p[2] +
                                  (double)m[12 + k];
        }
    }
}

/* Writes an .md5mesh of the model, models[0], with the meshes of its weapons, models[1] and later. Sets
   c->mesh_files. */
static blob write_armed_model(const convert_request *request, md5_model *const *models, loaded_md5 *c)
{
    convert_request unchanged = *request;
    uint32_t       total = 0, count = 0;
    md5_out_joint *joints;
    unchanged.y_up = false;
    unchanged.yaw = 0;
    joints = list_out_joints(&unchanged, models[0]);
    for (int i = 0; i <= request->weapon_count; ++i) total += models[i]->mesh_count;
    md5_out_mesh *meshes = (md5_out_mesh *)allocate(total, sizeof *meshes);
    c->mesh_files = (const char **)allocate(total, sizeof *c->mesh_files);
    for (int i = 0; i <= request->weapon_count; ++i) {
        for (uint32_t k = 0; k < models[i]->mesh_count; ++k) {
            c->mesh_files[count] = i == 0 ? request->model : request->weapons[i - 1];
            meshes[count] = make_mesh(&models[i]->meshes[k]);
            if (i > 0) attach_weapon_mesh(models[0], models[i], &meshes[count]);
            ++count;
        }
    }
    blob text = write_md5mesh(COMMANDLINE, joints, models[0]->joint_count, meshes, count);
    free_meshes(meshes, count);
    release(joints);
    return text;
}

static bool load_armed_model(const convert_request *request, const md5_options *options, loaded_md5 *c)
{
    /* `options` change axes and scale when the combined model is loaded. */
    md5_options plain = make_md5_options(MD5_KEEP_WINDING, 1);
    md5_error   error;
    bool        is_good = true;
    md5_model **models = (md5_model **)allocate((size_t)request->weapon_count + 1, sizeof *models);
    for (int i = 0; i <= request->weapon_count && is_good; ++i) {
        const char *path = i == 0 ? request->model : request->weapons[i - 1];
        models[i] = md5_load_model_file(path, &plain, &error);
        is_good = models[i] || fail_md5(path, &error);
    }
    for (int i = 1; i <= request->weapon_count && is_good; ++i) {
        for (uint32_t k = 0; k < models[i]->joint_count && is_good; ++k) {
            const char *name = models[i]->joints[k].name;
            if (find_holder(models[0], name) >= 0) continue;
            is_good = fail(request->weapons[i - 1], "%s has no joint called weapon or %s to hold it", request->model, name);
        }
    }
    if (is_good) {
        blob text = write_armed_model(request, models, c);
        c->model = md5_load_model_memory(text.data, text.size, options, &error);
        is_good = c->model || fail_md5(request->model, &error);
        free_blob(&text);
    }
    for (int i = 0; i <= request->weapon_count; ++i) md5_free_model(models[i]);
    release(models);
    return is_good;
}

/* Copies the textures of all meshes. The new file lists the same names. */
static void copy_textures(const convert_request *request, const md5_model *model, const char *model_path, outputs *o)
{
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        char *path = find_md5_picture(model, model_path, i);
        if (path) copy_picture(request, model_path, path, o);
        release(path);
    }
}

/* Converts a separate weapon. Its positions are relative to a joint of the model, so only its scale changes. */
static bool add_weapon(const convert_request *request, const char *path, outputs *o)
{
    md5_options options = make_md5_options(MD5_KEEP_WINDING, request->scale);
    md5_error   error;
    md5_model  *model = md5_load_model_file(path, &options, &error);
    if (!model) return fail_md5(path, &error);

    convert_request   own = *request;
    char *stem = stem_of(path), *new_path = join_path(request->output, stem, ".md5mesh");
    own.output = new_path;
    own.y_up = false;
    own.yaw = 0;
    md5_out_joint *joints = list_out_joints(&own, model);
    add_md5mesh(&own, model, joints, o);
    copy_textures(request, model, path, o);
    release(joints);
    release(new_path);
    release(stem);
    md5_free_model(model);
    return true;
}

bool is_md5_humanoid(const char *path)
{
    md5_options options = make_md5_options(0, 1);
    md5_model  *model = md5_load_model_file(path, &options, NULL);
    uint32_t    bones[ROLE_COUNT];
    if (!model) return false;

    const char **names = (const char **)allocate(model->joint_count, sizeof *names);
    uint32_t    *parents = (uint32_t *)allocate(model->joint_count, sizeof *parents);
    bone_tree    tree = { model->joint_count, names, parents, NULL };
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        names[i] = model->joints[i].name;
        parents[i] = model->joints[i].parent < 0 ? NO_BONE : (uint32_t)model->joints[i].parent;
    }
    find_roles(&tree, bones);
    release(names);
    release(parents);
    md5_free_model(model);
    return is_humanoid(bones);
}

/* -- To MD5 files ------------------------------------------------------------------------------ */

bool md5_to_md5(const convert_request *request, outputs *o)
{
    loaded_md5 c;
    if (!load_md5(request, MD5_KEEP_WINDING, request->scale, true, &c)) return false;

    md5_out_joint *joints = list_out_joints(request, c.model);
    add_md5mesh(request, c.model, joints, o);
    if (!c.pictures) copy_textures(request, c.model, request->model, o);
    for (uint32_t i = 0; i < c.anim_count; ++i) {
        progress("animations", i, c.anim_count);
        add_md5anim(request, c.model, c.anims[i], joints, o);
    }
    bool is_good = true;
    for (int i = 0; i < request->weapon_count && is_good; ++i) is_good = add_weapon(request, request->weapons[i], o);
    release(joints);
    free_loaded_md5(&c);
    return is_good;
}

/* -- To MD2 ------------------------------------------------------------------------------------ */

typedef struct md5_poser {            /* the `user` pointer of a bake_source */
    const loaded_md5 *c;
    md5_xform        *pose;           /* in model space */
} md5_poser;

static void pose_md5(void *user, uint32_t anim, double seconds)
{
    md5_poser *a = (md5_poser *)user;
    if (anim == BAKE_REST) md5_pose_bind(a->c->model, a->pose);
    else md5_pose_at(a->c->model, a->c->anims[anim], MD5_ONCE, seconds, a->pose);
    md5_pose_to_model_space(a->c->model, a->pose, a->pose);
}

static void get_md5_vertices(void *user, uint32_t mesh, float *positions, float *normals)
{
    const md5_poser *a = (const md5_poser *)user;
    md5_pose_vertices(a->c->model, mesh, a->pose, positions, 0, normals, 0, NULL, 0);
}

/* Makes a mesh for bake_md2. Vertices with the same weights get the same motion_id, because they have the same position
   in every pose. */
static bake_mesh make_bake_mesh(const md5_mesh *in)
{
    bake_mesh out;
    out.vertex_count = in->vertex_count;
    out.index_count = in->index_count;
    out.indices = (uint32_t *)allocate(in->index_count, sizeof(uint32_t));
    out.texcoords = (float *)allocate(2 * (size_t)in->vertex_count, sizeof(float));
    out.normals = (float *)allocate(3 * (size_t)in->vertex_count, sizeof(float));
    out.motion_ids = (uint64_t *)allocate(in->vertex_count, sizeof(uint64_t));
    memcpy(out.indices, in->indices, in->index_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < in->vertex_count; ++i) {
        const md5_vertex *vertex = &in->vertices[i];
        const md5_weight *weights = in->weights + vertex->first_weight;
        out.texcoords[2 * i] = vertex->u;
        out.texcoords[2 * i + 1] = vertex->v;
        memcpy(out.normals + 3 * i, vertex->normal, sizeof vertex->normal);
        out.motion_ids[i] = hash_more(1, weights, vertex->weight_count * sizeof *weights);
    }
    return out;
}

void begin_md5_source(const loaded_md5 *c, bake_source *source)
{
    md5_poser *a = (md5_poser *)allocate(1, sizeof *a);
    a->c = c;
    a->pose = (md5_xform *)allocate(c->model->joint_count, sizeof *a->pose);
    source->user = a;
    source->pose = pose_md5;
    source->get_vertices = get_md5_vertices;

    source->mesh_count = c->model->mesh_count;
    source->meshes = (bake_mesh *)allocate(source->mesh_count, sizeof *source->meshes);
    for (uint32_t i = 0; i < source->mesh_count; ++i) {
        source->meshes[i] = make_bake_mesh(&c->model->meshes[i]);
    }

    source->anim_count = c->anim_count;
    source->anims = (bake_anim *)allocate(c->anim_count, sizeof *source->anims);
    for (uint32_t i = 0; i < c->anim_count; ++i) {
        bake_anim *anim = &source->anims[i];
        anim->name = c->anims[i]->name;
        anim->length = md5_anim_length(c->anims[i], MD5_ONCE);
        anim->loops = c->anims[i]->closed && c->anims[i]->frame_count > 1;
    }
}

void end_md5_source(bake_source *source)
{
    md5_poser *a = (md5_poser *)source->user;
    release(a->pose);
    release(a);
    for (uint32_t i = 0; i < source->mesh_count; ++i) free_bake_mesh(&source->meshes[i]);
    release(source->meshes);
    release(source->anims);
}

/* Sets the skin: the picture of the first mesh for which a picture is found. */
static void find_skin(const convert_request *request, const loaded_md5 *c, bake_source *source)
{
    enum { UNKNOWN_SIZE = 256 };
    char *first = NULL;
    source->skin_width = source->skin_height = UNKNOWN_SIZE;
    for (uint32_t i = 0; i < c->model->mesh_count; ++i) {
        char *path = find_picture(request, c, i);
        if (!path) {
            note_no_picture(c->model, i);
            continue;
        }
        bool is_other = first && strcmp(first, path) != 0;
        if (is_other) note("an MD2 has only one skin: %s is left out, and its mesh shows %s", path, first);
        if (first) release(path);
        else first = path;
    }
    if (!first) return;

    glb_picture picture;
    char        problem[256];
    if (!read_picture(first, &picture, &source->skin_width, &source->skin_height, problem)) {
        note("the picture %s is left out: %s", first, problem);
    } else {
        source->skin_name = copy_text(file_name(first));
        read_blob(first, &source->skin_file);
        free_picture(&picture);
    }
    release(first);
}

bool md5_to_md2(const convert_request *request, outputs *o)
{
    loaded_md5 c;
    if (!load_md5(request, MD5_KEEP_WINDING, request->scale, false, &c)) return false;

    bake_source source;
    memset(&source, 0, sizeof source);
    source.y_up = request->y_up;
    source.yaw = request->yaw;
    find_skin(request, &c, &source);
    begin_md5_source(&c, &source);
    bool is_good = bake_md2(request, &source, o);
    end_md5_source(&source);
    release(source.skin_name);
    free_blob(&source.skin_file);
    free_loaded_md5(&c);
    return is_good;
}
