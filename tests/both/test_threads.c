/* Eight threads use one model of each kind at once, and load others meanwhile: what each of them
   computes must be what one thread alone computed before. Meant for ThreadSanitizer: `make sanitize`.

   test_threads --race    two threads write to one model: ThreadSanitizer must object to that,
                          else it watches nothing

   Public domain. */
#include "md2.h"
#include "md5.h"

#include "check.h"
#include "model_builder_md2.h"
#include "model_builder_md5.h"
#include "support.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 24, PARTS = 8 };

/* What the threads share; nobody writes to it once they run. */
static struct shared {
    md2_model *md2, *random;
    md5_model *md5;
    md5_anim *walk, *wave;
    m2_bytes md2_file;
    m5_text md5_file, walk_file;
} shared;

/* What a thread computes, as a hash for each part of it in each round; 0 for what failed. */
typedef struct worker {
    pthread_t thread;
    uint32_t number;
    uint64_t hash[ROUNDS][PARTS];
} worker;

/* Nothing at all is a failure. */
static void mix(uint64_t *hash, const void *data, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)data;
    for (size_t i = 0; i < size; ++i) *hash = (*hash ^ bytes[i]) * 1099511628211u;
    if (size == 0) *hash = 0;
}

/* -- One round ------------------------------------------------------------ */

static void mix_vertices(const md2_model *m, md2_pose pose, uint64_t *hash)
{
    size_t floats = (size_t)m->vertex_count * 3;
    float *out = (float *)malloc_or_abort(floats * 2 * sizeof *out), low[3], high[3];
    md2_pose_vertices(m, &pose, out, 0, out + floats, 0);
    md2_pose_bounds(m, &pose, low, high);
    mix(hash, out, floats * 2 * sizeof *out);
    mix(hash, low, sizeof low);
    mix(hash, high, sizeof high);
    free(out);
}

static void pose_md2(uint32_t round, uint64_t *hash)
{
    const md2_anim *anim = &shared.md2->anims[round % shared.md2->anim_count];
    mix_vertices(shared.md2, md2_pose_at(anim, MD2_LOOP, round * 0.37), hash);
}

/* The normals of this model are random, so some of them cancel halfway between two frames
   (test_together counts them). */
static void cancel_normals(uint32_t round, uint64_t *hash)
{
    mix_vertices(shared.random, md2_pose_between(round, round + 1, 0.5f), hash);
}

static void load_md2(uint32_t round, uint64_t *hash)
{
    static const md2_options y_up = { MD2_Y_UP, 0, 0, 0, { NULL, NULL, NULL } };
    md2_model *m = md2_load_memory(shared.md2_file.data, shared.md2_file.size,
                                   round % 2 ? &y_up : NULL, NULL);
    mix(hash, m ? m->frames[1].points : NULL, m ? m->point_count * sizeof(md2_point) : 0);
    md2_free_model(m);
}

static void pose_md5(uint32_t round, uint64_t *hash)
{
    const md5_model *m = shared.md5;
    md5_xform *pose = (md5_xform *)malloc_or_abort(m->joint_count * 2 * sizeof *pose);
    float *palette = (float *)malloc_or_abort(m->joint_count * 12 * sizeof *palette);
    md5_pose_at(m, shared.walk, MD5_LOOP, round * 0.21, pose);
    md5_pose_at(m, shared.wave, MD5_PING_PONG, round * 0.13, pose + m->joint_count);
    md5_pose_mix(pose, pose + m->joint_count, 0.4f, NULL, m->joint_count, pose);
    md5_pose_to_model_space(m, pose, pose);
    md5_pose_palette(m, pose, palette);
    mix(hash, palette, m->joint_count * 12 * sizeof *palette);
    for (uint32_t mesh = 0; mesh < m->mesh_count; ++mesh) {
        size_t count = m->meshes[mesh].vertex_count;
        float *out = (float *)malloc_or_abort(count * 10 * sizeof *out);
        md5_pose_vertices(m, mesh, pose, out, 0, out + count * 3, 0, out + count * 6, 0);
        mix(hash, out, count * 10 * sizeof *out);
        free(out);
    }
    free(palette);
    free(pose);
}

/* A character of the thread's own: a crossfade, a layer, root motion and a joint that aims. */
static void play_md5(uint32_t round, uint64_t *hash)
{
    static const float target[3] = { 40, 30, 20 };
    const md5_model *m = shared.md5;
    md5_xform *pose = (md5_xform *)malloc_or_abort(m->joint_count * 2 * sizeof *pose);
    md5_xform *scratch = pose + m->joint_count, step;
    md5_player legs, arms;
    memset(&legs, 0, sizeof legs);
    memset(&arms, 0, sizeof arms);
    legs.root_motion = MD5_TRAVEL | MD5_TURN;
    md5_play(&legs, shared.walk, MD5_LOOP, 0);
    md5_play(&legs, shared.wave, MD5_LOOP, 5);
    md5_play_once(&arms, shared.wave, 0.1f, 0.1f);
    md5_advance(&legs, 0.1f + (float)round * 0.05f);
    md5_advance(&arms, 0.05f);

    md5_player_motion(&legs, &step);
    md5_player_pose(m, &legs, pose, scratch);
    md5_player_pose_over(m, &arms, 1, NULL, pose, scratch);
    md5_pose_aim(m, pose, 1, NULL, target, 1, 1);
    mix(hash, &step, sizeof step);
    mix(hash, pose, m->joint_count * sizeof *pose);
    free(pose);
}

static void load_md5(uint32_t round, uint64_t *hash)
{
    md5_model *m = md5_load_model_memory(shared.md5_file.bytes, shared.md5_file.size, NULL, NULL);
    (void)round;
    mix(hash, m ? m->meshes[0].vertices : NULL,
        m ? m->meshes[0].vertex_count * sizeof *m->meshes[0].vertices : 0);
    md5_free_model(m);
}

static void retarget_md5(uint32_t round, uint64_t *hash)
{
    md5_anim *anim = md5_retarget_anim(shared.md5, shared.md5,
                                       round % 2 ? shared.walk : shared.wave, NULL,
                                       NULL, NULL);
    bool fits = anim && md5_check_anim(shared.md5, anim, NULL) == MD5_OK;
    mix(hash, fits ? anim->frames : NULL, fits ? anim->moving_count * sizeof *anim->frames : 0);
    md5_free_anim(anim);
}

static bool mix_path(void *hash, const char *path)
{
    mix((uint64_t *)hash, path, strlen(path));
    return false;
}

static void name_textures(uint32_t round, uint64_t *hash)
{
    char path[200];
    md2_find_skin(shared.md2, "a/tris.md2", 0, mix_path, hash, path, sizeof path);
    md5_find_texture(shared.md5, "a/arm.md5mesh", round % 2, mix_path, hash, path, sizeof path);
}

static const struct {
    const char *what;
    void (*work)(uint32_t round, uint64_t *hash);
} parts[PARTS] = {
    { "vertices of an MD2 model that all share", pose_md2 },
    { "normals of another one, of which some cancel out", cancel_normals },
    { "an MD2 model of its own, loaded", load_md2 },
    { "a pose and vertices of an MD5 model that all share", pose_md5 },
    { "a character of its own, with players and a joint that aims", play_md5 },
    { "an MD5 model of its own, loaded", load_md5 },
    { "a shared animation, retargeted", retarget_md5 },
    { "paths of skins and textures", name_textures }
};

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER; /* closed until all threads are there */

/* Each thread does the parts in another order, so that different ones meet. */
static void *work(void *user)
{
    worker *w = (worker *)user;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    for (uint32_t i = 0; i < ROUNDS * PARTS; ++i) {
        uint32_t round = i / PARTS, part = (i + w->number) % PARTS;
        w->hash[round][part] = 14695981039346656037u;
        parts[part].work(round, &w->hash[round][part]);
    }
    return NULL;
}

/* -- Together --------------------------------------------------------------- */

static bool prepare(void)
{
    m2_bytes random = m2_random(1, 400, 600, ROUNDS + 1);
    m5_text wave;
    memset(&wave, 0, sizeof wave);
    shared.random = md2_load_memory(random.data, random.size, NULL, NULL);
    m2_free(&random);
    shared.md2_file = m2_named("player");
    m5_arm_mesh(&shared.md5_file, 0);
    m5_arm_anim(&shared.walk_file, M5_WALK, 0);
    m5_arm_anim(&wave, M5_WAVE, 0);
    shared.md2 = md2_load_memory(shared.md2_file.data, shared.md2_file.size, NULL, NULL);
    shared.md5 = md5_load_model_memory(shared.md5_file.bytes, shared.md5_file.size, NULL, NULL);
    shared.walk = md5_load_anim_memory(shared.walk_file.bytes, shared.walk_file.size, "walk", NULL,
                                       NULL);
    shared.wave = md5_load_anim_memory(wave.bytes, wave.size, "wave", NULL, NULL);
    m5_free(&wave);
    return shared.md2 && shared.random && shared.md5 && shared.walk && shared.wave;
}

static void clear_away(void)
{
    md2_free_model(shared.md2);
    md2_free_model(shared.random);
    md5_free_model(shared.md5);
    md5_free_anim(shared.walk);
    md5_free_anim(shared.wave);
    m2_free(&shared.md2_file);
    m5_free(&shared.md5_file);
    m5_free(&shared.walk_file);
}

/* The points whose normals cancel in a round of cancel_normals. */
static uint32_t count_cancelled(const md2_model *m, uint32_t round)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->point_count; ++i) {
        const float *a = md2_normal(m->frames[round].points[i].normal);
        const float *b = md2_normal(m->frames[round + 1].points[i].normal);
        count += a[0] == -b[0] && a[1] == -b[1] && a[2] == -b[2];
    }
    return count;
}

static worker alone, together[THREADS];

/* All have ended when this returns: a failure must not free what they use. */
static uint32_t run_threads(void)
{
    uint32_t started = 0;
    pthread_mutex_lock(&gate);
    while (started < THREADS) {
        worker *w = &together[started];
        w->number = started;
        if (pthread_create(&w->thread, NULL, work, w) != 0) break;
        ++started;
    }
    pthread_mutex_unlock(&gate);
    for (uint32_t i = 0; i < started; ++i) pthread_join(together[i].thread, NULL);
    return started;
}

static void test_together(void)
{
    uint32_t cancelled = 0;
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        cancelled += count_cancelled(shared.random, round);
    }
    CHECK(cancelled > 0);

    work(&alone);
    check_scene("all threads at work");
    CHECK_EQ(run_threads(), THREADS);
    for (uint32_t i = 0; i < THREADS; ++i) {
        check_scene("thread %u of %d", (unsigned)i + 1, THREADS);
        for (uint32_t k = 0; k < ROUNDS * PARTS; ++k) {
            uint32_t round = k / PARTS, part = k % PARTS;
            check_step("round %u: %s", (unsigned)round, parts[part].what);
            uint64_t hash = together[i].hash[round][part], hash_alone = alone.hash[round][part];
            CHECK(hash_alone != 0);
            CHECK(hash == hash_alone);
        }
    }
}

/* Writing to a model is what nobody may do. */
static void *write_to_model(void *user)
{
    for (int i = 0; i < 1000; ++i) ++*(uint32_t *)user;
    return NULL;
}

static int race(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, write_to_model, &shared.md2->flags) != 0) return 2;
    write_to_model(&shared.md2->flags);
    pthread_join(thread, NULL);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    int status;
    check_start(argc, argv, "--race");
    if (!CHECK(prepare())) return check_finish();
    if (check_option("--race")) {
        status = race();
    } else {
        RUN(test_together, "eight threads share a model, and compute what one alone does");
        status = check_finish();
    }
    clear_away();
    return status;
}
