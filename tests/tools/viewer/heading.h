/* heading.h - finds the direction a character faces from its run animation. For info and mdconvert.
   Public domain. */
#ifndef HEADING_H_INCLUDED
#define HEADING_H_INCLUDED

#include <stdint.h>

typedef struct heading {
    double x, y;                      /* unit vector; 0 0 if it cannot be found */
    double leg_ratio;                 /* swing of the legs divided by the swing of the rest of the body;
                                         about 1 for a weapon, which swings as a whole */
} heading;

/* Finds the heading in a loop of a run or walk in place. `positions` has x y z of all points in the
   first frame, then in the second, and so on, with Z up. The first frame follows the last. */
heading find_heading(const float *positions, uint32_t frame_count, uint32_t point_count);
/* Returns the number of quarter turns, counter-clockwise from above, from X to the heading; -1 if
   the heading is far from all four axes, or 0 0. */
int quarter_turns(heading h);

#endif
