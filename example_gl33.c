/* example_gl33.c - a viewer for Quake II and Doom 3 models, by md2.h and md5.h. Public domain.

   glad --reproducible --api gl:core=3.3 --extensions '' --out-path build/glad c --header-only
   cc -O2 -isystem build/glad/include example_gl33.c -o viewer -lglfw -lm

   ./viewer knight/tris.md2 knight/weapon.md2       drop more files on the window; H shows the keys
   ./viewer imp/imp.md5mesh imp/walk.md5anim --crowd 100 --shot imp.png

   What a game copies is the part "Models": open, play, pose and draw, for either format. */

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __EMSCRIPTEN__
  #include <GLES3/gl3.h>
  #include <emscripten.h>
  #include <emscripten/html5.h>
  #define SHADER_HEAD "#version 300 es\nprecision highp float;\n"
  #define ON_THE_WEB 1
  #define START_LOOP(tick) emscripten_set_main_loop(tick, 0, 1)
  #define gladLoadGL(get_proc) 1
  #define glfwGetWindowContentScale(w, x, y) (*(x) = (float)emscripten_get_device_pixel_ratio())
#else
  #define GLAD_GL_IMPLEMENTATION
  #include <glad/gl.h>
  #define SHADER_HEAD "#version 330 core\n"
  #define ON_THE_WEB 0
  #define START_LOOP(tick)
  #define EMSCRIPTEN_KEEPALIVE
#endif
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_easy_font.h>
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

#define MD2_IMPLEMENTATION
#define MD2_GL
#define MD2_STB_IMAGE
#include "md2.h"
#define MD5_IMPLEMENTATION
#define MD5_GL
#define MD5_STB_IMAGE
#include "md5.h"

#define MAX_PARTS       8
#define MAX_ANIMS       1024
#define MAX_PATH_LENGTH 4096
#define COUNT(array)    ((int)(sizeof(array) / sizeof *(array)))

/* What one call draws: a whole MD2, or one mesh of an MD5. */
typedef struct mesh { md2_gl_mesh md2; md5_gl_mesh md5; GLuint texture; } mesh;

typedef struct part {                 /* a .md2 or a .md5mesh */
    char       path[MAX_PATH_LENGTH];
    md2_model *md2;
    md5_model *md5;
    mesh      *meshes;
    uint32_t   mesh_count, skin;
    int       *leader;                /* of each joint: that of the same name in the first part */
    md5_xform *pose, *scratch;        /* two halves of one array */
    float     *palettes;              /* of one character after the other */
} part;

typedef struct clip { const char *name; double fps; const md2_anim *md2; md5_anim *md5; } clip;

static const clip bind_pose = { "bind pose", 24, NULL, NULL };

typedef struct player { md2_player md2; md5_player md5; } player; /* one of them is at work */

static struct viewer {
    part             parts[MAX_PARTS]; /* the first one leads: its animations, its joints */
    clip             clips[MAX_ANIMS]; /* at least one: the bind pose */
    int              part_count, anim_count, anim, crowd;
    player          *players;
    md2_gl_instance *md2_instances;
    md5_gl_instance *md5_instances;
    md2_gl          *md2_gl;
    md5_gl          *md5_gl;
    md2_mode         mode;
    double           time;            /* of the first character in its animation */
    float            speed;
    float            min[3], max[3], radius; /* of the model as it stands in its first pose */
    bool             paused, mixed, skeleton, bounds, y_up, no_vsync;
    int              help;            /* text: none, status, all */
    char             error[512], note[256];
} viewer = { .crowd = 1, .speed = 1, .radius = 1 };

static struct camera { float target[3], yaw, pitch, distance; } camera;

static const float light[3] = { 0.42f, 0.34f, 0.84f };

static GLFWwindow *window;

static struct wishes {                /* what the command line asks for */
    const char *shot, *anim, *keys;
    double      size[2], crowd, time, yaw, fps, frames;
} wish = { NULL, NULL, "", { 1280, 800 }, 1, 0, 28, 60, 1e9 };

/* step: seconds to the next frame; negative: by the clock */
static struct run { int frame, screenshots; double now, step, cpu_ms; } run;

static void stop(const char *message, const char *what)
{
    fprintf(stderr, "viewer: %s%s\n", message, what);
    exit(1);
}

static const char *file_name(const char *path)
{
    const char *name = path;
    for (; *path; ++path) name = *path == '/' || *path == '\\' ? path + 1 : name;
    return name;
}

/* Of several errors the first is the cause. Always false. */
static bool fail(const char *path, const char *format, ...)
{
    va_list arguments;
    if (viewer.error[0]) return false;
    int length = snprintf(viewer.error, 200, "%.150s - error: ", file_name(path));
    va_start(arguments, format);
    vsnprintf(viewer.error + length, 300, format, arguments);
    va_end(arguments);
    return false;
}

/* Zeroed memory in the place of what was there. */
#define RENEW(array, type, count) ((array) = (type *)renew((array), (size_t)(count), sizeof(type)))

static void *renew(void *old, size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) stop("no memory", "");
    free(old);
    return memory;
}

/* -- Models: open, play, pose, draw ------------------------------------------------------------ */

static bool has_extension(const char *path, const char *extension)
{
    const char *dot = strrchr(path, '.');
    for (; dot && *dot && tolower((unsigned char)*dot) == *extension; ++dot) ++extension;
    return dot && *dot == *extension;
}

static bool is_model(const char *path)
{
    return has_extension(path, ".md2") || has_extension(path, ".md5mesh");
}

static bool is_anim(const char *path) { return has_extension(path, ".md5anim"); }

static uint8_t *load_pcx(const char *path, uint32_t *width, uint32_t *height, md2_error *error)
{
    static uint8_t bytes[4 << 20];
    FILE          *file = fopen(path, "rb");
    if (!file) return NULL;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return md2_load_pcx_memory(bytes, size, width, height, NULL, error);
}

static GLuint load_picture(const char *path)
{
    md2_error error = { 0, MD2_ERROR_OPEN, "this picture cannot be read" };
    uint32_t  width, height;
    uint8_t  *pixels = has_extension(path, ".pcx")
                         ? load_pcx(path, &width, &height, &error)
                         : stbi_load(path, (int *)&width, (int *)&height, NULL, 4);
    GLuint    texture = pixels ? md2_gl_texture(viewer.md2_gl, pixels, width, height) : 0;
    if (!texture) fail(path, "%s", error.message);
    free(pixels);
    return texture;
}

/* One picture for all of it. */
static void dress(part *p, const char *picture)
{
    if (!p->meshes) fail(picture, "this is no .md2 and no .md5mesh");
    for (uint32_t i = 0; i < p->mesh_count; ++i) {
        GLuint texture = load_picture(picture);
        if (!texture) return;
        glDeleteTextures(1, &p->meshes[i].texture);
        p->meshes[i].texture = texture;
    }
    viewer.note[0] = 0;
}

/* The pictures that the model itself asks for. */
static void load_textures(part *p)
{
    for (uint32_t i = 0; i < p->mesh_count; ++i) {
        md2_error error2 = { 0, MD2_OK, "" };
        md5_error error5 = { 0, MD5_OK, "" };
        GLuint   *out = &p->meshes[i].texture;
        glDeleteTextures(1, out);
        if (p->md2) *out = md2_gl_load_skin(viewer.md2_gl, p->md2, p->path, p->skin, &error2);
        else *out = md5_gl_load_texture(viewer.md5_gl, p->md5, p->path, i, &error5);
        if (!*out) snprintf(viewer.note, 256, "%s%s", error2.message, error5.message);
    }
}

/* The first one takes the place of the bind pose. */
static void add_clip(clip c)
{
    if (!viewer.clips[0].md2 && !viewer.clips[0].md5) viewer.anim_count = 0;
    if (viewer.anim_count < MAX_ANIMS) viewer.clips[viewer.anim_count++] = c;
}

static bool open_md2(part *p)
{
    md2_error error;
    p->mesh_count = 1;
    RENEW(p->meshes, mesh, 1);
    p->md2 = md2_load_file(p->path, NULL, &error);
    if (!p->md2 || !md2_gl_upload(viewer.md2_gl, p->md2, &p->meshes->md2, &error)) {
        return fail(p->path, "%s", error.message);
    }
    for (uint32_t i = 0; p == viewer.parts && i < p->md2->anim_count; ++i) {
        const md2_anim *anim = &p->md2->anims[i];
        add_clip((clip){ anim->name, anim->fps, anim, NULL });
    }
    return true;
}

static bool open_md5mesh(part *p)
{
    md5_error error;
    p->md5 = md5_load_model_file(p->path, NULL, &error);
    if (!p->md5) return fail(p->path, "line %u: %s", error.line, error.message);
    uint32_t joints = p->md5->joint_count;
    p->mesh_count = p->md5->mesh_count;
    RENEW(p->meshes, mesh, p->mesh_count);
    RENEW(p->leader, int, joints);
    RENEW(p->pose, md5_xform, 2 * joints);
    p->scratch = p->pose + joints;
    for (uint32_t i = 0; i < joints; ++i) {
        p->leader[i] = md5_find_joint(viewer.parts[0].md5, p->md5->joints[i].name);
    }
    for (uint32_t i = 0; i < p->mesh_count; ++i) {
        if (md5_gl_upload(viewer.md5_gl, p->md5, i, &p->meshes[i].md5, &error)) continue;
        return fail(p->path, "%s", error.message);
    }
    return true;
}

/* An animation of another skeleton is fitted to this one by the names of the joints. */
static bool open_md5anim(const char *path)
{
    const md5_model *model = viewer.parts[0].md5;
    md5_error        error;
    uint32_t         missing = 0;
    if (!model) return fail(path, "an animation needs its .md5mesh as well");
    if (viewer.anim_count == MAX_ANIMS) return fail(path, "at most %d animations", MAX_ANIMS);
    md5_anim *anim = md5_load_anim_file(path, NULL, &error), *own = anim;
    if (own && md5_check_anim(model, own, &error) != MD5_OK) {
        anim = md5_retarget_anim(model, own, &missing, NULL, &error);
        snprintf(viewer.note, 256, "%s: another skeleton, which lacks %u of %u joints", own->name,
                 missing, model->joint_count);
        md5_free_anim(own);
    }
    if (!anim) return fail(path, "line %u: %s", error.line, error.message);
    add_clip((clip){ anim->name, anim->fps, NULL, anim });
    return true;
}

static void close_part(part *p)
{
    for (uint32_t i = 0; p->meshes && i < p->mesh_count; ++i) {
        md2_gl_free_mesh(viewer.md2_gl, &p->meshes[i].md2);
        md5_gl_free_mesh(viewer.md5_gl, &p->meshes[i].md5);
        glDeleteTextures(1, &p->meshes[i].texture);
    }
    md2_free_model(p->md2);
    md5_free_model(p->md5);
    free(p->meshes);
    free(p->leader);
    free(p->pose);
    free(p->palettes);
    memset(p, 0, sizeof *p);
}

static void close_models(void)
{
    for (int i = 0; i < viewer.anim_count; ++i) md5_free_anim(viewer.clips[i].md5);
    for (int i = 0; i < viewer.part_count; ++i) close_part(&viewer.parts[i]);
    viewer.clips[0] = bind_pose;
    viewer.anim_count = 1;
    viewer.part_count = viewer.anim = 0;
}

static double length_of(const clip *c)
{
    return md2_anim_length(c->md2, viewer.mode) + md5_anim_length(c->md5, (md5_mode)viewer.mode);
}

static void play(player *who, const clip *c, double time, float fade)
{
    md2_play(&who->md2, c->md2, viewer.mode, fade);
    md5_play(&who->md5, c->md5, (md5_mode)viewer.mode, fade);
    md2_seek(&who->md2, time);
    md5_seek(&who->md5, time);
}

/* Further parts follow the joints of the first that have the same names: a sword follows a hand. */
static void pose(int character)
{
    const part   *lead = &viewer.parts[0];
    const player *who = &viewer.players[character];
    if (lead->md2) viewer.md2_instances[character].pose = md2_player_pose(&who->md2);
    if (lead->md2) return;
    md5_player_pose(lead->md5, &who->md5, lead->pose, lead->scratch);
    md5_pose_to_model_space(lead->md5, lead->pose, lead->pose);
    for (const part *p = lead; p < lead + viewer.part_count; ++p) {
        uint32_t joints = p->md5->joint_count;
        for (uint32_t i = 0; p != lead && i < joints; ++i) {
            p->pose[i] = p->leader[i] < 0 ? p->md5->joints[i].bind : lead->pose[p->leader[i]];
        }
        md5_pose_palette(p->md5, p->pose, p->palettes + (size_t)character * joints * 12);
    }
}

static void find_bounds(int character, float min[3], float max[3])
{
    const part *lead = &viewer.parts[0];
    pose(character);
    if (lead->md2) md2_pose_bounds(lead->md2, &viewer.md2_instances[character].pose, min, max);
    else md5_pose_bounds(lead->md5, lead->pose, min, max);
}

static void draw_models(const float view_projection[16])
{
    md2_gl_scene     scene2 = { 0.45f, { light[0], light[1], light[2] }, { 0 } };
    md5_gl_scene     scene5 = { 0.45f, { light[0], light[1], light[2] }, { 0 } };
    md2_gl_instance *in2 = viewer.md2_instances;
    md5_gl_instance *in5 = viewer.md5_instances;
    size_t           count = (size_t)viewer.crowd;
    memcpy(scene2.view_projection, view_projection, sizeof scene2.view_projection);
    memcpy(scene5.view_projection, view_projection, sizeof scene5.view_projection);
    for (const part *p = viewer.parts; p < viewer.parts + viewer.part_count; ++p) {
        for (size_t i = 0; p->md5 && i < count; ++i) {
            in5[i].palette = p->palettes + i * p->md5->joint_count * 12;
        }
        for (const mesh *m = p->meshes; m < p->meshes + p->mesh_count; ++m) {
            if (p->md2) md2_gl_draw(viewer.md2_gl, &m->md2, m->texture, &scene2, in2, count);
            else md5_gl_draw(viewer.md5_gl, &m->md5, m->texture, &scene5, in5, count);
        }
    }
}

/* -- The crowd --------------------------------------------------------------------------------- */

static int rows(void) { return (int)ceil(sqrt(viewer.crowd)); }

static float stride(void)
{
    return 1.3f * fmaxf(viewer.max[0] - viewer.min[0], viewer.max[1] - viewer.min[1]);
}

/* Every character has a clock of its own, spread evenly over the animation. */
static void play_all(bool fading)
{
    float fade = fading && !viewer.paused && run.frame > 0 ? 0.25f : 0;
    for (int i = 0; i < viewer.crowd && viewer.part_count; ++i) {
        clip *c = &viewer.clips[(viewer.anim + (viewer.mixed ? i : 0)) % viewer.anim_count];
        play(&viewer.players[i], c, viewer.time + fmod(i * 0.6180339887, 1) * length_of(c), fade);
    }
}

/* In rows behind each other, with their feet on the floor. With Y up, the axes change places. */
static void place(int i, float transform[16])
{
    for (int axis = 0; axis < 3; ++axis) transform[4 * axis + (axis + viewer.y_up) % 3] = 1;
    transform[12] = (float)(-i / rows()) * stride();
    transform[13] = ((float)(i % rows()) - 0.5f * (float)(rows() - 1)) * stride();
    transform[14] = -viewer.min[2];
    transform[15] = 1;
}

/* The floor is under the feet that the first animation begins on. */
static void measure(void)
{
    float min[3], max[3];
    play(&viewer.players[0], viewer.clips, 0, 0);
    find_bounds(0, min, max);
    for (int axis = 0; axis < 3; ++axis) {
        viewer.min[(axis + viewer.y_up) % 3] = min[axis];
        viewer.max[(axis + viewer.y_up) % 3] = max[axis];
    }
    viewer.radius = 0.5f * hypotf(stride() / 1.3f, viewer.max[2] - viewer.min[2]) + 1e-6f;
}

static void reset_camera(double yaw)
{
    float depth = fminf((float)(rows() - 1), 12) * stride();
    camera.target[0] = (viewer.max[0] + viewer.min[0]) / 2 - 0.3f * depth;
    camera.target[1] = (viewer.max[1] + viewer.min[1]) / 2;
    camera.target[2] = (viewer.max[2] - viewer.min[2]) * 0.48f;
    camera.distance = 3.1f * viewer.radius + 0.7f * depth;
    camera.pitch = depth > 0 ? 0.32f : 0.14f;
    camera.yaw = (float)yaw;
}

static void form_crowd(int count)
{
    viewer.crowd = count;
    if (!viewer.part_count) return;
    RENEW(viewer.players, player, count);
    RENEW(viewer.md2_instances, md2_gl_instance, count);
    RENEW(viewer.md5_instances, md5_gl_instance, count);
    for (part *p = viewer.parts; p < viewer.parts + viewer.part_count && p->md5; ++p) {
        RENEW(p->palettes, float, (size_t)count * p->md5->joint_count * 12);
    }
    measure();
    play_all(false);
    reset_camera(camera.yaw);
    for (int i = 0; i < count; ++i) {
        place(i, viewer.md2_instances[i].transform);
        place(i, viewer.md5_instances[i].transform);
    }
}

/* -- Opening files ----------------------------------------------------------------------------- */

static void open_model(const char *path)
{
    part *p = &viewer.parts[viewer.part_count];
    bool  md2 = has_extension(path, ".md2");
    if (p == viewer.parts + MAX_PARTS) {
        fail(path, "at most %d models at once", MAX_PARTS);
    } else if (p != viewer.parts && md2 != !viewer.parts[0].md5) {
        fail(path, "MD2 and MD5 models cannot be shown together");
    } else {
        snprintf(p->path, sizeof p->path, "%s", path);
        if (!(md2 ? open_md2(p) : open_md5mesh(p))) {
            close_part(p);
        } else {
            ++viewer.part_count;
            load_textures(p);
        }
    }
}

/* A set of files with a model in it replaces what is shown; without one, it joins. A picture is for
   the model before it, or else for the first. */
static void open_files(int count, const char **paths)
{
    int models = 0, anims = 0, last = -1;
    for (int i = 0; i < count; ++i) {
        models += is_model(paths[i]);
        anims += is_anim(paths[i]);
    }
    viewer.error[0] = viewer.note[0] = 0;
    if (models || !viewer.part_count) close_models();
    for (int i = 0; i < count; ++i) {
        if (is_model(paths[i])) open_model(paths[i]);
    }
    for (int i = 0; i < count; ++i) {
        if (is_model(paths[i])) last += last + 1 < viewer.part_count;
        else if (!is_anim(paths[i])) dress(&viewer.parts[last < 0 ? 0 : last], paths[i]);
        else if (open_md5anim(paths[i]) && !models) viewer.anim = viewer.anim_count - 1;
    }
    if (models + anims == 0) return;
    viewer.time = wish.time;
    form_crowd(viewer.crowd);
}

/* -- Shapes: lines and triangles of one color each vertex -------------------------------------- */

/* What stb_easy_font writes. */
typedef struct shape_vertex { float position[3]; uint8_t color[4]; } shape_vertex;

static struct shapes {
    GLuint       program, vao, buffer;
    GLenum       kind;
    GLsizei      count;
    shape_vertex vertices[60000];     /* a whole number of lines, of triangles and of quads */
} shapes;

static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

static const char shape_vertex_shader[] =
    "layout(location = 0) in vec3 position; layout(location = 1) in vec4 color;"
    "uniform mat4 matrix; out vec4 tint; out vec2 screen;"
    "void main() {"
    "    tint = color; screen = position.xy; gl_Position = matrix * vec4(position, 1.0);"
    "}";

static GLuint create_program(const char *fragment_shader)
{
    const char *texts[2][2] = { { SHADER_HEAD, shape_vertex_shader },
                                { SHADER_HEAD, fragment_shader } };
    char        log[512] = "";
    GLuint      program = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 2, texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (log[0]) fprintf(stderr, "viewer: %s\n", log);
    return program;
}

/* What is added from here on is of this kind; draw_shapes ends it. */
static void begin_shapes(GLuint program, GLenum kind, const float matrix[16])
{
    shapes.kind = kind;
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "matrix"), 1, GL_FALSE, matrix);
}

static void draw_shapes(void)
{
    glBindVertexArray(shapes.vao);
    glBindBuffer(GL_ARRAY_BUFFER, shapes.buffer);
    glBufferData(GL_ARRAY_BUFFER, shapes.count * (GLsizei)sizeof *shapes.vertices, shapes.vertices,
                 GL_STREAM_DRAW);
    glDrawArrays(shapes.kind, 0, shapes.count);
    shapes.count = 0;
}

/* A point of what stands where the matrix `at` says. */
static void add_point(const float at[16], const float p[3], uint32_t rgba)
{
    shape_vertex *v = &shapes.vertices[shapes.count++];
    for (int i = 0; i < 3; ++i) {
        v->position[i] = at[i] * p[0] + at[4 + i] * p[1] + at[8 + i] * p[2] + at[12 + i];
    }
    for (int i = 0; i < 4; ++i) v->color[i] = (uint8_t)(rgba >> (24 - 8 * i));
    if (shapes.count == COUNT(shapes.vertices)) draw_shapes();
}

/* One that covers all from the corner (x, y) on, as far as `size`. */
static void add_triangle(float x, float y, float size, uint32_t rgba)
{
    const float corners[3][3] = { { x, y, 0 }, { x + size, y, 0 }, { x, y + size, 0 } };
    for (int i = 0; i < 3; ++i) add_point(identity, corners[i], rgba);
}

/* A bone is six triangles around its line, along the axes: they look solid from every side. */
static void add_bone(const float at[16], const float a[3], const float b[3])
{
    float size = 0.1f * hypotf(hypotf(b[0] - a[0], b[1] - a[1]), b[2] - a[2]);
    for (int i = 0; i < 6; ++i) {
        float side[3];
        for (int j = 0; j < 3; ++j) side[j] = a[j] + 0.2f * (b[j] - a[j]);
        side[i / 2] += i % 2 ? size : -size;
        add_point(at, a, 0xe8972cff);
        add_point(at, b, 0xffd24aff);
        add_point(at, side, 0xe8972cff);
    }
}

static void add_skeleton(int character)
{
    const float *at = viewer.md2_instances[character].transform;
    const part  *lead = &viewer.parts[0];
    pose(character);
    for (uint32_t i = 0; lead->md5 && i < lead->md5->joint_count; ++i) {
        int parent = lead->md5->joints[i].parent;
        if (parent >= 0) add_bone(at, lead->pose[parent].position, lead->pose[i].position);
    }
}

/* Both ends of the four edges along each axis: a bit for each coordinate. */
static void add_bounds(int character)
{
    const float *at = viewer.md2_instances[character].transform;
    float        bounds[2][3], point[3];
    find_bounds(character, bounds[0], bounds[1]);
    for (int i = 0; i < 24; ++i) {
        for (int j = 0; j < 3; ++j) point[(i / 8 + j) % 3] = bounds[i >> j & 1][(i / 8 + j) % 3];
        add_point(at, point, 0x2fd0a0ff);
    }
}

/* -- The stage: camera, sky, floor and a soft shadow ------------------------------------------- */

#define SHADOW_SIZE 2048

enum { SHADOW, SAMPLED, CANVAS };     /* framebuffers */

static struct stage {
    GLuint ground, shadow, frames[3], buffers[3];
    int    width, height;
} stage;

/* The floor is where the ray through a pixel meets z = 0; what the light met first shades it. */
static const char ground_shader[] =
    "in vec2 screen; out vec4 color; uniform sampler2D shadow;"
    "uniform mat4 view;"              /* columns: right, up, forward, eye */
    "uniform vec4 place;"             /* middle of the shadow, its half width, size of a tile */
    "float light_at(vec2 spot) {"
    "    float texels = 0.5 * float(textureSize(shadow, 0).x) * place.w / place.z;"
    "    float covered = 0.0, blur = max(log2(0.03 * texels), 0.0);"
    "    for (int i = 0; i < 24; ++i) {"  /* a spiral: points of even density */
    "        float turn = float(i) * 2.39996, reach = 0.12 * sqrt((float(i) + 0.5) / 24.0);"
    "        vec2 near = spot + reach * place.w * vec2(cos(turn), sin(turn));"
    "        covered += textureLod(shadow, 0.5 + 0.5 * (near - place.xy) / place.z, blur).a;"
    "    }"
    "    return 1.0 - 0.6 * covered / 24.0;"
    "}"
    "void main() {"
    "    vec3 ray = mat3(view) * vec3(screen, 1.0), haze = vec3(0.80, 0.84, 0.88);"
    "    vec2 spot = view[3].xy - ray.xy * (view[3].z / min(ray.z, -1e-4));"
    "    vec2 tile = spot / place.w, width = max(fwidth(tile), 1e-4);"
    "    vec2 wave = clamp(sin(3.14159 * tile) / (3.14159 * width), -1.0, 1.0);"
    "    float tone = (0.6 + 0.04 * wave.x * wave.y) * light_at(spot);"
    "    float away = length(spot - place.xy) / (place.z + 14.0 * place.w);"
    "    vec3 ground = mix(haze, tone * vec3(1.02, 1.0, 0.96), exp(-away * away));"
    "    vec3 sky = mix(haze, vec3(0.36, 0.50, 0.66), smoothstep(0.0, 0.7, normalize(ray).z));"
    "    color = vec4(ray.z < 0.0 ? ground : sky, 1.0);"
    "}";

static void create_stage(void)
{
    shapes.program = create_program("in vec4 tint; out vec4 c; void main() { c = tint; }");
    glGenVertexArrays(1, &shapes.vao);
    glBindVertexArray(shapes.vao);
    glGenBuffers(1, &shapes.buffer);
    glBindBuffer(GL_ARRAY_BUFFER, shapes.buffer);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(shape_vertex), NULL);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(shape_vertex), (void *)12);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    stage.ground = create_program(ground_shader);
    glGenFramebuffers(3, stage.frames);
    glGenRenderbuffers(3, stage.buffers);
    glGenTextures(1, &stage.shadow);
    glBindTexture(GL_TEXTURE_2D, stage.shadow);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SHADOW_SIZE, SHADOW_SIZE, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindFramebuffer(GL_FRAMEBUFFER, stage.frames[SHADOW]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, stage.shadow, 0);
}

static void attach(int frame, GLenum attachment, GLuint buffer, int samples, GLenum format)
{
    glBindFramebuffer(GL_FRAMEBUFFER, stage.frames[frame]);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, stage.width, stage.height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
}

/* All is drawn with four samples a pixel, copied to the canvas, and from there to the window. */
static void resize_stage(int width, int height)
{
    if (stage.width == width && stage.height == height) return;
    stage.width = width;
    stage.height = height;
    attach(SAMPLED, GL_COLOR_ATTACHMENT0, stage.buffers[0], 4, GL_RGBA8);
    attach(SAMPLED, GL_DEPTH_ATTACHMENT, stage.buffers[1], 4, GL_DEPTH_COMPONENT24);
    attach(CANVAS, GL_COLOR_ATTACHMENT0, stage.buffers[2], 0, GL_RGBA8);
}

static void copy_stage(GLuint from, GLuint to)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    glBlitFramebuffer(0, 0, stage.width, stage.height, 0, 0, stage.width, stage.height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

/* `view` gets the columns right, up, forward and eye, as long as the picture is wide and high. */
static void look(float view_projection[16], float view[16])
{
    float cy = cosf(camera.yaw), sy = sinf(camera.yaw);
    float cp = cosf(camera.pitch), sp = sinf(camera.pitch);
    float axes[3][3] = { { -sy, cy, 0 }, { -sp * cy, -sp * sy, cp }, { -cp * cy, -cp * sy, -sp } };
    float aspect = (float)stage.width / (float)stage.height, tall = 0.34f / fminf(aspect, 1);
    float far = 60 * (camera.distance + viewer.radius), near = far / 5000;
    float size[4] = { tall * aspect, tall, (far - near) / (far + near), 1 };
    for (int i = 0; i < 3; ++i) view[12 + i] = camera.target[i] - camera.distance * axes[2][i];
    for (int i = 0; i < 4; ++i) {     /* rows: right, up, depth, and forward once more */
        const float *axis = axes[i < 3 ? i : 2];
        float        away = axis[0] * view[12] + axis[1] * view[13] + axis[2] * view[14];
        for (int j = 0; j < 3; ++j) {
            view_projection[4 * j + i] = axis[j] / size[i];
            if (i < 3) view[4 * i + j] = axis[j] * (i < 2 ? size[i] : 1);
        }
        view_projection[12 + i] = -away / size[i];
    }
    view_projection[14] -= 2 * far * near / (far - near);
}

/* The same draw calls, with a matrix that flattens all along the light onto the floor. */
static void draw_shadow(const float place[4])
{
    float half = place[2], x = -light[0] / light[2] / half, y = -light[1] / light[2] / half;
    float matrix[16] = { 1 / half, 0, 0, 0, 0, 1 / half, 0, 0,
                         x, y, 0, 0, -place[0] / half, -place[1] / half, 0, 1 };
    glBindFramebuffer(GL_FRAMEBUFFER, stage.frames[SHADOW]);
    glViewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    glClear(GL_COLOR_BUFFER_BIT);
    draw_models(matrix);
    glBindTexture(GL_TEXTURE_2D, stage.shadow);
    glGenerateMipmap(GL_TEXTURE_2D);
}

static void draw_stage(void)
{
    float depth = (float)(rows() - 1) * stride(), view_projection[16], view[16] = { 0 };
    float place[4] = { -depth / 2, 0, depth + 4 * viewer.radius, 0.6f * viewer.radius };
    int   crowd = viewer.part_count ? viewer.crowd : 0;
    look(view_projection, view);
    draw_shadow(place);
    glBindFramebuffer(GL_FRAMEBUFFER, stage.frames[SAMPLED]);
    glViewport(0, 0, stage.width, stage.height);
    glClear(GL_DEPTH_BUFFER_BIT);
    begin_shapes(stage.ground, GL_TRIANGLES, identity);
    glUniformMatrix4fv(glGetUniformLocation(stage.ground, "view"), 1, GL_FALSE, view);
    glUniform4fv(glGetUniformLocation(stage.ground, "place"), 1, place);
    add_triangle(-1, -1, 4, 0);
    draw_shapes();
    glEnable(GL_DEPTH_TEST);
    draw_models(view_projection);
    begin_shapes(shapes.program, GL_LINES, view_projection);
    for (int i = 0; viewer.bounds && i < crowd; ++i) add_bounds(i);
    draw_shapes();
    glDisable(GL_DEPTH_TEST);
    begin_shapes(shapes.program, GL_TRIANGLES, view_projection);
    for (int i = 0; viewer.skeleton && i < crowd; ++i) add_skeleton(i);
    draw_shapes();
}

/* -- Text and title ---------------------------------------------------------------------------- */

#define WHITE  0xffffffff
#define YELLOW 0xffd24aff
#define RED    0xff7050ff

static const char *const keys[][2] = {
    { "Left Right", "animation before, after" }, { "Space", "pause" },
    { ", .", "one frame back, on" }, { "Up Down", "faster, slower" },
    { "L", "loop, once, ping-pong" }, { "C", "crowd of 1, 10, 100, 1,000, 10,000" },
    { "M", "every character another animation" }, { "T", "next skin" },
    { "S B", "skeleton, bounds" }, { "U", "which axis is up" },
    { "R", "camera back" }, { "P", "picture into this folder" },
    { "V", "wait for the screen, or not" }, { "H", "text: none, short, this" },
    { "Mouse", "left: orbit, right: move, wheel: zoom" },
    { "Drop", ".md2 .md5mesh .md5anim .pcx .png .tga .jpg" },
};

static void add_text(float row, float column, uint32_t rgba, const char *format, ...)
{
    static const int    corners[6] = { 0, 1, 2, 0, 2, 3 };
    static shape_vertex quads[4 * 4000];
    float               at[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    char                text[512];
    va_list             arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *c = text; *c; ++c) *c = (*c < ' ' && *c != '\n') || *c > '~' ? '?' : *c;
    int count = 6 * stb_easy_font_print(0, 0, text, NULL, quads, sizeof quads);
    for (float shift = 1; shift >= 0; --shift) { /* its shadow first */
        at[12] = 12 + shift + column;
        at[13] = 12 + shift + 12 * row;
        for (int i = 0; i < count; ++i) {
            const float *corner = quads[i / 6 * 4 + corners[i % 6]].position;
            add_point(at, corner, shift > 0 ? 0x102030c0 : rgba);
        }
    }
}

static void add_status(void)
{
    const clip *c = &viewer.clips[viewer.anim];
    double      length = length_of(c);
    double      at = length > 0 ? viewer.time - floor(viewer.time / length) * length : 0;
    if (viewer.mode == MD2_ONCE) at = viewer.time;
    if (viewer.mode == MD2_PING_PONG) at = fmin(at, length - at);
    add_text(0, 0, WHITE, "%s (%d of %d)\nframe %.1f, %.2f s of %.2f s\n%d of %s", c->name,
             viewer.anim + 1, viewer.anim_count, at * c->fps, at, length, viewer.crowd,
             file_name(viewer.parts[0].path));
    if (run.step < 0) add_text(3, 0, WHITE, "posed in %.2f ms", run.cpu_ms);
    add_text(4, 0, YELLOW, "%s", viewer.note);
}

/* In units of `scale` pixels. On the web, the page says what is wrong. */
static void draw_text(float scale)
{
    const char *hint = "Drop a .md2, or a .md5mesh and its .md5anim, here";
    float wide = (float)stage.width / scale, high = (float)stage.height / scale;
    float matrix[16] = { 2 / wide, 0, 0, 0, 0, -2 / high, 0, 0, 0, 0, 1, 0, -1, 1, 0, 1 };
    glEnable(GL_BLEND);
    begin_shapes(shapes.program, GL_TRIANGLES, matrix);
    if (viewer.help == 2) add_triangle(0, 0, 1e4f, 0x101820a0);
    for (int i = 0; i < COUNT(keys) && viewer.help == 2; ++i) {
        add_text(6 + (float)i, 0, YELLOW, "%s", keys[i][0]);
        add_text(6 + (float)i, 80, WHITE, "%s", keys[i][1]);
    }
    if (viewer.help && viewer.part_count) add_status();
    if (!viewer.error[0] && !viewer.part_count) add_text(high / 24, 0, WHITE, "%s", hint);
    if (!ON_THE_WEB) add_text(high / 24, 0, RED, "%s", viewer.error);
    draw_shapes();
    glDisable(GL_BLEND);
}

static const char *title(void)
{
    static const char *const modes[] = { "loop", "once", "ping-pong" };
    static char text[700];
    const part *lead = &viewer.parts[0];
    char        skin[32] = "";
    if (viewer.error[0]) return viewer.error;
    if (!viewer.part_count) return "md2.h and md5.h";
    if (lead->skin) snprintf(skin, sizeof skin, " - skin %u", lead->skin + 1);
    snprintf(text, sizeof text, "%.255s - %.255s - %s - %gx - %d characters%s%s%s%s%s%s%s",
             file_name(lead->path), viewer.clips[viewer.anim].name, modes[viewer.mode],
             (double)viewer.speed, viewer.crowd, viewer.paused ? " - paused" : "",
             viewer.mixed ? " - mixed" : "", viewer.skeleton ? " - skeleton" : "",
             viewer.bounds ? " - bounds" : "", viewer.y_up ? " - Y up" : "",
             viewer.no_vsync ? " - no vsync" : "", skin);
    return text;
}

/* -- A frame ----------------------------------------------------------------------------------- */

/* Where an animation ends, so does its time: what steps back from there is seen at once. */
static void pass(double seconds)
{
    double length = length_of(&viewer.clips[viewer.anim]);
    viewer.time += seconds;
    if (viewer.mode == MD2_ONCE) viewer.time = fmin(fmax(viewer.time, 0), length);
}

static void move_on(float seconds)
{
    double start = glfwGetTime();
    seconds = viewer.paused ? 0 : seconds * viewer.speed;
    pass((double)seconds);
    for (int i = 0; i < viewer.crowd && viewer.part_count; ++i) {
        if (viewer.parts[0].md2) md2_advance(&viewer.players[i].md2, seconds);
        else md5_advance(&viewer.players[i].md5, seconds);
        pose(i);
    }
    run.cpu_ms = 0.9 * run.cpu_ms + 100 * (glfwGetTime() - start);
}

static void draw_frame(int width, int height)
{
    float ratio = 1;
    if (!wish.shot) glfwGetWindowContentScale(window, &ratio, NULL);
    resize_stage(width, height);
    draw_stage();
    draw_text(floorf(2 * ratio));
    copy_stage(stage.frames[SAMPLED], stage.frames[CANVAS]);
    copy_stage(stage.frames[CANVAS], 0);
}

/* On the web nothing ends: there it stands still after the last frame. */
static void tick(void)
{
    static char last[700];
    int    width = (int)wish.size[0], height = (int)wish.size[1];
    double now = glfwGetTime(), step = run.step < 0 ? fmin(now - run.now, 0.25) : run.step;
    if (run.frame >= wish.frames) return;
    run.now = now;
    ++run.frame;
    move_on((float)step);
    if (!wish.shot) glfwGetFramebufferSize(window, &width, &height);
    if (width > 0 && height > 0) draw_frame(width, height);
    if (strcmp(last, title()) != 0) glfwSetWindowTitle(window, strcpy(last, title()));
    if (!wish.shot) glfwSwapBuffers(window);
    glfwPollEvents();
}

static bool save_picture(const char *path)
{
    size_t   size = (size_t)stage.width * (size_t)stage.height * 4;
    uint8_t *pixels = (uint8_t *)renew(NULL, size, 1);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, stage.frames[CANVAS]);
    glReadPixels(0, 0, stage.width, stage.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (size_t i = 3; i < size; i += 4) pixels[i] = 255;
    stbi_flip_vertically_on_write(1);
    bool good = stbi_write_png(path, stage.width, stage.height, 4, pixels, stage.width * 4) != 0;
    free(pixels);
    return good || fail(path, "this picture cannot be written");
}

/* A # in the name stands for the number of the frame; without one, only the last is saved. */
static void save_shot(void)
{
    char        path[MAX_PATH_LENGTH];
    const char *shot = wish.shot, *mark = strchr(shot, '#');
    int         front = (int)(mark ? mark - shot : 0);
    if (mark) snprintf(path, sizeof path, "%.*s%04d%s", front, shot, run.frame, mark + 1);
    else if (run.frame < wish.frames) return;
    if (!save_picture(mark ? path : shot)) stop(viewer.error, "");
}

/* -- Input ------------------------------------------------------------------------------------- */

EMSCRIPTEN_KEEPALIVE int         viewer_anim_count(void) { return viewer.anim_count; }
EMSCRIPTEN_KEEPALIVE const char *viewer_anim_name(int anim) { return viewer.clips[anim].name; }
EMSCRIPTEN_KEEPALIVE int         viewer_frames(void) { return run.frame; }
EMSCRIPTEN_KEEPALIVE void        viewer_zoom(float factor) { camera.distance *= factor; }

EMSCRIPTEN_KEEPALIVE void viewer_anim(int anim)
{
    viewer.anim = anim;
    viewer.time = wish.time;
    play_all(true);
}

static void step_frame(int frames)
{
    viewer.paused = true;
    pass(0);
    pass(frames / viewer.clips[viewer.anim].fps);
    play_all(false);
}

static void next_skin(void)
{
    part *p = viewer.parts;
    if (p->md2 && p->md2->skin_count) p->skin = (p->skin + 1) % p->md2->skin_count;
    load_textures(p);
}

static void take_picture(void)
{
    char name[64];
    snprintf(name, sizeof name, "screenshot-%d.png", ++run.screenshots);
    if (save_picture(name)) printf("%s\n", strcpy(viewer.note, name));
}

EMSCRIPTEN_KEEPALIVE void viewer_key(int key)
{
    int count = viewer.anim_count;
    switch (key) {
    case GLFW_KEY_RIGHT:  viewer_anim((viewer.anim + 1) % count); break;
    case GLFW_KEY_LEFT:   viewer_anim((viewer.anim + count - 1) % count); break;
    case GLFW_KEY_UP:     viewer.speed = fminf(viewer.speed * 2, 8); break;
    case GLFW_KEY_DOWN:   viewer.speed = fmaxf(viewer.speed / 2, 0.125f); break;
    case GLFW_KEY_SPACE:  viewer.paused ^= true; break;
    case GLFW_KEY_PERIOD: step_frame(1); break;
    case GLFW_KEY_COMMA:  step_frame(-1); break;
    case GLFW_KEY_L:      viewer.mode = (md2_mode)((viewer.mode + 1) % 3); play_all(false); break;
    case GLFW_KEY_C:      form_crowd(viewer.crowd < 10000 ? viewer.crowd * 10 : 1); break;
    case GLFW_KEY_M:      viewer.mixed ^= true; play_all(true); break;
    case GLFW_KEY_T:      next_skin(); break;
    case GLFW_KEY_S:      viewer.skeleton ^= true; break;
    case GLFW_KEY_B:      viewer.bounds ^= true; break;
    case GLFW_KEY_U:      viewer.y_up ^= true; form_crowd(viewer.crowd); break;
    case GLFW_KEY_R:      reset_camera(wish.yaw); break;
    case GLFW_KEY_P:      take_picture(); break;
    case GLFW_KEY_V:      glfwSwapInterval(viewer.no_vsync); viewer.no_vsync ^= true; break;
    case GLFW_KEY_H:      viewer.help = (viewer.help + 1) % 3; break;
    case GLFW_KEY_ESCAPE: glfwSetWindowShouldClose(window, 1); break;
    }
}

static void on_key(GLFWwindow *w, int key, int code, int action, int modifiers)
{
    (void)w, (void)code, (void)modifiers;
    bool again = action == GLFW_REPEAT && (key == GLFW_KEY_COMMA || key == GLFW_KEY_PERIOD);
    if (action == GLFW_PRESS || again) viewer_key(key);
}

/* A drag over the height of the window turns half around, or moves by as much as one sees. */
static void on_cursor(GLFWwindow *w, double x, double y)
{
    static double last_x, last_y;
    float         cy = cosf(camera.yaw), sy = sinf(camera.yaw), sp = sinf(camera.pitch);
    int           height;
    glfwGetWindowSize(w, NULL, &height);
    float size = (float)(height > 0 ? height : 1);
    float dx = (float)(x - last_x) / size, dy = (float)(y - last_y) / size;
    last_x = x;
    last_y = y;
    if (glfwGetMouseButton(w, GLFW_MOUSE_BUTTON_LEFT)) {
        camera.yaw -= 3.14159f * dx;
        camera.pitch = fminf(fmaxf(camera.pitch + 3.14159f * dy, 0.02f), 1.57f);
    } else if (glfwGetMouseButton(w, GLFW_MOUSE_BUTTON_RIGHT)) {
        float shift = 0.68f * camera.distance;
        camera.target[0] += shift * (dx * sy - dy * sp * cy);
        camera.target[1] -= shift * (dx * cy + dy * sp * sy);
        camera.target[2] = fmaxf(camera.target[2] + shift * dy * cosf(camera.pitch), 0);
    }
}

static void on_scroll(GLFWwindow *w, double x, double y)
{
    (void)w, (void)x;
    viewer_zoom(powf(0.9f, (float)y));
}

static void on_drop(GLFWwindow *w, int count, const char **paths)
{
    (void)w;
    open_files(count, paths);
}

/* -- Start ------------------------------------------------------------------------------------- */

static void create_window(void)
{
    md2_error error2;
    md5_error error5;
    if (!glfwInit()) stop("GLFW does not start here: is there a display?", "");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, 1);
    glfwWindowHint(GLFW_ALPHA_BITS, 0);
    glfwWindowHint(GLFW_VISIBLE, !wish.shot);
    window = glfwCreateWindow((int)wish.size[0], (int)wish.size[1], "md2.h and md5.h", NULL, NULL);
    if (!window) stop("no window with OpenGL 3.3 can be opened", "");
    glfwMakeContextCurrent(window);
    if (!gladLoadGL(glfwGetProcAddress)) stop("OpenGL does not load", "");
    if (!ON_THE_WEB) glfwSwapInterval(1);
    glfwSetKeyCallback(window, on_key);
    glfwSetCursorPosCallback(window, on_cursor);
    glfwSetScrollCallback(window, on_scroll);
    glfwSetDropCallback(window, on_drop);
    viewer.md2_gl = md2_gl_create(glfwGetProcAddress, NULL, &error2);
    viewer.md5_gl = md5_gl_create(glfwGetProcAddress, NULL, &error5);
    if (!viewer.md2_gl) stop(error2.message, "");
    if (!viewer.md5_gl) stop(error5.message, "");
}

static bool read_number(const char *text, double least, double most, double *out)
{
    char excess;
    return sscanf(text, "%lf%c", out, &excess) == 1 && *out >= least && *out <= most;
}

static bool read_option(const char *option, const char *value)
{
    double *size = wish.size;
    char    excess;
    if (strcmp(option, "--shot") == 0) return (wish.shot = value);
    if (strcmp(option, "--anim") == 0) return (wish.anim = value);
    if (strcmp(option, "--keys") == 0) return (wish.keys = value);
    if (strcmp(option, "--time") == 0) return read_number(value, -1e6, 1e6, &wish.time);
    if (strcmp(option, "--yaw") == 0) return read_number(value, -1e6, 1e6, &wish.yaw);
    if (strcmp(option, "--fps") == 0) return read_number(value, 0.001, 1e6, &wish.fps);
    if (strcmp(option, "--crowd") == 0) return read_number(value, 1, 1e6, &wish.crowd);
    if (strcmp(option, "--frames") == 0) return read_number(value, 1, 1e9, &wish.frames);
    if (strcmp(option, "--size") != 0) stop("no such option: ", option);
    return sscanf(value, "%lfx%lf%c", &size[0], &size[1], &excess) == 2 &&
           fmin(size[0], size[1]) >= 1 && fmax(size[0], size[1]) <= 8192;
}

/* Leaves the files at the front of `arguments` and returns their number. */
static int read_arguments(int count, char **arguments)
{
    int files = 0;
    for (int i = 1; i < count; ++i) {
        const char *option = arguments[i], *value = arguments[i + 1];
        if (option[0] != '-') arguments[files++] = arguments[i];
        else if (!value) stop("a value is missing behind ", option);
        else if (!read_option(option, value)) stop(option, " is no number, or out of range");
        else ++i;
    }
    return files;
}

static void begin(void)
{
    while (wish.anim && strcmp(viewer.clips[viewer.anim].name, wish.anim) != 0) {
        if (++viewer.anim >= viewer.anim_count) stop("no animation is called ", wish.anim);
    }
    wish.yaw *= 0.017453292519943;
    form_crowd((int)wish.crowd);
    reset_camera(wish.yaw);
    for (const char *key = wish.keys; *key; ++key) viewer_key(toupper((unsigned char)*key));
}

int main(int argc, char **argv)
{
    static const char *home[] = { "build/character/tris.md2", "build/character/weapon.md2" };
    int files = read_arguments(argc, argv);
    run.step = wish.frames < 1e9 ? 1 / wish.fps : wish.shot ? 0 : -1;
    if (run.step == 0) wish.frames = 1;
    viewer.help = !wish.shot && !ON_THE_WEB;
    create_window();
    create_stage();
    open_files(files ? files : COUNT(home), files ? (const char **)argv : home);
    if (!files && !wish.shot) viewer.error[0] = 0; /* then the window asks for a file */
    if (viewer.error[0] && run.step >= 0) stop(viewer.error, "");
    begin();
    START_LOOP(tick);
    while (!glfwWindowShouldClose(window) && run.frame < wish.frames) {
        tick();
        if (wish.shot) save_shot();
    }
    close_models();
    md2_gl_destroy(viewer.md2_gl);
    md5_gl_destroy(viewer.md5_gl);
    glfwTerminate();
    return 0;
}
