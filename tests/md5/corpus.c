/* corpus.c: every model under $MODELS: each file against the reference, each pair of mesh and
   animation of a folder posed and skinned, and bad files refused. Public domain. */
#include "reference.h"

static struct {
    unsigned long meshes, anims, pairs, misfits, vertices;
} seen;

typedef struct loaded_anim {
    md5_anim *anim;
    ref_anim ref;
    bool exact; /* fits the mesh in question */
} loaded_anim;

/* -- Files against the reference -------------------------------------------- */

static bool same_as_float(float got, double want)
{
    float rounded = (float)want;
    return same_floats(&got, &rounded, 1);
}

static void check_mesh(const md5_mesh *mesh, const ref_mesh *want)
{
    int i, k;
    uint32_t most = 0;
    bool same = (int)mesh->vertex_count == want->vertex_count &&
                (int)mesh->weight_count == want->weight_count &&
                (int)mesh->index_count == 3 * want->triangle_count;
    CHECK_TEXT(mesh->shader, want->shader);
    for (i = 0; same && i < want->vertex_count; ++i) {
        const md5_vertex *v = &mesh->vertices[i];
        const ref_vertex *w = &want->vertex[i];
        if (v->weight_count > most) most = v->weight_count;
        same = (int)v->first_weight == w->first && (int)v->weight_count == w->count &&
               same_as_float(v->u, w->u) && same_as_float(v->v, w->v);
        CHECK(fabs(length3f(v->normal) - 1.0) < 1e-5 && fabs(length3f(v->tangent) - 1.0) < 1e-5);
        CHECK(fabs(dot3f(v->normal, v->tangent)) < 1e-3 &&
              fabs(fabs((double)v->tangent[3]) - 1.0) <= 0.0);
    }
    CHECK_EQ(mesh->max_influences, most);
    for (i = 0; same && i < want->weight_count; ++i) {
        same = (int)mesh->weights[i].joint == want->weight[i].joint &&
               same_as_float(mesh->weights[i].bias, want->weight[i].bias);
        for (k = 0; same && k < 3; ++k) {
            same = same_as_float(mesh->weights[i].position[k], want->weight[i].p[k]);
        }
    }
    for (i = 0; same && i < 3 * want->triangle_count; ++i) { /* the winding is reversed */
        same = (int)mesh->indices[i] == want->corner[i % 3 ? i - i % 3 + 3 - i % 3 : i];
    }
    CHECK(same);
}

static void check_model(const md5_model *model, const ref_model *ref)
{
    int j, m, k;
    if (!CHECK((int)model->joint_count == ref->joint_count &&
               (int)model->mesh_count == ref->mesh_count)) {
        return;
    }
    for (j = 0; j < ref->joint_count; ++j) {
        CHECK_TEXT(model->joints[j].name, ref->joint[j].name);
        CHECK_EQ(model->joints[j].parent, ref->joint[j].parent);
        for (k = 0; k < 3; ++k) {
            CHECK_EQ(model->joints[j].bind.position[k], (float)ref->joint[j].bind.p[k]);
        }
        for (k = 0; k < 4; ++k) {
            CHECK_NEAR(model->joints[j].bind.rotation[k], ref->joint[j].bind.q[k], 2e-4);
        }
    }
    for (m = 0; m < ref->mesh_count; ++m) check_mesh(&model->meshes[m], &ref->mesh[m]);
}

static void check_anim(const md5_anim *anim, const ref_anim *ref)
{
    int i, j, k;
    CHECK_EQ(anim->frame_count, ref->frame_count);
    CHECK_EQ(anim->joint_count, ref->joint_count);
    CHECK_EQ(anim->fps, ref->rate > 0.0 ? ref->rate : 24.0);
    for (j = 0; j < ref->joint_count; ++j) {
        CHECK_TEXT(anim->joint_names[j], ref->joint[j].name);
        CHECK_EQ(anim->parents[j], ref->joint[j].parent);
        for (i = 0; i < ref->frame_count; ++i) {
            m5_xform want = ref_joint_at(ref, j, i);
            const md5_xform *got = anim_xform(anim, i, j);
            CHECK_EQ(got->scale, 1);
            for (k = 0; k < 3; ++k) CHECK_EQ(got->position[k], (float)want.p[k]);
            for (k = 0; k < 4; ++k) CHECK_NEAR(got->rotation[k], want.q[k], 2e-4);
        }
    }
}

/* -- Pairs ------------------------------------------------------------------ */

static void check_pair_at(const md5_model *model, const ref_model *ref, const loaded_anim *pair,
                          double seconds)
{
    size_t joints = model->joint_count;
    m5_xform *want = (m5_xform *)keep_block(joints * sizeof *want);
    m5_xform *local = (m5_xform *)keep_block(joints * sizeof *local);
    md5_xform *pose = posed(model, pair->anim, MD5_LOOP, seconds);
    float min[3], max[3];
    double extent;
    skinning_errors errors;
    ref_pose_at(&pair->ref, pair->anim->closed, MD5_LOOP, seconds, local);
    ref_to_model_space(ref->joint, ref->joint_count, local, want);
    errors = check_skinning(model, ref, pose, want);
    seen.vertices += errors.vertices;
    md5_pose_bounds(model, pose, min, max);
    extent = extent_of(min, max);
    if (extent <= 0.0) return;
    keep_worst(&worst.vertex, errors.vertex / extent);
    keep_worst(&worst.palette, errors.palette / extent);
    CHECK_NEAR(errors.vertex / extent, 0, 1e-5);
    CHECK_NEAR(errors.palette / extent, 0, 5e-5);
}

static bool has_duplicate_names(const ref_anim *anim)
{
    int i, j;
    for (i = 0; i < anim->joint_count; ++i) {
        for (j = 0; j < i; ++j) {
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
    md5_anim *fitted = keep_anim(md5_retarget_anim(model, pair->anim, &missing, NULL, NULL));
    md5_xform *x = new_pose(joints), *y = new_pose(pair->anim->joint_count);
    if (!CHECK(fitted != NULL)) return;
    CHECK_EQ(md5_check_anim(model, fitted, NULL), MD5_OK);
    CHECK(missing <= joints);
    md5_pose_at(fitted, MD5_LOOP, 0.123, x);
    md5_pose_at(pair->anim, MD5_LOOP, 0.123, y);
    CHECK(all_finite(x[0].position, 3));
    if (!pair->exact || has_duplicate_names(&pair->ref)) return;
    CHECK_EQ(missing, 0);
    CHECK(pose_distance(x, y, joints) <= 0.0);
}

static bool fits(const ref_model *model, const ref_anim *anim)
{
    int j;
    if (model->joint_count != anim->joint_count) return false;
    for (j = 0; j < model->joint_count; ++j) {
        if (strcmp(model->joint[j].name, anim->joint[j].name) != 0 ||
            model->joint[j].parent != anim->joint[j].parent) {
            return false;
        }
    }
    return true;
}

static void test_own_models(void)
{
    m5_text *mesh = arm_text(0);
    md5_model *model = model_of(mesh, NULL);
    ref_model ref = ref_read_model(mesh->bytes, mesh->size);
    int i;
    check_model(model, &ref);
    for (i = 0; i < M5_CLIPS; ++i) {
        m5_text *text = clip_text(i, 0);
        loaded_anim pair;
        pair.anim = anim_of(text, NULL);
        pair.ref = ref_read_anim(text->bytes, text->size);
        pair.exact = true;
        check_subject(m5_clips[i].name);
        check_anim(pair.anim, &pair.ref);
        CHECK_TEXT(pair.anim->name, "own");
        check_retargeted(model, &pair);
        check_pair_at(model, &ref, &pair, 0.123);
        check_pair_at(model, &ref, &pair, -17.3);
    }
}

/* -- Folders ---------------------------------------------------------------- */

static void check_mesh_file(const char *path, loaded_anim *anims, size_t count)
{
    static random_source random = { 99 };
    size_t size = 0, i, mark = count_kept(), pair_mark;
    char *bytes = (char *)read_file(path, &size);
    md5_error error;
    md5_model *model = keep_model(md5_load_model_memory(bytes, size, NULL, &error));
    ref_model ref;
    check_subject(path);
    if (CHECK(model != NULL)) {
        ref = ref_read_model(bytes, size);
        ++seen.meshes;
        check_model(model, &ref);
    } else {
        printf("  line %u: %s\n", (unsigned)error.line, error.message);
        count = 0;
    }
    pair_mark = count_kept();
    for (i = 0; i < count; ++i) {
        const md5_anim *anim = anims[i].anim;
        md5_result result = md5_check_anim(model, anim, &error);
        anims[i].exact = fits(&ref, &anims[i].ref);
        CHECK_EQ(result, anims[i].exact ? MD5_OK : MD5_ERROR_MISMATCH);
        check_retargeted(model, &anims[i]);
        if (anims[i].exact) {
            ++seen.pairs;
            check_pair_at(model, &ref, &anims[i], 100.0 * random_unit(&random));
            check_pair_at(model, &ref, &anims[i], (anim->frame_count - 0.7) / (double)anim->fps);
        } else {
            ++seen.misfits;
            CHECK(is_sentence(error.message));
        }
        free_kept(pair_mark);
    }
    free_kept(mark);
    free(bytes);
}

static bool load_anim_file(loaded_anim *out, const char *path)
{
    size_t size = 0;
    char *bytes = (char *)read_file(path, &size);
    md5_error error;
    check_subject(path);
    out->anim = keep_anim(md5_load_anim_file(path, NULL, &error));
    if (CHECK(out->anim != NULL)) {
        ++seen.anims;
        out->ref = ref_read_anim(bytes, size);
        check_anim(out->anim, &out->ref);
    } else {
        printf("  line %u: %s\n", (unsigned)error.line, error.message);
    }
    free(bytes);
    return out->anim != NULL;
}

static bool same_folder(const char *a, const char *b)
{
    const char *a_end = strrchr(a, '/'), *b_end = strrchr(b, '/');
    size_t size = a_end ? (size_t)(a_end - a) : 0;
    return size == (b_end ? (size_t)(b_end - b) : 0) && strncmp(a, b, size) == 0;
}

/* Each mesh of a folder against each animation there. Folders mix models, so not every pair
   fits. */
static void check_folders(const file_list *meshes, const file_list *paths)
{
    size_t first, i, m, count, loaded;
    loaded_anim *anims = (loaded_anim *)malloc_or_abort((paths->count + 1) * sizeof *anims);
    for (first = 0; first < paths->count; first += count) {
        size_t mark = count_kept();
        loaded = 0;
        for (count = 0; first + count < paths->count &&
                        same_folder(paths->path[first], paths->path[first + count]);) {
            loaded += load_anim_file(&anims[loaded], paths->path[first + count++]);
        }
        for (m = 0; m < meshes->count; ++m) {
            if (same_folder(meshes->path[m], paths->path[first])) {
                check_mesh_file(meshes->path[m], anims, loaded);
            }
        }
        free_kept(mark);
    }
    for (m = 0; m < meshes->count; ++m) {
        for (i = 0; i < paths->count && !same_folder(meshes->path[m], paths->path[i]);) ++i;
        if (i == paths->count) check_mesh_file(meshes->path[m], NULL, 0);
    }
    free(anims);
}

static void test_models(void)
{
    file_list meshes = list_models("md5", ".md5mesh"), anims = list_models("md5", ".md5anim");
    check_folders(&meshes, &anims);
    check_subject("");
    CHECK_FLOOR(seen.meshes, 95, "meshes loaded");
    CHECK_FLOOR(seen.anims, 150, "animations loaded");
    CHECK_FLOOR(seen.pairs, 100, "pairs that fit");
    CHECK_FLOOR(seen.misfits, 10, "pairs that do not fit");
    CHECK_FLOOR(seen.vertices, 100000, "vertices against the reference");
    file_list_free(&meshes);
    file_list_free(&anims);
}

/* As a mesh or as an animation: a sentence, or, for what says more than Doom 3 needs, a mesh. */
static bool loads_bad_file(const char *bytes, size_t size, int kind)
{
    md5_error error;
    loaded_text loaded = load_text(kind, bytes, size, NULL, &error);
    bool loads = loaded.loads;
    CHECK(loads || (error.code != MD5_OK && is_sentence(error.message)));
    if (!loads) printf("line %u: %s\n", (unsigned)error.line, error.message);
    free_text(&loaded);
    return loads;
}

static void test_bad_models(void)
{
    file_list bad = list_models("bad", "");
    unsigned long refused = 0, loaded = 0;
    size_t i;
    for (i = 0; i < bad.count; ++i) {
        size_t size = 0;
        char *bytes;
        bool loads;
        if (!strstr(bad.path[i], ".md5")) continue;
        bytes = (char *)read_file(bad.path[i], &size);
        check_subject(bad.path[i]);
        CHECK(!loads_bad_file(bytes, size, M5_ANIM));
        loads = loads_bad_file(bytes, size, M5_MESH);
        loaded += loads;
        refused += loads ? 1u : 2u;
        free(bytes);
    }
    CHECK_FLOOR(refused, 13, "bad models refused, as a mesh and as an animation");
    CHECK_EQ(loaded, 1);
    file_list_free(&bad);
}

void test_corpus(void)
{
    run_test("own models against the reference", test_own_models);
    if (!getenv("MODELS")) {
        printf("MODELS is not set: own models alone\n");
        return;
    }
    run_test("models", test_models);
    run_test("bad models", test_bad_models);
}
