/* mock_fixture.c: the functions of mock.h: both libraries, their models, and a renderer with a
   mesh. Public domain. */
#include "mock.h"
#include "md2.h"
#include "md5.h"

#define LIB(name)    md2_##name
#define MEMBER       md2
#define PLACE        offset
#define DATA_TEXTURE(mesh) ((mesh).frame_texture)
#define UPLOAD(gl, from, to, error) md2_gl_upload(gl, (from) ? (from)->md2 : NULL, to, error)
#define LOAD_TEXTURE md2_gl_load_skin
#define CREATE_TEXTURE md2_gl_create_texture
#define PROGRAM(gl) md2_gl_program(gl, 0)
#define GIVE_FIRST_POSE(who) ((who)->md2[0].pose = md2_pose_between(0, 0, 0))
#include "mock_adapter.h"

#define LIB(name)    md5_##name
#define MEMBER       md5
#define PLACE        line
#define DATA_TEXTURE(mesh) ((mesh).weight_texture)
#define UPLOAD(gl, from, to, error) \
    md5_gl_upload(gl, (from) ? (from)->md5 : NULL, (from) ? (from)->md5_mesh : 0, to, error)
#define LOAD_TEXTURE md5_gl_load_texture
#define CREATE_TEXTURE md5_gl_create_texture
#define PROGRAM(gl) md5_gl_program(gl)
#define GIVE_FIRST_POSE(who) ((who)->md5[0].palette = unit_palette)
static const float unit_palette[6 * 12] = { /* of six joints */
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0
};
#include "mock_adapter.h"

const char *folder;

/* -- Models and crowds ----------------------------------------------------- */

/* A 40 x 40 grid, its triangles shuffled. */
static m2_bytes md2_grid(void)
{
    enum { SIDE = 40, SQUARES = (SIDE - 1) * (SIDE - 1), TRIS = 2 * SQUARES };
    m2_bytes bytes;
    m2_file f;
    uint32_t i;
    m2_begin(&f, 0, SIDE * SIDE, SIDE * SIDE, TRIS, 0, 2);
    m2_frame(&f, 0, "a1", 0.5f, -3.0f);
    m2_frame(&f, 1, "a2", 0.25f, 3.0f);
    for (i = 0; i < SIDE * SIDE; ++i) {
        m2_set_point(&f, 0, i, (int)(i % SIDE) * 5, (int)(i / SIDE) * 5, 7, (int)(i % 162));
        m2_set_point(&f, 1, i, (int)(i / SIDE) * 5, (int)(i % SIDE) * 5, 9, (int)(i % 161));
        f.st[i * 2] = (int16_t)(i % SIDE);
        f.st[i * 2 + 1] = (int16_t)(i / SIDE);
    }
    for (i = 0; i < TRIS; ++i) {
        uint32_t shuffled = i * 1013 % TRIS, square = shuffled / 2, k; /* 1013 is prime */
        uint32_t at = square / (SIDE - 1) * SIDE + square % (SIDE - 1);
        uint32_t corner[2][3] = { { 0, 1, SIDE }, { 1, SIDE + 1, SIDE } };
        for (k = 0; k < 3; ++k)
            f.tris[i * 6 + k] = f.tris[i * 6 + 3 + k] = (uint16_t)(at + corner[shuffled % 2][k]);
    }
    bytes = m2_write(&f);
    m2_end(&f);
    return bytes;
}

model md2_from_bytes(m2_bytes *bytes, uint32_t flags)
{
    md2_options options;
    md2_error error;
    model one;
    memset(&one, 0, sizeof one);
    memset(&options, 0, sizeof options);
    options.flags = flags;
    one.md2 = md2_load_memory(bytes->data, bytes->size, &options, &error);
    if (!one.md2) {
        printf("a model of the tests does not load: %s\n", error.message);
        abort();
    }
    one.index_count = one.md2->index_count;
    one.vertex_count = one.md2->vertex_count;
    one.indices = one.md2->indices;
    m2_free(bytes);
    return one;
}

static model md2_try_load(int which, uint32_t flags)
{
    m2_bytes bytes = which == SMALL ? m2_named("cube") : which == PLAYER ? m2_named("player")
                   : which == GRID ? md2_grid() : m2_random(5, 50, 60000, 1);
    return md2_from_bytes(&bytes, flags);
}

static crowd md2_people(const model *one, size_t count)
{
    crowd who;
    size_t i;
    memset(&who, 0, sizeof who);
    who.md2 = (md2_gl_instance *)malloc_or_abort((count + 1) * sizeof *who.md2);
    memset(who.md2, 0, (count + 1) * sizeof *who.md2);
    for (i = 0; i < count; ++i) {
        md2_gl_instance *instance = &who.md2[i];
        uint32_t frame = (uint32_t)(i % one->md2->frame_count);
        instance->pose = md2_pose_between(frame, (frame + 1) % one->md2->frame_count, 0.25f);
        instance->transform[0] = instance->transform[5] = instance->transform[10] =
            instance->transform[15] = 1;
        instance->transform[12] = (float)i;
        instance->tint[i % 3] = instance->tint[3] = 1;
    }
    return who;
}

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

model md5_from_text(m5_text *text, uint32_t flags, uint32_t number)
{
    md5_options options;
    md5_error error;
    model one;
    memset(&one, 0, sizeof one);
    memset(&options, 0, sizeof options);
    options.flags = flags;
    one.md5 = md5_load_model_memory(text->bytes, text->size, &options, &error);
    if (!one.md5 || number >= one.md5->mesh_count) {
        printf("a model of the tests does not load: %s\n", error.message);
        abort();
    }
    one.md5_mesh = number;
    one.index_count = one.md5->meshes[number].index_count;
    one.vertex_count = one.md5->meshes[number].vertex_count;
    one.indices = one.md5->meshes[number].indices;
    m5_free(text);
    return one;
}

static model md5_try_load(int which, uint32_t flags)
{
    m5_text text;
    memset(&text, 0, sizeof text);
    if (which == GRID) md5_grid(&text, 40, 9);
    else if (which == TRIANGLES) md5_many_triangles(&text);
    else m5_arm_mesh(&text, 0);
    return md5_from_text(&text, flags, which == SMALL ? 1 : 0);
}

static crowd md5_people(const model *one, size_t count)
{
    size_t joints = one->md5->joint_count, i, k;
    crowd who;
    memset(&who, 0, sizeof who);
    who.md5 = (md5_gl_instance *)malloc_or_abort((count + 1) * sizeof *who.md5);
    who.palettes = (float *)malloc_or_abort(64 * joints * 12 * sizeof(float));
    memset(who.md5, 0, (count + 1) * sizeof *who.md5);
    for (i = 0; i < 64 * joints * 12; ++i) who.palettes[i] = (float)(i % 1009) * 0.125f;
    for (i = 0; i < count; ++i) {
        who.md5[i].palette = who.palettes + i % 64 * joints * 12;
        for (k = 0; k < 4; ++k) who.md5[i].transform[5 * k] = 1;
        who.md5[i].transform[12] = (float)i;
        who.md5[i].tint[i % 3] = who.md5[i].tint[3] = 1;
    }
    return who;
}

#define ADAPTER(lib) \
    lib##_use_program, lib##_last_error, lib##_try_create, \
        lib##_try_destroy, lib##_try_program, lib##_try_upload, \
        lib##_try_upload_to_null, lib##_try_free_mesh, lib##_try_texture, lib##_try_load_texture, \
        lib##_try_draw, lib##_draw_lit, lib##_draw_nothing, lib##_try_load, lib##_try_free_model, \
        lib##_people, lib##_free_people, lib##_first_transform, lib##_first_tint

/* The skin of the cube is models/cube/cube.pcx, the shader of the grid models/grid/grid. */
const library libraries[LIBRARIES] = {
    { "md2", 2, 10, 8, "md2_scene", md2_gl_vertex_source, MD2_FLIP_V, "gl_mock_model.md2", SMALL, "gl_mock_model.tga",
      "no picture for the skin models/cube/cube.pcx; first tried: ", "/cube.pcx", ADAPTER(md2) },
    { "md5", 3, 13, 10, "md5_scene", md5_gl_vertex_source, MD5_FLIP_V, "gl_mock_model.md5mesh", GRID, "grid_d.tga",
      "no picture for mesh 0, models/grid/grid; first tried: ", "/grid.tga", ADAPTER(md5) }
};

/* -- A renderer with a mesh ------------------------------------------------ */

void fixture_take(fixture *f, const library *lib, model from, size_t people)
{
    memset(f, 0, sizeof *f);
    f->lib = lib;
    f->from = from;
    f->who = lib->people(&from, people);
}

void fixture_load(fixture *f, const library *lib, int which, size_t people)
{
    fixture_take(f, lib, lib->load(which, 0), people);
}

void fixture_free(fixture *f)
{
    f->lib->free_people(&f->who);
    f->lib->free_model(&f->from);
}

void begin_context(fixture *f, bool es)
{
    fake_gl_reset();
    fake.es = es;
    fake_gl_start_count();
    memset(&f->memory, 0, sizeof f->memory);
    memset(&f->options, 0, sizeof f->options);
    memset(&f->one, 0, sizeof f->one);
    f->options.memory = &f->memory;
}

void create_or_abort(fixture *f)
{
    f->gl = f->lib->create(fake_gl_get_proc, &f->options, &f->said);
    if (!CHECK(f->gl != NULL)) {
        printf("    %s: %s; %s\n", f->said.code, f->said.message, fake.first_mistake);
        printf("%lu passed, %lu failed\n", check_state.passed, check_state.failed);
        exit(EXIT_FAILURE);
    }
    CHECK_TEXT(f->said.code, "OK");
}

bool upload(fixture *f) { return f->lib->upload(f->gl, &f->from, &f->one, &f->said); }

void create_and_upload(fixture *f)
{
    create_or_abort(f);
    CHECK(upload(f));
}

bool draw(fixture *f, size_t count) { return f->lib->draw(f->gl, &f->one, 0, &f->who, count); }

void expect_no_mistakes(void)
{
    if (!CHECK(fake.mistakes == 0))
        printf("    %lu mistakes, the first: %s\n", fake.mistakes, fake.first_mistake);
}

void expect_empty(const mesh *one)
{
    CHECK(!one->vao && !one->vertex_buffer && !one->index_buffer && !one->data_texture);
}

void end_context(fixture *f, unsigned kept)
{
    f->lib->free_mesh(f->gl, &f->one);
    f->lib->destroy(f->gl);
    f->gl = NULL;
    if (f->options.leave_state) fake_glUseProgram(0);
    expect_no_mistakes();
    CHECK_EQ(fake_gl_live(FAKE_KINDS), kept);
    if (!CHECK(counting_is_clean(&f->memory))) {
        printf("    %lu bytes in %lu blocks are left, %lu wrong releases\n",
               (unsigned long)f->memory.live_bytes, (unsigned long)f->memory.live_blocks,
               (unsigned long)f->memory.mistakes);
    }
}

const fake_object *streamed(const mesh *one)
{
    const fake_object *array = &fake.object[one->vao];
    int i;
    for (i = 0; i < FAKE_ATTRIBUTES; ++i) {
        if (array->attribute[i].enabled && array->attribute[i].divisor)
            return &fake.object[array->attribute[i].buffer];
    }
    return NULL;
}
