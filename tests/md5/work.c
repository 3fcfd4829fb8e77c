/* The work must be in proportion to the size, for texts and skeletons that are made to be slow. This file includes
   md5.h a second time, with static functions that count their steps. Public domain. */
#define MD5_IMPLEMENTATION
#define MD5_STATIC
#include "count_steps.h"
#include "md5.h"
#include "count_steps.h"

#include "test_md5.h"
#include "tests/both/work.h"

/* numMeshes is 1 but there is no mesh yet, so the text after the joints is read. */
#define ONE_JOINT "MD5Version 10 numJoints 1 numMeshes 1 joints { \"a\" -1 "

static void repeat(m5_text *text, const char *part, size_t bytes)
{
    size_t size = strlen(part), target = text->size + bytes;
    while (text->size < target) m5_put_bytes(text, part, size);
}

/* Writes an ordinary mesh: a grid with two weights per vertex. */
static void put_ordinary_mesh(m5_text *text, int side)
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

/* Writes a mesh of one joint: vertices that share 64 weights, and as many triangles. */
static void put_shared_weights(m5_text *text, int vertices)
{
    put_mesh_head(text, 1, 1, put_chain_joint);
    m5_put(text, "mesh {\nshader \"\"\nnumverts %d\n", vertices);
    for (int i = 0; i < vertices; ++i) m5_put(text, "vert %d ( 0 0 ) 0 64\n", i);
    m5_put(text, "numtris %d\n", vertices);
    for (int i = 0; i < vertices; ++i) {
        m5_put(text, "tri %d %d %d %d\n", i, i, (i + 1) % vertices, (i + 2) % vertices);
    }
    m5_put(text, "numweights 64\n");
    for (int i = 0; i < 64; ++i) m5_put(text, "weight %d 0 1 ( 1 2 3 )\n", i);
    m5_put_text(text, "}\n");
}

/* Writes meshes of one vertex each, all at the same position, with different weights. */
static void put_meeting_meshes(m5_text *text, int meshes)
{
    m5_put(text, ONE_JOINT "( 0 0 0 ) ( 0 0 0 ) }\n");
    for (int i = 0; i < meshes; ++i) {
        m5_put(text, "mesh { numverts 1 vert 0 ( 0 0 ) 0 1 numtris 0 "
                     "numweights 1 weight 0 0 %d ( 0 0 0 ) }\n", i + 1);
    }
}

static void put_same_joint(m5_text *text, int joint) { m5_put(text, "\"same\" %d", joint - 1); }

static int listed_joints, parent_of_last;

static void put_joint_before_parent(m5_text *text, int joint)
{
    m5_put(text, "j %d", joint + 1 == listed_joints ? parent_of_last : joint + 1);
}

static void put_still_anim(m5_text *text, int joints, int frames, joint_writer put_joint, int step)
{
    put_anim_head(text, joints, frames, 0, put_joint);
    for (int i = 0; i < frames; ++i) {
        m5_put(text, "frame %d {\n}\n", step > 0 ? step * i : step * (i + 1 - frames));
    }
}

static void put_empty_meshes(m5_text *text, int joints, int meshes)
{
    put_mesh_head(text, joints, meshes, put_chain_joint);
    for (int i = 0; i < meshes; ++i) m5_put_text(text, "mesh {\nnumverts 0\n}\n");
}

/* Texts that consist of a head, a part that is repeated, and a tail. worst_case_names says what each is. */
static const struct {
    const char *head, *part, *tail;
} repeated[] = {
    { ONE_JOINT "( 1 0 0 ) ( 0 0 0 ) } meshDisabled {\n", "{", "}\n" },
    { ONE_JOINT "( 1 0 0 ) ( 0 0 0 ) } meshDisabled {\n", "\"\"", "}\n" },
    { ONE_JOINT "( 1 0 0 ) ( 0 0 0 ) } meshDisabled {\n", "//\n", "}\n" },
    { ONE_JOINT "( 1 0 0 ) ( 0 0 0 ) } meshDisabled {\n", "}{", "}\n" },
    { ONE_JOINT "( 1 0 0 ) ( 0 0 0 ) }\n", "word ", "" },
    { "MD5Version 10\ncommandline \"", "x", "" },
    { "MD5Version 10 // ", "x", "" },
    { ONE_JOINT "( ", "7", "e-999 0 0 ) ( 0 0 0 ) }" }
};

enum { REPEATED = sizeof repeated / sizeof repeated[0], WORST_CASES = REPEATED + 12 };

static const char *const worst_case_names[WORST_CASES] = {
    "open braces in a section that is skipped", "empty strings there", "empty comments there",
    "braces that close and open there", "words outside of sections", "a long command line",
    "a long comment", "a number of sevens",

    "a skeleton that is a chain", "meshes that meet at one point", "vertices that share 64 weights",
    "an animation of a chain", "an animation of joints of one name",
    "frames in the opposite order", "numbers of frames far apart", "empty meshes of many joints",
    "a chain whose root is last", "an animation of such a chain", "joints that are their own ancestors",
    "far too many numbers in a frame"
};

/* Returns the kind of the file. */
static int make_worst_case(int which, m5_text *text, size_t bytes)
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
        case 1: put_meeting_meshes(text, count / 2); return M5_MESH;
        case 2: put_shared_weights(text, count); return M5_MESH;
        case 3: put_still_anim(text, count, 1, put_chain_joint, 1); return M5_ANIM;
        case 4: put_still_anim(text, count, 1, put_same_joint, 1); return M5_ANIM;
        case 5: put_still_anim(text, 1, 65536, put_same_joint, -1); return M5_ANIM;
        case 6: put_still_anim(text, 1, 65536, put_chain_joint, 30000); return M5_ANIM;
        case 7: put_empty_meshes(text, 128, count); return M5_MESH;
        case 8:
        case 10:
            listed_joints = count;
            parent_of_last = which - REPEATED == 10 ? 0 : -1;
            put_mesh_head(text, count, 0, put_joint_before_parent);
            return M5_MESH;
        case 9:
            listed_joints = count;
            parent_of_last = -1;
            put_still_anim(text, count, 1, put_joint_before_parent, 1);
            return M5_ANIM;
        default:
            put_still_anim(text, 1, 1, put_chain_joint, 1);
            text->size -= 2; /* inside the frame */
            repeat(text, "0.1 ", bytes);
            return M5_ANIM;
    }
}

static double work_of_text(int kind, const m5_text *text, bool loads)
{
    counting_allocator memory;
    md5_options options = counting_options(&memory);
    check_step("%lu bytes", (unsigned long)text->size);
    steps_taken = 0;
    md5_model *model = NULL;
    md5_anim *anim = NULL;
    if (kind == M5_MESH) model = md5_load_model_memory(text->bytes, text->size, &options, NULL);
    else anim = md5_load_anim_memory(text->bytes, text->size, NULL, &options, NULL);
    double work = (double)steps_taken / (double)text->size;
    CHECK(memory.peak_blocks <= 2 && memory.asked <= 16 * text->size + ((size_t)1 << 20));
    if (loads) CHECK(model || anim);
    md5_free_model(model);
    md5_free_anim(anim);
    CHECK(counting_is_clean(&memory));
    return work;
}

static double work_of_worst_case(int which, size_t bytes)
{
    size_t mark = count_kept();
    check_scene("a text made to be slow: %s", worst_case_names[which]);
    m5_text *text = new_text();
    double work = work_of_text(make_worst_case(which, text, bytes), text, false);
    CHECK(text->size >= bytes / 10);
    free_kept(mark);
    return work;
}

/* Puts all positions on one branch of the tree that welds vertices, by coordinates whose hashes differ only in their
   last bits. */
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

/* A byte of a hostile text takes at most ten times the steps of a byte of an ordinary text, and as many steps in a
   text of four times the size. */
static void test_hostile_texts(void)
{
    m5_text *text = new_text(), *deep = new_text();
    check_scene("an ordinary mesh");
    put_ordinary_mesh(text, 70);
    double ordinary = work_of_text(M5_MESH, text, true);
    printf("    an ordinary mesh: %.2f steps per byte\n", ordinary);
    CHECK(ordinary > 0.5 && ordinary < 8.0);

    check_scene("positions that make a tree of one branch");
    put_deep_mesh(deep, 2000);
    double steps = work_of_text(M5_MESH, deep, true);
    check_step("%.2f steps per byte; an ordinary mesh takes %.2f", steps, ordinary);
    CHECK(steps < 8.0 * ordinary);

    check_linear_work(work_of_worst_case, WORST_CASES, 100000, 10.0 * ordinary, 1.25,
                      0.05);
}

/* Returns the steps per vertex of skinning 8,000 vertices with two joints each, in a scattered order. */
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
    steps_taken = 0;
    md5_pose_vertices(model, 0, pose, positions, 0, NULL, 0, NULL, 0);
    return (double)steps_taken / (double)count;
}

static void test_work_of_joints(void)
{
    double few = work_of_joints(100);
    double many = work_of_joints(1000);
    printf("    a vertex among 100 joints: %.2f steps, among 1,000: %.2f\n", few, many);
    check_scene("a vertex takes %.2f steps among 100 joints, %.2f among 1,000", few, many);
    CHECK(few > 1 && many < 1.5 * few);
}

/* Returns the steps of computing root motion, and the pose in place, in the last step of an open loop. */
static double work_of_last_step(uint32_t frames)
{
    static const int32_t parents[1] = { -1 };
    md5_xform *roots = new_pose(frames), pose;
    md5_anim   anim;
    memset(&anim, 0, sizeof anim);
    for (uint32_t i = 0; i < frames; ++i) {
        roots[i].position[0] = (float)i;
        roots[i].scale = roots[i].rotation[3] = 1;
    }
    anim.joint_count = anim.moving_count = 1;
    anim.frame_count = frames;
    anim.fps = 30;
    anim.scale = 1;
    anim.parents = parents;
    anim.frames = roots;

    const md5_anim loop = md5_slice_anim(&anim, 0, frames, "loop");
    double last_step = (frames - 0.5) / 30;
    steps_taken = 0;
    md5_anim_motion(&loop, MD5_LOOP, MD5_TRAVEL | MD5_TURN, last_step, last_step + 0.001, &pose);
    md5_pose_in_place(chain_model(1), &loop, MD5_LOOP, MD5_TRAVEL | MD5_TURN, last_step, &pose);
    return (double)steps_taken;
}

static void test_work_of_last_step(void)
{
    double few = work_of_last_step(10), many = work_of_last_step(1000);
    printf("    the last step of 10 frames takes %.0f steps, the last step of 1,000 frames %.0f\n", few, many);
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

/* Joints are matched by name. */
static void test_hostile_retarget(void)
{
    static const char *const names[3] = {
        "in the opposite order", "all of one name", "of long names that begin alike"
    };
    for (int pass = 0; pass < 3; ++pass) {
        m5_text *mesh = new_text(), *text = new_text();
        int joints = reversed_joints = pass == 2 ? 800 : 4000;
        put_mesh_head(mesh, joints, 0, pass ? put_same_joint : put_reversed_joint);
        put_still_anim(text, joints, 1, pass == 0   ? put_chain_joint
                                        : pass == 1 ? put_same_joint
                                                    : put_long_joint, 1);
        md5_model *model = model_of(mesh, NULL);
        md5_anim *anim = anim_of(text, NULL);
        steps_taken = 0;
        md5_anim *fitted = keep_anim(md5_retarget_anim(model, NULL, anim, NULL, NULL, NULL));
        double steps = (double)steps_taken / joints;
        printf("    retargeting %d joints: %.1f steps per joint\n", joints, steps);
        check_scene("%d joints %s: %.1f steps per joint", joints, names[pass], steps);
        CHECK(steps < (pass == 2 ? 3000 : 400));
        CHECK(fitted != NULL);
        CHECK_EQ(md5_check_anim(model, fitted, NULL), MD5_OK);
    }
}

/* In the source, the order of parents and children is reversed, so no joint keeps its transform. */
static void test_hostile_source(void)
{
    m5_text *mesh = new_text(), *other = new_text(), *text = new_text();
    int joints = reversed_joints = 4000;
    put_mesh_head(mesh, joints, 0, put_reversed_joint);
    put_mesh_head(other, joints, 0, put_chain_joint);
    put_still_anim(text, joints, 1, put_chain_joint, 1);
    md5_model *model = model_of(mesh, NULL), *source = model_of(other, NULL);
    md5_anim *anim = anim_of(text, NULL);
    steps_taken = 0;
    CHECK(keep_anim(md5_retarget_anim(model, source, anim, NULL, NULL, NULL)) != NULL);
    printf("    with a source: %.1f steps per joint\n", (double)steps_taken / joints);
    CHECK(steps_taken < 600u * (uint64_t)joints);
}

static int chain_joints;

/* A chain, and as many joints that are children of its end. */
static void put_broom_joint(m5_text *text, int joint)
{
    m5_put(text, "j %d", joint < chain_joints ? joint - 1 : chain_joints - 1);
}

static void test_hostile_branch(void)
{
    m5_text *mesh = new_text();
    chain_joints = 5000;
    put_mesh_head(mesh, 2 * chain_joints, 0, put_broom_joint);
    md5_model *model = model_of(mesh, NULL);
    float *mask = new_floats((size_t)model->joint_count);
    steps_taken = 0;
    md5_mask_branch(model, 1, 1, mask);
    printf("    a branch of %d joints: %.1f steps per joint\n", 2 * chain_joints,
           (double)steps_taken / model->joint_count);
    CHECK(steps_taken < 5u * (uint64_t)model->joint_count);
    CHECK_EQ(mask[0], 0);
    CHECK_EQ(mask[model->joint_count - 1], 1);
}

void test_work(void)
{
    RUN(test_hostile_retarget, "retargeting takes steps in proportion to the joints");
    RUN(test_hostile_source, "retargeting from a source also takes steps in proportion to the joints");
    RUN(test_hostile_branch, "setting a branch of a mask takes steps in proportion to the joints");
    RUN(test_hostile_texts, "no byte of a text takes many steps to load, however large the text");
    RUN(test_work_of_last_step, "root motion costs the same in the last step of a long loop");
    RUN(test_work_of_joints, "a vertex costs the same among 100 joints and among 1,000");
}
