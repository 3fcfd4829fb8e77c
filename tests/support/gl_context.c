/* The functions of gl_context.h. Public domain. */
#define GLAD_GL_IMPLEMENTATION
#include "gl_context.h"

#include <stdio.h>
#include <string.h>

#define GL_CONTEXT_DEBUG_OUTPUT 0x92E0
#define GL_CONTEXT_DEBUG_SYNCHRONOUS 0x8242
#define GL_CONTEXT_DEBUG_TYPE_ERROR 0x824C
#define GL_CONTEXT_DEBUG_TYPE_DEPRECATED 0x824D
#define GL_CONTEXT_DEBUG_TYPE_UNDEFINED 0x824E

typedef void(GLAD_API_PTR *gl_context_debug)(GLenum source, GLenum type, GLuint id, GLenum severity,
                                             GLsizei length, const GLchar *message,
                                             const void *user);
typedef void(GLAD_API_PTR *gl_context_set_debug)(gl_context_debug callback, const void *user);

static gl_context *gl_context_current;

static void GLAD_API_PTR gl_context_complain(GLenum source, GLenum type, GLuint id, GLenum severity,
                                             GLsizei length, const GLchar *message,
                                             const void *user)
{
    gl_context *context = gl_context_current;
    (void)source;
    (void)id;
    (void)severity;
    (void)length;
    (void)user;
    if (type != GL_CONTEXT_DEBUG_TYPE_ERROR && type != GL_CONTEXT_DEBUG_TYPE_DEPRECATED &&
        type != GL_CONTEXT_DEBUG_TYPE_UNDEFINED) {
        return;
    }
    if (!context->debug_errors++) {
        snprintf(context->debug_first, sizeof context->debug_first, "%.199s", message);
    }
}

/* False where this driver has no debug output; errors are then seen through glGetError alone. */
static bool gl_context_listen(gl_context *context)
{
    gl_context_set_debug set = (gl_context_set_debug)eglGetProcAddress(
        context->es ? "glDebugMessageCallbackKHR" : "glDebugMessageCallback");
    if (!set) return false;
    set(gl_context_complain, NULL);
    glEnable(GL_CONTEXT_DEBUG_OUTPUT);
    glEnable(GL_CONTEXT_DEBUG_SYNCHRONOUS);
    while (glGetError() != GL_NO_ERROR) {}
    return true;
}

void gl_context_close(gl_context *context)
{
    if (context->display != EGL_NO_DISPLAY) {
        eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context->context != EGL_NO_CONTEXT)
            eglDestroyContext(context->display, context->context);
        eglTerminate(context->display);
        eglReleaseThread();
    }
    context->display = EGL_NO_DISPLAY;
    context->context = EGL_NO_CONTEXT;
}

static bool gl_context_refuse(gl_context *context, const char *why)
{
    gl_context_close(context);
    context->why = why;
    return false;
}

void gl_context_bind_framebuffer(gl_context *context)
{
    if (!context->framebuffer) {
        glGenFramebuffers(1, &context->framebuffer);
        glGenRenderbuffers(1, &context->color);
        glBindRenderbuffer(GL_RENDERBUFFER, context->color);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, context->framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              context->color);
    glViewport(0, 0, 16, 16);
}

bool gl_context_open(gl_context *context, bool es)
{
    static const EGLint desktop[] = {
        EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
        EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
        EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE, EGL_TRUE,
        EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE, EGL_NONE
    };
    static const EGLint embedded[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0,
                                       EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE, EGL_NONE };
    EGLint any[] = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, 0, EGL_NONE }, count = 0;
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLConfig config;
    memset(context, 0, sizeof *context);
    context->es = es;
    context->name = es ? "GL ES 3.0" : "GL 3.3 core";
    context->display = EGL_NO_DISPLAY;
    context->context = EGL_NO_CONTEXT;
    any[3] = es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT;
    if (!get_display) return gl_context_refuse(context, "this EGL has no platforms");
    context->display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (context->display == EGL_NO_DISPLAY)
        return gl_context_refuse(context, "no surfaceless platform");
    if (!eglInitialize(context->display, NULL, NULL))
        return gl_context_refuse(context, "eglInitialize failed");
    if (!eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API))
        return gl_context_refuse(context, "no such API");
    if (!eglChooseConfig(context->display, any, &config, 1, &count) || count < 1) {
        return gl_context_refuse(context, "no such configuration");
    }
    context->context =
        eglCreateContext(context->display, config, EGL_NO_CONTEXT, es ? embedded : desktop);
    if (context->context == EGL_NO_CONTEXT) return gl_context_refuse(context, "no such context");
    if (!eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->context)) {
        return gl_context_refuse(context, "eglMakeCurrent failed");
    }
    if (!gladLoadGL((GLADloadfunc)eglGetProcAddress))
        return gl_context_refuse(context, "no functions");
    gl_context_current = context;
    gl_context_bind_framebuffer(context);
    printf("%s: %s, %s, debug output %s\n", context->name, (const char *)glGetString(GL_VERSION),
           (const char *)glGetString(GL_RENDERER), gl_context_listen(context) ? "on" : "missing");
    return true;
}

bool gl_target_open(gl_target *t, int width, int height, int targets, GLenum storage)
{
    GLenum buffers[GL_TARGETS];
    int i;
    memset(t, 0, sizeof *t);
    t->width = width;
    t->height = height;
    t->targets = targets;
    t->storage = storage;
    glGenFramebuffers(1, &t->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
    glGenRenderbuffers(targets, t->color);
    for (i = 0; i < targets; ++i) {
        buffers[i] = GL_COLOR_ATTACHMENT0 + (GLenum)i;
        glBindRenderbuffer(GL_RENDERBUFFER, t->color[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, storage, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, buffers[i], GL_RENDERBUFFER, t->color[i]);
    }
    glGenRenderbuffers(1, &t->depth);
    glBindRenderbuffer(GL_RENDERBUFFER, t->depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, t->depth);
    glDrawBuffers(targets, buffers);
    glViewport(0, 0, width, height);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void gl_target_close(gl_target *t)
{
    glDeleteFramebuffers(1, &t->framebuffer);
    glDeleteRenderbuffers(t->targets, t->color);
    glDeleteRenderbuffers(1, &t->depth);
    gl_context_bind_framebuffer(gl_context_current);
}
