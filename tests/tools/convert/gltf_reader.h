/* gltf_reader.h - functions that the parts of the glTF reader share. Public domain. */
#ifndef GLTF_READER_H_INCLUDED
#define GLTF_READER_H_INCLUDED

#include "names.h"
#include "read_json.h"
#include "scene.h"

typedef struct buffer {
    const uint8_t *data;              /* NULL = the file has no bytes for this buffer */
    size_t         size;
    blob           own;               /* bytes that are not part of the .glb */
} buffer;

typedef struct view {                 /* a part of a buffer */
    const uint8_t *data;
    size_t         size, stride;      /* bytes; stride 0 = elements follow each other */
    bool           is_compressed;
} view;

typedef struct accessor {             /* the numbers in a view */
    const json *source;
    uint32_t    count, width;         /* rows, and numbers per row */
    double     *numbers;              /* [count][width]; NULL = not read yet */
} accessor;

typedef struct texture_mapping {      /* the position of a picture on a mesh */
    uint32_t texcoord;                /* number of the set of texture coordinates */
    double   offset[2], scale[2], rotation; /* rotation: radians */
} texture_mapping;

typedef struct reader {
    const gltf_options *options;
    const json         *root;
    buffer             *buffers;
    view               *views;
    accessor           *accessors;
    texture_mapping    *mappings;     /* [material_count] of the color picture */
    const json        **textures;
    name_table          files;        /* file name -> index of the buffer that has its bytes */
    uint32_t           *new_numbers;  /* [number_room] for keep_used_vertices; 0 between calls */
    uint32_t            number_room;
    uint32_t            buffer_count, view_count, accessor_count, texture_count, skin_count;
    const uint8_t      *binary;       /* the binary chunk of a .glb */
    size_t              binary_size;
    scene              *s;
    char               *problem;
} reader;

/* A function of the reader that returns bool calls refuse before it returns false. */

/* -- Messages and values (read_gltf.c) --------------------------------------------------------- */

/* Sets the reader's problem and returns false. */
CONVERT_PRINTS(2, 3) bool refuse(reader *r, const char *format, ...);
bool   refuse_compressed(reader *r, const char *extension);
/* Returns zeroed memory for the items of an array of the file, such as "nodes", and their count. */
void  *list_items(reader *r, const char *name, size_t size, uint32_t *count);
/* Returns the values of an array as a list, for access by index. Release the list. */
const json **list_children(const json *array, uint32_t *count);

/* Reads a whole number below `limit`. If the key is missing, the result is `fallback`. */
bool get_unsigned(reader *r, const json *object, const char *key, uint32_t limit, uint32_t fallback,
               uint32_t *out);
/* Reads an index below `count`. If the key is missing, the result is NO_INDEX. */
bool get_index(reader *r, const json *object, const char *key, uint32_t count, uint32_t *out);
/* Reads a number of bytes. If the key is missing, the result is 0. */
bool get_size(reader *r, const json *object, const char *key, size_t *out);

/* -- Buffers, views, accessors (read_accessors.c) ---------------------------------------------- */

bool read_buffers(reader *r);
bool read_views(reader *r);
void list_accessors(reader *r);

char *decode_uri(const char *uri);    /* %20 becomes a space. Free the result. */
/* Reads the bytes that a URI contains, or the file that it names. Returns NULL, or the reason if
   this fails. */
const char *read_uri(reader *r, const char *uri, blob *out);

/* Reads the accessor that a key of an object refers to, and refuses it unless it has `width`
   numbers per row. If the key is missing, *out is NULL. */
bool   get_accessor(reader *r, const json *object, const char *key, uint32_t width,
                    const accessor **out);
bool   is_finite_list(const double *numbers, size_t count);
/* Returns a copy as floats; NULL if a number is not finite. */
float *copy_floats(reader *r, const accessor *a, const char *what);

/* -- Contents of the scene --------------------------------------------------------------------- */

bool read_pictures(reader *r);        /* read_materials.c */
bool read_materials(reader *r);
bool read_meshes(reader *r);          /* read_meshes.c */
bool read_nodes(reader *r);           /* read_nodes.c */
bool read_skins(reader *r);
bool list_instances(reader *r);       /* the parts of the meshes of all shown nodes */
bool read_anims(reader *r);           /* read_anims.c */

/* Reads the weights of morph targets, which are numbers in the JSON text (read_meshes.c). */
float *read_weights(const json *object, uint32_t count, const float *fallback);

#endif /* GLTF_READER_H_INCLUDED */
