/* Both implementations alone, so that no compiler mixes them with what measures them. */
#define MD2_GL
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_GL
#define MD5_IMPLEMENTATION
#include "md5.h"
