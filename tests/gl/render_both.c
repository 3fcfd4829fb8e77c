/* render_both.c: one square, textures, the caller's state, and fragment shaders of one's own, for
   both libraries. Public domain. */
#define _POSIX_C_SOURCE 200809L       /* clock_gettime */
#include "render.h"
#include "md2.h"
#include "md5.h"

#include <time.h>

md2_model *md2_from_bytes(m2_bytes *bytes, uint32_t flags)
{
    md2_options options;
    md2_error error;
    md2_model *model;
    memset(&options, 0, sizeof options);
    options.flags = flags;
    model = md2_load_memory(bytes->data, bytes->size, &options, &error);
    if (!model) {
        printf("a model of the tests does not load: %s\n", error.message);
        abort();
    }
    m2_free(bytes);
    return model;
}

md2_model *md2_from_table(const char *name, uint32_t flags)
{
    m2_bytes bytes = m2_named(name);
    return md2_from_bytes(&bytes, flags);
}

md5_model *md5_from_text(m5_text *text, uint32_t flags)
{
    md5_options options;
    md5_error error;
    md5_model *model;
    memset(&options, 0, sizeof options);
    options.flags = flags;
    model = md5_load_model_memory(text->bytes, text->size, &options, &error);
    if (!model) {
        printf("a model of the tests does not load: %s\n", error.message);
        abort();
    }
    m5_free(text);
    return model;
}

md5_model *md5_arm(uint32_t flags)
{
    m5_text text;
    memset(&text, 0, sizeof text);
    m5_arm_mesh(&text, 0);
    return md5_from_text(&text, flags);
}

/* A square of y and z from -1 to 1 that faces +X, the texture once over it: its first texel at the
   upper left. */
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
    return md2_from_bytes(&bytes, flags);
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

static double thread_milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void GLAD_API_PTR draw_nothing(GLenum mode, GLsizei count, GLenum type, const void *indices,
                                      GLsizei instances)
{
    (void)mode;
    (void)count;
    (void)type;
    (void)indices;
    counted.draws += instances > 0;
}

/* A GPU that takes no time: this driver's vertex shader runs on the thread that draws. */
static md2_gl_proc get_proc_without_gpu(const char *name)
{
    return strcmp(name, "glDrawElementsInstanced") == 0 ? (md2_gl_proc)draw_nothing
                                                        : get_proc(name);
}

static void set_md2_figure(md2_gl_instance *instance, size_t i)
{
    identity(instance->transform);
    instance->transform[12] = (float)i;
    instance->pose = md2_pose_between((uint32_t)i % 198, (uint32_t)(i + 1) % 198, 0.3f);
}

#define LIB(name)         md2_##name
#define OPTION(name)      MD2_##name
#define NAME              "md2"
#define UPLOAD(gl, model, number, mesh, error) \
    ((void)(number), md2_gl_upload(gl, model, mesh, error))
#define LOAD_TEXTURE      md2_gl_load_skin
#define MODEL_FILE        "gl_square.md2"
#define SET_PALETTE(instance, p) ((void)(p))
#define LAST_UNITS        2
#define HALF_TEXEL_FLAG   MD2_HALF_TEXEL
#define FIGURES_MODEL     md2_figure(0)
#define PALETTE_BYTES     sizeof(float)
#define SET_FIGURE(instance, palettes, i) set_md2_figure(&(instance), i)
#include "render_both.h"

enum { FIGURE_JOINTS = 33 };

static md5_model *md5_figures_model(void)
{
    random_source random = { 12 };
    return md5_random_model(&random, FIGURE_JOINTS, 500, 4, 0);
}

#define LIB(name)         md5_##name
#define OPTION(name)      MD5_##name
#define NAME              "md5"
#define UPLOAD            md5_gl_upload
#define LOAD_TEXTURE      md5_gl_load_texture
#define MODEL_FILE        "gl_square.md5mesh"
#define SET_PALETTE(instance, p) ((instance).palette = (p))
#define LAST_UNITS        3
#define HALF_TEXEL_FLAG   0
#define FIGURES_MODEL     md5_figures_model()
#define PALETTE_BYTES     (FIGURE_JOINTS * 12 * sizeof(float))
#define SET_FIGURE(instance, palettes, i) \
    ((instance).palette = (palettes) + (i) * FIGURE_JOINTS * 12)
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

static void expect_refusal(const char *fragment, const char *version_line, const char *stage)
{
    md2_gl_options options;
    md2_error error;
    memset(&options, 0, sizeof options);
    options.fragment_source = fragment;
    options.version_line = version_line;
    CHECK(md2_gl_create(get_proc, &options, &error) == NULL);
    CHECK(error.code == MD2_ERROR_GL && strstr(error.message, stage) != NULL);
    CHECK(strlen(error.message) > strlen(stage) + 16);
    printf("%s refuses a shader: %s\n", context.name, error.message);
}

static void test_refusals(void)
{
    md2_gl_options options;
    expect_refusal("this is no shader\n", NULL, "fragment");
    expect_refusal("in vec2 v_normal;\nout vec4 a;\n"
                   "void main() { a = vec4(v_normal, 1.0, 1.0); }\n", NULL, "link");
    expect_refusal(NULL, "#version 999", "vertex");
    memset(&options, 0, sizeof options);
    options.version_line = context.es ? "#version 310 es" : "#version 400 core";
    md2_destroy(md2_create(&options));
    while (glGetError() != GL_NO_ERROR) {}
    context.debug_errors = 0;         /* the driver has complained of the shaders, as it should */
}

static const char own_fragment[] =
    "in vec3 v_position;\nin vec3 v_normal;\nin vec2 v_texcoord;\nin vec4 v_tint;\n"
    "uniform vec4 mine;\nuniform sampler2D skin;\n"
    "layout(location = 0) out vec4 a;\nlayout(location = 1) out vec4 b;\nlayout(location = 2) out "
    "vec4 c;\n"
    "void main() {\n    a = vec4(v_position, mine.x);\n    b = vec4(normalize(v_normal), mine.y);\n"
    "    c = vec4(v_texcoord, v_tint.xy) + 0.0 * texture(skin, v_texcoord);\n}\n";

/* The documented inputs, read from a float target at pixels whose place on the model is known; a
   uniform of one's own. */
void md2_test_own_shader(void)
{
    static const float mine[4] = { 41, 42, 43, 44 };
    md2_gl_options options;
    md2_gl_instance instance;
    md2_gl_scene scene = md2_scene_of(0, 0, 0, 0);
    md2_gl_mesh mesh;
    md2_model *model = md2_square(0);
    gl_target target;
    md2_gl *gl;
    int x, y;
    check_section("md2: a fragment shader of one's own");
    memset(&options, 0, sizeof options);
    options.fragment_source = own_fragment;
    gl = md2_create(&options);
    CHECK(gl_target_open(&target, 32, 32, 3, GL_RGBA32F));
    memset(&instance, 0, sizeof instance);
    front_view(scene.view_projection);
    instance.tint[0] = 0.25f;
    instance.tint[1] = 7;
    identity(instance.transform);
    instance.transform[12] = 2.5f;    /* seen in v_position, not in v_normal */
    glUseProgram(md2_gl_program(gl));
    glUniform4fv(glGetUniformLocation(md2_gl_program(gl), "mine"), 1, mine);
    glUseProgram(0);
    clear(0, 0, 0);
    if (md2_upload(gl, model, 0, &mesh)) md2_gl_draw(gl, &mesh, 0, &scene, &instance, 1);
    for (y = 0; y < 32; y += 3) {
        for (x = 0; x < 32; x += 3) {
            float got[3][4], u = ((float)x + 0.5f) / 32, v = ((float)y + 0.5f) / 32;
            read_targets(x, y, got);
            CHECK_NEAR(got[0][0], 2.5, 1e-5);
            CHECK_NEAR(got[0][1], 2 * u - 1, 1e-4);
            CHECK_NEAR(got[0][2], 2 * v - 1, 1e-4);
            CHECK_EQ(got[0][3], 41);
            CHECK_NEAR(got[1][0], 1, 1e-6);
            CHECK_NEAR(got[1][1], 0, 1e-6);
            CHECK_EQ(got[1][3], 42);
            CHECK_NEAR(got[2][0], u, 1e-4);
            CHECK_NEAR(got[2][1], 1 - v, 1e-4);
            CHECK_NEAR(got[2][2], 0.25, 1e-6);
            CHECK_NEAR(got[2][3], 7, 1e-5);
        }
    }
    md2_gl_free_mesh(gl, &mesh);
    md2_destroy(gl);
    gl_target_close(&target);
    md2_free_model(model);
    expect_no_error("own shader");
    test_refusals();
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

void md2_test_pcx(void)
{
    static const uint32_t flags[2] = { 0, MD2_FLIP_V };
    const md2_gl_scene scene = md2_scene_of(1, 0, 0, 0);
    md2_gl *gl = md2_create_plain(false);
    m2_bytes pcx = m2_pcx(61, 40, 64, M2_PCX_RUNS);
    char model_path[600], skin_path[600];
    md2_gl_instance instance;
    gl_target target;
    uint8_t rgb[3];
    int i;
    check_section("md2: a skin from a PCX file");
    CHECK(gl_target_open(&target, 64, 64, 1, GL_RGBA8));
    memset(&instance, 0, sizeof instance);
    snprintf(model_path, sizeof model_path, "%s/gl_square.md2", scratch);
    snprintf(skin_path, sizeof skin_path, "%s/gl_square.pcx", scratch);
    CHECK(write_file(skin_path, pcx.data, pcx.size));
    m2_pcx_colour(m2_pcx_index(2, 1), rgb); /* of 5 x 3 texels in the upper left corner */
    for (i = 0; i < 2; ++i) {
        md2_model *model = md2_square(flags[i]);
        GLuint texture = md2_gl_load_skin(gl, model, model_path, 0, NULL);
        picture p;
        CHECK(texture != 0);
        md2_draw_square(gl, model, texture, &scene, &instance);
        p = read_picture(64, 64);
        CHECK(abs(picture_at(&p, 2, 2)[0] - rgb[0]) < 40 &&
              abs(picture_at(&p, 2, 2)[1] - rgb[1]) < 40);
        picture_free(&p);
        glDeleteTextures(1, &texture);
        md2_free_model(model);
    }
    remove(skin_path);
    m2_free(&pcx);
    gl_target_close(&target);
    md2_destroy(gl);
    expect_no_error("pcx");
}
