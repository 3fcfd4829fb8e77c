/* md5_scale.c: loads an .md5scale for an animation of two joints and three frames. */
#include "fuzz.h"

#include "md5_model.h"

FUZZ_UNSEEN_BEGIN

static const char fuzz_scaled_anim[] =
    "MD5Version 10 numFrames 3 numJoints 2 frameRate 24 numAnimatedComponents 1 "
    "hierarchy { \"a\" -1 1 0 \"b\" 0 0 0 } baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 2 0 0 ) ( 0 0 0 ) } "
    "frame 0 { 1 } frame 1 { 2 } frame 2 { 3 }";

static void fuzz_check_scales(const md5_anim *anim)
{
    fuzz_check_md5_anim(anim);
    FUZZ_CHECK(anim->joint_count == 2 && anim->moving_count >= 1 && anim->moving_count <= 2);
    for (uint32_t i = 0; i < anim->frame_count * anim->moving_count; ++i) {
        FUZZ_CHECK(anim->frames[i].scale >= 0 && anim->frames[i].scale <= 1e9f);
    }
    fuzz_check_finite((const float *)anim->frames, 8 * anim->frame_count * anim->moving_count);
}

static void fuzz_md5_scale(fuzz_input *input)
{
    md5_error error;
    md5_options options = fuzz_md5_options(input);
    options.joint_scales = (const char *)input->data;
    options.joint_scales_size = input->size;
    memset(&error, 0x7F, sizeof error);
    fuzz_measure(fuzz_memory_bound(sizeof fuzz_scaled_anim + input->size, false), input);
    md5_anim *anim = md5_load_anim_memory(fuzz_scaled_anim, sizeof fuzz_scaled_anim - 1, "walk",
                                          &options, &error);
    fuzz_check_md5_error(&error, anim != NULL, input);
    fuzz_check_memory(anim ? anim->bytes : 0, 0, 0);
    if (anim) fuzz_check_scales(anim);
    md5_free_anim(anim);
    FUZZ_CHECK(fuzz_memory.live_blocks == 0);
}

FUZZ_UNSEEN_END

FUZZ_ENTRY(md5_scale, fuzz_mutate_tokens)
