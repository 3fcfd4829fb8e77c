/* test_md2.c: tests the public functions of md2.h on the models of model_builder_md2.h and, if MODELS is set, on every
   MD2 in that folder. Public domain. */
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
