/* The functions of check.h, for all files of a program. Public domain. */
#include "check.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(SIGPROF) && !defined(__EMSCRIPTEN__)
  #include <sys/time.h>
  #include <unistd.h>
#endif

/* Failures are printed in full for the first MAX_DETAILED tests, and by name for the first MAX_NAMED. */
enum { MAX_DETAILED = 3, MAX_NAMED = 12, NO_SUCH_TEST = 2, MESSAGE_SIZE = 1000 };

/* Time limit of a scene: seconds of processor time. The limit by the wall clock is WALL_FACTOR times as long. */
enum { SCENE_SECONDS = 60, WALL_FACTOR = 20 };

static struct {
    char       **argv;
    int          argc;
    const char  *options;
    bool         listing, quick, selects; /* selects: arguments name the tests to run */
    void       (*after_each)(void);

    const char  *chapter, *name, *description; /* the running test; name is NULL between tests */
    char         scene[240], step[240];
    jmp_buf      end_of_test;

    unsigned long tests, failed_tests, passed, failed;
} run;

/* -- Programs ----------------------------------------------------------------- */

static bool is_option(const char *argument) { return argument[0] == '-' && argument[1] == '-'; }

/* Returns the text after the name of an option, or NULL if the argument is a different option. */
static const char *value_of(const char *argument, const char *name)
{
    size_t length = strlen(name);
    return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

static bool program_has_option(const char *argument)
{
    size_t length = strcspn(argument, "=");
    length += argument[length] == '=';
    for (const char *at = run.options; *at; at += strspn(at, " ")) {
        size_t known = strcspn(at, " ");
        if (known == length && strncmp(at, argument, length) == 0) return true;
        at += known;
    }
    return false;
}

const char *check_option(const char *name)
{
    for (int i = 1; i < run.argc; ++i) {
        const char *value = value_of(run.argv[i], name);
        if (value && (!*value || name[strlen(name) - 1] == '=')) return value;
    }
    return NULL;
}

static void watch_for_crashes(void);
static void watch_for_hangs(void);
static void limit_time(bool on);

/* Returns the name of a program: "nulls" for "build/test_nulls". */
static const char *program_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return strncmp(name, "test_", 5) == 0 ? name + 5 : name;
}

void check_start(int argc, char **argv, const char *options)
{
    run.chapter = argc ? program_name(argv[0]) : "tests";
    run.argc = argc;
    run.argv = argv;
    run.options = options;
    for (int i = 1; i < argc; ++i) {
        if (!is_option(argv[i])) {
            run.selects = true;
        } else if (strcmp(argv[i], "--list") == 0) {
            run.listing = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            run.quick = true;
        } else if (!program_has_option(argv[i])) {
            printf("%s has no option %s; its options are: --list --quick %s\n", argv[0], argv[i], options);
            exit(NO_SUCH_TEST);
        }
    }
    watch_for_crashes();
    watch_for_hangs();
}

/* Finds the last slash or backslash of a path; returns NULL if it has none. */
static const char *last_slash(const char *path)
{
    const char *last = NULL;
    for (; *path; ++path) {
        if (*path == '/' || *path == '\\') last = path;
    }
    return last;
}

const char *check_path(const char *name)
{
    static char     paths[8][1024];
    static unsigned next;
    const char     *program = run.argc ? run.argv[0] : "";
    const char     *slash = last_slash(program);
    int             length = slash ? (int)(slash + 1 - program) : 0;
    char           *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%.*s%s", length, program, name);
    return path;
}

bool check_runs_some(void) { return run.selects; }
bool check_is_quick(void) { return run.quick; }
void check_chapter(const char *name) { run.chapter = name; }
void check_after_each(void (*release)(void)) { run.after_each = release; }

unsigned long check_failures(void) { return run.failed; }

int check_finish(void)
{
    if (run.listing) return EXIT_SUCCESS;
    if (run.selects && run.tests == 0 && run.failed == 0) {
        printf("%s has no such test; %s --list prints all tests\n", run.argv[0], run.argv[0]);
        return NO_SUCH_TEST;
    }
    if (run.failed_tests > MAX_NAMED) printf("FAILED %lu more tests\n", run.failed_tests - MAX_NAMED);
    if (run.tests) printf("%lu tests\n", run.tests);
    printf("%lu passed, %lu failed\n", run.passed, run.failed);
    return run.failed || !run.passed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* -- Tests -------------------------------------------------------------------- */

/* Returns the name with its chapter: "player/fade". */
static const char *full_name(const char *name)
{
    static char full[160];
    snprintf(full, sizeof full, "%s/%s", run.chapter, name);
    return full;
}

/* Returns true if `wanted`, which contains a slash, is the full name or a sequence of whole parts of
   the name: both "md2/state" and "gl33/md2" match "gl33/md2/state". */
static bool is_part_of_name(const char *wanted, const char *full)
{
    const char *at = strstr(full, wanted);
    if (!at) return false;

    char before = at == full ? '/' : at[-1];
    char after = at[strlen(wanted)];
    return before == '/' && (after == '/' || after == 0);
}

static bool is_word_wanted(const char *word, const char *name, const char *description)
{
    if (strchr(word, '/')) return is_part_of_name(word, name);
    return strstr(name, word) || strstr(description, word);
}

bool check_wanted(const char *words, const char *name, const char *description)
{
    char word[160];
    for (const char *at = words; *at; at += *at == '|') {
        size_t length = strcspn(at, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (is_word_wanted(word, name, description)) return true;
        at += length;
    }
    return false;
}

static bool is_wanted(const char *name, const char *description)
{
    for (int i = 1; i < run.argc; ++i) {
        if (!is_option(run.argv[i]) && check_wanted(run.argv[i], full_name(name), description)) return true;
    }
    return !run.selects;
}

void check_run(const char *function, const char *description, void (*test)(void))
{
    const char *name = strncmp(function, "test_", 5) == 0 ? function + 5 : function;
    if (!is_wanted(name, description)) return;
    printf("%-36s %s\n", full_name(name), description);
    if (run.listing) return;
    fflush(stdout);

    run.name = name;
    run.description = description;
    check_scene("%s", "");
    ++run.tests;
    if (setjmp(run.end_of_test) == 0) test();

    /* A check in after_each, such as one for memory that was not freed, fails this test. */
    if (run.after_each && setjmp(run.end_of_test) == 0) run.after_each();
    limit_time(false);
    run.name = NULL;
}

CHECK_FORMAT void check_scene(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run.scene, sizeof run.scene, format, arguments);
    va_end(arguments);
    run.step[0] = 0;
    if (run.name) limit_time(true);
}

CHECK_FORMAT void check_step(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run.step, sizeof run.step, format, arguments);
    va_end(arguments);
}

/* -- Failures ------------------------------------------------------------------- */

static void print_test(const char *what)
{
    if (run.name) printf("%s %s: %s\n", what, full_name(run.name), run.description);
    else printf("%s outside of the tests of %s\n", what, run.argc ? run.argv[0] : "this program");
}

static void print_scene(void)
{
    const char *between = run.scene[0] && run.step[0] ? ", " : "";
    if (run.scene[0] || run.step[0]) printf("    %s%s%s\n", run.scene, between, run.step);
    if (!run.name) return;

    const char *models = getenv("MODELS");
    printf("    run only this test: ");
    if (models && *models) printf("MODELS=%s ", models);
    printf("%s", run.argv[0]);
    for (int i = 1; i < run.argc; ++i) {
        if (is_option(run.argv[i])) printf(" %s", run.argv[i]);
    }
    printf(" %s\n", full_name(run.name));
}

/* All failures end here; set a breakpoint on this function. */
void check_failed(void);
void check_failed(void)
{
    fflush(stdout);
    if (getenv("CHECK_STOP")) exit(EXIT_FAILURE);
    if (run.name) longjmp(run.end_of_test, 1);
}

static void fail(const char *file, int line, const char *what)
{
    ++run.failed;
    ++run.failed_tests;
    if (run.failed_tests <= MAX_NAMED) print_test("FAILED");
    if (run.failed_tests <= MAX_DETAILED) {
        printf("    %s:%d: %s\n", file, line, what);
        print_scene();
    }
    check_failed();
}

static void print_crash(void)
{
    static bool printed;
    if (printed) return;
    printed = true;
    print_test("CRASHED in");
    print_scene();
    fflush(stdout);
}

/* A sanitizer ends the program itself. It calls this callback first. */
#if defined(__linux__) && defined(__GNUC__) && !defined(__TINYC__)
  #ifdef __cplusplus
extern "C"
  #endif
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static bool watch_sanitizer(void)
{
    if (!__sanitizer_set_death_callback) return false;
    __sanitizer_set_death_callback(print_crash);
    return true;
}
#else
static bool watch_sanitizer(void) { return false; }
#endif

static void crashed(int number)
{
    print_crash();
    signal(number, SIG_DFL);
    raise(number);
}

/* An endless loop would hang `make test` without a message, so each scene has a limit of one minute of
   processor time, which does not depend on other programs. A test of many files begins a scene for each
   file. A test that waits forever uses no processor time; a longer limit by the wall clock ends it.
   CHECK_SECONDS gives slow machines more time. On systems without these timers there is no limit. */
#if defined(SIGPROF) && !defined(__EMSCRIPTEN__)
static int scene_seconds(void)
{
    const char *seconds = getenv("CHECK_SECONDS");
    return seconds ? atoi(seconds) : SCENE_SECONDS;
}

static void ran_too_long(int number)
{
    bool is_waiting = number == SIGALRM;
    print_test("HUNG");
    printf("    after %d s%s; CHECK_SECONDS=%d sets a limit ten times as long\n",
           is_waiting ? WALL_FACTOR * scene_seconds() : scene_seconds(),
           is_waiting ? "" : " of processor time", 10 * scene_seconds());
    print_scene();
    fflush(stdout);
    _exit(EXIT_FAILURE);
}

static void limit_time(bool on)
{
    struct itimerval processor_time;
    memset(&processor_time, 0, sizeof processor_time);
    processor_time.it_value.tv_sec = on ? scene_seconds() : 0;
    setitimer(ITIMER_PROF, &processor_time, NULL);
    alarm(on ? (unsigned)(WALL_FACTOR * scene_seconds()) : 0);
}

static void watch_for_hangs(void)
{
    signal(SIGPROF, ran_too_long);
    signal(SIGALRM, ran_too_long);
}
#else
static void limit_time(bool on) { (void)on; }
static void watch_for_hangs(void) {}
#endif

static void watch_for_crashes(void)
{
    static const int numbers[] = { SIGSEGV, SIGFPE, SIGILL, SIGABRT };
    if (watch_sanitizer()) return;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) signal(numbers[i], crashed);
}

/* -- Checks --------------------------------------------------------------------- */

/* Counts a check that passes. */
static bool passes(bool ok)
{
    run.passed += ok;
    return ok;
}

bool check_that(bool ok, const char *file, int line, const char *text)
{
    if (!passes(ok)) fail(file, line, text);
    return ok;
}

bool check_near(double got, double want, double tolerance, const char *file, int line,
                const char *text)
{
    if (passes(fabs(got - want) <= tolerance)) return true;

    char what[MESSAGE_SIZE];
    snprintf(what, sizeof what, "%s is %.9g, expected %.9g within %.3g", text, got, want, tolerance);
    fail(file, line, what);
    return false;
}

bool check_equal(double got, double want, const char *file, int line, const char *text)
{
    if (passes(!(got < want) && !(got > want) && got == got && want == want)) return true;

    char what[MESSAGE_SIZE];
    snprintf(what, sizeof what, "%s is %.17g, expected %.17g", text, got, want);
    fail(file, line, what);
    return false;
}

bool check_text(const char *got, const char *want, const char *file, int line, const char *text)
{
    if (passes(got && want && strcmp(got, want) == 0)) return true;

    char what[MESSAGE_SIZE];
    snprintf(what, sizeof what, "%s is \"%s\", expected \"%s\"", text, got ? got : "(null)",
             want ? want : "(null)");
    fail(file, line, what);
    return false;
}

bool check_floor(unsigned long count, unsigned long floor_value, const char *what, const char *file,
                 int line)
{
    if ((run.selects || run.listing) && !run.name) return true;
    printf("    %s: %lu (at least %lu)\n", what, count, floor_value);
    if (passes(count >= floor_value)) return true;

    char message[MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s: %lu, expected at least %lu", what, count, floor_value);
    fail(file, line, message);
    return false;
}
