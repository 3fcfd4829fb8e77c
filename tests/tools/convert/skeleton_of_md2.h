/* skeleton_of_md2.h - what the files that find the skeleton of an MD2 share. Public domain.

     skeleton_input.c    the points and frames of the MD2, as a motion for bones.h
     skeleton_errors.c   how far the written files are from the MD2, and the frames that do not fit
     skeleton_of_md2.c   writes the skeleton, its weapons, skins and animations */
#ifndef SKELETON_OF_MD2_H_INCLUDED
#define SKELETON_OF_MD2_H_INCLUDED

#include "bones.h"
#include "mdconvert.h"

#define INSTEAD "keep the MD2, or make a .glb with shape keys"

/* The fit compares each point with each other point. */
enum { MOST_POINTS = 8192 };

typedef struct subject {              /* a model whose skeleton is found */
    const md2_model *model;
    const char      *path;
    uint32_t        *points_of;       /* [point_count of the file] number of the point in the motion */
    uint32_t        *files_points;    /* [m.point_count] number of the point in the file */
    bool            *is_kept;         /* [frame_count of the file] whether the motion has the frame */
    uint32_t        *frames_of;       /* [frame_count of the file] number of the frame in the motion */
    uint32_t        *files_frames;    /* [m.frame_count] number of the frame in the file */
    uint32_t         vertex_count;    /* of the MD5: the vertices of the MD2, then the linings' */
    uint32_t        *sources;         /* [vertex_count] the vertex of the MD2 that each one copies */
    uint32_t        *indices;         /* [index_count of the file] vertices of the MD5 */
    motion           m;
    rig              r;
} subject;

/* -- Input ------------------------------------------------------------------------------------- */

void begin_subject(subject *s, const md2_model *model, const char *path, bool y_up);
void end_subject(subject *s);
/* Sets the motion from the frames that are kept. */
void set_motion(subject *s, bool y_up);

vec3        position_of(const subject *s, uint32_t point, uint32_t frame);
const char *name_of_frame(const subject *s, uint32_t frame);
int         compare_doubles(const void *a, const void *b);

/* Returns false and reports an error if the model has no triangles or too many points. */
bool has_points(const subject *s);
/* Leaves out the marked frames of the motion, unless more than a quarter of the file's frames would be
   left out. Returns whether any was left out. */
bool leave_out(const convert_request *request, subject *s, const bool *is_bad);
void leave_out_shrunk(const convert_request *request, subject *s);
/* Prints the names of the frames that are left out: of several in a row, the first and the last. */
void print_left_out(const subject *s);

/* -- Errors ------------------------------------------------------------------------------------ */

/* Sets the quantization steps of a frame along the axes of the motion. A flat frame, for example of a
   closed book, has steps of 0 in one direction: distances in it count in a tenth of the mean step. */
void set_steps(const convert_request *request, const subject *s, uint32_t frame, double steps[3]);
/* Leaves out the frames that the bones do not fit. Returns whether another fit is worth trying. */
bool leave_out_misfits(const convert_request *request, subject *s);
/* Prints how far the texts are from the MD2. Returns whether they are near enough, or whether the
   request accepts any. */
bool judge_texts(const convert_request *request, const subject *s, const outputs *texts);

#endif /* SKELETON_OF_MD2_H_INCLUDED */
