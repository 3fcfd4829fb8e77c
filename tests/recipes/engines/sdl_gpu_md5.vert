#version 450
/* sdl_gpu_md5.vert - vertex shader of sdl_gpu.c for an MD5: each vertex has up to four joints; the palette of the pose
   is in a storage buffer, three rows of a matrix for each joint. Public domain. */

layout(std430, set = 0, binding = 0) readonly buffer Palette { vec4 rows[]; };
layout(std140, set = 1, binding = 0) uniform Camera { mat4 view_projection; };
layout(std140, set = 1, binding = 1) uniform Model  { mat4 model; };

layout(location = 0) in vec3 bind_position;
layout(location = 1) in vec3 bind_normal;
layout(location = 2) in vec2 texcoord;
layout(location = 3) in uvec4 joint;
layout(location = 4) in vec4 weight;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec3 world_normal;

void main()
{
    vec4 row0 = vec4(0), row1 = vec4(0), row2 = vec4(0);
    for (int i = 0; i < 4; ++i) {
        uint first = 3 * joint[i];
        row0 += weight[i] * rows[first];
        row1 += weight[i] * rows[first + 1];
        row2 += weight[i] * rows[first + 2];
    }

    mat4x3 bone = transpose(mat3x4(row0, row1, row2));
    gl_Position = view_projection * model * vec4(bone * vec4(bind_position, 1), 1);
    world_normal = mat3(model) * (bone * vec4(bind_normal, 0));
    uv = texcoord;
}
