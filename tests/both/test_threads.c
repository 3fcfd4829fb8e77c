/* Eight threads use the same models, and each thread loads other models meanwhile. ThreadSanitizer reports
   memory that two threads access at the same time; this program has no checks of its own. Run it with
   `make sanitize ONLY=threads`.

   test_threads --race    two threads write to one model. ThreadSanitizer must report it; otherwise it is not
                          active

   Public domain. */
#include "md2.h"
#include "md5.h"

#include "check.h"
#include "model_builder_md2.h"
#include "model_builder_md5.h"
#include "support.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 24, PARTS = 8 };

/* Data that the threads share. No thread writes to it. */
static struct shared {
    md2_model *md2, *random;
    md5_model *md5;
    md5_anim  *walk, *wave;
    m2_bytes   md2_file;
    m5_text    md5_file, walk_file;
} shared;

/* -- One round ------------------------------------------------------------ */

static void pose_vertices(const md2_model *m, md2_pose pose)
{
    size_t floats = (size_t)m->vertex_count * 3;
    float *out = (float *)malloc_or_abort(floats * 2 * sizeof *out), low[3], high[3];
    md2_pose_vertices(m, &pose, out, 0, out + floats, 0);
    md2_pose_bounds(m, &pose, low, high);
    free(out);
}

static void pose_md2(uint32_t round)
{
    const md2_anim *anim = &shared.md2->anims[round % shared.md2->anim_count];
    pose_vertices(shared.md2, md2_pose_at(anim, MD2_LOOP, round * 0.37));
}

/* The normals of this model are random. Some of them cancel halfway between two frames. */
static void cancel_normals(uint32_t round)
{
    pose_vertices(shared.random, md2_pose_between(round, round + 1, 0.5f));
}

static void load_md2(uint32_t round)
{
    md2_options options;
    memset(&options, 0, sizeof options);
    options.flags = round % 2 ? MD2_Y_UP : 0;
    md2_free_model(md2_load_memory(shared.md2_file.data, shared.md2_file.size, &options, NULL));
}

static void pose_md5(uint32_t round)
{
    const md5_model *m = shared.md5;
    md5_xform *pose = (md5_xform *)malloc_or_abort(m->joint_count * 2 * sizeof *pose);
    float *palette = (float *)malloc_or_abort(m->joint_count * 12 * sizeof *palette);
    md5_pose_at(m, shared.walk, MD5_LOOP, round * 0.21, pose);
    md5_pose_at(m, shared.wave, MD5_PING_PONG, round * 0.13, pose + m->joint_count);
    md5_pose_mix(pose, pose + m->joint_count, 0.4f, NULL, m->joint_count, pose);
    md5_pose_to_model_space(m, pose, pose);
    md5_pose_palette(m, pose, palette);

    for (uint32_t mesh = 0; mesh < m->mesh_count; ++mesh) {
        size_t count = m->meshes[mesh].vertex_count;
        float *out = (float *)malloc_or_abort(count * 10 * sizeof *out);
        md5_pose_vertices(m, mesh, pose, out, 0, out + count * 3, 0, out + count * 6, 0);
        free(out);
    }
    free(palette);
    free(pose);
}

/* Plays a character of this thread: a crossfade, a layer, root motion and a joint that aims. */
static void play_md5(uint32_t round)
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
    free(pose);
}

static void load_md5(uint32_t round)
{
    (void)round;
    md5_free_model(md5_load_model_memory(shared.md5_file.bytes, shared.md5_file.size, NULL, NULL));
}

static void retarget_md5(uint32_t round)
{
    md5_anim *anim = round % 2 ? shared.walk : shared.wave;
    md5_free_anim(md5_retarget_anim(shared.md5, shared.md5, anim, NULL, NULL, NULL));
}

static bool refuse_path(void *user, const char *path)
{
    (void)user;
    (void)path;
    return false;
}

static void name_textures(uint32_t round)
{
    char path[200];
    md2_find_skin(shared.md2, "a/tris.md2", 0, refuse_path, NULL, path, sizeof path);
    md5_find_texture(shared.md5, "a/arm.md5mesh", round % 2, refuse_path, NULL, path, sizeof path);
}

static void (*const parts[PARTS])(uint32_t round) = {
    pose_md2, cancel_normals, load_md2, pose_md5, play_md5, load_md5, retarget_md5, name_textures
};

/* -- Threads ---------------------------------------------------------------- */

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER; /* closed until all threads have started */

/* Runs all parts, in a different order in each thread, so that different parts run at the same time. */
static void *work(void *first_part)
{
    size_t first = (size_t)first_part;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    for (uint32_t i = 0; i < ROUNDS * PARTS; ++i) parts[(i + first) % PARTS](i / PARTS);
    return NULL;
}

/* Breaks the rule that no thread may write to a shared model. */
static void *write_to_model(void *user)
{
    (void)user;
    for (int i = 0; i < 1000; ++i) ++shared.md2->flags;
    return NULL;
}

static void run_threads(size_t count, void *(*run)(void *))
{
    pthread_t thread[THREADS];
    pthread_mutex_lock(&gate);
    for (size_t i = 0; i < count; ++i) {
        if (!CHECK(pthread_create(&thread[i], NULL, run, (void *)i) == 0)) exit(EXIT_FAILURE);
    }
    pthread_mutex_unlock(&gate);
    for (size_t i = 0; i < count; ++i) pthread_join(thread[i], NULL);
}

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

int main(int argc, char **argv)
{
    check_start(argc, argv, "--race");
    if (!CHECK(prepare())) return check_finish();
    if (check_option("--race")) run_threads(2, write_to_model);
    else run_threads(THREADS, work);

    md2_free_model(shared.md2);
    md2_free_model(shared.random);
    md5_free_model(shared.md5);
    md5_free_anim(shared.walk);
    md5_free_anim(shared.wave);
    m2_free(&shared.md2_file);
    m5_free(&shared.md5_file);
    m5_free(&shared.walk_file);
    return check_finish();
}
