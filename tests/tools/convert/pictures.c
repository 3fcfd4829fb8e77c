/* pictures.c - finds and reads the pictures of models. Public domain. */
#include "mdconvert.h"
#include "codecs.h"
#include "../viewer/folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a big-endian number; 0 after the end of the file. */
static uint32_t u16_big_at(const blob *file, size_t at)
{
    if (at + 2 > file->size) return 0;
    return (uint32_t)file->data[at] << 8 | (uint32_t)file->data[at + 1];
}

/* -- Sizes of PNG and JPEG --------------------------------------------------------------------- */

static bool measure_png(const blob *file, uint32_t *width, uint32_t *height)
{
    if (file->size < 33 || memcmp(file->data, "\x89PNG\r\n\x1a\n", 8) != 0) return false;
    *width = u16_big_at(file, 16) << 16 | u16_big_at(file, 18);
    *height = u16_big_at(file, 20) << 16 | u16_big_at(file, 22);
    return true;
}

static bool measure_jpeg(const blob *file, uint32_t *width, uint32_t *height)
{
    if (file->size < 4 || memcmp(file->data, "\xff\xd8\xff", 3) != 0) return false;

    for (size_t at = 2; at + 9 < file->size;) {
        uint32_t mark = file->data[at + 1];
        if (file->data[at] != 0xff) return false;
        if (mark == 0xff) {           /* a byte that pads the file */
            ++at;
            continue;
        }
        bool is_frame_header = mark >= 0xc0 && mark <= 0xcf && mark != 0xc4 && mark != 0xc8 && mark != 0xcc;
        if (is_frame_header) {
            *height = u16_big_at(file, at + 5);
            *width = u16_big_at(file, at + 7);
            return true;
        }
        at += 2 + (size_t)u16_big_at(file, at + 2);
    }
    return false;
}

void measure_picture(const blob *file, uint32_t *width, uint32_t *height)
{
    if (!measure_png(file, width, height)) measure_jpeg(file, width, height);
}

/* -- Shrinking --------------------------------------------------------------------------------- */

enum { LINEAR_STEPS = 4096 };         /* enough that each of the 256 sRGB values survives a round trip */

typedef struct linear_tables {
    float   linear[256];              /* the linear value of each sRGB value */
    uint8_t srgb[LINEAR_STEPS];       /* the sRGB value of linear values from 0 to 1 */
} linear_tables;

double srgb_to_linear(uint8_t x)
{
    double srgb = x / 255.0;
    return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4);
}

static void set_tables(linear_tables *t)
{
    int next = 0;
    for (int i = 0; i < 256; ++i) t->linear[i] = (float)srgb_to_linear((uint8_t)i);
    for (int i = 0; i < LINEAR_STEPS; ++i) {
        float x = (float)i / (LINEAR_STEPS - 1);
        while (next < 255 && x - t->linear[next] > t->linear[next + 1] - x) ++next;
        t->srgb[i] = (uint8_t)next;
    }
}

/* Computes the mean of two texels in linear light. The colors are weighted by alpha, so that a transparent texel adds
   no color. */
static void mix_texels(const linear_tables *t, const uint8_t *a, const uint8_t *b, uint8_t *out)
{
    float alpha = (float)a[3] + (float)b[3];
    float fraction = alpha > 0 ? (float)a[3] / alpha : 0.5f;
    for (int k = 0; k < 3; ++k) {
        float mean = t->linear[a[k]] * fraction + t->linear[b[k]] * (1 - fraction);
        out[k] = a[k] == b[k] ? a[k] : t->srgb[(int)(mean * (LINEAR_STEPS - 1) + 0.5f)];
    }
    out[3] = (uint8_t)((a[3] + b[3] + 1) / 2);
}

/* Halves the longer side of a picture in place: each texel is read before it is overwritten. An odd last row or column
   is copied. */
static void halve_pixels(const linear_tables *t, pixels *p)
{
    bool     is_wide = p->width >= p->height;
    uint32_t width = is_wide ? (p->width + 1) / 2 : p->width;
    uint32_t height = is_wide ? p->height : (p->height + 1) / 2;
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
            uint32_t fx = is_wide ? 2 * x : x, fy = is_wide ? y : 2 * y;
            bool     is_last = is_wide ? fx + 1 == p->width : fy + 1 == p->height;
            size_t   step = is_last ? 0 : is_wide ? 1 : p->width;
            const uint8_t *from = p->rgba + 4 * ((size_t)fy * p->width + fx);
            mix_texels(t, from, from + 4 * step, p->rgba + 4 * ((size_t)y * width + x));
        }
    }
    p->width = width;
    p->height = height;
}

void shrink_pixels(pixels *p, size_t most)
{
    linear_tables t;
    if ((size_t)p->width * p->height <= most) return;

    set_tables(&t);
    while ((size_t)p->width * p->height > most && p->width * p->height > 1) halve_pixels(&t, p);
    p->rgba = (uint8_t *)reallocate(p->rgba, 4 * (size_t)p->width * p->height);
}

/* -- Reading pictures -------------------------------------------------------------------------- */

pixels make_pixels(uint32_t width, uint32_t height)
{
    pixels p = { NULL, width, height };
    p.rgba = (uint8_t *)allocate((size_t)width * height, 4);
    return p;
}

static bool decode_pcx(const blob *file, pixels *p, char problem[256])
{
    md2_options options;
    md2_error   error;
    memset(&options, 0, sizeof options);
    uint8_t *rgba = md2_load_pcx_memory(file->data, file->size, &p->width, &p->height, &options,
                                        &error);
    if (!rgba) {
        snprintf(problem, 256, "%s", error.message);
        return false;
    }
    size_t size = 4 * (size_t)p->width * p->height;
    p->rgba = (uint8_t *)allocate(size, 1);
    memcpy(p->rgba, rgba, size);
    md2_free_image(rgba);
    return true;
}

/* Makes the picture opaque if alpha is 0 everywhere: some programs write such an alpha channel by mistake. */
static void drop_empty_alpha(pixels *p)
{
    size_t count = (size_t)p->width * p->height;
    for (size_t i = 0; i < count; ++i) {
        if (p->rgba[4 * i + 3] > 0) return;
    }
    for (size_t i = 0; i < count; ++i) p->rgba[4 * i + 3] = 255;
}

static bool decode(const blob *file, const char *path, pixels *p, char problem[256])
{
    if (has_extension(path, ".pcx")) return decode_pcx(file, p, problem);
    const char *why = decode_pixels(file, p);
    if (why) snprintf(problem, 256, "%s", why);
    else drop_empty_alpha(p);
    return !why;
}

bool read_picture(const char *path, glb_picture *picture, uint32_t *width, uint32_t *height,
                  char problem[256])
{
    memset(picture, 0, sizeof *picture);
    blob file = { NULL, 0, 0 };
    if (!read_blob(path, &file)) {
        snprintf(problem, 256, "the file cannot be read");
        return false;
    }

    pixels p = { NULL, 0, 0 };
    bool   is_good = true;
    picture->type = "image/png";
    if (measure_png(&file, width, height)) {
        put(&picture->file, file.data, file.size);
    } else if (measure_jpeg(&file, width, height)) {
        picture->type = "image/jpeg";
        put(&picture->file, file.data, file.size);
    } else if (decode(&file, path, &p, problem)) {
        *width = p.width;
        *height = p.height;
        picture->file = encode_pixels(&p);
    } else {
        is_good = false;
    }
    release(p.rgba);
    free_blob(&file);
    if (is_good) picture->name = stem_of(path);
    return is_good;
}

void free_picture(glb_picture *picture)
{
    release(picture->name);
    free_blob(&picture->file);
}

/* -- Finding pictures -------------------------------------------------------------------------- */

/* Returns false for a pipe, because reading it would never end. */
bool is_picture_file(void *user, const char *path)
{
    (void)user;
    return is_file(path);
}

char *find_md2_picture(const md2_model *model, const char *path)
{
    char     found[MAX_PATH_LENGTH];
    uint32_t tried = model->skin_count > 0 ? model->skin_count : 1;
    for (uint32_t i = 0; i < tried; ++i) {
        if (md2_find_skin(model, path, i, is_picture_file, NULL, found, sizeof found)) {
            return copy_text(found);
        }
    }
    const char *listed = model->skin_count > 0 ? model->skins[0].path : "";
    return find_picture_beside(path, listed, found) ? copy_text(found) : NULL;
}

char *find_md5_picture(const md5_model *model, const char *path, uint32_t mesh)
{
    char found[MAX_PATH_LENGTH];
    if (md5_find_texture(model, path, mesh, is_picture_file, NULL, found, sizeof found)) {
        return copy_text(found);
    }
    const char *listed = model->meshes[mesh].shader;
    return find_picture_beside(path, listed, found) ? copy_text(found) : NULL;
}

void copy_picture(const convert_request *request, const char *model_path, const char *picture_path, outputs *o)
{
    char *from = join_path(model_path, "", ""), *to = join_path(request->output, "", "");
    bool  is_same_folder = strcmp(from, to) == 0;
    release(from);
    release(to);
    if (is_same_folder || request->is_bare) return;

    blob file = { NULL, 0, 0 };
    if (!read_blob(picture_path, &file)) {
        note("the picture %s is left out: it cannot be read", picture_path);
        return;
    }
    char *path = join_path(request->output, file_name(picture_path), "");
    add_picture_file(o, path, &file);
    release(path);
    free_blob(&file);
}
