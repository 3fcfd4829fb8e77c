/* commands.c - what can be done by a key. The help, the window's title and the page's buttons come from
   this list, too. Public domain. */
#define _XOPEN_SOURCE 700             /* realpath */
#include "viewer.h"

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

static void step_frame(int frames)
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

static void play_again(void)
{
    play_clips(true);
}

static void form_again(void)
{
    form_crowd(viewer.crowd);
}

static void dress_again(void)
{
    for (int i = 0; i < viewer.model_count; ++i) load_textures(&viewer.models[i]);
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

static void step_back(void)
{
    step_frame(-1);
}

static void step_on(void)
{
    step_frame(1);
}

static void go_faster(void)
{
    viewer.speed = fminf(viewer.speed * 2, 8);
}

static void go_slower(void)
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

static void put_camera_back(void)
{
    reset_camera(arguments.yaw);
}

static void come_closer(void)
{
    viewer_zoom(0.9f);
}

static void go_away(void)
{
    viewer_zoom(1 / 0.9f);
}

static void close_window(void)
{
    glfwSetWindowShouldClose(window, 1);
}

/* The window fills the screen, or has the size that it had. A page does that itself. */
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
    const char *label;                /* of the page's button; NULL: it has none */
    bool       *is_on;                /* what it switches, or NULL */
    const char *sign;                 /* in the title, while that is on */
    void      (*run)(void);           /* after the switch; or NULL */
    bool        repeats;              /* while the key is held */
} command;

/* The first five buttons are always in sight. */
static const command commands[] = {
    { GLFW_KEY_SPACE, "Space", "pause", "Pause", &viewer.paused, "paused", NULL, false },
    { GLFW_KEY_C, "C", "crowd of 1, 10, 100, 1,000, 10,000", "Crowd", NULL, NULL, grow_crowd, false },
    { GLFW_KEY_M, "M", "every character another animation", "Mixed", &viewer.mixed, "mixed", play_again,
      false },
    { GLFW_KEY_S, "S", "skeleton of an MD5", "Skeleton", &viewer.skeleton, "skeleton", NULL, false },
    { GLFW_KEY_N, "N", "night: what glows?", "Night", NULL, "night", toggle_night, false },
    { GLFW_KEY_RIGHT, "Right", "the next animation", NULL, NULL, NULL, play_next_clip, false },
    { GLFW_KEY_LEFT, "Left", "the animation before", NULL, NULL, NULL, play_previous_clip, false },
    { GLFW_KEY_PAGE_DOWN, "Page Down", "the next model, of several", NULL, NULL, NULL, show_next_model,
      false },
    { GLFW_KEY_PAGE_UP, "Page Up", "the model before", NULL, NULL, NULL, show_previous_model, false },
    { GLFW_KEY_COMMA, ",", "one frame back", "\xe2\x80\xb9 Frame", NULL, NULL, step_back, true },
    { GLFW_KEY_PERIOD, ".", "one frame on", "Frame \xe2\x80\xba", NULL, NULL, step_on, true },
    { GLFW_KEY_UP, "Up", "twice as fast", "Speed", NULL, NULL, go_faster, false },
    { GLFW_KEY_DOWN, "Down", "half as fast", NULL, NULL, NULL, go_slower, false },
    { GLFW_KEY_L, "L", "at the end: loop, once, ping-pong", "Loop", NULL, NULL, change_mode, false },
    { GLFW_KEY_B, "B", "bounds", "Bounds", &viewer.bounds, "bounds", NULL, false },
    { GLFW_KEY_X, "X", "wires: the edges of all triangles", "Wires", &viewer.wires, "wires", NULL, false },
    { GLFW_KEY_K, "K", "without texture", "Bare", &viewer.bare, "bare", NULL, false },
    { GLFW_KEY_A, "A", "what is see-through is solid", "Solid", &viewer.solid, "solid", dress_again, false },
    { GLFW_KEY_W, "W", "an MD2 without its wobble", "Smooth", &viewer.smooth, "smooth", smooth_models, false },
    { GLFW_KEY_T, "T", "the next skin of an MD2", "Skin", NULL, NULL, show_next_skin, false },
    { GLFW_KEY_U, "U", "for models made with Y up", "Y up", &viewer.y_up, "Y up", form_again, false },
    { GLFW_KEY_V, "V", "turntable", "Turn", &viewer.turns, "turning", NULL, false },
    { GLFW_KEY_G, "G", "plain background", "Plain", &viewer.plain, "plain", NULL, false },
    { GLFW_KEY_F, "F", "full screen", "Full", NULL, NULL, toggle_full_screen, false },
    { GLFW_KEY_EQUAL, "+", "closer", NULL, NULL, NULL, come_closer, true },
    { GLFW_KEY_MINUS, "-", "further away", NULL, NULL, NULL, go_away, true },
    { GLFW_KEY_R, "R", "camera back", "Reset", NULL, NULL, put_camera_back, false },
    { GLFW_KEY_P, "P", "picture into a file", NULL, NULL, NULL, save_screenshot, false },
    { GLFW_KEY_H, "H", "text: none, short, this", NULL, NULL, NULL, show_next_text, false },
    { GLFW_KEY_ESCAPE, "Escape", "the end", NULL, NULL, NULL, close_window, false },
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
    return c->is_on && *c->is_on;
}

const char *next_sign(int *index)
{
    while (*index < COUNT(commands)) {
        const command *c = &commands[(*index)++];
        if (is_on(c)) return c->sign;
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
    if (c->is_on) *c->is_on = !*c->is_on;
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
    viewer.error[0] = 0;              /* it has been read */
    press_key(key);
}

/* The key of a command; past the end 0. */
EMSCRIPTEN_KEEPALIVE int viewer_command(int index)
{
    return index < COUNT(commands) ? commands[index].key : 0;
}

/* Its key's name, help, label and sign, in this order; NULL for what it does not have. */
EMSCRIPTEN_KEEPALIVE const char *viewer_command_text(int index, int which)
{
    const command *c = &commands[index];
    const char    *texts[] = { c->key_name, c->help, c->label, c->sign };
    return texts[which];
}
