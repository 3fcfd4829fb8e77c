/* See static_a.c. */
#define MD2_STATIC
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#include "use_md2.h"

#ifdef __cplusplus
extern "C"
#endif
int other_copy(void);

int other_copy(void)
{
    return use_md2();
}
