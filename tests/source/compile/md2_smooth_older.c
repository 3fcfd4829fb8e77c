/* Must not compile: md2_smooth.h with a different version of md2.h, of which only two macros are here. */
#define MD2__COLD static
#define MD2_LIBRARY_VERSION 1
#include "md2_smooth.h"

int main(void) { return 0; }
