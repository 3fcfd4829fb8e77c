/* The implementation of md2.h for test_recipes.c, in the two lines of the README, and a stb_image with one picture.
   Public domain. */
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"

#define MD2_GL
#define MD2_STB_IMAGE
#include "pair.inc"
