/* Paths at which a skin may lie. Public domain. */
#include "test_md2.h"

static md2_model *load_with_skin(const char *skin)
{
    m2_bytes *bytes = named("cube");
    memset(m2_section(bytes, M2_OFS_SKINS), 0, 64);
    memcpy(m2_section(bytes, M2_OFS_SKINS), skin, strlen(skin) < 64 ? strlen(skin) : 64);
    return load(bytes, 0);
}

/* All paths, in order, joined by bars. */
static const char *all_paths(const md2_model *m, const char *model_path, uint32_t skin)
{
    static char text[8192];
    char path[512];
    uint32_t attempt;
    char *at = text;
    *at = 0;
    for (attempt = 0; attempt < 40; ++attempt) {
        if (!md2_skin_path(m, model_path, skin, attempt, path, sizeof path)) break;
        if (strlen(path) > 190) break;
        at += sprintf(at, "%s%s", attempt ? "|" : "", path);
    }
    CHECK(attempt < 40);
    return text;
}

/* The name with all extensions but that of PCX. */
#define FIVE(name) name ".png|" name ".tga|" name ".jpg|" name ".jpeg|" name ".bmp"
#define TRIS       FIVE("m/cube/tris") "|m/cube/tris.pcx"
#define RED        "|" FIVE("m/cube/red")

static const struct skin_case {
    const char *skin, *model, *paths;
} skin_cases[] = {
    { "models/far/red.pcx", "m/cube/tris.md2", "m/cube/red.pcx" RED "|" TRIS },
    { "models\\far\\red.pcx", "m/cube/tris.md2", "m/cube/red.pcx" RED "|" TRIS },
    { "D:/far/red.pcx", "m/cube/tris.md2", "m/cube/red.pcx" RED "|" TRIS },
    { "/red.pcx", "m/cube/tris.md2", "m/cube/red.pcx" RED "|" TRIS },
    { "red.pcx", "m/cube/tris.md2", "m/cube/red.pcx" RED "|" TRIS },
    { "../../red.pcx", "m/cube/tris.md2", "m/cube/red.pcx" RED "|" TRIS },
    { "red.png", "m/cube/tris.md2", FIVE("m/cube/red") "|m/cube/red.pcx|" TRIS },
    { "", "m/cube/tris.md2", TRIS },
    { "players/far/", "m/cube/tris.md2", TRIS },
    { "..", "m/cube/tris.md2", TRIS },
    { "", "tris.md2", FIVE("tris") "|tris.pcx" },
    { "", "v1.2/tris", FIVE("v1.2/tris") "|v1.2/tris.pcx" },
    { "", "C:\\m\\tris.md2", FIVE("C:\\m\\tris") "|C:\\m\\tris.pcx" },
    { "a.tga", "/tris.md2",
      "/a.tga|/a.png|/a.jpg|/a.jpeg|/a.bmp|/a.pcx|" FIVE("/tris") "|/tris.pcx" },
    { "\xF6.pcx", "t.md2", "\xF6.pcx|" FIVE("\xF6") "|" FIVE("t") "|t.pcx" }
};

static void test_skin_paths(void)
{
    size_t i, count = sizeof skin_cases / sizeof skin_cases[0];
    for (i = 0; i < count; ++i) {
        md2_model *m = load_with_skin(skin_cases[i].skin);
        check_subject(skin_cases[i].skin);
        CHECK_TEXT(all_paths(m, skin_cases[i].model, 0), skin_cases[i].paths);
    }
    CHECK_FLOOR(count, 15, "skin path lists");
}

/* Names differ in case from the files they mean: one of the guesses is the listed name in lower
   case. */
static void test_skin_paths_lower_case(void)
{
    md2_model *m = load_with_skin("Players/Male/GrUnt_1.PCX");
    const char *paths = all_paths(m, "M/Cube/Tris.MD2", 0);
    CHECK(strncmp(paths, "M/Cube/GrUnt_1.PCX|M/Cube/GrUnt_1.png|", 38) == 0);
    CHECK(strstr(paths, "|M/Cube/Tris.png|M/Cube/Tris.tga|") != NULL);
    CHECK(strstr(paths, "|M/Cube/grunt_1.pcx") != NULL);
    CHECK(strstr(paths, "m/cube") == NULL); /* the folder is the caller's, not the file's */
}

static void check_path(const md2_model *model, const char *model_path, uint32_t attempt,
                       const char *wanted)
{
    char path[64] = "";
    bool found = md2_skin_path(model, model_path, 0, attempt, path, sizeof path);
    CHECK_EQ(found, wanted != NULL);
    if (wanted) CHECK_TEXT(path, wanted);
}

/* A skin that is called as its model, but for the case. */
static void test_skin_named_as_model(void)
{
    md2_model *model = load_with_skin("a/Skin.pcx");
    check_path(model, "b/tris.md2", 12, "b/skin.pcx");
    check_path(model, "b/tris.md2", 17, "b/skin.bmp");
    check_path(model, "b/tris.md2", 18, NULL);
    check_path(model, "b/Skin.md2", 6, "b/skin.pcx");
    check_path(model, "b/Skin.md2", 11, "b/skin.bmp");
    check_path(model, "b/Skin.md2", 12, NULL);
    check_path(model, NULL, 0, "Skin.pcx");
}

/* No skins listed, or asked for one that is not: what lies beside the model remains. */
static void test_skin_paths_without_skins(void)
{
    md2_model *m = load_named("no_skins", 0), *sheet = load_named("sheet", 0);
    CHECK_TEXT(all_paths(m, "m/cube/tris.md2", 0), TRIS);
    CHECK_TEXT(all_paths(sheet, "m/cube/tris.md2", 2), TRIS);
    CHECK(strncmp(all_paths(sheet, "m/cube/tris.md2", 1), "m/cube/blue.tga|m/cube/blue.png|", 32) ==
          0);
}

static void check_stays_inside(const md2_model *m)
{
    char path[256];
    uint32_t attempt;
    for (attempt = 0; attempt < 40; ++attempt) {
        const char *name = path + 9;
        if (!md2_skin_path(m, "base/dir/tris.md2", 0, attempt, path, sizeof path)) break;
        CHECK(strncmp(path, "base/dir/", 9) == 0);
        CHECK(*name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0);
        CHECK(strpbrk(name, "/\\:") == NULL);
    }
    CHECK(attempt >= 6 && attempt < 40);
}

static void test_skin_traversal(void)
{
    static const char *const bad[] = {
        "../../etc/passwd", "..\\..\\boot.ini", "/etc/passwd", "C:\\x.pcx", "C:x.pcx",
        "\\\\server\\share\\x.pcx", "..", ".", "a/..", "a/.", "a\\..", "....//x.pcx",
        "x/../../y.pcx", "/", "\\", "//", "con:", "x.pcx:stream", ".pcx", "..pcx", "../",
        "E:/quake2/BASEQ2/players/x.pcx", "a:b:c.pcx", ":", "..:", "x/..:", "c:..", "C:/..",
        "C:..\\..", "..\\", "...", "x/C:.."
    };
    size_t i, count = sizeof bad / sizeof bad[0];
    for (i = 0; i < count; ++i) {
        md2_model *m = load_with_skin(bad[i]);
        check_subject(bad[i]);
        check_stays_inside(m);
    }
    CHECK_FLOOR(count, 30, "traversals");
}

static void test_skin_path_room(void)
{
    md2_model *m = load_with_skin("models/far/red.pcx");
    char path[64];
    size_t room;
    for (room = 0; room < 40; ++room) {
        memset(path, '#', sizeof path);
        CHECK_EQ(md2_skin_path(m, "m/cube/tris.md2", 0, 0, path, room),
                 room > strlen("m/cube/red.pcx"));
        CHECK_EQ(path[room], '#');
        if (room > 14) CHECK_TEXT(path, "m/cube/red.pcx");
    }
    CHECK(!md2_skin_path(m, "m/cube/tris.md2", 0, 12, path, sizeof path));
    CHECK(!md2_skin_path(m, "m/cube/tris.md2", 0, 0xFFFFFFFFu, path, sizeof path));
}

void test_skins(void)
{
    RUN(test_skin_paths);
    RUN(test_skin_paths_lower_case);
    RUN(test_skin_named_as_model);
    RUN(test_skin_paths_without_skins);
    RUN(test_skin_traversal);
    RUN(test_skin_path_room);
}
