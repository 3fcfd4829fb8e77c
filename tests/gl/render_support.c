/* render_support.c: the functions of render.h that know neither library. Public domain. */
#include "render.h"

void expect_no_error(const char *what)
{
    unsigned error = glGetError();
    if (!CHECK(error == GL_NO_ERROR))
        printf("    %s, %s: GL error 0x%04X\n", context.name, what, error);
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

/* Any affine transform: rotated, stretched, sheared, mirrored in every other; moved by up to `far`
   on each axis. */
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
static void GLAD_API_PTR link_program(GLuint program)
{
    static const char *const outputs[5] = { "v_position", "v_normal", "v_texcoord", "v_tint",
                                            "v_tangent" };
    glTransformFeedbackVaryings(program, captured_count, outputs, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
}

md2_gl_proc get_proc(const char *name)
{
    return strcmp(name, "glLinkProgram") == 0 ? (md2_gl_proc)link_program
                                              : (md2_gl_proc)eglGetProcAddress(name);
}

made *read_back(uint32_t vertices, uint32_t instances, bool tangents)
{
    size_t count = (size_t)vertices * instances, record = tangents ? 64 : 48;
    made *out = (made *)malloc_or_abort((count + 1) * sizeof *out);
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)((count + 1) * record), NULL,
                 GL_STREAM_READ);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArraysInstanced(GL_POINTS, 0, (GLsizei)vertices, (GLsizei)instances);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    memset(out, 0, (count + 1) * sizeof *out);
    const char *mapped = (const char *)glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                                            (GLsizeiptr)((count + 1) * record), GL_MAP_READ_BIT);
    if (CHECK(mapped != NULL)) {
        for (size_t i = 0; i < count; ++i) memcpy(&out[i], mapped + i * record, record);
        glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
    }
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    glDeleteBuffers(1, &buffer);
    return out;
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

static void raise(double *most, double value)
{
    if (!(value <= *most)) *most = value; /* NaN stays */
}

/* Tangents go with the surface; a mirror turns the bitangent. */
static void compare_tangent(const float m[16], const float tangent[4], const float got[4],
                                worst *most)
{
    double turned[3], length = 0;
    for (int i = 0; i < 3; ++i) {
        turned[i] = 0;
        for (int k = 0; k < 3; ++k) turned[i] += (double)m[k * 4 + i] * (double)tangent[k];
        length += turned[i] * turned[i];
    }
    for (int i = 0; i < 3; ++i)
        raise(&most->tangent, fabs((double)got[i] - turned[i] / sqrt(length)));
    raise(&most->tangent, fabs((double)got[3] - (determinant(m) < 0 ? -1 : 1) * (double)tangent[3]));
}

void compare_vertices(const wanted *want, const made *have, worst *most)
{
    static const float none[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    static const float white[4] = { 1, 1, 1, 1 };
    const float *m = want->transform, *tint = want->tint;
    if (!(m[15] < 0 || m[15] > 0)) m = none;
    if (!(tint[0] + tint[1] + tint[2] + tint[3] > 0)) tint = white;
    for (size_t i = 0; i < want->count; ++i) {
        const float *texcoord = want->texcoords + i * want->texcoord_stride;
        double position[3], normal[3];
        transform_vertex(m, want->positions + i * 3, want->normals + i * 3, position, normal);
        for (int k = 0; k < 3; ++k) {
            raise(&most->position, fabs((double)have[i].position[k] - position[k]));
            raise(&most->normal, fabs((double)have[i].normal[k] - normal[k]));
        }
        for (int k = 0; k < 2; ++k)
            raise(&most->texcoord, fabs((double)have[i].texcoord[k] - (double)texcoord[k]));
        for (int k = 0; k < 4; ++k)
            raise(&most->tint, fabs((double)have[i].tint[k] - (double)tint[k]));
        if (want->tangents) compare_tangent(m, want->tangents + i * 4, have[i].tangent, most);
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

void expect_pixel(uint32_t x, uint32_t y, int red, int green, int blue, const char *what)
{
    uint8_t got[4];
    glReadPixels((GLint)x, PICTURE_SIZE - 1 - (GLint)y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, got);
    bool ok = abs(got[0] - red) <= 2 && abs(got[1] - green) <= 2 && abs(got[2] - blue) <= 2;
    if (!CHECK(ok)) {
        printf("    %s, %s: %d %d %d, not %d %d %d\n", context.name, what, got[0], got[1], got[2],
               red, green, blue);
    }
}

void four_colours(uint8_t rgba[16 * 16 * 4], bool from_below)
{
    static const uint8_t colours[4][4] = {
        { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 }, { 255, 255, 0, 255 }
    };
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x)
            memcpy(rgba + (y * 16 + x) * 4, colours[((y >= 8) != from_below) * 2 + (x >= 8)], 4);
    }
}

void expect_corners(const char *what)
{
    expect_pixel(10, 10, 255, 0, 0, what);
    expect_pixel(53, 10, 0, 255, 0, what);
    expect_pixel(10, 53, 0, 0, 255, what);
    expect_pixel(53, 53, 255, 255, 0, what);
}

