/* context_egl.c: contexts of GL 3.3 core and GL ES 3.0 for test_gl, without a display. It uses EGL's surfaceless
   platform or, with GPU=1 in the environment, the first device that is not a software driver. Public domain. */
#define GLAD_GL_IMPLEMENTATION
#include "render.h"

static EGLDisplay display = EGL_NO_DISPLAY;

md2_gl_proc find_function(const char *name) { return (md2_gl_proc)eglGetProcAddress(name); }

void close_context(void)
{
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(display);
    eglReleaseThread();
    display = EGL_NO_DISPLAY;
}

static EGLDisplay get_display(EGLenum platform, void *native)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    return get ? get(platform, native, NULL) : EGL_NO_DISPLAY;
}

static EGLDisplay find_gpu(void)
{
    PFNEGLQUERYDEVICESEXTPROC query =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    PFNEGLQUERYDEVICESTRINGEXTPROC query_string =
        (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
    EGLDeviceEXT devices[16];
    EGLint       count = 0;
    if (!query || !query_string || !query(16, devices, &count)) return EGL_NO_DISPLAY;

    for (EGLint i = 0; i < count; ++i) {
        const char *extensions = query_string(devices[i], EGL_EXTENSIONS);
        bool        is_software = extensions && strstr(extensions, "EGL_MESA_device_software");
        if (!is_software) return get_display(EGL_PLATFORM_DEVICE_EXT, devices[i]);
    }
    return EGL_NO_DISPLAY;
}

/* Creates a context. Returns NULL, or the name of what this machine lacks. */
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
    const char *gpu = getenv("GPU");
    bool        wants_gpu = gpu && strcmp(gpu, "1") == 0;
    EGLConfig   config;
    any[3] = context.es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT;
    display = wants_gpu ? find_gpu() : get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
    if (display == EGL_NO_DISPLAY) return wants_gpu ? "no GPU" : "no surfaceless platform";
    if (!eglInitialize(display, NULL, NULL)) return "eglInitialize failed";
    if (!eglBindAPI(context.es ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) return "no such API";
    if (!eglChooseConfig(display, any, &config, 1, &count) || count < 1)
        return "no such configuration";
    EGLContext made = eglCreateContext(display, config, EGL_NO_CONTEXT,
                                       context.es ? embedded : desktop);
    if (made == EGL_NO_CONTEXT) return "no such context";
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, made))
        return "eglMakeCurrent failed";
    if (!gladLoadGL((GLADloadfunc)eglGetProcAddress)) return "no functions";
    return NULL;
}

bool open_context(bool es)
{
    context.es = es;
    context.name = es ? "GL ES 3.0" : "GL 3.3 core";
    context.why = try_context();
    if (!context.why && !make_framebuffer(PICTURE_SIZE)) context.why = "no framebuffer";
    if (context.why) close_context();
    return !context.why;
}
