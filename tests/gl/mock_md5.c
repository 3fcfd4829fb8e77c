/* test_gl_mock for md5.h. Public domain. */
#include "mock.h"

#define LIB(name)         md5_##name
#define OPTION(name)      MD5_##name
#define NAME              "md5"
#define UNITS             3u
#define SCENE             "md5_scene"
#define CALLS             13
#define ASKED             10
#define SHOWN(f)          (&(f).from->meshes[(f).number])
#define DATA_TEXTURE(mesh) ((mesh).weight_texture)
#define UPLOAD            md5_gl_upload
#define LOAD_TEXTURE      md5_gl_load_texture
#define PROGRAM           md5_gl_program
#define GIVE_FIRST_POSE(first) ((first)->palette = unit_palette)
#define CHECK_SCENE(f, sent) CHECK(sent != NULL)
#define MODEL_FILE        "gl_mock_model.md5mesh"
#define PICTURED          GRID        /* its shader is models/grid/grid */
#define PICTURE_FILE      "grid_d.tga"
#define MISSING_PICTURE   "no picture for mesh 0, models/grid/grid; first tried: "
#define FIRST_TRIED       "/grid.tga"
static const float unit_palette[6 * 12] = { /* of six joints */
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0
};
#include "mock_fixture.h"
#include "mock_life.h"
#include "mock_scenes.h"

/* A grid of `side` by `side` vertices with one to five weights each, its triangles in random
   order. */
static void md5_grid(m5_text *text, int side, int joints)
{
    int i, k, squares = (side - 1) * (side - 1), weights = 0;
    m5_put(text, "MD5Version 10\ncommandline \"\"\n\nnumJoints %d\nnumMeshes 1\n\njoints {\n",
           joints);
    for (i = 0; i < joints; ++i)
        m5_put(text, "\t\"joint %d\" %d ( %d %d 0.5 ) ( 0.1 -0.2 0.3 )\n", i, i - 1, i, i * i % 7);
    m5_put(text, "}\n\nmesh {\n\tshader \"models/grid/grid\"\n\n\tnumverts %d\n", side * side);
    for (i = 0; i < side * side; ++i) {
        m5_put(text, "\tvert %d ( %d.5 0.25 ) %d %d\n", i, i % side, weights, 1 + i % 5);
        weights += 1 + i % 5;
    }
    m5_put(text, "\n\tnumtris %d\n", squares * 2);
    for (i = 0; i < squares * 2; ++i) {
        int shuffled = (int)((long)i * 1013 % (squares * 2)); /* 1013 is prime */
        int square = shuffled / 2, at = square / (side - 1) * side + square % (side - 1);
        if (shuffled % 2) m5_put(text, "\ttri %d %d %d %d\n", i, at + 1, at + side + 1, at + side);
        else m5_put(text, "\ttri %d %d %d %d\n", i, at, at + 1, at + side);
    }
    m5_put(text, "\n\tnumweights %d\n", weights);
    for (i = 0, weights = 0; i < side * side; ++i) {
        for (k = 0; k < 1 + i % 5; ++k, ++weights) {
            m5_put(text, "\tweight %d %d %.6f ( %d %d 0.125 )\n", weights, (i + k) % joints,
                   1.0 / (1 + i % 5), i % side, i / side);
        }
    }
    m5_put(text, "}\n");
}

static void md5_many_triangles(m5_text *text)
{
    int i;
    m5_put(text, "MD5Version 10\ncommandline \"\"\n\nnumJoints 1\nnumMeshes 1\n\njoints {\n\t\"a\" "
                 "-1 ( 0 0 0 ) ( 0 0 0 )\n"
                 "}\n\nmesh {\n\tshader \"\"\n\n\tnumverts 4\n");
    for (i = 0; i < 4; ++i) m5_put(text, "\tvert %d ( 0 0 ) %d 1\n", i, i);
    m5_put(text, "\n\tnumtris 60000\n");
    for (i = 0; i < 60000; ++i)
        m5_put(text, "\ttri %d %d %d %d\n", i, i % 4, (i + 1) % 4, (i + 2) % 4);
    m5_put(text, "\n\tnumweights 4\n");
    for (i = 0; i < 4; ++i) m5_put(text, "\tweight %d 0 1 ( %d %d 0 )\n", i, i % 2, i / 2);
    m5_put(text, "}\n");
}

static md5_model *md5_load(int which, uint32_t flags, uint32_t *number)
{
    m5_text text;
    memset(&text, 0, sizeof text);
    if (which == GRID) md5_grid(&text, 40, 9);
    else if (which == TRIANGLES) md5_many_triangles(&text);
    else m5_arm_mesh(&text, 0);
    *number = which == SMALL ? 1 : 0;
    return md5_from_text(&text, flags);
}

static md5_crowd md5_people(const md5_model *from, size_t count)
{
    size_t joints = from->joint_count, i, k;
    md5_crowd who;
    memset(&who, 0, sizeof who);
    who.instances = (md5_gl_instance *)malloc_or_abort((count + 1) * sizeof *who.instances);
    who.palettes = (float *)malloc_or_abort(64 * joints * 12 * sizeof(float));
    memset(who.instances, 0, (count + 1) * sizeof *who.instances);
    for (i = 0; i < 64 * joints * 12; ++i) who.palettes[i] = (float)(i % 1009) * 0.125f;
    for (i = 0; i < count; ++i) {
        who.instances[i].palette = who.palettes + i % 64 * joints * 12;
        for (k = 0; k < 4; ++k) who.instances[i].transform[5 * k] = 1;
        who.instances[i].transform[12] = (float)i;
        who.instances[i].tint[i % 3] = who.instances[i].tint[3] = 1;
    }
    return who;
}

/* More joints than the largest texture has room for: a mesh that no draw could show. */
static void md5_test_too_many_joints(void)
{
    enum { MOST = 1024 * 1024 / 3 };
    int joints, i;
    for (joints = MOST; joints <= MOST + 1; ++joints) {
        md5_fixture f;
        m5_text text;
        memset(&text, 0, sizeof text);
        m5_put(&text, "MD5Version 10 numJoints %d numMeshes 1 joints {\n", joints);
        for (i = 0; i < joints; ++i) m5_put_text(&text, "j -1 ( 0 0 0 ) ( 0 0 0 )\n");
        m5_put_text(&text, "} mesh { numverts 1 vert 0 ( 0 0 ) 0 1 numtris 1 tri 0 0 0 0 "
                           "numweights 1 weight 0 0 1 ( 0 0 0 ) }");
        memset(&f, 0, sizeof f);
        f.from = md5_from_text(&text, 0);
        f.who.instances = (md5_gl_instance *)malloc_or_abort(sizeof *f.who.instances);
        memset(f.who.instances, 0, sizeof *f.who.instances);
        md5_begin_context(&f, false);
        fake.max_texture_size = 1024;
        md5_create_or_abort(&f);
        CHECK_EQ(md5_upload(&f), joints == MOST);
        CHECK_TEXT(f.said.message, joints == MOST ? ""
                   : "the joints take 1048578 texels, more than a texture of 1024 rows holds");
        md5_draw(&f, 1);
        CHECK_EQ(fake.draws, joints == MOST);
        md5_end_context(&f, 0);
        md5_fixture_free(&f);
    }
}

/* There is no mesh 2, and the model has no texture for it. */
static void md5_test_missing_mesh(void)
{
    md5_fixture f;
    md5_fixture_load(&f, GRID, 1);
    md5_begin_context(&f, false);
    md5_create_or_abort(&f);
    f.number = 1;
    CHECK(!md5_upload(&f));
    CHECK_EQ(f.said.code, MD5_ERROR_ARGUMENT);
    CHECK_EQ(md5_gl_load_texture(f.gl, f.from, "x", 1, &f.said), 0);
    CHECK_EQ(f.said.code, MD5_ERROR_ARGUMENT);
    memset(&f.one, 0, sizeof f.one);
    md5_end_context(&f, 0);
    md5_fixture_free(&f);
}

static const fake_object *md5_drawn_palettes(const md5_gl_mesh *one)
{
    const fake_object *palettes = NULL;
    int                i;
    for (i = 0; i < 3; ++i) {
        const fake_object *texture = &fake.object[fake.last.texture[i]];
        if (texture->storage == FAKE_RGBA32F && fake.last.texture[i] != DATA_TEXTURE(*one)) {
            palettes = texture;
        }
    }
    return palettes;
}

/* Checks that the shader has the length of the rows, and the place of the last instance's
   matrices. */
static void md5_expect_places(const md5_gl_mesh *one, uint32_t joints)
{
    const fake_object *buffer = streamed(one->vao), *palettes = md5_drawn_palettes(one);
    uint32_t           texel;
    if (CHECK(palettes != NULL)) CHECK_EQ(palettes->width, 1024);
    memcpy(&texel, buffer->data + buffer->size - sizeof texel, sizeof texel);
    CHECK_EQ(texel, ((uint32_t)fake.last.instances - 1) * joints * 3);
}

static unsigned long texture_uploads(void)
{
    return fake_gl_calls("glTexImage2D") + fake_gl_calls("glTexSubImage2D");
}

/* Palettes go up once for several meshes in a row, and again as soon as one number in them is
   another. */
static void md5_test_palettes(void)
{
    md5_fixture f, other;
    md5_gl_mesh box, *sleeve = &f.one;
    unsigned long fresh, again;
    const float *keep;
    md5_fixture_load(&f, PLAYER, 60);
    md5_fixture_load(&other, GRID, 40); /* 40 of 9 joints are as many matrices as 60 of 6 */
    md5_begin_context(&f, false);
    f.options.leave_state = true;
    md5_create_and_upload(&f);
    other.gl = f.gl;
    CHECK(UPLOAD(f.gl, f.from, 1, &box, &f.said) && md5_upload(&other));
    fake_gl_start_count();
    md5_draw(&f, 60);
    CHECK(texture_uploads() >= 1);
    md5_draw(&f, 60);
    f.who.palettes[3 * 12 + 5] += 1;  /* changed where they lie */
    fake_gl_start_count();
    md5_draw(&f, 60);
    fresh = fake.calls;
    CHECK(texture_uploads() >= 1);
    fake_gl_start_count();
    md5_draw_mesh(&f, &box, 0, 60);
    again = fake.calls;
    CHECK_EQ(texture_uploads(), 0);
    CHECK_EQ(fake_gl_calls("glBufferData"), 1); /* transforms and tints are sent all the same */
    f.who.palettes[59 * 72 + 71] += 1; /* the last number */
    fake_gl_start_count();
    md5_draw_mesh(&f, &box, 0, 60);
    CHECK(texture_uploads() >= 1);
    keep = f.who.instances[5].palette;
    f.who.instances[5].palette = NULL; /* the bind pose in the place of another, once, and back */
    fake_gl_start_count();
    md5_draw_mesh(&f, &box, 0, 60);
    md5_draw_mesh(&f, sleeve, 0, 60);
    CHECK_EQ(texture_uploads(), 1);
    f.who.instances[5].palette = keep;
    md5_draw_mesh(&f, &box, 0, 60);
    CHECK_EQ(texture_uploads(), 2);
    fake_gl_start_count();
    md5_draw(&other, 40);
    md5_draw(&f, 59);
    md5_draw(&f, 60);
    CHECK(texture_uploads() >= 2);
    md5_expect_places(sleeve, 6);
    md5_draw(&f, 1);                      /* the same matrices, in a shorter row */
    md5_expect_places(sleeve, 6);
    md5_draw(&f, 60);
    md5_expect_places(sleeve, 6);
    printf("md5, leave_state: %lu GL calls with new palettes, %lu with those of the mesh before\n",
           fresh, again);
    CHECK(fresh <= CALLS && again < fresh);
    md5_gl_free_mesh(f.gl, &box);
    md5_gl_free_mesh(f.gl, &other.one);
    md5_end_context(&f, 0);
    md5_fixture_free(&f);
    md5_fixture_free(&other);
}

/* A crowd whose matrices no texture holds is refused, and no GL call made. */
static void md5_test_most_palettes(void)
{
    enum { MOST = 1024 * 1024 / 27 }; /* of 9 joints */
    md5_fixture f;
    md5_fixture_load(&f, GRID, MOST + 1);
    md5_begin_context(&f, false);
    fake.max_texture_size = 1024;
    md5_create_and_upload(&f);
    CHECK(md5_draw(&f, MOST));
    md5_expect_places(&f.one, 9);
    fake_gl_start_count();
    CHECK(!md5_draw(&f, MOST + 1));
    CHECK_EQ(fake.calls, 0);
    f.said = *md5_gl_last_error(f.gl);
    CHECK_TEXT(f.said.message, "the joints of all instances take 1048599 texels, more than a "
                               "texture of 1024 rows holds");
    md5_end_context(&f, 0);
    md5_fixture_free(&f);
}

void md5_test_library(void)
{
    md5_test_all();
    md5_test_palettes();
    md5_test_most_palettes();
    md5_test_too_many_joints();
    md5_test_missing_mesh();
}
