/* from_scene.h - functions that the conversions from a scene share. Public domain. */
#ifndef FROM_SCENE_H_INCLUDED
#define FROM_SCENE_H_INCLUDED

#include "mdconvert.h"
#include "names.h"
#include "scene.h"

#include "../viewer/folder.h"

/* -- The scene (open_scene.c) ------------------------------------------------------------------ */

/* Returns the scene of request->model, rotated by --turn, with the animations of all input files.
   Returns NULL and reports an error if a file cannot be read. */
scene    *open_scene(const convert_request *request);
scene    *read_scene(const char *path, bool needs_triangles); /* one file */
/* Adds the animations of another scene (retarget_anims.c). Returns false and reports an error if
   the two skeletons have nothing in common. May change the source's tracks. */
bool      retarget_anims(const convert_request *request, scene *target, const char *target_path,
                         scene *source, const char *source_path);
/* Removes the steady part of the root's horizontal movement (retarget_anims.c). */
void      keep_in_place(const convert_request *request, scene *s, scene_anim *anim,
                        const double up[3]);
/* Adds the animations of request->sources (anim_sources.c). */
bool      add_sources(const convert_request *request, scene *target);
double    units_per_meter(const convert_request *request);
/* Returns the triangles in the current pose, clockwise from outside, also if nodes mirror them. */
uint32_t *list_clockwise(const scene *s, const scene_instance *in);

/* -- Animations (anim_names.c) ----------------------------------------------------------------- */

/* Returns [anim_count] unique names that can be file names. */
char **name_anims(const scene *s);
void   free_names(char **names, uint32_t count);
/* Returns a name for a new animation of a scene: its own name, preceded by the stem of its file if
   the scene already has an animation of that name. Free it. */
char  *name_source_anim(const scene *s, const char *name, const char *stem);
/* Returns the frame rate at which each key falls on a frame, or so close to one that no peak is
   lost. */
double find_rate(const scene_anim *anim);

/* -- Pictures of the materials (paint.c) ------------------------------------------------------- */

typedef struct paint {                /* a picture */
    char    *shader;                  /* name of the material in an MD5 */
    char    *name;                    /* file name without extension */
    char     extension[8];
    blob     file;                    /* empty = there is no file, and nothing is drawn in its
                                         place */
    uint32_t width, height;           /* of the picture, even if its file is missing; 0 = unknown */
    bool     is_see_through;          /* has transparent pixels, which options.cut_out does not
                                         draw */
} paint;

typedef struct paints {
    paint   *list;
    uint32_t count, room;
    name_table names;
} paints;

/* Sets part->paint of all visible parts, and their texture coordinates. */
paints paint_scene(scene *s);
/* Combines all pictures into one and adapts the texture coordinates. */
void   pack_paints(scene *s, paints *p);
void   add_paint_files(const convert_request *request, const paints *p, outputs *o);
void   free_paints(paints *p);

#endif /* FROM_SCENE_H_INCLUDED */
