/* name_bones.c - hips, chest, head, arms and legs among the bones of a man. Public domain.

   What makes a man is two feet that stand on the ground and swing against each other when he runs.
   All else is found from there, by ways along the skin, which no pose changes:

     sides   A point is as much on the left as its way to the left foot is shorter than its way to
             the right one. The trunk is in the middle by that, and no leg is, however they cross.
     trunk   The head is high and in the middle. The hips are where the ways from it and from both
             feet meet; what goes on to the head is the trunk.
     arms    Of the ways that go from the trunk to the farthest tips, the two that reach far, bend
             much, and are alike. The bone of the trunk that they leave is the chest.
     joints  A limb turns most at its joints, and a man has them at known places. Both sides are cut
             alike. An ankle is above the first bone that rests on the ground.

   All other bones are named after the named bone that they follow, as "forearm_l.2". These ways
   also are the tree: hips at the root, limbs below the trunk, helpers below what they help. Each
   bone has one way to the hips, so there are no circles.

   A name is given only if what speaks for it holds: see `are_legs_sure` and `are_arms_sure`. */
#include "bones.h"
#include "convert.h"
#include "../viewer/heading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT, RIGHT };
enum { MOST_NAMED_POINTS = 2048, MOST_TIPS = 9, LIMB_PARTS = 3, RESTS = 2, GAITS = 3 };

#define NONE UINT32_MAX

typedef struct bone_list {
    uint32_t count, bone[MOST_BONES];
} bone_list;

typedef struct net_link {             /* of two points, or of two bones */
    uint32_t a, b;
    double   length;
} net_link;

typedef struct net {
    uint32_t  count, room;
    net_link *links;
} net;

typedef struct limb {                 /* lengths are parts of the height */
    bone_list chain;                  /* from the trunk to the tip */
    uint32_t  root;                   /* the bone of the trunk on which it hangs */
    double    to_tip[MOST_BONES + 1]; /* along the limb, from the joint above each bone */
    double    turns[MOST_BONES];      /* how much it turns there */
    uint32_t  first_on_ground;        /* of the chain; its count if there is none */
} limb;

typedef struct body {
    const motion *m;
    rig          *r;
    uint32_t     *frames;             /* those in which he stands, then those in which he runs */
    uint32_t      stand_count, gait_ends[GAITS], frame_count;
    double        height;             /* lengths are parts of it if nothing else is said */
    double       *above_ground;       /* [point_count] while he stands */
    net           skin, bones;
    vec3         *middles;            /* [bone_count][frame_count] from the middle of all points */
    double        mass[MOST_BONES], level[MOST_BONES]; /* of the points of each bone */
    double        out[MOST_BONES];    /* how far to the left it is */
    double        side[MOST_BONES];   /* 1 at the left foot, -1 at the right one, along the skin */

    uint32_t      feet[2];            /* bones */
    double       *to_feet[2];         /* [point_count] ways along the skin, not in parts */
    double        swing;              /* of the feet: -1 is in turns */
    uint32_t      head;
    bone_list     trunk;              /* from the hips to the head */
    limb          legs[2], arms[2];
    bool          has_arms;
} body;

/* -- Lists and numbers ------------------------------------------------------------------------- */

static uint32_t place_in(const bone_list *l, uint32_t bone)
{
    uint32_t i = 0;
    while (i < l->count && l->bone[i] != bone) ++i;
    return i;
}

static bool holds(const bone_list *l, uint32_t bone)
{
    return place_in(l, bone) < l->count;
}

static void insert_bone(bone_list *l, uint32_t at, uint32_t bone)
{
    for (uint32_t i = l->count++; i > at; --i) l->bone[i] = l->bone[i - 1];
    l->bone[at] = bone;
}

static void append_bone(bone_list *l, uint32_t bone)
{
    insert_bone(l, l->count, bone);
}

static uint32_t take_first(bone_list *l)
{
    uint32_t first = l->bone[0];
    --l->count;
    for (uint32_t i = 0; i < l->count; ++i) l->bone[i] = l->bone[i + 1];
    return first;
}

/* Returns a position along the axes of the model: forward, left, up. */
static vec3 at(const body *y, uint32_t point, uint32_t frame)
{
    return rotate_back(y->r->axes, y->m->positions[(size_t)point * y->m->frame_count + frame]);
}

/* The bone that has most of a point. */
static uint32_t lead_of(const body *y, uint32_t point)
{
    return y->r->weights[point].bone[0];
}

static vec3 middle(const body *y, uint32_t bone, uint32_t frame)
{
    return y->middles[(size_t)bone * y->m->frame_count + frame];
}

/* The mean of what each point of a bone has. */
static double mean_of(const body *y, uint32_t bone, const double *numbers)
{
    double sum = 0;
    for (uint32_t p = 0; p < y->m->point_count; ++p) {
        sum += weight_of(&y->r->weights[p], bone) * numbers[p];
    }
    return sum / y->mass[bone];
}

/* -- Ways -------------------------------------------------------------------------------------- */

static void add_link(net *n, uint32_t a, uint32_t b, double length)
{
    if (n->count == n->room) {
        n->room = 2 * n->room + 64;
        net_link *more = (net_link *)allocate(n->room, sizeof *more);
        if (n->links) memcpy(more, n->links, n->count * sizeof *more);
        release(n->links);
        n->links = more;
    }
    net_link added = { a, b, length };
    n->links[n->count++] = added;
}

/* The shortest ways (Bellman's and Ford's) to all nodes from those that have the way 0; all others
   have HUGE_VAL, and keep it if no way leads there. `before` may be NULL; otherwise it has NONE. */
static void find_ways(const net *n, double *ways, uint32_t *before)
{
    for (bool is_shorter = true; is_shorter;) {
        is_shorter = false;
        for (uint32_t i = 0; i < n->count; ++i) {
            net_link l = n->links[i];
            bool     is_back = ways[l.b] < ways[l.a];
            uint32_t from = is_back ? l.b : l.a, to = is_back ? l.a : l.b;
            if (!(ways[from] + l.length < ways[to])) continue;
            ways[to] = ways[from] + l.length;
            if (before) before[to] = from;
            is_shorter = true;
        }
    }
}

static void ways_over_skin(const body *y, uint32_t from, double *ways)
{
    for (uint32_t p = 0; p < y->m->point_count; ++p) ways[p] = p == from ? 0 : HUGE_VAL;
    find_ways(&y->skin, ways, NULL);
}

/* `before` gets the next bone on the way to the nearest of `from`, or NONE. */
static void ways_over_bones(const body *y, const bone_list *from, double ways[MOST_BONES],
                            uint32_t before[MOST_BONES])
{
    for (uint32_t b = 0; b < y->r->bone_count; ++b) {
        ways[b] = holds(from, b) ? 0 : HUGE_VAL;
        before[b] = NONE;
    }
    find_ways(&y->bones, ways, before);
}

/* The bones from where a way begins to where it ends. */
static bone_list way_to(const uint32_t *before, uint32_t bone)
{
    bone_list way = { 0, { 0 } };
    for (; bone != NONE; bone = before[bone]) insert_bone(&way, 0, bone);
    return way;
}

/* -- Frames ------------------------------------------------------------------------------------ */

static bool has_word(const char *name, const char *word)
{
    for (;; ++name) {
        size_t i = 0;
        while (word[i] && (name[i] | 0x20) == word[i]) ++i;
        if (!word[i]) return true;
        if (!*name) return false;
    }
}

/* Adds the frames of all animations that have a word in their name. */
static void add_frames(body *y, const char *word)
{
    for (uint32_t f = 0; f < y->m->frame_count; ++f) {
        if (has_word(y->m->anim_names[f], word)) y->frames[y->frame_count++] = f;
    }
}

/* All frames, where no animation has such a name. */
static void find_frames(body *y)
{
    static const char *const rests[RESTS] = { "stand", "idle" };
    static const char *const gaits[GAITS] = { "run", "walk", "forward" };
    size_t                   room = (RESTS + GAITS) * (size_t)y->m->frame_count;
    y->frames = (uint32_t *)allocate(room, sizeof *y->frames);
    for (int i = 0; i < RESTS; ++i) add_frames(y, rests[i]);
    if (y->frame_count == 0) add_frames(y, "");
    y->stand_count = y->frame_count;
    for (int i = 0; i < GAITS; ++i) {
        add_frames(y, gaits[i]);
        y->gait_ends[i] = y->frame_count;
    }
    if (y->frame_count > y->stand_count) return;
    add_frames(y, "");
    y->gait_ends[GAITS - 1] = y->frame_count;
}

/* -- Heading ----------------------------------------------------------------------------------- */

/* Returns the end of the animation that begins at a frame. */
static uint32_t anim_end(const motion *m, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < m->frame_count && strcmp(m->anim_names[end], m->anim_names[first]) == 0) ++end;
    return end;
}

static heading heading_in(const motion *m, uint32_t first, uint32_t end)
{
    float *positions = (float *)allocate(3 * (size_t)m->point_count * (end - first),
                                         sizeof *positions);
    float *out = positions;
    for (uint32_t f = first; f < end; ++f) {
        for (uint32_t p = 0; p < m->point_count; ++p) {
            vec3 position = m->positions[(size_t)p * m->frame_count + f];
            *out++ = (float)position.x;
            *out++ = (float)position.y;
            *out++ = (float)position.z;
        }
    }
    heading found = find_heading(positions, end - first, m->point_count);
    release(positions);
    return found;
}

/* Sets the axes from the first run, or else walk, that has a heading. A heading near an axis of the
   file is that axis. */
static void find_axes(const motion *m, rig *r)
{
    static const char *const gaits[] = { "run", "walk" };
    heading                  found = { 0, 0 };
    r->axes = diagonal(1);
    for (int i = 0; i < 2; ++i) {
        for (uint32_t f = 0; f < m->frame_count; f = anim_end(m, f)) {
            if (found.x != 0 || found.y != 0 || !has_word(m->anim_names[f], gaits[i])) continue;
            found = heading_in(m, f, anim_end(m, f));
        }
    }
    if (found.x == 0 && found.y == 0) return;

    int quarters = quarter_turns(found);
    if (quarters >= 0) {
        static const double ends[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
        found.x = ends[quarters][0];
        found.y = ends[quarters][1];
    }
    r->axes.x = make_vec3(found.x, found.y, 0);
    r->axes.y = make_vec3(-found.y, found.x, 0);
}

/* -- Heights ----------------------------------------------------------------------------------- */

static void measure_heights(body *y)
{
    uint32_t points = y->m->point_count;
    y->above_ground = (double *)allocate(points, sizeof *y->above_ground);
    for (uint32_t i = 0; i < y->stand_count; ++i) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (uint32_t p = 0; p < points; ++p) {
            double z = at(y, p, y->frames[i]).z;
            low = fmin(low, z);
            high = fmax(high, z);
        }
        y->height += (high - low) / y->stand_count;
        for (uint32_t p = 0; p < points; ++p) {
            y->above_ground[p] += (at(y, p, y->frames[i]).z - low) / y->stand_count;
        }
    }
    y->height = fmax(y->height, 1e-9);
    for (uint32_t p = 0; p < points; ++p) y->above_ground[p] /= y->height;
}

static bool rests_on_ground(const body *y, uint32_t point)
{
    const double on_ground = 0.06;
    return y->above_ground[point] < on_ground;
}

/* From the middle of all points, so that it does not matter where he goes. */
static void find_middles(body *y)
{
    uint32_t frames = y->m->frame_count, points = y->m->point_count;
    vec3    *all = (vec3 *)allocate(frames, sizeof *all);
    y->middles = (vec3 *)allocate((size_t)y->r->bone_count * frames, sizeof *y->middles);
    for (uint32_t p = 0; p < points; ++p) {
        const point_weights *w = &y->r->weights[p];
        for (uint32_t f = 0; f < frames; ++f) {
            all[f] = add(all[f], scaled(at(y, p, f), 1.0 / points));
            for (uint32_t i = 0; i < w->count; ++i) {
                vec3  *own = &y->middles[(size_t)w->bone[i] * frames + f];
                double part = w->weight[i] / y->mass[w->bone[i]];
                *own = add(*own, scaled(at(y, p, f), part));
            }
        }
    }
    for (uint32_t b = 0; b < y->r->bone_count; ++b) {
        vec3 *own = y->middles + (size_t)b * frames;
        for (uint32_t f = 0; f < frames; ++f) own[f] = minus(own[f], all[f]);
        for (uint32_t i = 0; i < y->frame_count; ++i) {
            y->out[b] += own[y->frames[i]].y / y->height / y->frame_count;
        }
        y->level[b] = mean_of(y, b, y->above_ground);
    }
    release(all);
}

/* -- The skin ---------------------------------------------------------------------------------- */

/* Over some of the frames. */
static double mean_distance(const body *y, uint32_t a, uint32_t b)
{
    uint32_t stride = 1 + y->m->frame_count / 32, count = 0;
    double   sum = 0;
    for (uint32_t f = 0; f < y->m->frame_count; f += stride, ++count) {
        sum += length_of(minus(at(y, a, f), at(y, b, f)));
    }
    return sum / count;
}

static void link_edges(body *y)
{
    for (uint32_t i = 0; i < y->m->corner_count; ++i) {
        uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
        uint32_t a = y->m->corners[i], b = y->m->corners[next];
        double   length = mean_distance(y, a, b);
        if (a != b) add_link(&y->skin, a, b, length);
    }
}

/* Joins loose pieces, as eyes and belts are, the nearest first: by all points that are about as
   near to what is joined already. */
static void link_pieces(body *y)
{
    uint32_t points = y->m->point_count;
    double  *ways = (double *)allocate(points, sizeof *ways);
    double  *gaps = (double *)allocate(points, sizeof *gaps);
    bool    *is_joined = (bool *)allocate(points, sizeof *is_joined);
    for (uint32_t p = 0; p < points; ++p) {
        ways[p] = p == 0 ? 0 : HUGE_VAL;
        gaps[p] = HUGE_VAL;
    }
    for (;;) {
        find_ways(&y->skin, ways, NULL);
        uint32_t nearest = NONE;
        for (uint32_t q = 0; q < points; ++q) {
            if (is_joined[q] || !(ways[q] < HUGE_VAL)) continue;
            is_joined[q] = true;
            for (uint32_t p = 0; p < points; ++p) {
                if (!(ways[p] < HUGE_VAL)) gaps[p] = fmin(gaps[p], mean_distance(y, p, q));
            }
        }
        for (uint32_t p = 0; p < points; ++p) {
            bool is_nearer = nearest == NONE || gaps[p] < gaps[nearest];
            if (!is_joined[p] && is_nearer) nearest = p;
        }
        if (nearest == NONE) break;

        /* Several pieces may be as near: they touch each other as well. */
        double about = 1.3 * gaps[nearest] + 0.02 * y->height;
        for (uint32_t p = 0; p < points; ++p) {
            if (is_joined[p] || gaps[p] > about) continue;
            for (uint32_t q = 0; q < points; ++q) {
                bool   is_one = is_joined[q] || (q < p && gaps[q] <= about);
                double gap = is_one ? mean_distance(y, p, q) : HUGE_VAL;
                if (gap <= about) add_link(&y->skin, p, q, gap);
            }
        }
    }
    release(ways);
    release(gaps);
    release(is_joined);
}

/* -- Feet -------------------------------------------------------------------------------------- */

/* The correlation of how far forward two bones are, over some of the frames. */
static double correlation(const body *y, uint32_t a, uint32_t b, uint32_t from, uint32_t to)
{
    double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
    for (uint32_t i = from; i < to; ++i) {
        mean_a += middle(y, a, y->frames[i]).x / (to - from);
        mean_b += middle(y, b, y->frames[i]).x / (to - from);
    }
    for (uint32_t i = from; i < to; ++i) {
        double off_a = middle(y, a, y->frames[i]).x - mean_a;
        double off_b = middle(y, b, y->frames[i]).x - mean_b;
        aa += off_a * off_a;
        bb += off_b * off_b;
        ab += off_a * off_b;
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}

/* In the gait in which they are most in turns: some creatures gallop, but swing their feet in turns
   when they walk. */
static double swing_of(const body *y, uint32_t a, uint32_t b)
{
    double   least = 0;
    uint32_t from = y->stand_count;
    for (int i = 0; i < GAITS; ++i) {
        least = fmin(least, correlation(y, a, b, from, y->gait_ends[i]));
        from = y->gait_ends[i];
    }
    return least;
}

/* The point of a foot's sole that is farthest along the skin from another point; NONE if the bone
   has none on the ground. */
static uint32_t farthest_of_sole(const body *y, uint32_t foot, const double *ways)
{
    uint32_t best = NONE;
    for (uint32_t p = 0; p < y->m->point_count; ++p) {
        if (lead_of(y, p) != foot || !rests_on_ground(y, p)) continue;
        if (best == NONE || ways[p] > ways[best]) best = p;
    }
    return best;
}

/* Of the bones that rest on the ground, the two that are far apart on the skin and swing against
   each other. */
static bool choose_feet(body *y)
{
    uint32_t points = y->m->point_count, sizes[MOST_BONES] = { 0 };
    double  *ways = (double *)allocate(points, sizeof *ways), best = -HUGE_VAL;
    for (uint32_t p = 0; p < points; ++p) sizes[lead_of(y, p)] += rests_on_ground(y, p);
    for (uint32_t a = 0; a < y->r->bone_count; ++a) {
        if (sizes[a] == 0) continue;
        ways_over_skin(y, farthest_of_sole(y, a, y->above_ground), ways);
        for (uint32_t b = 0; b < a; ++b) {
            if (sizes[b] == 0) continue;
            double way = ways[farthest_of_sole(y, b, ways)] / y->height;
            double swing = swing_of(y, a, b), size = fmin(sizes[a], sizes[b]);
            double score = 0.5 * way - swing + 0.3 * fmin(1, size / 4);
            if (!(score > best)) continue;
            best = score;
            y->feet[LEFT] = y->out[a] > y->out[b] ? a : b;
            y->feet[RIGHT] = y->out[a] > y->out[b] ? b : a;
            y->swing = swing;
        }
    }
    release(ways);
    return best > -HUGE_VAL;
}

/* From the tips of the feet: the points of their soles that are farthest from each other. */
static void measure_sides(body *y)
{
    uint32_t points = y->m->point_count;
    double  *sides = (double *)allocate(points, sizeof *sides);
    for (int k = LEFT; k <= RIGHT; ++k) y->to_feet[k] = (double *)allocate(points, sizeof *sides);
    double  *left = y->to_feet[LEFT], *right = y->to_feet[RIGHT];
    uint32_t tip = farthest_of_sole(y, y->feet[LEFT], y->above_ground);
    ways_over_skin(y, tip, left);
    tip = farthest_of_sole(y, y->feet[RIGHT], left);
    ways_over_skin(y, tip, right);
    tip = farthest_of_sole(y, y->feet[LEFT], right);
    ways_over_skin(y, tip, left);

    double apart = fmax(right[tip], 1e-9);
    for (uint32_t p = 0; p < points; ++p) sides[p] = (right[p] - left[p]) / apart;
    for (uint32_t b = 0; b < y->r->bone_count; ++b) y->side[b] = mean_of(y, b, sides);
    release(sides);
}

/* -- Ways between bones ------------------------------------------------------------------------ */

static double distance_of_middles(const body *y, uint32_t a, uint32_t b)
{
    double sum = 0;
    for (uint32_t f = 0; f < y->m->frame_count; ++f) {
        sum += length_of(minus(middle(y, a, f), middle(y, b, f)));
    }
    return sum / y->m->frame_count;
}

/* Those that touch. A joint at which both bones disagree makes a way longer, which keeps a hand in
   the pocket from being a way to the thigh. */
static void link_bones(body *y)
{
    uint32_t count = y->r->bone_count;
    bool    *touches = (bool *)allocate(MOST_BONES * MOST_BONES, sizeof *touches);
    for (uint32_t i = 0; i < y->skin.count; ++i) {
        uint32_t a = lead_of(y, y->skin.links[i].a), b = lead_of(y, y->skin.links[i].b);
        touches[a * MOST_BONES + b] = touches[b * MOST_BONES + a] = true;
    }

    for (uint32_t a = 0; a < count; ++a) {
        for (uint32_t b = 0; b < a; ++b) {
            if (!touches[a * MOST_BONES + b]) continue;
            pair_joint joint = find_pair_joint(y->m, y->r, a, b);
            if (!joint.is_there) continue;
            add_link(&y->bones, a, b,
                     distance_of_middles(y, a, b) + 4 * joint.misfit + joint.gap);
        }
    }
    release(touches);
}

/* -- Head, trunk and legs ---------------------------------------------------------------------- */

static bool is_in_middle(const body *y, uint32_t bone)
{
    const double middle = 0.13;
    return fabs(y->side[bone]) < middle;
}

/* High, in the middle, and no plume. */
static bool find_head(body *y)
{
    const double least_mass = 0.02, usual_mass = 0.05, least_level = 0.6;
    double       best = -HUGE_VAL;
    for (uint32_t b = 0; b < y->r->bone_count; ++b) {
        double mass = y->mass[b] / y->m->point_count;
        double score = y->level[b] - fabs(y->side[b]) + 2 * fmin(mass, usual_mass);
        if (mass < least_mass || y->level[b] < least_level || !is_in_middle(y, b)) continue;
        if (!(score > best)) continue;
        best = score;
        y->head = b;
    }
    return best > -HUGE_VAL;
}

/* The hips are where the ways from the head and from both feet meet: of the bones in the middle,
   that which is nearest to all three. */
static uint32_t find_hips(const body *y)
{
    const uint32_t ends[3] = { y->head, y->feet[LEFT], y->feet[RIGHT] };
    double         sums[MOST_BONES] = { 0 }, ways[MOST_BONES];
    uint32_t       before[MOST_BONES], best = y->head;
    for (int i = 0; i < 3; ++i) {
        bone_list end = { 1, { ends[i] } };
        ways_over_bones(y, &end, ways, before);
        for (uint32_t b = 0; b < y->r->bone_count; ++b) sums[b] += ways[b];
    }
    for (uint32_t b = 0; b < y->r->bone_count; ++b) {
        if (is_in_middle(y, b) && sums[b] < sums[best]) best = b;
    }
    return best;
}

/* False if trunk and legs are not three ways of some bones each. */
static bool find_trunk(body *y)
{
    bone_list hips = { 1, { find_hips(y) } };
    double    ways[MOST_BONES];
    uint32_t  before[MOST_BONES];
    ways_over_bones(y, &hips, ways, before);
    y->trunk = way_to(before, y->head);
    for (int k = LEFT; k <= RIGHT; ++k) {
        limb *leg = &y->legs[k];
        leg->chain = way_to(before, y->feet[k]);
        leg->root = take_first(&leg->chain);
    }
    const bone_list *left = &y->legs[LEFT].chain, *right = &y->legs[RIGHT].chain;
    if (y->trunk.count < 2 || left->count < 2 || right->count < 2) return false;
    return left->bone[0] != right->bone[0] && !holds(&y->trunk, left->bone[0]) &&
           !holds(&y->trunk, right->bone[0]);
}

/* -- Limbs ------------------------------------------------------------------------------------- */

/* How much `b` turns against `a`: about the root mean square of the angle from the mean turn, in
   radians. The mean of matrices is the smaller, the more they differ. */
static double turning(const body *y, uint32_t a, uint32_t b)
{
    uint32_t    frames = y->m->frame_count;
    const rigid_transform *first = transforms_of(y->m, y->r, a);
    const rigid_transform *second = transforms_of(y->m, y->r, b);
    mat3        sum = diagonal(0);
    for (uint32_t f = 0; f < frames; ++f) {
        sum = add_mat3(sum, transposed_times(first[f].rotation, second[f].rotation));
    }
    double squares = dot(sum.x, sum.x) + dot(sum.y, sum.y) + dot(sum.z, sum.z);
    return sqrt(fmax(0, 3 - squares / ((double)frames * frames)) / 2);
}

/* Along the joints at rest, as each bone keeps its length; on to the point that is farthest from
   the last. */
static void measure_limb(const body *y, limb *l)
{
    uint32_t count = l->chain.count;
    vec3     joints[MOST_BONES];
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t above = i == 0 ? l->root : l->chain.bone[i - 1];
        joints[i] = find_pair_joint(y->m, y->r, above, l->chain.bone[i]).position;
        l->turns[i] = turning(y, above, l->chain.bone[i]);
    }
    double length = 0;
    l->to_tip[count] = 0;
    for (uint32_t p = 0; p < y->m->point_count; ++p) {
        if (lead_of(y, p) != l->chain.bone[count - 1]) continue;
        length = fmax(length, length_of(minus(y->r->rest[p], joints[count - 1])));
    }
    for (uint32_t i = count; i-- > 0;) {
        l->to_tip[i] = length / y->height;
        if (i > 0) length += length_of(minus(joints[i], joints[i - 1]));
    }

    l->first_on_ground = count;
    for (uint32_t p = 0; p < y->m->point_count; ++p) {
        uint32_t i = place_in(&l->chain, lead_of(y, p));
        if (rests_on_ground(y, p) && i < l->first_on_ground) l->first_on_ground = i;
    }
}

/* -- Arms -------------------------------------------------------------------------------------- */

/* The bone that has most of the skin around a tip. */
static uint32_t bone_at_tip(const body *y, const double *ways)
{
    const double within = 0.08;
    double       masses[MOST_BONES] = { 0 };
    uint32_t     best = 0;
    for (uint32_t p = 0; p < y->m->point_count; ++p) {
        const point_weights *w = &y->r->weights[p];
        if (!(ways[p] < within * y->height)) continue;
        for (uint32_t i = 0; i < w->count; ++i) masses[w->bone[i]] += w->weight[i];
    }
    for (uint32_t b = 1; b < y->r->bone_count; ++b) {
        if (masses[b] > masses[best]) best = b;
    }
    return best;
}

/* The bones at the points that are farthest from the feet and from each other. */
static bone_list find_tips(const body *y)
{
    uint32_t  points = y->m->point_count;
    double   *ways = (double *)allocate(points, sizeof *ways);
    double   *nearest = (double *)allocate(points, sizeof *nearest);
    bone_list tips = { 0, { 0 } };
    for (uint32_t p = 0; p < points; ++p) {
        nearest[p] = fmin(y->to_feet[LEFT][p], y->to_feet[RIGHT][p]);
    }
    for (int i = 0; i < MOST_TIPS; ++i) {
        uint32_t tip = 0;
        for (uint32_t p = 1; p < points; ++p) {
            if (nearest[p] > nearest[tip]) tip = p;
        }
        ways_over_skin(y, tip, ways);
        append_bone(&tips, bone_at_tip(y, ways));
        for (uint32_t p = 0; p < points; ++p) nearest[p] = fmin(nearest[p], ways[p]);
    }
    release(ways);
    release(nearest);
    return tips;
}

/* How many bones two arms have in common: those belong to the chest. */
static uint32_t count_shared(const limb *a, const limb *b)
{
    uint32_t i = 0;
    while (i < a->chain.count && i < b->chain.count && a->chain.bone[i] == b->chain.bone[i]) ++i;
    return i;
}

/* By how far it reaches and how much it bends; a wing is behind. */
static double score_arm(const body *y, const limb *arm, uint32_t shared)
{
    const double usual_behind = 0.08;
    uint32_t     tip = arm->chain.bone[arm->chain.count - 1];
    double       turns = 0, behind = 0;
    for (uint32_t i = 0; i < y->frame_count; ++i) {
        uint32_t f = y->frames[i];
        behind += (middle(y, arm->root, f).x - middle(y, tip, f).x) / y->frame_count / y->height;
    }
    for (uint32_t i = shared; i < arm->chain.count; ++i) turns += arm->turns[i];
    return arm->to_tip[shared] + 0.1 * turns - 4 * fmax(0, behind - usual_behind);
}

/* How well two would do as the left and the right arm: by the worse of both, and they are alike. */
static double score_arms(const body *y, const limb *left, const limb *right)
{
    uint32_t shared = count_shared(left, right);
    if (shared == left->chain.count || shared == right->chain.count) return -HUGE_VAL;

    bool are_sides = y->out[left->chain.bone[shared]] > y->out[right->chain.bone[shared]];
    if (!are_sides) return -HUGE_VAL;

    double reach = left->to_tip[shared], other = right->to_tip[shared];
    double unlike = 1 - fmin(reach, other) / fmax(reach, other);
    return fmin(score_arm(y, left, shared), score_arm(y, right, shared)) - unlike;
}

static void give_to_chest(body *y, uint32_t shared)
{
    limb *left = &y->arms[LEFT], *right = &y->arms[RIGHT];
    for (uint32_t i = 0; i < shared; ++i) {
        uint32_t above = place_in(&y->trunk, left->root) + 1;
        if (above == y->trunk.count) --above; /* the head stays its end */
        insert_bone(&y->trunk, above, left->chain.bone[0]);
        left->root = take_first(&left->chain);
        right->root = take_first(&right->chain);
    }
    measure_limb(y, left);
    measure_limb(y, right);
}

static void find_arms(body *y)
{
    limb      list[MOST_TIPS];
    uint32_t  count = 0, before[MOST_BONES];
    double    ways[MOST_BONES], best = -HUGE_VAL;
    bone_list tips = find_tips(y), rest = y->trunk;
    for (int k = LEFT; k <= RIGHT; ++k) {
        const bone_list *leg = &y->legs[k].chain;
        for (uint32_t i = 0; i < leg->count; ++i) append_bone(&rest, leg->bone[i]);
    }
    ways_over_bones(y, &rest, ways, before);
    for (uint32_t i = 0; i < tips.count; ++i) {
        limb *arm = &list[count];
        memset(arm, 0, sizeof *arm);
        arm->chain = way_to(before, tips.bone[i]);
        arm->root = take_first(&arm->chain);
        if (arm->chain.count == 0 || !holds(&y->trunk, arm->root)) continue;
        measure_limb(y, arm);
        ++count;
    }

    for (uint32_t a = 0; a < count; ++a) {
        for (uint32_t b = 0; b < count; ++b) {
            double score = score_arms(y, &list[a], &list[b]);
            if (!(score > best)) continue;
            best = score;
            y->arms[LEFT] = list[a];
            y->arms[RIGHT] = list[b];
            y->has_arms = true;
        }
    }
    if (y->has_arms) give_to_chest(y, count_shared(&y->arms[LEFT], &y->arms[RIGHT]));
}

/* -- What is sure ------------------------------------------------------------------------------ */

/* How far the head is before the hips, in parts of how far it is above them. */
static double lean(const body *y)
{
    vec3 sum = make_vec3(0, 0, 0);
    for (uint32_t i = 0; i < y->stand_count; ++i) {
        uint32_t f = y->frames[i];
        sum = add(sum, minus(middle(y, y->head, f), middle(y, y->trunk.bone[0], f)));
    }
    return sqrt(sum.x * sum.x + sum.y * sum.y) / fmax(sum.z, 1e-9);
}

/* The bones of a leg go down, or nearly, and from above: the hem of a robe is no leg. */
static bool goes_down(const body *y, const bone_list *leg)
{
    const double least_level = 0.12;
    if (y->level[leg->bone[0]] < least_level) return false;
    for (uint32_t i = 1; i < leg->count; ++i) {
        if (!(y->level[leg->bone[i]] < y->level[leg->bone[i - 1]] + 0.03)) return false;
    }
    return true;
}

/* He walks, and upright: a cat, of whose four legs two were found, does not. */
static bool are_legs_sure(const body *y)
{
    const double most_swing = -0.5, most_lean = 1.7;
    return y->swing <= most_swing && lean(y) <= most_lean &&
           goes_down(y, &y->legs[LEFT].chain) && goes_down(y, &y->legs[RIGHT].chain);
}

/* Each shoulder is on its own side of the chest. */
static bool are_arms_sure(const body *y)
{
    const double apart = 0.01;
    const limb  *left = &y->arms[LEFT], *right = &y->arms[RIGHT];
    double       left_out = y->out[left->chain.bone[0]] - y->out[left->root];
    double       right_out = y->out[right->chain.bone[0]] - y->out[right->root];
    return left_out > apart && right_out < -apart;
}

/* -- Joints of limbs --------------------------------------------------------------------------- */

typedef struct limb_rule {
    const char *names[LIMB_PARTS];
    double      last_joint;           /* in parts of the limb */
    bool        stands;               /* on its last part */
} limb_rule;

typedef struct cut {                  /* which bones begin the parts; the count, if none does */
    uint32_t first, middle, end;
} cut;

static double cost_of_way(double way)
{
    const double usual = 0.1;
    return way * way / (2 * usual * usual);
}

/* Of the joint above a bone, in a limb of this length. */
static double place_of(const limb *l, uint32_t i, double length)
{
    return 1 - l->to_tip[i] / length;
}

/* How well the joint above a bone would do at a place. */
static double score_joint(const limb *l, uint32_t i, double length, double place)
{
    return log(l->turns[i] + 0.03) - cost_of_way(place_of(l, i, length) - place);
}

/* Chooses the first joint for the other two; HUGE_VAL, negative, if those cannot be. */
static double score_cut(const limb *l, const limb_rule *rule, double length, cut *c)
{
    const double middle_joint = 0.42, lacks_middle = -7, lacks_end = -5;
    const double most_off = 0.2, least_turn = 0.2;
    uint32_t     count = l->chain.count;
    double       first = -HUGE_VAL, middle = lacks_middle, end = lacks_end;
    for (uint32_t i = 0; i < c->middle; ++i) {
        double here = score_joint(l, i, length, 0);
        if (l->turns[i] < least_turn || !(here > first)) continue;
        first = here;
        c->first = i;
    }
    if (c->middle < count) middle = score_joint(l, c->middle, length, middle_joint);

    /* What rests on the ground is a foot, wherever its joint is. */
    if (rule->stands && c->end == l->first_on_ground && c->end < count) {
        end = log(l->turns[c->end] + 0.03);
    } else if (c->end < count) {
        if (fabs(place_of(l, c->end, length) - rule->last_joint) > most_off) return -HUGE_VAL;
        end = score_joint(l, c->end, length, rule->last_joint);
    }

    /* A limb may begin before its first joint, as with a shoulder blade. */
    return first + middle + end - cost_of_way(fmin(0, place_of(l, 0, length)) / 2);
}

/* What speaks against two cuts being the same: knees or elbows that are differently far from the
   tips, shins or forearms that are differently long (a tip may be a fist or a finger). */
static double unlikeness(const limb *left, cut a, const limb *right, cut b, double length)
{
    double far = left->to_tip[a.middle], other_far = right->to_tip[b.middle];
    double part = far - left->to_tip[a.end], other_part = other_far - right->to_tip[b.end];
    return cost_of_way((far - other_far) / length) + cost_of_way((part - other_part) / length);
}

/* The next cut of a limb of so many bones: a part is empty only if none follows. False after the
   last one. */
static bool next_cut(cut *c, uint32_t count)
{
    if (c->end < count) {
        ++c->end;
        return true;
    }
    ++c->middle;
    c->end = c->middle < count ? c->middle + 1 : count;
    return c->middle <= count;
}

/* Both limbs have one length, from one of the joints of either, and are cut alike. */
static void cut_limbs(const limb limbs[2], const limb_rule *rule, cut best[2])
{
    const limb *left = &limbs[LEFT], *right = &limbs[RIGHT];
    uint32_t    lefts = left->chain.count, rights = right->chain.count;
    double      most = -HUGE_VAL;
    best[LEFT].middle = best[LEFT].end = lefts;
    best[RIGHT].middle = best[RIGHT].end = rights;
    best[LEFT].first = best[RIGHT].first = 0;
    for (uint32_t i = 0; i < lefts + rights; ++i) {
        double length = i < lefts ? left->to_tip[i] : right->to_tip[i - lefts];
        for (cut a = { 0, 0, lefts }; next_cut(&a, lefts);) {
            double one = score_cut(left, rule, length, &a);
            for (cut b = { 0, 0, rights }; one > -HUGE_VAL && next_cut(&b, rights);) {
                double score = one + score_cut(right, rule, length, &b) -
                               unlikeness(left, a, right, b, length);
                if (!(score > most)) continue;
                most = score;
                best[LEFT] = a;
                best[RIGHT] = b;
            }
        }
    }
}

/* -- Names ------------------------------------------------------------------------------------- */

static bool is_taken(const rig *r, uint32_t bone)
{
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (b != bone && strcmp(r->names[b], r->names[bone]) == 0) return true;
    }
    return false;
}

/* The first of several that are called so has no number. */
static void set_name(body *y, uint32_t bone, const char *name, const char *side)
{
    char *out = y->r->names[bone];
    snprintf(out, BONE_NAME_ROOM, "%s%s", name, side);
    for (unsigned number = 2; is_taken(y->r, bone); ++number) {
        snprintf(out, BONE_NAME_ROOM, "%s%s.%u", name, side, number);
    }
}

/* A part of a chain; the main bone of it is named first. */
static void name_part(body *y, const bone_list *chain, uint32_t from, uint32_t to, uint32_t main,
                      const char *name, const char *side)
{
    if (main < to) set_name(y, chain->bone[main], name, side);
    for (uint32_t i = from; i < to; ++i) {
        if (i != main) set_name(y, chain->bone[i], name, side);
    }
}

static void name_limbs(body *y, const limb limbs[2], const limb_rule *rule)
{
    static const char *const sides[2] = { "_l", "_r" };
    cut                      cuts[2];
    cut_limbs(limbs, rule, cuts);
    for (int k = LEFT; k <= RIGHT; ++k) {
        const bone_list *chain = &limbs[k].chain;
        cut              c = cuts[k];
        name_part(y, chain, 0, c.middle, c.first, rule->names[0], sides[k]);
        name_part(y, chain, c.middle, c.end, c.middle, rule->names[1], sides[k]);
        name_part(y, chain, c.end, chain->count, c.end, rule->names[2], sides[k]);
    }
}

/* The chest carries the arms; the head is the first bone above it that is not light beside the
   others. */
static void name_trunk(body *y)
{
    uint32_t count = y->trunk.count, chest = count - 1, above = count - 1;
    double   most = 0;
    if (y->has_arms) {
        uint32_t a = place_in(&y->trunk, y->arms[LEFT].root);
        uint32_t b = place_in(&y->trunk, y->arms[RIGHT].root);
        chest = a < b ? a : b;
        above = (a < b ? b : a) + 1;
    }
    if (chest == 0) chest = 1;
    for (uint32_t i = above; i < count; ++i) most = fmax(most, y->mass[y->trunk.bone[i]]);
    uint32_t head = above;
    while (head < count && y->mass[y->trunk.bone[head]] < 0.5 * most) ++head;

    name_part(y, &y->trunk, 0, 1, 0, "hips", "");
    name_part(y, &y->trunk, 1, chest, 1, "spine", "");
    name_part(y, &y->trunk, chest, above, chest, "chest", "");
    name_part(y, &y->trunk, above, head, above, "neck", "");
    name_part(y, &y->trunk, head, count, head, "head", "");
}

/* A bone that has no name yet gets that of the named one that it follows, and hangs on what is
   before it. */
static void name_helpers(body *y)
{
    bone_list named = { 0, { 0 } };
    double    ways[MOST_BONES];
    uint32_t  before[MOST_BONES];
    for (uint32_t b = 0; b < y->r->bone_count; ++b) {
        if (y->r->names[b][0]) append_bone(&named, b);
    }
    ways_over_bones(y, &named, ways, before);
    for (uint32_t b = 0; b < y->r->bone_count; ++b) {
        if (before[b] == NONE) continue;
        y->r->parents[b] = (int32_t)before[b];

        char stem[BONE_NAME_ROOM];
        snprintf(stem, sizeof stem, "%s", y->r->names[way_to(before, b).bone[0]]);
        stem[strcspn(stem, ".")] = 0;
        set_name(y, b, stem, "");
    }
}

/* -- All --------------------------------------------------------------------------------------- */

static void hang_chain(body *y, const bone_list *chain, int32_t root)
{
    for (uint32_t i = 0; i < chain->count; ++i) {
        y->r->parents[chain->bone[i]] = i == 0 ? root : (int32_t)chain->bone[i - 1];
    }
}

static bool find_body(body *y)
{
    find_frames(y);
    measure_heights(y);
    find_middles(y);
    link_edges(y);
    link_pieces(y);
    if (!choose_feet(y)) return false;
    measure_sides(y);
    link_bones(y);
    if (!find_head(y) || !find_trunk(y)) return false;
    for (int k = LEFT; k <= RIGHT; ++k) measure_limb(y, &y->legs[k]);
    if (!are_legs_sure(y)) return false;
    find_arms(y);
    y->has_arms = y->has_arms && are_arms_sure(y);
    return true;
}

static void name_body(body *y)
{
    static const limb_rule leg_rule = { { "thigh", "shin", "foot" }, 0.82, true };
    static const limb_rule arm_rule = { { "upper_arm", "forearm", "hand" }, 0.75, false };
    hang_chain(y, &y->trunk, -1);
    for (int k = LEFT; k <= RIGHT; ++k) {
        hang_chain(y, &y->legs[k].chain, (int32_t)y->legs[k].root);
        if (y->has_arms) hang_chain(y, &y->arms[k].chain, (int32_t)y->arms[k].root);
    }
    name_limbs(y, y->legs, &leg_rule);
    if (y->has_arms) name_limbs(y, y->arms, &arm_rule);
    name_trunk(y);
    name_helpers(y);
}

void name_bones(const motion *m, rig *r)
{
    for (uint32_t b = 0; b < r->bone_count; ++b) r->parents[b] = NO_PARENT_YET;
    memset(r->names, 0, sizeof r->names);
    find_axes(m, r);
    if (m->point_count > MOST_NAMED_POINTS || r->bone_count < 6) return;

    body *y = (body *)allocate(1, sizeof *y);
    y->m = m;
    y->r = r;
    for (uint32_t b = 0; b < r->bone_count; ++b) y->mass[b] = mass_of(m, r, b);
    if (find_body(y)) name_body(y);
    release(y->frames);
    release(y->above_ground);
    release(y->middles);
    release(y->skin.links);
    release(y->bones.links);
    release(y->to_feet[LEFT]);
    release(y->to_feet[RIGHT]);
    release(y);
}
