/* render_md2.c: one square, its textures and programs, and crowds, for md2.h. Public domain. */
#include "render.h"

#include <stb/stb_image_write.h>

/* Texture coordinates are half a texel inside the picture's edges; the skin is so large that this is not visible. */
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

#define create            md2_create
#define upload            md2_upload
#define square            md2_square
#define square_tests      md2_square_tests
#define UPLOAD(gl, model, number, mesh, error) \
    ((void)(number), md2_gl_upload(gl, model, mesh, error))
#define LOAD_TEXTURE      md2_gl_load_skin
#define MODEL_FILE        "gl_square.md2"
#define CAPTURED          4
#include "tests/both/names_md2.h"
#include "render_both.h"
