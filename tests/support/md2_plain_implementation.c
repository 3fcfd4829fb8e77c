/* The implementation of md2.h with OpenGL and without SIMD. Public domain. */
#ifndef MD2_NO_SIMD
  #define MD2_NO_SIMD
#endif
#define MD2_GL
#define MD2_SMOOTH
#define MD2_IMPLEMENTATION
#include "md2.h"
