/* scene.h - a glTF scene as plain data, and its pose at any time. Everything is in the axes and
   units of glTF: Y up, Z forward, meters, seconds, triangles counter-clockwise from outside, v = 0
   at the top row of a picture. Public domain. */
#ifndef SCENE_H_INCLUDED
#define SCENE_H_INCLUDED

#include "convert.h"
#include "matrix.h"

#define NO_INDEX UINT32_MAX           /* no node, skin, material, picture or texture */

/* -- Contents of the scene --------------------------------------------------------------------- */

typedef struct scene_node {
    char    *name;
    char    *human_bone;              /* "leftUpperArm" in a VRM; or NULL */
    uint32_t parent;
    uint32_t mesh, skin;
    bool     is_shown;                /* is in the scene that the file shows */
    bool     has_matrix;              /* use own_matrix unless an animation moves the node */
    matrix   own_matrix;
    double   translation[3], rotation[4], scale[3];
    uint32_t weight_count;
    float   *rest_weights;            /* [weight_count] of the morph targets of its mesh */

    /* The current pose (pose_scene). */
    matrix   world;
    double  *weights;
} scene_node;

typedef struct scene_skin {
    uint32_t  joint_count;
    uint32_t *joints;                 /* [joint_count] nodes */
    matrix   *to_joint;               /* [joint_count] from mesh space to joint space */
    bool      has_bind_pose;          /* the file has to_joint; otherwise it is the identity */
} scene_skin;

typedef struct scene_target {         /* a morph target */
    float *positions, *normals;       /* offsets of the vertices; NULL = none */
} scene_target;

typedef struct scene_part {           /* the part of a mesh that has one material */
    uint32_t      vertex_count, index_count, influence_count, target_count;
    uint32_t     *indices;
    float        *positions, *normals;
    bool          is_flat;            /* the file has no normals, so glTF shows flat faces */
    float        *texcoords;          /* the set of the material's picture, or the first; or NULL */
    float        *colors;             /* red green blue alpha, linear; or NULL */
    uint16_t     *joints;             /* [vertex_count][influence_count] indices in the skin */
    float        *weights;            /* same layout; >= 0; their sum may differ from 1 */
    scene_target *targets;
    uint32_t      material;
    uint32_t      texture;            /* index in the list of make_textures */
} scene_part;

typedef struct scene_mesh {
    char       *name;
    uint32_t    part_count, target_count;
    scene_part *parts;
    float      *rest_weights;         /* [target_count] */
} scene_mesh;

typedef struct scene_picture {        /* unchanged from the file */
    char *name;                       /* file name without extension; may be empty */
    char  extension[8];               /* ".png" */
    blob  file;                       /* empty if the picture is missing */
} scene_picture;

typedef enum scene_alpha { ALPHA_NONE, ALPHA_CUTS, ALPHA_BLENDS } scene_alpha;

typedef struct scene_material {
    char       *name;
    uint32_t    picture, emission_picture; /* base color and emission: these have the same texture
                                         coordinates, but may differ in size */
    float       color[4];             /* linear; multiplied with the picture */
    float       emission[3];          /* linear color of the emitted light; 0 = none */
    scene_alpha alpha;                /* how the alpha of picture and color is used */
    double      cutoff;               /* ALPHA_CUTS: the lowest alpha that is shown */
    bool        is_two_sided;         /* faces are also visible from behind */
    bool        lacks_picture;        /* mdconvert wrote it for a model whose picture is missing */
    uint32_t    missing_width, missing_height; /* size of the missing picture; 0 = unknown */
} scene_material;

/* -- Animations -------------------------------------------------------------------------------- */

typedef enum track_path {
    TRACK_TRANSLATION, TRACK_ROTATION, TRACK_SCALE, TRACK_WEIGHTS
} track_path;
typedef enum track_interpolation { STEP_KEYS, LINEAR_KEYS, CUBIC_KEYS } track_interpolation;

typedef struct scene_track {
    uint32_t            node, key_count;
    uint32_t            width;        /* numbers per value */
    track_path          path;
    track_interpolation interpolation;
    float              *times;        /* [key_count] seconds, in ascending order */
    float              *values;       /* [key_count][width]; CUBIC_KEYS: [key_count][3][width] */
} scene_track;

typedef struct scene_anim {
    char        *name;                /* unchanged from the file; may be empty */
    double       start, end;          /* times of the first and the last key; seconds */
    uint32_t     track_count;
    scene_track *tracks;
} scene_anim;

typedef struct scene_instance {       /* a part of a mesh, as a node shows it */
    uint32_t          node;
    const scene_skin *skin;           /* NULL = no skin */
    const scene_mesh *mesh;
    const scene_part *part;
} scene_instance;

typedef struct scene {
    uint32_t        node_count, skin_count, mesh_count, picture_count, material_count, anim_count;
    uint32_t        instance_count;
    bool            has_human_bones;  /* some nodes have a human_bone */
    scene_node     *nodes;
    uint32_t       *order;            /* [node_count] nodes, parents first */
    matrix          root_transform;   /* parent of all nodes without a parent */
    scene_skin     *skins;
    scene_mesh     *meshes;
    scene_picture  *pictures;
    scene_material *materials;
    scene_anim     *anims;
    scene_instance *instances;        /* parts of the nodes that are shown, in node order */
} scene;

/* -- Reading (read_gltf.c) --------------------------------------------------------------------- */

typedef struct gltf_options {
    /* Reads a file next to the .gltf; the caller frees the blob. Returns NULL, or the reason if
       this fails ("does not exist"). If read_beside is NULL, no other files are read. */
    const char *(*read_beside)(void *user, const char *name, blob *file);
    void  *user;
    void (*note)(const char *format, ...); /* reports what is left out; NULL = no reports */
} gltf_options;

/* Reads a .glb or .gltf. Returns NULL and sets `problem` if the file is damaged or needs an unknown
   extension. All indices of the result are below their counts, and all numbers are finite, whatever
   the bytes of the file are. A damaged file may need any amount of memory: see within_memory. */
scene *read_gltf(const uint8_t *data, size_t size, const gltf_options *options, char problem[256]);
void   free_scene(scene *s);
/* Splits vertices. `numbers` has a number for each corner of each triangle, [index_count]. Corners
   that share a vertex, but have different numbers, get separate vertices. */
void   split_vertices(scene_part *part, const uint32_t *numbers);

/* -- The pose (scene.c) ------------------------------------------------------------------------ */

/* Computes the transforms of all nodes at a time of an animation, in seconds on the time axis of
   its keys; of the rest pose if `anim` is NULL. */
void pose_scene(scene *s, const scene_anim *anim, double time);

typedef struct influence {            /* the influence of a node on a vertex */
    uint32_t      node;
    const matrix *to_node;            /* transform from mesh space to the space of the node */
    double        weight;
} influence;

enum { MAX_SCENE_INFLUENCES = 64 };

/* Lists the influences on a vertex, and returns how many there are. The weights are positive and
   sum to 1. A vertex without weights follows the node of its mesh. */
uint32_t list_vertex_influences(const scene_instance *in, uint32_t vertex,
                                influence list[MAX_SCENE_INFLUENCES]);
bool     has_weights(const scene_part *part, uint32_t vertex);

/* Gets the vertex with its morph targets, before the transforms of the nodes. */
void get_shape(const scene *s, const scene_instance *in, uint32_t vertex, double position[3],
               double normal[3]);
/* Gets the vertices in the current pose, [vertex_count][3]. Normals may have any length. */
void pose_instance(const scene *s, const scene_instance *in, double *positions, double *normals);

#endif /* SCENE_H_INCLUDED */
