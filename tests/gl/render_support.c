/* render_support.c: the functions of render.h that use neither library. Public domain. */
#include "render.h"

void expect_no_error(const char *call)
{
    unsigned gl_error = glGetError();
    if (gl_error) check_step("%s: GL error 0x%04X", call, gl_error);
    CHECK_EQ(gl_error, 0);
}

/* -- State ------------------------------------------------------------------ */

#define ALL(name, count)     { #name, name, count, false }
#ifdef __EMSCRIPTEN__                 /* its header lacks these names */
    #define DESKTOP(name, count) { #name, 0, count, true }
#else
    #define DESKTOP(name, count) { #name, name, count, true }
#endif

static const struct {
    const char *name;
    GLenum      what;
    int         count;
    bool        desktop;              /* not in GL ES */
} state_values[] = {
    ALL(GL_CURRENT_PROGRAM, 1), ALL(GL_VERTEX_ARRAY_BINDING, 1),
    ALL(GL_ELEMENT_ARRAY_BUFFER_BINDING, 1), ALL(GL_ARRAY_BUFFER_BINDING, 1),
    ALL(GL_ACTIVE_TEXTURE, 1), ALL(GL_PIXEL_UNPACK_BUFFER_BINDING, 1),
    ALL(GL_PIXEL_PACK_BUFFER_BINDING, 1), ALL(GL_UNIFORM_BUFFER_BINDING, 1),
    ALL(GL_DRAW_FRAMEBUFFER_BINDING, 1), ALL(GL_READ_FRAMEBUFFER_BINDING, 1),
    ALL(GL_RENDERBUFFER_BINDING, 1), ALL(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, 1),
    ALL(GL_BLEND, 1), ALL(GL_BLEND_SRC_RGB, 1), ALL(GL_BLEND_DST_RGB, 1),
    ALL(GL_BLEND_EQUATION_RGB, 1), ALL(GL_BLEND_COLOR, 4), ALL(GL_CULL_FACE, 1),
    ALL(GL_CULL_FACE_MODE, 1), ALL(GL_FRONT_FACE, 1), ALL(GL_DEPTH_TEST, 1),
    ALL(GL_DEPTH_WRITEMASK, 1), ALL(GL_DEPTH_FUNC, 1), ALL(GL_DEPTH_RANGE, 2),
    ALL(GL_STENCIL_TEST, 1), ALL(GL_STENCIL_FUNC, 1), ALL(GL_STENCIL_REF, 1),
    ALL(GL_STENCIL_WRITEMASK, 1), ALL(GL_SCISSOR_TEST, 1), ALL(GL_SCISSOR_BOX, 4),
    ALL(GL_VIEWPORT, 4), ALL(GL_COLOR_WRITEMASK, 4), ALL(GL_COLOR_CLEAR_VALUE, 4),
    ALL(GL_DITHER, 1), ALL(GL_POLYGON_OFFSET_FILL, 1), ALL(GL_SAMPLE_ALPHA_TO_COVERAGE, 1),
    ALL(GL_RASTERIZER_DISCARD, 1), ALL(GL_UNPACK_ROW_LENGTH, 1), ALL(GL_UNPACK_SKIP_ROWS, 1),
    ALL(GL_UNPACK_SKIP_PIXELS, 1), ALL(GL_UNPACK_ALIGNMENT, 1), ALL(GL_UNPACK_IMAGE_HEIGHT, 1),
    ALL(GL_PACK_ALIGNMENT, 1), ALL(GL_LINE_WIDTH, 1), DESKTOP(GL_PRIMITIVE_RESTART, 1),
    DESKTOP(GL_PRIMITIVE_RESTART_INDEX, 1), DESKTOP(GL_UNPACK_SWAP_BYTES, 1),
    DESKTOP(GL_FRAMEBUFFER_SRGB, 1), DESKTOP(GL_DEPTH_CLAMP, 1), DESKTOP(GL_COLOR_LOGIC_OP, 1),
    DESKTOP(GL_PROGRAM_POINT_SIZE, 1), DESKTOP(GL_MULTISAMPLE, 1)
};

gl_state get_state(void)
{
    gl_state state;
    memset(&state, 0, sizeof state);
    for (size_t i = 0; i < sizeof state_values / sizeof *state_values; ++i) {
        if (!state_values[i].desktop || !context.es)
            glGetIntegerv(state_values[i].what, state.value[i]);
    }
    GLint active;
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (GLenum unit = 0; unit < STATE_UNITS; ++unit) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &state.texture[unit]);
        glGetIntegerv(GL_SAMPLER_BINDING, &state.sampler[unit]);
    }
    glActiveTexture((GLenum)active);
    expect_no_error("glGetIntegerv");
    return state;
}

static void expect_values(const char *call, const char *name, int count, const GLint value[],
                          const GLint before[])
{
    for (int i = 0; i < count; ++i) {
        char number[24] = "";
        if (count > 1) snprintf(number, sizeof number, " %d", i);
        if (value[i] != before[i]) check_step("%s changed %s%s", call, name, number);
        CHECK_EQ(value[i], before[i]);
    }
}

void expect_state(const gl_state *before, const char *call)
{
    expect_no_error(call);
    const gl_state now = get_state();
    for (size_t i = 0; i < sizeof state_values / sizeof *state_values; ++i) {
        expect_values(call, state_values[i].name, state_values[i].count, now.value[i],
                      before->value[i]);
    }
    expect_values(call, "GL_TEXTURE_BINDING_2D of unit", STATE_UNITS, now.texture, before->texture);
    expect_values(call, "GL_SAMPLER_BINDING of unit", STATE_UNITS, now.sampler, before->sampler);
    check_step("after %s", call);
}

void change_most_state(GLuint program)
{
    static const GLenum switches[] = { GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_STENCIL_TEST,
                                       GL_SCISSOR_TEST, GL_POLYGON_OFFSET_FILL,
                                       GL_SAMPLE_ALPHA_TO_COVERAGE, GL_RASTERIZER_DISCARD };
    static const GLenum targets[] = { GL_ELEMENT_ARRAY_BUFFER, GL_ARRAY_BUFFER,
                                      GL_PIXEL_UNPACK_BUFFER, GL_UNIFORM_BUFFER };
    GLuint array, names[STATE_UNITS];
    for (size_t i = 0; i < sizeof switches / sizeof *switches; ++i) glEnable(switches[i]);
    if (!context.es) glEnable(0x8F9D /* GL_PRIMITIVE_RESTART */);
    glBlendFunc(GL_ONE, GL_ONE);
    glCullFace(GL_FRONT);
    glFrontFace(GL_CW);
    glDepthFunc(GL_GREATER);
    glDepthMask(GL_FALSE);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    glScissor(1, 2, 3, 4);
    glViewport(5, 6, 7, 8);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 77);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 3);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 5);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glUseProgram(program);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(4, names);
    for (int i = 0; i < 4; ++i) glBindBuffer(targets[i], names[i]);
    for (GLenum unit = 0; unit < STATE_UNITS; ++unit) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glGenTextures(1, names);
        glBindTexture(GL_TEXTURE_2D, names[0]);
        glGenSamplers(1, names);
        glBindSampler(unit, names[0]);
    }
    glActiveTexture(GL_TEXTURE5);
    expect_no_error("setting the state");
}

GLuint link_program(const char *const *vertex, int parts, const char *fragment)
{
    const char *version = context.es ? "#version 300 es\nprecision highp float;\n"
                                     : "#version 330 core\n";
    const char *text[4] = { version, fragment, NULL, NULL };
    GLuint program = glCreateProgram();
    GLint linked = 0;
    for (int i = 0; i < 2; ++i) {
        GLuint shader = glCreateShader(i ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        if (i) memcpy(text + 1, vertex, (size_t)parts * sizeof *text);
        glShaderSource(shader, i ? parts + 1 : 2, text, NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    CHECK(linked);
    return program;
}

/* -- Vectors and matrices, by columns -------------------------------------- */

float random_between(random_source *random, float low, float high)
{
    return low + (high - low) * (float)random_unit(random);
}

static double cofactor(const float m[16], int row, int column)
{
    int r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3 * 4, c2 = (column + 2) % 3 * 4;
    return (double)m[c1 + r1] * (double)m[c2 + r2] - (double)m[c1 + r2] * (double)m[c2 + r1];
}

static double determinant(const float m[16])
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += (double)m[4 * k] * cofactor(m, 0, k);
    return sum;
}

/* Writes a random affine transform: rotated, stretched, sheared, sometimes mirrored, and moved by up to `size` on
   each axis. */
void random_transform(random_source *random, float size, float out[16])
{
    do {
        for (int column = 0; column < 3; ++column) {
            for (int row = 0; row < 3; ++row) out[column * 4 + row] = random_between(random, -1, 1);
            out[column * 4 + 3] = 0;
        }
    } while (determinant(out) < 0.2 && random_below(random, 2));
    for (int row = 0; row < 3; ++row) out[12 + row] = random_between(random, -size, size);
    out[15] = 1;
}

/* -- Vertices as the vertex shader writes them ----------------------------- */

int captured_count;

/* Links a program of the library so that what its vertex shader writes can be captured. */
static void GLAD_API_PTR link_captured(GLuint program)
{
    static const char *const outputs[5] = { "v_position", "v_normal", "v_texcoord", "v_tint",
                                            "v_tangent" };
    glTransformFeedbackVaryings(program, captured_count, outputs, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
}

md2_gl_proc get_proc(const char *name)
{
    return strcmp(name, "glLinkProgram") == 0 ? (md2_gl_proc)link_captured
                                              : find_function(name);
}

/* Transforms a vertex and its normal in doubles, the normal by the inverse transpose. */
static void transform_vertex(const float m[16], const float position[3], const float normal[3],
                             double out_position[3], double out_normal[3])
{
    double length = 0, volume = determinant(m);
    for (int i = 0; i < 3; ++i) {
        out_position[i] = (double)m[12 + i];
        out_normal[i] = 0;
        for (int k = 0; k < 3; ++k) {
            out_position[i] += (double)m[k * 4 + i] * (double)position[k];
            out_normal[i] += cofactor(m, i, k) * (double)normal[k] / volume;
        }
        length += out_normal[i] * out_normal[i];
    }
    for (int i = 0; i < 3; ++i) out_normal[i] /= sqrt(length);
}

/* Transforms a tangent. It rotates with the surface; a mirror reverses the bitangent. */
static void transform_tangent(const float m[16], const float tangent[4], double out[4])
{
    double length = 0;
    for (int i = 0; i < 3; ++i) {
        out[i] = 0;
        for (int k = 0; k < 3; ++k) out[i] += (double)m[k * 4 + i] * (double)tangent[k];
        length += out[i] * out[i];
    }
    for (int i = 0; i < 3; ++i) out[i] /= sqrt(length);
    out[3] = (determinant(m) < 0 ? -1 : 1) * (double)tangent[3];
}

typedef struct location {
    uint32_t instance;
    size_t   vertex;
} location;

/* Compares values. There are millions, so equal values are not counted as checks. */
static void compare(location at, const char *name, int count, const float *got, const double *want,
                    double tolerance)
{
    for (int k = 0; k < count; ++k) {
        if (fabs((double)got[k] - want[k]) <= tolerance) continue;
        check_step("instance %u, vertex %lu, %s[%d]", at.instance, (unsigned long)at.vertex, name,
                   k);
        CHECK_NEAR(got[k], want[k], tolerance);
    }
}

static void widen(const float *from, int count, double *out)
{
    for (int k = 0; k < count; ++k) out[k] = (double)from[k];
}

void compare_vertices(uint32_t instance, const cpu_vertices *want, const gpu_vertex *got, tolerances most)
{
    static const float none[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    static const float white[4] = { 1, 1, 1, 1 };
    const float *m = want->transform, *tint = want->tint;
    if (!(m[15] < 0 || m[15] > 0)) m = none;
    if (!(tint[0] + tint[1] + tint[2] + tint[3] > 0)) tint = white;
    for (size_t i = 0; i < want->count; ++i) {
        const location at = { instance, i };
        double position[3], normal[3], texcoord[2], color[4], tangent[4];
        transform_vertex(m, want->positions + i * 3, want->normals + i * 3, position, normal);
        widen(want->texcoords + i * want->texcoord_stride, 2, texcoord);
        widen(tint, 4, color);
        compare(at, "position", 3, got[i].position, position, most.position);
        compare(at, "normal", 3, got[i].normal, normal, most.normal);
        compare(at, "texcoord", 2, got[i].texcoord, texcoord, 0);
        compare(at, "tint", 4, got[i].tint, color, most.tint);
        if (!want->tangents) continue;
        transform_tangent(m, want->tangents + i * 4, tangent);
        compare(at, "tangent", 4, got[i].tangent, tangent, most.tangent);
    }
}

float extent_of(const float low[3], const float high[3])
{
    float extent = 0;
    for (int i = 0; i < 3; ++i) {
        float far_out = (float)fmax(fabs((double)low[i]), fabs((double)high[i])) / 20;
        if (high[i] - low[i] > extent) extent = high[i] - low[i];
        if (far_out > extent) extent = far_out;
    }
    return extent > 0 ? extent : 1;
}

/* -- Pixels ---------------------------------------------------------------- */

void clear(float red, float green, float blue)
{
    glClearColor(red, green, blue, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void expect_pixel(uint32_t x, uint32_t y, int red, int green, int blue)
{
    uint8_t got[4];
    char    pixel[80], wanted[80];
    glReadPixels((GLint)x, PICTURE_SIZE - 1 - (GLint)y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, got);
    bool ok = abs(got[0] - red) <= 2 && abs(got[1] - green) <= 2 && abs(got[2] - blue) <= 2;
    snprintf(wanted, sizeof wanted, "%d %d %d at %u, %u", red, green, blue, x, y);
    snprintf(pixel, sizeof pixel, "%d %d %d at %u, %u", got[0], got[1], got[2], x, y);
    if (ok) memcpy(pixel, wanted, sizeof pixel);
    CHECK_TEXT(pixel, wanted);
}

long count_covered(int size, int *least_alpha)
{
    size_t   bytes = (size_t)size * (size_t)size * 4;
    uint8_t *pixels = (uint8_t *)malloc_or_abort(bytes);
    long     covered = 0;
    glReadPixels(0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    *least_alpha = 255;
    for (const uint8_t *pixel = pixels; pixel < pixels + bytes; pixel += 4) {
        if (pixel[0] + pixel[1] + pixel[2] == 0) continue;
        if (pixel[3] < *least_alpha) *least_alpha = pixel[3];
        ++covered;
    }
    free(pixels);
    return covered;
}

const char *const cut_out_names[CUT_OUTS] = { "leaf", "fence" };

static bool is_solid(int which, double x, double y)
{
    if (which == FENCE) return (int)x % 8 < 3;
    double across = x / 128 - 1, along = y / 128 - 1;
    double teeth = 0.06 * sin(40 * along);
    return fabs(across) < 0.7 * (1 - along * along) + teeth * (1 - along * along);
}

void paint_cut_out(int which, uint8_t *rgba)
{
    for (int i = 0; i < CUT_OUT_SIZE * CUT_OUT_SIZE; ++i) {
        bool solid = is_solid(which, i % CUT_OUT_SIZE, i / CUT_OUT_SIZE);
        const uint8_t texel[4] = { 90, 200, 60, solid ? 255 : 0 };
        memcpy(rgba + (size_t)i * 4, texel, sizeof texel);
    }
}

void four_colors(uint8_t rgba[16 * 16 * 4], bool from_below)
{
    static const uint8_t colors[4][4] = {
        { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 }, { 255, 255, 0, 255 }
    };
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x)
            memcpy(rgba + (y * 16 + x) * 4, colors[((y >= 8) != from_below) * 2 + (x >= 8)], 4);
    }
}
