/* Somebody's header includes it without the renderer, before the file that wants it. */
#include "../../../md2.h"
#define MD2_GL
#include "alone.c"
