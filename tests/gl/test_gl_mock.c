/* test_gl_mock.c: the OpenGL part of both headers on a GL that draws nothing (fake_gl.h): what it
   asks for, what it leaves behind, what it says when something is missing, how many calls it takes.
   Needs only a C compiler. Public domain. */
#include "check.h"
#include "fake_gl.h"
#include "support.h"

/* A picture format of our own in the place of stb_image: "PIC" width height, then RGBA. */
static unsigned char *stbi_load_from_memory(const unsigned char *data, int size, int *width,
                                            int *height, int *channels, int wanted);
static void stbi_image_free(void *pixels);
static unsigned long pictures_decoded, pictures_freed;

#define MD2_IMPLEMENTATION
#define MD2_GL
#define MD2_STB_IMAGE
#include "md2.h"
#define MD5_IMPLEMENTATION
#define MD5_GL
#define MD5_STB_IMAGE
#include "md5.h"
#include "model_builder_md2.h"
#include "model_builder_md5.h"

static unsigned char *stbi_load_from_memory(const unsigned char *data, int size, int *width,
                                            int *height, int *channels, int wanted)
{
    unsigned char *pixels;
    size_t bytes;
    if (size < 5 || memcmp(data, "PIC", 3) != 0 || wanted != 4) return NULL;
    bytes = (size_t)data[3] * data[4] * 4;
    if ((size_t)size != 5 + bytes) return NULL;
    *width = data[3];
    *height = data[4];
    *channels = 3;
    pixels = (unsigned char *)malloc_or_abort(bytes);
    memcpy(pixels, data + 5, bytes);
    ++pictures_decoded;
    return pixels;
}

static void stbi_image_free(void *pixels)
{
    if (pixels) ++pictures_freed;
    free(pixels);
}

/* -- Both libraries, seen alike -------------------------------------------- */

typedef struct choice {               /* md2_gl_options */
    const char   *version_line, *fragment_source;
    uint32_t      unit;
    bool          leave_state;
    counting_allocator *memory;
    bool          half_an_allocator;
} choice;

typedef struct report {               /* md2_error */
    char code[32];                    /* "OK", "ERROR_GL" */
    char message[160];
} report;

typedef struct mesh {
    md2_gl_mesh md2;
    md5_gl_mesh md5;
    uint32_t    vao, vertex_buffer, index_buffer, data_texture, index_count;
} mesh;

typedef struct model {
    md2_model *md2;
    md5_model *md5;
    uint32_t   md5_mesh, index_count, vertex_count;
    const uint32_t *indices;
} model;

typedef struct crowd {
    size_t           count;
    md2_gl_instance *md2;
    md5_gl_instance *md5;
    float           *palettes;
} crowd;

typedef struct library {
    const char *name;
    unsigned    units;                /* of textures */
    unsigned    calls;                /* of GL for a frame, at most, with leave_state */
    void *(*create)(fake_gl_proc (*get_proc)(const char *), const choice *options, report *error);
    void      (*destroy)(void *gl);
    uint32_t  (*program)(const void *gl);
    bool      (*upload)(void *gl, const model *from, mesh *to, report *error);
    void      (*free_mesh)(void *gl, mesh *one);
    uint32_t  (*texture)(void *gl, const uint8_t *rgba, uint32_t width, uint32_t height);
    void      (*draw)(void *gl, const mesh *one, uint32_t texture, const crowd *who, size_t count);
    void (*draw_nothing)(void *gl,
                         const mesh *one); /* without scene, without instances, without mesh, ... */
    model (*load)(
        int which); /* a small one, a player, a grid in wild order, triangles and little else */
    void      (*free_model)(model *one);
    crowd     (*people)(const model *one, size_t count);
    void      (*free_people)(crowd *who);
} library;

enum { SMALL, PLAYER, GRID, MODELS, TRIANGLES = MODELS };

static void *choose_alloc(void *user, size_t size) { return counting_alloc(user, size); }

/* -- MD2 ------------------------------------------------------------------- */

static void md2_report(const md2_error *from, report *to)
{
    if (!to) return;
    CHECK_EQ(from->offset, 0); /* no file is to blame */
    snprintf(to->code, sizeof to->code, "%s", md2_result_name(from->code) + 4);
    snprintf(to->message, sizeof to->message, "%s", from->message);
}

static void *md2_try_create(fake_gl_proc (*get_proc)(const char *), const choice *from, report *to)
{
    md2_gl_options options;
    md2_error error;
    md2_gl *gl;
    memset(&options, 0, sizeof options);
    memset(&error, 0x5A, sizeof error);
    if (from) {
        options.version_line = from->version_line;
        options.fragment_source = from->fragment_source;
        options.texture_unit = from->unit;
        options.leave_state = from->leave_state;
        if (from->memory) {
            options.allocator.alloc = choose_alloc;
            options.allocator.release = from->half_an_allocator ? NULL : counting_release;
            options.allocator.user = from->memory;
        }
    }
    gl = md2_gl_create(get_proc, from ? &options : NULL, to ? &error : NULL);
    if (to) md2_report(&error, to);
    return gl;
}

static void md2_try_destroy(void *gl) { md2_gl_destroy((md2_gl *)gl); }
static uint32_t md2_try_program(const void *gl) { return md2_gl_program((const md2_gl *)gl); }

static bool md2_try_upload(void *gl, const model *from, mesh *to, report *said)
{
    md2_error error;
    bool ok;
    memset(&error, 0x5A, sizeof error);
    memset(to, 0x5A, sizeof *to);
    ok = md2_gl_upload((md2_gl *)gl, from ? from->md2 : NULL, &to->md2, said ? &error : NULL);
    if (said) md2_report(&error, said);
    to->vao = to->md2.vao;
    to->vertex_buffer = to->md2.vertex_buffer;
    to->index_buffer = to->md2.index_buffer;
    to->data_texture = to->md2.frame_texture;
    to->index_count = to->md2.index_count;
    return ok;
}

static void md2_try_free_mesh(void *gl, mesh *one)
{
    md2_gl_free_mesh((md2_gl *)gl, one ? &one->md2 : NULL);
}

static uint32_t md2_try_texture(void *gl, const uint8_t *rgba, uint32_t width, uint32_t height)
{
    return md2_gl_texture((md2_gl *)gl, rgba, width, height);
}

static const md2_gl_scene md2_scene = {
    0.5f, { 1, 2, 3 }, { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
};

static void md2_try_draw(void *gl, const mesh *one, uint32_t texture, const crowd *who,
                         size_t count)
{
    md2_gl_draw((md2_gl *)gl, &one->md2, texture, &md2_scene, who->md2, count);
}

static void md2_draw_nothing(void *gl, const mesh *one)
{
    md2_gl_mesh none;
    md2_gl_instance who;
    memset(&who, 0, sizeof who);
    memset(&none, 0, sizeof none);
    md2_gl_draw((md2_gl *)gl, &one->md2, 0, &md2_scene, &who, 0);
    md2_gl_draw((md2_gl *)gl, &one->md2, 0, &md2_scene, NULL, 1);
    md2_gl_draw((md2_gl *)gl, &one->md2, 0, NULL, &who, 1);
    md2_gl_draw((md2_gl *)gl, NULL, 0, &md2_scene, &who, 1);
    md2_gl_draw((md2_gl *)gl, &none, 0, &md2_scene, &who, 1);
    md2_gl_draw(NULL, &one->md2, 0, &md2_scene, &who, 1);
    md2_gl_draw((md2_gl *)gl, &one->md2, 0, &md2_scene, &who, (size_t)-1);
    md2_gl_draw((md2_gl *)gl, &one->md2, 0, &md2_scene, &who, (size_t)-1 / sizeof who + 2);
}

/* A 40 x 40 grid, its triangles shuffled. */
static m2_bytes md2_grid(void)
{
    enum { SIDE = 40, SQUARES = (SIDE - 1) * (SIDE - 1), TRIS = 2 * SQUARES };
    m2_bytes bytes;
    m2_file f;
    uint32_t i, seed = 7;
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
        uint32_t square = i / 2, at = square / (SIDE - 1) * SIDE + square % (SIDE - 1), k;
        uint32_t corner[2][3] = { { 0, 1, SIDE }, { 1, SIDE + 1, SIDE } };
        for (k = 0; k < 3; ++k)
            f.tris[i * 6 + k] = f.tris[i * 6 + 3 + k] = (uint16_t)(at + corner[i % 2][k]);
    }
    for (i = TRIS - 1; i > 0; --i) {
        uint32_t other = m2_dice(&seed, i + 1);
        uint16_t keep[6];
        memcpy(keep, f.tris + i * 6, sizeof keep);
        memcpy(f.tris + i * 6, f.tris + other * 6, sizeof keep);
        memcpy(f.tris + other * 6, keep, sizeof keep);
    }
    bytes = m2_write(&f);
    m2_end(&f);
    return bytes;
}

static model md2_from_bytes(m2_bytes *bytes, uint32_t flags)
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

static model md2_named(const char *name)
{
    m2_bytes bytes = m2_named(name);
    return md2_from_bytes(&bytes, 0);
}

static model md2_try_load(int which)
{
    m2_bytes bytes = which == SMALL ? m2_named("cube") : which == PLAYER ? m2_named("player")
                   : which == GRID ? md2_grid() : m2_random(5, 50, 60000, 1);
    return md2_from_bytes(&bytes, 0);
}

static void md2_try_free_model(model *one) { md2_free_model(one->md2); }

static crowd md2_people(const model *one, size_t count)
{
    crowd who;
    size_t i;
    memset(&who, 0, sizeof who);
    who.count = count;
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

static void md2_free_people(crowd *who) { free(who->md2); }

/* -- MD5 ------------------------------------------------------------------- */

static void md5_report(const md5_error *from, report *to)
{
    if (!to) return;
    CHECK_EQ(from->line, 0); /* no file is to blame */
    snprintf(to->code, sizeof to->code, "%s", md5_result_name(from->code) + 4);
    snprintf(to->message, sizeof to->message, "%s", from->message);
}

static void *md5_try_create(fake_gl_proc (*get_proc)(const char *), const choice *from, report *to)
{
    md5_gl_options options;
    md5_error error;
    md5_gl *gl;
    memset(&options, 0, sizeof options);
    memset(&error, 0x5A, sizeof error);
    if (from) {
        options.version_line = from->version_line;
        options.fragment_source = from->fragment_source;
        options.texture_unit = from->unit;
        options.leave_state = from->leave_state;
        if (from->memory) {
            options.allocator.alloc = choose_alloc;
            options.allocator.release = from->half_an_allocator ? NULL : counting_release;
            options.allocator.user = from->memory;
        }
    }
    gl = md5_gl_create(get_proc, from ? &options : NULL, to ? &error : NULL);
    if (to) md5_report(&error, to);
    return gl;
}

static void md5_try_destroy(void *gl) { md5_gl_destroy((md5_gl *)gl); }
static uint32_t md5_try_program(const void *gl) { return md5_gl_program((const md5_gl *)gl); }

static bool md5_try_upload(void *gl, const model *from, mesh *to, report *said)
{
    md5_error error;
    bool ok;
    memset(&error, 0x5A, sizeof error);
    memset(to, 0x5A, sizeof *to);
    ok = md5_gl_upload((md5_gl *)gl, from ? from->md5 : NULL, from ? from->md5_mesh : 0, &to->md5,
                       said ? &error : NULL);
    if (said) md5_report(&error, said);
    to->vao = to->md5.vao;
    to->vertex_buffer = to->md5.vertex_buffer;
    to->index_buffer = to->md5.index_buffer;
    to->data_texture = to->md5.weight_texture;
    to->index_count = to->md5.index_count;
    return ok;
}

static void md5_try_free_mesh(void *gl, mesh *one)
{
    md5_gl_free_mesh((md5_gl *)gl, one ? &one->md5 : NULL);
}

static uint32_t md5_try_texture(void *gl, const uint8_t *rgba, uint32_t width, uint32_t height)
{
    return md5_gl_texture((md5_gl *)gl, rgba, width, height);
}

static const md5_gl_scene md5_scene = {
    0.5f, { 1, 2, 3 }, { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }
};

static void md5_try_draw(void *gl, const mesh *one, uint32_t texture, const crowd *who,
                         size_t count)
{
    md5_gl_draw((md5_gl *)gl, &one->md5, texture, &md5_scene, who->md5, count);
}

static void md5_draw_nothing(void *gl, const mesh *one)
{
    md5_gl_mesh none;
    md5_gl_instance who;
    memset(&who, 0, sizeof who);
    memset(&none, 0, sizeof none);
    md5_gl_draw((md5_gl *)gl, &one->md5, 0, &md5_scene, &who, 0);
    md5_gl_draw((md5_gl *)gl, &one->md5, 0, &md5_scene, NULL, 1);
    md5_gl_draw((md5_gl *)gl, &one->md5, 0, NULL, &who, 1);
    md5_gl_draw((md5_gl *)gl, NULL, 0, &md5_scene, &who, 1);
    md5_gl_draw((md5_gl *)gl, &none, 0, &md5_scene, &who, 1);
    md5_gl_draw(NULL, &one->md5, 0, &md5_scene, &who, 1);
}

/* A grid of `side` by `side` vertices with one to five weights each, its triangles in wild order.
 */
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
        int wild = (int)((long)i * 1013 % (squares * 2)), square = wild / 2; /* 1013 is prime */
        int at = square / (side - 1) * side + square % (side - 1);
        if (wild % 2) m5_put(text, "\ttri %d %d %d %d\n", i, at + 1, at + side + 1, at + side);
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

static model md5_from_text(m5_text *text, uint32_t flags, uint32_t number)
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

static model md5_try_load(int which)
{
    m5_text text;
    memset(&text, 0, sizeof text);
    if (which == GRID) md5_grid(&text, 40, 9);
    else if (which == TRIANGLES) md5_many_triangles(&text);
    else m5_arm_mesh(&text, 0);
    return md5_from_text(&text, 0, which == SMALL ? 1 : 0);
}

static void md5_try_free_model(model *one) { md5_free_model(one->md5); }

static crowd md5_people(const model *one, size_t count)
{
    size_t joints = one->md5->joint_count, i, k;
    crowd who;
    memset(&who, 0, sizeof who);
    who.count = count;
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

static void md5_free_people(crowd *who)
{
    free(who->md5);
    free(who->palettes);
}

static const library libraries[] = {
    { "md2", 2, 12, md2_try_create, md2_try_destroy, md2_try_program, md2_try_upload,
      md2_try_free_mesh, md2_try_texture, md2_try_draw, md2_draw_nothing, md2_try_load,
      md2_try_free_model, md2_people, md2_free_people },
    { "md5", 3, 21, md5_try_create, md5_try_destroy, md5_try_program, md5_try_upload,
      md5_try_free_mesh, md5_try_texture, md5_try_draw, md5_draw_nothing, md5_try_load,
      md5_try_free_model, md5_people, md5_free_people }
};

enum { LIBRARIES = sizeof libraries / sizeof libraries[0] };

/* -- What every test begins and ends with ---------------------------------- */

static void expect_no_mistakes(void)
{
    if (!CHECK(fake.mistakes == 0))
        printf("    %lu mistakes, the first: %s\n", fake.mistakes, fake.first_mistake);
}

/* Nothing of the library's is left; `kept` objects of the test's own are. */
static void expect_all_gone(const counting_allocator *memory, unsigned kept)
{
    CHECK_EQ(fake_gl_live(FAKE_KINDS), kept);
    if (memory && !CHECK(counting_is_clean(memory))) {
        printf("    %lu bytes in %lu blocks are left, %lu wrong releases\n",
               (unsigned long)memory->live_bytes, (unsigned long)memory->live_blocks,
               (unsigned long)memory->mistakes);
    }
}

static void begin(bool es, counting_allocator *memory, choice *options)
{
    fake_gl_reset();
    fake.es = es;
    fake_gl_start_count();
    memset(memory, 0, sizeof *memory);
    memset(options, 0, sizeof *options);
    options->memory = memory;
}

static void *create_or_abort(const library *lib, const choice *options)
{
    report said;
    void *gl = lib->create(fake_gl_get_proc, options, &said);
    if (!CHECK(gl != NULL)) {
        printf("    %s: %s; %s\n", said.code, said.message, fake.first_mistake);
        printf("%lu passed, %lu failed\n", check_state.passed, check_state.failed);
        exit(EXIT_FAILURE);
    }
    CHECK_TEXT(said.code, "OK");
    return gl;
}

/* -- The tests ------------------------------------------------------------- */

static void test_life(const library *lib, bool es)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh one, two;
    const fake_object *white;
    int which;
    void *gl;
    begin(es, &memory, &options);
    gl = create_or_abort(lib, &options);
    CHECK(lib->program(gl) != 0 && fake.object[lib->program(gl)].kind == FAKE_PROGRAM);
    CHECK(fake.object[lib->program(gl)].built);
    for (which = 0; which < MODELS; ++which) {
        model from = lib->load(which);
        crowd who = lib->people(&from, 3);
        CHECK(lib->upload(gl, &from, &one, &said));
        CHECK_TEXT(said.code, "OK");
        CHECK(lib->upload(gl, &from, &two, NULL));
        CHECK(one.vao && one.vertex_buffer && one.index_buffer && one.data_texture);
        CHECK(one.vao != two.vao && one.vertex_buffer != two.vertex_buffer &&
              one.index_buffer != two.index_buffer);
        CHECK_EQ(one.index_count, from.index_count);
        lib->free_model(&from); /* no longer needed */
        lib->draw(gl, &one, 0, &who, 3);
        CHECK_EQ(fake.draws, 1);
        CHECK_EQ(fake.last.instances, 3);
        CHECK_EQ(fake.last.count, one.index_count);
        CHECK_EQ(fake.last.mode, FAKE_TRIANGLES);
        CHECK_EQ(fake.last.program, lib->program(gl));
        white = &fake.object[fake.last.texture[lib->units - 1]];
        CHECK(white->width == 1 && white->height == 1 && memcmp(white->data, "\xFF\xFF\xFF\xFF", 4) == 0);
        lib->draw(gl, &two, 0, &who, 1);
        CHECK_EQ(fake.draws, 2);
        fake_gl_start_count();
        lib->free_mesh(gl, &one);
        lib->free_mesh(gl, &two);
        lib->free_mesh(gl, &two); /* twice does no harm */
        lib->free_people(&who);
    }
    lib->destroy(gl);
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
}

static void test_nulls(const library *lib)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    model from = lib->load(SMALL);
    void *gl;
    begin(false, &memory, &options);
    lib->destroy(NULL);
    CHECK_EQ(lib->program(NULL), 0);
    CHECK_EQ(lib->texture(NULL, (const uint8_t *)"rgba", 1, 1), 0);
    CHECK(!lib->upload(NULL, &from, &one, &said));
    CHECK_TEXT(said.code, "ERROR_ARGUMENT");
    memset(&one, 0, sizeof one);
    lib->free_mesh(NULL, &one);
    CHECK(lib->create(NULL, NULL, &said) == NULL);
    CHECK_TEXT(said.code, "ERROR_ARGUMENT");
    CHECK(lib->create(NULL, NULL, NULL) == NULL);
    CHECK_EQ(fake.calls, 0);
    options.half_an_allocator = true;
    CHECK(lib->create(fake_gl_get_proc, &options, &said) == NULL);
    CHECK_TEXT(said.code, "ERROR_ARGUMENT");
    options.half_an_allocator = false;
    gl = create_or_abort(lib, &options);
    CHECK(!lib->upload(gl, NULL, &one, &said));
    CHECK_TEXT(said.code, "ERROR_ARGUMENT");
    CHECK_EQ(lib->texture(gl, NULL, 1, 1), 0);
    CHECK_EQ(lib->texture(gl, (const uint8_t *)"rgba", 0, 1), 0);
    CHECK_EQ(lib->texture(gl, (const uint8_t *)"rgba", 1, 0), 0);
    lib->free_mesh(gl, NULL);
    CHECK(lib->upload(gl, &from, &one, NULL));
    fake_gl_start_count();
    lib->draw_nothing(gl, &one);
    CHECK_EQ(fake.draws, 0);
    CHECK_EQ(fake.calls, 0);
    lib->free_mesh(gl, &one);
    lib->destroy(gl);
    lib->free_model(&from);
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
    gl = lib->create(fake_gl_get_proc, NULL, NULL); /* no options, no error */
    CHECK(gl != NULL);
    lib->destroy(gl);
    expect_all_gone(NULL, 0);
}

static fake_gl_proc no_function_at_all(const char *name)
{
    (void)name;
    return NULL;
}

static void test_missing_functions(const library *lib)
{
    counting_allocator memory;
    choice options;
    report said;
    char names[128][40];
    unsigned count, i;
    void *gl;
    begin(false, &memory, &options);
    gl = create_or_abort(lib, &options);
    count = (unsigned)fake.asked;
    memcpy(names, fake.asked_name, sizeof names);
    lib->destroy(gl);
    for (i = 0; i < count; ++i) {
        begin(i % 2 != 0, &memory, &options);
        fake.hidden = names[i];
        check_subject(names[i]);
        memset(&said, 0, sizeof said);
        CHECK(lib->create(fake_gl_get_proc, &options, &said) == NULL);
        CHECK_TEXT(said.code, "ERROR_GL");
        CHECK(strstr(said.message, names[i]) != NULL);
        expect_no_mistakes();
        expect_all_gone(&memory, 0);
        CHECK(lib->create(fake_gl_get_proc, &options, NULL) == NULL);
    }
    check_subject("");
    CHECK_FLOOR(count, 30, "functions that may be missing");
    CHECK(lib->create(no_function_at_all, &options, &said) == NULL);
    CHECK_TEXT(said.code, "ERROR_GL");
}

static void test_refused_shaders(const library *lib)
{
    static const unsigned refusals[3] = { FAKE_VERTEX_SHADER, FAKE_FRAGMENT_SHADER,
                                          FAKE_LINK_STATUS };
    static char endless[5001];
    counting_allocator memory;
    choice options;
    report said;
    int i, es;
    memset(endless, 'y', sizeof endless - 1);
    for (i = 0; i < 3; ++i) {
        for (es = 0; es < 2; ++es) {
            begin(es != 0, &memory, &options);
            fake.refuse = refusals[i];
            fake.log = "0:17: no such thing as a vec5\n";
            CHECK(lib->create(fake_gl_get_proc, &options, &said) == NULL);
            CHECK_TEXT(said.code, "ERROR_GL");
            CHECK(strstr(said.message, "0:17: no such thing as a vec5") != NULL);
            CHECK(strstr(said.message, i == 0 ? "vertex" : i == 1 ? "fragment" : "link") != NULL);
            CHECK(strchr(said.message, '\n') == NULL);
            expect_no_mistakes();
            expect_all_gone(&memory, 0);
        }
        fake.log = endless;
        CHECK(lib->create(fake_gl_get_proc, &options, &said) == NULL);
        CHECK(strlen(said.message) < 120 && strstr(said.message, "yyyyyyyyyyyyyyyy") != NULL);
        fake.log = "";
        CHECK(lib->create(fake_gl_get_proc, &options, &said) == NULL);
        CHECK(said.message[0] != 0);
        CHECK(lib->create(fake_gl_get_proc, &options, NULL) == NULL);
        expect_no_mistakes();
        expect_all_gone(&memory, 0);
    }
}

/* The version line that fits the context, or the caller's; the caller's fragment shader in the
   place of ours. */
static void test_shader_sources(const library *lib)
{
    static const struct {
        const char *name;
        bool        es;
    } contexts[] = { { "3.3 (Core Profile) Mesa 22.3.6", false },
                     { "4.6.0 NVIDIA 535.54", false },
                     { "OpenGL ES 3.0 Mesa", true },
                     { "OpenGL ES 3.2 V@0502.0", true },
                     { "OpenGL ES 3.0 (WebGL 2.0)", true } };
    static const char *const own =
        "uniform highp float mine;\nout vec4 color;\nvoid main() { color = vec4(mine); }\n";
    counting_allocator memory;
    choice options;
    report said;
    void *gl;
    size_t i;
    for (i = 0; i < sizeof contexts / sizeof contexts[0]; ++i) {
        begin(contexts[i].es, &memory, &options);
        fake.version = contexts[i].name;
        lib->destroy(create_or_abort(lib, &options));
        expect_no_mistakes();
    }
    begin(false, &memory, &options);
    options.version_line = "#version 300 es"; /* the fake takes what fits its context alone */
    CHECK(lib->create(fake_gl_get_proc, &options, &said) == NULL);
    options.version_line = "#version 330 core";
    options.fragment_source = own;
    gl = create_or_abort(lib, &options);
    CHECK(fake.object[lib->program(gl)].shaders[1] &&
          strstr(fake.object[fake.object[lib->program(gl)].shaders[1]].source, own) != NULL);
    fake_glUseProgram(lib->program(gl));
    CHECK(fake_glGetUniformLocation(lib->program(gl), "mine") >= 0);
    fake_glUseProgram(0);
    lib->destroy(gl);
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
}

/* Create, upload and draw, with the n-th allocation failing, for every n. */
static void test_no_memory(const library *lib, int which)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    size_t n, failures = 0;
    bool done = false;
    model from = lib->load(which);
    crowd who =
        lib->people(&from, 50000); /* more than the memory that the upload took would hold */
    for (n = 1; n < 100 && !done; ++n) {
        void *gl;
        bool uploaded;
        begin(false, &memory, &options);
        memory.fail_at = n;
        gl = lib->create(fake_gl_get_proc, &options, &said);
        if (!gl) {
            CHECK_TEXT(said.code, "ERROR_MEMORY");
            ++failures;
            expect_all_gone(&memory, 0);
            continue;
        }
        uploaded = lib->upload(gl, &from, &one, &said);
        CHECK_TEXT(said.code, uploaded ? "OK" : "ERROR_MEMORY");
        if (uploaded) {
            lib->draw(gl, &one, 0, &who, 50000);
            done = memory.allocations < n;
            CHECK_EQ(fake.draws, done ? 1 : 0); /* without memory nothing is drawn */
        }
        if (!done) ++failures;
        if (!uploaded)
            CHECK(!one.vao && !one.vertex_buffer && !one.index_buffer && !one.data_texture);
        lib->free_mesh(gl, &one);
        lib->destroy(gl);
        expect_no_mistakes();
        expect_all_gone(&memory, 0);
    }
    CHECK(done);
    CHECK_FLOOR(failures, 3, "allocations made to fail");
    lib->free_people(&who);
    lib->free_model(&from);
}

/* After the memory is there again, the same objects work. */
static void test_memory_comes_back(const library *lib)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh one, two;
    model from = lib->load(PLAYER), big = lib->load(GRID);
    crowd who = lib->people(&from, 50000);
    void *gl;
    begin(false, &memory, &options);
    gl = create_or_abort(lib, &options);
    CHECK(lib->upload(gl, &from, &one, &said));
    memory.fail_at = 1;
    lib->draw(gl, &one, 0, &who, 50000);
    CHECK_EQ(fake.draws, 0);
    if (!lib->upload(gl, &big, &two, &said)) CHECK_TEXT(said.code, "ERROR_MEMORY");
    lib->free_mesh(gl, &two);
    memory.fail_at = 0;
    lib->draw(gl, &one, 0, &who, 50000);
    CHECK_EQ(fake.draws, 1);
    CHECK(lib->upload(gl, &big, &two, &said));
    CHECK_TEXT(said.code, "OK");
    CHECK_TEXT(said.message, "");
    lib->free_mesh(gl, &two);
    lib->free_mesh(gl, &one);
    lib->destroy(gl);
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
    lib->free_people(&who);
    lib->free_model(&from);
    lib->free_model(&big);
}

/* Figures that are printed, and the bars that they must clear. */
static void test_call_counts(const library *lib)
{
    static const size_t sizes[3] = { 1, 100, 10000 };
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    model from = lib->load(PLAYER);
    crowd who = lib->people(&from, 10000);
    unsigned long calls[3];
    int leave, i;
    for (leave = 0; leave < 2; ++leave) {
        void *gl;
        begin(false, &memory, &options);
        options.leave_state = leave != 0;
        gl = create_or_abort(lib, &options);
        CHECK(lib->upload(gl, &from, &one, &said));
        for (i = 0; i < 3; ++i) {
            lib->draw(gl, &one, 0, &who, sizes[i]); /* the buffers grow here */
            fake_gl_start_count();
            lib->draw(gl, &one, 0, &who, sizes[i]);
            calls[i] = fake.calls;
            CHECK_EQ(fake.draws, 1);
            CHECK_EQ(fake.last.instances, sizes[i]);
            if (leave) {
                CHECK(fake.calls <= lib->calls);
                CHECK_EQ(fake_gl_queries(), 0);
            }
            printf("%s, %s, %5lu instances: 1 draw call, %lu GL calls (%lu of them queries), %lu "
                   "bytes on the GPU\n",
                   lib->name, leave ? "leave_state  " : "state restored", (unsigned long)sizes[i],
                   fake.calls, fake_gl_queries(), (unsigned long)fake.gpu_bytes);
        }
        CHECK(calls[0] == calls[1] && calls[1] == calls[2]);
        lib->free_mesh(gl, &one);
        lib->destroy(gl);
        fake_glUseProgram(0); /* leave_state has left the renderer's */
        expect_no_mistakes();
        expect_all_gone(&memory, 0);
    }
    lib->free_people(&who);
    lib->free_model(&from);
}

/* 100 frames allocate nothing after the first; a growing crowd allocates as often as it doubles. */
static void test_steady_frames(const library *lib)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    model from = lib->load(PLAYER);
    crowd who = lib->people(&from, 40000);
    size_t before, draws, i, objects;
    void *gl;
    begin(false, &memory, &options);
    gl = create_or_abort(lib, &options);
    CHECK(lib->upload(gl, &from, &one, &said));
    lib->draw(gl, &one, 0, &who, 1000);
    before = memory.allocations;
    objects = fake_gl_live(FAKE_KINDS);
    for (i = 0; i < 100; ++i) lib->draw(gl, &one, 0, &who, 1000 - i);
    CHECK_EQ(memory.allocations - before, 0);
    CHECK_EQ(fake_gl_live(FAKE_KINDS), objects);
    CHECK_EQ(fake.draws, 101);
    lib->free_mesh(gl, &one);
    lib->destroy(gl);

    begin(true, &memory, &options);
    gl = create_or_abort(lib, &options);
    CHECK(lib->upload(gl, &from, &one, &said));
    before = memory.allocations;
    for (i = 1, draws = 0; i <= 40000; i = i < 1000 ? i + 1 : i + 4000, ++draws)
        lib->draw(gl, &one, 0, &who, i);
    printf("%s: %lu allocations while a crowd grew to 40,000 in %lu steps\n", lib->name,
           (unsigned long)(memory.allocations - before), (unsigned long)draws);
    CHECK(memory.allocations - before >= 1 &&
          memory.allocations - before <= 32); /* two buffers, doubled 16 times */
    CHECK_EQ(fake.draws, draws);
    lib->free_mesh(gl, &one);
    lib->destroy(gl);
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
    lib->free_people(&who);
    lib->free_model(&from);
}

/* Everything that a caller may have bound is bound, to other things; each call of the library finds
   and leaves it so. */
static void expect_state(const fake_state *then, const fake_object *array, const char *what)
{
    const char *difference = fake_gl_difference(then);
    const fake_object *now = &fake.object[then->array];
    check_subject(what);
    if (!CHECK(difference == NULL)) printf("    changed: %s\n", difference);
    CHECK_EQ(now->element_buffer, array->element_buffer);
    CHECK(memcmp(now->attribute, array->attribute, sizeof now->attribute) == 0);
    check_subject("");
}

static void test_state(const library *lib, uint32_t unit)
{
    static const uint8_t pixels[4 * 5 * 7] = { 1, 2, 3 };
    counting_allocator memory;
    choice options;
    report said;
    fake_state then;
    fake_object array;
    mesh one;
    model from = lib->load(PLAYER);
    crowd who = lib->people(&from, 2);
    uint32_t texture;
    unsigned own;
    void *gl;
    begin(false, &memory, &options);
    fake_gl_set_hostile();
    own = fake_gl_live(FAKE_KINDS);
    then = fake.state;
    array = fake.object[then.array];
    options.unit = unit;
    gl = create_or_abort(lib, &options);
    expect_state(&then, &array, "create");
    CHECK(lib->upload(gl, &from, &one, &said));
    expect_state(&then, &array, "upload");
    texture = lib->texture(gl, pixels, 5, 7);
    CHECK(texture != 0);
    CHECK_EQ(fake.object[texture].width, 5);
    CHECK_EQ(fake.object[texture].height, 7);
    CHECK(memcmp(fake.object[texture].data, pixels, sizeof pixels) == 0);
    CHECK(fake_is_complete(&fake.object[texture]));
    CHECK_EQ(fake.object[texture].min_filter, FAKE_LINEAR_MIPMAP_LINEAR);
    CHECK_EQ(fake.object[texture].mag_filter, FAKE_LINEAR);
    CHECK_EQ(fake.object[texture].wrap_s, FAKE_REPEAT);
    CHECK_EQ(fake.object[texture].wrap_t, FAKE_REPEAT);
    expect_state(&then, &array, "texture");
    lib->draw(gl, &one, texture, &who, 2);
    expect_state(&then, &array, "draw");
    CHECK(fake.last.texture[unit] == texture || fake.last.texture[unit + 1] == texture ||
          (lib->units > 2 && fake.last.texture[unit + 2] == texture));
    lib->draw(gl, &one, 0, &who, 1);
    expect_state(&then, &array, "draw without a texture");
    CHECK_EQ(fake.draws, 2);
    lib->free_mesh(gl, &one);
    expect_state(&then, &array, "free_mesh");
    lib->destroy(gl);
    expect_state(&then, &array, "destroy");
    fake_glDeleteTextures(1, &texture);
    expect_no_mistakes();
    expect_all_gone(&memory, own);
    lib->free_people(&who);
    lib->free_model(&from);
}

/* With leave_state, only the two units, and nothing of the unpacking, must be as the call needs
   them: a caller who sets all before each draw is served all the same, also from a hostile state.
 */
static void test_leave_state(const library *lib)
{
    static const uint8_t pixels[4] = { 255, 0, 0, 255 };
    counting_allocator memory;
    choice options;
    report said;
    fake_state then;
    mesh one;
    model from = lib->load(PLAYER);
    crowd who = lib->people(&from, 2), many = lib->people(&from, 4000); /* more than a row */
    uint32_t texture;
    unsigned i;
    void *gl;
    begin(true, &memory, &options);
    fake_gl_set_hostile();
    then = fake.state;
    options.leave_state = true;
    options.unit = 4;
    gl = create_or_abort(lib, &options);
    fake.state = then;
    CHECK(lib->upload(gl, &from, &one, &said));
    fake.state = then;
    texture = lib->texture(gl, pixels, 1, 1);
    fake.state = then;
    lib->draw(gl, &one, texture, &who, 2);
    CHECK_EQ(fake.draws, 1);
    CHECK_EQ(fake_gl_queries() - fake_gl_calls("glGetUniformLocation") -
                 fake_gl_calls("glGetShaderiv") - fake_gl_calls("glGetProgramiv") -
                 fake_gl_calls("glGetString") - fake_gl_calls("glGetError"),
             1); /* MAX_TEXTURE_SIZE, once */
    for (i = 0; i < FAKE_UNITS; ++i) {
        if (i >= 4 && i < 4 + lib->units) continue;
        CHECK_EQ(fake.state.texture[i], then.texture[i]);
        CHECK_EQ(fake.state.sampler[i], then.sampler[i]);
    }
    lib->draw(gl, &one, 0, &who, 2); /* from its own leavings */
    CHECK_EQ(fake.draws, 2);
    fake.state = then;
    lib->draw(gl, &one, 0, &many, 4000);
    CHECK(fake.draws > 2);
    lib->free_people(&many);
    lib->free_mesh(gl, &one);
    lib->destroy(gl);
    expect_no_mistakes();
    lib->free_people(&who);
    lib->free_model(&from);
}

/* Two renderers at once, each with its meshes; one goes, the other draws on. */
static void test_two_renderers(const library *lib)
{
    counting_allocator memory, other_memory;
    choice options, other_options;
    report said;
    mesh a, b;
    model from = lib->load(PLAYER), small = lib->load(SMALL);
    crowd who = lib->people(&small, 9);
    void *first, *second;
    begin(false, &other_memory, &other_options);
    begin(false, &memory, &options);
    first = create_or_abort(lib, &options);
    other_options.unit = 6;
    second = create_or_abort(lib, &other_options);
    CHECK(lib->program(first) != lib->program(second));
    CHECK(lib->upload(first, &from, &a, &said) && lib->upload(second, &small, &b, &said));
    lib->draw(first, &a, 0, &who, 3);
    lib->draw(second, &b, 0, &who, 9);
    lib->draw(first, &a, 0, &who, 2);
    lib->free_mesh(first, &a);
    lib->destroy(first);
    CHECK(counting_is_clean(&memory));
    lib->draw(second, &b, 0, &who, 4);
    CHECK_EQ(fake.draws, 4);
    lib->free_mesh(second, &b);
    lib->destroy(second);
    expect_no_mistakes();
    expect_all_gone(&other_memory, 0);
    lib->free_people(&who);
    lib->free_model(&from);
    lib->free_model(&small);
}

/* A lost context answers nothing. Whenever it is lost, no call crashes, and no memory stays. */
static void test_lost_context(const library *lib)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh one, two;
    model from = lib->load(PLAYER);
    crowd who = lib->people(&from, 20);
    static const uint8_t pixels[4] = { 9, 9, 9, 9 };
    int when;
    for (when = 0; when < 4; ++when) {
        void *gl;
        begin(false, &memory, &options);
        fake.lost = when == 0;
        gl = lib->create(fake_gl_get_proc, &options, &said);
        if (when == 0) CHECK(gl == NULL || fake.lost);
        if (when == 0 && !gl) CHECK_TEXT(said.code, "ERROR_GL");
        memset(&one, 0, sizeof one);
        if (gl) {
            fake.lost = fake.lost || when == 1;
            lib->upload(gl, &from, &one, &said);
            fake.lost = fake.lost || when == 2;
            lib->draw(gl, &one, 0, &who, 20);
            if (fake.lost) CHECK_EQ(lib->texture(gl, pixels, 1, 1), 0);
            fake.lost = true;
            memset(&two, 0, sizeof two);
            lib->upload(gl, &from, &two, &said);
            lib->draw(gl, &two, 0, &who, 20);
            lib->free_mesh(gl, &two);
            lib->free_mesh(gl, &one);
            lib->free_mesh(gl, &one);
            lib->destroy(gl);
        }
        CHECK(counting_is_clean(&memory));
        expect_no_mistakes();
    }
    lib->free_people(&who);
    lib->free_model(&from);
}

/* The GPU's memory runs out at each place in turn: an error, nothing left behind, all as before. */
static void test_full_gpu(const library *lib)
{
    static const uint8_t pixels[4] = { 9, 9, 9, 9 };
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    model from = lib->load(PLAYER);
    fake_state then;
    unsigned long at, refused = 0;
    uint32_t texture;
    void *gl;
    bool ok = false;
    for (at = 1; !ok && at < 9; ++at) {
        begin(false, &memory, &options);
        fake_gl_set_hostile();
        then = fake.state;
        fake.gpu_fail_at = at;
        gl = lib->create(fake_gl_get_proc, &options, &said);
        ok = gl != NULL;
        refused += !ok;
        CHECK_TEXT(said.code, ok ? "OK" : "ERROR_MEMORY");
        CHECK_TEXT(said.message, ok ? "" : "the GPU has no memory left");
        CHECK(fake_gl_difference(&then) == NULL);
        lib->destroy(gl);
        expect_no_mistakes();
        CHECK(counting_is_clean(&memory));
    }
    CHECK(refused >= 1);
    for (at = 1, ok = false; !ok && at < 9; ++at) {
        unsigned own;
        begin(false, &memory, &options);
        fake_gl_set_hostile();
        then = fake.state;
        gl = create_or_abort(lib, &options);
        own = fake_gl_live(FAKE_KINDS);
        fake.error = FAKE_INVALID_OPERATION; /* somebody else's */
        fake.gpu_requests = 0;
        fake.gpu_fail_at = at;
        ok = lib->upload(gl, &from, &one, &said);
        CHECK_TEXT(said.code, ok ? "OK" : "ERROR_MEMORY");
        CHECK(fake_gl_difference(&then) == NULL);
        if (!ok) CHECK(!one.vao && !one.vertex_buffer && !one.index_buffer && !one.data_texture);
        if (!ok) CHECK_EQ(fake_gl_live(FAKE_KINDS), own);
        lib->free_mesh(gl, &one);
        lib->destroy(gl);
        expect_no_mistakes();
        CHECK(counting_is_clean(&memory));
    }
    CHECK_EQ(at, 5); /* a texture, vertices and indices; the fourth time all is well */
    begin(false, &memory, &options);
    gl = create_or_abort(lib, &options);
    fake.error = FAKE_INVALID_OPERATION;
    texture = lib->texture(gl, pixels, 1, 1);
    CHECK(texture != 0);
    fake_glDeleteTextures(1, &texture);
    fake.gpu_requests = 0;
    fake.gpu_fail_at = 1;
    CHECK_EQ(lib->texture(gl, pixels, 1, 1), 0);
    fake.gpu_error = FAKE_INVALID_OPERATION;
    CHECK_EQ(lib->texture(gl, pixels, 1, 1), 0);
    CHECK(!lib->upload(gl, &from, &one, &said));
    CHECK_TEXT(said.code, "ERROR_GL");
    CHECK_TEXT(said.message, "OpenGL reports error 1282");
    lib->destroy(gl);
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
    lib->free_model(&from);
}

/* -- Triangles in the order that a vertex cache likes ---------------------- */

/* Vertices fetched for each triangle with the last 16 kept. */
static double cache_misses(const uint32_t *indices, uint32_t count)
{
    uint32_t kept[16], at = 0, misses = 0, i, k;
    memset(kept, 0xFF, sizeof kept);
    for (i = 0; i < count; ++i) {
        for (k = 0; k < 16 && kept[k] != indices[i]; ++k) {}
        if (k < 16) continue;
        kept[at] = indices[i];
        at = (at + 1) % 16;
        ++misses;
    }
    return count ? 3.0 * misses / count : 0;
}

/* A triangle turned so that its least vertex is first: the winding stays. */
static void first_corner_least(const uint32_t *from, uint32_t to[3])
{
    int least = 0, i;
    for (i = 1; i < 3; ++i) {
        if (from[i] < from[least]) least = i;
    }
    for (i = 0; i < 3; ++i) to[i] = from[(least + i) % 3];
}

static int compare_triangles(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(uint32_t));
}

static uint32_t *sorted_triangles(const uint32_t *indices, uint32_t count)
{
    uint32_t *out = (uint32_t *)malloc_or_abort(count * sizeof(uint32_t)), i;
    for (i = 0; i + 2 < count; i += 3) first_corner_least(indices + i, out + i);
    qsort(out, count / 3, 3 * sizeof(uint32_t), compare_triangles);
    return out;
}

static void test_triangle_order(const library *lib)
{
    counting_allocator memory;
    choice options;
    report said;
    int which;
    for (which = 0; which < MODELS; ++which) {
        model from = lib->load(which);
        uint32_t *want = sorted_triangles(from.indices, from.index_count), *have;
        const fake_object *elements;
        double before = cache_misses(from.indices, from.index_count), after;
        mesh one;
        void *gl;
        begin(false, &memory, &options);
        gl = create_or_abort(lib, &options);
        CHECK(lib->upload(gl, &from, &one, &said));
        elements = &fake.object[one.index_buffer];
        if (CHECK(elements->size == from.index_count * sizeof(uint32_t))) {
            have =
                sorted_triangles((const uint32_t *)(const void *)elements->data, from.index_count);
            CHECK(memcmp(have, want, elements->size) == 0); /* the same triangles, wound the same */
            free(have);
            after = cache_misses((const uint32_t *)(const void *)elements->data, from.index_count);
            printf("%s: vertices fetched for a triangle: %.3f as loaded, %.3f as uploaded\n",
                   lib->name, before, after);
            CHECK(after <= before + 0.001);
            if (which == GRID) CHECK(after < 0.75);
        }
        free(want);
        lib->free_mesh(gl, &one);
        lib->destroy(gl);
        lib->free_model(&from);
    }
}

/* Meshes of every small size: each triangle comes out once, wound as it was. */
static void test_small_orders(void)
{
    counting_allocator memory;
    choice options;
    md2_gl *md2;
    md5_gl *md5;
    uint32_t seed;
    begin(false, &memory, &options);
    md2 = (md2_gl *)create_or_abort(&libraries[0], &options);
    md5 = (md5_gl *)create_or_abort(&libraries[1], &options);
    for (seed = 1; seed < 80; ++seed) {
        m2_bytes bytes = m2_random(seed, 3 + seed % 40, seed, 1);
        model from = md2_from_bytes(&bytes, 0);
        uint32_t *want = sorted_triangles(from.indices, from.index_count), *have[2];
        have[0] = sorted_triangles(md2__gl_optimize_triangle_order(md2, from.indices, from.index_count, from.vertex_count),
                                   from.index_count);
        have[1] = sorted_triangles(md5__gl_optimize_triangle_order(md5, from.indices, from.index_count, from.vertex_count),
                                   from.index_count);
        CHECK(memcmp(have[0], want, from.index_count * sizeof(uint32_t)) == 0);
        CHECK(memcmp(have[1], want, from.index_count * sizeof(uint32_t)) == 0);
        free(want);
        free(have[0]);
        free(have[1]);
        md2_free_model(from.md2);
    }
    md2_gl_destroy(md2);
    md5_gl_destroy(md5);
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
}

/* -- MD2 alone ------------------------------------------------------------- */

/* The bytes of the streamed instances: of the buffer behind an attribute that steps once an
   instance. */
static const fake_object *streamed(const mesh *one)
{
    const fake_object *array = &fake.object[one->vao];
    int i;
    for (i = 0; i < FAKE_ATTRIBUTES; ++i) {
        if (array->attribute[i].enabled && array->attribute[i].divisor)
            return &fake.object[array->attribute[i].buffer];
    }
    return NULL;
}

/* Draws two instances, and says whether the GPU was sent the same for both. */
static bool md2_sent_alike(void *gl, const mesh *one, const md2_gl_instance *a,
                           const md2_gl_instance *b)
{
    md2_gl_instance pair[2];
    const fake_object *buffer;
    pair[0] = *a;
    pair[1] = *b;
    md2_gl_draw((md2_gl *)gl, &one->md2, 0, &md2_scene, pair, 2);
    buffer = streamed(one);
    if (!CHECK(buffer != NULL && buffer->size >= 2 && buffer->size % 2 == 0)) return false;
    return memcmp(buffer->data, buffer->data + buffer->size / 2, buffer->size / 2) == 0;
}

static void md2_test_defaults(void)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    md2_gl_instance zero, full, other;
    model from = md2_named("player");
    void *gl;
    int i;
    begin(false, &memory, &options);
    gl = create_or_abort(&libraries[0], &options);
    CHECK(md2_try_upload(gl, &from, &one, &said));
    memset(&zero, 0, sizeof zero);
    full = zero;
    full.pose = md2_pose_between(0, 0, 0);
    for (i = 0; i < 4; ++i) full.tint[i] = full.transform[5 * i] = 1;
    CHECK(md2_sent_alike(gl, &one, &zero, &full)); /* all zero is frame 0, white, at the origin */
    for (i = 0; i < 4; ++i) {
        other = full;
        other.tint[i] = 0.5f;
        CHECK(!md2_sent_alike(gl, &one, &full, &other));
        other = zero;
        other.tint[i] = 0.5f; /* one component alone is a tint */
        CHECK(!md2_sent_alike(gl, &one, &full, &other));
        other.tint[i] = -1;
        CHECK(!md2_sent_alike(gl, &one, &full, &other));
    }
    for (i = 0; i < 15; ++i) {
        other = full;
        other.transform[i] += 0.5f;
        if (i % 4 != 3) CHECK(!md2_sent_alike(gl, &one, &full, &other));
        other.transform[15] = -1; /* whatever its sign */
        if (i % 4 != 3) CHECK(!md2_sent_alike(gl, &one, &full, &other));
        other = zero;
        other.transform[i] = 3; /* [15] of 0 stands for none, whatever the rest is */
        CHECK(md2_sent_alike(gl, &one, &full, &other));
    }
    md2_gl_free_mesh((md2_gl *)gl, &one.md2);
    md2_gl_destroy((md2_gl *)gl);
    md2_free_model(from.md2);
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
}

static void md2_test_frames_out_of_range(void)
{
    static const char *const names[2] = { "player", "cube" };
    static const uint16_t wild[4] = { 198, 999, 32768, 65535 };
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    md2_gl_instance last, other;
    int k, i;
    for (k = 0; k < 2; ++k) {
        model from = md2_named(names[k]);
        void *gl;
        begin(false, &memory, &options);
        gl = create_or_abort(&libraries[0], &options);
        CHECK(md2_try_upload(gl, &from, &one, &said));
        memset(&last, 0, sizeof last);
        last.pose = md2_pose_between(from.md2->frame_count - 1, from.md2->frame_count - 1, 0);
        for (i = 0; i < 4; ++i) {
            other = last;
            other.pose.frame[0] = wild[i];
            CHECK(md2_sent_alike(gl, &one, &last, &other));
        }
        other = last;
        other.pose.count = 1;
        other.pose.frame[1] = 12345; /* beyond the count: nobody looks */
        other.pose.weight[1] = 7;
        CHECK(md2_sent_alike(gl, &one, &last, &other));
        other.pose.count = 0;
        other.pose.frame[0] = 40;
        last.pose = md2_pose_between(0, 0, 0);
        CHECK(md2_sent_alike(gl, &one, &last, &other)); /* a count of 0 is frame 0 */
        other.pose = last.pose;
        other.pose.count = 4000000000u; /* more than there are */
        md2_gl_draw((md2_gl *)gl, &one.md2, 0, &md2_scene, &other, 1);
        md2_gl_free_mesh((md2_gl *)gl, &one.md2);
        md2_gl_destroy((md2_gl *)gl);
        md2_free_model(from.md2);
        expect_no_mistakes();
        expect_all_gone(&memory, 0);
    }
}

/* What a texture of so many rows cannot hold is refused, with the numbers; all else is uploaded
   within the limit. */
static void md2_test_texture_limit(void)
{
    static const int limits[] = { 1024, 1500, 2048, 4096, 16384 };
    static const uint32_t points[] = { 1, 8, 300, 1021, 1022, 1024, 2048, 6000 },
                          frames[] = { 1, 2, 198, 501, 2000 };
    unsigned long uploaded = 0, refused = 0;
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    size_t i, p, k;
    for (p = 0; p < sizeof points / sizeof points[0]; ++p) {
        for (k = 0; k < sizeof frames / sizeof frames[0]; ++k) {
            m2_bytes bytes;
            model from;
            if ((uint64_t)points[p] * frames[k] > 4500000) continue;
            bytes = m2_random((uint32_t)(p * 10 + k), points[p], 3, frames[k]);
            from = md2_from_bytes(&bytes, 0);
            for (i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
                uint64_t needed = (uint64_t)points[p] * frames[k],
                         room = (uint64_t)limits[i] * (uint64_t)limits[i];
                void *gl;
                bool ok;
                begin(false, &memory, &options);
                fake.max_texture_size = limits[i];
                gl = create_or_abort(&libraries[0], &options);
                ok = md2_try_upload(gl, &from, &one, &said);
                if (ok) {
                    const fake_object *texture = &fake.object[one.data_texture];
                    ++uploaded;
                    CHECK(texture->width <= limits[i] && texture->height <= limits[i]);
                    CHECK((uint64_t)texture->width * (uint64_t)texture->height >= needed);
                    CHECK(needed < room);
                } else {
                    ++refused;
                    CHECK_TEXT(said.code, "ERROR_GL");
                    CHECK(strstr(said.message, "texture") != NULL);
                    CHECK(needed + 16 * (uint64_t)frames[k] >
                          room * 2 / 3); /* it nearly fits, at least */
                    CHECK(!one.vao && !one.data_texture);
                }
                md2_gl_free_mesh((md2_gl *)gl, &one.md2);
                md2_gl_destroy((md2_gl *)gl);
                expect_no_mistakes();
                expect_all_gone(&memory, 0);
            }
            md2_free_model(from.md2);
        }
    }
    CHECK_FLOOR(uploaded, 100, "uploads within the limit");
    CHECK_FLOOR(refused, 5, "uploads beyond the limit, refused");
    begin(false, &memory, &options);
    fake.max_texture_size = 64;
    {
        static uint8_t row[65 * 4];
        void *gl = create_or_abort(&libraries[0], &options);
        uint32_t texture = md2_gl_texture((md2_gl *)gl, row, 64, 1);
        CHECK(texture != 0);
        fake_glDeleteTextures(1, &texture);
        CHECK_EQ(md2_gl_texture((md2_gl *)gl, row, 65, 1), 0);
        CHECK_EQ(md2_gl_texture((md2_gl *)gl, row, 1, 65), 0);
        CHECK_EQ(md2_gl_texture((md2_gl *)gl, row, 0xFFFFFFFFu, 1), 0);
        md2_gl_destroy((md2_gl *)gl);
    }
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
}

/* Every model of the table goes up and is drawn; all of its points lie in the texture. */
static void md2_test_all_models(void)
{
    static const uint32_t flags[4] = { 0, MD2_Y_UP, MD2_KEEP_WINDING | MD2_FLIP_V, MD2_HALF_TEXEL };
    unsigned long uploaded = 0;
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    size_t i;
    for (i = 0; i < M2_CASES; ++i) {
        m2_bytes bytes;
        model from;
        crowd who;
        void *gl;
        if (m2_cases[i].result != MD2_OK) continue;
        check_subject(m2_cases[i].name);
        bytes = m2_case_bytes(&m2_cases[i]);
        from = md2_from_bytes(&bytes, flags[i % 4]);
        who = md2_people(&from, 3);
        begin(i % 2 != 0, &memory, &options);
        gl = create_or_abort(&libraries[0], &options);
        if (CHECK(md2_try_upload(gl, &from, &one, &said))) {
            const fake_object *texture = &fake.object[one.data_texture];
            CHECK((uint64_t)texture->size >=
                  (uint64_t)from.md2->point_count * from.md2->frame_count * 4);
            md2_try_draw(gl, &one, 0, &who, 3);
            CHECK_EQ(fake.draws, 1);
            ++uploaded;
        }
        md2_gl_free_mesh((md2_gl *)gl, &one.md2);
        md2_gl_destroy((md2_gl *)gl);
        expect_no_mistakes();
        expect_all_gone(&memory, 0);
        md2_free_people(&who);
        md2_free_model(from.md2);
    }
    check_subject("");
    CHECK_FLOOR(uploaded, 50, "models of our own uploaded");
}

/* A player of 198 frames, as large as they come (810 vertices), stays under 0.7 MB. */
static void md2_test_gpu_bytes(void)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    m2_bytes bytes = m2_random(3, 500, 700, 198);
    model from = md2_from_bytes(&bytes, 0);
    size_t before;
    void *gl;
    begin(false, &memory, &options);
    gl = create_or_abort(&libraries[0], &options);
    before = fake.gpu_bytes;
    CHECK(md2_try_upload(gl, &from, &one, &said));
    printf("md2: 198 frames of %lu points, %lu vertices, %lu triangles take %lu bytes on the GPU\n",
           (unsigned long)from.md2->point_count, (unsigned long)from.vertex_count,
           (unsigned long)from.index_count / 3, (unsigned long)(fake.gpu_bytes - before));
    CHECK(fake.gpu_bytes - before < 700000);
    md2_gl_free_mesh((md2_gl *)gl, &one.md2);
    md2_gl_destroy((md2_gl *)gl);
    md2_free_model(from.md2);
    expect_all_gone(&memory, 0);
}

/* -- The scene, as it reaches the shaders ---------------------------------- */

static const float *sent_scene(void)
{
    const fake_object *program = &fake.object[fake.last.program];
    int i;
    for (i = 0; i < program->uniform_count; ++i) {
        if (strcmp(program->uniform[i].name, "scene") == 0) return program->uniform[i].value;
    }
    return NULL;
}

typedef struct lighting {
    float ambient, light[3], row_z[3], row_w[3]; /* of the projection */
    float sent[4];
} lighting;

static const lighting lightings[] = {
    { 0.5f, { 0, 0, 2 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1, 0.5f } },
    { 0.125f, { 3, 0, -4 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0.6f, 0, -0.8f, 0.125f } },
    { 0, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 1, 0, 0.25f } },
    { -1, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 1, 0, 0.25f } },
    { 2, { 0, 0, 0 }, { 1, 2, 3 }, { 0, 4, -3 }, { 0, -0.8f, 0.6f, 2 } }, /* from the camera */
    { 2, { 0, 0, 0 }, { 0, 5, 12 }, { 0, 0, 0 }, { 0, -0.3846154f, -0.9230769f, 2 } }
};

static void check_scene(const lighting *wanted, const float projection[16])
{
    const float *sent = sent_scene();
    int i;
    if (!CHECK(sent != NULL)) return;
    CHECK(memcmp(sent, projection, 16 * sizeof(float)) == 0);
    for (i = 0; i < 4; ++i) CHECK_NEAR(sent[16 + i], wanted->sent[i], 1e-6);
}

static void test_scenes(void)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    size_t i, k;
    for (k = 0; k < LIBRARIES; ++k) {
        const library *lib = &libraries[k];
        model from = lib->load(SMALL);
        crowd who = lib->people(&from, 1);
        void *gl;
        begin(false, &memory, &options);
        gl = create_or_abort(lib, &options);
        CHECK(lib->upload(gl, &from, &one, &said));
        for (i = 0; i < sizeof lightings / sizeof lightings[0]; ++i) {
            const lighting *how = &lightings[i];
            float projection[16];
            int column;
            for (column = 0; column < 16; ++column) projection[column] = (float)column * 0.125f;
            for (column = 0; column < 3; ++column) {
                projection[4 * column + 2] = how->row_z[column];
                projection[4 * column + 3] = how->row_w[column];
            }
            if (k == 0) {
                md2_gl_scene scene;
                scene.ambient = how->ambient;
                memcpy(scene.light_direction, how->light, sizeof how->light);
                memcpy(scene.view_projection, projection, sizeof projection);
                md2_gl_draw((md2_gl *)gl, &one.md2, 0, &scene, who.md2, 1);
            } else {
                md5_gl_scene scene;
                scene.ambient = how->ambient;
                memcpy(scene.light_direction, how->light, sizeof how->light);
                memcpy(scene.view_projection, projection, sizeof projection);
                md5_gl_draw((md5_gl *)gl, &one.md5, 0, &scene, who.md5, 1);
            }
            check_scene(how, projection);
            if (k == 0) CHECK_NEAR(sent_scene()[20], 7 + from.md2->point_count, 0);
            if (k == 0) CHECK_NEAR(sent_scene()[21], fake.object[one.data_texture].width, 0);
            if (k == 1) CHECK_NEAR(sent_scene()[20], fake.object[one.data_texture].width, 0);
            if (k == 1) CHECK_NEAR(sent_scene()[21], 1024, 0);
        }
        lib->free_mesh(gl, &one);
        lib->destroy(gl);
        lib->free_people(&who);
        lib->free_model(&from);
        expect_no_mistakes();
        expect_all_gone(&memory, 0);
    }
}

/* What neither a texture nor this library can hold is refused before anything is made of it. */
static void test_limits(void)
{
    static uint8_t row[65 * 4];
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    size_t k;
    for (k = 0; k < LIBRARIES; ++k) {
        const library *lib = &libraries[k];
        model from = lib->load(SMALL);
        md2_error md2_said;
        md5_error md5_said;
        void *gl;
        uint32_t texture;
        begin(false, &memory, &options);
        fake.max_texture_size = 64; /* less than OpenGL allows */
        gl = create_or_abort(lib, &options);
        CHECK(!lib->upload(gl, &from, &one, &said));
        CHECK_TEXT(said.code, "ERROR_GL");
        CHECK(strstr(said.message, " texels, more than a texture of 64 rows holds") != NULL);
        CHECK(!one.vao && !one.data_texture);
        texture = lib->texture(gl, row, 64, 1);
        CHECK(texture != 0);
        fake_glDeleteTextures(1, &texture);
        texture = lib->texture(gl, row, 1, 64);
        CHECK(texture != 0);
        fake_glDeleteTextures(1, &texture);
        CHECK_EQ(lib->texture(gl, row, 65, 1), 0);
        CHECK_EQ(lib->texture(gl, row, 1, 65), 0);
        if (k == 0) {
            CHECK(!md2_gl_upload((md2_gl *)gl, from.md2, NULL, &md2_said));
            CHECK_EQ(md2_said.code, MD2_ERROR_ARGUMENT);
            CHECK_TEXT(md2_said.message, "no renderer, model or mesh is given");
        } else {
            CHECK(!md5_gl_upload((md5_gl *)gl, from.md5, 0, NULL, &md5_said));
            CHECK_EQ(md5_said.code, MD5_ERROR_ARGUMENT);
            CHECK_TEXT(md5_said.message, "no renderer, model or mesh is given");
        }
        lib->destroy(gl);
        lib->free_model(&from);
        expect_no_mistakes();
        expect_all_gone(&memory, 0);
    }
}

/* -- What lies on the GPU -------------------------------------------------- */

static void expect_attribute(const mesh *one, int index, int size, unsigned type, bool whole, bool instanced,
                             size_t stride, size_t offset)
{
    const fake_attribute *attribute = &fake.object[one->vao].attribute[index];
    CHECK(attribute->enabled && attribute->size == size && attribute->type == type);
    CHECK(attribute->whole == whole && attribute->divisor == (instanced ? 1u : 0u));
    CHECK((size_t)attribute->stride == stride && attribute->offset == offset);
    CHECK((attribute->buffer == one->vertex_buffer) == !instanced);
}

static void md2_test_contents(uint32_t flags)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    m2_bytes bytes = m2_random(9, 333, 100, 350); /* of several bands of rows, and a rest */
    model from = md2_from_bytes(&bytes, flags);
    const md2_model *md2 = from.md2;
    const uint8_t *texels;
    uint32_t frame, i, wrong = 0, stride = 7 + md2->point_count;
    void *gl;
    begin(false, &memory, &options);
    gl = create_or_abort(&libraries[0], &options);
    CHECK(md2_try_upload(gl, &from, &one, &said));
    CHECK(fake.object[one.vertex_buffer].size == md2->vertex_count * sizeof(md2_vertex));
    CHECK(memcmp(fake.object[one.vertex_buffer].data, md2->vertices, md2->vertex_count * sizeof(md2_vertex)) == 0);
    texels = fake.object[one.data_texture].data;
    for (frame = 0; frame < md2->frame_count; ++frame, texels += 4 * stride) {
        for (i = 0; i < 3; ++i) {
            wrong += m2_get_float(texels + 4 * i) < md2->frames[frame].scale[i] ||
                     m2_get_float(texels + 4 * i) > md2->frames[frame].scale[i];
            wrong += m2_get_float(texels + 12 + 4 * i) < md2->frames[frame].translate[i] ||
                     m2_get_float(texels + 12 + 4 * i) > md2->frames[frame].translate[i];
        }
        CHECK_NEAR(md2_normal(m2_get32(texels + 24))[flags & MD2_Y_UP ? 1 : 2], 1, 0);
        wrong += memcmp(texels + 28, md2->frames[frame].points, 4 * md2->point_count) != 0;
    }
    CHECK_EQ(wrong, 0);
    for (i = (uint32_t)(fake.object[one.data_texture].data + fake.object[one.data_texture].size - texels); i > 0; --i) {
        wrong += texels[i - 1] != 0;
    }
    CHECK_EQ(wrong, 0);
    expect_attribute(&one, 0, 1, FAKE_UNSIGNED_SHORT, true, false, sizeof(md2_vertex), offsetof(md2_vertex, point));
    expect_attribute(&one, 1, 2, FAKE_FLOAT, false, false, sizeof(md2_vertex), offsetof(md2_vertex, u));
    expect_attribute(&one, 2, 4, FAKE_FLOAT, false, true, sizeof(md2__gl_record), offsetof(md2__gl_record, tint));
    for (i = 0; i < 3; ++i) {
        expect_attribute(&one, (int)(3 + i), 4, FAKE_FLOAT, false, true, sizeof(md2__gl_record),
                         offsetof(md2__gl_record, rows) + 16 * i);
    }
    expect_attribute(&one, 6, 4, FAKE_FLOAT, false, true, sizeof(md2__gl_record), offsetof(md2__gl_record, weight));
    expect_attribute(&one, 7, 4, FAKE_UNSIGNED_SHORT, true, true, sizeof(md2__gl_record),
                     offsetof(md2__gl_record, frame));
    md2_gl_free_mesh((md2_gl *)gl, &one.md2);
    md2_gl_destroy((md2_gl *)gl);
    md2_free_model(from.md2);
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
}

static void md5_test_contents(void)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    model from = md5_try_load(GRID);
    const md5_mesh *md5 = &from.md5->meshes[0];
    const float *texels;
    double worst = 0;
    uint32_t i, k, wrong = 0;
    void *gl;
    begin(false, &memory, &options);
    gl = create_or_abort(&libraries[1], &options);
    CHECK(md5_try_upload(gl, &from, &one, &said));
    CHECK(fake.object[one.vertex_buffer].size == md5->vertex_count * sizeof(md5_vertex));
    CHECK(memcmp(fake.object[one.vertex_buffer].data, md5->vertices, md5->vertex_count * sizeof(md5_vertex)) == 0);
    texels = (const float *)(const void *)fake.object[one.data_texture].data;
    for (i = 0; i < md5->weight_count; ++i, texels += 8) {
        const md5_weight *weight = &md5->weights[i];
        const md5_xform *bind = &from.md5->joints[weight->joint].bind;
        m5_xform place;
        double v[3], out[3];
        for (k = 0; k < 3; ++k) {
            place.p[k] = (double)bind->position[k];
            v[k] = (double)weight->position[k];
        }
        for (k = 0; k < 4; ++k) place.q[k] = (double)bind->rotation[k];
        m5_transform(&place, v, out);
        for (k = 0; k < 3; ++k) {
            double off = fabs((double)texels[k] - out[k] * (double)weight->bias);
            worst = off > worst ? off : worst;
        }
        wrong += texels[3] < weight->bias || texels[3] > weight->bias;
        wrong += (uint32_t)texels[4] != weight->joint || texels[5] > 0 || texels[6] > 0 || texels[7] > 0;
    }
    CHECK_NEAR(worst, 0, 1e-4);
    CHECK_EQ(wrong, 0);
    expect_attribute(&one, 0, 2, FAKE_FLOAT, false, false, sizeof(md5_vertex), offsetof(md5_vertex, u));
    expect_attribute(&one, 1, 2, FAKE_UNSIGNED_INT, true, false, sizeof(md5_vertex),
                     offsetof(md5_vertex, first_weight));
    expect_attribute(&one, 2, 3, FAKE_FLOAT, false, false, sizeof(md5_vertex), offsetof(md5_vertex, normal));
    expect_attribute(&one, 3, 4, FAKE_FLOAT, false, false, sizeof(md5_vertex), offsetof(md5_vertex, tangent));
    expect_attribute(&one, 4, 4, FAKE_FLOAT, false, true, sizeof(md5__gl_record), offsetof(md5__gl_record, tint));
    for (i = 0; i < 3; ++i) {
        expect_attribute(&one, (int)(5 + i), 4, FAKE_FLOAT, false, true, sizeof(md5__gl_record),
                         offsetof(md5__gl_record, rows) + 16 * i);
    }
    expect_attribute(&one, 8, 1, FAKE_UNSIGNED_INT, true, true, sizeof(md5__gl_record),
                     offsetof(md5__gl_record, first_joint_texel));
    md5_gl_free_mesh((md5_gl *)gl, &one.md5);
    md5_gl_destroy((md5_gl *)gl);
    md5_free_model(from.md5);
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
}

/* The narrowest power of two times 1,024 at which the rows fit; and what fits nowhere. */
static void test_widths(void)
{
    static const int limits[] = { 1024, 1025, 2047, 2048, 4096, 16384 };
    size_t i, k;
    for (i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        uint64_t limit = (uint64_t)limits[i], widest = 1024, width;
        md2_gl   md2;
        md5_gl   md5;
        memset(&md2, 0, sizeof md2);
        memset(&md5, 0, sizeof md5);
        md2.max_texture_size = md5.max_texture_size = limits[i];
        while (widest * 2 <= limit) widest *= 2;
        for (width = 1024; width <= widest; width *= 2) {
            for (k = 0; k < 3; ++k) {
                uint64_t texels = width * limit + k - 1;
                uint64_t wanted = k < 2 || width == widest ? width : 2 * width;
                CHECK_EQ(md2__gl_choose_texture_width(&md2, texels), wanted);
                CHECK_EQ(md5__gl_choose_texture_width(&md5, texels), wanted);
                CHECK_EQ(md2__gl_check_texture_size(&md2, texels, "frames"), k < 2 || width < widest);
                CHECK_EQ(md5__gl_check_texture_size(&md5, texels, "weights"), k < 2 || width < widest);
            }
        }
        CHECK_EQ(md2__gl_choose_texture_width(&md2, 1), 1024);
    }
}

/* More joints than the largest texture has room for: a mesh that no draw could show. */
static void md5_test_too_many_joints(void)
{
    enum { MOST = 1024 * 1024 / 3 };
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    int joints, i;
    for (joints = MOST; joints <= MOST + 1; ++joints) {
        m5_text text;
        model from;
        md5_gl_instance who;
        void *gl;
        memset(&text, 0, sizeof text);
        m5_put(&text, "MD5Version 10 numJoints %d numMeshes 1 joints {\n", joints);
        for (i = 0; i < joints; ++i) m5_put_text(&text, "j -1 ( 0 0 0 ) ( 0 0 0 )\n");
        m5_put_text(&text, "} mesh { numverts 1 vert 0 ( 0 0 ) 0 1 numtris 1 tri 0 0 0 0 numweights 1 "
                           "weight 0 0 1 ( 0 0 0 ) }");
        from = md5_from_text(&text, 0, 0);
        begin(false, &memory, &options);
        fake.max_texture_size = 1024;
        gl = create_or_abort(&libraries[1], &options);
        CHECK_EQ(md5_try_upload(gl, &from, &one, &said), joints == MOST);
        CHECK_TEXT(said.message, joints == MOST
                                     ? ""
                                     : "the joints take 1048578 texels, more than a texture of 1024 rows holds");
        if (joints == MOST) {
            memset(&who, 0, sizeof who);
            md5_gl_draw((md5_gl *)gl, &one.md5, 0, &md5_scene, &who, 1);
            CHECK_EQ(fake.draws, 1);
        }
        md5_gl_free_mesh((md5_gl *)gl, &one.md5);
        md5_gl_destroy((md5_gl *)gl);
        md5_free_model(from.md5);
        expect_no_mistakes();
        expect_all_gone(&memory, 0);
    }
}

/* -- Skins, with a picture format of our own ------------------------------- */

static const char *folder;            /* where files may be written */

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

static uint32_t load_skin(void *gl, const model *from, uint32_t skin, report *said)
{
    char path[600];
    md2_error error;
    uint32_t texture;
    memset(&error, 0x5A, sizeof error);
    snprintf(path, sizeof path, "%s/gl_mock_model.md2", folder);
    texture = md2_gl_load_skin((md2_gl *)gl, from->md2, path, skin, &error);
    md2_report(&error, said);
    return texture;
}

static void expect_texels(uint32_t texture, int width, int height, const uint8_t *rgba)
{
    const fake_object *object = &fake.object[texture];
    if (!CHECK(texture != 0)) return;
    CHECK_EQ(object->width, width);
    CHECK_EQ(object->height, height);
    CHECK(object->size == (size_t)width * (size_t)height * 4 &&
          memcmp(object->data, rgba, object->size) == 0);
}

static void md2_test_skins(void)
{
    static const uint8_t picture[5 + 24] = { 'P', 'I', 'C', 2,  3,  1,  2,  3,  4,  5,
                                             6,   7,   8,   11, 12, 13, 14, 15, 16, 17,
                                             18,  21,  22,  23, 24, 25, 26, 27, 28 };
    static const uint8_t flipped[24] = { 21, 22, 23, 24, 25, 26, 27, 28, 11, 12, 13, 14,
                                         15, 16, 17, 18, 1,  2,  3,  4,  5,  6,  7,  8 };
    static const char *const names[5] = { "cube.png", "cube.pcx", "gl_mock_model.png",
                                          "gl_mock_model.pcx", "gl_mock_model.tga" };
    counting_allocator memory;
    choice options;
    report said;
    md2_error error;
    fake_state then;
    model from = md2_named("cube"), from_below; /* its skin is models/cube/cube.pcx */
    m2_bytes bytes = m2_named("cube"), pcx = m2_pcx(61, 40, 64, M2_PCX_RUNS);
    uint8_t *pixels;
    uint32_t width, height, texture;
    unsigned own, i;
    void *gl;
    from_below = md2_from_bytes(&bytes, MD2_FLIP_V);
    for (i = 0; i < 5; ++i) forget(names[i]);
    begin(false, &memory, &options);
    fake_gl_set_hostile();
    then = fake.state;
    gl = create_or_abort(&libraries[0], &options);
    own = fake_gl_live(FAKE_KINDS);
    CHECK_EQ(load_skin(gl, &from, 0, &said), 0);
    CHECK_TEXT(said.code, "ERROR_OPEN");
    CHECK(strstr(said.message, "gl_mock_model.md2") != NULL);

    save("gl_mock_model.tga", picture, sizeof picture);
    texture = load_skin(gl, &from, 0, &said);
    CHECK_TEXT(said.code, "OK");
    expect_texels(texture, 2, 3, picture + 5);
    fake_glDeleteTextures(1, &texture);
    texture =
        load_skin(gl, &from_below, 0, &said); /* v begins at the bottom, and so does the texture */
    expect_texels(texture, 2, 3, flipped);
    fake_glDeleteTextures(1, &texture);

    pixels = md2_load_pcx_memory(pcx.data, pcx.size, &width, &height, NULL, NULL);
    save("cube.pcx", pcx.data, pcx.size); /* listed in the model: better than the other */
    texture = load_skin(gl, &from, 0, &said);
    if (CHECK(pixels != NULL)) expect_texels(texture, 61, 40, pixels);
    fake_glDeleteTextures(1, &texture);
    md2_free_image(pixels, width, height, NULL);

    memset(&error, 0, sizeof error);
    fake.gpu_requests = 0;
    fake.gpu_fail_at = 1;
    CHECK_EQ(load_skin(gl, &from, 0, &said), 0);
    CHECK_TEXT(said.message, "the GPU has no memory left");
    fake.gpu_requests = fake.gpu_fail_at = 0;

    save("cube.pcx", "no picture", 10); /* the next that can be read is taken */
    texture = load_skin(gl, &from, 0, &said);
    expect_texels(texture, 2, 3, picture + 5);
    fake_glDeleteTextures(1, &texture);
    save("gl_mock_model.tga", "PIC\1\1", 5);
    CHECK_EQ(load_skin(gl, &from, 0, &said), 0);
    CHECK(strcmp(said.code, "OK") != 0 && said.message[0]);
    CHECK_EQ(md2_gl_load_skin((md2_gl *)gl, from.md2, NULL, 0, NULL), 0);
    CHECK_EQ(md2_gl_load_skin((md2_gl *)gl, NULL, "x.md2", 0, &error), 0);
    CHECK_EQ(error.code, MD2_ERROR_ARGUMENT);
    CHECK_EQ(md2_gl_load_skin(NULL, from.md2, "x.md2", 0, &error), 0);
    CHECK_EQ(error.code, MD2_ERROR_ARGUMENT);
    save("gl_mock_model.tga", picture, sizeof picture);
    for (i = 1; i < 6; ++i) { /* no memory at each place, and no leak */
        memory.allocations = 0;
        memory.fail_at = i;
        texture = load_skin(gl, &from, 0, &said);
        if (!texture) CHECK(strcmp(said.code, "OK") != 0);
        fake_glDeleteTextures(1, &texture);
        CHECK_EQ(memory.live_blocks,
                 1 + (memory.live_blocks > 1)); /* the renderer, perhaps its stage */
    }
    memory.fail_at = 0;
    CHECK(fake_gl_difference(&then) == NULL);
    CHECK_EQ(fake_gl_live(FAKE_KINDS), own);
    CHECK(pictures_decoded >= 3);
    CHECK_EQ(pictures_decoded, pictures_freed);
    for (i = 0; i < 5; ++i) forget(names[i]);
    md2_gl_destroy((md2_gl *)gl);
    expect_no_mistakes();
    CHECK(counting_is_clean(&memory));
    m2_free(&pcx);
    md2_free_model(from.md2);
    md2_free_model(from_below.md2);
}

/* -- MD5 alone ------------------------------------------------------------- */

static const fake_object *md5_drawn_palettes(const mesh *one)
{
    const fake_object *palettes = NULL;
    int                i;
    for (i = 0; i < 3; ++i) {
        const fake_object *texture = &fake.object[fake.last.texture[i]];
        if (fake_is_float(texture->storage) && fake.last.texture[i] != one->data_texture) {
            palettes = texture;
        }
    }
    return palettes;
}

/* That the shader was told how long the rows are, and where the last instance's matrices begin. */
static void md5_expect_places(const mesh *one, uint32_t joints)
{
    const fake_object *buffer = streamed(one), *palettes = md5_drawn_palettes(one);
    const fake_object *program = &fake.object[fake.last.program];
    uint32_t           texel;
    int                i, found = 0;
    for (i = 0; palettes && i < program->uniform_count; ++i) {
        if (strcmp(program->uniform[i].name, "scene") == 0) {
            CHECK_EQ(program->uniform[i].value[21], palettes->width);
            ++found;
        }
    }
    CHECK_EQ(found, 1);
    memcpy(&texel, buffer->data + buffer->size - sizeof texel, sizeof texel);
    CHECK_EQ(texel, ((uint32_t)fake.last.instances - 1) * joints * 3);
}

/* Palettes go up once for several meshes in a row, and again as soon as one number in them is
   another. */
static void md5_test_palettes(void)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh sleeve, box, grid;
    model a, b, g = md5_try_load(GRID);
    crowd who, others;
    m5_text text;
    unsigned long fresh, again;
    const float *keep;
    void *gl;
    memset(&text, 0, sizeof text);
    m5_arm_mesh(&text, 0);
    a = md5_from_text(&text, 0, 0);
    b = a;
    b.md5_mesh = 1;
    who = md5_people(&a, 60);
    others = md5_people(&g, 40); /* 40 of 9 joints are as many matrices as 60 of 6 */
    begin(false, &memory, &options);
    options.leave_state = true;
    gl = create_or_abort(&libraries[1], &options);
    CHECK(md5_try_upload(gl, &a, &sleeve, &said) && md5_try_upload(gl, &b, &box, &said) &&
          md5_try_upload(gl, &g, &grid, &said));
    fake_gl_start_count();
    md5_try_draw(gl, &sleeve, 0, &who, 60);
    CHECK(fake_gl_calls("glTexImage2D") + fake_gl_calls("glTexSubImage2D") >= 1);
    md5_try_draw(gl, &sleeve, 0, &who, 60);
    who.palettes[3 * 12 + 5] += 1;
    fake_gl_start_count();
    md5_try_draw(gl, &sleeve, 0, &who, 60);
    fresh = fake.calls;
    CHECK(fake_gl_calls("glTexImage2D") + fake_gl_calls("glTexSubImage2D") >=
          1); /* changed where they lay */
    fake_gl_start_count();
    md5_try_draw(gl, &box, 0, &who, 60);
    again = fake.calls;
    CHECK_EQ(fake_gl_calls("glTexImage2D") + fake_gl_calls("glTexSubImage2D"), 0);
    CHECK_EQ(fake_gl_calls("glBufferData"), 1); /* transforms and tints are sent all the same */
    who.palettes[59 * 72 + 71] += 1; /* the last number */
    fake_gl_start_count();
    md5_try_draw(gl, &box, 0, &who, 60);
    CHECK(fake_gl_calls("glTexImage2D") + fake_gl_calls("glTexSubImage2D") >= 1);
    keep = who.md5[5].palette;
    who.md5[5].palette = NULL; /* the bind pose in the place of another, and back */
    fake_gl_start_count();
    md5_try_draw(gl, &box, 0, &who, 60);
    CHECK_EQ(fake_gl_calls("glTexImage2D") + fake_gl_calls("glTexSubImage2D"), 1);
    who.md5[5].palette = keep;
    md5_try_draw(gl, &box, 0, &who, 60);
    CHECK_EQ(fake_gl_calls("glTexImage2D") + fake_gl_calls("glTexSubImage2D"), 2);
    fake_gl_start_count();
    md5_try_draw(gl, &grid, 0, &others, 40);
    md5_try_draw(gl, &sleeve, 0, &who, 59);
    md5_try_draw(gl, &sleeve, 0, &who, 60);
    CHECK(fake_gl_calls("glTexImage2D") + fake_gl_calls("glTexSubImage2D") >= 2);
    md5_expect_places(&sleeve, 6);
    md5_try_draw(gl, &sleeve, 0, &who, 1); /* the same matrices, in a shorter row */
    md5_expect_places(&sleeve, 6);
    md5_try_draw(gl, &sleeve, 0, &who, 60);
    md5_expect_places(&sleeve, 6);
    printf("md5, leave_state: %lu GL calls with new palettes, %lu with those of the mesh before\n",
           fresh, again);
    CHECK(fresh <= libraries[1].calls && again < fresh);
    md5_gl_free_mesh((md5_gl *)gl, &sleeve.md5);
    md5_gl_free_mesh((md5_gl *)gl, &box.md5);
    md5_gl_free_mesh((md5_gl *)gl, &grid.md5);
    md5_gl_destroy((md5_gl *)gl);
    fake_glUseProgram(0);
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
    md5_free_people(&who);
    md5_free_people(&others);
    md5_free_model(a.md5);
    md5_free_model(g.md5);
}

/* All zero is the bind pose, white, at the origin. */
static void md5_test_defaults(void)
{
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    md5_gl_instance pair[2];
    float unit[6 * 12];
    model from = md5_try_load(SMALL);
    const fake_object *buffer;
    uint8_t *first;
    void *gl;
    int i;
    begin(false, &memory, &options);
    gl = create_or_abort(&libraries[1], &options);
    CHECK(md5_try_upload(gl, &from, &one, &said));
    memset(pair, 0, sizeof pair);
    memset(unit, 0, sizeof unit);
    for (i = 0; i < 6; ++i) unit[i * 12] = unit[i * 12 + 5] = unit[i * 12 + 10] = 1;
    pair[1].palette = unit;
    for (i = 0; i < 4; ++i) pair[1].tint[i] = pair[1].transform[5 * i] = 1;
    md5_gl_draw((md5_gl *)gl, &one.md5, 0, &md5_scene, &pair[0], 1);
    buffer = streamed(&one);
    first = (uint8_t *)malloc_or_abort(buffer->size);
    memcpy(first, buffer->data, buffer->size);
    md5_gl_draw((md5_gl *)gl, &one.md5, 0, &md5_scene, &pair[1], 1);
    CHECK(memcmp(first, buffer->data, buffer->size) == 0);
    pair[1].tint[2] = 0.5f;
    md5_gl_draw((md5_gl *)gl, &one.md5, 0, &md5_scene, &pair[1], 1);
    CHECK(memcmp(first, buffer->data, buffer->size) != 0);
    for (i = 0; i < 4; ++i) {         /* one component alone is a tint, whatever its sign */
        memset(pair, 0, sizeof pair);
        pair[0].tint[i] = i % 2 ? -1.0f : 0.25f;
        md5_gl_draw((md5_gl *)gl, &one.md5, 0, &md5_scene, &pair[0], 1);
        CHECK(memcmp(first, buffer->data, buffer->size) != 0);
    }
    for (i = 0; i < 12; ++i) {
        memset(pair, 0, sizeof pair);
        pair[0].transform[i / 3 * 4 + i % 3] = 3;
        md5_gl_draw((md5_gl *)gl, &one.md5, 0, &md5_scene, &pair[0], 1);
        CHECK(memcmp(first, buffer->data, buffer->size) == 0);
        pair[0].transform[15] = i % 2 ? 1.0f : -1.0f;
        md5_gl_draw((md5_gl *)gl, &one.md5, 0, &md5_scene, &pair[0], 1);
        CHECK(memcmp(first, buffer->data, buffer->size) != 0);
    }
    free(first);
    md5_gl_free_mesh((md5_gl *)gl, &one.md5);
    md5_gl_destroy((md5_gl *)gl);
    md5_free_model(from.md5);
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
}

/* That the draw before was of the last instances of the crowd: their place is in the buffer, and
   the matrices of the first of them begin the texture of palettes. */
static void md5_expect_last(const mesh *one, const crowd *who, size_t count)
{
    const fake_object *buffer = streamed(one), *palettes = md5_drawn_palettes(one);
    size_t             first = count - (size_t)fake.last.instances, i;
    float              place = (float)(count - 1), value;
    bool               found = false;
    md5_expect_places(one, 9);
    for (i = 4; i <= 96 && i <= buffer->size; i += 4) {
        memcpy(&value, buffer->data + buffer->size - i, 4);
        found = found || !(value < place || value > place);
    }
    CHECK(found);
    if (CHECK(palettes && palettes->size >= 9 * 48)) {
        CHECK(memcmp(palettes->data, who->md5[first].palette, 9 * 48) == 0);
    }
}

/* Crowds whose matrices no texture of so many rows holds are drawn in parts, each within the limit.
 */
static void md5_test_split(void)
{
    static const int limits[3] = { 1024, 1500, 2048 };
    static const size_t counts[5] = { 1, 30000, 60000, 120000, 1 }; /* again, after longer rows */
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    model from = md5_try_load(GRID);
    crowd who = md5_people(&from, 120000);
    size_t i, k, left;
    for (i = 0; i < 3; ++i) {
        void *gl;
        begin(false, &memory, &options);
        fake.max_texture_size = limits[i];
        gl = create_or_abort(&libraries[1], &options);
        CHECK(md5_try_upload(gl, &from, &one, &said));
        for (k = 0; k < 5; ++k) {
            uint64_t room = (uint64_t)limits[i] * (uint64_t)limits[i];
            fake_gl_start_count();
            md5_try_draw(gl, &one, 0, &who, counts[k]);
            left = (size_t)(counts[k] * 9 * 3 / room);
            CHECK(fake.draws >= left + 1 && fake.draws <= 2 * left + 2);
            CHECK_EQ(fake.instances_drawn, counts[k]);
            md5_expect_last(&one, &who, counts[k]);
        }
        md5_gl_free_mesh((md5_gl *)gl, &one.md5);
        md5_gl_destroy((md5_gl *)gl);
        check_subject(limits[i] == 1500 ? "a limit of 1,500" : "");
        expect_no_mistakes();
        check_subject("");
        expect_all_gone(&memory, 0);
    }
    md5_free_people(&who);
    begin(false, &memory, &options);
    {
        void *gl;
        fake.max_texture_size = 64;   /* 4,096 texels; the grid's weights take more */
        gl = create_or_abort(&libraries[1], &options);
        CHECK(!md5_try_upload(gl, &from, &one, &said));
        CHECK_TEXT(said.code, "ERROR_GL");
        CHECK(strstr(said.message, "texture") != NULL);
        CHECK(!one.vao && !one.vertex_buffer && !one.index_buffer && !one.data_texture);
        md5_gl_destroy((md5_gl *)gl);
    }
    expect_no_mistakes();
    expect_all_gone(&memory, 0);
    md5_free_model(from.md5);
}

static void md5_test_all_models(void)
{
    static const uint32_t flags[4] = { 0, MD5_Y_UP, MD5_KEEP_WINDING | MD5_FLIP_V, 0 };
    unsigned long uploaded = 0;
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    int i;
    for (i = 0; i < M5_MODELS; ++i) {
        md5_options loading;
        m5_entry entry;
        m5_text text;
        model from;
        void *gl;
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
        begin(i % 2 != 0, &memory, &options);
        gl = create_or_abort(&libraries[1], &options);
        for (from.md5_mesh = 0; from.md5_mesh < from.md5->mesh_count; ++from.md5_mesh) {
            crowd who = md5_people(&from, 3);
            fake_gl_start_count();
            if (CHECK(md5_try_upload(gl, &from, &one, &said))) {
                md5_try_draw(gl, &one, 0, &who, 3);
                CHECK_EQ(fake.draws, 1);
                ++uploaded;
            }
            md5_gl_free_mesh((md5_gl *)gl, &one.md5);
            md5_free_people(&who);
        }
        from.md5_mesh = from.md5->mesh_count;
        CHECK(!md5_try_upload(gl, &from, &one, &said)); /* there is no such mesh */
        CHECK_TEXT(said.code, "ERROR_ARGUMENT");
        md5_gl_destroy((md5_gl *)gl);
        expect_no_mistakes();
        expect_all_gone(&memory, 0);
        md5_free_model(from.md5);
    }
    check_subject("");
    CHECK_FLOOR(uploaded, 50, "meshes of our own uploaded");
}

static void md5_test_textures(void)
{
    static const uint8_t picture[5 + 24] = { 'P', 'I', 'C', 2,  3,  1,  2,  3,  4,  5,
                                             6,   7,   8,   11, 12, 13, 14, 15, 16, 17,
                                             18,  21,  22,  23, 24, 25, 26, 27, 28 };
    static const uint8_t flipped[24] = { 21, 22, 23, 24, 25, 26, 27, 28, 11, 12, 13, 14,
                                         15, 16, 17, 18, 1,  2,  3,  4,  5,  6,  7,  8 };
    counting_allocator memory;
    choice options;
    md5_error error;
    fake_state then;
    model from = md5_try_load(GRID), from_below; /* its shader is models/grid/grid */
    char path[600];
    uint32_t texture;
    unsigned own, i;
    m5_text text;
    void *gl;
    memset(&text, 0, sizeof text);
    md5_grid(&text, 3, 2);
    from_below = md5_from_text(&text, MD5_FLIP_V, 0);
    forget("grid_d.tga");
    forget("grid.png");
    pictures_decoded = pictures_freed = 0;
    begin(false, &memory, &options);
    fake_gl_set_hostile();
    then = fake.state;
    gl = create_or_abort(&libraries[1], &options);
    own = fake_gl_live(FAKE_KINDS);
    snprintf(path, sizeof path, "%s/gl_mock_model.md5mesh", folder);
    CHECK_EQ(md5_gl_load_texture((md5_gl *)gl, from.md5, path, 0, &error), 0);
    CHECK_EQ(error.code, MD5_ERROR_OPEN);
    CHECK_EQ(error.line, 0);
    CHECK(strstr(error.message, "gl_mock_model.md5mesh") != NULL);
    save("grid_d.tga", picture, sizeof picture);
    texture = md5_gl_load_texture((md5_gl *)gl, from.md5, path, 0, &error);
    CHECK_EQ(error.code, MD5_OK);
    expect_texels(texture, 2, 3, picture + 5);
    fake_glDeleteTextures(1, &texture);
    texture = md5_gl_load_texture((md5_gl *)gl, from_below.md5, path, 0, &error);
    expect_texels(texture, 2, 3, flipped);
    fake_glDeleteTextures(1, &texture);
    CHECK_EQ(md5_gl_load_texture((md5_gl *)gl, from.md5, path, 1, &error),
             0); /* there is no mesh 1 */
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    CHECK_EQ(md5_gl_load_texture(NULL, from.md5, path, 0, &error), 0);
    CHECK_EQ(error.code, MD5_ERROR_ARGUMENT);
    CHECK_EQ(md5_gl_load_texture((md5_gl *)gl, NULL, path, 0, NULL), 0);
    CHECK_EQ(md5_gl_load_texture((md5_gl *)gl, from.md5, NULL, 0, NULL), 0);
    for (i = 1; i < 6; ++i) {
        memory.allocations = 0;
        memory.fail_at = i;
        texture = md5_gl_load_texture((md5_gl *)gl, from.md5, path, 0, &error);
        CHECK(texture || error.code != MD5_OK);
        fake_glDeleteTextures(1, &texture);
    }
    memory.fail_at = 0;
    fake.gpu_requests = 0;
    fake.gpu_fail_at = 1;
    CHECK_EQ(md5_gl_load_texture((md5_gl *)gl, from.md5, path, 0, &error), 0);
    CHECK_TEXT(error.message, "the GPU has no memory left");
    fake.gpu_fail_at = 0;
    save("grid_d.tga", "no picture", 10);
    CHECK_EQ(md5_gl_load_texture((md5_gl *)gl, from.md5, path, 0, &error), 0);
    CHECK(error.code != MD5_OK && error.message[0]);
    forget("grid_d.tga");
    CHECK(fake_gl_difference(&then) == NULL);
    CHECK_EQ(fake_gl_live(FAKE_KINDS), own);
    CHECK(pictures_decoded >= 2);
    CHECK_EQ(pictures_decoded, pictures_freed);
    md5_gl_destroy((md5_gl *)gl);
    expect_no_mistakes();
    CHECK(counting_is_clean(&memory));
    md5_free_model(from.md5);
    md5_free_model(from_below.md5);
}

/* -- The fake itself must be able to complain ------------------------------ */

static void expect_mistake(const char *what)
{
    if (!CHECK(fake.mistakes > 0)) printf("    not noticed: %s\n", what);
    fake.mistakes = 0;
}

static void test_the_fake(void)
{
    static const uint8_t pixels[64] = { 0 };
    unsigned name, shader;
    fake_gl_reset();
    fake_gl_start_count();
    fake_glGenBuffers(1, &name);
    CHECK_EQ(fake.mistakes, 0);
    fake_glDeleteBuffers(1, &name);
    CHECK_EQ(fake.mistakes, 0);
    fake_glDeleteBuffers(1, &name);
    expect_mistake("a buffer deleted twice");
    fake_glBindTexture(FAKE_TEXTURE_2D, name);
    expect_mistake("a buffer bound as a texture");
    fake_glGenTextures(1, &name);
    fake_glBindTexture(FAKE_TEXTURE_2D, name);
    fake_glTexImage2D(FAKE_TEXTURE_2D, 0, FAKE_RGBA8UI, 4, 4, 0, FAKE_RGBA, FAKE_UNSIGNED_BYTE,
                      pixels);
    expect_mistake("integer storage from a format that is not");
    fake_glTexImage2D(FAKE_TEXTURE_2D, 0, FAKE_RGBA8UI, 4, 4, 0, FAKE_RGBA_INTEGER,
                      FAKE_UNSIGNED_BYTE, pixels);
    CHECK_EQ(fake.mistakes, 0);
    CHECK(!fake_is_complete(&fake.object[name])); /* filtered as textures begin */
    fake_glTexParameteri(FAKE_TEXTURE_2D, FAKE_MIN_FILTER, FAKE_NEAREST);
    CHECK(!fake_is_complete(&fake.object[name]));
    fake_glTexParameteri(FAKE_TEXTURE_2D, FAKE_MAG_FILTER, FAKE_NEAREST);
    CHECK(fake_is_complete(&fake.object[name]));
    fake_glTexSubImage2D(FAKE_TEXTURE_2D, 0, 1, 0, 4, 1, FAKE_RGBA_INTEGER, FAKE_UNSIGNED_BYTE,
                         pixels);
    expect_mistake("a part outside the texture");
    fake_glTexImage2D(FAKE_TEXTURE_2D, 0, FAKE_RGBA8, 16385, 1, 0, FAKE_RGBA, FAKE_UNSIGNED_BYTE,
                      NULL);
    expect_mistake("a texture beyond the limit");
    fake_glDrawElementsInstanced(FAKE_TRIANGLES, 3, FAKE_UNSIGNED_INT, NULL, 1);
    expect_mistake("a draw without a program");
    fake_glBindBuffer(FAKE_ELEMENT_BUFFER, 0);
    expect_mistake("an element buffer without a vertex array");
    shader = fake_glCreateShader(FAKE_VERTEX_SHADER);
    fake_glUseProgram(shader);
    expect_mistake("a shader in use as a program");
    fake_gl_get_proc("glFrobnicate");
    expect_mistake("a function that there is not");
    fake_gl_get_proc("glEnable")();
    expect_mistake("a call that is the caller's alone");
    CHECK_EQ(fake_gl_live(FAKE_KINDS), 2);
    fake_gl_reset();
}

/* Draws from a mesh of which something was spoilt; the fake must see it. */
static void test_the_fake_at_draws(const library *lib)
{
    static const char *const what[] = {
        "a sampler left on the unit",           "a texture that is not complete",
        "an index outside the vertices",        "an attribute that is off",
        "a float where a whole number is read", "instances of an earlier draw"
    };
    counting_allocator memory;
    choice options;
    report said;
    mesh one;
    model from = lib->load(SMALL);
    crowd who = lib->people(&from, 2);
    fake_object *array;
    unsigned i, k;
    for (i = 0; i < 6; ++i) {
        void *gl;
        begin(false, &memory, &options);
        options.leave_state = true;
        gl = create_or_abort(lib, &options);
        CHECK(lib->upload(gl, &from, &one, &said));
        lib->draw(gl, &one, 0, &who, 2);
        expect_no_mistakes();
        array = &fake.object[one.vao];
        if (i == 0) fake.state.sampler[0] = fake.state.sampler[1] = fake_new(FAKE_SAMPLER);
        if (i == 1) fake.object[one.data_texture].min_filter = FAKE_LINEAR;
        if (i == 2) memset(fake.object[one.index_buffer].data, 0x7F, 4);
        if (i == 3) array->attribute[1].enabled = false;
        for (k = 0; k < FAKE_ATTRIBUTES; ++k) {
            if (i == 4 && array->attribute[k].whole) array->attribute[k].whole = false;
            if (i != 5 && array->attribute[k].divisor)
                fake.object[array->attribute[k].buffer].filled = fake.serial + 1;
        }
        fake_glDrawElementsInstanced(FAKE_TRIANGLES, (int)one.index_count, FAKE_UNSIGNED_INT, NULL,
                                     2);
        expect_mistake(what[i]);
        lib->free_mesh(gl, &one);
        lib->destroy(gl);
    }
    lib->free_people(&who);
    lib->free_model(&from);
}

int main(int argc, char **argv)
{
    int i;
    folder = argc > 1 ? argv[1] : ".";
    check_section("the fake itself");
    test_the_fake();
    for (i = 0; i < LIBRARIES; ++i) {
        const library *lib = &libraries[i];
        check_section(lib->name);
        test_the_fake_at_draws(lib);
        test_life(lib, false);
        test_life(lib, true);
        test_nulls(lib);
        test_missing_functions(lib);
        test_refused_shaders(lib);
        test_shader_sources(lib);
        test_no_memory(lib, PLAYER);
        test_no_memory(lib, TRIANGLES);
        test_memory_comes_back(lib);
        test_call_counts(lib);
        test_steady_frames(lib);
        test_state(lib, 0);
        test_state(lib, 7);
        test_state(lib, 13);
        test_leave_state(lib);
        test_two_renderers(lib);
        test_lost_context(lib);
        test_full_gpu(lib);
        test_triangle_order(lib);
    }
    check_section("both");
    test_scenes();
    test_limits();
    test_widths();
    test_small_orders();
    md2_test_contents(0);
    md2_test_contents(MD2_Y_UP);
    md5_test_contents();
    check_section("md2");
    md2_test_defaults();
    md2_test_frames_out_of_range();
    md2_test_texture_limit();
    md2_test_all_models();
    md2_test_gpu_bytes();
    md2_test_skins();
    check_section("md5");
    md5_test_palettes();
    md5_test_defaults();
    md5_test_split();
    md5_test_too_many_joints();
    md5_test_all_models();
    md5_test_textures();
    fake_gl_reset();
    return check_finish();
}
