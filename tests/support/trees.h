/* trees.h - folders that tests make, and what is in them, as a text:

       "a=old b/ b/c=new l>a p|"

   are a file and its content, a folder, a file in it, a link and a pipe. Public domain. */
#ifndef TREES_H_INCLUDED
#define TREES_H_INCLUDED

/* Removes the folder and makes it again, with these entries. */
void make_tree(const char *path, const char *entries);
void remove_tree(const char *path);
/* Checks that the folder has these entries, sorted by their names. */
void check_tree(const char *path, const char *entries);

#endif /* TREES_H_INCLUDED */
