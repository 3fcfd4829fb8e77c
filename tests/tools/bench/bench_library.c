/* Both implementations alone, so that no compiler mixes them with what measures them, and in one file, as
   the counts were recorded: the inliner of gcc looks at the whole file. Public domain. */
#define MD2_GL
#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_GL
#define MD5_IMPLEMENTATION
#include "md5.h"
