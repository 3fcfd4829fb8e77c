/* A user's header includes the library without the renderer, before the file that needs the renderer. */
#include "../../../md2.h"
#define MD2_GL
#include "alone.c"
