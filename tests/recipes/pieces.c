/* A character falls to pieces and is put together again. Like a physics engine, this program moves joints in
   model space: each joint falls separately and tumbles until it reaches the floor. md5_pose_to_local converts
   the result to a local pose, which mixes with an animation like any other pose: the pieces come together into
   the running knight. A ragdoll gets up in the same way. Public domain.
       cc -I. tests/recipes/pieces.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

static const float step = 1 / 60.0f, gravity = 400, floor_height = -24; /* model units */

typedef struct piece { float velocity[3], axis[3], spin; } piece;

/* Rotates a transform about its own position. */
static void tumble(md5_xform *x, const float axis[3], float radians)
{
    float s = sinf(radians / 2), c = cosf(radians / 2), q[4];
    float t[4] = { s * axis[0], s * axis[1], s * axis[2], c };
    memcpy(q, x->rotation, sizeof q);
    x->rotation[0] = t[3] * q[0] + t[0] * q[3] + t[1] * q[2] - t[2] * q[1];
    x->rotation[1] = t[3] * q[1] - t[0] * q[2] + t[1] * q[3] + t[2] * q[0];
    x->rotation[2] = t[3] * q[2] + t[0] * q[1] - t[1] * q[0] + t[2] * q[3];
    x->rotation[3] = t[3] * q[3] - t[0] * q[0] - t[1] * q[1] - t[2] * q[2];
}

static void fall(piece *p, md5_xform *x)
{
    if (x->position[2] <= floor_height) return;             /* it is on the floor */
    p->velocity[2] -= gravity * step;
    for (int k = 0; k < 3; ++k) x->position[k] += p->velocity[k] * step;
    x->position[2] = fmaxf(x->position[2], floor_height);
    tumble(x, p->axis, p->spin * step);
}

/* Returns the largest difference between the joint positions of two poses, on any axis. */
static float pose_difference(const md5_xform *a, const md5_xform *b, uint32_t count)
{
    float most = 0;
    for (uint32_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            most = fmaxf(most, fabsf(a[i].position[k] - b[i].position[k]));
        }
    }
    return most;
}

int main(void)
{
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    md5_anim *run = knight ? md5_load_anim_file("knight/run.md5anim", NULL, &error) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error.message); return 1; }
    uint32_t joints = knight->joint_count;
    md5_xform *fallen = (md5_xform *)malloc(4 * joints * sizeof *fallen);
    md5_xform *heap = fallen + joints, *pose = heap + joints, *space = pose + joints;
    piece *pieces = (piece *)calloc(joints, sizeof *pieces);

    /* The knight runs and comes apart: each joint flies off in a different direction. */
    md5_pose_at(knight, run, MD5_LOOP, 0.2, pose);
    md5_pose_to_model_space(knight, pose, fallen);
    for (uint32_t i = 0; i < joints; ++i) {
        float angle = 2.4f * (float)i;
        pieces[i].velocity[0] = 90 + 40 * cosf(angle);      /* forward, at the speed of the run */
        pieces[i].velocity[1] = 40 * sinf(angle);
        pieces[i].axis[0] = cosf(angle);
        pieces[i].axis[1] = sinf(angle);
        pieces[i].spin = 3 + 0.2f * (float)i;
    }
    for (int frame = 0; frame < 60; ++frame) {              /* a game draws `fallen` in each frame */
        for (uint32_t i = 0; i < joints; ++i) fall(&pieces[i], &fallen[i]);
    }
    for (uint32_t i = 0; i < joints; ++i) assert(fallen[i].position[2] <= floor_height);

    /* The pieces come back within a second; a game draws `space` in each frame. */
    md5_pose_to_local(knight, fallen, heap);
    for (int frame = 0; frame <= 60; ++frame) {
        float t = (float)frame / 60;
        md5_pose_at(knight, run, MD5_LOOP, 0.2 + (double)t, pose);
        md5_pose_mix(heap, pose, t, NULL, joints, pose);
        md5_pose_to_model_space(knight, pose, space);
        float difference = pose_difference(space, fallen, joints);
        if (frame == 0) printf("the first pose is the fallen one, within %g\n", (double)difference);
        assert(frame > 0 || difference < 0.001f);
    }
    md5_pose_at(knight, run, MD5_LOOP, 1.2, pose);
    md5_pose_to_model_space(knight, pose, fallen);
    assert(pose_difference(space, fallen, joints) < 0.001f); /* the knight runs again */
    free(pieces);
    free(fallen);
    md5_free_anim(run);
    md5_free_model(knight);
    return 0;
}
