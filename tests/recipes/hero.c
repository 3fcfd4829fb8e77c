/* A whole character: it stands, walks or runs as fast as the game wants and keeps the same foot in
   front, its upper body attacks meanwhile, its head looks at a point, and its steps are heard. Copy
   all but main into a game. Public domain.
       cc -I. tests/recipes/hero.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { STAND, WALK, RUN, ATTACK, ANIM_COUNT };

static const char *const anim_names[ANIM_COUNT] = { "stand", "walk", "run", "attack" };
static const float       paces[ANIM_COUNT] = { 0, 18.3f, 110, 0 };    /* units a second, at speed 1 */
static const uint32_t    soles[ANIM_COUNT][2] = { { 0, 0 }, { 0, 5 }, { 0, 3 }, { 0, 0 } }; /* frames */

typedef struct hero {
    md5_model *model;
    md5_anim  *anims[ANIM_COUNT];
    md5_player legs, arms;
    md5_xform *pose, *scratch;        /* after a step, `pose` is in model space: draw it */
    float     *upper_body;            /* a mask */
    uint32_t   head;
    float      x, y, heading;         /* in the world; the heading in radians */
} hero;

static bool load_hero(hero *h, const char *folder, md5_error *error)
{
    char path[1024];
    memset(h, 0, sizeof *h);
    snprintf(path, sizeof path, "%s/robot.md5mesh", folder);
    h->model = md5_load_model_file(path, NULL, error);
    for (int i = 0; h->model && i < ANIM_COUNT; ++i) {
        snprintf(path, sizeof path, "%s/%s.md5anim", folder, anim_names[i]);
        h->anims[i] = md5_load_anim_file(path, NULL, error);
        if (!h->anims[i] || md5_check_anim(h->model, h->anims[i], error) != MD5_OK) return false;
    }
    if (!h->model) return false;

    h->pose = (md5_xform *)calloc(h->model->joint_count, sizeof *h->pose);
    h->scratch = (md5_xform *)calloc(h->model->joint_count, sizeof *h->scratch);
    h->upper_body = (float *)calloc(h->model->joint_count, sizeof *h->upper_body);
    md5_mask_branch(h->model, (uint32_t)md5_find_joint(h->model, "spine"), 1, h->upper_body);
    h->head = (uint32_t)md5_find_joint(h->model, "head");
    md5_play(&h->legs, h->anims[STAND], MD5_LOOP, 0);
    h->legs.root_motion = MD5_TRAVEL;                       /* the game moves it, not the walk */
    return true;
}

/* Returns how many feet came down. The speed is in units a second, the target in the world. */
static int step_hero(hero *h, float dt, float speed, bool attacks, const float target[3])
{
    int             gait = speed < 5 ? STAND : speed < 50 ? WALK : RUN;
    const md5_anim *now = md5_playing(&h->legs), *wanted = h->anims[gait];

    /* Walking and running keep the same foot in front; a stand has none. */
    if (now != wanted && (gait == STAND || now == h->anims[STAND])) {
        md5_play(&h->legs, wanted, MD5_LOOP, 0.25f);
    } else if (now != wanted) {
        md5_play_in_phase(&h->legs, wanted, 0.25f);
    }
    if (gait != STAND) h->legs.speed = speed / paces[gait]; /* so that no foot slides */
    if (attacks) md5_play_once(&h->arms, h->anims[ATTACK], 0.1f, 0.2f);
    md5_advance(&h->legs, dt);
    md5_advance(&h->arms, dt);

    float c = cosf(h->heading), s = sinf(h->heading);
    h->x += c * speed * dt;
    h->y += s * speed * dt;

    /* Legs, over them the arms, then the head: to where the target is for him. */
    float x = target[0] - h->x, y = target[1] - h->y;
    float seen[3] = { c * x + s * y, c * y - s * x, target[2] };
    md5_player_pose(h->model, &h->legs, h->pose, h->scratch);
    md5_player_pose_over(h->model, &h->arms, 1, h->upper_body, h->pose, h->scratch);
    md5_pose_aim(h->model, h->pose, h->head, NULL, seen, 1.2f, 1);
    md5_pose_to_model_space(h->model, h->pose, h->pose);

    if (gait == STAND) return 0;
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
int main(void)
{
    static const float target[3] = { 60, 200, 30 };
    float     last[3] = { 0, 0, 0 }, farthest = 0, speed = 0;
    int       steps = 0;
    hero      h;
    md5_error error;

    if (!load_hero(&h, "build/character", &error)) { fprintf(stderr, "%s\n", error.message); return 1; }
    int hand = md5_find_joint(h.model, "hand_r");
    for (int frame = 0; frame < 300; ++frame) {              /* five seconds */
        float wish = frame < 60 ? 0 : frame < 120 ? 18.3f : frame < 240 ? 110 : 0;
        speed += 0.1f * (wish - speed);
        steps += step_hero(&h, 1 / 60.0f, speed, frame == 180, target);

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
