/* humanoid.c - the names that programs give to bones, and the canonical pose. Public domain. */
#include "humanoid.h"
#include "convert.h"
#include "../viewer/folder.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* -- Names ------------------------------------------------------------------------------------- */

/* Words whose role depends on the tree. */
enum { TRUNK = ROLE_COUNT, LEG };

typedef struct bone_word {
    const char *text;
    int         role;
} bone_word;

/* If the words of several bones have the same role, the bone whose word is first in the table gets the role. */
static const bone_word sided_words[] = {
    { "clavicle", CLAVICLE },   { "shoulder", CLAVICLE },   { "collar", CLAVICLE },
    { "collarbone", CLAVICLE },
    { "upperarm", UPPER_ARM },  { "armupper", UPPER_ARM },  { "uparm", UPPER_ARM },
    { "uarm", UPPER_ARM },      { "shldr", UPPER_ARM },     { "shldrbend", UPPER_ARM },
    { "upperarmbend", UPPER_ARM }, { "bicep", UPPER_ARM },  { "arm", UPPER_ARM },
    { "forearm", FOREARM },     { "lowerarm", FOREARM },    { "armlower", FOREARM },
    { "loarm", FOREARM },       { "lowarm", FOREARM },      { "forearmbend", FOREARM },
    { "farm", FOREARM },        { "elbow", FOREARM },
    { "hand", HAND },           { "wrist", HAND },          { "palm", HAND },
    { "thigh", THIGH },         { "upleg", THIGH },         { "upperleg", THIGH },
    { "legupper", THIGH },      { "thighbend", THIGH },     { "uleg", THIGH },
    { "femur", THIGH },         { "hip", THIGH },
    { "shin", SHIN },           { "calf", SHIN },           { "lowerleg", SHIN },
    { "leglower", SHIN },       { "loleg", SHIN },          { "lowleg", SHIN },
    { "lleg", SHIN },           { "knee", SHIN },           { "leg", LEG },
    { "foot", FOOT },           { "ankle", FOOT },
    { "toe", TOES },            { "toes", TOES },           { "toebase", TOES },
    { "ball", TOES },
};
static const bone_word middle_words[] = {
    { "hips", HIPS },           { "hip", HIPS },            { "pelvis", HIPS },
    { "neck", NECK },           { "necklower", NECK },      { "necktwist", NECK },
    { "head", HEAD },           { "skull", HEAD },
    { "spine", TRUNK },         { "abdomen", TRUNK },       { "torso", TRUNK },
    { "waist", TRUNK },         { "chest", TRUNK },         { "upperchest", TRUNK },
    { "body", TRUNK },          { "upperbody", TRUNK },     { "thorax", TRUNK },
};
static const char *const prefixes[] = {
    "Armature_", "mixamorig", "ValveBiped.", "Bip001", "Bip01", "J_Bip_", "CC_Base_", "DEF-", "b_", "C_",
};
/* Words that programs add to every bone. */
static const char *const fillers[] = { "bind", "jnt", "joint", "bone" };

typedef struct bone_name {            /* the meaning of a name */
    int      role, side;              /* side: -1 for none */
    uint32_t rank, number;            /* if several bones have a role, the lowest rank, then number, gets it */
} bone_name;

static int side_of(const char *token)
{
    if (strcmp(token, "l") == 0 || strcmp(token, "left") == 0) return LEFT_SIDE;
    if (strcmp(token, "r") == 0 || strcmp(token, "right") == 0) return RIGHT_SIDE;
    return -1;
}

static bool is_filler(const char *token)
{
    for (int i = 0; i < COUNT(fillers); ++i) {
        if (strcmp(fillers[i], token) == 0) return true;
    }
    return false;
}

static bool look_up(const bone_word *words, int count, const char *text, bone_name *out)
{
    for (int i = 0; i < count; ++i) {
        if (strcmp(words[i].text, text) != 0) continue;
        out->role = words[i].role;
        out->rank = (uint32_t)i;
        return true;
    }
    return false;
}

static const char *skip_prefixes(const char *name)
{
    const char *colon = strrchr(name, ':'), *rest = colon ? colon + 1 : name;
    for (int i = 0; i < COUNT(prefixes); ++i) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(rest, prefixes[i], length) == 0 && rest[length]) rest += length;
    }
    return rest;
}

static bool is_upper(char c) { return isupper((unsigned char)c) != 0; }
static bool is_lower(char c) { return islower((unsigned char)c) != 0; }
static bool is_letter(char c) { return isalpha((unsigned char)c) != 0; }
static bool is_digit(char c) { return isdigit((unsigned char)c) != 0; }

/* Copies the first word in lower case: "LeftUpLeg" has three words, and "LForearm" has two. Returns the
   rest of the text. */
static const char *read_word(const char *text, char *token, size_t room)
{
    size_t length = 0;
    do {
        if (length + 1 < room) token[length++] = (char)tolower((unsigned char)*text);
        ++text;
        bool begins_word = is_upper(*text) && (is_lower(text[-1]) || is_lower(text[1]));
        if (begins_word) break;
    } while (is_letter(*text));
    token[length] = 0;
    return text;
}

/* Finds the role of a bone from its name. Without prefixes, sides and numbers, the name must be a word of
   the tables, so control bones ("hand_ik.L", "MCH-spine") have no role. Returns false if there is none. */
static bool read_bone_name(const char *name, bone_name *out)
{
    char        base[64] = "", token[64];
    const char *text = skip_prefixes(name);
    out->side = -1;
    out->number = 0;
    while (*text) {
        if (is_digit(*text)) {
            char *end;
            out->number = (uint32_t)strtoul(text, &end, 10);
            text = end;
            continue;
        }
        if (!is_letter(*text)) {
            ++text;
            continue;
        }
        text = read_word(text, token, sizeof token);
        int side = side_of(token);
        if (side >= 0) out->side = side;
        else if (!is_filler(token) && strlen(base) + strlen(token) < sizeof base) strcat(base, token);
    }
    if (out->side >= 0) return look_up(sided_words, COUNT(sided_words), base, out);
    if (look_up(middle_words, COUNT(middle_words), base, out)) return true;

    /* Doom 3 puts one letter in front: "Luparm". */
    char letter[2] = { base[0], 0 };
    out->side = side_of(letter);
    return out->side >= 0 && look_up(sided_words, COUNT(sided_words), base + 1, out);
}

bool is_trunk_name(const char *name)
{
    bone_name found;
    return read_bone_name(name, &found) && (found.role < CLAVICLE || found.role == TRUNK);
}

const char *role_name(uint32_t which)
{
    static const char *const names[ROLE_COUNT] = {
        "hips", "spine", "chest", "neck", "head", "left clavicle", "right clavicle",
        "left upper arm", "right upper arm", "left forearm", "right forearm", "left hand",
        "right hand", "left thigh", "right thigh", "left shin", "right shin", "left foot",
        "right foot", "left toes", "right toes",
    };
    return names[which];
}

/* -- Roles ------------------------------------------------------------------------------------- */

bool is_needed_role(uint32_t which)
{
    return which == HIPS || which == HEAD || (which >= THIGH && which < FOOT);
}

bool is_humanoid(const uint32_t bones[ROLE_COUNT])
{
    for (uint32_t r = 0; r < ROLE_COUNT; ++r) {
        if (is_needed_role(r) && bones[r] == NO_BONE) return false;
    }
    return true;
}

static bool is_above(const bone_tree *t, uint32_t above, uint32_t bone)
{
    while (bone != NO_BONE && bone != above) bone = t->parents[bone];
    return bone == above;
}

/* Returns the lowest common ancestor of two bones, which may be one of the two, or NO_BONE. */
static uint32_t common_ancestor(const bone_tree *t, uint32_t a, uint32_t b)
{
    if (a == NO_BONE || b == NO_BONE) return NO_BONE;
    while (a != NO_BONE && !is_above(t, a, b)) a = t->parents[a];
    return a;
}

typedef struct candidate {            /* the best bone so far */
    uint32_t  bone;
    bone_name name;
    bool      is_bound;
} candidate;

static bool is_better(const candidate *a, const candidate *b)
{
    if (b->bone == NO_BONE) return true;
    if (a->is_bound != b->is_bound) return a->is_bound;
    if (a->name.rank != b->name.rank) return a->name.rank < b->name.rank;
    return a->name.number < b->name.number;
}

/* Sets the roles that depend only on names. `legs` gets the bones that are called just "leg". `last_spine`
   gets the bone of the trunk with the highest number, if the number is at least 4. */
static void read_names(const bone_tree *t, uint32_t bones[ROLE_COUNT], uint32_t legs[SIDES],
                       uint32_t *last_spine)
{
    candidate best[LEG + SIDES], last = { NO_BONE, { 0, 0, 0, 3 }, false };
    for (int r = 0; r < COUNT(best); ++r) best[r] = last;
    for (uint32_t i = 0; i < t->count; ++i) {
        candidate found = { i, { 0, 0, 0, 0 }, !t->is_bound || t->is_bound[i] };
        if (!read_bone_name(t->names[i], &found.name)) continue;
        if (found.name.role == TRUNK) {
            if (found.name.number > last.name.number) last = found;
            continue;
        }
        candidate *old = &best[found.name.role + (found.name.side > 0 ? found.name.side : 0)];
        if (is_better(&found, old)) *old = found;
    }
    for (int r = 0; r < ROLE_COUNT; ++r) bones[r] = best[r].bone;
    for (int side = 0; side < SIDES; ++side) legs[side] = best[LEG + side].bone;
    *last_spine = last.bone;
}

/* Returns true if the name of a bone means this role and side, even if a different bone has the role. */
static bool has_role_name(const bone_tree *t, uint32_t bone, int role, int side)
{
    bone_name name;
    return bone != NO_BONE && read_bone_name(t->names[bone], &name) && name.role == role &&
           name.side == side;
}

/* Returns the first child whose name means this role and side, or NO_BONE. */
static uint32_t find_child(const bone_tree *t, uint32_t bone, int role, int side)
{
    for (uint32_t i = 0; i < t->count; ++i) {
        if (bone != NO_BONE && t->parents[i] == bone && has_role_name(t, i, role, side)) return i;
    }
    return NO_BONE;
}

/* Sets the roles of the arm and the leg of a skeleton of Half-Life, which has numbers instead of names: clavicle,
   upper arm and forearm are "L Arm", "L Arm1" and "L Arm2"; thigh and shin are "L Leg" and "L Leg1". If an arm has
   only two bones, the first is the upper arm. */
static void find_numbered_limb_roles(const bone_tree *t, uint32_t bones[ROLE_COUNT], uint32_t leg, int side)
{
    uint32_t first = bones[UPPER_ARM + side], shin = find_child(t, leg, LEG, side);
    uint32_t second = find_child(t, first, UPPER_ARM, side), third = find_child(t, second, UPPER_ARM, side);
    if (bones[FOREARM + side] == NO_BONE && second != NO_BONE) {
        if (third != NO_BONE) bones[CLAVICLE + side] = first;
        bones[UPPER_ARM + side] = third != NO_BONE ? second : first;
        bones[FOREARM + side] = third != NO_BONE ? third : second;
    }
    if (bones[THIGH + side] != NO_BONE || bones[SHIN + side] != NO_BONE || shin == NO_BONE) return;
    bones[THIGH + side] = leg;
    bones[SHIN + side] = shin;
}

/* Completes the roles of an arm and a leg. "Leg" is the shin if there is a thigh; otherwise it is the thigh.
   If no bone is called upper arm, the parent of the forearm is the upper arm ("Shoulder", "Elbow"). If
   there are bones called ankle and foot, the ankle has the role FOOT, and the foot has the role TOES. */
static void find_limb_roles(const bone_tree *t, uint32_t bones[ROLE_COUNT], uint32_t leg, int side)
{
    find_numbered_limb_roles(t, bones, leg, side);
    if (bones[SHIN + side] == NO_BONE) bones[SHIN + side] = leg;
    else if (bones[THIGH + side] == NO_BONE) bones[THIGH + side] = leg;

    if (bones[UPPER_ARM + side] == NO_BONE && bones[FOREARM + side] != NO_BONE) {
        uint32_t upper = t->parents[bones[FOREARM + side]];
        uint32_t above = upper == NO_BONE ? NO_BONE : t->parents[upper];
        bones[UPPER_ARM + side] = upper;
        if (bones[CLAVICLE + side] == upper) {
            bones[CLAVICLE + side] = has_role_name(t, above, CLAVICLE, side) ? above : NO_BONE;
        }
    }

    uint32_t foot = bones[FOOT + side];
    if (foot == NO_BONE || bones[TOES + side] != NO_BONE) return;
    uint32_t ankle = t->parents[foot];
    if (!has_role_name(t, ankle, FOOT, side)) return;
    bones[FOOT + side] = ankle;
    bones[TOES + side] = foot;
}

/* Corrects the role of the hips. The hips must be an ancestor of both legs and of the head. If the bone with
   the name is not, such as in Doom 3, in which hips and waist are siblings, the hips are the lowest
   common ancestor of the legs and the head. */
static void find_hips_role(const bone_tree *t, uint32_t bones[ROLE_COUNT])
{
    uint32_t legs = common_ancestor(t, bones[THIGH], bones[THIGH + RIGHT_SIDE]);
    uint32_t all = common_ancestor(t, legs, bones[HEAD]);
    bool     carries_all = bones[HIPS] != NO_BONE && all != NO_BONE && is_above(t, bones[HIPS], all);
    if (!carries_all && legs != NO_BONE) bones[HIPS] = all;
}

/* Finds the roles of the trunk. The chest is the lowest common ancestor of both arms or, without arms, the
   nearest ancestor of the head with the name of a bone of the trunk. The spine is the first bone on the path
   from the hips to the chest. In Rigify, all bones of the trunk are called spine, so the neck is the first
   bone above the chest. */
static void find_trunk_roles(const bone_tree *t, uint32_t bones[ROLE_COUNT])
{
    uint32_t hips = bones[HIPS];
    uint32_t chest = common_ancestor(t, bones[UPPER_ARM], bones[UPPER_ARM + RIGHT_SIDE]);
    if (hips == NO_BONE) return;
    if (chest == NO_BONE && bones[HEAD] != NO_BONE) {
        chest = t->parents[bones[HEAD]];
        while (chest != NO_BONE && !has_role_name(t, chest, TRUNK, -1)) chest = t->parents[chest];
    }
    if (chest == NO_BONE || chest == hips || !is_above(t, hips, chest)) return;
    bones[CHEST] = chest;
    for (uint32_t i = t->parents[chest]; i != hips; i = t->parents[i]) bones[SPINE] = i;

    uint32_t head = bones[HEAD];
    if (bones[NECK] != NO_BONE || !has_role_name(t, head, TRUNK, -1) || !is_above(t, chest, head)) return;
    for (uint32_t i = t->parents[head]; i != chest; i = t->parents[i]) bones[NECK] = i;
}

void find_roles(const bone_tree *t, uint32_t bones[ROLE_COUNT])
{
    uint32_t legs[SIDES], last_spine;
    read_names(t, bones, legs, &last_spine);
    for (int side = 0; side < SIDES; ++side) find_limb_roles(t, bones, legs[side], side);
    if (bones[HEAD] == NO_BONE) bones[HEAD] = last_spine; /* Rigify: "spine.006" */
    find_hips_role(t, bones);
    find_trunk_roles(t, bones);
}

/* -- Carriers ---------------------------------------------------------------------------------- */

/* Returns true if the name says that a bone is a helper of a limb: "shin_l_helper_3f9a", or "shin_l.2". */
static bool is_helper_name(const char *name, const char *limb)
{
    static const char helper[] = "_helper_";
    size_t            length = strlen(limb);
    if (strncmp(name, limb, length) != 0) return false;
    const char *rest = name + length;
    if (strncmp(rest, helper, strlen(helper)) == 0) return true;
    bool has_number = rest[0] == '.' && rest[1];
    return has_number && rest[1 + strspn(rest + 1, "0123456789")] == 0;
}

void find_carriers(const bone_tree *t, const uint32_t bones[ROLE_COUNT], uint32_t *carriers)
{
    for (uint32_t i = 0; i < t->count; ++i) {
        carriers[i] = t->parents[i];
        for (uint32_t r = 0; r < ROLE_COUNT; ++r) {
            uint32_t limb = bones[r];
            bool     is_helper = limb != NO_BONE && is_helper_name(t->names[i], t->names[limb]);
            if (is_helper && !is_above(t, limb, i) && !is_above(t, i, limb)) carriers[i] = limb;
        }
    }
}

/* -- Axes -------------------------------------------------------------------------------------- */

static vec3 unit(vec3 v)
{
    return scaled(v, 1 / fmax(length_of(v), 1e-30));
}

static vec3 midpoint(const vec3 *positions, const uint32_t bones[ROLE_COUNT], int pair)
{
    return scaled(add(positions[bones[pair]], positions[bones[pair + RIGHT_SIDE]]), 0.5);
}

/* Returns the direction from the right bone of a pair to the left one. */
static vec3 leftward(const vec3 *positions, const uint32_t bones[ROLE_COUNT], int pair)
{
    return unit(minus(positions[bones[pair]], positions[bones[pair + RIGHT_SIDE]]));
}

static bool has_pair(const uint32_t bones[ROLE_COUNT], int pair)
{
    return bones[pair] != NO_BONE && bones[pair + RIGHT_SIDE] != NO_BONE;
}

static vec3 nearest_axis(vec3 v)
{
    double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    if (x >= y && x >= z) return make_vec3(v.x > 0 ? 1 : -1, 0, 0);
    if (y >= z) return make_vec3(0, v.y > 0 ? 1 : -1, 0);
    return make_vec3(0, 0, v.z > 0 ? 1 : -1);
}

mat3 find_axes(const vec3 *positions, const uint32_t bones[ROLE_COUNT])
{
    vec3 middle = midpoint(positions, bones, THIGH), left = leftward(positions, bones, THIGH);
    vec3 trunk = unit(minus(positions[bones[HEAD]], middle));
    vec3 legs = unit(minus(middle, midpoint(positions, bones, SHIN)));
    vec3 up = nearest_axis(add(trunk, legs));
    if (has_pair(bones, UPPER_ARM)) left = add(left, leftward(positions, bones, UPPER_ARM));
    left = unit(minus(left, scaled(up, dot(up, left))));

    bool is_x_left = up.y > 0.5 && left.x > 0.4; /* cosine of 66 degrees */
    left = is_x_left ? make_vec3(1, 0, 0) : nearest_axis(left);
    return transposed(make_mat3(cross(left, up), left, up));
}

double leg_length(const vec3 *positions, const uint32_t bones[ROLE_COUNT])
{
    bool   has_feet = has_pair(bones, FOOT);
    double sum = 0;
    for (int side = 0; side < SIDES; ++side) {
        vec3   knee = positions[bones[SHIN + side]];
        double thigh = length_of(minus(knee, positions[bones[THIGH + side]]));
        sum += thigh;
        sum += has_feet ? length_of(minus(knee, positions[bones[FOOT + side]])) : thigh;
    }
    return sum / SIDES;
}

/* -- The canonical pose ------------------------------------------------------------------------ */

/* Returns orthogonal axes in columns: the direction of `first`, the direction of the part of `second` that is
   perpendicular to `first`, and their cross product. */
static mat3 make_axes(vec3 first, vec3 second)
{
    vec3 x = unit(first), y = unit(minus(second, scaled(x, dot(x, second))));
    return make_mat3(x, y, cross(x, y));
}

static mat3 shortest_rotation(vec3 from, vec3 to)
{
    vec3   a = unit(from), b = unit(to), axis = cross(a, b);
    double sine = length_of(axis);
    if (sine < 1e-9) {
        vec3 other = fabs(a.x) < 0.9 ? make_vec3(1, 0, 0) : make_vec3(0, 1, 0);
        axis = cross(a, other);
    }
    return rotation_about(scaled(unit(axis), atan2(sine, dot(a, b))));
}

/* Positions and rotations of the bones that have roles, with X forward, Y left, Z up. */
typedef struct stance {
    bool has[ROLE_COUNT];
    vec3 at[ROLE_COUNT];
    vec3 hinges[ROLE_COUNT];          /* (0 0 0) = unknown */
    mat3 rotations[ROLE_COUNT];
} stance;

/* Returns the axis about which a bone of the limb from `role` on bends: the known hinge, or the axis of the bend in the
   given pose, whose length is the sine of the bend. */
static vec3 hinge_of(const stance *s, int role, int bone)
{
    if (length_of(s->hinges[bone]) > 0) return unit(s->hinges[bone]);
    vec3 upper = minus(s->at[role + SIDES], s->at[role]);
    vec3 lower = minus(s->at[role + 2 * SIDES], s->at[role + SIDES]);
    return cross(unit(upper), unit(lower));
}

/* Sets the rotations that make both bones of a limb, from `role` on, point along `along`. If the axis of the hinge is
   known, or the limb is bent enough to show it, they also rotate this axis to `hinge`. Otherwise the bones rotate as
   little as possible. */
static void straighten_limb(stance *s, int role, vec3 along, vec3 hinge)
{
    const double least_bend = 0.12;   /* sine of 7 degrees */
    for (int bone = role; bone <= role + SIDES; bone += SIDES) {
        vec3 direction = minus(s->at[bone + SIDES], s->at[bone]), axis = hinge_of(s, role, bone);
        s->rotations[bone] = shortest_rotation(direction, along);
        if (!(length_of(axis) > least_bend)) continue;
        s->rotations[bone] = times(make_axes(along, hinge), transposed(make_axes(direction, axis)));
    }
}

static void align_trunk(stance *s)
{
    const vec3 left = make_vec3(0, 1, 0), up = make_vec3(0, 0, 1);
    vec3       hips_left = unit(minus(s->at[THIGH], s->at[THIGH + RIGHT_SIDE]));
    s->rotations[HIPS] = shortest_rotation(hips_left, left);

    bool has_shoulders = s->has[UPPER_ARM] && s->has[UPPER_ARM + RIGHT_SIDE];
    if (!has_shoulders || !s->has[CHEST]) {
        s->rotations[SPINE] = s->rotations[CHEST] = s->rotations[HIPS];
        return;
    }
    vec3 shoulders_left = unit(minus(s->at[UPPER_ARM], s->at[UPPER_ARM + RIGHT_SIDE]));
    vec3 trunk_up = minus(add(s->at[UPPER_ARM], s->at[UPPER_ARM + RIGHT_SIDE]),
                          add(s->at[THIGH], s->at[THIGH + RIGHT_SIDE]));
    mat3 aligned = make_axes(up, left);
    s->rotations[CHEST] = times(aligned, transposed(make_axes(trunk_up, shoulders_left)));

    /* The twist of the spine is halfway between the twists of the hips and the shoulders. */
    vec3 spine_left = add(shoulders_left, hips_left);
    s->rotations[SPINE] = times(aligned, transposed(make_axes(trunk_up, spine_left)));
}

static void straighten_arm(stance *s, int side)
{
    const double down = CANONICAL_ARMS_DOWN / 180 * 3.14159265358979323846;
    const double outward = side == LEFT_SIDE ? 1 : -1;
    int          upper = UPPER_ARM + side, fore = FOREARM + side, hand = HAND + side;
    vec3         along = make_vec3(0, outward * cos(down), -sin(down));
    vec3         hinge = make_vec3(0, -sin(down), -outward * cos(down));
    s->rotations[CLAVICLE + side] = s->rotations[CHEST];
    s->rotations[upper] = s->rotations[fore] = s->rotations[hand] = s->rotations[CHEST];
    if (!s->has[upper] || !s->has[fore]) return;

    if (s->has[hand]) {
        straighten_limb(s, upper, along, hinge);
    } else {
        s->rotations[upper] = shortest_rotation(minus(s->at[fore], s->at[upper]), along);
        s->rotations[fore] = s->rotations[upper];
    }
    s->rotations[hand] = s->rotations[fore];
}

static void straighten_leg(stance *s, int side)
{
    const vec3 forward = make_vec3(1, 0, 0), left = make_vec3(0, 1, 0), up = make_vec3(0, 0, 1);
    int        thigh = THIGH + side, shin = SHIN + side, foot = FOOT + side, toes = TOES + side;
    vec3       down = scaled(up, -1);
    if (s->has[foot]) {
        /* If the knee bends to the wrong side, negate the axis, because the leg would be rotated by half a turn. */
        bool is_known = length_of(s->hinges[thigh]) > 0;
        bool is_negative = !is_known && dot(hinge_of(s, thigh, thigh), left) < 0;
        vec3 hinge = is_negative ? scaled(left, -1) : left;
        straighten_limb(s, thigh, down, hinge);
    } else {
        s->rotations[thigh] = shortest_rotation(minus(s->at[shin], s->at[thigh]), down);
        s->rotations[shin] = s->rotations[thigh];
    }

    /* The foot is flat in the given pose, so only its heading changes, if there are toes that show the heading. */
    mat3 flat = times(shortest_rotation(rotate(s->rotations[shin], up), up), s->rotations[shin]);
    if (s->has[foot] && s->has[toes]) {
        vec3 heading = minus(s->at[toes], s->at[foot]);
        heading.z = 0;
        if (heading.x > 0.3 * length_of(heading)) flat = shortest_rotation(heading, forward);
    }
    s->rotations[foot] = s->rotations[toes] = flat;
}

static uint32_t depth_of(const bone_tree *t, uint32_t bone)
{
    uint32_t depth = 0;
    while (t->parents[bone] != NO_BONE) {
        bone = t->parents[bone];
        ++depth;
    }
    return depth;
}

/* Returns all bones, parents before their children. Free the list with release(). */
static uint32_t *list_parents_first(const bone_tree *t)
{
    uint32_t *order = (uint32_t *)allocate(t->count, sizeof *order);
    uint32_t *depths = (uint32_t *)allocate(t->count, sizeof *depths);
    uint32_t  count = 0;
    for (uint32_t i = 0; i < t->count; ++i) depths[i] = depth_of(t, i);
    for (uint32_t depth = 0; count < t->count; ++depth) {
        for (uint32_t i = 0; i < t->count; ++i) {
            if (depths[i] == depth) order[count++] = i;
        }
    }
    release(depths);
    return order;
}

/* Returns the height of the lowest joint of the legs. */
static double lowest_joint(const vec3 *positions, const uint32_t bones[ROLE_COUNT], vec3 up)
{
    int    pair = has_pair(bones, FOOT) ? FOOT : SHIN;
    double left = dot(positions[bones[pair]], up);
    double right = dot(positions[bones[pair + RIGHT_SIDE]], up);
    return fmin(left, right);
}

void find_canonical_pose(const bone_tree *t, const uint32_t bones[ROLE_COUNT], mat3 axes,
                         const vec3 *positions, const vec3 *hinges, mat3 *rotations, vec3 *posed)
{
    stance s;
    for (uint32_t r = 0; r < ROLE_COUNT; ++r) {
        s.has[r] = bones[r] != NO_BONE;
        s.at[r] = s.has[r] ? rotate(axes, positions[bones[r]]) : make_vec3(0, 0, 0);
        s.hinges[r] = hinges ? rotate(axes, hinges[r]) : make_vec3(0, 0, 0);
        s.rotations[r] = diagonal(1);
    }
    align_trunk(&s);
    for (int side = 0; side < SIDES; ++side) {
        straighten_arm(&s, side);
        straighten_leg(&s, side);
    }

    int *role_of = (int *)allocate(t->count, sizeof *role_of);
    for (uint32_t i = 0; i < t->count; ++i) role_of[i] = ROLE_COUNT;
    for (int r = 0; r < ROLE_COUNT; ++r) {
        if (s.has[r]) role_of[bones[r]] = r;
    }
    uint32_t *order = list_parents_first(t);
    for (uint32_t k = 0; k < t->count; ++k) {
        uint32_t i = order[k], parent = t->parents[i];
        posed[i] = positions[i];
        rotations[i] = diagonal(1);
        if (parent != NO_BONE) {
            vec3 bone = minus(positions[i], positions[parent]);
            posed[i] = add(posed[parent], rotate(rotations[parent], bone));
            rotations[i] = rotations[parent];
        }
        if (role_of[i] == ROLE_COUNT) continue;
        rotations[i] = times(transposed(axes), times(s.rotations[role_of[i]], axes));
    }

    /* Straight legs are longer, so lift the hips and all their descendants. */
    vec3   up = rotate_back(axes, make_vec3(0, 0, 1));
    double lift = lowest_joint(positions, bones, up) - lowest_joint(posed, bones, up);
    for (uint32_t i = 0; i < t->count; ++i) {
        if (is_above(t, bones[HIPS], i)) posed[i] = add(posed[i], scaled(up, lift));
    }
    release(role_of);
    release(order);
}
