/* An MD5 played by the names of its MD2: Quake II's re-release has one .md5anim for all the frames of a
   model, whose names only the MD2 knows. md2_split_frame_names makes animations of the names, and
   md5_anim_slice cuts the same frames out of the MD5's. Public domain.
       cc -I. tests/recipes/slices.c -lm && ./a.out */
#include <assert.h>
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { MOST_ANIMS = 64 };

/* This robot has a file for each animation: copies the frames of all into one array, as the re-release has
   them. Returns the last file, which still lists the joints. */
static md5_anim *join_files(const md2_model *knight, md5_xform *frames)
{
    md5_anim *anim = NULL;
    for (uint32_t i = 0; i < knight->anim_count; ++i) {
        char path[512];
        md5_error error;
        snprintf(path, sizeof path, "build/character/%s.md5anim", knight->anims[i].name);
        md5_free_anim(anim);
        anim = md5_load_anim_file(path, NULL, &error);
        if (!anim) { fprintf(stderr, "%s\n", error.message); exit(1); }
        for (uint32_t f = 0; f < knight->anims[i].count; ++f) {
            md5_pose_at(anim, MD5_ONCE, (double)f / (double)anim->fps,
                        frames + (knight->anims[i].first + f) * anim->joint_count);
        }
    }
    return anim;
}

int main(void)
{
    md2_error error;
    md5_error error5;
    md2_model *knight = md2_load_file("build/character/tris.md2", NULL, &error);
    if (!knight) { fprintf(stderr, "%s\n", error.message); return 1; }
    md5_model *robot = md5_load_model_file("build/character/robot.md5mesh", NULL, &error5);
    if (!robot) { fprintf(stderr, "%s\n", error5.message); return 1; }
    uint32_t joints = robot->joint_count, count = knight->frame_count;
    md5_xform *frames = (md5_xform *)malloc((count + 1) * joints * sizeof *frames);
    md5_xform *pose = frames + count * joints;
    md5_anim *last = join_files(knight, frames), all = *last;
    all.frames = frames;
    all.frame_count = count;
    all.moving_count = joints;                              /* every joint, in every frame */
    all.slots = NULL;
    all.still = NULL;
    all.bounds = NULL;

    const char **names = (const char **)malloc(count * sizeof *names);
    for (uint32_t f = 0; f < count; ++f) names[f] = knight->frames[f].name;
    md2_anim anims[MOST_ANIMS];
    uint32_t found = md2_split_frame_names(names, count, NULL, anims, MOST_ANIMS);
    assert(found == knight->anim_count && found <= MOST_ANIMS);

    /* Both bodies are the same, so they fill the same box in each frame. In between they do not: there
       an MD2's points go straight, and an MD5's limbs turn. */
    float worst = 0;
    for (uint32_t i = 0; i < found; ++i) {
        md5_anim slice = md5_anim_slice(&all, anims[i].first, anims[i].count, anims[i].name);
        slice.fps = anims[i].fps;
        for (uint32_t f = 0; f < slice.frame_count; ++f) {
            double now = (double)f / (double)slice.fps;
            float min[3], max[3], min2[3], max2[3];
            md5_pose_at(&slice, MD5_ONCE, now, pose);
            md5_pose_to_model_space(robot, pose, pose);
            md5_pose_bounds(robot, pose, min, max);
            md2_pose pose2 = md2_pose_at(&anims[i], MD2_ONCE, now);
            md2_pose_bounds(knight, &pose2, min2, max2);
            for (int k = 0; k < 3; ++k) {
                worst = fmaxf(worst, fmaxf(fabsf(min[k] - min2[k]), fabsf(max[k] - max2[k])));
            }
        }
    }
    printf("%u animations out of %u frames; MD2 and MD5 differ by up to %.5f units\n", (unsigned)found,
           (unsigned)count, (double)worst);
    assert(found == 20 && worst < 0.001f);
    free((void *)names);
    free(frames);
    md5_free_anim(last);
    md5_free_model(robot);
    md2_free_model(knight);
    return 0;
}
