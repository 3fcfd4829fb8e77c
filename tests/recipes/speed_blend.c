/* Walk and run blended by speed: both animations always play, at rates that keep them in phase, and the speed sets the
   weight of each. This gives a gait for every speed of an analog stick, without crossfades. For an MD2, use md2_player
   and md2_pose_mix in the same way. Public domain.
       cc -I. tests/recipes/speed_blend.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { WALK, RUN, GAITS };

typedef struct mover {
    const md5_anim *gaits[GAITS];
    md5_player legs[GAITS];
    float      pace[GAITS];           /* speed at which no foot slides, units per second */
    float      length[GAITS];         /* duration of a cycle, seconds; both begin with the same foot */
    float      run_weight;            /* 0 = walk, 1 = run */
} mover;

static void start(mover *m, const md5_anim *walk, float walk_pace, const md5_anim *run, float run_pace)
{
    memset(m, 0, sizeof *m);
    m->gaits[WALK] = walk;
    m->gaits[RUN] = run;
    m->pace[WALK] = walk_pace;
    m->pace[RUN] = run_pace;
    for (int i = 0; i < GAITS; ++i) {
        md5_play(&m->legs[i], m->gaits[i], MD5_LOOP, 0);
        m->legs[i].root_motion = MD5_TRAVEL; /* the game moves the character */
        m->length[i] = (float)md5_anim_length(m->gaits[i], MD5_LOOP);
    }
}

/* Advances both gaits and writes the blended pose. `other` and `scratch` each have room for a pose. */
static void move(const md5_model *model, mover *m, float speed, float dt, md5_xform *pose, md5_xform *other,
                 md5_xform *scratch)
{
    m->run_weight = (speed - m->pace[WALK]) / (m->pace[RUN] - m->pace[WALK]);
    m->run_weight = fmaxf(0, fminf(m->run_weight, 1));

    /* The distance of a blended cycle is between the distances of both gaits; the speed divided by this distance is
       the number of cycles per second. */
    float walk_distance = m->pace[WALK] * m->length[WALK], run_distance = m->pace[RUN] * m->length[RUN];
    float cycles = speed / (walk_distance + m->run_weight * (run_distance - walk_distance));
    for (int i = 0; i < GAITS; ++i) {
        m->legs[i].speed = cycles * m->length[i];
        md5_advance(&m->legs[i], dt);
    }

    md5_player_pose(model, &m->legs[WALK], pose, scratch);
    md5_player_pose(model, &m->legs[RUN], other, scratch);
    md5_pose_mix(pose, other, m->run_weight, NULL, model->joint_count, pose);
}

/* Counts the footsteps of the gait with the larger weight: at frame 0, and half a cycle later. */
static int count_steps(const mover *m, const uint32_t half[GAITS])
{
    int shown = m->run_weight > 0.5f ? RUN : WALK;
    const md5_player *legs = &m->legs[shown];
    const md5_anim *gait = m->gaits[shown];
    return md5_crossed(legs, gait, 0) + md5_crossed(legs, gait, half[shown]);
}

int main(void)
{
    static const uint32_t half[GAITS] = { 5, 3 };
    const float dt = 1 / 60.0f;
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    md5_anim *walk = knight ? md5_load_anim_file("knight/walk.md5anim", NULL, &error) : NULL;
    md5_anim *run = walk ? md5_load_anim_file("knight/run.md5anim", NULL, &error) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error.message); return 1; }
    int foot = md5_find_joint(knight, "foot_r");
    assert(foot >= 0);

    uint32_t joints = knight->joint_count;
    md5_xform *pose = (md5_xform *)malloc(3 * joints * sizeof *pose);
    mover m;
    start(&m, walk, 18.3f, run, 110);

    /* Four seconds from a walk to a run, and four seconds back. */
    float leap = 0, last[3] = { 0, 0, 0 }, shortest = 1000, longest = 0, front = 0, back = 0;
    int steps = 0;
    for (int frame = 0; frame < 480; ++frame) {
        float up = (float)(frame < 240 ? frame : 480 - frame) / 240;
        move(knight, &m, 18.3f + up * (110 - 18.3f), dt, pose, pose + joints, pose + 2 * joints);
        md5_pose_to_model_space(knight, pose, pose);
        steps += count_steps(&m, half);

        /* Both gaits stay in phase. */
        double phase[GAITS];
        for (int i = 0; i < GAITS; ++i) phase[i] = m.legs[i].track[0].time / (double)m.length[i];
        assert(fabs(phase[WALK] - phase[RUN]) < 0.0001);

        float moved = 0;
        for (int k = 0; k < 3; ++k) {
            float step = pose[foot].position[k] - last[k];
            moved += step * step;
            last[k] = pose[foot].position[k];
        }
        if (frame > 0) leap = fmaxf(leap, sqrtf(moved));

        /* Measure the length of a step, from front to back, in each cycle. */
        front = fmaxf(front, pose[foot].position[0]);
        back = fminf(back, pose[foot].position[0]);
        if (md5_crossed(&m.legs[WALK], walk, 0) > 0 && frame > 0) {
            shortest = fminf(shortest, front - back);
            longest = fmaxf(longest, front - back);
            front = back = 0;
        }
    }
    printf("%d steps of %.1f to %.1f units; a foot moves by at most %.1f per frame\n", steps, (double)shortest,
           (double)longest, (double)leap);
    double cycles = m.legs[WALK].track[0].time / (double)m.length[WALK];
    assert(fabs(steps - 2 * cycles) < 2 && longest > 1.3f * shortest && leap < 3);
    free(pose);
    md5_free_anim(walk);
    md5_free_anim(run);
    md5_free_model(knight);
    return 0;
}
