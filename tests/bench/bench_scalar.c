/* Both headers once more, private to this file and without SIMD. Public domain. */
#define MD2_STATIC
#define MD2_NO_SIMD
#define MD2_IMPLEMENTATION
#define MD5_STATIC
#define MD5_NO_SIMD
#define MD5_IMPLEMENTATION
#include "bench_api.h"

const bench_api bench_plain_c = BENCH_API("plain C");
