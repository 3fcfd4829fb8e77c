/* bones.h - finds a skeleton in points that move. Public domain.

   What goes in are the points of an MD2 in all of its frames; what comes out is a tree of bones,
   the weights of each point, and where each bone is in each frame. Three steps, a file for each:

     fit_bones.c    which points move as one, and how: bones without a tree, and weights
     name_bones.c   which of them are hips, chest, head and limbs, if the model is a man
     hang_bones.c   the tree: a bone turns about a joint that its parent carries

   bone_math.c has the vectors and turns. skeleton_of_md2.c makes files of it. */
#ifndef BONES_H_INCLUDED
#define BONES_H_INCLUDED

#include "bone_math.h"

enum { MOST_BONES = 64, MOST_BONE_WEIGHTS = 4, BONE_NAME_ROOM = 24 };

typedef struct motion {               /* what is given */
    uint32_t     point_count, frame_count, corner_count;
    vec3        *at;                  /* [point_count][frame_count] */
    uint32_t    *corners;             /* three points of each triangle */
    double       step;                /* of the file's bytes: its root mean square */
    const char **anim_names;          /* [frame_count] of the animation that it is in, or "" */
    uint32_t    *before, *after;      /* [frame_count] neighbours in the animation; at its ends, the
                                         frame itself */
    void       (*tell)(double done);  /* how far the work is, from 0 to 1; or NULL */
} motion;

typedef struct move {                 /* takes a point from where it rests to where it is */
    mat3 turn;
    vec3 shift;
} move;

typedef struct point_weights {        /* they sum to 1; the heaviest is first */
    uint32_t count, bone[MOST_BONE_WEIGHTS];
    double   weight[MOST_BONE_WEIGHTS];
} point_weights;

typedef struct rig {                  /* what is found */
    uint32_t       bone_count;
    vec3          *rest;              /* [point_count] where the points are if no bone moves */
    point_weights *weights;           /* [point_count] */
    move          *moves;             /* [MOST_BONES][frame_count] */
    vec3          *posed;             /* [point_count][frame_count] where the bones have them */

    /* The tree. Parents come before their children; -1 is the root's. */
    int32_t        parents[MOST_BONES];
    vec3           joints[MOST_BONES]; /* about which a bone turns, among the points at rest */
    bool           slides[MOST_BONES]; /* it does not keep to its joint */
    char           names[MOST_BONES][BONE_NAME_ROOM];
} rig;

void find_bones(const motion *m, rig *r);
void free_rig(rig *r);

/* -- Rigs -------------------------------------------------------------------------------------- */

#define NO_PARENT_YET (-2)

void allocate_rig(const motion *m, rig *r); /* points rest where the first frame has them */
/* The bones become those of `order`, in that order. */
void renumber_bones(const motion *m, rig *r, const uint32_t *order, uint32_t count);
void give_point(rig *r, uint32_t point, uint32_t bone); /* to it alone */

static inline vec3 moved(const move *by, vec3 place)
{
    return add(turned(by->turn, place), by->shift);
}

static inline move *moves_of(const motion *m, const rig *r, uint32_t bone)
{
    return r->moves + (size_t)bone * m->frame_count;
}

double weight_of(const point_weights *w, uint32_t bone);
double mass_of(const motion *m, const rig *r, uint32_t bone); /* sum of its weights */
double point_error(const motion *m, const rig *r, uint32_t point); /* the sum of its squares */
double error_of(const motion *m, const rig *r);

/* A number that is put into a file must save so many times what rounding a coordinate to bytes
   costs, as a square, or it describes the rounding. One price for all models. */
#define PRICE_OF_NUMBER 10

double noise_of(const motion *m);     /* of a coordinate, as a square */

/* -- The steps --------------------------------------------------------------------------------- */

void tell_progress(const motion *m, double done);

typedef struct neighbours {           /* the points near to each point, whatever the frame */
    uint32_t  room;
    uint32_t *points;                 /* [point_count][room], the nearest first, itself included */
    float    *distances;              /* [point_count][room] the greatest of any frame */
} neighbours;

neighbours find_neighbours(const motion *m);
void       free_neighbours(neighbours *n);

void fit_bones(const motion *m, const neighbours *n, rig *r);
/* Each for what the others are. */
void weigh_points(const motion *m, const neighbours *n, rig *r);
void rest_points(const motion *m, rig *r);
void move_bones(const motion *m, rig *r);
void pose_points(const motion *m, rig *r);

/* What two bones would have as a joint. */
typedef struct pair_joint {
    bool   is_there;
    vec3   place;
    double misfit;                    /* how far apart both carry it: root mean square */
    double gap;                       /* between their points; 0 where some have weights of both */
    double shared;                    /* sum of the products of the weights */
    double away;                      /* from where the weights meet */
} pair_joint;

pair_joint find_pair_joint(const motion *m, const rig *r, uint32_t a, uint32_t b);

/* Names bones and sets parents[bone] of those whose place in the tree their names tell. The others
   have NO_PARENT_YET, and the name ""; so have all if it is no man. */
void name_bones(const motion *m, rig *r);

void hang_bones(const motion *m, const neighbours *n, rig *r);

#endif /* BONES_H_INCLUDED */
