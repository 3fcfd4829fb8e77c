/* stb.c - the code of stb_image, stb_image_write and stb_rect_pack, which are a library only in Debian. Public
   domain. */
#include "convert.h"

#define STBI_MALLOC(size)          allocate(size, 1)
#define STBI_REALLOC(block, size)  reallocate(block, size)
#define STBI_FREE(block)           release(block)
#define STBIW_MALLOC(size)         allocate(size, 1)
#define STBIW_REALLOC(block, size) reallocate(block, size)
#define STBIW_FREE(block)          release(block)

#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>
#define STB_RECT_PACK_IMPLEMENTATION
#include <stb/stb_rect_pack.h>
