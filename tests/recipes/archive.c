/* Loading from an archive, here a .pak file of Quake. md2_load_reader and md5_load_model_reader read a
   model piece by piece. md2_find_skin and md5_find_texture try likely paths, and a function of this
   program returns whether the archive has a path. Public domain.
       cc -I. tests/recipes/archive.c -lm && ./a.out */
#include <assert.h>
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { MAX_FILES = 8 };

typedef struct member {               /* an entry of the archive's directory: 64 bytes */
    char     name[56];
    uint32_t offset, size;            /* swap their bytes on a big-endian machine */
} member;

typedef struct archive {
    FILE         *file;
    member        list[MAX_FILES];
    uint32_t      count;
    const member *found;              /* the last path that was searched for; NULL: not in the archive */
    uint32_t      searches;
} archive;

static bool open_archive(archive *a, const char *path)
{
    uint32_t head[3];                 /* "PACK", offset of the directory, bytes of the directory */
    memset(a, 0, sizeof *a);
    a->file = fopen(path, "rb");
    if (!a->file || fread(head, sizeof head, 1, a->file) != 1) return false;
    a->count = head[2] / (uint32_t)sizeof(member);
    if (memcmp(head, "PACK", 4) != 0 || a->count > MAX_FILES) return false;
    return fseek(a->file, (long)head[1], SEEK_SET) == 0 &&
           fread(a->list, sizeof(member), a->count, a->file) == a->count;
}

/* Returns true if the archive has a file. md2_find_skin and md5_find_texture call this for one path after
   the other. */
static bool find_member(void *user, const char *path)
{
    archive *a = (archive *)user;
    ++a->searches;
    a->found = NULL;
    for (uint32_t i = 0; i < a->count && !a->found; ++i) {
        if (strcmp(a->list[i].name, path) == 0) a->found = &a->list[i];
    }
    return a->found != NULL;
}

typedef struct stream { FILE *file; size_t left; } stream;

static stream open_member(archive *a, const member *m)
{
    stream s = { a->file, m && fseek(a->file, (long)m->offset, SEEK_SET) == 0 ? m->size : 0 };
    return s;
}

/* Reads up to `size` bytes. The loaders call this until it returns 0. */
static size_t read_stream(void *user, void *out, size_t size)
{
    stream *s = (stream *)user;
    size_t wanted = size < s->left ? size : s->left, got = fread(out, 1, wanted, s->file);
    s->left -= got;
    return got < wanted ? SIZE_MAX : got;                   /* SIZE_MAX: a read error */
}

/* Returns the width in the header of a PNG, which is enough here. A game decodes the whole picture with
   stbi_load_from_callbacks, or with md2_load_pcx_memory if it is a .pcx of Quake II. */
static unsigned png_width(stream s)
{
    unsigned char bytes[24];
    size_t size = read_stream(&s, bytes, sizeof bytes);
    assert(size == sizeof bytes && memcmp(bytes, "\x89PNG", 4) == 0);
    return (unsigned)(bytes[16] << 24 | bytes[17] << 16 | bytes[18] << 8 | bytes[19]);
}

/* Packs files of the folder knight. */
static void make_archive(const char *path, const char *const *names, uint32_t count)
{
    static char bytes[1 << 20], from[100];
    member list[MAX_FILES];
    uint32_t head[3] = { 0, 12, count * (uint32_t)sizeof(member) };
    FILE *out = fopen(path, "wb");
    if (!out) { perror(path); exit(1); }
    memcpy(head, "PACK", 4);
    memset(list, 0, sizeof list);
    fseek(out, (long)(sizeof head + count * sizeof(member)), SEEK_SET);
    for (uint32_t i = 0; i < count; ++i) {
        snprintf(from, sizeof from, "knight/%s", names[i]);
        FILE *file = fopen(from, "rb");
        if (!file) { perror(from); exit(1); }
        snprintf(list[i].name, sizeof list[i].name, "knight/%s", names[i]);
        list[i].offset = (uint32_t)ftell(out);
        list[i].size = (uint32_t)fread(bytes, 1, sizeof bytes, file);
        fwrite(bytes, 1, list[i].size, out);
        fclose(file);
    }
    rewind(out);
    fwrite(head, sizeof head, 1, out);
    fwrite(list, sizeof(member), count, out);
    if (fclose(out) != 0) { perror(path); exit(1); }
}

int main(void)
{
    static const char *const names[3] = { "tris.md2", "knight.md5mesh", "skin.png" };
    archive a;
    make_archive("knight.pak", names, 3);
    if (!open_archive(&a, "knight.pak")) { fprintf(stderr, "knight.pak is not an archive\n"); return 1; }

    md2_error error;
    find_member(&a, "knight/tris.md2");
    stream s = open_member(&a, a.found);
    md2_reader reader = { read_stream, &s };
    md2_model *knight_md2 = md2_load_reader(&reader, NULL, &error);
    if (!knight_md2) { fprintf(stderr, "knight: %s\n", error.message); return 1; }

    md5_error error5;
    find_member(&a, "knight/knight.md5mesh");
    s = open_member(&a, a.found);
    md5_reader reader5 = { read_stream, &s };
    md5_model *knight_md5 = md5_load_model_reader(&reader5, NULL, &error5);
    if (!knight_md5) { fprintf(stderr, "knight: %s\n", error5.message); return 1; }

    char path[256];
    a.searches = 0;
    bool found = md2_find_skin(knight_md2, "knight/tris.md2", 0, find_member, &a, path, sizeof path);
    unsigned width = found ? png_width(open_member(&a, a.found)) : 0;
    printf("MD2: %s, %u texels wide, found after %u paths\n", path, width, (unsigned)a.searches);
    assert(found && width == knight_md2->skin_width);

    found = md5_find_texture(knight_md5, "knight/knight.md5mesh", 0, find_member, &a, path, sizeof path);
    printf("MD5: \"%s\" is %s\n", knight_md5->meshes[0].shader, path);
    assert(found && a.found == &a.list[2]);
    fclose(a.file);
    remove("knight.pak");
    md2_free_model(knight_md2);
    md5_free_model(knight_md5);
    return 0;
}
