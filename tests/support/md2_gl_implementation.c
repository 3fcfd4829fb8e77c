/* The implementation of md2.h with OpenGL, for all programs without special options. Public domain. */
#define MD2_GL
#define MD2_SMOOTH
#define MD2_IMPLEMENTATION
#include "md2.h"
