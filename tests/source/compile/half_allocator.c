/* Must not compile: with MD2_MALLOC but without MD2_FREE, blocks of one allocator would be freed by another. */
#include <stdlib.h>
#define MD2_MALLOC(size) malloc(size)
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
