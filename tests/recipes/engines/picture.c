/* picture.c - engines.sh links this with each program to get a picture of its window. With the linker's --wrap option
   it replaces a few functions of the framework: each frame takes a sixtieth of a second, the last of FRAMES frames is
   written to picture.ppm, and then the window reports that a user has closed it. Public domain. */
#include <GL/gl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 20 };

static int frames_drawn;

static void write_picture(void)
{
    GLint area[4]; /* x, y, width, height */
    glGetIntegerv(GL_VIEWPORT, area);
    size_t         row = (size_t)area[2] * 3;
    unsigned char *rgb = malloc((size_t)area[3] * row);
    FILE          *file = fopen("picture.ppm", "wb");
    if (!rgb || !file) exit(EXIT_FAILURE);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, area[2], area[3], GL_RGB, GL_UNSIGNED_BYTE, rgb);

    /* The first row of OpenGL is the bottom row. */
    fprintf(file, "P6 %d %d 255\n", area[2], area[3]);
    for (int y = area[3] - 1; y >= 0; --y) fwrite(rgb + (size_t)y * row, 1, row, file);
    if (fclose(file) != 0) exit(EXIT_FAILURE);
    free(rgb);
}

/* Called when a frame is complete, before it goes to the screen. */
static void end_frame(void)
{
    ++frames_drawn;
    if (frames_drawn == FRAMES) write_picture();
}

static bool is_last_frame(void) { return frames_drawn >= FRAMES; }

#if defined(PICTURE_RAYLIB)
void rlDrawRenderBatchActive(void);
void __real_EndDrawing(void);

void __wrap_EndDrawing(void)
{
    rlDrawRenderBatchActive();
    end_frame();
    __real_EndDrawing();
}

float __wrap_GetFrameTime(void) { return 1 / 60.0f; }
bool __wrap_WindowShouldClose(void) { return is_last_frame(); }

#elif defined(PICTURE_SOKOL)
void __real_sg_commit(void);
void sapp_request_quit(void);

void __wrap_sg_commit(void)
{
    end_frame();
    if (is_last_frame()) sapp_request_quit();
    __real_sg_commit();
}

double __wrap_sapp_frame_duration(void) { return 1 / 60.0; }

#elif defined(PICTURE_SDL) /* holds the key Up, and presses Space after four frames */
#include <SDL2/SDL_events.h>
void __real_SDL_GL_SwapWindow(void *window);

void __wrap_SDL_GL_SwapWindow(void *window)
{
    end_frame();
    __real_SDL_GL_SwapWindow(window);
}

int __wrap_SDL_PollEvent(SDL_Event *event)
{
    static int  polls;
    const bool  strikes = polls++ == 4;
    const Uint32 type = is_last_frame() ? SDL_QUIT : SDL_KEYDOWN;
    memset(event, 0, sizeof *event);
    event->type = type;
    event->key.keysym.sym = SDLK_SPACE;
    return strikes || type == SDL_QUIT;
}

Uint32 __wrap_SDL_GetTicks(void) { return (Uint32)frames_drawn * 1000 / 60; }

const Uint8 *__wrap_SDL_GetKeyboardState(int *count)
{
    static const Uint8 held[SDL_NUM_SCANCODES] = { [SDL_SCANCODE_UP] = 1 };
    if (count) *count = SDL_NUM_SCANCODES;
    return held;
}

#elif defined(PICTURE_SFML) /* C++ names as mangled on Linux: Window::display, Window::isOpen, Clock::restart */
void __real__ZN2sf6Window7displayEv(void *window);

void __wrap__ZN2sf6Window7displayEv(void *window)
{
    end_frame();
    __real__ZN2sf6Window7displayEv(window);
}

bool __wrap__ZNK2sf6Window6isOpenEv(void *window) { return window && !is_last_frame(); }
int64_t __wrap__ZN2sf5Clock7restartEv(void *clock) { return clock ? 1000000 / 60 : 0; } /* microseconds */
#endif
