/* Another library with the same names is included first and also linked: OpenSSL, or with USE_LIBMD libmd, which has
   macros md5_init, md5_append and md5_finish. */
#ifdef USE_LIBMD
  #define LIBMD_MD5_ALADDIN
  #include <md2.h>
  #include <md5.h>
#else
  #define OPENSSL_SUPPRESS_DEPRECATED
  #include <openssl/opensslconf.h>
  #undef OPENSSL_NO_MD2 /* most builds leave MD2 out, but its names are still taken */
  #include <openssl/md2.h>
  #include <openssl/md5.h>
  #define MD5Init MD5_Init
  #define MD5Final MD5_Final
#endif
#define MD2_IMPLEMENTATION
#include "../../../md2.h"
#include "use_md2.h"

int main(void)
{
    unsigned char digest[MD5_DIGEST_LENGTH]; /* defined only by the other <md5.h> */
    MD5_CTX context;
    MD5Init(&context);
    MD5Final(digest, &context);
    return digest[0] == 0xD4 && digest[15] == 0x7E ? use_md2() : 1;
}
