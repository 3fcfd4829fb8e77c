/* test_nulls.c: each public function of both headers with each of its pointers NULL in turn. It
   works without an optional one, and does nothing without another. Each is a test of its own, as in
   `test_nulls md2_play`.
   --folder=FOLDER receives files and must exist, else build. Public domain. */
#include "check.h"
#include "fake_gl.h"
#include "model_builder_md2.h"
#include "model_builder_md5.h"
#include "support.h"

#define STB_IMAGE_IMPLEMENTATION
#include "tests/readme/recipes/stb_image.h"

#define MD2_GL
#define MD2_SMOOTH
#define MD2_STB_IMAGE
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_GL
#define MD5_STB_IMAGE
#define MD5_IMPLEMENTATION
#include "md5.h"

/* -- What the calls are made with ------------------------------------------ */

enum { JOINTS = 16, FLOATS = 4096 };

static m2_bytes bytes2, pcx, bytes5; /* the last are those of the text */
static m5_text  text5, clip5;
static char     file2[512], file5[512], clip_file5[512], out_path[512];
static float    floats[3][FLOATS], marks[FLOATS]; /* marks: what the others hold before a call */
static counting_allocator memory;
static bool     done; /* a call sets this, or writes to the outputs */

static md2_model  *model2;
static const md2_anim *anim2;
static md2_gl     *gl2;
static md2_gl_mesh mesh2;
static md2_error   error2;
static md2_options options2;
static md2_player  player2;
static md2_pose    pose2;
static uint32_t    last_frame2;

static md5_model  *model5;
static md5_anim   *anim5;
static md5_gl     *gl5;
static md5_gl_mesh mesh5;
static md5_error   error5;
static md5_options options5;
static md5_player  player5;
static uint32_t    last_frame5;
static md5_xform   pose5[JOINTS], other5[JOINTS], out5[JOINTS];
static float       axis5[3] = { 0, 0, 1 };

/* Whether a call has written anything where reset_outputs() put marks. */
static bool has_written(void)
{
    bool written = out_path[0] != 0 || memcmp(out5, marks, sizeof out5) != 0;
    for (unsigned i = 0; i < 3; ++i) written = written || memcmp(floats[i], marks, sizeof marks) != 0;
    return written;
}

/* In both players the one animation stands just before its end. */
static void reset_outputs(void)
{
    memset(marks, 77, sizeof marks);
    memset(floats, 77, sizeof floats);
    memset(out5, 77, sizeof out5);
    out_path[0] = 0;
    done = false;
    memset(&player2, 0, sizeof player2);
    md2_play(&player2, anim2, MD2_ONCE, 0);
    md2_seek(&player2, md2_anim_length(anim2, MD2_ONCE) - 0.01);
    memset(&player5, 0, sizeof player5);
    md5_play(&player5, anim5, MD5_ONCE, 0);
    md5_seek(&player5, md5_anim_length(anim5, MD5_ONCE) - 0.01);
}

static bool release_anim5(md5_anim *anim)
{
    md5_free_anim(anim);
    return anim != NULL;
}

/* -- Calls: CALL(function, optional) runs what follows with all pointers, then with each NULL, if
   it is this function's turn --------------------------------------------------- */

enum { NO_NULL = -1, FUNCTIONS = 200 };
static const char *functions[FUNCTIONS]; /* those that are called below, as they are found there */
static int         function_count;
static const char *now;      /* the function whose turn it is; NULL: they are being found */
static const char *optional; /* digits: the pointers without which it works */
static int         pointers; /* that it takes, as its first call shows */
static int         null_at;  /* the pointer that is NULL, counted from 0 */

#define P(number, value) (is_null(number) ? NULL : (value))
#define CALL(function, without) CALL_NAMED(function, without)
#define CALL_NAMED(function, without) \
  if (begin_calls(#function, without)) for (; begin_call(); end_call())

static bool is_null(int pointer)
{
    if (pointers <= pointer) pointers = pointer + 1;
    return null_at == pointer;
}

static bool begin_calls(const char *name, const char *without)
{
    if (!now && CHECK(function_count < FUNCTIONS)) functions[function_count++] = name;
    if (!now || strcmp(now, name) != 0) return false;
    optional = without;
    null_at = NO_NULL;
    pointers = 0;
    return true;
}

static bool is_optional(int pointer) { return strchr(optional, '0' + pointer) != NULL; }

static bool begin_call(void)
{
    reset_outputs();
    if (null_at == pointers) return false;
    if (null_at == NO_NULL) check_scene("with all its pointers");
    else if (is_optional(null_at)) check_scene("without its pointer %d, which is optional", null_at);
    else check_scene("without its pointer %d, which it needs", null_at);
    return true;
}

static void end_call(void)
{
    bool has_effect = done || has_written();
    CHECK_EQ(has_effect, null_at == NO_NULL || is_optional(null_at));
    CHECK_TEXT(fake.first_mistake, "");
    ++null_at;
}

static bool accept_path(void *user, const char *path) { (void)user; return path[0] != 0; }

#define LIB(name)          md2_##name
#define LOAD(from)         md2_load_##from
#define EITHER(md2, md5)   md2
#define OPTION(name)       MD2_##name
#define VAR(name)          name##2
#define UPLOAD(gl, model)  gl, model
#include "nulls.h"
#define LIB(name)          md5_##name
#define LOAD(from)         md5_load_model_##from
#define EITHER(md2, md5)   md5
#define OPTION(name)       MD5_##name
#define VAR(name)          name##5
#define UPLOAD(gl, model)  gl, model, 0
#include "nulls.h"

static void call_md2(void)
{
    CALL(md2_smooth_model, "12")
        done = md2_release(md2_smooth_model(P(0, model2), P(1, &options2), P(2, &error2)));
    CALL(md2_load_pcx_memory, "34") {
        uint32_t width = 0, height = 0;
        uint8_t *pixels = md2_load_pcx_memory(P(0, pcx.data), pcx.size, P(1, &width), P(2, &height),
                                              P(3, &options2), P(4, &error2));
        md2_free_image(pixels);
        done = pixels != NULL;
    }
    CALL(md2_load_skin, "45") {
        uint32_t width = 0, height = 0;
        uint8_t *pixels = md2_load_skin(P(0, model2), P(1, file2), 0, P(2, &width), P(3, &height),
                                        P(4, &options2), P(5, &error2));
        md2_free_image(pixels);
        done = pixels != NULL;
    }
    CALL(md2_free_image, "") {
        uint32_t width, height;
        uint8_t *pixels = md2_load_pcx_memory(pcx.data, pcx.size, &width, &height, &options2, NULL);
        size_t before = memory.releases;
        md2_free_image(P(0, pixels));
        done = memory.releases > before;
        if (!done) md2_free_image(pixels);
    }
    CALL(md2_split_frame_names, "12") {
        static const char *const names[2] = { "run1", "run2" };
        md2_anim anims[2];
        done = md2_split_frame_names(P(0, names), 2, P(1, &options2), P(2, anims), 2) == 1;
    }
    CALL(md2_find_anim, "") done = md2_find_anim(P(0, model2), P(1, "stand")) != NULL;
    CALL(md2_find_frame, "") done = md2_find_frame(P(0, model2), P(1, model2->frames[0].name)) == 0;
    CALL(md2_pose_at, "") done = md2_pose_at(P(0, anim2), MD2_LOOP, 0.01).count > 0;
    CALL(md2_pose_vertices, "123")
        md2_pose_vertices(P(0, model2), P(1, &pose2), P(2, floats[0]), 0, P(3, floats[1]), 0);
    CALL(md2_pose_bounds, "1")
        md2_pose_bounds(P(0, model2), P(1, &pose2), P(2, floats[0]), P(3, floats[1]));
    CALL(md2_pose_triangle, "1")
        done = md2_pose_triangle(P(0, model2), P(1, &pose2), 0, P(2, floats[0]));
    CALL(md2_player_pose, "") done = md2_player_pose(P(0, &player2)).count > 0;
    CALL(md2_gl_program, "") done = md2_gl_program(P(0, gl2), 1) != 0;
}

static void call_md5(void)
{
    CALL(md5_load_anim_memory, "123")
        done = release_anim5(md5_load_anim_memory(P(0, clip5.bytes), clip5.size, P(1, "name"),
                                                  P(2, &options5), P(3, &error5)));
    CALL(md5_load_anim_reader, "123") {
        feed from = feed_of(clip5.bytes, clip5.size, 0);
        md5_reader reader = { read_feed, NULL };
        reader.user = &from;
        done = release_anim5(md5_load_anim_reader(P(0, &reader), P(1, "name"), P(2, &options5),
                                                  P(3, &error5)));
    }
    CALL(md5_load_anim_file, "12")
        done = release_anim5(md5_load_anim_file(P(0, clip_file5), P(1, &options5), P(2, &error5)));
    CALL(md5_free_anim, "") {
        md5_anim *anim = md5_load_anim_memory(clip5.bytes, clip5.size, NULL, &options5, NULL);
        size_t before = memory.releases;
        md5_free_anim(P(0, anim));
        done = memory.releases > before;
        if (!done) md5_free_anim(anim);
    }
    CALL(md5_load_texture, "45") {
        uint32_t width = 0, height = 0;
        uint8_t *pixels = md5_load_texture(P(0, model5), P(1, file5), 0, P(2, &width),
                                           P(3, &height), P(4, &options5), P(5, &error5));
        md5_free_image(pixels);
        done = pixels != NULL;
    }
    CALL(md5_free_image, "") {
        uint32_t width, height;
        uint8_t *pixels = md5_load_texture(model5, file5, 0, &width, &height, &options5, NULL);
        size_t before = memory.releases;
        md5_free_image(P(0, pixels));
        done = memory.releases > before;
        if (!done) md5_free_image(pixels);
    }
    CALL(md5_check_anim, "2")
        done = md5_check_anim(P(0, model5), P(1, anim5), P(2, &error5)) == MD5_OK;
    CALL(md5_retarget_anim, "1345") {
        uint32_t missing;
        done = release_anim5(md5_retarget_anim(P(0, model5), P(1, model5), P(2, anim5),
                                               P(3, &missing), P(4, &options5), P(5, &error5)));
    }
    CALL(md5_find_joint, "") done = md5_find_joint(P(0, model5), P(1, model5->joints[0].name)) == 0;
    CALL(md5_pose_bind, "") md5_pose_bind(P(0, model5), P(1, out5));
    CALL(md5_pose_at, "1") md5_pose_at(P(0, model5), P(1, anim5), MD5_LOOP, 0.1, P(2, out5));
    CALL(md5_pose_mix, "2")
        md5_pose_mix(P(0, pose5), P(1, other5), 0.5f, P(2, floats[0]), 2, P(3, out5));
    CALL(md5_pose_add, "3")
        md5_pose_add(P(0, pose5), P(1, other5), P(2, pose5), 0.5f, P(3, floats[0]), 2, P(4, out5));
    CALL(md5_mask_branch, "") md5_mask_branch(P(0, model5), 0, 0.5f, P(1, floats[0]));
    CALL(md5_player_motion, "0") md5_player_motion(P(0, &player5), P(1, out5));
    CALL(md5_pose_turn, "")
        md5_pose_turn(P(0, model5), P(1, out5), 0, P(2, axis5), 1);
    CALL(md5_pose_aim, "2")
        md5_pose_aim(P(0, model5), P(1, out5), 0, P(2, axis5), P(3, axis5), 1, 1);
    CALL(md5_anim_motion, "0")
        md5_anim_motion(P(0, anim5), MD5_LOOP, MD5_TURN, 0, 0.2, P(1, out5));
    CALL(md5_pose_in_place, "1")
        md5_pose_in_place(P(0, model5), P(1, anim5), MD5_LOOP, MD5_TRAVEL, 0.1, P(2, out5));
    CALL(md5_pose_to_local, "") md5_pose_to_local(P(0, model5), P(1, pose5), P(2, out5));
    CALL(md5_pose_to_model_space, "")
        md5_pose_to_model_space(P(0, model5), P(1, pose5), P(2, out5));
    CALL(md5_pose_matrix, "") md5_pose_matrix(P(0, pose5), P(1, floats[0]));
    CALL(md5_pose_palette, "") md5_pose_palette(P(0, model5), P(1, pose5), P(2, floats[0]));
    CALL(md5_pose_vertices, "234")
        md5_pose_vertices(P(0, model5), 0, P(1, pose5), P(2, floats[0]), 0, P(3, floats[1]), 0,
                          P(4, floats[2]), 0);
    CALL(md5_pose_bounds, "")
        md5_pose_bounds(P(0, model5), P(1, pose5), P(2, floats[0]), P(3, floats[1]));
    CALL(md5_slice_anim, "1") done = md5_slice_anim(P(0, anim5), 0, 1, P(1, "one")).frame_count > 0;
    CALL(md5_vertex_joints, "") {
        uint32_t joints[4];
        done = md5_vertex_joints(P(0, model5), 0, 0, 4, P(1, joints), P(2, floats[0]));
    }
    CALL(md5_player_pose, "")
        md5_player_pose(P(0, model5), P(1, &player5), P(2, out5), P(3, other5));
    CALL(md5_player_pose_over, "2")
        md5_player_pose_over(P(0, model5), P(1, &player5), 1, P(2, floats[0]), P(3, out5),
                             P(4, other5));
    CALL(md5_play_once, "1") {
        md5_play_once(P(0, &player5), P(1, anim5), 0, 0);
        done = player5.track[0].fade_out > 0;
    }
    CALL(md5_replace_anim, "2") {
        static md5_anim anew5;
        anew5 = *anim5;
        md5_play(&player5, anim5, MD5_LOOP, 0);
        md5_replace_anim(P(0, &player5), P(1, anim5), P(2, &anew5));
        done = !md5_playing(&player5, anim5);
        md5_play(&player5, anim5, MD5_LOOP, 0);
    }
    CALL(md5_fade_out, "") {
        md5_fade_out(P(0, &player5), 0);
        done = !player5.track[0].anim;
    }
    CALL(md5_gl_program, "") done = md5_gl_program(P(0, gl5)) != 0;
    CALL(md5_gl_draw_meshes, "2") {
        uint32_t texture = 0;
        md5_gl_scene scene;
        md5_gl_instance one;
        unsigned long before = fake.draws;
        memset(&scene, 0, sizeof scene);
        memset(&one, 0, sizeof one);
        md5_gl_draw_meshes(P(0, gl5), P(1, &mesh5), P(2, &texture), 1, P(3, &scene), P(4, &one), 1);
        done = fake.draws > before;
    }
}

/* -- All of it --------------------------------------------------------------- */

static void prepare(const char *folder)
{
    char pcx_file[512];
    options2.allocator.alloc = options5.allocator.alloc = counting_alloc;
    options2.allocator.release = options5.allocator.release = counting_release;
    options2.allocator.user = options5.allocator.user = &memory;
    bytes2 = m2_named("player");
    pcx = m2_pcx(4, 4, 4, M2_PCX_PLAIN);
    m5_arm_mesh(&text5, 0);
    m5_arm_anim(&clip5, M5_WALK, 0);
    snprintf(file2, sizeof file2, "%s/nulls.md2", folder);
    snprintf(pcx_file, sizeof pcx_file, "%s/nulls.pcx", folder);
    snprintf(file5, sizeof file5, "%s/nulls.tga", folder); /* a model, and its own picture */
    snprintf(clip_file5, sizeof clip_file5, "%s/nulls.md5anim", folder);
    CHECK(write_file(file2, bytes2.data, bytes2.size));
    CHECK(write_file(pcx_file, pcx.data, pcx.size));
    CHECK(write_file(file5, text5.bytes, text5.size));
    CHECK(write_file(clip_file5, clip5.bytes, clip5.size));
    model2 = md2_load_memory(bytes2.data, bytes2.size, NULL, NULL);
    model5 = md5_load_model_memory(text5.bytes, text5.size, NULL, NULL);
    anim5 = md5_load_anim_memory(clip5.bytes, clip5.size, NULL, NULL, NULL);
    anim2 = model2->anims;
    last_frame2 = anim2->first + anim2->count - 1;
    last_frame5 = anim5->frame_count - 1;
    bytes5.data = (uint8_t *)text5.bytes;
    bytes5.size = text5.size;
    fake_gl_reset();
    gl2 = md2_gl_create(fake_gl_get_proc, NULL, NULL);
    gl5 = md5_gl_create(fake_gl_get_proc, NULL, NULL);
    CHECK(md2_gl_upload(gl2, model2, &mesh2, NULL) && md5_gl_upload(gl5, model5, 0, &mesh5, NULL));
    pose2 = md2_pose_between(3, 8, 0.25f);
    for (unsigned i = 0; i < JOINTS; ++i) pose5[i].rotation[3] = other5[i].rotation[3] = 1;
    md5_pose_bind(model5, pose5);
    md5_pose_bind(model5, other5);
}

static void clean_up(void)
{
    md2_gl_free_mesh(gl2, &mesh2);
    md5_gl_free_mesh(gl5, &mesh5);
    md2_gl_destroy(gl2);
    md5_gl_destroy(gl5);
    md2_free_model(model2);
    md5_free_model(model5);
    md5_free_anim(anim5);
    m2_free(&bytes2);
    m2_free(&pcx);
    m5_free(&text5);
    m5_free(&clip5);
    fake_gl_reset();
}

static void call_all(void)
{
    call_md2();
    md2_call_shared();
    call_md5();
    md5_call_shared();
}

static void test_function(void)
{
    memset(&memory, 0, sizeof memory);
    fake.mistakes = 0;
    fake.first_mistake[0] = 0;
    call_all();
    CHECK(counting_is_clean(&memory));
}

int main(int argc, char **argv)
{
    check_start(argc, argv, "--folder=");
    const char *folder = check_option("--folder=");
    prepare(folder ? folder : "build");
    call_all();
    for (int i = 0; i < function_count; ++i) {
        now = functions[i];
        check_run(now, "each of its pointers may be NULL", test_function);
    }
    clean_up();
    return check_finish();
}
