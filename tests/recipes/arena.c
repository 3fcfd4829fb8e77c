/* An arena: all that a level needs lies in one block of memory, and goes away at once. Public domain.
       cc -I. tests/recipes/arena.c -lm && ./a.out */
#include <assert.h>
#define MD5_IMPLEMENTATION
#include "md5.h"

typedef struct arena {
    unsigned char *memory;
    size_t         size, used, most, last; /* last: where the newest block begins */
} arena;

static void *arena_alloc(void *user, size_t size)
{
    arena *a = (arena *)user;
    size_t start = (a->used + 15) & ~(size_t)15;            /* aligned as malloc does it */
    if (size > a->size || start > a->size - size) return NULL; /* the library reports it */
    a->last = start;
    a->used = start + size;
    if (a->used > a->most) a->most = a->used;
    return a->memory + start;
}

/* Only the newest block makes room again. The one that the library works in while it loads lies below its
   result, so that much stays unused until the level is over. */
static void arena_release(void *user, void *ptr, size_t size)
{
    arena *a = (arena *)user;
    (void)size;
    if (ptr == a->memory + a->last) a->used = a->last;
}

/* The text of a file, outside the arena: after loading nobody needs it. */
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
        level.used = 0;                                     /* the level is over: nothing is freed */
    }
    level.size = 4096;
    assert(!md5_load_model_memory(mesh_text, mesh_size, &options, &error));
    printf("too small an arena: %s\n", error.message);
    assert(error.code == MD5_ERROR_MEMORY);
    free(level.memory);
    free(mesh_text);
    free(run_text);
    return 0;
}
