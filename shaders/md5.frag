// Directional and ambient light. md5.h adds the "#version" line.
in vec3 v_normal;
in vec2 v_texcoord;
in vec4 v_tint;
flat in vec4 v_light;                      // direction towards the light, ambient
uniform sampler2D diffuse;
out vec4 color;

void main()
{
    float lit = max(dot(normalize(v_normal), v_light.xyz), 0.0);
    color = texture(diffuse, v_texcoord);
#ifdef CUT_OUT
    if (color.a < 0.5) {
        discard;
    }
#endif
    color *= v_tint;
    color.rgb *= mix(lit, 1.0, v_light.w);
}
