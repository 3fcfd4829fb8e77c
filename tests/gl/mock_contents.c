/* mock_contents.c: the order of triangles and the widths of textures; the implementations are in this
   file. Public domain. */
#include "support.h"

/* A picture format of our own in the place of stb_image: "PIC" width height, then RGBA. */
static unsigned char *stbi_load_from_memory(const unsigned char *data, int size, int *width,
                                            int *height, int *channels, int wanted);
static void stbi_image_free(void *pixels);

#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#include "mock.h"

unsigned long pictures_decoded, pictures_freed;

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
/* -- Triangles in an order for the vertex cache ---------------------------- */

/* Vertices fetched for each triangle with a cache of 16. */
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

/* Rotates a triangle until its least vertex is first; the winding stays. */
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

void test_triangle_order(const library *lib)
{
    int which;
    for (which = 0; which < MODELS; ++which) {
        const fake_object *elements;
        fixture f;
        fixture_load(&f, lib, which, 1);
        begin_context(&f, false);
        create_and_upload(&f);
        elements = &fake.object[f.one.index_buffer];
        if (CHECK(elements->size == f.from.index_count * sizeof(uint32_t))) {
            const uint32_t *indices = (const uint32_t *)(const void *)elements->data;
            uint32_t *want = sorted_triangles(f.from.indices, f.from.index_count);
            uint32_t *have = sorted_triangles(indices, f.from.index_count);
            double before = cache_misses(f.from.indices, f.from.index_count);
            double after = cache_misses(indices, f.from.index_count);
            CHECK(memcmp(have, want, elements->size) == 0); /* the same triangles and winding */
            printf("%s: vertices fetched for a triangle: %.3f as loaded, %.3f as uploaded\n",
                   lib->name, before, after);
            CHECK(after <= before + 0.001);
            if (which == GRID) CHECK(after < 0.75);
            free(want);
            free(have);
        }
        end_context(&f, 0);
        fixture_free(&f);
    }
}

/* -- Widths of textures ---------------------------------------------------- */

/* The narrowest power of two times 1,024 at which the rows fit; and what fits nowhere. */
void test_widths(void)
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
                bool fits = k < 2 || width < widest;
                CHECK_EQ(md2__gl_choose_texture_width(&md2, texels), wanted);
                CHECK_EQ(md5__gl_choose_texture_width(&md5, texels), wanted);
                CHECK_EQ(md2__gl_check_texture_size(&md2, texels, "frames"), fits);
                CHECK_EQ(md5__gl_check_texture_size(&md5, texels, "weights"), fits);
            }
        }
        CHECK_EQ(md2__gl_choose_texture_width(&md2, 1), 1024);
    }
}
<<<<<<< HEAD
=======

typedef struct attribute {
    int      size;
    unsigned type;
    bool     whole, instanced;
    size_t   offset;
} attribute;

static void expect_attributes(const mesh *one, const attribute *wanted, int count,
                              size_t vertex_size, size_t record_size)
{
    int i;
    for (i = 0; i < count; ++i) {
        const fake_attribute *have = &fake.object[one->vao].attribute[i];
        CHECK(have->enabled && have->size == wanted[i].size && have->type == wanted[i].type);
        CHECK_EQ(have->whole, wanted[i].whole);
        CHECK_EQ(have->divisor, wanted[i].instanced);
        CHECK_EQ(have->stride, wanted[i].instanced ? record_size : vertex_size);
        CHECK_EQ(have->offset, wanted[i].offset);
        CHECK((have->buffer == one->vertex_buffer) == !wanted[i].instanced);
    }
}

static bool same_floats(const uint8_t *bytes, const float *values, int count)
{
    bool same = true;
    int i;
    for (i = 0; i < count; ++i) {
        same = same && m2_get_float(bytes + 4 * i) >= values[i] &&
               m2_get_float(bytes + 4 * i) <= values[i];
    }
    return same;
}

void md2_test_contents(uint32_t flags)
{
    static const size_t rows = offsetof(md2__gl_record, rows);
    const attribute attributes[10] = {
        { 1, FAKE_UNSIGNED_SHORT, true, false, offsetof(md2_vertex, point) },
        { 2, FAKE_FLOAT, false, false, offsetof(md2_vertex, u) },
        { 4, FAKE_FLOAT, false, true, offsetof(md2__gl_record, tint) },
        { 4, FAKE_FLOAT, false, true, rows },
        { 4, FAKE_FLOAT, false, true, rows + 16 },
        { 4, FAKE_FLOAT, false, true, rows + 32 },
        { 4, FAKE_FLOAT, false, true, offsetof(md2__gl_record, weight) },
        { 4, FAKE_FLOAT, false, true, offsetof(md2__gl_record, weight) + 16 },
        { 4, FAKE_UNSIGNED_SHORT, true, true, offsetof(md2__gl_record, frame) },
        { 4, FAKE_UNSIGNED_SHORT, true, true, offsetof(md2__gl_record, frame) + 8 }
    };
    m2_bytes bytes = m2_random(9, 333, 100, 350); /* of several bands of rows, and a rest */
    model from = md2_from_bytes(&bytes, flags);
    const md2_model *md2 = from.md2;
    const fake_object *vertices, *texture;
    const uint8_t *texels;
    uint32_t frame, i, wrong = 0, stride = 7 + md2->point_count;
    fixture f;
    fixture_take(&f, &libraries[0], from, 1);
    begin_context(&f, false);
    create_and_upload(&f);
    vertices = &fake.object[f.one.vertex_buffer];
    CHECK(vertices->size == md2->vertex_count * sizeof(md2_vertex) &&
          memcmp(vertices->data, md2->vertices, vertices->size) == 0);
    texture = &fake.object[f.one.data_texture];
    texels = texture->data;
    for (frame = 0; frame < md2->frame_count; ++frame, texels += 4 * stride) {
        wrong += !same_floats(texels, md2->frames[frame].scale, 3);
        wrong += !same_floats(texels + 12, md2->frames[frame].translate, 3);
        CHECK_NEAR(md2_normal(m2_get32(texels + 24))[flags & MD2_Y_UP ? 1 : 2], 1, 0);
        wrong += memcmp(texels + 28, md2->frames[frame].points, 4 * md2->point_count) != 0;
    }
    for (i = (uint32_t)(texture->data + texture->size - texels); i > 0; --i) {
        wrong += texels[i - 1] != 0;
    }
    CHECK_EQ(wrong, 0);
    expect_attributes(&f.one, attributes, 10, sizeof(md2_vertex), sizeof(md2__gl_record));
    end_context(&f, 0);
    fixture_free(&f);
}

/* The texels of a weight are its position in the bind pose, in model space and times its bias, the
   bias, and the joint. */
static double weight_distance(const md5_model *md5, const md5_weight *weight, const float *texels)
{
    const md5_xform *bind = &md5->joints[weight->joint].bind;
    m5_xform place;
    double v[3], out[3], worst = 0;
    int k;
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
    return worst;
}

void md5_test_contents(void)
{
    static const size_t rows = offsetof(md5__gl_record, rows);
    const attribute attributes[9] = {
        { 2, FAKE_FLOAT, false, false, offsetof(md5_vertex, u) },
        { 2, FAKE_UNSIGNED_INT, true, false, offsetof(md5_vertex, first_weight) },
        { 3, FAKE_FLOAT, false, false, offsetof(md5_vertex, normal) },
        { 4, FAKE_FLOAT, false, false, offsetof(md5_vertex, tangent) },
        { 4, FAKE_FLOAT, false, true, offsetof(md5__gl_record, tint) },
        { 4, FAKE_FLOAT, false, true, rows },
        { 4, FAKE_FLOAT, false, true, rows + 16 },
        { 4, FAKE_FLOAT, false, true, rows + 32 },
        { 1, FAKE_UNSIGNED_INT, true, true, offsetof(md5__gl_record, first_joint_texel) }
    };
    const md5_mesh *md5;
    const fake_object *vertices;
    const float *texels;
    double worst = 0;
    uint32_t i, wrong = 0;
    fixture f;
    fixture_load(&f, &libraries[1], GRID, 1);
    md5 = &f.from.md5->meshes[0];
    begin_context(&f, false);
    create_and_upload(&f);
    vertices = &fake.object[f.one.vertex_buffer];
    CHECK(vertices->size == md5->vertex_count * sizeof(md5_vertex) &&
          memcmp(vertices->data, md5->vertices, vertices->size) == 0);
    texels = (const float *)(const void *)fake.object[f.one.data_texture].data;
    for (i = 0; i < md5->weight_count; ++i, texels += 8) {
        const md5_weight *weight = &md5->weights[i];
        double off = weight_distance(f.from.md5, weight, texels);
        worst = off > worst ? off : worst;
        wrong += texels[3] < weight->bias || texels[3] > weight->bias;
        wrong += (uint32_t)texels[4] != weight->joint;
        wrong += texels[5] > 0 || texels[6] > 0 || texels[7] > 0;
    }
    CHECK_NEAR(worst, 0, 1e-4);
    CHECK_EQ(wrong, 0);
    expect_attributes(&f.one, attributes, 9, sizeof(md5_vertex), sizeof(md5__gl_record));
    end_context(&f, 0);
    fixture_free(&f);
}
>>>>>>> 377e299 (Advancing counts its steps once; hashes of mixed poses, of players and of GPU records follow the eight frames)
