// Blends the frames of a pose. Needs a #version line and FRAMES (2 or 8) before it.
layout(location = 0) in uint point;        // per vertex: index of its point
layout(location = 1) in vec2 texcoord;
layout(location = 2) in vec4 tint;         // this and all below: per instance
layout(location = 3) in vec4 row0;         // transform, shifted by the frames' origins
layout(location = 4) in vec4 row1;
layout(location = 5) in vec4 row2;
layout(location = 6) in uvec4 frames;      // eight of 16 bits, the first in x's low bits
#if FRAMES == 2
layout(location = 7) in mat2x4 steps;      // per frame: scale * weight; weight
#define STEP(i) steps[i]
#else
layout(location = 7) in mat4 steps;        // the frames end at a weight of 0
layout(location = 11) in mat4 more_steps;
#define STEP(i) (i < 4 ? steps[i] : more_steps[i - 4])
#endif
uniform highp usampler2D md2_frames;       // points, frame by frame, in rows of 1,024
uniform vec4 md2_normals[163];
uniform vec4 md2_scene[6];                 // view_projection; light, ambient; points, Y up
out vec3 v_position;                       // in world space
out vec3 v_normal;
out vec2 v_texcoord;
out vec4 v_tint;
flat out vec4 v_light;                     // direction toward the light; ambient

// A number below 256 is an index of the table; others are octahedral normals.
vec3 decode_normal(uint number)
{
    if (number < 256u) {
        return md2_normals[min(number, 162u)].xyz;
    }
    vec2 side = vec2(number & 255u, number >> 8) - 128.0;
    float height = 127.0 - abs(side.x) - abs(side.y), fold = min(height, 0.0);
    return vec3(side.x < 0.0 ? side.x - fold : side.x + fold,
                side.y < 0.0 ? side.y - fold : side.y + fold, height);
}

void main()
{
    int stride = int(md2_scene[5].x);
    vec3 position = vec3(0.0), normal = vec3(0.0);
    for (int i = 0; i < FRAMES; ++i) {
        vec4 step = STEP(i);
        if (FRAMES > 2 && step.w == 0.0) {
            break;
        }
        int index = int(frames[i / 2] >> 16 * (i & 1) & 0xffffu) * stride + int(point);
        uvec4 stored = texelFetch(md2_frames, ivec2(index & 1023, index >> 10), 0);
        position += vec3(stored.xyz) * step.xyz;
        normal += decode_normal(stored.w) * step.w;
    }
    if (dot(normal, normal) < 1e-12) {
        normal = vec3(0.0, md2_scene[5].y, 1.0 - md2_scene[5].y);
    }
    vec4 local = vec4(position, 1.0);
    v_position = vec3(dot(row0, local), dot(row1, local), dot(row2, local));
    // The cofactor matrix keeps normals perpendicular under any scale and mirror.
    mat3 cofactors = mat3(cross(row1.xyz, row2.xyz), cross(row2.xyz, row0.xyz),
                          cross(row0.xyz, row1.xyz));
    float mirrored = dot(row0.xyz, cofactors[0]) < 0.0 ? -1.0 : 1.0;
    vec3 world_normal = normal * cofactors;
    float size = length(world_normal);
    v_normal = size > 0.0 ? world_normal * (mirrored / size) : vec3(0.0, 0.0, 1.0);
    v_texcoord = texcoord;
    v_tint = tint;
    v_light = md2_scene[4];
    gl_Position = mat4(md2_scene[0], md2_scene[1], md2_scene[2], md2_scene[3]) *
                  vec4(v_position, 1.0);
}
