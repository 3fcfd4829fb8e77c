/* models.c - opens models, animations and pictures, and closes them. Public domain. */
#define STB_IMAGE_IMPLEMENTATION
#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#include "viewer.h"

static const clip bind_pose = { "bind pose", 24, NULL, NULL };

static bool is_model(const char *path)
{
    return has_extension(path, ".md2") || has_extension(path, ".md5mesh");
}

static bool is_anim(const char *path) { return has_extension(path, ".md5anim"); }

/* -- Pictures ---------------------------------------------------------------------------------- */

static uint8_t *load_pcx(const char *path, uint32_t *width, uint32_t *height, md2_error *error)
{
    static uint8_t bytes[4 << 20];
    FILE          *file = fopen(path, "rb");
    if (!file) return NULL;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return md2_load_pcx_memory(bytes, size, width, height, NULL, error);
}

static GLuint load_picture(const char *path, md2_error *error)
{
    static const md2_error unread = { 0, MD2_ERROR_OPEN, "this picture cannot be read" };
    uint32_t               width, height;
    *error = unread;
    uint8_t *pixels = has_extension(path, ".pcx")
                        ? load_pcx(path, &width, &height, error)
                        : stbi_load(path, (int *)&width, (int *)&height, NULL, 4);
    GLuint   texture = pixels ? md2_gl_create_texture(viewer.md2_gl, pixels, width, height) : 0;
    free(pixels);
    return texture;
}

/* Covers all meshes with one picture. */
static void set_skin(model *m, const char *picture)
{
    if (!m->meshes) report_error(picture, "this is no .md2, no .md5mesh and no folder with one");
    for (uint32_t i = 0; i < m->mesh_count; ++i) {
        md2_error error;
        GLuint    texture = load_picture(picture, &error);
        if (!texture) report_error(picture, "%s", error.message);
        if (!texture) return;
        glDeleteTextures(1, &m->meshes[i].texture);
        m->meshes[i].texture = texture;
    }
    viewer.note[0] = 0;
}

/* By the headers' guesses, else from what lies beside the model. */
void load_textures(model *m)
{
    const char *listed = m->md2 && m->md2->skin_count ? m->md2->skins[m->skin].path : "";
    for (uint32_t i = 0; i < m->mesh_count; ++i) {
        md2_error ignored, md2_problem = { 0, MD2_OK, "" };
        md5_error md5_problem = { 0, MD5_OK, "" };
        GLuint   *out = &m->meshes[i].texture;
        glDeleteTextures(1, out);
        char      beside[MAX_PATH_LENGTH];
        if (m->md2) *out = md2_gl_load_skin(viewer.md2_gl, m->md2, m->path, m->skin, &md2_problem);
        else *out = md5_gl_load_texture(viewer.md5_gl, m->md5, m->path, i, &md5_problem);
        if (*out) continue;
        if (find_picture_beside(m->path, listed, beside)) *out = load_picture(beside, &ignored);
        if (!*out) {
            snprintf(viewer.note, sizeof viewer.note, "%s",
                     m->md2 ? md2_problem.message : md5_problem.message);
            if (arguments.shot) fprintf(stderr, "%s: %s\n", m->path, viewer.note);
        }
    }
}

/* -- Models and animations --------------------------------------------------------------------- */

/* Those of which the renderer has no smoothed form yet. */
void smooth_models(void)
{
    for (model *m = viewer.models; m < viewer.models + viewer.model_count && m->md2; ++m) {
        md2_error  error;
        if (m->meshes->smooth.vao) continue;
        md2_model *smooth = md2_smooth_model(m->md2, NULL, &error);
        if (!smooth || !md2_gl_upload(viewer.md2_gl, smooth, &m->meshes->smooth, &error)) {
            snprintf(viewer.note, sizeof viewer.note, "%s", error.message);
        }
        md2_free_model(smooth);
    }
}

/* The first one replaces the bind pose. */
static void add_clip(clip c)
{
    if (!viewer.clips[0].md2 && !viewer.clips[0].md5) viewer.clip_count = 0;
    if (viewer.clip_count < MAX_CLIPS) viewer.clips[viewer.clip_count++] = c;
}

static bool open_md2(model *m)
{
    md2_error error;
    m->mesh_count = 1;
    m->meshes = allocate_again(NULL, 1, sizeof(mesh));
    m->md2 = md2_load_file(m->path, NULL, &error);
    if (!m->md2 || !md2_gl_upload(viewer.md2_gl, m->md2, &m->meshes->md2, &error)) {
        return report_error(m->path, "%s", error.message);
    }
    for (uint32_t i = 0; m == viewer.models && i < m->md2->anim_count; ++i) {
        const md2_anim *anim = &m->md2->anims[i];
        add_clip((clip){ anim->name, anim->fps, anim, NULL });
    }
    return true;
}

static bool open_md5mesh(model *m)
{
    md5_error error;
    m->md5 = md5_load_model_file(m->path, NULL, &error);
    if (!m->md5) return report_error(m->path, "line %u: %s", error.line, error.message);
    uint32_t joints = m->md5->joint_count;
    m->mesh_count = m->md5->mesh_count;
    m->meshes = allocate_again(NULL, m->mesh_count, sizeof(mesh));
    m->leading_joints = allocate_again(NULL, joints, sizeof(int));
    m->pose = allocate_again(NULL, 2 * (size_t)joints, sizeof(md5_xform));
    m->scratch = m->pose + joints;
    for (uint32_t i = 0; i < joints; ++i) {
        m->leading_joints[i] = md5_find_joint(viewer.models[0].md5, m->md5->joints[i].name);
    }
    for (uint32_t i = 0; i < m->mesh_count; ++i) {
        if (!md5_gl_upload(viewer.md5_gl, m->md5, i, &m->meshes[i].md5, &error)) {
            return report_error(m->path, "%s", error.message);
        }
    }
    return true;
}

/* An animation of another skeleton is retargeted to the first model's. */
static bool open_md5anim(const char *path)
{
    const md5_model *lead = viewer.models[0].md5;
    md5_error        error;
    uint32_t         missing = 0;
    if (!lead) return report_error(path, "an animation needs its .md5mesh as well");
    if (viewer.clip_count == MAX_CLIPS) {
        return report_error(path, "at most %d animations", MAX_CLIPS);
    }
    md5_anim *anim = md5_load_anim_file(path, NULL, &error), *loaded = anim;
    if (loaded && md5_check_anim(lead, loaded, &error) != MD5_OK) {
        anim = md5_retarget_anim(lead, loaded, &missing, NULL, &error);
        snprintf(viewer.note, sizeof viewer.note,
                 "%s: another skeleton, which lacks %u of %u joints", loaded->name, missing,
                 lead->joint_count);
        md5_free_anim(loaded);
    }
    if (!anim) return report_error(path, "line %u: %s", error.line, error.message);
    add_clip((clip){ anim->name, anim->fps, NULL, anim });
    return true;
}

/* Those of the first model's skeleton. */
static void open_anims_beside(const model *lead)
{
    folder f = list_beside(lead->path);
    for (int i = 0; i < f.count; ++i) {
        md5_anim *anim = is_anim(f.paths[i]) ? md5_load_anim_file(f.paths[i], NULL, NULL) : NULL;
        bool      fits = anim && md5_check_anim(lead->md5, anim, NULL) == MD5_OK;
        if (!fits || viewer.clip_count == MAX_CLIPS) md5_free_anim(anim);
        else add_clip((clip){ anim->name, anim->fps, NULL, anim });
    }
    free_folder(&f);
}

/* Of the animations that move and have the first of these words in their names, the one with the
   shortest name: "idle", not "chainsaw_idle"; else the first that moves. */
static int choose_clip(void)
{
    static const char *const words[] = { "stand", "idle", "run", "walk", "" };
    int best = -1;
    for (int w = 0; w < COUNT(words) && best < 0; ++w) {
        for (int i = 0; i < viewer.clip_count; ++i) {
            const char *name = viewer.clips[i].name, *word = words[w];
            if (clip_length(&viewer.clips[i]) <= 0 || (*word && !holds_word(name, word))) continue;
            if (best < 0 || (*word && strlen(name) < strlen(viewer.clips[best].name))) best = i;
        }
    }
    return best < 0 ? 0 : best;
}

static void close_model(model *m)
{
    for (uint32_t i = 0; m->meshes && i < m->mesh_count; ++i) {
        md2_gl_free_mesh(viewer.md2_gl, &m->meshes[i].md2);
        md2_gl_free_mesh(viewer.md2_gl, &m->meshes[i].smooth);
        md5_gl_free_mesh(viewer.md5_gl, &m->meshes[i].md5);
        glDeleteTextures(1, &m->meshes[i].texture);
    }
    md2_free_model(m->md2);
    md5_free_model(m->md5);
    free(m->meshes);
    free(m->leading_joints);
    free(m->pose);
    free(m->palettes);
    memset(m, 0, sizeof *m);
}

void close_models(void)
{
    for (int i = 0; i < viewer.clip_count; ++i) md5_free_anim(viewer.clips[i].md5);
    for (int i = 0; i < viewer.model_count; ++i) close_model(&viewer.models[i]);
    viewer.clips[0] = bind_pose;
    viewer.clip_count = 1;
    viewer.model_count = viewer.clip = viewer.first_clip = 0;
}

static void open_model(const char *path)
{
    model *m = &viewer.models[viewer.model_count];
    bool   is_md2 = has_extension(path, ".md2");
    if (viewer.model_count == MAX_MODELS) {
        report_error(path, "at most %d models at once", MAX_MODELS);
    } else if (viewer.model_count && is_md2 != !viewer.models[0].md5) {
        report_error(path, "MD2 and MD5 models cannot be shown together");
    } else {
        snprintf(m->path, sizeof m->path, "%s", path);
        if (is_md2 ? open_md2(m) : open_md5mesh(m)) {
            ++viewer.model_count;
            load_textures(m);
        } else {
            close_model(m);
        }
    }
}

/* A picture is the skin of the model before it in the list, else of the first model. */
static void open_listed(int count, const char **paths)
{
    int models = 0, anims = 0, last = -1;
    for (int i = 0; i < count; ++i) {
        models += is_model(paths[i]);
        anims += is_anim(paths[i]);
    }
    viewer.error[0] = viewer.note[0] = 0;
    if (models || !viewer.model_count) close_models();
    for (int i = 0; i < count; ++i) {
        if (is_model(paths[i])) open_model(paths[i]);
    }
    if (models && !anims && viewer.models[0].md5) open_anims_beside(&viewer.models[0]);
    for (int i = 0; i < count; ++i) {
        if (is_model(paths[i])) last += last + 1 < viewer.model_count;
        else if (!is_anim(paths[i])) set_skin(&viewer.models[last < 0 ? 0 : last], paths[i]);
        else if (open_md5anim(paths[i]) && !models) viewer.clip = viewer.clip_count - 1;
    }
    if (models + anims == 0) return;
    if (viewer.smooth) smooth_models();
    if (models && !anims) viewer.clip = viewer.first_clip = choose_clip();
    viewer.time = arguments.time;
    form_crowd(viewer.crowd);
}

/* Of a folder: tris.md2, or else the first model that is no weapon; and weapon.md2. What else they
   need is found beside them. */
static int choose_models(const folder *f, const char *models[2])
{
    int best_rank = 0, count = 0;
    for (int i = 0; i < f->count; ++i) {
        const char *name = file_name(f->paths[i]);
        int         rank = has_extension(name, ".md2") ? 3 - 2 * is_weapon(name) : 2;
        if (has_name(name, "tris.md2")) rank = 4;
        if (!is_model(name) || rank <= best_rank) continue;
        models[0] = f->paths[i];
        best_rank = rank;
        count = 1;
    }
    for (int i = 0; i < f->count && best_rank > 2; ++i) {
        if (has_name(f->paths[i], "weapon.md2")) models[count++] = f->paths[i];
    }
    return count;
}

void open_files(int count, const char **paths)
{
    folder      *folders = allocate_again(NULL, (size_t)count, sizeof *folders);
    const char **listed = (const char **)allocate_again(NULL, (size_t)count * 2, sizeof *listed);
    int          total = 0;
    for (int i = 0; i < count; ++i) {
        folders[i] = list_folder(paths[i]);
        int models = choose_models(&folders[i], listed + total);
        if (!models) listed[total++] = paths[i];
        total += models;
    }
    open_listed(total, listed);
    for (int i = 0; i < count; ++i) free_folder(&folders[i]);
    free(folders);
    free(listed);
}
