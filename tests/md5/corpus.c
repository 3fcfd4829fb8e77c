/* corpus.c: every model under $MODELS: each file against the reference, each pair of mesh and
   animation of a folder posed and skinned, and bad files refused. Public domain. */
#include "reference.h"

typedef struct loaded_anim {
    md5_anim *anim;
    ref_anim ref;
    bool exact; /* fits the mesh in question */
} loaded_anim;

static bool is_sentence(const char *message)
{
    size_t i;
    for (i = 0; message[i] >= ' ' && message[i] <= '~'; ++i) continue;
    return !message[i] && i > 8 && i < 120;
}

/* Without an animation, the bind pose. */
static void check_pair_at(const md5_model *model, const ref_model *ref, const loaded_anim *pair,
                          double seconds)
{
    size_t joints = model->joint_count;
    m5_xform *want = (m5_xform *)keep_block(joints * sizeof *want);
    m5_xform *local = (m5_xform *)keep_block(joints * sizeof *local);
    check_step("%s at %.9g s", pair ? pair->anim->name : "the bind pose", seconds);
    md5_xform *pose = posed(model, pair ? pair->anim : NULL, MD5_LOOP, seconds);
    float min[3], max[3];
    for (size_t j = 0; j < joints; ++j) want[j] = ref->joint[j].bind;
    if (pair) {
        ref_pose_at(&pair->ref, pair->anim->closed, MD5_LOOP, seconds, local);
        ref_to_model_space(ref->joint, ref->joint_count, local, want);
    }
    skinning_errors errors = check_skinning(model, ref, pose, want);
    md5_pose_bounds(model, pose, min, max);
    double extent = 0;
    for (int k = 0; k < 3; ++k) keep_worst(&extent, (double)max[k] - (double)min[k]);
    if (extent <= 0.0) return;

    CHECK_NEAR(errors.vertex / extent, 0, 1e-5);
    CHECK_NEAR(errors.palette / extent, 0, 5e-5);
    if (!pair) CHECK_NEAR(errors.bind / extent, 0, 1e-5);
}

static bool has_duplicate_names(const ref_anim *anim)
{
    for (int i = 0; i < anim->joint_count; ++i) {
        for (int j = 0; j < i; ++j) {
            if (strcmp(anim->joint[i].name, anim->joint[j].name) == 0) return true;
        }
    }
    return false;
}

/* Retargeted to the model, an animation that fits already stays the same, and every other one is
   safe to use. */
static void check_retargeted(const md5_model *model, const loaded_anim *pair)
{
    uint32_t missing = 0, joints = model->joint_count;
    md5_anim *fitted = keep_anim(md5_retarget_anim(model, NULL, pair->anim, &missing, NULL, NULL));
    md5_xform *x = new_pose(joints), *y = new_pose(pair->anim->joint_count);
    check_step("%s retargeted", pair->anim->name);
    CHECK(fitted != NULL);
    CHECK_EQ(md5_check_anim(model, fitted, NULL), MD5_OK);
    CHECK(missing <= joints);
    md5_pose_at(model, fitted, MD5_LOOP, 0.123, x);
    md5_pose_at(body_of(pair->anim), pair->anim, MD5_LOOP, 0.123, y);
    CHECK(all_finite(x[0].position, 3));
    if (!pair->exact || has_duplicate_names(&pair->ref)) return;
    CHECK_EQ(missing, 0);
    CHECK_EQ(pose_distance(x, y, joints), 0);
}

static bool fits(const ref_model *model, const ref_anim *anim)
{
    if (model->joint_count != anim->joint_count) return false;
    for (int j = 0; j < model->joint_count; ++j) {
        if (model->joint[j].parent != anim->joint[j].parent) return false;
    }
    return true;
}

static void test_own_models(void)
{
    if (!getenv("MODELS")) printf("    MODELS is not set: own models alone\n");
    m5_text *mesh = arm_text(0);
    md5_model *model = model_of(mesh, NULL);
    ref_model ref = ref_read_model(mesh->bytes, mesh->size);
    check_pair_at(model, &ref, NULL, 0);
    for (int i = 0; i < M5_CLIPS; ++i) {
        m5_text *text = clip_text(i, 0);
        loaded_anim pair = { anim_of(text, NULL), ref_read_anim(text->bytes, text->size), true };
        check_scene("the arm, %s", m5_clips[i].name);
        check_anim(pair.anim, &pair.ref);
        check_retargeted(model, &pair);
        check_pair_at(model, &ref, &pair, 0.123);
        check_pair_at(model, &ref, &pair, -17.3);
    }
}

static bool same_folder(const char *a, const char *b)
{
    const char *a_end = strrchr(a, '/'), *b_end = strrchr(b, '/');
    size_t size = a_end ? (size_t)(a_end - a) : 0;
    return size == (b_end ? (size_t)(b_end - b) : 0) && strncmp(a, b, size) == 0;
}

/* As a step, what does not load and why. */
static void require_loaded(bool loads, const char *path, const md5_error *error)
{
    if (!loads) check_step("%s, line %u: %s", path, (unsigned)error->line, error->message);
    CHECK(loads);
}

static loaded_anim load_anim_file(const char *path)
{
    size_t size = 0;
    char *bytes = (char *)read_file(path, &size);
    md5_error error;
    md5_anim *anim = keep_anim(md5_load_anim_file(path, NULL, &error));
    require_loaded(anim != NULL, path, &error);
    loaded_anim out = { anim, ref_read_anim(bytes, size), false };
    free(bytes);
    return out;
}

/* Folders mix models, so not every pair fits. */
static void check_pair(const md5_model *model, const ref_model *ref, loaded_anim *pair)
{
    static random_source random = { 99 };
    const md5_anim *anim = pair->anim;
    md5_error error;
    check_step("%s", anim->name);
    pair->exact = fits(ref, &pair->ref);
    CHECK_EQ(md5_check_anim(model, anim, &error), pair->exact ? MD5_OK : MD5_ERROR_MISMATCH);
    check_retargeted(model, pair);
    if (!pair->exact) {
        CHECK(is_sentence(error.message));
        return;
    }
    check_pair_at(model, ref, pair, 100.0 * random_unit(&random));
    check_pair_at(model, ref, pair, (anim->frame_count - 0.7) / (double)anim->fps);
}

/* Each mesh, and with it each animation of its folder. */
static void check_mesh_file(const char *path, const file_list *anims)
{
    size_t size = 0, mark = count_kept();
    char *bytes = (char *)read_file(path, &size);
    md5_error error;
    check_scene("%s", path);
    md5_model *model = keep_model(md5_load_model_memory(bytes, size, NULL, &error));
    require_loaded(model != NULL, path, &error);
    ref_model ref = ref_read_model(bytes, size);
    check_model(model, &ref);
    check_pair_at(model, &ref, NULL, 0);

    size_t pair_mark = count_kept();
    for (size_t i = 0; i < anims->count; ++i) {
        if (!same_folder(path, anims->path[i])) continue;
        loaded_anim pair = load_anim_file(anims->path[i]);
        check_pair(model, &ref, &pair);
        free_kept(pair_mark);
    }
    free_kept(mark);
    free(bytes);
}

static void test_memory_of_models(void)
{
    for (int kind = 0; kind < 2; ++kind) {
        file_list files = list_models(kind == M5_MESH ? ".md5mesh" : ".md5anim");
        for (size_t i = 0; i < files.count; ++i) {
            check_scene("%s", files.path[i]);
            check_peaks(kind, files.path[i]);
        }
        file_list_free(&files);
    }
}

static void test_models(void)
{
    file_list meshes = list_models(".md5mesh"), anims = list_models(".md5anim");
    for (size_t i = 0; i < anims.count; ++i) {
        check_scene("%s", anims.path[i]);
        loaded_anim one = load_anim_file(anims.path[i]);
        check_anim(one.anim, &one.ref);
        free_kept(0);
    }
    for (size_t i = 0; i < meshes.count; ++i) check_mesh_file(meshes.path[i], &anims);
    file_list_free(&meshes);
    file_list_free(&anims);
}

/* One of them says more than Doom 3 needs, and is a mesh. */
static bool loads_bad_file(const char *bytes, size_t size, int kind)
{
    md5_error error;
    check_step("as %s", kind == M5_MESH ? "a mesh" : "an animation");
    loaded_text loaded = load_text(kind, bytes, size, NULL, &error);
    free_text(&loaded);
    if (!loaded.loads) {
        printf("    line %u: %s\n", (unsigned)error.line, error.message);
        CHECK(error.code != MD5_OK);
        CHECK(is_sentence(error.message));
    }
    return loaded.loads;
}

static void test_bad_models(void)
{
    file_list bad = list_bad_models("");
    for (size_t i = 0; i < bad.count; ++i) {
        size_t size = 0;
        if (!strstr(bad.path[i], ".md5")) continue;
        char *bytes = (char *)read_file(bad.path[i], &size);
        check_scene("%s", bad.path[i]);
        CHECK(!loads_bad_file(bytes, size, M5_ANIM));
        loads_bad_file(bytes, size, M5_MESH);
        free(bytes);
    }
    file_list_free(&bad);
}

void test_corpus(void)
{
    RUN(test_own_models, "the arm and its animations are what a second reader makes of them");
    if (!getenv("MODELS")) return;
    RUN(test_models, "every model under MODELS is what a second reader makes of it");
    RUN(test_memory_of_models, "a model under MODELS takes no more memory than the interface says");
    RUN(test_bad_models, "bad models are refused with a sentence");
}
