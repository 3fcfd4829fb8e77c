/* Included again and again: declared twice, then the implementation asked for twice, then declared once more. */
#include "../../../md2.h"
#include "../../../md2.h"
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#undef MD2_IMPLEMENTATION
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#undef MD2_IMPLEMENTATION
#include "two_b.c"
