// Skins vertices with any number of weights. md5.h adds the "#version" line.
layout(location = 0) in vec2 texcoord;     // this and the next three: per vertex
layout(location = 1) in uvec2 weights;     // index of the first; count
layout(location = 2) in vec3 normal;       // in the bind pose
layout(location = 3) in vec4 tangent;      // w: sign of the bitangent
layout(location = 4) in vec4 tint;         // this and all below: per instance
layout(location = 5) in vec4 row0;         // transform
layout(location = 6) in vec4 row1;
layout(location = 7) in vec4 row2;
layout(location = 8) in uint joints;       // the instance's first texel in the palette

uniform highp sampler2D md5_weights;       // two texels each: bias * position, bias; joint
uniform highp sampler2D md5_palette;       // three texels per matrix: its rows
uniform vec4 md5_scene[5];                 // view_projection; light, ambient
out vec3 v_position;                       // in world space
out vec3 v_normal;
out vec4 v_tangent;                        // w: sign of the bitangent
out vec2 v_texcoord;
out vec4 v_tint;
flat out vec4 v_light;                     // direction toward the light; ambient

// Textures have rows of 1,024 texels.
vec4 fetch(highp sampler2D data, int index)
{
    return texelFetch(data, ivec2(index & 1023, index >> 10), 0);
}

void main()
{
    vec3 position = vec3(0.0);
    vec3 rotation0 = vec3(0.0), rotation1 = vec3(0.0), rotation2 = vec3(0.0);
    int first = int(weights.x), count = int(weights.y);
    for (int i = first; i < first + count; ++i) {
        vec4 weight = fetch(md5_weights, 2 * i);
        int row = int(joints) + 3 * int(fetch(md5_weights, 2 * i + 1).x);
        vec4 x = fetch(md5_palette, row);
        vec4 y = fetch(md5_palette, row + 1);
        vec4 z = fetch(md5_palette, row + 2);
        position += vec3(dot(x, weight), dot(y, weight), dot(z, weight));
        rotation0 += x.xyz * weight.w;
        rotation1 += y.xyz * weight.w;
        rotation2 += z.xyz * weight.w;
    }
    vec3 n = vec3(dot(rotation0, normal), dot(rotation1, normal), dot(rotation2, normal));
    vec3 t = vec3(dot(rotation0, tangent.xyz), dot(rotation1, tangent.xyz),
                  dot(rotation2, tangent.xyz));
    // If the blended normals cancel, use the normal and tangent of the bind pose.
    float n_squared = dot(n, n), t_squared = dot(t, t);
    if (!(n_squared > 1e-6)) {
        n = normal;
        t = tangent.xyz;
    } else {
        t -= n * (dot(n, t) / n_squared);
        // If t is along the normal, use the axis farthest from the normal.
        if (!(dot(t, t) > max(1e-6 * t_squared, 1e-37))) {
            vec3 squares = n * n;
            t = min(squares.x, squares.y) > squares.z ? vec3(0.0, 0.0, 1.0)
                : squares.x > squares.y ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
            t -= n * (dot(n, t) / n_squared);
        }
    }
    vec4 local = vec4(position, 1.0);
    v_position = vec3(dot(row0, local), dot(row1, local), dot(row2, local));
    // The cofactor matrix keeps normals perpendicular under any scale and mirror.
    mat3 cofactors = mat3(cross(row1.xyz, row2.xyz), cross(row2.xyz, row0.xyz),
                          cross(row0.xyz, row1.xyz));
    float mirrored = dot(row0.xyz, cofactors[0]) < 0.0 ? -1.0 : 1.0;
    vec3 world_normal = n * cofactors;
    float size = length(world_normal);
    v_normal = size > 0.0 ? world_normal * (mirrored / size) : vec3(0.0, 0.0, 1.0);
    vec3 world_tangent = vec3(dot(row0.xyz, t), dot(row1.xyz, t), dot(row2.xyz, t));
    size = length(world_tangent);
    v_tangent = vec4(size > 0.0 ? world_tangent / size : vec3(1.0, 0.0, 0.0),
                     tangent.w * mirrored);
    v_texcoord = texcoord;
    v_tint = tint;
    v_light = md5_scene[4];
    gl_Position = mat4(md5_scene[0], md5_scene[1], md5_scene[2], md5_scene[3]) *
                  vec4(v_position, 1.0);
}
