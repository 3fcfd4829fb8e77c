/* The names that tests/support/support.h gives to these, until that file is here. */
#include "check.h"
#define read_file       check_read_file
#define has_suffix      check_has_suffix
#define malloc_or_abort check_malloc
