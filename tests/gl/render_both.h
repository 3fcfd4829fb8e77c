/* Tests that are the same for md2.h and md5.h. Included by render_both.c once a library, after

       LIB(name), OPTION(name)     the prefixes of names and of options
       UPLOAD, LOAD_TEXTURE        the functions whose arguments or names differ
       MODEL_FILE                  the name of a model's file with a picture gl_square.png beside it
       SET_PALETTE(instance, p)    gives an instance a palette, where it has one
       LAST_UNITS                  the texture units in use
       HALF_TEXEL_FLAG             the flag, or 0
       FIGURES_MODEL, PALETTE_BYTES, SET_FIGURE   the crowd of the figures

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
    static const uint32_t flags[3] = { 0, OPTION(FLIP_V), HALF_TEXEL_FLAG };
    const LIB(gl_scene) scene = LIB(scene_of)(1, 0, 0, 0);
    LIB(gl_instance) instance;
    LIB(error) error;
    LIB(model) *model;
    uint8_t pixels[16 * 16 * 4];
    char model_path[600], skin_path[600];
    picture file = picture_new(16, 16);
    int i, k;
    memset(&instance, 0, sizeof instance);
    snprintf(model_path, sizeof model_path, "%s/%s", scratch, MODEL_FILE);
    snprintf(skin_path, sizeof skin_path, "%s/gl_square.png", scratch);
    four_colours(pixels, false);
    for (i = 0; i < 16 * 16; ++i) memcpy(file.rgb + i * 3, pixels + i * 4, 3);
    CHECK(picture_write_png(skin_path, &file));
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
    picture_free(&file);
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

void LIB(test_square)(void)
{
    LIB(gl) *gl = LIB(create_plain)(false);
    gl_target target;
    check_section(NAME ": texture, light and tint of a square");
    CHECK(gl_target_open(&target, 64, 64, 1, GL_RGBA8));
    LIB(test_orientation)(gl);
    LIB(test_light_and_tint)(gl);
    gl_target_close(&target);
    LIB(destroy)(gl);
    expect_no_error("square");
}

/* Textures of odd sizes arrive texel by texel, with any unpacking of pixels by the caller; all
   their levels are there. */
static void LIB(test_texture_of)(LIB(gl) *gl, int width, int height, GLuint unpack_buffer)
{
    size_t bytes = (size_t)width * (size_t)height * 4, k;
    uint8_t *sent = (uint8_t *)malloc_or_abort(bytes), *got = (uint8_t *)malloc_or_abort(bytes);
    GLuint texture;
    int level = 1;
    for (k = 0; k < bytes; ++k) sent[k] = (uint8_t)(k * 7 + k / 5);
    memset(got, 0, bytes);
    if (unpack_buffer) {
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 300);
        glPixelStorei(GL_UNPACK_SKIP_ROWS, 2);
        glPixelStorei(GL_UNPACK_SKIP_PIXELS, 3);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, unpack_buffer);
    }
    texture = LIB(gl_create_texture)(gl, sent, (uint32_t)width, (uint32_t)height);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    CHECK(texture != 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, got);
    CHECK(memcmp(sent, got, bytes) == 0);
    while ((width | height) >> level) ++level;
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture,
                           level - 1); /* the last */
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glDeleteTextures(1, &texture);
    free(sent);
    free(got);
    expect_no_error("texture");
}

void LIB(test_textures)(void)
{
    static const int sizes[][2] = { { 1, 1 },   { 3, 5 },   { 1, 7 },    { 13, 9 },
                                    { 255, 2 }, { 64, 64 }, { 127, 255 } };
    LIB(gl) *gl = LIB(create_plain)(false);
    GLuint framebuffer, buffer;
    size_t i;
    check_section(NAME ": textures of any size");
    glGenFramebuffers(1, &framebuffer);
    glGenBuffers(1, &buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; ++i) {
        LIB(test_texture_of)(gl, sizes[i / 2][0], sizes[i / 2][1], i % 2 ? buffer : 0);
    }
    gl_context_bind_framebuffer(&context);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteBuffers(1, &buffer);
    LIB(destroy)(gl);
}

/* -- The caller's state ---------------------------------------------------- */

/* Draws the square twice, the second time with another palette. */
static void LIB(draw_among_bindings)(const LIB(gl_options) *options, const LIB(model) *model)
{
    bool kept = !options->leave_state;
    float palette[12] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
    caller_state then = remember_all();
    LIB(gl) *gl = LIB(create)(options);
    LIB(gl_scene) scene = LIB(scene_of)(1, 0, 0, 0);
    LIB(gl_instance) instances[2];
    LIB(gl_mesh) mesh;
    uint8_t pixels[16 * 16 * 4];
    GLuint texture;
    int i;
    if (kept) expect_same_state(&then, "create");
    front_view(scene.view_projection);
    memset(instances, 0, sizeof instances);
    SET_PALETTE(instances[1], palette);
    CHECK(LIB(upload)(gl, model, 0, &mesh));
    if (kept) expect_same_state(&then, "upload");
    four_colours(pixels, false);
    texture = LIB(gl_create_texture)(gl, pixels, 16, 16);
    if (kept) expect_same_state(&then, "texture");
    clear(0, 0, 0);
    for (i = 0; i < 2; ++i) {
        LIB(gl_draw)(gl, &mesh, texture, &scene, instances, 2);
        if (kept) expect_same_state(&then, "draw");
        palette[3] -= 0.001f;
    }
    expect_corners("among the caller's bindings");
    LIB(gl_free_mesh)(gl, &mesh);
    LIB(gl_free_mesh)(gl, &mesh);
    if (kept) expect_same_state(&then, "free_mesh");
    if (!kept) glUseProgram(0);
    LIB(gl_destroy)(gl);
    if (kept) expect_same_state(&then, "destroy");
    glDeleteTextures(1, &texture);
    expect_no_error("state");
}

/* One picture in a fresh context and one among a caller's bindings are the same, and the bindings
   stay. */
void LIB(test_state)(void)
{
    static const uint32_t units[4] = { 0, 0, 3, STATE_UNITS - LAST_UNITS };
    LIB(gl_options) options;
    LIB(model) *model = LIB(square)(0);
    gl_target target;
    int pass;
    check_section(NAME ": the caller's state");
    CHECK(gl_target_open(&target, 64, 64, 1, GL_RGBA8));
    for (pass = 0; pass < 8; ++pass) {
        caller c;
        memset(&c, 0, sizeof c);
        memset(&options, 0, sizeof options);
        options.texture_unit = units[pass % 4];
        options.leave_state = pass >= 4;
        if (pass % 4) make_caller(&c);
        expect_no_error("the test's own calls");
        LIB(draw_among_bindings)(&options, model);
        if (pass % 4) free_caller(&c);
        else glUseProgram(0);
        glBindVertexArray(0);
        glActiveTexture(GL_TEXTURE0);
    }
    gl_target_close(&target);
    LIB(free_model)(model);
    expect_no_error("state");
}

/* Two renderers with their own units and shaders draw by turns; one goes, the other still draws. */
void LIB(test_two_renderers)(void)
{
    static const char plain_red[] = "out vec4 c;\nvoid main() { c = vec4(1.0, 0.0, 0.0, 1.0); }\n";
    LIB(gl_options) options;
    LIB(gl_instance) instance;
    LIB(gl_scene) scene = LIB(scene_of)(1, 0, 0, 0);
    LIB(gl_mesh) a, b;
    LIB(model) *model = LIB(square)(0);
    uint8_t pixels[16 * 16 * 4];
    gl_target target;
    LIB(gl) *first, *second;
    GLuint texture;
    int i;
    check_section(NAME ": two renderers at once");
    CHECK(gl_target_open(&target, 64, 64, 1, GL_RGBA8));
    memset(&options, 0, sizeof options);
    first = LIB(create)(&options);
    options.fragment_source = plain_red;
    options.texture_unit = 4;
    second = LIB(create)(&options);
    memset(&instance, 0, sizeof instance);
    front_view(scene.view_projection);
    four_colours(pixels, false);
    texture = LIB(gl_create_texture)(second, pixels, 16, 16); /* a texture is any renderer's */
    CHECK(LIB(upload)(first, model, 0, &a) && LIB(upload)(second, model, 0, &b));
    for (i = 0; i < 3; ++i) {
        clear(0, 0, 0);
        LIB(gl_draw)(second, &b, texture, &scene, &instance, 1);
        expect_pixel(53, 53, 255, 0, 0, "the second renderer");
        if (i == 2) {
            LIB(gl_free_mesh)(second, &b);
            LIB(destroy)(second);
        }
        clear(0, 0, 0);
        LIB(gl_draw)(first, &a, texture, &scene, &instance, 1);
        expect_corners("the first renderer");
    }
    LIB(gl_free_mesh)(first, &a);
    LIB(destroy)(first);
    glDeleteTextures(1, &texture);
    gl_target_close(&target);
    LIB(free_model)(model);
    expect_no_error("two renderers");
}

/* -- Figures, printed and never checked ------------------------------------ */

void LIB(print_figures)(void)
{
    static const size_t sizes[3] = { 1, 100, 10000 };
    LIB(model) *model = FIGURES_MODEL;
    LIB(gl_instance) *instances = (LIB(gl_instance) *)malloc_or_abort(10000 * sizeof *instances);
    float *palettes = (float *)malloc_or_abort(10000 * PALETTE_BYTES);
    LIB(gl_scene) scene = LIB(scene_of)(0, 0, 0, 0);
    LIB(gl_options) options;
    LIB(gl_mesh) mesh;
    size_t i, k;
    int leave;
    check_section(NAME ": figures");
    memset(instances, 0, 10000 * sizeof *instances);
    memset(palettes, 0, 10000 * PALETTE_BYTES);
    for (i = 0; i < 10000; ++i) SET_FIGURE(instances[i], palettes, i);
    for (leave = 0; leave < 2; ++leave) {
        LIB(gl) *gl;
        memset(&options, 0, sizeof options);
        options.leave_state = leave != 0;
        gl = LIB(gl_create)((LIB(gl_get_proc))get_proc_without_gpu, &options, NULL);
        if (!CHECK(gl != NULL)) continue;
        CHECK(LIB(upload)(gl, model, 0, &mesh));
        for (i = 0; i < 3; ++i) {
            double best = 1e9;
            for (k = 0; k < (sizes[i] > 1000 ? 5 : 50); ++k) {
                double start, spent;
                palettes[0] += 0.001f; /* each frame has other palettes */
                start = thread_milliseconds();
                LIB(gl_draw)(gl, &mesh, 0, &scene, instances, sizes[i]);
                spent = thread_milliseconds() - start;
                glFinish();
                if (spent < best) best = spent;
            }
            printf("%s: " NAME "_gl_draw of %5lu instances, %s: %.3f ms of CPU\n", context.name,
                   (unsigned long)sizes[i], leave ? "leave_state" : "state restored", best);
        }
        LIB(gl_free_mesh)(gl, &mesh);
        LIB(destroy)(gl);
    }
    CHECK(counted.draws > 0);
    LIB(free_model)(model);
    free(instances);
    free(palettes);
    expect_no_error("figures");
}

#undef LIB
#undef OPTION
#undef NAME
#undef UPLOAD
#undef LOAD_TEXTURE
#undef MODEL_FILE
#undef SET_PALETTE
#undef LAST_UNITS
#undef HALF_TEXEL_FLAG
#undef FIGURES_MODEL
#undef PALETTE_BYTES
#undef SET_FIGURE
