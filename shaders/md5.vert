// Skins a vertex by each of its weights. "#version" is put before this.
layout(location = 0) in vec2 texcoord;     // of each vertex
layout(location = 1) in uvec2 weights;     // the first, and how many
layout(location = 2) in vec3 normal;       // in the bind pose
layout(location = 3) in vec4 tangent;      // w: the bitangent's sign
layout(location = 4) in vec4 tint;         // of each instance, from here on
layout(location = 5) in vec4 row0;         // the transform
layout(location = 6) in vec4 row1;
layout(location = 7) in vec4 row2;
layout(location = 8) in uint joints;       // where its matrices begin

uniform highp sampler2D weight_texture;    // two texels: bias * bind position, bias; joint
uniform highp sampler2D palette;           // three texels a matrix: its rows
uniform vec4 scene[6];                     // view_projection; light, ambient; two widths

out vec3 v_position;                       // in the world
out vec3 v_normal;
out vec4 v_tangent;                        // w: the bitangent's sign
out vec2 v_texcoord;
out vec4 v_tint;

vec4 weight_texel(int number)
{
    int width = int(scene[5].x);
    return texelFetch(weight_texture, ivec2(number % width, number / width), 0);
}

vec4 palette_texel(int number)
{
    int width = int(scene[5].y);
    return texelFetch(palette, ivec2(number % width, number / width), 0);
}

void main()
{
    vec3 position = vec3(0.0);
    vec3 turned0 = vec3(0.0), turned1 = vec3(0.0), turned2 = vec3(0.0);
    int first = int(weights.x), count = int(weights.y);
    for (int i = first; i < first + count; ++i) {
        vec4 share = weight_texel(2 * i);
        int at = int(joints) + 3 * int(weight_texel(2 * i + 1).x);
        vec4 x = palette_texel(at), y = palette_texel(at + 1), z = palette_texel(at + 2);
        position += vec3(dot(x, share), dot(y, share), dot(z, share));
        turned0 += x.xyz * share.w;
        turned1 += y.xyz * share.w;
        turned2 += z.xyz * share.w;
    }
    vec3 up = vec3(dot(turned0, normal), dot(turned1, normal), dot(turned2, normal));
    vec3 along = vec3(dot(turned0, tangent.xyz), dot(turned1, tangent.xyz),
                      dot(turned2, tangent.xyz));
    vec4 place = vec4(position, 1.0);
    v_position = vec3(dot(row0, place), dot(row1, place), dot(row2, place));
    // Cofactors, so that normals stay upright under any scale and mirror.
    vec3 side = cross(row1.xyz, row2.xyz);
    float mirrored = dot(row0.xyz, side) < 0.0 ? -1.0 : 1.0;
    vec3 turned = vec3(dot(side, up), dot(cross(row2.xyz, row0.xyz), up),
                       dot(cross(row0.xyz, row1.xyz), up));
    float size = length(turned);
    v_normal = size > 0.0 ? turned * (mirrored / size) : vec3(0.0, 0.0, 1.0);
    v_tangent = vec4(normalize(vec3(dot(row0.xyz, along), dot(row1.xyz, along),
                                    dot(row2.xyz, along))), tangent.w * mirrored);
    v_texcoord = texcoord;
    v_tint = tint;
    gl_Position = mat4(scene[0], scene[1], scene[2], scene[3]) * vec4(v_position, 1.0);
}
