/* check.h: tests with names, and checks that count themselves. C99 and C++98.

       static void test_fade(void)
       {
           for (int step = 0; step < 100; ++step) {
               check_step("step %d", step);
               CHECK_NEAR(got, want, 1e-6);
           }
       }

       int main(int argc, char **argv)
       {
           check_start(argc, argv, "--folder=");
           check_chapter("player");
           RUN(test_fade, "a fade goes evenly from one animation to the next");
           return check_finish();
       }

   This program runs the tests whose names or promises contain its argument, as in `program fade`,
   or one of its words, as in `program 'fade|seek'`; of a word with a slash, as `player/fade`, the one
   test of that name. Without arguments it runs all; --list names them. The first check that fails
   ends its test, and prints the test, the place, what was got and wanted, the scene and the step.
   With --quick the tests that take long try fewer cases: for programs that a machine has run in full.
   With CHECK_STOP in the environment it then ends the program. To look around at that moment, set a
   breakpoint on check_failed().

   Public domain. */
#ifndef CHECK_H_INCLUDED
#define CHECK_H_INCLUDED

#include <stdbool.h>
#include <stdint.h>

/* -- Programs and tests ----------------------------------------------------- */

/* `options` are those that the program has of its own, with blanks between them; a name that ends
   in '=' takes a value. */
void check_start(int argc, char **argv, const char *options);

/* The value of an option, "" if it has none; NULL if it is not given. */
const char *check_option(const char *name);

/* The path of a file that a test may write: in the folder of the program, wherever that was started.
   It stays until seven others are asked for. */
const char *check_path(const char *name);

bool check_runs_some(void); /* arguments name the tests to run */
bool check_is_quick(void);  /* --quick is one of the arguments */

/* Whether one of the words, with | between them, is in the name or the promise. */
bool check_wanted(const char *words, const char *name, const char *promise);

/* What the names of the next tests begin with; until then the name of the program. */
void check_chapter(const char *name);

/* This is called after each test, also after one that failed. */
void check_after_each(void (*release)(void));

/* The name of a test is that of its chapter, a slash, and that of its function without "test_". */
#define RUN(test, promise) check_run(#test, promise, test)
void check_run(const char *function, const char *promise, void (*test)(void));

unsigned long check_failures(void); /* so far */

/* Prints the totals, alone on the last line; returns the value for main to return. */
int check_finish(void);

/* -- Where a test is -------------------------------------------------------- */

#if defined(__GNUC__) && !defined(__MINGW32__)
  #define CHECK_FORMAT __attribute__((format(printf, 1, 2)))
#else
  #define CHECK_FORMAT
#endif

/* What is looked at: a file, a case, a seed. A new scene has no step yet. */
CHECK_FORMAT void check_scene(const char *format, ...);

/* What is being done there. */
CHECK_FORMAT void check_step(const char *format, ...);

/* -- Checks: true if they hold ---------------------------------------------- */

#define CHECK(cond)         check_that((cond) ? true : false, __FILE__, __LINE__, #cond)
#define CHECK_EQ(got, want) check_equal((double)(got), (double)(want), __FILE__, __LINE__, #got)
#define CHECK_NEAR(got, want, tolerance) \
  check_near((double)(got), (double)(want), (double)(tolerance), __FILE__, __LINE__, #got)
#define CHECK_TEXT(got, want) check_text((got), (want), __FILE__, __LINE__, #got)

/* The least number of files that a test that searches for files must find. Outside of tests it is not
   looked at when only some of them run. */
#define CHECK_FLOOR(count, floor, what) \
  check_floor((unsigned long)(count), (unsigned long)(floor), (what), __FILE__, __LINE__)

bool check_that(bool ok, const char *file, int line, const char *text);
bool check_near(double got, double want, double tolerance, const char *file, int line,
                const char *text);
bool check_equal(double got, double want, const char *file, int line, const char *text);
bool check_text(const char *got, const char *want, const char *file, int line, const char *text);
bool check_floor(unsigned long count, unsigned long floor_value, const char *what, const char *file,
                 int line);

#endif /* CHECK_H_INCLUDED */
