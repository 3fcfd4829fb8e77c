/* Tests that are the same for md2.h and md5.h. Included by render_both.c once a library, after

       LIB(name), OPTION(name)     the prefixes of names and of options
       UPLOAD, LOAD_TEXTURE        the functions whose arguments or names differ
       MODEL_FILE                  the name of a model's file with a picture gl_square.png beside it
       WHOLE_TEXEL_FLAG             the flag, or 0

   Public domain. */

/* -- Renderers ------------------------------------------------------------- */

LIB(gl) *LIB(create)(const LIB(gl_options) *options)
{
    LIB(error) error;
    LIB(gl) *gl = LIB(gl_create)((LIB(gl_get_proc))get_proc, options, &error);
    if (!CHECK(gl != NULL)) {
        printf("    %s\n", error.message);
        printf("%lu passed, %lu failed\n", check_state.passed, check_state.failed);
        exit(EXIT_FAILURE);
    }
    return gl;
}

LIB(gl) *LIB(create_plain)(bool leave_state)
{
    LIB(gl_options) options;
    memset(&options, 0, sizeof options);
    options.leave_state = leave_state;
    return LIB(create)(&options);
}

/* A renderer that leaves its state has left its program in use; a deleted program stays until
   nothing uses it. */
void LIB(destroy)(LIB(gl) *gl)
{
    glUseProgram(0);
    LIB(gl_destroy)(gl);
}

bool LIB(upload)(LIB(gl) *gl, const LIB(model) *model, uint32_t number, LIB(gl_mesh) *mesh)
{
    LIB(error) error;
    bool ok = UPLOAD(gl, model, number, mesh, &error);
    if (!CHECK(ok)) printf("    %s\n", error.message);
    return ok;
}

LIB(gl_scene) LIB(scene_of)(float ambient, float x, float y, float z)
{
    LIB(gl_scene) scene;
    scene.ambient = ambient;
    scene.light_direction[0] = x;
    scene.light_direction[1] = y;
    scene.light_direction[2] = z;
    identity(scene.view_projection);
    return scene;
}

/* -- One square ------------------------------------------------------------ */

static void LIB(draw_square)(LIB(gl) *gl, const LIB(model) *model, uint32_t texture,
                             const LIB(gl_scene) *lit, const LIB(gl_instance) *instance)
{
    LIB(gl_scene) scene = *lit;
    LIB(gl_mesh) mesh;
    front_view(scene.view_projection);
    clear(0.5f, 0.5f, 0.5f);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);           /* the outside is counter-clockwise */
    if (LIB(upload)(gl, model, 0, &mesh)) {
        LIB(gl_draw)(gl, &mesh, texture, &scene, instance, 1);
    }
    LIB(gl_free_mesh)(gl, &mesh);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    expect_no_error("square");
}

/* The texture is the right way round: from pixels top row first, bottom row first with FLIP_V, and
   from a file either way. */
static void LIB(test_orientation)(LIB(gl) *gl)
{
    static const uint32_t flags[3] = { 0, OPTION(FLIP_V), WHOLE_TEXEL_FLAG };
    const LIB(gl_scene) scene = LIB(scene_of)(1, 0, 0, 0);
    LIB(gl_instance) instance;
    LIB(error) error;
    LIB(model) *model;
    uint8_t pixels[16 * 16 * 4];
    char model_path[600], skin_path[600];
    int i, k;
    memset(&instance, 0, sizeof instance);
    snprintf(model_path, sizeof model_path, "%s/%s", scratch, MODEL_FILE);
    snprintf(skin_path, sizeof skin_path, "%s/gl_square.png", scratch);
    four_colours(pixels, false);
    CHECK(stbi_write_png(skin_path, 16, 16, 4, pixels, 16 * 4) != 0);
    for (i = 0; i < 3; ++i) {
        model = LIB(square)(flags[i]);
        for (k = 0; k < 2; ++k) {
            GLuint texture;
            four_colours(pixels, i == 1);
            texture = k ? LOAD_TEXTURE(gl, model, model_path, 0, &error)
                        : LIB(gl_create_texture)(gl, pixels, 16, 16);
            CHECK(texture != 0);
            LIB(draw_square)(gl, model, texture, &scene, &instance);
            expect_corners(k ? "texture from a file" : i == 1 ? "texture for FLIP_V" : "texture");
            glDeleteTextures(1, &texture);
        }
        LIB(free_model)(model);
    }
    remove(skin_path);
    model = LIB(square)(0);
    CHECK_EQ(LOAD_TEXTURE(gl, model, model_path, 0, &error), 0);
    CHECK(error.code == OPTION(ERROR_OPEN) && error.message[0]);
    LIB(free_model)(model);
}

/* The colour is texture by tint by light: full towards the light, the ambient share away from it.
   No texture is white; each draw has its own texture. */
static void LIB(test_light_and_tint)(LIB(gl) *gl)
{
    static const struct {
        float ambient, light[3];
        int   shade;
    } lights[] = { { 0, { 5, 0, 0 }, 255 },     { 0, { -5, 0, 0 }, 64 }, { 0, { 0, 1, 0 }, 64 },
                   { 0.5f, { -1, 0, 0 }, 128 }, { 0, { 0, 0, 0 }, 255 }, { 1, { -1, 0, 0 }, 255 },
                   { 0.2f, { -1e-3f, 0, 0 }, 51 } };
    static const uint8_t red[4] = { 255, 0, 0, 255 }, blue[4] = { 0, 0, 255, 255 };
    LIB(model) *model = LIB(square)(0);
    LIB(gl_instance) instance;
    LIB(gl_scene) scene;
    GLuint textures[3];
    size_t i;
    for (i = 0; i < sizeof lights / sizeof lights[0]; ++i) {
        const float *light = lights[i].light;
        int shade = lights[i].shade;
        scene = LIB(scene_of)(lights[i].ambient, light[0], light[1], light[2]);
        memset(&instance, 0, sizeof instance);
        LIB(draw_square)(gl, model, 0, &scene, &instance);
        expect_pixel(32, 32, shade, shade, shade, "light on white");
        instance.tint[1] = 0.5f;
        instance.tint[2] = instance.tint[3] = 1;
        LIB(draw_square)(gl, model, 0, &scene, &instance);
        expect_pixel(32, 32, 0, shade / 2, shade, "light on a tint");
    }
    textures[0] = LIB(gl_create_texture)(gl, red, 1, 1);
    textures[1] = LIB(gl_create_texture)(gl, blue, 1, 1);
    textures[2] = 0;
    memset(&instance, 0, sizeof instance);
    for (i = 0; i < 6; ++i) {
        LIB(draw_square)(gl, model, textures[i % 3], &scene, &instance);
        expect_pixel(32, 32, i % 3 == 1 ? 0 : 51, i % 3 == 2 ? 51 : 0, i % 3 == 0 ? 0 : 51,
                     "one texture after the other");
    }
    instance.tint[0] = instance.tint[1] = instance.tint[2] = 1;
    instance.tint[3] = 0.5f;          /* blending is the caller's; the alpha is there for it */
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    scene.ambient = 1;
    LIB(draw_square)(gl, model, 0, &scene, &instance);
    glDisable(GL_BLEND);
    expect_pixel(32, 32, 191, 191, 191, "half transparent");
    glDeleteTextures(2, textures);
    LIB(free_model)(model);
}

/* Whatever else the caller has set in GL, the colours of the skin are at their places. */
static void LIB(test_hosts)(LIB(gl) *gl)
{
    const LIB(gl_scene) scene = LIB(scene_of)(1, 0, 0, 0);
    LIB(model) *model = LIB(square)(0);
    LIB(gl_instance) instance;
    uint8_t pixels[16 * 16 * 4];
    GLuint texture, sampler, buffer;
    int unit;
    memset(&instance, 0, sizeof instance);
    four_colours(pixels, false);
    glGenSamplers(1, &sampler);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    for (unit = 0; unit < 3; ++unit) glBindSampler((GLuint)unit, sampler);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 99);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 3);
    if (!context.es) {
        glPixelStorei(GL_UNPACK_SWAP_BYTES, 1);
        glEnable(GL_PRIMITIVE_RESTART); /* its index is 0 */
    }
    glEnable(GL_RASTERIZER_DISCARD);
    texture = LIB(gl_create_texture)(gl, pixels, 16, 16);
    glDisable(GL_RASTERIZER_DISCARD); /* which glClear obeys */
    LIB(draw_square)(gl, model, texture, &scene, &instance);
    expect_corners("a caller with much set");
    if (!context.es) {
        CHECK(glIsEnabled(GL_PRIMITIVE_RESTART));
        glDisable(GL_PRIMITIVE_RESTART);
        glPixelStorei(GL_UNPACK_SWAP_BYTES, 0);
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    for (unit = 0; unit < 3; ++unit) glBindSampler((GLuint)unit, 0);
    glDeleteSamplers(1, &sampler);
    glDeleteBuffers(1, &buffer);
    glDeleteTextures(1, &texture);
    LIB(free_model)(model);
}

/* Texels of an alpha below one half are left out, whatever the tint. */
static void LIB(test_cut_out)(void)
{
    static const uint8_t clear_texel[4] = { 255, 0, 0, 127 }, solid_texel[4] = { 255, 0, 0, 128 };
    const LIB(gl_scene) scene = LIB(scene_of)(1, 0, 0, 0);
    LIB(model) *model = LIB(square)(0);
    LIB(gl_instance) instance;
    LIB(gl_options) options;
    LIB(gl) *gl;
    int solid;
    memset(&options, 0, sizeof options);
    memset(&instance, 0, sizeof instance);
    instance.tint[0] = 1;
    options.cut_out = true;
    gl = LIB(create)(&options);
    for (solid = 0; solid < 2; ++solid) {
        GLuint texture = LIB(gl_create_texture)(gl, solid ? solid_texel : clear_texel, 1, 1);
        LIB(draw_square)(gl, model, texture, &scene, &instance);
        expect_pixel(32, 32, solid ? 255 : 128, solid ? 0 : 128, solid ? 0 : 128, "cut out");
        glDeleteTextures(1, &texture);
    }
    LIB(destroy)(gl);
    LIB(free_model)(model);
}

/* A fragment shader may begin with a precision of its own; its errors carry its own lines. */
static void LIB(test_own_sources)(void)
{
    LIB(gl_options) options;
    LIB(error) error;
    LIB(gl) *gl;
    memset(&options, 0, sizeof options);
    options.fragment_source = "precision mediump float;\nin vec3 v_normal;\nflat in vec4 v_light;\n"
                              "uniform vec4 scene;\nout vec4 c;\nvoid main() { "
                              "c = vec4(dot(v_normal, v_light.xyz)) + scene; }\n";
    LIB(destroy)(LIB(create)(&options));
    options.fragment_source = "out vec4 c;\n\nvoid main() { c = vec5(1.0); }\n";
    gl = LIB(gl_create)((LIB(gl_get_proc))get_proc, &options, &error);
    CHECK(gl == NULL && strstr(error.message, "0:3(") != NULL);
    context.debug_errors = 0;         /* the driver complained, as it should */
}

static GLuint LIB(link_own_program)(void)
{
    const char *parts[4] = { context.es ? "#version 300 es\nprecision highp float;\n"
                                        : "#version 330 core\n",
                             "#define FRAMES 8\n", LIB(gl_vertex_source)(), NULL };
    GLuint program = glCreateProgram();
    GLint linked = 0;
    int i;
    for (i = 0; i < 2; ++i) {
        GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        if (i) parts[2] = "in vec3 v_normal;\nout vec4 c;\nvoid main() { c = vec4(0.5 * v_normal, 1.0); }\n";
        glShaderSource(shader, 3, parts, NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    CHECK(linked);
    return program;
}

/* The library's vertex shader with a lighting of one's own: half the normal as a colour. */
static void LIB(test_own_program)(LIB(gl) *gl)
{
    const LIB(gl_scene) scene = LIB(scene_of)(1, 0, 0, 0);
    LIB(model) *model = LIB(square)(0);
    GLuint program = LIB(link_own_program)();
    LIB(gl_instance) instance;
    int i;
    memset(&instance, 0, sizeof instance);
    for (i = 0; i < 2; ++i) {
        CHECK(LIB(gl_use_program)(gl, i ? 0 : program));
        LIB(draw_square)(gl, model, 0, &scene, &instance);
        expect_pixel(32, 32, i ? 255 : 128, i ? 255 : 0, i ? 255 : 0, "a program of one's own");
    }
    glDeleteProgram(program);
    LIB(free_model)(model);
}

void LIB(test_square)(void)
{
    LIB(gl) *gl = LIB(create_plain)(false);
    gl_target target;
    check_section(NAME ": texture, light and tint of a square");
    CHECK(gl_target_open(&target, 64, 64, 1, GL_RGBA8));
    LIB(test_orientation)(gl);
    LIB(test_light_and_tint)(gl);
    LIB(test_hosts)(gl);
    LIB(test_cut_out)();
    LIB(test_own_sources)();
    LIB(test_own_program)(gl);
    gl_target_close(&target);
    LIB(destroy)(gl);
    expect_no_error("square");
}

#undef LIB
#undef OPTION
#undef NAME
#undef UPLOAD
#undef LOAD_TEXTURE
#undef MODEL_FILE
#undef WHOLE_TEXEL_FLAG
