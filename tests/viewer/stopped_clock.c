/* stopped_clock.c - with LD_PRELOAD, a program's frames take a sixtieth of a second each, until
   CLOCK_STOPS seconds have passed: then its picture stands still, and it says so. Public domain. */
#include <stdio.h>
#include <stdlib.h>

double glfwGetTime(void);
void   glfwSetTime(double seconds);

static double passed, zero;

double glfwGetTime(void)
{
    static int  frames_since;         /* the third begins when the first is shown */
    const char *stops = getenv("CLOCK_STOPS");
    if (!stops || passed < atof(stops)) passed += 1 / 60.0;
    else if (++frames_since == 3) fprintf(stderr, "the clock has stopped\n");
    return passed - zero;
}

void glfwSetTime(double seconds) { zero = passed - seconds; }
