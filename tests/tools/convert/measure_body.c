/* measure_body.c - heights, and distances over the skin and from bone to bone. Public domain. */
#include "body.h"

/* -- Lists ------------------------------------------------------------------------------------- */

uint32_t index_in(const bone_list *l, uint32_t bone)
{
    uint32_t i = 0;
    while (i < l->count && l->bone[i] != bone) ++i;
    return i;
}

bool has_bone(const bone_list *l, uint32_t bone)
{
    return index_in(l, bone) < l->count;
}

void insert_bone(bone_list *l, uint32_t index, uint32_t bone)
{
    for (uint32_t i = l->count++; i > index; --i) l->bone[i] = l->bone[i - 1];
    l->bone[index] = bone;
}

void append_bone(bone_list *l, uint32_t bone)
{
    insert_bone(l, l->count, bone);
}

uint32_t remove_first(bone_list *l)
{
    uint32_t first = l->bone[0];
    --l->count;
    for (uint32_t i = 0; i < l->count; ++i) l->bone[i] = l->bone[i + 1];
    return first;
}

/* -- Paths ------------------------------------------------------------------------------------- */

static void add_link(graph *n, uint32_t a, uint32_t b, double length)
{
    if (n->count == n->room) {
        n->room = 2 * n->room + 64;
        n->links = (graph_link *)reallocate(n->links, n->room * sizeof *n->links);
    }
    graph_link added = { a, b, length };
    n->links[n->count++] = added;
}

/* Finds the shortest paths from all nodes whose distance is 0 to the other nodes (Bellman-Ford). The
   caller sets the distances of the other nodes to HUGE_VAL, which a node keeps if no path leads to
   it. `previous` [nodes] may be NULL. The caller fills it with NONE; it gets the previous node of each
   path. */
static void find_paths(const graph *n, double *distances, uint32_t *previous)
{
    for (bool is_shorter = true; is_shorter;) {
        is_shorter = false;
        for (uint32_t i = 0; i < n->count; ++i) {
            graph_link l = n->links[i];
            bool     is_back = distances[l.b] < distances[l.a];
            uint32_t from = is_back ? l.b : l.a, to = is_back ? l.a : l.b;
            if (!(distances[from] + l.length < distances[to])) continue;
            distances[to] = distances[from] + l.length;
            if (previous) previous[to] = from;
            is_shorter = true;
        }
    }
}

void skin_distances(const body *b, uint32_t from, double *distances)
{
    for (uint32_t p = 0; p < b->m->point_count; ++p) distances[p] = p == from ? 0 : HUGE_VAL;
    find_paths(&b->skin, distances, NULL);
}

void bone_distances(const body *b, const bone_list *from, double distances[MOST_BONES],
                    uint32_t previous[MOST_BONES])
{
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        distances[i] = has_bone(from, i) ? 0 : HUGE_VAL;
        previous[i] = NONE;
    }
    find_paths(&b->bones, distances, previous);
}

bone_list path_to(const uint32_t *previous, uint32_t bone)
{
    bone_list path = { 0, { 0 } };
    for (; bone != NONE; bone = previous[bone]) insert_bone(&path, 0, bone);
    return path;
}

/* -- Frames ------------------------------------------------------------------------------------ */

static bool is_stand(const char *anim)
{
    return contains_text(anim, "stand") || contains_text(anim, "idle");
}

bool is_gait(const char *anim)
{
    return contains_text(anim, "run") || contains_text(anim, "walk") || contains_text(anim, "forward");
}

/* Lists the frames of all animations whose names pass `is_listed`. If no name passes, lists all frames. */
static frame_list list_frames(const motion *m, bool (*is_listed)(const char *anim))
{
    frame_list list = { 0, NULL };
    list.frames = (uint32_t *)allocate(m->frame_count, sizeof *list.frames);
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        if (is_listed(m->anim_names[f])) list.frames[list.count++] = f;
    }
    if (list.count > 0) return list;
    for (; list.count < m->frame_count; ++list.count) list.frames[list.count] = list.count;
    return list;
}

uint32_t anim_end(const motion *m, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < m->frame_count && strcmp(m->anim_names[end], m->anim_names[first]) == 0) ++end;
    return end;
}

/* -- Positions --------------------------------------------------------------------------------- */

vec3 position_in_frame(const body *b, uint32_t point, uint32_t frame)
{
    return rotate_back(b->r->axes, b->m->positions[(size_t)point * b->m->frame_count + frame]);
}

vec3 joint_in_frame(const body *b, uint32_t bone, vec3 joint, uint32_t frame)
{
    const rigid_transform *t = &transforms_of(b->m, b->r, bone)[frame];
    return rotate_back(b->r->axes, transform_point(t, joint));
}

vec3 center_in_frame(const body *b, uint32_t bone, uint32_t frame)
{
    return joint_in_frame(b, bone, b->centers[bone], frame);
}

uint32_t heaviest_bone(const body *b, uint32_t point)
{
    return b->r->weights[point].bone[0];
}

double mean_over_bone(const body *b, uint32_t bone, const double *numbers)
{
    double sum = 0;
    for (uint32_t p = 0; p < b->m->point_count; ++p) {
        sum += weight_of(&b->r->weights[p], bone) * numbers[p];
    }
    return sum / mass_of(b->m, b->r, bone);
}

void measure_ground_heights(body *b)
{
    uint32_t points = b->m->point_count;
    b->height = 1e-9;
    memset(b->ground_heights, 0, points * sizeof *b->ground_heights);
    for (uint32_t i = 0; i < b->stand_frames.count; ++i) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (uint32_t p = 0; p < points; ++p) {
            double z = position_in_frame(b, p, b->stand_frames.frames[i]).z;
            low = fmin(low, z);
            high = fmax(high, z);
            b->ground_heights[p] += z / b->stand_frames.count;
        }
        for (uint32_t p = 0; p < points; ++p) b->ground_heights[p] -= low / b->stand_frames.count;
        b->height += (high - low) / b->stand_frames.count;
    }
    for (uint32_t p = 0; p < points; ++p) b->ground_heights[p] /= b->height;
}

bool rests_on_ground(const body *b, uint32_t point)
{
    return b->ground_heights[point] < on_ground;
}

/* -- The skin ---------------------------------------------------------------------------------- */

/* Returns the mean distance of two points over at most 32 frames. */
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

/* Numbers the separate pieces of the skin: a piece has the number of its first point. */
static void number_pieces(const body *b, uint32_t *pieces)
{
    for (uint32_t p = 0; p < b->m->point_count; ++p) pieces[p] = p;
    for (bool changes = true; changes;) {
        changes = false;
        for (uint32_t i = 0; i < b->skin.count; ++i) {
            uint32_t *a = &pieces[b->skin.links[i].a], *c = &pieces[b->skin.links[i].b];
            if (*a == *c) continue;
            *a = *c = *a < *c ? *a : *c;
            changes = true;
        }
    }
}

/* Links separate pieces (eyes, belts, the parts of a robot). Each pass finds the smallest gap between
   two pieces, and links all pairs of points whose gap is about as small. */
static void link_pieces(body *b)
{
    uint32_t  points = b->m->point_count;
    uint32_t *pieces = (uint32_t *)allocate(points, sizeof *pieces);
    float    *gaps = (float *)allocate((size_t)points * points, sizeof *gaps);
    for (uint32_t p = 0; p < points; ++p) {
        for (uint32_t q = 0; q < p; ++q) {
            gaps[(size_t)p * points + q] = (float)mean_distance(b->m, p, q);
        }
    }
    for (;;) {
        double least = HUGE_VAL;
        number_pieces(b, pieces);
        for (uint32_t p = 0; p < points; ++p) {
            for (uint32_t q = 0; q < p; ++q) {
                if (pieces[p] != pieces[q]) least = fmin(least, (double)gaps[(size_t)p * points + q]);
            }
        }
        if (!(least < HUGE_VAL)) break;

        double most = gap_factor * least + gap_slack * b->m->step;
        for (uint32_t p = 0; p < points; ++p) {
            for (uint32_t q = 0; q < p; ++q) {
                double gap = (double)gaps[(size_t)p * points + q];
                if (pieces[p] != pieces[q] && gap <= most) add_link(&b->skin, p, q, gap);
            }
        }
    }
    release(pieces);
    release(gaps);
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

/* Links the bones whose points touch. The link is longer if the two bones do not share a joint: no
   path should lead through a hand in a pocket to the thigh. */
static void link_bones(body *b)
{
    bool *touches = (bool *)allocate(MOST_BONES * MOST_BONES, sizeof *touches);
    for (uint32_t i = 0; i < b->skin.count; ++i) {
        uint32_t k = heaviest_bone(b, b->skin.links[i].a), l = heaviest_bone(b, b->skin.links[i].b);
        touches[k * MOST_BONES + l] = touches[l * MOST_BONES + k] = true;
    }
    for (uint32_t k = 0; k < b->r->bone_count; ++k) {
        for (uint32_t l = 0; l < k; ++l) {
            if (!touches[k * MOST_BONES + l]) continue;
            pair_joint joint = find_pair_joint(b->m, b->r, k, l);
            if (!joint.is_there) continue;
            double length = distance_of_centers(b, k, l) + misfit_factor * joint.misfit + joint.gap;
            add_link(&b->bones, k, l, length);
        }
    }
    release(touches);
}

/* -- All --------------------------------------------------------------------------------------- */

void begin_body(body *b, const motion *m, rig *r)
{
    memset(b, 0, sizeof *b);
    b->m = m;
    b->r = r;
    b->stand_frames = list_frames(m, is_stand);
    b->gait_frames = list_frames(m, is_gait);
    b->ground_heights = (double *)allocate(m->point_count, sizeof *b->ground_heights);
    for (int k = 0; k < SIDES; ++k) {
        b->to_feet[k] = (double *)allocate(m->point_count, sizeof *b->to_feet[k]);
    }
    for (uint32_t i = 0; i < r->bone_count; ++i) b->centers[i] = center_of(m, r, i);
    link_edges(b);
    link_pieces(b);
    link_bones(b);
}

void end_body(body *b)
{
    release(b->stand_frames.frames);
    release(b->gait_frames.frames);
    release(b->ground_heights);
    release(b->skin.links);
    release(b->bones.links);
    release(b->to_feet[LEFT]);
    release(b->to_feet[RIGHT]);
}
