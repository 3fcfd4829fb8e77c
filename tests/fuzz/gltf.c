/* gltf.c: loads a glTF scene, and computes poses. */
#include "fuzz.h"

#include "tests/tools/convert/scene.h"

FUZZ_UNSEEN_BEGIN

/* Checks that all indices are below the counts of their arrays, and that all values are finite, except poses. */
static void fuzz_check_part(const scene *s, const scene_instance *in)
{
    const scene_part *part = in->part;
    FUZZ_CHECK(part->index_count > 0 && part->index_count % 3 == 0);
    FUZZ_CHECK(part->influence_count <= MAX_SCENE_INFLUENCES);
    FUZZ_CHECK(part->material == NO_INDEX || part->material < s->material_count);
    for (uint32_t i = 0; i < part->index_count; ++i)
        FUZZ_CHECK(part->indices[i] < part->vertex_count);
    for (uint32_t i = 0; in->skin && i < part->vertex_count * part->influence_count; ++i)
        FUZZ_CHECK(!(part->weights[i] > 0) || part->joints[i] < in->skin->joint_count);
    fuzz_check_finite(part->positions, 3 * (size_t)part->vertex_count);
    fuzz_check_finite(part->normals, 3 * (size_t)part->vertex_count);
    if (part->texcoords) fuzz_check_finite(part->texcoords, 2 * (size_t)part->vertex_count);
    if (part->colors) fuzz_check_finite(part->colors, 4 * (size_t)part->vertex_count);
    for (uint32_t i = 0; i < part->target_count; ++i) {
        const scene_target *target = &part->targets[i];
        if (target->positions)
            fuzz_check_finite(target->positions, 3 * (size_t)part->vertex_count);
        if (target->normals) fuzz_check_finite(target->normals, 3 * (size_t)part->vertex_count);
    }
}

static void fuzz_pose_all(scene *s, const scene_anim *anim, double time)
{
    pose_scene(s, anim, time);
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        uint32_t count = s->instances[i].part->vertex_count;
        double  *positions = (double *)calloc(count, 3 * sizeof(double));
        double  *normals = (double *)calloc(count, 3 * sizeof(double));
        pose_instance(s, &s->instances[i], positions, normals);
        free(positions);
        free(normals);
    }
}

static void fuzz_check_tracks(const scene *s, const scene_anim *anim)
{
    FUZZ_CHECK(anim->start <= anim->end);
    for (uint32_t i = 0; i < anim->track_count; ++i) {
        const scene_track *track = &anim->tracks[i];
        size_t rows = (size_t)track->key_count * (track->interpolation == CUBIC_KEYS ? 3 : 1);
        FUZZ_CHECK(track->node < s->node_count && track->key_count > 0);
        fuzz_check_finite(track->times, track->key_count);
        fuzz_check_finite(track->values, rows * track->width);
    }
}

typedef struct fuzz_reading {
    const fuzz_input *input;
    scene            *s;
    char              problem[256];
} fuzz_reading;

static void fuzz_read_gltf(void *user)
{
    gltf_options  options = { NULL, NULL, NULL };
    fuzz_reading *r = (fuzz_reading *)user;
    r->s = read_gltf(r->input->data, r->input->size, &options, r->problem);
}

static void fuzz_gltf(fuzz_input *input)
{
    enum { MOST_ANIMS = 4, A_BYTE = 1024 };
    fuzz_reading r;
    memset(&r, 0, sizeof r);
    r.input = input;
    if (!within_memory(A_BYTE * input->size + 65536, fuzz_read_gltf, &r)) return;

    scene *s = r.s;
    FUZZ_CHECK((s != NULL) == (r.problem[0] == 0));
    FUZZ_CHECK(memchr(r.problem, 0, sizeof r.problem) != NULL);
    if (!s) return;

    fuzz_memory.loads += s->instance_count > 0;
    for (uint32_t i = 0; i < s->instance_count; ++i) fuzz_check_part(s, &s->instances[i]);
    fuzz_pose_all(s, NULL, 0);
    for (uint32_t i = 0; i < s->anim_count && i < MOST_ANIMS; ++i) {
        fuzz_check_tracks(s, &s->anims[i]);
        fuzz_pose_all(s, &s->anims[i], s->anims[i].start);
        fuzz_pose_all(s, &s->anims[i], fuzz_time(&input->dice));
    }
    free_scene(s);
}

FUZZ_UNSEEN_END

FUZZ_ENTRY(gltf, fuzz_mutate_tokens)
