/* codecs.h - pictures as pixels, by stb. What a program without stb links has stand-ins for these.
   Public domain. */
#ifndef CODECS_H_INCLUDED
#define CODECS_H_INCLUDED

#include "convert.h"

typedef struct pixels {               /* red green blue alpha, top row first; free rgba */
    uint8_t *rgba;
    uint32_t width, height;
} pixels;

typedef struct rectangle {            /* to be packed beside others */
    uint32_t x, y, width, height;
} rectangle;

pixels make_pixels(uint32_t width, uint32_t height);
enum { MAX_PIXELS = 1 << 24 };       /* 4,096 by 4,096 */

/* Whatever stb_image reads: PNG, JPEG, TGA, BMP and others. One of more than MAX_PIXELS is halved, from
   8,192 by 8,192 on it is refused. Returns NULL; or why it is not read, as "it is ...", and no pixels. */
const char *decode_pixels(const blob *file, pixels *out);
/* Halves a picture, along its longer side first, until it has no more than so many pixels (pictures.c). */
void        shrink_pixels(pixels *p, size_t most);
/* PNG; without alpha if all of it is 255. */
blob   encode_pixels(const pixels *p);
/* Sets x and y of all, and the size of a picture that holds them. False if that would be larger
   than 16,384 pixels on a side. */
bool   pack_rectangles(rectangle *list, uint32_t count, uint32_t *width, uint32_t *height);

#endif /* CODECS_H_INCLUDED */
