/* render.h: the functions that the chapters of test_gl share. Public domain. */
#ifndef RENDER_H_INCLUDED
#define RENDER_H_INCLUDED

#include "check.h"
#include "support.h"

#ifdef __EMSCRIPTEN__
    #include <GLES3/gl3.h>
    #define GLAD_API_PTR
#else
    #include <EGL/egl.h>              /* must be before glad, because both have a khrplatform.h */
    #include <EGL/eglext.h>
    #include <glad/gl.h>
#endif

#define MD2_GL
#define MD2_STB_IMAGE
#define MD5_GL
#define MD5_STB_IMAGE
#include "models.h"

enum { PICTURE_SIZE = 64 };           /* width and height of the framebuffer */

/* A context of OpenGL without a display (see context_egl.c and context_web.c), and its framebuffer. */
extern struct context {
    const char *name, *why;           /* why: reason why there is no context, or NULL */
    bool        es;                   /* GL ES or WebGL */
} context;

bool        open_context(bool es);
void        close_context(void);
md2_gl_proc find_function(const char *name); /* a function of the driver */

extern const char *scratch;           /* a folder for files that tests write */

/* Returns the driver's functions, except that glLinkProgram also makes the first captured_count outputs of the
   vertex shader available to read_back. */
md2_gl_proc get_proc(const char *name);
extern int captured_count;

/* Creates a framebuffer for draws, because a surfaceless context has none. Returns false if that fails. */
bool make_framebuffer(int size);

/* Checks that OpenGL has no error so far. */
void expect_no_error(const char *call);

/* -- State ------------------------------------------------------------------ */

enum { STATE_VALUES = 64, STATE_UNITS = 8 };

typedef struct gl_state {
    GLint value[STATE_VALUES][4], texture[STATE_UNITS], sampler[STATE_UNITS];
} gl_state;

/* Changes nearly all state: enables switches, sets values, binds objects, and uses this program. */
void change_most_state(GLuint program);

gl_state get_state(void);
void     expect_state(const gl_state *before, const char *call);

/* -- Vectors and matrices, by columns -------------------------------------- */

float random_between(random_source *random, float low, float high);
void random_transform(random_source *random, float size, float out[16]);

/* -- Vertices as the vertex shader writes them ----------------------------- */

typedef struct gpu_vertex {           /* a vertex from the shader, in the order of transform feedback */
    float position[3], normal[3], texcoord[2], tint[4], tangent[4]; /* md2 has no tangents */
} gpu_vertex;

typedef struct cpu_vertices {         /* the vertices of one instance, computed by the CPU */
    float       *positions, *normals, *tangents; /* or NULL for no tangents */
    const float *transform, *tint, *texcoords;
    size_t       texcoord_stride, count;
} cpu_vertices;

typedef struct tolerances {           /* largest differences; texture coordinates must be equal */
    double position, normal, tangent, tint;
} tolerances;

void compare_vertices(uint32_t instance, const cpu_vertices *want, const gpu_vertex *got, tolerances most);

/* Returns the largest side of a box, or 1/20 of its distance from the origin if that is larger, because floats are
   coarser far from the origin. */
float extent_of(const float low[3], const float high[3]);

/* -- Pixels ---------------------------------------------------------------- */

void clear(float red, float green, float blue);
/* Checks a pixel; x and y count from the upper left. */
void expect_pixel(uint32_t x, uint32_t y, int red, int green, int blue);

/* Links a program; the source of the vertex shader has up to three parts. */
GLuint link_program(const char *const *vertex, int parts, const char *fragment);

/* Pictures with holes: a leaf with teeth, and a fence with slats of 3 texels in 8. */
enum { LEAF, FENCE, CUT_OUTS, CUT_OUT_SIZE = 256 };
extern const char *const cut_out_names[CUT_OUTS];
void paint_cut_out(int which, uint8_t *rgba);

/* Returns the number of pixels that are not black, and the smallest alpha among them. */
long count_covered(int size, int *least_alpha);

/* Paints four quarters: red, green; blue, yellow. */
void four_colors(uint8_t rgba[16 * 16 * 4], bool from_below);

/* -- Renderers and models -------------------------------------------------- */

md2_gl *md2_create(const md2_gl_options *options);
md5_gl *md5_create(const md5_gl_options *options);
void md2_upload(md2_gl *gl, const md2_model *model, uint32_t number, md2_gl_mesh *mesh);
void md5_upload(md5_gl *gl, const md5_model *model, uint32_t number, md5_gl_mesh *mesh);

/* Return a square, y and z from -1 to 1, that faces +X and shows the whole texture. */
md2_model *md2_square(uint32_t flags);
md5_model *md5_square(uint32_t flags);

/* -- The chapters ---------------------------------------------------------- */

void md2_square_tests(void);
void md5_square_tests(void);
void md2_vertex_tests(void);
void md5_vertex_tests(void);

#endif /* RENDER_H_INCLUDED */
