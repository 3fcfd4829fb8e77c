/* Paths at which a skin may lie. Public domain. */
#include "test_md2.h"

#include "guesses.h"

static md2_model *load_with_skin(const char *skin)
{
    m2_bytes *bytes = named("cube");
    memset(m2_section(bytes, M2_OFS_SKINS), 0, 64);
    memcpy(m2_section(bytes, M2_OFS_SKINS), skin, strlen(skin) < 64 ? strlen(skin) : 64);
    return load(bytes, 0);
}

/* -- Folders as they are found --------------------------------------------- */

#define TRIS "m/cube/tris.md2"
#define GUN  "m/cube/w_gun.md2"

static const struct skin_case {
    const char *listed, *model, *beside, *wanted; /* beside: |name|name|; wanted: "" for none */
} skin_cases[] = {
    /* The listed name, in any folder, in any case, as another kind of picture. */
    { "models/far/red.pcx", TRIS, "|skin.pcx|tris.pcx|red.pcx|", "red.pcx" },
    { "models\\far\\red.pcx", TRIS, "|red.pcx|", "red.pcx" },
    { "D:red.pcx", TRIS, "|red.pcx|", "red.pcx" },
    { "../../red.pcx", TRIS, "|red.png|tris.pcx|", "red.png" },
    { "red.png", TRIS, "|tris.png|red.jpeg|", "red.jpeg" },
    { "red.jpeg", TRIS, "|red.pcx|red.jpeg|", "red.jpeg" },
    { "red.v2.pcx", TRIS, "|red.pcx|red.v2.bmp|", "red.v2.bmp" },
    { "\xF6.pcx", TRIS, "|\xF6.tga|", "\xF6.tga" },
    { "x/GrUnt.PCX", TRIS, "|GrUnt.pcx|grunt.pcx|", "GrUnt.pcx" },
    { "x/GrUnt.PCX", TRIS, "|GrUnt.PCX|tris.pcx|", "GrUnt.PCX" },
    { "x/AziZ.PCX", TRIS, "|aziz.pcx|tris.pcx|", "aziz.pcx" },
    { "x/grunt.pcx", TRIS, "|Grunt.pcx|tris.pcx|", "Grunt.pcx" },
    { "x/grunt.pcx", TRIS, "|GRUNT.PCX|tris.pcx|", "GRUNT.PCX" },
    { "x/aziz.pcx", TRIS, "|AZIZ.jpg|tris.pcx|", "AZIZ.jpg" },
    /* The model's own, with or without exporters' number; "skin"; the folder's; no others. */
    { "x/grunt.pcx", TRIS, "|tris.jpg|cube.jpg|skin.jpg|", "tris.jpg" },
    { "", "m/cube/Tris.MD2", "|TRIS.PCX|", "TRIS.PCX" },
    { "", "tris.md2", "|tris.pcx|", "tris.pcx" },
    { "", "v1.2/tris", "|tris.pcx|", "tris.pcx" },
    { "", "C:\\m\\tris.md2", "|tris.pcx|", "tris.pcx" },
    { "acid/quake.pcx", TRIS, "|tris0.png|tris1.png|", "tris0.png" },
    { "", TRIS, "|masks.jpg|skin.jpg|cube.jpg|", "skin.jpg" },
    { "", TRIS, "|cube_i.pcx|cube.pcx|weapon.pcx|", "cube.pcx" },
    { "", "m\\cube.v2\\tris.md2", "|Cube.v2.PCX|", "Cube.v2.PCX" },
    { "", "tris.md2", "|m.pcx|.pcx|weapon.pcx|", "" },
    { "..", TRIS, "|...pcx|", "" },
    /* Weapons share a picture, and do not wear their player's. */
    { "models/g_gun/skin.pcx", GUN, "|cube.pcx|weapon.pcx|", "weapon.pcx" },
    { "models/g_gun/skin.pcx", "A_Bomb.md2", "|Weapon.pcx|", "Weapon.pcx" },
    { "models/g_gun/skin.pcx", GUN, "|W_GUN.PCX|weapon.pcx|", "W_GUN.PCX" },
    { "models/g_gun/base.pcx", GUN, "|cube.pcx|", "" },
    { "models/g_gun/base.pcx", "m/cube/WEAPON.MD2", "|cube.pcx|", "" },
    { "", "m/axe/weapon.md2", "|axe.pcx|", "axe.pcx" },
    { "", "m/axe/weapon.md2", "|axe.pcx|skin.pcx|", "skin.pcx" },
    { "", "m/cube/bow_gun.md2", "|weapon.pcx|", "" }
};

typedef struct shelf { /* the files of a folder */
    const char *folder, *names;
    uint32_t    asked;
} shelf;

static bool is_on_shelf(void *user, const char *path)
{
    shelf *s = (shelf *)user;
    char name[80];
    ++s->asked;
    if (!CHECK(strncmp(path, s->folder, strlen(s->folder)) == 0)) return false;
    snprintf(name, sizeof name, "|%s|", path + strlen(s->folder));
    return strstr(s->names, name) != NULL;
}

/* The folder, as written, is that of the model. */
static const char *folder_of(const char *model_path)
{
    static char folder[64];
    size_t length = strlen(model_path);
    while (length && !strchr("/\\", model_path[length - 1])) --length;
    snprintf(folder, sizeof folder, "%.*s", (int)length, model_path);
    return folder;
}

static void test_skins_found(void)
{
    size_t count = sizeof skin_cases / sizeof skin_cases[0];
    for (size_t i = 0; i < count; ++i) {
        const struct skin_case *c = &skin_cases[i];
        shelf s = { folder_of(c->model), c->beside, 0 };
        char path[100];
        md2_model *m = load_with_skin(c->listed);
        bool found = md2_find_skin(m, c->model, 0, is_on_shelf, &s, path, sizeof path);
        check_subject(c->beside);
        CHECK_EQ(found, c->wanted[0] != 0);
        if (found) CHECK_TEXT(path + strlen(s.folder), c->wanted);
        CHECK(s.asked >= 1 && s.asked <= 200);
    }
    CHECK_FLOOR(count, 30, "folders with skins");
}

/* -- All paths ------------------------------------------------------------- */

static bool guess_skin(const void *model, const char *model_path, uint32_t attempt, char *out,
                       size_t size)
{
    return md2_skin_path((const md2_model *)model, model_path, 0, attempt, out, size);
}

static bool guess_missing_skin(const void *model, const char *model_path, uint32_t attempt,
                               char *out, size_t size)
{
    return md2_skin_path((const md2_model *)model, model_path, 1, attempt, out, size);
}

static void test_all_paths(void)
{
    for (size_t i = 0; i < LISTED_NAMES; ++i) {
        md2_model *m = load_with_skin(listed_names[i]);
        uint32_t paths = check_guesses(guess_skin, m, "m/CuBe/TrIs.md2", "m/CuBe/");
        check_subject(listed_names[i]);
        CHECK(paths >= 150 && paths <= 190); /* four spellings of four names, and three of "skin" */
        CHECK(check_guesses(guess_missing_skin, m, "WeaPon.md2", "") >= 70);
        CHECK(check_guesses(guess_skin, m, "../w_x.md2", "../") >= 70);
    }
}

static void test_no_model_path(void)
{
    char path[20];
    CHECK(md2_skin_path(load_with_skin("a/Skin.pcx"), NULL, 0, 0, path, sizeof path));
    CHECK_TEXT(path, "Skin.pcx");
}

void test_skins(void)
{
    RUN(test_skins_found);
    RUN(test_all_paths);
    RUN(test_no_model_path);
}
