// Decodes up to eight frames and blends them. md2.h adds the "#version" line.
layout(location = 0) in uint point;        // one per vertex: the index of its point
layout(location = 1) in vec2 texcoord;
layout(location = 2) in vec4 tint;         // from here on, one per instance
layout(location = 3) in vec4 row0;         // the transform
layout(location = 4) in vec4 row1;
layout(location = 5) in vec4 row2;
layout(location = 6) in vec4 weight0;      // eight frames; a weight of 0 ends them
layout(location = 7) in vec4 weight1;
layout(location = 8) in uvec4 frame0;
layout(location = 9) in uvec4 frame1;

uniform highp usampler2D frames;           // frame by frame: 7 texels, then the points
uniform vec4 normals[163];
uniform vec4 scene[6];                     // view_projection; light, ambient; stride, width

out vec3 v_position;                       // in world space
out vec3 v_normal;
out vec2 v_texcoord;
out vec4 v_tint;

uvec4 fetch_texel(int index)
{
    int width = int(scene[5].y);
    return texelFetch(frames, ivec2(index % width, index / width), 0);
}

float fetch_float(int index)
{
    uvec4 bytes = fetch_texel(index);
    return uintBitsToFloat(bytes.x | bytes.y << 8u | bytes.z << 16u | bytes.w << 24u);
}

void main()
{
    int stride = int(scene[5].x);
    vec3 position = vec3(0.0), normal = vec3(0.0);
    for (int i = 0; i < 8; ++i) {
        float weight = i < 4 ? weight0[i] : weight1[i - 4];
        if (weight == 0.0) {
            break;
        }
        int start = int(i < 4 ? frame0[i] : frame1[i - 4]) * stride;
        uvec4 stored = fetch_texel(start + 7 + int(point));
        vec3 scale = vec3(fetch_float(start), fetch_float(start + 1),
                          fetch_float(start + 2));
        vec3 translate = vec3(fetch_float(start + 3), fetch_float(start + 4),
                              fetch_float(start + 5));
        position += (translate + vec3(stored.xyz) * scale) * weight;
        normal += normals[min(stored.w, 162u)].xyz * weight;
    }
    if (dot(normal, normal) < 1e-12) {
        normal = normals[fetch_texel(6).x].xyz;
    }
    vec4 local = vec4(position, 1.0);
    v_position = vec3(dot(row0, local), dot(row1, local), dot(row2, local));
    // The cofactor matrix keeps normals perpendicular under any scale and mirror.
    vec3 cofactors0 = cross(row1.xyz, row2.xyz);
    vec3 world_normal = vec3(dot(cofactors0, normal),
                             dot(cross(row2.xyz, row0.xyz), normal),
                             dot(cross(row0.xyz, row1.xyz), normal));
    float size = length(world_normal);
    v_normal = size > 0.0 ? world_normal / size : vec3(0.0, 0.0, 1.0);
    v_normal = dot(row0.xyz, cofactors0) < 0.0 ? -v_normal : v_normal;
    v_texcoord = texcoord;
    v_tint = tint;
    gl_Position = mat4(scene[0], scene[1], scene[2], scene[3]) * vec4(v_position, 1.0);
}
