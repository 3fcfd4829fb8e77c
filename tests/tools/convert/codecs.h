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
/* Whatever stb_image reads: PNG, JPEG, TGA, BMP and others, up to 4,096 by 4,096 pixels. Returns
   NULL, or what keeps it from being read, as "it is ...". */
const char *decode_pixels(const blob *file, pixels *out);
/* PNG; without alpha if all of it is 255. */
blob   encode_pixels(const pixels *p);
/* Sets x and y of all, and the size of a picture that holds them. False if that would be larger
   than 16,384 pixels on a side. */
bool   pack_rectangles(rectangle *list, uint32_t count, uint32_t *width, uint32_t *height);

#endif /* CODECS_H_INCLUDED */
