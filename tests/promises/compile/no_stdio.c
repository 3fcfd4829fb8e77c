/* MD2_NO_STDIO: <stdio.h> is not included, and no function of it is linked (symbols.sh looks). */
#define MD2_NO_STDIO
#define MD2_IMPLEMENTATION
#include "../../../md2.h"

#if defined(_STDIO_H) || defined(_STDIO_H_)
  #error "md2.h includes <stdio.h> although MD2_NO_STDIO is defined"
#endif

#include "use_md2.h"

int main(void)
{
    return use_md2();
}
