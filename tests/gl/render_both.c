/* render_both.c: one square, and fragment shaders of one's own, for both libraries. Public domain. */
#include "render.h"
#include "md2.h"
#include "md5.h"

#include <stb/stb_image_write.h>

md2_model *md2_from_table(const char *name, uint32_t flags)
{
    m2_bytes bytes = m2_named(name);
    return md2_from_bytes(&bytes, flags);
}

/* A square of y and z from -1 to 1 that faces +X, the texture once over it: its first texel at the
   upper left. Its corners are those of texels, so it is loaded by whole ones. */
md2_model *md2_square(uint32_t flags)
{
    static const int corners[4][4] = {
        { 0, 255, 0, 0 }, { 255, 255, 64, 0 }, { 255, 0, 64, 64 }, { 0, 0, 0, 64 }
    };
    static const uint16_t order[6] = { 0, 1, 2, 0, 2, 3 }; /* clockwise from +X */
    m2_bytes bytes;
    m2_file f;
    uint32_t i;
    m2_begin(&f, 0, 4, 4, 2, 0, 1);
    m2_frame(&f, 0, "flat", 2.0f / 255, -1.0f);
    f.frames[0].scale[0] = 0;
    f.frames[0].translate[0] = 0;
    for (i = 0; i < 4; ++i) {
        m2_set_point(&f, 0, i, 0, corners[i][0], corners[i][1], 52);
        f.st[i * 2] = (int16_t)corners[i][2];
        f.st[i * 2 + 1] = (int16_t)corners[i][3];
    }
    for (i = 0; i < 6; ++i) f.tris[i / 3 * 6 + i % 3] = f.tris[i / 3 * 6 + 3 + i % 3] = order[i];
    bytes = m2_write(&f);
    m2_end(&f);
    return md2_from_bytes(&bytes, flags ^ MD2_WHOLE_TEXEL);
}

/* A square of y and z from -1 to 1 that faces +X, the texture once over it. */
md5_model *md5_square(uint32_t flags)
{
    m5_text text;
    memset(&text, 0, sizeof text);
    m5_put(
        &text,
        "MD5Version 10\ncommandline \"\"\n\nnumJoints 1\nnumMeshes 1\n\njoints {\n"
        "\t\"origin\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n\nmesh {\n\tshader \"gl_square\"\n\n\tnumverts 4\n"
        "\tvert 0 ( 0 0 ) 0 1\n\tvert 1 ( 1 0 ) 1 1\n\tvert 2 ( 1 1 ) 2 1\n\tvert 3 ( 0 1 ) 3 "
        "1\n\n");
    m5_put(&text, "\tnumtris 2\n\ttri 0 0 1 2\n\ttri 1 0 2 3\n\n\tnumweights 4\n"
                  "\tweight 0 0 1 ( 0 -1 1 )\n\tweight 1 0 1 ( 0 1 1 )\n\tweight 2 0 1 ( 0 1 -1 )\n"
                  "\tweight 3 0 1 ( 0 -1 -1 )\n}\n");
    return md5_from_text(&text, flags);
}

#define LIB(name)         md2_##name
#define OPTION(name)      MD2_##name
#define NAME              "md2"
#define UPLOAD(gl, model, number, mesh, error) \
    ((void)(number), md2_gl_upload(gl, model, mesh, error))
#define LOAD_TEXTURE      md2_gl_load_skin
#define MODEL_FILE        "gl_square.md2"
#define WHOLE_TEXEL_FLAG   MD2_WHOLE_TEXEL
#include "render_both.h"

#define LIB(name)         md5_##name
#define OPTION(name)      MD5_##name
#define NAME              "md5"
#define UPLOAD            md5_gl_upload
#define LOAD_TEXTURE      md5_gl_load_texture
#define MODEL_FILE        "gl_square.md5mesh"
#define WHOLE_TEXEL_FLAG   0
#include "render_both.h"

/* -- Your own fragment shader ---------------------------------------------- */

/* A pixel of the three float targets. */
static void read_targets(int x, int y, float got[3][4])
{
    int i;
    for (i = 0; i < 3; ++i) {
        glReadBuffer(GL_COLOR_ATTACHMENT0 + (GLenum)i);
        glReadPixels(x, y, 1, 1, GL_RGBA, GL_FLOAT, got[i]);
    }
    glReadBuffer(GL_COLOR_ATTACHMENT0);
}

/* The documented inputs arrive in a fragment shader of one's own, the tangent too. */
void md5_test_own_shader(void)
{
    static const char own[] = "in vec3 v_position;\nin vec3 v_normal;\nin vec4 v_tangent;\nin vec2 "
                              "v_texcoord;\nin vec4 v_tint;\n"
                              "layout(location = 0) out vec4 a;\nlayout(location = 1) out vec4 "
                              "b;\nlayout(location = 2) out vec4 c;\n"
                              "void main() {\n    a = vec4(v_position, v_tint.x);\n    b = "
                              "vec4(v_normal, v_texcoord.x);\n    c = v_tangent;\n}\n";
    md5_gl_options options;
    md5_gl_instance instance;
    md5_gl_scene scene = md5_scene_of(0, 0, 0, 0);
    md5_gl_mesh mesh;
    md5_model *model = md5_square(0);
    gl_target target;
    md5_gl *gl;
    float got[3][4];
    int mirrored;
    check_section("md5: a fragment shader of one's own");
    memset(&options, 0, sizeof options);
    options.fragment_source = own;
    gl = md5_create(&options);
    CHECK(gl_target_open(&target, 32, 32, 3, GL_RGBA32F));
    front_view(scene.view_projection);
    CHECK(md5_upload(gl, model, 0, &mesh));
    for (mirrored = 0; mirrored < 2; ++mirrored) {
        memset(&instance, 0, sizeof instance);
        identity(instance.transform);
        instance.transform[5] =
            mirrored ? -1.0f : 1.0f; /* y to -y: the texture runs the other way */
        instance.tint[0] = 0.75f;
        clear(0, 0, 0);
        md5_gl_draw(gl, &mesh, 0, &scene, &instance, 1);
        read_targets(8, 24, got);
        CHECK_NEAR(got[0][1], 8.5 / 16 - 1, 1e-4);
        CHECK_NEAR(got[0][2], 24.5 / 16 - 1, 1e-4);
        CHECK_NEAR(got[0][3], 0.75, 1e-6);
        CHECK_NEAR(got[1][0], 1, 1e-5);
        CHECK_NEAR(got[1][3], mirrored ? 1 - 8.5 / 32 : 8.5 / 32, 1e-4);
        CHECK_NEAR(got[2][1], mirrored ? -1 : 1, 1e-5); /* u grows that way */
        CHECK_NEAR(fabs((double)got[2][3]), 1, 1e-6);
        CHECK_NEAR(got[2][3] * model->meshes[0].vertices[0].tangent[3], mirrored ? -1 : 1, 1e-6);
    }
    md5_gl_free_mesh(gl, &mesh);
    md5_destroy(gl);
    gl_target_close(&target);
    md5_free_model(model);
    expect_no_error("own shader");
}
