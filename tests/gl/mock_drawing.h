/* mock_drawing.h: tests of textures, of the caller's OpenGL state, of instances and scenes as the GPU gets them, and of
   the order of triangles. Included by mock_md2.c and mock_md5.c, after mock_renderer.h. Public domain. */

/* -- Textures, from files in the tests' own format -------------------------- */

/* Deletes the pictures that an earlier test may have left. */
static void forget_pictures(void)
{
    static const char *const names[7] = { "cube.png", "cube.pcx", "gl_mock_model.png",
                                          "gl_mock_model.pcx", "gl_mock_model.tga", "grid_d.tga",
                                          "grid.png" };
    for (unsigned i = 0; i < 7; ++i) forget(names[i]);
}

static uint32_t load_picture(fixture *f, const model_t *from)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, MODEL_FILE);
    return LOAD_TEXTURE(f->gl, from, path, 0, &f->error);
}

static void expect_no_picture(fixture *f, const char *message)
{
    CHECK_EQ(load_picture(f, f->from), 0);
    CHECK(f->error.code != OK);
    bool is_expected = f->error.message[0] && strstr(f->error.message, message);
    if (!is_expected) check_step("the message is \"%s\", which lacks \"%s\"", f->error.message, message);
    CHECK(is_expected);
}

static void test_create_texture(fixture *f)
{
    static const uint8_t red_and_clear[8] = { 255, 0, 0, 255, 0, 0, 0, 0 };
    expect_texels(gl_create_texture(f->gl, red_and_clear, 2, 1), 2, 1, red_and_clear);
    CHECK_EQ(gl_create_texture(f->gl, red_and_clear, 0, 1), 0);
    CHECK_EQ(gl_create_texture(f->gl, red_and_clear, 1, 0), 0);
}

static void test_load_texture(fixture *f)
{
    forget_pictures();
    save(PICTURE_FILE, picture, sizeof picture);
    expect_texels(load_picture(f, f->from), 2, 3, picture + 5);
    CHECK_EQ(f->error.code, OK);

    check_step("a file whose name is tried before the others");
    forget(PICTURE_FILE);
    save(&FIRST_TRIED[1], picture, sizeof picture);
    expect_texels(load_picture(f, f->from), 2, 3, picture + 5);
    forget(&FIRST_TRIED[1]);
}

static void test_flip_v(fixture *f)
{
    static const uint8_t flipped[24] = { 21, 22, 23, 24, 25, 26, 27, 28, 11, 12, 13, 14,
                                         15, 16, 17, 18, 1,  2,  3,  4,  5,  6,  7,  8 };
    uint32_t number;
    model_t *from_below = load(PICTURED, FLIP_V, &number);
    save(PICTURE_FILE, picture, sizeof picture);
    expect_texels(load_picture(f, from_below), 2, 3, flipped);
    forget(PICTURE_FILE);
    free_model(from_below);
}

static void test_missing_picture(fixture *f)
{
    forget_pictures();
    expect_no_picture(f, MISSING_PICTURE);
    CHECK_EQ(f->error.code, ERROR_OPEN);
    const char *tried = strstr(f->error.message, "first tried: ");
    CHECK_TEXT(tried ? strstr(tried, FIRST_TRIED) : NULL, FIRST_TRIED);
    CHECK_EQ(LOAD_TEXTURE(f->gl, NULL, "x", 0, &f->error), 0);
    CHECK_EQ(f->error.code, ERROR_ARGUMENT);
}

/* A new renderer loads a picture while its n-th allocation fails, for every n. */
static void test_pictures_without_memory(fixture *f)
{
    gl_t *first = f->gl;
    bool     loaded = false;
    forget_pictures();
    save(PICTURE_FILE, picture, sizeof picture);
    for (unsigned n = 1; n < 100 && !loaded; ++n) {
        check_step("allocation %u fails", n);
        f->gl = gl_create(fake_gl_get_proc, &f->options, &f->error);
        f->memory.allocations = 0;
        f->memory.fail_at = n;
        uint32_t texture = load_picture(f, f->from);
        CHECK(texture || f->error.code != OK);
        fake_glDeleteTextures(1, &texture);
        loaded = f->memory.allocations < n;
        CHECK_EQ(loaded, texture != 0);
        f->memory.fail_at = 0;
        gl_destroy(f->gl);
    }
    CHECK(loaded);
    f->gl = first;
    check_step("the GPU has no memory");
    fake.gpu_requests = 0;
    fake.gpu_fail_at = 1;
    expect_no_picture(f, "the GPU has no memory left");
    forget(PICTURE_FILE);
}

static void test_bad_pictures(fixture *f)
{
    unsigned own = fake_gl_live(FAKE_KINDS);
    forget_pictures();
    pictures_decoded = pictures_freed = 0;
    save(PICTURE_FILE, "no picture", 10);
    expect_no_picture(f, PICTURE_FILE ": unknown image type");
    check_step("a file that is cut short");
    save(PICTURE_FILE, "PIC\1\1", 5);
    expect_no_picture(f, PICTURE_FILE ": cut short");
    check_step("stb_image was built without failure reasons");
    save(PICTURE_FILE, "none", 4);
    expect_no_picture(f, PICTURE_FILE);
    CHECK(strstr(f->error.message, PICTURE_FILE ":") == NULL);
    save(PICTURE_FILE, picture, sizeof picture);
    expect_texels(load_picture(f, f->from), 2, 3, picture + 5);
    forget(PICTURE_FILE);
    expect_live(own, "deleting the picture");
    CHECK(pictures_decoded >= 1);
    CHECK_EQ(pictures_freed, pictures_decoded);
}

/* All memory for decoding a picture and for flipping it is freed. */
static void test_memory_of_a_picture(fixture *f)
{
    static uint8_t file[5 + 255 * 255 * 4] = { 'P', 'I', 'C', 255, 255 };
    uint32_t number;
    model_t *from_below = load(PICTURED, FLIP_V, &number);
    size_t before = f->memory.live_bytes;
    save(PICTURE_FILE, file, sizeof file);
    for (int i = 0; i < 2; ++i) {
        check_step(i ? "with FLIP_V" : "without FLIP_V");
        uint32_t texture = load_picture(f, i ? from_below : f->from);
        CHECK(texture != 0);
        fake_glDeleteTextures(1, &texture);
        CHECK_EQ(f->memory.live_bytes, before);
    }
    forget(PICTURE_FILE);
    free_model(from_below);
}

static void test_pictures_too_large(fixture *f)
{
    static uint8_t wide[5 + 65 * 4] = { 'P', 'I', 'C', 65, 1 };
    static const uint8_t end = 0;
    fake.max_texture_size = 64;
    create_or_abort(f);
    forget_pictures();
    save(PICTURE_FILE, wide, sizeof wide);
    check_step("wider than a texture");
    expect_no_picture(f, "the image has a side of 65 pixels, but a texture has at most 64: ");
    CHECK(strstr(f->error.message, PICTURE_FILE) != NULL);
    CHECK_EQ(f->error.code, ERROR_LIMIT);

    check_step("a file of over 64 MiB");
    char path[600];
    snprintf(path, sizeof path, "%s/" PICTURE_FILE, folder);
    FILE *file = fopen(path, "wb");
    CHECK(file && fseek(file, 64L << 20, SEEK_SET) == 0 && fwrite(&end, 1, 1, file) == 1);
    fclose(file);
    expect_no_picture(f, PICTURE_FILE " is too large: 67108864 bytes or more");
    CHECK_EQ(f->error.code, ERROR_LIMIT);
    CHECK_TEXT(gl_last_error(f->gl)->message, f->error.message);

    check_step("a small picture, but no memory");
    save(PICTURE_FILE, picture, sizeof picture);
    f->memory.fail_at = f->memory.allocations + 2; /* the allocation after the path's */
    expect_no_picture(f, "no memory for ");
    CHECK_EQ(f->error.code, ERROR_MEMORY);
    f->memory.fail_at = 0;
    forget(PICTURE_FILE);
    end_context(f, 0);
}

/* The path is "build/././././.../model.md2". */
static void test_long_path(fixture *f)
{
    char path[3000];
    snprintf(path, sizeof path, "%s/", folder);
    while (strlen(path) < 2500) strcat(path, "./");
    strcat(path, MODEL_FILE);
    forget_pictures();
    save(PICTURE_FILE, picture, sizeof picture);
    expect_texels(LOAD_TEXTURE(f->gl, f->from, path, 0, &f->error), 2, 3, picture + 5);
    forget(PICTURE_FILE);

    check_step("without a picture, the message has as much of the path as fits");
    CHECK_EQ(LOAD_TEXTURE(f->gl, f->from, path, 0, &f->error), 0);
    CHECK_EQ(f->error.code, ERROR_OPEN);
    CHECK(strstr(f->error.message, "././././") != NULL);
}

/* -- Pictures without OpenGL ------------------------------------------------- */

/* Loads the pixels of the model's picture. If `wanted` is NULL, expects an error that contains `message`
   instead. */
static void expect_pixels(fixture *f, const options_t *options, uint32_t wide, uint32_t high,
                          const uint8_t *wanted, const char *message)
{
    char         path[600];
    uint32_t     width = 0, height = 0;
    load_error_t error;
    snprintf(path, sizeof path, "%s/%s", folder, MODEL_FILE);
    uint8_t *pixels = LOAD_PIXELS(f->from, path, 0, &width, &height, options, &error);
    CHECK_EQ(pixels != NULL, wanted != NULL);
    CHECK_EQ(error.code == OK, wanted != NULL);
    CHECK_EQ(width, wide);
    CHECK_EQ(height, high);
    for (size_t i = 0; pixels && i < (size_t)4 * wide * high; ++i) CHECK_EQ(pixels[i], wanted[i]);
    bool is_expected = pixels || strstr(error.message, message);
    if (!is_expected) check_step("the message is \"%s\", which lacks \"%s\"", error.message, message);
    CHECK(is_expected);
    FREE_PIXELS(pixels);
}

static void test_load_pixels(fixture *f)
{
    forget_pictures();
    check_step("no picture");
    expect_pixels(f, NULL, 0, 0, NULL, MISSING_PICTURE);
    expect_pixels(f, NULL, 0, 0, NULL, FIRST_TRIED);
    check_step("a file that is not a picture");
    save(PICTURE_FILE, "no picture", 10);
    expect_pixels(f, NULL, 0, 0, NULL, PICTURE_FILE ": unknown image type");
    check_step("a picture");
    save(PICTURE_FILE, picture, sizeof picture);
    expect_pixels(f, NULL, 2, 3, picture + 5, "");
    check_step("a picture whose name comes after a file that is not a picture");
    save(&FIRST_TRIED[1], "no picture", 10);
    expect_pixels(f, NULL, 2, 3, picture + 5, "");
    forget(&FIRST_TRIED[1]);
    forget(PICTURE_FILE);
}

/* Each allocation fails in turn: for the path, the file, the pixels. */
static void test_load_pixels_memory(fixture *f)
{
    counting_allocator memory;
    options_t          options;
    static uint8_t     white[5 + 16 * 16 * 4] = { 'P', 'I', 'C', 16, 16 };
    forget_pictures();
    save(PICTURE_FILE, picture, sizeof picture);
    for (size_t fail_at = 1; fail_at <= 4; ++fail_at) {
        memset(&memory, 0, sizeof memory);
        memset(&options, 0, sizeof options);
        options.allocator.alloc = counting_alloc;
        options.allocator.release = counting_release;
        options.allocator.user = &memory;
        memory.fail_at = fail_at;
        check_step("allocation %u fails", (unsigned)fail_at);
        bool is_enough = fail_at == 4;
        expect_pixels(f, &options, is_enough ? 2 : 0, is_enough ? 3 : 0,
                      is_enough ? picture + 5 : NULL, fail_at == 1 ? "no memory" : PICTURE_FILE);
        CHECK(counting_is_clean(&memory));
    }

    check_step("a limit below the size of the path");
    memory.fail_at = 0;
    options.max_bytes = 20;
    expect_pixels(f, &options, 0, 0, NULL, "max_bytes is 20");
    check_step("a limit below the size of the file");
    save(PICTURE_FILE, white, sizeof white);
    options.max_bytes = 900;
    expect_pixels(f, &options, 0, 0, NULL, PICTURE_FILE " is too large: 900 bytes or more");
    check_step("a limit below the size of path and pixels");
    options.max_bytes = sizeof white + 8;
    expect_pixels(f, &options, 0, 0, NULL, "but max_bytes is 1037: ");
    expect_pixels(f, &options, 0, 0, NULL, PICTURE_FILE);
    CHECK(counting_is_clean(&memory));

    check_step("an incomplete allocator, and nothing to load");
    uint32_t width, height;
    CHECK(!LOAD_PIXELS(NULL, NULL, 0, &width, &height, NULL, &f->error));
    CHECK_TEXT(f->error.message, "no model, width or height is given");
    options.allocator.release = NULL;
    CHECK(!LOAD_PIXELS(f->from, NULL, 0, &width, &height, &options, &f->error));
    CHECK_TEXT(f->error.message, "an allocator needs both alloc and release");
    forget(PICTURE_FILE);
}

/* -- State ----------------------------------------------------------------- */

static void test_texture_unit(fixture *f)
{
    for (uint32_t unit = 0; unit < 20; unit += 7) {
        check_scene("texture_unit %u", unit);
        begin_context(f, false);
        f->options.texture_unit = unit;
        create_and_upload(f);
        uint32_t texture = gl_create_texture(f->gl, texel, 1, 1);
        draw_mesh(f, &f->one, texture, 1);
        CHECK_EQ(fake.last.texture[unit], DATA_TEXTURE(f->one));
        CHECK_EQ(fake.last.texture[unit + UNITS - 1], texture);
        CHECK_EQ(fake.last.texture[unit + UNITS], 0);

        check_step("unit of the sampler " SKIN);
        int unit_read = sent_uniform(SKIN)->unit;
        CHECK_EQ(unit_read, unit + UNITS - 1);
        fake_glDeleteTextures(1, &texture);
        free_all(f);
    }
}

/* The caller has bound objects wherever possible, and enabled all switches. In the last case nothing is bound or
   enabled. */
static void test_state(fixture *f)
{
    static const struct {
        const char *version;
        uint32_t    unit;
    } callers[4] = { { "3.3.0 fake", 0 }, { "OpenGL ES 3.0 fake", 7 },
                     { "OpenGL ES 3.0 (WebGL 2.0)", 13 }, { "4.6.0 fake", 0 } };
    save(PICTURE_FILE, picture, sizeof picture);
    for (uint32_t i = 0; i < 4; ++i) {
        check_scene("%s, texture_unit %u", callers[i].version, callers[i].unit);
        begin_context(f, i % 3 != 0);
        fake.version = callers[i].version;
        if (i < 3) fake_gl_set_hostile();
        const fake_state then = fake.state;
        const fake_object array = fake.object[then.array];
        f->options.texture_unit = callers[i].unit;
        create_or_abort(f);
        expect_state(&then, &array, "create");
        CHECK(upload(f));
        expect_state(&then, &array, "upload");
        uint32_t texture = load_picture(f, f->from);
        expect_state(&then, &array, "load_texture");
        draw_mesh(f, &f->one, texture, 2);
        expect_no_mistakes("a draw with samplers and switches that would change its picture");
        expect_state(&then, &array, "draw");
        fake_glDeleteTextures(1, &texture);
        draw(f, 1);
        expect_state(&then, &array, "draw without a texture");
        CHECK(gl_use_program(f->gl, PROGRAM(f->gl)) && gl_use_program(f->gl, 0));
        expect_state(&then, &array, "use_program");
        gl_free_mesh(f->gl, &f->one);
        expect_state(&then, &array, "free_mesh");
        gl_destroy(f->gl);
        f->gl = NULL;
        expect_state(&then, &array, "destroy");
    }
    forget(PICTURE_FILE);
}

/* The caller has set the state that the section OPENGL of the header requires for leave_state, and much other state. */
static void test_leave_state(fixture *f)
{
    begin_context(f, true);
    fake_gl_set_hostile();
    fake.state.unpack_buffer = 0;
    memset(fake.state.unpack, 0, sizeof fake.state.unpack);
    fake.state.unpack[3] = 4;
    memset(fake.state.switches, 0, sizeof fake.state.switches);
    memset(fake.state.sampler + 4, 0, UNITS * sizeof(unsigned));
    const fake_state then = fake.state;
    f->options.leave_state = true;
    f->options.texture_unit = 4;
    check_step("create and upload");
    create_and_upload(f);
    CHECK_EQ(fake_gl_calls("glGetIntegerv"), 1); /* MAX_TEXTURE_SIZE, once */
    check_step("draw");
    fake.state = then;
    fake_gl_start_count();
    CHECK(draw(f, 2));
    CHECK_EQ(fake_gl_calls("glGetIntegerv"), 0);
    CHECK_EQ(fake_gl_calls("glIsEnabled"), 0);
    CHECK_EQ(fake_gl_calls("glPixelStorei"), 0);

    check_step("objects that the draw has bound stay bound, and all other state is unchanged");
    CHECK_EQ(fake.state.program, PROGRAM(f->gl));
    CHECK_EQ(fake.state.array, f->one.vao);
    CHECK_EQ(fake.state.texture[4], DATA_TEXTURE(f->one));
    fake_state others = then;
    others.program = fake.state.program;
    others.array = fake.state.array;
    others.array_buffer = fake.state.array_buffer;
    others.active_unit = fake.state.active_unit;
    memcpy(others.texture + 4, fake.state.texture + 4, UNITS * sizeof(unsigned));
    expect_state(&others, &fake.object[others.array], "draw");

    check_step("a second draw, from the state that the first has left");
    CHECK(draw(f, 2));
    fake.state = then;
    CHECK(draw(f, 4000));
    CHECK_EQ(fake.draws, 3);
    end_renderer(f);
}

/* -- Instances --------------------------------------------------------------- */

/* The components of the tint differ, and so do all numbers of the transform. In both libraries the GPU gets the
   tint first, then three rows of the matrix. MD2 adds the origin of the frame to the last column; the origin is the
   same for all instances. */
static void test_instances(fixture *f)
{
    static const float tint[4] = { 0.25f, 0.5f, 0.75f, 1 };
    static const float transform[16] = { 1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1 };
    float first[16], sent[16];
    for (int i = 0; i < 3; ++i) {
        f->people[i] = f->people[0];
        memcpy(f->people[i].tint, tint, sizeof tint);
        memcpy(f->people[i].transform, transform, sizeof transform);
        f->people[i].tint[3] = (float)i;
        f->people[i].transform[13] = (float)(11 + i);
    }
    CHECK(draw(f, 3));
    const fake_object *buffer = streamed(f->one.vao);
    CHECK(buffer != NULL);
    memcpy(first, buffer->data, sizeof first);
    for (int i = 0; i < 3; ++i) {
        check_step("instance %d", i);
        memcpy(sent, buffer->data + buffer->size / 3 * (size_t)i, sizeof sent);
        CHECK_EQ(sent[0], 0.25);
        CHECK_EQ(sent[1], 0.5);
        CHECK_EQ(sent[2], 0.75);
        CHECK_EQ(sent[3], i);
        for (int k = 0; k < 12; ++k) {
            if (k % 4 == 3) CHECK_NEAR(sent[4 + k] - first[4 + k], k == 7 ? i : 0, 1e-3);
            else CHECK_EQ(sent[4 + k], transform[k % 4 * 4 + k / 4]);
        }
    }
}

/* Returns the bytes that a draw of the first instance sends. */
static record sent_record(fixture *f)
{
    record sent;
    memset(&sent, 0, sizeof sent);
    draw(f, 1);
    const fake_object *buffer = streamed(f->one.vao);
    CHECK(buffer != NULL && buffer->size > 0 && buffer->size <= sizeof sent.bytes);
    sent.size = buffer->size;
    memcpy(sent.bytes, buffer->data, sent.size);
    return sent;
}

static bool sends(fixture *f, const record *wanted)
{
    record sent = sent_record(f);
    return sent.size == wanted->size && memcmp(sent.bytes, wanted->bytes, sent.size) == 0;
}

static void test_defaults(fixture *f)
{
    static const float white_at_origin[11] = { 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0 };
    float sent[16];
    first_instance(f, false);
    record zero = sent_record(f);
    memcpy(sent, zero.bytes, sizeof sent);
    for (int i = 0; i < 11; ++i) {
        if (i != 7) CHECK_EQ(sent[i], white_at_origin[i]); /* 7: the frame's origin */
    }
    first_instance(f, true);
    bool sends_the_same_if_all_is_given = sends(f, &zero);
    CHECK(sends_the_same_if_all_is_given);
}

static void test_tint_components(fixture *f)
{
    first_instance(f, false);
    record white = sent_record(f);
    for (int i = 0; i < 4; ++i) {
        check_step("tint[%d] is 0.5, all other values are given", i);
        first_instance(f, true)->tint[i] = 0.5f;
        CHECK(!sends(f, &white));
        check_step("tint[%d] 0.5, all else 0", i);
        first_instance(f, false)->tint[i] = 0.5f;
        CHECK(!sends(f, &white));
        check_step("tint[%d] -1, all else 0", i);
        f->people[0].tint[i] = -1;
        CHECK(!sends(f, &white));
    }
}

static void test_identity(fixture *f)
{
    first_instance(f, false);
    record at_origin = sent_record(f);
    for (int i = 0; i < 15; ++i) {
        check_step("transform[%d] 0.5 more, [15] 1", i);
        float *transform = first_instance(f, true)->transform;
        transform[i] += 0.5f;
        if (i % 4 != 3) CHECK(!sends(f, &at_origin));
        check_step("transform[%d] 0.5 more, [15] -1", i);
        transform[15] = -1;
        if (i % 4 != 3) CHECK(!sends(f, &at_origin));
        check_step("transform[%d] 3, [15] 0", i);
        transform = first_instance(f, false)->transform;
        transform[i] = 3;
        CHECK(sends(f, &at_origin));
        transform[15] = i % 2 ? 1.0f : -1.0f;
        check_step("transform[%d] 3, [15] %g, all else 0", i, (double)transform[15]);
        CHECK(!sends(f, &at_origin));
    }
}

/* -- The scene ------------------------------------------------------------- */

/* In all views except the last, x points right and (0, -12, 5) points up. */
static void test_scene(fixture *f)
{
    static const float up[3] = { 0, -12, 5 };
    static const struct {
        const char *name;
        float       ambient, light[3], right[3], row_z[3], row_w[3], sent[4];
    } lights[8] = {
        { "light from above", 0.5f, { 0, 0, 2 }, { 9, 0, 0 }, { 0, 0, 1 }, { 0, 0, 1 },
          { 0, 0, 1, 0.5f } },
        { "light of length 5", 0.125f, { 3, 0, -4 }, { 9, 0, 0 }, { 0, 0, 1 }, { 0, 0, 1 },
          { 0.6f, 0, -0.8f, 0.125f } },
        { "ambient 0 is 0.25", 0, { 0, 1, 0 }, { 9, 0, 0 }, { 0, 0, 1 }, { 0, 0, 1 },
          { 0, 1, 0, 0.25f } },
        { "ambient -1 is none", -1, { 0, 1, 0 }, { 9, 0, 0 }, { 0, 0, 1 }, { 0, 0, 1 },
          { 0, 1, 0, 0 } },
        { "light 0 is from the camera", 2, { 0, 0, 0 }, { 9, 0, 0 }, { 1, 2, 3 }, { 0, 4, -3 },
          { 0, -0.8f, 0.6f, 2 } },
        { "light 0, orthographic", 2, { 0, 0, 0 }, { 9, 0, 0 }, { 0, 5, 12 }, { 0, 0, 0 },
          { 0, -0.3846154f, -0.9230769f, 2 } },
        { "light 0, orthographic, reversed depth", 2, { 0, 0, 0 }, { 9, 0, 0 }, { 0, -5, -12 },
          { 0, 0, 0 }, { 0, -0.3846154f, -0.9230769f, 2 } },
        { "light 0, a view of nothing", 2, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 },
          { 0, 0, 0, 2 } }
    };
    for (int i = 0; i < 8; ++i) {
        check_step("%s", lights[i].name);
        gl_scene_t scene;
        scene.ambient = lights[i].ambient;
        memcpy(scene.light_direction, lights[i].light, sizeof scene.light_direction);
        for (int k = 0; k < 16; ++k) scene.view_projection[k] = (float)k * 0.125f;
        for (int k = 0; k < 3; ++k) {
            scene.view_projection[4 * k] = lights[i].right[k];
            scene.view_projection[4 * k + 1] = up[k];
            scene.view_projection[4 * k + 2] = lights[i].row_z[k];
            scene.view_projection[4 * k + 3] = lights[i].row_w[k];
        }
        gl_draw(f->gl, &f->one, 0, &scene, f->people, 1);
        const float *sent = sent_uniform(SCENE)->value, *sent_light = sent + 16;
        for (int k = 0; k < 16; ++k) CHECK_EQ(sent[k], scene.view_projection[k]);
        CHECK_NEAR(sent_light[0], lights[i].sent[0], 1e-6);
        CHECK_NEAR(sent_light[1], lights[i].sent[1], 1e-6);
        CHECK_NEAR(sent_light[2], lights[i].sent[2], 1e-6);
        float sent_ambient = sent[19];
        CHECK_NEAR(sent_ambient, lights[i].sent[3], 1e-6);
        CHECK_SCENE(f, sent);
    }
}

/* -- Triangles in an order for the vertex cache ---------------------------- */

static void test_triangle_order(fixture *f)
{
    const uint32_t *loaded = SHOWN(f)->indices, count = SHOWN(f)->index_count;
    const fake_object *elements = &fake.object[f->one.index_buffer];
    CHECK_EQ(elements->size, count * sizeof(uint32_t));
    const uint32_t *uploaded = (const uint32_t *)(const void *)elements->data;
    bool has_the_same_triangles = sum_triangles(uploaded, count) == sum_triangles(loaded, count);
    CHECK(has_the_same_triangles);

    double before = cache_misses(loaded, count), after = cache_misses(uploaded, count);
    printf("    vertices for a triangle: %.3f as loaded, %.3f as uploaded\n", before, after);
    CHECK(after <= before * 1.1);
    if (count > 6000) CHECK(after < 0.75); /* only the grid is this large */
}

/* Tests whose failures point to one cause come first, because the same causes also make later tests fail. */
static const gl_test shared_tests[] = {
    GL_TEST(texture_unit, "a draw uses the texture units from texture_unit on", PLAYER, 1, false),
    GL_TEST(state, "every call leaves the GL state as it was", PICTURED, 2, false),
    GL_TEST(free_mesh, "a freed mesh leaves nothing behind, also freed twice", SMALL, 1, false),
    GL_TEST(draw, "a crowd is one draw call with an instance for each character", EACH, 3, true),
    GL_TEST(upload, "a model may be freed after its upload, and its mesh still draws", EACH, 3, true),
    GL_TEST(plain_white, "without a texture a mesh is plain white", SMALL, 1, true),
    GL_TEST(empty_draw, "a draw of no instances succeeds and calls no GL", SMALL, 1, true),
    GL_TEST(instances, "each instance has its own tint and transform", PLAYER, 3, true),
    GL_TEST(defaults, "an instance of zeros is white, at the origin, in its first pose",
            SMALL, 1, true),
    GL_TEST(scene, "the shader gets camera, light and ambient light; 0 means a default", SMALL, 1, true),
    GL_TEST(leave_state, "with leave_state a draw queries nothing, and its objects stay bound",
            PLAYER, 4000, false), /* more than a row of a texture */
    GL_TEST(create_texture, "a texture keeps its pixels, has mipmaps, and repeats", SMALL, 1, true),
    GL_TEST(load_texture, "the texture is the picture next to the model's file", PICTURED, 1, true),
    GL_TEST(flip_v, "for a model with FLIP_V the bottom row comes first", PICTURED, 1, true),
    GL_TEST(missing_picture, "without a picture the error names the file", PICTURED, 1, true),
    GL_TEST(version_line, "the first line of the shaders matches the context", SMALL, 1, false),
    GL_TEST(fragment_source, "fragment_source replaces the fragment shader",
            SMALL, 1, false),
    GL_TEST(cut_out, "cut_out is set in the fragment shader", SMALL, 1, false),
    GL_TEST(use_program, "a custom program draws until it is removed", PLAYER, 3, true),
    GL_TEST(refused_programs, "use_program refuses anything but a linked program, and changes nothing",
            PLAYER, 3, true),
    GL_TEST(deleted_program, "a program that was deleted in use is not replaced by another",
            SMALL, 1, true),
    GL_TEST(last_error, "last_error is the result of the last call, whatever came before", SMALL, 1, true),
    GL_TEST(crowd_is_gone, "memory for a crowd is freed when the crowd is gone",
            PLAYER, 10000, true),
    GL_TEST(memory_of_a_picture, "no copy of a picture stays in memory", PICTURED, 1, true),
    GL_TEST(long_path, "the path of a picture may have any length", PICTURED, 1, true),
    GL_TEST(errors, "only a draw larger than all before asks for GL errors", PLAYER, 300, true),
    GL_TEST(two_renderers, "two renderers draw in one context", PLAYER, 3, true)
};

static const gl_test edges[] = {
    GL_TEST(tint_components, "a single nonzero component is a tint, also a negative one", SMALL, 1, true),
    GL_TEST(identity, "a transform counts if its last number is not 0", SMALL, 1, true),
    GL_TEST(triangle_order, "an upload sorts triangles for the vertex cache", EACH, 1, true),
    GL_TEST(call_counts, "a frame takes as many GL calls for 10,000 characters as for one",
            PLAYER, 10000, false),
    GL_TEST(steady_frames, "a crowd that does not grow allocates nothing", PLAYER, 40000, true),
    GL_TEST(refused_arguments, "the error for a refused argument has the reason; no GL is called", SMALL, 1, false),
    GL_TEST(missing_functions, "a GL without a function is refused, and the error names the function", SMALL, 1, true),
    GL_TEST(old_contexts, "an old context is refused, and the error has its version", SMALL, 1, false),
    GL_TEST(refused_shaders, "the error for a failed shader quotes the driver", SMALL, 1, false),
    GL_TEST(no_memory, "without memory each call fails, and nothing leaks",
            PLAYER | TRIANGLES, 50000, false),
    GL_TEST(memory_comes_back, "when there is memory again, the same objects work", PLAYER, 50000, true),
    GL_TEST(lost_while_creating, "a context lost while the renderer is created is an error",
            SMALL, 1, false),
    GL_TEST(lost_context, "a lost context never causes a crash", PLAYER, 20, false),
    GL_TEST(refused_draws, "a failed draw has a reason, and the next draw sends everything again", PLAYER, 200, false),
    GL_TEST(full_gpu, "without GPU memory an upload fails and leaves nothing", PLAYER, 1, false),
    GL_TEST(full_gpu_at_textures, "without GPU memory there is no texture", PLAYER, 1, true),
    GL_TEST(no_memory_anywhere, "a failed upload leaves no error in OpenGL", PLAYER, 1, true),
    GL_TEST(limits, "a model too large for the textures of this GL is refused", GRID, 1, false),
    GL_TEST(pictures_without_memory, "loading a picture without memory is an error", PICTURED, 1, true),
    GL_TEST(bad_pictures, "a file that is not a picture is an error, and its memory is freed",
            PICTURED, 1, true),
    GL_TEST(pictures_too_large, "a picture that is too large is refused, with the reason",
            PICTURED, 1, false),
    GL_TEST(load_pixels, "also without OpenGL a picture is loaded, as pixels", PICTURED, 1, false),
    GL_TEST(load_pixels_memory, "pixels are in memory of the allocator, which may fail",
            PICTURED, 1, false),
    GL_TEST(great_crowd, "a crowd of over 64 MiB is drawn", SMALL, GREAT_CROWD, true)
};
