/* test_recipes: runs every C block of the README and the cookbook, unchanged, and checks that it does what the page
   says. recipes.sh extracts the blocks; readme.sh compiles and runs the blocks that are programs. --character=
   names the folder of the character (default: build/character), --folder= the folder for the page's shader
   (default: build/recipes). Public domain. */
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
#include "tests/recipes/matrices.h"

enum { MAX_LINES = 15, CHARACTERS = 1000, MESHES = 4, JOINTS = 64, VERTICES = 2048 };

/* -- The blocks, and which of them have run ------------------------------------------------------ */

#define RECIPE(name, lines) { #name, lines, false },
static struct recipe { const char *name; int lines; bool run; } recipes[] = {
#include "all.inc"
};
#undef RECIPE

static void begin(const char *name)
{
    size_t i = 0, count = sizeof recipes / sizeof *recipes;
    check_scene("the block ```c %s", name);
    while (i < count && strcmp(recipes[i].name, name) != 0) ++i;
    CHECK(i < count);
    CHECK(!recipes[i].run);
    recipes[i].run = true;
}

static void test_all_run(void)
{
    static const char *const programs[] = { "first", "second", "window" };
    size_t count = sizeof recipes / sizeof *recipes;
    for (size_t i = 0; i < count; ++i) {
        bool is_program = false;
        for (int k = 0; k < 3; ++k) is_program = is_program || strcmp(recipes[i].name, programs[k]) == 0;
        check_scene("the block ```c %s", recipes[i].name);
        check_step("every block that is not a program must have a test in this file");
        CHECK_EQ(recipes[i].run, !is_program);
        if (!is_program) CHECK(recipes[i].lines <= MAX_LINES);
    }
    CHECK_FLOOR(count, 12, "recipes");
}

/* -- The "functions without a prefix" of the pages ----------------------------------------------- */

static const char  *character, *out_folder;
static md2_model   *knight_md2;
static md5_model   *knight_md5;
static md5_anim    *run, *swing, *walk, *turn;
static int          frames_left, frames_run, swings, swing_frame, footsteps;
static float        world[16];

/* Returns CHARACTER/name, for "knight/name" and for names without a folder. */
static const char *path_of(const char *name)
{
    static char path[4][512];
    static int  next;
    const char *slash = strrchr(name, '/');
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%.400s/%.100s", character, slash ? slash + 1 : name);
    return path[next];
}

#define md2_load_file(path, options, error)       md2_load_file(path_of(path), options, error)
#define md5_load_model_file(path, options, error) md5_load_model_file(path_of(path), options, error)
#define md5_load_anim_file(path, options, error)  md5_load_anim_file(path_of(path), options, error)
#define md2_gl_load_skin(gl, model, path, skin, error) \
  md2_gl_load_skin(gl, model, path_of(path), skin, error)
#define md5_gl_load_texture(gl, model, path, mesh, error) \
  md5_gl_load_texture(gl, model, path_of(path), mesh, error)

static const float dt = 1 / 60.0f;

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

static bool held(const char *key)
{
    if (strcmp(key, "run") == 0) return frames_run > 30;
    if (strcmp(key, "go") == 0) return frames_run > 150;
    if (strcmp(key, "sneak") == 0) return frames_run > 97;
    return strcmp(key, "slow") == 0 && frames_run > 150;
}

/* Copied from the camera of the window program. */
static float look_distance, look_height;

static void set_camera(float m[16], float away, float height, float aspect)
{
    memset(m, 0, 16 * sizeof(float));
    m[15] = aspect;
    look_distance = away;
    look_height = height;
}

static void quit(const char *why)
{
    check_step("the block quits");
    CHECK_TEXT(why, "");
    exit(EXIT_FAILURE);
}

static void sound(const char *name)
{
    if (strcmp(name, "footstep") == 0) {
        double into = fmod(frames_run * (double)dt, 0.3); /* a foot comes down in every third frame of the run */
        CHECK(into < 0.02);
        ++footsteps;
    } else {
        ++swings;
        swing_frame = frames_run;
    }
}

/* Sets the character's transform: a quarter turn to the left, at a position. */
static void set_world(float x, float y, float z)
{
    const float turned[16] = { 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, x, y, z, 1 };
    memcpy(world, turned, sizeof world);
}

static double apart(const float *a, const float *b)
{
    double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1], z = (double)a[2] - (double)b[2];
    return sqrt(x * x + y * y + z * z);
}

/* The block "pair" is the implementation of md2.h in this program. */
static void test_pair(void)
{
    begin("pair");
    CHECK_TEXT(md2_result_name(MD2_ERROR_GL), "MD2_ERROR_GL");
    CHECK_TEXT(md5_result_name(MD5_ERROR_GL), "MD5_ERROR_GL");
    CHECK_EQ(MD2_LIBRARY_VERSION, MD5_LIBRARY_VERSION);
    CHECK_EQ(md2_library_version(), MD2_LIBRARY_VERSION);
    CHECK_EQ(md5_library_version(), MD5_LIBRARY_VERSION);
}

/* -- Playing ----------------------------------------------------------------------------------- */

static void test_names(void)
{
    static md2_player player;
    begin("names");
    {
#include "names.inc"
        CHECK(chosen != NULL);
        CHECK_EQ(chosen->first, 40);
        CHECK_EQ(chosen->count, 6);
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
    md2_play(&player, md2_find_anim(knight_md2, "run"), MD2_LOOP, 0);
    swings = 0;
    run_for(240);
#define run run_of_page
#include "fade.inc"
#undef run
    CHECK_EQ(frames_run, 241);
    CHECK_EQ(swings, 1);
    CHECK_NEAR(swing_frame, 30 + 0.3 * 60, 1); /* the fourth frame of its attack */
    CHECK_EQ(player.track_count, 1);
    CHECK_TEXT(player.track[0].anim.name, "run");
    CHECK_EQ(player.speed, 0.5);
    CHECK_NEAR(player.track[0].time, 0.75, 0.05); /* the run began 1.5 s ago, at half the speed */
}

/* Both gaits take 0.6 s, so a foot comes down every 0.3 s, whenever the knight starts to sneak. */
static void test_gaits(void)
{
    static md2_player player;
    begin("gaits");
    footsteps = 0;
    md2_play(&player, md2_find_anim(knight_md2, "run"), MD2_LOOP, 0);
    for (frames_run = 1; frames_run <= 240; ++frames_run) {
        check_step("frame %d", frames_run);
#define run run_of_page
#include "gaits.inc"
#undef run
    }
    CHECK_EQ(footsteps, 14);
    CHECK_TEXT(player.track[0].anim.name, "crwalk");
}

/* If one gait has all the weight, the pose is the pose of that gait. Between two gaits, each foot is between its
   positions in both, and the time of a cycle is between theirs. */
static void test_blend(void)
{
    const md5_anim *gaits[4] = { walk, run, walk, run };
    float           weights[4] = { 0, 1, 0, 0 };
    double          phase = 0.3;
    md5_xform       pose[JOINTS], scratch[JOINTS], only[JOINTS];
    begin("blend");
    for (int round = 0; round < 2; ++round) {
        double before = phase;
#include "blend.inc"
        double run_length = md5_anim_length(run, MD5_LOOP), walk_length = md5_anim_length(walk, MD5_LOOP);
        if (round == 0) {
            md5_pose_in_place(knight_md5, run, MD5_LOOP, MD5_TRAVEL, 0.3 * run_length, only);
            for (uint32_t i = 0; i < knight_md5->joint_count; ++i) CHECK_NEAR(apart(pose[i].position, only[i].position), 0, 1e-4);
            CHECK_NEAR(phase, before + (double)dt / run_length, 1e-6);
            weights[0] = 3;
        } else {
            md5_pose_in_place(knight_md5, walk, MD5_LOOP, MD5_TRAVEL, before * walk_length, only);
            md5_pose_in_place(knight_md5, run, MD5_LOOP, MD5_TRAVEL, before * run_length, scratch);
            md5_pose_mix(only, scratch, 0.25f, NULL, knight_md5->joint_count, only);
            for (uint32_t i = 0; i < knight_md5->joint_count; ++i) CHECK_NEAR(apart(pose[i].position, only[i].position), 0, 1e-4);
            CHECK_NEAR(phase, before + (double)dt / (0.75 * walk_length + 0.25 * run_length), 1e-6);
        }
    }
}

static void test_back(void)
{
    static md2_player player;
    const md2_anim   *run_of_page = md2_find_anim(knight_md2, "run"), *attack = md2_find_anim(knight_md2, "attack");
    begin("back");
    md2_play(&player, run_of_page, MD2_LOOP, 0);
    run_for(120);
    while (running()) {
        check_step("frame %d", frames_run);
#define run run_of_page
#include "back.inc"
#undef run
        bool strikes = frames_run >= 30 && frames_run < 30 + 41; /* seven steps of a tenth of a second */
        CHECK_EQ(md2_playing(&player, attack), strikes);
        CHECK_EQ(md2_playing(&player, run_of_page), !strikes);
    }
}

/* -- MD5 --------------------------------------------------------------------------------------- */

uint32_t count_id_meshes(const void *model); /* recipes_collide.c */

static void test_collide(void)
{
    begin("collide");
    CHECK_EQ(count_id_meshes(knight_md5), knight_md5->mesh_count);
}

static float target[3] = { 400, 200, 30 }, at[3], heading, gaze[3];
static float       head_at[3], hand_moved, hand_at[3], hand_lifted;

/* Replaces the page's draw function: checks how far a hand moves between two frames, and where the face points. The
   feet run all the time; the hand runs only before and after the attack. */
static void draw(const md5_xform *shown)
{
    float     matrix[16];
    md5_xform running_only[JOINTS];
    int       hand = md5_find_joint(knight_md5, "hand_r"), foot = md5_find_joint(knight_md5, "foot_r");
    check_step("frame %d", frames_run);
    md5_pose_at(knight_md5, run, MD5_LOOP, frames_run * (double)dt, running_only);
    md5_pose_to_model_space(knight_md5, running_only, running_only);

    CHECK(foot >= 0 && apart(shown[foot].position, running_only[foot].position) < 1e-3);
    float lifted = (float)apart(shown[hand].position, running_only[hand].position);
    bool  strikes = frames_run >= 30 && frames_run < 30 + 42;
    CHECK(strikes || lifted < 1e-3f);
    hand_lifted = fmaxf(hand_lifted, lifted);

    if (frames_run > 1) hand_moved = fmaxf(hand_moved, (float)apart(shown[hand].position, hand_at));
    memcpy(hand_at, shown[hand].position, sizeof hand_at);
    md5_pose_matrix(&shown[md5_find_joint(knight_md5, "head")], matrix);
    if (frames_run == 1) CHECK(matrix[1] < 0.25f); /* 0.45 in the end: turning to a new target takes some frames */
    if (frames_run > 1) CHECK(apart(matrix, head_at) < 0.25);
    memcpy(head_at, matrix, sizeof head_at);
}

static void look(md5_xform *pose)
{
#include "look.inc"
}

/* The knight runs, strikes meanwhile, and looks at a point ahead and to the left; then, with another position and
   heading, at a point to the right. */
static void test_character(void)
{
    static md5_player legs, arms;
    static float      upper_body[JOINTS];
    md5_xform         pose[JOINTS], scratch[JOINTS];
    md5_anim         *attack = swing;
    float             matrix[16];
    begin("character");
    begin("look");
    gaze[0] = 1;
    run_for(120);
    footsteps = 0;
    {
#include "character.inc"
    }
    CHECK_EQ(legs.track_count, 1);
    CHECK(md5_playing(&arms, NULL) || md5_playing(&arms, attack));
    CHECK_EQ(frames_run, 121);
    CHECK_EQ(footsteps, 7);
    CHECK(hand_moved > 1);
    CHECK(hand_moved < 8);
    CHECK(hand_lifted > 5);
    CHECK_NEAR(head_at[1] / head_at[0], 0.5, 0.1);

    heading = 1.5707963f;
    at[0] = 208;
    for (int i = 0; i < 120; ++i) {
        md5_pose_bind(knight_md5, pose);
        look(pose);
    }
    md5_pose_to_model_space(knight_md5, pose, pose);
    md5_pose_matrix(&pose[md5_find_joint(knight_md5, "head")], matrix);
    CHECK_NEAR(matrix[1] / matrix[0], -0.96, 0.1);
}

/* A model faces -Y. Its face is aimed at a target that is 45 degrees to the side. The axes of its head joint differ
   from the axes of the model, as in the files of most exporters. */
static void test_sideways(void)
{
    static const float third[4] = { 0.5f, 0.5f, 0.5f, 0.5f }; /* a third of a turn: X, Y and Z become Y, Z and X */
    md5_xform pose[JOINTS];
    md5_joint joints[JOINTS];
    md5_model own_axes = *knight_md5, *usual = knight_md5;
    float     aimed[16];
    begin("sideways");
    int at_head = md5_find_joint(knight_md5, "head");
    memcpy(joints, knight_md5->joints, knight_md5->joint_count * sizeof *joints);
    memcpy(joints[at_head].bind.rotation, third, sizeof third);
    own_axes.joints = joints;

    const float *from = joints[at_head].bind.position;
    for (int k = 0; k < 3; ++k) target[k] = from[k] + (k == 0 ? 100.0f : k == 1 ? -100.0f : 0);
    md5_pose_bind(&own_axes, pose);
    knight_md5 = &own_axes;
    {
#include "sideways.inc"
    }
    knight_md5 = usual;
    md5_pose_to_model_space(&own_axes, pose, pose);
    md5_pose_matrix(&pose[at_head], aimed);
    CHECK_NEAR(-aimed[0], 0.7071, 0.01);  /* Y of the model was X of the joint */
    CHECK_NEAR(-aimed[1], -0.7071, 0.01);
}

/* Checks that adding a step to x, y and a heading gives the same transform as multiplying matrices. */
static void check_heading(const md5_xform *motion)
{
    static float x = 7, y = 8;
    const float  z = 9;
    md5_xform    step = *motion;
    float        matrix_world[16], turned[16];
    memcpy(matrix_world, world, sizeof world);
    {
#include "heading.inc"
    }
    for (int i = 0; i < 16; ++i) CHECK_NEAR(world[i], matrix_world[i], 2e-3);

    /* With Y up, (x, y, z) is stored as (y, z, x). This also changes the order of the columns. */
    place_at_y_up(y, z, x, heading, turned);
    for (int column = 0; column < 4; ++column) {
        const float *to = turned + 4 * (column == 3 ? 3 : (column + 2) % 3);
        for (int k = 0; k < 3; ++k) CHECK_NEAR(to[(k + 2) % 3], world[4 * column + k], 1e-5);
    }
    memcpy(world, matrix_world, sizeof world);
}

/* A character that faces left moves left, then turns to the left once more. */
static void test_travel(void)
{
    static md5_player legs;
    md5_xform pose[JOINTS], scratch[JOINTS], motion;
    float     matrix[16];
    md5_anim_motion(walk, MD5_LOOP, MD5_TRAVEL, 0, 1, &motion);
    double walked = (double)motion.position[0];
    begin("travel");
    begin("heading");
    heading = 1.5707963f;
    set_world(7, 8, 9);
    md5_play(&legs, walk, MD5_LOOP, 0);
    for (int frame = 0; frame < 150; ++frame) {
        check_step("frame %d of the walk", frame);
#include "travel.inc"
        check_heading(&step);
        CHECK_NEAR(pose[0].position[0], 0, 1e-4);
        CHECK_NEAR(pose[0].position[1], 0, 1e-4);
    }
    CHECK(walked > 15);
    CHECK_NEAR(world[12], 7, 1e-3);
    CHECK_NEAR(world[13], 8 + 2.5 * walked, 1e-3);
    CHECK_NEAR(world[14], 9, 1e-4);

    md5_play(&legs, turn, MD5_ONCE, 0);
    for (int frame = 0; frame < 80; ++frame) {
        check_step("frame %d of the turn", frame);
#include "travel.inc"
        check_heading(&step);
    }
    CHECK_NEAR(world[0], -1, 1e-4); /* forward is along -x now */
    CHECK_NEAR(world[13], 8 + 2.5 * walked, 1e-3);
}

/* The block computes position and pose from the time. A player that has advanced to this time in small steps must have
   the same position and pose. */
static void test_timeline(void)
{
    static md5_player legs;
    float     matrix[16], gate[16], went[16];
    md5_xform pose[JOINTS], stepped[JOINTS], scratch[JOINTS];
    double    now = 107.75, left_gate = 100;
    begin("timeline");
    set_world(7, 8, 9);
    memcpy(gate, world, sizeof gate);
    legs.root_motion = MD5_TRAVEL;
    md5_play(&legs, walk, MD5_LOOP, 0);
    for (int step = 0; step < 248; ++step) {
        md5_xform moved;
        md5_advance(&legs, 1 / 32.0f);
        md5_player_motion(&legs, &moved);
        md5_pose_matrix(&moved, matrix);
        multiply(world, matrix, world);
    }
    md5_player_pose(knight_md5, &legs, stepped, scratch);
    memcpy(went, world, sizeof went);
#include "timeline.inc"
    CHECK(apart(went + 12, gate + 12) > 100);
    CHECK_NEAR(apart(world + 12, went + 12), 0, 1e-2);
    for (uint32_t i = 0; i < knight_md5->joint_count; ++i) {
        CHECK_NEAR(apart(pose[i].position, stepped[i].position), 0, 1e-4);
    }
}

/* -- OpenGL ------------------------------------------------------------------------------------ */

#define glfwGetProcAddress   fake_gl_get_proc
#define glUseProgram         fake_glUseProgram
#define glGetUniformLocation fake_glGetUniformLocation
#define glUniform1f          fake_glUniform1f

/* Checks that the whole field is in view, and in front of the camera. */
static void check_crowd_in_sight(const md2_gl_instance *instances, double aspect)
{
    double d = (double)look_distance, h = (double)look_height, away = sqrt(d * d + h * h);
    for (int i = 0; i < CHARACTERS; ++i) {
        double x = (double)instances[i].transform[12], y = (double)instances[i].transform[13];
        double depth = away - x * d / away, lens = 1.8;
        check_step("character %d at x %g, y %g", i, x, y);
        CHECK(depth > 1);
        CHECK(fabs(lens * y / aspect / depth) < 1);
        CHECK(fabs(lens * x * h / away / depth) < 1);
    }
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
    CHECK(md2_gl_upload(gl, knight_md2, &mesh, NULL));
    uint32_t skin = md2_gl_load_skin(gl, knight_md2, "tris.md2", 0, NULL);
    CHECK(skin != 0);
    {
#include "crowd.inc"
    }
    CHECK_EQ(fake.draws, 1);
    CHECK_EQ(fake.last.instances, 1000);
    CHECK_EQ(fake.last.count, knight_md2->index_count);
    CHECK_EQ(fake.last.texture[1], skin);
    CHECK(players[999].track[0].time > 0.01);
    CHECK_TEXT(players[21].track[0].anim.name, knight_md2->anims[1].name);
    check_crowd_in_sight(instances, (double)aspect);
    CHECK_TEXT(fake.first_mistake, "");
    md2_gl_free_mesh(gl, &mesh);
    md2_gl_destroy(gl);
}

/* Runs the lines of the README that draw a model. */
static void test_draw(void)
{
    const float            aspect = 1.5f;
    static md2_player      player;
    static md2_gl_instance instance;
    static md2_gl_scene    scene;
    static md2_gl_mesh     mesh;
    md2_error              error;
    const md2_model       *knight = knight_md2;
    begin("draw");
    fake_gl_reset();
    md2_play(&player, md2_find_anim(knight_md2, "run"), MD2_LOOP, 0);
    {
#include "draw.inc"
        CHECK(skin != 0);
        CHECK_EQ(fake.last.texture[1], skin);
        md2_gl_free_mesh(gl, &mesh);
        md2_gl_destroy(gl);
    }
    md2_pose pose = md2_player_pose(&player);
    CHECK_EQ(fake.draws, 1);
    CHECK_EQ(fake.last.count, knight_md2->index_count);
    CHECK(player.track[0].time > 0.01);
    CHECK(memcmp(&instance.pose, &pose, sizeof pose) == 0);
    CHECK_EQ(scene.view_projection[15], aspect);
    CHECK_TEXT(fake.first_mistake, "");
}

/* The sword is drawn in its bind pose, with the transform of the hand's joint. */
static void test_joint(void)
{
    static md5_player      player;
    static md5_gl_mesh     sword_mesh[MESHES];
    static md5_gl_scene    scene;
    static md5_gl_instance sword;
    uint32_t               sword_skin[MESHES] = { 0 };
    md5_xform              pose[JOINTS], scratch[JOINTS], wanted[JOINTS];
    float                  matrix[16];
    begin("joint");
    fake_gl_reset();
    md5_model *weapon = md5_load_model_file("weapon.md5mesh", NULL, NULL);
    md5_gl    *gl = md5_gl_create(fake_gl_get_proc, NULL, NULL);
    CHECK(weapon && gl && weapon->mesh_count == 1);
    CHECK(md5_gl_upload(gl, weapon, 0, &sword_mesh[0], NULL));
    md5_play(&player, run, MD5_LOOP, 0);
    md5_seek(&player, 0.2);
    set_world(100, 200, 300);
    {
#include "joint.inc"
    }
    md5_pose_at(knight_md5, run, MD5_LOOP, 0.2, wanted);
    md5_pose_to_model_space(knight_md5, wanted, wanted);
    const float *joint = wanted[md5_find_joint(knight_md5, "weapon")].position;
    CHECK_NEAR(sword.transform[12], world[12] - joint[1], 1e-3);
    CHECK_NEAR(sword.transform[13], world[13] + joint[0], 1e-3);
    CHECK_NEAR(sword.transform[14], world[14] + joint[2], 1e-3);
    md5_pose_matrix(&wanted[md5_find_joint(knight_md5, "weapon")], matrix);
    multiply(world, matrix, matrix);
    CHECK(memcmp(sword.transform, matrix, sizeof matrix) == 0);
    CHECK_EQ(fake.draws, 1);
    CHECK_EQ(fake.last.count, weapon->meshes[0].index_count);
    CHECK_TEXT(fake.first_mistake, "");
    md5_gl_free_mesh(gl, &sword_mesh[0]);
    md5_gl_destroy(gl);
    md5_free_model(weapon);
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
    const float            aspect = 1.5f;
    begin("palette");
    fake_gl_reset();
    CHECK(knight_md5->mesh_count <= MESHES);
    md5_pose_at(knight_md5, run, MD5_LOOP, 0.2, pose);
    md5_pose_to_model_space(knight_md5, pose, pose);
    set_world(4, 5, 6);
    {
#include "palette.inc"
        bool draws_skin = false;
        for (int unit = 0; unit < 3; ++unit)
            draws_skin = draws_skin || fake.last.texture[unit] == skin[0];
        CHECK(skin[0] != 0);
        CHECK(draws_skin);
        md5_gl_free_mesh(gl, &mesh[0]);
        md5_gl_destroy(gl);
    }
    CHECK_EQ(fake.draws, knight_md5->mesh_count);
    CHECK(instance.palette == palette);
    CHECK_NEAR(scene.view_projection[15], aspect, 0);
    CHECK(memcmp(instance.transform, world, sizeof world) == 0);
    CHECK_EQ(fake.last.count, knight_md5->meshes[knight_md5->mesh_count - 1].index_count);
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
        int glow = 0;
        CHECK(gl != NULL);
        for (int both = 0; both < 2; ++both) {
            const fake_object *program = &fake.object[md2_gl_program(gl, (uint32_t)both)];
            for (int i = 0; i < program->uniform_count; ++i) {
                bool is_glow = strcmp(program->uniform[i].name, "glow") == 0;
                glow += is_glow && program->uniform[i].value[0] > 0;
            }
        }
        CHECK_EQ(glow, 2);
        snprintf(path, sizeof path, "%.400s/shader.frag", out_folder);
        CHECK(write_file(path, options.fragment_source, strlen(options.fragment_source)));
        md2_gl_destroy(gl);
    }
    CHECK_TEXT(fake.first_mistake, "");
}

typedef void (*sources_call)(unsigned shader, int count, const char *const *parts, const int *lengths);
typedef void (*attach_call)(unsigned program, unsigned shader);
typedef void (*name_call)(unsigned name);
typedef unsigned (*new_program_call)(void);

static uint32_t link_program(const char *const vertex[2], const char *fragment)
{
    unsigned shaders[2] = { fake_glCreateShader(FAKE_VERTEX_SHADER), fake_glCreateShader(FAKE_FRAGMENT_SHADER) };
    unsigned program = ((new_program_call)fake_gl_get_proc("glCreateProgram"))();
    sources_call set_sources = (sources_call)fake_gl_get_proc("glShaderSource");
    set_sources(shaders[0], 2, vertex, NULL);
    set_sources(shaders[1], 1, &fragment, NULL);
    for (int i = 0; i < 2; ++i) {
        ((name_call)fake_gl_get_proc("glCompileShader"))(shaders[i]);
        ((attach_call)fake_gl_get_proc("glAttachShader"))(program, shaders[i]);
    }
    ((name_call)fake_gl_get_proc("glLinkProgram"))(program);
    return program;
}

static unsigned seen_through; /* the program of the last draw before depth is written again */

static void write_depth(bool writes)
{
    if (writes) seen_through = fake.last.program;
}

#define GL_TRUE              true
#define GL_FALSE             false
#define glDepthFunc(way)     ((void)0)
#define glDepthMask          write_depth

static void test_program(void)
{
    static md2_player      player;
    static md2_gl_instance instance;
    static md2_gl_scene    scene;
    static md2_gl_mesh     mesh;
    begin("program");
    fake_gl_reset();
    md2_gl *gl = md2_gl_create(fake_gl_get_proc, NULL, NULL);
    CHECK(md2_gl_upload(gl, knight_md2, &mesh, NULL));
    uint32_t skin = md2_gl_load_skin(gl, knight_md2, "tris.md2", 0, NULL);
    md2_play(&player, md2_find_anim(knight_md2, "run"), MD2_LOOP, 0);
    instance.pose = md2_player_pose(&player);
    {
#include "program.inc"
        CHECK_EQ(seen_through, red);
    }
    CHECK_EQ(fake.draws, 2);
    CHECK_EQ(fake.last.program, md2_gl_program(gl, 0));
    CHECK_EQ(fake.last.texture[1], skin);
    CHECK_TEXT(fake.first_mistake, "");
    md2_gl_free_mesh(gl, &mesh);
    md2_gl_destroy(gl);
}

/* -- Data -------------------------------------------------------------------------------------- */

static float submitted[8 * VERTICES];

static void submit(const void *vertices, uint32_t count, const uint32_t *indices, uint32_t index_count)
{
    for (uint32_t i = 0; i < index_count; ++i) CHECK(indices[i] < count);
    memcpy(submitted, vertices, (size_t)count * 8 * sizeof(float));
}

static void take_picture(uint32_t mesh, const char *path)
{
    CHECK_EQ(mesh, 0);
    CHECK_TEXT(path, path_of("skin.png"));
}

static void test_arrays(void)
{
    static md2_player player;
    static float      positions[3 * VERTICES], normals[3 * VERTICES];
    begin("arrays");
    md2_play(&player, md2_find_anim(knight_md2, "flip"), MD2_LOOP, 0);
    md2_seek(&player, 0.55);
    {
#include "arrays.inc"
    }
    md2_pose shown = md2_player_pose(&player);
    md2_pose_vertices(knight_md2, &shown, positions, 0, normals, 0);
    for (size_t k = 0; k < knight_md2->vertex_count; ++k) {
        const float *s = submitted + k * 8;
        check_step("vertex %u", (unsigned)k);
        CHECK(memcmp(s, positions + k * 3, 12) == 0);
        CHECK(memcmp(s + 3, normals + k * 3, 12) == 0);
        CHECK_EQ(s[6], knight_md2->vertices[k].u);
        CHECK_EQ(s[7], knight_md2->vertices[k].v);
    }
}

static void test_meshes(void)
{
    static float positions[3 * VERTICES], normals[3 * VERTICES];
    struct vertex { float position[3], normal[3], uv[2]; };
    const char *mesh_path = path_of("knight.md5mesh");
    md5_xform   pose[JOINTS];
    begin("meshes");
    md5_pose_at(knight_md5, run, MD5_LOOP, 0.25, pose);
    md5_pose_to_model_space(knight_md5, pose, pose);
    {
#include "meshes.inc"
    }
    md5_pose_vertices(knight_md5, 0, pose, positions, 0, normals, 0, NULL, 0);
    for (size_t k = 0; k < knight_md5->meshes[0].vertex_count; ++k) {
        const float *s = submitted + k * 8;
        check_step("vertex %u", (unsigned)k);
        CHECK(memcmp(s, positions + k * 3, 12) == 0);
        CHECK(memcmp(s + 3, normals + k * 3, 12) == 0);
        CHECK_EQ(s[6], knight_md5->meshes[0].vertices[k].u);
        CHECK_EQ(s[7], knight_md5->meshes[0].vertices[k].v);
    }
}

#define TRIANGLE(x) \
    "mesh { shader \"a\" numverts 3 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 1 numtris 1 tri 0 0 1 2 " \
    "numweights 3 weight 0 0 1 ( " x " 0 0 ) weight 1 0 1 ( " x " 1 0 ) weight 2 0 1 ( " x " 0 1 ) } "

/* Drawing with a first index and a base vertex gives the triangles of each mesh. */
static void test_onebuffer(void)
{
    static const char text[] = "MD5Version 10 numJoints 1 numMeshes 2 joints { \"origin\" -1 ( 0 0 0 ) ( 0 0 0 ) } "
                               TRIANGLE("1") TRIANGLE("2");
    md5_model        *knight = knight_md5;
    static md5_vertex vertices[2 * VERTICES];
    static uint32_t   indices[12 * VERTICES];
    uint32_t          base_vertex[MESHES], first_index[MESHES];
    begin("onebuffer");
    knight_md5 = md5_load_model_memory(text, strlen(text), NULL, NULL);
    CHECK(knight_md5 && knight_md5->mesh_count == 2);
    {
#include "onebuffer.inc"
        CHECK(index_count > 0 && vertex_count <= 2 * VERTICES);
    }
    for (uint32_t i = 0; i < knight_md5->mesh_count; ++i) {
        const md5_mesh *mesh = &knight_md5->meshes[i];
        for (uint32_t k = 0; k < mesh->index_count; ++k) {
            const md5_vertex *drawn = &vertices[base_vertex[i] + indices[first_index[i] + k]];
            check_step("mesh %u, index %u", (unsigned)i, (unsigned)k);
            CHECK(memcmp(drawn, &mesh->vertices[mesh->indices[k]], sizeof *drawn) == 0);
        }
    }
    md5_free_model(knight_md5);
    knight_md5 = knight;
}

/* -- The main program ---------------------------------------------------------------------------- */

static bool load_all(void)
{
    knight_md2 = md2_load_file("tris.md2", NULL, NULL);
    knight_md5 = md5_load_model_file("knight.md5mesh", NULL, NULL);
    run = md5_load_anim_file("run.md5anim", NULL, NULL);
    swing = md5_load_anim_file("attack.md5anim", NULL, NULL);
    walk = md5_load_anim_file("walk.md5anim", NULL, NULL);
    turn = md5_load_anim_file("turn.md5anim", NULL, NULL);
    return knight_md2 && knight_md5 && run && swing && walk && turn && knight_md2->vertex_count <= VERTICES &&
           knight_md5->meshes[0].vertex_count <= VERTICES && knight_md5->joint_count <= JOINTS;
}

int main(int argc, char **argv)
{
    check_start(argc, argv, "--character= --folder=");
    character = check_option("--character=");
    out_folder = check_option("--folder=");
    if (!character) character = "build/character";
    if (!out_folder) out_folder = "build/recipes";
    if (CHECK(load_all())) {
        RUN(test_pair, "an implementation takes only two lines");
        RUN(test_names, "animations are listed, found by name, or made of any frames");
        RUN(test_fade, "an attack fades in, makes a sound at its frame, and fades back to standing");
        RUN(test_gaits, "a knight who runs continues to sneak on the same foot, and each step makes a sound");
        RUN(test_blend, "four gaits are blended to one pose by their weights, and share one cycle");
        RUN(test_back, "when an attack has ended, the knight runs again");
        RUN(test_collide, "md5.h works in an engine that has its own md5_mesh and md5_joint");
        RUN(test_character, "the knight runs, strikes meanwhile and looks at a point, without a jump");
        RUN(test_sideways, "a model that does not face X turns its own face to its target");
        RUN(test_draw, "seven lines draw a model");
        RUN(test_joint, "a sword is drawn at the joint of an MD5 hand, wherever the hand is");
        RUN(test_travel, "root motion of a walk and of a turn moves the character, whatever its heading");
        RUN(test_timeline, "the position and pose of a guard depend only on the time");
        RUN(test_crowd, "a thousand characters are drawn in one call, all of them in view");
        RUN(test_palette, "the GPU skins an MD5 model with a palette");
        RUN(test_shader, "a custom fragment shader gets its uniform in both programs");
        RUN(test_program, "a second program draws the same model, and then the built-in program draws again");
        RUN(test_arrays, "positions and normals go into a custom vertex layout");
        RUN(test_meshes, "each mesh of an MD5 goes into the custom layout, and its picture is found");
        RUN(test_onebuffer, "all meshes of an MD5 fit into one vertex buffer and one index buffer");
        if (!check_runs_some()) RUN(test_all_run, "every block of the pages has run, and is short");
    }
    md2_free_model(knight_md2);
    md5_free_model(knight_md5);
    md5_free_anim(run);
    md5_free_anim(swing);
    md5_free_anim(walk);
    md5_free_anim(turn);
    fake_gl_reset();
    return check_finish();
}
