/* Baking: writes the vertices of an animation to a plain array, a fixed number of times per second, for
   an engine that plays vertex animations (morph targets) and has no joints. For an MD2, call
   md2_pose_between(frame, frame, 0) and md2_pose_vertices in the loop. Public domain.
       cc -I. tests/recipes/bake.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

static const double rate = 30;

typedef struct baked_vertex { float position[3], normal[3]; } baked_vertex;

static void bake_moment(const md5_model *model, const md5_anim *anim, double seconds,
                        md5_xform *pose, baked_vertex *out)
{
    md5_pose_at(model, anim, MD5_LOOP, seconds, pose);
    md5_pose_to_model_space(model, pose, pose);
    md5_pose_vertices(model, 0, pose, out->position, sizeof *out, out->normal, sizeof *out, NULL, 0);
}

int main(void)
{
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    md5_anim *run = knight ? md5_load_anim_file("knight/run.md5anim", NULL, &error) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error.message); return 1; }

    /* An additional last frame equals the first, so that the last step needs no special case. */
    double length = md5_anim_length(run, MD5_LOOP);
    uint32_t frames = (uint32_t)ceil(length * rate), count = knight->meshes[0].vertex_count;
    double step = length / frames;
    md5_xform *pose = (md5_xform *)malloc(knight->joint_count * sizeof *pose);
    baked_vertex *baked = (baked_vertex *)malloc((frames + 2) * count * sizeof *baked);
    baked_vertex *exact = baked + (frames + 1) * count;
    for (uint32_t f = 0; f <= frames; ++f) {
        bake_moment(knight, run, f * step, pose, baked + f * count);
    }
    printf("%u frames of %u vertices, %u KB\n", (unsigned)frames, (unsigned)count,
           (unsigned)((frames + 1) * count * sizeof *baked / 1024));

    /* Compare halfway between two frames, where a straight line is farthest from the true arc. */
    float worst = 0;
    for (uint32_t f = 0; f < frames; ++f) {
        const baked_vertex *a = baked + f * count, *b = a + count;
        bake_moment(knight, run, (f + 0.5) * step, pose, exact);
        for (uint32_t i = 0; i < count; ++i) {
            for (int k = 0; k < 3; ++k) {
                float between = (a[i].position[k] + b[i].position[k]) / 2;
                worst = fmaxf(worst, fabsf(between - exact[i].position[k]));
            }
        }
    }
    printf("between two frames, positions differ by up to %.2f units\n", (double)worst);
    assert(worst > 0 && worst < 0.5f);
    free(baked);
    free(pose);
    md5_free_anim(run);
    md5_free_model(knight);
    return 0;
}
