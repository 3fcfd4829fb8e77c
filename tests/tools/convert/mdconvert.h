/* mdconvert.h - the parts of mdconvert. Public domain. */
#ifndef MDCONVERT_H_INCLUDED
#define MDCONVERT_H_INCLUDED

#include "convert.h"
#include "md2.h"

/* -- The job (job.c) --------------------------------------------------------------------------- */

/* Of a file, by its first bytes; by its name where these tell nothing, as those of a broken one. */
typedef enum kind { KIND_OTHER, KIND_MD2, KIND_MD5_MESH, KIND_MD5_ANIM, KIND_GLTF, KIND_FBX } kind;
kind kind_of(const char *path);

/* A file whose animations the model gets. */
typedef struct anim_source {
    const char  *path;
    kind         is;                  /* KIND_GLTF, KIND_MD2 or KIND_MD5_MESH */
    const char **anims;               /* .md5anim of an .md5mesh */
    int          anim_count;
} anim_source;

typedef struct job {
    const char  *model;               /* the .md2, .md5mesh or .glb */
    kind         model_kind;
    const char **anims;               /* .md5anim */
    int          anim_count;
    anim_source *sources;
    int          source_count;
    const char  *output;
    const char **only;                /* names of animations; none = all */
    int          only_count;
    const char **old_names, **new_names; /* animations that get another name */
    int          name_count;
    const char **without;             /* names of parts of a .glb that are left out */
    int          without_count;
    float        scale;               /* 0 = 1, or, to .glb, METERS_PER_UNIT */
    float        fps;                 /* 0 = that of the format or the file */
    bool         y_up;                /* the input is, so its axes become those of the output */
    int          turn;                /* degrees, counter-clockwise from above: 0, 90, 180, 270 */
    const char **weapons;             /* other .md2 */
    int          weapon_count;
    bool         skeleton;            /* the .glb of an MD2 gets bones */
    bool         in_place;            /* animations lose the steady part of their root motion */
    bool         is_bare;             /* no pictures: only skeleton, vertices and animations count */
    bool         force;               /* files that are there already are replaced */
    bool         anyway;              /* a skeleton is written even if it does not fit */
} job;

/* One unit of Quake II and Doom 3 is about an inch. */
#define METERS_PER_UNIT 0.0254f

/* For tests: nothing is printed, and messages are put here unless it is NULL. */
extern bool  is_quiet;
extern blob *kept_messages;
/* Prints an error about a file and returns false. */
CONVERT_PRINTS(2, 3) bool fail(const char *path, const char *format, ...);
/* Prints a line about what was lost or changed. */
CONVERT_PRINTS(1, 2) void note(const char *format, ...);
/* Prints, every other second of long work, how far it has come. */
void progress(const char *what, uint32_t done, uint32_t total);

/* Turns a vector by that of a job; `up` is 1 for Y, 2 for Z. */
void rotate_vector(int turn, int up, float v[3]);

bool is_wanted(const job *j, const char *anim); /* by --only */
/* The name that --name gives to an animation; else its own. */
const char *new_name_of(const job *j, const char *anim);
/* Reports names of --only and --name that no animation has, and new names that two would have. */
bool check_only(const job *j, const char *const *anims, uint32_t count);

/* -- Files that appear whole or not at all (outputs.c) ----------------------------------------- */

typedef struct output {
    char *path;
    blob  file;

    /* While it is written: the file behind links that it becomes, its name until then, and that of the
       file that it replaces. */
    char *target, *temporary, *old;
    bool  is_written, is_saved, is_placed;
} output;

typedef struct outputs {
    output  *list;
    uint32_t count, room;
    double   size[3];                 /* long, wide, high; metres in a .glb, else units; 0
                                         if not known */
} outputs;

char *join_path(const char *folder_of, const char *name, const char *extension); /* free it */
char *stem_of(const char *path);      /* the file's name without extension; free it */
/* A name as every system takes it for a file: of up to 100 bytes, and none that Windows keeps for a
   device. `fallback` replaces an empty name. Free it. */
char *name_for_file(const char *name, const char *fallback);
bool  file_exists(const char *path);
bool  is_file(const char *path);      /* no folder, fifo or device */
/* Whether links lead from `name`, in the folder of a file, out of that folder. */
bool  leaves_folder(const char *folder_of, const char *name);
bool  read_blob(const char *path, blob *b);
void  add_output(outputs *o, const char *path, blob *file); /* takes the file's blob */
/* Adds a copy of the file, unless it is added or there already. */
void  add_picture_file(outputs *o, const char *path, const blob *file);
/* Loads each MD2 and MD5 with md2.h and md5.h (check_outputs.c). Reports what they refuse, else sets the
   size. */
bool  check_outputs(const job *j, outputs *o);
/* Writes all, or says why not and leaves everything as it was. */
bool  write_outputs(const outputs *o, bool force);
void  free_outputs(outputs *o);

/* -- Pictures (pictures.c) --------------------------------------------------------------------- */

/* What glTF takes stays as it is, PCX, TGA and BMP become PNG. False, and why, if it cannot be
   read. Its name is the file's, without folder and extension. */
bool read_picture(const char *path, glb_picture *picture, uint32_t *width, uint32_t *height,
                  char problem[256]);
void free_picture(glb_picture *picture);
/* Of a PNG or JPEG; other files leave the numbers as they are. */
void measure_picture(const blob *file, uint32_t *width, uint32_t *height);

/* The picture of a skin of the MD2, or of a mesh of the MD5: by the guesses of the headers, else
   what lies beside the model. Free it; NULL if there is none. */
bool  is_picture_file(void *user, const char *path); /* is_file, for those who search by themselves */
char *find_md2_picture(const md2_model *model, const char *path);
char *find_md5_picture(const md5_model *model, const char *path, uint32_t mesh);

/* -- Conversions ------------------------------------------------------------------------------- */

/* `options` decide everything but the winding, which is clockwise from outside, as stored, or
   counter-clockwise, whatever the file has. */
md2_model *load_md2(const job *j, md2_options *options, bool is_clockwise);
bool       check_only_md2(const job *j, const md2_model *model);
/* A loop goes on from its last frame to its first in a step like the others, or two. */
bool       is_md2_loop(const md2_model *model, const md2_anim *anim);
/* Numbers the points that triangles use; those that are the same in all frames that are kept, or at
   the same places, have one number. Sets numbers[point_count], of the others UINT32_MAX, and points,
   the other way; returns how many. */
uint32_t   number_md2_points(const md2_model *model, const bool *is_kept, bool by_place,
                         uint32_t *numbers, uint32_t *points);

/* Whether a humanoid skeleton is found in an MD2 (skeleton_of_md2.c); prints nothing. */
bool is_md2_humanoid(const char *path);

bool md2_to_glb(const job *j, outputs *o);
bool md2_to_md2(const job *j, outputs *o);
bool md2_to_md5(const job *j, outputs *o);
bool md2_to_skinned_glb(const job *j, outputs *o);
bool md5_to_glb(const job *j, outputs *o);
bool md5_to_md2(const job *j, outputs *o);
bool md5_to_md5(const job *j, outputs *o);
bool scene_to_md5(const job *j, outputs *o);
bool scene_to_md2(const job *j, outputs *o);

/* -- Animations of other files, for an MD2 or MD5 (anim_sources.c) ----------------------------- */

/* Adds an .md5anim, in the units of the file, for each animation of the job's sources that is wanted.
   `mesh` is the text of the .md5mesh. `own_anims` are the names that the model's own animations have;
   names given by --only must be among them or among the new ones. */
bool add_source_texts(const job *j, const blob *mesh, const char *const *own_anims,
                      uint32_t own_count, outputs *texts);

/* -- The MD2 of anything that moves (flatten.c) ------------------------------------------------ */

typedef struct flat_mesh {
    uint32_t  vertex_count, index_count;
    uint32_t *indices;                /* clockwise from outside */
    float    *texcoords, *normals;    /* of each vertex, without animation */
    uint64_t *motion_ids;                   /* vertices with the same number are always at one place */
} flat_mesh;

typedef struct flat_anim {
    const char *name;
    double      length;               /* seconds */
    bool        loops;                /* it ends as it begins */
} flat_anim;

#define FLAT_REST UINT32_MAX          /* no animation */

typedef struct flat_source {
    uint32_t   mesh_count, anim_count;
    flat_mesh *meshes;
    flat_anim *anims;
    char      *skin_name;             /* with its extension; NULL for none */
    blob       skin_file;
    uint32_t   skin_width, skin_height;
    bool       y_up;                  /* not Z */
    int        turn;                  /* that of the job, where no pose has it yet */
    void      *user;                  /* for these two, which are called in turn */
    void     (*pose)(void *user, uint32_t anim, double seconds);
    void     (*get_vertices)(void *user, uint32_t mesh, float *positions, float *normals);
} flat_source;

bool     flatten(const job *j, const flat_source *source, outputs *o);
/* Returns the frames of all animations, without names, for points[vertex of the first mesh]; UINT32_MAX
   is none. Sets counts[anim_count] and their sum. NULL, and told, if they are too many. */
md2_out_frame *sample_points(const job *j, const flat_source *source, const uint32_t *points,
                             uint32_t point_count, uint32_t *counts, uint32_t *total);
/* Prints what is beyond the limits of id's own Quake II. */
void     note_md2_limits(const md2_out *model);
uint64_t hash_more(uint64_t hash, const void *data, size_t size);
void     free_flat_mesh(flat_mesh *mesh);

/* An MD5 and its animations (convert_md5.c). */
typedef struct loaded_md5 {
    md5_model     *model;
    md5_anim     **anims;
    uint32_t       anim_count;
    const outputs *pictures;          /* those of its shaders; NULL: they are next to the model */
    md5_anim      *rest;              /* the pose of a .glb's nodes: its first frame; NULL: the bind pose */
} loaded_md5;

/* `flags` are those of loading: MD5_Y_UP and MD5_KEEP_WINDING. */
md5_options make_md5_options(uint32_t flags, float scale);
void free_loaded_md5(loaded_md5 *c);
/* Reads the text of an .md5mesh, the first, and those of .md5anim files, from `first_anim` on. */
bool load_texts(const job *j, const outputs *texts, uint32_t first_anim, uint32_t flags, float scale,
                loaded_md5 *c);
bool loaded_md5_to_glb(const job *j, const loaded_md5 *c, outputs *o);
/* Sets the meshes, the animations and the functions of a source, which borrows the cast. */
void begin_md5_source(const loaded_md5 *c, flat_source *source);
void end_md5_source(flat_source *source);

/* Frame names that md2.h reads back as these animations, one after the other (frame_names.c). Says
   which names got shorter, and where they are not read back. `frames` are all frames, with room for
   MD2_EXTRA_FRAMES more. Returns how many of those it needs at the end, and has named. */
enum { MD2_EXTRA_FRAMES = 96 };
/* Names the frames of one animation. False if the name leaves no room for their numbers. */
bool     name_anim_frames(const char *anim, md2_out_frame *frames, uint32_t count);
uint32_t name_frames(const char *const *anims, const uint32_t *frame_counts, uint32_t anim_count,
                     md2_out_frame *frames);

#endif /* MDCONVERT_H_INCLUDED */
