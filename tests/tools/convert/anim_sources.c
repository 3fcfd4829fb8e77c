/* anim_sources.c - reads the files whose animations are added to a model, and writes these animations
   for the skeleton of an MD2 or MD5. Public domain.

   Each file is first converted to a scene of glTF. For an MD2, mdconvert finds a skeleton first. */
#include "from_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Scenes ------------------------------------------------------------------------------------ */

/* Reads the first output file, a .glb in memory. Returns NULL and reports an error about `path` if this fails. */
static scene *read_glb(const outputs *o, const char *path)
{
    gltf_options options = { NULL, NULL, NULL };
    char         problem[256];
    scene       *s = read_gltf(o->list[0].file.data, o->list[0].file.size, &options, problem);
    if (!s) fail(path, "%s", problem);
    return s;
}

static scene *read_source(const convert_request *request, const anim_source *from)
{
    convert_request own;
    outputs         o;
    if (from->is == KIND_GLTF) return read_scene(from->path, false);

    memset(&own, 0, sizeof own);
    memset(&o, 0, sizeof o);
    own.model = from->path;
    own.model_kind = from->is;
    own.anims = from->anims;
    own.anim_count = from->anim_count;
    own.output = "source.glb";
    own.is_bare = true;
    own.anyway = request->anyway;
    if (from->is == KIND_MD2) note("%s: its skeleton is found first", file_name(from->path));
    bool   is_read = from->is == KIND_MD2 ? md2_to_skinned_glb(&own, &o) : md5_to_glb(&own, &o);
    scene *s = is_read ? read_glb(&o, from->path) : NULL;
    free_outputs(&o);
    return s;
}

bool add_sources(const convert_request *request, scene *target)
{
    for (int i = 0; i < request->source_count; ++i) {
        const anim_source *from = &request->sources[i];
        scene             *source = read_source(request, from);
        bool is_good = source && retarget_anims(request, target, request->model, source, from->path);
        if (source) free_scene(source);
        if (!is_good) return false;
    }
    return true;
}

/* -- Animations of an MD5 ---------------------------------------------------------------------- */

/* Converts a transform from the axes of glTF (Z forward, X left, Y up) and meters to the axes and units of an MD5. */
static rigid_pose convert_transform(const matrix *world)
{
    matrix     out;
    rigid_pose r = { { 0, 0, 0 }, { 0, 0, 0, 1 } };
    double     size, uneven;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) out.m[row][k] = world->m[(row + 2) % 3][(k + 2) % 3];
        out.m[row][3] = world->m[(row + 2) % 3][3] / (double)METERS_PER_UNIT;
    }
    split_rotation(&out, r.rotation, &size, &uneven);
    for (int row = 0; row < 3; ++row) r.position[row] = out.m[row][3];
    return r;
}

static md5_out_part compute_local_part(const rigid_pose *parent, const rigid_pose *own)
{
    rigid_pose   local = parent ? relative_to(parent, own) : *own;
    md5_out_part part;
    for (int k = 0; k < 3; ++k) part.number[k] = round_to_millionths(local.position[k]);
    md5_stored_rotation(local.rotation, part.number + 3);
    for (int k = 3; k < 6; ++k) part.number[k] = round_to_millionths(part.number[k]);
    return part;
}

typedef struct target {               /* a model whose scene gets animations */
    scene         *s;
    md5_model     *model;             /* in its own axes and units */
    uint32_t       joint_count;
    uint32_t      *nodes;             /* [joint_count] */
    md5_out_joint *joints;
} target;

static blob write_anim(const convert_request *request, const target *t, const scene_anim *anim)
{
    const double  most_frames = 65535;
    double        fps = request->fps > 0 ? (double)request->fps : find_rate(anim);
    uint32_t      joints = t->joint_count;
    uint32_t      count = (uint32_t)fmin(floor((anim->end - anim->start) * fps + 0.5), most_frames) + 1;
    md5_out_part *parts = (md5_out_part *)allocate((size_t)count * joints, sizeof *parts);
    double       *bounds = (double *)allocate(count, 6 * sizeof *bounds);
    rigid_pose   *pose = (rigid_pose *)allocate(joints, sizeof *pose);
    for (uint32_t f = 0; f < count; ++f) {
        pose_scene(t->s, anim, fmin(anim->start + f / fps, anim->end));
        for (uint32_t i = 0; i < joints; ++i) {
            int32_t parent = t->joints[i].parent;
            pose[i] = convert_transform(&t->s->nodes[t->nodes[i]].world);
            parts[(size_t)f * joints + i] = compute_local_part(parent < 0 ? NULL : &pose[parent], &pose[i]);
        }
        set_frame_bounds(t->model, parts + (size_t)f * joints, bounds + 6 * (size_t)f);
    }
    md5_out_anim out = { count, joints, round_to_millionths(fps), t->joints, parts, bounds };
    blob         file = write_md5anim("mdconvert", &out);
    release(parts);
    release(bounds);
    release(pose);
    return file;
}

static void note_scales(const scene_anim *anim)
{
    for (uint32_t i = 0; i < anim->track_count; ++i) {
        if (anim->tracks[i].path != TRACK_SCALE) continue;
        note("%s: its scales of joints are left out", anim->name);
        return;
    }
}

/* Converts the .md5mesh to a scene of glTF. The skin has the joints of the .md5mesh in the same order. */
static bool begin_target(const convert_request *request, const blob *mesh, const blob *rest, target *t)
{
    md5_options     own_options = make_md5_options(0, 1), options = make_md5_options(MD5_Y_UP, METERS_PER_UNIT);
    md5_error       error;
    loaded_md5      c;
    convert_request own;
    outputs         o;
    memset(t, 0, sizeof *t);
    memset(&c, 0, sizeof c);
    memset(&own, 0, sizeof own);
    memset(&o, 0, sizeof o);
    own.model = request->model;
    own.output = "target.glb";
    own.is_bare = true;
    t->model = md5_load_model_memory(mesh->data, mesh->size, &own_options, &error);
    if (t->model) c.model = md5_load_model_memory(mesh->data, mesh->size, &options, &error);
    if (!c.model) return fail(request->model, "%s", error.message);
    if (rest) c.rest = md5_load_anim_memory(rest->data, rest->size, "", &options, NULL);

    t->s = loaded_md5_to_glb(&own, &c, &o) ? read_glb(&o, request->model) : NULL;
    free_outputs(&o);
    if (t->s) {
        t->joint_count = c.model->joint_count;
        t->nodes = (uint32_t *)allocate(t->joint_count, sizeof *t->nodes);
        t->joints = (md5_out_joint *)allocate(t->joint_count, sizeof *t->joints);
        memcpy(t->nodes, t->s->skins[0].joints, t->joint_count * sizeof *t->nodes);
        for (uint32_t i = 0; i < t->joint_count; ++i) {
            t->joints[i].name = t->s->nodes[t->nodes[i]].name;
            t->joints[i].parent = c.model->joints[i].parent;
        }
    }
    md5_free_anim(c.rest);
    md5_free_model(c.model);
    return t->s != NULL;
}

static void end_target(target *t)
{
    if (t->s) free_scene(t->s);
    release(t->nodes);
    release(t->joints);
    md5_free_model(t->model);
}

/* Adds empty animations with the names of the model's own animations, so that new animations get other names. */
static void reserve_names(scene *s, const char *const *names, uint32_t count)
{
    s->anims = (scene_anim *)allocate(count, sizeof *s->anims);
    s->anim_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        s->anims[i].name = (char *)allocate(strlen(names[i]) + 1, 1);
        memcpy(s->anims[i].name, names[i], strlen(names[i]));
    }
}

bool add_source_texts(const convert_request *request, const blob *mesh, const blob *rest,
                      const char *const *own_anims, uint32_t own_count, outputs *texts)
{
    target t;
    bool   is_good = begin_target(request, mesh, rest, &t);
    if (is_good) {
        release(t.s->anims);
        reserve_names(t.s, own_anims, own_count);
        is_good = add_sources(request, t.s);
    }
    char **names = is_good ? name_anims(t.s) : NULL;
    if (is_good) is_good = check_only(request, (const char *const *)names, t.s->anim_count);
    for (uint32_t i = own_count; is_good && i < t.s->anim_count; ++i) {
        if (!is_wanted(request, names[i])) continue;
        progress("animations", i, t.s->anim_count);
        note_scales(&t.s->anims[i]);
        blob  file = write_anim(request, &t, &t.s->anims[i]);
        char *path = join_path(request->output, new_name_of(request, names[i]), ".md5anim");
        add_output(texts, path, &file);
        release(path);
    }
    if (names) free_names(names, t.s->anim_count);
    end_target(&t);
    return is_good;
}
