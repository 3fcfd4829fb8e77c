/* picture.h: RGB pictures, how far two of them are apart, and PNG files of them. picture.c needs no
   library, picture_png.c needs stb_image. Public domain. */
#ifndef PICTURE_H_INCLUDED
#define PICTURE_H_INCLUDED

#include <stdbool.h>
#include <stdint.h>

typedef struct picture {
    uint32_t width, height;
    uint8_t *rgb;                     /* top row first */
} picture;

picture picture_new(uint32_t width, uint32_t height);
void picture_free(picture *p);
const uint8_t *picture_at(const picture *p, uint32_t x, uint32_t y);

typedef struct picture_distance {
    uint32_t pixels, over;            /* over: whose worst channel is more than 8 apart */
    int      worst;
} picture_distance;

/* A pixel counts when a channel is off by more than 8: less is what another processor makes of the
   same picture. */
picture_distance picture_compare(const picture *a, const picture *b);

/* Equal, but for one pixel in a thousand. */
bool picture_alike(picture_distance d);

bool picture_write_png(const char *path, const picture *p);

/* False where there is no such file, or no picture in it. */
bool picture_read_png(const char *path, picture *p);

#endif /* PICTURE_H_INCLUDED */
