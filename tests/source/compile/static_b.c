/* See static_a.c. */
#define OTHER_COPY
#include "static_a.c"
