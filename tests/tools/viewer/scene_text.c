/* scene_text.c - a scene that repeats: characters that move in a straight line and play animations
   one after another, and a camera that sways. All positions depend only on the time. The text has
   one section for the scene and one for each character, separated by slashes:

     SECONDS TARGET_X TARGET_Y TARGET_Z DISTANCE YAW PITCH SWAY
     / TINT X Y HEADING SPEED ANIMATION START ANIMATION START ...

   Angles are in degrees, and the start of an animation is in seconds. The first start is 0. Public
   domain. */
#include "viewer.h"

#define FADE_SECONDS 0.2f
#define TO_RADIANS   0.0174532925f
#define MAX_ACTORS   16
#define MAX_PARTS    8

typedef struct part {                 /* an animation that an actor plays */
    const clip *clip;
    double      start;                /* seconds; the part ends when the next part starts */
} part;

typedef struct actor {
    unsigned tint;                    /* 0xRRGGBB; 0x80 leaves a color unchanged */
    float    x, y, heading, speed;    /* start position; degrees; units per second */
    int      part_count;
    part     parts[MAX_PARTS];
} actor;

static struct text_scene {
    double seconds;                   /* the scene starts again after this time */
    float  target[3], distance, yaw, pitch, sway;
    int    actor_count;
    actor  actors[MAX_ACTORS];
} text_scene;

/* -- Playing ----------------------------------------------------------------------------------- */

/* Fades to an animation and plays it for `seconds`. */
static void play_part(player *p, const clip *c, float fade_seconds, float seconds)
{
    /* An MD5 animation that is not a loop stays in its last frame. MD2 animations always loop. */
    bool     is_loop = c->md5 && c->md5->closed;
    md5_mode mode = is_loop ? MD5_LOOP : MD5_ONCE;

    md2_play(&p->md2, c->md2, MD2_LOOP, fade_seconds);
    md5_play(&p->md5, c->md5, mode, fade_seconds);
    md2_advance(&p->md2, seconds);
    md5_advance(&p->md5, seconds);
}

/* Plays the parts of an actor from the beginning of the scene until `now`. */
static void play_parts(player *p, const actor *a, float first_fade_seconds, double now)
{
    for (int i = 0; i < a->part_count; ++i) {
        const part *this_part = &a->parts[i];
        if (this_part->start > now) continue;

        bool   is_last = i + 1 == a->part_count;
        double end = is_last ? text_scene.seconds : a->parts[i + 1].start;
        double seconds = fmin(end, now) - this_part->start;
        float  fade_seconds = i == 0 ? first_fade_seconds : FADE_SECONDS;
        play_part(p, this_part->clip, fade_seconds, (float)seconds);
    }
}

/* Computes the state of a player from the time only. The scene plays once to its end and then to
   the current time, so that the first animation fades in from the last animation. */
static void play_actor(int character, float seconds)
{
    const actor *a = &text_scene.actors[character];
    player      *p = &viewer.players[character];
    (void)seconds;
    memset(p, 0, sizeof *p);
    play_parts(p, a, 0, text_scene.seconds);
    play_parts(p, a, FADE_SECONDS, fmod(viewer.time, text_scene.seconds));
}

/* -- Placing ----------------------------------------------------------------------------------- */

void place_on_floor(float x, float y, float heading, float transform[16])
{
    float c = cosf(heading);
    float s = sinf(heading);
    float axes[3][3] = {
        { c, s, 0 },                  /* forward */
        { -s, c, 0 },                 /* left */
        { 0, 0, 1 },
    };
    for (int axis = 0; axis < 3; ++axis) {
        memcpy(&transform[4 * axis], axes[world_axis(axis)], sizeof axes[0]);
    }
    transform[12] = x;
    transform[13] = y;
    transform[14] = -camera.floor;
    transform[15] = 1;
}

static void place_actor(int character, float tint[4], float transform[16])
{
    const actor *a = &text_scene.actors[character];
    float        distance = a->speed * (float)fmod(viewer.time, text_scene.seconds);
    float        heading = a->heading * TO_RADIANS;
    float        x = a->x + distance * cosf(heading);
    float        y = a->y + distance * sinf(heading);

    choose_tint(a->tint, tint);
    place_on_floor(x, y, heading, transform);
}

static void aim_camera(void)
{
    float cycles = (float)(viewer.time / text_scene.seconds);
    float yaw = text_scene.yaw + text_scene.sway * sinf(6.2831853f * cycles);

    memcpy(camera.target, text_scene.target, sizeof text_scene.target);
    camera.distance = text_scene.distance;
    camera.pitch = text_scene.pitch * TO_RADIANS;
    camera.yaw = yaw * TO_RADIANS;
}

/* -- Reading ----------------------------------------------------------------------------------- */

/* Reads an animation and its start. Returns the rest of the text, or NULL if there is no
   animation. */
static const char *read_part(const char *text, part *out)
{
    char name[32];
    int  used = 0;
    if (sscanf(text, " %31[a-z0-9] %lf%n", name, &out->start, &used) != 2) return NULL;

    out->clip = &viewer.clips[find_clip(name)];
    return text + used;
}

/* Reads an actor. Returns the rest of the text. */
static const char *read_actor(const char *text, actor *a)
{
    static const char expected[] = "--scene: expected tint, x, y, heading, speed, an animation and "
                                   "its start, not ";
    int used = 0;                     /* stays 0 unless all five values are read */
    sscanf(text, "%x %f %f %f %f%n", &a->tint, &a->x, &a->y, &a->heading, &a->speed, &used);
    if (used == 0) die(expected, text);
    text += used;

    while (a->part_count < MAX_PARTS) {
        const char *rest = read_part(text, &a->parts[a->part_count]);
        if (!rest) break;
        ++a->part_count;
        text = rest;
    }
    if (a->part_count == 0) die(expected, text);
    return text;
}

void open_scene_text(const char *text)
{
    static const scene callbacks = { play_actor, place_actor, aim_camera, NULL, 0 };
    struct text_scene *s = &text_scene;
    int used = 0;                     /* stays 0 unless all eight values are read */
    sscanf(text, "%lf %f %f %f %f %f %f %f%n", &s->seconds, &s->target[0], &s->target[1],
           &s->target[2], &s->distance, &s->yaw, &s->pitch, &s->sway, &used);
    if (used == 0) {
        die("--scene: expected seconds, target x y z, distance, yaw, pitch and sway, not ", text);
    }

    const char *slash = strchr(text, '/');
    while (slash && s->actor_count < MAX_ACTORS) {
        const char *rest = read_actor(slash + 1, &s->actors[s->actor_count]);
        ++s->actor_count;
        slash = strchr(rest, '/');
    }
    form_crowd(s->actor_count);
    viewer.scene = &callbacks;
}
