/* Skinning of one's own, as an engine or a shader does it: four joints a vertex, in eight bits each,
   and matrices from the bind pose. Public domain.
       cc -I. tests/recipes/own_skinning.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

typedef struct skinned_vertex {       /* 52 bytes: what goes to the engine once */
    float   position[3], normal[3], u, v, weight[4];
    uint8_t joint[4];
} skinned_vertex;

static void fill_vertex(const md5_model *model, uint32_t index, skinned_vertex *out)
{
    const md5_vertex *in = &model->meshes[0].vertices[index];
    uint32_t joints[4];
    md5_vertex_joints(model, 0, index, 4, joints, out->weight);
    for (int k = 0; k < 4; ++k) out->joint[k] = (uint8_t)joints[k];
    for (int k = 0; k < 3; ++k) {
        out->position[k] = in->position[k];
        out->normal[k] = in->normal[k];
    }
    out->u = in->u;
    out->v = in->v;
}

/* The same in a shader: the palette is an array of three rows (vec4) for each joint. */
static void skin_vertex(const skinned_vertex *in, const float *palette, float *position, float *normal)
{
    for (int row = 0; row < 3; ++row) {
        position[row] = normal[row] = 0;
        for (int k = 0; k < 4; ++k) {
            const float *m = palette + 12 * in->joint[k] + 4 * row;
            float turned = m[0] * in->normal[0] + m[1] * in->normal[1] + m[2] * in->normal[2];
            float moved = m[0] * in->position[0] + m[1] * in->position[1] + m[2] * in->position[2];
            position[row] += in->weight[k] * (moved + m[3]);
            normal[row] += in->weight[k] * turned;
        }
    }
    float length = sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int k = 0; k < 3 && length > 0; ++k) normal[k] /= length;
}

int main(void)
{
    md5_error error;
    md5_model *robot = md5_load_model_file("build/character/robot.md5mesh", NULL, &error);
    md5_anim *run = robot ? md5_load_anim_file("build/character/run.md5anim", NULL, &error) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error.message); return 1; }
    assert(robot->joint_count <= 256);                      /* more joints need 16 bits */
    uint32_t count = robot->meshes[0].vertex_count;
    skinned_vertex *vertices = (skinned_vertex *)malloc(count * sizeof *vertices);
    for (uint32_t i = 0; i < count; ++i) fill_vertex(robot, i, &vertices[i]);

    md5_xform *pose = (md5_xform *)malloc(robot->joint_count * sizeof *pose);
    float *palette = (float *)malloc(robot->joint_count * 12 * sizeof *palette);
    float *positions = (float *)malloc(count * 6 * sizeof *positions), *normals = positions + count * 3;
    float off = 0, turned = 0;
    for (double now = 0; now < 0.6; now += 0.05) {
        md5_pose_at(run, MD5_LOOP, now, pose);
        md5_pose_to_model_space(robot, pose, pose);
        md5_pose_palette(robot, pose, palette);
        md5_pose_vertices(robot, 0, pose, positions, 0, normals, 0, NULL, 0);
        for (uint32_t i = 0; i < count; ++i) {
            float position[3], normal[3];
            skin_vertex(&vertices[i], palette, position, normal);
            for (int k = 0; k < 3; ++k) {
                off = fmaxf(off, fabsf(position[k] - positions[3 * i + (uint32_t)k]));
                turned = fmaxf(turned, fabsf(normal[k] - normals[3 * i + (uint32_t)k]));
            }
        }
    }
    printf("%u vertices, up to %u joints each: positions within %g, normals within %g\n",
           (unsigned)count, (unsigned)robot->meshes[0].max_influences, (double)off, (double)turned);
    assert(robot->meshes[0].max_influences <= 4 && off < 0.0001f && turned < 0.01f);
    free(positions);
    free(palette);
    free(pose);
    free(vertices);
    md5_free_anim(run);
    md5_free_model(robot);
    return 0;
}
