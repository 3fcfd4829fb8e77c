/* Slices of animations, animations that are built in code, and joints for other engines. Public domain. */
#include "test_md5.h"

/* -- Slices ------------------------------------------------------------------- */

static void test_slice(void)
{
    md5_anim *anim = clip(M5_WAVE);
    md5_model *model = arm();
    md5_xform *whole = new_pose(M5_JOINTS), *part = new_pose(M5_JOINTS);
    md5_anim slice = md5_slice_anim(anim, 4, 5, "middle");
    CHECK_TEXT(slice.name, "middle");
    CHECK_EQ(slice.frame_count, 5);
    CHECK(slice.bounds == anim->bounds + 4);
    CHECK_EQ(md5_check_anim(arm(), &slice, NULL), MD5_OK);

    for (uint32_t frame = 0; frame < 4; ++frame) {
        check_step("frame %u.25 of the slice", (unsigned)frame);
        md5_pose_at(model, anim, MD5_ONCE, (frame + 4.25) / (double)anim->fps, whole);
        md5_pose_at(model, &slice, MD5_ONCE, (frame + 0.25) / (double)anim->fps, part);
        CHECK_NEAR(pose_distance(part, whole, M5_JOINTS), 0, 1e-5);
    }
    md5_pose_at(model, &slice, MD5_ONCE, 99, part);
    md5_pose_at(model, anim, MD5_ONCE, 8 / (double)anim->fps, whole);
    CHECK_NEAR(pose_distance(part, whole, M5_JOINTS), 0, 1e-5); /* the slice ends with frame 8 */
}

static void test_slice_cut(void)
{
    md5_anim *anim = clip(M5_WAVE);
    const uint32_t last = anim->frame_count - 1;
    CHECK_EQ(md5_slice_anim(anim, last - 2, 99, NULL).frame_count, 3);
    CHECK_EQ(md5_slice_anim(anim, 0, UINT32_MAX, NULL).frame_count, last + 1);
    CHECK_EQ(md5_slice_anim(anim, 3, 0, NULL).frame_count, 1); /* at least one */
    CHECK_EQ(md5_slice_anim(anim, 99, 7, NULL).frame_count, 1);
    CHECK(md5_slice_anim(anim, 99, 7, NULL).frames == anim->frames + last * anim->moving_count);
    CHECK_EQ(md5_slice_anim(NULL, 3, 1, NULL).frame_count, 0);
}

static void test_slice_borrows(void)
{
    md5_anim *anim = clip(M5_WAVE);
    md5_anim slice = md5_slice_anim(anim, 0, 5, NULL);
    CHECK(slice.frames == anim->frames);
    CHECK_TEXT(slice.name, anim->name);
    CHECK_EQ(slice.bytes, 0);
    md5_free_anim(&slice); /* does nothing */
    CHECK_EQ(slice.frame_count, 5);
}

/* -- Animations that are built in code from arrays of transforms -------------------- */

static md5_xform at_x(float x)
{
    const md5_xform out = { { x, 0, 0 }, 1, { 0, 0, 0, 1 } };
    return out;
}

/* Builds an animation for chain_model(2). The first joint walks to 0, 4 and 8; the second joint stays 1 in front of
   it. */
static md5_anim walk_in_code(md5_xform frames[6])
{
    static const char *const names[2] = { "j0", "j1" };
    static const int32_t parents[2] = { -1, 0 };
    md5_anim anim;
    for (int i = 0; i < 6; ++i) frames[i] = at_x(i % 2 ? 1.0f : 2.0f * (float)i);
    memset(&anim, 0, sizeof anim);
    anim.frame_count = 3;
    anim.joint_count = anim.moving_count = 2;
    anim.fps = 10;
    anim.scale = 1;
    anim.joint_names = names;
    anim.parents = parents;
    anim.frames = frames;
    return md5_slice_anim(&anim, 0, 3, "made");
}

static void test_anim_in_code(void)
{
    md5_model *model = chain_model(2);
    md5_xform frames[6], local[2], scratch[2];
    md5_anim anim = walk_in_code(frames);
    md5_player player;
    CHECK_TEXT(anim.name, "made");
    CHECK_EQ(anim.private_data.skeleton_hash, model->private_data.skeleton_hash); /* so the player compares no joints */
    CHECK_EQ(md5_check_anim(model, &anim, NULL), MD5_OK);

    frames[3].scale = 2; /* of the second joint in frame 1 */
    memset(&player, 0, sizeof player);
    md5_play(&player, &anim, MD5_LOOP, 0);
    md5_advance(&player, 0.05f); /* half a frame */
    md5_player_pose(model, &player, local, scratch);
    CHECK_NEAR(local[0].position[0], 2, 1e-5);
    CHECK_NEAR(local[1].scale, 1.5, 1e-5);

    md5_anim *copy = keep_anim(md5_retarget_anim(model, model, &anim, NULL, NULL, NULL));
    CHECK(copy != NULL);
    md5_pose_at(model, copy, MD5_LOOP, 0.05, scratch);
    CHECK_NEAR(pose_distance(local, scratch, 2), 0, 1e-6);

    anim.scale = 2; /* the scale of the model is 1 */
    CHECK_EQ(md5_check_anim(model, &anim, NULL), MD5_ERROR_MISMATCH);
    md5_player_pose(model, &player, local, scratch);
    CHECK_EQ(local[0].position[0], 0); /* the bind pose */
}

/* An animation needs only its counts, its rate and its frames: it can be played, also around the end of a loop,
   sliced, retargeted, and compared with a model that has more joints. */
static void test_least_in_code(void)
{
    md5_model *model = chain_model(2), *longer = chain_model(3);
    md5_xform frames[6], local[2], wanted[2];
    md5_anim whole = walk_in_code(frames), least;
    memset(&least, 0, sizeof least);
    least.joint_count = 2;
    least.frame_count = 3;
    least.fps = 10;
    least.frames = frames;
    CHECK_EQ(md5_check_anim(model, &least, NULL), MD5_OK);
    for (int i = 0; i < 8; ++i) {
        check_step("moment %d", i);
        md5_pose_at(model, &whole, MD5_LOOP, 0.04 * i, wanted);
        md5_pose_at(model, &least, MD5_LOOP, 0.04 * i, local);
        CHECK(same_bits(local, wanted, sizeof local));
        md5_pose_in_place(model, &whole, MD5_LOOP, MD5_TRAVEL, 0.04 * i, wanted);
        md5_pose_in_place(model, &least, MD5_LOOP, MD5_TRAVEL, 0.04 * i, local);
        CHECK(same_bits(local, wanted, sizeof local));
    }

    check_step("a slice");
    md5_anim slice = md5_slice_anim(&least, 1, 2, NULL);
    CHECK(slice.frames == frames + 2);
    md5_pose_at(model, &slice, MD5_ONCE, 0, local);
    CHECK_EQ(local[0].position[0], 4);

    check_step("without parents, only joint 0 is a root: a walk whose other joint waves is closed");
    md5_xform walk[10];
    for (int i = 0; i < 10; ++i) walk[i] = at_x(i % 2 ? 1.0f : 2.0f * (float)i);
    walk[3].position[1] = 2;
    walk[7].position[1] = -2;
    md5_anim longer_walk = least;
    longer_walk.frame_count = 5;
    longer_walk.frames = walk;
    CHECK(md5_slice_anim(&longer_walk, 0, 5, NULL).closed);

    check_step("copies");
    md5_anim *copy = keep_anim(md5_retarget_anim(model, NULL, &least, NULL, NULL, NULL));
    CHECK(copy != NULL);
    md5_pose_at(model, copy, MD5_ONCE, 0.2, local);
    CHECK_EQ(local[0].position[0], 8);
    copy = keep_anim(md5_retarget_anim(longer, model, &least, NULL, NULL, NULL));
    CHECK(copy != NULL);
    CHECK_EQ(md5_check_anim(longer, copy, NULL), MD5_OK);

    check_step("another skeleton");
    CHECK_EQ(md5_check_anim(longer, &least, NULL), MD5_ERROR_MISMATCH);
    static const int32_t parents[2] = { -1, -1 };
    md5_error error;
    least.parents = parents;          /* there are no names */
    CHECK_EQ(md5_check_anim(model, &least, &error), MD5_ERROR_MISMATCH);
    CHECK(strstr(error.message, "joint 1 \"j1\" has a different parent"));
}

/* md5_free_anim ignores a copy of a struct, and an animation that was not loaded. */
static void test_free_of_copies(void)
{
    md5_xform frames[6];
    md5_anim made = walk_in_code(frames), copy = *clip(M5_WAVE);
    md5_free_anim(&made);
    md5_free_anim(&copy);
    CHECK(copy.frames[0].scale > 0);  /* the loaded animation still exists */
}

/* If no joint moves, there are no frames, and `frames` is NULL. */
static void test_still_in_code(void)
{
    static const uint32_t slots[2] = { 0, 1 };
    const md5_xform still[2] = { at_x(2), at_x(1) };
    md5_xform frames[6], local[2];
    md5_anim anim = walk_in_code(frames);
    anim.moving_count = 0;
    anim.frames = NULL;
    anim.still = still;
    anim.slots = slots;
    md5_anim slice = md5_slice_anim(&anim, 1, 2, NULL);
    CHECK(slice.frames == NULL);
    CHECK_EQ(md5_check_anim(chain_model(2), &slice, NULL), MD5_OK);
    md5_pose_at(chain_model(2), &slice, MD5_LOOP, 0.1, local);
    CHECK(same_bits(local, still, sizeof local));
}

/* Checks whether the first frames of the walk are a closed loop, and the distance of its root motion along x. */
static void expect_loop(const md5_anim *walk, uint32_t frames, bool closed, double travel)
{
    md5_anim slice = md5_slice_anim(walk, 0, frames, NULL);
    md5_xform motion;
    CHECK_EQ(slice.closed, closed);
    md5_anim_motion(&slice, MD5_LOOP, MD5_TRAVEL, 0, md5_anim_length(&slice, MD5_LOOP), &motion);
    CHECK_XYZ(motion.position, travel, 0, 0);
}

static void test_closed_and_travel(void)
{
    md5_xform frames[6];
    md5_anim walk = walk_in_code(frames);
    expect_loop(&walk, 3, false, 12); /* only the root moves, so the loop has one step more */

    frames[3].scale = 2; /* of the second joint in frame 1 */
    expect_loop(&walk, 3, true, 8);
    expect_loop(&walk, 2, false, 8); /* two steps of 4 */
}

static void test_edited_copy(void)
{
    md5_anim *anim = anim_from(tiny_anim), edited = *anim;
    md5_xform frames[4], pose[2];
    for (int frame = 0; frame < 2; ++frame) {
        for (int joint = 0; joint < 2; ++joint) {
            frames[2 * frame + joint] = *anim_xform(anim, frame, joint);
        }
    }
    frames[3].position[1] = 7; /* joint b in the second frame; it did not move before */
    edited.frames = frames;
    edited.moving_count = edited.joint_count;
    edited.slots = NULL;

    md5_pose_at(body_of(anim), &edited, MD5_ONCE, 0.5 / 24, pose);
    CHECK_XYZ(pose[0].position, 2.5, 3.5, 4.5); /* between (1, 2, 3) and (4, 5, 6), unchanged */
    CHECK_XYZ(pose[1].position, 1, 3.5, 0);
    md5_pose_at(body_of(anim), anim, MD5_ONCE, 0.5 / 24, pose);
    CHECK_XYZ(pose[1].position, 1, 0, 0);
}

/* -- Joints of a vertex, for other engines -------------------------------------------- */

/* The first vertex has the biases 0.5 of joint b, twice 0.3 of joint c, and -0.1 of joint a, which does not count. */
static void test_heaviest_joints(void)
{
    md5_model *model = model_from(
        "MD5Version 10 numJoints 3 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) "
        "b 0 ( 0 0 0 ) ( 0 0 0 ) c 0 ( 0 0 0 ) ( 0 0 0 ) } "
        "mesh { numverts 3 vert 0 ( 0 0 ) 0 4 vert 1 ( 0 0 ) 1 1 vert 2 ( 0 0 ) 4 1 "
        "numweights 5 weight 0 1 0.5 ( 0 0 0 ) weight 1 0 -0.1 ( 0 0 0 ) "
        "weight 2 2 0.3 ( 0 0 0 ) weight 3 2 0.3 ( 0 0 0 ) weight 4 1 0 ( 0 0 0 ) }");
    uint32_t joints[4];
    float weights[4];
    CHECK(md5_vertex_joints(model, 0, 0, 4, joints, weights));
    CHECK_EQ(joints[0], 2);
    CHECK_NEAR(weights[0], 0.6 / 1.1, 1e-6);
    CHECK_EQ(joints[1], 1);
    CHECK_NEAR(weights[1], 0.5 / 1.1, 1e-6);
    CHECK_EQ(joints[2], 0); /* unused */
    CHECK_EQ(weights[2], 0);

    CHECK(md5_vertex_joints(model, 0, 0, 1, joints, weights)); /* only the heaviest */
    CHECK_EQ(joints[0], 2);
    CHECK_NEAR(weights[0], 1, 1e-6);

    check_step("no positive bias");
    CHECK(md5_vertex_joints(model, 0, 1, 2, joints, weights));
    CHECK_EQ(joints[0], 0);
    CHECK_EQ(weights[0], 1);
    CHECK_EQ(weights[1], 0);

    check_step("a bias of 0");
    CHECK(md5_vertex_joints(model, 0, 2, 2, joints, weights));
    CHECK_EQ(joints[0], 1);
    CHECK_EQ(weights[0], 1);
    CHECK_EQ(weights[1], 0);
}

static void test_vertex_joints(void)
{
    md5_model *model = arm();
    uint32_t joints[7];
    float weights[7];
    for (uint32_t mesh = 0; mesh < model->mesh_count; ++mesh) {
        const md5_mesh *m = &model->meshes[mesh];
        for (uint32_t vertex = 0; vertex < m->vertex_count; ++vertex) {
            for (uint32_t count = 1; count <= 6; ++count) {
                float sum = 0;
                check_step("%u joints of mesh %u, vertex %u", (unsigned)count, (unsigned)mesh,
                           (unsigned)vertex);
                weights[count] = 77;
                CHECK(md5_vertex_joints(model, mesh, vertex, count, joints, weights));
                for (uint32_t i = 0; i < count; ++i) {
                    sum += weights[i];
                    CHECK(i == 0 || weights[i] <= weights[i - 1]);
                    CHECK(weights[i] > 0 || joints[i] == 0);
                }
                CHECK_NEAR(sum, 1, 1e-6);
                CHECK_EQ(weights[count], 77);
            }
        }
    }
}

static void test_no_such_vertex(void)
{
    md5_model fewer = *arm();
    uint32_t joints[4];
    float weights[4];
    CHECK(!md5_vertex_joints(&fewer, 0, fewer.meshes[0].vertex_count, 4, joints, weights));
    --fewer.mesh_count; /* another mesh follows the last one */
    CHECK(!md5_vertex_joints(&fewer, fewer.mesh_count, 0, 4, joints, weights));
}

void test_slices(void)
{
    RUN(test_slice, "a slice shows some frames of an animation as a separate animation");
    RUN(test_slice_cut, "a slice is cut to the frames that exist");
    RUN(test_slice_borrows, "a slice borrows everything and needs no free");
    RUN(test_anim_in_code, "an animation built in code plays like a loaded one");
    RUN(test_least_in_code, "an animation built in code needs counts, a rate and frames");
    RUN(test_free_of_copies, "a copied struct owns nothing that could be freed");
    RUN(test_still_in_code, "an animation built in code may have no joint that moves");
    RUN(test_closed_and_travel, "a slice has its own closed flag and its own distance of root motion");
    RUN(test_edited_copy, "a copy of an animation's struct can use your own frames");
    RUN(test_heaviest_joints, "a vertex has its heaviest joints first, with a sum of 1");
    RUN(test_vertex_joints, "any number of joints of a vertex may be asked for");
    RUN(test_no_such_vertex, "a vertex beyond the last has no joints");
}
