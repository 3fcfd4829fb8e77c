/* read_materials.c - reads the pictures and materials of a glTF. Public domain. */
#include "gltf_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- Pictures and materials -------------------------------------------------------------------- */

/* Returns the extension of the format of a picture, or "" if the data is not a picture. */
static const char *picture_extension(const blob *file)
{
    static const struct { const char *mark, *extension; size_t offset, size; } formats[] = {
        { "\x89PNG", ".png", 0, 4 }, { "\xff\xd8\xff", ".jpg", 0, 3 }, { "WEBP", ".webp", 8, 4 },
        { "\xabKTX", ".ktx2", 0, 4 }, { "DDS ", ".dds", 0, 4 }, { "BM", ".bmp", 0, 2 }
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        size_t offset = formats[i].offset, size = formats[i].size;
        if (file->size < offset + size) continue;
        if (memcmp(file->data + offset, formats[i].mark, size) == 0) return formats[i].extension;
    }
    return "";
}

/* Shortens "hero.png" to "hero". Leaves names such as "Material.001" unchanged. */
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

    /* Pictures are copied into the output unchanged, so leave out data that is not a picture. */
    snprintf(p->extension, sizeof p->extension, "%s", picture_extension(&p->file));
    if (p->file.size == 0 || p->extension[0]) return true;
    free_blob(&p->file);
    if (r->options->note) r->options->note("\"%.100s\" is not a picture: left out", p->name);
    return true;
}

bool read_pictures(reader *r)
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

/* Finds the picture of a texture. Prefers the PNG or JPEG, which all programs read, to the WebP or KTX2 picture of an
   extension. */
static bool find_picture(reader *r, const json *info, uint32_t *picture)
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

static bool read_mapping(reader *r, const json *info, texture_mapping *mapping)
{
    const json *transform_info = member(member(info, "extensions"), "KHR_texture_transform");
    const uint32_t most = MAX_SCENE_INFLUENCES;
    mapping->scale[0] = mapping->scale[1] = 1;
    if (!get_unsigned(r, info, "texCoord", most, 0, &mapping->texcoord)) return false;
    if (!transform_info) return true;

    numbers_of(transform_info, "offset", mapping->offset, 2);
    numbers_of(transform_info, "scale", mapping->scale, 2);
    mapping->rotation = number_of(transform_info, "rotation", 0);
    if (!is_finite_list(mapping->offset, 2) || !is_finite_list(mapping->scale, 2) ||
        !is_finite_list(&mapping->rotation, 1)) {
        return refuse(r, "the file is damaged: KHR_texture_transform has numbers that are not finite");
    }
    return get_unsigned(r, transform_info, "texCoord", most, mapping->texcoord, &mapping->texcoord);
}

static void read_alpha(const json *source, scene_material *m)
{
    const char *mode = text_of(source, "alphaMode", "OPAQUE");
    m->alpha = strcmp(mode, "BLEND") == 0 ? ALPHA_BLENDS : ALPHA_NONE;
    if (strcmp(mode, "MASK") == 0) m->alpha = ALPHA_CUTS;
    m->cutoff = m->alpha == ALPHA_CUTS ? number_of(source, "alphaCutoff", 0.5) : 0.5;
}

/* Reads the light that a material emits. `has_picture` is true if the material has a color picture, and `mapping` is
   the mapping of this picture. An emission picture with another mapping is left out, together with its light. */
static bool read_emission(reader *r, const json *source, bool has_picture, scene_material *m,
                          texture_mapping *mapping)
{
    const json     *info = member(source, "emissiveTexture");
    const json     *stronger = member(member(source, "extensions"), "KHR_materials_emissive_strength");
    double          color[3] = { 0, 0, 0 }, strength = number_of(stronger, "emissiveStrength", 1);
    texture_mapping own;
    memset(&own, 0, sizeof own);
    m->emission_picture = NO_INDEX;
    numbers_of(source, "emissiveFactor", color, 3);
    for (int k = 0; k < 3; ++k) m->emission[k] = (float)fmin(fmax(color[k] * strength, 0), 1e6);
    if (!find_picture(r, info, &m->emission_picture) || !read_mapping(r, info, &own)) return false;

    bool emits = m->emission[0] > 0 || m->emission[1] > 0 || m->emission[2] > 0;
    if (!info || !emits) return true;
    if (!has_picture) *mapping = own;
    if (memcmp(&own, mapping, sizeof own) == 0) return true;
    memset(m->emission, 0, sizeof m->emission);
    if (r->options->note) {
        r->options->note("\"%.100s\": its emission picture is left out, because its color picture has other texture "
                         "coordinates", m->name);
    }
    return true;
}

static bool read_material(reader *r, const json *source, scene_material *m, texture_mapping *mapping)
{
    const json *plain = member(source, "pbrMetallicRoughness");
    const json *glossy = member(member(source, "extensions"),
                                "KHR_materials_pbrSpecularGlossiness");
    const json *missing = member(member(source, "extras"), "missing_picture");
    const json *info = member(plain, "baseColorTexture");
    double      color[4] = { 1, 1, 1, 1 };
    if (!info) info = member(glossy, "diffuseTexture");
    numbers_of(plain, "baseColorFactor", color, 4);
    if (!member(plain, "baseColorTexture")) numbers_of(glossy, "diffuseFactor", color, 4);

    m->name = copy_text(text_of(source, "name", ""));
    for (int k = 0; k < 4; ++k) m->color[k] = (float)fmin(fmax(color[k], 0), 1);
    read_alpha(source, m);
    m->is_two_sided = is_true(source, "doubleSided");
    m->lacks_picture = missing != NULL;
    if (!get_unsigned(r, missing, "width", 1 << 16, 0, &m->missing_width)) return false;
    if (!get_unsigned(r, missing, "height", 1 << 16, 0, &m->missing_height)) return false;
    return find_picture(r, info, &m->picture) && read_mapping(r, info, mapping) &&
           read_emission(r, source, info != NULL, m, mapping);
}

bool read_materials(reader *r)
{
    const json      *list = member(r->root, "materials");
    scene_material  *m = (scene_material *)list_items(r, "materials", sizeof *m, &r->s->material_count);
    texture_mapping *mapping = (texture_mapping *)allocate(r->s->material_count, sizeof *mapping);
    r->s->materials = m;
    r->mappings = mapping;
    r->textures = list_children(member(r->root, "textures"), &r->texture_count);
    for (const json *source = first_child(list); source; source = next_child(list, source)) {
        if (!read_material(r, source, m++, mapping++)) return false;
    }
    return true;
}
