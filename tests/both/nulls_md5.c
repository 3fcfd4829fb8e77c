/* The functions of md5.h, for test_nulls. Public domain. */
#include "model_builder_md5.h"
#include "nulls.h"

#define STB_IMAGE_IMPLEMENTATION
#include "tests/readme/recipes/stb_image.h"

#define MD5_GL
#define MD5_STB_IMAGE
#define MD5_IMPLEMENTATION
#include "md5.h"

/* Arguments of the calls. */
enum { JOINTS = 16 };

static m5_text     mesh_text, anim_text;
static const char *bytes;
static size_t      byte_count;
static char        model_path[512], anim_path[512];
static md5_options options;
static md5_model  *model;
static md5_anim   *anim;
static uint32_t    last_frame;
static md5_xform   pose[JOINTS], other_pose[JOINTS];
static float       axis[3] = { 0, 0, 1 };
static md5_gl     *gl;
static md5_gl_mesh mesh;

static md5_xform *const out_pose = (md5_xform *)output[3];

static bool upload(md5_gl_mesh *uploaded) { return md5_gl_upload(gl, model, 0, uploaded, NULL); }

#define load_memory     md5_load_model_memory
#define load_reader     md5_load_model_reader
#define load_file       md5_load_model_file
#define find_picture    md5_find_texture
#define gl_load_picture md5_gl_load_texture
#include "tests/both/names_md5.h"
#include "tests/both/nulls_both.h"

/* -- Animations and pictures ------------------------------------------------- */

static bool is_released_anim(md5_anim *loaded)
{
    md5_free_anim(loaded);
    return loaded != NULL;
}

static void call_md5_load_anim_memory(void)
{
    done = is_released_anim(md5_load_anim_memory(REQUIRED(0, anim_text.bytes), anim_text.size,
                                                 NULLABLE(1, "name"), NULLABLE(2, &options),
                                                 NULLABLE(3, &error)));
}

static void call_md5_load_anim_reader(void)
{
    feed from = feed_of(anim_text.bytes, anim_text.size, 0);
    md5_reader reader = { read_feed, NULL };
    reader.user = &from;
    done = is_released_anim(md5_load_anim_reader(REQUIRED(0, &reader), NULLABLE(1, "name"),
                                                 NULLABLE(2, &options), NULLABLE(3, &error)));
}

static void call_md5_load_anim_file(void)
{
    done = is_released_anim(md5_load_anim_file(REQUIRED(0, anim_path), NULLABLE(1, &options),
                                               NULLABLE(2, &error)));
}

static void call_md5_free_anim(void)
{
    md5_anim *loaded = md5_load_anim_memory(anim_text.bytes, anim_text.size, NULL, &options, NULL);
    size_t before = call_memory.releases;
    md5_free_anim(REQUIRED(0, loaded));
    done = call_memory.releases > before;
    if (!done) md5_free_anim(loaded);
}

static void call_md5_slice_anim(void)
{
    done = md5_slice_anim(REQUIRED(0, anim), 0, 1, NULLABLE(1, "one")).frame_count > 0;
}

static void call_md5_check_anim(void)
{
    done = md5_check_anim(REQUIRED(0, model), REQUIRED(1, anim), NULLABLE(2, &error)) == MD5_OK;
}

static void call_md5_retarget_anim(void)
{
    uint32_t missing;
    done = is_released_anim(md5_retarget_anim(REQUIRED(0, model), NULLABLE(1, model),
                                              REQUIRED(2, anim), NULLABLE(3, &missing),
                                              NULLABLE(4, &options), NULLABLE(5, &error)));
}

static void call_md5_load_texture(void)
{
    uint32_t width = 0, height = 0;
    uint8_t *pixels = md5_load_texture(REQUIRED(0, model), REQUIRED(1, model_path), 0,
                                       REQUIRED(2, &width), REQUIRED(3, &height),
                                       NULLABLE(4, &options), NULLABLE(5, &error));
    md5_free_image(pixels);
    done = pixels != NULL;
}

static void call_md5_free_image(void)
{
    uint32_t width, height;
    uint8_t *pixels = md5_load_texture(model, model_path, 0, &width, &height, &options, NULL);
    size_t before = call_memory.releases;
    md5_free_image(REQUIRED(0, pixels));
    done = call_memory.releases > before;
    if (!done) md5_free_image(pixels);
}

/* -- Joints and poses -------------------------------------------------------- */

static void call_md5_find_joint(void)
{
    done = md5_find_joint(REQUIRED(0, model), REQUIRED(1, model->joints[0].name)) == 0;
}

static void call_md5_vertex_joints(void)
{
    uint32_t joints[4];
    done = md5_vertex_joints(REQUIRED(0, model), 0, 0, 4, REQUIRED(1, joints),
                             REQUIRED(2, output[0]));
}

static void call_md5_pose_bind(void) { md5_pose_bind(REQUIRED(0, model), REQUIRED(1, out_pose)); }

static void call_md5_pose_at(void)
{
    md5_pose_at(REQUIRED(0, model), NULLABLE(1, anim), MD5_LOOP, 0.1, REQUIRED(2, out_pose));
}

static void call_md5_pose_mix(void)
{
    md5_pose_mix(REQUIRED(0, pose), REQUIRED(1, other_pose), 0.5f, NULLABLE(2, output[0]), 2,
                 REQUIRED(3, out_pose));
}

static void call_md5_pose_add(void)
{
    md5_pose_add(REQUIRED(0, pose), REQUIRED(1, other_pose), REQUIRED(2, pose), 0.5f,
                 NULLABLE(3, output[0]), 2, REQUIRED(4, out_pose));
}

static void call_md5_mask_branch(void)
{
    md5_mask_branch(REQUIRED(0, model), 0, 0.5f, REQUIRED(1, output[0]));
}

static void call_md5_pose_turn(void)
{
    md5_pose_turn(REQUIRED(0, model), REQUIRED(1, out_pose), 0, REQUIRED(2, axis), 1);
}

static void call_md5_pose_aim(void)
{
    md5_pose_aim(REQUIRED(0, model), REQUIRED(1, out_pose), 0, NULLABLE(2, axis),
                 REQUIRED(3, axis), 1, 1);
}

static void call_md5_pose_to_local(void)
{
    md5_pose_to_local(REQUIRED(0, model), REQUIRED(1, pose), REQUIRED(2, out_pose));
}

static void call_md5_pose_to_model_space(void)
{
    md5_pose_to_model_space(REQUIRED(0, model), REQUIRED(1, pose), REQUIRED(2, out_pose));
}

static void call_md5_pose_matrix(void)
{
    md5_pose_matrix(REQUIRED(0, pose), REQUIRED(1, output[0]));
}

static void call_md5_pose_palette(void)
{
    md5_pose_palette(REQUIRED(0, model), REQUIRED(1, pose), REQUIRED(2, output[0]));
}

static void call_md5_pose_vertices(void)
{
    md5_pose_vertices(REQUIRED(0, model), 0, REQUIRED(1, pose), NULLABLE(2, output[0]), 0,
                      NULLABLE(3, output[1]), 0, NULLABLE(4, output[2]), 0);
}

static void call_md5_pose_bounds(void)
{
    md5_pose_bounds(REQUIRED(0, model), REQUIRED(1, pose), REQUIRED(2, output[0]),
                    REQUIRED(3, output[1]));
}

/* -- Root motion ------------------------------------------------------------- */

static void call_md5_anim_motion(void)
{
    md5_anim_motion(NULLABLE(0, anim), MD5_LOOP, MD5_TURN, 0, 0.2, REQUIRED(1, out_pose));
}

static void call_md5_pose_in_place(void)
{
    md5_pose_in_place(REQUIRED(0, model), NULLABLE(1, anim), MD5_LOOP, MD5_TRAVEL, 0.1,
                      REQUIRED(2, out_pose));
}

static void call_md5_player_motion(void)
{
    md5_player_motion(NULLABLE(0, &player), REQUIRED(1, out_pose));
}

/* -- The player -------------------------------------------------------------- */

static void call_md5_player_pose(void)
{
    md5_player_pose(REQUIRED(0, model), REQUIRED(1, &player), REQUIRED(2, out_pose),
                    REQUIRED(3, other_pose));
}

static void call_md5_player_pose_over(void)
{
    md5_player_pose_over(REQUIRED(0, model), REQUIRED(1, &player), 1, NULLABLE(2, output[0]),
                         REQUIRED(3, out_pose), REQUIRED(4, other_pose));
}

static void call_md5_play_once(void)
{
    md5_play_once(REQUIRED(0, &player), NULLABLE(1, anim), 0, 0);
    done = player.track[0].fade_out > 0;
}

static void call_md5_replace_anim(void)
{
    md5_anim reloaded = *anim;
    md5_play(&player, anim, MD5_LOOP, 0);
    md5_replace_anim(REQUIRED(0, &player), REQUIRED(1, anim), NULLABLE(2, &reloaded));
    done = !md5_playing(&player, anim);
}

static void call_md5_fade_out(void)
{
    md5_fade_out(REQUIRED(0, &player), 0);
    done = !player.track[0].anim;
}

/* -- OpenGL ------------------------------------------------------------------ */

static void call_md5_gl_program(void) { done = md5_gl_program(REQUIRED(0, gl)) != 0; }

static void call_md5_gl_upload(void)
{
    md5_gl_mesh uploaded;
    done = md5_gl_upload(REQUIRED(0, gl), REQUIRED(1, model), 0, REQUIRED(2, &uploaded),
                         NULLABLE(3, &error));
    if (done) md5_gl_free_mesh(gl, &uploaded);
}

static void call_md5_gl_draw_meshes(void)
{
    uint32_t texture = 0;
    md5_gl_scene scene;
    md5_gl_instance instance;
    unsigned long before = fake.draws;
    memset(&scene, 0, sizeof scene);
    memset(&instance, 0, sizeof instance);
    md5_gl_draw_meshes(REQUIRED(0, gl), REQUIRED(1, &mesh), NULLABLE(2, &texture), 1,
                       REQUIRED(3, &scene), REQUIRED(4, &instance), 1);
    done = fake.draws > before;
}

/* -- The table --------------------------------------------------------------- */

static void prepare(const char *folder)
{
    m5_arm_mesh(&mesh_text, 0);
    m5_arm_anim(&anim_text, M5_WALK, 0);
    bytes = mesh_text.bytes;
    byte_count = mesh_text.size;
    snprintf(model_path, sizeof model_path, "%s/nulls.tga", folder); /* also found as its picture */
    snprintf(anim_path, sizeof anim_path, "%s/nulls.md5anim", folder);
    CHECK(write_file(model_path, bytes, byte_count));
    CHECK(write_file(anim_path, anim_text.bytes, anim_text.size));

    options.allocator.alloc = counting_alloc;
    options.allocator.release = counting_release;
    options.allocator.user = &call_memory;
    model = md5_load_model_memory(bytes, byte_count, NULL, NULL);
    anim = md5_load_anim_memory(anim_text.bytes, anim_text.size, NULL, NULL, NULL);
    last_frame = anim->frame_count - 1;
    for (unsigned i = 0; i < JOINTS; ++i) pose[i].rotation[3] = other_pose[i].rotation[3] = 1;
    md5_pose_bind(model, pose);
    md5_pose_bind(model, other_pose);

    gl = md5_gl_create(fake_gl_get_proc, NULL, NULL);
    CHECK(upload(&mesh));
}

static void clean_up(void)
{
    md5_gl_free_mesh(gl, &mesh);
    md5_gl_destroy(gl);
    md5_free_model(model);
    md5_free_anim(anim);
    m5_free(&mesh_text);
    m5_free(&anim_text);
}

static const null_call calls[] = {
    CALLS_OF_BOTH,
    CALL(md5_load_anim_memory), CALL(md5_load_anim_reader), CALL(md5_load_anim_file),
    CALL(md5_free_anim), CALL(md5_slice_anim), CALL(md5_check_anim), CALL(md5_retarget_anim),
    CALL(md5_load_texture), CALL(md5_free_image), CALL(md5_find_joint), CALL(md5_vertex_joints),
    CALL(md5_pose_bind), CALL(md5_pose_at), CALL(md5_pose_mix), CALL(md5_pose_add),
    CALL(md5_mask_branch), CALL(md5_pose_turn), CALL(md5_pose_aim), CALL(md5_pose_to_local),
    CALL(md5_pose_to_model_space), CALL(md5_pose_matrix), CALL(md5_pose_palette),
    CALL(md5_pose_vertices), CALL(md5_pose_bounds), CALL(md5_anim_motion), CALL(md5_pose_in_place),
    CALL(md5_player_motion), CALL(md5_player_pose), CALL(md5_player_pose_over), CALL(md5_play_once),
    CALL(md5_replace_anim), CALL(md5_fade_out), CALL(md5_gl_program), CALL(md5_gl_upload),
    CALL(md5_gl_draw_meshes)
};

const null_calls md5_calls = { calls, sizeof calls / sizeof calls[0], prepare, reset_player,
                               clean_up };
