/* md2.c: loads an MD2 with md2_load_memory and md2_load_reader. */
#include "fuzz.h"

#include "md2_model.h"

#define TARGET       fuzz_md2
#define OPTIONS_TYPE md2_options
#define READER_TYPE  md2_reader
#define ERROR_TYPE   md2_error
#define RESULT       md2_model
#define OPTIONS      fuzz_md2_options
#define LOAD_MEMORY  md2_load_memory
#define LOAD_READER  md2_load_reader
#define EXTRA_BYTES  0
#define MOST_AT_ONCE(size, read) ((read) ? 16 * (size) + 66560 : 14 * (size) + 1024) /* limits for md2.h */
#define CHECK_ERROR  fuzz_check_md2_error
#define CHECK_RESULT fuzz_check_md2
#define FREE_RESULT  md2_free_model
#include "load_both.h"

FUZZ_ENTRY(md2, fuzz_mutate_bytes)
