/* make_textures.c - makes a texture for each material of a scene: the material's picture, changed by its colors, or a
   palette of its colors. Public domain. */
#include "from_scene.h"
#include "codecs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Names ------------------------------------------------------------------------------------- */

/* Returns a name for a file: the name of a picture or material, without folders. Blender's "Material.001" becomes
   "Material_001", because .001 would look like an extension. */
static char *name_for_texture(const char *name)
{
    char *stem = name_for_file(file_name(name), "skin"), *dot = strrchr(stem, '.');
    bool  is_number = dot && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1);
    if (is_number) *dot = '_';
    return stem;
}

/* Returns true for a path, such as "models/mapobjects/door1": the name of a Doom 3 material, which is kept whole. */
static bool is_path(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash && slash[1];
}

/* Adds a texture with a unique name, or finds a texture with the same bytes. A material whose name is a path shares a
   texture only with materials of the same name. Takes over `file`, which is empty afterward. Returns the index of the
   texture. */
static uint32_t add_texture(textures *p, const char *material, const char *name, const char *extension,
                            blob *file)
{
    const char *shader = is_path(material) ? material : NULL;
    for (uint32_t i = 0; i < p->count; ++i) {
        const texture *other = &p->list[i];
        bool         is_same = file->size > 0 && other->file.size == file->size &&
                       memcmp(other->file.data, file->data, file->size) == 0;
        if (!is_same || (shader && strcmp(other->shader, shader) != 0)) continue;
        free_blob(file);
        return i;
    }

    if (p->count == p->room) {
        p->room = 2 * p->room + 8;
        p->list = (texture *)reallocate(p->list, p->room * sizeof *p->list);
    }

    texture *added = &p->list[p->count];
    memset(added, 0, sizeof *added);
    char  *stem = name_for_texture(shader ? shader : name);
    added->name = take_unique_name(&p->names, stem);
    added->shader = copy_text(shader ? shader : added->name);
    snprintf(added->extension, sizeof added->extension, "%s", extension);
    added->file = *file;
    memset(file, 0, sizeof *file);
    measure_picture(&added->file, &added->width, &added->height);
    release(stem);
    return p->count++;
}

/* -- The state while textures are made --------------------------------------------------------- */

typedef struct decoded {              /* a picture of the scene, in memory */
    pixels      image;
    const char *problem;              /* why the picture cannot be decoded; or NULL */
    bool        is_decoded;
    bool        is_plain;             /* all pixels have the same color */
    uint32_t    last_use;             /* value of use_count when it was last used */
} decoded;

typedef struct texture_maker {
    scene    *s;
    textures  made;
    uint32_t *next;                   /* [instance_count] next instance with the same material */
    uint32_t *numbers;                /* [material_count] index of the texture; NO_INDEX = not made yet */
    decoded  *decoded;                /* [picture_count] */
    uint32_t *same;                   /* [picture_count] first picture with the same bytes */
    size_t    decoded_bytes;          /* in all decoded images */
    uint32_t  use_count;              /* how often any picture was used */
    size_t    most_pixels;            /* limit for a picture that its material changes */
    uint32_t  shrunk_count;           /* pictures that were larger than most_pixels */
} texture_maker;

/* Returns the part of an instance without const, so that it can be changed. */
static scene_part *part_of(scene *s, uint32_t instance)
{
    return (scene_part *)(uintptr_t)s->instances[instance].part;
}

/* Returns the first instance of each material, [material_count + 1]; the last entry is the first instance without a
   material. Sets maker->next, and marks each part as a part without a texture. */
static uint32_t *link_instances(texture_maker *maker)
{
    scene    *s = maker->s;
    uint32_t *first = (uint32_t *)allocate((size_t)s->material_count + 1, sizeof *first);
    maker->next = (uint32_t *)allocate(s->instance_count, sizeof *maker->next);
    for (uint32_t i = 0; i <= s->material_count; ++i) first[i] = NO_INDEX;
    for (uint32_t i = s->instance_count; i-- > 0;) {
        scene_part *part = part_of(s, i);
        uint32_t    slot = part->material == NO_INDEX ? s->material_count : part->material;
        maker->next[i] = first[slot];
        first[slot] = i;
        part->texture = NO_INDEX;
    }
    return first;
}

/* -- Colors ----------------------------------------------------------------------------------- */

/* Converts a linear color (of a material) to sRGB (of a picture). */
static uint8_t linear_to_srgb(double x)
{
    if (!(x > 0)) return 0;
    if (x >= 1) return 255;
    double srgb = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
    return (uint8_t)floor(srgb * 255 + 0.5);
}

static bool is_white(const float color[4])
{
    for (int k = 0; k < 4; ++k) {
        if (color[k] < 0.998f) return false;
    }
    return true;
}

static bool emits(const scene_material *m)
{
    return m->emission[0] > 0 || m->emission[1] > 0 || m->emission[2] > 0;
}

/* Converts the alpha of a texel so that options.cut_out draws what glTF shows. glTF shows a texel if its alpha is at
   least m->cutoff; cut_out draws a texel if its alpha is at least 0.5. */
static uint8_t alpha_for_cut_out(const scene_material *m, double alpha)
{
    const double half = 0.5;
    if (m->alpha == ALPHA_NONE) return 255;
    bool is_unchanged = m->alpha == ALPHA_BLENDS || !(fabs(m->cutoff - half) > 0);
    if (is_unchanged) return (uint8_t)floor(alpha * 255 + 0.5);
    if (alpha < m->cutoff) return (uint8_t)floor(alpha / m->cutoff * 127);
    return (uint8_t)floor(128 + (alpha - m->cutoff) / (1 - m->cutoff) * 127);
}

enum { LINEAR_STEPS = 16384 };        /* enough that each of the 256 sRGB values survives a round trip */

typedef struct shading {              /* lookup tables from a material's pictures to its texture */
    float   light[3][256], glow[3][256]; /* linear base color and emission of each sRGB value */
    uint8_t alpha[256];               /* alpha in the texture of each alpha in the picture */
    uint8_t srgb[LINEAR_STEPS];       /* sRGB value of linear values from 0 to 1 */
} shading;

static shading *make_shading(const scene_material *m)
{
    shading *s = (shading *)allocate(1, sizeof *s);
    for (int i = 0; i < 256; ++i) {
        double linear = srgb_to_linear((uint8_t)i);
        for (int k = 0; k < 3; ++k) {
            s->light[k][i] = (float)linear * m->color[k];
            s->glow[k][i] = (float)linear * m->emission[k];
        }
        s->alpha[i] = alpha_for_cut_out(m, i / 255.0 * (double)m->color[3]);
    }
    for (int i = 0; i < LINEAR_STEPS; ++i) s->srgb[i] = linear_to_srgb(i / (double)(LINEAR_STEPS - 1));
    return s;
}

/* Returns the texel of `p` at the position of the texel (x, y) of `other`, which covers the same surface but may differ
   in size. */
static const uint8_t *get_matching_texel(const pixels *p, const pixels *other, uint32_t x, uint32_t y)
{
    size_t column = (size_t)((uint64_t)x * p->width / other->width);
    size_t row = (size_t)((uint64_t)y * p->height / other->height);
    return p->rgba + 4 * (row * p->width + column);
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Computes base picture * color + emission picture * emission. A missing picture is white. */
static pixels shade_pixels(const scene_material *m, const pixels *base, const pixels *glow)
{
    uint8_t  white[4] = { 255, 255, 255, 255 };
    pixels   plain = { white, 1, 1 }, out;
    shading *s = make_shading(m);
    if (!base->rgba) base = &plain;
    if (!glow->rgba) glow = &plain;
    out = make_pixels(max_u32(base->width, glow->width), max_u32(base->height, glow->height));
    for (uint32_t y = 0; y < out.height; ++y) {
        for (uint32_t x = 0; x < out.width; ++x) {
            const uint8_t *from = get_matching_texel(base, &out, x, y);
            const uint8_t *light = get_matching_texel(glow, &out, x, y);
            uint8_t       *to = out.rgba + 4 * ((size_t)y * out.width + x);
            for (int k = 0; k < 3; ++k) {
                float sum = s->light[k][from[k]] + s->glow[k][light[k]];
                sum = sum < 1 ? sum : 1;
                to[k] = s->srgb[(int)(sum * (LINEAR_STEPS - 1) + 0.5f)];
            }
            to[3] = s->alpha[from[3]];
        }
    }
    release(s);
    return out;
}

/* Returns true if any texel has an alpha below `limit`. */
static bool has_alpha_below(const pixels *p, uint8_t limit)
{
    size_t count = (size_t)p->width * p->height;
    for (size_t i = 0; i < count; ++i) {
        if (p->rgba[4 * i + 3] < limit) return true;
    }
    return false;
}

/* Returns the number of columns of a palette, which is about as high as wide. */
static uint32_t palette_columns(uint32_t count)
{
    uint32_t side = 1;
    while (side * side < count) ++side;
    return side;
}

/* Draws a square of cell_size pixels for each color. Returns a PNG. */
static blob draw_palette(const uint32_t *colors, uint32_t count, uint32_t cell_size)
{
    uint32_t side = palette_columns(count), rows = (count + side - 1) / side;
    pixels   p = make_pixels(side * cell_size, rows * cell_size);
    for (uint32_t y = 0; y < p.height; ++y) {
        for (uint32_t x = 0; x < p.width; ++x) {
            uint32_t cell = y / cell_size * side + x / cell_size;
            uint32_t color = colors[cell < count ? cell : count - 1];
            uint8_t *rgba = p.rgba + 4 * ((size_t)y * p.width + x);
            for (int k = 0; k < 4; ++k) rgba[k] = (uint8_t)(color >> 8 * k & 255);
        }
    }
    blob file = encode_pixels(&p);
    release(p.rgba);
    return file;
}

/* Returns the mean color of a triangle's corners, as red | green << 8 | blue << 16 | alpha << 24. Sets `differs` if the
   corners differ visibly. */
static uint32_t triangle_color(const scene_part *part, const scene_material *m, uint32_t triangle, bool *differs)
{
    uint32_t color = 0;
    for (int k = 0; k < 4; ++k) {
        double sum = 0, low = 1, high = 0;
        for (uint32_t c = 0; c < 3; ++c) {
            size_t vertex = part->indices[3 * (size_t)triangle + c];
            double x = part->colors ? (double)part->colors[4 * vertex + (size_t)k] : 1;
            sum += x / 3;
            low = fmin(low, x);
            high = fmax(high, x);
        }
        if (high - low > 0.01) *differs = true;
        sum *= (double)m->color[k];
        if (k == 3) color |= (uint32_t)alpha_for_cut_out(m, fmin(sum, 1)) << 24;
        else color |= (uint32_t)linear_to_srgb(sum + (double)m->emission[k]) << 8 * k;
    }
    return color;
}

typedef struct palette {
    uint32_t *colors, count;          /* in ascending order */
    uint32_t  mixed_count;            /* triangles whose corners differ in color */
} palette;

static int compare_colors(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static uint32_t find_color(const palette *p, uint32_t color)
{
    const uint32_t *found = (const uint32_t *)bsearch(&color, p->colors, p->count, sizeof color,
                                                      compare_colors);
    return found ? (uint32_t)(found - p->colors) : 0;
}

/* Lists the colors of all triangles of a material, each color once. */
static palette list_colors(const texture_maker *maker, const scene_material *m, uint32_t first)
{
    palette p = { NULL, 0, 0 };
    size_t  room = 0, kept = 0;
    for (uint32_t i = first; i != NO_INDEX; i = maker->next[i]) {
        room += maker->s->instances[i].part->index_count / 3;
    }
    p.colors = (uint32_t *)allocate(room, sizeof *p.colors);
    for (uint32_t i = first; i != NO_INDEX; i = maker->next[i]) {
        const scene_part *part = maker->s->instances[i].part;
        for (uint32_t t = 0; t < part->index_count / 3; ++t) {
            bool differs = false;
            p.colors[kept++] = triangle_color(part, m, t, &differs);
            if (differs) ++p.mixed_count;
        }
    }
    qsort(p.colors, kept, sizeof *p.colors, compare_colors);
    for (size_t i = 0; i < kept; ++i) {
        bool is_new = p.count == 0 || p.colors[i] != p.colors[p.count - 1];
        if (is_new) p.colors[p.count++] = p.colors[i];
    }
    return p;
}

/* Sets the texture coordinates so that each triangle shows its color in the palette. */
static void map_to_palette(scene_part *part, const palette *p, const scene_material *m)
{
    uint32_t  side = palette_columns(p->count), rows = (p->count + side - 1) / side;
    uint32_t *cells = (uint32_t *)allocate(part->index_count, sizeof *cells);
    bool      differs;
    for (uint32_t i = 0; i < part->index_count; ++i) {
        cells[i] = find_color(p, triangle_color(part, m, i / 3, &differs));
    }
    split_vertices(part, cells);
    release(part->texcoords);
    part->texcoords = (float *)allocate(part->vertex_count, 2 * sizeof(float));
    for (uint32_t i = 0; i < part->index_count; ++i) {
        float *uv = part->texcoords + 2 * (size_t)part->indices[i];
        uv[0] = ((float)(cells[i] % side) + 0.5f) / (float)side;
        uv[1] = ((float)(cells[i] / side) + 0.5f) / (float)rows;
    }
    release(cells);
}

/* -- Materials --------------------------------------------------------------------------------- */

static bool has_vertex_colors(const texture_maker *maker, uint32_t first)
{
    for (uint32_t i = first; i != NO_INDEX; i = maker->next[i]) {
        const scene_part *part = maker->s->instances[i].part;
        for (size_t k = 0; part->colors && k < part->vertex_count; ++k) {
            if (!is_white(part->colors + 4 * k)) return true;
        }
    }
    return false;
}

static bool has_file(const scene *s, uint32_t picture)
{
    return picture != NO_INDEX && s->pictures[picture].file.size > 0;
}

/* Returns true if the material has a base color picture, or emits light and has an emission picture. */
static bool uses_picture(const scene *s, const scene_material *m)
{
    return has_file(s, m->picture) || (emits(m) && has_file(s, m->emission_picture));
}

static bool is_plain(const pixels *p)
{
    size_t count = (size_t)p->width * p->height;
    for (size_t i = 1; i < count; ++i) {
        if (memcmp(p->rgba, p->rgba + 4 * i, 4) != 0) return false;
    }
    return true;
}

static void free_image(texture_maker *maker, decoded *d)
{
    maker->decoded_bytes -= 4 * (size_t)d->image.width * d->image.height;
    release(d->image.rgba);
    memset(d, 0, sizeof *d);
}

/* Frees the images whose last use is the longest ago, until all images together fit in 128 MB: a file may have any
   number of pictures. Keeps the last two images that were used, because a material may use both. */
static void free_old_images(texture_maker *maker)
{
    const size_t most_bytes = (size_t)128 << 20;
    while (maker->decoded_bytes > most_bytes) {
        decoded *oldest = NULL;
        for (uint32_t i = 0; i < maker->s->picture_count; ++i) {
            decoded *d = &maker->decoded[i];
            bool     may_free = d->image.rgba && d->last_use + 2 < maker->use_count;
            if (may_free && (!oldest || d->last_use < oldest->last_use)) oldest = d;
        }
        if (!oldest) return;
        free_image(maker, oldest);
    }
}

/* Decodes a picture. A picture of one color is shrunk, but not to a single texel, because the texture coordinates of an
   MD2 are whole texels. */
static void decode_image(const scene *s, uint32_t number, size_t most_pixels, decoded *d)
{
    enum { PLAIN_PIXELS = 256 * 256 };
    d->problem = decode_pixels(&s->pictures[number].file, &d->image);
    d->is_decoded = true;
    d->is_plain = !d->problem && is_plain(&d->image);
    if (d->problem) return;
    shrink_pixels(&d->image, d->is_plain ? PLAIN_PIXELS : most_pixels);
}

/* Returns the pixels of a picture, which is decoded only once for all materials. Returns no pixels if the file is
   missing; if it cannot be decoded, also sets `problem`. */
static pixels decode_picture(texture_maker *maker, uint32_t number, const char **problem)
{
    pixels none = { NULL, 0, 0 };
    *problem = NULL;
    if (!has_file(maker->s, number)) return none;

    decoded *d = &maker->decoded[maker->same[number]];
    d->last_use = maker->use_count++;
    if (!d->is_decoded) {
        free_old_images(maker);
        decode_image(maker->s, number, maker->most_pixels, d);
        maker->decoded_bytes += 4 * (size_t)d->image.width * d->image.height;
    }
    *problem = d->problem;
    return d->image;
}

static size_t pixel_count(const blob *file)
{
    uint32_t width = 0, height = 0;
    measure_picture(file, &width, &height);
    return (size_t)width * height;
}

static const char *picture_name(const scene_picture *p)
{
    return p->name[0] ? p->name : "a picture without a name";
}

/* Reports that a picture is copied because it cannot be decoded. `is_changed` is true if the material would change the
   picture. */
static void note_kept(const scene_picture *p, const char *problem, bool is_changed)
{
    if (strcmp(p->extension, ".webp") == 0) {
        note("%s.webp is copied unchanged, but few programs read it; to convert it first: npx "
             "@gltf-transform/cli png --formats \"*\" in.glb out.glb", picture_name(p));
    } else if (is_changed) {
        note("%s%s is copied unchanged, without the changes that its material makes to color and alpha: %s",
             picture_name(p), p->extension, problem);
    }
}

/* Returns true if two materials look the same. */
static bool have_same_look(const scene_material *a, const scene_material *b)
{
    return a->picture == b->picture && a->emission_picture == b->emission_picture &&
           a->alpha == b->alpha && memcmp(a->color, b->color, sizeof a->color) == 0 &&
           memcmp(a->emission, b->emission, sizeof a->emission) == 0 &&
           !(a->cutoff < b->cutoff) && !(a->cutoff > b->cutoff);
}

/* Returns a material that already has a texture and looks the same, or NULL. */
static const scene_material *find_same_look(const texture_maker *maker, const scene_material *m)
{
    for (uint32_t i = 0; i < maker->s->material_count; ++i) {
        const scene_material *other = &maker->s->materials[i];
        if (maker->numbers[i] != NO_INDEX && have_same_look(m, other)) return other;
    }
    return NULL;
}

/* Returns true if the picture may have transparent pixels. For an opaque PNG or a JPEG, the answer is known
   without decoding. */
static bool may_have_alpha(const blob *file)
{
    enum { COLOR_TYPE = 25, GRAY = 0, RGB = 2 };
    uint32_t width = 0, height = 0;
    measure_picture(file, &width, &height);
    if (width == 0) return true;

    bool is_jpeg = file->data[0] == 0xff;
    if (is_jpeg) return false;
    uint8_t type = file->data[COLOR_TYPE];
    if (type != GRAY && type != RGB) return true;
    for (size_t i = COLOR_TYPE; i + 4 <= file->size; ++i) {
        if (memcmp(file->data + i, "tRNS", 4) == 0) return true;
        if (memcmp(file->data + i, "IDAT", 4) == 0) return false;
    }
    return true;
}

/* Returns true if the material may change its picture. Then the picture must be decoded; otherwise the texture is the
   unchanged file. */
static bool may_change_picture(const scene *s, const scene_material *m)
{
    uint32_t picture = has_file(s, m->picture) ? m->picture : m->emission_picture;
    return !is_white(m->color) || emits(m) || fabs(m->cutoff - 0.5) > 0 ||
           may_have_alpha(&s->pictures[picture].file);
}

/* Returns the texture of `m`, which looks the same as `other`: the texture of `other`, or a copy of the texture if the
   name of `m` is another path. */
static uint32_t repeat_texture(texture_maker *maker, const scene_material *m, const scene_material *other)
{
    const texture *made = &maker->made.list[maker->numbers[other - maker->s->materials]];
    bool           has_holes = made->is_see_through;
    char           extension[sizeof made->extension];
    blob           file = { NULL, 0, 0 };
    memcpy(extension, made->extension, sizeof extension);
    put(&file, made->file.data, made->file.size);

    uint32_t    number = has_file(maker->s, m->picture) ? m->picture : m->emission_picture;
    const char *name = maker->s->pictures[number].name;
    uint32_t    added = add_texture(&maker->made, m->name, name[0] ? name : m->name, extension, &file);
    maker->made.list[added].is_see_through = has_holes;
    return added;
}

/* Adds the texture of a material that has a picture. The file is copied unchanged unless the material changes it. If
   the material only emits light, its picture is the emission picture. */
static uint32_t texture_of_picture(texture_maker *maker, scene_material m)
{
    bool                 is_lit = has_file(maker->s, m.picture);
    uint32_t             number = is_lit ? m.picture : m.emission_picture;
    const scene_picture *picture = &maker->s->pictures[number];
    const char          *name = picture->name[0] ? picture->name : m.name;
    const char          *extension = picture->extension, *problem, *glow_problem = NULL;
    blob                 file = { NULL, 0, 0 };
    pixels               base = { NULL, 0, 0 }, glow = { NULL, 0, 0 };
    if (!may_change_picture(maker->s, &m)) {
        put(&file, picture->file.data, picture->file.size);
        return add_texture(&maker->made, m.name, name, extension, &file);
    }
    base = decode_picture(maker, m.picture, &problem);
    if (emits(&m)) glow = decode_picture(maker, m.emission_picture, &glow_problem);
    if (!is_lit) problem = glow_problem;
    if (is_lit && glow_problem) {
        note("the emission picture %s is left out: %s", picture_name(&maker->s->pictures[m.emission_picture]),
             glow_problem);
    }

    bool has_unused_alpha = m.alpha == ALPHA_NONE && strcmp(extension, ".jpg") != 0;
    if (m.emission_picture != NO_INDEX && !glow.rgba) memset(m.emission, 0, sizeof m.emission);
    bool is_changed = !is_white(m.color) || emits(&m) || fabs(m.cutoff - 0.5) > 0;
    if (problem) {
        note_kept(picture, problem, is_changed || has_unused_alpha);
        is_changed = false;
    } else if (has_unused_alpha && has_alpha_below(&base, 255)) {
        is_changed = true;
    }
    bool has_holes;
    if (is_changed) {
        pixels shown = shade_pixels(&m, &base, &glow);
        has_holes = has_alpha_below(&shown, 128);
        bool is_shrunk = is_lit && !maker->decoded[maker->same[m.picture]].is_plain &&
                         pixel_count(&picture->file) > maker->most_pixels;
        if (is_shrunk) ++maker->shrunk_count;
        file = encode_pixels(&shown);
        extension = ".png";
        release(shown.rgba);
    } else {
        has_holes = has_alpha_below(&base, 128);
        put(&file, picture->file.data, picture->file.size);
    }

    uint32_t added = add_texture(&maker->made, m.name, name, extension, &file);
    maker->made.list[added].is_see_through = m.alpha != ALPHA_NONE && has_holes;
    return added;
}

/* Adds a palette of the colors of a material that has no picture. If the whole model has only one color, the palette is
   larger, because the texture coordinates of an MD2 are whole texels. */
static uint32_t texture_of_colors(texture_maker *maker, const scene_material *m, uint32_t first)
{
    enum { CELL = 4, LARGE_CELL = 256 }; /* width and height of a color, in pixels */
    palette  colors = list_colors(maker, m, first);
    uint32_t instance_count = 0;
    for (uint32_t i = first; i != NO_INDEX; i = maker->next[i]) ++instance_count;
    bool is_only = colors.count == 1 && instance_count == maker->s->instance_count;
    blob file = draw_palette(colors.colors, colors.count, is_only ? LARGE_CELL : CELL);
    if (colors.mixed_count > 0) {
        note("%u triangles whose corners differ in color get their mean color",
             (unsigned)colors.mixed_count);
    }
    for (uint32_t i = first; i != NO_INDEX && colors.count > 1; i = maker->next[i]) {
        scene_part *part = part_of(maker->s, i);
        if (part->texture != NO_INDEX) continue;
        map_to_palette(part, &colors, m);
        part->texture = 0;            /* Map each part once, even if several nodes share it. */
    }

    uint32_t added = add_texture(&maker->made, m->name, m->name, ".png", &file);
    for (uint32_t i = 0; i < colors.count; ++i) {
        if (colors.colors[i] >> 24 < 128) maker->made.list[added].is_see_through = true;
    }
    release(colors.colors);
    return added;
}

/* Adds a texture without a file, for a material whose picture is missing. */
static uint32_t add_missing_texture(texture_maker *maker, const scene_material *m)
{
    blob     none = { NULL, 0, 0 };
    uint32_t number = add_texture(&maker->made, m->name, m->name, "", &none);
    maker->made.list[number].width = m->missing_width;
    maker->made.list[number].height = m->missing_height;
    return number;
}

/* Makes the texture of a material, and sets it in all parts that have the material. */
static void make_texture(texture_maker *maker, const scene_material *m, uint32_t first)
{
    bool                  has_picture = uses_picture(maker->s, m);
    const scene_material *same = has_picture ? find_same_look(maker, m) : NULL;
    uint32_t              number;
    if (same) number = repeat_texture(maker, m, same);
    else if (has_picture) number = texture_of_picture(maker, *m);
    else if (m->lacks_picture) number = add_missing_texture(maker, m);
    else number = texture_of_colors(maker, m, first);
    if (has_picture && has_vertex_colors(maker, first)) {
        note("\"%s\": its vertex colors, which darken the picture, are left out", m->name);
    }
    for (uint32_t i = first; i != NO_INDEX; i = maker->next[i]) part_of(maker->s, i)->texture = number;
    bool is_listed = part_of(maker->s, first)->material != NO_INDEX;
    if (is_listed) maker->numbers[m - maker->s->materials] = number;
}

static void note_looks(const scene *s, const textures *p)
{
    uint32_t see_through = 0, emitting = 0;
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        const scene_part *part = s->instances[i].part;
        bool              has_material = part->material != NO_INDEX;
        if (p->list[part->texture].is_see_through) ++see_through;
        if (has_material && emits(&s->materials[part->material])) ++emitting;
    }
    if (see_through > 0) {
        note("%u of %u parts are see-through: draw them with options.cut_out",
             (unsigned)see_through, (unsigned)s->instance_count);
    }
    if (emitting > 0) {
        note("%u of %u parts emit light: it is added to their pictures, but the scene's light still shades them",
             (unsigned)emitting, (unsigned)s->instance_count);
    }
}

/* Returns the number of pixels to which larger pictures must be shrunk, so that all pictures together have at most
   `most` pixels: a power of two, at least 64 * 64. `sizes` are the pixel counts of the pictures. */
static size_t limit_pixels(const size_t *sizes, uint32_t count, size_t most)
{
    const size_t least = 64 * 64;
    size_t       limit = MAX_PIXELS;
    for (; limit > least; limit /= 2) {
        size_t total = 0;
        for (uint32_t i = 0; i < count; ++i) total += sizes[i] < limit ? sizes[i] : limit;
        if (total <= most) break;
    }
    return limit;
}

/* Returns the limit for the pixels of a picture that its material changes. Many materials may each change the same
   large picture, and changing many large pictures takes seconds. */
static size_t limit_changed(const texture_maker *maker, const uint32_t *first)
{
    const size_t most = 4 * (size_t)MAX_PIXELS;
    const scene *s = maker->s;
    size_t      *sizes = (size_t *)allocate(s->material_count, sizeof *sizes);
    for (uint32_t i = 0; i < s->material_count; ++i) {
        const scene_material *m = &s->materials[i];
        bool is_changed = first[i] != NO_INDEX && uses_picture(s, m) && may_change_picture(s, m);
        for (uint32_t k = 0; k < i && is_changed; ++k) {
            bool is_repeated = sizes[k] > 0 && have_same_look(&s->materials[k], m);
            if (is_repeated) is_changed = false;
        }
        if (!is_changed) continue;
        size_t base = has_file(s, m->picture) ? pixel_count(&s->pictures[m->picture].file) : 0;
        size_t glow = has_file(s, m->emission_picture) && emits(m)
                          ? pixel_count(&s->pictures[m->emission_picture].file) : 0;
        sizes[i] = base > glow ? base : glow;
    }
    size_t limit = limit_pixels(sizes, s->material_count, most);
    release(sizes);
    return limit;
}

/* Returns an array [picture_count] with the first picture that has the same bytes as each picture, because a file may
   contain the same picture many times. */
static uint32_t *find_same_pictures(const scene *s)
{
    uint32_t *same = (uint32_t *)allocate(s->picture_count, sizeof *same);
    for (uint32_t i = 0; i < s->picture_count; ++i) {
        const blob *file = &s->pictures[i].file;
        same[i] = i;
        for (uint32_t k = 0; k < i && same[i] == i; ++k) {
            const blob *other = &s->pictures[k].file;
            bool        is_same = same[k] == k && other->size == file->size && file->size > 0 &&
                           memcmp(other->data, file->data, file->size) == 0;
            if (is_same) same[i] = k;
        }
    }
    return same;
}

static void begin_textures(texture_maker *maker, scene *s, const uint32_t *first)
{
    maker->decoded = (decoded *)allocate(s->picture_count, sizeof *maker->decoded);
    maker->same = find_same_pictures(s);
    maker->numbers = (uint32_t *)allocate(s->material_count, sizeof *maker->numbers);
    for (uint32_t i = 0; i < s->material_count; ++i) maker->numbers[i] = NO_INDEX;
    maker->most_pixels = limit_changed(maker, first);
}

static void end_textures(texture_maker *maker)
{
    for (uint32_t i = 0; i < maker->s->picture_count; ++i) release(maker->decoded[i].image.rgba);
    release(maker->decoded);
    release(maker->same);
    release(maker->numbers);
    release(maker->next);
}

textures make_textures(scene *s)
{
    static char    no_name[] = "";
    texture_maker  maker;
    scene_material none;
    memset(&maker, 0, sizeof maker);
    memset(&none, 0, sizeof none);
    maker.s = s;
    none.name = no_name;
    none.picture = none.emission_picture = NO_INDEX;
    none.cutoff = 0.5;
    for (int k = 0; k < 4; ++k) none.color[k] = 1;

    uint32_t *first = link_instances(&maker);
    begin_textures(&maker, s, first);
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        uint32_t material = s->instances[i].part->material;
        if (s->instances[i].part->texture != NO_INDEX) continue;
        progress("textures of parts", i, s->instance_count);
        if (material == NO_INDEX) make_texture(&maker, &none, first[s->material_count]);
        else make_texture(&maker, &s->materials[material], first[material]);
    }
    note_looks(s, &maker.made);
    if (maker.shrunk_count > 0) {
        note("%u pictures that materials change are halved until each has at most %u pixels",
             (unsigned)maker.shrunk_count, (unsigned)maker.most_pixels);
    }
    end_textures(&maker);
    release(first);
    return maker.made;
}

/* -- The combined skin ------------------------------------------------------------------------- */

enum { EDGE = 2 };                    /* pixels; the border around each picture repeats the picture's edge */

/* Decodes a texture for the combined skin. A texture of one color becomes 4 by 4 pixels, and a texture that cannot be
   decoded becomes 4 by 4 white pixels. */
static pixels decode_texture(const texture *p, size_t most_pixels)
{
    enum { PLAIN = 4 };
    uint8_t white[4] = { 255, 255, 255, 255 };
    pixels      out;
    const char *problem = decode_pixels(&p->file, &out);
    if (!problem && !is_plain(&out)) {
        shrink_pixels(&out, most_pixels);
        return out;
    }
    if (problem && p->file.size > 0) {
        note("%s%s is white in the combined skin: %s", p->name, p->extension, problem);
    }

    pixels plain = make_pixels(PLAIN, PLAIN);
    const uint8_t *color = problem ? white : out.rgba;
    for (int i = 0; i < PLAIN * PLAIN; ++i) memcpy(plain.rgba + 4 * i, color, 4);
    release(out.rgba);
    return plain;
}

/* Draws a picture with its border into `out`, at the rectangle `at`. */
static void draw_with_edge(const pixels *from, const rectangle *at, pixels *out)
{
    for (uint32_t y = 0; y < at->height; ++y) {
        for (uint32_t x = 0; x < at->width; ++x) {
            uint32_t fx = x < EDGE ? 0 : x - EDGE, fy = y < EDGE ? 0 : y - EDGE;
            if (fx >= from->width) fx = from->width - 1;
            if (fy >= from->height) fy = from->height - 1;
            memcpy(out->rgba + 4 * ((size_t)(at->y + y) * out->width + at->x + x),
                   from->rgba + 4 * ((size_t)fy * from->width + fx), 4);
        }
    }
}

/* Returns the texture coordinate of a triangle's center, rounded down. Returns 0 from 10,000 on. */
static int32_t floor_of_center(const scene_part *part, uint32_t triangle, uint32_t axis)
{
    double sum = 0;
    for (uint32_t c = 0; c < 3; ++c) {
        size_t vertex = part->indices[3 * (size_t)triangle + c];
        sum += (double)part->texcoords[2 * vertex + axis] / 3;
    }
    return fabs(sum) < 10000 ? (int32_t)floor(sum) : 0;
}

/* Shifts each triangle's texture coordinates by whole numbers, so that the center of the triangle is in 0..1. */
static void remove_repetitions(scene_part *part)
{
    uint32_t *shifts = (uint32_t *)allocate(part->index_count, sizeof *shifts);
    for (uint32_t i = 0; i < part->index_count; ++i) {
        uint32_t u = (uint32_t)(floor_of_center(part, i / 3, 0) + 32768);
        uint32_t v = (uint32_t)(floor_of_center(part, i / 3, 1) + 32768);
        shifts[i] = u << 16 | v;
    }
    split_vertices(part, shifts);
    bool *is_moved = (bool *)allocate(part->vertex_count, sizeof *is_moved);
    for (uint32_t i = 0; i < part->index_count; ++i) {
        float *uv = part->texcoords + 2 * (size_t)part->indices[i];
        if (is_moved[part->indices[i]]) continue;
        is_moved[part->indices[i]] = true;
        uv[0] -= (float)((int32_t)(shifts[i] >> 16) - 32768);
        uv[1] -= (float)((int32_t)(shifts[i] & 65535) - 32768);
    }
    release(is_moved);
    release(shifts);
}

/* Moves texture coordinates to the rectangle of their picture in the combined skin. Returns the number of vertices
   outside the picture, which show its edge. */
static uint32_t map_to_skin(scene_part *part, const rectangle *at, const pixels *whole)
{
    uint32_t outside = 0;
    size_t   count = part->vertex_count;
    if (!part->texcoords) part->texcoords = (float *)allocate(count, 2 * sizeof(float));
    remove_repetitions(part);
    for (uint32_t i = 0; i < part->vertex_count; ++i) {
        float   *uv = part->texcoords + 2 * (size_t)i;
        uint32_t corner[2] = { at->x, at->y }, size[2] = { at->width, at->height };
        uint32_t all[2] = { whole->width, whole->height };
        bool     is_inside = true;
        for (int k = 0; k < 2; ++k) {
            double inner = size[k] - 2 * EDGE, x = fmin(fmax((double)uv[k], 0), 1);
            if (fabs(x - (double)uv[k]) > 0.5 / inner) is_inside = false;
            uv[k] = (float)((corner[k] + EDGE + x * inner) / all[k]);
        }
        if (!is_inside) ++outside;
    }
    return outside;
}

static void map_all_to_skin(scene *s, const rectangle *rectangles, const pixels *whole)
{
    uint32_t outside = 0;
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        scene_part *part = part_of(s, i);
        if (part->texture == NO_INDEX) continue;
        outside += map_to_skin(part, &rectangles[part->texture], whole);
        part->texture = NO_INDEX;     /* Convert each part once, even if several nodes share it. */
    }
    for (uint32_t i = 0; i < s->instance_count; ++i) part_of(s, i)->texture = 0;
    if (outside > 0) {
        note("%u vertices have texture coordinates outside their picture, which does not repeat in the "
             "combined skin: they show its edge", (unsigned)outside);
    }
}

void pack_textures(scene *s, textures *p)
{
    uint32_t   count = p->count;
    pixels    *parts = (pixels *)allocate(count, sizeof *parts), whole = { NULL, 0, 0 };
    rectangle *rectangles = (rectangle *)allocate(count, sizeof *rectangles);
    size_t    *sizes = (size_t *)allocate(count, sizeof *sizes);
    for (uint32_t i = 0; i < count; ++i) sizes[i] = pixel_count(&p->list[i].file);
    size_t most_pixels = limit_pixels(sizes, count, MAX_PIXELS);
    release(sizes);
    for (uint32_t i = 0; i < count; ++i) {
        progress("pictures", i, count);
        parts[i] = decode_texture(&p->list[i], most_pixels);
        rectangles[i].width = parts[i].width + 2 * EDGE;
        rectangles[i].height = parts[i].height + 2 * EDGE;
    }
    if (pack_rectangles(rectangles, count, &whole.width, &whole.height)) {
        whole = make_pixels(whole.width, whole.height);
        for (uint32_t i = 0; i < count; ++i) draw_with_edge(&parts[i], &rectangles[i], &whole);
        map_all_to_skin(s, rectangles, &whole);

        textures packed;
        blob   file = encode_pixels(&whole);
        memset(&packed, 0, sizeof packed);
        add_texture(&packed, "", "skin", ".png", &file);
        note("%u pictures are combined into one skin of %ux%u pixels", (unsigned)count, (unsigned)whole.width,
             (unsigned)whole.height);
        free_textures(p);
        *p = packed;
    } else {
        note("the pictures are too large to combine into one skin: all meshes show %s", p->list[0].name);
    }
    for (uint32_t i = 0; i < count; ++i) release(parts[i].rgba);
    release(whole.rgba);
    release(parts);
    release(rectangles);
}

void add_texture_files(const convert_request *request, const textures *p, outputs *o)
{
    for (uint32_t i = 0; i < p->count; ++i) {
        const texture *one = &p->list[i];
        if (one->file.size == 0) continue;
        char *path = join_path(request->output, one->name, one->extension);
        add_picture_file(o, path, &one->file);
        release(path);
    }
}

void free_textures(textures *p)
{
    for (uint32_t i = 0; i < p->count; ++i) {
        release(p->list[i].shader);
        release(p->list[i].name);
        free_blob(&p->list[i].file);
    }
    release(p->list);
    free_name_table(&p->names);
    memset(p, 0, sizeof *p);
}
