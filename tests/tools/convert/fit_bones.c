/* fit_bones.c - finds sets of points that move rigidly, and their transforms. Public domain.

   A frame of an MD2 has the position of each point, rounded to one of 256 quantization steps, and
   no bones. But the points of a forearm keep their distances in all frames. So a bone is a rigid
   transform that moves many points, and a point near an elbow is a mixture of two bones.

   The fit begins with hard borders: all points are one cluster. The points around the largest error
   become a new cluster, each point moves to the cluster that fits it best, and so on, up to twelve
   clusters. Then three steps alternate. Each of them can only reduce the squared error:

     weights      each point gets the nearby bone that fits it best, and then up to three more
                  nearby bones, one after the other, that reduce its error most
     rest         each point finds the rest position that its bones transform closest to its
                  positions in all frames
     transforms   each bone, in each frame, finds the transform that fits its points best, given
                  the other bones of these points

   Where the error is largest and larger than rounding explains, six points get a new bone, and the
   three steps continue. A cost decides the number of bones: a bone is six numbers in each frame, a
   weight is one number, and each number has to save ten times the error that rounding causes in a
   coordinate. A bone that saves less is removed again. So a model with twice the frames or half the
   size gets the same bones, and no setting is needed.

   Bones in the tree of build_hierarchy.c are fitted in the same way: a closed joint is an
   additional point of both its bones, and its target in one bone is its position in the other. */
#include "bones.h"
#include "convert.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_CANDIDATES = 8,              /* bones that a point picks from */
    NEW_BONE_POINTS = 6,
    MOST_NEIGHBORS = 256
};

static const double least_weight = 0.02;
static const double search_radius = 0.2; /* distance of nearby bones from a point, / size of the model */

/* -- Rigs -------------------------------------------------------------------------------------- */

void allocate_rig(const motion *m, rig *r)
{
    memset(r, 0, sizeof *r);
    r->rest = (vec3 *)allocate(m->point_count, sizeof *r->rest);
    r->weights = (point_weights *)allocate(m->point_count, sizeof *r->weights);
    r->transforms = (rigid_transform *)allocate((size_t)MOST_BONES * m->frame_count,
                                                sizeof *r->transforms);
    r->posed = (vec3 *)allocate((size_t)m->point_count * m->frame_count, sizeof *r->posed);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        r->rest[p] = m->positions[(size_t)p * m->frame_count];
    }
    for (uint32_t f = 0; f < m->frame_count; ++f) r->transforms[f].rotation = diagonal(1);
    for (uint32_t b = 0; b < MOST_BONES; ++b) {
        r->parents[b] = NO_PARENT_YET;
        r->slides[b] = true;
        r->bind[b].rotation = diagonal(1);
    }
}

void free_rig(rig *r)
{
    release(r->rest);
    release(r->weights);
    release(r->transforms);
    release(r->posed);
    memset(r, 0, sizeof *r);
}

/* Copies the parts of a rig that a fit without a tree changes. */
static void copy_rig(const motion *m, const rig *from, rig *to)
{
    size_t transforms = (size_t)from->bone_count * m->frame_count;
    to->bone_count = from->bone_count;
    memcpy(to->rest, from->rest, m->point_count * sizeof *to->rest);
    memcpy(to->weights, from->weights, m->point_count * sizeof *to->weights);
    memcpy(to->transforms, from->transforms, transforms * sizeof *to->transforms);
    pose_points(m, to);
}

double weight_of(const point_weights *w, uint32_t bone)
{
    for (uint32_t i = 0; i < w->count; ++i) {
        if (w->bone[i] == bone) return w->weight[i];
    }
    return 0;
}

double mass_of(const motion *m, const rig *r, uint32_t bone)
{
    double sum = 0;
    for (uint32_t p = 0; p < m->point_count; ++p) sum += weight_of(&r->weights[p], bone);
    return sum;
}

void assign_point(rig *r, uint32_t point, uint32_t bone)
{
    point_weights *w = &r->weights[point];
    w->count = 1;
    w->bone[0] = bone;
    w->weight[0] = 1;
}

void renumber_bones(const motion *m, rig *r, const uint32_t *order, uint32_t count)
{
    rig      old = *r;
    uint32_t numbers[MOST_BONES] = { 0 };
    r->transforms = (rigid_transform *)allocate((size_t)MOST_BONES * m->frame_count,
                                                sizeof *r->transforms);
    for (uint32_t i = 0; i < count; ++i) {
        numbers[order[i]] = i;
        memcpy(transforms_of(m, r, i), transforms_of(m, &old, order[i]),
               m->frame_count * sizeof(rigid_transform));
        memcpy(r->names[i], old.names[order[i]], sizeof r->names[i]);
        r->joints[i] = old.joints[order[i]];
        r->slides[i] = old.slides[order[i]];
        r->bind[i] = old.bind[order[i]];
    }
    for (uint32_t i = 0; i < count; ++i) {
        int32_t parent = old.parents[order[i]];
        r->parents[i] = parent < 0 ? parent : (int32_t)numbers[parent];
    }
    for (uint32_t p = 0; p < m->point_count; ++p) {
        point_weights *w = &r->weights[p];
        for (uint32_t i = 0; i < w->count; ++i) w->bone[i] = numbers[w->bone[i]];
    }
    r->bone_count = count;
    release(old.transforms);
}

static void drop_unused_bones(const motion *m, rig *r)
{
    uint32_t used[MOST_BONES], count = 0;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (mass_of(m, r, b) > 0) used[count++] = b;
    }
    if (count < r->bone_count) renumber_bones(m, r, used, count);
}

/* -- Errors and costs -------------------------------------------------------------------------- */

/* The rounding error is uniformly distributed between -1/2 and 1/2 step, so its variance is step^2 / 12. */
double noise_of(const motion *m)
{
    return m->step * m->step / 12;
}

double point_error(const motion *m, const rig *r, uint32_t point)
{
    const vec3 *at = m->positions + (size_t)point * m->frame_count;
    const vec3 *posed = r->posed + (size_t)point * m->frame_count;
    double      sum = 0;
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        vec3 off = minus(posed[f], at[f]);
        sum += dot(off, off);
    }
    return sum;
}

double error_of(const motion *m, const rig *r)
{
    double sum = 0;
    for (uint32_t p = 0; p < m->point_count; ++p) sum += point_error(m, r, p);
    return sum;
}

static double cost_of_bone(const motion *m)
{
    return COST_OF_NUMBER * 6 * m->frame_count * noise_of(m);
}

static double cost_of_weight(const motion *m)
{
    return COST_OF_NUMBER * noise_of(m);
}

void report_progress(const motion *m, double done)
{
    if (m->report) m->report(done);
}

/* -- Neighbors --------------------------------------------------------------------------------- */

typedef struct near_point {
    float    distance;
    uint32_t point;
} near_point;

static int compare_near(const void *a, const void *b)
{
    const near_point *x = (const near_point *)a, *y = (const near_point *)b;
    if (x->distance < y->distance) return -1;
    if (x->distance > y->distance) return 1;
    return x->point < y->point ? -1 : 1;
}

/* Returns the step from one compared frame to the next. About 48 frames are compared, because neighboring frames are
   similar. */
static uint32_t frame_stride(const motion *m)
{
    enum { COMPARED_FRAMES = 48 };
    return 1 + m->frame_count / COMPARED_FRAMES;
}

static float greatest_distance(const motion *m, uint32_t a, uint32_t b)
{
    const vec3 *p = m->positions + (size_t)a * m->frame_count;
    const vec3 *q = m->positions + (size_t)b * m->frame_count;
    double      most = 0;
    for (uint32_t f = 0; f < m->frame_count; f += frame_stride(m)) {
        vec3   offset = minus(p[f], q[f]);
        double square = dot(offset, offset);
        if (square > most) most = square;
    }
    return (float)sqrt(most);
}

neighbors find_neighbors(const motion *m)
{
    neighbors n;
    n.room = m->point_count < MOST_NEIGHBORS ? m->point_count : (uint32_t)MOST_NEIGHBORS;
    n.points = (uint32_t *)allocate((size_t)m->point_count * n.room, sizeof *n.points);
    n.distances = (float *)allocate((size_t)m->point_count * n.room, sizeof *n.distances);

    near_point *list = (near_point *)allocate(m->point_count, sizeof *list);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        for (uint32_t q = 0; q < m->point_count; ++q) {
            list[q].distance = p == q ? -1 : greatest_distance(m, p, q);
            list[q].point = q;
        }
        qsort(list, m->point_count, sizeof *list, compare_near);
        for (uint32_t i = 0; i < n.room; ++i) {
            n.points[(size_t)p * n.room + i] = list[i].point;
            n.distances[(size_t)p * n.room + i] = list[i].distance;
        }
    }
    release(list);
    return n;
}

void free_neighbors(neighbors *n)
{
    release(n->points);
    release(n->distances);
}

double size_of_rest(const motion *m, const rig *r)
{
    vec3 low = r->rest[0], high = r->rest[0];
    for (uint32_t p = 1; p < m->point_count; ++p) {
        vec3 v = r->rest[p];
        low = make_vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
        high = make_vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
    }
    return length_of(minus(high, low));
}

/* -- Transforms -------------------------------------------------------------------------------- */

void pose_points(const motion *m, rig *r)
{
    memset(r->posed, 0, (size_t)m->point_count * m->frame_count * sizeof *r->posed);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        vec3 *posed = r->posed + (size_t)p * m->frame_count;
        for (uint32_t i = 0; i < r->weights[p].count; ++i) {
            const rigid_transform *transforms = transforms_of(m, r, r->weights[p].bone[i]);
            double                 weight = r->weights[p].weight[i];
            for (uint32_t f = 0; f < m->frame_count; ++f) {
                vec3 part = scaled(transform_point(&transforms[f], r->rest[p]), weight);
                posed[f] = add(posed[f], part);
            }
        }
    }
}

typedef struct moments {              /* sums over pairs of a rest position and its target */
    double strength;
    vec3   rests, targets;            /* times the strength */
    mat3   products;                  /* (target) (rest)^T, times the strength */
} moments;

/* Adds a pair: the bone should transform `rest` to `target`. */
static void add_pair(moments *sums, double strength, vec3 rest, vec3 target)
{
    vec3 weighted = scaled(target, strength);
    sums->strength += strength;
    sums->rests = add(sums->rests, scaled(rest, strength));
    sums->targets = add(sums->targets, weighted);
    sums->products = add_mat3(sums->products, outer(weighted, rest));
}

/* Adds the points of a bone. The target of a point is the position to which the bone has to move it, given its
   other bones, so that the point is at its position in the file. */
static void add_points(const motion *m, const rig *r, uint32_t bone, moments *sums)
{
    const rigid_transform *transforms = transforms_of(m, r, bone);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        double weight = weight_of(&r->weights[p], bone);
        if (!(weight > 0)) continue;
        const vec3 *at = m->positions + (size_t)p * m->frame_count;
        const vec3 *posed = r->posed + (size_t)p * m->frame_count;
        for (uint32_t f = 0; f < m->frame_count; ++f) {
            vec3 change = scaled(minus(at[f], posed[f]), 1 / weight);
            add_pair(&sums[f], weight * weight, r->rest[p],
                     add(transform_point(&transforms[f], r->rest[p]), change));
        }
    }
}

/* Adds a closed joint, which counts as a point of both bones: its target for one bone is the position
   to which the other bone moves it. Its strength is that of all points of the child together. */
static void add_joint(const motion *m, const rig *r, uint32_t child, uint32_t bone, moments *sums)
{
    uint32_t    parent = (uint32_t)r->parents[child];
    const rigid_transform *other = transforms_of(m, r, bone == child ? parent : child);
    double      strength = mass_of(m, r, child);
    vec3        joint = r->joints[child];
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        add_pair(&sums[f], strength, joint, transform_point(&other[f], joint));
    }
}

/* Finds the transforms of a bone that fit its points and its closed joints best. */
static void update_transform(const motion *m, rig *r, uint32_t bone)
{
    rigid_transform *transforms = transforms_of(m, r, bone);
    moments *sums = (moments *)allocate(m->frame_count, sizeof *sums);
    rigid_transform *old = (rigid_transform *)allocate(m->frame_count, sizeof *old);
    memcpy(old, transforms, m->frame_count * sizeof *old);
    add_points(m, r, bone, sums);
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        bool is_ours = b == bone || r->parents[b] == (int32_t)bone;
        if (is_ours && !r->slides[b]) add_joint(m, r, b, bone, sums);
    }

    for (uint32_t f = 0; f < m->frame_count && sums[f].strength > 0; ++f) {
        vec3 middle = scaled(sums[f].rests, 1 / sums[f].strength);
        mat3 about_middle = minus_mat3(sums[f].products, outer(sums[f].targets, middle));
        transforms[f].rotation = best_rotation(about_middle, transforms[f].rotation);
        transforms[f].translation = minus(scaled(sums[f].targets, 1 / sums[f].strength),
                                          rotate(transforms[f].rotation, middle));
    }

    for (uint32_t p = 0; p < m->point_count; ++p) {
        double weight = weight_of(&r->weights[p], bone);
        vec3  *posed = r->posed + (size_t)p * m->frame_count;
        for (uint32_t f = 0; f < m->frame_count && weight > 0; ++f) {
            vec3 change = minus(transform_point(&transforms[f], r->rest[p]),
                                transform_point(&old[f], r->rest[p]));
            posed[f] = add(posed[f], scaled(change, weight));
        }
    }
    release(sums);
    release(old);
}

void update_transforms(const motion *m, rig *r)
{
    pose_points(m, r);
    for (uint32_t b = 0; b < r->bone_count; ++b) update_transform(m, r, b);
}

/* -- Rest -------------------------------------------------------------------------------------- */

/* Solves for the rest position of each point: a linear least squares problem with three unknowns,
   because the bones together transform a point linearly. The old position has a small weight, for
   directions in which no frame determines the position. */
void update_rest_positions(const motion *m, rig *r)
{
    const double hold = 1e-3 * m->frame_count;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        const point_weights *w = &r->weights[p];
        const vec3          *at = m->positions + (size_t)p * m->frame_count;
        mat3                 squares = diagonal(hold);
        vec3                 sums = scaled(r->rest[p], hold);
        for (uint32_t f = 0; f < m->frame_count; ++f) {
            mat3 rotation = diagonal(0);
            vec3 left = at[f];
            for (uint32_t i = 0; i < w->count; ++i) {
                const rigid_transform *by = &r->transforms[(size_t)w->bone[i] * m->frame_count + f];
                double      weight = w->weight[i];
                mat3                   part = scaled_mat3(by->rotation, weight);
                rotation = add_mat3(rotation, part);
                left = minus(left, scaled(by->translation, weight));
            }
            squares = add_mat3(squares, transposed_times(rotation, rotation));
            sums = add(sums, rotate_back(rotation, left));
        }
        r->rest[p] = solve3(squares, sums);
    }
}

/* -- Weights ----------------------------------------------------------------------------------- */

/* A miss of a bone is the vector from the position of the point in the file to the position to which
   the bone alone moves it. Sets products[i][k] to the dot product of the misses of bones i and k,
   summed over all frames. The squared error of weights w that sum to 1 is then w^T * products * w. */
static void compute_error_products(const motion *m, const rig *r, uint32_t point, const uint32_t *bones,
                            uint32_t count, double products[MOST_CANDIDATES][MOST_CANDIDATES])
{
    const vec3            *at = m->positions + (size_t)point * m->frame_count;
    const rigid_transform *transforms[MOST_CANDIDATES];
    vec3        rest = r->rest[point], misses[MOST_CANDIDATES];
    memset(products, 0, sizeof(double[MOST_CANDIDATES][MOST_CANDIDATES]));
    for (uint32_t i = 0; i < count; ++i) transforms[i] = transforms_of(m, r, bones[i]);
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        for (uint32_t i = 0; i < count; ++i) {
            misses[i] = minus(transform_point(&transforms[i][f], rest), at[f]);
            for (uint32_t k = 0; k <= i; ++k) products[i][k] += dot(misses[i], misses[k]);
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < i; ++k) products[k][i] = products[i][k];
    }
}

/* Finds the weights, with the sum 1, that give the chosen bones the least error. Returns the error. */
static double best_weights(double products[MOST_CANDIDATES][MOST_CANDIDATES],
                           const uint32_t *chosen, uint32_t count, double *weights)
{
    double m[MOST_BONE_WEIGHTS * MOST_BONE_WEIGHTS], size = 0, sum = 0, error = 0;
    for (uint32_t i = 0; i < count; ++i) size = fmax(size, products[chosen[i]][chosen[i]]);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < count; ++k) m[i * count + k] = products[chosen[i]][chosen[k]];
        m[i * count + i] += 1e-9 * size + 1e-12;
        weights[i] = 1;
    }
    if (!solve(m, weights, count)) return HUGE_VAL;

    for (uint32_t i = 0; i < count; ++i) sum += weights[i];
    for (uint32_t i = 0; i < count; ++i) {
        weights[i] /= sum;
        if (!(weights[i] >= least_weight)) return HUGE_VAL;
    }
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < count; ++k) {
            error += weights[i] * weights[k] * products[chosen[i]][chosen[k]];
        }
    }
    return error;
}

/* Begins with the best single bone. Adds bones, each time the bone that reduces the error most, as long as
   the weight saves its cost. Returns the error. */
static double pick_weights(const motion *m, const rig *r, uint32_t point, const uint32_t *bones,
                           uint32_t bone_count, point_weights *out)
{
    double   products[MOST_CANDIDATES][MOST_CANDIDATES], weights[MOST_BONE_WEIGHTS] = { 1 };
    uint32_t chosen[MOST_BONE_WEIGHTS] = { 0 }, count = 1;
    compute_error_products(m, r, point, bones, bone_count, products);
    for (uint32_t i = 1; i < bone_count; ++i) {
        if (products[i][i] < products[chosen[0]][chosen[0]]) chosen[0] = i;
    }

    double error = products[chosen[0]][chosen[0]];
    while (count < MOST_BONE_WEIGHTS) {
        double   best = HUGE_VAL, best_of[MOST_BONE_WEIGHTS], trial[MOST_BONE_WEIGHTS];
        uint32_t helper = 0;
        for (uint32_t i = 0; i < bone_count; ++i) {
            bool is_chosen = false;
            for (uint32_t k = 0; k < count; ++k) is_chosen = is_chosen || chosen[k] == i;
            if (is_chosen) continue;
            chosen[count] = i;
            double left = best_weights(products, chosen, count + 1, trial);
            if (!(left < best)) continue;
            best = left;
            helper = i;
            memcpy(best_of, trial, sizeof best_of);
        }
        if (!(best < error - cost_of_weight(m))) break;
        chosen[count++] = helper;
        error = best;
        memcpy(weights, best_of, sizeof weights);
    }

    uint32_t heaviest = 0;
    for (uint32_t i = 1; i < count; ++i) {
        if (weights[i] > weights[heaviest]) heaviest = i;
    }
    out->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t from = (i + heaviest) % count;
        out->bone[i] = bones[chosen[from]];
        out->weight[i] = weights[from];
    }
    return error;
}

/* Lists the bones of the point, then the heaviest bones of the points around it, nearest first. */
static uint32_t list_candidates(const neighbors *n, const rig *r, uint32_t point, double within,
                                uint32_t *bones)
{
    const uint32_t *points = n->points + (size_t)point * n->room;
    const float    *distances = n->distances + (size_t)point * n->room;
    uint32_t        count = r->weights[point].count;
    memcpy(bones, r->weights[point].bone, count * sizeof *bones);
    for (uint32_t i = 0; i < n->room && count < MOST_CANDIDATES; ++i) {
        if ((double)distances[i] > within) break;
        uint32_t bone = r->weights[points[i]].bone[0], k = 0;
        while (k < count && bones[k] != bone) ++k;
        if (k == count) bones[count++] = bone;
    }
    return count;
}

/* Returns the error of a point in the compared frames if only this bone moves it. The sum ends when it reaches `most`. */
static double rough_error(const motion *m, const rig *r, uint32_t point, uint32_t bone, double most)
{
    const vec3            *at = m->positions + (size_t)point * m->frame_count;
    const rigid_transform *transforms = r->transforms + (size_t)bone * m->frame_count;
    double      sum = 0;
    for (uint32_t f = 0; f < m->frame_count && sum < most; f += frame_stride(m)) {
        vec3 miss = minus(transform_point(&transforms[f], r->rest[point]), at[f]);
        sum += dot(miss, miss);
    }
    return sum;
}

/* Adds a distant bone to the candidates if it fits the point far better than all of them: the clusters
   may have assigned a clip in the hair to the hand. */
static uint32_t add_far_bone(const motion *m, const rig *r, uint32_t point, uint32_t count,
                             uint32_t *bones)
{
    const double far_better = 0.25;
    uint32_t     best = 0;
    double       least = HUGE_VAL, least_near = HUGE_VAL;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        bool is_near = false;
        for (uint32_t i = 0; i < count; ++i) is_near = is_near || bones[i] == b;
        double error = rough_error(m, r, point, b, is_near ? least_near : least);
        if (is_near) least_near = fmin(least_near, error);
        if (!(error < least)) continue;
        least = error;
        best = b;
    }
    if (!(least < far_better * least_near)) return count;
    if (count < MOST_CANDIDATES) ++count;
    bones[count - 1] = best;
    return count;
}

/* Updates all points from the same old weights, which are replaced at the end. */
void update_weights(const motion *m, const neighbors *n, rig *r)
{
    double         within = search_radius * size_of_rest(m, r);
    point_weights *picked = (point_weights *)allocate(m->point_count, sizeof *picked);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        uint32_t bones[MOST_CANDIDATES];
        uint32_t count = list_candidates(n, r, p, within, bones);
        count = add_far_bone(m, r, p, count, bones);
        pick_weights(m, r, p, bones, count, &picked[p]);
    }
    release(r->weights);
    r->weights = picked;
}

/* -- The three steps --------------------------------------------------------------------------- */

static void refine(const motion *m, const neighbors *n, rig *r, int rounds)
{
    for (int round = 0; round < rounds; ++round) {
        update_weights(m, n, r);
        drop_unused_bones(m, r);
        if (round % 2 == 1) update_rest_positions(m, r);
        update_transforms(m, r);
    }
}

/* -- A new bone -------------------------------------------------------------------------------- */

/* Assigns a point and its nearest neighbors to a new bone. */
static void add_bone_at(const motion *m, const neighbors *n, rig *r, uint32_t point)
{
    uint32_t        bone = r->bone_count++, heaviest = r->weights[point].bone[0];
    const uint32_t *points = n->points + (size_t)point * n->room;
    memcpy(transforms_of(m, r, bone), transforms_of(m, r, heaviest),
           m->frame_count * sizeof(rigid_transform));
    for (uint32_t i = 0; i < NEW_BONE_POINTS && i < n->room; ++i) {
        assign_point(r, points[i], bone);
    }
    pose_points(m, r);
    update_transform(m, r, bone);
}

/* Returns the point around which the error exceeds the rounding error most, or UINT32_MAX if a bone
   could not save its cost anywhere. `is_barred` [point] excludes points. */
static uint32_t find_worst_point(const motion *m, const neighbors *n, const rig *r,
                                 const bool *is_barred)
{
    double  *errors = (double *)allocate(m->point_count, sizeof *errors);
    double   most = 0.5 * cost_of_bone(m);
    uint32_t point = UINT32_MAX;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        errors[p] = fmax(point_error(m, r, p) - 3 * m->frame_count * noise_of(m), 0);
    }
    for (uint32_t p = 0; p < m->point_count; ++p) {
        const uint32_t *points = n->points + (size_t)p * n->room;
        double          around = 0;
        for (uint32_t i = 0; i < NEW_BONE_POINTS && i < n->room; ++i) around += errors[points[i]];
        if (is_barred[p] || !(around > most)) continue;
        most = around;
        point = p;
    }
    release(errors);
    return point;
}

/* -- Clusters ---------------------------------------------------------------------------------- */

/* Assigns each point to the bone that fits it best. */
static void assign_points(const motion *m, rig *r)
{
    for (uint32_t p = 0; p < m->point_count; ++p) {
        double least = HUGE_VAL;
        for (uint32_t b = 0; b < r->bone_count; ++b) {
            double error = rough_error(m, r, p, b, least);
            if (!(error < least)) continue;
            least = error;
            assign_point(r, p, b);
        }
    }
    drop_unused_bones(m, r);
    update_transforms(m, r);
}

static void find_clusters(const motion *m, const neighbors *n, rig *r)
{
    enum { CLUSTERS = 12, ROUNDS = 4 };
    r->bone_count = 1;
    for (uint32_t p = 0; p < m->point_count; ++p) assign_point(r, p, 0);
    update_transforms(m, r);
    bool *is_barred = (bool *)allocate(m->point_count, sizeof *is_barred);
    for (int i = 1; i < CLUSTERS; ++i) {
        uint32_t point = find_worst_point(m, n, r, is_barred);
        if (point == UINT32_MAX) break;
        is_barred[point] = true;
        add_bone_at(m, n, r, point);
        for (int round = 0; round < ROUNDS; ++round) assign_points(m, r);
    }
    release(is_barred);
}

/* -- More bones -------------------------------------------------------------------------------- */

/* Adds one bone after the other where the error is largest. Removes a bone again if it does not save its
   cost. */
static void add_bones(const motion *m, const neighbors *n, rig *r)
{
    enum { MOST_FAILS = 12, ROUNDS = 3 };
    bool *is_barred = (bool *)allocate(m->point_count, sizeof *is_barred);
    rig   old;
    allocate_rig(m, &old);
    for (int fails = 0; fails < MOST_FAILS && r->bone_count < MOST_FITTED_BONES;) {
        uint32_t point = find_worst_point(m, n, r, is_barred);
        if (point == UINT32_MAX) break;
        double before = error_of(m, r);
        copy_rig(m, r, &old);
        add_bone_at(m, n, r, point);
        refine(m, n, r, ROUNDS);
        /* In a model that does not move, bones cost nothing and save nothing. */
        if (!(before - error_of(m, r) > 0.7 * cost_of_bone(m))) {
            copy_rig(m, &old, r);
            const uint32_t *points = n->points + (size_t)point * n->room;
            for (uint32_t i = 0; i < NEW_BONE_POINTS && i < n->room; ++i) {
                is_barred[points[i]] = true;
            }
            ++fails;
        } else {
            fails = 0;
        }
        report_progress(m, 0.1 + 0.4 * r->bone_count / MOST_FITTED_BONES);
    }
    free_rig(&old);
    release(is_barred);
}

void fit_bones(const motion *m, const neighbors *n, rig *r)
{
    enum { FIRST_ROUNDS = 2, LAST_ROUNDS = 15 };
    allocate_rig(m, r);
    find_clusters(m, n, r);
    refine(m, n, r, FIRST_ROUNDS);
    add_bones(m, n, r);
    refine(m, n, r, LAST_ROUNDS);
    report_progress(m, 0.6);
}

/* -- All --------------------------------------------------------------------------------------- */

void find_bones(const motion *m, rig *r)
{
    neighbors n = find_neighbors(m);
    fit_bones(m, &n, r);
    name_bones(m, r);
    build_hierarchy(m, &n, r);
    attach_sliding_bones(m, r);
    add_steady_joints(m, r, 0);
    choose_bind_pose(m, r);
    free_neighbors(&n);
}
