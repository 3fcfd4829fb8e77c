/* skeletons.c: joints by name; does an animation fit a model; retargeting it where it does not.
   Public domain. */
#include "test_md5.h"

/* The wave with one line of it replaced. */
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
    expect_mismatch(model, edited_wave("\"hand\"", "\"Hand\" 2 63 5"),
                    "joint 3 is \"Hand\", the model's is \"hand\"");
    expect_mismatch(model, edited_wave("\"finger_01\"", "\"finger_01\" 2 56 11"),
                    "joint 5 \"finger_01\" hangs from another joint than the model's");
    expect_mismatch(model, edited_wave("\"upper arm\"", "\"upper arm\" -1 32 3"),
                    "joint 1 \"upper arm\" hangs from another joint than the model's");
    expect_mismatch(chain_model(4), anim, "the animation has 6 joints, the model has 4");
    expect_mismatch(model, clip_with(M5_WAVE, &y_up),
                    "one of model and animation was loaded with MD5_Y_UP, the other without");
    expect_mismatch(model, clip_with(M5_WAVE, &large),
                    "the animation was loaded with another options.scale than the model");
    CHECK_EQ(md5_check_anim(NULL, anim, &error), MD5_ERROR_ARGUMENT);
    check_error(&error, MD5_ERROR_ARGUMENT, 0, no_arguments);
    CHECK_EQ(md5_check_anim(model, NULL, NULL), MD5_ERROR_ARGUMENT);
}

/* The wave with thumb and finger exchanged, the hand missing, and a tail that the model has not. */
static const int foreign_order[M5_JOINTS] = {
    M5_ORIGIN, M5_UPPER, M5_LOWER, M5_FINGER, M5_THUMB, -1
};

static void put_foreign_joint(m5_text *text, int joint)
{
    static const int parents[M5_JOINTS] = { -1, 0, 1, 2, 2, 0 };
    int number = foreign_order[joint];
    m5_put(text, "\"%s\" %d", number < 0 ? "tail" : m5_arm[number].name, parents[joint]);
}

static m5_xform foreign_pose(int joint, int frame)
{
    int number = foreign_order[joint];
    return m5_arm_local(&m5_clips[M5_WAVE], number < 0 ? 0 : number, frame);
}

static void test_retarget(void)
{
    md5_model *model = arm();
    md5_anim *wave = clip(M5_WAVE), *foreign, *fitted, *same;
    m5_text *text = new_text();
    md5_xform bind[M5_JOINTS], want[M5_JOINTS], got[M5_JOINTS], raw[M5_JOINTS];
    md5_error error;
    uint32_t missing = 99, extra = 99;
    put_anim(text, M5_JOINTS, m5_clips[M5_WAVE].frames, put_foreign_joint, foreign_pose);
    foreign = anim_of(text, NULL);
    CHECK_EQ(md5_check_anim(model, foreign, NULL), MD5_ERROR_MISMATCH);
    fitted = keep_anim(md5_retarget_anim(model, foreign, &missing, NULL, &error));
    same = keep_anim(md5_retarget_anim(model, wave, &extra, NULL, NULL));
    if (!CHECK(fitted && same)) return;
    CHECK_EQ(error.code, MD5_OK);
    CHECK(missing == 1 && extra == 0);
    CHECK_EQ(md5_check_anim(model, fitted, NULL), MD5_OK);
    CHECK_EQ(md5_check_anim(model, same, NULL), MD5_OK);
    CHECK_TEXT(fitted->name, foreign->name);
    CHECK(fitted->fps == foreign->fps && fitted->frame_count == foreign->frame_count);
    CHECK_EQ(fitted->closed, foreign->closed);
    CHECK(same_floats(fitted->bounds[2].max, foreign->bounds[2].max, 3));
    md5_pose_bind(model, bind);
    for (int step = 0; step < 24; ++step) {
        md5_pose_at(wave, MD5_LOOP, 0.05 * step, want);
        md5_pose_at(same, MD5_LOOP, 0.05 * step, got);
        CHECK(pose_distance(want, got, M5_JOINTS) <= 0.0);
        md5_pose_at(foreign, MD5_LOOP, 0.05 * step, raw);
        md5_pose_at(fitted, MD5_LOOP, 0.05 * step, got);
        for (int j = 0; j < 5; ++j) want[foreign_order[j]] = raw[j];
        want[M5_HAND] = bind[M5_HAND];
        CHECK_NEAR(pose_distance(want, got, M5_JOINTS), 0, 2e-6);
        CHECK(pose_distance(bind, got, M5_JOINTS) > 0.01);
    }
}

static void test_retarget_refusals(void)
{
    md5_model *model = arm();
    md5_anim *wave = clip(M5_WAVE);
    counting_allocator memory;
    md5_options options;
    md5_error error;
    md5_anim *copy;
    CHECK(!md5_retarget_anim(NULL, wave, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_ARGUMENT, 0, "no model or no animation is given");
    model->scale = 2;
    CHECK(!md5_retarget_anim(model, wave, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_MISMATCH, 0,
                "the animation was loaded with another options.scale than the model");
    model->scale = 1;
    model->flags ^= MD5_Y_UP;
    CHECK(!md5_retarget_anim(model, wave, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_MISMATCH, 0,
                "one of model and animation was loaded with MD5_Y_UP, the other without");
    model->flags ^= MD5_Y_UP;
    for (size_t i = 1; i < 4; ++i) {
        options = counting_options(&memory);
        memory.fail_at = i < 3 ? i : 0;
        copy = md5_retarget_anim(model, wave, NULL, &options, &error);
        CHECK((copy != NULL) == (i == 3));
        CHECK_EQ(error.code, i < 3 ? MD5_ERROR_MEMORY : MD5_OK);
        CHECK_EQ(memory.live_bytes, copy ? copy->bytes : 0);
        CHECK_EQ(memory.live_blocks, copy ? 1 : 0);
        md5_free_anim(copy);
        CHECK(counting_is_clean(&memory));
    }
}

/* Joints that the animation lacks keep the bind pose, along whichever axes; w is never positive. */
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
        if (!CHECK(model && anim)) return;
        copy = keep_anim(md5_retarget_anim(model, anim, &missing, NULL, NULL));
        if (!CHECK(copy != NULL)) return;
        CHECK_EQ(missing, 2);
        CHECK_TEXT(copy->name, "tiny");
        md5_pose_at(copy, MD5_LOOP, 0, pose);
        md5_pose_bind(model, bind);
        for (uint32_t i = 0; i < 2; ++i) {
            const md5_xform *x = &pose[missing_joints[i]], *y = &bind[missing_joints[i]];
            for (uint32_t k = 0; k < 3; ++k) CHECK_NEAR(x->position[k], y->position[k], 1e-6);
            for (uint32_t k = 0; k < 4; ++k) CHECK_NEAR(x->rotation[k], y->rotation[k], 1e-6);
        }
        CHECK_EQ(pose[1].position[flags & MD5_Y_UP ? 0 : 1], 4);
        CHECK_EQ(pose[2].position[flags & MD5_Y_UP ? 2 : 0], 2);
    }
}

/* Of joints of one name that of the same index is meant, else the first. */
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
    md5_anim *copy = keep_anim(md5_retarget_anim(model, anim, &missing, NULL, NULL));
    CHECK_EQ(missing, 0);
    for (uint32_t i = 0; CHECK(copy != NULL) && i < 5; ++i) {
        CHECK_EQ(anim_xform(copy, 0, (int)i)->position[0], wanted[i]);
    }
}

void test_skeletons(void)
{
    run_test("joints by name", test_find_joint);
    run_test("does the animation fit", test_check_anim);
    run_test("retargeting", test_retarget);
    run_test("refusals to retarget", test_retarget_refusals);
    run_test("retargeting along axes", test_retarget_axes);
    run_test("retargeting joints of one name", test_retarget_one_name);
}
