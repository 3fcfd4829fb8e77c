/* fake_gl.h: an OpenGL that draws nothing and checks every call. It has the functions that the libraries
   use, all of which are in both GL 3.3 core and GL ES 3.0. Load them with fake_gl_get_proc.

   fake_gl_reset();                        starts a new context: desktop GL, textures up to 16384
   fake.es = true;                         makes it GL ES 3.0
   fake.hidden = "glBindSampler";          removes a function
   fake.refuse = FAKE_VERTEX_SHADER;       makes this kind of shader, or linking, fail
   fake.log = "...";                       sets the info log of that failure
   fake_gl_calls("glTexImage2D")           calls since fake_gl_start_count or fake_gl_reset
   fake.mistakes, fake.first_mistake       calls that are wrong in OpenGL, and the text of the first
   fake_gl_live(FAKE_TEXTURE)              number of objects that exist
   fake.draws, fake.last                   number of draw calls, and the last draw call

   These are mistakes: an enum that the call does not accept; an object that does not exist or is of the
   wrong kind; a name deleted twice; memory that an upload cannot read (the fake reads every byte); a draw
   without a program, with an incomplete texture, with a sampler object left on a unit, with primitive
   restart or rasterizer discard on, or with an attribute or an index outside its buffer; a request for
   a function that the fake does not have. It lacks the functions for depth, blending, culling, viewport
   and framebuffer, because the libraries must not change these states. Public domain. */
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

enum { /* values of the OpenGL registry */
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

/* -- Objects and state ----------------------------------------------------- */

typedef struct fake_attribute {
    bool     enabled, is_integer;     /* is_integer: set with glVertexAttribIPointer */
    int      size, stride;
    unsigned type, divisor, buffer;
    size_t   offset;
} fake_attribute;

typedef struct fake_variable {        /* a uniform or an attribute of a shader */
    char name[32], type[24];
    int  count, location, unit;
    bool set;
    float value[24];                  /* its first numbers */
} fake_variable;

typedef struct fake_object {
    int            kind;
    bool           live, delete_pending; /* delete_pending: deleted when no longer in use */
    uint8_t       *data;              /* content of a buffer, or of a texture's first level */
    size_t         size;
    unsigned long  filled, drawn;     /* serial numbers of the last upload and the last draw */
    int            width, height, storage;
    bool           mipmapped;
    int            min_filter, mag_filter, wrap_s, wrap_t, max_level;
    unsigned       element_buffer;
    fake_attribute attribute[FAKE_ATTRIBUTES];
    unsigned       shader_type, shaders[2];
    char          *source;
    bool           built;             /* compiled or linked */
    bool           out_of_memory;     /* its last resize failed */
    int            uniform_count, input_count;
    fake_variable  uniform[FAKE_UNIFORMS], input[FAKE_ATTRIBUTES];
} fake_object;

/* The state that a draw of the libraries must leave unchanged. Compared byte by byte. */
typedef struct fake_state {
    unsigned program, array, array_buffer, unpack_buffer, active_unit;
    unsigned texture[FAKE_UNITS], sampler[FAKE_UNITS];
    int      unpack[FAKE_UNPACKING];
    int      switches[FAKE_SWITCHES]; /* first those that a draw turns off, then the caller's */
} fake_state;

typedef struct fake_draw {
    int      count, instances;
    unsigned mode, type, program, texture[FAKE_UNITS];
} fake_draw;

extern struct fake_gl {
    bool          es, lost;
    unsigned long lost_after;         /* number of calls until the context is lost; 0 = never */
    const char   *hidden;             /* name of a function that this GL lacks */
    unsigned      refuse;             /* FAKE_VERTEX_SHADER, FAKE_FRAGMENT_SHADER, FAKE_LINK_STATUS, or 0 */
    const char   *log, *version;
    int           max_texture_size;
    unsigned long calls, mistakes, draws, asked;
    unsigned long serial;             /* number of the current call; never reset */
    unsigned      error, next_error;  /* browsers keep several errors and return one per glGetError */
    char          first_mistake[240];
    char          asked_name[128][40]; /* names passed to fake_gl_get_proc */
    fake_draw     last;
    fake_state    state;
    unsigned      names;
    size_t        gpu_bytes;
    unsigned long gpu_requests, gpu_fail_at; /* requests fail from number gpu_fail_at on; 0 = none */
    unsigned      gpu_error;          /* error for these requests; 0 = GL_OUT_OF_MEMORY */
    fake_object   object[FAKE_OBJECTS + 1]; /* all zero after the first `names` objects */
} fake;

/* -- Functions ------------------------------------------------------------- */

void fake_gl_reset(void);
fake_gl_proc fake_gl_get_proc(const char *name);
unsigned fake_gl_live(int kind);

/* Describes the newest object that exists: "texture 5 of 64 x 64". */
const char *fake_gl_newest(void);

/* Sets the numbers of calls and draws to 0. */
void fake_gl_start_count(void);

unsigned long fake_gl_calls(const char *name);

/* Binds new objects wherever an object can be bound, and sets unusual unpack parameters, as a caller
   might before it calls the libraries. */
void fake_gl_set_hostile(void);

/* Returns NULL, or the first difference from an earlier state: "GL_BLEND from 1 to 0". */
const char *fake_gl_difference(const fake_state *before);

unsigned fake_new(int kind);
bool fake_is_complete(const fake_object *texture);
FAKE_PRINTF void fake_mistake(const char *format, ...);

/* The functions of GL that tests call directly, without fake_gl_get_proc. */
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
