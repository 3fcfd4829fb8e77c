/* example_legacy.c - a character runs over a tiled floor: md2.h and md5.h with OpenGL 1.1 alone.
   Public domain. No extension, no shader, no buffer object: what a driver of 1997 can do.

   cc -O2 example_legacy.c -o legacy -lglfw -lGL -lm

   ./legacy knight/tris.md2 knight/weapon.md2       models of one format are drawn together
   ./legacy imp/imp.md5mesh imp/walk.md5anim        animations follow their model
   ./legacy --shot run.png --size 800x600 --time 2  one picture, no window; --frames N for more

   D strips and fans, or arrays   Tab MD2 or MD5   Left Right animation   Up Down speed
   Space pause   P screenshot   H help   Escape quit */

#define _CRT_SECURE_NO_WARNINGS
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GLFW/glfw3.h> /* brings GL/gl.h */

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_easy_font.h>
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_IMPLEMENTATION
#include "md5.h"

#define HOME         "build/character/"
#define MAX_PARTS    64
#define MAX_CLIPS    256
#define MAX_STEPS    8
#define MAX_PRINTS   32
#define FADE_SECONDS 0.25f
#define DEGREES      57.29578f
#define LAMPS        20 /* points of the lamp that casts the shadow */
#define TILES_AROUND 24 /* pairs of tiles from the middle of the floor to its end in the fog */
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

typedef struct part {                 /* what one skin covers: an MD2, or one mesh of an MD5 */
    const md2_model *md2;
    const md5_model *md5;
    uint32_t         mesh, joint;     /* joint: of the first MD5, on which this one hangs */
    const float     *texcoords;       /* of its first vertex; the next is `stride` bytes on */
    const uint32_t  *indices;
    GLsizei          stride, index_count;
    int              first;           /* of the actor's vertices */
    GLuint           skin;
} part;

typedef struct footprint {
    float x, y, heading, age;
    int   frame;                      /* of the clip, in which the foot lands */
} footprint;

typedef struct clip {                 /* an animation, and what its feet tell */
    const char     *name;
    const md2_anim *md2;
    const md5_anim *md5;
    float           fps, speed;       /* speed over the floor, in the model's units */
    int             frame_count, step_count;
    footprint       steps[MAX_STEPS];
} clip;

typedef struct actor {                /* all models of one format, on one clock */
    const char *name;                 /* of the first one's file */
    part        parts[MAX_PARTS];
    clip        clips[MAX_CLIPS], *now, *home;
    int         part_count, clip_count, vertex_count, body_count; /* body: the first model */
    md2_player  md2;
    md5_player  md5;
    md5_xform  *pose, *scratch;
    float     (*positions)[3], (*before)[3], (*normals)[3]; /* [vertex_count] */
    float       x, y, floor, size;    /* its middle, its soles and its height */
} actor;

static struct scene {                 /* one unit of it is the actor's height */
    GLFWwindow *window;
    actor       actors[2], *lead;     /* MD2 and MD5, and the one on stage */
    GLuint      tiles, plain;
    float       x, y, heading, way, eye_x, eye_y, eye_heading;
    float       rate, old_speed, clock; /* clock: since this clip began */
    footprint   prints[MAX_PRINTS];
    int         print_count, screenshots;
    bool        arrays, paused, help, screenshot;
} scene;

static struct options {
    const char *shot, *keys;
    int         size[2];
    float       time, fps, frames;    /* frames: after so many it ends; 0 = never */
} options = { NULL, "", { 1280, 800 }, 0, 60, 0 };

static const float fog[4] = { 0.93f, 0.87f, 0.80f, 1 }, light[4] = { 0.50f, 0.30f, 0.85f, 0 };

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "example_legacy: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void *allocate(int count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (!memory) fail("memory", "there is no more");
    return memory;
}

static float mix(float a, float b, float t) { return a + (b - a) * t; }

/* -- Textures: sides of a power of two, mipmaps by hand ---------------------------------------- */

/* Each from the four nearest; at half the size, that is the mean of every two by two. */
static uint8_t *resized(const uint8_t *rgba, int w, int h, int new_w, int new_h)
{
    uint8_t *out = (uint8_t *)allocate(new_w * new_h, 4);
    for (int i = 0; i < new_w * new_h * 4; ++i) {
        float x = fmaxf(((float)(i / 4 % new_w) + 0.5f) * (float)w / (float)new_w - 0.5f, 0);
        float y = fmaxf(((float)(i / 4 / new_w) + 0.5f) * (float)h / (float)new_h - 0.5f, 0);
        int   right = (int)x + 1 < w ? 4 : 0, below = (int)y + 1 < h ? 4 * w : 0;
        const uint8_t *at = &rgba[4 * ((int)y * w + (int)x) + i % 4];
        float a = mix(at[0], at[right], x - floorf(x));
        float b = mix(at[below], at[below + right], x - floorf(x));
        out[i] = (uint8_t)(mix(a, b, y - floorf(y)) + 0.5f);
    }
    return out;
}

static GLuint create_texture(const uint8_t *rgba, int width, int height)
{
    int    w = 1, h = 1, level = 0, limit;
    GLuint texture;
    while (w < width) w *= 2;
    while (h < height) h *= 2;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    uint8_t *pixels = resized(rgba, width, height, w, h);
    for (int size = w > h ? w : h; size > 0; size /= 2) {
        int      half_w = (w + 1) / 2, half_h = (h + 1) / 2;
        uint8_t *smaller = resized(pixels, w, h, half_w, half_h);
        if (size <= limit) {
            glTexImage2D(GL_TEXTURE_2D, level++, GL_RGB, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         pixels);
        }
        free(pixels);
        pixels = smaller;
        w = half_w;
        h = half_h;
    }
    free(pixels);
    return texture;
}

static uint8_t *load_pcx(const char *path, uint32_t *width, uint32_t *height)
{
    static uint8_t bytes[4 << 20];
    FILE          *file = fopen(path, "rb");
    if (!file) return NULL;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return md2_load_pcx_memory(bytes, size, width, height, NULL, NULL);
}

/* 0 where there is no such picture. */
static GLuint load_texture(const char *path)
{
    uint32_t w, h;
    uint8_t *rgba = stbi_load(path, (int *)&w, (int *)&h, NULL, 4);
    if (!rgba) rgba = load_pcx(path, &w, &h);
    GLuint texture = rgba && w <= 8192 && h <= 8192 ? create_texture(rgba, (int)w, (int)h) : 0;
    free(rgba);
    return texture;
}

/* Two by two tiles with a bevel, a joint and a grain. */
static GLuint create_tiles(void)
{
    static uint8_t rgba[256 * 256][4];
    uint32_t       noise = 1;
    for (int i = 0; i < 256 * 256; ++i) {
        int   x = i % 128, y = i / 256 % 128, lit = x < y ? x : y, dim = 127 - (x > y ? x : y);
        float tone = (i / 128 + i / (128 * 256)) % 2 ? 0.66f : 0.44f;
        noise = noise * 1664525 + 1013904223;
        tone += 0.03f * (float)(noise >> 24) / 255;
        tone += lit < dim ? lit < 5 ? 0.08f : 0 : dim < 5 ? -0.08f : 0;
        tone *= lit < 2 || dim < 2 ? 0.55f : 1;
        for (int c = 0; c < 3; ++c) rgba[i][c] = (uint8_t)(tone * (218 + 8 * (float)c));
    }
    return create_texture(rgba[0], 256, 256);
}

/* -- Models: open, pose, draw ------------------------------------------------------------------ */

static bool has_extension(const char *path, const char *extension)
{
    const char *dot = strrchr(path, '.');
    for (; dot && *dot && tolower((unsigned char)*dot) == *extension; ++dot) ++extension;
    return dot && *dot == *extension;
}

/* Its skin is the first of the guesses that is there. */
static void add_part(actor *a, part p, uint32_t vertex_count, const char *path)
{
    char skin[4096];
    if (a->part_count == MAX_PARTS) fail(path, "too many meshes");
    for (uint32_t i = 0; !p.skin; ++i) {
        if (p.md2 && !md2_skin_path(p.md2, path, 0, i, skin, sizeof skin)) break;
        if (p.md5 && !md5_texture_path(p.md5, path, p.mesh, i, skin, sizeof skin)) break;
        p.skin = load_texture(skin);
    }
    a->parts[a->part_count++] = p;
    a->vertex_count += (int)vertex_count;
}

static void add_clip(actor *a, const char *name, const md2_anim *md2, const md5_anim *md5)
{
    double length = md2_anim_length(md2, MD2_LOOP) + md5_anim_length(md5, MD5_LOOP);
    float  fps = md2 ? md2->fps : md5 ? md5->fps : 1;
    int    frames = length > 0 ? (int)(length * (double)fps + 0.5) : 1;
    clip   c = { name, md2, md5, fps, 0, frames, 0, { { 0, 0, 0, 0, 0 } } };
    if (a->clip_count < MAX_CLIPS) a->clips[a->clip_count++] = c;
}

static void open_md2(actor *a, const char *path)
{
    md2_error        error;
    const md2_model *m = md2_load_file(path, NULL, &error);
    if (!m) fail(path, error.message);
    part p = { m, NULL, 0, 0, &m->vertices[0].u, m->indices, sizeof m->vertices[0],
               (GLsizei)m->index_count, a->vertex_count, 0 };
    for (uint32_t i = 0; !a->part_count && i < m->anim_count; ++i) {
        add_clip(a, m->anims[i].name, &m->anims[i], NULL);
    }
    add_part(a, p, m->vertex_count, path);
}

/* A model of the first one's skeleton moves with it; a sword hangs on the joint that has the name
   of the sword's root. */
static void open_md5mesh(actor *a, const char *path)
{
    md5_error        error;
    const md5_model *model = md5_load_model_file(path, NULL, &error);
    if (!model) fail(path, error.message);
    const md5_model *first = a->part_count ? a->parts[0].md5 : model;
    int              joint = md5_find_joint(first, model->joints[0].name);
    if (joint < 0 || model->joint_count > first->joint_count - (uint32_t)joint) {
        fail(path, "its joints are none of the first model's");
    }
    for (uint32_t i = 0; i < model->mesh_count; ++i) {
        const md5_mesh *m = &model->meshes[i];
        part p = { NULL, model, i, (uint32_t)joint, &m->vertices[0].u, m->indices,
                   sizeof m->vertices[0], (GLsizei)m->index_count, a->vertex_count, 0 };
        add_part(a, p, m->vertex_count, path);
    }
    if (model == first) {
        add_clip(a, "bind pose", NULL, NULL);
        a->clip_count = 0;            /* until there is an animation */
        a->pose = (md5_xform *)allocate(2 * (int)model->joint_count, sizeof *a->pose);
        a->scratch = a->pose + model->joint_count;
    }
}

static void open_md5anim(actor *a, const char *path)
{
    md5_error error;
    md5_anim *anim = md5_load_anim_file(path, NULL, &error), *other = anim;
    if (anim && !a->part_count) fail(path, "an animation follows its .md5mesh");
    if (anim && md5_check_anim(a->parts[0].md5, anim, &error) != MD5_OK) {
        anim = md5_retarget_anim(a->parts[0].md5, other, NULL, NULL, &error);
        md5_free_anim(other);
    }
    if (!anim) fail(path, error.message);
    add_clip(a, anim->name, NULL, anim);
}

static void open_file(const char *path)
{
    const char *name = path + strlen(path);
    bool        md2 = has_extension(path, ".md2");
    actor      *a = &scene.actors[md2 ? 0 : 1];
    if (md2) open_md2(a, path);
    else if (has_extension(path, ".md5mesh")) open_md5mesh(a, path);
    else if (has_extension(path, ".md5anim")) open_md5anim(a, path);
    else fail(path, "this is no .md2, .md5mesh or .md5anim");
    if (a->name) return;
    while (name > path && name[-1] != '/' && name[-1] != '\\') --name;
    a->name = name;
    a->body_count = a->vertex_count;
}

/* As md5_player_pose does it, but each animation stays in its place: the scene moves the actor. */
static void pose_joints(actor *a)
{
    const md5_model *model = a->parts[0].md5;
    md5_pose_bind(model, a->pose);
    for (uint32_t i = 0; i < a->md5.track_count; ++i) {
        const md5_track *track = &a->md5.track[i];
        float            t = i ? fminf(track->fade / track->fade_length, 1) : 1;
        md5_pose_in_place(track->anim, track->mode, track->time, a->scratch);
        md5_pose_mix(a->pose, a->scratch, t, NULL, model->joint_count, a->pose);
    }
    md5_pose_to_model_space(model, a->pose, a->pose);
}

static void pose_actor(actor *a)
{
    md2_pose pose = md2_player_pose(&a->md2);
    float  (*spare)[3] = a->before;
    a->before = a->positions;
    a->positions = spare;
    if (a->pose) pose_joints(a);
    for (const part *p = a->parts; p < a->parts + a->part_count; ++p) {
        float *at = a->positions[p->first], *up = a->normals[p->first];
        if (p->md2) md2_pose_vertices(p->md2, &pose, at, 0, up, 0);
        else md5_pose_vertices(p->md5, p->mesh, a->pose + p->joint, at, 0, up, 0, NULL, 0);
    }
}

static void draw_strips(const actor *a, const part *p)
{
    for (uint32_t i = 0; i < p->md2->strip_count; ++i) {
        const md2_strip        *strip = &p->md2->strips[i];
        const md2_strip_vertex *v = &p->md2->strip_vertices[strip->first];
        glBegin(strip->fan ? GL_TRIANGLE_FAN : GL_TRIANGLE_STRIP);
        for (uint32_t j = 0; j < strip->count; ++j, ++v) {
            glTexCoord2f(v->u, v->v);
            glNormal3fv(a->normals[(uint32_t)p->first + v->vertex]);
            glVertex3fv(a->positions[(uint32_t)p->first + v->vertex]);
        }
        glEnd();
    }
}

static void draw_arrays(const actor *a, const part *p)
{
    glTexCoordPointer(2, GL_FLOAT, p->stride, p->texcoords);
    glNormalPointer(GL_FLOAT, 0, a->normals[p->first]);
    glVertexPointer(3, GL_FLOAT, 0, a->positions[p->first]);
    glDrawElements(GL_TRIANGLES, p->index_count, GL_UNSIGNED_INT, p->indices);
}

static bool by_strips(const part *p) { return !scene.arrays && p->md2 && p->md2->strip_count; }

static void draw_actor(const actor *a)
{
    glPushMatrix();
    glTranslatef(scene.x, scene.y, 0);
    glRotatef(scene.heading * DEGREES, 0, 0, 1);
    glScalef(1 / a->size, 1 / a->size, 1 / a->size);
    glTranslatef(-a->x, -a->y, -a->floor);
    for (const part *p = a->parts; p < a->parts + a->part_count; ++p) {
        glBindTexture(GL_TEXTURE_2D, p->skin ? p->skin : scene.plain);
        (by_strips(p) ? draw_strips : draw_arrays)(a, p);
    }
    glPopMatrix();
}

/* -- Gait: the feet tell where the floor is, how fast they go, and when they land -------------- */

static void play(actor *a, clip *c, float fade_seconds)
{
    a->now = c;
    if (c->md2) md2_play(&a->md2, c->md2, MD2_LOOP, fade_seconds);
    if (c->md5) md5_play(&a->md5, c->md5, MD5_LOOP, fade_seconds);
}

static void seek(actor *a, double seconds)
{
    md2_seek(&a->md2, seconds);
    md5_seek(&a->md5, seconds);
}

static void pose_frame(actor *a, clip *c, int frame)
{
    play(a, c, 0);
    seek(a, frame / (double)c->fps);
    pose_actor(a);
}

static void measure_size(actor *a)
{
    float min[3] = { 1e30f, 1e30f, 1e30f }, max[3] = { -1e30f, -1e30f, -1e30f };
    for (int frame = 0; frame < a->home->frame_count; ++frame) {
        pose_frame(a, a->home, frame);
        for (int i = 0; i < 3 * a->body_count; ++i) {
            float at = a->positions[i / 3][i % 3];
            min[i % 3] = fminf(min[i % 3], at);
            max[i % 3] = fmaxf(max[i % 3], at);
        }
    }
    a->x = (min[0] + max[0]) / 2;
    a->y = (min[1] + max[1]) / 2;
    a->floor = min[2];
    a->size = fmaxf(max[2] - min[2], 0.6f * fmaxf(max[0] - min[0], max[1] - min[1])) + 1e-6f;
}

/* What stays on the floor from one frame to the next goes back as fast as the body goes on. A foot
   lands in the frame in which the lowest point of its side is on the floor again. */
static void measure_gait(actor *a, clip *c)
{
    float touch = 0.02f * a->size, low = 0, slide = 0, points = 0;
    bool  down[2] = { true, true };
    for (int frame = -1; frame < c->frame_count; ++frame) {
        const float *feet[2];
        float        low_before = low;
        pose_frame(a, c, frame < 0 ? c->frame_count - 1 : frame);
        feet[0] = feet[1] = a->positions[0];
        for (int i = 0; i < a->body_count; ++i) {
            int side = a->positions[i][1] > a->y;
            feet[side] = a->positions[i][2] < feet[side][2] ? a->positions[i] : feet[side];
        }
        low = fminf(fminf(feet[0][2], feet[1][2]), a->floor + touch) + touch;
        for (int i = 0; i < a->body_count && frame > 0; ++i) {
            bool stays = a->before[i][2] < low_before && a->positions[i][2] < low;
            slide += stays ? a->before[i][0] - a->positions[i][0] : 0;
            points += stays;
        }
        for (int i = 0; i < 2; ++i) {
            footprint step = { feet[i][0], feet[i][1], 0, 0, frame };
            bool      landed = feet[i][2] < a->floor + 2 * touch;
            if (landed && !down[i] && c->step_count < MAX_STEPS) c->steps[c->step_count++] = step;
            down[i] = landed;
        }
    }
    c->speed = points > 0 ? slide / points * c->fps : 0;
}

/* The first clip with this in its name, or NULL. */
static clip *find_clip(actor *a, const char *name)
{
    for (int i = 0; i < a->clip_count; ++i) {
        if (strstr(a->clips[i].name, name)) return &a->clips[i];
    }
    return NULL;
}

/* A run whose feet say nothing, as a bird's, goes at one height a second. */
static void prepare(actor *a)
{
    clip *run = find_clip(a, "run"), *home = run ? run : find_clip(a, "walk");
    a->home = home ? home : a->clips;
    a->positions = (float (*)[3])allocate(3 * a->vertex_count, sizeof *a->positions);
    a->before = a->positions + a->vertex_count;
    a->normals = a->before + a->vertex_count;
    measure_size(a);
    for (int i = 0; i < a->clip_count; ++i) measure_gait(a, &a->clips[i]);
    if (home && home->speed < 0.1f * a->size) home->speed = a->size;
    play(a, a->home, 0);
}

/* -- The walk: a figure of eight --------------------------------------------------------------- */

static float current_speed(void)
{
    const actor *a = scene.lead;
    float        now = a->now->speed / a->size;
    return mix(scene.old_speed, now, fminf(scene.clock / FADE_SECONDS, 1));
}

static void change(clip *c)
{
    scene.old_speed = current_speed();
    scene.clock = 0;
    play(scene.lead, c, scene.paused ? 0 : FADE_SECONDS);
}

/* Where a foot lands: from the model's units to the floor's. */
static void leave_prints(void)
{
    const actor *a = scene.lead;
    const clip  *c = a->now;
    for (const footprint *step = c->steps; step < c->steps + c->step_count; ++step) {
        uint32_t frame = (uint32_t)step->frame;
        float    x = (step->x - a->x) / a->size, y = (step->y - a->y) / a->size;
        float    ch = cosf(scene.heading), sh = sinf(scene.heading);
        footprint print = { scene.x + (x * ch - y * sh), scene.y + (x * sh + y * ch),
                            scene.heading, 0, 0 };
        if (c->md2 ? md2_crossed(&a->md2, c->md2->first + frame) : md5_crossed(&a->md5, frame)) {
            scene.prints[scene.print_count++ % MAX_PRINTS] = print;
        }
    }
}

/* A heading that swings by 2.405 to either side, the first zero of Bessel's J0, walks a figure of
   eight that closes. The camera stays ahead, but takes its time. */
static void advance(float seconds)
{
    actor *a = scene.lead;
    float  step = scene.paused ? 0 : seconds * scene.rate, way = current_speed() * step;
    md2_advance(&a->md2, step);
    md5_advance(&a->md5, step);
    scene.way += way;
    scene.heading = 2.4048f * sinf(scene.way / 2.5f);
    scene.x += way * cosf(scene.heading);
    scene.y += way * sinf(scene.heading);
    scene.eye_x = mix(scene.x, scene.eye_x, expf(-3 * seconds));
    scene.eye_y = mix(scene.y, scene.eye_y, expf(-3 * seconds));
    scene.eye_heading = mix(scene.heading, scene.eye_heading, expf(-0.7f * seconds));
    scene.clock += step;
    for (int i = 0; i < MAX_PRINTS; ++i) scene.prints[i].age += step;
    leave_prints();
}

/* -- Drawing ----------------------------------------------------------------------------------- */

static void look(float aspect)
{
    float h = 0.036f / fminf(aspect, 1), w = h * aspect;
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glFrustum(-(double)w, (double)w, -(double)h, (double)h, 0.1, 60);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glTranslatef(0, 0, -2.5f);
    glRotatef(12 - 90, 1, 0, 0);
    glRotatef(-130 - scene.eye_heading * DEGREES, 0, 0, 1);
    glTranslatef(-scene.eye_x, -scene.eye_y, -0.45f);
}

/* A cone around the camera. */
static void draw_sky(void)
{
    glBegin(GL_TRIANGLE_FAN);
    glColor3f(0.36f, 0.53f, 0.72f);
    glVertex3f(scene.eye_x, scene.eye_y, 5);
    glColor3fv(fog);
    for (int i = 0; i <= 24; ++i) {
        float angle = (float)i * 15 / DEGREES;
        glVertex3f(scene.eye_x + 40 * cosf(angle), scene.eye_y + 40 * sinf(angle), 0);
    }
    glEnd();
}

/* One square of it is a texture of two by two tiles. What is under it shines through a little. */
static void draw_floor(void)
{
    int x0 = (int)floorf(scene.eye_x), y0 = (int)floorf(scene.eye_y);
    glColor4f(1, 1, 1, 0.80f);
    glBindTexture(GL_TEXTURE_2D, scene.tiles);
    for (int x = x0 - TILES_AROUND; x < x0 + TILES_AROUND; ++x) {
        glBegin(GL_TRIANGLE_STRIP);
        for (int i = 0; i <= 4 * TILES_AROUND + 1; ++i) {
            float u = (float)(x + i % 2), v = (float)(y0 - TILES_AROUND + i / 2);
            glTexCoord2f(u, v);
            glVertex2f(u, v);
        }
        glEnd();
    }
}

/* The actor pressed flat along the light, once for each of many points of a round lamp. The stencil
   lets each of them darken a pixel once only. */
static void draw_shadow(void)
{
    glColor4f(0.10f, 0.10f, 0.16f, 0.04f);
    glEnable(GL_STENCIL_TEST);
    for (int i = 0; i < LAMPS; ++i) {
        float r = 0.09f * sqrtf((float)i / LAMPS), angle = 2.4f * (float)i;
        float x = (light[0] + r * cosf(angle)) / light[2];
        float y = (light[1] + r * sinf(angle)) / light[2];
        float flat[16] = { 1, 0, 0, 0, 0, 1, 0, 0, -x, -y, 0, 0, 0, 0, 0, 1 };
        glStencilFunc(GL_NOTEQUAL, i + 1, 255);
        glPushMatrix();
        glMultMatrixf(flat);
        draw_actor(scene.lead);
        glPopMatrix();
    }
    glDisable(GL_STENCIL_TEST);
}

/* A warm sun, and the sky from the other side; with an `up` of -1, the same in the mirror. */
static void draw_lit(float up)
{
    static const float sun[4] = { 0.85f, 0.78f, 0.68f, 1 }, sky[4] = { 0.25f, 0.30f, 0.40f, 1 };
    static const float white[4] = { 1, 1, 1, 1 }, ambient[4] = { 0.38f, 0.38f, 0.42f, 1 };
    static const float behind[4] = { -0.8f, -0.4f, 0.3f, 0 };
    glPushAttrib(GL_ENABLE_BIT | GL_POLYGON_BIT);
    glPushMatrix();
    glScalef(1, 1, up);
    glFrontFace(up > 0 ? GL_CCW : GL_CW);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, ambient);
    glMaterialfv(GL_FRONT, GL_AMBIENT_AND_DIFFUSE, white);
    glLightfv(GL_LIGHT0, GL_POSITION, light);
    glLightfv(GL_LIGHT0, GL_DIFFUSE, sun);
    glLightfv(GL_LIGHT1, GL_POSITION, behind);
    glLightfv(GL_LIGHT1, GL_DIFFUSE, sky);
    glEnable(GL_LIGHTING);
    glEnable(GL_DEPTH_TEST);
    draw_actor(scene.lead);
    glPopMatrix();
    glPopAttrib();
}

static void draw_prints(void)
{
    for (int i = 0; i < MAX_PRINTS && i < scene.print_count; ++i) {
        const footprint *p = &scene.prints[i];
        glPushMatrix();
        glTranslatef(p->x, p->y, 0);
        glRotatef(p->heading * DEGREES, 0, 0, 1);
        glBegin(GL_TRIANGLE_FAN);
        glColor4f(0.1f, 0.1f, 0.2f, fmaxf(0.6f - p->age / 10, 0));
        glVertex2f(0, 0);
        glColor4f(0.1f, 0.1f, 0.2f, 0);
        for (int k = 0; k <= 360; k += 30) {
            glVertex2f(0.10f * cosf((float)k / DEGREES), 0.05f * sinf((float)k / DEGREES));
        }
        glEnd();
        glPopMatrix();
    }
}

static void draw_scene(int width, int height)
{
    pose_actor(scene.lead);
    glViewport(0, 0, width, height);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    look((float)width / (float)height);
    glPushAttrib(GL_ENABLE_BIT);
    draw_sky();
    glEnable(GL_TEXTURE_2D);
    glEnable(GL_CULL_FACE);
    glEnable(GL_FOG);
    draw_lit(-1);
    glEnable(GL_BLEND);
    draw_floor();
    glDisable(GL_TEXTURE_2D);
    draw_prints();
    draw_shadow();
    glEnable(GL_TEXTURE_2D);
    draw_lit(1);
    glPopAttrib();
}

/* -- The window -------------------------------------------------------------------------------- */

static char help[] =
    "D: strips and fans, or arrays\nTab: MD2 or MD5\nLeft, Right: animation\nUp, Down: speed\n"
    "Space: pause\nP: screenshot\nH: this help\nEscape: quit";

static void draw_help(int width, int height)
{
    static float quads[16000];
    int          count = stb_easy_font_print(14, 12, help, NULL, quads, sizeof quads);
    float        scale;
    glfwGetWindowContentScale(scene.window, &scale, NULL);
    if (options.shot) scale = 2;
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0, (double)width, (double)height, 0, -1, 1);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glScalef(2 * scale, 2 * scale, 1);
    glColor3f(0.20f, 0.23f, 0.30f);
    glRectf(6, 6, (float)stb_easy_font_width(help) + 20, (float)stb_easy_font_height(help) + 16);
    glColor3f(1, 1, 1);
    glVertexPointer(2, GL_FLOAT, 16, quads);
    glDrawArrays(GL_QUADS, 0, 4 * count);
}

/* With --shot the window is twice as large: the mean of four pixels makes edges smooth, whether or
   not the driver keeps samples for what is read back. */
static void save_picture(const char *path, int width, int height)
{
    int      scale = options.shot ? 2 : 1, w = width / scale, h = height / scale;
    uint8_t *pixels = (uint8_t *)allocate(width * height, 4), *picture;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (int i = 0; i < width * height; ++i) pixels[4 * i + 3] = 255;
    picture = resized(pixels, width, height, w, h);
    stbi_flip_vertically_on_write(1);
    if (!stbi_write_png(path, w, h, 4, picture, 4 * w)) fail(path, "cannot be written");
    free(pixels);
    free(picture);
}

/* A # in the name stands for the number of the frame; without one, only the last is saved. */
static void save_shot(int width, int height, int frame)
{
    char        path[4096];
    const char *shot = options.shot, *mark = strchr(shot, '#');
    if (!mark && frame < (int)options.frames) return;
    if (mark) {
        snprintf(path, sizeof path, "%.*s%04d%s", (int)(mark - shot), shot, frame, mark + 1);
    }
    save_picture(mark ? path : shot, width, height);
}

static void save_screenshot(int width, int height)
{
    char path[64];
    snprintf(path, sizeof path, "screenshot-%d.png", ++scene.screenshots);
    save_picture(path, width, height);
    printf("%s\n", path);
    scene.screenshot = false;
}

/* "tris.md2 - run - 1x - strips" */
static void tell_title(void)
{
    static char  title[512];
    const actor *a = scene.lead;
    char         now[512];
    snprintf(now, sizeof now, "%s - %s - %gx - %s%s", a->name, a->now->name, (double)scene.rate,
             by_strips(&a->parts[0]) ? "strips" : "arrays", scene.paused ? " - paused" : "");
    if (strcmp(title, now) != 0) glfwSetWindowTitle(scene.window, strcpy(title, now));
}

static void swap_actors(void)
{
    actor *next = &scene.actors[scene.lead == scene.actors];
    clip  *c = find_clip(next, scene.lead->now->name);
    if (!next->part_count) return;
    play(next, c ? c : next->home, 0);
    seek(next, (double)scene.clock);
    scene.lead = next;
}

static void next_clip(int step)
{
    actor *a = scene.lead;
    int    index = (int)(a->now - a->clips) + step;
    if (a->clip_count) change(&a->clips[(index + a->clip_count) % a->clip_count]);
}

static void on_key(GLFWwindow *window, int key, int scancode, int action, int mods)
{
    (void)scancode, (void)mods;
    if (action != GLFW_PRESS) return;
    switch (key) {
        case GLFW_KEY_ESCAPE: glfwSetWindowShouldClose(window, 1); break;
        case GLFW_KEY_D: scene.arrays = !scene.arrays; break;
        case GLFW_KEY_H: scene.help = !scene.help; break;
        case GLFW_KEY_P: scene.screenshot = true; break;
        case GLFW_KEY_SPACE: scene.paused = !scene.paused; break;
        case GLFW_KEY_TAB: swap_actors(); break;
        case GLFW_KEY_UP: scene.rate = fminf(scene.rate * 2, 8); break;
        case GLFW_KEY_DOWN: scene.rate = fmaxf(scene.rate / 2, 0.125f); break;
        case GLFW_KEY_LEFT: next_clip(-1); break;
        case GLFW_KEY_RIGHT: next_clip(1); break;
    }
}

static bool read_number(const char *text, float least, float most, float *out)
{
    char excess;
    return sscanf(text, "%f%c", out, &excess) == 1 && *out >= least && *out <= most;
}

static bool read_option(const char *option, const char *value)
{
    int *size = options.size;
    char excess;
    if (strcmp(option, "--shot") == 0) return *(options.shot = value);
    if (strcmp(option, "--keys") == 0) return *(options.keys = value);
    if (strcmp(option, "--time") == 0) return read_number(value, 0, 3600, &options.time);
    if (strcmp(option, "--frames") == 0) return read_number(value, 1, 1e6f, &options.frames);
    if (strcmp(option, "--fps") == 0) return read_number(value, 1, 1000, &options.fps);
    if (strcmp(option, "--size") != 0) fail(option, "there is no such option");
    return sscanf(value, "%4dx%4d%c", &size[0], &size[1], &excess) == 2 && size[0] > 0 &&
           size[1] > 0;
}

/* Leaves the files at the front of `arguments` and returns their number. */
static int read_arguments(int count, char **arguments)
{
    int files = 0;
    for (int i = 1; i < count; ++i) {
        const char *option = arguments[i], *value = i + 1 < count ? arguments[i + 1] : "";
        if (option[0] != '-') arguments[files++] = arguments[i];
        else if (read_option(option, value)) ++i;
        else fail(option, "its value is missing or makes no sense");
    }
    if (options.shot && options.frames < 1) options.frames = 1;
    return files;
}

static void open_window(void)
{
    const char *why = NULL;
    int         scale = options.shot ? 2 : 1;
    if (glfwInit()) {
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 1);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 1);
        glfwWindowHint(GLFW_SAMPLES, 4);
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        glfwWindowHint(GLFW_COCOA_RETINA_FRAMEBUFFER, options.shot ? GLFW_FALSE : GLFW_TRUE);
        scene.window = glfwCreateWindow(options.size[0] * scale, options.size[1] * scale, "legacy",
                                        NULL, NULL);
    }
    if (!scene.window) {
        glfwGetError(&why);
        fail("no window", why ? why : "GLFW does not say why");
    }
    glfwMakeContextCurrent(scene.window);
    glfwSetKeyCallback(scene.window, on_key);
    glfwSwapInterval(options.frames > 0 ? 0 : 1);
}

static void set_up_drawing(void)
{
    static const uint8_t plain[4] = { 226, 218, 206, 255 };
    scene.plain = create_texture(plain, 1, 1);
    scene.tiles = create_tiles();
    glClearColor(fog[0], fog[1], fog[2], 1);
    glFogfv(GL_FOG_COLOR, fog);
    glFogi(GL_FOG_MODE, GL_LINEAR);
    glFogf(GL_FOG_START, 3.5f);
    glFogf(GL_FOG_END, 20);
    glHint(GL_FOG_HINT, GL_NICEST);
    glEnable(GL_LIGHT0);
    glEnable(GL_LIGHT1);
    glEnable(GL_NORMALIZE);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_NORMAL_ARRAY);
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
}

static void open_files(int count, char **paths)
{
    for (int i = 0; i < count; ++i) open_file(paths[i]);
    for (int i = 1; i >= 0; --i) {
        if (!scene.actors[i].part_count) continue;
        scene.lead = &scene.actors[i];
        prepare(scene.lead);
    }
    scene.old_speed = scene.lead->home->speed / scene.lead->size;
}

/* The clock's step, or a fixed one where pictures must be the same each time. */
static float frame_seconds(void)
{
    static double before;
    double        now = glfwGetTime(), seconds = now - before;
    before = now;
    return options.frames > 0 ? 1 / options.fps : fminf((float)seconds, 0.1f);
}

int main(int argc, char **argv)
{
    static char *own[] = { HOME "tris.md2", HOME "weapon.md2", HOME "robot.md5mesh",
                           HOME "weapon.md5mesh", HOME "run.md5anim", HOME "wave.md5anim",
                           HOME "jump.md5anim", HOME "salute.md5anim" };
    int files = read_arguments(argc, argv), width, height;
    open_window();
    set_up_drawing();
    scene.rate = 1;
    open_files(files ? files : COUNT(own), files ? argv : own);
    for (int i = 0; i < (int)(options.time * 60); ++i) advance(1 / 60.0f);
    advance(options.time - floorf(options.time * 60) / 60.0f);
    for (const char *key = options.keys; *key; ++key) {
        int code = *key == '\t' ? GLFW_KEY_TAB : toupper((unsigned char)*key);
        on_key(scene.window, code, 0, GLFW_PRESS, 0);
    }
    if (!options.shot) glfwShowWindow(scene.window);
    for (int frame = 1; !glfwWindowShouldClose(scene.window); ++frame) {
        tell_title();
        glfwGetFramebufferSize(scene.window, &width, &height);
        width = width > 0 ? width : 1;
        height = height > 0 ? height : 1;
        draw_scene(width, height);
        if (scene.help) draw_help(width, height);
        if (options.shot) save_shot(width, height, frame);
        if (scene.screenshot) save_screenshot(width, height);
        glfwSwapBuffers(scene.window);
        glfwPollEvents();
        if (frame == (int)options.frames) break;
        advance(frame_seconds());
    }
    glfwTerminate();
    return 0;
}
