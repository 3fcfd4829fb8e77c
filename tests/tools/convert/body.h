/* body.h - finds the trunk and the limbs of a humanoid among bones. For name_bones.c only. Public
   domain.

     measure_body.c   heights, and distances over the skin and from bone to bone
     find_trunk.c     the heading, the feet, the head and the hips
     find_limbs.c     legs and arms, and their joints
     name_bones.c     names and parents

   Neither distances over the skin nor the symmetry of the body depend on the pose:

     feet    two bones that rest on the ground, far apart over the skin, and in most models swing in
             opposite phase during a run. Several pairs are tried until a pair has a whole body.
     sides   A point's side is the difference of its distances to both feet. The difference is the
             same for the trunk, the head and the arms, because their paths meet in the hips.
     trunk   The head is high and in the middle. The hips are the bone in the middle that is nearest
             to the head and both feet. The trunk is the path from the hips to the head.
     arms    Among the paths from the trunk to the farthest tips of the skin, the arms are the two
             that are long, in front of the chest and alike.
     joints  A limb is divided near the usual places of its joints, both sides alike. If no bone was
             found for a part (a hand that never bends, a chest that moves with the hips), the
             nearest bone is split. */
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

/* All constants, and what fails at half and at twice the value: measured with 63 models, of which 35
   get all names. "Worse" means that parts of the body get wrong names or helpers move to another bone.

     constant         value  at half                        at twice
     on_ground        0.06   ForgottenOne, fonz: no names   dragonknight: names; marine, knight worse
     least_apart      0.7    nothing (0: cobra gets names)  30 models: no names
     in_middle        0.13   fonz: no arms                  civi: no names
     least_head_mass  0.02   bird worse (0: jorg, too)      infantry: no arms; drfreak: names
     usual_head_mass  0.05   cringe worse                   infantry: no arms
     most_lean        1.7    chimp, jorg: no names          beetle_bot, a quadruped: names
     least_alike      0.65   ostrich, with a rider: names   all models: no names
     misfit_factor    4      ostrich: names; purgator worse frog: names; doomguy worse
     gap_factor       1.3    no model ends (below 1)        knight: no names; wolf worse
     gap_slack        5      assassin, drdoom worse         wolf, starscream worse
     forward_factor   2      assassin worse                 CyberDemon: a wrong arm
     least_out        0.03   bird: wrong arms (0: others)   nothing
     middle_joint     0.42   CyberDemon: no names           35 models: other knees and elbows
     ankle            0.82   starscream worse               16 models: no feet
     wrist            0.75   26 models: other hands         35 models: no hands
     most_offset      0.25   CyberDemon: no names           ostrich: names; baron worse
     most_split       0.6    Witchblade: no hands           Witchblade: no forearms
     chest_height     0.4    starscream worse               homersimpson: no chest

   Lengths are fractions of the model's height unless the comment says otherwise. */
static const double on_ground = 0.06;      /* height of the sole of a foot */
static const double least_apart = 0.7;     /* distance of the soles over the skin */
static const double in_middle = 0.13;      /* side of the trunk; 1 is a foot */
static const double least_head_mass = 0.02; /* fraction of the points: a plume is lighter */
static const double usual_head_mass = 0.05; /* fraction of the points: a heavier head is not better */
static const double most_lean = 1.7;       /* horizontal to vertical distance, head to hips */
static const double least_alike = 0.65;    /* length of the shorter leg, fraction of the longer leg */
static const double misfit_factor = 4;     /* a link between bones is longer by so many misfits */
static const double gap_factor = 1.3;      /* gaps between pieces up to so many least gaps are linked */
static const double gap_slack = 5;         /* quantization steps that are added to these gaps */
static const double forward_factor = 2;    /* weight of an arm's distance in front of its root */
static const double least_out = 0.03;      /* distance of an arm to the side of its root */
static const double middle_joint = 0.42;   /* usual position of knee and elbow, fraction of the limb */
static const double ankle = 0.82, wrist = 0.75; /* usual position, fraction of the limb */
static const double most_offset = 0.25;    /* of a joint from its usual position, fraction of the limb */
static const double most_split = 0.6;      /* fraction of a bone's length that a hand or a foot gets */
static const double chest_height = 0.4;    /* lower end of the chest in split hips, fraction of the way up */

typedef struct bone_list {
    uint32_t count, bone[MOST_BONES];
} bone_list;

typedef struct net_link {             /* between two points or two bones */
    uint32_t a, b;
    double   length;
} net_link;

typedef struct net {
    uint32_t  count, room;
    net_link *links;
} net;

typedef struct frame_list {
    uint32_t count, *frames;
} frame_list;

typedef struct limb {
    bone_list chain;                  /* from the trunk to the tip */
    uint32_t  root;                   /* the bone of the trunk that carries it */
    vec3      tip;                    /* rest position of the point farthest from the last joint */
    vec3      joints[MOST_BONES];     /* rest positions of the joints above the bones */
    double    to_tip[MOST_BONES + 1]; /* from these joints to the tip, along the limb */
    uint32_t  first_on_ground;        /* index in the chain; its count if no bone is on the ground */
} limb;

typedef struct body {
    const motion *m;
    rig          *r;
    const char   *missing;            /* why the body is not a humanoid */
    frame_list    stand, gait;
    net           skin, bones;
    vec3          centers[MOST_BONES]; /* of the points at rest */
    double        height;
    double       *levels;             /* [point_count] height above the ground in `stand` */

    uint32_t      feet[SIDES], head;
    double        swing;              /* correlation of the positions of the feet in a gait */
    double       *to_feet[SIDES];     /* [point_count] distance over the skin */
    double        side[MOST_BONES];   /* 1 at the left foot, -1 at the right foot */
    bone_list     trunk;              /* from the hips to the head */
    limb          legs[SIDES], arms[SIDES];
    bool          has_arms;
} body;

/* -- Lists and paths --------------------------------------------------------------------------- */

/* Returns the index of a bone; the count if the list does not have it. */
uint32_t  index_in(const bone_list *l, uint32_t bone);
bool      has_bone(const bone_list *l, uint32_t bone);
void      insert_bone(bone_list *l, uint32_t index, uint32_t bone);
void      append_bone(bone_list *l, uint32_t bone);
uint32_t  remove_first(bone_list *l);

void      skin_distances(const body *b, uint32_t from, double *distances);
/* `before` gets the next bone on the path to the nearest bone of `from`, or NONE. */
void      bone_distances(const body *b, const bone_list *from, double distances[MOST_BONES],
                         uint32_t before[MOST_BONES]);
/* Returns the bones of a path, from its start to `bone`. */
bone_list path_to(const uint32_t *before, uint32_t bone);

/* -- Measures ---------------------------------------------------------------------------------- */

void      begin_body(body *b, const motion *m, rig *r);
void      end_body(body *b);
void      measure_levels(body *b);
/* Returns the mean of a number of each point over the points of a bone. */
double    mean_over_bone(const body *b, uint32_t bone, const double *numbers);
/* Returns the end of the animation that begins at a frame. */
uint32_t  anim_end(const motion *m, uint32_t first);
bool      is_gait(const char *anim);
/* Returns the bone with the largest weight. */
uint32_t  heaviest_bone(const body *b, uint32_t point);
bool      rests_on_ground(const body *b, uint32_t point);

/* Return positions along the axes of the model. A bone carries its joint, which is given at rest. */
vec3      position_in_frame(const body *b, uint32_t point, uint32_t frame);
vec3      joint_in_frame(const body *b, uint32_t bone, vec3 joint, uint32_t frame);
vec3      center_in_frame(const body *b, uint32_t bone, uint32_t frame);
/* Returns the mean position of a bone relative to another. */
vec3      mean_offset(const body *b, uint32_t bone, uint32_t from, const frame_list *frames);

/* -- The body ---------------------------------------------------------------------------------- */

/* Finds a body whose up axis is axes.z, and its heading. Returns false and sets b->missing if the
   model is not a humanoid. */
bool      find_body(body *b, mat3 axes);
/* Finds legs->joints and other measures of a limb whose chain is known. */
void      measure_limb(const body *b, limb *l);
/* Returns the horizontal unit vector from the right hip joint to the left one. */
vec3      left_in_frame(const body *b, uint32_t frame);
void      find_arms(body *b);

/* Returns whether bones were found for both shins. */
bool      has_knees(const body *b);

enum { LIMB_PARTS = 3 };

/* Sets the bones of the three parts of both limbs. Splits bones if no bone was found for a part. Sets
   NONE if a bone cannot be split. */
void      divide_limbs(body *b, limb limbs[SIDES], bool is_leg, uint32_t parts[SIDES][LIMB_PARTS]);
/* Splits the hips if they carry both arms, or if nothing is between them and the head. */
void      complete_trunk(body *b);

#endif /* BODY_H_INCLUDED */
