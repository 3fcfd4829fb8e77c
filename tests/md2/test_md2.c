/* test_md2: the behaviour of md2.h through its public interface, chapter by chapter, against
   independent readings of the same bytes in double precision. With MODELS set to a folder, every
   model below it is read as well.

   Public domain. */
#include "test_md2.h"

#define RUN_CHAPTER(name)                                                                          \
  check_chapter(#name);                                                                            \
  test_##name();

int main(int argc, char **argv)
{
    check_start(argc, argv, "");
    check_after_each(release_kept);
    CHAPTERS(RUN_CHAPTER)
    return check_finish();
}
