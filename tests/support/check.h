/* check.h: checks that count themselves. C99 and C++98.

   CHECK(list != NULL);  CHECK_EQ(got, want);  CHECK_TEXT(got, want);
   CHECK_NEAR(got, want, tolerance);
   CHECK_FLOOR(files, 300, "models loaded");   return check_finish();

   Public domain. */
#ifndef CHECK_H_INCLUDED
#define CHECK_H_INCLUDED

#include <stdbool.h>
#include <stdint.h>

extern struct check_state {
    unsigned long passed, failed;
    const char *section, *subject; /* the subject is a file or case name, for failure lines */
} check_state;

#define CHECK(cond)         check_that((cond) ? true : false, __FILE__, __LINE__, #cond)
#define CHECK_EQ(got, want) check_equal((double)(got), (double)(want), __FILE__, __LINE__, #got)
#define CHECK_NEAR(got, want, tolerance) \
  check_near((double)(got), (double)(want), (double)(tolerance), __FILE__, __LINE__, #got)
#define CHECK_TEXT(got, want) check_text((got), (want), __FILE__, __LINE__, #got)
#define CHECK_FLOOR(count, floor, what) \
  check_floor((unsigned long)(count), (unsigned long)(floor), (what), __FILE__, __LINE__)

void check_section(const char *name);
void check_subject(const char *name);

bool check_that(bool ok, const char *file, int line, const char *text);
bool check_near(double got, double want, double tolerance, const char *file, int line,
                const char *text);
bool check_equal(double got, double want, const char *file, int line, const char *text);
bool check_text(const char *got, const char *want, const char *file, int line, const char *text);

/* A count that must not fall to nothing unnoticed. */
bool check_floor(unsigned long count, unsigned long floor_value, const char *what, const char *file,
                 int line);

/* Prints the totals, alone on the last line; returns the value for main to return. */
int check_finish(void);

#endif /* CHECK_H_INCLUDED */
