/* Both headers after the include guards and macros of other programs' loaders, whose values must stay unchanged, and
   after the words that programs in the style of Handmade Hero define for `static`. */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__) && !defined(__TINYC__)
  #include <emmintrin.h>
#endif

#define internal static
#define global static
#define local_persist static

#define MD2_H
#define MD2_MODEL_H
#define MD2_MODEL_H_INCLUDED
#define MD2_MAGIC 0x32504449
#define MD2_IDENT 844121161
#define MD2_VERSION 8
#define MD2_HEADER_VERSION 8
#define MD2_MAX_TRIANGLES 4096
#define MD2_MAX_VERTICES 2048
#define MD2_MAX_VERTS 2048
#define MD2_MAX_FRAMES 512
#define MD2_MAX_SKINS 32
#define MD2_MAX_SKINNAME 64
#define MD2_NUMVERTEXNORMALS 162

#define MD5_H
#define MD5_MODEL_H
#define MD5_MODEL_H_INCLUDED
#define MD5_IDENTSTRING "MD5Version"
#define MD5_VERSION 10
#define MD5_VERSION_STRING "MD5Version"
#define MD5_VERSION_TAG "MD5Version"
#define MD5_COMMANDLINE_TAG "commandline"
#define MD5_MESH_TAG "mesh"
#define MD5_MESH_EXT "md5mesh"
#define MD5_ANIM_EXT "md5anim"
#define MD5_ANIM_FRAME "frame"
#define MD5_ANIM_BOUNDS "bounds"

int run_both(void);
#define main run_both
#include "both.c"
#undef main

int main(void)
{
    return run_both() || MD2_VERSION != 8 || MD5_VERSION != 10 || MD2_LIBRARY_VERSION != MD5_LIBRARY_VERSION;
}
