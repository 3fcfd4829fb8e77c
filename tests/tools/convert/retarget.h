/* retarget.h - the steps of retarget_anims.c. Public domain.

   The target is the scene that gets animations, the source is the scene that has them. */
#ifndef RETARGET_H_INCLUDED
#define RETARGET_H_INCLUDED

#include "from_scene.h"
#include "humanoid.h"

typedef enum retarget_method { SAME_BONES, HUMANOIDS, SAME_NAMES } retarget_method;

typedef struct skeleton {             /* of the target or of the source */
    scene      *s;
    const char *path;
    bool       *is_joint;             /* [node_count] */
    uint32_t    bones[ROLE_COUNT];    /* the nodes of a humanoid; NO_BONE = not found */
    uint32_t   *carriers;             /* [node_count] see find_carriers */

    /* For the methods that compare poses: */
    matrix     *bind;                 /* [node_count] the reference pose, in the world */
    vec3        up;
    double      leg_length;
} skeleton;

typedef struct retargeting {
    const convert_request *request;
    skeleton   target, source;
    retarget_method method;
    uint32_t  *source_of;             /* [target node_count] the match; or NO_INDEX */
    uint32_t  *target_of;             /* [source node_count] */
    bool      *is_moved;              /* [source node_count] by any of its animations */
    uint32_t   joint_count;           /* of the target */
    uint32_t   moved_count;           /* joints of the target whose match is moved */
    uint32_t  *order;                 /* [target node_count] carriers first */
    matrix    *rest;                  /* [target node_count] the rest pose, relative to the carrier */
    mat3       heading;               /* rotation from the world of the source to the world of the target */
    double     ratio;                 /* length of the target's bones / length of the source's bones */
    double     floor;                 /* height of the ground of the source's animations, above the ground
                                         of its canonical pose */
    double     ground;                /* height of the target's lowest vertex in the rest pose */
} retargeting;

typedef struct foot {                 /* a foot of the target in a frame; vectors in the world */
    vec3   leg;                       /* from the hip joint to the ankle */
    vec3   offset;                    /* horizontal, from the ankle to the source's ankle */
    bool   rests;                     /* the foot of the source is near the ground */
    mat3   rotation;                  /* of the whole leg */
} foot;

typedef struct frame {                /* of an animation of the target */
    double time;
    foot   feet[SIDES];
    double lift;                      /* of the whole body */
} frame;

/* Transforms a point (w = 1) or a direction (w = 0). */
static inline vec3 transformed(const matrix *m, vec3 v, double w)
{
    double p[3] = { v.x, v.y, v.z };
    transform(m, p, w, p);
    return make_vec3(p[0], p[1], p[2]);
}

static inline vec3 position_of(const matrix *m)
{
    return make_vec3(m->m[0][3], m->m[1][3], m->m[2][3]);
}

/* Poses the source at the time of a frame, and the target like the source (retarget_anims.c). */
void pose_frame(retargeting *r, const scene_anim *from, const frame *f);

/* -- Matches (match_bones.c) ------------------------------------------------------------------- */

/* Chooses the method and matches the nodes of target and source. Returns false and reports the reason if no
   method is possible. */
bool match_bones(retargeting *r);
void free_retargeting(retargeting *r);

/* Returns true if a node of the target has a match that an animation moves. */
bool is_match_moved(const retargeting *r, uint32_t node);
/* A bone is the line from a parent to its child. Returns true if a node of the target is the child of a bone, and its
   match is, too. */
bool has_matched_bone(const retargeting *r, uint32_t node);
bool has_joint_name(const scene_node *n);
bool is_node_above(const scene *s, uint32_t above, uint32_t node);
/* Returns an array [node_count] that is true for joints: the nodes of skins or, if the scene has no skins, all nodes
   with names. */
bool *list_joints(const scene *s);
/* Returns the diagonal of the box around the joints in the current pose. */
double skeleton_size(const scene *s, const bool *is_joint);

/* -- Reference poses (reference_poses.c) ------------------------------------------------------- */

/* Sets `bind` of both skeletons, the heading and the ratio. For humanoids, both are in the canonical pose. */
void find_reference_poses(retargeting *r);
/* Returns true if a skin has a bind pose. A file without a bind pose only has its rest pose. */
bool has_bind_pose(const scene *s);
mat3 rotation_of(const matrix *world);

/* -- Feet on the ground (ground.c) ------------------------------------------------------------- */

/* Sets r->floor and r->ground. */
void find_floor(retargeting *r);
/* Rotates the legs in all frames, so that the feet do not slide while they rest. */
void keep_feet(retargeting *r, const scene_anim *from, frame *frames, uint32_t count);
/* Lifts or lowers the body in each frame until it is as far above the ground as the source. */
void put_on_ground(retargeting *r, const scene_anim *from, frame *frames, uint32_t count);

/* -- Root motion (root_motion.c) --------------------------------------------------------------- */

/* Shifts an animation horizontally, until the hips begin at their rest position. If `hips` is NO_INDEX, the first node
   with a translation counts instead. A distance below `least` is part of the pose, so it stays. */
void begin_at_rest(scene *s, scene_anim *anim, uint32_t hips, vec3 up, double least);
/* Moves the steady part of the hips' horizontal movement to a joint above the hips, so that md5.h finds it as root
   motion. */
void move_root_motion_to(scene *s, scene_anim *anim, uint32_t root, uint32_t hips, vec3 up);

/* -- Messages (retarget_notes.c) --------------------------------------------------------------- */

void note_method(const retargeting *r);
/* Reports why the source cannot move the target, and returns false. */
bool refuse_source(const retargeting *r);

#endif /* RETARGET_H_INCLUDED */
