/* stopped_clock.c - with LD_PRELOAD, each frame of a program takes a sixtieth of a second, until CLOCK_STOPS
   seconds have passed. Then its picture no longer changes, and it prints a line for each frame. Public
   domain. */
#include <stdio.h>
#include <stdlib.h>

double glfwGetTime(void);
void   glfwSetTime(double seconds);

static double passed;                 /* seconds since the program began */
static double zero;                   /* when glfwGetTime would have returned 0 */

static int has_stopped(void)
{
    const char *stop = getenv("CLOCK_STOPS");
    return stop && passed >= atof(stop);
}

/* Programs ask once for each frame. */
double glfwGetTime(void)
{
    if (has_stopped()) fprintf(stderr, "stopped\n");
    else passed += 1 / 60.0;
    return passed - zero;
}

void glfwSetTime(double seconds)
{
    zero = passed - seconds;
}
