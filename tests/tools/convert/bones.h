/* bones.h - finds a skeleton from the positions of points in all frames. Public domain.

   The input is the positions of an MD2's points in all frames. The output is a tree of bones, the
   weights of each point, and the transform of each bone in each frame. Each step has a file:

     fit_bones.c         finds sets of points that move rigidly: bones without a tree, and weights
     name_bones.c        names the hips, chest, head and limbs of a humanoid, which body.h finds
     build_hierarchy.c   builds the tree: a bone rotates about a joint that moves with its parent
     between_frames.c    chooses parents and joints that are also right between two frames
     fit_weapon.c        finds the joint that holds a weapon, or separate bones for the weapon
     bind_pose.c         chooses the bind pose: a T-pose for humanoids

   bone_math.c has vectors and rotations. skeleton_of_md2.c writes the skeleton to files. */
#ifndef BONES_H_INCLUDED
#define BONES_H_INCLUDED

#include "bone_math.h"

/* The fit finds at most MOST_FITTED_BONES, so that there is room for bones that are split, and for the
   bones of weapons. */
enum { MOST_FITTED_BONES = 64, MOST_BONES = 160, MOST_BONE_WEIGHTS = 4, BONE_NAME_ROOM = 32 };

typedef struct motion {               /* the input */
    uint32_t     point_count, frame_count, corner_count;
    vec3        *positions;           /* [point_count][frame_count] */
    uint32_t    *corners;             /* three points of each triangle */
    double       step;                /* size of a quantization step, root mean square */
    vec3        *steps;               /* [frame_count] along each axis; only for weapons */
    const char **anim_names;          /* [frame_count] the animation of the frame, or "" */
    uint32_t    *after;               /* [frame_count] the next frame of the animation; at its end,
                                         the first frame if it loops, or else the frame itself */
    void       (*report)(double done); /* gets the progress, from 0 to 1; or NULL */
} motion;

typedef struct rigid_transform {      /* from the rest position to the position in a frame */
    mat3 rotation;
    vec3 translation;
} rigid_transform;

typedef struct point_weights {        /* the weights add up to 1; the largest is first */
    uint32_t count, bone[MOST_BONE_WEIGHTS];
    double   weight[MOST_BONE_WEIGHTS];
} point_weights;

typedef struct rig {                  /* the output */
    uint32_t         bone_count;
    vec3            *rest;            /* [point_count] positions that the bones transform */
    point_weights   *weights;         /* [point_count] */
    rigid_transform *transforms;      /* [MOST_BONES][frame_count] */
    vec3            *posed;           /* [point_count][frame_count] positions given by the bones */

    /* The tree. Parents come before their children; the root's parent is -1. */
    int32_t          parents[MOST_BONES];
    vec3             joints[MOST_BONES]; /* center of a bone's rotation, relative to `rest` */
    bool             slides[MOST_BONES]; /* the bone also moves relative to its joint */
    char             names[MOST_BONES][BONE_NAME_ROOM];
    rigid_transform  bind[MOST_BONES]; /* from the rest position to the bind pose */
    mat3             axes;            /* columns: forward, left and up of the model */
    const char      *unnamed;         /* which names are missing, and why; or NULL */
} rig;

void find_bones(const motion *m, rig *r);
void free_rig(rig *r);

/* -- Rigs -------------------------------------------------------------------------------------- */

#define NO_PARENT_YET (-2)

/* Allocates a rig without bones. The rest positions are the positions in the first frame. */
void allocate_rig(const motion *m, rig *r);
/* Keeps only the bones listed in `order` and renumbers them in that order. */
void renumber_bones(const motion *m, rig *r, const uint32_t *order, uint32_t count);
/* Gives a point the weight 1 for one bone. */
void assign_point(rig *r, uint32_t point, uint32_t bone);

static inline vec3 transform_point(const rigid_transform *t, vec3 point)
{
    return add(rotate(t->rotation, point), t->translation);
}

static inline rigid_transform *transforms_of(const motion *m, const rig *r, uint32_t bone)
{
    return r->transforms + (size_t)bone * m->frame_count;
}

double weight_of(const point_weights *w, uint32_t bone);
/* Returns the sum of a bone's weights. */
double mass_of(const motion *m, const rig *r, uint32_t bone);
/* Returns the weighted mean of the rest positions of a bone's points. */
vec3   center_of(const motion *m, const rig *r, uint32_t bone);
/* Returns the diagonal of the box around all points at rest. */
double size_of_rest(const motion *m, const rig *r);
/* Return the squared distances of a point (or of all points) from the positions in the file, summed over all frames. */
double point_error(const motion *m, const rig *r, uint32_t point);
double error_of(const motion *m, const rig *r);

/* Each number in the file must save this many times the squared error that rounding a coordinate to
   a byte causes. A number that saves less would only describe rounding errors. The cost is the same
   for all models. */
#define COST_OF_NUMBER 10

/* Returns the mean squared error that rounding causes in a coordinate. */
double noise_of(const motion *m);

/* -- Steps ------------------------------------------------------------------------------------- */

void report_progress(const motion *m, double done);

typedef struct neighbors {            /* for each point, the points that are near it in all frames */
    uint32_t  room;
    uint32_t *points;                 /* [point_count][room] nearest first; the first is the point itself */
    float    *distances;              /* [point_count][room] largest distance in any frame */
} neighbors;

neighbors find_neighbors(const motion *m);
void      free_neighbors(neighbors *n);

void fit_bones(const motion *m, const neighbors *n, rig *r);
/* Recompute the weights (or rest positions, or transforms) while the other two stay fixed. */
void update_weights(const motion *m, const neighbors *n, rig *r);
void update_rest_positions(const motion *m, rig *r);
void update_transforms(const motion *m, rig *r);
/* Recomputes r->posed. */
void pose_points(const motion *m, rig *r);

typedef struct pair_joint {           /* the joint that two bones would have */
    bool   is_there;
    vec3   position, meeting;         /* of the joint; where the points of both bones meet */
    double misfit;                    /* distance between the positions to which both move it, RMS */
    double gap;                       /* distance between the bones' points; 0 if they share points */
    double shared;                    /* sum of the products of the weights */
    double away;                      /* distance of the joint from `meeting` */
} pair_joint;

pair_joint find_pair_joint(const motion *m, const rig *r, uint32_t a, uint32_t b);

/* Finds the axes, names bones and sets parents[bone] of each bone whose parent is known from its
   name. Other bones keep NO_PARENT_YET and the name "". No bone gets a name if the model is not a
   humanoid. */
void name_bones(const motion *m, rig *r);
/* Returns a number of 16 bits that is the same for the same mesh, whatever its size and heading. */
uint32_t tag_of_mesh(const motion *m);

void build_hierarchy(const motion *m, const neighbors *n, rig *r);
/* Chooses the parent of a bone among its ancestors, up to the nearest limb, and its joint: the present
   joint or, if the bone is not a limb, the middle of its points. Returns the sum of the squared errors
   halfway between frames. */
double attach_bone(const motion *m, rig *r, uint32_t bone);
/* Chooses the parents and the joints of the bones that slide, so that no points fly off between two
   frames. Does not change the positions in the frames. */
void attach_sliding_bones(const motion *m, rig *r);
/* Adds a steady joint, which never rotates, above each bone from `first` on that does not follow its
   parent between two frames. Bones after it get other numbers. */
void add_steady_joints(const motion *m, rig *r, uint32_t first);
void choose_bind_pose(const motion *m, rig *r);
/* Returns true if the frame shows what a player does most of the time: standing, running or attacking. */
bool is_typical_frame(const motion *m, uint32_t frame);
/* Returns true if a bone is a part of the body with a name, or the ancestor of such a part, such as a
   shoulder blade. Other bones are helpers, such as "head_helper_3f9a", or have no name yet. */
bool is_limb(const rig *r, uint32_t bone);

/* -- Weapons ----------------------------------------------------------------------------------- */

typedef struct weapon_fit {
    uint32_t joint;                   /* the bone of the model that holds the weapon */
    double   nine_of_ten, distance;   /* largest error of `joint` in nine of ten frames; quantization
                                         steps, units */
    uint32_t bone_count;              /* number of separate bones, the last bones of the model; or 0 */
    double   off;                     /* RMS error with these bones; quantization steps */
} weapon_fit;

/* Finds the joint of a model that holds a weapon. If no joint does, adds bones of the weapon to the
   model. `weapon` has the first frames of `m`. Sets `held`: weights and rest positions of the
   weapon's points, as points of the model. Returns false if there are too many bones. */
bool fit_weapon(const motion *m, rig *r, const motion *weapon, rig *held, weapon_fit *fit);

/* -- Between frames ---------------------------------------------------------------------------- */

/* Returns the rotation of a joint away from its axes in the bind pose, and its position, both relative
   to the parent, as an animation stores them for each frame. */
rigid_transform local_pose(const motion *m, const rig *r, uint32_t bone, uint32_t frame);

/* Halfway between two frames, a point may be away from the middle of its two positions by half the
   distance between them, because it may rotate. The error is the distance beyond that. */
typedef struct halfway_errors {
    double   nearly_all, farthest;    /* error that 99 % do not exceed, largest error; quantization steps */
    uint32_t point, frame;            /* the point with the largest error, between `frame` and the next */
} halfway_errors;

halfway_errors find_halfway_errors(const motion *m, const rig *r);

#endif /* BONES_H_INCLUDED */
