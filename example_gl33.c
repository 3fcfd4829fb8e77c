/* example_gl33.c - a viewer for Quake II and Doom 3 models, by md2.h and md5.h. Public domain.

   glad --reproducible --api gl:core=3.3 --extensions '' --out-path build/glad c --header-only
   cc -O2 -isystem build/glad/include example_gl33.c -o viewer -lglfw -lm

   ./viewer knight/tris.md2 knight/weapon.md2       drop more files on the window; H shows the keys
   ./viewer imp/imp.md5mesh imp/walk.md5anim --crowd 100 --shot imp.png

   What a game copies is the part "Models": open, play, pose and draw, for either format. */

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
  #define ON_THE_WEB 0
  #define START_LOOP(tick)
  #define EMSCRIPTEN_KEEPALIVE
  #define SHADER_HEAD "#version 330 core\n"
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

#define MAX_PARTS 8
#define MAX_ANIMS 1024
#define MAX_PATH_LENGTH 512
#define SHADOW_SIZE 2048
#define WHITE  0xffffffff
#define YELLOW 0xffd24aff
#define RED    0xff7050ff

typedef struct part {                 /* a .md2, or a .md5mesh with all its meshes */
    char         path[MAX_PATH_LENGTH], picture[MAX_PATH_LENGTH];
    uint32_t     skin, texture_count, *textures; /* textures: one for MD2, one for each MD5 mesh */
    md2_model   *md2;
    md2_gl_mesh  md2_mesh;
    md5_model   *md5;
    md5_gl_mesh *md5_meshes;
    int         *leader;              /* of each joint: that of the same name in the first part */
    md5_xform   *pose, *scratch;
    float       *palettes;            /* of one character after the other */
} part;

typedef union player {
    md2_player md2;
    md5_player md5;
} player;

static struct viewer {
    part             parts[MAX_PARTS]; /* the first one leads: its animations, its joints */
    int              part_count, anim_count, anim, crowd;
    md5_anim        *anims[MAX_ANIMS];
    player          *players;
    md2_gl_instance *md2_instances;
    md5_gl_instance *md5_instances;
    md2_gl          *md2_gl;
    md5_gl          *md5_gl;
    md2_mode         mode;
    double           time, start;     /* of the first character in its animation; where it begins */
    float            speed, fade;
    float            min[3], max[3], radius; /* of the model as it stands in its first pose */
    bool             paused, mixed, skeleton, bounds, y_up, no_vsync;
    int              help;            /* text: none, status, all */
    char             error[512], note[256];
} viewer;

static const float light[3] = { 0.42f, 0.34f, 0.84f };

/* Of several errors the first is the cause. */
static bool fail(const char *path, const char *format, ...)
{
    va_list     arguments;
    const char *slash = strrchr(path, '/');
    if (!viewer.error[0]) {
        int length = snprintf(viewer.error, 200, "%.150s - error: ", slash ? slash + 1 : path);
        va_start(arguments, format);
        vsnprintf(viewer.error + length, 300, format, arguments);
        va_end(arguments);
    }
    return false;
}

static void note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(viewer.note, sizeof viewer.note, format, arguments);
    va_end(arguments);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    if (!memory) {
        fprintf(stderr, "viewer: no memory\n");
        exit(1);
    }
    return memory;
}

/* -- Models: open, play, pose, draw ------------------------------------------------------------- */

static bool ends_with(const char *path, const char *extension)
{
    size_t length = strlen(path), tail = strlen(extension);
    for (size_t i = 0; i < tail && tail <= length; ++i) {
        char letter = path[length - tail + i];
        if ((letter >= 'A' && letter <= 'Z' ? letter + 32 : letter) != extension[i]) return false;
    }
    return length >= tail;
}

static uint8_t *load_pcx(const char *path, uint32_t *width, uint32_t *height, md2_error *error)
{
    const size_t room = 4 << 20;
    uint8_t     *bytes = (uint8_t *)allocate(room, 1), *pixels = NULL;
    FILE        *file = fopen(path, "rb");
    if (file) {
        size_t size = fread(bytes, 1, room, file);
        pixels = md2_load_pcx_memory(bytes, size, width, height, NULL, error);
        fclose(file);
    }
    free(bytes);
    return pixels;
}

static uint32_t load_picture(const char *path)
{
    md2_error error = { 0, MD2_ERROR_OPEN, "this picture cannot be read" };
    uint32_t  width, height, texture = 0;
    uint8_t  *pixels = ends_with(path, ".pcx")
                         ? load_pcx(path, &width, &height, &error)
                         : stbi_load(path, (int *)&width, (int *)&height, NULL, 4);
    if (pixels) texture = md2_gl_texture(viewer.md2_gl, pixels, width, height);
    else fail(path, "%s", error.message);
    free(pixels);
    return texture;
}

/* The picture named behind the model, if there is one, else what the model itself asks for. */
static uint32_t load_skin(const part *p, uint32_t mesh)
{
    md2_error error2 = { 0, MD2_OK, "" };
    md5_error error5 = { 0, MD5_OK, "" };
    uint32_t  texture;
    if (p->picture[0]) return load_picture(p->picture);
    texture = p->md2 ? md2_gl_load_skin(viewer.md2_gl, p->md2, p->path, p->skin, &error2)
                     : md5_gl_load_texture(viewer.md5_gl, p->md5, p->path, mesh, &error5);
    if (!texture) note("%s%s", error2.message, error5.message);
    return texture;
}

static void load_skins(part *p)
{
    glDeleteTextures((GLsizei)p->texture_count, p->textures);
    for (uint32_t i = 0; i < p->texture_count; ++i) p->textures[i] = load_skin(p, i);
}

static bool open_md2(part *p)
{
    md2_error error;
    p->md2 = md2_load_file(p->path, NULL, &error);
    if (!p->md2 || !md2_gl_upload(viewer.md2_gl, p->md2, &p->md2_mesh, &error)) {
        return fail(p->path, "%s", error.message);
    }
    if (p == viewer.parts) viewer.anim_count = (int)p->md2->anim_count;
    p->texture_count = 1;
    return true;
}

static bool open_md5mesh(part *p)
{
    md5_error error;
    p->md5 = md5_load_model_file(p->path, NULL, &error);
    if (!p->md5) return fail(p->path, "line %u: %s", error.line, error.message);
    p->texture_count = p->md5->mesh_count;
    p->md5_meshes = (md5_gl_mesh *)allocate(p->md5->mesh_count, sizeof *p->md5_meshes);
    for (uint32_t i = 0; i < p->md5->mesh_count; ++i) {
        if (!md5_gl_upload(viewer.md5_gl, p->md5, i, &p->md5_meshes[i], &error)) {
            return fail(p->path, "%s", error.message);
        }
    }
    p->leader = (int *)allocate(p->md5->joint_count, sizeof *p->leader);
    for (uint32_t i = 0; i < p->md5->joint_count; ++i) {
        p->leader[i] = md5_find_joint(viewer.parts[0].md5, p->md5->joints[i].name);
    }
    p->pose = (md5_xform *)allocate(p->md5->joint_count, sizeof *p->pose);
    p->scratch = (md5_xform *)allocate(p->md5->joint_count, sizeof *p->scratch);
    return true;
}

/* An animation of another skeleton is fitted to this one by the names of the joints. */
static bool open_md5anim(const char *path)
{
    const md5_model *model = viewer.parts[0].md5;
    md5_error        error;
    md5_anim        *anim, *fitted;
    uint32_t         missing;
    if (viewer.anim_count == MAX_ANIMS) return fail(path, "at most %d animations", MAX_ANIMS);
    anim = md5_load_anim_file(path, NULL, &error);
    if (anim && model && md5_check_anim(model, anim, &error) != MD5_OK) {
        fitted = md5_retarget_anim(model, anim, &missing, NULL, &error);
        note("%s: another skeleton, which lacks %u of %u joints", anim->name, missing,
             model->joint_count);
        md5_free_anim(anim);
        anim = fitted;
    }
    if (!anim) return fail(path, "line %u: %s", error.line, error.message);
    if (!model) return md5_free_anim(anim), fail(path, "an animation needs its .md5mesh as well");
    viewer.anims[viewer.anim_count++] = anim;
    return true;
}

static void close_part(part *p)
{
    for (uint32_t i = 0; p->md5_meshes && i < p->md5->mesh_count; ++i) {
        md5_gl_free_mesh(viewer.md5_gl, &p->md5_meshes[i]);
    }
    md2_gl_free_mesh(viewer.md2_gl, &p->md2_mesh);
    glDeleteTextures((GLsizei)(p->textures ? p->texture_count : 0), p->textures);
    md2_free_model(p->md2);
    md5_free_model(p->md5);
    free(p->textures);
    free(p->md5_meshes);
    free(p->leader);
    free(p->pose);
    free(p->scratch);
    free(p->palettes);
    memset(p, 0, sizeof *p);
}

static void close_models(void)
{
    for (int i = 0; i < MAX_ANIMS; ++i) md5_free_anim(viewer.anims[i]);
    for (int i = 0; i < MAX_PARTS; ++i) close_part(&viewer.parts[i]);
    memset(viewer.anims, 0, sizeof viewer.anims);
    viewer.part_count = viewer.anim_count = viewer.anim = 0;
}

/* One without any has one after all: the bind pose. */
static int anim_count(void) { return viewer.anim_count > 0 ? viewer.anim_count : 1; }

typedef struct clip { const char *name; double fps, length; } clip;

static clip clip_of(int anim)
{
    const part *lead = &viewer.parts[0];
    clip        c = { "bind pose", 24, 0 };
    if (anim < viewer.anim_count && lead->md2) {
        c.name = lead->md2->anims[anim].name;
        c.fps = lead->md2->anims[anim].fps;
        c.length = md2_anim_length(&lead->md2->anims[anim], viewer.mode);
    } else if (anim < viewer.anim_count) {
        c.name = viewer.anims[anim]->name;
        c.fps = viewer.anims[anim]->fps;
        c.length = md5_anim_length(viewer.anims[anim], (md5_mode)viewer.mode);
    }
    return c;
}

static void play(player *who, int anim, double time, float fade)
{
    const part *lead = &viewer.parts[0];
    if (lead->md2) {
        md2_play(&who->md2, &lead->md2->anims[anim], viewer.mode, fade);
        md2_seek(&who->md2, time);
    } else {
        md5_play(&who->md5, viewer.anims[anim], (md5_mode)viewer.mode, fade);
        md5_seek(&who->md5, time);
    }
}

static void advance(player *who, float seconds)
{
    if (viewer.parts[0].md2) md2_advance(&who->md2, seconds);
    else md5_advance(&who->md5, seconds);
}

/* Further parts follow the joints of the first that have the same names: a sword follows a hand. */
static void pose_md5(int character)
{
    const part *lead = &viewer.parts[0];
    md5_player_pose(lead->md5, &viewer.players[character].md5, lead->pose, lead->scratch);
    md5_pose_to_model_space(lead->md5, lead->pose, lead->pose);
    for (const part *p = lead; p < lead + viewer.part_count; ++p) {
        uint32_t joints = p->md5->joint_count;
        for (uint32_t i = 0; p != lead && i < joints; ++i) {
            p->pose[i] = p->leader[i] < 0 ? p->md5->joints[i].bind : lead->pose[p->leader[i]];
        }
        md5_pose_palette(p->md5, p->pose, p->palettes + (size_t)character * joints * 12);
    }
}

static void pose(int character)
{
    if (!viewer.parts[0].md2) pose_md5(character);
    else viewer.md2_instances[character].pose = md2_player_pose(&viewer.players[character].md2);
}

static void draw_md2(const part *p, const float view_projection[16])
{
    md2_gl_scene scene = { 0.45f, { light[0], light[1], light[2] }, { 0 } };
    memcpy(scene.view_projection, view_projection, sizeof scene.view_projection);
    md2_gl_draw(viewer.md2_gl, &p->md2_mesh, p->textures[0], &scene, viewer.md2_instances,
                (size_t)viewer.crowd);
}

static void draw_md5(const part *p, const float view_projection[16])
{
    md5_gl_scene scene = { 0.45f, { light[0], light[1], light[2] }, { 0 } };
    memcpy(scene.view_projection, view_projection, sizeof scene.view_projection);
    for (int i = 0; i < viewer.crowd; ++i) {
        viewer.md5_instances[i].palette = p->palettes + (size_t)i * p->md5->joint_count * 12;
    }
    for (uint32_t i = 0; i < p->md5->mesh_count; ++i) {
        md5_gl_draw(viewer.md5_gl, &p->md5_meshes[i], p->textures[i], &scene,
                    viewer.md5_instances, (size_t)viewer.crowd);
    }
}

static void draw_models(const float view_projection[16])
{
    for (const part *p = viewer.parts; p < viewer.parts + viewer.part_count; ++p) {
        if (p->md2) draw_md2(p, view_projection);
        else draw_md5(p, view_projection);
    }
}

static unsigned triangle_count(void)
{
    unsigned count = 0;
    for (const part *p = viewer.parts; p < viewer.parts + viewer.part_count; ++p) {
        if (p->md2) count += p->md2->index_count / 3;
        for (uint32_t i = 0; p->md5 && i < p->md5->mesh_count; ++i) {
            count += p->md5->meshes[i].index_count / 3;
        }
    }
    return count;
}

static void find_bounds(int character, float min[3], float max[3])
{
    const part *lead = &viewer.parts[0];
    pose(character);
    if (lead->md2) md2_pose_bounds(lead->md2, &viewer.md2_instances[character].pose, min, max);
    else md5_pose_bounds(lead->md5, lead->pose, min, max);
}

/* -- The crowd ---------------------------------------------------------------------------------- */

static struct camera { float target[3], yaw, pitch, distance; } camera;

static int rows(void) { return (int)ceil(sqrt(viewer.crowd)); }

static float stride(void)
{
    return 1.3f * fmaxf(viewer.max[0] - viewer.min[0], viewer.max[1] - viewer.min[1]);
}

/* Every character has a clock of its own, spread evenly over the animation. */
static void play_all(float fade)
{
    for (int i = 0; i < viewer.crowd && viewer.part_count; ++i) {
        int    anim = viewer.mixed ? (viewer.anim + i) % anim_count() : viewer.anim;
        double clock = fmod(i * 0.6180339887, 1) * clip_of(anim).length;
        play(&viewer.players[i], anim, viewer.time + clock, fade);
    }
}

/* In rows behind each other, with their feet on the floor. */
static void place(int i, float transform[16])
{
    static const float z_up[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    static const float y_up[16] = { 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1 };
    memcpy(transform, viewer.y_up ? y_up : z_up, sizeof z_up);
    transform[12] = (float)(-i / rows()) * stride();
    transform[13] = ((float)(i % rows()) - 0.5f * (float)(rows() - 1)) * stride();
    transform[14] = -viewer.min[2];
}

/* The floor is under the feet that the first animation begins on. */
static void measure(void)
{
    float min[3], max[3];
    play(&viewer.players[0], 0, 0, 0);
    find_bounds(0, min, max);
    for (int i = 0; i < 3; ++i) {
        viewer.min[i] = min[viewer.y_up ? (i + 2) % 3 : i];
        viewer.max[i] = max[viewer.y_up ? (i + 2) % 3 : i];
    }
    viewer.radius = 0.5f * hypotf(stride() / 1.3f, viewer.max[2] - viewer.min[2]) + 1e-6f;
}

static void reset_camera(void)
{
    float depth = fminf((float)(rows() - 1), 12) * stride();
    camera.target[0] = (viewer.max[0] + viewer.min[0]) / 2 - 0.3f * depth;
    camera.target[1] = (viewer.max[1] + viewer.min[1]) / 2;
    camera.target[2] = (viewer.max[2] - viewer.min[2]) * 0.48f;
    camera.distance = 3.1f * viewer.radius + 0.7f * depth;
    camera.pitch = depth > 0 ? 0.32f : 0.14f;
}

static void form_crowd(int count)
{
    viewer.crowd = count;
    free(viewer.players);
    free(viewer.md2_instances);
    free(viewer.md5_instances);
    viewer.players = (player *)allocate((size_t)count, sizeof(player));
    viewer.md2_instances = (md2_gl_instance *)allocate((size_t)count, sizeof(md2_gl_instance));
    viewer.md5_instances = (md5_gl_instance *)allocate((size_t)count, sizeof(md5_gl_instance));
    for (part *p = viewer.parts; p < viewer.parts + viewer.part_count && p->md5; ++p) {
        free(p->palettes);
        p->palettes = (float *)allocate((size_t)count * p->md5->joint_count, 12 * sizeof(float));
    }
    if (viewer.part_count) {
        measure();
        play_all(0);
        reset_camera();
    }
    for (int i = 0; i < count; ++i) {
        place(i, viewer.md2_instances[i].transform);
        place(i, viewer.md5_instances[i].transform);
    }
}

/* -- Opening files ------------------------------------------------------------------------------ */

static bool is_model(const char *path)
{
    return ends_with(path, ".md2") || ends_with(path, ".md5mesh");
}

static bool open_model(const char *path)
{
    part *p = &viewer.parts[viewer.part_count];
    if (viewer.part_count == MAX_PARTS) return fail(path, "at most %d models at once", MAX_PARTS);
    if (viewer.part_count && !viewer.parts[0].md2 == ends_with(path, ".md2")) {
        return fail(path, "MD2 and MD5 models cannot be shown together");
    }
    snprintf(p->path, sizeof p->path, "%s", path);
    if (!(ends_with(path, ".md2") ? open_md2(p) : open_md5mesh(p))) return close_part(p), false;
    p->textures = (uint32_t *)allocate(p->texture_count, sizeof *p->textures);
    ++viewer.part_count;
    return true;
}

/* A set of files with a model in it replaces what is shown; without one, it joins. */
static void open_files(int count, const char **paths)
{
    part *last = viewer.parts;
    bool  replace = false;
    viewer.error[0] = viewer.note[0] = 0;
    for (int i = 0; i < count; ++i) replace = replace || is_model(paths[i]);
    if (replace) close_models();
    for (int i = 0; i < count; ++i) {
        if (is_model(paths[i])) {
            if (open_model(paths[i])) last = &viewer.parts[viewer.part_count - 1];
        } else if (!ends_with(paths[i], ".md5anim")) {
            if (viewer.part_count) snprintf(last->picture, sizeof last->picture, "%s", paths[i]);
            else fail(paths[i], "this is no .md2 and no .md5mesh");
        }
    }
    for (int i = 0; i < count; ++i) {
        if (!ends_with(paths[i], ".md5anim") || !open_md5anim(paths[i])) continue;
        viewer.anim = replace ? 0 : viewer.anim_count - 1;
    }
    for (part *p = viewer.parts; p < viewer.parts + viewer.part_count; ++p) load_skins(p);
    form_crowd(viewer.crowd);
}

/* -- Shapes: lines and triangles of one color each vertex --------------------------------------- */

typedef struct shape_vertex {         /* what stb_easy_font writes */
    float   position[3];
    uint8_t color[4];
} shape_vertex;

static struct shapes {
    GLuint       program, vao, buffer;
    GLenum       kind;
    GLsizei      count;
    shape_vertex vertices[60000];     /* a whole number of lines, of triangles and of quads */
} shapes;

static GLuint make_shader(GLenum kind, const char *text)
{
    const char *texts[2] = { SHADER_HEAD, text };
    GLuint      shader = glCreateShader(kind);
    glShaderSource(shader, 2, texts, NULL);
    glCompileShader(shader);
    return shader;
}

static GLuint make_program(const char *vertex, const char *fragment)
{
    char   log[512] = "";
    GLuint program = glCreateProgram();
    glAttachShader(program, make_shader(GL_VERTEX_SHADER, vertex));
    glAttachShader(program, make_shader(GL_FRAGMENT_SHADER, fragment));
    glLinkProgram(program);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (log[0]) fprintf(stderr, "viewer: %s\n", log);
    return program;
}

static void create_shapes(void)
{
    shapes.program = make_program(
        "layout(location = 0) in vec3 position; layout(location = 1) in vec4 color;"
        "uniform mat4 matrix; out vec4 tint;"
        "void main() { tint = color; gl_Position = matrix * vec4(position, 1.0); }",
        "in vec4 tint; out vec4 color; void main() { color = tint; }");
    glGenVertexArrays(1, &shapes.vao);
    glGenBuffers(1, &shapes.buffer);
    glBindVertexArray(shapes.vao);
    glBindBuffer(GL_ARRAY_BUFFER, shapes.buffer);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(shape_vertex), NULL);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(shape_vertex), (void *)12);
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

/* What is added from here on is of this kind; draw_shapes ends it. */
static void begin_shapes(GLenum kind, const float matrix[16])
{
    shapes.kind = kind;
    glUseProgram(shapes.program);
    glUniformMatrix4fv(glGetUniformLocation(shapes.program, "matrix"), 1, GL_FALSE, matrix);
}

/* A point of a model that stands where the matrix `at` says. */
static void add_point(const float at[16], float x, float y, float z, uint32_t rgba)
{
    shape_vertex *v = &shapes.vertices[shapes.count++];
    for (int i = 0; i < 3; ++i) {
        v->position[i] = at[i] * x + at[4 + i] * y + at[8 + i] * z + at[12 + i];
    }
    for (int i = 0; i < 4; ++i) v->color[i] = (uint8_t)(rgba >> (24 - 8 * i));
    if (shapes.count == sizeof shapes.vertices / sizeof *shapes.vertices) draw_shapes();
}

/* Six triangles around the line from a to b, along the axes: they look solid from every side. */
static void add_bone(const float at[16], const float a[3], const float b[3])
{
    float size = 0.1f * hypotf(hypotf(b[0] - a[0], b[1] - a[1]), b[2] - a[2]), middle[3];
    for (int i = 0; i < 3; ++i) middle[i] = a[i] + 0.2f * (b[i] - a[i]);
    for (int i = 0; i < 6; ++i) {
        float side[3] = { 0, 0, 0 };
        side[i / 2] = i % 2 ? size : -size;
        add_point(at, a[0], a[1], a[2], 0xe8972cff);
        add_point(at, b[0], b[1], b[2], 0xffd24aff);
        add_point(at, middle[0] + side[0], middle[1] + side[1], middle[2] + side[2], 0xe8972cff);
    }
}

static const float *transform_of(int i)
{
    return viewer.parts[0].md2 ? viewer.md2_instances[i].transform
                               : viewer.md5_instances[i].transform;
}

static void add_skeleton(int character)
{
    const part *lead = &viewer.parts[0];
    pose(character);
    for (uint32_t i = 0; lead->md5 && i < lead->md5->joint_count; ++i) {
        int parent = lead->md5->joints[i].parent;
        if (parent < 0) continue;
        add_bone(transform_of(character), lead->pose[parent].position, lead->pose[i].position);
    }
}

static void add_bounds(int character)
{
    float end[2][3];
    find_bounds(character, end[0], end[1]);
    for (int i = 0; i < 24; ++i) {    /* both ends of the four edges along each axis */
        int axis = i / 8, other = (axis + 1) % 3, third = (axis + 2) % 3;
        float p[3];
        p[axis] = end[i & 1][axis];
        p[other] = end[i >> 1 & 1][other];
        p[third] = end[i >> 2 & 1][third];
        add_point(transform_of(character), p[0], p[1], p[2], 0x2fd0a0ff);
    }
}

static void add_text(float x, float y, float scale, uint32_t rgba, const char *text)
{
    static const int    corners[6] = { 0, 1, 2, 0, 2, 3 };
    static shape_vertex quads[4 * 4000];
    float               at[16] = { scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, 1, 0, x, y, 0, 1 };
    int                 count = stb_easy_font_print(0, 0, (char *)text, NULL, quads, sizeof quads);
    for (int i = 0; i < count * 6; ++i) {
        const float *corner = quads[i / 6 * 4 + corners[i % 6]].position;
        add_point(at, corner[0], corner[1], 0, rgba);
    }
}

/* -- The stage: camera, sky, floor and a soft shadow -------------------------------------------- */

static struct stage {
    GLuint ground, vao, shadow, shadow_texture, sampled, canvas, buffers[3];
    int    width, height;
} stage;

static const char ground_vertex[] =
    "out vec2 screen;"
    "void main() {"
    "    screen = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);"
    "    gl_Position = vec4(screen, 0.0, 1.0);"
    "}";

/* The floor is where the ray through a pixel meets z = 0; what the light met first shades it. */
static const char ground_fragment[] =
    "in vec2 screen;"
    "out vec4 color;"
    "uniform mat4 view;"              /* columns: right, up, forward, eye */
    "uniform vec4 place;"             /* middle of the shadow, its half width, size of a tile */
    "uniform sampler2D shadow;"
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
    stage.ground = make_program(ground_vertex, ground_fragment);
    glGenVertexArrays(1, &stage.vao);
    glGenTextures(1, &stage.shadow_texture);
    glBindTexture(GL_TEXTURE_2D, stage.shadow_texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SHADOW_SIZE, SHADOW_SIZE, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glGenFramebuffers(1, &stage.shadow);
    glBindFramebuffer(GL_FRAMEBUFFER, stage.shadow);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           stage.shadow_texture, 0);
    glGenFramebuffers(1, &stage.sampled);
    glGenFramebuffers(1, &stage.canvas);
    glGenRenderbuffers(3, stage.buffers);
}

static void set_buffer(GLenum attachment, int buffer, int samples, GLenum format)
{
    glBindRenderbuffer(GL_RENDERBUFFER, stage.buffers[buffer]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, stage.width, stage.height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, stage.buffers[buffer]);
}

/* All is drawn with four samples a pixel, copied to the canvas, and from there to the window. */
static void resize_stage(int width, int height)
{
    if (stage.width == width && stage.height == height) return;
    stage.width = width;
    stage.height = height;
    glBindFramebuffer(GL_FRAMEBUFFER, stage.sampled);
    set_buffer(GL_COLOR_ATTACHMENT0, 0, 4, GL_RGBA8);
    set_buffer(GL_DEPTH_ATTACHMENT, 1, 4, GL_DEPTH_COMPONENT24);
    glBindFramebuffer(GL_FRAMEBUFFER, stage.canvas);
    set_buffer(GL_COLOR_ATTACHMENT0, 2, 0, GL_RGBA8);
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
static void draw_shadow(const float place[3])
{
    float half = place[2], matrix[16] = { 0 };
    matrix[0] = matrix[5] = 1 / half;
    matrix[8] = -light[0] / light[2] / half;
    matrix[9] = -light[1] / light[2] / half;
    matrix[12] = -place[0] / half;
    matrix[13] = -place[1] / half;
    matrix[15] = 1;
    glBindFramebuffer(GL_FRAMEBUFFER, stage.shadow);
    glViewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    draw_models(matrix);
    glBindTexture(GL_TEXTURE_2D, stage.shadow_texture);
    glGenerateMipmap(GL_TEXTURE_2D);
}

static void draw_ground(const float view[16], const float place[3])
{
    glBindFramebuffer(GL_FRAMEBUFFER, stage.sampled);
    glViewport(0, 0, stage.width, stage.height);
    glClear(GL_DEPTH_BUFFER_BIT);
    glUseProgram(stage.ground);
    glUniformMatrix4fv(glGetUniformLocation(stage.ground, "view"), 1, GL_FALSE, view);
    glUniform4f(glGetUniformLocation(stage.ground, "place"), place[0], place[1], place[2],
                0.6f * viewer.radius);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, stage.shadow_texture);
    glBindVertexArray(stage.vao);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* -- Text and title ----------------------------------------------------------------------------- */

static const char *const keys[][2] = {
    { "Left Right", "animation before, after" },
    { "Space", "pause" },
    { ", .", "one frame back, on" },
    { "Up Down", "faster, slower" },
    { "L", "loop, once, ping-pong" },
    { "C", "crowd of 1, 10, 100, 1,000, 10,000" },
    { "M", "every character another animation" },
    { "T", "next skin" },
    { "S B", "skeleton, bounds" },
    { "U", "which axis is up" },
    { "R", "camera back" },
    { "P", "picture into this folder" },
    { "V", "wait for the screen, or not" },
    { "H", "text: none, short, this" },
    { "Mouse", "left: orbit, right: move, wheel: zoom" },
    { "Drop", ".md2 .md5mesh .md5anim .pcx .png .tga .jpg" },
};

static void add_line(float row, float column, float scale, uint32_t rgba, const char *format, ...)
{
    char    text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (float shift = 1; shift >= 0; --shift) { /* its shadow first */
        add_text((12 + shift + column) * scale, (12 + shift + 12 * row) * scale, scale,
                 shift > 0 ? 0x102030c0 : rgba, text);
    }
}

static void add_status(float scale, double cpu_ms)
{
    clip   c = clip_of(viewer.anim);
    double at = c.length > 0 ? viewer.time - floor(viewer.time / c.length) * c.length : 0;
    if (viewer.mode == MD2_ONCE) at = fmin(viewer.time, c.length);
    if (viewer.mode == MD2_PING_PONG) at = fmin(at, c.length - at);
    add_line(0, 0, scale, WHITE, "%s (%d of %d)", c.name, viewer.anim + 1, viewer.anim_count);
    add_line(1, 0, scale, WHITE, "frame %.1f, %.2f s of %.2f s", at * c.fps, at, c.length);
    add_line(2, 0, scale, WHITE, "%d of %u triangles", viewer.crowd, triangle_count());
    if (cpu_ms > 0) add_line(3, 0, scale, WHITE, "posed in %.2f ms", cpu_ms);
    add_line(4, 0, scale, YELLOW, "%s", viewer.note);
}

static void add_help(float scale)
{
    static const float everywhere[16] = { 1e4f, 0, 0, 0, 0, 1e4f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
    for (int i = 0; i < 3; ++i) add_point(everywhere, i == 1, i == 2, 0, 0x101820a0);
    for (int i = 0; i < (int)(sizeof keys / sizeof *keys); ++i) {
        add_line(6 + (float)i, 0, scale, YELLOW, "%s", keys[i][0]);
        add_line(6 + (float)i, 80, scale, WHITE, "%s", keys[i][1]);
    }
}

static void draw_text(float scale, double cpu_ms)
{
    const char *hint = viewer.part_count ? "" : "Drop a .md2, or a .md5mesh and its .md5anim, here";
    float matrix[16] = { 2 / (float)stage.width, 0, 0, 0, 0, -2 / (float)stage.height, 0, 0,
                         0, 0, 1, 0, -1, 1, 0, 1 };
    begin_shapes(GL_TRIANGLES, matrix);
    if (viewer.help > 1) add_help(scale);
    if (viewer.help && viewer.part_count) add_status(scale, cpu_ms);
    add_line((float)stage.height / scale / 24, 0, scale, viewer.error[0] ? RED : WHITE, "%s",
             viewer.error[0] ? viewer.error : hint);
    draw_shapes();
}

static const char *title(void)
{
    static const char *const modes[] = { "loop", "once", "ping-pong" };
    static char text[700];
    const char *path = viewer.parts[0].path, *slash = strrchr(path, '/');
    char        skin[32] = "";
    if (viewer.error[0]) return viewer.error;
    if (!viewer.part_count) return "md2.h and md5.h";
    if (viewer.parts[0].skin) snprintf(skin, sizeof skin, " - skin %u", viewer.parts[0].skin + 1);
    snprintf(text, sizeof text, "%s - %s - %s - %gx - %d characters%s%s%s%s%s%s%s",
             slash ? slash + 1 : path, clip_of(viewer.anim).name, modes[viewer.mode],
             (double)viewer.speed, viewer.crowd, viewer.paused ? " - paused" : "",
             viewer.mixed ? " - mixed" : "", viewer.skeleton ? " - skeleton" : "",
             viewer.bounds ? " - bounds" : "", viewer.y_up ? " - Y up" : "",
             viewer.no_vsync ? " - no vsync" : "", skin);
    return text;
}

/* -- A frame ------------------------------------------------------------------------------------ */

static GLFWwindow *window;
static struct wishes {                /* what the command line asks for */
    const char *shot, *anim, *keys;
    double      width, height, crowd, time, yaw, fps, frames;
} wish = { NULL, NULL, "", 1280, 800, 1, 0, 28, 60, 1e9 };

static struct run {
    int    frame, screenshots;
    double now, step, cpu_ms;         /* step: seconds to the next frame; negative: by the clock */
} run;

static void draw_stage(void)
{
    float  view_projection[16], view[16] = { 0 }, depth = (float)(rows() - 1) * stride();
    float  place[3] = { -depth / 2, 0, depth + 4 * viewer.radius };
    look(view_projection, view);
    draw_shadow(place);
    draw_ground(view, place);
    glEnable(GL_DEPTH_TEST);
    draw_models(view_projection);
    begin_shapes(GL_LINES, view_projection);
    for (int i = 0; viewer.bounds && i < viewer.crowd; ++i) add_bounds(i);
    draw_shapes();
    glDisable(GL_DEPTH_TEST);
    begin_shapes(GL_TRIANGLES, view_projection);
    for (int i = 0; viewer.skeleton && i < viewer.crowd; ++i) add_skeleton(i);
    draw_shapes();
}

static bool save_picture(const char *path)
{
    size_t   size = (size_t)stage.width * (size_t)stage.height * 4;
    uint8_t *pixels = (uint8_t *)allocate(size, 1);
    bool     good;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, stage.canvas);
    glReadPixels(0, 0, stage.width, stage.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (size_t i = 3; i < size; i += 4) pixels[i] = 255;
    stbi_flip_vertically_on_write(1);
    good = stbi_write_png(path, stage.width, stage.height, 4, pixels, stage.width * 4) != 0;
    free(pixels);
    return good || fail(path, "this picture cannot be written");
}

static void move_on(float seconds)
{
    double start = glfwGetTime();
    if (viewer.paused) seconds = 0;
    viewer.time += (double)(seconds * viewer.speed);
    for (int i = 0; i < viewer.crowd && viewer.part_count; ++i) {
        advance(&viewer.players[i], seconds * viewer.speed);
        pose(i);
    }
    run.cpu_ms = 0.9 * run.cpu_ms + 0.1 * 1000 * (glfwGetTime() - start);
}

static void show(int width, int height)
{
    float ratio = 1, same;
    if (!wish.shot) glfwGetWindowContentScale(window, &ratio, &same);
    resize_stage(width, height);
    draw_stage();
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw_text(floorf(2 * ratio), run.step < 0 ? run.cpu_ms : 0);
    glDisable(GL_BLEND);
    copy_stage(stage.sampled, stage.canvas);
    copy_stage(stage.canvas, 0);
}

static void tick(void)
{
    static char last[700];
    int    width = (int)wish.width, height = (int)wish.height;
    double now = glfwGetTime(), step = run.step < 0 ? fmin(now - run.now, 0.25) : run.step;
    if (run.frame >= wish.frames) return; /* only on the web, where nothing ends */
    run.now = now;
    ++run.frame;
    if (!wish.shot) glfwGetFramebufferSize(window, &width, &height);
    move_on((float)step);
    if (width > 0 && height > 0) show(width, height);
    if (strcmp(last, title()) != 0) glfwSetWindowTitle(window, strcpy(last, title()));
    if (!wish.shot) glfwSwapBuffers(window);
    glfwPollEvents();
}

/* -- Input -------------------------------------------------------------------------------------- */

EMSCRIPTEN_KEEPALIVE int         viewer_anim_count(void) { return viewer.anim_count; }
EMSCRIPTEN_KEEPALIVE const char *viewer_anim_name(int anim) { return clip_of(anim).name; }
EMSCRIPTEN_KEEPALIVE int         viewer_frames(void) { return run.frame; }
EMSCRIPTEN_KEEPALIVE void        viewer_zoom(float factor) { camera.distance *= factor; }

EMSCRIPTEN_KEEPALIVE void viewer_anim(int anim)
{
    viewer.anim = anim;
    viewer.time = viewer.start;
    play_all(viewer.paused ? 0 : viewer.fade);
}

static void face_camera(void)
{
    reset_camera();
    camera.yaw = (float)(wish.yaw * 0.017453292519943);
}

static void step_frame(int frames)
{
    viewer.paused = true;
    viewer.time += frames / clip_of(viewer.anim).fps;
    play_all(0);
}

static void next_skin(void)
{
    part *p = viewer.parts;
    if (p->md2 && p->md2->skin_count) p->skin = (p->skin + 1) % p->md2->skin_count;
    p->picture[0] = 0;
    load_skins(p);
}

static void take_picture(void)
{
    char name[64];
    snprintf(name, sizeof name, "screenshot-%d.png", ++run.screenshots);
    if (save_picture(name)) printf("%s\n", strcpy(viewer.note, name));
}

EMSCRIPTEN_KEEPALIVE void viewer_key(int key)
{
    int count = viewer.anim_count > 0 ? viewer.anim_count : 1;
    switch (key) {
    case GLFW_KEY_RIGHT:  viewer_anim((viewer.anim + 1) % count); break;
    case GLFW_KEY_LEFT:   viewer_anim((viewer.anim + count - 1) % count); break;
    case GLFW_KEY_UP:     viewer.speed = fminf(viewer.speed * 2, 8); break;
    case GLFW_KEY_DOWN:   viewer.speed = fmaxf(viewer.speed / 2, 0.125f); break;
    case GLFW_KEY_SPACE:  viewer.paused ^= true; break;
    case GLFW_KEY_PERIOD: step_frame(1); break;
    case GLFW_KEY_COMMA:  step_frame(-1); break;
    case GLFW_KEY_L:      viewer.mode = (md2_mode)((viewer.mode + 1) % 3); play_all(0); break;
    case GLFW_KEY_C:      form_crowd(viewer.crowd < 10000 ? viewer.crowd * 10 : 1); break;
    case GLFW_KEY_M:      viewer.mixed ^= true; play_all(viewer.paused ? 0 : viewer.fade); break;
    case GLFW_KEY_T:      next_skin(); break;
    case GLFW_KEY_S:      viewer.skeleton ^= true; break;
    case GLFW_KEY_B:      viewer.bounds ^= true; break;
    case GLFW_KEY_U:      viewer.y_up ^= true; form_crowd(viewer.crowd); break;
    case GLFW_KEY_R:      face_camera(); break;
    case GLFW_KEY_P:      take_picture(); break;
    case GLFW_KEY_V:      glfwSwapInterval(viewer.no_vsync); viewer.no_vsync ^= true; break;
    case GLFW_KEY_H:      viewer.help = (viewer.help + 1) % 3; break;
    case GLFW_KEY_ESCAPE: glfwSetWindowShouldClose(window, 1); break;
    }
}

static void on_key(GLFWwindow *w, int key, int code, int action, int modifiers)
{
    (void)w, (void)code, (void)modifiers;
    if (action != GLFW_RELEASE) viewer_key(key);
}

/* A drag over the height of the window turns half around, or moves by as much as one sees. */
static void on_cursor(GLFWwindow *w, double x, double y)
{
    static double last_x, last_y;
    int           width, height;
    float         dx = (float)(x - last_x), dy = (float)(y - last_y), turn, shift;
    float         cy = cosf(camera.yaw), sy = sinf(camera.yaw), sp = sinf(camera.pitch);
    glfwGetWindowSize(w, &width, &height);
    turn = 3.14159f / (float)height;
    shift = 0.68f * camera.distance / (float)height;
    last_x = x;
    last_y = y;
    if (glfwGetMouseButton(w, GLFW_MOUSE_BUTTON_LEFT)) {
        camera.yaw -= turn * dx;
        camera.pitch = fminf(fmaxf(camera.pitch + turn * dy, 0.02f), 1.57f);
    } else if (glfwGetMouseButton(w, GLFW_MOUSE_BUTTON_RIGHT)) {
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

/* -- Start -------------------------------------------------------------------------------------- */

static void stop(const char *message, const char *what)
{
    fprintf(stderr, "viewer: %s%s\n", message, what);
    exit(1);
}

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
    window = glfwCreateWindow((int)wish.width, (int)wish.height, "md2.h and md5.h", NULL, NULL);
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
    if (!viewer.md2_gl || !viewer.md5_gl) stop(viewer.md2_gl ? error5.message : error2.message, "");
}

static const struct option {
    const char  *name, **text, *format;
    double      *value, *second, least, most;
} options[] = {
    { "--shot", &wish.shot, NULL, NULL, NULL, 0, 0 },
    { "--anim", &wish.anim, NULL, NULL, NULL, 0, 0 },
    { "--keys", &wish.keys, NULL, NULL, NULL, 0, 0 },
    { "--time", NULL, "%lf%n", &wish.time, NULL, -1e6, 1e6 },
    { "--yaw", NULL, "%lf%n", &wish.yaw, NULL, -1e6, 1e6 },
    { "--fps", NULL, "%lf%n", &wish.fps, NULL, 0.001, 1e6 },
    { "--crowd", NULL, "%lf%n", &wish.crowd, NULL, 1, 1e6 },
    { "--frames", NULL, "%lf%n", &wish.frames, NULL, 1, 1e9 },
    { "--size", NULL, "%lfx%lf%n", &wish.width, &wish.height, 1, 8192 }
};

static bool read_option(const struct option *o, const char *value)
{
    int end = -1;
    if (o->text) return *o->text = value, true;
    if (o->second) sscanf(value, o->format, o->value, o->second, &end);
    else sscanf(value, o->format, o->value, &end);
    return end > 0 && !value[end] && *o->value >= o->least && *o->value <= o->most &&
           (!o->second || (*o->second >= o->least && *o->second <= o->most));
}

/* Takes the options out of the arguments; what stays are the files. */
static int read_options(int count, char **arguments)
{
    int files = 0;
    for (int i = 1; i < count; ++i) {
        const struct option *o = options, *end = options + sizeof options / sizeof *options;
        while (o < end && strcmp(arguments[i], o->name) != 0) ++o;
        if (o == end && arguments[i][0] == '-') stop("no such option: ", arguments[i]);
        if (o == end) arguments[files++] = arguments[i];
        else if (++i == count) stop("a value is missing behind ", o->name);
        else if (!read_option(o, arguments[i])) stop(o->name, " is no number, or out of range");
    }
    return files;
}

/* In --keys, < > stand for Left and Right, + - for Up and Down, and all else for itself. */
static int key_of(int letter)
{
    static const char letters[] = "<>+-";
    static const int  arrows[] = { GLFW_KEY_LEFT, GLFW_KEY_RIGHT, GLFW_KEY_UP, GLFW_KEY_DOWN };
    const char       *found = strchr(letters, letter);
    return found ? arrows[found - letters] : letter >= 'a' && letter <= 'z' ? letter - 32 : letter;
}

static void begin(void)
{
    int anim = 0;
    while (wish.anim && anim < viewer.anim_count && strcmp(clip_of(anim).name, wish.anim)) ++anim;
    if (wish.anim && anim == viewer.anim_count) stop("no animation is called ", wish.anim);
    viewer.anim = anim;
    viewer.time = viewer.start = wish.time;
    form_crowd((int)wish.crowd);
    face_camera();
    for (const char *key = wish.keys; *key; ++key) viewer_key(key_of(*key));
    viewer.fade = 0.25f;
}

/* A # in the name stands for the number of the frame; without one, only the last is saved. */
static void save_shot(void)
{
    char        path[MAX_PATH_LENGTH];
    const char *mark = strchr(wish.shot, '#');
    int         head = mark ? (int)(mark - wish.shot) : MAX_PATH_LENGTH - 1;
    if (!mark && run.frame < wish.frames) return;
    head = snprintf(path, sizeof path, "%.*s", head, wish.shot);
    if (mark) snprintf(path + head, sizeof path - (size_t)head, "%04d%s", run.frame, mark + 1);
    if (!save_picture(path)) stop(viewer.error, "");
}

int main(int argc, char **argv)
{
    static const char *home[] = { "build/character/tris.md2", "build/character/weapon.md2" };
    int files = read_options(argc, argv);
    run.step = wish.frames < 1e9 ? 1 / wish.fps : wish.shot ? 0 : -1;
    if (!run.step) wish.frames = 1;
    viewer.crowd = 1;
    viewer.speed = 1;
    viewer.help = !wish.shot && !ON_THE_WEB;
    create_window();
    create_shapes();
    create_stage();
    open_files(files ? files : 2, files ? (const char **)argv : home);
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
