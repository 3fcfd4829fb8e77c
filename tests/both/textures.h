/* textures.h: names that a file may list for its pictures, and what holds for the paths that the
   library guesses from them. Included by the tests of either library, after check.h. Public
   domain. */
#ifndef BOTH_TEXTURES_H_INCLUDED
#define BOTH_TEXTURES_H_INCLUDED

#include <string.h>

static const char *const listed_names[] = {
    "MoDels/Far/ReD.pcx", "../../etc/passwd", "..\\..\\boot.ini", "/etc/passwd", "C:\\x.pcx",
    "C:x.pcx", "\\\\server\\share\\x.pcx", "..", ".", "a/..", "a/.", "a\\..", "....//x.pcx",
    "x/../../y.pcx", "/", "\\", "//", "con:", "x.pcx:stream", ".pcx", "..pcx", "../",
    "E:/quake2/BASEQ2/players/x.pcx", "a:b:c.pcx", ":", "..:", "x/..:", "c:..", "C:/..",
    "C:..\\..", "..\\", "...", "x/C:..", "tris.pcx", "skin.pcx", "Cube.pcx", "tris0.pcx", "",
    "textures/", "./x.tga", "a/./b", "//x", "~/x.tga", "skin_local", "skin_d.tga",
    "MoDels/Far/ReD.Pcx", "a/ReD.JPEG", "a/nul.Pcx", "SkIn.Bmp", "bAsE.bmP",
    "name with spaces.png", "skin.with.dots.jpg", "\xC3\xA9.png"
};

enum { LISTED_NAMES = sizeof listed_names / sizeof listed_names[0] };

typedef bool (*guess_function)(const void *model, const char *model_path, uint32_t attempt,
                               char *out, size_t size);

/* Each is a file in the model's folder, none comes twice, there are at most 200, and each takes
   just its room. Returns their number. */
static uint32_t check_guesses(guess_function guess, const void *model, const char *model_path,
                              const char *folder)
{
    static char paths[201][100];
    size_t   length = strlen(folder);
    uint32_t count = 0;
    char     out[100];
    for (; count < 201 && guess(model, model_path, count, paths[count], 100); ++count) {
        const char *name = paths[count] + length;
        check_step("attempt %u for %s: %s", (unsigned)count, model_path, paths[count]);
        CHECK(strncmp(paths[count], folder, length) == 0);
        CHECK(strchr(name, '.') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0);
        CHECK(!strpbrk(name, "/\\:"));
        for (uint32_t i = 0; i < count; ++i) CHECK(strcmp(paths[count], paths[i]) != 0);
    }
    CHECK(count >= 1 && count <= 200);

    for (uint32_t i = 0; i < count; i += 7) {
        size_t room = strlen(paths[i]) + 1;
        check_step("attempt %u for %s: %s", (unsigned)i, model_path, paths[i]);
        memset(out, '#', sizeof out);
        CHECK(!guess(model, model_path, i, out, room - 1));
        CHECK_EQ(out[room - 1], '#');
        CHECK(guess(model, model_path, i, out, room));
        CHECK_EQ(out[room], '#');
        CHECK_TEXT(out, paths[i]);
    }
    check_step("no room, or no such attempt, for %s", model_path);
    CHECK(!guess(model, model_path, 0, out, 0));
    CHECK(!guess(model, model_path, count, out, sizeof out));
    CHECK(!guess(model, model_path, 0xFFFFFFFFu, out, sizeof out));
    return count;
}

#endif /* BOTH_TEXTURES_H_INCLUDED */
