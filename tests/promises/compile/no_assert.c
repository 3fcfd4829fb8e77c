/* MD2_ASSERT is the user's own: here it checks nothing, and assert itself is not linked (strict.sh looks). */
#define MD2_ASSERT(condition) ((void)0)
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#include "use_md2.h"

int main(void)
{
    return use_md2();
}
