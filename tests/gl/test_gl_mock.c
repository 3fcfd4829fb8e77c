/* test_gl_mock.c: tests the OpenGL part of both headers on a GL that draws nothing (fake_gl.h): the calls, the
   state after them, and the errors if something is missing. Needs only a C compiler. Public domain. */
#include "support.h"

/* The picture format of these tests, instead of stb_image: "PIC", width, height, then RGBA. */
unsigned long pictures_decoded, pictures_freed;
static const char *picture_problem;   /* NULL: stb_image was built without failure reasons */

#define STBI_INCLUDE_STB_IMAGE_H
static unsigned char *stbi_load_from_memory(const unsigned char *data, int size, int *width,
                                            int *height, int *channels, int wanted)
{
    picture_problem = size < 5 ? NULL : "unknown image type";
    if (size < 5 || memcmp(data, "PIC", 3) != 0 || wanted != 4) return NULL;
    picture_problem = "cut short";
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

static const char *stbi_failure_reason(void) { return picture_problem; }

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
    CHECK(texture != 0);
    CHECK_EQ(object->width, width);
    CHECK_EQ(object->height, height);
    CHECK_EQ(object->size, width * height * 4);
    for (size_t i = 0; i < object->size; ++i) {
        const uint8_t *texel = object->data;
        if (texel[i] != rgba[i])
            check_step("column %d, row %d", (int)(i / 4) % width, (int)(i / 4) / width);
        CHECK_EQ(texel[i], rgba[i]);
    }

    CHECK(object->mipmapped);
    CHECK_EQ(object->min_filter, FAKE_LINEAR_MIPMAP_LINEAR);
    CHECK_EQ(object->mag_filter, FAKE_LINEAR);
    CHECK_EQ(object->wrap_s, FAKE_REPEAT);
    CHECK_EQ(object->wrap_t, FAKE_REPEAT);
    CHECK(fake_is_complete(object));
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

void expect_no_mistakes(const char *call)
{
    if (fake.mistakes > 0) check_step("%s: %s", call, fake.first_mistake);
    CHECK_EQ(fake.mistakes, 0);
}

void expect_live(unsigned wanted, const char *call)
{
    unsigned objects_left = fake_gl_live(FAKE_KINDS);
    if (objects_left != wanted)
        check_step("after %s, newest object: %s", call, fake_gl_newest());
    CHECK_EQ(objects_left, wanted);
}

void expect_state(const fake_state *before, const fake_object *array, const char *call)
{
    const fake_object *now = &fake.object[before->array];
    const char *changed = fake_gl_difference(before);
    if (!changed && now->element_buffer != array->element_buffer)
        changed = "GL_ELEMENT_ARRAY_BUFFER_BINDING of the caller's vertex array";
    if (!changed && memcmp(now->attribute, array->attribute, sizeof now->attribute) != 0)
        changed = "an attribute of the caller's vertex array";

    check_step("%s changed %s", call, changed ? changed : "nothing");
    bool state_is_as_before = !changed;
    CHECK(state_is_as_before);
    check_step("after %s", call);
}

const fake_variable *sent_uniform(const char *name)
{
    const fake_object *program = &fake.object[fake.last.program];
    for (int i = 0; i < program->uniform_count; ++i) {
        if (strcmp(program->uniform[i].name, name) == 0) return &program->uniform[i];
    }
    CHECK_TEXT("", name);             /* the program has no such uniform */
    return NULL;
}

const char *source_of(uint32_t program, int number)
{
    return fake.object[fake.object[program].shaders[number]].source;
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

int main(int argc, char **argv)
{
    check_start(argc, argv, "--folder=");
    folder = check_option("--folder=");
    if (!folder) folder = "build";
    md2_test_library();
    md5_test_library();
    fake_gl_reset();
    return check_finish();
}
