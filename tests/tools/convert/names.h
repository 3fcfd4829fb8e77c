/* names.h - a hash table of names, because a file may have any number of them. Public domain. */
#ifndef NAMES_H_INCLUDED
#define NAMES_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct name_entry {
    const char *name;                 /* NULL = the slot is free */
    uint32_t    number;
} name_entry;

typedef struct name_table {           /* all zeros = empty */
    name_entry *slots;
    size_t      count, room;
    bool        is_exact;             /* upper and lower case differ */
} name_table;

/* Returns a pointer to the number of a name, valid until the next name is added; NULL if the table
   does not have the name. */
uint32_t *find_name(const name_table *t, const char *name);
/* Adds a name, which must outlive the table. If the table already has the name, its number
   stays. */
void      add_name(name_table *t, const char *name, uint32_t number);
void      free_name_table(name_table *t);
/* Returns the name, or the name and a number if the table already has the name. Adds the result to
   the table; free the result after the table. */
char     *take_unique_name(name_table *t, const char *name);

#endif /* NAMES_H_INCLUDED */
