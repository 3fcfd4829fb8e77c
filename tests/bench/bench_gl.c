/* bench_gl CHARACTER-FOLDER: what a crowd costs OpenGL on a software driver, where all of it is CPU
   time. The baseline is the plain way: for each character the arrays of its two frames are pointed
   to anew, its uniforms set, and one draw call made. Both draw the same picture, which is checked.
   Public domain. */
#define _DEFAULT_SOURCE
#include "gl_context.h"
#define MD2_GL
#define MD2_IMPLEMENTATION
#define MD5_GL
#define MD5_IMPLEMENTATION
#include "bench_api.h"

#include "bench.h"
#include "bench_inputs.h"

enum { CROWD = 1000, SIDE = 256 };

static gl_context context;

static struct scenario {
    md2_model       *model;
    md2_gl          *gl;
    md2_gl_mesh      mesh;
    md2_gl_scene     scene;
    md2_gl_instance  instances[CROWD];
    GLuint           program, array, buffers[3];
    GLint            frames, transform, tint;
    size_t           count;
} on;

/* -- The plain way ---------------------------------------------------------- */

static const char plain_vertex[] =
    "#version 330 core\n"
    "layout(location = 0) in uvec4 a;\nlayout(location = 1) in uvec4 b;\n"
    "layout(location = 2) in vec2 texcoord;\n"
    "uniform vec4 normals[163], frames[5];\nuniform mat4 transform, view_projection;\n"
    "out vec3 v_normal;\nout vec2 v_texcoord;\n"
    "void main() {\n"
    "    float t = frames[4].x;\n"
    "    vec3 p = mix(vec3(a.xyz) * frames[0].xyz + frames[1].xyz,\n"
    "                 vec3(b.xyz) * frames[2].xyz + frames[3].xyz, t);\n"
    "    v_normal = normalize(mat3(transform) * mix(normals[a.w].xyz, normals[b.w].xyz, t));\n"
    "    v_texcoord = texcoord;\n"
    "    gl_Position = view_projection * (transform * vec4(p, 1.0));\n"
    "}\n";
static const char plain_fragment[] =
    "#version 330 core\n"
    "in vec3 v_normal;\nin vec2 v_texcoord;\nuniform vec4 tint;\nout vec4 color;\n"
    "void main() {\n"
    "    color = tint;\n"
    "    color.rgb *= mix(max(dot(normalize(v_normal), vec3(1.0, 0.0, 0.0)), 0.0), 1.0, 0.25);\n"
    "}\n";

static void link_plain_program(void)
{
    const char *sources[2] = { plain_vertex, plain_fragment };
    GLint linked = 0;
    int   i;
    on.program = glCreateProgram();
    for (i = 0; i < 2; ++i) {
        GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &sources[i], NULL);
        glCompileShader(shader);
        glAttachShader(on.program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(on.program);
    glGetProgramiv(on.program, GL_LINK_STATUS, &linked);
    if (!CHECK(linked)) exit(EXIT_FAILURE);
    glUseProgram(on.program);
    on.frames = glGetUniformLocation(on.program, "frames");
    on.transform = glGetUniformLocation(on.program, "transform");
    on.tint = glGetUniformLocation(on.program, "tint");
    glUniform4fv(glGetUniformLocation(on.program, "normals"), 163, &md2__normals[0][0]);
    glUniformMatrix4fv(glGetUniformLocation(on.program, "view_projection"), 1, GL_FALSE,
                       on.scene.view_projection);
}

/* The points of all frames in the order of the vertices, texture coordinates, triangles. */
static void upload_plainly(void)
{
    const md2_model *m = on.model;
    size_t           bytes = (size_t)m->vertex_count * m->frame_count * 4;
    md2_point       *points = (md2_point *)malloc_or_abort(bytes), *out = points;
    uint32_t         frame, i;
    for (frame = 0; frame < m->frame_count; ++frame) {
        for (i = 0; i < m->vertex_count; ++i) *out++ = m->frames[frame].points[m->vertices[i].point];
    }
    glGenVertexArrays(1, &on.array);
    glBindVertexArray(on.array);
    glGenBuffers(3, on.buffers);
    glBindBuffer(GL_ARRAY_BUFFER, on.buffers[1]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(m->vertex_count * sizeof(md2_vertex)), m->vertices,
                 GL_STATIC_DRAW);
    glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, sizeof(md2_vertex),
                          (const void *)offsetof(md2_vertex, u));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, on.buffers[2]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(m->index_count * 4), m->indices,
                 GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, on.buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, points, GL_STATIC_DRAW);
    for (i = 0; i < 3; ++i) glEnableVertexAttribArray(i);
    free(points);
}

static void draw_plainly(void)
{
    const md2_model *m = on.model;
    size_t           i, k;
    glUseProgram(on.program);
    glBindVertexArray(on.array);
    glBindBuffer(GL_ARRAY_BUFFER, on.buffers[0]);
    for (i = 0; i < on.count; ++i) {
        const md2_gl_instance *one = &on.instances[i];
        float                  values[5][4] = { { 0 } };
        for (k = 0; k < 2; ++k) {
            const md2_frame *frame = &m->frames[one->pose.frame[k]];
            memcpy(values[2 * k], frame->scale, sizeof frame->scale);
            memcpy(values[2 * k + 1], frame->translate, sizeof frame->translate);
            glVertexAttribIPointer((GLuint)k, 4, GL_UNSIGNED_BYTE, 4,
                                   (const void *)((size_t)one->pose.frame[k] * m->vertex_count * 4));
        }
        values[4][0] = one->pose.weight[1];
        glUniform4fv(on.frames, 5, &values[0][0]);
        glUniformMatrix4fv(on.transform, 1, GL_FALSE, one->transform);
        glUniform4fv(on.tint, 1, one->tint);
        glDrawElements(GL_TRIANGLES, (GLsizei)m->index_count, GL_UNSIGNED_INT, NULL);
    }
    glFinish();
}

/* -- Ours -------------------------------------------------------------------- */

static void draw_ours(void)
{
    md2_gl_draw(on.gl, &on.mesh, 0, &on.scene, on.instances, on.count);
    glFinish();
}

static void open_scenario(md2_model *model)
{
    md2_gl_options options;
    size_t         i;
    float size = 30 / (model->max[2] - model->min[2]);
    memset(&on, 0, sizeof on);
    memset(&options, 0, sizeof options);
    options.leave_state = true;
    on.model = model;
    on.count = CROWD;
    on.scene.light_direction[0] = 1;
    on.scene.view_projection[4] = on.scene.view_projection[9] = 1 / 700.0f;
    on.scene.view_projection[2] = -1 / 7000.0f;
    on.scene.view_projection[15] = 1;
    for (i = 0; i < CROWD; ++i) {
        md2_gl_instance *one = &on.instances[i];
        uint32_t         frame = (uint32_t)(i % model->frame_count);
        one->pose = md2_pose_between(frame, (frame + 1) % model->frame_count, 0.3f);
        one->transform[0] = one->transform[5] = one->transform[10] = size;
        one->transform[15] = 1;
        one->transform[13] = (float)(i % 32) * 40 - 620;
        one->transform[14] = (float)(i / 32) * 40 - 620;
        one->tint[0] = one->tint[3] = 1;
        one->tint[i % 3] = 0.5f;
    }
    on.gl = md2_gl_create((md2_gl_get_proc)eglGetProcAddress, &options, NULL);
    if (!CHECK(on.gl && md2_gl_upload(on.gl, model, &on.mesh, NULL))) exit(EXIT_FAILURE);
    link_plain_program();
    upload_plainly();
}

static void close_scenario(void)
{
    glUseProgram(0);
    md2_gl_free_mesh(on.gl, &on.mesh);
    md2_gl_destroy(on.gl);
    glDeleteProgram(on.program);
    glDeleteVertexArrays(1, &on.array);
    glDeleteBuffers(3, on.buffers);
    md2_free_model(on.model);
}

/* Nearly all pixels are the same, and many are drawn. */
static void check_pictures(void)
{
    static uint8_t pictures[2][SIDE * SIDE * 4];
    unsigned long  differ = 0, drawn = 0;
    size_t         i;
    for (i = 0; i < 2; ++i) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        if (i) draw_plainly();
        else draw_ours();
        glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pictures[i]);
    }
    for (i = 0; i < sizeof pictures[0]; ++i) {
        differ += abs(pictures[0][i] - pictures[1][i]) > 3;
        drawn += i % 4 == 0 && pictures[0][i] > 0;
    }
    if (!CHECK(drawn > SIDE * SIDE / 100 && differ < drawn / 50)) {
        printf("    %lu pixels drawn, %lu numbers differ\n", drawn, differ);
    }
}

/* With all triangles culled only the vertex stage is left. */
static void measure_model(const char *id, const char *what, md2_model *model, double bar)
{
    if (!CHECK(model != NULL)) exit(EXIT_FAILURE);
    open_scenario(model);
    check_pictures();
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT_AND_BACK);
    bench_row_times(id, what, "arrays pointed to anew for each",
                    bench_compare_by(bench_own_time, draw_ours, draw_plainly, 0), CROWD,
                    BENCH_AT_MOST, bar);
    glDisable(GL_CULL_FACE);
    close_scenario();
}

/* -- MD5: no baseline -------------------------------------------------------- */

static struct md5_scenario {
    md5_gl          *gl;
    md5_gl_mesh      mesh;
    md5_gl_scene     scene;
    md5_gl_instance  instances[CROWD];
} on5;

static void draw_ours5(void)
{
    md5_gl_draw(on5.gl, &on5.mesh, 0, &on5.scene, on5.instances, CROWD);
    glFinish();
}

static void measure_md5(bench_bytes file)
{
    md5_model     *model = md5_load_model_memory(file.data, file.size, NULL, NULL);
    md5_gl_options options;
    char           text[24];
    memset(&options, 0, sizeof options);
    options.leave_state = true;
    on5.gl = md5_gl_create((md5_gl_get_proc)eglGetProcAddress, &options, NULL);
    if (!CHECK(model && on5.gl && md5_gl_upload(on5.gl, model, 0, &on5.mesh, NULL))) exit(EXIT_FAILURE);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT_AND_BACK);
    draw_ours5();
    printf("S9   MD5, %u vertices of %.2f weights, %u fetches a weight: %s a character\n",
           (unsigned)model->meshes[0].vertex_count,
           (double)model->meshes[0].weight_count / model->meshes[0].vertex_count, 5u,
           bench_time(bench_measure(draw_ours5) / CROWD, text));
    glDisable(GL_CULL_FACE);
    glUseProgram(0);
    md5_gl_free_mesh(on5.gl, &on5.mesh);
    md5_gl_destroy(on5.gl);
    md5_free_model(model);
    bench_free(&file);
}

int main(int argc, char **argv)
{
    gl_target   target;
    bench_bytes robot;
    m2_bytes    tiny = m2_named("cube");
    const char *format = getenv("FORMAT");
    if (argc != 2) {
        fprintf(stderr, "usage: %s character-folder\n", argv[0]);
        return EXIT_FAILURE;
    }
    setenv("LP_NUM_THREADS", "0", 1);
    if (!gl_context_open(&context, false)) {
        printf("SKIPPED: %s: %s\n", context.name, context.why);
        return EXIT_SUCCESS;
    }
    bench_table.markdown = format && strcmp(format, "markdown") == 0;
    CHECK(gl_target_open(&target, SIDE, SIDE, 1, GL_RGBA8));
    glEnable(GL_DEPTH_TEST);
    glDisable(0x92E0);                /* debug output, which takes time with every call */
    robot = bench_read(argv[1], "tris.md2");
    bench_heading("OpenGL: a crowd of 1,000 on a software driver, of one character");
    measure_model("S9", "MD2, the vertex stage, 1,500 triangles",
                  md2_load_memory(robot.data, robot.size, NULL, NULL), 1.3);
    measure_model("S10", "MD2, submitting, 12 triangles",
                  md2_load_memory(tiny.data, tiny.size, NULL, NULL), 0.5);
    measure_md5(bench_read(argv[1], "robot.md5mesh"));
    bench_free(&robot);
    m2_free(&tiny);
    gl_target_close(&target);
    gl_context_close(&context);
    return check_finish();
}
