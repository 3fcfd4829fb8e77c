/* test_codecs.c - replaces codecs.c in tests, which must not need stb. A picture is the first 33 bytes of a PNG, which
   contain its size, followed by its uncompressed pixels. Public domain. */
#include "codecs.h"

#include <string.h>

enum { HEADER = 33 };

static const uint8_t signature[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13 };

const char *decode_pixels(const blob *file, pixels *out)
{
    memset(out, 0, sizeof *out);
    if (file->size < HEADER || memcmp(file->data, signature, sizeof signature) != 0) return "the file is not a picture";
    uint32_t width = 0, height = 0;
    for (int i = 0; i < 4; ++i) {
        width = width << 8 | file->data[16 + i];
        height = height << 8 | file->data[20 + i];
    }
    size_t size = 4 * (size_t)width * height;
    if (file->size != HEADER + size) return "the file is damaged";

    out->width = width;
    out->height = height;
    out->rgba = (uint8_t *)allocate(size, 1);
    memcpy(out->rgba, file->data + HEADER, size);
    return NULL;
}

blob encode_pixels(const pixels *p)
{
    blob file = { NULL, 0, 0 };
    put(&file, signature, sizeof signature);
    put_text(&file, "IHDR");
    put_u32_big(&file, p->width);
    put_u32_big(&file, p->height);
    while (file.size < HEADER) put_byte(&file, 0);
    put(&file, p->rgba, 4 * (size_t)p->width * p->height);
    return file;
}

/* Puts all rectangles into one column. */
bool pack_rectangles(rectangle *list, uint32_t count, uint32_t *width, uint32_t *height)
{
    *width = *height = 0;
    for (uint32_t i = 0; i < count; ++i) {
        list[i].x = 0;
        list[i].y = *height;
        *height += list[i].height;
        if (list[i].width > *width) *width = list[i].width;
    }
    return true;
}
