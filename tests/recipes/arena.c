/* An arena: one block of memory holds everything that a level needs, and is freed in one step. Public domain.
       cc -I. tests/recipes/arena.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

typedef struct arena {
    unsigned char *memory;
    size_t         size, used, most, last; /* bytes; last: the offset of the newest block */
} arena;

static void *arena_alloc(void *user, size_t size)
{
    arena *a = (arena *)user;
    size_t start = (a->used + 15) & ~(size_t)15;            /* aligned like malloc's */
    if (size > a->size || start > a->size - size) return NULL; /* the library reports it */
    a->last = start;
    a->used = start + size;
    if (a->used > a->most) a->most = a->used;
    return a->memory + start;
}

/* Frees a block only if it is the newest. While it loads, the library works in a block below its result,
   so the memory of this block stays unused until the end of the level. */
static void arena_release(void *user, void *ptr, size_t size)
{
    arena *a = (arena *)user;
    (void)size;
    if (ptr == a->memory + a->last) a->used = a->last;
}

/* Returns the text of a file. It is outside the arena because it is not needed after loading. */
static char *read_text(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); exit(1); }
    char *text = (char *)malloc(1 << 20);
    *size = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

int main(void)
{
    size_t mesh_size, run_size;
    char *mesh_text = read_text("knight/knight.md5mesh", &mesh_size);
    char *run_text = read_text("knight/run.md5anim", &run_size);
    arena level;
    md5_options options;
    md5_error error;
    memset(&level, 0, sizeof level);
    memset(&options, 0, sizeof options);
    level.size = 1 << 20;
    level.memory = (unsigned char *)malloc(level.size);
    options.allocator.alloc = arena_alloc;
    options.allocator.release = arena_release;
    options.allocator.user = &level;
    for (int round = 0; round < 2; ++round) {
        md5_model *knight = md5_load_model_memory(mesh_text, mesh_size, &options, &error);
        md5_anim *run = md5_load_anim_memory(run_text, run_size, "run", &options, &error);
        assert(knight && run && md5_check_anim(knight, run, &error) == MD5_OK);
        printf("level %d: %u KB hold a model of %u KB and an animation of %u KB; %u KB at most\n", round,
               (unsigned)(level.used / 1024), (unsigned)(knight->bytes / 1024),
               (unsigned)(run->bytes / 1024), (unsigned)(level.most / 1024));
        assert(level.used >= knight->bytes + run->bytes);
        level.used = 0;                                     /* the end of the level: no md5_free */
    }
    level.size = 4096;
    assert(!md5_load_model_memory(mesh_text, mesh_size, &options, &error));
    printf("an arena that is too small: %s\n", error.message);
    assert(error.code == MD5_ERROR_MEMORY);
    free(level.memory);
    free(mesh_text);
    free(run_text);
    return 0;
}
