/* paint.c - what the materials of a scene show, as pictures. Public domain. */
#include "from_scene.h"
#include "codecs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Names ------------------------------------------------------------------------------------- */

static char *copy_text(const char *text)
{
    char *copy = (char *)allocate(strlen(text) + 1, 1);
    memcpy(copy, text, strlen(text));
    return copy;
}

/* Without folders; Blender's number behind a name, Material.001, is no extension. */
static char *file_stem(const char *name)
{
    char *stem = name_for_file(file_name(name), "skin"), *dot = strrchr(stem, '.');
    bool  is_number = dot && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1);
    if (is_number) *dot = '_';
    return stem;
}

/* A material of Doom 3, as "models/mapobjects/door1", is looked up whole. */
static bool is_path(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash && slash[1];
}

/* Adds a picture, whose file it takes, unless there is one that is the same. Its name is told apart
   from those of all others. Returns its number. */
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
        paint *list = (paint *)allocate(p->room, sizeof *list);
        if (p->count > 0) memcpy(list, p->list, p->count * sizeof *list);
        free(p->list);
        p->list = list;
    }

    paint *added = &p->list[p->count];
    char  *stem = file_stem(shader ? shader : name);
    added->name = take_unique_name(&p->names, stem);
    added->shader = copy_text(shader ? shader : added->name);
    snprintf(added->extension, sizeof added->extension, "%s", extension);
    added->file = *file;
    memset(file, 0, sizeof *file);
    measure_picture(&added->file, &added->width, &added->height);
    free(stem);
    return p->count++;
}

/* -- Colours ----------------------------------------------------------------------------------- */

/* Materials have linear colours, pictures those of sRGB. */
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

static bool is_white(const float colour[4])
{
    for (int k = 0; k < 4; ++k) {
        if (colour[k] < 0.998f) return false;
    }
    return true;
}

static void multiply_pixels(pixels *p, const float colour[4])
{
    size_t  count = (size_t)p->width * p->height;
    uint8_t table[4][256];
    for (int i = 0; i < 256; ++i) {
        for (int k = 0; k < 3; ++k) {
            table[k][i] = to_srgb(to_linear((uint8_t)i) * (double)colour[k]);
        }
        table[3][i] = (uint8_t)floor(i * (double)colour[3] + 0.5);
    }
    for (size_t i = 0; i < 4 * count; ++i) p->rgba[i] = table[i % 4][p->rgba[i]];
}

enum { CELL = 4 };                    /* pixels of a colour, both ways */

/* Colours in rows, as many in a row as there are rows. */
static uint32_t cells_in_row(uint32_t count)
{
    uint32_t side = 1;
    while (side * side < count) ++side;
    return side;
}

/* One colour may have texture coordinates, which need room to differ. */
static blob draw_palette(const uint32_t *colours, uint32_t count)
{
    const uint32_t wide = 256;
    uint32_t side = cells_in_row(count), rows = (count + side - 1) / side;
    uint32_t cell_size = count == 1 ? wide : (uint32_t)CELL;
    pixels   p = make_pixels(side * cell_size, rows * cell_size);
    for (uint32_t y = 0; y < p.height; ++y) {
        for (uint32_t x = 0; x < p.width; ++x) {
            uint32_t cell = y / cell_size * side + x / cell_size;
            uint32_t colour = colours[cell < count ? cell : count - 1];
            uint8_t *rgba = p.rgba + 4 * ((size_t)y * p.width + x);
            for (int k = 0; k < 4; ++k) rgba[k] = (uint8_t)(colour >> 8 * k & 255);
        }
    }
    blob file = encode_pixels(&p);
    free(p.rgba);
    return file;
}

/* The mean of its corners. */
static uint32_t triangle_colour(const scene_part *part, const float factor[4], uint32_t triangle,
                                bool *differs)
{
    uint32_t colour = 255u << 24;
    for (int k = 0; k < 3; ++k) {
        double sum = 0, low = 1, high = 0;
        for (uint32_t c = 0; c < 3; ++c) {
            size_t vertex = part->indices[3 * (size_t)triangle + c];
            double x = part->colours ? (double)part->colours[4 * vertex + (size_t)k] : 1;
            sum += x / 3;
            low = fmin(low, x);
            high = fmax(high, x);
        }
        if (high - low > 0.01) *differs = true;
        colour |= (uint32_t)to_srgb(sum * (double)factor[k]) << 8 * k;
    }
    return colour;
}

typedef struct palette {
    uint32_t *colours, count, mixed_count;
} palette;

static int compare_colours(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static uint32_t find_colour(const palette *p, uint32_t colour)
{
    const uint32_t *found = (const uint32_t *)bsearch(&colour, p->colours, p->count, sizeof colour,
                                                      compare_colours);
    return found ? (uint32_t)(found - p->colours) : 0;
}

/* The colours of all triangles of a material. */
static palette list_colours(const scene *s, uint32_t material, const float factor[4])
{
    palette p = { NULL, 0, 0 };
    size_t  room = 0, kept = 0;
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        const scene_part *part = s->instances[i].part;
        if (part->material == material) room += part->index_count / 3;
    }
    p.colours = (uint32_t *)allocate(room, sizeof *p.colours);
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        const scene_part *part = s->instances[i].part;
        for (uint32_t t = 0; part->material == material && t < part->index_count / 3; ++t) {
            bool differs = false;
            p.colours[kept++] = triangle_colour(part, factor, t, &differs);
            if (differs) ++p.mixed_count;
        }
    }
    qsort(p.colours, kept, sizeof *p.colours, compare_colours);
    for (size_t i = 0; i < kept; ++i) {
        bool is_new = p.count == 0 || p.colours[i] != p.colours[p.count - 1];
        if (is_new) p.colours[p.count++] = p.colours[i];
    }
    return p;
}

/* Each triangle shows its colour. */
static void show_palette(scene_part *part, const palette *p, const float factor[4])
{
    uint32_t  side = cells_in_row(p->count), rows = (p->count + side - 1) / side;
    uint32_t *cells = (uint32_t *)allocate(part->index_count, sizeof *cells);
    bool      differs;
    for (uint32_t i = 0; i < part->index_count; ++i) {
        cells[i] = find_colour(p, triangle_colour(part, factor, i / 3, &differs));
    }
    split_vertices(part, cells);
    free(part->texcoords);
    part->texcoords = (float *)allocate(part->vertex_count, 2 * sizeof(float));
    for (uint32_t i = 0; i < part->index_count; ++i) {
        float *uv = part->texcoords + 2 * (size_t)part->indices[i];
        uv[0] = ((float)(cells[i] % side) + 0.5f) / (float)side;
        uv[1] = ((float)(cells[i] / side) + 0.5f) / (float)rows;
    }
    free(cells);
}

/* -- Materials --------------------------------------------------------------------------------- */

static scene_part *shown_part(scene *s, uint32_t instance)
{
    return (scene_part *)(uintptr_t)s->instances[instance].part;
}

static void set_paint(scene *s, uint32_t material, uint32_t number)
{
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        scene_part *part = shown_part(s, i);
        if (part->material == material) part->paint = number;
    }
}

static bool has_colours(const scene *s, uint32_t material)
{
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        const scene_part *part = s->instances[i].part;
        bool              is_its = part->material == material && part->colours;
        for (size_t k = 0; is_its && k < part->vertex_count; ++k) {
            if (!is_white(part->colours + 4 * k)) return true;
        }
    }
    return false;
}

static uint32_t paint_picture(const scene *s, const scene_material *m, paints *p)
{
    const scene_picture *picture = &s->pictures[m->picture];
    const char          *name = picture->name[0] ? picture->name : m->name, *shown = name;
    const char          *extension = picture->extension;
    blob                 file = { NULL, 0, 0 };
    pixels               decoded = { NULL, 0, 0 };
    bool                 is_read = decode_pixels(&picture->file, &decoded);
    if (!shown[0]) shown = "a picture without a name";
    if (!is_read) {
        note("%s%s is no picture that can be read here: it is kept as it is", shown, extension);
    }
    if (is_read && !is_white(m->colour)) {
        multiply_pixels(&decoded, m->colour);
        file = encode_pixels(&decoded);
        extension = ".png";
    } else {
        put(&file, picture->file.data, picture->file.size);
    }
    free(decoded.rgba);
    return add_paint(p, m->name, name, extension, &file);
}

/* Without a picture: one of its colours. */
static uint32_t paint_colours(scene *s, uint32_t material, const scene_material *m, paints *p)
{
    palette colours = list_colours(s, material, m->colour);
    blob    file = draw_palette(colours.colours, colours.count);
    if (colours.mixed_count > 0) {
        note("%u triangles whose corners have different colours got the mean of these",
             (unsigned)colours.mixed_count);
    }
    for (uint32_t i = 0; i < s->instance_count && colours.count > 1; ++i) {
        scene_part *part = shown_part(s, i);
        if (part->material != material || part->paint != NO_INDEX) continue;
        show_palette(part, &colours, m->colour);
        part->paint = 0;              /* each once, though nodes may share it */
    }
    free(colours.colours);
    return add_paint(p, m->name, m->name, ".png", &file);
}

static uint32_t paint_nothing(const scene_material *m, paints *p)
{
    blob     none = { NULL, 0, 0 };
    uint32_t number = add_paint(p, m->name, m->name, "", &none);
    p->list[number].width = m->missing_width;
    p->list[number].height = m->missing_height;
    return number;
}

paints paint_scene(scene *s)
{
    static char           no_name[] = "";
    const scene_material  none = { no_name, NO_INDEX, { 1, 1, 1, 1 }, false, false, 0, 0 };
    paints                p;
    memset(&p, 0, sizeof p);
    for (uint32_t i = 0; i < s->instance_count; ++i) shown_part(s, i)->paint = NO_INDEX;
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        uint32_t              material = s->instances[i].part->material, number;
        const scene_material *m = material == NO_INDEX ? &none : &s->materials[material];
        bool has_picture = m->picture != NO_INDEX && s->pictures[m->picture].file.size > 0;
        if (s->instances[i].part->paint != NO_INDEX) continue;

        if (has_picture) number = paint_picture(s, m, &p);
        else if (m->is_unpainted) number = paint_nothing(m, &p);
        else number = paint_colours(s, material, m, &p);
        if (has_picture && has_colours(s, material)) {
            note("\"%s\": the colours of its vertices, which darken the picture, are left out",
                 m->name);
        }
        set_paint(s, material, number);
    }
    return p;
}

/* -- One picture of all ------------------------------------------------------------------------ */

enum { EDGE = 2 };                    /* pixels around each picture that repeat its border */

static bool is_plain(const pixels *p)
{
    size_t count = (size_t)p->width * p->height;
    for (size_t i = 1; i < count; ++i) {
        if (memcmp(p->rgba, p->rgba + 4 * i, 4) != 0) return false;
    }
    return true;
}

/* One colour needs but little room. */
static pixels decode_paint(const paint *p)
{
    enum { PLAIN = 4 };
    uint8_t white[4] = { 255, 255, 255, 255 };
    pixels  out;
    bool    is_read = decode_pixels(&p->file, &out);
    if (is_read && !is_plain(&out)) return out;
    if (!is_read && p->file.size > 0) {
        note("%s%s cannot be read, so it is white", p->name, p->extension);
    }

    pixels plain = make_pixels(PLAIN, PLAIN);
    const uint8_t *colour = is_read ? out.rgba : white;
    for (int i = 0; i < PLAIN * PLAIN; ++i) memcpy(plain.rgba + 4 * i, colour, 4);
    free(out.rgba);
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

/* The whole number that brings the middle of a triangle into 0..1. */
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
    free(is_moved);
    free(shifts);
}

/* Returns how many of the texture coordinates lie outside of their picture, and so show its
   border. */
static uint32_t show_packed(scene_part *part, const rectangle *at, const pixels *whole)
{
    uint32_t outside = 0;
    size_t   count = part->vertex_count;
    if (!part->texcoords) part->texcoords = (float *)allocate(count, 2 * sizeof(float));
    move_inside(part);
    for (uint32_t i = 0; i < part->vertex_count; ++i) {
        float   *uv = part->texcoords + 2 * (size_t)i;
        uint32_t place[2] = { at->x, at->y }, size[2] = { at->width, at->height };
        uint32_t all[2] = { whole->width, whole->height };
        bool     is_inside = true;
        for (int k = 0; k < 2; ++k) {
            double inner = size[k] - 2 * EDGE, x = fmin(fmax((double)uv[k], 0), 1);
            if (fabs(x - (double)uv[k]) > 0.5 / inner) is_inside = false;
            uv[k] = (float)((place[k] + EDGE + x * inner) / all[k]);
        }
        if (!is_inside) ++outside;
    }
    return outside;
}

static void show_all_packed(scene *s, const rectangle *places, const pixels *whole)
{
    uint32_t outside = 0;
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        scene_part *part = shown_part(s, i);
        if (part->paint == NO_INDEX) continue;
        outside += show_packed(part, &places[part->paint], whole);
        part->paint = NO_INDEX;       /* each once, though nodes may share it */
    }
    for (uint32_t i = 0; i < s->instance_count; ++i) shown_part(s, i)->paint = 0;
    if (outside > 0) {
        note("%u vertices show a picture beyond its border, where it would repeat: in the skin, "
             "which has all pictures, they show the border", (unsigned)outside);
    }
}

void pack_paints(scene *s, paints *p)
{
    uint32_t   count = p->count;
    pixels    *parts = (pixels *)allocate(count, sizeof *parts), whole = { NULL, 0, 0 };
    rectangle *places = (rectangle *)allocate(count, sizeof *places);
    for (uint32_t i = 0; i < count; ++i) {
        parts[i] = decode_paint(&p->list[i]);
        places[i].width = parts[i].width + 2 * EDGE;
        places[i].height = parts[i].height + 2 * EDGE;
    }
    if (pack_rectangles(places, count, &whole.width, &whole.height)) {
        whole = make_pixels(whole.width, whole.height);
        for (uint32_t i = 0; i < count; ++i) draw_with_edge(&parts[i], &places[i], &whole);
        show_all_packed(s, places, &whole);

        paints packed;
        blob   file = encode_pixels(&whole);
        memset(&packed, 0, sizeof packed);
        add_paint(&packed, "", "skin", ".png", &file);
        note("%u pictures are one skin now, %ux%u", (unsigned)count, (unsigned)whole.width,
             (unsigned)whole.height);
        free_paints(p);
        *p = packed;
    } else {
        note("its pictures are too large for one skin: all shows %s", p->list[0].name);
    }
    for (uint32_t i = 0; i < count; ++i) free(parts[i].rgba);
    free(whole.rgba);
    free(parts);
    free(places);
}

void add_paint_files(const job *j, const paints *p, outputs *o)
{
    for (uint32_t i = 0; i < p->count; ++i) {
        const paint *one = &p->list[i];
        if (one->file.size == 0) continue;
        char *path = join_path(j->output, one->name, one->extension);
        add_picture_file(o, path, &one->file);
        free(path);
    }
}

void free_paints(paints *p)
{
    for (uint32_t i = 0; i < p->count; ++i) {
        free(p->list[i].shader);
        free(p->list[i].name);
        free_blob(&p->list[i].file);
    }
    free(p->list);
    free_name_table(&p->names);
    memset(p, 0, sizeof *p);
}
