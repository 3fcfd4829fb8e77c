/* The linkage is the user's own: a shared library that hides everything but what MD2_API marks. */
#define MD2_API __attribute__((visibility("default")))
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
