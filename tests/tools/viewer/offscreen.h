/* offscreen.h - creates an OpenGL context without a window or a display, for --shot. Public
   domain. */
#ifndef OFFSCREEN_H_INCLUDED
#define OFFSCREEN_H_INCLUDED

#include <stdbool.h>

typedef void (*gl_function)(void);

bool        create_offscreen_context(void); /* and makes it current; false if it is not supported */
gl_function find_offscreen_function(const char *name);

#endif
