/* find_trunk.c - finds the heading, the feet, the head and the hips of a humanoid. Public domain. */
#include "body.h"

/* -- The heading ------------------------------------------------------------------------------- */

/* Rotates the axes about `up` until a direction, along the current axes, is forward. A direction
   near an axis of the file becomes that axis. */
static void face(body *b, heading h)
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

/* Finds the heading in the first run or walk that has one. */
static bool face_by_gait(body *b)
{
    const motion *m = b->m;
    for (uint32_t f = 0; f < m->frame_count; f = anim_end(m, f)) {
        if (!is_gait(m->anim_names[f])) continue;
        heading found = heading_of_anim(b, f, anim_end(m, f));
        if (found.x == 0 && found.y == 0) continue;
        face(b, found);
        return true;
    }
    return false;
}

/* Finds the heading from the ankles to the toes in all frames. */
static void face_by_toes(body *b)
{
    vec3 toes = make_vec3(0, 0, 0);
    for (uint32_t f = 0; f < b->m->frame_count; ++f) {
        for (int k = 0; k < SIDES; ++k) {
            const limb *leg = &b->legs[k];
            uint32_t    last = leg->chain.count - 1, foot = leg->chain.bone[last];
            vec3        toe = joint_in_frame(b, foot, leg->tip, f);
            toes = add(toes, minus(toe, joint_in_frame(b, foot, leg->joints[last], f)));
        }
    }

    /* A pose may be rotated, but the model was made along an axis of the file. */
    bool    is_x = fabs(toes.x) >= fabs(toes.y);
    heading h = { 0, 0, 0 };
    if (is_x) h.x = toes.x < 0 ? -1 : 1;
    else h.y = toes.y < 0 ? -1 : 1;
    face(b, h);
}

/* -- The feet ---------------------------------------------------------------------------------- */

enum { MOST_PAIRS = 4 };

typedef struct foot_pair {
    uint32_t bones[SIDES];
    double   swing;                   /* correlation of their positions in a gait */
} foot_pair;

/* Returns the correlation of the horizontal positions of two bones in some frames. */
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
    return ik / sqrt(fmax(ii * kk, 1e-18));
}

/* Returns the lowest correlation in any gait: some creatures gallop, but walk like humans. */
static double find_swing(const body *b, uint32_t i, uint32_t k)
{
    const motion *m = b->m;
    double        least = 0;
    for (uint32_t f = 0; f < m->frame_count; f = anim_end(m, f)) {
        if (!is_gait(m->anim_names[f])) continue;
        least = fmin(least, correlation(b, i, k, f, anim_end(m, f)));
    }
    return least;
}

/* Returns the point of a sole with the largest distance; NONE if no point of the bone is on the
   ground. */
static uint32_t farthest_of_sole(const body *b, uint32_t foot, const double *distances)
{
    uint32_t best = NONE;
    for (uint32_t p = 0; p < b->m->point_count; ++p) {
        if (heaviest_bone(b, p) != foot || !rests_on_ground(b, p)) continue;
        if (best == NONE || distances[p] > distances[best]) best = p;
    }
    return best;
}

/* Lists pairs of bones on the ground that are far apart over the skin. The pair that swings most in
   opposite phase is first. */
static uint32_t list_foot_pairs(const body *b, foot_pair pairs[MOST_PAIRS + 1])
{
    uint32_t points = b->m->point_count, count = 0;
    double  *distances = (double *)allocate(points, sizeof *distances);
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        uint32_t tip = farthest_of_sole(b, i, b->levels);
        if (tip == NONE) continue;
        skin_distances(b, tip, distances);
        for (uint32_t k = 0; k < i; ++k) {
            tip = farthest_of_sole(b, k, distances);
            if (tip == NONE || distances[tip] < least_apart * b->height) continue;
            foot_pair pair = { { i, k }, find_swing(b, i, k) };
            uint32_t  at = count;
            for (; at > 0 && pairs[at - 1].swing > pair.swing; --at) pairs[at] = pairs[at - 1];
            pairs[at] = pair;
            if (count < MOST_PAIRS) ++count;
        }
    }
    release(distances);
    return count;
}

/* -- Sides ------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Measures distances from the tips of the feet, which are the points of the soles that are farthest
   from each other. */
static void measure_sides(body *b)
{
    uint32_t points = b->m->point_count, count = 0;
    double  *left = b->to_feet[LEFT], *right = b->to_feet[RIGHT];
    double  *sides = (double *)allocate(2 * (size_t)points, sizeof *sides);
    double  *upper = sides + points;
    uint32_t tip = farthest_of_sole(b, b->feet[LEFT], b->levels);
    skin_distances(b, tip, left);
    tip = farthest_of_sole(b, b->feet[RIGHT], left);
    skin_distances(b, tip, right);
    tip = farthest_of_sole(b, b->feet[LEFT], right);
    skin_distances(b, tip, left);

    double apart = fmax(right[tip], 1e-9);
    for (uint32_t p = 0; p < points; ++p) {
        sides[p] = (right[p] - left[p]) / apart;
        if (b->levels[p] > 0.5) upper[count++] = sides[p];
    }

    /* If one leg is longer over the skin, the middle is not at 0. */
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

/* The head is the highest bone in the middle that is not a plume. */
static bool find_head(body *b)
{
    double best = -HUGE_VAL;
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        double mass = mass_of(b->m, b->r, i) / b->m->point_count;
        if (mass < least_head_mass || !is_in_middle(b, i)) continue;
        double score = mean_over_bone(b, i, b->levels) + 2 * fmin(mass, usual_head_mass);
        if (!(score > best)) continue;
        best = score;
        b->head = i;
    }
    return best > -HUGE_VAL;
}

/* Returns the bone in the middle that is nearest to the head and both feet. */
static uint32_t find_hips(const body *b)
{
    const uint32_t ends[3] = { b->head, b->feet[LEFT], b->feet[RIGHT] };
    double         sums[MOST_BONES] = { 0 }, distances[MOST_BONES];
    uint32_t       before[MOST_BONES], best = b->head;
    for (int i = 0; i < 3; ++i) {
        bone_list end = { 1, { ends[i] } };
        bone_distances(b, &end, distances, before);
        for (uint32_t k = 0; k < b->r->bone_count; ++k) sums[k] += distances[k];
    }
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        if (is_in_middle(b, i) && sums[i] < sums[best]) best = i;
    }
    return best;
}

/* Finds the paths from the hips to the head and to the feet. Returns false if one of them is empty. */
static bool find_trunk(body *b)
{
    bone_list hips = { 1, { find_hips(b) } };
    double    distances[MOST_BONES];
    uint32_t  before[MOST_BONES];
    bone_distances(b, &hips, distances, before);
    b->trunk = path_to(before, b->head);
    for (int k = 0; k < SIDES; ++k) {
        limb *leg = &b->legs[k];
        leg->chain = path_to(before, b->feet[k]);
        leg->root = remove_first(&leg->chain);
    }
    return b->trunk.count > 1 && b->legs[LEFT].chain.count > 0 && b->legs[RIGHT].chain.count > 0;
}

/* -- All --------------------------------------------------------------------------------------- */

/* Returns how far the head is in front of the hips, relative to how far it is above them. */
static double find_lean(const body *b)
{
    vec3 offset = mean_offset(b, b->head, b->trunk.bone[0], &b->stand);
    return sqrt(offset.x * offset.x + offset.y * offset.y) / fmax(offset.z, 1e-9);
}

/* Returns whether both legs go down from the hips and have about the same length. The thighs of a frog
   are higher than its hips. The legs that are found for a rider differ. */
static bool has_legs(const body *b)
{
    double left = b->legs[LEFT].to_tip[0], right = b->legs[RIGHT].to_tip[0], thighs = 0;
    for (int k = 0; k < SIDES; ++k) {
        thighs += mean_over_bone(b, b->legs[k].chain.bone[0], b->levels) / SIDES;
    }
    return thighs < mean_over_bone(b, b->trunk.bone[0], b->levels) &&
           fmin(left, right) > least_alike * fmax(left, right);
}

/* Arms of several bones prove a humanoid. Without such arms it has to walk. */
static bool has_proof(const body *b)
{
    bool has_elbows = b->arms[LEFT].chain.count > 1 && b->arms[RIGHT].chain.count > 1;
    return (b->has_arms && has_elbows) || b->swing < 0;
}

static bool miss(body *b, const char *reason)
{
    if (!b->missing) b->missing = reason;
    return false;
}

/* Returns whether the left leg is on the left. A model that stands with one shoulder in front still
   runs forward, so the gait decides. */
static bool is_left_on_left(const body *b)
{
    double left = 0;
    for (uint32_t i = 0; i < b->gait.count; ++i) left += left_in_frame(b, b->gait.frames[i]).y;
    return left >= 0;
}

/* Finds the body whose feet are b->feet. */
static bool find_body_on_feet(body *b, bool has_heading)
{
    measure_sides(b);
    if (!find_head(b)) return miss(b, "no bone has a name, because no head was found");
    if (!find_trunk(b)) return miss(b, "no bone has a name, because no path was found from the feet to the head");
    for (int k = 0; k < SIDES; ++k) measure_limb(b, &b->legs[k]);
    if (find_lean(b) > most_lean) return miss(b, "no bone has a name, because it does not stand upright");
    if (!has_legs(b)) return miss(b, "no bone has a name, because no legs were found");
    if (!has_knees(b)) return miss(b, "no bone has a name, because no knees were found");
    if (!has_heading) face_by_toes(b);
    if (!is_left_on_left(b)) return false;
    find_arms(b);
    return has_proof(b) || miss(b, "no bone has a name, because its legs do not swing and no arms were found");
}

bool find_body(body *b, mat3 axes)
{
    b->missing = NULL;
    b->r->axes = axes;
    measure_levels(b);
    bool      has_heading = face_by_gait(b);
    foot_pair pairs[MOST_PAIRS + 1];
    uint32_t  count = list_foot_pairs(b, pairs);
    for (uint32_t i = 0; i < 2 * count; ++i) {
        const foot_pair *pair = &pairs[i / 2];
        mat3             old = b->r->axes;
        b->feet[LEFT] = pair->bones[i % 2];
        b->feet[RIGHT] = pair->bones[1 - i % 2];
        b->swing = pair->swing;
        if (find_body_on_feet(b, has_heading)) return true;
        b->r->axes = old;
    }
    return count > 0 ? false : miss(b, "no bone has a name, because no feet were found");
}
