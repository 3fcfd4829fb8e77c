/* names.c - a hash table of names, since a file may have thousands. Public domain. */
#include "names.h"
#include "convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char fold_case(const name_table *t, char c)
{
    bool is_capital = c >= 'A' && c <= 'Z';
    return (unsigned char)(is_capital && !t->is_exact ? c + ('a' - 'A') : c);
}

static bool is_same(const name_table *t, const char *a, const char *b)
{
    for (; *a && fold_case(t, *a) == fold_case(t, *b); ++a) ++b;
    return *a == *b;
}

/* Returns the slot of a name, or the free slot where it belongs. */
static name_entry *find_slot(const name_table *t, const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *c = name; *c; ++c) hash = (hash ^ fold_case(t, *c)) * 16777619u;

    size_t slot = (hash ^ hash >> 15) % t->room;
    while (t->slots[slot].name && !is_same(t, t->slots[slot].name, name)) {
        slot = (slot + 1) % t->room;
    }
    return &t->slots[slot];
}

uint32_t *find_name(const name_table *t, const char *name)
{
    if (t->count == 0) return NULL;
    name_entry *entry = find_slot(t, name);
    return entry->name ? &entry->number : NULL;
}

static void grow(name_table *t)
{
    name_table larger = *t;
    larger.room = 2 * t->room + 31;
    larger.slots = (name_entry *)allocate(larger.room, sizeof *larger.slots);
    for (size_t i = 0; i < t->room; ++i) {
        if (t->slots[i].name) *find_slot(&larger, t->slots[i].name) = t->slots[i];
    }
    release(t->slots);
    *t = larger;
}

void add_name(name_table *t, const char *name, uint32_t number)
{
    if (2 * t->count >= t->room) grow(t);
    name_entry *entry = find_slot(t, name);
    if (entry->name) return;
    entry->name = copy_text(name);
    entry->number = number;
    ++t->count;
}

void free_name_table(name_table *t)
{
    for (size_t i = 0; i < t->room; ++i) release(t->slots[i].name);
    release(t->slots);
    t->slots = NULL;
    t->count = t->room = 0;
}

char *take_unique_name(name_table *t, const char *name)
{
    enum { DIGITS = 12, FIRST = 2 };  /* the number of an entry is the next number to try after its name */
    size_t    room = strlen(name) + DIGITS;
    char     *out = (char *)allocate(room, 1);
    uint32_t *next = find_name(t, name);
    snprintf(out, room, "%s", name);
    while (next && find_name(t, out)) snprintf(out, room, "%s_%u", name, (unsigned)(*next)++);
    add_name(t, out, FIRST);
    return out;
}
