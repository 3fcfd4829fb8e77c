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
    char text[MD2_NAME_LETTERS + 1];
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
    return MD2_NAME_LETTERS - digits;
}

static bool is_separator(char c)
{
    return strchr("_-. |:", c) != NULL && c != 0;
}

/* The letters that all names begin with, up to a separator. */
static size_t common_start(const naming *n)
{
    size_t common = n->anim_count > 1 ? strlen(n->anims[0]) : 0;
    for (uint32_t i = 1; i < n->anim_count; ++i) {
        size_t same = 0;
        while (same < common && n->anims[i][same] == n->anims[0][same]) ++same;
        common = same;
    }
    while (common > 0 && !is_separator(n->anims[0][common - 1])) --common;
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        if (!n->anims[i][common]) return 0;
    }
    return common;
}

enum { MOST_WORDS = 12 };

typedef struct words {                /* of a name */
    const char *starts[MOST_WORDS];
    size_t      lengths[MOST_WORDS];
    int         count;
} words;

/* Words begin behind a separator, or with a capital letter. */
static words split_words(const char *name)
{
    words w;
    memset(&w, 0, sizeof w);
    for (const char *c = name; *c; ++c) {
        bool is_capital = isupper((unsigned char)*c) && c > name && !isupper((unsigned char)c[-1]);
        bool begins = c == name || is_separator(c[-1]) || is_capital;
        if (is_separator(*c)) continue;
        if (begins && w.count < MOST_WORDS) w.starts[w.count++] = c;
        int last = w.count - 1;
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

/* Takes letters from the end of the longest word, of equal ones the last, until the words fit; from
   the first `shared` words as long as there are any. */
static void trim_words(words *w, int shared, size_t room)
{
    for (size_t total = joined_length(w); total > room; --total) {
        int longest = -1;
        for (int i = 0; i < w->count; ++i) {
            bool is_free = w->lengths[i] > 1 && (i < shared || longest < 0 || longest >= shared);
            bool is_first = longest >= shared && i < shared;
            bool is_longer = longest < 0 || is_first || w->lengths[i] >= w->lengths[longest];
            if (is_free && is_longer) longest = i;
        }
        if (longest < 0) longest = w->count - 1;
        if (w->lengths[longest] == 0) return;
        --w->lengths[longest];
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

/* How many words two names begin with alike. */
static int shared_words(const words *a, const words *b)
{
    int count = 0;
    while (count < a->count && count < b->count && a->lengths[count] == b->lengths[count] &&
           strncmp(a->starts[count], b->starts[count], a->lengths[count]) == 0) {
        ++count;
    }
    return count;
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

/* The first letters of a name that is too long. */
static void cut_name(const char *name, size_t room, short_name *out)
{
    size_t length = whole_length(name, room);
    while (length > 1 && is_separator(name[length - 1])) --length;
    snprintf(out->text, sizeof out->text, "%.*s", (int)length, name);
}

/* "Unarmed_Melee_Attack_Punch_B" becomes UnaMelAttPunB where there is another Punch: what both have
   gives way first, and where they differ they stay whole. All of one start are trimmed alike. */
static void shorten_together(naming *n, uint32_t index, size_t cut, const uint32_t *first_of)
{
    words  own = split_words(n->anims[index] + cut);
    int    shared = own.count;
    size_t least = joined_length(&own);
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        if (i == index || first_of[i] != first_of[index]) continue;
        words its = split_words(n->anims[i] + cut);
        int   same = shared_words(&own, &its);
        if (same < shared) shared = same;
    }
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        words  its = split_words(n->anims[i] + cut);
        size_t room = room_for_name(n->anims[i], n->frame_counts[i]);
        if (shared_words(&own, &its) < shared || shared == 0) continue;
        size_t over = joined_length(&its) > room ? joined_length(&its) - room : 0;
        size_t left = joined_length(&own) > over ? joined_length(&own) - over : 0;
        if (left < least) least = left;
    }

    /* A letter stays of each word that they share, and all of the others. */
    size_t spare = 0;
    for (int i = 0; i < shared; ++i) spare += own.lengths[i] - 1;
    if (least + spare < joined_length(&own)) least = joined_length(&own) - spare;
    trim_words(&own, shared, least);
    size_t room = room_for_name(n->anims[index], n->frame_counts[index]);
    trim_words(&own, own.count, room);
    join_words(&own, room, &n->shorts[index]);
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

/* [anim_count] the first animation of the same short name. Sets whether it has others. */
static uint32_t *find_equal_names(const naming *n, bool *has_equal)
{
    name_table table = { NULL, 0, 0, false };
    uint32_t  *first_of = (uint32_t *)allocate(n->anim_count, sizeof *first_of);
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        add_name(&table, n->shorts[i].text, i);
        first_of[i] = *find_name(&table, n->shorts[i].text);
        if (first_of[i] != i) has_equal[i] = has_equal[first_of[i]] = true;
    }
    free_name_table(&table);
    return first_of;
}

static bool is_any_long(const naming *n)
{
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        if (strlen(n->anims[i]) > room_for_name(n->anims[i], n->frame_counts[i])) return true;
    }
    return false;
}

/* Where all names fit they stay; else what they all begin with goes. What is still too long is cut,
   or where that makes two equal, shortened word by word. */
static void shorten_names(naming *n)
{
    enum { MOST_COMPARED = 512 };     /* with each other: more than anybody has */
    size_t cut = is_any_long(n) ? common_start(n) : 0;
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        const char *name = n->anims[i] + cut;
        cut_name(name, room_for_name(name, n->frame_counts[i]), &n->shorts[i]);
    }

    bool     *has_equal = (bool *)allocate(n->anim_count, sizeof *has_equal);
    uint32_t *first_of = find_equal_names(n, has_equal);
    for (uint32_t i = 0; i < n->anim_count && n->anim_count <= MOST_COMPARED; ++i) {
        if (has_equal[i]) shorten_together(n, i, cut, first_of);
    }
    for (uint32_t i = 0; i < n->anim_count; ++i) {
        size_t room = room_for_name(n->shorts[i].text, n->frame_counts[i]);
        guard_digits(&n->shorts[i], room);
        tell_apart(n, i, room);
    }
    release(has_equal);
    release(first_of);
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
    size_t      room = MD2_NAME_LETTERS - digits - strlen(line);
    char        text[64];
    snprintf(text, sizeof text, "%.*s%s%0*u", (int)(length < room ? length : room), anim, line,
             (int)digits, (unsigned)number);
    memcpy(frame->name, text, sizeof frame->name);
    frame->name[MD2_NAME_LETTERS] = 0;
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
        if (is_first) note("names of frames have 15 letters, so these animations are called otherwise now:");
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
        note("%s: by the names of its frames it is read back as \"%s\"%s", n->anims[i],
             found->name, found->count == n->frame_counts[i] ? "" : ", with other frames");
    }
    if (n->extra_count > 0) {
        note("%u frames called \"unused\" lie at the end: a model of %u frames is taken for a "
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
