/* context_web.c: contexts of WebGL 2 for test_gl, each in its own canvas. Public domain. */
#include "render.h"

#include <emscripten.h>
#include <emscripten/html5.h>

static EMSCRIPTEN_WEBGL_CONTEXT_HANDLE handle;

md2_gl_proc find_function(const char *name)
{
    return (md2_gl_proc)emscripten_webgl_get_proc_address(name);
}

void close_context(void)
{
    if (handle > 0) emscripten_webgl_destroy_context(handle);
    handle = 0;
}

bool open_context(bool es)
{
    EmscriptenWebGLContextAttributes attributes;
    emscripten_webgl_init_context_attributes(&attributes);
    attributes.majorVersion = 2;
    EM_ASM({
        var canvas = document.createElement("canvas");
        canvas.id = "canvas";
        document.querySelector("div").replaceChildren(canvas);
    });
    handle = emscripten_webgl_create_context("#canvas", &attributes);
    context.es = es;
    context.name = "WebGL 2";
    context.why = handle > 0 && emscripten_webgl_make_context_current(handle) == 0 ? NULL : "no such context";
    if (!context.why && !make_framebuffer(PICTURE_SIZE)) context.why = "no framebuffer";
    if (context.why) close_context();
    return !context.why;
}

/* WebGL cannot copy the output of a vertex shader to memory that C can read, so there are no vertex tests. */
void md2_vertex_tests(void) {}
void md5_vertex_tests(void) {}
