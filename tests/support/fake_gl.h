/* fake_gl.h: an OpenGL that draws nothing and watches everything. It has what GL 3.3 core and GL
   ES 3.0 have in common and the libraries use, behind fake_gl_get_proc.

   fake_gl_reset();                        a new context: desktop, textures up to 16384
   fake.es = true;                         GL ES 3.0 instead
   fake.hidden = "glBindSampler";          a function that it lacks
   fake.refuse = FAKE_VERTEX_SHADER;       what does not compile, or link
   fake.log = "...";                       what it says then
   fake_gl_calls("glTexImage2D")           calls of it since fake_gl_start_count, or the reset
   fake.mistakes, fake.first_mistake       what no driver should be asked to do
   fake_gl_live(FAKE_TEXTURE)              objects that exist
   fake.draws, fake.last                   draw calls, and the last of them

   A mistake is: an enum that the call does not take, an object of the wrong kind or none, a name
   deleted twice, memory that an upload cannot read (it reads every byte), a draw without a program,
   with an incomplete texture, with a sampler object left on a unit, with primitive restart or
   rasterizer discard on, with an attribute or an index outside its buffer, a function asked for that
   there is not: those for depth, blending, culling, viewport and framebuffer are the caller's alone.
   Public domain. */
#ifndef FAKE_GL_H_INCLUDED
#define FAKE_GL_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
    #define FAKE_PRINTF __attribute__((format(printf, 1, 2)))
#else
    #define FAKE_PRINTF
#endif

typedef void (*fake_gl_proc)(void);

enum { /* from the registry of OpenGL */
    FAKE_TRIANGLES = 0x0004, FAKE_INVALID_ENUM = 0x0500, FAKE_INVALID_OPERATION = 0x0502,
    FAKE_OUT_OF_MEMORY = 0x0505, FAKE_CONTEXT_LOST = 0x0507, FAKE_MAX_TEXTURE_SIZE = 0x0D33,
    FAKE_UNPACK_ROW_LENGTH = 0x0CF2, FAKE_UNPACK_SKIP_ROWS = 0x0CF3,
    FAKE_UNPACK_SKIP_PIXELS = 0x0CF4, FAKE_UNPACK_ALIGNMENT = 0x0CF5, FAKE_TEXTURE_2D = 0x0DE1,
    FAKE_UNSIGNED_BYTE = 0x1401, FAKE_UNSIGNED_SHORT = 0x1403, FAKE_UNSIGNED_INT = 0x1405,
    FAKE_FLOAT = 0x1406, FAKE_RGBA = 0x1908, FAKE_VERSION = 0x1F02, FAKE_NEAREST = 0x2600,
    FAKE_LINEAR = 0x2601, FAKE_LINEAR_MIPMAP_LINEAR = 0x2703, FAKE_MAG_FILTER = 0x2800,
    FAKE_MIN_FILTER = 0x2801, FAKE_WRAP_S = 0x2802, FAKE_WRAP_T = 0x2803, FAKE_REPEAT = 0x2901,
    FAKE_CLAMP_TO_EDGE = 0x812F, FAKE_MAX_LEVEL = 0x813D, FAKE_MAJOR_VERSION = 0x821B,
    FAKE_MINOR_VERSION = 0x821C, FAKE_RGBA8 = 0x8058, FAKE_TEXTURE_BINDING_2D = 0x8069,
    FAKE_UNPACK_SKIP_IMAGES = 0x806D, FAKE_UNPACK_IMAGE_HEIGHT = 0x806E, FAKE_TEXTURE0 = 0x84C0,
    FAKE_ACTIVE_TEXTURE = 0x84E0, FAKE_ARRAY_BINDING = 0x85B5, FAKE_RGBA32F = 0x8814,
    FAKE_ARRAY_BUFFER = 0x8892, FAKE_ELEMENT_BUFFER = 0x8893, FAKE_ARRAY_BUFFER_BINDING = 0x8894,
    FAKE_ELEMENT_BUFFER_BINDING = 0x8895, FAKE_STREAM_DRAW = 0x88E0, FAKE_STATIC_DRAW = 0x88E4,
    FAKE_UNPACK_BUFFER = 0x88EC, FAKE_UNPACK_BUFFER_BINDING = 0x88EF,
    FAKE_SAMPLER_BINDING = 0x8919, FAKE_FRAGMENT_SHADER = 0x8B30, FAKE_VERTEX_SHADER = 0x8B31,
    FAKE_COMPILE_STATUS = 0x8B81, FAKE_LINK_STATUS = 0x8B82, FAKE_LOG_LENGTH = 0x8B84,
    FAKE_UNPACK_SWAP_BYTES = 0x0CF0, FAKE_UNPACK_FLIP_Y = 0x9240, FAKE_UNPACK_PREMULTIPLY = 0x9241,
    FAKE_RASTERIZER_DISCARD = 0x8C89, FAKE_PRIMITIVE_RESTART = 0x8F9D, FAKE_CULL_FACE = 0x0B44,
    FAKE_DEPTH_TEST = 0x0B71, FAKE_STENCIL_TEST = 0x0B90, FAKE_BLEND = 0x0BE2,
    FAKE_SCISSOR_TEST = 0x0C11,
    FAKE_CURRENT_PROGRAM = 0x8B8D, FAKE_RGBA8UI = 0x8D7C, FAKE_RGBA16UI = 0x8D76,
    FAKE_RGBA_INTEGER = 0x8D99
};

enum {
    FAKE_UNITS = 32,
    FAKE_ATTRIBUTES = 16,
    FAKE_UNIFORMS = 24,
    FAKE_OBJECTS = 512,
    FAKE_UNPACKING = 9,
    FAKE_SWITCHES = 7
};
enum { FAKE_BUFFER, FAKE_TEXTURE, FAKE_ARRAY, FAKE_SAMPLER, FAKE_SHADER, FAKE_PROGRAM, FAKE_KINDS };

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
    unsigned long  filled, drawn;     /* when last, by the serial of the call */
    int            width, height, storage;
    bool           mipmapped;
    int            min_filter, mag_filter, wrap_s, wrap_t, max_level;
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
    unsigned program, array, array_buffer, unpack_buffer, active_unit;
    unsigned texture[FAKE_UNITS], sampler[FAKE_UNITS];
    int      unpack[FAKE_UNPACKING];
    int      switches[FAKE_SWITCHES]; /* those a draw must find off, then the caller's own */
} fake_state;

typedef struct fake_draw {
    int      count, instances;
    unsigned mode, type, program, texture[FAKE_UNITS];
} fake_draw;

extern struct fake_gl {
    bool          es, lost;
    unsigned long lost_after;         /* so many calls; 0: never */
    const char   *hidden;             /* a function that this GL lacks */
    unsigned refuse; /* FAKE_VERTEX_SHADER, FAKE_FRAGMENT_SHADER, FAKE_LINK_STATUS, or 0 */
    const char   *log, *version;
    int           max_texture_size;
    unsigned long calls, mistakes, draws, asked;
    unsigned long serial;             /* of the call; never set back */
    unsigned      error, next_error;  /* a browser keeps several, and tells them one by one */
    char          first_mistake[240];
    char          asked_name[128][40]; /* functions that get_proc was asked for */
    fake_draw     last;
    fake_state    state;
    unsigned      names;
    size_t        gpu_bytes;
    unsigned long gpu_requests, gpu_fail_at; /* the n-th storage fails, and all after it; 0 = none */
    unsigned      gpu_error;          /* with this in place of OUT_OF_MEMORY */
    fake_object   object[FAKE_OBJECTS + 1]; /* zero behind the first `names` */
} fake;

/* -- Functions ------------------------------------------------------------- */

void fake_gl_reset(void);
fake_gl_proc fake_gl_get_proc(const char *name);
unsigned fake_gl_live(int kind);

/* The object made last of those that exist, in words. */
const char *fake_gl_youngest(void);

/* Counts from here on. */
void fake_gl_start_count(void);

unsigned long fake_gl_calls(const char *name);

/* Objects of the caller's own, bound wherever something may be bound, and pixels unpacked in an odd
   way. */
void fake_gl_set_hostile(void);

/* NULL, or what differs from the state of then: "GL_BLEND from 1 to 0". */
const char *fake_gl_difference(const fake_state *then);

unsigned fake_new(int kind);
bool fake_is_complete(const fake_object *texture);
FAKE_PRINTF void fake_mistake(const char *format, ...);

/* The functions of GL that tests call as a caller of the library would, besides fake_gl_get_proc. */
void fake_glGenBuffers(int count, unsigned *names);
void fake_glDeleteBuffers(int count, const unsigned *names);
void fake_glBindBuffer(unsigned target, unsigned name);
void fake_glGenVertexArrays(int count, unsigned *names);
void fake_glDeleteVertexArrays(int count, const unsigned *names);
void fake_glGenTextures(int count, unsigned *names);
void fake_glDeleteTextures(int count, const unsigned *names);
void fake_glBindTexture(unsigned target, unsigned name);
void fake_glTexParameteri(unsigned target, unsigned name, int value);
void fake_glTexImage2D(unsigned target, int level, int storage, int width, int height,
                       int border, unsigned format, unsigned type, const void *pixels);
void fake_glTexSubImage2D(unsigned target, int level, int x, int y, int width, int height,
                          unsigned format, unsigned type, const void *pixels);
unsigned fake_glCreateShader(unsigned type);
void fake_glUseProgram(unsigned name);
void fake_glDeleteProgram(unsigned name);
int  fake_glGetUniformLocation(unsigned name, const char *wanted);
void fake_glUniform1f(int location, float value);
void fake_glDrawElementsInstanced(unsigned mode, int count, unsigned type, const void *offset,
                                  int instances);

#endif /* FAKE_GL_H_INCLUDED */
