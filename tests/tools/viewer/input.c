/* input.c - mouse, dropped files, and functions that the page calls, with the prefix viewer_.
   Public domain. */
#include "viewer.h"

#define DEGREES  57.29578f            /* per radian */
#define MIN_ZOOM 0.08f                /* shows a face */
#define MAX_ZOOM 8.0f                 /* shows a crowd as a spot */

/* -- For the page ------------------------------------------------------------------------------ */

EMSCRIPTEN_KEEPALIVE int viewer_anim_count(void)
{
    return viewer.clip_count;
}

EMSCRIPTEN_KEEPALIVE const char *viewer_anim_name(int anim)
{
    return viewer.clips[anim].name;
}

EMSCRIPTEN_KEEPALIVE int viewer_frames(void)
{
    return timing.frame;
}

EMSCRIPTEN_KEEPALIVE const char *viewer_error(void)
{
    return viewer.error;
}

EMSCRIPTEN_KEEPALIVE const char *viewer_note(void)
{
    return viewer.note;
}

/* Returns one of the user's camera settings: pan x, y, z, zoom, yaw or pitch, the angles in
   degrees. */
EMSCRIPTEN_KEEPALIVE float viewer_camera(int which)
{
    const float values[] = { camera.pan[0], camera.pan[1], camera.pan[2], camera.zoom,
                             camera.yaw * DEGREES, camera.pitch * DEGREES };
    return values[which];
}

EMSCRIPTEN_KEEPALIVE void viewer_aim(float x, float y, float z, float zoom, float yaw, float pitch)
{
    const float pan[3] = { x, y, z };
    memcpy(camera.pan, pan, sizeof pan);
    camera.zoom = fminf(fmaxf(zoom, MIN_ZOOM), MAX_ZOOM);
    camera.yaw = yaw / DEGREES;
    camera.pitch = fminf(fmaxf(pitch / DEGREES, 0.02f), 1.57f);
}

/* Returns the length of the current animation in seconds; viewer_fps its frames per second. */
EMSCRIPTEN_KEEPALIVE double viewer_length(void)
{
    return clip_length(&viewer.clips[viewer.clip]);
}

EMSCRIPTEN_KEEPALIVE double viewer_fps(void)
{
    return viewer.clips[viewer.clip].fps;
}

EMSCRIPTEN_KEEPALIVE double viewer_time(void)
{
    return time_in_clip(viewer_length());
}

EMSCRIPTEN_KEEPALIVE void viewer_seek(double seconds)
{
    seek_clip(seconds);
    play_clips(false);
}

/* Returns the path of a file that was read for the current models; NULL past the end. */
EMSCRIPTEN_KEEPALIVE const char *viewer_used(int index)
{
    return used_file(index);
}

/* Returns the path of an animation that was read, but does not fit or is damaged; NULL past the
   end. */
EMSCRIPTEN_KEEPALIVE const char *viewer_unusable_anim(int index)
{
    return unusable_anim(index);
}

/* Returns the path of a file in a folder or an archive; NULL past the end. Index 0 makes a new
   list. */
EMSCRIPTEN_KEEPALIVE const char *viewer_listed(const char *path, int index)
{
    static folder listed;
    if (index == 0) {
        free_folder(&listed);
        list_tree(&listed, path);
        viewer.error[0] = 0;          /* opening the file reports the error again */
    }
    return index < listed.count ? listed.paths[index] : NULL;
}

/* Copies a file, which may be in an archive. */
EMSCRIPTEN_KEEPALIVE int viewer_extract(const char *path, const char *to)
{
    viewer.error[0] = 0;
    size_t   size;
    uint8_t *bytes = read_bytes(path, &size);
    FILE    *file = bytes ? fopen(to, "wb") : NULL;
    bool     is_written = file && fwrite(bytes, 1, size, file) == size;
    if (file) fclose(file);
    free(bytes);
    return is_written;
}

/* Opens paths, one per line. If there are several models, shows the one at `entry`. */
EMSCRIPTEN_KEEPALIVE void viewer_open(char *lines, int entry)
{
    const char *paths[256];
    int         count = 0;
    for (char *path = strtok(lines, "\n"); path && count < 256; path = strtok(NULL, "\n")) {
        paths[count++] = path;
    }
    open_files(count, paths, entry);
}

EMSCRIPTEN_KEEPALIVE int viewer_entry_count(void)
{
    return count_entries();
}

EMSCRIPTEN_KEEPALIVE const char *viewer_entry_name(int entry)
{
    return entry_name(entry);
}

EMSCRIPTEN_KEEPALIVE const char *viewer_entry_path(int entry)
{
    return entry_path(entry);
}

EMSCRIPTEN_KEEPALIVE int viewer_entry(void)
{
    return shown_entry();
}

EMSCRIPTEN_KEEPALIVE void viewer_crowd(int count)
{
    form_crowd(count);
}

EMSCRIPTEN_KEEPALIVE void viewer_film(void)
{
    open_film();
}

EMSCRIPTEN_KEEPALIVE int viewer_shows_scene(void)
{
    return viewer.scene != NULL;
}

EMSCRIPTEN_KEEPALIVE void viewer_zoom(float factor)
{
    camera.zoom = fminf(fmaxf(camera.zoom * factor, MIN_ZOOM), MAX_ZOOM);
}

/* Sets the part of the picture that the page does not cover, 0 to 1. */
EMSCRIPTEN_KEEPALIVE void viewer_frame(float left, float top, float right, float bottom)
{
    const float goal[4] = { left, top, right, bottom };
    memcpy(camera.goal, goal, sizeof goal);
}

EMSCRIPTEN_KEEPALIVE void viewer_anim(int anim)
{
    viewer.clip = anim;
    viewer.time = arguments.time;
    play_clips(true);
}

/* -- Mouse and files --------------------------------------------------------------------------- */

/* Rotates the camera around its target. A `dx` or `dy` of 1, the height of the window, is 180
   degrees. */
static void orbit(float dx, float dy)
{
    camera.yaw -= 3.14159f * dx;
    camera.pitch = fminf(fmaxf(camera.pitch + 3.14159f * dy, 0.02f), 1.57f); /* above the floor */
}

/* Moves the target. A drag over the height of the window moves it by the height of the view at the
   target, so that objects there stay under the pointer. */
static void pan(float dx, float dy)
{
    float cy = cosf(camera.yaw), sy = sinf(camera.yaw), sp = sinf(camera.pitch);
    float height = view_height();
    camera.pan[0] += height * (dx * sy - dy * sp * cy);
    camera.pan[1] -= height * (dx * cy + dy * sp * sy);

    /* The target stays above the floor. */
    float raised_z = camera.pan[2] + height * dy * cosf(camera.pitch);
    camera.pan[2] = fmaxf(raised_z, -camera.target[2]);
}

/* Handles a drag on the page, in heights of the canvas. */
EMSCRIPTEN_KEEPALIVE void viewer_drag(int pans, float dx, float dy)
{
    if (pans) pan(dx, dy);
    else orbit(dx, dy);
}

/* Orbits for a key press, like a drag over a twentieth of the window's height. */
EMSCRIPTEN_KEEPALIVE void viewer_orbit(int dx, int dy)
{
    orbit(0.05f * (float)dx, 0.05f * (float)dy);
}

static void on_key(GLFWwindow *w, int key, int scancode, int action, int mods)
{
    (void)w, (void)scancode;
    if (action == GLFW_RELEASE) return;

    bool is_arrow = key >= GLFW_KEY_RIGHT && key <= GLFW_KEY_UP;
    if (is_arrow && (mods & GLFW_MOD_SHIFT)) {
        viewer_orbit((key == GLFW_KEY_RIGHT) - (key == GLFW_KEY_LEFT),
                     (key == GLFW_KEY_DOWN) - (key == GLFW_KEY_UP));
    } else if (action == GLFW_PRESS || key_repeats(key)) {
        viewer_key(key);
    }
}

static void on_cursor(GLFWwindow *w, double x, double y)
{
    static double last_x, last_y;
    int           height;
    glfwGetWindowSize(w, NULL, &height);
    float size = (float)(height > 0 ? height : 1);
    float dx = (float)(x - last_x) / size;
    float dy = (float)(y - last_y) / size;
    last_x = x;
    last_y = y;

    if (glfwGetMouseButton(w, GLFW_MOUSE_BUTTON_LEFT)) orbit(dx, dy);
    else if (glfwGetMouseButton(w, GLFW_MOUSE_BUTTON_RIGHT)) pan(dx, dy);
}

static void on_scroll(GLFWwindow *w, double x, double y)
{
    (void)w, (void)x;
    viewer_zoom(powf(0.9f, (float)y));
}

static void on_drop(GLFWwindow *w, int count, const char **paths)
{
    (void)w;
    open_files(count, paths, 0);
}

/* On the web, the page handles pointers, the wheel and dropped files. */
void set_callbacks(void)
{
    glfwSetKeyCallback(window, on_key);
    if (ON_THE_WEB) return;
    glfwSetCursorPosCallback(window, on_cursor);
    glfwSetScrollCallback(window, on_scroll);
    glfwSetDropCallback(window, on_drop);
}
