/* example_legacy.c - a Quake II model runs over a tiled floor, followed by a camera. It uses md2.h
   and only OpenGL 1.1: no shaders, buffer objects or extensions. Public domain: copy what you need.
   On Debian, after `apt install libglfw3-dev libgl-dev libstb-dev`:

       cc -O2 -I/usr/include/stb example_legacy.c -o legacy -lglfw -lGL -lm
       ./legacy knight/tris.md2 knight/weapon.md2

   On other systems, put stb_image.h next to this file (vcpkg: glfw3, stb; link opengl32.lib
   instead of -lGL). */
#define KEYS "Left, Right: steer  Space: jump  D: strips with glBegin, or vertex arrays"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <GLFW/glfw3.h> /* includes GL/gl.h */
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"
#define MD2_STB_IMAGE /* needed by md2_load_skin */
#define MD2_IMPLEMENTATION
#include "md2.h"

enum { MAX_PARTS = 8, MAX_TEXTURE = 1024, LAMPS = 16, FLOOR = 24 };

typedef struct part {                 /* one file: the body, or a weapon with the same frames */
    md2_model *model;
    GLuint     skin;
    float    (*positions)[3], (*normals)[3]; /* current pose */
} part;

static part       parts[MAX_PARTS];
static int        part_count;
static md2_player player;             /* all parts show its pose */
static bool       use_arrays;

static struct {                       /* positions on the floor, in heights of the character */
    float x, y, heading;              /* the character; headings in radians */
    float eye_x, eye_y, eye_heading;  /* the camera, which follows it */
} walk;

static const float fog[4] = { 0.93f, 0.87f, 0.80f, 1 };
static const float sun[4] = { 0.50f, 0.30f, 0.85f, 0 }; /* direction toward it */

static void die(const char *file, const char *message)
{
    fprintf(stderr, "example_legacy: %s: %s\n", file, message);
    exit(EXIT_FAILURE);
}

/* -- Textures ---------------------------------------------------------------------------------- */

/* Computes the next smaller mipmap level of a square texture, in place: each new texel is the mean
   of four texels. */
static void halve_texels(uint8_t (*texels)[4], int side)
{
    int half = side / 2;
    for (int i = 0; i < half * half; ++i) {
        uint8_t(*block)[4] = &texels[i / half * 2 * side + i % half * 2];
        for (int c = 0; c < 4; ++c) {
            int sum = block[0][c] + block[1][c] + block[side][c] + block[side + 1][c];
            texels[i][c] = (uint8_t)(sum / 4);
        }
    }
}

/* Creates a square texture with mipmaps. OpenGL 1.1 cannot generate mipmaps, and the sides of its
   textures must be powers of two. */
static GLuint create_texture(const uint8_t *rgba, int width, int height)
{
    static uint8_t texels[MAX_TEXTURE * MAX_TEXTURE][4];
    int            side = 1;
    while (side < MAX_TEXTURE && (side < width || side < height)) side *= 2;

    for (int i = 0; i < side * side; ++i) {
        int column = i % side * width / side;
        int row = i / side * height / side;
        memcpy(texels[i], rgba + 4 * (row * width + column), 4);
    }

    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    for (int level = 0; side > 0; ++level) {
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGB, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels);
        halve_texels(texels, side);
        side /= 2;
    }
    return texture;
}

/* Creates a texture of two by two tiles, each 128 texels wide, with dark gaps between them. */
static GLuint create_tiles(void)
{
    static uint8_t rgba[256 * 256][4];
    for (int i = 0; i < 256 * 256; ++i) {
        int   x = i % 256, y = i / 256;
        bool  is_light = x / 128 != y / 128;
        bool  is_gap = x % 128 < 3 || y % 128 < 3;
        float tone = is_gap ? 70 : is_light ? 158 : 106;
        for (int c = 0; c < 4; ++c) rgba[i][c] = (uint8_t)(tone * (1 + 0.03f * (float)c));
    }
    return create_texture(rgba[0], 256, 256);
}

/* Loads a model's skin. If there is none, returns 0, and the model is drawn white. */
static GLuint load_skin(const md2_model *model, const char *path)
{
    uint32_t  width, height;
    md2_error error;
    uint8_t  *rgba = md2_load_skin(model, path, 0, &width, &height, NULL, &error);
    if (!rgba) {
        fprintf(stderr, "%s: %s (drawn white)\n", path, error.message);
        return 0;
    }

    GLuint texture = create_texture(rgba, (int)width, (int)height);
    md2_free_image(rgba);
    return texture;
}

/* -- The character ----------------------------------------------------------------------------- */

static void open_part(const char *path)
{
    if (part_count == MAX_PARTS) die(path, "too many files");
    part *p = &parts[part_count++];

    md2_error error;
    p->model = md2_load_file(path, NULL, &error);
    if (!p->model) die(path, error.message);

    p->positions = (float (*)[3])malloc(p->model->vertex_count * sizeof *p->positions);
    p->normals = (float (*)[3])malloc(p->model->vertex_count * sizeof *p->normals);
    if (!p->positions || !p->normals) die(path, "out of memory");

    p->skin = load_skin(p->model, path);
}

/* Crossfades to the animation with this name. Does nothing if the model has no such animation. */
static void play(const char *name, md2_mode mode)
{
    const md2_anim *anim = md2_find_anim(parts[0].model, name);
    if (anim) md2_play(&player, anim, mode, 0.2f); /* seconds of crossfade */
}

/* Draws the strips and fans that an MD2 file has for glBegin. After the first triangle, each vertex
   adds a triangle. */
static void draw_strips(const part *p)
{
    for (uint32_t i = 0; i < p->model->strip_count; ++i) {
        const md2_strip        *strip = &p->model->strips[i];
        const md2_strip_vertex *vertices = &p->model->strip_vertices[strip->first];

        glBegin(strip->fan ? GL_TRIANGLE_FAN : GL_TRIANGLE_STRIP);
        for (uint32_t k = 0; k < strip->count; ++k) {
            const md2_strip_vertex *v = &vertices[k];
            glTexCoord2f(v->u, v->v);
            glNormal3fv(p->normals[v->vertex]);
            glVertex3fv(p->positions[v->vertex]);
        }
        glEnd();
    }
}

static void draw_arrays(const part *p)
{
    glTexCoordPointer(2, GL_FLOAT, sizeof(md2_vertex), &p->model->vertices->u);
    glNormalPointer(GL_FLOAT, 0, p->normals);
    glVertexPointer(3, GL_FLOAT, 0, p->positions);
    glDrawElements(GL_TRIANGLES, (GLsizei)p->model->index_count, GL_UNSIGNED_INT,
                   p->model->indices);
}

static float degrees(float radians)
{
    return radians * 57.29578f;
}

static void draw_character(void)
{
    const md2_frame *first = &parts[0].model->frames[0];
    float            scale = 1 / (first->max[2] - first->min[2]); /* height becomes 1 */

    glPushMatrix();
    glTranslatef(walk.x, walk.y, 0);
    glRotatef(degrees(walk.heading), 0, 0, 1);
    glScalef(scale, scale, scale);
    glTranslatef(0, 0, -first->min[2]);           /* puts the feet on the floor */

    for (const part *p = parts; p < parts + part_count; ++p) {
        glBindTexture(GL_TEXTURE_2D, p->skin);
        if (use_arrays || !p->model->strip_count) draw_arrays(p);
        else draw_strips(p);
    }

    glPopMatrix();
}

/* -- The walk ---------------------------------------------------------------------------------- */

/* Returns `value` moved toward `goal`, at a speed proportional to the distance left (exponential
   decay). A few long steps give the same result as many short steps. */
static float follow(float value, float goal, float rate, float seconds)
{
    return goal + (value - goal) * expf(-rate * seconds);
}

static void advance_walk(GLFWwindow *window, float seconds)
{
    float turn_rate = 0.15f;          /* radians per second: a wide circle if no key is held */
    if (glfwGetKey(window, GLFW_KEY_LEFT)) turn_rate = 2;
    if (glfwGetKey(window, GLFW_KEY_RIGHT)) turn_rate = -2;

    walk.heading += turn_rate * seconds;
    walk.x += 1.5f * cosf(walk.heading) * seconds;
    walk.y += 1.5f * sinf(walk.heading) * seconds;

    walk.eye_x = follow(walk.eye_x, walk.x, 6, seconds);
    walk.eye_y = follow(walk.eye_y, walk.y, 6, seconds);
    walk.eye_heading = follow(walk.eye_heading, walk.heading, 1, seconds);
}

/* Advances the animation and computes the vertices of all parts. They show the same frames, so one
   player is enough. */
static void advance_character(float seconds)
{
    uint32_t events = md2_advance(&player, seconds);
    if (events & MD2_FINISHED) play("run", MD2_LOOP); /* the jump is over */

    md2_pose pose = md2_player_pose(&player);
    for (const part *p = parts; p < parts + part_count; ++p) {
        md2_pose_vertices(p->model, &pose, p->positions[0], 0, p->normals[0], 0);
    }
}

static void set_camera(int width, int height)
{
    double aspect = (double)width / (double)(height > 0 ? height : 1); /* 0 when minimized */
    glViewport(0, 0, width, height);

    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glFrustum(-0.036 * aspect, 0.036 * aspect, -0.036, 0.036, 0.1, 60);

    /* OpenGL's camera looks along -Z with Y up, but the world has Z up, so the world is rotated by
       90 degrees. The camera looks 12 degrees down at the character's chest. */
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslatef(0, 0, -2.5f);
    glRotatef(12 - 90, 1, 0, 0);
    glRotatef(-130 - degrees(walk.eye_heading), 0, 0, 1);
    glTranslatef(-walk.eye_x, -walk.eye_y, -0.45f);
}

static void draw_sky(void)
{
    glBegin(GL_TRIANGLE_FAN);         /* a cone around the camera */
    glColor3f(0.36f, 0.53f, 0.72f);
    glVertex3f(walk.eye_x, walk.eye_y, 5);

    glColor3fv(fog);                  /* down to the horizon */
    for (float angle = 0; angle < 6.4f; angle += 0.2f) {
        glVertex3f(walk.eye_x + 40 * cosf(angle), walk.eye_y + 40 * sinf(angle), 0);
    }
    glEnd();
}

static void draw_floor(GLuint tiles)
{
    /* The center is at whole numbers, so the tiles stay in place while the camera moves. */
    float center_x = floorf(walk.eye_x);
    float center_y = floorf(walk.eye_y);

    glColor3f(1, 1, 1);
    glBindTexture(GL_TEXTURE_2D, tiles);
    for (int column = -FLOOR; column < FLOOR; ++column) {
        float left = center_x + (float)column;
        glBegin(GL_TRIANGLE_STRIP);
        for (int row = -FLOOR; row <= FLOOR; ++row) {
            float y = center_y + (float)row;
            glTexCoord2f(left, y);
            glVertex2f(left, y);
            glTexCoord2f(left + 1, y);
            glVertex2f(left + 1, y);
        }
        glEnd();
    }
}

/* Draws a soft shadow: the character, flattened along the light of each of LAMPS small lamps. The
   stencil test makes each lamp darken a pixel only once. */
static void draw_shadow(void)
{
    glColor4f(0.10f, 0.10f, 0.16f, 0.05f);
    for (int i = 0; i < LAMPS; ++i) {
        /* The lamps fill a disc evenly (Vogel's spiral): each is 2.4 radians, the golden angle,
           further around the center than the lamp before. */
        float radius = 0.09f * sqrtf((float)i / (float)LAMPS);
        float angle = 2.4f * (float)i;

        /* The shadow of a point at height z is at the point's (x, y) - z * (along_x, along_y). */
        float along_x = (sun[0] + radius * cosf(angle)) / sun[2];
        float along_y = (sun[1] + radius * sinf(angle)) / sun[2];
        float flat[16] = { 1, 0, 0, 0,  0, 1, 0, 0,  -along_x, -along_y, 0, 0,  0, 0, 0, 1 };

        glStencilFunc(GL_NOTEQUAL, i + 1, 255);
        glPushMatrix();
        glMultMatrixf(flat);
        draw_character();
        glPopMatrix();
    }
}

/* Draws the character with light. glLightfv multiplies the light's position by the modelview
   matrix, which is the camera's here, so the light stays fixed in the world. */
static void draw_lit_character(void)
{
    static const float warm[4] = { 0.80f, 0.74f, 0.64f, 1 }, cool[4] = { 0.62f, 0.68f, 0.88f, 1 };
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, cool);
    glMaterialfv(GL_FRONT, GL_AMBIENT_AND_DIFFUSE, warm);
    glLightfv(GL_LIGHT0, GL_POSITION, sun);
    draw_character();
}

static void draw_scene(GLuint tiles)
{
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glPushAttrib(GL_ENABLE_BIT);

    draw_sky();
    glEnable(GL_FOG);
    glEnable(GL_TEXTURE_2D);
    draw_floor(tiles);

    glEnable(GL_CULL_FACE);
    glPushAttrib(GL_ENABLE_BIT);
    glDisable(GL_TEXTURE_2D);
    glEnable(GL_BLEND);
    glEnable(GL_STENCIL_TEST);
    draw_shadow();
    glPopAttrib();

    glEnable(GL_DEPTH_TEST);
    glEnable(GL_LIGHTING);
    draw_lit_character();

    glPopAttrib();
}

/* -- The window -------------------------------------------------------------------------------- */

static void show_title(GLFWwindow *window)
{
    glfwSetWindowTitle(window, use_arrays ? "vertex arrays - " KEYS : "strips - " KEYS);
}

static void on_key(GLFWwindow *window, int key, int scancode, int action, int mods)
{
    (void)scancode, (void)mods;
    if (action != GLFW_PRESS) return;

    if (key == GLFW_KEY_ESCAPE) glfwSetWindowShouldClose(window, GLFW_TRUE);
    if (key == GLFW_KEY_SPACE) play("jump", MD2_ONCE);
    if (key == GLFW_KEY_D) use_arrays = !use_arrays;

    show_title(window);
}

static GLFWwindow *open_window(void)
{
    if (!glfwInit()) die("GLFW", "cannot be initialized");
    glfwWindowHint(GLFW_SAMPLES, 4);
    GLFWwindow *window = glfwCreateWindow(1280, 720, "md2.h", NULL, NULL);
    if (!window) die("GLFW", "cannot open a window with OpenGL");

    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    glfwSetKeyCallback(window, on_key);
    return window;
}

/* Sets the OpenGL state that never changes. */
static void set_up_drawing(void)
{
    glClearColor(fog[0], fog[1], fog[2], 1);
    glFogi(GL_FOG_MODE, GL_EXP2);
    glFogf(GL_FOG_DENSITY, 0.09f);
    glFogfv(GL_FOG_COLOR, fog);

    glEnable(GL_LIGHT0);
    glEnable(GL_NORMALIZE);           /* because draw_character scales */
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);

    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_NORMAL_ARRAY);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
}

int main(int argc, char **argv)
{
    GLFWwindow *window = open_window();
    GLuint      tiles = create_tiles();
    set_up_drawing();

    for (int i = 1; i < argc; ++i) open_part(argv[i]);
    if (argc < 2) {                   /* `make knight` generates these files */
        open_part("build/character/tris.md2");
        open_part("build/character/weapon.md2");
    }
    play("run", MD2_LOOP);
    show_title(window);
    puts(KEYS);
    fflush(stdout);

    while (!glfwWindowShouldClose(window)) {
        float seconds = (float)glfwGetTime(); /* time since the last frame */
        glfwSetTime(0);
        advance_walk(window, seconds);
        advance_character(seconds);

        int width, height;
        glfwGetFramebufferSize(window, &width, &height);
        set_camera(width, height);
        draw_scene(tiles);
        glfwSwapBuffers(window);
        glfwPollEvents();
    }

    for (part *p = parts; p < parts + part_count; ++p) {
        md2_free_model(p->model);
        free(p->positions);
        free(p->normals);
    }
    glfwTerminate();
    return EXIT_SUCCESS;
}
