/* frame_names.c - names for the frames of an MD2, which has no other place for the names of its
   animations. Public domain. */
#include "mdconvert.h"
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ways to put a number behind a name, the usual one first. */
typedef enum style { AS_QUAKE2, WITH_LINE, LONG_NUMBER, WITH_LETTER, STYLES } style;

typedef struct short_name {
    char text[MD2_NAME_LENGTH + 1];
} short_name;

typedef struct naming {
    const char *const *anims;         /* as they are called */
    const uint32_t    *frame_counts;
    uint32_t           anim_count, frame_count, extra_count;
    short_name        *shorts;        /* [anim_count] as they are called here */
    short_name        *given;         /* [2 * anim_count] all names that were ever given */
    uint32_t           given_count;
    name_table         taken;         /* those; the numbers count the names made of each */
    md2_out_frame     *frames;
    md2_anim          *found;         /* what md2.h reads */
    uint32_t          *found_of;      /* [frame] which of them has it */
    uint64_t           read_count;    /* frames, each as often as it was read */
    const char       **names;         /* of the frames */
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

/* Letters that a name may have, so that its frames' numbers fit behind it. */
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

typedef struct words {                /* of a name */
    const char *starts[MAX_WORDS];
    size_t      lengths[MAX_WORDS];
    int         count;
} words;

/* Words begin behind a separator, or with a capital letter; 1H is one. */
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

/* With the line that guards a digit at the start. */
static size_t short_length(const words *w)
{
    return joined_length(w) + (isdigit((unsigned char)w->starts[0][0]) ? 1 : 0);
}

/* Takes characters from the end of the longest word, of equal ones the last, until the words fit. */
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
        while (*length > 0 && ((unsigned char)start[*length] & 0xC0) == 0x80); /* inside of UTF-8 */
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

/* A to Z, AA to ZZ and so on behind a name, or in place of its last letters. */
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

/* Ends in other letters until no animation has the name. */
static void tell_apart(naming *n, uint32_t index, size_t room)
{
    char     *text = n->shorts[index].text;
    size_t    length = strlen(text);
    uint32_t *known = find_name(&n->taken, text), none = 0, *next = known ? known : &none;
    while (!text[0] || find_name(&n->taken, text)) end_in_letters(text, length, room, (*next)++);

    short_name *given = &n->given[n->given_count++];
    *given = n->shorts[index];
    add_name(&n->taken, given->text, 0);
}

/* How many words all names begin with, or end with; at least one word of each stays. */
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

/* Whether all words of a name are among those of another one, in their order. */
static bool is_within(const words *name, const words *other)
{
    int found = 0;
    for (int k = 0; k < other->count && found < name->count; ++k) {
        if (is_same_word(name, found, other, k)) ++found;
    }
    return found == name->count;
}

/* How little a word of a name tells: in how many names it is; more if it is a code, as 43bac2. */
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

/* Removes the words that tell least until the name fits: "1H_Melee_Attack_Chop" becomes 1HAttackChop if
   most animations are a Melee. A word stays if another name has all the words that would be left: what
   tells the animations apart is kept. */
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
        if (most < 2) return;         /* only this name has what is left */

        words left = *name;
        remove_word(&left, worst);
        bool is_told_apart = true;
        for (uint32_t i = 0; i < count && is_told_apart; ++i) {
            if (i != index && is_within(&left, &all[i])) is_told_apart = false;
        }
        if (!is_told_apart) {
            is_tried[worst] = true;
            continue;
        }
        for (int i = worst; i + 1 < name->count; ++i) is_tried[i] = is_tried[i + 1];
        *name = left;
    }
}

/* Digits that a name begins with would not be read back. */
static void guard_digits(short_name *name, size_t room)
{
    char guarded[sizeof name->text + 1];
    if (!isdigit((unsigned char)name->text[0])) return;
    snprintf(guarded, sizeof guarded, "_%s", name->text);
    guarded[whole_length(guarded, room)] = 0;
    memcpy(name->text, guarded, sizeof name->text);
}

static bool is_any_long(const naming *n)
{
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        if (strlen(n->anims[i]) > room_for_name(n->anims[i], n->frame_counts[i])) return true;
    }
    return false;
}

/* The name from its first to its last word, as it is written. False if that does not fit. */
static bool copy_between(const words *w, size_t room, short_name *out)
{
    const char *start = w->starts[0], *end = w->starts[w->count - 1] + w->lengths[w->count - 1];
    size_t      length = (size_t)(end - start);
    bool        has_guard = isdigit((unsigned char)start[0]);
    if (length + (has_guard ? 1 : 0) > room) return false;
    snprintf(out->text, sizeof out->text, "%.*s", (int)length, start);
    return true;
}

/* If all names fit they stay. Else the words go that all begin with, and those that all end with. From a
   name that is still too long other words go, and then letters. */
static void shorten_names(naming *n)
{
    enum { MAX_COMPARED = 512 };     /* with each other: more than anybody has */
    bool   is_long = is_any_long(n), differ = false;
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
        short_name *out = &n->shorts[i];
        bool        is_whole = !is_long || own.count == 0;
        size_t      room = room_for_name(n->anims[i], n->frame_counts[i]);
        if (is_whole) {
            size_t length = whole_length(n->anims[i], room);
            snprintf(out->text, sizeof out->text, "%.*s", (int)length, n->anims[i]);
            continue;
        }
        if (copy_between(&own, room, out)) continue;
        if (n->anim_count <= MAX_COMPARED) remove_words(&own, i, all, n->anim_count, room);
        trim_words(&own, room);
        join_words(&own, room, out);
    }
    release(all);
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        size_t room = room_for_name(n->shorts[i].text, n->frame_counts[i]);
        guard_digits(&n->shorts[i], room);
        tell_apart(n, i, room);
    }
}

/* -- Frames ------------------------------------------------------------------------------------ */

/* Quake II has run1, stand01, and pain101, the first frame of pain1. Of what does not fit the end
   of the name goes, never of the number. */
static void set_name(md2_out_frame *frame, const char *anim, uint32_t number, uint32_t count,
                     style how)
{
    size_t   length = strlen(anim);
    uint32_t digits = digits_of(count);
    if (ends_in_digit(anim) && digits < 2) digits = 2;
    if (how == LONG_NUMBER && digits < 3) digits = 3;

    const char *line = how == WITH_LINE ? "_" : "";
    size_t      room = MD2_NAME_LENGTH - digits - strlen(line);
    char        text[64];
    snprintf(text, sizeof text, "%.*s%s%0*u", (int)(length < room ? length : room), anim, line,
             (int)digits, (unsigned)number);
    memcpy(frame->name, text, sizeof frame->name);
    frame->name[MD2_NAME_LENGTH] = 0;
}

bool name_anim_frames(const char *anim, md2_out_frame *frames, uint32_t count)
{
    size_t room = room_for_name(anim, count);
    if (strlen(anim) > room) {
        return fail("--name", "%s is too long for the names of %u frames: they have room for %u characters", anim,
                    (unsigned)count, (unsigned)room);
    }
    for (uint32_t i = 0; i < count; ++i) set_name(&frames[i], anim, i + 1, count, AS_QUAKE2);
    return true;
}

static void name_anim(naming *n, uint32_t index, uint32_t first, style how)
{
    char *text = n->shorts[index].text;
    /* a name that ends in no digit is not mixed up with a number */
    if (how == WITH_LETTER) {
        size_t at = strlen(text), room = room_for_name("", n->frame_counts[index]);
        if (at >= room) at = room - 1;
        text[at] = 'A';
        text[at + 1] = 0;
        tell_apart(n, index, room);
    }
    for (uint32_t i = 0; i < n->frame_counts[index]; ++i) {
        set_name(&n->frames[first + i], text, i + 1, n->frame_counts[index], how);
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

/* Not where there are so many that it takes too long. */
static bool may_read_again(const naming *n)
{
    const uint64_t most = 1 << 21;
    return n->read_count < most;
}

static bool is_read_back(const naming *n, uint32_t index, uint32_t first)
{
    const md2_anim *found = &n->found[n->found_of[first]];
    return found->first == first && found->count == n->frame_counts[index] &&
           strcmp(found->name, n->shorts[index].text) == 0;
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

/* What is not read back as it should be gets another style. All are read anew after each, as the
   style of one decides how others are read; or, where that takes too long, once per style. */
static void try_styles(naming *n)
{
    for (int how = WITH_LINE; how < STYLES; ++how) {
        uint32_t first = 0;
        for (uint32_t i = 0; i < n->anim_count; ++i) {
            if (!is_read_back(n, i, first)) {
                name_anim(n, i, first, (style)how);
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
        name_anim(n, i, first, AS_QUAKE2);
        first += n->frame_counts[i];
    }
    read_back(n);
}

/* A model with about as many frames as a player of Quake II is taken for one, whatever its frames
   are called: more of them, behind all others, make it none. */
static void add_extra_frames(naming *n)
{
    for (n->extra_count = 2; n->extra_count <= MD2_EXTRA_FRAMES; ++n->extra_count) {
        if (!may_read_again(n)) break;
        for (uint32_t i = 0; i < n->extra_count; ++i) {
            set_name(&n->frames[n->frame_count + i], "unused", i + 1, n->extra_count, AS_QUAKE2);
        }
        read_back(n);
        if (are_all_read_back(n)) return;
    }
    n->extra_count = 0;
    read_back(n);
}

/* -- What is told ------------------------------------------------------------------------------ */

static void note_short_names(const naming *n)
{
    bool is_first = true;
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        if (strcmp(n->anims[i], n->shorts[i].text) == 0) continue;
        if (is_first) {
            note("frame names have 15 characters, so these names are shortened (or choose your own: --name OLD=NEW):");
        }
        note("  %-13s %s", n->shorts[i].text, n->anims[i]);
        is_first = false;
    }
}

static void note_bad_names(const naming *n)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < n->anim_count; first += n->frame_counts[i], ++i) {
        const md2_anim *found = &n->found[n->found_of[first]];
        if (is_read_back(n, i, first)) continue;
        note("%s: programs that use frame names will read it as \"%s\"%s", n->anims[i],
             found->name, found->count == n->frame_counts[i] ? "" : ", with other frames");
    }
    if (n->extra_count > 0) {
        note("%u frames called \"unused\" are added at the end: a model of %u frames is taken for a "
             "player of Quake II", (unsigned)n->extra_count, (unsigned)n->frame_count);
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
    n.shorts = (short_name *)allocate(anim_count, sizeof *n.shorts);
    n.given = (short_name *)allocate(2 * (size_t)anim_count, sizeof *n.given);
    n.found = (md2_anim *)allocate(frame_room, sizeof *n.found);
    n.found_of = (uint32_t *)allocate(frame_room, sizeof *n.found_of);
    n.names = (const char **)allocate(frame_room, sizeof *n.names);

    shorten_names(&n);
    name_all(&n);
    if (!are_all_read_back(&n)) add_extra_frames(&n);
    if (!are_all_read_back(&n)) try_styles(&n);
    if (!are_all_read_back(&n)) add_extra_frames(&n);
    note_short_names(&n);
    note_bad_names(&n);
    free_name_table(&n.taken);
    release(n.shorts);
    release(n.given);
    release(n.found);
    release(n.found_of);
    release(n.names);
    return n.extra_count;
}
