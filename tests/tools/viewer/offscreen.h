/* OpenGL without a window or a display, for pictures. Public domain. */
#ifndef OFFSCREEN_H_INCLUDED
#define OFFSCREEN_H_INCLUDED

#include <stdbool.h>

typedef void (*gl_function)(void);

bool        create_offscreen(void);   /* and makes it current; false where that cannot be */
gl_function find_offscreen_function(const char *name);

#endif
