/* torture.h: what the tortures of both formats share: work that is linear in the size of a file,
   and paths that are not UTF-8. Public domain. */
#ifndef TORTURE_H_INCLUDED
#define TORTURE_H_INCLUDED

#include "check.h"
#include "support.h"

/* Steps a byte that the file number `which` of those made to hurt takes, at about `bytes` bytes. */
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
