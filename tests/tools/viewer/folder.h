/* folder.h - what lies beside a model. The headers guess names; a program that can list folders
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

/* For a model whose skin was not found: the picture beside it to which the icon `listed` belongs,
   else one that has an icon, else the only one. False if there is none. */
bool find_picture_beside(const char *model, const char *listed, char out[MAX_PATH_LENGTH]);
/* The same for a program that knows what lies beside it. */
bool find_picture_among(const folder *beside, const char *model, const char *listed,
                        char out[MAX_PATH_LENGTH]);

#endif
