/* MD2_NO_SIMD: plain C, without the headers of the vector instructions. */
#define MD2_NO_SIMD
#define MD2_IMPLEMENTATION
#include "../../../md2.h"

#if defined(_EMMINTRIN_H_INCLUDED) || defined(__EMMINTRIN_H) || defined(_XMMINTRIN_H_INCLUDED)
  #error "md2.h includes vector instructions although MD2_NO_SIMD is defined"
#endif
#if defined(_AARCH64_NEON_H_) || defined(_GCC_ARM_NEON_H) || defined(__ARM_NEON_H)
  #error "md2.h includes vector instructions although MD2_NO_SIMD is defined"
#endif

#include "use_md2.h"

int main(void)
{
    return use_md2();
}
