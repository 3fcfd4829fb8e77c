/* sdl2: md2.h and md5.h in a program that has everything else already: a window and a context from
   SDL 2, shaders, buffers and vertex layouts of its own, and OpenGL 3.3 without md2_gl or
   md5_gl. On the left the MD5, skinned by its own vertex shader from packed vertices of 32 bytes; on the
   right the MD2, posed on the CPU into a mapped buffer. Both are the same character in the same frames, so
   each picture checks the other. sdl2.png gets the last frame. Public domain. */
#include <assert.h>

#define GL_GLEXT_PROTOTYPES
#include <SDL2/SDL.h>
#include <SDL2/SDL_opengl.h>
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { SIDE = 400, MOST_JOINTS = 64, FRAMES = 12 };

static void die_unless(bool good, const char *message)
{
    if (!good) fprintf(stderr, "%s\n", message);
    if (!good) exit(1);
}

/* -- Shaders ------------------------------------------------------------------------------------ */

static const char *const skinned_source =
    "#version 330 core\n"
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec2 texcoord;\n"
    "layout(location = 3) in uvec4 joints;\n"
    "layout(location = 4) in vec4 weights;\n"
    "layout(std140) uniform palette { vec4 rows[3 * 64]; };\n"
    "uniform mat4 view;\n"
    "out vec3 n; out vec2 t;\n"
    "void main() {\n"
    "    vec4 a = vec4(0), b = vec4(0), c = vec4(0);\n"
    "    for (int i = 0; i < 4; ++i) {\n"
    "        int j = 3 * int(joints[i]);\n"
    "        a += weights[i] * rows[j]; b += weights[i] * rows[j + 1]; c += weights[i] * rows[j + 2];\n"
    "    }\n"
    "    vec4 p = vec4(position, 1), d = vec4(normal, 0);\n"
    "    n = vec3(dot(a, d), dot(b, d), dot(c, d)); t = texcoord;\n"
    "    gl_Position = view * vec4(dot(a, p), dot(b, p), dot(c, p), 1);\n"
    "}\n";

static const char *const posed_source =
    "#version 330 core\n"
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec2 texcoord;\n"
    "uniform mat4 view;\n"
    "out vec3 n; out vec2 t;\n"
    "void main() { n = normal; t = texcoord; gl_Position = view * vec4(position, 1); }\n";

static const char *const fragment_source =
    "#version 330 core\n"
    "in vec3 n; in vec2 t; uniform sampler2D skin; out vec4 color;\n"
    "void main() {\n"
    "    float light = 0.4 + 0.6 * max(dot(normalize(n), normalize(vec3(1, 0.3, 0.8))), 0.0);\n"
    "    color = vec4(texture(skin, t).rgb * light, 1);\n"
    "}\n";

static GLuint make_program(const char *vertex_source)
{
    /* X, the front of the character, towards the viewer and a bit to the side; Z up. OpenGL's depth grows
       away from the viewer. */
    static const float view[16] = { 0.4f / 38, 0, -0.9f / 100, 0,  0.9f / 38, 0, 0.4f / 100, 0,
                                    0, 1.0f / 38, 0, 0,            0, -0.2f, 0, 1 };
    const char *sources[2] = { vertex_source, fragment_source };
    char log[1024] = "";
    GLint ok = 0;
    GLuint program = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &sources[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    die_unless(ok != 0, log);
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "view"), 1, GL_FALSE, view);
    return program;
}

/* -- Vertices of our own ------------------------------------------------------------------------ */

typedef struct packed_vertex {        /* 32 bytes, instead of 52 with floats */
    float   position[3], texcoord[2];
    int8_t  normal[4];
    uint8_t joint[4], weight[4];
} packed_vertex;

static packed_vertex pack_vertex(const md5_model *model, uint32_t index)
{
    const md5_vertex *in = &model->meshes[0].vertices[index];
    packed_vertex out;
    uint32_t joints[4];
    float weights[4];
    int rest = 255;
    memset(&out, 0, sizeof out);
    md5_vertex_joints(model, 0, index, 4, joints, weights);
    for (int k = 3; k >= 0; --k) {                          /* the heaviest is last and takes the rest */
        int weight = k > 0 ? (int)(weights[k] * 255 + 0.5f) : rest;
        out.joint[k] = (uint8_t)joints[k];
        out.weight[k] = (uint8_t)weight;
        rest -= weight;
    }
    for (int k = 0; k < 3; ++k) {
        out.position[k] = in->position[k];
        out.normal[k] = (int8_t)floorf(in->normal[k] * 127 + 0.5f);
    }
    out.texcoord[0] = in->u;
    out.texcoord[1] = in->v;
    return out;
}

static void bind_attribute(GLuint location, GLint size, GLenum type, GLboolean normalized, size_t stride,
                           size_t offset)
{
    const void *pointer = (const char *)NULL + offset;
    glEnableVertexAttribArray(location);
    if (type == GL_UNSIGNED_BYTE && !normalized) {
        glVertexAttribIPointer(location, size, type, (GLsizei)stride, pointer);
    } else {
        glVertexAttribPointer(location, size, type, normalized, (GLsizei)stride, pointer);
    }
}

static GLuint make_buffer(GLenum target, const void *bytes, size_t size, GLenum usage)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)size, bytes, usage);
    return buffer;
}

/* Leaves the vertex array bound. */
static GLuint make_vertex_array(const uint32_t *indices, uint32_t count)
{
    GLuint vao;
    glGenVertexArrays(1, &vao);
    glBindVertexArray(vao);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, indices, count * sizeof *indices, GL_STATIC_DRAW);
    return vao;
}

static void draw_elements(GLuint program, GLuint vao, uint32_t count)
{
    glUseProgram(program);
    glBindVertexArray(vao);
    glDrawElements(GL_TRIANGLES, (GLsizei)count, GL_UNSIGNED_INT, NULL);
}

/* -- The MD5: packed once, the palette in each frame ---------------------------------------------- */

typedef struct skinned { GLuint program, vao, palette; md5_model *model; md5_anim *run; } skinned;

static void load_skinned(skinned *s)
{
    md5_error error;
    s->model = md5_load_model_file("build/character/robot.md5mesh", NULL, &error);
    s->run = s->model ? md5_load_anim_file("build/character/run.md5anim", NULL, &error) : NULL;
    die_unless(s->run, error.message);
    const md5_mesh *mesh = &s->model->meshes[0];
    assert(s->model->joint_count <= MOST_JOINTS);

    packed_vertex *vertices = (packed_vertex *)malloc(mesh->vertex_count * sizeof *vertices);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) vertices[i] = pack_vertex(s->model, i);
    s->program = make_program(skinned_source);
    s->vao = make_vertex_array(mesh->indices, mesh->index_count);
    make_buffer(GL_ARRAY_BUFFER, vertices, mesh->vertex_count * sizeof *vertices, GL_STATIC_DRAW);
    bind_attribute(0, 3, GL_FLOAT, GL_FALSE, sizeof *vertices, offsetof(packed_vertex, position));
    bind_attribute(1, 4, GL_BYTE, GL_TRUE, sizeof *vertices, offsetof(packed_vertex, normal));
    bind_attribute(2, 2, GL_FLOAT, GL_FALSE, sizeof *vertices, offsetof(packed_vertex, texcoord));
    bind_attribute(3, 4, GL_UNSIGNED_BYTE, GL_FALSE, sizeof *vertices, offsetof(packed_vertex, joint));
    bind_attribute(4, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof *vertices, offsetof(packed_vertex, weight));
    s->palette = make_buffer(GL_UNIFORM_BUFFER, NULL, MOST_JOINTS * 12 * sizeof(float), GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, s->palette);
    free(vertices);
}

static void draw_skinned(const skinned *s, double seconds)
{
    md5_xform pose[MOST_JOINTS];
    float palette[MOST_JOINTS * 12];
    md5_pose_at(s->run, MD5_LOOP, seconds, pose);
    md5_pose_to_model_space(s->model, pose, pose);
    md5_pose_palette(s->model, pose, palette);
    glBindBuffer(GL_UNIFORM_BUFFER, s->palette);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, (GLsizeiptr)(s->model->joint_count * 12 * sizeof(float)), palette);
    draw_elements(s->program, s->vao, s->model->meshes[0].index_count);
}

/* -- The MD2: posed into a mapped buffer ------------------------------------------------------------ */

typedef struct posed_vertex { float position[3], normal[3]; } posed_vertex;
typedef struct posed { GLuint program, vao, buffer; md2_model *model; const md2_anim *run; } posed;

static void load_posed(posed *p)
{
    md2_error error;
    p->model = md2_load_file("build/character/tris.md2", NULL, &error);
    die_unless(p->model, error.message);
    p->run = md2_find_anim(p->model, "run");
    assert(p->run);
    p->program = make_program(posed_source);
    p->vao = make_vertex_array(p->model->indices, p->model->index_count);
    uint32_t count = p->model->vertex_count;
    make_buffer(GL_ARRAY_BUFFER, p->model->vertices, count * sizeof(md2_vertex), GL_STATIC_DRAW);
    bind_attribute(2, 2, GL_FLOAT, GL_FALSE, sizeof(md2_vertex), offsetof(md2_vertex, u));
    p->buffer = make_buffer(GL_ARRAY_BUFFER, NULL, count * sizeof(posed_vertex), GL_STREAM_DRAW);
    bind_attribute(0, 3, GL_FLOAT, GL_FALSE, sizeof(posed_vertex), offsetof(posed_vertex, position));
    bind_attribute(1, 3, GL_FLOAT, GL_FALSE, sizeof(posed_vertex), offsetof(posed_vertex, normal));
}

static void draw_posed(const posed *p, double seconds)
{
    md2_pose pose = md2_pose_at(p->run, MD2_LOOP, seconds);
    glBindBuffer(GL_ARRAY_BUFFER, p->buffer);
    posed_vertex *v = (posed_vertex *)glMapBufferRange(GL_ARRAY_BUFFER, 0,
                                                       (GLsizeiptr)(p->model->vertex_count * sizeof *v),
                                                       GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    assert(v);
    md2_pose_vertices(p->model, &pose, v->position, sizeof *v, v->normal, sizeof *v);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    draw_elements(p->program, p->vao, p->model->index_count);
}

/* -- The window, the skin and the pictures ------------------------------------------------------------ */

static void load_skin(void)
{
    int width = 0, height = 0;
    GLuint texture;
    stbi_uc *pixels = stbi_load("build/character/skin.png", &width, &height, NULL, 4);
    die_unless(pixels, "skin.png cannot be read");
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
    stbi_image_free(pixels);
}

typedef struct comparison { int left, both, different, red, steel; } comparison;

/* The left half of the picture against the right one. The background is black, the character is not. */
static comparison compare_halves(const unsigned char *rgb)
{
    comparison c = { 0, 0, 0, 0, 0 };
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const unsigned char *a = rgb + 3 * (i / SIDE * 2 * SIDE + i % SIDE), *b = a + 3 * SIDE;
        bool on_left = a[0] + a[1] + a[2] > 0, on_right = b[0] + b[1] + b[2] > 0;
        c.left += on_left;
        c.both += on_left && on_right;
        c.different += on_left != on_right ||
                       abs(a[0] - b[0]) > 40 || abs(a[1] - b[1]) > 40 || abs(a[2] - b[2]) > 40;
        c.red += a[0] > 2 * a[1] + 20 && a[0] > 2 * a[2] + 20;
        c.steel += a[0] > 60 && abs(a[0] - a[1]) < 25 && abs(a[1] - a[2]) < 25;
    }
    return c;
}

int main(int argc, char **argv) /* as SDL_main may need it */
{
    (void)argc, (void)argv;
    die_unless(SDL_Init(SDL_INIT_VIDEO) == 0, SDL_GetError());
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_Window *window = SDL_CreateWindow("own renderer", 0, 0, 2 * SIDE, SIDE, SDL_WINDOW_OPENGL);
    SDL_GLContext context = window ? SDL_GL_CreateContext(window) : NULL;
    die_unless(context, SDL_GetError());

    skinned robot;
    posed knight;
    load_skin();
    load_skinned(&robot);
    load_posed(&knight);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    unsigned char *rgb = (unsigned char *)malloc(2 * SIDE * SIDE * 3);
    int failures = 0;
    for (int frame = 0; frame < FRAMES; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glViewport(0, 0, SIDE, SIDE);
        draw_skinned(&robot, frame * 0.1);
        glViewport(SIDE, 0, SIDE, SIDE);
        draw_posed(&knight, frame * 0.1);
        glReadPixels(0, 0, 2 * SIDE, SIDE, GL_RGB, GL_UNSIGNED_BYTE, rgb);
        SDL_GL_SwapWindow(window);
        comparison c = compare_halves(rgb);
        failures += c.left < SIDE * SIDE / 10 || c.both * 100 < c.left * 99 || c.different * 100 > c.left * 4 ||
                    c.red < c.left / 12 || c.steel < c.left / 4;
        printf("frame %d: %d pixels of the MD5, %d of the MD2 too, %d differ, %d red, %d steel\n", frame, c.left,
               c.both, c.different, c.red, c.steel);
    }
    stbi_flip_vertically_on_write(1);
    failures += !stbi_write_png("sdl2.png", 2 * SIDE, SIDE, 3, rgb, 0) + (glGetError() != GL_NO_ERROR);
    free(rgb);
    md5_free_anim(robot.run);
    md5_free_model(robot.model);
    md2_free_model(knight.model);
    SDL_GL_DeleteContext(context);
    SDL_DestroyWindow(window);
    SDL_Quit();
    printf("%d frames, %d wrong\n", (int)FRAMES, failures);
    return failures != 0;
}
