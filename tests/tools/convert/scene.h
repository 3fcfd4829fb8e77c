/* scene.h - a scene of glTF as plain data, and its pose at any time. Everything is in the axes and
   units of glTF: Y up, Z forward, metres, seconds, triangles counter-clockwise from outside, v = 0
   at the top row of a picture. Public domain. */
#ifndef SCENE_H_INCLUDED
#define SCENE_H_INCLUDED

#include "convert.h"
#include "matrix.h"

#define NO_INDEX UINT32_MAX           /* of a node, skin, material or picture: there is none */

/* -- What stands in the scene ------------------------------------------------------------------ */

typedef struct scene_node {
    char    *name;
    uint32_t parent;
    uint32_t mesh, skin;
    bool     is_shown;                /* it belongs to the scene that the file shows */
    bool     has_matrix;              /* as long as no animation moves it */
    matrix   own_matrix;
    double   translation[3], rotation[4], scale[3];
    uint32_t weight_count;
    float   *rest_weights;            /* of the morph targets of its mesh */

    /* Of the pose; these change. */
    matrix   world;
    double  *weights;
} scene_node;

typedef struct scene_skin {
    uint32_t  joint_count;
    uint32_t *joints;                 /* nodes */
    matrix   *to_joint;               /* from the mesh */
    bool      has_bind_pose;          /* to_joint is in the file; else the mesh is in place as it is */
} scene_skin;

typedef struct scene_target {         /* what a morph target adds to each vertex */
    float *positions, *normals;       /* NULL: nothing */
} scene_target;

typedef struct scene_part {           /* of a mesh: what has one material */
    uint32_t      vertex_count, index_count, influence_count, target_count;
    uint32_t     *indices;
    float        *positions, *normals;
    bool          is_flat;            /* the file has no normals: glTF shows flat faces */
    float        *texcoords;          /* of the material's picture, else the first; or NULL */
    float        *colors;            /* red green blue alpha, linear; or NULL */
    uint16_t     *joints;             /* [vertex_count][influence_count] of the skin */
    float        *weights;            /* the same; 0, or above; they need not sum to 1 */
    scene_target *targets;
    uint32_t      material;
    uint32_t      paint;              /* for paint.c */
} scene_part;

typedef struct scene_mesh {
    char       *name;
    uint32_t    part_count, target_count;
    scene_part *parts;
    float      *rest_weights;         /* [target_count] */
} scene_mesh;

typedef struct scene_picture {        /* as it is in the file */
    char *name;                       /* without extension; may be empty */
    char  extension[8];               /* ".png" */
    blob  file;                       /* empty if it is not there */
} scene_picture;

typedef enum scene_alpha { ALPHA_NONE, ALPHA_CUTS, ALPHA_BLENDS } scene_alpha;

typedef struct scene_material {
    char       *name;
    uint32_t    picture, emission_picture; /* of one size or not, over the same surface */
    float       color[4];            /* linear; the picture is multiplied with it */
    float       emission[3];          /* the same of the light that it sends out; 0 = it does not */
    scene_alpha alpha;                /* what that of picture and color does */
    double      cutoff;               /* ALPHA_CUTS shows what has so much */
    bool        is_two_sided;         /* faces are seen from behind, too */
    bool        is_unpainted;         /* mdconvert made it for a model whose picture was missing */
    uint32_t    missing_width, missing_height; /* and for a picture of this size; 0 = unknown */
} scene_material;

/* -- How it moves ------------------------------------------------------------------------------ */

typedef enum track_path {
    TRACK_TRANSLATION, TRACK_ROTATION, TRACK_SCALE, TRACK_WEIGHTS
} track_path;
typedef enum track_interpolation { STEP_KEYS, LINEAR_KEYS, CUBIC_KEYS } track_interpolation;

typedef struct scene_track {
    uint32_t            node, key_count;
    uint32_t            width;        /* numbers of a value */
    track_path          path;
    track_interpolation interpolation;
    float              *times;        /* [key_count], growing */
    float              *values;       /* [key_count][width]; CUBIC_KEYS has three rows a key */
} scene_track;

typedef struct scene_anim {
    char        *name;                /* as in the file; may be empty */
    double       start, end;          /* the first and the last key */
    uint32_t     track_count;
    scene_track *tracks;
} scene_anim;

typedef struct scene_instance {       /* a part of a mesh where a node shows it */
    uint32_t          node;
    const scene_skin *skin;           /* or NULL */
    const scene_mesh *mesh;
    const scene_part *part;
} scene_instance;

typedef struct scene {
    uint32_t        node_count, skin_count, mesh_count, picture_count, material_count, anim_count;
    uint32_t        instance_count;
    scene_node     *nodes;
    uint32_t       *order;            /* [node_count] nodes, parents first */
    matrix          root_transform;   /* parent of all nodes without a parent */
    scene_skin     *skins;
    scene_mesh     *meshes;
    scene_picture  *pictures;
    scene_material *materials;
    scene_anim     *anims;
    scene_instance *instances;        /* of the nodes that are shown, in their order */
} scene;

/* -- Reading (read_gltf.c) --------------------------------------------------------------------- */

typedef struct gltf_options {
    /* Reads a file that lies beside; its blob is freed. Returns NULL, or why not: "is not there".
       NULL: there are none. */
    const char *(*read_beside)(void *user, const char *name, blob *file);
    void  *user;
    void (*note)(const char *format, ...); /* what is left out; NULL: it is not told */
} gltf_options;

/* Of a .glb or .gltf. NULL, and why, if it is damaged or asks for what is not known. Whatever the
   bytes are: indices are below their counts, and numbers are finite. It may ask for any amount of
   memory: see within_memory. */
scene *read_gltf(const uint8_t *data, size_t size, const gltf_options *options, char problem[256]);
void   free_scene(scene *s);
/* Gives each corner of a triangle, [index_count], a number: corners at one vertex whose numbers
   differ get vertices of their own. */
void   split_vertices(scene_part *part, const uint32_t *numbers);

/* -- The pose (scene.c) ------------------------------------------------------------------------ */

/* Places all nodes; without an animation as they rest. `time` is in seconds, that of the keys. */
void pose_scene(scene *s, const scene_anim *anim, double time);

typedef struct influence {            /* on a vertex: weight * world of the node * to_node */
    uint32_t      node;
    const matrix *to_node;
    double        weight;
} influence;

enum { MAX_SCENE_INFLUENCES = 64 };

/* The weights sum to 1, none is 0. A vertex without any is moved by the node of its mesh. */
uint32_t list_vertex_influences(const scene_instance *in, uint32_t vertex,
                                influence list[MAX_SCENE_INFLUENCES]);
bool     has_weights(const scene_part *part, uint32_t vertex);

/* As its morph targets have it, before anything moves it. */
void get_shape(const scene *s, const scene_instance *in, uint32_t vertex, double position[3],
               double normal[3]);
/* Three numbers of each vertex, in the pose. Normals are not of length 1. */
void pose_instance(const scene *s, const scene_instance *in, double *positions, double *normals);

#endif /* SCENE_H_INCLUDED */
