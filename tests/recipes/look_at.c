/* Look-at: the head turns toward a point while the body keeps running. It turns by at most 60 degrees, less
   for points farther behind, and not at all for a point straight behind. Public domain.
       cc -I. tests/recipes/look_at.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

/* Writes the direction in which a joint looks, in model space: the direction that is the model's x axis
   in the bind pose. */
static void looking(const md5_model *model, int joint, const md5_xform *pose, float out[3])
{
    float bind[16], now[16];
    md5_pose_matrix(&model->joints[joint].bind, bind);
    md5_pose_matrix(&pose[joint], now);
    for (int k = 0; k < 3; ++k) {
        out[k] = now[k] * bind[0] + now[k + 4] * bind[4] + now[k + 8] * bind[8];
    }
}

/* Returns the angle between the direction of a joint and the direction to a point, in degrees. */
static float degrees_past(const md5_model *model, int joint, const md5_xform *pose,
                          const float target[3])
{
    float ahead[3], dot = 0, length = 0;
    looking(model, joint, pose, ahead);
    for (int k = 0; k < 3; ++k) {
        float way = target[k] - pose[joint].position[k];
        dot += way * ahead[k];
        length += way * way;
    }
    return acosf(fminf(dot / sqrtf(length), 1)) * 57.29578f;
}

int main(void)
{
    static const float targets[3][3] = { { 100, 60, 20 }, { 60, -80, 40 }, { -100, 20, 10 } };
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    md5_anim *run = knight ? md5_load_anim_file("knight/run.md5anim", NULL, &error) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error.message); return 1; }
    int head = md5_find_joint(knight, "head");
    assert(head >= 0);
    md5_xform *pose = (md5_xform *)malloc(knight->joint_count * sizeof *pose);
    for (int i = 0; i < 3; ++i) {
        md5_pose_at(knight, run, MD5_LOOP, 0.1 * i, pose);
        md5_pose_aim(knight, pose, head, NULL, targets[i], 60 / 57.29578f, 1);
        md5_pose_to_model_space(knight, pose, pose);
        float off = degrees_past(knight, head, pose, targets[i]);
        printf("target %d: the head looks %.2f degrees past it\n", i, (double)off);
        assert(i == 2 ? off > 60 : off < 0.1f);             /* the last point is behind it */
    }
    free(pose);
    md5_free_anim(run);
    md5_free_model(knight);
    return 0;
}
