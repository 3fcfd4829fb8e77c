/* trees.h: creates folders for tests, and checks what is in them. A text describes a folder:

       "a=old b/ b/c=new l>a p|"

   is a file a with the content "old", a folder b, a file c in it, a symbolic link l to a, and a named
   pipe p. Public domain. */
#ifndef TREES_H_INCLUDED
#define TREES_H_INCLUDED

/* Removes the folder and creates it again, with these entries. */
void make_tree(const char *path, const char *entries);

/* Removes the folder with its entries, if it exists. */
void remove_tree(const char *path);

/* Checks that the folder has these entries, which must be sorted by name. */
void check_tree(const char *path, const char *entries);

#endif /* TREES_H_INCLUDED */
