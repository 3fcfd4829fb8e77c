/* The functions of gl_context.h. Public domain. */
#define GLAD_GL_IMPLEMENTATION
#include "gl_context.h"

#include <stdio.h>
#include <string.h>

void gl_context_close(gl_context *context)
{
    if (context->display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(context->display);
    eglReleaseThread();
    context->display = EGL_NO_DISPLAY;
}

/* A surfaceless context has no framebuffer of its own. */
static bool gl_context_make_framebuffer(void)
{
    static const GLenum storage[2] = { GL_RGBA8, GL_DEPTH_COMPONENT24 },
                        attachment[2] = { GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT };
    GLuint framebuffer, buffers[2];
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(2, buffers);
    for (int i = 0; i < 2; ++i) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, storage[i], GL_CONTEXT_SIZE, GL_CONTEXT_SIZE);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment[i], GL_RENDERBUFFER, buffers[i]);
    }
    glViewport(0, 0, GL_CONTEXT_SIZE, GL_CONTEXT_SIZE);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

/* NULL, or what this machine lacks. */
static const char *gl_context_try(gl_context *context)
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
    any[3] = context->es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT;
    if (!get_display) return "this EGL has no platforms";
    context->display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (context->display == EGL_NO_DISPLAY) return "no surfaceless platform";
    if (!eglInitialize(context->display, NULL, NULL)) return "eglInitialize failed";
    if (!eglBindAPI(context->es ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) return "no such API";
    if (!eglChooseConfig(context->display, any, &config, 1, &count) || count < 1)
        return "no such configuration";
    EGLContext made = eglCreateContext(context->display, config, EGL_NO_CONTEXT,
                                       context->es ? embedded : desktop);
    if (made == EGL_NO_CONTEXT) return "no such context";
    if (!eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, made))
        return "eglMakeCurrent failed";
    if (!gladLoadGL((GLADloadfunc)eglGetProcAddress)) return "no functions";
    return gl_context_make_framebuffer() ? NULL : "no framebuffer";
}

bool gl_context_open(gl_context *context, bool es)
{
    memset(context, 0, sizeof *context);
    context->es = es;
    context->name = es ? "GL ES 3.0" : "GL 3.3 core";
    context->display = EGL_NO_DISPLAY;
    context->why = gl_context_try(context);
    if (context->why) {
        gl_context_close(context);
        return false;
    }
    printf("%s: %s, %s\n", context->name, (const char *)glGetString(GL_VERSION),
           (const char *)glGetString(GL_RENDERER));
    return true;
}
