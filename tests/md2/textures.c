/* Tests of the paths at which md2_find_skin looks for a skin. Public domain. */
#include "test_md2.h"

#include "tests/both/textures.h"

static md2_model *load_with_skin(const char *skin)
{
    m2_bytes *bytes = named("cube");
    memset(m2_section(bytes, M2_OFS_SKINS), 0, 64);
    memcpy(m2_section(bytes, M2_OFS_SKINS), skin, strlen(skin) < 64 ? strlen(skin) : 64);
    return load(bytes, 0);
}

static bool search_skin(const void *model, const char *model_path,
                        bool (*is_found)(void *user, const char *path), void *user, char *out,
                        size_t size)
{
    return md2_find_skin((const md2_model *)model, model_path, 0, is_found, user, out, size);
}

static void test_find_skin(void)
{
    md2_model *m = load_with_skin("models/far/red.pcx");
    char       there[] = "m/cube/tris.pcx", elsewhere[] = "models/far/red.pcx", path[100];

    CHECK(md2_find_skin(m, "m/cube/tris.md2", 0, is_named, there, path, sizeof path));
    CHECK_TEXT(path, "m/cube/tris.pcx");
    CHECK(!md2_find_skin(m, "m/cube/tris.md2", 0, is_named, elsewhere, path, sizeof path));
    CHECK_TEXT(path, "m/cube/red.pcx");
}

static void test_on_disk(void)
{
    check_disk(search_skin, load_with_skin("far/md2_f\xC3\xBCnd.tga"), "md2_f\xC3\xBCnd.tga",
               "md2_f\xC3\xBCnd.jpg");
}

/* A buffer of 0 bytes stays unchanged. A buffer without room for any path becomes empty. */
static void test_no_path(void)
{
    md2_model *m = load_with_skin("nul.pcx");
    char       path[8] = "#######";

    CHECK(!md2_find_skin(m, "con.md2", 0, is_named, path, path, 0));
    CHECK_TEXT(path, "#######");
    CHECK(!md2_find_skin(m, "a folder/con.md2", 0, is_named, path, path, sizeof path));
    CHECK_TEXT(path, "");
}

/* -- Extensions. hostile_names checks that there are not too many. ------------------ */

/* Checks the extensions of the first name that is tried. */
static void expect_extensions(const char *listed, const char *wanted)
{
    md2_model  *m = load_with_skin(listed);
    tried_paths tried;
    char        path[80], all[200 * 80] = "";
    check_scene("a model that lists %s", listed);
    tried.count = 0;
    md2_find_skin(m, "m/tris.md2", 0, note_path, &tried, path, sizeof path);
    for (uint32_t i = 0; i < tried.count && strncmp(tried.path[i], "m/red.", 6) == 0; ++i) {
        strcat(strcat(all, " "), tried.path[i] + 6);
    }
    CHECK_TEXT(all, wanted);
}

static void test_extensions(void)
{
    expect_extensions("red.pcx", " pcx png tga jpg jpeg bmp PCX PNG TGA JPG");
    expect_extensions("red.jpeg", " jpeg bmp PCX PNG TGA JPG pcx png tga jpg");
    expect_extensions("red.PNG", " PNG TGA JPG pcx png tga jpg jpeg bmp PCX");
    expect_extensions("red.dds", " pcx png tga jpg jpeg bmp PCX PNG TGA JPG");
    expect_extensions("red.gif", " pcx png tga jpg jpeg bmp PCX PNG TGA JPG");
    expect_extensions("red", " pcx png tga jpg jpeg bmp PCX PNG TGA JPG");
    expect_extensions("red.Pcx", " pcx png tga jpg jpeg bmp PCX PNG TGA JPG");
    expect_extensions("red.BMP", " bmp PCX PNG TGA JPG pcx png tga jpg jpeg");
}

/* -- Names; each is tried with all extensions ----------------------------------- */

/* Checks the names that are tried, in order. If `wanted` ends with '*', other names may follow. */
static void expect_names(const md2_model *m, const char *model_path, uint32_t skin,
                         const char *folder, const char *wanted)
{
    char out[80], last[80] = "", all[200 * 80] = "", *star = all + strcspn(wanted, "*");
    tried_paths tried;
    const char *listed = skin < m->skin_count ? m->skins[skin].path : "";
    check_scene("skin %.0f of %s, which lists \"%s\"", (double)skin,
                model_path ? model_path : "no path", listed);
    tried.count = 0;
    CHECK(!md2_find_skin(m, model_path, skin, note_path, &tried, out, sizeof out));
    for (uint32_t i = 0; i < tried.count; ++i) {
        char *path = tried.path[i];
        check_step("path %u: %s", (unsigned)i, path);
        CHECK(strncmp(path, folder, strlen(folder)) == 0);
        CHECK(strrchr(path, '.') != NULL);
        *strrchr(path, '.') = 0;
        if (strcmp(path, last) != 0) strcat(strcat(all, path + strlen(folder)), " ");
        strcpy(last, path);
    }
    check_step("all names");
    if (strchr(wanted, '*')) strcpy(star, "*");
    CHECK_TEXT(all, wanted);
}

typedef struct listing {
    const char *listed, *model, *folder, *names;
} listing;

static void check_listings(const listing *list, size_t count)
{
    for (const listing *one = list; one < list + count; ++one)
        expect_names(load_with_skin(one->listed), one->model, 0, one->folder, one->names);
}

#define CHECK_LISTINGS(list) check_listings(list, sizeof list / sizeof list[0])

static void test_order_of_names(void)
{
    static const listing all[] = {
        { "far/rEd.pcx", "m/cube/man.md2", "m/cube/",
          "rEd red Red RED man Man MAN man0 Man0 MAN0 skin Skin SKIN cube Cube CUBE " },
        { "", "m/cube/w_b.md2", "m/cube/",
          "w_b W_b W_B w_b0 W_b0 W_B0 weapon Weapon WEAPON skin Skin SKIN cube Cube CUBE " },
        { "", "m.md2", "", "m M m0 M0 skin Skin SKIN " }
    };
    CHECK_LISTINGS(all);
}

/* The listed name may have any folder, drive and case. Its extension is the part after the last dot. */
static void test_listed_name(void)
{
    static const listing listed[] = {
        { "models\\far\\red.pcx", "m/1.md2", "m/", "red Red RED 1 *" },
        { "D:red.pcx", "m/1.md2", "m/", "red Red RED 1 *" },
        { "../../red.pcx", "m/1.md2", "m/", "red Red RED 1 *" },
        { "red.v2.pcx", "m/1.md2", "m/", "red.v2 Red.v2 RED.V2 1 *" },
        { "\xF6.pcx", "m/1.md2", "m/", "\xF6 1 *" },
        { "x/GrUnt.PCX", "m/1.md2", "m/", "GrUnt grunt Grunt GRUNT 1 *" },
        { "x/AziZ.PCX", "m/1.md2", "m/", "AziZ aziz Aziz AZIZ 1 *" },
        { "..", "m/1.md2", "m/", "1 *" }
    };
    CHECK_LISTINGS(listed);
}

static void test_name_of_model(void)
{
    static const listing models[] = {
        { "", "m/Man.MD2", "m/", "Man man MAN Man0 *" },
        { "", "v1.2/man", "v1.2/", "man Man MAN *" },
        { "", "C:\\m\\man.md2", "C:\\m\\", "man Man MAN *" },
        { "", "m\\cube.v2\\1.md2", "m\\cube.v2\\",
          "1 10 skin Skin SKIN cube.v2 Cube.v2 CUBE.V2 " },
        { "", "/1.md2", "/", "1 10 skin Skin SKIN " },
        { "a/1.pcx", NULL, "", "1 skin Skin SKIN " }
    };
    CHECK_LISTINGS(models);
}

/* A picture with the folder's name is the skin of the player. It is used for a weapon only if the weapon lists no
   skin. */
static void test_weapon(void)
{
    static const listing weapons[] = {
        { "g/skin.pcx", "m/cube/w_b.md2", "m/cube/",
          "w_b W_b W_B w_b0 W_b0 W_B0 weapon Weapon WEAPON skin Skin SKIN " },
        /* These weapons list a skin in their own folder, or a skin with a longer name. */
        { "g\\bAse.pcx", "m/cube/weapon.md2", "m/cube/",
          "weapon Weapon WEAPON weapon0 Weapon0 WEAPON0 bAse base Base BASE skin Skin SKIN " },
        { "Skin.pcx", "m/w_b.md2", "m/",
          "w_b W_b W_B w_b0 W_b0 W_B0 weapon Weapon WEAPON Skin skin SKIN " },
        { "far/CUBE/skin.pcx", "m/cube/w_b.md2", "m/cube/", "skin Skin SKIN w_b *" },
        { "far/cubes/skin.pcx", "m/cube/w_b.md2", "m/cube/", "w_b *" },
        { "far/tube/skin.pcx", "m/cube/w_b.md2", "m/cube/", "w_b *" },
        { "g/skin2.pcx", "m/cube/w_b.md2", "m/cube/", "skin2 Skin2 SKIN2 w_b *" },
        { "g/ski.pcx", "m/cube/w_b.md2", "m/cube/", "ski Ski SKI w_b *" },
        { "g/skin.pcx", "m/cube/tris.md2", "m/cube/", "skin Skin SKIN tris *" },
        { "g/1.pcx", "A_b.md2", "", "1 A_b a_b A_B A_b0 a_b0 A_B0 weapon Weapon WEAPON *" },
        { "g/1.pcx", "m/cube/WEAPON.MD2", "m/cube/",
          "1 WEAPON weapon Weapon WEAPON0 weapon0 Weapon0 skin Skin SKIN " },
        { "", "m/axe/weapon.md2", "m/axe/",
          "weapon Weapon WEAPON weapon0 Weapon0 WEAPON0 skin Skin SKIN axe Axe AXE " },
        { "", "m/alien.md2", "m/", "alien Alien ALIEN alien0 Alien0 ALIEN0 skin Skin SKIN m M " },
        { "", "m/1/bow_b.md2", "m/1/", "bow_b Bow_b BOW_B bow_b0 Bow_b0 BOW_B0 skin Skin SKIN 1 " }
    };
    CHECK_LISTINGS(weapons);
}

/* On Windows, "nul.pcx" opens a device, not a file. */
static void test_devices(void)
{
    static const listing devices[] = {
        { "far/nul.pcx", "m/1.md2", "m/", "1 10 skin *" },
        { "COn", "m/1.md2", "m/", "1 10 skin *" },
        { "AUX .v2.pcx", "m/1.md2", "m/", "1 10 skin *" },
        { "prn.Pcx", "m/1.md2", "m/", "1 10 skin *" },
        { "com1.pcx", "m/lpt9.md2", "m/", "skin Skin SKIN m M " },
        { "com0.pcx", "com1/Lpt0.md2", "com1/",
          "com0 Com0 COM0 Lpt0 lpt0 LPT0 Lpt00 lpt00 LPT00 skin Skin SKIN " }, /* the folder is a device */
        { "nul1.pcx", "con/1.md2", "con/", "nul1 Nul1 NUL1 1 10 skin Skin SKIN " },
        { "comx.pcx", "m/aux.md2", "m/", "comx Comx COMX skin Skin SKIN m M " },
        { "nu.pcx", "m/1.md2", "m/", "nu Nu NU 1 *" },
        { "_nul.pcx", "m/1.md2", "m/", "_nul _NUL 1 *" },
        { "com12.pcx", "m/1.md2", "m/", "com12 Com12 COM12 1 *" },
        { "ConIn$.pcx", "m/conout$.md2", "m/", "skin Skin SKIN m M " },
        { "conin.pcx", "m/coninx.md2", "m/", "conin Conin CONIN coninx Coninx CONINX *" },
        /* Windows accepts the superscripts of Latin-1 as digits, and no others. */
        { "com\xC2\xB9.pcx", "m/LPT\xC2\xB3.md2", "m/", "skin Skin SKIN m M " },
        { "com\xC2\xB2.pcx", "m/1.md2", "m/", "1 10 skin *" },
        { "com\xC2\xB4.pcx", "m/1.md2", "m/", "com\xC2\xB4 Com\xC2\xB4 COM\xC2\xB4 1 *" }
    };
    CHECK_LISTINGS(devices);
}

static void test_each_skin(void)
{
    md2_model *m = load_named("sheet", 0); /* "models/sheet/red.pcx", "blue.tga" */
    expect_names(m, "m/1.md2", 0, "m/", "red Red RED 1 *");
    expect_names(m, "m/1.md2", 1, "m/", "blue Blue BLUE 1 *");
    expect_names(m, "m/1.md2", 2, "m/", "1 *");
    expect_names(m, "m/1.md2", UINT32_MAX, "m/", "1 *");
}

/* -- All paths ------------------------------------------------------------- */

static void test_hostile_names(void)
{
    for (size_t i = 0; i < LISTED_NAMES; ++i) {
        md2_model *m = load_with_skin(listed_names[i]);
        check_scene("a model that lists %s", listed_names[i]);
        check_paths(search_skin, m, "m/CuBe/TrIs.md2", "m/CuBe/");
        check_paths(search_skin, m, "WeaPon.md2", "");
        check_paths(search_skin, m, "../w_x.md2", "../");
    }
}

void test_textures(void)
{
    RUN(test_find_skin, "skins are searched for in the model's folder until a path is found");
    RUN(test_on_disk, "without a callback, a file that is not empty is found");
    RUN(test_no_path, "if no path has room, nothing is found and nothing is written past the buffer");
    RUN(test_extensions, "a name is tried with all extensions, beginning with the listed one");
    RUN(test_order_of_names, "tried are the listed name, the model's name, with 0, weapon, skin, the folder's name");
    RUN(test_each_skin, "each skin has its own listed name, or none");
    RUN(test_listed_name, "the listed name is tried without its folder, in four spellings");
    RUN(test_name_of_model, "the names of the model and its folder are tried, in any path");
    RUN(test_weapon, "weapons share a picture, and do not use the player's picture");
    RUN(test_devices, "names of Windows devices are never tried");
    RUN(test_hostile_names, "at most 200 paths are tried, all in the model's folder; paths without room are skipped");
}
