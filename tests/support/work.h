/* work.h: counts what code does instead of how long it takes, so that "linear in the size" can be
   tested on any machine, however busy. Included before a header and once more behind it: between,
   each decision and each turn of a loop adds one to work_done, and what memcpy and the like move adds
   an eighth of its bytes. Only the statements are changed, by macros, not what they do. Public domain. */
#ifdef __GNUC__
  #pragma GCC system_header /* C++98 knows no variadic macros, but its compilers do */
#endif
#ifndef WORK_H_INCLUDED
#define WORK_H_INCLUDED

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
  #include <emmintrin.h>
#elif defined(__aarch64__)
  #include <arm_neon.h>
#endif

static uint64_t work_done;

/* For strings: their length and what comes before a difference count in the caller's loop anyway. */
static inline size_t work_bytes(size_t size)
{
    work_done += size / 8 + 1;
    return size;
}

#endif

#ifndef WORK_COUNTS
  #define WORK_COUNTS
  #ifdef __clang__
    #pragma clang diagnostic push
    #pragma clang diagnostic ignored "-Wkeyword-macro"
  #endif
  #define if(...)                     if ((++work_done, (__VA_ARGS__)))
  #define while(...)                  while ((++work_done, (__VA_ARGS__)))
  #define for(...)                    for (__VA_ARGS__) if (1)
  #define memcpy(to, from, size)      memcpy(to, from, work_bytes(size))
  #define memmove(to, from, size)     memmove(to, from, work_bytes(size))
  #define memset(to, value, size)     memset(to, value, work_bytes(size))
  #define memcmp(one, other, size)    memcmp(one, other, work_bytes(size))
  #define memchr(text, value, size)   memchr(text, value, work_bytes(size))
  #define strlen(text)                work_bytes(strlen(text))
#else
  #ifdef __clang__
    #pragma clang diagnostic pop
  #endif
  #undef WORK_COUNTS
  #undef if
  #undef while
  #undef for
  #undef memcpy
  #undef memmove
  #undef memset
  #undef memcmp
  #undef memchr
  #undef strlen
#endif
