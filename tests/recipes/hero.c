/* A whole character: he stands, walks or runs as fast as the game wants, strikes meanwhile with his
   upper body, looks at a point, and tells when a foot comes down; any number of them share what is
   loaded. Copy all but head_turned and main into a game; the README has a shorter one.
   Z is up. Where Y is, load all with MD5_Y_UP, and write (y, z, x) for each (x, y, z): he goes along
   z at a heading of 0, and to the left, along x, as it grows. Public domain.
       make knight && cc -I. tests/recipes/hero.c -lm && ./a.out knight */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { STAND, WALK, RUN, ATTACK, ANIM_COUNT };
static const char *const names[] = { "stand", "walk", "run", "attack" };
static const float       paces[] = { 0, 18.3f, 110, 0 };   /* units a second, at speed 1 */
static const uint32_t    soles[][2] = { { 0, 0 }, { 0, 5 }, { 0, 3 } };  /* frames */

typedef struct hero_kind {              /* what all heroes share, to be read only */
    md5_model *model;
    md5_anim  *anims[ANIM_COUNT];
    float     *upper_body;              /* a mask: each joint's weight, 0 to 1 */
    int        head;                    /* a joint; -1 if there is none */
} hero_kind;

typedef struct hero {                   /* what each has */
    const hero_kind *kind;
    md5_player legs, arms;
    md5_xform *local, *pose;            /* of joints: local; in model space, to draw */
    float      x, y, heading;           /* in the world; the heading in radians */
    float      gaze[3];                 /* the way he looks, in the world */
} hero;

static bool load_hero_kind(hero_kind *kind, const char *folder, md5_error *error)
{
    char path[1024];
    memset(kind, 0, sizeof *kind);
    snprintf(path, sizeof path, "%s/knight.md5mesh", folder);
    kind->model = md5_load_model_file(path, NULL, error);
    if (!kind->model) return false;
    for (int i = 0; i < ANIM_COUNT; ++i) {
        snprintf(path, sizeof path, "%s/%s.md5anim", folder, names[i]);
        kind->anims[i] = md5_load_anim_file(path, NULL, error);
        if (!kind->anims[i]) return false;
        if (md5_check_anim(kind->model, kind->anims[i], error) != MD5_OK) return false;
    }
    kind->upper_body = (float *)calloc(kind->model->joint_count, sizeof *kind->upper_body);
    md5_mask_branch(kind->model, md5_find_joint(kind->model, "spine"), 1, kind->upper_body);
    kind->head = md5_find_joint(kind->model, "head");
    return true;
}

static void make_hero(hero *h, const hero_kind *kind)
{
    memset(h, 0, sizeof *h);
    h->kind = kind;
    h->local = (md5_xform *)calloc(kind->model->joint_count, sizeof *h->local);
    h->pose = (md5_xform *)calloc(kind->model->joint_count, sizeof *h->pose);
    h->legs.root_motion = MD5_TRAVEL;   /* h->x and h->y move him, not the walk itself */
    h->gaze[0] = 1;
}

/* Towards a point of the world, by up to 1.2 radians; to a new one in some frames. */
static void turn_head(hero *h, const float target[3], float dt)
{
    float c = cosf(h->heading), s = sinf(h->heading), *g = h->gaze;
    float way[3] = { target[0] - h->x, target[1] - h->y, target[2] };
    float away = sqrtf(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]) + 1e-6f;
    for (int k = 0; k < 3; ++k) g[k] += (1 - expf(-8 * dt)) * (way[k] / away - g[k]);
    float seen[3] = { away * (c * g[0] + s * g[1]), away * (c * g[1] - s * g[0]),
                      away * g[2] };    /* as he sees it */
    md5_pose_aim(h->kind->model, h->local, h->kind->head, NULL, seen, 1.2f, 1);
}

/* One frame of the game: speed in units a second; attacks is true once, when one begins.
   Returns how many feet came down. */
static int step_hero(hero *h, float dt, float speed, bool attacks, const float target[3])
{
    const hero_kind *kind = h->kind;
    int gait = speed < 5 ? STAND : speed < 50 ? WALK : RUN;
    const md5_anim *next = kind->anims[gait];
    bool stood = md5_playing(&h->legs, NULL) || md5_playing(&h->legs, kind->anims[STAND]);
    bool goes_on = md5_playing(&h->legs, next);
    if (!goes_on && (stood || gait == STAND)) md5_play(&h->legs, next, MD5_LOOP, 0.25f);
    else if (!goes_on) md5_play_in_phase(&h->legs, next, 0.25f);    /* same foot in front */
    if (gait != STAND) h->legs.speed = speed / paces[gait];         /* feet keep pace */
    if (attacks) md5_play_once(&h->arms, kind->anims[ATTACK], 0.1f, 0.2f);
    md5_advance(&h->legs, dt);
    md5_advance(&h->arms, dt);
    h->x += cosf(h->heading) * speed * dt;
    h->y += sinf(h->heading) * speed * dt;

    md5_player_pose(kind->model, &h->legs, h->local, h->pose);
    md5_player_pose_over(kind->model, &h->arms, 1, kind->upper_body, h->local, h->pose);
    turn_head(h, target, dt);
    md5_pose_to_model_space(kind->model, h->local, h->pose);        /* ready for skinning */
    if (stood || gait == STAND) return 0;                  /* he stands, or just sets off */
    return md5_crossed(&h->legs, next, soles[gait][0]) +
           md5_crossed(&h->legs, next, soles[gait][1]);
}

static void free_hero(hero *h)
{
    free(h->local);
    free(h->pose);
}

static void free_hero_kind(hero_kind *kind)                 /* after its heroes */
{
    free(kind->upper_body);
    for (int i = 0; i < ANIM_COUNT; ++i) md5_free_anim(kind->anims[i]);
    md5_free_model(kind->model);
}

/* By how many radians his head turned since the last frame. */
static float head_turned(const hero *h, float last[4])
{
    const float *now = h->pose[h->kind->head].rotation;
    float        dot = fabsf(now[0] * last[0] + now[1] * last[1] + now[2] * last[2] + now[3] * last[3]);
    memcpy(last, now, 4 * sizeof *last);
    return 2 * acosf(fminf(dot, 1));
}

/* Two of a kind. The first stands, walks, runs, strikes while he runs, and stands again: no joint leaps meanwhile, and
   his head turns to a new target in some frames. The other goes the other way, and stays out of it. */
int main(int argc, char **argv)
{
    static const float targets[2][3] = { { 60, 200, 30 }, { 300, -1000, 30 } };
    float     last[3] = { 0, 0, 0 }, last_head[4] = { 0, 0, 0, 1 }, farthest = 0, widest = 0, speed = 0;
    int       steps = 0;
    hero_kind kind;
    hero      h, other;
    md5_error error;

    if (!load_hero_kind(&kind, argc > 1 ? argv[1] : "knight", &error)) {
        fprintf(stderr, "%s\n", error.message);
        free_hero_kind(&kind);
        return 1;
    }
    make_hero(&h, &kind);
    make_hero(&other, &kind);
    other.heading = 3.1415927f;
    int hand = md5_find_joint(kind.model, "hand_r");
    for (int frame = 0; frame < 300; ++frame) {              /* five seconds */
        float wish = frame < 60 ? 0 : frame < 120 ? 18.3f : frame < 240 ? 110 : 0;
        speed += 0.1f * (wish - speed);
        steps += step_hero(&h, 1 / 60.0f, speed, frame == 180, targets[frame >= 30]);
        step_hero(&other, 1 / 60.0f, 110, false, targets[0]);
        if (frame == 65) assert(steps == 0);                 /* he has set off; no foot came down */

        float way = 0;
        for (int k = 0; k < 3; ++k) {
            float step = h.pose[hand].position[k] - last[k];
            way += step * step;
            last[k] = h.pose[hand].position[k];
        }
        float turned = head_turned(&h, last_head);
        if (frame > 0) farthest = fmaxf(farthest, sqrtf(way));
        if (frame > 0) widest = fmaxf(widest, turned);
    }
    printf("%d steps, %.0f units; in a frame a hand moves by at most %.1f, and his head turns by %.2f radians\n",
           steps, (double)h.x, (double)farthest, (double)widest);
    assert(steps > 6 && steps < 12 && h.x > 200 && h.x < 260 && farthest < 7);
    assert(widest > 0.1f && widest < 0.5f && fabsf(other.x + 550) < 1);
    free_hero(&h);
    free_hero(&other);
    free_hero_kind(&kind);
    return 0;
}
