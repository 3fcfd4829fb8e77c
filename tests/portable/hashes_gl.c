/* Hashes of all that reaches the GPU: buffers, vertex arrays, textures. Public domain. */
#define MD2_GL
#define MD5_GL
#include "hashes.h"

#include "check.h"
#include "fake_gl.h"
#include "model_builder_md5.h"

static size_t gl_unit(unsigned type)
{
    return type == FAKE_UNSIGNED_BYTE ? 1 : type == FAKE_UNSIGNED_SHORT ? 2 : 4;
}

/* Numbers as this machine keeps them, lowest byte first. */
static void hash_units(row *r, const uint8_t *at, size_t unit, size_t count)
{
    uint32_t word = 0;
    uint16_t half;
    for (; count; --count, at += unit) {
        if (unit == 1) word = *at;
        if (unit == 2) memcpy(&half, at, 2), word = half;
        if (unit == 4) memcpy(&word, at, 4);
        hash_word(r, word, (int)unit);
    }
}

static void hash_gl_attribute(row *r, const fake_attribute *a)
{
    const fake_object *buffer = &fake.object[a->buffer];
    size_t unit = gl_unit(a->type), row_size = unit * (size_t)a->size;
    size_t stride = a->stride ? (size_t)a->stride : row_size;
    hash_values(r, "%d %u %u", a->size, a->type, a->divisor);
    for (size_t at = a->offset; at + row_size <= buffer->size; at += stride) {
        hash_units(r, buffer->data + at, unit, (size_t)a->size);
    }
}

/* Of the texture at unit 1, `known` numbers: the last row of what holds palettes need not be full. */
static void hash_gl_objects(row *r, size_t known)
{
    CHECK_TEXT(fake.first_mistake, "");
    for (unsigned name = 1; name <= fake.names; ++name) {
        const fake_object *o = &fake.object[name];
        if (!o->live) continue;
        hash_int(r, o->kind);
        if (o->kind == FAKE_TEXTURE) {
            size_t unit = o->storage == FAKE_RGBA32F ? 4 : 1, units = o->size / unit;
            hash_values(r, "%d %d %d", o->width, o->height, o->storage);
            if (name == fake.last.texture[1] && units > known) units = known;
            hash_units(r, o->data, unit, units);
        }
        for (int i = 0; o->kind == FAKE_ARRAY && i < FAKE_ATTRIBUTES; ++i) {
            if (o->attribute[i].enabled) hash_gl_attribute(r, &o->attribute[i]);
        }
        if (o->kind == FAKE_ARRAY && o->element_buffer) {
            const fake_object *elements = &fake.object[o->element_buffer];
            hash_units(r, elements->data, 4, elements->size / 4);
        }
    }
}

static void hash_gl_md2(const m2_bytes *bytes)
{
    static md2_gl_scene scene;
    static md2_gl_instance instances[5];
    md2_model *m = md2_load_memory(bytes->data, bytes->size, NULL, NULL);
    md2_gl_mesh mesh;
    if (!m) return;
    fake_gl_reset();
    for (int i = 0; i < 5; ++i) instances[i].pose = random_md2_pose(m, i + 1);
    md2_gl *gl = md2_gl_create(fake_gl_get_proc, NULL, NULL);
    CHECK(gl && md2_gl_upload(gl, m, &mesh, NULL));
    md2_gl_draw(gl, &mesh, 0, &scene, instances, 5);
    hash_gl_objects(row_of("md2.gpu"), SIZE_MAX);
    md2_gl_free_mesh(gl, &mesh);
    md2_gl_destroy(gl);
    md2_free_model(m);
}

static void hash_gl_md5(const void *text, size_t size)
{
    static md5_gl_scene scene;
    static md5_gl_instance instances[2];
    md5_model *m = md5_load_model_memory(text, size, NULL, NULL);
    md5_gl_mesh mesh;
    CHECK(m != NULL);
    fake_gl_reset();
    md5_gl *gl = md5_gl_create(fake_gl_get_proc, NULL, NULL);
    for (uint32_t i = 0; i < m->mesh_count; ++i) {
        CHECK(gl && md5_gl_upload(gl, m, i, &mesh, NULL));
        md5_gl_draw(gl, &mesh, 0, &scene, instances, 2);
        hash_gl_objects(row_of("md5.gpu"), (size_t)m->joint_count * 12 * 2);
        md5_gl_free_mesh(gl, &mesh);
    }
    md5_gl_destroy(gl);
    md5_free_model(m);
}

void hash_gl(void)
{
    m2_bytes tris = character_file("character.md2", "tris", ".md2");
    m2_bytes robot = character_file("character.md5mesh", "robot", ".md5mesh");
    m2_bytes bands = m2_random(9, 333, 100, 350); /* of several bands of rows, and a rest */
    m5_text arm = { NULL, 0, 0 };
    m5_arm_mesh(&arm, 0);
    for (size_t i = 0; i < M2_CASES; ++i) {
        m2_bytes bytes = m2_case_bytes(&m2_cases[i]);
        check_scene("the MD2 model %s in OpenGL", m2_cases[i].name);
        if (bytes.size < 100000) hash_gl_md2(&bytes);
        m2_free(&bytes);
    }
    check_scene("the character, and models of the tests, in OpenGL");
    hash_gl_md2(&bands);
    hash_gl_md2(&tris);
    hash_gl_md5(robot.data, robot.size);
    hash_gl_md5(arm.bytes, arm.size);
    fake_gl_reset();
    m5_free(&arm);
    m2_free(&bands);
    m2_free(&tris);
    m2_free(&robot);
}
