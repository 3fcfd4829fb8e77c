/* convert.h - writes MD2, MD5 and glTF 2.0 (.glb) files into memory, from plain arrays. Used by
   mdconvert and by all other programs here that make whole models. C99 and C++98. Public domain. */
#ifndef CONVERT_H_INCLUDED
#define CONVERT_H_INCLUDED

#include "md5.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lets the compiler check a format string: the position of the format and of the first value. */
#ifdef __GNUC__
  #define CONVERT_PRINTS(format_at, first) __attribute__((format(printf, format_at, first)))
#else
  #define CONVERT_PRINTS(format_at, first)
#endif

/* -- Memory and growing byte arrays (blob.c) --------------------------------------------------- */

/* Returns zeroed memory. If memory runs out, ends the work of within_memory; outside of
   within_memory, ends the program. */
void *allocate(size_t count, size_t size);
void *reallocate(void *block, size_t size); /* the added bytes are not zeroed */
void  release(void *block);           /* accepts NULL */
/* Allocates memory for options.allocator of the headers. Returns NULL if memory runs out. */
void *allocate_if_there(void *user, size_t size);
void  release_sized(void *user, void *block, size_t size);
/* Calls `work`, which may allocate up to `limit` bytes and must not release older blocks. If `work`
   needs more, stops it, releases all its blocks, and returns false. */
bool  within_memory(size_t limit, void (*work)(void *user), void *user);

typedef struct blob {                 /* all zeros = empty */
    uint8_t *data;
    size_t   size, room;
} blob;

void  free_blob(blob *b);
void  put(blob *b, const void *data, size_t size);
void  put_byte(blob *b, uint32_t x);
void  put_u16(blob *b, uint32_t x);   /* little-endian */
void  put_u32(blob *b, uint32_t x);
void  put_float(blob *b, float x);    /* little-endian */
void  put_u32_big(blob *b, uint32_t x); /* big-endian */
void  put_text(blob *b, const char *text);
/* Cuts the text after 511 characters. */
CONVERT_PRINTS(2, 3) void put_format(blob *b, const char *format, ...);

/* Writes a decimal number that reads back as the same double, or as the same float if `x` is the
   value of a float. Whole numbers get no decimals, and other multiples of a millionth get six, as
   in the files of id Software; their digits are the same on every machine. */
void put_number(blob *b, double x);

/* Returns the length of a text in bytes, at most `most`, without cutting a UTF-8 character in
   half. */
size_t whole_length(const char *text, size_t most);
char  *copy_text(const char *text);   /* release the result */
bool   begins_with(const char *text, const char *start);

/* Writes a string in quotes for JSON, in UTF-8. Bytes that are not UTF-8 are read as Latin-1. */
void put_json_string(blob *b, const char *text);

/* -- MD2 (write_md2.c) ------------------------------------------------------------------------- */

enum { MD2_NAME_LENGTH = 15, MD2_SKIN_LENGTH = 63 };

typedef struct md2_out_frame {
    char     name[MD2_NAME_LENGTH + 1];
    float    scale[3], translate[3];
    uint8_t *points;                  /* [point_count][4] x, y, z, and the index of the normal */
} md2_out_frame;

typedef struct md2_out_vertex {
    uint32_t point, texcoord;
} md2_out_vertex;

typedef struct md2_out {
    uint32_t              skin_width, skin_height;
    uint32_t              skin_count, point_count, texcoord_count, vertex_count, index_count;
    uint32_t              frame_count;
    const char *const    *skins;      /* names longer than 63 characters are cut */
    const int16_t        *texcoords;  /* s, t in texels: u = (s + 0.5) / skin_width */
    const md2_out_vertex *vertices;
    const uint32_t       *indices;    /* indices of vertices; clockwise from outside */
    const md2_out_frame  *frames;
} md2_out;

/* Sets everything except the name. On each axis, the lowest point is byte 0 and the highest is byte
   255. `positions` and `normals` are [point_count][3]; normals may have any length. */
void quantize_frame(md2_out_frame *frame, const double *positions, const double *normals,
                    uint32_t point_count);

/* Returns the index of the nearest unit vector of the MD2 table. If several are equally near,
   returns the first, on every machine. */
uint32_t nearest_normal(const double normal[3]);

/* Merges equal texture coordinates. `texcoords` has a pair of texels for each vertex, [count][2].
   Moves the different pairs to its start, sets the texcoord of each vertex, and returns how many
   pairs there are. */
uint32_t merge_texcoords(int16_t *texcoords, md2_out_vertex *vertices, uint32_t count);

/* Writes the file, with GL commands (strips and fans). It has room for 65,536 points and 65,536
   texture coordinates. */
blob write_md2(const md2_out *model);

/* -- MD5 (write_md5.c) ------------------------------------------------------------------------- */

typedef struct md5_out_joint {
    const char *name;
    int32_t     parent;               /* -1 for a root */
    double      position[3], rotation[4]; /* bind pose in model space; rotation: x y z w */
} md5_out_joint;

typedef struct md5_out_vertex {
    double   u, v;
    uint32_t first_weight, weight_count;
} md5_out_vertex;

typedef struct md5_out_weight {
    uint32_t joint;
    double   bias, position[3];
} md5_out_weight;

typedef struct md5_out_mesh {
    const char           *shader;
    uint32_t              vertex_count, weight_count, index_count;
    md5_out_vertex       *vertices;
    md5_out_weight       *weights;
    const uint32_t       *indices;    /* clockwise from outside */
} md5_out_mesh;

typedef struct md5_out_part {         /* a joint in a frame, relative to its parent */
    double number[6];                 /* position, then the rotation: see md5_stored_rotation */
} md5_out_part;

typedef struct md5_out_anim {
    uint32_t             frame_count, joint_count;
    double               fps;
    const md5_out_joint *joints;      /* names and parents */
    const md5_out_part  *parts;       /* [frame_count][joint_count] */
    const double        *bounds;      /* [frame_count][6] lowest and highest corner */
} md5_out_anim;

/* Rounds to six decimals, as in the files of id Software: a millionth of an inch. */
double round_to_millionths(double x);
/* Sets x y z of a unit quaternion as they are in a file. A file does not have w: readers compute a
   w that is negative or 0. So a quaternion whose w is positive is negated, which is the same
   rotation. */
void md5_stored_rotation(const double rotation[4], double xyz[3]);

blob write_md5mesh(const char *commandline, const md5_out_joint *joints, uint32_t joint_count,
                    const md5_out_mesh *meshes, uint32_t mesh_count);
blob write_md5anim(const char *commandline, const md5_out_anim *anim);

/* -- glTF 2.0, binary (write_glb.c) ------------------------------------------------------------ */

/* Everything is in the axes and units of glTF: Y up, Z forward, meters, triangles counter-clockwise
   from outside, v = 0 at the top row of a picture. */
typedef struct glb_picture {
    char       *name;
    const char *type;                 /* "image/png" or "image/jpeg" */
    blob        file;
} glb_picture;

typedef struct glb_material {
    const char *name;
    int         picture;              /* -1 = none: the picture is missing */
    uint32_t    missing_width, missing_height; /* size of the missing picture; 0 = unknown */
} glb_material;

typedef struct glb_part {             /* the part of a mesh that has one material */
    uint32_t        vertex_count, index_count, material;
    float          *positions, *normals, *texcoords;
    const uint32_t *indices;
    uint32_t        influence_count;  /* weights per vertex; 0 = no skeleton */
    uint16_t       *joints;           /* [vertex_count][influence_count]; 0 if the weight is 0 */
    float          *weights;          /* same layout; the weights of a vertex sum to 1 */
} glb_part;

typedef struct glb_joint {            /* parents come before their children */
    const char *name;
    int32_t     parent;
    md5_xform   local;                /* transform in the bind pose, relative to the parent */
    float       inverse_bind[12];     /* three rows of four */
} glb_joint;

typedef struct glb_shape {            /* a morph target, for a model of one part: its vertices */
    const char  *name;
    const float *positions, *normals;
} glb_shape;

#define GLB_BASE UINT32_MAX           /* no shape: the part itself */

typedef struct glb_anim {
    const char      *name;
    double           fps;
    uint32_t         key_count;
    md5_xform       *poses;           /* [key_count][joint_count] local; NULL = no joints */
    uint32_t        *shapes;          /* [key_count] the only shape of a key, or GLB_BASE; NULL =
                                         no shapes */
} glb_anim;

typedef struct glb_model {
    const char         *name;
    uint32_t            picture_count, material_count, part_count, joint_count, shape_count;
    uint32_t            anim_count;
    const glb_picture  *pictures;
    const glb_material *materials;
    const glb_part     *parts;
    const glb_joint    *joints;
    const glb_shape    *shapes;
    const glb_anim     *anims;
} glb_model;

blob write_glb(const glb_model *model);
/* Measures the bounding box of all parts, without morph targets: length (Z), width (X) and height
   (Y). */
void measure_glb(const glb_model *model, double size[3]);

#endif /* CONVERT_H_INCLUDED */
