/* libmd's <md2.h> and <md5.h> come first, with its macros md5_init, md5_append and md5_finish, and its
   library is linked as well. */
#define LIBMD_MD5_ALADDIN
#include <md2.h>
#include <md5.h>
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#include "use_md2.h"

#ifndef MD5_DIGEST_LENGTH
  #error "this <md5.h> is not libmd's"
#endif

int main(void)
{
    unsigned char digest[16];
    MD5_CTX context;
    MD5Init(&context);
    MD5Final(digest, &context);
    return digest[0] == 0xD4 && digest[15] == 0x7E ? use_md2() : 1;
}
