/* The implementation of md5.h with OpenGL and without SIMD. Public domain. */
#ifndef MD5_NO_SIMD
  #define MD5_NO_SIMD
#endif
#define MD5_GL
#define MD5_IMPLEMENTATION
#include "md5.h"
