/* Two files of one program, each with a private copy of its own; static_b.c is the other. */
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
