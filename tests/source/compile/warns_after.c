/* Must not compile with -Wconversion as an error: warnings that the header turns off inside must be on after it. */
#define MD2_IMPLEMENTATION
#include "../../../md2.h"

int narrowed_after_the_header(double wide);

int narrowed_after_the_header(double wide)
{
    return wide;
}
