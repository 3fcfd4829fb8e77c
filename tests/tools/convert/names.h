/* names.h - a hash table of names. Public domain. */
#ifndef NAMES_H_INCLUDED
#define NAMES_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct name_entry {
    char       *name;                 /* NULL = the slot is free */
    uint32_t    number;
} name_entry;

typedef struct name_table {           /* all zeros = empty */
    name_entry *slots;
    size_t      count, room;
    bool        is_exact;             /* "Run" and "run" are different names */
} name_table;

/* Returns a pointer to the number of a name, or NULL if the table does not have the name. The
   pointer is valid until the next name is added. */
uint32_t *find_name(const name_table *t, const char *name);
/* Adds a copy of a name. If the table already has the name, nothing changes. */
void      add_name(name_table *t, const char *name, uint32_t number);
void      free_name_table(name_table *t);
/* Adds a name that no other entry has: "run", then "run_2", "run_3". Returns it; free it. */
char     *take_unique_name(name_table *t, const char *name);

#endif /* NAMES_H_INCLUDED */
