/* codecs.c - decodes and encodes pictures with stb_image, stb_image_write and stb_rect_pack. Public domain. */
#include "codecs.h"

#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#include <stb/stb_rect_pack.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 16384 };

const char *decode_pixels(const blob *file, pixels *out)
{
    static const char other[] = "the file is not a PCX, PNG, JPEG, TGA or BMP, or it is damaged";
    int               width, height, channels;
    memset(out, 0, sizeof *out);
    if (file->size == 0 || file->size > INT_MAX) return other;
    int size = (int)file->size;
    if (!stbi_info_from_memory(file->data, size, &width, &height, &channels)) return other;
    if (width <= 0 || height <= 0) return other;

    /* stb_image needs twice the memory of the picture. */
    const int most = 4 * MAX_PIXELS / (stbi_is_16_bit_from_memory(file->data, size) ? 2 : 1);
    if (width > most / height) return "the picture is larger than 8,192 by 8,192 pixels of 8 bits";

    uint8_t *rgba = stbi_load_from_memory(file->data, size, &width, &height, &channels, 4);
    if (!rgba) return other;

    out->rgba = rgba;
    out->width = (uint32_t)width;
    out->height = (uint32_t)height;
    shrink_pixels(out, MAX_PIXELS);
    return NULL;
}

static void put_bytes(void *file, void *data, int size)
{
    put((blob *)file, data, (size_t)size);
}

static bool has_alpha(const pixels *p)
{
    size_t count = (size_t)p->width * p->height;
    for (size_t i = 0; i < count; ++i) {
        if (p->rgba[4 * i + 3] < 255) return true;
    }
    return false;
}

blob encode_pixels(const pixels *p)
{
    blob    file = { NULL, 0, 0 };
    int     channels = has_alpha(p) ? 4 : 3, width = (int)p->width;
    size_t  count = (size_t)p->width * p->height;
    uint8_t *rows = (uint8_t *)allocate(count, (size_t)channels);
    for (size_t i = 0; i < count; ++i) {
        memcpy(rows + (size_t)channels * i, p->rgba + 4 * i, (size_t)channels);
    }
    stbi_write_png_to_func(put_bytes, &file, width, (int)p->height, channels, rows,
                           width * channels);
    release(rows);
    return file;
}

/* Packs the rectangles into a picture of the given width. Returns its height, or 0 if it would be too high. */
static uint32_t pack_to_width(stbrp_rect *list, uint32_t count, uint32_t width)
{
    stbrp_context context;
    stbrp_node   *nodes = (stbrp_node *)allocate(width, sizeof *nodes);
    stbrp_init_target(&context, (int)width, MAX_SIDE, nodes, (int)width);
    bool     fits = stbrp_pack_rects(&context, list, (int)count) != 0;
    uint32_t height = 0;
    for (uint32_t i = 0; i < count && fits; ++i) {
        uint32_t end = (uint32_t)(list[i].y + list[i].h);
        if (end > height) height = end;
    }
    release(nodes);
    return height;
}

/* Tries widths from that of a square upward. Returns the width that needs the least area; 0 if none fits. */
static uint32_t find_width(stbrp_rect *rects, uint32_t count)
{
    double   area = 0, least = HUGE_VAL;
    uint32_t widest = 1, best = 0;
    for (uint32_t i = 0; i < count; ++i) {
        area += (double)rects[i].w * rects[i].h;
        if ((uint32_t)rects[i].w > widest) widest = (uint32_t)rects[i].w;
    }
    for (double width = sqrt(area); width <= 4 * sqrt(area) + widest; width *= 1.1) {
        uint32_t whole = width < widest ? widest : (uint32_t)width;
        uint32_t height = whole <= MAX_SIDE ? pack_to_width(rects, count, whole) : 0;
        if (height == 0 || !((double)whole * height < 0.97 * least)) continue;
        least = (double)whole * height;
        best = whole;
    }
    return best;
}

bool pack_rectangles(rectangle *list, uint32_t count, uint32_t *width, uint32_t *height)
{
    stbrp_rect *rects = (stbrp_rect *)allocate(count, sizeof *rects);
    for (uint32_t i = 0; i < count; ++i) {
        rects[i].w = (stbrp_coord)list[i].width;
        rects[i].h = (stbrp_coord)list[i].height;
    }
    *width = find_width(rects, count);
    *height = *width > 0 ? pack_to_width(rects, count, *width) : 0;
    for (uint32_t i = 0; i < count; ++i) {
        list[i].x = (uint32_t)rects[i].x;
        list[i].y = (uint32_t)rects[i].y;
    }
    release(rects);
    return *width > 0;
}
