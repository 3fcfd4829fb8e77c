/* test_nulls.c: each public function of both headers with each of its pointers NULL in turn. It
   works without an optional one, and does nothing without another. Run in the repository:

   test_nulls FOLDER

   FOLDER, which must exist, receives files. Public domain. */
#include "check.h"
#include "fake_gl.h"
#include "model_builder_md2.h"
#include "model_builder_md5.h"
#include "support.h"

/* Every picture is one white pixel. */
static unsigned char *stbi_load_from_memory(const unsigned char *data, int size, int *width,
                                            int *height, int *channels, int wanted)
{
    unsigned char *pixels = data && size ? (unsigned char *)malloc_or_abort(4) : NULL;
    if (pixels) memset(pixels, 255, 4);
    *width = *height = 1;
    *channels = wanted;
    return pixels;
}

static void stbi_image_free(void *pixels) { free(pixels); }

#define MD2_GL
#define MD2_STB_IMAGE
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_GL
#define MD5_STB_IMAGE
#define MD5_IMPLEMENTATION
#include "md5.h"

/* -- What the calls are made with ------------------------------------------ */

enum { NO_NULL = 99, JOINTS = 16, FLOATS = 4096 };

static unsigned null_at; /* the pointer that is NULL, counted from 0 */
#define P(number, value) (null_at == (number) ? NULL : (value))

static m2_bytes bytes2, pcx;
static m5_text  text5, clip5;
static char     file2[512], file5[512], clip_file5[512], out_path[512];
static float    floats[3][FLOATS];
static size_t   read_so_far;
static counting_allocator memory;

static md2_model  *model2;
static md2_gl     *gl2;
static md2_gl_mesh mesh2;
static md2_error   error2;
static md2_options options2;
static md2_player  player2;
static md2_pose    pose2;

static md5_model  *model5;
static md5_anim   *anim5;
static md5_gl     *gl5;
static md5_gl_mesh mesh5;
static md5_error   error5;
static md5_options options5;
static md5_player  player5;
static md5_xform   pose5[JOINTS], other5[JOINTS], out5[JOINTS];

static size_t read_bytes(void *user, void *dst, size_t size)
{
    const m2_bytes *from = (const m2_bytes *)user;
    if (size > from->size - read_so_far) size = from->size - read_so_far;
    memcpy(dst, from->data + read_so_far, size);
    read_so_far += size;
    return size;
}

/* Whether a call has written anything where reset_outputs() put marks. */
static bool has_written(void)
{
    unsigned i, k;
    for (i = 0; i < 3; ++i) {
        for (k = 0; k < FLOATS; ++k) {
            if (floats[i][k] < 77 || floats[i][k] > 77) return true;
        }
    }
    for (k = 0; k < JOINTS; ++k) {
        if (out5[k].position[0] < 77 || out5[k].position[0] > 77) return true;
    }
    return out_path[0] != 0;
}

/* In both players the one animation stands just before its end. */
static void reset_outputs(void)
{
    unsigned i, k;
    for (i = 0; i < 3; ++i) {
        for (k = 0; k < FLOATS; ++k) floats[i][k] = 77;
    }
    for (k = 0; k < JOINTS; ++k) out5[k].position[0] = 77;
    out_path[0] = 0;
    read_so_far = 0;
    memset(&player2, 0, sizeof player2);
    md2_play(&player2, &model2->anims[0], MD2_ONCE, 0);
    md2_seek(&player2, md2_anim_length(&model2->anims[0], MD2_ONCE) - 0.01);
    memset(&player5, 0, sizeof player5);
    md5_play(&player5, anim5, MD5_ONCE, 0);
    md5_seek(&player5, md5_anim_length(anim5, MD5_ONCE) - 0.01);
}

static bool release2(md2_model *model)
{
    md2_free_model(model);
    return model != NULL;
}

static bool release5(md5_model *model)
{
    md5_free_model(model);
    return model != NULL;
}

static bool release_anim5(md5_anim *anim)
{
    md5_free_anim(anim);
    return anim != NULL;
}

/* -- The calls: each sets `done`, or writes to the outputs ------------------- */

static bool done;

#define CALL(function) static void call_##function(void)

CALL(md2_load_memory)
{
    done = release2(md2_load_memory(P(0, bytes2.data), bytes2.size, P(1, &options2),
                                    P(2, &error2)));
}

CALL(md2_load_reader)
{
    md2_reader reader = { read_bytes, NULL };
    reader.user = &bytes2;
    done = release2(md2_load_reader(P(0, &reader), P(1, &options2), P(2, &error2)));
}

CALL(md2_load_file) { done = release2(md2_load_file(P(0, file2), P(1, &options2), P(2, &error2))); }

CALL(md2_free_model)
{
    md2_model *model = md2_load_memory(bytes2.data, bytes2.size, &options2, NULL);
    size_t before = memory.releases;
    md2_free_model(P(0, model));
    done = memory.releases > before;
    if (!done) md2_free_model(model);
}

static bool accept_path(void *user, const char *path) { (void)user; return path[0] != 0; }

CALL(md2_find_skin)
{
    done = md2_find_skin(P(0, model2), P(1, file2), 0, P(2, accept_path), P(3, &bytes2),
                         P(4, out_path), sizeof out_path);
}

CALL(md2_skin_path)
{
    done = md2_skin_path(P(0, model2), P(1, file2), 0, 0, P(2, out_path), sizeof out_path);
}

CALL(md2_load_pcx_memory)
{
    uint32_t width = 0, height = 0;
    uint8_t *pixels = md2_load_pcx_memory(P(0, pcx.data), pcx.size, P(1, &width), P(2, &height),
                                          P(3, &options2), P(4, &error2));
    md2_free_image(pixels, width, height, P(3, &options2));
    done = pixels != NULL;
}

CALL(md2_free_image)
{
    const md2_options *options = P(1, &options2);
    uint32_t width, height;
    uint8_t *pixels = md2_load_pcx_memory(pcx.data, pcx.size, &width, &height, options, NULL);
    size_t before = memory.releases;
    md2_free_image(P(0, pixels), width, height, options);
    done = memory.releases > before || !options;
    if (!done) md2_free_image(pixels, width, height, options);
}

CALL(md2_split_frame_names)
{
    static const char *const names[2] = { "run1", "run2" };
    md2_anim anims[2];
    done = md2_split_frame_names(P(0, names), 2, P(1, &options2), P(2, anims), 2) == 1;
}

CALL(md2_find_anim) { done = md2_find_anim(P(0, model2), P(1, "stand")) != NULL; }
CALL(md2_find_frame) { done = md2_find_frame(P(0, model2), P(1, model2->frames[0].name)) == 0; }
CALL(md2_anim_length) { done = md2_anim_length(P(0, model2->anims), MD2_LOOP) > 0; }
CALL(md2_pose_at) { done = md2_pose_at(P(0, model2->anims), MD2_LOOP, 0.01).count > 0; }

CALL(md2_pose_vertices)
{
    md2_pose_vertices(P(0, model2), P(1, &pose2), P(2, floats[0]), 0, P(3, floats[1]), 0);
}

CALL(md2_pose_bounds)
{
    md2_pose_bounds(P(0, model2), P(1, &pose2), P(2, floats[0]), P(3, floats[1]));
}

CALL(md2_pose_triangle)
{
    done = md2_pose_triangle(P(0, model2), P(1, &pose2), 0, P(2, floats[0]));
}

CALL(md2_play)
{
    memset(&player2, 0, sizeof player2);
    md2_play(P(0, &player2), P(1, model2->anims), MD2_LOOP, 0);
    done = player2.track_count == 1;
}

CALL(md2_advance) { done = md2_advance(P(0, &player2), 1) == MD2_FINISHED; }

CALL(md2_crossed)
{
    md2_advance(&player2, 1);
    done = md2_crossed(P(0, &player2), model2->anims[0].first + model2->anims[0].count - 1) == 1;
}

CALL(md2_playing) { done = md2_playing(P(0, &player2)) != NULL; }

CALL(md2_track_weights)
{
    float weights[5] = { 0, 0, 0, 0, 0 };
    md2_track_weights(P(0, &player2), P(1, weights));
    done = weights[0] > 0;
}

CALL(md2_pause) { md2_pause(P(0, &player2), true); done = player2.paused; }
CALL(md2_stop) { md2_stop(P(0, &player2)); done = player2.paused; }
CALL(md2_seek) { md2_seek(P(0, &player2), 0); done = !(player2.track[0].time > 0); }
CALL(md2_player_pose) { done = md2_player_pose(P(0, &player2)).count > 0; }

CALL(md2_gl_create)
{
    md2_gl_options options;
    md2_gl *gl;
    memset(&options, 0, sizeof options);
    gl = md2_gl_create(P(0, fake_gl_get_proc), P(1, &options), P(2, &error2));
    md2_gl_destroy(gl);
    done = gl != NULL;
}

CALL(md2_gl_destroy)
{
    md2_gl *gl = md2_gl_create(fake_gl_get_proc, NULL, NULL);
    unsigned before = fake_gl_live(FAKE_PROGRAM);
    md2_gl_destroy(P(0, gl));
    done = fake_gl_live(FAKE_PROGRAM) < before;
    if (!done) md2_gl_destroy(gl);
}

CALL(md2_gl_program) { done = md2_gl_program(P(0, gl2)) != 0; }

CALL(md2_gl_upload)
{
    md2_gl_mesh mesh;
    done = md2_gl_upload(P(0, gl2), P(1, model2), P(2, &mesh), P(3, &error2));
    if (done) md2_gl_free_mesh(gl2, &mesh);
}

CALL(md2_gl_free_mesh)
{
    md2_gl_mesh mesh;
    CHECK(md2_gl_upload(gl2, model2, &mesh, NULL));
    md2_gl_free_mesh(P(0, gl2), P(1, &mesh));
    done = mesh.vao == 0;
    md2_gl_free_mesh(gl2, &mesh);
}

CALL(md2_gl_create_texture)
{
    static const uint8_t texel[4] = { 1, 2, 3, 4 };
    done = md2_gl_create_texture(P(0, gl2), P(1, texel), 1, 1) != 0;
}

CALL(md2_gl_load_skin)
{
    done = md2_gl_load_skin(P(0, gl2), P(1, model2), P(2, file2), 0, P(3, &error2)) != 0;
}

CALL(md2_gl_draw)
{
    md2_gl_scene scene;
    md2_gl_instance one;
    unsigned long before = fake.draws;
    memset(&scene, 0, sizeof scene);
    memset(&one, 0, sizeof one);
    md2_gl_draw(P(0, gl2), P(1, &mesh2), 0, P(2, &scene), P(3, &one), 1);
    done = fake.draws > before;
}

CALL(md5_load_model_memory)
{
    done = release5(md5_load_model_memory(P(0, text5.bytes), text5.size, P(1, &options5),
                                          P(2, &error5)));
}

CALL(md5_load_anim_memory)
{
    done = release_anim5(md5_load_anim_memory(P(0, clip5.bytes), clip5.size, P(1, "name"),
                                              P(2, &options5), P(3, &error5)));
}

CALL(md5_load_model_reader)
{
    m2_bytes from = { NULL, 0 };
    md5_reader reader = { read_bytes, NULL };
    from.data = (uint8_t *)text5.bytes;
    from.size = text5.size;
    reader.user = &from;
    done = release5(md5_load_model_reader(P(0, &reader), P(1, &options5), P(2, &error5)));
}

CALL(md5_load_anim_reader)
{
    m2_bytes from = { NULL, 0 };
    md5_reader reader = { read_bytes, NULL };
    from.data = (uint8_t *)clip5.bytes;
    from.size = clip5.size;
    reader.user = &from;
    done = release_anim5(md5_load_anim_reader(P(0, &reader), P(1, "name"), P(2, &options5),
                                              P(3, &error5)));
}

CALL(md5_load_model_file)
{
    done = release5(md5_load_model_file(P(0, file5), P(1, &options5), P(2, &error5)));
}

CALL(md5_load_anim_file)
{
    done = release_anim5(md5_load_anim_file(P(0, clip_file5), P(1, &options5), P(2, &error5)));
}

CALL(md5_free_model)
{
    md5_model *model = md5_load_model_memory(text5.bytes, text5.size, &options5, NULL);
    size_t before = memory.releases;
    md5_free_model(P(0, model));
    done = memory.releases > before;
    if (!done) md5_free_model(model);
}

CALL(md5_free_anim)
{
    md5_anim *anim = md5_load_anim_memory(clip5.bytes, clip5.size, NULL, &options5, NULL);
    size_t before = memory.releases;
    md5_free_anim(P(0, anim));
    done = memory.releases > before;
    if (!done) md5_free_anim(anim);
}

CALL(md5_find_texture)
{
    done = md5_find_texture(P(0, model5), P(1, file5), 0, P(2, accept_path), P(3, &bytes2),
                         P(4, out_path), sizeof out_path);
}

CALL(md5_texture_path)
{
    done = md5_texture_path(P(0, model5), P(1, file5), 0, 0, P(2, out_path), sizeof out_path);
}

CALL(md5_check_anim) { done = md5_check_anim(P(0, model5), P(1, anim5), P(2, &error5)) == MD5_OK; }

CALL(md5_retarget_anim)
{
    uint32_t missing;
    done = release_anim5(md5_retarget_anim(P(0, model5), P(1, anim5), P(2, &missing),
                                           P(3, &options5), P(4, &error5)));
}

CALL(md5_find_joint) { done = md5_find_joint(P(0, model5), P(1, model5->joints[0].name)) == 0; }
CALL(md5_anim_length) { done = md5_anim_length(P(0, anim5), MD5_LOOP) > 0; }
CALL(md5_pose_bind) { md5_pose_bind(P(0, model5), P(1, out5)); }
CALL(md5_pose_at) { md5_pose_at(P(0, anim5), MD5_LOOP, 0.1, P(1, out5)); }

CALL(md5_pose_mix)
{
    md5_pose_mix(P(0, pose5), P(1, other5), 0.5f, P(2, floats[0]), 2, P(3, out5));
}

CALL(md5_pose_add)
{
    md5_pose_add(P(0, pose5), P(1, other5), P(2, pose5), 0.5f, P(3, floats[0]), 2, P(4, out5));
}

CALL(md5_mask_branch) { md5_mask_branch(P(0, model5), 0, 0.5f, P(1, floats[0])); }
CALL(md5_root_motion) { md5_root_motion(P(0, anim5), MD5_LOOP, 0, 0.2, P(1, out5)); }
CALL(md5_pose_in_place) { md5_pose_in_place(P(0, anim5), MD5_LOOP, 0.1, P(1, out5)); }
CALL(md5_pose_to_model_space) { md5_pose_to_model_space(P(0, model5), P(1, pose5), P(2, out5)); }
CALL(md5_pose_matrix) { md5_pose_matrix(P(0, pose5), P(1, floats[0])); }
CALL(md5_pose_palette) { md5_pose_palette(P(0, model5), P(1, pose5), P(2, floats[0])); }

CALL(md5_pose_vertices)
{
    md5_pose_vertices(P(0, model5), 0, P(1, pose5), P(2, floats[0]), 0, P(3, floats[1]), 0,
                      P(4, floats[2]), 0);
}

CALL(md5_pose_bounds)
{
    md5_pose_bounds(P(0, model5), P(1, pose5), P(2, floats[0]), P(3, floats[1]));
}

CALL(md5_anim_slice) { done = md5_anim_slice(P(0, anim5), 0, 1, P(1, "one")).frame_count > 0; }

CALL(md5_vertex_joints)
{
    uint32_t joints[4];
    done = md5_vertex_joints(P(0, model5), 0, 0, 4, P(1, joints), P(2, floats[0]));
}

CALL(md5_play)
{
    memset(&player5, 0, sizeof player5);
    md5_play(P(0, &player5), P(1, anim5), MD5_LOOP, 0);
    done = player5.track_count == 1;
}

CALL(md5_advance) { done = md5_advance(P(0, &player5), 1) == MD5_FINISHED; }

CALL(md5_crossed)
{
    md5_advance(&player5, 1);
    done = md5_crossed(P(0, &player5), anim5->frame_count - 1) == 1;
}

CALL(md5_playing) { done = md5_playing(P(0, &player5)) != NULL; }

CALL(md5_track_weights)
{
    float weights[5] = { 0, 0, 0, 0, 0 };
    md5_track_weights(P(0, &player5), P(1, weights));
    done = weights[0] > 0;
}

CALL(md5_pause) { md5_pause(P(0, &player5), true); done = player5.paused; }
CALL(md5_stop) { md5_stop(P(0, &player5)); done = player5.paused; }
CALL(md5_seek) { md5_seek(P(0, &player5), 0); done = !(player5.track[0].time > 0); }
CALL(md5_player_pose) { md5_player_pose(P(0, model5), P(1, &player5), P(2, out5), P(3, other5)); }

CALL(md5_player_pose_over)
{
    md5_player_pose_over(P(0, model5), P(1, &player5), P(2, floats[0]), P(3, out5), P(4, other5));
}


CALL(md5_gl_create)
{
    md5_gl_options options;
    md5_gl *gl;
    memset(&options, 0, sizeof options);
    gl = md5_gl_create(P(0, fake_gl_get_proc), P(1, &options), P(2, &error5));
    md5_gl_destroy(gl);
    done = gl != NULL;
}

CALL(md5_gl_destroy)
{
    md5_gl *gl = md5_gl_create(fake_gl_get_proc, NULL, NULL);
    unsigned before = fake_gl_live(FAKE_PROGRAM);
    md5_gl_destroy(P(0, gl));
    done = fake_gl_live(FAKE_PROGRAM) < before;
    if (!done) md5_gl_destroy(gl);
}

CALL(md5_gl_program) { done = md5_gl_program(P(0, gl5)) != 0; }

CALL(md5_gl_upload)
{
    md5_gl_mesh mesh;
    done = md5_gl_upload(P(0, gl5), P(1, model5), 0, P(2, &mesh), P(3, &error5));
    if (done) md5_gl_free_mesh(gl5, &mesh);
}

CALL(md5_gl_free_mesh)
{
    md5_gl_mesh mesh;
    CHECK(md5_gl_upload(gl5, model5, 0, &mesh, NULL));
    md5_gl_free_mesh(P(0, gl5), P(1, &mesh));
    done = mesh.vao == 0;
    md5_gl_free_mesh(gl5, &mesh);
}

CALL(md5_gl_create_texture)
{
    static const uint8_t texel[4] = { 1, 2, 3, 4 };
    done = md5_gl_create_texture(P(0, gl5), P(1, texel), 1, 1) != 0;
}

CALL(md5_gl_load_texture)
{
    done = md5_gl_load_texture(P(0, gl5), P(1, model5), P(2, file5), 0, P(3, &error5)) != 0;
}

CALL(md5_gl_draw_meshes)
{
    uint32_t texture = 0;
    md5_gl_scene scene;
    md5_gl_instance one;
    unsigned long before = fake.draws;
    memset(&scene, 0, sizeof scene);
    memset(&one, 0, sizeof one);
    md5_gl_draw_meshes(P(0, gl5), P(1, &mesh5), P(2, &texture), 1, P(3, &scene), P(4, &one), 1);
    done = fake.draws > before;
}

CALL(md5_gl_draw)
{
    md5_gl_scene scene;
    md5_gl_instance one;
    unsigned long before = fake.draws;
    memset(&scene, 0, sizeof scene);
    memset(&one, 0, sizeof one);
    md5_gl_draw(P(0, gl5), P(1, &mesh5), 0, P(2, &scene), P(3, &one), 1);
    done = fake.draws > before;
}

/* -- The table ------------------------------------------------------------- */

typedef struct row {
    const char *name;
    unsigned    pointers;
    const char *optional;             /* digits: the pointers without which it works */
    void      (*call)(void);
} row;

#define ROW(function, pointers, optional) { #function, pointers, optional, call_##function }

static const row rows[] = {
    ROW(md2_load_memory, 3, "12"),
    ROW(md2_load_reader, 3, "12"),
    ROW(md2_load_file, 3, "12"),
    ROW(md2_free_model, 1, ""),
    ROW(md2_skin_path, 3, "1"),
    ROW(md2_find_skin, 5, "13"),
    ROW(md2_load_pcx_memory, 5, "34"),
    ROW(md2_free_image, 2, "1"),
    ROW(md2_split_frame_names, 3, "12"),
    ROW(md2_find_anim, 2, ""),
    ROW(md2_find_frame, 2, ""),
    ROW(md2_anim_length, 1, ""),
    ROW(md2_pose_at, 1, ""),
    ROW(md2_pose_vertices, 4, "123"),
    ROW(md2_pose_bounds, 4, "1"),
    ROW(md2_pose_triangle, 3, "1"),
    ROW(md2_play, 2, "1"),
    ROW(md2_advance, 1, ""),
    ROW(md2_crossed, 1, ""),
    ROW(md2_playing, 1, ""),
    ROW(md2_track_weights, 2, ""),
    ROW(md2_pause, 1, ""),
    ROW(md2_stop, 1, ""),
    ROW(md2_seek, 1, ""),
    ROW(md2_player_pose, 1, ""),
    ROW(md2_gl_create, 3, "12"),
    ROW(md2_gl_destroy, 1, ""),
    ROW(md2_gl_program, 1, ""),
    ROW(md2_gl_upload, 4, "3"),
    ROW(md2_gl_free_mesh, 2, ""),
    ROW(md2_gl_create_texture, 2, ""),
    ROW(md2_gl_load_skin, 4, "3"),
    ROW(md2_gl_draw, 4, ""),
    ROW(md5_load_model_memory, 3, "12"),
    ROW(md5_load_anim_memory, 4, "123"),
    ROW(md5_load_model_reader, 3, "12"),
    ROW(md5_load_anim_reader, 4, "123"),
    ROW(md5_load_model_file, 3, "12"),
    ROW(md5_load_anim_file, 3, "12"),
    ROW(md5_free_model, 1, ""),
    ROW(md5_free_anim, 1, ""),
    ROW(md5_texture_path, 3, "1"),
    ROW(md5_find_texture, 5, "13"),
    ROW(md5_check_anim, 3, "2"),
    ROW(md5_retarget_anim, 5, "234"),
    ROW(md5_find_joint, 2, ""),
    ROW(md5_anim_length, 1, ""),
    ROW(md5_pose_bind, 2, ""),
    ROW(md5_pose_at, 2, ""),
    ROW(md5_pose_mix, 4, "2"),
    ROW(md5_pose_add, 5, "3"),
    ROW(md5_mask_branch, 2, ""),
    ROW(md5_root_motion, 2, "0"),
    ROW(md5_pose_in_place, 2, ""),
    ROW(md5_pose_to_model_space, 3, ""),
    ROW(md5_pose_matrix, 2, ""),
    ROW(md5_pose_palette, 3, ""),
    ROW(md5_pose_vertices, 5, "234"),
    ROW(md5_pose_bounds, 4, ""),
    ROW(md5_anim_slice, 2, "1"),
    ROW(md5_vertex_joints, 3, ""),
    ROW(md5_play, 2, "1"),
    ROW(md5_advance, 1, ""),
    ROW(md5_crossed, 1, ""),
    ROW(md5_playing, 1, ""),
    ROW(md5_track_weights, 2, ""),
    ROW(md5_pause, 1, ""),
    ROW(md5_stop, 1, ""),
    ROW(md5_seek, 1, ""),
    ROW(md5_player_pose, 4, ""),
    ROW(md5_player_pose_over, 5, "2"),
    ROW(md5_gl_create, 3, "12"),
    ROW(md5_gl_destroy, 1, ""),
    ROW(md5_gl_program, 1, ""),
    ROW(md5_gl_upload, 4, "3"),
    ROW(md5_gl_free_mesh, 2, ""),
    ROW(md5_gl_create_texture, 2, ""),
    ROW(md5_gl_load_texture, 4, "3"),
    ROW(md5_gl_draw, 4, ""),
    ROW(md5_gl_draw_meshes, 5, "2")
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static bool does_something(const row *one)
{
    reset_outputs();
    done = false;
    one->call();
    return done || has_written();
}

static void test_rows(void)
{
    unsigned i, calls = 0;
    for (i = 0; i < ROWS; ++i) {
        check_subject(rows[i].name);
        null_at = NO_NULL;
        CHECK(does_something(&rows[i]));
        for (null_at = 0; null_at < rows[i].pointers; ++null_at, ++calls) {
            bool optional = strchr(rows[i].optional, '0' + (int)null_at) != NULL;
            if (does_something(&rows[i]) != optional) {
                printf("%s with its pointer %u NULL:\n", rows[i].name, null_at);
                CHECK(false);
            }
        }
    }
    CHECK_FLOOR(calls, 170, "calls with a NULL");
    CHECK_EQ(fake.mistakes, 0);
}

/* -- Each declaration with a pointer has a row ------------------------------- */

static unsigned count_pointers(const char *parameters, const char *end)
{
    unsigned count = 0;
    while (parameters < end) {
        const char *comma = parameters;
        bool is_pointer = false;
        int depth = 0; /* a function's own parameters are in parentheses */
        for (; comma < end && (*comma != ',' || depth); ++comma) {
            depth += (*comma == '(') - (*comma == ')');
            is_pointer = is_pointer || *comma == '*' || *comma == '[' ||
                         strncmp(comma, "gl_get_proc ", 12) == 0;
        }
        count += is_pointer;
        parameters = comma + 1;
    }
    return count;
}

/* Returns the number of declarations with pointers. */
static unsigned check_declarations(const char *path, const char *mark)
{
    size_t size = 0;
    char *bytes = (char *)read_file(path, &size), *text = (char *)malloc_or_abort(size + 1), *at;
    unsigned found = 0, i;
    if (CHECK(bytes != NULL)) memcpy(text, bytes, size);
    text[size] = 0;
    at = strstr(text, "End of the interface");
    if (CHECK(at != NULL)) *at = 0;
    for (at = text; (at = strstr(at, mark)) != NULL; ++at) {
        char *open = strchr(at, '('), *close = open ? strstr(open, ");") : NULL, *name = open;
        unsigned pointers;
        if (at[-1] != '\n' || !close) continue;
        pointers = count_pointers(open + 1, close);
        while (name[-1] != ' ' && name[-1] != '*') --name;
        *open = 0;
        check_subject(name);
        for (i = 0; i < ROWS && strcmp(rows[i].name, name) != 0; ++i) {
        }
        CHECK_EQ(i < ROWS ? rows[i].pointers : 0, pointers);
        *open = '(';
        found += pointers > 0;
    }
    check_subject("");
    free(bytes);
    free(text);
    return found;
}

/* -- All of it --------------------------------------------------------------- */

static void prepare(const char *folder)
{
    char pcx_file[512];
    unsigned i;
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
    fake_gl_reset();
    gl2 = md2_gl_create(fake_gl_get_proc, NULL, NULL);
    gl5 = md5_gl_create(fake_gl_get_proc, NULL, NULL);
    CHECK(md2_gl_upload(gl2, model2, &mesh2, NULL) && md5_gl_upload(gl5, model5, 0, &mesh5, NULL));
    pose2 = md2_pose_between(3, 8, 0.25f);
    for (i = 0; i < JOINTS; ++i) pose5[i].rotation[3] = other5[i].rotation[3] = 1;
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
    CHECK(counting_is_clean(&memory));
    fake_gl_reset();
}

int main(int argc, char **argv)
{
    unsigned found;
    check_section("preparations");
    prepare(argc > 1 ? argv[1] : ".");
    check_section("calls");
    test_rows();
    check_section("declarations");
    found = check_declarations("md2.h", "MD2_API ") + check_declarations("md5.h", "MD5_API ");
    CHECK_EQ(found, ROWS);
    clean_up();
    return check_finish();
}
