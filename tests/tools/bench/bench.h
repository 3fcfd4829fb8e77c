/* bench.h: measures two tasks against each other. Small samples of both take turns, so that other load on the machine
   affects both equally. The result is the median of the ratios of adjacent samples. Public domain.

   Define _DEFAULT_SOURCE before the first #include. */
#ifndef BENCH_H_INCLUDED
#define BENCH_H_INCLUDED

#include "check.h"
#include "support.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* -- Time ------------------------------------------------------------------- */

typedef void (*bench_task)(void);
typedef double (*bench_clock)(void);

/* Returns the processor time of this thread; other threads on the same processor do not count. */
static inline double bench_own_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns the processor time of the child processes that have ended. */
static inline double bench_child_time(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static inline double bench_sample(bench_clock clock_of, bench_task task, unsigned long times)
{
    double        start = clock_of();
    for (unsigned long i = 0; i < times; ++i) task();
    return (clock_of() - start) / (double)times;
}

#define BENCH_SAMPLE 0.0008 /* minimum seconds of a sample */
#define BENCH_BUDGET 0.30   /* approximate seconds of a comparison */
enum { BENCH_LEAST_ROUNDS = 7, BENCH_MOST_ROUNDS = 61 };

static inline unsigned long bench_repetitions(bench_clock clock_of, bench_task task)
{
    unsigned long times = 1;
    double        took;
    while ((took = bench_sample(clock_of, task, times) * (double)times) < BENCH_SAMPLE) {
        times = took > BENCH_SAMPLE / 20 ? (unsigned long)((double)times * BENCH_SAMPLE / took) + 1
                                         : times * 8;
    }
    return times;
}

static inline int bench_compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static inline double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof(double), bench_compare_doubles);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

typedef struct bench_result {
    double ours, other;  /* median seconds of the library and of the plain code */
    double ratio;        /* median of ours / other in all rounds */
    double low, high;    /* quartiles of the ratio */
} bench_result;

/* Compares two tasks in `rounds` rounds; 0 means as many as the budget allows. */
static inline bench_result bench_compare(bench_clock clock_of, bench_task ours, bench_task other,
                                         int rounds)
{
    double        a[BENCH_MOST_ROUNDS], b[BENCH_MOST_ROUNDS], ratio[BENCH_MOST_ROUNDS];
    unsigned long a_times = bench_repetitions(clock_of, ours), b_times = bench_repetitions(clock_of, other);
    double        one_round = bench_sample(clock_of, ours, a_times) * (double)a_times +
                              bench_sample(clock_of, other, b_times) * (double)b_times;
    bench_result  result;
    if (!rounds) {
        rounds = (int)(BENCH_BUDGET / one_round);
        rounds = rounds < BENCH_LEAST_ROUNDS ? BENCH_LEAST_ROUNDS : rounds;
    }
    if (rounds > BENCH_MOST_ROUNDS) rounds = BENCH_MOST_ROUNDS;
    for (int i = 0; i < rounds; ++i) {
        if (i % 2) a[i] = bench_sample(clock_of, ours, a_times);
        b[i] = bench_sample(clock_of, other, b_times);
        if (i % 2 == 0) a[i] = bench_sample(clock_of, ours, a_times);
        ratio[i] = a[i] / b[i];
    }
    result.ours = bench_median(a, rounds);
    result.other = bench_median(b, rounds);
    result.ratio = bench_median(ratio, rounds); /* also sorts the ratios */
    result.low = ratio[rounds / 4];
    result.high = ratio[rounds - 1 - rounds / 4];
    return result;
}

/* Returns the median seconds of a task. */
static inline double bench_measure(bench_task task)
{
    double        took[BENCH_MOST_ROUNDS];
    unsigned long times = bench_repetitions(bench_own_time, task);
    double        one_round = bench_sample(bench_own_time, task, times) * (double)times;
    int           rounds = (int)(BENCH_BUDGET / 3 / one_round);
    rounds = rounds < 5 ? 5 : rounds > BENCH_MOST_ROUNDS ? BENCH_MOST_ROUNDS : rounds;
    for (int i = 0; i < rounds; ++i) took[i] = bench_sample(bench_own_time, task, times);
    return bench_median(took, rounds);
}

/* -- The table ---------------------------------------------------------------- */

static unsigned rows_measured;

/* Prints the head of a Markdown table, whose columns are also aligned as text. */
static inline void bench_heading(void)
{
    printf("| %-48s | %-36s | %9s | %9s | %6s | %14s |\n"
           "|---|---|---:|---:|---:|---|\n",
           "what", "compared with", "ours", "theirs", "ratio", "spread");
}

static inline void bench_row(const char *what, const char *against, const char *ours,
                             const char *other, bench_result result)
{
    char spread[32] = "";
    if (result.low < result.high) snprintf(spread, sizeof spread, "%.2f..%.2f", result.low, result.high);
    ++rows_measured;
    printf("| %-48s | %-36s | %9s | %9s | %6.2f | %14s |\n", what, against, ours, other,
           result.ratio, spread);
    fflush(stdout);
}

/* Prints how to read the table. */
static inline void bench_summary(void)
{
    printf("\nThe ratio is ours / theirs: below 1, md2.h or md5.h is faster or smaller. Times are medians of rounds in\n"
           "which both take turns; the spread is the middle half of the rounds. Times and ratios differ between\n"
           "machines, and on a busy machine from run to run, so a slow row is not a failed test.\n"
           "\n"
           "Ratios to other programs, measured in November 2026 on one core of a 3.5 GHz Xeon with gcc 12 -O2:\n"
           "yquake2 69599f5: load an MD2 0.53, blend a vertex 0.42. q2pro 3aa0d40: blend a vertex 0.44.\n"
           "assimp 5.2.5: load an MD2 0.72 to 0.85, a .md5mesh 0.25, a .md5anim 0.13. dhewm3 ae43c28: load a\n"
           ".md5mesh 0.36, a .md5anim 0.27. ozz-animation 6cbdc79: pose 0.99 to 1.18, mix two poses 1.24 to 1.48,\n"
           "four poses 1.44 to 1.72; skin positions with one weight 1.26, with four weights 0.85. Since then,\n"
           "posing and mixing have become faster (0.65 to 0.8 of these ratios), and loading an MD5 has become\n"
           "slower (1.4 to 1.5 times).\n");
}

static inline const char *bench_format_time(double seconds, char out[24])
{
    double ns = seconds * 1e9;
    if (ns < 1e3) snprintf(out, 24, ns < 10 ? "%.2f ns" : "%.0f ns", ns);
    else if (ns < 1e6) snprintf(out, 24, ns < 1e4 ? "%.2f us" : "%.1f us", ns / 1e3);
    else snprintf(out, 24, ns < 1e7 ? "%.2f ms" : "%.1f ms", ns / 1e6);
    return out;
}

static inline void bench_row_times(const char *what, const char *against,
                                   bench_result result, double items)
{
    char ours[24], other[24];
    bench_row(what, against, bench_format_time(result.ours / items, ours),
              bench_format_time(result.other / items, other), result);
}

/* Prints a row of two numbers that are not times, such as bytes. */
static inline void bench_row_figures(const char *what, const char *against,
                                     double ours, double other)
{
    const bench_result result = { .ratio = ours / other };
    char a[24], b[24];
    snprintf(a, sizeof a, "%.0f", ours);
    snprintf(b, sizeof b, "%.0f", other);
    bench_row(what, against, a, b, result);
}

#endif /* BENCH_H_INCLUDED */
