/* stage.c - the camera, and all that is drawn around the characters: sky, floor, shadow, bones,
   boxes. A frame is drawn with four samples a pixel, resolved, then copied to the window. Public
   domain. */
#include "viewer.h"

#ifdef __EMSCRIPTEN__
  #define SHADER_HEAD "#version 300 es\nprecision highp float;\n"
#else
  #define SHADER_HEAD "#version 330 core\n"
#endif

struct camera camera = { .zoom = 1, .frame = { 0, 0, 1, 1 }, .goal = { 0, 0, 1, 1 } };

static const float light[3] = { 0.42f, 0.34f, 0.84f }; /* towards it */
static const float identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

#define TALL        0.34f             /* half the frame's height at a distance of 1 */
#define CROWD_PITCH 0.32f             /* radians from which a crowd is seen at first */

enum { SHADOW, MULTISAMPLED, RESOLVED, FRAMEBUFFER_COUNT };

static struct stage {
    GLuint ground_program;
    GLuint shadow;                    /* a texture: alpha is 0 in the shadow, 1 elsewhere */
    GLuint query;                     /* whether a pixel of the crowd was drawn */
    GLuint framebuffers[FRAMEBUFFER_COUNT], renderbuffers[3];
    int    width, height;             /* of the picture */
    int    shadow_size;               /* of the texture, each way */
} stage;

typedef struct shadow_place {         /* on the floor */
    float x, y, half;                 /* middle and half width of what the texture covers */
    float tile;                       /* the width of a tile, to which the softness is fit */
} shadow_place;

/* -- Shapes: lines and triangles with a color at each vertex ----------------------------------- */

static struct shapes {
    GLuint       program, vao, buffer;
    GLenum       kind;
    GLsizei      count;               /* of vertices that wait to be drawn */
    shape_vertex vertices[60000];     /* a whole number of lines, and of triangles */
} shapes;

/* `screen` is for draw_ground, whose matrix is the identity: -1 to 1 from edge to edge. */
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

/* Draws all that was added. */
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

/* One of the triangles of a bone: it has the bone's line as an edge, and its third corner beside it
   by `aside` along an axis. */
static void add_bone_side(const float transform[16], const float from[3], const float to[3],
                          int axis, float aside)
{
    float corner[3];
    for (int i = 0; i < 3; ++i) corner[i] = from[i] + 0.2f * (to[i] - from[i]);
    corner[axis] += aside;

    add_vertex(transform, from, 0xe8972cff);
    add_vertex(transform, to, 0xffd24aff);
    add_vertex(transform, corner, 0xe8972cff);
}

/* A bone is six triangles around its line, along the axes: a thin line from every side, thicker
   where the bone begins. */
static void add_bone(const float transform[16], const float from[3], const float to[3])
{
    float length = hypotf(hypotf(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
    float aside = fminf(0.1f * length, 0.011f * camera.zoom * camera.distance);
    for (int axis = 0; axis < 3; ++axis) {
        add_bone_side(transform, from, to, axis, -aside);
        add_bone_side(transform, from, to, axis, aside);
    }
}

/* Only an MD5 has a skeleton. */
static void add_skeleton(int character)
{
    const model *lead = &viewer.models[0];
    if (!lead->md5) return;

    pose_character(character);        /* all characters share lead->pose */
    const float *transform = viewer.md2_instances[character].transform;
    for (uint32_t i = 0; i < lead->md5->joint_count; ++i) {
        int parent = lead->md5->joints[i].parent;
        if (parent < 0) continue;     /* a root */
        add_bone(transform, lead->pose[parent].position, lead->pose[i].position);
    }
}

/* The edge of a box along `axis`, at one end of each other axis. */
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

/* -- Wires ------------------------------------------------------------------------------------- */

static void add_wires(const float transform[16], const float *positions, const uint32_t *indices,
                      uint32_t index_count)
{
    for (uint32_t i = 0; i < index_count; ++i) {
        uint32_t next = i % 3 == 2 ? i - 2 : i + 1; /* in the triangle */
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

/* pose_character has left the pose in the model. */
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

/* On the surface, so a little nearer than it. The first of a crowd stand for all. */
static void draw_all_wires(const float view_projection[16])
{
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
    "uniform vec4 place;"             /* a shadow_place: x, y, half, tile */
    "uniform float night;"            /* 1 at night, else 0 */

    /* How much light falls on a spot of the floor: the mean of 24 points around it. They lie on a
       spiral, each turned from the one before by the golden angle, which gives an even density. At
       an `edge` of 1 the square of the shadow ends. */
    "float light_at(vec2 spot, float edge) {"
    "    float lit = 0.0;"

    /* The mipmap whose texels are about as large as the points are apart, 0.03 tiles. */
    "    float texels_per_tile = 0.5 * float(textureSize(shadow, 0).x) * place.w / place.z;"
    "    float level = max(log2(0.03 * texels_per_tile), 0.0);"

    "    for (int i = 0; i < 24; ++i) {"
    "        float angle = float(i) * 2.39996;"
    "        float radius = 0.12 * sqrt((float(i) + 0.5) / 24.0);" /* in tiles */
    "        vec2 point = spot + radius * place.w * vec2(cos(angle), sin(angle));"
    "        vec2 uv = 0.5 + 0.5 * (point - place.xy) / place.z;"
    "        lit += textureLod(shadow, uv, level).a;"
    "    }"

    /* Towards the square's edge the shadow ends. */
    "    float known = 1.0 - smoothstep(0.93, 1.0, edge);"
    "    return 1.0 - 0.6 * known * (1.0 - lit / 24.0);"
    "}"

    "void main() {"
    "    vec3 haze = mix(vec3(0.80, 0.84, 0.88), vec3(0.05, 0.07, 0.13), night);"
    "    vec3 stone = mix(vec3(1.02, 1.0, 0.96), vec3(0.16, 0.20, 0.34), night);"
    "    vec3 zenith = mix(vec3(0.36, 0.50, 0.66), vec3(0.005, 0.01, 0.03), night);"

    /* The pixel's ray from the eye meets the floor at z = 0, if it goes down. */
    "    vec3 ray = mat3(view) * vec3(screen, 1.0);"
    "    vec2 spot = view[3].xy - ray.xy * (view[3].z / min(ray.z, -1e-4));"

    /* Light and dark tiles are the sign of a product of sine waves. Each wave is divided by its
       slope across a pixel and clamped: so edges are smooth, and far tiles fade to their mean. */
    "    vec2 tile = spot / place.w;"
    "    vec2 tiles_per_pixel = max(fwidth(tile), 1e-4);"
    "    vec2 wave = clamp(sin(3.14159 * tile) / (3.14159 * tiles_per_pixel), -1.0, 1.0);"
    "    float tone = 0.6 + 0.04 * wave.x * wave.y;"

    /* Beyond the square nothing is known: the many texels are read within it alone. */
    "    vec2 edge = abs(spot - place.xy) / place.z;"
    "    if (ray.z < 0.0 && max(edge.x, edge.y) < 1.0) tone *= light_at(spot, max(edge.x, edge.y));"

    "    float away = length(spot - place.xy) / (place.z + 18.0 * place.w);"
    "    vec3 ground = mix(haze, tone * stone, exp(-away * away));"
    "    vec3 sky = mix(haze, zenith, smoothstep(0.0, 0.7, normalize(ray).z));"
    "    color = vec4(ray.z < 0.0 ? ground : sky, 1.0);"
    "}";

/* Draws floor and sky as one triangle that covers the picture. */
static void draw_ground(const float view[16], const shadow_place *place)
{
    static const float corners[3][3] = { { -1, -1, 0 }, { 3, -1, 0 }, { -1, 3, 0 } };
    GLuint             program = stage.ground_program;

    begin_shapes(GL_TRIANGLES, identity);
    use_program(program, identity);   /* instead of the shapes' own */
    glUniformMatrix4fv(glGetUniformLocation(program, "view"), 1, GL_FALSE, view);
    glUniform4f(glGetUniformLocation(program, "place"), place->x, place->y, place->half,
                place->tile);
    glUniform1f(glGetUniformLocation(program, "night"), viewer.night);
    for (int i = 0; i < 3; ++i) add_vertex(identity, corners[i], 0);
    end_shapes();
}

/* -- Shadow ------------------------------------------------------------------------------------ */

/* The square that the shadow of all that plays, soft edges too, lies in. */
static shadow_place place_shadow(void)
{
    /* Light comes from +X and +Y, so that a shadow reaches towards -X and -Y. */
    const float *min = viewer.reach.min, *max = viewer.reach.max;
    float        height = max[2] - min[2];
    float        reach_x = light[0] / light[2] * height;
    float        reach_y = light[1] / light[2] * height;

    /* The rows of a crowd follow along -X, and are as wide as the crowd is deep. */
    float depth = crowd_depth();
    float from_x = min[0] - reach_x - depth;
    float from_y = min[1] - reach_y - depth * 0.5f;
    float to_x = max[0];
    float to_y = max[1] + depth * 0.5f;

    shadow_place place;
    place.x = (from_x + to_x) / 2;
    place.y = (from_y + to_y) / 2;
    place.half = fmaxf((to_x - from_x) / 2, (to_y - from_y) / 2);

    /* Where the characters of a scene are is not known here. All that its camera sees gets a shadow. */
    if (viewer.scene) {
        place.x = camera.target[0];
        place.y = camera.target[1];
        place.half = 1.4f * camera.distance;
    }

    place.half += 0.4f * viewer.radius;
    place.tile = 0.6f * viewer.radius;
    if (viewer.scene && viewer.scene->tile > 0) place.tile = viewer.scene->tile;
    return place;
}

/* As many texels as the softness needs, about 60 a tile, but at most 2048: large triangles take
   long to fill without a GPU. */
static int choose_shadow_size(const shadow_place *place)
{
    int size = 512;
    while (size < 2048 && (float)size * place->tile < 120 * place->half) size *= 2;
    return size;
}

static void resize_shadow(int size)
{
    if (stage.shadow_size == size) return;
    stage.shadow_size = size;
    glBindTexture(GL_TEXTURE_2D, stage.shadow);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
}

/* The matrix that projects the crowd along the light onto the floor, and the square of the shadow
   onto the whole texture. */
static void compute_shadow_matrix(const shadow_place *place, float matrix[16])
{
    /* A point at height z casts its shadow z * (-light x, -light y) / light z away. */
    float half = place->half;
    float along_x = -light[0] / light[2] / half;
    float along_y = -light[1] / light[2] / half;

    /* What sinks below the floor during a fade would cast its shadow to the wrong side, and is
       clipped: depth is 1 just below the floor, and falls to -1 at a height of 16 halves, far above
       all heads. */
    float depth = 1 / (8 * half);     /* in a unit of height */
    float floor_depth = 1 - 0.01f * viewer.radius * depth;

    /* x and y of the square's edges become -1 and 1. */
    const float columns[16] = { 1 / half, 0, 0, 0,
                                0, 1 / half, 0, 0,
                                along_x, along_y, -depth, 0,
                                -place->x / half, -place->y / half, floor_depth, 1 };
    memcpy(matrix, columns, sizeof columns);
}

static void draw_shadow(const shadow_place *place)
{
    float matrix[16];
    compute_shadow_matrix(place, matrix);

    resize_shadow(choose_shadow_size(place));
    glBindFramebuffer(GL_FRAMEBUFFER, stage.framebuffers[SHADOW]);
    glViewport(0, 0, stage.shadow_size, stage.shadow_size);
    glClear(GL_COLOR_BUFFER_BIT);

    /* Blending makes it 0, whatever alpha a skin has. */
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

/* Once more after the context was lost, which took all objects with it. */
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

/* Samples can be resolved only into a framebuffer of the same format, which the window's need not
   have: hence two steps. */
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

    /* Whatever drawing has left there, the picture is opaque. */
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
    return 2 * TALL / frame_height() * camera.zoom * camera.distance;
}

/* The box of what plays and of the body, each standing on its own floor: so nothing grows in a
   small animation. */
static box frame_box(void)
{
    box   b = viewer.reach;
    float shift = viewer.reach.min[2] - viewer.body.min[2]; /* from the body's floor */
    for (int axis = 0; axis < 3; ++axis) {
        float raise = axis == 2 ? shift : 0;
        b.min[axis] = fminf(b.min[axis], viewer.body.min[axis] + raise);
        b.max[axis] = fmaxf(b.max[axis], viewer.body.max[axis] + raise);
    }
    return b;
}

/* The distance from its middle at which a cylinder around the box is seen whole, from all sides. */
static float fit_distance(const box *b, float pitch)
{
    float radius = 0.5f * hypotf(b->max[0] - b->min[0], b->max[1] - b->min[1]);
    float height = 0.5f * (b->max[2] - b->min[2]);
    float wide = TALL * aspect_ratio();
    float cp = cosf(pitch), sp = sinf(pitch);

    /* The camera looks along -X, and down by the pitch. What is thin would reach to the edge of the
       picture: the top of its axis keeps away from that. */
    float distance = height * (sp + cp / (0.92f * TALL));
    for (int i = 0; i < 16; ++i) {    /* points around the rims, a sixteenth of a turn apart */
        float angle = (float)i * 0.3926991f;
        float x = radius * cosf(angle);
        float y = radius * sinf(angle);

        for (int end = -1; end <= 1; end += 2) { /* bottom and top */
            float z = (float)end * height;
            float nearer = cp * x + sp * z; /* than the middle */
            float above = fabsf(cp * z - sp * x);
            float aside = fabsf(y);

            /* At a distance of 1 the picture reaches as far as TALL above the middle, and wide
               aside. */
            distance = fmaxf(distance, nearer + above / TALL);
            distance = fmaxf(distance, nearer + aside / wide);
        }
    }
    return distance;
}

/* The distance from its middle at which a crowd of that depth is seen whole: the one in front of it,
   and those at the ends of the first row and the last. */
static float fit_crowd(const box *b, float depth)
{
    float half_x = (depth + b->max[0] - b->min[0]) / 2;
    float half_y = (depth + b->max[1] - b->min[1]) / 2;
    float half_z = (b->max[2] - b->min[2]) / 2;
    float first_row = half_x - crowd_spacing();
    float spots[5][2] = { { half_x, 0 }, { first_row, -half_y }, { first_row, half_y },
                          { -half_x, -half_y }, { -half_x, half_y } };

    float yaw = (float)arguments.yaw;
    float cy = cosf(yaw), sy = sinf(yaw);
    float cp = cosf(CROWD_PITCH), sp = sinf(CROWD_PITCH);
    float wide = TALL * aspect_ratio();

    float distance = 0;
    for (int i = 0; i < COUNT(spots); ++i) {
        float ahead = cy * spots[i][0] + sy * spots[i][1];
        float aside = fabsf(cy * spots[i][1] - sy * spots[i][0]);

        for (int end = -1; end <= 1; end += 2) { /* feet and head */
            float z = (float)end * half_z;
            float nearer = cp * ahead + sp * z;
            float above = fabsf(cp * z - sp * ahead);
            distance = fmaxf(distance, nearer + above / TALL);
            distance = fmaxf(distance, nearer + aside / wide);
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

static void glide(float *value, float goal, float share)
{
    *value += share * (goal - *value);
}

static void follow_reach(void)
{
    static const float whole[4] = { 0, 0, 1, 1 };

    /* Few of a crowd jump at the same time: the camera keeps to the body. */
    const box b = viewer.crowd > 1 ? viewer.body : frame_box();
    float     depth = fminf(crowd_depth(), 12 * crowd_spacing()); /* of the rows that matter */
    float     middle_x = (b.max[0] + b.min[0]) / 2;
    float     middle_y = (b.max[1] + b.min[1]) / 2;
    float     half_height = (b.max[2] - b.min[2]) / 2;

    /* One character is seen whole from all sides, a crowd from where the camera is at first. */
    float distance = fit_distance(&b, 0.14f) + 1e-6f; /* never 0 */
    if (depth > 0) distance = fit_crowd(&b, depth);

    /* From one animation to the next the camera glides; a new model is there at once. */
    float share = camera.settled ? 1 - expf(-8 * (float)timing.delta) : 1;
    glide(&camera.target[0], middle_x - 0.5f * depth, share);
    glide(&camera.target[1], middle_y, share);
    glide(&camera.target[2], half_height, share); /* above the floor */
    glide(&camera.floor, viewer.reach.min[2], share);
    glide(&camera.distance, distance, share);
    const float *goal = viewer.scene ? whole : camera.goal;
    for (int i = 0; i < 4; ++i) glide(&camera.frame[i], goal[i], share);
    camera.settled = true;

    if (viewer.scene) viewer.scene->aim_camera();
}

/* Makes a row of a matrix measure points from the eye, along an axis, in units of `size`. */
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

/* What fills the picture from edge to edge, fills the frame instead. */
static void fit_into_frame(float view_projection[16], float view[16])
{
    const float *frame = camera.frame;
    const float  size[2] = { frame_width(), frame_height() };
    const float  middle[2] = { frame[0] + frame[2] - 1, 1 - frame[1] - frame[3] }; /* -1 to 1 */
    for (int axis = 0; axis < 2; ++axis) {
        for (int column = 0; column < 4; ++column) {
            float *cells = &view_projection[4 * column];
            cells[axis] = size[axis] * cells[axis] + middle[axis] * cells[3];
        }
        for (int row = 0; row < 3; ++row) {
            view[4 * axis + row] /= size[axis];
            view[8 + row] -= middle[axis] * view[4 * axis + row];
        }
    }
}

/* `view` receives the columns right, up, forward and eye; right and up are half as long as the
   picture is wide and high at a distance of 1, and forward leads to its middle. */
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

    float wide = TALL * aspect_ratio();
    set_column(view, 0, right, wide);
    set_column(view, 1, up, TALL);
    set_column(view, 2, forward, 1);
    set_column(view, 3, eye, 1);

    /* The usual perspective: after the division by w, the distance along `forward`, depth is -1 in
       the near plane and 1 in the far plane. */
    float far_plane = 60 * (distance + viewer.radius);
    float near_plane = far_plane / 5000;
    float depth = far_plane - near_plane;
    set_row(view_projection, 0, right, eye, wide);
    set_row(view_projection, 1, up, eye, TALL);
    set_row(view_projection, 2, forward, eye, depth / (far_plane + near_plane));
    set_row(view_projection, 3, forward, eye, 1);
    view_projection[14] -= 2 * far_plane * near_plane / depth;
    fit_into_frame(view_projection, view);
}

/* -- A frame ----------------------------------------------------------------------------------- */

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

/* What is transparent first fills the depth buffer, so that only its front is seen, through which
   the floor shows. */
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
    follow_reach();
    place_crowd();

    shadow_place place = place_shadow();
    draw_shadow(&place);

    float view_projection[16], view[16] = { 0 };
    compute_camera(view_projection, view);
    glBindFramebuffer(GL_FRAMEBUFFER, stage.framebuffers[MULTISAMPLED]);
    glViewport(0, 0, stage.width, stage.height);
    glClearColor(0.45f, 0.45f, 0.45f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glClearColor(0, 0, 0, 1);
    if (!viewer.plain) draw_ground(view, &place);

    glEnable(GL_DEPTH_TEST);
    if (viewer.skeleton) begin_transparency(view_projection);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, stage.query);
    draw_crowd(light, view_projection);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    if (viewer.skeleton) end_transparency();
    if (viewer.wires) draw_all_wires(view_projection);
    if (viewer.bounds) draw_all_bounds(view_projection);
    glDisable(GL_DEPTH_TEST);

    /* Bones show through the skin. */
    if (viewer.skeleton) draw_all_skeletons(view_projection);
}
