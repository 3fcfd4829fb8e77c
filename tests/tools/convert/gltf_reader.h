/* gltf_reader.h - what the files that read glTF share. Public domain. */
#ifndef GLTF_READER_H_INCLUDED
#define GLTF_READER_H_INCLUDED

#include "names.h"
#include "read_json.h"
#include "scene.h"

typedef struct buffer {
    const uint8_t *data;              /* NULL: the file has none */
    size_t         size;
    blob           own;               /* what is not part of the .glb */
} buffer;

typedef struct view {                 /* a part of a buffer */
    const uint8_t *data;
    size_t         size, stride;      /* 0: numbers follow each other */
    bool           is_compressed;
} view;

typedef struct accessor {             /* the numbers in a view */
    const json *source;
    uint32_t    count, width;
    double     *numbers;              /* [count][width]; NULL before it is read */
} accessor;

typedef struct material_use {         /* what the numbers of a mesh have to know of its material */
    uint32_t texcoord;
    double   offset[2], scale[2], rotation;
} material_use;

typedef struct reader {
    const gltf_options *options;
    const json         *root;
    buffer             *buffers;
    view               *views;
    accessor           *accessors;
    material_use       *uses;
    const json        **textures;
    name_table          files;        /* the buffers of those beside, by their names */
    uint32_t           *new_numbers;  /* [number_room] of keep_used_vertices; 0 between calls */
    uint32_t            number_room;
    uint32_t            buffer_count, view_count, accessor_count, texture_count, skin_count;
    const uint8_t      *binary;       /* of a .glb */
    size_t              binary_size;
    scene              *s;
    char               *problem;
} reader;

/* A function that returns bool returns false after refuse. */

/* -- Messages, members (read_gltf.c) ----------------------------------------------------------- */

/* Sets the reader's problem and returns false. */
CONVERT_PRINTS(2, 3) bool refuse(reader *r, const char *format, ...);
bool   refuse_compressed(reader *r, const char *extension);
bool   begins_with(const char *text, const char *start);
char  *copy_text(const char *text);
void  *list_items(reader *r, const char *name, size_t size, uint32_t *count);
/* The values of an array, for those that are looked up by their numbers. */
const json **list_children(const json *array, uint32_t *count);

/* A whole number below a limit; where there is none, what is given. */
bool get_whole(reader *r, const json *object, const char *key, uint32_t limit, uint32_t fallback,
               uint32_t *out);
bool get_index(reader *r, const json *object, const char *key, uint32_t count, uint32_t *out);
bool get_size(reader *r, const json *object, const char *key, size_t *out); /* in bytes */

/* -- Buffers, views, accessors (read_accessors.c) ---------------------------------------------- */

bool read_buffers(reader *r);
bool read_views(reader *r);
void list_accessors(reader *r);

char *decode_uri(const char *uri);    /* %20 is a blank. Free it. */
/* What a URI names: bytes in itself, or a file beside. Returns NULL, or why there is none. */
const char *read_uri(reader *r, const char *uri, blob *out);

/* The accessor that an object names, with as many numbers a row as asked for. *out is NULL where it
   names none. */
bool   get_accessor(reader *r, const json *object, const char *key, uint32_t width,
                    const accessor **out);
bool   is_finite_list(const double *numbers, size_t count);
/* A copy as floats; NULL where a number is none. */
float *copy_floats(reader *r, const accessor *a, const char *what);

/* -- What is made of them ---------------------------------------------------------------------- */

bool read_pictures(reader *r);        /* read_materials.c */
bool read_materials(reader *r);
bool read_meshes(reader *r);          /* read_meshes.c */
bool read_nodes(reader *r);           /* read_nodes.c */
bool read_skins(reader *r);
bool list_instances(reader *r);       /* what the shown nodes show */
bool read_anims(reader *r);           /* read_anims.c */

/* Of an array of numbers in the text: the weights of morph targets (read_meshes.c). */
float *read_weights(const json *object, uint32_t count, const float *fallback);

#endif /* GLTF_READER_H_INCLUDED */
