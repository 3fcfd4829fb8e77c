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
/* Reads one file. Returns NULL and reports an error if this fails. */
scene    *read_scene(const char *path, bool needs_triangles);
/* Adds the animations of another scene (retarget_anims.c). Returns false and reports an error if
   the two skeletons have nothing in common. May change the source's tracks. */
bool      retarget_anims(const convert_request *request, scene *target, const char *target_path,
                         scene *source, const char *source_path);
/* Removes the steady horizontal movement of the root (root_motion.c), and its distance from the rest
   position in the first frame, unless both together are at most one unit. `unit` is the number of units
   for a length of 1. If nothing is steady, the animation stays unchanged. */
void      keep_in_place(const convert_request *request, scene *s, scene_anim *anim, const double up[3],
                        double unit);
/* Adds the animations of request->sources (anim_sources.c). */
bool      add_sources(const convert_request *request, scene *target);
double    units_per_meter(const convert_request *request);
/* Returns the indices of a part, clockwise from outside in the current pose, even if its nodes
   mirror it. Free them. */
uint32_t *list_clockwise(const scene *s, const scene_instance *in);

/* -- Animations (anim_names.c) ----------------------------------------------------------------- */

/* Returns unique names of the animations that can be file names, [anim_count]. */
char **name_anims(const scene *s);
void   free_names(char **names, uint32_t count);
/* Returns a name for an animation that is added to a scene: "walk", or "dance_walk" if it is from
   dance.glb and the scene already has an animation "walk". Free the result. */
char  *name_source_anim(const convert_request *request, const scene *s, const char *name,
                        const char *path);
/* Returns the lowest frame rate at which each key is at the time of a frame, or so close to it that
   no peak is lost. */
double find_rate(const scene_anim *anim);
/* Adds a linear track, whose times and values are 0, to an animation that has room for it. */
void   add_track(scene_anim *anim, uint32_t node, track_path path, uint32_t key_count);

/* -- Textures of the materials (make_textures.c) ----------------------------------------------- */

typedef struct texture {
    char    *shader;                  /* name of the material in an MD5 */
    char    *name;                    /* file name without extension */
    char     extension[8];            /* ".png" */
    blob     file;                    /* empty = the model's picture is missing */
    uint32_t width, height;           /* pixels, even if the file is missing; 0 = unknown */
    bool     is_see_through;          /* has texels that options.cut_out does not draw */
} texture;

typedef struct textures {
    texture   *list;
    uint32_t   count, room;
    name_table names;
} textures;

/* Returns the textures of all materials. Sets part->texture of all visible parts; parts without a
   picture also get texture coordinates. */
textures make_textures(scene *s);
/* Combines all textures into one, and adapts the texture coordinates. */
void     pack_textures(scene *s, textures *p);
void     add_texture_files(const convert_request *request, const textures *p, outputs *o);
void     free_textures(textures *p);

#endif /* FROM_SCENE_H_INCLUDED */
