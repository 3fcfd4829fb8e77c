/* Shared by the programs of the compile matrix. It names every public function, so that a function that is declared
   but not defined is a link error; then it loads and poses a model of one triangle. */
#ifndef USE_MD5_H
#define USE_MD5_H

#if defined(__GNUC__) && defined(__cplusplus)
  #pragma GCC diagnostic ignored "-Wold-style-cast" /* only in this file, not in the header before it */
  #pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* gcc 12 warns for designated initializers */
#endif

#include <string.h>

typedef void (*use_md5_function)(void);

#define USE(function) (use_md5_function)function,
static volatile use_md5_function use_md5_functions[] = {
#include "functions_md5.h" /* written by strict.sh: USE(md5_load_model_memory) ... */
};
#undef USE

static const char use_md5_mesh[] =
    "MD5Version 10\ncommandline \"\"\nnumJoints 1\nnumMeshes 1\n"
    "joints {\n\t\"origin\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n"
    "mesh {\n\tshader \"plain\"\n\tnumverts 3\n"
    "\tvert 0 ( 0 0 ) 0 1\n\tvert 1 ( 1 0 ) 1 1\n\tvert 2 ( 0 1 ) 2 1\n"
    "\tnumtris 1\n\ttri 0 0 1 2\n\tnumweights 3\n"
    "\tweight 0 0 1 ( 200 0 0 )\n\tweight 1 0 1 ( 0 200 0 )\n\tweight 2 0 1 ( 0 0 200 )\n}\n";

static const char use_md5_walk[] =
    "MD5Version 10\ncommandline \"\"\nnumFrames 1\nnumJoints 1\nframeRate 24\nnumAnimatedComponents 0\n"
    "hierarchy {\n\t\"origin\" -1 0 0\n}\nbounds {\n\t( 0 0 0 ) ( 200 200 200 )\n}\n"
    "baseframe {\n\t( 0 0 0 ) ( 0 0 0 )\n}\nframe 0 {\n}\n";

/* The structs that a user initializes, as each language writes them. */
static int use_md5_initializers(void)
{
#ifdef __cplusplus
    md5_player player = md5_player();
    md5_anim empty = md5_anim();
#else
    md5_player player = { 0 };
    md5_anim empty = { 0 };
#endif
#if !defined(__cplusplus) || __cplusplus > 201703L
    md5_xform frame = { { 0.0f, 0.0f, 0.0f }, 1.0f, { 0.0f, 0.0f, 0.0f, 1.0f } };
    md5_anim still = { .name = "still", .frame_count = 1, .joint_count = 1, .fps = 10.0f, .frames = &frame };
    md5_play(&player, &still, MD5_LOOP, 0.0f);
#endif
    md5_play(&player, &empty, MD5_LOOP, 0.0f);
    return player.track_count == 1 ? 0 : 1;
}

static int use_md5_model(const md5_model *model, const md5_anim *walk)
{
    float positions[9];
    float min[3], max[3];
    md5_xform pose[1], scratch[1];
    md5_player player;
    memset(&player, 0, sizeof player);
    if (model->joint_count != 1 || model->mesh_count != 1 || model->meshes[0].vertex_count != 3) return 1;
    if (md5_check_anim(model, walk, NULL) != MD5_OK) return 1;
    md5_play(&player, walk, MD5_LOOP, 0.0f);
    (void)md5_advance(&player, 0.25f);
    md5_player_pose(model, &player, pose, scratch);
    md5_pose_to_model_space(model, pose, pose);
    md5_pose_vertices(model, 0, pose, positions, 0, NULL, 0, NULL, 0);
    md5_pose_bounds(model, pose, min, max);
    return max[0] > 199.0f && max[0] < 201.0f && positions[0] >= min[0] && positions[0] <= max[0] ? 0 : 1;
}

static int use_md5(void)
{
    md5_error error;
    md5_model *model;
    md5_anim *walk;
    size_t i;
    int failed;
    for (i = 0; i < sizeof use_md5_functions / sizeof use_md5_functions[0]; ++i) {
        if (!use_md5_functions[i]) return 1;
    }
    if (md5_load_model_memory("IDP2, of another game", 21, NULL, &error) || error.code != MD5_ERROR_NOT_MD5) return 2;
    if (use_md5_initializers()) return 5;
    model = md5_load_model_memory(use_md5_mesh, sizeof use_md5_mesh - 1, NULL, &error);
    walk = md5_load_anim_memory(use_md5_walk, sizeof use_md5_walk - 1, "walk", NULL, &error);
    failed = model && walk ? use_md5_model(model, walk) : 1;
    md5_free_anim(walk);
    md5_free_model(model);
    return failed ? 4 : 0;
}

#endif
