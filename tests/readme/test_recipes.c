/* test_recipes CHARACTER FOLDER: every block of C in the README is here, as it stands there, and does
   what the page says. recipes.sh takes the blocks out; readme.sh runs the programs among them. CHARACTER
   has the character's files, FOLDER gets the shader of the page. Public domain. */
#define STB_IMAGE_IMPLEMENTATION
#include "recipes/stb_image.h"
#define MD2_GL
#define MD2_STB_IMAGE
#include "md2.h"
#define MD5_GL
#define MD5_STB_IMAGE
#define MD5_IMPLEMENTATION
#include "md5.h"

#include "check.h"
#include "fake_gl.h"
#include "model_builder_md2.h"
#include "support.h"

enum { MOST_LINES = 15, CHARACTERS = 1000, MESHES = 4, JOINTS = 64, VERTICES = 2048 };

/* -- The recipes, and whether they were run ---------------------------------------------------- */

#define RECIPE(name, lines) { #name, lines, false },
static struct recipe { const char *name; int lines; bool run; } recipes[] = {
#include "all.inc"
};
#undef RECIPE

static void begin(const char *name)
{
    check_section(name);
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; ++i) {
        if (strcmp(recipes[i].name, name) == 0) {
            CHECK(!recipes[i].run);
            recipes[i].run = true;
            return;
        }
    }
    printf("no block of the page is called %s\n", name);
    CHECK(false);
}

static void test_all_run(void)
{
    size_t count = sizeof recipes / sizeof *recipes;
    for (size_t i = 0; i < count; ++i) {
        bool is_program = strcmp(recipes[i].name, "first") == 0 || strcmp(recipes[i].name, "window") == 0;
        check_section(recipes[i].name);
        CHECK(recipes[i].run != is_program);
        CHECK(is_program || recipes[i].lines <= MOST_LINES);
    }
    check_section("");
    CHECK_FLOOR(count, 14, "recipes");
}

/* -- What the page's "functions without a prefix" are here ------------------------------------- */

static const char  *folder, *out_folder;
static md2_model   *knight;
static md5_model   *robot;
static md5_anim    *run, *wave, *walk;
static const float  dt = 1 / 60.0f;
static int          frames_left, frames_run, swings, swing_frame;
static float        drawn[16], place[16];
static md5_error    error5;

/* CHARACTER/name for "knight/name", "robot/name" and plain names. */
static const char *path_of(const char *name)
{
    static char path[4][512];
    static int  next;
    const char *slash = strrchr(name, '/');
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%.400s/%.100s", folder, slash ? slash + 1 : name);
    return path[next];
}

#define md2_load_file(path, options, error)       md2_load_file(path_of(path), options, error)
#define md5_load_model_file(path, options, error) md5_load_model_file(path_of(path), options, error)
#define md5_load_anim_file(path, options, error)  md5_load_anim_file(path_of(path), options, error)
#define md5_gl_load_texture(gl, model, path, mesh, error) \
  md5_gl_load_texture(gl, model, path_of(path), mesh, error)

static bool running(void)
{
    ++frames_run;
    return frames_left-- > 0;
}

static void run_for(int frames)
{
    frames_left = frames;
    frames_run = 0;
}

static bool went_down(const char *key) { return strcmp(key, "attack") == 0 && frames_run == 30; }

static bool held(const char *key) { return strcmp(key, "slow") == 0 && frames_run > 150; }

static void quit(const char *why)
{
    printf("%s\n", why);
    exit(EXIT_FAILURE);
}

static void sound(const char *name)
{
    if (strcmp(name, "swing") != 0) return;
    ++swings;
    swing_frame = frames_run;
}

static void draw_sword(const float matrix[16]) { memcpy(drawn, matrix, sizeof drawn); }

/* a times b. */
static const float *multiply(const float a[16], const float b[16])
{
    static float product[16];
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 4; ++row) {
            float sum = 0;
            for (int k = 0; k < 4; ++k) sum += a[4 * k + row] * b[4 * column + k];
            product[4 * column + row] = sum;
        }
    }
    return product;
}

/* A quarter turn to the left, and there. */
static void put_place(float x, float y, float z)
{
    const float turned[16] = { 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, x, y, z, 1 };
    memcpy(place, turned, sizeof place);
}

/* Whether what hangs on this point of the model was drawn there, in the world. */
static void check_drawn_at(const float point[3])
{
    CHECK_NEAR(drawn[12], place[12] - point[1], 1e-3);
    CHECK_NEAR(drawn[13], place[13] + point[0], 1e-3);
    CHECK_NEAR(drawn[14], place[14] + point[2], 1e-3);
    CHECK_EQ(drawn[15], 1);
}

static double apart(const float *a, const float *b)
{
    double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1], z = (double)a[2] - (double)b[2];
    return sqrt(x * x + y * y + z * z);
}

/* What all of MD2 here is linked with. */
static void test_pair(void)
{
    begin("pair");
    CHECK_TEXT(md2_result_name(MD2_ERROR_GL), "MD2_ERROR_GL");
    CHECK_TEXT(md5_result_name(MD5_ERROR_GL), "MD5_ERROR_GL");
    CHECK_EQ(MD2_VERSION, MD5_VERSION);
}

/* -- Playing ----------------------------------------------------------------------------------- */

static void test_names(void)
{
    static md2_player player;
    begin("names");
    {
#include "names.inc"
        CHECK(chosen && chosen->first == 40 && chosen->count == 6);
        CHECK_TEXT(player.track[0].anim.name, "run");
        md2_play(&player, &limp, MD2_LOOP, 0);
        md2_advance(&player, 0.25f);
        CHECK_EQ(md2_player_pose(&player).frame[0], 41);
    }
}

static void test_fade(void)
{
    static md2_player player;
    begin("fade");
    md2_play(&player, md2_find_anim(knight, "run"), MD2_LOOP, 0);
    swings = 0;
    run_for(240);
#include "fade.inc"
    CHECK_EQ(frames_run, 241);
    CHECK_EQ(swings, 1);
    CHECK_NEAR(swing_frame, 30 + 0.3 * 60, 1); /* the fourth frame of its attack */
    CHECK_EQ(player.track_count, 1);
    CHECK_TEXT(player.track[0].anim.name, "stand");
    CHECK_EQ(player.speed, 0.5);
    CHECK(player.track[0].time > 1 && player.track[0].time < 2.8);
}

/* -- MD5 --------------------------------------------------------------------------------------- */

static void test_md5(void)
{
    static md5_player player;
    static float      positions[1][3 * VERTICES], normals[1][3 * VERTICES], at[3 * VERTICES];
    md5_error error;
    md5_xform pose[JOINTS], scratch[JOINTS], wanted[JOINTS];
    begin("md5");
    CHECK_EQ(robot->mesh_count, 1);
    run_for(20);
#define robot robot_of_page
#define run   run_of_page
    {
#include "md5.inc"
        CHECK(player.previous_time < player.track[0].time && player.track[0].time > 0.33);
        md5_pose_at(run, MD5_LOOP, player.track[0].time, wanted);
        md5_pose_to_model_space(robot, wanted, wanted);
        md5_pose_vertices(robot, 0, wanted, at, 0, NULL, 0, NULL, 0);
        CHECK(memcmp(at, positions[0], sizeof at) == 0);
        md5_free_anim(run);
        md5_free_model(robot);
    }
#undef robot
#undef run
    CHECK_NEAR(normals[0][0] * normals[0][0] + normals[0][1] * normals[0][1] + normals[0][2] * normals[0][2], 1,
               1e-4);
}

static void test_joint(void)
{
    static md5_player player;
    md5_xform pose[JOINTS], scratch[JOINTS], wanted[JOINTS];
    float     matrix[16];
    begin("joint");
    md5_play(&player, run, MD5_LOOP, 0);
    md5_seek(&player, 0.2);
    memset(drawn, 0, sizeof drawn);
    put_place(100, 200, 300);
    {
#include "joint.inc"
    }
    md5_pose_at(run, MD5_LOOP, 0.2, wanted);
    md5_pose_to_model_space(robot, wanted, wanted);
    check_drawn_at(wanted[md5_find_joint(robot, "weapon")].position);
    md5_pose_matrix(&wanted[md5_find_joint(robot, "weapon")], matrix);
    CHECK(memcmp(drawn, multiply(place, matrix), sizeof drawn) == 0);
}

static bool below(uint32_t joint, int ancestor)
{
    int at = (int)joint;
    while (at >= 0 && at != ancestor) at = robot->joints[at].parent;
    return at >= 0;
}

static void test_mask(void)
{
    static md5_player legs, arms;
    md5_xform pose[JOINTS], scratch[JOINTS], wanted[JOINTS], other[JOINTS];
    float     mask[JOINTS];
    double    now = 0.35;
    int       spine = md5_find_joint(robot, "spine"), hand = md5_find_joint(robot, "hand_l");
    uint32_t  waving = 0;
    md5_play(&legs, run, MD5_LOOP, 0);
    md5_play(&arms, wave, MD5_LOOP, 0);
    md5_seek(&legs, now);
    md5_seek(&arms, now);
    begin("mask");
    {
#include "mask.inc"
    }
    md5_pose_at(run, MD5_LOOP, now, wanted);
    md5_pose_at(wave, MD5_LOOP, now, other);
    for (uint32_t i = 0; i < robot->joint_count; ++i) {
        if (!below(i, spine)) continue;
        wanted[i] = other[i];
        ++waving;
    }
    md5_pose_to_model_space(robot, wanted, wanted);
    for (uint32_t i = 0; i < robot->joint_count; ++i) CHECK(apart(pose[i].position, wanted[i].position) < 1e-3);
    CHECK(waving > 20 && waving < robot->joint_count - 8);
    md5_pose_at(run, MD5_LOOP, now, wanted);
    md5_pose_to_model_space(robot, wanted, wanted);
    CHECK(apart(pose[hand].position, wanted[hand].position) > 3);
}

/* Two and a half rounds, by one who looks to the left. */
static void test_travel(void)
{
    md5_xform pose[JOINTS];
    double    now = 0, length = md5_anim_length(walk, MD5_LOOP), step_length = length / 30;
    begin("travel");
    put_place(7, 8, 9);
    for (int frame = 0; frame < 75; ++frame) {
        const double dt_double = step_length;
        now += dt_double;
        {
#define dt dt_double
#include "travel.inc"
#undef dt
        }
        CHECK_NEAR(pose[0].position[0], 0, 1e-4);
        CHECK_NEAR(pose[0].position[1], 0, 1e-4);
    }
    CHECK_NEAR(walk->travel[0], 40, 1e-4);
    CHECK_NEAR(walk->travel[1], 4, 1e-4);
    CHECK_NEAR(place[12], 7 - 10, 1e-3);
    CHECK_NEAR(place[13], 108, 1e-3);
    CHECK_NEAR(place[14], 9, 1e-4);
}

/* -- MD2: what hangs on it --------------------------------------------------------------------- */

static void test_hanging(void)
{
    static md2_player player;
    static float      at[3 * VERTICES];
    float    matrix[16], centre[3];
    uint32_t palm = knight->index_count / 6;
    md2_play(&player, md2_find_anim(knight, "attack"), MD2_LOOP, 0);
    md2_seek(&player, 0.33);
    begin("triangle");
    memset(drawn, 0, sizeof drawn);
    put_place(100, 200, 300);
    {
#include "triangle.inc"
    }
    md2_pose shown = md2_player_pose(&player);
    md2_pose_vertices(knight, &shown, at, 0, NULL, 0);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        const uint32_t *corner = knight->indices + palm * 3;
        centre[axis] = (at[corner[0] * 3 + axis] + at[corner[1] * 3 + axis] + at[corner[2] * 3 + axis]) / 3;
    }
    check_drawn_at(centre);
}

/* -- OpenGL ------------------------------------------------------------------------------------ */

#define glfwGetProcAddress   fake_gl_get_proc
#define glUseProgram         fake_glUseProgram
#define glGetUniformLocation fake_glGetUniformLocation
#define glUniform1f          fake_glUniform1f

static float look_distance, look_height;

static void set_camera(float m[16], float away, float height, float aspect)
{
    memset(m, 0, 16 * sizeof(float));
    m[15] = aspect;
    look_distance = away;
    look_height = height;
}

/* The whole field is in sight, and before the camera. */
static void check_crowd_in_sight(const md2_gl_instance *instances, double aspect)
{
    double d = (double)look_distance, h = (double)look_height, away = sqrt(d * d + h * h);
    int    seen = 0;
    for (int i = 0; i < CHARACTERS; ++i) {
        double x = (double)instances[i].transform[12], y = (double)instances[i].transform[13];
        double depth = away - x * d / away, lens = 1.8;
        seen += depth > 1 && fabs(lens * y / aspect / depth) < 1 && fabs(lens * x * h / away / depth) < 1;
    }
    CHECK_EQ(seen, CHARACTERS);
}

static void test_crowd(void)
{
    const float            aspect = 4.0f / 3;
    static md2_player      players[CHARACTERS];
    static md2_gl_instance instances[CHARACTERS];
    static md2_gl_scene    scene;
    static md2_gl_mesh     mesh;
    begin("crowd");
    fake_gl_reset();
    md2_gl *gl = md2_gl_create(fake_gl_get_proc, NULL, NULL);
    CHECK(md2_gl_upload(gl, knight, &mesh, NULL));
    uint32_t skin = md2_gl_load_skin(gl, knight, path_of("tris.md2"), 0, NULL);
    CHECK(skin != 0);
    {
#include "crowd.inc"
    }
    CHECK_EQ(fake.draws, 1);
    CHECK_EQ(fake.last.instances, 1000);
    CHECK_EQ(fake.last.count, knight->index_count);
    CHECK_EQ(fake.last.texture[1], skin);
    CHECK(players[999].track[0].time > 0.01);
    CHECK_TEXT(players[21].track[0].anim.name, knight->anims[1].name);
    check_crowd_in_sight(instances, (double)aspect);
    CHECK_TEXT(fake.first_mistake, "");
    md2_gl_free_mesh(gl, &mesh);
    md2_gl_destroy(gl);
}

static void test_palette(void)
{
    static md5_gl_mesh     mesh[MESHES];
    static md5_gl_scene    scene;
    static md5_gl_instance instance;
    uint32_t               skin[MESHES];
    md5_error              error;
    md5_xform              pose[JOINTS];
    float                  palette[12 * JOINTS];
    begin("palette");
    fake_gl_reset();
    CHECK(robot->mesh_count <= MESHES);
    md5_pose_at(run, MD5_LOOP, 0.2, pose);
    md5_pose_to_model_space(robot, pose, pose);
    {
#include "palette.inc"
        CHECK(skin[0] != 0);
        CHECK(fake.last.texture[0] == skin[0] || fake.last.texture[1] == skin[0] || fake.last.texture[2] == skin[0]);
        md5_gl_free_mesh(gl, &mesh[0]);
        md5_gl_destroy(gl);
    }
    CHECK_EQ(fake.draws, robot->mesh_count);
    CHECK(instance.palette == palette);
    CHECK_EQ(fake.last.count, robot->meshes[robot->mesh_count - 1].index_count);
    CHECK_TEXT(fake.first_mistake, "");
}

static void test_shader(void)
{
    char path[512];
    md2_error error;
    begin("shader");
    fake_gl_reset();
    {
#include "shader.inc"
        if (CHECK(gl != NULL)) {
            int glow = 0;
            for (int both = 0; both < 2; ++both) {
                const fake_object *program = &fake.object[md2_gl_program(gl, (uint32_t)both)];
                for (int i = 0; i < program->uniform_count; ++i) {
                    if (strcmp(program->uniform[i].name, "glow") == 0) glow += program->uniform[i].value[0] > 0;
                }
            }
            CHECK_EQ(glow, 2);
        }
        snprintf(path, sizeof path, "%.400s/shader.frag", out_folder);
        CHECK(write_file(path, options.fragment_source, strlen(options.fragment_source)));
        md2_gl_destroy(gl);
    }
    CHECK_TEXT(fake.first_mistake, "");
}

/* -- Data -------------------------------------------------------------------------------------- */

static float submitted[8 * VERTICES];

static void submit(const void *vertices, uint32_t count, const uint32_t *indices, uint32_t index_count)
{
    uint32_t beyond = 0;
    for (uint32_t i = 0; i < index_count; ++i) beyond += indices[i] >= count;
    CHECK_EQ(beyond, 0);
    memcpy(submitted, vertices, (size_t)count * 8 * sizeof(float));
}

static void test_arrays(void)
{
    static md2_player player;
    static float      positions[3 * VERTICES], normals[3 * VERTICES];
    begin("arrays");
    md2_play(&player, md2_find_anim(knight, "flip"), MD2_LOOP, 0);
    md2_seek(&player, 0.55);
    {
#include "arrays.inc"
    }
    md2_pose shown = md2_player_pose(&player);
    md2_pose_vertices(knight, &shown, positions, 0, normals, 0);
    for (size_t k = 0; k < knight->vertex_count; ++k) {
        const float *s = submitted + k * 8;
        CHECK(memcmp(s, positions + k * 3, 12) == 0 && memcmp(s + 3, normals + k * 3, 12) == 0);
        CHECK(memcmp(s + 6, &knight->vertices[k].u, 4) == 0 && memcmp(s + 7, &knight->vertices[k].v, 4) == 0);
    }
}

/* -- All of it --------------------------------------------------------------------------------- */

/* The root walks 40 units on and 4 to the left in 0.4 seconds; the rest is the bind pose. */
static md5_anim *make_walk(void)
{
    static const char text[] =
        "MD5Version 10 numFrames 2 numJoints 1 frameRate 2.5 numAnimatedComponents 2\n"
        "hierarchy { \"root\" -1 3 0\n} bounds { ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) }\n"
        "baseframe { ( 0 0 0 ) ( 0 0 0 ) } frame 0 { 0 0 } frame 1 { 40 4 }\n";
    md5_anim *steps = md5_load_anim_memory(text, sizeof text - 1, "walk", NULL, &error5), *fitted;
    uint32_t  missing = 0;
    if (!steps) printf("walk: line %u: %s\n", (unsigned)error5.line, error5.message);
    fitted = md5_retarget_anim(robot, steps, &missing, NULL, &error5);
    CHECK_EQ(missing, robot->joint_count - 1);
    md5_free_anim(steps);
    return fitted;
}

static bool load_all(void)
{
    knight = md2_load_file("tris.md2", NULL, NULL);
    robot = md5_load_model_file("robot.md5mesh", NULL, NULL);
    run = md5_load_anim_file("run.md5anim", NULL, NULL);
    wave = md5_load_anim_file("wave.md5anim", NULL, NULL);
    walk = robot ? make_walk() : NULL;
    return knight && robot && run && wave && walk && knight->vertex_count <= VERTICES &&
           robot->meshes[0].vertex_count <= VERTICES && robot->joint_count <= JOINTS;
}

int main(int argc, char **argv)
{
    static void (*const tests[])(void) = {
        test_pair, test_names, test_fade, test_md5, test_joint, test_mask, test_travel,
        test_hanging, test_crowd, test_palette, test_shader, test_arrays, test_all_run
    };
    if (argc != 3) return EXIT_FAILURE;
    folder = argv[1];
    out_folder = argv[2];
    if (CHECK(load_all())) {
        for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i) tests[i]();
    }
    md2_free_model(knight);
    md5_free_model(robot);
    md5_free_anim(run);
    md5_free_anim(wave);
    md5_free_anim(walk);
    fake_gl_reset();
    return check_finish();
}
