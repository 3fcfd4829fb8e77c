/* The functions of fake_gl.h, except for shaders and programs. Public domain. */
#include "fake_gl_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const fake_kind_name[FAKE_KINDS] = { "buffer",  "texture", "vertex array",
                                                        "sampler", "shader",  "program" };

struct fake_gl fake;

static volatile unsigned fake_sink;   /* keeps the compiler from removing reads of memory */

static const char *fake_function = ""; /* name of the last call */

void fake_mistake(const char *format, ...)
{
    va_list arguments;
    if (fake.lost) return;
    if (!fake.mistakes++) {
        int length = snprintf(fake.first_mistake, sizeof fake.first_mistake, "%s: ", fake_function);
        va_start(arguments, format);
        vsnprintf(fake.first_mistake + length, sizeof fake.first_mistake - (size_t)length, format,
                  arguments);
        va_end(arguments);
    }
    fake.error = FAKE_INVALID_ENUM;
}

void fake_read_bytes(const void *memory, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)memory;
    unsigned sum = 0, four;
    size_t i;
    for (i = 0; size - i >= sizeof four; i += sizeof four) {
        memcpy(&four, bytes + i, sizeof four);
        sum += four;
    }
    for (; i < size; ++i) sum += bytes[i];
    fake_sink = sum;
}

void fake_gl_reset(void)
{
    for (unsigned i = 0; i <= fake.names; ++i) {
        free(fake.object[i].data);
        free(fake.object[i].source);
        memset(&fake.object[i], 0, sizeof fake.object[i]);
    }
    memset(&fake, 0, offsetof(struct fake_gl, object));
    fake.max_texture_size = 16384;
    fake.log = "";
    fake.state.unpack[3] = 4;
}

unsigned fake_new(int kind)
{
    if (fake.names == FAKE_OBJECTS) {
        fake_mistake("more than %d objects were made", FAKE_OBJECTS);
        return 0;
    }
    fake_object *object = &fake.object[++fake.names];
    object->kind = kind;
    object->live = true;
    object->min_filter = 0x2702; /* NEAREST_MIPMAP_LINEAR, the initial value in OpenGL */
    object->mag_filter = FAKE_LINEAR;
    object->wrap_s = object->wrap_t = FAKE_REPEAT;
    object->max_level = 1000;
    return fake.names;
}

fake_object *fake_find(int kind, unsigned name)
{
    if (name == 0 || name > fake.names || fake.object[name].kind != kind ||
        !fake.object[name].live) {
        fake_mistake("%u is not a %s", name, fake_kind_name[kind]);
        return NULL;
    }
    return &fake.object[name];
}

unsigned fake_gl_live(int kind)
{
    unsigned count = 0;
    for (unsigned i = 1; i <= fake.names; ++i) {
        if (fake.object[i].live && (kind == FAKE_KINDS || fake.object[i].kind == kind)) ++count;
    }
    return count;
}

const char *fake_gl_newest(void)
{
    static char words[80];
    unsigned name = fake.names;
    while (name > 0 && !fake.object[name].live) --name;
    const fake_object *object = &fake.object[name];
    if (name == 0) return "nothing";
    if (object->kind == FAKE_TEXTURE) {
        snprintf(words, sizeof words, "texture %u of %d x %d", name, object->width, object->height);
    } else {
        snprintf(words, sizeof words, "%s %u of %lu bytes", fake_kind_name[object->kind], name,
                 (unsigned long)object->size);
    }
    return words;
}

/* A texture whose storage could not be allocated does not exist for OpenGL. Using it is an additional
   error, which glGetError returns first, because browsers return the error with the lower number first. */
static bool fake_has_no_memory(const fake_object *texture)
{
    if (texture->out_of_memory && fake.error != FAKE_INVALID_OPERATION) {
        fake.next_error = fake.error;
        fake.error = FAKE_INVALID_OPERATION;
    }
    return texture->out_of_memory;
}

static bool fake_resize(fake_object *object, size_t size, const void *data)
{
    ++fake.gpu_requests;
    object->out_of_memory = fake.gpu_fail_at && fake.gpu_requests >= fake.gpu_fail_at;
    if (object->out_of_memory) {
        fake.error = fake.gpu_error ? fake.gpu_error : (unsigned)FAKE_OUT_OF_MEMORY;
        return false;
    }
    fake.gpu_bytes = fake.gpu_bytes - object->size + size;
    free(object->data);
    object->data = (uint8_t *)malloc(size ? size : 1);
    if (!object->data) abort();
    object->size = size;
    object->filled = fake.serial;
    if (data) memcpy(object->data, data, size);
    else memset(object->data, 0xCD, size);
    return true;
}

void fake_destroy(fake_object *object)
{
    fake.gpu_bytes -= object->size;
    free(object->data);
    free(object->source);
    object->data = NULL;
    object->source = NULL;
    object->size = 0;
    object->live = false;
}

/* -- Calls: counted by name; they do nothing if the context is lost -------- */

enum { FAKE_NAMES = 64 };
static struct fake_count { const char *name; unsigned long calls; } fake_counts[FAKE_NAMES];

/* Finds the counter with this name, or the first unused counter. */
static struct fake_count *fake_find_count(const char *name)
{
    unsigned i = 0;
    while (fake_counts[i].name && strcmp(fake_counts[i].name, name) != 0) ++i;
    if (i == FAKE_NAMES - 1) abort();
    return &fake_counts[i];
}

void fake_count_call(const char *name)
{
    struct fake_count *count = fake_find_count(name);
    fake_function = count->name = name;
    ++fake.calls;
    if (fake.lost_after && fake.calls > fake.lost_after) fake.lost = true;
    ++fake.serial;
    ++count->calls;
}

unsigned long fake_gl_calls(const char *name) { return fake_find_count(name)->calls; }

void fake_gl_start_count(void)
{
    fake.calls = fake.draws = 0;
    memset(fake_counts, 0, sizeof fake_counts);
}

/* -- Buffers --------------------------------------------------------------- */

static unsigned *fake_buffer_binding(unsigned target)
{
    switch (target) {
    case FAKE_ARRAY_BUFFER: return &fake.state.array_buffer;
    case FAKE_UNPACK_BUFFER: return &fake.state.unpack_buffer;
    case FAKE_ELEMENT_BUFFER: return &fake.object[fake.state.array].element_buffer;
    default: return NULL;
    }
}

void fake_glBindBuffer(unsigned target, unsigned name)
{
    FAKE_CALL("glBindBuffer");
    unsigned *binding = fake_buffer_binding(target);
    if (target == FAKE_ELEMENT_BUFFER && !fake.state.array)
        fake_mistake("an element buffer belongs to a vertex array, and none is bound");
    if (!binding) fake_mistake("target 0x%04X", target);
    else if (name == 0 || fake_find(FAKE_BUFFER, name)) *binding = name;
}

static void fake_glBufferData(unsigned target, ptrdiff_t size, const void *data, unsigned usage)
{
    FAKE_CALL("glBufferData");
    const unsigned *binding = fake_buffer_binding(target);
    fake_object *buffer = fake_find(FAKE_BUFFER, binding ? *binding : 0);
    if (!buffer) return;
    if (size < 0 || (usage != FAKE_STREAM_DRAW && usage != FAKE_STATIC_DRAW)) {
        fake_mistake("size %ld, usage 0x%04X", (long)size, usage);
        return;
    }
    if (data) fake_read_bytes(data, (size_t)size);
    fake_resize(buffer, (size_t)size, data);
}

/* Clears the bindings of a deleted name in this context, as OpenGL does. */
static void fake_unbind_buffer(unsigned name)
{
    fake_object *array = &fake.object[fake.state.array];
    if (fake.state.array_buffer == name) fake.state.array_buffer = 0;
    if (fake.state.unpack_buffer == name) fake.state.unpack_buffer = 0;
    if (array->element_buffer == name) array->element_buffer = 0;
    for (unsigned i = 0; i < FAKE_ATTRIBUTES; ++i) {
        if (array->attribute[i].buffer == name) array->attribute[i].buffer = 0;
    }
}

static void fake_unbind(int kind, unsigned name)
{
    if (kind == FAKE_BUFFER) fake_unbind_buffer(name);
    if (kind == FAKE_ARRAY && fake.state.array == name) fake.state.array = 0;
    for (unsigned i = 0; i < FAKE_UNITS; ++i) {
        if (kind == FAKE_TEXTURE && fake.state.texture[i] == name) fake.state.texture[i] = 0;
        if (kind == FAKE_SAMPLER && fake.state.sampler[i] == name) fake.state.sampler[i] = 0;
    }
}

static void fake_delete(int kind, int count, const unsigned *names)
{
    for (; count > 0; --count, ++names) {
        if (*names == 0) continue;
        fake_object *object = fake_find(kind, *names); /* legal in GL, but never intended */
        if (!object) continue;
        fake_unbind(kind, *names);
        fake_destroy(object);
    }
}

/* Defines a pair such as glGenBuffers and glDeleteBuffers. */
#define FAKE_NAMES_OF(kind, things)                            \
    void fake_glGen##things(int count, unsigned *names)        \
    {                                                          \
        FAKE_CALL("glGen" #things);                            \
        while (count-- > 0) *names++ = fake_new(kind);         \
    }                                                          \
    void fake_glDelete##things(int count, const unsigned *names) \
    {                                                          \
        FAKE_CALL("glDelete" #things);                         \
        fake_delete(kind, count, names);   \
    }
FAKE_NAMES_OF(FAKE_BUFFER, Buffers)
FAKE_NAMES_OF(FAKE_ARRAY, VertexArrays)
FAKE_NAMES_OF(FAKE_TEXTURE, Textures)

/* -- Vertex arrays --------------------------------------------------------- */

static void fake_glBindVertexArray(unsigned name)
{
    FAKE_CALL("glBindVertexArray");
    if (name == 0 || fake_find(FAKE_ARRAY, name)) fake.state.array = name;
}

static fake_attribute *fake_find_attribute(unsigned index)
{
    if (fake.state.array == 0 || index >= FAKE_ATTRIBUTES) {
        fake_mistake("attribute %u of vertex array %u", index, fake.state.array);
        return NULL;
    }
    return &fake.object[fake.state.array].attribute[index];
}

static void fake_glEnableVertexAttribArray(unsigned index)
{
    FAKE_CALL("glEnableVertexAttribArray");
    fake_attribute *attribute = fake_find_attribute(index);
    if (attribute) attribute->enabled = true;
}

static void fake_glVertexAttribDivisor(unsigned index, unsigned divisor)
{
    FAKE_CALL("glVertexAttribDivisor");
    fake_attribute *attribute = fake_find_attribute(index);
    if (attribute) attribute->divisor = divisor;
}

static size_t fake_type_size(unsigned type)
{
    switch (type) {
    case FAKE_UNSIGNED_BYTE: return 1;
    case FAKE_UNSIGNED_SHORT: return 2;
    case FAKE_UNSIGNED_INT: case FAKE_FLOAT: return 4;
    default: return 0;
    }
}

static void fake_set_pointer(unsigned index, int size, unsigned type, bool is_integer, int stride,
                             const void *offset)
{
    fake_attribute *attribute = fake_find_attribute(index);
    size_t unit = fake_type_size(type);
    if (!attribute) return;
    if (size < 1 || size > 4 || !unit || (is_integer && type == FAKE_FLOAT) || stride < 0) {
        fake_mistake("size %d, type 0x%04X, stride %d", size, type, stride);
        return;
    }
    if (!fake.state.array_buffer) fake_mistake("no array buffer is bound");
    if ((size_t)offset % unit || (size_t)stride % unit)
        fake_mistake("attribute %u is not aligned to its type (WebGL refuses it)", index);
    attribute->size = size;
    attribute->type = type;
    attribute->is_integer = is_integer;
    attribute->stride = stride ? stride : size * (int)unit;
    attribute->offset = (size_t)offset;
    attribute->buffer = fake.state.array_buffer;
}

static void fake_glVertexAttribPointer(unsigned index, int size, unsigned type,
                                       unsigned char scaled, int stride, const void *offset)
{
    FAKE_CALL("glVertexAttribPointer");
    if (scaled > 1) fake_mistake("normalized is %u", scaled);
    fake_set_pointer(index, size, type, false, stride, offset);
}

static void fake_glVertexAttribIPointer(unsigned index, int size, unsigned type, int stride,
                                        const void *offset)
{
    FAKE_CALL("glVertexAttribIPointer");
    fake_set_pointer(index, size, type, true, stride, offset);
}

/* -- Textures -------------------------------------------------------------- */

static void fake_glActiveTexture(unsigned unit)
{
    FAKE_CALL("glActiveTexture");
    unit -= FAKE_TEXTURE0;
    if (unit >= FAKE_UNITS) fake_mistake("unit %u", unit);
    else fake.state.active_unit = unit;
}

void fake_glBindTexture(unsigned target, unsigned name)
{
    FAKE_CALL("glBindTexture");
    if (target != FAKE_TEXTURE_2D) fake_mistake("target 0x%04X", target);
    else if (name == 0 || fake_find(FAKE_TEXTURE, name))
        fake.state.texture[fake.state.active_unit] = name;
}

static void fake_glBindSampler(unsigned unit, unsigned name)
{
    FAKE_CALL("glBindSampler");
    if (unit >= FAKE_UNITS) fake_mistake("unit %u", unit);
    else if (name == 0 || fake_find(FAKE_SAMPLER, name)) fake.state.sampler[unit] = name;
}

static const unsigned fake_unpacking[FAKE_UNPACKING] = {
    FAKE_UNPACK_ROW_LENGTH, FAKE_UNPACK_SKIP_ROWS, FAKE_UNPACK_SKIP_PIXELS, FAKE_UNPACK_ALIGNMENT,
    FAKE_UNPACK_SKIP_IMAGES, FAKE_UNPACK_IMAGE_HEIGHT, FAKE_UNPACK_SWAP_BYTES, FAKE_UNPACK_FLIP_Y,
    FAKE_UNPACK_PREMULTIPLY
};

static const char *fake_version(void)
{
    return fake.version ? fake.version : fake.es ? "OpenGL ES 3.0 fake" : "3.3.0 fake";
}

/* Returns the index of an unpack parameter, or FAKE_UNPACKING if this kind of context lacks it. */
static int fake_find_unpacking(unsigned name)
{
    int i;
    for (i = 0; i < FAKE_UNPACKING && fake_unpacking[i] != name; ++i) {}
    if (i == 6 && fake.es) return FAKE_UNPACKING;
    return i > 6 && !strstr(fake_version(), "WebGL") ? FAKE_UNPACKING : i;
}

static void fake_glPixelStorei(unsigned name, int value)
{
    FAKE_CALL("glPixelStorei");
    int i = fake_find_unpacking(name);
    if (i == FAKE_UNPACKING || value < 0 ||
        (name == FAKE_UNPACK_ALIGNMENT && value != 1 && value != 2 && value != 4 && value != 8)) {
        fake_mistake("0x%04X = %d", name, value);
        return;
    }
    fake.state.unpack[i] = value;
}

/* Returns the size of a texel in bytes, or 0 if storage, format and type do not fit together. */
static size_t fake_texel_size(int storage, unsigned format, unsigned type)
{
    bool is_integer = format == FAKE_RGBA_INTEGER;
    if (!is_integer && format != FAKE_RGBA) return 0;
    if (storage == FAKE_RGBA8 && !is_integer && type == FAKE_UNSIGNED_BYTE) return 4;
    if (storage == FAKE_RGBA8UI && is_integer && type == FAKE_UNSIGNED_BYTE) return 4;
    if (storage == FAKE_RGBA16UI && is_integer && type == FAKE_UNSIGNED_SHORT) return 8;
    return storage == FAKE_RGBA32F && !is_integer && type == FAKE_FLOAT ? 16 : 0;
}

static fake_object *fake_bound_texture(unsigned target)
{
    if (target != FAKE_TEXTURE_2D) {
        fake_mistake("target 0x%04X", target);
        return NULL;
    }
    return fake_find(FAKE_TEXTURE, fake.state.texture[fake.state.active_unit]);
}

/* Copies `height` rows of pixels to the texture, as the unpack parameters describe them. */
static void fake_unpack(fake_object *texture, int x, int y, int width, int height, size_t texel,
                        const void *pixels)
{
    const int *unpack = fake.state.unpack;
    size_t row = (size_t)(unpack[0] ? unpack[0] : width) * texel, align = (size_t)unpack[3];
    const uint8_t *from = (const uint8_t *)pixels;
    if (fake.state.unpack_buffer) {
        fake_mistake("the pixels are an address, but an unpack buffer is bound");
        return;
    }
    if (height > 1 && unpack[0] && unpack[0] < width)
        fake_mistake("rows of %d texels are only %d texels apart", width, unpack[0]);
    if (unpack[6] || unpack[7] || unpack[8])
        fake_mistake("the pixels would be swapped, flipped or multiplied by alpha");
    row = (row + align - 1) / align * align;
    from += (size_t)unpack[1] * row + (size_t)unpack[2] * texel;
    for (int i = 0; i < height; ++i, from += row) {
        fake_read_bytes(from, (size_t)width * texel);
        memcpy(texture->data + ((size_t)(y + i) * (size_t)texture->width + (size_t)x) * texel, from,
               (size_t)width * texel);
    }
    texture->filled = fake.serial;
}

void fake_glTexImage2D(unsigned target, int level, int storage, int width, int height,
                       int border, unsigned format, unsigned type, const void *pixels)
{
    FAKE_CALL("glTexImage2D");
    fake_object *texture = fake_bound_texture(target);
    size_t texel = fake_texel_size(storage, format, type);
    if (!texture) return;
    if (!texel || level != 0 || border || width < 0 || height < 0 ||
        (width > fake.max_texture_size && width > 1024) || height > fake.max_texture_size) {
        fake_mistake("level %d of 0x%04X from 0x%04X, 0x%04X, %d x %d", level, (unsigned)storage,
                     format, type, width, height);
        return;
    }
    texture->width = width;
    texture->height = height;
    texture->storage = storage;
    texture->mipmapped = false;
    if (!fake_resize(texture, (size_t)width * (size_t)height * texel, NULL)) return;
    texture->filled = 0;
    if (pixels) fake_unpack(texture, 0, 0, width, height, texel, pixels);
}

void fake_glTexSubImage2D(unsigned target, int level, int x, int y, int width, int height,
                          unsigned format, unsigned type, const void *pixels)
{
    FAKE_CALL("glTexSubImage2D");
    fake_object *texture = fake_bound_texture(target);
    if (!texture || fake_has_no_memory(texture)) return;
    size_t texel = fake_texel_size(texture->storage, format, type);
    if (!texel || level != 0 || x < 0 || y < 0 || width < 0 || height < 0 ||
        x + width > texture->width || y + height > texture->height || !pixels) {
        fake_mistake("%d x %d at %d, %d into %d x %d of 0x%04X from 0x%04X, 0x%04X", width, height,
                     x, y, texture->width, texture->height, (unsigned)texture->storage, format,
                     type);
        return;
    }
    fake_unpack(texture, x, y, width, height, texel, pixels);
}

static void fake_glGenerateMipmap(unsigned target)
{
    FAKE_CALL("glGenerateMipmap");
    fake_object *texture = fake_bound_texture(target);
    if (!texture || fake_has_no_memory(texture)) return;
    if (texture->storage != FAKE_RGBA8 || !texture->width)
        fake_mistake("storage 0x%04X, width %d", (unsigned)texture->storage, texture->width);
    texture->mipmapped = true;
}

void fake_glTexParameteri(unsigned target, unsigned name, int value)
{
    FAKE_CALL("glTexParameteri");
    fake_object *texture = fake_bound_texture(target);
    bool filter = value == FAKE_NEAREST || value == FAKE_LINEAR;
    bool wrap = value == FAKE_REPEAT || value == FAKE_CLAMP_TO_EDGE;
    if (!texture) return;
    if (name == FAKE_MIN_FILTER && (filter || value == FAKE_LINEAR_MIPMAP_LINEAR))
        texture->min_filter = value;
    else if (name == FAKE_MAG_FILTER && filter) texture->mag_filter = value;
    else if (name == FAKE_WRAP_S && wrap) texture->wrap_s = value;
    else if (name == FAKE_WRAP_T && wrap) texture->wrap_t = value;
    else if (name == FAKE_MAX_LEVEL && value >= 0) texture->max_level = value;
    else fake_mistake("0x%04X = 0x%04X", name, (unsigned)value);
}

bool fake_is_complete(const fake_object *texture)
{
    bool plain = texture->min_filter == FAKE_NEAREST && texture->mag_filter == FAKE_NEAREST;
    bool reads_levels = texture->min_filter != FAKE_NEAREST && texture->min_filter != FAKE_LINEAR;
    if (!texture->width || !texture->height) return false;
    if (reads_levels && texture->max_level > 0 && !texture->mipmapped &&
        texture->width * texture->height > 1) {
        return false;
    }
    return plain || texture->storage == FAKE_RGBA8;
}

/* -- Queries --------------------------------------------------------------- */

static unsigned fake_get_number(unsigned name)
{
    const fake_state *state = &fake.state;
    switch (name) {
    case FAKE_CURRENT_PROGRAM: return state->program;
    case FAKE_ARRAY_BINDING: return state->array;
    case FAKE_ARRAY_BUFFER_BINDING: return state->array_buffer;
    case FAKE_ELEMENT_BUFFER_BINDING: return fake.object[state->array].element_buffer;
    case FAKE_UNPACK_BUFFER_BINDING: return state->unpack_buffer;
    case FAKE_ACTIVE_TEXTURE: return FAKE_TEXTURE0 + state->active_unit;
    case FAKE_TEXTURE_BINDING_2D: return state->texture[state->active_unit];
    case FAKE_SAMPLER_BINDING: return state->sampler[state->active_unit];
    case FAKE_MAX_TEXTURE_SIZE: return (unsigned)fake.max_texture_size;
    case FAKE_MAJOR_VERSION: return 3;
    case FAKE_MINOR_VERSION: return fake.es ? 0 : 3;
    default: fake_mistake("0x%04X", name); return 0;
    }
}

static void fake_glGetIntegerv(unsigned name, int *value)
{
    FAKE_CALL("glGetIntegerv");
    int i = fake_find_unpacking(name);
    *value = i < FAKE_UNPACKING ? fake.state.unpack[i] : (int)fake_get_number(name);
}

static const unsigned char *fake_glGetString(unsigned name)
{
    FAKE_GET("glGetString", NULL);
    if (name != FAKE_VERSION) fake_mistake("0x%04X", name);
    return (const unsigned char *)fake_version();
}

static unsigned fake_glGetError(void)
{
    unsigned error = fake.error;
    fake_count_call("glGetError");
    fake.error = fake.next_error;
    fake.next_error = 0;
    return fake.lost ? (unsigned)FAKE_CONTEXT_LOST : error;
}

/* -- Switches -------------------------------------------------------------- */

/* A draw must turn off the first two; the others belong to the caller. */
static const unsigned fake_switches[FAKE_SWITCHES] = {
    FAKE_RASTERIZER_DISCARD, FAKE_PRIMITIVE_RESTART, FAKE_BLEND, FAKE_CULL_FACE, FAKE_DEPTH_TEST,
    FAKE_SCISSOR_TEST, FAKE_STENCIL_TEST
};

static int *fake_find_switch(unsigned name)
{
    const unsigned error = fake.error;
    int i;
    for (i = 0; i < FAKE_SWITCHES && fake_switches[i] != name; ++i) {}
    if (i > 1 || (i == 1 && fake.es)) fake_mistake("0x%04X belongs to the caller", name);
    if (i > 1 && i < FAKE_SWITCHES) fake.error = error; /* this mistake is no error in OpenGL */
    return i < FAKE_SWITCHES ? &fake.state.switches[i] : NULL;
}

#define FAKE_SWITCH(function, on)                   \
    static void fake_##function(unsigned name)      \
    {                                               \
        FAKE_CALL(#function);                       \
        int *found = fake_find_switch(name);        \
        if (found) *found = on;                     \
    }
FAKE_SWITCH(glEnable, 1)
FAKE_SWITCH(glDisable, 0)

static unsigned char fake_glIsEnabled(unsigned name)
{
    FAKE_GET("glIsEnabled", 0);
    const int *found = fake_find_switch(name);
    return found && *found;
}

/* -- Drawing --------------------------------------------------------------- */

static void fake_check_textures(const fake_object *program)
{
    for (int i = 0; i < program->uniform_count; ++i) {
        const fake_variable *uniform = &program->uniform[i];
        if (!strstr(uniform->type, "sampler")) continue;
        const unsigned name = fake.state.texture[uniform->unit];
        if (!name) fake_mistake("%s reads unit %d, which has no texture", uniform->name, uniform->unit);
        fake_object *texture = name ? fake_find(FAKE_TEXTURE, name) : NULL;
        if (fake.state.sampler[uniform->unit])
            fake_mistake("a sampler object is bound to the unit of %s", uniform->name);
        if (!texture) continue;
        if (!fake_is_complete(texture))
            fake_mistake("the texture for %s is not complete", uniform->name);
        if ((texture->storage == FAKE_RGBA8UI || texture->storage == FAKE_RGBA16UI) !=
            (uniform->type[0] == 'u')) {
            fake_mistake("%s %s reads storage 0x%04X", uniform->type, uniform->name,
                         (unsigned)texture->storage);
        }
        if (!texture->filled) fake_mistake("the texture for %s has no content", uniform->name);
    }
}

/* Returns the largest index of the draw, or -1 if the indices end outside their buffer. */
static long fake_largest_index(const fake_object *buffer, int count, size_t offset)
{
    uint32_t largest = 0, index;
    if (offset > buffer->size || (size_t)count > (buffer->size - offset) / sizeof index) return -1;
    for (size_t i = 0; i < (size_t)count; ++i) {
        memcpy(&index, buffer->data + offset + i * sizeof index, sizeof index);
        if (index > largest) largest = index;
    }
    return (long)largest;
}

/* Checks one column of a matrix, or an attribute of any other type. */
static void fake_check_column(const fake_variable *input, const fake_attribute *attribute,
                              long vertices, long instances)
{
    bool is_integer = input->type[0] == 'u' || input->type[0] == 'i';
    long last = attribute->divisor ? (instances - 1) / (long)attribute->divisor : vertices - 1;
    size_t end = attribute->offset + (size_t)attribute->size * fake_type_size(attribute->type);
    if (!attribute->enabled) {
        fake_mistake("attribute %s is not enabled", input->name);
        return;
    }
    if (is_integer != attribute->is_integer) fake_mistake("attribute %s is a %s", input->name, input->type);
    fake_object *buffer = fake_find(FAKE_BUFFER, attribute->buffer);
    if (!buffer || last < 0) return;
    if ((size_t)last * (size_t)attribute->stride + end > buffer->size) {
        fake_mistake("attribute %s of vertex or instance %ld is outside its buffer of %lu bytes",
                     input->name, last, (unsigned long)buffer->size);
    }
    if (attribute->divisor && buffer->filled <= buffer->drawn && buffer->drawn != fake.serial)
        fake_mistake("attribute %s reads data of an earlier draw", input->name);
    buffer->drawn = fake.serial;
}

static void fake_check_draw(int count, size_t offset, int instances)
{
    const fake_object *program = &fake.object[fake.state.program],
                      *array = &fake.object[fake.state.array];
    if (!fake.state.program || !fake.state.array) {
        fake_mistake("program %u, vertex array %u", fake.state.program, fake.state.array);
        return;
    }
    fake_check_textures(program);
    if (fake.state.switches[0] || fake.state.switches[1])
        fake_mistake("rasterizer discard or primitive restart is on");
    const fake_object *elements = fake_find(FAKE_BUFFER, array->element_buffer);
    if (!elements || count == 0) return;
    long largest = fake_largest_index(elements, count, offset);
    if (largest < 0)
        fake_mistake("%d indices in a buffer of %lu bytes", count, (unsigned long)elements->size);
    for (const fake_variable *input = program->input; input < program->input + program->input_count;
         ++input) {
        const fake_attribute *attribute = &array->attribute[input->location];
        int columns = strncmp(input->type, "mat", 3) == 0 ? input->type[3] - '0' : 1;
        for (; columns > 0; --columns)
            fake_check_column(input, attribute++, largest + 1, instances);
    }
}

void fake_glDrawElementsInstanced(unsigned mode, int count, unsigned type, const void *offset,
                                  int instances)
{
    FAKE_CALL("glDrawElementsInstanced");
    if (mode != FAKE_TRIANGLES || count < 0 || instances < 0 || type != FAKE_UNSIGNED_INT) {
        fake_mistake("mode %u, count %d, type 0x%04X, instances %d", mode, count, type, instances);
        return;
    }
    fake_check_draw(count, (size_t)offset, instances);
    ++fake.draws;
    const fake_draw last = { count, instances, mode, type, fake.state.program, { 0 } };
    fake.last = last;
    memcpy(fake.last.texture, fake.state.texture, sizeof fake.last.texture);
}

/* -- Function addresses ---------------------------------------------------- */

static const fake_entry fake_entries[] = {
    FAKE_ENTRY(glActiveTexture), FAKE_ENTRY(glBindBuffer), FAKE_ENTRY(glBindSampler),
    FAKE_ENTRY(glBindTexture), FAKE_ENTRY(glBindVertexArray), FAKE_ENTRY(glBufferData),
    FAKE_ENTRY(glDeleteBuffers), FAKE_ENTRY(glDeleteTextures), FAKE_ENTRY(glDeleteVertexArrays),
    FAKE_ENTRY(glDisable), FAKE_ENTRY(glDrawElementsInstanced), FAKE_ENTRY(glEnable),
    FAKE_ENTRY(glEnableVertexAttribArray), FAKE_ENTRY(glGenBuffers), FAKE_ENTRY(glGenTextures),
    FAKE_ENTRY(glGenVertexArrays), FAKE_ENTRY(glGenerateMipmap), FAKE_ENTRY(glGetError),
    FAKE_ENTRY(glGetIntegerv), FAKE_ENTRY(glGetString), FAKE_ENTRY(glIsEnabled),
    FAKE_ENTRY(glPixelStorei), FAKE_ENTRY(glTexImage2D), FAKE_ENTRY(glTexParameteri),
    FAKE_ENTRY(glTexSubImage2D), FAKE_ENTRY(glVertexAttribDivisor),
    FAKE_ENTRY(glVertexAttribIPointer), FAKE_ENTRY(glVertexAttribPointer), { NULL, NULL }
};

static fake_gl_proc fake_find_entry(const fake_entry *entry, const char *name)
{
    while (entry->name && strcmp(entry->name, name) != 0) ++entry;
    return entry->function;
}

fake_gl_proc fake_gl_get_proc(const char *name)
{
    fake_gl_proc found = fake_find_entry(fake_entries, name);
    if (!found) found = fake_find_entry(fake_shader_entries, name);
    if (fake.asked < 128)
        snprintf(fake.asked_name[fake.asked++], sizeof fake.asked_name[0], "%.39s", name);
    if (!found) fake_mistake("the fake GL has no %s", name);
    return fake.hidden && strcmp(name, fake.hidden) == 0 ? NULL : found;
}

/* -- The state of a demanding caller --------------------------------------- */

void fake_gl_set_hostile(void)
{
    static const int unpacking[6] = { 77, 3, 5, 1, 2, 11 };
    fake_state *state = &fake.state;
    state->program = fake_new(FAKE_PROGRAM);
    fake.object[state->program].built = true;
    state->array = fake_new(FAKE_ARRAY);
    fake.object[state->array].element_buffer = fake_new(FAKE_BUFFER);
    for (unsigned i = 0; i < FAKE_ATTRIBUTES; ++i)
        fake.object[state->array].attribute[i].buffer = 4000 + i;
    state->array_buffer = fake_new(FAKE_BUFFER);
    state->unpack_buffer = fake_new(FAKE_BUFFER);
    for (unsigned i = 0; i < FAKE_UNITS; ++i) {
        state->texture[i] = fake_new(FAKE_TEXTURE);
        state->sampler[i] = fake_new(FAKE_SAMPLER);
    }
    state->active_unit = 9;
    memcpy(state->unpack, unpacking, sizeof unpacking);
    state->unpack[6] = !fake.es;
    state->unpack[7] = state->unpack[8] = strstr(fake_version(), "WebGL") != NULL;
    for (unsigned i = 0; i < FAKE_SWITCHES; ++i) state->switches[i] = i == 0 || !fake.es;
}

const char *fake_gl_difference(const fake_state *before)
{
    static const struct {             /* order of fake_state */
        const char *name;
        unsigned    count;
    } parts[] = {
        { "GL_CURRENT_PROGRAM", 1 }, { "GL_VERTEX_ARRAY_BINDING", 1 },
        { "GL_ARRAY_BUFFER_BINDING", 1 }, { "GL_PIXEL_UNPACK_BUFFER_BINDING", 1 },
        { "GL_ACTIVE_TEXTURE", 1 }, { "GL_TEXTURE_BINDING_2D", FAKE_UNITS },
        { "GL_SAMPLER_BINDING", FAKE_UNITS }, { "GL_UNPACK_ROW_LENGTH", 1 },
        { "GL_UNPACK_SKIP_ROWS", 1 }, { "GL_UNPACK_SKIP_PIXELS", 1 }, { "GL_UNPACK_ALIGNMENT", 1 },
        { "GL_UNPACK_SKIP_IMAGES", 1 }, { "GL_UNPACK_IMAGE_HEIGHT", 1 },
        { "GL_UNPACK_SWAP_BYTES", 1 }, { "UNPACK_FLIP_Y_WEBGL", 1 },
        { "UNPACK_PREMULTIPLY_ALPHA_WEBGL", 1 }, { "GL_RASTERIZER_DISCARD", 1 },
        { "GL_PRIMITIVE_RESTART", 1 }, { "GL_BLEND", 1 }, { "GL_CULL_FACE", 1 },
        { "GL_DEPTH_TEST", 1 }, { "GL_SCISSOR_TEST", 1 }, { "GL_STENCIL_TEST", 1 }
    };
    static char words[96];
    unsigned    is[sizeof(fake_state) / sizeof(unsigned)], was[sizeof is / sizeof *is], at = 0;
    memcpy(is, &fake.state, sizeof is);
    memcpy(was, before, sizeof was);
    if (memcmp(is, was, sizeof is) == 0) return NULL;
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; ++i) {
        for (unsigned k = 0; k < parts[i].count; ++k, ++at) {
            char unit[24] = "";
            if (is[at] == was[at]) continue;
            if (parts[i].count > 1) snprintf(unit, sizeof unit, " of unit %u", k);
            snprintf(words, sizeof words, "%s%s from %u to %u", parts[i].name, unit, was[at],
                     is[at]);
            return words;
        }
    }
    return "an unnamed part of the state";
}
