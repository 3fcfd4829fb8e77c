/* Reads mutants.txt, which explains the changes that no test can notice. Public domain. */
#include "mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

excuse *excuses;
size_t  excuse_count;

static void add_excuse(const char *function, int nth, const char *old_text, const char *new_text, bool vectors)
{
    excuse *one = &excuses[excuse_count++];
    one->function = copy_text(function, strlen(function));
    one->change = format_text("%s -> %s", old_text, new_text);
    one->nth = nth;
    one->vectors = vectors;
}

/* "function: 2nd 32 -> 31 or 33" is two entries. False for lines that are words. */
static bool read_excuse(char *line, bool vectors)
{
    char *change = strstr(line, ": "), *arrow = strstr(line, " -> "), *behind, *or;
    int   nth = 1;
    if (strncmp(line, "md", 2) != 0 || !change || !arrow || change > arrow) return false;
    *change = *arrow = 0;
    change += 2;
    if (strtol(change, &behind, 10) > 0 && strspn(behind, "stndrh") == 2 && behind[2] == ' ') {
        nth = (int)strtol(change, NULL, 10);
        change = behind + 3;
    }
    for (arrow += 4; (or = strstr(arrow, " or ")) != NULL; arrow = or + 4) {
        *or = 0;
        add_excuse(line, nth, change, arrow, vectors);
    }
    add_excuse(line, nth, change, arrow, vectors);
    return true;
}

void read_excuses(const char *path)
{
    text  list = read_file(path);
    char *line, *next;
    bool  vectors = false;
    excuses = (excuse *)allocate((list.size / 4 + 1) * sizeof *excuses);
    for (line = list.bytes; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        if (read_excuse(line, vectors)) continue;
        vectors = strcmp(line, "with vectors") == 0;
    }
    free(list.bytes);
}

bool is_about(const excuse *one, const mutant *change)
{
    const char *function = change->function;
    bool        same = strcmp(one->function, function) == 0 ||
                (strncmp(function, "md5", 3) == 0 && strncmp(one->function, "md2", 3) == 0 &&
                 strcmp(one->function + 3, function + 3) == 0);
    return same && one->nth == change->nth && strcmp(one->change, change->change) == 0;
}

excuse *excuse_of(const mutant *change)
{
    size_t i;
    for (i = 0; i < excuse_count; ++i) {
        if (is_about(&excuses[i], change)) return &excuses[i];
    }
    return NULL;
}

void print_change(const char *function, int nth, const char *change)
{
    const char *ending = nth == 2 ? "nd" : nth == 3 ? "rd" : "th";
    if (nth > 1) printf("%s: %d%s %s\n", function, nth, ending, change);
    else printf("%s: %s\n", function, change);
}
