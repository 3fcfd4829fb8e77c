/* A Doom 3 model in SDL 2, on OpenGL 3.3. The knight runs while Up is held, turns with Left and Right, and strikes with
   Space: only with the upper body, while the legs go on. The head always turns to the camera. The sword is attached to
   a joint; the shadow is the same meshes, flat and black. In the folder of md5.h, on Debian after
   `apt install libsdl2-dev libgl-dev libstb-dev`:

       make knight
       cc -O2 -I. -Itests/recipes -I/usr/include/stb tests/recipes/engines/sdl.c $(sdl2-config --cflags --libs) -lGL -lm
       ./a.out

   Public domain. */
#include <SDL.h>
#include <SDL_opengl.h>
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"
#define MD5_GL
#define MD5_STB_IMAGE
#define MD5_IMPLEMENTATION
#include "md5.h"
#include "matrices.h"

enum { WIDTH = 800, HEIGHT = 600, MAX_MESHES = 8, MAX_JOINTS = 128 };

static const float eye[3] = { 110, 30, 25 }, middle[3] = { 0, 0, 5 }, up[3] = { 0, 0, 1 };
static const float light[3] = { 0.3f, 0.6f, 0.8f }, ground = -24;   /* Z of the soles; the origin is in the hips */

typedef struct body {                   /* a model on the GPU */
    md5_model  *model;
    md5_gl_mesh mesh[MAX_MESHES];
    uint32_t    skin[MAX_MESHES];
} body;

typedef struct character {
    body       knight, sword;
    md5_anim  *stand, *run, *attack;
    md5_player legs, arms;
    float      upper_body[MAX_JOINTS]; /* a mask: each joint's weight, 0 to 1 */
    md5_xform  pose[MAX_JOINTS];
    float      palette[12 * MAX_JOINTS]; /* joint matrices for the shader */
    float      transform[16], heading;  /* transform to the world; heading in radians */
} character;

static void quit(const char *why)
{
    SDL_LogError(SDL_LOG_CATEGORY_APPLICATION, "%s", why);
    exit(EXIT_FAILURE);
}

static SDL_Window *open_window(void)
{
    if (SDL_Init(SDL_INIT_VIDEO) != 0) quit(SDL_GetError());
    atexit(SDL_Quit);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
    const int   any = SDL_WINDOWPOS_UNDEFINED;
    SDL_Window *window = SDL_CreateWindow("knight", any, any, WIDTH, HEIGHT, SDL_WINDOW_OPENGL);
    if (!window || !SDL_GL_CreateContext(window)) quit(SDL_GetError());
    SDL_GL_SetSwapInterval(1);
    return window;
}

static void load_body(md5_gl *gl, const char *path, body *b)
{
    md5_error error;
    b->model = md5_load_model_file(path, NULL, &error);
    if (!b->model) quit(error.message);
    if (b->model->mesh_count > MAX_MESHES) quit("more meshes than there is room for");
    for (uint32_t i = 0; i < b->model->mesh_count; ++i) {
        if (!md5_gl_upload(gl, b->model, i, &b->mesh[i], &error)) quit(error.message);
        b->skin[i] = md5_gl_load_texture(gl, b->model, path, i, &error);
        if (!b->skin[i]) SDL_Log("%s", error.message);      /* then this mesh is drawn white */
    }
}

static md5_anim *load_anim(const char *path, const md5_model *model)
{
    md5_error error;
    md5_anim *anim = md5_load_anim_file(path, NULL, &error);
    if (!anim || md5_check_anim(model, anim, &error) != MD5_OK) quit(error.message);
    return anim;
}

static void load_knight(md5_gl *gl, character *h)
{
    load_body(gl, "knight/knight.md5mesh", &h->knight);
    load_body(gl, "knight/weapon.md5mesh", &h->sword);
    const md5_model *model = h->knight.model;
    if (model->joint_count > MAX_JOINTS) quit("more joints than there is room for");

    h->stand = load_anim("knight/stand.md5anim", model);
    h->run = load_anim("knight/run.md5anim", model);
    h->attack = load_anim("knight/attack.md5anim", model);
    md5_mask_branch(model, md5_find_joint(model, "spine"), 1, h->upper_body);
}

static void free_body(md5_gl *gl, body *b)
{
    for (uint32_t i = 0; i < b->model->mesh_count; ++i) md5_gl_free_mesh(gl, &b->mesh[i]);
    glDeleteTextures((GLsizei)b->model->mesh_count, b->skin);
    md5_free_model(b->model);
}

static void free_knight(md5_gl *gl, character *h)
{
    free_body(gl, &h->knight);
    free_body(gl, &h->sword);
    md5_free_anim(h->stand);
    md5_free_anim(h->run);
    md5_free_anim(h->attack);
}

static void advance_knight(character *h, float dt)
{
    const md5_model *model = h->knight.model;
    const Uint8     *held = SDL_GetKeyboardState(NULL);
    const md5_anim  *gait = held[SDL_SCANCODE_UP] ? h->run : h->stand;
    if (!md5_playing(&h->legs, gait)) md5_play(&h->legs, gait, MD5_LOOP, 0.25f);
    md5_advance(&h->legs, dt);
    md5_advance(&h->arms, dt);
    h->heading += 2.5f * dt * (float)(held[SDL_SCANCODE_LEFT] - held[SDL_SCANCODE_RIGHT]);
    place_at(0, 0, 0, h->heading, h->transform);

    /* The camera's position relative to the knight: X is forward. */
    float       c = cosf(h->heading), s = sinf(h->heading);
    const float target[3] = { c * eye[0] + s * eye[1], c * eye[1] - s * eye[0], eye[2] };
    md5_xform   scratch[MAX_JOINTS];
    md5_player_pose(model, &h->legs, h->pose, scratch);
    md5_player_pose_over(model, &h->arms, 1, h->upper_body, h->pose, scratch);
    md5_pose_aim(model, h->pose, md5_find_joint(model, "head"), NULL, target, 1.2f, 1);
    md5_pose_to_model_space(model, h->pose, h->pose);
    md5_pose_palette(model, h->pose, h->palette);
}

/* Draws a body, and again flat on the ground as its shadow. */
static void draw_body(md5_gl *gl, const md5_gl_scene *scene, const body *b, const md5_gl_instance *instance)
{
    md5_gl_instance shadow = *instance;
    shadow_matrix(light, ground + 0.1f, shadow.transform);
    multiply(shadow.transform, instance->transform, shadow.transform);
    shadow.tint[3] = 1;                                     /* black; a tint of all zeros would mean white */
    md5_gl_draw_meshes(gl, b->mesh, NULL, b->model->mesh_count, scene, &shadow, 1);
    md5_gl_draw_meshes(gl, b->mesh, b->skin, b->model->mesh_count, scene, instance, 1);
}

static void draw_knight(md5_gl *gl, const md5_gl_scene *scene, const character *h)
{
    int             hand = md5_find_joint(h->knight.model, "weapon");
    md5_gl_instance knight = { .palette = h->palette }, sword = { .palette = NULL };
    memcpy(knight.transform, h->transform, sizeof h->transform);
    if (hand >= 0) md5_pose_matrix(&h->pose[hand], sword.transform);
    multiply(h->transform, sword.transform, sword.transform);
    draw_body(gl, scene, &h->knight, &knight);
    draw_body(gl, scene, &h->sword, &sword);
}

/* Handles events. Returns true if the window must be closed. */
static bool handle_events(character *h)
{
    SDL_Event event;
    while (SDL_PollEvent(&event)) {
        if (event.type == SDL_QUIT) return true;
        if (event.type != SDL_KEYDOWN || event.key.repeat) continue;
        if (event.key.keysym.sym == SDLK_ESCAPE) return true;
        if (event.key.keysym.sym == SDLK_SPACE) md5_play_once(&h->arms, h->attack, 0.1f, 0.2f);
    }
    return false;
}

int main(int argc, char **argv)         /* SDL requires both parameters: on Windows it renames this main */
{
    (void)argc, (void)argv;
    static character    h;              /* static, so both structs are zeroed */
    static md5_gl_scene scene;
    SDL_Window         *window = open_window();
    md5_error           error;
    md5_gl             *gl = md5_gl_create((md5_gl_get_proc)SDL_GL_GetProcAddress, NULL, &error);
    if (!gl) quit(error.message);
    load_knight(gl, &h);

    float view[16], projection[16];
    look_at(eye, middle, up, view);
    perspective(0.8f, (float)WIDTH / HEIGHT, 1, 1000, projection);
    multiply(projection, view, scene.view_projection);
    memcpy(scene.light_direction, light, sizeof light);
    glClearColor(0.6f, 0.7f, 0.8f, 1);
    glEnable(GL_DEPTH_TEST); glEnable(GL_CULL_FACE);

    Uint32 before = SDL_GetTicks();     /* milliseconds */
    while (!handle_events(&h)) {
        Uint32 now = SDL_GetTicks();
        advance_knight(&h, 0.001f * (float)(now - before));
        before = now;
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        draw_knight(gl, &scene, &h);
        SDL_GL_SwapWindow(window);
    }
    free_knight(gl, &h);
    md5_gl_destroy(gl);
    return EXIT_SUCCESS;
}
