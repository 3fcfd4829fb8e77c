/* As much of GLFW, and of the OpenGL that its header brings, as the README's window needs: a window
   of 640 x 320 pixels on fake_gl.h that is closed after a while. What a driver or a player would not
   forgive is a mistake of fake_gl.h. Public domain. */
#include "fake_gl.h"

#define GLFW_TRUE                  1
#define GLFW_CONTEXT_VERSION_MAJOR 0x00022002
#define GLFW_CONTEXT_VERSION_MINOR 0x00022003
#define GLFW_OPENGL_FORWARD_COMPAT 0x00022006
#define GLFW_OPENGL_PROFILE        0x00022008
#define GLFW_OPENGL_CORE_PROFILE   0x00032001
#define GL_COLOR_BUFFER_BIT        0x4000
#define GL_DEPTH_BUFFER_BIT        0x0100
#define GL_DEPTH_TEST              0x0B71
#define GL_CULL_FACE               0x0B44

enum { STAND_IN_WIDTH = 640, STAND_IN_HEIGHT = 320, STAND_IN_FRAMES = 30 };

typedef struct GLFWwindow { bool current, depth, culling, cleared, sized; int frames; } GLFWwindow;

static GLFWwindow stand_in;
static int        stand_in_major, stand_in_minor, stand_in_core;
static double     stand_in_time;

static int glfwInit(void) { return GLFW_TRUE; }

static void glfwWindowHint(int hint, int value)
{
    if (hint == GLFW_CONTEXT_VERSION_MAJOR) stand_in_major = value;
    if (hint == GLFW_CONTEXT_VERSION_MINOR) stand_in_minor = value;
    if (hint == GLFW_OPENGL_PROFILE) stand_in_core = value == GLFW_OPENGL_CORE_PROFILE;
}

static GLFWwindow *glfwCreateWindow(int width, int height, const char *title, void *monitor,
                                    void *share)
{
    if (monitor || share || !*title || width < 320 || height < 240) fake_mistake("an odd window");
    if (stand_in_major != 3 || stand_in_minor != 3 || !stand_in_core) {
        fake_mistake("a window without OpenGL 3.3 core");
    }
    return &stand_in;
}

static void glfwMakeContextCurrent(GLFWwindow *window) { window->current = true; }

static fake_gl_proc glfwGetProcAddress(const char *name)
{
    if (!stand_in.current) fake_mistake("%s: asked for without a context", name);
    return fake_gl_get_proc(name);
}

static int glfwWindowShouldClose(GLFWwindow *window) { return window->frames == STAND_IN_FRAMES; }

static void glfwGetFramebufferSize(GLFWwindow *window, int *width, int *height)
{
    if (!window->current) fake_mistake("the size of a window that is not current");
    *width = STAND_IN_WIDTH;
    *height = STAND_IN_HEIGHT;
}

static double glfwGetTime(void) { return stand_in_time; }
static void   glfwSetTime(double seconds) { stand_in_time = seconds; }
static void   glfwPollEvents(void) { stand_in_time += 0.02; }

static void glfwSwapBuffers(GLFWwindow *window)
{
    ++window->frames;
    if (fake.draws != (unsigned long)window->frames) fake_mistake("a frame without its draw");
    if (!window->cleared || !window->sized || !window->depth || !window->culling) {
        fake_mistake("a frame without clearing, viewport, depth test or culling");
    }
    window->cleared = false;
}

static void glfwTerminate(void) { stand_in.current = false; }

static void glEnable(unsigned what)
{
    stand_in.depth = stand_in.depth || (stand_in.current && what == GL_DEPTH_TEST);
    stand_in.culling = stand_in.culling || (stand_in.current && what == GL_CULL_FACE);
}

static void glViewport(int x, int y, int width, int height)
{
    stand_in.sized = x == 0 && y == 0 && width == STAND_IN_WIDTH && height == STAND_IN_HEIGHT;
}

static void glClear(unsigned what)
{
    if (fake.draws != (unsigned long)stand_in.frames) fake_mistake("cleared after the draw");
    stand_in.cleared = what == (GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}
