/* Only the implementations, so that no compiler optimizes them together with the code that measures them. They are in
   one file because the counts were recorded so: gcc's inlining depends on the whole file. Public domain. */
#define MD2_GL
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_GL
#define MD5_IMPLEMENTATION
#include "md5.h"
