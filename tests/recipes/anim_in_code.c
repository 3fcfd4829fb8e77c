/* An animation built in code: the knight shakes its head. An animation is an array of transforms, each
   relative to the parent joint. Public domain.
       cc -I. tests/recipes/anim_in_code.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { FRAMES = 9 };

int main(void)
{
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    if (!knight) { fprintf(stderr, "%s\n", error.message); return 1; }
    uint32_t joints = knight->joint_count;
    int head = md5_find_joint(knight, "head");
    assert(head >= 0);

    /* Every frame is the bind pose, except that the head rotates about its z axis. */
    md5_xform *frames = (md5_xform *)malloc(FRAMES * joints * sizeof *frames);
    for (int f = 0; f < FRAMES; ++f) {
        md5_xform *frame = frames + (size_t)f * joints;
        float half = 0.3f * sinf((float)f * 6.2831853f / (FRAMES - 1)); /* half of the angle */
        md5_pose_bind(knight, frame);
        frame[head].rotation[2] = sinf(half);               /* its value in the bind pose is 0 0 0 1 */
        frame[head].rotation[3] = cosf(half);
    }
    md5_anim shake;
    memset(&shake, 0, sizeof shake);
    shake.joint_count = joints;
    shake.frame_count = FRAMES;
    shake.fps = 12;
    shake.closed = true;                                    /* the last frame repeats the first */
    shake.frames = frames;
    assert(md5_check_anim(knight, &shake, &error) == MD5_OK);

    md5_player player;
    memset(&player, 0, sizeof player);
    md5_play(&player, &shake, MD5_LOOP, 0);
    md5_xform *pose = (md5_xform *)malloc(2 * joints * sizeof *pose);
    float least = 0, most = 0;
    for (int step = 0; step < 40; ++step) {
        md5_advance(&player, 1 / 60.0f);
        md5_player_pose(knight, &player, pose, pose + joints);
        const float *q = pose[head].rotation;
        float angle = 2 * atan2f(q[2], q[3]) * 57.29578f;
        least = angle < least ? angle : least;
        most = angle > most ? angle : most;
    }
    printf("the head turns from %.1f to %.1f degrees\n", (double)least, (double)most);
    assert(least < -33 && least > -35 && most > 33 && most < 35);
    free(pose);
    free(frames);
    md5_free_model(knight);
    return 0;
}
