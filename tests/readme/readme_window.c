/* readme_window MODEL PICTURE: the window of the README with the real GLFW, OpenGL and stb_image, looked
   at after a while, written as a PPM, and closed. Public domain. */
#include <GLFW/glfw3.h>

#include "check.h"
#include "support.h"

enum { FRAMES = 30 };

typedef struct extent { int left, bottom, right, top; } extent;

static const char *picture;
static int         swaps;

static void look(GLFWwindow *window);
int window_main(int argc, char **argv);

#define main window_main
#define glfwSwapBuffers look
#include "window.inc"
#undef main
#undef glfwSwapBuffers

/* The first pixel, in a corner, has the colour of what is empty. */
static extent find_knight(const uint32_t *pixels, int width, int height)
{
    extent found = { width, height, -1, -1 };
    int x, y;
    for (y = 0; y < height; ++y) {
        for (x = 0; x < width; ++x) {
            if (pixels[y * width + x] == pixels[0]) continue;
            if (x < found.left) found.left = x;
            if (x > found.right) found.right = x;
            if (y < found.bottom) found.bottom = y;
            if (y > found.top) found.top = y;
        }
    }
    return found;
}

static unsigned long count_colours(const uint32_t *pixels, size_t count)
{
    static uint8_t seen[1 << 21];
    unsigned long  colours = 0;
    size_t         i;
    memset(seen, 0, sizeof seen);
    for (i = 0; i < count; ++i) {
        uint32_t colour = pixels[i] & 0xFFFFFF;
        colours += !(seen[colour >> 3] >> (colour & 7) & 1);
        seen[colour >> 3] = (uint8_t)(seen[colour >> 3] | 1 << (colour & 7));
    }
    return colours;
}

static unsigned long count_drawn(const uint32_t *pixels, size_t count)
{
    unsigned long drawn = 0;
    size_t        i;
    for (i = 0; i < count; ++i) drawn += pixels[i] != pixels[0];
    return drawn;
}

static void write_picture(const uint32_t *pixels, int width, int height)
{
    const uint8_t *bytes = (const uint8_t *)pixels;
    FILE          *file = open_file(picture, "wb");
    int            x, y;
    if (!CHECK(file != NULL)) return;
    fprintf(file, "P6 %d %d 255\n", width, height);
    for (y = height - 1; y >= 0; --y) {
        for (x = 0; x < width; ++x) fwrite(bytes + 4 * (y * width + x), 1, 3, file);
    }
    CHECK(fclose(file) == 0);
}

/* He stands in the middle, about half as tall as the window, and reaches farther up from its middle
   than down. */
static void check_picture(const uint32_t *pixels, int width, int height)
{
    size_t count = (size_t)width * (size_t)height;
    extent knight = find_knight(pixels, width, height);
    int    tall = knight.top - knight.bottom, wide = knight.right - knight.left;
    CHECK_FLOOR(count_drawn(pixels, count), count / 20, "pixels of the knight");
    CHECK_FLOOR(count_colours(pixels, count), 500, "colours");
    CHECK(tall > height * 2 / 5 && tall < height * 7 / 10);
    CHECK(wide > tall / 3 && wide < tall);
    CHECK(abs(knight.left + knight.right - width) < width / 10);
    CHECK(knight.top - height / 2 > height / 2 - knight.bottom);
}

static void look_closely(GLFWwindow *window)
{
    int       width, height;
    uint32_t *pixels;
    glfwGetFramebufferSize(window, &width, &height);
    pixels = (uint32_t *)malloc_or_abort((size_t)width * (size_t)height * 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    CHECK_EQ(glGetError(), GL_NO_ERROR);
    check_picture(pixels, width, height);
    write_picture(pixels, width, height);
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
    char *arguments[3];
    if (argc != 3) return EXIT_FAILURE;
    picture = argv[2];
    arguments[0] = argv[0];
    arguments[1] = argv[1];
    arguments[2] = NULL;
    CHECK_EQ(window_main(2, arguments), 0);
    CHECK_EQ(swaps, FRAMES);
    return check_finish();
}
