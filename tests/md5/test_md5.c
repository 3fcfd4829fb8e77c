/* test_md5.c: tests the public functions of md5.h on the models of model_builder_md5.h. Public domain. */
#include "test_md5.h"

#define RUN_CHAPTER(name)                                                                          \
  check_chapter(#name);                                                                            \
  test_##name();

int main(int argc, char **argv)
{
    check_start(argc, argv, "");
    check_after_each(free_all_kept);
    CHAPTERS(RUN_CHAPTER)
    return check_finish();
}
