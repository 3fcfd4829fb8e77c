/* mock_life.c: a renderer from its creation to its end, and the calls that a frame takes. Public
   domain. */
#include "mock.h"

void test_life(const library *lib, bool es)
{
    int which;
    for (which = 0; which < MODELS; ++which) {
        const fake_object *white;
        fixture f;
        mesh two;
        fixture_load(&f, lib, which, 3);
        begin_context(&f, es);
        create_and_upload(&f);
        CHECK(lib->program(f.gl) != 0);
        CHECK_EQ(fake.object[lib->program(f.gl)].kind, FAKE_PROGRAM);
        CHECK(fake.object[lib->program(f.gl)].built);
        CHECK_TEXT(f.said.code, "OK");
        CHECK(lib->upload(f.gl, &f.from, &two, NULL));
        CHECK(f.one.vao && f.one.vertex_buffer && f.one.index_buffer && f.one.data_texture);
        CHECK(f.one.vao != two.vao && f.one.vertex_buffer != two.vertex_buffer &&
              f.one.index_buffer != two.index_buffer);
        CHECK_EQ(f.one.index_count, f.from.index_count);
        lib->free_model(&f.from);     /* no longer needed */
        fake_gl_start_count();
        draw(&f, 3);
        CHECK_EQ(fake.draws, 1);
        CHECK_EQ(fake.last.instances, 3);
        CHECK_EQ(fake.last.count, f.one.index_count);
        CHECK_EQ(fake.last.mode, FAKE_TRIANGLES);
        CHECK_EQ(fake.last.program, lib->program(f.gl));
        white = &fake.object[fake.last.texture[lib->units - 1]];
        CHECK(white->width == 1 && white->height == 1 &&
              memcmp(white->data, "\xFF\xFF\xFF\xFF", 4) == 0);
        lib->draw(f.gl, &two, 0, &f.who, 1);
        CHECK_EQ(fake.draws, 2);
        lib->free_mesh(f.gl, &f.one);
        lib->free_mesh(f.gl, &two);
        lib->free_mesh(f.gl, &two);   /* twice does no harm */
        end_context(&f, 0);
        lib->free_people(&f.who);
    }
}

static void expect_argument_error(bool ok, const report *said)
{
    CHECK(!ok);
    CHECK_TEXT(said->code, "ERROR_ARGUMENT");
}

void test_nulls(const library *lib)
{
    static const uint8_t texel[4] = { 1, 2, 3, 4 };
    fixture f;
    fixture_load(&f, lib, SMALL, 1);
    begin_context(&f, false);
    lib->destroy(NULL);
    CHECK_EQ(lib->program(NULL), 0);
    CHECK_EQ(lib->texture(NULL, texel, 1, 1), 0);
    expect_argument_error(lib->upload(NULL, &f.from, &f.one, &f.said), &f.said);
    memset(&f.one, 0, sizeof f.one);
    lib->free_mesh(NULL, &f.one);
    expect_argument_error(lib->create(NULL, NULL, &f.said) != NULL, &f.said);
    CHECK(lib->create(NULL, NULL, NULL) == NULL);
    CHECK_EQ(fake.calls, 0);
    f.options.half_an_allocator = true;
    expect_argument_error(lib->create(fake_gl_get_proc, &f.options, &f.said) != NULL, &f.said);
    f.options.half_an_allocator = false;
    create_or_abort(&f);
    expect_argument_error(lib->upload(f.gl, NULL, &f.one, &f.said), &f.said);
    expect_argument_error(lib->upload_to_null(f.gl, &f.from, &f.said), &f.said);
    CHECK_TEXT(f.said.message, "no renderer, model or mesh is given");
    CHECK_EQ(lib->texture(f.gl, NULL, 1, 1), 0);
    CHECK_EQ(lib->texture(f.gl, texel, 0, 1), 0);
    CHECK_EQ(lib->texture(f.gl, texel, 1, 0), 0);
    lib->free_mesh(f.gl, NULL);
    CHECK(lib->upload(f.gl, &f.from, &f.one, NULL));
    fake_gl_start_count();
    lib->draw_nothing(f.gl, &f.one);
    CHECK_EQ(fake.draws, 0);
    CHECK_EQ(fake.calls, 0);
    end_context(&f, 0);
    f.gl = lib->create(fake_gl_get_proc, NULL, NULL); /* no options, no error */
    CHECK(f.gl != NULL);
    end_context(&f, 0);
    fixture_free(&f);
}

static fake_gl_proc no_function_at_all(const char *name)
{
    (void)name;
    return NULL;
}

static void expect_gl_error(fixture *f, fake_gl_proc (*get_proc)(const char *), const char *named)
{
    memset(&f->said, 0, sizeof f->said);
    CHECK(f->lib->create(get_proc, &f->options, &f->said) == NULL);
    CHECK_TEXT(f->said.code, "ERROR_GL");
    CHECK(strstr(f->said.message, named) != NULL);
    CHECK(f->lib->create(get_proc, &f->options, NULL) == NULL);
}

void test_missing_functions(const library *lib)
{
    char names[128][40];
    unsigned count, i;
    fixture f;
    memset(&f, 0, sizeof f);
    f.lib = lib;
    begin_context(&f, false);
    create_or_abort(&f);
    count = (unsigned)fake.asked;
    memcpy(names, fake.asked_name, sizeof names);
    end_context(&f, 0);
    for (i = 0; i < count; ++i) {
        begin_context(&f, i % 2 != 0);
        fake.hidden = names[i];
        check_subject(names[i]);
        expect_gl_error(&f, fake_gl_get_proc, names[i]);
        end_context(&f, 0);
    }
    check_subject("");
    CHECK_FLOOR(count, 30, "functions that may be missing");
    expect_gl_error(&f, no_function_at_all, "");
}

void test_refused_shaders(const library *lib)
{
    static const unsigned refusals[3] = { FAKE_VERTEX_SHADER, FAKE_FRAGMENT_SHADER,
                                          FAKE_LINK_STATUS };
    static const char *const stages[3] = { "vertex", "fragment", "link" };
    static char endless[5001], warned[1400];
    fixture f;
    int i;
    memset(&f, 0, sizeof f);
    f.lib = lib;
    memset(endless, 'y', sizeof endless - 1);
    while (strlen(warned) < 1200) strcat(warned, "0:2(1): warning: this looks odd\n");
    strcat(warned, "0:17(4): error: no such thing as a vec5\n0:18(1): error: and another\n");
    for (i = 0; i < 6; ++i) {
        begin_context(&f, i % 2 != 0);
        fake.refuse = refusals[i / 2];
        fake.log = warned;
        expect_gl_error(&f, fake_gl_get_proc, ": 0:17(4): error: no such thing as a vec5");
        CHECK(strstr(f.said.message, "0:18") == NULL);
        fake.log = "ERROR: 0:17: '' : syntax error\nERROR: 1 compilation errors\n";
        expect_gl_error(&f, fake_gl_get_proc, ": ERROR: 0:17: '' : syntax error");
        fake.log = "0:17: no such thing as a vec5\n";
        expect_gl_error(&f, fake_gl_get_proc, "0:17: no such thing as a vec5");
        CHECK(strstr(f.said.message, stages[i / 2]) != NULL);
        CHECK(strchr(f.said.message, '\n') == NULL);
        fake.log = endless;
        expect_gl_error(&f, fake_gl_get_proc, "yyyyyyyyyyyyyyyy");
        CHECK(strlen(f.said.message) < 240);
        fake.log = "";
        expect_gl_error(&f, fake_gl_get_proc, "");
        CHECK(f.said.message[0] != 0);
        end_context(&f, 0);
    }
}

/* An old context says so, even one that has all functions or none. */
void test_old_contexts(const library *lib)
{
    static const char *const versions[][2] = {
        { "2.1 Mesa 22.3.6", "needs OpenGL 3.3, this is 2.1 Mesa 22.3.6" },
        { "3.2.0 NVIDIA 535.54", "needs OpenGL 3.3, this is 3.2.0" },
        { "1.1.0", "needs OpenGL 3.3, this is 1.1.0" },
        { "OpenGL ES 2.0 (WebGL 1.0)", "needs OpenGL ES 3.0, this is 2.0" },
        { "OpenGL ES-CM 1.1", "needs OpenGL ES 3.0, this is 1.1" }
    };
    fixture f;
    size_t i;
    memset(&f, 0, sizeof f);
    f.lib = lib;
    for (i = 0; i < sizeof versions / sizeof versions[0]; ++i) {
        begin_context(&f, versions[i][0][0] == 'O');
        fake.version = versions[i][0];
        expect_gl_error(&f, fake_gl_get_proc, versions[i][1]);
        fake.hidden = "glActiveTexture";
        expect_gl_error(&f, fake_gl_get_proc, versions[i][1]);
        end_context(&f, 0);
    }
}

/* The version line fits the context, or is the caller's; the caller's fragment shader takes the
   place of ours. */
void test_shader_sources(const library *lib)
{
    static const struct {
        const char *name;
        bool        es;
    } contexts[] = { { "3.3 (Core Profile) Mesa 22.3.6", false },
                     { "4.6.0 NVIDIA 535.54", false },
                     { "OpenGL ES 3.0 Mesa", true },
                     { "OpenGL ES 3.2 V@0502.0", true },
                     { "OpenGL ES 3.0 (WebGL 2.0)", true } };
    static const char *const own =
        "uniform highp float mine;\nout vec4 color;\nvoid main() { color = vec4(mine); }\n";
    const fake_object *program;
    fixture f;
    size_t i;
    memset(&f, 0, sizeof f);
    f.lib = lib;
    for (i = 0; i < sizeof contexts / sizeof contexts[0]; ++i) {
        begin_context(&f, contexts[i].es);
        fake.version = contexts[i].name;
        create_or_abort(&f);
        end_context(&f, 0);
    }
    begin_context(&f, false);
    f.options.version_line = "#version 300 es"; /* the fake takes only what fits its context */
    CHECK(lib->create(fake_gl_get_proc, &f.options, &f.said) == NULL);
    f.options.version_line = "#version 330 core";
    f.options.fragment_source = own;
    create_or_abort(&f);
    program = &fake.object[lib->program(f.gl)];
    CHECK(program->shaders[1] && strstr(fake.object[program->shaders[1]].source, own) != NULL);
    fake_glUseProgram(lib->program(f.gl));
    CHECK(fake_glGetUniformLocation(lib->program(f.gl), "mine") >= 0);
    fake_glUseProgram(0);
    end_context(&f, 0);
}

/* A program of one's own, made from the library's vertex shader, draws until it is taken back. */
void test_own_program(const library *lib)
{
    static const char *const fragment = "#version 330 core\nout vec4 c; void main() { c = vec4(1); }\n";
    const char *parts[2] = { "#version 330 core\n#define FRAMES 8\n", NULL };
    unsigned program, shaders[2], i;
    fixture f;
    fixture_load(&f, lib, PLAYER, 3);
    begin_context(&f, false);
    create_and_upload(&f);
    parts[1] = lib->vertex_source();
    program = fake_glCreateProgram();
    for (i = 0; i < 2; ++i) {
        shaders[i] = fake_glCreateShader(i ? FAKE_FRAGMENT_SHADER : FAKE_VERTEX_SHADER);
        fake_glShaderSource(shaders[i], i ? 1 : 2, i ? &fragment : parts, NULL);
        fake_glCompileShader(shaders[i]);
        fake_glAttachShader(program, shaders[i]);
    }
    fake_glLinkProgram(program);
    for (i = 0; i < 2; ++i) fake_glDeleteShader(shaders[i]);
    CHECK(lib->use_program(f.gl, program));
    CHECK(draw(&f, 3));
    CHECK_EQ(fake.last.program, program);
    CHECK(lib->use_program(f.gl, 0));
    CHECK(draw(&f, 3));
    CHECK_EQ(fake.last.program, lib->program(f.gl));
    fake_glDeleteProgram(program);
    end_context(&f, 0);
    fixture_free(&f);
}

/* Prints the calls of a frame, and checks them against the library's bound. */
void test_call_counts(const library *lib)
{
    static const size_t sizes[3] = { 1, 100, 10000 };
    unsigned long calls[3];
    fixture f;
    int leave, i;
    fixture_load(&f, lib, PLAYER, 10000);
    for (leave = 0; leave < 2; ++leave) {
        begin_context(&f, false);
        f.options.leave_state = leave != 0;
        create_and_upload(&f);
        for (i = 0; i < 3; ++i) {
            draw(&f, sizes[i]);       /* the buffers grow here */
            fake_gl_start_count();
            draw(&f, sizes[i]);
            calls[i] = fake.calls;
            CHECK_EQ(fake.draws, 1);
            CHECK_EQ(fake.last.instances, sizes[i]);
            CHECK_EQ(fake_gl_calls("glPixelStorei") + fake_gl_calls("glGetError"), 0);
            CHECK_EQ(fake_gl_calls("glGetIntegerv"), leave ? 0 : lib->asked);
            if (leave) {
                CHECK(fake.calls <= lib->calls);
                CHECK_EQ(fake_gl_queries(), 0);
            }
            printf("%s, %s, %5lu instances: 1 draw call, %lu GL calls (%lu of them queries), %lu "
                   "bytes on the GPU\n",
                   lib->name, leave ? "leave_state  " : "state restored", (unsigned long)sizes[i],
                   fake.calls, fake_gl_queries(), (unsigned long)fake.gpu_bytes);
        }
        CHECK(calls[0] == calls[1] && calls[1] == calls[2]);
        end_context(&f, 0);
    }
    fixture_free(&f);
}

/* 100 frames allocate nothing after the first; a growing crowd allocates as often as it doubles. */
void test_steady_frames(const library *lib)
{
    size_t before, draws, i, objects;
    fixture f;
    fixture_load(&f, lib, PLAYER, 40000);
    begin_context(&f, false);
    create_and_upload(&f);
    draw(&f, 1000);
    before = f.memory.allocations;
    objects = fake_gl_live(FAKE_KINDS);
    for (i = 0; i < 100; ++i) draw(&f, 1000 - i);
    CHECK_EQ(f.memory.allocations - before, 0);
    CHECK_EQ(fake_gl_live(FAKE_KINDS), objects);
    CHECK_EQ(fake.draws, 101);
    end_context(&f, 0);

    begin_context(&f, true);
    create_and_upload(&f);
    before = f.memory.allocations;
    for (i = 1, draws = 0; i <= 40000; i = i < 1000 ? i + 1 : i + 4000, ++draws) draw(&f, i);
    before = f.memory.allocations - before;
    printf("%s: %lu allocations while a crowd grew to 40,000 in %lu steps\n", lib->name,
           (unsigned long)before, (unsigned long)draws);
    CHECK(before >= 1 && before <= 32); /* two buffers, doubled 16 times */
    CHECK_EQ(fake.draws, draws);
    end_context(&f, 0);
    fixture_free(&f);
}

/* Two renderers at once, each with its mesh; one goes, the other still draws. */
void test_two_renderers(const library *lib)
{
    fixture a, b;
    fixture_load(&a, lib, PLAYER, 3);
    fixture_load(&b, lib, SMALL, 9);
    begin_context(&a, false);
    begin_context(&b, false);
    create_and_upload(&a);
    b.options.unit = 6;
    create_and_upload(&b);
    CHECK(lib->program(a.gl) != lib->program(b.gl));
    draw(&a, 3);
    draw(&b, 9);
    draw(&a, 2);
    lib->free_mesh(a.gl, &a.one);
    lib->destroy(a.gl);
    CHECK(counting_is_clean(&a.memory));
    draw(&b, 4);
    CHECK_EQ(fake.draws, 4);
    end_context(&b, 0);
    fixture_free(&a);
    fixture_free(&b);
}
