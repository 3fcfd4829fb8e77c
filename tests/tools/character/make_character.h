/* Public domain. */
#ifndef MAKE_CHARACTER_H_INCLUDED
#define MAKE_CHARACTER_H_INCLUDED

/* Writes the character of character.h to a folder: knight.md5mesh, its animations as NAME.md5anim; the same model as
   tris.md2 with skin.png, without the animations walk and turn, which a Quake II player does not have; and weapon.md2
   and weapon.md5mesh with weapon.png. The bytes are the same on every machine. Ends the program if it cannot write. */
void make_character(const char *folder);

#endif /* MAKE_CHARACTER_H_INCLUDED */
