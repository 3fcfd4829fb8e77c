/* md5.h once more, private to this file and without SIMD, for comparison bit for bit. */
#define MD5_STATIC
#ifndef MD5_NO_SIMD
  #define MD5_NO_SIMD
#endif
#define MD5_IMPLEMENTATION
#include "test_md5.h"

const md5_functions plain_md5 = {
    md5_load_model_memory, md5_load_anim_memory, md5_free_model, md5_free_anim,
    md5_pose_at, md5_pose_mix, md5_pose_add, md5_pose_to_model_space, md5_pose_palette,
    md5_pose_vertices, md5_pose_bounds
};
