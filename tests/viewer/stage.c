/* stage.c - the camera, and all that is drawn around the characters: sky, floor, shadow, bones,
   boxes. A frame is drawn with four samples a pixel, resolved, then copied to the window. Public
   domain. */
#include "viewer.h"

#ifdef __EMSCRIPTEN__
  #define SHADER_HEAD "#version 300 es\nprecision highp float;\n"
#else
  #define SHADER_HEAD "#version 330 core\n"
#endif

struct camera camera = { .zoom = 1 };

static const float light[3] = { 0.42f, 0.34f, 0.84f }; /* towards it */
static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

#define TALL 0.34f                    /* half the picture's height at a distance of 1 */

enum { SHADOW, MULTISAMPLED, RESOLVED, FRAMEBUFFER_COUNT };

static struct stage {
    GLuint ground_program, shadow, query, framebuffers[FRAMEBUFFER_COUNT], renderbuffers[3];
    int    width, height, shadow_size;
} stage;

/* -- Shapes: lines and triangles with a color at each vertex ----------------------------------- */

static struct shapes {
    GLuint       program, vao, buffer;
    GLenum       kind;
    GLsizei      count;
    shape_vertex vertices[60000];     /* a whole number of lines, of triangles and of quads */
} shapes;

static const char shape_vertex_shader[] =
    "layout(location = 0) in vec3 position; layout(location = 1) in vec4 color;"
    "uniform mat4 matrix; out vec4 tint; out vec2 screen;"
    "void main() {"
    "    tint = color; screen = position.xy; gl_Position = matrix * vec4(position, 1.0);"
    "}";

static const char shape_fragment_shader[] = "in vec4 tint; out vec4 c; void main() { c = tint; }";

static GLuint create_program(const char *fragment_shader)
{
    const char *texts[2][2] = { { SHADER_HEAD, shape_vertex_shader },
                                { SHADER_HEAD, fragment_shader } };
    char        log[512] = "";
    GLuint      program = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 2, texts[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (log[0]) fprintf(stderr, "viewer: %s\n", log);
    return program;
}

static void use_program(GLuint program, const float matrix[16])
{
    glUseProgram(program);
    glUniformMatrix4fv(glGetUniformLocation(program, "matrix"), 1, GL_FALSE, matrix);
}

void begin_shapes(GLenum kind, const float matrix[16])
{
    shapes.kind = kind;
    use_program(shapes.program, matrix);
}

void end_shapes(void)
{
    glBindVertexArray(shapes.vao);
    glBindBuffer(GL_ARRAY_BUFFER, shapes.buffer);
    glBufferData(GL_ARRAY_BUFFER, shapes.count * (GLsizei)sizeof *shapes.vertices, shapes.vertices,
                 GL_STREAM_DRAW);
    glDrawArrays(shapes.kind, 0, shapes.count);
    shapes.count = 0;
}

void add_vertex(const float transform[16], const float position[3], uint32_t rgba)
{
    shape_vertex *v = &shapes.vertices[shapes.count++];
    for (int i = 0; i < 3; ++i) {
        v->position[i] = transform[i] * position[0] + transform[4 + i] * position[1] +
                         transform[8 + i] * position[2] + transform[12 + i];
    }
    for (int i = 0; i < 4; ++i) v->color[i] = (uint8_t)(rgba >> (24 - 8 * i));
    if (shapes.count == COUNT(shapes.vertices)) end_shapes();
}

/* A bone is six triangles around its line, along the axes: they look solid from every side. */
static void add_bone(const float transform[16], const float from[3], const float to[3])
{
    float size = 0.1f * hypotf(hypotf(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
    for (int i = 0; i < 6; ++i) {
        float side[3];
        for (int j = 0; j < 3; ++j) side[j] = from[j] + 0.2f * (to[j] - from[j]);
        side[i / 2] += i % 2 ? size : -size;
        add_vertex(transform, from, 0xe8972cff);
        add_vertex(transform, to, 0xffd24aff);
        add_vertex(transform, side, 0xe8972cff);
    }
}

static void add_skeleton(int character)
{
    const model *lead = &viewer.models[0];
    const float *transform = viewer.md2_instances[character].transform;
    pose_character(character);
    for (uint32_t i = 0; lead->md5 && i < lead->md5->joint_count; ++i) {
        int parent = lead->md5->joints[i].parent;
        if (parent < 0) continue;
        add_bone(transform, lead->pose[parent].position, lead->pose[i].position);
    }
}

/* For each axis the ends of four edges: bit j of i chooses the corner's coordinate. */
static void add_bounds(int character)
{
    const float *transform = viewer.md2_instances[character].transform;
    const box    b = pose_box(&viewer.players[character], false);
    float        corner[3];
    for (int i = 0; i < 24; ++i) {
        for (int j = 0; j < 3; ++j) {
            int axis = (i / 8 + j) % 3;
            corner[axis] = i >> j & 1 ? b.max[axis] : b.min[axis];
        }
        add_vertex(transform, corner, 0x2fd0a0ff);
    }
}

/* -- Floor and sky ----------------------------------------------------------------------------- */

/* A pixel's ray meets the floor at z = 0. The shadow there is the mean of 24 points on a spiral,
   which have an even density, in mipmaps that are as coarse as these points are apart. */
static const char ground_shader[] =
    "in vec2 screen; out vec4 color; uniform sampler2D shadow;"
    "uniform mat4 view;"              /* columns: right, up, forward, eye */
    "uniform vec4 place;"             /* the shadow's middle and half width; a tile's width */
    "float light_at(vec2 spot) {"
    "    float texels = 0.5 * float(textureSize(shadow, 0).x) * place.w / place.z;"
    "    float lit = 0.0, level = max(log2(0.03 * texels), 0.0);"
    "    for (int i = 0; i < 24; ++i) {"
    "        float angle = float(i) * 2.39996, radius = 0.12 * sqrt((float(i) + 0.5) / 24.0);"
    "        vec2 at = spot + radius * place.w * vec2(cos(angle), sin(angle));"
    "        lit += textureLod(shadow, 0.5 + 0.5 * (at - place.xy) / place.z, level).a;"
    "    }"
    "    return 0.4 + 0.6 * lit / 24.0;"
    "}"
    "void main() {"
    "    vec3 ray = mat3(view) * vec3(screen, 1.0), haze = vec3(0.80, 0.84, 0.88);"
    "    vec2 spot = view[3].xy - ray.xy * (view[3].z / min(ray.z, -1e-4));"
    "    vec2 tile = spot / place.w, width = max(fwidth(tile), 1e-4);"
    "    vec2 wave = clamp(sin(3.14159 * tile) / (3.14159 * width), -1.0, 1.0);"
    "    float tone = (0.6 + 0.04 * wave.x * wave.y) * light_at(spot);"
    "    float away = length(spot - place.xy) / (place.z + 18.0 * place.w);"
    "    vec3 ground = mix(haze, tone * vec3(1.02, 1.0, 0.96), exp(-away * away));"
    "    vec3 sky = mix(haze, vec3(0.36, 0.50, 0.66), smoothstep(0.0, 0.7, normalize(ray).z));"
    "    color = vec4(ray.z < 0.0 ? ground : sky, 1.0);"
    "}";

static void draw_ground(const float view[16], const float shadow_place[4])
{
    static const float corners[3][3] = { { -1, -1, 0 }, { 3, -1, 0 }, { -1, 3, 0 } };
    begin_shapes(GL_TRIANGLES, identity);
    use_program(stage.ground_program, identity);
    glUniformMatrix4fv(glGetUniformLocation(stage.ground_program, "view"), 1, GL_FALSE, view);
    glUniform4fv(glGetUniformLocation(stage.ground_program, "place"), 1, shadow_place);
    for (int i = 0; i < 3; ++i) add_vertex(identity, corners[i], 0);
    end_shapes();
}

/* The square that the shadow of all that plays, soft edges too, lies in. */
static void place_shadow(float place[4])
{
    const float *min = viewer.reach.min, *max = viewer.reach.max;
    float        height = max[2] - min[2], depth = crowd_depth(), size = 0;
    for (int axis = 0; axis < 2; ++axis) {
        float from = min[axis] - light[axis] / light[2] * height - depth * (axis ? 0.5f : 1);
        float to = max[axis] + depth * (axis ? 0.5f : 0);
        place[axis] = (from + to) / 2;
        size = fmaxf(size, (to - from) / 2);
    }
    if (has_cast()) {
        memcpy(place, camera.place, 2 * sizeof *place);
        size = camera.place[4];
    }
    place[2] = size + 0.4f * viewer.radius;
    place[3] = 0.6f * viewer.radius;
}

/* As many texels as the softness needs: large triangles take long to fill without a GPU. */
static void size_shadow(const float place[4])
{
    int size = 512;
    while (size < 2048 && (float)size * place[3] < 120 * place[2]) size *= 2;
    if (stage.shadow_size == size) return;
    stage.shadow_size = size;
    glBindTexture(GL_TEXTURE_2D, stage.shadow);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
}

/* Draws the crowd with a matrix that projects it along the light onto the floor; what sinks below
   that during a fade would lie on the wrong side, and is clipped. */
static void draw_shadow(const float place[4])
{
    float half = place[2], x = -light[0] / light[2] / half, y = -light[1] / light[2] / half;
    float depth = 1 / (8 * half);
    float matrix[16] = { 1 / half, 0, 0, 0, 0, 1 / half, 0, 0, x, y, -depth, 0,
                         -place[0] / half, -place[1] / half, 1 - 0.01f * viewer.radius * depth, 1 };
    size_shadow(place);
    glBindFramebuffer(GL_FRAMEBUFFER, stage.framebuffers[SHADOW]);
    glViewport(0, 0, stage.shadow_size, stage.shadow_size);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);               /* to 0, whatever alpha a skin has */
    glBlendFunc(GL_ZERO, GL_ZERO);
    draw_crowd(light, matrix);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDisable(GL_BLEND);
    glBindTexture(GL_TEXTURE_2D, stage.shadow);
    glGenerateMipmap(GL_TEXTURE_2D);
}

/* -- Framebuffers ------------------------------------------------------------------------------ */

void create_stage(void)
{
    shapes.program = create_program(shape_fragment_shader);
    glGenVertexArrays(1, &shapes.vao);
    glBindVertexArray(shapes.vao);
    glGenBuffers(1, &shapes.buffer);
    glBindBuffer(GL_ARRAY_BUFFER, shapes.buffer);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(shape_vertex), NULL);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(shape_vertex), (void *)12);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glClearColor(0, 0, 0, 1);
    stage.ground_program = create_program(ground_shader);
    glGenQueries(1, &stage.query);
    glGenFramebuffers(FRAMEBUFFER_COUNT, stage.framebuffers);
    glGenRenderbuffers(COUNT(stage.renderbuffers), stage.renderbuffers);
    glGenTextures(1, &stage.shadow);
    size_shadow(identity);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindFramebuffer(GL_FRAMEBUFFER, stage.framebuffers[SHADOW]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, stage.shadow, 0);
}

static void attach_renderbuffer(int framebuffer, GLenum attachment, GLuint renderbuffer,
                                int samples, GLenum format)
{
    glBindFramebuffer(GL_FRAMEBUFFER, stage.framebuffers[framebuffer]);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, stage.width, stage.height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, renderbuffer);
}

static void resize_stage(int width, int height)
{
    const GLuint *buffers = stage.renderbuffers;
    if (stage.width == width && stage.height == height) return;
    stage.width = width;
    stage.height = height;
    attach_renderbuffer(MULTISAMPLED, GL_COLOR_ATTACHMENT0, buffers[0], 4, GL_RGBA8);
    attach_renderbuffer(MULTISAMPLED, GL_DEPTH_ATTACHMENT, buffers[1], 4, GL_DEPTH_COMPONENT24);
    attach_renderbuffer(RESOLVED, GL_COLOR_ATTACHMENT0, buffers[2], 0, GL_RGBA8);
}

static void copy_framebuffer(GLuint from, GLuint to)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    glBlitFramebuffer(0, 0, stage.width, stage.height, 0, 0, stage.width, stage.height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void show_stage(void)
{
    copy_framebuffer(stage.framebuffers[MULTISAMPLED], stage.framebuffers[RESOLVED]);
    copy_framebuffer(stage.framebuffers[RESOLVED], 0);
}

uint8_t *read_stage(int *width, int *height)
{
    size_t   size = (size_t)stage.width * (size_t)stage.height * 4;
    uint8_t *pixels = allocate_again(NULL, size, 1);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, stage.framebuffers[RESOLVED]);
    glReadPixels(0, 0, stage.width, stage.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (size_t i = 3; i < size; i += 4) pixels[i] = 255;
    *width = stage.width;
    *height = stage.height;
    return pixels;
}

bool shows_character(void)
{
    GLuint seen = 0;
    glGetQueryObjectuiv(stage.query, GL_QUERY_RESULT, &seen);
    return seen != 0;
}

/* -- A frame ----------------------------------------------------------------------------------- */

/* The box of what plays, each on its floor, with the body's in it: nothing grows in a small
   animation. */
static box frame_box(void)
{
    box b = viewer.reach;
    for (int axis = 0; axis < 3; ++axis) {
        float shift = axis == 2 ? viewer.reach.min[2] - viewer.body.min[2] : 0;
        b.min[axis] = fminf(b.min[axis], viewer.body.min[axis] + shift);
        b.max[axis] = fmaxf(b.max[axis], viewer.body.max[axis] + shift);
    }
    return b;
}

/* From this distance a cylinder around the box is seen whole, from all sides. */
static float fit_distance(const box *b, float pitch)
{
    float aspect = (float)stage.width / (float)stage.height, distance = 0;
    float radius = 0.5f * hypotf(b->max[0] - b->min[0], b->max[1] - b->min[1]);
    float height = 0.5f * (b->max[2] - b->min[2]), cp = cosf(pitch), sp = sinf(pitch);
    for (int i = 0; i < 32; ++i) {
        float x = radius * cosf((float)(i / 2) * 0.3926991f), z = i % 2 ? height : -height;
        float y = radius * sinf((float)(i / 2) * 0.3926991f), nearer = cp * x + sp * z;
        distance = fmaxf(distance, nearer + fabsf(cp * z - sp * x) / TALL);
        distance = fmaxf(distance, nearer + fabsf(y) / (TALL * aspect));
    }
    return distance;
}

void reset_camera(double yaw)
{
    memset(camera.pan, 0, sizeof camera.pan);
    camera.zoom = 1;
    camera.pitch = crowd_depth() > 0 ? 0.32f : 0.14f;
    camera.yaw = (float)yaw;
    camera.settled = false;
}

/* From one animation to the next the camera glides; a new model is there at once. Few of a crowd
   jump at the same time. */
static void follow_reach(void)
{
    const box b = viewer.crowd > 1 ? viewer.body : frame_box();
    float     depth = fminf(crowd_depth(), 12 * crowd_spacing());
    float     wanted[5] = { (b.max[0] + b.min[0]) / 2 - 0.3f * depth, (b.max[1] + b.min[1]) / 2,
                            (b.max[2] - b.min[2]) / 2, viewer.reach.min[2], 0 };
    wanted[4] = depth > 0 ? 2.7f * viewer.radius + 0.65f * depth : fit_distance(&b, 0.14f) + 1e-6f;
    float step = camera.settled ? 1 - expf(-8 * (float)timing.delta) : 1;
    for (int i = 0; i < 5; ++i) camera.place[i] += step * (wanted[i] - camera.place[i]);
    camera.settled = true;
    if (has_cast()) aim_camera();
}

/* `view` receives the columns right, up, forward and eye; right and up are half as long as the
   picture is wide and high at a distance of 1. */
static void compute_camera(float view_projection[16], float view[16])
{
    float cy = cosf(camera.yaw), sy = sinf(camera.yaw);
    float cp = cosf(camera.pitch), sp = sinf(camera.pitch);
    float axes[3][3] = { { -sy, cy, 0 }, { -sp * cy, -sp * sy, cp }, { -cp * cy, -cp * sy, -sp } };
    float aspect = (float)stage.width / (float)stage.height;
    float distance = camera.zoom * camera.place[4];
    float far_plane = 60 * (distance + viewer.radius), near_plane = far_plane / 5000;
    float depth = far_plane - near_plane;
    float size[4] = { TALL * aspect, TALL, depth / (far_plane + near_plane), 1 };
    for (int i = 0; i < 3; ++i) {
        view[12 + i] = camera.place[i] + camera.pan[i] - distance * axes[2][i];
    }
    for (int i = 0; i < 4; ++i) {     /* rows: right, up, depth, and forward once more */
        const float *axis = axes[i < 3 ? i : 2];
        float        away = axis[0] * view[12] + axis[1] * view[13] + axis[2] * view[14];
        for (int j = 0; j < 3; ++j) {
            view_projection[4 * j + i] = axis[j] / size[i];
            if (i < 3) view[4 * i + j] = axis[j] * (i < 2 ? size[i] : 1);
        }
        view_projection[12 + i] = -away / size[i];
    }
    view_projection[14] -= 2 * far_plane * near_plane / depth;
}

void draw_stage(int width, int height)
{
    float shadow_place[4], view_projection[16], view[16] = { 0 };
    int   crowd = viewer.model_count ? viewer.crowd : 0;
    resize_stage(width, height);
    follow_traveller();
    follow_reach();
    place_crowd();
    place_shadow(shadow_place);
    compute_camera(view_projection, view);
    draw_shadow(shadow_place);
    glBindFramebuffer(GL_FRAMEBUFFER, stage.framebuffers[MULTISAMPLED]);
    glViewport(0, 0, stage.width, stage.height);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_ground(view, shadow_place);
    glEnable(GL_DEPTH_TEST);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, stage.query);
    draw_crowd(light, view_projection);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    begin_shapes(GL_LINES, view_projection);
    for (int i = 0; viewer.bounds && i < crowd; ++i) add_bounds(i);
    end_shapes();
    glDisable(GL_DEPTH_TEST);
    begin_shapes(GL_TRIANGLES, view_projection);
    for (int i = 0; viewer.skeleton && i < crowd; ++i) add_skeleton(i);
    end_shapes();
}
