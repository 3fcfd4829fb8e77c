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
    uint32_t    count, width;
    double     *numbers;              /* [count][width]; NULL = not read yet */
} accessor;

typedef struct material_use {         /* how a material uses the texture coordinates of a mesh */
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
    name_table          files;        /* buffers in separate files, by file name */
    uint32_t           *new_numbers;  /* [number_room] for keep_used_vertices; all 0 between
                                         calls */
    uint32_t            number_room;
    uint32_t            buffer_count, view_count, accessor_count, texture_count, skin_count;
    const uint8_t      *binary;       /* the binary chunk of a .glb */
    size_t              binary_size;
    scene              *s;
    char               *problem;
} reader;

/* Functions that return bool call refuse before they return false. */

/* -- Messages and values (read_gltf.c) --------------------------------------------------------- */

/* Sets the reader's problem and returns false. */
CONVERT_PRINTS(2, 3) bool refuse(reader *r, const char *format, ...);
bool   refuse_compressed(reader *r, const char *extension);
bool   begins_with(const char *text, const char *start);
char  *copy_text(const char *text);
void  *list_items(reader *r, const char *name, size_t size, uint32_t *count);
/* Returns the values of an array as a list, for access by index. */
const json **list_children(const json *array, uint32_t *count);

/* Reads a whole number below a limit. If the key is missing, the result is `fallback`. */
bool get_whole(reader *r, const json *object, const char *key, uint32_t limit, uint32_t fallback,
               uint32_t *out);
bool get_index(reader *r, const json *object, const char *key, uint32_t count, uint32_t *out);
bool get_size(reader *r, const json *object, const char *key, size_t *out); /* in bytes */

/* -- Buffers, views, accessors (read_accessors.c) ---------------------------------------------- */

bool read_buffers(reader *r);
bool read_views(reader *r);
void list_accessors(reader *r);

char *decode_uri(const char *uri);    /* %20 becomes a space. Free the result. */
/* Reads the bytes that a URI contains, or the file next to the model that it names. Returns NULL,
   or the reason if it fails. */
const char *read_uri(reader *r, const char *uri, blob *out);

/* Gets the accessor that a key of an object names, which must have `width` numbers per row. If the
   key is missing, *out is NULL. */
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
bool list_instances(reader *r);       /* parts of meshes in the nodes that are shown */
bool read_anims(reader *r);           /* read_anims.c */

/* Reads an array of numbers in the text: the weights of morph targets (read_meshes.c). */
float *read_weights(const json *object, uint32_t count, const float *fallback);

#endif /* GLTF_READER_H_INCLUDED */
