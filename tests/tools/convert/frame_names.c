/* frame_names.c - names the frames of an MD2, because the format has no other place for the names of
   animations. Public domain. */
#include "mdconvert.h"
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* formats of a frame's number, in the order in which they are tried */
typedef enum number_format {
    PLAIN_NUMBER,                     /* run1, run01 */
    AFTER_UNDERSCORE,                 /* run_1 */
    LONG_NUMBER,                      /* run001 */
    AFTER_LETTER,                     /* runA1 */
    NUMBER_FORMATS
} number_format;

typedef struct short_name {
    char text[MD2_NAME_LENGTH + 1];
} short_name;

typedef struct naming {
    const char *const *anims;         /* requested names */
    const uint32_t    *frame_counts;
    uint32_t           anim_count, frame_count, extra_count;
    short_name        *short_names;   /* [anim_count] names that are written */
    short_name        *given;         /* [2 * anim_count] all names ever assigned */
    uint32_t           given_count;
    name_table         taken;         /* the assigned names, each with the number of names derived from it */
    md2_out_frame     *frames;
    md2_anim          *found;         /* animations that md2.h reads from the frame names */
    uint32_t          *found_of;      /* [frame] index of its animation in `found` */
    uint64_t           read_count;    /* frames read by all calls of read_back together */
    const char       **names;         /* names of the frames */
} naming;

static bool ends_in_digit(const char *text)
{
    size_t length = strlen(text);
    return length > 0 && text[length - 1] >= '0' && text[length - 1] <= '9';
}

static uint32_t digits_of(uint32_t x)
{
    uint32_t count = 1;
    for (; x >= 10; x /= 10) ++count;
    return count;
}

/* -- Short names ------------------------------------------------------------------------------- */

/* Returns the maximum length of a name that leaves room for the frame numbers. */
static size_t room_for_name(const char *name, uint32_t frame_count)
{
    uint32_t digits = digits_of(frame_count);
    if (ends_in_digit(name) && digits < 2) digits = 2;
    return MD2_NAME_LENGTH - digits;
}

static bool is_separator(char c)
{
    return strchr("_-. |:", c) != NULL && c != 0;
}

enum { MAX_WORDS = 12 };

typedef struct words {                /* words of a name */
    const char *starts[MAX_WORDS];
    size_t      lengths[MAX_WORDS];
    int         count;
} words;

/* Splits a name into words. A word begins after a separator or with a capital letter; "1H" is one word. */
static words split_words(const char *name)
{
    words w;
    memset(&w, 0, sizeof w);
    for (const char *c = name; *c; ++c) {
        int  last = w.count - 1;
        bool is_number = last >= 0 && isdigit((unsigned char)*w.starts[last]) && isdigit((unsigned char)c[-1]);
        bool is_capital = isupper((unsigned char)*c) && c > name && !isupper((unsigned char)c[-1]);
        bool begins = c == name || is_separator(c[-1]) || (is_capital && !is_number);
        if (is_separator(*c)) continue;
        if (begins && w.count < MAX_WORDS) w.starts[w.count++] = c;
        last = w.count - 1;
        if (last >= 0 && w.starts[last] + w.lengths[last] == c) ++w.lengths[last];
    }
    return w;
}

static size_t joined_length(const words *w)
{
    size_t total = 0;
    for (int i = 0; i < w->count; ++i) total += w->lengths[i];
    return total;
}

/* Returns the length of the joined words, including the underscore that is put before a leading digit. */
static size_t short_length(const words *w)
{
    return joined_length(w) + (isdigit((unsigned char)w->starts[0][0]) ? 1 : 0);
}

/* Cuts the last character of the longest word until the words fit. If several words are equally long, the last of them
   is cut. */
static void trim_words(words *w, size_t room)
{
    while (short_length(w) > room) {
        int longest = w->count - 1;
        for (int i = w->count - 1; i >= 0; --i) {
            if (w->lengths[i] > w->lengths[longest]) longest = i;
        }
        size_t *length = &w->lengths[longest];
        const char *start = w->starts[longest];
        do --*length;
        while (*length > 0 && ((unsigned char)start[*length] & 0xC0) == 0x80); /* the middle of a UTF-8 character */
    }
}

static void join_words(const words *w, size_t room, short_name *out)
{
    size_t at = 0;
    for (int i = 0; i < w->count; ++i) {
        for (size_t k = 0; k < w->lengths[i] && at < room; ++k) {
            char c = w->starts[i][k];
            out->text[at++] = i > 0 && k == 0 ? (char)toupper((unsigned char)c) : c;
        }
    }
    out->text[at] = 0;
    out->text[whole_length(out->text, at)] = 0;
}

static bool is_same_word(const words *a, int i, const words *b, int k)
{
    return a->lengths[i] == b->lengths[k] && memcmp(a->starts[i], b->starts[k], a->lengths[i]) == 0;
}

static void remove_word(words *w, int index)
{
    for (int i = index; i + 1 < w->count; ++i) {
        w->starts[i] = w->starts[i + 1];
        w->lengths[i] = w->lengths[i + 1];
    }
    --w->count;
}

/* Appends A to Z, AA to ZZ and so on to a name, or replaces its last letters if there is no room. */
static void end_in_letters(char *text, size_t length, size_t room, uint32_t number)
{
    char   letters[8];
    size_t count = 0;
    for (uint32_t rest = number + 1; rest > 0; rest = (rest - 1) / 26) {
        letters[count++] = (char)('A' + (rest - 1) % 26);
    }
    size_t from = length + count > room ? room - count : length;
    for (size_t i = 0; i < count; ++i) text[from + i] = letters[count - 1 - i];
    text[from + count] = 0;
}

/* Appends letters to a name until no other animation has it. */
static void make_unique(naming *n, uint32_t index, size_t room)
{
    char     *text = n->short_names[index].text;
    size_t    length = strlen(text);
    uint32_t *known = find_name(&n->taken, text), none = 0, *next = known ? known : &none;
    while (!text[0] || find_name(&n->taken, text)) end_in_letters(text, length, room, (*next)++);

    short_name *given = &n->given[n->given_count++];
    *given = n->short_names[index];
    add_name(&n->taken, given->text, 0);
}

/* Returns how many words all names have in common at their start, or at their end. The result is less than the number
   of words in any name. */
static int count_common(const words *all, uint32_t count, bool at_end)
{
    int common = 0;
    if (count < 2) return 0;
    for (; common + 1 < all[0].count; ++common) {
        int first = at_end ? all[0].count - 1 - common : common;
        for (uint32_t i = 1; i < count; ++i) {
            int own = at_end ? all[i].count - 1 - common : common;
            bool is_same = common + 1 < all[i].count && is_same_word(&all[0], first, &all[i], own);
            if (!is_same) return common;
        }
    }
    return common;
}

/* Returns true if all words of a name also occur in another name, in the same order. */
static bool is_within(const words *name, const words *other)
{
    int found = 0;
    for (int k = 0; k < other->count && found < name->count; ++k) {
        if (is_same_word(name, found, other, k)) ++found;
    }
    return found == name->count;
}

/* Ranks a word of a name; words with a high rank are removed first. The rank is the number of names that contain
   the word, and much higher for a code such as 43bac2. */
static uint32_t rank_word(const words *name, int index, const words *all, uint32_t count)
{
    enum { CODE = 1 << 20, CODE_LETTERS = 4 };
    uint32_t rank = 0, digits = 0;
    for (size_t k = 0; k < name->lengths[index]; ++k) {
        if (isdigit((unsigned char)name->starts[index][k])) ++digits;
    }
    if (digits > 0 && name->lengths[index] >= CODE_LETTERS) rank += CODE;
    for (uint32_t i = 0; i < count; ++i) {
        for (int k = 0; k < all[i].count; ++k) {
            if (!is_same_word(name, index, &all[i], k)) continue;
            ++rank;
            break;
        }
    }
    return rank;
}

/* Removes the least informative words until the name fits: "1H_Melee_Attack_Chop" becomes 1HAttackChop if most
   animations have the word Melee. A word stays if another name has all the remaining words, because then only this
   word distinguishes the two animations. */
static void remove_words(words *name, uint32_t index, const words *all, uint32_t count, size_t room)
{
    bool is_tried[MAX_WORDS] = { false };
    while (name->count > 1 && short_length(name) > room) {
        uint32_t most = 0;
        int      worst = -1;
        for (int i = 0; i < name->count; ++i) {
            uint32_t rank = is_tried[i] ? 0 : rank_word(name, i, all, count);
            bool     is_longer = worst >= 0 && name->lengths[i] > name->lengths[worst];
            if (rank < most || rank == 0 || (rank == most && !is_longer)) continue;
            most = rank;
            worst = i;
        }
        if (most < 2) return;         /* The remaining words occur only in this name. */

        words left = *name;
        remove_word(&left, worst);
        bool is_unique = true;
        for (uint32_t i = 0; i < count && is_unique; ++i) {
            if (i != index && is_within(&left, &all[i])) is_unique = false;
        }
        if (!is_unique) {
            is_tried[worst] = true;
            continue;
        }
        for (int i = worst; i + 1 < name->count; ++i) is_tried[i] = is_tried[i + 1];
        *name = left;
    }
}

/* Puts an underscore before a leading digit, because leading digits would not be read back. */
static void protect_leading_digit(short_name *name, size_t room)
{
    char guarded[sizeof name->text + 1];
    if (!isdigit((unsigned char)name->text[0])) return;
    snprintf(guarded, sizeof guarded, "_%s", name->text);
    guarded[whole_length(guarded, room)] = 0;
    memcpy(name->text, guarded, sizeof name->text);
}

static bool is_any_too_long(const naming *n)
{
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        if (strlen(n->anims[i]) > room_for_name(n->anims[i], n->frame_counts[i])) return true;
    }
    return false;
}

/* Copies the original name from the first to the last of the words, including the separators between them. Returns
   false if this text does not fit. */
static bool copy_original(const words *w, size_t room, short_name *out)
{
    const char *start = w->starts[0], *end = w->starts[w->count - 1] + w->lengths[w->count - 1];
    size_t      length = (size_t)(end - start);
    bool        has_guard = isdigit((unsigned char)start[0]);
    if (length + (has_guard ? 1 : 0) > room) return false;
    snprintf(out->text, sizeof out->text, "%.*s", (int)length, start);
    return true;
}

/* Shortens the names, unless all of them fit. Words that all names begin with or end with are removed first. If a name
   is still too long, more of its words are removed, and then letters. */
static void shorten_names(naming *n)
{
    enum { MAX_COMPARED = 512 };      /* remove_words would be slow with more animations; no real model has more */
    bool   is_long = is_any_too_long(n), differ = false;
    words *all = (words *)allocate(n->anim_count, sizeof *all);
    for (uint32_t i = 0; i < n->anim_count; ++i) all[i] = split_words(n->anims[i]);
    for (uint32_t i = 1; i < n->anim_count; ++i) differ |= strcmp(n->anims[i], n->anims[0]) != 0;
    int start = is_long && differ ? count_common(all, n->anim_count, false) : 0;
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        for (int k = 0; k < start; ++k) remove_word(&all[i], 0);
    }
    int end = is_long && differ ? count_common(all, n->anim_count, true) : 0;
    for (uint32_t i = 0; i < n->anim_count; ++i) all[i].count -= end;

    for (uint32_t i = 0; i < n->anim_count; ++i) {
        words       own = all[i];
        short_name *out = &n->short_names[i];
        bool        is_kept = !is_long || own.count == 0;
        size_t      room = room_for_name(n->anims[i], n->frame_counts[i]);
        if (is_kept) {
            size_t length = whole_length(n->anims[i], room);
            snprintf(out->text, sizeof out->text, "%.*s", (int)length, n->anims[i]);
            continue;
        }
        if (copy_original(&own, room, out)) continue;
        if (n->anim_count <= MAX_COMPARED) remove_words(&own, i, all, n->anim_count, room);
        trim_words(&own, room);
        join_words(&own, room, out);
    }
    release(all);
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        size_t room = room_for_name(n->short_names[i].text, n->frame_counts[i]);
        protect_leading_digit(&n->short_names[i], room);
        make_unique(n, i, room);
    }
}

/* -- Frames ------------------------------------------------------------------------------------ */

/* Names a frame as Quake II does: run1, stand01, or pain101 for the first frame of pain1. If the frame name is too
   long, the name of the animation is cut, never the number. */
static void set_name(md2_out_frame *frame, const char *anim, uint32_t number, uint32_t count,
                     number_format format)
{
    size_t   length = strlen(anim);
    uint32_t digits = digits_of(count);
    if (ends_in_digit(anim) && digits < 2) digits = 2;
    if (format == LONG_NUMBER && digits < 3) digits = 3;

    const char *separator = format == AFTER_UNDERSCORE ? "_" : "";
    size_t      room = MD2_NAME_LENGTH - digits - strlen(separator);
    char        text[64];
    snprintf(text, sizeof text, "%.*s%s%0*u", (int)(length < room ? length : room), anim, separator,
             (int)digits, (unsigned)number);
    memcpy(frame->name, text, sizeof frame->name);
    frame->name[MD2_NAME_LENGTH] = 0;
}

bool name_anim_frames(const char *anim, md2_out_frame *frames, uint32_t count)
{
    size_t room = room_for_name(anim, count);
    if (strlen(anim) > room) {
        return fail("--name", "%s is too long: in the names of %u frames, there is room for %u of its characters", anim,
                    (unsigned)count, (unsigned)room);
    }
    for (uint32_t i = 0; i < count; ++i) set_name(&frames[i], anim, i + 1, count, PLAIN_NUMBER);
    return true;
}

static void name_anim(naming *n, uint32_t index, uint32_t first, number_format format)
{
    char *text = n->short_names[index].text;
    /* End the name in a letter, so that its last digits cannot be read as a part of the frame number. */
    if (format == AFTER_LETTER) {
        size_t at = strlen(text), room = room_for_name("", n->frame_counts[index]);
        if (at >= room) at = room - 1;
        text[at] = 'A';
        text[at + 1] = 0;
        make_unique(n, index, room);
    }
    for (uint32_t i = 0; i < n->frame_counts[index]; ++i) {
        set_name(&n->frames[first + i], text, i + 1, n->frame_counts[index], format);
    }
}

static void read_back(naming *n)
{
    uint32_t count = n->frame_count + n->extra_count;
    for (uint32_t i = 0; i < count; ++i) n->names[i] = n->frames[i].name;
    uint32_t found_count = md2_split_frame_names(n->names, count, NULL, n->found, count);
    n->read_count += count;
    for (uint32_t i = 0; i < found_count; ++i) {
        for (uint32_t k = 0; k < n->found[i].count; ++k) n->found_of[n->found[i].first + k] = i;
    }
}

/* Returns false if so many frames have been read that reading all frames again would take too long. */
static bool may_read_again(const naming *n)
{
    const uint64_t most = 1 << 21;
    return n->read_count < most;
}

static bool is_read_back(const naming *n, uint32_t index, uint32_t first)
{
    const md2_anim *found = &n->found[n->found_of[first]];
    return found->first == first && found->count == n->frame_counts[index] &&
           strcmp(found->name, n->short_names[index].text) == 0;
}

static bool are_all_read_back(const naming *n)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        if (!is_read_back(n, i, first)) return false;
        first += n->frame_counts[i];
    }
    return true;
}

/* Tries other number formats for animations that are not read back correctly. After each change, all frames are read
   again, because the format of one name affects how md2.h reads the others. If there are too many frames, they are read
   only once per format. */
static void try_formats(naming *n)
{
    for (int format = AFTER_UNDERSCORE; format < NUMBER_FORMATS; ++format) {
        uint32_t first = 0;
        for (uint32_t i = 0; i < n->anim_count; ++i) {
            if (!is_read_back(n, i, first)) {
                name_anim(n, i, first, (number_format)format);
                if (may_read_again(n)) read_back(n);
            }
            first += n->frame_counts[i];
        }
        if (!may_read_again(n)) read_back(n);
    }
}

static void name_all(naming *n)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        name_anim(n, i, first, PLAIN_NUMBER);
        first += n->frame_counts[i];
    }
    read_back(n);
}

/* Adds frames at the end until md2.h reads all animations back. A Quake II player is recognized by its number of
   frames, so a model with this number would get a player's animations. */
static void add_extra_frames(naming *n)
{
    for (n->extra_count = 2; n->extra_count <= MD2_EXTRA_FRAMES; ++n->extra_count) {
        if (!may_read_again(n)) break;
        for (uint32_t i = 0; i < n->extra_count; ++i) {
            set_name(&n->frames[n->frame_count + i], "unused", i + 1, n->extra_count, PLAIN_NUMBER);
        }
        read_back(n);
        if (are_all_read_back(n)) return;
    }
    n->extra_count = 0;
    read_back(n);
}

/* -- Messages ---------------------------------------------------------------------------------- */

static void note_short_names(const naming *n)
{
    bool is_first = true;
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        if (strcmp(n->anims[i], n->short_names[i].text) == 0) continue;
        if (is_first) {
            note("frame names have 15 characters, so these names are shortened (--name OLD=NEW sets another name):");
        }
        note("  %-13s %s", n->short_names[i].text, n->anims[i]);
        is_first = false;
    }
}

static void note_bad_names(const naming *n)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < n->anim_count; first += n->frame_counts[i], ++i) {
        const md2_anim *found = &n->found[n->found_of[first]];
        if (is_read_back(n, i, first)) continue;
        note("%s: programs that read frame names will call it \"%s\"%s", n->anims[i],
             found->name, found->count == n->frame_counts[i] ? "" : ", with other frames");
    }
    if (n->extra_count > 0) {
        note("%u frames called \"unused\" are added at the end, because a model of %u frames would be "
             "read as a Quake II player", (unsigned)n->extra_count, (unsigned)n->frame_count);
    }
}

uint32_t name_frames(const char *const *anims, const uint32_t *frame_counts, uint32_t anim_count,
                     md2_out_frame *frames)
{
    naming n;
    memset(&n, 0, sizeof n);
    n.anims = anims;
    n.frame_counts = frame_counts;
    n.anim_count = anim_count;
    n.frames = frames;
    for (uint32_t i = 0; i < anim_count; ++i) n.frame_count += frame_counts[i];
    size_t frame_room = (size_t)n.frame_count + MD2_EXTRA_FRAMES;
    n.short_names = (short_name *)allocate(anim_count, sizeof *n.short_names);
    n.given = (short_name *)allocate(2 * (size_t)anim_count, sizeof *n.given);
    n.found = (md2_anim *)allocate(frame_room, sizeof *n.found);
    n.found_of = (uint32_t *)allocate(frame_room, sizeof *n.found_of);
    n.names = (const char **)allocate(frame_room, sizeof *n.names);

    shorten_names(&n);
    name_all(&n);
    if (!are_all_read_back(&n)) add_extra_frames(&n);
    if (!are_all_read_back(&n)) try_formats(&n);
    if (!are_all_read_back(&n)) add_extra_frames(&n);
    note_short_names(&n);
    note_bad_names(&n);
    free_name_table(&n.taken);
    release(n.short_names);
    release(n.given);
    release(n.found);
    release(n.found_of);
    release(n.names);
    return n.extra_count;
}
