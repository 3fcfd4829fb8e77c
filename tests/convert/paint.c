/* paint.c - what the materials of a scene show, as pictures. Public domain. */
#include "from_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Materials have linear colours, pictures those of sRGB. */
static uint8_t to_srgb(float linear)
{
    double x = (double)linear;
    if (!(x > 0)) return 0;
    if (x >= 1) return 255;
    double srgb = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
    return (uint8_t)floor(srgb * 255 + 0.5);
}

static char *copy_text(const char *text)
{
    char *copy = (char *)allocate(strlen(text) + 1, 1);
    memcpy(copy, text, strlen(text));
    return copy;
}

/* Without folders; Blender's number behind a name, Material.001, is no extension. */
static char *file_stem(const char *name, const char *otherwise)
{
    char *stem = copy_text(name[0] ? file_name(name) : otherwise), *dot = strrchr(stem, '.');
    bool  is_number = dot && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1);
    for (char *c = stem; *c; ++c) {
        bool is_bad = strchr("/\\:*?\"<>|", *c) || (unsigned char)*c < 32;
        if (is_bad) *c = '_';
    }
    if (is_number) *dot = '_';
    if (stem[0] == '.') stem[0] = '_';
    return stem;
}

/* A picture of colours side by side, three bytes each. */
static blob draw_colours(const uint8_t *colours, uint32_t count)
{
    enum { SIZE = 8 };                /* pixels of each, both ways */
    uint32_t width = SIZE * count;
    uint8_t *pixels = (uint8_t *)allocate((size_t)width * SIZE, 3);
    for (uint32_t i = 0; i < width * SIZE; ++i) {
        memcpy(pixels + 3 * (size_t)i, colours + 3 * (i % width / SIZE), 3);
    }
    blob file = write_png(pixels, width, SIZE, 3);
    free(pixels);
    return file;
}

static void paint_material(const scene *s, const scene_material *m, paint *p)
{
    static const scene_material none = { NULL, NO_INDEX, { 1, 1, 1, 1 }, false, 0, 0 };
    const scene_material       *shown = m ? m : &none;
    const char                 *name = m && m->name ? m->name : "";
    if (shown->picture != NO_INDEX) {
        const scene_picture *picture = &s->pictures[shown->picture];
        p->name = file_stem(picture->name[0] ? picture->name : name, "skin");
        snprintf(p->extension, sizeof p->extension, "%s", picture->extension);
        put(&p->file, picture->file.data, picture->file.size);
    } else {
        p->name = file_stem(name, "skin");
        p->is_plain = true;
        for (int k = 0; k < 3; ++k) p->colour[k] = to_srgb(shown->colour[k]);
        p->file = draw_colours(p->colour, 1);
        snprintf(p->extension, sizeof p->extension, ".png");
    }
    p->shader = copy_text(p->name);
}

paints paint_scene(const job *j, const scene *s)
{
    paints p;
    (void)j;
    p.material_count = s->material_count;
    p.of_material = (uint32_t *)allocate((size_t)s->material_count + 1, sizeof *p.of_material);
    p.list = (paint *)allocate((size_t)s->material_count + 1, sizeof *p.list);
    p.count = 0;
    for (uint32_t i = 0; i <= s->material_count; ++i) p.of_material[i] = NO_INDEX;
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        uint32_t material = s->instances[i].part->material;
        uint32_t slot = material == NO_INDEX ? s->material_count : material;
        if (p.of_material[slot] != NO_INDEX) continue;
        p.of_material[slot] = p.count;
        paint_material(s, material == NO_INDEX ? NULL : &s->materials[material], &p.list[p.count++]);
    }
    return p;
}

void share_one_picture(paints *p, const uint8_t *colours)
{
    paint *first = &p->list[0];
    free_blob(&first->file);
    first->file = draw_colours(colours, p->count);
    free(first->name);
    first->name = copy_text("skin");
}

uint32_t paint_of(const paints *p, const scene_part *part)
{
    uint32_t slot = part->material == NO_INDEX ? p->material_count : part->material;
    return p->of_material[slot];
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
    free(p->of_material);
}
