/* skeleton_of_md2.h - finds the skeleton of an MD2. Public domain.

     skeleton_input.c    the points and frames of the MD2, as a motion for bones.h
     skeleton_errors.c   measures the errors of the written files, and finds frames that do not fit
     skeleton_of_md2.c   writes the skeleton, its weapons, skins and animations */
#ifndef SKELETON_OF_MD2_H_INCLUDED
#define SKELETON_OF_MD2_H_INCLUDED

#include "bones.h"
#include "mdconvert.h"

#define INSTEAD "keep the MD2, or make a .glb with shape keys"

/* Larger models would take too long, because the fit compares each point with each other point. */
enum { MOST_POINTS = 8192 };

typedef struct skinned_md2 {          /* an MD2, its skeleton, and the maps between both */
    const md2_model *model;
    const char      *path;
    uint32_t        *points_of;       /* [point_count of the file] number of the point in the motion */
    uint32_t        *files_points;    /* [m.point_count] number of the point in the file */
    bool            *is_kept;         /* [frame_count of the file] true if the motion has the frame */
    uint32_t        *frames_of;       /* [frame_count of the file] number of the frame in the motion */
    uint32_t        *files_frames;    /* [m.frame_count] number of the frame in the file */
    uint32_t         vertex_count;    /* of the MD5: the vertices of the MD2, then the linings' */
    uint32_t        *sources;         /* [vertex_count] the vertex of the MD2 from which each is copied */
    uint32_t        *indices;         /* [index_count of the file] vertices of the MD5 */
    motion           m;
    rig              r;
} skinned_md2;

/* -- Input ------------------------------------------------------------------------------------- */

void begin_skinned_md2(skinned_md2 *s, const md2_model *model, const char *path, bool y_up);
void end_skinned_md2(skinned_md2 *s);
/* Sets the motion from the frames that are kept. */
void set_motion(skinned_md2 *s, bool y_up);

vec3        position_of(const skinned_md2 *s, uint32_t point, uint32_t frame);
const char *name_of_frame(const skinned_md2 *s, uint32_t frame);
int         compare_doubles(const void *a, const void *b);

/* Returns false and reports an error if the model has no triangles or too many points. */
bool has_points(const skinned_md2 *s);
/* Leaves out the marked frames of the motion, unless more than a quarter of the file's frames would be
   left out. Returns true if a frame was left out. */
bool leave_out(const convert_request *request, skinned_md2 *s, const bool *is_bad);
/* Leaves out frames in which the body shrinks, which bones cannot do. */
void leave_out_shrunk(const convert_request *request, skinned_md2 *s);
/* Prints the names of the frames that are left out. For frames in a row, prints the first and the last. */
void print_left_out(const skinned_md2 *s);

/* -- Errors ------------------------------------------------------------------------------------ */

/* Sets the quantization steps of a frame along the axes of the motion, at least a tenth of the mean
   step: a flat frame, for example of a closed book, has a step of 0 in one direction. */
void set_steps(const convert_request *request, const skinned_md2 *s, uint32_t frame, double steps[3]);
/* Leaves out the frames that the bones do not fit. Returns true if another fit is worth trying. */
bool leave_out_misfits(const convert_request *request, skinned_md2 *s);
/* Prints the errors of the written texts. Returns true if the errors are small enough, or with --anyway. */
bool check_text_errors(const convert_request *request, const skinned_md2 *s, const outputs *texts);

#endif /* SKELETON_OF_MD2_H_INCLUDED */
