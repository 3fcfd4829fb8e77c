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
    // Texels to a pixel, along both axes of the texture. Of more than one, mipmaps mix
    // solid and empty ones, and alpha is the share of the solid: so many pixels are kept.
    // The threshold differs from cell to cell, and has all values in any small area. Cells
    // have about the size of a pixel. They lie on the surface, and move with it.
    vec2 texel = v_texcoord * vec2(textureSize(diffuse, 0));
    vec2 right = dFdx(texel), up = dFdy(texel), width = max(abs(right), abs(up));
    float mixed = clamp(max(length(right), length(up)) - 1.0, 0.0, 1.0);
    vec2 cell = floor(texel / exp2(floor(log2(max(width, 1.0)))));
    float noise = max(fract(dot(cell, vec2(0.75487767, 0.56984029))), 0.002);
    if (color.a < mix(0.5, noise, mixed)) {
        discard;
    }
    color.a = mix(color.a, 1.0, mixed);
#endif
    color *= v_tint;
    color.rgb *= mix(lit, 1.0, v_light.w);
}
