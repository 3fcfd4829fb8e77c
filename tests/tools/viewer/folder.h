/* folder.h - finds files in a model's folder. The headers try names; a program that can list folders
   finds more. For the viewer and info. Public domain. */
#ifndef FOLDER_H_INCLUDED
#define FOLDER_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>

#define MAX_PATH_LENGTH 4096          /* with its NUL */
#define COUNT(array)    ((int)(sizeof(array) / sizeof *(array)))

/* Names. Case never matters. */
const char *file_name(const char *path); /* what comes after the last slash, inside the path */
bool        is_same_name(const char *a, const char *b);
bool        has_name(const char *path, const char *name);
bool        holds_word(const char *text, const char *word);
bool        has_extension(const char *path, const char *extension); /* ".md2" */
bool        is_weapon(const char *path); /* w_railgun.md2, a_grenades.md2, weapon.md2 */

typedef struct folder {
    char **paths;                     /* sorted; hidden files and folders are left out */
    int    count;
} folder;

void   add_path(folder *f, const char *path); /* a copy, at the end */
folder list_folder(const char *path); /* its paths begin with `path`; none if it is no folder */
folder list_beside(const char *file); /* the folder that the file lies in */
void   free_folder(folder *f);

/* Finds the picture of a model whose skin was not found, in its folder: the one to which the icon
   `listed` belongs, else one that has an icon, else the only one. Returns false if there is none. */
bool find_picture_beside(const char *model, const char *listed, char out[MAX_PATH_LENGTH]);
/* Does the same in a list of the files in the model's folder. */
bool find_picture_among(const folder *beside, const char *model, const char *listed,
                        char out[MAX_PATH_LENGTH]);

#endif
