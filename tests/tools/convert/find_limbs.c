/* find_limbs.c - finds the arms, and the knees, elbows, ankles and wrists of all limbs. Public
   domain. */
#include "body.h"

/* Returns the largest error of a limb's tip halfway between two frames, if the tip followed a bone of the
   limb. The fit may turn a small, flat bone over from one frame to the next. Such a bone swings the tip
   far to the side. */
static double find_tip_error(const body *b, const limb *l, uint32_t index)
{
    const motion          *m = b->m;
    const rigid_transform *last = transforms_of(m, b->r, l->chain.bone[l->chain.count - 1]);
    const rigid_transform *bone = transforms_of(m, b->r, l->chain.bone[index]);
    double                 most = 0;
    for (uint32_t f = 0; f < m->frame_count; ++f) {
        uint32_t ends[2] = { f, m->after[f] };
        vec3     tips[2], joint = make_vec3(0, 0, 0), offset = joint;
        for (int k = 0; k < 2; ++k) {
            const rigid_transform *t = &bone[ends[k]];
            vec3                   held = transform_point(t, l->joints[index]);
            tips[k] = transform_point(&last[ends[k]], l->tip);
            joint = add(joint, scaled(held, 0.5));
            offset = add(offset, scaled(rotate_back(t->rotation, minus(tips[k], held)), 0.5));
        }
        mat3 halfway = halfway_rotation(bone[ends[0]].rotation, bone[ends[1]].rotation);
        vec3 miss = minus(add(joint, rotate(halfway, offset)), scaled(add(tips[0], tips[1]), 0.5));
        most = fmax(most, length_of(miss) - 0.5 * length_of(minus(tips[1], tips[0])));
    }
    return most / b->height;
}

/* Measures lengths in the rest pose, because a bone has the same length in all frames. */
void measure_limb(const body *b, limb *l)
{
    uint32_t count = l->chain.count, last = l->chain.bone[count - 1];
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t above = i == 0 ? l->root : l->chain.bone[i - 1];
        l->joints[i] = find_pair_joint(b->m, b->r, above, l->chain.bone[i]).position;
    }

    double length = 0;
    l->tip = l->joints[count - 1];
    l->first_on_ground = count;
    for (uint32_t p = 0; p < b->m->point_count; ++p) {
        uint32_t i = index_in(&l->chain, heaviest_bone(b, p));
        if (rests_on_ground(b, p) && i < l->first_on_ground) l->first_on_ground = i;
        double distance = length_of(minus(b->r->rest[p], l->joints[count - 1]));
        if (heaviest_bone(b, p) != last || !(distance > length)) continue;
        length = distance;
        l->tip = b->r->rest[p];
    }

    l->to_tip[count] = 0;
    for (uint32_t i = count; i-- > 0;) {
        l->to_tip[i] = length / b->height;
        if (i > 0) length += length_of(minus(l->joints[i], l->joints[i - 1]));
    }
    for (uint32_t i = 0; i < count; ++i) l->tip_errors[i] = find_tip_error(b, l, i);
}

vec3 left_direction(const body *b, uint32_t frame)
{
    const limb *left = &b->legs[LEFT], *right = &b->legs[RIGHT];
    vec3        across = minus(joint_in_frame(b, left->root, left->joints[0], frame),
                               joint_in_frame(b, right->root, right->joints[0], frame));
    across.z = 0;
    return scaled(across, 1 / fmax(length_of(across), 1e-9));
}

/* -- Arms -------------------------------------------------------------------------------------- */

enum { TIPS = 12, MOST_DIVISIONS = 1000 };

/* Returns the mean offset from bone `from` to `bone` in gaits, along the axes of the hips (x is forward,
   y is left), as a fraction of the model's height. */
static vec3 mean_offset_in_hip_axes(const body *b, uint32_t bone, uint32_t from)
{
    vec3 sum = make_vec3(0, 0, 0);
    for (uint32_t i = 0; i < b->gait_frames.count; ++i) {
        uint32_t f = b->gait_frames.frames[i];
        vec3     offset = minus(center_in_frame(b, bone, f), center_in_frame(b, from, f));
        vec3     left = left_direction(b, f), forward = make_vec3(left.y, -left.x, 0);
        sum = add(sum, make_vec3(dot(offset, forward), dot(offset, left), offset.z));
    }
    return scaled(sum, 1 / (b->height * b->gait_frames.count));
}

/* Returns how much a path is like an arm: its length, plus its distance in front of its root. A wing or
   a cape may be longer than an arm, but is farther back. Returns -HUGE_VAL if no bone is far enough on the
   side of the arm: 1 for left, -1 for right. */
static double score_arm(const body *b, const limb *arm, double side)
{
    double most = 0, forward = 0;
    for (uint32_t i = 0; i < arm->chain.count; ++i) {
        vec3 offset = mean_offset_in_hip_axes(b, arm->chain.bone[i], arm->root);
        most = fmax(most, side * offset.y);
        forward = offset.x;
    }
    return most > least_out ? arm->to_tip[0] + forward_factor * forward : -HUGE_VAL;
}

/* Keeps an arm if it is better than the arm that is known on one side, or on both. */
static void consider_arm(body *b, const limb *arm, double scores[SIDES])
{
    for (int k = 0; k < SIDES; ++k) {
        double score = score_arm(b, arm, k == LEFT ? 1 : -1);
        if (!(score > scores[k])) continue;
        scores[k] = score;
        b->arms[k] = *arm;
    }
}

/* Tries the paths from the trunk to tips of the skin. The first tip is the point farthest from the feet, and each other
   tip is the point farthest from the feet and all earlier tips. */
void find_arms(body *b)
{
    uint32_t  points = b->m->point_count, previous[MOST_BONES];
    double   *distances = (double *)allocate(2 * (size_t)points, sizeof *distances);
    double   *nearest = distances + points, scores[SIDES] = { -HUGE_VAL, -HUGE_VAL }, bones[MOST_BONES];
    bone_list rest = b->trunk;
    for (int k = 0; k < SIDES; ++k) {
        const bone_list *leg = &b->legs[k].chain;
        for (uint32_t i = 0; i < leg->count; ++i) append_bone(&rest, leg->bone[i]);
    }
    bone_distances(b, &rest, bones, previous);
    for (uint32_t p = 0; p < points; ++p) nearest[p] = fmin(b->to_feet[LEFT][p], b->to_feet[RIGHT][p]);
    for (int i = 0; i < TIPS; ++i) {
        uint32_t tip = 0;
        for (uint32_t p = 1; p < points; ++p) {
            if (nearest[p] > nearest[tip]) tip = p;
        }
        skin_distances(b, tip, distances);
        for (uint32_t p = 0; p < points; ++p) nearest[p] = fmin(nearest[p], distances[p]);

        limb arm;
        memset(&arm, 0, sizeof arm);
        arm.chain = path_to(previous, heaviest_bone(b, tip));
        arm.root = remove_first(&arm.chain);
        if (arm.chain.count == 0 || !has_bone(&b->trunk, arm.root) || arm.root == b->head) continue;
        measure_limb(b, &arm);
        consider_arm(b, &arm, scores);
    }
    release(distances);
    b->has_arms = fmin(scores[LEFT], scores[RIGHT]) > -HUGE_VAL &&
                  b->arms[LEFT].chain.bone[0] != b->arms[RIGHT].chain.bone[0];
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

/* Moves the points of a bone within `reach` of a position, both at rest, to a new bone, and returns the
   new bone. Its transforms are copies until the next fit. Returns NONE if there are already
   MOST_BONES bones, or if one of the two bones would have no points. */
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

void add_missing_chest(body *b)
{
    /* Split with a sphere whose surface is nearly a plane: its center is 100 times as far away as the next bone. */
    enum { FAR = 100 };
    uint32_t hips = b->trunk.bone[0];
    bool     has_chest = b->arms[LEFT].root != hips || b->arms[RIGHT].root != hips;
    if (b->trunk.count > 2 && (has_chest || !b->has_arms)) return;

    vec3     low = scaled(add(b->legs[LEFT].joints[0], b->legs[RIGHT].joints[0]), 0.5);
    vec3     up = minus(center_of(b->m, b->r, b->trunk.bone[1]), low);
    double   reach = (FAR - chest_height) * length_of(up);
    uint32_t chest = split_bone(b, hips, add(low, scaled(up, FAR)), reach);
    if (chest == NONE) return;
    insert_bone(&b->trunk, 1, chest);
    for (int k = 0; k < SIDES; ++k) {
        if (b->has_arms && b->arms[k].root == hips) b->arms[k].root = chest;
    }
}

/* -- Joints ------------------------------------------------------------------------------------ */

/* A division of a limb into parts. Bones before the first part, such as a shoulder blade, are in no part. */
typedef struct division {
    uint32_t begins[LIMB_PARTS];      /* index in the chain of each part's first bone; chain.count if the
                                         part has no bone */
} division;

static double square(double x)
{
    return x * x;
}

/* Returns the offset of the joint at the upper end of a part from its usual position, as a fraction of the limb. */
static double joint_offset(const limb *l, division c, int part, double last_joint)
{
    const double usual_positions[LIMB_PARTS] = { 0, middle_joint, last_joint };
    uint32_t     i = c.begins[part], first = c.begins[0];
    if (i == l->chain.count) return most_offset;
    if (i == 0) return 0;
    if (part == 0) return 1 - l->to_tip[i] / l->to_tip[0];
    return 1 - l->to_tip[i] / l->to_tip[first] - usual_positions[part];
}

static double division_cost(const limb *l, division c, double last_joint)
{
    double cost = 0;
    for (int part = 0; part < LIMB_PARTS; ++part) {
        /* The first bone of a leg that is on the ground is the foot, wherever the ankle is. Toes may follow it. */
        if (part == 2 && last_joint == ankle && c.begins[part] == l->first_on_ground &&
            c.begins[part] < l->chain.count) continue;
        cost += square(joint_offset(l, c, part, last_joint));
    }
    return cost;
}

/* Returns the length of a part. For the last part, returns the length of all parts instead. */
static double part_length(const limb *l, division c, int part)
{
    double begin = l->to_tip[c.begins[part]];
    return part == 2 ? l->to_tip[c.begins[0]] : begin - l->to_tip[c.begins[part + 1]];
}

/* Returns the squared differences of the parts' lengths, relative to the length of the left limb. */
static double length_difference(const limb *left, division l, const limb *right, division r)
{
    double sum = 0;
    for (int part = 0; part < LIMB_PARTS; ++part) {
        sum += square(part_length(left, l, part) - part_length(right, r, part));
    }
    return sum / square(left->to_tip[l.begins[0]]);
}

static uint32_t list_divisions(const limb *l, division *divisions)
{
    uint32_t joints = l->chain.count, count = 0;
    for (uint32_t first = 0; first < joints; ++first) {
        for (uint32_t middle = first + 1; middle <= joints; ++middle) {
            for (uint32_t end = middle < joints ? middle + 1 : joints; end <= joints; ++end) {
                if (count == MOST_DIVISIONS) return count;
                division c = { { first, middle, end } };
                divisions[count++] = c;
            }
        }
    }
    return count;
}

/* Finds the divisions of two limbs with the lowest cost: joints near their usual positions, and parts of similar
   length on both sides. */
static void find_best_divisions(const limb limbs[SIDES], double last_joint, division best[SIDES])
{
    division lefts[MOST_DIVISIONS], rights[MOST_DIVISIONS];
    uint32_t left_count = list_divisions(&limbs[LEFT], lefts);
    uint32_t right_count = list_divisions(&limbs[RIGHT], rights);
    double   least = HUGE_VAL;
    for (uint32_t i = 0; i < left_count; ++i) {
        for (uint32_t k = 0; k < right_count; ++k) {
            double cost = division_cost(&limbs[LEFT], lefts[i], last_joint) +
                          division_cost(&limbs[RIGHT], rights[k], last_joint) +
                          length_difference(&limbs[LEFT], lefts[i], &limbs[RIGHT], rights[k]);
            if (!(cost < least)) continue;
            least = cost;
            best[LEFT] = lefts[i];
            best[RIGHT] = rights[k];
        }
    }
}

/* Splits the last bone of a limb if the last part, or the last two parts, have no bone. */
static void add_missing_parts(body *b, limb *l, division *c, double last_joint)
{
    const double usual_positions[LIMB_PARTS] = { 0, middle_joint, last_joint };
    double       length = l->to_tip[c->begins[0]] * b->height;
    for (int part = 1; part < LIMB_PARTS; ++part) {
        uint32_t last = l->chain.count - 1;
        if (c->begins[part] <= last) continue;

        /* The new bone gets the points from the usual position of the joint to the tip, but at most the fraction
           most_split of the last bone. */
        vec3     start = farthest_point(b, l->chain.bone[last], l->tip);
        double   bone_length = length_of(minus(l->tip, start)), wanted = (1 - usual_positions[part]) * length;
        uint32_t added = split_bone(b, l->chain.bone[last], l->tip, fmin(wanted, most_split * bone_length));
        if (added == NONE) return;
        append_bone(&l->chain, added);
        c->begins[part] = last + 1;
        if (part == 1) c->begins[2] = last + 2;
    }
}

/* Returns the index of the bone that gets the name of a part: the first bone, unless a later bone moves
   the tip of the limb better. */
static uint32_t find_main_bone(const limb *l, const division *d, int part)
{
    uint32_t first = d->begins[part], best = first;
    double   least = HUGE_VAL;
    for (uint32_t i = first; part < 2 && i < d->begins[part + 1]; ++i) {
        double cost = square(l->tip_errors[i]) + square(l->to_tip[first] - l->to_tip[i]);
        if (!(cost < least)) continue;
        least = cost;
        best = i;
    }
    return best;
}

void divide_limbs(body *b, limb limbs[SIDES], bool is_leg, uint32_t parts[SIDES][LIMB_PARTS])
{
    double   last_joint = is_leg ? ankle : wrist;
    division divisions[SIDES];
    find_best_divisions(limbs, last_joint, divisions);
    for (int k = 0; k < SIDES; ++k) {
        add_missing_parts(b, &limbs[k], &divisions[k], last_joint);
        for (int part = 0; part < LIMB_PARTS; ++part) {
            uint32_t i = find_main_bone(&limbs[k], &divisions[k], part);
            parts[k][part] = i < limbs[k].chain.count ? limbs[k].chain.bone[i] : NONE;
        }
    }
}
