/* A cheat code: a head of twice the size. The scale of a joint applies to its own vertices, not to its
   child joints, so the head and each joint below it in the hierarchy are scaled, and also the positions of
   the joints below it. Public domain.
       cc -I. tests/recipes/big_head.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

/* Scales a joint of a local pose and all joints below it in the hierarchy. `mask` has room for joint_count
   floats. */
static void scale_branch(const md5_model *model, int joint, float scale, float *mask, md5_xform *pose)
{
    for (uint32_t i = 0; i < model->joint_count; ++i) mask[i] = 0;
    md5_mask_branch(model, joint, 1, mask);
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        if (mask[i] == 0) continue;
        pose[i].scale *= scale;
        for (int k = 0; k < 3 && (int)i != joint; ++k) {
            pose[i].position[k] *= scale;                   /* the joint itself stays on the neck */
        }
    }
}

int main(void)
{
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    md5_anim *run = knight ? md5_load_anim_file("knight/run.md5anim", NULL, &error) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error.message); return 1; }
    int head = md5_find_joint(knight, "head");
    assert(head >= 0);
    md5_xform *pose = (md5_xform *)malloc(knight->joint_count * sizeof *pose);
    float *mask = (float *)malloc(knight->joint_count * sizeof *mask);
    float above[2], below[2];                               /* distances from the head joint, in both sizes */
    for (int big = 0; big < 2; ++big) {
        float min[3], max[3];
        md5_pose_at(knight, run, MD5_LOOP, 0.25, pose);
        if (big) scale_branch(knight, head, 2, mask, pose);
        md5_pose_to_model_space(knight, pose, pose);
        md5_pose_bounds(knight, pose, min, max);
        above[big] = max[2] - pose[head].position[2];
        below[big] = pose[head].position[2] - min[2];
        printf("%s head: %.2f units above the neck, %.2f below\n", big ? "big" : "normal",
               (double)above[big], (double)below[big]);
    }
    assert(fabsf(above[1] - 2 * above[0]) < 0.01f);
    assert(fabsf(below[1] - below[0]) < 0.01f);
    free(mask);
    free(pose);
    md5_free_anim(run);
    md5_free_model(knight);
    return 0;
}
