/* fit_bones.c - which points move as one, and how. Public domain.

   A frame of an MD2 says where each point is, to the nearest of 256 steps; nothing says what moves
   it. But the points of a forearm keep their distances in all frames. So a bone is what moves many
   points as one rigid thing, and a point near an elbow goes a part of the way with either bone.

   The fit begins with hard borders: all points are one cluster; the cluster that moves least like
   a rigid thing gives its worst point, and the nearest to that, to a new one; then each point goes
   to the cluster that moves it best; and so on, up to twelve. From there on three steps take turns,
   each of which can only make the squared error smaller:

     weights   each point picks the bones that together carry it best, one after the other, up to
               four, among those that move the points around it
     moves     each bone, in each frame, goes where it serves its points best, given what the other
               bones do for them: the turn is found by Horn's quaternion
     rest      each point finds the place from which its bones bring it nearest to all its frames

   Where the error is greatest, and beyond what the bytes alone explain, six points get a bone of
   their own, and the three steps go on. What decides how many bones there are is a price: a bone
   is six numbers in each frame and a weight is one number, and each number has to save ten times
   the error that rounding to bytes gives a coordinate. A bone that does not pay goes again, first
   at its trial, then whenever its neighbours can do its work. So a model with twice the frames or
   half the size gets the same bones, and no setting is needed. */
#include "bones.h"
#include "convert.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CLUSTERS = 12, SMALLEST_CLUSTER = 3,
    MOST_CANDIDATES = 8,              /* bones that a point picks from */
    NEW_BONE_POINTS = 6,
    MOST_NEIGHBOURS = 256,
    NEW_AT_ONCE = 4
};

static const double least_weight = 0.02;
static const double reach = 0.2;      /* of the model's size: how far bones are looked for */

/* -- Errors and prices ------------------------------------------------------------------------- */

/* A coordinate is off by up to half a step, and anything up to that is as likely. */
double noise_of(const motion *m)
{
    return m->step * m->step / 12;
}

static double point_error(const motion *m, const rig *r, uint32_t point)
{
    const vec3 *at = m->at + (size_t)point * m->frame_count;
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

static double price_of_bone(const motion *m)
{
    return PRICE_OF_NUMBER * 6 * m->frame_count * noise_of(m);
}

static double price_of_weight(const motion *m)
{
    return PRICE_OF_NUMBER * noise_of(m);
}

bool goes_on(const motion *m, double done)
{
    return !m->is_going_on || m->is_going_on(m->user, done);
}

/* -- Neighbours -------------------------------------------------------------------------------- */

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

uint32_t rough_stride(const motion *m)
{
    enum { FRAMES_LOOKED_AT = 48 };
    return 1 + m->frame_count / FRAMES_LOOKED_AT;
}

static float greatest_distance(const motion *m, uint32_t a, uint32_t b)
{
    const vec3 *p = m->at + (size_t)a * m->frame_count, *q = m->at + (size_t)b * m->frame_count;
    double      most = 0;
    for (uint32_t f = 0; f < m->frame_count; f += rough_stride(m)) {
        vec3   way = minus(p[f], q[f]);
        double square = dot(way, way);
        if (square > most) most = square;
    }
    return (float)sqrt(most);
}

neighbours find_neighbours(const motion *m)
{
    neighbours n;
    n.room = m->point_count < MOST_NEIGHBOURS ? m->point_count : (uint32_t)MOST_NEIGHBOURS;
    n.points = (uint32_t *)allocate((size_t)m->point_count * n.room, sizeof *n.points);
    n.distances = (float *)allocate((size_t)m->point_count * n.room, sizeof *n.distances);
    n.counts = (uint32_t *)allocate(m->point_count, sizeof *n.counts);

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
        n.counts[p] = n.room;
    }
    release(list);
    return n;
}

void free_neighbours(neighbours *n)
{
    release(n->points);
    release(n->counts);
    release(n->distances);
}

static double size_of_rest(const motion *m, const rig *r)
{
    vec3 low = r->rest[0], high = r->rest[0];
    for (uint32_t p = 1; p < m->point_count; ++p) {
        vec3 v = r->rest[p];
        low = make_vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
        high = make_vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
    }
    return length_of(minus(high, low));
}

/* -- Moves ------------------------------------------------------------------------------------- */

static vec3 moved(const move *by, vec3 v)
{
    return add(turned(by->turn, v), by->shift);
}

void pose_points(const motion *m, rig *r)
{
    memset(r->posed, 0, (size_t)m->point_count * m->frame_count * sizeof *r->posed);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        vec3 *posed = r->posed + (size_t)p * m->frame_count;
        for (uint32_t i = 0; i < r->weights[p].count; ++i) {
            const move *moves = r->moves + (size_t)r->weights[p].bone[i] * m->frame_count;
            double      weight = r->weights[p].weight[i];
            for (uint32_t f = 0; f < m->frame_count; ++f) {
                posed[f] = add(posed[f], scaled(moved(&moves[f], r->rest[p]), weight));
            }
        }
    }
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

typedef struct moments {              /* of points that a bone should move, in a frame */
    mat3 products;                    /* weight^2 * where to * rest^T */
    vec3 targets;                     /* weight^2 * where to */
} moments;

/* Puts a bone where it serves its points best: those of `points`, each with a weight. Each wants to
   be where the file has it, less what the other bones add. */
static void move_bone(const motion *m, rig *r, uint32_t bone, const uint32_t *points,
                      const double *weights, uint32_t count, moments *sums)
{
    move  *moves = r->moves + (size_t)bone * m->frame_count;
    vec3   rests = make_vec3(0, 0, 0);
    double total = 0;
    memset(sums, 0, m->frame_count * sizeof *sums);
    for (uint32_t i = 0; i < count; ++i) {
        size_t      row = (size_t)points[i] * m->frame_count;
        const vec3 *at = m->at + row, *posed = r->posed + row;
        vec3        rest = r->rest[points[i]];
        double      weight = weights[i], square = weight * weight;
        rests = add(rests, scaled(rest, square));
        total += square;
        for (uint32_t f = 0; f < m->frame_count; ++f) {
            vec3 mine = scaled(moved(&moves[f], rest), square);
            vec3 target = add(scaled(minus(at[f], posed[f]), weight), mine);
            sums[f].targets = add(sums[f].targets, target);
            sums[f].products = add_mat3(sums[f].products, outer(target, rest));
        }
    }
    if (!(total > 0)) return;

    /* `targets` becomes what the shift changes by, and `products` the turn that there was. */
    vec3 middle = scaled(rests, 1 / total);
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        mat3 about_middle = minus_mat3(sums[f].products, outer(sums[f].targets, middle));
        move old = moves[f];
        moves[f].turn = best_turn(about_middle, old.turn);
        moves[f].shift = minus(scaled(sums[f].targets, 1 / total), turned(moves[f].turn, middle));
        sums[f].products = minus_mat3(moves[f].turn, old.turn);
        sums[f].targets = minus(moves[f].shift, old.shift);
    }
    for (uint32_t i = 0; i < count; ++i) {
        vec3 *posed = r->posed + (size_t)points[i] * m->frame_count;
        vec3  rest = r->rest[points[i]];
        for (uint32_t f = 0; f < m->frame_count; ++f) {
            vec3 change = add(turned(sums[f].products, rest), sums[f].targets);
            posed[f] = add(posed[f], scaled(change, weights[i]));
        }
    }
}

static uint32_t list_points(const motion *m, const rig *r, uint32_t bone, uint32_t *points,
                            double *weights)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        double weight = weight_of(&r->weights[p], bone);
        if (!(weight > 0)) continue;
        points[count] = p;
        weights[count++] = weight;
    }
    return count;
}

static void move_bones(const motion *m, rig *r)
{
    enum { SWEEPS = 2 };
    uint32_t *points = (uint32_t *)allocate(m->point_count, sizeof *points);
    double   *weights = (double *)allocate(m->point_count, sizeof *weights);
    moments  *sums = (moments *)allocate(m->frame_count, sizeof *sums);
    pose_points(m, r);
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        for (uint32_t b = 0; b < r->bone_count; ++b) {
            uint32_t count = list_points(m, r, b, points, weights);
            move_bone(m, r, b, points, weights, count, sums);
        }
    }
    release(points);
    release(weights);
    release(sums);
}

/* -- Rest -------------------------------------------------------------------------------------- */

/* The bones together do something linear to a point, so its place is a least squares problem of
   three unknowns. A little of where it was keeps it there along what no frame shows. */
void rest_points(const motion *m, rig *r)
{
    const double hold = 1e-3 * m->frame_count;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        const point_weights *w = &r->weights[p];
        const vec3          *at = m->at + (size_t)p * m->frame_count;
        mat3                 squares = diagonal(hold);
        vec3                 sums = scaled(r->rest[p], hold);
        for (uint32_t f = 0; f < m->frame_count; ++f) {
            mat3 turn = diagonal(0);
            vec3 left = at[f];
            for (uint32_t i = 0; i < w->count; ++i) {
                const move *by = &r->moves[(size_t)w->bone[i] * m->frame_count + f];
                double      weight = w->weight[i];
                mat3        part = make_mat3(scaled(by->turn.x, weight), scaled(by->turn.y, weight),
                                             scaled(by->turn.z, weight));
                turn = add_mat3(turn, part);
                left = minus(left, scaled(by->shift, weight));
            }
            squares = add_mat3(squares, transposed_times(turn, turn));
            sums = add(sums, turned_back(turn, left));
        }
        r->rest[p] = solve3(squares, sums);
    }
}

/* -- Weights ----------------------------------------------------------------------------------- */

/* How far each of the bones alone would have the point off: products[i][k] is the sum over the
   frames of the product of i's and k's misses. The error of any weights that sum to 1 is their
   square form. */
static void multiply_misses(const motion *m, const rig *r, uint32_t point, const uint32_t *bones,
                            uint32_t count, double products[MOST_CANDIDATES][MOST_CANDIDATES])
{
    const vec3 *at = m->at + (size_t)point * m->frame_count;
    const move *moves[MOST_CANDIDATES];
    vec3        rest = r->rest[point], misses[MOST_CANDIDATES];
    memset(products, 0, sizeof(double[MOST_CANDIDATES][MOST_CANDIDATES]));
    for (uint32_t i = 0; i < count; ++i) moves[i] = r->moves + (size_t)bones[i] * m->frame_count;
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        for (uint32_t i = 0; i < count; ++i) {
            misses[i] = minus(moved(&moves[i][f], rest), at[f]);
            for (uint32_t k = 0; k <= i; ++k) products[i][k] += dot(misses[i], misses[k]);
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < i; ++k) products[k][i] = products[i][k];
    }
}

/* The weights, sum 1, with which the error of the chosen is least; returns the error. */
static double best_weights(double products[MOST_CANDIDATES][MOST_CANDIDATES],
                           const uint32_t *chosen, uint32_t count, double *weights)
{
    static const uint32_t first[MOST_BONE_WEIGHTS] = { 0 };
    double m[MOST_BONE_WEIGHTS * MOST_BONE_WEIGHTS], size = 0, sum = 0, error = 0;
    for (uint32_t i = 0; i < count; ++i) size = fmax(size, products[chosen[i]][chosen[i]]);
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k <= i; ++k) m[i * count + k] = products[chosen[i]][chosen[k]];
        m[i * count + i] += 1e-9 * size + 1e-12;
        weights[i] = 1;
    }
    if (!factor(m, first, count)) return HUGE_VAL;
    solve_lower(m, first, count, 0, weights);
    solve_upper(m, first, count, weights);

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

static void put_heaviest_first(point_weights *w)
{
    for (uint32_t i = 1; i < w->count; ++i) {
        if (!(w->weight[i] > w->weight[0])) continue;
        double   weight = w->weight[0];
        uint32_t bone = w->bone[0];
        w->weight[0] = w->weight[i];
        w->bone[0] = w->bone[i];
        w->weight[i] = weight;
        w->bone[i] = bone;
    }
}

/* Begins with the bone that is best alone, and adds the one that helps most as long as it pays.
   Returns the error. */
static double pick_weights(const motion *m, const rig *r, uint32_t point, const uint32_t *bones,
                           uint32_t bone_count, point_weights *out)
{
    double   products[MOST_CANDIDATES][MOST_CANDIDATES], weights[MOST_BONE_WEIGHTS] = { 1 };
    uint32_t chosen[MOST_BONE_WEIGHTS] = { 0 }, count = 1;
    multiply_misses(m, r, point, bones, bone_count, products);
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
        if (!(best < error - price_of_weight(m))) break;
        chosen[count++] = helper;
        error = best;
        memcpy(weights, best_of, sizeof weights);
    }

    out->count = count;
    for (uint32_t i = 0; i < count; ++i) {
        out->bone[i] = bones[chosen[i]];
        out->weight[i] = weights[i];
    }
    put_heaviest_first(out);
    return error;
}

/* The bones that the point has, then those that lead at the points around, the nearest first;
   `most` at most. */
static uint32_t list_candidates(const neighbours *n, const rig *r, uint32_t point, double within,
                                uint32_t most, uint32_t *bones)
{
    const uint32_t *points = n->points + (size_t)point * n->room;
    const float    *distances = n->distances + (size_t)point * n->room;
    uint32_t        count = r->weights[point].count;
    memcpy(bones, r->weights[point].bone, count * sizeof *bones);
    for (uint32_t i = 0; i < n->counts[point] && count < most; ++i) {
        if ((double)distances[i] > within) break;
        uint32_t bone = r->weights[points[i]].bone[0], k = 0;
        while (k < count && bones[k] != bone) ++k;
        if (k == count) bones[count++] = bone;
    }
    return count;
}

static double rough_error(const motion *m, const rig *r, uint32_t point, uint32_t bone)
{
    const vec3 *at = m->at + (size_t)point * m->frame_count;
    const move *moves = r->moves + (size_t)bone * m->frame_count;
    double      sum = 0;
    for (uint32_t f = 0; f < m->frame_count; f += rough_stride(m)) {
        vec3 miss = minus(moved(&moves[f], r->rest[point]), at[f]);
        sum += dot(miss, miss);
    }
    return sum;
}

/* A bone farther away that carries the point far better, as a clip in the hair of a head that
   clusters have given to the hand, takes the last place. */
static uint32_t add_far_bone(const motion *m, const rig *r, uint32_t point, uint32_t count,
                             uint32_t *bones)
{
    const double far_better = 0.25;
    uint32_t     best = 0;
    double       least = HUGE_VAL, least_near = HUGE_VAL;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        double error = rough_error(m, r, point, b);
        for (uint32_t i = 0; i < count; ++i) {
            if (bones[i] == b) least_near = fmin(least_near, error);
        }
        if (!(error < least)) continue;
        least = error;
        best = b;
    }
    if (!(least < far_better * least_near)) return count;
    if (count < MOST_CANDIDATES) ++count;
    bones[count - 1] = best;
    return count;
}

/* Each point looks at the leaders of its neighbours as they were before. */
void weigh_points(const motion *m, const neighbours *n, rig *r)
{
    double         within = reach * size_of_rest(m, r);
    point_weights *picked = (point_weights *)allocate(m->point_count, sizeof *picked);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        uint32_t bones[MOST_CANDIDATES];
        uint32_t count = list_candidates(n, r, p, within, MOST_CANDIDATES, bones);
        count = add_far_bone(m, r, p, count, bones);
        pick_weights(m, r, p, bones, count, &picked[p]);
    }
    memcpy(r->weights, picked, m->point_count * sizeof *picked);
    release(picked);
}

/* -- The three steps in turn ------------------------------------------------------------------- */

static void renumber_bones(const motion *m, rig *r, const bool *is_gone)
{
    uint32_t numbers[MOST_BONES], count = 0;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        numbers[b] = count;
        if (is_gone[b]) continue;
        if (count != b) {
            memcpy(r->moves + (size_t)count * m->frame_count,
                   r->moves + (size_t)b * m->frame_count, m->frame_count * sizeof *r->moves);
        }
        ++count;
    }
    for (uint32_t p = 0; p < m->point_count; ++p) {
        point_weights *w = &r->weights[p];
        for (uint32_t i = 0; i < w->count; ++i) w->bone[i] = numbers[w->bone[i]];
    }
    r->bone_count = count;
}

static void drop_unused_bones(const motion *m, rig *r)
{
    bool is_gone[MOST_BONES];
    for (uint32_t b = 0; b < r->bone_count; ++b) is_gone[b] = !(mass_of(m, r, b) > 0);
    renumber_bones(m, r, is_gone);
}

static void take_turns(const motion *m, const neighbours *n, rig *r, int rounds, bool moves_rest)
{
    for (int round = 0; round < rounds; ++round) {
        weigh_points(m, n, r);
        drop_unused_bones(m, r);
        if (moves_rest && round % 2 == 1) rest_points(m, r);
        move_bones(m, r);
    }
}

/* -- Clusters ---------------------------------------------------------------------------------- */

/* A rigid move for each of the clusters, and the squared error of each point with each of them. */
static void move_clusters(const motion *m, rig *r, const uint32_t *clusters, uint32_t count,
                          double *errors)
{
    r->bone_count = count;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        r->weights[p].count = 1;
        r->weights[p].bone[0] = clusters[p];
        r->weights[p].weight[0] = 1;
    }

    uint32_t *points = (uint32_t *)allocate(m->point_count, sizeof *points);
    double   *weights = (double *)allocate(m->point_count, sizeof *weights);
    moments  *sums = (moments *)allocate(m->frame_count, sizeof *sums);
    pose_points(m, r);
    for (uint32_t b = 0; b < count; ++b) {
        uint32_t point_count = list_points(m, r, b, points, weights);
        move_bone(m, r, b, points, weights, point_count, sums);
    }
    for (uint32_t p = 0; p < m->point_count; ++p) {
        for (uint32_t b = 0; b < count; ++b) errors[p * MOST_BONES + b] = rough_error(m, r, p, b);
    }
    release(points);
    release(weights);
    release(sums);
}

static bool are_large_enough(const uint32_t *clusters, uint32_t point_count, uint32_t count)
{
    uint32_t sizes[MOST_BONES] = { 0 };
    for (uint32_t p = 0; p < point_count; ++p) ++sizes[clusters[p]];
    for (uint32_t b = 0; b < count; ++b) {
        if (sizes[b] < SMALLEST_CLUSTER) return false;
    }
    return true;
}

static double sum_errors(const motion *m, const uint32_t *clusters, const double *errors,
                         double *of_cluster)
{
    double sum = 0;
    memset(of_cluster, 0, MOST_BONES * sizeof *of_cluster);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        double error = errors[p * MOST_BONES + clusters[p]];
        of_cluster[clusters[p]] += error;
        sum += error;
    }
    return sum;
}

/* Gives the cluster's worst point, and up to eight of its points that are nearest to that, to the
   cluster of number `next`. False if there are too few. */
static bool split_cluster(const motion *m, const neighbours *n, uint32_t cluster, uint32_t next,
                          const double *errors, uint32_t *clusters, uint32_t *worst)
{
    enum { MOST_TAKEN = 8 };
    uint32_t size = 0, taken = 0;
    double   most = -1;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        if (clusters[p] != cluster) continue;
        ++size;
        if (!(errors[p * MOST_BONES + cluster] > most)) continue;
        most = errors[p * MOST_BONES + cluster];
        *worst = p;
    }
    if (size < 2 * SMALLEST_CLUSTER) return false;

    uint32_t wanted = size / 2 < MOST_TAKEN ? size / 2 : (uint32_t)MOST_TAKEN;
    const uint32_t *points = n->points + (size_t)*worst * n->room;
    for (uint32_t i = 0; i < n->counts[*worst] && taken < wanted; ++i) {
        if (clusters[points[i]] != cluster) continue;
        clusters[points[i]] = next;
        ++taken;
    }
    return taken >= SMALLEST_CLUSTER;
}

/* Splits one cluster, that with the greatest error of those whose split helps. */
static bool add_cluster(const motion *m, const neighbours *n, rig *r, uint32_t *clusters,
                        double *errors, bool *was_tried)
{
    enum { ROUNDS = 3 };
    double   of_cluster[MOST_BONES], unused[MOST_BONES];
    uint32_t count = r->bone_count;
    double   before = sum_errors(m, clusters, errors, of_cluster);
    uint32_t *trial = (uint32_t *)allocate(m->point_count, sizeof *trial);
    bool     is_better = false;

    /* What is nearer than the bytes can say is near enough. */
    uint32_t frames = (m->frame_count - 1) / rough_stride(m) + 1;
    bool     is_near = before < 0.09 * m->step * m->step * 3 * frames * m->point_count;
    while (!is_near) {
        uint32_t cluster = 0, worst = 0;
        for (uint32_t b = 1; b < count; ++b) {
            if (of_cluster[b] > of_cluster[cluster]) cluster = b;
        }
        if (!(of_cluster[cluster] > 1e-3 * before)) break;
        of_cluster[cluster] = -1;

        memcpy(trial, clusters, m->point_count * sizeof *trial);
        if (!split_cluster(m, n, cluster, count, errors, trial, &worst)) continue;
        if (was_tried[worst]) continue;
        was_tried[worst] = true;

        bool is_good = true;
        for (int round = 0; round < ROUNDS && is_good; ++round) {
            move_clusters(m, r, trial, count + 1, errors);
            for (uint32_t p = 0; p < m->point_count; ++p) {
                const double *row = errors + p * MOST_BONES;
                for (uint32_t b = 0; b <= count; ++b) {
                    if (row[b] < row[trial[p]]) trial[p] = b;
                }
            }
            is_good = are_large_enough(trial, m->point_count, count + 1);
        }
        if (is_good) {
            move_clusters(m, r, trial, count + 1, errors);
            is_better = sum_errors(m, trial, errors, unused) < 0.998 * before;
        }
        if (is_better) break;
        move_clusters(m, r, clusters, count, errors);
    }
    if (is_better) memcpy(clusters, trial, m->point_count * sizeof *trial);
    release(trial);
    return is_better;
}

static void set_unmoved(const motion *m, rig *r, uint32_t bone)
{
    move *moves = r->moves + (size_t)bone * m->frame_count;
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        moves[f].turn = diagonal(1);
        moves[f].shift = make_vec3(0, 0, 0);
    }
}

static void find_clusters(const motion *m, const neighbours *n, rig *r)
{
    uint32_t *clusters = (uint32_t *)allocate(m->point_count, sizeof *clusters);
    double   *errors = (double *)allocate((size_t)m->point_count * MOST_BONES, sizeof *errors);
    bool     *was_tried = (bool *)allocate(m->point_count, sizeof *was_tried);
    for (uint32_t b = 0; b < FIRST_CLUSTERS + 1; ++b) set_unmoved(m, r, b);
    move_clusters(m, r, clusters, 1, errors);
    while (r->bone_count < FIRST_CLUSTERS) {
        if (!add_cluster(m, n, r, clusters, errors, was_tried)) break;
        memset(was_tried, 0, m->point_count * sizeof *was_tried);
    }
    move_clusters(m, r, clusters, r->bone_count, errors);
    release(clusters);
    release(errors);
    release(was_tried);
}

/* -- More bones, and fewer --------------------------------------------------------------------- */

rig copy_rig(const motion *m, const rig *r)
{
    size_t all = (size_t)m->point_count * m->frame_count;
    rig    copy = *r;
    copy.rest = (vec3 *)allocate(m->point_count, sizeof *copy.rest);
    copy.weights = (point_weights *)allocate(m->point_count, sizeof *copy.weights);
    copy.moves = (move *)allocate((size_t)MOST_BONES * m->frame_count, sizeof *copy.moves);
    copy.posed = (vec3 *)allocate(all, sizeof *copy.posed);
    memcpy(copy.rest, r->rest, m->point_count * sizeof *copy.rest);
    memcpy(copy.weights, r->weights, m->point_count * sizeof *copy.weights);
    memcpy(copy.moves, r->moves, (size_t)r->bone_count * m->frame_count * sizeof *copy.moves);
    memcpy(copy.posed, r->posed, all * sizeof *copy.posed);
    return copy;
}

/* What six neighbouring points have as error beyond that of the bytes. */
static double error_around(const motion *m, const neighbours *n, const double *errors,
                           uint32_t point)
{
    const uint32_t *points = n->points + (size_t)point * n->room;
    double          sum = 0;
    for (uint32_t i = 0; i < NEW_BONE_POINTS && i < n->counts[point]; ++i) {
        double explained = 3 * m->frame_count * noise_of(m);
        sum += fmax(errors[points[i]] - explained, 0);
    }
    return sum;
}

static void give_bone(const motion *m, const neighbours *n, rig *r, uint32_t point)
{
    uint32_t        bone = r->bone_count++, lead = r->weights[point].bone[0];
    const uint32_t *points = n->points + (size_t)point * n->room;
    uint32_t        count = NEW_BONE_POINTS;
    if (count > n->counts[point]) count = n->counts[point];
    double          ones[NEW_BONE_POINTS];
    memcpy(r->moves + (size_t)bone * m->frame_count, r->moves + (size_t)lead * m->frame_count,
           m->frame_count * sizeof *r->moves);
    for (uint32_t i = 0; i < count; ++i) {
        point_weights *w = &r->weights[points[i]];
        w->count = 1;
        w->bone[0] = bone;
        w->weight[0] = 1;
        ones[i] = 1;
    }
    pose_points(m, r);

    moments *sums = (moments *)allocate(m->frame_count, sizeof *sums);
    move_bone(m, r, bone, points, ones, count, sums);
    release(sums);
}

/* Gives up to `most` new bones to where it is worst. Returns how many; `at` are their points. */
static uint32_t give_bones(const motion *m, const neighbours *n, rig *r, const bool *is_barred,
                           uint32_t most, uint32_t *at)
{
    double *errors = (double *)allocate(m->point_count, sizeof *errors);
    double *around = (double *)allocate(m->point_count, sizeof *around);
    bool   *is_taken = (bool *)allocate(m->point_count, sizeof *is_taken);
    for (uint32_t p = 0; p < m->point_count; ++p) errors[p] = point_error(m, r, p);
    for (uint32_t p = 0; p < m->point_count; ++p) around[p] = error_around(m, n, errors, p);

    uint32_t count = 0;
    while (count < most && r->bone_count < MOST_BONES) {
        uint32_t worst = UINT32_MAX;
        for (uint32_t p = 0; p < m->point_count; ++p) {
            bool is_better = worst == UINT32_MAX || around[p] > around[worst];
            if (!is_barred[p] && around[p] >= 0 && is_better) worst = p;
        }
        if (worst == UINT32_MAX || around[worst] < 0.5 * price_of_bone(m)) break;
        around[worst] = -1;

        const uint32_t *points = n->points + (size_t)worst * n->room;
        bool            is_free = true;
        for (uint32_t i = 0; i < NEW_BONE_POINTS && i < n->counts[worst]; ++i) {
            if (is_taken[points[i]]) is_free = false;
        }
        if (!is_free) continue;
        for (uint32_t i = 0; i < NEW_BONE_POINTS && i < n->counts[worst]; ++i) {
            is_taken[points[i]] = true;
        }
        give_bone(m, n, r, worst);
        at[count++] = worst;
    }
    release(errors);
    release(around);
    release(is_taken);
    return count;
}

static bool grow(const motion *m, const neighbours *n, rig *r)
{
    enum { MOST_FAILS = 6 };
    bool    *is_barred = (bool *)allocate(m->point_count, sizeof *is_barred);
    bool     goes = true;
    uint32_t at[NEW_AT_ONCE];
    for (int fails = 0; fails < MOST_FAILS && goes;) {
        goes = goes_on(m, 0.1 + 0.3 * r->bone_count / MOST_BONES);
        rig      old = copy_rig(m, r);
        uint32_t count = give_bones(m, n, r, is_barred, fails == 0 ? NEW_AT_ONCE : 1, at);
        if (count == 0) {
            free_rig(&old);
            break;
        }
        take_turns(m, n, r, 3, true);

        uint32_t added = r->bone_count > old.bone_count ? r->bone_count - old.bone_count : 1;
        double   saved = error_of(m, &old) - error_of(m, r);
        /* Where nothing moves, bones cost nothing and save nothing. */
        if (!(saved > 0.7 * added * price_of_bone(m))) {
            rig failed = *r;
            *r = old;
            free_rig(&failed);
            for (uint32_t i = 0; i < count; ++i) is_barred[at[i]] = true;
            ++fails;
        } else {
            free_rig(&old);
        }
    }
    release(is_barred);
    return goes;
}

/* What the error grows by if the bone's points have to do without it. */
static double worth_of_bone(const motion *m, const neighbours *n, const rig *r, uint32_t bone)
{
    double within = reach * size_of_rest(m, r), worth = 0;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        if (!(weight_of(&r->weights[p], bone) > 0)) continue;

        uint32_t found[MOST_CANDIDATES + 1], bones[MOST_CANDIDATES], count = 0;
        uint32_t found_count = list_candidates(n, r, p, within, MOST_CANDIDATES + 1, found);
        for (uint32_t i = 0; i < found_count && count < MOST_CANDIDATES; ++i) {
            if (found[i] != bone) bones[count++] = found[i];
        }
        if (count == 0) bones[count++] = (bone + 1) % r->bone_count;
        point_weights unused;
        worth += pick_weights(m, r, p, bones, count, &unused) - point_error(m, r, p);
    }
    return worth;
}

/* Takes the bone's weights away; a point that has no other gets those of the nearest that has. */
static void forget_bone(const motion *m, const neighbours *n, rig *r, const bool *is_gone)
{
    for (uint32_t p = 0; p < m->point_count; ++p) {
        point_weights *w = &r->weights[p];
        double         sum = 0;
        uint32_t       kept = 0;
        for (uint32_t i = 0; i < w->count; ++i) {
            if (is_gone[w->bone[i]]) continue;
            w->bone[kept] = w->bone[i];
            w->weight[kept] = w->weight[i];
            sum += w->weight[kept++];
        }
        w->count = kept;
        for (uint32_t i = 0; i < kept; ++i) w->weight[i] /= sum;
        put_heaviest_first(w);
    }
    uint32_t stay = 0;
    while (is_gone[stay]) ++stay;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        point_weights  *w = &r->weights[p];
        const uint32_t *points = n->points + (size_t)p * n->room;
        for (uint32_t i = 1; i < n->counts[p] && w->count == 0; ++i) *w = r->weights[points[i]];
        if (w->count > 0) continue;
        w->count = 1;
        w->bone[0] = stay;
        w->weight[0] = 1;
    }
}

/* Marks the bones that do not pay, a few that share no points at a time. */
static uint32_t mark_poor_bones(const motion *m, const neighbours *n, const rig *r, bool *is_gone)
{
    enum { MOST_AT_ONCE = 4 };
    double   worths[MOST_BONES];
    bool     is_touched[MOST_BONES] = { false };
    uint32_t count = 0;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        worths[b] = worth_of_bone(m, n, r, b);
        is_gone[b] = false;
    }
    while (count < MOST_AT_ONCE && r->bone_count - count > 1) {
        uint32_t poorest = UINT32_MAX;
        for (uint32_t b = 0; b < r->bone_count; ++b) {
            if (is_touched[b]) continue;
            if (poorest == UINT32_MAX || worths[b] < worths[poorest]) poorest = b;
        }
        if (poorest == UINT32_MAX || worths[poorest] > price_of_bone(m)) break;
        is_gone[poorest] = is_touched[poorest] = true;
        ++count;
        for (uint32_t p = 0; p < m->point_count; ++p) {
            const point_weights *w = &r->weights[p];
            if (!(weight_of(w, poorest) > 0)) continue;
            for (uint32_t i = 0; i < w->count; ++i) is_touched[w->bone[i]] = true;
        }
    }
    return count;
}

static uint32_t prune(const motion *m, const neighbours *n, rig *r)
{
    bool     is_gone[MOST_BONES];
    uint32_t gone = 0;
    while (r->bone_count > 1) {
        uint32_t count = mark_poor_bones(m, n, r, is_gone);
        if (count == 0) break;
        gone += count;
        forget_bone(m, n, r, is_gone);
        renumber_bones(m, r, is_gone);
        take_turns(m, n, r, 1, false);
    }
    return gone;
}

bool fit_bones(const motion *m, const neighbours *n, rig *r)
{
    enum { CYCLES = 2, LAST_ROUNDS = 15 };
    size_t all = (size_t)m->point_count * m->frame_count;
    memset(r, 0, sizeof *r);
    r->rest = (vec3 *)allocate(m->point_count, sizeof *r->rest);
    r->weights = (point_weights *)allocate(m->point_count, sizeof *r->weights);
    r->moves = (move *)allocate((size_t)MOST_BONES * m->frame_count, sizeof *r->moves);
    r->posed = (vec3 *)allocate(all, sizeof *r->posed);
    for (uint32_t p = 0; p < m->point_count; ++p) r->rest[p] = m->at[(size_t)p * m->frame_count];

    find_clusters(m, n, r);
    take_turns(m, n, r, 2, false);
    for (int cycle = 0; cycle < CYCLES; ++cycle) {
        if (!grow(m, n, r)) return false;
        uint32_t gone = prune(m, n, r);
        take_turns(m, n, r, 4, true);
        if (!goes_on(m, 0.4 + 0.1 * cycle)) return false;
        if (gone == 0 && cycle > 0) break;
    }
    take_turns(m, n, r, LAST_ROUNDS, true);
    if (prune(m, n, r) > 0) take_turns(m, n, r, 4, true);
    return goes_on(m, 0.6);
}

void free_rig(rig *r)
{
    release(r->rest);
    release(r->weights);
    release(r->moves);
    release(r->posed);
    memset(r, 0, sizeof *r);
}

/* -- All --------------------------------------------------------------------------------------- */

bool find_bones(const motion *m, rig *r)
{
    neighbours n = find_neighbours(m);
    bool       is_found = fit_bones(m, &n, r);
    if (is_found) {
        name_bones(m, r);
        is_found = hang_bones(m, &n, r);
    }
    free_neighbours(&n);
    return is_found;
}
