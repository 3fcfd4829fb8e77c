/* test_gl.c: the OpenGL part of both headers on a real driver, without a display: light, tint and
   texture of a square are looked at, all state is compared, and the vertices of the vertex shader
   are read back and compared with the CPU's. Everything on GL 3.3 core and on GL ES 3.0. The
   examples' tests compare pictures.

   Without EGL it says SKIPPED and counts; with CI set in the environment that is a failure. Public
   domain. */
#define GLAD_GL_IMPLEMENTATION
#include "render.h"

const char *scratch;
struct context context;

static unsigned long contexts, skipped;

/* -- GL 3.3 core or GL ES 3.0 --------------------------------------------- */

static void close_context(void)
{
    if (context.display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(context.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(context.display);
    eglReleaseThread();
    context.display = EGL_NO_DISPLAY;
}

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

/* NULL, or what this machine lacks. */
static const char *try_context(void)
{
    static const EGLint desktop[] = {
        EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
        EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
        EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE, EGL_TRUE, EGL_NONE
    };
    static const EGLint embedded[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0,
                                       EGL_NONE };
    EGLint any[] = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, 0, EGL_NONE }, count = 0;
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLConfig config;
    any[3] = context.es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT;
    if (!get_display) return "this EGL has no platforms";
    context.display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (context.display == EGL_NO_DISPLAY) return "no surfaceless platform";
    if (!eglInitialize(context.display, NULL, NULL)) return "eglInitialize failed";
    if (!eglBindAPI(context.es ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) return "no such API";
    if (!eglChooseConfig(context.display, any, &config, 1, &count) || count < 1)
        return "no such configuration";
    EGLContext made = eglCreateContext(context.display, config, EGL_NO_CONTEXT,
                                       context.es ? embedded : desktop);
    if (made == EGL_NO_CONTEXT) return "no such context";
    if (!eglMakeCurrent(context.display, EGL_NO_SURFACE, EGL_NO_SURFACE, made))
        return "eglMakeCurrent failed";
    if (!gladLoadGL((GLADloadfunc)eglGetProcAddress)) return "no functions";
    return make_framebuffer(PICTURE_SIZE) ? NULL : "no framebuffer";
}

static bool open_context(bool es)
{
    memset(&context, 0, sizeof context);
    context.es = es;
    context.name = es ? "GL ES 3.0" : "GL 3.3 core";
    context.display = EGL_NO_DISPLAY;
    context.why = try_context();
    if (context.why) close_context();
    return !context.why;
}

/* Each test gets a new context, so that none finds what another has left. */
static void renew_context(void)
{
    close_context();
    if (!open_context(context.es)) printf("    no context any more: %s\n", context.why);
    CHECK(!context.why);
}

static void test_context(bool es)
{
    if (!open_context(es)) {
        printf("SKIPPED: %s: %s\n", context.name, context.why);
        ++skipped;
        return;
    }
    ++contexts;
    printf("%s: %s, %s\n", context.name, (const char *)glGetString(GL_VERSION),
           (const char *)glGetString(GL_RENDERER));
    check_chapter(es ? "es30/md2" : "gl33/md2");
    md2_square_tests();
    md2_vertex_tests();
    check_chapter(es ? "es30/md5" : "gl33/md5");
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
    test_context(false);
    test_context(true);
    printf("%lu contexts, %lu SKIPPED\n", contexts, skipped);
    if (skipped) CHECK(!getenv("CI"));
    return check_finish();
}
