/* Look-at: the head turns towards a point, at most by 60 degrees, while the rest of the body runs on.
   Public domain.
       cc -I. tests/recipes/look_at.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

/* The direction in which a joint looks, in its parent's space (or the model's, for a pose in model
   space): what was the model's x axis in the bind pose. */
static void looking(const md5_model *model, int joint, const md5_xform *pose, float out[3])
{
    float bind[16], now[16];
    md5_pose_matrix(&model->joints[joint].bind, bind);
    md5_pose_matrix(&pose[joint], now);
    for (int k = 0; k < 3; ++k) {
        out[k] = (now[k] * bind[0] + now[k + 4] * bind[4] + now[k + 8] * bind[8]) / pose[joint].scale;
    }
}

/* Turns a joint of the local pose towards `target`, a point in model space. `space` gets the pose in
   model space as it was before. */
static void look_at(const md5_model *model, int joint, const float target[3], float most_degrees,
                    md5_xform *pose, md5_xform *space)
{
    float parent[16], from[3], to[3], way[3];
    md5_pose_to_model_space(model, pose, space);
    md5_pose_matrix(&space[model->joints[joint].parent], parent);
    for (int k = 0; k < 3; ++k) way[k] = target[k] - space[joint].position[k];
    float length = sqrtf(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    looking(model, joint, pose, from);
    for (int k = 0; k < 3; ++k) {                           /* into the parent's space */
        const float *axis = parent + 4 * k;
        to[k] = (axis[0] * way[0] + axis[1] * way[1] + axis[2] * way[2]) / length;
    }
    /* The shortest turn from one direction to the other, q, and in front of the joint's own: q * r. */
    float c = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
    float q[4] = { from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2],
                   from[0] * to[1] - from[1] * to[0], 1 + c };
    float size = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (size < 1e-4f) return;                               /* straight behind: no way is shorter */
    for (int k = 0; k < 4; ++k) q[k] /= size;
    md5_xform turned = pose[joint];
    const float *r = pose[joint].rotation;
    turned.rotation[0] = q[3] * r[0] + q[0] * r[3] + q[1] * r[2] - q[2] * r[1];
    turned.rotation[1] = q[3] * r[1] + q[1] * r[3] + q[2] * r[0] - q[0] * r[2];
    turned.rotation[2] = q[3] * r[2] + q[2] * r[3] + q[0] * r[1] - q[1] * r[0];
    turned.rotation[3] = q[3] * r[3] - q[0] * r[0] - q[1] * r[1] - q[2] * r[2];
    float angle = 2 * acosf(fminf(q[3], 1)) * 57.29578f;
    md5_pose_mix(&pose[joint], &turned, angle > most_degrees ? most_degrees / angle : 1, NULL, 1,
                 &pose[joint]);
}

int main(void)
{
    static const float targets[3][3] = { { 100, 60, 20 }, { 60, -80, 40 }, { -100, 20, 10 } };
    md5_error error;
    md5_model *robot = md5_load_model_file("build/character/robot.md5mesh", NULL, &error);
    md5_anim *run = robot ? md5_load_anim_file("build/character/run.md5anim", NULL, &error) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error.message); return 1; }
    int head = md5_find_joint(robot, "head");
    assert(head >= 0 && robot->joints[head].parent >= 0);
    md5_xform *pose = (md5_xform *)malloc(2 * robot->joint_count * sizeof *pose);
    md5_xform *space = pose + robot->joint_count;
    for (int i = 0; i < 3; ++i) {
        float ahead[3], off = 0, length = 0;
        md5_pose_at(run, MD5_LOOP, 0.1 * i, pose);
        look_at(robot, head, targets[i], 60, pose, space);
        md5_pose_to_model_space(robot, pose, space);
        looking(robot, head, space, ahead);
        for (int k = 0; k < 3; ++k) {
            float way = targets[i][k] - space[head].position[k];
            off += way * ahead[k];
            length += way * way;
        }
        off = acosf(fminf(off / sqrtf(length), 1)) * 57.29578f;
        printf("target %d: the head looks %.2f degrees past it\n", i, (double)off);
        assert(i == 2 ? off > 60 : off < 0.1f);             /* the last one is behind it */
    }
    free(pose);
    md5_free_anim(run);
    md5_free_model(robot);
    return 0;
}
