/* name_bones.c - hips, chest, head, arms and legs among the bones of a man. Public domain.

   What makes a man is two feet that stand on the ground and swing against each other when he runs.
   All else is found from there, by ways along the skin, which no pose changes:

     sides   A point is as much on the left as its way to the left foot is shorter than its way to
             the right one. A hand is nearly in the middle by that, but no leg can be taken for the
             other, however they cross.
     trunk   The head is the bone that is high and in the middle. The ways from both feet to it meet
             at the hips; what they share is the trunk.
     arms    Of the ways that go from the trunk to the farthest tips, the two that reach far, move
             much, and are alike. The bone of the trunk that they leave is the chest.
     joints  A knee and an elbow are where a limb turns most, not far from its middle; an ankle is
             above the first bone that rests on the ground. Both sides are cut alike.

   All other bones are named after the named bone that they follow, as "forearm_l.2". These ways
   also are the tree: hips at the root, limbs below the trunk, helpers below what they help.

   Ways between bones go by what touches; a joint at which both bones disagree makes a way longer,
   which keeps a hand in the pocket from being a way to the thigh, and so does a light bone.

   A name is given only if all that speaks for it holds; the conditions stand in `are_legs_sure`
   and those that follow. */
#include "bones.h"
#include "convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts of the height, unless something else is said. */
static const double on_ground = 0.06;
static const double feet_apart = 0.45; /* along the skin */

enum { MOST_NAMED_POINTS = 4096, MOST_TIPS = 11, FRAMES_LOOKED_AT = 32, LIMB_PARTS = 3 };

typedef struct bone_list {
    uint32_t count, bone[MOST_BONES];
} bone_list;

typedef struct skin_link {            /* of two points */
    uint32_t a, b;
    double   length;
} skin_link;

typedef struct limb_way {             /* an arm: from the tip to the trunk */
    bone_list chain;                  /* the tip's bone first */
    uint32_t  tip, root;              /* a point; the bone of the trunk */
    double    reach, travel, outward, score;
    bool      is_left;
} limb_way;

typedef struct body {
    const motion *m;
    rig          *r;
    uint32_t      stand_count, run_count;
    uint32_t     *stand, *run;        /* frames */
    double        height, ground;
    double       *above_ground;       /* [point_count] while he stands */
    double       *level;              /* [point_count] mean height while he stands and runs */
    double        mass[MOST_BONES];
    vec3         *middles;            /* [bone_count][frame_count] */

    uint32_t      link_count, link_room;
    skin_link    *links;
    uint32_t     *first_link, *link_ends; /* [point_count + 1], two for each link */
    double       *link_lengths;

    uint32_t      tip_count, tips[MOST_TIPS]; /* points; the left foot, the right one, others */
    double       *tip_ways;           /* [MOST_TIPS][point_count] */
    double       *side;               /* [point_count] 1 at the left foot, -1 at the right one */
    double        bone_side[MOST_BONES], bone_level[MOST_BONES];
    double        swing, same_side;   /* of the feet: -1 is in turns; share of frames */
    double        steps[MOST_BONES * MOST_BONES]; /* between bones that touch; else HUGE_VAL */
    pair_joint    pairs[MOST_BONES * MOST_BONES];

    bone_list     legs[2], trunk;     /* legs from the foot up, without the trunk's */
    limb_way      arms[2];
    bool          has_arms;
    uint32_t      head, chest_low, chest_high; /* of the trunk: numbers */
} body;

/* -- Lists ------------------------------------------------------------------------------------- */

static bool holds(const bone_list *l, uint32_t bone)
{
    for (uint32_t i = 0; i < l->count; ++i) {
        if (l->bone[i] == bone) return true;
    }
    return false;
}

static uint32_t place_in(const bone_list *l, uint32_t bone)
{
    uint32_t i = 0;
    while (i < l->count && l->bone[i] != bone) ++i;
    return i;
}

static void append_bone(bone_list *l, uint32_t bone)
{
    l->bone[l->count++] = bone;
}

static void insert_bone(bone_list *l, uint32_t at, uint32_t bone)
{
    for (uint32_t i = l->count++; i > at; --i) l->bone[i] = l->bone[i - 1];
    l->bone[at] = bone;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    if (x < y) return -1;
    return x > y ? 1 : 0;
}

/* Sorts the numbers. */
static double quantile(double *numbers, uint32_t count, double part)
{
    if (count == 0) return 0;
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    return numbers[(uint32_t)(part * (count - 1) + 0.5)];
}

static double correlation(const double *a, const double *b, uint32_t count)
{
    double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
    for (uint32_t i = 0; i < count; ++i) {
        mean_a += a[i] / count;
        mean_b += b[i] / count;
    }
    for (uint32_t i = 0; i < count; ++i) {
        aa += (a[i] - mean_a) * (a[i] - mean_a);
        bb += (b[i] - mean_b) * (b[i] - mean_b);
        ab += (a[i] - mean_a) * (b[i] - mean_b);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

static vec3 at(const body *y, uint32_t point, uint32_t frame)
{
    return y->m->at[(size_t)point * y->m->frame_count + frame];
}

static uint32_t lead_of(const body *y, uint32_t point)
{
    return y->r->weights[point].bone[0];
}

static vec3 middle(const body *y, uint32_t bone, uint32_t frame)
{
    return y->middles[(size_t)bone * y->m->frame_count + frame];
}

/* -- Frames ------------------------------------------------------------------------------------ */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool has_word(const char *name, const char *word)
{
    for (; *name; ++name) {
        size_t i = 0;
        while (word[i] && lower(name[i]) == word[i]) ++i;
        if (!word[i]) return true;
    }
    return false;
}

static bool is_stand(const char *name)
{
    bool crouches = lower(name[0]) == 'c' && lower(name[1]) == 'r';
    bool stands = has_word(name, "stand") || has_word(name, "stnd") || has_word(name, "still");
    return stands && !crouches;
}

/* By their names; else as Quake II numbers the frames of a player. */
static void find_frames(body *y)
{
    enum { STAND_FRAMES = 40, RUN_FRAMES = 6, LEAST_PLAYER = 190, MOST_PLAYER = 202 };
    uint32_t count = y->m->frame_count;
    bool     runs = false;
    y->stand = (uint32_t *)allocate(count, sizeof *y->stand);
    y->run = (uint32_t *)allocate(count, sizeof *y->run);
    for (uint32_t f = 0; f < count; ++f) {
        const char *name = y->m->frame_names[f];
        if (is_stand(name)) y->stand[y->stand_count++] = f;
        if (has_word(name, "run")) runs = true;
        if (has_word(name, "run") || has_word(name, "walk")) y->run[y->run_count++] = f;
    }
    bool is_player = count >= LEAST_PLAYER && count <= MOST_PLAYER && !runs;
    if (is_player) y->stand_count = y->run_count = 0;
    for (uint32_t f = 0; y->stand_count == 0 && f < count && f < STAND_FRAMES; ++f) y->stand[f] = f;
    if (y->stand_count == 0) y->stand_count = count < STAND_FRAMES ? count : (uint32_t)STAND_FRAMES;
    if (y->run_count > 0) return;

    y->run_count = is_player ? (uint32_t)RUN_FRAMES : count;
    for (uint32_t i = 0; i < y->run_count; ++i) y->run[i] = is_player ? STAND_FRAMES + i : i;
}

/* Those in which he stands, then those in which he runs. */
static uint32_t count_posed(const body *y)
{
    return y->stand_count + y->run_count;
}

static uint32_t posed_frame(const body *y, uint32_t i)
{
    return i < y->stand_count ? y->stand[i] : y->run[i - y->stand_count];
}

static void measure_heights(body *y)
{
    uint32_t points = y->m->point_count;
    double  *lows = (double *)allocate(y->stand_count, sizeof *lows);
    double  *list = (double *)allocate(y->stand_count, sizeof *list);
    for (uint32_t i = 0; i < y->stand_count; ++i) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (uint32_t p = 0; p < points; ++p) {
            double z = at(y, p, y->stand[i]).z;
            low = fmin(low, z);
            high = fmax(high, z);
        }
        lows[i] = low;
        list[i] = high - low;
    }
    y->height = fmax(quantile(list, y->stand_count, 0.5), 1e-9);
    for (uint32_t p = 0; p < points; ++p) {
        for (uint32_t i = 0; i < y->stand_count; ++i) list[i] = at(y, p, y->stand[i]).z - lows[i];
        y->above_ground[p] = quantile(list, y->stand_count, 0.5) / y->height;
    }
    y->ground = quantile(lows, y->stand_count, 0.5);
    for (uint32_t p = 0; p < points; ++p) {
        double sum = 0;
        for (uint32_t i = 0; i < count_posed(y); ++i) sum += at(y, p, posed_frame(y, i)).z;
        y->level[p] = (sum / count_posed(y) - y->ground) / y->height;
    }
    release(lows);
    release(list);
}

/* -- Ways along the skin ----------------------------------------------------------------------- */

static uint32_t frame_stride(const body *y)
{
    return 1 + y->m->frame_count / FRAMES_LOOKED_AT;
}

/* Sorted, of two points in the frames looked at; returns how many. */
static uint32_t list_distances(const body *y, uint32_t a, uint32_t b,
                               double distances[FRAMES_LOOKED_AT + 1])
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < y->m->frame_count; f += frame_stride(y)) {
        distances[count++] = length_of(minus(at(y, a, f), at(y, b, f)));
    }
    qsort(distances, count, sizeof *distances, compare_numbers);
    return count;
}

static double usual_distance(const body *y, uint32_t a, uint32_t b)
{
    double   distances[FRAMES_LOOKED_AT + 1];
    uint32_t count = list_distances(y, a, b, distances);
    return distances[count / 2];
}

/* Whether two points are within `distance` in four of five frames. */
static bool are_mostly_within(const body *y, uint32_t a, uint32_t b, double distance)
{
    uint32_t within = 0, count = 0;
    for (uint32_t f = 0; f < y->m->frame_count; f += frame_stride(y), ++count) {
        vec3 way = minus(at(y, a, f), at(y, b, f));
        if (dot(way, way) <= distance * distance) ++within;
    }
    return within * 5 >= count * 4;
}

/* The least of which this is true. */
static double mostly_within(const body *y, uint32_t a, uint32_t b)
{
    double   distances[FRAMES_LOOKED_AT + 1];
    uint32_t count = list_distances(y, a, b, distances);
    return distances[(count * 4 + 4) / 5 - 1];
}

static void add_link(body *y, uint32_t a, uint32_t b, double length)
{
    if (y->link_count == y->link_room) {
        skin_link *more = (skin_link *)allocate(2 * (size_t)y->link_room + 64, sizeof *more);
        if (y->links) memcpy(more, y->links, y->link_count * sizeof *more);
        release(y->links);
        y->links = more;
        y->link_room = 2 * y->link_room + 64;
    }
    skin_link link = { a, b, length };
    y->links[y->link_count++] = link;
}

static uint32_t root_of(uint32_t *pieces, uint32_t point)
{
    while (pieces[point] != point) point = pieces[point] = pieces[pieces[point]];
    return point;
}

static void link_edges(body *y, uint32_t *pieces)
{
    for (uint32_t p = 0; p < y->m->point_count; ++p) pieces[p] = p;
    for (uint32_t i = 0; i < y->m->corner_count; ++i) {
        uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
        uint32_t a = y->m->corners[i], b = y->m->corners[next];
        if (a == b) continue;
        add_link(y, a, b, usual_distance(y, a, b));
        pieces[root_of(pieces, a)] = root_of(pieces, b);
    }
}

/* Joins loose pieces, as eyes and belts are: each to what it is nearest to, by all points that are
   about as near, and what touches. Prim's tree of the pieces. */
static void link_pieces(body *y, uint32_t *pieces)
{
    uint32_t  points = y->m->point_count, reached = 0;
    double   *nearest = (double *)allocate(points, sizeof *nearest);
    uint32_t *from = (uint32_t *)allocate(points, sizeof *from);
    uint32_t *upper = (uint32_t *)allocate(points, sizeof *upper); /* of a piece: the other one */
    double   *gap = (double *)allocate(points, sizeof *gap);
    bool     *is_in = (bool *)allocate(points, sizeof *is_in);
    for (uint32_t p = 0; p < points; ++p) pieces[p] = root_of(pieces, p);
    for (uint32_t p = 0; p < points; ++p) {
        nearest[p] = gap[p] = HUGE_VAL;
        upper[p] = UINT32_MAX;
    }
    for (uint32_t piece = pieces[0]; reached < points;) {
        for (uint32_t p = 0; p < points; ++p) {
            if (pieces[p] != piece) continue;
            is_in[p] = true;
            ++reached;
        }
        for (uint32_t p = 0; p < points; ++p) {
            for (uint32_t q = 0; q < points && !is_in[p]; ++q) {
                bool is_new = is_in[q] && pieces[q] == piece;
                if (!is_new || !are_mostly_within(y, p, q, fmin(nearest[p], 1e30))) continue;
                nearest[p] = mostly_within(y, p, q);
                from[p] = q;
            }
        }
        uint32_t best = UINT32_MAX;
        for (uint32_t p = 0; p < points; ++p) {
            if (!is_in[p] && (best == UINT32_MAX || nearest[p] < nearest[best])) best = p;
        }
        if (best == UINT32_MAX) break;
        piece = pieces[best];
        upper[piece] = pieces[from[best]];
        gap[piece] = nearest[best];
    }

    const double touches = 0.02 * y->height;
    for (uint32_t p = 0; p < points; ++p) {
        for (uint32_t q = 0; q < p; ++q) {
            uint32_t a = pieces[p], b = pieces[q];
            if (a == b) continue;
            double within = touches;
            if (upper[a] == b) within = 1.3 * gap[a] + 0.01 * y->height;
            if (upper[b] == a) within = 1.3 * gap[b] + 0.01 * y->height;
            if (are_mostly_within(y, p, q, within)) add_link(y, p, q, mostly_within(y, p, q));
        }
    }
    release(nearest);
    release(from);
    release(upper);
    release(gap);
    release(is_in);
}

static void link_skin(body *y)
{
    uint32_t  points = y->m->point_count;
    uint32_t *pieces = (uint32_t *)allocate(points, sizeof *pieces);
    link_edges(y, pieces);
    link_pieces(y, pieces);
    release(pieces);

    y->first_link = (uint32_t *)allocate((size_t)points + 1, sizeof *y->first_link);
    y->link_ends = (uint32_t *)allocate(2 * (size_t)y->link_count, sizeof *y->link_ends);
    y->link_lengths = (double *)allocate(2 * (size_t)y->link_count, sizeof *y->link_lengths);
    for (uint32_t i = 0; i < y->link_count; ++i) {
        ++y->first_link[y->links[i].a];
        ++y->first_link[y->links[i].b];
    }
    for (uint32_t p = 0; p < points; ++p) y->first_link[p + 1] += y->first_link[p];
    for (uint32_t i = 0; i < y->link_count; ++i) {
        const skin_link *l = &y->links[i];
        uint32_t         there = --y->first_link[l->a], back = --y->first_link[l->b];
        y->link_ends[there] = l->b;
        y->link_ends[back] = l->a;
        y->link_lengths[there] = y->link_lengths[back] = l->length;
    }
}

/* Dijkstra's. Points that cannot be reached have HUGE_VAL. */
static void measure_ways(const body *y, uint32_t from, double *ways)
{
    uint32_t points = y->m->point_count;
    bool    *is_done = (bool *)allocate(points, sizeof *is_done);
    for (uint32_t p = 0; p < points; ++p) ways[p] = HUGE_VAL;
    ways[from] = 0;
    for (;;) {
        uint32_t next = UINT32_MAX;
        for (uint32_t p = 0; p < points; ++p) {
            bool is_better = next == UINT32_MAX || ways[p] < ways[next];
            if (!is_done[p] && ways[p] < HUGE_VAL && is_better) next = p;
        }
        if (next == UINT32_MAX) break;
        is_done[next] = true;
        for (uint32_t i = y->first_link[next]; i < y->first_link[next + 1]; ++i) {
            double way = ways[next] + y->link_lengths[i];
            if (way < ways[y->link_ends[i]]) ways[y->link_ends[i]] = way;
        }
    }
    release(is_done);
}

/* -- Feet -------------------------------------------------------------------------------------- */

/* How far forward some points are, against the whole model, in the frames in which he runs. */
static void measure_swing(const body *y, const bool *is_one, double *forward)
{
    for (uint32_t i = 0; i < y->run_count; ++i) {
        double   all = 0, own = 0;
        uint32_t count = 0;
        for (uint32_t p = 0; p < y->m->point_count; ++p) {
            double x = at(y, p, y->run[i]).x;
            all += x;
            if (!is_one[p]) continue;
            own += x;
            ++count;
        }
        forward[i] = count > 0 ? own / count - all / y->m->point_count : 0;
    }
}

typedef struct foot {                 /* a bone that may be one */
    uint32_t bone, count, tip;        /* its points on the ground, and the farthest of them */
    double  *forward, *ways;
    bool    *is_one;
} foot;

static uint32_t farthest(const body *y, const double *ways, const bool *is_one)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t p = 0; p < y->m->point_count; ++p) {
        if (!is_one[p] || !(ways[p] < HUGE_VAL)) continue;
        if (best == UINT32_MAX || ways[p] > ways[best]) best = p;
    }
    return best;
}

static foot make_foot(const body *y, uint32_t bone)
{
    foot     f;
    uint32_t lowest = UINT32_MAX;
    memset(&f, 0, sizeof f);
    f.bone = bone;
    f.is_one = (bool *)allocate(y->m->point_count, sizeof *f.is_one);
    for (uint32_t p = 0; p < y->m->point_count; ++p) {
        if (lead_of(y, p) != bone || !(y->above_ground[p] < on_ground)) continue;
        f.is_one[p] = true;
        ++f.count;
        if (lowest == UINT32_MAX || y->above_ground[p] < y->above_ground[lowest]) lowest = p;
    }
    if (f.count == 0) return f;

    f.forward = (double *)allocate(y->run_count, sizeof *f.forward);
    f.ways = (double *)allocate(y->m->point_count, sizeof *f.ways);
    measure_swing(y, f.is_one, f.forward);
    measure_ways(y, lowest, f.ways);
    f.tip = farthest(y, f.ways, f.is_one);
    measure_ways(y, f.tip, f.ways);
    return f;
}

static void free_foot(foot *f)
{
    release(f->forward);
    release(f->ways);
    release(f->is_one);
}

/* The side is that on which the points are in most of the frames. */
static void measure_sides(body *y, const double *left, const double *right, double apart)
{
    const double part_of_foot = 0.25;
    uint32_t     points = y->m->point_count, positive = 0;
    bool        *is_left = (bool *)allocate(points, sizeof *is_left);
    bool        *is_right = (bool *)allocate(points, sizeof *is_right);
    double      *forward[2], sum = 0;
    for (uint32_t p = 0; p < points; ++p) {
        bool is_low = y->above_ground[p] < on_ground;
        is_left[p] = is_low && left[p] < part_of_foot * apart;
        is_right[p] = is_low && right[p] < part_of_foot * apart;
    }
    for (int k = 0; k < 2; ++k) {
        forward[k] = (double *)allocate(y->run_count, sizeof *forward[k]);
        measure_swing(y, k == 0 ? is_left : is_right, forward[k]);
    }
    y->swing = fmin(y->swing, correlation(forward[0], forward[1], y->run_count));

    for (uint32_t i = 0; i < count_posed(y); ++i) {
        uint32_t frame = posed_frame(y, i);
        double   places[2] = { 0, 0 }, numbers[2] = { 0, 0 };
        for (uint32_t p = 0; p < points; ++p) {
            if (is_left[p]) places[0] += at(y, p, frame).y;
            if (is_right[p]) places[1] += at(y, p, frame).y;
            numbers[0] += is_left[p];
            numbers[1] += is_right[p];
        }
        double apart_now = places[0] / fmax(numbers[0], 1) - places[1] / fmax(numbers[1], 1);
        sum += apart_now;
        if (apart_now > 0) ++positive;
    }
    double share = (double)positive / count_posed(y);
    y->same_side = sum > 0 ? share : 1 - share;

    /* Left is where y is greater. */
    if (sum < 0) {
        double *first = y->tip_ways, *second = y->tip_ways + points;
        for (uint32_t p = 0; p < points; ++p) {
            double way = first[p];
            first[p] = second[p];
            second[p] = way;
        }
        uint32_t tip = y->tips[0];
        y->tips[0] = y->tips[1];
        y->tips[1] = tip;
    }
    for (uint32_t p = 0; p < points; ++p) {
        y->side[p] = (y->tip_ways[points + p] - y->tip_ways[p]) / apart;
    }
    release(is_left);
    release(is_right);
    release(forward[0]);
    release(forward[1]);
}

static bool find_feet(body *y)
{
    const double least_mass = 1.5;
    uint32_t     points = y->m->point_count, low = 0;
    foot         feet[MOST_BONES];
    double       best = -HUGE_VAL;
    uint32_t     first = UINT32_MAX, second = UINT32_MAX;
    for (uint32_t p = 0; p < points; ++p) low += y->above_ground[p] < on_ground;
    if (low < 4) return false;

    memset(feet, 0, sizeof feet);
    for (uint32_t b = 0; b < y->r->bone_count; ++b) {
        if (y->mass[b] >= least_mass) feet[b] = make_foot(y, b);
    }
    for (uint32_t a = 0; a < y->r->bone_count; ++a) {
        for (uint32_t b = 0; b < a && feet[a].count > 0; ++b) {
            if (feet[b].count == 0) continue;
            uint32_t far = farthest(y, feet[a].ways, feet[b].is_one);
            if (far == UINT32_MAX || feet[a].ways[far] < feet_apart * y->height) continue;

            double apart = feet[a].ways[far] / y->height;
            double swing = correlation(feet[a].forward, feet[b].forward, y->run_count);
            double size = fmin(feet[a].count, feet[b].count) / 4;
            double score = -swing + 0.5 * fmin(apart, 1.2) + 0.3 * fmin(1, size);
            if (!(score > best)) continue;
            best = score;
            first = a;
            second = b;
            y->swing = swing;
        }
    }

    bool is_found = first != UINT32_MAX;
    if (is_found) {
        double *ways = y->tip_ways;
        y->tips[1] = farthest(y, feet[first].ways, feet[second].is_one);
        measure_ways(y, y->tips[1], ways + points);
        y->tips[0] = farthest(y, ways + points, feet[first].is_one);
        measure_ways(y, y->tips[0], ways);
        y->tip_count = 2;
        for (uint32_t p = 0; p < points; ++p) is_found = is_found && ways[p] < HUGE_VAL;
        if (is_found) measure_sides(y, ways, ways + points, ways[y->tips[1]]);
    }
    for (uint32_t b = 0; b < y->r->bone_count; ++b) free_foot(&feet[b]);
    return is_found;
}

/* The farthest points, one after the other. */
static void find_tips(body *y)
{
    const double least_way = 0.12;
    uint32_t     points = y->m->point_count;
    while (y->tip_count < MOST_TIPS) {
        uint32_t best = 0;
        double   most = -1;
        for (uint32_t p = 0; p < points; ++p) {
            double nearest = HUGE_VAL;
            for (uint32_t i = 0; i < y->tip_count; ++i) {
                nearest = fmin(nearest, y->tip_ways[(size_t)i * points + p]);
            }
            if (!(nearest > most)) continue;
            most = nearest;
            best = p;
        }
        if (most < least_way * y->height) return;
        measure_ways(y, best, y->tip_ways + (size_t)y->tip_count * points);
        y->tips[y->tip_count++] = best;
    }
}

/* The bone that has most of the skin around a tip. */
static uint32_t bone_at_tip(const body *y, uint32_t tip, double within)
{
    double   masses[MOST_BONES] = { 0 };
    uint32_t best = 0;
    for (uint32_t p = 0; p < y->m->point_count; ++p) {
        if (!(y->tip_ways[(size_t)tip * y->m->point_count + p] < within * y->height)) continue;
        const point_weights *w = &y->r->weights[p];
        for (uint32_t i = 0; i < w->count; ++i) masses[w->bone[i]] += w->weight[i];
    }
    for (uint32_t b = 1; b < y->r->bone_count; ++b) {
        if (masses[b] > masses[best]) best = b;
    }
    return best;
}

/* -- Ways between bones ------------------------------------------------------------------------ */

static void find_middles(body *y)
{
    uint32_t frames = y->m->frame_count;
    for (uint32_t p = 0; p < y->m->point_count; ++p) {
        const point_weights *w = &y->r->weights[p];
        for (uint32_t i = 0; i < w->count; ++i) {
            uint32_t bone = w->bone[i];
            double   part = w->weight[i] / y->mass[bone];
            vec3    *own = y->middles + (size_t)bone * frames;
            for (uint32_t f = 0; f < frames; ++f) own[f] = add(own[f], scaled(at(y, p, f), part));
            y->bone_side[bone] += part * y->side[p];
            y->bone_level[bone] += part * y->level[p];
        }
    }
}

static double mean_distance(const body *y, uint32_t a, uint32_t b)
{
    double sum = 0;
    for (uint32_t f = 0; f < y->m->frame_count; ++f) {
        sum += length_of(minus(middle(y, a, f), middle(y, b, f)));
    }
    return sum / y->m->frame_count;
}

static void measure_steps(body *y)
{
    uint32_t count = y->r->bone_count;
    bool    *touches = (bool *)allocate(MOST_BONES * MOST_BONES, sizeof *touches);
    for (uint32_t i = 0; i < y->link_count; ++i) {
        uint32_t a = lead_of(y, y->links[i].a), b = lead_of(y, y->links[i].b);
        touches[a * MOST_BONES + b] = touches[b * MOST_BONES + a] = true;
    }
    for (uint32_t i = 0; i < MOST_BONES * MOST_BONES; ++i) y->steps[i] = HUGE_VAL;
    for (uint32_t a = 0; a < count; ++a) {
        for (uint32_t b = 0; b < a; ++b) {
            pair_joint joint = find_pair_joint(y->m, y->r, a, b);
            bool       touch = touches[a * MOST_BONES + b];
            y->pairs[a * MOST_BONES + b] = y->pairs[b * MOST_BONES + a] = joint;
            if (!joint.is_there || !(touch || joint.shared > 0.5)) continue;

            double step = mean_distance(y, a, b) + 4 * joint.misfit + joint.gap;
            if (!touch) step += 0.03 * y->height;
            for (int way = 0; way < 2; ++way) {
                uint32_t to = way == 0 ? b : a, from = way == 0 ? a : b;
                double   heavy = y->mass[to] / (0.012 * y->m->point_count);
                y->steps[from * MOST_BONES + to] = step + 0.1 * y->height * exp(-heavy);
            }
        }
    }
    release(touches);
}

/* From the nearest bone of a list to each bone: the one before it, or UINT32_MAX. */
static void find_ways(const body *y, const bone_list *from, double *ways, uint32_t *before)
{
    bool     is_done[MOST_BONES] = { false };
    uint32_t count = y->r->bone_count;
    for (uint32_t b = 0; b < count; ++b) {
        ways[b] = holds(from, b) ? 0 : HUGE_VAL;
        before[b] = UINT32_MAX;
    }
    for (;;) {
        uint32_t next = UINT32_MAX;
        for (uint32_t b = 0; b < count; ++b) {
            bool is_better = next == UINT32_MAX || ways[b] < ways[next];
            if (!is_done[b] && ways[b] < HUGE_VAL && is_better) next = b;
        }
        if (next == UINT32_MAX) return;
        is_done[next] = true;
        for (uint32_t b = 0; b < count; ++b) {
            double way = ways[next] + y->steps[next * MOST_BONES + b];
            if (!(way < ways[b])) continue;
            ways[b] = way;
            before[b] = next;
        }
    }
}

/* The bone, and all before it. */
static bone_list way_back(const uint32_t *before, uint32_t bone)
{
    bone_list way = { 0, { 0 } };
    for (; bone != UINT32_MAX; bone = before[bone]) append_bone(&way, bone);
    return way;
}

/* -- Head, trunk and legs ---------------------------------------------------------------------- */

static bool find_head(body *y)
{
    double best = -HUGE_VAL;
    for (uint32_t i = 2; i < y->tip_count + y->r->bone_count; ++i) {
        bool     is_tip = i < y->tip_count;
        uint32_t bone = is_tip ? bone_at_tip(y, i, 0.12) : i - y->tip_count;
        bool     fits;
        if (is_tip) {
            fits = y->level[y->tips[i]] > 0.75 && fabs(y->side[y->tips[i]]) < 0.3;
        } else {
            fits = y->mass[bone] >= fmax(4, 0.02 * y->m->point_count) &&
                   fabs(y->bone_side[bone]) < 0.12;
        }
        double size = fmin(1, y->mass[bone] / (0.05 * y->m->point_count));
        double score = y->bone_level[bone] - fabs(y->bone_side[bone]) + 0.1 * size;
        if (!fits || !(score > best)) continue;
        best = score;
        y->head = bone;
    }
    return best > -HUGE_VAL;
}

/* The ways from the feet to the head: two legs, and the trunk that they share. */
static bool find_trunk(body *y)
{
    const double in_middle = 0.1;
    double       ways[MOST_BONES], sides[MOST_BONES];
    uint32_t     before[MOST_BONES];
    bone_list    head = { 1, { y->head } };
    find_ways(y, &head, ways, before);
    bone_list up[2];
    for (uint32_t k = 0; k < 2; ++k) up[k] = way_back(before, bone_at_tip(y, k, 0.12));

    uint32_t shared = 0;
    while (shared < up[0].count && !holds(&up[1], up[0].bone[shared])) ++shared;
    if (shared == up[0].count) return false;
    uint32_t hips = up[0].bone[shared];
    for (uint32_t k = 0; k < 2; ++k) {
        uint32_t end = place_in(&up[k], hips);
        for (uint32_t i = 0; i < end; ++i) append_bone(&y->legs[k], up[k].bone[i]);
    }
    for (uint32_t i = shared; i < up[0].count; ++i) append_bone(&y->trunk, up[0].bone[i]);

    /* What is still in the middle is hips, too. */
    for (uint32_t i = 0; i < y->trunk.count; ++i) sides[i] = y->bone_side[y->trunk.bone[i]];
    double side = quantile(sides, y->trunk.count, 0.5);
    for (uint32_t k = 0; k < 2; ++k) {
        bone_list *leg = &y->legs[k];
        while (leg->count > 1 && fabs(y->bone_side[leg->bone[leg->count - 1]] - side) < in_middle) {
            insert_bone(&y->trunk, 0, leg->bone[--leg->count]);
        }
    }
    return y->legs[0].count > 0 && y->legs[1].count > 0;
}

/* -- Arms -------------------------------------------------------------------------------------- */

/* How much `b` turns against `a`: root mean square about its mean, in radians. */
static double turning(const body *y, uint32_t a, uint32_t b)
{
    uint32_t    frames = y->m->frame_count;
    const move *first = y->r->moves + (size_t)a * frames;
    const move *second = y->r->moves + (size_t)b * frames;
    mat3        sum = diagonal(0);
    double      squares = 0;
    for (uint32_t f = 0; f < frames; ++f) {
        sum = add_mat3(sum, transposed_times(first[f].turn, second[f].turn));
    }
    mat3 mean = best_turn(sum, diagonal(1));
    for (uint32_t f = 0; f < frames; ++f) {
        double angle = angle_between(mean, transposed_times(first[f].turn, second[f].turn));
        squares += angle * angle;
    }
    return sqrt(squares / frames);
}

/* Where a bone carries the joint of a pair. */
static vec3 shoulder_at(const body *y, const limb_way *arm, uint32_t frame)
{
    uint32_t          base = arm->chain.bone[arm->chain.count - 1];
    const pair_joint *joint = &y->pairs[base * MOST_BONES + arm->root];
    const move       *by = &y->r->moves[(size_t)arm->root * y->m->frame_count + frame];
    if (!joint->is_there) return middle(y, base, frame);
    return add(turned(by->turn, joint->place), by->shift);
}

static void measure_arm(const body *y, limb_way *arm)
{
    uint32_t frames = y->m->frame_count, posed = count_posed(y);
    double  *lengths = (double *)allocate(frames, sizeof *lengths);
    for (uint32_t f = 0; f < frames; ++f) {
        lengths[f] = length_of(minus(at(y, arm->tip, f), shoulder_at(y, arm, f)));
    }
    arm->reach = quantile(lengths, frames, 0.9) / y->height;
    release(lengths);

    arm->outward = 0;
    for (uint32_t i = 0; i < posed; ++i) {
        uint32_t f = posed_frame(y, i);
        double   trunk = 0;
        for (uint32_t k = 0; k < y->trunk.count; ++k) {
            trunk += middle(y, y->trunk.bone[k], f).y / y->trunk.count;
        }
        arm->outward += (shoulder_at(y, arm, f).y - trunk) / posed / y->height;
    }
}

/* How much the tip moves against the bone that the arm leaves. */
static double travel_of(const body *y, uint32_t tip, uint32_t root)
{
    uint32_t frames = y->m->frame_count;
    vec3     mean = make_vec3(0, 0, 0);
    double   sum = 0;
    for (uint32_t f = 0; f < frames; ++f) {
        mean = add(mean, scaled(minus(at(y, tip, f), middle(y, root, f)), 1.0 / frames));
    }
    for (uint32_t f = 0; f < frames; ++f) {
        vec3 off = minus(minus(at(y, tip, f), middle(y, root, f)), mean);
        sum += dot(off, off);
    }
    return sqrt(sum / frames) / y->height;
}

/* How far the tip is behind: a wing is. */
static double behind(const body *y, uint32_t tip, uint32_t root)
{
    uint32_t posed = count_posed(y);
    double   sum = 0;
    for (uint32_t i = 0; i < posed; ++i) {
        uint32_t f = posed_frame(y, i);
        sum += middle(y, root, f).x - at(y, tip, f).x;
    }
    return sum / posed / y->height;
}

static void score_arm(const body *y, limb_way *arm)
{
    double   turns = 0, level = 0;
    uint32_t count = arm->chain.count, base = arm->chain.bone[count - 1];
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t above = i + 1 < count ? arm->chain.bone[i + 1] : arm->root;
        turns += turning(y, above, arm->chain.bone[i]);
        level += y->bone_level[arm->chain.bone[i]] / count;
    }
    double side = fabs(y->bone_side[base]) > 0.02 ? y->bone_side[base] : y->side[arm->tip];
    arm->is_left = side + 2 * arm->outward >= 0;
    arm->travel = travel_of(y, arm->tip, arm->root);
    arm->score = arm->reach + 0.5 * arm->travel + 0.1 * fmin(turns, 2);
    arm->score -= 4 * fmax(0, behind(y, arm->tip, arm->root) - 0.08);
    if (y->bone_level[arm->root] < 0.45) arm->score -= 0.3;
    if (arm->root == y->head && y->trunk.count > 2) arm->score -= 0.5;
    if (level > y->bone_level[y->head] - 0.02 && level > 0.7) arm->score -= 0.5;
}

static bool shares_all(const limb_way *a, const limb_way *b)
{
    uint32_t shared = 0;
    for (uint32_t i = 0; i < a->chain.count; ++i) shared += holds(&b->chain, a->chain.bone[i]);
    return shared > 0 && (shared == a->chain.count || shared == b->chain.count);
}

/* What both arms share belongs to the chest, and to the trunk. */
static void give_to_chest(body *y)
{
    limb_way *left = &y->arms[0], *right = &y->arms[1];
    bone_list shared = { 0, { 0 } };
    for (uint32_t i = 0; i < left->chain.count; ++i) {
        uint32_t bone = left->chain.bone[i];
        if (holds(&right->chain, bone)) append_bone(&shared, bone);
    }
    if (shared.count == 0) return;

    uint32_t above = place_in(&y->trunk, left->root) + 1;
    for (uint32_t i = 0; i < shared.count; ++i) {
        insert_bone(&y->trunk, above, shared.bone[i]);
    }
    for (int k = 0; k < 2; ++k) {
        bone_list *chain = &y->arms[k].chain, own = { 0, { 0 } };
        for (uint32_t i = 0; i < chain->count; ++i) {
            if (!holds(&shared, chain->bone[i])) append_bone(&own, chain->bone[i]);
        }
        *chain = own;
        y->arms[k].root = shared.bone[0];
        measure_arm(y, &y->arms[k]);
    }

    /* The head stays the end of the trunk. */
    if (holds(&shared, y->trunk.bone[y->trunk.count - 1])) {
        bone_list trunk = { 0, { 0 } };
        for (uint32_t i = 0; i < y->trunk.count; ++i) {
            if (y->trunk.bone[i] != y->head) append_bone(&trunk, y->trunk.bone[i]);
        }
        append_bone(&trunk, y->head);
        y->trunk = trunk;
    }
}

static void find_arms(body *y)
{
    const double least_reach = 0.2;
    limb_way     list[MOST_TIPS];
    uint32_t     count = 0, before[MOST_BONES];
    double       ways[MOST_BONES], best = -HUGE_VAL;
    bone_list    rest = y->trunk;
    for (uint32_t k = 0; k < 2; ++k) {
        for (uint32_t i = 0; i < y->legs[k].count; ++i) append_bone(&rest, y->legs[k].bone[i]);
    }
    find_ways(y, &rest, ways, before);
    for (uint32_t i = 2; i < y->tip_count; ++i) {
        uint32_t bone = bone_at_tip(y, i, 0.06);
        if (holds(&rest, bone)) continue;
        limb_way *arm = &list[count];
        memset(arm, 0, sizeof *arm);
        arm->chain = way_back(before, bone);
        arm->root = arm->chain.bone[--arm->chain.count];
        arm->tip = y->tips[i];
        if (!holds(&y->trunk, arm->root) || arm->chain.count == 0) continue;
        measure_arm(y, arm);
        score_arm(y, arm);
        ++count;
    }

    for (uint32_t a = 0; a < count; ++a) {
        for (uint32_t b = 0; b < count; ++b) {
            const limb_way *left = &list[a], *right = &list[b];
            if (!left->is_left || right->is_left || shares_all(left, right)) continue;
            if (fmin(left->reach, right->reach) < least_reach) continue;
            double unlike = fabs(left->reach - right->reach) / fmax(left->reach, right->reach);
            double score = 1.2 * fmin(left->score, right->score) - unlike;
            if (!(score > best)) continue;
            best = score;
            y->arms[0] = *left;
            y->arms[1] = *right;
            y->has_arms = true;
        }
    }
    if (y->has_arms) give_to_chest(y);
}

/* -- Cutting limbs ----------------------------------------------------------------------------- */

typedef struct limb {                 /* the bones of a chain that have some mass, from its base */
    bone_list main;
    double    turns[MOST_BONES];      /* at the joint before each */
    double    places[MOST_BONES];     /* of that joint, in parts of the length */
    double    length;
    uint32_t  first_on_ground;        /* of `main`; its count if there is none */
} limb;

static limb measure_limb(const body *y, const bone_list *chain, uint32_t root, uint32_t tip)
{
    limb     l;
    uint32_t frames = y->m->frame_count;
    memset(&l, 0, sizeof l);
    for (double least_mass = 2; l.main.count == 0; least_mass = 0) {
        for (uint32_t i = chain->count; i-- > 0;) {
            if (y->mass[chain->bone[i]] >= least_mass) append_bone(&l.main, chain->bone[i]);
        }
    }

    uint32_t count = l.main.count;
    vec3    *joints = (vec3 *)allocate(((size_t)count + 1) * frames, sizeof *joints);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t          above = i == 0 ? root : l.main.bone[i - 1], bone = l.main.bone[i];
        const pair_joint *pair = &y->pairs[above * MOST_BONES + bone];
        l.turns[i] = turning(y, above, bone);
        for (uint32_t f = 0; f < frames; ++f) {
            const move *by = &y->r->moves[(size_t)bone * frames + f];
            vec3        place = add(turned(by->turn, pair->place), by->shift);
            joints[(size_t)i * frames + f] = pair->is_there ? place : middle(y, bone, f);
        }
    }

    /* The tip is the point of the last bone that is farthest from its joint. */
    double *lengths = (double *)allocate(frames, sizeof *lengths), most = -1;
    for (uint32_t p = 0; p < y->m->point_count; ++p) {
        if (lead_of(y, p) != chain->bone[0]) continue;
        for (uint32_t f = 0; f < frames; ++f) {
            lengths[f] = length_of(minus(at(y, p, f), joints[(size_t)(count - 1) * frames + f]));
        }
        double length = quantile(lengths, frames, 0.5);
        if (!(length > most)) continue;
        most = length;
        tip = p;
    }
    double total = 0;
    for (uint32_t i = 0; i < count; ++i) {
        l.places[i] = total;
        for (uint32_t f = 0; f < frames; ++f) {
            const vec3 *here = joints + (size_t)i * frames + f;
            vec3        next = i + 1 < count ? here[frames] : at(y, tip, f);
            lengths[f] = length_of(minus(next, *here));
        }
        total += quantile(lengths, frames, 0.5);
    }
    l.length = fmax(total, 1e-9);
    for (uint32_t i = 0; i < count; ++i) l.places[i] /= l.length;

    l.first_on_ground = count;
    for (uint32_t i = count; i-- > 0;) {
        for (uint32_t p = 0; p < y->m->point_count; ++p) {
            bool rests = lead_of(y, p) == l.main.bone[i] && y->above_ground[p] < on_ground;
            if (rests) l.first_on_ground = i;
        }
    }
    release(lengths);
    release(joints);
    return l;
}

typedef struct cut_rule {             /* where the two joints of a limb are, and may be */
    double middle, end, from_middle, to_middle, from_end, to_end;
    bool   stands;                    /* on its last part */
} cut_rule;

typedef struct cut {                  /* bones [0, middle), [middle, end), [end, count) */
    uint32_t middle, end;
} cut;

/* HUGE_VAL, negative, for a cut that cannot be. */
static double score_cut(const limb *l, const cut_rule *rule, cut c)
{
    uint32_t count = l->main.count;
    bool     has_middle = c.middle > 0 && c.middle < count;
    bool     has_end = c.end > c.middle && c.end < count;
    double   score = 0;
    if (has_middle) {
        double place = l->places[c.middle], off = (place - rule->middle) / 0.10;
        if (place < rule->from_middle || place > rule->to_middle) return -HUGE_VAL;
        score += log(l->turns[c.middle] + 0.03) - off * off / 2;
    } else {
        score -= c.middle == 0 ? 6 : 7;
    }
    if (has_end) {
        double place = l->places[c.end], off = (place - rule->end) / 0.08;
        bool   stands = rule->stands && c.end == l->first_on_ground;
        if (place < rule->from_end || place > rule->to_end) return -HUGE_VAL;
        score += log(l->turns[c.end] + 0.03) - (stands ? 0 : off * off / 2);
    } else {
        score -= c.end == count ? 5 : 6.5;
    }
    return score;
}

/* What speaks against two joints of both sides being the same: how differently far from the base
   they are. */
static double difference(const limb *left, uint32_t i, const limb *right, uint32_t k)
{
    const double usual = 0.06;
    if (i >= left->main.count || k >= right->main.count) return 0;
    double apart = left->places[i] * left->length - right->places[k] * right->length;
    double off = apart / (usual * (left->length + right->length) / 2);
    return off * off / 2;
}

/* A limb whose first part belongs to the trunk is measured from another place: then all that it has
   against the other is that one lacks the part. */
static double unlikeness(const limb *left, cut a, const limb *right, cut b)
{
    const double one_sided = 2;
    if (a.middle == 0 && b.middle == 0) return 0;
    if (a.middle == 0 || b.middle == 0) return one_sided;
    return difference(left, a.middle, right, b.middle) + difference(left, a.end, right, b.end);
}

/* The best cuts of both sides together. */
static void cut_limbs(const limb *left, const limb *right, const cut_rule *rule, cut best[2])
{
    double most = -HUGE_VAL;
    cut    a, b;
    best[0].middle = best[0].end = left->main.count;
    best[1].middle = best[1].end = right->main.count;
    for (a.middle = 0; a.middle <= left->main.count; ++a.middle) {
        for (a.end = a.middle; a.end <= left->main.count; ++a.end) {
            double first = score_cut(left, rule, a);
            if (!(first > -HUGE_VAL)) continue;
            for (b.middle = 0; b.middle <= right->main.count; ++b.middle) {
                for (b.end = b.middle; b.end <= right->main.count; ++b.end) {
                    double score = first + score_cut(right, rule, b) -
                                   unlikeness(left, a, right, b);
                    if (!(score > most)) continue;
                    most = score;
                    best[0] = a;
                    best[1] = b;
                }
            }
        }
    }
}

/* -- Names ------------------------------------------------------------------------------------- */

static void set_name(body *y, uint32_t bone, const char *name, const char *side, uint32_t number)
{
    char *out = y->r->names[bone];
    if (number == 0) snprintf(out, BONE_NAME_ROOM, "%s%s", name, side);
    else snprintf(out, BONE_NAME_ROOM, "%s%s.%u", name, side, (unsigned)number + 1);
}

/* The first heavy one has the name, as what it turns about is the joint of all; the others have
   numbers. */
static void name_list(body *y, const bone_list *l, const char *name, const char *side)
{
    double   most = 0;
    uint32_t first = 0, number = 1;
    for (uint32_t i = 0; i < l->count; ++i) most = fmax(most, y->mass[l->bone[i]]);
    while (first < l->count && y->mass[l->bone[first]] < 0.5 * most) ++first;
    for (uint32_t i = 0; i < l->count; ++i) {
        set_name(y, l->bone[i], name, side, i == first ? 0 : number++);
    }
}

static void name_limb(body *y, const limb *l, cut c, const char *const *names, const char *side)
{
    uint32_t ends[LIMB_PARTS + 1] = { 0, c.middle, c.end, l->main.count };
    for (uint32_t part = 0; part + 1 < LIMB_PARTS; ++part) {
        bone_list list = { 0, { 0 } };
        for (uint32_t i = ends[part]; i < ends[part + 1]; ++i) append_bone(&list, l->main.bone[i]);
        name_list(y, &list, names[part], side);
    }

    /* A hand is what turns at the wrist, also where its fingers are heavier. */
    for (uint32_t i = c.end; i < l->main.count; ++i) {
        set_name(y, l->main.bone[i], names[LIMB_PARTS - 1], side, i - c.end);
    }
}

static const char *const sides[2] = { "_l", "_r" };

static void name_legs(body *y)
{
    static const char *const names[LIMB_PARTS] = { "thigh", "shin", "foot" };
    static const cut_rule    rule = { 0.42, 0.82, 0.22, 0.62, 0.50, 0.95, true };
    limb limbs[2];
    cut  cuts[2];
    for (int k = 0; k < 2; ++k) {
        limbs[k] = measure_limb(y, &y->legs[k], y->trunk.bone[0], y->tips[k]);
    }
    cut_limbs(&limbs[0], &limbs[1], &rule, cuts);
    for (int k = 0; k < 2; ++k) name_limb(y, &limbs[k], cuts[k], names, sides[k]);
}

static void name_arms(body *y)
{
    static const char *const names[LIMB_PARTS] = { "upper_arm", "forearm", "hand" };
    static const cut_rule    rule = { 0.42, 0.75, 0.22, 0.64, 0.6, 0.95, false };
    limb limbs[2];
    cut  cuts[2];
    for (int k = 0; k < 2; ++k) {
        const limb_way *arm = &y->arms[k];
        limbs[k] = measure_limb(y, &arm->chain, arm->root, arm->tip);
    }
    cut_limbs(&limbs[0], &limbs[1], &rule, cuts);
    for (int k = 0; k < 2; ++k) name_limb(y, &limbs[k], cuts[k], names, sides[k]);
}

static double head_weight(const body *y, uint32_t bone)
{
    return y->mass[bone] * (y->bone_level[bone] > 0.6 ? 1 : 0.2);
}

static void name_trunk(body *y)
{
    uint32_t  count = y->trunk.count, low = count > 2 ? count - 2 : 0, high = low;
    bone_list body_bones = { 0, { 0 } }, chest = { 0, { 0 } }, top = { 0, { 0 } };
    if (y->has_arms) {
        uint32_t a = place_in(&y->trunk, y->arms[0].root), b = place_in(&y->trunk, y->arms[1].root);
        low = a < b ? a : b;
        high = a < b ? b : a;
    }
    y->chest_low = low;
    y->chest_high = high;
    set_name(y, y->trunk.bone[0], "hips", "", 0);
    for (uint32_t i = 1; i < count; ++i) {
        append_bone(i > high ? &top : &body_bones, y->trunk.bone[i]);
    }
    for (uint32_t i = 1; i < count && i <= high; ++i) {
        if (i >= low) append_bone(&chest, y->trunk.bone[i]);
    }

    /* The head is the first heavy bone above the chest; what is below it is neck. */
    double most = 0;
    uint32_t head = UINT32_MAX, necks = 0, heads = 1;
    for (uint32_t i = 0; i < top.count; ++i) most = fmax(most, head_weight(y, top.bone[i]));
    for (uint32_t i = 0; i < top.count && head == UINT32_MAX; ++i) {
        if (head_weight(y, top.bone[i]) >= 0.5 * most) head = i;
    }
    for (uint32_t i = 0; i < top.count; ++i) {
        if (i == head) set_name(y, top.bone[i], "head", "", 0);
        else if (i < head) set_name(y, top.bone[i], "neck", "", necks++);
        else set_name(y, top.bone[i], "head", "", heads++);
    }

    if (chest.count == 0 && body_bones.count > 0) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < body_bones.count; ++i) {
            if (y->mass[body_bones.bone[i]] > y->mass[body_bones.bone[best]]) best = i;
        }
        append_bone(&chest, body_bones.bone[best]);
    }
    name_list(y, &chest, "chest", "");
    uint32_t spines = 0;
    for (uint32_t i = 0; i < body_bones.count; ++i) {
        if (holds(&chest, body_bones.bone[i])) continue;
        set_name(y, body_bones.bone[i], "spine", "", spines++);
    }
}

static bool begins_with(const char *name, const char *word)
{
    return strncmp(name, word, strlen(word)) == 0;
}

/* A bone that has no name yet gets that of the named one that it follows, with a number that no
   other has. */
static void name_helpers(body *y)
{
    bone_list named = { 0, { 0 } };
    double    ways[MOST_BONES];
    uint32_t  before[MOST_BONES];
    for (uint32_t b = 0; b < y->r->bone_count; ++b) {
        if (y->r->names[b][0]) append_bone(&named, b);
    }
    find_ways(y, &named, ways, before);
    for (;;) {
        uint32_t next = UINT32_MAX;
        for (uint32_t b = 0; b < y->r->bone_count; ++b) {
            if (y->r->names[b][0] || !(ways[b] < HUGE_VAL)) continue;
            if (next == UINT32_MAX || ways[b] < ways[next]) next = b;
        }
        if (next == UINT32_MAX) return;

        char   stem[BONE_NAME_ROOM];
        snprintf(stem, sizeof stem, "%s", y->r->names[before[next]]);
        char *dot_at = strchr(stem, '.');
        if (dot_at) *dot_at = 0;
        uint32_t number = 1;
        for (uint32_t b = 0; b < y->r->bone_count; ++b) {
            const char *name = y->r->names[b];
            size_t      length = strlen(stem);
            if (strncmp(name, stem, length) == 0 && name[length] == '.') ++number;
        }
        set_name(y, next, stem, "", number);

        /* A light bone between two of a limb has its place. */
        if (y->r->parents[next] == NO_PARENT_YET) y->r->parents[next] = (int32_t)before[next];
    }
}

/* -- The tree ---------------------------------------------------------------------------------- */

static void hang_chain(body *y, const bone_list *chain, uint32_t root)
{
    for (uint32_t i = 0; i < chain->count; ++i) {
        uint32_t parent = i + 1 < chain->count ? chain->bone[i + 1] : root;
        y->r->parents[chain->bone[i]] = (int32_t)parent;
    }
}

static void hang_named(body *y)
{
    uint32_t hips = y->trunk.bone[0];
    for (uint32_t i = 1; i < y->trunk.count; ++i) {
        y->r->parents[y->trunk.bone[i]] = (int32_t)y->trunk.bone[i - 1];
    }
    y->r->parents[hips] = -1;
    for (int k = 0; k < 2; ++k) hang_chain(y, &y->legs[k], hips);
    for (int k = 0; k < 2 && y->has_arms; ++k) hang_chain(y, &y->arms[k].chain, y->arms[k].root);
}

/* From any bone the way up ends, at the hips or where no parent is known. */
static bool has_no_circles(const rig *r)
{
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        int32_t bone = (int32_t)b;
        for (uint32_t steps = 0; bone >= 0; ++steps) {
            if (steps > r->bone_count) return false;
            bone = r->parents[bone];
        }
    }
    return true;
}

/* -- What is sure ------------------------------------------------------------------------------ */

static double mass_of_list(const body *y, const bone_list *l)
{
    double sum = 0;
    for (uint32_t i = 0; i < l->count; ++i) sum += y->mass[l->bone[i]];
    return sum;
}

static double standing_level(const body *y, uint32_t bone)
{
    double sum = 0;
    for (uint32_t p = 0; p < y->m->point_count; ++p) {
        const point_weights *w = &y->r->weights[p];
        for (uint32_t i = 0; i < w->count; ++i) {
            if (w->bone[i] == bone) sum += w->weight[i] * y->above_ground[p] / y->mass[bone];
        }
    }
    return sum;
}

/* The bones of a leg go down, or nearly. */
static bool goes_down(const body *y, const bone_list *leg)
{
    for (uint32_t i = 0; i + 1 < leg->count; ++i) {
        double here = standing_level(y, leg->bone[i]), above = standing_level(y, leg->bone[i + 1]);
        if (!(here < above + 0.03)) return false;
    }
    return true;
}

/* From the middle of the hips to the tip of the foot. */
static double leg_length(const body *y, int side)
{
    uint32_t count = count_posed(y);
    double  *lengths = (double *)allocate(count, sizeof *lengths);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t f = posed_frame(y, i);
        vec3     hips = middle(y, y->trunk.bone[0], f);
        lengths[i] = length_of(minus(at(y, y->tips[side], f), hips));
    }
    double length = quantile(lengths, count, 0.5);
    release(lengths);
    return length;
}

static bool are_alike(double a, double b, double least)
{
    return fmin(a, b) >= least * fmax(a, b);
}

static bool are_legs_sure(const body *y)
{
    const bone_list *left = &y->legs[0], *right = &y->legs[1];
    double           hips = y->bone_level[y->trunk.bone[0]];
    bool             walks = y->swing <= -0.2 && y->same_side >= 0.8;
    bool             bend = left->count >= 2 && right->count >= 2;
    bool are_pair = are_alike(mass_of_list(y, left), mass_of_list(y, right), 0.5) &&
                    are_alike(leg_length(y, 0), leg_length(y, 1), 0.7);
    return walks && bend && are_pair && goes_down(y, left) && goes_down(y, right) && hips >= 0.2 &&
           hips <= 0.75;
}

static bool are_arms_sure(const body *y)
{
    if (!y->has_arms) return false;
    const limb_way *left = &y->arms[0], *right = &y->arms[1];
    bool            reach = fmin(left->reach, right->reach) >= 0.2 &&
                 are_alike(left->reach, right->reach, 0.65);
    return reach && fmin(left->travel, right->travel) >= 0.06 && left->outward > 0.01 &&
           right->outward < -0.01;
}

static bool is_head_sure(const body *y)
{
    uint32_t points = 0;
    double   level = 0, side = 1;
    for (uint32_t p = 0; p < y->m->point_count; ++p) {
        points += begins_with(y->r->names[lead_of(y, p)], "head");
    }
    for (uint32_t b = 0; b < y->r->bone_count; ++b) {
        if (strcmp(y->r->names[b], "head") != 0) continue;
        level = y->bone_level[b];
        side = fabs(y->bone_side[b]);
    }
    return points >= 0.03 * y->m->point_count && level >= 0.6 && side <= 0.15;
}

static void drop_names(body *y, const char *word)
{
    for (uint32_t b = 0; b < y->r->bone_count; ++b) {
        if (begins_with(y->r->names[b], word)) y->r->names[b][0] = 0;
    }
}

static void drop_unsure_names(body *y)
{
    static const char *const of_arms[] = { "upper_arm", "forearm", "hand", "chest", "torso" };
    bool one_torso = y->has_arms && (y->arms[0].root == y->trunk.bone[0] ||
                                     y->arms[1].root == y->trunk.bone[0]);
    for (uint32_t b = 0; b < y->r->bone_count && one_torso; ++b) {
        char *name = y->r->names[b], rest[4];
        if (!begins_with(name, "hips")) continue;
        snprintf(rest, sizeof rest, "%.3s", name + strlen("hips"));
        set_name(y, b, "torso", rest, 0);
    }
    bool arms = are_arms_sure(y);
    for (size_t i = 0; i < sizeof of_arms / sizeof of_arms[0] && !arms; ++i) {
        drop_names(y, of_arms[i]);
    }
    if (!is_head_sure(y)) {
        drop_names(y, "head");
        drop_names(y, "neck");
    }
}

/* -- All --------------------------------------------------------------------------------------- */

static bool find_body(body *y)
{
    find_frames(y);
    measure_heights(y);
    link_skin(y);
    if (!find_feet(y)) return false;
    find_tips(y);
    find_middles(y);
    measure_steps(y);
    if (!find_head(y) || !find_trunk(y)) return false;
    find_arms(y);
    return are_legs_sure(y);
}

bool name_bones(const motion *m, rig *r)
{
    for (uint32_t b = 0; b < r->bone_count; ++b) r->parents[b] = NO_PARENT_YET;
    memset(r->names, 0, sizeof r->names);
    if (m->point_count > MOST_NAMED_POINTS || r->bone_count < 6) return false;

    body  *y = (body *)allocate(1, sizeof *y);
    size_t points = m->point_count;
    y->m = m;
    y->r = r;
    y->above_ground = (double *)allocate(points, sizeof *y->above_ground);
    y->level = (double *)allocate(points, sizeof *y->level);
    y->side = (double *)allocate(points, sizeof *y->side);
    y->tip_ways = (double *)allocate(MOST_TIPS * points, sizeof *y->tip_ways);
    y->middles = (vec3 *)allocate((size_t)r->bone_count * m->frame_count, sizeof *y->middles);
    for (uint32_t b = 0; b < r->bone_count; ++b) y->mass[b] = mass_of(m, r, b);

    bool is_man = find_body(y);
    if (is_man) {
        hang_named(y);
        name_legs(y);
        if (y->has_arms) name_arms(y);
        name_trunk(y);
        name_helpers(y);
        is_man = has_no_circles(r);
        drop_unsure_names(y);
    }
    if (!is_man) {
        for (uint32_t b = 0; b < r->bone_count; ++b) r->parents[b] = NO_PARENT_YET;
        memset(r->names, 0, sizeof r->names);
    }
    release(y->stand);
    release(y->run);
    release(y->above_ground);
    release(y->level);
    release(y->side);
    release(y->tip_ways);
    release(y->middles);
    release(y->links);
    release(y->first_link);
    release(y->link_ends);
    release(y->link_lengths);
    release(y);
    return is_man;
}
