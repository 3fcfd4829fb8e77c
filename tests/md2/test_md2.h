/* test_md2.h: what the chapters of the MD2 tests share. Public domain. */
#ifndef TEST_MD2_H_INCLUDED
#define TEST_MD2_H_INCLUDED

#include "md2.h"

#include "check.h"
#include "model_builder_md2.h"
#include "support.h"

#include <float.h>

/* -- Running --------------------------------------------------------------- */

/* For after each test: releases all models and bytes of the helpers below, whose allocator must be
   clean then. */
void release_kept(void);

/* A chapter is a file of that name. What others build on comes first, and what takes long last:
   mutate stops at the first failure. */
#define CHAPTERS(X) \
  X(loading) X(repairs) X(errors) X(textures) X(poses) X(player) X(pcx) X(vertices) X(corpus) \
  X(smooth) X(names) X(work)
#define DECLARE_CHAPTER(name) void test_##name(void);
CHAPTERS(DECLARE_CHAPTER)

/* -- Models that live until the end of a test ------------------------------- */

md2_options options_of(uint32_t flags);
md2_options counting_options(counting_allocator *memory); /* which it clears */

m2_bytes *named(const char *name);
m2_bytes *random_bytes(uint32_t seed, uint32_t points, uint32_t tris, uint32_t frames);
m2_bytes *pcx_bytes(uint32_t width, uint32_t height, uint32_t bytes_per_line, int style);
m2_bytes *written(m2_file *file); /* and ends it */

/* A model that has to load: else the program ends. */
md2_model *load_with(const m2_bytes *bytes, const md2_options *options);
md2_model *load(const m2_bytes *bytes, uint32_t flags);
md2_model *load_named(const char *name, uint32_t flags); /* its bytes are gone already */

/* The error of a load that fails. */
md2_error refusal_of(const m2_bytes *bytes, const md2_options *options);
void      check_error(const md2_error *error, md2_result code, size_t offset, const char *message);

/* Code and message, but for its words. */
void check_refused(const void *loaded, const md2_error *error, md2_result code);

bool same_floats(const float *a, const float *b, int count);

/* -- A second reading of the same bytes, in double precision ------------------- */

typedef struct view {
    m2_bytes bytes;
    uint32_t flags;
    double   scale;
} view;

view view_of(const m2_bytes *bytes, const md2_options *options);

/* The mean of the normals against the triangles of a frame, over their area: 1 fits, -1 is inside
   out. */
double outward_of(const md2_model *m, uint32_t frame);
bool is_lit_outside(const md2_model *m, uint32_t frame);
void   turn_triangles(m2_bytes *bytes); /* inside out */

/* All that a model says, and the strips of one that has some. */
void check_model(const md2_model *m, const m2_bytes *bytes, const md2_options *options);
void check_strips(const md2_model *m, const m2_bytes *bytes, const md2_options *options);

void check_smooth(const md2_model *m); /* all that holds for its smoothed copy */

/* Two blocks at most, one of them left, and no more bytes than `size` allows. */
void check_memory_of(const md2_model *m, const counting_allocator *memory, size_t size);

typedef struct worst_of {
    double   position, normal; /* in parts of the extent; in units */
    uint64_t vertices;
} worst_of;

double extent_of(const md2_model *m);
void   compare_pose(const md2_model *m, const view *v, const md2_pose *pose, worst_of *worst);
void   tell_worst(const worst_of *worst);

/* -- Poses as sets of weights --------------------------------------------------- */

#define DENSE 256

typedef struct dense { /* the weight of each frame */
    double weight[DENSE];
} dense;

/* One to eight frames, or none; weights from 0 to 1, 1 in all. If not, a check fails. */
bool     sound_pose(const md2_pose *pose);
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
