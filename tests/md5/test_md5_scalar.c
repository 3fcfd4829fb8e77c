/* md5.h once more, private to this file and without SIMD, for comparison bit for bit. */
#define MD5_STATIC
#define MD5_NO_SIMD
#define MD5_IMPLEMENTATION
#include "md5.h"

md5_model *scalar_load_model(const void *text, size_t size, const md5_options *options);
md5_anim *scalar_load_anim(const void *text, size_t size, const md5_options *options);
void scalar_free(md5_model *model, md5_anim *anim);
void scalar_pose_at(const md5_anim *anim, md5_mode mode, double seconds, md5_xform *local);
void scalar_pose_mix(const md5_xform *a, const md5_xform *b, float t, size_t count, md5_xform *out);
void scalar_pose_add(const md5_xform *base, const md5_xform *pose, const md5_xform *reference,
                     float t, size_t count, md5_xform *out);
void scalar_model_space(const md5_model *model, const md5_xform *local, md5_xform *out);
void scalar_palette(const md5_model *model, const md5_xform *model_space, float *out12);
void scalar_vertices(const md5_model *model, uint32_t mesh, const md5_xform *model_space,
                     float *positions, float *normals, float *tangents);
void scalar_bounds(const md5_model *model, const md5_xform *model_space, float min[3],
                   float max[3]);

md5_model *scalar_load_model(const void *text, size_t size, const md5_options *options)
{
    return md5_load_model_memory(text, size, options, NULL);
}

md5_anim *scalar_load_anim(const void *text, size_t size, const md5_options *options)
{
    return md5_load_anim_memory(text, size, "scalar", options, NULL);
}

void scalar_free(md5_model *model, md5_anim *anim)
{
    md5_free_model(model);
    md5_free_anim(anim);
}

void scalar_pose_at(const md5_anim *anim, md5_mode mode, double seconds, md5_xform *local)
{
    md5_pose_at(anim, mode, seconds, local);
}

void scalar_pose_mix(const md5_xform *a, const md5_xform *b, float t, size_t count, md5_xform *out)
{
    md5_pose_mix(a, b, t, NULL, count, out);
}

void scalar_pose_add(const md5_xform *base, const md5_xform *pose, const md5_xform *reference,
                     float t, size_t count, md5_xform *out)
{
    md5_pose_add(base, pose, reference, t, NULL, count, out);
}

void scalar_model_space(const md5_model *model, const md5_xform *local, md5_xform *out)
{
    md5_pose_to_model_space(model, local, out);
}

void scalar_palette(const md5_model *model, const md5_xform *model_space, float *out12)
{
    md5_pose_palette(model, model_space, out12);
}

void scalar_vertices(const md5_model *model, uint32_t mesh, const md5_xform *model_space,
                     float *positions, float *normals, float *tangents)
{
    md5_pose_vertices(model, mesh, model_space, positions, 0, normals, 0, tangents, 0);
}

void scalar_bounds(const md5_model *model, const md5_xform *model_space, float min[3], float max[3])
{
    md5_pose_bounds(model, model_space, min, max);
}
