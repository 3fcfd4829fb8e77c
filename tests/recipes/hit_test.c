/* A hit test: a ray against the posed triangles, and the joint that was hit. Public domain.
       cc -I. tests/recipes/hit_test.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

static float dot(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const float *a, const float *b, float *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Returns the distance to a triangle along the ray, or -1 if the ray misses it or comes from behind
   (Moeller-Trumbore). */
static float hit_triangle(const float *from, const float *along, const float *a, const float *b,
                          const float *c)
{
    float ab[3], ac[3], to[3], p[3], q[3];
    for (int k = 0; k < 3; ++k) {
        ab[k] = b[k] - a[k];
        ac[k] = c[k] - a[k];
        to[k] = from[k] - a[k];
    }
    cross(along, ac, p);
    cross(to, ab, q);
    float det = dot(ab, p), u = dot(to, p), v = dot(along, q);
    if (det < 1e-6f || u < 0 || v < 0 || u + v > det) return -1;
    return dot(ac, q) / det;
}

/* Returns the name of the joint that moves the nearest triangle on the ray, or "nothing" if the ray hits none. */
static const char *shoot(const md5_model *model, const float *positions, const float *from,
                         const float *along)
{
    const md5_mesh *mesh = &model->meshes[0];
    uint32_t joint = 0, hit = mesh->index_count;
    float nearest = 0, weight;
    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        const uint32_t *t = mesh->indices + i;
        float away = hit_triangle(from, along, positions + 3 * t[0], positions + 3 * t[1],
                                  positions + 3 * t[2]);
        if (away >= 0 && (hit == mesh->index_count || away < nearest)) {
            nearest = away;
            hit = i;
        }
    }
    if (hit == mesh->index_count) return "nothing";
    md5_vertex_joints(model, 0, mesh->indices[hit], 1, &joint, &weight);
    return model->joints[joint].name;
}

int main(void)
{
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    md5_anim *run = knight ? md5_load_anim_file("knight/run.md5anim", NULL, &error) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error.message); return 1; }
    md5_xform *pose = (md5_xform *)malloc(knight->joint_count * sizeof *pose);
    float *positions = (float *)malloc(knight->meshes[0].vertex_count * 3 * sizeof(float));
    md5_pose_at(knight, run, MD5_LOOP, 0.25, pose);
    md5_pose_to_model_space(knight, pose, pose);
    md5_pose_vertices(knight, 0, pose, positions, 0, NULL, 0, NULL, 0);

    /* Shoot from the front at four joints, and then over the head. For many rays, test the box of
       md5_pose_bounds first, and convert the rays to model space, not the triangles to world space. */
    static const char *const aims[4] = { "head", "chest", "shin_l", "foot_r" };
    float min[3], max[3], from[3] = { 100, 0, 0 }, along[3] = { -1, 0, 0 };
    for (int i = 0; i < 4; ++i) {
        int joint = md5_find_joint(knight, aims[i]);
        assert(joint >= 0);
        from[1] = pose[joint].position[1];
        from[2] = pose[joint].position[2];
        const char *hit = shoot(knight, positions, from, along);
        printf("aimed at %s, hit %s\n", aims[i], hit);
        assert(strcmp(hit, "nothing") != 0 && (i > 0 || strcmp(hit, "head") == 0));
    }
    md5_pose_bounds(knight, pose, min, max);
    from[2] = max[2] + 0.1f;
    assert(strcmp(shoot(knight, positions, from, along), "nothing") == 0);
    printf("aimed too high, hit nothing\n");
    free(positions);
    free(pose);
    md5_free_anim(run);
    md5_free_model(knight);
    return 0;
}
