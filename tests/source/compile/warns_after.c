/* Must not compile with -Wconversion as an error: what the header silences inside stays on outside. */
#define MD2_IMPLEMENTATION
#include "../../../md2.h"

int narrowed_after_the_header(double wide);

int narrowed_after_the_header(double wide)
{
    return wide;
}
