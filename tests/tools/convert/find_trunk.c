/* find_trunk.c - finds the heading, the feet, the head and the hips of a humanoid. Public domain. */
#include "body.h"

/* -- The heading ------------------------------------------------------------------------------- */

/* Rotates the axes about the up axis, so that +X is the heading. `h` is relative to the old axes. A
   heading near an axis of the file becomes that axis. */
static void set_heading(body *b, heading h)
{
    int quarters = quarter_turns(h);
    if (quarters >= 0) {
        static const double ends[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
        h.x = ends[quarters][0];
        h.y = ends[quarters][1];
    }
    mat3 to_heading = make_mat3(make_vec3(h.x, h.y, 0), make_vec3(-h.y, h.x, 0),
                                make_vec3(0, 0, 1));
    b->r->axes = times(b->r->axes, to_heading);
}

static heading heading_of_anim(const body *b, uint32_t first, uint32_t end)
{
    uint32_t points = b->m->point_count;
    float   *positions = (float *)allocate(3 * (size_t)points * (end - first), sizeof *positions);
    float   *out = positions;
    for (uint32_t f = first; f < end; ++f) {
        for (uint32_t p = 0; p < points; ++p) {
            vec3 v = position_in_frame(b, p, f);
            *out++ = (float)v.x;
            *out++ = (float)v.y;
            *out++ = (float)v.z;
        }
    }
    heading found = find_heading(positions, end - first, points);
    release(positions);
    return found;
}

/* Finds the heading in the first run or walk that shows a heading. Returns false if none does. */
static bool set_heading_by_gait(body *b)
{
    const motion *m = b->m;
    for (uint32_t f = 0; f < m->frame_count; f = anim_end(m, f)) {
        if (!is_gait(m->anim_names[f])) continue;
        heading found = heading_of_anim(b, f, anim_end(m, f));
        if (found.x == 0 && found.y == 0) continue;
        set_heading(b, found);
        return true;
    }
    return false;
}

/* Finds the heading: the axis of the file nearest to the mean direction from the shoulders to the hands. If no arms
   were found, uses the direction from the ankles to the toes instead. */
static void set_heading_by_hands(body *b)
{
    vec3 sum = make_vec3(0, 0, 0);
    for (uint32_t f = 0; f < b->m->frame_count; ++f) {
        for (int k = 0; k < SIDES; ++k) {
            const limb *l = b->has_arms ? &b->arms[k] : &b->legs[k];
            uint32_t    last = l->chain.count - 1, upper = b->has_arms ? 0 : last;
            vec3        tip = joint_in_frame(b, l->chain.bone[last], l->tip, f);
            sum = add(sum, minus(tip, joint_in_frame(b, l->chain.bone[upper], l->joints[upper], f)));
        }
    }

    /* Artists model along an axis of the file, even if they rotate the body in poses. */
    bool    is_x = fabs(sum.x) >= fabs(sum.y);
    heading h = { 0, 0, 0 };
    if (is_x) h.x = sum.x < 0 ? -1 : 1;
    else h.y = sum.y < 0 ? -1 : 1;
    set_heading(b, h);
}

/* -- The feet ---------------------------------------------------------------------------------- */

/* Returns the correlation of the horizontal positions of two bones in some frames. It is nearly 0 for bones that move
   less than a quantization step, whose rounding errors may correlate. */
static double correlation(const body *b, uint32_t i, uint32_t k, uint32_t first, uint32_t end)
{
    vec3   sum_i = make_vec3(0, 0, 0), sum_k = sum_i;
    double ii = 0, kk = 0, ik = 0, count = end - first;
    for (uint32_t f = first; f < end; ++f) {
        vec3 v = center_in_frame(b, i, f), w = center_in_frame(b, k, f);
        v.z = w.z = 0;
        sum_i = add(sum_i, v);
        sum_k = add(sum_k, w);
        ii += dot(v, v);
        kk += dot(w, w);
        ik += dot(v, w);
    }
    ii -= dot(sum_i, sum_i) / count;
    kk -= dot(sum_k, sum_k) / count;
    ik -= dot(sum_i, sum_k) / count;
    return ik / (sqrt(fmax(ii * kk, 0)) + b->m->step * b->m->step);
}

/* Returns the lowest correlation of two bones in any gait. */
static double lowest_gait_correlation(const body *b, uint32_t i, uint32_t k)
{
    const frame_list *gaits = &b->gait_frames;
    double            least = 0;
    for (uint32_t n = 0; n < gaits->count;) {
        uint32_t first = gaits->frames[n], end = anim_end(b->m, first);
        least = fmin(least, correlation(b, i, k, first, end));
        n += end - first;
    }
    return least;
}

/* Returns the point with the largest number in `distances` among the points of a bone that rest on
   the ground, or NONE if no point rests on the ground. */
static uint32_t farthest_sole_point(const body *b, uint32_t foot, const double *distances)
{
    uint32_t best = NONE;
    for (uint32_t p = 0; p < b->m->point_count; ++p) {
        if (heaviest_bone(b, p) != foot || !rests_on_ground(b, p)) continue;
        if (best == NONE || distances[p] > distances[best]) best = p;
    }
    return best;
}

/* Finds two bones that rest on the ground, are far apart over the skin, and swing most in opposite phase. Returns false
   if no two bones do. */
static bool find_feet(body *b)
{
    double *distances = (double *)allocate(b->m->point_count, sizeof *distances), lowest = -least_swing;
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        uint32_t sole = farthest_sole_point(b, i, b->ground_heights);
        if (sole == NONE) continue;
        skin_distances(b, sole, distances);
        for (uint32_t k = 0; k < i; ++k) {
            uint32_t other = farthest_sole_point(b, k, distances);
            if (other == NONE || distances[other] < least_apart * b->height) continue;
            double swing = lowest_gait_correlation(b, i, k);
            if (!(swing < lowest)) continue;
            lowest = swing;
            b->soles[LEFT] = sole;
            b->soles[RIGHT] = other;
        }
    }
    release(distances);
    return lowest < -least_swing;
}

/* -- Sides ------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Computes the sides of all bones from the distances to both soles. */
static void measure_sides(body *b)
{
    uint32_t points = b->m->point_count, count = 0;
    double  *left = b->to_feet[LEFT], *right = b->to_feet[RIGHT];
    double  *sides = (double *)allocate(2 * (size_t)points, sizeof *sides);
    double  *upper = sides + points;
    skin_distances(b, b->soles[LEFT], left);
    skin_distances(b, b->soles[RIGHT], right);

    double apart = fmax(left[b->soles[RIGHT]], 1e-9);
    for (uint32_t p = 0; p < points; ++p) {
        sides[p] = (right[p] - left[p]) / apart;
        if (b->ground_heights[p] > 0.5) upper[count++] = sides[p];
    }

    /* Shift the sides so that the upper body has side 0, even if one leg is longer than the other. */
    qsort(upper, count, sizeof *upper, compare_numbers);
    double middle = count > 0 ? upper[count / 2] : 0;
    for (uint32_t p = 0; p < points; ++p) sides[p] -= middle;
    for (uint32_t i = 0; i < b->r->bone_count; ++i) b->side[i] = mean_over_bone(b, i, sides);
    release(sides);
}

static bool is_in_middle(const body *b, uint32_t bone)
{
    return fabs(b->side[bone]) < in_middle;
}

/* -- The head and the hips --------------------------------------------------------------------- */

/* Finds the head: the highest bone in the middle that has enough points. A plume is higher but has fewer. */
static bool find_head(body *b)
{
    double best = -HUGE_VAL;
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        double mass = mass_of(b->m, b->r, i) / b->m->point_count;
        if (mass < least_head_mass || !is_in_middle(b, i)) continue;
        double score = mean_over_bone(b, i, b->ground_heights) + 2 * fmin(mass, usual_head_mass);
        if (!(score > best)) continue;
        best = score;
        b->head = i;
    }
    return best > -HUGE_VAL;
}

static uint32_t foot_of(const body *b, int side)
{
    return heaviest_bone(b, b->soles[side]);
}

/* Returns the bone in the middle that is nearest to the head and both feet. */
static uint32_t find_hips(const body *b)
{
    const uint32_t ends[3] = { b->head, foot_of(b, LEFT), foot_of(b, RIGHT) };
    double         sums[MOST_BONES] = { 0 }, distances[MOST_BONES];
    uint32_t       previous[MOST_BONES], best = b->head;
    for (int i = 0; i < 3; ++i) {
        bone_list end = { 1, { ends[i] } };
        bone_distances(b, &end, distances, previous);
        for (uint32_t k = 0; k < b->r->bone_count; ++k) sums[k] += distances[k];
    }
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        if (is_in_middle(b, i) && sums[i] < sums[best]) best = i;
    }
    return best;
}

/* Finds the paths from the hips to the head and to the feet. Returns false if a path is empty. */
static bool find_trunk(body *b)
{
    bone_list hips = { 1, { find_hips(b) } };
    double    distances[MOST_BONES];
    uint32_t  previous[MOST_BONES];
    bone_distances(b, &hips, distances, previous);
    b->trunk = path_to(previous, b->head);
    for (int k = 0; k < SIDES; ++k) {
        limb *leg = &b->legs[k];
        leg->chain = path_to(previous, foot_of(b, k));
        leg->root = remove_first(&leg->chain);
    }
    return b->trunk.count > 1 && b->legs[LEFT].chain.count > 0 && b->legs[RIGHT].chain.count > 0;
}

/* -- All --------------------------------------------------------------------------------------- */

/* Returns true if both legs have knees, point down from the hips and are about equally long. The thighs of a frog
   are higher than its hips. In a model with a rider, the legs that are found differ in length. */
static bool has_legs(const body *b)
{
    if (b->legs[LEFT].chain.count < 2 || b->legs[RIGHT].chain.count < 2) return false;
    double left = b->legs[LEFT].to_tip[0], right = b->legs[RIGHT].to_tip[0], thighs = 0;
    for (int k = 0; k < SIDES; ++k) {
        thighs += mean_over_bone(b, b->legs[k].chain.bone[0], b->ground_heights) / SIDES;
    }
    return thighs < mean_over_bone(b, b->trunk.bone[0], b->ground_heights) &&
           fmin(left, right) > least_alike * fmax(left, right);
}

/* Returns true if an arm rests on the ground, as the forelegs of a cat do. */
static bool has_hands_on_ground(const body *b)
{
    const limb *left = &b->arms[LEFT], *right = &b->arms[RIGHT];
    return b->has_arms && (left->first_on_ground < left->chain.count || right->first_on_ground < right->chain.count);
}

/* Returns true if the left leg is on the left. Uses frames of a run or walk, because a model may stand
   with one shoulder in front, but runs forward. */
static bool is_left_on_left(const body *b)
{
    double left = 0;
    for (uint32_t i = 0; i < b->gait_frames.count; ++i) left += left_direction(b, b->gait_frames.frames[i]).y;
    return left >= 0;
}

/* Stores why the body is not a humanoid. Always returns false. */
static bool reject(body *b, const char *reason)
{
    b->reason = reason;
    return false;
}

bool find_body(body *b, mat3 axes)
{
    b->reason = NULL;
    b->r->axes = axes;
    measure_ground_heights(b);
    if (!find_feet(b)) {
        return reject(b, "no bone has a name, because no two feet were found that swing in opposite phase");
    }
    measure_sides(b);
    if (!find_head(b)) return reject(b, "no bone has a name, because no head was found");
    if (!find_trunk(b)) return reject(b, "no bone has a name, because no path was found from the feet to the head");
    for (int k = 0; k < SIDES; ++k) measure_limb(b, &b->legs[k]);
    if (!has_legs(b)) return reject(b, "no bone has a name, because no legs were found");

    if (!set_heading_by_gait(b)) {
        find_arms(b);
        set_heading_by_hands(b);
    }
    if (!is_left_on_left(b)) {
        limb left = b->legs[LEFT];
        b->legs[LEFT] = b->legs[RIGHT];
        b->legs[RIGHT] = left;
    }
    find_arms(b);
    if (has_hands_on_ground(b)) return reject(b, "no bone has a name, because its hands rest on the ground");
    return true;
}
