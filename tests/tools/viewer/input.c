/* input.c - keys, mouse and dropped files. What the page calls has the prefix viewer_. Public
   domain. */
#define _XOPEN_SOURCE 700             /* realpath */
#include "viewer.h"

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

/* In degrees. */
EMSCRIPTEN_KEEPALIVE float viewer_yaw(void)
{
    return camera.yaw * 57.29578f;
}

/* One path a line. Of several models, the one at `entry` is shown. */
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

/* From where a face fills the picture, to where a crowd is a spot. */
EMSCRIPTEN_KEEPALIVE void viewer_zoom(float factor)
{
    camera.zoom = fminf(fmaxf(camera.zoom * factor, 0.08f), 8);
}

/* The part of the picture that is not covered, 0 to 1. */
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

/* -- Keys -------------------------------------------------------------------------------------- */

/* From the last animation to the first, too. */
static void play_next_clip(void)
{
    viewer_anim((viewer.clip + 1) % viewer.clip_count);
}

static void play_previous_clip(void)
{
    bool is_first = viewer.clip == 0;
    viewer_anim(is_first ? viewer.clip_count - 1 : viewer.clip - 1);
}

static void step_frames(int frames)
{
    viewer.paused = true;
    seek_clip(viewer.time);           /* what ended long ago steps back from its last frame */
    seek_clip(viewer.time + frames / viewer.clips[viewer.clip].fps);
    play_clips(false);
}

static void change_mode(void)
{
    viewer.mode = (md2_mode)((viewer.mode + 1) % 3);
    play_clips(false);
}

/* To the next of 1, 10, 100, 1000 and 10000. */
static void grow_crowd(void)
{
    int count = 1;
    while (count <= viewer.crowd) count *= 10;
    form_crowd(count > 10000 ? 1 : count);
}

static void toggle_mixed(void)
{
    viewer.mixed = !viewer.mixed;
    play_clips(true);
}

static void toggle_y_up(void)
{
    viewer.y_up = !viewer.y_up;
    form_crowd(viewer.crowd);
}

static void toggle_smooth(void)
{
    viewer.smooth = !viewer.smooth;
    smooth_models();
}

/* The one skin of an MD5, or of an MD2 that lists none, is looked for once more. */
static void show_next_skin(void)
{
    model   *lead = &viewer.models[0];
    uint32_t skin_count = lead->md2 ? lead->md2->skin_count : 0;
    if (skin_count > 0) lead->skin = (lead->skin + 1) % skin_count;
    lead->picture[0] = 0;
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
static void download(const char *path)
{
    (void)path;
}
#endif

/* The first name that is free, so that no other picture is replaced. */
static void choose_screenshot_path(const char *place, char path[MAX_PATH_LENGTH])
{
    int number = 0;
    do {
        ++number;
        snprintf(path, MAX_PATH_LENGTH, "%s/screenshot-%d.png", place, number);
    } while (is_there(path));
}

/* Tells the user where the picture is. On the web, it is downloaded. */
static void hand_out_screenshot(const char *path)
{
    char        full[MAX_PATH_LENGTH];
    const char *where = realpath(path, full) ? full : path;
    snprintf(viewer.note, sizeof viewer.note, "saved %.240s", where);
    printf("%s\n", where);
    fflush(stdout);
    download(path);
}

/* Here, else at home, else where anybody may write. */
static void save_screenshot(void)
{
    const char *home = getenv("HOME");
    const char *places[] = { ".", home ? home : ".", "/tmp" };
    for (int i = 0; i < COUNT(places); ++i) {
        char path[MAX_PATH_LENGTH];
        choose_screenshot_path(places[i], path);
        if (save_picture(path)) {
            hand_out_screenshot(path);
            return;
        }
    }
    snprintf(viewer.note, sizeof viewer.note, "no picture can be written here, at home or in /tmp");
}

void press_key(int key)
{
    switch (key) {
    case GLFW_KEY_RIGHT:  play_next_clip(); break;
    case GLFW_KEY_LEFT:   play_previous_clip(); break;
    case GLFW_KEY_UP:     viewer.speed = fminf(viewer.speed * 2, 8); break;
    case GLFW_KEY_DOWN:   viewer.speed = fmaxf(viewer.speed / 2, 0.125f); break;
    case GLFW_KEY_PAGE_DOWN: show_next_entry(1); break;
    case GLFW_KEY_PAGE_UP: show_next_entry(-1); break;
    case GLFW_KEY_SPACE:  viewer.paused = !viewer.paused; break;
    case GLFW_KEY_PERIOD: step_frames(1); break;
    case GLFW_KEY_COMMA:  step_frames(-1); break;
    case GLFW_KEY_L:      change_mode(); break;
    case GLFW_KEY_C:      grow_crowd(); break;
    case GLFW_KEY_M:      toggle_mixed(); break;
    case GLFW_KEY_T:      show_next_skin(); break;
    case GLFW_KEY_S:      viewer.skeleton = !viewer.skeleton; break;
    case GLFW_KEY_B:      viewer.bounds = !viewer.bounds; break;
    case GLFW_KEY_U:      toggle_y_up(); break;
    case GLFW_KEY_W:      toggle_smooth(); break;
    case GLFW_KEY_N:      viewer.night = viewer.night > 0.5f ? 0 : 1; break;
    case GLFW_KEY_R:      reset_camera(arguments.yaw); break;
    case GLFW_KEY_P:      save_screenshot(); break;
    case GLFW_KEY_H:      viewer.text = (viewer.text + 1) % TEXT_COUNT; break;
    case GLFW_KEY_ESCAPE: glfwSetWindowShouldClose(window, 1); break;
    }
}

EMSCRIPTEN_KEEPALIVE void viewer_key(int key)
{
    viewer.error[0] = 0;              /* it has been read */
    press_key(key);
}

static void on_key(GLFWwindow *w, int key, int scancode, int action, int mods)
{
    (void)w, (void)scancode, (void)mods;

    /* Of the keys that are held, only those that step repeat. */
    bool steps = key == GLFW_KEY_COMMA || key == GLFW_KEY_PERIOD;
    if (action == GLFW_PRESS || (action == GLFW_REPEAT && steps)) viewer_key(key);
}

/* -- Mouse and files --------------------------------------------------------------------------- */

/* A drag over the window's height, which is a `dx` or `dy` of 1, orbits by half a turn. */
static void orbit(float dx, float dy)
{
    camera.yaw -= 3.14159f * dx;
    camera.pitch = fminf(fmaxf(camera.pitch + 3.14159f * dy, 0.02f), 1.57f); /* above the floor */
}

/* A drag over the window's height pans by the height of the view at the target: what is there goes
   along with the pointer. */
static void pan(float dx, float dy)
{
    float cy = cosf(camera.yaw), sy = sinf(camera.yaw), sp = sinf(camera.pitch);
    float height = view_height();
    camera.pan[0] += height * (dx * sy - dy * sp * cy);
    camera.pan[1] -= height * (dx * cy + dy * sp * sy);

    /* The target stays above the floor. */
    float raised = camera.pan[2] + height * dy * cosf(camera.pitch);
    camera.pan[2] = fmaxf(raised, -camera.target[2]);
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

void set_callbacks(void)
{
    glfwSetKeyCallback(window, on_key);
    glfwSetCursorPosCallback(window, on_cursor);
    glfwSetScrollCallback(window, on_scroll);
    glfwSetDropCallback(window, on_drop);
}
