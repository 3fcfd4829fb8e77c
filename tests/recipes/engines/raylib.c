/*******************************************************************************************
*
*   raylib [models] example - Quake II and Doom 3 models
*
*   A crowd of MD2 knights is one draw call, and so is the MD5 knight in front of them, who runs
*   and strikes with his sword when SPACE is pressed. md2.h and md5.h draw them with their own
*   renderers, between raylib's grid, cubes and text, and leave raylib's state unchanged.
*
*   Example created with raylib 6.0. In the folder of md2.h:
*
*       make knight
*       cc -O2 -I. -Itests/recipes tests/recipes/engines/raylib.c -lraylib -lGL -lX11 -lpthread -ldl -lm && ./a.out
*
*   NOTE: How to draw these models with raylib's own functions:
*
*     - Vertices from the CPU: make a Mesh with all arrays from MemAlloc() and 16-bit indices, and
*       call UploadMesh(&mesh, true) once; in each frame call md5_pose_vertices() and
*       UpdateMeshBuffer(), with the positions as buffer 0 and the normals as buffer 2. If a mesh
*       has animVertices, UploadMesh() uploads those instead of its vertices
*     - Bones on the GPU: a Matrix is stored in memory row by row, like a palette. Copy each three
*       rows of a palette to one of model.boneMatrices (m15 = 1), for a custom shader with the
*       uniform boneMatrices; transpose the matrices of md5_pose_matrix() first. Fill boneIndices
*       and boneWeights with md5_vertex_joints(). By default, raylib 6 does not upload these, and
*       prints no warning: build it with SUPPORT_GPU_SKINNING, or upload them as attributes 7 and 8
*       with rlLoadVertexBuffer()
*     - Pictures: LoadTexture() reads .png and .bmp; .tga and .jpg only if built with them; and no
*       .pcx. To read all of them, add your own stb_image.h (an installed raylib has none): define
*       STB_IMAGE_STATIC and STB_IMAGE_IMPLEMENTATION before it, and MD2_STB_IMAGE and MD5_STB_IMAGE
*       before the headers, and call md2_gl_load_skin() and md5_gl_load_texture()
*
*   Public domain
*
********************************************************************************************/

#include "raylib.h"
#include "raymath.h"
#include "rlgl.h"

#define MD2_GL
#define MD2_IMPLEMENTATION
#include "md2.h"

#define MD5_GL
#define MD5_IMPLEMENTATION
#include "md5.h"
#include "matrices.h"

#define ROWS        10
#define COLUMNS     10
#define CROWD       (ROWS*COLUMNS)
#define MAX_MESHES  16

//------------------------------------------------------------------------------------
// Module Functions Definition
//------------------------------------------------------------------------------------
// Writes a character's transform in OpenGL's order, because a raylib Matrix is stored transposed
static void SetTransform(float *transform, Vector3 position, float angle)
{
    Matrix place = MatrixMultiply(MatrixRotateY(angle), MatrixTranslate(position.x, position.y, position.z));
    memcpy(transform, MatrixToFloatV(place).v, 16*sizeof(float));
}

static void SetViewProjection(float *viewProjection)
{
    Matrix both = MatrixMultiply(rlGetMatrixModelview(), rlGetMatrixProjection());
    memcpy(viewProjection, MatrixToFloatV(both).v, 16*sizeof(float));
}

// Loads a picture with mipmaps, which look best for stretched and distant surfaces
static unsigned int LoadSkin(const char *path)
{
    Texture2D texture = LoadTexture(path);
    GenTextureMipmaps(&texture);
    SetTextureFilter(texture, TEXTURE_FILTER_TRILINEAR);

    return texture.id;
}

// Loads all meshes of an MD5, and a picture for each
static md5_model *LoadBody(const char *fileName, md5_gl *renderer, md5_gl_mesh *meshes, unsigned int *skins)
{
    const md5_options options = { .flags = MD5_Y_UP };
    char path[1024] = { 0 };
    md5_error error = { 0 };

    md5_model *model = md5_load_model_file(fileName, &options, &error);
    if (model == NULL) TraceLog(LOG_FATAL, "MD5: [%s] %s", fileName, error.message);
    if (model->mesh_count > MAX_MESHES) TraceLog(LOG_FATAL, "MD5: [%s] More meshes than there is room for", fileName);

    for (unsigned int i = 0; i < model->mesh_count; i++)
    {
        bool ready = md5_gl_upload(renderer, model, i, &meshes[i], &error);
        if (!ready) TraceLog(LOG_FATAL, "MD5: [%s] %s", fileName, error.message);

        bool found = md5_find_texture(model, fileName, i, NULL, NULL, path, sizeof(path));
        skins[i] = found? LoadSkin(path) : 0;   // 0 is drawn white
    }

    return model;
}

static void UnloadBody(md5_model *model, md5_gl *renderer, md5_gl_mesh *meshes, unsigned int *skins)
{
    for (unsigned int i = 0; i < model->mesh_count; i++)
    {
        md5_gl_free_mesh(renderer, &meshes[i]);
        rlUnloadTexture(skins[i]);
    }

    md5_free_model(model);
}

static md5_anim *LoadAnimation(const char *fileName, const md5_model *model)
{
    const md5_options options = { .flags = MD5_Y_UP };
    md5_error error = { 0 };

    md5_anim *anim = md5_load_anim_file(fileName, &options, &error);
    if (anim == NULL) TraceLog(LOG_FATAL, "MD5: [%s] %s", fileName, error.message);
    md5_result fits = md5_check_anim(model, anim, &error);
    if (fits != MD5_OK) TraceLog(LOG_FATAL, "MD5: [%s] %s", fileName, error.message);

    return anim;
}

//------------------------------------------------------------------------------------
// Program main entry point
//------------------------------------------------------------------------------------
int main(void)
{
    // Initialization
    //--------------------------------------------------------------------------------------
    const int screenWidth = 800;
    const int screenHeight = 600;

    SetConfigFlags(FLAG_MSAA_4X_HINT);
    InitWindow(screenWidth, screenHeight, "raylib [models] example - Quake II and Doom 3 models");

    Camera camera = { 0 };
    camera.position = (Vector3){ 45.0f, 60.0f, 125.0f };
    camera.target = (Vector3){ 0.0f, 24.0f, 0.0f };
    camera.up = (Vector3){ 0.0f, 1.0f, 0.0f };
    camera.fovy = 45.0f;
    camera.projection = CAMERA_PERSPECTIVE;

    // Load the MD2, with all of its animations, and upload it to the GPU
    const char *knightPath = "knight/tris.md2";
    const md2_options knightOptions = { .flags = MD2_Y_UP };    // Y up, as in raylib; they look along Z
    char path[1024] = { 0 };
    md2_error knightError = { 0 };
    md2_gl_mesh knightMesh = { 0 };

    md2_model *knight = md2_load_file(knightPath, &knightOptions, &knightError);
    if (knight == NULL) TraceLog(LOG_FATAL, "knight: %s", knightError.message);

    md2_gl *knightRenderer = md2_gl_create((md2_gl_get_proc)rlGetProcAddress, NULL, &knightError);
    if (knightRenderer == NULL) TraceLog(LOG_FATAL, "knight: %s", knightError.message);
    bool knightReady = md2_gl_upload(knightRenderer, knight, &knightMesh, &knightError);
    if (!knightReady) TraceLog(LOG_FATAL, "knight: %s", knightError.message);

    unsigned int knightSkin = 0;                                // 0 is drawn white
    bool hasSkin = md2_find_skin(knight, knightPath, 0, NULL, NULL, path, sizeof(path));
    if (hasSkin) knightSkin = LoadSkin(path);

    // The crowd: each knight has a player, which keeps the time, and an instance for the GPU
    static md2_player players[CROWD] = { 0 };
    static md2_gl_instance crowd[CROWD] = { 0 };
    for (int i = 0; i < CROWD; i++)
    {
        float x = 45.0f*((float)(i%COLUMNS) - 0.5f*(COLUMNS - 1));
        float z = -60.0f - 45.0f*(float)(i/COLUMNS);

        SetTransform(crowd[i].transform, (Vector3){ x, 24.0f, z }, 0.2f*(float)(i%7 - 3));
        md2_play(&players[i], &knight->anims[(unsigned int)i%knight->anim_count], MD2_LOOP, 0.0f);
        md2_seek(&players[i], 0.37*i);
    }

    // Load the MD5, its animations, and its sword
    md5_error runnerError = { 0 };
    md5_gl_mesh runnerMeshes[MAX_MESHES] = { 0 };
    md5_gl_mesh swordMeshes[MAX_MESHES] = { 0 };
    unsigned int runnerSkins[MAX_MESHES] = { 0 };
    unsigned int swordSkins[MAX_MESHES] = { 0 };

    md5_gl *runnerRenderer = md5_gl_create((md5_gl_get_proc)rlGetProcAddress, NULL, &runnerError);
    if (runnerRenderer == NULL) TraceLog(LOG_FATAL, "MD5: %s", runnerError.message);
    md5_model *runner = LoadBody("knight/knight.md5mesh", runnerRenderer, runnerMeshes, runnerSkins);
    md5_model *sword = LoadBody("knight/weapon.md5mesh", runnerRenderer, swordMeshes, swordSkins);
    md5_anim *run = LoadAnimation("knight/run.md5anim", runner);
    md5_anim *attack = LoadAnimation("knight/attack.md5anim", runner);

    // The legs run; from the spine upward, the arms may play something else
    md5_player legs = { 0 };
    md5_player arms = { 0 };
    md5_xform *pose = (md5_xform *)MemAlloc(runner->joint_count*(unsigned int)sizeof(md5_xform));
    md5_xform *scratch = (md5_xform *)MemAlloc(runner->joint_count*(unsigned int)sizeof(md5_xform));
    float *palette = (float *)MemAlloc(runner->joint_count*12*(unsigned int)sizeof(float));
    float *upperBody = (float *)MemAlloc(runner->joint_count*(unsigned int)sizeof(float));
    md5_mask_branch(runner, md5_find_joint(runner, "spine"), 1.0f, upperBody);
    md5_play(&legs, run, MD5_LOOP, 0.0f);
    md5_play_once(&arms, attack, 0.1f, 0.2f);

    // The sword is attached to a joint, and has no pose of its own
    int hand = md5_find_joint(runner, "weapon");
    float handMatrix[16] = { 0 };
    md5_gl_instance swordInstance = { 0 };
    md5_gl_instance runnerInstance = { 0 };
    runnerInstance.palette = palette;
    SetTransform(runnerInstance.transform, (Vector3){ 0.0f, 24.0f, 0.0f }, 0.4f);

    SetTargetFPS(60);                       // Set our game to run at 60 frames-per-second
    //--------------------------------------------------------------------------------------

    // Main game loop
    while (!WindowShouldClose())            // Detect window close button or ESC key
    {
        // Update
        //----------------------------------------------------------------------------------
        for (int i = 0; i < CROWD; i++)
        {
            md2_advance(&players[i], GetFrameTime());
            crowd[i].pose = md2_player_pose(&players[i]);
        }

        if (IsKeyPressed(KEY_SPACE)) md5_play_once(&arms, attack, 0.1f, 0.2f);
        md5_advance(&legs, GetFrameTime());
        md5_advance(&arms, GetFrameTime());
        md5_player_pose(runner, &legs, pose, scratch);
        md5_player_pose_over(runner, &arms, 1.0f, upperBody, pose, scratch);
        md5_pose_to_model_space(runner, pose, pose);
        md5_pose_palette(runner, pose, palette);

        if (hand >= 0) md5_pose_matrix(&pose[hand], handMatrix);
        multiply(runnerInstance.transform, handMatrix, swordInstance.transform);
        //----------------------------------------------------------------------------------

        // Draw
        //----------------------------------------------------------------------------------
        BeginDrawing();

            ClearBackground(RAYWHITE);

            BeginMode3D(camera);

                DrawGrid(24, 25.0f);
                DrawCube((Vector3){ -45.0f, 12.0f, 0.0f }, 24.0f, 24.0f, 24.0f, SKYBLUE);

                // Flush what raylib has drawn so far, because raylib draws in batches
                rlDrawRenderBatchActive();

                md2_gl_scene knightScene = { .light_direction = { 0.4f, 0.7f, 0.6f } };
                md5_gl_scene runnerScene = { .light_direction = { 0.4f, 0.7f, 0.6f } };
                SetViewProjection(knightScene.view_projection);
                SetViewProjection(runnerScene.view_projection);
                md2_gl_draw(knightRenderer, &knightMesh, knightSkin, &knightScene, crowd, CROWD);
                md5_gl_draw_meshes(runnerRenderer, runnerMeshes, runnerSkins, runner->mesh_count,
                                   &runnerScene, &runnerInstance, 1);
                md5_gl_draw_meshes(runnerRenderer, swordMeshes, swordSkins, sword->mesh_count,
                                   &runnerScene, &swordInstance, 1);

                DrawCube((Vector3){ 48.0f, 12.0f, -25.0f }, 24.0f, 24.0f, 24.0f, MAROON);
                DrawCubeWires((Vector3){ 48.0f, 12.0f, -25.0f }, 24.0f, 24.0f, 24.0f, BLACK);

            EndMode3D();

            DrawText("PRESS SPACE to STRIKE", 10, 10, 20, MAROON);

        EndDrawing();
        //----------------------------------------------------------------------------------
    }

    // De-Initialization
    //--------------------------------------------------------------------------------------
    md2_gl_free_mesh(knightRenderer, &knightMesh);
    md2_gl_destroy(knightRenderer);
    md2_free_model(knight);
    rlUnloadTexture(knightSkin);

    UnloadBody(runner, runnerRenderer, runnerMeshes, runnerSkins);
    UnloadBody(sword, runnerRenderer, swordMeshes, swordSkins);
    md5_gl_destroy(runnerRenderer);
    md5_free_anim(run);
    md5_free_anim(attack);
    MemFree(pose);
    MemFree(scratch);
    MemFree(palette);
    MemFree(upperBody);

    CloseWindow();                          // Close window and OpenGL context
    //--------------------------------------------------------------------------------------

    return 0;
}
