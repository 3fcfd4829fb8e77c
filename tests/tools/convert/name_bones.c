/* name_bones.c - names the bones of a humanoid: hips, chest, head, arms and legs. Public domain.

   The names follow from distances over the skin, which no pose changes, and from symmetry:

     feet    two bones that rest on the ground, far apart over the skin, and in most models swing in
             opposite phase during a run. Several pairs are tried until a pair has a whole body.
     sides   A point's side is the difference of its distances to both feet. The difference is the
             same for the trunk, the head and the arms, because their paths meet in the hips.
     trunk   The head is high and in the middle. The hips are the bone in the middle that is nearest
             to the head and both feet. The trunk is the path from the hips to the head.
     arms    Among the paths from the trunk to the farthest tips of the skin, the arms are the two
             that are long, bend most and are alike. They begin at the chest.
     joints  A limb is divided where it bends most, near the usual places. Both sides are divided
             alike. If the fit has no bone of its own for a part (a hand that never bends, a chest
             that moves with the hips), the bone is split.

   Bones without a role are helpers of the nearest bone that has a name. The paths also define the
   tree: the hips are the root, limbs are children of the trunk, helpers are children of what they
   help. */
#include "bones.h"
#include "convert.h"
#include "../viewer/folder.h"
#include "../viewer/heading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT, RIGHT, SIDES };
enum { MOST_NAMED_POINTS = 2048, LIMB_PARTS = 3 };
enum { MOST_PAIRS = 12, MOST_TIPS = 12, MOST_CUTS = 1000 };

#define NONE UINT32_MAX

/* All constants. Lengths are fractions of the model's height unless the comment says otherwise. */
static const double on_ground = 0.06;      /* height of the sole of a foot */
static const double least_apart = 0.7;     /* from sole to sole, over the skin */
static const double in_middle = 0.13;      /* side of the trunk; 1 is a foot */
static const double least_head_mass = 0.02; /* fraction of the points: a plume is lighter */
static const double least_head_level = 0.6;
static const double most_swing = -0.5;     /* correlation of the feet in a gait */
static const double most_lean = 1.7;       /* horizontal to vertical distance, head to hips */
static const double least_leg_level = 0.12; /* of the first bone of a leg: a hem is no leg */
static const double middle_joint = 0.42;   /* usual place of knee and elbow, fraction of the limb */
static const double lacks_joint = -5;      /* score of a limb's missing joint, as a logarithm */
static const double ankle = 0.82, wrist = 0.75; /* the same of ankle and wrist */
static const double joint_spread = 0.1;    /* of the usual places of joints, fraction of the limb */

typedef struct bone_list {
    uint32_t count, bone[MOST_BONES];
} bone_list;

typedef struct net_link {             /* between two points or two bones */
    uint32_t a, b;
    double   length;
} net_link;

typedef struct net {
    uint32_t  count, room;
    net_link *links;
} net;

typedef struct limb {
    bone_list chain;                  /* from the trunk to the tip */
    uint32_t  root;                   /* the bone of the trunk that carries it */
    vec3      tip;                    /* rest position of the point farthest from the last joint */
    vec3      joints[MOST_BONES];     /* rest positions of the joints above the bones */
    double    to_tip[MOST_BONES + 1]; /* from these joints to the tip, along the limb */
    double    bends[MOST_BONES];      /* rotation at these joints, RMS, in radians */
    uint32_t  first_on_ground;        /* index in the chain; its count if no bone is on the ground */
} limb;

typedef struct foot_pair {
    uint32_t bones[SIDES];
    double   swing;                   /* correlation of their positions in a gait, -1 to 1 */
    double   score;
} foot_pair;

typedef struct body {
    const motion *m;
    rig          *r;
    const char   *missing;            /* why the body is not a humanoid */
    vec3         *positions;          /* [point_count][frame_count] along the axes of the model */
    uint32_t     *stand, *gait;       /* frames */
    uint32_t      stand_count, gait_count;
    double        height;
    double       *levels;             /* [point_count] height above the ground in `stand` */
    net           skin, bones;
    vec3         *centers;            /* [bone_count][frame_count] relative to that of all points */
    double        mass[MOST_BONES];   /* sum of the weights */
    double        level[MOST_BONES];  /* mean of `levels` */
    double        side[MOST_BONES];   /* 1 at the left foot, -1 at the right foot */
    vec3         *lateral;            /* [frame_count] horizontal unit vector to the left */

    foot_pair     feet;
    double       *to_feet[SIDES];     /* [point_count] distance over the skin */
    uint32_t      head;
    bone_list     trunk;              /* from the hips to the head */
    limb          legs[SIDES], arms[SIDES];
    bool          has_arms;
} body;

/* -- Lists ------------------------------------------------------------------------------------- */

static uint32_t index_in(const bone_list *l, uint32_t bone)
{
    uint32_t i = 0;
    while (i < l->count && l->bone[i] != bone) ++i;
    return i;
}

static bool contains(const bone_list *l, uint32_t bone)
{
    return index_in(l, bone) < l->count;
}

static void insert_bone(bone_list *l, uint32_t index, uint32_t bone)
{
    for (uint32_t i = l->count++; i > index; --i) l->bone[i] = l->bone[i - 1];
    l->bone[index] = bone;
}

static void append_bone(bone_list *l, uint32_t bone)
{
    insert_bone(l, l->count, bone);
}

static uint32_t remove_first(bone_list *l)
{
    uint32_t first = l->bone[0];
    --l->count;
    for (uint32_t i = 0; i < l->count; ++i) l->bone[i] = l->bone[i + 1];
    return first;
}

/* -- Paths ------------------------------------------------------------------------------------- */

static void add_link(net *n, uint32_t a, uint32_t b, double length)
{
    if (n->count == n->room) {
        n->room = 2 * n->room + 64;
        n->links = (net_link *)reallocate(n->links, n->room * sizeof *n->links);
    }
    net_link added = { a, b, length };
    n->links[n->count++] = added;
}

/* Finds the shortest paths from all nodes whose distance is 0 (Bellman and Ford). Other nodes begin
   with HUGE_VAL and keep it if they cannot be reached. `before` [nodes] begins with NONE and gets
   the previous node of each path; it may be NULL. */
static void find_paths(const net *n, double *distances, uint32_t *before)
{
    for (bool is_shorter = true; is_shorter;) {
        is_shorter = false;
        for (uint32_t i = 0; i < n->count; ++i) {
            net_link l = n->links[i];
            bool     is_back = distances[l.b] < distances[l.a];
            uint32_t from = is_back ? l.b : l.a, to = is_back ? l.a : l.b;
            if (!(distances[from] + l.length < distances[to])) continue;
            distances[to] = distances[from] + l.length;
            if (before) before[to] = from;
            is_shorter = true;
        }
    }
}

static void skin_distances(const body *b, uint32_t from, double *distances)
{
    for (uint32_t p = 0; p < b->m->point_count; ++p) distances[p] = p == from ? 0 : HUGE_VAL;
    find_paths(&b->skin, distances, NULL);
}

/* `before` gets the next bone on the path to the nearest bone of `from`, or NONE. */
static void bone_distances(const body *b, const bone_list *from, double distances[MOST_BONES],
                           uint32_t before[MOST_BONES])
{
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        distances[i] = contains(from, i) ? 0 : HUGE_VAL;
        before[i] = NONE;
    }
    find_paths(&b->bones, distances, before);
}

/* Returns the bones of a path, from its start to `bone`. */
static bone_list path_to(const uint32_t *before, uint32_t bone)
{
    bone_list path = { 0, { 0 } };
    for (; bone != NONE; bone = before[bone]) insert_bone(&path, 0, bone);
    return path;
}

/* -- Frames ------------------------------------------------------------------------------------ */

static bool is_stand(const char *anim)
{
    return contains_text(anim, "stand") || contains_text(anim, "idle");
}

static bool is_gait(const char *anim)
{
    return contains_text(anim, "run") || contains_text(anim, "walk") || contains_text(anim, "forward");
}

/* Lists the frames of all animations with such a name; all frames if there is none. */
static uint32_t list_frames(const motion *m, bool (*is_listed)(const char *anim), uint32_t **frames)
{
    uint32_t count = 0;
    *frames = (uint32_t *)allocate(m->frame_count, sizeof **frames);
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        if (is_listed(m->anim_names[f])) (*frames)[count++] = f;
    }
    if (count > 0) return count;
    for (uint32_t f = 0; f < m->frame_count; ++f) (*frames)[f] = f;
    return m->frame_count;
}

/* Returns the end of the animation that begins at a frame. */
static uint32_t anim_end(const motion *m, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < m->frame_count && strcmp(m->anim_names[end], m->anim_names[first]) == 0) ++end;
    return end;
}

/* -- Axes -------------------------------------------------------------------------------------- */

static vec3 position_of(const body *b, uint32_t point, uint32_t frame)
{
    return b->positions[(size_t)point * b->m->frame_count + frame];
}

static vec3 center_in_frame(const body *b, uint32_t bone, uint32_t frame)
{
    return b->centers[(size_t)bone * b->m->frame_count + frame];
}

/* Returns the position of a joint, which is given at rest, as a bone carries it in a frame. */
static vec3 joint_in_frame(const body *b, uint32_t bone, vec3 joint, uint32_t frame)
{
    const rigid_transform *t = &transforms_of(b->m, b->r, bone)[frame];
    return rotate_back(b->r->axes, transform_point(t, joint));
}

/* Returns the bone with the largest weight. */
static uint32_t heaviest_bone(const body *b, uint32_t point)
{
    return b->r->weights[point].bone[0];
}

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
            vec3 v = rotate_back(b->r->axes, b->m->positions[(size_t)p * b->m->frame_count + f]);
            *out++ = (float)v.x;
            *out++ = (float)v.y;
            *out++ = (float)v.z;
        }
    }
    heading found = find_heading(positions, end - first, points);
    release(positions);
    return found;
}

/* Finds the heading in the first run, or else walk, that has one. */
static bool face_by_gait(body *b)
{
    static const char *const gaits[] = { "run", "walk" };
    const motion            *m = b->m;
    for (int i = 0; i < 2; ++i) {
        for (uint32_t f = 0; f < m->frame_count; f = anim_end(m, f)) {
            if (!contains_text(m->anim_names[f], gaits[i])) continue;
            heading found = heading_of_anim(b, f, anim_end(m, f));
            if (found.x == 0 && found.y == 0) continue;
            face(b, found);
            return true;
        }
    }
    return false;
}

/* Finds the heading from the poses: across the hips, and from the ankles to the toes. */
static void face_by_pose(body *b)
{
    vec3 toes = make_vec3(0, 0, 0), across = toes;
    for (uint32_t f = 0; f < b->m->frame_count; ++f) {
        across = add(across, b->lateral[f]);
        for (int k = 0; k < SIDES; ++k) {
            const limb *leg = &b->legs[k];
            uint32_t    last = leg->chain.count - 1, foot = leg->chain.bone[last];
            vec3        toe = joint_in_frame(b, foot, leg->tip, f);
            toes = add(toes, minus(toe, joint_in_frame(b, foot, leg->joints[last], f)));
        }
    }

    /* The poses are turned by chance, so the heading is an axis of the file. */
    bool    is_x = fabs(across.y) >= fabs(across.x);
    heading h = { 0, 0, 0 };
    if (is_x) h.x = toes.x < 0 ? -1 : 1;
    else h.y = toes.y < 0 ? -1 : 1;
    face(b, h);
}

/* -- Measures ---------------------------------------------------------------------------------- */

/* Returns the mean of a number of each point over the points of a bone. */
static double mean_over_bone(const body *b, uint32_t bone, const double *numbers)
{
    double sum = 0;
    for (uint32_t p = 0; p < b->m->point_count; ++p) {
        sum += weight_of(&b->r->weights[p], bone) * numbers[p];
    }
    return sum / b->mass[bone];
}

static void measure_levels(body *b)
{
    uint32_t points = b->m->point_count;
    b->height = 0;
    memset(b->levels, 0, points * sizeof *b->levels);
    for (uint32_t i = 0; i < b->stand_count; ++i) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (uint32_t p = 0; p < points; ++p) {
            double z = position_of(b, p, b->stand[i]).z;
            low = fmin(low, z);
            high = fmax(high, z);
        }
        b->height += (high - low) / b->stand_count;
        for (uint32_t p = 0; p < points; ++p) {
            b->levels[p] += (position_of(b, p, b->stand[i]).z - low) / b->stand_count;
        }
    }
    b->height = fmax(b->height, 1e-9);
    for (uint32_t p = 0; p < points; ++p) b->levels[p] /= b->height;
    for (uint32_t i = 0; i < b->r->bone_count; ++i) b->level[i] = mean_over_bone(b, i, b->levels);
}

/* Positions are along the axes. Centers are relative to the center of all points, so that root
   motion does not matter. */
static void measure_positions(body *b)
{
    uint32_t frames = b->m->frame_count, points = b->m->point_count;
    vec3    *all = (vec3 *)allocate(frames, sizeof *all);
    memset(b->centers, 0, (size_t)b->r->bone_count * frames * sizeof *b->centers);
    for (uint32_t p = 0; p < points; ++p) {
        const point_weights *w = &b->r->weights[p];
        for (uint32_t f = 0; f < frames; ++f) {
            size_t at = (size_t)p * frames + f;
            vec3   v = rotate_back(b->r->axes, b->m->positions[at]);
            b->positions[at] = v;
            all[f] = add(all[f], scaled(v, 1.0 / points));
            for (uint32_t i = 0; i < w->count; ++i) {
                vec3 *center = &b->centers[(size_t)w->bone[i] * frames + f];
                *center = add(*center, scaled(v, w->weight[i] / b->mass[w->bone[i]]));
            }
        }
    }
    for (uint32_t i = 0; i < b->r->bone_count * frames; ++i) {
        b->centers[i] = minus(b->centers[i], all[i % frames]);
    }
    release(all);
}

static bool rests_on_ground(const body *b, uint32_t point)
{
    return b->levels[point] < on_ground;
}

/* -- Skin -------------------------------------------------------------------------------------- */

/* Every third or so frame is enough. */
static double mean_distance(const motion *m, uint32_t a, uint32_t b)
{
    uint32_t    stride = 1 + m->frame_count / 32, count = 0;
    const vec3 *p = m->positions + (size_t)a * m->frame_count;
    const vec3 *q = m->positions + (size_t)b * m->frame_count;
    double      sum = 0;
    for (uint32_t f = 0; f < m->frame_count; f += stride, ++count) {
        sum += length_of(minus(p[f], q[f]));
    }
    return sum / count;
}

static void link_edges(body *b)
{
    for (uint32_t i = 0; i < b->m->corner_count; ++i) {
        uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
        uint32_t p = b->m->corners[i], q = b->m->corners[next];
        if (p != q) add_link(&b->skin, p, q, mean_distance(b->m, p, q));
    }
}

/* Links separate pieces (eyes, belts, the parts of a robot) to the points they are nearest to. The
   nearest piece is linked first, by all points that are about as near. */
static void link_pieces(body *b)
{
    uint32_t points = b->m->point_count;
    double  *distances = (double *)allocate(points, sizeof *distances);
    double  *gaps = (double *)allocate(points, sizeof *gaps);
    bool    *is_joined = (bool *)allocate(points, sizeof *is_joined);
    for (uint32_t p = 0; p < points; ++p) {
        distances[p] = p == 0 ? 0 : HUGE_VAL;
        gaps[p] = HUGE_VAL;
    }
    for (;;) {
        find_paths(&b->skin, distances, NULL);
        uint32_t nearest = NONE;
        for (uint32_t q = 0; q < points; ++q) {
            if (is_joined[q] || !(distances[q] < HUGE_VAL)) continue;
            is_joined[q] = true;
            for (uint32_t p = 0; p < points; ++p) {
                if (!(distances[p] < HUGE_VAL)) gaps[p] = fmin(gaps[p], mean_distance(b->m, p, q));
            }
        }
        for (uint32_t p = 0; p < points; ++p) {
            if (is_joined[p]) continue;
            if (nearest == NONE || gaps[p] < gaps[nearest]) nearest = p;
        }
        if (nearest == NONE) break;

        /* Several pieces may be equally near. They also touch each other. */
        double most = 1.3 * gaps[nearest] + 0.02 * b->height;
        for (uint32_t p = 0; p < points; ++p) {
            if (is_joined[p] || gaps[p] > most) continue;
            for (uint32_t q = 0; q < points; ++q) {
                bool   is_linked = is_joined[q] || (q < p && gaps[q] <= most);
                double gap = is_linked ? mean_distance(b->m, p, q) : HUGE_VAL;
                if (gap <= most) add_link(&b->skin, p, q, gap);
            }
        }
    }
    release(distances);
    release(gaps);
    release(is_joined);
}

/* -- Links between bones ----------------------------------------------------------------------- */

static double distance_of_centers(const body *b, uint32_t i, uint32_t k)
{
    double sum = 0;
    for (uint32_t f = 0; f < b->m->frame_count; ++f) {
        sum += length_of(minus(center_in_frame(b, i, f), center_in_frame(b, k, f)));
    }
    return sum / b->m->frame_count;
}

/* Links the bones that touch. A joint whose position differs in both bones makes the link longer,
   so that a hand in a pocket is no path to the thigh. */
static void link_bones(body *b)
{
    uint32_t count = b->r->bone_count;
    bool    *touches = (bool *)allocate(MOST_BONES * MOST_BONES, sizeof *touches);
    for (uint32_t i = 0; i < b->skin.count; ++i) {
        uint32_t k = heaviest_bone(b, b->skin.links[i].a), l = heaviest_bone(b, b->skin.links[i].b);
        touches[k * MOST_BONES + l] = touches[l * MOST_BONES + k] = true;
    }
    for (uint32_t k = 0; k < count; ++k) {
        for (uint32_t l = 0; l < k; ++l) {
            if (!touches[k * MOST_BONES + l]) continue;
            pair_joint joint = find_pair_joint(b->m, b->r, k, l);
            if (!joint.is_there) continue;
            add_link(&b->bones, k, l, distance_of_centers(b, k, l) + 4 * joint.misfit + joint.gap);
        }
    }
    release(touches);
}

/* -- Feet -------------------------------------------------------------------------------------- */

/* Returns the correlation of the horizontal positions of two bones in some frames. */
static double correlation(const body *b, uint32_t i, uint32_t k, uint32_t first, uint32_t end)
{
    vec3 mean_i = make_vec3(0, 0, 0), mean_k = mean_i;
    for (uint32_t f = first; f < end; ++f) {
        mean_i = add(mean_i, scaled(center_in_frame(b, i, f), 1.0 / (end - first)));
        mean_k = add(mean_k, scaled(center_in_frame(b, k, f), 1.0 / (end - first)));
    }
    double ii = 0, kk = 0, ik = 0;
    for (uint32_t f = first; f < end; ++f) {
        vec3 v = minus(center_in_frame(b, i, f), mean_i);
        vec3 w = minus(center_in_frame(b, k, f), mean_k);
        v.z = w.z = 0;
        ii += dot(v, v);
        kk += dot(w, w);
        ik += dot(v, w);
    }
    return ii > 0 && kk > 0 ? ik / sqrt(ii * kk) : 0;
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

/* Lists the best pairs of bones on the ground, the best first: far apart over the skin, swinging in
   opposite phase, with soles of some points. */
static uint32_t list_foot_pairs(const body *b, foot_pair pairs[MOST_PAIRS + 1])
{
    uint32_t points = b->m->point_count, sizes[MOST_BONES] = { 0 }, count = 0;
    double  *distances = (double *)allocate(points, sizeof *distances);
    for (uint32_t p = 0; p < points; ++p) sizes[heaviest_bone(b, p)] += rests_on_ground(b, p);
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        if (sizes[i] == 0) continue;
        skin_distances(b, farthest_of_sole(b, i, b->levels), distances);
        for (uint32_t k = 0; k < i; ++k) {
            if (sizes[k] == 0) continue;
            double    apart = distances[farthest_of_sole(b, k, distances)] / b->height;
            if (apart < least_apart) continue;
            double    size = fmin(sizes[i], sizes[k]), swing = find_swing(b, i, k);
            double    score = 0.5 * apart - swing + 0.3 * fmin(1, size / 4);
            foot_pair pair = { { i, k }, swing, score };

            uint32_t at = count;
            for (; at > 0 && pairs[at - 1].score < score; --at) pairs[at] = pairs[at - 1];
            pairs[at] = pair;
            if (count < MOST_PAIRS) ++count;
        }
    }
    release(distances);
    return count;
}

/* -- Head, trunk and legs ---------------------------------------------------------------------- */

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
    uint32_t tip = farthest_of_sole(b, b->feet.bones[LEFT], b->levels);
    skin_distances(b, tip, left);
    tip = farthest_of_sole(b, b->feet.bones[RIGHT], left);
    skin_distances(b, tip, right);
    tip = farthest_of_sole(b, b->feet.bones[LEFT], right);
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

/* The head is the highest bone in the middle that is not a plume. */
static bool find_head(body *b)
{
    const double usual_mass = 0.05;
    double       best = -HUGE_VAL;
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        double mass = b->mass[i] / b->m->point_count;
        bool   is_plume = mass < least_head_mass, is_low = b->level[i] < least_head_level;
        if (is_plume || is_low || !is_in_middle(b, i)) continue;
        double score = b->level[i] - fabs(b->side[i]) + 2 * fmin(mass, usual_mass);
        if (!(score > best)) continue;
        best = score;
        b->head = i;
    }
    return best > -HUGE_VAL;
}

/* Returns the bone in the middle that is nearest to the head and both feet. */
static uint32_t find_hips(const body *b)
{
    const uint32_t ends[3] = { b->head, b->feet.bones[LEFT], b->feet.bones[RIGHT] };
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

/* Returns false if trunk and legs are not three separate paths from the hips. */
static bool find_trunk(body *b)
{
    bone_list hips = { 1, { find_hips(b) } };
    double    distances[MOST_BONES];
    uint32_t  before[MOST_BONES];
    bone_distances(b, &hips, distances, before);
    b->trunk = path_to(before, b->head);
    for (int k = 0; k < SIDES; ++k) {
        limb *leg = &b->legs[k];
        leg->chain = path_to(before, b->feet.bones[k]);
        leg->root = remove_first(&leg->chain);
    }
    const bone_list *left = &b->legs[LEFT].chain, *right = &b->legs[RIGHT].chain;
    if (b->trunk.count < 2 || left->count < 1 || right->count < 1) return false;
    return left->bone[0] != right->bone[0] && !contains(&b->trunk, left->bone[0]) &&
           !contains(&b->trunk, right->bone[0]);
}

/* -- Limbs ------------------------------------------------------------------------------------- */

/* Returns the rotation of `k` relative to `i`: the RMS angle from the mean rotation, in radians,
   approximately. The mean of rotation matrices is the smaller, the more they differ. */
static double bend_between(const body *b, uint32_t i, uint32_t k)
{
    uint32_t               frames = b->m->frame_count;
    const rigid_transform *first = transforms_of(b->m, b->r, i);
    const rigid_transform *second = transforms_of(b->m, b->r, k);
    mat3                   sum = diagonal(0);
    for (uint32_t f = 0; f < frames; ++f) {
        sum = add_mat3(sum, transposed_times(first[f].rotation, second[f].rotation));
    }
    double squares = dot(sum.x, sum.x) + dot(sum.y, sum.y) + dot(sum.z, sum.z);
    return sqrt(fmax(0, 3 - squares / ((double)frames * frames)) / 2);
}

/* Measures along the joints at rest, because each bone keeps its length. */
static void measure_limb(const body *b, limb *l)
{
    uint32_t count = l->chain.count;
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t above = i == 0 ? l->root : l->chain.bone[i - 1];
        l->joints[i] = find_pair_joint(b->m, b->r, above, l->chain.bone[i]).position;
        l->bends[i] = bend_between(b, above, l->chain.bone[i]);
    }
    double length = 0;
    l->to_tip[count] = 0;
    l->tip = l->joints[count - 1];
    for (uint32_t p = 0; p < b->m->point_count; ++p) {
        if (heaviest_bone(b, p) != l->chain.bone[count - 1]) continue;
        double distance = length_of(minus(b->r->rest[p], l->joints[count - 1]));
        if (!(distance > length)) continue;
        length = distance;
        l->tip = b->r->rest[p];
    }
    for (uint32_t i = count; i-- > 0;) {
        l->to_tip[i] = length / b->height;
        if (i > 0) length += length_of(minus(l->joints[i], l->joints[i - 1]));
    }

    l->first_on_ground = count;
    for (uint32_t p = 0; p < b->m->point_count; ++p) {
        uint32_t i = index_in(&l->chain, heaviest_bone(b, p));
        if (rests_on_ground(b, p) && i < l->first_on_ground) l->first_on_ground = i;
    }
}

/* -- Checks of trunk and legs ------------------------------------------------------------------ */

/* Returns how far the head is in front of the hips, relative to how far it is above them. */
static double find_lean(const body *b)
{
    vec3 sum = make_vec3(0, 0, 0);
    for (uint32_t i = 0; i < b->stand_count; ++i) {
        uint32_t f = b->stand[i];
        sum = add(sum, center_in_frame(b, b->head, f));
        sum = minus(sum, center_in_frame(b, b->trunk.bone[0], f));
    }
    return sqrt(sum.x * sum.x + sum.y * sum.y) / fmax(sum.z, 1e-9);
}

/* A leg goes down from the hips. The hem of a robe begins on the ground. */
static bool goes_down(const body *b, const bone_list *leg)
{
    double first = b->level[leg->bone[0]], last = b->level[leg->bone[leg->count - 1]];
    return first > least_leg_level && (leg->count == 1 || last < first);
}

/* Fills b->lateral from the hip joints. */
static void find_lateral(body *b)
{
    for (uint32_t f = 0; f < b->m->frame_count; ++f) {
        const limb *one = &b->legs[LEFT], *other = &b->legs[RIGHT];
        vec3 across = minus(joint_in_frame(b, one->root, one->joints[0], f),
                            joint_in_frame(b, other->root, other->joints[0], f));
        across.z = 0;
        double length = length_of(across);
        b->lateral[f] = length > 0 ? scaled(across, 1 / length) : make_vec3(0, 1, 0);
    }
}

/* Exchanges left and right if they are wrong. A model that stands with one shoulder in front still
   runs forward, so the gait decides. */
static void settle_sides(body *b)
{
    double left = 0;
    for (uint32_t i = 0; i < b->gait_count; ++i) left += b->lateral[b->gait[i]].y;
    if (left >= 0) return;

    limb     leg = b->legs[LEFT];
    double  *to_foot = b->to_feet[LEFT];
    uint32_t foot = b->feet.bones[LEFT];
    b->legs[LEFT] = b->legs[RIGHT];
    b->legs[RIGHT] = leg;
    b->to_feet[LEFT] = b->to_feet[RIGHT];
    b->to_feet[RIGHT] = to_foot;
    b->feet.bones[LEFT] = b->feet.bones[RIGHT];
    b->feet.bones[RIGHT] = foot;
    for (uint32_t i = 0; i < b->r->bone_count; ++i) b->side[i] = -b->side[i];
    for (uint32_t f = 0; f < b->m->frame_count; ++f) b->lateral[f] = scaled(b->lateral[f], -1);
}

/* -- Arms -------------------------------------------------------------------------------------- */

/* Returns the bones at the points that are farthest from the feet and from each other. */
static bone_list find_tips(const body *b)
{
    uint32_t  points = b->m->point_count;
    double   *distances = (double *)allocate(2 * (size_t)points, sizeof *distances);
    double   *nearest = distances + points;
    bone_list tips = { 0, { 0 } };
    for (uint32_t p = 0; p < points; ++p) {
        nearest[p] = fmin(b->to_feet[LEFT][p], b->to_feet[RIGHT][p]);
    }
    for (int i = 0; i < 2 * MOST_TIPS && tips.count < MOST_TIPS; ++i) {
        uint32_t tip = 0;
        for (uint32_t p = 1; p < points; ++p) {
            if (nearest[p] > nearest[tip]) tip = p;
        }
        skin_distances(b, tip, distances);
        uint32_t bone = heaviest_bone(b, tip);
        if (!contains(&tips, bone)) append_bone(&tips, bone);
        for (uint32_t p = 0; p < points; ++p) nearest[p] = fmin(nearest[p], distances[p]);
    }
    release(distances);
    return tips;
}

/* Returns the number of bones that two arms have in common. These belong to the chest. */
static uint32_t count_common(const limb *a, const limb *b)
{
    uint32_t i = 0;
    while (i < a->chain.count && i < b->chain.count && a->chain.bone[i] == b->chain.bone[i]) ++i;
    return i;
}

/* Returns the mean position of a bone relative to another, forward and to the left of the hips. */
static vec3 relative_to(const body *b, uint32_t bone, uint32_t from)
{
    vec3 sum = make_vec3(0, 0, 0);
    for (uint32_t i = 0; i < b->stand_count + b->gait_count; ++i) {
        uint32_t f = i < b->stand_count ? b->stand[i] : b->gait[i - b->stand_count];
        vec3     offset = minus(center_in_frame(b, bone, f), center_in_frame(b, from, f));
        vec3     left = b->lateral[f], forward = make_vec3(left.y, -left.x, 0);
        sum = add(sum, make_vec3(dot(offset, forward), dot(offset, left), offset.z));
    }
    return scaled(sum, 1 / (b->height * (b->stand_count + b->gait_count)));
}

/* An arm reaches far, and is in front of the chest more often than a wing or a cape, which may be
   longer. */
static double score_arm(const body *b, const limb *arm, uint32_t common)
{
    double forward = relative_to(b, arm->chain.bone[arm->chain.count - 1], arm->root).x;
    return fmin(arm->to_tip[common], 0.5) + 2 * forward;
}

/* The part of an arm that is farthest from the middle is on the arm's side of the chest. */
static bool is_on_side(const body *b, const limb *arm, uint32_t common, double side)
{
    const double least = 0.03;
    double       most = 0;
    uint32_t     root = common > 0 ? arm->chain.bone[common - 1] : arm->root;
    for (uint32_t i = common; i < arm->chain.count; ++i) {
        double out = side * relative_to(b, arm->chain.bone[i], root).y;
        if (fabs(out) > fabs(most)) most = out;
    }
    return most > least;
}

/* Returns how good two paths are as the left and the right arm: the score of the worse arm, reduced
   by their difference in length. */
static double score_arms(const body *b, const limb *left, const limb *right)
{
    uint32_t common = count_common(left, right);
    if (common == left->chain.count || common == right->chain.count) return -HUGE_VAL;
    if (!is_on_side(b, left, common, 1) || !is_on_side(b, right, common, -1)) return -HUGE_VAL;

    double reach = left->to_tip[common], other = right->to_tip[common];
    double unlike = 1 - fmin(reach, other) / fmax(reach, other);
    return fmin(score_arm(b, left, common), score_arm(b, right, common)) - 0.5 * unlike;
}

static void move_to_trunk(body *b, uint32_t common)
{
    limb *left = &b->arms[LEFT], *right = &b->arms[RIGHT];
    for (uint32_t i = 0; i < common; ++i) {
        uint32_t above = index_in(&b->trunk, left->root) + 1;
        if (above == b->trunk.count) --above; /* the head stays the end */
        insert_bone(&b->trunk, above, left->chain.bone[0]);
        left->root = remove_first(&left->chain);
        right->root = remove_first(&right->chain);
    }
    measure_limb(b, left);
    measure_limb(b, right);
}

static void find_arms(body *b)
{
    limb      list[MOST_TIPS];
    uint32_t  count = 0, before[MOST_BONES];
    double    distances[MOST_BONES], best = -HUGE_VAL;
    bone_list tips = find_tips(b), rest = b->trunk;
    for (int k = 0; k < SIDES; ++k) {
        const bone_list *leg = &b->legs[k].chain;
        for (uint32_t i = 0; i < leg->count; ++i) append_bone(&rest, leg->bone[i]);
    }
    bone_distances(b, &rest, distances, before);
    for (uint32_t i = 0; i < tips.count; ++i) {
        limb *arm = &list[count];
        memset(arm, 0, sizeof *arm);
        arm->chain = path_to(before, tips.bone[i]);
        arm->root = remove_first(&arm->chain);
        if (arm->chain.count == 0 || !contains(&b->trunk, arm->root)) continue;
        if (arm->root == b->head) continue;
        measure_limb(b, arm);
        ++count;
    }

    b->has_arms = false;
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < count; ++k) {
            double score = score_arms(b, &list[i], &list[k]);
            if (!(score > best)) continue;
            best = score;
            b->arms[LEFT] = list[i];
            b->arms[RIGHT] = list[k];
            b->has_arms = true;
        }
    }
    if (b->has_arms) move_to_trunk(b, count_common(&b->arms[LEFT], &b->arms[RIGHT]));
}

/* -- The joints of limbs ----------------------------------------------------------------------- */

typedef struct limb_rule {
    const char *names[LIMB_PARTS];
    double      last_joint;           /* usual place, as a fraction of the limb */
    bool        is_leg;
} limb_rule;

typedef struct cut {
    uint32_t first, middle, end;      /* the bones that begin the parts: indices in the chain; its
                                         count if no bone does */
    double   score;
} cut;

/* Returns how good the joint above a bone is as a joint that is usually at `place`. */
static double score_joint(const limb *l, uint32_t first, uint32_t i, double place, bool is_foot)
{
    if (i == l->chain.count) return lacks_joint;
    double offset = (1 - l->to_tip[i] / l->to_tip[first] - place) / joint_spread;

    /* The first bone on the ground is a foot, whatever its size. Toes may follow. */
    if (is_foot && i == l->first_on_ground) offset = 0;
    return log(l->bends[i] + 0.03) - offset * offset / 2;
}

/* Returns how different two cuts are. */
static double difference(const limb *left, const cut *a, const limb *right, const cut *b)
{
    double spread = joint_spread * left->to_tip[a->first];
    double first = left->to_tip[a->first] - right->to_tip[b->first];
    double middle = left->to_tip[a->middle] - right->to_tip[b->middle];
    double end = left->to_tip[a->end] - right->to_tip[b->end];
    double upper = first - middle, lower = middle - end;
    (void)upper;(void)lower;
    return (first*first+lower*lower+upper*upper) / (2 * spread * spread);
}

/* Lists all cuts of a limb. The joint above its first bone may be that of a shoulder blade. */
static uint32_t list_cuts(const limb *l, const limb_rule *rule, cut *cuts)
{
    uint32_t joints = l->chain.count, count = 0;
    for (uint32_t first = 0; first < joints; ++first) {
        for (uint32_t middle = first + 1; middle <= joints; ++middle) {
            for (uint32_t end = middle < joints ? middle + 1 : joints; end <= joints; ++end) {
                if (count == MOST_CUTS) return count;
                cut *c = &cuts[count++];
                c->first = first;
                c->middle = middle;
                c->end = end;
                c->score = score_joint(l, first, first, 0, false) +
                           score_joint(l, first, middle, middle_joint, false) +
                           score_joint(l, first, end, rule->last_joint, rule->is_leg);
            }
        }
    }
    return count;
}

/* Divides two limbs where they bend most, near the usual places, and alike. */
static void cut_limbs(const limb limbs[SIDES], const limb_rule *rule, cut best[SIDES])
{
    cut        lefts[MOST_CUTS], rights[MOST_CUTS];
    uint32_t   left_count = list_cuts(&limbs[LEFT], rule, lefts);
    uint32_t   right_count = list_cuts(&limbs[RIGHT], rule, rights);
    double     most = -HUGE_VAL;
    for (uint32_t i = 0; i < left_count; ++i) {
        for (uint32_t k = 0; k < right_count; ++k) {
            double score = lefts[i].score + rights[k].score -
                           difference(&limbs[LEFT], &lefts[i], &limbs[RIGHT], &rights[k]);
            if (!(score > most)) continue;
            most = score;
            best[LEFT] = lefts[i];
            best[RIGHT] = rights[k];
        }
    }
}

/* -- Splitting bones --------------------------------------------------------------------------- */

/* Returns the point of a bone that is farthest from a position, at rest. */
static vec3 farthest_point(const body *b, uint32_t bone, vec3 from)
{
    vec3   best = from;
    double most = 0;
    for (uint32_t p = 0; p < b->m->point_count; ++p) {
        double distance = length_of(minus(b->r->rest[p], from));
        if (heaviest_bone(b, p) != bone || !(distance > most)) continue;
        most = distance;
        best = b->r->rest[p];
    }
    return best;
}

/* Splits a bone into the points within `reach` of a position and the others, at rest. The new bone
   gets the points within reach. It has the same transforms until the next fit. Returns NONE if
   there is no room for a bone, or if one of the two bones would have no points. */
static uint32_t split_bone(body *b, uint32_t bone, vec3 position, double reach)
{
    rig     *r = b->r;
    uint32_t added = r->bone_count, near = 0, far = 0;
    if (added == MOST_BONES) return NONE;
    for (uint32_t p = 0; p < b->m->point_count; ++p) {
        if (heaviest_bone(b, p) != bone) continue;
        ++*(length_of(minus(r->rest[p], position)) < reach ? &near : &far);
    }
    if (near == 0 || far == 0) return NONE;

    for (uint32_t p = 0; p < b->m->point_count; ++p) {
        point_weights *w = &r->weights[p];
        if (!(length_of(minus(r->rest[p], position)) < reach)) continue;
        for (uint32_t i = 0; i < w->count; ++i) {
            if (w->bone[i] == bone) w->bone[i] = added;
        }
    }
    memcpy(transforms_of(b->m, r, added), transforms_of(b->m, r, bone),
           b->m->frame_count * sizeof(rigid_transform));
    r->parents[added] = NO_PARENT_YET;
    r->slides[added] = true;
    r->names[added][0] = 0;
    ++r->bone_count;
    return added;
}

/* Gives a limb a bone for its last part, or for its last two parts, if it has none. */
static void complete_limb(body *b, limb *l, cut *c, const limb_rule *rule, double length)
{
    for (int part = c->middle == l->chain.count ? 1 : 2; part < LIMB_PARTS; ++part) {
        uint32_t *index = part == 1 ? &c->middle : &c->end, last = l->chain.count - 1;
        double    place = part == 1 ? middle_joint : rule->last_joint;
        if (*index < l->chain.count) continue;

        /* The bone is the last part of the limb, at least half of it if the limb is short. */
        vec3   start = farthest_point(b, l->chain.bone[last], l->tip);
        double own = length_of(minus(l->tip, start)), wanted = (1 - place) * length * b->height;
        double fraction = fmin(wanted / own, 0.6);
        uint32_t added = split_bone(b, l->chain.bone[last], l->tip, fraction * own);
        if (added == NONE) return;
        append_bone(&l->chain, added);
        l->to_tip[last + 1] = fraction * own / b->height;
        l->to_tip[last + 2] = 0;
        *index = last + 1;
        if (part == 1) c->end = last + 2;
    }
}

/* Splits the hips if they carry both arms, or if nothing is between them and the head. */
static void settle_chest(body *b)
{
    enum { FAR = 100 };               /* a sphere of this radius is nearly a plane */
    uint32_t hips = b->trunk.bone[0], on_hips = 0;
    for (int k = 0; k < SIDES; ++k) on_hips += b->has_arms && b->arms[k].root == hips;
    if (b->trunk.count > 2 && on_hips == 1) {
        uint32_t chest = b->arms[b->arms[LEFT].root == hips ? RIGHT : LEFT].root;
        b->arms[LEFT].root = b->arms[RIGHT].root = chest;
    }
    if (b->trunk.count > 2 && on_hips < 2) return;

    vec3     low = scaled(add(b->legs[LEFT].joints[0], b->legs[RIGHT].joints[0]), 0.5);
    vec3     up = minus(center_of(b->m, b->r, b->trunk.bone[1]), low);
    uint32_t chest = split_bone(b, hips, add(low, scaled(up, FAR)), (FAR - 0.4) * length_of(up));
    if (chest == NONE) return;
    insert_bone(&b->trunk, 1, chest);
    for (int k = 0; k < SIDES; ++k) {
        if (b->has_arms && b->arms[k].root == hips) b->arms[k].root = chest;
    }
}

/* -- Names ------------------------------------------------------------------------------------- */

/* Names a bone that has a role. A second bone with the same role is a helper. */
static void name_role(body *b, uint32_t bone, const char *role, const char *side)
{
    snprintf(b->r->names[bone], BONE_NAME_ROOM, "%s%s", role, side);
}

uint32_t tag_of_mesh(const motion *m)
{
    uint32_t hash = 2166136261u ^ m->point_count; /* FNV-1a */
    for (uint32_t i = 0; i < m->corner_count; ++i) hash = (hash ^ m->corners[i]) * 16777619u;
    return (hash ^ hash >> 16) & 0xffff;
}

static bool is_taken(const rig *r, uint32_t bone)
{
    for (uint32_t i = 0; i < r->bone_count; ++i) {
        if (i != bone && strcmp(r->names[i], r->names[bone]) == 0) return true;
    }
    return false;
}

/* Names a helper of a bone, as "head_helper_3f9a". The tag keeps animations of another model, whose
   helper of the head is hair where this one is a jaw, from moving it. Names have no dots because
   three.js drops them. */
static void name_helper(body *b, uint32_t bone, const char *helped)
{
    char    *name = b->r->names[bone];
    unsigned tag = tag_of_mesh(b->m);
    snprintf(name, BONE_NAME_ROOM, "%.11s_helper_%04x", helped, tag);
    for (unsigned number = 2; is_taken(b->r, bone); ++number) {
        snprintf(name, BONE_NAME_ROOM, "%.11s_helper_%04x_%u", helped, tag, number);
    }
}

static void name_part(body *b, const bone_list *chain, uint32_t from, uint32_t to, uint32_t main,
                      const char *role, const char *side)
{
    if (main >= to) return;
    name_role(b, chain->bone[main], role, side);
    for (uint32_t i = from; i < to; ++i) {
        if (i != main) name_helper(b, chain->bone[i], b->r->names[chain->bone[main]]);
    }
}

static void name_limbs(body *b, limb limbs[SIDES], const limb_rule *rule)
{
    static const char *const sides[SIDES] = { "_l", "_r" };
    cut                      cuts[SIDES];
    cut_limbs(limbs, rule, cuts);
    for (int k = 0; k < SIDES; ++k) {
        double length = limbs[k].to_tip[cuts[k].first];
        complete_limb(b, &limbs[k], &cuts[k], rule, length);
        const bone_list *chain = &limbs[k].chain;
        cut              c = cuts[k];
        name_part(b, chain, 0, c.middle, c.first, rule->names[0], sides[k]);
        name_part(b, chain, c.middle, c.end, c.middle, rule->names[1], sides[k]);
        name_part(b, chain, c.end, chain->count, c.end, rule->names[2], sides[k]);
    }
}

/* The chest carries the arms. The head is the first bone above the chest that is not much lighter
   than another. */
static void name_trunk(body *b)
{
    uint32_t count = b->trunk.count, chest = count - 2, above = count - 1;
    double   most = 0;
    if (b->has_arms) {
        uint32_t i = index_in(&b->trunk, b->arms[LEFT].root);
        uint32_t k = index_in(&b->trunk, b->arms[RIGHT].root);
        chest = i < k ? i : k;
        above = (i < k ? k : i) + 1;
        if (chest == 0) chest = 1;
        if (above < 2) above = 2;
        if (above >= count) above = count - 1;
        if (chest >= above) chest = above - 1;
    }
    for (uint32_t i = above; i < count; ++i) most = fmax(most, b->mass[b->trunk.bone[i]]);
    uint32_t head = above;
    while (head < count && b->mass[b->trunk.bone[head]] < 0.5 * most) ++head;

    name_part(b, &b->trunk, 0, 1, 0, "hips", "");
    name_part(b, &b->trunk, 1, chest, 1, "spine", "");
    name_part(b, &b->trunk, chest, above, chest, "chest", "");
    name_part(b, &b->trunk, above, head, above, "neck", "");
    name_part(b, &b->trunk, head, count, head, "head", "");
}

/* A bone without a role is a helper of the nearest bone that has a name. */
static void name_helpers(body *b)
{
    bone_list named = { 0, { 0 } };
    double    distances[MOST_BONES];
    uint32_t  before[MOST_BONES];
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        if (b->r->names[i][0]) append_bone(&named, i);
    }
    bone_distances(b, &named, distances, before);
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        if (before[i] == NONE) continue;
        b->r->parents[i] = (int32_t)before[i];

        char helped[BONE_NAME_ROOM];
        snprintf(helped, sizeof helped, "%s", b->r->names[path_to(before, i).bone[0]]);
        char *helper = strstr(helped, "_helper");
        if (helper) *helper = 0;
        name_helper(b, i, helped);
    }
}

/* -- All --------------------------------------------------------------------------------------- */

static void set_parents(body *b, const bone_list *chain, int32_t root)
{
    for (uint32_t i = 0; i < chain->count; ++i) {
        b->r->parents[chain->bone[i]] = i == 0 ? root : (int32_t)chain->bone[i - 1];
    }
}

static bool miss(body *b, const char *reason)
{
    if (!b->missing) b->missing = reason;
    return false;
}

/* Arms of several bones prove a humanoid. Without such arms it has to walk upright, with knees. */
static bool has_proof(const body *b)
{
    if (b->has_arms && b->arms[LEFT].chain.count > 1 && b->arms[RIGHT].chain.count > 1) return true;
    bool has_knees = b->legs[LEFT].chain.count > 1 && b->legs[RIGHT].chain.count > 1;
    return has_knees && b->feet.swing < most_swing && find_lean(b) < most_lean / 2;
}

/* Finds the body that stands on a pair of feet. */
static bool find_body_on(body *b, const foot_pair *feet, bool has_heading)
{
    b->feet = *feet;
    measure_sides(b);
    if (!find_head(b)) return miss(b, "no head was found");
    if (!find_trunk(b)) return miss(b, "trunk and legs are not separate");
    for (int k = 0; k < SIDES; ++k) measure_limb(b, &b->legs[k]);
    if (find_lean(b) > most_lean) return miss(b, "it does not stand upright");
    for (int k = 0; k < SIDES; ++k) {
        if (!goes_down(b, &b->legs[k].chain)) return miss(b, "no legs were found");
    }
    find_lateral(b);
    if (!has_heading) {
        face_by_pose(b);
        measure_positions(b);
        find_lateral(b);
    }
    settle_sides(b);
    find_arms(b);
    return has_proof(b) || miss(b, "legs do not swing, and no arms were found");
}

static bool find_body(body *b, mat3 axes)
{
    b->missing = NULL;
    b->r->axes = axes;
    bool has_heading = face_by_gait(b);
    measure_positions(b);
    measure_levels(b);
    b->skin.count = b->bones.count = 0;
    link_edges(b);
    link_pieces(b);
    link_bones(b);

    foot_pair pairs[MOST_PAIRS + 1];
    uint32_t  count = list_foot_pairs(b, pairs);
    for (uint32_t i = 0; i < count; ++i) {
        if (find_body_on(b, &pairs[i], has_heading)) return true;
    }
    if (count == 0) miss(b, "no feet were found");
    return false;
}

/* Compares bodies along different axes: the body with arms that is more upright is right. */
static double find_doubt(const body *b)
{
    return find_lean(b) + (b->has_arms ? 0 : most_lean);
}

static void name_body(body *b)
{
    const limb_rule leg_rule = { { "thigh", "shin", "foot" }, ankle, true };
    const limb_rule arm_rule = { { "upper_arm", "forearm", "hand" }, wrist, false };
    name_limbs(b, b->legs, &leg_rule);
    if (b->has_arms) name_limbs(b, b->arms, &arm_rule);
    settle_chest(b);
    name_trunk(b);
    set_parents(b, &b->trunk, -1);
    for (int k = 0; k < SIDES; ++k) {
        set_parents(b, &b->legs[k].chain, (int32_t)b->legs[k].root);
        if (b->has_arms) set_parents(b, &b->arms[k].chain, (int32_t)b->arms[k].root);
    }
    name_helpers(b);
}

static void begin_body(body *b, const motion *m, rig *r)
{
    size_t points = m->point_count, frames = m->frame_count;
    b->m = m;
    b->r = r;
    b->stand_count = list_frames(m, is_stand, &b->stand);
    b->gait_count = list_frames(m, is_gait, &b->gait);
    b->positions = (vec3 *)allocate(points * frames, sizeof *b->positions);
    b->centers = (vec3 *)allocate(r->bone_count * frames, sizeof *b->centers);
    b->lateral = (vec3 *)allocate(frames, sizeof *b->lateral);
    b->levels = (double *)allocate(points, sizeof *b->levels);
    for (int k = 0; k < SIDES; ++k) {
        b->to_feet[k] = (double *)allocate(points, sizeof *b->to_feet[k]);
    }
    for (uint32_t i = 0; i < r->bone_count; ++i) b->mass[i] = mass_of(m, r, i);
}

static void end_body(body *b)
{
    release(b->stand);
    release(b->gait);
    release(b->positions);
    release(b->centers);
    release(b->lateral);
    release(b->levels);
    release(b->skin.links);
    release(b->bones.links);
    release(b->to_feet[LEFT]);
    release(b->to_feet[RIGHT]);
}

void name_bones(const motion *m, rig *r)
{
    static const mat3 z_up = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    static const mat3 y_up = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } };
    for (uint32_t i = 0; i < r->bone_count; ++i) r->parents[i] = NO_PARENT_YET;
    memset(r->names, 0, sizeof r->names);
    r->axes = z_up;
    r->unnamed = "it has more than 2,048 points";
    if (m->point_count > MOST_NAMED_POINTS) return;

    body *b = (body *)allocate(1, sizeof *b);
    begin_body(b, m, r);

    /* A file with Y up is rare, so such a body needs arms. */
    double doubt = find_body(b, y_up) ? find_doubt(b) : HUGE_VAL;
    bool   is_found = find_body(b, z_up);
    if (doubt < fmin(most_lean, is_found ? find_doubt(b) : HUGE_VAL)) is_found = find_body(b, y_up);

    r->unnamed = b->missing;
    if (is_found) {
        r->unnamed = b->has_arms ? NULL : "no arms were found";
        name_body(b);
    } else {
        r->axes = z_up;
    }
    end_body(b);
    release(b);
}
