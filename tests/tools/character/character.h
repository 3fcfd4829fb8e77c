/* character.h: Sir Rivet, a small round knight, generated from code: skeleton, mesh, painted skin, the twenty
   animations of a Quake II player, and two animations with root motion. make_character.c writes him to files.
   Public domain.

   X is forward, Y left and Z up; one unit is about an inch. He is 56 units high; the origin is at his hips and the
   floor at z = -24. Every table describes the left side; the right side is its mirror image. Every number is rounded to
   a millionth before it is used, so that the files and the computed frames agree. */
#ifndef CHARACTER_H_INCLUDED
#define CHARACTER_H_INCLUDED

#include "vectors.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHARACTER_FLOOR  (-24.0)
#define CHARACTER_FRAMES 198           /* frames of the MD2 */
#define CHARACTER_ANIMS  20
#define MOVING_FRAMES    24            /* further frames, which only the MD5 has */
#define MOVING_ANIMS     2
#define CHARACTER_FPS    10
#define CHARACTER_SKIN   512           /* width and height of the skin in texels */
#define CHARACTER_MICRO  1000000.0

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* -- Skeleton (skeleton.c) --------------------------------------------------------------------- */

enum joint {
    ROOT, HIPS, SPINE, CHEST, NECK, HEAD, BROW, LOOK, EYE_L, EYE_R, PLUME1, PLUME2, PLUME3, SCARF1,
    SCARF2, CLAVICLE_L, CLAVICLE_R, ARM_L, ARM_R, FOREARM_L, FOREARM_R, HAND_L, HAND_R, FINGERS_L,
    FINGERS_R, INDEX_L, INDEX_R, THUMB_L, THUMB_R, WEAPON, THIGH_L, THIGH_R, SHIN_L, SHIN_R, FOOT_L,
    FOOT_R, TOES_L, TOES_R, JOINTS
};

enum frame { IN_WORLD, IN_ARM, IN_SHOULDER, IN_EAR, IN_EYE, IN_FOOT, IN_THUMB, IN_GRIP, IN_TAIL };

typedef struct joint_row {
    const char *name;
    int         parent, frame;        /* `at` is relative to this frame */
    vec         at;
} joint_row;

#define EYE_HIGH  3.0                  /* distance from the center of an eye to its upper edge */
#define ARM_SLOPE 39.8                 /* degrees between the arms and the body in the bind pose */

extern const joint_row character_joints[JOINTS];

/* Returns the joint on the other side, or the joint itself if it has no counterpart. */
int mirror_joint(int joint);

/* Returns the direction of an eye from the center of the head. */
vec eye_direction(double side);

vec from_frame(int frame, vec p);
double to_micro(double x);
vec rounded(vec p);                    /* rounds to whole millionths */

/* Returns the rounded position of a joint in the bind pose. No joint is rotated there. */
vec joint_bind(int joint);

/* -- Mesh (mesh.c) ----------------------------------------------------------------------------- */

enum {
    MAX_POINTS = 1200, MAX_VERTICES = 2000, MAX_TRIANGLES = 1600, MAX_PARTS = 64,
    MAX_ROWS = 12, INFLUENCES = 3
};

typedef struct influence { int joint, bias; vec at; } influence; /* bias in millionths */

typedef struct point {                 /* a position on a part, with the joints that move it */
    vec       at, normal;
    influence by[INFLUENCES];
    int       count;
} point;

typedef struct vertex { int point, s, t; } vertex; /* texels of the skin */

typedef struct triangle { int corner[3], part; } triangle;

/* The numbers of a ring of a part: its position along the part, two radii, its position on the part's chain of joints
   (0 on the first, 0.5 halfway to the next), its position across the part (x, y), and its slope. */
enum { RING_Z, RING_R1, RING_R2, RING_ON, RING_X, RING_Y, RING_LEAN, RING_NUMBERS };

typedef struct part {
    int    paint, frame, mirrored;
    int    sides;                      /* points in each ring */
    double square;                     /* 0 = round, 1 = square */
    int    chain[3], soft;             /* soft: three joints move a point, not two */
    int    caps;                       /* 1 closes the first end, 2 the last; others are hidden */
    int    x, y, w, h;                 /* rectangle on the skin */
    int    rows;
    double row[MAX_ROWS][RING_NUMBERS];
} part;

typedef struct mesh {
    point    points[MAX_POINTS];
    vertex   vertices[MAX_VERTICES];
    triangle triangles[MAX_TRIANGLES];
    int      first[MAX_PARTS + 1];     /* the first triangle of each part */
    const part *of[MAX_PARTS];
    int      right[MAX_PARTS];
    vec      middle[MAX_PARTS];        /* center and radius of a sphere around each part */
    double   radius[MAX_PARTS];
    int      point_count, vertex_count, triangle_count, part_count;
} mesh;

enum paint {
    PAINT_HEAD, PAINT_BODY, PAINT_BROW, PAINT_EAR, PAINT_EYE, PAINT_PLUME, PAINT_SCARF, PAINT_TAIL,
    PAINT_SHOULDER, PAINT_SLEEVE, PAINT_GAUNTLET, PAINT_PALM, PAINT_FINGER, PAINT_LEG, PAINT_SHAFT,
    PAINT_FOOT, PAINT_BLADE, PAINT_GUARD, PAINT_GRIP, PAINT_POMMEL
};

vec point_of(const mesh *m, int t, int corner);
void build_mesh(mesh *m);
void build_sword(mesh *m);

/* -- Animations (animations.c, curves.c) ------------------------------------------------------- */

/* Channels are in degrees and inches. The hips move the body; the soles stay where their channels put them,
   whatever the hips do, unless FREE makes the legs follow the hips. At zero, arms hang straight down. */
enum channel {
    HIP_X, HIP_Y, HIP_Z, PITCH, ROLL, YAW, /* forward, left, up; nod, lean right, turn left */
    BEND, LEAN, TWIST, NOD, TILT, FACE,    /* the same rotations of the spine, and of the head */
    VISOR, EYES, ANGER, GLANCE,            /* down; 1 = open; slanting; to the left */
    L_SHRUG, L_REACH, L_SWING, L_SPREAD, L_ROLL, L_ELBOW, L_PALM, L_WRIST, L_COCK, L_FIST, L_INDEX,
    R_SHRUG, R_REACH, R_SWING, R_SPREAD, R_ROLL, R_ELBOW, R_PALM, R_WRIST, R_COCK, R_FIST, R_INDEX,
    L_FX, L_FY, L_FZ, L_HEEL, L_OUT, L_KNEE, L_ROUND, /* sole: forward, out, up, heel up; rotated outward; */
    R_FX, R_FY, R_FZ, R_HEEL, R_OUT, R_KNEE, R_ROUND, /* knee outward; rotated to the left about the center */
    FREE, CHANNELS
};

enum { ARM_CHANNELS = R_SHRUG - L_SHRUG, LEG_CHANNELS = R_FX - L_FX };

typedef struct setting { int channel; double value; } setting;

typedef struct track {                 /* a curve that is added to a channel of the stance: see curve_at */
    int         channel;
    const char *keys;
} track;

typedef struct animation {
    const char    *name;
    int            frames, loops;
    const setting *stance;
    int            stance_count;
    const track   *tracks;
    int            track_count;
    double         travel, turn;      /* root motion per frame: forward, and degrees to the left */
} animation;

extern const animation character_anims[CHARACTER_ANIMS + MOVING_ANIMS];

/* Returns how many frames of an animation are stored. With root motion, the start of the next cycle is also stored. */
int stored_frames(const animation *m);

void get_channels(const animation *m, double frame, double c[CHANNELS]);

/* Returns the value of a curve. "0:5 3:-2= 6:5" has keys (frame:value), joined smoothly and flat at peaks; after
   "=" the curve is a straight line. "~2 3 0.25" is a sine: amplitude 2, three cycles per animation, a quarter cycle
   ahead. */
double curve_at(const char *text, double frame, double frames, int loops);

/* -- Poses and frames (poses.c) ---------------------------------------------------------------- */

typedef struct baked_joint {           /* relative to the parent: position and rotation, in millionths */
    int32_t part[6];
} baked_joint;

typedef struct character {
    mesh        body, sword;
    baked_joint frames[CHARACTER_FRAMES + MOVING_FRAMES][JOINTS];
} character;

vec skin_point(const point *p, const xform world[JOINTS]);

/* Computes the joints of a frame in model space, from only the rounded numbers. */
void frame_pose(const character *c, int frame, xform world[JOINTS]);

character *build_character(void);

/* -- Skin (skin.c) ----------------------------------------------------------------------------- */

typedef struct canvas {
    unsigned char rgb[CHARACTER_SKIN * CHARACTER_SKIN][3];
    unsigned char covered[CHARACTER_SKIN * CHARACTER_SKIN];
} canvas;

/* Paints the skin of a mesh; free it with free(). */
canvas *paint_skin(const mesh *m);

/* -- Palette (palette.c) ----------------------------------------------------------------------- */

enum { PALETTE = 256 };

typedef struct palette {
    unsigned char rgb[PALETTE][3];
    int           count;               /* number of its colors */
    unsigned char texels[CHARACTER_SKIN * CHARACTER_SKIN]; /* indices of colors */
} palette;

/* Chooses the palette that is most similar to the colors of a skin. */
void choose_palette(const canvas *skin, palette *p);

#endif /* CHARACTER_H_INCLUDED */
