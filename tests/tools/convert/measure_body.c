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

void skin_distances(const body *b, uint32_t from, double *distances)
{
    for (uint32_t p = 0; p < b->m->point_count; ++p) distances[p] = p == from ? 0 : HUGE_VAL;
    find_paths(&b->skin, distances, NULL);
}

void bone_distances(const body *b, const bone_list *from, double distances[MOST_BONES],
                    uint32_t before[MOST_BONES])
{
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        distances[i] = has_bone(from, i) ? 0 : HUGE_VAL;
        before[i] = NONE;
    }
    find_paths(&b->bones, distances, before);
}

bone_list path_to(const uint32_t *before, uint32_t bone)
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

bool is_gait(const char *anim)
{
    return contains_text(anim, "run") || contains_text(anim, "walk") || contains_text(anim, "forward");
}

/* Lists the frames of all animations with such a name; all frames if there is none. */
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

vec3 mean_offset(const body *b, uint32_t bone, uint32_t from, const frame_list *frames)
{
    vec3 sum = make_vec3(0, 0, 0);
    for (uint32_t i = 0; i < frames->count; ++i) {
        uint32_t f = frames->frames[i];
        sum = add(sum, minus(center_in_frame(b, bone, f), center_in_frame(b, from, f)));
    }
    return scaled(sum, 1.0 / frames->count);
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

void measure_levels(body *b)
{
    uint32_t points = b->m->point_count;
    b->height = 1e-9;
    memset(b->levels, 0, points * sizeof *b->levels);
    for (uint32_t i = 0; i < b->stand.count; ++i) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (uint32_t p = 0; p < points; ++p) {
            double z = position_in_frame(b, p, b->stand.frames[i]).z;
            low = fmin(low, z);
            high = fmax(high, z);
            b->levels[p] += z / b->stand.count;
        }
        for (uint32_t p = 0; p < points; ++p) b->levels[p] -= low / b->stand.count;
        b->height += (high - low) / b->stand.count;
    }
    for (uint32_t p = 0; p < points; ++p) b->levels[p] /= b->height;
}

bool rests_on_ground(const body *b, uint32_t point)
{
    return b->levels[point] < on_ground;
}

/* -- The skin ---------------------------------------------------------------------------------- */

/* Returns the mean distance of two points. Every few frames are enough. */
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

/* Links separate pieces (eyes, belts, the parts of a robot). The pieces that are nearest to each
   other are linked first, by all pairs of points that are about as near. */
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

/* Links the bones that touch. A joint whose position differs in both bones makes the link longer,
   so that a hand in a pocket is no path to the thigh. */
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
    b->stand = list_frames(m, is_stand);
    b->gait = list_frames(m, is_gait);
    b->levels = (double *)allocate(m->point_count, sizeof *b->levels);
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
    release(b->stand.frames);
    release(b->gait.frames);
    release(b->levels);
    release(b->skin.links);
    release(b->bones.links);
    release(b->to_feet[LEFT]);
    release(b->to_feet[RIGHT]);
}
