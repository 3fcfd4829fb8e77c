/* files.h - reads and lists files, on the disk and in archives: a path may lead through one. For the viewer, and for
   a test without a window. Public domain. */
#ifndef FILES_H_INCLUDED
#define FILES_H_INCLUDED

#include "folder.h"

#include <stdint.h>

uint8_t    *read_bytes(const char *path, size_t *size); /* to be freed; NULL if it cannot be read */
bool        is_there(const char *path);
void        forget_used(void);
void        restore_used(void);       /* what was forgotten last */
const char *used_file(int index);     /* read since then; NULL past the end */
void        note_stranger(const char *path); /* an animation that does not go with the model */
const char *strange_file(int index);  /* noted since then; NULL past the end */
bool        list_tree(folder *f, const char *path); /* adds all in a folder or an archive, if it is one */
folder      list_files_beside(const char *file);

/* -- What the program provides ------------------------------------------------------------------ */

bool report_error(const char *path, const char *format, ...); /* the first one stays; false */
int  inflate_stream(char *out, int out_size, const char *in, int in_size); /* see archive_source */

#endif
