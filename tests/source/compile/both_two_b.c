/* Both declared, in the other order than in both_two_a.c, and used. */
#include "../../../md2.h"
#include "../../../md5.h"
#include "use_md2.h"
#include "use_md5.h"

int main(void)
{
    return use_md2() + use_md5();
}
