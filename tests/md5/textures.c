/* textures.c: the paths under which a shader's texture may lie. Public domain. */
#include "test_md5.h"

#include "guesses.h"

static md5_model *model_with_shader(const char *shader)
{
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numJoints 1 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { "
                 "shader \"%s\" numverts 0 numtris 0 numweights 0 }", shader);
    return model_of(text, NULL);
}

static bool guess_texture(const void *model, const char *model_path, uint32_t attempt, char *out,
                          size_t size)
{
    return md5_texture_path((const md5_model *)model, model_path, 0, attempt, out, size);
}

static void test_hostile_shaders(void)
{
    static const char *const paths[][2] = {
        { "data/zfat.md5mesh", "data/" }, { "zfat.md5mesh", "" }, { "/a/b.c/zfat", "/a/b.c/" },
        { "c:\\data\\zfat.md5mesh", "c:\\data\\" }, { "../up/zfat.md5mesh", "../up/" }
    };
    char out[64];
    for (size_t i = 0; i < LISTED_NAMES; ++i) {
        md5_model *model = model_with_shader(listed_names[i]);
        check_subject(listed_names[i]);
        for (size_t k = 0; k < sizeof paths / sizeof paths[0]; ++k) {
            CHECK(check_guesses(guess_texture, model, paths[k][0], paths[k][1]) >= 8);
        }
        md5_texture_path(model, paths[0][0], 1, 0, out, sizeof out); /* no such mesh: no harm */
    }
}

/* The stems of all paths in order, one space behind each: the spellings of a name in lower case. */
static const char *all_stems(const md5_model *model, const char *model_path)
{
    m5_text *all = new_text();
    char path[64];
    for (uint32_t i = 0; md5_texture_path(model, model_path, 0, i, path, sizeof path); i += 8) {
        CHECK_TEXT(path + strlen(path) - 4, ".tga");
        path[strlen(path) - 4] = 0;
        m5_put(all, "%s ", path);
    }
    return all->bytes;
}

/* Best guess first: as listed, then what Doom's suffixes tell, then the model's own name, each in
   four spellings. An extension in upper case is one, "_d" alone is a name, and ".v2" is part of
   one. */
static void test_order_of_attempts(void)
{
    static const char *const cases[][3] = {
        { "models/imp/imp_local", "m/ARM.md5mesh",
          "m/imp_d m/Imp_d m/IMP_D m/imp_diffuse m/Imp_diffuse m/IMP_DIFFUSE m/imp m/Imp m/IMP "
          "m/imp_local m/Imp_local m/IMP_LOCAL m/ARM m/arm m/Arm " },
        { "f:\\x\\AMZ.Tga", "AMZ.md5mesh",
          "AMZ amz Amz AMZ_d amz_d Amz_d AMZ_D AMZ_diffuse amz_diffuse Amz_diffuse AMZ_DIFFUSE " },
        { "1_d", "x/az", "x/1_d x/1_D x/1_diffuse x/1_DIFFUSE x/1 x/az x/Az x/AZ " },
        { "1_DIFFUSE", "2",
          "1_DIFFUSE 1_diffuse 1_d 1_D 1 2 " },
        { "1.2.png", "3", "1.2 1.2_d 1.2_D 1.2_diffuse 1.2_DIFFUSE 3 " },
        { "1.2", NULL, "1.2 1.2_d 1.2_D 1.2_diffuse 1.2_DIFFUSE " },
        { "_d", NULL, "_d _D _d_d _D_D _d_diffuse _D_DIFFUSE " },
        { "..\\..", "m/1.md5mesh", "m/1 " }
    };
    static const char *const extensions[8] = { ".tga", ".png",  ".jpg",  ".jpeg",
                                               ".bmp", ".TGA", ".PNG", ".JPG" };
    md5_model *model = model_with_shader("1");
    char path[64];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_subject(cases[i][0]);
        CHECK_TEXT(all_stems(model_with_shader(cases[i][0]), cases[i][1]), cases[i][2]);
    }
    for (size_t i = 0; i < 8; ++i) {
        CHECK(md5_texture_path(model, NULL, 0, (uint32_t)i, path, sizeof path));
        CHECK_TEXT(path + 1, extensions[i]);
    }
}

static bool is_named(void *name, const char *path) { return strcmp((char *)name, path) == 0; }

static void test_find_texture(void)
{
    char wanted[] = "m/Imp_Diffuse.PNG", path[64];
    md5_model *model = model_with_shader("x/Imp_Diffuse");
    CHECK(md5_find_texture(model, "m/a.md5mesh", 0, is_named, wanted, path, sizeof path));
    CHECK_TEXT(path, wanted);
    wanted[0] = 'n';
    CHECK(!md5_find_texture(model, "m/a.md5mesh", 0, is_named, wanted, path, sizeof path));
}

void test_textures(void)
{
    run_test("hostile shaders", test_hostile_shaders);
    run_test("order of texture paths", test_order_of_attempts);
    run_test("finding a texture", test_find_texture);
}
