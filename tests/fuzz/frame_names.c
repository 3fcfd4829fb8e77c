/* frame_names.c: passes any list of names, one per line, to md2_split_frame_names. */
#include "fuzz.h"

#include "md2_model.h"

FUZZ_UNSEEN_BEGIN

enum { FUZZ_NAMES = 600 };

/* Copies each line to its own block, so that a sanitizer detects a read after its end. */
static uint32_t fuzz_take_names(const fuzz_input *input, const char **names)
{
    size_t begin = 0, end;
    uint32_t count = 0;
    while (begin < input->size && count < FUZZ_NAMES) {
        for (end = begin; end < input->size && input->data[end] != '\n';) ++end;
        char *name = (char *)fuzz_take(end - begin + 1, 0);
        memcpy(name, input->data + begin, end - begin);
        name[end - begin] = 0;
        names[count++] = end - begin == 1 && name[0] == 1 ? NULL : name;
        begin = end + 1;
    }
    return count;
}

/* Checks the animations. Their names are unique, unless a name of the list contains '#', with which md2.h numbers
   equal names. */
static void fuzz_check_split(const md2_anim *anims, uint32_t count, uint32_t name_count,
                             bool are_unique)
{
    uint32_t end = 0;
    FUZZ_CHECK(count <= name_count && (count > 0 || name_count == 0));
    for (uint32_t i = 0; i < count; ++i) {
        const md2_anim *anim = &anims[i];
        FUZZ_CHECK(anim->count > 0 && anim->first >= end &&
                   anim->first + anim->count <= name_count);
        FUZZ_CHECK(memchr(anim->name, 0, sizeof anim->name) != NULL && anim->name[0] != 0);
        FUZZ_CHECK(anim->fps > 0 && anim->fps <= FLT_MAX);
        end = anim->first + anim->count;
        for (uint32_t k = 0; are_unique && k < i && i < 40; ++k)
            FUZZ_CHECK(strcmp(anims[k].name, anim->name) != 0);
    }
    FUZZ_CHECK(end == name_count);
}

static void fuzz_frame_names(fuzz_input *input)
{
    const char *names[FUZZ_NAMES];
    md2_options options = fuzz_md2_options(input);
    uint32_t name_count = fuzz_take_names(input, names);
    md2_anim *all = (md2_anim *)fuzz_take(name_count * sizeof(md2_anim), 0);
    uint32_t count = md2_split_frame_names(names, name_count, &options, all, name_count);
    bool has_mark = input->size > 0 && memchr(input->data, '#', input->size);
    fuzz_check_split(all, count, name_count, !has_mark);
    uint32_t capacity = fuzz_below(&input->dice, name_count + 1);
    md2_anim *few = (md2_anim *)fuzz_take(capacity * sizeof(md2_anim), 0);
    FUZZ_CHECK(md2_split_frame_names(names, name_count, &options, few, capacity) == count);
    if (capacity >= count)
        FUZZ_CHECK(count == 0 || memcmp(all, few, count * sizeof(md2_anim)) == 0);
    else FUZZ_CHECK(capacity == 0 || (few[capacity - 1].first == all[capacity - 1].first &&
                                      few[capacity - 1].count == all[capacity - 1].count));
}

FUZZ_UNSEEN_END

FUZZ_ENTRY(frame_names, fuzz_mutate_tokens)
