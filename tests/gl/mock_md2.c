/* test_gl_mock for md2.h. Public domain. */

/* A game may have one header that enables the renderer, and one source file that also enables pictures. */
#define MD2_GL
#include "md2.h"
#include "mock.h"

static uint32_t (*const md2_load_image)(md2_gl *, const md2_model *, const char *, uint32_t,
                                        md2_error *) = md2_gl_load_skin;

#define NAME              "md2"
#define UNITS             2u
#define SCENE             "md2_scene"
#define SKIN              "skin"
#define CALLS             10
#define QUERIES           8
#define BLOCKS            1
#define SHOWN(f)          ((f)->from)
#define DATA_TEXTURE(mesh) ((mesh).frame_texture)
#define UPLOAD(gl, from, number, mesh, error) ((void)(number), md2_gl_upload(gl, from, mesh, error))
#define LOAD_TEXTURE      md2_load_image
#define LOAD_PIXELS       md2_load_skin
#define FREE_PIXELS       md2_free_image
#define PROGRAM(gl)       md2_gl_program(gl, 0)
#define ANY_PROGRAM(gl)   md2_gl_program(gl, 1)
#define GIVE_FIRST_POSE(first) ((first)->pose = md2_pose_between(0, 0, 0))
#define CHECK_SCENE(f, sent) \
    do { \
        CHECK_EQ(sent[20], (f)->from->point_count); \
        CHECK_EQ(sent[21], 0); \
    } while (0)
#define MODEL_FILE        "gl_mock_model.md2"
#define PICTURED          SMALL       /* its skin is models/cube/cube.pcx */
#define PICTURE_FILE      "gl_mock_model.tga"
#define MISSING_PICTURE   "no picture for the skin models/cube/cube.pcx; first tried: "
#define FIRST_TRIED       "/cube.pcx"
#define GREAT_CROWD       400000      /* instances of 208 bytes */
#include "tests/both/names_md2.h"
#include "mock_fixture.h"
#include "mock_renderer.h"
#include "mock_drawing.h"

/* Returns a grid of 40 x 40 squares with its triangles in random order. */
static m2_bytes grid(void)
{
    enum { SIDE = 40, SQUARES = (SIDE - 1) * (SIDE - 1), TRIS = 2 * SQUARES };
    m2_file f;
    m2_begin(&f, 0, SIDE * SIDE, SIDE * SIDE, TRIS, 0, 2);
    m2_frame(&f, 0, "a1", 0.5f, -3.0f);
    m2_frame(&f, 1, "a2", 0.25f, 3.0f);
    for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
        m2_set_point(&f, 0, i, (int)(i % SIDE) * 5, (int)(i / SIDE) * 5, 7, (int)(i % 162));
        m2_set_point(&f, 1, i, (int)(i / SIDE) * 5, (int)(i % SIDE) * 5, 9, (int)(i % 161));
        f.st[i * 2] = (int16_t)(i % SIDE);
        f.st[i * 2 + 1] = (int16_t)(i / SIDE);
    }
    for (uint32_t i = 0; i < TRIS; ++i) {
        uint32_t shuffled = i * 1013 % TRIS, square = shuffled / 2; /* 1013 is prime */
        uint32_t at = square / (SIDE - 1) * SIDE + square % (SIDE - 1);
        uint32_t corner[2][3] = { { 0, 1, SIDE }, { 1, SIDE + 1, SIDE } };
        for (uint32_t k = 0; k < 3; ++k)
            f.tris[i * 6 + k] = f.tris[i * 6 + 3 + k] = (uint16_t)(at + corner[shuffled % 2][k]);
    }
    return m2_write(&f);
}

static md2_model *load(int which, uint32_t flags, uint32_t *number)
{
    *number = 0;
    return md2_from_bytes(which == SMALL ? m2_named("cube") : which == PLAYER ? m2_named("player")
                          : which == GRID ? grid() : m2_random(5, 50, 60000, 1), flags);
}

static void pose_people(fixture *f, size_t count)
{
    uint32_t frames = f->from->frame_count;
    for (uint32_t i = 0; i < count; ++i)
        f->people[i].pose = md2_pose_between(i % frames, (i + 1) % frames, 0.25f);
}

static void test_programs(fixture *f)
{
    md2_pose *pose = &f->people[0].pose;
    CHECK(md2_gl_program(f->gl, 0) != md2_gl_program(f->gl, 1));
    CHECK_EQ(md2_gl_program(f->gl, 2), 0);
    for (pose->count = 1; pose->count <= 8; ++pose->count) {
        check_step("%u frames", (unsigned)pose->count);
        pose->weight[pose->count - 1] = 0.125f;
        CHECK(draw(f, 1));
        CHECK_EQ(fake.last.program, md2_gl_program(f->gl, pose->count > 2));
    }
}

static void test_no_listed_skin(fixture *f)
{
    CHECK_EQ(md2_gl_load_skin(f->gl, f->from, "no folder/cube.md2", 99, &f->error), 0);
    CHECK(strstr(f->error.message, "no picture for the skin of a model that lists none"));
}

static void test_frames_out_of_range(fixture *f)
{
    static const uint16_t wild[4] = { 198, 999, 32768, 65535 };
    uint32_t end = f->from->frame_count - 1;
    md2_gl_instance *first = f->people;
    md2_pose pose = md2_pose_between(end, end, 0);
    first->pose = pose;
    record last = sent_record(f);
    for (uint32_t i = 0; i < 4; ++i) {
        check_step("frame %u, beyond the model's last, %u", (unsigned)wild[i], (unsigned)end);
        first->pose.frame[0] = wild[i];
        CHECK(sends(f, &last));
    }
    check_step("a frame after the pose's count of 1");
    first->pose = pose;
    first->pose.count = 1;
    first->pose.frame[1] = 12345;
    first->pose.weight[1] = 7;
    CHECK(sends(f, &last));

    check_step("a count of 0 means frame 0");
    first->pose = md2_pose_between(0, 0, 0);
    last = sent_record(f);
    first->pose.frame[0] = 40;
    first->pose.count = 0;
    CHECK(sends(f, &last));

    check_step("a count of 4,000,000,000, more than a pose has");
    first->pose.count = 4000000000u;
    draw(f, 1);
    fake_gl_start_count();
    draw(f, (size_t)-1);
    draw(f, (size_t)-1 / sizeof *first + 2);
    CHECK_EQ(fake.calls, 0);
}

/* Frames of weight 0 are left out, because the shader stops at the first weight of 0. */
static void test_eight_frames(fixture *f)
{
    md2_pose *pose = &f->people[0].pose, packed;
    uint16_t i;
    memset(&packed, 0, sizeof packed);
    packed.count = 8;
    for (i = 0; i < 8; ++i) {
        packed.frame[i] = (uint16_t)(10 + i);
        packed.weight[i] = 0.125f;
    }
    *pose = packed;
    record all = sent_record(f);
    for (i = 0; i < 8; ++i) {
        check_step("another frame[%u]", (unsigned)i);
        ++pose->frame[i];
        CHECK(!sends(f, &all));
        check_step("weight[%u] 0", (unsigned)i);
        *pose = packed;
        pose->weight[i] = 0;
        record last = sent_record(f);
        CHECK(!sends(f, &all));
        memmove(pose->frame + i, pose->frame + i + 1, sizeof(uint16_t) * (7u - i));
        memmove(pose->weight + i, pose->weight + i + 1, sizeof(float) * (7u - i));
        pose->count = 7;
        CHECK(sends(f, &last));
        *pose = packed;
    }
}

/* Writes a PCX of 4,097 x 4,096 pixels in one color. */
static void save_wide_pcx(void)
{
    enum { HEADER = 128, RUNS = 270000, PALETTE = 768 };
    static uint8_t file[HEADER + 2 * RUNS + PALETTE] = { 10, 5, 1, 8, 0, 0, 0, 0, 0x00, 0x10, 0xFF, 0x0F };
    file[65] = 1;                     /* plane */
    file[66] = 0x02;                  /* rows of 0x1002 bytes */
    file[67] = 0x10;
    for (size_t i = 0; i < RUNS; ++i) file[HEADER + 2 * i] = 0xFF; /* 63 times color 0 */
    save("cube.pcx", file, sizeof file);
}

static void test_pcx(fixture *f)
{
    m2_bytes pcx = m2_pcx(61, 40, 64, M2_PCX_RUNS);
    uint32_t width, height;
    uint8_t *pixels = md2_load_pcx_memory(pcx.data, pcx.size, &width, &height, NULL, NULL);
    CHECK(pixels != NULL);
    save("gl_mock_model.tga", picture, sizeof picture);
    save("cube.pcx", pcx.data, pcx.size);
    expect_texels(load_picture(f, f->from), 61, 40, pixels);
    check_step("the GPU has no memory");
    fake.gpu_requests = 0;
    fake.gpu_fail_at = 1;
    expect_no_picture(f, "the GPU has no memory left");
    fake.gpu_requests = fake.gpu_fail_at = 0;
    forget("gl_mock_model.tga");
    check_step("a PCX with three planes cannot be read, and the message says why");
    pcx.data[65] = 3;
    save("cube.pcx", pcx.data, pcx.size);
    expect_no_picture(f, "a PCX with 3 planes of 8 bits, not 1 plane of 8 bits: ");
    CHECK(strstr(f->error.message, "cube.pcx") != NULL);
    check_step("the PCX cannot be read, but the picture next to it can");
    save("gl_mock_model.tga", picture, sizeof picture);
    save("cube.pcx", "no picture", 10);
    expect_texels(load_picture(f, f->from), 2, 3, picture + 5);
    forget("cube.pcx");
    forget("gl_mock_model.tga");
    md2_free_image(pixels);
    m2_free(&pcx);
}

/* -- Without OpenGL ------------------------------------------------------------ */

static void test_load_skin(fixture *f)
{
    m2_bytes pcx = m2_pcx(61, 40, 64, M2_PCX_RUNS);
    uint32_t width, height;
    uint8_t *pixels = md2_load_pcx_memory(pcx.data, pcx.size, &width, &height, NULL, NULL);
    save("gl_mock_model.tga", picture, sizeof picture);
    check_step("a PCX comes before files for stb_image");
    save("cube.pcx", pcx.data, pcx.size);
    expect_pixels(f, NULL, 61, 40, pixels, "");
    check_step("a PCX that cannot be read");
    forget("gl_mock_model.tga");
    pcx.data[65] = 3;
    save("cube.pcx", pcx.data, pcx.size);
    expect_pixels(f, NULL, 0, 0, NULL, "a PCX with 3 planes of 8 bits, not 1 plane of 8 bits: ");
    expect_pixels(f, NULL, 0, 0, NULL, "cube.pcx");
    check_step("more pixels than fit in 64 MiB");
    char message[80];
    save_wide_pcx();
    snprintf(message, sizeof message, "needs %lu more bytes, but max_bytes is 67108864: ",
             67125248ul + (unsigned long)(sizeof(md2_allocator) + sizeof(size_t) + 15) / 16 * 16);
    expect_pixels(f, NULL, 0, 0, NULL, message);
    expect_pixels(f, NULL, 0, 0, NULL, "cube.pcx");
    forget("cube.pcx");
    md2_free_image(pixels);
    m2_free(&pcx);
}

/* The fake GL checks that formats are integer formats and sizes fit. */
static void test_smoothed(fixture *f)
{
    md2_model *smoothed = md2_smooth_model(f->from, NULL, NULL);
    md2_free_model(f->from);
    f->from = smoothed;
    create_and_upload(f);
    CHECK(draw(f, 1));
    CHECK_EQ(fake.object[f->one.frame_texture].storage, FAKE_RGBA16UI);
    end_context(f, 0);
}

static const gl_test md2_only_tests[] = {
    GL_TEST(programs, "program 0 draws poses of up to two frames, 1 all others", PLAYER, 1, true),
    GL_TEST(no_listed_skin, "if a model lists no skin, the error says so", SMALL, 1, true),
    GL_TEST(eight_frames, "all eight frames of a pose count, except those of weight 0",
            PLAYER, 1, true)
};

static const gl_test md2_only_edges[] = {
    GL_TEST(frames_out_of_range, "a frame after the last counts as the last", SMALL | PLAYER, 1, true),
    GL_TEST(smoothed, "a smoothed model has points of 16 bits on the GPU", PLAYER, 1, false),
    GL_TEST(load_skin, "also without OpenGL a skin is loaded from a PCX", SMALL, 1, false),
    GL_TEST(pcx, "a skin's PCX file comes before the picture next to the model", SMALL, 1, true)
};

void md2_test_library(void)
{
    check_chapter(NAME);
    RUN_ALL(shared_tests);
    RUN_ALL(md2_only_tests);
    RUN_ALL(edges);
    RUN_ALL(md2_only_edges);
}
