/* mock.h: both libraries seen alike, on a GL that draws nothing (fake_gl.h). Public domain. */
#ifndef MOCK_H_INCLUDED
#define MOCK_H_INCLUDED

#include "check.h"
#include "fake_gl.h"
#include "support.h"

#define MD2_GL
#define MD2_STB_IMAGE
#include "md2.h"
#define MD5_GL
#define MD5_STB_IMAGE
#include "md5.h"
#include "model_builder_md2.h"
#include "model_builder_md5.h"

typedef struct choice {               /* md2_gl_options */
    const char   *version_line, *fragment_source;
    uint32_t      unit;
    bool          leave_state, keep_zeros, cut_out;
    counting_allocator *memory;
    bool          half_an_allocator;
} choice;

typedef struct report {               /* md2_error */
    char code[32];                    /* "OK", "ERROR_GL" */
    char message[240];
} report;

typedef struct mesh {
    md2_gl_mesh md2;
    md5_gl_mesh md5;
    uint32_t    vao, vertex_buffer, index_buffer, data_texture, index_count;
} mesh;

typedef struct model {
    md2_model *md2;
    md5_model *md5;
    uint32_t   md5_mesh, index_count, vertex_count;
    const uint32_t *indices;
} model;

typedef struct crowd {
    md2_gl_instance *md2;
    md5_gl_instance *md5;
    float           *palettes;
} crowd;

typedef struct lighting {
    float ambient, light[3], projection[16];
} lighting;

enum { SMALL, PLAYER, GRID, MODELS, TRIANGLES = MODELS };

typedef struct library {
    const char *name;
    unsigned    units;                /* of textures */
    unsigned    calls;                /* of GL for a frame, at most, with leave_state */
    unsigned    asked;                /* with glGetIntegerv for a frame, at most, without */
    const char *scene;                /* the uniform */
    const char *(*vertex_source)(void);
    uint32_t    flip_v;
    const char *model_file;           /* the name of a model's file, */
    int         pictured;             /* the model that lies there, */
    const char *picture_file;         /* and its picture beside it, */
    const char *missing, *first_tried; /* what the message says without it */
    bool      (*use_program)(void *gl, uint32_t program);
    void      (*last_error)(const void *gl, report *error);
    void *(*create)(fake_gl_proc (*get_proc)(const char *), const choice *options, report *error);
    void      (*destroy)(void *gl);
    uint32_t  (*program)(const void *gl);
    bool      (*upload)(void *gl, const model *from, mesh *to, report *error);
    bool      (*upload_to_null)(void *gl, const model *from, report *error);
    void      (*free_mesh)(void *gl, mesh *one);
    uint32_t  (*texture)(void *gl, const uint8_t *rgba, uint32_t width, uint32_t height);
    uint32_t  (*load_texture)(void *gl, const model *from, const char *path, uint32_t number,
                              report *error);
    bool      (*draw)(void *gl, const mesh *one, uint32_t texture, const crowd *who, size_t count);
    void      (*draw_lit)(void *gl, const mesh *one, const lighting *light, const crowd *who);
    /* Without a scene, without instances, without a mesh, ... */
    void      (*draw_nothing)(void *gl, const mesh *one);
    /* A small one, a player, a grid in random order, triangles and little else. */
    model     (*load)(int which, uint32_t flags);
    void      (*free_model)(model *one);
    crowd     (*people)(const model *one, size_t count);
    void      (*free_people)(crowd *who);
    /* The transform and the tint of the first instance, once all of it is zero; or with everything
       given that zero stands for. */
    float    *(*first_transform)(crowd *who, bool all_given);
    float    *(*first_tint)(crowd *who);
} library;

enum { LIBRARIES = 2 };
extern const library libraries[LIBRARIES];

extern const char *folder;            /* where files may be written */
extern unsigned long pictures_decoded, pictures_freed; /* by the picture format of the tests */

model md2_from_bytes(m2_bytes *bytes, uint32_t flags);
model md5_from_text(m5_text *text, uint32_t flags, uint32_t number);

/* One renderer with one mesh, and the model and the crowd that the mesh shows. */
typedef struct fixture {
    const library     *lib;
    counting_allocator memory;
    choice             options;
    report             said;
    model              from;
    crowd              who;
    mesh               one;
    void              *gl;
} fixture;

void fixture_load(fixture *f, const library *lib, int which, size_t people);
void fixture_take(fixture *f, const library *lib, model from, size_t people);
void fixture_free(fixture *f);

/* A fresh GL context, in which no renderer is yet. */
void begin_context(fixture *f, bool es);
void create_or_abort(fixture *f);     /* the renderer */
void create_and_upload(fixture *f);   /* the renderer and the mesh */
bool upload(fixture *f);
bool draw(fixture *f, size_t count);

/* Frees mesh and renderer; `kept` objects are the test's own. */
void end_context(fixture *f, unsigned kept);

void expect_no_mistakes(void);
void expect_empty(const mesh *one);

/* The buffer behind an attribute that steps once an instance. */
const fake_object *streamed(const mesh *one);

void test_life(const library *lib, bool es);
void test_nulls(const library *lib);
void test_missing_functions(const library *lib);
void test_refused_shaders(const library *lib);
void test_shader_sources(const library *lib);
void test_own_program(const library *lib);
void test_old_contexts(const library *lib);
void test_call_counts(const library *lib);
void test_steady_frames(const library *lib);
void test_two_renderers(const library *lib);

void test_no_memory(const library *lib, int which);
void test_memory_comes_back(const library *lib);
void test_lost_context(const library *lib);
void test_refused_draws(const library *lib);
void test_full_gpu(const library *lib);
void test_limits(const library *lib);

void test_state(const library *lib, uint32_t unit);
void test_leave_state(const library *lib);

void test_defaults(const library *lib);
void test_kept_zeros(const library *lib);
void test_scenes(const library *lib);
void test_pictures(const library *lib);
void md2_test_frames_out_of_range(void);
void md2_test_eight_frames(void);
void md2_test_pcx(void);
void md5_test_palettes(void);
void md5_test_most_palettes(void);
void md5_test_too_many_joints(void);
void md5_test_all_models(void);

void test_triangle_order(const library *lib);

#endif /* MOCK_H_INCLUDED */
