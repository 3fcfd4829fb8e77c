/* codecs.h - decodes and encodes pictures with stb. Programs without stb define these functions
   themselves. Public domain. */
#ifndef CODECS_H_INCLUDED
#define CODECS_H_INCLUDED

#include "convert.h"

typedef struct pixels {               /* red green blue alpha, top row first; free rgba */
    uint8_t *rgba;
    uint32_t width, height;
} pixels;

typedef struct rectangle {            /* a rectangle to be packed together with others */
    uint32_t x, y, width, height;
} rectangle;

pixels make_pixels(uint32_t width, uint32_t height); /* transparent (pictures.c) */
enum { MAX_PIXELS = 1 << 24 };        /* 4,096 by 4,096 pixels */

/* Decodes any format that stb_image reads: PNG, JPEG, TGA, BMP and others. Pictures of more than
   MAX_PIXELS are halved until they fit; pictures larger than 8,192 by 8,192 are rejected. Returns
   NULL, or the reason if the picture cannot be read. */
const char *decode_pixels(const blob *file, pixels *out);
/* Halves the longer side of a picture until it has at most `most` pixels (pictures.c). */
void        shrink_pixels(pixels *p, size_t most);
double srgb_to_linear(uint8_t x);     /* the result is 0 to 1 (pictures.c) */
/* Encodes a PNG, without an alpha channel if the picture is opaque. */
blob   encode_pixels(const pixels *p);
/* Sets x and y of all rectangles, and the size of the picture that contains them. Returns false if
   the picture would be larger than 16,384 pixels on a side. */
bool   pack_rectangles(rectangle *list, uint32_t count, uint32_t *width, uint32_t *height);

#endif /* CODECS_H_INCLUDED */
