/* The parts of mutate: see mutate.c. Public domain. */
#ifndef MUTATE_H_INCLUDED
#define MUTATE_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- Changes to a header (mutate_changes.c) ------------------------------------------------------ */

typedef struct text {
    char  *bytes;
    size_t size;
} text;

/* Prints a message and ends the program. */
void  stop(const char *format, ...);
void *allocate(size_t size);
char *copy_text(const char *from, size_t size);

/* A text of any length in the format of printf. */
char *format_text(const char *format, ...);
text  read_file(const char *path);

typedef struct mutant {
    size_t      start, end;           /* this part of the header is replaced ... */
    char       *by;                   /* ... by this */
    char       *change;               /* as mutants.txt writes it: 32 -> 31 */
    int         nth;                  /* of this change in this function, from 1 */
    const char *kind, *header, *function;
    long        line;
} mutant;

typedef struct mutants {
    mutant *at;
    size_t  count, capacity;
} mutants;

/* All changes to the lines of a header that are compiled. */
mutants find_changes(const char *header, const text *source, const bool *compiled);

/* -- Explanations (mutate_explanations.c) -------------------------------------------------------- */

/* A line of mutants.txt: "function: 2nd 32 -> 31". A function of md2.h stands for that of md5.h, too. */
typedef struct excuse {
    char *function, *change;
    int   nth;
    bool  vectors;                    /* of lines that only --simd tries */
    bool  found, used;
} excuse;

extern excuse *excuses;
extern size_t  excuse_count;

void    read_excuses(const char *path);
bool    is_about(const excuse *one, const mutant *change);
excuse *excuse_of(const mutant *change);

/* The line of mutants.txt that would explain a change. */
void print_change(const char *function, int nth, const char *change);

#endif /* MUTATE_H_INCLUDED */
