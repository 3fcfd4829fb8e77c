/* make_models DIR: writes every model that the tests build for themselves, so that other programs
   can have them too. Public domain. */
#include "model_builder_md2.h"
#include "model_builder_md5.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s folder\n", argv[0]);
        return EXIT_FAILURE;
    }
    int written = make_models_md2(argv[1]);
    int more = make_models_md5(argv[1]);
    if (written < 0 || more < 0) {
        fprintf(stderr, "%s: cannot write into %s\n", argv[0], argv[1]);
        return EXIT_FAILURE;
    }
    printf("%d models written to %s\n", written + more, argv[1]);
    return EXIT_SUCCESS;
}
