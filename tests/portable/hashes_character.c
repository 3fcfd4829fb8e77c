/* make_character for hashes.c, in a file of its own, since the two use the same words. Public domain. */
#define MD2_STATIC
#ifdef __cplusplus
extern "C"
#endif
int make_character(int argc, char **argv);
#define main make_character
#include "tests/character/make_character.c"
