/* test_gl_mock for md5.h. Public domain. */

/* A game may have one header that enables the renderer, and one source file that also enables pictures. */
#define MD5_GL
#include "md5.h"
#include "mock.h"

static uint32_t (*const md5_load_image)(md5_gl *, const md5_model *, const char *, uint32_t,
                                        md5_error *) = md5_gl_load_texture;

#define NAME              "md5"
#define UNITS             3u
#define SCENE             "md5_scene"
#define SKIN              "diffuse"
#define CALLS             13
#define QUERIES           10
#define BLOCKS            0
#define SHOWN(f)          (&(f)->from->meshes[(f)->number])
#define DATA_TEXTURE(mesh) ((mesh).weight_texture)
#define UPLOAD            md5_gl_upload
#define LOAD_TEXTURE      md5_load_image
#define LOAD_PIXELS       md5_load_texture
#define FREE_PIXELS       md5_free_image
#define PROGRAM           md5_gl_program
#define ANY_PROGRAM       md5_gl_program
#define GIVE_FIRST_POSE(first) ((first)->palette = unit_palette)
#define CHECK_SCENE(f, sent) ((void)(sent))
#define MODEL_FILE        "gl_mock_model.md5mesh"
#define PICTURED          GRID        /* its shader is models/grid/grid */
#define PICTURE_FILE      "grid_d.tga"
#define MISSING_PICTURE   "no picture for mesh 0, models/grid/grid; first tried: "
#define FIRST_TRIED       "/grid.tga"
static float unit_palette[6 * 12];    /* six joints */
#define GREAT_CROWD       300000      /* instances of 68 bytes, and palettes */
#include "tests/both/names_md5.h"
#include "mock_fixture.h"
#include "mock_renderer.h"
#include "mock_drawing.h"

/* Writes a grid of `side` by `side` vertices with one to five weights each, its triangles in random order. */
static void put_grid(m5_text *text, int side, int joints)
{
    int i, squares = (side - 1) * (side - 1), weights = 0;
    m5_put(text, "MD5Version 10 numJoints %d numMeshes 1 joints {\n", joints);
    for (i = 0; i < joints; ++i)
        m5_put(text, "\"joint %d\" %d ( %d %d 0.5 ) ( 0.1 -0.2 0.3 )\n", i, i - 1, i, i * i % 7);
    m5_put(text, "}\nmesh { shader \"models/grid/grid\" numverts %d\n", side * side);
    for (i = 0; i < side * side; ++i) {
        m5_put(text, "vert %d ( %d.5 0.25 ) %d %d\n", i, i % side, weights, 1 + i % 5);
        weights += 1 + i % 5;
    }
    m5_put(text, "numtris %d\n", squares * 2);
    for (i = 0; i < squares * 2; ++i) {
        int shuffled = (int)((long)i * 1013 % (squares * 2)); /* 1013 is prime */
        int square = shuffled / 2, at = square / (side - 1) * side + square % (side - 1);
        m5_put(text, "tri %d %d %d %d\n", i, shuffled % 2 ? at + 1 : at,
               shuffled % 2 ? at + side + 1 : at + 1, at + side);
    }
    m5_put(text, "numweights %d\n", weights);
    for (i = 0, weights = 0; i < side * side; ++i) {
        for (int k = 0; k < 1 + i % 5; ++k, ++weights) {
            m5_put(text, "weight %d %d %.6f ( %d %d 0.125 )\n", weights, (i + k) % joints,
                   1.0 / (1 + i % 5), i % side, i / side);
        }
    }
    m5_put_text(text, "}\n");
}

static md5_model *load(int which, uint32_t flags, uint32_t *number)
{
    m5_text text = { NULL, 0, 0 };
    random_source random = { 1 };
    *number = which == SMALL ? 1 : 0;
    if (which == TRIANGLES) return md5_random_model(&random, 1, 4, 60000, 1, flags);
    if (which == GRID) put_grid(&text, 40, 9);
    else m5_arm_mesh(&text, 0);
    return md5_from_text(&text, flags);
}

static void pose_people(fixture *f, size_t count)
{
    size_t floats = f->from->joint_count * (size_t)12;
    f->palettes = (float *)malloc_or_abort(64 * floats * sizeof(float));
    for (size_t i = 0; i < 6 * 12; ++i) unit_palette[i] = i % 12 % 5 ? 0.0f : 1.0f;
    for (size_t i = 0; i < 64 * floats; ++i) f->palettes[i] = (float)(i % 1009) * 0.125f;
    for (size_t i = 0; i < count; ++i) f->people[i].palette = f->palettes + i % 64 * floats;
}

/* A mesh with too many joints for a palette texture cannot be drawn. */
static void test_too_many_joints(fixture *f)
{
    enum { MOST = 1024 * 1024 / 3 };
    for (int joints = MOST; joints <= MOST + 1; ++joints) {
        m5_text text = { NULL, 0, 0 };
        check_scene("%d joints", joints);
        m5_put(&text, "MD5Version 10 numJoints %d numMeshes 1 joints {\n", joints);
        for (int i = 0; i < joints; ++i) m5_put_text(&text, "j -1 ( 0 0 0 ) ( 0 0 0 )\n");
        m5_put_text(&text, "} mesh { numverts 1 vert 0 ( 0 0 ) 0 1 numtris 1 tri 0 0 0 0 "
                           "numweights 1 weight 0 0 1 ( 0 0 0 ) }");
        md5_free_model(f->from);
        f->from = md5_from_text(&text, 0);
        f->people[0].palette = NULL;
        begin_context(f, false);
        fake.max_texture_size = 1024;
        create_or_abort(f);
        fake_gl_start_count();
        CHECK_EQ(upload(f), joints == MOST);
        CHECK_EQ(fake_gl_calls("glBufferData") > 0, joints == MOST); /* a refused mesh sends nothing */
        CHECK_TEXT(f->error.message, joints == MOST ? ""
                   : "the joints take 1048578 texels, more than a texture of 1024 rows holds");
        draw(f, 1);
        CHECK_EQ(fake.draws, joints == MOST);
        end_context(f, 0);
    }
}

/* The largest number of weights fills the rows of a texture to the last texel; each weight has two texels. */
static void test_too_many_weights(fixture *f)
{
    enum { MOST = 8 * 1024 / 2 };
    for (int weights = MOST; weights <= MOST + 1; ++weights) {
        m5_text text = { NULL, 0, 0 };
        check_scene("%d weights", weights);
        m5_put(&text, "MD5Version 10 numJoints 1 numMeshes 1 joints { j -1 ( 0 0 0 ) ( 0 0 0 ) } "
                      "mesh { numverts 1 vert 0 ( 0 0 ) 0 1 numtris 1 tri 0 0 0 0 numweights %d ",
               weights);
        for (int i = 0; i < weights; ++i) m5_put(&text, "weight %d 0 1 ( 0 0 0 ) ", i);
        m5_put_text(&text, "}");
        md5_free_model(f->from);
        f->from = md5_from_text(&text, 0);
        f->people[0].palette = NULL;
        begin_context(f, false);
        fake.max_texture_size = 8;
        create_or_abort(f);
        fake_gl_start_count();
        CHECK_EQ(upload(f), weights == MOST);
        CHECK_EQ(fake_gl_calls("glBufferData") > 0, weights == MOST);
        CHECK_TEXT(f->error.message, weights == MOST ? ""
                   : "the weights take 8194 texels, more than a texture of 8 rows holds");
        end_context(f, 0);
    }
}

static void test_no_memory_for_weights(fixture *f)
{
    md5_gl_mesh mesh;
    f->memory.fail_at = f->memory.allocations + 1;
    fake_gl_start_count();
    CHECK(!UPLOAD(f->gl, f->from, 0, &mesh, &f->error));
    CHECK_EQ(f->error.code, MD5_ERROR_MEMORY);
    CHECK_EQ(fake_gl_calls("glBufferData"), 0);
    f->memory.fail_at = 0;
}

static void test_draw_meshes(fixture *f)
{
    md5_gl_mesh meshes[2];
    CHECK(UPLOAD(f->gl, f->from, 0, &meshes[0], &f->error));
    CHECK(UPLOAD(f->gl, f->from, 1, &meshes[1], &f->error));
    uint32_t textures[2] = { 0, md5_gl_create_texture(f->gl, texel, 1, 1) };
    CHECK(md5_gl_draw_meshes(f->gl, meshes, textures, 2, &unit_scene, f->people, 3));
    CHECK_EQ(fake.draws, 2);
    CHECK_EQ(fake.last.instances, 3);
    CHECK_EQ(fake.last.count, meshes[1].index_count);
    CHECK_EQ(fake.last.texture[2], textures[1]);

    check_step("without textures");
    CHECK(md5_gl_draw_meshes(f->gl, meshes, NULL, 2, &unit_scene, f->people, 3));
    CHECK(fake.last.texture[2] != textures[1]);
    check_step("a draw of zero meshes succeeds");
    CHECK(md5_gl_draw_meshes(f->gl, NULL, NULL, 0, &unit_scene, f->people, 1));
    CHECK_EQ(fake.draws, 4);
    fake_glDeleteTextures(1, &textures[1]);
    for (int i = 0; i < 2; ++i) md5_gl_free_mesh(f->gl, &meshes[i]);
}

/* The model has no mesh 1. */
static void test_missing_mesh(fixture *f)
{
    static const char *const message = "there is no mesh 1: the model has 1, counted from 0";
    md5_gl_mesh none;
    memset(&none, 0x5A, sizeof none);
    for (int i = 0; i < 2; ++i) {
        check_step(i ? "load_texture" : "upload");
        memset(&f->error, 0, sizeof f->error);
        CHECK(draw(f, 1));
        if (i == 0) CHECK(!md5_gl_upload(f->gl, f->from, 1, &none, &f->error));
        else CHECK_EQ(md5_gl_load_texture(f->gl, f->from, "x", 1, &f->error), 0);
        CHECK_EQ(f->error.code, MD5_ERROR_ARGUMENT);
        CHECK_TEXT(f->error.message, message);
        CHECK_TEXT(md5_gl_last_error(f->gl)->message, message);
    }
    expect_empty(&none);

    uint32_t width, height;
    check_step("without OpenGL");
    CHECK(!md5_load_texture(f->from, "x", 1, &width, &height, NULL, &f->error));
    CHECK_EQ(f->error.code, MD5_ERROR_ARGUMENT);
    CHECK_TEXT(f->error.message, message);

    check_step("a NULL list of meshes");
    CHECK(!md5_gl_draw_meshes(f->gl, NULL, NULL, 3, &unit_scene, f->people, 1));
    CHECK_TEXT(md5_gl_last_error(f->gl)->message, "no meshes are given");
    CHECK(md5_gl_draw_meshes(f->gl, NULL, NULL, 0, &unit_scene, f->people, 1));
    CHECK_EQ(md5_gl_last_error(f->gl)->code, MD5_OK);
}

/* Checks that the shader gets the length of the rows, and that the last instance's matrices are at their
   position. */
static void expect_places(const fixture *f, const md5_gl_mesh *one, uint32_t joints)
{
    const fake_object *buffer = streamed(one->vao), *texture, *palettes = NULL;
    uint32_t matrix, last = (uint32_t)fake.last.instances - 1;
    int found = 0;
    for (int i = 0; i < 3; ++i) {
        texture = &fake.object[fake.last.texture[i]];
        if (texture->storage != FAKE_RGBA32F || fake.last.texture[i] == DATA_TEXTURE(*one))
            continue;
        CHECK_EQ(texture->width, 1024);
        palettes = texture;
        ++found;
    }
    CHECK_EQ(found, 1);
    memcpy(&matrix, buffer->data + buffer->size - sizeof matrix, sizeof matrix);
    CHECK_EQ(matrix, last * joints * 3);
    bool the_last_palette_lies_there =
        memcmp(palettes->data + (size_t)matrix * 16, f->people[last].palette, joints * 48) == 0;
    CHECK(the_last_palette_lies_there);
}

/* Draws, and returns how often the palette texture was uploaded. */
static unsigned long uploads(fixture *f, const md5_gl_mesh *mesh, size_t count)
{
    fake_gl_start_count();
    draw_mesh(f, mesh, 0, count);
    return fake_gl_calls("glTexImage2D") + fake_gl_calls("glTexSubImage2D");
}

static void test_palettes(fixture *f)
{
    md5_gl_mesh box;
    CHECK(UPLOAD(f->gl, f->from, 0, &box, &f->error));
    CHECK(uploads(f, &f->one, 4) >= 1);
    CHECK_EQ(uploads(f, &box, 4), 0);
    check_step("the last number of the last palette has changed");
    f->palettes[3 * 72 + 71] += 1;
    CHECK(uploads(f, &box, 4) >= 1);
    expect_places(f, &box, 6);
    md5_gl_free_mesh(f->gl, &box);
}

/* Draws several meshes and crowds in a row, and checks when palettes are uploaded again. */
static void test_palettes_again(fixture *f)
{
    fixture other;
    md5_gl_mesh box, *sleeve = &f->one;
    const float *keep = f->people[5].palette;
    fixture_load(&other, GRID, 40);   /* 40 of 9 joints are as many matrices as 60 of 6 */
    f->options.leave_state = true;
    create_and_upload(f);
    other.gl = f->gl;
    CHECK(UPLOAD(f->gl, f->from, 1, &box, &f->error) && upload(&other));
    CHECK(uploads(f, sleeve, 60) >= 1);
    check_step("one number has changed, at the same address");
    f->palettes[3 * 12 + 5] += 1;
    CHECK(uploads(f, sleeve, 60) >= 1);
    unsigned long fresh = fake.calls;

    check_step("another mesh, the same palettes");
    CHECK_EQ(uploads(f, &box, 60), 0);
    CHECK_EQ(fake_gl_calls("glBufferData"), 1); /* transforms and tints are always uploaded */
    printf("    leave_state: %lu GL calls with new palettes, %lu with the palettes of the previous mesh\n",
           fresh, fake.calls);
    CHECK(fresh <= CALLS);
    CHECK(fake.calls < fresh);

    check_step("the bind pose instead of one pose, for one draw, and back");
    f->people[5].palette = NULL;
    CHECK_EQ(uploads(f, &box, 60), 1);
    CHECK_EQ(uploads(f, sleeve, 60), 0);
    f->people[5].palette = keep;
    CHECK_EQ(uploads(f, &box, 60), 1);

    check_step("another model with as many matrices");
    CHECK(uploads(&other, &other.one, 40) >= 1);
    draw(f, 59);
    check_step("one more instance");
    CHECK(uploads(f, sleeve, 60) >= 1);
    expect_places(f, sleeve, 6);
    check_step("the same matrices, in a shorter row");
    draw(f, 1);
    expect_places(f, sleeve, 6);
    check_step("and in a longer row");
    draw(f, 60);
    expect_places(f, sleeve, 6);
    md5_gl_free_mesh(f->gl, &box);
    md5_gl_free_mesh(f->gl, &other.one);
    end_context(f, 0);
    fixture_free(&other);
}

/* A crowd shrinks to one instance, which changes, and grows again with the old palettes. The copy for comparing
   still has the old palettes in memory, but the GPU does not. */
static void test_palettes_of_a_crowd_again(fixture *f)
{
    memset(f->palettes + 72, 0, 59 * 72 * sizeof *f->palettes);
    CHECK(uploads(f, &f->one, 60) >= 1);
    f->palettes[0] += 1;
    CHECK(uploads(f, &f->one, 1) >= 1);
    CHECK(uploads(f, &f->one, 60) >= 1);
    expect_places(f, &f->one, 6);
}

/* 59 instances of 6 joints have fewer matrices than 40 of 9 joints, but need more bytes in all. */
static void test_errors_of_a_crowd(fixture *f)
{
    fixture other;
    fixture_load(&other, GRID, 40);
    other.gl = f->gl;
    CHECK(upload(&other));
    CHECK(draw(&other, 40));
    check_step("no more bytes than before");
    fake.error = FAKE_INVALID_OPERATION;
    CHECK(draw(f, 40));
    CHECK_EQ(fake.error, FAKE_INVALID_OPERATION);
    check_step("more bytes than before");
    CHECK(draw(f, 59));
    CHECK_EQ(fake.error, 0);
    md5_gl_free_mesh(f->gl, &other.one);
    fixture_free(&other);
}

enum { MOST_PALETTES = 1024 * 1024 / 27 }; /* palettes of 9 joints */

static void test_most_palettes(fixture *f)
{
    fake.max_texture_size = 1024;
    create_and_upload(f);
    CHECK(draw(f, MOST_PALETTES));
    expect_places(f, &f->one, 9);
    fake_gl_start_count();
    CHECK(!draw(f, MOST_PALETTES + 1));
    CHECK_EQ(fake.calls, 0);
    CHECK_TEXT(md5_gl_last_error(f->gl)->message,
               "the joints of all instances take 1048599 texels, more than a texture of 1024 rows "
               "holds");
    CHECK_EQ(md5_gl_last_error(f->gl)->code, MD5_ERROR_LIMIT);
    end_context(f, 0);
}

static const gl_test md5_only_tests[] = {
    GL_TEST(draw_meshes, "a model of two meshes is drawn with two textures", PLAYER, 3, true),
    GL_TEST(palettes, "meshes in a row with the same palettes upload them once", PLAYER, 4, true)
};

static const gl_test md5_only_edges[] = {
    GL_TEST(missing_mesh, "a mesh that the model lacks is refused", GRID, 1, true),
    GL_TEST(palettes_again, "palettes are uploaded again as soon as one number changes",
            PLAYER, 60, false),
    GL_TEST(palettes_of_a_crowd_again, "a crowd that was away for a draw uploads its palettes again",
            PLAYER, 60, true),
    GL_TEST(errors_of_a_crowd, "the size of a draw includes its instances",
            PLAYER, 59, true),
    GL_TEST(most_palettes, "a crowd whose palettes do not fit in a texture is refused",
            GRID, MOST_PALETTES + 1, false),
    GL_TEST(no_memory_for_weights, "a mesh without enough memory for its weights sends nothing",
            PLAYER, 1, true),
    GL_TEST(too_many_weights, "the weights of a mesh fit in one texture, or the mesh is refused", PLAYER, 1, false),
    GL_TEST(too_many_joints, "a mesh whose joints do not fit in a texture is refused", PLAYER, 1, false)
};

void md5_test_library(void)
{
    check_chapter(NAME);
    RUN_ALL(shared_tests);
    RUN_ALL(md5_only_tests);
    RUN_ALL(edges);
    RUN_ALL(md5_only_edges);
}
