/* The implementation of md2.h that test_recipes.c is linked with, by the two lines of the README; and
   a stb_image that knows one picture. Public domain. */
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"

#define MD2_GL
#define MD2_STB_IMAGE
#include "pair.inc"
