/* The header is included many times: declared twice, then the implementation requested twice, then declared again. */
#include "../../../md2.h"
#include "../../../md2.h"
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#undef MD2_IMPLEMENTATION
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#undef MD2_IMPLEMENTATION
#include "two_b.c"
