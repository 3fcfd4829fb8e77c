/* from_scene.h - what both ways out of a scene need. Public domain. */
#ifndef FROM_SCENE_H_INCLUDED
#define FROM_SCENE_H_INCLUDED

#include "mdconvert.h"
#include "scene.h"

#include "../viewer/folder.h"

/* -- The scene (open_scene.c) ------------------------------------------------------------------ */

/* That of the job; NULL, and told why, if it cannot be used. */
scene    *open_scene(const job *j);
double    units_per_metre(const job *j);
/* The triangles in the pose of now, clockwise from outside, also where nodes mirror them. */
uint32_t *list_clockwise(const scene *s, const scene_instance *in);

/* -- Animations (anim_names.c) ----------------------------------------------------------------- */

/* [anim_count] names that can be those of files, each of another one in any case. */
char **name_anims(const scene *s);
void   free_names(char **names, uint32_t count);
/* The name itself, or with a number behind it if one of the others is the same in any case. */
char  *make_unique(const char *name, char *const *others, uint32_t count);
/* Frames a second that have each key in a frame, or so near that no peak is lost. */
double find_rate(const scene_anim *anim);

/* -- What the materials show (paint.c) --------------------------------------------------------- */

typedef struct paint {                /* a picture */
    char    *shader;                  /* the material of an MD5 */
    char    *name;                    /* the file's, without extension */
    char     extension[8];
    blob     file;                    /* empty if there is none */
    bool     is_plain;                /* one colour */
    uint8_t  colour[3];
    float    u;                       /* where a shared picture shows it; 0 if it is not shared */
} paint;

typedef struct paints {
    paint    *list;
    uint32_t  count;
    uint32_t *of_material;            /* [material_count + 1]; the last is for parts without one */
    uint32_t  material_count;
} paints;

paints   paint_scene(const job *j, const scene *s);
uint32_t paint_of(const paints *p, const scene_part *part);
/* Draws the colours of all, three bytes each, as the picture of the first. */
void     share_one_picture(paints *p, const uint8_t *colours);
void     add_paint_files(const job *j, const paints *p, outputs *o);
void     free_paints(paints *p);

#endif /* FROM_SCENE_H_INCLUDED */
