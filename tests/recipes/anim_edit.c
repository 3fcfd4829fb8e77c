/* Editing an animation: makes a mirrored copy of the wave, in which the knight waves with its other
   hand. Public domain.
       cc -I. tests/recipes/anim_edit.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

/* Returns the joint on the other side: "hand_l" for "hand_r", "spine" for "spine". */
static uint32_t other_side(const md5_model *model, uint32_t joint)
{
    char name[64];
    snprintf(name, sizeof name, "%s", model->joints[joint].name);
    size_t length = strlen(name);
    if (length > 2 && name[length - 2] == '_') {
        char side = name[length - 1];
        name[length - 1] = side == 'l' ? 'r' : side == 'r' ? 'l' : side;
    }
    int found = md5_find_joint(model, name);
    return found < 0 ? joint : (uint32_t)found;
}

/* Mirrors a local pose left to right (y becomes -y). This is enough because no joint of this model is
   rotated in the bind pose, so left and right joints have the same axes. */
static void mirror_pose(const md5_model *model, const md5_xform *pose, md5_xform *out)
{
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        md5_xform *x = &out[i];
        *x = pose[other_side(model, i)];
        x->position[1] = -x->position[1];
        x->rotation[0] = -x->rotation[0];
        x->rotation[2] = -x->rotation[2];
    }
}

int main(void)
{
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    md5_anim *wave = knight ? md5_load_anim_file("knight/wave.md5anim", NULL, &error) : NULL;
    if (!wave) { fprintf(stderr, "%s\n", error.message); return 1; }

    /* The copy has all joints in every frame; wave->frames has only the joints that move. */
    uint32_t joints = knight->joint_count, count = wave->frame_count;
    md5_xform *frames = (md5_xform *)malloc((count + 1) * joints * sizeof *frames);
    md5_xform *pose = frames + count * joints;
    for (uint32_t f = 0; f < count; ++f) {
        md5_pose_at(knight, wave, MD5_ONCE, (double)f / (double)wave->fps, pose);
        mirror_pose(knight, pose, frames + f * joints);
    }
    md5_anim copy = *wave;
    copy.frames = frames;
    copy.moving_count = 0;                                  /* every frame has all joints */
    copy.slots = NULL;
    md5_anim edited = md5_slice_anim(&copy, 0, count, "wave, with the right hand");
    assert(md5_check_anim(knight, &edited, &error) == MD5_OK);

    int left = md5_find_joint(knight, "hand_l"), right = md5_find_joint(knight, "hand_r");
    assert(left >= 0 && right >= 0);
    for (double now = 0; now < md5_anim_length(wave, MD5_LOOP); now += 0.1) {
        md5_pose_at(knight, wave, MD5_LOOP, now, pose);
        md5_pose_to_model_space(knight, pose, pose);
        const md5_xform hand = pose[left];
        md5_pose_at(knight, &edited, MD5_LOOP, now, pose);
        md5_pose_to_model_space(knight, pose, pose);
        const float *other = pose[right].position;
        printf("%.1f s: the left hand is at height %.1f, in the copy the right hand is at %.1f\n", now,
               (double)hand.position[2], (double)other[2]);
        assert(fabsf(other[0] - hand.position[0]) < 0.001f);
        assert(fabsf(other[1] + hand.position[1]) < 0.001f);
        assert(fabsf(other[2] - hand.position[2]) < 0.001f);
    }
    free(frames);
    md5_free_anim(wave);
    md5_free_model(knight);
    return 0;
}
