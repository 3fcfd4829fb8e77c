/* stopped_clock.c - replaces GLFW's clock in a test, with LD_PRELOAD. Each frame takes 1/60 second
   until the time is CLOCK_STOPS seconds. Then the clock stops, so that the picture no longer
   changes, and each frame prints "stopped". Public domain. */
#include <stdio.h>
#include <stdlib.h>

double glfwGetTime(void);
void   glfwSetTime(double seconds);

static double passed;                 /* seconds since the program began */
static double zero;                   /* value of `passed` at which glfwGetTime returns 0 */

static int has_stopped(void)
{
    const char *stop = getenv("CLOCK_STOPS");
    return stop && passed >= atof(stop);
}

/* Advances the clock: programs call this once per frame. */
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
