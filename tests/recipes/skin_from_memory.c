/* A skin out of an archive: md2_find_skin and md5_find_texture guess the paths, a function of ours says
   which of them the archive has, and hands over the bytes at once. Public domain.
       cc -I. tests/recipes/skin_from_memory.c -lm && ./a.out */
#include <assert.h>
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_IMPLEMENTATION
#include "md5.h"

enum { FILES = 3 };

typedef struct archive {
    const char    *name[FILES];
    unsigned char *bytes[FILES];
    size_t         size[FILES];
    int            found;             /* the file that was asked for last; -1 = none */
    int            asked;
} archive;

/* Any archive will do: this one is filled from plain files. */
static void pack_file(archive *a, int i, const char *name, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); exit(1); }
    a->name[i] = name;
    a->bytes[i] = (unsigned char *)malloc(1 << 20);
    a->size[i] = fread(a->bytes[i], 1, 1 << 20, file);
    fclose(file);
}

/* What the library calls with one path after the other. */
static bool find_file(void *user, const char *path)
{
    archive *a = (archive *)user;
    ++a->asked;
    for (a->found = FILES - 1; a->found >= 0; --a->found) {
        if (strcmp(a->name[a->found], path) == 0) return true;
    }
    return false;
}

/* stbi_load_from_memory(bytes, size, ...) decodes it; here its size, as a PNG states it, is enough.
   For the .pcx of Quake II there is md2_load_pcx_memory. */
static unsigned png_width(const unsigned char *bytes, size_t size)
{
    assert(size > 24 && memcmp(bytes, "\x89PNG", 4) == 0);
    return (unsigned)(bytes[16] << 24 | bytes[17] << 16 | bytes[18] << 8 | bytes[19]);
}

int main(void)
{
    archive a;
    memset(&a, 0, sizeof a);
    pack_file(&a, 0, "pak/tris.md2", "build/character/tris.md2");
    pack_file(&a, 1, "pak/robot.md5mesh", "build/character/robot.md5mesh");
    pack_file(&a, 2, "pak/skin.png", "build/character/skin.png");
    md2_error error;
    md5_error error5;
    md2_model *knight = md2_load_memory(a.bytes[0], a.size[0], NULL, &error);
    md5_model *robot = md5_load_model_memory(a.bytes[1], a.size[1], NULL, &error5);
    if (!knight || !robot) {
        fprintf(stderr, "%s\n", knight ? error5.message : error.message);
        return 1;
    }
    char path[256];
    bool found = md2_find_skin(knight, "pak/tris.md2", 0, find_file, &a, path, sizeof path);
    assert(found && a.found == 2);
    unsigned width = png_width(a.bytes[a.found], a.size[a.found]);
    printf("MD2: %s, %u texels wide, after %d questions\n", path, width, a.asked);
    assert(width == knight->skin_width);

    found = md5_find_texture(robot, "pak/robot.md5mesh", 0, find_file, &a, path, sizeof path);
    printf("MD5: \"%s\" is %s\n", robot->meshes[0].shader, path);
    assert(found && a.found == 2);
    for (int i = 0; i < FILES; ++i) free(a.bytes[i]);
    md2_free_model(knight);
    md5_free_model(robot);
    return 0;
}
