/* The caller's state, scenes and instances as they reach the shaders, textures and the order of
   triangles. Included by mock_md2.c and mock_md5.c, after mock_fixture.h. Public domain. */

/* -- State ----------------------------------------------------------------- */

/* Everything that a caller can bind is bound to objects of his; every call leaves it so. */
static void LIB(test_state)(LIB(fixture) *f)
{
    static const struct {
        const char *version;
        uint32_t    unit;
    } callers[3] = { { "3.3.0 fake", 0 }, { "OpenGL ES 3.0 fake", 7 },
                     { "OpenGL ES 3.0 (WebGL 2.0)", 13 } };
    static const uint8_t pixels[4 * 5 * 7] = { 1, 2, 3 };
    uint32_t texture, found = 0;
    for (uint32_t i = 0; i < 3; ++i) {
        LIB(begin_context)(f, i > 0);
        fake.version = callers[i].version;
        fake_gl_set_hostile();
        unsigned own = fake_gl_live(FAKE_KINDS);
        fake_state then = fake.state;
        fake_object array = fake.object[then.array];
        f->options.texture_unit = callers[i].unit;
        LIB(create_or_abort)(f);
        expect_state(&then, &array, "create");
        CHECK(LIB(upload)(f));
        expect_state(&then, &array, "upload");
        texture = LIB(gl_create_texture)(f->gl, pixels, 5, 7);
        expect_state(&then, &array, "texture");
        LIB(draw_mesh)(f, &f->one, texture, 2);
        expect_state(&then, &array, "draw");
        for (uint32_t k = 0; k < UNITS; ++k)
            found += fake.last.texture[callers[i].unit + k] == texture;
        CHECK_EQ(found, i + 1);
        LIB(draw)(f, 1);
        expect_state(&then, &array, "draw without a texture");
        CHECK_EQ(fake.draws, 2);
        expect_texels(texture, 5, 7, pixels);
        LIB(gl_free_mesh)(f->gl, &f->one);
        expect_state(&then, &array, "free_mesh");
        LIB(gl_destroy)(f->gl);
        f->gl = NULL;
        expect_state(&then, &array, "destroy");
        LIB(end_context)(f, own);
    }
}

/* With leave_state the caller has set what CONVENTIONS of OPENGL asks for. The library asks for
   nothing, and of the textures it changes only those of its own units. */
static void LIB(test_leave_state)(LIB(fixture) *f)
{
    LIB(begin_context)(f, true);
    fake_gl_set_hostile();
    fake.state.unpack_buffer = 0;
    memset(fake.state.unpack, 0, sizeof fake.state.unpack);
    fake.state.unpack[3] = 4;
    memset(fake.state.switches, 0, sizeof fake.state.switches);
    memset(fake.state.sampler + 4, 0, UNITS * sizeof(unsigned));
    fake_state then = fake.state;
    f->options.leave_state = true;
    f->options.texture_unit = 4;
    LIB(create_or_abort)(f);
    CHECK(LIB(upload)(f));
    fake.state = then;
    CHECK(LIB(draw)(f, 2));
    CHECK_EQ(fake.draws, 1);
    CHECK_EQ(fake_gl_calls("glGetIntegerv"), 1); /* MAX_TEXTURE_SIZE, once */
    CHECK_EQ(fake_gl_calls("glIsEnabled") + fake_gl_calls("glPixelStorei"), 0);
    for (unsigned i = 0; i < FAKE_UNITS; ++i) {
        if (i >= 4 && i < 4 + UNITS) continue;
        CHECK_EQ(fake.state.texture[i], then.texture[i]);
        CHECK_EQ(fake.state.sampler[i], then.sampler[i]);
    }
    CHECK(LIB(draw)(f, 2));               /* from the state that it left */
    fake.state = then;
    CHECK(LIB(draw)(f, 4000));
    CHECK(fake.draws > 2);
    LIB(end_renderer)(f);
}

/* -- One instance ---------------------------------------------------------- */

/* The bytes that a draw of the first instance sends. */
static record LIB(sent_record)(LIB(fixture) *f)
{
    record sent;
    memset(&sent, 0, sizeof sent);
    LIB(draw)(f, 1);
    const fake_object *buffer = streamed(f->one.vao);
    if (CHECK(buffer != NULL && buffer->size > 0 && buffer->size <= sizeof sent.bytes)) {
        sent.size = buffer->size;
        memcpy(sent.bytes, buffer->data, sent.size);
    }
    return sent;
}

static bool LIB(sends)(LIB(fixture) *f, const record *wanted)
{
    record sent = LIB(sent_record)(f);
    return sent.size == wanted->size && memcmp(sent.bytes, wanted->bytes, sent.size) == 0;
}

/* All zero is frame 0 or the bind pose, white, at the origin. */
static void LIB(test_defaults)(LIB(fixture) *f)
{
    LIB(first_instance)(f, false);
    record zero = LIB(sent_record)(f);
    LIB(first_instance)(f, true);
    CHECK(LIB(sends)(f, &zero));
    for (int i = 0; i < 4; ++i) {
        f->people[0].tint[i] = 0.5f;
        CHECK(!LIB(sends)(f, &zero));
        LIB(first_instance)(f, false);
        f->people[0].tint[i] = 0.5f; /* one component alone is a tint */
        CHECK(!LIB(sends)(f, &zero));
        f->people[0].tint[i] = -1;
        CHECK(!LIB(sends)(f, &zero));
        LIB(first_instance)(f, true);
    }
    for (int i = 0; i < 15; ++i) {
        float *transform = LIB(first_instance)(f, true)->transform;
        transform[i] += 0.5f;
        if (i % 4 != 3) CHECK(!LIB(sends)(f, &zero));
        transform[15] = -1;           /* [15] may have any sign */
        if (i % 4 != 3) CHECK(!LIB(sends)(f, &zero));
        transform = LIB(first_instance)(f, false)->transform;
        transform[i] = 3;             /* with [15] of 0 the rest has no effect */
        CHECK(LIB(sends)(f, &zero));
        transform[15] = i % 2 ? 1.0f : -1.0f;
        CHECK(!LIB(sends)(f, &zero));
    }
}

/* With keep_zeros a tint of all 0 is black and clear, and an ambient of 0 is none. */
static void LIB(test_kept_zeros)(LIB(fixture) *f)
{
    static const uint8_t black[16] = { 0 };
    LIB(gl_scene) scene;
    memset(&scene, 0, sizeof scene);
    scene.light_direction[0] = 1;
    f->options.keep_zeros = f->options.cut_out = true;
    LIB(create_and_upload)(f);
    CHECK(strstr(fake.object[fake.object[PROGRAM(f->gl)].shaders[1]].source, "#define CUT_OUT\n"));
    LIB(first_instance)(f, false);
    record first = LIB(sent_record)(f);
    CHECK(memcmp(first.bytes, black, sizeof black) == 0); /* a record begins with the tint */
    LIB(gl_draw)(f->gl, &f->one, 0, &scene, f->people, 1);
    const float *sent = sent_scene(SCENE);
    if (CHECK(sent != NULL)) CHECK_NEAR(sent[19], 0, 0);
    LIB(end_context)(f, 0);
}

/* -- The scene ------------------------------------------------------------- */

static void LIB(test_scenes)(LIB(fixture) *f)
{
    static const struct {
        float ambient, light[3], row_z[3], row_w[3]; /* of the projection */
        float sent[4];
    } lights[7] = {
        { 0.5f, { 0, 0, 2 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1, 0.5f } },
        { 0.125f, { 3, 0, -4 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0.6f, 0, -0.8f, 0.125f } },
        { 0, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 1, 0, 0.25f } },
        { -1, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 1, 0, 0.25f } },
        { 2, { 0, 0, 0 }, { 1, 2, 3 }, { 0, 4, -3 }, { 0, -0.8f, 0.6f, 2 } }, /* from the camera */
        { 2, { 0, 0, 0 }, { 0, 5, 12 }, { 0, 0, 0 }, { 0, -0.3846154f, -0.9230769f, 2 } },
        { 2, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0, 2 } } /* from nowhere */
    };
    for (int i = 0; i < 7; ++i) {
        LIB(gl_scene) scene;
        scene.ambient = lights[i].ambient;
        memcpy(scene.light_direction, lights[i].light, sizeof scene.light_direction);
        for (int k = 0; k < 16; ++k) scene.view_projection[k] = (float)k * 0.125f;
        for (int k = 0; k < 3; ++k) {
            scene.view_projection[4 * k + 2] = lights[i].row_z[k];
            scene.view_projection[4 * k + 3] = lights[i].row_w[k];
        }
        LIB(gl_draw)(f->gl, &f->one, 0, &scene, f->people, 1);
        const float *sent = sent_scene(SCENE);
        if (!CHECK(sent != NULL)) continue;
        CHECK(memcmp(sent, scene.view_projection, sizeof scene.view_projection) == 0);
        for (int k = 0; k < 4; ++k) CHECK_NEAR(sent[16 + k], lights[i].sent[k], 1e-6);
        CHECK_SCENE(f, sent);
    }
}

/* -- Pictures, in a format of our own -------------------------------------- */

static uint32_t LIB(load_picture)(LIB(fixture) *f, const LIB(model) *from)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, MODEL_FILE);
    return LOAD_TEXTURE(f->gl, from, path, 0, &f->said);
}

static void LIB(expect_no_picture)(LIB(fixture) *f, const char *message)
{
    CHECK_EQ(LIB(load_picture)(f, f->from), 0);
    CHECK(f->said.code != OPTION(OK) && f->said.message[0]);
    CHECK(strstr(f->said.message, message) != NULL);
}

/* Loads a picture in a new renderer, with the n-th allocation failing, for every n. Nothing leaks. */
static void LIB(test_pictures_without_memory)(LIB(fixture) *f)
{
    LIB(gl) *first = f->gl;
    bool     loaded = false;
    for (unsigned n = 1; n < 100 && !loaded; ++n) {
        f->gl = LIB(gl_create)(fake_gl_get_proc, &f->options, &f->said);
        f->memory.allocations = 0;
        f->memory.fail_at = n;
        uint32_t texture = LIB(load_picture)(f, f->from);
        CHECK(texture || f->said.code != OPTION(OK));
        fake_glDeleteTextures(1, &texture);
        loaded = f->memory.allocations < n;
        CHECK_EQ(loaded, texture != 0);
        f->memory.fail_at = 0;
        LIB(gl_destroy)(f->gl);
    }
    CHECK(loaded);
    f->gl = first;
}

static void LIB(test_pictures)(LIB(fixture) *f)
{
    static const char *const names[7] = { "cube.png", "cube.pcx", "gl_mock_model.png",
                                          "gl_mock_model.pcx", "gl_mock_model.tga", "grid_d.tga",
                                          "grid.png" };
    static const uint8_t flipped[24] = { 21, 22, 23, 24, 25, 26, 27, 28, 11, 12, 13, 14,
                                         15, 16, 17, 18, 1,  2,  3,  4,  5,  6,  7,  8 };
    uint32_t number;
    LIB(model) *from_below = LIB(load)(PICTURED, OPTION(FLIP_V), &number);
    for (unsigned i = 0; i < 7; ++i) forget(names[i]);
    pictures_decoded = pictures_freed = 0;
    fake_gl_set_hostile();
    unsigned callers = fake_gl_live(FAKE_KINDS);
    fake_state then = fake.state;
    LIB(create_or_abort)(f);
    unsigned own = fake_gl_live(FAKE_KINDS);
    LIB(expect_no_picture)(f, MISSING_PICTURE);
    const char *tried = strstr(f->said.message, "first tried: ");
    const char *path = tried ? strstr(tried, FIRST_TRIED) : NULL;
    CHECK(path && strcmp(path, FIRST_TRIED) == 0);
    CHECK_EQ(f->said.code, OPTION(ERROR_OPEN));
    CHECK_EQ(LOAD_TEXTURE(f->gl, NULL, "x", 0, &f->said), 0);
    CHECK_EQ(f->said.code, OPTION(ERROR_ARGUMENT));
    save(&FIRST_TRIED[1], picture, sizeof picture);
    expect_texels(LIB(load_picture)(f, f->from), 2, 3, picture + 5);
    forget(&FIRST_TRIED[1]);
    save(PICTURE_FILE, picture, sizeof picture);
    expect_texels(LIB(load_picture)(f, f->from), 2, 3, picture + 5);
    CHECK_EQ(f->said.code, OPTION(OK));
    /* v begins at the bottom, and so does the texture. */
    expect_texels(LIB(load_picture)(f, from_below), 2, 3, flipped);
    LIB(test_pictures_without_memory)(f);
    fake.gpu_requests = 0;
    fake.gpu_fail_at = 1;
    LIB(expect_no_picture)(f, "the GPU has no memory left");
    fake.gpu_fail_at = 0;
    save(PICTURE_FILE, "no picture", 10);
    LIB(expect_no_picture)(f, PICTURE_FILE);
    save(PICTURE_FILE, "PIC\1\1", 5);
    LIB(expect_no_picture)(f, "");
    forget(PICTURE_FILE);
    CHECK(fake_gl_difference(&then) == NULL);
    CHECK_EQ(fake_gl_live(FAKE_KINDS), own);
    CHECK(pictures_decoded >= 2);
    CHECK_EQ(pictures_decoded, pictures_freed);
    LIB(end_context)(f, callers);
    LIB(free_model)(from_below);
}

/* -- Triangles in an order for the vertex cache ---------------------------- */

static void LIB(test_triangle_order)(LIB(fixture) *f)
{
    const uint32_t *loaded = SHOWN(f)->indices, count = SHOWN(f)->index_count;
    const fake_object *elements = &fake.object[f->one.index_buffer];
    if (CHECK(elements->size == count * sizeof(uint32_t))) {
        const uint32_t *uploaded = (const uint32_t *)(const void *)elements->data;
        double before = cache_misses(loaded, count), after = cache_misses(uploaded, count);
        CHECK(sum_triangles(uploaded, count) == sum_triangles(loaded, count));
        printf("%s: vertices fetched for a triangle: %.3f as loaded, %.3f as uploaded\n", NAME,
               before, after);
        CHECK(after <= before * 1.1);
        if (count > 6000) CHECK(after < 0.75); /* the grid */
    }
}

static void LIB(test_all)(void)
{
    static const LIB(test) tests[] = {
        { LIB(test_the_fake_at_draws), SMALL, 2, false },
        { LIB(test_life), SMALL, 3, true },
        { LIB(test_life), PLAYER, 3, true },
        { LIB(test_life), GRID, 3, true },
        { LIB(test_nulls), SMALL, 1, false },
        { LIB(test_missing_functions), SMALL, 1, true },
        { LIB(test_refused_shaders), SMALL, 1, false },
        { LIB(test_shader_sources), SMALL, 1, false },
        { LIB(test_old_contexts), SMALL, 1, false },
        { LIB(test_call_counts), PLAYER, 10000, false },
        { LIB(test_steady_frames), PLAYER, 40000, true },
        { LIB(test_two_renderers), PLAYER, 3, true },
        { LIB(test_no_memory), PLAYER, 50000, false }, /* more than the upload took */
        { LIB(test_no_memory), TRIANGLES, 50000, false },
        { LIB(test_memory_comes_back), PLAYER, 50000, true },
        { LIB(test_lost_context), PLAYER, 20, false },
        { LIB(test_refused_draws), PLAYER, 200, false },
        { LIB(test_full_gpu), PLAYER, 1, false },
        { LIB(test_full_gpu_at_textures), PLAYER, 1, true },
        { LIB(test_limits), GRID, 1, false },
        { LIB(test_state), PLAYER, 2, false },
        { LIB(test_leave_state), PLAYER, 4000, false }, /* more than a row */
        { LIB(test_defaults), SMALL, 1, true },
        { LIB(test_kept_zeros), SMALL, 1, false },
        { LIB(test_scenes), SMALL, 1, true },
        { LIB(test_pictures), PICTURED, 1, false },
        { LIB(test_triangle_order), SMALL, 1, true },
        { LIB(test_triangle_order), PLAYER, 1, true },
        { LIB(test_triangle_order), GRID, 1, true }
    };
    check_section(NAME);
    LIB(run_tests)(tests, sizeof tests / sizeof tests[0]);
}
