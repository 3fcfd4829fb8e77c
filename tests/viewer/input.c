/* input.c - keys, mouse and dropped files. What the page calls has the prefix viewer_. Public
   domain. */
#define _XOPEN_SOURCE 700             /* realpath */
#include "viewer.h"

EMSCRIPTEN_KEEPALIVE int         viewer_anim_count(void) { return viewer.clip_count; }
EMSCRIPTEN_KEEPALIVE const char *viewer_anim_name(int anim) { return viewer.clips[anim].name; }
EMSCRIPTEN_KEEPALIVE int         viewer_frames(void) { return timing.frame; }
EMSCRIPTEN_KEEPALIVE void        viewer_zoom(float factor) { camera.zoom *= factor; }

EMSCRIPTEN_KEEPALIVE void viewer_anim(int anim)
{
    viewer.clip = anim;
    viewer.time = arguments.time;
    play_clips(true);
}

/* -- Keys -------------------------------------------------------------------------------------- */

/* An animation that ended long ago steps back from its last frame. */
static void step_frames(int frames)
{
    viewer.paused = true;
    seek_clip(viewer.time);
    seek_clip(viewer.time + frames / viewer.clips[viewer.clip].fps);
    play_clips(false);
}

static void show_next_skin(void)
{
    model *lead = viewer.models;
    if (lead->md2 && lead->md2->skin_count) lead->skin = (lead->skin + 1) % lead->md2->skin_count;
    load_textures(lead);
}

#ifdef __EMSCRIPTEN__
EM_JS(void, download, (const char *path), {
    const link = document.createElement('a');
    const name = UTF8ToString(path);
    link.href = URL.createObjectURL(new Blob([FS.readFile(name)], { type: 'image/png' }));
    link.download = name.split('/').pop();
    link.click();
});
#else
static void download(const char *path) { (void)path; }
#endif

/* Here, else at home, else where anybody may write; no other picture is replaced. On the web, it is
   downloaded. */
static void save_screenshot(void)
{
    const char *home = getenv("HOME"), *folders[] = { ".", home ? home : ".", "/tmp" };
    char        path[MAX_PATH_LENGTH], full[MAX_PATH_LENGTH];
    for (int i = 0; i < COUNT(folders); ++i) {
        FILE *there;
        int   number = 0;
        do {
            snprintf(path, sizeof path, "%s/screenshot-%d.png", folders[i], ++number);
            there = fopen(path, "rb");
            if (there) fclose(there);
        } while (there);
        if (!save_picture(path)) continue;
        const char *where = realpath(path, full) ? full : path;
        snprintf(viewer.note, sizeof viewer.note, "saved %.240s", where);
        printf("%s\n", where);
        fflush(stdout);
        download(path);
        return;
    }
    snprintf(viewer.note, sizeof viewer.note, "no picture can be written here, at home or in /tmp");
}

EMSCRIPTEN_KEEPALIVE void viewer_key(int key)
{
    int count = viewer.clip_count;
    switch (key) {
    case GLFW_KEY_RIGHT:  viewer_anim((viewer.clip + 1) % count); break;
    case GLFW_KEY_LEFT:   viewer_anim((viewer.clip + count - 1) % count); break;
    case GLFW_KEY_UP:     viewer.speed = fminf(viewer.speed * 2, 8); break;
    case GLFW_KEY_DOWN:   viewer.speed = fmaxf(viewer.speed / 2, 0.125f); break;
    case GLFW_KEY_SPACE:  viewer.paused ^= true; break;
    case GLFW_KEY_PERIOD: step_frames(1); break;
    case GLFW_KEY_COMMA:  step_frames(-1); break;
    case GLFW_KEY_L:      viewer.mode = (md2_mode)((viewer.mode + 1) % 3); play_clips(false); break;
    case GLFW_KEY_C:      form_crowd(viewer.crowd < 10000 ? viewer.crowd * 10 : 1); break;
    case GLFW_KEY_M:      viewer.mixed ^= true; play_clips(true); break;
    case GLFW_KEY_T:      show_next_skin(); break;
    case GLFW_KEY_S:      viewer.skeleton ^= true; break;
    case GLFW_KEY_B:      viewer.bounds ^= true; break;
    case GLFW_KEY_U:      viewer.y_up ^= true; form_crowd(viewer.crowd); break;
    case GLFW_KEY_W:      viewer.smooth ^= true; smooth_models(); break;
    case GLFW_KEY_R:      reset_camera(arguments.yaw); break;
    case GLFW_KEY_P:      save_screenshot(); break;
    case GLFW_KEY_H:      viewer.text = (viewer.text + 1) % TEXT_COUNT; break;
    case GLFW_KEY_ESCAPE: glfwSetWindowShouldClose(window, 1); break;
    }
}

static void on_key(GLFWwindow *w, int key, int scancode, int action, int mods)
{
    (void)w, (void)scancode, (void)mods;
    bool steps_again = action == GLFW_REPEAT && (key == GLFW_KEY_COMMA || key == GLFW_KEY_PERIOD);
    if (action == GLFW_PRESS || steps_again) viewer_key(key);
}

/* -- Mouse and files --------------------------------------------------------------------------- */

/* A drag over the window's height orbits by half a turn, or pans by the height of the view. */
static void on_cursor(GLFWwindow *w, double x, double y)
{
    static double last_x, last_y;
    float         cy = cosf(camera.yaw), sy = sinf(camera.yaw), sp = sinf(camera.pitch);
    int           height;
    glfwGetWindowSize(w, NULL, &height);
    float size = (float)(height > 0 ? height : 1);
    float dx = (float)(x - last_x) / size, dy = (float)(y - last_y) / size;
    last_x = x;
    last_y = y;
    if (glfwGetMouseButton(w, GLFW_MOUSE_BUTTON_LEFT)) {
        camera.yaw -= 3.14159f * dx;
        camera.pitch = fminf(fmaxf(camera.pitch + 3.14159f * dy, 0.02f), 1.57f);
    } else if (glfwGetMouseButton(w, GLFW_MOUSE_BUTTON_RIGHT)) {
        float shift = 0.68f * camera.zoom * camera.place[4];
        camera.pan[0] += shift * (dx * sy - dy * sp * cy);
        camera.pan[1] -= shift * (dx * cy + dy * sp * sy);
        camera.pan[2] = fmaxf(camera.pan[2] + shift * dy * cosf(camera.pitch), -camera.place[2]);
    }
}

static void on_scroll(GLFWwindow *w, double x, double y)
{
    (void)w, (void)x;
    viewer_zoom(powf(0.9f, (float)y));
}

static void on_drop(GLFWwindow *w, int count, const char **paths)
{
    (void)w;
    open_files(count, paths);
}

void set_callbacks(void)
{
    glfwSetKeyCallback(window, on_key);
    glfwSetCursorPosCallback(window, on_cursor);
    glfwSetScrollCallback(window, on_scroll);
    glfwSetDropCallback(window, on_drop);
}
