/* stopped_clock.c - with LD_PRELOAD, a program's frames take a sixtieth of a second each, until
   CLOCK_STOPS seconds have passed: then its picture stands still. Public domain. */
#include <stdlib.h>

double glfwGetTime(void);
void   glfwSetTime(double seconds);

static double passed, zero;

double glfwGetTime(void)
{
    const char *stops = getenv("CLOCK_STOPS");
    if (!stops || passed < atof(stops)) passed += 1 / 60.0;
    return passed - zero;
}

void glfwSetTime(double seconds) { zero = passed - seconds; }
