/* find_limbs.c - finds arms, and where limbs have their knees, elbows, ankles and wrists. Public
   domain. */
#include "body.h"

/* Measures lengths from joint to joint at rest, because each bone keeps its length in all frames. */
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
}

vec3 left_in_frame(const body *b, uint32_t frame)
{
    const limb *left = &b->legs[LEFT], *right = &b->legs[RIGHT];
    vec3        across = minus(joint_in_frame(b, left->root, left->joints[0], frame),
                               joint_in_frame(b, right->root, right->joints[0], frame));
    across.z = 0;
    return scaled(across, 1 / fmax(length_of(across), 1e-9));
}

/* -- Arms -------------------------------------------------------------------------------------- */

enum { MOST_TIPS = 12, MOST_CUTS = 1000 };

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
        if (!has_bone(&tips, bone)) append_bone(&tips, bone);
        for (uint32_t p = 0; p < points; ++p) nearest[p] = fmin(nearest[p], distances[p]);
    }
    release(distances);
    return tips;
}

/* Lists the paths from the trunk to the tips. */
static uint32_t list_arms(const body *b, limb arms[MOST_TIPS])
{
    bone_list tips = find_tips(b), rest = b->trunk;
    uint32_t  count = 0, before[MOST_BONES];
    double    distances[MOST_BONES];
    for (int k = 0; k < SIDES; ++k) {
        const bone_list *leg = &b->legs[k].chain;
        for (uint32_t i = 0; i < leg->count; ++i) append_bone(&rest, leg->bone[i]);
    }
    bone_distances(b, &rest, distances, before);
    for (uint32_t i = 0; i < tips.count; ++i) {
        limb *arm = &arms[count];
        memset(arm, 0, sizeof *arm);
        arm->chain = path_to(before, tips.bone[i]);
        arm->root = remove_first(&arm->chain);
        bool is_on_trunk = has_bone(&b->trunk, arm->root) && arm->root != b->head;
        if (arm->chain.count == 0 || !is_on_trunk) continue;
        measure_limb(b, arm);
        ++count;
    }
    return count;
}

/* Returns the number of bones that two arms have in common. These belong to the chest. */
static uint32_t count_common(const limb *a, const limb *b)
{
    uint32_t i = 0;
    while (i < a->chain.count && i < b->chain.count && a->chain.bone[i] == b->chain.bone[i]) ++i;
    return i;
}

/* Returns the mean position of a bone relative to another in a gait, forward and to the left of the
   hips, in heights of the model. */
static vec3 relative_to_hips(const body *b, uint32_t bone, uint32_t from)
{
    vec3 sum = make_vec3(0, 0, 0);
    for (uint32_t i = 0; i < b->gait.count; ++i) {
        uint32_t f = b->gait.frames[i];
        vec3     offset = minus(center_in_frame(b, bone, f), center_in_frame(b, from, f));
        vec3     left = left_in_frame(b, f), forward = make_vec3(left.y, -left.x, 0);
        sum = add(sum, make_vec3(dot(offset, forward), dot(offset, left), offset.z));
    }
    return scaled(sum, 1 / (b->height * b->gait.count));
}

/* An arm reaches far, and is in front of the chest more often than a wing or a cape, which may be
   longer. */
static double score_arm(const body *b, const limb *arm, uint32_t common)
{
    double forward = relative_to_hips(b, arm->chain.bone[arm->chain.count - 1], arm->root).x;
    return arm->to_tip[common] + forward_factor * forward;
}

/* Some part of an arm is on the arm's side of the chest. */
static bool is_on_side(const body *b, const limb *arm, uint32_t common, double side)
{
    double   most = 0;
    uint32_t root = common > 0 ? arm->chain.bone[common - 1] : arm->root;
    for (uint32_t i = common; i < arm->chain.count; ++i) {
        most = fmax(most, side * relative_to_hips(b, arm->chain.bone[i], root).y);
    }
    return most > least_out;
}

/* Returns how good two paths are as the left and the right arm: the score of the worse arm. */
static double score_arms(const body *b, const limb *left, const limb *right)
{
    uint32_t common = count_common(left, right);
    if (common == left->chain.count || common == right->chain.count) return -HUGE_VAL;
    if (!is_on_side(b, left, common, 1) || !is_on_side(b, right, common, -1)) return -HUGE_VAL;
    return fmin(score_arm(b, left, common), score_arm(b, right, common));
}

void find_arms(body *b)
{
    limb     list[MOST_TIPS], *left = &b->arms[LEFT], *right = &b->arms[RIGHT];
    uint32_t count = list_arms(b, list);
    double   best = -HUGE_VAL;
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < count; ++k) {
            double score = score_arms(b, &list[i], &list[k]);
            if (!(score > best)) continue;
            best = score;
            *left = list[i];
            *right = list[k];
        }
    }
    b->has_arms = best > -HUGE_VAL;
    if (!b->has_arms) return;

    for (uint32_t common = count_common(left, right); common > 0; --common) {
        uint32_t above = index_in(&b->trunk, left->root) + 1;
        if (above == b->trunk.count) --above; /* the head stays the end */
        insert_bone(&b->trunk, above, left->chain.bone[0]);
        left->root = remove_first(&left->chain);
        right->root = remove_first(&right->chain);
    }
    measure_limb(b, left);
    measure_limb(b, right);
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

void complete_trunk(body *b)
{
    enum { FAR = 100 };               /* a sphere of this radius is nearly a plane */
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

/* Where a limb is divided. A shoulder blade may be above the first part. */
typedef struct cut {
    uint32_t begins[LIMB_PARTS];      /* index of the first bone of each part in the chain; the count
                                         of the chain if the part has no bone */
} cut;

static double square(double x)
{
    return x * x;
}

/* Returns how far the joint above a bone is from its usual place, as a fraction of the limb. */
static double joint_offset(const limb *l, cut c, int part, double last_joint)
{
    const double places[LIMB_PARTS] = { 0, middle_joint, last_joint };
    uint32_t     i = c.begins[part], first = c.begins[0];
    if (i == l->chain.count) return most_offset;
    if (i == 0) return 0;
    if (part == 0) return 1 - l->to_tip[i] / l->to_tip[0];
    return 1 - l->to_tip[i] / l->to_tip[first] - places[part];
}

static double cut_cost(const limb *l, cut c, double last_joint)
{
    double cost = 0;
    for (int part = 0; part < LIMB_PARTS; ++part) {
        /* The first bone of a leg on the ground is a foot, whatever its size. Toes may follow. */
        if (part == 2 && last_joint == ankle && c.begins[part] == l->first_on_ground &&
            c.begins[part] < l->chain.count) continue;
        cost += square(joint_offset(l, c, part, last_joint));
    }
    return cost;
}

/* Returns the length of a part. The last part is measured in both limbs from the first joint. */
static double part_length(const limb *l, cut c, int part)
{
    double begin = l->to_tip[c.begins[part]];
    return part == 2 ? l->to_tip[c.begins[0]] : begin - l->to_tip[c.begins[part + 1]];
}

/* Returns how different the lengths of the parts of two limbs are. */
static double difference(const limb *left, cut l, const limb *right, cut r)
{
    double sum = 0;
    for (int part = 0; part < LIMB_PARTS; ++part) {
        sum += square(part_length(left, l, part) - part_length(right, r, part));
    }
    return sum / square(left->to_tip[l.begins[0]]);
}

static uint32_t list_cuts(const limb *l, cut *cuts)
{
    uint32_t joints = l->chain.count, count = 0;
    for (uint32_t first = 0; first < joints; ++first) {
        for (uint32_t middle = first + 1; middle <= joints; ++middle) {
            for (uint32_t end = middle < joints ? middle + 1 : joints; end <= joints; ++end) {
                if (count == MOST_CUTS) return count;
                cut c = { { first, middle, end } };
                cuts[count++] = c;
            }
        }
    }
    return count;
}

/* Divides two limbs near the usual places, and alike. */
static void cut_limbs(const limb limbs[SIDES], double last_joint, cut best[SIDES])
{
    cut      lefts[MOST_CUTS], rights[MOST_CUTS];
    uint32_t left_count = list_cuts(&limbs[LEFT], lefts);
    uint32_t right_count = list_cuts(&limbs[RIGHT], rights);
    double   least = HUGE_VAL;
    for (uint32_t i = 0; i < left_count; ++i) {
        for (uint32_t k = 0; k < right_count; ++k) {
            double cost = cut_cost(&limbs[LEFT], lefts[i], last_joint) +
                          cut_cost(&limbs[RIGHT], rights[k], last_joint) +
                          difference(&limbs[LEFT], lefts[i], &limbs[RIGHT], rights[k]);
            if (!(cost < least)) continue;
            least = cost;
            best[LEFT] = lefts[i];
            best[RIGHT] = rights[k];
        }
    }
}

bool has_knees(const body *b)
{
    cut cuts[SIDES];
    cut_limbs(b->legs, ankle, cuts);
    return cuts[LEFT].begins[1] < b->legs[LEFT].chain.count &&
           cuts[RIGHT].begins[1] < b->legs[RIGHT].chain.count;
}

/* Gives a limb a bone for its last part, or for its last two parts, if it has none. */
static void complete_limb(body *b, limb *l, cut *c, double last_joint)
{
    const double places[LIMB_PARTS] = { 0, middle_joint, last_joint };
    double       length = l->to_tip[c->begins[0]] * b->height;
    for (int part = 1; part < LIMB_PARTS; ++part) {
        uint32_t last = l->chain.count - 1;
        if (c->begins[part] <= last) continue;

        /* The bone is the last part of the limb, at least half of it if the limb is short. */
        vec3     start = farthest_point(b, l->chain.bone[last], l->tip);
        double   own = length_of(minus(l->tip, start)), wanted = (1 - places[part]) * length;
        uint32_t added = split_bone(b, l->chain.bone[last], l->tip, fmin(wanted, most_split * own));
        if (added == NONE) return;
        append_bone(&l->chain, added);
        c->begins[part] = last + 1;
        if (part == 1) c->begins[2] = last + 2;
    }
}

void divide_limbs(body *b, limb limbs[SIDES], bool is_leg, uint32_t parts[SIDES][LIMB_PARTS])
{
    double last_joint = is_leg ? ankle : wrist;
    cut    cuts[SIDES];
    cut_limbs(limbs, last_joint, cuts);
    for (int k = 0; k < SIDES; ++k) {
        complete_limb(b, &limbs[k], &cuts[k], last_joint);
        for (int part = 0; part < LIMB_PARTS; ++part) {
            uint32_t i = cuts[k].begins[part];
            parts[k][part] = i < limbs[k].chain.count ? limbs[k].chain.bone[i] : NONE;
        }
    }
}
