/* body.h - finds the trunk and the limbs of a humanoid among bones. For name_bones.c only. Public
   domain.

     measure_body.c   heights, and distances over the skin and from bone to bone
     find_trunk.c     the heading, the feet, the head and the hips
     find_limbs.c     legs and arms, and their joints
     name_bones.c     names and parents

   The search uses distances over the skin, because they are the same in every pose:

     feet    The feet are two bones that rest on the ground, are far apart over the skin, and swing in
             opposite phase during a run.
     sides   The side of a point is the difference of its distances to both feet. It is nearly 0 on
             the trunk, the head and the arms, because their paths to both feet lead through the hips.
     trunk   The head is high and in the middle. The hips are the bone in the middle that is nearest
             to the head and both feet. The trunk is the path from the hips to the head.
     left    The heading is found in a run or walk. It shows which leg is the left leg.
     arms    An arm is a path from the trunk to a tip of the skin: long, in front of the chest, and on
             its side of the hips. It does not rest on the ground.
     joints  A limb is divided near the usual positions of its joints, and into parts of similar
             length on both sides. If the fit found no bone for a part (a hand that never bends, a
             chest that moves with the hips), the nearest bone is split. */
#ifndef BODY_H_INCLUDED
#define BODY_H_INCLUDED

#include "bones.h"
#include "convert.h"
#include "../viewer/folder.h"
#include "../viewer/heading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT, RIGHT, SIDES };

#define NONE UINT32_MAX

/* The constants. Each was halved and doubled, and the bones of 77 models were named, among them animals and
   chess pieces. With the values in use, 34 of the models get all names. The table lists the models that change:

     X: names     X gets names, which it does not get with the value in use
     X: no names  X loses all names; "no arms": X loses the names of the arms
     X worse      parts of X get wrong names, or helpers are attached to other bones

     constant         value  at half                         at twice
     on_ground        0.06   ForgottenOne, fonz: no names;   beetle_bot, a quadruped: names; marine worse
                             a cat, a cow: names
     least_apart      0.7    nothing (0: cobra gets names)   30 models: no names
     least_swing      0.3    nothing (0: rounding errors     nothing
                             are a swing of OreoGuard)
     in_middle        0.13   fonz: no arms                   civi, dreadnaught: no names
     least_head_mass  0.02   nothing (0: jorg worse)         infantry: no arms
     usual_head_mass  0.05   cringe worse                    infantry: no arms
     least_alike      0.65   ostrich, with a rider: names    39 models: no names
     misfit_factor    4      ostrich: names; kanga worse     frog: names; doomguy worse
     gap_factor       1.3    never ends (below 1)            knight, starscream: no names
     gap_slack        5      starscream: no names            starscream: no names; wolf worse
     forward_factor   2      ForgottenOne, drdoom: no arms   CyberDemon, Nore worse
     least_out        0.03   nothing (0: wrong arms in two   nothing
                             models that have none)
     middle_joint     0.42   18 models: other joints         39 models: other knees and elbows
     ankle            0.82   starscream worse                14 models: no feet
     wrist            0.75   32 models: other hands          34 models: no hands
     most_offset      0.25   CyberDemon, jorg worse          CyberDemon, baron worse
     most_split       0.6    Witchblade: no hands            Nore worse (at 1, its limit)
     chest_height     0.4    starscream: a larger chest      homersimpson: nearly no chest
     TIPS             12     Witchblade: no arms             ghost_bird: wrong arms; Nore worse

   Lengths are fractions of the model's height unless the comment says otherwise. */
static const double on_ground = 0.06;      /* maximum height of a point of a sole */
static const double least_apart = 0.7;     /* minimum distance of the soles over the skin */
static const double least_swing = 0.3;     /* minimum correlation of the feet in a gait, with a negative sign */
static const double in_middle = 0.13;      /* maximum absolute side of a bone of the trunk; feet have 1 and -1 */
static const double least_head_mass = 0.02; /* fraction of the points; a plume has fewer */
static const double usual_head_mass = 0.05; /* fraction of the points; more points are no advantage */
static const double least_alike = 0.65;    /* length of the shorter leg / length of the longer leg */
static const double misfit_factor = 4;     /* factor of a joint's misfit in the length of a link */
static const double gap_factor = 1.3;      /* gaps up to this factor times the smallest gap are linked ... */
static const double gap_slack = 5;         /* ... plus this number of quantization steps */
static const double forward_factor = 2;    /* weight of an arm's distance in front of its root */
static const double least_out = 0.03;      /* minimum distance of an arm to the side of its root */
static const double middle_joint = 0.42;   /* usual position of knee and elbow, fraction of the limb */
static const double ankle = 0.82, wrist = 0.75; /* usual position, fraction of the limb */
static const double most_offset = 0.25;    /* offset that counts for a missing joint, fraction of the limb */
static const double most_split = 0.6;      /* maximum fraction of a bone that a new hand or foot gets */
static const double chest_height = 0.4;    /* lower end of a chest split off the hips, 0 = the hip joints */

typedef struct bone_list {
    uint32_t count, bone[MOST_BONES];
} bone_list;

typedef struct graph_link {           /* link between two points or two bones */
    uint32_t a, b;
    double   length;
} graph_link;

typedef struct graph {
    uint32_t    count, room;
    graph_link *links;
} graph;

typedef struct frame_list {
    uint32_t count, *frames;
} frame_list;

typedef struct limb {
    bone_list chain;                  /* from the trunk to the tip */
    uint32_t  root;                   /* bone of the trunk to which the limb is attached */
    vec3      tip;                    /* rest position of the point farthest from the last joint */
    vec3      joints[MOST_BONES];     /* rest positions of the upper ends of the bones */
    double    to_tip[MOST_BONES + 1]; /* lengths from `joints` to the tip, / height */
    double    tip_errors[MOST_BONES]; /* error of the tip between frames if it followed each bone, / height */
    uint32_t  first_on_ground;        /* index in the chain; chain.count = none */
} limb;

typedef struct body {
    const motion *m;
    rig          *r;
    const char   *reason;             /* why the body is not a humanoid */
    frame_list    stand_frames, gait_frames;
    graph         skin, bones;        /* links between points, and between bones */
    vec3          centers[MOST_BONES]; /* mean rest positions of the points of the bones */
    double        height;
    double       *ground_heights;     /* [point_count] height above the ground / `height`, mean of stand_frames */

    uint32_t      soles[SIDES], head; /* a point of each sole, and a bone */
    double       *to_feet[SIDES];     /* [point_count] distance over the skin */
    double        side[MOST_BONES];   /* 1 at the left foot, -1 at the right foot */
    bone_list     trunk;              /* from the hips to the head */
    limb          legs[SIDES], arms[SIDES];
    bool          has_arms;
} body;

/* -- Lists and paths --------------------------------------------------------------------------- */

/* Returns the index of a bone, or the count if the bone is not in the list. */
uint32_t  index_in(const bone_list *l, uint32_t bone);
bool      has_bone(const bone_list *l, uint32_t bone);
void      insert_bone(bone_list *l, uint32_t index, uint32_t bone);
void      append_bone(bone_list *l, uint32_t bone);
uint32_t  remove_first(bone_list *l);

/* Computes the distances over the skin from a point to all points. */
void      skin_distances(const body *b, uint32_t from, double *distances);
/* Computes the distance of each bone along the shortest path from the nearest bone of `from`. `previous`
   gets the previous bone on this path, or NONE for a bone of `from` and a bone that no path reaches. */
void      bone_distances(const body *b, const bone_list *from, double distances[MOST_BONES],
                         uint32_t previous[MOST_BONES]);
/* Returns the path that `previous` describes, from its start to `bone`. */
bone_list path_to(const uint32_t *previous, uint32_t bone);

/* -- Measures ---------------------------------------------------------------------------------- */

void      begin_body(body *b, const motion *m, rig *r);
void      end_body(body *b);
void      measure_ground_heights(body *b);
/* Returns the weighted mean of `numbers` [point_count] over the points of a bone. */
double    mean_over_bone(const body *b, uint32_t bone, const double *numbers);
/* Returns the frame after the last frame of the animation that begins at `first`. */
uint32_t  anim_end(const motion *m, uint32_t first);
bool      is_gait(const char *anim);
/* Returns the bone with the largest weight. */
uint32_t  heaviest_bone(const body *b, uint32_t point);
bool      rests_on_ground(const body *b, uint32_t point);

/* Return positions along the axes of the model. `joint` is a rest position, which moves with the bone. */
vec3      position_in_frame(const body *b, uint32_t point, uint32_t frame);
vec3      joint_in_frame(const body *b, uint32_t bone, vec3 joint, uint32_t frame);
vec3      center_in_frame(const body *b, uint32_t bone, uint32_t frame);

/* -- The body ---------------------------------------------------------------------------------- */

/* Finds a body whose up axis is axes.z, and its heading. Returns false and sets b->reason if the model
   is not a humanoid. */
bool      find_body(body *b, mat3 axes);
/* Computes the fields of a limb from its chain and its root. */
void      measure_limb(const body *b, limb *l);
/* Returns the horizontal unit vector from the right hip joint to the left hip joint. */
vec3      left_direction(const body *b, uint32_t frame);
void      find_arms(body *b);

enum { LIMB_PARTS = 3 };

/* Finds the bones of the three parts of both limbs. If there is no bone for a part, splits a bone. Sets
   NONE if that bone cannot be split. */
void      divide_limbs(body *b, limb limbs[SIDES], bool is_leg, uint32_t parts[SIDES][LIMB_PARTS]);
/* Splits a chest off the hips if both arms are attached to the hips, or if no bone is between hips and head. */
void      add_missing_chest(body *b);

#endif /* BODY_H_INCLUDED */
