/* The first program of the README, whole, with what it prints kept. Public domain. */
#include "recipes.h"

#include <stdarg.h>

static char   printed[1024];
static size_t used;

#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
static int keep(const char *format, ...)
{
    va_list arguments;
    int     length;
    va_start(arguments, format);
    length = vsnprintf(printed + used, sizeof printed - used, format, arguments);
    va_end(arguments);
    if (length > 0) used += (size_t)length;
    return length;
}

static int keep_line(const char *line) { return keep("%s\n", line); }

int first_main(int argc, char **argv);

#define MD2_STATIC
#define main   first_main
#define printf keep
#define puts   keep_line
#include "first.inc"
#undef main
#undef printf
#undef puts

const char *recipes_first(const char *path, int *result)
{
    char  program[] = "first", file[512];
    char *arguments[3];
    snprintf(file, sizeof file, "%s", path);
    arguments[0] = program;
    arguments[1] = file;
    arguments[2] = NULL;
    used = 0;
    printed[0] = 0;
    *result = first_main(2, arguments);
    return printed;
}
