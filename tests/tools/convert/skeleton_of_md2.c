/* skeleton_of_md2.c - converts an MD2 to an MD5, or to a glTF with a skin. Public domain.

   bones.h finds the skeleton. This file writes it, with its weapons, skins and animations. */
#include "skeleton_of_md2.h"
#include "humanoid.h"
#include "names.h"
#include "../viewer/folder.h"

#include <stdio.h>
#include <string.h>

/* Names the bones that have no name. The tag of the mesh differs from model to model, so that an
   animation of another model does not move these bones. */
static void name_unnamed_bones(const motion *m, rig *r)
{
    unsigned tag = tag_of_mesh(m);
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (r->names[b][0]) continue;
        snprintf(r->names[b], sizeof r->names[b], "bone_%04x_%u", tag, (unsigned)b);
    }
}

/* -- Files ------------------------------------------------------------------------------------- */

#define COMMANDLINE "mdconvert"

static void set_numbers(vec3 v, double out[3])
{
    out[0] = round_to_millionths(v.x);
    out[1] = round_to_millionths(v.y);
    out[2] = round_to_millionths(v.z);
}

static void set_rotation(mat3 rotation, double out[4])
{
    quaternion_of(rotation, out);
    for (int k = 0; k < 4; ++k) out[k] = round_to_millionths(out[k]);
}

/* Lists the joints in the bind pose or, if `is_at_rest`, in the rest positions of the fit. The mesh of a .glb is
   bound at rest, because a vertex of a .glb has one position for all its joints. */
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

/* Makes the mesh. A vertex has the weights of its point of the MD2. */
static md5_out_mesh make_mesh(const skinned_md2 *s, const char *shader)
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
            out->bias = round_to_millionths(w->weight[k]);
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

static md5_out_part part_of(const skinned_md2 *s, uint32_t bone, uint32_t frame)
{
    rigid_transform pose = local_pose(&s->m, &s->r, bone, frame);
    md5_out_part    part;
    double          q[4];
    set_numbers(pose.translation, part.number);
    quaternion_of(pose.rotation, q);
    md5_stored_rotation(q, part.number + 3);
    for (int k = 3; k < 6; ++k) part.number[k] = round_to_millionths(part.number[k]);
    return part;
}

/* Writes an animation. `model` is the .md5mesh, whose weapons count in the bounds. */
static blob write_anim(const skinned_md2 *s, const md5_model *model, const md5_out_joint *joints,
                       const uint32_t *frames, uint32_t count, double fps)
{
    uint32_t      bones = s->r.bone_count;
    md5_out_part *parts = (md5_out_part *)allocate((size_t)count * bones, sizeof *parts);
    double       *bounds = (double *)allocate(6 * (size_t)count, sizeof *bounds);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t b = 0; b < bones; ++b) {
            parts[(size_t)i * bones + b] = part_of(s, b, frames[i]);
        }
        set_frame_bounds(model, parts + (size_t)i * bones, bounds + 6 * (size_t)i);
    }
    md5_out_anim anim = { count, bones, round_to_millionths(fps), joints, parts, bounds };
    blob         file = write_md5anim(COMMANDLINE, &anim);
    release(parts);
    release(bounds);
    return file;
}

/* Returns true if md5.h treats the animation as a closed loop. md5.h plays a closed loop for one frame less
   than md2.h does, because its last frame repeats its first. */
static bool is_read_as_closed(const blob *file)
{
    md5_anim *anim = md5_load_anim_memory(file->data, file->size, "", NULL, NULL);
    bool      is_closed = anim && anim->closed;
    md5_free_anim(anim);
    return is_closed;
}

/* Adds an animation. In a .glb, a loop gets its first frame again as its last key, because viewers jump from
   the last key to the first. */
static void add_anim(const convert_request *request, const skinned_md2 *s, const md5_model *model,
                     const md2_anim *anim, const md5_out_joint *joints, const char *name, outputs *o)
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
    blob   file = write_anim(s, model, joints, frames, count, fps);
    if (!is_glb && is_read_as_closed(&file)) {
        free_blob(&file);
        file = write_anim(s, model, joints, frames, count, fps * (count - 1) / count);
    }
    char *path = join_path(request->output, name, ".md5anim");
    add_output(o, path, &file);
    release(path);
    release(frames);
}

/* Adds the bind pose as an animation of one frame. */
static void add_bind_pose(const convert_request *request, const skinned_md2 *s, const md5_out_joint *joints, outputs *o)
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

/* Returns the names of the animations as file names, which all differ. */
static char **name_files(const md2_model *model)
{
    name_table used = { NULL, 0, 0, false };
    char     **names = (char **)allocate(model->anim_count, sizeof *names);
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        char *plain = name_for_file(model->anims[i].name, "anim");
        names[i] = take_unique_name(&used, plain);
        release(plain);
    }
    free_name_table(&used);
    return names;
}

static void free_file_names(char **names, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) release(names[i]);
    release(names);
}

static void add_anims(const convert_request *request, const skinned_md2 *s, const md5_model *model,
                      const md5_out_joint *joints, outputs *o)
{
    char **names = name_files(s->model);
    for (uint32_t i = 0; i < s->model->anim_count; ++i) {
        const md2_anim *anim = &s->model->anims[i];
        if (is_wanted(request, anim->name)) add_anim(request, s, model, anim, joints, names[i], o);
    }
    free_file_names(names, s->model->anim_count);
}

/* -- Skins ------------------------------------------------------------------------------------- */

typedef struct skin {                 /* a picture that is added */
    char *own_name, *name;
    blob  file;
} skin;

typedef struct skins {                /* of the model and its weapons, which may be in different folders */
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

/* Returns the skin with the name and the content of a picture. If there is none yet, adds the skin, and takes
   the file from the picture. */
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

/* Adds the picture of a skin to the output files. Returns the name by which an MD5 refers to it, or NULL if
   the picture cannot be read. */
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
static const char *add_skins(const convert_request *request, const skinned_md2 *s, skins *all, outputs *o)
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

/* Keeps only the frames of the weapon that the model also has. */
static bool match_weapon_frames(const convert_request *request, const skinned_md2 *player, skinned_md2 *weapon)
{
    if (!has_points(weapon)) return false;
    uint32_t frames = weapon->model->frame_count, player_frames = player->model->frame_count;
    for (uint32_t f = 0; f < frames; ++f) weapon->is_kept[f] = f < player_frames && player->is_kept[f];
    set_motion(weapon, request->y_up);
    motion *m = &weapon->m;
    if (m->frame_count == 0) return fail(weapon->path, "the weapon has none of the frames of the model");
    if (m->frame_count < player->m.frame_count) {
        bool is_md2 = has_extension(request->output, ".md2");
        note("%s lacks the last %u frames of the model: in these, the weapon %s", weapon->path,
             (unsigned)(player->m.frame_count - m->frame_count),
             is_md2 ? "repeats its last frame" : "keeps its last position in the hand");
    }

    /* In a dummy weapon, all points have the same position, so its quantization steps are 0. */
    m->step = fmax(m->step, 0.1 * player->m.step);
    m->steps = (vec3 *)allocate(m->frame_count, sizeof *m->steps);
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        double steps[3];
        set_steps(request, weapon, f, steps);
        m->steps[f] = make_vec3(steps[0], steps[1], steps[2]);
    }
    return true;
}

static bool attach_weapon(skinned_md2 *player, skinned_md2 *weapon, weapon_fit *fit)
{
    bool        is_good = fit_weapon(&player->m, &player->r, &weapon->m, &weapon->r, fit);
    const char *joint = player->r.names[fit->joint];
    name_unnamed_bones(&player->m, &player->r);
    if (!is_good) return fail(weapon->path, "the weapon needs too many bones: " INSTEAD);
    if (fit->bone_count == 0) {
        note("%s is held by the joint %s, within %.1f quantization steps in nine of ten frames",
             weapon->path, joint, fit->nine_of_ten);
        return true;
    }
    const char *first = player->r.names[player->r.bone_count - fit->bone_count];
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

/* Adds a weapon as a separate mesh, relative to the joint that holds it. The mesh has one joint, with the name of that
   joint, so that the viewer attaches the mesh to it. */
static void add_weapon_file(const convert_request *request, const skinned_md2 *weapon, const char *holder,
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

static bool find_skeleton(const convert_request *request, skinned_md2 *s)
{
    if (!has_points(s)) return false;
    s->m.report = print_progress;
    leave_out_shrunk(request, s);
    find_bones(&s->m, &s->r);
    if (leave_out_misfits(request, s)) {
        free_rig(&s->r);
        find_bones(&s->m, &s->r);
    }
    name_unnamed_bones(&s->m, &s->r);
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

/* Adds the meshes. A weapon with several bones, and any weapon unless the output is an .md5mesh, is a part of the
   model. */
static bool add_meshes(const convert_request *request, skinned_md2 *player, skinned_md2 *weapons, outputs *o)
{
    bool          is_separate = has_extension(request->output, ".md5mesh"), is_good = true;
    md5_out_mesh *meshes = (md5_out_mesh *)allocate((size_t)request->weapon_count + 1, sizeof *meshes);
    uint32_t      mesh_count = 1;
    skins         all_skins;
    name_table    used = { NULL, 0, 0, false };
    memset(&all_skins, 0, sizeof all_skins);
    const char *shader = add_skins(request, player, &all_skins, o);
    meshes[0] = make_mesh(player, shader);

    /* Many weapons of Quake II are called tris.md2, like the players themselves. */
    char *stem = stem_of(request->output);
    add_name(&used, stem, 2);
    for (int i = 0; i < request->weapon_count && is_good; ++i) {
        weapon_fit fit;
        is_good = attach_weapon(player, &weapons[i], &fit);
        if (!is_good) break;
        shader = add_skins(request, &weapons[i], &all_skins, o);
        uint32_t    bone = fit.bone_count == 0 ? fit.joint : player->r.bone_count - fit.bone_count;
        const char *holder = player->r.names[bone];
        if (fit.bone_count <= 1 && is_separate) add_weapon_file(request, &weapons[i], holder, shader, &used, o);
        else meshes[mesh_count++] = make_mesh(&weapons[i], shader);
    }

    md5_out_joint *joints = list_joints(&player->r, has_extension(request->output, ".glb"));
    blob file = write_md5mesh(COMMANDLINE, joints, player->r.bone_count, meshes, mesh_count);
    add_output(o, request->output, &file);
    for (uint32_t i = 0; i < mesh_count; ++i) free_mesh(&meshes[i]);
    release(meshes);
    release(joints);
    release(stem);
    free_name_table(&used);
    free_skins(&all_skins);
    return is_good;
}

/* Returns the index of the .md5mesh. The pictures are before it. */
static uint32_t find_mesh(const convert_request *request, const outputs *o)
{
    uint32_t i = 0;
    while (strcmp(o->list[i].path, request->output) != 0) ++i;
    return i;
}

/* Adds the texts: the meshes first, then the animations. */
static bool add_texts(const convert_request *request, skinned_md2 *player, skinned_md2 *weapons, outputs *o)
{
    if (!add_meshes(request, player, weapons, o)) return false;

    const blob *mesh = &o->list[find_mesh(request, o)].file;
    md5_options options = make_md5_options(0, 1);
    md5_error   error;
    md5_model  *model = md5_load_model_memory(mesh->data, mesh->size, &options, &error);
    if (!model) return fail(request->model, "%s", error.message);

    bool           is_glb = has_extension(request->output, ".glb");
    md5_out_joint *joints = list_joints(&player->r, is_glb);
    if (is_glb) add_bind_pose(request, player, joints, o);
    add_anims(request, player, model, joints, o);
    release(joints);
    md5_free_model(model);
    return true;
}

/* Finds the skeleton and makes the texts of the meshes and of the model's animations. Sets the names of all animations
   of the model, even if --only does not select them. */
static bool make_texts(const convert_request *request, outputs *o, char ***names, uint32_t *name_count)
{
    md2_options options;
    memset(&options, 0, sizeof options);
    options.scale = has_extension(request->output, ".glb") ? 0 : request->scale;
    options.fps = request->fps;
    md2_model *model = load_md2(request, &options, true);
    skinned_md2 player, *weapons = (skinned_md2 *)allocate((size_t)request->weapon_count + 1, sizeof *weapons);
    bool       is_good = model && check_only_md2(request, model);
    if (is_good) {
        int count = 0;
        note_repairs(model);
        begin_skinned_md2(&player, model, request->model, request->y_up);
        is_good = find_skeleton(request, &player);
        for (int i = 0; i < request->weapon_count && is_good; ++i) {
            md2_model *weapon = load_weapon(request, request->weapons[i]);
            is_good = weapon != NULL;
            if (!is_good) break;
            note_repairs(weapon);
            begin_skinned_md2(&weapons[count++], weapon, request->weapons[i], request->y_up);
            is_good = match_weapon_frames(request, &player, &weapons[i]);
        }
        is_good = is_good && add_texts(request, &player, weapons, o) && check_text_errors(request, &player, o);
        if (!is_good) free_outputs(o);
        *name_count = model->anim_count;
        *names = name_files(model);
        for (int i = 0; i < count; ++i) {
            md2_free_model((md2_model *)weapons[i].model);
            end_skinned_md2(&weapons[i]);
        }
        end_skinned_md2(&player);
    }
    release(weapons);
    md2_free_model(model);
    return is_good;
}

/* Finds the skeleton and makes all texts: the animations of the model, and then the animations of the sources. */
static bool make_all_texts(const convert_request *request, outputs *o)
{
    char   **names = NULL;
    uint32_t count = 0;
    bool     is_good = make_texts(request, o, &names, &count);
    if (is_good && request->source_count > 0) {
        uint32_t mesh = find_mesh(request, o);
        blob     text = o->list[mesh].file, rest = { NULL, 0, 0 };
        bool     is_glb = has_extension(request->output, ".glb");

        /* The bind pose of a .glb is a frame, in which the body may be turned aside. */
        if (is_glb) rest = o->list[mesh + 1].file;
        is_good = add_source_texts(request, &text, is_glb ? &rest : NULL, (const char *const *)names, count, o);
    }
    free_file_names(names, count);
    return is_good;
}

bool md2_to_md5(const convert_request *request, outputs *o)
{
    return make_all_texts(request, o);
}

bool is_md2_humanoid(const char *path)
{
    md2_options options;
    memset(&options, 0, sizeof options);
    md2_model *model = md2_load_file(path, &options, NULL);
    if (!model) return false;

    uint32_t bones[ROLE_COUNT], parents[MOST_BONES];
    const char *names[MOST_BONES];
    skinned_md2 s;
    bool     is_found = false;
    begin_skinned_md2(&s, model, path, false);
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
    end_skinned_md2(&s);
    md2_free_model(model);
    return is_found;
}

/* Moves the pictures of the output files to a separate list, so that only the texts of an MD5 remain. */
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

/* Makes the texts of an MD5 (the mesh, the bind pose and the animations), loads them in the axes and the
   scale of glTF, and converts them in the same way as files. */
bool md2_to_skinned_glb(const convert_request *request, outputs *o)
{
    outputs    texts;
    loaded_md5 c;
    float      scale = request->scale > 0 ? request->scale : METERS_PER_UNIT;
    memset(&texts, 0, sizeof texts);
    memset(&c, 0, sizeof c);
    bool    is_good = make_all_texts(request, &texts);
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
