/* The header needs nothing before it, and with MD2_NO_STDIO it includes no <stdio.h>. */
#define MD2_IMPLEMENTATION
#include "../../../md2.h"

#if defined(MD2_NO_STDIO) && (defined(_STDIO_H) || defined(_STDIO_H_))
  #error "md2.h includes <stdio.h> although MD2_NO_STDIO is defined"
#endif

#include "two_b.c"
