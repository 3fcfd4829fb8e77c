/* Additive blending: a flinch of the upper body on top of a run. The difference between pain1 and its
   first frame is added to the run, so the legs never stop. Public domain.
       cc -I. tests/recipes/additive.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

int main(void)
{
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    md5_anim *run = knight ? md5_load_anim_file("knight/run.md5anim", NULL, &error) : NULL;
    md5_anim *pain = run ? md5_load_anim_file("knight/pain1.md5anim", NULL, &error) : NULL;
    if (!pain) { fprintf(stderr, "%s\n", error.message); return 1; }
    int spine = md5_find_joint(knight, "spine"), head = md5_find_joint(knight, "head");
    int foot = md5_find_joint(knight, "foot_l");
    assert(spine >= 0 && head >= 0 && foot >= 0);

    uint32_t joints = knight->joint_count;
    md5_xform *pose = (md5_xform *)malloc(4 * joints * sizeof *pose);
    md5_xform *running = pose + joints, *flinch = pose + 2 * joints, *reference = pose + 3 * joints;
    float *mask = (float *)calloc(joints, sizeof *mask);
    md5_mask_branch(knight, spine, 1, mask);                /* the spine and all of its children */
    md5_pose_at(knight, pain, MD5_ONCE, 0, reference);      /* the first frame of pain1 */

    float farthest = 0, length = (float)md5_anim_length(pain, MD5_ONCE);
    for (float now = 0; now <= length + 0.05f; now += 0.05f) {
        md5_pose_at(knight, run, MD5_LOOP, (double)now, running);
        md5_pose_at(knight, pain, MD5_ONCE, (double)now, flinch);
        md5_pose_add(running, flinch, reference, 1, mask, joints, pose);

        md5_pose_to_model_space(knight, running, running);
        md5_pose_to_model_space(knight, pose, pose);
        const float *a = running[head].position, *b = pose[head].position;
        float away = sqrtf((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) +
                           (b[2] - a[2]) * (b[2] - a[2]));
        printf("%.2f s: the flinch moves the head by %.2f units\n", (double)now, (double)away);
        if (away > farthest) farthest = away;
        assert(memcmp(&running[foot], &pose[foot], sizeof pose[foot]) == 0);
        assert(now > 0 || away < 0.001f);                   /* nothing is added at the start */
    }
    assert(farthest > 1);
    printf("the head moves by up to %.2f units; the feet keep running\n", (double)farthest);
    free(mask);
    free(pose);
    md5_free_anim(pain);
    md5_free_anim(run);
    md5_free_model(knight);
    return 0;
}
