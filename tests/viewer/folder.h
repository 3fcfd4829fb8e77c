/* folder.h - what lies beside a model. The headers guess names; a program that can list folders
   finds more. For the viewer and info. Public domain. */
#ifndef FOLDER_H_INCLUDED
#define FOLDER_H_INCLUDED

#include <stdbool.h>
#include <stddef.h>

#define MAX_PATH_LENGTH 4096
#define COUNT(array)    ((int)(sizeof(array) / sizeof *(array)))

typedef struct folder {
    char **paths;                     /* sorted; hidden files and folders are left out */
    int    count;
} folder;

const char *file_name(const char *path);
bool        has_name(const char *path, const char *name); /* in any case */
bool        holds_word(const char *text, const char *word); /* in any case */
bool        is_weapon(const char *path); /* w_railgun.md2, a_grenades.md2, weapon.md2 */
bool        has_extension(const char *path, const char *extension); /* ".md2", in any case */
folder      list_folder(const char *path);
folder      list_beside(const char *file); /* the folder that the file lies in */
void        free_folder(folder *f);
bool        find_picture_beside(const char *model, const char *listed, char out[MAX_PATH_LENGTH]);

#endif
