/* test_md2: the behaviour of md2.h through its public interface, chapter by chapter, against
   independent readings of the same bytes in double precision. With MODELS set to a folder, every
   model below it is read as well. Public domain. */
#include "test_md2.h"

#define RUN_CHAPTER(name) test_##name();

int main(void)
{
    CHAPTERS(RUN_CHAPTER)
    check_section("");
    CHECK_FLOOR(tests_run, 55, "tests");
    return check_finish();
}
