/* names.h - finds names, of which a file may have any number, without looking at each. Public
   domain. */
#ifndef NAMES_H_INCLUDED
#define NAMES_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct name_entry {
    const char *name;                 /* NULL: the slot is free */
    uint32_t    number;
} name_entry;

typedef struct name_table {           /* all zero is empty */
    name_entry *slots;
    size_t      count, room;
    bool        is_exact;             /* upper and lower case differ */
} name_table;

/* The number that goes with a name; NULL if it is not there. It is good until the next is added. */
uint32_t *find_name(const name_table *t, const char *name);
/* The name must outlive the table. Of equal ones the first stays. */
void      add_name(name_table *t, const char *name, uint32_t number);
void      free_name_table(name_table *t);
/* The name itself, or with a number behind it where the table has one that is the same. Adds what it
   returns, which is freed after the table. */
char     *take_unique_name(name_table *t, const char *name);

#endif /* NAMES_H_INCLUDED */
