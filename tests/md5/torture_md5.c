/* md5.h and files that are broken in every way that a machine can think of: cut short, a byte
   changed, no memory, a reader that fails, counts and nestings made to hurt. Nothing may crash,
   leak, hang or ask for much memory, and what loads is used whole.

   torture_md5            own models, and every one under $MODELS
   torture_md5 --quick    a small part of it, for every day
   torture_md5 --all      2,000 lengths and 2,000 changes of large files too: some minutes more

   Most of what it looks for shows only under AddressSanitizer and UndefinedBehaviorSanitizer. */
#define MD5_IMPLEMENTATION
#include "work.h"
#include "md5.h"
#include "work.h"

#include "test_md5.h"
#define FUZZ_NO_MUTATORS
#include "tests/fuzz/holds.h"
#include "tests/fuzz/md5_model.h"
#include "torture.h"

/* -- Using a model whole --------------------------------------------------- */

static md5_model *arm_model;
static md5_anim *arm_anim;

static void draw_mesh(const md5_model *model, uint32_t m, const md5_xform *pose)
{
    size_t count = model->meshes[m].vertex_count;
    float *out = new_floats(10 * count);
    char path[256];
    md5_pose_vertices(model, m, pose, out, 0, out + 3 * count, 0, out + 6 * count, 0);
    for (uint32_t attempt = 0; m < 4 && attempt < 200; ++attempt) {
        if (!md5_texture_path(model, "folder/model.md5mesh", m, attempt, path, sizeof path)) break;
    }
}

static void use_model(const md5_model *model)
{
    size_t joints = model->joint_count;
    float *palette = new_floats(12 * joints), bounds[6], matrix[16];
    fuzz_check_md5_model(model);
    md5_xform *pose = posed(model, NULL, MD5_LOOP, 0.0);
    md5_pose_palette(model, pose, palette);
    for (uint32_t m = 0; m < model->mesh_count; ++m) draw_mesh(model, m, pose);
    md5_pose_bounds(model, pose, bounds, bounds + 3);
    if (joints) md5_pose_matrix(&pose[joints - 1], matrix);
    if (joints) md5_mask_branch(model, 0, 0.5f, palette);
    md5_find_joint(model, "no such joint");
    md5_check_anim(model, arm_anim, NULL);
}

/* What it was retargeted to plays too. */
static void use_anim(const md5_anim *anim)
{
    size_t joints = anim->joint_count > M5_JOINTS ? anim->joint_count : (size_t)M5_JOINTS;
    md5_xform *pose = new_pose(joints), *scratch = new_pose(joints), motion;
    double length = md5_anim_length(anim, MD5_LOOP);
    md5_player player;
    fuzz_check_md5_anim(anim);
    for (int mode = 0; mode < 3; ++mode) {
        md5_pose_at(anim, (md5_mode)mode, length * 0.99, pose);
        md5_pose_at(anim, (md5_mode)mode, -1e12, pose);
        md5_pose_in_place(anim, (md5_mode)mode, 0.05, pose);
        md5_root_motion(anim, (md5_mode)mode, -3.0, 1e6, &motion);
    }
    md5_check_anim(arm_model, anim, NULL);
    md5_anim *fitted = keep_anim(md5_retarget_anim(arm_model, anim, NULL, NULL, NULL));
    CHECK(fitted && md5_check_anim(arm_model, fitted, NULL) == MD5_OK);
    memset(&player, 0, sizeof player);
    md5_play(&player, anim, MD5_LOOP, 0.0f);
    md5_play(&player, fitted, MD5_ONCE, 0.5f);
    md5_advance(&player, 0.1f);
    md5_crossed(&player, 1);
    md5_player_pose(arm_model, &player, pose, scratch);
}

/* -- One load, with all that must hold afterwards -------------------------- */

static outcome load_text_tortured(int kind, feed *from, counting_allocator *memory)
{
    const md5_allocator counting = { counting_alloc, counting_release, memory };
    md5_options options = options_of(0, 0.0f);
    md5_error error;
    outcome out;
    size_t mark = count_kept();
    options.allocator = counting;
    memset(&error, 0x7F, sizeof error);
    memset(&out, 0, sizeof out);
    work_done = 0;
    loaded_text got = from->step ? load_pieces(kind, from, &options, &error)
                                 : load_text(kind, from->bytes, from->size, &options, &error);
    out.work = work_done;
    out.loaded = got.loads;
    out.unread = error.code == MD5_ERROR_READ;
    out.live = memory->live_bytes;
    out.asked = memory->asked;
    out.allocations = memory->allocations;
    out.good = out.loaded == (error.code == MD5_OK) && memory->peak_blocks <= 2 &&
               out.asked <= 16 * from->size + ((size_t)1 << 20) &&
               memory->live_blocks == out.loaded && out.live == got.bytes &&
               (out.loaded || (error.message[0] && memchr(error.message, 0, sizeof error.message)));
    if (got.anim) out.good = out.good && strcmp(got.anim->name, "tiny") == 0;
    if (got.model) use_model(got.model);
    if (got.anim) use_anim(got.anim);
    free_text(&got);
    free_kept(mark);
    out.good = out.good && counting_is_clean(memory);
    return out;
}

/* The head of a file counts more than the rest. */
static size_t place_in_text(random_source *random, const char *bytes, size_t size)
{
    (void)bytes;
    return random_below(random, (uint32_t)(random_below(random, 3) && size > 2000 ? 2000 : size));
}

/* No text is a mesh and an animation. */
static void torture_text(int kind, const char *bytes, size_t size, size_t wanted)
{
    outcome other = torture_once(kind == M5_MESH ? M5_ANIM : M5_MESH, bytes, size);
    CHECK(other.good && !(other.loaded && torture_once(kind, bytes, size).loaded));
    torture_file(kind, bytes, size, wanted);
}

static void test_own_models(void)
{
    for (int i = 0; i < M5_MODELS; ++i) {
        m5_text *text = new_text();
        m5_entry entry = m5_make(i, text);
        size_t wanted = torture.quick ? 20 : i >= M5_WHOLE_MODELS ? 200 : i % 4 == 0 ? 2000 : 700;
        check_subject(entry.name);
        CHECK(torture_once(entry.kind, text->bytes, text->size).loaded);
        torture_text(entry.kind, text->bytes, text->size, wanted);
        free_kept(0);
    }
    CHECK_FLOOR(torture.files, 95, "own models");
}

/* The small texts of the chapter about errors: each has one thing that may be wrong. */
static void test_edited_texts(void)
{
    int kind;
    size_t i, size;
    char *text;
    for (i = 0; (text = edited_text(i, &kind, &size)) != NULL; ++i) {
        char name[24];
        snprintf(name, sizeof name, "edited text %lu", (unsigned long)i);
        check_subject(name);
        torture_text(kind, text, size, torture.quick ? 20 : 200);
        free(text);
    }
    CHECK_FLOOR(i, 225, "edited texts");
}

/* -- The models at hand ---------------------------------------------------- */

/* What stays of all that loads is at most `most_live` of the files. */
static void test_files(const char *part, const char *suffix, int kind, double most_live,
                       unsigned long at_least)
{
    file_list files = list_models(part, suffix);
    double    live = 0.0, bytes_read = 1.0;
    size_t    loaded = 0;
    for (size_t i = 0; i < files.count; i++) {
        size_t size = 0;
        char  *bytes = (char *)read_file(files.path[i], &size);
        check_subject(files.path[i]);
        if (!CHECK(bytes != NULL)) continue;
        outcome whole = torture_once(kind, bytes, size);
        loaded += whole.loaded;
        live += (double)whole.live;
        bytes_read += (double)size;
        if (!torture.quick) torture_text(kind, bytes, size, 2000);
        else if (i % 10 == 0) torture_text(kind, bytes, size, 20);
        free(bytes);
    }
    check_subject("");
    printf("%s: %lu of %lu files loaded, what stays is %.3f of them\n", suffix,
           (unsigned long)loaded, (unsigned long)files.count, live / bytes_read);
    CHECK(loaded >= at_least && live <= most_live * bytes_read);
    file_list_free(&files);
}

static void test_models_at_hand(void)
{
    if (!getenv("MODELS")) {
        printf("MODELS is not set: own models alone\n");
        return;
    }
    test_files("md5", ".md5mesh", M5_MESH, 1.5, 95);
    test_files("md5", ".md5anim", M5_ANIM, 0.65, 150);
    test_files("bad", ".md5mesh", M5_MESH, 1.5, 0);
    test_files("bad", ".md5anim", M5_ANIM, 1.5, 0);
    test_files("bad", ".md5camera", M5_MESH, 1.5, 0);
}

/* -- Texts made to hurt ---------------------------------------------------- */

static void repeat(m5_text *text, const char *part, size_t bytes)
{
    size_t size = strlen(part), target = text->size + bytes;
    while (text->size < target) m5_put_bytes(text, part, size);
}

/* An honest mesh: a grid, two weights a vertex. */
static void put_honest_mesh(m5_text *text, int side)
{
    int count = side * side, n = 0;
    put_mesh_head(text, 4, 1, put_chain_joint);
    m5_put(text, "mesh {\nshader \"grid\"\nnumverts %d\n", count);
    for (int i = 0; i < count; ++i) {
        m5_put(text, "vert %d ( %.6f %.6f ) %d 2\n", i, (double)(i % side) / side,
               (double)(i / side) / side, 2 * i);
    }
    m5_put(text, "numtris %d\n", 2 * (side - 1) * (side - 1));
    for (int i = 0; i < count - side; ++i) {
        if (i % side == side - 1) continue;
        m5_put(text, "tri %d %d %d %d\n", n++, i, i + side, i + 1);
        m5_put(text, "tri %d %d %d %d\n", n++, i + 1, i + side, i + side + 1);
    }
    m5_put(text, "numweights %d\n", 2 * count);
    for (int i = 0; i < 2 * count; ++i) {
        m5_put(text, "weight %d %d 0.500000 ( %.6f %.6f 0.250000 )\n", i, i % 4,
               1.25 * (i / 2 % side), 1.5 * (i / 2 / side));
    }
    m5_put_text(text, "}\n");
}

/* A mesh of one joint: vertices that share all weights, and as many triangles. */
static void put_mesh(m5_text *text, int vertices, int weights, int per_vertex, const char *position)
{
    put_mesh_head(text, 1, 1, put_chain_joint);
    m5_put(text, "mesh {\nshader \"\"\nnumverts %d\n", vertices);
    for (int i = 0; i < vertices; ++i) m5_put(text, "vert %d ( 0 0 ) 0 %d\n", i, per_vertex);
    m5_put(text, "numtris %d\n", vertices);
    for (int i = 0; i < vertices; ++i) {
        m5_put(text, "tri %d %d %d %d\n", i, i, (i + 1) % vertices, (i + 2) % vertices);
    }
    m5_put(text, "numweights %d\n", weights);
    for (int i = 0; i < weights; ++i) m5_put(text, "weight %d 0 1 ( %s )\n", i, position);
    m5_put_text(text, "}\n");
}

static void put_same_joint(m5_text *text, int joint) { m5_put(text, "\"same\" %d", joint - 1); }

static void put_still_anim(m5_text *text, int joints, int frames, joint_writer put_joint, int step)
{
    put_anim_head(text, joints, frames, 0, put_joint);
    for (int i = 0; i < frames; ++i) {
        m5_put(text, "frame %d {\n}\n", step > 0 ? step * i : step * (i + 1 - frames));
    }
}

static void put_long_numbers(m5_text *text, int vertices)
{
    put_mesh_head(text, 1, 1, put_chain_joint);
    m5_put(text, "mesh {\nshader \"\"\nnumverts %d\n", vertices);
    for (int i = 0; i < vertices; ++i) {
        m5_put(text, "vert %d ( 0.%0300d1e-5 1e-%d ) 0 1\n", i, i, i % 400);
    }
    m5_put_text(text, "numtris 0\nnumweights 1\nweight 0 0 1 ( 0 0 0 )\n}\n");
}

#define ONE_JOINT "MD5Version 10 numJoints 1 numMeshes 0 joints { \"a\" -1 "

/* Texts of a head, a part many times, and a tail. */
static const struct {
    const char *head, *part, *tail;
} repeated[] = {
    { ONE_JOINT "( 1 0 0 ) ( 0 0 0 ) } meshDisabled {\n", "{", "}\n" },
    { ONE_JOINT "( 1 0 0 ) ( 0 0 0 ) } meshDisabled {\n", "\"\"", "}\n" },
    { ONE_JOINT "( 1 0 0 ) ( 0 0 0 ) } meshDisabled {\n", "//\n", "}\n" },
    { ONE_JOINT "( 1 0 0 ) ( 0 0 0 ) } meshDisabled {\n", "}{", "}\n" },
    { ONE_JOINT "( 1 0 0 ) ( 0 0 0 ) }\n", "word ", "" },
    { ONE_JOINT "( 1 0 0 ) ( 0 0 0 ) }\n", "{", "" },
    { ONE_JOINT "( 1 0 0 ) ( 0 0 0 ) }\n", "mesh ", "" },
    { "MD5Version 10\ncommandline \"", "x", "" },
    { "MD5Version 10 // ", "x", "" },
    { ONE_JOINT "( ", "7", "e-999 0 0 ) ( 0 0 0 ) }" },
    { ONE_JOINT "( ", "0", ".5 0 0 ) ( 0 0 0 ) }" },
    { ONE_JOINT "( 0.", "0", "1 0 0 ) ( 0 0 0 ) }" },
    { "MD5Version 10 numJoints ", "0", "1 joints { \"a\" -1 ( 0 0 0 ) ( 0 0 0 ) }" },
    { "MD5Version 10 numJoints 1 numMeshes 12500 joints { \"a\" -1 ( 0 0 0 ) ( 0 0 0 ) }",
      "mesh{} ", "" }
};

enum { REPEATED = sizeof repeated / sizeof repeated[0], HURTS = REPEATED + 13 };

/* Returns the kind of the file. */
static int make_hurt(int which, m5_text *text, size_t bytes)
{
    int count = (int)(bytes / 40);
    if (which < REPEATED) {
        m5_put_text(text, repeated[which].head);
        repeat(text, repeated[which].part, bytes);
        m5_put_text(text, repeated[which].tail);
        return M5_MESH;
    }
    switch (which - REPEATED) {
        case 0: put_mesh_head(text, count, 0, put_chain_joint); return M5_MESH;
        case 1: put_mesh(text, count, 1, 1, "1 2 3"); return M5_MESH;
        case 2: put_mesh(text, count, 64, 64, "1 2 3"); return M5_MESH;
        case 3: put_mesh(text, count, 1, 1, "0 -0 0"); return M5_MESH;
        case 4: put_mesh(text, 1, count, 1, "1e9 -999999999 0.999999999e9"); return M5_MESH;
        case 5: put_mesh(text, 1, count, 1, "1e-45 1.17549435e-38 7.1e-46"); return M5_MESH;
        case 6:
            put_mesh(text, 1, count, 1, "16777217 0.50000002980232239 900719979.1611905");
            return M5_MESH;
        case 7: put_long_numbers(text, count / 10); return M5_MESH;
        case 8: put_still_anim(text, count, 1, put_chain_joint, 1); return M5_ANIM;
        case 9: put_still_anim(text, count, 1, put_same_joint, 1); return M5_ANIM;
        case 10: put_still_anim(text, 1, 65536, put_same_joint, -1); return M5_ANIM;
        case 11: put_still_anim(text, 1, 65536, put_chain_joint, 30000); return M5_ANIM;
        default:
            put_still_anim(text, 1, 1, put_chain_joint, 1);
            text->size -= 2; /* inside the frame */
            repeat(text, "0.1 ", bytes);
            return M5_ANIM;
    }
}

static double work_of_text(int kind, const m5_text *text, bool loads)
{
    outcome out = torture_once(kind, text->bytes, text->size);
    CHECK(out.good && (out.loaded || !loads));
    return (double)out.work / (double)text->size;
}

static double work_of_hurt(int which, size_t bytes)
{
    size_t mark = count_kept();
    m5_text *text = new_text();
    double work = work_of_text(make_hurt(which, text, bytes), text, false);
    CHECK(text->size >= bytes / 10);
    free_kept(mark);
    return work;
}

/* All positions down one branch of the tree that welds vertices: for coordinates of which only the
   last bits differ once they are spread. */
static void put_deep_mesh(m5_text *text, uint32_t count)
{
    uint32_t bits = 0;
    put_mesh_head(text, 1, 1, put_chain_joint);
    m5_put(text, "mesh {\nnumverts %u\n", count);
    for (uint32_t i = 0; i < count; ++i) m5_put(text, "vert %u (0 0) %u 1\n", i, i);
    m5_put(text, "numtris 0\nnumweights %u\n", count);
    for (uint32_t i = 0; i < count; ++i) {
        float x;
        do {
            bits += 0x0e8b2f51u; /* its product with the tree's odd factor is 1 */
            memcpy(&x, &bits, sizeof x);
        } while (!(fabsf(x) > 1e-6f && fabsf(x) < 1e6f));
        m5_put(text, "weight %u 0 1 (%.9g 0 0)\n", i, (double)x);
    }
    m5_put(text, "}\n");
}

/* Work grows with the size alone: a hostile byte costs at most so many times what an honest one
   does, and as much in a file of four times the size. The largest have 10 MB. */
static void test_hostile_texts(void)
{
    m5_text *text = new_text(), *deep = new_text();
    put_honest_mesh(text, torture.quick ? 70 : 200);
    double honest = work_of_text(M5_MESH, text, true);
    printf("an honest mesh: %.2f steps a byte\n", honest);
    CHECK(honest > 0.5 && honest < 8.0);
    put_deep_mesh(deep, torture.quick ? 2000 : 4000);
    CHECK(work_of_text(M5_MESH, deep, true) < 8.0 * honest);
    check_linear_work(work_of_hurt, HURTS, torture.quick ? 100000 : 2500000, 8.0 * honest, 1.25,
                      0.05);
}

/* Steps of skinning 8,000 vertices, each between two neighbouring joints, in an order without sense. */
static double work_of_joints(uint32_t joints)
{
    m5_text *text = new_text();
    uint32_t count = 8000;
    float *positions = new_floats(3 * count);
    put_mesh_head(text, (int)joints, 1, put_chain_joint);
    m5_put(text, "mesh {\nnumverts %u\n", count);
    for (uint32_t i = 0; i < count; ++i) m5_put(text, "vert %u (0 0) %u 2\n", i, 2 * i);
    m5_put(text, "numtris 0\nnumweights %u\n", 2 * count);
    for (uint32_t i = 0; i < 2 * count; ++i) {
        m5_put(text, "weight %u %u 0.5 (0 0 1)\n", i, (i / 2 * 7919 + i % 2) % joints);
    }
    m5_put(text, "}\n");
    md5_model *model = model_of(text, NULL);
    md5_xform *pose = posed(model, NULL, MD5_LOOP, 0.0);
    work_done = 0;
    md5_pose_vertices(model, 0, pose, positions, 0, NULL, 0, NULL, 0);
    return (double)work_done / (double)count;
}

/* Many joints cost what few do. */
static void test_work_of_joints(void)
{
    double few = work_of_joints(100), many = work_of_joints(1000);
    printf("a vertex among 100 joints: %.2f steps, among 1,000: %.2f\n", few, many);
    CHECK(few > 1 && many < 1.5 * few);
}

static int reversed_joints;

static void put_reversed_joint(m5_text *text, int joint)
{
    m5_put(text, "\"j%d\" %d", reversed_joints - 1 - joint, joint - 1);
}

static void put_long_joint(m5_text *text, int joint)
{
    m5_put(text, "\"%0200d\" %d", joint, joint - 1);
}

/* Retargeting by name is linear too: 20,000 joints to 20,000 others, in the opposite order, all of
   one name, and of long names that begin alike. */
static void test_hostile_retarget(void)
{
    for (int pass = 0; pass < 3; ++pass) {
        m5_text *mesh = new_text(), *text = new_text();
        int joints = reversed_joints = pass == 2 ? 800 : torture.quick ? 4000 : 20000;
        put_mesh_head(mesh, joints, 0, pass ? put_same_joint : put_reversed_joint);
        put_still_anim(text, joints, 1, pass == 0   ? put_chain_joint
                                        : pass == 1 ? put_same_joint
                                                    : put_long_joint, 1);
        md5_model *model = model_of(mesh, NULL);
        md5_anim *anim = anim_of(text, NULL);
        work_done = 0;
        md5_anim *fitted = keep_anim(md5_retarget_anim(model, anim, NULL, NULL, NULL));
        printf("retargeting %d joints: %.1f steps a joint\n", joints, (double)work_done / joints);
        CHECK(work_done < (pass == 2 ? 1200u : 400u) * (uint64_t)joints);
        CHECK(fitted && md5_check_anim(model, fitted, NULL) == MD5_OK);
    }
}

static bool path_opens(const char *path)
{
    md5_error error;
    bool opens = keep_anim(md5_load_anim_file(path, NULL, &error)) != NULL;
    CHECK(opens || error.code == MD5_ERROR_OPEN);
    return opens;
}

static void test_paths(void)
{
    m5_text *text = clip_text(M5_WAVE, 0);
    check_paths("5", path_opens, text->bytes, text->size);
}

int main(int argc, char **argv)
{
    m5_text mesh = { NULL, 0, 0 }, anim = { NULL, 0, 0 };
    torture.load = load_text_tortured;
    torture.place = place_in_text;
    torture.telling = "0123456789.-+eE(){}\"/ \t\r\n#,aNm";
    torture.brief = argc > 1 && strcmp(argv[1], "--brief") == 0;
    torture.quick = torture.brief || (argc > 1 && strcmp(argv[1], "--quick") == 0);
    torture.all = argc > 1 && strcmp(argv[1], "--all") == 0;
    m5_arm_mesh(&mesh, 0);
    m5_arm_anim(&anim, M5_WAVE, 0);
    arm_model = md5_load_model_memory(mesh.bytes, mesh.size, NULL, NULL);
    arm_anim = md5_load_anim_memory(anim.bytes, anim.size, "arm", NULL, NULL);
    m5_free(&mesh);
    m5_free(&anim);
    if (CHECK(arm_model && arm_anim)) {
        run_test("own models", test_own_models);
        run_test("edited texts", test_edited_texts);
        run_test("retargeting many joints", test_hostile_retarget);
        run_test("texts made to hurt", test_hostile_texts);
        run_test("many joints in any order", test_work_of_joints);
        run_test("paths", test_paths);
        run_test("models at hand", test_models_at_hand);
        check_torture();
    }
    md5_free_model(arm_model);
    md5_free_anim(arm_anim);
    return check_finish();
}
