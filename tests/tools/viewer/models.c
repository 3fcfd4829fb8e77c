/* models.c - opens models and animations, and closes them. Public domain. */
#define _XOPEN_SOURCE 700             /* strncasecmp */
#define MD2_IMPLEMENTATION
#include "viewer.h"

#include <ctype.h>
#include <strings.h>

static const clip bind_pose = { .name = "bind pose", .fps = 24 };

/* -- Models ------------------------------------------------------------------------------------ */

/* Adds a clip. The first one replaces the bind pose. Clips beyond MAX_CLIPS are left out. */
static void add_clip(clip c)
{
    bool has_anims = viewer.clips[0].md2 || viewer.clips[0].md5;
    if (!has_anims) viewer.clip_count = 0;
    if (viewer.clip_count < MAX_CLIPS) viewer.clips[viewer.clip_count++] = c;
}

static bool upload_model(model *m)
{
    md2_error md2_problem;
    if (m->md2 && !md2_gl_upload(viewer.md2_gl, m->md2, &m->meshes[0].md2, &md2_problem)) {
        return report_error(m->path, "%s", md2_problem.message);
    }

    md5_error md5_problem;
    for (uint32_t i = 0; m->md5 && i < m->mesh_count; ++i) {
        if (!md5_gl_upload(viewer.md5_gl, m->md5, i, &m->meshes[i].md5, &md5_problem)) {
            return report_error(m->path, "%s", md5_problem.message);
        }
    }
    load_textures(m);
    return true;
}

static void release_model(model *m)
{
    for (mesh *part = m->meshes; part < m->meshes + m->mesh_count; ++part) {
        md2_gl_free_mesh(viewer.md2_gl, &part->md2);
        md2_gl_free_mesh(viewer.md2_gl, &part->smooth);
        md5_gl_free_mesh(viewer.md5_gl, &part->md5);
        glDeleteTextures(1, &part->texture);
        part->texture = 0;
    }
}

static bool open_md2(model *m)
{
    m->mesh_count = 1;
    m->meshes = allocate_again(NULL, 1, sizeof(mesh));

    size_t   size;
    uint8_t *bytes = read_bytes(m->path, &size);
    if (!bytes) return report_error(m->path, "it cannot be read");

    md2_error error;
    m->md2 = md2_load_memory(bytes, size, NULL, &error);
    free(bytes);
    if (!m->md2) return report_error(m->path, "%s", error.message);

    bool is_first = m == &viewer.models[0];
    if (!is_first) return true;
    for (uint32_t i = 0; i < m->md2->anim_count; ++i) {
        const md2_anim *anim = &m->md2->anims[i];
        add_clip((clip){ .name = anim->name, .fps = anim->fps, .md2 = anim });
    }
    return true;
}

static bool open_md5mesh(model *m)
{
    size_t   size;
    uint8_t *bytes = read_bytes(m->path, &size);
    if (!bytes) return report_error(m->path, "it cannot be read");

    md5_error error;
    m->md5 = md5_load_model_memory(bytes, size, NULL, &error);
    free(bytes);
    if (!m->md5) return report_error(m->path, "line %u: %s", error.line, error.message);

    uint32_t joint_count = m->md5->joint_count;
    m->first_model_joints = allocate_again(NULL, joint_count, sizeof(int));
    for (uint32_t i = 0; i < joint_count; ++i) {
        m->first_model_joints[i] = md5_find_joint(viewer.models[0].md5, m->md5->joints[i].name);
    }
    m->pose = allocate_again(NULL, 2 * (size_t)joint_count, sizeof(md5_xform));
    m->scratch = m->pose + joint_count;

    m->mesh_count = m->md5->mesh_count;
    m->meshes = allocate_again(NULL, m->mesh_count, sizeof(mesh));
    return true;
}

static void close_model(model *m)
{
    release_model(m);
    md2_free_model(m->md2);
    md5_free_model(m->md5);
    free(m->meshes);
    free(m->first_model_joints);
    free(m->pose);                    /* also frees `scratch`, the second half of the array */
    free(m->palettes);
    memset(m, 0, sizeof *m);
}

/* The state of the viewer that depends on the open files. */
typedef struct opened {
    model models[MAX_MODELS];
    int   model_count;
    clip  clips[MAX_CLIPS];
    int   clip_count, clip, first_clip;
} opened;

/* Moves the open files into `o` and leaves the viewer without a model. */
static void set_aside_opened(opened *o)
{
    memcpy(o->models, viewer.models, sizeof o->models);
    memcpy(o->clips, viewer.clips, sizeof o->clips);
    o->model_count = viewer.model_count;
    o->clip_count = viewer.clip_count;
    o->clip = viewer.clip;
    o->first_clip = viewer.first_clip;

    memset(viewer.models, 0, sizeof viewer.models);
    viewer.model_count = 0;
    viewer.clips[0] = bind_pose;
    viewer.clip_count = 1;
    viewer.clip = 0;
    viewer.first_clip = 0;
}

static void restore_opened(const opened *o)
{
    memcpy(viewer.models, o->models, sizeof o->models);
    memcpy(viewer.clips, o->clips, sizeof o->clips);
    viewer.model_count = o->model_count;
    viewer.clip_count = o->clip_count;
    viewer.clip = o->clip;
    viewer.first_clip = o->first_clip;
}

static void close_opened(opened *o)
{
    for (int i = 0; i < o->clip_count; ++i) md5_free_anim(o->clips[i].md5);
    for (int i = 0; i < o->model_count; ++i) close_model(&o->models[i]);
}

void close_models(void)
{
    static opened o;
    set_aside_opened(&o);
    close_opened(&o);
}

static bool open_model(const char *path)
{
    model *m = &viewer.models[viewer.model_count];
    snprintf(m->path, sizeof m->path, "%s", path);
    bool is_open = has_extension(path, ".md2") ? open_md2(m) : open_md5mesh(m);
    if (!is_open || !upload_model(m)) {
        close_model(m);
        return false;
    }
    ++viewer.model_count;
    return true;
}

/* Replaces the open models. If a new model fails to open, keeps the old models. If there are no old
   models, the new ones that opened stay. */
bool replace_models(int count, const char **paths)
{
    static opened before;
    set_aside_opened(&before);

    bool are_open = true;
    for (int i = 0; i < count; ++i) {
        if (!open_model(paths[i])) are_open = false;
    }
    if (are_open || (before.model_count == 0 && viewer.model_count > 0)) {
        close_opened(&before);
        return true;
    }

    close_models();
    if (before.model_count > 0) restore_opened(&before);
    return false;
}

/* Uploads a smoothed copy of each MD2 model, unless it has been uploaded before. */
void smooth_models(void)
{
    for (model *m = viewer.models; m < viewer.models + viewer.model_count; ++m) {
        if (!m->md2 || m->meshes[0].smooth.vao) continue;

        md2_error  error;
        md2_model *smooth = md2_smooth_model(m->md2, NULL, &error);
        if (!smooth || !md2_gl_upload(viewer.md2_gl, smooth, &m->meshes[0].smooth, &error)) {
            snprintf(viewer.note, sizeof viewer.note, "%s", error.message);
        }
        md2_free_model(smooth);
    }
}

void release_models(void)
{
    for (int i = 0; i < viewer.model_count; ++i) release_model(&viewer.models[i]);
}

void upload_models(void)
{
    for (int i = 0; i < viewer.model_count; ++i) upload_model(&viewer.models[i]);
    if (viewer.smooth) smooth_models();
}

/* -- MD5 animations ---------------------------------------------------------------------------- */

/* Returns the .md5mesh next to an animation that the animation fits, or NULL. */
static md5_model *load_source(const char *anim_path, const md5_anim *anim)
{
    folder     f = list_files_beside(anim_path);
    md5_model *source = NULL;
    for (int i = 0; i < f.count && !source; ++i) {
        size_t   size;
        uint8_t *bytes = has_extension(f.paths[i], ".md5mesh") ? read_bytes(f.paths[i], &size) : NULL;
        if (!bytes) continue;
        source = md5_load_model_memory(bytes, size, NULL, NULL);
        free(bytes);
        if (!source || md5_check_anim(source, anim, NULL) == MD5_OK) continue;
        md5_free_model(source);
        source = NULL;
    }
    free_folder(&f);
    return source;
}

/* Returns a copy of an animation that is retargeted to the first model, or NULL if that fails.
   Frees the animation. */
static md5_anim *retarget(const char *path, md5_anim *anim, md5_error *error)
{
    const md5_model *first = viewer.models[0].md5;
    md5_model       *source = load_source(path, anim);
    uint32_t         missing = 0;
    md5_anim        *fitted = md5_retarget_anim(first, source, anim, &missing, NULL, error);
    snprintf(viewer.note, sizeof viewer.note,
             "%s: made for another skeleton; %u of %u joints keep the bind pose", anim->name,
             missing, first->joint_count);
    md5_free_model(source);
    md5_free_anim(anim);
    return fitted;
}

/* Loads an animation, and also the .md5scale with the same name if it exists. If that fails,
   returns NULL and sets *error. */
static md5_anim *load_anim(const char *path, md5_error *error)
{
    static const md5_error unread = { .code = MD5_ERROR_OPEN, .message = "it cannot be read" };
    *error = unread;

    size_t   size, scales_size = 0;
    uint8_t *bytes = read_bytes(path, &size);
    if (!bytes) return NULL;

    char name[MAX_PATH_LENGTH], scales_path[MAX_PATH_LENGTH];
    int  stem_length = (int)(strrchr(path, '.') - path);
    snprintf(name, sizeof name, "%.*s", stem_length - (int)(file_name(path) - path),
             file_name(path));
    snprintf(scales_path, sizeof scales_path, "%.*s.md5scale", stem_length, path);
    uint8_t *scales = file_exists(scales_path) ? read_bytes(scales_path, &scales_size) : NULL;

    md5_options options = { 0 };
    options.joint_scales = (const char *)scales;
    options.joint_scales_size = scales_size;
    md5_anim *anim = md5_load_anim_memory(bytes, size, name, &options, error);
    free(bytes);
    free(scales);
    return anim;
}

bool open_md5anim(const char *path)
{
    const md5_model *first = viewer.models[0].md5;
    if (!first) return report_error(path, "an animation needs its model: open the .md5mesh as well");
    if (viewer.clip_count == MAX_CLIPS) {
        return report_error(path, "the viewer shows at most %d animations", MAX_CLIPS);
    }

    md5_error error;
    md5_anim *anim = load_anim(path, &error);
    bool      is_for_other = anim && md5_check_anim(first, anim, &error) != MD5_OK;
    bool      is_broken = !anim && error.code != MD5_ERROR_OPEN;
    if (is_for_other || is_broken) note_unusable_anim(path);
    if (is_for_other) anim = retarget(path, anim, &error);
    if (!anim) return report_error(path, "line %u: %s", error.line, error.message);

    add_clip((clip){ .name = anim->name, .fps = anim->fps, .md5 = anim });
    return true;
}

/* Adds the animations in the model's folder that fit its skeleton, and ignores other animations. */
void open_anims_beside(const model *first)
{
    folder f = list_files_beside(first->path);
    for (int i = 0; i < f.count && viewer.clip_count < MAX_CLIPS; ++i) {
        if (!is_anim(f.paths[i])) continue;

        md5_error ignored;
        md5_anim *anim = load_anim(f.paths[i], &ignored);
        bool      fits = anim && md5_check_anim(first->md5, anim, NULL) == MD5_OK;
        if (fits) {
            add_clip((clip){ .name = anim->name, .fps = anim->fps, .md5 = anim });
        } else {
            note_unusable_anim(f.paths[i]);
            md5_free_anim(anim);
        }
    }
    free_folder(&f);
}

static bool has_motion(const clip *c)
{
    return clip_length(c) > 0;
}

/* Returns true if a word that stops before `end` is whole: at the end of the name, before a
   character that is not a letter, and before a capital letter. */
static bool ends_word(const char *end)
{
    return !isalpha((unsigned char)*end) || isupper((unsigned char)*end);
}

/* Returns true if a name contains a whole word, in upper or lower case. For "stand", "StandUp" and
   "lie_stand" do; "Standing" and "crstnd" do not. */
static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word);
    for (const char *c = name; *c; ++c) {
        bool is_capital = isupper((unsigned char)*c);
        bool begins = c == name || !isalpha((unsigned char)c[-1]) ||
                      (is_capital && islower((unsigned char)c[-1]));
        if (begins && strncasecmp(c, word, length) == 0 && ends_word(c + length)) return true;
    }
    return false;
}

/* Returns the clip with the shortest name that contains a word: "idle", not "chainsaw_idle". Skips
   clips of a single frame. Returns -1 if there is none. */
static int find_moving_clip(const char *word)
{
    int best = -1;
    for (int i = 0; i < viewer.clip_count; ++i) {
        const clip *c = &viewer.clips[i];
        if (!has_motion(c) || !has_word(c->name, word)) continue;
        if (best < 0 || strlen(c->name) < strlen(viewer.clips[best].name)) best = i;
    }
    return best;
}

/* Returns the clip to begin with. */
int choose_clip(void)
{
    static const char *const words[] = { "idle", "stand", "run", "walk" };
    for (int i = 0; i < COUNT(words); ++i) {
        int found = find_moving_clip(words[i]);
        if (found >= 0) return found;
    }

    /* Without such a name, begin with the first clip that has motion, or else with the first
       clip. */
    for (int i = 0; i < viewer.clip_count; ++i) {
        if (has_motion(&viewer.clips[i])) return i;
    }
    return 0;
}
