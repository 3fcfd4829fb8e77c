/* render.h: the functions that the chapters of test_gl share. Public domain. */
#ifndef RENDER_H_INCLUDED
#define RENDER_H_INCLUDED

#include "check.h"
#include "support.h"

#ifdef __EMSCRIPTEN__
    #include <GLES3/gl3.h>
    #define GLAD_API_PTR
#else
    #include <EGL/egl.h>              /* before glad: both bring a khrplatform.h */
    #include <EGL/eglext.h>
    #include <glad/gl.h>
#endif

#define MD2_GL
#define MD2_STB_IMAGE
#define MD5_GL
#define MD5_STB_IMAGE
#include "models.h"

enum { PICTURE_SIZE = 64 };           /* of the framebuffer */

/* An OpenGL without a display, through EGL's surfaceless platform, or WebGL; and a framebuffer of its own. */
extern struct context {
    const char *name, *why;           /* why there is none */
    bool        es;                   /* GL ES or WebGL */
} context;

bool        open_context(bool es);
void        close_context(void);
md2_gl_proc find_function(const char *name); /* of the driver */

extern const char *scratch;           /* a folder */

/* The driver's functions; linking makes the first captured_count outputs of the vertex shader such
   that read_back finds them. */
md2_gl_proc get_proc(const char *name);
extern int captured_count;

/* A surfaceless context has no framebuffer of its own: this makes one, and draws go there. False if
   it cannot be had. */
bool make_framebuffer(int size);

/* Checks that OpenGL has no error so far. */
void expect_no_error(const char *call);

/* -- State ------------------------------------------------------------------ */

enum { STATE_VALUES = 64, STATE_UNITS = 8 };

typedef struct gl_state {
    GLint value[STATE_VALUES][4], texture[STATE_UNITS], sampler[STATE_UNITS];
} gl_state;

/* Turns on, sets or binds nearly everything that there is, with this program. */
void set_much(GLuint program);

gl_state get_state(void);
void     expect_state(const gl_state *then, const char *call);

/* -- Vectors and matrices, by columns -------------------------------------- */

float random_between(random_source *random, float low, float high);
void random_transform(random_source *random, float size, float out[16]);

/* -- Vertices as the vertex shader writes them ----------------------------- */

typedef struct made {                 /* in the order of the feedback */
    float position[3], normal[3], texcoord[2], tint[4], tangent[4]; /* md2 has no tangents */
} made;

typedef struct wanted {               /* the vertices of one instance, by the CPU */
    float       *positions, *normals, *tangents; /* or NULL for no tangents */
    const float *transform, *tint, *texcoords;
    size_t       texcoord_stride, count;
} wanted;

typedef struct tolerances {           /* texture coordinates must be equal */
    double position, normal, tangent, tint;
} tolerances;

void compare_vertices(uint32_t instance, const wanted *want, const made *have, tolerances most);

/* The largest side of a box, or the distance that floats can tell apart so far from the origin. */
float extent_of(const float low[3], const float high[3]);

/* -- Pixels ---------------------------------------------------------------- */

void clear(float red, float green, float blue);
/* From the upper left. */
void expect_pixel(uint32_t x, uint32_t y, int red, int green, int blue);

/* Links a program; the vertex shader comes in parts, up to three. */
GLuint link_program(const char *const *vertex, int parts, const char *fragment);

/* Pictures with holes: a leaf with teeth, and a fence of 3 texels in 8. */
enum { LEAF, FENCE, CUT_OUTS, CUT_OUT_SIZE = 256 };
extern const char *const cut_out_names[CUT_OUTS];
void paint_cut_out(int which, uint8_t *rgba);

/* How many pixels are not black, and the smallest alpha among them. */
long count_covered(int size, int *least_alpha);

/* Two by two: red, green; blue, yellow. */
void four_colours(uint8_t rgba[16 * 16 * 4], bool from_below);

/* -- Renderers and models -------------------------------------------------- */

md2_gl *md2_create(const md2_gl_options *options);
md5_gl *md5_create(const md5_gl_options *options);
void md2_upload(md2_gl *gl, const md2_model *model, uint32_t number, md2_gl_mesh *mesh);
void md5_upload(md5_gl *gl, const md5_model *model, uint32_t number, md5_gl_mesh *mesh);

/* Squares of y and z from -1 to 1 that face +X, the texture once over them. */
md2_model *md2_square(uint32_t flags);
md5_model *md5_square(uint32_t flags);

/* -- The chapters ---------------------------------------------------------- */

void md2_square_tests(void);
void md5_square_tests(void);
void md2_vertex_tests(void);
void md5_vertex_tests(void);

#endif /* RENDER_H_INCLUDED */
