/* Only the implementation. */
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
