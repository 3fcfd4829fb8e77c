/* The rows of everything that is sent to the GPU: buffers, vertex arrays and textures. Public domain. */
#define MD2_GL
#define MD5_GL
#include "hashes.h"

#include "fake_gl.h"

static size_t gl_unit(unsigned type)
{
    return type == FAKE_UNSIGNED_BYTE ? 1 : type == FAKE_UNSIGNED_SHORT ? 2 : 4;
}

/* Hashes numbers with the low byte first, whatever the byte order of this machine is. */
static void hash_units(const uint8_t *at, size_t unit, size_t count)
{
    uint32_t word = 0;
    uint16_t half;
    for (; count; --count, at += unit) {
        if (unit == 1) word = *at;
        if (unit == 2) memcpy(&half, at, 2), word = half;
        if (unit == 4) memcpy(&word, at, 4);
        hash_word(word, (int)unit);
    }
}

static void hash_gl_attribute(const fake_attribute *a)
{
    const fake_object *buffer = &fake.object[a->buffer];
    size_t unit = gl_unit(a->type), row_size = unit * (size_t)a->size;
    size_t stride = a->stride ? (size_t)a->stride : row_size;
    hash_values("%d %u %u", a->size, a->type, a->divisor);
    for (size_t at = a->offset; at + row_size <= buffer->size; at += stride) {
        hash_units(buffer->data + at, unit, (size_t)a->size);
    }
}

/* Hashes all objects of OpenGL. The texture at unit 1 has palettes, whose last row is only partly defined, so only its
   first `known` numbers are hashed. */
static void hash_gl_objects(size_t known)
{
    CHECK_TEXT(fake.first_mistake, "");
    for (unsigned name = 1; name <= fake.names; ++name) {
        const fake_object *o = &fake.object[name];
        if (!o->live) continue;
        hash_int(o->kind);
        if (o->kind == FAKE_TEXTURE) {
            size_t unit = o->storage == FAKE_RGBA32F ? 4 : 1, units = o->size / unit;
            hash_values("%d %d %d", o->width, o->height, o->storage);
            if (name == fake.last.texture[1] && units > known) units = known;
            hash_units(o->data, unit, units);
        }
        for (int i = 0; o->kind == FAKE_ARRAY && i < FAKE_ATTRIBUTES; ++i) {
            if (o->attribute[i].enabled) hash_gl_attribute(&o->attribute[i]);
        }
        if (o->kind == FAKE_ARRAY && o->element_buffer) {
            const fake_object *elements = &fake.object[o->element_buffer];
            hash_units(elements->data, 4, elements->size / 4);
        }
    }
}

static void draw_md2(const md2_model *m)
{
    static md2_gl_scene scene;
    static md2_gl_instance instances[5];
    md2_gl_mesh mesh;
    fake_gl_reset();
    for (int i = 0; i < 5; ++i) instances[i].pose = random_md2_pose(m, i + 1);
    md2_gl *gl = md2_gl_create(fake_gl_get_proc, NULL, NULL);
    CHECK(gl && md2_gl_upload(gl, m, &mesh, NULL));
    md2_gl_draw(gl, &mesh, 0, &scene, instances, 5);
    hash_gl_objects(SIZE_MAX);
    md2_gl_free_mesh(gl, &mesh);
    md2_gl_destroy(gl);
}

static void draw_md5(const md5_model *m)
{
    static md5_gl_scene scene;
    static md5_gl_instance instances[2];
    md5_gl_mesh mesh;
    fake_gl_reset();
    md5_gl *gl = md5_gl_create(fake_gl_get_proc, NULL, NULL);
    for (uint32_t i = 0; i < m->mesh_count; ++i) {
        CHECK(gl && md5_gl_upload(gl, m, i, &mesh, NULL));
        md5_gl_draw(gl, &mesh, 0, &scene, instances, 2);
        hash_gl_objects((size_t)m->joint_count * 12 * 2);
        md5_gl_free_mesh(gl, &mesh);
    }
    md5_gl_destroy(gl);
}

static void hash_md2(void)
{
    for (md2_model **m = md2_models; *m; ++m) {
        if ((*m)->flags == 0 && (uint64_t)(*m)->frame_count * (*m)->point_count < 200000) draw_md2(*m);
    }
    fake_gl_reset();
}

static void hash_md5(void)
{
    draw_md5(md5_models[0]);
    draw_md5(knight);
    fake_gl_reset();
}

row gl_rows[] = {
    { "md2.gpu", "buffers, vertex arrays and textures of MD2 in OpenGL", hash_md2, 0 },
    { "md5.gpu", "buffers, vertex arrays and textures of MD5 in OpenGL", hash_md5, 0 },
    { NULL, NULL, NULL, 0 }
};
