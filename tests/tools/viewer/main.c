/* main.c - the command line (see --help), the window and its frames. Public domain. */
#include <ctype.h>
#include <stdarg.h>

#define GLAD_GL_IMPLEMENTATION
#include "viewer.h"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>
#ifdef __EMSCRIPTEN__
  #include <emscripten/html5.h>
  #define gladLoadGL(get_proc) 1
  #define glfwGetWindowContentScale(w, x, y) (*(x) = (float)emscripten_get_device_pixel_ratio())
#endif

#define ENDLESS 1e9                   /* frames */

static const char usage[] =
    "viewer [FILE...] [OPTION VALUE...]: shows Quake II and Doom 3 models.\n"
    "    viewer knight/                               a folder: its model, weapon and animations\n"
    "    viewer knight/tris.md2 knight/weapon.md2     drop more files on the window\n"
    "    viewer imp/imp.md5mesh imp/walk.md5anim --crowd 100 --shot imp.png\n"
    "Skins, and the animations of a .md5mesh, are searched for in the folder of the model.\n"
    "--shot FILE     saves a picture without a display; a # in FILE becomes the frame number\n"
    "--size WxH      size of the window or picture         --crowd N       number of characters\n"
    "--anim NAME     first animation                       --time SECONDS  start time in it\n"
    "--yaw DEGREES   yaw of the camera                     --keys KEYS     pressed at the start\n"
    "--frames N      ends after N frames                   --fps N         frame rate for --frames\n"
    "--label TEXT    text at the bottom left               --night         blue parts of skins glow\n"
    "--scene TEXT    characters with positions, tints and animations: see scene_text.c\n"
    "--film          the film of the web page, with build/character: see film.c\n";

struct viewer    viewer = { .crowd = 1, .speed = 1, .radius = 1,
                            .body_box = { { -1, -1, 0 }, { 1, 1, 2 } },
                            .motion_box = { { -1, -1, 0 }, { 1, 1, 2 } } };
struct arguments arguments = { .keys = "", .width = 1280, .height = 800, .crowd = 1, .yaw = 28,
                               .fps = 60, .frames = ENDLESS };
struct timing    timing;
GLFWwindow      *window;

void die(const char *message, const char *detail)
{
    fprintf(stderr, "viewer: %s%s\n", message, detail);
    exit(EXIT_FAILURE);
}

bool report_error(const char *path, const char *format, ...)
{
    if (viewer.error[0]) return false;
    int length = snprintf(viewer.error, 200, "%.150s - error: ", file_name(path));

    va_list values;
    va_start(values, format);
    vsnprintf(viewer.error + length, 300, format, values);
    va_end(values);
    return false;
}

int inflate_stream(char *out, int out_size, const char *in, int in_size)
{
    return stbi_zlib_decode_noheader_buffer(out, out_size, in, in_size);
}

void *allocate_again(void *old, size_t count, size_t size)
{
    void *memory = calloc(count + 1, size); /* never 0 bytes, which could return NULL */
    if (!memory) die("not enough memory", "");
    free(old);
    return memory;
}

/* -- Frames ------------------------------------------------------------------------------------ */

void seek_clip(double seconds)
{
    viewer.time = seconds;
    if (viewer.mode != MD2_ONCE) return;

    /* The time of an animation that plays once stays between its start and its end. */
    double length = clip_length(&viewer.clips[viewer.clip]);
    viewer.time = fmin(fmax(seconds, 0), length);
}

static void advance_clock(void)
{
    double now = glfwGetTime();
    double passed = fmin(now - timing.now, 0.25); /* playback does not jump after a pause */
    timing.delta = timing.step < 0 ? passed : timing.step;
    timing.now = now;
    ++timing.frame;

    if (viewer.turntable) camera.yaw += 0.5f * (float)timing.delta;
    float seconds = viewer.paused ? 0 : (float)timing.delta * viewer.speed;
    seek_clip(viewer.time + (double)seconds);
    advance_crowd(seconds);
}

static void draw_frame(void)
{
    /* The size of a picture does not depend on the screen. */
    int   width = (int)arguments.width, height = (int)arguments.height;
    float pixels_per_point = 1;
    if (!arguments.shot) {
        glfwGetFramebufferSize(window, &width, &height);
        glfwGetWindowContentScale(window, &pixels_per_point, NULL);
    }
    if (width <= 0 || height <= 0) return; /* minimized */

    draw_stage(width, height);
    draw_text(width, height, floorf(2 * pixels_per_point));
    show_stage();
}

/* Sets the title if it has changed, because each call is a message to the window system. On the
   web, the page sets its title. */
static void update_title(void)
{
    if (ON_THE_WEB) return;

    static char shown[800];
    const char *title = window_title();
    if (strcmp(shown, title) == 0) return;

    strcpy(shown, title);
    glfwSetWindowTitle(window, shown);
}

static void run_frame(void)
{
    /* The web page cannot exit, so the picture stops after its last frame. */
    if (timing.frame >= arguments.frames || !viewer.md2_gl) return;

    advance_clock();
    draw_frame();
    if (!window) return;

    update_title();
    glfwSwapBuffers(window);
    glfwPollEvents();
}

bool save_picture(const char *path)
{
    int      width, height;
    uint8_t *pixels = read_stage(&width, &height);
    stbi_flip_vertically_on_write(1); /* OpenGL's first row is the bottom row */
    bool saved = stbi_write_png(path, width, height, 4, pixels, width * 4) != 0;
    free(pixels);
    return saved;
}

/* Saves a picture with 0001, 0002, ... in place of the # in its name, which is at `mark`. */
static bool save_numbered_picture(const char *name, const char *mark)
{
    char path[MAX_PATH_LENGTH];
    int  length_before = (int)(mark - name);
    snprintf(path, sizeof path, "%.*s%04d%s", length_before, name, timing.frame, mark + 1);
    return save_picture(path);
}

static void save_shot(void)
{
    const char *shot = arguments.shot;
    const char *mark = strchr(shot, '#');
    bool        is_last = timing.frame >= arguments.frames;

    /* Without a # in its name, only the last frame is saved. */
    if (!mark && !is_last) return;
    bool saved = mark ? save_numbered_picture(shot, mark) : save_picture(shot);
    if (!saved) die("cannot write the picture: ", shot);

    if (!is_last) return;
    if (viewer.note[0]) fprintf(stderr, "viewer: %s\n", viewer.note);
    if (!shows_character()) fprintf(stderr, "viewer: the model is not visible\n");
}

/* -- The window -------------------------------------------------------------------------------- */

static gl_function find_function(const char *name)
{
    return window ? glfwGetProcAddress(name) : find_offscreen_function(name);
}

static void create_window(void)
{
    if (!glfwInit()) die("GLFW cannot start: is there a display?", "");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, 1);
    glfwWindowHint(GLFW_ALPHA_BITS, 0);
    glfwWindowHint(GLFW_VISIBLE, !arguments.shot);

    int width = (int)arguments.width, height = (int)arguments.height;
    window = glfwCreateWindow(width, height, "md2.h and md5.h", NULL, NULL);
    if (!window) die("cannot open a window with OpenGL 3.3", "");
    glfwMakeContextCurrent(window);
    if (!ON_THE_WEB) glfwSwapInterval(1);
    set_callbacks();
}

/* Cuts out transparent parts like the headers' shaders (a comment in shaders/md2.frag explains it):
   pixels with an alpha of at least 0.5 are kept; far away, the fraction of kept pixels is the alpha
   of the mipmap. The light of the day is also that of the headers. At night the moon gives little
   light, and bright blue parts of a skin glow. */
#define SHADER(skin)                                                                        \
    "in vec3 v_normal; in vec2 v_texcoord; in vec4 v_tint; flat in vec4 v_light;"           \
    "uniform sampler2D " skin "; uniform float night; out vec4 color;"                      \
    "void main() {"                                                                         \
    "    vec4 texel = texture(" skin ", v_texcoord);"                                       \
    "    vec2 place = v_texcoord * vec2(textureSize(" skin ", 0));"                         \
    "    vec2 right = dFdx(place), up = dFdy(place), width = max(abs(right), abs(up));"     \
    "    float mixed = clamp(max(length(right), length(up)) - 1.0, 0.0, 1.0);"              \
    "    vec2 cell = floor(place / exp2(floor(log2(max(width, 1.0)))));"                    \
    "    float noise = max(fract(dot(cell, vec2(0.75487767, 0.56984029))), 0.002);"         \
    "    if (texel.a < mix(0.5, noise, mixed)) discard;"                                    \
    "    float lit = max(dot(normalize(v_normal), v_light.xyz), 0.0);"                      \
    "    vec3 bright = texel.rgb * v_tint.rgb;"                                             \
    "    vec3 day = bright * mix(lit, 1.0, v_light.w);"                                     \
    "    vec3 dim = bright * vec3(0.32, 0.42, 0.68) * mix(lit, 1.0, 0.3);"                  \
    "    float glow = smoothstep(0.2, 0.5, texel.b - texel.r);"                             \
    "    vec3 dark = mix(dim, min(1.25 * texel.rgb, 1.0), glow);"                           \
    "    color = vec4(mix(day, dark, night), v_tint.a);"                                    \
    "}"

static void create_renderers(void)
{
    md2_gl_options md2_options = { 0 };
    md5_gl_options md5_options = { 0 };
    md2_options.fragment_source = SHADER("skin");
    md5_options.fragment_source = SHADER("diffuse");
    md2_options.cut_out = true;
    md5_options.cut_out = true;

    md2_error md2_problem;
    viewer.md2_gl = md2_gl_create(find_function, &md2_options, &md2_problem);
    if (!viewer.md2_gl) die(md2_problem.message, "");

    md5_error md5_problem;
    viewer.md5_gl = md5_gl_create(find_function, &md5_options, &md5_problem);
    if (!viewer.md5_gl) die(md5_problem.message, "");
}

static void destroy_renderers(void)
{
    md2_gl_destroy(viewer.md2_gl);
    md5_gl_destroy(viewer.md5_gl);
    viewer.md2_gl = NULL;
    viewer.md5_gl = NULL;
}

/* Frees all OpenGL objects. A browser can take the context away and restore it later; until then,
   no frame is drawn. */
EMSCRIPTEN_KEEPALIVE void viewer_release(void)
{
    release_models();
    destroy_renderers();
}

EMSCRIPTEN_KEEPALIVE void viewer_renew(void)
{
    create_renderers();
    create_stage();
    upload_models();
}

/* -- Command line ------------------------------------------------------------------------------ */

/* Returns false if the text is not exactly one number, or if the number is out of range. */
static bool read_number(const char *text, double least, double most, double *out)
{
    char excess;                      /* read only if anything follows the number */
    if (sscanf(text, "%lf%c", out, &excess) != 1) return false;
    return *out >= least && *out <= most; /* false for NaN */
}

static bool read_size(const char *text)
{
    double *width = &arguments.width, *height = &arguments.height;
    char    excess;
    if (sscanf(text, "%lfx%lf%c", width, height, &excess) != 2) return false;
    return fmin(*width, *height) >= 1 && fmax(*width, *height) <= 8192;
}

/* Returns false if the value is invalid for the option. */
static bool read_option(const char *option, const char *value)
{
    struct arguments *a = &arguments;
    if (strcmp(option, "--size") == 0) return read_size(value);
    if (strcmp(option, "--time") == 0) return read_number(value, -1e6, 1e6, &a->time);
    if (strcmp(option, "--yaw") == 0) return read_number(value, -1e6, 1e6, &a->yaw);
    if (strcmp(option, "--fps") == 0) return read_number(value, 0.001, 1e6, &a->fps);
    if (strcmp(option, "--crowd") == 0) return read_number(value, 1, 1e6, &a->crowd);
    if (strcmp(option, "--frames") == 0) return read_number(value, 1, 1e9, &a->frames);

    if (strcmp(option, "--shot") == 0) a->shot = value;
    else if (strcmp(option, "--anim") == 0) a->clip = value;
    else if (strcmp(option, "--scene") == 0) a->scene = value;
    else if (strcmp(option, "--keys") == 0) a->keys = value;
    else if (strcmp(option, "--label") == 0) a->label = value;
    else die("unknown option: ", option);
    return true;
}

/* Reads an option that has no value. */
static bool read_switch(const char *option)
{
    if (strcmp(option, "--film") == 0) arguments.film = true;
    else if (strcmp(option, "--night") == 0) viewer.night = 1;
    else return false;
    return true;
}

static void print_help(void)
{
    printf("%s\nKeys\n", usage);
    print_keys();
    exit(EXIT_SUCCESS);
}

/* Moves the files to the front of `argv` and returns their number. */
static int read_arguments(int argc, char **argv)
{
    int file_count = 0;
    for (int i = 1; i < argc; ++i) {
        const char *option = argv[i];
        if (option[0] != '-') {
            argv[file_count++] = argv[i];
            continue;
        }
        if (strcmp(option, "--help") == 0) print_help();
        if (read_switch(option)) continue;

        ++i;
        const char *value = argv[i];  /* NULL at the end of argv */
        if (!value) die("a value is missing after ", option);
        if (!read_option(option, value)) die(option, ": the value is not a number or is out of range");
    }
    return file_count;
}

/* Returns the index of an animation. If there is none of this name, prints all names and exits. */
int find_clip(const char *name)
{
    for (int i = 0; i < viewer.clip_count; ++i) {
        if (has_name(viewer.clips[i].name, name)) return i;
    }

    fprintf(stderr, "viewer: no animation has the name %s; there are:", name);
    for (int i = 0; i < viewer.clip_count; ++i) fprintf(stderr, " %s", viewer.clips[i].name);
    fprintf(stderr, "\n");
    exit(EXIT_FAILURE);
}

/* Applies the options. The files must be open. */
static void apply_arguments(void)
{
    if (arguments.clip) viewer.clip = find_clip(arguments.clip);
    arguments.yaw *= 0.017453292519943; /* to radians */
    form_crowd((int)arguments.crowd);
    reset_camera(arguments.yaw);
    for (const char *key = arguments.keys; *key; ++key) press_key(toupper((unsigned char)*key));
    if (arguments.scene) open_scene_text(arguments.scene);
    if (arguments.film) open_film();
}

/* -- The program ------------------------------------------------------------------------------- */

static void choose_timing(void)
{
    bool frames_are_counted = arguments.frames < ENDLESS;
    if (frames_are_counted) {
        timing.step = 1 / arguments.fps;
    } else if (arguments.shot) {
        timing.step = 0;
        arguments.frames = 1;
    } else {
        timing.step = -1;             /* real time */
    }
}

static void open_arguments(int file_count, char **files)
{
    static const char *character[] = { "build/character/tris.md2", "build/character/weapon.md2" };
    if (file_count > 0) {
        open_files(file_count, (const char **)files, 0);
    } else {
        open_files(COUNT(character), character, 0);
        if (!arguments.shot) viewer.error[0] = 0; /* the window asks for a file */
    }

    /* An error about a file of the command line ends the program. The page shows its error
       instead. */
    bool is_requested = file_count > 0 || arguments.shot;
    if (viewer.error[0] && is_requested && !ON_THE_WEB) die(viewer.error, "");
}

int main(int argc, char **argv)
{
    int file_count = read_arguments(argc, argv);
    choose_timing();
    viewer.text = arguments.shot || ON_THE_WEB ? NO_TEXT : STATUS;

    bool is_offscreen = arguments.shot && create_offscreen_context();
    if (!is_offscreen) create_window();
    if (!gladLoadGL(find_function)) die("OpenGL cannot be loaded", "");
    create_renderers();
    create_stage();
    open_arguments(file_count, argv);
    apply_arguments();

#ifdef __EMSCRIPTEN__
    emscripten_set_main_loop(run_frame, 0, 1); /* does not return */
#endif
    while (timing.frame < arguments.frames && !(window && glfwWindowShouldClose(window))) {
        run_frame();
        if (arguments.shot) save_shot();
    }

    close_models();
    destroy_renderers();
    if (window) glfwTerminate();
    return EXIT_SUCCESS;
}
