/* reference.h: a reader of MD5 text, posing and skinning of its own, in double precision. It shares
   no code with the library, and takes only texts that are valid. Public domain. */
#ifndef REFERENCE_H_INCLUDED
#define REFERENCE_H_INCLUDED

#include "test_md5.h"

typedef struct ref_joint {
    char name[128];
    int parent, start;
    unsigned flags;
    m5_xform bind;  /* of a mesh: model space */
    double base[6]; /* of an animation */
} ref_joint;

typedef struct ref_weight {
    int joint;
    double bias, p[3];
} ref_weight;

typedef struct ref_vertex {
    double u, v;
    int first, count;
} ref_vertex;

typedef struct ref_mesh {
    char shader[256];
    int vertex_count, triangle_count, weight_count;
    ref_vertex *vertex;
    ref_weight *weight;
    int *corner;
} ref_mesh;

typedef struct ref_model {
    int joint_count, mesh_count;
    ref_joint *joint;
    ref_mesh *mesh;
} ref_model;

typedef struct ref_anim {
    int joint_count, frame_count, component_count;
    double rate;
    ref_joint *joint;
    double *component;
} ref_anim;

/* Their arrays live until the test ends. */
ref_model ref_read_model(const char *bytes, size_t size);
ref_anim ref_read_anim(const char *bytes, size_t size);

/* All that a model or an animation says is what the text says; empty meshes aside. */
void check_model(const md5_model *model, const ref_model *ref);
void check_anim(const md5_anim *anim, const ref_anim *ref);

void ref_slerp(const double a[4], const double b[4], double t, double out[4]);
m5_xform ref_mix(const m5_xform *a, const m5_xform *b, double t);

m5_xform ref_joint_at(const ref_anim *anim, int joint, int frame);
void ref_pose_at(const ref_anim *anim, bool closed, md5_mode mode, double seconds, m5_xform *local);
void ref_to_model_space(const ref_joint *joint, int count, const m5_xform *local, m5_xform *out);
void ref_skin(const ref_mesh *mesh, int vertex, const m5_xform *model_space, double out[3]);

/* The largest distances of vertices from those of the reference: as posed, through the palette, and
   as the model holds them for the bind pose. Checks the bounds, too. `want` is the pose in model
   space. */
typedef struct skinning_errors {
    double vertex, palette, bind;
    unsigned long vertices;
} skinning_errors;

skinning_errors check_skinning(const md5_model *model, const ref_model *ref, const md5_xform *pose,
                               const m5_xform *want);

#endif /* REFERENCE_H_INCLUDED */
