/* readme_window MODEL: the window of the README with the real GLFW, OpenGL and stb_image, looked at
   after a while, and closed. Public domain. */
#include <GLFW/glfw3.h>

#include "check.h"
#include "support.h"

enum { FRAMES = 30 };

static int swaps, clears, restarts;

static void look(GLFWwindow *window);
static void clear(GLbitfield what);
static double read_clock(void);
static void restart_clock(double seconds);
int window_main(int argc, char **argv);

#define main window_main
#define glfwSwapBuffers look
#define glClear clear
#define glfwGetTime read_clock
#define glfwSetTime restart_clock
#include "window.inc"
#undef main
#undef glfwSwapBuffers
#undef glClear
#undef glfwGetTime
#undef glfwSetTime

/* The clock is the test's: how wide the knight is depends on when in his run he is looked at. */
static double read_clock(void)
{
    return 1 / 60.0;
}

static void restart_clock(double seconds)
{
    restarts += seconds == 0;
}

static void clear(GLbitfield what)
{
    clears += what == (GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glClear(what);
}

static int brightness(const uint8_t *pixel)
{
    return pixel[0] + pixel[1] + pixel[2];
}

/* The knight is upright, large, in the middle, as wide as he should be, and not white. The first pixel, in a corner,
   has the color of what is empty, before which his dark boots are seen. */
static void check_picture(const uint8_t *pixels, int width, int height)
{
    int left = width, right = 0, low = height, high = 0, red = 0, drawn = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const uint8_t *pixel = pixels + 4 * (y * width + x);
            if (memcmp(pixel, pixels, 4) == 0) continue;
            ++drawn;
            red += pixel[0] > 2 * pixel[1];
            left = x < left ? x : left;
            right = x > right ? x : right;
            low = y < low ? y : low;
            high = y > high ? y : high;
        }
    }
    printf("%d pixels, %d red, x from %d to %d, y from %d to %d\n", drawn, red, left, right, low, high);
    CHECK(drawn > width * height / 20 && red > drawn / 20);
    CHECK(abs(left + right - width) < width / 20);
    CHECK(abs(low + high - height) < height / 8 && high - low > 3 * height / 4);
    CHECK(low > 0 && high < height - 1);
    CHECK(brightness(pixels) > 300);
    CHECK(2 * (right - left) > high - low && 3 * (right - left) < 2 * (high - low));
}

static void look_closely(GLFWwindow *window)
{
    int width, height, viewport[4];
    glfwGetFramebufferSize(window, &width, &height);
    uint8_t *pixels = (uint8_t *)malloc_or_abort((size_t)width * (size_t)height * 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glGetIntegerv(GL_VIEWPORT, viewport);
    CHECK(viewport[0] == 0 && viewport[1] == 0 && viewport[2] == width && viewport[3] == height);
    CHECK(glIsEnabled(GL_DEPTH_TEST) && glIsEnabled(GL_CULL_FACE));
    check_picture(pixels, width, height);
    CHECK_EQ(glGetError(), GL_NO_ERROR);
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
    char name[] = "knight", missing[] = "missing.md2", *nowhere[] = { name, missing, NULL };
    CHECK_EQ(window_main(2, nowhere), 1);
    CHECK_EQ(window_main(argc, argv), 0);
    CHECK_EQ(swaps, FRAMES);
    CHECK_EQ(clears, FRAMES);
    CHECK_EQ(restarts, FRAMES);
    return check_finish();
}
