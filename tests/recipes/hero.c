/* A whole character: it stands, walks or runs at the speed of the game, strikes at the same time with
   its upper body, looks at a point, and reports footsteps. Any number of characters share the loaded
   files. Copy everything except head_rotation and main into a game; the README has a shorter program.
   Z is up. If Y is up in your game, load everything with MD5_Y_UP and write (y, z, x) for each (x, y, z):
   at heading 0 the character runs along z, and a larger heading turns it left, toward x. Public domain.
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
static const float       paces[] = { 0, 18.3f, 110, 0 };   /* units per second at speed 1 */
static const uint32_t    footsteps[][2] = { { 0, 0 }, { 0, 5 }, { 0, 3 } };  /* frames in which a foot lands */

typedef struct hero_kind {              /* shared by all heroes, read-only */
    md5_model *model;
    md5_anim  *anims[ANIM_COUNT];
    float     *upper_body;              /* a mask: each joint's weight, 0 to 1 */
    int        head;                    /* joint index; -1 = none */
} hero_kind;

typedef struct hero {                   /* one character */
    const hero_kind *kind;
    md5_player legs, arms;
    md5_xform *local, *pose;            /* joints: local; in model space, to draw */
    float      x, y, heading;           /* world space; the heading in radians */
    float      gaze[3];                 /* direction of the eyes, world space */
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
    h->legs.root_motion = MD5_TRAVEL;   /* the game moves the character by h->x and h->y */
    h->gaze[0] = 1;
}

/* Turns the head toward a point in world space, by up to 1.2 radians, and smoothly when the point changes. */
static void turn_head(hero *h, const float target[3], float dt)
{
    float c = cosf(h->heading), s = sinf(h->heading), *g = h->gaze;
    float to[3] = { target[0] - h->x, target[1] - h->y, target[2] };
    float distance = sqrtf(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]) + 1e-6f;
    for (int k = 0; k < 3; ++k) g[k] += (1 - expf(-8 * dt)) * (to[k] / distance - g[k]);
    float point[3] = { distance * (c * g[0] + s * g[1]), distance * (c * g[1] - s * g[0]),
                       distance * g[2] };   /* model space */
    md5_pose_aim(h->kind->model, h->local, h->kind->head, NULL, point, 1.2f, 1);
}

/* Advances the character by one frame of the game. `speed` is in units per second; `attacks` is true only
   in the frame in which an attack begins. Returns the number of footsteps. */
static int step_hero(hero *h, float dt, float speed, bool attacks, const float target[3])
{
    const hero_kind *kind = h->kind;
    int gait = speed < 5 ? STAND : speed < 50 ? WALK : RUN;
    const md5_anim *next = kind->anims[gait];
    bool stood = md5_playing(&h->legs, NULL) || md5_playing(&h->legs, kind->anims[STAND]);
    bool same_gait = md5_playing(&h->legs, next);
    if (!same_gait && (stood || gait == STAND)) md5_play(&h->legs, next, MD5_LOOP, 0.25f);
    else if (!same_gait) md5_play_in_phase(&h->legs, next, 0.25f);  /* keeps the same foot in front */
    if (gait != STAND) h->legs.speed = speed / paces[gait];         /* feet do not slide */
    if (attacks) md5_play_once(&h->arms, kind->anims[ATTACK], 0.1f, 0.2f);
    md5_advance(&h->legs, dt);
    md5_advance(&h->arms, dt);
    h->x += cosf(h->heading) * speed * dt;
    h->y += sinf(h->heading) * speed * dt;

    md5_player_pose(kind->model, &h->legs, h->local, h->pose);
    md5_player_pose_over(kind->model, &h->arms, 1, kind->upper_body, h->local, h->pose);
    turn_head(h, target, dt);
    md5_pose_to_model_space(kind->model, h->local, h->pose);        /* ready for skinning */
    if (stood || gait == STAND) return 0;                           /* no footstep when the gait starts */
    return md5_crossed(&h->legs, next, footsteps[gait][0]) +
           md5_crossed(&h->legs, next, footsteps[gait][1]);
}

static void free_hero(hero *h)
{
    free(h->local);
    free(h->pose);
}

static void free_hero_kind(hero_kind *kind)                 /* call after free_hero of all its heroes */
{
    free(kind->upper_body);
    for (int i = 0; i < ANIM_COUNT; ++i) md5_free_anim(kind->anims[i]);
    md5_free_model(kind->model);
}

/* Returns the rotation of the head since the last frame, in radians. */
static float head_rotation(const hero *h, float last[4])
{
    const float *now = h->pose[h->kind->head].rotation;
    float        dot = fabsf(now[0] * last[0] + now[1] * last[1] + now[2] * last[2] + now[3] * last[3]);
    memcpy(last, now, 4 * sizeof *last);
    return 2 * acosf(fminf(dot, 1));
}

/* Moves two heroes of the same kind. The first stands, walks, runs, strikes during the run, and stands again: its hand
   never jumps, and its head turns smoothly to a new target. The second runs the opposite way and does not affect the
   first. */
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
        float wanted_speed = frame < 60 ? 0 : frame < 120 ? 18.3f : frame < 240 ? 110 : 0;
        speed += 0.1f * (wanted_speed - speed);
        steps += step_hero(&h, 1 / 60.0f, speed, frame == 180, targets[frame >= 30]);
        step_hero(&other, 1 / 60.0f, 110, false, targets[0]);
        if (frame == 65) assert(steps == 0);                 /* the walk has begun, without a footstep */

        float moved = 0;
        for (int k = 0; k < 3; ++k) {
            float step = h.pose[hand].position[k] - last[k];
            moved += step * step;
            last[k] = h.pose[hand].position[k];
        }
        float turned = head_rotation(&h, last_head);
        if (frame > 0) farthest = fmaxf(farthest, sqrtf(moved));
        if (frame > 0) widest = fmaxf(widest, turned);
    }
    printf("%d steps, %.0f units; per frame, a hand moves by at most %.1f, and the head turns by %.2f radians\n",
           steps, (double)h.x, (double)farthest, (double)widest);
    assert(steps > 6 && steps < 12 && h.x > 200 && h.x < 260 && farthest < 7);
    assert(widest > 0.1f && widest < 0.5f && fabsf(other.x + 550) < 1);
    free_hero(&h);
    free_hero(&other);
    free_hero_kind(&kind);
    return 0;
}
