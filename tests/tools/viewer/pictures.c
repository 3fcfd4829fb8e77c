/* pictures.c - chooses the pictures of a model, and creates their textures. Public domain. */
#define STB_IMAGE_IMPLEMENTATION
#include "viewer.h"

#define MIN_CUTOUT 0.01               /* fraction of the used texels; fewer are flaws of a skin */

typedef struct picture {
    uint8_t *rgba;                    /* top row first; NULL if there is none */
    uint32_t width, height;
    bool     is_pcx;
} picture;

static void free_picture(picture *p)
{
    if (p->is_pcx) md2_free_image(p->rgba);
    else stbi_image_free(p->rgba);
}

/* Reads a picture. Quake II's skins are PCX, which stb_image does not read. */
static picture read_picture(const char *path, md2_error *error)
{
    static const md2_error unread = { 0, MD2_ERROR_OPEN, "this picture cannot be read" };
    *error = unread;                  /* md2.h replaces it with its own error */

    picture  p = { NULL, 0, 0, has_extension(path, ".pcx") };
    size_t   size;
    uint8_t *bytes = read_bytes(path, &size);
    if (!bytes) return p;

    if (p.is_pcx) {
        p.rgba = md2_load_pcx_memory(bytes, size, &p.width, &p.height, NULL, error);
    } else if (size <= INT_MAX) {
        int width, height;
        p.rgba = stbi_load_from_memory(bytes, (int)size, &width, &height, NULL, 4);
        p.width = (uint32_t)width;
        p.height = (uint32_t)height;
    }
    free(bytes);
    return p;
}

/* -- Transparency ------------------------------------------------------------------------------ */

typedef struct texel_count {
    double all, transparent;          /* sums of areas */
} texel_count;

static bool is_transparent(const picture *p, float u, float v)
{
    float    x = (u - floorf(u)) * (float)p->width, y = (v - floorf(v)) * (float)p->height;
    uint32_t column = (uint32_t)x % p->width, row = (uint32_t)y % p->height;
    return p->rgba[4 * ((size_t)row * p->width + column) + 3] < 128;
}

/* Adds the texels of a triangle, which are sampled at points about a texel apart, at most 64 along
   a side. */
static void count_texels(const picture *p, const float *a, const float *b, const float *c,
                         texel_count *count)
{
    float ab[2] = { b[0] - a[0], b[1] - a[1] }, ac[2] = { c[0] - a[0], c[1] - a[1] };
    float width = (float)p->width, height = (float)p->height;
    float area = fabsf(ab[0] * ac[1] - ab[1] * ac[0]) * width * height / 2;
    float side = fmaxf(fmaxf(fabsf(ab[0]), fabsf(ac[0])) * width,
                       fmaxf(fabsf(ab[1]), fabsf(ac[1])) * height);
    if (!(side < 1e6f)) return;       /* too large, or NaN */

    int steps = side < 64 ? 1 + (int)side : 64;
    int transparent = 0;
    for (int i = 0; i < steps; ++i) {
        for (int k = 0; k < steps - i; ++k) {
            float s = ((float)i + 0.33f) / (float)steps, t = ((float)k + 0.33f) / (float)steps;
            float u = a[0] + s * ab[0] + t * ac[0], v = a[1] + s * ab[1] + t * ac[1];
            if (is_transparent(p, u, v)) ++transparent;
        }
    }
    count->all += area;
    count->transparent += area * transparent / (0.5 * steps * (steps + 1));
}

/* Returns true if a mesh shows transparent parts of its picture. */
static bool has_cutouts(const model *m, uint32_t mesh_index, const picture *p)
{
    texel_count count = { 0, 0 };
    if (m->md2) {
        const md2_vertex *v = m->md2->vertices;
        const uint32_t   *index = m->md2->indices;
        for (uint32_t i = 0; i + 2 < m->md2->index_count; i += 3) {
            count_texels(p, &v[index[i]].u, &v[index[i + 1]].u, &v[index[i + 2]].u, &count);
        }
    } else {
        const md5_mesh   *mesh = &m->md5->meshes[mesh_index];
        const md5_vertex *v = mesh->vertices;
        const uint32_t   *index = mesh->indices;
        for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3) {
            count_texels(p, &v[index[i]].u, &v[index[i + 1]].u, &v[index[i + 2]].u, &count);
        }
    }
    return count.transparent > MIN_CUTOUT * count.all;
}

/* Creates a texture and frees the picture. The renderers cut out transparent parts, so a picture
   that should look solid is made opaque. */
static GLuint create_texture(const model *m, uint32_t mesh_index, picture *p)
{
    size_t pixel_count = (size_t)p->width * p->height;
    bool   is_solid = viewer.solid || !has_cutouts(m, mesh_index, p);
    for (size_t i = 0; is_solid && i < pixel_count; ++i) p->rgba[4 * i + 3] = 255;

    GLuint texture = md2_gl_create_texture(viewer.md2_gl, p->rgba, p->width, p->height);
    free_picture(p);
    return texture;
}

/* -- Finding the picture ----------------------------------------------------------------------- */

typedef struct search {
    const model *model;
    char         found[MAX_PATH_LENGTH];
} search;

/* Returns true if a picture exists. Doom 3 has models and textures in separate folders. Because of
   that, the texture of an MD5 is also searched for by its file name in the list of open files. */
static bool is_found(void *user, const char *path)
{
    search     *s = (search *)user;
    const char *elsewhere = s->model->md5 ? find_in_list(file_name(path)) : NULL;
    if (!file_exists(path) && !elsewhere) return false;

    snprintf(s->found, sizeof s->found, "%s", file_exists(path) ? path : elsewhere);
    return true;
}

bool find_named_picture(const model *m, uint32_t mesh_index, char out[MAX_PATH_LENGTH])
{
    search s = { m, "" };
    bool   found;
    if (m->md2) {
        found = md2_find_skin(m->md2, m->path, m->skin, is_found, &s, out, MAX_PATH_LENGTH);
    } else {
        found = md5_find_texture(m->md5, m->path, mesh_index, is_found, &s, out, MAX_PATH_LENGTH);
    }
    if (found) strcpy(out, s.found);
    return found;
}

/* Finds a picture by the headers' rules, or else in the model's folder. */
static bool find_picture(const model *m, uint32_t mesh_index, char out[MAX_PATH_LENGTH])
{
    char first_tried[MAX_PATH_LENGTH];
    if (find_named_picture(m, mesh_index, first_tried)) {
        strcpy(out, first_tried);
        return true;
    }

    const char *listed = m->md5 ? m->md5->meshes[mesh_index].shader : "";
    if (m->md2 && m->md2->skin_count > 0) listed = m->md2->skins[m->skin].path;
    folder beside = list_files_beside(m->path);
    bool   found = find_picture_among(&beside, m->path, m->md2 ? listed : "", out);
    free_folder(&beside);
    if (found) return true;

    snprintf(viewer.note, sizeof viewer.note, "no picture for the %s %.70s; first tried: %.120s",
             m->md2 ? "skin" : "shader", listed, first_tried);
    if (arguments.shot) fprintf(stderr, "%s: %s\n", m->path, viewer.note);
    return false;
}

/* Returns the texture of a mesh. If its picture is missing or cannot be read, sets the note and
   returns 0. */
static GLuint load_mesh_texture(const model *m, uint32_t mesh_index)
{
    char path[MAX_PATH_LENGTH];
    if (m->picture[0]) strcpy(path, m->picture);
    else if (!find_picture(m, mesh_index, path)) return 0;

    md2_error error;
    picture   p = read_picture(path, &error);
    if (p.rgba) return create_texture(m, mesh_index, &p);

    snprintf(viewer.note, sizeof viewer.note, "%.100s: %.140s", file_name(path), error.message);
    if (arguments.shot) fprintf(stderr, "%s: %s\n", m->path, viewer.note);
    return 0;
}

void load_textures(model *m)
{
    for (uint32_t i = 0; i < m->mesh_count; ++i) {
        glDeleteTextures(1, &m->meshes[i].texture);
        m->meshes[i].texture = load_mesh_texture(m, i);
    }
}

/* Loads the textures again after the page has loaded missing files. */
EMSCRIPTEN_KEEPALIVE void viewer_reload_textures(void)
{
    viewer.note[0] = 0;
    for (int i = 0; i < viewer.model_count; ++i) load_textures(&viewer.models[i]);
}

void set_skin(model *m, const char *path)
{
    md2_error error;
    picture   p = read_picture(path, &error);
    if (!p.rgba) {
        report_error(path, "%s", error.message);
        return;
    }
    free_picture(&p);

    snprintf(m->picture, sizeof m->picture, "%s", path);
    load_textures(m);
    viewer.note[0] = 0;               /* the old note may be about the missing skin */
}
