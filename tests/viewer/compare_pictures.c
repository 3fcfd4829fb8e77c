/* compare_pictures A B [PERCENT [BLOCK]]: compares two pictures of one size, or, with BLOCK, the
   means of their squares of BLOCK by BLOCK pixels. Prints one line, like
       12 of 1024000 pixels (0.0012 %) differ by more than 8, the worst by 31
   and ends with 0 if these are at most PERCENT (0.1) of all, with 1 if they are more, and with 2
   if a picture cannot be read or the sizes differ. Public domain. */
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

#include "picture.h"

#include <stdio.h>
#include <stdlib.h>

static picture read_picture(const char *path, uint32_t block)
{
    int      width = 0, height = 0;
    uint8_t *rgb = stbi_load(path, &width, &height, NULL, 3);
    picture  p = { 0, 0, NULL };
    if (!rgb) {
        fprintf(stderr, "compare_pictures: %s: %s\n", path, stbi_failure_reason());
        exit(2);
    }
    p = picture_new((uint32_t)width / block, (uint32_t)height / block);
    for (uint32_t i = 0; i < p.width * p.height * 3; ++i) {
        uint32_t x = i / 3 % p.width * block, y = i / 3 / p.width * block, sum = 0;
        for (uint32_t k = 0; k < block * block; ++k) {
            sum += rgb[((y + k / block) * (uint32_t)width + x + k % block) * 3 + i % 3];
        }
        p.rgb[i] = (uint8_t)(sum / (block * block));
    }
    stbi_image_free(rgb);
    return p;
}

int main(int argc, char **argv)
{
    double   limit = argc > 3 ? strtod(argv[3], NULL) : 0.1, percent;
    uint32_t block = argc > 4 ? (uint32_t)atoi(argv[4]) : 1;
    if (argc < 3 || argc > 5 || block < 1) {
        fprintf(stderr, "usage: compare_pictures A B [PERCENT [BLOCK]]\n");
        return 2;
    }
    picture a = read_picture(argv[1], block), b = read_picture(argv[2], block);
    if (a.width != b.width || a.height != b.height) {
        printf("%ux%u and %ux%u\n", (unsigned)a.width, (unsigned)a.height, (unsigned)b.width,
               (unsigned)b.height);
        return 2;
    }
    picture_distance d = picture_compare(&a, &b);
    percent = 100.0 * d.over / d.pixels;
    printf("%u of %u pixels (%.4f %%) differ by more than 8, the worst by %d\n", (unsigned)d.over,
           (unsigned)d.pixels, percent, d.worst);
    picture_free(&a);
    picture_free(&b);
    return percent > limit;
}
