/* read_gltf.c - reads a .glb or .gltf (glTF 2.0) into a scene. Also has the functions that all parts of the reader
   share. Public domain.

   Each count, offset and index is checked when it is read, so that the data of the scene needs no more checks. */
#include "gltf_reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- Messages and values ----------------------------------------------------------------------- */

bool refuse(reader *r, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(r->problem, 256, format, values);
    va_end(values);
    return false;
}

bool refuse_compressed(reader *r, const char *extension)
{
    return refuse(r,
                  "its meshes are compressed (%s): export it from Blender without compression, or "
                  "run npx @gltf-transform/cli copy in.glb out.glb", extension);
}

void *list_items(reader *r, const char *name, size_t size, uint32_t *count)
{
    *count = count_children(member(r->root, name));
    return allocate(*count, size);
}

const json **list_children(const json *array, uint32_t *count)
{
    *count = count_children(array);
    const json **list = (const json **)allocate(*count, sizeof *list), **at = list;
    for (const json *c = first_child(array); c; c = next_child(array, c)) *at++ = c;
    return list;
}

/* -- Whole numbers ----------------------------------------------------------------------------- */

bool get_unsigned(reader *r, const json *object, const char *key, uint32_t limit, uint32_t fallback,
               uint32_t *out)
{
    const json *value = member(object, key);
    *out = fallback;
    if (!value) return true;

    bool is_whole = value->kind == JSON_NUMBER && value->number >= 0 && value->number < limit &&
                    !(floor(value->number) < value->number);
    if (!is_whole) {
        return refuse(r, "the file is damaged: \"%s\" is not a whole number below %u", key, (unsigned)limit);
    }
    *out = (uint32_t)value->number;
    return true;
}

bool get_index(reader *r, const json *object, const char *key, uint32_t count, uint32_t *out)
{
    return get_unsigned(r, object, key, count, NO_INDEX, out);
}

/* Doubles represent all whole numbers up to this limit exactly. */
bool get_size(reader *r, const json *object, const char *key, size_t *out)
{
    const double most = 4503599627370496.0;
    double       value = number_of(object, key, 0);
    bool         is_size = value >= 0 && value <= most && !(floor(value) < value) &&
                   value <= (double)(SIZE_MAX / 2);
    *out = is_size ? (size_t)value : 0;
    return is_size || refuse(r, "the file is damaged: \"%s\" is not a number of bytes", key);
}

/* -- The file ---------------------------------------------------------------------------------- */

/* Returns true if the reader supports the extension, or may ignore it because it changes only the look of the model and
   not the positions of its vertices. */
static bool is_known_extension(const char *name)
{
    static const char *const known[] = { "KHR_mesh_quantization", "KHR_texture_transform",
                                         "KHR_lights_punctual", "EXT_texture_webp" };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        if (strcmp(known[i], name) == 0) return true;
    }
    return begins_with(name, "KHR_materials_");
}

/* Refuses a file that has a mesh only in compressed form. A file may also have the same mesh without compression, for
   programs that cannot decompress it. */
static bool check_compression(reader *r)
{
    const json *meshes = member(r->root, "meshes");
    for (const json *mesh = first_child(meshes); mesh; mesh = next_child(meshes, mesh)) {
        const json *parts = member(mesh, "primitives");
        for (const json *part = first_child(parts); part; part = next_child(parts, part)) {
            uint32_t index;
            const json *compressed = member(member(part, "extensions"), "KHR_draco_mesh_compression");
            const json *attributes = member(part, "attributes");
            if (!get_index(r, attributes, "POSITION", r->accessor_count, &index)) return false;
            bool is_plain = index != NO_INDEX && member(r->accessors[index].source, "bufferView");
            if (compressed && !is_plain) return refuse_compressed(r, "KHR_draco_mesh_compression");
        }
    }
    return true;
}

static bool refuse_extension(reader *r, const char *name)
{
    if (strcmp(name, "KHR_texture_basisu") == 0) {
        return refuse(r, "its pictures are KTX2: run npx @gltf-transform/cli ktxdecompress in.glb out.glb");
    }
    if (strcmp(name, "EXT_mesh_gpu_instancing") == 0) {
        return refuse(r, "the file uses GPU instancing (%s): turn the instances into real copies, or "
                      "remove them, in the program that wrote the file", name);
    }
    return refuse(r, "the file needs the extension %.80s: export it without this extension", name);
}

static bool refuse_version(reader *r, bool is_version_1)
{
    if (!is_version_1) return refuse(r, "the file is not glTF 2.0");
    return refuse(r, "the file is glTF 1.0: to convert it to 2.0, run npx gltf-pipeline -i in.glb -o out.glb");
}

static bool check_version(reader *r)
{
    const json *required = member(r->root, "extensionsRequired");
    const json *techniques = member(r->root, "techniques");
    const char *version = text_of(member(r->root, "asset"), "version", "");
    bool        is_version_1 = begins_with(version, "1.") || (!version[0] && techniques);
    if (!begins_with(version, "2.")) return refuse_version(r, is_version_1);
    for (const json *c = first_child(required); c; c = next_child(required, c)) {
        bool is_compressed = strcmp(c->text, "KHR_draco_mesh_compression") == 0 ||
                             strstr(c->text, "meshopt_compression");
        if (is_compressed) return refuse_compressed(r, c->text);
        if (!is_known_extension(c->text)) return refuse_extension(r, c->text);
    }
    return true;
}

static bool read_scene(reader *r)
{
    list_accessors(r);
    return check_version(r) && check_compression(r) && read_buffers(r) && read_views(r) &&
           read_pictures(r) && read_materials(r) && read_meshes(r) && read_nodes(r) &&
           read_skins(r) && list_instances(r) && read_anims(r);
}

static uint32_t word_at(const uint8_t *data, size_t at)
{
    return (uint32_t)data[at] | (uint32_t)data[at + 1] << 8 | (uint32_t)data[at + 2] << 16 |
           (uint32_t)data[at + 3] << 24;
}

/* Finds the chunks of a .glb: the JSON text, and the binary data, which may be missing. A file that is not a .glb is a
   JSON text as a whole. */
static bool find_chunks(reader *r, const uint8_t *data, size_t size, const uint8_t **text,
                        size_t *text_size)
{
    enum { HEADER = 12, CHUNK_HEADER = 8 };
    static const char json_type[] = "JSON", binary_type[] = "BIN";
    *text = data;
    *text_size = size;
    if (size < 4 || memcmp(data, "glTF", 4) != 0) return true;
    if (size < HEADER + CHUNK_HEADER) return refuse(r, "the file is cut short");
    if (word_at(data, 4) != 2) return refuse_version(r, word_at(data, 4) == 1);

    size_t first = word_at(data, HEADER), behind = HEADER + CHUNK_HEADER;
    bool   is_text = memcmp(data + HEADER + 4, json_type, 4) == 0;
    if (!is_text || first > size - behind) return refuse(r, "the file is cut short");
    *text = data + behind;
    *text_size = first;

    behind += first;
    if (size - behind < CHUNK_HEADER) return true;
    if (memcmp(data + behind + 4, binary_type, 4) != 0) return true;
    size_t second = word_at(data, behind), left = size - behind - CHUNK_HEADER;
    if (second > left) return refuse(r, "the file is cut short");
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
    release(r->mappings);
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
    r.s->root_transform = identity_matrix();
    bool is_good = values ? read_scene(&r) : refuse(&r, "the file is not glTF: its text is not JSON");
    close_reader(&r);
    release(values);
    release(text);
    if (is_good) return r.s;
    free_scene(r.s);
    return NULL;
}
