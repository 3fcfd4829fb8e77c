/* test_gl_mock.c: the OpenGL part of both headers on a GL that draws nothing (fake_gl.h): the calls
   that it makes, the state that it leaves, its errors when something is missing. Needs only a C
   compiler. Public domain. */
#include "support.h"

/* A picture format of our own in the place of stb_image: "PIC" width height, then RGBA. */
unsigned long pictures_decoded, pictures_freed;

static unsigned char *stbi_load_from_memory(const unsigned char *data, int size, int *width,
                                            int *height, int *channels, int wanted)
{
    if (size < 5 || memcmp(data, "PIC", 3) != 0 || wanted != 4) return NULL;
    size_t bytes = (size_t)data[3] * data[4] * 4;
    if ((size_t)size != 5 + bytes) return NULL;
    *width = data[3];
    *height = data[4];
    *channels = 3;
    unsigned char *pixels = (unsigned char *)malloc_or_abort(bytes);
    memcpy(pixels, data + 5, bytes);
    ++pictures_decoded;
    return pixels;
}

static void stbi_image_free(void *pixels)
{
    if (pixels) ++pictures_freed;
    free(pixels);
}

#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#include "mock.h"

const char *folder;

/* -- The functions of mock.h ------------------------------------------------ */

void save(const char *name, const void *data, size_t size)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!write_file(path, data, size)) {
        printf("cannot write %s\n", path);
        exit(EXIT_FAILURE);
    }
}

void forget(const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    remove(path);
}

void expect_texels(uint32_t texture, int width, int height, const uint8_t *rgba)
{
    const fake_object *object = &fake.object[texture];
    if (!CHECK(texture != 0)) return;
    CHECK_EQ(object->width, width);
    CHECK_EQ(object->height, height);
    CHECK(object->size == (size_t)width * (size_t)height * 4 &&
          memcmp(object->data, rgba, object->size) == 0);
    CHECK(fake_is_complete(object));
    CHECK_EQ(object->min_filter, FAKE_LINEAR_MIPMAP_LINEAR);
    CHECK_EQ(object->mag_filter, FAKE_LINEAR);
    CHECK(object->wrap_s == FAKE_REPEAT && object->wrap_t == FAKE_REPEAT);
    fake_glDeleteTextures(1, &texture);
}

const uint8_t picture[5 + 24] = { 'P', 'I', 'C', 2,  3,  1,  2,  3,  4,  5,  6,  7,  8,  11, 12,
                                  13,  14,  15,  16, 17, 18, 21, 22, 23, 24, 25, 26, 27, 28 };

double cache_misses(const uint32_t *indices, uint32_t count)
{
    uint32_t kept[16], at = 0, misses = 0, k;
    memset(kept, 0xFF, sizeof kept);
    for (uint32_t i = 0; i < count; ++i) {
        for (k = 0; k < 16 && kept[k] != indices[i]; ++k) {}
        if (k < 16) continue;
        kept[at] = indices[i];
        at = (at + 1) % 16;
        ++misses;
    }
    return count ? 3.0 * misses / count : 0;
}

uint64_t sum_triangles(const uint32_t *indices, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i + 2 < count; i += 3) {
        uint64_t product = 1;
        for (uint32_t k = 0; k < 3; ++k) {
            random_source edge = { (uint64_t)indices[i + k] << 32 | indices[i + (k + 1) % 3] };
            product *= 2 * (uint64_t)random_next(&edge) + 1;
        }
        sum += product;
    }
    return sum;
}

void expect_mistake(const char *what)
{
    if (!CHECK(fake.mistakes > 0)) printf("    not noticed: %s\n", what);
    fake.mistakes = 0;
}

void expect_no_mistakes(void)
{
    if (!CHECK(fake.mistakes == 0))
        printf("    %lu mistakes, the first: %s\n", fake.mistakes, fake.first_mistake);
}

void expect_state(const fake_state *then, const fake_object *array, const char *what)
{
    const char *difference = fake_gl_difference(then);
    const fake_object *now = &fake.object[then->array];
    check_subject(what);
    if (!CHECK(difference == NULL)) printf("    changed: %s\n", difference);
    CHECK_EQ(now->element_buffer, array->element_buffer);
    CHECK(memcmp(now->attribute, array->attribute, sizeof now->attribute) == 0);
    check_subject("");
}

const float *sent_scene(const char *name)
{
    const fake_object *program = &fake.object[fake.last.program];
    for (int i = 0; i < program->uniform_count; ++i) {
        if (strcmp(program->uniform[i].name, name) == 0) return program->uniform[i].value;
    }
    return NULL;
}

const fake_object *streamed(uint32_t vao)
{
    const fake_object *array = &fake.object[vao];
    for (int i = 0; i < FAKE_ATTRIBUTES; ++i) {
        if (array->attribute[i].enabled && array->attribute[i].divisor)
            return &fake.object[array->attribute[i].buffer];
    }
    return NULL;
}

/* -- The fake must be able to complain ------------------------------------- */

static void test_the_fake(void)
{
    static const uint8_t pixels[64] = { 0 };
    unsigned name;
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
    unsigned shader = fake_glCreateShader(FAKE_VERTEX_SHADER);
    fake_glUseProgram(shader);
    expect_mistake("a shader in use as a program");
    fake_gl_get_proc("glDepthMask");
    expect_mistake("a function that is the caller's alone");
    CHECK_EQ(fake_gl_live(FAKE_KINDS), 2);
    fake_gl_reset();
}

int main(int argc, char **argv)
{
    folder = argc > 1 ? argv[1] : ".";
    check_section("the fake itself");
    test_the_fake();
    md2_test_library();
    md5_test_library();
    fake_gl_reset();
    return check_finish();
}
