/* OpenSSL's headers of the same names come first, and its library is linked as well. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/opensslconf.h>
#undef OPENSSL_NO_MD2 /* most builds leave MD2 out, but its names are taken all the same */
#include <openssl/md2.h>
#include <openssl/md5.h>
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#include "use_md2.h"

int main(void)
{
    unsigned char digest[16];
    MD5((const unsigned char *)"", 0, digest);
    return digest[0] == 0xD4 && digest[15] == 0x7E ? use_md2() : 1;
}
