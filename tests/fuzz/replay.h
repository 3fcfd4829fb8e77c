/* replay.h: replaces the parts of fuzz.h that need a fuzzer: a failed check ends its test. Public domain. */
#ifndef FUZZ_REPLAY_H_INCLUDED
#define FUZZ_REPLAY_H_INCLUDED

#include "check.h"

#define FUZZ_REPLAY
#include "tests/fuzz/fuzz.h"

/* A failure outside of tests ends the program. */
static void fuzz_failed(const char *file, int line, const char *text)
{
    check_that(false, file, line, text);
    exit(check_finish());
}

#endif /* FUZZ_REPLAY_H_INCLUDED */
