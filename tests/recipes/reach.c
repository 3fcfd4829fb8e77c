/* Two-bone inverse kinematics: the hand reaches a goal, and the elbow points to the side of a pole. Bend the
   elbow until the hand is as far from the shoulder as the goal, aim the upper arm, and rotate both bones
   about the line from the shoulder to the goal. The rest of the body keeps running. The same works for legs
   on the ground. Public domain.
       cc -I. tests/recipes/reach.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float a[3], const float b[3], float out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Writes the vector from a point to another, and returns its length. */
static float vector_to(const float from[3], const float to[3], float out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = to[k] - from[k];
    return sqrtf(dot(out, out));
}

/* Returns the angle from a to b about an axis, by the right-hand rule, after projecting both onto the plane
   perpendicular to the axis. */
static float angle_about(const float axis[3], const float a[3], const float b[3])
{
    float side[3], across_a[3], across_b[3];
    cross(axis, a, across_a);
    cross(axis, b, across_b);
    cross(across_a, across_b, side);
    return atan2f(dot(side, axis) / sqrtf(dot(axis, axis)), dot(across_a, across_b));
}

/* Returns the angle at the elbow for a distance between shoulder and hand (law of cosines). */
static float elbow_angle(float upper, float lower, float distance)
{
    float cosine = (upper * upper + lower * lower - distance * distance) / (2 * upper * lower);
    return acosf(fmaxf(-1, fminf(cosine, 1)));
}

/* Bends a chain of three joints in a local pose. `space` has room for another pose. The hinge is the
   model-space axis about which the elbow rotates if the arm is straight. */
static void reach(const md5_model *model, const int chain[3], const float goal[3],
                  const float pole[3], const float hinge[3], md5_xform *pose, md5_xform *space)
{
    const float *shoulder = space[chain[0]].position, *elbow = space[chain[1]].position;
    const float *hand = space[chain[2]].position;
    float up[3], down[3], arm[3], axis[3], own[3], matrix[16];

    /* Bend the elbow until the hand is as far from the shoulder as the goal, or as close to that as possible. */
    md5_pose_to_model_space(model, pose, space);
    float upper = vector_to(elbow, shoulder, up), lower = vector_to(elbow, hand, down);
    cross(up, down, axis);
    if (dot(axis, axis) < 1e-6f * upper * lower) memcpy(axis, hinge, sizeof axis);
    float now = angle_about(axis, up, down);
    float wanted = elbow_angle(upper, lower, vector_to(shoulder, goal, arm));
    md5_pose_turn(model, pose, chain[1], axis, wanted - now);

    /* Rotate the shoulder until the hand points at the goal: aim the vector to the hand, in the shoulder's axes. */
    md5_pose_to_model_space(model, pose, space);
    vector_to(shoulder, hand, arm);
    md5_pose_matrix(&space[chain[0]], matrix);
    for (int k = 0; k < 3; ++k) own[k] = dot(matrix + 4 * k, arm);
    md5_pose_aim(model, pose, chain[0], own, goal, 4, 1);

    /* Rotate the arm about its own line until the elbow is on the side of the pole. */
    md5_pose_to_model_space(model, pose, space);
    vector_to(shoulder, hand, arm);
    vector_to(shoulder, elbow, up);
    vector_to(shoulder, pole, down);
    md5_pose_turn(model, pose, chain[0], arm, angle_about(arm, up, down));
}

int main(void)
{
    static const char *const names[3] = { "arm_l", "forearm_l", "hand_l" };
    static const float goals[4][3] = { { 9, 8, 4 }, { 6, 16, 12 }, { 3, 15, -6 }, { 90, 50, 0 } };
    static const float pole[3] = { -5, 30, -20 }, hinge[3] = { 0, 1, 0 };
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    md5_anim *run = knight ? md5_load_anim_file("knight/run.md5anim", NULL, &error) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error.message); return 1; }
    int chain[3];
    for (int i = 0; i < 3; ++i) chain[i] = md5_find_joint(knight, names[i]);
    md5_xform *pose = (md5_xform *)malloc(2 * knight->joint_count * sizeof *pose);
    md5_xform *space = pose + knight->joint_count;
    for (int i = 0; i < 4; ++i) {
        float missed[3], arm[3], elbow[3], side[3];
        md5_pose_at(knight, run, MD5_LOOP, 0.1 * i, pose);
        reach(knight, chain, goals[i], pole, hinge, pose, space);
        md5_pose_to_model_space(knight, pose, space);
        float miss = vector_to(space[chain[2]].position, goals[i], missed);
        vector_to(space[chain[0]].position, goals[i], arm);
        vector_to(space[chain[0]].position, space[chain[1]].position, elbow);
        vector_to(space[chain[0]].position, pole, side);
        printf("goal %d: the hand is %.3f away\n", i, (double)miss);
        assert(i == 3 ? miss > 60 : miss < 0.01f);          /* the last goal is out of reach */
        assert(i == 3 || fabsf(angle_about(arm, elbow, side)) < 0.01f);
    }
    free(pose);
    md5_free_anim(run);
    md5_free_model(knight);
    return 0;
}
