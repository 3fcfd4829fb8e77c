/* Must not compile: md2_smooth.h of another version than that of md2.h, of which two macros stand here. */
#define MD2__COLD static
#define MD2_LIBRARY_VERSION 1
#include "md2_smooth.h"

int main(void) { return 0; }
