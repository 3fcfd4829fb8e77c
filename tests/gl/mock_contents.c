/* mock_contents.c: the order of triangles; the implementations are in this
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
            CHECK(after <= before * 1.1);
            if (which == GRID) CHECK(after < 0.75);
            free(want);
            free(have);
        }
        end_context(&f, 0);
        fixture_free(&f);
    }
}
