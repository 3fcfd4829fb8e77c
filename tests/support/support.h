/* support.h: helpers for the tests of both libraries: an allocator that counts, files with paths in
   UTF-8, folders, random numbers. C99 and C++98. Public domain. */
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

/* An allocator that counts, fails on request, and detects a wrong size or pointer on release. Pass it
   as the user pointer of counting_alloc and counting_release. */
typedef struct counting_allocator {
    size_t live_bytes, live_blocks, peak_bytes, peak_blocks;
    size_t allocations, releases, largest, asked; /* asked: sum of all requested sizes */
    size_t fail_at; /* 3 = the third allocation and all later ones return NULL; 0 = none fails */
    bool   fail_once; /* only the allocation `fail_at` returns NULL */
    size_t mistakes; /* number of releases with a wrong size or pointer */
} counting_allocator;

void *counting_alloc(void *user, size_t size);
void  counting_release(void *user, void *pointer, size_t size);
bool  counting_is_clean(const counting_allocator *memory); /* all blocks are released, no mistakes */

/* -- Files: paths are UTF-8, also on Windows ------------------------------- */

FILE *open_file(const char *path, const char *mode);
void  remove_file(const char *path);

/* Reads a whole file into a malloc block of exactly its size. Returns NULL if it cannot be read. */
unsigned char *read_file(const char *path, size_t *size);
bool           write_file(const char *path, const void *data, size_t size);

/* The bytes that a reader returns, a few per call. */
typedef struct feed {
    const char *bytes;
    size_t      size, at;
    size_t      step;    /* maximum number of bytes per call; 0 = a different number in each call */
    size_t      fail_at; /* position at which reading fails; SIZE_MAX = never */
    size_t      calls;   /* number of calls so far */
    bool        endless; /* spaces follow the last byte without end */
} feed;

feed feed_of(const void *bytes, size_t size, size_t step); /* reading it never fails */

/* A reader for md2_reader and md5_reader, with a feed as its user pointer. */
size_t read_feed(void *user, void *dst, size_t size);

/* -- Folders --------------------------------------------------------------- */

typedef struct file_list {
    char **path;
    size_t count, capacity;
} file_list;

void file_list_add(file_list *list, const char *folder, const char *name);
void file_list_free(file_list *list);

/* Returns true if the path ends with the suffix, which must be in lower case; the path may be in any. */
bool has_suffix(const char *path, const char *suffix);

/* Returns all files under `folder` whose names end with `suffix`, in a fixed order; none on Windows. */
file_list list_files(const char *folder, const char *suffix);

/* The first function returns the files under $MODELS that must load, the second function the files
   under $MODELS/bad. Without MODELS in the environment, both return none. */
file_list list_models(const char *suffix);
file_list list_bad_models(const char *suffix);

/* -- Numbers -------------------------------------------------------------- */

/* Random numbers (xorshift64*), the same on every machine. */
typedef struct random_source {
    uint64_t state;
} random_source;

uint32_t random_next(random_source *random);
uint32_t random_below(random_source *random, uint32_t limit);
double   random_unit(random_source *random); /* 0 <= x < 1 */

/* Finds the two frames before and after a time, which is in frames, in an animation that loops (mode 0),
   plays once (1), or plays forward and backward (2). Returns the fraction between the two frames. In a
   closed loop the last frame is the same as the first. */
double find_frames(int frames, bool closed, int mode, double time, int *from, int *to);

#endif /* SUPPORT_H_INCLUDED */
