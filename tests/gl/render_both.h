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

#undef LIB
#undef OPTION
#undef NAME
#undef UPLOAD
#undef LOAD_TEXTURE
#undef MODEL_FILE
#undef WHOLE_TEXEL_FLAG
