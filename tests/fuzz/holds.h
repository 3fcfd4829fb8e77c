/* holds.h: the checks of md2_model.h and md5_model.h without a fuzzer: one that fails is counted, and ends
   the program. Public domain. */
#ifndef FUZZ_HOLDS_H_INCLUDED
#define FUZZ_HOLDS_H_INCLUDED

#include "check.h"

#define FUZZ_REPLAY
#define FUZZ_NO_MUTATORS
#include "tests/fuzz/fuzz.h"

static void fuzz_failed(const char *file, int line, const char *text)
{
    check_that(false, file, line, text);
    exit(check_finish());
}

#endif /* FUZZ_HOLDS_H_INCLUDED */
