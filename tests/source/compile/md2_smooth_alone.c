/* Must not compile: md2_smooth.h without md2.h. */
#include "md2_smooth.h"

int main(void) { return 0; }
