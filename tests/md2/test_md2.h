/* test_md2.h: helpers that the chapters of test_md2 share. Public domain. */
#ifndef TEST_MD2_H_INCLUDED
#define TEST_MD2_H_INCLUDED

#include "md2.h"

#include "check.h"
#include "model_builder_md2.h"
#include "support.h"

#include <float.h>

/* -- Running --------------------------------------------------------------- */

/* Frees everything that the functions below have created, and checks that no memory is left. Called after each
   test. */
void release_kept(void);

/* A chapter is a file of the same name. The basic chapters come first, and the slow ones last, because
   mutate.py stops at the first failure. */
#define CHAPTERS(X) \
  X(loading) X(strips) X(repairs) X(errors) X(textures) X(poses) X(player) X(pcx) X(vertices) X(corpus) \
  X(smooth) X(names) X(work)
#define DECLARE_CHAPTER(name) void test_##name(void);
CHAPTERS(DECLARE_CHAPTER)

/* -- Models that live until the end of a test ------------------------------- */

md2_options options_of(uint32_t flags);
md2_options counting_options(counting_allocator *memory); /* clears the allocator */

m2_bytes *named(const char *name);
m2_bytes *random_bytes(uint32_t seed, uint32_t points, uint32_t tris, uint32_t frames);
m2_bytes *pcx_bytes(uint32_t width, uint32_t height, uint32_t bytes_per_line, int style);
m2_bytes *written(m2_file *file); /* frees the file's arrays */

/* Load a model. The test fails if it does not load. */
md2_model *load_with(const m2_bytes *bytes, const md2_options *options);
md2_model *load(const m2_bytes *bytes, uint32_t flags);
md2_model *load_named(const char *name, uint32_t flags); /* frees the bytes before it returns */

/* Returns the error of a load that must fail. */
md2_error refusal_of(const m2_bytes *bytes, const md2_options *options);
void      check_error(const md2_error *error, md2_result code, size_t offset, const char *message);

/* Checks that nothing was loaded, that the error has this code, and that its message has 10 bytes or more. */
void check_refused(const void *loaded, const md2_error *error, md2_result code);

bool same_floats(const float *a, const float *b, int count);

/* -- Whole models ----------------------------------------------------------------- */

/* Compares all contents. */
void check_same_model(const md2_model *m, const md2_model *want);

/* Checks that the box of each frame is that of its points, and the box of the model that of all frames. */
void check_bounds(const md2_model *m);

/* Compares the strips of a model with the GL commands of its file, which must be valid. */
void check_strips(const md2_model *m, const m2_bytes *bytes);

/* Smooths a copy of the model, and checks everything that must hold for it. */
void check_smooth(const md2_model *m);

/* Checks that loading took two blocks at most, kept only the model, and took no more bytes than a file
   of `size` bytes may take. */
void check_memory_of(const md2_model *m, const counting_allocator *memory, size_t size);

/* Returns the mean dot product of the normals of a frame with the normals of their faces, weighted by area: 1 if all
   normals are right, -1 if the model is inside out. */
double outward_of(const md2_model *m, uint32_t frame);
bool   is_lit_outside(const md2_model *m, uint32_t frame);

/* Returns the larger of the diagonal of the model's box and the distance of its farthest corner from the
   origin, or 1 if both are 0. */
double extent_of(const md2_model *m);

void reverse_triangles(m2_bytes *bytes); /* reverses the winding of all triangles */

/* -- Poses as sets of weights --------------------------------------------------- */

#define DENSE 256

typedef struct dense { /* a weight for each frame of a model */
    double weight[DENSE];
} dense;

/* Returns true if a pose has up to eight frames, with weights from 0 to 1 whose sum is 1. */
bool     is_valid_pose(const md2_pose *pose);
void     add_pose(dense *d, const md2_pose *pose, double share);
dense    dense_of(md2_pose pose);
double   dense_distance(const dense *a, const dense *b);
void     check_distance(const dense *got, const dense *want, double tolerance);
dense    expected_pose(const md2_anim *anim, md2_mode mode, double seconds);
md2_pose random_pose(random_source *random, uint32_t frames);
md2_pose still(uint32_t frame);

extern const md2_mode modes[3];
md2_anim make_anim(uint32_t first, uint32_t count, float fps);

/* -- Vectors ---------------------------------------------------------------------- */

double dot3(const double a[3], const double b[3]);
void   cross3(const double a[3], const double b[3], double out[3]);
double not_a_number(void);

#endif /* TEST_MD2_H_INCLUDED */
