/* Third-party models: each file under $MODELS must load, except those in $MODELS/bad. For each file, a hash of
   all results of loading and posing, or of the error, is compared with MODELS/hashes.txt.
   `MODELS=folder make record WHAT=models` writes MODELS/hashes.txt. Public domain. */
#include "hashes.h"

enum { OPTIONS = 3, SUFFIXES = 3 };

static const char *const suffixes[SUFFIXES] = { ".md2", ".md5mesh", ".md5anim" };

static const uint32_t md2_flags[OPTIONS] = { 0, MD2_Y_UP | MD2_FLIP_V,
                                             MD2_KEEP_WINDING | MD2_FRAME_NAMES };
static const uint32_t md5_flags[OPTIONS] = { 0, MD5_Y_UP | MD5_FLIP_V, MD5_KEEP_WINDING };

/* -- MD2 -------------------------------------------------------------------- */

static void hash_md2_vertices(const md2_model *m, md2_pose pose)
{
    size_t floats = (size_t)m->vertex_count * 3;
    float *out = (float *)malloc_or_abort((2 * floats + 1) * sizeof *out), low[3], high[3];
    md2_pose_vertices(m, &pose, out, 0, out + floats, 0);
    md2_pose_bounds(m, &pose, low, high);
    hash_floats(out, 2 * floats);
    hash_floats(low, 3);
    hash_floats(high, 3);
    free(out);
}

static void hash_md2(const md2_model *m)
{
    hash_values("%u %u %u %u", m->skin_width, m->skin_height, m->dropped_triangles, m->defects);
    for (uint32_t i = 0; i < m->skin_count; ++i) hash_values("%s", m->skins[i].path);
    for (uint32_t i = 0; i < m->vertex_count; ++i) {
        const md2_vertex *v = &m->vertices[i];
        hash_values("%u %f %f", (unsigned)v->point, (double)v->u, (double)v->v);
    }
    for (uint32_t i = 0; i < m->index_count; ++i) hash_word(m->indices[i], 4);
    for (uint32_t i = 0; i < m->frame_count; ++i) {
        const md2_frame *f = &m->frames[i];
        hash_values("%s", f->name);
        hash_floats(f->scale, 3);
        hash_floats(f->translate, 3);
        hash_floats(f->min, 3);
        hash_floats(f->max, 3);
        hash_bytes(f->points, m->point_count * sizeof *f->points);
    }
    for (uint32_t i = 0; i < m->anim_count; ++i) {
        const md2_anim *a = &m->anims[i];
        hash_values("%u %u %f %s", a->first, a->count, (double)a->fps, a->name);
    }
    for (uint32_t i = 0; i < m->strip_count; ++i) {
        hash_values("%u %u %d", m->strips[i].first, m->strips[i].count, m->strips[i].fan);
    }
    for (uint32_t i = 0; i < m->strip_vertex_count; ++i) {
        const md2_strip_vertex *v = &m->strip_vertices[i];
        hash_values("%u %f %f", v->vertex, (double)v->u, (double)v->v);
    }

    uint32_t last = m->frame_count - 1;
    md2_pose middle = md2_pose_between(0, last / 2, 0.3f);
    hash_md2_vertices(m, middle);
    hash_md2_vertices(m, md2_pose_mix(middle, md2_pose_between(last / 3, last, 0.6f), 0.4f));
}

static void hash_md2_file(const void *data, size_t size)
{
    for (int i = 0; i < OPTIONS; ++i) {
        md2_options options;
        md2_error   error;
        memset(&options, 0, sizeof options);
        options.flags = md2_flags[i];
        md2_model *m = md2_load_memory(data, size, &options, &error);
        if (m) hash_md2(m);
        else hash_values("%d %u %s", error.code, (unsigned)error.offset, error.message);
        md2_free_model(m);
    }
}

/* -- MD5 -------------------------------------------------------------------- */

static void hash_xform(const md5_xform *x)
{
    hash_floats(x->position, 3);
    hash_floats(x->rotation, 4);
    hash_float(x->scale);
}

static void hash_mesh(const md5_model *m, uint32_t number, const md5_xform *pose)
{
    const md5_mesh *mesh = &m->meshes[number];
    size_t          count = mesh->vertex_count;
    float          *out = (float *)malloc_or_abort((10 * count + 1) * sizeof *out);
    hash_values("%s %u", mesh->shader, mesh->max_influences);
    for (size_t i = 0; i < count; ++i) {
        const md5_vertex *v = &mesh->vertices[i];
        hash_values("%f %f %u %u", (double)v->u, (double)v->v, v->first_weight, v->weight_count);
        hash_floats(v->position, 3);
        hash_floats(v->normal, 3);
        hash_floats(v->tangent, 4);
    }
    for (uint32_t i = 0; i < mesh->weight_count; ++i) {
        hash_values("%u %f", mesh->weights[i].joint, (double)mesh->weights[i].bias);
        hash_floats(mesh->weights[i].position, 3);
    }
    for (uint32_t i = 0; i < mesh->index_count; ++i) hash_word(mesh->indices[i], 4);
    md5_pose_vertices(m, number, pose, out, 0, out + 3 * count, 0, out + 6 * count, 0);
    hash_floats(out, 10 * count);
    free(out);
}

/* Hashes a model, also in a pose: the bind pose, with each joint moved a little. */
static void hash_md5_model(const md5_model *m)
{
    md5_xform *pose = (md5_xform *)malloc_or_abort((m->joint_count + 1) * sizeof *pose);
    float      low[3], high[3];
    hash_values("%s %u", m->commandline, m->defects);
    hash_floats(m->min, 3);
    hash_floats(m->max, 3);
    for (uint32_t i = 0; i < m->joint_count; ++i) {
        hash_values("%s %d", m->joints[i].name, (int)m->joints[i].parent);
        hash_xform(&m->joints[i].bind);
        hash_floats(m->joints[i].inverse_bind, 12);
    }

    md5_pose_bind(m, pose);
    for (uint32_t i = 0; i < m->joint_count; ++i) pose[i].position[0] += 0.1f * (float)(i % 64);
    md5_pose_to_model_space(m, pose, pose);
    for (uint32_t i = 0; i < m->mesh_count; ++i) hash_mesh(m, i, pose);
    md5_pose_bounds(m, pose, low, high);
    hash_floats(low, 3);
    hash_floats(high, 3);
    free(pose);
}

static void hash_md5_anim(const md5_anim *a)
{
    hash_values("%u %u %f %d %u", a->frame_count, a->moving_count, (double)a->fps, a->closed, a->defects);
    for (uint32_t i = 0; i < a->joint_count; ++i) {
        hash_values("%s %d %u", a->joint_names[i], (int)a->parents[i], a->slots ? a->slots[i] : i);
    }
    for (size_t i = 0; i < (size_t)a->frame_count * a->moving_count; ++i) hash_xform(&a->frames[i]);
    for (uint32_t i = 0; i < a->joint_count - a->moving_count; ++i) hash_xform(&a->still[i]);
    for (uint32_t parts = 0; parts < 4; ++parts) {
        md5_xform motion;
        md5_anim_motion(a, MD5_LOOP, parts, 0.1, 7.7, &motion);
        hash_xform(&motion);
    }
}

static void hash_md5_file(const void *text, size_t size, bool is_anim)
{
    for (int i = 0; i < OPTIONS; ++i) {
        md5_options options;
        md5_error   error;
        memset(&options, 0, sizeof options);
        options.flags = md5_flags[i];
        md5_anim  *a = is_anim ? md5_load_anim_memory(text, size, NULL, &options, &error) : NULL;
        md5_model *m = is_anim ? NULL : md5_load_model_memory(text, size, &options, &error);
        if (a) hash_md5_anim(a);
        else if (m) hash_md5_model(m);
        else hash_values("%d %u %s", error.code, (unsigned)error.line, error.message);
        md5_free_anim(a);
        md5_free_model(m);
    }
}

/* -- Files ------------------------------------------------------------------- */

static const char *root(void) { return getenv("MODELS"); }

static bool ends_with(const char *path, const char *suffix)
{
    size_t length = strlen(path), end = strlen(suffix);
    return length >= end && strcmp(path + length - end, suffix) == 0;
}

static uint64_t hash_file(const char *path)
{
    size_t         size;
    unsigned char *data = read_file(path, &size);
    begin_hash();
    check_scene("%s", path);
    CHECK(data != NULL);
    if (ends_with(path, ".md2")) hash_md2_file(data, size);
    else hash_md5_file(data, size, ends_with(path, ".md5anim"));
    free(data);
    return end_hash();
}

/* Calls a function with the path of each file relative to the folder, and its hash. */
static void each_model(void (*act)(const char *name, uint64_t hash))
{
    for (size_t i = 0; i < SUFFIXES; ++i) {
        file_list files = list_files(root(), suffixes[i]);
        for (size_t k = 0; k < files.count; ++k) {
            act(files.path[k] + strlen(root()) + 1, hash_file(files.path[k]));
        }
        file_list_free(&files);
    }
}

static void print_model(const char *name, uint64_t hash)
{
    printf("%08lx%08lx %s\n", (unsigned long)(hash >> 32), (unsigned long)(hash & 0xFFFFFFFFu), name);
}

void print_models(void)
{
    if (root() && *root()) each_model(print_model);
}

/* The text of the file of recorded hashes. */
static char    *recorded;
static unsigned compared, changed;

/* Prints the name of each file that differs, because a failed check would end the test at the first file. */
static void compare_model(const char *name, uint64_t hash)
{
    char        line[1100];
    const char *is;
    snprintf(line, sizeof line, "\n%08lx%08lx %.1000s\n", (unsigned long)(hash >> 32),
             (unsigned long)(hash & 0xFFFFFFFFu), name);
    ++compared;
    if (strstr(recorded, line)) return;

    snprintf(line, sizeof line, " %.1000s\n", name);
    is = strstr(recorded, line) ? "gives other results than recorded" : "is not recorded yet";
    printf("    %s %s\n", name, is);
    ++changed;
}

/* Reads the recorded hashes. Returns NULL if there are none. */
static char *read_recorded(void)
{
    char   path[1100];
    size_t size;
    snprintf(path, sizeof path, "%.1000s/hashes.txt", root());
    unsigned char *bytes = read_file(path, &size);
    if (!bytes) return NULL;

    char *text = (char *)malloc_or_abort(size + 2); /* each line begins after "\n" */
    text[0] = '\n';
    memcpy(text + 1, bytes, size);
    text[size + 1] = 0;
    free(bytes);
    return text;
}

static void test_models(void)
{
    each_model(compare_model);
    check_scene("if the change is intended: MODELS=%s make record WHAT=models", root());
    check_step("%u of %u files differ", changed, compared);
    CHECK(compared > 0);
    CHECK_EQ(changed, 0);
}

/* Returns whether a file loads. If not, the error gets a sentence. */
static bool loads(const char *path, char *sentence, size_t size)
{
    md2_error error2;
    md5_error error5;
    bool      is_md2 = ends_with(path, ".md2"), is_loaded;
    if (is_md2) {
        md2_model *m = md2_load_file(path, NULL, &error2);
        is_loaded = m != NULL;
        md2_free_model(m);
    } else if (ends_with(path, ".md5anim")) {
        md5_anim *a = md5_load_anim_file(path, NULL, &error5);
        is_loaded = a != NULL;
        md5_free_anim(a);
    } else {
        md5_model *m = md5_load_model_file(path, NULL, &error5);
        is_loaded = m != NULL;
        md5_free_model(m);
    }
    snprintf(sentence, size, "%s", is_md2 ? error2.message : error5.message);
    return is_loaded;
}

/* A file in MODELS/bad may load: whether it does is part of its recorded hash. */
static void test_loading(void)
{
    char sentence[256];
    for (size_t i = 0; i < SUFFIXES; ++i) {
        file_list good = list_models(suffixes[i]), bad = list_bad_models(suffixes[i]);
        for (size_t k = 0; k < good.count; ++k) {
            bool is_loaded = loads(good.path[k], sentence, sizeof sentence);
            check_scene("%s: %s", good.path[k], sentence);
            CHECK(is_loaded);
        }
        for (size_t k = 0; k < bad.count; ++k) {
            bool is_loaded = loads(bad.path[k], sentence, sizeof sentence);
            printf("    %s: %s\n", bad.path[k], is_loaded ? "loads" : sentence);
            check_scene("%s", bad.path[k]);
            CHECK(is_loaded || strlen(sentence) >= 10);
        }
        file_list_free(&good);
        file_list_free(&bad);
    }
    if (!recorded) printf("    hashes are not recorded yet: MODELS=%s make record WHAT=models\n", root());
}

void test_given_models(void)
{
    if (!root() || !*root()) return;
    recorded = read_recorded();
    check_run("loading", "each file under MODELS loads; a file in MODELS/bad may be refused, with a sentence",
              test_loading);
    if (recorded) check_run("models", "each file under MODELS gives the results that were recorded", test_models);
    free(recorded);
}
