/* Somebody's header includes it without the renderer, before the file that wants it. */
#include "../../../md2.h"
#define MD2_GL
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#include "use_md2.h"

int main(void)
{
    return use_md2();
}
