/* slices.c: parts of animations, animations built in code, and joints for other engines. Public
   domain. */
#include "test_md5.h"

static void test_slice_poses(void)
{
    md5_anim *anim = clip(M5_WAVE);
    md5_xform *whole = new_pose(M5_JOINTS), *part = new_pose(M5_JOINTS);
    md5_anim slice = md5_anim_slice(anim, 4, 5, "middle");
    CHECK_TEXT(slice.name, "middle");
    CHECK_EQ(slice.frame_count, 5);
    CHECK_EQ(slice.bytes, 0);             /* it owns nothing */
    CHECK(!slice.closed); /* though the whole is */
    CHECK(anim->closed);
    CHECK(slice.bounds == anim->bounds + 4);
    CHECK_EQ(md5_check_anim(arm(), &slice, NULL), MD5_OK);
    for (uint32_t frame = 0; frame < 5; ++frame) {
        md5_pose_at(anim, MD5_ONCE, (frame + 4.25) / (double)anim->fps, whole);
        md5_pose_at(&slice, MD5_ONCE, (frame + 0.25) / (double)anim->fps, part);
        for (uint32_t j = 0; j < M5_JOINTS && frame < 4; ++j) {
            m5_xform want = widen(&whole[j]);
            CHECK_NEAR(xform_distance(&part[j], &want), 0, 1e-5);
        }
    }
    md5_free_anim(&slice); /* does nothing */
    CHECK_EQ(slice.frame_count, 5);
    slice = md5_anim_slice(anim, 0, UINT32_MAX, NULL);
    CHECK(slice.frames == anim->frames && slice.frame_count == anim->frame_count && slice.closed);
    CHECK(same_floats(anim->travel, slice.travel, 3));
    CHECK_TEXT(slice.name, anim->name);
    CHECK_EQ(md5_anim_slice(anim, 99, 7, NULL).frame_count, 1);
    CHECK(md5_anim_slice(anim, 99, 7, NULL).frames == anim->frames + 12 * anim->moving_count);
    CHECK_EQ(md5_anim_slice(anim, 3, 0, NULL).frame_count, 1);
    CHECK_EQ(md5_anim_slice(NULL, 3, 1, NULL).frame_count, 0);
}

/* An animation out of an array of transforms. */
static void test_anim_in_code(void)
{
    static const char *const names[2] = { "a", "b" };
    static const int32_t parents[2] = { -1, 0 };
    md5_model *model = model_from("MD5Version 10 numJoints 2 numMeshes 0 joints { a -1 ( 0 0 0 ) "
                                  "( 0 0 0 ) b 0 ( 1 0 0 ) ( 0 0 0 ) }");
    md5_xform frames[3][2], local[2], scratch[2];
    md5_anim anim, *copy;
    md5_player player;
    memset(frames, 0, sizeof frames);
    memset(&anim, 0, sizeof anim);
    for (int i = 0; i < 6; ++i) {
        frames[i / 2][i % 2].rotation[3] = frames[i / 2][i % 2].scale = 1;
        frames[i / 2][i % 2].position[0] = i % 2 ? 1.0f : 4.0f * (float)(i / 2);
    }
    frames[1][1].scale = 2;
    anim.frame_count = 3;
    anim.joint_count = anim.moving_count = 2;
    anim.fps = 10;
    anim.scale = 1;
    anim.joint_names = names;
    anim.parents = parents;
    anim.frames = frames[0];
    anim = md5_anim_slice(&anim, 0, 3, "made");
    CHECK(anim.closed); /* the root's way aside */
    CHECK_EQ(anim.travel[0], 8);
    CHECK_EQ(md5_check_anim(model, &anim, NULL), MD5_OK);
    memset(&player, 0, sizeof player);
    md5_play(&player, &anim, MD5_LOOP, 0);
    md5_advance(&player, 0.05f);
    md5_player_pose(model, &player, local, scratch);
    CHECK_NEAR(local[0].position[0], 2, 1e-5);
    CHECK_NEAR(local[1].scale, 1.5, 1e-5);
    copy = keep_anim(md5_retarget_anim(model, &anim, NULL, NULL, NULL));
    if (CHECK(copy != NULL)) md5_pose_at(copy, MD5_LOOP, 0.05, scratch);
    CHECK(pose_distance(local, scratch, 2) < 1e-6);
    anim.scale = 2;
    CHECK_EQ(md5_check_anim(model, &anim, NULL), MD5_ERROR_MISMATCH);
    md5_player_pose(model, &player, local, scratch);
    CHECK_EQ(local[0].position[0], 0); /* the bind pose */
}

static void test_vertex_joints(void)
{
    md5_model *model = arm();
    uint32_t vertices = 0, joints[7];
    float weights[7];
    for (uint32_t mesh = 0; mesh < model->mesh_count; ++mesh) {
        const md5_mesh *m = &model->meshes[mesh];
        for (uint32_t vertex = 0; vertex < m->vertex_count; ++vertex, ++vertices) {
            for (uint32_t count = 1; count <= 6; ++count) {
                float sum = 0;
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
        CHECK(!md5_vertex_joints(model, mesh, m->vertex_count, 4, joints, weights));
    }
    md5_model fewer = *model;             /* behind its last mesh lies another */
    CHECK(!md5_vertex_joints(&fewer, --fewer.mesh_count, 0, 4, joints, weights));
    CHECK_FLOOR(vertices, 50, "vertices with their heaviest joints");
}

/* Two weights of one joint count as one; a negative one does not. */
static void test_heaviest_joints(void)
{
    md5_model *model = model_from(
        "MD5Version 10 numJoints 3 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) b 0 ( 0 0 0 ) "
        "( 0 0 0 ) c 0 ( 0 0 0 ) ( 0 0 0 ) } mesh { numverts 3 vert 0 ( 0 0 ) 0 4 vert 1 ( 0 0 ) 1 1 vert 2 ( 0 0 ) 4 1 "
        "numweights 5 weight 0 1 0.5 ( 0 0 0 ) weight 1 0 -0.1 ( 0 0 0 ) weight 2 2 0.3 ( 0 0 0 ) "
        "weight 3 2 0.3 ( 0 0 0 ) weight 4 1 0 ( 0 0 0 ) }");
    uint32_t joints[4];
    float weights[4];
    CHECK(md5_vertex_joints(model, 0, 0, 4, joints, weights));
    CHECK_EQ(joints[0], 2);
    CHECK_NEAR(weights[0], 0.6 / 1.1, 1e-6);
    CHECK_EQ(joints[1], 1);
    CHECK_NEAR(weights[1], 0.5 / 1.1, 1e-6);
    CHECK_EQ(weights[2], 0);
    CHECK_EQ(joints[2], 0);
    CHECK(md5_vertex_joints(model, 0, 1, 2, joints, weights)); /* no positive bias at all */
    CHECK_EQ(weights[0], 1);
    CHECK_EQ(joints[0], 0);
    CHECK_EQ(weights[1], 0);
    CHECK(md5_vertex_joints(model, 0, 2, 2, joints, weights)); /* a bias of 0 */
    CHECK_EQ(weights[0], 1);
    CHECK_EQ(joints[0], 1);
    CHECK_EQ(weights[1], 0);
}

void test_slices(void)
{
    run_test("slices", test_slice_poses);
    run_test("animations in code", test_anim_in_code);
    run_test("joints of vertices", test_vertex_joints);
    run_test("heaviest joints", test_heaviest_joints);
}
