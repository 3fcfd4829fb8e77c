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
    if (!CHECK(gl != NULL)) {
        printf("    %s\n", error.message);
        exit(check_finish());
    }
    return gl;
}

bool LIB(upload)(LIB(gl) *gl, const LIB(model) *model, uint32_t number, LIB(gl_mesh) *mesh)
{
    LIB(error) error;
    bool ok = UPLOAD(gl, model, number, mesh, &error);
    if (!CHECK(ok)) printf("    %s\n", error.message);
    return ok;
}

/* -- One square ------------------------------------------------------------ */

static struct LIB(shown) {
    LIB(gl)         *gl;
    LIB(model)      *square;
    LIB(gl_scene)    scene;
    LIB(gl_instance) instance;
} LIB(shown);

/* No transform, no tint; the view is along -X, y to the right and z up; the nearer, the greater x. */
static void LIB(show)(float ambient, const float light[3])
{
    LIB(gl_scene) scene = { ambient, { 0 }, { [4] = 1, [9] = 1, [2] = -0.1f, [15] = 1 } };
    if (light) memcpy(scene.light_direction, light, sizeof scene.light_direction);
    LIB(shown).scene = scene;
    memset(&LIB(shown).instance, 0, sizeof LIB(shown).instance);
}

static void LIB(draw)(uint32_t texture)
{
    LIB(gl_mesh) mesh;
    clear(0.5f, 0.5f, 0.5f);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);           /* the outside is counter-clockwise */
    if (LIB(upload)(LIB(shown).gl, LIB(shown).square, 0, &mesh))
        LIB(gl_draw)(LIB(shown).gl, &mesh, texture, &LIB(shown).scene, &LIB(shown).instance, 1);
    LIB(gl_free_mesh)(LIB(shown).gl, &mesh);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    expect_no_error("square");
}

static GLuint LIB(make_texture)(uint8_t red, uint8_t green, uint8_t blue, uint8_t alpha)
{
    const uint8_t texel[4] = { red, green, blue, alpha };
    return LIB(gl_create_texture)(LIB(shown).gl, texel, 1, 1);
}

/* The texture is the right way round: from pixels top row first, bottom row first with FLIP_V, and
   from a file either way. */
static void LIB(test_orientation)(void)
{
    static const uint32_t flags[3] = { 0, OPTION(FLIP_V), WHOLE_TEXEL_FLAG };
    LIB(model) *kept = LIB(shown).square;
    LIB(gl) *gl = LIB(shown).gl;
    LIB(error) error;
    uint8_t pixels[16 * 16 * 4];
    char model_path[600], skin_path[600];
    snprintf(model_path, sizeof model_path, "%s/%s", scratch, MODEL_FILE);
    snprintf(skin_path, sizeof skin_path, "%s/gl_square.png", scratch);
    four_colours(pixels, false);
    CHECK(stbi_write_png(skin_path, 16, 16, 4, pixels, 16 * 4) != 0);
    LIB(show)(1, NULL);
    for (int i = 0; i < 3; ++i) {
        LIB(shown).square = LIB(square)(flags[i]);
        for (int k = 0; k < 2; ++k) {
            four_colours(pixels, i == 1);
            GLuint texture = k ? LOAD_TEXTURE(gl, LIB(shown).square, model_path, 0, &error)
                               : LIB(gl_create_texture)(gl, pixels, 16, 16);
            CHECK(texture != 0);
            LIB(draw)(texture);
            expect_corners(k ? "texture from a file" : i == 1 ? "texture for FLIP_V" : "texture");
            glDeleteTextures(1, &texture);
        }
        LIB(free_model)(LIB(shown).square);
    }
    LIB(shown).square = kept;
    remove(skin_path);
    CHECK_EQ(LOAD_TEXTURE(gl, kept, model_path, 0, &error), 0);
    CHECK(error.code == OPTION(ERROR_OPEN) && error.message[0]);
}

/* The colour is texture by tint by light: full towards the light, the ambient share away from it.
   No texture is white; each draw has its own texture. */
static void LIB(test_light_and_tint)(void)
{
    static const struct {
        float ambient, light[3];
        int   shade;
    } lights[] = { { 0, { 5, 0, 0 }, 255 },     { 0, { -5, 0, 0 }, 64 }, { 0, { 0, 1, 0 }, 64 },
                   { 0.5f, { -1, 0, 0 }, 128 }, { 0, { 0, 0, 0 }, 255 }, { 1, { -1, 0, 0 }, 255 },
                   { 0.2f, { -1e-3f, 0, 0 }, 51 } };
    float *tint = LIB(shown).instance.tint;
    GLuint textures[3];
    for (size_t i = 0; i < sizeof lights / sizeof lights[0]; ++i) {
        int shade = lights[i].shade;
        LIB(show)(lights[i].ambient, lights[i].light);
        LIB(draw)(0);
        expect_pixel(32, 32, shade, shade, shade, "light on white");
        tint[1] = 0.5f;
        tint[2] = tint[3] = 1;
        LIB(draw)(0);
        expect_pixel(32, 32, 0, shade / 2, shade, "light on a tint");
    }
    textures[0] = LIB(make_texture)(255, 0, 0, 255);
    textures[1] = LIB(make_texture)(0, 0, 255, 255);
    textures[2] = 0;
    memset(tint, 0, 4 * sizeof *tint);
    for (size_t i = 0; i < 6; ++i) {
        LIB(draw)(textures[i % 3]);
        expect_pixel(32, 32, i % 3 == 1 ? 0 : 51, i % 3 == 2 ? 51 : 0, i % 3 == 0 ? 0 : 51,
                     "one texture after the other");
    }
    glDeleteTextures(2, textures);
    LIB(show)(1, NULL);
    tint[0] = tint[1] = tint[2] = 1;
    tint[3] = 0.5f;                   /* blending is the caller's; the alpha is there for it */
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    LIB(draw)(0);
    glDisable(GL_BLEND);
    expect_pixel(32, 32, 191, 191, 191, "half transparent");
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

/* Texels of an alpha below one half are left out, whatever the tint. */
static void LIB(test_cut_out)(void)
{
    const LIB(gl_options) options = { .cut_out = true };
    LIB(show)(1, NULL);
    LIB(shown).instance.tint[0] = 1;
    for (int solid = 0; solid < 2; ++solid) {
        GLuint texture = LIB(make_texture)(255, 0, 0, solid ? 128 : 127);
        LIB(draw_with)(&options, texture);
        expect_pixel(32, 32, solid ? 255 : 128, solid ? 0 : 128, solid ? 0 : 128, "cut out");
        glDeleteTextures(1, &texture);
    }
}

/* A fragment shader of one's own has the documented inputs, and may begin with a precision; its
   errors carry its own lines. */
static void LIB(test_own_sources)(void)
{
    static const float light[3] = { 1, 0, 0 };
    LIB(gl_options) options = { 0 };
    LIB(error) error;
    options.fragment_source =
        "precision mediump float;\nin vec3 v_position;\nin vec3 v_normal;\nin vec2 v_texcoord;\n"
        "in vec4 v_tint;\nflat in vec4 v_light;\nuniform vec4 scene;\nout vec4 c;\nvoid main() {\n"
        "    float lit = v_tint.x * dot(v_normal, v_light.xyz);\n"
        "    c = vec4(v_texcoord.x, v_position.z, lit, 1) + scene;\n}\n";
    LIB(show)(0, light);
    LIB(shown).instance.tint[0] = 0.5f;
    LIB(draw_with)(&options, 0);
    expect_pixel(16, 8, 66, 187, 128, "a fragment shader of one's own");
    options.fragment_source = "out vec4 c;\n\nvoid main() { c = vec5(1.0); }\n";
    LIB(gl) *gl = LIB(gl_create)((LIB(gl_get_proc))get_proc, &options, &error);
    CHECK(gl == NULL && strstr(error.message, "0:3(") != NULL);
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

/* The library's vertex shader with a lighting of one's own: half the normal as a colour. */
static void LIB(test_own_program)(void)
{
    GLuint program = LIB(link_own_program)();
    LIB(show)(1, NULL);
    for (int i = 0; i < 2; ++i) {
        CHECK(LIB(gl_use_program)(LIB(shown).gl, i ? 0 : program));
        LIB(draw)(0);
        expect_pixel(32, 32, i ? 255 : 128, i ? 255 : 0, i ? 255 : 0, "a program of one's own");
    }
    glDeleteProgram(program);
}

void LIB(test_square)(void)
{
    check_section(NAME ": texture, light and tint of a square");
    LIB(shown).gl = LIB(create)(NULL);
    LIB(shown).square = LIB(square)(0);
    LIB(test_orientation)();
    LIB(test_light_and_tint)();
    LIB(test_cut_out)();
    LIB(test_own_sources)();
    LIB(test_own_program)();
    LIB(gl_destroy)(LIB(shown).gl);
    LIB(free_model)(LIB(shown).square);
    expect_no_error("square");
}

#undef LIB
#undef OPTION
#undef NAME
#undef UPLOAD
#undef LOAD_TEXTURE
#undef MODEL_FILE
#undef WHOLE_TEXEL_FLAG
#undef CAPTURED
