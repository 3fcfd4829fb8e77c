/* convert.h - writes MD2, MD5 and glTF 2.0 (.glb) files into memory, from plain arrays. For
   mdconvert, and for all else here that makes whole models. C99 and C++98. Public domain. */
#ifndef CONVERT_H_INCLUDED
#define CONVERT_H_INCLUDED

#include "md5.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* For functions that take a format: where it is among the arguments, and the first it prints. */
#ifdef __GNUC__
  #define CONVERT_PRINTS(format_at, first) __attribute__((format(printf, format_at, first)))
#else
  #define CONVERT_PRINTS(format_at, first)
#endif

/* -- Memory, and bytes that grow (blob.c) ------------------------------------------------------ */

/* Zeroed. Where memory lacks within_memory returns; without it, the program ends. */
void *allocate(size_t count, size_t size);
void *reallocate(void *block, size_t size); /* what is new is not zeroed */
void  release(void *block);           /* what allocate returned; or NULL */
/* For options.allocator of the headers: NULL where memory lacks. */
void *allocate_if_there(void *user, size_t size);
void  release_sized(void *user, void *block, size_t size);
/* Calls what may take so many bytes, and must release none that were there before. False where it
   wanted more: it has not come to its end then, and all that it took is released. */
bool  within_memory(size_t limit, void (*work)(void *user), void *user);

typedef struct blob {                 /* all zero is empty */
    uint8_t *data;
    size_t   size, room;
} blob;

void  free_blob(blob *b);
void  put(blob *b, const void *data, size_t size);
void  put_byte(blob *b, uint32_t x);
void  put_u16(blob *b, uint32_t x);  /* little-endian, like all but the next */
void  put_u32(blob *b, uint32_t x);
void  put_u32_big(blob *b, uint32_t x);
void  put_float(blob *b, float x);
void  put_text(blob *b, const char *text);
/* Up to 500 letters. */
CONVERT_PRINTS(2, 3) void put_format(blob *b, const char *format, ...);

/* A decimal number that reads back as the same double; if a float holds it, as the same float.
   Whole millionths have six decimals, as in the files of id Software, on every machine the same
   ones. */
void put_number(blob *b, double x);

/* Bytes of a text, up to `most`, without half a character of UTF-8 at the end. */
size_t whole_length(const char *text, size_t most);

/* A string in quotes for JSON, in UTF-8: bytes that are none are read as Latin-1. */
void put_json_string(blob *b, const char *text);

/* -- MD2 (write_md2.c) ------------------------------------------------------------------------- */

enum { MD2_NAME_LENGTH = 15, MD2_SKIN_LENGTH = 63 };

typedef struct md2_out_frame {
    char     name[MD2_NAME_LENGTH + 1];
    float    scale[3], translate[3];
    uint8_t *points;                  /* four bytes each: x, y, z, normal */
} md2_out_frame;

typedef struct md2_out_vertex {
    uint32_t point, texcoord;
} md2_out_vertex;

typedef struct md2_out {
    uint32_t              skin_width, skin_height;
    uint32_t              skin_count, point_count, texcoord_count, vertex_count, index_count;
    uint32_t              frame_count;
    const char *const    *skins;      /* what is longer than 63 letters is cut */
    const int16_t        *texcoords;  /* s, t in texels: u = (s + 0.5) / skin_width */
    const md2_out_vertex *vertices;
    const uint32_t       *indices;    /* of vertices, clockwise from outside */
    const md2_out_frame  *frames;
} md2_out;

/* Sets all but the name. The lowest and highest point are bytes 0 and 255 on each axis. `positions`
   and `normals` have three numbers a point; normals need not be unit vectors. */
void quantize_frame(md2_out_frame *frame, const double *positions, const double *normals,
                    uint32_t point_count);

/* The index of the unit vector that is nearest; of equals the first, on every machine. */
uint32_t nearest_normal(const double normal[3]);

/* Keeps each of the pairs of texels once, and numbers them in the vertices, of which there are as
   many. Returns how many pairs are kept. */
uint32_t join_texcoords(int16_t *texcoords, md2_out_vertex *vertices, uint32_t count);

/* The file, with GL commands: strips and fans. Points and texcoords may be up to 65,536. */
blob write_md2(const md2_out *model);

/* -- MD5 (write_md5.c) ------------------------------------------------------------------------- */

typedef struct md5_out_joint {
    const char *name;
    int32_t     parent;               /* -1 for a root */
    double      position[3], rotation[4]; /* in model space; rotation: x y z w */
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

typedef struct md5_out_part {         /* of a joint in a frame, relative to its parent */
    double number[6];                 /* position, and a rotation as stored */
} md5_out_part;

typedef struct md5_out_anim {
    uint32_t             frame_count, joint_count;
    double               fps;
    const md5_out_joint *joints;      /* names and parents */
    const md5_out_part  *parts;       /* [frame_count][joint_count] */
    const double        *bounds;      /* [frame_count] six: lowest and highest corner */
} md5_out_anim;

/* Writes x y z of the quaternion x y z w, or of its negative, which turns alike: that of them whose
   w, which no file stores, is not positive. */
void md5_stored_rotation(const double rotation[4], double xyz[3]);

blob write_md5mesh(const char *commandline, const md5_out_joint *joints, uint32_t joint_count,
                    const md5_out_mesh *meshes, uint32_t mesh_count);
blob write_md5anim(const char *commandline, const md5_out_anim *anim);

/* -- glTF 2.0, binary (write_glb.c) ------------------------------------------------------------ */

/* Everything in the axes and units of glTF: Y up, Z forward, metres, triangles counter-clockwise
   from outside, v = 0 at the top row of a picture. */
typedef struct glb_picture {
    char       *name;
    const char *type;                 /* "image/png" or "image/jpeg" */
    blob        file;
} glb_picture;

typedef struct glb_material {
    const char *name;
    int         picture;              /* -1 for none: it is missing */
    uint32_t    missing_width, missing_height; /* 0 = unknown */
} glb_material;

typedef struct glb_part {             /* of the mesh: what has one material */
    uint32_t        vertex_count, index_count, material;
    float          *positions, *normals, *texcoords;
    const uint32_t *indices;
    uint32_t        influence_count;  /* weights of a vertex; 0 if no skeleton moves it */
    uint16_t       *joints;           /* [vertex_count][influence_count]; 0 where the weight is 0 */
    float          *weights;          /* the same; of each vertex they sum to 1 */
} glb_part;

typedef struct glb_joint {            /* parents come before their children */
    const char *name;
    int32_t     parent;
    md5_xform   local;                /* in the bind pose, relative to the parent */
    float       inverse_bind[12];     /* three rows of four */
} glb_joint;

typedef struct glb_shape {            /* a morph target: where the vertices of the only part are */
    const char  *name;
    const float *positions, *normals;
} glb_shape;

#define GLB_BASE UINT32_MAX           /* no shape: the part as it is */

typedef struct glb_anim {
    const char      *name;
    double           fps;
    uint32_t         key_count;
    md5_xform       *poses;           /* [key_count][joint_count] local; NULL without joints */
    uint32_t        *shapes;          /* [key_count] or GLB_BASE; NULL without shapes */
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
/* Of the box around its parts, without any shape: long, wide and high, along Z, X and Y. */
void measure_glb(const glb_model *model, double size[3]);

#endif /* CONVERT_H_INCLUDED */
