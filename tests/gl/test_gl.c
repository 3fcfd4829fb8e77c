/* test_gl.c: tests the OpenGL part of both headers on a real driver, without a display. It reads pixels of a
   square with light, tint and texture, compares all OpenGL state, and compares the output of the vertex shader
   with vertices that the CPU computes. All tests run on GL 3.3 core and GL ES 3.0; in a browser, on WebGL 2, all
   except the vertex tests. Pictures are compared by the tests of the examples and the viewer.

   Without EGL the tests are reported as SKIPPED, and counted; with CI set in the environment this is a failure.
   Public domain. */
#include "render.h"

const char *scratch;
struct context context;

static unsigned long contexts, skipped;

bool make_framebuffer(int size)
{
    static const GLenum storage[2] = { GL_RGBA8, GL_DEPTH_COMPONENT24 },
                        attachment[2] = { GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT };
    GLuint framebuffer, buffers[2];
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(2, buffers);
    for (int i = 0; i < 2; ++i) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, storage[i], size, size);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment[i], GL_RENDERBUFFER, buffers[i]);
    }
    glViewport(0, 0, size, size);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

/* Each test gets a new context, so that no test depends on the state that another test has left. */
static void renew_context(void)
{
    close_context();
    if (!open_context(context.es)) printf("    cannot create another context: %s\n", context.why);
    CHECK(!context.why);
}

static void test_context(bool es, const char *md2_chapter, const char *md5_chapter)
{
    if (!open_context(es)) {
        printf("SKIPPED: %s: %s\n", context.name, context.why);
        ++skipped;
        return;
    }
    ++contexts;
    printf("%s: %s, %s\n", context.name, (const char *)glGetString(GL_VERSION),
           (const char *)glGetString(GL_RENDERER));
    check_chapter(md2_chapter);
    md2_square_tests();
    md2_vertex_tests();
    check_chapter(md5_chapter);
    md5_square_tests();
    md5_vertex_tests();
    close_context();
}

int main(int argc, char **argv)
{
    check_start(argc, argv, "--folder=");
    scratch = check_option("--folder=");
    if (!scratch) scratch = "build";
    check_after_each(renew_context);
#ifdef __EMSCRIPTEN__
    test_context(true, "webgl2/md2", "webgl2/md5");
#else
    test_context(false, "gl33/md2", "gl33/md5");
    test_context(true, "es30/md2", "es30/md5");
#endif
    printf("%lu contexts, %lu SKIPPED\n", contexts, skipped);
    if (skipped) CHECK(!getenv("CI"));
    return check_finish();
}
