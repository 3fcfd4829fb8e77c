/* textures.c: the paths under which a shader's texture may lie. Public domain. */
#include "test_md5.h"

static md5_model *model_with_shader(const char *shader)
{
    m5_text *text = new_text();
    m5_put_text(text, "MD5Version 10 numJoints 1 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) } ");
    m5_put_text(text, "mesh { shader \"");
    m5_put_text(text, shader);
    m5_put_text(text, "\" numverts 0 numtris 0 numweights 0 }");
    return model_of(text, NULL);
}

/* A relative path to a file below the folder, however it is read. */
static bool lies_below(const char *path, const char *folder)
{
    const char *rest = path + strlen(folder);
    return strncmp(path, folder, strlen(folder)) == 0 && rest[0] && rest[0] != '/' &&
           !strpbrk(rest, "\\:") && !strstr(rest, "//") && strncmp(rest, "../", 3) != 0 &&
           !strstr(rest, "/../") && strcmp(rest, "..") != 0;
}

/* Whatever the file says, each attempt lies in the model's folder or below it, none comes twice, and they
   end. */
static uint32_t check_attempts(const char *shader, const char *model_path, const char *folder)
{
    static char seen[64][256];
    md5_model *model = model_with_shader(shader);
    char out[256];
    uint32_t i, k;
    for (i = 0; i < 64 && md5_texture_path(model, model_path, 0, i, out, sizeof out); ++i) {
        if (!CHECK(lies_below(out, folder))) printf("  %s\n", out);
        for (k = 0; k < i; ++k) CHECK(strcmp(seen[k], out) != 0);
        memcpy(seen[i], out, sizeof out);
    }
    CHECK(i < 64);
    for (k = 0; k < i; ++k) {
        CHECK(md5_texture_path(model, model_path, 0, k, out, strlen(seen[k]) + 1));
        CHECK(!md5_texture_path(model, model_path, 0, k, out, strlen(seen[k])));
    }
    CHECK(!md5_texture_path(model, model_path, 0, 0, out, 0));
    CHECK(!md5_texture_path(model, model_path, 0, 4000000000u, out, sizeof out));
    md5_texture_path(model, model_path, 1, 0, out, sizeof out); /* no such mesh: no harm */
    return i;
}

static void test_hostile_shaders(void)
{
    static const char *const shaders[] = {
    "models/monsters/zfat/zfat", "f:\\md5viewer\\data\\guard1_body.tga",
    "/home/geartrooper/Desktop/skin.png", "", ".", "..", "../../etc/passwd",
    "..\\..\\windows\\win.ini", "a/../../b.tga", "c:skin.tga", "C:", "/",
    "\\\\server\\share\\x.png", "//x", "./x.tga", "a/./b", "name with spaces.png", "skin_local",
    "skin_local.tga", "skin_d.tga", "skin.with.dots.jpg", "textures/", "...", "a:b:c", "x/..",
    "~/x.tga", "\xC3\xA9.png"
    };
    static const char *const paths[][2] = {
        { "data/zfat.md5mesh", "data/" }, { "zfat.md5mesh", "" }, { "/a/b.c/zfat", "/a/b.c/" },
        { "c:\\data\\zfat.md5mesh", "c:\\data\\" }, { "../up/zfat.md5mesh", "../up/" }
    };
    size_t i, k;
    uint32_t attempts = 0;
    for (i = 0; i < sizeof shaders / sizeof shaders[0]; ++i) {
        check_subject(shaders[i]);
        for (k = 0; k < sizeof paths / sizeof paths[0]; ++k) {
            attempts += check_attempts(shaders[i], paths[k][0], paths[k][1]);
        }
    }
    CHECK_FLOOR(attempts, 500, "texture paths");
}

#define FORMATS(name) name ".tga " name ".png " name ".jpg " name ".jpeg " name ".bmp "
#define IMP       FORMATS("b/Imp_d") FORMATS("b/Imp") "b/Imp_local.TGA " FORMATS("b/Imp_local")
#define LOWER_IMP FORMATS("b/imp_d") FORMATS("b/imp") FORMATS("b/imp_local")

/* Best guess first: as listed, then what Doom's suffixes tell, then the model's own name, then all
   in lower case. An extension in upper case is one, "_d" alone is a name, and ".v2" is part of
   one. */
static void test_order_of_attempts(void)
{
    static const char *const cases[][3] = {
        { "models/imp/imp_local", "m/arm.md5mesh",
          FORMATS("m/imp_d") FORMATS("m/imp") FORMATS("m/imp_local") FORMATS("m/arm") },
        { "models/imp/imp", "m/arm.md5mesh", FORMATS("m/imp") FORMATS("m/imp_d") FORMATS("m/arm") },
        { "f:\\md5viewer\\guard1.tga", "m/arm.md5mesh",
          FORMATS("m/guard1") FORMATS("m/guard1_d") FORMATS("m/arm") },
        { "Skin_d", "m/arm.md5mesh",
          FORMATS("m/Skin_d") FORMATS("m/Skin") FORMATS("m/arm") FORMATS("m/skin_d")
              FORMATS("m/skin") },
        { "/home/x/arm.v2.png", "m/arm.md5mesh",
          "m/arm.v2.png m/arm.v2.tga m/arm.v2.jpg m/arm.v2.jpeg m/arm.v2.bmp " FORMATS("m/arm.v2_d")
              FORMATS("m/arm") },
        { "arm.v2", NULL, FORMATS("arm.v2") FORMATS("arm.v2_d") },
        { "a/Imp_local.TGA", "b/other.md5mesh", IMP FORMATS("b/other") LOWER_IMP },
        { "a/Imp_local.TGA", "b/Imp.md5mesh", IMP LOWER_IMP }, /* its own name is among them */
        { "a/Imp_local.TGA", "b/Imp_local.md5mesh", IMP LOWER_IMP },
        { "AZ[@`{", "b/x.md5mesh",
          FORMATS("b/AZ[@`{") FORMATS("b/AZ[@`{_d") FORMATS("b/x") FORMATS("b/az[@`{")
              FORMATS("b/az[@`{_d") },
        { "_d", "b/x.md5mesh", FORMATS("b/_d") FORMATS("b/_d_d") FORMATS("b/x") },
        { "_local", "b/x.md5mesh", FORMATS("b/_local") FORMATS("b/_local_d") FORMATS("b/x") },
        { "d", "b/x.md5mesh", FORMATS("b/d") FORMATS("b/d_d") FORMATS("b/x") },
        { "", "m/arm.md5mesh", FORMATS("m/arm") },
        { "..\\..", "m/arm.md5mesh", FORMATS("m/arm") }
    };
    size_t i;
    for (i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        md5_model *model = model_with_shader(cases[i][0]);
        char path[64];
        uint32_t k;
        m5_text *all = new_text();
        check_subject(cases[i][0]);
        for (k = 0; md5_texture_path(model, cases[i][1], 0, k, path, sizeof path); ++k) {
            m5_put(all, "%s ", path);
        }
        CHECK_TEXT(all->bytes, cases[i][2]);
    }
}

void test_textures(void)
{
    run_test("hostile shaders", test_hostile_shaders);
    run_test("order of texture paths", test_order_of_attempts);
}
