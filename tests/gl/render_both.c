/* render_both.c: one square, its textures and programs, and crowds, for both libraries. Public domain. */
#include "render.h"

#include <stb/stb_image_write.h>

/* A texture coordinate is half a texel off the picture's edge: of so many that it does not show. */
md2_model *md2_square(uint32_t flags)
{
    static const int corners[4][4] = {
        { 0, 255, 0, 0 }, { 255, 255, 32000, 0 }, { 255, 0, 32000, 32000 }, { 0, 0, 0, 32000 }
    };
    static const uint16_t order[6] = { 0, 1, 2, 0, 2, 3 }; /* clockwise from +X */
    m2_file f;
    m2_begin(&f, 0, 4, 4, 2, 0, 1);
    m2_frame(&f, 0, "flat", 2.0f / 255, -1.0f);
    f.skin_width = f.skin_height = 32000;
    f.frames[0].scale[0] = 0;
    f.frames[0].translate[0] = 0;
    for (uint32_t i = 0; i < 4; ++i) {
        m2_set_point(&f, 0, i, 0, corners[i][0], corners[i][1], 52);
        f.st[i * 2] = (int16_t)corners[i][2];
        f.st[i * 2 + 1] = (int16_t)corners[i][3];
    }
    for (uint32_t i = 0; i < 6; ++i)
        f.tris[i / 3 * 6 + i % 3] = f.tris[i / 3 * 6 + 3 + i % 3] = order[i];
    return md2_from_bytes(m2_write(&f), flags);
}

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

#define LIB(name)         md2_##name
#define OPTION(name)      MD2_##name
#define UPLOAD(gl, model, number, mesh, error) \
    ((void)(number), md2_gl_upload(gl, model, mesh, error))
#define LOAD_TEXTURE      md2_gl_load_skin
#define MODEL_FILE        "gl_square.md2"
#define CAPTURED          4
#include "render_both.h"

#define LIB(name)         md5_##name
#define OPTION(name)      MD5_##name
#define UPLOAD            md5_gl_upload
#define LOAD_TEXTURE      md5_gl_load_texture
#define MODEL_FILE        "gl_square.md5mesh"
#define CAPTURED          5
#include "render_both.h"
