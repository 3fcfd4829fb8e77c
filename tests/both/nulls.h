/* nulls.h: what the files of test_nulls share. Public domain. */
#ifndef BOTH_NULLS_H_INCLUDED
#define BOTH_NULLS_H_INCLUDED

#include "check.h"
#include "fake_gl.h"
#include "support.h"

/* A public function, and the function below that calls it once and sets `done`. */
typedef struct null_call {
    const char *function;
    void      (*call)(void);
} null_call;

#define CALL(function)    { NAME_OF(function), call_##function }
#define NAME_OF(function) #function

typedef struct null_calls {
    const null_call *list;
    unsigned         count;
    void           (*prepare)(const char *folder); /* where it may write files */
    void           (*reset)(void);                 /* before each call */
    void           (*clean_up)(void);
} null_calls;

extern const null_calls md2_calls, md5_calls;

/* A pointer that a call passes to its function, numbered from 0. It is NULL when its turn comes.
   Without a REQUIRED pointer the function must do nothing, without a NULLABLE one it must work. */
#define REQUIRED(number, pointer) (is_null(number, false) ? NULL : (pointer))
#define NULLABLE(number, pointer) (is_null(number, true) ? NULL : (pointer))

bool is_null(int number, bool is_nullable);

/* What shows that a function has worked: a call sets `done`, or the function writes to an output. */
enum { FLOATS = 4096 };

extern bool  done;
extern float output[4][FLOATS];

extern counting_allocator memory; /* of the objects that calls create */

bool accept_path(void *user, const char *path);

#endif /* BOTH_NULLS_H_INCLUDED */
