/* Root motion through a crossfade: the weights that blend the pose blend the ways of its tracks too.
   Two animations are made here, as the character's own play on the spot: a walk of 40 units a second
   and a run of 110. Public domain.
       cc -I. tests/recipes/root_motion.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { JOINTS = 1 };

static const char model_text[] =
    "MD5Version 10\nnumJoints 1\nnumMeshes 0\njoints { \"root\" -1 ( 0 0 0 ) ( 0 0 0 ) }\n";

/* One second at 2 frames a second; the last frame is where the next loop begins. */
static md5_anim *make_gait(double speed)
{
    char text[512];
    int  size = snprintf(text, sizeof text,
                         "MD5Version 10\nnumFrames 3\nnumJoints 1\nframeRate 2\n"
                         "numAnimatedComponents 1\nhierarchy { \"root\" -1 1 0 }\n"
                         "baseframe { ( 0 0 0 ) ( 0 0 0 ) }\n"
                         "frame 0 { 0 }\nframe 1 { %g }\nframe 2 { %g }\n", speed / 2, speed);
    return md5_load_anim_memory(text, (size_t)size, "gait", NULL, NULL);
}

/* Advances the player. Writes the pose without root motion, and adds the root motion to `moved`. */
static void advance(md5_player *player, float dt, md5_xform *pose, md5_xform *scratch, float *moved)
{
    md5_player before = *player;
    md5_xform  step;
    float      share[5], sum = 0;
    md5_advance(player, dt);
    md5_track_weights(player, share);
    for (uint32_t i = 0; i < player->track_count; sum += share[i++]) {
        const md5_track *track = &player->track[i];         /* the oldest may be gone: */
        double then = before.track[before.track_count - player->track_count + i].time;
        md5_root_motion(track->anim, track->mode, then, track->time, &step);
        for (int k = 0; k < 3; ++k) moved[k] += share[i] * step.position[k];
        md5_pose_in_place(track->anim, track->mode, track->time, sum > 0 ? scratch : pose);
        if (sum > 0) md5_pose_mix(pose, scratch, share[i] / (sum + share[i]), NULL, JOINTS, pose);
    }
}

int main(void)
{
    md5_model *model = md5_load_model_memory(model_text, strlen(model_text), NULL, NULL);
    md5_anim  *walk = make_gait(40), *run = make_gait(110);
    assert(model && walk && run && md5_check_anim(model, walk, NULL) == MD5_OK);
    md5_xform  pose[JOINTS], scratch[JOINTS];
    md5_player player;
    float      moved[3] = { 0, 0, 0 }, previous = 0;
    memset(&player, 0, sizeof player);
    md5_play(&player, walk, MD5_LOOP, 0);
    for (int frame = 0; frame < 180; ++frame) {
        if (frame == 60) md5_play(&player, run, MD5_LOOP, 1); /* a second of walking, then */
        advance(&player, 1 / 60.0f, pose, scratch, moved);
        float speed = (moved[0] - previous) * 60;
        if (frame % 20 == 0) printf("%.2f s: %5.1f units a second\n", frame / 60.0, (double)speed);
        assert(speed > 39 && speed < 111 && fabsf(pose[0].position[0]) < 0.001f);
        previous = moved[0];
    }
    assert(fabsf(moved[0] - (40 + 75 + 110)) < 1);           /* 75: the mean of both */
    printf("%.1f units in 3 seconds\n", (double)moved[0]);
    md5_free_anim(run);
    md5_free_anim(walk);
    md5_free_model(model);
    return 0;
}
