/* request.c - file kinds, messages and options that all conversions share. Public domain. */
#include "mdconvert.h"
#include "names.h"
#include "../viewer/folder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* -- Kinds of files ---------------------------------------------------------------------------- */

kind kind_of(const char *path)
{
    static const struct { const char *extension; kind is; } names[] = {
        { ".md2", KIND_MD2 },         { ".md5mesh", KIND_MD5_MESH }, { ".md5anim", KIND_MD5_ANIM },
        { ".glb", KIND_GLTF },        { ".gltf", KIND_GLTF },        { ".vrm", KIND_GLTF },
        { ".fbx", KIND_FBX },
    };
    char  start[32] = "";
    FILE *file = is_file(path) ? fopen(path, "rb") : NULL;
    if (file) {
        size_t size = fread(start, 1, sizeof start - 1, file);
        start[size] = 0;
        fclose(file);
    }
    const char *text = start + strspn(start, "\xEF\xBB\xBF \t\r\n");
    if (begins_with(start, "IDP2")) return KIND_MD2;
    if (begins_with(start, "glTF") || text[0] == '{') return KIND_GLTF;
    if (begins_with(start, "Kaydara FBX") || begins_with(start, "; FBX")) return KIND_FBX;
    if (begins_with(text, "MD5Version") && !has_extension(path, ".md5anim")) return KIND_MD5_MESH;
    for (int i = 0; i < COUNT(names); ++i) {
        if (has_extension(path, names[i].extension)) return names[i].is;
    }
    return KIND_OTHER;
}

/* -- Messages ---------------------------------------------------------------------------------- */

bool  is_quiet;
blob *kept_messages;

CONVERT_PRINTS(2, 0) static void keep_message(const char *start, const char *format, va_list values)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, values);
    put_text(kept_messages, start);
    put_text(kept_messages, ": ");
    put_text(kept_messages, text);
    put_text(kept_messages, "\n");
}

bool fail(const char *path, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (kept_messages) {
        keep_message(path, format, values);
    } else if (!is_quiet) {
        fprintf(stderr, "mdconvert: %s: ", path);
        vfprintf(stderr, format, values);
        fprintf(stderr, "\n");
    }
    va_end(values);
    return false;
}

void note(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (kept_messages) {
        keep_message("note", format, values);
    } else if (!is_quiet) {
        printf("  ");
        vprintf(format, values);
        printf("\n");
    }
    va_end(values);
}

void progress(const char *task, uint32_t done, uint32_t total)
{
    static time_t last;
    time_t        now = time(NULL);
    if (is_quiet) return;
    if (last == 0) last = now;
    if (difftime(now, last) < 2) return; /* Work that takes two seconds may take much longer. */
    last = now;
    fprintf(stderr, "mdconvert: %s: %u of %u\n", task, (unsigned)done, (unsigned)total);
}

/* -- Rotation ---------------------------------------------------------------------------------- */

void rotate_vector(int yaw, int up, float v[3])
{
    int a = (up + 1) % 3, b = (up + 2) % 3;
    for (int degrees = 0; degrees < yaw; degrees += 90) {
        float old = v[a];
        v[a] = -v[b];
        v[b] = old;
    }
}

/* -- Animations by name ------------------------------------------------------------------------ */

bool is_wanted(const convert_request *request, const char *anim)
{
    for (int i = 0; i < request->only_count; ++i) {
        if (is_same_name(request->only[i], anim)) return true;
    }
    return request->only_count == 0;
}

const char *new_name_of(const convert_request *request, const char *anim)
{
    for (int i = 0; i < request->name_count; ++i) {
        if (is_same_name(request->old_names[i], anim)) return request->new_names[i];
    }
    return anim;
}

bool fail_no_anim(const char *option, const char *name, const char *const *anims, uint32_t count)
{
    enum { MAX_LISTED = 20 };
    blob list = { NULL, 0, 0 };
    for (uint32_t i = 0; i < count && i < MAX_LISTED; ++i) {
        put_text(&list, i == 0 ? "; the names are " : ", ");
        put_text(&list, anims[i]);
    }
    if (count > MAX_LISTED) put_text(&list, ", ...");
    put_byte(&list, 0);
    fail(option, "no animation is called %s%s", name, (const char *)list.data);
    free_blob(&list);
    return false;
}

/* Checks --name against the animations. An animation of the model may already have its new name when the
   animations of the sources are added. */
static bool check_names(const convert_request *request, const char *const *anims, uint32_t count)
{
    name_table used = { NULL, 0, 0, false };
    bool       is_good = true;
    for (int i = 0; i < request->name_count && is_good; ++i) {
        bool is_found = false;
        for (uint32_t k = 0; k < count; ++k) {
            if (is_same_name(request->old_names[i], anims[k])) is_found = true;
            if (is_same_name(request->new_names[i], anims[k])) is_found = true;
        }
        if (!is_found) is_good = fail_no_anim("--name", request->old_names[i], anims, count);
    }
    for (uint32_t k = 0; k < count && request->name_count > 0 && is_good; ++k) {
        const char *name = new_name_of(request, anims[k]);
        if (find_name(&used, name)) is_good = fail("--name", "two animations would be called %s", name);
        else add_name(&used, name, k);
    }
    free_name_table(&used);
    return is_good;
}

bool check_only(const convert_request *request, const char *const *anims, uint32_t count)
{
    for (int i = 0; i < request->only_count; ++i) {
        bool is_found = false;
        for (uint32_t k = 0; k < count; ++k) {
            if (is_same_name(request->only[i], anims[k])) is_found = true;
        }
        if (!is_found) return fail_no_anim("--only", request->only[i], anims, count);
    }
    return check_names(request, anims, count);
}
