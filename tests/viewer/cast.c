/* cast.c - a scene: characters that go straight on and play animations in turn, over and over, and
   a camera that sways. Where everything is follows from the time alone. --cast has
       seconds  target x y z  distance  yaw pitch sway
       / tint  x y heading speed  animation start  animation start ...
       / ...
   with angles in degrees and starts in seconds, the first of them 0. Public domain. */
#include "viewer.h"

#define FADE_SECONDS 0.2f
#define TO_RADIANS   0.0174532925f
#define MOST_MEMBERS 16
#define MOST_ACTS    8

typedef struct act {
    const clip *clip;
    double      start;
} act;

typedef struct member {
    unsigned tint;                    /* 0xRRGGBB, of which 0x80 leaves a color as it is */
    float    x, y, heading, speed;    /* its place at the beginning; units a second */
    int      count;
    act      acts[MOST_ACTS];
} member;

static struct cast {
    double seconds;                   /* then all begins anew */
    float  target[3], distance, yaw, pitch, sway;
    int    count;
    member members[MOST_MEMBERS];
} cast;

static const char *read_member(const char *text, member *m)
{
    char name[32];
    int  used = 0;
    sscanf(text, "%x %f %f %f %f%n", &m->tint, &m->x, &m->y, &m->heading, &m->speed, &used);
    for (text += used; used && m->count < MOST_ACTS; text += used) {
        act *a = &m->acts[m->count];
        used = 0;
        if (sscanf(text, " %31[a-z0-9] %lf%n", name, &a->start, &used) != 2) break;
        a->clip = &viewer.clips[find_clip(name)];
        ++m->count;
    }
    if (!m->count) die("--cast: no character is told of by ", text);
    return text;
}

void read_cast(const char *text)
{
    int used = 0;
    sscanf(text, "%lf %f %f %f %f %f %f %f%n", &cast.seconds, &cast.target[0], &cast.target[1],
           &cast.target[2], &cast.distance, &cast.yaw, &cast.pitch, &cast.sway, &used);
    if (!used) die("--cast begins with seconds, target, distance, yaw, pitch, sway, not ", text);
    for (text = strchr(text, '/'); text && cast.count < MOST_MEMBERS; text = strchr(text, '/')) {
        text = read_member(text + 1, &cast.members[cast.count++]);
    }
    form_crowd(cast.count);
}

bool has_cast(void) { return cast.count > 0; }

/* Fades to an animation and lets it play for so long. */
static void play_act(player *p, const clip *c, float fade_seconds, float seconds)
{
    md2_play(&p->md2, c->md2, MD2_LOOP, fade_seconds);
    md5_play(&p->md5, c->md5, c->md5 && c->md5->closed ? MD5_LOOP : MD5_ONCE, fade_seconds);
    md2_advance(&p->md2, seconds);
    md5_advance(&p->md5, seconds);
}

/* Twice, so that the first act fades in from the last one. */
void play_member(int character)
{
    const member *m = &cast.members[character];
    player       *p = &viewer.players[character];
    double        time = fmod(viewer.time, cast.seconds);
    memset(p, 0, sizeof *p);
    for (int i = 0; i < 2 * m->count; ++i) {
        const act *a = &m->acts[i % m->count];
        bool       last = i % m->count + 1 == m->count;
        double     now = i < m->count ? cast.seconds : time;
        double     end = last ? cast.seconds : a[1].start;
        if (a->start > now) continue;
        play_act(p, a->clip, i ? FADE_SECONDS : 0, (float)(fmin(end, now) - a->start));
    }
}

/* With Y up, the axes are permuted afterwards. */
void place_member(int character, float tint[4], float transform[16])
{
    const member *m = &cast.members[character];
    float         way = m->speed * (float)fmod(viewer.time, cast.seconds);
    float         c = cosf(m->heading * TO_RADIANS), s = sinf(m->heading * TO_RADIANS);
    const float   axes[4][3] = { { c, s, 0 }, { -s, c, 0 }, { 0, 0, 1 },
                                 { m->x + way * c, m->y + way * s, -camera.place[3] } };
    for (int i = 0; i < 3; ++i) {
        tint[i] = (float)(m->tint >> (16 - 8 * i) & 255) / 128;
        for (int j = 0; j < 4; ++j) transform[4 * j + i] = axes[j][i];
    }
    tint[3] = transform[15] = 1;
}

void aim_camera(void)
{
    memcpy(camera.place, cast.target, sizeof cast.target);
    camera.place[4] = cast.distance;
    camera.pitch = cast.pitch * TO_RADIANS;
    camera.yaw = (cast.yaw + cast.sway * sinf(6.2831853f * (float)(viewer.time / cast.seconds))) *
                 TO_RADIANS;
}
