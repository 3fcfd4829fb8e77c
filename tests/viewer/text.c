/* text.c - status and help over the picture, and the window's title. Public domain. */
#include <stdarg.h>

#include "viewer.h"
#include <stb/stb_easy_font.h>

#define WHITE  0xffffffff
#define YELLOW 0xffd24aff
#define RED    0xff7050ff

static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

static const char *const help[][2] = {
    { "Left Right", "animation before, after" }, { "Space", "pause" },
    { ", .", "one frame back, on" }, { "Up Down", "faster, slower" },
    { "L", "loop, once, ping-pong" }, { "C", "crowd of 1, 10, 100, 1,000, 10,000" },
    { "M", "every character another animation" }, { "T", "next skin" },
    { "S B", "skeleton, bounds" }, { "U", "which axis is up" },
    { "W", "MD2 without its wobble" }, { "R", "camera back" },
    { "P", "picture into a file" }, { "H", "text: none, short, this" },
    { "Mouse", "left: orbit, right: move, wheel: zoom" },
    { "Drop", "a folder, or .md2 .md5mesh .md5anim .pcx .png .tga .jpg" },
};

void print_keys(void)
{
    for (int i = 0; i < COUNT(help); ++i) printf("%-15s %s\n", help[i][0], help[i][1]);
}

/* Each letter has a shadow, so that it can be read on any ground. */
static void add_text(float row, float column, uint32_t rgba, const char *format, ...)
{
    static const int    corners[6] = { 0, 1, 2, 0, 2, 3 };
    static shape_vertex quads[4 * 4000];
    float               transform[16];
    char                text[512];
    va_list             arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *c = text; *c; ++c) *c = (*c < ' ' && *c != '\n') || *c > '~' ? '?' : *c;
    memcpy(transform, identity, sizeof transform);
    int count = 6 * stb_easy_font_print(0, 0, text, NULL, quads, sizeof quads);
    for (float shift = 1; shift >= 0; --shift) {
        transform[12] = 12 + shift + column;
        transform[13] = 12 + shift + 12 * row;
        for (int i = 0; i < count; ++i) {
            const float *position = quads[i / 6 * 4 + corners[i % 6]].position;
            add_vertex(transform, position, shift > 0 ? 0x102030c0 : rgba);
        }
    }
}

static void add_help(void)
{
    static const float corners[3][3] = { { 0, 0, 0 }, { 1e4f, 0, 0 }, { 0, 1e4f, 0 } };
    for (int i = 0; i < 3; ++i) add_vertex(identity, corners[i], 0x101820a0);
    for (int i = 0; i < COUNT(help); ++i) {
        add_text(6 + (float)i, 0, YELLOW, "%s", help[i][0]);
        add_text(6 + (float)i, 80, WHITE, "%s", help[i][1]);
    }
}

static void add_status(void)
{
    const clip *c = &viewer.clips[viewer.clip];
    double      length = clip_length(c);
    double      time = length > 0 ? viewer.time - floor(viewer.time / length) * length : 0;
    if (viewer.mode == MD2_ONCE) time = viewer.time;
    if (viewer.mode == MD2_PING_PONG) time = fmin(time, length - time);
    add_text(0, 0, WHITE, "%s (%d of %d)\nframe %.1f, %.2f s of %.2f s\n%d of %s", c->name,
             viewer.clip + 1, viewer.clip_count, time * c->fps, time, length, viewer.crowd,
             file_name(viewer.models[0].path));
    if (timing.step < 0) add_text(3, 0, WHITE, "posed in %.2f ms", timing.posing_ms);
}

/* In units of `scale` pixels. On the web, the page shows errors. */
void draw_text(int width, int height, float scale)
{
    float right = (float)width / scale, bottom = (float)height / scale, middle = bottom / 24;
    float matrix[16] = { 2 / right, 0, 0, 0, 0, -2 / bottom, 0, 0, 0, 0, 1, 0, -1, 1, 0, 1 };
    glEnable(GL_BLEND);
    begin_shapes(GL_TRIANGLES, matrix);
    if (viewer.text == HELP) add_help();
    if (viewer.text != NO_TEXT && viewer.model_count) add_status();
    if (viewer.text != NO_TEXT) add_text(4, 0, YELLOW, "%s", viewer.note);
    if (!viewer.error[0] && !viewer.model_count) {
        add_text(middle, 0, WHITE, "Drop a model or its folder here");
    }
    if (!ON_THE_WEB) add_text(middle, 0, RED, "%s", viewer.error);
    end_shapes();
    glDisable(GL_BLEND);
}

const char *window_title(void)
{
    static const char *const modes[] = { "loop", "once", "ping-pong" };
    static char  title[700];
    const model *lead = &viewer.models[0];
    char         skin[32] = "";
    if (viewer.error[0]) return viewer.error;
    if (!viewer.model_count) return "md2.h and md5.h";
    if (lead->skin) snprintf(skin, sizeof skin, " - skin %u", lead->skin + 1);
    snprintf(title, sizeof title, "%.255s - %.255s - %s - %gx - %d character%s%s%s%s%s%s%s%s",
             file_name(lead->path), viewer.clips[viewer.clip].name, modes[viewer.mode],
             (double)viewer.speed, viewer.crowd, viewer.crowd == 1 ? "" : "s",
             viewer.paused ? " - paused" : "", viewer.mixed ? " - mixed" : "",
             viewer.skeleton ? " - skeleton" : "", viewer.bounds ? " - bounds" : "",
             viewer.y_up ? " - Y up" : "", viewer.smooth && lead->md2 ? " - smooth" : "", skin);
    return title;
}
