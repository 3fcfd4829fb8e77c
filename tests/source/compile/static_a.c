/* Two files of one program, each with its own private copy of the library; the other file is static_b.c. */
#define MD2_STATIC
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#include "use_md2.h"

#ifdef __cplusplus
extern "C"
#endif
int other_copy(void);

#ifdef OTHER_COPY
int other_copy(void)
{
    return use_md2();
}
#else
int main(void)
{
    return use_md2() + other_copy();
}
#endif
