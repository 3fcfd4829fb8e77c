/* The functions of stb_image that the programs of the README need. Every PNG is one white pixel; every other file is
   one pixel of zeros. Public domain. */
#ifndef STB_IMAGE_IMPLEMENTATION
  #error "no file of the program defines STB_IMAGE_IMPLEMENTATION"
#endif

#define STBI_INCLUDE_STB_IMAGE_H

#include <stdlib.h>
#include <string.h>

static unsigned char *stbi_load_from_memory(const unsigned char *data, int size, int *width,
                                            int *height, int *channels, int wanted)
{
    unsigned char *pixels = (unsigned char *)malloc(4);
    if (pixels) memset(pixels, size > 8 && data[1] == 'P' && wanted == 4 ? 255 : 0, 4);
    *width = *height = 1;
    *channels = 4;
    return pixels;
}

static void stbi_image_free(void *pixels) { free(pixels); }
static const char *stbi_failure_reason(void) { return NULL; }
