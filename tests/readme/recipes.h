/* What test_recipes.c and its parts, recipes_*.c, know of each other. Public domain. */
#ifndef RECIPES_H_INCLUDED
#define RECIPES_H_INCLUDED

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs the first program on a model; what it prints, and returns. */
const char *recipes_first(const char *path, int *result);

/* What the window showed when it was closed. */
typedef struct recipes_shown {
    int   result, frames;
    float aspect, view_projection[16];
    char  complaint[200];             /* what the program said last */
    char  mistake[200];               /* the first, as a driver would see it */
} recipes_shown;

recipes_shown recipes_window(const char *path);

#endif
