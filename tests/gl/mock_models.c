/* mock_models.c: models of every kind and size, and the pictures beside them. Public domain. */
#include "mock.h"
#include "md2.h"
#include "md5.h"

/* -- Models ---------------------------------------------------------------- */

void md5_test_all_models(void)
{
    static const uint32_t flags[4] = { 0, MD5_Y_UP, MD5_KEEP_WINDING | MD5_FLIP_V, 0 };
    unsigned long uploaded = 0;
    int i;
    for (i = 0; i < M5_MODELS; ++i) {
        md5_options loading;
        m5_entry entry;
        m5_text text;
        model from;
        fixture f;
        memset(&text, 0, sizeof text);
        memset(&from, 0, sizeof from);
        memset(&loading, 0, sizeof loading);
        loading.flags = flags[i % 4];
        entry = m5_make(i, &text);
        if (entry.kind == M5_MESH)
            from.md5 = md5_load_model_memory(text.bytes, text.size, &loading, NULL);
        m5_free(&text);
        if (!from.md5) continue;
        check_subject(entry.name);
        fixture_take(&f, &libraries[1], from, 3);
        for (; f.from.md5_mesh < from.md5->mesh_count; ++f.from.md5_mesh) {
            begin_context(&f, i % 2 != 0);
            create_and_upload(&f);
            draw(&f, 3);
            CHECK_EQ(fake.draws, 1);
            ++uploaded;
            end_context(&f, 0);
        }
        begin_context(&f, false);
        create_or_abort(&f);
        CHECK(!upload(&f));           /* there is no such mesh */
        CHECK_TEXT(f.said.code, "ERROR_ARGUMENT");
        memset(&f.one, 0, sizeof f.one);
        end_context(&f, 0);
        fixture_free(&f);
    }
    check_subject("");
    CHECK_FLOOR(uploaded, 50, "meshes of our own uploaded");
}

/* More joints than the largest texture has room for: a mesh that no draw could show. */
void md5_test_too_many_joints(void)
{
    enum { MOST = 1024 * 1024 / 3 };
    int joints, i;
    for (joints = MOST; joints <= MOST + 1; ++joints) {
        fixture f;
        m5_text text;
        memset(&text, 0, sizeof text);
        m5_put(&text, "MD5Version 10 numJoints %d numMeshes 1 joints {\n", joints);
        for (i = 0; i < joints; ++i) m5_put_text(&text, "j -1 ( 0 0 0 ) ( 0 0 0 )\n");
        m5_put_text(&text, "} mesh { numverts 1 vert 0 ( 0 0 ) 0 1 numtris 1 tri 0 0 0 0 "
                           "numweights 1 weight 0 0 1 ( 0 0 0 ) }");
        memset(&f, 0, sizeof f);
        f.lib = &libraries[1];
        f.from = md5_from_text(&text, 0, 0);
        f.who.md5 = (md5_gl_instance *)malloc_or_abort(sizeof *f.who.md5);
        memset(f.who.md5, 0, sizeof *f.who.md5);
        begin_context(&f, false);
        fake.max_texture_size = 1024;
        create_or_abort(&f);
        CHECK_EQ(upload(&f), joints == MOST);
        CHECK_TEXT(f.said.message, joints == MOST ? ""
                   : "the joints take 1048578 texels, more than a texture of 1024 rows holds");
        draw(&f, 1);
        CHECK_EQ(fake.draws, joints == MOST);
        end_context(&f, 0);
        fixture_free(&f);
    }
}

/* -- Pictures, in a format of our own -------------------------------------- */

static void save(const char *name, const void *data, size_t size)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!write_file(path, data, size)) {
        printf("cannot write %s\n", path);
        exit(EXIT_FAILURE);
    }
}

static void forget(const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    remove(path);
}

static void expect_texels(uint32_t texture, int width, int height, const uint8_t *rgba)
{
    const fake_object *object = &fake.object[texture];
    if (!CHECK(texture != 0)) return;
    CHECK_EQ(object->width, width);
    CHECK_EQ(object->height, height);
    CHECK(object->size == (size_t)width * (size_t)height * 4 &&
          memcmp(object->data, rgba, object->size) == 0);
    fake_glDeleteTextures(1, &texture);
}

static const uint8_t picture[5 + 24] = { 'P', 'I', 'C', 2,  3,  1,  2,  3,  4,  5,
                                         6,   7,   8,   11, 12, 13, 14, 15, 16, 17,
                                         18,  21,  22,  23, 24, 25, 26, 27, 28 };

static uint32_t load_picture(fixture *f, const model *from)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, f->lib->model_file);
    return f->lib->load_texture(f->gl, from, path, 0, &f->said);
}

static void expect_no_picture(fixture *f, const char *message)
{
    CHECK_EQ(load_picture(f, &f->from), 0);
    CHECK(strcmp(f->said.code, "OK") != 0 && f->said.message[0]);
    CHECK(strstr(f->said.message, message) != NULL);
}

static void expect_no_arguments(fixture *f)
{
    const library *lib = f->lib;
    CHECK_EQ(lib->load_texture(NULL, &f->from, "x", 0, &f->said), 0);
    CHECK_TEXT(f->said.code, "ERROR_ARGUMENT");
    CHECK_EQ(lib->load_texture(f->gl, NULL, "x", 0, &f->said), 0);
    CHECK_TEXT(f->said.code, "ERROR_ARGUMENT");
    CHECK_EQ(lib->load_texture(f->gl, NULL, "x", 0, NULL), 0);
    CHECK_EQ(lib->load_texture(f->gl, &f->from, NULL, 0, NULL), 0);
    if (f->from.md5) {
        CHECK_EQ(lib->load_texture(f->gl, &f->from, "x", 1, &f->said), 0); /* there is no mesh 1 */
        CHECK_TEXT(f->said.code, "ERROR_ARGUMENT");
    }
}

void test_pictures(const library *lib)
{
    static const char *const names[7] = { "cube.png", "cube.pcx", "gl_mock_model.png",
                                          "gl_mock_model.pcx", "gl_mock_model.tga", "grid_d.tga",
                                          "grid.png" };
    static const uint8_t flipped[24] = { 21, 22, 23, 24, 25, 26, 27, 28, 11, 12, 13, 14,
                                         15, 16, 17, 18, 1,  2,  3,  4,  5,  6,  7,  8 };
    model from_below = lib->load(lib->pictured, lib->flip_v);
    fixture f;
    fake_state then;
    uint32_t texture;
    unsigned callers, own, i;
    fixture_load(&f, lib, lib->pictured, 1);
    for (i = 0; i < 7; ++i) forget(names[i]);
    pictures_decoded = pictures_freed = 0;
    begin_context(&f, false);
    fake_gl_set_hostile();
    callers = fake_gl_live(FAKE_KINDS);
    then = fake.state;
    create_or_abort(&f);
    own = fake_gl_live(FAKE_KINDS);
    expect_no_picture(&f, lib->missing);
    CHECK(strstr(f.said.message, lib->first_tried) != NULL);
    CHECK_TEXT(f.said.code, "ERROR_OPEN");
    expect_no_arguments(&f);
    save(lib->picture_file, picture, sizeof picture);
    expect_texels(load_picture(&f, &f.from), 2, 3, picture + 5);
    CHECK_TEXT(f.said.code, "OK");
    /* v begins at the bottom, and so does the texture. */
    expect_texels(load_picture(&f, &from_below), 2, 3, flipped);
    for (i = 1; i < 6; ++i) {         /* no memory at each place, and no leak */
        f.memory.allocations = 0;
        f.memory.fail_at = i;
        texture = load_picture(&f, &f.from);
        CHECK(texture || strcmp(f.said.code, "OK") != 0);
        fake_glDeleteTextures(1, &texture);
    }
    f.memory.fail_at = 0;
    fake.gpu_requests = 0;
    fake.gpu_fail_at = 1;
    expect_no_picture(&f, "the GPU has no memory left");
    fake.gpu_fail_at = 0;
    save(lib->picture_file, "no picture", 10);
    expect_no_picture(&f, lib->picture_file);
    save(lib->picture_file, "PIC\1\1", 5);
    expect_no_picture(&f, "");
    forget(lib->picture_file);
    CHECK(fake_gl_difference(&then) == NULL);
    CHECK_EQ(fake_gl_live(FAKE_KINDS), own);
    CHECK(pictures_decoded >= 2);
    CHECK_EQ(pictures_decoded, pictures_freed);
    end_context(&f, callers);
    fixture_free(&f);
    lib->free_model(&from_below);
}

/* A PCX file that the model lists comes before the picture beside the model, if it can be read. */
void md2_test_pcx(void)
{
    m2_bytes pcx = m2_pcx(61, 40, 64, M2_PCX_RUNS);
    uint32_t width, height;
    uint8_t *pixels = md2_load_pcx_memory(pcx.data, pcx.size, &width, &height, NULL, NULL);
    fixture f;
    fixture_load(&f, &libraries[0], SMALL, 1);
    begin_context(&f, false);
    create_or_abort(&f);
    save("gl_mock_model.tga", picture, sizeof picture);
    save("cube.pcx", pcx.data, pcx.size);
    if (CHECK(pixels != NULL)) expect_texels(load_picture(&f, &f.from), 61, 40, pixels);
    fake.gpu_requests = 0;
    fake.gpu_fail_at = 1;
    expect_no_picture(&f, "the GPU has no memory left");
    fake.gpu_requests = fake.gpu_fail_at = 0;
    save("cube.pcx", "no picture", 10);
    expect_texels(load_picture(&f, &f.from), 2, 3, picture + 5);
    forget("cube.pcx");
    forget("gl_mock_model.tga");
    md2_free_image(pixels, width, height, NULL);
    m2_free(&pcx);
    end_context(&f, 0);
    fixture_free(&f);
}
