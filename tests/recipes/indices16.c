/* 16-bit indices, for engines and GPUs without 32-bit indices: enough for up to 65,535 vertices. 65,536
   are too many, because WebGL 2 always takes the index 0xFFFF as the end of a strip. Public domain.
       cc -I. tests/recipes/indices16.c -lm && ./a.out */
#include <assert.h>
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_IMPLEMENTATION
#include "md5.h"

/* Returns false and writes nothing if there are too many vertices; then draw with 32-bit indices. */
static bool narrow_indices(const uint32_t *indices, uint32_t count, uint32_t vertex_count,
                           uint16_t *out)
{
    if (vertex_count > 65535) return false;
    for (uint32_t i = 0; i < count; ++i) {
        out[i] = (uint16_t)indices[i];                      /* all are below vertex_count */
    }
    return true;
}

int main(void)
{
    md2_error error;
    md5_error error5;
    md2_model *knight_md2 = md2_load_file("knight/tris.md2", NULL, &error);
    if (!knight_md2) { fprintf(stderr, "%s\n", error.message); return 1; }
    md5_model *knight_md5 = md5_load_model_file("knight/knight.md5mesh", NULL, &error5);
    if (!knight_md5) { fprintf(stderr, "%s\n", error5.message); return 1; }

    const md5_mesh *mesh = &knight_md5->meshes[0];
    uint32_t most = knight_md2->index_count > mesh->index_count ? knight_md2->index_count : mesh->index_count;
    uint16_t *indices = (uint16_t *)malloc(most * sizeof *indices);
    bool narrow = narrow_indices(knight_md2->indices, knight_md2->index_count, knight_md2->vertex_count, indices);
    for (uint32_t i = 0; i < knight_md2->index_count; ++i) {
        assert(narrow && indices[i] == knight_md2->indices[i]);
    }
    narrow = narrow_indices(mesh->indices, mesh->index_count, mesh->vertex_count, indices);
    for (uint32_t i = 0; i < mesh->index_count; ++i) {
        assert(narrow && indices[i] == mesh->indices[i]);
    }
    printf("MD2: %u indices, MD5: %u indices, two bytes each\n", (unsigned)knight_md2->index_count,
           (unsigned)mesh->index_count);

    uint32_t last = 65534;                                  /* the highest of 65,535 vertices */
    assert(narrow_indices(&last, 1, last + 1, indices) && indices[0] == 65534);
    assert(!narrow_indices(&last, 1, last + 2, indices));
    free(indices);
    md5_free_model(knight_md5);
    md2_free_model(knight_md2);
    return 0;
}
