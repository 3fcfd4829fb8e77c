/* Both headers in one file, in either order (-DMD5_FIRST). */
#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#ifdef MD5_FIRST
  #include "../../../md5.h"
#endif
#include "both_two_b.c"
