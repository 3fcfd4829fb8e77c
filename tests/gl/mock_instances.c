/* mock_instances.c: scenes, instances and palettes as they reach the shaders. Public domain. */
#include "mock.h"
#include "md2.h"
#include "md5.h"

/* -- One instance ---------------------------------------------------------- */

typedef struct record { uint8_t bytes[256]; size_t size; } record;

/* The bytes that a draw of the first instance sends. */
static record sent_record(fixture *f)
{
    const fake_object *buffer;
    record sent;
    memset(&sent, 0, sizeof sent);
    draw(f, 1);
    buffer = streamed(&f->one);
    if (CHECK(buffer != NULL && buffer->size > 0 && buffer->size <= sizeof sent.bytes)) {
        sent.size = buffer->size;
        memcpy(sent.bytes, buffer->data, sent.size);
    }
    return sent;
}

static bool sends(fixture *f, const record *wanted)
{
    record sent = sent_record(f);
    return sent.size == wanted->size && memcmp(sent.bytes, wanted->bytes, sent.size) == 0;
}

/* All zero is frame 0 or the bind pose, white, at the origin. */
void test_defaults(const library *lib)
{
    float *transform;
    record zero;
    fixture f;
    int i;
    fixture_load(&f, lib, SMALL, 1);
    begin_context(&f, false);
    create_and_upload(&f);
    lib->first_transform(&f.who, false);
    zero = sent_record(&f);
    lib->first_transform(&f.who, true);
    CHECK(sends(&f, &zero));
    for (i = 0; i < 4; ++i) {
        lib->first_tint(&f.who)[i] = 0.5f;
        CHECK(!sends(&f, &zero));
        lib->first_transform(&f.who, false);
        lib->first_tint(&f.who)[i] = 0.5f; /* one component alone is a tint */
        CHECK(!sends(&f, &zero));
        lib->first_tint(&f.who)[i] = -1;
        CHECK(!sends(&f, &zero));
        lib->first_transform(&f.who, true);
    }
    for (i = 0; i < 15; ++i) {
        transform = lib->first_transform(&f.who, true);
        transform[i] += 0.5f;
        if (i % 4 != 3) CHECK(!sends(&f, &zero));
        transform[15] = -1;           /* [15] may have any sign */
        if (i % 4 != 3) CHECK(!sends(&f, &zero));
        transform = lib->first_transform(&f.who, false);
        transform[i] = 3;             /* with [15] of 0 the rest has no effect */
        CHECK(sends(&f, &zero));
        transform[15] = i % 2 ? 1.0f : -1.0f;
        CHECK(!sends(&f, &zero));
    }
    end_context(&f, 0);
    fixture_free(&f);
}

static const float *sent_scene(const library *lib)
{
    const fake_object *program = &fake.object[fake.last.program];
    int i;
    for (i = 0; i < program->uniform_count; ++i) {
        if (strcmp(program->uniform[i].name, lib->scene) == 0) return program->uniform[i].value;
    }
    return NULL;
}

/* With keep_zeros a tint of all 0 is black and clear, and an ambient of 0 is none. */
void test_kept_zeros(const library *lib)
{
    static const uint8_t black[16] = { 0 };
    lighting light;
    const float *sent;
    record first;
    fixture f;
    memset(&light, 0, sizeof light);
    light.light[0] = 1;
    fixture_load(&f, lib, SMALL, 1);
    begin_context(&f, false);
    f.options.keep_zeros = f.options.cut_out = true;
    create_and_upload(&f);
    CHECK(strstr(fake.object[fake.object[lib->program(f.gl)].shaders[1]].source, "#define CUT_OUT\n"));
    lib->first_transform(&f.who, false);
    first = sent_record(&f);
    CHECK(memcmp(first.bytes, black, sizeof black) == 0); /* a record begins with the tint */
    lib->draw_lit(f.gl, &f.one, &light, &f.who);
    sent = sent_scene(lib);
    if (CHECK(sent != NULL)) CHECK_NEAR(sent[19], 0, 0);
    end_context(&f, 0);
    fixture_free(&f);
}

void md2_test_frames_out_of_range(void)
{
    static const int which[2] = { PLAYER, SMALL };
    static const uint16_t wild[4] = { 198, 999, 32768, 65535 };
    md2_gl_instance *first;
    md2_pose pose;
    record last;
    fixture f;
    uint32_t end;
    int k, i;
    for (k = 0; k < 2; ++k) {
        fixture_load(&f, &libraries[0], which[k], 1);
        begin_context(&f, false);
        create_and_upload(&f);
        first = &f.who.md2[0];
        end = f.from.md2->frame_count - 1;
        first->pose = pose = md2_pose_between(end, end, 0);
        last = sent_record(&f);
        for (i = 0; i < 4; ++i) {
            first->pose.frame[0] = wild[i];
            CHECK(sends(&f, &last));
        }
        first->pose = pose;
        first->pose.count = 1;
        first->pose.frame[1] = 12345; /* beyond the count: without effect */
        first->pose.weight[1] = 7;
        CHECK(sends(&f, &last));
        first->pose = md2_pose_between(0, 0, 0);
        last = sent_record(&f);
        first->pose.frame[0] = 40;
        first->pose.count = 0;        /* a count of 0 is frame 0 */
        CHECK(sends(&f, &last));
        first->pose.count = 4000000000u; /* more than there are */
        draw(&f, 1);
        fake_gl_start_count();
        draw(&f, (size_t)-1);
        draw(&f, (size_t)-1 / sizeof *first + 2);
        CHECK_EQ(fake.calls, 0);
        end_context(&f, 0);
        fixture_free(&f);
    }
}

/* Entries of weight 0 are left out, because the shader stops at the first; all eight have effect. */
void md2_test_eight_frames(void)
{
    md2_gl_instance *first;
    md2_pose packed;
    record all, last;
    fixture f;
    uint16_t i;
    fixture_load(&f, &libraries[0], PLAYER, 1);
    begin_context(&f, false);
    create_and_upload(&f);
    first = &f.who.md2[0];
    memset(&packed, 0, sizeof packed);
    packed.count = 8;
    for (i = 0; i < 8; ++i) {
        packed.frame[i] = (uint16_t)(10 + i);
        packed.weight[i] = 0.125f;
    }
    first->pose = packed;
    all = sent_record(&f);
    for (i = 0; i < 8; ++i) {
        ++first->pose.frame[i];
        CHECK(!sends(&f, &all));
        first->pose = packed;
        first->pose.weight[i] = 0;
        last = sent_record(&f);
        CHECK(!sends(&f, &all));
        memmove(first->pose.frame + i, first->pose.frame + i + 1, sizeof(uint16_t) * (7u - i));
        memmove(first->pose.weight + i, first->pose.weight + i + 1, sizeof(float) * (7u - i));
        first->pose.count = 7;
        CHECK(sends(&f, &last));
        first->pose = packed;
    }
    end_context(&f, 0);
    fixture_free(&f);
}

/* -- The scene ------------------------------------------------------------- */

static const struct {
    float ambient, light[3], row_z[3], row_w[3]; /* of the projection */
    float sent[4];
} lightings[] = {
    { 0.5f, { 0, 0, 2 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 0, 1, 0.5f } },
    { 0.125f, { 3, 0, -4 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0.6f, 0, -0.8f, 0.125f } },
    { 0, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 1, 0, 0.25f } },
    { -1, { 0, 1, 0 }, { 0, 0, 1 }, { 0, 0, 1 }, { 0, 1, 0, 0.25f } },
    { 2, { 0, 0, 0 }, { 1, 2, 3 }, { 0, 4, -3 }, { 0, -0.8f, 0.6f, 2 } }, /* from the camera */
    { 2, { 0, 0, 0 }, { 0, 5, 12 }, { 0, 0, 0 }, { 0, -0.3846154f, -0.9230769f, 2 } }
};

void test_scenes(const library *lib)
{
    fixture f;
    size_t i;
    int k;
    fixture_load(&f, lib, SMALL, 1);
    begin_context(&f, false);
    create_and_upload(&f);
    for (i = 0; i < sizeof lightings / sizeof lightings[0]; ++i) {
        const float *sent;
        lighting light;
        light.ambient = lightings[i].ambient;
        memcpy(light.light, lightings[i].light, sizeof light.light);
        for (k = 0; k < 16; ++k) light.projection[k] = (float)k * 0.125f;
        for (k = 0; k < 3; ++k) {
            light.projection[4 * k + 2] = lightings[i].row_z[k];
            light.projection[4 * k + 3] = lightings[i].row_w[k];
        }
        lib->draw_lit(f.gl, &f.one, &light, &f.who);
        sent = sent_scene(lib);
        if (!CHECK(sent != NULL)) continue;
        CHECK(memcmp(sent, light.projection, sizeof light.projection) == 0);
        for (k = 0; k < 4; ++k) CHECK_NEAR(sent[16 + k], lightings[i].sent[k], 1e-6);
        if (f.from.md2) CHECK_EQ(sent[20], f.from.md2->point_count);
    }
    end_context(&f, 0);
    fixture_free(&f);
}

/* -- Palettes -------------------------------------------------------------- */

static const fake_object *md5_drawn_palettes(const mesh *one)
{
    const fake_object *palettes = NULL;
    int                i;
    for (i = 0; i < 3; ++i) {
        const fake_object *texture = &fake.object[fake.last.texture[i]];
        if (texture->storage == FAKE_RGBA32F && fake.last.texture[i] != one->data_texture) {
            palettes = texture;
        }
    }
    return palettes;
}

/* Checks that the shader has the length of the rows, and the place of the last instance's
   matrices. */
static void md5_expect_places(const mesh *one, uint32_t joints)
{
    const fake_object *buffer = streamed(one), *palettes = md5_drawn_palettes(one);
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
void md5_test_palettes(void)
{
    fixture f, other;
    model second;
    mesh box, *sleeve = &f.one;
    unsigned long fresh, again;
    const float *keep;
    const library *lib = &libraries[1];
    fixture_load(&f, lib, PLAYER, 60);
    fixture_load(&other, lib, GRID, 40); /* 40 of 9 joints are as many matrices as 60 of 6 */
    second = f.from;
    second.md5_mesh = 1;
    begin_context(&f, false);
    f.options.leave_state = true;
    create_and_upload(&f);
    other.gl = f.gl;
    CHECK(lib->upload(f.gl, &second, &box, &f.said) && upload(&other));
    fake_gl_start_count();
    draw(&f, 60);
    CHECK(texture_uploads() >= 1);
    draw(&f, 60);
    f.who.palettes[3 * 12 + 5] += 1;  /* changed where they lie */
    fake_gl_start_count();
    draw(&f, 60);
    fresh = fake.calls;
    CHECK(texture_uploads() >= 1);
    fake_gl_start_count();
    lib->draw(f.gl, &box, 0, &f.who, 60);
    again = fake.calls;
    CHECK_EQ(texture_uploads(), 0);
    CHECK_EQ(fake_gl_calls("glBufferData"), 1); /* transforms and tints are sent all the same */
    f.who.palettes[59 * 72 + 71] += 1; /* the last number */
    fake_gl_start_count();
    lib->draw(f.gl, &box, 0, &f.who, 60);
    CHECK(texture_uploads() >= 1);
    keep = f.who.md5[5].palette;
    f.who.md5[5].palette = NULL;      /* the bind pose in the place of another, once, and back */
    fake_gl_start_count();
    lib->draw(f.gl, &box, 0, &f.who, 60);
    lib->draw(f.gl, sleeve, 0, &f.who, 60);
    CHECK_EQ(texture_uploads(), 1);
    f.who.md5[5].palette = keep;
    lib->draw(f.gl, &box, 0, &f.who, 60);
    CHECK_EQ(texture_uploads(), 2);
    fake_gl_start_count();
    draw(&other, 40);
    draw(&f, 59);
    draw(&f, 60);
    CHECK(texture_uploads() >= 2);
    md5_expect_places(sleeve, 6);
    draw(&f, 1);                      /* the same matrices, in a shorter row */
    md5_expect_places(sleeve, 6);
    draw(&f, 60);
    md5_expect_places(sleeve, 6);
    printf("md5, leave_state: %lu GL calls with new palettes, %lu with those of the mesh before\n",
           fresh, again);
    CHECK(fresh <= lib->calls && again < fresh);
    lib->free_mesh(f.gl, &box);
    lib->free_mesh(f.gl, &other.one);
    end_context(&f, 0);
    fixture_free(&f);
    fixture_free(&other);
}

/* A crowd whose matrices no texture holds is refused, and no GL call made. */
void md5_test_most_palettes(void)
{
    enum { MOST = 1024 * 1024 / 27 }; /* of 9 joints */
    fixture f;
    fixture_load(&f, &libraries[1], GRID, MOST + 1);
    begin_context(&f, false);
    fake.max_texture_size = 1024;
    create_and_upload(&f);
    CHECK(draw(&f, MOST));
    md5_expect_places(&f.one, 9);
    fake_gl_start_count();
    CHECK(!draw(&f, MOST + 1));
    CHECK_EQ(fake.calls, 0);
    f.lib->last_error(f.gl, &f.said);
    CHECK_TEXT(f.said.message, "the joints of all instances take 1048599 texels, more than a "
                               "texture of 1024 rows holds");
    end_context(&f, 0);
    fixture_free(&f);
}
