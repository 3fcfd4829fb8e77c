/* Walk and run as one, blended by the speed: both play all the time, at rates that keep them in phase, and the speed
   says how much of each shows. So there is a gait for each speed in between, as for an analog stick, and no crossfade.
   In an MD2 the same is done with md2_player and md2_pose_mix. Public domain.
       cc -I. tests/recipes/speed_blend.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { WALK, RUN, GAITS };

typedef struct mover {
    const md5_anim *gaits[GAITS];
    md5_player legs[GAITS];
    float      pace[GAITS];           /* the speed at which no foot slides, in units a second */
    float      length[GAITS];         /* of a cycle, in seconds; both begin with the same foot */
    float      share;                 /* of the run: 0 to 1 */
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
        m->legs[i].root_motion = MD5_TRAVEL; /* the game moves him */
        m->length[i] = (float)md5_anim_length(m->gaits[i], MD5_LOOP);
    }
}

/* `other` has room for another pose, and `scratch` for one more. */
static void move(const md5_model *model, mover *m, float speed, float dt, md5_xform *pose, md5_xform *other,
                 md5_xform *scratch)
{
    m->share = (speed - m->pace[WALK]) / (m->pace[RUN] - m->pace[WALK]);
    m->share = fmaxf(0, fminf(m->share, 1));

    /* The way of a cycle is between those of both, so the speed tells how many there are in a second. */
    float walk_way = m->pace[WALK] * m->length[WALK], run_way = m->pace[RUN] * m->length[RUN];
    float cycles = speed / (walk_way + m->share * (run_way - walk_way));
    for (int i = 0; i < GAITS; ++i) {
        m->legs[i].speed = cycles * m->length[i];
        md5_advance(&m->legs[i], dt);
    }

    md5_player_pose(model, &m->legs[WALK], pose, scratch);
    md5_player_pose(model, &m->legs[RUN], other, scratch);
    md5_pose_mix(pose, other, m->share, NULL, model->joint_count, pose);
}

/* The gait that shows more of itself tells the steps: its frame 0, and one half a cycle later. */
static int count_steps(const mover *m, const uint32_t half[GAITS])
{
    int shown = m->share > 0.5f ? RUN : WALK;
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

    /* Four seconds from a walk to a run, and back. */
    float leap = 0, last[3] = { 0, 0, 0 }, shortest = 1000, longest = 0, front = 0, back = 0;
    int steps = 0;
    for (int frame = 0; frame < 480; ++frame) {
        float up = (float)(frame < 240 ? frame : 480 - frame) / 240;
        move(knight, &m, 18.3f + up * (110 - 18.3f), dt, pose, pose + joints, pose + 2 * joints);
        md5_pose_to_model_space(knight, pose, pose);
        steps += count_steps(&m, half);

        /* They stay in phase. */
        double phase[GAITS];
        for (int i = 0; i < GAITS; ++i) phase[i] = m.legs[i].track[0].time / (double)m.length[i];
        assert(fabs(phase[WALK] - phase[RUN]) < 0.0001);

        float way = 0;
        for (int k = 0; k < 3; ++k) {
            float step = pose[foot].position[k] - last[k];
            way += step * step;
            last[k] = pose[foot].position[k];
        }
        if (frame > 0) leap = fmaxf(leap, sqrtf(way));

        /* How far the foot reaches from front to back, in each round. */
        front = fmaxf(front, pose[foot].position[0]);
        back = fminf(back, pose[foot].position[0]);
        if (md5_crossed(&m.legs[WALK], walk, 0) > 0 && frame > 0) {
            shortest = fminf(shortest, front - back);
            longest = fmaxf(longest, front - back);
            front = back = 0;
        }
    }
    printf("%d steps of %.1f to %.1f units; a foot moves by at most %.1f in a frame\n", steps, (double)shortest,
           (double)longest, (double)leap);
    double rounds = m.legs[WALK].track[0].time / (double)m.length[WALK];
    assert(fabs(steps - 2 * rounds) < 2 && longest > 1.3f * shortest && leap < 3);
    free(pose);
    md5_free_anim(walk);
    md5_free_anim(run);
    md5_free_model(knight);
    return 0;
}
