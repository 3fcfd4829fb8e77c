#version 450
/* sdl_gpu.frag - fragment shader of sdl_gpu.c: a skin with light. SDL_GPU expects a fragment shader's textures in set 2.
   Public domain. */

layout(set = 2, binding = 0) uniform sampler2D skin;
layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 world_normal;
layout(location = 0) out vec4 color;

void main()
{
    const vec3 towards_light = normalize(vec3(0.6, 0.4, 0.69));
    float light = 0.4 + 0.6 * max(dot(normalize(world_normal), towards_light), 0);
    color = vec4(texture(skin, uv).rgb * light, 1);
}
