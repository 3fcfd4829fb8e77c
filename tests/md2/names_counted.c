/* md2.h a second time, static and with its work counted, for the tests of names. Public domain. */
#define MD2_IMPLEMENTATION
#define MD2_STATIC
#include "count_steps.h"
#include "md2.h"
#include "count_steps.h"

uint64_t work_of_split(const char *const *names, uint32_t count, const md2_options *options,
                       md2_anim *out, uint32_t capacity);

uint64_t work_of_split(const char *const *names, uint32_t count, const md2_options *options,
                       md2_anim *out, uint32_t capacity)
{
    steps_taken = 0;
    (void)md2_split_frame_names(names, count, options, out, capacity);
    return steps_taken;
}
