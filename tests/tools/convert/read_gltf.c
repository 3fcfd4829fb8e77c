/* read_gltf.c - reads glTF 2.0, .glb and .gltf, into a scene. Public domain.

   The text says where arrays lie in buffers: a view is a part of a buffer, an accessor the numbers
   in a view. Each count, offset and index is checked where it is read, so that what is in the scene
   needs no more checks. */
#include "names.h"
#include "read_json.h"
#include "scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct buffer {
    const uint8_t *data;              /* NULL: the file has none */
    size_t         size;
    blob           own;               /* what is not part of the .glb */
} buffer;

typedef struct view {
    const uint8_t *data;
    size_t         size, stride;      /* 0: numbers follow each other */
    bool           is_compressed;
} view;

typedef struct accessor {
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

/* -- Messages, memory -------------------------------------------------------------------------- */

CONVERT_PRINTS(2, 3) static bool refuse(reader *r, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(r->problem, 256, format, values);
    va_end(values);
    return false;
}

static bool refuse_compressed(reader *r, const char *extension)
{
    return refuse(r,
                  "its meshes are compressed (%s): export it from Blender without compression, or "
                  "run npx @gltf-transform/cli copy in.glb out.glb", extension);
}

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char  *copy = (char *)allocate(size, 1);
    memcpy(copy, text, size);
    return copy;
}

static void *list_items(reader *r, const char *name, size_t size, uint32_t *count)
{
    *count = count_children(member(r->root, name));
    return allocate(*count, size);
}

/* The values of an array, for those that are looked up by their numbers. */
static const json **list_children(const json *array, uint32_t *count)
{
    *count = count_children(array);
    const json **list = (const json **)allocate(*count, sizeof *list), **at = list;
    for (const json *c = first_child(array); c; c = next_child(array, c)) *at++ = c;
    return list;
}

/* -- Whole numbers ----------------------------------------------------------------------------- */

/* A whole number below a limit; where there is none, what is given. */
static bool get_whole(reader *r, const json *object, const char *key, uint32_t limit,
                      uint32_t otherwise, uint32_t *out)
{
    const json *value = member(object, key);
    *out = otherwise;
    if (!value) return true;

    bool is_whole = value->kind == JSON_NUMBER && value->number >= 0 && value->number < limit &&
                    !(floor(value->number) < value->number);
    if (!is_whole) {
        return refuse(r, "it is damaged: \"%s\" is no number below %u", key, (unsigned)limit);
    }
    *out = (uint32_t)value->number;
    return true;
}

static bool get_index(reader *r, const json *object, const char *key, uint32_t count, uint32_t *out)
{
    return get_whole(r, object, key, count, NO_INDEX, out);
}

/* A number of bytes, which doubles have exactly up to here. */
static bool get_size(reader *r, const json *object, const char *key, size_t *out)
{
    const double most = 4503599627370496.0;
    double       value = number_of(object, key, 0);
    bool         is_size = value >= 0 && value <= most && !(floor(value) < value) &&
                   value <= (double)(SIZE_MAX / 2);
    *out = is_size ? (size_t)value : 0;
    return is_size || refuse(r, "it is damaged: \"%s\" is no number of bytes", key);
}

/* -- Buffers ----------------------------------------------------------------------------------- */

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* %20 is a blank. Free it. */
static char *decode_uri(const char *uri)
{
    char *name = copy_text(uri), *out = name;
    for (const char *c = uri; *c; ++c) {
        int high = *c == '%' ? hex_digit(c[1]) : -1, low = high >= 0 ? hex_digit(c[2]) : -1;
        int code = low >= 0 ? high * 16 + low : 0;
        *out++ = code > 0 ? (char)code : *c;
        if (code > 0) c += 2;
    }
    *out = 0;
    return name;
}

static int base64_digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char       *digit = c ? strchr(digits, c) : NULL;
    return digit ? (int)(digit - digits) : -1;
}

static void decode_base64(const char *text, blob *out)
{
    uint32_t bits = 0, bit_count = 0;
    for (; base64_digit(*text) >= 0; ++text) {
        bits = bits << 6 | (uint32_t)base64_digit(*text);
        bit_count += 6;
        if (bit_count < 8) continue;
        bit_count -= 8;
        put_byte(out, bits >> bit_count);
        bits &= (1u << bit_count) - 1;
    }
}

/* What a URI names: bytes in itself, or a file beside. Returns NULL, or why there is none. */
static const char *read_uri(reader *r, const char *uri, blob *out)
{
    if (begins_with(uri, "data:")) {
        const char *comma = strchr(uri, ',');
        bool        is_base64 = comma && comma - uri >= 7 && memcmp(comma - 7, ";base64", 7) == 0;
        if (!is_base64) return "is no base64";
        decode_base64(comma + 1, out);
        return NULL;
    }
    if (!r->options->read_beside) return "is not there";

    char       *name = decode_uri(uri);
    const char *problem = r->options->read_beside(r->options->user, name, out);
    release(name);
    return problem;
}

static bool read_buffer(reader *r, const json *source, uint32_t index)
{
    buffer     *b = &r->buffers[index];
    const char *uri = text_of(source, "uri", NULL);
    size_t      size;
    if (!get_size(r, source, "byteLength", &size)) return false;

    const uint32_t *known = uri ? find_name(&r->files, uri) : NULL;
    if (known) {
        b->data = r->buffers[*known].own.data;
        b->size = r->buffers[*known].own.size;
    } else if (uri) {
        const char *problem = read_uri(r, uri, &b->own);
        if (problem) return refuse(r, "%.120s, which it needs, %s", uri, problem);
        b->data = b->own.data;
        b->size = b->own.size;
        add_name(&r->files, uri, index);
    } else if (index == 0) {
        b->data = r->binary;
        b->size = r->binary_size;
    }

    /* A buffer without bytes is one that an extension fills. */
    if (b->data && b->size < size) return refuse(r, "it is cut short");
    if (b->data) b->size = size;
    return true;
}

static bool read_buffers(reader *r)
{
    const json *list = member(r->root, "buffers");
    uint32_t    index = 0;
    r->buffers = (buffer *)list_items(r, "buffers", sizeof *r->buffers, &r->buffer_count);
    for (const json *b = first_child(list); b; b = next_child(list, b)) {
        if (!read_buffer(r, b, index++)) return false;
    }
    return true;
}

static bool read_view(reader *r, const json *source, view *v)
{
    uint32_t index;
    size_t   offset, size;
    v->is_compressed = member(member(source, "extensions"), "EXT_meshopt_compression") ||
                       member(member(source, "extensions"), "KHR_meshopt_compression");
    if (!get_index(r, source, "buffer", r->buffer_count, &index)) return false;
    if (!get_size(r, source, "byteOffset", &offset) || !get_size(r, source, "byteLength", &size) ||
        !get_size(r, source, "byteStride", &v->stride)) {
        return false;
    }
    if (index == NO_INDEX) return refuse(r, "it is damaged: a view has no buffer");

    const buffer *b = &r->buffers[index];
    if (!b->data) return true;
    if (offset > b->size || size > b->size - offset) {
        return refuse(r, "it is damaged: a view is larger than its buffer");
    }
    v->data = b->data + offset;
    v->size = size;
    return true;
}

static bool read_views(reader *r)
{
    const json *list = member(r->root, "bufferViews");
    view       *v = (view *)list_items(r, "bufferViews", sizeof *v, &r->view_count);
    r->views = v;
    for (const json *source = first_child(list); source; source = next_child(list, source)) {
        if (!read_view(r, source, v++)) return false;
    }
    return true;
}

/* -- Accessors --------------------------------------------------------------------------------- */

typedef enum component {
    BYTE = 5120, UNSIGNED_BYTE = 5121, SHORT = 5122, UNSIGNED_SHORT = 5123, UNSIGNED_INT = 5125,
    FLOAT = 5126
} component;

static size_t component_size(uint32_t type)
{
    switch (type) {
        case BYTE: case UNSIGNED_BYTE:   return 1;
        case SHORT: case UNSIGNED_SHORT: return 2;
        case UNSIGNED_INT: case FLOAT:   return 4;
        default:                         return 0;
    }
}

static double get_number(const uint8_t *at, uint32_t type)
{
    uint32_t bits = at[0];
    float    x;
    if (component_size(type) > 1) bits |= (uint32_t)at[1] << 8;
    if (component_size(type) > 2) bits |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    switch (type) {
        case BYTE:  return bits < 0x80 ? (double)bits : (double)bits - 0x100;
        case SHORT: return bits < 0x8000 ? (double)bits : (double)bits - 0x10000;
        case FLOAT: memcpy(&x, &bits, sizeof x); return (double)x;
        default:    return (double)bits;
    }
}

/* A whole number stands for a share of the largest one. */
static double to_share(double x, uint32_t type)
{
    switch (type) {
        case BYTE:           return fmax(x / 127, -1);
        case UNSIGNED_BYTE:  return x / 255;
        case SHORT:          return fmax(x / 32767, -1);
        case UNSIGNED_SHORT: return x / 65535;
        default:             return x;
    }
}

static uint32_t width_of(const char *type)
{
    static const struct { const char *type; uint32_t width; } types[] = {
        { "SCALAR", 1 }, { "VEC2", 2 }, { "VEC3", 3 }, { "VEC4", 4 }, { "MAT4", 16 }
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        if (strcmp(types[i].type, type) == 0) return types[i].width;
    }
    return 0;
}

typedef struct strided {              /* elements of a view, all inside of it */
    const uint8_t *data;
    size_t         stride;
} strided;

static bool find_elements(reader *r, const json *source, uint32_t count, size_t element,
                          strided *out)
{
    uint32_t index;
    size_t   offset;
    if (!get_index(r, source, "bufferView", r->view_count, &index)) return false;
    if (!get_size(r, source, "byteOffset", &offset)) return false;
    if (index == NO_INDEX) return refuse(r, "it is damaged: an accessor has no view");

    const view *v = &r->views[index];
    if (!v->data && v->is_compressed) return refuse_compressed(r, "EXT_meshopt_compression");
    if (!v->data) return refuse(r, "it is damaged: a buffer has no bytes");
    out->stride = v->stride > 0 ? v->stride : element;
    if (count == 0) return true;

    bool fits = offset <= v->size && element <= v->size - offset &&
                (count == 1 || out->stride <= (v->size - offset - element) / (count - 1));
    if (!fits) return refuse(r, "it is damaged: an accessor is larger than its view");
    out->data = v->data + offset;
    return true;
}

static void read_numbers(const strided *from, uint32_t type, bool is_share, uint32_t width,
                         uint32_t index, double *out)
{
    const uint8_t *at = from->data + from->stride * index;
    for (uint32_t k = 0; k < width; ++k) {
        double x = get_number(at + k * component_size(type), type);
        out[k] = is_share ? to_share(x, type) : x;
    }
}

/* Some elements have other numbers than those in the view. */
static bool read_sparse(reader *r, accessor *a, uint32_t type, bool is_share)
{
    const json *sparse = member(a->source, "sparse");
    const json *indices = member(sparse, "indices"), *values = member(sparse, "values");
    uint32_t    count, index_type;
    strided     index_at, value_at;
    if (!sparse) return true;
    if (!get_whole(r, sparse, "count", UINT32_MAX, 0, &count)) return false;
    if (!get_whole(r, indices, "componentType", FLOAT, 0, &index_type)) return false;
    size_t size = component_size(index_type);
    if (size == 0) return refuse(r, "it is damaged: bad indices of a sparse accessor");
    if (!find_elements(r, indices, count, size, &index_at)) return false;
    if (!find_elements(r, values, count, a->width * component_size(type), &value_at)) return false;

    for (uint32_t i = 0; i < count; ++i) {
        double index = get_number(index_at.data + index_at.stride * i, index_type);
        if (!(index >= 0 && index < a->count)) {
            return refuse(r, "it is damaged: bad indices of a sparse accessor");
        }
        read_numbers(&value_at, type, is_share, a->width, i,
                     a->numbers + (size_t)a->width * (uint32_t)index);
    }
    return true;
}

static bool read_accessor(reader *r, accessor *a)
{
    uint32_t type;
    bool     is_share = is_true(a->source, "normalized");
    a->width = width_of(text_of(a->source, "type", ""));
    if (!get_whole(r, a->source, "count", UINT32_MAX, 0, &a->count)) return false;
    if (!get_whole(r, a->source, "componentType", FLOAT + 1, 0, &type)) return false;
    bool is_known = a->width > 0 && component_size(type) > 0 && (a->width < 16 || type == FLOAT);
    if (!is_known) return refuse(r, "it is damaged: an accessor is of no known type");

    strided from = { NULL, 0 };
    size_t  element = a->width * component_size(type);
    bool    has_view = member(a->source, "bufferView") != NULL;
    if (has_view && !find_elements(r, a->source, a->count, element, &from)) return false;

    a->numbers = (double *)allocate(a->count, a->width * sizeof(double));
    for (uint32_t i = 0; has_view && i < a->count; ++i) {
        read_numbers(&from, type, is_share, a->width, i, a->numbers + (size_t)a->width * i);
    }
    return read_sparse(r, a, type, is_share);
}

/* The accessor that an object names, with as many numbers a row as asked for. *out is NULL where it
   names none. */
static bool get_accessor(reader *r, const json *object, const char *key, uint32_t width,
                         const accessor **out)
{
    uint32_t index;
    *out = NULL;
    if (!get_index(r, object, key, r->accessor_count, &index)) return false;
    if (index == NO_INDEX) return true;

    accessor *a = &r->accessors[index];
    if (!a->numbers && !read_accessor(r, a)) return false;
    bool is_colour = width == 4 && a->width == 3 && begins_with(key, "COLOR");
    if (a->width != width && !is_colour) {
        return refuse(r, "it is damaged: \"%s\" has %u numbers a row", key, (unsigned)a->width);
    }
    *out = a;
    return true;
}

static void list_accessors(reader *r)
{
    const json *list = member(r->root, "accessors");
    accessor   *a = (accessor *)list_items(r, "accessors", sizeof *a, &r->accessor_count);
    r->accessors = a;
    for (const json *c = first_child(list); c; c = next_child(list, c)) (a++)->source = c;
}

static bool is_finite_list(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!(fabs(numbers[i]) <= (double)3.4e38f)) return false;
    }
    return true;
}

/* A copy as floats; NULL where a number is none. */
static float *copy_floats(reader *r, const accessor *a, const char *what)
{
    size_t count = (size_t)a->count * a->width;
    if (!is_finite_list(a->numbers, count)) {
        refuse(r, "it is damaged: numbers of \"%s\" are none", what);
        return NULL;
    }
    float *out = (float *)allocate(count, sizeof *out);
    for (size_t i = 0; i < count; ++i) out[i] = (float)a->numbers[i];
    return out;
}

/* -- Pictures and materials -------------------------------------------------------------------- */

static const char *picture_extension(const blob *file)
{
    static const struct { const char *start, *extension; size_t at, size; } kinds[] = {
        { "\x89PNG", ".png", 0, 4 }, { "\xff\xd8\xff", ".jpg", 0, 3 }, { "WEBP", ".webp", 8, 4 },
        { "\xabKTX", ".ktx2", 0, 4 }, { "DDS ", ".dds", 0, 4 }, { "BM", ".bmp", 0, 2 }
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        bool is_long = file->size >= kinds[i].at + kinds[i].size;
        if (is_long && memcmp(file->data + kinds[i].at, kinds[i].start, kinds[i].size) == 0) {
            return kinds[i].extension;
        }
    }
    return "";
}

/* "hero.png" is hero: of other names, as "Material.001", all stays. */
static void cut_extension(char *name)
{
    static const char *const extensions[] = { ".png",  ".jpg", ".jpeg", ".webp", ".ktx2", ".dds",
                                              ".tga", ".bmp", ".PNG",  ".JPG",  ".JPEG", ".TGA" };
    char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof extensions / sizeof *extensions; ++i) {
        if (strcmp(dot, extensions[i]) != 0) continue;
        *dot = 0;
        return;
    }
}

static bool read_picture_file(reader *r, const json *source, scene_picture *p)
{
    const char *uri = text_of(source, "uri", NULL);
    uint32_t    index;
    if (!get_index(r, source, "bufferView", r->view_count, &index)) return false;
    if (index != NO_INDEX) {
        const view *v = &r->views[index];
        put(&p->file, v->data, v->size);
    } else {
        const char *problem = uri ? read_uri(r, uri, &p->file) : NULL;
        if (problem && r->options->note) r->options->note("the picture %.200s %s", uri, problem);
    }

    /* What is none would be copied as it is. */
    snprintf(p->extension, sizeof p->extension, "%s", picture_extension(&p->file));
    if (p->file.size == 0 || p->extension[0]) return true;
    free_blob(&p->file);
    if (r->options->note) r->options->note("\"%.100s\" is no picture: left out", p->name);
    return true;
}

static bool read_pictures(reader *r)
{
    const json    *list = member(r->root, "images");
    scene_picture *p = (scene_picture *)list_items(r, "images", sizeof *p, &r->s->picture_count);
    r->s->pictures = p;
    for (const json *source = first_child(list); source; source = next_child(list, source), ++p) {
        const char *uri = text_of(source, "uri", "");
        char       *from_uri = decode_uri(begins_with(uri, "data:") ? "" : uri);
        const char *slash = strrchr(from_uri, '/');
        p->name = copy_text(text_of(source, "name", slash ? slash + 1 : from_uri));
        release(from_uri);
        cut_extension(p->name);
        if (!read_picture_file(r, source, p)) return false;
    }
    return true;
}

/* The picture of a texture: where there are several, the one that all programs read. */
static bool get_texture_picture(reader *r, const json *info, uint32_t *picture)
{
    uint32_t index, count = r->s->picture_count;
    *picture = NO_INDEX;
    if (!get_index(r, info, "index", r->texture_count, &index)) return false;
    if (index == NO_INDEX) return true;

    const json *texture = r->textures[index], *extensions = member(texture, "extensions");
    if (!get_index(r, texture, "source", count, picture)) return false;
    if (*picture == NO_INDEX) {
        const json *webp = member(extensions, "EXT_texture_webp");
        const json *basis = member(extensions, "KHR_texture_basisu");
        if (!get_index(r, webp ? webp : basis, "source", count, picture)) return false;
    }
    return true;
}

static bool read_use(reader *r, const json *info, material_use *use)
{
    const json *transform_info = member(member(info, "extensions"), "KHR_texture_transform");
    const uint32_t most = MOST_SCENE_INFLUENCES;
    use->scale[0] = use->scale[1] = 1;
    if (!get_whole(r, info, "texCoord", most, 0, &use->texcoord)) return false;
    if (!transform_info) return true;

    numbers_of(transform_info, "offset", use->offset, 2);
    numbers_of(transform_info, "scale", use->scale, 2);
    use->rotation = number_of(transform_info, "rotation", 0);
    if (!is_finite_list(use->offset, 2) || !is_finite_list(use->scale, 2) ||
        !is_finite_list(&use->rotation, 1)) {
        return refuse(r, "it is damaged: numbers of KHR_texture_transform are none");
    }
    return get_whole(r, transform_info, "texCoord", most, use->texcoord, &use->texcoord);
}


static void read_alpha(const json *source, scene_material *m)
{
    const char *mode = text_of(source, "alphaMode", "OPAQUE");
    m->alpha = strcmp(mode, "BLEND") == 0 ? ALPHA_BLENDS : ALPHA_NONE;
    if (strcmp(mode, "MASK") == 0) m->alpha = ALPHA_CUTS;
    m->cutoff = m->alpha == ALPHA_CUTS ? number_of(source, "alphaCutoff", 0.5) : 0.5;
}

/* What shines. Its picture lies where that of the colour does; one that lies elsewhere is left
   out. */
static bool read_emission(reader *r, const json *source, bool has_info, scene_material *m,
                          material_use *use)
{
    const json  *info = member(source, "emissiveTexture");
    const json  *stronger = member(member(source, "extensions"), "KHR_materials_emissive_strength");
    double       colour[3] = { 0, 0, 0 }, strength = number_of(stronger, "emissiveStrength", 1);
    material_use own;
    memset(&own, 0, sizeof own);
    m->emission_picture = NO_INDEX;
    numbers_of(source, "emissiveFactor", colour, 3);
    for (int k = 0; k < 3; ++k) m->emission[k] = (float)fmin(fmax(colour[k] * strength, 0), 1e6);
    if (!get_texture_picture(r, info, &m->emission_picture) || !read_use(r, info, &own)) return false;

    bool shines = m->emission[0] > 0 || m->emission[1] > 0 || m->emission[2] > 0;
    if (!info || !shines) return true;
    if (!has_info) *use = own;
    if (memcmp(&own, use, sizeof own) == 0) return true;
    memset(m->emission, 0, sizeof m->emission);
    if (r->options->note) {
        r->options->note("\"%.100s\": what shines has texture coordinates of its own, and is left out",
                         m->name);
    }
    return true;
}

static bool read_material(reader *r, const json *source, scene_material *m, material_use *use)
{
    const json *plain = member(source, "pbrMetallicRoughness");
    const json *glossy = member(member(source, "extensions"),
                                "KHR_materials_pbrSpecularGlossiness");
    const json *missing = member(member(source, "extras"), "missing_picture");
    const json *info = member(plain, "baseColorTexture");
    double      colour[4] = { 1, 1, 1, 1 };
    if (!info) info = member(glossy, "diffuseTexture");
    numbers_of(plain, "baseColorFactor", colour, 4);
    if (!member(plain, "baseColorTexture")) numbers_of(glossy, "diffuseFactor", colour, 4);

    m->name = copy_text(text_of(source, "name", ""));
    for (int k = 0; k < 4; ++k) m->colour[k] = (float)fmin(fmax(colour[k], 0), 1);
    read_alpha(source, m);
    m->is_two_sided = is_true(source, "doubleSided");
    m->is_unpainted = missing != NULL;
    if (!get_whole(r, missing, "width", 1 << 16, 0, &m->missing_width)) return false;
    if (!get_whole(r, missing, "height", 1 << 16, 0, &m->missing_height)) return false;
    return get_texture_picture(r, info, &m->picture) && read_use(r, info, use) &&
           read_emission(r, source, info != NULL, m, use);
}

static bool read_materials(reader *r)
{
    const json     *list = member(r->root, "materials");
    scene_material *m = (scene_material *)list_items(r, "materials", sizeof *m,
                                                     &r->s->material_count);
    material_use   *use = (material_use *)allocate(r->s->material_count, sizeof *use);
    r->s->materials = m;
    r->uses = use;
    r->textures = list_children(member(r->root, "textures"), &r->texture_count);
    for (const json *source = first_child(list); source; source = next_child(list, source)) {
        if (!read_material(r, source, m++, use++)) return false;
    }
    return true;
}

/* -- Meshes: triangles ------------------------------------------------------------------------- */

enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };

/* The corner `k` of a triangle, as a place in the list of vertices. */
static uint32_t corner_of(uint32_t mode, uint32_t triangle, uint32_t k)
{
    if (mode == TRIANGLES) return 3 * triangle + k;
    if (mode == FAN) return k == 0 ? 0 : triangle + k;

    /* Every other triangle of a strip would face the other way. */
    bool turns = triangle % 2 == 1 && k > 0;
    return triangle + (turns ? 3 - k : k);
}

static bool read_triangles(reader *r, const json *source, uint32_t mode, uint32_t vertex_count,
                           scene_part *part)
{
    const accessor *a;
    if (!get_accessor(r, source, "indices", 1, &a)) return false;
    uint32_t listed = a ? a->count : vertex_count;
    uint32_t triangle_count = mode == TRIANGLES ? listed / 3 : listed < 3 ? 0 : listed - 2;
    part->indices = (uint32_t *)allocate(triangle_count, 3 * sizeof *part->indices);

    for (uint32_t i = 0; i < triangle_count; ++i) {
        uint32_t corners[3];
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t place = corner_of(mode, i, k);
            double   vertex = a ? a->numbers[place] : (double)place;
            if (!(vertex >= 0 && vertex < vertex_count)) {
                return refuse(r, "it is damaged: a triangle has no such vertex");
            }
            corners[k] = (uint32_t)vertex;
        }
        bool is_line = corners[0] == corners[1] || corners[1] == corners[2] ||
                       corners[2] == corners[0];
        if (is_line) continue;
        memcpy(part->indices + part->index_count, corners, sizeof corners);
        part->index_count += 3;
    }
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Vertices that no triangle uses go. Returns the others, by their old numbers. Many small parts may
   share the vertices of one large accessor, so it looks at those of its triangles alone. */
static uint32_t *keep_used_vertices(reader *r, uint32_t vertex_count, scene_part *part)
{
    uint32_t *kept = (uint32_t *)allocate(part->index_count, sizeof *kept);
    if (r->number_room < vertex_count) {
        release(r->new_numbers);
        r->new_numbers = (uint32_t *)allocate(vertex_count, sizeof *r->new_numbers);
        r->number_room = vertex_count;
    }
    for (uint32_t i = 0; i < part->index_count; ++i) {
        uint32_t *number = &r->new_numbers[part->indices[i]];
        if (*number == 0) kept[part->vertex_count++] = part->indices[i];
        *number = 1;
    }
    qsort(kept, part->vertex_count, sizeof *kept, compare_numbers);
    for (uint32_t i = 0; i < part->vertex_count; ++i) r->new_numbers[kept[i]] = i;
    for (uint32_t i = 0; i < part->index_count; ++i) {
        part->indices[i] = r->new_numbers[part->indices[i]];
    }
    for (uint32_t i = 0; i < part->vertex_count; ++i) r->new_numbers[kept[i]] = 0;
    return kept;
}

/* -- Meshes: what vertices have ---------------------------------------------------------------- */

typedef struct vertex_source {        /* of a part */
    const json     *attributes;
    const uint32_t *kept;
    uint32_t        count;            /* of the vertices in the file */
    const scene_part *part;
} vertex_source;

/* The accessor of an attribute, which has a row for each vertex. */
static bool get_attribute(reader *r, const vertex_source *from, const char *name, uint32_t width,
                          const accessor **out)
{
    if (!get_accessor(r, from->attributes, name, width, out)) return false;
    bool is_short = *out && (*out)->count < from->count;
    return is_short ? refuse(r, "it is damaged: \"%s\" has too few rows", name) : true;
}

/* The rows of the vertices that are kept; *out stays NULL where there is no such attribute. What is
   no number is 0 where the mesh can do without: `is_strict` refuses it. */
static bool read_rows(reader *r, const vertex_source *from, const char *name, uint32_t width,
                      bool is_strict, float **out)
{
    const accessor *a;
    if (!get_attribute(r, from, name, width, &a)) return false;
    if (!a) return true;

    *out = (float *)allocate(from->part->vertex_count, width * sizeof(float));
    for (uint32_t i = 0; i < from->part->vertex_count; ++i) {
        const double *row = a->numbers + (size_t)a->width * from->kept[i];
        for (uint32_t k = 0; k < width; ++k) {
            double x = k < a->width ? row[k] : 1; /* alpha of a colour that has none */
            bool   is_number = is_finite_list(&x, 1);
            if (!is_number && is_strict) {
                return refuse(r, "it is damaged: numbers of \"%s\" are none", name);
            }
            (*out)[(size_t)width * i + k] = is_number ? (float)x : 0;
        }
    }
    return true;
}

/* JOINTS_0 and WEIGHTS_0 have four influences of each vertex, JOINTS_1 and WEIGHTS_1 the next. */
static bool read_influences(reader *r, const vertex_source *from, scene_part *part)
{
    const accessor *joints[MOST_SCENE_INFLUENCES / 4], *weights[MOST_SCENE_INFLUENCES / 4];
    uint32_t        sets = 0;
    for (; sets < MOST_SCENE_INFLUENCES / 4; ++sets) {
        char joint_name[16], weight_name[16];
        snprintf(joint_name, sizeof joint_name, "JOINTS_%u", (unsigned)sets);
        snprintf(weight_name, sizeof weight_name, "WEIGHTS_%u", (unsigned)sets);
        if (!get_attribute(r, from, joint_name, 4, &joints[sets])) return false;
        if (!get_attribute(r, from, weight_name, 4, &weights[sets])) return false;
        if (!joints[sets] || !weights[sets]) break;
    }

    size_t room = (size_t)part->vertex_count * 4 * sets;
    part->influence_count = 4 * sets;
    part->joints = (uint16_t *)allocate(room, sizeof *part->joints);
    part->weights = (float *)allocate(room, sizeof *part->weights);
    for (size_t i = 0; i < room; ++i) {
        size_t set = i / 4 % sets, at = 4 * (size_t)from->kept[i / (4 * sets)] + i % 4;
        double weight = weights[set]->numbers[at], joint = joints[set]->numbers[at];
        bool   counts = weight > 0 && is_finite_list(&weight, 1); /* so NaN does not */
        if (!counts) continue;
        if (!(joint >= 0 && joint < 65536)) {
            return refuse(r, "it is damaged: there is no such joint");
        }
        part->joints[i] = (uint16_t)joint;
        part->weights[i] = (float)weight;
    }
    return true;
}

static void transform_texcoords(const material_use *use, scene_part *part)
{
    double c = cos(use->rotation), s = sin(use->rotation);
    for (size_t i = 0; part->texcoords && i < part->vertex_count; ++i) {
        double u = use->scale[0] * (double)part->texcoords[2 * i];
        double v = use->scale[1] * (double)part->texcoords[2 * i + 1];
        double moved[2] = { use->offset[0] + c * u + s * v, use->offset[1] - s * u + c * v };
        bool   is_finite = is_finite_list(moved, 2);
        part->texcoords[2 * i] = is_finite ? (float)moved[0] : 0;
        part->texcoords[2 * i + 1] = is_finite ? (float)moved[1] : 0;
    }
}

static bool read_texcoords(reader *r, const vertex_source *from, scene_part *part)
{
    static const material_use none = { 0, { 0, 0 }, { 1, 1 }, 0 };
    const material_use       *use = part->material == NO_INDEX ? &none : &r->uses[part->material];
    char                      name[16];
    snprintf(name, sizeof name, "TEXCOORD_%u", (unsigned)use->texcoord);
    if (!read_rows(r, from, name, 2, false, &part->texcoords)) return false;
    transform_texcoords(use, part);
    return true;
}

static bool read_targets(reader *r, const json *source, vertex_source from, scene_part *part)
{
    const json *list = member(source, "targets");
    part->targets = (scene_target *)allocate(count_children(list), sizeof *part->targets);
    for (const json *c = first_child(list); c; c = next_child(list, c)) {
        scene_target *target = &part->targets[part->target_count++];
        from.attributes = c;
        if (!read_rows(r, &from, "POSITION", 3, true, &target->positions)) return false;
        if (!read_rows(r, &from, "NORMAL", 3, false, &target->normals)) return false;
    }
    return true;
}

static void add_cross(const float *a, const float *b, const float *c, double out[3])
{
    double u[3], v[3];
    for (int k = 0; k < 3; ++k) u[k] = (double)b[k] - (double)a[k];
    for (int k = 0; k < 3; ++k) v[k] = (double)c[k] - (double)a[k];
    for (int k = 0; k < 3; ++k) {
        out[k] += u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    }
}

static uint32_t hash_place(const float place[3])
{
    uint32_t words[3], hash = 2166136261u;
    float    sum[3] = { place[0] + 0.0f, place[1] + 0.0f, place[2] + 0.0f }; /* 0 for -0 */
    memcpy(words, sum, sizeof words);
    for (int k = 0; k < 3; ++k) hash = (hash ^ words[k]) * 16777619u;
    return hash ^ hash >> 15;
}

/* [vertex_count] the first vertex that is at the same place. */
static void find_first_at_place(const scene_part *part, uint32_t *first)
{
    uint32_t  slot_count = 2 * part->vertex_count + 1;
    uint32_t *slots = (uint32_t *)allocate(slot_count, sizeof *slots); /* 1 + a vertex */
    for (uint32_t i = 0; i < part->vertex_count; ++i) {
        const float *place = part->positions + 3 * (size_t)i;
        uint32_t     slot = hash_place(place) % slot_count;
        for (; slots[slot]; slot = (slot + 1) % slot_count) {
            const float *other = part->positions + 3 * (size_t)(slots[slot] - 1);
            bool         is_same = !(other[0] < place[0] || other[0] > place[0] ||
                             other[1] < place[1] || other[1] > place[1] ||
                             other[2] < place[2] || other[2] > place[2]);
            if (is_same) break;
        }
        if (!slots[slot]) slots[slot] = i + 1;
        first[i] = slots[slot] - 1;
    }
    release(slots);
}

/* The mean of the triangles around each place, larger ones more: nothing is known of edges. */
static void compute_normals(scene_part *part)
{
    uint32_t    *first = (uint32_t *)allocate(part->vertex_count, sizeof *first);
    double      *sums = (double *)allocate(part->vertex_count, 3 * sizeof *sums);
    const float *p = part->positions;
    part->normals = (float *)allocate(part->vertex_count, 3 * sizeof *part->normals);
    find_first_at_place(part, first);
    for (uint32_t i = 0; i < part->index_count; ++i) {
        const uint32_t *corners = part->indices + i / 3 * 3;
        add_cross(p + 3 * (size_t)corners[0], p + 3 * (size_t)corners[1],
                  p + 3 * (size_t)corners[2], sums + 3 * (size_t)first[part->indices[i]]);
    }
    for (uint32_t i = 0; i < part->vertex_count; ++i) {
        const double *n = sums + 3 * (size_t)first[i];
        double        length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        bool          is_normal = length > 0 && length < HUGE_VAL;
        for (size_t k = 0; is_normal && k < 3; ++k) {
            part->normals[3 * (size_t)i + k] = (float)(n[k] / length);
        }
    }
    release(first);
    release(sums);
}

/* -- Meshes ------------------------------------------------------------------------------------ */

static bool read_vertices(reader *r, const json *source, const vertex_source *from,
                          scene_part *part)
{
    if (!read_rows(r, from, "POSITION", 3, true, &part->positions)) return false;
    if (!read_rows(r, from, "NORMAL", 3, false, &part->normals)) return false;
    part->is_flat = !part->normals;
    if (part->is_flat) compute_normals(part);
    if (!read_rows(r, from, "COLOR_0", 4, false, &part->colours)) return false;
    return read_texcoords(r, from, part) && read_influences(r, from, part) &&
           read_targets(r, source, *from, part);
}

/* A part without triangles is left out: its index_count is 0. */
static bool read_part(reader *r, const json *source, const char *mesh, scene_part *part)
{
    uint32_t        mode;
    const accessor *positions = NULL;
    vertex_source   from = { member(source, "attributes"), NULL, 0, part };
    if (!get_whole(r, source, "mode", FAN + 1, TRIANGLES, &mode)) return false;
    if (!get_index(r, source, "material", r->s->material_count, &part->material)) return false;

    if (mode >= TRIANGLES && !get_attribute(r, &from, "POSITION", 3, &positions)) return false;
    from.count = positions ? positions->count : 0;
    if (positions && !read_triangles(r, source, mode, from.count, part)) return false;
    if (part->index_count == 0) {
        if (r->options->note) {
            r->options->note("a part of mesh \"%.100s\" has no triangles: left out", mesh);
        }
        return true;
    }

    uint32_t *kept = keep_used_vertices(r, from.count, part);
    from.kept = kept;
    bool is_good = read_vertices(r, source, &from, part);
    release(kept);
    return is_good;
}

/* Of an array of numbers in the text: the weights of morph targets. */
static float *read_weights(const json *object, uint32_t count, const float *otherwise)
{
    float  *out = (float *)allocate(count, sizeof *out);
    double *numbers = (double *)allocate(count, sizeof *numbers);
    bool    is_given = count > 0 && numbers_of(object, "weights", numbers, count) == count &&
                    is_finite_list(numbers, count);
    for (uint32_t i = 0; i < count; ++i) {
        if (is_given) out[i] = (float)numbers[i];
        else out[i] = otherwise ? otherwise[i] : 0;
    }
    release(numbers);
    return out;
}

static bool read_mesh(reader *r, const json *source, scene_mesh *mesh)
{
    const json *list = member(source, "primitives");
    mesh->name = copy_text(text_of(source, "name", ""));
    mesh->parts = (scene_part *)allocate(count_children(list), sizeof *mesh->parts);
    for (const json *c = first_child(list); c; c = next_child(list, c)) {
        scene_part *part = &mesh->parts[mesh->part_count++];
        if (!read_part(r, c, mesh->name, part)) return false;

        /* All parts have the same targets. */
        if (mesh->part_count == 1) mesh->target_count = count_children(member(c, "targets"));
        bool is_short = part->index_count > 0 && part->target_count != mesh->target_count;
        if (is_short) return refuse(r, "it is damaged: parts of a mesh have other morph targets");
    }
    mesh->rest_weights = read_weights(source, mesh->target_count, NULL);
    return true;
}

static bool read_meshes(reader *r)
{
    const json *list = member(r->root, "meshes");
    scene_mesh *mesh = (scene_mesh *)list_items(r, "meshes", sizeof *mesh, &r->s->mesh_count);
    r->s->meshes = mesh;
    for (const json *source = first_child(list); source; source = next_child(list, source)) {
        if (!read_mesh(r, source, mesh++)) return false;
    }
    return true;
}

/* -- Nodes ------------------------------------------------------------------------------------- */

/* What an animation of another file does not move stays as the matrix has it. */
static void split_matrix(scene_node *n)
{
    const matrix *m = &n->own_matrix;
    double        size = 1, uneven;
    split_turn(m, n->turn, &size, &uneven);
    for (int k = 0; k < 3; ++k) {
        double length = sqrt(m->m[0][k] * m->m[0][k] + m->m[1][k] * m->m[1][k] + m->m[2][k] * m->m[2][k]);
        n->place[k] = m->m[k][3];
        n->size[k] = size < 0 ? -length : length;
    }
}

static bool read_place(reader *r, const json *source, scene_node *n)
{
    double columns[16];
    n->size[0] = n->size[1] = n->size[2] = n->turn[3] = 1;
    numbers_of(source, "translation", n->place, 3);
    numbers_of(source, "rotation", n->turn, 4);
    numbers_of(source, "scale", n->size, 3);
    n->has_matrix = numbers_of(source, "matrix", columns, 16) == 16;
    for (int i = 0; n->has_matrix && i < 12; ++i) {
        n->own_matrix.m[i / 4][i % 4] = columns[i % 4 * 4 + i / 4];
    }
    if (n->has_matrix) split_matrix(n);
    bool is_finite = is_finite_list(n->place, 3) && is_finite_list(n->turn, 4) &&
                     is_finite_list(n->size, 3) && is_finite_list(n->own_matrix.m[0], 12);
    return is_finite ? true : refuse(r, "it is damaged: a node is at no place");
}

static bool read_node(reader *r, const json *source, scene_node *n)
{
    n->name = copy_text(text_of(source, "name", ""));
    if (!get_index(r, source, "mesh", r->s->mesh_count, &n->mesh)) return false;
    if (!get_index(r, source, "skin", r->skin_count, &n->skin)) return false;

    const scene_mesh *mesh = n->mesh == NO_INDEX ? NULL : &r->s->meshes[n->mesh];
    n->weight_count = mesh ? mesh->target_count : 0;
    if (n->weight_count > 0) {
        n->rest_weights = read_weights(source, n->weight_count, mesh->rest_weights);
        n->weights = (double *)allocate(n->weight_count, sizeof *n->weights);
    }
    return read_place(r, source, n);
}

static bool read_children(reader *r, const json *source, uint32_t parent)
{
    const json *list = member(source, "children");
    for (const json *c = first_child(list); c; c = next_child(list, c)) {
        bool is_node = c->kind == JSON_NUMBER && c->number >= 0 && c->number < r->s->node_count;
        if (!is_node) return refuse(r, "it is damaged: a node has no such child");
        scene_node *child = &r->s->nodes[(uint32_t)c->number];
        if (child->parent != NO_INDEX) return refuse(r, "it is damaged: a node has two parents");
        child->parent = parent;
    }
    return true;
}

/* In the order of the file where parents come first there; else a node follows its parents. */
static bool order_nodes(reader *r)
{
    scene    *s = r->s;
    bool     *is_listed = (bool *)allocate(s->node_count, sizeof *is_listed);
    uint32_t *above = (uint32_t *)allocate(s->node_count, sizeof *above);
    uint32_t  listed = 0;
    s->order = (uint32_t *)allocate(s->node_count, sizeof *s->order);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        uint32_t count = 0, n = i;
        while (n != NO_INDEX && !is_listed[n] && count < s->node_count) {
            above[count++] = n;
            n = s->nodes[n].parent;
        }
        bool is_circle = n != NO_INDEX && !is_listed[n];
        if (is_circle) break;
        while (count > 0) {
            n = above[--count];
            is_listed[n] = true;
            s->order[listed++] = n;
        }
    }
    release(is_listed);
    release(above);
    return listed == s->node_count ? true : refuse(r, "it is damaged: a node is below itself");
}

/* Without a scene all nodes are shown. */
static bool show_nodes(reader *r)
{
    scene      *s = r->s;
    const json *scenes = member(r->root, "scenes"), *shown = first_child(scenes);
    uint32_t    index;
    if (!get_whole(r, r->root, "scene", count_children(scenes), 0, &index)) return false;
    for (; shown && index > 0; --index) shown = next_child(scenes, shown);

    const json *list = member(shown, "nodes");
    for (const json *c = first_child(list); c; c = next_child(list, c)) {
        bool is_node = c->kind == JSON_NUMBER && c->number >= 0 && c->number < s->node_count;
        if (!is_node) return refuse(r, "it is damaged: a scene has no such node");
        s->nodes[(uint32_t)c->number].is_shown = true;
    }
    for (uint32_t i = 0; i < s->node_count; ++i) {
        scene_node *n = &s->nodes[s->order[i]];
        bool        is_below = n->parent != NO_INDEX && s->nodes[n->parent].is_shown;
        if (is_below || !shown) n->is_shown = true;
    }
    return true;
}

static bool read_nodes(reader *r)
{
    const json *list = member(r->root, "nodes");
    uint32_t    index = 0;
    r->skin_count = count_children(member(r->root, "skins"));
    r->s->nodes = (scene_node *)list_items(r, "nodes", sizeof *r->s->nodes, &r->s->node_count);
    for (uint32_t i = 0; i < r->s->node_count; ++i) r->s->nodes[i].parent = NO_INDEX;
    for (const json *source = first_child(list); source; source = next_child(list, source)) {
        if (!read_node(r, source, &r->s->nodes[index])) return false;
        if (!read_children(r, source, index++)) return false;
    }
    return order_nodes(r) && show_nodes(r);
}

/* -- Skins ------------------------------------------------------------------------------------- */

static bool read_skin(reader *r, const json *source, scene_skin *skin)
{
    const json     *list = member(source, "joints");
    const accessor *matrices;
    if (!get_accessor(r, source, "inverseBindMatrices", 16, &matrices)) return false;
    uint32_t count = count_children(list), i = 0;
    if (matrices && matrices->count < count) {
        return refuse(r, "it is damaged: a skin lacks matrices");
    }
    if (matrices && !is_finite_list(matrices->numbers, (size_t)matrices->count * 16)) {
        return refuse(r, "it is damaged: numbers of \"inverseBindMatrices\" are none");
    }

    skin->joint_count = count;
    skin->has_bind_pose = matrices != NULL;
    skin->joints = (uint32_t *)allocate(count, sizeof *skin->joints);
    skin->to_joint = (matrix *)allocate(count, sizeof *skin->to_joint);
    for (const json *c = first_child(list); c; c = next_child(list, c), ++i) {
        bool is_node = c->kind == JSON_NUMBER && c->number >= 0 && c->number < r->s->node_count;
        if (!is_node) return refuse(r, "it is damaged: a skin has no such joint");
        skin->joints[i] = (uint32_t)c->number;
        skin->to_joint[i] = identity_matrix();
        const double *columns = matrices ? matrices->numbers + 16 * (size_t)i : NULL;
        for (uint32_t k = 0; columns && k < 12; ++k) {
            skin->to_joint[i].m[k / 4][k % 4] = columns[k % 4 * 4 + k / 4];
        }
    }
    return true;
}

static bool read_skins(reader *r)
{
    const json *list = member(r->root, "skins");
    scene_skin *skin = (scene_skin *)list_items(r, "skins", sizeof *skin, &r->s->skin_count);
    r->s->skins = skin;
    for (const json *source = first_child(list); source; source = next_child(list, source)) {
        if (!read_skin(r, source, skin++)) return false;
    }
    return true;
}

static bool has_its_joints(const scene_part *part, const scene_skin *skin)
{
    size_t count = (size_t)part->vertex_count * part->influence_count;
    for (size_t i = 0; i < count; ++i) {
        bool is_used = part->weights[i] > 0;
        if (is_used && part->joints[i] >= skin->joint_count) return false;
    }
    return true;
}

/* What the shown nodes show. */
static bool list_instances(reader *r)
{
    scene *s = r->s;
    size_t room = 0;
    for (uint32_t i = 0; i < s->node_count; ++i) {
        if (s->nodes[i].mesh != NO_INDEX) room += s->meshes[s->nodes[i].mesh].part_count;
    }
    s->instances = (scene_instance *)allocate(room, sizeof *s->instances);

    for (uint32_t i = 0; i < s->node_count; ++i) {
        const scene_node *n = &s->nodes[s->order[i]];
        const scene_mesh *mesh = n->mesh == NO_INDEX || !n->is_shown ? NULL : &s->meshes[n->mesh];
        for (uint32_t k = 0; mesh && k < mesh->part_count; ++k) {
            scene_instance *in = &s->instances[s->instance_count];
            in->node = s->order[i];
            in->mesh = mesh;
            in->part = &mesh->parts[k];
            in->skin = n->skin == NO_INDEX ? NULL : &s->skins[n->skin];
            if (in->part->index_count == 0) continue;
            if (in->skin && !has_its_joints(in->part, in->skin)) {
                return refuse(r, "it is damaged: a skin has no such joint");
            }
            ++s->instance_count;
        }
    }
    return true;
}

/* -- Animations -------------------------------------------------------------------------------- */

static bool find_path(const char *name, track_path *path)
{
    static const char *const names[] = { "translation", "rotation", "scale", "weights" };
    for (int i = 0; i < 4; ++i) {
        if (strcmp(names[i], name) != 0) continue;
        *path = (track_path)i;
        return true;
    }
    return false;
}

static bool read_keys(reader *r, const json *sampler, scene_track *t)
{
    const accessor *times, *values;
    const char     *way = text_of(sampler, "interpolation", "LINEAR");
    bool            is_turn = t->path == MOVES_TURN, is_weights = t->path == MOVES_WEIGHTS;
    t->width = is_weights ? r->s->nodes[t->node].weight_count : is_turn ? 4 : 3;
    t->way = strcmp(way, "STEP") == 0 ? WAY_STEP : WAY_LINEAR;
    if (strcmp(way, "CUBICSPLINE") == 0) t->way = WAY_CUBIC;
    if (!get_accessor(r, sampler, "input", 1, &times)) return false;
    if (!get_accessor(r, sampler, "output", is_weights ? 1 : t->width, &values)) return false;
    if (!times || !values || times->count == 0) {
        return refuse(r, "it is damaged: an animation lacks keys");
    }

    size_t rows = times->count;
    if (t->way == WAY_CUBIC) rows *= 3;
    if (is_weights) rows *= t->width;
    if (values->count < rows) return refuse(r, "it is damaged: an animation has too few values");
    t->key_count = times->count;
    t->times = copy_floats(r, times, "input");
    t->values = t->times ? copy_floats(r, values, "output") : NULL;
    if (!t->values) return false;
    for (uint32_t i = 1; i < t->key_count; ++i) {
        if (t->times[i] < t->times[i - 1]) return refuse(r, "it is damaged: keys go back in time");
    }
    return true;
}

/* What moves something else than a node is not for a scene. */
static bool read_track(reader *r, const json **samplers, uint32_t sampler_count,
                       const json *channel, scene_anim *anim)
{
    const json  *target = member(channel, "target");
    scene_track *t = &anim->tracks[anim->track_count];
    uint32_t     index;
    if (!get_index(r, target, "node", r->s->node_count, &t->node)) return false;
    if (!get_index(r, channel, "sampler", sampler_count, &index)) return false;
    bool is_for_node = t->node != NO_INDEX && find_path(text_of(target, "path", ""), &t->path);
    if (!is_for_node || index == NO_INDEX) return true;
    bool has_targets = r->s->nodes[t->node].weight_count > 0;
    if (t->path == MOVES_WEIGHTS && !has_targets) return true;

    ++anim->track_count;
    if (!read_keys(r, samplers[index], t)) return false;

    double first = (double)t->times[0], last = (double)t->times[t->key_count - 1];
    bool   is_only = anim->track_count == 1;
    if (is_only || first < anim->start) anim->start = first;
    if (is_only || last > anim->end) anim->end = last;
    return true;
}

static bool read_anim(reader *r, const json *source, scene_anim *anim)
{
    const json *list = member(source, "channels");
    anim->name = copy_text(text_of(source, "name", ""));
    anim->tracks = (scene_track *)allocate(count_children(list), sizeof *anim->tracks);
    uint32_t     sampler_count;
    const json **samplers = list_children(member(source, "samplers"), &sampler_count);
    bool         is_good = true;
    for (const json *c = first_child(list); c && is_good; c = next_child(list, c)) {
        is_good = read_track(r, samplers, sampler_count, c, anim);
    }
    release(samplers);
    return is_good;
}

static bool read_anims(reader *r)
{
    const json *list = member(r->root, "animations");
    scene_anim *anim = (scene_anim *)list_items(r, "animations", sizeof *anim, &r->s->anim_count);
    r->s->anims = anim;
    for (const json *source = first_child(list); source; source = next_child(list, source)) {
        if (!read_anim(r, source, anim++)) return false;
    }
    return true;
}

/* -- The file ---------------------------------------------------------------------------------- */

/* Those that say how things look, and not where they are, may be ignored. */
static bool is_known_extension(const char *name)
{
    static const char *const known[] = { "KHR_mesh_quantization", "KHR_texture_transform",
                                         "KHR_lights_punctual", "EXT_texture_webp" };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        if (strcmp(known[i], name) == 0) return true;
    }
    return begins_with(name, "KHR_materials_");
}

/* Parts may have the numbers once more, for programs that do not unpack them. */
static bool check_packed(reader *r)
{
    const json *meshes = member(r->root, "meshes");
    for (const json *mesh = first_child(meshes); mesh; mesh = next_child(meshes, mesh)) {
        const json *parts = member(mesh, "primitives");
        for (const json *part = first_child(parts); part; part = next_child(parts, part)) {
            uint32_t index;
            const json *packed = member(member(part, "extensions"), "KHR_draco_mesh_compression");
            const json *attributes = member(part, "attributes");
            if (!get_index(r, attributes, "POSITION", r->accessor_count, &index)) return false;
            bool is_there = index != NO_INDEX && member(r->accessors[index].source, "bufferView");
            if (packed && !is_there) return refuse_compressed(r, "KHR_draco_mesh_compression");
        }
    }
    return true;
}

static bool refuse_extension(reader *r, const char *name)
{
    if (strcmp(name, "KHR_texture_basisu") == 0) {
        return refuse(r, "its pictures are KTX2: run npx @gltf-transform/cli ktxdecompress in.glb "
                      "out.glb");
    }
    if (strcmp(name, "EXT_mesh_gpu_instancing") == 0) {
        return refuse(r, "it has copies that only a graphics card makes (%s): make real ones, or "
                      "none, in the program that wrote it", name);
    }
    return refuse(r, "it needs the extension %.80s: export it without", name);
}

static bool refuse_version(reader *r, bool is_first)
{
    if (!is_first) return refuse(r, "it is no glTF 2.0");
    return refuse(r, "it is glTF 1.0: npx gltf-pipeline -i in.glb -o out.glb makes glTF 2.0 of it");
}

static bool check_version(reader *r)
{
    const json *required = member(r->root, "extensionsRequired");
    const json *techniques = member(r->root, "techniques");
    const char *version = text_of(member(r->root, "asset"), "version", "");
    bool        is_first = begins_with(version, "1.") || (!version[0] && techniques);
    if (!begins_with(version, "2.")) return refuse_version(r, is_first);
    for (const json *c = first_child(required); c; c = next_child(required, c)) {
        bool is_packed = strcmp(c->text, "KHR_draco_mesh_compression") == 0 ||
                         strstr(c->text, "meshopt_compression");
        if (is_packed) return refuse_compressed(r, c->text);
        if (!is_known_extension(c->text)) return refuse_extension(r, c->text);
    }
    return true;
}

static bool read_scene(reader *r)
{
    list_accessors(r);
    return check_version(r) && check_packed(r) && read_buffers(r) && read_views(r) &&
           read_pictures(r) && read_materials(r) && read_meshes(r) && read_nodes(r) &&
           read_skins(r) && list_instances(r) && read_anims(r);
}

static uint32_t word_at(const uint8_t *data, size_t at)
{
    return (uint32_t)data[at] | (uint32_t)data[at + 1] << 8 | (uint32_t)data[at + 2] << 16 |
           (uint32_t)data[at + 3] << 24;
}

/* A .glb has two chunks, of which the second may be missing; anything else is the text alone. */
static bool find_chunks(reader *r, const uint8_t *data, size_t size, const uint8_t **text,
                        size_t *text_size)
{
    enum { HEADER = 12, CHUNK_HEADER = 8 };
    static const char json_type[] = "JSON", binary_type[] = "BIN";
    *text = data;
    *text_size = size;
    if (size < 4 || memcmp(data, "glTF", 4) != 0) return true;
    if (size < HEADER + CHUNK_HEADER) return refuse(r, "it is cut short");
    if (word_at(data, 4) != 2) return refuse_version(r, word_at(data, 4) == 1);

    size_t first = word_at(data, HEADER), behind = HEADER + CHUNK_HEADER;
    bool   is_text = memcmp(data + HEADER + 4, json_type, 4) == 0;
    if (!is_text || first > size - behind) return refuse(r, "it is cut short");
    *text = data + behind;
    *text_size = first;

    behind += first;
    if (size - behind < CHUNK_HEADER) return true;
    if (memcmp(data + behind + 4, binary_type, 4) != 0) return true;
    size_t second = word_at(data, behind), left = size - behind - CHUNK_HEADER;
    if (second > left) return refuse(r, "it is cut short");
    r->binary = data + behind + CHUNK_HEADER;
    r->binary_size = second;
    return true;
}

static void close_reader(reader *r)
{
    for (uint32_t i = 0; i < r->buffer_count; ++i) free_blob(&r->buffers[i].own);
    for (uint32_t i = 0; i < r->accessor_count; ++i) release(r->accessors[i].numbers);
    release(r->buffers);
    release(r->views);
    release(r->accessors);
    release(r->textures);
    free_name_table(&r->files);
    release(r->uses);
    release(r->new_numbers);
}

scene *read_gltf(const uint8_t *data, size_t size, const gltf_options *options, char problem[256])
{
    reader         r;
    const uint8_t *source;
    size_t         source_size;
    memset(&r, 0, sizeof r);
    r.options = options;
    r.problem = problem;
    problem[0] = 0;
    if (!find_chunks(&r, data, size, &source, &source_size)) return NULL;

    char *text = (char *)allocate(source_size + 1, 1);
    if (source_size > 0) memcpy(text, source, source_size);
    json *values = parse_json(text, source_size);
    r.root = values;
    r.s = (scene *)allocate(1, sizeof *r.s);
    r.s->stand = identity_matrix();
    bool is_good = values ? read_scene(&r) : refuse(&r, "it is no glTF: its text is no JSON");
    close_reader(&r);
    release(values);
    release(text);
    if (is_good) return r.s;
    free_scene(r.s);
    return NULL;
}

/* -- The end of a scene ------------------------------------------------------------------------ */

static void free_part(scene_part *part)
{
    for (uint32_t i = 0; i < part->target_count; ++i) {
        release(part->targets[i].positions);
        release(part->targets[i].normals);
    }
    release(part->targets);
    release(part->indices);
    release(part->positions);
    release(part->normals);
    release(part->texcoords);
    release(part->colours);
    release(part->joints);
    release(part->weights);
}

static void free_mesh(scene_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->part_count; ++i) free_part(&mesh->parts[i]);
    release(mesh->parts);
    release(mesh->rest_weights);
    release(mesh->name);
}

static void free_anim(scene_anim *anim)
{
    for (uint32_t i = 0; i < anim->track_count; ++i) {
        release(anim->tracks[i].times);
        release(anim->tracks[i].values);
    }
    release(anim->tracks);
    release(anim->name);
}

void free_scene(scene *s)
{
    if (!s) return;
    for (uint32_t i = 0; i < s->node_count; ++i) {
        release(s->nodes[i].name);
        release(s->nodes[i].rest_weights);
        release(s->nodes[i].weights);
    }
    for (uint32_t i = 0; i < s->skin_count; ++i) {
        release(s->skins[i].joints);
        release(s->skins[i].to_joint);
    }
    for (uint32_t i = 0; i < s->picture_count; ++i) {
        release(s->pictures[i].name);
        free_blob(&s->pictures[i].file);
    }
    for (uint32_t i = 0; i < s->mesh_count; ++i) free_mesh(&s->meshes[i]);
    for (uint32_t i = 0; i < s->material_count; ++i) release(s->materials[i].name);
    for (uint32_t i = 0; i < s->anim_count; ++i) free_anim(&s->anims[i]);
    release(s->nodes);
    release(s->order);
    release(s->skins);
    release(s->meshes);
    release(s->pictures);
    release(s->materials);
    release(s->anims);
    release(s->instances);
    release(s);
}
