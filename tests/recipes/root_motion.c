/* Root motion around a corner: the character walks, turns to the left and walks on, with fades between.
   The player takes the motion of the root out of the pose and returns it, and the program applies it to
   the character's matrix. So a foot on the ground does not slide. Public domain.
       cc -I. tests/recipes/root_motion.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

static md5_anim *load(const char *path)
{
    md5_error error;
    md5_anim *anim = md5_load_anim_file(path, NULL, &error);
    if (!anim) { fprintf(stderr, "%s\n", error.message); exit(1); }
    return anim;
}

/* Multiplies: place = place * step. The step is relative to the character's position and heading. */
static void apply_step(float place[16], const float step[16])
{
    float product[16];
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            float *sum = &product[4 * column + row];
            *sum = 0;
            for (int k = 0; k < 4; ++k) *sum += place[4 * k + row] * step[4 * column + k];
        }
    }
    memcpy(place, product, sizeof product);
}

int main(void)
{
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    if (!knight) { fprintf(stderr, "%s\n", error.message); return 1; }
    md5_anim *walk = load("knight/walk.md5anim");
    md5_anim *turn = load("knight/turn.md5anim");
    md5_xform *pose = (md5_xform *)malloc(2 * knight->joint_count * sizeof *pose), step;
    float place[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }, matrix[16];
    md5_player legs;
    memset(&legs, 0, sizeof legs);
    legs.root_motion = MD5_TRAVEL | MD5_TURN;
    md5_play(&legs, walk, MD5_LOOP, 0);
    for (int frame = 0; frame < 300; ++frame) {              /* five seconds */
        float degrees = atan2f(place[1], place[0]) * 57.29578f;
        if (frame == 120) md5_play(&legs, turn, MD5_LOOP, 0.2f);
        if (degrees > 82 && md5_playing(&legs, turn)) {    /* the fade turns the rest */
            md5_play(&legs, walk, MD5_LOOP, 0.2f);
        }
        md5_advance(&legs, 1 / 60.0f);
        md5_player_motion(&legs, &step);
        md5_pose_matrix(&step, matrix);
        apply_step(place, matrix);
        md5_player_pose(knight, &legs, pose, pose + knight->joint_count);
        assert(fabsf(pose[0].position[0]) < 0.001f && fabsf(pose[0].rotation[2]) < 0.001f);
        if (frame % 60 == 59) {
            printf("after %d s: %5.1f ahead, %5.1f to the left, turned by %.0f degrees\n",
                   frame / 60 + 1, (double)place[12], (double)place[13], (double)degrees);
        }
    }
    md5_anim_motion(walk, MD5_LOOP, MD5_TRAVEL, 0, 1, &step);
    float pace = step.position[0];                           /* units per second */
    assert(fabsf(place[12] - 2 * pace) < 0.2f * pace && fabsf(place[0]) < 0.05f);
    assert(fabsf(place[13] - 1.8f * pace) < 0.2f * pace);
    free(pose);
    md5_free_anim(turn);
    md5_free_anim(walk);
    md5_free_model(knight);
    return 0;
}
