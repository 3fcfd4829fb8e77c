/* The functions of check.h, and their counts, for all files of a program. Public domain. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_SHOWN = 60 }; /* later failures are counted, not printed */

struct check_state check_state = { 0, 0, "", "" };

void check_section(const char *name)
{
    check_state.section = name;
    check_state.subject = "";
}

void check_subject(const char *name) { check_state.subject = name; }

/* Counts one check; true when the caller should print the rest of a failure line. With CHECK_STOP in the
   environment the first failure ends the program. */
static bool count_check(bool ok, const char *file, int line, const char *text)
{
    if (ok) {
        ++check_state.passed;
        return false;
    }
    if (getenv("CHECK_STOP")) exit(EXIT_FAILURE);
    if (++check_state.failed > LINES_SHOWN) return false;
    printf("%s:%d: [%s%s%s] %s", file, line, check_state.section, *check_state.subject ? ": " : "",
           check_state.subject, text);
    return true;
}

bool check_that(bool ok, const char *file, int line, const char *text)
{
    if (count_check(ok, file, line, text)) printf("\n");
    return ok;
}

bool check_near(double got, double want, double tolerance, const char *file, int line,
                const char *text)
{
    bool ok = fabs(got - want) <= tolerance;
    if (count_check(ok, file, line, text))
        printf(" is %.9g, not %.9g within %.3g\n", got, want, tolerance);
    return ok;
}

bool check_equal(double got, double want, const char *file, int line, const char *text)
{
    bool ok = !(got < want) && !(got > want) && got == got && want == want;
    if (count_check(ok, file, line, text)) printf(" is %.17g, not %.17g\n", got, want);
    return ok;
}

bool check_text(const char *got, const char *want, const char *file, int line, const char *text)
{
    bool ok = got && want && strcmp(got, want) == 0;
    if (count_check(ok, file, line, text))
        printf(" is \"%s\", not \"%s\"\n", got ? got : "(null)", want ? want : "(null)");
    return ok;
}

bool check_floor(unsigned long count, unsigned long floor_value, const char *what, const char *file,
                 int line)
{
    printf("%s: %lu (at least %lu)\n", what, count, floor_value);
    if (count_check(count >= floor_value, file, line, what))
        printf(" is %lu, below %lu\n", count, floor_value);
    return count >= floor_value;
}

int check_finish(void)
{
    if (check_state.failed > LINES_SHOWN)
        printf("%lu more failures are not shown\n", check_state.failed - LINES_SHOWN);
    printf("%lu passed, %lu failed\n", check_state.passed, check_state.failed);
    return check_state.failed || !check_state.passed ? EXIT_FAILURE : EXIT_SUCCESS;
}
