/* A file that declares and uses, for the implementation before it, in two_a.c or in a shared library. */
#include "../../../md2.h"
#include "use_md2.h"

int main(void)
{
    return use_md2();
}
