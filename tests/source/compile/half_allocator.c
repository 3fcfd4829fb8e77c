/* Must not compile: MD2_MALLOC without MD2_FREE would hand one allocator's blocks to another. */
#include <stdlib.h>
#define MD2_MALLOC(size) malloc(size)
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
