/* cast.c - a scene that repeats: characters that move in a straight line and play animations one after
   another, and a camera that sways. All positions depend only on the time. The value of --cast is
       seconds  target x y z  distance  yaw pitch sway
       / tint  x y heading speed  animation start  animation start ...
       / ...
   with angles in degrees and starts in seconds. The first start is 0. Public domain. */
#include "viewer.h"

#define FADE_SECONDS 0.2f
#define TO_RADIANS   0.0174532925f
#define MAX_MEMBERS 16
#define MAX_ACTS    8

typedef struct act {
    const clip *clip;
    double      start;                /* seconds; it ends when the next one starts */
} act;

typedef struct member {
    unsigned tint;                    /* 0xRRGGBB; 0x80 leaves a color unchanged */
    float    x, y, heading, speed;    /* start position; degrees; units per second */
    int      count;
    act      acts[MAX_ACTS];
} member;

static struct cast {
    double seconds;                   /* the scene starts again after this time */
    float  target[3], distance, yaw, pitch, sway;
    int    count;
    member members[MAX_MEMBERS];
} cast;

/* -- Playing ----------------------------------------------------------------------------------- */

/* Fades to an animation and plays it for `seconds`. */
static void play_act(player *p, const clip *c, float fade_seconds, float seconds)
{
    bool     is_loop = c->md5 && c->md5->closed; /* other animations stay in their last frame */
    md5_mode mode = is_loop ? MD5_LOOP : MD5_ONCE;

    md2_play(&p->md2, c->md2, MD2_LOOP, fade_seconds);
    md5_play(&p->md5, c->md5, mode, fade_seconds);
    md2_advance(&p->md2, seconds);
    md5_advance(&p->md5, seconds);
}

/* Plays the acts of a member from the beginning of the scene until `now`. */
static void play_acts(player *p, const member *m, float first_fade_seconds, double now)
{
    for (int i = 0; i < m->count; ++i) {
        const act *a = &m->acts[i];
        if (a->start > now) continue;

        bool   is_last = i + 1 == m->count;
        double end = is_last ? cast.seconds : m->acts[i + 1].start;
        double seconds = fmin(end, now) - a->start;
        float  fade_seconds = i == 0 ? first_fade_seconds : FADE_SECONDS;
        play_act(p, a->clip, fade_seconds, (float)seconds);
    }
}

/* Computes the state of a player from the time only. The scene plays once to its end, then to the
   current time, so that the first act fades in from the last one. */
static void play_member(int character, float seconds)
{
    const member *m = &cast.members[character];
    player       *p = &viewer.players[character];
    (void)seconds;
    memset(p, 0, sizeof *p);
    play_acts(p, m, 0, cast.seconds);
    play_acts(p, m, FADE_SECONDS, fmod(viewer.time, cast.seconds));
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

static void place_member(int character, float tint[4], float transform[16])
{
    const member *m = &cast.members[character];
    float         distance = m->speed * (float)fmod(viewer.time, cast.seconds);
    float         heading = m->heading * TO_RADIANS;
    float         x = m->x + distance * cosf(heading);
    float         y = m->y + distance * sinf(heading);

    choose_tint(m->tint, tint);
    place_on_floor(x, y, heading, transform);
}

static void aim_camera(void)
{
    float cycles = (float)(viewer.time / cast.seconds);
    float yaw = cast.yaw + cast.sway * sinf(6.2831853f * cycles);

    memcpy(camera.target, cast.target, sizeof cast.target);
    camera.distance = cast.distance;
    camera.pitch = cast.pitch * TO_RADIANS;
    camera.yaw = yaw * TO_RADIANS;
}

/* -- Reading ----------------------------------------------------------------------------------- */

static const scene cast_scene = { play_member, place_member, aim_camera, NULL, 0 };

/* Returns the text after the act, or NULL if there is none. */
static const char *read_act(const char *text, act *a)
{
    char name[32];
    int  used = 0;
    if (sscanf(text, " %31[a-z0-9] %lf%n", name, &a->start, &used) != 2) return NULL;

    a->clip = &viewer.clips[find_clip(name)];
    return text + used;
}

/* Returns the text after the member. */
static const char *read_member(const char *text, member *m)
{
    int used = 0;                     /* stays 0 unless all five values are read */
    sscanf(text, "%x %f %f %f %f%n", &m->tint, &m->x, &m->y, &m->heading, &m->speed, &used);
    if (used == 0) die("--cast: this does not describe a character: ", text);
    text += used;

    while (m->count < MAX_ACTS) {
        const char *rest = read_act(text, &m->acts[m->count]);
        if (!rest) break;
        ++m->count;
        text = rest;
    }
    if (m->count == 0) die("--cast: this does not describe a character: ", text);
    return text;
}

void read_cast(const char *text)
{
    int used = 0;                     /* stays 0 unless all eight values are read */
    sscanf(text, "%lf %f %f %f %f %f %f %f%n", &cast.seconds, &cast.target[0], &cast.target[1],
           &cast.target[2], &cast.distance, &cast.yaw, &cast.pitch, &cast.sway, &used);
    if (used == 0) {
        die("--cast begins with seconds, target, distance, yaw, pitch and sway, not with ", text);
    }

    const char *slash = strchr(text, '/');
    while (slash && cast.count < MAX_MEMBERS) {
        const char *rest = read_member(slash + 1, &cast.members[cast.count]);
        ++cast.count;
        slash = strchr(rest, '/');
    }
    form_crowd(cast.count);
    viewer.scene = &cast_scene;
}
