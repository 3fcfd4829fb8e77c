/* character.h: Sir Rivet, a small round robot knight, made out of nothing: skeleton, mesh, painted
   skin and the twenty animations of a Quake II player. make_character.c writes it to files.
   Public domain.

   X is forward, Y left and Z up; one unit is about an inch. He is 56 high; the origin is at his
   hips and the floor at z = -24. Every table is for the left side: the right one is mirrored.

   Nothing here depends on the compiler or its library: sine and cosine are polynomials, and every
   number is rounded to a millionth before it is used, so that files and frames agree. */
#ifndef CHARACTER_H_INCLUDED
#define CHARACTER_H_INCLUDED

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__clang__)
  #pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
  #pragma GCC optimize("fp-contract=off")
#endif

#define CHARACTER_FLOOR  (-24.0)
#define CHARACTER_FRAMES 198
#define CHARACTER_FPS    10
#define CHARACTER_SKIN   512           /* texels each way */
#define CHARACTER_MICRO  1000000.0

/* -- Vectors and rotations --------------------------------------------------------------------- */

typedef struct vec { double x, y, z; } vec;
typedef struct quat { double x, y, z, w; } quat;
typedef struct xform { vec position; quat rotation; } xform;

static inline vec v3(double x, double y, double z)
{
    vec v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

static inline vec add(vec a, vec b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline vec sub(vec a, vec b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline vec times(vec a, double s) { return v3(a.x * s, a.y * s, a.z * s); }
static inline vec toward(vec a, vec b, double t) { return add(a, times(sub(b, a), t)); }
static inline double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double length(vec a) { return sqrt(dot(a, a)); }

static inline vec cross(vec a, vec b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline vec unit(vec a)
{
    double l = length(a);
    return l > 0 ? times(a, 1 / l) : v3(0, 0, 1);
}

static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static inline double mix(double a, double b, double t) { return a + (b - a) * t; }

static inline double smoothstep(double low, double high, double x)
{
    double t = clamp((x - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

/* Sine of an angle in degrees, to the last bits: a Taylor series within 45 degrees of zero. */
static inline double sine(double degrees)
{
    double turns = degrees / 360, x, x2, s, c;
    int    quarter;
    turns -= floor(turns);
    quarter = (int)(turns * 4 + 0.5);
    x = (turns - quarter * 0.25) * 6.283185307179586;
    x2 = x * x;
    s = x * (1 - x2 / 6 * (1 - x2 / 20 * (1 - x2 / 42 * (1 - x2 / 72 * (1 - x2 / 110)))));
    c = 1 - x2 / 2 * (1 - x2 / 12 * (1 - x2 / 30 * (1 - x2 / 56 * (1 - x2 / 90 * (1 - x2 / 132)))));
    switch (quarter & 3) {
        case 0: return s;
        case 1: return c;
        case 2: return -s;
        default: return -c;
    }
}

static inline double cosine(double degrees) { return sine(degrees + 90); }

static inline quat quat_of(double x, double y, double z, double w)
{
    quat q;
    double l = sqrt(x * x + y * y + z * z + w * w);
    q.x = x / l;
    q.y = y / l;
    q.z = z / l;
    q.w = w / l;
    return q;
}

static inline quat no_turn(void) { return quat_of(0, 0, 0, 1); }
static inline quat inverse(quat q) { return quat_of(-q.x, -q.y, -q.z, q.w); }

static inline quat turn(vec axis, double degrees)
{
    vec a = times(unit(axis), sine(degrees / 2));
    return quat_of(a.x, a.y, a.z, cosine(degrees / 2));
}

static inline quat turn_x(double degrees) { return turn(v3(1, 0, 0), degrees); }
static inline quat turn_y(double degrees) { return turn(v3(0, 1, 0), degrees); }
static inline quat turn_z(double degrees) { return turn(v3(0, 0, 1), degrees); }

static inline quat after(quat a, quat b) /* b first, then a */
{
    return quat_of(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                   a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                   a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x,
                   a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

static inline vec turned(quat q, vec v)
{
    vec u = v3(q.x, q.y, q.z), t = times(cross(u, v), 2);
    return add(v, add(times(t, q.w), cross(u, t)));
}

/* Part of the way from one rotation to another, along the shorter arc. */
static inline quat turn_toward(quat a, quat b, double t)
{
    double s = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -t : t;
    double r = 1 - t;
    return quat_of(a.x * r + b.x * s, a.y * r + b.y * s, a.z * r + b.z * s, a.w * r + b.w * s);
}

static inline quat turn_between(vec from, vec to)
{
    vec a = unit(from), b = unit(to), c = cross(a, b);
    return quat_of(c.x, c.y, c.z, 1.000001 + dot(a, b));
}

/* The rotation that takes X to x, and Z as near to z as it can. */
static inline quat turn_frame(vec x, vec z)
{
    vec  ux = unit(x), uy = unit(cross(z, ux)), uz = cross(ux, uy);
    quat first = turn_between(v3(1, 0, 0), ux);
    vec  up = turned(first, v3(0, 0, 1));
    /* what is left is a turn about x, here by half its angle */
    double c = sqrt(clamp((1 + dot(up, uz)) / 2, 0, 1));
    double s = sqrt(clamp((1 - dot(up, uz)) / 2, 0, 1));
    if (dot(cross(up, uz), ux) < 0) s = -s;
    return after(quat_of(ux.x * s, ux.y * s, ux.z * s, c), first);
}

static inline vec placed(xform t, vec v) { return add(t.position, turned(t.rotation, v)); }

static inline xform below(xform parent, xform local)
{
    xform out;
    out.position = placed(parent, local.position);
    out.rotation = after(parent.rotation, local.rotation);
    return out;
}

/* -- Skeleton ---------------------------------------------------------------------------------- */

enum joint {
    ROOT, HIPS, SPINE, CHEST, NECK, HEAD, BROW, LOOK, EYE_L, EYE_R, PLUME1, PLUME2, PLUME3, SCARF1,
    SCARF2, CLAVICLE_L, CLAVICLE_R, ARM_L, ARM_R, FOREARM_L, FOREARM_R, HAND_L, HAND_R, FINGERS_L,
    FINGERS_R, INDEX_L, INDEX_R, THUMB_L, THUMB_R, WEAPON, THIGH_L, THIGH_R, SHIN_L, SHIN_R, FOOT_L,
    FOOT_R, TOES_L, TOES_R, JOINTS
};

enum frame { IN_WORLD, IN_ARM, IN_SHOULDER, IN_EAR, IN_EYE, IN_FOOT, IN_THUMB, IN_GRIP, IN_TAIL };

typedef struct joint_row {
    const char *name;
    int         parent, frame;        /* `at` is given in that frame */
    vec         at;
} joint_row;

#define ARM_SLOPE 39.8                 /* degrees the arms stand off in the bind pose */

static const joint_row character_joints[JOINTS] = {
    { "root", -1, IN_WORLD, { 0, 0, 0 } },
    { "hips", ROOT, IN_WORLD, { 0, 0, -7 } },
    { "spine", HIPS, IN_WORLD, { 0, 0, -3 } },
    { "chest", SPINE, IN_WORLD, { 0, 0, 2.5 } },
    { "neck", CHEST, IN_WORLD, { 0, 0, 7 } },
    { "head", NECK, IN_WORLD, { 0, 0, 9 } },
    { "brow", HEAD, IN_WORLD, { 0, 0, 16 } },
    { "look", HEAD, IN_WORLD, { 0, 0, 16 } },
    { "eye_l", LOOK, IN_EYE, { 0, 0, 10.9 } },
    { "eye_r", LOOK, IN_EYE, { 0, 0, 10.9 } },
    { "plume1", HEAD, IN_WORLD, { -1, 0, 25.5 } },
    { "plume2", PLUME1, IN_WORLD, { -3, 0, 29.2 } },
    { "plume3", PLUME2, IN_WORLD, { -7, 0, 31 } },
    { "scarf1", CHEST, IN_WORLD, { -6, 5.2, 6.6 } },
    { "scarf2", SCARF1, IN_WORLD, { -8.4, 6.8, 2.6 } },
    { "clavicle_l", CHEST, IN_WORLD, { 0, 3, 5 } },
    { "clavicle_r", CHEST, IN_WORLD, { 0, 3, 5 } },
    { "arm_l", CLAVICLE_L, IN_ARM, { 0, 0, 0 } },
    { "arm_r", CLAVICLE_R, IN_ARM, { 0, 0, 0 } },
    { "forearm_l", ARM_L, IN_ARM, { 0, 0, 7.2 } },
    { "forearm_r", ARM_R, IN_ARM, { 0, 0, 7.2 } },
    { "hand_l", FOREARM_L, IN_ARM, { 0, 0, 14 } },
    { "hand_r", FOREARM_R, IN_ARM, { 0, 0, 14 } },
    { "fingers_l", HAND_L, IN_ARM, { -1, 0.2, 18 } },
    { "fingers_r", HAND_R, IN_ARM, { -1, 0.2, 18 } },
    { "index_l", HAND_L, IN_ARM, { 1.7, 0.2, 18 } },
    { "index_r", HAND_R, IN_ARM, { 1.7, 0.2, 18 } },
    { "thumb_l", HAND_L, IN_ARM, { 2, 0.6, 15.6 } },
    { "thumb_r", HAND_R, IN_ARM, { 2, 0.6, 15.6 } },
    { "weapon", HAND_R, IN_ARM, { 0, 2.3, 17.4 } },
    { "thigh_l", HIPS, IN_WORLD, { 0, 4.5, -6.5 } },
    { "thigh_r", HIPS, IN_WORLD, { 0, 4.5, -6.5 } },
    { "shin_l", THIGH_L, IN_WORLD, { 0, 4.7, -13.4 } },
    { "shin_r", THIGH_R, IN_WORLD, { 0, 4.7, -13.4 } },
    { "foot_l", SHIN_L, IN_WORLD, { 0, 4.9, -20.3 } },
    { "foot_r", SHIN_R, IN_WORLD, { 0, 4.9, -20.3 } },
    { "toes_l", FOOT_L, IN_WORLD, { 4.2, 4.9, -23 } },
    { "toes_r", FOOT_R, IN_WORLD, { 4.2, 4.9, -23 } },
};

/* The joint on the other side, or the joint itself where it has none. */
static inline int other_side(int joint)
{
    const char *name = character_joints[joint].name;
    size_t      l = strlen(name);
    return l > 2 && strcmp(name + l - 2, "_l") == 0 ? joint + 1 : joint;
}

static inline int is_right(int joint)
{
    return joint == WEAPON || (joint > 0 && other_side(joint - 1) == joint);
}

/* The direction of an eye from the middle of the head. */
static inline vec eye_direction(double side)
{
    return v3(cosine(21), side * sine(21), -0.045);
}

/* Parts are modelled in frames of their own: the third axis runs along the part, the first is the
   middle of its texture. */
static inline void frame_axes(int frame, vec *origin, vec *x, vec *z)
{
    vec arm = v3(0, 9.4, 4.6), down = v3(0, sine(ARM_SLOPE), -cosine(ARM_SLOPE));
    *origin = v3(0, 0, 0);
    *x = v3(1, 0, 0);
    *z = v3(0, 0, 1);
    switch (frame) {
        case IN_ARM: *origin = arm, *z = down; break;
        case IN_SHOULDER: *origin = add(arm, v3(0, 0.2, 0.3)), *z = unit(v3(0, 0.78, 0.62)); break;
        case IN_EAR: *origin = v3(0, 0, 16), *z = v3(0, 1, 0); break;
        case IN_EYE: *origin = v3(0, 0, 16), *z = eye_direction(1), *x = v3(0, 0, 1); break;
        case IN_FOOT: *origin = v3(0, 4.9, CHARACTER_FLOOR), *z = v3(1, 0, 0), *x = v3(0, 0, 1);
            break;
        case IN_THUMB: *origin = add(arm, add(times(down, 15.6), v3(1.6, -0.5, -0.3)));
            *z = unit(v3(0.72, -0.05, -0.6)), *x = v3(0, 1, 0); break;
        case IN_GRIP: *origin = add(arm, add(times(down, 17.4), times(v3(0, -0.768, -0.64), 2.3)));
            *z = v3(1, 0, 0), *x = times(down, -1); break;
        case IN_TAIL: *origin = v3(-5.6, 5, 7), *z = unit(v3(-0.5, 0.36, -0.8)); break;
        default: break;
    }
}

static inline vec from_frame(int frame, vec p)
{
    vec origin, x, z, y;
    frame_axes(frame, &origin, &x, &z);
    z = unit(z);
    y = unit(cross(z, x));
    x = cross(y, z);
    return add(origin, add(times(x, p.x), add(times(y, p.y), times(z, p.z))));
}

static inline double to_micro(double x) { return floor(x * CHARACTER_MICRO + 0.5); }

/* Where a joint is in the bind pose, in whole millionths; no joint is turned there. */
static inline vec joint_bind(int joint)
{
    vec p = from_frame(character_joints[joint].frame, character_joints[joint].at);
    if (is_right(joint)) p.y = -p.y;
    return v3(to_micro(p.x) / CHARACTER_MICRO, to_micro(p.y) / CHARACTER_MICRO,
              to_micro(p.z) / CHARACTER_MICRO);
}

/* -- Mesh -------------------------------------------------------------------------------------- */

enum {
    MAX_POINTS = 1200, MAX_VERTICES = 2000, MAX_TRIANGLES = 1600, MAX_PARTS = 64,
    MAX_ROWS = 12, MAX_SIDES = 16, INFLUENCES = 3
};

typedef struct influence { int joint, bias; vec at; } influence; /* bias in millionths */

typedef struct point {                 /* what moves: a place on a part, and what it hangs on */
    vec       at, normal;
    influence by[INFLUENCES];
    int       count;
} point;

typedef struct vertex { int point, s, t; } vertex; /* texels of the skin */

typedef struct triangle { int corner[3], part; } triangle;

/* A ring of a part: its middle in the part's frame, two radii, how far the ring leans, and where
   on the part's chain of joints it hangs: 0 on the first, 0.5 half way between it and the next. */
typedef struct ring { double x, y, z, r1, r2, lean, on; } ring;

typedef struct part {
    const char *name;
    int         paint, frame, mirrored;
    int         sides;                 /* points in each ring */
    double      square;                /* 0 = round, 1 = square */
    int         chain[3], soft;        /* soft: three joints share a point, not two */
    int         x, y, w, h;            /* on the skin */
    int         rows;
    ring        row[MAX_ROWS];
} part;

typedef struct mesh {
    point    points[MAX_POINTS];
    vertex   vertices[MAX_VERTICES];
    triangle triangles[MAX_TRIANGLES];
    int      first[MAX_PARTS + 1];     /* triangle with which each closed part begins */
    const part *of[MAX_PARTS];
    int      right[MAX_PARTS];
    int      point_count, vertex_count, triangle_count, part_count;
} mesh;

enum paint {
    PAINT_HEAD, PAINT_BODY, PAINT_BROW, PAINT_EAR, PAINT_EYE, PAINT_PLUME, PAINT_SCARF, PAINT_TAIL,
    PAINT_SHOULDER, PAINT_SLEEVE, PAINT_GAUNTLET, PAINT_PALM, PAINT_FINGER, PAINT_LEG, PAINT_SHAFT,
    PAINT_FOOT, PAINT_BLADE, PAINT_GUARD, PAINT_GRIP, PAINT_POMMEL
};

static const part character_parts[] = {
    { "head", PAINT_HEAD, IN_WORLD, 0, 14, 0.06, { HEAD, HEAD, HEAD }, 0, 2, 2, 352, 168, 8,
      { { 0, 0, 7.6, 0, 0, 0, 0 }, { 0, 0, 7.6, 6.2, 6.4, 0, 0 }, { 0, 0, 9.2, 8.4, 8.6, 0, 0 },
        { 0, 0, 12.6, 10.3, 10.5, 0, 0 }, { 0, 0, 16.6, 10.9, 11, 0, 0 },
        { 0, 0, 20.6, 9.9, 10.1, 0, 0 }, { 0, 0, 24.1, 7, 7.1, 0, 0 },
        { 0, 0, 26.4, 0, 0, 0, 0 } } },
    { "body", PAINT_BODY, IN_WORLD, 0, 12, 0.06, { HIPS, SPINE, CHEST }, 1, 2, 174, 320, 140, 8,
      { { -0.2, 0, -11, 0, 0, 0, 0 }, { 0, 0, -10.4, 4.6, 5, 0, 0 },
        { 0.1, 0, -8.2, 7.6, 8, 0, 0.1 }, { 0.3, 0, -4.4, 9.1, 9.4, 0, 0.6 },
        { 0.4, 0, 0, 9.3, 9.6, 0, 1.2 }, { 0.2, 0, 4, 8.1, 8.6, 0, 1.8 }, { 0, 0, 7, 6, 6.6, 0, 2 },
        { 0, 0, 8, 0, 0, 0, 2 } } },
    { "ear", PAINT_EAR, IN_EAR, 1, 8, 0, { HEAD, HEAD, HEAD }, 0, 446, 174, 64, 44, 3,
      { { 0, 0, 9.4, 3.5, 3.5, 0, 0 }, { 0, 0, 11.9, 3.3, 3.3, 0, 0 },
        { 0, 0, 12.7, 0, 0, 0, 0 } } },
    { "eye", PAINT_EYE, IN_EYE, 1, 10, 0, { EYE_L, EYE_L, EYE_L }, 0, 450, 122, 60, 44, 3,
      { { 0, 0, 9.9, 3, 2, 0, 0 }, { 0, 0, 11.2, 2.7, 1.8, 0, 0 }, { 0, 0, 11.7, 0, 0, 0, 0 } } },
    { "plume", PAINT_PLUME, IN_WORLD, 0, 6, 0, { PLUME1, PLUME2, PLUME3 }, 0, 392, 318, 118, 130, 6,
      { { -0.6, 0, 25, 1, 0.9, -10, 0 }, { -1, 0, 27.5, 2.2, 1.3, -10, 0 },
        { -2.6, 0, 30, 3, 1.7, -38, 0.7 }, { -5.8, 0, 31.9, 3.1, 1.7, -72, 1.4 },
        { -9.6, 0, 31.6, 2.4, 1.3, -108, 2 }, { -13.2, 0, 28.6, 0, 0, -120, 2 } } },
    { "scarf", PAINT_SCARF, IN_WORLD, 0, 10, 0, { CHEST, CHEST, CHEST }, 0, 2, 378, 234, 40, 3,
      { { 0, 0, 5.4, 7, 7.4, 0, 0 }, { 0.1, 0, 7, 8.2, 8.6, 0, 0 },
        { 0, 0, 8.6, 6.6, 6.8, 0, 0 } } },
    { "tail", PAINT_TAIL, IN_TAIL, 0, 4, 0, { CHEST, SCARF1, SCARF2 }, 0, 2, 422, 96, 60, 4,
      { { 0, 0, -0.6, 0.7, 1.1, 0, 0.4 }, { 0, 0, 3, 0.8, 2, 0, 1.1 },
        { 0.2, 0, 7, 0.7, 2.5, 0, 1.8 }, { 0.6, 0, 10.4, 0.25, 2.2, 0, 2 } } },
    { "shoulder", PAINT_SHOULDER, IN_SHOULDER, 1, 8, 0, { CLAVICLE_L, ARM_L, ARM_L }, 0, 326, 270,
      130, 44, 4,
      { { 0, 0, -1.6, 4, 4, 0, 0.45 }, { 0, 0, -1, 4.8, 4.8, 0, 0.45 },
        { 0, 0, 1.8, 3.9, 3.9, 0, 0.45 }, { 0, 0, 3.6, 0, 0, 0, 0.45 } } },
    { "sleeve", PAINT_SLEEVE, IN_ARM, 1, 6, 0, { ARM_L, FOREARM_L, HAND_L }, 0, 240, 318, 64, 96, 5,
      { { 0, 0, -1, 1.9, 1.9, 0, 0 }, { 0, 0, 5.2, 1.9, 1.9, 0, 0.12 },
        { 0, 0, 7.2, 2.1, 2.1, 0, 0.5 }, { 0, 0, 9.2, 1.9, 1.9, 0, 0.88 },
        { 0, 0, 12, 1.8, 1.8, 0, 1 } } },
    { "gauntlet", PAINT_GAUNTLET, IN_ARM, 1, 7, 0, { FOREARM_L, HAND_L, HAND_L }, 0, 2, 318, 110,
      52, 3,
      { { 0, 0, 9, 3.4, 3.4, 0, 0 }, { 0, 0, 11, 3.1, 3.1, 0, 0 },
        { 0, 0, 14.6, 2.3, 2.3, 0, 0.25 } } },
    { "palm", PAINT_PALM, IN_ARM, 1, 6, 0.25, { FOREARM_L, HAND_L, HAND_L }, 0, 446, 222, 64, 40, 3,
      { { 0, 0, 13.6, 2, 1.7, 0, 0.7 }, { 0, 0.1, 16.2, 2.9, 2, 0, 1 },
        { 0, 0.2, 18.6, 2.6, 1.5, 0, 1 } } },
    { "fingers", PAINT_FINGER, IN_ARM, 1, 5, 0.2, { FINGERS_L, FINGERS_L, FINGERS_L }, 0, 450, 2,
      60, 38, 3,
      { { -1, 0.1, 17.6, 1.7, 1.2, 0, 0 }, { -1, 0.5, 20.6, 1.8, 1.2, 0, 0 },
        { -1, 1.3, 22.4, 1, 0.6, 0, 0 } } },
    { "index", PAINT_FINGER, IN_ARM, 1, 5, 0.2, { INDEX_L, INDEX_L, INDEX_L }, 0, 450, 42, 60, 38,
      3,
      { { 1.7, 0.1, 17.6, 1.1, 1.1, 0, 0 }, { 1.7, 0.5, 20.8, 1.1, 1.1, 0, 0 },
        { 1.7, 1, 22.8, 0.5, 0.5, 0, 0 } } },
    { "thumb", PAINT_FINGER, IN_THUMB, 1, 5, 0.1, { THUMB_L, THUMB_L, THUMB_L }, 0, 450, 82, 60, 36,
      3,
      { { 0, 0, -0.6, 1, 1, 0, 0 }, { 0, 0, 1.9, 1.25, 1.25, 0, 0 },
        { 0.2, 0, 4, 0.6, 0.6, 0, 0 } } },
    { "leg", PAINT_LEG, IN_WORLD, 1, 6, 0, { THIGH_L, SHIN_L, FOOT_L }, 0, 308, 318, 80, 88, 4,
      { { 0, 4.4, -6.4, 2.5, 2.5, 0, 0 }, { 0, 4.6, -12.2, 2.6, 2.6, 0, 0.25 },
        { 0, 4.7, -14.6, 2.6, 2.6, 0, 0.75 }, { 0, 4.9, -19, 2.2, 2.2, 0, 1 } } },
    { "shaft", PAINT_SHAFT, IN_WORLD, 1, 8, 0.1, { SHIN_L, FOOT_L, FOOT_L }, 0, 116, 318, 120, 56,
      3,
      { { 0, 4.9, -16, 4, 3.8, 0, 0 }, { 0, 4.9, -17.8, 3.7, 3.5, 0, 0.2 },
        { 0, 4.9, -21.8, 3.4, 3.2, 0, 1 } } },
    { "foot", PAINT_FOOT, IN_FOOT, 1, 8, 0.3, { FOOT_L, TOES_L, TOES_L }, 0, 326, 174, 116, 92, 6,
      { { 1.8, 0, -4.6, 0, 0, 0, 0 }, { 2, 0, -3.8, 2.3, 2.4, 0, 0 }, { 2.4, 0, -1, 3, 3.2, 0, 0 },
        { 2.3, 0, 3.4, 2.8, 3.6, 0, 0.35 }, { 1.9, 0, 7, 2.3, 3.6, 0, 1 },
        { 1.5, 0, 9.6, 0, 0, 0, 1 } } },
};

static const part sword_parts[] = {
    { "blade", PAINT_BLADE, IN_GRIP, 1, 6, 0, { WEAPON, WEAPON, WEAPON }, 0, 4, 4, 112, 500, 5,
      { { 0, 0, 4.2, 2.5, 0.8, 0, 0 }, { 0, 0, 6, 2.5, 0.8, 0, 0 }, { 0, 0, 23, 3, 0.75, 0, 0 },
        { 0, 0, 26.5, 2.2, 0.5, 0, 0 }, { 0, 0, 29.5, 0, 0, 0, 0 } } },
    { "guard", PAINT_GUARD, IN_GRIP, 1, 8, 0.5, { WEAPON, WEAPON, WEAPON }, 0, 124, 4, 240, 60, 4,
      { { 0, 0, 3.1, 4.4, 1.2, 0, 0 }, { 0, 0, 3.5, 5, 1.5, 0, 0 }, { 0, 0, 4.6, 5, 1.5, 0, 0 },
        { 0, 0, 5, 4.4, 1.1, 0, 0 } } },
    { "grip", PAINT_GRIP, IN_GRIP, 1, 6, 0, { WEAPON, WEAPON, WEAPON }, 0, 124, 80, 160, 120, 2,
      { { 0, 0, -3.6, 0.8, 0.8, 0, 0 }, { 0, 0, 3.4, 0.8, 0.8, 0, 0 } } },
    { "pommel", PAINT_POMMEL, IN_GRIP, 1, 6, 0, { WEAPON, WEAPON, WEAPON }, 0, 124, 220, 160, 120,
      4,
      { { 0, 0, -5.4, 0, 0, 0, 0 }, { 0, 0, -4.9, 1.2, 1.2, 0, 0 }, { 0, 0, -3.9, 1.4, 1.4, 0, 0 },
        { 0, 0, -3.2, 0.7, 0.7, 0, 0 } } },
};

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* Shares of the joints of a chain at a place along it, in millionths that sum to one. Two straight
   lines, or (soft) three parabolas, which bend a wide body without a crease. */
static inline void chain_shares(double on, int soft, int share[3])
{
    int i;
    for (i = 0; i < 3; ++i) {
        double d = fabs(on - i), w = d < 1 ? 1 - d : 0;
        if (soft) w = d < 0.5 ? 0.75 - d * d : d < 1.5 ? 0.5 * (1.5 - d) * (1.5 - d) : 0;
        if (soft && i == 0 && on < 0.5) w += 0.5 * (0.5 - on) * (0.5 - on);
        if (soft && i == 2 && on > 1.5) w += 0.5 * (on - 1.5) * (on - 1.5);
        share[i] = (int)to_micro(w);
    }
    share[share[1] > share[0] ? share[2] > share[1] ? 2 : 1 : 0] +=
        1000000 - share[0] - share[1] - share[2];
}

static inline void hang(point *p, const int chain[3], const int share[3], int right)
{
    int i;
    for (i = 0; i < 3; ++i) {
        influence *by = &p->by[p->count];
        vec        joint;
        if (share[i] == 0) continue;
        by->joint = right ? other_side(chain[i]) : chain[i];
        by->bias = share[i];
        joint = joint_bind(by->joint);
        by->at = v3(to_micro(p->at.x - joint.x) / CHARACTER_MICRO,
                    to_micro(p->at.y - joint.y) / CHARACTER_MICRO,
                    to_micro(p->at.z - joint.z) / CHARACTER_MICRO);
        ++p->count;
    }
}

static inline int add_point(mesh *m, vec at, const part *of, double on, int right)
{
    int    share[3];
    point *p = &m->points[m->point_count];
    if (m->point_count == MAX_POINTS) abort();
    memset(p, 0, sizeof *p);
    p->at = at;
    if (right) p->at.y = -p->at.y;
    chain_shares(on, of->soft, share);
    hang(p, of->chain, share, right);
    return m->point_count++;
}

static inline int add_vertex(mesh *m, int at_point, double s, double t)
{
    vertex *v = &m->vertices[m->vertex_count];
    if (m->vertex_count == MAX_VERTICES) abort();
    v->point = at_point;
    v->s = (int)floor(s + 0.5);
    v->t = (int)floor(t + 0.5);
    return m->vertex_count++;
}

static inline void add_triangle(mesh *m, int a, int b, int c)
{
    triangle *t = &m->triangles[m->triangle_count++];
    if (m->triangle_count > MAX_TRIANGLES) abort();
    t->corner[0] = a;
    t->corner[1] = b;
    t->corner[2] = c;
    t->part = m->part_count;
}

/* The point at an angle of a ring, in the part's frame. `square` pulls a ring to the corners. */
static inline vec ring_place(const ring *r, double degrees, double square)
{
    double c = -cosine(degrees), s = -sine(degrees);
    double most = fabs(c) > fabs(s) ? fabs(c) : fabs(s);
    double grow = 1 + square * (1 / most - 1);
    vec    flat = turned(turn_y(r->lean), v3(r->r1 * c * grow, 0, 0));
    return v3(r->x + flat.x, r->y + r->r2 * s * grow, r->z + flat.z);
}

static inline int is_pole(const ring *r) { return r->r1 == 0 && r->r2 == 0; }

/* How far along the part each of its rows lies on the skin, in texels. */
static inline void row_heights(const part *p, double height[MAX_ROWS])
{
    double along = 0;
    int    i;
    height[0] = 0;
    for (i = 1; i < p->rows; ++i) {
        const ring *a = &p->row[i - 1], *b = &p->row[i];
        double      r = (b->r1 + b->r2 - a->r1 - a->r2) / 2;
        along += sqrt(r * r + (a->x - b->x) * (a->x - b->x) + (a->z - b->z) * (a->z - b->z));
        height[i] = along;
    }
    for (i = 0; i < p->rows; ++i) {
        double share = height[i] / along;
        if (p->frame == IN_WORLD) share = 1 - share; /* what stands is upright on the skin, too */
        height[i] = p->y + p->h * share;
    }
}

/* A row's vertices: one more than it has points, because the skin is cut open at the back; a pole
   has one for each side. Returns the first. */
static inline int add_row(mesh *m, const part *p, int row, double t, int right)
{
    const ring *r = &p->row[row];
    int         k, first_point = m->point_count, first = m->vertex_count, pole = is_pole(r);
    for (k = 0; k < (pole ? 1 : p->sides); ++k) {
        vec at = from_frame(p->frame, ring_place(r, 360.0 * k / p->sides, p->square));
        if (at.z < CHARACTER_FLOOR) at.z = CHARACTER_FLOOR;
        add_point(m, at, p, r->on, right);
    }
    for (k = 0; k < p->sides + !pole; ++k)
        add_vertex(m, first_point + (pole ? 0 : k % p->sides),
                   p->x + (k + pole * 0.5) * p->w / p->sides, t);
    return first;
}

static inline void add_band(mesh *m, int sides, int low, int low_pole, int high, int high_pole)
{
    int k;
    for (k = 0; k < sides; ++k) {
        if (!low_pole) add_triangle(m, low + k, low + k + 1, high + k);
        if (!high_pole) add_triangle(m, low + k + !low_pole, high + k + 1, high + k);
    }
}

static inline void add_cap(mesh *m, int sides, int first, int far_end)
{
    int k;
    for (k = 1; k + 1 < sides; ++k)
        add_triangle(m, first, first + k + !far_end, first + k + far_end);
}

static inline vec point_of(const mesh *m, int t, int corner)
{
    return m->points[m->vertices[m->triangles[t].corner[corner]].point].at;
}

/* Six times the volume that a part encloses, positive where it is wound counter-clockwise. */
static inline double part_volume(const mesh *m, int which)
{
    double sum = 0;
    int    t;
    for (t = m->first[which]; t < m->first[which + 1]; ++t)
        sum += dot(point_of(m, t, 0), cross(point_of(m, t, 1), point_of(m, t, 2)));
    return sum;
}

static inline void end_part(mesh *m, const part *p, int right)
{
    int t;
    m->of[m->part_count] = p;
    m->right[m->part_count] = right;
    m->first[++m->part_count] = m->triangle_count;
    if (part_volume(m, m->part_count - 1) < 0) return;
    for (t = m->first[m->part_count - 1]; t < m->triangle_count; ++t) { /* clockwise, in both */
        int swap = m->triangles[t].corner[1];
        m->triangles[t].corner[1] = m->triangles[t].corner[2];
        m->triangles[t].corner[2] = swap;
    }
}

static inline void add_part(mesh *m, const part *p, int right)
{
    double height[MAX_ROWS];
    int    row, below_row = 0, here;
    row_heights(p, height);
    for (row = 0; row < p->rows; ++row) {
        here = add_row(m, p, row, height[row], right);
        if (row > 0)
            add_band(m, p->sides, below_row, is_pole(&p->row[row - 1]), here,
                     is_pole(&p->row[row]));
        if (row == 0 && !is_pole(&p->row[row])) add_cap(m, p->sides, here, 0);
        if (row == p->rows - 1 && !is_pole(&p->row[row])) add_cap(m, p->sides, here, 1);
        below_row = here;
    }
    end_part(m, p, right);
}

/* The visor turns about the ears. Each of its rows is a cross-section, from one ear to the other:
   heights in degrees above the face, as seen from the ear, and distances from the middle. */
static inline void add_brow(mesh *m, const part *p)
{
    enum { ROWS = 9, SIDES = 6 };
    static const double up[SIDES] = { 27, 24, 42, 66, 64, 42 };
    static const double out[SIDES] = { 11.7, 12.9, 13, 12.7, 11.6, 11.7 };
    static const double round[SIDES + 1] = { 0, 0.06, 0.44, 0.82, 0.88, 0.94, 1 }; /* on the skin */
    static const double across[ROWS] = { -79, -64, -45, -23, 0, 23, 45, 64, 79 };
    int row, k, first = m->vertex_count, middle = m->point_count;
    for (row = 0; row < ROWS; ++row) {
        double c = cosine(across[row]), s = sine(across[row]);
        for (k = 0; k < SIDES; ++k) {
            double dip = k < 2 || k == 5 ? 5 * (1 - fabs(across[row]) / 79) : 0; /* a beak */
            vec    at = v3(c * cosine(up[k] - dip), s, c * sine(up[k] - dip));
            add_point(m, add(joint_bind(BROW), times(at, out[k])), p, 0, 0);
        }
        for (k = 0; k <= SIDES; ++k)
            add_vertex(m, middle + row * SIDES + k % SIDES, p->x + round[k] * p->w,
                       p->y + (double)row * p->h / (ROWS - 1));
    }
    for (row = 0; row + 1 < ROWS; ++row)
        add_band(m, SIDES, first + row * (SIDES + 1), 0, first + (row + 1) * (SIDES + 1), 0);
    add_cap(m, SIDES, first, 0);
    add_cap(m, SIDES, first + (ROWS - 1) * (SIDES + 1), 1);
    end_part(m, p, 0);
}

/* The angle between two vectors: halved four times over, which leaves a short series. */
static inline double angle_between(vec a, vec b)
{
    double s = length(cross(a, b)), c = dot(a, b), t, t2;
    int    i;
    if (s == 0) return 0;
    t = s / (sqrt(s * s + c * c) + c);
    for (i = 0; i < 3; ++i) t /= 1 + sqrt(1 + t * t);
    t2 = t * t;
    return 16 * t * (1 - t2 * (1.0 / 3 - t2 * (1.0 / 5 - t2 * (1.0 / 7 - t2 / 9))));
}

/* Shading is smooth all over a part: the normal of a point is the mean of the triangles around it,
   by their angles there. */
static inline void find_normals(mesh *m)
{
    int t, k;
    for (t = 0; t < m->triangle_count; ++t)
        for (k = 0; k < 3; ++k) {
            vec    to_last = sub(point_of(m, t, (k + 2) % 3), point_of(m, t, k));
            vec    to_next = sub(point_of(m, t, (k + 1) % 3), point_of(m, t, k));
            point *p = &m->points[m->vertices[m->triangles[t].corner[k]].point];
            p->normal = add(p->normal, times(unit(cross(to_last, to_next)),
                                             angle_between(to_last, to_next)));
        }
    for (k = 0; k < m->point_count; ++k) m->points[k].normal = unit(m->points[k].normal);
}

static const part brow_part = { "brow", PAINT_BROW, IN_WORLD, 0, 6, 0, { BROW, BROW, BROW }, 0,
                                358, 2, 88, 168, 1, { { 0, 0, 0, 1, 1, 0, 0 } } };

static inline void build_mesh(mesh *m)
{
    int i;
    memset(m, 0, sizeof *m);
    for (i = 0; i < COUNT_OF(character_parts); ++i) {
        add_part(m, &character_parts[i], 0);
        if (character_parts[i].mirrored) add_part(m, &character_parts[i], 1);
    }
    add_brow(m, &brow_part);
    find_normals(m);
}

static inline void build_sword(mesh *m)
{
    int i;
    memset(m, 0, sizeof *m);
    for (i = 0; i < COUNT_OF(sword_parts); ++i) add_part(m, &sword_parts[i], 1);
    find_normals(m);
}

/* -- Channels: what an animation moves --------------------------------------------------------- */

/* Degrees and inches. The hips move the body; the soles stand where their channels put them,
   whatever the hips do, unless FREE takes the legs along. Arms hang straight down at zero. */
enum channel {
    HIP_X, HIP_Y, HIP_Z, PITCH, ROLL, YAW, /* forward, left, up; nod, lean right, turn left */
    BEND, LEAN, TWIST, NOD, TILT, FACE,    /* the same turns of the spine, and of the head */
    VISOR, EYES, ANGER, GLANCE,            /* down; 1 = open; slanting; to the left */
    L_SHRUG, L_REACH, L_SWING, L_SPREAD, L_ROLL, L_ELBOW, L_PALM, L_WRIST, L_COCK, L_FIST, L_INDEX,
    R_SHRUG, R_REACH, R_SWING, R_SPREAD, R_ROLL, R_ELBOW, R_PALM, R_WRIST, R_COCK, R_FIST, R_INDEX,
    L_FX, L_FY, L_FZ, L_HEEL, L_OUT, L_KNEE, /* sole: forward, out, up, heel up; turned out */
    R_FX, R_FY, R_FZ, R_HEEL, R_OUT, R_KNEE,
    FREE, CHANNELS
};

enum { ARM_CHANNELS = R_SHRUG - L_SHRUG, LEG_CHANNELS = R_FX - L_FX };

typedef struct setting { int channel; double value; } setting;

typedef struct track {                 /* what a channel adds to the stance: see curve_at */
    int         channel;
    const char *keys;
} track;

/* Follow-through: these channels run this many frames behind the rest. */
static const setting character_lag[] = {
    { NOD, 0.4 }, { TILT, 0.4 }, { FACE, 0.3 }, { VISOR, 0.2 }, { L_ELBOW, 0.3 }, { L_WRIST, 0.6 },
    { L_PALM, 0.5 }, { L_FIST, 0.5 }, { L_INDEX, 0.4 }, { R_ELBOW, 0.3 }, { R_WRIST, 0.5 },
    { R_COCK, 0.4 },
};

static const setting stance_standing[] = {
    { HIP_Z, -0.9 }, { YAW, -5 }, { TWIST, -3 }, { FACE, 8 }, { EYES, 1 }, { L_FX, 1.2 },
    { L_FY, 0.5 }, { L_OUT, 14 }, { R_FX, -1 }, { R_FY, 0.6 }, { R_OUT, 16 }, { L_SWING, 4 },
    { L_SPREAD, 22 }, { L_ELBOW, 30 }, { L_FIST, 35 }, { L_INDEX, 22 }, { L_PALM, 12 },
    { R_SWING, 2 }, { R_SPREAD, 24 }, { R_ELBOW, 66 }, { R_FIST, 96 }, { R_INDEX, 96 },
    { R_COCK, 6 }, { R_PALM, 40 },
};

static const setting stance_crouched[] = {
    { HIP_Z, -6.2 }, { HIP_X, -1 }, { PITCH, 10 }, { BEND, 16 }, { NOD, -20 }, { EYES, 1 },
    { VISOR, 14 }, { L_FX, 2.5 }, { L_FY, 1 }, { L_OUT, 14 }, { L_KNEE, 14 }, { R_FX, -2.5 },
    { R_FY, 1 }, { R_OUT, 16 }, { R_KNEE, 14 }, { L_SWING, 28 }, { L_SPREAD, 26 }, { L_ELBOW, 62 },
    { L_FIST, 50 }, { L_INDEX, 40 }, { R_SWING, -8 }, { R_SPREAD, 30 }, { R_ELBOW, 84 },
    { R_FIST, 96 }, { R_INDEX, 96 }, { R_COCK, 4 }, { R_PALM, 44 },
};

/* -- Curves: a channel's course, as text ------------------------------------------------------- */

/* "0:5 3:-2= 6:5" are keys (frame:value), joined smoothly, flat at peaks; "=" goes on in a straight
   line. "~2 3 0.25" is a sine of that height, three rounds to the animation, a quarter ahead. */
enum { MAX_KEYS = 24 };

typedef struct curve {
    double frame[MAX_KEYS], value[MAX_KEYS];
    int    straight[MAX_KEYS], count;
} curve;

static inline double read_number(const char **text)
{
    double sign = 1, value = 0, digit = 0;
    while (**text == ' ') ++*text;
    if (**text == '-') sign = -1, ++*text;
    for (; (**text >= '0' && **text <= '9') || **text == '.'; ++*text) {
        if (**text == '.') digit = 1;
        else value = value * 10 + (**text - '0'), digit *= 10;
    }
    return sign * value / (digit > 0 ? digit : 1);
}

static inline void read_keys(curve *c, const char *text)
{
    for (c->count = 0; *text && c->count < MAX_KEYS; ++c->count) {
        c->frame[c->count] = read_number(&text);
        if (*text++ != ':') abort();
        c->value[c->count] = read_number(&text);
        c->straight[c->count] = *text == '=';
        text += *text == '=';
    }
}

/* Key i of a curve, also before its first and behind its last: there a loop of so many frames goes
   round, and what is played once (round 0) stays. */
static inline void key_at(const curve *c, int i, double round, double *frame, double *value)
{
    int beyond = i < 0 ? i : i >= c->count ? i - c->count + 1 : 0;
    if (round > 0) i -= beyond < 0 ? -c->count : beyond > 0 ? c->count : 0;
    else i -= beyond;
    *frame = c->frame[i] + (round <= 0 ? beyond : beyond < 0 ? -round : beyond > 0 ? round : 0);
    *value = c->value[i];
}

static inline int is_straight(const curve *c, int i, double round)
{
    if (i >= 0 && i < c->count) return c->straight[i];
    return round > 0 && c->straight[i < 0 ? i + c->count : i - c->count];
}

/* Slope at key i: that of a straight side, none at a peak, else the gentler mean of both sides. */
static inline double key_slope(const curve *c, int i, double round)
{
    double f[3], v[3], before, behind;
    int    k;
    for (k = 0; k < 3; ++k) key_at(c, i - 1 + k, round, &f[k], &v[k]);
    before = (v[1] - v[0]) / (f[1] - f[0]);
    behind = (v[2] - v[1]) / (f[2] - f[1]);
    if (is_straight(c, i - 1, round)) return before;
    if (is_straight(c, i, round)) return behind;
    if (before * behind <= 0) return 0;
    return 2 * before * behind / (before + behind);
}

static inline double keys_at(const curve *c, double frame, double round)
{
    double f0, f1, v0, v1, t, d;
    int    i;
    if (c->count == 1) return c->value[0];
    if (round > 0) frame -= floor((frame - c->frame[0]) / round) * round;
    else frame = clamp(frame, c->frame[0], c->frame[c->count - 1]);
    for (i = c->count - 1; i > 0 && c->frame[i] > frame; --i) {}
    key_at(c, i, round, &f0, &v0);
    key_at(c, i + 1, round, &f1, &v1);
    d = f1 - f0;
    t = (frame - f0) / d;
    if (is_straight(c, i, round)) return mix(v0, v1, t);
    return v0 + t * t * (3 - 2 * t) * (v1 - v0) +
           d * t * (1 - t) * ((1 - t) * key_slope(c, i, round) - t * key_slope(c, i + 1, round));
}

static inline double curve_at(const char *text, double frame, double frames, int loops)
{
    curve c;
    if (*text == '~') {
        double height, rounds, phase;
        ++text;
        height = read_number(&text);
        rounds = read_number(&text);
        phase = read_number(&text);
        return height * sine(360 * (frame * rounds / frames + phase));
    }
    read_keys(&c, text);
    return keys_at(&c, frame, loops ? frames : 0);
}

/* -- The animations ---------------------------------------------------------------------------- */

typedef struct move {
    const char    *name;
    int            frames, loops;
    const setting *stance;
    int            stance_count;
    const track   *tracks;
    int            track_count;
} move;

/* Breathes twice, shifts his weight once, looks to both sides and blinks. */
static const track move_stand[] = {
    { HIP_Z, "~0.35 2 0.1" }, { HIP_Y, "~0.5 1 0" }, { ROLL, "~1.2 1 0.5" }, { BEND, "~1.6 2 0.2" },
    { L_SHRUG, "~2 2 0.25" }, { R_SHRUG, "~2 2 0.25" }, { L_SPREAD, "~1.5 2 0.05" },
    { L_ELBOW, "~4 2 0" }, { R_ELBOW, "~3 2 0.95" }, { L_FIST, "~10 1 0.3" },
    { FACE, "0:0 6:0 9:22 16:24 20:-4 24:-34 31:-32 35:0" },
    { TILT, "0:0 9:-5 16:-4 24:6 31:5 36:0" }, { NOD, "0:0 8:4 10:-2 22:4 25:-1 32:4 36:0" },
    { GLANCE, "0:0 5:0 7:18 15:14 19:-8 22:-20 29:-14 33:0" },
    { EYES, "0:0 3:0 4:-1 5:-0.4 6:0 20:0 21:-1 22:-0.3 23:0" },
    { VISOR, "0:0 3:0 4:10 6:0 9:-6 16:-4 20:0 21:10 23:0 32:4 36:0" },
};

/* Each foot is on the ground for three of the six frames, and goes back 14 units with it. */
static const track move_run[] = {
    { HIP_Z, "~0.8 2 0.5" }, { HIP_Z, "0:-1.1" }, { HIP_X, "0:1" }, { PITCH, "0:6" },
    { BEND, "0:12" }, { YAW, "0:5" }, { FACE, "0:-8" }, { YAW, "~10 1 0.55" }, { TWIST, "0:3" },
    { TWIST, "~18 1 0.08" }, { ROLL, "~4 1 0.3" }, { NOD, "0:-12" }, { NOD, "~3 2 0.1" },
    { FACE, "~6 1 0.6" }, { VISOR, "0:10" }, { L_FX, "0:5.8= 3:-8.2 4:-6 5:3" },
    { R_FX, "0:-6 1:-3.8 2:5.2 3:8=" }, { L_FZ, "0:0= 3:0 4:4.6 5:4.2" },
    { R_FZ, "0:0 1:4.6 2:4.2 3:0=" }, { L_HEEL, "0:-14 0.8:0 1.8:4 3:42 4:58 5:8" },
    { R_HEEL, "0:42 1:58 2:8 3:-14 3.8:0 4.8:4" }, { L_OUT, "0:-10" }, { R_OUT, "0:-12" },
    { L_FY, "0:-1" }, { R_FY, "0:-1.1" }, { L_SWING, "~42 1 0.78" }, { L_SPREAD, "0:6" },
    { L_ELBOW, "0:44" }, { L_ELBOW, "~18 1 0.76" }, { L_FIST, "0:40" }, { L_INDEX, "0:60" },
    { R_SWING, "~26 1 0.28" }, { R_SPREAD, "0:6" }, { R_ELBOW, "0:12" }, { R_ELBOW, "~10 1 0.25" },
    { R_COCK, "0:-14" },
};

/* Up and back over the shoulder, a step, and down across the body. */
static const track move_attack[] = {
    { HIP_X, "0:0 1.6:-1.8 3.2:3.6 5:3.4 7:0.4" }, { HIP_Z, "0:0 1.6:0.5 3.4:-2.4 5:-1.8 7:0" },
    { YAW, "0:0 1.8:-22 3.4:20 5:18 7:2" }, { TWIST, "0:0 1.9:-30 3.5:34 5:26 7:3" },
    { BEND, "0:0 1.8:-10 3.4:24 5:18 7:0" }, { FACE, "0:0 1.8:40 3.4:-38 5:-28 7:-3" },
    { NOD, "0:0 1.8:6 3.4:-14 5:-10 7:0" }, { VISOR, "0:0 1.5:16 5:16 7:2" },
    { ANGER, "0:0 1.5:16 5:16 7:2" }, { EYES, "0:0 1.8:-0.2 3:0.2 5:0 7:0" },
    { L_FX, "0:0 1:0 2:3 3:6 5:6 6:3 7:0.4" }, { L_FZ, "0:0 1:0 2:2.6 3:0 5:0 6:1.2 7:0" },
    { R_HEEL, "0:0 2:6 3.2:26 5:22 7:0" },
    { R_SWING, "0:0 1:70 2:126 2.6:110 3.4:52 4.4:30 5.4:26 7:0" },
    { R_SPREAD, "0:0 1:10 2:22 3.4:-24 5:-20 7:0" },
    { R_ELBOW, "0:0 2:-6 3.2:-54 4.4:-50 5.4:-40 7:0" },
    { R_COCK, "0:0 2:-10 3.3:-34 4.6:-38 7:0" },
    { R_PALM, "0:0 1:36 2:48 2.6:20 3.4:-10 5:-16 7:0" }, { R_SHRUG, "0:0 2:18 3.4:-4 7:0" },
    { L_SWING, "0:0 2:46 3.5:-36 5:-28 7:-2" }, { L_SPREAD, "0:0 2:14 3.5:22 5:14 7:0" },
    { L_ELBOW, "0:0 2:26 3.5:30 5:20 7:0" }, { L_FIST, "0:0 2:50 5:50 7:0" },
};

/* Hit in the chest. */
static const track move_pain1[] = {
    { HIP_X, "0:-1 1:-2.4 2:-1.4 3:-0.3" }, { HIP_Z, "0:-0.3 1:-1.4 3:-0.2" },
    { BEND, "0:-10 1:-22 2:-6 3:-1" }, { NOD, "0:12 1:28 2:0 3:-2" }, { TWIST, "0:8 1:14 2:4 3:0" },
    { EYES, "0:-0.5 1:-0.8 2:-0.4 3:0" }, { ANGER, "0:-10 1:-22 2:-12 3:0" },
    { VISOR, "0:-6 1:-18 3:0" }, { L_SPREAD, "0:14 1:40 2:20 3:3" }, { L_ELBOW, "0:10 1:26 3:3" },
    { L_FIST, "0:-20 1:-35 3:0" }, { R_SPREAD, "0:8 1:22 3:2" }, { R_SWING, "0:-6 1:-18 3:-1" },
    { L_INDEX, "0:-12 1:-22 3:0" },
};

/* Hit in the left side. */
static const track move_pain2[] = {
    { HIP_Y, "0:-1 1:-2.2 3:-0.2" }, { HIP_Z, "0:-0.6 1:-1.8 3:-0.2" }, { ROLL, "0:4 1:8 3:0" },
    { LEAN, "0:-12 1:-24 2:-10 3:-1" }, { TWIST, "0:10 1:22 3:1" }, { TILT, "0:-10 1:-20 2:6 3:1" },
    { NOD, "0:10 1:18 3:0" }, { EYES, "0:-0.7 1:-0.9 2:-0.4 3:0" }, { ANGER, "0:12 1:18 3:0" },
    { VISOR, "0:10 1:18 3:0" }, { L_SWING, "0:8 1:22 3:2" }, { L_SPREAD, "0:-8 1:-12 3:0" },
    { L_ELBOW, "0:30 1:62 2:40 3:4" }, { L_FIST, "0:20 1:50 3:0" }, { R_SPREAD, "0:12 1:34 3:3" },
    { R_ELBOW, "0:-10 1:-16 3:0" },
};

/* Hit on the head: the helmet rings, and turns. */
static const track move_pain3[] = {
    { HIP_Z, "0:-0.8 1:-2.6 2:-1 3:-0.1" }, { BEND, "0:8 1:20 2:6 3:0" },
    { NOD, "0:16 1:26 2:-8 3:2" }, { FACE, "0:-24 1:-52 2:-14 3:4" },
    { TILT, "0:8 1:18 2:-10 3:3" }, { VISOR, "0:34 1:50 2:14 3:0" },
    { EYES, "0:-0.6 1:-1 2:-0.2 3:0" }, { L_SWING, "0:34 1:66 2:30 3:3" },
    { L_SPREAD, "0:10 1:20 3:1" }, { L_ELBOW, "0:50 1:72 2:30 3:3" }, { L_PALM, "0:20 1:50 3:0" },
    { L_FIST, "0:-20 1:-30 3:0" }, { L_INDEX, "0:-10 1:-18 3:0" }, { R_SPREAD, "0:6 1:16 3:0" },
};

/* Down, off, stretched on the way up, tucked at the top, and squashed on landing. */
static const track move_jump[] = {
    { HIP_Z, "0:-4.5 1:6 2:13 3:14 4:5 5:-4.2" }, { PITCH, "0:8 1:-4 3:4 5:6" },
    { BEND, "0:18 1:-8 2:-4 3:10 4:4 5:18" }, { NOD, "0:-16 1:-14 2:6 4:10 5:-12" },
    { L_FX, "0:0 1:-2 2:0 3:3 4:1 5:0" }, { R_FX, "0:0 1:-3 2:-3 3:1 4:0 5:0" },
    { L_FZ, "0:0 1:4 2:14 3:16 4:4 5:0" }, { R_FZ, "0:0 1:4 2:12.5 3:14 4:3.6 5:0" },
    { L_HEEL, "0:0 1:48 2:36 3:6 4:10 5:0" }, { R_HEEL, "0:0 1:52 2:44 3:16 4:12 5:0" },
    { L_KNEE, "0:10 3:14 5:10" }, { R_KNEE, "0:10 3:14 5:10" },
    { L_SWING, "0:-44 1:70 2:60 3:24 5:10" }, { L_SPREAD, "0:12 1:24 2:44 3:64 4:52 5:16" },
    { L_ELBOW, "0:10 1:-14 2:4 4:-4 5:20" }, { L_FIST, "0:30 1:-26 3:-30 5:10" },
    { L_INDEX, "0:20 1:-16 5:0" }, { R_SWING, "0:-38 1:40 2:34 3:8 5:6" },
    { R_SPREAD, "0:8 1:20 2:32 3:46 4:38 5:10" }, { R_ELBOW, "0:-6 1:-20 3:-8 5:10" },
    { L_SHRUG, "0:-6 1:14 3:10 5:-8" }, { R_SHRUG, "0:-6 1:14 3:10 5:-8" },
    { EYES, "0:-0.2 1:0.2 3:0.25 5:-0.6" }, { VISOR, "0:8 1:-14 3:-10 5:14" },
};

/* A backward somersault: gathers, springs, tucks, opens and lands. */
static const track move_flip[] = {
    { HIP_Z, "0:-1 1:-4.8 2:-3 3:8 4.5:18 6:21 7.5:17 9:5 10:-4.4 11:-1" },
    { HIP_X, "0:0 1:-0.5 3:-1 6:-2.5 9:-1 11:0" },
    { PITCH, "0:0 1:12 2:4 3:-26 4:-82 5:-135 6:-196 7:-248 8:-298 9:-344 10:-352 11:-360" },
    { BEND, "0:0 1:20 3:-16 4.5:26 6:36 7.5:22 9:2 10:18 11:4" },
    { NOD, "0:0 1:-18 3:-10 4.5:16 6:22 8:-10 9:-4 10:-14 11:-3" },
    { FREE, "0:0 2.2:0 3:1 8.2:1 9.4:0" }, { L_FX, "0:0 3:0 4.5:5 6:6 7.5:4 9:0" },
    { R_FX, "0:0 3:0 4.5:4 6:6 7.5:4 9:0" },
    { L_FZ, "0:0 2:0 3:0 4.5:5 6:7 7.5:4 8.4:2 9.4:3 10:0" },
    { R_FZ, "0:0 2:0 3:0 4.5:4.6 6:7 7.5:3.5 8.4:2 9.4:3 10:0" },
    { L_HEEL, "0:0 2:20 3:52 4.5:20 7:10 9:20 10:0" },
    { R_HEEL, "0:0 2:20 3:52 4.5:24 7:10 9:20 10:0" },
    { L_SWING, "0:0 1:-52 3:110 4.5:40 6:34 8:60 9.5:44 11:4" },
    { R_SWING, "0:0 1:-36 3:60 4.5:20 6:20 8:30 9.5:24 11:3" },
    { L_SPREAD, "0:0 3:20 6:6 8:44 9.5:40 11:4" }, { R_SPREAD, "0:0 3:16 6:6 8:34 9.5:30 11:3" },
    { L_ELBOW, "0:0 1:4 3:-10 5:60 7:50 9:0 11:2" }, { L_FIST, "0:0 3:-20 5:40 7:40 9:-24 11:0" },
    { EYES, "0:0 3:0.2 6:-0.4 9:0.2 10:-0.7 11:-0.2" }, { VISOR, "0:0 2:10 3:-10 6:16 10:16 11:4" },
};

/* The hand goes to the brow, the visor snaps up, and he stands as tall as he can. */
static const track move_salute[] = {
    { HIP_Z, "0:0 1.5:-0.8 3:0.8 8:0.8 10:0" }, { YAW, "0:0 3:5 8:5 10:0" },
    { TWIST, "0:0 1.5:-6 3:3 8:3 10:0" }, { BEND, "0:0 1.5:8 3:-7 8:-6 9:4 10:0" },
    { NOD, "0:0 1.5:10 3:-6 4:-3 8:-3 9:6 10:0" }, { FACE, "0:0 3:-8 8:-8 10:0" },
    { TILT, "0:0 3:-4 8:-4 10:0" }, { VISOR, "0:0 2:10 3.4:-24 4.2:-18 7.6:-20 9:8 10:0" },
    { EYES, "0:0 2:-0.4 3.6:0.25 7.6:0.2 9:-0.3 10:0" }, { L_SHRUG, "0:0 3:26 8:24 10:0" },
    { L_SWING, "0:0 1.4:-12 3.4:10 4:6 8:6 10:0" }, { L_SPREAD, "0:0 1.4:8 3.4:64 4:60 8:60 10:2" },
    { L_ROLL, "0:0 1.4:0 3:66 8:66 10:0" }, { L_ELBOW, "0:0 1.4:-8 3.2:82 4:74 8:74 10:4" },
    { L_PALM, "0:0 3.4:-84 8:-84 10:0" }, { L_FIST, "0:0 3:-36 8:-36 10:0" },
    { L_INDEX, "0:0 3:-24 8:-24 10:0" }, { L_WRIST, "0:0 3:5 8:5 10:0" },
    { R_SWING, "0:0 3:4 8:4 10:0" }, { R_SPREAD, "0:0 3:-8 8:-8 10:0" },
    { R_ELBOW, "0:0 3:18 8:18 10:0" }, { L_FX, "0:0 1:0 2:-0.8 3:-1.1 8:-1.1 9:-0.5 10:0" },
    { L_OUT, "0:0 3:-4 8:-4 10:0" }, { L_FZ, "0:0 1:0 2:1 3:0 8:0 9:0.9 10:0" },
};

/* Beckons, twice, with a nod: come here. */
static const track move_taunt[] = {
    { HIP_Y, "0:0 3:-1 13:-1 16:0" },
    { HIP_Z, "0:0 3:-1 5:-0.2 7:-1.4 9:-0.2 11:-1.4 13:-0.4 16:0" }, { ROLL, "0:0 3:3 13:3 16:0" },
    { LEAN, "0:0 3:-6 13:-6 16:0" }, { TWIST, "0:0 3:-12 13:-12 16:0" },
    { YAW, "0:0 3:-8 13:-8 16:0" }, { FACE, "0:0 3:16 13:16 16:0" },
    { BEND, "0:0 3:-4 7:6 9:-2 11:6 13:0 16:0" }, { NOD, "0:0 4:-10 7:12 9:-8 11:12 13:-4 16:0" },
    { TILT, "0:0 3:12 13:12 16:0" }, { VISOR, "0:0 3:14 13:14 15:0" },
    { ANGER, "0:0 3:14 13:14 15:0" }, { EYES, "0:0 3:-0.25 13:-0.25 15:0" },
    { L_SHRUG, "0:0 3:6 13:6 16:0" },
    { L_SWING, "0:0 1:-8 3.5:62 5:66 7:56 9:66 11:56 13:62 16:0" },
    { L_SPREAD, "0:0 3:4 13:4 16:0" }, { L_ELBOW, "0:0 3:10 5:2 7:58 9:2 11:58 13:10 16:0" },
    { L_PALM, "0:0 3:80 13:80 16:0" }, { L_FIST, "0:0 4:-30 5:-34 7:54 9:-34 11:54 13:-20 16:0" },
    { L_INDEX, "0:0 4:-20 5:-22 7:50 9:-22 11:50 13:-10 16:0" },
    { L_WRIST, "0:0 5:-10 7:26 9:-10 11:26 13:0 16:0" }, { R_SWING, "0:0 4:-10 13:-10 16:0" },
    { R_SPREAD, "0:0 4:18 13:18 16:0" }, { R_ELBOW, "0:0 4:-8 13:-8 16:0" },
    { R_PALM, "0:0 4:14 13:14 16:0" }, { R_COCK, "0:0 5:-8 7:6 9:-8 11:6 13:0 16:0" },
};

/* A big wave from the elbow, on the toes, leaning after the hand. */
static const track move_wave[] = {
    { HIP_Y, "0:0 2:-1 8:-1 10:0" }, { HIP_Z, "0:0 1:-1 3:0.6 5:0 7:0.6 10:0" },
    { ROLL, "0:0 3:2 8:2 10:0" }, { LEAN, "0:0 2:10 3:6 5:11 7:6 8:9 10:0" },
    { TWIST, "0:0 3:6 8:6 10:0" }, { BEND, "0:0 3:-5 8:-5 10:0" },
    { TILT, "0:0 3:-12 5:-4 7:-13 8:-6 10:0" }, { FACE, "0:0 3:-4 8:-4 10:0" },
    { NOD, "0:0 2:4 4:-6 8:-5 10:0" }, { VISOR, "0:0 2:6 3:-18 8:-18 10:0" },
    { EYES, "0:0 2:-0.5 3:0.2 5:0.2 6:-0.8 7:0.2 9:0 10:0" },
    { L_SHRUG, "0:0 1:-4 3:20 8:18 10:0" }, { L_SWING, "0:0 1:-6 2:8 3:14 8:14 9:8 10:1" },
    { L_SPREAD, "0:0 1:6 2:56 3:66 4:60 5:66 6:60 7:66 8:60 9:26 10:2" },
    { L_ROLL, "0:0 2.6:76 8:76 10:0" }, { L_ELBOW, "0:0 2:60 3:16 4:66 5:14 6:64 7:14 8:60 10:4" },
    { L_PALM, "0:0 2:-8 8:-8 10:0" }, { L_FIST, "0:0 2:-38 8:-38 10:0" },
    { L_INDEX, "0:0 2:-26 8:-26 10:0" }, { R_SPREAD, "0:0 3:6 8:6 10:0" },
    { R_SWING, "0:0 3:-8 8:-8 10:0" },
};

/* There: the finger shoots out after a short windup, and settles. */
static const track move_point[] = {
    { HIP_X, "0:0 1.6:-1.6 3.4:2.2 9:1.8 11:0.2" }, { HIP_Z, "0:0 1.6:-1.4 3.4:-1 9:-0.8 11:0" },
    { YAW, "0:0 1.6:14 3.4:-14 9:-12 11:-1" }, { TWIST, "0:0 1.6:20 3.4:-20 4.4:-15 9:-15 11:-1" },
    { BEND, "0:0 1.6:-6 3.4:12 4.4:8 9:8 11:0" }, { FACE, "0:0 1.6:-24 3.4:30 9:26 11:2" },
    { NOD, "0:0 1.6:4 3.4:-10 9:-8 11:0" }, { TILT, "0:0 3.4:6 6:2 9:6 11:0" },
    { VISOR, "0:0 1.6:10 3.4:-10 9:-6 11:0" }, { ANGER, "0:0 3:8 9:8 11:0" },
    { EYES, "0:0 1.6:-0.3 3.4:0.2 9:0.1 11:0" }, { L_SHRUG, "0:0 1.6:10 3.4:8 9:8 11:0" },
    { L_SWING, "0:0 1.6:10 3.4:92 4.4:82 9:82 11:4" }, { L_SPREAD, "0:0 1.6:14 3.4:-8 9:-8 11:0" },
    { L_ELBOW, "0:0 1.6:92 3.2:-30 4.2:-20 9:-20 11:4" }, { L_FIST, "0:0 1.6:60 9:62 11:5" },
    { L_INDEX, "0:0 1.6:-20 9:-26 11:0" }, { L_PALM, "0:0 3.4:-40 9:-40 11:0" },
    { R_SWING, "0:0 2:8 3.4:-26 9:-22 11:-1" }, { R_SPREAD, "0:0 3.4:16 9:12 11:0" },
    { L_FX, "0:0 1:0 2:2 3:3.6 9:3.6 10:2 11:0.2" }, { L_FZ, "0:0 1:0 2:1.8 3:0 9:0 10:1.2 11:0" },
    { R_HEEL, "0:0 2:4 3.4:16 9:14 11:0" },
};

static const track move_crstnd[] = {
    { HIP_Z, "~0.4 1 0.1" }, { BEND, "~2 1 0.2" }, { L_ELBOW, "~5 1 0" }, { R_ELBOW, "~4 1 0.9" },
    { L_SHRUG, "~3 1 0.25" }, { R_SHRUG, "~3 1 0.25" }, { NOD, "~-1.5 1 0.25" },
    { FACE, "0:0 4:14 8:12 12:-16 16:-10" }, { GLANCE, "0:0 3:16 8:8 11:-18 15:-6" },
    { EYES, "0:0 9:0 10:-1 11:0" }, { VISOR, "~2 1 0.4" },
};

/* Soft steps: half of the six frames on the ground, 10 units each. */
static const track move_crwalk[] = {
    { HIP_Z, "~0.5 2 0.45" }, { HIP_Y, "~1 1 0.2" }, { YAW, "~7 1 0.55" }, { TWIST, "~-10 1 0.58" },
    { ROLL, "~3 1 0.2" }, { NOD, "~2 2 0.2" }, { FACE, "~4 1 0.55" }, { TILT, "~3 1 0.5" },
    { L_FX, "0:2.5= 3:-7.5 4:-5.5 5:0.5" }, { R_FX, "0:-2.5 1:-0.5 2:5.5 3:7.5=" },
    { L_FZ, "0:0= 3:0 4:2.6 5:2.4" }, { R_FZ, "0:0 1:2.6 2:2.4 3:0=" },
    { L_HEEL, "0:-8 0.8:0 2:6 3:28 4:30 5:0" }, { R_HEEL, "0:28 1:30 2:0 3:-8 3.8:0 5:6" },
    { L_SWING, "~16 1 0.78" }, { R_SWING, "~12 1 0.28" }, { L_ELBOW, "~8 1 0.7" },
};

static const track move_crattak[] = {
    { HIP_X, "0:0 2:-2.4 3.6:4.4 5.5:3.6 8:0.2" }, { HIP_Z, "0:0 2:0.6 3.6:1 5.5:0.4 8:0" },
    { YAW, "0:0 2:-24 3.8:22 5.5:18 8:1" }, { TWIST, "0:0 2:-28 3.8:34 5.5:26 8:2" },
    { BEND, "0:0 2:-10 3.8:10 5.5:8 8:0" }, { FACE, "0:0 2:44 3.8:-36 5.5:-28 8:-2" },
    { NOD, "0:0 2:4 3.8:-6 8:0" }, { ANGER, "0:0 1.6:16 5:16 8:2" }, { VISOR, "0:0 1.6:6 5:6 8:0" },
    { R_SWING, "0:0 2:-34 3.4:86 5:78 8:0" }, { R_SPREAD, "0:0 2:-6 3.4:-22 5:-20 8:0" },
    { R_ELBOW, "0:0 2:28 3.4:-76 5:-68 8:0" }, { R_COCK, "0:0 1.6:-64 5:-62 7:-20 8:0" },
    { R_PALM, "0:0 2:-30 5:-30 8:0" }, { R_HEEL, "0:0 2:6 3.8:26 5.5:20 8:0" },
    { L_SWING, "0:0 2:22 3.8:-44 5.5:-34 8:-1" }, { L_SPREAD, "0:0 3.8:18 8:0" },
    { L_FIST, "0:0 2:40 6:40 8:0" },
};

static const track move_crpain[] = {
    { HIP_Z, "0:-0.5 1:-1.4 3:0" }, { HIP_X, "0:-0.8 1:-1.8 3:-0.2" }, { BEND, "0:8 1:18 2:4 3:0" },
    { NOD, "0:16 1:30 2:4 3:1" }, { TILT, "0:10 1:18 2:-4 3:0" }, { TWIST, "0:-8 1:-16 3:-1" },
    { EYES, "0:-0.7 1:-1 2:-0.4 3:0" }, { VISOR, "0:10 1:24 3:0" }, { L_SWING, "0:20 1:40 3:2" },
    { L_ELBOW, "0:20 1:40 3:3" }, { L_PALM, "0:20 1:40 3:0" }, { R_SPREAD, "0:10 1:20 3:1" },
};

/* Sits down, sways, and rolls onto his side. */
static const track move_crdeath[] = {
    { HIP_Z, "0:-1 1:-6 2:-5 3:-9 4:-16" }, { HIP_X, "0:-1 1:-3 4:-4" },
    { HIP_Y, "0:0 2:1.5 3:4 4:6" }, { PITCH, "0:-4 1:-20 2:-14 4:-16" },
    { ROLL, "0:0 1:4 2:-20 3:-66 4:-84" }, { BEND, "0:10 1:-14 2:10 3:6 4:12" },
    { NOD, "0:20 1:26 2:30 3:34 4:30" }, { TILT, "0:0 2:-14 3:10 4:4" }, { FREE, "0:0 1:0.6 2:1" },
    { L_FX, "0:0 1:4 2:5 4:3" }, { R_FX, "0:0 1:5 2:8 4:5" }, { L_FZ, "0:0 1:2 2:5 4:3" },
    { R_FZ, "0:0 1:2 2:6 4:5" }, { L_HEEL, "0:0 1:-20 2:-10 4:16" },
    { R_HEEL, "0:0 1:-24 2:-10 4:22" }, { EYES, "0:-0.4 1:-0.6 2:-0.8 3:-1" },
    { VISOR, "0:0 1:10 2:20 3:50 4:44" }, { L_SWING, "0:10 1:20 3:40 4:40" },
    { L_SPREAD, "0:10 1:30 3:-30 4:-34" }, { L_ELBOW, "0:0 1:-20 4:-30" },
    { L_FIST, "0:-10 2:-20 4:-12" }, { R_SPREAD, "0:10 1:30 2:30 3:0 4:-60" },
    { R_SWING, "0:0 1:10 3:50 4:60" }, { R_ELBOW, "0:0 1:-30 3:-40 4:-66" },
    { R_PALM, "0:0 2:0 3:-20 4:-50" },
};

/* Blown onto his back; the legs go up, the body bounces, all comes to rest. */
static const track move_death1[] = {
    { HIP_X, "0:-2 1:-6 2:-9 5:-10.5" }, { HIP_Z, "0:0 1:-2 2:-16 3:-11 4:-17 5:-18" },
    { PITCH, "0:-16 1:-52 2:-88 3:-80 4:-89 5:-88" }, { BEND, "0:-14 1:4 2:14 3:-4 4:2 5:0" },
    { NOD, "0:24 1:36 2:-10 3:14 4:-2 5:3" }, { FACE, "0:0 2:0 3:-10 4:22 5:18" },
    { FREE, "0:0.3 1:1" }, { L_FX, "0:2 1:5 2:9 3:8 4:2 5:0.5" },
    { R_FX, "0:2 1:6 2:11 3:10 4:2 5:1" }, { L_FZ, "0:1 1:2 2:7 3:5 4:1.5 5:0.6" },
    { R_FZ, "0:1 1:2 2:5 3:6 4:2 5:1.6" }, { L_OUT, "0:0 4:10 5:16" }, { R_OUT, "0:0 4:10 5:18" },
    { L_FY, "0:0 3:1 5:2" }, { R_FY, "0:0 3:1 5:2" },
    { EYES, "0:-0.3 1:0.2 2:-0.9 3:-0.3 4:-1 5:-1" }, { VISOR, "0:-16 1:-26 2:20 3:0 4:44 5:40" },
    { L_SPREAD, "0:20 1:60 2:76 3:50 4:58 5:56" }, { L_SWING, "0:20 1:50 2:-10 3:14 4:-12 5:-10" },
    { L_ELBOW, "0:0 1:-20 2:10 3:-16 4:-6 5:-8" }, { L_FIST, "0:-30 3:-20 5:-8" },
    { L_INDEX, "0:-10 5:-6" }, { R_SPREAD, "0:16 1:44 2:58 3:44 4:50 5:48" },
    { R_SWING, "0:10 1:40 2:-16 3:10 4:-14 5:-12" },
    { R_ELBOW, "0:-20 1:-40 2:-56 3:-50 4:-60 5:-60" }, { R_PALM, "0:0 2:60 5:70" },
};

/* Drops to his knees, then onto his face. */
static const track move_death2[] = {
    { HIP_Z, "0:-1 1:-6.4 2:-7 3:-9 4:-14 5:-18" }, { HIP_X, "0:0.5 1:1 2:2 3:6 4:8 5:9" },
    { PITCH, "0:4 1:-4 2:10 3:56 4:88 5:86" }, { BEND, "0:16 1:10 2:24 3:20 4:-8 5:0" },
    { NOD, "0:10 1:28 2:24 3:0 4:-26 5:-8" }, { FACE, "0:0 3:0 4:-30 5:-36" },
    { FREE, "0:0 1:0 2:0.4 3:1" }, { L_FX, "0:0 1:-5 2:-8 3:-6 4:-1 5:-1" },
    { R_FX, "0:0 1:-4 2:-8 3:-7 4:-3 5:-1" }, { L_FZ, "0:0 1:1.5 2:3 3:8 4:6 5:1" },
    { R_FZ, "0:0 1:1.5 2:3 3:8 4:4 5:1" }, { L_HEEL, "0:10 1:60 2:80 3:70 4:50 5:60" },
    { R_HEEL, "0:10 1:64 2:80 3:70 4:50 5:60" }, { EYES, "0:-0.3 1:-0.2 2:-0.6 3:-1" },
    { ANGER, "0:-14 2:-24 5:-20" }, { VISOR, "0:-8 1:-14 2:0 3:20 4:44" },
    { L_SWING, "0:16 1:30 2:10 3:40 4:4 5:6" }, { L_SPREAD, "0:0 2:6 3:30 4:62 5:58" },
    { L_ELBOW, "0:40 1:60 2:20 3:0 4:-14 5:-20" }, { L_FIST, "0:0 3:-20 5:-6" },
    { R_SWING, "0:-6 1:-10 2:-6 3:24 4:8 5:10" }, { R_SPREAD, "0:6 2:14 3:30 4:56 5:54" },
    { R_ELBOW, "0:-10 1:-30 2:-44 4:-54 5:-56" }, { R_PALM, "0:0 1:-40 2:-110 3:-130 5:-130" },
    { R_COCK, "0:0 2:20 3:10 5:0" },
};

/* Spins on one foot, and topples onto his left side. */
static const track move_death3[] = {
    { HIP_Z, "0:-0.5 1:0.5 2:-1 3:-3 4:-9 5:-18 6:-14 7:-20" }, { HIP_Y, "0:0 2:1 4:5 5:8 7:9" },
    { YAW, "0:30 1:90 2:150 3:166 7:166" }, { ROLL, "0:0 2:-6 3:-16 4:-56 5:-90 6:-82 7:-88" },
    { PITCH, "0:-4 3:6 5:0" }, { BEND, "0:-8 2:8 4:14 5:0 7:10" },
    { TWIST, "0:20 1:30 2:0 3:-20 5:-6" }, { FACE, "0:24 1:34 2:-10 3:-26 5:10 7:4" },
    { NOD, "0:6 2:14 3:24 5:10 6:24 7:16" }, { TILT, "0:0 3:10 4:16 5:-16 6:4 7:-8" },
    { FREE, "0:0.5 1:1" }, { L_FZ, "0:0 2:0.5 4:1 5:1 7:1" },
    { R_FZ, "0:1 1:3 2:5 3:3 4:3 5:4 6:3 7:2" }, { R_FX, "0:0 1:-4 2:-5 3:0 5:4 7:4" },
    { L_FX, "0:0 3:0 5:-2 7:-1" }, { L_HEEL, "0:6 1:16 3:0 5:20 7:30" },
    { R_HEEL, "0:20 2:40 4:0 7:34" }, { EYES, "0:0.2 1:-0.3 2:-0.7 3:-0.4 4:-1" },
    { VISOR, "0:-16 2:-8 3:8 4:0 5:50 6:36 7:44" }, { L_SPREAD, "0:40 1:66 2:50 3:30 5:-20 7:-26" },
    { L_SWING, "0:0 2:20 4:60 5:80 7:76" }, { L_ELBOW, "0:-20 3:0 5:-14 7:-10" },
    { L_FIST, "0:-30 7:-12" }, { R_SPREAD, "0:30 1:50 2:36 3:24 4:46 5:-4 6:-46 7:-60" },
    { R_SWING, "0:0 2:10 4:30 5:60 7:64" }, { R_ELBOW, "0:-30 2:-16 5:-40 7:-50" },
    { R_PALM, "0:0 4:0 5:-20 7:-52" },
};

#define MOVE(name, frames, loops, stance) \
  { #name, frames, loops, stance, COUNT_OF(stance), move_##name, COUNT_OF(move_##name) }

static const move character_moves[] = {
    MOVE(stand, 40, 1, stance_standing),   MOVE(run, 6, 1, stance_standing),
    MOVE(attack, 8, 0, stance_standing),   MOVE(pain1, 4, 0, stance_standing),
    MOVE(pain2, 4, 0, stance_standing),    MOVE(pain3, 4, 0, stance_standing),
    MOVE(jump, 6, 0, stance_standing),     MOVE(flip, 12, 0, stance_standing),
    MOVE(salute, 11, 0, stance_standing),  MOVE(taunt, 17, 0, stance_standing),
    MOVE(wave, 11, 0, stance_standing),    MOVE(point, 12, 0, stance_standing),
    MOVE(crstnd, 19, 1, stance_crouched),  MOVE(crwalk, 6, 1, stance_crouched),
    MOVE(crattak, 9, 0, stance_crouched),  MOVE(crpain, 4, 0, stance_crouched),
    MOVE(crdeath, 5, 0, stance_crouched),  MOVE(death1, 6, 0, stance_standing),
    MOVE(death2, 6, 0, stance_standing),   MOVE(death3, 8, 0, stance_standing),
};

/* -- Poses ------------------------------------------------------------------------------------- */

static inline void channels_at(const move *m, double frame, double c[CHANNELS])
{
    double lag[CHANNELS];
    int    i;
    memset(c, 0, CHANNELS * sizeof *c);
    memset(lag, 0, sizeof lag);
    for (i = 0; i < COUNT_OF(character_lag); ++i)
        lag[character_lag[i].channel] = character_lag[i].value;
    for (i = 0; i < m->stance_count; ++i) c[m->stance[i].channel] += m->stance[i].value;
    for (i = 0; i < m->track_count; ++i) {
        int    channel = m->tracks[i].channel;
        double behind = frame - lag[channel];
        c[channel] += curve_at(m->tracks[i].keys, behind, m->frames, m->loops);
    }
}

/* The joint in its parent's frame as bound, turned. */
static inline xform jointed(int joint, quat rotation)
{
    xform local;
    local.position = sub(joint_bind(joint), joint_bind(character_joints[joint].parent));
    local.rotation = rotation;
    return local;
}

static inline void place(xform world[JOINTS], int joint, quat rotation)
{
    world[joint] = below(world[character_joints[joint].parent], jointed(joint, rotation));
}

static inline quat bent(double lean, double nod, double turn_left)
{
    return after(turn_z(turn_left), after(turn_y(nod), turn_x(lean)));
}

static inline void pose_trunk(const double c[CHANNELS], xform world[JOINTS])
{
    vec middle = v3(0, 0, c[FREE] * 8);          /* in the air he turns about his middle */
    world[ROOT].position = v3(0, 0, 0);
    world[ROOT].rotation = no_turn();
    place(world, HIPS, bent(c[ROLL], c[PITCH], c[YAW]));
    world[HIPS].position = add(world[HIPS].position, add(v3(c[HIP_X], c[HIP_Y], c[HIP_Z]),
                               sub(middle, turned(world[HIPS].rotation, middle))));
    place(world, SPINE, bent(c[LEAN] * 0.5, c[BEND] * 0.5, c[TWIST] * 0.5));
    place(world, CHEST, bent(c[LEAN] * 0.5, c[BEND] * 0.5, c[TWIST] * 0.5));
    place(world, NECK, bent(c[TILT] * 0.35, c[NOD] * 0.35, c[FACE] * 0.35));
    place(world, HEAD, bent(c[TILT] * 0.65, c[NOD] * 0.65, c[FACE] * 0.65));
    place(world, BROW, turn_y(c[VISOR]));
}

/* Eyes slide over the face with the look, and close by sinking into it. */
static inline void pose_eyes(const double c[CHANNELS], xform world[JOINTS])
{
    int right;
    place(world, LOOK, turn_z(c[GLANCE]));
    for (right = 0; right < 2; ++right) {
        double side = right ? -1 : 1;
        xform  local = jointed(EYE_L + right, turn(eye_direction(side), side * c[ANGER]));
        local.position = add(local.position,
                             times(eye_direction(side), clamp(c[EYES] - 1, -1, 0.3) * 2.2));
        world[EYE_L + right] = below(world[LOOK], local);
    }
}

/* Rotations of an arm are said for an arm that hangs down, and bound standing off. */
static inline quat from_hanging(quat rotation, double side)
{
    return after(turn_x(side * ARM_SLOPE), after(rotation, turn_x(-side * ARM_SLOPE)));
}

static inline void pose_arm(const double *c, int right, xform world[JOINTS])
{
    double side = right ? -1 : 1;
    double fist = c[L_FIST], index = c[L_INDEX];
    quat   shoulder = after(turn_y(-c[L_SWING]),
                            after(turn_x(side * c[L_SPREAD]), turn_z(side * c[L_ROLL])));
    quat   hand = after(turn_z(side * c[L_PALM]),
                        after(turn_x(-side * c[L_WRIST]), turn_y(-c[L_COCK])));
    place(world, CLAVICLE_L + right, after(turn_x(side * c[L_SHRUG]), turn_z(-side * c[L_REACH])));
    place(world, ARM_L + right, after(shoulder, turn_x(-side * ARM_SLOPE)));
    place(world, FOREARM_L + right, from_hanging(turn_y(-c[L_ELBOW]), side));
    place(world, HAND_L + right, from_hanging(hand, side));
    place(world, FINGERS_L + right, from_hanging(turn_x(-side * fist), side));
    place(world, INDEX_L + right, from_hanging(turn_x(-side * index), side));
    place(world, THUMB_L + right, from_hanging(turn_z(-side * (fist * 0.6 - 12)), side));
    if (right) place(world, WEAPON, no_turn());
}

/* Where the ankle must be for the sole to stand where its channels say. The foot turns about the
   joint of the toes when its heel rises, and about the heel when its toes do. */
static inline xform ankle_goal(const double *c, int right, const xform *hips, double leave)
{
    double side = right ? -1 : 1;
    vec    bound = joint_bind(FOOT_L + right), ground = v3(bound.x, bound.y, CHARACTER_FLOOR);
    quat   facing = turn_z(side * c[L_OUT]);
    xform  goal, carried, local;
    vec    pivot = c[L_HEEL] > 0 ? v3(4.2, 0, 1) : v3(-3.6, 0, 0);
    goal.rotation = after(facing, turn_y(c[L_HEEL]));
    goal.position = add(ground, v3(c[L_FX], side * c[L_FY], c[L_FZ]));
    goal.position = add(goal.position, turned(facing, pivot));
    goal.position = add(goal.position, turned(goal.rotation, sub(sub(bound, ground), pivot)));
    local.position = sub(goal.position, joint_bind(HIPS));
    local.rotation = goal.rotation;
    carried = below(*hips, local);
    goal.position = toward(goal.position, carried.position, leave);
    goal.rotation = turn_toward(goal.rotation, carried.rotation, leave);
    return goal;
}

/* A bone's rotation that takes its bound direction to `along` and its front to `front`. */
static inline quat bone_turn(int joint, int end, vec along, vec front)
{
    vec bound = sub(joint_bind(end), joint_bind(joint));
    return after(turn_frame(along, front), inverse(turn_frame(bound, v3(1, 0, 0))));
}

static inline void pose_leg(const double *c, int right, double leave, xform world[JOINTS])
{
    int    thigh = THIGH_L + right, shin = SHIN_L + right, foot = FOOT_L + right;
    double upper = length(sub(joint_bind(shin), joint_bind(thigh)));
    double lower = length(sub(joint_bind(foot), joint_bind(shin))), far, along, out;
    xform  goal = ankle_goal(c, right, &world[HIPS], leave);
    vec    hip, way, front, knee;
    place(world, thigh, no_turn());
    hip = world[thigh].position;
    way = sub(goal.position, hip);
    far = clamp(length(way), 4, (upper + lower) * 0.9995);
    way = unit(way);
    goal.position = add(hip, times(way, far));
    front = add(turned(goal.rotation, v3(1, 0, 0)), turned(world[HIPS].rotation, v3(1, 0, 0)));
    front = turned(turn_z((right ? -1 : 1) * c[L_KNEE]), front);
    front = unit(sub(front, times(way, dot(front, way))));
    along = (upper * upper - lower * lower + far * far) / (2 * far);
    out = sqrt(clamp(upper * upper - along * along, 0, upper * upper));
    knee = add(hip, add(times(way, along), times(front, out)));
    world[thigh].rotation = bone_turn(thigh, shin, sub(knee, hip), front);
    world[shin].position = placed(world[thigh], sub(joint_bind(shin), joint_bind(thigh)));
    world[shin].rotation = bone_turn(shin, foot, sub(goal.position, knee), front);
    world[foot].position = placed(world[shin], sub(joint_bind(foot), joint_bind(shin)));
    world[foot].rotation = goal.rotation;
    place(world, TOES_L + right, turn_y(-clamp(c[L_HEEL], 0, 60) * (1 - 0.7 * leave)));
}

static inline void pose_body(const move *m, double frame, xform world[JOINTS])
{
    double c[CHANNELS];
    int    joint, right;
    channels_at(m, frame, c);
    pose_trunk(c, world);
    pose_eyes(c, world);
    for (joint = PLUME1; joint <= SCARF2; ++joint) place(world, joint, no_turn());
    for (right = 0; right < 2; ++right) {
        pose_arm(c + right * ARM_CHANNELS, right, world);
        pose_leg(c + right * LEG_CHANNELS, right, c[FREE], world);
    }
}

static inline vec skinned(const point *p, const xform world[JOINTS])
{
    vec at = v3(0, 0, 0);
    int i;
    for (i = 0; i < p->count; ++i)
        at = add(at, times(placed(world[p->by[i].joint], p->by[i].at),
                           p->by[i].bias / CHARACTER_MICRO));
    return at;
}

static inline int dangles(const point *p)
{
    return p->by[0].joint >= PLUME1 && p->by[0].joint <= SCARF2;
}

/* Nothing goes through the floor: who would is lifted. That is what a body comes to rest on. */
static inline void stay_above_floor(const mesh *m, xform world[JOINTS])
{
    double low = CHARACTER_FLOOR, z;
    int    i;
    for (i = 0; i < m->point_count; ++i) {
        z = dangles(&m->points[i]) ? low : skinned(&m->points[i], world).z;
        if (z < low) low = z;
    }
    for (i = 0; i < JOINTS; ++i) world[i].position.z += CHARACTER_FLOOR - low;
}

/* -- What dangles ------------------------------------------------------------------------------ */

/* A weight on a spring, dragged along by a joint, in world space. The joints of a chain turn toward
   where it really is, the later the more. */
typedef struct dangle {
    int    first, count;
    vec    tip;                        /* at rest, in the bind pose */
    double pull, drag, weight, most;   /* stiffness, damping, sag, farthest it strays */
    double turn[3];
} dangle;

static const dangle character_dangles[] = {
    { PLUME1, 3, { -9, 0, 31.5 }, 260, 9, 1.2, 4.5, { 0.35, 0.5, 0.6 } },
    { SCARF1, 2, { -10.8, 8.7, -1.3 }, 120, 7, 5, 7.5, { 0.6, 0.7, 0 } },
};

enum { DANGLES = COUNT_OF(character_dangles), SPRING_STEPS = 12 };

typedef struct spring { vec at, speed; } spring;

static inline vec dangle_goal(const dangle *d, const xform world[JOINTS])
{
    int parent = character_joints[d->first].parent;
    vec down = v3(0, 0, -d->weight);
    vec goal = placed(world[parent], sub(d->tip, joint_bind(parent)));
    return add(goal, sub(down, turned(world[parent].rotation, down)));
}

static inline void spring_step(const dangle *d, spring *s, vec goal, double seconds)
{
    vec    pull = sub(times(sub(goal, s->at), d->pull), times(s->speed, d->drag)), away;
    double stray;
    s->speed = add(s->speed, times(pull, seconds));
    s->at = add(s->at, times(s->speed, seconds));
    away = sub(s->at, goal);
    stray = length(away);
    if (stray > d->most) s->at = add(goal, times(away, d->most / stray));
    if (s->at.z < CHARACTER_FLOOR + 3) s->at.z = CHARACTER_FLOOR + 3;
}

static inline void hang_dangle(const dangle *d, const spring *s, xform world[JOINTS])
{
    int i;
    for (i = 0; i < d->count; ++i) {
        int    joint = d->first + i, parent = character_joints[joint].parent;
        xform *x = &world[joint];
        quat   swing;
        place(world, joint, no_turn());
        swing = turn_between(turned(x->rotation, sub(d->tip, joint_bind(d->first))),
                             sub(s->at, world[d->first].position));
        place(world, joint, after(inverse(world[parent].rotation),
                                  after(turn_toward(no_turn(), swing, d->turn[i]), x->rotation)));
    }
}

/* -- Baking ------------------------------------------------------------------------------------ */

typedef struct baked_joint {           /* from the parent, in millionths */
    int32_t position[3], rotation[3];
} baked_joint;

typedef struct character {
    mesh        body, sword;
    baked_joint frames[CHARACTER_FRAMES][JOINTS];
} character;

/* As the files hold it: the fourth number of a rotation is left out, and taken as negative. */
static inline baked_joint bake_joint(const xform world[JOINTS], int joint)
{
    int         parent = character_joints[joint].parent;
    xform       x = world[joint];
    baked_joint out;
    double      sign;
    if (parent >= 0) {
        quat back = inverse(world[parent].rotation);
        x.position = turned(back, sub(x.position, world[parent].position));
        x.rotation = after(back, x.rotation);
    }
    sign = x.rotation.w > 0 ? -1 : 1;
    out.position[0] = (int32_t)to_micro(x.position.x);
    out.position[1] = (int32_t)to_micro(x.position.y);
    out.position[2] = (int32_t)to_micro(x.position.z);
    out.rotation[0] = (int32_t)to_micro(sign * x.rotation.x);
    out.rotation[1] = (int32_t)to_micro(sign * x.rotation.y);
    out.rotation[2] = (int32_t)to_micro(sign * x.rotation.z);
    return out;
}

/* The joints of a frame in model space, from the rounded numbers alone. */
static inline void frame_pose(const character *c, int frame, xform world[JOINTS])
{
    int joint;
    for (joint = 0; joint < JOINTS; ++joint) {
        const baked_joint *b = &c->frames[frame][joint];
        int    parent = character_joints[joint].parent;
        double x = b->rotation[0] / CHARACTER_MICRO, y = b->rotation[1] / CHARACTER_MICRO;
        double z = b->rotation[2] / CHARACTER_MICRO;
        xform  local;
        local.position = v3(b->position[0] / CHARACTER_MICRO, b->position[1] / CHARACTER_MICRO,
                            b->position[2] / CHARACTER_MICRO);
        local.rotation = quat_of(x, y, z, -sqrt(clamp(1 - x * x - y * y - z * z, 0, 1)));
        world[joint] = parent < 0 ? local : below(world[parent], local);
    }
}

/* Plays a move in small steps so that what dangles swings; a loop is played until it swings the
   same every round. */
static inline void bake_move(character *c, const move *m, int first_frame)
{
    xform  world[JOINTS];
    spring springs[DANGLES];
    int    warm_up = (m->loops ? (40 / m->frames + 1) * m->frames : 12) * SPRING_STEPS;
    int    step, i;
    for (step = -warm_up; step <= (m->frames - 1) * SPRING_STEPS; ++step) {
        double frame = (double)step / (double)SPRING_STEPS;
        pose_body(m, m->loops || frame > 0 ? frame : 0, world);
        stay_above_floor(&c->body, world);
        for (i = 0; i < DANGLES; ++i) {
            const dangle *d = &character_dangles[i];
            vec           goal = dangle_goal(d, world);
            if (step == -warm_up) springs[i].at = goal, springs[i].speed = v3(0, 0, 0);
            spring_step(d, &springs[i], goal, 1.0 / (CHARACTER_FPS * SPRING_STEPS));
            hang_dangle(d, &springs[i], world);
        }
        if (step < 0 || step % SPRING_STEPS != 0) continue;
        for (i = 0; i < JOINTS; ++i)
            c->frames[first_frame + step / SPRING_STEPS][i] = bake_joint(world, i);
    }
}

static inline character *build_character(void)
{
    character *c = (character *)calloc(1, sizeof *c);
    int        i, frame = 0;
    if (!c) abort();
    build_mesh(&c->body);
    build_sword(&c->sword);
    for (i = 0; i < COUNT_OF(character_moves); ++i) {
        bake_move(c, &character_moves[i], frame);
        frame += character_moves[i].frames;
    }
    return c;
}

/* -- The skin: painted by a small program for every texel, in inches on the bound body --------- */

typedef struct spot {                  /* what is known of a texel */
    int    paint;
    vec    at, normal;
    double shade;                      /* open to the sky: 1, in a corner: 0 */
    double texel;                      /* its size */
    double u, v;                       /* round the part and along it, 0 to 1 */
} spot;

static const vec CREAM = { 0.95, 0.9, 0.8 }, RED = { 0.87, 0.27, 0.15 };
static const vec BRASS = { 0.9, 0.68, 0.28 }, STEEL = { 0.62, 0.67, 0.74 };
static const vec SLATE = { 0.27, 0.33, 0.42 };
static const vec RUBBER = { 0.2, 0.22, 0.28 }, LEATHER = { 0.3, 0.19, 0.13 };
static const vec GLOW = { 0.35, 0.93, 1 }, TEAL = { 0.1, 0.47, 0.53 }, NIGHT = { 0.05, 0.07, 0.12 };
static const vec WHITE = { 1, 1, 1 }, BLACK = { 0, 0, 0 }, SEAM = { 0.12, 0.1, 0.12 };

static inline double lattice(int x, int y, int z)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    return (double)((h ^ (h >> 15)) & 0xffff) / 65535;
}

static inline double noise(vec p, double scale)
{
    double fx = floor(p.x * scale), fy = floor(p.y * scale), fz = floor(p.z * scale), sum = 0;
    vec    t = v3(p.x * scale - fx, p.y * scale - fy, p.z * scale - fz);
    int    k;
    t = v3(smoothstep(0, 1, t.x), smoothstep(0, 1, t.y), smoothstep(0, 1, t.z));
    for (k = 0; k < 8; ++k)
        sum += (k & 1 ? t.x : 1 - t.x) * (k & 2 ? t.y : 1 - t.y) * (k & 4 ? t.z : 1 - t.z) *
               lattice((int)fx + (k & 1), (int)fy + (k >> 1 & 1), (int)fz + (k >> 2));
    return sum;
}

/* Distances to outlines: negative inside. */
static inline double box(double x, double y, double w, double h, double round)
{
    double dx = fabs(x) - w + round, dy = fabs(y) - h + round;
    double ox = dx > 0 ? dx : 0, oy = dy > 0 ? dy : 0, in = dx > dy ? dx : dy;
    return sqrt(ox * ox + oy * oy) + (in < 0 ? in : 0) - round;
}

static inline double line(double x, double y, double x0, double y0, double x1, double y1)
{
    double dx = x1 - x0, dy = y1 - y0;
    double t = clamp(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1);
    return sqrt((x - x0 - t * dx) * (x - x0 - t * dx) + (y - y0 - t * dy) * (y - y0 - t * dy));
}

static inline double disc(double x, double y, double radius)
{
    return sqrt(x * x + y * y) - radius;
}

static inline double inside(const spot *s, double distance)
{
    return clamp(0.5 - distance / s->texel, 0, 1);
}

static inline void lay(vec *under, vec color, double amount)
{
    *under = toward(*under, color, amount);
}

static inline void fill(vec *under, const spot *s, double distance, vec color)
{
    lay(under, color, inside(s, distance));
}

/* A line where two panels meet: dark, with light on the edge below it. */
static inline void groove(vec *under, const spot *s, double distance)
{
    lay(under, WHITE, 0.35 * inside(s, fabs(distance + 0.28) - 0.1));
    lay(under, SEAM, 0.75 * inside(s, fabs(distance) - 0.14));
}

static inline void rivet(vec *under, const spot *s, double x, double y, vec color)
{
    double d = disc(x, y, 0);
    lay(under, BLACK, 0.45 * (1 - smoothstep(0.4, 0.75, d)));
    fill(under, s, d - 0.42, toward(color, BLACK, clamp(0.2 - y * 0.6, 0, 1)));
    lay(under, WHITE, 0.8 * (1 - smoothstep(0, 0.24, disc(x + 0.1, y - 0.14, 0))));
}

/* Rivets round the Z axis, or whatever axis x and y stand across. */
static inline void rivet_ring(vec *under, const spot *s, double x, double y, double high, int count)
{
    int k;
    for (k = 0; k < count; ++k) {
        double c = cosine(360.0 * (k + 0.5) / count), n = sine(360.0 * (k + 0.5) / count);
        if (x * c + y * n > 0) rivet(under, s, y * c - x * n, high, BRASS);
    }
}

/* Paint worn off where `edge` is small, in flecks. */
static inline void wear(vec *under, const spot *s, double edge)
{
    double fleck = noise(s->at, 2.6) * 0.6 + noise(s->at, 6) * 0.4;
    double worn = smoothstep(0.62, 0.7, fleck - 0.12 * clamp(edge, 0, 4) + 0.06);
    lay(under, toward(STEEL, WHITE, 0.2), 0.55 * worn);
    lay(under, BLACK, 0.07 * smoothstep(0.5, 0.8, noise(s->at, 0.5)));
}

/* The glass of the face: the light of the eyes, blushing cheeks, a smile, and a reflection. */
static inline vec paint_glass(const spot *s, double y, double z)
{
    double eye = disc(y - 3.9, (z - 15.5) * 0.75, 0), cheek = disc((y - 6.1) * 0.72, z - 12.6, 0);
    double smile = fabs(disc(y, z - 14.2, 3.1)) - 0.26, streak = s->at.y + z * 0.5;
    vec    glass = toward(v3(0.09, 0.13, 0.22), NIGHT, smoothstep(10, 19, z));
    lay(&glass, v3(0.16, 0.5, 0.62), 0.5 * (1 - smoothstep(1.5, 4.6, eye)));
    lay(&glass, v3(1, 0.42, 0.45), 0.55 * (1 - smoothstep(0.5, 1.5, cheek)));
    if (z < 12) fill(&glass, s, smile > y - 1.9 ? smile : y - 1.9, toward(GLOW, WHITE, 0.3));
    lay(&glass, WHITE, 0.16 * inside(s, fabs(streak - 4.4) - 0.9));
    lay(&glass, WHITE, 0.1 * inside(s, fabs(streak - 6.4) - 0.35));
    return glass;
}

static inline void paint_face(vec *c, const spot *s, double y, double z)
{
    double d = box(y, z - 15.4, 8.6, 5.2, 4.4);
    fill(c, s, d - 1, toward(BRASS, BLACK, clamp(0.2 - (z - 15.4) * 0.05, 0, 0.5)));
    lay(c, WHITE, 0.4 * inside(s, fabs(d - 0.7) - 0.12));
    groove(c, s, d - 1.1);
    fill(c, s, d, paint_glass(s, fabs(y), z));
    lay(c, BLACK, 0.6 * inside(s, d) * smoothstep(-1.4, 0, d));
}

static inline vec paint_head(const spot *s)
{
    double y = s->at.y, z = s->at.z;
    double stripe = s->at.x > 0 && z < 18 ? 9 : fabs(y) - 2.1;
    int    k;
    vec    c = CREAM;
    fill(&c, s, stripe, RED);
    groove(&c, s, stripe);
    groove(&c, s, z - 22.2);
    if (s->at.x < 3) groove(&c, s, z - 11.4);
    rivet_ring(&c, s, s->at.x, y, z - 21.3, 14);
    wear(&c, s, fabs(z - 22.2));
    if (s->at.x < 0) return c;
    for (k = -2; k <= 2; ++k) fill(&c, s, box(y - k * 1.25, z - 8.5, 0.34, 0.85, 0.3), NIGHT);
    paint_face(&c, s, y, z);
    return c;
}

/* The two digits of the number on his back, seen from behind. */
static inline double number_25(double x, double y)
{
    static const double stroke[][4] = {
        { -3.4, 2, -2.6, 2.7 }, { -2.6, 2.7, -1.5, 2.7 }, { -1.5, 2.7, -0.8, 1.9 },
        { -0.8, 1.9, -0.9, 0.9 }, { -0.9, 0.9, -3.4, -2.6 }, { -3.4, -2.6, -0.7, -2.6 },
        { 3.3, 2.7, 1.1, 2.7 }, { 1.1, 2.7, 0.9, 0.4 }, { 0.9, 0.4, 2.4, 0.6 },
        { 2.4, 0.6, 3.4, -0.4 }, { 3.4, -0.4, 3.2, -1.8 }, { 3.2, -1.8, 2.2, -2.6 },
        { 2.2, -2.6, 0.8, -2.3 },
    };
    double best = 9;
    int    k;
    for (k = 0; k < COUNT_OF(stroke); ++k) {
        double d = line(x, y, stroke[k][0], stroke[k][1], stroke[k][2], stroke[k][3]);
        if (d < best) best = d;
    }
    return best - 0.55;
}

static inline void paint_chest(vec *c, const spot *s, double y, double z)
{
    double plate = box(y, z - 0.6, 6.4, 4.2, 2), core = disc(y, z - 0.9, 0);
    fill(c, s, plate, toward(CREAM, WHITE, 0.35));
    groove(c, s, plate);
    fill(c, s, box(fabs(y) - 4.6, z + 0.6, 0.9, 0.28, 0.25), RED);
    fill(c, s, box(fabs(y) - 4.6, z - 0.6, 0.9, 0.28, 0.25), SLATE);
    rivet(c, s, fabs(y) - 5.2, z - 3.4, BRASS);
    rivet(c, s, fabs(y) - 5.2, z + 2.2, BRASS);
    lay(c, BLACK, 0.4 * (1 - smoothstep(2.6, 3.4, core)));
    fill(c, s, core - 2.7, toward(BRASS, BLACK, clamp(0.15 - (z - 0.9) * 0.12, 0, 0.5)));
    fill(c, s, core - 1.95, NIGHT);
    fill(c, s, core - 1.6, toward(WHITE, v3(0.1, 0.72, 0.9), smoothstep(0.1, 1.6, core)));
}

static inline vec paint_body(const spot *s)
{
    double y = s->at.y, z = s->at.z;
    vec    c = CREAM;
    groove(&c, s, fabs(s->at.x) < 4 ? s->at.x : 4);
    if (s->at.x > 0) paint_chest(&c, s, y, z);
    if (s->at.x < 0) fill(&c, s, number_25(-y, z - 0.8), RED);
    wear(&c, s, fabs(s->at.x));
    fill(&c, s, z + 6.8, SLATE);
    fill(&c, s, fabs(z + 5.6) - 1.3, LEATHER);
    groove(&c, s, fabs(z + 5.6) - 1.4);
    rivet_ring(&c, s, s->at.x, y, z + 5.6, 16);
    if (s->at.x > 0) {
        vec buckle = toward(BRASS, BLACK, clamp(-(z + 5.6) * 0.2, 0, 0.4));
        fill(&c, s, box(y, z + 5.6, 2.3, 1.7, 0.6), buckle);
        fill(&c, s, fabs(box(y, z + 5.6, 1.3, 0.85, 0.3)) - 0.2, LEATHER);
    }
    return c;
}

static inline vec paint_brow(const spot *s)
{
    double high = (s->u - 0.44) * 11.8, side = fabs(s->v - 0.5) * 33; /* inches on its outer side */
    vec    c = toward(STEEL, WHITE, 0.3 * noise(v3(high * 5, side * 0.4, 0), 1));
    lay(&c, WHITE, 0.45 * smoothstep(-1, 4, high) * (1 - smoothstep(0, 10, side)));
    fill(&c, s, side - 1.1, RED);
    groove(&c, s, side - 1.3);
    fill(&c, s, box(side - 6, high + 0.2, 2.8, 0.6, 0.5), NIGHT);
    lay(&c, WHITE, 0.5 * inside(s, box(side - 6, high + 1, 2.6, 0.12, 0.1)));
    rivet(&c, s, side - 10.4, high + 0.2, BRASS);
    rivet(&c, s, side - 13.2, high + 0.2, BRASS);
    wear(&c, s, 3.4 - fabs(high));
    fill(&c, s, 3.6 - fabs(high), toward(BRASS, BLACK, 0.06));
    groove(&c, s, 3.5 - fabs(high));
    return c;
}

static inline vec paint_eye(const spot *s)
{
    double d = s->v < 0.45 ? 1 : 1 - (s->v - 0.45) / 0.55;
    vec    c = toward(WHITE, GLOW, smoothstep(0.1, 0.75, d));
    c = toward(c, v3(0.05, 0.45, 0.6), 0.9 * smoothstep(0.8, 1, d));
    fill(&c, s, disc(s->at.y - 3.7, s->at.z - 16.9, 0.45), WHITE);
    return c;
}

static inline vec paint_plume(const spot *s)
{
    double hair = noise(v3(s->u * 46, s->v * 3, 0), 1);
    vec    c = toward(RED, v3(0.5, 0.08, 0.08), 0.75 * hair * hair);
    lay(&c, v3(1, 0.62, 0.2), 0.75 * smoothstep(0.45, 1, s->v + 0.2 * (hair - 0.5)));
    if (s->v < 0.16) c = toward(BRASS, BLACK, 0.1);
    return c;
}

static inline vec paint_scarf(const spot *s)
{
    double knit = 0.5 + 0.5 * sine(s->u * 360 * 36) * (s->paint == PAINT_TAIL ? 0.4 : 1);
    vec    c = toward(TEAL, v3(0.03, 0.25, 0.32), 0.5 * knit);
    if (s->paint == PAINT_TAIL && fabs(s->v - 0.74) < 0.07) c = CREAM;
    if (s->paint == PAINT_TAIL && s->v > 0.92) c = toward(CREAM, TEAL, 0.6 * knit);
    return c;
}

static inline vec paint_shoulder(const spot *s)
{
    double d = 1 - s->v;
    vec    c = toward(RED, WHITE, 0.12 * d);
    fill(&c, s, (fabs(d - 0.38) - 0.055) * 6, CREAM);
    wear(&c, s, 8 * fabs(d - 0.6));
    if (d > 0.66) c = toward(BRASS, BLACK, smoothstep(0.7, 1, d) * 0.4);
    lay(&c, BLACK, 0.5 * inside(s, (fabs(d - 0.66) - 0.02) * 6));
    if (d < 0.13) c = toward(WHITE, BRASS, smoothstep(0, 0.07, d));
    return c;
}

/* Rubber in folds. */
static inline vec paint_folds(const spot *s, double folds)
{
    double wave = sine(s->v * 360 * folds);
    vec    c = toward(RUBBER, BLACK, 0.45 * clamp(-wave, 0, 1));
    return toward(c, v3(0.5, 0.56, 0.68), 0.3 * clamp(wave, 0, 1));
}

static inline vec paint_gauntlet(const spot *s)
{
    vec c = CREAM;
    fill(&c, s, (fabs(s->v - 0.62) - 0.08) * 7, RED);
    lay(&c, SEAM, 0.7 * inside(s, (fabs(fabs(s->v - 0.62) - 0.1) - 0.015) * 7));
    wear(&c, s, 6 * fabs(s->v - 0.3));
    if (s->v < 0.3) c = toward(BRASS, BLACK, s->v < 0.12 ? 0.6 : 0.05);
    return c;
}

static inline vec paint_glove(const spot *s)
{
    vec c = toward(RED, WHITE, 0.1 * noise(s->at, 1));
    if (s->paint == PAINT_PALM)
        fill(&c, s, box((s->u - 0.5) * 14, (s->v - 0.6) * 5, 1.5, 0.7, 0.4), CREAM);
    else
        lay(&c, v3(0.3, 0.05, 0.05), 0.7 * inside(s, (fabs(s->v - 0.42) - 0.04) * 6));
    wear(&c, s, 2);
    return c;
}

static inline vec paint_boot(const spot *s)
{
    double z = s->at.z - CHARACTER_FLOOR;
    vec    c = RED;
    if (s->paint == PAINT_SHAFT) {
        if (s->v < 0.42) c = CREAM;
        lay(&c, SEAM, 0.7 * inside(s, (fabs(s->v - 0.42) - 0.02) * 8));
        wear(&c, s, 8 * fabs(s->v - 0.45));
        return c;
    }
    fill(&c, s, 6.2 - s->at.x, CREAM);
    groove(&c, s, 6.1 - s->at.x);
    rivet(&c, s, s->at.x - 5.2, fabs(s->at.y - 4.9) - 2.2, BRASS);
    wear(&c, s, 1.6);
    fill(&c, s, z - 1.1, RUBBER);
    lay(&c, WHITE, 0.2 * inside(s, fabs(z - 1.2) - 0.12));
    lay(&c, BLACK, 0.5 * inside(s, z - 0.1));
    return c;
}

static inline vec paint_blade(const spot *s)
{
    double x = s->at.x, across = fabs(s->u * 2 - 1) * 2; /* 0 and 2 are the edges */
    double middle = fabs(across - 1);
    vec    c = toward(STEEL, WHITE, 0.25 + 0.5 * smoothstep(0.4, 1, middle));
    lay(&c, WHITE, 0.2 * noise(v3(x * 0.4, across * 14, 0), 1));
    if (x < 20) lay(&c, v3(0.1, 0.5, 0.62), 1 - smoothstep(0.2, 0.28, middle));
    if (x < 19.6) lay(&c, toward(GLOW, WHITE, 0.5 - middle * 2), 1 - smoothstep(0.12, 0.2, middle));
    lay(&c, BLACK, 0.3 * inside(s, fabs(middle - 0.46) * 4 - 0.05));
    wear(&c, s, 3 - 3 * middle);
    return c;
}

static inline vec paint_hilt(const spot *s)
{
    double wrap = sine((s->u + s->v * 5) * 360);
    if (s->paint == PAINT_GRIP) return toward(LEATHER, BLACK, 0.4 * clamp(wrap, 0, 1));
    if (s->paint == PAINT_POMMEL) return s->v < 0.22 ? RED : toward(BRASS, BLACK, 0.15);
    return toward(BRASS, s->v > 0.3 && s->v < 0.7 ? WHITE : BLACK, 0.18);
}

static inline vec paint_ear(const spot *s)
{
    vec c = s->v < 0.5 ? toward(STEEL, BLACK, 0.1) : BRASS;
    if (s->v > 0.66) c = toward(RED, BLACK, 0.3 * (1 - s->v));
    if (s->v > 0.9) c = BRASS;
    lay(&c, BLACK, 0.5 * inside(s, (fabs(s->v - 0.66) - 0.02) * 6));
    return c;
}

static inline vec paint_plain(const spot *s)
{
    switch (s->paint) {
        case PAINT_HEAD: return paint_head(s);
        case PAINT_BODY: return paint_body(s);
        case PAINT_BROW: return paint_brow(s);
        case PAINT_EAR: return paint_ear(s);
        case PAINT_EYE: return paint_eye(s);
        case PAINT_PLUME: return paint_plume(s);
        case PAINT_SCARF: case PAINT_TAIL: return paint_scarf(s);
        case PAINT_SHOULDER: return paint_shoulder(s);
        case PAINT_SLEEVE: return paint_folds(s, 9);
        case PAINT_LEG: return paint_folds(s, 8);
        case PAINT_GAUNTLET: return paint_gauntlet(s);
        case PAINT_SHAFT: case PAINT_FOOT: return paint_boot(s);
        case PAINT_BLADE: return paint_blade(s);
        case PAINT_GUARD: case PAINT_GRIP: case PAINT_POMMEL: return paint_hilt(s);
        default: return paint_glove(s);
    }
}

/* What shines stays bright in corners. */
static inline vec painted(const spot *s)
{
    vec    c = paint_plain(s);
    double shade = 0.52 + 0.5 * s->shade, sky = 0.97 + 0.07 * s->normal.z;
    if (s->paint == PAINT_EYE || s->paint == PAINT_BLADE) return c;
    sky *= 0.96 + 0.08 * noise(s->at, 0.35);
    return v3(c.x * shade * sky, c.y * shade * sky, c.z * (shade * 0.96 + 0.04) * sky);
}

/* -- Corners are dark: how much of the sky each point sees ------------------------------------- */

enum { RAYS = 40 };

static inline int ray_hits(vec from, vec way, vec a, vec b, vec c, double far)
{
    vec    e1 = sub(b, a), e2 = sub(c, a), p = cross(way, e2), to = sub(from, a), q;
    double det = dot(e1, p), u, v, t;
    if (fabs(det) < 1e-9) return 0;
    u = dot(to, p) / det;
    if (u < 0 || u > 1) return 0;
    q = cross(to, e1);
    v = dot(way, q) / det;
    if (v < 0 || u + v > 1) return 0;
    t = dot(e2, q) / det;
    return t > 0 && t < far;
}

static inline int ray_blocked(const mesh *m, const vec *middle, const double *radius, vec from,
                              vec way)
{
    const double far = 9;
    int i, t;
    for (i = 0; i < m->part_count; ++i) {
        vec    to = sub(middle[i], from);
        double along = dot(to, way), off = dot(to, to) - along * along;
        if (off > radius[i] * radius[i] || along < -radius[i] || along > radius[i] + far) continue;
        for (t = m->first[i]; t < m->first[i + 1]; ++t)
            if (ray_hits(from, way, point_of(m, t, 0), point_of(m, t, 1), point_of(m, t, 2), far))
                return 1;
    }
    return 0;
}

static inline void part_spheres(const mesh *m, vec *middle, double *radius)
{
    int i, t, k;
    for (i = 0; i < m->part_count; ++i) {
        vec    sum = v3(0, 0, 0);
        double r, count = 3.0 * (m->first[i + 1] - m->first[i]);
        for (t = m->first[i]; t < m->first[i + 1]; ++t)
            for (k = 0; k < 3; ++k) sum = add(sum, times(point_of(m, t, k), 1 / count));
        middle[i] = sum;
        radius[i] = 0;
        for (t = m->first[i]; t < m->first[i + 1]; ++t)
            for (k = 0; k < 3; ++k) {
                r = length(sub(point_of(m, t, k), sum));
                if (r > radius[i]) radius[i] = r;
            }
    }
}

static inline double sky_seen(const mesh *m, const vec *middle, const double *radius,
                              const point *p)
{
    vec    from = add(p->at, times(p->normal, 0.08));
    double seen = 0, all = 0;
    int    k;
    for (k = 0; k < RAYS; ++k) {
        double z = 1 - (2 * k + 1.0) / (double)RAYS, r = sqrt(1 - z * z), turns = k * 222.492236;
        vec    way = v3(r * cosine(turns), r * sine(turns), z);
        double facing = dot(way, p->normal);
        if (facing < 0.05) continue;
        all += facing;
        if (!ray_blocked(m, middle, radius, from, way)) seen += facing;
    }
    return all > 0 ? seen / all : 1;
}

/* -- From triangles to texels ------------------------------------------------------------------ */

typedef struct canvas {
    unsigned char rgb[CHARACTER_SKIN * CHARACTER_SKIN][3];
    unsigned char covered[CHARACTER_SKIN * CHARACTER_SKIN];
} canvas;

/* Not quite a half, so that plain colors are no ties for compilers to break in two ways. */
static inline unsigned char to_byte(double x)
{
    return (unsigned char)floor(clamp(x, 0, 1) * 255 + 0.4997);
}

static inline void paint_texel(canvas *to, int x, int y, const spot *s)
{
    vec            c = painted(s);
    unsigned char *rgb = to->rgb[y * CHARACTER_SKIN + x];
    rgb[0] = to_byte(c.x);
    rgb[1] = to_byte(c.y);
    rgb[2] = to_byte(c.z);
    to->covered[y * CHARACTER_SKIN + x] = 1;
}

/* What lies at shares b of the corners of a triangle. */
static inline spot spot_at(const mesh *m, int t, const double b[3], const double *sky, double x,
                           double y)
{
    const part *p = m->of[m->triangles[t].part];
    spot        s;
    int         k;
    s.paint = p->paint;
    s.at = s.normal = v3(0, 0, 0);
    s.shade = 0;
    for (k = 0; k < 3; ++k) {
        int at = m->vertices[m->triangles[t].corner[k]].point;
        s.at = add(s.at, times(m->points[at].at, b[k]));
        s.normal = add(s.normal, times(m->points[at].normal, b[k]));
        s.shade += sky[at] * b[k];
    }
    s.u = (x - p->x) / p->w;
    s.v = (y - p->y) / p->h;
    if (p->frame == IN_WORLD) s.v = 1 - s.v;
    s.texel = 0;
    return s;
}

static inline int least(int a, int b, int c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }
static inline int most(int a, int b, int c) { return -least(-a, -b, -c); }

/* Inches to a texel, on average over a triangle of so many texels (twice). */
static inline double texel_size(const mesh *m, int t, double area)
{
    vec a = point_of(m, t, 0);
    vec across = cross(sub(point_of(m, t, 1), a), sub(point_of(m, t, 2), a));
    return sqrt(length(across) / fabs(area));
}

static inline void paint_triangle(canvas *to, const mesh *m, int t, const double *sky)
{
    const int    *corner = m->triangles[t].corner;
    const vertex *a = &m->vertices[corner[0]], *b = &m->vertices[corner[1]];
    const vertex *c = &m->vertices[corner[2]];
    double us = b->s - a->s, ut = b->t - a->t, vs = c->s - a->s, vt = c->t - a->t;
    double area = us * vt - ut * vs;
    int    x, y, x1 = most(a->s, b->s, c->s), y1 = most(a->t, b->t, c->t);
    if (area == 0) return;
    for (y = least(a->t, b->t, c->t); y < y1; ++y)
        for (x = least(a->s, b->s, c->s); x < x1; ++x) {
            double px = x + 0.5, py = y + 0.5, share[3];
            spot   s;
            share[1] = ((px - a->s) * vt - (py - a->t) * vs) / area;
            share[2] = (us * (py - a->t) - ut * (px - a->s)) / area;
            share[0] = 1 - share[1] - share[2];
            if (share[0] < -1e-9 || share[1] < -1e-9 || share[2] < -1e-9) continue;
            s = spot_at(m, t, share, sky, px, py);
            s.texel = texel_size(m, t, area) * 1.2;
            paint_texel(to, x, y, &s);
        }
}

/* Spreads the islands by a texel each time, so that no seam shows when the skin is scaled down. */
static inline void spread(canvas *to)
{
    static const int dx[4] = { -1, 1, 0, 0 }, dy[4] = { 0, 0, -1, 1 };
    int x, y, k;
    for (y = 0; y < CHARACTER_SKIN; ++y)
        for (x = 0; x < CHARACTER_SKIN; ++x) {
            int here = y * CHARACTER_SKIN + x;
            for (k = 0; k < 4 && !to->covered[here]; ++k) {
                int nx = x + dx[k], ny = y + dy[k], there = ny * CHARACTER_SKIN + nx;
                if (nx < 0 || ny < 0 || nx >= CHARACTER_SKIN || ny >= CHARACTER_SKIN) continue;
                if (to->covered[there] != 1) continue;
                memcpy(to->rgb[here], to->rgb[there], 3);
                to->covered[here] = 2;
            }
        }
    for (k = 0; k < CHARACTER_SKIN * CHARACTER_SKIN; ++k) to->covered[k] = to->covered[k] != 0;
}

/* The skin of a mesh; free it with free(). */
static inline canvas *paint_skin(const mesh *m)
{
    canvas *to = (canvas *)calloc(1, sizeof *to);
    double  sky[MAX_POINTS], radius[MAX_PARTS];
    vec     middle[MAX_PARTS];
    int     i;
    if (!to) abort();
    part_spheres(m, middle, radius);
    for (i = 0; i < m->point_count; ++i) sky[i] = sky_seen(m, middle, radius, &m->points[i]);
    for (i = 0; i < CHARACTER_SKIN * CHARACTER_SKIN; ++i) memset(to->rgb[i], 58, 3);
    for (i = 0; i < m->triangle_count; ++i)
        if (!m->right[m->triangles[i].part] || m->of[m->triangles[i].part]->frame == IN_GRIP)
            paint_triangle(to, m, i, sky);
    for (i = 0; i < 8; ++i) spread(to);
    return to;
}

#endif
