/* The file with the implementation; two_b.c uses it. */
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
