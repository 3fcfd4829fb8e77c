// Directional and ambient light. md5.h adds the "#version" line.
in vec3 v_normal;
in vec2 v_texcoord;
in vec4 v_tint;
flat in vec4 v_light;                      // direction toward the light; ambient
uniform sampler2D diffuse;
out vec4 color;

void main()
{
    float lit = max(dot(normalize(v_normal), v_light.xyz), 0.0);
    color = texture(diffuse, v_texcoord);
#ifdef CUT_OUT
    // If a pixel covers several texels, mipmaps mix solid and empty ones, and alpha is the
    // fraction of solid texels. Keep the same fraction of pixels: compare alpha with a
    // threshold that differs from cell to cell, with all values in every small area (the R2
    // sequence of Roberts 2018). Cells are about as large as a pixel, and are fixed to the
    // surface, so they move with it.
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
