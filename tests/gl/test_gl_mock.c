/* test_gl_mock.c: the OpenGL part of both headers on a GL that draws nothing (fake_gl.h): the calls
   that it makes, the state that it leaves, its errors when something is missing. Needs only a C
   compiler. Public domain. */
#include "mock.h"

const char *folder;

/* -- The fake must be able to complain ------------------------------------- */

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

int main(int argc, char **argv)
{
    folder = argc > 1 ? argv[1] : ".";
    check_section("the fake itself");
    test_the_fake();
    md2_test_library();
    md5_test_library();
    fake_gl_reset();
    return check_finish();
}
