/* pictures.c - finds and reads the pictures of models. Public domain. */
#include "mdconvert.h"
#include "../viewer/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIXELS = 1 << 26 };

typedef struct pixels {               /* red green blue alpha, top row first */
    uint8_t *rgba;
    uint32_t width, height;
} pixels;

typedef struct source {               /* a file */
    const uint8_t *data;
    size_t         size;
} source;

static uint32_t u16_at(const source *s, size_t at)
{
    if (at + 2 > s->size) return 0;
    return (uint32_t)s->data[at] | (uint32_t)s->data[at + 1] << 8;
}

static uint32_t u32_at(const source *s, size_t at)
{
    return u16_at(s, at) | u16_at(s, at + 2) << 16;
}

static uint32_t u16_big_at(const source *s, size_t at)
{
    uint32_t x = u16_at(s, at);
    return x >> 8 | (x & 255) << 8;
}

static bool begin_pixels(pixels *p, uint32_t width, uint32_t height)
{
    if (width == 0 || height == 0 || width > MOST_PIXELS / height) return false;
    p->width = width;
    p->height = height;
    p->rgba = (uint8_t *)allocate((size_t)width * height, 4);
    return true;
}

/* Four bytes of a colour as TGA and BMP store it: 8 (grey), 15, 16, 24 or 32 bits, blue first. */
static void set_colour(uint8_t *rgba, const uint8_t *stored, uint32_t bits)
{
    if (bits == 8) {
        rgba[0] = rgba[1] = rgba[2] = stored[0];
    } else if (bits < 24) {
        uint32_t five = (uint32_t)stored[0] | (uint32_t)stored[1] << 8;
        for (uint32_t k = 0; k < 3; ++k) {
            rgba[k] = (uint8_t)((five >> (10 - 5 * k) & 31) * 255 / 31);
        }
    } else {
        for (uint32_t k = 0; k < 3; ++k) rgba[k] = stored[2 - k];
    }
    rgba[3] = bits == 32 ? stored[3] : 255;
}

/* -- TGA --------------------------------------------------------------------------------------- */

typedef struct tga {
    source   file;
    size_t   at, palette;             /* offsets of the next pixel and of the palette */
    uint32_t type, bits, palette_bits, palette_first, palette_count;
    uint32_t run;                     /* pixels left of a packet */
    bool     repeats;                 /* the packet has one pixel */
    uint8_t  last[4];
} tga;

enum { TGA_HEADER = 18, INDEXED = 1, COLOUR = 2, GREY = 3, PACKED = 8 };

static bool read_tga_pixel(tga *t, uint8_t rgba[4])
{
    size_t size = (t->bits + 7) / 8;
    if (t->at + size > t->file.size) return false;

    const uint8_t *stored = t->file.data + t->at;
    t->at += size;
    if ((t->type & 7) != INDEXED) {
        set_colour(rgba, stored, t->bits);
        return true;
    }

    uint32_t index = size == 1 ? stored[0] : (uint32_t)stored[0] | (uint32_t)stored[1] << 8;
    size_t   entry_size = (t->palette_bits + 7) / 8;
    if (index < t->palette_first || index - t->palette_first >= t->palette_count) return false;
    size_t   entry = t->palette + (index - t->palette_first) * entry_size;
    if (entry + entry_size > t->file.size) return false;
    set_colour(rgba, t->file.data + entry, t->palette_bits);
    return true;
}

static bool next_tga_pixel(tga *t, uint8_t rgba[4])
{
    if (!(t->type & PACKED)) return read_tga_pixel(t, rgba);

    bool begins = t->run == 0;
    if (begins) {
        if (t->at >= t->file.size) return false;
        uint32_t packet = t->file.data[t->at++];
        t->run = (packet & 127) + 1;
        t->repeats = packet >= 128;
    }
    --t->run;
    if ((begins || !t->repeats) && !read_tga_pixel(t, t->last)) return false;
    memcpy(rgba, t->last, 4);
    return true;
}

static bool is_tga_colour(uint32_t bits)
{
    return bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

/* It has no mark of its own, so everything in the header has to make sense. */
static bool begin_tga(tga *t, const source *file)
{
    memset(t, 0, sizeof *t);
    if (file->size < TGA_HEADER) return false;
    t->file = *file;
    t->type = file->data[2];
    t->bits = file->data[16];
    t->palette = TGA_HEADER + (size_t)file->data[0];
    t->palette_first = u16_at(file, 3);
    t->palette_count = file->data[1] == 1 ? u16_at(file, 5) : 0;
    t->palette_bits = file->data[7];
    t->at = t->palette + (size_t)t->palette_count * ((t->palette_bits + 7) / 8);
    if (file->data[1] > 1 || (t->type & ~(uint32_t)PACKED) > GREY) return false;

    switch (t->type & 7) {
        case INDEXED: return (t->bits == 8 || t->bits == 16) && is_tga_colour(t->palette_bits);
        case COLOUR:  return is_tga_colour(t->bits);
        case GREY:    return t->bits == 8;
        default:      return false;
    }
}

static bool decode_tga(const source *file, pixels *p)
{
    tga t;
    if (!begin_tga(&t, file)) return false;
    if (!begin_pixels(p, u16_at(file, 12), u16_at(file, 14))) return false;

    bool from_top = (file->data[17] & 0x20) != 0;
    bool from_right = (file->data[17] & 0x10) != 0;
    for (uint32_t y = 0; y < p->height; ++y) {
        uint32_t row = from_top ? y : p->height - 1 - y;
        for (uint32_t x = 0; x < p->width; ++x) {
            uint32_t column = from_right ? p->width - 1 - x : x;
            uint8_t *rgba = p->rgba + 4 * ((size_t)row * p->width + column);
            if (!next_tga_pixel(&t, rgba)) return false;
        }
    }
    return true;
}

/* -- BMP --------------------------------------------------------------------------------------- */

static bool decode_bmp(const source *file, pixels *p)
{
    enum { DIB = 14, SMALLEST = 54 };
    if (file->size < SMALLEST) return false;
    uint32_t bits = u16_at(file, 28), packing = u32_at(file, 30);
    bool     is_plain = packing == 0 || (packing == 3 && bits == 32);
    bool     is_known = bits == 8 || bits == 24 || bits == 32;
    if (!is_plain || !is_known) return false;

    /* A negative height has the top row first. */
    uint32_t height = u32_at(file, 22);
    bool     from_top = height >> 31 != 0;
    if (from_top) height = 0 - height;
    if (!begin_pixels(p, u32_at(file, 18), height)) return false;

    size_t row_size = ((size_t)p->width * bits + 31) / 32 * 4;
    size_t start = u32_at(file, 10);
    size_t palette = DIB + (size_t)u32_at(file, DIB);
    if (start > file->size || row_size * p->height > file->size - start) return false;
    for (uint32_t y = 0; y < p->height; ++y) {
        const uint8_t *row = file->data + start + row_size * (from_top ? y : p->height - 1 - y);
        for (uint32_t x = 0; x < p->width; ++x) {
            const uint8_t *stored = row + (size_t)x * bits / 8;
            uint8_t       *rgba = p->rgba + 4 * ((size_t)y * p->width + x);
            if (bits == 8) {
                size_t entry = palette + 4 * (size_t)*stored;
                if (entry + 4 > start) return false;
                stored = file->data + entry;
            }
            set_colour(rgba, stored, 24);
        }
    }
    return true;
}

/* -- PNG and JPEG, which stay as they are ------------------------------------------------------ */

static bool measure_png(const source *file, uint32_t *width, uint32_t *height)
{
    if (file->size < 33 || memcmp(file->data, "\x89PNG\r\n\x1a\n", 8) != 0) return false;
    *width = u16_big_at(file, 16) << 16 | u16_big_at(file, 18);
    *height = u16_big_at(file, 20) << 16 | u16_big_at(file, 22);
    return true;
}

static bool measure_jpeg(const source *file, uint32_t *width, uint32_t *height)
{
    if (file->size < 4 || memcmp(file->data, "\xff\xd8\xff", 3) != 0) return false;

    for (size_t at = 2; at + 9 < file->size;) {
        uint32_t mark = file->data[at + 1];
        if (file->data[at] != 0xff) return false;
        if (mark == 0xff) {           /* a filler */
            ++at;
            continue;
        }
        bool is_frame = mark >= 0xc0 && mark <= 0xcf && mark != 0xc4 && mark != 0xc8 &&
            mark != 0xcc;
        if (is_frame) {
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
    source s = { file->data, file->size };
    if (!measure_png(&s, width, height)) measure_jpeg(&s, width, height);
}

/* -- Reading ----------------------------------------------------------------------------------- */

static bool decode(const source *file, const char *path, pixels *p, char problem[256])
{
    bool is_bmp = file->size > 2 && memcmp(file->data, "BM", 2) == 0;
    if (is_bmp && decode_bmp(file, p)) return true;
    if (has_extension(path, ".tga") && decode_tga(file, p)) return true;
    if (has_extension(path, ".pcx")) {
        md2_options options;
        md2_error   error;
        memset(&options, 0, sizeof options);
        uint8_t *rgba = md2_load_pcx_memory(file->data, file->size, &p->width, &p->height, &options,
                                            &error);
        if (rgba && begin_pixels(p, p->width, p->height)) {
            memcpy(p->rgba, rgba, (size_t)p->width * p->height * 4);
        }
        if (rgba) md2_free_image(rgba, p->width, p->height, &options);
        if (p->rgba) return true;
        snprintf(problem, 256, "%s", error.message);
        return false;
    }
    snprintf(problem, 256, "it is no PNG, JPEG, PCX, TGA or plain BMP, or it is damaged");
    return false;
}

/* Alpha that is the same everywhere tells nothing, and some programs leave it at 0. */
static blob encode(const pixels *p)
{
    size_t count = (size_t)p->width * p->height;
    bool   has_alpha = false;
    for (size_t i = 1; i < count; ++i) {
        if (p->rgba[4 * i + 3] != p->rgba[3]) has_alpha = true;
    }
    if (has_alpha) return write_png(p->rgba, p->width, p->height, 4);

    for (size_t i = 0; i < count; ++i) memmove(p->rgba + 3 * i, p->rgba + 4 * i, 3);
    return write_png(p->rgba, p->width, p->height, 3);
}

bool read_picture(const char *path, glb_picture *picture, uint32_t *width, uint32_t *height,
                  char problem[256])
{
    memset(picture, 0, sizeof *picture);
    blob content = { NULL, 0, 0 };
    if (!read_blob(path, &content)) {
        snprintf(problem, 256, "it cannot be read");
        return false;
    }
    source file = { content.data, content.size };

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
        picture->file = encode(&p);
    } else {
        is_good = false;
    }
    free(p.rgba);
    free_blob(&content);
    if (is_good) picture->name = stem_of(path);
    return is_good;
}

void free_picture(glb_picture *picture)
{
    free(picture->name);
    free_blob(&picture->file);
}

/* -- Finding ----------------------------------------------------------------------------------- */

static char *copy_path(const char *path)
{
    char *copy = (char *)allocate(strlen(path) + 1, 1);
    memcpy(copy, path, strlen(path));
    return copy;
}

char *find_md2_picture(const md2_model *model, const char *path)
{
    char     found[MAX_PATH_LENGTH];
    uint32_t tried = model->skin_count > 0 ? model->skin_count : 1;
    for (uint32_t i = 0; i < tried; ++i) {
        if (md2_find_skin(model, path, i, NULL, NULL, found, sizeof found)) {
            return copy_path(found);
        }
    }
    const char *listed = model->skin_count > 0 ? model->skins[0].path : "";
    return find_picture_beside(path, listed, found) ? copy_path(found) : NULL;
}

char *find_md5_picture(const md5_model *model, const char *path, uint32_t mesh)
{
    char found[MAX_PATH_LENGTH];
    if (md5_find_texture(model, path, mesh, NULL, NULL, found, sizeof found)) {
        return copy_path(found);
    }
    const char *listed = model->meshes[mesh].shader;
    return find_picture_beside(path, listed, found) ? copy_path(found) : NULL;
}
