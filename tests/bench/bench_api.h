/* Both headers as one table of functions, so that a build with SIMD and one without can be measured
   side by side in one program. Public domain. */
#ifndef BENCH_API_H_INCLUDED
#define BENCH_API_H_INCLUDED

#include "md2.h"
#include "md5.h"

typedef struct bench_api {
    md2_model *(*load_md2)(const void *, size_t, const md2_options *, md2_error *);
    void (*free_md2)(md2_model *);
    void (*pose_md2)(const md2_model *, const md2_pose *, float *, size_t, float *, size_t);
    md5_model *(*load_mesh)(const void *, size_t, const md5_options *, md5_error *);
    md5_anim *(*load_anim)(const void *, size_t, const char *, const md5_options *, md5_error *);
    void (*free_mesh)(md5_model *);
    void (*free_anim)(md5_anim *);
    void (*pose_at)(const md5_anim *, md5_mode, double, md5_xform *);
    void (*to_model_space)(const md5_model *, const md5_xform *, md5_xform *);
    void (*matrix)(const md5_xform *, float[16]);
    void (*palette)(const md5_model *, const md5_xform *, float *);
    void (*skin)(const md5_model *, uint32_t, const md5_xform *, float *, size_t, float *, size_t,
                 float *, size_t);
    const char *name; /* "SSE2" */
} bench_api;

#define BENCH_API(name)                                                                           \
    { md2_load_memory, md2_free_model, md2_pose_vertices, md5_load_model_memory,                  \
      md5_load_anim_memory, md5_free_model, md5_free_anim, md5_pose_at, md5_pose_to_model_space,  \
      md5_pose_matrix, md5_pose_palette, md5_pose_vertices, name }

extern const bench_api bench_plain_c; /* in bench_scalar.c */

#endif /* BENCH_API_H_INCLUDED */
