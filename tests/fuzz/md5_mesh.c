/* md5_mesh.c: loads an .md5mesh with md5_load_model_memory and md5_load_model_reader. */
#include "fuzz.h"

#include "md5_model.h"

#define TARGET       fuzz_md5_mesh
#define OPTIONS_TYPE md5_options
#define READER_TYPE  md5_reader
#define ERROR_TYPE   md5_error
#define RESULT       md5_model
#define OPTIONS      fuzz_md5_options
#define LOAD_MEMORY  md5_load_model_memory
#define LOAD_READER  md5_load_model_reader
#define EXTRA_BYTES  0
#define MOST_AT_ONCE(size, read) (fuzz_memory_bound(size, read) + EXTRA_BYTES)
#define CHECK_ERROR  fuzz_check_md5_error
#define CHECK_RESULT fuzz_check_md5_model
#define FREE_RESULT  md5_free_model
#include "load_both.h"

FUZZ_ENTRY(md5_mesh, fuzz_mutate_tokens)
