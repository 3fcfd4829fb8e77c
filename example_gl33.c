/* example_gl33.c - a crowd of animated Quake II (MD2) or Doom 3 (MD5) characters, drawn with md2.h
   and md5.h in OpenGL 3.3. Public domain: copy what you need. Each format has its own section.

   On Debian, after `apt install libglfw3-dev libgl-dev libstb-dev python3-glad`:

       glad --reproducible --api gl:core=3.3 --out-path glad c --header-only
       cc -O2 -isystem glad/include -I/usr/include/stb example_gl33.c -o example -lglfw -lm
       ./example knight/tris.md2 knight/weapon.md2
       ./example knight/knight.md5mesh knight/weapon.md5mesh knight/run.md5anim knight/jump.md5anim

   On other systems, put stb_image.h next to this file (vcpkg: glad, glfw3, stb). */
#define KEYS "Left, Right: animation  Space: jump  1 to 9: rows  drag: orbit  wheel: zoom"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GLAD_GL_IMPLEMENTATION
#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"

#define MD2_IMPLEMENTATION
#define MD2_GL
#define MD2_STB_IMAGE
#include "md2.h"
#define MD5_IMPLEMENTATION
#define MD5_GL
#define MD5_STB_IMAGE
#include "md5.h"

enum { MAX_CROWD = 9 * 9, MAX_PARTS = 4, MAX_ANIMS = 256, MAX_MESHES = 32, MAX_JOINTS = 256 };
static const char *anim_names[MAX_ANIMS];
static int         anim_count, anim;      /* anim: index of the animation that loops */
static int         rows = 3;              /* the crowd has rows * rows characters */
static float       width, height, feet;   /* size of the model; Z of its feet */
static float       yaw = 0.4f, pitch = 0.25f, zoom = 1;

static void die(const char *file, const char *message)
{
    fprintf(stderr, "example_gl33: %s: %s\n", file, message);
    exit(EXIT_FAILURE);
}

static void measure(const float min[3], const float max[3])
{
    width = hypotf(max[0] - min[0], max[1] - min[1]);
    height = max[2] - min[2];
    feet = min[2];
}

/* Returns the distance between neighbors in the crowd. */
static float spacing(void)
{
    return 0.9f * fmaxf(width, 0.5f * height);
}

/* Writes a column-major matrix that moves character `i` to its position in the crowd. */
static void get_transform(int i, float transform[16])
{
    float half = 0.5f * (float)(rows - 1);

    memset(transform, 0, 16 * sizeof(float));
    transform[0] = transform[5] = transform[10] = transform[15] = 1;
    transform[12] = (half - (float)(i / rows)) * spacing();
    transform[13] = (half - (float)(i % rows)) * spacing();
}

/* -- MD2: a file for the mesh and all animations, one for a weapon with the same frames ------- */

static struct {
    md2_model      *model;                /* the first model */
    md2_gl         *gl;
    int             part_count;
    md2_gl_mesh     meshes[MAX_PARTS];
    uint32_t        skins[MAX_PARTS];
    md2_player      players[MAX_CROWD];   /* time and crossfades of each character */
    md2_gl_instance instances[MAX_CROWD]; /* pose and transform of each character */
} md2;

static void open_md2(const char *path)
{
    md2_error  error;
    md2_model *model = md2_load_file(path, NULL, &error);
    if (!model) die(path, error.message);

    if (!md2.gl) md2.gl = md2_gl_create(glfwGetProcAddress, NULL, &error);
    if (!md2.gl) die(path, error.message);
    if (md2.part_count == MAX_PARTS) die(path, "too many parts");
    int part = md2.part_count++;
    if (!md2_gl_upload(md2.gl, model, &md2.meshes[part], &error)) die(path, error.message);

    md2.skins[part] = md2_gl_load_skin(md2.gl, model, path, 0, &error);
    if (!md2.skins[part]) fprintf(stderr, "%s: %s (drawn white)\n", path, error.message);

    /* All parts show poses of the first part's animations. The other models are no longer needed:
       the GPU has a copy of their frames. */
    if (part > 0) {
        md2_free_model(model);
        return;
    }
    md2.model = model;
    measure(md2.model->frames[0].min, md2.model->frames[0].max);
    for (uint32_t i = 0; i < md2.model->anim_count && i < MAX_ANIMS; ++i) {
        anim_names[anim_count++] = md2.model->anims[i].name;
    }
}

static void play_md2(int i, int anim_index, md2_mode mode)
{
    /* Crossfade for 0.3 seconds. */
    md2_play(&md2.players[i], &md2.model->anims[anim_index], mode, 0.3f);

    /* Loops begin at different times, so that the characters do not move in step. */
    if (mode == MD2_LOOP) md2_seek(&md2.players[i], 0.37 * i);
}

static void draw_md2(int count, float seconds, const float view_projection[16])
{
    /* 0.4: ambient light; then the direction toward the light. */
    md2_gl_scene scene = { 0.4f, { 0.6f, 0.3f, 0.7f }, { 0 } };
    memcpy(scene.view_projection, view_projection, sizeof scene.view_projection);

    for (int i = 0; i < count; ++i) {
        uint32_t events = md2_advance(&md2.players[i], seconds);
        if (events & MD2_FINISHED) play_md2(i, anim, MD2_LOOP); /* the jump is over */

        md2.instances[i].pose = md2_player_pose(&md2.players[i]);
        get_transform(i, md2.instances[i].transform);
    }

    for (int part = 0; part < md2.part_count; ++part) {
        md2_gl_draw(md2.gl, &md2.meshes[part], md2.skins[part], &scene, md2.instances,
                    (size_t)count);
    }
}

static void close_md2(void)
{
    glDeleteTextures(md2.part_count, md2.skins);
    for (int part = 0; part < md2.part_count; ++part) md2_gl_free_mesh(md2.gl, &md2.meshes[part]);
    md2_gl_destroy(md2.gl);
    md2_free_model(md2.model);
}

/* -- MD5: a .md5mesh for the body, one for a weapon, a .md5anim for each animation ------------ */

typedef struct md5_part {                 /* the body, or a weapon attached to it */
    md5_model  *model;
    int         joints[MAX_JOINTS];       /* index of the body's joint with the same name, or -1 */
    md5_gl_mesh meshes[MAX_MESHES];       /* each has its own texture */
    uint32_t    textures[MAX_MESHES];
    float       palettes[MAX_CROWD][MAX_JOINTS * 12]; /* joint matrices of each character */
} md5_part;

static struct {
    md5_part        parts[MAX_PARTS];     /* parts[0] is the body */
    int             part_count;
    md5_anim       *anims[MAX_ANIMS];
    md5_gl         *gl;
    md5_player      players[MAX_CROWD];
    md5_gl_instance instances[MAX_CROWD];
    md5_xform       pose[MAX_JOINTS], scratch[MAX_JOINTS]; /* temporary, for one character */
} md5;

static void open_md5mesh(const char *path)
{
    if (md5.part_count == MAX_PARTS) die(path, "too many parts");
    md5_part *p = &md5.parts[md5.part_count++];

    md5_error error;
    p->model = md5_load_model_file(path, NULL, &error);
    if (!p->model) die(path, error.message);
    if (p->model->mesh_count > MAX_MESHES) die(path, "too many meshes");
    if (p->model->joint_count > MAX_JOINTS) die(path, "too many joints");

    const md5_model *body = md5.parts[0].model;
    for (uint32_t i = 0; i < p->model->joint_count; ++i) {
        p->joints[i] = md5_find_joint(body, p->model->joints[i].name);
    }

    if (!md5.gl) md5.gl = md5_gl_create(glfwGetProcAddress, NULL, &error);
    if (!md5.gl) die(path, error.message);
    for (uint32_t i = 0; i < p->model->mesh_count; ++i) {
        if (!md5_gl_upload(md5.gl, p->model, i, &p->meshes[i], &error)) die(path, error.message);
        p->textures[i] = md5_gl_load_texture(md5.gl, p->model, path, i, &error);
        if (!p->textures[i]) fprintf(stderr, "%s: %s (drawn white)\n", path, error.message);
    }

    if (md5.part_count == 1) measure(p->model->min, p->model->max);
}

/* Computes the joint matrices of a part from the body's pose, which is in model space. A joint that
   the body lacks keeps its bind pose. */
static void compute_palette(md5_part *p, int character)
{
    for (uint32_t i = 0; i < p->model->joint_count; ++i) {
        int joint = p->joints[i];
        md5.scratch[i] = joint < 0 ? p->model->joints[i].bind : md5.pose[joint];
    }
    md5_pose_palette(p->model, md5.scratch, p->palettes[character]);
}

static void open_md5anim(const char *path)
{
    const md5_model *body = md5.parts[0].model;
    if (!body) die(path, "its .md5mesh must come first");
    if (anim_count == MAX_ANIMS) die(path, "too many animations");

    md5_error error;
    md5_anim *loaded = md5_load_anim_file(path, NULL, &error);
    if (!loaded) die(path, error.message);

    /* Call md5_retarget_anim first if the animation is for a different skeleton. */
    if (md5_check_anim(body, loaded, &error) != MD5_OK) die(path, error.message);

    anim_names[anim_count] = loaded->name;
    md5.anims[anim_count++] = loaded;
}

static void play_md5(int i, int anim_index, md5_mode mode)
{
    md5_play(&md5.players[i], md5.anims[anim_index], mode, 0.3f);
    if (mode == MD5_LOOP) md5_seek(&md5.players[i], 0.37 * i);
}

static void draw_md5(int count, float seconds, const float view_projection[16])
{
    const md5_model *body = md5.parts[0].model;
    md5_gl_scene     scene = { 0.4f, { 0.6f, 0.3f, 0.7f }, { 0 } };
    memcpy(scene.view_projection, view_projection, sizeof scene.view_projection);

    for (int i = 0; i < count; ++i) {
        uint32_t events = md5_advance(&md5.players[i], seconds);
        if (events & MD5_FINISHED) play_md5(i, anim, MD5_LOOP);

        /* Get the joints relative to their parents, then in model space, then as matrices. */
        md5_player_pose(body, &md5.players[i], md5.pose, md5.scratch);
        md5_pose_to_model_space(body, md5.pose, md5.pose);
        for (int part = 0; part < md5.part_count; ++part) compute_palette(&md5.parts[part], i);
        get_transform(i, md5.instances[i].transform);
    }

    for (md5_part *p = md5.parts; p < md5.parts + md5.part_count; ++p) {
        for (int i = 0; i < count; ++i) md5.instances[i].palette = p->palettes[i];
        md5_gl_draw_meshes(md5.gl, p->meshes, p->textures, p->model->mesh_count, &scene,
                           md5.instances, (size_t)count);
    }
}

static void close_md5(void)
{
    for (md5_part *p = md5.parts; p < md5.parts + md5.part_count; ++p) {
        for (int i = 0; i < MAX_MESHES; ++i) md5_gl_free_mesh(md5.gl, &p->meshes[i]);
        glDeleteTextures(MAX_MESHES, p->textures);
        md5_free_model(p->model);
    }
    for (int i = 0; i < anim_count; ++i) md5_free_anim(md5.anims[i]);
    md5_gl_destroy(md5.gl);
}

/* -- The floor: one square that fades into the horizon ----------------------------------------- */

static GLuint floor_program, floor_vao;

static const char floor_vertex_shader[] =
    "#version 330 core\n"
    "uniform mat4 view_projection; uniform vec3 sizes; out vec2 tile;"
    "void main() {"
    "    tile = 200.0 * vec2(gl_VertexID % 2, gl_VertexID / 2) - 100.0;"
    "    gl_Position = view_projection * vec4(tile * sizes.x, sizes.y, 1.0);"
    "}";

/* The color changes from tile to tile over the width of one pixel, so the edges are smooth. Far
   tiles fade into haze. */
static const char floor_fragment_shader[] =
    "#version 330 core\n"
    "in vec2 tile; uniform vec3 sizes; out vec4 color;"
    "const vec3 haze = vec3(0.76, 0.82, 0.88);"                     /* the color of glClearColor */
    "void main() {"
    "    vec2  wave = sin(3.14159 * tile) / (3.14159 * max(fwidth(tile), 1e-4));"
    "    wave = clamp(wave, -1.0, 1.0);"
    "    float tone = 0.56 + 0.05 * wave.x * wave.y;"
    "    float range = length(tile) / sizes.z;"
    "    color = vec4(mix(haze, tone * vec3(1.0, 0.98, 0.94), exp(-range * range)), 1.0);"
    "}";

static void attach_shader(GLenum kind, const char *text)
{
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glAttachShader(floor_program, shader);
}

static void create_floor(void)
{
    floor_program = glCreateProgram();
    attach_shader(GL_VERTEX_SHADER, floor_vertex_shader);
    attach_shader(GL_FRAGMENT_SHADER, floor_fragment_shader);
    glLinkProgram(floor_program);
    glGenVertexArrays(1, &floor_vao);     /* no attributes: the shader uses gl_VertexID */
}

static void draw_floor(const float view_projection[16])
{
    GLint matrix = glGetUniformLocation(floor_program, "view_projection");
    GLint sizes = glGetUniformLocation(floor_program, "sizes");

    glUseProgram(floor_program);
    glUniformMatrix4fv(matrix, 1, GL_FALSE, view_projection);
    /* Width of a tile, Z of the floor, tiles until the haze. */
    glUniform3f(sizes, 0.4f * height, feet, 8 + 4 * (float)rows);
    glBindVertexArray(floor_vao);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* -- Keys, camera and window ------------------------------------------------------------------- */

static void play_all(int anim_index, bool once)
{
    if (anim_index >= anim_count) return; /* the model has no such animation */

    for (int i = 0; i < MAX_CROWD; ++i) {
        if (md2.model) play_md2(i, anim_index, once ? MD2_ONCE : MD2_LOOP);
        else play_md5(i, anim_index, once ? MD5_ONCE : MD5_LOOP);
    }
}

static void show_title(GLFWwindow *window)
{
    char title[256];
    snprintf(title, sizeof title, "%.60s - " KEYS,
             anim_count > 0 ? anim_names[anim] : "no animation");
    glfwSetWindowTitle(window, title);
}

/* Returns the index of the animation with this name, or anim_count if there is none. */
static int find_anim(const char *name)
{
    int i = 0;
    while (i < anim_count && strcmp(anim_names[i], name) != 0) ++i;
    return i;
}

static void change_anim(GLFWwindow *window, int step)
{
    if (anim_count == 0) return;

    anim = (anim + anim_count + step) % anim_count;
    play_all(anim, false);
    show_title(window);
}

static void on_key(GLFWwindow *window, int key, int scancode, int action, int mods)
{
    (void)scancode, (void)mods;
    if (action != GLFW_PRESS) return;

    if (key == GLFW_KEY_ESCAPE) glfwSetWindowShouldClose(window, GLFW_TRUE);
    if (key >= GLFW_KEY_1 && key <= GLFW_KEY_9) rows = key - GLFW_KEY_0;
    if (key == GLFW_KEY_SPACE) play_all(find_anim("jump"), true);
    if (key == GLFW_KEY_LEFT) change_anim(window, -1);
    if (key == GLFW_KEY_RIGHT) change_anim(window, 1);
}

static void on_cursor(GLFWwindow *window, double x, double y)
{
    static double last_x, last_y;
    if (glfwGetMouseButton(window, GLFW_MOUSE_BUTTON_LEFT)) {
        yaw -= 0.01f * (float)(x - last_x);
        pitch = fminf(fmaxf(pitch + 0.01f * (float)(y - last_y), 0.02f), 1.5f); /* above floor */
    }
    last_x = x;
    last_y = y;
}

static void on_scroll(GLFWwindow *window, double x, double y)
{
    (void)window, (void)x;
    zoom *= powf(0.9f, (float)y);
}

/* Returns the distance from which the camera sees the whole cylinder around the crowd. A point is in
   view if its distance along the camera's axis is at least `lens` times its height above the axis,
   and lens / aspect times its distance to the side. */
static float fit_distance(float lens, float aspect)
{
    float radius = 0.7071f * (float)(rows - 1) * spacing() + fmaxf(0.5f * width, 0.6f * height);

    /* From the cylinder's center to its top: `up` across the camera's axis, `nearer` along the
       axis. To its front edge: `down` across the axis, `front` along the axis. */
    float half = 0.5f * height;
    float up = half * cosf(pitch), nearer = half * sinf(pitch);
    float down = radius * sinf(pitch), front = radius * cosf(pitch);

    float sides = nearer + radius * hypotf(cosf(pitch), lens / aspect);
    float ends = fabsf(front - nearer) + lens * (down + up); /* feet in front, heads in the back */
    return 1.1f * fmaxf(sides, ends);                 /* a margin for swinging arms and weapons */
}

/* Writes projection * view as a column-major matrix. The camera looks at the center of the crowd,
   in perspective and without a far plane. */
static void compute_view_projection(float aspect, float out[16])
{
    float lens = 2.5f;                                /* 1 / tan(field of view / 2) */
    float distance = zoom * fit_distance(lens, aspect);
    float near_plane = distance / 50;

    /* The camera's axes in world space, with Z up. The camera looks along -back. */
    float cos_yaw = cosf(yaw), sin_yaw = sinf(yaw);
    float cos_pitch = cosf(pitch), sin_pitch = sinf(pitch);
    float right[3] = { -sin_yaw, cos_yaw, 0 };
    float up[3] = { -sin_pitch * cos_yaw, -sin_pitch * sin_yaw, cos_pitch };
    float back[3] = { cos_pitch * cos_yaw, cos_pitch * sin_yaw, sin_pitch };

    /* The rows compute x, y, depth and w (clip space). w is the distance along the view axis. */
    for (int i = 0; i < 3; ++i) {
        out[4 * i] = lens / aspect * right[i];
        out[4 * i + 1] = lens * up[i];
        out[4 * i + 2] = -back[i];
        out[4 * i + 3] = -back[i];
    }

    /* At the near plane, depth is -w; far away it approaches w. */
    out[12] = 0;
    out[13] = 0;
    out[14] = distance - 2 * near_plane;
    out[15] = distance;

    /* The center of the crowd is above the origin. */
    for (int i = 0; i < 4; ++i) out[12 + i] -= (feet + 0.5f * height) * out[8 + i];
}

static GLFWwindow *open_window(void)
{
    if (!glfwInit()) die("GLFW", "cannot be initialized");

    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE); /* required by macOS */
    glfwWindowHint(GLFW_SAMPLES, 4);
    GLFWwindow *window = glfwCreateWindow(1280, 720, "md2.h and md5.h", NULL, NULL);
    if (!window) die("GLFW", "cannot open a window with OpenGL 3.3");

    glfwMakeContextCurrent(window);
    if (!gladLoadGL(glfwGetProcAddress)) die("glad", "cannot load OpenGL");
    glfwSwapInterval(1);

    glfwSetKeyCallback(window, on_key);
    glfwSetCursorPosCallback(window, on_cursor);
    glfwSetScrollCallback(window, on_scroll);

    glClearColor(0.76f, 0.82f, 0.88f, 1); /* the haze of the floor */
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    return window;
}

static void open_file(const char *path)
{
    if (strstr(path, ".md5anim")) {
        open_md5anim(path);
        return;
    }
    bool is_md5 = strstr(path, ".md5mesh") != NULL;
    if (is_md5 ? md2.part_count : md5.part_count) die(path, "a character is either MD2 or MD5");

    /* A second model is a weapon, which moves with the first. */
    if (is_md5) open_md5mesh(path);
    else open_md2(path);
}

static void draw_frame(GLFWwindow *window, float seconds)
{
    int pixels_wide, pixels_high;
    glfwGetFramebufferSize(window, &pixels_wide, &pixels_high);
    if (pixels_wide == 0 || pixels_high == 0) return; /* minimized */
    glViewport(0, 0, pixels_wide, pixels_high);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);

    float view_projection[16];
    compute_view_projection((float)pixels_wide / (float)pixels_high, view_projection);
    draw_floor(view_projection);
    if (md2.model) draw_md2(rows * rows, seconds, view_projection);
    else draw_md5(rows * rows, seconds, view_projection);
}

int main(int argc, char **argv)
{
    GLFWwindow *window = open_window();
    for (int i = 1; i < argc; ++i) open_file(argv[i]);
    if (argc < 2) {                                   /* `make knight` generates these files */
        open_file("build/character/tris.md2");
        open_file("build/character/weapon.md2");
    }
    create_floor();
    change_anim(window, 0);
    puts(KEYS);
    fflush(stdout);

    while (!glfwWindowShouldClose(window)) {
        float seconds = (float)glfwGetTime(); /* time since the last frame */
        glfwSetTime(0);
        draw_frame(window, seconds);
        glfwSwapBuffers(window);
        glfwPollEvents();
    }

    if (md2.model) close_md2();
    else close_md5();
    glDeleteProgram(floor_program);
    glDeleteVertexArrays(1, &floor_vao);
    glfwTerminate();
    return EXIT_SUCCESS;
}
