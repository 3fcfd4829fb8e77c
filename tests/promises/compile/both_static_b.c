/* See both_static_a.c. */
#define MD2_STATIC
#define MD5_STATIC
#define MD5_IMPLEMENTATION
#define MD2_IMPLEMENTATION
#include "../../../md5.h"
#include "../../../md2.h"
#include "use_md2.h"
#include "use_md5.h"

#ifdef __cplusplus
extern "C"
#endif
int other_copies(void);

int other_copies(void)
{
    return use_md2() + use_md5();
}
