/* commands.c - the commands of the keys. The help, the title of the window and the buttons of the
   page also come from this list. Public domain. */
#define _XOPEN_SOURCE 700             /* realpath */
#include "viewer.h"

/* Plays the next animation, or the first after the last. */
static void play_next_clip(void)
{
    viewer_anim((viewer.clip + 1) % viewer.clip_count);
}

static void play_previous_clip(void)
{
    bool is_first = viewer.clip == 0;
    viewer_anim(is_first ? viewer.clip_count - 1 : viewer.clip - 1);
}

static void step_frame(int frames)
{
    viewer.paused = true;

    /* An animation that ended long ago steps back from its last frame. */
    seek_clip(viewer.time);
    seek_clip(viewer.time + frames / viewer.clips[viewer.clip].fps);
    play_clips(false);
}

static void change_mode(void)
{
    viewer.mode = (md2_mode)((viewer.mode + 1) % 3);
    play_clips(false);
}

/* Sets the crowd to the next size of 1, 10, 100, 1000 and 10000. */
static void change_crowd(void)
{
    int count = 1;
    while (count <= viewer.crowd) count *= 10;
    form_crowd(count > 10000 ? 1 : count);
}

static void play_again(void)
{
    play_clips(true);
}

static void form_same_crowd(void)
{
    form_crowd(viewer.crowd);
}

static void reload_textures(void)
{
    for (int i = 0; i < viewer.model_count; ++i) load_textures(&viewer.models[i]);
}

/* Shows the next skin that an MD2 lists. For an MD5, and for an MD2 that lists no skins, searches
   for the pictures again. */
static void show_next_skin(void)
{
    model   *first = &viewer.models[0];
    uint32_t skin_count = first->md2 ? first->md2->skin_count : 0;
    if (skin_count > 0) first->skin = (first->skin + 1) % skin_count;
    first->picture[0] = 0;
    load_textures(first);
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

/* Chooses the first unused name, so that no picture is replaced. */
static void choose_screenshot_path(const char *directory, char path[MAX_PATH_LENGTH])
{
    int number = 0;
    do {
        ++number;
        snprintf(path, MAX_PATH_LENGTH, "%s/screenshot-%d.png", directory, number);
    } while (file_exists(path));
}

/* Shows and prints the path of the picture. On the web, the picture is downloaded. */
static void report_screenshot(const char *path)
{
    char        full[MAX_PATH_LENGTH];
    const char *where = realpath(path, full) ? full : path;
    snprintf(viewer.note, sizeof viewer.note, "saved %.240s", where);
    printf("%s\n", where);
    fflush(stdout);
    download(path);
}

/* Saves a picture in the current folder, or else in the home folder, or else in /tmp. */
static void save_screenshot(void)
{
    const char *home = getenv("HOME");
    const char *directories[] = { ".", home ? home : ".", "/tmp" };
    for (int i = 0; i < COUNT(directories); ++i) {
        char path[MAX_PATH_LENGTH];
        choose_screenshot_path(directories[i], path);
        if (save_picture(path)) {
            report_screenshot(path);
            return;
        }
    }
    snprintf(viewer.note, sizeof viewer.note, "cannot write a picture to this folder, to %s or to /tmp",
             home ? home : "the home folder");
}

static void step_back(void)
{
    step_frame(-1);
}

static void step_forward(void)
{
    step_frame(1);
}

static void double_speed(void)
{
    viewer.speed = fminf(viewer.speed * 2, 8);
}

static void halve_speed(void)
{
    viewer.speed = fmaxf(viewer.speed / 2, 0.125f);
}

static void toggle_night(void)
{
    viewer.night = viewer.night > 0.5f ? 0 : 1;
}

static void show_next_model(void)
{
    show_next_entry(1);
}

static void show_previous_model(void)
{
    show_next_entry(-1);
}

static void show_next_text(void)
{
    viewer.text = (viewer.text + 1) % TEXT_COUNT;
}

static void reset_view(void)
{
    reset_camera(arguments.yaw);
}

static void zoom_in(void)
{
    viewer_zoom(0.9f);
}

static void zoom_out(void)
{
    viewer_zoom(1 / 0.9f);
}

static void close_window(void)
{
    glfwSetWindowShouldClose(window, 1);
}

/* Switches between the full screen and the previous size. On the web, the page does this. */
static void toggle_full_screen(void)
{
    if (ON_THE_WEB || !window) return;

    static int x, y, width, height;
    if (glfwGetWindowMonitor(window)) {
        glfwSetWindowMonitor(window, NULL, x, y, width, height, GLFW_DONT_CARE);
        return;
    }
    glfwGetWindowPos(window, &x, &y);
    glfwGetWindowSize(window, &width, &height);
    GLFWmonitor       *monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = glfwGetVideoMode(monitor);
    glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

/* -- The list ---------------------------------------------------------------------------------- */

typedef struct command {
    int         key;
    const char *key_name, *help;
    const char *label;                /* of the button on the page; NULL: no button */
    bool       *flag;                 /* is switched by the key; may be NULL */
    const char *flag_name;            /* in the title while the flag is on */
    void      (*run)(void);           /* called after the switch, or NULL */
    bool        repeats;              /* true: runs again while the key is held */
} command;

/* The page always shows the first five buttons. The others may be behind its button "More". */
static const command commands[] = {
    { GLFW_KEY_SPACE, "Space", "pause", "Pause", &viewer.paused, "paused", NULL, false },
    { GLFW_KEY_C, "C", "crowd of 1, 10, 100, 1,000, 10,000", "Crowd", NULL, NULL, change_crowd,
      false },
    { GLFW_KEY_M, "M", "different animations in the crowd", "Mixed", &viewer.mixed, "mixed",
      play_again, false },
    { GLFW_KEY_S, "S", "skeleton of an MD5", "Skeleton", &viewer.skeleton, "skeleton", NULL,
      false },
    { GLFW_KEY_N, "N", "night: blue parts of a skin glow", "Night", NULL, "night", toggle_night,
      false },
    { GLFW_KEY_RIGHT, "Right", "the next animation", NULL, NULL, NULL, play_next_clip, false },
    { GLFW_KEY_LEFT, "Left", "the previous animation", NULL, NULL, NULL, play_previous_clip,
      false },
    { GLFW_KEY_PAGE_DOWN, "Page Down", "the next model", NULL, NULL, NULL, show_next_model,
      false },
    { GLFW_KEY_PAGE_UP, "Page Up", "the previous model", NULL, NULL, NULL, show_previous_model,
      false },
    { GLFW_KEY_COMMA, ",", "one frame back", "\xe2\x80\xb9 Frame", NULL, NULL, step_back, true },
    { GLFW_KEY_PERIOD, ".", "one frame forward", "Frame \xe2\x80\xba", NULL, NULL, step_forward,
      true },
    { GLFW_KEY_UP, "Up", "twice as fast", "Speed", NULL, NULL, double_speed, false },
    { GLFW_KEY_DOWN, "Down", "half as fast", NULL, NULL, NULL, halve_speed, false },
    { GLFW_KEY_L, "L", "playback: loop, once, ping-pong", "Loop", NULL, NULL, change_mode, false },
    { GLFW_KEY_B, "B", "bounding boxes", "Bounds", &viewer.bounds, "bounds", NULL, false },
    { GLFW_KEY_X, "X", "wireframe", "Wireframe", &viewer.wireframe, "wireframe", NULL, false },
    { GLFW_KEY_K, "K", "without textures", "Untextured", &viewer.untextured, "untextured", NULL,
      false },
    { GLFW_KEY_A, "A", "transparent parts are solid", "Solid", &viewer.solid, "solid",
      reload_textures, false },
    { GLFW_KEY_W, "W", "less jitter in an MD2", "Smooth", &viewer.smooth, "smooth", smooth_models,
      false },
    { GLFW_KEY_T, "T", "the next skin of an MD2", "Skin", NULL, NULL, show_next_skin, false },
    { GLFW_KEY_U, "U", "Y is up in the model", "Y up", &viewer.y_up, "Y up", form_same_crowd,
      false },
    { GLFW_KEY_V, "V", "turntable", "Turntable", &viewer.turntable, "turntable", NULL, false },
    { GLFW_KEY_G, "G", "plain background", "Plain", &viewer.plain, "plain", NULL, false },
    { GLFW_KEY_F, "F", "full screen", "Full", NULL, NULL, toggle_full_screen, false },
    { GLFW_KEY_EQUAL, "+", "closer", NULL, NULL, NULL, zoom_in, true },
    { GLFW_KEY_MINUS, "-", "farther away", NULL, NULL, NULL, zoom_out, true },
    { GLFW_KEY_R, "R", "reset the camera", "Reset", NULL, NULL, reset_view, false },
    { GLFW_KEY_P, "P", "save a picture", NULL, NULL, NULL, save_screenshot, false },
    { GLFW_KEY_H, "H", "status, help, or no text", NULL, NULL, NULL, show_next_text, false },
    { GLFW_KEY_ESCAPE, "Escape", "quit", NULL, NULL, NULL, close_window, false },
};

int count_commands(void)
{
    return COUNT(commands);
}

const char *command_key_name(int index)
{
    return commands[index].key_name;
}

const char *command_help(int index)
{
    return commands[index].help;
}

static bool is_on(const command *c)
{
    if (c->run == toggle_night) return viewer.night > 0.5f;
    return c->flag && *c->flag;
}

const char *next_active_flag(int *index)
{
    while (*index < COUNT(commands)) {
        const command *c = &commands[(*index)++];
        if (is_on(c)) return c->flag_name;
    }
    return NULL;
}

static const command *find_command(int key)
{
    for (int i = 0; i < COUNT(commands); ++i) {
        if (commands[i].key == key) return &commands[i];
    }
    return NULL;
}

void press_key(int key)
{
    const command *c = find_command(key);
    if (!c) return;
    if (c->flag) *c->flag = !*c->flag;
    if (c->run) c->run();
}

bool key_repeats(int key)
{
    const command *c = find_command(key);
    return c && c->repeats;
}

/* -- For the page ------------------------------------------------------------------------------ */

EMSCRIPTEN_KEEPALIVE void viewer_key(int key)
{
    viewer.error[0] = 0;              /* the user has read it */
    press_key(key);
}

/* Returns the key of a command; 0 past the end. */
EMSCRIPTEN_KEEPALIVE int viewer_command(int index)
{
    return index < COUNT(commands) ? commands[index].key : 0;
}

/* Returns a text of a command, or NULL. `which` is 0 for the name of the key, 1 for the help, 2 for
   the label of the button, and 3 for the name of the flag. */
EMSCRIPTEN_KEEPALIVE const char *viewer_command_text(int index, int which)
{
    const command *c = &commands[index];
    const char    *texts[] = { c->key_name, c->help, c->label, c->flag_name };
    return texts[which];
}
