/* bench_build CHARACTER-FOLDER: what the library takes as this program is compiled, in nanoseconds: to
   load an MD2, to blend one of its vertices with a normal, to pose a joint, to skin a vertex with a
   normal. bench compiles and runs it without optimization, for size, and for the web. Public domain. */
#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#include "md2.h"
#include "md5.h"

#include <stdio.h>
#include <time.h>

enum { MOST_JOINTS = 64, MOST_FLOATS = 3 * 4096, ROUNDS = 15 };

static struct character {
    char       path[1024];
    md2_model *md2;
    md5_model *md5;
    md5_anim  *run;
    md5_xform  pose[MOST_JOINTS];
    float      positions[MOST_FLOATS], normals[MOST_FLOATS];
} on;

static const char *path_of(const char *folder, const char *name)
{
    snprintf(on.path, sizeof on.path, "%s/%s", folder, name);
    return on.path;
}

static void load(void) { md2_free_model(md2_load_file(on.path, NULL, NULL)); }

static void blend(void)
{
    md2_pose pose = md2_pose_between(0, 1, 0.37f);
    md2_pose_vertices(on.md2, &pose, on.positions, 0, on.normals, 0);
}

static void pose(void)
{
    md5_pose_at(on.md5, on.run, MD5_LOOP, 0.1, on.pose);
    md5_pose_to_model_space(on.md5, on.pose, on.pose);
}

static void skin(void)
{
    md5_pose_vertices(on.md5, 0, on.pose, on.positions, 0, on.normals, 0, NULL, 0);
}

/* In seconds. (On the web clock() counts whole milliseconds.) */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double measure_once(void (*task)(void), long times)
{
    double start = now();
    for (long i = 0; i < times; ++i) task();
    return now() - start;
}

/* Of several, as the first ones are slow where code is compiled while it runs. */
static double find_shortest(void (*task)(void), long times)
{
    double least = measure_once(task, times);
    for (int i = 1; i < ROUNDS; ++i) {
        double took = measure_once(task, times);
        least = took < least ? took : least;
    }
    return least;
}

/* Prints the shortest time, of so many at once that they take 10 ms or more. */
static void measure(void (*task)(void), double items)
{
    long   times = 1;
    double least = find_shortest(task, times);
    while (least < 0.01) {
        times *= 2;
        least = find_shortest(task, times);
    }
    printf("%.4f\n", least * 1e9 / (double)times / items);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : ".";
    on.md5 = md5_load_model_file(path_of(folder, "robot.md5mesh"), NULL, NULL);
    on.run = md5_load_anim_file(path_of(folder, "run.md5anim"), NULL, NULL);
    on.md2 = md2_load_file(path_of(folder, "tris.md2"), NULL, NULL);
    if (!on.md2 || !on.md5 || !on.run || on.md5->joint_count > MOST_JOINTS ||
        on.md2->vertex_count * 3 > MOST_FLOATS || on.md5->meshes[0].vertex_count * 3 > MOST_FLOATS) {
        return 1;
    }

    measure(load, 1);
    measure(blend, on.md2->vertex_count);
    measure(pose, on.md5->joint_count);
    measure(skin, on.md5->meshes[0].vertex_count);
    md2_free_model(on.md2);
    md5_free_model(on.md5);
    md5_free_anim(on.run);
    return 0;
}
