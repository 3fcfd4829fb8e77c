/* An MD5 played by the names of its MD2: Quake II's re-release has one .md5anim for all the frames of a
   model, whose names only the MD2 knows. md2_split_frame_names makes animations of the names, and
   md5_anim_slice cuts the same frames out of the MD5's.

       cc -I. tests/recipes/slices.c -lm && ./a.out build/character

   Public domain. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { MOST_ANIMS = 64 };

static const char *path_to(const char *folder, const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* This robot has a file for each animation; here they become one, as the re-release has it. */
static md5_anim join_files(const char *folder, const md2_model *knight, const md5_model *robot,
                           md5_xform *frames, md5_anim **any)
{
    for (uint32_t i = 0; i < knight->anim_count; ++i) {
        char name[64];
        md5_error error;
        snprintf(name, sizeof name, "%s.md5anim", knight->anims[i].name);
        if (i > 0) md5_free_anim(*any);
        *any = md5_load_anim_file(path_to(folder, name), NULL, &error);
        if (!*any) { fprintf(stderr, "%s\n", error.message); exit(1); }
        for (uint32_t f = 0; f < knight->anims[i].count; ++f) {
            md5_pose_at(*any, MD5_ONCE, (double)f / (double)(*any)->fps,
                        frames + (knight->anims[i].first + f) * robot->joint_count);
        }
    }
    md5_anim all = **any;
    all.frames = frames;
    all.frame_count = knight->frame_count;
    all.moving_count = robot->joint_count;
    all.still = NULL;
    all.slots = NULL;
    all.bounds = NULL;
    return all;
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "build/character";
    md2_error error;
    md5_error error5;
    md2_model *knight = md2_load_file(path_to(folder, "tris.md2"), NULL, &error);
    if (!knight) { fprintf(stderr, "%s\n", error.message); return 1; }
    md5_model *robot = md5_load_model_file(path_to(folder, "robot.md5mesh"), NULL, &error5);
    if (!robot) { fprintf(stderr, "%s\n", error5.message); return 1; }
    uint32_t joints = robot->joint_count, count = knight->frame_count;
    md5_xform *frames = (md5_xform *)malloc((count + 1) * joints * sizeof *frames);
    md5_xform *pose = frames + count * joints;
    md5_anim *any = NULL;
    md5_anim all = join_files(folder, knight, robot, frames, &any);

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
    md5_free_anim(any);
    md5_free_model(robot);
    md2_free_model(knight);
    return 0;
}
