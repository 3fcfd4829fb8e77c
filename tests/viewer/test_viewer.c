/* test_viewer BUILD GOLDEN [--record]: both examples and info, as a person uses them: real keys,
   mouse, wheel, resizing and dropped files on an X display that is theirs alone (xvfb-run),
   pictures against those of record in GOLDEN, and every model of BUILD/models and $MODELS.
   ONLY=mouse runs only the tests of such a name. Public domain. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <signal.h>
#include <stdarg.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>

#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

#define MD2_IMPLEMENTATION
#include "../../md2.h"
#define MD5_IMPLEMENTATION
#include "../../md5.h"
#include "picture.h"

enum { WIDTH = 640, HEIGHT = 400, PATIENCE = 10000, ARGUMENTS = 24 };

static char     build[PATH_MAX], golden[PATH_MAX], models[PATH_MAX], scratch[PATH_MAX + 16];
static Display *display;
static bool     record;               /* the pictures of record are drawn anew */

/* -- Programs ---------------------------------------------------------------------------------- */

typedef struct program {
    pid_t  pid;
    Window window;
    char   title[512];
} program;

static void nap(long milliseconds)
{
    struct timespec time = { 0, 0 };
    time.tv_nsec = milliseconds * 1000000;
    nanosleep(&time, NULL);
}

/* folder/name, which lives as long as this program. */
static const char *in_folder(const char *folder, const char *name)
{
    static check_list known;
    size_t            i, length = strlen(folder);
    for (i = 0; i < known.count; ++i) {
        const char *path = known.path[i];
        if (strncmp(path, folder, length) == 0 && strcmp(path + length + 1, name) == 0) return path;
    }
    check_list_add(&known, folder, name);
    return known.path[known.count - 1];
}

static void redirect(int stream, const char *path, int flags)
{
    int file = open(path, flags, 0644);
    if (file < 0 || dup2(file, stream) < 0) _exit(126);
    close(file);
}

/* arguments[0] is a program in BUILD; what it prints goes to out.txt and err.txt in `scratch`. */
static pid_t start(const char *const *arguments, const char *name)
{
    char        path[PATH_MAX + 160];
    const char *out = in_folder(scratch, name);
    pid_t       pid = fork();
    if (pid != 0) return pid;
    snprintf(path, sizeof path, "%s.out", out);
    redirect(1, path, O_WRONLY | O_CREAT | O_TRUNC);
    snprintf(path, sizeof path, "%s.err", out);
    redirect(2, path, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(0, "/dev/null", O_RDONLY);
    snprintf(path, sizeof path, "%s/%s", build, arguments[0]);
    execv(path, (char **)(uintptr_t)arguments);
    _exit(127);
}

/* The exit status; -1 for a crash, and for a program that does not end and is ended here. */
static int finish(pid_t pid)
{
    int status = 0, waited;
    for (waited = 0; waited < 6 * PATIENCE; waited += 5) {
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        nap(5);
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    printf("a program did not end\n");
    return -1;
}

/* Starts a program by a line of words. Each word '@' stands for the next of `paths`. */
static pid_t start_line(const char *name, const char *line, va_list paths)
{
    char        words[1024];
    const char *arguments[ARGUMENTS], *word;
    int         count = 0;
    snprintf(words, sizeof words, "%s", line);
    for (word = strtok(words, " "); word && count + 1 < ARGUMENTS; word = strtok(NULL, " ")) {
        arguments[count++] = strcmp(word, "@") == 0 ? va_arg(paths, const char *) : word;
    }
    arguments[count] = NULL;
    return start(arguments, name);
}

static pid_t begin(const char *name, const char *line, ...)
{
    va_list paths;
    pid_t   pid;
    va_start(paths, line);
    pid = start_line(name, line, paths);
    va_end(paths);
    return pid;
}

static int run(const char *line, ...)
{
    va_list paths;
    pid_t   pid;
    va_start(paths, line);
    pid = start_line("run", line, paths);
    va_end(paths);
    return finish(pid);
}

static bool text_has(const char *name, const char *part)
{
    size_t   size = 0;
    uint8_t *text = check_read_file(in_folder(scratch, name), &size);
    bool     found = text && memmem(text, size, part, strlen(part)) != NULL;
    free(text);
    return found;
}

/* -- Pictures ---------------------------------------------------------------------------------- */

static picture read_picture(const char *path)
{
    picture p = { 0, 0, NULL };
    int     width = 0, height = 0;
    p.rgb = stbi_load(path, &width, &height, NULL, 3);
    p.width = (uint32_t)width;
    p.height = (uint32_t)height;
    return p;
}

/* How many pixels two pictures do not share; all of them where a size differs or one is missing. */
static uint32_t pixels_apart(const picture *a, const picture *b)
{
    if (!a->rgb || !b->rgb || !a->width) return UINT32_MAX;
    return picture_compare(a, b).over;
}

static bool alike(const picture *a, const picture *b)
{
    return a->rgb && b->rgb && a->width && picture_alike(picture_compare(a, b));
}

static uint32_t files_apart(const char *path_a, const char *path_b)
{
    picture  a = read_picture(path_a), b = read_picture(path_b);
    uint32_t apart = pixels_apart(&a, &b);
    picture_free(&a);
    picture_free(&b);
    return apart;
}

static bool files_alike(const char *path_a, const char *path_b)
{
    picture a = read_picture(path_a), b = read_picture(path_b);
    bool    same = alike(&a, &b);
    if (!same) printf("%s and %s: %u pixels apart\n", path_a, path_b, pixels_apart(&a, &b));
    picture_free(&a);
    picture_free(&b);
    return same;
}

static bool same_bytes(const char *path_a, const char *path_b)
{
    size_t   size_a = 0, size_b = 0;
    uint8_t *a = check_read_file(path_a, &size_a), *b = check_read_file(path_b, &size_b);
    bool     same = a && b && size_a == size_b && memcmp(a, b, size_a) == 0;
    free(a);
    free(b);
    return same;
}

/* -- Windows ----------------------------------------------------------------------------------- */

static Atom atom(const char *name) { return XInternAtom(display, name, False); }

/* A property's bytes, for XFree; NULL where the window has none, or is gone. */
static unsigned char *property(Window window, const char *name, unsigned long *count)
{
    Atom           type;
    int            format;
    unsigned long  left;
    unsigned char *value = NULL;
    *count = 0;
    if (XGetWindowProperty(display, window, atom(name), 0, 256, False, AnyPropertyType, &type,
                           &format, count, &left, &value) != Success) {
        return NULL;
    }
    return value;
}

static bool is_window_of(Window window, pid_t pid)
{
    XWindowAttributes attributes;
    unsigned long     count;
    unsigned char    *value = property(window, "_NET_WM_PID", &count);
    bool              same = value && count && *(long *)(void *)value == (long)pid;
    if (value) XFree(value);
    return same && XGetWindowAttributes(display, window, &attributes) &&
           attributes.map_state == IsViewable;
}

static Window find_window(pid_t pid)
{
    Window       root, parent, *all = NULL, found = None;
    unsigned int count = 0, i;
    XQueryTree(display, DefaultRootWindow(display), &root, &parent, &all, &count);
    for (i = 0; i < count && !found; ++i) found = is_window_of(all[i], pid) ? all[i] : None;
    if (all) XFree(all);
    return found;
}

static void read_title(program *p)
{
    unsigned long  count;
    unsigned char *value = property(p->window, "_NET_WM_NAME", &count);
    snprintf(p->title, sizeof p->title, "%s", value ? (char *)value : "");
    if (value) XFree(value);
}

/* Starts one that opens a window, and gives that the keyboard. */
static program open_program(const char *line, ...)
{
    program p = { 0, None, "" };
    int     waited;
    va_list paths;
    va_start(paths, line);
    p.pid = start_line("window", line, paths);
    va_end(paths);
    for (waited = 0; waited < PATIENCE && !p.window; waited += 20) {
        nap(20);
        p.window = find_window(p.pid);
    }
    CHECK(p.window != None);
    if (p.window) XSetInputFocus(display, p.window, RevertToParent, CurrentTime);
    XSync(display, False);
    return p;
}

/* Waits until the title ends with `ending` and returns the title that then is. */
static const char *title_ends(program *p, const char *ending)
{
    int waited;
    for (waited = 0; waited < PATIENCE; waited += 10) {
        size_t length, tail = strlen(ending);
        read_title(p);
        length = strlen(p->title);
        if (length >= tail && strcmp(p->title + length - tail, ending) == 0) return ending;
        nap(10);
    }
    return p->title;
}

static bool title_has(program *p, const char *part)
{
    int waited;
    for (waited = 0; waited < PATIENCE; waited += 10) {
        read_title(p);
        if (strstr(p->title, part)) return true;
        nap(10);
    }
    printf("title: %s\n", p->title);
    return false;
}

#define CHECK_TITLE(program, ending) CHECK_TEXT(title_ends(program, ending), ending)

static picture grab(const program *p)
{
    XWindowAttributes at;
    picture           out;
    XImage           *image;
    int               x, y;
    XGetWindowAttributes(display, p->window, &at);
    out = picture_new((uint32_t)at.width, (uint32_t)at.height);
    image = XGetImage(display, p->window, 0, 0, (unsigned)at.width, (unsigned)at.height, AllPlanes,
                      ZPixmap);
    for (y = 0; image && y < at.height; ++y) {
        for (x = 0; x < at.width; ++x) {
            unsigned long pixel = XGetPixel(image, x, y);
            uint8_t      *rgb = out.rgb + ((size_t)y * out.width + (size_t)x) * 3;
            rgb[0] = (uint8_t)(pixel >> 16);
            rgb[1] = (uint8_t)(pixel >> 8);
            rgb[2] = (uint8_t)pixel;
        }
    }
    if (image) XDestroyImage(image);
    return out;
}

/* Waits until the window shows `want`, or (unless `same`) anything but that. */
static bool shows(const program *p, const picture *want, bool same)
{
    int waited;
    for (waited = 0; waited < PATIENCE; waited += 30) {
        picture now = grab(p);
        bool    is = alike(&now, want);
        picture_free(&now);
        if (is == same) return true;
        nap(30);
    }
    return false;
}

/* A picture of a window that stands still; false where it does not. */
static bool grab_still(const program *p, picture *out)
{
    int waited;
    *out = grab(p);
    for (waited = 0; waited < 3 * PATIENCE; waited += 150) {
        picture before = *out;
        bool    same;
        nap(150);
        *out = grab(p);
        same = before.width == out->width && pixels_apart(&before, out) == 0;
        picture_free(&before);
        if (same) return true;
    }
    return false;
}

/* -- Hands ------------------------------------------------------------------------------------- */

/* GLFW takes two presses within a millisecond for one. */
static void press(const char *key)
{
    unsigned code = XKeysymToKeycode(display, XStringToKeysym(key));
    CHECK(code != 0);
    XTestFakeKeyEvent(display, code, True, CurrentTime);
    XTestFakeKeyEvent(display, code, False, CurrentTime);
    XSync(display, False);
    nap(20);
}

/* Long enough for the server to repeat it. */
static void hold(const char *key)
{
    unsigned code = XKeysymToKeycode(display, XStringToKeysym(key));
    XTestFakeKeyEvent(display, code, True, CurrentTime);
    XSync(display, False);
    nap(900);
    XTestFakeKeyEvent(display, code, False, CurrentTime);
    XSync(display, False);
}

static void drag(unsigned button, int x, int y)
{
    int i;
    XTestFakeMotionEvent(display, -1, WIDTH / 2, HEIGHT / 2, CurrentTime);
    XTestFakeButtonEvent(display, button, True, CurrentTime);
    for (i = 1; i <= 10; ++i) {
        XTestFakeMotionEvent(display, -1, WIDTH / 2 + x * i / 10, HEIGHT / 2 + y * i / 10,
                             CurrentTime);
        XSync(display, False);
        nap(10);
    }
    XTestFakeButtonEvent(display, button, False, CurrentTime);
    XSync(display, False);
}

static void click(unsigned button)
{
    XTestFakeMotionEvent(display, -1, WIDTH / 2, HEIGHT / 2, CurrentTime);
    XTestFakeButtonEvent(display, button, True, CurrentTime);
    XTestFakeButtonEvent(display, button, False, CurrentTime);
    XSync(display, False);
}

/* -- Dropping files: the source's side of XDND 5 ----------------------------------------------- */

static void tell(Window to, Window from, const char *what, long a, long b, long c, long d)
{
    XEvent event;
    memset(&event, 0, sizeof event);
    event.xclient.type = ClientMessage;
    event.xclient.window = to;
    event.xclient.message_type = atom(what);
    event.xclient.format = 32;
    event.xclient.data.l[0] = (long)from;
    event.xclient.data.l[1] = a;
    event.xclient.data.l[2] = b;
    event.xclient.data.l[3] = c;
    event.xclient.data.l[4] = d;
    XSendEvent(display, to, False, NoEventMask, &event);
    XSync(display, False);
}

static void hand_over(const XSelectionRequestEvent *request, const char *list)
{
    XEvent event;
    XChangeProperty(display, request->requestor, request->property, request->target, 8,
                    PropModeReplace, (const unsigned char *)list, (int)strlen(list));
    memset(&event, 0, sizeof event);
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request->requestor;
    event.xselection.selection = request->selection;
    event.xselection.target = request->target;
    event.xselection.property = request->property;
    event.xselection.time = request->time;
    XSendEvent(display, request->requestor, False, NoEventMask, &event);
    XSync(display, False);
}

/* Waits for this message, handing the list over when it is asked for. *word: its second number. */
static bool answered(const char *message, const char *list, long *word)
{
    int waited;
    for (waited = 0; waited < PATIENCE; waited += 10) {
        while (XPending(display)) {
            XEvent event;
            XNextEvent(display, &event);
            if (event.type == SelectionRequest) hand_over(&event.xselectionrequest, list);
            if (event.type == ClientMessage && event.xclient.message_type == atom(message)) {
                *word = event.xclient.data.l[1];
                return true;
            }
        }
        nap(10);
    }
    return false;
}

/* `list`: URIs, each with CR LF behind it. True when the window took it. */
static bool drop(const program *p, const char *list)
{
    Window from = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    long   word = 0;
    bool   done;
    XSetSelectionOwner(display, atom("XdndSelection"), from, CurrentTime);
    tell(p->window, from, "XdndEnter", 5 << 24, (long)atom("text/uri-list"), 0, 0);
    tell(p->window, from, "XdndPosition", 0, (WIDTH / 2) << 16 | HEIGHT / 2, CurrentTime,
         (long)atom("XdndActionCopy"));
    done = answered("XdndStatus", list, &word) && (word & 1);
    if (done) tell(p->window, from, "XdndDrop", 0, CurrentTime, 0, 0);
    done = done && answered("XdndFinished", list, &word);
    XDestroyWindow(display, from);
    XSync(display, False);
    return done;
}

/* -- Keys, mouse and window of viewer ---------------------------------------------------- */

#define VIEWER  "viewer --size 640x400 "
#define STOPPED VIEWER "--keys hh" /* no text in the picture */

static void close_with_escape(program *p)
{
    press("Escape");
    CHECK_EQ(finish(p->pid), 0);
    XSync(display, False);
}

/* The key shows something, says so in the title, and takes both back when it is pressed again. */
static void check_switch(program *p, const char *key, const char *says, const char *without)
{
    picture before, after;
    check_subject(key);
    CHECK(grab_still(p, &before));
    press(key);
    CHECK_TITLE(p, says);
    CHECK(shows(p, &before, false));
    CHECK(grab_still(p, &after));
    press(key);
    CHECK_TITLE(p, without);
    CHECK(shows(p, &before, true));
    picture_free(&before);
    picture_free(&after);
}

/* The key does what it says, and the one against it leads back to the same picture. */
static void check_there_and_back(program *p, const char *there, const char *back)
{
    picture before;
    check_subject(there);
    CHECK(grab_still(p, &before));
    press(there);
    CHECK(shows(p, &before, false));
    press(back);
    CHECK(shows(p, &before, true));
    picture_free(&before);
}

static void test_playing(void)
{
    program p = open_program(STOPPED);
    picture before = grab(&p);
    CHECK_TITLE(&p, "tris.md2 - stand - loop - 1x - 1 characters");
    CHECK(shows(&p, &before, false));
    picture_free(&before);
    press("Right");
    CHECK_TITLE(&p, "tris.md2 - run - loop - 1x - 1 characters");
    press("Left");
    press("Left");
    CHECK_TITLE(&p, "tris.md2 - death3 - loop - 1x - 1 characters");
    press("Right");
    press("Up");
    CHECK_TITLE(&p, "tris.md2 - stand - loop - 2x - 1 characters");
    press("Down");
    press("Down");
    CHECK_TITLE(&p, "tris.md2 - stand - loop - 0.5x - 1 characters");
    press("Up");
    press("l");
    CHECK_TITLE(&p, "tris.md2 - stand - once - 1x - 1 characters");
    press("l");
    CHECK_TITLE(&p, "tris.md2 - stand - ping-pong - 1x - 1 characters");
    press("l");
    CHECK_TITLE(&p, "tris.md2 - stand - loop - 1x - 1 characters");
    close_with_escape(&p);
}

static void test_paused(void)
{
    program p = open_program(STOPPED);
    picture stopped;
    press("space");
    CHECK_TITLE(&p, "1 characters - paused");
    check_there_and_back(&p, "period", "comma");
    check_there_and_back(&p, "comma", "period");
    check_subject("another animation");
    CHECK(grab_still(&p, &stopped));
    press("Right");
    CHECK(shows(&p, &stopped, false));
    picture_free(&stopped);
    check_switch(&p, "b", "paused - bounds", "paused");
    check_switch(&p, "u", "paused - Y up", "paused");
    check_subject("space");
    stopped = grab(&p);
    press("space");
    CHECK_TITLE(&p, "1 characters");
    CHECK(shows(&p, &stopped, false));
    picture_free(&stopped);
    close_with_escape(&p);
}

/* Of a cube, because a software driver draws it: ten thousand are shown. */
static void test_crowds(void)
{
    static const char *const sizes[] = { "10", "100", "1000", "10000", "1" };
    program p = open_program(STOPPED " @", in_folder(build, "models/moving_cube.md2"));
    size_t  i;
    press("space");
    CHECK_TITLE(&p, " - 1 characters - paused");
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        picture before;
        char    title[64];
        snprintf(title, sizeof title, " - %s characters - paused", sizes[i]);
        CHECK(grab_still(&p, &before));
        press("c");
        CHECK_TITLE(&p, title);
        CHECK(shows(&p, &before, false));
        picture_free(&before);
    }
    hold("c");
    nap(200);
    CHECK_TITLE(&p, " - 10 characters - paused");
    close_with_escape(&p);
    p = open_program(STOPPED " --crowd 10");
    press("space");
    CHECK_TITLE(&p, "10 characters - paused");
    check_switch(&p, "m", "paused - mixed", "paused");
    close_with_escape(&p);
}

static void test_skeleton(void)
{
    program p = open_program(STOPPED " @ @", in_folder(build, "character/robot.md5mesh"),
                             in_folder(build, "character/run.md5anim"));
    CHECK_TITLE(&p, "robot.md5mesh - run - loop - 1x - 1 characters");
    press("space");
    CHECK_TITLE(&p, "paused");
    check_switch(&p, "s", "paused - skeleton", "paused");
    check_switch(&p, "b", "paused - bounds", "paused");
    check_switch(&p, "u", "paused - Y up", "paused");
    close_with_escape(&p);
}

static void test_skins(void)
{
    program p = open_program(STOPPED " @", in_folder(build, "models/40_skins.md2"));
    press("t");
    CHECK_TITLE(&p, " - skin 2");
    close_with_escape(&p);
}

static void test_help(void)
{
    program p = open_program(VIEWER "--keys h");
    picture help, none;
    press("space");
    CHECK_TITLE(&p, "paused");
    help = grab(&p);
    press("h");
    CHECK(shows(&p, &help, false));
    CHECK(grab_still(&p, &none));
    press("h");
    press("h");
    CHECK(shows(&p, &none, false));
    press("v");
    CHECK_TITLE(&p, "paused - no vsync");
    press("v");
    CHECK_TITLE(&p, "paused");
    picture_free(&help);
    picture_free(&none);
    close_with_escape(&p);
}

static void test_mouse(void)
{
    static const char *const subjects[4] = { "orbit", "pan", "closer", "farther" };
    program p = open_program(STOPPED);
    picture home;
    int     i;
    press("space");
    CHECK_TITLE(&p, "paused");
    CHECK(grab_still(&p, &home));
    for (i = 0; i < 4; ++i) {
        picture moved;
        check_subject(subjects[i]);
        if (i < 2) drag(i ? 3 : 1, 90, 40);
        else click(i == 2 ? 4 : 5);
        CHECK(shows(&p, &home, false));
        CHECK(grab_still(&p, &moved));
        press("r");
        CHECK(shows(&p, &home, true));
        picture_free(&moved);
    }
    check_subject("a move without a button");
    XTestFakeMotionEvent(display, -1, 10, 10, CurrentTime);
    XTestFakeMotionEvent(display, -1, 300, 200, CurrentTime);
    XSync(display, False);
    nap(100);
    CHECK(shows(&p, &home, true));
    picture_free(&home);
    close_with_escape(&p);
}

/* What the window shows after it was resized is what a picture of that size shows. */
static void test_resizing(void)
{
    static const int    sizes[3][2] = { { 800, 300 }, { 300, 600 }, { 640, 400 } };
    static const char  *const lines[3] = { "viewer --time 1 --size 800x300 --shot @",
                                           "viewer --time 1 --size 300x600 --shot @",
                                           "viewer --time 1 --size 640x400 --shot @" };
    program p = open_program(STOPPED " --time 1 --keys hh,.");
    int     i;
    CHECK_TITLE(&p, "paused");
    for (i = 0; i < 3; ++i) {
        const char *shot = in_folder(scratch, "size.png");
        picture     want;
        CHECK_EQ(run(lines[i], shot), 0);
        want = read_picture(shot);
        XResizeWindow(display, p.window, (unsigned)sizes[i][0], (unsigned)sizes[i][1]);
        XSync(display, False);
        CHECK_EQ(want.width, sizes[i][0]);
        CHECK(shows(&p, &want, true));
        picture_free(&want);
    }
    close_with_escape(&p);
}

static void test_screenshot(void)
{
    program     p;
    picture     window, file;
    const char *name = in_folder(scratch, "screenshot-1.png");
    remove(name);
    p = open_program(STOPPED " --time 1 --keys hh,. @", in_folder(build, "character/tris.md2"));
    CHECK_TITLE(&p, "paused");
    CHECK(grab_still(&p, &window));
    press("p");
    press("b");
    CHECK_TITLE(&p, "bounds");
    file = read_picture(name);
    CHECK(alike(&file, &window));
    picture_free(&file);
    picture_free(&window);
    close_with_escape(&p);
    CHECK(text_has("window.out", "screenshot-1.png"));
}

/* -- Keys of example_legacy -------------------------------------------------------------------- */

static void test_legacy_playing(void)
{
    program p = open_program("example_legacy --size 640x400");
    picture before = grab(&p);
    CHECK_TITLE(&p, "tris.md2 - run - 1x - strips");
    CHECK(shows(&p, &before, false));
    picture_free(&before);
    press("Left");
    CHECK_TITLE(&p, "tris.md2 - stand - 1x - strips");
    press("Right");
    CHECK_TITLE(&p, "tris.md2 - run - 1x - strips");
    press("Up");
    CHECK_TITLE(&p, " - 2x - strips");
    press("Down");
    press("Down");
    CHECK_TITLE(&p, " - 0.5x - strips");
    close_with_escape(&p);
}

static void test_legacy_keys(void)
{
    program p = open_program("example_legacy --size 640x400");
    press("space");
    CHECK_TITLE(&p, "strips - paused");
    press("d");
    CHECK_TITLE(&p, "arrays - paused");
    press("Tab");
    CHECK(title_has(&p, "robot.md5mesh - run - "));
    press("Tab");
    CHECK_TITLE(&p, "arrays - paused");
    press("d");
    CHECK_TITLE(&p, "strips - paused");
    press("space");
    CHECK_TITLE(&p, "strips");
    close_with_escape(&p);
}

/* Strips and arrays draw the same picture, and the MD5 nearly so: one place, one pose. */
static void test_legacy_pictures(void)
{
    static const char line[] = "example_legacy --size 640x400 --time 1 --shot @ --keys @";
    const char *strips = in_folder(scratch, "strips.png"), *other = in_folder(scratch, "other.png");
    uint32_t    apart;
    CHECK_EQ(run(line, strips, " "), 0);
    CHECK_EQ(run(line, other, "d"), 0);
    CHECK(files_alike(strips, other));
    CHECK_EQ(run(line, other, "\t"), 0);
    apart = files_apart(strips, other);
    CHECK(apart > 0 && apart < WIDTH * HEIGHT / 50);
    CHECK_EQ(run(line, other, "h"), 0);
    apart = files_apart(strips, other);
    CHECK(apart > 1000 && apart != UINT32_MAX);
}

/* The camera comes to rest some time after the character. A window's edges may be smoothed where
   those of a picture are not. */
static void test_legacy_screenshot(void)
{
    program p = open_program("example_legacy --size 640x400");
    bool    same = false;
    int     i;
    press("space");
    CHECK_TITLE(&p, "paused");
    for (i = 1; i <= 60 && !same; ++i) {
        char    name[32];
        picture file = { 0, 0, NULL }, window;
        int     waited;
        snprintf(name, sizeof name, "screenshot-%d.png", i);
        remove(in_folder(scratch, name));
        press("p");
        for (waited = 0; waited < PATIENCE && !file.rgb; waited += 50) {
            nap(50);
            file = read_picture(in_folder(scratch, name));
        }
        window = grab(&p);
        same = pixels_apart(&file, &window) < WIDTH * HEIGHT / 50;
        picture_free(&file);
        picture_free(&window);
    }
    CHECK(same);
    close_with_escape(&p);
    CHECK(text_has("window.out", "screenshot-1.png"));
}

/* -- Dropped files ----------------------------------------------------------------------------- */

static bool drop_file(const program *p, const char *path)
{
    char list[PATH_MAX + 160];
    snprintf(list, sizeof list, "file://%s\r\n", path);
    return drop(p, list);
}

static bool drop_two(const program *p, const char *a, const char *b)
{
    char list[2 * PATH_MAX + 320];
    snprintf(list, sizeof list, "file://%s\r\nfile://%s\r\n", a, b);
    return drop(p, list);
}

/* One that cannot be read takes nothing away, and none turns the camera. */
static void check_dropped_pictures(program *p, const picture *home)
{
    const char *broken = in_folder(scratch, "broken.png");
    picture     close;
    CHECK(check_write_file(broken, "no picture", 10));
    CHECK(drop_file(p, broken));
    CHECK(title_has(p, "broken.png - error: "));
    CHECK(drop_file(p, in_folder(build, "character/run.md5anim")));
    CHECK_TITLE(p, "robot.md5mesh - run - loop - 1x - 1 characters - paused");
    CHECK(shows(p, home, true));
    click(4);
    CHECK(shows(p, home, false));
    CHECK(grab_still(p, &close));
    CHECK(drop_file(p, in_folder(build, "character/skin.png")));
    nap(300);
    CHECK(shows(p, &close, true));
    picture_free(&close);
    press("r");
    CHECK(shows(p, home, true));
}

static void test_drops(void)
{
    program p = open_program(STOPPED);
    picture bare;
    press("space");
    CHECK_TITLE(&p, "paused");
    CHECK(drop_two(&p, in_folder(build, "character/robot.md5mesh"),
                   in_folder(build, "character/taunt.md5anim")));
    CHECK_TITLE(&p, "robot.md5mesh - taunt - loop - 1x - 1 characters - paused");
    CHECK(drop_file(&p, in_folder(build, "character/run.md5anim")));
    CHECK_TITLE(&p, "robot.md5mesh - run - loop - 1x - 1 characters - paused");
    CHECK(grab_still(&p, &bare));
    check_dropped_pictures(&p, &bare);
    CHECK(drop_file(&p, in_folder(build, "character/weapon.png")));
    CHECK(shows(&p, &bare, false));
    CHECK(drop_file(&p, in_folder(build, "character/weapon.md2")));
    CHECK(title_has(&p, "weapon.md2 - "));
    picture_free(&bare);
    close_with_escape(&p);
}

/* The title and the window tell what is wrong: two errors look different. */
static void test_errors(void)
{
    program p = open_program(STOPPED " @", in_folder(build, "models/bad_md3.md2"));
    picture first;
    CHECK(title_has(&p, "bad_md3.md2 - error: "));
    CHECK(grab_still(&p, &first));
    CHECK(drop_file(&p, in_folder(build, "models/bad_no_points.md2")));
    CHECK(title_has(&p, "bad_no_points.md2 - error: "));
    CHECK(shows(&p, &first, false));
    CHECK(drop_file(&p, in_folder(build, "models/cube.md2")));
    CHECK(title_has(&p, "cube.md2 - "));
    CHECK(strstr(p.title, "error") == NULL);
    picture_free(&first);
    close_with_escape(&p);
}

/* -- The command line -------------------------------------------------------------------------- */

/* Ends with 1 and one line that has `word` in it. */
static void check_refused(const char *line, const char *path, const char *word)
{
    size_t   size = 0;
    uint8_t *text;
    check_subject(line);
    CHECK_EQ(run(line, path), 1);
    text = check_read_file(in_folder(scratch, "run.err"), &size);
    CHECK(text && size > 10 && memchr(text, '\n', size) == text + size - 1);
    free(text);
    CHECK(text_has("run.err", word));
    check_subject("");
}

static void test_refusals(void)
{
    const char *bad = in_folder(build, "models/bad_md3.md2");
    check_refused("viewer --shot x.png --nonsense 3", NULL, "--nonsense");
    check_refused("viewer --shot", NULL, "--shot");
    check_refused("viewer --shot x.png --size 12", NULL, "--size");
    check_refused("viewer --shot x.png --size 0x100", NULL, "--size");
    check_refused("viewer --shot x.png --size 100x100x3", NULL, "--size");
    check_refused("viewer --shot x.png --time soon", NULL, "--time");
    check_refused("viewer --shot x.png --time nan", NULL, "--time");
    check_refused("viewer --shot x.png --yaw 1e999", NULL, "--yaw");
    check_refused("viewer --shot x.png --crowd 0", NULL, "--crowd");
    check_refused("viewer --shot x.png --frames -1", NULL, "--frames");
    check_refused("viewer --shot x.png --fps 0", NULL, "--fps");
    check_refused("viewer --shot x.png --anim nosuch", NULL, "nosuch");
    check_refused("viewer --shot x.png missing.md2", NULL, "missing.md2");
    check_refused("viewer --frames 2 missing.md5mesh", NULL, "missing.md5mesh");
    check_refused("viewer --shot x.png missing.png", NULL, "missing.png");
    check_refused("viewer --shot /nowhere/x.png", NULL, "x.png");
    check_refused("viewer --shot x.png @", bad, "bad_md3.md2");
    check_refused("example_legacy --shot x.png --nonsense 3", NULL, "--nonsense");
    check_refused("example_legacy --shot x.png --size 12", NULL, "--size");
    check_refused("example_legacy --shot x.png --time soon", NULL, "--time");
    check_refused("example_legacy --shot x.png missing.md2", NULL, "missing.md2");
    check_refused("example_legacy --shot x.png @", bad, "bad_md3.md2");
    check_refused("info missing.md2", NULL, "missing.md2");
    check_refused("info missing.txt", NULL, "missing.txt");
    check_refused("info @", bad, "bad_md3.md2");
    check_refused("info", NULL, "usage");
}

static void test_shots(const char *name)
{
    static const char *const options[] = { "", "--time 0.45", "--size 200x300" };
    const char *a = in_folder(scratch, "a.png"), *b = in_folder(scratch, "b.png");
    char        line[256];
    size_t      i;
    check_subject(name);
    for (i = 0; i < 3; ++i) {
        snprintf(line, sizeof line, "%s --shot @ --size 320x200 %s", name, options[i]);
        CHECK_EQ(run(line, i ? b : a), 0);
        CHECK(i == 0 || files_apart(a, b) > 100);
        CHECK_EQ(run(line, b), 0);
        CHECK(i || same_bytes(a, b));
    }
    snprintf(line, sizeof line, "%s --shot @ --size 320x200 --frames 3", name);
    CHECK_EQ(run(line, in_folder(scratch, "f#.png")), 0);
    CHECK_EQ(run(line, a), 0);
    CHECK(same_bytes(a, in_folder(scratch, "f0003.png")));
    CHECK(!same_bytes(a, in_folder(scratch, "f0001.png")));
    CHECK(files_apart(a, in_folder(scratch, "f0002.png")) != UINT32_MAX);
    snprintf(line, sizeof line, "%s --size 320x200 --frames 3", name);
    CHECK_EQ(run(line), 0);
}

static void test_options(void)
{
    static const char *const options[] = { "--anim run", "--yaw 90", "--crowd 10", "--keys b",
                                           "--keys h", "--anim death3 --time 0.7" };
    const char *a = in_folder(scratch, "a.png"), *b = in_folder(scratch, "b.png");
    size_t      i;
    CHECK_EQ(run("viewer --size 320x200 --shot @", a), 0);
    for (i = 0; i < sizeof options / sizeof options[0]; ++i) {
        char line[256];
        check_subject(options[i]);
        snprintf(line, sizeof line, "viewer --size 320x200 --shot @ %s", options[i]);
        CHECK_EQ(run(line, b), 0);
        CHECK(files_apart(a, b) > 100 && files_apart(a, b) != UINT32_MAX);
    }
}

/* In whatever order a file manager hands them over, and however deep they lie. */
static void test_sets(void)
{
    const char *robot = in_folder(build, "character/robot.md5mesh");
    const char *skin = in_folder(build, "character/weapon.png");
    const char *run_anim = in_folder(build, "character/run.md5anim");
    const char *a = in_folder(scratch, "a.png"), *b = in_folder(scratch, "b.png");
    char        deep[1024];
    size_t      size, length = (size_t)snprintf(deep, sizeof deep, "%s", scratch);
    uint8_t    *cube = check_read_file(in_folder(build, "models/cube.md2"), &size);
    CHECK_EQ(run("viewer @ @ @ --size 160x120 --shot @", robot, run_anim, skin, a), 0);
    CHECK_EQ(run("viewer @ @ @ --size 160x120 --shot @", skin, run_anim, robot, b), 0);
    CHECK(same_bytes(a, b));
    while (length < 600) {
        length += (size_t)snprintf(deep + length, sizeof deep - length, "/%0100d", 0);
        mkdir(deep, 0777);
    }
    snprintf(deep + length, sizeof deep - length, "/cube.md2");
    CHECK(cube && check_write_file(deep, cube, size));
    CHECK_EQ(run("viewer @ --size 160x120 --shot @", deep, a), 0);
    CHECK_EQ(run("example_legacy @ --size 160x120 --shot @", deep, a), 0);
    free(cube);
}

/* An animation that has long been over steps back from its end. */
static void test_once(void)
{
    const char *a = in_folder(scratch, "a.png"), *b = in_folder(scratch, "b.png");
    const char *line = "viewer --size 160x120 --anim jump --time @ --keys @ --shot @";
    CHECK_EQ(run(line, "0.4", "l", a), 0);
    CHECK_EQ(run(line, "100", "l,", b), 0);
    CHECK(same_bytes(a, b));
    CHECK_EQ(run(line, "100", "l", b), 0);
    CHECK(!same_bytes(a, b));
    CHECK_EQ(run(line, "0", "l", a), 0);
    CHECK_EQ(run(line, "-7", "l", b), 0);
    CHECK(same_bytes(a, b));
}

/* Where there is no model, there are still a floor and the request for one. */
static void test_nothing(void)
{
    const char *folder = in_folder(scratch, "nothing");
    program     p;
    picture     shown;
    uint32_t    i, dark = 0;
    mkdir(folder, 0777);
    CHECK_EQ(chdir(folder), 0);
    p = open_program(VIEWER);
    CHECK_EQ(chdir(scratch), 0);
    CHECK_TITLE(&p, "md2.h and md5.h");
    shown = picture_new(WIDTH, HEIGHT);
    CHECK(shows(&p, &shown, false));
    picture_free(&shown);
    CHECK(grab_still(&p, &shown));
    for (i = 0; i < WIDTH * HEIGHT; ++i) dark += shown.rgb[3 * i] < 32;
    CHECK(dark < WIDTH * HEIGHT / 50);
    press("Right");
    press("period");
    press("c");
    CHECK(shows(&p, &shown, true));
    picture_free(&shown);
    close_with_escape(&p);
}

/* -- Pictures of record ------------------------------------------------------------------------ */

typedef struct shot {
    const char *file, *line;
    const char *models[3];
} shot;

static const shot shots[] = {
    { "viewer_character.png", "viewer --anim run --time 0.45", { NULL, NULL, NULL } },
    { "viewer_crowd.png", "viewer --crowd 100 --keys m --frames 4 --fps 4",
      { NULL, NULL, NULL } },
    { "viewer_skeleton.png", "viewer @ @ @ --keys s --time 0.2 --yaw 60",
      { "character/robot.md5mesh", "character/weapon.md5mesh", "character/run.md5anim" } },
    { "example_legacy.png", "example_legacy --time 4", { NULL, NULL, NULL } }
};

static void test_golden(void)
{
    size_t i;
    for (i = 0; i < sizeof shots / sizeof shots[0]; ++i) {
        const shot *s = shots + i;
        const char *paths[4], *made = in_folder(record ? golden : scratch, s->file);
        char        line[256];
        int         count = 0;
        for (; count < 3 && s->models[count]; ++count) {
            paths[count] = in_folder(build, s->models[count]);
        }
        for (paths[count] = made; count < 3; ++count) paths[count + 1] = "";
        check_subject(s->file);
        snprintf(line, sizeof line, "%s --size 400x250 --shot @", s->line);
        CHECK_EQ(run(line, paths[0], paths[1], paths[2], paths[3]), 0);
        CHECK(files_alike(made, in_folder(golden, s->file)));
    }
}

/* -- All models -------------------------------------------------------------------------------- */

static struct tally {
    unsigned long seen, broken, shown, invisible, animations;
} tally;

/* Every triangle becomes a point: the same bounds, the same stage, and nobody on it. */
static void empty_md2(const char *from, const char *to, uint32_t triangles)
{
    size_t   size = 0, at;
    uint8_t *data = check_read_file(from, &size);
    uint32_t i;
    if (!data) return;
    at = data[52] | (size_t)data[53] << 8 | (size_t)data[54] << 16 | (size_t)data[55] << 24;
    for (i = 0; i < triangles; ++i, at += 12) {
        memcpy(data + at + 2, data + at, 2);
        memcpy(data + at + 4, data + at, 2);
    }
    CHECK(check_write_file(to, data, size));
    free(data);
}

/* The same for `tri 7 20 21 22`, which becomes `tri 7 0 0 0`. */
static void empty_md5(const char *from, const char *to)
{
    size_t size = 0, at;
    char  *data = (char *)check_read_file(from, &size), *text;
    if (!data) return;
    text = (char *)check_malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    for (at = 0; at + 4 < size; ++at) {
        int skip = 0, end = 0;
        if (strncasecmp(text + at, "tri", 3) != 0 || !isspace((uint8_t)text[at + 3])) continue;
        if (sscanf(text + at + 3, "%*u%n%*u%*u%*u%n", &skip, &end) != 0 || end == 0) continue;
        memset(text + at + 3 + skip, ' ', (size_t)(end - skip));
        memcpy(text + at + 3 + skip, " 0 0 0", 6);
    }
    CHECK(check_write_file(to, text, size));
    free(text);
    free(data);
}

/* Whether something of a model can be seen: it has some area for its size, and is not so far out
   that a camera which counts in floats cannot go there. */
static bool has_area(const float *positions, const uint32_t *indices, uint32_t index_count,
                     const float min[3], const float max[3])
{
    double   area = 0, size = 0, far = 0;
    uint32_t i, k;
    for (i = 0; i + 2 < index_count; i += 3) {
        const float *a = positions + indices[i] * 3, *b = positions + indices[i + 1] * 3;
        const float *c = positions + indices[i + 2] * 3;
        double       u[3], v[3];
        for (k = 0; k < 3; ++k) {
            u[k] = (double)b[k] - (double)a[k];
            v[k] = (double)c[k] - (double)a[k];
        }
        area += hypot(hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2]),
                      u[0] * v[1] - u[1] * v[0]) / 2;
    }
    for (k = 0; k < 3; ++k) {
        size = fmax(size, (double)max[k] - (double)min[k]);
        far = fmax(far, fmax(fabs((double)max[k]), fabs((double)min[k])));
    }
    return far < 1e12 && area > 0.01 * size * size;
}

static bool is_md2_visible(const char *path, const char *emptied, bool *loads)
{
    md2_model *model = md2_load_file(path, NULL, NULL);
    md2_pose   pose;
    float     *positions, min[3], max[3];
    bool       visible;
    *loads = model != NULL;
    if (!model) return false;
    memset(&pose, 0, sizeof pose);
    if (model->anim_count) pose = md2_pose_at(model->anims, MD2_LOOP, 0);
    positions = (float *)check_malloc(model->vertex_count * 3 * sizeof(float));
    md2_pose_vertices(model, &pose, positions, 0, NULL, 0);
    md2_pose_bounds(model, &pose, min, max);
    visible = has_area(positions, model->indices, model->index_count, min, max);
    empty_md2(path, emptied, model->index_count / 3);
    free(positions);
    md2_free_model(model);
    return visible;
}

static bool is_md5_visible(const char *path, const char *emptied, bool *loads)
{
    md5_model *model = md5_load_model_file(path, NULL, NULL);
    bool       visible = false;
    uint32_t   m, i;
    *loads = model != NULL;
    if (!model) return false;
    for (m = 0; m < model->mesh_count; ++m) {
        const md5_mesh *mesh = model->meshes + m;
        float *positions = (float *)check_malloc(mesh->vertex_count * 3 * sizeof(float));
        for (i = 0; i < mesh->vertex_count; ++i) {
            memcpy(positions + i * 3, mesh->vertices[i].position, 3 * sizeof(float));
        }
        visible = visible || has_area(positions, mesh->indices, mesh->index_count, model->min,
                                      model->max);
        free(positions);
    }
    empty_md5(path, emptied);
    md5_free_model(model);
    return visible;
}

/* info and the viewer agree with the library about it, and where it has a surface, it is seen. */
static void check_model(const char *path)
{
    static const char *const line = "viewer @ --size 160x120 --shot @";
    bool        md2 = check_has_suffix(path, ".md2"), loads;
    const char *emptied = in_folder(scratch, md2 ? "emptied.md2" : "emptied.md5mesh");
    const char *with = in_folder(scratch, "with.png"), *without = in_folder(scratch, "without.png");
    bool        visible = (md2 ? is_md2_visible : is_md5_visible)(path, emptied, &loads);
    pid_t       info = begin("info", "info @", path), shown = begin("model", line, path, with);
    pid_t       empty = visible ? begin("empty", line, emptied, without) : 0;
    check_subject(path);
    ++tally.seen;
    tally.broken += !loads;
    CHECK_EQ(finish(info), loads ? 0 : 1);
    CHECK_EQ(finish(shown), loads ? 0 : 1);
    if (!loads) CHECK(text_has("model.err", "error: ") && text_has("info.err", path));
    if (!visible) {
        tally.invisible += loads;
        return;
    }
    ++tally.shown;
    CHECK_EQ(finish(empty), 0);
    CHECK(files_apart(with, without) > 40);
}

static void check_models_in(const char *folder)
{
    static const char *const suffixes[] = { ".md2", ".md5mesh" };
    size_t s, i;
    for (s = 0; s < 2; ++s) {
        check_list list = check_list_files(folder, suffixes[s]);
        for (i = 0; i < list.count; ++i) check_model(list.path[i]);
        check_list_free(&list);
    }
}

/* The first of the meshes that an animation fits; NULL where there is none. */
static const char *mesh_for(const check_list *meshes, const char *path)
{
    md5_anim   *anim = md5_load_anim_file(path, NULL, NULL);
    const char *fits = NULL;
    size_t      i;
    for (i = 0; anim && !fits && i < meshes->count; ++i) {
        md5_model *model = md5_load_model_file(meshes->path[i], NULL, NULL);
        if (model && md5_check_anim(model, anim, NULL) == MD5_OK) fits = meshes->path[i];
        md5_free_model(model);
    }
    md5_free_anim(anim);
    return fits;
}

static void check_anims_in(const char *folder)
{
    check_list meshes = check_list_files(folder, ".md5mesh");
    check_list anims = check_list_files(folder, ".md5anim");
    size_t     i;
    for (i = 0; i < anims.count; ++i) {
        const char *path = anims.path[i], *mesh = mesh_for(&meshes, path);
        const char *made = in_folder(scratch, "a.png");
        md5_anim   *anim = md5_load_anim_file(path, NULL, NULL);
        check_subject(path);
        CHECK_EQ(run("info @ @", path, mesh ? mesh : path), anim ? 0 : 1);
        if (mesh) CHECK_EQ(run("viewer @ @ --size 160x120 --shot @", mesh, path, made), 0);
        tally.animations += mesh != NULL;
        md5_free_anim(anim);
    }
    check_list_free(&meshes);
    check_list_free(&anims);
}

static void test_models(void)
{
    const char *own = in_folder(build, "models");
    check_models_in(own);
    check_anims_in(own);
    check_subject("");
    CHECK_FLOOR(tally.seen, 200, "own models");
    CHECK_FLOOR(tally.shown, 80, "own models that are seen");
    CHECK_FLOOR(tally.broken, 80, "own models that are broken");
    memset(&tally, 0, sizeof tally);
    if (!*models) return;
    check_models_in(models);
    check_anims_in(models);
    CHECK_FLOOR(tally.seen, 300, "models of $MODELS");
    CHECK_FLOOR(tally.shown, 250, "of these are seen");
    CHECK_FLOOR(tally.animations, 50, "of these animations have their mesh");
}

/* -- All --------------------------------------------------------------------------------------- */

/* The examples find their character in build/ of the folder where they are started: that is a link
   here, and what they write lies beside it. */
static bool prepare(const char *build_folder, const char *golden_folder)
{
    const char *from = getenv("MODELS");
    if (!realpath(build_folder, build) || !realpath(golden_folder, golden)) return false;
    if (from && *from && !realpath(from, models)) return false;
    snprintf(scratch, sizeof scratch, "%s/examples", build);
    mkdir(scratch, 0777);
    if (chdir(scratch) != 0 || (symlink(build, "build") != 0 && errno != EEXIST)) return false;
    display = XOpenDisplay(NULL);
    return display != NULL;
}

static void test_both_shots(void)
{
    test_shots("viewer");
    test_shots("example_legacy");
}

static const struct stage {
    const char *name;
    void (*test)(void);
} stages[] = {
    { "golden", test_golden },
    { "refusals", test_refusals },
    { "shots", test_both_shots },
    { "options", test_options },
    { "sets", test_sets },
    { "once", test_once },
    { "nothing", test_nothing },
    { "playing", test_playing },
    { "paused", test_paused },
    { "crowds", test_crowds },
    { "skeleton", test_skeleton },
    { "skins", test_skins },
    { "help", test_help },
    { "mouse", test_mouse },
    { "resizing", test_resizing },
    { "screenshot", test_screenshot },
    { "drops", test_drops },
    { "errors", test_errors },
    { "legacy playing", test_legacy_playing },
    { "legacy keys", test_legacy_keys },
    { "legacy pictures", test_legacy_pictures },
    { "legacy screenshot", test_legacy_screenshot },
    { "models", test_models }
};

int main(int argc, char **argv)
{
    const char *only = getenv("ONLY");
    size_t      i;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (argc < 3 || !prepare(argv[1], argv[2])) {
        printf("usage: test_viewer BUILD GOLDEN [--record], in the repository, on a display\n");
        return EXIT_FAILURE;
    }
    record = argc == 4 && strcmp(argv[3], "--record") == 0;
    for (i = 0; i < sizeof stages / sizeof stages[0]; ++i) {
        unsigned long before = check_state.passed;
        if (record ? i > 0 : only && *only && !strstr(stages[i].name, only)) continue;
        check_section(stages[i].name);
        stages[i].test();
        printf("%-18s %lu passed\n", stages[i].name, check_state.passed - before);
    }
    XCloseDisplay(display);
    check_subject("");
    if (!record && !(only && *only)) CHECK_FLOOR(check_state.passed, 1300, "checks");
    return check_finish();
}
