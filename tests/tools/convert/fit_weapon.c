/* fit_weapon.c - finds the joint that holds a weapon, or adds bones for the weapon. Public domain.

   The weapon of a Quake II player is an MD2 with the frames of the player, so its points follow the
   hand, but not always: a player who dies drops it, and many reload. A joint holds the weapon if the
   weapon is within two quantization steps in the median frame and in nine of ten frames. Otherwise
   the weapon gets separate bones, from the same fit as the player's. The main bone becomes a child
   of the joint that holds the weapon best in the median frame. Any other bone that a joint holds in
   the median frame becomes a child of that joint. The parents of the remaining bones are chosen so
   that their points do not fly off halfway between two frames.

   In the bind pose, the main bone has the position and the axes of its parent, and the weapon is held
   as in the most usual of the frames in which the player stands, runs or attacks. So an animation
   that does not move the bone shows the usual hold, and a player's weapons are interchangeable. */
#include "bones.h"
#include "convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double most_off = 2;     /* quantization steps */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    if (x < y) return -1;
    return x > y ? 1 : 0;
}

/* Sorts the values, and returns the quantile: `fraction` of the values are at most as large. */
static double quantile(double *values, uint32_t count, double fraction)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return values[(uint32_t)(fraction * (count - 1))];
}

static double squared_steps(vec3 miss, vec3 steps)
{
    vec3 off = make_vec3(miss.x / steps.x, miss.y / steps.y, miss.z / steps.z);
    return dot(off, off);
}

static vec3 transform_back(const rigid_transform *t, vec3 point)
{
    return rotate_back(t->rotation, minus(point, t->translation));
}

/* Returns the transform that applies `first`, and then `second`. */
static rigid_transform combine(const rigid_transform *second, const rigid_transform *first)
{
    rigid_transform t;
    t.rotation = times(second->rotation, first->rotation);
    t.translation = transform_point(second, first->translation);
    return t;
}

static rigid_transform inverse(const rigid_transform *t)
{
    rigid_transform back;
    back.rotation = transposed(t->rotation);
    back.translation = rotate_back(t->rotation, scaled(t->translation, -1));
    return back;
}

/* -- A joint that holds points ----------------------------------------------------------------- */

typedef struct hold {                 /* how well a bone holds some points */
    double *errors;                   /* [frame_count] RMS distance of the points from their median
                                         positions relative to the bone; quantization steps */
    double  median, nine_of_ten;      /* quantiles of `errors` */
    double  distance, far_distance;   /* the same quantiles in units */
} hold;

/* Sets local[point] to the median, over all frames, of the point's position relative to the bone. */
static void find_medians(const motion *w, const rigid_transform *bone, const bool *is_marked,
                         vec3 *local)
{
    double *values[3];
    for (int k = 0; k < 3; ++k) {
        values[k] = (double *)allocate(w->frame_count, sizeof *values[k]);
    }
    for (uint32_t p = 0; p < w->point_count; ++p) {
        if (!is_marked[p]) continue;
        for (uint32_t f = 0; f < w->frame_count; ++f) {
            vec3 at = transform_back(&bone[f], w->positions[(size_t)p * w->frame_count + f]);
            values[0][f] = at.x;
            values[1][f] = at.y;
            values[2][f] = at.z;
        }
        local[p] = make_vec3(quantile(values[0], w->frame_count, 0.5),
                             quantile(values[1], w->frame_count, 0.5),
                             quantile(values[2], w->frame_count, 0.5));
    }
    for (int k = 0; k < 3; ++k) release(values[k]);
}

/* Measures how well a bone holds the marked points. */
static hold measure_hold(const motion *w, const rigid_transform *bone, const bool *is_marked,
                         vec3 *local)
{
    hold    h;
    double *sorted = (double *)allocate(w->frame_count, sizeof *sorted);
    double *distances = (double *)allocate(w->frame_count, sizeof *distances);
    h.errors = (double *)allocate(w->frame_count, sizeof *h.errors);
    find_medians(w, bone, is_marked, local);
    for (uint32_t f = 0; f < w->frame_count; ++f) {
        double steps = 0, squares = 0, count = 0;
        for (uint32_t p = 0; p < w->point_count; ++p) {
            if (!is_marked[p]) continue;
            vec3 miss = minus(transform_point(&bone[f], local[p]),
                              w->positions[(size_t)p * w->frame_count + f]);
            steps += squared_steps(miss, w->steps[f]);
            squares += dot(miss, miss);
            ++count;
        }
        h.errors[f] = sqrt(steps / (3 * fmax(1, count)));
        distances[f] = sqrt(squares / fmax(1, count));
    }
    memcpy(sorted, h.errors, w->frame_count * sizeof *sorted);
    h.median = quantile(sorted, w->frame_count, 0.5);
    h.nine_of_ten = quantile(sorted, w->frame_count, 0.9);
    h.distance = quantile(distances, w->frame_count, 0.5);
    h.far_distance = quantile(distances, w->frame_count, 0.9);
    release(sorted);
    release(distances);
    return h;
}

/* Returns the bone that holds the marked points best in the median frame. A helper such as a finger has
   to be twice as good as a limb, because a weapon should be attached to the hand. */
static uint32_t find_holder(const motion *m, const rig *r, const motion *w, const bool *is_marked,
                            hold *best)
{
    const double far_better = 0.5;
    vec3        *local = (vec3 *)allocate(w->point_count, sizeof *local);
    uint32_t     holder = 0;
    double       least = HUGE_VAL;
    memset(best, 0, sizeof *best);
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        hold   h = measure_hold(w, transforms_of(m, r, b), is_marked, local);
        double cost = is_limb(r, b) ? far_better * h.distance : h.distance;
        if (b > 0 && !(cost < least)) {
            release(h.errors);
            continue;
        }
        release(best->errors);
        *best = h;
        least = cost;
        holder = b;
    }
    release(local);
    return holder;
}

/* Assigns all points of the weapon to a bone of the model. The rest position of a point is its mean
   position relative to the bone, over the frames in which the bone holds the weapon. */
static void assign_to_holder(const motion *w, const hold *h, const rigid_transform *bone,
                         uint32_t holder, rig *held)
{
    for (uint32_t p = 0; p < w->point_count; ++p) {
        vec3   sum = make_vec3(0, 0, 0);
        double count = 0;
        for (uint32_t f = 0; f < w->frame_count; ++f) {
            if (!(h->errors[f] <= most_off)) continue;
            vec3 at = w->positions[(size_t)p * w->frame_count + f];
            sum = add(sum, transform_back(&bone[f], at));
            ++count;
        }
        held->rest[p] = scaled(sum, 1 / count);
        assign_point(held, p, holder);
    }
}

/* -- Separate bones ----------------------------------------------------------------------------- */

/* Returns the RMS error of the weapon's bones in quantization steps. */
static double error_in_steps(const motion *w, const rig *held)
{
    double sum = 0;
    for (uint32_t p = 0; p < w->point_count; ++p) {
        for (uint32_t f = 0; f < w->frame_count; ++f) {
            size_t at = (size_t)p * w->frame_count + f;
            sum += squared_steps(minus(held->posed[at], w->positions[at]), w->steps[f]);
        }
    }
    return sqrt(sum / (3.0 * w->point_count * w->frame_count));
}

static double trace_of_product(mat3 a, mat3 b)
{
    return dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z);
}

/* Returns the best rotation. If a thin weapon is rotated by half a turn, it nearly fits, and best_rotation
   may stop there. So the result is also tried after half a turn about each axis. */
static mat3 find_rotation(mat3 sum, mat3 old)
{
    mat3   best = best_rotation(sum, old);
    double most = trace_of_product(best, sum);
    for (int axis = 0; axis < 3; ++axis) {
        double half = 3.14159265358979323846;
        vec3   angles = make_vec3(axis == 0 ? half : 0, axis == 1 ? half : 0, axis == 2 ? half : 0);
        mat3   other = best_rotation(sum, times(rotation_about(angles), best));
        if (!(trace_of_product(other, sum) > most)) continue;
        most = trace_of_product(other, sum);
        best = other;
    }
    return best;
}

static void update_rigid_transforms(const motion *w, rig *held)
{
    mat3 old = diagonal(1);
    for (uint32_t f = 0; f < w->frame_count; ++f) {
        vec3 rest = make_vec3(0, 0, 0), target = make_vec3(0, 0, 0);
        mat3 sum = diagonal(0);
        for (uint32_t p = 0; p < w->point_count; ++p) {
            rest = add(rest, scaled(held->rest[p], 1.0 / w->point_count));
            target = add(target, scaled(w->positions[(size_t)p * w->frame_count + f],
                                        1.0 / w->point_count));
        }
        for (uint32_t p = 0; p < w->point_count; ++p) {
            vec3 at = w->positions[(size_t)p * w->frame_count + f];
            sum = add_mat3(sum, outer(minus(at, target), minus(held->rest[p], rest)));
        }
        old = find_rotation(sum, old);
        held->transforms[f].rotation = old;
        held->transforms[f].translation = minus(target, rotate(old, rest));
    }
    pose_points(w, held);
}

static void fit_one_bone(const motion *w, rig *held)
{
    enum { ROUNDS = 4 };
    held->bone_count = 1;
    for (uint32_t p = 0; p < w->point_count; ++p) assign_point(held, p, 0);
    update_rigid_transforms(w, held);
    for (int round = 0; round < ROUNDS; ++round) {
        update_rest_positions(w, held);
        update_rigid_transforms(w, held);
    }
}

/* Finds the bones of the weapon: one bone if the weapon is rigid. */
static void fit_separate_bones(const motion *w, rig *held)
{
    allocate_rig(w, held);
    fit_one_bone(w, held);
    if (error_in_steps(w, held) <= most_off) return;
    free_rig(held);
    neighbors n = find_neighbors(w);
    fit_bones(w, &n, held);
    free_neighbors(&n);
    pose_points(w, held);
}

/* Sets four points around the hand in the first frame. They do not depend on the weapon, so all
   weapons of a player have the same usual frame if they move alike. */
static void set_probes(const motion *m, const rig *r, uint32_t holder, vec3 probes[4])
{
    double reach = 0;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        reach += length_of(minus(r->rest[p], r->joints[holder])) / m->point_count;
    }
    probes[0] = transform_point(transforms_of(m, r, holder), r->joints[holder]);
    probes[1] = add(probes[0], make_vec3(reach, 0, 0));
    probes[2] = add(probes[0], make_vec3(0, reach, 0));
    probes[3] = add(probes[0], make_vec3(0, 0, reach));
}

/* Returns the typical frame in which the weapon is held most like in the other typical frames: the
   sum of the distances of the probes from their positions in the other frames, relative to the joint
   that holds the weapon, is smallest. */
static uint32_t most_usual_frame(const motion *w, const rigid_transform *holder,
                                 const rigid_transform *own, const vec3 probes[4])
{
    uint32_t *frames = (uint32_t *)allocate(w->frame_count, sizeof *frames), count = 0;
    for (uint32_t f = 0; f < w->frame_count; ++f) {
        if (is_typical_frame(w, f)) frames[count++] = f;
    }
    for (uint32_t f = 0; f < w->frame_count && count == 0; ++f) frames[f] = f;
    if (count == 0) count = w->frame_count;

    vec3(*local)[4] = (vec3(*)[4])allocate(count, sizeof *local);
    for (uint32_t i = 0; i < count; ++i) {
        for (int k = 0; k < 4; ++k) {
            vec3 at = transform_point(&own[frames[i]], probes[k]);
            local[i][k] = transform_back(&holder[frames[i]], at);
        }
    }
    uint32_t best = 0;
    double   least = HUGE_VAL;
    for (uint32_t i = 0; i < count; ++i) {
        double sum = 0;
        for (uint32_t other = 0; other < count; ++other) {
            for (int k = 0; k < 4; ++k) sum += length_of(minus(local[i][k], local[other][k]));
        }
        if (!(sum < least)) continue;
        least = sum;
        best = frames[i];
    }
    release(local);
    release(frames);
    return best;
}

/* Names a bone "weapon", or "weapon_2" and so on if there are such bones. */
static void name_weapon_bone(rig *r, uint32_t bone)
{
    uint32_t number = 1;
    for (uint32_t b = 0; b < bone; ++b) {
        if (strncmp(r->names[b], "weapon", 6) == 0) ++number;
    }
    if (number == 1) snprintf(r->names[bone], sizeof r->names[bone], "weapon");
    else snprintf(r->names[bone], sizeof r->names[bone], "weapon_%u", (unsigned)number);
}

/* Marks the points of which `bone` is the heaviest bone. */
static void mark_points_of_bone(const motion *w, const rig *held, uint32_t bone, bool *is_marked)
{
    for (uint32_t p = 0; p < w->point_count; ++p) is_marked[p] = held->weights[p].bone[0] == bone;
}

/* Adds a bone of the weapon to the model. `back` transforms rest positions of the model to rest
   positions of the weapon's fit. */
static void add_weapon_bone(const motion *m, rig *r, const motion *w, const rigid_transform *own,
                            uint32_t holder, const rigid_transform *back)
{
    uint32_t               bone = r->bone_count++, last = w->frame_count - 1;
    rigid_transform       *out = transforms_of(m, r, bone);
    const rigid_transform *parent = transforms_of(m, r, holder);
    for (uint32_t f = 0; f < w->frame_count; ++f) out[f] = combine(&own[f], back);

    /* In frames that the weapon lacks, it keeps its last position. */
    rigid_transform from_parent = inverse(&parent[last]);
    from_parent = combine(&from_parent, &out[last]);
    for (uint32_t f = last + 1; f < m->frame_count; ++f) out[f] = combine(&parent[f], &from_parent);
    r->parents[bone] = (int32_t)holder;
    r->slides[bone] = true;
}

/* Chooses the parents and joints of bones that no joint holds in the median frame, and adds steady joints,
   so that points do not fly off between two frames. The parent is the present parent, the main bone of
   the weapon, or an ancestor of one of these. */
static void attach_weapon_bones(const motion *m, rig *r, const motion *w, const rig *held,
                                uint32_t first, const bool *is_held)
{
    motion both = *m;
    rig    tree = *r;
    both.point_count = w->point_count;
    tree.rest = held->rest;
    tree.weights = held->weights;
    tree.posed = (vec3 *)allocate((size_t)w->point_count * m->frame_count, sizeof *tree.posed);
    pose_points(&both, &tree);
    for (uint32_t b = first + 1; b < r->bone_count; ++b) {
        if (is_held[b]) continue;
        double  cost = attach_bone(&both, &tree, b);
        int32_t parent = tree.parents[b];
        vec3    joint = tree.joints[b];
        tree.parents[b] = (int32_t)first;
        if (attach_bone(&both, &tree, b) < cost) continue;
        tree.parents[b] = parent;
        tree.joints[b] = joint;
    }
    add_steady_joints(&both, &tree, first);
    release(tree.posed);
    tree.rest = r->rest;
    tree.weights = r->weights;
    tree.posed = r->posed;
    *r = tree;
}

/* Sets the bind pose of a weapon's bone: relative to its parent, it is the same as in `frame`. */
static void bind_weapon_bone(const motion *m, rig *r, uint32_t bone, uint32_t frame)
{
    uint32_t        above = (uint32_t)r->parents[bone];
    rigid_transform from_parent = inverse(&transforms_of(m, r, above)[frame]);
    from_parent = combine(&from_parent, &transforms_of(m, r, bone)[frame]);
    r->bind[bone] = combine(&r->bind[above], &from_parent);
}

/* Renumbers the bones so that the heaviest bone is bone 0. */
static void move_main_bone_first(const motion *w, rig *held)
{
    uint32_t order[MOST_BONES], count = 1;
    order[0] = 0;
    for (uint32_t b = 1; b < held->bone_count; ++b) {
        if (mass_of(w, held, b) > mass_of(w, held, order[0])) order[0] = b;
    }
    for (uint32_t b = 0; b < held->bone_count; ++b) {
        if (b != order[0]) order[count++] = b;
    }
    renumber_bones(w, held, order, count);
}

static bool add_weapon_bones(const motion *m, rig *r, const motion *w, rig *held, uint32_t holder)
{
    uint32_t first = r->bone_count;
    bool     is_held[MOST_BONES] = { false };
    if (first + held->bone_count > MOST_BONES) return false;
    bool *is_marked = (bool *)allocate(w->point_count, sizeof *is_marked);
    move_main_bone_first(w, held);

    const rigid_transform *own = transforms_of(w, held, 0), *parent = transforms_of(m, r, holder);
    vec3                   probes[4];
    set_probes(m, r, holder, probes);
    uint32_t        usual = most_usual_frame(w, parent, own, probes);
    rigid_transform shift = inverse(&parent[usual]);
    shift = combine(&shift, &own[usual]);
    rigid_transform back = inverse(&shift);
    for (uint32_t p = 0; p < w->point_count; ++p) {
        held->rest[p] = transform_point(&shift, held->rest[p]);
    }
    for (uint32_t b = 0; b < held->bone_count; ++b) {
        uint32_t above = holder;
        vec3     joint = r->joints[holder];
        if (b > 0) {
            hold best;
            mark_points_of_bone(w, held, b, is_marked);
            rig of_model = *r;
            of_model.bone_count = first;
            above = find_holder(m, &of_model, w, is_marked, &best);
            release(best.errors);
            joint = center_of(w, held, b);
            is_held[first + b] = best.median <= most_off;
        }
        add_weapon_bone(m, r, w, transforms_of(w, held, b), above, &back);
        r->joints[first + b] = joint;
    }
    for (uint32_t p = 0; p < w->point_count; ++p) {
        for (uint32_t i = 0; i < held->weights[p].count; ++i) held->weights[p].bone[i] += first;
    }
    attach_weapon_bones(m, r, w, held, first, is_held);
    for (uint32_t b = first; b < r->bone_count; ++b) {
        bind_weapon_bone(m, r, b, usual);
        if (mass_of(w, held, b) > 0) name_weapon_bone(r, b);
    }
    release(is_marked);
    return true;
}

/* -- All --------------------------------------------------------------------------------------- */

bool fit_weapon(const motion *m, rig *r, const motion *w, rig *held, weapon_fit *fit)
{
    hold  best;
    bool *is_marked = (bool *)allocate(w->point_count, sizeof *is_marked), is_good = true;
    for (uint32_t p = 0; p < w->point_count; ++p) is_marked[p] = true;
    fit->joint = find_holder(m, r, w, is_marked, &best);
    fit->nine_of_ten = best.nine_of_ten;
    fit->distance = best.far_distance;
    fit->bone_count = 0;
    if (best.median <= most_off && best.nine_of_ten <= most_off) {
        allocate_rig(w, held);
        assign_to_holder(w, &best, transforms_of(m, r, fit->joint), fit->joint, held);
    } else {
        fit_separate_bones(w, held);
        fit->off = error_in_steps(w, held);
        uint32_t first = r->bone_count;
        is_good = add_weapon_bones(m, r, w, held, fit->joint);
        bool has_steady_joint = is_good && !(mass_of(w, held, first) > 0);
        fit->bone_count = r->bone_count - first - has_steady_joint;
    }
    memcpy(held->joints, r->joints, sizeof held->joints);
    memcpy(held->bind, r->bind, sizeof held->bind);
    release(best.errors);
    release(is_marked);
    return is_good;
}
