//------------------------------------------------------------------------------
//  md-models-sapp.c
//
//  Quake II and Doom 3 models with sokol_gfx.h's GL backend: a crowd of MD2
//  knights is one draw call, and so is the MD5 knight in front of them, who runs
//  and strikes with the upper body when SPACE is pressed. md2.h and md5.h draw
//  them with their own renderers, with shadows on the ground, between the boxes
//  that sokol draws.
//
//  For other backends of sokol, see sokol_gpu.c. In the folder of md2.h, with
//  sokol's headers in ../sokol, on Linux:
//
//      make knight
//      cc -DSOKOL_IMPL -DSOKOL_GLCORE -I. -Itests/recipes -I../sokol -I/usr/include/stb tests/recipes/engines/sokol.c
//          -lX11 -lXi -lXcursor -lGL -ldl -lpthread -lm && ./a.out
//
//  Public domain.
//------------------------------------------------------------------------------
#include "sokol_app.h"
#include "sokol_gfx.h"
#include "sokol_glue.h"
#include "sokol_log.h"
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"
#define MD2_GL
#define MD2_STB_IMAGE
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_GL
#define MD5_STB_IMAGE
#define MD5_IMPLEMENTATION
#include "md5.h"
#include "matrices.h"

#define ROWS (6)
#define COLUMNS (6)
#define CROWD (ROWS * COLUMNS)
#define MAX_MESHES (16)

static struct {
    sg_pass_action pass_action;
    struct {
        sg_pipeline pip;
        sg_bindings bind;
    } box;
    struct {
        md2_model *model;
        md2_gl *gl;
        md2_gl_mesh mesh;
        uint32_t skin;
        md2_player players[CROWD];
        md2_gl_instance instances[CROWD], shadows[CROWD];
    } crowd;
    struct {
        md5_model *model;
        md5_anim *run, *attack;
        md5_gl *gl;
        md5_gl_mesh meshes[MAX_MESHES];
        uint32_t skins[MAX_MESHES];
        md5_player legs, arms;
        md5_xform *pose, *scratch;
        float *upper_body, *palette;
        md5_gl_instance instance, shadow;
    } runner;
} state;

typedef struct { float mvp[16], color[4]; } box_params_t;

static void die_unless(bool ok, const char *message) {
    if (!ok) {
        slog_func("md", 0, 0, message, __LINE__, __FILE__, NULL); // level 0 ends the program
    }
}

// sokol_app.h has no function like this, and GL/glx.h conflicts with it. On Windows it is wglGetProcAddress, and
// GetProcAddress(opengl32.dll) for functions that it lacks; with SOKOL_FORCE_EGL it is eglGetProcAddress.
extern void (*glXGetProcAddressARB(const unsigned char *name))(void);

static void (*get_proc(const char *name))(void) {
    return glXGetProcAddressARB((const unsigned char *)name);
}

static void init_boxes(void) {
    const float vertices[] = {
        -1, -1, -1,   1, -1, -1,   -1, 1, -1,   1, 1, -1,
        -1, -1,  1,   1, -1,  1,   -1, 1,  1,   1, 1,  1,
    };
    const uint16_t indices[] = {
        0, 2, 1,  1, 2, 3,  4, 5, 6,  5, 7, 6,  0, 1, 4,  1, 5, 4,
        2, 6, 3,  3, 6, 7,  0, 4, 2,  2, 4, 6,  1, 3, 5,  3, 7, 5,
    };
    state.box.bind.vertex_buffers[0] = sg_make_buffer(&(sg_buffer_desc){ .data = SG_RANGE(vertices) });
    state.box.bind.index_buffer = sg_make_buffer(&(sg_buffer_desc){
        .usage.index_buffer = true,
        .data = SG_RANGE(indices),
    });
    sg_shader shd = sg_make_shader(&(sg_shader_desc){
        .vertex_func.source =
            "#version 410\n"
            "uniform mat4 mvp; uniform vec4 color;\n"
            "layout(location=0) in vec3 position;\n"
            "out vec3 shade;\n"
            "void main() {\n"
            "  gl_Position = mvp * vec4(position, 1.0);\n"
            "  shade = color.rgb * (0.85 + 0.15 * position.z);\n"
            "}\n",
        .fragment_func.source =
            "#version 410\n"
            "in vec3 shade; out vec4 frag_color;\n"
            "void main() { frag_color = vec4(shade, 1.0); }\n",
        .uniform_blocks[0] = {
            .stage = SG_SHADERSTAGE_VERTEX,
            .size = sizeof(box_params_t),
            .glsl_uniforms = {
                { .type = SG_UNIFORMTYPE_MAT4, .glsl_name = "mvp" },
                { .type = SG_UNIFORMTYPE_FLOAT4, .glsl_name = "color" },
            },
        },
    });
    state.box.pip = sg_make_pipeline(&(sg_pipeline_desc){
        .shader = shd,
        .layout.attrs[0].format = SG_VERTEXFORMAT_FLOAT3,
        .index_type = SG_INDEXTYPE_UINT16,
        .cull_mode = SG_CULLMODE_BACK,
        .face_winding = SG_FACEWINDING_CCW,
        .depth = { .compare = SG_COMPAREFUNC_LESS_EQUAL, .write_enabled = true },
    });
}

static void draw_box(const float view_proj[16], const float center[3], const float half[3], uint32_t rgb) {
    const float model[16] = {
        half[0], 0, 0, 0,
        0, half[1], 0, 0,
        0, 0, half[2], 0,
        center[0], center[1], center[2], 1,
    };
    box_params_t params = {
        .color = { (float)(rgb >> 16) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f, (float)(rgb & 255) / 255.0f, 1.0f },
    };
    multiply(view_proj, model, params.mvp);
    sg_apply_pipeline(state.box.pip);
    sg_apply_bindings(&state.box.bind);
    sg_apply_uniforms(0, &SG_RANGE(params));
    sg_draw(0, 36, 1);
}

static void init_crowd(void) {
    const char *path = "knight/tris.md2";
    md2_error error;
    md2_model *model = md2_load_file(path, NULL, &error);
    die_unless(model, error.message);
    md2_gl *gl = md2_gl_create(get_proc, NULL, &error);
    die_unless(gl, error.message);
    bool ok = md2_gl_upload(gl, model, &state.crowd.mesh, &error);
    die_unless(ok, error.message);
    state.crowd.skin = md2_gl_load_skin(gl, model, path, 0, &error);
    die_unless(state.crowd.skin != 0, error.message);
    state.crowd.model = model;
    state.crowd.gl = gl;

    for (int i = 0; i < CROWD; i++) {
        const float x = -60.0f - 45.0f * (float)(i / COLUMNS);
        const float y = 45.0f * ((float)(i % COLUMNS) - 0.5f * (COLUMNS - 1));
        place_at(x, y, 24.0f, 0.2f * (float)(i % 7 - 3), state.crowd.instances[i].transform);
        md2_play(&state.crowd.players[i], &model->anims[(uint32_t)i % model->anim_count], MD2_LOOP, 0.0f);
        md2_seek(&state.crowd.players[i], 0.37 * i);
    }
}

static void init_runner(void) {
    const char *path = "knight/knight.md5mesh";
    md5_error error;
    md5_model *model = md5_load_model_file(path, NULL, &error);
    die_unless(model, error.message);
    die_unless(model->mesh_count <= MAX_MESHES, "more meshes than there is room for");
    state.runner.run = md5_load_anim_file("knight/run.md5anim", NULL, &error);
    die_unless(state.runner.run, error.message);
    state.runner.attack = md5_load_anim_file("knight/attack.md5anim", NULL, &error);
    die_unless(state.runner.attack, error.message);
    die_unless(MD5_OK == md5_check_anim(model, state.runner.run, &error), error.message);

    md5_gl *gl = md5_gl_create(get_proc, NULL, &error);
    die_unless(gl, error.message);
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        bool ok = md5_gl_upload(gl, model, i, &state.runner.meshes[i], &error);
        die_unless(ok, error.message);
        state.runner.skins[i] = md5_gl_load_texture(gl, model, path, i, &error);
        die_unless(state.runner.skins[i] != 0, error.message);
    }
    state.runner.model = model;
    state.runner.gl = gl;

    // the legs run; from the spine upward, the arms may play something else
    state.runner.pose = calloc(model->joint_count, sizeof(md5_xform));
    state.runner.scratch = calloc(model->joint_count, sizeof(md5_xform));
    state.runner.palette = calloc(model->joint_count, 12 * sizeof(float));
    state.runner.upper_body = calloc(model->joint_count, sizeof(float));
    md5_mask_branch(model, md5_find_joint(model, "spine"), 1.0f, state.runner.upper_body);
    md5_play(&state.runner.legs, state.runner.run, MD5_LOOP, 0.0f);
    md5_play_once(&state.runner.arms, state.runner.attack, 0.1f, 0.2f);
    state.runner.instance.palette = state.runner.palette;
    place_at(0.0f, 0.0f, 24.0f, -0.4f, state.runner.instance.transform);
}

static void init(void) {
    sg_setup(&(sg_desc){
        .environment = sglue_environment(),
        .logger.func = slog_func,
    });
    state.pass_action = (sg_pass_action){
        .colors[0] = { .load_action = SG_LOADACTION_CLEAR, .clear_value = { 0.6f, 0.7f, 0.8f, 1.0f } },
    };
    init_boxes();
    init_crowd();
    init_runner();
    sg_reset_state_cache(); // other code has called GL
}

// Copies the instances, laid flat on the ground and black.
static void update_shadows(const float light[3]) {
    float flat[16];
    shadow_matrix(light, 0.1f, flat);
    memcpy(state.crowd.shadows, state.crowd.instances, sizeof(state.crowd.instances));
    for (int i = 0; i < CROWD; i++) {
        multiply(flat, state.crowd.instances[i].transform, state.crowd.shadows[i].transform);
        state.crowd.shadows[i].tint[3] = 1.0f;
    }
    state.runner.shadow = state.runner.instance;
    multiply(flat, state.runner.instance.transform, state.runner.shadow.transform);
    state.runner.shadow.tint[3] = 1.0f;
}

static void update(float dt) {
    for (int i = 0; i < CROWD; i++) {
        md2_advance(&state.crowd.players[i], dt);
        state.crowd.instances[i].pose = md2_player_pose(&state.crowd.players[i]);
    }
    md5_advance(&state.runner.legs, dt);
    md5_advance(&state.runner.arms, dt);
    md5_player_pose(state.runner.model, &state.runner.legs, state.runner.pose, state.runner.scratch);
    md5_player_pose_over(state.runner.model, &state.runner.arms, 1.0f, state.runner.upper_body, state.runner.pose, state.runner.scratch);
    md5_pose_to_model_space(state.runner.model, state.runner.pose, state.runner.pose);
    md5_pose_palette(state.runner.model, state.runner.pose, state.runner.palette);
}

static void frame(void) {
    const float light[3] = { 0.3f, 0.6f, 0.8f };
    update((float)sapp_frame_duration());
    update_shadows(light);

    const float eye[3] = { 125.0f, 45.0f, 60.0f };
    const float target[3] = { 0.0f, 0.0f, 24.0f };
    const float up[3] = { 0.0f, 0.0f, 1.0f };
    float proj[16], view_proj[16];
    perspective(0.8f, sapp_widthf() / sapp_heightf(), 5.0f, 1000.0f, proj);
    look_at(eye, target, up, view_proj);
    multiply(proj, view_proj, view_proj);

    sg_begin_pass(&(sg_pass){ .action = state.pass_action, .swapchain = sglue_swapchain() });
    draw_box(view_proj, (float[3]){ -1000, 0, -1 }, (float[3]){ 2000, 2000, 1 }, 0x90A090);
    draw_box(view_proj, (float[3]){ 0, -45, 12 }, (float[3]){ 12, 12, 12 }, 0x66BFFF);

    // draws with the depth test and the culling of sokol's last pipeline
    md2_gl_scene crowd_scene = { .light_direction = { light[0], light[1], light[2] } };
    md5_gl_scene runner_scene = { .light_direction = { light[0], light[1], light[2] } };
    memcpy(crowd_scene.view_projection, view_proj, sizeof(view_proj));
    memcpy(runner_scene.view_projection, view_proj, sizeof(view_proj));
    md2_gl_draw(state.crowd.gl, &state.crowd.mesh, 0, &crowd_scene, state.crowd.shadows, CROWD);
    md2_gl_draw(state.crowd.gl, &state.crowd.mesh, state.crowd.skin, &crowd_scene, state.crowd.instances, CROWD);
    const size_t meshes = state.runner.model->mesh_count;
    md5_gl_draw_meshes(state.runner.gl, state.runner.meshes, NULL, meshes, &runner_scene, &state.runner.shadow, 1);
    md5_gl_draw_meshes(state.runner.gl, state.runner.meshes, state.runner.skins, meshes, &runner_scene, &state.runner.instance, 1);
    sg_reset_state_cache();

    draw_box(view_proj, (float[3]){ 0, 45, 12 }, (float[3]){ 12, 12, 12 }, 0xBE2137);
    sg_end_pass();
    sg_commit();
}

static void event(const sapp_event *e) {
    if ((e->type == SAPP_EVENTTYPE_KEY_DOWN) && (e->key_code == SAPP_KEYCODE_SPACE) && !e->key_repeat) {
        md5_play_once(&state.runner.arms, state.runner.attack, 0.1f, 0.2f);
    }
}

static void cleanup(void) {
    md2_gl_free_mesh(state.crowd.gl, &state.crowd.mesh);
    md2_gl_destroy(state.crowd.gl);
    md2_free_model(state.crowd.model);

    for (int i = 0; i < MAX_MESHES; i++) {
        md5_gl_free_mesh(state.runner.gl, &state.runner.meshes[i]);
    }
    md5_gl_destroy(state.runner.gl);
    md5_free_anim(state.runner.run);
    md5_free_anim(state.runner.attack);
    md5_free_model(state.runner.model);
    free(state.runner.pose);
    free(state.runner.scratch);
    free(state.runner.palette);
    free(state.runner.upper_body);
    sg_shutdown();
}

sapp_desc sokol_main(int argc, char* argv[]) {
    (void)argc; (void)argv;
    return (sapp_desc){
        .init_cb = init,
        .frame_cb = frame,
        .event_cb = event,
        .cleanup_cb = cleanup,
        .width = 800,
        .height = 600,
        .sample_count = 4,
        .window_title = "md-models-sapp.c",
        .logger.func = slog_func,
    };
}
