/* Skinning in your own shader: four joints per vertex with eight-bit indices, and matrices from the bind
   pose. engines/sokol_gpu.c draws with a similar shader. Public domain.
       cc -I. tests/recipes/own_skinning.c -lm && ./a.out
   With the name of a file, as in ./a.out skinning.vert, it writes the shader to this file. */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

typedef struct skinned_vertex {       /* 52 bytes, uploaded to the engine once */
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

/* The palette is an array of three rows per joint, here in a uniform block, for which every OpenGL 3.3 has
   at least 16 KiB. For a crowd, put the rows in a texture and use texelFetch. */
static const char *const vertex_source =
    "#version 330 core\n"
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec2 texcoord;\n"
    "layout(location = 3) in vec4 weight;\n"
    "layout(location = 4) in uvec4 joint;\n"              /* glVertexAttribIPointer */
    "layout(std140) uniform palette { vec4 rows[3 * 256]; };\n"
    "uniform mat4 model, view_projection;\n"
    "out vec3 world_normal;\n"
    "out vec2 uv;\n"
    "void main() {\n"
    "    vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);\n"
    "    for (int i = 0; i < 4; ++i) {\n"
    "        int first = 3 * int(joint[i]);\n"
    "        x += weight[i] * rows[first];\n"
    "        y += weight[i] * rows[first + 1];\n"
    "        z += weight[i] * rows[first + 2];\n"
    "    }\n"
    "    vec4 p = vec4(position, 1.0), n = vec4(normal, 0.0);\n"
    "    gl_Position = view_projection * model * vec4(dot(x, p), dot(y, p), dot(z, p), 1.0);\n"
    "    world_normal = mat3(model) * normalize(vec3(dot(x, n), dot(y, n), dot(z, n)));\n"
    "    uv = texcoord;\n"
    "}\n";

/* Does the same as the shader, to check the vertices and the palette. */
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

int main(int argc, char **argv)
{
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    md5_anim *run = knight ? md5_load_anim_file("knight/run.md5anim", NULL, &error) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error.message); return 1; }
    assert(knight->joint_count <= 256);                     /* more joints need 16 bits */
    uint32_t count = knight->meshes[0].vertex_count;
    skinned_vertex *vertices = (skinned_vertex *)malloc(count * sizeof *vertices);
    for (uint32_t i = 0; i < count; ++i) fill_vertex(knight, i, &vertices[i]);

    md5_xform *pose = (md5_xform *)malloc(knight->joint_count * sizeof *pose);
    float *palette = (float *)malloc(knight->joint_count * 12 * sizeof *palette);
    float *positions = (float *)malloc(count * 6 * sizeof *positions), *normals = positions + count * 3;
    float off = 0, turned = 0;
    for (double now = 0; now < 0.6; now += 0.05) {
        md5_pose_at(knight, run, MD5_LOOP, now, pose);
        md5_pose_to_model_space(knight, pose, pose);
        md5_pose_palette(knight, pose, palette);
        md5_pose_vertices(knight, 0, pose, positions, 0, normals, 0, NULL, 0);
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
           (unsigned)count, (unsigned)knight->meshes[0].max_influences, (double)off, (double)turned);
    assert(knight->meshes[0].max_influences <= 4 && off < 0.0001f && turned < 0.01f);

    if (argc > 1) {
        FILE *file = fopen(argv[1], "w");
        if (file) fputs(vertex_source, file);
        if (!file || fclose(file) != 0) { perror(argv[1]); return 1; }
    }
    free(positions);
    free(palette);
    free(pose);
    free(vertices);
    md5_free_anim(run);
    md5_free_model(knight);
    return 0;
}
