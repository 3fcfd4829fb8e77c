/* bench_counts CHARACTER-FOLDER: runs each task that must be fast once, always with the same input, and marks for
   callgrind where each task begins and ends. bench_check.py adds up the instructions that ran inside the libraries.
   Public domain. */
#define MD2_GL
#define MD5_GL
#include "md2.h"
#include "md5.h"

#include "bench_inputs.h"

#include <valgrind/callgrind.h>

/* An allocator that returns the same addresses in each run, so that hashes of addresses are also the same. */
static union {
    unsigned char bytes[64 << 20];
    double        aligned;
} arena;
static size_t arena_used;

static void *arena_alloc(void *user, size_t size)
{
    void *block = arena.bytes + arena_used;
    (void)user;
    arena_used += (size + 63) / 64 * 64;
    return arena_used <= sizeof arena.bytes ? block : NULL;
}

static void arena_release(void *user, void *block, size_t size)
{
    (void)user, (void)block, (void)size;
}

static const md2_options md2_plain = { 0, 0, 0, 0, { arena_alloc, arena_release, NULL } };
static const md5_options md5_plain = { 0, 0, 0, NULL, 0, { arena_alloc, arena_release, NULL } };

enum { INSTANCES = 500, CALLS = 1000, JOINTS = 64 };

static struct inputs {
    bench_bytes md2, mesh, anim;
    md2_model  *knight_md2;
    md5_model  *knight_md5;
    md5_anim   *stand;
    md2_pose    pose;
    md5_xform   local[JOINTS], bind[JOINTS];
    float       palette[12 * JOINTS], out[3][4 * 4096];
    const char *names[512];
    md2_anim    anims[512];
    md2_player  md2_player;
    md5_player  md5_player;
} in;

/* -- Counted calls ------------------------------------------------------------- */

static void advance_md2(void)
{
    md2_pose pose;
    for (int i = 0; i < CALLS; ++i) {
        md2_advance(&in.md2_player, 1 / 60.0f);
        pose = md2_player_pose(&in.md2_player);
    }
    CHECK(pose.count > 0);
}

static void advance_md5(void)
{
    for (int i = 0; i < CALLS; ++i) md5_advance(&in.md5_player, 1 / 60.0f);
    CHECK(in.md5_player.track[0].time > 1);
}

static md2_model *load_md2(const md2_options *options)
{
    return md2_load_memory(in.md2.data, in.md2.size, options, NULL);
}

static md5_model *load_mesh(void)
{
    return md5_load_model_memory(in.mesh.data, in.mesh.size, &md5_plain, NULL);
}

static md5_anim *load_anim(void)
{
    return md5_load_anim_memory(in.anim.data, in.anim.size, "", &md5_plain, NULL);
}

static void pose_vertices(float *normals, float *tangents)
{
    md5_pose_vertices(in.knight_md5, 0, in.bind, in.out[0], 0, normals, 0, tangents, 0);
}

/* Callgrind writes the name to its output. */
#define COUNT(name, call)                    \
    do {                                     \
        arena_used = arena_kept;             \
        CALLGRIND_ZERO_STATS;                \
        call;                                \
        CALLGRIND_DUMP_STATS_AT(#name);      \
        ++counted;                           \
    } while (0)

static unsigned count_all(size_t arena_kept)
{
    unsigned counted = 0;
    COUNT(load_md2, CHECK(load_md2(&md2_plain)));
    COUNT(load_mesh, CHECK(load_mesh()));
    COUNT(load_anim, CHECK(load_anim()));
    COUNT(lerp, md2_pose_vertices(in.knight_md2, &in.pose, in.out[0], 0, NULL, 0));
    COUNT(lerp_normals, md2_pose_vertices(in.knight_md2, &in.pose, in.out[0], 0, in.out[1], 0));
    COUNT(lerp_bounds, md2_pose_bounds(in.knight_md2, &in.pose, in.out[0], in.out[1]));
    COUNT(split_names, CHECK(md2_split_frame_names(in.names, in.knight_md2->frame_count, NULL, in.anims,
                                                   512) > 10));
    COUNT(advance_md2, advance_md2());
    COUNT(advance_md5, advance_md5());
    COUNT(pose_at, md5_pose_at(in.knight_md5, in.stand, MD5_LOOP, 0.13, in.local));
    COUNT(pose_mix, md5_pose_mix(in.local, in.bind, 0.3f, NULL, in.knight_md5->joint_count, in.local));
    COUNT(pose_to_model_space, md5_pose_to_model_space(in.knight_md5, in.local, in.local));
    COUNT(pose_palette, md5_pose_palette(in.knight_md5, in.bind, in.palette));
    COUNT(skin, pose_vertices(NULL, NULL));
    COUNT(skin_normals, pose_vertices(in.out[1], in.out[2]));
    COUNT(draw_md2, draw_md2());
    COUNT(draw_md5, draw_md5());
    return counted;
}

/* -- Inputs --------------------------------------------------------------------- */

static void load_all(const char *folder)
{
    in.md2 = bench_read(folder, "tris.md2");
    in.mesh = bench_read(folder, "knight.md5mesh");
    in.anim = bench_read(folder, "stand.md5anim");
    in.knight_md2 = load_md2(&md2_plain);
    in.knight_md5 = load_mesh();
    in.stand = load_anim();
    if (!CHECK(in.knight_md2 && in.knight_md5 && in.knight_md5->joint_count <= JOINTS && in.stand)) exit(EXIT_FAILURE);
    for (uint32_t i = 0; i < in.knight_md2->frame_count && i < 512; ++i)
        in.names[i] = in.knight_md2->frames[i].name;
}

static void pose_all(void)
{
    in.pose = md2_pose_between(3, 4, 0.4f);
    for (uint32_t i = 0; i < in.knight_md5->joint_count; ++i) in.bind[i] = in.knight_md5->joints[i].bind;
    md2_play(&in.md2_player, &in.knight_md2->anims[0], MD2_LOOP, 0);
    md5_play(&in.md5_player, in.stand, MD5_LOOP, 0);
    md5_pose_palette(in.knight_md5, in.bind, in.palette);
    crowd.count = INSTANCES;
    for (uint32_t i = 0; i < INSTANCES; ++i) {
        crowd.md2_instances[i].pose = md2_pose_between(i % 50, i % 50 + 1, 0.25f);
        crowd.md2_instances[i].transform[0] = crowd.md2_instances[i].transform[5] = 1;
        crowd.md2_instances[i].transform[10] = crowd.md2_instances[i].transform[15] = 1;
        crowd.md5_instances[i].palette = in.palette;
    }
}

#if defined(__clang__)
  #define COMPILER "clang", __clang_major__
#elif defined(__GNUC__)
  #define COMPILER "gcc", __GNUC__
#else
  #define COMPILER "other", 0
#endif
#if defined(__x86_64__)
  #define PROCESSOR "x86_64"
#elif defined(__aarch64__)
  #define PROCESSOR "aarch64"
#else
  #define PROCESSOR "other"
#endif

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: valgrind --tool=callgrind %s character-folder\n", argv[0]);
        return EXIT_FAILURE;
    }
    load_all(argv[1]);
    pose_all();
    start_gl(fake_gl_get_proc, in.knight_md2, in.knight_md5);
    draw_md2(); /* the first draw allocates memory */
    draw_md5();
    unsigned counted = count_all(arena_used);
    CHECK_EQ(fake.mistakes, 0);
    end_gl();
    CHECK_EQ(counted, 17);
    printf("compiler %s %d %s\n", COMPILER, PROCESSOR);
    return check_failures() ? check_finish() : EXIT_SUCCESS;
}
