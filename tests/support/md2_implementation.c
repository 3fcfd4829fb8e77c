/* The implementation of md2.h without OpenGL, for all programs without special options. Public domain. */
#define MD2_SMOOTH
#define MD2_IMPLEMENTATION
#include "md2.h"
