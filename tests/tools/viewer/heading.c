/* heading.c - finds the direction a character faces from its run animation. Public domain. */
#include "heading.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Adds to `sums` the areas that a point's path encloses, seen from the side and from the front.
   A foot is raised while it moves forward and lowered while it moves backward, so its path encloses
   an area on the side, and the sign of the area is the sign of the heading. */
static void add_areas(const float *point, size_t stride, uint32_t frame_count, double sums[3])
{
    double x = 0, y = 0;
    for (uint32_t i = 0; i < frame_count; ++i) {
        const float *now = point + i * stride;
        const float *next = point + (i + 1) % frame_count * stride;
        double       height = ((double)now[2] + (double)next[2]) / 2 - (double)point[2];
        x += height * ((double)next[0] - (double)now[0]);
        y += height * ((double)next[1] - (double)now[1]);
    }
    sums[0] += x;
    sums[1] += y;
    sums[2] += sqrt(x * x + y * y);
}

heading find_heading(const float *positions, uint32_t frame_count, uint32_t point_count)
{
    const double legs = 0.35;         /* height of the legs, fraction of the model's height */
    const double least_area = 0.0004; /* enclosed by a point's path, fraction of the squared height */
    const double least_agreement = 0.7;
    heading      result = { 0, 0, 0 };
    size_t       stride = 3 * (size_t)point_count;

    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t k = 2; k < frame_count * stride; k += 3) {
        low = fmin(low, (double)positions[k]);
        high = fmax(high, (double)positions[k]);
    }

    double   sums[3] = { 0, 0, 0 }, other_sums[3] = { 0, 0, 0 };
    uint32_t leg_points = 0;
    for (size_t k = 0; k < stride; k += 3) {
        double mean_height = 0;
        for (uint32_t i = 0; i < frame_count; ++i) {
            mean_height += ((double)positions[i * stride + k + 2] - low) / frame_count;
        }
        bool is_leg = mean_height < legs * (high - low);
        add_areas(positions + k, stride, frame_count, is_leg ? sums : other_sums);
        leg_points += is_leg;
    }

    double length = sqrt(sums[0] * sums[0] + sums[1] * sums[1]);
    bool   moves = sums[2] > least_area * (high - low) * (high - low) * leg_points;
    if (!moves || length < least_agreement * sums[2]) return result;

    double others = other_sums[2] / fmax(1, (double)(point_count - leg_points));
    result.x = sums[0] / length;
    result.y = sums[1] / length;
    result.leg_ratio = sums[2] / leg_points / fmax(others, 1e-30);
    return result;
}

int quarter_turns(heading h)
{
    const double max_deviation = 20;   /* degrees */
    double       degrees = atan2(h.y, h.x) * 57.29578;
    int          quarters = (int)floor(degrees / 90 + 0.5);
    if ((h.x == 0 && h.y == 0) || fabs(degrees - 90 * quarters) > max_deviation) return -1;
    return (quarters + 4) % 4;
}
