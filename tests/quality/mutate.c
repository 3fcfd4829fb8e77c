/* mutate.c: makes small changes to the headers, one at a time, and counts how many of them the tests
   notice. A change that does not compile does not count; one that makes a test fail, crash or run for
   too long is noticed. Changes that no test notices are printed, unless tests/quality/mutants.txt says
   why nobody can.

   mutate [--count N] [--seed N] [--header FILE] [--functions NAMES] [--kinds KINDS]
          [--simd] [--no-second-look] [--trust] [--cc COMPILER] [--work FOLDER] [--percent N]

   --count            this many changes, chosen at random; 0 is all of them
   --functions        only in these: md2__fail,md2__fail_at
   --kinds            only these: condition, comparison, logic, arithmetic, constant, swap, statement
   --trust            skips the changes that tests/quality/mutants.txt explains
   --simd             only the lines that MD2_NO_SIMD and MD5_NO_SIMD leave out, with gcc
   --no-second-look   does not try survivors again under the sanitizers of gcc, which notice reads out
                      of bounds

   Runs from the repository's root, on POSIX. Public domain. */
#define _POSIX_C_SOURCE 200809L
#include "mutate.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* -- What is tried --------------------------------------------------------- */

typedef struct program {
    const char *header, *name, *arguments;
    char       *files;                /* with the options that compile them, from the Makefile */
    bool       *active;               /* [line] of the header: compiled into this program */
    double      seconds;              /* to run it without a change */
} program;

static program programs[] = {
    { "md2.h", "test_md2", "", NULL, NULL, 0 },
    { "md2.h", "test_names", "", NULL, NULL, 0 },
    { "md2.h", "test_gl_mock", "out", NULL, NULL, 0 },
    { "md2.h", "torture_md2", "--quick", NULL, NULL, 0 },
    { "md2.h", "hashes", "out", NULL, NULL, 0 },
    { "md5.h", "test_md5", "--quick", NULL, NULL, 0 },
    { "md5.h", "test_gl_mock", "out", NULL, NULL, 0 },
    { "md5.h", "torture_md5", "--quick", NULL, NULL, 0 },
    { "md5.h", "hashes", "out", NULL, NULL, 0 }
};

enum { PROGRAMS = sizeof programs / sizeof programs[0] };

static struct settings {
    long        count, seed, percent;
    const char *header, *cc, *work;
    const char *functions, *kinds;    /* NULL is all */
    bool        simd, second_look, trust;
} settings = { 200, 1, 90, NULL, "tcc", "build/mutate", NULL, NULL, false, true, false };

static const char sanitizer[] = "gcc -O0 -g0 -w -fsanitize=address,undefined -fno-sanitize-recover=all";

/* -- Running --------------------------------------------------------------- */

static double now(void)
{
    struct timeval at;
    gettimeofday(&at, NULL);
    return (double)at.tv_sec + (double)at.tv_usec / 1e6;
}

/* The exit status of a command of the shell, which is freed; -1 if a signal ended it, or this program after
   so many seconds of processor time, or many more by the clock: others may use the processor. */
static int run(char *command, double seconds)
{
    pid_t  child = fork();
    int    status = 0;
    double begun = now();
    if (child < 0) stop("mutate: cannot fork");
    if (child == 0) {
        struct rlimit limit;
        int           nowhere = open("/dev/null", O_RDWR);
        setpgid(0, 0);
        dup2(nowhere, 0);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        limit.rlim_cur = limit.rlim_max = (rlim_t)(seconds + 1);
        setrlimit(RLIMIT_CPU, &limit);
        limit.rlim_cur = limit.rlim_max = 0;
        setrlimit(RLIMIT_CORE, &limit);
        limit.rlim_cur = limit.rlim_max = (rlim_t)256 << 20;
        setrlimit(RLIMIT_FSIZE, &limit);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    while (waitpid(child, &status, WNOHANG) == 0) {
        struct timespec nap = { 0, 3000000 };
        nanosleep(&nap, NULL);
        if (now() - begun > 20 * seconds + 60) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
    }
    free(command);
    return WIFEXITED(status) && WEXITSTATUS(status) < 128 ? WEXITSTATUS(status) : -1;
}

static const char *simd_flags(void) { return settings.simd ? "" : "-DMD2_NO_SIMD -DMD5_NO_SIMD"; }

static bool compile(const program *one, const char *cc)
{
    return run(format_text("cd %s && %s %s -o %s %s -lm", settings.work, cc, simd_flags(), one->name, one->files), 120) == 0;
}

/* A runaway may not take all memory, but the sanitizers reserve addresses without end. */
static int execute(const program *one, bool sanitized, double seconds)
{
    return run(format_text("cd %s && %s CHECK_STOP=1 UBSAN_OPTIONS=halt_on_error=1 ASAN_OPTIONS=detect_leaks=0 exec ./%s %s",
                           settings.work, sanitized ? "" : "ulimit -v 4000000;", one->name, one->arguments), seconds);
}

/* Marks the lines of the header that are compiled into a program. */
static void find_active(program *one, const char *cc, long lines)
{
    char  line[20000], *command;
    long  number = 0;
    bool  inside = false;
    FILE *pipe;
    one->active = (bool *)allocate((size_t)lines + 2);
    command = format_text("cd %s && %s %s -E %s 2>/dev/null", settings.work, cc, simd_flags(), one->files);
    pipe = popen(command, "r");
    free(command);
    while (pipe && fgets(line, sizeof line, pipe)) {
        char path[1000];
        if (sscanf(line, "# %ld \"%999[^\"]\"", &number, path) == 2 ||
            sscanf(line, "#line %ld \"%999[^\"]\"", &number, path) == 2) {
            const char *name = strrchr(path, '/');
            inside = strcmp(name ? name + 1 : path, one->header) == 0;
            continue;
        }
        if (inside && number > 0 && number <= lines && strspn(line, " \t\r\n") < strlen(line)) one->active[number] = true;
        ++number;
    }
    if (pipe) pclose(pipe);
}

/* -- The verdict on one ---------------------------------------------------- */

enum { INVALID, NOTICED, SURVIVED };

static double allowance(double seconds) { return 4 * seconds + 2; }

static bool is_run(const program *one, const char *header, long line)
{
    return strcmp(one->header, header) == 0 && one->active[line];
}

/* The fake GL is for what is compiled nowhere else. */
static bool is_worth_running(const program *one, const char *header, long line)
{
    const program *before = programs;
    if (!is_run(one, header, line)) return false;
    for (; before < one && strcmp(one->name, "test_gl_mock") == 0; ++before) {
        if (is_run(before, header, line)) return false;
    }
    return true;
}

static void write_file(const char *path, const char *a, size_t a_size, const char *b, const char *c, size_t c_size)
{
    FILE *file = fopen(path, "wb");
    if (!file) stop("mutate: cannot write %s", path);
    fwrite(a, 1, a_size, file);
    fwrite(b, 1, strlen(b), file);
    fwrite(c, 1, c_size, file);
    if (fclose(file) != 0) stop("mutate: cannot write %s", path);
}

static void write_header(const char *header, const text *source, size_t start, const char *by, size_t end)
{
    char *path = format_text("%s/%s", settings.work, header);
    write_file(path, source->bytes, start, by, source->bytes + end, source->size - end);
    free(path);
}

static int try_mutant(const text *source, const mutant *one, bool sanitized)
{
    int i, built = 0;
    write_header(one->header, source, one->start, one->by, one->end);
    for (i = 0; i < PROGRAMS; ++i) {
        const program *p = &programs[i];
        if (!is_worth_running(p, one->header, one->line)) continue;
        if (!compile(p, sanitized ? sanitizer : settings.cc)) return built ? NOTICED : INVALID;
        ++built;
        if (execute(p, sanitized, allowance(sanitized ? p->seconds * 20 + 5 : p->seconds)) != 0) return NOTICED;
    }
    return built ? SURVIVED : INVALID;
}

/* The list, with commas between its items, holds this one; no list holds all. */
static bool is_listed(const char *list, const char *item)
{
    size_t size = strlen(item);
    while (list) {
        if (strncmp(list, item, size) == 0 && (list[size] == ',' || !list[size])) return true;
        list = strchr(list, ',');
        if (!list) return false;
        ++list;
    }
    return true;
}

/* Scalar code is active in the SIMD build too: with --simd only lines that are active in nothing else. */
static bool is_wanted(const mutant *one, const bool *plain)
{
    int i;
    if (!is_listed(settings.functions, one->function) || !is_listed(settings.kinds, one->kind) ||
        (plain && plain[one->line])) return false;
    for (i = 0; i < PROGRAMS; ++i) {
        if (is_run(&programs[i], one->header, one->line)) return true;
    }
    return false;
}

static uint64_t random_state;

static size_t random_below(size_t limit)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (size_t)((random_state * 2685821657736338717ull >> 33) % limit);
}

/* -- All of it ------------------------------------------------------------- */

static const char *const headers[2] = { "md2.h", "md5.h" };

static struct totals {
    unsigned long made, noticed, excused, invalid, unexplained, conditions;
} totals;

static char *files_of(const char *name)
{
    char  *command = format_text("make -s --no-print-directory files-%s", name), *files = format_text("%s", ""), *longer, line[500];
    FILE  *pipe = popen(command, "r");
    while (pipe && fgets(line, sizeof line, pipe)) {
        longer = format_text("%s%s", files, line);
        free(files);
        files = longer;
    }
    if (!pipe || pclose(pipe) != 0 || !*files) stop("mutate: make knows no files of %s", name);
    files[strcspn(files, "\n")] = 0;
    free(command);
    return files;
}

static void prepare(void)
{
    const char *to = settings.work;
    int         i;
    if (run(format_text("rm -rf %s && mkdir -p %s/out && cp md2.h md5.h %s/ && cp -R tests %s/", to, to, to, to), 60) != 0) {
        stop("mutate: cannot fill %s", to);
    }
    for (i = 0; i < PROGRAMS; ++i) {
        program *p = &programs[i];
        double   begun;
        p->files = files_of(p->name);
        if (settings.header && strcmp(settings.header, p->header) != 0) continue;
        if (!compile(p, settings.cc)) stop("mutate: %s does not compile", p->name);
        begun = now();
        if (execute(p, false, 300) != 0) stop("mutate: %s fails without a change", p->name);
        p->seconds = now() - begun;
        printf("mutate: %s of %s takes %.2f s\n", p->name, p->header, p->seconds);
    }
}

static long count_lines(const text *source)
{
    size_t i;
    long   lines = 1;
    for (i = 0; i < source->size; ++i) lines += source->bytes[i] == '\n';
    return lines;
}

/* Marks the lines of a header that any of the programs compiles. */
static bool *compiled_lines(const char *header, long lines)
{
    bool *compiled = (bool *)allocate((size_t)lines + 2);
    int   i;
    long  line;
    for (i = 0; i < PROGRAMS; ++i) {
        program *one = &programs[i];
        if (strcmp(one->header, header) != 0) continue;
        free(one->active);
        find_active(one, settings.cc, lines);
        for (line = 1; line <= lines; ++line) compiled[line] = compiled[line] || one->active[line];
    }
    return compiled;
}

static void collect(mutants *chosen, const char *header, const text *source)
{
    long    lines = count_lines(source);
    bool   *plain = NULL, *compiled;
    mutants list;
    size_t  i, k;
    if (settings.simd) {
        settings.simd = false;
        plain = compiled_lines(header, lines);
        settings.simd = true;
    }
    compiled = compiled_lines(header, lines);
    list = find_changes(header, source, compiled);
    chosen->at = (mutant *)realloc(chosen->at, (chosen->count + list.count) * sizeof *chosen->at);
    if (!chosen->at) stop("mutate: no memory");
    for (i = 0; i < list.count; ++i) {
        for (k = 0; k < excuse_count; ++k) excuses[k].found = excuses[k].found || is_about(&excuses[k], &list.at[i]);
        if (is_wanted(&list.at[i], plain)) chosen->at[chosen->count++] = list.at[i];
    }
    printf("mutate: %s: %lu changes are possible so far\n", header, (unsigned long)chosen->count);
    free(list.at);
    free(plain);
    free(compiled);
}

/* The whole line around a change, without the blanks before it. */
static void print_line(const text *source, size_t at)
{
    const char *first = source->bytes + at;
    while (first > source->bytes && first[-1] != '\n') --first;
    while (*first == ' ') ++first;
    printf("    %.*s\n", (int)strcspn(first, "\n"), first);
}

static void judge(const mutant *one, const text *source)
{
    excuse *explained = excuse_of(one);
    int     verdict = SURVIVED;
    if (!explained || !settings.trust) verdict = try_mutant(source, one, false);
    if (verdict == SURVIVED && settings.second_look && !explained) {
        verdict = try_mutant(source, one, true) == SURVIVED ? SURVIVED : NOTICED;
    }
    write_header(one->header, source, source->size, "", source->size);
    if (verdict == INVALID) ++totals.invalid;
    else ++totals.made;
    if (verdict == NOTICED) ++totals.noticed;
    if (verdict == SURVIVED && explained) {
        explained->used = true;
        ++totals.excused;
    } else if (verdict == SURVIVED) {
        ++totals.unexplained;
        totals.conditions += strcmp(one->kind, "condition") == 0;
        printf("%s:%ld: %s\n", one->header, one->line, one->kind);
        print_change(one->function, one->nth, one->change);
        print_line(source, one->start);
    }
}

static long argument(int argc, char **argv, int *i)
{
    if (*i + 1 >= argc) stop("mutate: %s of what?", argv[*i]);
    return strtol(argv[++*i], NULL, 10);
}

static void read_arguments(int argc, char **argv)
{
    int i;
    for (i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--count") == 0) settings.count = argument(argc, argv, &i);
        else if (strcmp(argv[i], "--seed") == 0) settings.seed = argument(argc, argv, &i);
        else if (strcmp(argv[i], "--percent") == 0) settings.percent = argument(argc, argv, &i);
        else if (strcmp(argv[i], "--simd") == 0) {
            settings.simd = true;
            settings.cc = "gcc -O0 -w";
        } else if (strcmp(argv[i], "--no-second-look") == 0) settings.second_look = false;
        else if (strcmp(argv[i], "--trust") == 0) settings.trust = true;
        else if (i + 1 < argc && strcmp(argv[i], "--functions") == 0) settings.functions = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--kinds") == 0) settings.kinds = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--header") == 0) settings.header = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--cc") == 0) settings.cc = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--work") == 0) settings.work = argv[++i];
        else stop("mutate: what is %s?", argv[i]);
    }
}

/* Entries of mutants.txt that match no change at all, and after a complete run those that a test notices. */
static unsigned long count_stale(bool complete)
{
    unsigned long i, stale = 0;
    for (i = 0; i < excuse_count; ++i) {
        const excuse *one = &excuses[i];
        if (settings.header || one->vectors != settings.simd || (one->found && (one->used || !complete))) continue;
        ++stale;
        printf("mutate: explained, but %s: ", one->found ? "noticed" : "not in the headers");
        print_change(one->function, one->nth, one->change);
    }
    return stale;
}

static int report(bool complete)
{
    unsigned long counted = totals.made - totals.excused, stale = count_stale(complete), passed, failed;
    bool          enough = counted && totals.noticed * 100 >= counted * (unsigned long)settings.percent;
    printf("mutate: %lu changes, %lu noticed (%.1f %% of those that could be), %lu explained, %lu unexplained, "
           "%lu of them checks; %lu more did not compile; %lu entries explain, %lu of them nothing\n",
           totals.made, totals.noticed, counted ? 100.0 * (double)totals.noticed / (double)counted : 0.0, totals.excused,
           totals.unexplained, totals.conditions, totals.invalid, (unsigned long)excuse_count, stale);
    if (!enough) printf("mutate: FAIL: fewer than %ld %% noticed\n", settings.percent);
    if (totals.conditions) printf("mutate: FAIL: checks that no test misses\n");
    passed = (enough ? 1 : 0) + (totals.conditions ? 0 : 1) + (stale ? 0 : 1);
    failed = 3 - passed;
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    mutants chosen = { NULL, 0, 0 };
    text    sources[2];
    size_t  i, count;
    double  begun;
    read_arguments(argc, argv);
    setvbuf(stdout, NULL, _IOLBF, 0);
    read_excuses("tests/quality/mutants.txt");
    prepare();
    for (i = 0; i < 2; ++i) {
        sources[i] = read_file(headers[i]);
        if (!settings.header || strcmp(settings.header, headers[i]) == 0) collect(&chosen, headers[i], &sources[i]);
    }
    random_state = (uint64_t)settings.seed * 2654435761u + 88172645463325252ull;
    for (i = chosen.count; i > 1; --i) {
        size_t other = random_below(i);
        mutant kept = chosen.at[i - 1];
        chosen.at[i - 1] = chosen.at[other];
        chosen.at[other] = kept;
    }
    count = settings.count && (size_t)settings.count < chosen.count ? (size_t)settings.count : chosen.count;
    begun = now();
    for (i = 0; i < count; ++i) {
        judge(&chosen.at[i], &sources[strcmp(chosen.at[i].header, headers[0]) != 0]);
        if ((i + 1) % 25 == 0) {
            printf("mutate: %lu tried in %.0f s, %lu unexplained\n", (unsigned long)i + 1, now() - begun, totals.unexplained);
        }
    }
    return report(count == chosen.count && !settings.functions && !settings.kinds);
}
