/* check.h: a test framework: tests with names, and checks that are counted. C99 and C++98.

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

   Without arguments this program runs all its tests; with --list it prints them. An argument selects
   the tests whose names or descriptions contain it:

       program fade           the tests with this word
       program 'fade|seek'    the tests with one of these words
       program player/fade    the test with this name

   The first check that fails ends its test, and prints the test, the file and line, the value, the
   expected value, the scene and the step. If CHECK_STOP is in the environment, it also ends the program.
   To stop there in a debugger, set a breakpoint on check_failed(). With --quick, slow tests try fewer
   cases; `make` uses it to repeat tests that have already run in full on the same machine.

   Public domain. */
#ifndef CHECK_H_INCLUDED
#define CHECK_H_INCLUDED

#include <stdbool.h>
#include <stdint.h>

/* -- Programs and tests ----------------------------------------------------- */

/* Reads the arguments. `options` are the options of this program, separated by spaces, in addition to
   --list and --quick; a name that ends in '=' takes a value. */
void check_start(int argc, char **argv, const char *options);

/* Returns the value of an option, "" if it has no value, or NULL if it is not among the arguments. */
const char *check_option(const char *name);

/* Returns a path that a test may write to. It is in the folder of the program, whatever the working
   directory is. The text stays valid for seven more calls. */
const char *check_path(const char *name);

bool check_runs_some(void); /* true if the arguments select tests */
bool check_is_quick(void);  /* true if --quick is one of the arguments */

/* Returns true if the name or the description contains one of the words, which are separated by |. */
bool check_wanted(const char *words, const char *name, const char *description);

/* Sets the prefix of the names of the next tests. The first prefix is the name of the program. */
void check_chapter(const char *name);

/* Sets a function that is called after each test, also after a failed test. */
void check_after_each(void (*release)(void));

/* Runs a test. Its name is the chapter, a slash, and the name of the function without "test_". */
#define RUN(test, description) check_run(#test, description, test)
void check_run(const char *function, const char *description, void (*test)(void));

unsigned long check_failures(void); /* number of failed checks so far */

/* Prints the totals, alone on the last line. Returns the exit status for main to return. */
int check_finish(void);

/* -- The scene and the step that a failure prints --------------------------- */

#if defined(__GNUC__) && !defined(__MINGW32__)
  #define CHECK_FORMAT __attribute__((format(printf, 1, 2)))
#else
  #define CHECK_FORMAT
#endif

/* Sets the scene: the file, the case or the random seed that is tested next. Clears the step, and
   starts the time limit of the scene. */
CHECK_FORMAT void check_scene(const char *format, ...);

/* Sets the step: what the test does next in the scene. */
CHECK_FORMAT void check_step(const char *format, ...);

/* -- Checks: return true if they pass --------------------------------------- */

#define CHECK(cond)         check_that((cond) ? true : false, __FILE__, __LINE__, #cond)
#define CHECK_EQ(got, want) check_equal((double)(got), (double)(want), __FILE__, __LINE__, #got)
#define CHECK_NEAR(got, want, tolerance) \
  check_near((double)(got), (double)(want), (double)(tolerance), __FILE__, __LINE__, #got)
#define CHECK_TEXT(got, want) check_text((got), (want), __FILE__, __LINE__, #got)

/* Checks that a search has found at least `floor` files. Outside of a test, it does nothing if only
   some tests run. */
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
