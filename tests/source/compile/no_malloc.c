/* MD2_MALLOC and MD2_FREE: the program's own allocator is used, and malloc is not even linked (symbols.sh checks
   this). The headers also have no assert. */
#include "own_malloc.h"
#define MD2_MALLOC(size) own_malloc(size)
#define MD2_FREE(pointer) own_free(pointer)
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#include "use_md2.h"

static union {
    double align;
    unsigned char bytes[1 << 18];
} arena;
static size_t taken;
static int live;

void *own_malloc(size_t size)
{
    void *block = arena.bytes + taken;
    if (size > sizeof arena.bytes - taken) return NULL;
    taken += (size + 15) / 16 * 16;
    live++;
    return block;
}

void own_free(void *pointer)
{
    if (pointer) live--;
}

int main(void)
{
    int failed = use_md2();
    return failed || taken == 0 || live != 0;
}
