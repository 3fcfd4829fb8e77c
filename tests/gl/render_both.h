/* Tests that are the same for md2.h and md5.h. Included by render_both.c once a library, after

       LIB(name), OPTION(name)     the prefixes of names and of options
       UPLOAD, LOAD_TEXTURE        the functions whose arguments or names differ
       MODEL_FILE                  the name of a model's file with a picture gl_square.png beside it
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

    /* In an orthographic view, depth may grow either way. */
    for (int reversed = 0; reversed < 2; ++reversed) {
        float *view = LIB(shown).scene.view_projection;
        LIB(show)(0, NULL);
        view[2] = reversed ? 0.1f : -0.1f;
        LIB(expect_shade)(reversed ? "from the camera in front, reversed depth" : "in front", 255);
        view[4] = -1;                 /* right is left now: from behind */
        LIB(expect_shade)(reversed ? "from the camera behind" : "behind, reversed depth", 64);
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
    static const uint32_t    flags[2] = { 0, OPTION(FLIP_V) };
    static const char *const names[2] = { "no flags", "FLIP_V" };
    LIB(gl) *gl = LIB(shown).gl;
    LIB(error) error;
    uint8_t pixels[16 * 16 * 4];
    char model_path[600], skin_path[600];
    snprintf(model_path, sizeof model_path, "%s/%s", scratch, MODEL_FILE);
    snprintf(skin_path, sizeof skin_path, "%s/gl_square.png", scratch);
    four_colours(pixels, false);
    CHECK(stbi_write_png(skin_path, 16, 16, 4, pixels, 16 * 4) != 0);
    LIB(show)(1, NULL);
    for (int i = 0; i < 4; ++i) {
        bool from_file = i >= 2;
        check_step("%s, texture from %s", names[i % 2], from_file ? "a file" : "pixels");
        LIB(free_model)(LIB(shown).square);
        LIB(shown).square = LIB(square)(flags[i % 2]);
        four_colours(pixels, i % 2 == 1);
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

/* The pixels that a picture with holes covers, and those of the whole square, drawn at a share of the
   size at which a texel is a pixel, turned a little. */
static long LIB(covered)(LIB(gl) *gl, const LIB(gl_mesh) *mesh, GLuint texture, float share,
                         float turn, int *least_alpha)
{
    float *view = LIB(shown).scene.view_projection;
    LIB(show)(1, NULL);
    view[4] = view[9] = 0.5f * share * cosf(turn);
    view[5] = 0.5f * share * sinf(turn);
    view[8] = -view[5];
    view[12] = view[13] = 0.3f / (float)CUT_OUT_SIZE;
    clear(0, 0, 0);
    CHECK(LIB(gl_draw)(gl, mesh, texture, &LIB(shown).scene, LIB(shown).instances, 1));
    return count_covered(2 * CUT_OUT_SIZE, least_alpha);
}

/* Up close, and at a half, a quarter and an eighth of that size. */
static void LIB(expect_equal_shares)(LIB(gl) *gl, const LIB(gl_mesh) *mesh, GLuint texture)
{
    for (int turned = 0; turned < 3; ++turned) {
        double up_close = 0;
        for (int halved = 0; halved < 4; ++halved) {
            float share = 1.0f / (float)(1 << halved), turn = 0.4f * (float)turned;
            int alpha;
            check_step("at %g of the size, turned by %g", (double)share, (double)turn);
            double solid = (double)LIB(covered)(gl, mesh, texture, share, turn, &alpha);
            CHECK(alpha >= 127);
            if (halved > 0) CHECK_EQ(alpha, 255); /* so that blending fades nothing twice */
            double all = (double)LIB(covered)(gl, mesh, 0, share, turn, &alpha), covers = solid / all;
            if (halved == 0) up_close = covers;
            CHECK_NEAR(covers / up_close, 1, 0.1);
        }
        CHECK(up_close > 0.2 && up_close < 0.7);
    }
}

/* Textures of the renderer, and those that the caller has made. */
static void LIB(test_cut_out_far_away)(void)
{
    static uint8_t pixels[CUT_OUT_SIZE * CUT_OUT_SIZE * 4];
    const LIB(gl_options) options = { .cut_out = true };
    LIB(gl_mesh) mesh;
    LIB(gl) *gl = LIB(create)(&options);
    LIB(upload)(gl, LIB(shown).square, 0, &mesh);
    CHECK(make_framebuffer(2 * CUT_OUT_SIZE));
    for (int which = 0; which < CUT_OUTS; ++which) {
        paint_cut_out(which, pixels);
        check_scene("a %s, in a texture of the renderer", cut_out_names[which]);
        GLuint texture = LIB(gl_create_texture)(gl, pixels, CUT_OUT_SIZE, CUT_OUT_SIZE);
        LIB(expect_equal_shares)(gl, &mesh, texture);
        glDeleteTextures(1, &texture);

        check_scene("a %s, in a texture of the caller", cut_out_names[which]);
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, CUT_OUT_SIZE, CUT_OUT_SIZE, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, pixels);
        glGenerateMipmap(GL_TEXTURE_2D);
        glBindTexture(GL_TEXTURE_2D, 0);
        LIB(expect_equal_shares)(gl, &mesh, texture);
        glDeleteTextures(1, &texture);
    }

    /* Glass is as solid far away as it is up close, in textures of the renderer. */
    for (int solid = 0; solid < 2; ++solid) {
        int alpha;
        memset(pixels, solid ? 160 : 100, sizeof pixels);
        check_scene("alpha %d of 255 everywhere", pixels[3]);
        GLuint texture = LIB(gl_create_texture)(gl, pixels, CUT_OUT_SIZE, CUT_OUT_SIZE);
        long all = LIB(covered)(gl, &mesh, 0, 0.25f, 0, &alpha);
        CHECK_EQ(LIB(covered)(gl, &mesh, texture, 0.25f, 0, &alpha), solid ? all : 0);
        glDeleteTextures(1, &texture);
    }
    LIB(gl_free_mesh)(gl, &mesh);
    LIB(gl_destroy)(gl);
    expect_no_error("cut_out");
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

    /* String 0, line 3: Mesa and ANGLE write 0:3, NVIDIA's driver 0(3). */
    CHECK(strstr(error.message, "0:3") || strstr(error.message, "0(3)"));
}

static GLuint LIB(link_own_program)(void)
{
    const char *const vertex[2] = { "#define FRAMES 8\n", LIB(gl_vertex_source)() };
    return link_program(vertex, 2, "in vec3 v_normal;\nout vec4 c;\n"
                                   "void main() { c = vec4(0.5 * v_normal, 1.0); }\n");
}

/* Its colour is half the normal. */
static void LIB(test_use_program)(void)
{
    GLuint program = LIB(link_own_program)();
    LIB(show)(1, NULL);
    CHECK(LIB(gl_use_program)(LIB(shown).gl, program));
    LIB(draw)(0);
    expect_pixel(32, 32, 128, 0, 0);
    check_step("what is no linked program changes nothing");
    GLuint unlinked = glCreateProgram(), shader = glCreateShader(GL_VERTEX_SHADER);
    CHECK(!LIB(gl_use_program)(LIB(shown).gl, 987654));
    CHECK(!LIB(gl_use_program)(LIB(shown).gl, unlinked));
    CHECK(!LIB(gl_use_program)(LIB(shown).gl, shader));
    expect_no_error("use_program");
    LIB(draw)(0);
    expect_pixel(32, 32, 128, 0, 0);
    glDeleteProgram(unlinked);
    glDeleteShader(shader);

    check_step("the built-in one again");
    CHECK(LIB(gl_use_program)(LIB(shown).gl, 0));
    LIB(draw)(0);
    expect_pixel(32, 32, 255, 255, 255);
    glDeleteProgram(program);
}

/* It ends with the draw, and nothing is in use then. */
static void LIB(test_deleted_program)(void)
{
    GLuint program = LIB(link_own_program)();
    GLint  in_use = -1;
    glUseProgram(program);
    glDeleteProgram(program);
    LIB(show)(1, NULL);
    LIB(draw)(0);
    expect_pixel(32, 32, 255, 255, 255);
    glGetIntegerv(GL_CURRENT_PROGRAM, &in_use);
    CHECK_EQ(in_use, 0);
}

/* What a caller of leave_state does in each frame: it binds all anew for its own draws. */
static void LIB(draw_background)(GLuint program, GLuint array)
{
    glUseProgram(program);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    for (GLenum unit = STATE_UNITS; unit > 0; --unit) {
        glActiveTexture(GL_TEXTURE0 + unit - 1);
        glBindTexture(GL_TEXTURE_2D, 0);
    }
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* Three frames: a blue background, and before it a square, red, white and red. */
static void LIB(test_leave_state)(void)
{
    static const char *const corners[1] = {
        "void main()\n{\n    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
        "    gl_Position = vec4(corner * 4.0 - 1.0, 0.5, 1.0);\n}\n"
    };
    const LIB(gl_options) options = { .leave_state = true, .texture_unit = 2 };
    LIB(gl_mesh) mesh;
    GLuint array, background = link_program(corners, 1, "out vec4 c;\n"
                                                        "void main() { c = vec4(0, 0, 1, 1); }\n");
    LIB(show)(1, NULL);
    float *transform = LIB(shown).instances[0].transform;
    transform[0] = transform[15] = 1;
    transform[5] = transform[10] = 0.5f;
    LIB(gl) *gl = LIB(create)(&options);
    LIB(upload)(gl, LIB(shown).square, 0, &mesh);
    GLuint red = LIB(make_texture)(255, 0, 0, 255);
    glGenVertexArrays(1, &array);
    for (int frame = 0; frame < 3; ++frame) {
        bool is_white = frame == 1;
        check_step("frame %d", frame);
        clear(0, 0, 0);
        LIB(draw_background)(background, array);
        const gl_state then = get_state();
        CHECK(LIB(gl_draw)(gl, &mesh, is_white ? 0 : red, &LIB(shown).scene, LIB(shown).instances,
                           1));
        expect_pixel(32, 32, 255, is_white ? 255 : 0, is_white ? 255 : 0);
        expect_pixel(8, 8, 0, 0, 255);

        check_step("frame %d: what the draw has bound stays bound", frame);
        GLint bound = 0;
        glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &bound);
        CHECK_EQ(bound, mesh.vao);
        glActiveTexture(GL_TEXTURE0 + options.texture_unit);
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
        CHECK(bound != 0);

        /* And nothing else has changed. */
        LIB(draw_background)(background, array);
        expect_state(&then, "draw");
    }
    glUseProgram(0);
    glBindVertexArray(0);
    LIB(gl_free_mesh)(gl, &mesh);
    LIB(gl_destroy)(gl);
    glDeleteProgram(background);
    glDeleteVertexArrays(1, &array);
    glDeleteTextures(1, &red);
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
    RUN_HERE(cut_out_far_away, "with cut_out leaves and fences keep their area with distance");
    RUN_HERE(settings, "culling, depth test and blending are the caller's");
    RUN_HERE(fragment_source, "a fragment shader of one's own gets the documented inputs");
    RUN_HERE(fragment_error, "errors in fragment_source have the numbers of its own lines");
    RUN_HERE(use_program, "a program of one's own draws until it is taken back");
    RUN_HERE(deleted_program, "a program that was deleted in use is not replaced by another");
    RUN_HERE(leave_state, "with leave_state a caller that binds all anew draws frame after frame");
}

#undef LIB
#undef OPTION
#undef RUN_HERE
#undef UPLOAD
#undef LOAD_TEXTURE
#undef MODEL_FILE
#undef CAPTURED
