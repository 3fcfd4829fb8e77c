/* paint.c - makes pictures of the materials of a scene. Public domain. */
#include "from_scene.h"
#include "codecs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Names ------------------------------------------------------------------------------------- */

/* Returns the file name without folders and extension. The number in Blender's "Material.001" is not an
   extension. */
static char *file_stem(const char *name)
{
    char *stem = name_for_file(file_name(name), "skin"), *dot = strrchr(stem, '.');
    bool  is_number = dot && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1);
    if (is_number) *dot = '_';
    return stem;
}

/* Returns true for the name of a Doom 3 material, such as "models/mapobjects/door1", which is kept whole. */
static bool is_path(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash && slash[1];
}

/* Adds a picture and takes over its file, unless an equal picture exists. Its name is made unique. Returns its
   index. */
static uint32_t add_paint(paints *p, const char *material, const char *name, const char *extension,
                          blob *file)
{
    const char *shader = is_path(material) ? material : NULL;
    for (uint32_t i = 0; i < p->count; ++i) {
        const paint *other = &p->list[i];
        bool         is_same = file->size > 0 && other->file.size == file->size &&
                       memcmp(other->file.data, file->data, file->size) == 0;
        if (!is_same || (shader && strcmp(other->shader, shader) != 0)) continue;
        free_blob(file);
        return i;
    }

    if (p->count == p->room) {
        p->room = 2 * p->room + 8;
        p->list = (paint *)reallocate(p->list, p->room * sizeof *p->list);
    }

    paint *added = &p->list[p->count];
    memset(added, 0, sizeof *added);
    char  *stem = file_stem(shader ? shader : name);
    added->name = take_unique_name(&p->names, stem);
    added->shader = copy_text(shader ? shader : added->name);
    snprintf(added->extension, sizeof added->extension, "%s", extension);
    added->file = *file;
    memset(file, 0, sizeof *file);
    measure_picture(&added->file, &added->width, &added->height);
    release(stem);
    return p->count++;
}

/* -- Tables of the painter --------------------------------------------------------------------- */

typedef struct decoded {              /* a picture of the scene */
    pixels      image;
    const char *problem;              /* why the picture cannot be decoded */
    bool        is_decoded, is_plain; /* is_plain: all pixels have the same color */
    uint32_t    last_use;
} decoded;

typedef struct painter {
    scene    *s;
    paints    made;
    uint32_t *next;                   /* [instance_count] next instance with the same material */
    uint32_t *numbers;                /* [material_count] index of the paint; NO_INDEX = not painted yet */
    decoded  *decoded;                /* [picture_count] */
    uint32_t *same;                   /* [picture_count] the first picture that has the same bytes */
    size_t    decoded_bytes;          /* bytes of all decoded images */
    uint32_t  use_count;
    size_t    most_pixels;            /* limit for a painted picture */
    uint32_t  shrunk_count;
} painter;

static scene_part *shown_part(scene *s, uint32_t instance)
{
    return (scene_part *)(uintptr_t)s->instances[instance].part;
}

/* Returns [material_count + 1] the first instance of each material; the last entry is for instances without a
   material. */
static uint32_t *link_instances(painter *w)
{
    scene    *s = w->s;
    uint32_t *first = (uint32_t *)allocate((size_t)s->material_count + 1, sizeof *first);
    w->next = (uint32_t *)allocate(s->instance_count, sizeof *w->next);
    for (uint32_t i = 0; i <= s->material_count; ++i) first[i] = NO_INDEX;
    for (uint32_t i = s->instance_count; i-- > 0;) {
        scene_part *part = shown_part(s, i);
        uint32_t    slot = part->material == NO_INDEX ? s->material_count : part->material;
        w->next[i] = first[slot];
        first[slot] = i;
        part->paint = NO_INDEX;
    }
    return first;
}

/* -- Colors ----------------------------------------------------------------------------------- */

/* Converts a linear color of a material to sRGB, which pictures use. */
static uint8_t to_srgb(double x)
{
    if (!(x > 0)) return 0;
    if (x >= 1) return 255;
    double srgb = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
    return (uint8_t)floor(srgb * 255 + 0.5);
}

static double to_linear(uint8_t x)
{
    double srgb = x / 255.0;
    return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4);
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

/* Returns the alpha of a texel such that engines draw what glTF shows: options.cut_out draws alpha from 0.5
   on. */
static uint8_t show_alpha(const scene_material *m, double alpha)
{
    const double half = 0.5;
    if (m->alpha == ALPHA_NONE) return 255;
    bool is_as_shown = m->alpha == ALPHA_BLENDS || !(fabs(m->cutoff - half) > 0);
    if (is_as_shown) return (uint8_t)floor(alpha * 255 + 0.5);
    if (alpha < m->cutoff) return (uint8_t)floor(alpha / m->cutoff * 127);
    return (uint8_t)floor(128 + (alpha - m->cutoff) / (1 - m->cutoff) * 127);
}

enum { LINEAR_STEPS = 16384 };        /* so many that none of the 256 sRGB values is lost */

typedef struct shading {              /* lookup tables from the texels of a material's pictures to its final
                                         texels */
    float   light[3][256], glow[3][256]; /* linear: base color and emission */
    uint8_t alpha[256], srgb[LINEAR_STEPS];
} shading;

static shading *make_shading(const scene_material *m)
{
    shading *s = (shading *)allocate(1, sizeof *s);
    for (int i = 0; i < 256; ++i) {
        double linear = to_linear((uint8_t)i);
        for (int k = 0; k < 3; ++k) {
            s->light[k][i] = (float)linear * m->color[k];
            s->glow[k][i] = (float)linear * m->emission[k];
        }
        s->alpha[i] = show_alpha(m, i / 255.0 * (double)m->color[3]);
    }
    for (int i = 0; i < LINEAR_STEPS; ++i) s->srgb[i] = to_srgb(i / (double)(LINEAR_STEPS - 1));
    return s;
}

/* Returns the texel of a picture at the same relative position as a texel of another picture, which may differ
   in size. */
static const uint8_t *texel_under(const pixels *p, const pixels *other, uint32_t x, uint32_t y)
{
    size_t column = (size_t)((uint64_t)x * p->width / other->width);
    size_t row = (size_t)((uint64_t)y * p->height / other->height);
    return p->rgba + 4 * (row * p->width + column);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Applies a material to its pictures; a missing picture is white. */
static pixels shade_pixels(const scene_material *m, const pixels *base, const pixels *glow)
{
    uint8_t  white[4] = { 255, 255, 255, 255 };
    pixels   plain = { white, 1, 1 }, out;
    shading *s = make_shading(m);
    if (!base->rgba) base = &plain;
    if (!glow->rgba) glow = &plain;
    out = make_pixels(larger(base->width, glow->width), larger(base->height, glow->height));
    for (uint32_t y = 0; y < out.height; ++y) {
        for (uint32_t x = 0; x < out.width; ++x) {
            const uint8_t *from = texel_under(base, &out, x, y);
            const uint8_t *light = texel_under(glow, &out, x, y);
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

/* Returns the number of columns of a palette, which has about as many rows as columns. */
static uint32_t cells_in_row(uint32_t count)
{
    uint32_t side = 1;
    while (side * side < count) ++side;
    return side;
}

static blob draw_palette(const uint32_t *colors, uint32_t count, uint32_t cell_size)
{
    uint32_t side = cells_in_row(count), rows = (count + side - 1) / side;
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

/* Returns the mean color of the three corners. */
static uint32_t triangle_color(const scene_part *part, const scene_material *m, uint32_t triangle,
                                bool *differs)
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
        if (k == 3) color |= (uint32_t)show_alpha(m, fmin(sum, 1)) << 24;
        else color |= (uint32_t)to_srgb(sum + (double)m->emission[k]) << 8 * k;
    }
    return color;
}

typedef struct palette {
    uint32_t *colors, count, mixed_count;
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

/* Lists the colors of all triangles of a material, each once. */
static palette list_colors(const painter *w, const scene_material *m, uint32_t first)
{
    palette p = { NULL, 0, 0 };
    size_t  room = 0, kept = 0;
    for (uint32_t i = first; i != NO_INDEX; i = w->next[i]) {
        room += w->s->instances[i].part->index_count / 3;
    }
    p.colors = (uint32_t *)allocate(room, sizeof *p.colors);
    for (uint32_t i = first; i != NO_INDEX; i = w->next[i]) {
        const scene_part *part = w->s->instances[i].part;
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

/* Sets the texture coordinates such that each triangle shows its color in the palette. */
static void map_to_palette(scene_part *part, const palette *p, const scene_material *m)
{
    uint32_t  side = cells_in_row(p->count), rows = (p->count + side - 1) / side;
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

static bool has_colors(const painter *w, uint32_t first)
{
    for (uint32_t i = first; i != NO_INDEX; i = w->next[i]) {
        const scene_part *part = w->s->instances[i].part;
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

static void free_image(painter *w, decoded *d)
{
    w->decoded_bytes -= 4 * (size_t)d->image.width * d->image.height;
    release(d->image.rgba);
    memset(d, 0, sizeof *d);
}

/* Frees the oldest decoded images, because a file may have any number of pictures. The last two are in use. */
static void free_old_images(painter *w)
{
    const size_t most_bytes = (size_t)128 << 20;
    while (w->decoded_bytes > most_bytes) {
        decoded *oldest = NULL;
        for (uint32_t i = 0; i < w->s->picture_count; ++i) {
            decoded *d = &w->decoded[i];
            bool     is_free = d->image.rgba && d->last_use + 2 < w->use_count;
            if (is_free && (!oldest || d->last_use < oldest->last_use)) oldest = d;
        }
        if (!oldest) return;
        free_image(w, oldest);
    }
}

/* Decodes a picture. A picture of one color is shrunk, but not to a single texel: an MD2 needs room for
   different texture coordinates. */
static void decode_image(const scene *s, uint32_t number, size_t most_pixels, decoded *d)
{
    enum { PLAIN_PIXELS = 256 * 256 };
    d->problem = decode_pixels(&s->pictures[number].file, &d->image);
    d->is_decoded = true;
    d->is_plain = !d->problem && is_plain(&d->image);
    if (d->problem) return;
    shrink_pixels(&d->image, d->is_plain ? PLAIN_PIXELS : most_pixels);
}

/* Returns the pixels of a picture, which is decoded once for all materials. If it cannot be decoded, returns no
   pixels, and sets `problem` unless the file is missing. */
static pixels decode_picture(painter *w, uint32_t number, const char **problem)
{
    pixels none = { NULL, 0, 0 };
    *problem = NULL;
    if (!has_file(w->s, number)) return none;

    decoded *d = &w->decoded[w->same[number]];
    d->last_use = w->use_count++;
    if (!d->is_decoded) {
        free_old_images(w);
        decode_image(w->s, number, w->most_pixels, d);
        w->decoded_bytes += 4 * (size_t)d->image.width * d->image.height;
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

/* Reports a picture that is copied because it cannot be read, so that the effect of its material is lost. */
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
static bool looks_like(const scene_material *a, const scene_material *b)
{
    return a->picture == b->picture && a->emission_picture == b->emission_picture &&
           a->alpha == b->alpha && memcmp(a->color, b->color, sizeof a->color) == 0 &&
           memcmp(a->emission, b->emission, sizeof a->emission) == 0 &&
           !(a->cutoff < b->cutoff) && !(a->cutoff > b->cutoff);
}

/* Returns a painted material that looks the same, or NULL. */
static const scene_material *find_same_look(const painter *w, const scene_material *m)
{
    for (uint32_t i = 0; i < w->s->material_count; ++i) {
        const scene_material *other = &w->s->materials[i];
        if (w->numbers[i] != NO_INDEX && looks_like(m, other)) return other;
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

/* Returns true if the picture must be decoded. All other materials show their file unchanged. */
static bool may_change(const scene *s, const scene_material *m)
{
    uint32_t picture = has_file(s, m->picture) ? m->picture : m->emission_picture;
    return !is_white(m->color) || emits(m) || fabs(m->cutoff - 0.5) > 0 ||
           may_have_alpha(&s->pictures[picture].file);
}

/* Adds the picture of another material again, for a material that looks the same. */
static uint32_t repeat_paint(painter *w, const scene_material *m, const scene_material *other)
{
    const paint *painted = &w->made.list[w->numbers[other - w->s->materials]];
    bool         has_holes = painted->is_see_through;
    char         extension[sizeof painted->extension];
    blob         file = { NULL, 0, 0 };
    memcpy(extension, painted->extension, sizeof extension);
    put(&file, painted->file.data, painted->file.size);

    uint32_t    number = has_file(w->s, m->picture) ? m->picture : m->emission_picture;
    const char *name = w->s->pictures[number].name;
    uint32_t    added = add_paint(&w->made, m->name, name[0] ? name : m->name, extension, &file);
    w->made.list[added].is_see_through = has_holes;
    return added;
}

/* Adds the picture of a material. The file is copied unchanged unless the material changes it. If the material
   only emits light, its picture is the emission picture. */
static uint32_t paint_picture(painter *w, scene_material m)
{
    bool                 is_lit = has_file(w->s, m.picture);
    uint32_t             number = is_lit ? m.picture : m.emission_picture;
    const scene_picture *picture = &w->s->pictures[number];
    const char          *name = picture->name[0] ? picture->name : m.name;
    const char          *extension = picture->extension, *problem, *dark = NULL;
    blob                 file = { NULL, 0, 0 };
    pixels               base = { NULL, 0, 0 }, glow = { NULL, 0, 0 };
    if (!may_change(w->s, &m)) {
        put(&file, picture->file.data, picture->file.size);
        return add_paint(&w->made, m.name, name, extension, &file);
    }
    base = decode_picture(w, m.picture, &problem);
    if (emits(&m)) glow = decode_picture(w, m.emission_picture, &dark);
    if (!is_lit) problem = dark;
    if (is_lit && dark) {
        note("the emission picture %s is left out: %s", picture_name(&w->s->pictures[m.emission_picture]),
             dark);
    }

    bool may_hide = m.alpha == ALPHA_NONE && strcmp(extension, ".jpg") != 0;
    if (m.emission_picture != NO_INDEX && !glow.rgba) memset(m.emission, 0, sizeof m.emission);
    bool is_changed = !is_white(m.color) || emits(&m) || fabs(m.cutoff - 0.5) > 0;
    if (problem) {
        note_kept(picture, problem, is_changed || may_hide);
        is_changed = false;
    } else if (may_hide && has_alpha_below(&base, 255)) {
        is_changed = true;
    }
    bool has_holes;
    if (is_changed) {
        pixels shown = shade_pixels(&m, &base, &glow);
        has_holes = has_alpha_below(&shown, 128);
        bool is_shrunk = is_lit && !w->decoded[w->same[m.picture]].is_plain &&
                         pixel_count(&picture->file) > w->most_pixels;
        if (is_shrunk) ++w->shrunk_count;
        file = encode_pixels(&shown);
        extension = ".png";
        release(shown.rgba);
    } else {
        has_holes = has_alpha_below(&base, 128);
        put(&file, picture->file.data, picture->file.size);
    }

    uint32_t added = add_paint(&w->made, m.name, name, extension, &file);
    w->made.list[added].is_see_through = m.alpha != ALPHA_NONE && has_holes;
    return added;
}

/* Adds a picture of the colors of a material without a picture. If the whole model has one color, the picture
   is larger, because an MD2 needs room for different texture coordinates. */
static uint32_t paint_colors(painter *w, const scene_material *m, uint32_t first)
{
    enum { CELL = 4, WIDE = 256 };    /* pixels per color, in both directions */
    palette  colors = list_colors(w, m, first);
    uint32_t instance_count = 0;
    for (uint32_t i = first; i != NO_INDEX; i = w->next[i]) ++instance_count;
    bool is_only = colors.count == 1 && instance_count == w->s->instance_count;
    blob file = draw_palette(colors.colors, colors.count, is_only ? WIDE : CELL);
    if (colors.mixed_count > 0) {
        note("%u triangles whose corners differ in color got the mean color",
             (unsigned)colors.mixed_count);
    }
    for (uint32_t i = first; i != NO_INDEX && colors.count > 1; i = w->next[i]) {
        scene_part *part = shown_part(w->s, i);
        if (part->paint != NO_INDEX) continue;
        map_to_palette(part, &colors, m);
        part->paint = 0;              /* paint each part once, even if several nodes share it */
    }

    uint32_t added = add_paint(&w->made, m->name, m->name, ".png", &file);
    for (uint32_t i = 0; i < colors.count; ++i) {
        if (colors.colors[i] >> 24 < 128) w->made.list[added].is_see_through = true;
    }
    release(colors.colors);
    return added;
}

static uint32_t paint_nothing(painter *w, const scene_material *m)
{
    blob     none = { NULL, 0, 0 };
    uint32_t number = add_paint(&w->made, m->name, m->name, "", &none);
    w->made.list[number].width = m->missing_width;
    w->made.list[number].height = m->missing_height;
    return number;
}

/* Paints a material for all its instances. */
static void paint_material(painter *w, const scene_material *m, uint32_t first)
{
    bool                  has_picture = uses_picture(w->s, m);
    const scene_material *same = has_picture ? find_same_look(w, m) : NULL;
    uint32_t              number;
    if (same) number = repeat_paint(w, m, same);
    else if (has_picture) number = paint_picture(w, *m);
    else if (m->is_unpainted) number = paint_nothing(w, m);
    else number = paint_colors(w, m, first);
    if (has_picture && has_colors(w, first)) {
        note("\"%s\": its vertex colors, which darken the picture, are left out", m->name);
    }
    for (uint32_t i = first; i != NO_INDEX; i = w->next[i]) shown_part(w->s, i)->paint = number;
    bool is_listed = shown_part(w->s, first)->material != NO_INDEX;
    if (is_listed) w->numbers[m - w->s->materials] = number;
}

static void note_looks(const scene *s, const paints *p)
{
    uint32_t see_through = 0, shining = 0;
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        const scene_part *part = s->instances[i].part;
        bool              has_material = part->material != NO_INDEX;
        if (p->list[part->paint].is_see_through) ++see_through;
        if (has_material && emits(&s->materials[part->material])) ++shining;
    }
    if (see_through > 0) {
        note("%u of %u parts are see-through: draw them with options.cut_out",
             (unsigned)see_through, (unsigned)s->instance_count);
    }
    if (shining > 0) {
        note("%u of %u parts emit light: it is added to their pictures, but the scene's light still shades it",
             (unsigned)shining, (unsigned)s->instance_count);
    }
}

/* Returns the largest power-of-two pixel limit per picture at which all pictures together have at most `most`
   pixels, but not less than 64 * 64. `sizes` are the pixel counts of all pictures. */
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

/* Limits the pixels of painted pictures, because each material may show its picture in a different color, and
   painting many large pictures takes seconds. */
static size_t limit_painted(const painter *w, const uint32_t *first)
{
    const size_t most = 4 * (size_t)MAX_PIXELS;
    const scene *s = w->s;
    size_t      *sizes = (size_t *)allocate(s->material_count, sizeof *sizes);
    for (uint32_t i = 0; i < s->material_count; ++i) {
        const scene_material *m = &s->materials[i];
        bool is_painted = first[i] != NO_INDEX && uses_picture(s, m) && may_change(s, m);
        for (uint32_t k = 0; k < i && is_painted; ++k) {
            bool is_repeated = sizes[k] > 0 && looks_like(&s->materials[k], m);
            if (is_repeated) is_painted = false;
        }
        if (!is_painted) continue;
        size_t base = has_file(s, m->picture) ? pixel_count(&s->pictures[m->picture].file) : 0;
        size_t glow = has_file(s, m->emission_picture) && emits(m)
                          ? pixel_count(&s->pictures[m->emission_picture].file) : 0;
        sizes[i] = base > glow ? base : glow;
    }
    size_t limit = limit_pixels(sizes, s->material_count, most);
    release(sizes);
    return limit;
}

/* Returns [picture_count] the first picture that has the same bytes, because a file may list a picture any
   number of times. */
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

static void begin_painter(painter *w, scene *s, const uint32_t *first)
{
    w->decoded = (decoded *)allocate(s->picture_count, sizeof *w->decoded);
    w->same = find_same_pictures(s);
    w->numbers = (uint32_t *)allocate(s->material_count, sizeof *w->numbers);
    for (uint32_t i = 0; i < s->material_count; ++i) w->numbers[i] = NO_INDEX;
    w->most_pixels = limit_painted(w, first);
}

static void end_painter(painter *w)
{
    for (uint32_t i = 0; i < w->s->picture_count; ++i) release(w->decoded[i].image.rgba);
    release(w->decoded);
    release(w->same);
    release(w->numbers);
    release(w->next);
}

paints paint_scene(scene *s)
{
    static char    no_name[] = "";
    painter        w;
    scene_material none;
    memset(&w, 0, sizeof w);
    memset(&none, 0, sizeof none);
    w.s = s;
    none.name = no_name;
    none.picture = none.emission_picture = NO_INDEX;
    none.cutoff = 0.5;
    for (int k = 0; k < 4; ++k) none.color[k] = 1;

    uint32_t *first = link_instances(&w);
    begin_painter(&w, s, first);
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        uint32_t material = s->instances[i].part->material;
        if (s->instances[i].part->paint != NO_INDEX) continue;
        progress("painting parts", i, s->instance_count);
        if (material == NO_INDEX) paint_material(&w, &none, first[s->material_count]);
        else paint_material(&w, &s->materials[material], first[material]);
    }
    note_looks(s, &w.made);
    if (w.shrunk_count > 0) {
        note("%u pictures that materials change are halved in size, to at most %u pixels each",
             (unsigned)w.shrunk_count, (unsigned)w.most_pixels);
    }
    end_painter(&w);
    release(first);
    return w.made;
}

/* -- The combined skin ------------------------------------------------------------------------- */

enum { EDGE = 2 };                    /* pixels around each picture that repeat its edge */

/* Decodes a picture for the combined skin. A picture of one color needs only a few pixels. */
static pixels decode_paint(const paint *p, size_t most_pixels)
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
        note("%s%s is white in the combined skin: %s", p->name, p->extension,
             problem);
    }

    pixels plain = make_pixels(PLAIN, PLAIN);
    const uint8_t *color = problem ? white : out.rgba;
    for (int i = 0; i < PLAIN * PLAIN; ++i) memcpy(plain.rgba + 4 * i, color, 4);
    release(out.rgba);
    return plain;
}

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

/* Returns the whole number to subtract so that the center of a triangle is in 0..1. */
static int32_t whole_part(const scene_part *part, uint32_t triangle, uint32_t axis)
{
    double sum = 0;
    for (uint32_t c = 0; c < 3; ++c) {
        size_t vertex = part->indices[3 * (size_t)triangle + c];
        sum += (double)part->texcoords[2 * vertex + axis] / 3;
    }
    return fabs(sum) < 10000 ? (int32_t)floor(sum) : 0;
}

/* Moves triangles that show a repetition of the picture to the picture itself. */
static void move_inside(scene_part *part)
{
    uint32_t *shifts = (uint32_t *)allocate(part->index_count, sizeof *shifts);
    for (uint32_t i = 0; i < part->index_count; ++i) {
        uint32_t u = (uint32_t)(whole_part(part, i / 3, 0) + 32768);
        uint32_t v = (uint32_t)(whole_part(part, i / 3, 1) + 32768);
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

/* Moves texture coordinates to a picture's place in the combined skin. Returns how many are outside their
   picture, and therefore show its edge. */
static uint32_t map_to_skin(scene_part *part, const rectangle *at, const pixels *whole)
{
    uint32_t outside = 0;
    size_t   count = part->vertex_count;
    if (!part->texcoords) part->texcoords = (float *)allocate(count, 2 * sizeof(float));
    move_inside(part);
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
        scene_part *part = shown_part(s, i);
        if (part->paint == NO_INDEX) continue;
        outside += map_to_skin(part, &rectangles[part->paint], whole);
        part->paint = NO_INDEX;       /* convert each part once, even if several nodes share it */
    }
    for (uint32_t i = 0; i < s->instance_count; ++i) shown_part(s, i)->paint = 0;
    if (outside > 0) {
        note("%u vertices have texture coordinates outside their picture, where it would repeat: in the "
             "combined skin, they show the edge of the picture", (unsigned)outside);
    }
}

void pack_paints(scene *s, paints *p)
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
        parts[i] = decode_paint(&p->list[i], most_pixels);
        rectangles[i].width = parts[i].width + 2 * EDGE;
        rectangles[i].height = parts[i].height + 2 * EDGE;
    }
    if (pack_rectangles(rectangles, count, &whole.width, &whole.height)) {
        whole = make_pixels(whole.width, whole.height);
        for (uint32_t i = 0; i < count; ++i) draw_with_edge(&parts[i], &rectangles[i], &whole);
        map_all_to_skin(s, rectangles, &whole);

        paints packed;
        blob   file = encode_pixels(&whole);
        memset(&packed, 0, sizeof packed);
        add_paint(&packed, "", "skin", ".png", &file);
        note("%u pictures are combined into one skin of %ux%u pixels", (unsigned)count, (unsigned)whole.width,
             (unsigned)whole.height);
        free_paints(p);
        *p = packed;
    } else {
        note("its pictures are too large for one skin: all meshes show %s", p->list[0].name);
    }
    for (uint32_t i = 0; i < count; ++i) release(parts[i].rgba);
    release(whole.rgba);
    release(parts);
    release(rectangles);
}

void add_paint_files(const convert_request *request, const paints *p, outputs *o)
{
    for (uint32_t i = 0; i < p->count; ++i) {
        const paint *one = &p->list[i];
        if (one->file.size == 0) continue;
        char *path = join_path(request->output, one->name, one->extension);
        add_picture_file(o, path, &one->file);
        release(path);
    }
}

void free_paints(paints *p)
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
