/* stage.c - the camera, and everything drawn around the characters: sky, floor, shadow, bones,
   edges and boxes. A frame is drawn with four samples per pixel, resolved, and then copied to the
   window. Public domain. */
#include "viewer.h"

#ifdef __EMSCRIPTEN__
  #define SHADER_HEAD "#version 300 es\nprecision highp float;\n"
#else
  #define SHADER_HEAD "#version 330 core\n"
#endif

struct camera camera = { .zoom = 1, .frame = { 0, 0, 1, 1 }, .goal = { 0, 0, 1, 1 } };

static const float light[3] = { 0.42f, 0.34f, 0.84f }; /* direction toward the light */
static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

#define HALF_HEIGHT 0.34f             /* of the frame, at a distance of 1 from the eye */
#define CROWD_PITCH 0.32f             /* first pitch of the camera for a crowd, in radians */

enum { SHADOW, MULTISAMPLED, RESOLVED, FRAMEBUFFER_COUNT };

static struct stage {
    GLuint ground_program;
    GLuint shadow;                    /* a texture: alpha is 0 in the shadow, 1 elsewhere */
    GLuint query;                     /* nonzero result: a pixel of the crowd was drawn */
    GLuint framebuffers[FRAMEBUFFER_COUNT], renderbuffers[3];
    int    width, height;             /* of the picture */
    int    shadow_size;               /* width and height of the texture */
} stage;

typedef struct shadow_square {        /* the part of the floor that the shadow texture covers */
    float x, y, half;                 /* center and half width */
    float tile;                       /* width of a floor tile; the soft edges are in proportion */
} shadow_square;

/* -- Shapes: lines and triangles with a color at each vertex ----------------------------------- */

static struct shapes {
    GLuint       program, vao, buffer;
    GLenum       kind;
    GLsizei      count;               /* number of vertices that are not drawn yet */
    shape_vertex vertices[60000];     /* a multiple of 2 and 3: whole lines and triangles */
} shapes;

/* `screen` is used by draw_ground, where the matrix is the identity: it is -1 at the left and
   bottom edges of the picture, and 1 at the right and top edges. */
static const char shape_vertex_shader[] =
    "layout(location = 0) in vec3 position; layout(location = 1) in vec4 color;"
    "uniform mat4 matrix; out vec4 tint; out vec2 screen;"
    "void main() {"
    "    tint = color; screen = position.xy; gl_Position = matrix * vec4(position, 1.0);"
    "}";

static const char shape_fragment_shader[] = "in vec4 tint; out vec4 c; void main() { c = tint; }";

static void attach_shader(GLuint program, GLenum kind, const char *text)
{
    const char *texts[2] = { SHADER_HEAD, text };
    GLuint      shader = glCreateShader(kind);
    glShaderSource(shader, 2, texts, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
}

static GLuint create_program(const char *fragment_shader)
{
    GLuint program = glCreateProgram();
    attach_shader(program, GL_VERTEX_SHADER, shape_vertex_shader);
    attach_shader(program, GL_FRAGMENT_SHADER, fragment_shader);
    glLinkProgram(program);

    char log[512] = "";
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

/* Draws the added vertices. */
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
    shape_vertex *v = &shapes.vertices[shapes.count];
    for (int i = 0; i < 3; ++i) {
        v->position[i] = transform[i] * position[0] + transform[4 + i] * position[1] +
                         transform[8 + i] * position[2] + transform[12 + i];
    }
    for (int i = 0; i < 4; ++i) v->color[i] = (uint8_t)(rgba >> (24 - 8 * i));

    ++shapes.count;
    if (shapes.count == COUNT(shapes.vertices)) end_shapes();
}

/* -- Bones and boxes --------------------------------------------------------------------------- */

/* Adds one triangle of a bone. Its first edge is the line between the joints, and its third corner
   is `offset` away from the line, along an axis. */
static void add_bone_side(const float transform[16], const float from[3], const float to[3],
                          int axis, float offset)
{
    float corner[3];
    for (int i = 0; i < 3; ++i) corner[i] = from[i] + 0.2f * (to[i] - from[i]);
    corner[axis] += offset;

    add_vertex(transform, from, 0xe8972cff);
    add_vertex(transform, to, 0xffd24aff);
    add_vertex(transform, corner, 0xe8972cff);
}

/* Adds a bone as six triangles, two along each axis. From every side it looks like a thin line that
   is thicker near the parent joint. */
static void add_bone(const float transform[16], const float from[3], const float to[3])
{
    float length = hypotf(hypotf(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
    float offset = fminf(0.1f * length, 0.011f * camera.zoom * camera.distance);
    for (int axis = 0; axis < 3; ++axis) {
        add_bone_side(transform, from, to, axis, -offset);
        add_bone_side(transform, from, to, axis, offset);
    }
}

static void add_skeleton(int character)
{
    const model *m = &viewer.models[0];
    if (!m->md5) return;              /* only an MD5 has a skeleton */

    pose_character(character);        /* all characters share m->pose */
    const float *transform = viewer.md2_instances[character].transform;
    for (uint32_t i = 0; i < m->md5->joint_count; ++i) {
        int parent = m->md5->joints[i].parent;
        if (parent < 0) continue;     /* a root */
        add_bone(transform, m->pose[parent].position, m->pose[i].position);
    }
}

/* Adds the edge of a box along `axis`, at the minimum or maximum of the two other axes. */
static void add_edge(const float transform[16], const box *b, int axis, bool at_next_max,
                     bool at_last_max)
{
    int   next = (axis + 1) % 3, last = (axis + 2) % 3;
    float corner[3];
    corner[next] = at_next_max ? b->max[next] : b->min[next];
    corner[last] = at_last_max ? b->max[last] : b->min[last];

    corner[axis] = b->min[axis];
    add_vertex(transform, corner, 0x2fd0a0ff);
    corner[axis] = b->max[axis];
    add_vertex(transform, corner, 0x2fd0a0ff);
}

static void add_bounds(int character)
{
    const float *transform = viewer.md2_instances[character].transform;
    const box    b = pose_box(&viewer.players[character]);
    for (int axis = 0; axis < 3; ++axis) {
        add_edge(transform, &b, axis, false, false);
        add_edge(transform, &b, axis, true, false);
        add_edge(transform, &b, axis, false, true);
        add_edge(transform, &b, axis, true, true);
    }
}

/* -- Wireframe --------------------------------------------------------------------------------- */

/* Adds the three edges of each triangle as lines. */
static void add_wires(const float transform[16], const float *positions, const uint32_t *indices,
                      uint32_t index_count)
{
    for (uint32_t i = 0; i < index_count; ++i) {
        uint32_t next = i % 3 == 2 ? i - 2 : i + 1; /* the next corner of the triangle */
        add_vertex(transform, &positions[3 * (size_t)indices[i]], 0x101820ff);
        add_vertex(transform, &positions[3 * (size_t)indices[next]], 0x101820ff);
    }
}

static void add_md2_wires(const model *m, int character)
{
    float          *positions = allocate_again(NULL, m->md2->vertex_count, 3 * sizeof(float));
    const md2_pose *pose = &viewer.md2_instances[character].pose;
    md2_pose_vertices(m->md2, pose, positions, 0, NULL, 0);
    add_wires(viewer.md2_instances[character].transform, positions, m->md2->indices,
              m->md2->index_count);
    free(positions);
}

/* Reads the pose that pose_character stored in the model. */
static void add_md5_wires(const model *m, int character)
{
    for (uint32_t i = 0; i < m->md5->mesh_count; ++i) {
        const md5_mesh *part = &m->md5->meshes[i];
        float          *positions = allocate_again(NULL, part->vertex_count, 3 * sizeof(float));
        md5_pose_vertices(m->md5, i, m->pose, positions, 0, NULL, 0, NULL, 0);
        add_wires(viewer.md5_instances[character].transform, positions, part->indices,
                  part->index_count);
        free(positions);
    }
}

/* Draws the edges of the first 40 characters; more would be slow. */
static void draw_all_wires(const float view_projection[16])
{
    /* Edges are drawn a little nearer than the surface, which would hide them. */
    float nearer[16];
    memcpy(nearer, view_projection, sizeof nearer);
    for (int i = 0; i < 16; i += 4) nearer[i + 2] -= 0.0005f * nearer[i + 3];

    int most = count_characters() < 40 ? count_characters() : 40;
    begin_shapes(GL_LINES, nearer);
    for (int i = 0; i < most; ++i) {
        pose_character(i);
        for (int k = 0; k < viewer.model_count; ++k) {
            const model *m = &viewer.models[k];
            if (m->md2) add_md2_wires(m, i);
            else add_md5_wires(m, i);
        }
    }
    end_shapes();
}

/* -- Floor and sky ----------------------------------------------------------------------------- */

static const char ground_shader[] =
    "in vec2 screen; out vec4 color;"
    "uniform sampler2D shadow;"
    "uniform mat4 view;"              /* columns: right, up, forward, eye */
    "uniform vec4 square;"            /* a shadow_square: x, y, half, tile */
    "uniform float night;"            /* 1 at night, else 0 */

    /* Returns the amount of light at a spot of the floor, 0.4 to 1: the mean of 24 samples around
       the spot. They are on a spiral with the golden angle between neighbors, so that their density
       is even. `edge` is 0 in the middle of the shadow's square and 1 at its edge. */
    "float light_at(vec2 spot, float edge) {"
    "    float lit = 0.0;"

    /* Choose the mipmap with texels about as wide as the distance between samples, 0.03 tiles. */
    "    float texels_per_tile = 0.5 * float(textureSize(shadow, 0).x) * square.w / square.z;"
    "    float level = max(log2(0.03 * texels_per_tile), 0.0);"

    "    for (int i = 0; i < 24; ++i) {"
    "        float angle = float(i) * 2.39996;"
    "        float radius = 0.12 * sqrt((float(i) + 0.5) / 24.0);" /* in tiles */
    "        vec2 point = spot + radius * square.w * vec2(cos(angle), sin(angle));"
    "        vec2 uv = 0.5 + 0.5 * (point - square.xy) / square.z;"
    "        lit += textureLod(shadow, uv, level).a;"
    "    }"

    /* The shadow fades out near the edge of the square. */
    "    float strength = 1.0 - smoothstep(0.93, 1.0, edge);"
    "    return 1.0 - 0.6 * strength * (1.0 - lit / 24.0);"
    "}"

    "void main() {"
    "    vec3 haze = mix(vec3(0.80, 0.84, 0.88), vec3(0.05, 0.07, 0.13), night);"
    "    vec3 stone = mix(vec3(1.02, 1.0, 0.96), vec3(0.16, 0.20, 0.34), night);"
    "    vec3 zenith = mix(vec3(0.36, 0.50, 0.66), vec3(0.005, 0.01, 0.03), night);"

    /* If the ray from the eye through the pixel points down, it hits the floor (z = 0) at
       `spot`. */
    "    vec3 ray = mat3(view) * vec3(screen, 1.0);"
    "    vec2 spot = view[3].xy - ray.xy * (view[3].z / min(ray.z, -1e-4));"

    /* The sign of a product of two sine waves makes light and dark tiles. Each wave is divided by
       its slope across a pixel and clamped, so that edges are smooth and far tiles fade to their
       mean. */
    "    vec2 tile = spot / square.w;"
    "    vec2 tiles_per_pixel = max(fwidth(tile), 1e-4);"
    "    vec2 wave = clamp(sin(3.14159 * tile) / (3.14159 * tiles_per_pixel), -1.0, 1.0);"
    "    float tone = 0.6 + 0.04 * wave.x * wave.y;"

    /* Outside the square there is no shadow, so the 24 texture reads are skipped. */
    "    vec2 edge = abs(spot - square.xy) / square.z;"
    "    if (ray.z < 0.0 && max(edge.x, edge.y) < 1.0) tone *= light_at(spot, max(edge.x, edge.y));"

    "    float ratio = length(spot - square.xy) / (square.z + 18.0 * square.w);" /* of distances */
    "    vec3 ground = mix(haze, tone * stone, exp(-ratio * ratio));"
    "    vec3 sky = mix(haze, zenith, smoothstep(0.0, 0.7, normalize(ray).z));"
    "    color = vec4(ray.z < 0.0 ? ground : sky, 1.0);"
    "}";

/* Draws the floor and the sky with one triangle that covers the picture. */
static void draw_ground(const float view[16], const shadow_square *square)
{
    static const float corners[3][3] = { { -1, -1, 0 }, { 3, -1, 0 }, { -1, 3, 0 } };
    GLuint             program = stage.ground_program;

    begin_shapes(GL_TRIANGLES, identity);
    use_program(program, identity);   /* instead of shapes.program */
    glUniformMatrix4fv(glGetUniformLocation(program, "view"), 1, GL_FALSE, view);
    glUniform4f(glGetUniformLocation(program, "square"), square->x, square->y, square->half,
                square->tile);
    glUniform1f(glGetUniformLocation(program, "night"), viewer.night);
    for (int i = 0; i < 3; ++i) add_vertex(identity, corners[i], 0);
    end_shapes();
}

/* -- Shadow ------------------------------------------------------------------------------------ */

/* Returns a square on the floor that contains the shadows of all characters, and the soft edges. */
static shadow_square compute_shadow_square(void)
{
    /* The light comes from +X and +Y, so shadows reach toward -X and -Y. */
    const float *min = viewer.motion_box.min, *max = viewer.motion_box.max;
    float        height = max[2] - min[2];
    float        reach_x = light[0] / light[2] * height;
    float        reach_y = light[1] / light[2] * height;

    /* The rows of a crowd are behind each other along -X. They are as wide as the crowd is deep. */
    float depth = crowd_depth();
    float from_x = min[0] - reach_x - depth;
    float from_y = min[1] - reach_y - depth * 0.5f;
    float to_x = max[0];
    float to_y = max[1] + depth * 0.5f;

    shadow_square square;
    square.x = (from_x + to_x) / 2;
    square.y = (from_y + to_y) / 2;
    square.half = fmaxf((to_x - from_x) / 2, (to_y - from_y) / 2);

    /* The positions of a scene's characters are unknown here, so the square covers what its camera
       sees. */
    if (viewer.scene) {
        square.x = camera.target[0];
        square.y = camera.target[1];
        square.half = 1.4f * camera.distance;
    }

    square.half += 0.4f * viewer.radius;
    square.tile = 0.6f * viewer.radius;
    if (viewer.scene && viewer.scene->tile > 0) square.tile = viewer.scene->tile;
    return square;
}

/* Returns the width of the shadow texture: about 60 texels per tile, which the soft edges need, but
   at most 2048 in total, because large triangles are slow to fill without a GPU. */
static int choose_shadow_size(const shadow_square *square)
{
    int size = 512;
    while (size < 2048 && (float)size * square->tile < 120 * square->half) size *= 2;
    return size;
}

static void resize_shadow(int size)
{
    if (stage.shadow_size == size) return;
    stage.shadow_size = size;
    glBindTexture(GL_TEXTURE_2D, stage.shadow);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
}

/* Computes the matrix that projects the crowd along the light onto the floor. The shadow's square
   fills the texture. */
static void compute_shadow_matrix(const shadow_square *square, float matrix[16])
{
    /* The shadow of a point at height z is offset by z * (-light x, -light y) / light z. */
    float half = square->half;
    float x_per_z = -light[0] / light[2] / half;
    float y_per_z = -light[1] / light[2] / half;

    /* Points that sink below the floor during a fade would cast a shadow to the wrong side, so they
       are clipped: depth is 1 just below the floor. It falls to -1 at a height of 16 half widths,
       far above all characters. */
    float depth_per_z = 1 / (8 * half);
    float floor_depth = 1 - 0.01f * viewer.radius * depth_per_z;

    /* The edges of the square are at -1 and 1 in x and y. */
    const float columns[16] = { 1 / half, 0, 0, 0,
                                0, 1 / half, 0, 0,
                                x_per_z, y_per_z, -depth_per_z, 0,
                                -square->x / half, -square->y / half, floor_depth, 1 };
    memcpy(matrix, columns, sizeof columns);
}

static void draw_shadow(const shadow_square *square)
{
    float matrix[16];
    compute_shadow_matrix(square, matrix);

    resize_shadow(choose_shadow_size(square));
    glBindFramebuffer(GL_FRAMEBUFFER, stage.framebuffers[SHADOW]);
    glViewport(0, 0, stage.shadow_size, stage.shadow_size);
    glClear(GL_COLOR_BUFFER_BIT);

    /* This blending writes an alpha of 0, whatever alpha the skin has. */
    glEnable(GL_BLEND);
    glBlendFunc(GL_ZERO, GL_ZERO);
    draw_crowd(light, matrix);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDisable(GL_BLEND);

    glBindTexture(GL_TEXTURE_2D, stage.shadow);
    glGenerateMipmap(GL_TEXTURE_2D);
}

/* -- Framebuffers ------------------------------------------------------------------------------ */

static void create_shapes(void)
{
    shapes.program = create_program(shape_fragment_shader);
    glGenVertexArrays(1, &shapes.vao);
    glBindVertexArray(shapes.vao);
    glGenBuffers(1, &shapes.buffer);
    glBindBuffer(GL_ARRAY_BUFFER, shapes.buffer);

    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(shape_vertex),
                          (void *)offsetof(shape_vertex, position));
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(shape_vertex),
                          (void *)offsetof(shape_vertex, color));
}

static void create_shadow(void)
{
    glGenTextures(1, &stage.shadow);
    resize_shadow(512);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);

    glBindFramebuffer(GL_FRAMEBUFFER, stage.framebuffers[SHADOW]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, stage.shadow, 0);
}

/* Creates all objects of OpenGL. Called again if the context was lost, because its objects are lost, too. */
void create_stage(void)
{
    memset(&stage, 0, sizeof stage);
    create_shapes();
    stage.ground_program = create_program(ground_shader);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glClearColor(0, 0, 0, 1);

    glGenQueries(1, &stage.query);
    glGenFramebuffers(FRAMEBUFFER_COUNT, stage.framebuffers);
    glGenRenderbuffers(COUNT(stage.renderbuffers), stage.renderbuffers);
    create_shadow();
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
    if (stage.width == width && stage.height == height) return;
    stage.width = width;
    stage.height = height;

    const GLuint *buffers = stage.renderbuffers;
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

/* Copies the picture to the window in two steps: multisampled pixels can be resolved only to a
   framebuffer of the same format, and the window may have a different format. */
void show_stage(void)
{
    copy_framebuffer(stage.framebuffers[MULTISAMPLED], stage.framebuffers[RESOLVED]);
    if (window) copy_framebuffer(stage.framebuffers[RESOLVED], 0);
}

uint8_t *read_stage(int *width, int *height)
{
    size_t   size = (size_t)stage.width * (size_t)stage.height * 4;
    uint8_t *pixels = allocate_again(NULL, size, 1);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, stage.framebuffers[RESOLVED]);
    glReadPixels(0, 0, stage.width, stage.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);

    /* The picture is opaque; drawing may have left any alpha. */
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

/* -- Camera ------------------------------------------------------------------------------------ */

static float frame_width(void)
{
    return camera.frame[2] - camera.frame[0];
}

static float frame_height(void)
{
    return camera.frame[3] - camera.frame[1];
}

static float aspect_ratio(void)
{
    float width = frame_width() * (float)stage.width;
    float height = frame_height() * (float)stage.height;
    return width / height;
}

float view_height(void)
{
    return 2 * HALF_HEIGHT / frame_height() * camera.zoom * camera.distance;
}

/* Returns the distance between eye and target at which a point is at the edge of the frame. The
   point is relative to the target, in the axes of the camera: toward the eye, to the side and up.
   At a distance of 1 from the eye, the frame is HALF_HEIGHT high above its center and half_width
   wide to each side. */
static float point_distance(float toward, float side, float up)
{
    float half_width = HALF_HEIGHT * aspect_ratio();
    float for_height = toward + fabsf(up) / HALF_HEIGHT;
    float for_width = toward + fabsf(side) / half_width;
    return fmaxf(for_height, for_width);
}

/* Returns a box around motion_box and body_box, with their floors at the same height. Because of
   body_box, the camera does not move closer for an animation that is small, such as a crouch. */
static box frame_box(void)
{
    box   b = viewer.motion_box;
    float shift = viewer.motion_box.min[2] - viewer.body_box.min[2]; /* between their floors */
    for (int axis = 0; axis < 3; ++axis) {
        float raise = axis == 2 ? shift : 0;
        b.min[axis] = fminf(b.min[axis], viewer.body_box.min[axis] + raise);
        b.max[axis] = fmaxf(b.max[axis], viewer.body_box.max[axis] + raise);
    }
    return b;
}

/* Returns the distance from the center of a box at which a cylinder around the box fits into the
   frame, so that the model fits for every yaw. */
static float fit_distance(const box *b, float pitch)
{
    float radius = 0.5f * hypotf(b->max[0] - b->min[0], b->max[1] - b->min[1]);
    float half_height = 0.5f * (b->max[2] - b->min[2]);
    float cp = cosf(pitch), sp = sinf(pitch);

    /* Even if the model is thin, keep the top of the cylinder's axis 8 % away from the edge of the frame. */
    float distance = half_height * (sp + cp / (0.92f * HALF_HEIGHT));

    /* Check 16 points of each rim of the cylinder. The camera looks along -X, and down by the
       pitch. */
    for (int i = 0; i < 16; ++i) {
        float angle = (float)i * 0.3926991f; /* 2 pi / 16 */
        float x = radius * cosf(angle);
        float y = radius * sinf(angle);

        for (int end = -1; end <= 1; end += 2) { /* bottom and top */
            float z = (float)end * half_height;
            float toward = cp * x + sp * z;
            float up = cp * z - sp * x;
            distance = fmaxf(distance, point_distance(toward, y, up));
        }
    }
    return distance;
}

/* Returns the distance from the center of a crowd at which the crowd fits into the frame. It is
   enough to check the character in front, and the ends of the second and the last row. */
static float fit_crowd(const box *b, float depth)
{
    float half_x = (depth + b->max[0] - b->min[0]) / 2;
    float half_y = (depth + b->max[1] - b->min[1]) / 2;
    float half_z = (b->max[2] - b->min[2]) / 2;
    float second_row = half_x - crowd_spacing();
    float spots[5][2] = { { half_x, 0 }, { second_row, -half_y }, { second_row, half_y },
                          { -half_x, -half_y }, { -half_x, half_y } };

    float yaw = (float)arguments.yaw;
    float cy = cosf(yaw), sy = sinf(yaw);
    float cp = cosf(CROWD_PITCH), sp = sinf(CROWD_PITCH);

    float distance = 0;
    for (int i = 0; i < COUNT(spots); ++i) {
        float ahead = cy * spots[i][0] + sy * spots[i][1];
        float side = cy * spots[i][1] - sy * spots[i][0];

        for (int end = -1; end <= 1; end += 2) { /* feet and head */
            float z = (float)end * half_z;
            float toward = cp * ahead + sp * z;
            float up = cp * z - sp * ahead;
            distance = fmaxf(distance, point_distance(toward, side, up));
        }
    }
    return distance;
}

void reset_camera(double yaw)
{
    memset(camera.pan, 0, sizeof camera.pan);
    camera.zoom = 1;
    camera.pitch = crowd_depth() > 0 ? CROWD_PITCH : 0.14f;
    camera.yaw = (float)yaw;
    camera.settled = false;
}

/* Moves a value toward its goal by a fraction of the difference. */
static void approach(float *value, float goal, float fraction)
{
    *value += fraction * (goal - *value);
}

/* Moves the camera toward the position from which motion_box fits into the frame. */
static void update_camera(void)
{
    static const float whole[4] = { 0, 0, 1, 1 };

    /* In a crowd, few characters jump or fall at the same time, so only body_box matters. */
    const box b = viewer.crowd > 1 ? viewer.body_box : frame_box();
    float     depth = fminf(crowd_depth(), 12 * crowd_spacing()); /* rows farther back are small */
    float     middle_x = (b.max[0] + b.min[0]) / 2;
    float     middle_y = (b.max[1] + b.min[1]) / 2;
    float     half_height = (b.max[2] - b.min[2]) / 2;

    /* A single character fits into the frame for every yaw, a crowd for the yaw at the start. */
    float distance = fit_distance(&b, 0.14f) + 1e-6f; /* never 0 */
    if (depth > 0) distance = fit_crowd(&b, depth);

    /* The camera moves smoothly from one animation to the next, and jumps to a new model. */
    float fraction = camera.settled ? 1 - expf(-8 * (float)timing.delta) : 1;
    approach(&camera.target[0], middle_x - 0.5f * depth, fraction);
    approach(&camera.target[1], middle_y, fraction);
    approach(&camera.target[2], half_height, fraction); /* above the floor */
    approach(&camera.floor, viewer.motion_box.min[2], fraction);
    approach(&camera.distance, distance, fraction);
    const float *goal = viewer.scene ? whole : camera.goal;
    for (int i = 0; i < 4; ++i) approach(&camera.frame[i], goal[i], fraction);
    camera.settled = true;

    if (viewer.scene) viewer.scene->aim_camera();
}

/* Sets a row of a matrix. Multiplied by a point, the row gives the distance of the point from the
   eye along an axis, in units of `size`. */
static void set_row(float matrix[16], int row, const float axis[3], const float eye[3], float size)
{
    float eye_along_axis = axis[0] * eye[0] + axis[1] * eye[1] + axis[2] * eye[2];
    for (int column = 0; column < 3; ++column) matrix[4 * column + row] = axis[column] / size;
    matrix[12 + row] = -eye_along_axis / size;
}

static void set_column(float matrix[16], int column, const float axis[3], float length)
{
    for (int row = 0; row < 3; ++row) matrix[4 * column + row] = axis[row] * length;
}

/* Changes both matrices of compute_camera, so that the view fills camera.frame instead of the whole
   picture. */
static void fit_into_frame(float view_projection[16], float view[16])
{
    const float *frame = camera.frame;
    const float  size[2] = { frame_width(), frame_height() };
    const float  center[2] = { frame[0] + frame[2] - 1, 1 - frame[1] - frame[3] }; /* -1 to 1 */
    for (int axis = 0; axis < 2; ++axis) {
        for (int column = 0; column < 4; ++column) {
            float *cells = &view_projection[4 * column];
            cells[axis] = size[axis] * cells[axis] + center[axis] * cells[3];
        }
        for (int row = 0; row < 3; ++row) {
            view[4 * axis + row] /= size[axis];
            view[8 + row] -= center[axis] * view[4 * axis + row];
        }
    }
}

/* Computes the matrix for drawing, and in `view` the columns right, up, forward and eye. The
   lengths of right and up are half the width and half the height of the picture at a distance of 1.
   Forward points to the center of the picture. */
static void compute_camera(float view_projection[16], float view[16])
{
    float cy = cosf(camera.yaw), sy = sinf(camera.yaw);
    float cp = cosf(camera.pitch), sp = sinf(camera.pitch);
    float right[3] = { -sy, cy, 0 };
    float up[3] = { -sp * cy, -sp * sy, cp };
    float forward[3] = { -cp * cy, -cp * sy, -sp };

    float distance = camera.zoom * camera.distance;
    float eye[3];
    for (int i = 0; i < 3; ++i) {
        eye[i] = camera.target[i] + camera.pan[i] - distance * forward[i];
    }

    float half_width = HALF_HEIGHT * aspect_ratio();
    set_column(view, 0, right, half_width);
    set_column(view, 1, up, HALF_HEIGHT);
    set_column(view, 2, forward, 1);
    set_column(view, 3, eye, 1);

    /* OpenGL's perspective: w is the distance along `forward`. After the division by w, depth is -1
       at the near plane and 1 at the far plane. */
    float far_plane = 60 * (distance + viewer.radius);
    float near_plane = far_plane / 5000;
    float depth = far_plane - near_plane;
    set_row(view_projection, 0, right, eye, half_width);
    set_row(view_projection, 1, up, eye, HALF_HEIGHT);
    set_row(view_projection, 2, forward, eye, depth / (far_plane + near_plane));
    set_row(view_projection, 3, forward, eye, 1);
    view_projection[14] -= 2 * far_plane * near_plane / depth;
    fit_into_frame(view_projection, view);
}

/* -- Drawing a frame --------------------------------------------------------------------------- */

static void draw_all_bounds(const float view_projection[16])
{
    begin_shapes(GL_LINES, view_projection);
    for (int i = 0; i < count_characters(); ++i) add_bounds(i);
    end_shapes();
}

static void draw_all_skeletons(const float view_projection[16])
{
    begin_shapes(GL_TRIANGLES, view_projection);
    for (int i = 0; i < count_characters(); ++i) add_skeleton(i);
    end_shapes();
}

/* Draws the crowd to the depth buffer only. After that, only its front surfaces are drawn, and they
   are blended with the floor behind them. */
static void begin_transparency(const float view_projection[16])
{
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    draw_crowd(light, view_projection);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_BLEND);
}

static void end_transparency(void)
{
    glDisable(GL_BLEND);
    glDepthFunc(GL_LESS);
}

void draw_stage(int width, int height)
{
    resize_stage(width, height);
    follow_root();
    update_camera();
    place_crowd();

    shadow_square square = compute_shadow_square();
    draw_shadow(&square);

    float view_projection[16], view[16] = { 0 };
    compute_camera(view_projection, view);
    glBindFramebuffer(GL_FRAMEBUFFER, stage.framebuffers[MULTISAMPLED]);
    glViewport(0, 0, stage.width, stage.height);
    glClearColor(0.45f, 0.45f, 0.45f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glClearColor(0, 0, 0, 1);
    if (!viewer.plain) draw_ground(view, &square);

    glEnable(GL_DEPTH_TEST);
    if (viewer.skeleton) begin_transparency(view_projection);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, stage.query);
    draw_crowd(light, view_projection);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    if (viewer.skeleton) end_transparency();
    if (viewer.wireframe) draw_all_wires(view_projection);
    if (viewer.bounds) draw_all_bounds(view_projection);
    glDisable(GL_DEPTH_TEST);

    /* Bones are visible through the skin. */
    if (viewer.skeleton) draw_all_skeletons(view_projection);
}
