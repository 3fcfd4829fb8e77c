/* Poses a crowd on two cores. The threads share the model and the animation, which are only read; each
   thread has its own players and its own memory to write to. Public domain.
       cc -I. tests/recipes/two_cores.c -pthread -lm && ./a.out */
#include <assert.h>
#include <pthread.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { CROWD = 64, THREADS = 2 };

typedef struct share {                /* the part of the crowd that one thread poses */
    const md5_model *model;
    md5_player      *players;
    size_t           count;
    float           *positions;       /* positions of its first character */
    md5_xform       *pose;            /* a pose, followed by room for the scratch pose */
} share;

static void *pose_share(void *argument)
{
    share *s = (share *)argument;
    size_t floats = s->model->meshes[0].vertex_count * 3;
    for (size_t i = 0; i < s->count; ++i) {
        md5_advance(&s->players[i], 1 / 60.0f);
        md5_player_pose(s->model, &s->players[i], s->pose, s->pose + s->model->joint_count);
        md5_pose_to_model_space(s->model, s->pose, s->pose);
        md5_pose_vertices(s->model, 0, s->pose, s->positions + i * floats, 0, NULL, 0, NULL, 0);
    }
    return NULL;
}

/* Poses one frame of the crowd on `threads` threads, including the caller's. */
static void pose_crowd(const md5_model *model, md5_player *players, float *positions,
                       md5_xform *poses, int threads)
{
    size_t each = (size_t)(CROWD / threads), floats = model->meshes[0].vertex_count * 3;
    pthread_t thread[THREADS];
    share part[THREADS];
    for (int i = 0; i < threads; ++i) {
        size_t first = (size_t)i * each;
        part[i].model = model;
        part[i].players = players + first;
        part[i].count = each;
        part[i].positions = positions + first * floats;
        part[i].pose = poses + (size_t)i * 2 * model->joint_count;
        if (i > 0 && pthread_create(&thread[i], NULL, pose_share, &part[i]) != 0) abort();
    }
    pose_share(&part[0]);
    for (int i = 1; i < threads; ++i) pthread_join(thread[i], NULL);
}

int main(void)
{
    md5_error error;
    md5_model *knight = md5_load_model_file("knight/knight.md5mesh", NULL, &error);
    md5_anim *run = knight ? md5_load_anim_file("knight/run.md5anim", NULL, &error) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error.message); return 1; }
    static md5_player crowd[2][CROWD];                      /* all zero: ready to play */
    size_t bytes = knight->meshes[0].vertex_count * 3 * sizeof(float) * CROWD;
    float *positions[2] = { (float *)malloc(bytes), (float *)malloc(bytes) };
    md5_xform *poses = (md5_xform *)malloc(THREADS * 2 * knight->joint_count * sizeof *poses);
    for (int i = 0; i < CROWD; ++i) {
        md5_play(&crowd[0][i], run, MD5_LOOP, 0);
        md5_seek(&crowd[0][i], i * 0.01);                   /* not in step with each other */
    }
    memcpy(crowd[1], crowd[0], sizeof crowd[0]);
    for (int frame = 0; frame < 10; ++frame) {
        pose_crowd(knight, crowd[0], positions[0], poses, 1);
        pose_crowd(knight, crowd[1], positions[1], poses, THREADS);
    }
    assert(memcmp(positions[0], positions[1], bytes) == 0);
    printf("%d knights on %d threads: the same bytes as on one thread\n", CROWD, THREADS);
    free(poses);
    free(positions[0]);
    free(positions[1]);
    md5_free_anim(run);
    md5_free_model(knight);
    return 0;
}
