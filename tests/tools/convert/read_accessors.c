/* read_accessors.c - reads the numbers of a glTF file: a view is a part of a buffer, and an accessor describes
   the numbers in a view. Public domain. */
#include "gltf_reader.h"

#include <math.h>
#include <string.h>

/* -- Buffers ----------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

char *decode_uri(const char *uri)
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

const char *read_uri(reader *r, const char *uri, blob *out)
{
    if (begins_with(uri, "data:")) {
        const char *comma = strchr(uri, ',');
        bool        is_base64 = comma && comma - uri >= 7 && memcmp(comma - 7, ";base64", 7) == 0;
        if (!is_base64) return "is not base64";
        decode_base64(comma + 1, out);
        return NULL;
    }
    if (!r->options->read_beside) return "does not exist";

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
        if (problem) return refuse(r, "%.120s, which the file needs, %s", uri, problem);
        b->data = b->own.data;
        b->size = b->own.size;
        add_name(&r->files, uri, index);
    } else if (index == 0) {
        b->data = r->binary;
        b->size = r->binary_size;
    }

    /* A buffer without bytes is used only by an extension, such as one for compression. */
    if (b->data && b->size < size) return refuse(r, "the file is cut short");
    if (b->data) b->size = size;
    return true;
}

bool read_buffers(reader *r)
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
    if (index == NO_INDEX) return refuse(r, "the file is damaged: a view has no buffer");

    const buffer *b = &r->buffers[index];
    if (!b->data) return true;
    if (offset > b->size || size > b->size - offset) {
        return refuse(r, "the file is damaged: a view is larger than its buffer");
    }
    v->data = b->data + offset;
    v->size = size;
    return true;
}

bool read_views(reader *r)
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

/* Converts a normalized whole number to a fraction of the largest value of its type. */
static double to_fraction(double x, uint32_t type)
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

typedef struct strided {              /* the elements of an accessor, all inside their view */
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
    if (index == NO_INDEX) return refuse(r, "the file is damaged: an accessor has no view");

    const view *v = &r->views[index];
    if (!v->data && v->is_compressed) return refuse_compressed(r, "EXT_meshopt_compression");
    if (!v->data) return refuse(r, "the file is damaged: a buffer has no bytes");
    out->stride = v->stride > 0 ? v->stride : element;
    if (count == 0) return true;

    bool fits = offset <= v->size && element <= v->size - offset &&
                (count == 1 || out->stride <= (v->size - offset - element) / (count - 1));
    if (!fits) return refuse(r, "the file is damaged: an accessor is larger than its view");
    out->data = v->data + offset;
    return true;
}

static void read_numbers(const strided *from, uint32_t type, bool is_normalized, uint32_t width,
                         uint32_t index, double *out)
{
    const uint8_t *at = from->data + from->stride * index;
    for (uint32_t k = 0; k < width; ++k) {
        double x = get_number(at + k * component_size(type), type);
        out[k] = is_normalized ? to_fraction(x, type) : x;
    }
}

/* Replaces the elements that a sparse accessor lists. */
static bool read_sparse(reader *r, accessor *a, uint32_t type, bool is_normalized)
{
    const json *sparse = member(a->source, "sparse");
    const json *indices = member(sparse, "indices"), *values = member(sparse, "values");
    uint32_t    count, index_type;
    strided     index_at, value_at;
    if (!sparse) return true;
    if (!get_unsigned(r, sparse, "count", UINT32_MAX, 0, &count)) return false;
    if (!get_unsigned(r, indices, "componentType", FLOAT, 0, &index_type)) return false;
    size_t size = component_size(index_type);
    if (size == 0) return refuse(r, "the file is damaged: bad indices of a sparse accessor");
    if (!find_elements(r, indices, count, size, &index_at)) return false;
    if (!find_elements(r, values, count, a->width * component_size(type), &value_at)) return false;

    for (uint32_t i = 0; i < count; ++i) {
        double index = get_number(index_at.data + index_at.stride * i, index_type);
        if (!(index >= 0 && index < a->count)) {
            return refuse(r, "the file is damaged: bad indices of a sparse accessor");
        }
        read_numbers(&value_at, type, is_normalized, a->width, i,
                     a->numbers + (size_t)a->width * (uint32_t)index);
    }
    return true;
}

static bool read_accessor(reader *r, accessor *a)
{
    uint32_t type;
    bool     is_normalized = is_true(a->source, "normalized");
    a->width = width_of(text_of(a->source, "type", ""));
    if (!get_unsigned(r, a->source, "count", UINT32_MAX, 0, &a->count)) return false;
    if (!get_unsigned(r, a->source, "componentType", FLOAT + 1, 0, &type)) return false;
    bool is_known = a->width > 0 && component_size(type) > 0 && (a->width < 16 || type == FLOAT);
    if (!is_known) return refuse(r, "the file is damaged: an accessor has an unknown type");

    strided from = { NULL, 0 };
    size_t  element = a->width * component_size(type);
    bool    has_view = member(a->source, "bufferView") != NULL;
    if (has_view && !find_elements(r, a->source, a->count, element, &from)) return false;

    a->numbers = (double *)allocate(a->count, a->width * sizeof(double));
    for (uint32_t i = 0; has_view && i < a->count; ++i) {
        read_numbers(&from, type, is_normalized, a->width, i, a->numbers + (size_t)a->width * i);
    }
    return read_sparse(r, a, type, is_normalized);
}

bool get_accessor(reader *r, const json *object, const char *key, uint32_t width,
                  const accessor **out)
{
    uint32_t index;
    *out = NULL;
    if (!get_index(r, object, key, r->accessor_count, &index)) return false;
    if (index == NO_INDEX) return true;

    accessor *a = &r->accessors[index];
    if (!a->numbers && !read_accessor(r, a)) return false;
    bool is_color = width == 4 && a->width == 3 && begins_with(key, "COLOR");
    if (a->width != width && !is_color) {
        return refuse(r, "the file is damaged: \"%s\" has %u numbers per row", key, (unsigned)a->width);
    }
    *out = a;
    return true;
}

void list_accessors(reader *r)
{
    const json *list = member(r->root, "accessors");
    accessor   *a = (accessor *)list_items(r, "accessors", sizeof *a, &r->accessor_count);
    r->accessors = a;
    for (const json *c = first_child(list); c; c = next_child(list, c)) (a++)->source = c;
}

bool is_finite_list(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (!(fabs(numbers[i]) <= (double)3.4e38f)) return false;
    }
    return true;
}

float *copy_floats(reader *r, const accessor *a, const char *what)
{
    size_t count = (size_t)a->count * a->width;
    if (!is_finite_list(a->numbers, count)) {
        refuse(r, "the file is damaged: \"%s\" has numbers that are not finite", what);
        return NULL;
    }
    float *out = (float *)allocate(count, sizeof *out);
    for (size_t i = 0; i < count; ++i) out[i] = (float)a->numbers[i];
    return out;
}
