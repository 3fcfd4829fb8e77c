/* An .md5anim through md5_load_anim_memory and md5_load_anim_reader. */
#include "fuzz.h"

#include "md5_model.h"

static void fuzz_md5_anim(const uint8_t *data, size_t size)
{
    fuzz_md5_load_both(data, size, true);
}

FUZZ_ENTRY(md5_anim, fuzz_mutate_tokens)
