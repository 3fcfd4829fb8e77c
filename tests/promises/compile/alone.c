/* The header needs nothing before it. */
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#include "use_md2.h"

int main(void)
{
    return use_md2();
}
