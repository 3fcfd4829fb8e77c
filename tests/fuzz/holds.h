/* holds.h: fuzz.h without a fuzzer: a check that fails is counted, and ends the program. Public
   domain. */
#ifndef FUZZ_HOLDS_H_INCLUDED
#define FUZZ_HOLDS_H_INCLUDED

#include "check.h"

#define FUZZ_REPLAY
#include "tests/fuzz/fuzz.h"

/* What would be a crash to a fuzzer ends the program too, after its count. */
static void fuzz_failed(const char *file, int line, const char *text)
{
    check_that(false, file, line, text);
    exit(check_finish());
}

#endif /* FUZZ_HOLDS_H_INCLUDED */
