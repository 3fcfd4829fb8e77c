/* models.c - opens models, animations and pictures, and closes them. Public domain. */
#define STB_IMAGE_IMPLEMENTATION
#define MD2_IMPLEMENTATION
#include "viewer.h"

static const clip bind_pose = { .name = "bind pose", .fps = 24 };

static bool is_model(const char *path)
{
    return has_extension(path, ".md2") || has_extension(path, ".md5mesh");
}

static bool is_anim(const char *path)
{
    return has_extension(path, ".md5anim");
}

/* -- Pictures ---------------------------------------------------------------------------------- */

/* Quake II's own skins are PCX, which stb_image does not read. */
static uint8_t *load_pcx(const char *path, uint32_t *width, uint32_t *height, md2_error *error)
{
    static uint8_t bytes[4 << 20];
    FILE          *file = fopen(path, "rb");
    if (!file) return NULL;

    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return md2_load_pcx_memory(bytes, size, width, height, NULL, error);
}

/* Returns 0 if there is no such picture. */
static GLuint load_picture(const char *path, md2_error *error)
{
    static const md2_error unread = { 0, MD2_ERROR_OPEN, "this picture cannot be read" };
    *error = unread;                  /* unless load_pcx knows better */

    bool     is_pcx = has_extension(path, ".pcx");
    uint32_t width, height;
    uint8_t *pixels = is_pcx ? load_pcx(path, &width, &height, error)
                             : stbi_load(path, (int *)&width, (int *)&height, NULL, 4);
    if (!pixels) return 0;

    GLuint texture = md2_gl_create_texture(viewer.md2_gl, pixels, width, height);
    if (is_pcx) {
        md2_free_image(pixels);
    } else {
        stbi_image_free(pixels);
    }
    return texture;
}

/* Returns 0, and notes why, if the mesh has none. */
static GLuint load_mesh_texture(const model *m, uint32_t mesh_index)
{
    /* By the headers' guesses ... */
    const char *listed = "";
    md2_error   md2_problem = { 0, MD2_OK, "" };
    md5_error   md5_problem = { 0, MD5_OK, "" };
    GLuint      texture;
    if (m->md2) {
        if (m->md2->skin_count > 0) listed = m->md2->skins[m->skin].path;
        texture = md2_gl_load_skin(viewer.md2_gl, m->md2, m->path, m->skin, &md2_problem);
    } else {
        texture = md5_gl_load_texture(viewer.md5_gl, m->md5, m->path, mesh_index, &md5_problem);
    }
    if (texture) return texture;

    /* ... else from what lies beside the model. */
    char      beside[MAX_PATH_LENGTH];
    md2_error ignored;
    if (find_picture_beside(m->path, listed, beside)) texture = load_picture(beside, &ignored);
    if (texture) return texture;

    const char *message = m->md2 ? md2_problem.message : md5_problem.message;
    snprintf(viewer.note, sizeof viewer.note, "%s", message);
    if (arguments.shot) fprintf(stderr, "%s: %s\n", m->path, viewer.note);
    return 0;
}

void load_textures(model *m)
{
    for (uint32_t i = 0; i < m->mesh_count; ++i) {
        md2_error error;
        GLuint    texture = m->picture[0] ? load_picture(m->picture, &error) : 0;
        glDeleteTextures(1, &m->meshes[i].texture);
        m->meshes[i].texture = texture ? texture : load_mesh_texture(m, i);
    }
}

/* Covers all meshes with one picture. */
static void set_skin(model *m, const char *picture)
{
    bool is_open = m->meshes != NULL;
    if (!is_open) {
        report_error(picture, "this is no .md2, no .md5mesh and no folder with one");
        return;
    }

    md2_error error;
    GLuint    texture = load_picture(picture, &error);
    if (!texture) {
        report_error(picture, "%s", error.message);
        return;
    }
    glDeleteTextures(1, &texture);

    snprintf(m->picture, sizeof m->picture, "%s", picture);
    load_textures(m);
    viewer.note[0] = 0;               /* which may have said that there was no skin */
}

/* -- Models ------------------------------------------------------------------------------------ */

/* The first one replaces the bind pose. One too many is left out. */
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

    md2_error error;
    m->md2 = md2_load_file(m->path, NULL, &error);
    if (!m->md2) return report_error(m->path, "%s", error.message);

    bool leads = m == &viewer.models[0];
    if (!leads) return true;
    for (uint32_t i = 0; i < m->md2->anim_count; ++i) {
        const md2_anim *anim = &m->md2->anims[i];
        add_clip((clip){ .name = anim->name, .fps = anim->fps, .md2 = anim });
    }
    return true;
}

static bool open_md5mesh(model *m)
{
    md5_error error;
    m->md5 = md5_load_model_file(m->path, NULL, &error);
    if (!m->md5) return report_error(m->path, "line %u: %s", error.line, error.message);

    uint32_t joint_count = m->md5->joint_count;
    m->leading_joints = allocate_again(NULL, joint_count, sizeof(int));
    for (uint32_t i = 0; i < joint_count; ++i) {
        m->leading_joints[i] = md5_find_joint(viewer.models[0].md5, m->md5->joints[i].name);
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
    free(m->leading_joints);
    free(m->pose);                    /* and `scratch`, its second half */
    free(m->palettes);
    memset(m, 0, sizeof *m);
}

/* What files were opened into. */
typedef struct opened {
    model models[MAX_MODELS];
    int   model_count;
    clip  clips[MAX_CLIPS];
    int   clip_count, clip, first_clip;
} opened;

/* Leaves the viewer without a model. */
static void take_opened(opened *o)
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

static void put_back(const opened *o)
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
    take_opened(&o);
    close_opened(&o);
}

static bool open_model(const char *path)
{
    if (viewer.model_count == MAX_MODELS) {
        return report_error(path, "at most %d models at once", MAX_MODELS);
    }

    bool is_md2 = has_extension(path, ".md2");
    bool others_are_md2 = viewer.models[0].md2 != NULL;
    if (viewer.model_count > 0 && is_md2 != others_are_md2) {
        return report_error(path, "MD2 and MD5 models cannot be shown together");
    }

    model *m = &viewer.models[viewer.model_count];
    snprintf(m->path, sizeof m->path, "%s", path);
    bool is_open = is_md2 ? open_md2(m) : open_md5mesh(m);
    if (!is_open || !upload_model(m)) {
        close_model(m);
        return false;
    }
    ++viewer.model_count;
    return true;
}

/* Opens the models of a list instead of those that are shown. If one fails, these stay. */
static bool replace_models(int count, const char **paths)
{
    static opened before;
    take_opened(&before);

    bool are_open = true;
    for (int i = 0; i < count; ++i) {
        if (is_model(paths[i]) && !open_model(paths[i])) are_open = false;
    }
    if (are_open || before.model_count == 0) {
        close_opened(&before);
        return true;
    }

    close_models();
    put_back(&before);
    return false;
}

/* Uploads the smoothed form of the MD2 models that have none yet. */
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

/* Frees the animation and returns it for the first model's skeleton; NULL if that fails. */
static md5_anim *retarget(md5_anim *anim, md5_error *error)
{
    const md5_model *lead = viewer.models[0].md5;
    uint32_t         missing = 0;
    md5_anim        *fitted = md5_retarget_anim(lead, NULL, anim, &missing, NULL, error);
    snprintf(viewer.note, sizeof viewer.note,
             "%s: another skeleton, which lacks %u of %u joints", anim->name, missing,
             lead->joint_count);
    md5_free_anim(anim);
    return fitted;
}

static bool open_md5anim(const char *path)
{
    const md5_model *lead = viewer.models[0].md5;
    if (!lead) return report_error(path, "an animation needs its .md5mesh as well");
    if (viewer.clip_count == MAX_CLIPS) {
        return report_error(path, "at most %d animations", MAX_CLIPS);
    }

    md5_error error;
    md5_anim *anim = md5_load_anim_file(path, NULL, &error);
    bool      is_of_other = anim && md5_check_anim(lead, anim, &error) != MD5_OK;
    if (is_of_other) anim = retarget(anim, &error);
    if (!anim) return report_error(path, "line %u: %s", error.line, error.message);

    add_clip((clip){ .name = anim->name, .fps = anim->fps, .md5 = anim });
    return true;
}

/* Adds those of the first model's skeleton, and says nothing of others. */
static void open_anims_beside(const model *lead)
{
    folder f = list_beside(lead->path);
    for (int i = 0; i < f.count && viewer.clip_count < MAX_CLIPS; ++i) {
        if (!is_anim(f.paths[i])) continue;

        md5_anim *anim = md5_load_anim_file(f.paths[i], NULL, NULL);
        bool      fits = anim && md5_check_anim(lead->md5, anim, NULL) == MD5_OK;
        if (fits) add_clip((clip){ .name = anim->name, .fps = anim->fps, .md5 = anim });
        else md5_free_anim(anim);
    }
    free_folder(&f);
}

static bool moves(const clip *c)
{
    return clip_length(c) > 0;
}

/* Of the animations that move and have this word in their names, the one with the shortest name:
   "idle", not "chainsaw_idle". -1 if there is none. */
static int find_moving_clip(const char *word)
{
    int best = -1;
    for (int i = 0; i < viewer.clip_count; ++i) {
        const clip *c = &viewer.clips[i];
        if (!moves(c) || !holds_word(c->name, word)) continue;
        if (best < 0 || strlen(c->name) < strlen(viewer.clips[best].name)) best = i;
    }
    return best;
}

/* Returns the animation to begin with. */
static int choose_clip(void)
{
    static const char *const words[] = { "stand", "idle", "run", "walk" };
    for (int i = 0; i < COUNT(words); ++i) {
        int found = find_moving_clip(words[i]);
        if (found >= 0) return found;
    }

    /* Without any of them the first that moves, or the first of all. */
    for (int i = 0; i < viewer.clip_count; ++i) {
        if (moves(&viewer.clips[i])) return i;
    }
    return 0;
}

/* -- Lists of files ---------------------------------------------------------------------------- */

static int count_paths(int count, const char **paths, bool (*is_counted)(const char *path))
{
    int counted = 0;
    for (int i = 0; i < count; ++i) {
        if (is_counted(paths[i])) ++counted;
    }
    return counted;
}

/* True if a mesh has found this picture by its name. */
static bool is_found_by_name(const char *picture)
{
    for (int i = 0; i < viewer.model_count; ++i) {
        const model *m = &viewer.models[i];
        for (uint32_t k = 0; k < m->mesh_count; ++k) {
            char found[MAX_PATH_LENGTH];
            bool is_there = m->md2 ? md2_find_skin(m->md2, m->path, m->skin, NULL, NULL, found,
                                                   sizeof found)
                                   : md5_find_texture(m->md5, m->path, k, NULL, NULL, found,
                                                      sizeof found);
            if (is_there && strcmp(found, picture) == 0) return true;
        }
    }
    return false;
}

/* Opens the animations and pictures of a list whose models are open already. If some of the pictures
   were found by name, the others are no skins: they have bumps or shine. */
static void open_anims_and_skins(int count, const char **paths, bool plays_them)
{
    bool are_skins = count_paths(count, paths, is_found_by_name) == 0;

    /* A picture is the skin of the model before it in the list, else of the first model. */
    int dressed = -1;
    for (int i = 0; i < count; ++i) {
        if (is_model(paths[i])) {
            bool is_open = dressed + 1 < viewer.model_count;
            if (is_open) ++dressed;
        } else if (is_anim(paths[i])) {
            bool is_added = open_md5anim(paths[i]);
            if (is_added && plays_them) viewer.clip = viewer.clip_count - 1;
        } else if (are_skins) {
            set_skin(&viewer.models[dressed < 0 ? 0 : dressed], paths[i]);
        }
    }
}

/* Opens a list of files, which may come in any order. */
static void open_listed(int count, const char **paths)
{
    bool has_models = count_paths(count, paths, is_model) > 0;
    bool has_anims = count_paths(count, paths, is_anim) > 0;
    viewer.error[0] = 0;
    viewer.note[0] = 0;

    /* Models replace those that are shown; animations and pictures are for them. */
    if (has_models || viewer.model_count == 0) {
        if (!replace_models(count, paths)) return;
    }

    /* An MD5 without listed animations takes those beside it. */
    bool takes_anims = has_models && !has_anims;
    if (takes_anims && viewer.models[0].md5) open_anims_beside(&viewer.models[0]);

    /* Without a new model, the last of the new animations plays at once. */
    open_anims_and_skins(count, paths, !has_models);

    /* A mere picture changes nothing else: time and camera go on. */
    if (!has_models && !has_anims) return;
    if (viewer.smooth) smooth_models();
    if (takes_anims) {
        viewer.first_clip = choose_clip();
        viewer.clip = viewer.first_clip;
    }
    viewer.time = arguments.time;

    /* A new model is seen alone first. */
    if (has_models) viewer.mixed = false;
    form_crowd(has_models ? 1 : viewer.crowd);
}

/* How much a file looks like the model that its folder is for; 0 if it is none. */
static int rank_model(const char *path)
{
    if (!is_model(path)) return 0;
    if (has_name(path, "tris.md2")) return 4; /* of a player */
    if (is_weapon(path)) return 1;
    return has_extension(path, ".md5mesh") ? 2 : 3;
}

/* Of a folder: the model of the highest rank, of equals the first, and its weapon. What else they
   need is found beside them. Returns how many there are. */
static int choose_models(const folder *f, const char *models[2])
{
    int best_rank = 0;
    for (int i = 0; i < f->count; ++i) {
        int rank = rank_model(f->paths[i]);
        if (rank > best_rank) {
            models[0] = f->paths[i];
            best_rank = rank;
        }
    }
    if (best_rank == 0) return 0;

    /* What is no weapon itself carries one. */
    if (best_rank == 1) return 1;
    const char *weapon = has_extension(models[0], ".md2") ? "weapon.md2" : "weapon.md5mesh";
    for (int i = 0; i < f->count; ++i) {
        if (!has_name(f->paths[i], weapon)) continue;
        models[1] = f->paths[i]; /* the first, where there are several spellings */
        return 2;
    }
    return 1;
}

void open_files(int count, const char **paths)
{
    folder      *folders = allocate_again(NULL, (size_t)count, sizeof *folders);
    const char **listed = (const char **)allocate_again(NULL, (size_t)count * 2, sizeof *listed);

    /* A folder with models stands for these. Their paths are the folder's, so it is freed last. */
    int total = 0;
    for (int i = 0; i < count; ++i) {
        folders[i] = list_folder(paths[i]);
        int model_count = choose_models(&folders[i], &listed[total]);
        total += model_count;
        if (model_count == 0) listed[total++] = paths[i];
    }
    open_listed(total, listed);

    for (int i = 0; i < count; ++i) free_folder(&folders[i]);
    free(folders);
    free(listed);
}
