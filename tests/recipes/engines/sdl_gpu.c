/* Both models with SDL 3's GPU interface, without OpenGL: a crowd of 100 MD2 knights in one draw call, and an MD5
   knight that runs in front of them. The frames of the MD2 are uploaded once, unchanged from the file; the vertex
   shader decodes and blends them. The MD5 is skinned in the vertex shader, with the palette of its pose. On Debian
   13, in the folder of md2.h:

       apt install libsdl3-dev libstb-dev glslang-tools
       make knight
       for shader in sdl_gpu_md2.vert sdl_gpu_md5.vert sdl_gpu.frag; do
           glslangValidator -V tests/recipes/engines/$shader -o $shader.spv
       done
       cc -O2 -I. -Itests/recipes -I/usr/include/stb tests/recipes/engines/sdl_gpu.c -lSDL3 -lm && ./a.out

   `./a.out --picture out.png` writes one picture and needs no display. Metal and Direct3D 12 need the shaders as MSL and
   DXIL: SDL_shadercross translates the .spv files (`shadercross sdl_gpu.frag.spv -o sdl_gpu.frag.msl`). Then name that
   format instead of SPIRV below. This program ran on Vulkan, never on Metal or Direct3D 12. Public domain. */
#include <SDL3/SDL.h>
#include <SDL3/SDL_main.h>
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "stb_image_write.h"
#define MD2_STB_IMAGE
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_STB_IMAGE
#define MD5_IMPLEMENTATION
#include "md5.h"
#include "matrices.h"

enum {
    WIDTH = 800, HEIGHT = 600, ROWS = 10, COLUMNS = 10, NORMALS = 162, CROWD = ROWS * COLUMNS,
    MAX_JOINTS = 128, MAX_MESHES = 16, MAX_BUFFERS = 6 + 3 * MAX_MESHES, MAX_TEXTURES = 4 + MAX_MESHES
};

static const SDL_GPUTextureFormat    color_format = SDL_GPU_TEXTUREFORMAT_R8G8B8A8_UNORM;
static const SDL_GPUTextureFormat    depth_format = SDL_GPU_TEXTUREFORMAT_D16_UNORM;
static const SDL_GPUBufferUsageFlags storage = SDL_GPU_BUFFERUSAGE_GRAPHICS_STORAGE_READ;

static SDL_GPUDevice   *device;
static SDL_GPUCopyPass *copy_pass;      /* used for all uploads: once for the models, then in each frame */
static SDL_GPUBuffer   *all_buffers[MAX_BUFFERS]; /* buffers and textures live as long as the program */
static SDL_GPUTexture  *all_textures[MAX_TEXTURES];
static SDL_GPUSampler  *sampler;
static int              buffer_count, texture_count;

static void quit(const char *what, const char *why)
{
    SDL_Log("%s: %s", what, why);
    exit(EXIT_FAILURE);
}

static void *check(void *object, const char *what)
{
    if (!object) quit(what, SDL_GetError());
    return object;
}

/* -- Shared by both models --------------------------------------------------------------------- */

static SDL_GPUTransferBuffer *create_transfer_buffer(SDL_GPUTransferBufferUsage usage, size_t size)
{
    SDL_GPUTransferBufferCreateInfo info = { .usage = usage, .size = (Uint32)size };
    return check(SDL_CreateGPUTransferBuffer(device, &info), "transfer buffer");
}

static void fill(SDL_GPUTransferBuffer *transfer, const void *data, size_t size)
{
    /* `true`: if the GPU is still reading the data of an earlier frame, SDL allocates other memory. */
    memcpy(check(SDL_MapGPUTransferBuffer(device, transfer, true), "transfer buffer"), data, size);
    SDL_UnmapGPUTransferBuffer(device, transfer);
}

static void upload(SDL_GPUTransferBuffer *transfer, SDL_GPUBuffer *buffer, const void *data, size_t size)
{
    fill(transfer, data, size);
    SDL_UploadToGPUBuffer(copy_pass, &(SDL_GPUTransferBufferLocation){ transfer, 0 },
                          &(SDL_GPUBufferRegion){ buffer, 0, (Uint32)size }, true);
}

static SDL_GPUBuffer *create_buffer(SDL_GPUBufferUsageFlags usage, size_t size)
{
    SDL_GPUBufferCreateInfo info = { .usage = usage, .size = (Uint32)size };
    return all_buffers[buffer_count++] = check(SDL_CreateGPUBuffer(device, &info), "buffer");
}

static SDL_GPUBuffer *create_static_buffer(SDL_GPUBufferUsageFlags usage, const void *data, size_t size)
{
    SDL_GPUBuffer         *buffer = create_buffer(usage, size);
    SDL_GPUTransferBuffer *transfer = create_transfer_buffer(SDL_GPU_TRANSFERBUFFERUSAGE_UPLOAD, size);
    upload(transfer, buffer, data, size);
    SDL_ReleaseGPUTransferBuffer(device, transfer);
    return buffer;
}

static SDL_GPUTexture *create_texture(SDL_GPUTextureFormat format, SDL_GPUTextureUsageFlags usage,
                                      SDL_GPUSampleCount samples, Uint32 width, Uint32 height)
{
    SDL_GPUTextureCreateInfo info = { .format = format, .usage = usage, .sample_count = samples, .width = width,
                                      .height = height, .layer_count_or_depth = 1, .num_levels = 1 };
    return all_textures[texture_count++] = check(SDL_CreateGPUTexture(device, &info), "texture");
}

static SDL_GPUTexture *create_skin(const uint8_t *rgba, Uint32 width, Uint32 height)
{
    size_t                 size = (size_t)width * height * 4;
    SDL_GPUTransferBuffer *transfer = create_transfer_buffer(SDL_GPU_TRANSFERBUFFERUSAGE_UPLOAD, size);
    SDL_GPUTexture        *skin = create_texture(color_format, SDL_GPU_TEXTUREUSAGE_SAMPLER, SDL_GPU_SAMPLECOUNT_1, width, height);
    fill(transfer, rgba, size);
    SDL_UploadToGPUTexture(copy_pass, &(SDL_GPUTextureTransferInfo){ .transfer_buffer = transfer },
                           &(SDL_GPUTextureRegion){ .texture = skin, .w = width, .h = height, .d = 1 }, false);
    SDL_ReleaseGPUTransferBuffer(device, transfer);
    return skin;
}

typedef struct mesh {
    SDL_GPUBuffer  *vertices, *influences, *indices;
    SDL_GPUTexture *skin;
    Uint32          index_count;
} mesh;

static void draw_mesh(SDL_GPURenderPass *pass, const mesh *m, Uint32 instances)
{
    const SDL_GPUBufferBinding vertices[] = { { m->vertices, 0 }, { m->influences, 0 } }; /* an MD2 has no influences */
    SDL_BindGPUVertexBuffers(pass, 0, vertices, m->influences ? 2 : 1);
    SDL_BindGPUIndexBuffer(pass, &(SDL_GPUBufferBinding){ m->indices, 0 }, SDL_GPU_INDEXELEMENTSIZE_32BIT);
    SDL_BindGPUFragmentSamplers(pass, 0, &(SDL_GPUTextureSamplerBinding){ m->skin, sampler }, 1);
    SDL_DrawGPUIndexedPrimitives(pass, m->index_count, instances, 0, 0, 0);
}

static SDL_GPUShader *load_shader(const char *path, SDL_GPUShaderStage stage, Uint32 samplers, Uint32 buffers, Uint32 uniforms)
{
    SDL_GPUShaderCreateInfo info = { .entrypoint = "main", .format = SDL_GPU_SHADERFORMAT_SPIRV, .stage = stage,
                                     .num_samplers = samplers, .num_storage_buffers = buffers, .num_uniform_buffers = uniforms };
    void *code = check(SDL_LoadFile(path, &info.code_size), path);
    info.code = code;
    SDL_GPUShader *shader = check(SDL_CreateGPUShader(device, &info), path);
    SDL_free(code);
    return shader;
}

static SDL_GPUGraphicsPipeline *create_pipeline(const char *vertex_shader, Uint32 storage_buffers, SDL_GPUVertexInputState input)
{
    SDL_GPUColorTargetDescription     color = { .format = color_format };
    SDL_GPUGraphicsPipelineCreateInfo info = {
        .vertex_shader = load_shader(vertex_shader, SDL_GPU_SHADERSTAGE_VERTEX, 0, storage_buffers, 2),
        .fragment_shader = load_shader("sdl_gpu.frag.spv", SDL_GPU_SHADERSTAGE_FRAGMENT, 1, 0, 0),
        .vertex_input_state = input,
        .rasterizer_state = { .cull_mode = SDL_GPU_CULLMODE_BACK, .front_face = SDL_GPU_FRONTFACE_COUNTER_CLOCKWISE },
        .multisample_state = { .sample_count = SDL_GPU_SAMPLECOUNT_4 },
        .depth_stencil_state = { .compare_op = SDL_GPU_COMPAREOP_LESS, .enable_depth_test = true, .enable_depth_write = true },
        .target_info = { .color_target_descriptions = &color, .num_color_targets = 1, .depth_stencil_format = depth_format,
                         .has_depth_stencil_target = true },
    };
    SDL_GPUGraphicsPipeline *pipeline = check(SDL_CreateGPUGraphicsPipeline(device, &info), vertex_shader);
    SDL_ReleaseGPUShader(device, info.vertex_shader);
    SDL_ReleaseGPUShader(device, info.fragment_shader);
    return pipeline;
}

/* -- The MD2: a crowd -------------------------------------------------------------------------- */

typedef struct instance {               /* the same as in sdl_gpu_md2.vert */
    float    placement[4];                  /* x, y, cosine and sine of the heading */
    uint32_t frame[4];
    float    weight[4];
} instance;

static struct crowd {
    md2_model               *model;
    md2_player               players[CROWD];
    instance                 instances[CROWD];
    SDL_GPUGraphicsPipeline *pipeline;
    mesh                     mesh;
    SDL_GPUBuffer           *storage[3]; /* points, table, instances: as in the shader */
    SDL_GPUTransferBuffer   *transfer;  /* uploads the instances */
} crowd;

/* Uploads the data from which the vertex shader decodes frames. Three floats become a vec4, as std430 aligns them. */
static void upload_frames(const md2_model *model)
{
    size_t point_size = (size_t)model->frame_count * model->point_count * sizeof(md2_point);
    size_t table_size = (NORMALS + 2 * (size_t)model->frame_count) * 4 * sizeof(float);
    float (*table)[4] = check(SDL_calloc(1, table_size), "memory");
    for (uint32_t i = 0; i < NORMALS; ++i) memcpy(table[i], md2_normal(i), 3 * sizeof(float));
    for (uint32_t i = 0; i < model->frame_count; ++i) {
        memcpy(table[NORMALS + 2 * i], model->frames[i].scale, 3 * sizeof(float));
        memcpy(table[NORMALS + 2 * i + 1], model->frames[i].translate, 3 * sizeof(float));
    }
    crowd.storage[0] = create_static_buffer(storage, model->frames[0].points, point_size); /* one array for all frames */
    crowd.storage[1] = create_static_buffer(storage, table, table_size);
    SDL_free(table);
}

static void create_crowd(const char *path)
{
    md2_error  error;
    md2_model *model = crowd.model = md2_load_file(path, NULL, &error);
    if (!model) quit(path, error.message);
    uint32_t width, height;
    uint8_t *rgba = md2_load_skin(model, path, 0, &width, &height, NULL, &error);
    if (!rgba) quit(path, error.message);
    crowd.mesh.skin = create_skin(rgba, width, height);
    md2_free_image(rgba);

    upload_frames(model);
    crowd.mesh.vertices = create_static_buffer(SDL_GPU_BUFFERUSAGE_VERTEX, model->vertices, model->vertex_count * sizeof(md2_vertex));
    crowd.mesh.indices = create_static_buffer(SDL_GPU_BUFFERUSAGE_INDEX, model->indices, model->index_count * sizeof(uint32_t));
    crowd.mesh.index_count = model->index_count;
    crowd.storage[2] = create_buffer(storage, sizeof crowd.instances);
    crowd.transfer = create_transfer_buffer(SDL_GPU_TRANSFERBUFFERUSAGE_UPLOAD, sizeof crowd.instances);
    for (uint32_t i = 0; i < CROWD; ++i) {
        float heading = 0.2f * ((float)(i % 7) - 3);
        float placement[4] = { -60 - 45 * (float)(i / COLUMNS), 45 * ((float)(i % COLUMNS) - 0.5f * (COLUMNS - 1)),
                           cosf(heading), sinf(heading) };
        memcpy(crowd.instances[i].placement, placement, sizeof placement);
        md2_play(&crowd.players[i], &model->anims[i % model->anim_count], MD2_LOOP, 0);
        md2_seek(&crowd.players[i], 0.37 * i);
    }

    const SDL_GPUVertexBufferDescription buffer = { .pitch = sizeof(md2_vertex) };
    const SDL_GPUVertexAttribute         attributes[] = {
        { 0, 0, SDL_GPU_VERTEXELEMENTFORMAT_USHORT2, offsetof(md2_vertex, point) }, /* point and padding: no USHORT format */
        { 1, 0, SDL_GPU_VERTEXELEMENTFORMAT_FLOAT2, offsetof(md2_vertex, u) },
    };
    crowd.pipeline = create_pipeline("sdl_gpu_md2.vert.spv", 3, (SDL_GPUVertexInputState){ &buffer, 1, attributes, 2 });
}

static void advance_crowd(float dt)
{
    for (int i = 0; i < CROWD; ++i) {
        instance *self = &crowd.instances[i];
        md2_advance(&crowd.players[i], dt);

        /* An animation shows two frames, a crossfade four. Unused ones have weight 0. */
        md2_pose pose = md2_pose_reduce(md2_player_pose(&crowd.players[i]), 4);
        for (int k = 0; k < 4; ++k) self->frame[k] = pose.frame[k];
        memcpy(self->weight, pose.weight, sizeof self->weight);
    }
    upload(crowd.transfer, crowd.storage[2], crowd.instances, sizeof crowd.instances);
}

static void draw_crowd(SDL_GPUCommandBuffer *commands, SDL_GPURenderPass *pass)
{
    SDL_BindGPUGraphicsPipeline(pass, crowd.pipeline);
    SDL_BindGPUVertexStorageBuffers(pass, 0, crowd.storage, 3);
    SDL_PushGPUVertexUniformData(commands, 1, &crowd.model->point_count, sizeof crowd.model->point_count);
    draw_mesh(pass, &crowd.mesh, CROWD);
}

/* -- The MD5: a runner ------------------------------------------------------------------------- */

typedef struct influence {              /* the joints of a vertex, in a buffer next to the md5_vertex */
    uint8_t joint[4];
    float   weight[4];
} influence;

static struct runner {
    md5_model               *model;
    md5_anim                *run;
    md5_player               player;
    SDL_GPUGraphicsPipeline *pipeline;
    mesh                     meshes[MAX_MESHES];
    SDL_GPUBuffer           *palette;
    SDL_GPUTransferBuffer   *transfer;  /* uploads the palette */
} runner;

static void create_mesh(const md5_model *model, const char *path, uint32_t index)
{
    mesh     *m = &runner.meshes[index];
    md5_error error;
    uint32_t  width, height;
    uint8_t  *rgba = md5_load_texture(model, path, index, &width, &height, NULL, &error);
    if (!rgba) quit(path, error.message);
    m->skin = create_skin(rgba, width, height);
    md5_free_image(rgba);

    const md5_mesh *source = &model->meshes[index];
    influence      *influences = check(SDL_calloc(source->vertex_count, sizeof *influences), "memory");
    for (uint32_t i = 0; i < source->vertex_count; ++i) {
        uint32_t joints[4];
        md5_vertex_joints(model, index, i, 4, joints, influences[i].weight);
        for (int k = 0; k < 4; ++k) influences[i].joint[k] = (uint8_t)joints[k];
    }
    m->vertices = create_static_buffer(SDL_GPU_BUFFERUSAGE_VERTEX, source->vertices, source->vertex_count * sizeof(md5_vertex));
    m->influences = create_static_buffer(SDL_GPU_BUFFERUSAGE_VERTEX, influences, source->vertex_count * sizeof *influences);
    m->indices = create_static_buffer(SDL_GPU_BUFFERUSAGE_INDEX, source->indices, source->index_count * sizeof(uint32_t));
    m->index_count = source->index_count;
    SDL_free(influences);
}

static void create_runner(const char *path, const char *anim_path)
{
    md5_error  error;
    md5_model *model = runner.model = md5_load_model_file(path, NULL, &error);
    if (!model) quit(path, error.message);
    if (model->mesh_count > MAX_MESHES || model->joint_count > MAX_JOINTS) quit(path, "too many meshes or joints");
    md5_anim *run = runner.run = md5_load_anim_file(anim_path, NULL, &error);
    if (!run || md5_check_anim(model, run, &error) != MD5_OK) quit(anim_path, error.message);
    md5_play(&runner.player, run, MD5_LOOP, 0);

    size_t palette_size = model->joint_count * 12 * sizeof(float);
    for (uint32_t i = 0; i < model->mesh_count; ++i) create_mesh(model, path, i);
    runner.palette = create_buffer(storage, palette_size);
    runner.transfer = create_transfer_buffer(SDL_GPU_TRANSFERBUFFERUSAGE_UPLOAD, palette_size);

    const SDL_GPUVertexBufferDescription buffers[] = { { .pitch = sizeof(md5_vertex) }, { .slot = 1, .pitch = sizeof(influence) } };
    const SDL_GPUVertexAttribute         attributes[] = {
        { 0, 0, SDL_GPU_VERTEXELEMENTFORMAT_FLOAT3, offsetof(md5_vertex, position) },
        { 1, 0, SDL_GPU_VERTEXELEMENTFORMAT_FLOAT3, offsetof(md5_vertex, normal) },
        { 2, 0, SDL_GPU_VERTEXELEMENTFORMAT_FLOAT2, offsetof(md5_vertex, u) },
        { 3, 1, SDL_GPU_VERTEXELEMENTFORMAT_UBYTE4, offsetof(influence, joint) },
        { 4, 1, SDL_GPU_VERTEXELEMENTFORMAT_FLOAT4, offsetof(influence, weight) },
    };
    runner.pipeline = create_pipeline("sdl_gpu_md5.vert.spv", 1, (SDL_GPUVertexInputState){ buffers, 2, attributes, 5 });
}

static void advance_runner(float dt)
{
    md5_xform pose[MAX_JOINTS], scratch[MAX_JOINTS];
    float     palette[12 * MAX_JOINTS];
    md5_advance(&runner.player, dt);
    md5_player_pose(runner.model, &runner.player, pose, scratch);
    md5_pose_to_model_space(runner.model, pose, pose);
    md5_pose_palette(runner.model, pose, palette);
    upload(runner.transfer, runner.palette, palette, runner.model->joint_count * 12 * sizeof(float));
}

static void draw_runner(SDL_GPUCommandBuffer *commands, SDL_GPURenderPass *pass)
{
    float placement[16];
    place_at(40, 10, 0, -0.4f, placement);
    SDL_BindGPUGraphicsPipeline(pass, runner.pipeline);
    SDL_BindGPUVertexStorageBuffers(pass, 0, &runner.palette, 1);
    SDL_PushGPUVertexUniformData(commands, 1, placement, sizeof placement);
    for (uint32_t i = 0; i < runner.model->mesh_count; ++i) draw_mesh(pass, &runner.meshes[i], 1);
}

/* -- The program ------------------------------------------------------------------------------- */

static SDL_GPUTexture *samples, *depth, *picture; /* samples: four for each pixel of the picture */

static void create_targets(void)
{
    const SDL_GPUSamplerCreateInfo linear = { .min_filter = SDL_GPU_FILTER_LINEAR, .mag_filter = SDL_GPU_FILTER_LINEAR };
    const SDL_GPUTextureUsageFlags target = SDL_GPU_TEXTUREUSAGE_COLOR_TARGET;
    sampler = check(SDL_CreateGPUSampler(device, &linear), "sampler");
    samples = create_texture(color_format, target, SDL_GPU_SAMPLECOUNT_4, WIDTH, HEIGHT);
    depth = create_texture(depth_format, SDL_GPU_TEXTUREUSAGE_DEPTH_STENCIL_TARGET, SDL_GPU_SAMPLECOUNT_4, WIDTH, HEIGHT);
    picture = create_texture(color_format, target | SDL_GPU_TEXTUREUSAGE_SAMPLER, SDL_GPU_SAMPLECOUNT_1, WIDTH, HEIGHT);
}

static void draw_picture(SDL_GPUCommandBuffer *commands, float dt)
{
    copy_pass = SDL_BeginGPUCopyPass(commands);
    advance_crowd(dt);
    advance_runner(dt);
    SDL_EndGPUCopyPass(copy_pass);

    const float eye[3] = { 160, 50, 85 }, middle[3] = { -90, 5, -5 }, up[3] = { 0, 0, 1 };
    float       look[16], lens[16], view_projection[16];
    look_at(eye, middle, up, look);
    perspective01(0.9f, (float)WIDTH / (float)HEIGHT, 5, 2000, lens);
    multiply(lens, look, view_projection);
    SDL_PushGPUVertexUniformData(commands, 0, view_projection, sizeof view_projection);

    const SDL_GPUColorTargetInfo color_target = {
        .texture = samples, .load_op = SDL_GPU_LOADOP_CLEAR, .clear_color = { 0.6f, 0.7f, 0.8f, 1 }, .cycle = true,
        .resolve_texture = picture, .store_op = SDL_GPU_STOREOP_RESOLVE, .cycle_resolve_texture = true };
    const SDL_GPUDepthStencilTargetInfo depth_target = {
        .texture = depth, .load_op = SDL_GPU_LOADOP_CLEAR, .clear_depth = 1, .store_op = SDL_GPU_STOREOP_DONT_CARE, .cycle = true };
    SDL_GPURenderPass *pass = SDL_BeginGPURenderPass(commands, &color_target, 1, &depth_target);
    draw_crowd(commands, pass);
    draw_runner(commands, pass);
    SDL_EndGPURenderPass(pass);
}

static void save_picture(const char *path)
{
    SDL_GPUCommandBuffer  *commands = check(SDL_AcquireGPUCommandBuffer(device), "commands");
    SDL_GPUTransferBuffer *transfer = create_transfer_buffer(SDL_GPU_TRANSFERBUFFERUSAGE_DOWNLOAD, 4 * WIDTH * HEIGHT);
    draw_picture(commands, 0.3f);
    copy_pass = SDL_BeginGPUCopyPass(commands);
    SDL_DownloadFromGPUTexture(copy_pass, &(SDL_GPUTextureRegion){ .texture = picture, .w = WIDTH, .h = HEIGHT, .d = 1 },
                               &(SDL_GPUTextureTransferInfo){ .transfer_buffer = transfer });
    SDL_EndGPUCopyPass(copy_pass);
    SDL_SubmitGPUCommandBuffer(commands);
    SDL_WaitForGPUIdle(device);

    void *rgba = check(SDL_MapGPUTransferBuffer(device, transfer, false), path);
    if (!stbi_write_png(path, WIDTH, HEIGHT, 4, rgba, 4 * WIDTH)) quit(path, "cannot be written");
    SDL_ReleaseGPUTransferBuffer(device, transfer);
}

static void run_in_window(void)
{
    SDL_Window *window = check(SDL_CreateWindow("md2.h and md5.h", WIDTH, HEIGHT, SDL_WINDOW_RESIZABLE), "window");
    if (!SDL_ClaimWindowForGPUDevice(device, window)) quit("window", SDL_GetError());
    Uint64 before = SDL_GetTicks();         /* milliseconds */
    for (bool closed = false; !closed;) {
        SDL_GPUCommandBuffer *commands = check(SDL_AcquireGPUCommandBuffer(device), "commands");
        SDL_GPUBlitInfo       blit = { .source = { .texture = picture, .w = WIDTH, .h = HEIGHT }, .filter = SDL_GPU_FILTER_LINEAR };
        SDL_GPUBlitRegion    *screen = &blit.destination;
        Uint64                now = SDL_GetTicks();
        draw_picture(commands, 0.001f * (float)(now - before));
        before = now;

        SDL_WaitAndAcquireGPUSwapchainTexture(commands, window, &screen->texture, &screen->w, &screen->h);
        if (screen->texture) SDL_BlitGPUTexture(commands, &blit); /* NULL while the window is minimized */
        SDL_SubmitGPUCommandBuffer(commands);
        for (SDL_Event event; SDL_PollEvent(&event);) closed |= event.type == SDL_EVENT_QUIT;
    }
    SDL_ReleaseWindowFromGPUDevice(device, window);
    SDL_DestroyWindow(window);
}

static void free_all(void)
{
    while (buffer_count > 0) SDL_ReleaseGPUBuffer(device, all_buffers[--buffer_count]);
    while (texture_count > 0) SDL_ReleaseGPUTexture(device, all_textures[--texture_count]);
    SDL_ReleaseGPUTransferBuffer(device, crowd.transfer);
    SDL_ReleaseGPUTransferBuffer(device, runner.transfer);
    SDL_ReleaseGPUGraphicsPipeline(device, crowd.pipeline);
    SDL_ReleaseGPUGraphicsPipeline(device, runner.pipeline);
    SDL_ReleaseGPUSampler(device, sampler);
    md2_free_model(crowd.model);
    md5_free_anim(runner.run);
    md5_free_model(runner.model);
}

int main(int argc, char **argv)
{
    bool has_path = argc == 3 && strcmp(argv[1], "--picture") == 0;
    if (has_path) SDL_SetHint(SDL_HINT_VIDEO_DRIVER, "offscreen");
    if (!SDL_Init(SDL_INIT_VIDEO)) quit("SDL", SDL_GetError());
    device = check(SDL_CreateGPUDevice(SDL_GPU_SHADERFORMAT_SPIRV, false, NULL), "GPU");

    SDL_GPUCommandBuffer *commands = check(SDL_AcquireGPUCommandBuffer(device), "commands");
    copy_pass = SDL_BeginGPUCopyPass(commands);
    create_targets();
    create_crowd("knight/tris.md2");
    create_runner("knight/knight.md5mesh", "knight/run.md5anim");
    SDL_EndGPUCopyPass(copy_pass);
    SDL_SubmitGPUCommandBuffer(commands);

    if (has_path) save_picture(argv[2]);
    else run_in_window();
    free_all();
    SDL_DestroyGPUDevice(device);
    SDL_Quit();
    return EXIT_SUCCESS;
}
