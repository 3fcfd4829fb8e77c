/* A private copy of which nothing is called gives no warning about unused functions. */
#define MD2_STATIC
#define MD2_IMPLEMENTATION
#include "../../../md2.h"

int main(void)
{
    return MD2_OK;
}
