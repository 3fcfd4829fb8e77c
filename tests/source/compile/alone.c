/* The header needs no other header before it; with MD2_NO_STDIO it does not include <stdio.h>. */
#define MD2_IMPLEMENTATION
#include "../../../md2.h"

#if defined(MD2_NO_STDIO) && (defined(_STDIO_H) || defined(_STDIO_H_))
  #error "md2.h includes <stdio.h> although MD2_NO_STDIO is defined"
#endif

#include "two_b.c"
