/* humanoid.h - finds the limbs of a humanoid skeleton by the names and the tree of its bones, and
   computes one pose that all humanoids share. Public domain.

   If two skeletons are in the canonical pose, a limb of one and the same limb of the other have the
   same direction and bend about the same axis. So a rotation away from the canonical pose means the
   same on both, whatever their bind poses are. */
#ifndef HUMANOID_H_INCLUDED
#define HUMANOID_H_INCLUDED

#include "bone_math.h"

#define NO_BONE UINT32_MAX

enum { LEFT_SIDE, RIGHT_SIDE, SIDES };

/* A role with sides stands for the left bone; the right bone follows it: HAND + RIGHT_SIDE. */
enum {
    HIPS, SPINE, CHEST, NECK, HEAD,
    CLAVICLE, UPPER_ARM = CLAVICLE + SIDES, FOREARM = UPPER_ARM + SIDES, HAND = FOREARM + SIDES,
    THIGH = HAND + SIDES, SHIN = THIGH + SIDES, FOOT = SHIN + SIDES, TOES = FOOT + SIDES,
    ROLE_COUNT = TOES + SIDES
};

typedef struct bone_tree {
    uint32_t           count;
    const char *const *names;         /* [count] */
    const uint32_t    *parents;       /* [count] in any order; NO_BONE for a root */
    const bool        *is_bound;      /* [count] the bone moves vertices, so it is preferred to a bone
                                         that does not; NULL: all bones do */
} bone_tree;

/* Sets bones[role], to NO_BONE if no bone has the role. */
void find_roles(const bone_tree *tree, uint32_t bones[ROLE_COUNT]);
/* Returns true if every humanoid must have this role: hips, head, thighs and shins. */
bool is_needed_role(uint32_t which);
bool is_humanoid(const uint32_t bones[ROLE_COUNT]);
/* Returns true for the name of a bone of the trunk, from the hips to the head. */
bool is_trunk_name(const char *name);
/* Returns the name of a role in words: "left upper arm". */
const char *role_name(uint32_t which);

/* Sets carriers[count]: the bone with which a bone moves, which is usually its parent. A helper of a limb moves with
   the limb, even if it is not a descendant of the limb: in skeletons that are found in an MD2, many helpers are
   children of the hips. */
void find_carriers(const bone_tree *tree, const uint32_t bones[ROLE_COUNT], uint32_t *carriers);

/* The functions below need the bones of a humanoid. `positions` [count] are the positions of the joints. */

/* Returns the rotation from the axes of the skeleton to X forward, Y left, Z up. The result is right if the
   hips and shoulders are rotated by less than 45 degrees from the axes of the file. With Y up, +X is left if
   they are rotated by less than 66 degrees from the axes of glTF. */
mat3   find_axes(const vec3 *positions, const uint32_t bones[ROLE_COUNT]);
/* Returns the mean distance from hip joint to ankle, along the leg. */
double leg_length(const vec3 *positions, const uint32_t bones[ROLE_COUNT]);

/* The angle of the arms in the canonical pose: 0 is a T-pose, 45 an A-pose. */
#define CANONICAL_ARMS_DOWN 0.0       /* degrees */

/* Computes the canonical pose: the hips level, the chest aligned with up and left, each arm and leg
   straight along its axis with its hinge across, the feet flat. A bone without a role follows its
   parent; neck and head keep their direction. Bones only rotate about their joints, so the lengths
   of all bones stay, and then the whole is shifted vertically until the ankles are as high as
   before. `axes` is the result of find_axes, or the known one. hinges[role] are the axes about which the
   limbs bend, in the given pose: for an elbow, those of UPPER_ARM and FOREARM, for a knee, those of
   THIGH and SHIN, which become left; (0 0 0) = unknown. If `hinges` is NULL, the bends of the given pose show the hinges.
   Sets rotations[count], relative to the given pose, in the axes of the skeleton, and posed[count],
   the new positions of the joints; `posed` must not be `positions`. */
void find_canonical_pose(const bone_tree *tree, const uint32_t bones[ROLE_COUNT], mat3 axes,
                         const vec3 *positions, const vec3 *hinges, mat3 *rotations, vec3 *posed);

#endif /* HUMANOID_H_INCLUDED */
