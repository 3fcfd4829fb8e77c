/* Tests that are the same for md2.h and md5.h. Included by render_both.c once a library, after

       LIB(name), OPTION(name)     the prefixes of names and of options
       UPLOAD, LOAD_TEXTURE        the functions whose arguments or names differ
       MODEL_FILE                  the name of a model's file with a picture gl_square.png beside it
       WHOLE_TEXEL_FLAG            the flag, or 0
       CAPTURED                    outputs of the vertex shader that tests read

   Public domain. */

/* -- Renderers ------------------------------------------------------------- */

LIB(gl) *LIB(create)(const LIB(gl_options) *options)
{
    LIB(error) error;
    captured_count = CAPTURED;
    LIB(gl) *gl = LIB(gl_create)((LIB(gl_get_proc))get_proc, options, &error);
    if (!gl) check_step("create says: %s", error.message);
    CHECK(gl != NULL);
    return gl;
}

void LIB(upload)(LIB(gl) *gl, const LIB(model) *model, uint32_t number, LIB(gl_mesh) *mesh)
{
    LIB(error) error;
    bool is_uploaded = UPLOAD(gl, model, number, mesh, &error);
    if (!is_uploaded) check_step("upload says: %s", error.message);
    CHECK(is_uploaded);
}

/* -- One square ------------------------------------------------------------ */

static struct LIB(shown) {
    LIB(gl)         *gl;
    LIB(model)      *square;
    LIB(gl_scene)    scene;
    LIB(gl_instance) instances[3];
} LIB(shown);

/* No transform, no tint; the view is along -X, y to the right and z up; the nearer, the greater x. */
static void LIB(show)(float ambient, const float light[3])
{
    LIB(gl_scene) scene = { ambient, { 0 }, { [4] = 1, [9] = 1, [2] = -0.1f, [15] = 1 } };
    if (light) memcpy(scene.light_direction, light, sizeof scene.light_direction);
    LIB(shown).scene = scene;
    memset(LIB(shown).instances, 0, sizeof LIB(shown).instances);
}

static void LIB(draw_crowd)(uint32_t texture, size_t count)
{
    LIB(gl_mesh) mesh;
    clear(0.5f, 0.5f, 0.5f);
    LIB(upload)(LIB(shown).gl, LIB(shown).square, 0, &mesh);
    CHECK(LIB(gl_draw)(LIB(shown).gl, &mesh, texture, &LIB(shown).scene, LIB(shown).instances,
                       count));
    LIB(gl_free_mesh)(LIB(shown).gl, &mesh);
    expect_no_error("draw");
}

static void LIB(draw)(uint32_t texture) { LIB(draw_crowd)(texture, 1); }

static GLuint LIB(make_texture)(uint8_t red, uint8_t green, uint8_t blue, uint8_t alpha)
{
    const uint8_t texel[4] = { red, green, blue, alpha };
    return LIB(gl_create_texture)(LIB(shown).gl, texel, 1, 1);
}

/* Three in half the size: below a red and a green one, and above the red a blue one. */
static void LIB(test_crowd)(void)
{
    LIB(show)(1, NULL);
    for (int i = 0; i < 3; ++i) {
        LIB(gl_instance) *one = &LIB(shown).instances[i];
        one->tint[i] = one->tint[3] = 1;
        one->transform[0] = one->transform[15] = 1;
        one->transform[5] = one->transform[10] = 0.5f;
        one->transform[13] = i == 1 ? 0.5f : -0.5f;
        one->transform[14] = i == 2 ? 0.5f : -0.5f;
    }
    LIB(draw_crowd)(0, 3);
    check_step("instance 0, red");
    expect_pixel(16, 48, 255, 0, 0);
    check_step("instance 1, green");
    expect_pixel(48, 48, 0, 255, 0);
    check_step("instance 2, blue");
    expect_pixel(16, 16, 0, 0, 255);
    check_step("no instance");
    expect_pixel(48, 16, 128, 128, 128);
}

/* White, lit or not. */
static void LIB(expect_shade)(const char *step, int shade)
{
    check_step("%s", step);
    LIB(draw)(0);
    expect_pixel(32, 32, shade, shade, shade);
}

static void LIB(test_light)(void)
{
    static const struct {
        const char *name;
        float       ambient, light[3];
        int         shade;
    } lights[] = { { "light from the front", 0, { 5, 0, 0 }, 255 },
                   { "light from behind, a quarter by default", 0, { -5, 0, 0 }, 64 },
                   { "light along the surface", 0, { 0, 1, 0 }, 64 },
                   { "light from behind, half ambient", 0.5f, { -1, 0, 0 }, 128 },
                   { "light from the camera", 0, { 0, 0, 0 }, 255 },
                   { "light from behind, all ambient", 1, { -1, 0, 0 }, 255 },
                   { "light from behind, short", 0.2f, { -1e-3f, 0, 0 }, 51 } };
    for (size_t i = 0; i < sizeof lights / sizeof lights[0]; ++i) {
        LIB(show)(lights[i].ambient, lights[i].light);
        LIB(expect_shade)(lights[i].name, lights[i].shade);
    }
}

static void LIB(test_tint)(void)
{
    static const float behind[3] = { -1, 0, 0 };
    float *tint = LIB(shown).instances[0].tint;
    GLuint texture = LIB(make_texture)(200, 200, 100, 255);
    LIB(show)(0.5f, behind);
    tint[1] = 0.5f;
    tint[2] = tint[3] = 1;
    LIB(draw)(texture);
    expect_pixel(32, 32, 0, 50, 50);
    glDeleteTextures(1, &texture);
}

/* Without one it is white. */
static void LIB(test_textures)(void)
{
    GLuint red = LIB(make_texture)(255, 0, 0, 255), blue = LIB(make_texture)(0, 0, 255, 255);
    LIB(show)(1, NULL);
    for (int i = 0; i < 2; ++i) {
        check_step("round %d", i);
        LIB(draw)(red);
        expect_pixel(32, 32, 255, 0, 0);
        LIB(draw)(blue);
        expect_pixel(32, 32, 0, 0, 255);
        LIB(draw)(0);
        expect_pixel(32, 32, 255, 255, 255);
    }
    glDeleteTextures(1, &red);
    glDeleteTextures(1, &blue);
}

/* A white square faces the camera, before a grey background. */
static void LIB(test_settings)(void)
{
    LIB(show)(1, NULL);
    glEnable(GL_CULL_FACE);
    LIB(expect_shade)("back faces are culled", 255);
    glCullFace(GL_FRONT);
    LIB(expect_shade)("front faces are culled", 128);
    glDisable(GL_CULL_FACE);
    glEnable(GL_DEPTH_TEST);
    LIB(expect_shade)("what is nearer passes", 255);
    glDepthFunc(GL_GREATER);
    LIB(expect_shade)("what is farther passes", 128);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < 4; ++i) LIB(shown).instances[0].tint[i] = i < 3 ? 1 : 0.5f;
    LIB(expect_shade)("half transparent", 191);
}

/* From pixels top row first, bottom row first with FLIP_V, and from a file either way. */
static void LIB(test_orientation)(void)
{
    static const uint32_t    flags[3] = { 0, OPTION(FLIP_V), WHOLE_TEXEL_FLAG };
    static const char *const names[3] = { "no flags", "FLIP_V", "WHOLE_TEXEL if there is" };
    LIB(gl) *gl = LIB(shown).gl;
    LIB(error) error;
    uint8_t pixels[16 * 16 * 4];
    char model_path[600], skin_path[600];
    snprintf(model_path, sizeof model_path, "%s/%s", scratch, MODEL_FILE);
    snprintf(skin_path, sizeof skin_path, "%s/gl_square.png", scratch);
    four_colours(pixels, false);
    CHECK(stbi_write_png(skin_path, 16, 16, 4, pixels, 16 * 4) != 0);
    LIB(show)(1, NULL);
    for (int i = 0; i < 6; ++i) {
        bool from_file = i >= 3;
        check_step("%s, texture from %s", names[i % 3], from_file ? "a file" : "pixels");
        LIB(free_model)(LIB(shown).square);
        LIB(shown).square = LIB(square)(flags[i % 3]);
        four_colours(pixels, i % 3 == 1);
        GLuint texture = from_file ? LOAD_TEXTURE(gl, LIB(shown).square, model_path, 0, &error)
                                   : LIB(gl_create_texture)(gl, pixels, 16, 16);
        CHECK(texture != 0);
        LIB(draw)(texture);
        expect_pixel(10, 10, 255, 0, 0);
        expect_pixel(53, 10, 0, 255, 0);
        expect_pixel(10, 53, 0, 0, 255);
        expect_pixel(53, 53, 255, 255, 0);
        glDeleteTextures(1, &texture);
    }
    remove(skin_path);
    check_step("the file is gone");
    CHECK_EQ(LOAD_TEXTURE(gl, LIB(shown).square, model_path, 0, &error), 0);
    CHECK_EQ(error.code, OPTION(ERROR_OPEN));
    CHECK(error.message[0]);
}

/* Draws as another renderer does. */
static void LIB(draw_with)(const LIB(gl_options) *options, uint32_t texture)
{
    LIB(gl) *kept = LIB(shown).gl;
    LIB(shown).gl = LIB(create)(options);
    LIB(draw)(texture);
    LIB(gl_destroy)(LIB(shown).gl);
    LIB(shown).gl = kept;
}

/* Whatever the tint. */
static void LIB(test_cut_out)(void)
{
    const LIB(gl_options) options = { .cut_out = true };
    LIB(show)(1, NULL);
    LIB(shown).instances[0].tint[0] = 1;
    for (int solid = 0; solid < 2; ++solid) {
        check_step("alpha %d of 255", solid ? 128 : 127);
        GLuint texture = LIB(make_texture)(255, 0, 0, solid ? 128 : 127);
        LIB(draw_with)(&options, texture);
        expect_pixel(32, 32, solid ? 255 : 128, solid ? 0 : 128, solid ? 0 : 128);
        glDeleteTextures(1, &texture);
    }
}

/* It may begin with a precision. */
static void LIB(test_fragment_source)(void)
{
    static const float light[3] = { 1, 0, 0 };
    const LIB(gl_options) options = {
        .fragment_source =
            "precision mediump float;\nin vec3 v_position;\nin vec3 v_normal;\n"
            "in vec2 v_texcoord;\nin vec4 v_tint;\nflat in vec4 v_light;\nuniform vec4 scene;\n"
            "out vec4 c;\nvoid main() {\n    float lit = v_tint.x * dot(v_normal, v_light.xyz);\n"
            "    c = vec4(v_texcoord.x, v_position.z, lit, 1) + scene;\n}\n"
    };
    LIB(show)(0, light);
    LIB(shown).instances[0].tint[0] = 0.5f;
    LIB(draw_with)(&options, 0);
    expect_pixel(16, 8, 66, 187, 128);
}

static void LIB(test_fragment_error)(void)
{
    const LIB(gl_options) options = {
        .fragment_source = "out vec4 c;\n\nvoid main() { c = vec5(1.0); }\n"
    };
    LIB(error) error;
    CHECK(LIB(gl_create)((LIB(gl_get_proc))get_proc, &options, &error) == NULL);
    check_step("it says: %s", error.message);
    CHECK(strstr(error.message, "0:3(") != NULL);
}

static GLuint LIB(link_own_program)(void)
{
    const char *parts[4] = { context.es ? "#version 300 es\nprecision highp float;\n"
                                        : "#version 330 core\n",
                             "#define FRAMES 8\n", LIB(gl_vertex_source)(), NULL };
    GLuint program = glCreateProgram();
    GLint linked = 0;
    for (int i = 0; i < 2; ++i) {
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

/* Its colour is half the normal. */
static void LIB(test_use_program)(void)
{
    GLuint program = LIB(link_own_program)();
    LIB(show)(1, NULL);
    CHECK(LIB(gl_use_program)(LIB(shown).gl, program));
    LIB(draw)(0);
    expect_pixel(32, 32, 128, 0, 0);
    check_step("the built-in one again");
    CHECK(LIB(gl_use_program)(LIB(shown).gl, 0));
    LIB(draw)(0);
    expect_pixel(32, 32, 255, 255, 255);
    glDeleteProgram(program);
}

/* All that this GL tells of its state, first as it begins, then with much of it set. */
static void LIB(test_state)(void)
{
    LIB(show)(1, NULL);
    GLuint program = LIB(link_own_program)();
    for (int much = 0; much < 2; ++much) {
        check_scene(much ? "much of the state is set" : "the state of a new context");
        if (much) set_much(program);
        LIB(gl_mesh) mesh;
        const gl_state then = get_state();
        LIB(gl) *gl = LIB(create)(NULL);
        expect_state(&then, "create");
        LIB(upload)(gl, LIB(shown).square, 0, &mesh);
        expect_state(&then, "upload");
        GLuint texture = LIB(make_texture)(1, 2, 3, 4);
        expect_state(&then, "create_texture");
        CHECK(LIB(gl_draw)(gl, &mesh, texture, &LIB(shown).scene, LIB(shown).instances, 2));
        expect_state(&then, "draw");
        CHECK(LIB(gl_use_program)(gl, program));
        expect_state(&then, "use_program");
        LIB(gl_free_mesh)(gl, &mesh);
        expect_state(&then, "free_mesh");
        LIB(gl_destroy)(gl);
        expect_state(&then, "destroy");
    }
}

/* A test gets a renderer and a square. */
static void (*LIB(now))(void);

static void LIB(run_test)(void)
{
    LIB(shown).gl = LIB(create)(NULL);
    LIB(shown).square = LIB(square)(0);
    LIB(now)();
    LIB(gl_destroy)(LIB(shown).gl);
    LIB(free_model)(LIB(shown).square);
    expect_no_error("destroy");
}

static void LIB(run)(const char *name, const char *promise, void (*test)(void))
{
    LIB(now) = test;
    check_run(name, promise, LIB(run_test));
}

#define RUN_HERE(test, promise) LIB(run)(#test, promise, LIB(test_##test))

void LIB(square_tests)(void)
{
    RUN_HERE(state, "every call leaves all state of OpenGL as it was");
    RUN_HERE(crowd, "each instance stands where its transform says, in its tint");
    RUN_HERE(light, "a surface has full light towards the light, else the ambient share");
    RUN_HERE(tint, "the colour is texture times tint times light");
    RUN_HERE(textures, "each draw has its own texture, or is white");
    RUN_HERE(orientation, "the texture is the right way round");
    RUN_HERE(cut_out, "with cut_out texels of an alpha below one half are left out");
    RUN_HERE(settings, "culling, depth test and blending are the caller's");
    RUN_HERE(fragment_source, "a fragment shader of one's own gets the documented inputs");
    RUN_HERE(fragment_error, "errors in fragment_source have the numbers of its own lines");
    RUN_HERE(use_program, "a program of one's own draws until it is taken back");
}

#undef LIB
#undef OPTION
#undef RUN_HERE
#undef UPLOAD
#undef LOAD_TEXTURE
#undef MODEL_FILE
#undef WHOLE_TEXEL_FLAG
#undef CAPTURED
