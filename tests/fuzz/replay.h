/* replay.h: fuzz.h without a fuzzer: a check that fails ends its test. Public domain. */
#ifndef FUZZ_REPLAY_H_INCLUDED
#define FUZZ_REPLAY_H_INCLUDED

#include "check.h"

#define FUZZ_REPLAY
#include "tests/fuzz/fuzz.h"

/* Outside of tests there is nothing to go back to. */
static void fuzz_failed(const char *file, int line, const char *text)
{
    check_that(false, file, line, text);
    exit(check_finish());
}

#endif /* FUZZ_REPLAY_H_INCLUDED */
