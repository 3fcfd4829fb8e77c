/* count_steps.h: counts what code does instead of how long it takes, so that "linear in the size" can be
   tested on any machine, however busy. Included before a header and once more behind it: between,
   each decision and each turn of a loop adds one to steps_taken, and what memcpy and the like move adds
   an eighth of its bytes. Only the statements are changed, by macros, not what they do. Public domain. */
#ifdef __GNUC__
  #pragma GCC system_header /* C++98 knows no variadic macros, but its compilers do */
#endif
#ifndef COUNT_STEPS_H_INCLUDED
#define COUNT_STEPS_H_INCLUDED

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

static uint64_t steps_taken;

/* For strings: their length and what comes before a difference count in the caller's loop anyway. */
static inline size_t count_bytes(size_t size)
{
    steps_taken += size / 8 + 1;
    return size;
}

/* Up to the byte that it finds. */
static inline const void *count_to_byte(const void *text, int value, size_t size)
{
    const void *found = memchr(text, value, size);
    count_bytes(found ? (size_t)((const char *)found - (const char *)text) : size);
    return found;
}

#endif

#ifndef STEPS_COUNT
  #define STEPS_COUNT
  #ifdef __clang__
    #pragma clang diagnostic push
    #pragma clang diagnostic ignored "-Wkeyword-macro"
  #endif
  #define if(...)                     if ((++steps_taken, (__VA_ARGS__)))
  #define while(...)                  while ((++steps_taken, (__VA_ARGS__)))
  #define for(...)                    for (__VA_ARGS__) if (1)
  #define memcpy(to, from, size)      memcpy(to, from, count_bytes(size))
  #define memmove(to, from, size)     memmove(to, from, count_bytes(size))
  #define memset(to, value, size)     memset(to, value, count_bytes(size))
  #define memcmp(one, other, size)    memcmp(one, other, count_bytes(size))
  #define memchr(text, value, size)   count_to_byte(text, value, size)
  #define strlen(text)                count_bytes(strlen(text))
#else
  #ifdef __clang__
    #pragma clang diagnostic pop
  #endif
  #undef STEPS_COUNT
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
