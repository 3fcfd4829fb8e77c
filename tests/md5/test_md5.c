/* What md5.h promises, tried through its public functions: on the models of model_builder_md5.h,
   and on every one under $MODELS.

   test_md5                     all of it, with 10^6 random spellings of numbers
   test_md5 --numbers 10000000  the numbers alone
   test_md5 --quick             all of it, with fewer spellings

   Public domain. */
#include "test_md5.h"

#define RUN_CHAPTER(name) test_##name();

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--numbers") == 0) {
        test_numbers((size_t)strtoul(argv[2], NULL, 10));
        return check_finish();
    }
    CHAPTERS(RUN_CHAPTER)
    test_numbers(argc == 2 && strcmp(argv[1], "--quick") == 0 ? 20000 : 1000000);
    test_corpus();
    printf("worst: vertex %.3g of the extent, palette %.3g, slerp %.3g rad, length of a rotation %.3g, "
           "normal %.3g\n", worst.vertex, worst.palette, worst.slerp, worst.norm, worst.normal);
    return check_finish();
}
