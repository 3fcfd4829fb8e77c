/* folder.h - lists folders, and finds the picture of a model in its folder. md2.h and md5.h only
   try file names; a program that can list a folder finds more. For the viewer, info and mdconvert.
   Public domain. */
#ifndef FOLDER_H_INCLUDED
#define FOLDER_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>

#define MAX_PATH_LENGTH 4096          /* including the NUL */
#define COUNT(array)    ((int)(sizeof(array) / sizeof *(array)))

/* Names. Upper and lower case are the same everywhere. */
const char *file_name(const char *path); /* the part of `path` after its last slash */
bool        is_same_name(const char *a, const char *b);
bool        has_name(const char *path, const char *name);
bool        contains_text(const char *text, const char *part);
bool        has_extension(const char *path, const char *extension); /* ".md2" */
bool        is_weapon(const char *path); /* "w_railgun.md2", "a_grenades.md2", "weapon.md2" */

typedef struct folder {
    char **paths;                     /* sorted; hidden files and folders are left out */
    int    count;
} folder;

void   add_path(folder *f, const char *path); /* a copy, at the end */
folder list_folder(const char *path); /* empty if `path` is not a folder */
folder list_beside(const char *file); /* lists the folder of a file */
void   free_folder(folder *f);

/* Finds a picture in a model's folder, for a model whose skin was not found by its name. Players
   have an icon for each skin. If the model lists an icon as its skin (`listed`), finds the picture
   of this icon; else a picture that has an icon; else the only picture. Returns false if there is
   none. */
bool find_picture_beside(const char *model, const char *listed, char out[MAX_PATH_LENGTH]);
/* Does the same in a list of the files in the model's folder. */
bool find_picture_among(const folder *beside, const char *model, const char *listed,
                        char out[MAX_PATH_LENGTH]);

#endif
