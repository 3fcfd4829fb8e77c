/* make_character FOLDER: writes the character to a folder. Public domain. */
#include "make_character.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s folder\n", argv[0]);
        return EXIT_FAILURE;
    }
    make_character(argv[1]);
    return EXIT_SUCCESS;
}
