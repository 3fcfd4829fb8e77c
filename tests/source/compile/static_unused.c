/* A private copy of which no function is called causes no warnings about unused functions. */
#define MD2_STATIC
#define MD2_IMPLEMENTATION
#include "../../../md2.h"

int main(void)
{
    return MD2_OK;
}
