/* render_both.h: tests that are the same for md2.h and md5.h. Included by render_md2.c and render_md5.c, after

       names_md2.h or names_md5.h, and create, upload, square and square_tests for
                                   the library's functions of render.h
       UPLOAD, LOAD_TEXTURE        the functions whose arguments or names differ
       MODEL_FILE                  the name of a model's file that has a picture gl_square.png next to it
       CAPTURED                    outputs of the vertex shader that tests read

   Public domain. */

/* -- Renderers ------------------------------------------------------------- */

gl_t *create(const gl_options_t *options)
{
    load_error_t error;
    captured_count = CAPTURED;
    gl_t *gl = gl_create((gl_get_proc_t)get_proc, options, &error);
    if (!gl) check_step("create failed: %s", error.message);
    CHECK(gl != NULL);
    return gl;
}

void upload(gl_t *gl, const model_t *model, uint32_t number, gl_mesh_t *mesh)
{
    load_error_t error;
    bool is_uploaded = UPLOAD(gl, model, number, mesh, &error);
    if (!is_uploaded) check_step("upload failed: %s", error.message);
    CHECK(is_uploaded);
}

/* -- One square ------------------------------------------------------------ */

static struct shown {
    gl_t         *gl;
    model_t      *square;
    gl_scene_t    scene;
    gl_instance_t instances[3];
} shown;

/* Sets the light and a view along -X, with y to the right and z up; points with larger x are nearer. Instances
   have no transform and no tint. */
static void show(float ambient, const float light[3])
{
    gl_scene_t scene = { ambient, { 0 }, { [4] = 1, [9] = 1, [2] = -0.1f, [15] = 1 } };
    if (light) memcpy(scene.light_direction, light, sizeof scene.light_direction);
    shown.scene = scene;
    memset(shown.instances, 0, sizeof shown.instances);
}

static void draw_crowd(uint32_t texture, size_t count)
{
    gl_mesh_t mesh;
    clear(0.5f, 0.5f, 0.5f);
    upload(shown.gl, shown.square, 0, &mesh);
    CHECK(gl_draw(shown.gl, &mesh, texture, &shown.scene, shown.instances, count));
    gl_free_mesh(shown.gl, &mesh);
    expect_no_error("draw");
}

static void draw(uint32_t texture) { draw_crowd(texture, 1); }

static GLuint make_texture(uint8_t red, uint8_t green, uint8_t blue, uint8_t alpha)
{
    const uint8_t texel[4] = { red, green, blue, alpha };
    return gl_create_texture(shown.gl, texel, 1, 1);
}

/* Three instances at half size: a red and a green one in the lower half, a blue one above the red. */
static void test_crowd(void)
{
    show(1, NULL);
    for (int i = 0; i < 3; ++i) {
        gl_instance_t *one = &shown.instances[i];
        one->tint[i] = one->tint[3] = 1;
        one->transform[0] = one->transform[15] = 1;
        one->transform[5] = one->transform[10] = 0.5f;
        one->transform[13] = i == 1 ? 0.5f : -0.5f;
        one->transform[14] = i == 2 ? 0.5f : -0.5f;
    }
    draw_crowd(0, 3);
    check_step("instance 0, red");
    expect_pixel(16, 48, 255, 0, 0);
    check_step("instance 1, green");
    expect_pixel(48, 48, 0, 255, 0);
    check_step("instance 2, blue");
    expect_pixel(16, 16, 0, 0, 255);
    check_step("no instance");
    expect_pixel(48, 16, 128, 128, 128);
}

/* Draws the white square and checks its brightness. */
static void expect_shade(const char *step, int shade)
{
    check_step("%s", step);
    draw(0);
    expect_pixel(32, 32, shade, shade, shade);
}

static void test_light(void)
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
        show(lights[i].ambient, lights[i].light);
        expect_shade(lights[i].name, lights[i].shade);
    }

    /* Depth may grow in either direction in an orthographic view. */
    for (int reversed = 0; reversed < 2; ++reversed) {
        float *view = shown.scene.view_projection;
        show(0, NULL);
        view[2] = reversed ? 0.1f : -0.1f;
        expect_shade(reversed ? "from the camera in front, reversed depth" : "in front", 255);
        view[4] = -1;                 /* right is left now, because the view is from behind */
        expect_shade(reversed ? "from the camera behind" : "behind, reversed depth", 64);
    }
}

static void test_tint(void)
{
    static const float behind[3] = { -1, 0, 0 };
    float *tint = shown.instances[0].tint;
    GLuint texture = make_texture(200, 200, 100, 255);
    show(0.5f, behind);
    tint[1] = 0.5f;
    tint[2] = tint[3] = 1;
    draw(texture);
    expect_pixel(32, 32, 0, 50, 50);
    glDeleteTextures(1, &texture);
}

/* The square is white without a texture. */
static void test_textures(void)
{
    GLuint red = make_texture(255, 0, 0, 255), blue = make_texture(0, 0, 255, 255);
    show(1, NULL);
    for (int i = 0; i < 2; ++i) {
        check_step("pass %d", i);
        draw(red);
        expect_pixel(32, 32, 255, 0, 0);
        draw(blue);
        expect_pixel(32, 32, 0, 0, 255);
        draw(0);
        expect_pixel(32, 32, 255, 255, 255);
    }
    glDeleteTextures(1, &red);
    glDeleteTextures(1, &blue);
}

/* A white square faces the camera, in front of a gray background. */
static void test_settings(void)
{
    show(1, NULL);
    glEnable(GL_CULL_FACE);
    expect_shade("back faces are culled", 255);
    glCullFace(GL_FRONT);
    expect_shade("front faces are culled", 128);
    glDisable(GL_CULL_FACE);
    glEnable(GL_DEPTH_TEST);
    expect_shade("what is nearer passes", 255);
    glDepthFunc(GL_GREATER);
    expect_shade("what is farther passes", 128);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < 4; ++i) shown.instances[0].tint[i] = i < 3 ? 1 : 0.5f;
    expect_shade("half transparent", 191);
}

/* The texture comes from pixels, with the bottom row first if FLIP_V is set, or from a file. */
static void test_orientation(void)
{
    static const uint32_t    flags[2] = { 0, FLIP_V };
    static const char *const names[2] = { "no flags", "FLIP_V" };
    gl_t *gl = shown.gl;
    load_error_t error;
    uint8_t pixels[16 * 16 * 4];
    char model_path[600], skin_path[600];
    snprintf(model_path, sizeof model_path, "%s/%s", scratch, MODEL_FILE);
    snprintf(skin_path, sizeof skin_path, "%s/gl_square.png", scratch);
    four_colors(pixels, false);
    CHECK(stbi_write_png(skin_path, 16, 16, 4, pixels, 16 * 4) != 0);
    show(1, NULL);
    for (int i = 0; i < 4; ++i) {
        bool from_file = i >= 2;
        check_step("%s, texture from %s", names[i % 2], from_file ? "a file" : "pixels");
        free_model(shown.square);
        shown.square = square(flags[i % 2]);
        four_colors(pixels, i % 2 == 1);
        GLuint texture = from_file ? LOAD_TEXTURE(gl, shown.square, model_path, 0, &error)
                                   : gl_create_texture(gl, pixels, 16, 16);
        CHECK(texture != 0);
        draw(texture);
        expect_pixel(10, 10, 255, 0, 0);
        expect_pixel(53, 10, 0, 255, 0);
        expect_pixel(10, 53, 0, 0, 255);
        expect_pixel(53, 53, 255, 255, 0);
        glDeleteTextures(1, &texture);
    }
    remove(skin_path);
    check_step("the file is deleted");
    CHECK_EQ(LOAD_TEXTURE(gl, shown.square, model_path, 0, &error), 0);
    CHECK_EQ(error.code, ERROR_OPEN);
    CHECK(error.message[0]);
}

/* Draws with a new renderer. */
static void draw_with(const gl_options_t *options, uint32_t texture)
{
    gl_t *kept = shown.gl;
    shown.gl = create(options);
    draw(texture);
    gl_destroy(shown.gl);
    shown.gl = kept;
}

/* The tint does not change which texels are left out. */
static void test_cut_out(void)
{
    const gl_options_t options = { .cut_out = true };
    show(1, NULL);
    shown.instances[0].tint[0] = 1;
    for (int solid = 0; solid < 2; ++solid) {
        check_step("alpha %d of 255", solid ? 128 : 127);
        GLuint texture = make_texture(255, 0, 0, solid ? 128 : 127);
        draw_with(&options, texture);
        expect_pixel(32, 32, solid ? 255 : 128, solid ? 0 : 128, solid ? 0 : 128);
        glDeleteTextures(1, &texture);
    }
}

/* Draws a picture with holes, or the whole square if `texture` is 0, and returns how many pixels it covers. At
   scale 1 a texel is as large as a pixel. The square is rotated by `angle`. */
static long covered(gl_t *gl, const gl_mesh_t *mesh, GLuint texture, float scale,
                    float angle, int *least_alpha)
{
    float *view = shown.scene.view_projection;
    show(1, NULL);
    view[4] = view[9] = 0.5f * scale * cosf(angle);
    view[5] = 0.5f * scale * sinf(angle);
    view[8] = -view[5];
    view[12] = view[13] = 0.3f / (float)CUT_OUT_SIZE;
    clear(0, 0, 0);
    CHECK(gl_draw(gl, mesh, texture, &shown.scene, shown.instances, 1));
    return count_covered(2 * CUT_OUT_SIZE, least_alpha);
}

/* Checks that the covered fraction of the square is the same at scale 1, 1/2, 1/4 and 1/8. */
static void expect_equal_fractions(gl_t *gl, const gl_mesh_t *mesh, GLuint texture)
{
    for (int turned = 0; turned < 3; ++turned) {
        double at_full_size = 0;
        for (int halved = 0; halved < 4; ++halved) {
            float scale = 1.0f / (float)(1 << halved), angle = 0.4f * (float)turned;
            int alpha;
            check_step("scale %g, rotated by %g", (double)scale, (double)angle);
            double solid = (double)covered(gl, mesh, texture, scale, angle, &alpha);
            CHECK(alpha >= 127);
            if (halved > 0) CHECK_EQ(alpha, 255); /* so that blending does not fade the edges again */
            double all = (double)covered(gl, mesh, 0, scale, angle, &alpha), fraction = solid / all;
            if (halved == 0) at_full_size = fraction;
            CHECK_NEAR(fraction / at_full_size, 1, 0.1);
        }
        CHECK(at_full_size > 0.2 && at_full_size < 0.7);
    }
}

/* Tests textures of the renderer, and textures that the caller has created. */
static void test_cut_out_far_away(void)
{
    static uint8_t pixels[CUT_OUT_SIZE * CUT_OUT_SIZE * 4];
    const gl_options_t options = { .cut_out = true };
    gl_mesh_t mesh;
    gl_t *gl = create(&options);
    upload(gl, shown.square, 0, &mesh);
    CHECK(make_framebuffer(2 * CUT_OUT_SIZE));
    for (int which = 0; which < CUT_OUTS; ++which) {
        paint_cut_out(which, pixels);
        check_scene("a %s, in a texture of the renderer", cut_out_names[which]);
        GLuint texture = gl_create_texture(gl, pixels, CUT_OUT_SIZE, CUT_OUT_SIZE);
        expect_equal_fractions(gl, &mesh, texture);
        glDeleteTextures(1, &texture);

        check_scene("a %s, in a texture of the caller", cut_out_names[which]);
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, CUT_OUT_SIZE, CUT_OUT_SIZE, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, pixels);
        glGenerateMipmap(GL_TEXTURE_2D);
        glBindTexture(GL_TEXTURE_2D, 0);
        expect_equal_fractions(gl, &mesh, texture);
        glDeleteTextures(1, &texture);
    }

    /* Glass has the same alpha far away and near, in textures of the renderer. */
    for (int solid = 0; solid < 2; ++solid) {
        int alpha;
        memset(pixels, solid ? 160 : 100, sizeof pixels);
        check_scene("alpha %d of 255 everywhere", pixels[3]);
        GLuint texture = gl_create_texture(gl, pixels, CUT_OUT_SIZE, CUT_OUT_SIZE);
        long all = covered(gl, &mesh, 0, 0.25f, 0, &alpha);
        CHECK_EQ(covered(gl, &mesh, texture, 0.25f, 0, &alpha), solid ? all : 0);
        glDeleteTextures(1, &texture);
    }
    gl_free_mesh(gl, &mesh);
    gl_destroy(gl);
    expect_no_error("cut_out");
}

/* The source may begin with a precision statement. */
static void test_fragment_source(void)
{
    static const float light[3] = { 1, 0, 0 };
    const gl_options_t options = {
        .fragment_source =
            "precision mediump float;\nin vec3 v_position;\nin vec3 v_normal;\n"
            "in vec2 v_texcoord;\nin vec4 v_tint;\nflat in vec4 v_light;\nuniform vec4 scene;\n"
            "out vec4 c;\nvoid main() {\n    float lit = v_tint.x * dot(v_normal, v_light.xyz);\n"
            "    c = vec4(v_texcoord.x, v_position.z, lit, 1) + scene;\n}\n"
    };
    show(0, light);
    shown.instances[0].tint[0] = 0.5f;
    draw_with(&options, 0);
    expect_pixel(16, 8, 66, 187, 128);
}

static void test_fragment_error(void)
{
    const gl_options_t options = {
        .fragment_source = "out vec4 c;\n\nvoid main() { c = vec5(1.0); }\n"
    };
    load_error_t error;
    CHECK(gl_create((gl_get_proc_t)get_proc, &options, &error) == NULL);
    check_step("the error is: %s", error.message);

    /* String 0, line 3: Mesa and ANGLE write 0:3, NVIDIA's driver 0(3). */
    CHECK(strstr(error.message, "0:3") || strstr(error.message, "0(3)"));
}

static GLuint link_custom_program(void)
{
    const char *const vertex[2] = { "#define FRAMES 8\n", gl_vertex_source() };
    return link_program(vertex, 2, "in vec3 v_normal;\nout vec4 c;\n"
                                   "void main() { c = vec4(0.5 * v_normal, 1.0); }\n");
}

/* The custom program's color is half the normal. */
static void test_use_program(void)
{
    GLuint program = link_custom_program();
    show(1, NULL);
    CHECK(gl_use_program(shown.gl, program));
    draw(0);
    expect_pixel(32, 32, 128, 0, 0);
    check_step("anything but a linked program changes nothing");
    GLuint unlinked = glCreateProgram(), shader = glCreateShader(GL_VERTEX_SHADER);
    CHECK(!gl_use_program(shown.gl, 987654));
    CHECK(!gl_use_program(shown.gl, unlinked));
    CHECK(!gl_use_program(shown.gl, shader));
    expect_no_error("use_program");
    draw(0);
    expect_pixel(32, 32, 128, 0, 0);
    glDeleteProgram(unlinked);
    glDeleteShader(shader);

    check_step("the built-in program again");
    CHECK(gl_use_program(shown.gl, 0));
    draw(0);
    expect_pixel(32, 32, 255, 255, 255);
    glDeleteProgram(program);
}

/* The next draw ends the use of the deleted program. After the draw, no program is in use. */
static void test_deleted_program(void)
{
    GLuint program = link_custom_program();
    GLint  in_use = -1;
    glUseProgram(program);
    glDeleteProgram(program);
    show(1, NULL);
    draw(0);
    expect_pixel(32, 32, 255, 255, 255);
    glGetIntegerv(GL_CURRENT_PROGRAM, &in_use);
    CHECK_EQ(in_use, 0);
}

/* Draws as a caller of leave_state does in each frame: binds everything again for its own draws. */
static void draw_background(GLuint program, GLuint array)
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

/* Draws three frames: a blue background, and in front of it a square that is red, white, red. */
static void test_leave_state(void)
{
    static const char *const corners[1] = {
        "void main()\n{\n    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
        "    gl_Position = vec4(corner * 4.0 - 1.0, 0.5, 1.0);\n}\n"
    };
    const gl_options_t options = { .leave_state = true, .texture_unit = 2 };
    gl_mesh_t mesh;
    GLuint array, background = link_program(corners, 1, "out vec4 c;\n"
                                                        "void main() { c = vec4(0, 0, 1, 1); }\n");
    show(1, NULL);
    float *transform = shown.instances[0].transform;
    transform[0] = transform[15] = 1;
    transform[5] = transform[10] = 0.5f;
    gl_t *gl = create(&options);
    upload(gl, shown.square, 0, &mesh);
    GLuint red = make_texture(255, 0, 0, 255);
    glGenVertexArrays(1, &array);
    for (int frame = 0; frame < 3; ++frame) {
        bool is_white = frame == 1;
        check_step("frame %d", frame);
        clear(0, 0, 0);
        draw_background(background, array);
        const gl_state then = get_state();
        CHECK(gl_draw(gl, &mesh, is_white ? 0 : red, &shown.scene, shown.instances, 1));
        expect_pixel(32, 32, 255, is_white ? 255 : 0, is_white ? 255 : 0);
        expect_pixel(8, 8, 0, 0, 255);

        check_step("frame %d: objects that the draw has bound stay bound", frame);
        GLint bound = 0;
        glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &bound);
        CHECK_EQ(bound, mesh.vao);
        glActiveTexture(GL_TEXTURE0 + options.texture_unit);
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
        CHECK(bound != 0);

        /* All other state is unchanged. */
        draw_background(background, array);
        expect_state(&then, "draw");
    }
    glUseProgram(0);
    glBindVertexArray(0);
    gl_free_mesh(gl, &mesh);
    gl_destroy(gl);
    glDeleteProgram(background);
    glDeleteVertexArrays(1, &array);
    glDeleteTextures(1, &red);
}

/* Compares all state that this GL can return: first in a new context, then after most of the state was changed. */
static void test_state(void)
{
    show(1, NULL);
    GLuint program = link_custom_program();
    for (int much = 0; much < 2; ++much) {
        check_scene(much ? "much of the state is set" : "the state of a new context");
        if (much) change_most_state(program);
        gl_mesh_t mesh;
        const gl_state then = get_state();
        gl_t *gl = create(NULL);
        expect_state(&then, "create");
        upload(gl, shown.square, 0, &mesh);
        expect_state(&then, "upload");
        GLuint texture = make_texture(1, 2, 3, 4);
        expect_state(&then, "create_texture");
        CHECK(gl_draw(gl, &mesh, texture, &shown.scene, shown.instances, 2));
        expect_state(&then, "draw");
        CHECK(gl_use_program(gl, program));
        expect_state(&then, "use_program");
        gl_free_mesh(gl, &mesh);
        expect_state(&then, "free_mesh");
        gl_destroy(gl);
        expect_state(&then, "destroy");
    }
}

/* Each test gets a renderer and a square. */
static void (*current_test)(void);

static void run_test(void)
{
    shown.gl = create(NULL);
    shown.square = square(0);
    current_test();
    gl_destroy(shown.gl);
    free_model(shown.square);
    expect_no_error("destroy");
}

static void run(const char *name, const char *description, void (*test)(void))
{
    current_test = test;
    check_run(name, description, run_test);
}

#define RUN_HERE(test, description) run(#test, description, test_##test)

void square_tests(void)
{
    RUN_HERE(state, "every call leaves all state of OpenGL as it was");
    RUN_HERE(crowd, "each instance is where its transform puts it, in its tint");
    RUN_HERE(light, "a surface has full light toward the light, otherwise only the ambient light");
    RUN_HERE(tint, "the color is texture times tint times light");
    RUN_HERE(textures, "each draw has its own texture, or is white");
    RUN_HERE(orientation, "the texture is neither flipped nor mirrored");
    RUN_HERE(cut_out, "with cut_out, texels of an alpha below one half are left out");
    RUN_HERE(cut_out_far_away, "with cut_out, leaves and fences keep their area with distance");
    RUN_HERE(settings, "culling, depth test and blending belong to the caller");
    RUN_HERE(fragment_source, "a custom fragment shader gets the documented inputs");
    RUN_HERE(fragment_error, "errors in fragment_source have the line numbers of that source");
    RUN_HERE(use_program, "a custom program draws until it is removed");
    RUN_HERE(deleted_program, "a program that was deleted in use is not replaced by another");
    RUN_HERE(leave_state, "with leave_state, a caller that binds everything again can draw many frames");
}
