/* test_gl_mock.c: the OpenGL part of both headers on a GL that draws nothing (fake_gl.h): the calls
   that it makes, the state that it leaves, its errors when something is missing. Needs only a C
   compiler. Public domain. */
#include "mock.h"

/* -- The fake must be able to complain ------------------------------------- */

static void expect_mistake(const char *what)
{
    if (!CHECK(fake.mistakes > 0)) printf("    not noticed: %s\n", what);
    fake.mistakes = 0;
}

static void test_the_fake(void)
{
    static const uint8_t pixels[64] = { 0 };
    unsigned name, shader;
    fake_gl_reset();
    fake_gl_start_count();
    fake_glGenBuffers(1, &name);
    CHECK_EQ(fake.mistakes, 0);
    fake_glDeleteBuffers(1, &name);
    CHECK_EQ(fake.mistakes, 0);
    fake_glDeleteBuffers(1, &name);
    expect_mistake("a buffer deleted twice");
    fake_glBindTexture(FAKE_TEXTURE_2D, name);
    expect_mistake("a buffer bound as a texture");
    fake_glGenTextures(1, &name);
    fake_glBindTexture(FAKE_TEXTURE_2D, name);
    fake_glTexImage2D(FAKE_TEXTURE_2D, 0, FAKE_RGBA8UI, 4, 4, 0, FAKE_RGBA, FAKE_UNSIGNED_BYTE,
                      pixels);
    expect_mistake("integer storage from a format that is not");
    fake_glTexImage2D(FAKE_TEXTURE_2D, 0, FAKE_RGBA8UI, 4, 4, 0, FAKE_RGBA_INTEGER,
                      FAKE_UNSIGNED_BYTE, pixels);
    CHECK_EQ(fake.mistakes, 0);
    CHECK(!fake_is_complete(&fake.object[name])); /* filtered as textures begin */
    fake_glTexParameteri(FAKE_TEXTURE_2D, FAKE_MIN_FILTER, FAKE_NEAREST);
    CHECK(!fake_is_complete(&fake.object[name]));
    fake_glTexParameteri(FAKE_TEXTURE_2D, FAKE_MAG_FILTER, FAKE_NEAREST);
    CHECK(fake_is_complete(&fake.object[name]));
    fake_glTexSubImage2D(FAKE_TEXTURE_2D, 0, 1, 0, 4, 1, FAKE_RGBA_INTEGER, FAKE_UNSIGNED_BYTE,
                         pixels);
    expect_mistake("a part outside the texture");
    fake_glTexImage2D(FAKE_TEXTURE_2D, 0, FAKE_RGBA8, 16385, 1, 0, FAKE_RGBA, FAKE_UNSIGNED_BYTE,
                      NULL);
    expect_mistake("a texture beyond the limit");
    fake_glDrawElementsInstanced(FAKE_TRIANGLES, 3, FAKE_UNSIGNED_INT, NULL, 1);
    expect_mistake("a draw without a program");
    fake_glBindBuffer(FAKE_ELEMENT_BUFFER, 0);
    expect_mistake("an element buffer without a vertex array");
    shader = fake_glCreateShader(FAKE_VERTEX_SHADER);
    fake_glUseProgram(shader);
    expect_mistake("a shader in use as a program");
    fake_gl_get_proc("glFrobnicate");
    expect_mistake("a function that there is not");
    fake_gl_get_proc("glDepthMask")();
    expect_mistake("a call that is the caller's alone");
    CHECK_EQ(fake_gl_live(FAKE_KINDS), 2);
    fake_gl_reset();
}

/* Draws from a mesh of which something was spoilt; the fake must see it. */
static void test_the_fake_at_draws(const library *lib)
{
    static const char *const what[] = {
        "a sampler left on the unit",           "a texture that is not complete",
        "an index outside the vertices",        "an attribute that is off",
        "a float where a whole number is read", "instances of an earlier draw"
    };
    fake_object *array;
    fixture f;
    unsigned i, k;
    fixture_load(&f, lib, SMALL, 2);
    for (i = 0; i < 6; ++i) {
        begin_context(&f, false);
        f.options.leave_state = true;
        create_and_upload(&f);
        draw(&f, 2);
        expect_no_mistakes();
        array = &fake.object[f.one.vao];
        if (i == 0) fake.state.sampler[0] = fake.state.sampler[1] = fake_new(FAKE_SAMPLER);
        if (i == 1) fake.object[f.one.data_texture].min_filter = FAKE_LINEAR;
        if (i == 2) memset(fake.object[f.one.index_buffer].data, 0x7F, 4);
        if (i == 3) array->attribute[1].enabled = false;
        for (k = 0; k < FAKE_ATTRIBUTES; ++k) {
            if (i == 4 && array->attribute[k].whole) array->attribute[k].whole = false;
            if (i != 5 && array->attribute[k].divisor)
                fake.object[array->attribute[k].buffer].filled = fake.serial + 1;
        }
        fake_glDrawElementsInstanced(FAKE_TRIANGLES, (int)f.one.index_count, FAKE_UNSIGNED_INT,
                                     NULL, 2);
        expect_mistake(what[i]);
        lib->free_mesh(f.gl, &f.one);
        lib->destroy(f.gl);
    }
    fixture_free(&f);
}

static void test_library(const library *lib)
{
    check_section(lib->name);
    test_the_fake_at_draws(lib);
    test_life(lib, false);
    test_life(lib, true);
    test_nulls(lib);
    test_missing_functions(lib);
    test_refused_shaders(lib);
    test_shader_sources(lib);
    test_own_program(lib);
    test_old_contexts(lib);
    test_call_counts(lib);
    test_steady_frames(lib);
    test_two_renderers(lib);
    test_no_memory(lib, PLAYER);
    test_no_memory(lib, TRIANGLES);
    test_memory_comes_back(lib);
    test_lost_context(lib);
    test_refused_draws(lib);
    test_full_gpu(lib);
    test_limits(lib);
    test_state(lib, 0);
    test_state(lib, 7);
    test_state(lib, 13);
    test_leave_state(lib);
    test_defaults(lib);
    test_kept_zeros(lib);
    test_scenes(lib);
    test_pictures(lib);
    test_triangle_order(lib);
}

int main(int argc, char **argv)
{
    folder = argc > 1 ? argv[1] : ".";
    check_section("the fake itself");
    test_the_fake();
    test_library(&libraries[0]);
    test_library(&libraries[1]);
    check_section("md2");
    md2_test_frames_out_of_range();
    md2_test_eight_frames();
    md2_test_pcx();
    check_section("md5");
    md5_test_palettes();
    md5_test_most_palettes();
    md5_test_too_many_joints();
    md5_test_all_models();
    fake_gl_reset();
    return check_finish();
}
