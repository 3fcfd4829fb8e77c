/* The models of the rows that are measured now, and rows as tables: a name, our task, the other
   task. Public domain. */
#ifndef BENCH_ROWS_H_INCLUDED
#define BENCH_ROWS_H_INCLUDED

#include "bench_api.h"

#include "bench.h"
#include "bench_inputs.h"

#if defined(__SSE2__)
static const bench_api usual = BENCH_API("SSE2");
#elif defined(__aarch64__)
static const bench_api usual = BENCH_API("NEON");
#else
static const bench_api usual = BENCH_API("as built");
#endif
static const bench_api *const builds[2] = { &usual, &bench_plain_c };

enum { MOST_FILES = 512 };

/* The files and models of the rows that are measured now. */
static struct subject {
    const bench_api *api;
    bench_bytes      files[MOST_FILES];
    size_t           count, bytes;
    md2_model       *md2;
    md2_pose         md2_pose;
    md5_model       *md5;
    md5_anim        *anim;
    md5_xform       *pose;
    float           *positions, *normals, *tangents, *other_positions, *other_normals;
    float           *matrices, *other_matrices;
} on;

static volatile float sink; /* keeps the compiler from leaving out work */

static void *zeroes(size_t count, size_t size)
{
    void *block = malloc_or_abort(count * size);
    memset(block, 0, count * size);
    return block;
}

static float *zero_floats(size_t count) { return (float *)zeroes(count, sizeof(float)); }

/* -- Rows ------------------------------------------------------------------------ */

typedef struct row {
    const char *id, *what, *against;
    bench_task  ours, other;
    bench_bar   kind;
    double      bars[2]; /* of each build; 0 = none */
    int         builds;  /* 1: as usual; 2: in plain C too */
} row;

#define ROWS(list) list, sizeof(list) / sizeof(list)[0]

/* True where $ONLY is not set, or names the row. */
static bool is_wanted(const char *id)
{
    const char *only = getenv("ONLY"), *at = only;
    size_t      size = strlen(id);
    if (!only || !*only) return true;
    while ((at = strstr(at, id)) != NULL) {
        if (at[size] < '0' || at[size] > '9') return true;
        at += size;
    }
    return false;
}

/* Times of one of `items`. */
static void measure_rows(const char *subject, double items, const row *rows, size_t count)
{
    char   what[96];
    size_t i;
    int    build;
    for (i = 0; i < count; ++i) {
        const row *r = &rows[i];
        for (build = 0; build < r->builds && is_wanted(r->id); ++build) {
            on.api = builds[build];
            snprintf(what, sizeof what, "%s, %s, %s", r->what, subject, on.api->name);
            bench_row_times(r->id, what, r->against,
                            bench_compare_by(bench_own_time, r->ours, r->other, 0), items, r->kind,
                            r->bars[build]);
        }
    }
    on.api = &usual;
}

static void row_of_figures(const char *id, const char *what, const char *subject,
                           const char *against, double ours, double other, bench_bar kind,
                           double bar)
{
    char text[96];
    snprintf(text, sizeof text, "%s, %s", what, subject);
    bench_row_figures(id, text, against, ours, other, kind, bar);
}

static double largest_difference(const float *a, const float *b, size_t count)
{
    double largest = 0;
    size_t i;
    for (i = 0; i < count; ++i) {
        double difference = fabs((double)a[i] - (double)b[i]);
        largest = difference > largest || difference != difference ? difference : largest;
    }
    return largest;
}

static void load_md5(bench_bytes file)
{
    uint32_t i;
    on.md5 = md5_load_model_memory(file.data, file.size, NULL, NULL);
    bench_free(&file);
    if (!CHECK(on.md5 != NULL)) exit(EXIT_FAILURE);
    on.pose = (md5_xform *)zeroes(on.md5->joint_count, sizeof(md5_xform));
    for (i = 0; i < on.md5->joint_count; ++i) on.pose[i] = on.md5->joints[i].bind;
}

static void free_md5(void)
{
    md5_free_model(on.md5);
    free(on.pose);
}

#endif /* BENCH_ROWS_H_INCLUDED */
