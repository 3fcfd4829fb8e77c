#version 450
/* sdl_gpu_md2.vert - vertex shader of sdl_gpu.c for an MD2: all frames are in storage buffers; an instance mixes up to
   four of them. SDL_GPU expects a vertex shader's buffers in set 0 and its uniforms in set 1. Public domain. */

struct Instance {
    vec4  placement;                        /* x, y, cosine and sine of the heading */
    uvec4 frame;
    vec4  weight;                       /* weights of the frames; they add up to 1 */
};

layout(std430, set = 0, binding = 0) readonly buffer Points    { uint points[]; };   /* bytes x, y, z, normal */
layout(std430, set = 0, binding = 1) readonly buffer Table     { vec4 table[]; };   /* 162 normals; scale, translate per frame */
layout(std430, set = 0, binding = 2) readonly buffer Instances { Instance instances[]; };
layout(std140, set = 1, binding = 0) uniform Camera { mat4 view_projection; };
layout(std140, set = 1, binding = 1) uniform Model  { uint point_count; };

layout(location = 0) in uvec2 point;    /* x: index of the point; y: padding */
layout(location = 1) in vec2 texcoord;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec3 world_normal;

void main()
{
    Instance self = instances[gl_InstanceIndex];
    vec3 position = vec3(0), normal = vec3(0);
    for (int i = 0; i < 4; ++i) {
        if (self.weight[i] == 0) continue;
        uint  packed_point = points[self.frame[i] * point_count + point.x];
        vec3  scale = table[162 + 2 * self.frame[i]].xyz;
        vec3  translate = table[162 + 2 * self.frame[i] + 1].xyz;
        uvec3 bytes = uvec3(packed_point, packed_point >> 8, packed_point >> 16) & 255u;
        position += self.weight[i] * (translate + vec3(bytes) * scale);
        normal += self.weight[i] * table[packed_point >> 24].xyz;
    }

    float c = self.placement.z, s = self.placement.w;
    mat3  heading = mat3(c, s, 0,  -s, c, 0,  0, 0, 1);
    gl_Position = view_projection * vec4(heading * position + vec3(self.placement.xy, 0), 1);
    world_normal = heading * normal;
    uv = texcoord;
}
