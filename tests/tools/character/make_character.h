/* Public domain. */
#ifndef MAKE_CHARACTER_H_INCLUDED
#define MAKE_CHARACTER_H_INCLUDED

/* Writes the character of character.h into a folder: knight.md5mesh, its animations as NAME.md5anim,
   the same as tris.md2 with skin.png, but for walk and turn, which no Quake II player has, and
   weapon.md2 (also weapon.md5mesh) with weapon.png. The same bytes on every machine. Ends the
   program when it cannot write. */
void make_character(const char *folder);

#endif /* MAKE_CHARACTER_H_INCLUDED */
