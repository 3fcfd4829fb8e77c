/* A weapon in a hand, in both formats. An MD5 has a joint for the weapon. An MD2 has none, so the weapon
   is attached to a triangle of the hand. Both knights are the same character, so both weapons must agree.
   A weapon.md2 of Quake II needs none of this: its frames have the same numbers as the frames of the
   character, so draw it with the character's pose. Public domain.
       cc -I. -Itests/recipes tests/recipes/weapons.c -lm && ./a.out */
#include <assert.h>
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_IMPLEMENTATION
#include "md5.h"
#include "matrices.h"

static float distance(const float *a, const float *b)
{
    float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrtf(x * x + y * y + z * z);
}

int main(void)
{
    md2_error error;
    md5_error error5;
    md2_model *knight_md2 = md2_load_file("knight/tris.md2", NULL, &error);
    if (!knight_md2) { fprintf(stderr, "%s\n", error.message); return 1; }
    md5_model *knight_md5 = md5_load_model_file("knight/knight.md5mesh", NULL, &error5);
    md5_anim *run = knight_md5 ? md5_load_anim_file("knight/run.md5anim", NULL, &error5) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error5.message); return 1; }
    int hand = md5_find_joint(knight_md5, "weapon");
    const md2_anim *run2 = md2_find_anim(knight_md2, "run");
    assert(hand >= 0 && run2);

    /* Once: find the triangle nearest to the joint in one pose, and the transform from this triangle to the joint. */
    float joint[16], triangle[16], inverse[16], hold[16], weapon[16], least = 1e9f;
    md5_xform *pose = (md5_xform *)malloc(knight_md5->joint_count * sizeof *pose);
    md5_pose_at(knight_md5, run, MD5_LOOP, 0, pose);
    md5_pose_to_model_space(knight_md5, pose, pose);
    md5_pose_matrix(&pose[hand], joint);
    uint32_t palm = 0;
    md2_pose pose2 = md2_pose_at(run2, MD2_LOOP, 0);
    for (uint32_t i = 0; i < knight_md2->index_count / 3; ++i) {
        if (!md2_pose_triangle(knight_md2, &pose2, i, triangle)) continue;
        float away = distance(triangle + 12, joint + 12);
        if (away < least) { least = away; palm = i; }
    }
    md2_pose_triangle(knight_md2, &pose2, palm, triangle);
    invert_rigid(triangle, inverse);
    multiply(inverse, joint, hold);

    /* Draw the sword with `joint`, or with `weapon`, in each frame. */
    float farthest = 0, path = 0, before[16];
    for (int frame = 0; frame < 60; ++frame) {
        for (int i = 0; i < 16; ++i) before[i] = joint[i];
        md5_pose_at(knight_md5, run, MD5_LOOP, frame * 0.01, pose);
        md5_pose_to_model_space(knight_md5, pose, pose);
        md5_pose_matrix(&pose[hand], joint);
        pose2 = md2_pose_at(run2, MD2_LOOP, frame * 0.01);
        md2_pose_triangle(knight_md2, &pose2, palm, triangle);
        multiply(triangle, hold, weapon);
        path += distance(before + 12, joint + 12);
        farthest = fmaxf(farthest, distance(weapon + 12, joint + 12));
        assert(weapon[8] * joint[8] + weapon[9] * joint[9] + weapon[10] * joint[10] > 0.9f);
    }
    printf("triangle %u holds the weapon: on a path of %.1f units at most %.2f from the joint\n",
           (unsigned)palm, (double)path, (double)farthest);
    assert(path > 20 && farthest < 1.5f);
    free(pose);
    md5_free_anim(run);
    md5_free_model(knight_md5);
    md2_free_model(knight_md2);
    return 0;
}
