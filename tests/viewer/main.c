/* main.c - the command line, which --help prints, the window and its frames. Public domain. */
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
    "A skin, and the animations of a .md5mesh, are looked for beside it.\n"
    "--shot FILE     a picture without a window; a # in FILE becomes the number of each frame\n"
    "--size WxH      of the window, or the picture         --crowd N       characters\n"
    "--anim NAME     begins with this animation            --time SECONDS  begins there\n"
    "--yaw DEGREES   of the camera                         --keys KEYS     pressed at the start\n"
    "--frames N      ends after so many                    --fps N         their rate\n"
    "--cast SCENE    characters in a place, a tint and an order of animations each: see cast.c\n";

struct viewer    viewer = { .crowd = 1, .speed = 1, .radius = 1,
                            .body = { { -1, -1, 0 }, { 1, 1, 2 } },
                            .reach = { { -1, -1, 0 }, { 1, 1, 2 } } };
struct arguments arguments = { NULL, NULL, NULL, "", 1280, 800, 1, 0, 28, 60, ENDLESS };
struct timing    timing;
GLFWwindow      *window;

void die(const char *message, const char *detail)
{
    fprintf(stderr, "viewer: %s%s\n", message, detail);
    exit(EXIT_FAILURE);
}

bool report_error(const char *path, const char *format, ...)
{
    va_list values;
    if (viewer.error[0]) return false;
    int length = snprintf(viewer.error, 200, "%.150s - error: ", file_name(path));
    va_start(values, format);
    vsnprintf(viewer.error + length, 300, format, values);
    va_end(values);
    return false;
}

void *allocate_again(void *old, size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) die("no memory", "");
    free(old);
    return memory;
}

/* -- Frames ------------------------------------------------------------------------------------ */

/* The time of an animation that plays once stays within it. */
void seek_clip(double seconds)
{
    double length = clip_length(&viewer.clips[viewer.clip]);
    viewer.time = viewer.mode == MD2_ONCE ? fmin(fmax(seconds, 0), length) : seconds;
}

static void advance_clock(void)
{
    double now = glfwGetTime();
    timing.delta = timing.step < 0 ? fmin(now - timing.now, 0.25) : timing.step;
    timing.now = now;
    ++timing.frame;
    float seconds = viewer.paused ? 0 : (float)timing.delta * viewer.speed;
    seek_clip(viewer.time + (double)seconds);
    advance_crowd(seconds);
}

static void draw_frame(int width, int height)
{
    float ratio = 1;
    if (!arguments.shot) glfwGetWindowContentScale(window, &ratio, NULL);
    draw_stage(width, height);
    draw_text(width, height, floorf(2 * ratio));
    show_stage();
}

/* On the web nothing ends: after its last frame the picture stands still. */
static void run_frame(void)
{
    static char title[700];
    int         width = (int)arguments.width, height = (int)arguments.height;
    if (timing.frame >= arguments.frames) return;
    advance_clock();
    if (!arguments.shot) glfwGetFramebufferSize(window, &width, &height);
    if (width > 0 && height > 0) draw_frame(width, height);
    if (strcmp(title, window_title()) != 0) {
        glfwSetWindowTitle(window, strcpy(title, window_title()));
    }
    if (!arguments.shot) glfwSwapBuffers(window);
    glfwPollEvents();
}

bool save_picture(const char *path)
{
    int      width, height;
    uint8_t *pixels = read_stage(&width, &height);
    stbi_flip_vertically_on_write(1);
    bool saved = stbi_write_png(path, width, height, 4, pixels, width * 4) != 0;
    free(pixels);
    return saved;
}

/* Without a # in its name, only the last frame is saved. */
static void save_shot(void)
{
    char        path[MAX_PATH_LENGTH];
    const char *shot = arguments.shot, *mark = strchr(shot, '#');
    if (!mark && timing.frame < arguments.frames) return;
    if (mark) {
        int front = (int)(mark - shot);
        snprintf(path, sizeof path, "%.*s%04d%s", front, shot, timing.frame, mark + 1);
    }
    if (!save_picture(mark ? path : shot)) die("this picture cannot be written: ", shot);
    if (timing.frame < arguments.frames) return;
    if (viewer.note[0]) fprintf(stderr, "viewer: %s\n", viewer.note);
    if (!shows_character()) fprintf(stderr, "viewer: nothing of it is in sight\n");
}

/* -- Start ------------------------------------------------------------------------------------- */

static void create_window(void)
{
    int       width = (int)arguments.width, height = (int)arguments.height;
    md2_error md2_problem;
    md5_error md5_problem;
    if (!glfwInit()) die("GLFW does not start here: is there a display?", "");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, 1);
    glfwWindowHint(GLFW_ALPHA_BITS, 0);
    glfwWindowHint(GLFW_VISIBLE, !arguments.shot);
    window = glfwCreateWindow(width, height, "md2.h and md5.h", NULL, NULL);
    if (!window) die("no window with OpenGL 3.3 can be opened", "");
    glfwMakeContextCurrent(window);
    if (!gladLoadGL(glfwGetProcAddress)) die("OpenGL does not load", "");
    if (!ON_THE_WEB) glfwSwapInterval(1);
    set_callbacks();
    viewer.md2_gl = md2_gl_create(glfwGetProcAddress, NULL, &md2_problem);
    viewer.md5_gl = md5_gl_create(glfwGetProcAddress, NULL, &md5_problem);
    if (!viewer.md2_gl) die(md2_problem.message, "");
    if (!viewer.md5_gl) die(md5_problem.message, "");
}

static bool read_number(const char *text, double least, double most, double *out)
{
    char excess;
    return sscanf(text, "%lf%c", out, &excess) == 1 && *out >= least && *out <= most;
}

static bool read_size(const char *text)
{
    double *width = &arguments.width, *height = &arguments.height;
    char    excess;
    return sscanf(text, "%lfx%lf%c", width, height, &excess) == 2 &&
           fmin(*width, *height) >= 1 && fmax(*width, *height) <= 8192;
}

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
    else if (strcmp(option, "--cast") == 0) a->cast = value;
    else if (strcmp(option, "--keys") == 0) a->keys = value;
    else die("no such option: ", option);
    return true;
}

static void print_help(void)
{
    printf("%s\nKeys\n", usage);
    print_keys();
    exit(EXIT_SUCCESS);
}

/* Leaves the files at the front of `argv` and returns their number. */
static int read_arguments(int argc, char **argv)
{
    int files = 0;
    for (int i = 1; i < argc; ++i) {
        const char *option = argv[i], *value = argv[i + 1];
        if (strcmp(option, "--help") == 0) print_help();
        if (option[0] != '-') argv[files++] = argv[i];
        else if (!value) die("a value is missing behind ", option);
        else if (!read_option(option, value)) die(option, " is no number, or out of range");
        else ++i;
    }
    return files;
}

/* Says what there is instead. */
int find_clip(const char *name)
{
    for (int i = 0; i < viewer.clip_count; ++i) {
        if (has_name(viewer.clips[i].name, name)) return i;
    }
    fprintf(stderr, "viewer: no animation is called %s; there are:", name);
    for (int i = 0; i < viewer.clip_count; ++i) fprintf(stderr, " %s", viewer.clips[i].name);
    fprintf(stderr, "\n");
    exit(EXIT_FAILURE);
}

static void apply_arguments(void)
{
    if (arguments.clip) viewer.clip = find_clip(arguments.clip);
    arguments.yaw *= 0.017453292519943; /* to radians */
    form_crowd((int)arguments.crowd);
    reset_camera(arguments.yaw);
    if (arguments.cast) read_cast(arguments.cast);
    for (const char *key = arguments.keys; *key; ++key) viewer_key(toupper((unsigned char)*key));
}

int main(int argc, char **argv)
{
    static const char *character[] = { "build/character/tris.md2", "build/character/weapon.md2" };
    int files = read_arguments(argc, argv);
    timing.step = arguments.frames < ENDLESS ? 1 / arguments.fps : arguments.shot ? 0 : -1;
    if (timing.step == 0) arguments.frames = 1;
    viewer.text = arguments.shot || ON_THE_WEB ? NO_TEXT : STATUS;
    create_window();
    create_stage();
    open_files(files ? files : COUNT(character), files ? (const char **)argv : character);
    if (!files && !arguments.shot) viewer.error[0] = 0; /* the window asks for a file instead */
    if (viewer.error[0] && timing.step >= 0) die(viewer.error, "");
    apply_arguments();
#ifdef __EMSCRIPTEN__
    emscripten_set_main_loop(run_frame, 0, 1); /* does not return */
#endif
    while (!glfwWindowShouldClose(window) && timing.frame < arguments.frames) {
        run_frame();
        if (arguments.shot) save_shot();
    }
    close_models();
    md2_gl_destroy(viewer.md2_gl);
    md5_gl_destroy(viewer.md5_gl);
    glfwTerminate();
    return EXIT_SUCCESS;
}
