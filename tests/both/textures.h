/* textures.h: names that a file may list for its pictures, and rules for the paths that the libraries derive
   from them. Included by the tests of either library, after check.h and support.h. Public domain. */
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

/* -- The paths that md2_find_skin and md5_find_texture try ------------------------------ */

typedef struct tried_paths {
    uint32_t count;
    char     path[201][100];
} tried_paths;

static bool note_path(void *user, const char *path)
{
    tried_paths *tried = (tried_paths *)user;
    if (CHECK(tried->count < 201)) strcpy(tried->path[tried->count++], path);
    return false;
}

static bool is_named(void *name, const char *path) { return strcmp((char *)name, path) == 0; }

/* Calls one of the two functions for a model's first picture, with room for at most 100 bytes. */
typedef bool (*search_function)(const void *model, const char *model_path,
                                bool (*is_found)(void *user, const char *path), void *user,
                                char *out, size_t size);

/* Checks that all paths are of files in the model's folder, that no path occurs twice, that there are at
   most 200, and that each needs exactly its length of room. A search that finds no file leaves the first path
   in `out`. Returns the number of paths. */
static uint32_t check_paths(search_function search, const void *model, const char *model_path,
                            const char *folder)
{
    static tried_paths tried;
    size_t length = strlen(folder);
    char   out[100];
    check_step("all paths for %s", model_path);
    tried.count = 0;
    CHECK(!search(model, model_path, note_path, &tried, out, sizeof out));
    CHECK(tried.count >= 1 && tried.count <= 200);
    CHECK_TEXT(out, tried.path[0]);
    for (uint32_t i = 0; i < tried.count; ++i) {
        const char *path = tried.path[i], *name = path + length;
        check_step("path %u for %s: %s", (unsigned)i, model_path, path);
        CHECK(strncmp(path, folder, length) == 0);
        CHECK(strchr(name, '.') && strcmp(name, ".") != 0 && strcmp(name, "..") != 0);
        CHECK(!strpbrk(name, "/\\:"));
        for (uint32_t k = 0; k < i; ++k) CHECK(strcmp(path, tried.path[k]) != 0);
    }
    for (uint32_t i = 0; i < tried.count; i += 7) {
        size_t room = strlen(tried.path[i]) + 1;
        check_step("path %u for %s: %s", (unsigned)i, model_path, tried.path[i]);
        memset(out, '#', sizeof out);
        CHECK(!search(model, model_path, is_named, tried.path[i], out, room - 1));
        CHECK_EQ(out[room - 1], '#');
        CHECK(search(model, model_path, is_named, tried.path[i], out, room));
        CHECK_EQ(out[room], '#');
        CHECK_TEXT(out, tried.path[i]);
    }
    check_step("too little room for %s", model_path);
    CHECK(!search(model, model_path, is_named, tried.path[0], out, 0));
    return tried.count;
}

/* Two files are tried, and the first is empty. The second must be found as long as it exists. */
static void check_disk(search_function search, const void *model, const char *first,
                       const char *second)
{
    const char *empty = check_path(first), *wanted = check_path(second);
    char out[100];
    CHECK(write_file(empty, "", 0) && write_file(wanted, "x", 1));
    CHECK(search(model, check_path("any.model"), NULL, NULL, out, sizeof out));
    CHECK_TEXT(out, wanted);
    CHECK(!search(model, "no_such_folder/any.model", NULL, NULL, out, sizeof out));
    remove_file(wanted);
    CHECK(!search(model, check_path("any.model"), NULL, NULL, out, sizeof out));
    CHECK_TEXT(out, empty);
    remove_file(empty);
}

#endif /* BOTH_TEXTURES_H_INCLUDED */
