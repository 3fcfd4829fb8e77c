/* gl_context.h: an OpenGL without a display, through EGL's surfaceless platform, with a framebuffer
   to draw into. GL 3.3 core or GL ES 3.0; says why where there is none. Public domain. */
#ifndef GL_CONTEXT_H_INCLUDED
#define GL_CONTEXT_H_INCLUDED

#include <EGL/egl.h>                  /* before glad: both bring a khrplatform.h */
#include <EGL/eglext.h>
#include <glad/gl.h>

#include <stdbool.h>

enum { GL_CONTEXT_SIZE = 64 };        /* of the framebuffer, which has a depth */

typedef struct gl_context {
    const char *name, *why;           /* why there is none */
    bool        es;
    EGLDisplay  display;
} gl_context;

bool gl_context_open(gl_context *context, bool es);
void gl_context_close(gl_context *context);

#endif /* GL_CONTEXT_H_INCLUDED */
