/* heading.h - finds the direction that a character faces, from its run. For info and mdconvert.
   Public domain. */
#ifndef HEADING_H_INCLUDED
#define HEADING_H_INCLUDED

#include <stdint.h>

typedef struct heading {
    double x, y;                      /* unit vector; 0 0 if nothing runs */
    double leg_ratio;                 /* how much more the lower third swings than the rest: a weapon
                                         swings as a whole, about 1 */
} heading;

/* Finds the heading in a loop of a run or a walk in place. `positions` are x y z of all points
   in the first frame, then in the second, ..., with Z up. The first frame follows the last. */
heading find_heading(const float *positions, uint32_t frame_count, uint32_t point_count);
/* Returns the number of quarter turns, counter-clockwise from above, from X to the heading; -1 if
   the heading is far from all four axes, or 0 0. */
int quarter_turns(heading h);

#endif
