/* hang_bones.c - the tree of bones, and how it moves. Public domain.

   The fit has left bones that know nothing of each other. Two that meet at an elbow carry one point
   of it to the same place in all frames, nearly; that is their joint, and how far apart they carry
   it is its misfit. The tree is that of least misfit. Heavy bones make it and light ones are its
   leaves, as a light bone fits anything. Where names say what is what, they say what hangs on what.

   A bone that keeps to its joint has a turn in each frame, and no more; one that slides has a place
   of its own, too. At first all slide, which is what the fit has found. Then, for each joint, the
   equations below tell what closing it would cost; those that cost less than their three numbers a
   frame are worth are closed, a few at a time, the cheapest first. What is drawn by hand and not
   hinged, a shoulder, a cape, keeps sliding.

   After each closing all frames are fitted anew. The squared error of a frame depends on all turns
   and places at once, so they are changed together (Gauss-Newton, damped after Levenberg and
   Marquardt): a small turn of a bone moves a point across the arm from the joint, and what hangs
   on the bone goes along. Few bones share points, and with children numbered before parents the
   equations stay as sparse as the tree. In between, joints, weights and points at rest find their
   best places for the moves that there are; each of these is linear.

   At last a spring ties each bone's turn against its parent to that in the frames before and
   after. It is so weak that only what the points leave open gives way: the roll of a finger that
   is three points thin. */
#include "bones.h"
#include "convert.h"

#include <stdlib.h>
#include <string.h>

/* -- Joints of pairs --------------------------------------------------------------------------- */

typedef struct close_pair {
    double   distance;
    uint32_t a, b;
} close_pair;

/* Where the points of two bones that share none come nearest to each other: the middle of the six
   nearest pairs. False if one of them has no points. */
static bool find_meeting(const motion *m, const rig *r, uint32_t a, uint32_t b, vec3 *middle,
                         double *gap)
{
    enum { PAIRS = 6 };
    const double led = 0.3;           /* a point of the bone's own has as much weight */
    close_pair   best[PAIRS];
    uint32_t     count = 0;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        if (r->weights[p].bone[0] != a || r->weights[p].weight[0] < led) continue;
        for (uint32_t q = 0; q < m->point_count; ++q) {
            if (r->weights[q].bone[0] != b || r->weights[q].weight[0] < led) continue;
            close_pair pair = { length_of(minus(r->rest[p], r->rest[q])), p, q };
            if (count == PAIRS && pair.distance >= best[PAIRS - 1].distance) continue;

            uint32_t at = count < PAIRS ? count++ : PAIRS - 1;
            for (; at > 0 && best[at - 1].distance > pair.distance; --at) best[at] = best[at - 1];
            best[at] = pair;
        }
    }
    if (count == 0) return false;

    *gap = best[0].distance;
    *middle = make_vec3(0, 0, 0);
    for (uint32_t i = 0; i < count; ++i) {
        *middle = add(*middle, add(r->rest[best[i].a], r->rest[best[i].b]));
    }
    *middle = scaled(*middle, 0.5 / count);
    return true;
}

/* The place that both carry to the same one, drawn a little to where they meet: an elbow turns
   about one axis, and all of that would do. */
pair_joint find_pair_joint(const motion *m, const rig *r, uint32_t a, uint32_t b)
{
    const double draw = 0.035;
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
    else if (!find_meeting(m, r, a, b, &meeting, &joint.gap)) return joint;

    const move *first = r->moves + (size_t)a * m->frame_count;
    const move *second = r->moves + (size_t)b * m->frame_count;
    mat3        squares = diagonal(0);
    vec3        sums = make_vec3(0, 0, 0);
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        mat3 turn = minus_mat3(first[f].turn, second[f].turn);
        vec3 shift = minus(first[f].shift, second[f].shift);
        squares = add_mat3(squares, transposed_times(turn, turn));
        sums = minus(sums, turned_back(turn, shift));
    }
    squares = add_mat3(squares, diagonal(draw * m->frame_count));
    sums = add(sums, scaled(meeting, draw * m->frame_count));
    joint.place = solve3(squares, sums);

    double misfit = 0;
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        vec3 off = add(turned(minus_mat3(first[f].turn, second[f].turn), joint.place),
                       minus(first[f].shift, second[f].shift));
        misfit += dot(off, off);
    }
    joint.misfit = sqrt(misfit / m->frame_count);
    joint.away = length_of(minus(joint.place, meeting));
    joint.is_there = true;
    return joint;
}

/* -- Parents ----------------------------------------------------------------------------------- */

static double cost_of(const pair_joint *joint)
{
    if (!joint->is_there) return HUGE_VAL;
    return joint->misfit + 0.25 * joint->away + 0.5 * joint->gap;
}

/* Links bones, one after the other, by the cheapest joint to one that is linked: the heavy ones,
   or, once these are, the light ones as leaves of them. */
static void link_bones(const rig *r, const double *costs, bool *is_linked, const bool *is_heavy,
                       bool links_light, bool *links)
{
    for (;;) {
        uint32_t from = 0, to = UINT32_MAX;
        double   least = HUGE_VAL;
        for (uint32_t a = 0; a < r->bone_count; ++a) {
            bool holds = is_linked[a] && (is_heavy[a] || !links_light);
            for (uint32_t b = 0; b < r->bone_count && holds; ++b) {
                if (is_linked[b] || (!links_light && !is_heavy[b])) continue;
                double cost = costs[a * MOST_BONES + b];
                if (to != UINT32_MAX && !(cost < least)) continue;
                least = cost;
                from = a;
                to = b;
            }
        }
        if (to == UINT32_MAX) return;
        links[from * MOST_BONES + to] = links[to * MOST_BONES + from] = true;
        is_linked[to] = true;
    }
}

static double mass_behind(const rig *r, const bool *links, const double *masses, uint32_t bone,
                          uint32_t from)
{
    double sum = masses[bone];
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (b == from || !links[bone * MOST_BONES + b]) continue;
        sum += mass_behind(r, links, masses, b, bone);
    }
    return sum;
}

/* The bone whose heaviest branch is lightest: the middle of the body. */
static uint32_t find_middle(const rig *r, const bool *links, const double *masses,
                            const bool *is_heavy)
{
    uint32_t root = 0;
    double   least = HUGE_VAL;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        double heaviest = 0;
        if (!is_heavy[b]) continue;
        for (uint32_t k = 0; k < r->bone_count; ++k) {
            if (!links[b * MOST_BONES + k]) continue;
            heaviest = fmax(heaviest, mass_behind(r, links, masses, k, b));
        }
        if (!(heaviest < least)) continue;
        least = heaviest;
        root = b;
    }
    return root;
}

static void set_parents(rig *r, const bool *links, uint32_t bone, int32_t parent)
{
    r->parents[bone] = parent;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if ((int32_t)b != parent && links[bone * MOST_BONES + b]) {
            set_parents(r, links, b, (int32_t)bone);
        }
    }
}

static uint32_t depth_of(const rig *r, uint32_t bone)
{
    uint32_t depth = 0;
    for (; r->parents[bone] >= 0; bone = (uint32_t)r->parents[bone]) ++depth;
    return depth;
}

static uint32_t meeting_of(const rig *r, uint32_t a, uint32_t b)
{
    uint32_t a_depth = depth_of(r, a), b_depth = depth_of(r, b);
    for (; a_depth > b_depth; --a_depth) a = (uint32_t)r->parents[a];
    for (; b_depth > a_depth; --b_depth) b = (uint32_t)r->parents[b];
    while (a != b) {
        a = (uint32_t)r->parents[a];
        b = (uint32_t)r->parents[b];
    }
    return a;
}

/* Where the ways down to all feet part; the bone itself if there are no two. A foot is a leaf near
   to the ground. */
static uint32_t find_hips(const motion *m, const rig *r, const bool *links, const double *masses,
                          uint32_t root)
{
    const double on_ground = 0.12;
    double       low = HUGE_VAL, high = -HUGE_VAL, lowest[MOST_BONES];
    for (uint32_t b = 0; b < r->bone_count; ++b) lowest[b] = HUGE_VAL;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        double z = r->rest[p].z;
        low = fmin(low, z);
        high = fmax(high, z);
        lowest[r->weights[p].bone[0]] = fmin(lowest[r->weights[p].bone[0]], z);
    }

    uint32_t hips = root, feet = 0;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        uint32_t neighbour_count = 0;
        for (uint32_t k = 0; k < r->bone_count; ++k) {
            if (links[b * MOST_BONES + k]) ++neighbour_count;
        }
        bool is_foot = neighbour_count == 1 && masses[b] > 2 &&
                       lowest[b] < low + on_ground * (high - low);
        if (!is_foot) continue;
        hips = feet == 0 ? b : meeting_of(r, hips, b);
        ++feet;
    }
    return feet >= 2 ? hips : root;
}

static void choose_parents(const motion *m, rig *r, const double *costs)
{
    bool   links[MOST_BONES * MOST_BONES] = { false }, is_linked[MOST_BONES] = { false };
    bool   is_heavy[MOST_BONES], is_named = false;
    double masses[MOST_BONES];
    double light = fmax(3, 0.2 * m->point_count / r->bone_count);
    uint32_t heaviest = 0;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        masses[b] = mass_of(m, r, b);
        is_heavy[b] = masses[b] >= light;
        if (masses[b] > masses[heaviest]) heaviest = b;
        if (r->parents[b] == NO_PARENT_YET) continue;
        is_named = is_linked[b] = true;
        if (r->parents[b] < 0) continue;
        uint32_t parent = (uint32_t)r->parents[b];
        links[b * MOST_BONES + parent] = links[parent * MOST_BONES + b] = true;
    }
    is_heavy[heaviest] = true;

    uint32_t root = heaviest;
    if (!is_named) is_linked[heaviest] = true;
    link_bones(r, costs, is_linked, is_heavy, false, links);
    link_bones(r, costs, is_linked, is_heavy, true, links);
    if (is_named) {
        for (uint32_t b = 0; b < r->bone_count; ++b) root = r->parents[b] == -1 ? b : root;
    } else {
        root = find_middle(r, links, masses, is_heavy);
        set_parents(r, links, root, -1);
        root = find_hips(m, r, links, masses, root);
    }
    set_parents(r, links, root, -1);
}

/* Numbers the bones so that each comes before all that hangs on it, and branches stay together. */
static void sort_bones(const motion *m, rig *r)
{
    uint32_t order[MOST_BONES], numbers[MOST_BONES], stack[MOST_BONES], depth = 0, count = 0;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (r->parents[b] < 0) stack[depth++] = b;
    }
    while (depth > 0) {
        uint32_t bone = stack[--depth];
        numbers[bone] = count;
        order[count++] = bone;
        for (uint32_t b = r->bone_count; b-- > 0;) {
            if (r->parents[b] == (int32_t)bone) stack[depth++] = b;
        }
    }

    rig   old = *r;
    move *moves = (move *)allocate((size_t)MOST_BONES * m->frame_count, sizeof *moves);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t b = order[i];
        r->parents[i] = old.parents[b] < 0 ? -1 : (int32_t)numbers[old.parents[b]];
        memcpy(r->names[i], old.names[b], sizeof r->names[i]);
        memcpy(moves + (size_t)i * m->frame_count, r->moves + (size_t)b * m->frame_count,
               m->frame_count * sizeof *moves);
    }
    release(r->moves);
    r->moves = moves;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        point_weights *w = &r->weights[p];
        for (uint32_t i = 0; i < w->count; ++i) w->bone[i] = numbers[w->bone[i]];
    }
}

/* -- Levers ------------------------------------------------------------------------------------ */

typedef struct lever {                /* how a bone moves a point */
    uint32_t bone;
    vec3     arm;                     /* by a turn: turn * arm, in the axes of the rest */
    double   part;                    /* of the way that the bone's joint goes, if it slides */
} lever;

enum { MOST_LEVERS = MOST_BONES };

static lever *find_lever(lever *list, uint32_t *count, uint32_t bone)
{
    for (uint32_t i = 0; i < *count; ++i) {
        if (list[i].bone == bone) return &list[i];
    }
    lever *added = &list[(*count)++];
    memset(added, 0, sizeof *added);
    added->bone = bone;
    return added;
}

/* Adds those of a point that a bone carries, at `place` of the rest: its own arm goes from the
   joint to the point, and each bone above, as far as joints are closed, reaches from its own joint
   to the next. */
static void add_levers(const rig *r, uint32_t bone, vec3 place, double weight, lever *list,
                       uint32_t *count)
{
    vec3 end = place;
    for (;;) {
        lever *l = find_lever(list, count, bone);
        l->arm = add(l->arm, scaled(minus(end, r->joints[bone]), weight));
        if (r->slides[bone]) {
            l->part += weight;
            return;
        }
        end = r->joints[bone];
        bone = (uint32_t)r->parents[bone];
    }
}

typedef struct pair_sums {            /* over all points, of the levers of two bones */
    bool   is_used;
    mat3   arms;                      /* arm of the first * arm of the second ^T */
    vec3   first_arm, second_arm;     /* times the part of the other */
    double parts;
} pair_sums;

typedef struct tree {                 /* what the equations of all frames share */
    const motion *m;
    rig          *r;
    uint32_t     *first;              /* [point_count + 1] */
    lever        *levers;
    pair_sums    *pairs;              /* [MOST_BONES][MOST_BONES] */
    uint32_t      unknowns, at[MOST_BONES]; /* of a bone: three for its turn, three for its slide */
    uint32_t     *row_starts;         /* [unknowns] */
} tree;

static void add_pair(tree *t, const lever *a, const lever *b)
{
    pair_sums *sums = &t->pairs[a->bone * MOST_BONES + b->bone];
    sums->is_used = true;
    sums->arms = add_mat3(sums->arms, outer(a->arm, b->arm));
    sums->first_arm = add(sums->first_arm, scaled(a->arm, b->part));
    sums->second_arm = add(sums->second_arm, scaled(b->arm, a->part));
    sums->parts += a->part * b->part;
}

/* Unknowns of children come before those of their parents. */
static void number_unknowns(tree *t)
{
    uint32_t starts[MOST_BONES];
    t->unknowns = 0;
    for (uint32_t b = t->r->bone_count; b-- > 0;) {
        t->at[b] = t->unknowns;
        t->unknowns += t->r->slides[b] ? 6 : 3;
    }
    for (uint32_t a = 0; a < t->r->bone_count; ++a) {
        starts[a] = t->at[a];
        for (uint32_t b = a; b < t->r->bone_count; ++b) {
            const pair_sums *sums = &t->pairs[a * MOST_BONES + b];
            if (sums->is_used && t->at[b] < starts[a]) starts[a] = t->at[b];
        }
        uint32_t size = t->r->slides[a] ? 6 : 3;
        for (uint32_t i = 0; i < size; ++i) t->row_starts[t->at[a] + i] = starts[a];
    }
}

static tree make_tree(const motion *m, rig *r)
{
    tree t;
    memset(&t, 0, sizeof t);
    t.m = m;
    t.r = r;
    t.first = (uint32_t *)allocate((size_t)m->point_count + 1, sizeof *t.first);
    t.pairs = (pair_sums *)allocate(MOST_BONES * MOST_BONES, sizeof *t.pairs);
    t.row_starts = (uint32_t *)allocate(6 * MOST_BONES, sizeof *t.row_starts);

    size_t   room = (size_t)m->point_count * 8 + MOST_LEVERS;
    uint32_t count = 0;
    t.levers = (lever *)allocate(room, sizeof *t.levers);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        if (room - count < MOST_LEVERS) {
            lever *more = (lever *)allocate(2 * room, sizeof *more);
            memcpy(more, t.levers, count * sizeof *more);
            release(t.levers);
            t.levers = more;
            room *= 2;
        }
        lever               *list = t.levers + count;
        const point_weights *w = &r->weights[p];
        uint32_t             own = 0;
        for (uint32_t i = 0; i < w->count; ++i) {
            add_levers(r, w->bone[i], r->rest[p], w->weight[i], list, &own);
        }
        for (uint32_t i = 0; i < own; ++i) {
            for (uint32_t k = 0; k < own; ++k) {
                if (list[i].bone <= list[k].bone) add_pair(&t, &list[i], &list[k]);
            }
        }
        t.first[p] = count;
        count += own;
    }
    t.first[m->point_count] = count;
    number_unknowns(&t);
    return t;
}

static void free_tree(tree *t)
{
    release(t->first);
    release(t->levers);
    release(t->pairs);
    release(t->row_starts);
}

/* -- Poses ------------------------------------------------------------------------------------- */

static move *move_of(const motion *m, const rig *r, uint32_t bone, uint32_t frame)
{
    return &r->moves[(size_t)bone * m->frame_count + frame];
}

static vec3 carried(const move *by, vec3 place)
{
    return add(turned(by->turn, place), by->shift);
}

/* Puts all that does not slide where its parent carries its joint. */
static void keep_to_joints(const motion *m, rig *r)
{
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (r->slides[b]) continue;
        for (uint32_t f = 0; f < m->frame_count; ++f) {
            move *own = move_of(m, r, b, f);
            vec3  place = carried(move_of(m, r, (uint32_t)r->parents[b], f), r->joints[b]);
            own->shift = minus(place, turned(own->turn, r->joints[b]));
        }
    }
    pose_points(m, r);
}

static double frame_error(const motion *m, const rig *r, uint32_t frame)
{
    double sum = 0;
    for (uint32_t p = 0; p < m->point_count; ++p) {
        size_t i = (size_t)p * m->frame_count + frame;
        vec3   off = minus(r->posed[i], m->at[i]);
        sum += dot(off, off);
    }
    return sum;
}

static void pose_frame(const motion *m, rig *r, uint32_t frame)
{
    for (uint32_t p = 0; p < m->point_count; ++p) {
        const point_weights *w = &r->weights[p];
        vec3                 sum = make_vec3(0, 0, 0);
        for (uint32_t i = 0; i < w->count; ++i) {
            vec3 place = carried(move_of(m, r, w->bone[i], frame), r->rest[p]);
            sum = add(sum, scaled(place, w->weight[i]));
        }
        r->posed[(size_t)p * m->frame_count + frame] = sum;
    }
}

/* -- The spring -------------------------------------------------------------------------------- */

static mat3 local_turn(const motion *m, const rig *r, uint32_t bone, uint32_t frame)
{
    mat3 own = move_of(m, r, bone, frame)->turn;
    if (r->parents[bone] < 0) return own;
    return transposed_times(move_of(m, r, (uint32_t)r->parents[bone], frame)->turn, own);
}

/* How a bone would have to turn, in model space, to be against its parent as it is in the frames
   around. `springs` are those of the local turns, [bone][frame], which stay while frames change. */
static vec3 spring_of(const motion *m, const rig *r, const mat3 *locals, uint32_t bone,
                      uint32_t frame)
{
    if (r->parents[bone] < 0) return make_vec3(0, 0, 0);
    const mat3 *own = locals + (size_t)bone * m->frame_count;
    mat3        parent = move_of(m, r, (uint32_t)r->parents[bone], frame)->turn;
    mat3        turn = move_of(m, r, bone, frame)->turn;
    vec3        sum = make_vec3(0, 0, 0);
    uint32_t    around[2] = { m->before[frame], m->after[frame] };
    if (around[0] == frame) around[0] = around[1];
    if (around[1] == frame) around[1] = around[0];
    for (int k = 0; k < 2; ++k) {
        mat3 wanted = times(parent, own[around[k]]);
        sum = add(sum, axis_of(times(wanted, transposed(turn))));
    }
    return scaled(sum, 0.5);
}

static double spring_error(const motion *m, const rig *r, const mat3 *locals, uint32_t frame)
{
    double sum = 0;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        vec3 spring = spring_of(m, r, locals, b, frame);
        sum += dot(spring, spring);
    }
    return sum;
}

/* -- Gauss-Newton ------------------------------------------------------------------------------ */

static void add_block(double *equations, uint32_t n, uint32_t row, uint32_t column, mat3 block)
{
    double *at = equations + (size_t)row * n + column;
    vec3    columns[3] = { block.x, block.y, block.z };
    for (uint32_t c = 0; c < 3; ++c) {
        at[c] += columns[c].x;
        at[n + c] += columns[c].y;
        at[2 * (size_t)n + c] += columns[c].z;
    }
}

/* The matrix of v -> a x v. */
static mat3 cross_matrix(vec3 a)
{
    return make_mat3(make_vec3(0, a.z, -a.y), make_vec3(-a.z, 0, a.x), make_vec3(a.y, -a.x, 0));
}

/* What the unknowns of a frame do to the squared error, as a matrix: for small turns and slides it
   is their square form. */
static void set_equations(const tree *t, uint32_t frame, double *equations)
{
    uint32_t n = t->unknowns;
    memset(equations, 0, (size_t)n * n * sizeof *equations);
    for (uint32_t a = 0; a < t->r->bone_count; ++a) {
        mat3 first = move_of(t->m, t->r, a, frame)->turn;
        for (uint32_t b = a; b < t->r->bone_count; ++b) {
            const pair_sums *sums = &t->pairs[a * MOST_BONES + b];
            if (!sums->is_used) continue;

            mat3   second = move_of(t->m, t->r, b, frame)->turn;
            mat3   arms = times(times(first, sums->arms), transposed(second));
            double trace = arms.x.x + arms.y.y + arms.z.z;
            add_block(equations, n, t->at[a], t->at[b],
                      minus_mat3(diagonal(trace), transposed(arms)));
            vec3 first_arm = turned(first, sums->first_arm);
            vec3 second_arm = turned(second, sums->second_arm);
            bool slides_a = t->r->slides[a], slides_b = t->r->slides[b];
            if (slides_b && a != b) {
                add_block(equations, n, t->at[a], t->at[b] + 3, cross_matrix(first_arm));
            }
            if (slides_a) {
                add_block(equations, n, t->at[a] + 3, t->at[b],
                          cross_matrix(scaled(second_arm, -1)));
            }
            if (slides_a && slides_b) {
                add_block(equations, n, t->at[a] + 3, t->at[b] + 3, diagonal(sums->parts));
            }
        }
    }
}

static double mean_diagonal(const double *equations, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; ++i) sum += equations[(size_t)i * n + i];
    return sum / n;
}

static void add_to_diagonal(double *equations, uint32_t n, double what)
{
    for (uint32_t i = 0; i < n; ++i) equations[(size_t)i * n + i] += what;
}

static void add_vec3(double *to, vec3 v)
{
    to[0] += v.x;
    to[1] += v.y;
    to[2] += v.z;
}

/* The right side: where the misses of the points draw the unknowns. */
static void set_pulls(const tree *t, uint32_t frame, double *pulls)
{
    memset(pulls, 0, t->unknowns * sizeof *pulls);
    for (uint32_t p = 0; p < t->m->point_count; ++p) {
        size_t i = (size_t)p * t->m->frame_count + frame;
        vec3   miss = minus(t->m->at[i], t->r->posed[i]);
        for (uint32_t k = t->first[p]; k < t->first[p + 1]; ++k) {
            const lever *l = &t->levers[k];
            double      *own = pulls + t->at[l->bone];
            vec3         arm = turned(move_of(t->m, t->r, l->bone, frame)->turn, l->arm);
            add_vec3(own, cross(arm, miss));
            if (t->r->slides[l->bone]) add_vec3(own + 3, scaled(miss, l->part));
        }
    }
}

/* Turns and slides each bone by its unknowns. */
static void change_frame(const tree *t, uint32_t frame, const double *changes)
{
    rig *r = t->r;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        const double *own = changes + t->at[b];
        move         *by = move_of(t->m, r, b, frame);
        vec3          place = carried(by, r->joints[b]);
        by->turn = times(turn_about(make_vec3(own[0], own[1], own[2])), by->turn);
        if (r->slides[b]) place = add(place, make_vec3(own[3], own[4], own[5]));
        else place = carried(move_of(t->m, r, (uint32_t)r->parents[b], frame), r->joints[b]);
        by->shift = minus(place, turned(by->turn, r->joints[b]));
    }
    pose_frame(t->m, r, frame);
}

typedef struct frame_work {           /* for one frame after the other */
    double *equations, *changes;      /* [unknowns][unknowns], [unknowns] */
    move    old[MOST_BONES];
    vec3   *old_posed;                /* [point_count] */
    double *damping;                  /* [frame_count] of the turns, in parts of the diagonal */
} frame_work;

static void save_frame(const tree *t, frame_work *w, uint32_t frame, bool restores)
{
    for (uint32_t b = 0; b < t->r->bone_count; ++b) {
        move *own = move_of(t->m, t->r, b, frame);
        if (restores) *own = w->old[b];
        else w->old[b] = *own;
    }
    for (uint32_t p = 0; p < t->m->point_count; ++p) {
        vec3 *own = &t->r->posed[(size_t)p * t->m->frame_count + frame];
        if (restores) *own = w->old_posed[p];
        else w->old_posed[p] = *own;
    }
}

/* A step for one frame; what does not make it better is taken back, and damped more the next time.
   `spring` 0 is none. */
static void step_frame(const tree *t, frame_work *w, uint32_t frame, double spring,
                       const mat3 *locals)
{
    uint32_t n = t->unknowns;
    double   before = frame_error(t->m, t->r, frame);
    set_equations(t, frame, w->equations);
    set_pulls(t, frame, w->changes);
    if (spring > 0) {
        before += spring * spring_error(t->m, t->r, locals, frame);
        for (uint32_t b = 0; b < t->r->bone_count; ++b) {
            if (t->r->parents[b] < 0) continue;
            for (uint32_t k = 0; k < 3; ++k) {
                w->equations[(size_t)(t->at[b] + k) * n + t->at[b] + k] += spring;
            }
            vec3 pull = spring_of(t->m, t->r, locals, b, frame);
            add_vec3(w->changes + t->at[b], scaled(pull, spring));
        }
    }
    double damping = w->damping[frame] * mean_diagonal(w->equations, n) + 1e-9;
    add_to_diagonal(w->equations, n, damping);
    if (!factor(w->equations, t->row_starts, n)) return;
    solve_lower(w->equations, t->row_starts, n, 0, w->changes);
    solve_upper(w->equations, t->row_starts, n, w->changes);

    save_frame(t, w, frame, false);
    change_frame(t, frame, w->changes);
    double after = frame_error(t->m, t->r, frame);
    if (spring > 0) after += spring * spring_error(t->m, t->r, locals, frame);
    bool is_better = after <= before;
    if (!is_better) save_frame(t, w, frame, true);
    w->damping[frame] = is_better ? fmax(w->damping[frame] * 0.3, 1e-4) : w->damping[frame] * 20;
}

static frame_work make_work(const tree *t)
{
    frame_work w;
    size_t     n = t->unknowns;
    memset(&w, 0, sizeof w);
    w.equations = (double *)allocate(n * n, sizeof *w.equations);
    w.changes = (double *)allocate(n, sizeof *w.changes);
    w.old_posed = (vec3 *)allocate(t->m->point_count, sizeof *w.old_posed);
    w.damping = (double *)allocate(t->m->frame_count, sizeof *w.damping);
    for (uint32_t f = 0; f < t->m->frame_count; ++f) w.damping[f] = 1e-3;
    return w;
}

static void free_work(frame_work *w)
{
    release(w->equations);
    release(w->changes);
    release(w->old_posed);
    release(w->damping);
}

static void fit_frames(const motion *m, rig *r, int steps, double spring)
{
    tree       t = make_tree(m, r);
    frame_work w = make_work(&t);
    mat3      *locals = NULL;
    if (spring > 0) {
        locals = (mat3 *)allocate((size_t)r->bone_count * m->frame_count, sizeof *locals);
    }
    for (int step = 0; step < steps; ++step) {
        for (uint32_t i = 0; locals && i < r->bone_count * m->frame_count; ++i) {
            locals[i] = local_turn(m, r, i / m->frame_count, i % m->frame_count);
        }
        for (uint32_t f = 0; f < m->frame_count; ++f) step_frame(&t, &w, f, spring, locals);
    }
    release(locals);
    free_work(&w);
    free_tree(&t);
}

/* -- Joints ------------------------------------------------------------------------------------ */

/* The closed joints' places are a least squares problem: if a joint is elsewhere, all below it is
   off by the difference of both bones' turns, times that. */
static void place_joints(const motion *m, rig *r)
{
    const double hold = 0.02;
    uint32_t     numbers[MOST_BONES], bones[MOST_BONES], count = 0;
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        numbers[b] = count;
        if (!r->slides[b]) bones[count++] = b;
    }
    if (count == 0) return;

    /* [point][joint] how much of the point hangs below */
    double *below = (double *)allocate((size_t)m->point_count * count, sizeof *below);
    double *products = (double *)allocate((size_t)count * count, sizeof *products);
    for (uint32_t p = 0; p < m->point_count; ++p) {
        const point_weights *w = &r->weights[p];
        double              *own = below + (size_t)p * count;
        for (uint32_t i = 0; i < w->count; ++i) {
            for (uint32_t b = w->bone[i]; !r->slides[b]; b = (uint32_t)r->parents[b]) {
                own[numbers[b]] += w->weight[i];
            }
        }
        for (uint32_t i = 0; i < count; ++i) {
            double *row = products + (size_t)i * count;
            for (uint32_t k = 0; k <= i && own[i] > 0; ++k) row[k] += own[i] * own[k];
        }
    }

    uint32_t  n = 3 * count;
    double   *equations = (double *)allocate((size_t)n * n, sizeof *equations);
    double   *changes = (double *)allocate(n, sizeof *changes);
    uint32_t *first = (uint32_t *)allocate(n, sizeof *first);
    mat3     *turns = (mat3 *)allocate(count, sizeof *turns);
    vec3     *pulls = (vec3 *)allocate(count, sizeof *pulls);
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        for (uint32_t i = 0; i < count; ++i) {
            uint32_t parent = (uint32_t)r->parents[bones[i]];
            turns[i] = minus_mat3(move_of(m, r, parent, f)->turn, move_of(m, r, bones[i], f)->turn);
            pulls[i] = make_vec3(0, 0, 0);
        }
        for (uint32_t p = 0; p < m->point_count; ++p) {
            size_t        at = (size_t)p * m->frame_count + f;
            vec3          miss = minus(m->at[at], r->posed[at]);
            const double *own = below + (size_t)p * count;
            for (uint32_t i = 0; i < count; ++i) {
                if (own[i] > 0) pulls[i] = add(pulls[i], scaled(miss, own[i]));
            }
        }
        for (uint32_t i = 0; i < count; ++i) {
            add_vec3(changes + 3 * i, turned_back(turns[i], pulls[i]));
            for (uint32_t k = 0; k <= i; ++k) {
                double product = products[i * count + k];
                if (!(product > 0)) continue;
                mat3 block = transposed_times(turns[i], turns[k]);
                add_block(equations, n, 3 * i, 3 * k,
                          make_mat3(scaled(block.x, product), scaled(block.y, product),
                                    scaled(block.z, product)));
            }
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        double own = products[(i / 3) * count + i / 3];
        equations[(size_t)i * n + i] += hold * m->frame_count * (own + 0.1);
    }
    if (factor(equations, first, n)) {
        solve_lower(equations, first, n, 0, changes);
        solve_upper(equations, first, n, changes);
        for (uint32_t i = 0; i < count; ++i) {
            const double *own = changes + 3 * i;
            r->joints[bones[i]] = add(r->joints[bones[i]], make_vec3(own[0], own[1], own[2]));
        }
        keep_to_joints(m, r);
    }
    release(below);
    release(products);
    release(equations);
    release(changes);
    release(first);
    release(turns);
    release(pulls);
}

/* What closing each joint alone would add to the error, by the equations: the least that moves the
   bones so that the gap is none. HUGE_VAL for those that are closed. Some of the frames tell. */
static void cost_of_closing(const motion *m, rig *r, double *costs)
{
    tree       t = make_tree(m, r);
    frame_work w = make_work(&t);
    uint32_t   n = t.unknowns;
    double    *rows = (double *)allocate(3 * (size_t)n, sizeof *rows);
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        costs[b] = r->slides[b] && r->parents[b] >= 0 ? 0 : HUGE_VAL;
    }
    for (uint32_t f = 0; f < m->frame_count; f += rough_stride(m)) {
        set_equations(&t, f, w.equations);
        add_to_diagonal(w.equations, n, 1e-4 * mean_diagonal(w.equations, n) + 1e-9);
        if (!factor(w.equations, t.row_starts, n)) continue;
        for (uint32_t b = 0; b < r->bone_count; ++b) {
            if (!r->slides[b] || r->parents[b] < 0) continue;

            uint32_t parent = (uint32_t)r->parents[b], count = 0, from = t.at[b] + 3;
            lever    list[MOST_LEVERS];
            vec3     gap = minus(carried(move_of(m, r, parent, f), r->joints[b]),
                                 carried(move_of(m, r, b, f), r->joints[b]));
            add_levers(r, parent, r->joints[b], 1, list, &count);
            memset(rows, 0, 3 * (size_t)n * sizeof *rows);
            for (uint32_t i = 0; i < 3; ++i) rows[i * n + t.at[b] + 3 + i] = -1;
            for (uint32_t k = 0; k < count; ++k) {
                vec3     arm = turned(move_of(m, r, list[k].bone, f)->turn, list[k].arm);
                uint32_t at = t.at[list[k].bone];
                mat3     turn = cross_matrix(arm); /* its columns are the rows of the negative */
                add_vec3(rows + at, turn.x);
                add_vec3(rows + n + at, turn.y);
                add_vec3(rows + 2 * n + at, turn.z);
                if (at < from) from = at;
                if (!r->slides[list[k].bone]) continue;
                for (uint32_t i = 0; i < 3; ++i) rows[i * n + at + 3 + i] += list[k].part;
            }
            for (uint32_t i = 0; i < 3; ++i) {
                solve_lower(w.equations, t.row_starts, n, from, rows + i * n);
            }
            double gives[9] = { 0 };
            for (uint32_t i = 0; i < 9; ++i) {
                const double *x = rows + (i / 3) * n, *y = rows + (i % 3) * n;
                for (uint32_t k = from; k < n; ++k) gives[i] += x[k] * y[k];
            }
            mat3 give = make_mat3(make_vec3(gives[0], gives[1], gives[2]),
                                  make_vec3(gives[3], gives[4], gives[5]),
                                  make_vec3(gives[6], gives[7], gives[8]));
            costs[b] += dot(gap, solve3(give, gap)) * rough_stride(m);
        }
    }
    release(rows);
    free_work(&w);
    free_tree(&t);
}

/* Weighs the points anew, but no bone of the tree may lose all of its points. */
static void weigh_again(const motion *m, const neighbours *n, rig *r)
{
    point_weights *old = (point_weights *)allocate(m->point_count, sizeof *old);
    memcpy(old, r->weights, m->point_count * sizeof *old);
    weigh_points(m, n, r);
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (mass_of(m, r, b) >= 1) continue;
        for (uint32_t p = 0; p < m->point_count; ++p) {
            if (weight_of(&old[p], b) > 0) r->weights[p] = old[p];
        }
    }
    release(old);
    rest_points(m, r);
    pose_points(m, r);
}

static double price_of_sliding(const motion *m)
{
    return PRICE_OF_NUMBER * 3 * m->frame_count * noise_of(m);
}

typedef struct closing {              /* how far it is */
    double   costs[MOST_BONES];       /* of the rig as it is */
    bool     are_known, is_barred[MOST_BONES];
    uint32_t most;                    /* joints at a time */
    int      fails;
} closing;

/* Picks the cheapest joints to close now, none of which touches a bone of another. What weights and
   joints save by going along the equations do not know, so more is tried than seems to pay. */
static uint32_t pick_joints(const motion *m, const rig *r, const closing *c, uint32_t *picked)
{
    const double worth_trying = 2;
    bool         is_touched[MOST_BONES] = { false }, is_seen[MOST_BONES] = { false };
    uint32_t     count = 0;
    while (count < c->most) {
        uint32_t best = UINT32_MAX;
        for (uint32_t b = 0; b < r->bone_count; ++b) {
            bool pays = c->costs[b] < worth_trying * price_of_sliding(m);
            if (!pays || c->is_barred[b] || is_seen[b]) continue;
            if (best == UINT32_MAX || c->costs[b] < c->costs[best]) best = b;
        }
        if (best == UINT32_MAX) break;
        uint32_t parent = (uint32_t)r->parents[best];
        is_seen[best] = true;
        if (is_touched[best] || is_touched[parent]) continue;
        is_touched[best] = is_touched[parent] = true;
        picked[count++] = best;
    }
    return count;
}

/* Closes joints, and takes it back where they do not pay together: then fewer are tried, and one
   alone stays open. Returns false when none is left, or three stayed open: the others cost more. */
static bool close_some(const motion *m, const neighbours *n, rig *r, closing *c)
{
    enum { MOST_FAILS = 3 };
    uint32_t picked[MOST_BONES];
    if (!c->are_known) cost_of_closing(m, r, c->costs);
    c->are_known = true;
    uint32_t count = pick_joints(m, r, c, picked);
    if (count == 0 || c->fails == MOST_FAILS) return false;

    rig old = copy_rig(m, r);
    for (uint32_t i = 0; i < count; ++i) r->slides[picked[i]] = false;
    keep_to_joints(m, r);
    fit_frames(m, r, 3, 0);
    place_joints(m, r);
    weigh_again(m, n, r);
    fit_frames(m, r, 2, 0);

    double grown = error_of(m, r) - error_of(m, &old);
    if (grown < count * price_of_sliding(m)) {
        free_rig(&old);
        c->most = 2 * count;
        c->fails = 0;
        c->are_known = false;
        return true;
    }
    rig failed = *r;
    *r = old;
    free_rig(&failed);
    if (count == 1) {
        c->is_barred[picked[0]] = true;
        ++c->fails;
    }
    c->most = (count + 1) / 2;
    return true;
}

static void set_joints(const motion *m, rig *r)
{
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        vec3   middle = make_vec3(0, 0, 0);
        double mass = mass_of(m, r, b);
        for (uint32_t p = 0; p < m->point_count; ++p) {
            middle = add(middle, scaled(r->rest[p], weight_of(&r->weights[p], b)));
        }
        r->slides[b] = true;
        r->joints[b] = mass > 0 ? scaled(middle, 1 / mass) : middle;
        if (r->parents[b] < 0) continue;
        pair_joint joint = find_pair_joint(m, r, (uint32_t)r->parents[b], b);
        if (joint.is_there) r->joints[b] = joint.place;
    }
}

bool hang_bones(const motion *m, const neighbours *n, rig *r)
{
    enum { LAST_ROUNDS = 3, SPRING_STEPS = 8 };
    double *costs = (double *)allocate(MOST_BONES * MOST_BONES, sizeof *costs);
    for (uint32_t a = 0; a < r->bone_count; ++a) {
        for (uint32_t b = 0; b < a; ++b) {
            pair_joint joint = find_pair_joint(m, r, a, b);
            costs[a * MOST_BONES + b] = costs[b * MOST_BONES + a] = cost_of(&joint);
        }
    }
    choose_parents(m, r, costs);
    release(costs);
    sort_bones(m, r);
    set_joints(m, r);

    closing c;
    memset(&c, 0, sizeof c);
    c.most = MOST_BONES;
    while (close_some(m, n, r, &c)) {
        if (!goes_on(m, 0.7)) return false;
    }
    for (int round = 0; round < LAST_ROUNDS; ++round) {
        weigh_again(m, n, r);
        place_joints(m, r);
        fit_frames(m, r, 2, 0);
        if (!goes_on(m, 0.8 + 0.05 * round)) return false;
    }
    const double stiffness = 4;
    fit_frames(m, r, SPRING_STEPS, stiffness * noise_of(m));

    /* Where a bone that slides has its joint changes no frame, but what is between two. */
    for (uint32_t b = 0; b < r->bone_count; ++b) {
        if (!r->slides[b] || r->parents[b] < 0) continue;
        pair_joint joint = find_pair_joint(m, r, (uint32_t)r->parents[b], b);
        if (joint.is_there) r->joints[b] = joint.place;
    }
    return goes_on(m, 1);
}
