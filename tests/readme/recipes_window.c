/* The window of the README, whole, on stand-ins for GLFW and stb_image. Public domain. */
#include "recipes.h"

#include <stdarg.h>

static char complaint[200];

#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
static int complain(FILE *stream, const char *format, ...)
{
    va_list arguments;
    int     length;
    va_start(arguments, format);
    length = stream == stderr ? vsnprintf(complaint, sizeof complaint, format, arguments) : 0;
    va_end(arguments);
    return length;
}

int window_main(int argc, char **argv);

#define MD2_STATIC
#define main    window_main
#define fprintf complain
#include "window.inc"
#undef main
#undef fprintf

static const fake_variable *scene_of_last_draw(void)
{
    const fake_object *program = &fake.object[fake.last.program];
    int                i;
    for (i = 0; i < program->uniform_count; ++i) {
        if (strcmp(program->uniform[i].name, "md2_scene") == 0) return &program->uniform[i];
    }
    return NULL;
}

recipes_shown recipes_window(const char *path)
{
    char  program[] = "knight", file[512];
    char *arguments[3];
    const fake_variable *scene;
    recipes_shown        shown;
    memset(&shown, 0, sizeof shown);
    memset(&stand_in, 0, sizeof stand_in);
    snprintf(file, sizeof file, "%s", path);
    arguments[0] = program;
    arguments[1] = file;
    arguments[2] = NULL;
    complaint[0] = 0;
    fake_gl_reset();
    shown.result = window_main(2, arguments);
    memcpy(shown.complaint, complaint, sizeof complaint);
    shown.frames = stand_in.frames;
    shown.aspect = (float)STAND_IN_WIDTH / (float)STAND_IN_HEIGHT;
    scene = scene_of_last_draw();
    if (scene) memcpy(shown.view_projection, scene->value, sizeof shown.view_projection);
    snprintf(shown.mistake, sizeof shown.mistake, "%.199s", fake.first_mistake);
    fake_gl_reset();
    return shown;
}
