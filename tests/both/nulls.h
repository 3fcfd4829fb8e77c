/* nulls.h: declarations that the files of test_nulls share. Public domain. */
#ifndef BOTH_NULLS_H_INCLUDED
#define BOTH_NULLS_H_INCLUDED

#include "check.h"
#include "fake_gl.h"
#include "support.h"

/* A public function, and a function of the test that calls it once and sets `done`. */
typedef struct null_call {
    const char *function;
    void      (*call)(void);
} null_call;

#define CALL(function)    { NAME_OF(function), call_##function }
#define NAME_OF(function) #function

typedef struct null_calls {
    const null_call *list;
    unsigned         count;
    void           (*prepare)(const char *folder); /* may write files to the folder */
    void           (*reset)(void);                 /* called before each call */
    void           (*clean_up)(void);
} null_calls;

extern const null_calls md2_calls, md5_calls;

/* A pointer argument of a call, numbered from 0. One argument at a time is replaced by NULL. If it is
   REQUIRED, the function must do nothing; if it is NULLABLE, the function must work. */
#define REQUIRED(number, pointer) (is_null(number, false) ? NULL : (pointer))
#define NULLABLE(number, pointer) (is_null(number, true) ? NULL : (pointer))

bool is_null(int number, bool is_nullable);

/* A function has worked if its call sets `done` or if it writes to an output. */
enum { FLOATS = 4096 };

extern bool  done;
extern float output[4][FLOATS];

extern counting_allocator call_memory; /* allocator of the objects that calls create */

bool accept_path(void *user, const char *path);

#endif /* BOTH_NULLS_H_INCLUDED */
