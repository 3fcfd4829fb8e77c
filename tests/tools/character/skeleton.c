/* The skeleton of the character: its joints, and the frames in which its parts are modeled. Public domain. */
#include "character.h"

#define BOTH_SIDES(name, left_parent, right_parent, frame, x, y, z) \
  { name "_l", left_parent, frame, { x, y, z } }, { name "_r", right_parent, frame, { x, y, z } }

const joint_row character_joints[JOINTS] = {
    { "root", -1, IN_WORLD, { 0, 0, 0 } },
    { "hips", ROOT, IN_WORLD, { 0, 0, -7 } },
    { "spine", HIPS, IN_WORLD, { 0, 0, -3 } },
    { "chest", SPINE, IN_WORLD, { 0, 0, 2.5 } },
    { "neck", CHEST, IN_WORLD, { 0, 0, 7 } },
    { "head", NECK, IN_WORLD, { 0, 0, 9 } },
    { "brow", HEAD, IN_WORLD, { 0, 0, 16 } },
    { "look", HEAD, IN_WORLD, { 0, 0, 16 } },
    BOTH_SIDES("eye", LOOK, LOOK, IN_EYE, 0, 0, 10.9),
    { "plume1", HEAD, IN_WORLD, { -1, 0, 25.5 } },
    { "plume2", PLUME1, IN_WORLD, { -3, 0, 29.2 } },
    { "plume3", PLUME2, IN_WORLD, { -7, 0, 31 } },
    { "scarf1", CHEST, IN_WORLD, { -6, 5.2, 6.6 } },
    { "scarf2", SCARF1, IN_WORLD, { -8.4, 6.8, 2.6 } },
    BOTH_SIDES("clavicle", CHEST, CHEST, IN_WORLD, 0, 3, 5),
    BOTH_SIDES("arm", CLAVICLE_L, CLAVICLE_R, IN_ARM, 0, 0, 0),
    BOTH_SIDES("forearm", ARM_L, ARM_R, IN_ARM, 0, 0, 7.2),
    BOTH_SIDES("hand", FOREARM_L, FOREARM_R, IN_ARM, 0, 0, 14),
    BOTH_SIDES("fingers", HAND_L, HAND_R, IN_ARM, -1, 0.2, 18),
    BOTH_SIDES("index", HAND_L, HAND_R, IN_ARM, 1.7, 0.2, 18),
    BOTH_SIDES("thumb", HAND_L, HAND_R, IN_ARM, 2, 0.6, 15.6),
    { "weapon", HAND_R, IN_ARM, { 0, 2.3, 17.4 } },
    BOTH_SIDES("thigh", HIPS, HIPS, IN_WORLD, 0, 4.5, -6.5),
    BOTH_SIDES("shin", THIGH_L, THIGH_R, IN_WORLD, 0, 4.7, -13.4),
    BOTH_SIDES("foot", SHIN_L, SHIN_R, IN_WORLD, 0, 4.9, -20.3),
    BOTH_SIDES("toes", FOOT_L, FOOT_R, IN_WORLD, 4.2, 4.9, -23),
};

int mirror_joint(int joint)
{
    const char *name = character_joints[joint].name;
    size_t      l = strlen(name);
    return l > 2 && strcmp(name + l - 2, "_l") == 0 ? joint + 1 : joint;
}

vec eye_direction(double side)
{
    return v3(cosine(21), side * sine(21), -0.045);
}

/* Computes the axes of a frame in which a part is modeled: Z runs along the part, X points to the center of its
   texture. */
static void frame_axes(int frame, vec *origin, vec *x, vec *z)
{
    vec arm = v3(0, 9.4, 4.6), down = v3(0, sine(ARM_SLOPE), -cosine(ARM_SLOPE));
    *origin = v3(0, 0, 0);
    *x = v3(1, 0, 0);
    *z = v3(0, 0, 1);
    switch (frame) {
        case IN_ARM: *origin = arm, *z = down; break;
        case IN_SHOULDER: *origin = add(arm, v3(0, 0.2, 0.3)), *z = normalize(v3(0, 0.78, 0.62)); break;
        case IN_EAR: *origin = v3(0, 0, 16), *z = v3(0, 1, 0); break;
        case IN_EYE: *origin = v3(0, 0, 16), *z = eye_direction(1), *x = v3(0, 0, 1); break;
        case IN_FOOT: *origin = v3(0, 4.9, CHARACTER_FLOOR), *z = v3(1, 0, 0), *x = v3(0, 0, 1);
            break;
        case IN_THUMB: *origin = add(arm, add(times(down, 15.6), v3(1.6, -0.5, -0.3)));
            *z = normalize(v3(0.72, -0.05, -0.6)), *x = v3(0, 1, 0); break;
        case IN_GRIP: *origin = add(arm, add(times(down, 17.4), times(v3(0, -0.768, -0.64), 2.3)));
            *z = v3(1, 0, 0), *x = times(down, -1); break;
        case IN_TAIL: *origin = v3(-5.6, 5, 7), *z = normalize(v3(-0.5, 0.36, -0.8)); break;
        default: break;
    }
}

vec from_frame(int frame, vec p)
{
    vec origin, x, z;
    frame_axes(frame, &origin, &x, &z);
    z = normalize(z);
    vec y = normalize(cross(z, x));
    x = cross(y, z);
    return add(origin, add(times(x, p.x), add(times(y, p.y), times(z, p.z))));
}

double to_micro(double x) { return floor(x * CHARACTER_MICRO + 0.5); }

vec rounded(vec p)
{
    return v3(to_micro(p.x) / CHARACTER_MICRO, to_micro(p.y) / CHARACTER_MICRO,
              to_micro(p.z) / CHARACTER_MICRO);
}

vec joint_bind(int joint)
{
    vec p = from_frame(character_joints[joint].frame, character_joints[joint].at);
    int right = joint == WEAPON || (joint > 0 && mirror_joint(joint - 1) == joint);
    if (right) p.y = -p.y;
    return rounded(p);
}
