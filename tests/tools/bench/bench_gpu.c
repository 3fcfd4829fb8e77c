/* bench_gpu CHARACTER-FOLDER: a frame of 10,000 knights on a GPU, beside plain ways to draw as many, in
   the rows of bench.h. Each way draws the same picture first: where the pictures differ, it fails. A
   time is that of a whole frame, from the first call to the end of glFinish. Public domain. */
#define _DEFAULT_SOURCE
#include "render.h"

#include "bench.h"

enum { KNIGHTS = 10000, ROW = 100, SPACING = 40, WIDTH = 1920, HEIGHT = 1080, MOST_JOINTS = 64 };

struct context context;

/* The pictures have a size of their own. */
bool make_framebuffer(int size)
{
    static const GLenum storage[2] = { GL_RGBA8, GL_DEPTH_COMPONENT24 },
                        attachment[2] = { GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT };
    GLuint framebuffer, buffers[2];
    (void)size;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(2, buffers);
    for (int i = 0; i < 2; ++i) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, storage[i], WIDTH, HEIGHT);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment[i], GL_RENDERBUFFER, buffers[i]);
    }
    glViewport(0, 0, WIDTH, HEIGHT);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

/* -- The crowd --------------------------------------------------------------------- */

static struct crowd {
    md2_model       *md2;
    md5_model       *md5;
    md5_anim        *anim;
    GLuint           skin;
    float            view_projection[16];
    float            places[KNIGHTS][16];     /* matrices */
    float           *palettes;                /* KNIGHTS * joint_count * 12 */
    md2_gl          *md2_gl;
    md5_gl          *md5_gl;
    md2_gl_mesh      md2_mesh;
    md5_gl_mesh      md5_mesh;
    md2_gl_scene     md2_scene;
    md5_gl_scene     md5_scene;
    md2_gl_instance  md2_instances[KNIGHTS];
    md5_gl_instance  md5_instances[KNIGHTS];
} crowd;

static const float light[3] = { 0.48f, 0.36f, 0.8f };
#define AMBIENT 0.25f

static bool load_crowd(const char *folder)
{
    md2_error error;
    char      md2_path[1024], mesh_path[1024], anim_path[1024];
    snprintf(md2_path, sizeof md2_path, "%s/tris.md2", folder);
    snprintf(mesh_path, sizeof mesh_path, "%s/knight.md5mesh", folder);
    snprintf(anim_path, sizeof anim_path, "%s/run.md5anim", folder);
    crowd.md2 = md2_load_file(md2_path, NULL, &error);
    crowd.md5 = md5_load_model_file(mesh_path, NULL, NULL);
    crowd.anim = md5_load_anim_file(anim_path, NULL, NULL);
    crowd.md2_gl = md2_gl_create(find_function, NULL, &error);
    crowd.md5_gl = md5_gl_create((md5_gl_get_proc)find_function, NULL, NULL);
    if (!CHECK(crowd.md2 && crowd.md5 && crowd.anim && crowd.md2_gl && crowd.md5_gl) ||
        !CHECK(crowd.md5->joint_count <= MOST_JOINTS && crowd.md5->mesh_count == 1) ||
        !CHECK(md5_check_anim(crowd.md5, crowd.anim, NULL) == MD5_OK) ||
        !CHECK(md2_gl_upload(crowd.md2_gl, crowd.md2, &crowd.md2_mesh, &error)) ||
        !CHECK(md5_gl_upload(crowd.md5_gl, crowd.md5, 0, &crowd.md5_mesh, NULL))) {
        return false;
    }
    crowd.skin = md2_gl_load_skin(crowd.md2_gl, crowd.md2, md2_path, 0, &error);
    crowd.palettes = (float *)malloc_or_abort(sizeof(float) * KNIGHTS * 12 * crowd.md5->joint_count);
    return CHECK(crowd.skin);
}

/* A field of knights from above, all of it in the picture: an orthographic view whose up is X. */
static void place_crowd(void)
{
    const float half = SPACING * ROW / 2.0f + 60;
    crowd.view_projection[1] = 1 / half;                            /* X goes up */
    crowd.view_projection[4] = -(float)HEIGHT / WIDTH / half;       /* Y goes left */
    crowd.view_projection[9] = 0.5f / half;                         /* and so does Z, a little */
    crowd.view_projection[2] = 0.5f / half;
    crowd.view_projection[10] = -1 / half;
    crowd.view_projection[15] = 1;
    memcpy(crowd.md2_scene.view_projection, crowd.view_projection, sizeof crowd.view_projection);
    memcpy(crowd.md5_scene.view_projection, crowd.view_projection, sizeof crowd.view_projection);
    memcpy(crowd.md2_scene.light_direction, light, sizeof light);
    memcpy(crowd.md5_scene.light_direction, light, sizeof light);
    crowd.md2_scene.ambient = crowd.md5_scene.ambient = AMBIENT;

    for (int i = 0; i < KNIGHTS; ++i) {
        float *place = crowd.places[i];
        place[0] = place[5] = place[10] = place[15] = 1;
        place[12] = (float)(SPACING * (i / ROW - ROW / 2));
        place[13] = (float)(SPACING * (i % ROW - ROW / 2));
        memcpy(crowd.md2_instances[i].transform, place, sizeof crowd.places[i]);
        memcpy(crowd.md5_instances[i].transform, place, sizeof crowd.places[i]);
    }
}

/* A time of its own for each knight, or the same for all. */
static void pose_crowd(bool together)
{
    size_t      floats = (size_t)crowd.md5->joint_count * 12;
    md5_xform   pose[MOST_JOINTS];
    const float t = 0.4f;
    for (uint32_t i = 0; i < KNIGHTS; ++i) {
        uint32_t frame = together ? 0 : i % (crowd.md2->frame_count - 1);
        crowd.md2_instances[i].pose = md2_pose_between(frame, frame + 1, t);

        md5_pose_at(crowd.md5, crowd.anim, MD5_LOOP, together ? 0.1 : i * 0.0137, pose);
        md5_pose_to_model_space(crowd.md5, pose, pose);
        md5_pose_palette(crowd.md5, pose, crowd.palettes + i * floats);
        crowd.md5_instances[i].palette = crowd.palettes + i * floats;
    }
}

static void draw_md2(void)
{
    CHECK(md2_gl_draw(crowd.md2_gl, &crowd.md2_mesh, crowd.skin, &crowd.md2_scene,
                      crowd.md2_instances, KNIGHTS));
}

static void draw_md5(void)
{
    CHECK(md5_gl_draw_meshes(crowd.md5_gl, &crowd.md5_mesh, &crowd.skin, 1, &crowd.md5_scene,
                             crowd.md5_instances, KNIGHTS));
}

/* -- Plain ways ------------------------------------------------------------------------ */

static const char plain_fragment[] =
    "in vec3 v_normal; in vec2 v_texcoord; out vec4 color;\n"
    "uniform sampler2D skin; uniform vec3 light; uniform float ambient;\n"
    "void main() {\n"
    "    float lit = max(dot(normalize(v_normal), light), 0.0);\n"
    "    color = texture(skin, v_texcoord);\n"
    "    color.rgb *= mix(lit, 1.0, ambient);\n"
    "}\n";

/* Without an animation: the vertices are those of one frame. */
static const char static_vertex[] =
    "layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec2 texcoord; layout(location = 3) in mat4 place;\n"
    "uniform mat4 view_projection; out vec3 v_normal; out vec2 v_texcoord;\n"
    "void main() {\n"
    "    gl_Position = view_projection * (place * vec4(position, 1.0));\n"
    "    v_normal = mat3(place) * normal;\n"
    "    v_texcoord = texcoord;\n"
    "}\n";

/* The way of articles about MD2: each character is a draw of its own, whose attributes are the
   vertices of two frames. */
static const char article_vertex[] =
    "layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec2 texcoord;\n"
    "layout(location = 3) in vec3 next_position; layout(location = 4) in vec3 next_normal;\n"
    "uniform mat4 view_projection, place; uniform float t;\n"
    "out vec3 v_normal; out vec2 v_texcoord;\n"
    "void main() {\n"
    "    gl_Position = view_projection * (place * vec4(mix(position, next_position, t), 1.0));\n"
    "    v_normal = mat3(place) * mix(normal, next_normal, t);\n"
    "    v_texcoord = texcoord;\n"
    "}\n";

/* Four joints and weights a vertex, as most renderers have it. */
static const char four_weights_vertex[] =
    "layout(location = 0) in vec3 position; layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec2 texcoord; layout(location = 3) in mat4 place;\n"
    "layout(location = 7) in uvec4 joints; layout(location = 8) in vec4 weights;\n"
    "uniform mat4 view_projection; uniform samplerBuffer palettes; uniform int joint_count;\n"
    "out vec3 v_normal; out vec2 v_texcoord;\n"
    "void main() {\n"
    "    vec4 rows[3] = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));\n"
    "    for (int i = 0; i < 4; ++i) {\n"
    "        int first = (gl_InstanceID * joint_count + int(joints[i])) * 3;\n"
    "        rows[0] += weights[i] * texelFetch(palettes, first);\n"
    "        rows[1] += weights[i] * texelFetch(palettes, first + 1);\n"
    "        rows[2] += weights[i] * texelFetch(palettes, first + 2);\n"
    "    }\n"
    "    vec4 bind = vec4(position, 1.0);\n"
    "    vec3 skinned = vec3(dot(rows[0], bind), dot(rows[1], bind), dot(rows[2], bind));\n"
    "    gl_Position = view_projection * (place * vec4(skinned, 1.0));\n"
    "    v_normal = mat3(place) * vec3(dot(rows[0].xyz, normal), dot(rows[1].xyz, normal),\n"
    "                                  dot(rows[2].xyz, normal));\n"
    "    v_texcoord = texcoord;\n"
    "}\n";

typedef struct plain_vertex {
    float    position[3], normal[3];
    float    texcoord[2];
    uint32_t joints[4];
    float    weights[4];
} plain_vertex;

typedef struct plain_mesh {
    GLuint  program, array;
    GLsizei index_count;
} plain_mesh;

static plain_mesh still, article, four_weights;
static GLuint     frame_vertices, palette_buffer; /* of all frames; of all knights */

static GLuint make_buffer(GLenum target, size_t size, const void *data)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)size, data, GL_STATIC_DRAW);
    return buffer;
}

static void set_attribute(GLuint location, GLint count, size_t stride, size_t offset)
{
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, count, GL_FLOAT, GL_FALSE, (GLsizei)stride, (const void *)offset);
}

/* Makes a mesh and leaves its array bound, for the attributes. */
static plain_mesh make_mesh(const char *vertex_source, const uint32_t *indices, uint32_t index_count)
{
    plain_mesh mesh = { link_program(&vertex_source, 1, plain_fragment), 0, (GLsizei)index_count };
    glUseProgram(mesh.program);
    glUniform1i(glGetUniformLocation(mesh.program, "skin"), 0);
    glUniform1i(glGetUniformLocation(mesh.program, "palettes"), 1);
    glUniform1i(glGetUniformLocation(mesh.program, "joint_count"), (GLint)crowd.md5->joint_count);
    glUniform3fv(glGetUniformLocation(mesh.program, "light"), 1, light);
    glUniform1f(glGetUniformLocation(mesh.program, "ambient"), AMBIENT);
    glUniformMatrix4fv(glGetUniformLocation(mesh.program, "view_projection"), 1, GL_FALSE,
                       crowd.view_projection);

    glGenVertexArrays(1, &mesh.array);
    glBindVertexArray(mesh.array);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, index_count * sizeof *indices, indices);
    return mesh;
}

static void set_mesh_attributes(void)
{
    set_attribute(0, 3, sizeof(plain_vertex), offsetof(plain_vertex, position));
    set_attribute(1, 3, sizeof(plain_vertex), offsetof(plain_vertex, normal));
    set_attribute(2, 2, sizeof(plain_vertex), offsetof(plain_vertex, texcoord));
}

/* The places never change: they are uploaded once. */
static void set_place_attributes(void)
{
    make_buffer(GL_ARRAY_BUFFER, sizeof crowd.places, crowd.places);
    for (GLuint column = 0; column < 4; ++column) {
        set_attribute(3 + column, 4, 16 * sizeof(float), 4 * column * sizeof(float));
        glVertexAttribDivisor(3 + column, 1);
    }
}

/* One frame of the MD2, as md2_pose_between gives it to all. */
static void make_still(void)
{
    uint32_t      count = crowd.md2->vertex_count;
    plain_vertex *vertices = (plain_vertex *)malloc_or_abort(count * sizeof *vertices);
    md2_pose      pose = crowd.md2_instances[0].pose;
    memset(vertices, 0, count * sizeof *vertices);
    md2_pose_vertices(crowd.md2, &pose, vertices->position, sizeof *vertices, vertices->normal,
                      sizeof *vertices);
    for (uint32_t i = 0; i < count; ++i) {
        vertices[i].texcoord[0] = crowd.md2->vertices[i].u;
        vertices[i].texcoord[1] = crowd.md2->vertices[i].v;
    }

    still = make_mesh(static_vertex, crowd.md2->indices, crowd.md2->index_count);
    make_buffer(GL_ARRAY_BUFFER, count * sizeof *vertices, vertices);
    set_mesh_attributes();
    set_place_attributes();
    free(vertices);
}

/* All frames as floats: six a vertex. */
static void make_article(void)
{
    size_t count = crowd.md2->vertex_count, frames = crowd.md2->frame_count;
    float *vertices = (float *)malloc_or_abort(frames * count * 6 * sizeof(float));
    float *texcoords = (float *)malloc_or_abort(count * 2 * sizeof(float));
    for (uint32_t frame = 0; frame < frames; ++frame) {
        md2_pose pose = md2_pose_between(frame, frame, 0);
        float   *first = vertices + frame * count * 6;
        md2_pose_vertices(crowd.md2, &pose, first, 6 * sizeof(float), first + 3, 6 * sizeof(float));
    }
    for (size_t i = 0; i < count; ++i) {
        texcoords[2 * i] = crowd.md2->vertices[i].u;
        texcoords[2 * i + 1] = crowd.md2->vertices[i].v;
    }

    article = make_mesh(article_vertex, crowd.md2->indices, crowd.md2->index_count);
    make_buffer(GL_ARRAY_BUFFER, count * 2 * sizeof(float), texcoords);
    set_attribute(2, 2, 2 * sizeof(float), 0);
    frame_vertices = make_buffer(GL_ARRAY_BUFFER, frames * count * 6 * sizeof(float), vertices);
    free(texcoords);
    free(vertices);
}

/* The bind pose, and each vertex's four heaviest weights. */
static void make_four_weights(void)
{
    const md5_mesh *mesh = &crowd.md5->meshes[0];
    plain_vertex   *vertices = (plain_vertex *)malloc_or_abort(mesh->vertex_count * sizeof *vertices);
    md5_xform       bind[MOST_JOINTS];
    memset(vertices, 0, mesh->vertex_count * sizeof *vertices);
    for (uint32_t i = 0; i < crowd.md5->joint_count; ++i) bind[i] = crowd.md5->joints[i].bind;
    md5_pose_vertices(crowd.md5, 0, bind, vertices->position, sizeof *vertices, vertices->normal,
                      sizeof *vertices, NULL, 0);
    CHECK(mesh->max_influences <= 4);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
        const md5_vertex *vertex = &mesh->vertices[i];
        vertices[i].texcoord[0] = vertex->u;
        vertices[i].texcoord[1] = vertex->v;
        for (uint32_t k = 0; k < vertex->weight_count && k < 4; ++k) {
            vertices[i].joints[k] = mesh->weights[vertex->first_weight + k].joint;
            vertices[i].weights[k] = mesh->weights[vertex->first_weight + k].bias;
        }
    }

    four_weights = make_mesh(four_weights_vertex, mesh->indices, mesh->index_count);
    make_buffer(GL_ARRAY_BUFFER, mesh->vertex_count * sizeof *vertices, vertices);
    set_mesh_attributes();
    glEnableVertexAttribArray(7);
    glVertexAttribIPointer(7, 4, GL_UNSIGNED_INT, sizeof *vertices,
                           (const void *)offsetof(plain_vertex, joints));
    set_attribute(8, 4, sizeof *vertices, offsetof(plain_vertex, weights));
    set_place_attributes();
    free(vertices);

    GLuint texture;
    palette_buffer = make_buffer(GL_TEXTURE_BUFFER, 16, NULL);
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, palette_buffer);
    glActiveTexture(GL_TEXTURE0);
}

static void draw_instances(const plain_mesh *mesh)
{
    glUseProgram(mesh->program);
    glBindVertexArray(mesh->array);
    glDrawElementsInstanced(GL_TRIANGLES, mesh->index_count, GL_UNSIGNED_INT, NULL, KNIGHTS);
}

static void draw_still(void) { draw_instances(&still); }

static void draw_article(void)
{
    GLint place = glGetUniformLocation(article.program, "place");
    GLint t = glGetUniformLocation(article.program, "t");
    glUseProgram(article.program);
    glBindVertexArray(article.array);
    glBindBuffer(GL_ARRAY_BUFFER, frame_vertices);
    for (int i = 0; i < KNIGHTS; ++i) {
        const md2_pose *pose = &crowd.md2_instances[i].pose;
        size_t stride = 6 * sizeof(float), frame_size = crowd.md2->vertex_count * stride;
        size_t first = pose->frame[0] * frame_size, next = pose->frame[1] * frame_size;
        set_attribute(0, 3, stride, first);
        set_attribute(1, 3, stride, first + 3 * sizeof(float));
        set_attribute(3, 3, stride, next);
        set_attribute(4, 3, stride, next + 3 * sizeof(float));
        glUniformMatrix4fv(place, 1, GL_FALSE, crowd.places[i]);
        glUniform1f(t, pose->weight[1]);
        glDrawElements(GL_TRIANGLES, article.index_count, GL_UNSIGNED_INT, NULL);
    }
}

static void draw_four_weights(void)
{
    size_t bytes = sizeof(float) * KNIGHTS * 12 * crowd.md5->joint_count;
    glBindBuffer(GL_TEXTURE_BUFFER, palette_buffer);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)bytes, crowd.palettes, GL_STREAM_DRAW);
    draw_instances(&four_weights);
}

/* -- Comparing ---------------------------------------------------------------------- */

static void draw_frame(bench_task draw)
{
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw();
    glFinish();
}

#define FRAME(name) static void frame_of_##name(void) { draw_frame(draw_##name); }
FRAME(md2)
FRAME(md5)
FRAME(still)
FRAME(article)
FRAME(four_weights)

static unsigned char *take_picture(bench_task frame)
{
    unsigned char *pixels = (unsigned char *)malloc_or_abort(WIDTH * HEIGHT * 4);
    frame();
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    return pixels;
}

/* Edges may fall a pixel off, so a hundredth of what is covered may differ. */
static void check_pictures(const char *name, bench_task ours, bench_task other)
{
    unsigned char *a = take_picture(ours), *b = take_picture(other);
    long           covered = 0, different = 0;
    for (size_t i = 0; i < WIDTH * HEIGHT * 4; i += 4) {
        int off = 0;
        for (size_t k = 0; k < 3; ++k) off = abs(a[i + k] - b[i + k]) > off ? abs(a[i + k] - b[i + k]) : off;
        covered += a[i] || a[i + 1] || a[i + 2];
        different += off > 16;
    }
    check_step("%s: %ld pixels, %ld of them differ", name, covered, different);
    CHECK(covered > WIDTH * HEIGHT / 10 && different <= covered / 100);
    free(a);
    free(b);
}

static double wall_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(const char *what, const char *against, bench_task ours, bench_task other)
{
    bench_row_times(what, against, bench_compare_by(wall_time, ours, other, 0), 1, 0);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s character-folder\n", argv[0]);
        return EXIT_FAILURE;
    }
    if (!open_context(false)) {
        printf("SKIPPED: %s: %s\n", context.name, context.why);
        return EXIT_SUCCESS;
    }
    if (!load_crowd(argv[1])) return check_finish();

    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    place_crowd();
    pose_crowd(true);
    make_still();
    make_article();
    make_four_weights();
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, crowd.skin);
    check_pictures("static instances", frame_of_md2, frame_of_still);
    check_pictures("the articles' way", frame_of_md2, frame_of_article);
    check_pictures("four weights", frame_of_md5, frame_of_four_weights);
    expect_no_error("drawing");

    pose_crowd(false);
    printf("## %d knights, %s\n\n", KNIGHTS, (const char *)glGetString(GL_RENDERER));
    bench_heading();
    measure("md2_gl_draw", "as many static instances", frame_of_md2, frame_of_still);
    measure("md2_gl_draw", "the articles' way, draw by draw", frame_of_md2, frame_of_article);
    measure("md5_gl_draw_meshes", "plain skinning, four weights", frame_of_md5, frame_of_four_weights);
    close_context();
    return check_finish();
}
