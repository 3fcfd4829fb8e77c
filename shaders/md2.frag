// Directional and ambient light. md2.h adds the "#version" line.
in vec3 v_position;
in vec3 v_normal;
in vec2 v_texcoord;
in vec4 v_tint;

uniform sampler2D skin;
uniform vec4 scene[6];                     // scene[4]: direction towards the light, ambient

out vec4 color;

void main()
{
    float lit = max(dot(normalize(v_normal), scene[4].xyz), 0.0);
    color = texture(skin, v_texcoord) * v_tint;
    color.rgb *= mix(lit, 1.0, scene[4].w);
}
