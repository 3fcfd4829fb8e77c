/* from_scene.h - what both ways out of a scene need. Public domain. */
#ifndef FROM_SCENE_H_INCLUDED
#define FROM_SCENE_H_INCLUDED

#include "mdconvert.h"
#include "names.h"
#include "scene.h"

#include "../viewer/folder.h"

/* -- The scene (open_scene.c) ------------------------------------------------------------------ */

/* That of the job, with the animations of all its files, and turned; NULL, and told why, if there is
   none. */
scene    *open_scene(const job *j);
scene    *read_scene(const char *path, bool needs_triangles); /* one file */
/* Adds the animations of another scene (retarget_anims.c). False, and told, if its skeleton has
   nothing in common with that of the target. May change the source's tracks. */
bool      retarget_anims(const job *j, scene *target, const char *target_path, scene *source,
                         const char *source_path);
/* Removes the steady part of the root's horizontal movement from an animation (retarget_anims.c). */
void      keep_in_place(const job *j, scene *s, scene_anim *anim, const double up[3]);
/* Adds the animations of all sources of the job (anim_sources.c). */
bool      add_sources(const job *j, scene *target);
double    units_per_meter(const job *j);
/* The triangles in the pose of now, clockwise from outside, also where nodes mirror them. */
uint32_t *list_clockwise(const scene *s, const scene_instance *in);

/* -- Animations (anim_names.c) ----------------------------------------------------------------- */

/* [anim_count] names that can be those of files, each of another one in any case. */
char **name_anims(const scene *s);
void   free_names(char **names, uint32_t count);
/* Returns a name for a new animation of a scene: its own, or, if the scene has one of that name, the
   stem of its file in front. Free it. */
char  *name_source_anim(const scene *s, const char *name, const char *stem);
/* Frames a second that have each key in a frame, or so near that no peak is lost. */
double find_rate(const scene_anim *anim);

/* -- What the materials show (paint.c) --------------------------------------------------------- */

typedef struct paint {                /* a picture */
    char    *shader;                  /* the material of an MD5 */
    char    *name;                    /* the file's, without extension */
    char     extension[8];
    blob     file;                    /* empty: there is none, and nothing is drawn in its place */
    uint32_t width, height;           /* of the picture, also of one that is missing; 0 = unknown */
    bool     is_see_through;          /* where cut_out does not draw it */
} paint;

typedef struct paints {
    paint   *list;
    uint32_t count, room;
    name_table names;
} paints;

/* Sets part->paint of all parts that are shown, and their texture coordinates. */
paints paint_scene(scene *s);
/* Makes one picture of all, and moves the texture coordinates into it. */
void   pack_paints(scene *s, paints *p);
void   add_paint_files(const job *j, const paints *p, outputs *o);
void   free_paints(paints *p);

#endif /* FROM_SCENE_H_INCLUDED */
