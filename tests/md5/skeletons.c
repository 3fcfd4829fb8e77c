/* Finding joints by name; checking whether an animation fits a model; retargeting an animation that does not;
   turning and aiming joints. Public domain. */
#include "test_md5.h"
#include <limits.h>

/* Returns the wave with one line replaced. */
static md5_anim *edited_wave(const char *key, const char *line)
{
    const m5_flaw flaw = { "edit", M5_ANIM, key, line };
    m5_text *text = new_text();
    m5_flawed(&flaw, text);
    return anim_of(text, NULL);
}

static void test_find_joint(void)
{
    md5_model *model = arm();
    CHECK_EQ(md5_find_joint(model, "finger_01"), M5_FINGER);
    CHECK_EQ(md5_find_joint(model, "upper arm"), M5_UPPER);
    CHECK_EQ(md5_find_joint(model, "Upper Arm"), M5_UPPER);
    CHECK_EQ(md5_find_joint(model_from("MD5Version 10 numJoints 3 numMeshes 0 joints { Hand -1 "
                                       "( 0 0 0 ) ( 0 0 0 ) HAND 0 ( 0 0 0 ) ( 0 0 0 ) hand 0 "
                                       "( 0 0 0 ) ( 0 0 0 ) }"), "HAND"), 1);
    CHECK_EQ(md5_find_joint(model, "finger"), -1);
    CHECK_EQ(md5_find_joint(model, ""), -1);
    CHECK_EQ(md5_find_joint(model, NULL), -1);
}

static void expect_mismatch(const md5_model *model, const md5_anim *anim, const char *message)
{
    md5_error error;
    CHECK_EQ(md5_check_anim(model, anim, &error), MD5_ERROR_MISMATCH);
    check_error(&error, MD5_ERROR_MISMATCH, 0, message);
}

#define REMEDY ": md5_retarget_anim makes a copy that fits"

static void test_check_anim(void)
{
    static const char *const no_arguments = "no model or no animation is given";
    md5_options y_up = options_of(MD5_Y_UP, 0.0f), large = options_of(0, 3.0f);
    md5_options kept = options_of(MD5_KEEP_WINDING | MD5_FLIP_V, 0.0f);
    md5_model *model = arm();
    md5_anim *anim = clip(M5_WAVE);
    md5_error error;
    memset(&error, 0x5A, sizeof error);
    CHECK_EQ(md5_check_anim(model, anim, &error), MD5_OK);
    check_error(&error, MD5_OK, 0, "");
    CHECK_EQ(md5_check_anim(model, anim, NULL), MD5_OK);
    CHECK_EQ(md5_check_anim(arm_with(&kept), anim, NULL), MD5_OK);
    expect_mismatch(model, edited_wave("\"finger_01\"", "\"finger_01\" 2 56 11"),
                    "joint 5 \"finger_01\" has a different parent than in the model" REMEDY);
    expect_mismatch(model, edited_wave("\"upper arm\"", "\"upper arm\" -1 32 3"),
                    "joint 1 \"upper arm\" has a different parent than in the model" REMEDY);
    expect_mismatch(chain_model(4), anim, "the animation has 6 joints, the model has 4" REMEDY);
    expect_mismatch(model, clip_with(M5_WAVE, &y_up),
                    "only one of model and animation was loaded with MD5_Y_UP");
    expect_mismatch(model, clip_with(M5_WAVE, &large),
                    "the animation was loaded with a different options.scale than the model");
    md5_anim none = *anim;
    none.frame_count = 0;
    CHECK_EQ(md5_check_anim(model, &none, &error), MD5_ERROR_ARGUMENT);
    check_error(&error, MD5_ERROR_ARGUMENT, 0, "the animation has no frames");
    CHECK_EQ(md5_check_anim(NULL, anim, &error), MD5_ERROR_ARGUMENT);
    check_error(&error, MD5_ERROR_ARGUMENT, 0, no_arguments);
    CHECK_EQ(md5_check_anim(model, NULL, NULL), MD5_ERROR_ARGUMENT);
}

static void test_long_mismatch(void)
{
    m5_text *text = new_text();
    md5_error error;
    m5_put(text, "\"%0300d\" -1 32 3", 7);
    CHECK_EQ(md5_check_anim(arm(), edited_wave("\"upper arm\"", text->bytes), &error),
             MD5_ERROR_MISMATCH);
    CHECK(strstr(error.message, REMEDY) != NULL);
}

/* Id's engines use only the numbers of joints: an animation with the same parents fits and gives the same pose,
   even if all names differ. */
static void test_renamed_joints(void)
{
    md5_model *model = arm();
    md5_anim *wave = clip(M5_WAVE), renamed = *wave;
    static const char *const names[M5_JOINTS] = { "Bip01", "", "Bip01 L", "Bip01 H", "hand", "T" };
    md5_xform pose[M5_JOINTS], want[M5_JOINTS], scratch[M5_JOINTS];
    md5_player player;
    renamed.joint_names = names;
    CHECK_EQ(md5_check_anim(model, &renamed, NULL), MD5_OK);
    memset(&player, 0, sizeof player);
    md5_play(&player, &renamed, MD5_LOOP, 0);
    md5_advance(&player, 0.2f);
    md5_player_pose(model, &player, pose, scratch);
    md5_pose_at(model, wave, MD5_LOOP, (double)0.2f, want);
    CHECK(same_bits(pose, want, sizeof pose));

    check_step("from a text");
    CHECK_EQ(md5_check_anim(model, edited_wave("\"hand\"", "\"Hand\" 2 63 5"), NULL), MD5_OK);
}

/* Left and right have swapped numbers, the animation has no head, and the model has no tail. The left moves from 10
   to 12, at 16 frames per second. */
static void test_retarget_order(void)
{
    md5_model *model = model_from("MD5Version 10 numJoints 4 numMeshes 0 joints { "
                                  "root -1 ( 0 0 0 ) ( 0 0 0 ) left 0 ( 1 0 0 ) ( 0 0 0 ) "
                                  "right 0 ( 2 0 0 ) ( 0 0 0 ) head 0 ( 3 0 0 ) ( 0 0 0 ) }");
    md5_anim *anim = anim_from("MD5Version 10 numFrames 2 numJoints 4 frameRate 16 "
                               "numAnimatedComponents 2 hierarchy { root -1 0 0 tail 0 1 0 "
                               "right 0 0 0 left 0 1 1 } baseframe { ( 0 0 0 ) ( 0 0 0 ) "
                               "( 9 0 0 ) ( 0 0 0 ) ( 20 0 0 ) ( 0 0 0 ) ( 10 0 0 ) ( 0 0 0 ) } "
                               "frame 0 { 8 10 } frame 1 { 9 12 }");
    uint32_t missing = 9;
    md5_xform pose[4];
    md5_error error;
    md5_anim *fitted = keep_anim(md5_retarget_anim(model, NULL, anim, &missing, NULL, &error));
    CHECK(fitted != NULL);
    CHECK_EQ(error.code, MD5_OK);
    CHECK_EQ(missing, 1);
    CHECK_EQ(md5_check_anim(model, fitted, NULL), MD5_OK);
    md5_pose_at(model, fitted, MD5_LOOP, 1 / 32.0, pose);
    CHECK_EQ(pose[1].position[0], 11);
    CHECK_EQ(pose[2].position[0], 20);
    CHECK_EQ(pose[3].position[0], 3); /* as in the bind pose */
}

static void test_retarget_same(void)
{
    md5_model *model = arm();
    md5_anim *wave = clip(M5_WAVE);
    md5_xform want[M5_JOINTS], got[M5_JOINTS];
    uint32_t missing = 99;
    md5_anim *same = keep_anim(md5_retarget_anim(model, NULL, wave, &missing, NULL, NULL));
    CHECK(same != NULL);
    CHECK_EQ(missing, 0);
    CHECK_EQ(md5_check_anim(model, same, NULL), MD5_OK);
    CHECK_TEXT(same->name, wave->name);
    CHECK_EQ(same->fps, wave->fps);
    CHECK_EQ(same->frame_count, wave->frame_count);
    CHECK_EQ(same->closed, wave->closed);
    CHECK(same->bounds == NULL); /* bounds of the source are wrong for another body */
    for (int step = 0; step < 24; ++step) {
        check_step("at %g s", 0.05 * step);
        md5_pose_at(model, wave, MD5_LOOP, 0.05 * step, want);
        md5_pose_at(model, same, MD5_LOOP, 0.05 * step, got);
        CHECK(pose_distance(want, got, M5_JOINTS) <= 0.0);
    }
}

/* Each allocation fails in turn. Only the result may be written. */
static void test_retarget_without_memory(void)
{
    md5_model  *model = arm();
    md5_anim   *wave = clip(M5_WAVE);
    md5_options options = options_of(0, 1);
    uint32_t    missing = 77;
    size_t      failures = 0;
    for (options.max_bytes = 64; missing == 77; options.max_bytes += 64) {
        md5_anim *copy = keep_anim(md5_retarget_anim(model, NULL, wave, &missing, &options, NULL));
        if (!copy) ++failures;
        if (!CHECK_EQ(missing, copy ? 0 : 77)) break;
    }
    CHECK(failures > 10);
}

static void test_retarget_refusals(void)
{
    md5_model *model = arm();
    md5_anim *wave = clip(M5_WAVE);
    counting_allocator memory;
    md5_options options;
    md5_options large = options_of(0, 2);
    md5_error error;
    md5_anim *copy;
    CHECK(!md5_retarget_anim(NULL, NULL, wave, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_ARGUMENT, 0, "no model or no animation is given");
    model->scale = 2;
    CHECK(!md5_retarget_anim(model, NULL, wave, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_MISMATCH, 0,
                "the animation was loaded with a different options.scale than the model");
    model->scale = 1;
    model->flags ^= MD5_Y_UP;
    CHECK(!md5_retarget_anim(model, NULL, wave, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_MISMATCH, 0,
                "only one of model and animation was loaded with MD5_Y_UP");
    model->flags ^= MD5_Y_UP;

    md5_anim none = *wave;
    none.frame_count = 0;
    CHECK(!md5_retarget_anim(model, NULL, &none, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_ARGUMENT, 0, "the animation has no frames");
    CHECK(!md5_retarget_anim(model, chain_model(2), wave, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_MISMATCH, 0,
                "the source is not the model that the animation was made for");
    CHECK(!md5_retarget_anim(arm(), arm_with(&large), wave, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_MISMATCH, 0,
                "the animation was loaded with a different options.scale than the model");
    options = options_of(0, 1);
    options.allocator.alloc = counting_options(&memory).allocator.alloc;
    CHECK(!md5_retarget_anim(model, model, wave, NULL, &options, &error));
    check_error(&error, MD5_ERROR_ARGUMENT, 0, "an allocator needs both alloc and release");
    options = options_of(0, -1);
    CHECK(keep_anim(md5_retarget_anim(model, model, wave, NULL, &options, &error)) != NULL);

    for (size_t i = 1; i < 4; ++i) {
        check_scene("allocation %u fails (3: none)", (unsigned)i);
        options = counting_options(&memory);
        memory.fail_at = i < 3 ? i : 0;
        copy = md5_retarget_anim(model, NULL, wave, NULL, &options, &error);
        CHECK_EQ(copy != NULL, i == 3);
        CHECK_EQ(error.code, i < 3 ? MD5_ERROR_MEMORY : MD5_OK);
        CHECK_EQ(memory.live_bytes, copy ? copy->bytes : 0);
        CHECK_EQ(memory.live_blocks, copy ? 1 : 0);
        md5_free_anim(copy);
        CHECK(counting_is_clean(&memory));
    }
}

static void test_retarget_axes(void)
{
    static const char mesh[] =
        "MD5Version 10 numJoints 4 joints { x -1 ( 7 8 9 ) ( 0.6 0 0 ) a 0 ( 0 0 0 ) ( 0 0 0 ) "
        "b 1 ( 1 2 3 ) ( 0 0 0 ) c 2 ( 4 6 9 ) ( 0.1 0.2 0.3 ) }";
    static const uint32_t missing_joints[2] = { 0, 3 };
    for (uint32_t flags = 0; flags <= (uint32_t)MD5_Y_UP; ++flags) {
        md5_options options = options_of(flags, 2);
        md5_model *model = keep_model(md5_load_model_memory(mesh, sizeof mesh - 1, &options, NULL));
        md5_anim *anim = keep_anim(
                     md5_load_anim_memory(tiny_anim, strlen(tiny_anim), "tiny", &options, NULL)),
                 *copy;
        md5_xform pose[4], bind[4];
        uint32_t missing = 99;
        check_scene("%s", flags & MD5_Y_UP ? "y up" : "z up");
        CHECK(model && anim);
        copy = keep_anim(md5_retarget_anim(model, NULL, anim, &missing, NULL, NULL));
        CHECK(copy != NULL);
        CHECK_EQ(missing, 2);
        CHECK_TEXT(copy->name, "tiny");
        md5_pose_at(model, copy, MD5_LOOP, 0, pose);
        md5_pose_bind(model, bind);
        for (uint32_t i = 0; i < 2; ++i) {
            const md5_xform *x = &pose[missing_joints[i]], *y = &bind[missing_joints[i]];
            check_step("joint %u, which is missing", missing_joints[i]);
            for (uint32_t k = 0; k < 3; ++k) CHECK_NEAR(x->position[k], y->position[k], 1e-6);
            for (uint32_t k = 0; k < 4; ++k) CHECK_NEAR(x->rotation[k], y->rotation[k], 1e-6);
        }
        check_step("joints 1 and 2, which move");
        CHECK_EQ(pose[1].position[flags & MD5_Y_UP ? 0 : 1], 4);
        CHECK_EQ(pose[2].position[flags & MD5_Y_UP ? 2 : 0], 2);
    }
}

static void test_retarget_one_name(void)
{
    static const double wanted[5] = { 0, 1, 2, 3, 1 };
    md5_model *model =
        model_from("MD5Version 10 numJoints 5 numMeshes 0 joints { r -1 ( 0 0 0 ) ( 0 0 0 ) "
                   "x 0 ( 9 0 0 ) ( 0 0 0 ) x 0 ( 9 0 0 ) ( 0 0 0 ) x 0 ( 9 0 0 ) ( 0 0 0 ) "
                   "x 0 ( 9 0 0 ) ( 0 0 0 ) }");
    md5_anim *anim =
        anim_from("MD5Version 10 numFrames 1 numJoints 4 frameRate 24 numAnimatedComponents 0 "
                  "hierarchy { r -1 0 0 x 0 0 0 x 0 0 0 x 0 0 0 } baseframe { ( 0 0 0 ) ( 0 0 0 ) "
                  "( 1 0 0 ) ( 0 0 0 ) ( 2 0 0 ) ( 0 0 0 ) ( 3 0 0 ) ( 0 0 0 ) } frame 0 { }");
    uint32_t missing = 9;
    md5_anim *copy = keep_anim(md5_retarget_anim(model, NULL, anim, &missing, NULL, NULL));
    CHECK(copy != NULL);
    CHECK_EQ(missing, 0);
    for (uint32_t i = 0; i < 5; ++i) {
        check_step("joint %u", i);
        CHECK_EQ(anim_xform(copy, 0, (int)i)->position[0], wanted[i]);
    }
}

/* Root, hand and tail have other names in the animation. The hands have no match by name, but the same number and
   matching parents, so they match. The tails do not, because their numbers are 4 and 3; the hats do not, because
   one is a child of the hand and the other of the head. */
static void test_retarget_renamed(void)
{
    static const double wanted[6] = { 10, 11, 12, 13, 0, 0 };
    md5_model *model =
        model_from("MD5Version 10 numJoints 6 numMeshes 0 joints { root -1 ( 0 0 0 ) ( 0 0 0 ) "
                   "head 0 ( 0 0 0 ) ( 0 0 0 ) hand 1 ( 0 0 0 ) ( 0 0 0 ) "
                   "Foot 0 ( 0 0 0 ) ( 0 0 0 ) tail 0 ( 0 0 0 ) ( 0 0 0 ) "
                   "hat 2 ( 0 0 0 ) ( 0 0 0 ) }");
    md5_anim *anim =
        anim_from("MD5Version 10 numFrames 1 numJoints 6 frameRate 24 numAnimatedComponents 0 "
                  "hierarchy { origin -1 0 0 HEAD 0 0 0 Hand_R 1 0 0 Tail_2 0 0 0 foot 0 0 0 "
                  "helmet 1 0 0 } baseframe { ( 10 0 0 ) ( 0 0 0 ) ( 11 0 0 ) ( 0 0 0 ) "
                  "( 12 0 0 ) ( 0 0 0 ) ( 14 0 0 ) ( 0 0 0 ) ( 13 0 0 ) ( 0 0 0 ) "
                  "( 15 0 0 ) ( 0 0 0 ) } frame 0 { }");
    uint32_t missing = 9;
    md5_anim *copy = keep_anim(md5_retarget_anim(model, NULL, anim, &missing, NULL, NULL));
    CHECK(copy != NULL);
    CHECK_EQ(missing, 2);
    for (int i = 0; i < 6; ++i) {
        check_step("joint %s", model->joints[i].name);
        CHECK_EQ(anim_xform(copy, 0, i)->position[0], wanted[i]);
    }

    check_step("an animation without parents has the parents of the model, so the hats match");
    md5_anim parentless = *anim;
    parentless.parents = NULL;
    copy = keep_anim(md5_retarget_anim(model, NULL, &parentless, &missing, NULL, NULL));
    CHECK_EQ(missing, 1);
    CHECK_EQ(anim_xform(copy, 0, 2)->position[0], 12);
    CHECK_EQ(anim_xform(copy, 0, 5)->position[0], 15);
    check_step("with a source, only the root matches by index: hand, tail and hat are missing");
    copy = keep_anim(md5_retarget_anim(model, body_of(anim), &parentless, &missing, NULL, NULL));
    CHECK_EQ(missing, 3);

    check_step("a child of a joint without a match does not match a root");
    md5_anim *roots =
        anim_from("MD5Version 10 numFrames 1 numJoints 6 frameRate 24 numAnimatedComponents 0 "
                  "hierarchy { head -1 0 0 a 0 0 0 b 1 0 0 c 0 0 0 d 0 0 0 e -1 0 0 } baseframe { "
                  "( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) "
                  "( 0 0 0 ) ( 0 0 0 ) ( 9 0 0 ) ( 0 0 0 ) } frame 0 { }");
    copy = keep_anim(md5_retarget_anim(model, NULL, roots, &missing, NULL, NULL));
    CHECK_EQ(missing, 5); /* all except the head */
}

/* -- Retargeting to other bones ----------------------------------------------------- */

/* A leg of hip, knee and foot, and an animation of two frames: the first is the bind pose, and in the second the
   knee is bent. The animation also has the offset of the foot. */
static md5_model *leg(double thigh, double shin)
{
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numJoints 3 numMeshes 0 joints { hip -1 ( 0 0 %g ) ( 0 0 0 ) "
                 "knee 0 ( 0 0 %g ) ( 0 0 0 ) foot 1 ( 0 0 0 ) ( 0 0 0 ) }", thigh + shin, shin);
    return model_of(text, NULL);
}

static md5_anim *bent_leg(double height, double thigh, double shin)
{
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numFrames 2 numJoints 3 frameRate 1 numAnimatedComponents 2 "
                 "hierarchy { Hip -1 4 0 Knee 0 16 1 Foot 1 0 0 } baseframe { ( 0 0 0 ) ( 0 0 0 ) "
                 "( 0 0 %g ) ( 0 0 0 ) ( 0 0 %g ) ( 0 0 0 ) } "
                 "frame 0 { %g 0 } frame 1 { %g 0.5 }", -thigh, -shin, height, height - 2);
    return anim_of(text, NULL);
}

static md5_anim *fitted(const md5_model *model, const md5_model *source, const md5_anim *anim)
{
    uint32_t missing = 9;
    md5_anim *copy = keep_anim(md5_retarget_anim(model, source, anim, &missing, NULL, NULL));
    CHECK(copy != NULL);
    CHECK_EQ(md5_check_anim(model, copy, NULL), MD5_OK);
    return copy;
}

/* Retargets from a leg of 10 + 10 to a leg of 30 + 20, whose names are in lower case. The knee rotates by the same
   angle. The hip of a leg of 20 moves down by 2, so the hip of a leg of 50 moves down by 5. */
static void test_longer_legs(void)
{
    md5_model *source = model_from("MD5Version 10 numJoints 3 numMeshes 0 joints { Hip -1 "
                                   "( 0 0 20 ) ( 0 0 0 ) Knee 0 ( 0 0 10 ) ( 0 0 0 ) Foot 1 "
                                   "( 0 0 0 ) ( 0 0 0 ) }");
    md5_model *tall = leg(30, 20);
    md5_anim *anim = bent_leg(20, 10, 10);
    md5_xform pose[3];
    md5_pose_at(tall, fitted(tall, source, anim), MD5_ONCE, 1, pose);
    CHECK_XYZ(pose[0].position, 0, 0, 45);
    CHECK_XYZ(pose[1].position, 0, 0, -30);
    CHECK_XYZ(pose[2].position, 0, 0, -20);
    CHECK_NEAR(fabs((double)pose[1].rotation[1]), 0.5, 1e-6);

    check_step("without a source, bone lengths are also copied");
    md5_pose_at(tall, fitted(tall, NULL, anim), MD5_ONCE, 1, pose);
    CHECK_XYZ(pose[0].position, 0, 0, 18);
    CHECK_XYZ(pose[1].position, 0, 0, -10);
}

static void put_posed_joint(m5_text *text, const char *name, int parent, double along,
                            const m5_xform *turned)
{
    double sign = turned->q[3] > 0 ? -1 : 1;
    m5_put(text, "%s %d ( 0 0 %g ) ( %.9f %.9f %.9f ) ", name, parent, along, sign * turned->q[0],
           sign * turned->q[1], sign * turned->q[2]);
}

/* Retargets a chain of four joints to a model that lacks the second joint, whose bones have other axes, or whose
   bind pose differs. The last joint of both must rotate in the same way from its bind pose. */
static void check_retarget_case(random_source *random, int kind)
{
    static const char *const names[4] = { "a", "b", "c", "d" };
    m5_text *source = new_text(), *model = new_text(), *anim = new_text();
    m5_xform bind[4], posed_chain[4], change[4], other[4];
    int count = kind == 0 ? 3 : 4;
    m5_put(source, "MD5Version 10 numJoints 4 numMeshes 0 joints { ");
    m5_put(model, "MD5Version 10 numJoints %d numMeshes 0 joints { ", count);
    m5_put(anim, "MD5Version 10 numFrames 1 numJoints 4 frameRate 24 numAnimatedComponents 0 "
                 "hierarchy { a -1 0 0 b 0 0 0 c 1 0 0 d 2 0 0 } baseframe { ");
    for (int i = 0, placed = 0; i < 4; ++i) {
        double x = random_unit(random) - 0.5, y = random_unit(random) - 0.5;
        m5_xform local = xform_at(0, 0, i ? 10 : 0, x, y, 0.3, 60 * random_unit(random));
        m5_xform turn = xform_at(0, 0, 0, y, 0.5, x, 40 * random_unit(random));
        m5_xform axes = xform_at(0, 0, 0, 1, x, y, 80);
        change[i] = m5_compose(&local, &turn);
        bind[i] = i ? m5_compose(&bind[i - 1], &local) : local;
        posed_chain[i] = i ? m5_compose(&posed_chain[i - 1], &change[i]) : change[i];
        other[i] = kind == 1   ? m5_compose(&bind[i], &axes)
                   : kind == 2 ? m5_compose(&axes, &bind[i])
                               : bind[i];
        put_posed_joint(source, names[i], i - 1, 10 * i, &bind[i]);
        if (kind != 0 || i != 1) put_posed_joint(model, names[i], placed++ - 1, 25 * i, &other[i]);
        double sign = change[i].q[3] > 0 ? -1 : 1;
        m5_put(anim, "( 0 0 %d ) ( %.9f %.9f %.9f ) ", i ? 10 : 0, sign * change[i].q[0],
               sign * change[i].q[1], sign * change[i].q[2]);
    }
    m5_put(source, "}");
    m5_put(model, "}");
    m5_put(anim, "} frame 0 { }");

    md5_model *to = model_of(model, NULL);
    md5_xform pose[4];
    md5_pose_at(to, fitted(to, model_of(source, NULL), anim_of(anim, NULL)), MD5_LOOP, 0, pose);
    md5_pose_to_model_space(to, pose, pose);
    m5_xform back = m5_inverse(&bind[3]), turned = m5_compose(&posed_chain[3], &back);
    turned = m5_compose(&turned, &other[3]);
    m5_xform got = widen(&pose[count - 1]);
    CHECK_NEAR(rotation_distance(got.q, turned.q), 0, 1e-5);
}

static void test_retarget_cases(void)
{
    static const char *const kinds[3] = { "the model lacks a joint of the chain",
                                          "the bones have other axes", "the bind pose differs" };
    random_source random = { 9 };
    for (int kind = 0; kind < 3; ++kind) {
        check_scene("%s", kinds[kind]);
        for (int step = 0; step < 50; ++step) {
            check_step("chain %d", step);
            check_retarget_case(&random, kind);
        }
    }
}

/* A jaw slides forward by 1 out of a head of length 10, along x of the source, which is y of the model. In a head of
   length 20 it slides by 2. A sword at the position of its parent has no bone, so it moves in proportion to the
   size of the skeletons. */
static void test_retarget_moves(void)
{
    md5_model *source = model_from(
        "MD5Version 10 numJoints 3 numMeshes 0 joints { head -1 ( 0 0 0 ) ( 0 0 0 ) "
        "jaw 0 ( 10 0 0 ) ( 0 0 0 ) sword 0 ( 0 0 0 ) ( 0 0 0 ) }");
    md5_model *model = model_from(
        "MD5Version 10 numJoints 4 numMeshes 0 joints { head -1 ( 0 0 0 ) ( 0 0 -0.707106781 ) "
        "skull 0 ( 0 1 1 ) ( 0.5 0.5 0.5 ) jaw 1 ( 20 0 0 ) ( 0 0 -0.707106781 ) "
        "sword 0 ( 0 0 0 ) ( 0 0 0 ) }");
    md5_anim *anim = anim_from(
        "MD5Version 10 numFrames 1 numJoints 3 frameRate 1 numAnimatedComponents 0 "
        "hierarchy { head -1 0 0 jaw 0 0 0 sword 0 0 0 } baseframe { ( 0 0 0 ) ( 0 0 0 ) "
        "( 11 0 0 ) ( 0 0 0 ) ( 0 0 3 ) ( 0 0 0 ) } frame 0 { }");
    md5_xform pose[4];
    md5_pose_at(model, fitted(model, source, anim), MD5_LOOP, 0, pose);
    md5_pose_to_model_space(model, pose, pose);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(pose[2].position[k], k == 0 ? 22 : 0, 1e-4);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(pose[3].position[k], k == 2 ? 6 : 0, 1e-4);
}

/* A skeleton of one bone, and an animation that moves its root and its tip by 1 along y. */
static md5_model *bone_at(double root_x, double tip_x, double size)
{
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numJoints 3 numMeshes 0 joints { root -1 ( %g 0 0 ) ( 0 0 0 ) "
                 "tip 0 ( %g 0 0 ) ( 0 0 0 ) top 0 ( %g 0 %g ) ( 0 0 0 ) }", root_x, tip_x, root_x,
           size);
    return model_of(text, NULL);
}

static md5_anim *moved_bone(double root_x, double tip_x, double size)
{
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numFrames 1 numJoints 3 frameRate 1 numAnimatedComponents 0 "
                 "hierarchy { root -1 0 0 tip 0 0 0 top 0 0 0 } baseframe { ( %g 1 0 ) ( 0 0 0 ) "
                 "( %g 1 0 ) ( 0 0 0 ) ( 0 0 %g ) ( 0 0 0 ) } frame 0 { }", root_x, tip_x - root_x,
           size);
    return anim_of(text, NULL);
}

/* A child of a root moves in proportion to the length of its bone. The root has no bone, so it moves in proportion
   to the size of the skeletons, and so does a child whose bone has no length in one of the two skeletons. */
static void test_retarget_ratios(void)
{
    static const struct {
        const char *what;
        double source[3], model[3]; /* x of root and tip, and the size */
        double root, tip;           /* expected distances */
    } cases[] = {
        { "both bones have a length", { 10, 11, 40 }, { 20, 25, 80 }, 2, 5 },
        { "the bone of the source has none", { 10, 10, 40 }, { 20, 25, 120 }, 3, 3 },
        { "the bone of the model has none", { 10, 11, 40 }, { 20, 20, 120 }, 3, 3 },
        { "a bone of rounding errors", { 0, 0.03, 40 }, { 0, 5, 160 }, 4, 4 },
        { "a bone just longer than that", { 0, 0.05, 40 }, { 0, 5, 160 }, 4, 100 },
        { "a bone of rounding errors in the model", { 0, 5, 40 }, { 0, 0.15, 160 }, 4, 4 },
        { "the source has no size", { 10, 10, 0 }, { 20, 25, 80 }, 1, 1 },
        { "neither has a size", { 10, 10, 0 }, { 20, 20, 0 }, 1, 1 },
        { "the source has hardly any size", { 0, 0, 1e-9 }, { 0, 0, 1e9 }, 1, 1 }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const double *from = cases[i].source, *to = cases[i].model;
        check_scene("%s", cases[i].what);
        md5_anim *copy = fitted(bone_at(to[0], to[1], to[2]), bone_at(from[0], from[1], from[2]),
                                moved_bone(from[0], from[1], from[2]));
        CHECK_NEAR(anim_xform(copy, 0, 0)->position[1], cases[i].root, 0.01 * cases[i].root);
        CHECK_NEAR(anim_xform(copy, 0, 1)->position[1], cases[i].tip, 0.01 * cases[i].tip);
    }
}

/* In the bind pose, the root lies on its side, and in one model it has a parent. A movement along x in the animation
   is a movement along x in model space. */
static void test_retarget_root(void)
{
    md5_model *source = model_from("MD5Version 10 numJoints 2 numMeshes 0 joints { hip -1 "
                                   "( 0 0 5 ) ( 0 0 0 ) head 0 ( 0 0 9 ) ( 0 0 0 ) }");
    md5_model *plain = model_from("MD5Version 10 numJoints 2 numMeshes 0 joints { hip -1 "
                                  "( 0 0 5 ) ( 0.5 0.5 0.5 ) head 0 ( 0 0 9 ) ( 0 0 0 ) }");
    md5_model *hung = model_from("MD5Version 10 numJoints 3 numMeshes 0 joints { world -1 "
                                 "( 0 3 0 ) ( 0 0 0.6 ) hip 0 ( 0 0 5 ) ( 0.5 0.5 0.5 ) "
                                 "head 1 ( 0 0 9 ) ( 0 0 0 ) }");
    md5_anim *anim = anim_from("MD5Version 10 numFrames 1 numJoints 2 frameRate 1 "
                               "numAnimatedComponents 0 hierarchy { hip -1 0 0 head 0 0 0 } "
                               "baseframe { ( 7 0 5 ) ( 0 0 0 ) ( 0 0 4 ) ( 0 0 0 ) } frame 0 { }");
    md5_xform pose[3];
    md5_pose_at(plain, fitted(plain, source, anim), MD5_LOOP, 0, pose);
    md5_pose_to_model_space(plain, pose, pose);
    CHECK_XYZ(pose[0].position, 7, 0, 5);
    CHECK_XYZ(pose[1].position, 7, 0, 9);

    md5_pose_at(hung, fitted(hung, source, anim), MD5_LOOP, 0, pose);
    md5_pose_to_model_space(hung, pose, pose);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(pose[1].position[k], k == 0 ? 7 : k == 2 ? 5 : 0, 1e-5);
    for (int k = 0; k < 3; ++k) CHECK_NEAR(pose[2].position[k], k == 0 ? 7 : k == 2 ? 9 : 0, 1e-5);
}

/* Only the arm keeps the loop open, and the helmet has no arm. */
static void test_retarget_loops(void)
{
    m5_text *text = new_text();
    m5_put(text, "MD5Version 10 numFrames 6 numJoints 2 frameRate 1 numAnimatedComponents 2 "
                 "hierarchy { head -1 8 0 arm 0 8 1 } baseframe { ( 0 0 0 ) ( 0 0 0 ) "
                 "( 50 0 0 ) ( 0 0 0 ) } ");
    for (int i = 0; i < 6; ++i) m5_put(text, "frame %d { %g %g } ", i, 0.01 * (i % 5), 0.1 * i);
    md5_anim *anim = anim_of(text, NULL);
    md5_model *helmet = model_from("MD5Version 10 numJoints 1 numMeshes 0 joints { head -1 "
                                   "( 0 0 0 ) ( 0 0 0 ) }");
    md5_anim *copy = fitted(helmet, NULL, anim);
    CHECK(!anim->closed);
    CHECK(!copy->closed);
    CHECK_EQ(md5_anim_length(copy, MD5_LOOP), md5_anim_length(anim, MD5_LOOP));
}

/* -- Turning and aiming ---------------------------------------------------------------- */

/* Body, neck, head and nose: the neck is 10 above the body, the head 10 above the neck, the nose 5 in front of the
   head. In the bind pose, the joints lie on their side, which must not matter. */
static md5_model *bust(uint32_t flags)
{
    static const char text[] =
        "MD5Version 10 numJoints 4 numMeshes 0 joints { body -1 ( 0 0 0 ) ( 0.5 0.5 0.5 ) "
        "neck 0 ( 0 0 10 ) ( 0 0.6 0 ) head 1 ( 0 0 20 ) ( 0.3 0 0.2 ) nose 2 ( 5 0 20 ) ( 0 0 0 ) }";
    md5_options options = options_of(flags, 1);
    return keep_model(md5_load_model_memory(text, sizeof text - 1, &options, NULL));
}

enum { HEAD = 2, NOSE = 3 };

static void test_turn(void)
{
    static const float up[3] = { 0, 0, 0.001f };
    md5_model *model = bust(0);
    md5_xform pose[4];
    for (int turn = -7; turn <= 7; ++turn) {
        double radians = turn * 0.7853981633974483;
        check_step("%d eighths of a full rotation", turn);
        md5_pose_bind(model, pose);
        md5_pose_turn(model, pose, 1, up, (float)radians);
        md5_pose_to_model_space(model, pose, pose);
        CHECK_NEAR(pose[NOSE].position[0], 5 * cos(radians), 1e-5);
        CHECK_NEAR(pose[NOSE].position[1], 5 * sin(radians), 1e-5);
        CHECK_NEAR(pose[NOSE].position[2], 20, 1e-5);
        CHECK_NEAR(pose[0].rotation[0], model->joints[0].bind.rotation[0], 1e-6);
    }
}

/* The square of a shorter or longer axis is not a normal float, so such an axis is ignored. */
static void test_length_of_axis(void)
{
    static const float lengths[] = { 1, 1e-3f, 1e-18f, 1e18f };
    md5_model *model = bust(0);
    md5_xform wanted[4], pose[4];
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; ++i) {
        const float up[3] = { 0, 0, lengths[i] };
        check_step("an axis of length %g", (double)lengths[i]);
        md5_pose_bind(model, pose);
        md5_pose_turn(model, pose, 1, up, 1);
        if (i == 0) memcpy(wanted, pose, sizeof wanted);
        CHECK(same_bits(pose, wanted, sizeof pose));
    }
    md5_pose_bind(model, pose);
    CHECK(!same_bits(pose, wanted, sizeof pose));
}

/* Aims the head of the bust at a target that is 100 away, `degrees` to the left and `height` above the head. Writes
   the position of the nose relative to the head. */
static void look_at(const md5_model *model, double degrees, float height, float limit, float t,
                    float nose[3])
{
    bool y_up = (model->flags & MD5_Y_UP) != 0;
    int up = y_up ? 1 : 2, ahead = y_up ? 2 : 0, left = y_up ? 0 : 1;
    float target[3];
    md5_xform pose[4];
    target[ahead] = 100 * (float)cos(degrees / 57.29577951308232);
    target[left] = 100 * (float)sin(degrees / 57.29577951308232);
    target[up] = 20 + height;
    md5_pose_bind(model, pose);
    md5_pose_aim(model, pose, HEAD, NULL, target, limit, t);
    md5_pose_to_model_space(model, pose, pose);
    nose[0] = pose[NOSE].position[ahead] - pose[HEAD].position[ahead];
    nose[1] = pose[NOSE].position[left] - pose[HEAD].position[left];
    nose[2] = pose[NOSE].position[up] - pose[HEAD].position[up];
    CHECK_NEAR(length3f(nose), 5, 1e-4);
}

/* The neck rotates by up to 60 degrees. Beyond this limit, the head rotates back, the more the farther the target is
   behind it. */
static void test_look(void)
{
    static const struct { double target, wanted; } cases[] = {
        { 0, 0 },   { 30, 30 },   { -45, -45 }, { 60, 60 },
        { 90, 45 }, { -120, -30 }, { 150, 15 },  { 180, 0 }
    };
    for (uint32_t flags = 0; flags <= (uint32_t)MD5_Y_UP; ++flags) {
        md5_model *model = bust(flags);
        check_scene("%s", flags & MD5_Y_UP ? "y up" : "z up");
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            float nose[3];
            check_step("the target is %g degrees to the left", cases[i].target);
            look_at(model, cases[i].target, 0, 1.04719755f, 1, nose);
            double degrees = atan2((double)nose[1], (double)nose[0]) * 57.29577951308232;
            CHECK_NEAR(degrees, cases[i].wanted, 0.01);
            CHECK_NEAR(nose[2], 0, 1e-3);
        }
    }
}

/* The target moves around the head by 0.1 degrees per step, at five heights. The head must not rotate faster. */
static void test_no_flip(void)
{
    md5_model *model = bust(0);
    for (int height = -50; height <= 50; height += 25) {
        float before[3], nose[3];
        check_scene("%d above the head", height);
        look_at(model, 0, (float)height, 1.2f, 1, before);
        for (int step = 1; step <= 3600; ++step) {
            check_step("%g degrees to the left", step * 0.1);
            look_at(model, step * 0.1, (float)height, 1.2f, 1, nose);
            double moved = hypot((double)(nose[0] - before[0]), (double)(nose[1] - before[1]));
            CHECK(moved < 5 * 0.1 / 57.2 * 1.01);
            memcpy(before, nose, sizeof before);
        }
    }
}

/* There is no limit, and the barrel points along the second axis of the joint. */
static void test_turret(void)
{
    static const float barrel[3] = { 0, 2, 0 };
    static const float targets[5][3] = {
        { 100, 0, 20 }, { 0, 50, 20 }, { -7, 0, 20 }, { 0, 0, -80 }, { 3, -4, 120 }
    };
    md5_model *model = bust(0);
    for (int i = 0; i < 5; ++i) {
        float matrix[16];
        md5_xform pose[4];
        check_step("target %d", i);
        md5_pose_bind(model, pose);
        md5_pose_aim(model, pose, HEAD, barrel, targets[i], 4, 1);
        md5_pose_to_model_space(model, pose, pose);
        md5_pose_matrix(&pose[HEAD], matrix);
        double direction[3], size;
        for (int k = 0; k < 3; ++k) direction[k] = (double)targets[i][k] - (k == 2 ? 20 : 0);
        size = sqrt(direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
        for (int k = 0; k < 3; ++k) CHECK_NEAR(matrix[4 + k], direction[k] / size, 2e-5);
    }

    check_step("straight behind, and straight down from straight up");
    float nose[3];
    look_at(model, 180, 0, 4, 1, nose);
    CHECK_NEAR(nose[0], -5, 1e-4);
    static const float axis[3] = { 0, 0, 1 }, below[3] = { 0, 0, -9 };
    md5_xform root = { { 0, 0, 0 }, 1, { 0, 0, 0, 1 } };
    md5_pose_aim(model, &root, 0, axis, below, 4, 1);
    CHECK_NEAR(fabs((double)root.rotation[0]), 1, 1e-5);
}

static void test_aim_share(void)
{
    md5_model *model = bust(0);
    static const float shares[4] = { -1, 0.25f, 1, 9 };
    static const double wanted[4] = { 0, 20, 80, 80 };
    for (int i = 0; i < 4; ++i) {
        float nose[3];
        check_step("t %g", (double)shares[i]);
        look_at(model, 80, 0, 1.5f, shares[i], nose);
        CHECK_NEAR(atan2((double)nose[1], (double)nose[0]) * 57.29577951308232, wanted[i], 0.01);
    }
}

static void test_no_aim(void)
{
    static const float none[3] = { 0, 0, 0 }, x[3] = { 1, 0, 0 }, here[3] = { 0, 0, 20 };
    static const float short_axis[3] = { 1e-20f, 0, 0 }, long_axis[3] = { 0, 1e20f, 0 };
    const float huge = (float)HUGE_VAL;
    const float not_finite[2][3] = { { huge, 0, 0 }, { 0, huge - huge, 0 } };
    md5_model *model = bust(0);
    md5_xform bind[4], pose[4];
    md5_pose_bind(model, bind);
    memcpy(pose, bind, sizeof pose);
    md5_pose_turn(model, pose, HEAD, none, 1);
    md5_pose_turn(model, pose, HEAD, short_axis, 1);
    md5_pose_turn(model, pose, HEAD, long_axis, 1);
    md5_pose_turn(model, pose, HEAD, x, huge);
    for (int i = 0; i < 4; ++i) {
        static const int no_joints[4] = { -1, INT_MIN, 4, INT_MAX };
        md5_pose_turn(model, pose, no_joints[i], x, 1);
        md5_pose_aim(model, pose, no_joints[i], x, none, 1, 1);
    }
    md5_pose_aim(model, pose, HEAD, none, x, 1, 1);
    md5_pose_aim(model, pose, HEAD, x, here, 1, 1);
    for (int i = 0; i < 2; ++i) {
        md5_pose_turn(model, pose, HEAD, not_finite[i], 1);
        md5_pose_aim(model, pose, HEAD, not_finite[i], x, 1, 1);
        md5_pose_aim(model, pose, HEAD, x, not_finite[i], 1, 1);
    }
    CHECK(same_bits(pose, bind, sizeof pose));

    check_step("a pose of zeros");
    md5_xform zeros[4];
    memset(zeros, 0, sizeof zeros);
    memset(pose, 0, sizeof pose);
    md5_pose_turn(model, pose, HEAD, x, 1);
    md5_pose_aim(model, pose, HEAD, x, x, 1, 1);
    CHECK(same_bits(pose, zeros, sizeof pose));

    check_step("a limit of 0, or NaN");
    memcpy(pose, bind, sizeof pose);
    md5_pose_aim(model, pose, HEAD, NULL, x, 0, 1);
    md5_pose_aim(model, pose, HEAD, NULL, x, huge - huge, 1);
    CHECK_NEAR(pose_distance(pose, bind, 4), 0, 1e-6);
}

void test_skeletons(void)
{
    RUN(test_find_joint, "a joint is found by its exact name, otherwise ignoring upper and lower case");
    RUN(test_check_anim, "an animation fits joints of the same parents, axes and scale");
    RUN(test_long_mismatch, "an error about an animation that does not fit has the remedy, for names of any length");
    RUN(test_renamed_joints, "an animation fits a model whose joints have other names");
    RUN(test_retarget_order, "a retargeted animation moves the joints of the same names");
    RUN(test_retarget_same, "an animation that is retargeted to its own skeleton stays the same");
    RUN(test_retarget_axes, "joints that an animation lacks keep the bind pose, with any axes");
    RUN(test_retarget_one_name, "of several joints with one name, the joint of the same index matches, else the first");
    RUN(test_retarget_renamed, "joints without a match by name match by number, if their parents match");
    RUN(test_longer_legs, "a retargeted animation keeps the bone lengths of its model");
    RUN(test_retarget_cases, "a retargeted joint points in the same direction of model space as in the source");
    RUN(test_retarget_moves, "a joint that moves relative to its parent moves in proportion to its bone");
    RUN(test_retarget_ratios, "movements scale with the bones, or with the skeletons if a bone has no length");
    RUN(test_retarget_root, "a root moves in model space, whatever the axes of its bind pose are");
    RUN(test_retarget_loops, "a retargeted loop keeps its length, whatever joints it loses");
    RUN(test_retarget_without_memory, "the number of missing joints is written only if there is an animation");
    RUN(test_retarget_refusals, "other axes, another scale and lack of memory are refused");
    RUN(test_turn, "a joint rotates about an axis of the model, with all of its children");
    RUN(test_length_of_axis, "a joint rotates about an axis of any length from 1e-18 to 1e18");
    RUN(test_look, "a head looks at a target that moves around it, up to the limit of its neck");
    RUN(test_no_flip, "a head never flips, wherever the target goes");
    RUN(test_turret, "a turret without a limit aims at anything");
    RUN(test_aim_share, "a fraction of an aim rotates by a fraction of the angle");
    RUN(test_no_aim, "an aim without a direction rotates nothing");
}
