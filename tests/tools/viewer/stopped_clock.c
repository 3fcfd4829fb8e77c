/* stopped_clock.c - with LD_PRELOAD, a program's frames take a sixtieth of a second each, until
   CLOCK_STOPS seconds have passed: then its picture stands still, and it says so. Public domain. */
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
    static int frames_since_stop;
    if (!has_stopped()) {
        passed += 1 / 60.0;
        return passed - zero;
    }

    /* When the third frame of the same moment begins, the first is on the screen. */
    ++frames_since_stop;
    if (frames_since_stop == 3) fprintf(stderr, "the clock has stopped\n");
    return passed - zero;
}

void glfwSetTime(double seconds)
{
    zero = passed - seconds;
}
