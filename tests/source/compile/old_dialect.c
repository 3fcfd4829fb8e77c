/* Must not compile before C99, and this must be the only error. */
#define MD2_GL
#define MD2_SMOOTH
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
