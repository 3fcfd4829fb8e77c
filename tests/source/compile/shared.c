/* A shared library in which all symbols are hidden except those that MD2_API exports. */
#define MD2_API __attribute__((visibility("default")))
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
