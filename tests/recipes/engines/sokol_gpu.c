//------------------------------------------------------------------------------
//  vertex-animation-sapp.c
//
//  Vertex animation, as in Quake II, and skinning, as in Doom 3, with only
//  sokol_gfx.h's calls:
//
//  - an MD2 has all frames in a texture, four bytes per point; each instance
//    has the pose of a player, up to four frames and their weights, so a crowd
//    is one draw call
//  - an MD5 has up to four joints and weights in each vertex; the palette of a
//    pose, three rows of a matrix for each joint, is an array of uniforms (for
//    a crowd, put these rows in a texture)
//
//  The shaders are GLSL for the GL backend, and have run on OpenGL 4.1 on Linux.
//  Other backends need shaders from sokol-shdc; on them, this program has never
//  run. In the folder of md2.h, with sokol's headers in ../sokol:
//
//      make knight
//      cc -DSOKOL_IMPL -DSOKOL_GLCORE -I. -Itests/recipes -I../sokol -I/usr/include/stb tests/recipes/engines/sokol_gpu.c
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
#define MD2_STB_IMAGE // needed by md2_load_skin()
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_STB_IMAGE // needed by md5_load_texture()
#define MD5_IMPLEMENTATION
#include "md5.h"
#include "matrices.h"

#define ROWS (6)
#define COLUMNS (6)
#define CROWD (ROWS * COLUMNS)
#define MAX_JOINTS (64)
#define MAX_MESHES (16)

// an instance as it is in the instance buffer
typedef struct {
    float placement[4]; // x, y, cosine and sine of the heading
    md2_pose pose;
} instance_t;

// the joints of a vertex, in a buffer next to the md5_vertex buffer
typedef struct {
    uint8_t joint[4];
    float weight[4];
} influence_t;

typedef struct {
    float view_proj[16];
} crowd_params_t;

typedef struct {
    float view_proj[16], model[16];
    float palette[MAX_JOINTS][3][4];
} runner_params_t;

static struct {
    sg_pass_action pass_action;
    struct {
        md2_model *model;
        md2_player players[CROWD];
        instance_t instances[CROWD];
        sg_pipeline pip;
        sg_bindings bind;
    } crowd;
    struct {
        md5_model *model;
        md5_anim *run;
        md5_player player;
        sg_pipeline pip;
        sg_bindings binds[MAX_MESHES];
    } runner;
} state;

static const char *fragment_source =
    "#version 410\n"
    "uniform sampler2D skin;\n"
    "in vec2 uv; in vec3 normal; out vec4 frag_color;\n"
    "void main() {\n"
    "  float light = 0.4 + 0.6 * max(dot(normalize(normal), vec3(0.6, 0.4, 0.69)), 0.0);\n"
    "  frag_color = vec4(texture(skin, uv).rgb * light, 1.0);\n"
    "}\n";

static void die_unless(bool ok, const char *message) {
    if (!ok) {
        slog_func("md", 0, 0, message, __LINE__, __FILE__, NULL); // level 0 ends the program
    }
}

static sg_view make_texture(int width, int height, sg_pixel_format format, sg_range pixels) {
    sg_image image = sg_make_image(&(sg_image_desc){
        .width = width,
        .height = height,
        .pixel_format = format,
        .data.mip_levels[0] = pixels,
    });
    return sg_make_view(&(sg_view_desc){ .texture.image = image });
}

static sg_view make_skin(uint32_t width, uint32_t height, const uint8_t *pixels) {
    const sg_range range = { pixels, (size_t)width * height * 4 };
    return make_texture((int)width, (int)height, SG_PIXELFORMAT_RGBA8, range);
}

static sg_sampler make_skin_sampler(void) {
    return sg_make_sampler(&(sg_sampler_desc){
        .min_filter = SG_FILTER_LINEAR,
        .mag_filter = SG_FILTER_LINEAR,
        .wrap_u = SG_WRAP_REPEAT,
        .wrap_v = SG_WRAP_REPEAT,
    });
}

//== the MD2 ===================================================================

// Creates textures for the shader: the points of all frames, their scales and translations, and the normal table.
static void make_frame_textures(const md2_model *model, sg_bindings *bind) {
    const int points = (int)model->point_count;
    const int frames = (int)model->frame_count;
    const size_t points_size = model->frame_count * model->point_count * sizeof(md2_point);
    float normals[162][4] = { { 0 } };
    float (*scales)[2][4] = calloc(model->frame_count, sizeof(*scales));
    die_unless(scales, "no memory");

    for (uint32_t i = 0; i < model->frame_count; i++) {
        const md2_frame *frame = &model->frames[i];
        memcpy(scales[i][0], frame->scale, sizeof(frame->scale));
        memcpy(scales[i][1], frame->translate, sizeof(frame->translate));
    }
    for (uint32_t i = 0; i < 162; i++) {
        memcpy(normals[i], md2_normal(i), 3 * sizeof(float));
    }
    // the points of all frames are one array
    bind->views[1] = make_texture(points, frames, SG_PIXELFORMAT_RGBA8UI, (sg_range){ model->frames[0].points, points_size });
    bind->views[2] = make_texture(2, frames, SG_PIXELFORMAT_RGBA32F, (sg_range){ scales, model->frame_count * sizeof(*scales) });
    bind->views[3] = make_texture(162, 1, SG_PIXELFORMAT_RGBA32F, SG_RANGE(normals));
    free(scales);
}

static sg_shader make_crowd_shader(void) {
    const sg_shader_texture_view data = {
        .stage = SG_SHADERSTAGE_VERTEX,
        .sample_type = SG_IMAGESAMPLETYPE_UNFILTERABLE_FLOAT,
    };
    return sg_make_shader(&(sg_shader_desc){
        .vertex_func.source =
            "#version 410\n"
            "uniform mat4 view_proj;\n"
            "uniform usampler2D points;\n"
            "uniform sampler2D scales, normals;\n"
            "layout(location=0) in vec4 placement;\n"
            "layout(location=1) in uvec4 frame;\n"
            "layout(location=2) in vec4 weight;\n"
            "layout(location=3) in uvec2 point;\n"
            "layout(location=4) in vec2 texcoord;\n"
            "out vec2 uv; out vec3 normal;\n"
            "vec3 turn(vec3 v) {\n"
            "  return vec3(placement.z * v.x - placement.w * v.y, placement.w * v.x + placement.z * v.y, v.z);\n"
            "}\n"
            "void main() {\n"
            "  vec3 p = vec3(0.0), n = vec3(0.0);\n"
            "  for (int i = 0; i < 4; i++) {\n"
            "    int f = int(frame[i]);\n"
            "    uvec4 bytes = texelFetch(points, ivec2(int(point.x), f), 0);\n"
            "    vec3 scale = texelFetch(scales, ivec2(0, f), 0).xyz, translate = texelFetch(scales, ivec2(1, f), 0).xyz;\n"
            "    p += weight[i] * (translate + vec3(bytes.xyz) * scale);\n"
            "    n += weight[i] * texelFetch(normals, ivec2(int(bytes.w), 0), 0).xyz;\n"
            "  }\n"
            "  gl_Position = view_proj * vec4(turn(p) + vec3(placement.xy, 24.0), 1.0);\n"
            "  normal = turn(n);\n"
            "  uv = texcoord;\n"
            "}\n",
        .fragment_func.source = fragment_source,
        .attrs = {
            [1].base_type = SG_SHADERATTRBASETYPE_UINT,
            [3].base_type = SG_SHADERATTRBASETYPE_UINT,
        },
        .uniform_blocks[0] = {
            .stage = SG_SHADERSTAGE_VERTEX,
            .size = sizeof(crowd_params_t),
            .glsl_uniforms[0] = { .type = SG_UNIFORMTYPE_MAT4, .glsl_name = "view_proj" },
        },
        .views = {
            { .texture.stage = SG_SHADERSTAGE_FRAGMENT },
            { .texture = { .stage = SG_SHADERSTAGE_VERTEX, .sample_type = SG_IMAGESAMPLETYPE_UINT } },
            { .texture = data },
            { .texture = data },
        },
        .samplers = {
            { .stage = SG_SHADERSTAGE_FRAGMENT },
            { .stage = SG_SHADERSTAGE_VERTEX, .sampler_type = SG_SAMPLERTYPE_NONFILTERING },
        },
        .texture_sampler_pairs = {
            { .stage = SG_SHADERSTAGE_FRAGMENT, .view_slot = 0, .sampler_slot = 0, .glsl_name = "skin" },
            { .stage = SG_SHADERSTAGE_VERTEX, .view_slot = 1, .sampler_slot = 1, .glsl_name = "points" },
            { .stage = SG_SHADERSTAGE_VERTEX, .view_slot = 2, .sampler_slot = 1, .glsl_name = "scales" },
            { .stage = SG_SHADERSTAGE_VERTEX, .view_slot = 3, .sampler_slot = 1, .glsl_name = "normals" },
        },
    });
}

static void init_crowd(void) {
    const char *path = "knight/tris.md2";
    md2_error error;
    md2_model *model = md2_load_file(path, NULL, &error);
    die_unless(model, error.message);
    sg_bindings *bind = &state.crowd.bind;
    uint32_t width, height;
    uint8_t *pixels = md2_load_skin(model, path, 0, &width, &height, NULL, &error);
    die_unless(pixels, error.message);
    bind->views[0] = make_skin(width, height, pixels);
    md2_free_image(pixels);
    state.crowd.model = model;
    for (int i = 0; i < CROWD; i++) {
        const float heading = 0.2f * (float)(i % 7 - 3);
        float *placement = state.crowd.instances[i].placement;
        placement[0] = -60.0f - 45.0f * (float)(i / COLUMNS);
        placement[1] = 45.0f * ((float)(i % COLUMNS) - 0.5f * (COLUMNS - 1));
        placement[2] = cosf(heading);
        placement[3] = sinf(heading);
        md2_play(&state.crowd.players[i], &model->anims[(uint32_t)i % model->anim_count], MD2_LOOP, 0.0f);
        md2_seek(&state.crowd.players[i], 0.37 * i);
    }

    make_frame_textures(model, bind);
    bind->samplers[0] = make_skin_sampler();
    bind->samplers[1] = sg_make_sampler(&(sg_sampler_desc){ .min_filter = SG_FILTER_NEAREST, .mag_filter = SG_FILTER_NEAREST });
    bind->vertex_buffers[0] = sg_make_buffer(&(sg_buffer_desc){
        .usage = { .vertex_buffer = true, .stream_update = true },
        .size = sizeof(state.crowd.instances),
    });
    bind->vertex_buffers[1] = sg_make_buffer(&(sg_buffer_desc){
        .data = { model->vertices, model->vertex_count * sizeof(md2_vertex) },
    });
    bind->index_buffer = sg_make_buffer(&(sg_buffer_desc){
        .usage.index_buffer = true,
        .data = { model->indices, model->index_count * sizeof(uint32_t) },
    });
    state.crowd.pip = sg_make_pipeline(&(sg_pipeline_desc){
        .shader = make_crowd_shader(),
        .layout = {
            .buffers = {
                { .stride = sizeof(instance_t), .step_func = SG_VERTEXSTEP_PER_INSTANCE },
                { .stride = sizeof(md2_vertex) },
            },
            .attrs = {
                { .format = SG_VERTEXFORMAT_FLOAT4, .offset = offsetof(instance_t, placement) },
                { .format = SG_VERTEXFORMAT_USHORT4, .offset = offsetof(instance_t, pose.frame) },
                { .format = SG_VERTEXFORMAT_FLOAT4, .offset = offsetof(instance_t, pose.weight) },
                // there is no format of a single short; the second short is padding
                { .format = SG_VERTEXFORMAT_USHORT2, .offset = offsetof(md2_vertex, point), .buffer_index = 1 },
                { .format = SG_VERTEXFORMAT_FLOAT2, .offset = offsetof(md2_vertex, u), .buffer_index = 1 },
            },
        },
        .index_type = SG_INDEXTYPE_UINT32,
        .cull_mode = SG_CULLMODE_BACK,
        .face_winding = SG_FACEWINDING_CCW,
        .depth = { .compare = SG_COMPAREFUNC_LESS_EQUAL, .write_enabled = true },
    });
}

static void draw_crowd(const float view_proj[16], float dt) {
    for (int i = 0; i < CROWD; i++) {
        md2_advance(&state.crowd.players[i], dt);
        // a crossfade shows four frames
        state.crowd.instances[i].pose = md2_pose_reduce(md2_player_pose(&state.crowd.players[i]), 4);
    }
    sg_update_buffer(state.crowd.bind.vertex_buffers[0], &SG_RANGE(state.crowd.instances));

    crowd_params_t params;
    memcpy(params.view_proj, view_proj, sizeof(params.view_proj));
    sg_apply_pipeline(state.crowd.pip);
    sg_apply_bindings(&state.crowd.bind);
    sg_apply_uniforms(0, &SG_RANGE(params));
    sg_draw(0, (int)state.crowd.model->index_count, CROWD);
}

//== the MD5 ===================================================================

static sg_shader make_runner_shader(void) {
    return sg_make_shader(&(sg_shader_desc){
        .vertex_func.source =
            "#version 410\n"
            "uniform mat4 view_proj, model;\n"
            "uniform vec4 palette[192];\n" // 3 * MAX_JOINTS
            "layout(location=0) in vec3 position;\n"
            "layout(location=1) in vec3 bind_normal;\n"
            "layout(location=2) in vec2 texcoord;\n"
            "layout(location=3) in uvec4 joint;\n"
            "layout(location=4) in vec4 weight;\n"
            "out vec2 uv; out vec3 normal;\n"
            "void main() {\n"
            "  vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);\n"
            "  for (int i = 0; i < 4; i++) {\n"
            "    int row = 3 * int(joint[i]);\n"
            "    x += weight[i] * palette[row];\n"
            "    y += weight[i] * palette[row + 1];\n"
            "    z += weight[i] * palette[row + 2];\n"
            "  }\n"
            "  vec4 p = vec4(position, 1.0), n = vec4(bind_normal, 0.0);\n"
            "  gl_Position = view_proj * model * vec4(dot(x, p), dot(y, p), dot(z, p), 1.0);\n"
            "  normal = mat3(model) * vec3(dot(x, n), dot(y, n), dot(z, n));\n"
            "  uv = texcoord;\n"
            "}\n",
        .fragment_func.source = fragment_source,
        .attrs[3].base_type = SG_SHADERATTRBASETYPE_UINT,
        .uniform_blocks[0] = {
            .stage = SG_SHADERSTAGE_VERTEX,
            .size = sizeof(runner_params_t),
            .glsl_uniforms = {
                { .type = SG_UNIFORMTYPE_MAT4, .glsl_name = "view_proj" },
                { .type = SG_UNIFORMTYPE_MAT4, .glsl_name = "model" },
                { .type = SG_UNIFORMTYPE_FLOAT4, .array_count = 3 * MAX_JOINTS, .glsl_name = "palette" },
            },
        },
        .views[0].texture.stage = SG_SHADERSTAGE_FRAGMENT,
        .samplers[0].stage = SG_SHADERSTAGE_FRAGMENT,
        .texture_sampler_pairs[0] = { .stage = SG_SHADERSTAGE_FRAGMENT, .glsl_name = "skin" },
    });
}

static void make_mesh(const md5_model *model, uint32_t index, sg_bindings *bind) {
    const md5_mesh *mesh = &model->meshes[index];
    influence_t *influences = malloc(mesh->vertex_count * sizeof(influence_t));
    die_unless(influences, "no memory");
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        uint32_t joints[4];
        md5_vertex_joints(model, index, i, 4, joints, influences[i].weight);
        for (int k = 0; k < 4; k++) {
            influences[i].joint[k] = (uint8_t)joints[k];
        }
    }
    bind->vertex_buffers[0] = sg_make_buffer(&(sg_buffer_desc){
        .data = { mesh->vertices, mesh->vertex_count * sizeof(md5_vertex) },
    });
    bind->vertex_buffers[1] = sg_make_buffer(&(sg_buffer_desc){
        .data = { influences, mesh->vertex_count * sizeof(influence_t) },
    });
    bind->index_buffer = sg_make_buffer(&(sg_buffer_desc){
        .usage.index_buffer = true,
        .data = { mesh->indices, mesh->index_count * sizeof(uint32_t) },
    });
    free(influences);
}

static void init_runner(void) {
    const char *path = "knight/knight.md5mesh";
    md5_error error;
    md5_model *model = md5_load_model_file(path, NULL, &error);
    die_unless(model, error.message);
    die_unless(model->mesh_count <= MAX_MESHES && model->joint_count <= MAX_JOINTS, "a larger model than there is room for");
    state.runner.run = md5_load_anim_file("knight/run.md5anim", NULL, &error);
    die_unless(state.runner.run, error.message);
    die_unless(MD5_OK == md5_check_anim(model, state.runner.run, &error), error.message);
    state.runner.model = model;
    md5_play(&state.runner.player, state.runner.run, MD5_LOOP, 0.0f);

    const sg_sampler sampler = make_skin_sampler();
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        sg_bindings *bind = &state.runner.binds[i];
        make_mesh(model, i, bind);
        uint32_t width, height;
        uint8_t *pixels = md5_load_texture(model, path, i, &width, &height, NULL, &error);
        die_unless(pixels, error.message);
        bind->views[0] = make_skin(width, height, pixels);
        md5_free_image(pixels);
        bind->samplers[0] = sampler;
    }
    state.runner.pip = sg_make_pipeline(&(sg_pipeline_desc){
        .shader = make_runner_shader(),
        .layout = {
            .buffers = { { .stride = sizeof(md5_vertex) }, { .stride = sizeof(influence_t) } },
            .attrs = {
                { .format = SG_VERTEXFORMAT_FLOAT3, .offset = offsetof(md5_vertex, position) },
                { .format = SG_VERTEXFORMAT_FLOAT3, .offset = offsetof(md5_vertex, normal) },
                { .format = SG_VERTEXFORMAT_FLOAT2, .offset = offsetof(md5_vertex, u) },
                { .format = SG_VERTEXFORMAT_UBYTE4, .offset = offsetof(influence_t, joint), .buffer_index = 1 },
                { .format = SG_VERTEXFORMAT_FLOAT4, .offset = offsetof(influence_t, weight), .buffer_index = 1 },
            },
        },
        .index_type = SG_INDEXTYPE_UINT32,
        .cull_mode = SG_CULLMODE_BACK,
        .face_winding = SG_FACEWINDING_CCW,
        .depth = { .compare = SG_COMPAREFUNC_LESS_EQUAL, .write_enabled = true },
    });
}

static void draw_runner(const float view_proj[16], float dt) {
    const md5_model *model = state.runner.model;
    md5_xform pose[MAX_JOINTS], scratch[MAX_JOINTS];
    md5_advance(&state.runner.player, dt);
    md5_player_pose(model, &state.runner.player, pose, scratch);
    md5_pose_to_model_space(model, pose, pose);

    static runner_params_t params;
    memcpy(params.view_proj, view_proj, sizeof(params.view_proj));
    place_at(0.0f, 0.0f, 24.0f, -0.4f, params.model);
    md5_pose_palette(model, pose, params.palette[0][0]);
    sg_apply_pipeline(state.runner.pip);
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        sg_apply_bindings(&state.runner.binds[i]);
        sg_apply_uniforms(0, &SG_RANGE(params));
        sg_draw(0, (int)model->meshes[i].index_count, 1);
    }
}

//== the program ===============================================================

static void init(void) {
    sg_setup(&(sg_desc){
        .environment = sglue_environment(),
        .logger.func = slog_func,
    });
    state.pass_action = (sg_pass_action){
        .colors[0] = { .load_action = SG_LOADACTION_CLEAR, .clear_value = { 0.6f, 0.7f, 0.8f, 1.0f } },
    };
    init_crowd();
    init_runner();
}

static void frame(void) {
    const float dt = (float)sapp_frame_duration();
    const float eye[3] = { 125.0f, 45.0f, 60.0f };
    const float target[3] = { 0.0f, 0.0f, 24.0f };
    const float up[3] = { 0.0f, 0.0f, 1.0f };
    float proj[16], view_proj[16];
    perspective(0.8f, sapp_widthf() / sapp_heightf(), 5.0f, 1000.0f, proj);
    look_at(eye, target, up, view_proj);
    multiply(proj, view_proj, view_proj);

    sg_begin_pass(&(sg_pass){ .action = state.pass_action, .swapchain = sglue_swapchain() });
    draw_crowd(view_proj, dt);
    draw_runner(view_proj, dt);
    sg_end_pass();
    sg_commit();
}

static void cleanup(void) {
    sg_shutdown(); // also frees everything created above
    md2_free_model(state.crowd.model);
    md5_free_anim(state.runner.run);
    md5_free_model(state.runner.model);
}

sapp_desc sokol_main(int argc, char* argv[]) {
    (void)argc; (void)argv;
    return (sapp_desc){
        .init_cb = init,
        .frame_cb = frame,
        .cleanup_cb = cleanup,
        .width = 800,
        .height = 600,
        .sample_count = 4,
        .window_title = "vertex-animation-sapp.c",
        .logger.func = slog_func,
    };
}
