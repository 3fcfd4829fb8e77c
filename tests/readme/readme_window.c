/* readme_window MODEL GIANT: runs the window program of the cookbook with the real GLFW, OpenGL and stb_image,
   checks its pictures, and closes it; then does the same with a giant model, which it writes to the path GIANT.
   Public domain. */
#include <GLFW/glfw3.h>

#include "check.h"
#include "support.h"

enum { FRAMES = 30 };

static int swaps, clears, restarts;

static void swap_buffers(GLFWwindow *window);
static void clear(GLbitfield what);
static double read_clock(void);
static void restart_clock(double seconds);
int window_main(int argc, char **argv);

#define main window_main
#define glfwSwapBuffers swap_buffers
#define glClear clear
#define glfwGetTime read_clock
#define glfwSetTime restart_clock
#include "window.inc"
#undef main
#undef glfwSwapBuffers
#undef glClear
#undef glfwGetTime
#undef glfwSetTime

/* Replaces the clock, because the width of the knight in the picture depends on the time in the run. */
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

/* Checks that the knight is upright, large, in the center, of the right width, and not white. The first pixel, in a
   corner, has the color of the background, which must be bright, so that the dark boots are visible. */
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

static uint8_t *first_pixels; /* the first frame, which must differ from the last */

static void check_frame(GLFWwindow *window)
{
    int width, height, viewport[4];
    glfwGetFramebufferSize(window, &width, &height);
    uint8_t *pixels = (uint8_t *)malloc_or_abort((size_t)width * (size_t)height * 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glGetIntegerv(GL_VIEWPORT, viewport);
    CHECK(viewport[0] == 0 && viewport[1] == 0 && viewport[2] == width && viewport[3] == height);
    CHECK(glIsEnabled(GL_DEPTH_TEST) && glIsEnabled(GL_CULL_FACE));
    if (first_pixels) {
        check_picture(pixels, width, height);
        CHECK(memcmp(pixels, first_pixels, (size_t)width * (size_t)height * 4) != 0);
    }
    CHECK_EQ(glGetError(), GL_NO_ERROR);
    free(first_pixels);
    first_pixels = pixels;
}

static void swap_buffers(GLFWwindow *window)
{
    ++swaps;
    if (swaps == 1 || swaps == FRAMES) check_frame(window);
    if (swaps == FRAMES) glfwSetWindowShouldClose(window, GLFW_TRUE);
    glfwSwapBuffers(window);
}

/* Writes the knight as a third-party model: three times as large, with the feet at 0, and with other animation
   names. It has one frame less than a Quake II player, so its own names count. */
static void write_giant(const char *from, const char *to)
{
    size_t   size;
    uint8_t *data = read_file(from, &size);
    int32_t  header[17];
    CHECK(data && size > sizeof header);
    memcpy(header, data, sizeof header);
    --header[10];
    memcpy(data, header, sizeof header);
    for (int i = 0; i < header[10]; ++i) {
        uint8_t *frame = data + header[14] + i * header[4];
        float    box[6];
        memcpy(box, frame, sizeof box);
        for (int k = 0; k < 6; ++k) box[k] = 3 * (box[k] + (k == 5 ? 24.0f : 0));
        memcpy(frame, box, sizeof box);
        frame[sizeof box] = 'x';
    }
    CHECK(write_file(to, data, size));
    free(data);
}

static void show(char *path)
{
    char  name[] = "knight";
    char *words[] = { name, path, NULL };
    swaps = clears = restarts = 0;
    free(first_pixels);
    first_pixels = NULL;
    CHECK_EQ(window_main(2, words), 0);
    CHECK_EQ(swaps, FRAMES);
    CHECK_EQ(clears, FRAMES);
    CHECK_EQ(restarts, FRAMES);
}

int main(int argc, char **argv)
{
    char name[] = "knight", missing[] = "missing.md2", *nowhere[] = { name, missing, NULL };
    CHECK_EQ(argc, 3);
    CHECK_EQ(window_main(2, nowhere), 1);
    show(argv[1]);
    write_giant(argv[1], argv[2]);
    show(argv[2]);
    free(first_pixels);
    return check_finish();
}
