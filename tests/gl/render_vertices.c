/* render_vertices.c: compares vertices of the vertex shader with vertices of the CPU. Public domain. */
#include "render.h"

static md2_gl *gl2;                   /* renderers of the current test; with leave_state */
static md5_gl *gl5;
static unsigned long compared, models; /* number of vertices; number of models or meshes */

/* Allocates positions, normals and tangents in one block. Free it with free(result.positions). */
static cpu_vertices allocate_cpu_vertices(size_t count, const float *texcoords, size_t stride)
{
    float *room = malloc_or_abort(count * 10 * sizeof(float));
    return (cpu_vertices){ room, room + count * 3, room + count * 6, NULL, NULL, texcoords,
                     stride / sizeof(float), count };
}

/* Repeats the last draw with transform feedback, and returns the vertices of all instances, in the order of the vertex
   buffer. The program, the vertex array and the textures of the draw are still bound, because of leave_state. */
static gpu_vertex *read_back(uint32_t vertices, uint32_t instances, bool tangents)
{
    size_t count = (size_t)vertices * instances, record = tangents ? 64 : 48;
    gpu_vertex *out = (gpu_vertex *)malloc_or_abort((count + 1) * sizeof *out);
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
    CHECK(mapped != NULL);
    for (size_t i = 0; i < count; ++i) memcpy(&out[i], mapped + i * record, record);
    glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    glDeleteBuffers(1, &buffer);
    return out;
}

/* -- MD2 ------------------------------------------------------------------- */

/* Returns a pose of one to eight frames with weights that sum to 1. Sometimes a frame occurs twice; sometimes a
   weight is 0, also between other weights. */
static md2_pose random_pose(random_source *random, uint32_t frames)
{
    md2_pose pose = { .count = 1 + random_below(random, 8) };
    float sum = 0;
    for (uint32_t i = 0; i < pose.count; ++i) {
        pose.frame[i] = (uint16_t)random_below(random, frames);
        pose.weight[i] = i && random_below(random, 8) == 0 ? 0 : random_between(random, 0.05f, 1);
        sum += pose.weight[i];
    }
    for (uint32_t i = 0; i < pose.count; ++i) pose.weight[i] /= sum;
    return pose;
}

/* Draws the instances and reads back all vertices. */
static gpu_vertex *md2_vertices(const md2_model *model, const md2_gl_instance *instances, uint32_t count)
{
    static const md2_gl_scene scene;
    md2_gl_mesh mesh;
    md2_upload(gl2, model, 0, &mesh);
    CHECK(md2_gl_draw(gl2, &mesh, 0, &scene, instances, count));
    gpu_vertex *vertices = read_back(model->vertex_count, count, false);
    md2_gl_free_mesh(gl2, &mesh);
    return vertices;
}

/* Draws the instances and compares all vertices with those of the CPU. */
static void md2_expect_vertices(const md2_model *model, const md2_gl_instance *instances,
                                uint32_t count)
{
    /* The tolerance of normals is large because eight normals can almost cancel out. */
    const tolerances most = { .position = 1e-5 * (double)extent_of(model->min, model->max),
                              .normal = 2e-5, .tint = 1e-6 };
    size_t each = model->vertex_count;
    gpu_vertex *vertices = md2_vertices(model, instances, count);
    cpu_vertices want = allocate_cpu_vertices(each, &model->vertices[0].u, sizeof(md2_vertex));
    want.tangents = NULL;
    for (uint32_t i = 0; i < count; ++i) {
        md2_pose_vertices(model, &instances[i].pose, want.positions, 0, want.normals, 0);
        want.transform = instances[i].transform;
        want.tint = instances[i].tint;
        compare_vertices(i, &want, vertices + i * each, most);
    }
    compared += (unsigned long)each * count;
    expect_no_error("draw");
    free(want.positions);
    free(vertices);
}

static void random_instance(random_source *random, const md2_model *model, md2_gl_instance *out)
{
    memset(out, 0, sizeof *out);
    out->pose = random_pose(random, model->frame_count);
    random_transform(random, extent_of(model->min, model->max), out->transform);
    for (int i = 0; i < 4; ++i) out->tint[i] = random_between(random, 0.1f, 2);
}

/* Draws all models of m2_cases that load, and random models, unchanged and smoothed, in random poses, transforms and
   tints. Among them are models with wide frames and unaligned sections. Axes and windings alternate. */
static void md2_test_vertices(void)
{
    static const uint32_t flags[4] = { 0, MD2_Y_UP, MD2_KEEP_WINDING | MD2_FLIP_V,
                                       MD2_Y_UP | MD2_FLIP_V };
    random_source random = { 2025 };
    for (uint32_t i = 0; i < M2_CASES + 24; ++i) {
        md2_gl_instance instances[6];
        if (i < M2_CASES && m2_cases[i].result != MD2_OK) continue;
        if (i < M2_CASES) check_scene("model %s", m2_cases[i].name);
        else check_scene("model m2_random(%u, ...)", i);
        m2_bytes bytes = i < M2_CASES ? m2_case_bytes(&m2_cases[i])
                             : m2_random(i, 3 + i % 200, 40 + i, 1 + i % 40);
        md2_model *model = md2_from_bytes(bytes, flags[i % 4]);
        uint32_t count = model->vertex_count > 20000 ? 2 : 6;
        for (uint32_t k = 0; k < count; ++k) random_instance(&random, model, &instances[k]);
        memset(&instances[0], 0, sizeof instances[0]); /* frame 0, white, at the origin */
        md2_model *smoothed = md2_smooth_model(model, NULL, NULL);
        md2_expect_vertices(model, instances, count);
        check_step("smoothed");
        md2_expect_vertices(smoothed, instances, count);
        md2_free_model(smoothed);
        md2_free_model(model);
        ++models;
    }
    CHECK(compared > 0 && models > 0);
}

/* -- Difficult normals ------------------------------------------------------ */

/* Normals that cancel out, and normal numbers after the end of the table. */
static void md2_test_no_normal(void)
{
    static const uint32_t flags[2] = { 0, MD2_Y_UP };
    for (int k = 0; k < 2; ++k) {
        check_scene(k ? "Y is up" : "Z is up");
        const md2_gl_instance instances[3] = { { .pose = md2_pose_between(0, 1, 0.5f) },
                                               { .pose = md2_pose_between(0, 1, 0.25f) },
                                               { .pose = md2_pose_between(1, 0, 0.5f) } };
        m2_file f;
        m2_begin(&f, 0, 3, 3, 1, 0, 3);
        for (uint32_t i = 0; i < 3; ++i) m2_frame(&f, i, "a", 1.0f, 0.0f);
        for (uint32_t i = 0; i < 9; ++i)
            m2_set_point(&f, i / 3, i % 3, (int)i * 7, (int)i * 3, 4, 0);
        for (uint32_t i = 0; i < 3; ++i) {
            m2_point(&f, 0, i)[3] = (uint8_t)(i == 0 ? 52 : i == 1 ? 32 : 200); /* +X, +Y, none */
            m2_point(&f, 1, i)[3] = (uint8_t)(i == 0 ? 143 : i == 1 ? 104 : 255); /* -X, -Y, none */
            f.tris[i] = f.tris[3 + i] = (uint16_t)i;
        }
        md2_model *model = md2_from_bytes(m2_write(&f), flags[k]);
        gpu_vertex *vertices = md2_vertices(model, instances, 3);
        float first_up = vertices[0].normal[k ? 1 : 2];
        float last_up = vertices[model->vertex_count * 2].normal[k ? 1 : 2];
        free(vertices);
        CHECK_NEAR(first_up, 1, 1e-6);
        CHECK_NEAR(last_up, 1, 1e-6);
        md2_expect_vertices(model, instances, 3);
        md2_free_model(model);
    }
}

/* Sets a matrix that flattens a model along axis `which`, as for a shadow. If `which` is 3, shrinks it to a point. */
static void set_flat_transform(int which, float out[16])
{
    for (int i = 0; i < 16; ++i) out[i] = i % 5 == 0 ? 1.0f : 0.0f;
    out[which % 3 * 5] = 0;
    if (which == 3) out[5] = out[10] = 0;
}

static void expect_unit(const float v[3])
{
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    CHECK_NEAR(length, 1, 1e-5);
}

static void expect_units(gpu_vertex *vertices, size_t count, bool tangents)
{
    for (size_t i = 0; i < count; ++i) {
        check_step("vertex %lu of %lu, normal", (unsigned long)i, (unsigned long)count);
        expect_unit(vertices[i].normal);
        if (tangents) expect_unit(vertices[i].tangent);
    }
    free(vertices);
}

static void md2_test_flattened(void)
{
    md2_model *model = md2_from_bytes(m2_named("sheet"), 0);
    md2_gl_instance instances[4] = { 0 };
    for (int i = 0; i < 4; ++i) {
        set_flat_transform(i, instances[i].transform);
        instances[i].pose = md2_pose_between(0, 1, i == 3 ? 0.5f : 0);
    }
    expect_units(md2_vertices(model, instances, 4), model->vertex_count * 4, false);
    md2_free_model(model);
}

/* -- MD5 ------------------------------------------------------------------- */

/* Characters of one model; each has a pose in model space, a palette and an instance. */
typedef struct md5_crowd {
    uint32_t         count;
    float            size; /* size of the model in its bind pose */
    md5_xform       *poses;
    float           *palettes;
    md5_gl_instance *instances;
} md5_crowd;

static float md5_extent(const md5_model *model, const md5_xform *pose)
{
    float low[3], high[3];
    md5_pose_bounds(model, pose, low, high);
    return extent_of(low, high);
}

/* Rotates and moves a joint a little. */
static void shake_joint(random_source *random, float size, md5_xform *local)
{
    float length = 0;
    for (int c = 0; c < 4; ++c) {
        local->rotation[c] += random_between(random, -0.5f, 0.5f);
        length += local->rotation[c] * local->rotation[c];
    }
    for (int c = 0; c < 4; ++c) local->rotation[c] /= (float)sqrt((double)length);
    if (random_below(random, 4) == 0) local->scale = random_between(random, 0.5f, 3);
    if (random_below(random, 16) == 0) local->scale = 0;
    for (int c = 0; c < 3; ++c)
        local->position[c] += random_between(random, -0.05f, 0.05f) * size;
}

/* Creates characters. The first is all zero, which means the bind pose; the others are random. */
static md5_crowd md5_create_crowd(const md5_model *model, random_source *random, uint32_t count)
{
    size_t joints = model->joint_count;
    md5_crowd crowd = { count, 0, malloc_or_abort(count * joints * sizeof *crowd.poses),
                      malloc_or_abort(count * joints * 12 * sizeof(float)),
                      malloc_or_abort(count * sizeof *crowd.instances) };
    memset(crowd.instances, 0, count * sizeof *crowd.instances);
    for (uint32_t i = 0; i < count; ++i) {
        md5_xform *pose = crowd.poses + i * joints;
        float     *palette = crowd.palettes + i * joints * 12;
        md5_pose_bind(model, pose);
        for (size_t k = 0; k < joints && i > 0; ++k) shake_joint(random, crowd.size, &pose[k]);
        md5_pose_to_model_space(model, pose, pose);
        md5_pose_palette(model, pose, palette);
        if (i == 0) {
            crowd.size = md5_extent(model, pose);
            continue;
        }
        crowd.instances[i].palette = palette;
        random_transform(random, crowd.size, crowd.instances[i].transform);
        for (int c = 0; c < 4; ++c) crowd.instances[i].tint[c] = random_between(random, 0.1f, 2);
    }
    return crowd;
}

static void md5_free_crowd(md5_crowd *crowd)
{
    free(crowd->poses);
    free(crowd->palettes);
    free(crowd->instances);
}

/* Draws the instances and reads back all vertices. */
static gpu_vertex *md5_vertices(const md5_model *model, uint32_t number, const md5_gl_mesh *mesh,
                          const md5_gl_instance *instances, uint32_t count)
{
    static const md5_gl_scene scene;
    CHECK(md5_gl_draw(gl5, mesh, 0, &scene, instances, count));
    return read_back(model->meshes[number].vertex_count, count, true);
}

/* Draws the crowd and compares all vertices with those of the CPU. The tolerance is relative to the size of the pose or
   of the bind pose, because with a scale of 0 a pose has no size. */
static void md5_expect_vertices(const md5_model *model, uint32_t number, const md5_crowd *crowd)
{
    md5_gl_mesh mesh;
    md5_upload(gl5, model, number, &mesh);
    gpu_vertex *vertices = md5_vertices(model, number, &mesh, crowd->instances, crowd->count);
    size_t count = model->meshes[number].vertex_count;
    cpu_vertices want = allocate_cpu_vertices(count, &model->meshes[number].vertices[0].u, sizeof(md5_vertex));
    for (uint32_t i = 0; i < crowd->count; ++i) {
        const md5_xform *pose = crowd->poses + (size_t)i * model->joint_count;
        double size = fmax((double)md5_extent(model, pose), (double)crowd->size);
        md5_pose_vertices(model, number, pose, want.positions, 0, want.normals, 0, want.tangents,
                          0);
        want.transform = crowd->instances[i].transform;
        want.tint = crowd->instances[i].tint;
        const tolerances most = { 1e-5 * size, 1e-4, 1e-4, 1e-4 };
        compare_vertices(i, &want, vertices + i * count, most);
    }
    compared += (unsigned long)count * crowd->count;
    ++models;
    expect_no_error("draw");
    md5_gl_free_mesh(gl5, &mesh);
    free(want.positions);
    free(vertices);
}

static void md5_expect_model(const md5_model *model, random_source *random, uint32_t count)
{
    md5_crowd crowd = md5_create_crowd(model, random, count);
    for (uint32_t number = 0; number < model->mesh_count; ++number) {
        check_step("mesh %u", number);
        md5_expect_vertices(model, number, &crowd);
    }
    md5_free_crowd(&crowd);
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
    for (size_t i = 0; i < (size_t)M5_MODELS; ++i) {
        m5_text text = { NULL, 0, 0 };
        const md5_options options = { .flags = flags[i % 3] };
        md5_model *model = NULL;
        m5_entry entry = m5_make((int)i, &text);
        if (entry.kind == M5_MESH)
            model = md5_load_model_memory(text.bytes, text.size, &options, NULL);
        m5_free(&text);
        if (!model) continue;
        check_scene("model %s", entry.name);
        md5_expect_model(model, &random, 4);
        md5_free_model(model);
    }
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        md5_model *model = md5_random_model(&random, shapes[i][0], shapes[i][1], shapes[i][1] * 2,
                                            shapes[i][2], flags[i % 3]);
        check_scene("random model of %d joints, %d vertices, up to %d weights", shapes[i][0],
                    shapes[i][1], shapes[i][2]);
        md5_expect_model(model, &random, 5);
        md5_free_model(model);
    }
    CHECK(compared > 0 && models > 0);
}

static void md5_test_flattened(void)
{
    md5_model *model = md5_square(0); /* its normals lie along x */
    md5_gl_instance instances[4] = { 0 };
    md5_gl_mesh mesh;
    for (int i = 0; i < 4; ++i) set_flat_transform(i, instances[i].transform);
    md5_upload(gl5, model, 0, &mesh);
    expect_units(md5_vertices(model, 0, &mesh, instances, 4), 16, true);
    md5_gl_free_mesh(gl5, &mesh);
    md5_free_model(model);
}

/* The biases of six vertices add up to 0, 0.0001, 0.01, 0, 0.0001 and 1. In half of the poses, both joints rotate
   equally. */
static void md5_test_cancelled_biases(void)
{
    static const double biases[6][2] = { { 0.5, -0.5 }, { 0.5, -0.4999 }, { 0.5, -0.49 },
                                         { 1000, -1000 }, { 0.0001, 0 }, { 2, -1 } };
    random_source random = { 9 };
    m5_text text = { NULL, 0, 0 };
    m5_put_text(&text, "MD5Version 10 numJoints 2 numMeshes 1 joints { a -1 ( 1 2 3 ) ( 0.5 0.1 0 ) "
                       "b -1 ( -1 0 1 ) ( 0.5 0.1 0 ) } mesh { numverts 6 ");
    for (int i = 0; i < 6; ++i) m5_put(&text, "vert %d ( %d %d ) %d 2 ", i, i % 2, i / 2, 2 * i);
    m5_put_text(&text, "numtris 2 tri 0 0 2 5 tri 1 1 3 5 numweights 12 ");
    for (int i = 0; i < 12; ++i) {
        m5_put(&text, "weight %d %d %g ( %d %d %d ) ", i, i % 2, biases[i / 2][i % 2], i % 5,
               i * 5 % 7, i % 3);
    }
    m5_put_text(&text, "}");
    md5_model *model = md5_from_text(&text, 0);
    md5_crowd crowd = md5_create_crowd(model, &random, 200);
    for (int i = 0; i < 200; i += 2) { /* both joints rotate equally */
        md5_xform *pose = crowd.poses + 2 * i;
        memcpy(pose[1].rotation, pose[0].rotation, sizeof pose[0].rotation);
        md5_pose_palette(model, pose, crowd.palettes + 24 * i);
    }
    md5_expect_vertices(model, 0, &crowd);
    md5_free_crowd(&crowd);
    md5_free_model(model);
}

/* -- The models in $MODELS, in random poses -------------------------------- */

static void md2_test_given(void)
{
    file_list list = list_models(".md2");
    random_source random = { 77 };
    for (size_t i = 0; i < list.count; ++i) {
        md2_model *model = md2_load_file(list.path[i], NULL, NULL);
        md2_gl_instance instances[3];
        if (!model) continue;
        check_scene("%s", list.path[i]);
        for (size_t k = 0; k < 3; ++k) random_instance(&random, model, &instances[k]);
        md2_expect_vertices(model, instances, 3);
        md2_free_model(model);
    }
    file_list_free(&list);
}

static void md5_test_given(void)
{
    file_list list = list_models(".md5mesh");
    random_source random = { 77 };
    for (size_t i = 0; i < list.count; ++i) {
        md5_model *model = md5_load_model_file(list.path[i], NULL, NULL);
        if (!model) continue;
        check_scene("%s", list.path[i]);
        md5_expect_model(model, &random, 3);
        md5_free_model(model);
    }
    file_list_free(&list);
}

/* -- The chapters ------------------------------------------------------------ */

static void (*current_test)(void);

static void run_with_renderers(void)
{
    const md2_gl_options options2 = { .leave_state = true };
    const md5_gl_options options5 = { .leave_state = true };
    gl2 = md2_create(&options2);
    gl5 = md5_create(&options5);
    compared = models = 0;
    current_test();
    glUseProgram(0);
    md2_gl_destroy(gl2);
    md5_gl_destroy(gl5);
    expect_no_error("destroy");
}

static void run(const char *name, const char *description, void (*test)(void))
{
    current_test = test;
    check_run(name, description, run_with_renderers);
}

void md2_vertex_tests(void)
{
    run("vertices", "the vertices of the GPU are equal to those of the CPU", md2_test_vertices);
    run("no_normal", "a vertex without a normal points straight up", md2_test_no_normal);
    run("flattened", "a flattened model has normals of unit length", md2_test_flattened);
    if (!getenv("MODELS")) return;
    run("given", "the same for the models in $MODELS", md2_test_given);
}

void md5_vertex_tests(void)
{
    run("vertices", "the vertices of the GPU are equal to those of the CPU", md5_test_vertices);
    run("cancelled", "if biases cancel out, GPU and CPU agree", md5_test_cancelled_biases);
    run("flattened", "a flattened model has normals of unit length", md5_test_flattened);
    if (!getenv("MODELS")) return;
    run("given", "the same for the models in $MODELS", md5_test_given);
}
