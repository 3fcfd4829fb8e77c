/* Both headers in one file, in either order (-DMD5_FIRST). */
#define MD2_IMPLEMENTATION
#define MD5_IMPLEMENTATION
#ifdef MD5_FIRST
  #include "../../../md5.h"
#endif
#include "../../../md2.h"
#include "../../../md5.h"
#include "use_md2.h"
#include "use_md5.h"

int main(void)
{
    return use_md2() + use_md5();
}
