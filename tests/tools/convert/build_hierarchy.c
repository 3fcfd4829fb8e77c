/* build_hierarchy.c - the tree of bones, and its joints. Public domain.

   The fit finds bones without parents. Two bones that meet at an elbow both move one point, their
   joint, to nearly the same position in each frame. The distance between the two positions is the
   misfit of the joint. Parents that are known from the names of bones are kept; the other parents are
   chosen with the least misfit. Light bones become leaves of the tree of heavy bones, because the
   misfit of a light bone is small with any parent.

   A bone with a closed joint only has a rotation in each frame. A bone that slides also has a
   position in each frame, from the fit. A joint is closed if the error that this causes costs less
   than the three numbers per frame that it saves. Parts that an artist moved by hand, such as
   shoulders and capes, slide.

   Then the three steps of the fit continue. A closed joint counts as a point of both bones, and each
   bone has to move it to the position to which the other bone moves it. The joint is recomputed in
   each round. The small gap that remains is closed at the end. */
#include "bones.h"
#include "convert.h"

#include <string.h>

/* -- Joints of pairs --------------------------------------------------------------------------- */

/* Finds the middle of the two closest points of bones that share no points, and their distance.
   Returns false if a bone has no points. */
static bool find_closest_points(const motion *m, const rig *r, uint32_t a, uint32_t b, vec3 *middle,
                                double *gap)
{
    *gap = HUGE_VAL;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        if (r->weights[p].bone[0] != a) continue;
        for (uint32_t q = 0; q < m->point_count; ++q) {
            if (r->weights[q].bone[0] != b) continue;
            double distance = length_of(minus(r->rest[p], r->rest[q]));
            if (!(distance < *gap)) continue;
            *gap = distance;
            *middle = scaled(add(r->rest[p], r->rest[q]), 0.5);
        }
    }
    return *gap < HUGE_VAL;
}

/* Finds the point that both bones move to the same positions. At an elbow, which rotates about one
   axis, all points of the axis qualify, so the point is pulled a little toward the position where
   the bones meet. A joint that is already closed is pulled toward its present position instead. */
pair_joint find_pair_joint(const motion *m, const rig *r, uint32_t a, uint32_t b)
{
    const double pull = 0.035;
    pair_joint   joint;
    vec3         meeting = make_vec3(0, 0, 0);
    memset(&joint, 0, sizeof joint);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        double product = weight_of(&r->weights[p], a) * weight_of(&r->weights[p], b);
        if (!(product > 0)) continue;
        meeting = add(meeting, scaled(r->rest[p], product));
        joint.shared += product;
    }
    if (joint.shared > 0.05) meeting = scaled(meeting, 1 / joint.shared);
    else if (!find_closest_points(m, r, a, b, &meeting, &joint.gap)) return joint;

    const rigid_transform *first = transforms_of(m, r, a), *second = transforms_of(m, r, b);
    bool                   is_closed = r->parents[b] == (int32_t)a && !r->slides[b];
    vec3                   toward = is_closed ? r->joints[b] : meeting;
    mat3                   squares = diagonal(0);
    vec3                   sums = make_vec3(0, 0, 0);
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        mat3 rotation = minus_mat3(first[f].rotation, second[f].rotation);
        vec3 translation = minus(first[f].translation, second[f].translation);
        squares = add_mat3(squares, transposed_times(rotation, rotation));
        sums = minus(sums, rotate_back(rotation, translation));
    }
    squares = add_mat3(squares, diagonal(pull * m->frame_count));
    sums = add(sums, scaled(toward, pull * m->frame_count));
    joint.position = solve3(squares, sums);

    double misfit = 0;
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        vec3 off = add(rotate(minus_mat3(first[f].rotation, second[f].rotation), joint.position),
                       minus(first[f].translation, second[f].translation));
        misfit += dot(off, off);
    }
    joint.misfit = sqrt(misfit / m->frame_count);
    joint.meeting = meeting;
    joint.away = length_of(minus(joint.position, meeting));
    joint.is_there = true;
    return joint;
}

/* -- Parents ----------------------------------------------------------------------------------- */

static double cost_of(const pair_joint *joint)
{
    if (!joint->is_there) return HUGE_VAL;
    return joint->misfit + 0.25 * joint->away + 0.5 * joint->gap;
}

vec3 center_of(const motion *m, const rig *r, uint32_t bone)
{
    vec3   middle = make_vec3(0, 0, 0);
    double mass = mass_of(m, r, bone);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        middle = add(middle, scaled(r->rest[p], weight_of(&r->weights[p], bone)));
    }
    return mass > 0 ? scaled(middle, 1 / mass) : middle;
}

/* Returns the bone closest to the middle of the body. The bone must have at least a quarter of the
   weight of the heaviest bone: the rotation of a light bone is uncertain, and the root rotates the
   whole body. */
static uint32_t find_root(const motion *m, const rig *r, double heaviest)
{
    vec3 middle = make_vec3(0, 0, 0);
    for (uint32_t p = 0; p < m->point_count; ++p) middle = add(middle, r->rest[p]);
    middle = scaled(middle, 1.0 / m->point_count);

    uint32_t root = 0;
    double   least = HUGE_VAL;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        double away = length_of(minus(center_of(m, r, b), middle));
        bool   is_heavy = mass_of(m, r, b) >= 0.25 * heaviest;
        if (!is_heavy || !(away < least)) continue;
        least = away;
        root = b;
    }
    return root;
}

/* Attaches the bone without a parent whose joint with a bone of the tree costs least. Attaches heavy bones
   if `is_light` is false, otherwise light bones, as children of heavy bones. Returns false if no
   bone is left. */
static bool attach_next(rig *r, const double *costs, const bool *is_heavy, bool is_light)
{
    uint32_t parent = 0, child = UINT32_MAX;
    double   least = HUGE_VAL;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (r->parents[b] != NO_PARENT_YET || is_heavy[b] == is_light) continue;
        for (uint32_t a = 0; a < r->bone_count; ++a) {
            double cost = costs[a * MOST_BONES + b];
            bool   can_be_parent = r->parents[a] != NO_PARENT_YET && (is_heavy[a] || !is_light);
            if (!can_be_parent || (child != UINT32_MAX && !(cost < least))) continue;
            least = cost;
            parent = a;
            child = b;
        }
    }
    if (child == UINT32_MAX) return false;
    r->parents[child] = (int32_t)parent;
    return true;
}

static void choose_parents(const motion *m, rig *r)
{
    double *costs = (double *)allocate(MOST_BONES * MOST_BONES, sizeof *costs);
    bool    is_heavy[MOST_BONES], has_root = false;
    double  light = fmax(3, 0.2 * m->point_count / r->bone_count), heaviest = 0;
    for (uint32_t b = 0; b < r->bone_count; ++b) heaviest = fmax(heaviest, mass_of(m, r, b));
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        is_heavy[b] = mass_of(m, r, b) >= fmin(light, heaviest);
        has_root = has_root || r->parents[b] == -1;
        for (uint32_t a = 0; a < b; ++a) {
            pair_joint joint = find_pair_joint(m, r, a, b);
            costs[a * MOST_BONES + b] = costs[b * MOST_BONES + a] = cost_of(&joint);
        }
    }
    if (!has_root) r->parents[find_root(m, r, heaviest)] = -1;
    while (attach_next(r, costs, is_heavy, false)) {}
    while (attach_next(r, costs, is_heavy, true)) {}
    release(costs);
}

/* Numbers the bones so that each comes before its descendants, and branches stay together. */
static void sort_bones(const motion *m, rig *r)
{
    uint32_t order[MOST_BONES], stack[MOST_BONES], depth = 0, count = 0;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (r->parents[b] < 0) stack[depth++] = b;
    }
    while (depth > 0) {
        uint32_t bone = stack[--depth];
        order[count++] = bone;
        for (uint32_t b = r->bone_count; b-- > 0;) {
            if (r->parents[b] == (int32_t)bone) stack[depth++] = b;
        }
    }
    renumber_bones(m, r, order, count);
}

/* -- Joints ------------------------------------------------------------------------------------ */

/* Moves each joint to the position that its two bones agree on best, and the joint of the root to the
   middle of its points. */
static void place_joints(const motion *m, rig *r)
{
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        pair_joint joint;
        joint.is_there = false;
        if (!(mass_of(m, r, b) > 0)) continue;
        if (r->parents[b] >= 0) joint = find_pair_joint(m, r, (uint32_t)r->parents[b], b);
        r->joints[b] = joint.is_there ? joint.position : center_of(m, r, b);
    }
}

/* Decides which bones slide. All joints are closed at first and get the positions that fit best. Closing
   a joint moves the points of its branch by a fraction of its misfit. If the squared error of this
   is larger than the cost of three numbers per frame, the bone slides. */
static void choose_sliding(const motion *m, rig *r)
{
    enum { ROUNDS = 4 };
    const double part = 0.06;
    double       branch_mass[MOST_BONES];
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        r->slides[b] = r->parents[b] < 0;
        branch_mass[b] = mass_of(m, r, b);
    }
    for (int round = 0; round < ROUNDS; ++round) place_joints(m, r);
    for (uint32_t b = r->bone_count; b-- > 0;) {
        if (r->parents[b] < 0) continue;
        uint32_t   parent = (uint32_t)r->parents[b];
        pair_joint joint = find_pair_joint(m, r, parent, b);
        double     cost = part * branch_mass[b] * joint.misfit * joint.misfit;
        r->slides[b] = !joint.is_there || cost > COST_OF_NUMBER * 3 * noise_of(m);
        if (!r->slides[b]) branch_mass[parent] += branch_mass[b];
    }
}

/* Closes the gaps of the closed joints, from the root to the leaves. */
static void close_joints(const motion *m, rig *r)
{
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (r->slides[b]) continue;
        rigid_transform       *own = transforms_of(m, r, b);
        const rigid_transform *parent = transforms_of(m, r, (uint32_t)r->parents[b]);
        for (uint32_t f = 0; f < m->frame_count; ++f) {
            vec3 place = transform_point(&parent[f], r->joints[b]);
            own[f].translation = minus(place, rotate(own[f].rotation, r->joints[b]));
        }
    }
    pose_points(m, r);
}

/* -- All --------------------------------------------------------------------------------------- */

void build_hierarchy(const motion *m, const neighbors *n, rig *r)
{
    enum { ROUNDS = 32 };
    choose_parents(m, r);
    sort_bones(m, r);
    place_joints(m, r);
    choose_sliding(m, r);
    for (int round = 0; round < ROUNDS; ++round) {
        update_weights(m, n, r);
        update_rest_positions(m, r);
        update_transforms(m, r);
        place_joints(m, r);
        report_progress(m, 0.6 + 0.4 * round / ROUNDS);
    }
    close_joints(m, r);
    report_progress(m, 1);
}
