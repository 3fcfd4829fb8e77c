/* What md2.h promises, tried through its public functions on the models of model_builder_md2.h, and on every
   MD2 in the folder MODELS, if that is set. Public domain. */
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
