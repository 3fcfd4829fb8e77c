/* The implementation of md2.h that test_recipes.c is linked with, by the two lines of the README; and
   a stb_image that knows one picture. Public domain. */
#include "recipes.h"

static unsigned char *stbi_load_from_memory(const unsigned char *data, int size, int *width,
                                            int *height, int *channels, int wanted)
{
    unsigned char *pixels = (unsigned char *)malloc(4);
    if (pixels && size > 8 && data[1] == 'P' && wanted == 4) memset(pixels, 255, 4);
    *width = *height = 1;
    *channels = 4;
    return pixels;
}

static void stbi_image_free(void *pixels) { free(pixels); }

#define MD2_GL
#define MD2_STB_IMAGE
#include "pair.inc"
