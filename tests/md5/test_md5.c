/* What md5.h promises, tried through its public functions: on the models of model_builder_md5.h,
   and on every one under $MODELS.

   test_md5            with 10^6 random spellings of numbers
   test_md5 --quick    with fewer

   Public domain. */
#include "test_md5.h"

#define RUN_CHAPTER(name) test_##name();

int main(int argc, char **argv)
{
    CHAPTERS(RUN_CHAPTER)
    test_numbers(argc == 2 && strcmp(argv[1], "--quick") == 0 ? 20000 : 1000000);
    test_corpus();
    return check_finish();
}
