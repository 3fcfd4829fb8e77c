/* readme_window MODEL: the window of the README with the real GLFW, OpenGL and stb_image, looked at after
   a while, and closed. test_recipes knows what stands where in it. Public domain. */
#include <GLFW/glfw3.h>

#include "check.h"
#include "support.h"

enum { FRAMES = 30 };

static int swaps;

static void look(GLFWwindow *window);
int window_main(int argc, char **argv);

#define main window_main
#define glfwSwapBuffers look
#include "window.inc"
#undef main
#undef glfwSwapBuffers

/* The first pixel, in a corner, has the colour of what is empty. */
static unsigned long count_drawn(const uint32_t *pixels, size_t count)
{
    unsigned long drawn = 0;
    size_t        i;
    for (i = 0; i < count; ++i) drawn += pixels[i] != pixels[0];
    return drawn;
}

static void look_closely(GLFWwindow *window)
{
    int       width, height;
    uint32_t *pixels;
    glfwGetFramebufferSize(window, &width, &height);
    pixels = (uint32_t *)malloc_or_abort((size_t)width * (size_t)height * 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    CHECK_EQ(glGetError(), GL_NO_ERROR);
    CHECK_FLOOR(count_drawn(pixels, (size_t)width * (size_t)height), width * height / 20, "pixels of the knight");
    free(pixels);
}

static void look(GLFWwindow *window)
{
    if (++swaps == FRAMES) {
        look_closely(window);
        glfwSetWindowShouldClose(window, GLFW_TRUE);
    }
    glfwSwapBuffers(window);
}

int main(int argc, char **argv)
{
    CHECK_EQ(window_main(argc, argv), 0);
    CHECK_EQ(swaps, FRAMES);
    return check_finish();
}
