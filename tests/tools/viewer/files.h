/* files.h - reads and lists files, on the disk and in archives. A path can name a file in an
   archive. For the viewer and test_files. Public domain. */
#ifndef FILES_H_INCLUDED
#define FILES_H_INCLUDED

#include "folder.h"

#include <stdint.h>

uint8_t    *read_bytes(const char *path, size_t *size); /* to be freed; NULL if reading fails */
bool        file_exists(const char *path);
void        forget_used_files(void);
void        restore_used_files(void);       /* undoes the last forget_used_files */
const char *used_file(int index);     /* read since forget_used_files; NULL past the end */
void        note_unusable_anim(const char *path); /* an animation that is not for this skeleton */
                                      /* or cannot be read */
const char *unusable_anim(int index); /* noted since forget_used_files; NULL past the end */
bool        list_tree(folder *f, const char *path); /* adds all files of a folder or an archive; */
                                      /* false if `path` is neither */
folder      list_files_beside(const char *file); /* lists the folder of a file, also in an archive */

/* -- Functions that the program provides -------------------------------------------------------- */

bool report_error(const char *path, const char *format, ...); /* keeps the first; returns false */
int  inflate_stream(char *out, int out_size, const char *in, int in_size); /* see archive_source */

#endif
