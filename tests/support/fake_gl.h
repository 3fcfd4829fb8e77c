/* fake_gl.h: an OpenGL that draws nothing and watches everything. It has what GL 3.3 core and GL
   ES 3.0 have in common and the libraries use, behind fake_gl_get_proc.

   fake_gl_reset();                        a new context: desktop, textures up to 16384
   fake.es = true; fake.hidden = "glBindSampler"; fake.refuse = FAKE_VERTEX_SHADER; fake.log =
   "..."; fake_gl_calls("glTexImage2D")           how often, since the reset fake.mistakes,
   fake.first_mistake       what no driver should be asked to do fake_gl_live(FAKE_TEXTURE) objects
   that exist fake.draws, fake.last                   draw calls, and the last of them

   A mistake is: an enum that the call does not take, an object of the wrong kind or none, a name
   deleted twice, memory that an upload cannot read (it reads every byte), a draw without a program,
   with an incomplete texture, with a sampler object left on a unit, with an attribute or an index
   outside its buffer, a call that changes what is the caller's alone (depth, blending, culling,
   viewport, framebuffer). Public domain. */
#ifndef FAKE_GL_H_INCLUDED
#define FAKE_GL_H_INCLUDED

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GNUC__
    #define FAKE_HELPER static __attribute__((unused))
    #define FAKE_PRINTF __attribute__((format(printf, 1, 2)))
#else
    #define FAKE_HELPER static
    #define FAKE_PRINTF
#endif

typedef void (*fake_gl_proc)(void);

enum { /* from the registry of OpenGL */
    FAKE_TRIANGLES = 0x0004, FAKE_INVALID_ENUM = 0x0500, FAKE_INVALID_OPERATION = 0x0502,
    FAKE_OUT_OF_MEMORY = 0x0505, FAKE_CONTEXT_LOST = 0x0507,
    FAKE_MAX_TEXTURE_SIZE = 0x0D33, FAKE_UNPACK_ROW_LENGTH = 0x0CF2, FAKE_UNPACK_SKIP_ROWS = 0x0CF3,
    FAKE_UNPACK_SKIP_PIXELS = 0x0CF4, FAKE_UNPACK_ALIGNMENT = 0x0CF5, FAKE_TEXTURE_2D = 0x0DE1,
    FAKE_BYTE = 0x1400, FAKE_UNSIGNED_BYTE = 0x1401, FAKE_SHORT = 0x1402,
    FAKE_UNSIGNED_SHORT = 0x1403, FAKE_INT = 0x1404, FAKE_UNSIGNED_INT = 0x1405,
    FAKE_FLOAT = 0x1406, FAKE_HALF_FLOAT = 0x140B, FAKE_RED = 0x1903, FAKE_RGB = 0x1907,
    FAKE_RGBA = 0x1908, FAKE_VENDOR = 0x1F00, FAKE_RENDERER = 0x1F01, FAKE_VERSION = 0x1F02,
    FAKE_NEAREST = 0x2600, FAKE_LINEAR = 0x2601, FAKE_NEAREST_MIPMAP_NEAREST = 0x2700,
    FAKE_LINEAR_MIPMAP_LINEAR = 0x2703, FAKE_MAG_FILTER = 0x2800, FAKE_MIN_FILTER = 0x2801,
    FAKE_WRAP_S = 0x2802, FAKE_WRAP_T = 0x2803, FAKE_REPEAT = 0x2901, FAKE_MIRRORED_REPEAT = 0x8370,
    FAKE_CLAMP_TO_EDGE = 0x812F, FAKE_RG = 0x8227, FAKE_RG_INTEGER = 0x8228, FAKE_R8 = 0x8229,
    FAKE_R32F = 0x822E, FAKE_RG32F = 0x8230, FAKE_R32UI = 0x8236, FAKE_RG16UI = 0x823A,
    FAKE_RG32UI = 0x823C, FAKE_BASE_LEVEL = 0x813C, FAKE_MAX_LEVEL = 0x813D,
    FAKE_MAJOR_VERSION = 0x821B, FAKE_MINOR_VERSION = 0x821C, FAKE_RGBA8 = 0x8058,
    FAKE_TEXTURE_BINDING_2D = 0x8069, FAKE_UNPACK_SKIP_IMAGES = 0x806D,
    FAKE_UNPACK_IMAGE_HEIGHT = 0x806E, FAKE_TEXTURE0 = 0x84C0, FAKE_ACTIVE_TEXTURE = 0x84E0,
    FAKE_ARRAY_BINDING = 0x85B5, FAKE_RGBA32F = 0x8814, FAKE_RGB32F = 0x8815, FAKE_RGBA16F = 0x881A,
    FAKE_MAX_TEXTURE_UNITS = 0x8872, FAKE_ARRAY_BUFFER = 0x8892, FAKE_ELEMENT_BUFFER = 0x8893,
    FAKE_ARRAY_BUFFER_BINDING = 0x8894, FAKE_ELEMENT_BUFFER_BINDING = 0x8895,
    FAKE_STREAM_DRAW = 0x88E0, FAKE_STATIC_DRAW = 0x88E4, FAKE_DYNAMIC_DRAW = 0x88E8,
    FAKE_PACK_BUFFER = 0x88EB, FAKE_UNPACK_BUFFER = 0x88EC, FAKE_UNPACK_BUFFER_BINDING = 0x88EF,
    FAKE_SAMPLER_BINDING = 0x8919, FAKE_MAX_COMBINED_UNITS = 0x8B4D, FAKE_FRAGMENT_SHADER = 0x8B30,
    FAKE_VERTEX_SHADER = 0x8B31, FAKE_DELETE_STATUS = 0x8B80, FAKE_COMPILE_STATUS = 0x8B81,
    FAKE_LINK_STATUS = 0x8B82, FAKE_LOG_LENGTH = 0x8B84, FAKE_GLSL_VERSION = 0x8B8C,
    FAKE_CURRENT_PROGRAM = 0x8B8D, FAKE_RGBA32UI = 0x8D70, FAKE_RGBA16UI = 0x8D76,
    FAKE_RGBA8UI = 0x8D7C, FAKE_RED_INTEGER = 0x8D94, FAKE_RGBA_INTEGER = 0x8D99
};

enum {
    FAKE_UNITS = 32,
    FAKE_ATTRIBUTES = 16,
    FAKE_UNIFORMS = 24,
    FAKE_OBJECTS = 512,
    FAKE_UNPACKING = 6
};
enum { FAKE_BUFFER, FAKE_TEXTURE, FAKE_ARRAY, FAKE_SAMPLER, FAKE_SHADER, FAKE_PROGRAM, FAKE_KINDS };

static const char *const fake_kind_name[FAKE_KINDS] = { "buffer",  "texture", "vertex array",
                                                        "sampler", "shader",  "program" };

/* -- What there is --------------------------------------------------------- */

typedef struct fake_attribute {
    bool     enabled, whole;          /* whole: through VertexAttribIPointer */
    int      size, stride;
    unsigned type, divisor, buffer;
    size_t   offset;
} fake_attribute;

typedef struct fake_variable {        /* a uniform, or an attribute of the shader */
    char name[32], type[24];
    int  count, location, unit;
    bool set;
    float value[24];                  /* the first of its numbers */
} fake_variable;

typedef struct fake_object {
    int            kind;
    bool           live, doomed;      /* doomed: to be deleted when no longer in use */
    uint8_t       *data;              /* of a buffer; of a texture's first level */
    size_t         size;
    unsigned       usage;
    unsigned long  filled, drawn;     /* when last, by the serial of the call */
    int            width, height, storage, levels;
    int            min_filter, mag_filter, wrap_s, wrap_t, base_level, max_level;
    unsigned       element_buffer;
    fake_attribute attribute[FAKE_ATTRIBUTES];
    unsigned       shader_type, shaders[2];
    char          *source;
    bool           built;             /* compiled, or linked */
    bool           denied;            /* it was to grow, and could not */
    int            uniform_count, input_count;
    fake_variable  uniform[FAKE_UNIFORMS], input[FAKE_ATTRIBUTES];
} fake_object;

/* What a caller may have set, and wants to find again. Compared byte by byte. */
typedef struct fake_state {
    unsigned program, array, array_buffer, unpack_buffer, pack_buffer, active_unit;
    unsigned texture[FAKE_UNITS], sampler[FAKE_UNITS];
    int      unpack[FAKE_UNPACKING];
} fake_state;

typedef struct fake_draw {
    int      count, instances;
    unsigned mode, type, program, array, texture[FAKE_UNITS];
} fake_draw;

static struct fake_gl {
    bool          es, lost;
    const char   *hidden;             /* a function that this GL lacks */
    unsigned refuse; /* FAKE_VERTEX_SHADER, FAKE_FRAGMENT_SHADER, FAKE_LINK_STATUS, or 0 */
    const char   *log, *version;
    int           max_texture_size;
    unsigned long calls, mistakes, draws, instances_drawn, asked;
    unsigned long serial;             /* of the call; never set back */
    unsigned      error;
    char          first_mistake[240];
    char          asked_name[128][40]; /* functions that get_proc was asked for */
    fake_draw     last;
    fake_state    state;
    fake_object   object[FAKE_OBJECTS + 1];
    unsigned      names;
    size_t        gpu_bytes, gpu_peak;
    unsigned long gpu_requests, gpu_fail_at; /* the n-th storage fails, and all after it; 0 = none */
    unsigned      gpu_error;          /* with this in place of OUT_OF_MEMORY */
} fake;

static volatile unsigned fake_sink;   /* so that reading memory is not optimised away */

FAKE_PRINTF static void fake_mistake(const char *format, ...)
{
    va_list arguments;
    if (fake.lost) return;
    if (!fake.mistakes++) {
        va_start(arguments, format);
        vsnprintf(fake.first_mistake, sizeof fake.first_mistake, format, arguments);
        va_end(arguments);
    }
    fake.error = FAKE_INVALID_ENUM;
}

/* Every byte of an upload is read, so that a sanitizer sees one that is not there. */
static void fake_touch(const void *memory, size_t size)
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

FAKE_HELPER void fake_gl_reset(void)
{
    unsigned i;
    for (i = 0; i <= FAKE_OBJECTS; ++i) {
        free(fake.object[i].data);
        free(fake.object[i].source);
    }
    memset(&fake, 0, sizeof fake);
    fake.max_texture_size = 16384;
    fake.log = "";
    fake.state.unpack[3] = 4;
}

static unsigned fake_new(int kind)
{
    fake_object *object;
    if (fake.names == FAKE_OBJECTS) {
        fake_mistake("more than %d objects were made", FAKE_OBJECTS);
        return 0;
    }
    object = &fake.object[++fake.names];
    object->kind = kind;
    object->live = true;
    object->min_filter = 0x2702; /* NEAREST_MIPMAP_LINEAR: as textures begin */
    object->mag_filter = FAKE_LINEAR;
    object->wrap_s = object->wrap_t = FAKE_REPEAT;
    object->max_level = 1000;
    return fake.names;
}

/* The object, or NULL and a mistake. */
static fake_object *fake_find(const char *function, int kind, unsigned name)
{
    if (name == 0 || name > fake.names || fake.object[name].kind != kind ||
        !fake.object[name].live) {
        fake_mistake("%s: %u is no %s", function, name, fake_kind_name[kind]);
        return NULL;
    }
    return &fake.object[name];
}

FAKE_HELPER unsigned fake_gl_live(int kind)
{
    unsigned i, count = 0;
    for (i = 1; i <= fake.names; ++i) {
        if (fake.object[i].live && (kind == FAKE_KINDS || fake.object[i].kind == kind)) ++count;
    }
    return count;
}

static bool fake_resize(fake_object *object, size_t size, const void *data)
{
    ++fake.gpu_requests;
    object->denied = fake.gpu_fail_at && fake.gpu_requests >= fake.gpu_fail_at;
    if (object->denied) {
        fake.error = fake.gpu_error ? fake.gpu_error : (unsigned)FAKE_OUT_OF_MEMORY;
        return false;
    }
    fake.gpu_bytes = fake.gpu_bytes - object->size + size;
    if (fake.gpu_bytes > fake.gpu_peak) fake.gpu_peak = fake.gpu_bytes;
    free(object->data);
    object->data = (uint8_t *)malloc(size ? size : 1);
    if (!object->data) abort();
    object->size = size;
    object->filled = fake.serial;
    if (data) memcpy(object->data, data, size);
    else memset(object->data, 0xCD, size);
    return true;
}

static void fake_destroy(fake_object *object)
{
    fake.gpu_bytes -= object->size;
    free(object->data);
    free(object->source);
    object->data = NULL;
    object->source = NULL;
    object->size = 0;
    object->live = false;
}

/* -- Calls: counted by name, dead when the context is lost ----------------- */

enum { FAKE_NAMES = 64 };
static struct fake_count { const char *name; unsigned long calls; } fake_counts[FAKE_NAMES];

static void fake_count_call(const char *name)
{
    unsigned i;
    ++fake.calls;
    ++fake.serial;
    for (i = 0; i < FAKE_NAMES && fake_counts[i].name; ++i) {
        if (strcmp(fake_counts[i].name, name) == 0) break;
    }
    if (i == FAKE_NAMES) abort();
    fake_counts[i].name = name;
    ++fake_counts[i].calls;
}

FAKE_HELPER unsigned long fake_gl_calls(const char *name)
{
    unsigned i;
    for (i = 0; i < FAKE_NAMES && fake_counts[i].name; ++i) {
        if (strcmp(fake_counts[i].name, name) == 0) return fake_counts[i].calls;
    }
    return 0;
}

/* Counts from here on. */
FAKE_HELPER void fake_gl_start_count(void)
{
    fake.calls = fake.draws = fake.instances_drawn = 0;
    memset(fake_counts, 0, sizeof fake_counts);
}

/* How many calls asked for something: they wait for the driver. */
FAKE_HELPER unsigned long fake_gl_queries(void)
{
    unsigned long sum = 0;
    unsigned i;
    for (i = 0; i < FAKE_NAMES && fake_counts[i].name; ++i) {
        if (strncmp(fake_counts[i].name, "glGet", 5) == 0) sum += fake_counts[i].calls;
    }
    return sum;
}

#define FAKE_CALL(name) do { fake_count_call(name); if (fake.lost) return; } while (0)
#define FAKE_ASK(name, nothing) do { fake_count_call(name); if (fake.lost) return nothing; } while (0)

static bool fake_is_one_of(unsigned value, const unsigned *list, size_t count)
{
    size_t i;
    for (i = 0; i < count; ++i) {
        if (list[i] == value) return true;
    }
    return false;
}

#define FAKE_ONE_OF(value, list) fake_is_one_of(value, list, sizeof(list) / sizeof(list)[0])

/* -- Buffers --------------------------------------------------------------- */

static void fake_glGenBuffers(int count, unsigned *names)
{
    FAKE_CALL("glGenBuffers");
    while (count-- > 0) *names++ = fake_new(FAKE_BUFFER);
}

static unsigned *fake_buffer_binding(unsigned target)
{
    switch (target) {
    case FAKE_ARRAY_BUFFER: return &fake.state.array_buffer;
    case FAKE_UNPACK_BUFFER: return &fake.state.unpack_buffer;
    case FAKE_PACK_BUFFER: return &fake.state.pack_buffer;
    case FAKE_ELEMENT_BUFFER: return &fake.object[fake.state.array].element_buffer;
    default: return NULL;
    }
}

static void fake_glBindBuffer(unsigned target, unsigned name)
{
    unsigned *binding = fake_buffer_binding(target);
    FAKE_CALL("glBindBuffer");
    if (!binding) {
        fake_mistake("glBindBuffer: target 0x%04X", target);
        return;
    }
    if (target == FAKE_ELEMENT_BUFFER && !fake.state.array) {
        fake_mistake(
            "glBindBuffer: an element buffer belongs to a vertex array, and none is bound");
    }
    if (name == 0 || fake_find("glBindBuffer", FAKE_BUFFER, name)) *binding = name;
}

static fake_object *fake_bound_buffer(const char *function, unsigned target)
{
    const unsigned *binding = fake_buffer_binding(target);
    if (!binding || !*binding) {
        fake_mistake("%s: no buffer is bound to 0x%04X", function, target);
        return NULL;
    }
    return fake_find(function, FAKE_BUFFER, *binding);
}

static void fake_glBufferData(unsigned target, ptrdiff_t size, const void *data, unsigned usage)
{
    static const unsigned usages[] = { FAKE_STREAM_DRAW, FAKE_STATIC_DRAW, FAKE_DYNAMIC_DRAW };
    fake_object *buffer = fake_bound_buffer("glBufferData", target);
    FAKE_CALL("glBufferData");
    if (!buffer) return;
    if (size < 0 || !FAKE_ONE_OF(usage, usages)) {
        fake_mistake("glBufferData: size %ld, usage 0x%04X", (long)size, usage);
        return;
    }
    if (data) fake_touch(data, (size_t)size);
    fake_resize(buffer, (size_t)size, data);
    buffer->usage = usage;
}

static void fake_glBufferSubData(unsigned target, ptrdiff_t offset, ptrdiff_t size,
                                 const void *data)
{
    fake_object *buffer = fake_bound_buffer("glBufferSubData", target);
    FAKE_CALL("glBufferSubData");
    if (!buffer) return;
    if (offset < 0 || size < 0 || (size_t)offset > buffer->size ||
        (size_t)size > buffer->size - (size_t)offset) {
        fake_mistake("glBufferSubData: %ld bytes at %ld of %lu", (long)size, (long)offset,
                     (unsigned long)buffer->size);
        return;
    }
    fake_touch(data, (size_t)size);
    memcpy(buffer->data + offset, data, (size_t)size);
    if (buffer->drawn < buffer->filled)
        buffer->filled = fake.serial; /* else an earlier draw may still read it */
}

/* Deleted names are let go wherever this context holds them. */
static void fake_unbind_buffer(unsigned name)
{
    fake_object *array = &fake.object[fake.state.array];
    unsigned i;
    if (fake.state.array_buffer == name) fake.state.array_buffer = 0;
    if (fake.state.unpack_buffer == name) fake.state.unpack_buffer = 0;
    if (fake.state.pack_buffer == name) fake.state.pack_buffer = 0;
    if (array->element_buffer == name) array->element_buffer = 0;
    for (i = 0; i < FAKE_ATTRIBUTES; ++i) {
        if (array->attribute[i].buffer == name) array->attribute[i].buffer = 0;
    }
}

static void fake_unbind(int kind, unsigned name)
{
    unsigned i;
    if (kind == FAKE_BUFFER) fake_unbind_buffer(name);
    if (kind == FAKE_ARRAY && fake.state.array == name) fake.state.array = 0;
    for (i = 0; i < FAKE_UNITS; ++i) {
        if (kind == FAKE_TEXTURE && fake.state.texture[i] == name) fake.state.texture[i] = 0;
        if (kind == FAKE_SAMPLER && fake.state.sampler[i] == name) fake.state.sampler[i] = 0;
    }
}

static void fake_delete(const char *function, int kind, int count, const unsigned *names)
{
    fake_object *object;
    for (; count > 0; --count, ++names) {
        if (*names == 0) continue;
        object = fake_find(function, kind, *names); /* legal in GL, but nobody means it */
        if (!object) continue;
        fake_unbind(kind, *names);
        fake_destroy(object);
    }
}

static void fake_glDeleteBuffers(int count, const unsigned *names)
{
    FAKE_CALL("glDeleteBuffers");
    fake_delete("glDeleteBuffers", FAKE_BUFFER, count, names);
}

/* -- Vertex arrays --------------------------------------------------------- */

static void fake_glGenVertexArrays(int count, unsigned *names)
{
    FAKE_CALL("glGenVertexArrays");
    while (count-- > 0) *names++ = fake_new(FAKE_ARRAY);
}

static void fake_glDeleteVertexArrays(int count, const unsigned *names)
{
    FAKE_CALL("glDeleteVertexArrays");
    fake_delete("glDeleteVertexArrays", FAKE_ARRAY, count, names);
}

static void fake_glBindVertexArray(unsigned name)
{
    FAKE_CALL("glBindVertexArray");
    if (name == 0 || fake_find("glBindVertexArray", FAKE_ARRAY, name)) fake.state.array = name;
}

static fake_attribute *fake_find_attribute(const char *function, unsigned index)
{
    if (fake.state.array == 0 || index >= FAKE_ATTRIBUTES) {
        fake_mistake("%s: attribute %u of vertex array %u", function, index, fake.state.array);
        return NULL;
    }
    return &fake.object[fake.state.array].attribute[index];
}

static void fake_glEnableVertexAttribArray(unsigned index)
{
    fake_attribute *attribute = fake_find_attribute("glEnableVertexAttribArray", index);
    FAKE_CALL("glEnableVertexAttribArray");
    if (attribute) attribute->enabled = true;
}

static void fake_glDisableVertexAttribArray(unsigned index)
{
    fake_attribute *attribute = fake_find_attribute("glDisableVertexAttribArray", index);
    FAKE_CALL("glDisableVertexAttribArray");
    if (attribute) attribute->enabled = false;
}

static void fake_glVertexAttribDivisor(unsigned index, unsigned divisor)
{
    fake_attribute *attribute = fake_find_attribute("glVertexAttribDivisor", index);
    FAKE_CALL("glVertexAttribDivisor");
    if (attribute) attribute->divisor = divisor;
}

static size_t fake_type_size(unsigned type)
{
    switch (type) {
    case FAKE_BYTE: case FAKE_UNSIGNED_BYTE: return 1;
    case FAKE_SHORT: case FAKE_UNSIGNED_SHORT: case FAKE_HALF_FLOAT: return 2;
    case FAKE_INT: case FAKE_UNSIGNED_INT: case FAKE_FLOAT: return 4;
    default: return 0;
    }
}

static void fake_set_pointer(const char *function, unsigned index, int size, unsigned type,
                             bool whole, int stride, const void *offset)
{
    fake_attribute *attribute = fake_find_attribute(function, index);
    size_t unit = fake_type_size(type);
    if (!attribute) return;
    if (size < 1 || size > 4 || !unit ||
        (whole && (type == FAKE_FLOAT || type == FAKE_HALF_FLOAT)) || stride < 0) {
        fake_mistake("%s: size %d, type 0x%04X, stride %d", function, size, type, stride);
        return;
    }
    if (!fake.state.array_buffer) fake_mistake("%s: no array buffer is bound", function);
    if ((size_t)offset % unit || (size_t)stride % unit) {
        fake_mistake("%s: attribute %u is not aligned to its type (WebGL refuses it)", function,
                     index);
    }
    attribute->size = size;
    attribute->type = type;
    attribute->whole = whole;
    attribute->stride = stride ? stride : size * (int)unit;
    attribute->offset = (size_t)offset;
    attribute->buffer = fake.state.array_buffer;
}

static void fake_glVertexAttribPointer(unsigned index, int size, unsigned type,
                                       unsigned char scaled, int stride, const void *offset)
{
    FAKE_CALL("glVertexAttribPointer");
    if (scaled > 1) fake_mistake("glVertexAttribPointer: normalized is %u", scaled);
    fake_set_pointer("glVertexAttribPointer", index, size, type, false, stride, offset);
}

static void fake_glVertexAttribIPointer(unsigned index, int size, unsigned type, int stride,
                                        const void *offset)
{
    FAKE_CALL("glVertexAttribIPointer");
    fake_set_pointer("glVertexAttribIPointer", index, size, type, true, stride, offset);
}

/* -- Textures -------------------------------------------------------------- */

static void fake_glGenTextures(int count, unsigned *names)
{
    FAKE_CALL("glGenTextures");
    while (count-- > 0) *names++ = fake_new(FAKE_TEXTURE);
}

static void fake_glDeleteTextures(int count, const unsigned *names)
{
    FAKE_CALL("glDeleteTextures");
    fake_delete("glDeleteTextures", FAKE_TEXTURE, count, names);
}

static void fake_glActiveTexture(unsigned unit)
{
    FAKE_CALL("glActiveTexture");
    if (unit < FAKE_TEXTURE0 || unit >= (unsigned)FAKE_TEXTURE0 + (unsigned)FAKE_UNITS) {
        fake_mistake("glActiveTexture: 0x%04X", unit);
    } else {
        fake.state.active_unit = unit - FAKE_TEXTURE0;
    }
}

static void fake_glBindTexture(unsigned target, unsigned name)
{
    FAKE_CALL("glBindTexture");
    if (target != FAKE_TEXTURE_2D) {
        fake_mistake("glBindTexture: target 0x%04X", target);
    } else if (name == 0 || fake_find("glBindTexture", FAKE_TEXTURE, name)) {
        fake.state.texture[fake.state.active_unit] = name;
    }
}

static void fake_glBindSampler(unsigned unit, unsigned name)
{
    FAKE_CALL("glBindSampler");
    if (unit >= FAKE_UNITS) {
        fake_mistake("glBindSampler: unit %u", unit);
    } else if (name == 0 || fake_find("glBindSampler", FAKE_SAMPLER, name)) {
        fake.state.sampler[unit] = name;
    }
}

static const int fake_unpack_names[FAKE_UNPACKING] = {
    FAKE_UNPACK_ROW_LENGTH, FAKE_UNPACK_SKIP_ROWS, FAKE_UNPACK_SKIP_PIXELS, FAKE_UNPACK_ALIGNMENT,
    FAKE_UNPACK_SKIP_IMAGES, FAKE_UNPACK_IMAGE_HEIGHT
};

static void fake_glPixelStorei(unsigned name, int value)
{
    int i;
    FAKE_CALL("glPixelStorei");
    for (i = 0; i < FAKE_UNPACKING && fake_unpack_names[i] != (int)name; ++i) {}
    if (i == FAKE_UNPACKING || value < 0 ||
        (name == FAKE_UNPACK_ALIGNMENT && value != 1 && value != 2 && value != 4 && value != 8)) {
        fake_mistake("glPixelStorei: 0x%04X = %d", name, value);
        return;
    }
    fake.state.unpack[i] = value;
}

/* The bytes of a texel as it is uploaded; 0 where storage, format and type do not go together. */
static size_t fake_texel_size(int storage, unsigned format, unsigned type)
{
    static const struct {
        unsigned storage, format, type, size;
    } kinds[] = { { FAKE_RGBA8, FAKE_RGBA, FAKE_UNSIGNED_BYTE, 4 },
                  { FAKE_R8, FAKE_RED, FAKE_UNSIGNED_BYTE, 1 },
                  { FAKE_RGBA32F, FAKE_RGBA, FAKE_FLOAT, 16 },
                  { FAKE_R32F, FAKE_RED, FAKE_FLOAT, 4 },
                  { FAKE_RGB32F, FAKE_RGB, FAKE_FLOAT, 12 },
                  { FAKE_RG32F, FAKE_RG, FAKE_FLOAT, 8 },
                  { FAKE_RGBA8UI, FAKE_RGBA_INTEGER, FAKE_UNSIGNED_BYTE, 4 },
                  { FAKE_RGBA16UI, FAKE_RGBA_INTEGER, FAKE_UNSIGNED_SHORT, 8 },
                  { FAKE_RGBA32UI, FAKE_RGBA_INTEGER, FAKE_UNSIGNED_INT, 16 },
                  { FAKE_R32UI, FAKE_RED_INTEGER, FAKE_UNSIGNED_INT, 4 },
                  { FAKE_RG16UI, FAKE_RG_INTEGER, FAKE_UNSIGNED_SHORT, 4 },
                  { FAKE_RG32UI, FAKE_RG_INTEGER, FAKE_UNSIGNED_INT, 8 } };
    size_t i;
    for (i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (kinds[i].storage == (unsigned)storage && kinds[i].format == format &&
            kinds[i].type == type) {
            return kinds[i].size;
        }
    }
    return 0;
}

static bool fake_is_integer(int storage)
{
    return storage == FAKE_RGBA8UI || storage == FAKE_RGBA16UI || storage == FAKE_RGBA32UI ||
           storage == FAKE_R32UI || storage == FAKE_RG16UI || storage == FAKE_RG32UI;
}

static bool fake_is_float(int storage)
{
    return storage == FAKE_RGBA32F || storage == FAKE_RGB32F || storage == FAKE_RG32F ||
           storage == FAKE_R32F;
}

static fake_object *fake_bound_texture(const char *function, unsigned target)
{
    if (target != FAKE_TEXTURE_2D) {
        fake_mistake("%s: target 0x%04X", function, target);
        return NULL;
    }
    return fake_find(function, FAKE_TEXTURE, fake.state.texture[fake.state.active_unit]);
}

/* Reads `rows` rows as the unpack parameters say, and keeps them. */
static void fake_unpack(const char *function, fake_object *texture, int x, int y, int width,
                        int height, size_t texel, const void *pixels)
{
    const int *unpack = fake.state.unpack;
    size_t row = (size_t)(unpack[0] ? unpack[0] : width) * texel, align = (size_t)unpack[3];
    const uint8_t *from = (const uint8_t *)pixels;
    int i;
    if (fake.state.unpack_buffer) {
        fake_mistake("%s: the pixels are an address, but an unpack buffer is bound", function);
        return;
    }
    if (height > 1 && unpack[0] && unpack[0] < width) {
        fake_mistake("%s: rows of %d lie only %d apart", function, width, unpack[0]);
    }
    if (texel % 4) row = (row + align - 1) / align * align;
    else if (align == 8) row = (row + 7) / 8 * 8;
    from += (size_t)unpack[1] * row + (size_t)unpack[2] * texel;
    for (i = 0; i < height; ++i, from += row) {
        fake_touch(from, (size_t)width * texel);
        memcpy(texture->data + ((size_t)(y + i) * (size_t)texture->width + (size_t)x) * texel, from,
               (size_t)width * texel);
    }
    texture->filled = fake.serial;
}

static void fake_glTexImage2D(unsigned target, int level, int storage, int width, int height,
                              int border, unsigned format, unsigned type, const void *pixels)
{
    fake_object *texture = fake_bound_texture("glTexImage2D", target);
    size_t texel = fake_texel_size(storage, format, type);
    FAKE_CALL("glTexImage2D");
    if (!texture) return;
    if (!texel || level < 0 || border || width < 0 || height < 0 || width > fake.max_texture_size ||
        height > fake.max_texture_size) {
        fake_mistake("glTexImage2D: level %d of 0x%04X from 0x%04X, 0x%04X, %d x %d", level,
                     (unsigned)storage, format, type, width, height);
        return;
    }
    if (level > 0) {
        if (texture->levels < level + 1) texture->levels = level + 1;
        return;
    }
    texture->width = width;
    texture->height = height;
    texture->storage = storage;
    texture->levels = 1;
    if (!fake_resize(texture, (size_t)width * (size_t)height * texel, NULL)) return;
    texture->filled = 0;
    if (pixels) fake_unpack("glTexImage2D", texture, 0, 0, width, height, texel, pixels);
}

static void fake_glTexSubImage2D(unsigned target, int level, int x, int y, int width, int height,
                                 unsigned format, unsigned type, const void *pixels)
{
    fake_object *texture = fake_bound_texture("glTexSubImage2D", target);
    size_t texel = texture ? fake_texel_size(texture->storage, format, type) : 0;
    FAKE_CALL("glTexSubImage2D");
    if (!texture || texture->denied) return;
    if (!texel || level != 0 || x < 0 || y < 0 || width < 0 || height < 0 ||
        x + width > texture->width || y + height > texture->height || !pixels) {
        fake_mistake(
            "glTexSubImage2D: %d x %d at %d, %d into %d x %d of 0x%04X from 0x%04X, 0x%04X", width,
            height, x, y, texture->width, texture->height, (unsigned)texture->storage, format,
            type);
        return;
    }
    fake_unpack("glTexSubImage2D", texture, x, y, width, height, texel, pixels);
}

static void fake_glGenerateMipmap(unsigned target)
{
    fake_object *texture = fake_bound_texture("glGenerateMipmap", target);
    FAKE_CALL("glGenerateMipmap");
    if (!texture || texture->denied) return;
    if (fake_is_integer(texture->storage) || fake_is_float(texture->storage) || !texture->width) {
        fake_mistake("glGenerateMipmap: of storage 0x%04X, %d x %d", (unsigned)texture->storage,
                     texture->width, texture->height);
    }
    texture->levels = 100;
}

static void fake_glTexParameteri(unsigned target, unsigned name, int value)
{
    static const unsigned filters[] = { FAKE_NEAREST, FAKE_LINEAR, 0x2700,
                                        0x2701,       0x2702,      FAKE_LINEAR_MIPMAP_LINEAR };
    static const unsigned wraps[] = { FAKE_REPEAT, FAKE_CLAMP_TO_EDGE, FAKE_MIRRORED_REPEAT };
    fake_object *texture = fake_bound_texture("glTexParameteri", target);
    unsigned v = (unsigned)value;
    FAKE_CALL("glTexParameteri");
    if (!texture) return;
    if (name == FAKE_MIN_FILTER && FAKE_ONE_OF(v, filters)) texture->min_filter = value;
    else if (name == FAKE_MAG_FILTER && (v == FAKE_NEAREST || v == FAKE_LINEAR))
        texture->mag_filter = value;
    else if (name == FAKE_WRAP_S && FAKE_ONE_OF(v, wraps)) texture->wrap_s = value;
    else if (name == FAKE_WRAP_T && FAKE_ONE_OF(v, wraps)) texture->wrap_t = value;
    else if (name == FAKE_BASE_LEVEL && value >= 0) texture->base_level = value;
    else if (name == FAKE_MAX_LEVEL && value >= 0) texture->max_level = value;
    else fake_mistake("glTexParameteri: 0x%04X = 0x%04X", name, v);
}

static bool fake_is_complete(const fake_object *texture)
{
    bool mipmapped = texture->min_filter >= FAKE_NEAREST_MIPMAP_NEAREST;
    bool filtered =
        texture->min_filter != FAKE_NEAREST && texture->min_filter != FAKE_NEAREST_MIPMAP_NEAREST;
    filtered = filtered || texture->mag_filter != FAKE_NEAREST;
    if (!texture->width || !texture->height || texture->base_level) return false;
    if (mipmapped && texture->max_level > 0 && texture->levels < 100 &&
        texture->width * texture->height > 1) {
        return false;
    }
    return !filtered || (!fake_is_integer(texture->storage) && !fake_is_float(texture->storage));
}

/* -- Shaders and programs -------------------------------------------------- */

static unsigned fake_glCreateShader(unsigned type)
{
    unsigned name;
    FAKE_ASK("glCreateShader", 0);
    if (type != FAKE_VERTEX_SHADER && type != FAKE_FRAGMENT_SHADER) {
        fake_mistake("glCreateShader: 0x%04X", type);
        return 0;
    }
    name = fake_new(FAKE_SHADER);
    fake.object[name].shader_type = type;
    return name;
}

static void fake_glShaderSource(unsigned name, int count, const char *const *parts,
                                const int *lengths)
{
    fake_object *shader;
    size_t size = 1;
    char *at;
    int i;
    FAKE_CALL("glShaderSource");
    shader = fake_find("glShaderSource", FAKE_SHADER, name);
    if (!shader) return;
    for (i = 0; i < count; ++i)
        size += lengths && lengths[i] >= 0 ? (size_t)lengths[i] : strlen(parts[i]);
    free(shader->source);
    shader->source = (char *)calloc(size, 1);
    if (!shader->source) abort();
    for (i = 0, at = shader->source; i < count; ++i) {
        size_t length = lengths && lengths[i] >= 0 ? (size_t)lengths[i] : strlen(parts[i]);
        memcpy(at, parts[i], length);
        at += length;
    }
}

/* The next word or mark of GLSL; comments and lines of the preprocessor are passed over. False at
   the end. */
static bool fake_next_word(const char **at, char word[64])
{
    const char *p = *at;
    size_t length = 0;
    for (;;) {
        while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') ++p;
        if ((p[0] == '/' && p[1] == '/') || *p == '#') {
            while (*p && *p != '\n') ++p;
        } else if (p[0] == '/' && p[1] == '*') {
            for (p += 2; *p && !(p[0] == '*' && p[1] == '/'); ++p) {}
            p += *p ? 2 : 0;
        } else {
            break;
        }
    }
    while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
           *p == '_') {
        if (length < 63) word[length++] = *p;
        ++p;
    }
    if (length == 0 && *p) word[length++] = *p++;
    word[length] = 0;
    *at = p;
    return length > 0;
}

/* What stands behind `uniform` or `in`: [precision] type name [ [count] ]. */
static void fake_read_variable(const char **at, fake_variable *variable)
{
    char word[64] = "";
    do {
        if (!fake_next_word(at, word)) return;
    } while (strcmp(word, "highp") == 0 || strcmp(word, "mediump") == 0 ||
             strcmp(word, "lowp") == 0);
    snprintf(variable->type, sizeof variable->type, "%.23s", word);
    if (!fake_next_word(at, word)) return;
    snprintf(variable->name, sizeof variable->name, "%.31s", word);
    variable->count = 1;
    if (fake_next_word(at, word) && word[0] == '[' && fake_next_word(at, word))
        variable->count = atoi(word);
}

static void fake_read_shader(fake_object *shader)
{
    const char *at = shader->source;
    char word[64], before[64] = "";
    int location = -1;
    while (fake_next_word(&at, word)) {
        if (strcmp(word, "uniform") == 0 && shader->uniform_count < FAKE_UNIFORMS) {
            fake_read_variable(&at, &shader->uniform[shader->uniform_count++]);
        } else if (strcmp(word, "in") == 0 && shader->shader_type == FAKE_VERTEX_SHADER &&
                   strcmp(before, ")") == 0 && location >= 0 &&
                   shader->input_count < FAKE_ATTRIBUTES) {
            shader->input[shader->input_count].location = location;
            fake_read_variable(&at, &shader->input[shader->input_count++]);
            location = -1;
        } else if (strcmp(word, "location") == 0 && fake_next_word(&at, word) &&
                   fake_next_word(&at, word)) {
            location = atoi(word);
        }
        memcpy(before, word, sizeof before);
    }
}

static void fake_glCompileShader(unsigned name)
{
    fake_object *shader;
    const char *version = fake.es ? "#version 300 es\n" : "#version 330 core\n";
    FAKE_CALL("glCompileShader");
    shader = fake_find("glCompileShader", FAKE_SHADER, name);
    if (!shader) return;
    shader->built = shader->source && strncmp(shader->source, version, strlen(version)) == 0 &&
                    fake.refuse != shader->shader_type;
    shader->uniform_count = shader->input_count = 0;
    if (shader->built) fake_read_shader(shader);
}

static void fake_glDeleteShader(unsigned name)
{
    fake_object *shader;
    FAKE_CALL("glDeleteShader");
    if (name == 0) return;
    shader = fake_find("glDeleteShader", FAKE_SHADER, name);
    if (shader)
        shader->live = false; /* the source stays for those programs that have it attached */
}

static unsigned fake_glCreateProgram(void)
{
    FAKE_ASK("glCreateProgram", 0);
    return fake_new(FAKE_PROGRAM);
}

static void fake_glAttachShader(unsigned program, unsigned shader)
{
    fake_object *a, *b;
    int place;
    FAKE_CALL("glAttachShader");
    a = fake_find("glAttachShader", FAKE_PROGRAM, program);
    b = fake_find("glAttachShader", FAKE_SHADER, shader);
    if (!a || !b) return;
    place = b->shader_type == FAKE_FRAGMENT_SHADER;
    if (a->shaders[place]) fake_mistake("glAttachShader: a second shader of its kind");
    a->shaders[place] = shader;
}

static void fake_glDetachShader(unsigned program, unsigned shader)
{
    fake_object *object;
    int i;
    FAKE_CALL("glDetachShader");
    object = fake_find("glDetachShader", FAKE_PROGRAM, program);
    if (!object) return;
    for (i = 0; i < 2 && object->shaders[i] != shader; ++i) {}
    if (i == 2) fake_mistake("glDetachShader: %u is not attached", shader);
    else object->shaders[i] = 0;
}

/* Vectors of four that a uniform takes. */
static int fake_vectors(const fake_variable *variable)
{
    return strstr(variable->type, "sampler")
               ? 0
               : variable->count * (strncmp(variable->type, "mat4", 4) == 0 ? 4 : 1);
}

/* Uniforms of both stages get their places; one of the same name is the same. */
static void fake_link_uniforms(fake_object *program, const fake_object *shader, int limit)
{
    int i, k, vectors = 0;
    for (i = 0; i < shader->uniform_count; ++i) {
        const fake_variable *one = &shader->uniform[i];
        vectors += fake_vectors(one);
        for (k = 0; k < program->uniform_count && strcmp(program->uniform[k].name, one->name) != 0;
             ++k) {}
        if (k < program->uniform_count) {
            if (strcmp(program->uniform[k].type, one->type) != 0 ||
                program->uniform[k].count != one->count) {
                fake_mistake("glLinkProgram: uniform %s differs between the shaders", one->name);
            }
        } else if (k < FAKE_UNIFORMS) {
            program->uniform[k] = *one;
            program->uniform[k].location =
                k ? program->uniform[k - 1].location + program->uniform[k - 1].count : 3;
            program->uniform_count = k + 1;
        }
    }
    if (vectors > limit)
        fake_mistake("glLinkProgram: uniforms of %d vectors, %d are sure to fit", vectors, limit);
}

static void fake_glLinkProgram(unsigned name)
{
    fake_object *program;
    const fake_object *vertex, *fragment;
    FAKE_CALL("glLinkProgram");
    program = fake_find("glLinkProgram", FAKE_PROGRAM, name);
    if (!program) return;
    vertex = &fake.object[program->shaders[0]];
    fragment = &fake.object[program->shaders[1]];
    program->built = vertex->built && fragment->built && fake.refuse != FAKE_LINK_STATUS;
    if (!program->built) return;
    program->uniform_count = 0;
    /* What every ES 3.0 has: MAX_VERTEX_UNIFORM_VECTORS, MAX_FRAGMENT_UNIFORM_VECTORS. */
    fake_link_uniforms(program, vertex, 256);
    fake_link_uniforms(program, fragment, 224);
    program->input_count = vertex->input_count;
    memcpy(program->input, vertex->input, sizeof program->input);
}

static void fake_glDeleteProgram(unsigned name)
{
    fake_object *program;
    FAKE_CALL("glDeleteProgram");
    if (name == 0) return;
    program = fake_find("glDeleteProgram", FAKE_PROGRAM, name);
    if (!program) return;
    if (fake.state.program == name) program->doomed = true;
    else fake_destroy(program);
}

static void fake_glUseProgram(unsigned name)
{
    fake_object *program, *old = &fake.object[fake.state.program];
    FAKE_CALL("glUseProgram");
    program = name ? fake_find("glUseProgram", FAKE_PROGRAM, name) : NULL;
    if (name && !program) return;
    if (program && !program->built) fake_mistake("glUseProgram: program %u is not linked", name);
    if (old->doomed && fake.state.program != name) {
        fake_destroy(old);
        old->doomed = false;
    }
    fake.state.program = name;
}

static void fake_get_status(const char *function, int kind, unsigned name, unsigned what,
                            unsigned status, int *value)
{
    fake_object *object = fake_find(function, kind, name);
    if (!object) return;
    if (what == status) *value = object->built;
    else if (what == FAKE_LOG_LENGTH) *value = object->built ? 0 : (int)strlen(fake.log) + 1;
    else fake_mistake("%s: 0x%04X", function, what);
}

static void fake_glGetShaderiv(unsigned name, unsigned what, int *value)
{
    FAKE_CALL("glGetShaderiv");
    fake_get_status("glGetShaderiv", FAKE_SHADER, name, what, FAKE_COMPILE_STATUS, value);
}

static void fake_glGetProgramiv(unsigned name, unsigned what, int *value)
{
    FAKE_CALL("glGetProgramiv");
    fake_get_status("glGetProgramiv", FAKE_PROGRAM, name, what, FAKE_LINK_STATUS, value);
}

static void fake_get_log(const char *function, int kind, unsigned name, int size, int *length,
                         char *log)
{
    size_t count = strlen(fake.log);
    if (!fake_find(function, kind, name) || size <= 0) return;
    if (count > (size_t)size - 1) count = (size_t)size - 1;
    memset(log, 0x7F, (size_t)size); /* all of it must be there */
    memcpy(log, fake.log, count);
    log[count] = 0;
    if (length) *length = (int)count;
}

static void fake_glGetShaderInfoLog(unsigned name, int size, int *length, char *log)
{
    FAKE_CALL("glGetShaderInfoLog");
    fake_get_log("glGetShaderInfoLog", FAKE_SHADER, name, size, length, log);
}

static void fake_glGetProgramInfoLog(unsigned name, int size, int *length, char *log)
{
    FAKE_CALL("glGetProgramInfoLog");
    fake_get_log("glGetProgramInfoLog", FAKE_PROGRAM, name, size, length, log);
}

static int fake_glGetUniformLocation(unsigned name, const char *wanted)
{
    const fake_object *program;
    int i;
    FAKE_ASK("glGetUniformLocation", -1);
    program = fake_find("glGetUniformLocation", FAKE_PROGRAM, name);
    for (i = 0; program && i < program->uniform_count; ++i) {
        if (strcmp(program->uniform[i].name, wanted) == 0) return program->uniform[i].location;
    }
    return -1;
}

/* The uniform of the program in use, NULL for -1, which every call passes over. */
static fake_variable *fake_find_uniform(const char *function, int location, int count)
{
    fake_object *program = &fake.object[fake.state.program];
    int i;
    if (!fake.state.program) {
        fake_mistake("%s: no program is in use", function);
        return NULL;
    }
    if (location == -1) return NULL;
    for (i = 0; i < program->uniform_count; ++i) {
        fake_variable *one = &program->uniform[i];
        if (location < one->location || location >= one->location + one->count) continue;
        if (count > one->location + one->count - location) {
            fake_mistake("%s: %d values for %s[%d]", function, count, one->name, one->count);
        }
        one->set = true;
        return one;
    }
    fake_mistake("%s: location %d", function, location);
    return NULL;
}

static void fake_glUniform1i(int location, int value)
{
    fake_variable *uniform;
    FAKE_CALL("glUniform1i");
    uniform = fake_find_uniform("glUniform1i", location, 1);
    if (!uniform) return;
    if (!strstr(uniform->type, "sampler") && strcmp(uniform->type, "int") != 0 &&
        strcmp(uniform->type, "bool") != 0) {
        fake_mistake("glUniform1i: %s is a %s", uniform->name, uniform->type);
    }
    if (strstr(uniform->type, "sampler") && (value < 0 || value >= FAKE_UNITS)) {
        fake_mistake("glUniform1i: unit %d for %s", value, uniform->name);
    }
    uniform->unit = value;
}

static void fake_set_floats(const char *function, int location, int count, const char *type,
                            size_t floats, const float *values)
{
    fake_variable *uniform = fake_find_uniform(function, location, count);
    fake_touch(values, (size_t)count * floats * sizeof(float));
    floats *= (size_t)count;
    if (uniform) memcpy(uniform->value, values, (floats < 24 ? floats : 24) * sizeof(float));
    if (uniform && strcmp(uniform->type, type) != 0) {
        fake_mistake("%s: %s is a %s", function, uniform->name, uniform->type);
    }
}

static void fake_glUniform4fv(int location, int count, const float *values)
{
    FAKE_CALL("glUniform4fv");
    fake_set_floats("glUniform4fv", location, count, "vec4", 4, values);
}

static void fake_glUniform3fv(int location, int count, const float *values)
{
    FAKE_CALL("glUniform3fv");
    fake_set_floats("glUniform3fv", location, count, "vec3", 3, values);
}

static void fake_glUniform1f(int location, float value)
{
    FAKE_CALL("glUniform1f");
    fake_set_floats("glUniform1f", location, 1, "float", 1, &value);
}

static void fake_glUniformMatrix4fv(int location, int count, unsigned char transposed,
                                    const float *values)
{
    FAKE_CALL("glUniformMatrix4fv");
    if (transposed > 1) fake_mistake("glUniformMatrix4fv: transpose is %u", transposed);
    fake_set_floats("glUniformMatrix4fv", location, count, "mat4", 16, values);
}

/* -- Questions ------------------------------------------------------------- */

static bool fake_get_binding(unsigned name, int *value)
{
    const fake_state *state = &fake.state;
    int i;
    for (i = 0; i < FAKE_UNPACKING; ++i) {
        if (fake_unpack_names[i] == (int)name) {
            *value = state->unpack[i];
            return true;
        }
    }
    switch (name) {
    case FAKE_CURRENT_PROGRAM: *value = (int)state->program; return true;
    case FAKE_ARRAY_BINDING: *value = (int)state->array; return true;
    case FAKE_ARRAY_BUFFER_BINDING: *value = (int)state->array_buffer; return true;
    case FAKE_ELEMENT_BUFFER_BINDING:
        *value = (int)fake.object[state->array].element_buffer;
        return true;
    case FAKE_UNPACK_BUFFER_BINDING: *value = (int)state->unpack_buffer; return true;
    case FAKE_ACTIVE_TEXTURE: *value = (int)(FAKE_TEXTURE0 + state->active_unit); return true;
    case FAKE_TEXTURE_BINDING_2D: *value = (int)state->texture[state->active_unit]; return true;
    case FAKE_SAMPLER_BINDING: *value = (int)state->sampler[state->active_unit]; return true;
    default: return false;
    }
}

static void fake_glGetIntegerv(unsigned name, int *value)
{
    FAKE_CALL("glGetIntegerv");
    if (fake_get_binding(name, value)) return;
    switch (name) {
    case FAKE_MAX_TEXTURE_SIZE: *value = fake.max_texture_size; break;
    case FAKE_MAX_TEXTURE_UNITS: *value = 16; break;
    case FAKE_MAX_COMBINED_UNITS: *value = FAKE_UNITS; break;
    case FAKE_MAJOR_VERSION: *value = 3; break;
    case FAKE_MINOR_VERSION: *value = fake.es ? 0 : 3; break;
    default: fake_mistake("glGetIntegerv: 0x%04X", name);
    }
}

static const unsigned char *fake_glGetString(unsigned name)
{
    const char *text = "";
    FAKE_ASK("glGetString", NULL);
    switch (name) {
        case FAKE_VERSION:
            text = fake.version ? fake.version : fake.es ? "OpenGL ES 3.0 fake" : "3.3.0 fake";
            break;
        case FAKE_GLSL_VERSION: text = fake.es ? "OpenGL ES GLSL ES 3.00" : "3.30"; break;
        case FAKE_VENDOR:
        case FAKE_RENDERER: text = "fake"; break;
        default: fake_mistake("glGetString: 0x%04X", name); return NULL;
    }
    return (const unsigned char *)text;
}

static unsigned fake_glGetError(void)
{
    unsigned error = fake.error;
    fake_count_call("glGetError");
    fake.error = 0;
    return fake.lost ? (unsigned)FAKE_CONTEXT_LOST : error;
}

/* -- Drawing --------------------------------------------------------------- */

static void fake_check_textures(const fake_object *program, unsigned long when)
{
    int i;
    for (i = 0; i < program->uniform_count; ++i) {
        const fake_variable *uniform = &program->uniform[i];
        fake_object *texture;
        unsigned name;
        if (!strstr(uniform->type, "sampler")) continue;
        name = fake.state.texture[uniform->unit];
        texture = fake_find("a draw", FAKE_TEXTURE, name);
        if (fake.state.sampler[uniform->unit]) {
            fake_mistake("a draw: a sampler object is bound to the unit of %s", uniform->name);
        }
        if (!texture) continue;
        if (!fake_is_complete(texture))
            fake_mistake("a draw: the texture for %s is not complete", uniform->name);
        if (fake_is_integer(texture->storage) != (uniform->type[0] == 'u')) {
            fake_mistake("a draw: %s %s reads storage 0x%04X", uniform->type, uniform->name,
                         (unsigned)texture->storage);
        }
        if (!texture->filled)
            fake_mistake("a draw: the texture for %s has no content", uniform->name);
        texture->drawn = when;
    }
}

/* The largest index of the draw, or -1 where it lies outside its buffer. */
static long fake_largest_index(const fake_object *buffer, int count, unsigned type, size_t offset)
{
    size_t unit = fake_type_size(type), i;
    unsigned long largest = 0;
    if (offset > buffer->size || (size_t)count > (buffer->size - offset) / unit) return -1;
    for (i = 0; i < (size_t)count; ++i) {
        const uint8_t *at = buffer->data + offset + i * unit;
        uint32_t word = 0;
        uint16_t half = 0;
        if (unit == 4) memcpy(&word, at, 4);
        else if (unit == 2) memcpy(&half, at, 2);
        else half = *at;
        if (word + half > largest) largest = word + half;
    }
    return (long)largest;
}

static void fake_check_attribute(const fake_variable *input, const fake_attribute *attribute,
                                 long vertices, long instances, unsigned long when)
{
    bool whole = input->type[0] == 'u' || input->type[0] == 'i';
    long last = attribute->divisor ? (instances - 1) / (long)attribute->divisor : vertices - 1;
    size_t end = attribute->offset + (size_t)attribute->size * fake_type_size(attribute->type);
    fake_object *buffer;
    if (!attribute->enabled) {
        fake_mistake("a draw: attribute %s is not enabled", input->name);
        return;
    }
    if (whole != attribute->whole)
        fake_mistake("a draw: attribute %s is a %s", input->name, input->type);
    buffer = fake_find("a draw", FAKE_BUFFER, attribute->buffer);
    if (!buffer || last < 0) return;
    if ((size_t)last * (size_t)attribute->stride + end > buffer->size) {
        fake_mistake("a draw: attribute %s of number %ld lies outside its buffer of %lu bytes",
                     input->name, last, (unsigned long)buffer->size);
    }
    if (attribute->divisor && buffer->filled <= buffer->drawn && buffer->drawn != when) {
        fake_mistake("a draw: attribute %s comes from the buffer of an earlier draw", input->name);
    }
    buffer->drawn = when;
}

static void fake_check_draw(int count, unsigned type, size_t offset, int instances)
{
    const fake_object *program = &fake.object[fake.state.program],
                      *array = &fake.object[fake.state.array];
    const fake_object *elements;
    long largest;
    int i;
    if (!fake.state.program || !fake.state.array) {
        fake_mistake("a draw: program %u, vertex array %u", fake.state.program, fake.state.array);
        return;
    }
    fake_check_textures(program, fake.serial);
    elements = fake_find("a draw's indices", FAKE_BUFFER, array->element_buffer);
    if (!elements || count == 0) return;
    largest = fake_largest_index(elements, count, type, offset);
    if (largest < 0) {
        fake_mistake("a draw: %d indices in a buffer of %lu bytes", count,
                     (unsigned long)elements->size);
    }
    for (i = 0; i < program->input_count; ++i) {
        fake_check_attribute(&program->input[i], &array->attribute[program->input[i].location],
                             largest + 1, instances, fake.serial);
    }
}

static void fake_glDrawElementsInstanced(unsigned mode, int count, unsigned type,
                                         const void *offset, int instances)
{
    static const unsigned types[] = { FAKE_UNSIGNED_BYTE, FAKE_UNSIGNED_SHORT, FAKE_UNSIGNED_INT };
    FAKE_CALL("glDrawElementsInstanced");
    if (mode > 6 || count < 0 || instances < 0 || !FAKE_ONE_OF(type, types)) {
        fake_mistake("glDrawElementsInstanced: mode %u, count %d, type 0x%04X, instances %d", mode,
                     count, type, instances);
        return;
    }
    fake_check_draw(count, type, (size_t)offset, instances);
    ++fake.draws;
    fake.instances_drawn += (unsigned long)instances;
    memset(&fake.last, 0, sizeof fake.last);
    fake.last.mode = mode;
    fake.last.count = count;
    fake.last.type = type;
    fake.last.instances = instances;
    fake.last.program = fake.state.program;
    fake.last.array = fake.state.array;
    memcpy(fake.last.texture, fake.state.texture, sizeof fake.last.texture);
}

/* -- What is the caller's alone -------------------------------------------- */

static void fake_not_yours(void)
{
    fake_count_call("a call that is not the library's to make");
    fake_mistake("a call that changes depth, blending, culling, viewport or framebuffer");
}

/* -- The way in ------------------------------------------------------------ */

typedef struct fake_entry { const char *name; fake_gl_proc function; } fake_entry;

#define FAKE_ENTRY(name) { #name, (fake_gl_proc)fake_##name }
#define FAKE_FORBIDDEN(name) { #name, fake_not_yours }

static const fake_entry fake_entries[] = {
    FAKE_ENTRY(glActiveTexture), FAKE_ENTRY(glAttachShader), FAKE_ENTRY(glBindBuffer),
    FAKE_ENTRY(glBindSampler), FAKE_ENTRY(glBindTexture), FAKE_ENTRY(glBindVertexArray),
    FAKE_ENTRY(glBufferData), FAKE_ENTRY(glBufferSubData), FAKE_ENTRY(glCompileShader),
    FAKE_ENTRY(glCreateProgram), FAKE_ENTRY(glCreateShader), FAKE_ENTRY(glDeleteBuffers),
    FAKE_ENTRY(glDeleteProgram), FAKE_ENTRY(glDeleteShader), FAKE_ENTRY(glDeleteTextures),
    FAKE_ENTRY(glDeleteVertexArrays), FAKE_ENTRY(glDetachShader),
    FAKE_ENTRY(glDisableVertexAttribArray), FAKE_ENTRY(glDrawElementsInstanced),
    FAKE_ENTRY(glEnableVertexAttribArray), FAKE_ENTRY(glGenBuffers), FAKE_ENTRY(glGenTextures),
    FAKE_ENTRY(glGenVertexArrays), FAKE_ENTRY(glGenerateMipmap), FAKE_ENTRY(glGetError),
    FAKE_ENTRY(glGetIntegerv), FAKE_ENTRY(glGetProgramInfoLog), FAKE_ENTRY(glGetProgramiv),
    FAKE_ENTRY(glGetShaderInfoLog), FAKE_ENTRY(glGetShaderiv), FAKE_ENTRY(glGetString),
    FAKE_ENTRY(glGetUniformLocation), FAKE_ENTRY(glLinkProgram), FAKE_ENTRY(glPixelStorei),
    FAKE_ENTRY(glShaderSource), FAKE_ENTRY(glTexImage2D), FAKE_ENTRY(glTexParameteri),
    FAKE_ENTRY(glTexSubImage2D), FAKE_ENTRY(glUniform1f), FAKE_ENTRY(glUniform1i),
    FAKE_ENTRY(glUniform3fv), FAKE_ENTRY(glUniform4fv), FAKE_ENTRY(glUniformMatrix4fv),
    FAKE_ENTRY(glUseProgram), FAKE_ENTRY(glVertexAttribDivisor), FAKE_ENTRY(glVertexAttribIPointer),
    FAKE_ENTRY(glVertexAttribPointer), FAKE_FORBIDDEN(glEnable), FAKE_FORBIDDEN(glDisable),
    FAKE_FORBIDDEN(glDepthFunc), FAKE_FORBIDDEN(glDepthMask), FAKE_FORBIDDEN(glBlendFunc),
    FAKE_FORBIDDEN(glCullFace), FAKE_FORBIDDEN(glFrontFace), FAKE_FORBIDDEN(glViewport),
    FAKE_FORBIDDEN(glBindFramebuffer), FAKE_FORBIDDEN(glClear), FAKE_FORBIDDEN(glClearColor)
};

FAKE_HELPER fake_gl_proc fake_gl_get_proc(const char *name)
{
    size_t i;
    if (fake.asked < 128)
        snprintf(fake.asked_name[fake.asked++], sizeof fake.asked_name[0], "%.39s", name);
    if (fake.hidden && strcmp(name, fake.hidden) == 0) return NULL;
    for (i = 0; i < sizeof fake_entries / sizeof fake_entries[0]; ++i) {
        if (strcmp(fake_entries[i].name, name) == 0) return fake_entries[i].function;
    }
    fake_mistake("the fake GL has no %s", name);
    return NULL;
}

/* -- A caller with much set already ---------------------------------------- */

/* Objects of the caller's own, bound wherever something may be bound, and pixels unpacked in an odd
   way. */
FAKE_HELPER void fake_gl_set_hostile(void)
{
    fake_state *state = &fake.state;
    unsigned i;
    state->program = fake_new(FAKE_PROGRAM);
    fake.object[state->program].built = true;
    state->array = fake_new(FAKE_ARRAY);
    fake.object[state->array].element_buffer = fake_new(FAKE_BUFFER);
    for (i = 0; i < FAKE_ATTRIBUTES; ++i) fake.object[state->array].attribute[i].buffer = 4000 + i;
    state->array_buffer = fake_new(FAKE_BUFFER);
    state->unpack_buffer = fake_new(FAKE_BUFFER);
    state->pack_buffer = fake_new(FAKE_BUFFER);
    for (i = 0; i < FAKE_UNITS; ++i) {
        state->texture[i] = fake_new(FAKE_TEXTURE);
        state->sampler[i] = fake_new(FAKE_SAMPLER);
    }
    state->active_unit = 9;
    state->unpack[0] = 77;
    state->unpack[1] = 3;
    state->unpack[2] = 5;
    state->unpack[3] = 1;
    state->unpack[4] = 2;
    state->unpack[5] = 11;
}

/* NULL, or what differs from the state of then. */
FAKE_HELPER const char *fake_gl_difference(const fake_state *then)
{
    const fake_state *now = &fake.state;
    if (now->program != then->program) return "program";
    if (now->array != then->array) return "vertex array";
    if (now->array_buffer != then->array_buffer) return "array buffer";
    if (now->unpack_buffer != then->unpack_buffer) return "unpack buffer";
    if (now->pack_buffer != then->pack_buffer) return "pack buffer";
    if (now->active_unit != then->active_unit) return "active texture unit";
    if (memcmp(now->texture, then->texture, sizeof now->texture) != 0) return "textures";
    if (memcmp(now->sampler, then->sampler, sizeof now->sampler) != 0) return "samplers";
    if (memcmp(now->unpack, then->unpack, sizeof now->unpack) != 0) return "unpack parameters";
    return NULL;
}

#endif /* FAKE_GL_H_INCLUDED */
