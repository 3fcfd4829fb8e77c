/* Both implementations in one file; both_two_b.c uses them. */
#define MD5_IMPLEMENTATION
#define MD2_IMPLEMENTATION
#include "../../../md5.h"
#include "../../../md2.h"
