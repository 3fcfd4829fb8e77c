/* torture.h: what the tortures of both formats share: files that are broken in every way that a
   machine can think of, work that is linear in the size of a file, and paths that are not UTF-8.
   Public domain. */
#ifndef TORTURE_H_INCLUDED
#define TORTURE_H_INCLUDED

#include "check.h"
#include "support.h"

/* -- Broken files ----------------------------------------------------------- */

/* What one load did. */
typedef struct outcome {
    bool     loaded, unread;          /* unread: the reader failed */
    size_t   live, allocations;
    uint64_t work;                    /* of loading */
} outcome;

extern struct torture {
    /* A load from memory, or in pieces if from->step is above 0. There is either what was loaded,
       which is used, or an error; nothing leaks or asks for too much: all this is checked here. */
    outcome (*load)(int kind, feed *from, counting_allocator *memory);

    /* The place of a byte to change. */
    size_t (*place)(random_source *random, const char *bytes, size_t size);

    const char *telling;           /* bytes that mean something, which come more often; or NULL */
    char        damage[100];       /* what was done to the file that is loaded, in words */
    bool        quick, brief, all; /* less of it, even less of it, no limit for large files */
    unsigned long loaded, refused;
} torture;

/* A file is cut short, changed, loaded without memory and by a reader that breaks off; `wanted` is
   the number of lengths and of changes, which large files get fewer of. */
void torture_file(int kind, const void *bytes, size_t size, size_t wanted);

/* One load, with the damage that torture_damage told before. */
outcome torture_once(int kind, const void *bytes, size_t size);

/* Says what is done to the file, as the step of the test. */
CHECK_FORMAT void torture_damage(const char *format, ...);

/* Many of the broken files loaded, and many were refused. */
void check_torture(void);

/* -- Work and paths ---------------------------------------------------------- */

/* Steps a byte that the file number `which` of those made to hurt takes, at about `bytes` bytes. It
   may name the file as the scene. */
typedef double (*hurt_work)(int which, size_t bytes);

/* No byte costs more than `most` steps, and none more than `growth` times as much plus `slack` in a
   file of four times the size. */
void check_linear_work(hurt_work work, int hurts, size_t bytes, double most, double growth,
                       double slack);

/* True if the file of this path loads. */
typedef bool (*path_test)(const char *path);

/* Paths are strictly UTF-8, on Windows too: else a name that looks harmless leads elsewhere. `data`
   is a file that loads. The ending is the program's own, so that two can test at once. */
void check_paths(const char *ending, path_test opens, const void *data, size_t size);

#endif /* TORTURE_H_INCLUDED */
