/* test_gl.c: the OpenGL part of both headers on a real driver, without a display: what the vertex
   shader makes is read back and compared with what the CPU makes, pictures are compared with those
   in golden/, the caller's state with what it was. Everything on GL 3.3 core and on GL ES 3.0.

       test_gl SCRATCH_FOLDER GOLDEN_FOLDER [--record]

   Where there is no EGL it says SKIPPED and counts; with CI set in the environment that is a
   failure. Public domain. */
#define _POSIX_C_SOURCE 200809L       /* clock_gettime */
#include "check.h"
#include "gl_context.h"
#include "picture.h"
#include "support.h"

#include <time.h>

#define MD2_GL
#define MD2_STB_IMAGE
#include "md2.h"
#define MD5_GL
#define MD5_STB_IMAGE
#include "md5.h"
#include "model_builder_md2.h"
#include "model_builder_md5.h"

static const char *scratch, *golden;  /* folders */
static bool recording;
static gl_context context;
static struct counted {
    unsigned long vertices, vertices5, models, own_models, own_meshes, pictures, contexts, skipped,
        draws;
} counted;

static md2_gl_proc get_proc(const char *name) { return (md2_gl_proc)eglGetProcAddress(name); }

/* -- No error so far, by both ways that GL has to say so ------------------- */

static void expect_no_error(const char *what)
{
    unsigned error = glGetError();
    if (!CHECK(error == GL_NO_ERROR))
        printf("    %s, %s: GL error 0x%04X\n", context.name, what, error);
    if (!CHECK(context.debug_errors == 0)) {
        printf("    %s, %s: %lu complaints of the driver, the first: %s\n", context.name, what,
               context.debug_errors, context.debug_first);
    }
    context.debug_errors = 0;
}

/* -- Vectors and matrices, by columns -------------------------------------- */

static void identity(float m[16])
{
    int i;
    for (i = 0; i < 16; ++i) m[i] = i % 5 == 0 ? 1.0f : 0.0f;
}

static void multiply(const float a[16], const float b[16], float out[16])
{
    float m[16];
    int row, column, k;
    for (column = 0; column < 4; ++column) {
        for (row = 0; row < 4; ++row) {
            m[column * 4 + row] = 0;
            for (k = 0; k < 4; ++k) m[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
        }
    }
    memcpy(out, m, sizeof m);
}

static void normalise(float v[3])
{
    float length = (float)sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    int i;
    for (i = 0; i < 3; ++i) v[i] /= length;
}

static void cross(const float a[3], const float b[3], float out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void look_at(const float eye[3], const float target[3], const float up[3], float out[16])
{
    float back[3], right[3], above[3];
    int i;
    for (i = 0; i < 3; ++i) back[i] = eye[i] - target[i];
    normalise(back);
    cross(up, back, right);
    normalise(right);
    cross(back, right, above);
    identity(out);
    for (i = 0; i < 3; ++i) {
        out[i * 4] = right[i];
        out[i * 4 + 1] = above[i];
        out[i * 4 + 2] = back[i];
    }
    out[12] = -dot(right, eye);
    out[13] = -dot(above, eye);
    out[14] = -dot(back, eye);
}

static void perspective(float half_height, float near_plane, float far_plane, float out[16])
{
    memset(out, 0, 16 * sizeof(float));
    out[0] = out[5] = 1 / half_height;
    out[10] = (far_plane + near_plane) / (near_plane - far_plane);
    out[11] = -1;
    out[14] = 2 * far_plane * near_plane / (near_plane - far_plane);
}

static void camera(float x, float y, float z, float target_x, float target_y, float target_z,
                   bool y_up, float half_height, float out[16])
{
    float eye[3], target[3], up[3], view[16], lens[16], far_plane;
    eye[0] = x;
    eye[1] = y;
    eye[2] = z;
    target[0] = target_x;
    target[1] = target_y;
    target[2] = target_z;
    up[0] = 0;
    up[1] = y_up ? 1.0f : 0.0f;
    up[2] = y_up ? 0.0f : 1.0f;
    far_plane = 4 * (float)sqrt((double)dot(eye, eye)) + 10;
    look_at(eye, target, up, view);
    perspective(half_height, far_plane / 1000, far_plane, lens);
    multiply(lens, view, out);
}

/* Looks along -X at the square of y and z from -1 to 1: y to the right, z up. */
static void front_view(float out[16])
{
    memset(out, 0, 16 * sizeof(float));
    out[4] = 1;                       /* x of the picture = y */
    out[9] = 1;                       /* y of the picture = z */
    out[2] = -0.1f;                   /* the nearer, the greater x */
    out[15] = 1;
}

static float random_between(random_source *random, float low, float high)
{
    return low + (high - low) * (float)random_unit(random);
}

/* Any affine transform: rotated, stretched, sheared, mirrored in every other; moved by up to `far`
   on each axis. */
static void random_transform(random_source *random, float size, float out[16])
{
    int column, row;
    do {
        for (column = 0; column < 3; ++column) {
            for (row = 0; row < 3; ++row) out[column * 4 + row] = random_between(random, -1, 1);
            out[column * 4 + 3] = 0;
        }
    } while (out[0] * (out[5] * out[10] - out[9] * out[6]) -
                     out[4] * (out[1] * out[10] - out[9] * out[2]) +
                     out[8] * (out[1] * out[6] - out[5] * out[2]) <
                 0.2f &&
             random_below(random, 2));
    for (row = 0; row < 3; ++row) out[12 + row] = random_between(random, -size, size);
    out[15] = 1;
}

/* -- What the vertex shader makes ------------------------------------------ */

typedef struct made {                 /* in the order of the feedback */
    float position[3], normal[3], texcoord[2], tint[4];
} made;

static char *shader_source(GLuint shader)
{
    GLint length = 0;
    char *source;
    glGetShaderiv(shader, GL_SHADER_SOURCE_LENGTH, &length);
    source = (char *)malloc_or_abort((size_t)length + 1);
    glGetShaderSource(shader, length + 1, NULL, source);
    return source;
}

/* The library's own shaders once more, as a program whose outputs can be captured. */
static GLuint feedback_program(GLuint from, const char *const *outputs, int count)
{
    GLuint shaders[4], program = glCreateProgram();
    GLsizei attached = 0, i;
    GLint ok = 0;
    glGetAttachedShaders(from, 4, &attached, shaders);
    for (i = 0; i < attached; ++i) {
        GLint type = 0;
        char *source = shader_source(shaders[i]);
        const char *text = source;
        GLuint copy;
        glGetShaderiv(shaders[i], GL_SHADER_TYPE, &type);
        copy = glCreateShader((GLenum)type);
        glShaderSource(copy, 1, &text, NULL);
        glCompileShader(copy);
        glAttachShader(program, copy);
        glDeleteShader(copy);
        free(source);
    }
    glTransformFeedbackVaryings(program, count, outputs, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    CHECK(attached == 2 && ok);
    return program;
}

static void copy_uniform(GLuint from, GLuint to, const char *name, GLenum type)
{
    GLint a = glGetUniformLocation(from, name), b = glGetUniformLocation(to, name), whole = 0;
    GLfloat values[16];
    if (a < 0 || b < 0) return;
    switch (type) {
    case GL_FLOAT_VEC4:
        glGetUniformfv(from, a, values);
        glUniform4fv(b, 1, values);
        break;
    case GL_FLOAT_VEC3:
        glGetUniformfv(from, a, values);
        glUniform3fv(b, 1, values);
        break;
    case GL_FLOAT_MAT4:
        glGetUniformfv(from, a, values);
        glUniformMatrix4fv(b, 1, GL_FALSE, values);
        break;
    case GL_FLOAT:
        glGetUniformfv(from, a, values);
        glUniform1f(b, values[0]);
        break;
    default: /* int, bool and samplers */
        glGetUniformiv(from, a, &whole);
        glUniform1i(b, whole);
    }
}

/* With `to` in use: the values that the library gave its program. */
static void copy_uniforms(GLuint from, GLuint to)
{
    GLint count = 0, i, k, size;
    GLenum type;
    char name[128], element[160];
    glGetProgramiv(from, GL_ACTIVE_UNIFORMS, &count);
    for (i = 0; i < count; ++i) {
        glGetActiveUniform(from, (GLuint)i, sizeof name, NULL, &size, &type, name);
        if (strchr(name, '[')) *strchr(name, '[') = 0;
        for (k = 0; k < size; ++k) {
            snprintf(element, sizeof element, size > 1 ? "%s[%d]" : "%s", name, k);
            copy_uniform(from, to, element, type);
        }
    }
}

/* Every vertex of every instance of what was drawn last, with leave_state: program, vertex array
   and textures are still bound. Vertices come in the order of the vertex buffer. */
static void *read_back(GLuint program, uint32_t vertices, uint32_t instances,
                       const char *const *outputs, int count, size_t record)
{
    GLuint copy = feedback_program(program, outputs, count), buffer;
    size_t bytes = (size_t)vertices * instances * record;
    void *out = malloc_or_abort(bytes);
    const void *mapped;
    glUseProgram(copy);
    copy_uniforms(program, copy);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, (GLsizeiptr)(bytes ? bytes : 1), NULL,
                 GL_STREAM_READ);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArraysInstanced(GL_POINTS, 0, (GLsizei)vertices, (GLsizei)instances);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    mapped = bytes ? glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, (GLsizeiptr)bytes,
                                      GL_MAP_READ_BIT)
                   : NULL;
    memset(out, 0, bytes);
    if (CHECK(mapped || !bytes)) {
        if (bytes) memcpy(out, mapped, bytes);
        if (bytes) glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
    }
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    glDeleteBuffers(1, &buffer);
    glUseProgram(program);
    glDeleteProgram(copy);
    return out;
}

/* Where a vertex and its normal come to lie: in doubles, by the inverse transpose. */
static void transform_vertex(const float m[16], const float position[3], const float normal[3],
                             double out_position[3], double out_normal[3])
{
    double c[3][3], length = 0, determinant = 0;
    int i, k;
    for (i = 0; i < 3; ++i) {
        out_position[i] = (double)m[12 + i];
        for (k = 0; k < 3; ++k) {
            int r1 = (i + 1) % 3, r2 = (i + 2) % 3, c1 = (k + 1) % 3, c2 = (k + 2) % 3;
            out_position[i] += (double)m[k * 4 + i] * (double)position[k];
            c[i][k] = (double)m[c1 * 4 + r1] * (double)m[c2 * 4 + r2] -
                      (double)m[c1 * 4 + r2] * (double)m[c2 * 4 + r1];
        }
    }
    for (k = 0; k < 3; ++k) determinant += (double)m[k * 4] * c[0][k];
    for (i = 0; i < 3; ++i) {
        out_normal[i] = 0;
        for (k = 0; k < 3; ++k) out_normal[i] += c[i][k] * (double)normal[k] / determinant;
        length += out_normal[i] * out_normal[i];
    }
    for (i = 0; i < 3; ++i) out_normal[i] /= sqrt(length);
}

static const float *transform_of(const float given[16])
{
    static const float none[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    return given[15] < 0 || given[15] > 0 ? given : none;
}

/* -- MD2 ------------------------------------------------------------------- */

static md2_model *md2_from_bytes(m2_bytes *bytes, uint32_t flags)
{
    md2_options options;
    md2_error error;
    md2_model *model;
    memset(&options, 0, sizeof options);
    options.flags = flags;
    model = md2_load_memory(bytes->data, bytes->size, &options, &error);
    if (!model) {
        printf("a model of the tests does not load: %s\n", error.message);
        abort();
    }
    m2_free(bytes);
    return model;
}

static md2_model *md2_from_table(const char *name, uint32_t flags)
{
    m2_bytes bytes = m2_named(name);
    return md2_from_bytes(&bytes, flags);
}

static md2_gl *md2_create(const md2_gl_options *options)
{
    md2_error error;
    md2_gl *gl = md2_gl_create(get_proc, options, &error);
    if (!CHECK(gl != NULL)) {
        printf("    %s\n", error.message);
        printf("%lu passed, %lu failed\n", check_state.passed, check_state.failed);
        exit(EXIT_FAILURE);
    }
    return gl;
}

static md2_gl *md2_create_plain(bool leave_state)
{
    md2_gl_options options;
    memset(&options, 0, sizeof options);
    options.leave_state = leave_state;
    return md2_create(&options);
}

/* A renderer that leaves its state has left its program in use; who deletes a program stops using
   it first. */
static void md2_destroy(md2_gl *gl)
{
    glUseProgram(0);
    md2_gl_destroy(gl);
}

static bool md2_upload(md2_gl *gl, const md2_model *model, md2_gl_mesh *mesh)
{
    md2_error error;
    bool ok = md2_gl_upload(gl, model, mesh, &error);
    if (!CHECK(ok)) printf("    %s\n", error.message);
    return ok;
}

/* Where a model is a speck far from the origin, what a float can tell apart there counts instead of
   its size. */
static float md2_extent(const md2_model *model)
{
    float extent = 0;
    int i;
    for (i = 0; i < 3; ++i) {
        float far_out = (float)fmax(fabs((double)model->min[i]), fabs((double)model->max[i])) / 20;
        if (model->max[i] - model->min[i] > extent) extent = model->max[i] - model->min[i];
        if (far_out > extent) extent = far_out;
    }
    return extent > 0 ? extent : 1;
}

/* One to four frames with weights that sum to 1; sometimes the same frame twice, sometimes a weight
   of 0. */
static md2_pose random_pose(random_source *random, uint32_t frames)
{
    md2_pose pose;
    float sum = 0;
    uint32_t i;
    memset(&pose, 0, sizeof pose);
    pose.count = 1 + random_below(random, 4);
    for (i = 0; i < pose.count; ++i) {
        pose.frame[i] = (uint16_t)random_below(random, frames);
        pose.weight[i] =
            i && random_below(random, 8) == 0 ? 0 : random_between(random, 0.05f, 1);
        sum += pose.weight[i];
    }
    for (i = 0; i < pose.count; ++i) pose.weight[i] /= sum;
    return pose;
}

typedef struct worst {                /* the largest differences of a comparison */
    double position, normal, texcoord, tint;
    uint32_t where;
} worst;

static void raise(double *most, double value)
{
    if (!(value <= *most)) *most = value; /* NaN stays */
}

static const float white[4] = { 1, 1, 1, 1 };

static void md2_compare(const md2_model *model, const md2_gl_instance *instance,
                        const made *vertices, worst *most)
{
    float *positions = (float *)malloc_or_abort(model->vertex_count * 3 * sizeof(float));
    float *normals = (float *)malloc_or_abort(model->vertex_count * 3 * sizeof(float));
    const float *m = transform_of(instance->transform), *tint = instance->tint;
    uint32_t i;
    int k;
    if (!(tint[0] + tint[1] + tint[2] + tint[3] > 0)) tint = white;
    md2_pose_vertices(model, &instance->pose, positions, 0, normals, 0);
    for (i = 0; i < model->vertex_count; ++i) {
        double position[3], normal[3];
        transform_vertex(m, positions + i * 3, normals + i * 3, position, normal);
        for (k = 0; k < 3; ++k) {
            raise(&most->position, fabs((double)vertices[i].position[k] - position[k]));
            raise(&most->normal, fabs((double)vertices[i].normal[k] - normal[k]));
        }
        raise(&most->texcoord,
              fabs((double)vertices[i].texcoord[0] - (double)model->vertices[i].u));
        raise(&most->texcoord,
              fabs((double)vertices[i].texcoord[1] - (double)model->vertices[i].v));
        for (k = 0; k < 4; ++k)
            raise(&most->tint, fabs((double)vertices[i].tint[k] - (double)tint[k]));
    }
    free(positions);
    free(normals);
}

static const char *const md2_outputs[4] = { "v_position", "v_normal", "v_texcoord", "v_tint" };

/* Draws the instances and compares every vertex of each with the CPU's; `gl` leaves its state. */
static void md2_expect_vertices(md2_gl *gl, const md2_model *model, const md2_gl_mesh *mesh,
                                const md2_gl_instance *instances, uint32_t count)
{
    md2_gl_scene scene;
    worst most = { 0, 0, 0, 0, 0 };
    made *vertices;
    float extent = md2_extent(model);
    uint32_t i;
    memset(&scene, 0, sizeof scene);
    identity(scene.view_projection);
    md2_gl_draw(gl, mesh, 0, &scene, instances, count);
    vertices = (made *)read_back(md2_gl_program(gl), model->vertex_count, count, md2_outputs, 4,
                                 sizeof(made));
    for (i = 0; i < count; ++i)
        md2_compare(model, &instances[i], vertices + (size_t)i * model->vertex_count, &most);
    CHECK_NEAR(most.position / (double)extent, 0, 1e-5);
    CHECK_NEAR(most.normal, 0, 1e-5);
    CHECK_EQ(most.texcoord, 0);
    CHECK_NEAR(most.tint, 0, 1e-6);
    counted.vertices += (unsigned long)model->vertex_count * count;
    free(vertices);
}

static void random_instance(random_source *random, const md2_model *model, md2_gl_instance *out)
{
    int i;
    memset(out, 0, sizeof *out);
    out->pose = random_pose(random, model->frame_count);
    random_transform(random, md2_extent(model), out->transform);
    for (i = 0; i < 4; ++i) out->tint[i] = random_between(random, 0.1f, 2);
}

/* Every model of the table that loads, in random poses, transforms and tints; its axes and winding
   in four ways. */
static void md2_test_vertices(void)
{
    static const uint32_t flags[4] = { 0, MD2_Y_UP, MD2_KEEP_WINDING | MD2_FLIP_V,
                                       MD2_Y_UP | MD2_HALF_TEXEL };
    random_source random = { 2025 };
    md2_gl *gl = md2_create_plain(true);
    unsigned long models = 0;
    size_t i;
    check_section("md2: vertices of the GPU and of the CPU");
    for (i = 0; i < M2_CASES + 24; ++i) {
        md2_gl_instance instances[6];
        md2_gl_mesh mesh;
        md2_model *model;
        uint32_t k, count;
        if (i < M2_CASES) {
            m2_bytes bytes;
            if (m2_cases[i].result != MD2_OK) continue;
            check_subject(m2_cases[i].name);
            bytes = m2_case_bytes(&m2_cases[i]);
            model = md2_from_bytes(&bytes, flags[i % 4]);
        } else {
            m2_bytes bytes = m2_random((uint32_t)i, 3 + (uint32_t)i % 200, 40 + (uint32_t)i,
                                       1 + (uint32_t)i % 40);
            check_subject("random");
            model = md2_from_bytes(&bytes, flags[i % 4]);
        }
        count = model->vertex_count > 20000 ? 2 : 6;
        for (k = 0; k < count; ++k) random_instance(&random, model, &instances[k]);
        memset(&instances[0], 0, sizeof instances[0]); /* frame 0, white, at the origin */
        if (md2_upload(gl, model, &mesh)) md2_expect_vertices(gl, model, &mesh, instances, count);
        expect_no_error("vertices");
        md2_gl_free_mesh(gl, &mesh);
        md2_free_model(model);
        ++models;
    }
    check_subject("");
    counted.own_models += models;
    md2_destroy(gl);
    expect_no_error("destroy");
}

/* -- The articles' warts --------------------------------------------------- */

/* A: the normals were read at the positions' offset. Here no normal points where its vertex lies.
 */
static void md2_wart_normals_offset(md2_gl *gl)
{
    md2_model *model = md2_from_table("player", 0);
    md2_gl_instance instance;
    md2_gl_mesh mesh;
    md2_gl_scene scene;
    made *vertices;
    uint32_t i;
    unsigned long apart = 0;
    check_section("wart: normals read from the positions");
    memset(&instance, 0, sizeof instance);
    memset(&scene, 0, sizeof scene);
    identity(scene.view_projection);
    instance.pose = md2_pose_between(3, 4, 0.5f);
    if (md2_upload(gl, model, &mesh)) {
        md2_gl_draw(gl, &mesh, 0, &scene, &instance, 1);
        vertices = (made *)read_back(md2_gl_program(gl), model->vertex_count, 1, md2_outputs, 4,
                                     sizeof(made));
        for (i = 0; i < model->vertex_count; ++i) {
            float direction[3];
            CHECK_NEAR(dot(vertices[i].normal, vertices[i].normal), 1, 1e-5);
            memcpy(direction, vertices[i].position, sizeof direction);
            normalise(direction);
            if (dot(direction, vertices[i].normal) < 0.999f) ++apart;
        }
        CHECK(apart * 2 > model->vertex_count);
        free(vertices);
        md2_expect_vertices(gl, model, &mesh, &instance, 1);
    }
    md2_gl_free_mesh(gl, &mesh);
    md2_free_model(model);
}

/* A: without a state only one attribute was bound. An instance of zeroes is frame 0 with normals
   and texture. */
static void md2_wart_static_pose(md2_gl *gl)
{
    md2_model *model = md2_from_table("sheet", 0);
    md2_gl_instance instances[3];
    md2_gl_mesh mesh;
    check_section("wart: a static pose");
    memset(instances, 0, sizeof instances);
    instances[1].pose = md2_pose_between(0, 0, 0);
    instances[2].pose = md2_pose_at(NULL, MD2_LOOP, 12.5);
    if (md2_upload(gl, model, &mesh)) md2_expect_vertices(gl, model, &mesh, instances, 3);
    md2_gl_free_mesh(gl, &mesh);
    md2_free_model(model);
}

/* B and D: an animation of one frame went on into the next. In every mode, at any time, it is that
   frame. */
static void md2_wart_one_frame(md2_gl *gl)
{
    static const md2_mode modes[3] = { MD2_LOOP, MD2_ONCE, MD2_PING_PONG };
    static const double times[5] = { 0, 0.05, 0.1, 7.77, -3.3 };
    md2_model *model = md2_from_table("player", 0);
    md2_anim one;
    md2_gl_mesh mesh;
    int mode, when;
    check_section("wart: an animation of one frame");
    memset(&one, 0, sizeof one);
    one.first = 17;
    one.count = 1;
    one.fps = 10;
    if (md2_upload(gl, model, &mesh)) {
        for (mode = 0; mode < 3; ++mode) {
            for (when = 0; when < 5; ++when) {
                md2_gl_instance pair[2];
                made *vertices;
                md2_gl_scene scene;
                memset(pair, 0, sizeof pair);
                memset(&scene, 0, sizeof scene);
                identity(scene.view_projection);
                pair[0].pose = md2_pose_at(&one, modes[mode], times[when]);
                pair[1].pose = md2_pose_between(17, 17, 0);
                md2_gl_draw(gl, &mesh, 0, &scene, pair, 2);
                vertices = (made *)read_back(md2_gl_program(gl), model->vertex_count, 2,
                                             md2_outputs, 4, sizeof(made));
                CHECK(memcmp(vertices, vertices + model->vertex_count,
                             model->vertex_count * sizeof(made)) == 0);
                free(vertices);
            }
        }
    }
    md2_gl_free_mesh(gl, &mesh);
    md2_free_model(model);
}

/* B: frames were read back to back, whatever the header's frame size said. */
static void md2_wart_strides(md2_gl *gl)
{
    static const char *const names[3] = { "wide_frames", "odd_wide_frames", "unaligned_sections" };
    random_source random = { 77 };
    int i;
    check_section("wart: the stride of frames");
    for (i = 0; i < 3; ++i) {
        md2_model *model = md2_from_table(names[i], 0);
        md2_gl_instance instances[4];
        md2_gl_mesh mesh;
        uint32_t k;
        check_subject(names[i]);
        for (k = 0; k < 4; ++k) random_instance(&random, model, &instances[k]);
        instances[3].pose = md2_pose_between(model->frame_count - 1, 0, 0);
        if (md2_upload(gl, model, &mesh)) md2_expect_vertices(gl, model, &mesh, instances, 4);
        md2_gl_free_mesh(gl, &mesh);
        md2_free_model(model);
    }
    check_subject("");
}

/* A and D: normals went through a 4 x 4 matrix as if they were points, were not made of unit
   length, or not turned. */
static void md2_wart_normal_matrix(md2_gl *gl)
{
    md2_model *model = md2_from_table("sheet", 0);
    md2_gl_instance instances[6];
    md2_gl_mesh mesh;
    int i;
    check_section("wart: normals under transforms");
    memset(instances, 0, sizeof instances);
    for (i = 0; i < 6; ++i) {
        identity(instances[i].transform);
        instances[i].pose = md2_pose_between(0, 1, 0.5f);
    }
    instances[0].transform[12] = 900; /* moved far: normals stay */
    instances[1].transform[0] = 5;    /* stretched */
    instances[1].transform[10] = 0.1f;
    instances[2].transform[5] = -1;   /* mirrored */
    instances[3].transform[0] = instances[3].transform[5] = instances[3].transform[10] =
        -3;                           /* through the origin */
    instances[4].transform[4] = 2;    /* sheared */
    instances[5].transform[0] = instances[5].transform[5] = instances[5].transform[10] = 1e-3f;
    if (md2_upload(gl, model, &mesh)) {
        md2_gl_scene scene;
        made *vertices;
        worst most = { 0, 0, 0, 0, 0 };
        memset(&scene, 0, sizeof scene);
        identity(scene.view_projection);
        md2_gl_draw(gl, &mesh, 0, &scene, instances, 6);
        vertices = (made *)read_back(md2_gl_program(gl), model->vertex_count, 6, md2_outputs, 4,
                                     sizeof(made));
        for (i = 0; i < 6; ++i) {
            md2_compare(model, &instances[i], vertices + (size_t)i * model->vertex_count, &most);
            CHECK_NEAR(most.normal, 0, 2e-6);
        }
        free(vertices);
    }
    md2_gl_free_mesh(gl, &mesh);
    md2_free_model(model);
}

/* Normals that cancel each other out, and numbers beyond the table's end: straight up, in the
   model's axes. */
static void md2_test_no_normal(md2_gl *gl)
{
    static const uint32_t flags[2] = { 0, MD2_Y_UP };
    int k;
    check_section("md2: normals that cancel out");
    for (k = 0; k < 2; ++k) {
        md2_gl_instance instances[3];
        md2_gl_mesh mesh;
        md2_model *model;
        m2_bytes bytes;
        m2_file f;
        uint32_t i;
        m2_begin(&f, 0, 3, 3, 1, 0, 3);
        for (i = 0; i < 3; ++i) m2_frame(&f, i, "a", 1.0f, 0.0f);
        for (i = 0; i < 9; ++i) m2_set_point(&f, i / 3, i % 3, (int)i * 7, (int)i * 3, 4, 0);
        for (i = 0; i < 3; ++i) {
            m2_point(&f, 0, i)[3] = (uint8_t)(i == 0 ? 52 : i == 1 ? 32 : 200); /* +X, +Y, none */
            m2_point(&f, 1, i)[3] = (uint8_t)(i == 0 ? 143 : i == 1 ? 104 : 255); /* -X, -Y, none */
            f.tris[i] = f.tris[3 + i] = (uint16_t)i;
        }
        bytes = m2_write(&f);
        m2_end(&f);
        model = md2_from_bytes(&bytes, flags[k]);
        memset(instances, 0, sizeof instances);
        instances[0].pose = md2_pose_between(0, 1, 0.5f);
        instances[1].pose = md2_pose_between(0, 1, 0.25f);
        instances[2].pose = md2_pose_between(1, 0, 0.5f);
        if (md2_upload(gl, model, &mesh)) {
            md2_gl_scene scene;
            made *vertices;
            memset(&scene, 0, sizeof scene);
            identity(scene.view_projection);
            md2_gl_draw(gl, &mesh, 0, &scene, instances, 3);
            vertices = (made *)read_back(md2_gl_program(gl), model->vertex_count, 3, md2_outputs, 4,
                                         sizeof(made));
            CHECK_NEAR(vertices[0].normal[k ? 1 : 2], 1, 1e-6);
            CHECK_NEAR(vertices[model->vertex_count * 2].normal[k ? 1 : 2], 1, 1e-6);
            free(vertices);
            md2_expect_vertices(gl, model, &mesh, instances, 3);
        }
        md2_gl_free_mesh(gl, &mesh);
        md2_free_model(model);
    }
}

/* What flattens a model, as a shadow on the ground is, leaves normals of unit length, none NaN. */
static void flatten(int axis, float out[16])
{
    identity(out);
    out[axis * 5] = 0;
}

static void expect_unit(const float normal[3])
{
    CHECK_NEAR(dot(normal, normal), 1, 1e-5);
}

static void md2_test_flattened(md2_gl *gl)
{
    md2_model *model = md2_from_table("sheet", 0);
    md2_gl_instance instances[4];
    md2_gl_scene scene;
    md2_gl_mesh mesh;
    made *vertices;
    uint32_t i;
    check_section("md2: flattened");
    memset(instances, 0, sizeof instances);
    memset(&scene, 0, sizeof scene);
    identity(scene.view_projection);
    for (i = 0; i < 4; ++i) {
        flatten((int)i % 3, instances[i].transform);
        instances[i].pose = md2_pose_between(0, 1, i == 3 ? 0.5f : 0);
    }
    instances[3].transform[5] = instances[3].transform[10] = 0; /* to a point */
    if (md2_upload(gl, model, &mesh)) {
        md2_gl_draw(gl, &mesh, 0, &scene, instances, 4);
        vertices = (made *)read_back(md2_gl_program(gl), model->vertex_count, 4, md2_outputs, 4,
                                     sizeof(made));
        for (i = 0; i < model->vertex_count * 4; ++i) expect_unit(vertices[i].normal);
        free(vertices);
    }
    md2_gl_free_mesh(gl, &mesh);
    md2_free_model(model);
}

static void md2_test_warts(void)
{
    md2_gl *gl = md2_create_plain(true);
    md2_wart_normals_offset(gl);
    md2_wart_static_pose(gl);
    md2_wart_one_frame(gl);
    md2_wart_strides(gl);
    md2_wart_normal_matrix(gl);
    md2_test_no_normal(gl);
    md2_test_flattened(gl);
    md2_destroy(gl);
    expect_no_error("warts");
}

/* 10,000 characters of one draw call: each has its own. Frame numbers beyond the last show the
   last. */
static void md2_test_crowd(void)
{
    enum { CROWD = 10000 };
    random_source random = { 99 };
    md2_gl *gl = md2_create_plain(true);
    md2_model *model = md2_from_table("player", 0);
    md2_gl_instance *instances = (md2_gl_instance *)malloc_or_abort(CROWD * sizeof *instances);
    md2_gl_mesh mesh;
    uint32_t i;
    check_section("md2: a crowd in one draw call");
    for (i = 0; i < CROWD; ++i) {
        random_instance(&random, model, &instances[i]);
        if (i % 10 == 0) instances[i].pose.frame[0] = (uint16_t)(198 + i);
    }
    if (md2_upload(gl, model, &mesh)) md2_expect_vertices(gl, model, &mesh, instances, CROWD);
    md2_gl_free_mesh(gl, &mesh);
    md2_free_model(model);
    md2_destroy(gl);
    free(instances);
    expect_no_error("crowd");
}

/* -- Pixels ---------------------------------------------------------------- */

static void clear(float red, float green, float blue)
{
    glClearColor(red, green, blue, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

/* The first colour target, top row first. */
static picture read_picture(int width, int height)
{
    picture p = picture_new((uint32_t)width, (uint32_t)height);
    uint8_t *rgba = (uint8_t *)malloc_or_abort((size_t)width * (size_t)height * 4);
    int x, y;
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    for (y = 0; y < height; ++y) {
        for (x = 0; x < width; ++x)
            memcpy(p.rgb + (y * width + x) * 3, rgba + ((height - 1 - y) * width + x) * 4, 3);
    }
    free(rgba);
    return p;
}

static void expect_colour(const uint8_t *got, int red, int green, int blue, const char *what)
{
    bool ok = abs(got[0] - red) <= 2 && abs(got[1] - green) <= 2 && abs(got[2] - blue) <= 2;
    if (!CHECK(ok)) {
        printf("    %s, %s: %d %d %d, not %d %d %d\n", context.name, what, got[0], got[1], got[2],
               red, green, blue);
    }
}

/* A square of y and z from -1 to 1 that faces +X, the texture once over it: its first texel at the
   upper left of who looks at it. The normals are those given. */
static md2_model *md2_square(uint32_t flags, int normal)
{
    static const int corners[4][4] = {
        { 0, 255, 0, 0 }, { 255, 255, 64, 0 }, { 255, 0, 64, 64 }, { 0, 0, 0, 64 }
    };
    static const uint16_t order[6] = { 0, 1, 2, 0, 2, 3 }; /* clockwise to who looks at it */
    m2_bytes bytes;
    m2_file f;
    uint32_t i;
    m2_begin(&f, 0, 4, 4, 2, 0, 1);
    m2_frame(&f, 0, "flat", 2.0f / 255, -1.0f);
    f.frames[0].scale[0] = 0;
    f.frames[0].translate[0] = 0;
    for (i = 0; i < 4; ++i) {
        m2_set_point(&f, 0, i, 0, corners[i][0], corners[i][1], normal);
        f.st[i * 2] = (int16_t)corners[i][2];
        f.st[i * 2 + 1] = (int16_t)corners[i][3];
    }
    for (i = 0; i < 6; ++i) f.tris[i / 3 * 6 + i % 3] = f.tris[i / 3 * 6 + 3 + i % 3] = order[i];
    bytes = m2_write(&f);
    m2_end(&f);
    return md2_from_bytes(&bytes, flags);
}

/* Two by two: red, green; blue, yellow. */
static void four_colours(uint8_t *rgba, bool from_below)
{
    static const uint8_t colours[4][4] = {
        { 255, 0, 0, 255 }, { 0, 255, 0, 255 }, { 0, 0, 255, 255 }, { 255, 255, 0, 255 }
    };
    int x, y;
    for (y = 0; y < 16; ++y) {
        for (x = 0; x < 16; ++x) {
            memcpy(rgba + (y * 16 + x) * 4, colours[((y >= 8) != from_below) * 2 + (x >= 8)], 4);
        }
    }
}

static picture md2_draw_square(md2_gl *gl, const md2_model *model, uint32_t texture,
                               const md2_gl_scene *scene, const md2_gl_instance *instance)
{
    md2_gl_mesh mesh;
    picture p;
    clear(0.5f, 0.5f, 0.5f);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);           /* what is seen from outside is counter-clockwise */
    if (md2_upload(gl, model, &mesh)) md2_gl_draw(gl, &mesh, texture, scene, instance, 1);
    md2_gl_free_mesh(gl, &mesh);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    p = read_picture(64, 64);
    expect_no_error("square");
    return p;
}

static void expect_corners(const picture *p, const char *what)
{
    expect_colour(picture_at(p, 10, 10), 255, 0, 0, what);
    expect_colour(picture_at(p, 53, 10), 0, 255, 0, what);
    expect_colour(picture_at(p, 10, 53), 0, 0, 255, what);
    expect_colour(picture_at(p, 53, 53), 255, 255, 0, what);
}

/* Texture the right way round: by pixels top row first, bottom row first with MD2_FLIP_V, and from
   files either way. */
static void md2_test_skin_orientation(void)
{
    static const uint32_t flags[3] = { 0, MD2_FLIP_V, MD2_HALF_TEXEL };
    md2_gl *gl = md2_create_plain(false);
    md2_gl_instance instance;
    md2_gl_scene scene;
    gl_target target;
    uint8_t pixels[16 * 16 * 4];
    char model_path[600], skin_path[600];
    picture file = picture_new(16, 16);
    m2_bytes pcx = m2_pcx(61, 40, 64, M2_PCX_RUNS);
    md2_error error;
    int i, k;
    check_section("md2: the skin the right way round");
    CHECK(gl_target_open(&target, 64, 64, 1, GL_RGBA8));
    memset(&instance, 0, sizeof instance);
    memset(&scene, 0, sizeof scene);
    scene.ambient = 1;
    front_view(scene.view_projection);
    snprintf(model_path, sizeof model_path, "%s/gl_square.md2", scratch);
    snprintf(skin_path, sizeof skin_path, "%s/gl_square.png", scratch);
    four_colours(pixels, false);
    for (i = 0; i < 16 * 16; ++i) memcpy(file.rgb + i * 3, pixels + i * 4, 3);
    CHECK(picture_write_png(skin_path, &file));
    for (i = 0; i < 3; ++i) {
        md2_model *model = md2_square(flags[i], 52);
        for (k = 0; k < 2; ++k) {
            GLuint texture;
            picture p;
            four_colours(pixels, flags[i] == MD2_FLIP_V);
            texture = k ? md2_gl_load_skin(gl, model, model_path, 0, &error)
                        : md2_gl_texture(gl, pixels, 16, 16);
            CHECK(texture != 0);
            p = md2_draw_square(gl, model, texture, &scene, &instance);
            expect_corners(&p, k ? "skin from a file" : i == 1 ? "skin for FLIP_V" : "skin");
            picture_free(&p);
            glDeleteTextures(1, &texture);
        }
        md2_free_model(model);
    }
    remove(skin_path);
    snprintf(skin_path, sizeof skin_path, "%s/gl_square.pcx", scratch);
    CHECK(write_file(skin_path, pcx.data, pcx.size));
    for (i = 0; i < 2; ++i) {
        md2_model *model = md2_square(flags[i], 52);
        GLuint texture = md2_gl_load_skin(gl, model, model_path, 0, &error);
        picture p = md2_draw_square(gl, model, texture, &scene, &instance);
        uint8_t rgb[3];
        m2_pcx_colour(m2_pcx_index(2, 1),
                      rgb); /* a patch of 5 x 3 texels in the upper left corner */
        CHECK(texture != 0);
        CHECK(abs(picture_at(&p, 2, 2)[0] - rgb[0]) < 40 &&
              abs(picture_at(&p, 2, 2)[1] - rgb[1]) < 40);
        picture_free(&p);
        glDeleteTextures(1, &texture);
        md2_free_model(model);
    }
    remove(skin_path);
    {
        md2_model *model = md2_square(0, 52);
        CHECK_EQ(md2_gl_load_skin(gl, model, model_path, 0, &error), 0);
        CHECK(error.code == MD2_ERROR_OPEN && error.message[0]);
        md2_free_model(model);
    }
    m2_free(&pcx);
    picture_free(&file);
    gl_target_close(&target);
    md2_destroy(gl);
    expect_no_error("orientation");
}

/* The colour is texture by tint by light: full towards the light, the ambient share away from it.
   No texture is white; each draw has the texture that it was given. */
static void md2_test_light_and_tint(void)
{
    static const struct {
        int   normal;
        float ambient, light[3];
        int   shade;
    } lights[] = { { 52, 0, { 5, 0, 0 }, 255 },     { 143, 0, { 5, 0, 0 }, 64 },
                   { 143, 0.5f, { 5, 0, 0 }, 128 }, { 32, 0, { 1, 0, 0 }, 64 },
                   { 52, 0, { 0, 0, 0 }, 255 },     { 143, 0, { 0, 0, 0 }, 64 },
                   { 143, 1, { 1, 0, 0 }, 255 },    { 52, 0.2f, { -1e-3f, 0, 0 }, 51 } };
    static const uint8_t red[4] = { 255, 0, 0, 255 }, blue[4] = { 0, 0, 255, 255 };
    md2_gl *gl = md2_create_plain(false);
    md2_gl_instance instance;
    md2_gl_scene scene;
    gl_target target;
    picture p;
    GLuint textures[2];
    md2_model *model;
    size_t i;
    check_section("md2: light, tint, white");
    CHECK(gl_target_open(&target, 64, 64, 1, GL_RGBA8));
    for (i = 0; i < sizeof lights / sizeof lights[0]; ++i) {
        int shade = lights[i].shade;
        model = md2_square(0, lights[i].normal);
        memset(&instance, 0, sizeof instance);
        memset(&scene, 0, sizeof scene);
        front_view(scene.view_projection);
        scene.ambient = lights[i].ambient;
        memcpy(scene.light_direction, lights[i].light, sizeof scene.light_direction);
        p = md2_draw_square(gl, model, 0, &scene, &instance);
        expect_colour(picture_at(&p, 32, 32), shade, shade, shade, "light on white");
        picture_free(&p);
        instance.tint[0] = 1;
        instance.tint[1] = 0.5f;
        instance.tint[3] = 1;
        p = md2_draw_square(gl, model, 0, &scene, &instance);
        expect_colour(picture_at(&p, 32, 32), shade, shade / 2, 0, "light on a tint");
        picture_free(&p);
        md2_free_model(model);
    }
    model = md2_square(0, 52);
    textures[0] = md2_gl_texture(gl, red, 1, 1);
    textures[1] = md2_gl_texture(gl, blue, 1, 1);
    memset(&instance, 0, sizeof instance);
    for (i = 0; i < 6; ++i) {
        p = md2_draw_square(gl, model, i % 3 == 2 ? 0 : textures[i % 3], &scene, &instance);
        expect_colour(picture_at(&p, 32, 32), i % 3 == 1 ? 0 : 51, i % 3 == 2 ? 51 : 0,
                      i % 3 == 0 ? 0 : 51, "one texture after the other");
        picture_free(&p);
    }
    instance.tint[0] = instance.tint[1] = instance.tint[2] = 1;
    instance.tint[3] = 0.5f;          /* blending is the caller's; the alpha is there for it */
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    scene.ambient = 1;
    p = md2_draw_square(gl, model, 0, &scene, &instance);
    glDisable(GL_BLEND);
    expect_colour(picture_at(&p, 32, 32), 191, 191, 191, "half transparent");
    picture_free(&p);
    glDeleteTextures(2, textures);
    md2_free_model(model);
    gl_target_close(&target);
    md2_destroy(gl);
    expect_no_error("light");
}

/* Textures of odd sizes arrive texel by texel, however the caller unpacks pixels; all their levels
   are there. */
static void md2_test_textures(void)
{
    static const int sizes[][2] = { { 1, 1 },   { 3, 5 },   { 1, 7 },    { 13, 9 },
                                    { 255, 2 }, { 64, 64 }, { 127, 255 } };
    md2_gl *gl = md2_create_plain(false);
    GLuint framebuffer, buffer;
    size_t i, k, hostile;
    check_section("md2: textures of any size");
    glGenFramebuffers(1, &framebuffer);
    glGenBuffers(1, &buffer);
    for (i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; ++i) {
        int width = sizes[i / 2][0], height = sizes[i / 2][1], level = 1;
        size_t bytes = (size_t)width * (size_t)height * 4;
        uint8_t *sent = (uint8_t *)malloc_or_abort(bytes), *got = (uint8_t *)malloc_or_abort(bytes);
        GLuint texture;
        hostile = i % 2;
        for (k = 0; k < bytes; ++k) sent[k] = (uint8_t)(k * 7 + k / 5);
        memset(got, 0, bytes);
        if (hostile) {
            glPixelStorei(GL_UNPACK_ROW_LENGTH, 300);
            glPixelStorei(GL_UNPACK_SKIP_ROWS, 2);
            glPixelStorei(GL_UNPACK_SKIP_PIXELS, 3);
            glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
            glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
        }
        texture = md2_gl_texture(gl, sent, (uint32_t)width, (uint32_t)height);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
        glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
        glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
        CHECK(texture != 0);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, got);
        CHECK(memcmp(sent, got, bytes) == 0);
        while ((width | height) >> level) ++level;
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture,
                               level - 1); /* the last */
        CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        gl_context_bind_framebuffer(&context);
        glDeleteTextures(1, &texture);
        free(sent);
        free(got);
        expect_no_error("texture");
    }
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteBuffers(1, &buffer);
    md2_destroy(gl);
}

/* -- Your own fragment shader ---------------------------------------------- */

static const char own_fragment[] =
    "in vec3 v_position;\nin vec3 v_normal;\nin vec2 v_texcoord;\nin vec4 v_tint;\n"
    "uniform vec4 mine;\nuniform sampler2D skin;\n"
    "layout(location = 0) out vec4 a;\nlayout(location = 1) out vec4 b;\nlayout(location = 2) out "
    "vec4 c;\n"
    "void main() {\n    a = vec4(v_position, mine.x);\n    b = vec4(normalize(v_normal), mine.y);\n"
    "    c = vec4(v_texcoord, v_tint.xy) + 0.0 * texture(skin, v_texcoord);\n}\n";

/* The documented inputs, read from a float target at pixels whose place on the model is known; a
   uniform of one's own. */
static void md2_test_own_shader(void)
{
    static const float mine[4] = { 41, 42, 43, 44 };
    md2_gl_options options;
    md2_gl_instance instance;
    md2_gl_scene scene;
    md2_gl_mesh mesh;
    md2_model *model = md2_square(0, 52);
    gl_target target;
    md2_error error;
    md2_gl *gl;
    int x, y, i;
    check_section("md2: a fragment shader of one's own");
    memset(&options, 0, sizeof options);
    options.fragment_source = own_fragment;
    gl = md2_create(&options);
    CHECK(gl_target_open(&target, 32, 32, 3, GL_RGBA32F));
    memset(&instance, 0, sizeof instance);
    memset(&scene, 0, sizeof scene);
    front_view(scene.view_projection);
    instance.tint[0] = 0.25f;
    instance.tint[1] = 7;
    identity(instance.transform);
    instance.transform[12] = 2.5f;    /* seen in v_position, not in v_normal */
    glUseProgram(md2_gl_program(gl));
    glUniform4fv(glGetUniformLocation(md2_gl_program(gl), "mine"), 1, mine);
    glUseProgram(0);
    clear(0, 0, 0);
    if (md2_upload(gl, model, &mesh)) md2_gl_draw(gl, &mesh, 0, &scene, &instance, 1);
    for (y = 0; y < 32; y += 3) {
        for (x = 0; x < 32; x += 3) {
            float got[3][4], u = ((float)x + 0.5f) / 32, v = ((float)y + 0.5f) / 32;
            for (i = 0; i < 3; ++i) {
                glReadBuffer(GL_COLOR_ATTACHMENT0 + (GLenum)i);
                glReadPixels(x, y, 1, 1, GL_RGBA, GL_FLOAT, got[i]);
            }
            CHECK_NEAR(got[0][0], 2.5, 1e-5);
            CHECK_NEAR(got[0][1], 2 * u - 1, 1e-4);
            CHECK_NEAR(got[0][2], 2 * v - 1, 1e-4);
            CHECK_EQ(got[0][3], 41);
            CHECK_NEAR(got[1][0], 1, 1e-6);
            CHECK_NEAR(got[1][1], 0, 1e-6);
            CHECK_EQ(got[1][3], 42);
            CHECK_NEAR(got[2][0], u, 1e-4);
            CHECK_NEAR(got[2][1], 1 - v, 1e-4);
            CHECK_NEAR(got[2][2], 0.25, 1e-6);
            CHECK_NEAR(got[2][3], 7, 1e-5);
        }
    }
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    md2_gl_free_mesh(gl, &mesh);
    md2_destroy(gl);
    gl_target_close(&target);
    md2_free_model(model);
    expect_no_error("own shader");

    options.fragment_source = "this is no shader\n";
    CHECK(md2_gl_create(get_proc, &options, &error) == NULL);
    CHECK(error.code == MD2_ERROR_GL && strstr(error.message, "fragment") != NULL &&
          strlen(error.message) > 24);
    printf("%s refuses a shader: %s\n", context.name, error.message);
    options.fragment_source =
        "in vec2 v_normal;\nout vec4 a;\nvoid main() { a = vec4(v_normal, 1.0, 1.0); }\n";
    CHECK(md2_gl_create(get_proc, &options, &error) == NULL);
    CHECK(error.code == MD2_ERROR_GL && strstr(error.message, "link") != NULL &&
          strlen(error.message) > 12);
    options.fragment_source = NULL;
    options.version_line = "#version 999";
    CHECK(md2_gl_create(get_proc, &options, &error) == NULL);
    CHECK(error.code == MD2_ERROR_GL && strstr(error.message, "vertex") != NULL);
    options.version_line = context.es ? "#version 310 es" : "#version 400 core";
    gl = md2_gl_create(get_proc, &options, &error);
    CHECK(gl != NULL);
    md2_destroy(gl);
    while (glGetError() != GL_NO_ERROR) {}
    context.debug_errors = 0;         /* the driver has complained of the shaders, as it should */
}

/* -- The caller's state ---------------------------------------------------- */

enum { STATE_UNITS = 8, STATE_WORDS = 80 };

typedef struct caller {               /* objects of the caller */
    GLuint program, array, buffers[5], textures[STATE_UNITS], samplers[STATE_UNITS];
} caller;

typedef struct caller_state { GLint word[STATE_WORDS]; int count; } caller_state;

static void remember(caller_state *state, GLenum name, int words)
{
    GLint values[4] = { 0, 0, 0, 0 };
    int i;
    glGetIntegerv(name, values);
    for (i = 0; i < words && state->count < STATE_WORDS; ++i)
        state->word[state->count++] = values[i];
}

static caller_state remember_all(void)
{
    static const GLenum single[] = { GL_CURRENT_PROGRAM,
                                     GL_VERTEX_ARRAY_BINDING,
                                     GL_ARRAY_BUFFER_BINDING,
                                     GL_ELEMENT_ARRAY_BUFFER_BINDING,
                                     GL_PIXEL_UNPACK_BUFFER_BINDING,
                                     GL_PIXEL_PACK_BUFFER_BINDING,
                                     GL_UNIFORM_BUFFER_BINDING,
                                     GL_COPY_READ_BUFFER,
                                     GL_COPY_WRITE_BUFFER,
                                     GL_TRANSFORM_FEEDBACK_BUFFER_BINDING,
                                     GL_ACTIVE_TEXTURE,
                                     GL_UNPACK_ROW_LENGTH,
                                     GL_UNPACK_SKIP_ROWS,
                                     GL_UNPACK_SKIP_PIXELS,
                                     GL_UNPACK_ALIGNMENT,
                                     GL_UNPACK_SKIP_IMAGES,
                                     GL_UNPACK_IMAGE_HEIGHT,
                                     GL_PACK_ALIGNMENT,
                                     GL_PACK_ROW_LENGTH,
                                     GL_DRAW_FRAMEBUFFER_BINDING,
                                     GL_READ_FRAMEBUFFER_BINDING,
                                     GL_RENDERBUFFER_BINDING,
                                     GL_DEPTH_TEST,
                                     GL_DEPTH_FUNC,
                                     GL_DEPTH_WRITEMASK,
                                     GL_BLEND,
                                     GL_BLEND_SRC_RGB,
                                     GL_BLEND_DST_ALPHA,
                                     GL_CULL_FACE,
                                     GL_CULL_FACE_MODE,
                                     GL_FRONT_FACE,
                                     GL_SCISSOR_TEST,
                                     GL_STENCIL_TEST,
                                     GL_RASTERIZER_DISCARD };
    caller_state state;
    GLint active = 0;
    size_t i;
    memset(&state, 0, sizeof state);
    for (i = 0; i < sizeof single / sizeof single[0]; ++i) remember(&state, single[i], 1);
    remember(&state, GL_VIEWPORT, 4);
    remember(&state, GL_COLOR_WRITEMASK, 4);
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (i = 0; i < STATE_UNITS; ++i) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        remember(&state, GL_TEXTURE_BINDING_2D, 1);
        remember(&state, GL_TEXTURE_BINDING_CUBE_MAP, 1);
        remember(&state, GL_SAMPLER_BINDING, 1);
    }
    glActiveTexture((GLenum)active);
    CHECK(state.count < STATE_WORDS);
    return state;
}

static void make_caller(caller *c)
{
    static const uint8_t texel[4] = { 1, 2, 3, 4 };
    GLuint program = glCreateProgram(), shader;
    const char *source[2];
    GLenum i;
    for (i = 0; i < 2; ++i) {
        shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        source[0] =
            context.es ? "#version 300 es\nprecision highp float;\n" : "#version 330 core\n";
        source[1] = i ? "out vec4 c;\nvoid main() { c = vec4(1.0); }\n"
                      : "void main() { gl_Position = vec4(0.0); }\n";
        glShaderSource(shader, 2, source, NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    c->program = program;
    glGenVertexArrays(1, &c->array);
    glGenBuffers(5, c->buffers);
    glGenTextures(STATE_UNITS, c->textures);
    glGenSamplers(STATE_UNITS, c->samplers);
    for (i = 0; i < STATE_UNITS; ++i) {
        glActiveTexture(GL_TEXTURE0 + i);
        glBindTexture(GL_TEXTURE_2D, c->textures[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
        glSamplerParameteri(c->samplers[i], GL_TEXTURE_MIN_FILTER,
                            GL_LINEAR); /* incomplete over whole numbers */
        glSamplerParameteri(c->samplers[i], GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glBindSampler(i, c->samplers[i]);
    }
    glActiveTexture(GL_TEXTURE5);
    glBindVertexArray(c->array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, c->buffers[0]);
    glBindBuffer(GL_ARRAY_BUFFER, c->buffers[1]);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, c->buffers[2]);
    glBindBuffer(GL_UNIFORM_BUFFER, c->buffers[3]);
    glBindBuffer(GL_COPY_READ_BUFFER, c->buffers[4]);
    glUseProgram(c->program);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 55);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 1);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 9);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 2);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 7);
    glPixelStorei(GL_UNPACK_SKIP_IMAGES, 1);
}

static void free_caller(caller *c)
{
    GLuint i;
    glUseProgram(0);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
    glPixelStorei(GL_UNPACK_SKIP_IMAGES, 0);
    glDeleteProgram(c->program);
    glDeleteVertexArrays(1, &c->array);
    glDeleteBuffers(5, c->buffers);
    glDeleteTextures(STATE_UNITS, c->textures);
    glDeleteSamplers(STATE_UNITS, c->samplers);
    for (i = 0; i < STATE_UNITS; ++i) glBindSampler(i, 0);
    glActiveTexture(GL_TEXTURE0);
}

static void expect_same_state(const caller_state *then, const char *what)
{
    caller_state now = remember_all();
    int i;
    check_subject(what);
    for (i = 0; i < now.count; ++i) CHECK_EQ(now.word[i], then->word[i]);
    check_subject("");
}

/* One picture in a fresh context and one among a caller's bindings: the same, and the bindings are
   as they were. */
static void md2_test_state(void)
{
    static const uint32_t units[3] = { 0, 3, 6 };
    md2_gl_options options;
    md2_gl_instance instances[2];
    md2_gl_scene scene;
    md2_gl_mesh mesh;
    md2_model *model = md2_square(0, 52);
    uint8_t pixels[16 * 16 * 4];
    gl_target target;
    int pass, leave;
    check_section("md2: the caller's state");
    CHECK(gl_target_open(&target, 64, 64, 1, GL_RGBA8));
    memset(instances, 0, sizeof instances);
    memset(&scene, 0, sizeof scene);
    front_view(scene.view_projection);
    scene.ambient = 1;
    four_colours(pixels, false);
    for (leave = 0; leave < 2; ++leave) {
        for (pass = 0; pass < 4; ++pass) {
            caller_state then;
            caller c;
            md2_gl *gl;
            GLuint texture;
            picture p;
            memset(&c, 0, sizeof c);
            memset(&options, 0, sizeof options);
            options.texture_unit = pass ? units[pass - 1] : 0;
            options.leave_state = leave != 0;
            if (pass) make_caller(&c); /* the first without */
            expect_no_error("the test's own calls");
            then = remember_all();
            gl = md2_create(&options);
            if (!leave) expect_same_state(&then, "create");
            CHECK(md2_upload(gl, model, &mesh));
            if (!leave) expect_same_state(&then, "upload");
            texture = md2_gl_texture(gl, pixels, 16, 16);
            if (!leave) expect_same_state(&then, "texture");
            clear(0, 0, 0);
            md2_gl_draw(gl, &mesh, texture, &scene, instances, 2);
            if (!leave) expect_same_state(&then, "draw");
            p = read_picture(64, 64);
            expect_corners(&p, "among the caller's bindings");
            picture_free(&p);
            md2_gl_free_mesh(gl, &mesh);
            md2_gl_free_mesh(gl, &mesh);
            if (!leave) expect_same_state(&then, "free_mesh");
            if (leave) md2_destroy(gl);
            else md2_gl_destroy(gl);
            if (!leave) expect_same_state(&then, "destroy");
            glDeleteTextures(1, &texture);
            expect_no_error("state");
            if (pass) free_caller(&c);
            else glUseProgram(0);
            glBindVertexArray(0);
            glActiveTexture(GL_TEXTURE0);
        }
    }
    gl_target_close(&target);
    md2_free_model(model);
    expect_no_error("state");
}

/* Two renderers with their own units and shaders draw by turns; one goes, the other draws on. */
static void md2_test_two_renderers(void)
{
    static const char plain_red[] = "out vec4 c;\nvoid main() { c = vec4(1.0, 0.0, 0.0, 1.0); }\n";
    md2_gl_options options;
    md2_gl_instance instance;
    md2_gl_scene scene;
    md2_gl_mesh a, b;
    md2_model *model = md2_square(0, 52);
    uint8_t pixels[16 * 16 * 4];
    gl_target target;
    md2_gl *first, *second;
    GLuint texture;
    picture p;
    int i;
    check_section("md2: two renderers at once");
    CHECK(gl_target_open(&target, 64, 64, 1, GL_RGBA8));
    memset(&options, 0, sizeof options);
    first = md2_create(&options);
    options.fragment_source = plain_red;
    options.texture_unit = 4;
    second = md2_create(&options);
    memset(&instance, 0, sizeof instance);
    memset(&scene, 0, sizeof scene);
    front_view(scene.view_projection);
    scene.ambient = 1;
    four_colours(pixels, false);
    texture = md2_gl_texture(second, pixels, 16, 16); /* a texture is any renderer's */
    CHECK(md2_upload(first, model, &a) && md2_upload(second, model, &b));
    for (i = 0; i < 3; ++i) {
        clear(0, 0, 0);
        md2_gl_draw(second, &b, texture, &scene, &instance, 1);
        p = read_picture(64, 64);
        expect_colour(picture_at(&p, 53, 53), 255, 0, 0, "the second renderer");
        picture_free(&p);
        if (i == 2) {
            md2_gl_free_mesh(second, &b);
            md2_destroy(second);
        }
        clear(0, 0, 0);
        md2_gl_draw(first, &a, texture, &scene, &instance, 1);
        p = read_picture(64, 64);
        expect_corners(&p, "the first renderer");
        picture_free(&p);
    }
    md2_gl_free_mesh(first, &a);
    md2_destroy(first);
    glDeleteTextures(1, &texture);
    gl_target_close(&target);
    md2_free_model(model);
    expect_no_error("two renderers");
}

/* -- A model for the eye: a figure of boxes in 198 frames ------------------ */

enum { PARTS = 8, BOX_POINTS = 24, TILE = 16, SKIN = 128 };

typedef struct part { /* a box from low to high, turned about the y axis through its pivot */
    float low[3], high[3], pivot[3];
} part;

static const part figure[PARTS] = {   /* X forward, Y left, Z up; feet at -24 */
    { { -3, -6, 0 }, { 3, 6, 16 }, { 0, 0, 0 } },           /* the trunk */
    { { -4, -4, 17 }, { 4, 4, 27 }, { 0, 0, 17 } },         /* the head */
    { { -2, 6.5f, 1 }, { 2, 9.5f, 16 }, { 0, 0, 15 } },     /* left arm */
    { { -2, -9.5f, 1 }, { 2, -6.5f, 16 }, { 0, 0, 15 } },   /* right arm */
    { { -2.5f, 0.5f, -24 }, { 2.5f, 5.5f, 0 }, { 0, 0, 0 } }, /* left leg */
    { { -2.5f, -5.5f, -24 }, { 2.5f, -0.5f, 0 }, { 0, 0, 0 } }, /* right leg */
    { { 0, -8.5f, -1 }, { 22, -7.5f, 2 }, { 0, 0, 15 } },   /* a sword in the right hand */
    { { -6, -4, 3 }, { -3, 4, 14 }, { 0, 0, 0 } }           /* a pack on the back */
};

/* How far each part is turned in a frame: legs and arms swing when it walks, the sword arm strikes
   when it attacks. */
static float figure_turn(int which, uint32_t frame)
{
    float swing = (float)sin(frame * 1.0471975512) * 0.7f; /* six frames a round */
    bool walks = frame < 46 ? frame >= 40 : frame >= 154 && frame < 160;
    if (walks && (which == 2 || which == 5)) return swing;
    if (walks && (which == 3 || which == 6 || which == 4)) return -swing;
    if (frame >= 46 && frame < 54 && (which == 3 || which == 6))
        return -2.4f + 0.3f * (float)(frame - 46);
    if (frame >= 112 && frame < 123 && which == 2)
        return -2.8f + (frame % 2 ? 0.4f : 0.0f); /* waves its left hand */
    if (frame >= 84 && frame < 95 && which == 3) return -2.0f;
    return 0;
}

static uint8_t nearest_normal(const float direction[3])
{
    uint32_t i, best = 0;
    for (i = 1; i < 162; ++i) {
        if (dot(md2_normal(i), direction) > dot(md2_normal(best), direction)) best = i;
    }
    return (uint8_t)best;
}

/* Corner `k` of a face, going clockwise to who looks at it from outside, from its upper left; u to
   the right, v down. */
static void box_corner(const part *box, int face, int k, float out[3], float normal[3])
{
    static const float normals[6][3] = { { 1, 0, 0 },  { -1, 0, 0 }, { 0, 1, 0 },
                                         { 0, -1, 0 }, { 0, 0, 1 },  { 0, 0, -1 } };
    static const float ups[6][3] = { { 0, 0, 1 }, { 0, 0, 1 },  { 0, 0, 1 },
                                     { 0, 0, 1 }, { -1, 0, 0 }, { 1, 0, 0 } };
    float right[3];
    int i;
    cross(ups[face], normals[face], right);
    for (i = 0; i < 3; ++i) {
        float side = normals[face][i] + ups[face][i] * (k < 2 ? 1.0f : -1.0f) +
                     right[i] * (k == 1 || k == 2 ? 1.0f : -1.0f);
        out[i] = side > 0 ? box->high[i] : box->low[i];
        normal[i] = normals[face][i];
    }
}

static void turn(float v[3], const float pivot[3], float angle)
{
    float x = v[0] - pivot[0], z = v[2] - pivot[2], c = (float)cos((double)angle),
          s = (float)sin((double)angle);
    v[0] = pivot[0] + c * x + s * z;
    v[2] = pivot[2] - s * x + c * z;
}

static void figure_point(m2_file *f, uint32_t frame, int which, int face, int k)
{
    static const float origin[3] = { 0, 0, 0 };
    float at[3], normal[3], angle = figure_turn(which, frame);
    int byte[3], i;
    box_corner(&figure[which], face, k, at, normal);
    turn(at, figure[which].pivot, angle);
    turn(normal, origin, angle);
    for (i = 0; i < 3; ++i) {
        byte[i] = (int)((at[i] - f->frames[frame].translate[i]) / f->frames[frame].scale[i] + 0.5f);
    }
    m2_set_point(f, frame, (uint32_t)(which * BOX_POINTS + face * 4 + k), byte[0], byte[1], byte[2],
                 nearest_normal(normal));
}

static md2_model *md2_figure(uint32_t flags)
{
    static const int corner[4][2] = { { 0, 0 }, { TILE, 0 }, { TILE, TILE }, { 0, TILE } };
    static const int order[6] = { 0, 1, 2, 0, 2, 3 };
    m2_bytes bytes;
    m2_file f;
    uint32_t frame;
    char name[16];
    int which, face, k;
    m2_begin(&f, 1, PARTS * BOX_POINTS, PARTS * BOX_POINTS, PARTS * 12, 0, M2_PLAYER_FRAMES);
    f.skin_width = f.skin_height = SKIN;
    m2_skin(&f, 0, "figure.pcx");
    for (frame = 0; frame < M2_PLAYER_FRAMES; ++frame) {
        m2_player_name(frame, name);
        m2_frame(&f, frame, name, 64.0f / 255, -32.0f);
        for (which = 0; which < PARTS; ++which) {
            for (face = 0; face < 6; ++face) {
                for (k = 0; k < 4; ++k) figure_point(&f, frame, which, face, k);
            }
        }
    }
    for (which = 0; which < PARTS * 6; ++which) {
        for (k = 0; k < 4; ++k) {
            f.st[(which * 4 + k) * 2] = (int16_t)(which % 6 * TILE + corner[k][0]);
            f.st[(which * 4 + k) * 2 + 1] = (int16_t)(which / 6 * TILE + corner[k][1]);
        }
        for (k = 0; k < 6; ++k) {
            uint16_t point = (uint16_t)(which * 4 + order[k]);
            f.tris[which * 12 + k / 3 * 6 + k % 3] = f.tris[which * 12 + k / 3 * 6 + 3 + k % 3] =
                point;
        }
    }
    bytes = m2_write(&f);
    m2_end(&f);
    return md2_from_bytes(&bytes, flags);
}

/* 16 rows of 16, one letter a texel. */
static const char *const face_tile[TILE] = {
    "hhhhhhhhhhhhhhhh", "hhhhhhhhhhhhhhhh", "hhhhhhhhhhhhhhhh", "hhsssssssssssshh",
    "hsssssssssssssSh", "ssskkkssskkkssss", "ssswkksssswkksss", "ssswwksssswwksss",
    "ssssssssssssssss", "sssssssSssssssss", "sssssssSSsssssss", "ssssssssssssssss",
    "sssrrrrrrrrrssss", "sssswwwwwwrrssss", "sssssrrrrrssssss", "ssssssssssssssss"
};

static const char
    *const letter_tile[TILE] = { /* an F: neither its mirror image nor itself upside down */
                                 "................", ".wwwwwwwwwwwww..", ".wwwwwwwwwwwww..",
                                 ".www............", ".www............", ".www............",
                                 ".www............", ".wwwwwwwww......", ".wwwwwwwww......",
                                 ".www............", ".www............", ".www............",
                                 ".www............", ".www............", ".www............",
                                 "................"
    };

static void paint(uint8_t *texel, char letter, const uint8_t ground[3])
{
    static const char letters[] = "hsSkwr";
    static const uint8_t colours[6][3] = { { 90, 50, 20 }, { 230, 180, 140 }, { 190, 140, 100 },
                                           { 10, 10, 30 }, { 250, 250, 245 }, { 200, 40, 40 } };
    const char *found = strchr(letters, letter);
    memcpy(texel, letter != '.' && found ? colours[found - letters] : ground, 3);
    texel[3] = 255;
}

/* Each box has its colour; left is blue, right is red. The head has a face, trunk and pack an F,
   the rest a border. */
static void figure_skin(uint8_t *rgba, bool from_below)
{
    static const uint8_t grounds[PARTS][3] = { { 60, 120, 60 },   { 230, 180, 140 },
                                               { 60, 80, 220 },   { 210, 60, 50 },
                                               { 40, 60, 160 },   { 150, 40, 40 },
                                               { 180, 185, 200 }, { 140, 100, 50 } };
    int x, y;
    for (y = 0; y < SKIN; ++y) {
        for (x = 0; x < SKIN; ++x) {
            int which = y / TILE, face = x / TILE, tx = x % TILE, ty = y % TILE;
            uint8_t *texel = rgba + ((from_below ? SKIN - 1 - y : y) * SKIN + x) * 4;
            bool border = tx == 0 || ty == 0 || tx == TILE - 1 || ty == TILE - 1;
            char letter = '.';
            if (which == 1)
                letter = face == 0                          ? face_tile[ty][tx]
                         : face == 4 || face == 1 || ty < 5 ? 'h'
                                                            : 's';
            else if (which == 0 || which == 7) letter = letter_tile[ty][tx];
            else if (border) letter = which == 6 ? 'k' : 'w';
            paint(texel, letter, grounds[which]);
        }
    }
}

/* -- Pictures -------------------------------------------------------------- */

enum { SIDE = 256, MD5_MODELS_FLOOR = 100 };

static void golden_path(char *out, size_t size, const char *where, const char *name)
{
    snprintf(out, size, "%s/%s.png", where, name);
}

/* Compares what was drawn with the picture of record; writes it beside when it differs. Only the
   `first` way to draw a picture is the one to record. */
static void expect_golden(const char *name, bool first)
{
    char path[600], own_path[600];
    picture now = read_picture(SIDE, SIDE), record;
    picture_distance d;
    check_subject(name);
    golden_path(path, sizeof path, golden, name);
    golden_path(own_path, sizeof own_path, scratch, name);
    if (recording && first && !context.es) CHECK(picture_write_png(path, &now));
    if (CHECK(picture_read_png(path, &record))) {
        d = picture_compare(&now, &record);
        if (!CHECK(picture_alike(d))) {
            picture_write_png(own_path, &now);
            printf("    %s: %u of %u pixels are off by more than 8, worst %d; see %s\n",
                   context.name, d.over, d.pixels, d.worst, own_path);
        }
        printf("%s: %s: %u pixels off by more than 8, worst %d\n", context.name, name, d.over,
               d.worst);
        picture_free(&record);
    }
    picture_free(&now);
    ++counted.pictures;
    check_subject("");
    expect_no_error(name);
}

static void begin_picture(void)
{
    clear(0.30f, 0.34f, 0.40f);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
}

static void end_picture(const char *name, bool first)
{
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    expect_golden(name, first);
}

static void place(md2_gl_instance *instance, float x, float y, float z, float heading)
{
    memset(instance->transform, 0, sizeof instance->transform);
    instance->transform[0] = instance->transform[5] = (float)cos((double)heading);
    instance->transform[1] = (float)sin((double)heading);
    instance->transform[4] = -instance->transform[1];
    instance->transform[10] = instance->transform[15] = 1;
    instance->transform[12] = x;
    instance->transform[13] = y;
    instance->transform[14] = z;
}

static md2_pose pose_of(const md2_model *model, const char *name, double seconds)
{
    const md2_anim *anim = md2_find_anim(model, name);
    CHECK(anim != NULL);
    return md2_pose_at(anim, MD2_LOOP, seconds);
}

/* A cube, each side with an F, lit from above and its right. */
static void md2_picture_cube(md2_gl *gl, uint32_t texture)
{
    md2_model *model;
    md2_gl_instance instance;
    md2_gl_scene scene;
    md2_gl_mesh mesh;
    m2_bytes bytes;
    m2_file f;
    static const part box = { { 0, 0, 0 }, { 255, 255, 255 }, { 0, 0, 0 } };
    static const int order[6] = { 0, 1, 2, 0, 2, 3 };
    int side, k;
    m2_begin(&f, 0, 24, 24, 12, 0, 1);
    f.skin_width = f.skin_height = SKIN;
    m2_frame(&f, 0, "cube", 2.0f / 255, -1.0f);
    for (side = 0; side < 6; ++side) {
        for (k = 0; k < 4; ++k) {
            float at[3], normal[3];
            box_corner(&box, side, k, at, normal);
            m2_set_point(&f, 0, (uint32_t)(side * 4 + k), (int)at[0], (int)at[1], (int)at[2],
                         nearest_normal(normal));
            f.st[(side * 4 + k) * 2] = (int16_t)(side * TILE + (k == 1 || k == 2 ? TILE : 0));
            f.st[(side * 4 + k) * 2 + 1] = (int16_t)(k < 2 ? 0 : TILE);
        }
        for (k = 0; k < 6; ++k) {
            f.tris[side * 12 + k / 3 * 6 + k % 3] = f.tris[side * 12 + k / 3 * 6 + 3 + k % 3] =
                (uint16_t)(side * 4 + order[k]);
        }
    }
    bytes = m2_write(&f);
    m2_end(&f);
    model = md2_from_bytes(&bytes, 0);
    memset(&instance, 0, sizeof instance);
    memset(&scene, 0, sizeof scene);
    scene.light_direction[0] = 1;
    scene.light_direction[1] = -2;
    scene.light_direction[2] = 3;
    camera(3, 2, 2, 0, 0, 0, false, 0.45f, scene.view_projection);
    begin_picture();
    if (md2_upload(gl, model, &mesh)) md2_gl_draw(gl, &mesh, texture, &scene, &instance, 1);
    end_picture("md2_cube", true);
    md2_gl_free_mesh(gl, &mesh);
    md2_free_model(model);
}

/* A ball, the strip of letters once around it: smooth in the light from the upper left, closed
   where the strip ends. */
static void md2_picture_ball(md2_gl *gl, uint32_t texture)
{
    enum { AROUND = 24, UP = 12 };
    md2_model *model;
    md2_gl_instance instances[2];
    md2_gl_scene scene;
    md2_gl_mesh mesh;
    m2_bytes bytes;
    m2_file f;
    int row, column, k;
    m2_begin(&f, 0, AROUND * (UP + 1), (AROUND + 1) * (UP + 1), AROUND * UP * 2, 0, 1);
    f.skin_width = f.skin_height = SKIN;
    m2_frame(&f, 0, "ball", 2.0f / 254, -1.0f);
    for (row = 0; row <= UP; ++row) {
        for (column = 0; column <= AROUND; ++column) {
            double around = column * 6.283185307179586 / AROUND, up = row * 3.141592653589793 / UP;
            float at[3];
            int st = row * (AROUND + 1) + column;
            at[0] = (float)(cos(around) * sin(up));
            at[1] = (float)(sin(around) * sin(up));
            at[2] = (float)cos(up);
            f.st[st * 2] = (int16_t)(column * 6 * TILE / AROUND);
            f.st[st * 2 + 1] = (int16_t)(row * TILE / UP);
            if (column == AROUND) continue; /* the seam: the first point once more */
            m2_set_point(&f, 0, (uint32_t)(row * AROUND + column), (int)(127.5f + 127 * at[0]),
                         (int)(127.5f + 127 * at[1]), (int)(127.5f + 127 * at[2]),
                         nearest_normal(at));
        }
    }
    for (k = 0; k < AROUND * UP * 2; ++k) {
        static const int corners[2][3][2] = { { { 0, 0 }, { 1, 1 }, { 1, 0 } },
                                              { { 0, 0 }, { 0, 1 }, { 1, 1 } } };
        int corner;
        row = k / 2 / AROUND;
        column = k / 2 % AROUND;
        for (corner = 0; corner < 3; ++corner) {
            int down = row + corners[k % 2][corner][0], along = column + corners[k % 2][corner][1];
            f.tris[k * 6 + corner] = (uint16_t)(down * AROUND + along % AROUND);
            f.tris[k * 6 + 3 + corner] = (uint16_t)(down * (AROUND + 1) + along);
        }
    }
    bytes = m2_write(&f);
    m2_end(&f);
    model = md2_from_bytes(&bytes, 0);
    memset(instances, 0, sizeof instances);
    memset(&scene, 0, sizeof scene);
    place(&instances[0], 0, -1.1f, 0, -0.4f);
    place(&instances[1], 0, 1.1f, 0, 2.7f); /* the side with the seam */
    scene.ambient = 0.1f;
    scene.light_direction[0] = 1;
    scene.light_direction[1] = -1;    /* the left of who looks along -X */
    scene.light_direction[2] = 1;
    camera(5, 0, 1.5f, 0, 0, 0, false, 0.45f, scene.view_projection);
    begin_picture();
    if (md2_upload(gl, model, &mesh)) md2_gl_draw(gl, &mesh, texture, &scene, instances, 2);
    end_picture("md2_ball", true);
    md2_gl_free_mesh(gl, &mesh);
    md2_free_model(model);
}

/* Four of the figure side by side: standing, walking, striking, waving; lit from its right. */
static void md2_draw_poses(md2_gl *gl, uint32_t texture, uint32_t flags)
{
    md2_model *model = md2_figure(flags);
    md2_gl_instance instances[4];
    md2_gl_scene scene;
    md2_gl_mesh mesh;
    int i;
    bool y_up = (flags & MD2_Y_UP) != 0;
    memset(instances, 0, sizeof instances);
    memset(&scene, 0, sizeof scene);
    instances[0].pose = pose_of(model, "stand", 0.5);
    instances[1].pose = pose_of(model, "run", 0.13);
    instances[2].pose =
        md2_pose_mix(pose_of(model, "attack", 0.1), pose_of(model, "stand", 0.0), 0.25f);
    instances[3].pose = pose_of(model, "wave", 0.45);
    for (i = 0; i < 4; ++i) {
        float y = 36 - 24.0f * (float)i;
        identity(instances[i].transform);
        instances[i].transform[y_up ? 12 : 13] = y;
    }
    scene.light_direction[y_up ? 2 : 0] = 2;
    scene.light_direction[y_up ? 0 : 1] = -2;
    scene.light_direction[y_up ? 1 : 2] = 2;
    if (y_up) camera(25, 35, 110, 0, 0, 0, true, 0.45f, scene.view_projection);
    else camera(110, 25, 35, 0, 0, 0, false, 0.45f, scene.view_projection);
    begin_picture();
    if (md2_upload(gl, model, &mesh)) md2_gl_draw(gl, &mesh, texture, &scene, instances, 4);
    md2_gl_free_mesh(gl, &mesh);
    md2_free_model(model);
}

static void md2_draw_crowd(md2_gl *gl, uint32_t texture)
{
    static const char *const names[4] = { "run", "stand", "attack", "wave" };
    md2_model *model = md2_figure(0);
    md2_gl_instance *instances = (md2_gl_instance *)malloc_or_abort(64 * sizeof *instances);
    md2_gl_scene scene;
    md2_gl_mesh mesh;
    int i;
    memset(instances, 0, 64 * sizeof *instances);
    memset(&scene, 0, sizeof scene);
    for (i = 0; i < 64; ++i) {
        instances[i].pose = pose_of(model, names[(i + i / 8) % 4], i * 0.137);
        place(&instances[i], (float)(i / 8) * 36 - 130, (float)(i % 8) * 32 - 112, 0,
              (float)(i % 7) * 0.4f - 1.2f);
        instances[i].tint[0] = i % 5 == 0 ? 0.6f : 1;
        instances[i].tint[1] = i % 5 == 1 ? 0.6f : 1;
        instances[i].tint[2] = i % 5 == 2 ? 0.6f : 1;
        instances[i].tint[3] = 1;
    }
    scene.ambient = 0.4f;
    scene.light_direction[0] = 1;
    scene.light_direction[1] = 1;
    scene.light_direction[2] = 2;
    camera(270, 40, 190, 0, 0, 0, false, 0.47f, scene.view_projection);
    begin_picture();
    if (md2_upload(gl, model, &mesh)) md2_gl_draw(gl, &mesh, texture, &scene, instances, 64);
    md2_gl_free_mesh(gl, &mesh);
    md2_free_model(model);
    free(instances);
}

/* Tints: none, red, dark, and one that is half transparent over the others; one turned away, one
   mirrored. */
static void md2_draw_tints(md2_gl *gl, uint32_t texture)
{
    static const float tints[4][4] = {
        { 0, 0, 0, 0 }, { 1, 0.4f, 0.4f, 1 }, { 0.35f, 0.35f, 0.45f, 1 }, { 0.5f, 1, 1, 0.5f }
    };
    md2_model *model = md2_figure(0);
    md2_gl_instance instances[4];
    md2_gl_scene scene;
    md2_gl_mesh mesh;
    int i;
    memset(instances, 0, sizeof instances);
    memset(&scene, 0, sizeof scene);
    for (i = 0; i < 4; ++i) {
        instances[i].pose = pose_of(model, "stand", 0);
        memcpy(instances[i].tint, tints[i], sizeof tints[i]);
        place(&instances[i], i == 3 ? 20.0f : 0, i == 3 ? -6.0f : 30 - 30.0f * (float)i, 0,
              i == 1 ? 3.1415927f : 0);
    }
    camera(105, 10, 25, 0, 0, 0, false, 0.42f, scene.view_projection); /* lit from the camera */
    begin_picture();
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    if (md2_upload(gl, model, &mesh)) md2_gl_draw(gl, &mesh, texture, &scene, instances, 4);
    glDisable(GL_BLEND);
    md2_gl_free_mesh(gl, &mesh);
    md2_free_model(model);
}

static void md2_test_pictures(void)
{
    static uint8_t skin[SKIN * SKIN * 4], below[SKIN * SKIN * 4];
    md2_gl *gl = md2_create_plain(false);
    gl_target target;
    GLuint textures[2];
    check_section("md2: pictures");
    CHECK(gl_target_open(&target, SIDE, SIDE, 1, GL_RGBA8));
    figure_skin(skin, false);
    figure_skin(below, true);
    textures[0] = md2_gl_texture(gl, skin, SKIN, SKIN);
    textures[1] = md2_gl_texture(gl, below, SKIN, SKIN);
    md2_picture_cube(gl, textures[0]);
    md2_draw_poses(gl, textures[0], 0);
    end_picture("md2_poses", true);
    md2_draw_poses(gl, textures[0], MD2_Y_UP);
    end_picture("md2_poses", false); /* other axes and another camera: the same picture */
    md2_draw_poses(gl, textures[1], MD2_FLIP_V);
    end_picture("md2_poses", false);
    md2_picture_ball(gl, textures[0]);
    md2_draw_crowd(gl, textures[0]);
    end_picture("md2_crowd", true);
    md2_draw_tints(gl, textures[0]);
    end_picture("md2_tints", true);
    glDeleteTextures(2, textures);
    gl_target_close(&target);
    md2_destroy(gl);
    expect_no_error("pictures");
}

/* A picture must be able to fail: the next frame of an animation, a mirrored skin and another light
   all do. */
static void md2_test_pictures_can_fail(void)
{
    static uint8_t skin[SKIN * SKIN * 4];
    md2_gl *gl = md2_create_plain(false);
    gl_target target;
    char path[600];
    picture record, other;
    GLuint texture;
    check_section("md2: a wrong picture is seen");
    CHECK(gl_target_open(&target, SIDE, SIDE, 1, GL_RGBA8));
    figure_skin(skin, true);          /* upside down */
    texture = md2_gl_texture(gl, skin, SKIN, SKIN);
    golden_path(path, sizeof path, golden, "md2_poses");
    if (CHECK(picture_read_png(path, &record))) {
        md2_draw_poses(gl, texture, 0);
        other = read_picture(SIDE, SIDE);
        CHECK(!picture_alike(picture_compare(&record, &other)));
        picture_free(&other);
        md2_draw_poses(gl, 0, MD2_KEEP_WINDING); /* inside out */
        other = read_picture(SIDE, SIDE);
        CHECK(!picture_alike(picture_compare(&record, &other)));
        picture_free(&other);
        picture_free(&record);
    }
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDeleteTextures(1, &texture);
    gl_target_close(&target);
    md2_destroy(gl);
    expect_no_error("wrong pictures");
}

/* -- Models of other people, where $MODELS names a folder ------------------ */

static void md2_test_models(void)
{
    file_list files = list_models("md2", ".md2");
    random_source random = { 5 };
    md2_gl *gl = md2_create_plain(true);
    gl_target target;
    unsigned long drawn = 0;
    size_t i;
    check_section("md2: models of other people");
    CHECK(gl_target_open(&target, 64, 64, 1, GL_RGBA8));
    for (i = 0; i < files.count; ++i) {
        md2_gl_instance instances[2];
        md2_options options;
        md2_gl_mesh mesh;
        md2_error error;
        md2_model *model;
        memset(&options, 0, sizeof options);
        options.flags = i % 3 == 2 ? MD2_Y_UP : 0;
        model = md2_load_file(files.path[i], &options, &error);
        if (!model) continue;
        check_subject(files.path[i]);
        random_instance(&random, model, &instances[0]);
        random_instance(&random, model, &instances[1]);
        if (md2_upload(gl, model, &mesh)) md2_expect_vertices(gl, model, &mesh, instances, 2);
        md2_gl_free_mesh(gl, &mesh);
        md2_free_model(model);
        expect_no_error(files.path[i]);
        ++drawn;
    }
    check_subject("");
    if (files.count) CHECK_FLOOR(drawn, 350, "md2 models of $MODELS drawn");
    counted.models += drawn;
    file_list_free(&files);
    gl_target_close(&target);
    md2_destroy(gl);
}

/* -- Figures, printed and never checked ------------------------------------ */

static double thread_milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void GLAD_API_PTR draw_nothing(GLenum mode, GLsizei count, GLenum type, const void *indices,
                                      GLsizei instances)
{
    (void)mode;
    (void)count;
    (void)type;
    (void)indices;
    counted.draws += instances > 0;
}

/* A GPU that takes no time: this driver's vertex shader runs on the thread that draws. */
static md2_gl_proc get_proc_without_gpu(const char *name)
{
    return strcmp(name, "glDrawElementsInstanced") == 0 ? (md2_gl_proc)draw_nothing
                                                        : get_proc(name);
}

static double md2_time_draw(md2_gl *gl, const md2_gl_mesh *mesh, const md2_gl_instance *instances,
                            size_t count)
{
    md2_gl_scene scene;
    double best = 1e9;
    int k;
    memset(&scene, 0, sizeof scene);
    identity(scene.view_projection);
    for (k = 0; k < (count > 1000 ? 5 : 50); ++k) {
        double start = thread_milliseconds(), spent;
        md2_gl_draw(gl, mesh, 0, &scene, instances, count);
        spent = thread_milliseconds() - start;
        glFinish();
        if (spent < best) best = spent;
    }
    return best;
}

static void md2_print_figures(void)
{
    static const size_t sizes[3] = { 1, 100, 10000 };
    md2_model *model = md2_figure(0);
    md2_gl_instance *instances = (md2_gl_instance *)malloc_or_abort(10000 * sizeof *instances);
    md2_gl_options options;
    md2_gl_mesh mesh;
    int leave, i;
    check_section("md2: figures");
    memset(instances, 0, 10000 * sizeof *instances);
    for (i = 0; i < 10000; ++i) {
        instances[i].pose = md2_pose_between((uint32_t)i % 198, (uint32_t)(i + 1) % 198, 0.3f);
        place(&instances[i], (float)i, 0, 0, 0);
    }
    for (leave = 0; leave < 2; ++leave) {
        md2_error error;
        md2_gl *gl;
        memset(&options, 0, sizeof options);
        options.leave_state = leave != 0;
        gl = md2_gl_create(get_proc_without_gpu, &options, &error);
        if (!CHECK(gl != NULL)) continue;
        CHECK(md2_upload(gl, model, &mesh));
        for (i = 0; i < 3; ++i) {
            printf("%s: md2_gl_draw of %5lu instances, %s: %.3f ms of CPU\n", context.name,
                   (unsigned long)sizes[i], leave ? "leave_state" : "state restored",
                   md2_time_draw(gl, &mesh, instances, sizes[i]));
        }
        md2_gl_free_mesh(gl, &mesh);
        md2_destroy(gl);
    }
    CHECK(counted.draws > 0);
    md2_free_model(model);
    free(instances);
    expect_no_error("figures");
}

/* -- MD5 ------------------------------------------------------------------- */

typedef struct made5 {                /* in the order of the feedback */
    float position[3], normal[3], tangent[4], texcoord[2], tint[4];
} made5;

static const char *const md5_outputs[5] = { "v_position", "v_normal", "v_tangent", "v_texcoord",
                                            "v_tint" };

static md5_gl *md5_create(const md5_gl_options *options)
{
    md5_error error;
    md5_gl *gl = md5_gl_create((md5_gl_get_proc)get_proc, options, &error);
    if (!CHECK(gl != NULL)) {
        printf("    %s\n", error.message);
        printf("%lu passed, %lu failed\n", check_state.passed, check_state.failed);
        exit(EXIT_FAILURE);
    }
    return gl;
}

static md5_gl *md5_create_plain(bool leave_state)
{
    md5_gl_options options;
    memset(&options, 0, sizeof options);
    options.leave_state = leave_state;
    return md5_create(&options);
}

static void md5_destroy(md5_gl *gl)
{
    glUseProgram(0);
    md5_gl_destroy(gl);
}

static bool md5_upload(md5_gl *gl, const md5_model *model, uint32_t number, md5_gl_mesh *mesh)
{
    md5_error error;
    bool ok = md5_gl_upload(gl, model, number, mesh, &error);
    if (!CHECK(ok)) printf("    %s\n", error.message);
    return ok;
}

static md5_model *md5_from_text(m5_text *text, uint32_t flags)
{
    md5_options options;
    md5_error error;
    md5_model *model;
    memset(&options, 0, sizeof options);
    options.flags = flags;
    model = md5_load_model_memory(text->bytes, text->size, &options, &error);
    if (!model) {
        printf("a model of the tests does not load: %s\n", error.message);
        abort();
    }
    m5_free(text);
    return model;
}

static md5_model *md5_arm(uint32_t flags)
{
    m5_text text;
    memset(&text, 0, sizeof text);
    m5_arm_mesh(&text, 0);
    return md5_from_text(&text, flags);
}

/* The largest side of what a pose makes, or what floats can tell apart so far from the origin. */
static float md5_extent(const md5_model *model, const md5_xform *pose)
{
    float low[3], high[3], extent = 0;
    int i;
    md5_pose_bounds(model, pose, low, high);
    for (i = 0; i < 3; ++i) {
        float far_out = (float)fmax(fabs((double)low[i]), fabs((double)high[i])) / 20;
        if (high[i] - low[i] > extent) extent = high[i] - low[i];
        if (far_out > extent) extent = far_out;
    }
    return extent > 0 ? extent : 1;
}

/* Characters of one model: each with its pose in model space, its palette, and an instance that
   shows it. */
typedef struct md5_cast {
    uint32_t         count, joints;
    md5_xform       *poses;
    float           *palettes;
    md5_gl_instance *instances;
} md5_cast;

static md5_cast md5_cast_new(const md5_model *model, uint32_t count)
{
    md5_cast cast;
    uint32_t i;
    cast.count = count;
    cast.joints = model->joint_count;
    cast.poses = (md5_xform *)malloc_or_abort((size_t)count * cast.joints * sizeof *cast.poses);
    cast.palettes = (float *)malloc_or_abort((size_t)count * cast.joints * 12 * sizeof(float));
    cast.instances = (md5_gl_instance *)malloc_or_abort(count * sizeof *cast.instances);
    memset(cast.instances, 0, count * sizeof *cast.instances);
    for (i = 0; i < count; ++i)
        cast.instances[i].palette = cast.palettes + (size_t)i * cast.joints * 12;
    return cast;
}

static void md5_cast_free(md5_cast *cast)
{
    free(cast->poses);
    free(cast->palettes);
    free(cast->instances);
}

/* From local transforms. */
static void md5_cast_set(md5_cast *cast, const md5_model *model, uint32_t which,
                         const md5_xform *local)
{
    md5_xform *pose = cast->poses + (size_t)which * cast->joints;
    md5_pose_to_model_space(model, local, pose);
    md5_pose_palette(model, pose, cast->palettes + (size_t)which * cast->joints * 12);
}

/* The bind pose with every joint turned and pushed a little. */
static void md5_cast_randomise(md5_cast *cast, const md5_model *model, random_source *random,
                               float size)
{
    md5_xform *local = (md5_xform *)malloc_or_abort(model->joint_count * sizeof *local);
    uint32_t i, k;
    int c;
    for (i = 0; i < cast->count; ++i) {
        md5_pose_bind(model, local);
        for (k = 0; k < model->joint_count; ++k) {
            float length = 0;
            for (c = 0; c < 4; ++c) {
                local[k].rotation[c] += random_between(random, -0.5f, 0.5f);
                length += local[k].rotation[c] * local[k].rotation[c];
            }
            for (c = 0; c < 4; ++c) local[k].rotation[c] /= (float)sqrt((double)length);
            for (c = 0; c < 3; ++c)
                local[k].position[c] += random_between(random, -0.05f, 0.05f) * size;
        }
        md5_cast_set(cast, model, i, local);
        random_transform(random, size, cast->instances[i].transform);
        for (c = 0; c < 4; ++c) cast->instances[i].tint[c] = random_between(random, 0.1f, 2);
    }
    free(local);
}

/* Tangents go with the surface; a mirror turns the bitangent. */
static void md5_compare_tangent(const float m[16], const float tangent[4], const float got[4],
                                worst *most)
{
    double turned[3], length = 0, determinant;
    int i, k;
    for (i = 0; i < 3; ++i) {
        turned[i] = 0;
        for (k = 0; k < 3; ++k) turned[i] += (double)m[k * 4 + i] * (double)tangent[k];
        length += turned[i] * turned[i];
    }
    determinant = (double)m[0] * ((double)m[5] * (double)m[10] - (double)m[9] * (double)m[6]) -
                  (double)m[4] * ((double)m[1] * (double)m[10] - (double)m[9] * (double)m[2]) +
                  (double)m[8] * ((double)m[1] * (double)m[6] - (double)m[5] * (double)m[2]);
    for (i = 0; i < 3; ++i) raise(&most->tint, fabs((double)got[i] - turned[i] / sqrt(length)));
    raise(&most->tint, fabs((double)got[3] - (determinant < 0 ? -1 : 1) * (double)tangent[3]));
}

/* most->tint: of tangents as well. */
static void md5_compare(const md5_model *model, uint32_t number, const md5_cast *cast,
                        uint32_t which, const made5 *vertices, worst *most)
{
    const md5_mesh *mesh = &model->meshes[number];
    const md5_gl_instance *instance = &cast->instances[which];
    size_t count = mesh->vertex_count;
    float *positions = (float *)malloc_or_abort(count * 10 * sizeof(float)),
          *normals = positions + count * 3;
    float *tangents = normals + count * 3;
    const float *m = transform_of(instance->transform), *tint = instance->tint;
    uint32_t i;
    int k;
    if (!(tint[0] + tint[1] + tint[2] + tint[3] > 0)) tint = white;
    md5_pose_vertices(model, number, cast->poses + (size_t)which * cast->joints, positions, 0,
                      normals, 0, tangents, 0);
    for (i = 0; i < count; ++i) {
        double position[3], normal[3];
        transform_vertex(m, positions + i * 3, normals + i * 3, position, normal);
        for (k = 0; k < 3; ++k) {
            raise(&most->position, fabs((double)vertices[i].position[k] - position[k]));
            raise(&most->normal, fabs((double)vertices[i].normal[k] - normal[k]));
        }
        md5_compare_tangent(m, tangents + i * 4, vertices[i].tangent, most);
        raise(&most->texcoord, fabs((double)vertices[i].texcoord[0] - (double)mesh->vertices[i].u));
        raise(&most->texcoord, fabs((double)vertices[i].texcoord[1] - (double)mesh->vertices[i].v));
        for (k = 0; k < 4; ++k)
            raise(&most->tint, fabs((double)vertices[i].tint[k] - (double)tint[k]));
    }
    free(positions);
}

static made5 *md5_read_back(md5_gl *gl, const md5_model *model, uint32_t number,
                            const md5_gl_mesh *mesh, const md5_gl_instance *instances,
                            uint32_t count)
{
    md5_gl_scene scene;
    memset(&scene, 0, sizeof scene);
    identity(scene.view_projection);
    md5_gl_draw(gl, mesh, 0, &scene, instances, count);
    return (made5 *)read_back(md5_gl_program(gl), model->meshes[number].vertex_count, count,
                              md5_outputs, 5, sizeof(made5));
}

static void md5_expect_vertices(md5_gl *gl, const md5_model *model, uint32_t number,
                                const md5_gl_mesh *mesh, const md5_cast *cast)
{
    made5 *vertices = md5_read_back(gl, model, number, mesh, cast->instances, cast->count);
    size_t count = model->meshes[number].vertex_count;
    uint32_t i;
    for (i = 0; i < cast->count; ++i) {
        worst most = { 0, 0, 0, 0, 0 };
        md5_compare(model, number, cast, i, vertices + i * count, &most);
        CHECK_NEAR(most.position /
                       (double)md5_extent(model, cast->poses + (size_t)i * cast->joints),
                   0, 1e-5);
        CHECK_NEAR(most.normal, 0, 1e-4);
        CHECK_NEAR(most.tint, 0, 1e-4);
        CHECK_EQ(most.texcoord, 0);
    }
    counted.vertices5 += (unsigned long)count * cast->count;
    free(vertices);
}

static void md5_expect_model(md5_gl *gl, const md5_model *model, random_source *random,
                             uint32_t count)
{
    md5_xform *bind = (md5_xform *)malloc_or_abort(2 * model->joint_count * sizeof *bind);
    md5_cast cast = md5_cast_new(model, count);
    uint32_t number;
    float size;
    md5_pose_bind(model, bind);
    md5_pose_to_model_space(model, bind, bind + model->joint_count);
    size = md5_extent(model, bind + model->joint_count);
    md5_cast_randomise(&cast, model, random, size);
    md5_cast_set(&cast, model, 0, bind);
    memset(&cast.instances[0], 0, sizeof cast.instances[0]); /* all zero: the bind pose */
    for (number = 0; number < model->mesh_count; ++number) {
        md5_gl_mesh mesh;
        if (md5_upload(gl, model, number, &mesh))
            md5_expect_vertices(gl, model, number, &mesh, &cast);
        md5_gl_free_mesh(gl, &mesh);
        ++counted.own_meshes;
    }
    md5_cast_free(&cast);
    free(bind);
}

/* `joints` joints, vertices of up to 64 weights whose biases need not sum to 1, some of them 0. */
static md5_model *md5_random_model(random_source *random, int joints, int vertices, int most_weights,
                                   uint32_t flags)
{
    m5_text text;
    int i, k, weights = 0, *counts = (int *)malloc_or_abort((size_t)vertices * sizeof *counts);
    memset(&text, 0, sizeof text);
    m5_put(&text, "MD5Version 10\ncommandline \"\"\n\nnumJoints %d\nnumMeshes 1\n\njoints {\n",
           joints);
    for (i = 0; i < joints; ++i) {
        m5_put(&text, "\t\"j%d\" %d ( %.4f %.4f %.4f ) ( %.4f %.4f %.4f )\n", i,
               i ? (int)random_below(random, (uint32_t)i) : -1, random_unit(random) * 8,
               random_unit(random) * 8, random_unit(random) * 8,
               random_unit(random) - 0.5, random_unit(random) - 0.5,
               random_unit(random) - 0.5);
    }
    m5_put(&text, "}\n\nmesh {\n\tshader \"random\"\n\n\tnumverts %d\n", vertices);
    for (i = 0; i < vertices; ++i) {
        counts[i] = 1 + (int)random_below(random, (uint32_t)most_weights);
        m5_put(&text, "\tvert %d ( %.4f %.4f ) %d %d\n", i, random_unit(random),
               random_unit(random), weights, counts[i]);
        weights += counts[i];
    }
    m5_put(&text, "\n\tnumtris %d\n", vertices * 2);
    for (i = 0; i < vertices * 2; ++i) {
        m5_put(&text, "\ttri %d %d %d %d\n", i, (int)random_below(random, (uint32_t)vertices),
               (int)random_below(random, (uint32_t)vertices),
               (int)random_below(random, (uint32_t)vertices));
    }
    m5_put(&text, "\n\tnumweights %d\n", weights);
    for (i = 0, weights = 0; i < vertices; ++i) {
        for (k = 0; k < counts[i]; ++k, ++weights) {
            double bias = k % 7 == 3 ? 0 : (0.9 + random_unit(random) * 0.2) / counts[i];
            m5_put(&text, "\tweight %d %d %.6f ( %.4f %.4f %.4f )\n", weights,
                   (int)random_below(random, (uint32_t)joints), bias,
                   random_unit(random) * 4, random_unit(random) * 4,
                   random_unit(random) * 4);
        }
    }
    m5_put(&text, "}\n");
    free(counts);
    return md5_from_text(&text, flags);
}

static void md5_test_vertices(void)
{
    static const uint32_t flags[3] = { 0, MD5_Y_UP, MD5_KEEP_WINDING | MD5_FLIP_V };
    static const int shapes[][3] = { /* joints, vertices, most weights */
                                     { 1, 3, 1 },    { 2, 40, 2 },     { 7, 90, 4 },
                                     { 30, 200, 8 }, { 110, 300, 15 }, { 300, 150, 64 },
                                     { 1000, 60, 3 }
    };
    random_source random = { 4242 };
    md5_gl *gl = md5_create_plain(true);
    size_t i;
    check_section("md5: vertices of the GPU and of the CPU");
    for (i = 0; i < (size_t)M5_MODELS; ++i) {
        m5_text text;
        m5_entry entry;
        md5_options options;
        md5_model *model = NULL;
        memset(&text, 0, sizeof text);
        memset(&options, 0, sizeof options);
        options.flags = flags[i % 3];
        entry = m5_make((int)i, &text);
        if (entry.kind == M5_MESH)
            model = md5_load_model_memory(text.bytes, text.size, &options, NULL);
        m5_free(&text);
        if (!model) continue;
        check_subject(entry.name);
        md5_expect_model(gl, model, &random, 4);
        expect_no_error(entry.name);
        md5_free_model(model);
    }
    for (i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        md5_model *model =
            md5_random_model(&random, shapes[i][0], shapes[i][1], shapes[i][2], flags[i % 3]);
        check_subject("random");
        md5_expect_model(gl, model, &random, 5);
        expect_no_error("random");
        md5_free_model(model);
    }
    check_subject("");
    md5_destroy(gl);
    expect_no_error("destroy");
}

/* What is drawn follows the palettes as they are now: changed where they lie, in another number, of
   another mesh. */
static void md5_test_palettes(void)
{
    random_source random = { 31 };
    md5_gl *gl = md5_create_plain(true);
    md5_model *model = md5_arm(0), *other = md5_random_model(&random, 3, 30, 3, 0);
    md5_cast cast = md5_cast_new(model, 30), twice = md5_cast_new(other, 60);
    md5_gl_mesh mesh[3];
    int round;
    check_section("md5: palettes of this frame");
    CHECK(md5_upload(gl, model, 0, &mesh[0]) && md5_upload(gl, model, 1, &mesh[1]) &&
          md5_upload(gl, other, 0, &mesh[2]));
    for (round = 0; round < 4; ++round) {
        uint32_t whole = cast.count;
        md5_cast_randomise(&cast, model, &random, 10);
        md5_cast_randomise(&twice, other, &random, 10);
        md5_expect_vertices(gl, model, 0, &mesh[0], &cast);
        md5_expect_vertices(gl, model, 1, &mesh[1], &cast); /* the same palettes */
        md5_expect_vertices(gl, other, 0, &mesh[2], &twice); /* as many matrices of 3 joints */
        cast.count = 7;
        md5_expect_vertices(gl, model, 0, &mesh[0], &cast);
        cast.count = whole;
        cast.instances[3].palette = NULL; /* the bind pose among others */
        memcpy(cast.poses + 3 * cast.joints, cast.poses, cast.joints * sizeof *cast.poses);
        {
            md5_xform bind[M5_JOINTS];
            md5_pose_bind(model, bind);
            md5_pose_to_model_space(model, bind, cast.poses + 3 * cast.joints);
        }
        md5_expect_vertices(gl, model, 1, &mesh[1], &cast);
        cast.instances[3].palette = cast.palettes + 3 * cast.joints * 12;
    }
    for (round = 0; round < 3; ++round) md5_gl_free_mesh(gl, &mesh[round]);
    md5_cast_free(&cast);
    md5_cast_free(&twice);
    md5_free_model(model);
    md5_free_model(other);
    md5_destroy(gl);
    expect_no_error("palettes");
}

/* 5,000 arms in one draw call, each in a pose of its own. */
static void md5_test_crowd(void)
{
    random_source random = { 8 };
    md5_gl *gl = md5_create_plain(true);
    md5_model *model = md5_arm(0);
    md5_cast cast = md5_cast_new(model, 5000);
    md5_gl_mesh mesh;
    check_section("md5: a crowd in one draw call");
    md5_cast_randomise(&cast, model, &random, 10);
    if (md5_upload(gl, model, 0, &mesh)) md5_expect_vertices(gl, model, 0, &mesh, &cast);
    md5_gl_free_mesh(gl, &mesh);
    md5_cast_free(&cast);
    md5_free_model(model);
    md5_destroy(gl);
    expect_no_error("crowd");
}

/* A square of y and z from -1 to 1 that faces +X, the texture once over it. */
static md5_model *md5_square(uint32_t flags)
{
    m5_text text;
    memset(&text, 0, sizeof text);
    m5_put(
        &text,
        "MD5Version 10\ncommandline \"\"\n\nnumJoints 1\nnumMeshes 1\n\njoints {\n"
        "\t\"origin\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n\nmesh {\n\tshader \"gl_square\"\n\n\tnumverts 4\n"
        "\tvert 0 ( 0 0 ) 0 1\n\tvert 1 ( 1 0 ) 1 1\n\tvert 2 ( 1 1 ) 2 1\n\tvert 3 ( 0 1 ) 3 "
        "1\n\n");
    m5_put(&text, "\tnumtris 2\n\ttri 0 0 1 2\n\ttri 1 0 2 3\n\n\tnumweights 4\n"
                  "\tweight 0 0 1 ( 0 -1 1 )\n\tweight 1 0 1 ( 0 1 1 )\n\tweight 2 0 1 ( 0 1 -1 )\n"
                  "\tweight 3 0 1 ( 0 -1 -1 )\n}\n");
    return md5_from_text(&text, flags);
}

static picture md5_draw_square(md5_gl *gl, const md5_model *model, uint32_t texture,
                               const md5_gl_scene *scene, const md5_gl_instance *instance)
{
    md5_gl_mesh mesh;
    picture p;
    clear(0.5f, 0.5f, 0.5f);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    if (md5_upload(gl, model, 0, &mesh)) md5_gl_draw(gl, &mesh, texture, scene, instance, 1);
    md5_gl_free_mesh(gl, &mesh);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    p = read_picture(64, 64);
    expect_no_error("square");
    return p;
}

static void md5_test_flattened(void)
{
    md5_gl *gl = md5_create_plain(true);
    md5_model *model = md5_square(0); /* its normals lie along x */
    md5_gl_instance instances[4];
    md5_gl_mesh mesh;
    made5 *vertices;
    uint32_t i;
    check_section("md5: flattened");
    memset(instances, 0, sizeof instances);
    for (i = 0; i < 4; ++i) flatten((int)i % 3, instances[i].transform);
    instances[3].transform[5] = instances[3].transform[10] = 0;
    if (md5_upload(gl, model, 0, &mesh)) {
        vertices = md5_read_back(gl, model, 0, &mesh, instances, 4);
        for (i = 0; i < 16; ++i) expect_unit(vertices[i].normal);
        free(vertices);
    }
    md5_gl_free_mesh(gl, &mesh);
    md5_free_model(model);
    md5_destroy(gl);
    expect_no_error("flattened");
}

/* Textures the right way round, light and tint, as for MD2. */
static void md5_test_square(void)
{
    static const struct {
        float ambient, light[3];
        int   shade;
    } lights[] = { { 0, { 5, 0, 0 }, 255 },     { 0, { -5, 0, 0 }, 64 }, { 0, { 0, 1, 0 }, 64 },
                   { 0.5f, { -1, 0, 0 }, 128 }, { 0, { 0, 0, 0 }, 255 }, { 1, { -1, 0, 0 }, 255 } };
    md5_gl *gl = md5_create_plain(false);
    md5_gl_instance instance;
    md5_gl_scene scene;
    gl_target target;
    uint8_t pixels[16 * 16 * 4];
    char model_path[600], skin_path[600];
    picture file = picture_new(16, 16), p;
    md5_model *model;
    md5_error error;
    GLuint texture;
    size_t i;
    int k;
    check_section("md5: texture, light, tint");
    CHECK(gl_target_open(&target, 64, 64, 1, GL_RGBA8));
    memset(&instance, 0, sizeof instance);
    memset(&scene, 0, sizeof scene);
    scene.ambient = 1;
    front_view(scene.view_projection);
    snprintf(model_path, sizeof model_path, "%s/gl_square.md5mesh", scratch);
    snprintf(skin_path, sizeof skin_path, "%s/gl_square.png", scratch);
    four_colours(pixels, false);
    for (i = 0; i < 16 * 16; ++i) memcpy(file.rgb + i * 3, pixels + i * 4, 3);
    CHECK(picture_write_png(skin_path, &file));
    for (i = 0; i < 2; ++i) {
        model = md5_square(i ? MD5_FLIP_V : 0);
        for (k = 0; k < 2; ++k) {
            four_colours(pixels, i != 0);
            texture = k ? md5_gl_load_texture(gl, model, model_path, 0, &error)
                        : md5_gl_texture(gl, pixels, 16, 16);
            CHECK(texture != 0);
            p = md5_draw_square(gl, model, texture, &scene, &instance);
            expect_corners(&p, k ? "texture from a file" : i ? "texture for FLIP_V" : "texture");
            picture_free(&p);
            glDeleteTextures(1, &texture);
        }
        md5_free_model(model);
    }
    remove(skin_path);
    model = md5_square(0);
    CHECK_EQ(md5_gl_load_texture(gl, model, model_path, 0, &error), 0);
    CHECK_EQ(error.code, MD5_ERROR_OPEN);
    for (i = 0; i < sizeof lights / sizeof lights[0]; ++i) {
        int shade = lights[i].shade;
        scene.ambient = lights[i].ambient;
        memcpy(scene.light_direction, lights[i].light, sizeof scene.light_direction);
        memset(&instance, 0, sizeof instance);
        p = md5_draw_square(gl, model, 0, &scene, &instance);
        expect_colour(picture_at(&p, 32, 32), shade, shade, shade, "light on white");
        picture_free(&p);
        instance.tint[1] = 0.5f;
        instance.tint[2] = instance.tint[3] = 1;
        p = md5_draw_square(gl, model, 0, &scene, &instance);
        expect_colour(picture_at(&p, 32, 32), 0, shade / 2, shade, "light on a tint");
        picture_free(&p);
    }
    md5_free_model(model);
    picture_free(&file);
    gl_target_close(&target);
    md5_gl_destroy(gl);
    expect_no_error("square");
}

/* The documented inputs arrive in a fragment shader of one's own, the tangent too. */
static void md5_test_own_shader(void)
{
    static const char own[] = "in vec3 v_position;\nin vec3 v_normal;\nin vec4 v_tangent;\nin vec2 "
                              "v_texcoord;\nin vec4 v_tint;\n"
                              "layout(location = 0) out vec4 a;\nlayout(location = 1) out vec4 "
                              "b;\nlayout(location = 2) out vec4 c;\n"
                              "void main() {\n    a = vec4(v_position, v_tint.x);\n    b = "
                              "vec4(v_normal, v_texcoord.x);\n    c = v_tangent;\n}\n";
    md5_gl_options options;
    md5_gl_instance instance;
    md5_gl_scene scene;
    md5_gl_mesh mesh;
    md5_model *model = md5_square(0);
    gl_target target;
    md5_gl *gl;
    float got[3][4];
    int i, mirrored;
    check_section("md5: a fragment shader of one's own");
    memset(&options, 0, sizeof options);
    options.fragment_source = own;
    gl = md5_create(&options);
    CHECK(gl_target_open(&target, 32, 32, 3, GL_RGBA32F));
    memset(&scene, 0, sizeof scene);
    front_view(scene.view_projection);
    CHECK(md5_upload(gl, model, 0, &mesh));
    for (mirrored = 0; mirrored < 2; ++mirrored) {
        memset(&instance, 0, sizeof instance);
        identity(instance.transform);
        instance.transform[5] =
            mirrored ? -1.0f : 1.0f; /* y to -y: the texture runs the other way */
        instance.tint[0] = 0.75f;
        clear(0, 0, 0);
        md5_gl_draw(gl, &mesh, 0, &scene, &instance, 1);
        for (i = 0; i < 3; ++i) {
            glReadBuffer(GL_COLOR_ATTACHMENT0 + (GLenum)i);
            glReadPixels(8, 24, 1, 1, GL_RGBA, GL_FLOAT, got[i]);
        }
        CHECK_NEAR(got[0][1], 8.5 / 16 - 1, 1e-4);
        CHECK_NEAR(got[0][2], 24.5 / 16 - 1, 1e-4);
        CHECK_NEAR(got[0][3], 0.75, 1e-6);
        CHECK_NEAR(got[1][0], 1, 1e-5);
        CHECK_NEAR(got[1][3], mirrored ? 1 - 8.5 / 32 : 8.5 / 32, 1e-4);
        CHECK_NEAR(got[2][1], mirrored ? -1 : 1, 1e-5); /* u grows that way */
        CHECK_NEAR(fabs((double)got[2][3]), 1, 1e-6);
        CHECK_NEAR(got[2][3] * model->meshes[0].vertices[0].tangent[3], mirrored ? -1 : 1, 1e-6);
    }
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    md5_gl_free_mesh(gl, &mesh);
    md5_gl_destroy(gl);
    gl_target_close(&target);
    md5_free_model(model);
    expect_no_error("own shader");
}

static void md5_test_state(void)
{
    static const uint32_t units[3] = { 0, 3, 5 };
    md5_gl_options options;
    md5_gl_instance instances[2];
    md5_gl_scene scene;
    md5_model *model = md5_square(0);
    uint8_t pixels[16 * 16 * 4];
    float palette[12] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
    gl_target target;
    int pass, leave;
    check_section("md5: the caller's state");
    CHECK(gl_target_open(&target, 64, 64, 1, GL_RGBA8));
    memset(instances, 0, sizeof instances);
    instances[1].palette = palette;
    memset(&scene, 0, sizeof scene);
    front_view(scene.view_projection);
    scene.ambient = 1;
    four_colours(pixels, false);
    for (leave = 0; leave < 2; ++leave) {
        for (pass = 0; pass < 4; ++pass) {
            caller_state then;
            caller c;
            md5_gl_mesh mesh;
            md5_gl *gl;
            GLuint texture;
            picture p;
            memset(&c, 0, sizeof c);
            memset(&options, 0, sizeof options);
            options.texture_unit = pass ? units[pass - 1] : 0;
            options.leave_state = leave != 0;
            if (pass) make_caller(&c);
            then = remember_all();
            gl = md5_create(&options);
            if (!leave) expect_same_state(&then, "create");
            CHECK(md5_upload(gl, model, 0, &mesh));
            if (!leave) expect_same_state(&then, "upload");
            texture = md5_gl_texture(gl, pixels, 16, 16);
            if (!leave) expect_same_state(&then, "texture");
            clear(0, 0, 0);
            md5_gl_draw(gl, &mesh, texture, &scene, instances, 2);
            if (!leave) expect_same_state(&then, "draw");
            palette[3] -= 0.001f;     /* another draw sends other palettes */
            md5_gl_draw(gl, &mesh, texture, &scene, instances, 2);
            if (!leave) expect_same_state(&then, "draw again");
            p = read_picture(64, 64);
            expect_corners(&p, "among the caller's bindings");
            picture_free(&p);
            md5_gl_free_mesh(gl, &mesh);
            md5_gl_free_mesh(gl, &mesh);
            if (leave) md5_destroy(gl);
            else md5_gl_destroy(gl);
            if (!leave) expect_same_state(&then, "destroy");
            glDeleteTextures(1, &texture);
            expect_no_error("state");
            if (pass) free_caller(&c);
            glBindVertexArray(0);
            glActiveTexture(GL_TEXTURE0);
        }
    }
    gl_target_close(&target);
    md5_free_model(model);
    expect_no_error("state");
}

/* -- Pictures of MD5 ------------------------------------------------------- */

static md5_anim *md5_arm_clip(int clip, uint32_t flags)
{
    md5_options options;
    md5_error error;
    md5_anim *anim;
    m5_text text;
    memset(&text, 0, sizeof text);
    memset(&options, 0, sizeof options);
    options.flags = flags;
    m5_arm_anim(&text, clip, 0);
    anim = md5_load_anim_memory(text.bytes, text.size, "clip", &options, &error);
    CHECK(anim != NULL);
    m5_free(&text);
    return anim;
}

static void md5_draw_cast(md5_gl *gl, const md5_model *model, const md5_cast *cast, uint32_t meshes,
                          uint32_t texture, const md5_gl_scene *scene)
{
    uint32_t number;
    begin_picture();
    for (number = 0; number < meshes; ++number) {
        md5_gl_mesh mesh;
        if (md5_upload(gl, model, number, &mesh))
            md5_gl_draw(gl, &mesh, texture, scene, cast->instances, cast->count);
        md5_gl_free_mesh(gl, &mesh);
    }
}

/* Five arms that wave, each a step further; lit from the left of who looks along them. */
static void md5_picture_arms(md5_gl *gl, uint32_t texture)
{
    md5_model *model = md5_arm(0);
    md5_anim *anim = md5_arm_clip(M5_WAVE, 0);
    md5_cast cast = md5_cast_new(model, 5);
    md5_gl_scene scene;
    md5_xform local[M5_JOINTS];
    uint32_t i;
    memset(&scene, 0, sizeof scene);
    for (i = 0; i < 5; ++i) {
        md5_pose_at(anim, MD5_LOOP, i * 0.09, local);
        md5_cast_set(&cast, model, i, local);
        identity(cast.instances[i].transform);
        cast.instances[i].transform[13] = 14 - 7.5f * (float)i;
    }
    scene.light_direction[0] = -1;
    scene.light_direction[1] = 1.5f;
    scene.light_direction[2] = 1;
    camera(-8, -1, 26, 12, -1, 0, false, 0.6f, scene.view_projection);
    md5_draw_cast(gl, model, &cast, 2, texture,
                  &scene); /* the sleeve and the box, not the oddity */
    end_picture("md5_arms", true);
    md5_cast_free(&cast);
    md5_free_anim(anim);
    md5_free_model(model);
}

/* The figure of the MD2 pictures: each box on a joint of its own. */
static md5_model *md5_figure(uint32_t flags)
{
    static const int order[6] = { 0, 1, 2, 0, 2, 3 };
    m5_text text;
    int which, i;
    memset(&text, 0, sizeof text);
    m5_put(&text,
           "MD5Version 10\ncommandline \"\"\n\nnumJoints %d\nnumMeshes 1\n\njoints {\n\t\"origin\" "
           "-1 ( 0 0 0 ) ( 0 0 0 )\n",
           PARTS + 1);
    for (i = 0; i < PARTS; ++i) {
        const float *pivot = figure[i].pivot;
        m5_put(&text, "\t\"part %d\" 0 ( %g %g %g ) ( 0 0 0 )\n", i, (double)pivot[0],
               (double)pivot[1], (double)pivot[2]);
    }
    m5_put(&text, "}\n\nmesh {\n\tshader \"figure\"\n\n\tnumverts %d\n", PARTS * BOX_POINTS);
    for (i = 0; i < PARTS * BOX_POINTS; ++i) {
        int k = i % 4, tile = i / 4;
        m5_put(&text, "\tvert %d ( %g %g ) %d 1\n", i,
               (tile % 6 + (k == 1 || k == 2)) * (double)TILE / SKIN,
               (tile / 6 + (k >= 2)) * (double)TILE / SKIN, i);
    }
    m5_put(&text, "\n\tnumtris %d\n", PARTS * 12);
    for (i = 0; i < PARTS * 12; ++i) {
        int base = i / 2 * 4;
        m5_put(&text, "\ttri %d %d %d %d\n", i, base + order[i % 2 * 3],
               base + order[i % 2 * 3 + 1], base + order[i % 2 * 3 + 2]);
    }
    m5_put(&text, "\n\tnumweights %d\n", PARTS * BOX_POINTS);
    for (i = 0; i < PARTS * BOX_POINTS; ++i) {
        float at[3], normal[3];
        which = i / BOX_POINTS;
        box_corner(&figure[which], i % BOX_POINTS / 4, i % 4, at, normal);
        m5_put(&text, "\tweight %d %d 1 ( %g %g %g )\n", i, which + 1,
               (double)(at[0] - figure[which].pivot[0]), (double)(at[1] - figure[which].pivot[1]),
               (double)(at[2] - figure[which].pivot[2]));
    }
    m5_put(&text, "}\n");
    return md5_from_text(&text, flags);
}

/* As the MD2 figure stands in that frame. With MD5_Y_UP (x, y, z) is (y, z, x), so it turns about
   x. */
static void md5_figure_pose(md5_cast *cast, const md5_model *model, uint32_t which, uint32_t frame)
{
    md5_xform local[PARTS + 1];
    int i, axis = model->flags & MD5_Y_UP ? 0 : 1;
    md5_pose_bind(model, local);
    for (i = 0; i < PARTS; ++i) {
        double half = (double)figure_turn(i, frame) / 2;
        memset(local[i + 1].rotation, 0, sizeof local[i + 1].rotation);
        local[i + 1].rotation[axis] = (float)sin(half);
        local[i + 1].rotation[3] = (float)cos(half);
    }
    md5_cast_set(cast, model, which, local);
}

static void md5_draw_poses(md5_gl *gl, uint32_t texture, uint32_t flags)
{
    static const uint32_t frames[4] = { 5, 41, 48, 114 };
    md5_model *model = md5_figure(flags);
    md5_cast cast = md5_cast_new(model, 4);
    md5_gl_scene scene;
    bool y_up = (flags & MD5_Y_UP) != 0;
    uint32_t i;
    memset(&scene, 0, sizeof scene);
    for (i = 0; i < 4; ++i) {
        md5_figure_pose(&cast, model, i, frames[i]);
        identity(cast.instances[i].transform);
        cast.instances[i].transform[y_up ? 12 : 13] = 36 - 24.0f * (float)i;
    }
    scene.light_direction[y_up ? 2 : 0] = 2;
    scene.light_direction[y_up ? 0 : 1] = -2;
    scene.light_direction[y_up ? 1 : 2] = 2;
    if (y_up) camera(25, 35, 110, 0, 0, 0, true, 0.45f, scene.view_projection);
    else camera(110, 25, 35, 0, 0, 0, false, 0.45f, scene.view_projection);
    md5_draw_cast(gl, model, &cast, 1, texture, &scene);
    md5_cast_free(&cast);
    md5_free_model(model);
}

static void md5_picture_crowd(md5_gl *gl, uint32_t texture)
{
    static const uint32_t frames[4] = { 40, 5, 47, 113 };
    md5_model *model = md5_figure(0);
    md5_cast cast = md5_cast_new(model, 64);
    md5_gl_scene scene;
    md2_gl_instance placed;
    uint32_t i;
    memset(&scene, 0, sizeof scene);
    for (i = 0; i < 64; ++i) {
        md5_figure_pose(&cast, model, i, frames[(i + i / 8) % 4] + i % 6);
        place(&placed, (float)(i / 8) * 36 - 130, (float)(i % 8) * 32 - 112, 0,
              (float)(i % 7) * 0.4f - 1.2f);
        memcpy(cast.instances[i].transform, placed.transform, sizeof placed.transform);
        cast.instances[i].tint[0] = i % 5 == 0 ? 0.6f : 1;
        cast.instances[i].tint[1] = i % 5 == 1 ? 0.6f : 1;
        cast.instances[i].tint[2] = i % 5 == 2 ? 0.6f : 1;
        cast.instances[i].tint[3] = 1;
    }
    scene.ambient = 0.4f;
    scene.light_direction[0] = 1;
    scene.light_direction[1] = 1;
    scene.light_direction[2] = 2;
    camera(270, 40, 190, 0, 0, 0, false, 0.47f, scene.view_projection);
    md5_draw_cast(gl, model, &cast, 1, texture, &scene);
    end_picture("md5_crowd", true);
    md5_cast_free(&cast);
    md5_free_model(model);
}

static void md5_test_pictures(void)
{
    static uint8_t skin[SKIN * SKIN * 4], below[SKIN * SKIN * 4];
    md5_gl *gl = md5_create_plain(false);
    gl_target target;
    GLuint textures[2];
    check_section("md5: pictures");
    CHECK(gl_target_open(&target, SIDE, SIDE, 1, GL_RGBA8));
    figure_skin(skin, false);
    figure_skin(below, true);
    textures[0] = md5_gl_texture(gl, skin, SKIN, SKIN);
    textures[1] = md5_gl_texture(gl, below, SKIN, SKIN);
    md5_draw_poses(gl, textures[0], 0);
    end_picture("md5_poses", true);
    md5_draw_poses(gl, textures[0], MD5_Y_UP);
    end_picture("md5_poses", false);  /* other axes and another camera: the same picture */
    md5_draw_poses(gl, textures[1], MD5_FLIP_V);
    end_picture("md5_poses", false);
    md5_picture_arms(gl, textures[0]);
    md5_picture_crowd(gl, textures[0]);
    glDeleteTextures(2, textures);
    gl_target_close(&target);
    md5_gl_destroy(gl);
    expect_no_error("pictures");
}

static void md5_test_models(void)
{
    file_list files = list_models("md5", ".md5mesh");
    random_source random = { 6 };
    md5_gl *gl = md5_create_plain(true);
    unsigned long drawn = 0, before = counted.own_meshes;
    size_t i;
    check_section("md5: models of other people");
    for (i = 0; i < files.count; ++i) {
        md5_options options;
        md5_error error;
        md5_model *model;
        memset(&options, 0, sizeof options);
        options.flags = i % 3 == 2 ? MD5_Y_UP : 0;
        model = md5_load_model_file(files.path[i], &options, &error);
        if (!model) continue;
        check_subject(files.path[i]);
        md5_expect_model(gl, model, &random, 2);
        expect_no_error(files.path[i]);
        md5_free_model(model);
        ++drawn;
    }
    check_subject("");
    if (files.count) CHECK_FLOOR(drawn, MD5_MODELS_FLOOR, "md5 models of $MODELS drawn");
    if (files.count) printf("%lu meshes in them\n", counted.own_meshes - before);
    counted.own_meshes = before;
    file_list_free(&files);
    md5_destroy(gl);
}

static void md5_print_figures(void)
{
    static const size_t sizes[3] = { 1, 100, 10000 };
    random_source random = { 12 };
    md5_model *model = md5_random_model(&random, 33, 500, 4, 0);
    md5_cast cast = md5_cast_new(model, 10000);
    md5_gl_scene scene;
    int leave, i, k;
    check_section("md5: figures");
    memset(&scene, 0, sizeof scene);
    identity(scene.view_projection);
    md5_cast_randomise(&cast, model, &random, 10);
    for (leave = 0; leave < 2; ++leave) {
        md5_gl_options options;
        md5_gl_mesh mesh;
        md5_error error;
        md5_gl *gl;
        memset(&options, 0, sizeof options);
        options.leave_state = leave != 0;
        gl = md5_gl_create((md5_gl_get_proc)get_proc_without_gpu, &options, &error);
        if (!CHECK(gl != NULL)) continue;
        CHECK(md5_upload(gl, model, 0, &mesh));
        for (i = 0; i < 3; ++i) {
            double best = 1e9;
            for (k = 0; k < (sizes[i] > 1000 ? 5 : 50); ++k) {
                double start, spent;
                cast.palettes[0] += 0.001f; /* each frame has other palettes */
                start = thread_milliseconds();
                md5_gl_draw(gl, &mesh, 0, &scene, cast.instances, sizes[i]);
                spent = thread_milliseconds() - start;
                glFinish();
                if (spent < best) best = spent;
            }
            printf("%s: md5_gl_draw of %5lu instances of 33 joints, %s: %.3f ms of CPU\n",
                   context.name, (unsigned long)sizes[i], leave ? "leave_state" : "state restored",
                   best);
        }
        md5_gl_free_mesh(gl, &mesh);
        md5_destroy(gl);
    }
    md5_cast_free(&cast);
    md5_free_model(model);
    expect_no_error("figures");
}

/* -- All of it, on both kinds of context ----------------------------------- */

static void test_context(bool es)
{
    check_section("context");
    if (!gl_context_open(&context, es)) {
        printf("SKIPPED: %s: %s\n", context.name, context.why);
        ++counted.skipped;
        return;
    }
    ++counted.contexts;
    md2_test_vertices();
    md2_test_warts();
    md2_test_crowd();
    md2_test_skin_orientation();
    md2_test_light_and_tint();
    md2_test_textures();
    md2_test_own_shader();
    md2_test_state();
    md2_test_two_renderers();
    md2_test_pictures();
    md2_test_pictures_can_fail();
    md2_test_models();
    md2_print_figures();
    md5_test_vertices();
    md5_test_palettes();
    md5_test_flattened();
    md5_test_crowd();
    md5_test_square();
    md5_test_own_shader();
    md5_test_state();
    md5_test_pictures();
    md5_test_models();
    md5_print_figures();
    gl_context_close(&context);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s SCRATCH_FOLDER GOLDEN_FOLDER [--record]\n", argv[0]);
        return EXIT_FAILURE;
    }
    scratch = argv[1];
    golden = argv[2];
    recording = argc > 3 && strcmp(argv[3], "--record") == 0;
    test_context(false);
    test_context(true);
    check_section("counts");
    printf("%lu contexts, %lu SKIPPED\n", counted.contexts, counted.skipped);
    if (counted.skipped) CHECK(!getenv("CI"));
    if (counted.contexts) {
        CHECK_FLOOR(counted.vertices, 250000 * counted.contexts,
                    "vertices compared with the CPU's");
        CHECK_FLOOR(counted.own_models, 80 * counted.contexts, "models of our own drawn");
        CHECK_FLOOR(counted.vertices5, 100000 * counted.contexts,
                    "md5 vertices compared with the CPU's");
        CHECK_FLOOR(counted.own_meshes, 100 * counted.contexts, "md5 meshes of our own drawn");
        CHECK_FLOOR(counted.pictures, 12 * counted.contexts, "pictures compared");
    }
    return check_finish();
}
