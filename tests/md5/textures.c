/* Tests of the paths at which md5_find_texture looks for the texture of a shader. Public domain. */
#include "test_md5.h"

#include "tests/both/textures.h"

static md5_model *model_with_shader(const char *shader)
{
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numJoints 1 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { "
                 "shader \"%s\" numverts 0 numtris 0 numweights 0 }", shader);
    return model_of(text, NULL);
}

static bool search_texture(const void *model, const char *model_path,
                           bool (*is_found)(void *user, const char *path), void *user, char *out,
                           size_t size)
{
    return md5_find_texture((const md5_model *)model, model_path, 0, is_found, user, out, size);
}

/* Returns the names that are tried, without extensions, each followed by a blank. With `only_lower`, leaves out
   names that have upper case letters. */
static const char *names_tried(const char *shader, const char *model_path, bool only_lower)
{
    md5_model *model = model_with_shader(shader);
    m5_text *all = new_text();
    tried_paths tried;
    char out[64], last[64] = "";
    tried.count = 0;
    CHECK(!md5_find_texture(model, model_path, 0, note_path, &tried, out, sizeof out));
    for (uint32_t i = 0; i < tried.count; ++i) {
        char *path = tried.path[i];
        *strrchr(path, '.') = '\0';
        bool is_new = strcmp(path, last) != 0;
        strcpy(last, path);
        if (is_new && !(only_lower && strpbrk(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))) {
            m5_put(all, "%s ", path);
        }
    }
    return all->bytes ? all->bytes : "";
}

/* This test is the only place that lists all extensions. */
static void test_extensions(void)
{
    static const char *const paths[] = {
        "m/1.tga", "m/1.png", "m/1.jpg", "m/1.jpeg", "m/1.bmp", /* in lower case first */
        "m/1.TGA", "m/1.PNG", "m/1.JPG",
        "m/1_d.tga"                                             /* then the next name */
    };
    md5_model *model = model_with_shader("1");
    tried_paths tried;
    char path[64];
    tried.count = 0;
    CHECK(!md5_find_texture(model, "m/1.md5mesh", 0, note_path, &tried, path, sizeof path));
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
        check_step("path %d", (int)i);
        CHECK_TEXT(tried.path[i], paths[i]);
    }
}

static void test_names_of_a_shader(void)
{
    CHECK_TEXT(names_tried("models/imp/imp_local", "m/arm.md5mesh", true),
               "m/imp_d m/imp_diffuse m/imp m/imp_local m/imp_00_00 m/arm ");
    CHECK_TEXT(names_tried("models/imp/imp_s", "m/arm.md5mesh", true),
               "m/imp_d m/imp_diffuse m/imp m/imp_s m/imp_00_00 m/arm ");
    CHECK_TEXT(names_tried("models/imp/imp_h", "m/arm.md5mesh", true),
               "m/imp_d m/imp_diffuse m/imp m/imp_h m/imp_00_00 m/arm ");
    CHECK_TEXT(names_tried("models/imp/imp", "m/arm.md5mesh", true),
               "m/imp m/imp_d m/imp_diffuse m/imp_00_00 m/arm ");
    CHECK_TEXT(names_tried("models/imp/imp.pcx", "m/arm.md5mesh", true),
               "m/imp m/imp_d m/imp_diffuse m/imp_00_00 m/arm ");
}

/* A name is tried unchanged, in lower case, capitalized and in upper case, each spelling once. */
static void test_upper_and_lower_case(void)
{
    CHECK_TEXT(names_tried("..", "m/ArM.md5mesh", false), "m/ArM m/arm m/Arm m/ARM ");
    CHECK_TEXT(names_tried("..", "m/arm.md5mesh", false), "m/arm m/Arm m/ARM ");
}

static void test_room(void)
{
    md5_model *model = model_with_shader("imp");
    char wanted[] = "m/imp.tga", path[] = "##########";
    CHECK(!md5_find_texture(model, "m/arm.md5mesh", 0, is_named, wanted, path, 0));
    CHECK_TEXT(path, "##########");
    CHECK(!md5_find_texture(model, "m/arm.md5mesh", 0, is_named, wanted, path, 9));
    CHECK_TEXT(path, "");
    CHECK(md5_find_texture(model, "m/arm.md5mesh", 0, is_named, wanted, path, 10));
    CHECK_TEXT(path, "m/imp.tga");
}

/* Even the model's name is not tried, because no mesh could use the texture. */
static void test_no_such_mesh(void)
{
    md5_model *model = model_with_shader("imp");
    static const uint32_t meshes[] = { 1, 2, UINT32_MAX };
    char path[64] = "";
    for (size_t i = 0; i < sizeof meshes / sizeof meshes[0]; ++i) {
        check_step("mesh %u", (unsigned)meshes[i]);
        CHECK(!md5_find_texture(model, "m/arm.md5mesh", meshes[i], NULL, NULL, path, sizeof path));
        CHECK_TEXT(path, "");
    }
}

/* -- Finding a texture ---------------------------------------------------------- */

static void test_find_texture(void)
{
    char wanted[] = "m/Imp_Diffuse.png", elsewhere[] = "n/Imp_Diffuse.png", path[64];
    md5_model *model = model_with_shader("x/Imp_Diffuse");
    CHECK(md5_find_texture(model, "m/a.md5mesh", 0, is_named, wanted, path, sizeof path));
    CHECK_TEXT(path, wanted);
    CHECK(!md5_find_texture(model, "m/a.md5mesh", 0, is_named, elsewhere, path, sizeof path));
    CHECK_TEXT(path, "m/Imp_Diffuse.tga");
}

static void test_on_disk(void)
{
    check_disk(search_texture, model_with_shader("x/md5_f\xC3\xBCnd"), "md5_f\xC3\xBCnd.tga",
               "md5_f\xC3\xBCnd_diffuse.jpg");
}

/* -- Unusual shaders -------------------------------------------------------------- */

/* ".Tga" is an extension, ".2" is part of a name, and "_d" or ".tga" can be a whole name. */
static void test_unusual_names(void)
{
    static const char *const cases[][3] = {
        { "models/imp/imp_local", "m/ARM.md5mesh",
          "m/imp_d m/Imp_d m/IMP_D m/imp_diffuse m/Imp_diffuse m/IMP_DIFFUSE m/imp m/Imp m/IMP "
          "m/imp_local m/Imp_local m/IMP_LOCAL m/imp_00_00 m/Imp_00_00 m/IMP_00_00 m/ARM m/arm m/Arm " },
        { "f:\\x\\AMZ.Tga", "AMZ.md5mesh",
          "AMZ amz Amz AMZ_d amz_d Amz_d AMZ_D AMZ_diffuse amz_diffuse Amz_diffuse AMZ_DIFFUSE "
          "AMZ_00_00 amz_00_00 Amz_00_00 " },
        { "1.PcX", "2", "1 1_d 1_D 1_diffuse 1_DIFFUSE 1_00_00 2 " },
        { "1.dds", "2", "1 1_d 1_D 1_diffuse 1_DIFFUSE 1_00_00 2 " },
        { "1.wal", "2", "1 1_d 1_D 1_diffuse 1_DIFFUSE 1_00_00 2 " },
        { "1.lmp", "2", "1 1_d 1_D 1_diffuse 1_DIFFUSE 1_00_00 2 " },
        { "1.webp", "2", "1 1_d 1_D 1_diffuse 1_DIFFUSE 1_00_00 2 " },
        { "1_d", "x/az", "x/1_d x/1_D x/1_diffuse x/1_DIFFUSE x/1 x/1_00_00 x/az x/Az x/AZ " },
        { "1_DIFFUSE", "2", "1_DIFFUSE 1_diffuse 1_d 1_D 1 1_00_00 2 " },
        { "1.2.png", "3", "1.2 1.2_d 1.2_D 1.2_diffuse 1.2_DIFFUSE 1.2_00_00 3 " },
        { "1.2", NULL, "1.2 1.2_d 1.2_D 1.2_diffuse 1.2_DIFFUSE 1.2_00_00 " },
        { "_d", NULL, "_d _D _d_d _D_D _d_diffuse _D_DIFFUSE _d_00_00 _D_00_00 " },
        { ".tga", "3", ".tga .TGA .tga_d .TGA_D .tga_diffuse .TGA_DIFFUSE .tga_00_00 .TGA_00_00 3 " },
        { "..\\..", "m/1.md5mesh", "m/1 " }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_scene("the shader %s", cases[i][0]);
        CHECK_TEXT(names_tried(cases[i][0], cases[i][1], false), cases[i][2]);
    }
}

/* The names of devices have any case and any extension. The model's name can also be a device. */
static void test_devices(void)
{
    static const char *const cases[][3] = {
        { "con", "m/1.md5mesh", "m/1 " },
        { "Nul.v2", "m/1.md5mesh", "m/1 " },
        { "COM1 .tga", "m/1.md5mesh", "m/1 " },
        { "lpt9", "m/Aux.md5mesh", "" },
        { "com\xC2\xB9", "m/ConIn$.md5mesh", "" },     /* Windows accepts a superscript 1 */
        { "LPT\xC2\xB3", "m/1.md5mesh", "m/1 " },
        { "com0", "prn/1.md5mesh",                     /* not a device; nor is a folder */
          "prn/com0 prn/Com0 prn/COM0 prn/com0_d prn/Com0_d prn/COM0_D "
          "prn/com0_diffuse prn/Com0_diffuse prn/COM0_DIFFUSE "
          "prn/com0_00_00 prn/Com0_00_00 prn/COM0_00_00 prn/1 " }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_scene("the shader %s", cases[i][0]);
        CHECK_TEXT(names_tried(cases[i][0], cases[i][1], false), cases[i][2]);
    }
}

static void test_hostile_shaders(void)
{
    static const char *const paths[][2] = {
        { "data/zfat.md5mesh", "data/" }, { "zfat.md5mesh", "" }, { "/a/b.c/zfat", "/a/b.c/" },
        { "c:\\data\\zfat.md5mesh", "c:\\data\\" }, { "../up/zfat.md5mesh", "../up/" }
    };
    for (size_t i = 0; i < LISTED_NAMES; ++i) {
        md5_model *model = model_with_shader(listed_names[i]);
        for (size_t k = 0; k < sizeof paths / sizeof paths[0]; ++k) {
            check_scene("the shader %s of %s", listed_names[i], paths[k][0]);
            CHECK(check_paths(search_texture, model, paths[k][0], paths[k][1]) > 0);
        }
    }
}

/* This shader has the most paths: six different names, each in four spellings and with eight extensions. */
static void test_most_paths(void)
{
    md5_model *model = model_with_shader("x/ImP_LoCal");
    check_scene("the shader x/ImP_LoCal");
    CHECK_EQ(check_paths(search_texture, model, "m/ArM.md5mesh", "m/"), 6 * 4 * 8);
}

void test_textures(void)
{
    RUN(test_extensions, "a picture is .tga, .png, .jpg, .jpeg or .bmp, tried in this order");
    RUN(test_names_of_a_shader, "a shader's names are tried, the most likely first, then the model's name");
    RUN(test_upper_and_lower_case, "each name is tried in upper and lower case");
    RUN(test_room, "a path is written if there is room for it and its NUL");
    RUN(test_no_such_mesh, "a mesh that the model does not have has no paths");
    RUN(test_find_texture, "the first path that is found is the texture");
    RUN(test_on_disk, "without a callback, a file that is not empty is found");
    RUN(test_unusual_names, "unusual shaders have as many names as possible");
    RUN(test_devices, "names of Windows devices are never tried");
    RUN(test_most_paths, "no shader gives more than 200 paths");
    RUN(test_hostile_shaders, "no shader leads out of the model's folder");
}
