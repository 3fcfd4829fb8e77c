/* name_bones.c - names the bones of a humanoid: hips, chest, head, arms and legs. Public domain.

   body.h finds the trunk and the limbs, which are chains of bones. One bone of a part, usually the first,
   gets the name of the part, such as "forearm_l". All other bones (hair, capes, pads, fingers) are helpers, such as
   "head_helper_3f9a", and descendants of the bone that they help. A shoulder blade, to which an arm is
   attached, is a helper of the chest. */
#include "body.h"

enum { MOST_NAMED_POINTS = 2048 };

uint32_t tag_of_mesh(const motion *m)
{
    uint32_t hash = 2166136261u ^ m->point_count; /* FNV-1a */
    for (uint32_t i = 0; i < m->corner_count; ++i) hash = (hash ^ m->corners[i]) * 16777619u;
    return (hash ^ hash >> 16) & 0xffff;
}

static void name_bone(body *b, uint32_t bone, const char *role, const char *side)
{
    snprintf(b->r->names[bone], BONE_NAME_ROOM, "%s%s", role, side);
}

static bool is_taken(const rig *r, uint32_t bone)
{
    for (uint32_t i = 0; i < r->bone_count; ++i) {
        if (i != bone && strcmp(r->names[i], r->names[bone]) == 0) return true;
    }
    return false;
}

/* Names a helper: "head_helper_3f9a". The tag differs from model to model, so an animation of a
   different model, in which the helper is hair, does not move a helper that is a jaw. Names have no
   dots because three.js drops dots. */
static void name_helper(body *b, uint32_t bone, const char *helped)
{
    char    *name = b->r->names[bone];
    unsigned tag = tag_of_mesh(b->m);
    snprintf(name, BONE_NAME_ROOM, "%.11s_helper_%04x", helped, tag);
    for (unsigned number = 2; is_taken(b->r, bone); ++number) {
        snprintf(name, BONE_NAME_ROOM, "%.11s_helper_%04x_%u", helped, tag, number);
    }
}

/* Returns the name of a bone or, for a helper, the name of the bone that it helps. */
static const char *main_bone_name(const body *b, uint32_t bone)
{
    while (strstr(b->r->names[bone], "_helper")) bone = (uint32_t)b->r->parents[bone];
    return b->r->names[bone];
}

/* Attaches each bone of a chain to the previous bone. A bone without a name becomes a helper of the
   nearest named bone above it. */
static void attach_chain(body *b, const bone_list *chain, uint32_t root)
{
    const char *helped = root == NONE ? "" : main_bone_name(b, root);
    for (uint32_t i = 0; i < chain->count; ++i) {
        uint32_t bone = chain->bone[i], parent = i == 0 ? root : chain->bone[i - 1];
        b->r->parents[bone] = parent == NONE ? -1 : (int32_t)parent;
        if (b->r->names[bone][0]) helped = b->r->names[bone];
        else name_helper(b, bone, helped);
    }
}

/* Names the parts of both limbs. If a part is missing on one side, it gets no name on the other side either. */
static void name_limbs(body *b, limb limbs[SIDES], const char *const names[LIMB_PARTS], bool is_leg)
{
    static const char *const sides[SIDES] = { "_l", "_r" };
    uint32_t                 parts[SIDES][LIMB_PARTS];
    divide_limbs(b, limbs, is_leg, parts);
    for (int part = 0; part < LIMB_PARTS; ++part) {
        if (parts[LEFT][part] == NONE || parts[RIGHT][part] == NONE) {
            b->r->unnamed = is_leg ? "foot_l and foot_r are missing, because a leg has too few points"
                                   : "hand_l and hand_r are missing, because an arm has too few points";
            break;
        }
        for (int k = 0; k < SIDES; ++k) name_bone(b, parts[k][part], names[part], sides[k]);
    }
    for (int k = 0; k < SIDES; ++k) attach_chain(b, &limbs[k].chain, limbs[k].root);
}

/* Names the bones of the trunk. The arms are attached to the chest. The head is the heaviest bone above the chest. */
static void name_trunk(body *b)
{
    bone_list *trunk = &b->trunk;
    uint32_t   last = trunk->count - 1, chest = 1, above = 2;
    if (b->has_arms) {
        uint32_t i = index_in(trunk, b->arms[LEFT].root), k = index_in(trunk, b->arms[RIGHT].root);
        chest = i < k ? i : k;
        above = (i < k ? k : i) + 1;
        if (chest == 0) chest = 1;
        if (above > last) above = last;
    }
    uint32_t head = above;
    for (uint32_t i = above + 1; i <= last; ++i) {
        double mass = mass_of(b->m, b->r, trunk->bone[i]);
        if (mass > mass_of(b->m, b->r, trunk->bone[head])) head = i;
    }

    name_bone(b, trunk->bone[0], "hips", "");
    if (chest > 1) name_bone(b, trunk->bone[1], "spine", "");
    name_bone(b, trunk->bone[chest], "chest", "");
    if (head > above) name_bone(b, trunk->bone[above], "neck", "");
    name_bone(b, trunk->bone[head], "head", "");
    attach_chain(b, trunk, NONE);
}

/* Makes each bone that is not in a chain a helper of the nearest bone of a chain. */
static void name_other_bones(body *b)
{
    bone_list named = { 0, { 0 } };
    double    distances[MOST_BONES];
    uint32_t  previous[MOST_BONES];
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        if (b->r->names[i][0]) append_bone(&named, i);
    }
    bone_distances(b, &named, distances, previous);
    for (uint32_t i = 0; i < b->r->bone_count; ++i) {
        if (previous[i] == NONE) continue;
        b->r->parents[i] = (int32_t)previous[i];
        name_helper(b, i, main_bone_name(b, path_to(previous, i).bone[0]));
    }
}

static void name_body(body *b)
{
    static const char *const leg_names[LIMB_PARTS] = { "thigh", "shin", "foot" };
    static const char *const arm_names[LIMB_PARTS] = { "upper_arm", "forearm", "hand" };
    b->r->unnamed = b->has_arms ? NULL : "upper_arm, forearm and hand are missing, because no arms were found";
    add_missing_chest(b);
    name_trunk(b);
    name_limbs(b, b->legs, leg_names, true);
    if (b->has_arms) name_limbs(b, b->arms, arm_names, false);
    name_other_bones(b);
}

/* Finds a body with Z up, or else with Y up, which is rare. */
static bool find_any_body(body *b)
{
    static const mat3 z_up = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    static const mat3 y_up = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } };
    if (find_body(b, z_up)) return true;

    const char *reason = b->reason;
    if (find_body(b, y_up)) return true;
    b->reason = reason;
    b->r->axes = z_up;
    return false;
}

void name_bones(const motion *m, rig *r)
{
    for (uint32_t i = 0; i < r->bone_count; ++i) r->parents[i] = NO_PARENT_YET;
    memset(r->names, 0, sizeof r->names);
    r->axes = diagonal(1);
    r->unnamed = "no bone has a name, because it has more than 2,048 points";
    if (m->point_count > MOST_NAMED_POINTS) return;

    body *b = (body *)allocate(1, sizeof *b);
    begin_body(b, m, r);
    bool is_found = find_any_body(b);
    r->unnamed = b->reason;
    if (is_found) name_body(b);
    end_body(b);
    release(b);
}
