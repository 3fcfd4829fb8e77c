/* md2.h a second time, static and without SIMD, for test_md2 to compare bit for bit.
   Public domain. */
#define MD2_IMPLEMENTATION
#define MD2_STATIC
#define MD2_NO_SIMD
#include "test_md2.h"

md2_model *scalar_load(const void *data, size_t size, const md2_options *options)
{
    return md2_load_memory(data, size, options, NULL);
}

void scalar_free(md2_model *model) { md2_free_model(model); }

void scalar_vertices(const md2_model *model, const md2_pose *pose, float *positions,
                     size_t position_stride, float *normals, size_t normal_stride)
{
    md2_pose_vertices(model, pose, positions, position_stride, normals, normal_stride);
}

void scalar_bounds(const md2_model *model, const md2_pose *pose, float min[3], float max[3])
{
    md2_pose_bounds(model, pose, min, max);
}

bool scalar_triangle(const md2_model *model, const md2_pose *pose, uint32_t triangle, float out[16])
{
    return md2_pose_triangle(model, pose, triangle, out);
}
