/* frame_names.c - names for the frames of an MD2, which has no other place for the names of its
   animations. Public domain. */
#include "mdconvert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ways to put a number behind a name, the usual one first. */
typedef enum style { AS_QUAKE2, WITH_LINE, LONG_NUMBER, STYLES } style;

static bool ends_in_digit(const char *text, size_t length)
{
    return length > 0 && text[length - 1] >= '0' && text[length - 1] <= '9';
}

static uint32_t digits_of(uint32_t x)
{
    uint32_t count = 1;
    for (; x >= 10; x /= 10) ++count;
    return count;
}

/* Quake II has run1, stand01, and pain101, the first frame of pain1. Of what does not fit the end
   of the name goes, never of the number. */
static void set_name(md2_out_frame *frame, const char *anim, uint32_t number, uint32_t count,
                     style how)
{
    size_t   length = strlen(anim);
    uint32_t digits = digits_of(count);
    if (ends_in_digit(anim, length) && digits < 2) digits = 2;
    if (how == LONG_NUMBER && digits < 3) digits = 3;

    const char *line = how == WITH_LINE ? "_" : "";
    size_t      room = MD2_NAME_LETTERS - digits - strlen(line);
    char        text[64];
    snprintf(text, sizeof text, "%.*s%s%0*u", (int)(length < room ? length : room), anim, line,
             (int)digits, (unsigned)number);
    memcpy(frame->name, text, sizeof frame->name);
    frame->name[MD2_NAME_LETTERS] = 0;
}

typedef struct naming {
    const char *const *anims;
    const uint32_t    *frame_counts;
    uint32_t           anim_count, frame_count;
    md2_out_frame     *frames;
    md2_anim          *found;         /* what md2.h reads */
    uint32_t           found_count;
    const char       **names;         /* of the frames */
} naming;

static void name_anim(naming *n, uint32_t index, uint32_t first, style how)
{
    for (uint32_t i = 0; i < n->frame_counts[index]; ++i) {
        set_name(&n->frames[first + i], n->anims[index], i + 1, n->frame_counts[index], how);
    }
}

static void read_back(naming *n)
{
    for (uint32_t i = 0; i < n->frame_count; ++i) n->names[i] = n->frames[i].name;
    n->found_count = md2_split_frame_names(n->names, n->frame_count, NULL, n->found,
                                           n->frame_count);
}

static bool is_read_back(const naming *n, const char *anim, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < n->found_count; ++i) {
        const md2_anim *found = &n->found[i];
        if (found->first == first) return found->count == count && strcmp(found->name, anim) == 0;
    }
    return false;
}

static void note_name(const naming *n, const char *anim, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < n->found_count; ++i) {
        const md2_anim *found = &n->found[i];
        bool            covers = first >= found->first && first < found->first + found->count;
        if (!covers) continue;
        note("%s: by the names of its frames, of 15 letters, it is read back as \"%s\"%s", anim,
             found->name, found->count == count ? "" : ", with frames of another animation");
    }
}

void name_frames(const char *const *anims, const uint32_t *frame_counts, uint32_t anim_count,
                 md2_out_frame *frames)
{
    naming n;
    memset(&n, 0, sizeof n);
    n.anims = anims;
    n.frame_counts = frame_counts;
    n.anim_count = anim_count;
    n.frames = frames;
    for (uint32_t i = 0; i < anim_count; ++i) n.frame_count += frame_counts[i];
    n.found = (md2_anim *)allocate(n.frame_count, sizeof(md2_anim));
    n.names = (const char **)allocate(n.frame_count, sizeof *n.names);

    uint32_t first = 0;
    for (uint32_t i = 0; i < anim_count; ++i) {
        name_anim(&n, i, first, AS_QUAKE2);
        first += frame_counts[i];
    }
    read_back(&n);

    /* What is not read back as it should be gets another style. All are read anew after each, as
       the style of one decides how others are read. */
    for (int how = WITH_LINE; how < STYLES; ++how) {
        first = 0;
        for (uint32_t i = 0; i < anim_count; ++i) {
            if (!is_read_back(&n, anims[i], first, frame_counts[i])) {
                name_anim(&n, i, first, (style)how);
                read_back(&n);
            }
            first += frame_counts[i];
        }
    }

    first = 0;
    for (uint32_t i = 0; i < anim_count; ++i) {
        bool is_good = is_read_back(&n, anims[i], first, frame_counts[i]);
        if (!is_good) note_name(&n, anims[i], first, frame_counts[i]);
        first += frame_counts[i];
    }
    free(n.found);
    free(n.names);
}
