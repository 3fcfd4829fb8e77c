/* guesses.h: names that a file may list for its pictures, and what holds for the paths that the
   library guesses from them. Included by the tests of either library, after check.h. Public domain. */
#ifndef GUESSES_H_INCLUDED
#define GUESSES_H_INCLUDED

#include <string.h>

static const char *const listed_names[] = {
    "MoDels/Far/ReD.pcx", "../../etc/passwd", "..\\..\\boot.ini", "/etc/passwd", "C:\\x.pcx",
    "C:x.pcx", "\\\\server\\share\\x.pcx", "..", ".", "a/..", "a/.", "a\\..", "....//x.pcx",
    "x/../../y.pcx", "/", "\\", "//", "con:", "x.pcx:stream", ".pcx", "..pcx", "../",
    "E:/quake2/BASEQ2/players/x.pcx", "a:b:c.pcx", ":", "..:", "x/..:", "c:..", "C:/..",
    "C:..\\..", "..\\", "...", "x/C:..", "tris.pcx", "skin.pcx", "Cube.pcx", "tris0.pcx", "",
    "textures/", "./x.tga", "a/./b", "//x", "~/x.tga", "skin_local", "skin_d.tga",
    "name with spaces.png", "skin.with.dots.jpg", "\xC3\xA9.png"
};

enum { LISTED_NAMES = sizeof listed_names / sizeof listed_names[0] };

typedef bool (*guess_function)(const void *model, const char *model_path, uint32_t attempt,
                               char *out, size_t size);

/* Each is a file in the model's folder, none comes twice, and each takes just its room. Returns
   their number. */
static uint32_t check_guesses(guess_function guess, const void *model, const char *model_path,
                              const char *folder)
{
    static char paths[201][100];
    size_t   length = strlen(folder);
    uint32_t count = 0;
    char     out[100];
    for (; count < 201 && guess(model, model_path, count, paths[count], 100); ++count) {
        const char *name = paths[count] + length;
        CHECK(strncmp(paths[count], folder, length) == 0 && strchr(name, '.') != NULL);
        CHECK(strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !strpbrk(name, "/\\:"));
        for (uint32_t i = 0; i < count; ++i) CHECK(strcmp(paths[i], paths[count]) != 0);
    }
    CHECK(count <= 200);
    for (uint32_t i = 0; i < count; i += 7) {
        size_t room = strlen(paths[i]) + 1;
        memset(out, '#', sizeof out);
        CHECK(!guess(model, model_path, i, out, room - 1) && out[room - 1] == '#');
        CHECK(guess(model, model_path, i, out, room) && out[room] == '#');
        CHECK_TEXT(out, paths[i]);
    }
    CHECK(!guess(model, model_path, 0, out, 0));
    CHECK(!guess(model, model_path, 0xFFFFFFFFu, out, sizeof out));
    return count;
}

#endif /* GUESSES_H_INCLUDED */
