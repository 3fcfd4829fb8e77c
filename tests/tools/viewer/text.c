/* text.c - status and help over the picture, and the title of the window. Public domain. */
#include <stdarg.h>

#include "viewer.h"
#include <stb/stb_easy_font.h>

#define WHITE  0xffffffff
#define YELLOW 0xffd24aff
#define RED    0xff7050ff

static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

static const char *const gestures[][2] = {
    { "Shift + arrows", "orbit" }, { "Mouse", "left: orbit, right: pan, wheel: zoom" },
    { "Drop", "a folder, .pak .pk3 .pk4 .zip, or .md2 .md5mesh .md5anim .pcx .png .tga .jpg" },
};

void print_keys(void)
{
    for (int i = 0; i < count_commands(); ++i) {
        printf("%-15s %s\n", command_key_name(i), command_help(i));
    }
    for (int i = 0; i < COUNT(gestures); ++i) printf("%-15s %s\n", gestures[i][0], gestures[i][1]);
}

/* -- Over the picture -------------------------------------------------------------------------- */

/* stb_easy_font writes four vertices for each quad; OpenGL's core profile draws triangles. */
static void add_quads(const shape_vertex *quads, int count, float x, float y, uint32_t rgba)
{
    static const int corners[6] = { 0, 1, 2, 0, 2, 3 }; /* two triangles */
    float            transform[16];
    memcpy(transform, identity, sizeof transform);
    transform[12] = x;
    transform[13] = y;

    for (int i = 0; i < count; ++i) {
        const shape_vertex *quad = &quads[4 * i];
        for (int k = 0; k < 6; ++k) add_vertex(transform, quad[corners[k]].position, rgba);
    }
}

static void add_rectangle(float left, float top, float right, float bottom, uint32_t rgba)
{
    const float corners[6][3] = { { left, top, 0 }, { right, top, 0 }, { right, bottom, 0 },
                                  { left, top, 0 }, { right, bottom, 0 }, { left, bottom, 0 } };
    for (int i = 0; i < 6; ++i) add_vertex(identity, corners[i], rgba);
}

/* Adds text on a dark rectangle. A row is 12 units high; `column` is in units. */
static void add_text(float row, float column, uint32_t rgba, const char *format, ...)
{
    char    text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);

    /* The font has only ASCII. Other bytes are below a space if char is signed, and above the tilde
       if it is not. */
    for (char *c = text; *c; ++c) {
        bool is_shown = *c == '\n' || (*c >= ' ' && *c <= '~');
        if (!is_shown) *c = '?';
    }

    if (!text[0]) return;

    static shape_vertex quads[4 * 4000];
    int                 count = stb_easy_font_print(0, 0, text, NULL, quads, sizeof quads);

    /* The dark rectangle makes the text readable on any background. */
    float x = 12 + column, y = 12 + 12 * row;
    float right = x + (float)stb_easy_font_width(text);
    float bottom = y + (float)stb_easy_font_height(text);
    add_rectangle(x - 4, y - 3, right + 4, bottom - 1, 0x101820b0);
    add_quads(quads, count, x, y, rgba);
}

static void add_help(void)
{
    /* A triangle much larger than the window darkens the whole picture. */
    static const float corners[3][3] = { { 0, 0, 0 }, { 1e4f, 0, 0 }, { 0, 1e4f, 0 } };
    for (int i = 0; i < 3; ++i) add_vertex(identity, corners[i], 0x101820a0);

    int rows = (count_commands() + 1) / 2; /* in two columns */
    for (int i = 0; i < count_commands(); ++i) {
        float column = i < rows ? 0 : 310;
        float row = 7 + (float)(i % rows);
        add_text(row, column, YELLOW, "%s", command_key_name(i));
        add_text(row, column + 66, WHITE, "%s", command_help(i));
    }
    for (int i = 0; i < COUNT(gestures); ++i) {
        float row = 8 + (float)(rows + i);
        add_text(row, 0, YELLOW, "%s", gestures[i][0]);
        add_text(row, 90, WHITE, "%s", gestures[i][1]);
    }
}

/* Returns the time within an animation whose cycle takes `length` seconds. */
double time_in_clip(double length)
{
    if (viewer.mode == MD2_ONCE) return viewer.time; /* seek_clip limits it */
    if (length <= 0) return 0;

    double cycles = floor(viewer.time / length);
    double time = viewer.time - cycles * length;

    /* The second half of a ping-pong plays backward. */
    return viewer.mode == MD2_PING_PONG ? fmin(time, length - time) : time;
}

static void add_status(void)
{
    const clip *c = &viewer.clips[viewer.clip];
    double      length = clip_length(c);
    double      time = time_in_clip(length);
    const char *plural = viewer.crowd == 1 ? "" : "s";
    add_text(0, 0, WHITE, "%s (%d of %d)\nframe %.1f, %.2f s of %.2f s\n%s, %d character%s", c->name,
             viewer.clip + 1, viewer.clip_count, time * c->fps, time, length,
             file_name(viewer.models[0].path), viewer.crowd, plural);

    bool has_several = count_entries() > 1;
    if (has_several) {
        add_text(5, 0, YELLOW, "model %d of %d: %s (Page Down: next)", shown_entry() + 1,
                 count_entries(), entry_name(shown_entry()));
    }

    bool is_real_time = timing.step < 0;
    if (is_real_time) add_text(3, 0, WHITE, "posing: %.2f ms", timing.posing_ms);
}

/* Draws all text. A unit is `scale` pixels, or fewer if the help would not fit. */
void draw_text(int width, int height, float scale)
{
    bool help_is_cut = (float)width < 600 * scale || (float)height < 330 * scale; /* in pixels */
    if (viewer.text == HELP && help_is_cut) scale = fmaxf(floorf(scale / 2), 1);

    /* The matrix takes units, with (0, 0) at the top left, to clip space: -1 to 1, with 1 at the
       top. */
    float right = (float)width / scale, bottom = (float)height / scale;
    float matrix[16] = { 2 / right, 0, 0, 0,  0, -2 / bottom, 0, 0,  0, 0, 1, 0,  -1, 1, 0, 1 };
    float middle_row = bottom / 2 / 12;

    glEnable(GL_BLEND);
    begin_shapes(GL_TRIANGLES, matrix);
    if (viewer.text == HELP) add_help();
    if (viewer.text != NO_TEXT && viewer.model_count) add_status();
    if (viewer.text != NO_TEXT) add_text(4, 0, YELLOW, "%s", viewer.note);

    if (!ON_THE_WEB && !viewer.error[0] && !viewer.model_count) {
        add_text(middle_row, 0, WHITE, "Drop a model or its folder here");
    }
    bool shows_hint = !ON_THE_WEB && window && viewer.text == STATUS && glfwGetTime() < 8;
    if (shows_hint) add_text((bottom - 27) / 12, 0, WHITE, "H: help");
    if (arguments.label) add_text((bottom - 27) / 12, 0, WHITE, "%s", arguments.label);

    /* On the web, the page shows the error. */
    if (!ON_THE_WEB) add_text(middle_row, 0, RED, "%s", viewer.error);
    end_shapes();
    glDisable(GL_BLEND);
}

/* -- The title --------------------------------------------------------------------------------- */

/* A title has at most two names of 255 characters and 250 other characters. */
static char title[800];

/* The page reads the state line by line. */
#define BREAK (ON_THE_WEB ? "\n" : " - ")

static void add_flag(const char *name)
{
    strcat(title, BREAK);
    strcat(title, name);
}

const char *window_title(void)
{
    return viewer.error[0] ? viewer.error : viewer_state();
}

EMSCRIPTEN_KEEPALIVE const char *viewer_state(void)
{
    if (!viewer.model_count) return "md2.h and md5.h";

    static const char *const modes[] = { "loop", "once", "ping-pong" };
    const model             *first = &viewer.models[0];
    const char              *plural = viewer.crowd == 1 ? "" : "s";
    snprintf(title, sizeof title, "%.255s%s%.255s%s%s%s%gx%s%d character%s",
             file_name(first->path), BREAK, viewer.clips[viewer.clip].name, BREAK,
             modes[viewer.mode], BREAK, (double)viewer.speed, BREAK, viewer.crowd, plural);

    char skin[32];
    snprintf(skin, sizeof skin, "skin %u", first->skin + 1);
    int index = 0;
    for (const char *flag; (flag = next_active_flag(&index)) != NULL;) add_flag(flag);
    if (first->skin > 0) add_flag(skin);
    return title;
}
