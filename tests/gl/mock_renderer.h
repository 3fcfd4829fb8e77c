/* mock_renderer.h: tests of creating and destroying a renderer, of the GL calls that a frame takes, and of failures
   when memory runs out or the context is lost. Included by mock_md2.c and mock_md5.c, after mock_fixture.h. Public
   domain. */

static const uint8_t texel[4] = { 9, 9, 9, 9 };

/* -- The draws of a frame --------------------------------------------------- */

static void test_draw(fixture *f)
{
    CHECK(draw(f, 3));
    CHECK_EQ(fake.draws, 1);
    CHECK_EQ(fake.last.instances, 3);
    CHECK_EQ(fake.last.count, SHOWN(f)->index_count);
    CHECK_EQ(fake.last.mode, FAKE_TRIANGLES);
    CHECK_EQ(fake.last.program, PROGRAM(f->gl));
}

static void test_upload(fixture *f)
{
    gl_mesh_t two;
    fake.error = FAKE_INVALID_OPERATION;  /* an error that other code left; an upload clears it */
    CHECK(UPLOAD(f->gl, f->from, f->number, &two, NULL));
    CHECK_EQ(fake.error, 0);
    CHECK_EQ(two.index_count, SHOWN(f)->index_count);
    CHECK(DATA_TEXTURE(two) != 0 && DATA_TEXTURE(two) != DATA_TEXTURE(f->one));
    CHECK(two.vao != 0 && two.vao != f->one.vao);
    CHECK(two.vertex_buffer != 0 && two.vertex_buffer != f->one.vertex_buffer);
    CHECK(two.index_buffer != 0 && two.index_buffer != f->one.index_buffer);

    free_model(f->from);
    f->from = NULL;
    CHECK(draw_mesh(f, &two, 0, 3));
    gl_free_mesh(f->gl, &two);
    CHECK(draw(f, 3));
    CHECK_EQ(fake.draws, 2);
}

static void test_free_mesh(fixture *f)
{
    create_or_abort(f);
    unsigned before = fake_gl_live(FAKE_KINDS);
    CHECK(upload(f));
    size_t blocks = f->memory.live_blocks;
    gl_free_mesh(f->gl, &f->one);
    expect_live(before, "free_mesh");
    CHECK_EQ(f->memory.live_blocks, blocks - BLOCKS);
    expect_empty(&f->one);
    gl_free_mesh(f->gl, &f->one);
    expect_live(before, "a second free_mesh");
    free_all(f);
}

static void test_plain_white(fixture *f)
{
    draw(f, 1);
    const fake_object *texture = &fake.object[fake.last.texture[UNITS - 1]];
    CHECK_EQ(texture->width, 1);
    CHECK_EQ(texture->height, 1);
    CHECK_EQ(texture->size, 4);
    for (int i = 0; i < 4; ++i) CHECK_EQ(texture->data[i], 255);
}

static void test_empty_draw(fixture *f)
{
    fake_gl_start_count();
    CHECK(draw(f, 0));
    CHECK_EQ(gl_last_error(f->gl)->code, OK);

    check_step("a draw from an empty list, whose address may be NULL");
    CHECK(gl_draw(f->gl, &f->one, 0, &unit_scene, NULL, 0));
    CHECK_EQ(gl_last_error(f->gl)->code, OK);
    CHECK_EQ(fake.calls, 0);
}

static void test_use_program(fixture *f)
{
    gl_t *other = gl_create(fake_gl_get_proc, &f->options, NULL);
    uint32_t own = ANY_PROGRAM(other);
    CHECK(gl_use_program(f->gl, own));
    CHECK(draw(f, 3));
    CHECK_EQ(fake.last.program, own);
    CHECK(gl_use_program(f->gl, 0));
    gl_destroy(other);
    CHECK(draw(f, 3));
    CHECK_EQ(fake.last.program, PROGRAM(f->gl));
}

/* The call fails with an error, and the renderer keeps its program. An OpenGL error that the caller left is neither
   reported nor cleared. */
static void test_refused_programs(fixture *f)
{
    static const char *const what[4] = { "a name of nothing", "a shader", "a program not linked",
                                         "a deleted program" };
    gl_t *other = gl_create(fake_gl_get_proc, &f->options, NULL);
    uint32_t own = ANY_PROGRAM(other);
    CHECK(gl_use_program(f->gl, own));
    unsigned shader = fake_glCreateShader(FAKE_VERTEX_SHADER), unlinked = fake_new(FAKE_PROGRAM),
             deleted = fake_new(FAKE_PROGRAM);
    fake.object[deleted].built = true;
    fake_glDeleteProgram(deleted);
    const unsigned names[4] = { 987654, shader, unlinked, deleted };
    for (int i = 0; i < 4; ++i) {
        check_step("%s", what[i]);
        char message[80];
        snprintf(message, sizeof message, "%u is not a linked OpenGL program", names[i]);
        fake.error = FAKE_INVALID_OPERATION;
        CHECK(!gl_use_program(f->gl, names[i]));
        CHECK_TEXT(gl_last_error(f->gl)->message, message);
        CHECK_EQ(fake.error, FAKE_INVALID_OPERATION);
        expect_no_mistakes("use_program");
        CHECK(draw(f, 3));
        CHECK_EQ(fake.last.program, own);
        CHECK_EQ(gl_last_error(f->gl)->code, OK);
    }
    fake.object[shader].live = false;
    fake_glDeleteProgram(unlinked);
    gl_destroy(other);
}

/* OpenGL keeps a deleted program while it is in use. A draw ends its use, so the program is gone after the draw;
   that is not an error. */
static void test_deleted_program(fixture *f)
{
    unsigned own = fake_new(FAKE_PROGRAM);
    fake.object[own].built = true;
    fake_glUseProgram(own);
    fake_glDeleteProgram(own);

    check_step("a call that needs no program leaves it in use");
    uint32_t texture = gl_create_texture(f->gl, texel, 1, 1);
    CHECK_EQ(fake.state.program, own);
    fake_glDeleteTextures(1, &texture);

    check_step("a draw that ends the use of the program");
    CHECK(draw(f, 1));
    CHECK_EQ(fake.state.program, 0);
    expect_no_mistakes("draw");
    CHECK_EQ(fake.error, 0);
}

/* The renderers use different units. After one is destroyed, the other still draws. */
static void test_two_renderers(fixture *f)
{
    gl_mesh_t mesh;
    f->options.texture_unit = 6;
    gl_t *other = gl_create(fake_gl_get_proc, &f->options, NULL);
    CHECK(UPLOAD(other, f->from, f->number, &mesh, NULL));
    CHECK(gl_draw(other, &mesh, 0, &unit_scene, f->people, 2));
    CHECK_EQ(fake.last.program, PROGRAM(other));
    CHECK(PROGRAM(other) != PROGRAM(f->gl));
    gl_free_mesh(other, &mesh);
    gl_destroy(other);
    CHECK(draw(f, 3));
    CHECK_EQ(fake.last.program, PROGRAM(f->gl));
}

static void test_errors(fixture *f)
{
    CHECK(draw(f, 3));
    fake.error = FAKE_INVALID_OPERATION;  /* an error of the caller */
    CHECK(draw(f, 3));
    CHECK_EQ(fake.error, FAKE_INVALID_OPERATION);
    CHECK(draw(f, 300));
    CHECK_EQ(fake.error, 0);
}

/* -- The result of last_error ------------------------------------------------ */

/* Makes call number `call`, which fails with its own message. Returns the message, or NULL after the last call. */
static const char *fail(fixture *f, int call)
{
    gl_mesh_t   mesh;
    bool ok = true;
    const char *message = NULL;
    switch (call) {
    case 0:
        ok = UPLOAD(f->gl, NULL, f->number, &mesh, NULL);
        message = "no renderer, model or mesh is given";
        break;
    case 1:
        ok = gl_create_texture(f->gl, NULL, 4, 3) != 0;
        message = "no pixels are given for a texture of 4 x 3";
        break;
    case 2:
        ok = UPLOAD(f->gl, f->from, f->number, NULL, NULL);
        message = "no renderer, model or mesh is given";
        break;
    case 3:
        ok = gl_create_texture(f->gl, texel, 16385, 1) != 0;
        message = "the image has a side of 16385 pixels, but a texture has at most 16384";
        break;
    case 4:
        ok = LOAD_TEXTURE(f->gl, NULL, "x", 0, NULL) != 0;
        message = "no renderer, model or mesh is given";
        break;
    case 5:
        ok = gl_use_program(f->gl, 987654);
        message = "987654 is not a linked OpenGL program";
        break;
    case 6:
        ok = gl_draw(f->gl, &f->one, 0, NULL, f->people, 1);
        message = "no mesh, scene or instances are given";
        break;
    case 7:
        ok = draw(f, INT32_MAX);
        message = "2147483647 instances are too many for one draw";
        break;
    case 8:
        ok = gl_draw(f->gl, &f->one, 0, &unit_scene, NULL, 1);
        message = "no mesh, scene or instances are given";
        break;
    default: break;
    }
    CHECK_EQ(ok, !message);
    return message;
}

/* Checks last_error for each failure: after a successful call, and after each earlier failure. */
static void test_last_error(fixture *f)
{
    const load_error_t *last = gl_last_error(f->gl);
    const char *wanted;
    int count;
    for (count = 0; (wanted = fail(f, count)) != NULL; ++count) {
        for (int before = -1; before < count; ++before) {
            check_step("failure %d, after %d", count, before);
            if (before < 0) CHECK(draw(f, 1));
            if (before < 0) CHECK_EQ(last->code, OK);
            if (before >= 0) fail(f, before);
            fail(f, count);
            CHECK(last->code != OK);
            CHECK_TEXT(last->message, wanted);
        }
    }
    CHECK(count > 8);

    check_step("calls that succeed");
    fail(f, 0);
    CHECK(gl_use_program(f->gl, 0));
    CHECK_EQ(last->code, OK);
    fail(f, 0);
    uint32_t texture = gl_create_texture(f->gl, texel, 1, 1);
    CHECK_EQ(last->code, OK);
    CHECK_TEXT(last->message, "");
    fake_glDeleteTextures(1, &texture);
}

/* -- Creation: missing functions, and shader sources -------------------------- */

/* The messages for refused arguments. test_nulls.c tests each pointer. */
static void test_refused_arguments(fixture *f)
{
    gl_mesh_t none;
    memset(&none, 0, sizeof none);
    f->options.allocator.release = NULL;
    check_step("an incomplete allocator");
    CHECK(!gl_create(fake_gl_get_proc, &f->options, &f->error));
    CHECK_EQ(f->error.code, ERROR_ARGUMENT);
    CHECK_EQ(fake.calls, 0);
    f->options.allocator.release = counting_release;
    create_or_abort(f);

    check_step("upload, mesh is NULL");
    CHECK(!UPLOAD(f->gl, f->from, f->number, NULL, &f->error));
    CHECK_TEXT(f->error.message, "no renderer, model or mesh is given");
    CHECK(upload(f));
    fake_gl_start_count();

    check_step("draw, mesh is NULL");
    CHECK(!gl_draw(f->gl, NULL, 0, &unit_scene, f->people, 1));
    CHECK(!draw_mesh(f, &none, 0, 1));
    CHECK_TEXT(gl_last_error(f->gl)->message, "no mesh, scene or instances are given");

    check_step("draw, too many instances");
    CHECK(!draw(f, INT32_MAX));
    CHECK_TEXT(gl_last_error(f->gl)->message, "2147483647 instances are too many for one draw");
    CHECK(gl_last_error(NULL) == NULL);
    CHECK_EQ(fake.calls, 0);
    end_context(f, 0);

    check_step("create, options and error are NULL");
    f->gl = gl_create(fake_gl_get_proc, NULL, NULL);
    CHECK(f->gl != NULL);
    end_context(f, 0);
}

static fake_gl_proc no_function_at_all(const char *name)
{
    (void)name;
    return NULL;
}

static void expect_gl_error(fixture *f, fake_gl_proc (*get_proc)(const char *), const char *named)
{
    memset(&f->error, 0x5A, sizeof f->error);
    CHECK(gl_create(get_proc, &f->options, &f->error) == NULL);
    CHECK_EQ(f->error.code, ERROR_GL);
    bool names_it = strstr(f->error.message, named) != NULL;
    if (!names_it) check_step("the message is \"%s\", which lacks \"%s\"", f->error.message, named);
    CHECK(names_it);
    CHECK(gl_create(get_proc, &f->options, NULL) == NULL);
}

static void test_missing_functions(fixture *f)
{
    char names[128][40];
    unsigned count = (unsigned)fake.asked;
    memcpy(names, fake.asked_name, sizeof names);
    end_context(f, 0);
    for (unsigned i = 0; i < count; ++i) {
        begin_context(f, i % 2 != 0);
        fake.hidden = names[i];
        check_scene("without %s", names[i]);
        expect_gl_error(f, fake_gl_get_proc, names[i]);
        end_context(f, 0);
    }
    CHECK(count > 0);
    expect_gl_error(f, no_function_at_all, "");
}

/* The log of a driver may have warnings before the error. The message quotes only the first error, in one line. */
static void test_refused_shaders(fixture *f)
{
    static const unsigned refusals[3] = { FAKE_VERTEX_SHADER, FAKE_FRAGMENT_SHADER,
                                          FAKE_LINK_STATUS };
    static const char *const stages[3] = { "vertex", "fragment", "link" };
    static char endless[5001], warned[1400];
    static const char *const logs[6][2] = {
        { warned, ": 0:17(4): error: no such thing as a vec5" },
        { "ERROR: 0:17: '' : syntax error\nERROR: 1 compilation errors\n",
          ": ERROR: 0:17: '' : syntax error" },
        { "WARNING: 0:2: 'vec3' : odd\nERROR: 0:17: 'vec5' : undeclared\n",
          ": ERROR: 0:17: 'vec5' : undeclared" },
        { "0:17: no such thing as a vec5\n", "0:17: no such thing as a vec5" },
        { endless, "yyyyyyyyyyyyyyyy" },
        { "", "" }
    };
    memset(endless, 'y', sizeof endless - 1);
    while (strlen(warned) < 1200) strcat(warned, "0:2(1): warning: this looks odd\n");
    strcat(warned, "0:17(4): error: no such thing as a vec5\n0:18(1): error: and another\n");
    for (int i = 0; i < 6; ++i) {
        begin_context(f, i % 2 != 0);
        fake.refuse = refusals[i / 2];
        for (int k = 0; k < 6; ++k) {
            check_scene("the %s shader is refused, log %d", stages[i / 2], k);
            fake.log = logs[k][0];
            expect_gl_error(f, fake_gl_get_proc, logs[k][1]);
            CHECK(strstr(f->error.message, stages[i / 2]) != NULL);
            CHECK(!strchr(f->error.message, '\n'));
            CHECK(!strstr(f->error.message, "0:18"));
            CHECK(strlen(f->error.message) < 240);
        }
        end_context(f, 0);
    }
}

/* The error names the version, even if a function is also missing. */
static void test_old_contexts(fixture *f)
{
    static const char *const versions[7][2] = {
        { "2.1 Mesa 22.3.6", "needs OpenGL 3.3, but this is 2.1 Mesa 22.3.6" },
        { "3.2.0 NVIDIA 535.54", "needs OpenGL 3.3, but this is 3.2.0" },
        { "1.1.0", "needs OpenGL 3.3, but this is 1.1.0" },
        { "2.10 much later", "needs OpenGL 3.3, but this is 2.10" },
        { "OpenGL ES 2.9", "needs OpenGL ES 3.0, but this is 2.9" },
        { "OpenGL ES 2.0 (WebGL 1.0)", "needs OpenGL ES 3.0, but this is 2.0" },
        { "OpenGL ES-CM 1.1", "needs OpenGL ES 3.0, but this is 1.1" }
    };
    for (int i = 0; i < 7; ++i) {
        check_scene("GL_VERSION %s", versions[i][0]);
        begin_context(f, versions[i][0][0] == 'O');
        fake.version = versions[i][0];
        expect_gl_error(f, fake_gl_get_proc, versions[i][1]);
        fake.hidden = "glActiveTexture";
        expect_gl_error(f, fake_gl_get_proc, versions[i][1]);
        end_context(f, 0);
    }
}

/* The fake GL accepts only the #version line that matches its context. */
static void test_version_line(fixture *f)
{
    static const char *const contexts[8] = {
        "3.3 (Core Profile) Mesa 22.3.6", "4.6.0 NVIDIA 535.54", "OpenGL ES 3.0 Mesa",
        "OpenGL ES 3.2 V@0502.0", "OpenGL ES 3.0 (WebGL 2.0)", "10.0", "3.10", "OpenGL ES 12.1"
    };
    for (int i = 0; i < 8; ++i) {
        check_scene("GL_VERSION %s", contexts[i]);
        begin_context(f, contexts[i][0] == 'O');
        fake.version = contexts[i];
        create_or_abort(f);
        end_context(f, 0);
    }
    begin_context(f, false);
    f->options.version_line = "#version 300 es";
    CHECK(gl_create(fake_gl_get_proc, &f->options, &f->error) == NULL);
    f->options.version_line = "#version 330 core";
    create_or_abort(f);
    end_context(f, 0);
}

static void test_fragment_source(fixture *f)
{
    static const char *const own =
        "uniform highp float mine;\nout vec4 color;\nvoid main() { color = vec4(mine); }\n";
    f->options.fragment_source = own;
    create_or_abort(f);
    CHECK(strstr(source_of(PROGRAM(f->gl), 0), gl_vertex_source()) != NULL);
    CHECK(strstr(source_of(PROGRAM(f->gl), 1), own) != NULL);
    end_context(f, 0);
}

/* The textures have the given pixels. The fake GL does not show the mipmaps of cut_out, so this test only checks that
   computing them takes memory; test_gl checks how they look. */
static void test_cut_out(fixture *f)
{
    static const uint8_t edge[8] = { 255, 0, 0, 127, 0, 0, 9, 128 };
    for (int cut = 0; cut < 2; ++cut) {
        check_step(cut ? "with cut_out" : "without cut_out");
        f->options.cut_out = cut != 0;
        create_or_abort(f);
        bool has_define = strstr(source_of(PROGRAM(f->gl), 1), "#define CUT_OUT\n") != NULL;
        CHECK_EQ(has_define, cut);

        size_t before = f->memory.live_bytes;
        expect_texels(gl_create_texture(f->gl, edge, 2, 1), 2, 1, edge);
        CHECK_EQ(f->memory.live_bytes, before);
        f->memory.fail_at = f->memory.allocations + 1;
        uint32_t texture = gl_create_texture(f->gl, edge, 2, 1);
        CHECK_EQ(texture == 0, cut);
        CHECK_EQ(gl_last_error(f->gl)->code, cut ? ERROR_MEMORY : OK);
        f->memory.fail_at = 0;
        fake_glDeleteTextures(1, &texture);
        end_context(f, 0);
    }
}

/* -- The calls that a frame takes -------------------------------------------- */

static void test_call_counts(fixture *f)
{
    static const size_t sizes[3] = { 1, 100, 10000 };
    unsigned long calls[3];
    for (int leave = 0; leave < 2; ++leave) {
        begin_context(f, false);
        f->options.leave_state = leave != 0;
        create_and_upload(f);
        for (int i = 0; i < 3; ++i) {
            check_scene("leave_state %d, %lu instances", leave, (unsigned long)sizes[i]);
            draw(f, sizes[i]);            /* the buffers grow here */
            fake_gl_start_count();
            draw(f, sizes[i]);
            calls[i] = fake.calls;
            CHECK_EQ(fake.draws, 1);
            CHECK_EQ(fake.last.instances, sizes[i]);
            CHECK_EQ(fake_gl_calls("glPixelStorei"), 0);
            CHECK_EQ(fake_gl_calls("glGetError"), 0);
            CHECK_EQ(fake_gl_calls("glGetIntegerv"), leave ? 0 : QUERIES);
            if (leave) CHECK(fake.calls <= CALLS);
            CHECK_EQ(calls[i], calls[0]);
            printf("    %s, %5lu instances: 1 draw call, %lu GL calls, %lu bytes on the GPU\n",
                   leave ? "leave_state   " : "state restored", (unsigned long)sizes[i], fake.calls,
                   (unsigned long)fake.gpu_bytes);
        }
        end_context(f, 0);
    }
}

/* A crowd that grows allocates once each time its size doubles. The next 100 frames allocate nothing. */
static void test_steady_frames(fixture *f)
{
    size_t before = f->memory.allocations, objects, steps = 0;
    for (size_t i = 1; i <= 40000; i = i < 1000 ? i + 1 : i + 4000, ++steps) draw(f, i);
    before = f->memory.allocations - before;
    printf("    %lu allocations while a crowd grew to 40,000 in %lu steps\n",
           (unsigned long)before, (unsigned long)steps);
    CHECK(before >= 1);
    CHECK(before <= 32);                  /* two buffers, doubled 16 times */
    before = f->memory.allocations;
    objects = fake_gl_live(FAKE_KINDS);
    for (size_t i = 0; i < 100; ++i) draw(f, 1000 - i);
    CHECK_EQ(f->memory.allocations - before, 0);
    CHECK_EQ(fake_gl_live(FAKE_KINDS), objects);
    CHECK_EQ(fake.draws, steps + 100);
}

/* -- Memory ------------------------------------------------------------------ */

static void test_crowd_is_gone(fixture *f)
{
    CHECK(draw(f, 1));
    size_t of_one = f->memory.live_bytes;
    CHECK(draw(f, 10000));
    size_t of_crowd = f->memory.live_bytes;
    CHECK(of_crowd > 100 * of_one);

    for (int i = 0; i < 1000; ++i) CHECK(draw(f, 1));
    printf("    memory: %lu bytes with one, %lu with 10,000, %lu with one 1,000 frames later\n",
           (unsigned long)of_one, (unsigned long)of_crowd, (unsigned long)f->memory.live_bytes);
    CHECK(f->memory.live_bytes <= 4 * of_one);

    check_step("a crowd that is drawn now and then keeps its memory");
    CHECK(draw(f, 10000));
    size_t allocations = f->memory.allocations;
    for (int i = 0; i < 3000; ++i) CHECK(draw(f, i % 100 ? 1 : 10000));
    CHECK_EQ(f->memory.allocations, allocations);
}

/* A crowd may take more than 64 MiB, which is the limit of loading. */
static void test_great_crowd(fixture *f)
{
    CHECK(draw(f, GREAT_CROWD));
    CHECK_EQ(fake.draws, 1);
    CHECK_EQ(fake.last.instances, GREAT_CROWD);
    CHECK(fake.gpu_bytes > (size_t)64 << 20);
    const fake_object *buffer = streamed(f->one.vao);
    float first, last;
    memcpy(&first, buffer->data + 7 * sizeof(float), sizeof first);
    memcpy(&last, buffer->data + buffer->size / GREAT_CROWD * (GREAT_CROWD - 1) + 7 * sizeof(float),
           sizeof last);
    CHECK(last > first + 0.99f * (GREAT_CROWD - 1));
}

/* -- Failures -------------------------------------------------------------- */

/* Creates, uploads and draws while the n-th allocation fails, for every n. */
static void test_no_memory(fixture *f)
{
    size_t failures = 0;
    bool done = false;
    for (size_t n = 1; n < 100 && !done; ++n) {
        check_step("allocation %lu fails", (unsigned long)n);
        begin_context(f, false);
        f->memory.fail_at = n;
        f->gl = gl_create(fake_gl_get_proc, &f->options, &f->error);
        if (!f->gl) {
            CHECK_EQ(f->error.code, ERROR_MEMORY);
        } else if (!upload(f)) {
            CHECK_EQ(f->error.code, ERROR_MEMORY);
            expect_empty(&f->one);
        } else {
            CHECK_EQ(f->error.code, OK);
            done = draw(f, 50000);
            CHECK_EQ(done, f->memory.allocations < n);
            CHECK_EQ(fake.draws, done ? 1 : 0); /* nothing is drawn without memory */
            CHECK_EQ(gl_last_error(f->gl)->code, done ? OK : ERROR_MEMORY);
        }
        failures += !done;
        end_context(f, 0);
    }
    CHECK(done);
    CHECK(failures > 0);
}

/* The largest crowd that the interface allows is limited only by the allocator. */
static void test_memory_comes_back(fixture *f)
{
    uint32_t number;
    model_t *big = load(GRID, 0, &number);
    gl_mesh_t two;
    check_step("without memory");
    f->memory.fail_at = 1;
    CHECK(!draw(f, 10000000));            /* no instance is read */
    CHECK_EQ(gl_last_error(f->gl)->code, ERROR_MEMORY);
    CHECK_EQ(fake.draws, 0);
    CHECK(draw(f, 0));                    /* succeeds, so last_error has no error */
    CHECK_EQ(gl_last_error(f->gl)->code, OK);
    if (!UPLOAD(f->gl, big, number, &two, &f->error)) CHECK_EQ(f->error.code, ERROR_MEMORY);
    gl_free_mesh(f->gl, &two);
    check_step("with memory again");
    f->memory.fail_at = 0;
    draw(f, 50000);
    CHECK_EQ(fake.draws, 1);
    CHECK(UPLOAD(f->gl, big, number, &two, &f->error));
    CHECK_EQ(f->error.code, OK);
    CHECK_TEXT(f->error.message, "");
    gl_free_mesh(f->gl, &two);
    free_model(big);
}

/* The context may be lost in any call. */
static void test_lost_while_creating(fixture *f)
{
    fake.lost_after = 1;
    for (;;) {
        check_step("lost after %lu calls", fake.lost_after);
        unsigned long calls = fake.lost_after;
        begin_context(f, false);
        fake.lost_after = calls;
        f->gl = gl_create(fake_gl_get_proc, &f->options, &f->error);
        if (!fake.lost) break;
        if (!f->gl) CHECK_EQ(f->error.code, ERROR_GL);
        end_renderer(f);
        fake.lost_after = calls + 1;
    }
    CHECK(f->gl != NULL);
    CHECK(fake.lost_after > 50);
    fake.lost_after = 0;
    end_context(f, 0);
}

/* OpenGL returns nothing in a lost context. All memory is still freed. */
static void test_lost_context(fixture *f)
{
    static const char *const calls[4] = { "create", "upload", "draw", "a second draw" };
    gl_mesh_t two;
    for (int when = 0; when < 4; ++when) {
        check_step("lost before %s", calls[when]);
        begin_context(f, false);
        fake.lost = when == 0;
        f->gl = gl_create(fake_gl_get_proc, &f->options, &f->error);
        if (!f->gl) CHECK_EQ(f->error.code, ERROR_GL);
        CHECK_EQ(f->gl == NULL, when == 0);
        if (f->gl) {
            fake.lost = fake.lost || when == 1;
            upload(f);
            fake.lost = fake.lost || when == 2;
            CHECK_EQ(draw(f, 20), !fake.lost);
            if (fake.lost) CHECK_EQ(gl_create_texture(f->gl, texel, 1, 1), 0);
            fake.lost = true;
            CHECK(!draw(f, 20));
            CHECK(!gl_use_program(f->gl, 0));
            CHECK(!UPLOAD(f->gl, f->from, f->number, &two, &f->error));
            CHECK_TEXT(gl_last_error(f->gl)->message, "the OpenGL context is lost or not current");
            CHECK(!draw_mesh(f, &two, 0, 20));
            gl_free_mesh(f->gl, &two);
        }
        end_renderer(f);
        check_step("in another context");
        begin_context(f, false);
        create_and_upload(f);
        CHECK(draw(f, 20));
        end_context(f, 0);
    }
}

static void test_refused_draws(fixture *f)
{
    unsigned refused = 0;
    bool ok = false;
    for (unsigned at = 1; at < 4; ++at) {
        check_step("storage %u of the draw fails", at);
        begin_context(f, false);
        create_and_upload(f);
        CHECK(draw(f, 2));
        fake.gpu_requests = 0;
        fake.gpu_fail_at = at;
        ok = draw(f, 200);
        refused += !ok;
        CHECK_TEXT(gl_last_error(f->gl)->message, ok ? "" : "the GPU has no memory left");
        fake.gpu_fail_at = 0;
        fake_gl_start_count();
        CHECK(draw(f, 200));
        if (!ok) CHECK_EQ(fake_gl_calls("glTexImage2D"), UNITS - 2);
        CHECK_EQ(gl_last_error(f->gl)->code, OK);
        end_context(f, 0);
    }
    CHECK(ok);
    CHECK_EQ(refused, UNITS - 1);         /* the instances, and the palettes of MD5 */
}

/* The GPU's memory runs out at each request in turn. */
static void test_full_gpu(fixture *f)
{
    unsigned long at;
    bool ok = false;
    for (at = 1; !ok && at < 9; ++at) {
        check_step("storage %lu fails", at);
        begin_context(f, false);
        fake_gl_set_hostile();
        unsigned callers = fake_gl_live(FAKE_KINDS);
        const fake_state then = fake.state;
        const fake_object array = fake.object[then.array];
        fake.gpu_fail_at = at;
        f->gl = gl_create(fake_gl_get_proc, &f->options, &f->error);
        unsigned own = fake_gl_live(FAKE_KINDS);
        CHECK_EQ(f->gl == NULL, at < UNITS); /* the requests of create: white, and the palette of MD5 */
        fake.error = FAKE_INVALID_OPERATION; /* an error that other code left */
        ok = f->gl && upload(f);
        CHECK_EQ(f->error.code, ok ? OK : ERROR_MEMORY);
        CHECK_TEXT(f->error.message, ok ? "" : "the GPU has no memory left");
        if (!ok) expect_empty(&f->one);
        if (!ok) expect_live(own, "a failed upload");
        expect_state(&then, &array, "upload");
        end_context(f, callers);
    }
    CHECK_EQ(at, UNITS + 4); /* the texture, vertices and indices; the next request succeeds */
}

static void test_full_gpu_at_textures(fixture *f)
{
    fake.error = FAKE_INVALID_OPERATION;
    uint32_t texture = gl_create_texture(f->gl, texel, 1, 1);
    CHECK(texture != 0);
    fake_glDeleteTextures(1, &texture);
    fake.gpu_fail_at = 1;
    CHECK_EQ(gl_create_texture(f->gl, texel, 1, 1), 0);
    CHECK_TEXT(gl_last_error(f->gl)->message, "the GPU has no memory left");
    CHECK_EQ(fake.error, 0);              /* also the error of mipmaps, which need the image, is cleared */
    fake.gpu_error = FAKE_INVALID_OPERATION;
    CHECK_EQ(gl_create_texture(f->gl, texel, 1, 1), 0);
    gl_free_mesh(f->gl, &f->one);
    CHECK(!upload(f));
    CHECK_EQ(f->error.code, ERROR_GL);
    CHECK_TEXT(f->error.message, "OpenGL reports error 1282");
}

/* The program's memory runs out after the GPU's memory, in the same call. */
static void test_no_memory_anywhere(fixture *f)
{
    for (unsigned n = 1; n < 4; ++n) {
        check_step("allocation %u of the upload fails", n);
        gl_free_mesh(f->gl, &f->one);
        f->memory.fail_at = f->memory.allocations + n;
        fake.gpu_requests = 0;
        fake.gpu_fail_at = 1;
        CHECK(!upload(f));
        CHECK_EQ(f->error.code, ERROR_MEMORY);
        CHECK_EQ(fake.error, 0);
    }
}

static void test_limits(fixture *f)
{
    static uint8_t row[65 * 4];
    fake.max_texture_size = 3;            /* less than OpenGL allows */
    create_or_abort(f);
    CHECK(!upload(f));
    CHECK_EQ(f->error.code, ERROR_LIMIT);
    CHECK(strstr(f->error.message, " texels, more than a texture of 3 rows holds") != NULL);
    expect_empty(&f->one);
    end_context(f, 0);
    begin_context(f, false);
    fake.max_texture_size = 64;
    create_or_abort(f);
    for (int i = 0; i < 2; ++i) {
        uint32_t texture = gl_create_texture(f->gl, row, i ? 1 : 64, i ? 64 : 1);
        check_step(i ? "64 rows, then 65" : "64 columns, then 65");
        CHECK(texture != 0);
        fake_glDeleteTextures(1, &texture);
        CHECK_EQ(gl_create_texture(f->gl, row, i ? 1 : 65, i ? 65 : 1), 0);
    }
    CHECK_EQ(gl_create_texture(f->gl, row, 0xFFFFFFFFu, 1), 0);
    end_context(f, 0);
}
