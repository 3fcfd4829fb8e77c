/* An .md5mesh through md5_load_model_memory and md5_load_model_reader. */
#include "fuzz.h"

#include "md5_model.h"

static void fuzz_md5_mesh(const uint8_t *data, size_t size)
{
    fuzz_md5_load_both(data, size, false);
}

FUZZ_ENTRY(md5_mesh, fuzz_mutate_tokens)
