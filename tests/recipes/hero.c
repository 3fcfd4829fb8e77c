/* A whole character: he stands, walks or runs as fast as the game wants, strikes meanwhile with his
   upper body, looks at a point, and tells when a foot comes down. Copy all but main into a game; the
   README shows it, too. Public domain.
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

typedef struct hero {
    md5_model *model;
    md5_anim  *anims[ANIM_COUNT];
    md5_player legs, arms;
    md5_xform *pose, *scratch;          /* of all joints; after a step, draw `pose` */
    float     *upper_body;              /* a mask: each joint's weight, 0 to 1 */
    int        head;
    float      x, y, heading;           /* in the world; the heading in radians */
} hero;

static bool load_hero(hero *h, const char *folder, md5_error *error)
{
    char path[1024];
    memset(h, 0, sizeof *h);
    snprintf(path, sizeof path, "%s/robot.md5mesh", folder);
    h->model = md5_load_model_file(path, NULL, error);
    if (!h->model) return false;
    for (int i = 0; i < ANIM_COUNT; ++i) {
        snprintf(path, sizeof path, "%s/%s.md5anim", folder, names[i]);
        h->anims[i] = md5_load_anim_file(path, NULL, error);
        if (!h->anims[i] || md5_check_anim(h->model, h->anims[i], error)) return false;
    }
    h->pose = (md5_xform *)calloc(h->model->joint_count, sizeof *h->pose);
    h->scratch = (md5_xform *)calloc(h->model->joint_count, sizeof *h->scratch);
    h->upper_body = (float *)calloc(h->model->joint_count, sizeof *h->upper_body);
    md5_mask_branch(h->model, md5_find_joint(h->model, "spine"), 1, h->upper_body);
    h->head = md5_find_joint(h->model, "head"); /* -1 if there is none: nothing turns */
    h->legs.root_motion = MD5_TRAVEL;   /* h->x and h->y move him, not the walk itself */
    return true;
}

/* One frame of the game: speed in units a second; attacks is true once, when one begins.
   Returns how many feet came down. */
static int step_hero(hero *h, float dt, float speed, bool attacks, const float target[3])
{
    int gait = speed < 5 ? STAND : speed < 50 ? WALK : RUN;
    const md5_anim *now = md5_playing(&h->legs), *next = h->anims[gait];
    bool stood = !now || now == h->anims[STAND];
    if (now != next && (stood || gait == STAND)) md5_play(&h->legs, next, MD5_LOOP, 0.25f);
    else if (now != next) md5_play_in_phase(&h->legs, next, 0.25f); /* same foot in front */
    if (gait != STAND) h->legs.speed = speed / paces[gait];         /* feet keep pace */
    if (attacks) md5_play_once(&h->arms, h->anims[ATTACK], 0.1f, 0.2f);
    md5_advance(&h->legs, dt);
    md5_advance(&h->arms, dt);

    float c = cosf(h->heading), s = sinf(h->heading);
    h->x += c * speed * dt;
    h->y += s * speed * dt;
    float dx = target[0] - h->x, dy = target[1] - h->y;
    float seen[3] = { c * dx + s * dy, c * dy - s * dx, target[2] };  /* as he sees it */

    md5_player_pose(h->model, &h->legs, h->pose, h->scratch);
    md5_player_pose_over(h->model, &h->arms, 1, h->upper_body, h->pose, h->scratch);
    md5_pose_aim(h->model, h->pose, h->head, NULL, seen, 1.2f, 1); /* at most 1.2 radians */
    md5_pose_to_model_space(h->model, h->pose, h->pose);           /* ready for skinning */
    if (stood || gait == STAND) return 0;                  /* he stands, or just sets off */
    return md5_crossed(&h->legs, soles[gait][0]) + md5_crossed(&h->legs, soles[gait][1]);
}

static void free_hero(hero *h)
{
    free(h->pose);
    free(h->scratch);
    free(h->upper_body);
    for (int i = 0; i < ANIM_COUNT; ++i) md5_free_anim(h->anims[i]);
    md5_free_model(h->model);
}

/* He stands, walks, runs, strikes while he runs, and stands again. No joint leaps meanwhile. */
int main(int argc, char **argv)
{
    static const float target[3] = { 60, 200, 30 };
    float     last[3] = { 0, 0, 0 }, farthest = 0, speed = 0;
    int       steps = 0;
    hero      h;
    md5_error error;

    if (!load_hero(&h, argc > 1 ? argv[1] : "build/character", &error)) {
        fprintf(stderr, "%s\n", error.message);
        free_hero(&h);
        return 1;
    }
    int hand = md5_find_joint(h.model, "hand_r");
    for (int frame = 0; frame < 300; ++frame) {              /* five seconds */
        float wish = frame < 60 ? 0 : frame < 120 ? 18.3f : frame < 240 ? 110 : 0;
        speed += 0.1f * (wish - speed);
        steps += step_hero(&h, 1 / 60.0f, speed, frame == 180, target);
        if (frame == 65) assert(steps == 0);                 /* he has set off; no foot came down */

        float way = 0;
        for (int k = 0; k < 3; ++k) {
            float step = h.pose[hand].position[k] - last[k];
            way += step * step;
            last[k] = h.pose[hand].position[k];
        }
        if (frame > 0) farthest = fmaxf(farthest, sqrtf(way));
    }
    printf("%d steps, %.0f units; a hand moves by at most %.1f in a frame\n", steps, (double)h.x,
           (double)farthest);
    assert(steps > 6 && steps < 12 && h.x > 200 && h.x < 260 && farthest < 7);
    free_hero(&h);
    return 0;
}
