/* md5_anim.c: loads an .md5anim with md5_load_anim_memory and md5_load_anim_reader. */
#include "fuzz.h"

#include "md5_model.h"

FUZZ_HELPER void fuzz_check_read_anim(const md5_anim *anim)
{
    size_t moving = anim->moving_count;
    fuzz_check_md5_anim(anim);
    fuzz_check_finite((const float *)anim->still, 8 * (anim->joint_count - moving));
    fuzz_check_finite((const float *)anim->frames, 8 * anim->frame_count * moving);
}

#define TARGET       fuzz_md5_anim
#define OPTIONS_TYPE md5_options
#define READER_TYPE  md5_reader
#define ERROR_TYPE   md5_error
#define RESULT       md5_anim
#define OPTIONS      fuzz_md5_options
#define LOAD_MEMORY(data, size, options, error) \
    md5_load_anim_memory(data, size, "walk", options, error)
#define LOAD_READER(reader, options, error) md5_load_anim_reader(reader, "walk", options, error)
#define EXTRA_BYTES  ((size_t)8 << 20)
#define MOST_AT_ONCE(size, read) (fuzz_memory_bound(size, read) + EXTRA_BYTES)
#define CHECK_ERROR  fuzz_check_md5_error
#define CHECK_RESULT fuzz_check_read_anim
#define FREE_RESULT  md5_free_anim
#include "load_both.h"

FUZZ_ENTRY(md5_anim, fuzz_mutate_tokens)
