/* calls.c: loads a file, then makes every kind of call with it. The file is an MD2, or an .md5mesh, a NUL and an
   .md5anim; if one of the two is missing, the arm of model_builder_md5.h replaces it. Times, weights and strides
   include unusual values. Models are drawn on the fake GL, which may fail. The last bytes of the input are a script
   that decides which calls are made and with which numbers. */
#include "fuzz.h"

#ifndef MD2_GL
  #define MD2_GL
  #define MD2_SMOOTH
  #define MD5_GL
#endif
#include "md2_model.h"
#include "md5_model.h"

FUZZ_UNSEEN_BEGIN

#include "fake_gl.h"
#include "model_builder_md5.h"

/* -- Memory for results ----------------------------------------------------- */

typedef struct fuzz_column {
    float *first;
    size_t stride, width; /* stride: as passed to the library; width: number of floats */
    uint32_t count;
} fuzz_column;

/* Allocates exactly the bytes to which `count` items are written. */
static fuzz_column fuzz_make_column(uint32_t count, size_t width, fuzz_dice *dice)
{
    static const size_t more[] = { 0, 0, 4, 8, 20 };
    size_t tight = width * sizeof(float), stride = tight + FUZZ_PICK(dice, more);
    fuzz_column column = { NULL, stride, width, count };
    if (stride == tight && fuzz_below(dice, 2)) column.stride = 0;
    column.first = (float *)fuzz_take(count ? (count - 1) * stride + tight : 0, 0);
    if (fuzz_below(dice, 8) == 0) column.first = NULL;
    return column;
}

static const float *fuzz_row(const fuzz_column *column, uint32_t row)
{
    size_t stride = column->stride ? column->stride : column->width * sizeof(float);
    return (const float *)(const void *)((const char *)column->first + row * stride);
}

static void fuzz_check_column(const fuzz_column *column)
{
    for (uint32_t i = 0; column->first && i < column->count; ++i)
        fuzz_check_finite(fuzz_row(column, i), column->width);
}

static void fuzz_check_in_bounds(const fuzz_column *positions, const float min[3],
                                 const float max[3])
{
    for (uint32_t i = 0; positions->first && i < positions->count; ++i) {
        const float *at = fuzz_row(positions, i);
        for (int k = 0; k < 3; ++k) FUZZ_CHECK(at[k] >= min[k] && at[k] <= max[k]);
    }
}

/* -- GL --------------------------------------------------------------------- */

static struct fuzz_gl {
    md2_gl *md2;
    md5_gl *md5;
    unsigned names; /* number of objects that outlive an input */
    bool unreliable; /* the renderers were created while GL might fail */
    fake_state state;
} fuzz_gl;

static void fuzz_drop_gl(void)
{
    md2_gl_destroy(fuzz_gl.md2);
    md5_gl_destroy(fuzz_gl.md5);
    memset(&fuzz_gl, 0, sizeof fuzz_gl);
}

/* From now on, GL may run out of memory, return an error, or lose its context. If `draws` is true, its memory does not
   run out, because only a draw larger than all earlier draws checks for that. */
static void fuzz_trouble_gl(fuzz_dice *dice, bool draws)
{
    uint32_t trouble = fuzz_below(dice, 16);
    fake.gpu_requests = 0;
    fake.gpu_fail_at = trouble < 4 && !draws ? trouble : 0;
    fake.gpu_error = trouble == 3 ? FAKE_INVALID_OPERATION : 0;
    fake.lost = fake.lost || (trouble == 4 && fuzz_below(dice, 4) == 0);
}

static void fuzz_begin_gl(fuzz_dice *dice)
{
    static const unsigned refused[] = { 0, 0, FAKE_VERTEX_SHADER, FAKE_LINK_STATUS };
    bool unreliable = fuzz_below(dice, 24) == 23;
    if (unreliable) fuzz_drop_gl();
    if (!fuzz_gl.md2) {
        fake_gl_reset();
        if (unreliable) fuzz_trouble_gl(dice, false);
        if (unreliable) fake.refuse = FUZZ_PICK(dice, refused);
        fuzz_gl.md2 = md2_gl_create(fake_gl_get_proc, NULL, NULL);
        fuzz_gl.md5 = md5_gl_create(fake_gl_get_proc, NULL, NULL);
        FUZZ_CHECK(unreliable || (fuzz_gl.md2 && fuzz_gl.md5));
        fuzz_gl.names = fake.names;
    }
    for (unsigned name = fuzz_gl.names + 1; name <= fake.names; ++name) {
        memset(&fake.object[name], 0, sizeof fake.object[name]);
    }
    fake.names = fuzz_gl.names;
    fuzz_gl.unreliable = unreliable;
    fuzz_gl.state = fake.state;
}

/* Checks that no object is left and that the state is unchanged, whatever has failed. A lost context may keep objects
   and state. */
static void fuzz_end_gl(void)
{
    for (unsigned name = fuzz_gl.names + 1; name <= fake.names; ++name)
        FUZZ_CHECK(!fake.object[name].live || fake.lost);
    FUZZ_CHECK(fake.lost || fake_gl_difference(&fuzz_gl.state) == NULL);
    if (fake.mistakes) fprintf(stderr, "%s\n", fake.first_mistake);
    FUZZ_CHECK(fake.mistakes == 0);
    fake.gpu_fail_at = 0;
    if (fake.lost || fuzz_gl.unreliable) fuzz_drop_gl();
}

static void fuzz_any_floats(float *out, size_t count, fuzz_dice *dice)
{
    for (size_t i = 0; i < count; ++i) out[i] = fuzz_float(dice);
}

/* Makes a random call with a player; `md` is md2 or md5. */
#define FUZZ_STEP_PLAYER(md, MODE, player, any_anim, dice)                                       \
    switch (fuzz_below(dice, 10)) {                                                              \
    case 0:                                                                                      \
    case 1:                                                                                      \
    case 2:                                                                                      \
        md##_play(player, fuzz_below(dice, 8) ? any_anim : NULL, (MODE)fuzz_below(dice, 3),      \
                  fuzz_float(dice));                                                             \
        break;                                                                                   \
    case 3: md##_seek(player, fuzz_time(dice)); break;                                           \
    case 4: md##_pause(player, fuzz_below(dice, 2) != 0); break;                                 \
    case 5: md##_stop(player); break;                                                            \
    case 6: (player)->speed = fuzz_float(dice); break;                                           \
    case 7: md##_play_in_phase(player, any_anim, fuzz_float(dice)); break;                       \
    default: FUZZ_CHECK(md##_advance(player, (float)fuzz_time(dice)) <= 3); /* looped, finished */ \
    }                                                                                            \
    FUZZ_CHECK((player)->track_count <= 5)

/* -- MD2 -------------------------------------------------------------------- */

static md2_anim fuzz_md2_anim(const md2_model *model, fuzz_dice *dice)
{
    static const uint32_t numbers[] = { 0, 1, 2, 65534, 65535, 65536, 0x7FFFFFFF, 0xFFFFFFFF };
    md2_anim anim;
    uint32_t count = model->anim_count;
    if (count && fuzz_below(dice, 3)) return model->anims[fuzz_below(dice, count)];
    memset(&anim, 0, sizeof anim);
    anim.first = FUZZ_PICK(dice, numbers);
    anim.count = FUZZ_PICK(dice, numbers);
    anim.fps = fuzz_float(dice);
    return anim;
}

static void fuzz_check_md2_pose(const md2_pose *pose)
{
    double sum = 0;
    FUZZ_CHECK(pose->count <= 8);
    for (uint32_t i = 0; i < pose->count; ++i) {
        FUZZ_CHECK(pose->weight[i] > 0 && pose->weight[i] <= 1);
        sum += (double)pose->weight[i];
    }
    FUZZ_CHECK(pose->count == 0 || (sum > 0.9999 && sum < 1.0001));
}

static md2_pose fuzz_md2_player(const md2_model *model, fuzz_dice *dice)
{
    md2_player player;
    md2_anim anim = fuzz_md2_anim(model, dice);
    md2_pose pose;
    uint32_t steps = 1 + fuzz_below(dice, 30);
    memset(&player, fuzz_below(dice, 8) ? 0 : 255, sizeof player); /* a player that was not zeroed */
    FUZZ_CHECK(md2_playing(&player, NULL) && md2_crossed(&player, &anim, 0) == 0);
    if (player.track_count) md2_advance(&player, fuzz_float(dice));
    for (; steps; --steps) {
        anim = fuzz_md2_anim(model, dice);
        FUZZ_STEP_PLAYER(md2, md2_mode, &player, &anim, dice);
        FUZZ_CHECK(md2_crossed(&player, &anim, fuzz_below(dice, model->frame_count + 1)) >= 0);
        FUZZ_CHECK(!md2_playing(&player, NULL) || !md2_crossed(&player, &anim, 0));
        pose = md2_player_pose(&player);
        fuzz_check_md2_pose(&pose);
    }
    return md2_player_pose(&player);
}

static md2_pose fuzz_make_md2_pose(const md2_model *model, fuzz_dice *dice)
{
    md2_anim anim = fuzz_md2_anim(model, dice);
    md2_pose a = md2_pose_at(&anim, (md2_mode)fuzz_below(dice, 3), fuzz_time(dice)),
             b = fuzz_md2_player(model, dice);
    md2_pose c =
        md2_pose_between(fuzz_below(dice, model->frame_count), fuzz_throw(dice), fuzz_float(dice));
    FUZZ_CHECK(md2_anim_length(&anim, MD2_LOOP) >= 0);
    fuzz_check_md2_pose(&a);
    fuzz_check_md2_pose(&c);
    a = md2_pose_mix(a, b, fuzz_float(dice));
    a = md2_pose_mix(a, c, fuzz_float(dice));
    fuzz_check_md2_pose(&a);
    c = md2_pose_reduce(a, 2);
    fuzz_check_md2_pose(&c);
    FUZZ_CHECK(c.count == 1 || c.count == 2);
    return a;
}

/* Returns a pose with any bytes, as a caller may pass it. The library may only read the model's memory. */
static md2_pose fuzz_wild_md2_pose(fuzz_dice *dice)
{
    md2_pose pose;
    pose.count = fuzz_below(dice, 3) ? fuzz_below(dice, 12) : fuzz_throw(dice);
    for (uint32_t i = 0; i < 8; ++i) {
        pose.frame[i] = (uint16_t)fuzz_throw(dice);
        pose.weight[i] = fuzz_strange_float(fuzz_throw(dice));
    }
    return pose;
}

/* Returns false near the largest float, where weights that sum to slightly more than 1 give infinity. */
static bool fuzz_is_moderate_md2(const md2_model *model)
{
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        const md2_frame *frame = &model->frames[i];
        for (uint32_t k = 0; k < 3; ++k) {
            if (fabs((double)frame->translate[k]) > 1e37 || fabs((double)frame->scale[k]) > 1e34)
                return false;
        }
    }
    return true;
}

static void fuzz_pose_md2(const md2_model *model, const md2_pose *pose, bool moderate, fuzz_dice *dice)
{
    fuzz_column positions = fuzz_make_column(model->vertex_count, 3, dice);
    fuzz_column normals = fuzz_make_column(model->vertex_count, 3, dice);
    float min[3], max[3], frame[16];
    uint32_t triangles = model->index_count / 3;
    md2_pose_vertices(model, pose, positions.first, positions.stride, normals.first,
                      normals.stride);
    md2_pose_bounds(model, pose, min, max);
    if (triangles && md2_pose_triangle(model, pose, fuzz_below(dice, triangles), frame) && moderate) {
        fuzz_check_finite(frame, 16);
    }
    if (!moderate) return;
    fuzz_check_column(&positions);
    fuzz_check_column(&normals);
    fuzz_check_in_bounds(&positions, min, max);
}

static void fuzz_draw_md2(const md2_model *model, const md2_pose *pose, fuzz_dice *dice)
{
    md2_gl_instance instances[3];
    md2_gl_scene scene;
    md2_gl_mesh mesh;
    md2_error error;
    size_t count = fuzz_below(dice, 4), i;
    fuzz_trouble_gl(dice, false);
    if (!md2_gl_upload(fuzz_gl.md2, model, &mesh, &error)) {
        FUZZ_CHECK(error.message[0] != 0);
        return;
    }
    memset(instances, 0, sizeof instances);
    memset(&scene, 0, sizeof scene);
    for (i = 0; i < count; ++i) {
        instances[i].pose = i == 0 ? *pose : fuzz_wild_md2_pose(dice);
        if (fuzz_below(dice, 2)) fuzz_any_floats(instances[i].transform, 16, dice);
        fuzz_any_floats(instances[i].tint, 4, dice);
    }
    fuzz_any_floats(scene.view_projection, 16, dice);
    fuzz_trouble_gl(dice, true);
    md2_gl_draw(fuzz_gl.md2, &mesh, 0, &scene, instances, count);
    md2_gl_free_mesh(fuzz_gl.md2, &mesh);
    md2_gl_free_mesh(fuzz_gl.md2, &mesh);
}

/* Replaces a stored model by the smoothed model, if there is memory for it. */
static md2_model *fuzz_smooth_md2(md2_model *model, const fuzz_input *input)
{
    md2_options options = fuzz_md2_options(input);
    size_t points = model->point_count, places = points * model->frame_count;
    size_t live = fuzz_memory.live_bytes;
    md2_error error;
    fuzz_measure(model->bytes + 320 * points + 24 * places + 128 * (size_t)model->frame_count + 4096,
                 input);
    md2_model *smooth = md2_smooth_model(model, &options, &error);
    fuzz_check_md2_error(&error, smooth != NULL, input);
    FUZZ_CHECK(fuzz_memory.live_bytes == live + (smooth ? smooth->bytes : 0));
    if (!smooth) return model;
    for (size_t i = 0; i < places; ++i) {
        const md2_frame *frame = &smooth->frames[i / points];
        const md2_fine *fine = &frame->fine[i % points];
        const uint8_t *stored = (const uint8_t *)&frame->points[i % points];
        FUZZ_INITIALISED(fine, sizeof *fine);
        for (size_t axis = 0; axis < 3; ++axis) {
            FUZZ_CHECK(fine->position[axis] >> 8 == stored[axis] && (fine->position[axis] & 255));
        }
    }
    md2_free_model(model);
    return smooth;
}

static void fuzz_use_md2(fuzz_input *input)
{
    md2_options options = fuzz_md2_options(input);
    fuzz_measure(32 * input->size + 4096, input);
    md2_model *model = md2_load_memory(input->data, input->size, &options, NULL);
    bool moderate = model && fuzz_is_moderate_md2(model);
    for (uint32_t round = 0; model && round < 3; ++round) {
        md2_pose pose = fuzz_make_md2_pose(model, &input->dice);
        md2_pose wild = fuzz_wild_md2_pose(&input->dice);
        fuzz_pose_md2(model, &pose, moderate, &input->dice);
        fuzz_pose_md2(model, &wild, false, &input->dice);
        if (round == 0) fuzz_draw_md2(model, &pose, &input->dice);
        if (round == 0 && fuzz_below(&input->dice, 2)) model = fuzz_smooth_md2(model, input);
    }
    md2_free_model(model);
}

/* -- MD5 -------------------------------------------------------------------- */

typedef struct fuzz_actor {
    const md5_model *model;
    const md5_anim *anim, *fitted; /* `fitted` is `anim` retargeted to the model */
    md5_xform *pose, *scratch;    /* one transform for each joint of the model */
    fuzz_dice *dice;
} fuzz_actor;

static md5_xform *fuzz_xforms(uint32_t count)
{
    return (md5_xform *)fuzz_take(count * sizeof(md5_xform), 0);
}

static void fuzz_check_rotations(const md5_xform *pose, uint32_t count)
{
    for (; count; --count, ++pose) fuzz_check_unit(pose->rotation);
}

/* Returns a joint of the model, or -1, or the index after the last joint. */
static int fuzz_joint(const fuzz_actor *actor)
{
    return (int)fuzz_below(actor->dice, actor->model->joint_count + 2) - 1;
}

static float *fuzz_mask(const fuzz_actor *actor)
{
    float *mask = (float *)fuzz_take(actor->model->joint_count * sizeof(float), 0);
    fuzz_any_floats(mask, actor->model->joint_count, actor->dice);
    if (fuzz_below(actor->dice, 2)) {
        md5_mask_branch(actor->model, fuzz_joint(actor),
                        fuzz_float(actor->dice), mask);
    }
    return fuzz_below(actor->dice, 3) ? mask : NULL;
}

static void fuzz_play_md5(const fuzz_actor *actor)
{
    md5_player player;
    uint32_t steps = 1 + fuzz_below(actor->dice, 30);
    memset(&player, fuzz_below(actor->dice, 8) ? 0 : 255, sizeof player); /* a player that was not zeroed */
    FUZZ_CHECK(md5_playing(&player, NULL) && md5_crossed(&player, actor->anim, 0) == 0);
    if (player.track_count) md5_advance(&player, fuzz_float(actor->dice));
    for (; steps; --steps) {
        const md5_anim *anim = fuzz_below(actor->dice, 3) ? actor->fitted : actor->anim;
        md5_xform motion;
        player.root_motion = fuzz_below(actor->dice, 4);
        FUZZ_STEP_PLAYER(md5, md5_mode, &player, anim, actor->dice);
        md5_player_motion(&player, &motion);
        fuzz_check_unit(motion.rotation);
        FUZZ_CHECK(md5_crossed(&player, anim, fuzz_below(actor->dice, 5)) >= 0);
        FUZZ_CHECK(!md5_playing(&player, NULL) || !md5_crossed(&player, anim, 0));
        if (fuzz_below(actor->dice, 8) == 0) md5_fade_out(&player, fuzz_float(actor->dice));
        if (fuzz_below(actor->dice, 8) == 0) {
            md5_play_once(&player, anim, fuzz_float(actor->dice), fuzz_float(actor->dice));
        }
        md5_player_pose(actor->model, &player, actor->pose, actor->scratch);
        fuzz_check_rotations(actor->pose, actor->model->joint_count);
        md5_player_pose_over(actor->model, &player, fuzz_float(actor->dice), fuzz_mask(actor),
                             actor->pose, actor->scratch);
        fuzz_check_rotations(actor->pose, actor->model->joint_count);
    }
}

/* Samples an animation, whose joints may differ from the model's. */
static void fuzz_sample_md5(const fuzz_actor *actor, const md5_anim *anim)
{
    uint32_t joints = actor->model->joint_count;
    md5_xform *pose = fuzz_xforms(joints), motion;
    md5_mode mode = (md5_mode)fuzz_below(actor->dice, 3);
    FUZZ_CHECK(md5_anim_length(anim, mode) >= 0);
    md5_pose_at(actor->model, anim, mode, fuzz_time(actor->dice), pose);
    fuzz_check_rotations(pose, joints);
    uint32_t flags = fuzz_below(actor->dice, 4);
    md5_pose_in_place(actor->model, anim, mode, flags, fuzz_time(actor->dice), pose);
    fuzz_check_rotations(pose, joints);
    md5_anim_motion(anim, mode, flags, fuzz_time(actor->dice), fuzz_time(actor->dice),
                    &motion);
    fuzz_check_unit(motion.rotation);
    FUZZ_CHECK(motion.position[anim->flags & MD5_Y_UP ? 1 : 2] == 0);
}

static void fuzz_mix_md5(const fuzz_actor *actor)
{
    uint32_t count = actor->model->joint_count;
    md5_xform *bind = fuzz_xforms(count), *sample = fuzz_xforms(count);
    md5_pose_bind(actor->model, bind);
    md5_pose_at(actor->model, actor->fitted, (md5_mode)fuzz_below(actor->dice, 3), fuzz_time(actor->dice), sample);
    md5_pose_mix(actor->pose, sample, fuzz_float(actor->dice), fuzz_mask(actor), count,
                 actor->pose);
    fuzz_check_rotations(actor->pose, count);
    md5_pose_add(actor->pose, sample, bind, fuzz_float(actor->dice), fuzz_mask(actor), count,
                 actor->pose);
    fuzz_check_rotations(actor->pose, count);
    float axis[3], target[3];
    fuzz_any_floats(axis, 3, actor->dice);
    fuzz_any_floats(target, 3, actor->dice);
    md5_pose_turn(actor->model, actor->pose, fuzz_joint(actor), axis, fuzz_float(actor->dice));
    md5_pose_aim(actor->model, actor->pose, fuzz_joint(actor),
                 fuzz_below(actor->dice, 2) ? axis : NULL, target, fuzz_float(actor->dice),
                 fuzz_float(actor->dice));
    fuzz_check_rotations(actor->pose, count);
    md5_pose_to_model_space(actor->model, actor->pose, actor->pose);
    md5_pose_to_local(actor->model, actor->pose, sample);
    fuzz_check_rotations(sample, count);
    fuzz_check_rotations(actor->pose, count);
}

static bool fuzz_is_moderate(const md5_model *model, const md5_xform *pose)
{
    for (uint32_t i = 0; i < model->joint_count; ++i) {
        for (uint32_t k = 0; k < 3; ++k) {
            if (!(pose[i].position[k] < 1e15f && pose[i].position[k] > -1e15f)) return false;
        }
    }
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        for (uint32_t k = 0; k < model->meshes[i].weight_count; ++k) {
            const md5_weight *w = &model->meshes[i].weights[k];
            double size = fabs((double)w->position[0]) + fabs((double)w->position[1]) +
                          fabs((double)w->position[2]);
            if (!(size < 1e15 && fabs((double)w->bias) < 1e15)) return false;
        }
    }
    return true;
}

static void fuzz_skin_md5(const fuzz_actor *actor)
{
    const md5_model *model = actor->model;
    bool moderate = fuzz_is_moderate(model, actor->pose);
    float min[3], max[3], matrix[16];
    md5_pose_bounds(model, actor->pose, min, max);
    md5_pose_matrix(&actor->pose[model->joint_count - 1], matrix);
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        fuzz_column positions = fuzz_make_column(model->meshes[i].vertex_count, 3, actor->dice);
        fuzz_column normals = fuzz_make_column(model->meshes[i].vertex_count, 3, actor->dice);
        fuzz_column tangents = fuzz_make_column(model->meshes[i].vertex_count, 4, actor->dice);
        md5_pose_vertices(model, i, actor->pose, positions.first, positions.stride, normals.first,
                          normals.stride, tangents.first, tangents.stride);
        if (!moderate) continue;
        fuzz_check_column(&positions);
        fuzz_check_column(&normals);
        fuzz_check_column(&tangents);
        fuzz_check_in_bounds(&positions, min, max);
    }
}

static void fuzz_draw_md5(const fuzz_actor *actor)
{
    const md5_model *model = actor->model;
    float *palette = (float *)fuzz_take(model->joint_count * 12 * sizeof(float), 0);
    md5_gl_instance instances[3];
    md5_gl_scene scene;
    md5_error error;
    size_t count = fuzz_below(actor->dice, 4), i;
    md5_pose_palette(model, actor->pose, palette);
    memset(instances, 0, sizeof instances);
    memset(&scene, 0, sizeof scene);
    for (i = 0; i < count; ++i) {
        instances[i].palette = fuzz_below(actor->dice, 3) ? palette : NULL;
        if (fuzz_below(actor->dice, 2)) fuzz_any_floats(instances[i].transform, 16, actor->dice);
        fuzz_any_floats(instances[i].tint, 4, actor->dice);
    }
    for (uint32_t m = 0; m < model->mesh_count && m < 3; ++m) {
        md5_gl_mesh mesh;
        fuzz_trouble_gl(actor->dice, false);
        if (!md5_gl_upload(fuzz_gl.md5, model, m, &mesh, &error)) {
            FUZZ_CHECK(error.message[0] != 0);
            continue;
        }
        fuzz_trouble_gl(actor->dice, true);
        md5_gl_draw(fuzz_gl.md5, &mesh, 0, &scene, instances, count);
        md5_gl_free_mesh(fuzz_gl.md5, &mesh);
    }
}

/* Returns the animation retargeted to the model, or NULL if memory or max_bytes is too small. */
static md5_anim *fuzz_fit_md5(const md5_model *model, const md5_anim *anim, const fuzz_input *input)
{
    md5_options options = fuzz_md5_options(input);
    uint32_t missing = UINT32_MAX;
    md5_error error;
    fuzz_measure((16 << 20) + 64 * input->size, input);
    bool fits = md5_check_anim(model, anim, NULL) == MD5_OK;
    md5_anim *fitted = md5_retarget_anim(model, fits ? model : NULL, anim, &missing, &options,
                                         &error);
    FUZZ_CHECK((fitted != NULL) == (error.code == MD5_OK) && (fitted || error.message[0]));
    if (!fitted) return NULL;
    FUZZ_CHECK(missing <= model->joint_count);
    FUZZ_CHECK(md5_check_anim(model, fitted, &error) == MD5_OK);
    fuzz_check_md5_anim(fitted);
    return fitted;
}

static void fuzz_use_md5(const md5_model *model, const md5_anim *anim, fuzz_input *input)
{
    md5_anim *fitted = fuzz_fit_md5(model, anim, input);
    uint32_t joints = model->joint_count;
    fuzz_actor actor = { model, anim, fitted, fuzz_xforms(joints), fuzz_xforms(joints), &input->dice };
    md5_check_anim(model, anim, NULL);
    FUZZ_CHECK(md5_find_joint(model, model->joints[joints - 1].name) >= 0);
    fuzz_sample_md5(&actor, anim);
    if (fitted) fuzz_sample_md5(&actor, fitted);
    for (uint32_t round = 0; fitted && round < 2; ++round) {
        fuzz_play_md5(&actor);
        fuzz_mix_md5(&actor);
        fuzz_skin_md5(&actor);
        if (round == 0) fuzz_draw_md5(&actor);
    }
    md5_free_anim(fitted);
}

static m5_text fuzz_arm[2]; /* a mesh and an animation, for inputs that lack one of them */

static void fuzz_load_md5_pair(fuzz_input *input)
{
    const m5_text *arm = fuzz_arm;
    md5_options options = fuzz_md5_options(input);
    const char *texts[2];
    size_t sizes[2], first = 0;
    while (first < input->size && input->data[first]) ++first;
    if (!arm[0].bytes) {
        m5_arm_mesh(&fuzz_arm[0], 0);
        m5_arm_anim(&fuzz_arm[1], 1, 0);
    }
    texts[0] = first ? (const char *)input->data : arm[0].bytes;
    sizes[0] = first ? first : arm[0].size;
    texts[1] = first + 1 < input->size ? (const char *)input->data + first + 1 : arm[1].bytes;
    sizes[1] = first + 1 < input->size ? input->size - first - 1 : arm[1].size;
    fuzz_measure((16 << 20) + 64 * input->size, input);
    md5_model *model = md5_load_model_memory(texts[0], sizes[0], &options, NULL);
    md5_anim *anim = md5_load_anim_memory(texts[1], sizes[1], NULL, &options, NULL);
    if (model && anim) fuzz_use_md5(model, anim, input);
    md5_free_anim(anim);
    md5_free_model(model);
}

static void fuzz_calls(fuzz_input *input)
{
    size_t script = input->choice < input->size ? input->choice : input->size;
    input->size -= script;
    input->dice.script = input->data + input->size;
    input->dice.script_end = input->dice.script + script;
    fuzz_begin_gl(&input->dice);
    if (input->size >= 4 && memcmp(input->data, "IDP2", 4) == 0)
        fuzz_use_md2(input);
    else
        fuzz_load_md5_pair(input);
    fuzz_end_gl();
    FUZZ_CHECK(fuzz_memory.live_blocks == 0);
}

/* Frees the renderers and texts that all inputs share. Another input would create them again. */
FUZZ_HELPER void fuzz_end_calls(void)
{
    fuzz_drop_gl();
    fake_gl_reset();
    m5_free(&fuzz_arm[0]);
    m5_free(&fuzz_arm[1]);
}

static size_t fuzz_mutate_models(uint8_t *data, size_t size, size_t max, fuzz_dice *dice)
{
    bool is_md2 = size >= 4 && memcmp(data, "IDP2", 4) == 0;
    return is_md2 ? fuzz_mutate_bytes(data, size, max, dice) : fuzz_mutate_tokens(data, size, max, dice);
}

FUZZ_UNSEEN_END

FUZZ_ENTRY(calls, fuzz_mutate_models)
