/* The implementation alone. */
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
