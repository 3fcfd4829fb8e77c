/* The implementation of md5.h without OpenGL, for all programs without special options. Public domain. */
#define MD5_IMPLEMENTATION
#include "md5.h"
