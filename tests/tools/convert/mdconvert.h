/* mdconvert.h - the parts of mdconvert. Public domain. */
#ifndef MDCONVERT_H_INCLUDED
#define MDCONVERT_H_INCLUDED

#include "convert.h"
#include "md2.h"

/* -- The request: what the command line asks for (request.c) ----------------------------------- */

typedef enum kind { KIND_OTHER, KIND_MD2, KIND_MD5_MESH, KIND_MD5_ANIM, KIND_GLTF, KIND_FBX } kind;
/* Returns the kind of a file, from its first bytes, or from its name if the first bytes are not
   known (for example, because the file is damaged). */
kind kind_of(const char *path);

/* a file whose animations are added to the model */
typedef struct anim_source {
    const char  *path;
    kind         is;                  /* KIND_GLTF, KIND_MD2 or KIND_MD5_MESH */
    const char **anims;               /* the .md5anim files of a KIND_MD5_MESH */
    int          anim_count;
} anim_source;

typedef struct convert_request {
    const char  *model;               /* the .md2, .md5mesh or .glb */
    kind         model_kind;
    const char **anims;               /* the .md5anim files of the model */
    int          anim_count;
    anim_source *sources;
    int          source_count;
    const char  *output;
    char       **only;                /* names of the selected animations, with allocate(); none = all */
    int          only_count;
    const char **old_names, **new_names; /* names of the animations that --name renames */
    int          name_count;
    const char **without;             /* names of parts of the model that are left out */
    int          without_count;
    float        scale;               /* 0 = default: METERS_PER_UNIT for a .glb, otherwise 1 */
    float        fps;                 /* frames per second; 0 = default of the format or the file */
    bool         y_up;                /* the MD2 or MD5 has Y up, or the .glb has Z up: rotate it to
                                         the axes of the output */
    int          yaw;                 /* 0, 90, 180 or 270 degrees, counter-clockwise from above */
    const char **weapons;             /* .md2 or .md5mesh files of weapons that the model holds */
    int          weapon_count;
    bool         skeleton;            /* find bones for an MD2 that becomes a .glb */
    bool         in_place;            /* remove the steady part of root motion */
    bool         is_bare;             /* write no pictures */
    bool         force;               /* replace existing files */
    bool         anyway;              /* write a skeleton even if it does not fit the frames */
} convert_request;

/* One unit of Quake II and Doom 3 is about an inch. */
#define METERS_PER_UNIT 0.0254f

/* Options for tests: if is_quiet is set, nothing is printed. If kept_messages is not NULL, messages are
   appended to it. */
extern bool  is_quiet;
extern blob *kept_messages;
/* Prints an error about a file or an option, and returns false. */
CONVERT_PRINTS(2, 3) bool fail(const char *path, const char *format, ...);
/* Prints a line about something that is lost or changed. */
CONVERT_PRINTS(1, 2) void note(const char *format, ...);
/* Prints the progress of long work, at most every two seconds. */
void progress(const char *what, uint32_t done, uint32_t total);

/* Rotates a vector by `yaw` degrees about the up axis; `up` is 1 for Y, 2 for Z. */
void rotate_vector(int yaw, int up, float v[3]);

/* Returns true if --only selects the animation. */
bool is_wanted(const convert_request *request, const char *anim);
/* Returns the name that --name gives to an animation, or its old name. */
const char *new_name_of(const convert_request *request, const char *anim);
/* Prints that no animation has a name, and lists the names of the animations. Returns false. */
bool fail_no_anim(const char *option, const char *name, const char *const *anims, uint32_t count);
/* Returns false and prints an error if --only or --name has a name that no animation has, or if two
   animations would have the same new name. */
bool check_only(const convert_request *request, const char *const *anims, uint32_t count);

/* -- Output files: all or none (outputs.c) ----------------------------------------------------- */

typedef struct output {
    char *path;
    blob  file;

    /* The state while the file is written: */
    char *target;                     /* `path` with all links followed */
    char *temporary;                  /* name of the new file until it is complete */
    char *old;                        /* temporary name of the file that is replaced */
    bool  is_written, is_saved, is_placed; /* `temporary` is written; the replaced file is renamed
                                         to `old`; the new file is renamed to `target` */
} output;

typedef struct outputs {
    output  *list;
    uint32_t count, room;
    double   size[3];                 /* length, width and height of the model: meters in a .glb,
                                         otherwise units; 0 = unknown */
} outputs;

/* Returns the path of a file in the folder of another file. Free the result. */
char *join_path(const char *folder_of, const char *name, const char *extension);
/* Returns the file name without its extension. Free the result. */
char *stem_of(const char *path);
/* Returns a name that every system accepts as a file name: at most 100 bytes, and not a device name
   in Windows. `fallback` replaces an empty name. Free the result. */
char *name_for_file(const char *name, const char *fallback);
bool  file_exists(const char *path);
bool  is_file(const char *path);      /* a regular file: not a folder, fifo or device */
/* Returns true if `name`, a path below the folder of a file, leads out of this folder through a
   link. */
bool  leaves_folder(const char *folder_of, const char *name);
bool  read_blob(const char *path, blob *b);
void  add_output(outputs *o, const char *path, blob *file); /* takes over the blob */
/* Adds a copy of the file, unless its path is listed already, or on disk with the same content. */
void  add_picture_file(outputs *o, const char *path, const blob *file);
/* Loads each MD2 and MD5 with md2.h or md5.h (check_outputs.c). Sets the size. Returns false and
   prints an error if a header rejects a file. */
bool  check_outputs(const convert_request *request, outputs *o);
/* Writes all files. If this fails, prints the reason, restores the old files, and returns false. */
bool  write_outputs(const outputs *o, bool force);
void  free_outputs(outputs *o);

/* -- Pictures (pictures.c) --------------------------------------------------------------------- */

/* Reads a picture for glTF: PNG and JPEG are copied unchanged; PCX, TGA and BMP become PNG. The
   name of the picture is its file name without folder and extension. Returns false and sets
   `problem` if the picture cannot be read. */
bool read_picture(const char *path, glb_picture *picture, uint32_t *width, uint32_t *height,
                  char problem[256]);
void free_picture(glb_picture *picture);
/* Sets the size of a PNG or JPEG; leaves it unchanged for other files. */
void measure_picture(const blob *file, uint32_t *width, uint32_t *height);

bool  is_picture_file(void *user, const char *path); /* is_file as a callback for md2_find_skin */
/* Returns the path of the skin of an MD2, or of the texture of a mesh of an MD5: the result of
   md2_find_skin or md5_find_texture, or else of find_picture_beside. NULL = none. Free it. */
char *find_md2_picture(const md2_model *model, const char *path);
char *find_md5_picture(const md5_model *model, const char *path, uint32_t mesh);
/* Adds a copy of a picture in the folder of the output, unless the model is in the same folder. */
void  copy_picture(const convert_request *request, const char *model_path, const char *picture_path,
                   outputs *o);

/* -- Conversions ------------------------------------------------------------------------------- */

/* Loads the MD2 of the request. `options` decide everything except the winding: triangles become
   clockwise from outside, as in the file format, or counter-clockwise, even if the file is inside
   out. */
md2_model *load_md2(const convert_request *request, md2_options *options, bool is_clockwise);
/* Prints what md2.h and load_md2 have repaired. */
void       note_repairs(const md2_model *model);
bool       check_only_md2(const convert_request *request, const md2_model *model);
/* Returns true if the step from the last frame back to the first is at most about twice the mean
   step of the animation. A step is the longest distance that any point moves. */
bool       is_md2_loop(const md2_model *model, const md2_anim *anim);
/* Numbers the points that triangles use. Points that are equal in all kept frames get the same
   number; if by_position is set, their normals may differ. Sets numbers[point_count] (UINT32_MAX =
   not used), and points[] to the first point of each number. Returns how many numbers there are. */
uint32_t   number_md2_points(const md2_model *model, const bool *is_kept, bool by_position,
                         uint32_t *numbers, uint32_t *points);

/* Returns true if a humanoid skeleton is found in an MD2 (skeleton_of_md2.c); prints nothing. */
bool is_md2_humanoid(const char *path);
/* Returns true if the joints of an .md5mesh have the names of a humanoid (convert_md5.c). */
bool is_md5_humanoid(const char *path);

bool md2_to_glb(const convert_request *request, outputs *o);
bool md2_to_md2(const convert_request *request, outputs *o);
bool md2_to_md5(const convert_request *request, outputs *o);
bool md2_to_skinned_glb(const convert_request *request, outputs *o);
bool md5_to_glb(const convert_request *request, outputs *o);
bool md5_to_md2(const convert_request *request, outputs *o);
bool md5_to_md5(const convert_request *request, outputs *o);
bool scene_to_md5(const convert_request *request, outputs *o);
bool scene_to_md2(const convert_request *request, outputs *o);

/* -- Animations of other files (anim_sources.c) ------------------------------------------------ */

/* Adds an .md5anim, in the units of the .md5mesh, of each selected animation of request->sources.
   `mesh` is the text of the .md5mesh. `rest` is the text of an .md5anim whose only frame is the rest
   pose; NULL = the bind pose. `own_anims` are the names of the model's own animations; names in
   --only must be among these or among the new animations. */
bool add_source_texts(const convert_request *request, const blob *mesh, const blob *rest,
                      const char *const *own_anims, uint32_t own_count, outputs *texts);

/* -- The MD2 of any animated model (bake_md2.c) ------------------------------------------------ */

typedef struct bake_mesh {
    uint32_t  vertex_count, index_count;
    uint32_t *indices;                /* clockwise from outside */
    float    *texcoords, *normals;    /* values per vertex, in the rest pose */
    uint64_t *motion_ids;             /* one per vertex; equal = the same position in every pose */
} bake_mesh;

typedef struct bake_anim {
    const char *name;
    double      length;               /* seconds */
    bool        loops;                /* the animation ends in the pose in which it begins */
} bake_anim;

#define BAKE_REST UINT32_MAX          /* pose() in the rest pose, without an animation */

typedef struct bake_source {          /* any animated model */
    uint32_t   mesh_count, anim_count;
    bake_mesh *meshes;
    bake_anim *anims;
    char      *skin_name;             /* file name with its extension; NULL = none */
    blob       skin_file;
    uint32_t   skin_width, skin_height;
    bool       y_up;                  /* Y is up, not Z */
    int        yaw;                   /* --turn, if the poses do not include it yet */
    void      *user;                  /* first argument of the next two functions */
    void     (*pose)(void *user, uint32_t anim, double seconds);
    void     (*get_vertices)(void *user, uint32_t mesh, float *positions, float *normals);
} bake_source;

/* Samples all animations of a source and adds the MD2, with its skin, to the output files. */
bool     bake_md2(const convert_request *request, const bake_source *source, outputs *o);
/* Returns the frames of a mesh in all animations, without names. points[] has the point of each vertex
   of the mesh (UINT32_MAX = none). Sets counts[anim_count] and their sum, *total. Returns NULL and
   reports an error if there are too many frames. */
md2_out_frame *sample_points(const convert_request *request, const bake_source *source, uint32_t mesh,
                             const uint32_t *points, uint32_t point_count, uint32_t *counts,
                             uint32_t *total);
/* Prints the counts that exceed the limits of Quake, or of Quake II itself. */
void     note_md2_limits(const md2_out *model);
/* Returns the hash of all data so far; begin with any number. */
uint64_t hash_more(uint64_t hash, const void *data, size_t size);
void     free_bake_mesh(bake_mesh *mesh);

/* -- An MD5 and its animations (convert_md5.c) ------------------------------------------------- */

typedef struct loaded_md5 {
    md5_model     *model;
    md5_anim     **anims;
    uint32_t       anim_count;
    const outputs *pictures;          /* textures of the shaders; NULL = files next to the .md5mesh */
    const char   **mesh_files;        /* [mesh_count] the .md5mesh of each mesh; NULL = all are in
                                         request->model */
    md5_anim      *rest;              /* first frame: the pose of the nodes of a .glb without an
                                         animation; NULL = the bind pose */
} loaded_md5;

/* `flags` are loading flags: MD5_Y_UP and MD5_KEEP_WINDING. */
md5_options make_md5_options(uint32_t flags, float scale);
void free_loaded_md5(loaded_md5 *c);
/* Sets the lowest and the highest corner of all vertices in a frame, in the axes and units of the model. A scene of
   glTF cannot replace the model, because its vertices have one bind position for all their weights. */
void set_frame_bounds(const md5_model *model, const md5_out_part *parts, double bounds[6]);
/* Loads an MD5 from texts in memory: the first one is the .md5mesh, and those from `first_anim` on
   include its .md5anim files. */
bool load_texts(const convert_request *request, const outputs *texts, uint32_t first_anim,
                uint32_t flags, float scale, loaded_md5 *c);
bool loaded_md5_to_glb(const convert_request *request, const loaded_md5 *c, outputs *o);
/* Sets the meshes, the animations and the functions of `source`, which keeps the pointer `c`. */
void begin_md5_source(const loaded_md5 *c, bake_source *source);
void end_md5_source(bake_source *source);

/* -- Names of frames (frame_names.c) ----------------------------------------------------------- */

enum { MD2_EXTRA_FRAMES = 96 };
/* Names the frames of one animation. Returns false and prints an error if the name leaves no room
   for the frame numbers. */
bool     name_anim_frames(const char *anim, md2_out_frame *frames, uint32_t count);
/* Names all frames so that md2.h reads the animations back from the names. Prints the names that
   are shortened, and the animations that are not read back. `frames` has room for MD2_EXTRA_FRAMES
   more. Returns how many extra frames the caller must add at the end; these are already named. */
uint32_t name_frames(const char *const *anims, const uint32_t *frame_counts, uint32_t anim_count,
                     md2_out_frame *frames);

#endif /* MDCONVERT_H_INCLUDED */
