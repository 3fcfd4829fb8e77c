/* support.h: what tests of both libraries need besides checks: an allocator that counts, files with
   paths in UTF-8, folders, random numbers. C99 and C++98. Public domain. */
#ifndef SUPPORT_H_INCLUDED
#define SUPPORT_H_INCLUDED

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Memory --------------------------------------------------------------- */

void *malloc_or_abort(size_t size);

/* An allocator that counts, fails on request, and notices a wrong size or pointer on release. It is
   the user pointer of counting_alloc and counting_release. */
typedef struct counting_allocator {
    size_t live_bytes, live_blocks, peak_bytes, peak_blocks;
    size_t allocations, releases, largest, asked; /* asked: the sum of all sizes */
    size_t fail_at; /* the n-th allocation returns NULL, and all after it; 0 = none */
    bool   fail_once; /* the n-th alone */
    size_t mistakes;
} counting_allocator;

void *counting_alloc(void *user, size_t size);
void  counting_release(void *user, void *pointer, size_t size);
bool  counting_is_clean(const counting_allocator *memory); /* all is released, without mistakes */

/* -- Files: paths are UTF-8, on Windows too -------------------------------- */

FILE *open_file(const char *path, const char *mode);
void  remove_file(const char *path);

/* A whole file in a malloc block of exactly its size, or NULL. */
unsigned char *read_file(const char *path, size_t *size);
bool           write_file(const char *path, const void *data, size_t size);

/* What a reader hands out: at most `step` bytes at once, with 0 a different odd number each time;
   an error from `fail_at` on; blanks behind the end where it is `endless`. */
typedef struct feed {
    const char *bytes;
    size_t      size, at, step, fail_at, calls;
    bool        endless;
} feed;

feed feed_of(const void *bytes, size_t size, size_t step); /* that never fails */

/* For md2_reader and md5_reader, with a feed as their user pointer. */
size_t read_feed(void *user, void *dst, size_t size);

/* -- Folders --------------------------------------------------------------- */

typedef struct file_list {
    char **path;
    size_t count, capacity;
} file_list;

void file_list_add(file_list *list, const char *folder, const char *name);
void file_list_free(file_list *list);

/* The suffix is in lower case, the path in any. */
bool has_suffix(const char *path, const char *suffix);

/* Every file under `folder` whose name ends with `suffix`, in a fixed order; none on Windows. */
file_list list_files(const char *folder, const char *suffix);

/* The files under $MODELS that have to load: all but those under $MODELS/bad, which the second
   function lists. None when MODELS is not set. */
file_list list_models(const char *suffix);
file_list list_bad_models(const char *suffix);

/* -- Numbers -------------------------------------------------------------- */

/* xorshift64*: the same sequence on every machine. */
typedef struct random_source {
    uint64_t state;
} random_source;

uint32_t random_next(random_source *random);
uint32_t random_below(random_source *random, uint32_t limit);
double   random_unit(random_source *random); /* 0 <= x < 1 */

/* The two frames that a time, in frames, lies between in an animation that loops (mode 0), plays
   once (1), or to and fro (2); returns how far. In a closed loop the last frame is the first. */
double find_frames(int frames, bool closed, int mode, double time, int *from, int *to);

#endif /* SUPPORT_H_INCLUDED */
