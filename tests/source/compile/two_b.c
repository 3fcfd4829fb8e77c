/* A file that declares and uses the library; the implementation is in two_a.c or in a shared library. */
#include "../../../md2.h"
#include "use_md2.h"

int main(void)
{
    return use_md2();
}
