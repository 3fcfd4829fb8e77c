/* Two files, each with private copies of both headers; both_static_b.c is the other. */
#define MD2_STATIC
#define MD5_STATIC
#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#include "../../../md2.h"
#include "../../../md5.h"
#include "use_md2.h"
#include "use_md5.h"

#ifdef __cplusplus
extern "C"
#endif
int other_copies(void);

int main(void)
{
    return use_md2() + use_md5() + other_copies();
}
