/* offscreen.c - creates an OpenGL context without a window or a display. It needs EGL and Mesa. It
   is a separate file because the headers of EGL and glad conflict. Public domain. */
#include "offscreen.h"

#include <stddef.h>

#ifdef __linux__
  #include <EGL/egl.h>
  #include <EGL/eglext.h>

static EGLDisplay get_display(void)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    return get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
}

bool create_offscreen_context(void)
{
    static const EGLint wanted_config[] = { EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
                                            EGL_OPENGL_BIT, EGL_NONE };
    static const EGLint wanted_context[] = { EGL_CONTEXT_MAJOR_VERSION, 3,
                                             EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE };
    EGLDisplay display = get_display();
    EGLConfig  config;
    EGLint     count = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) return false;
    if (!eglBindAPI(EGL_OPENGL_API)) return false;
    if (!eglChooseConfig(display, wanted_config, &config, 1, &count) || count == 0) return false;

    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, wanted_context);
    return context != EGL_NO_CONTEXT &&
           eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

gl_function find_offscreen_function(const char *name)
{
    return (gl_function)eglGetProcAddress(name);
}
#else
bool create_offscreen_context(void)
{
    return false;
}

gl_function find_offscreen_function(const char *name)
{
    (void)name;
    return NULL;
}
#endif
