/* render_md5.c: one square, its textures and programs, and crowds, for md5.h. Public domain. */
#include "render.h"

#include <stb/stb_image_write.h>

md5_model *md5_square(uint32_t flags)
{
    m5_text text = { NULL, 0, 0 };
    m5_put_text(&text, "MD5Version 10 numJoints 1 numMeshes 1 joints { j -1 ( 0 0 0 ) ( 0 0 0 ) }\n"
                       "mesh { shader gl_square numverts 4 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1\n"
                       "vert 2 ( 1 1 ) 2 1 vert 3 ( 0 1 ) 3 1 numtris 2 tri 0 0 1 2 tri 1 0 2 3\n"
                       "numweights 4 weight 0 0 1 ( 0 -1 1 ) weight 1 0 1 ( 0 1 1 )\n"
                       "weight 2 0 1 ( 0 1 -1 ) weight 3 0 1 ( 0 -1 -1 ) }");
    return md5_from_text(&text, flags);
}

#define create            md5_create
#define upload            md5_upload
#define square            md5_square
#define square_tests      md5_square_tests
#define UPLOAD            md5_gl_upload
#define LOAD_TEXTURE      md5_gl_load_texture
#define MODEL_FILE        "gl_square.md5mesh"
#define CAPTURED          5
#include "tests/both/names_md5.h"
#include "render_both.h"
