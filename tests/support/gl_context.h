/* gl_context.h: an OpenGL without a display, through EGL's surfaceless platform, and a framebuffer
   to draw into. GL 3.3 core or GL ES 3.0; says why where there is none. Public domain. */
#ifndef GL_CONTEXT_H_INCLUDED
#define GL_CONTEXT_H_INCLUDED

#include <EGL/egl.h>                  /* before glad: both bring a khrplatform.h */
#include <EGL/eglext.h>
#include <glad/gl.h>

#include <stdbool.h>

typedef struct gl_context {
    const char *name, *why;           /* why there is none */
    bool        es;
    EGLDisplay  display;
    EGLContext  context;
    unsigned long debug_errors;       /* what the driver's debug output complained of */
    char        debug_first[200];
    GLuint framebuffer,
        color; /* bound where no other is: a surfaceless context has none of its own */
} gl_context;

void gl_context_close(gl_context *context);
bool gl_context_open(gl_context *context, bool es);

/* Binds the framebuffer that stands in for that of a window. */
void gl_context_bind_framebuffer(gl_context *context);

/* -- A framebuffer: `targets` colour textures of one format, and depth ----- */

enum { GL_TARGETS = 4 };

typedef struct gl_target {
    GLuint framebuffer, color[GL_TARGETS], depth;
    int    width, height, targets;
    GLenum storage;
} gl_target;

bool gl_target_open(gl_target *t, int width, int height, int targets, GLenum storage);
void gl_target_close(gl_target *t);

#endif /* GL_CONTEXT_H_INCLUDED */
