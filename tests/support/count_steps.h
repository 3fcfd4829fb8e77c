/* count_steps.h: counts the steps of code instead of measuring its time, so that a test can check "linear
   in the size" on any machine, however busy. Include it before a header and again after it. In between,
   macros make each `if` and each iteration of a loop add 1 to steps_taken, and memcpy and similar
   functions add an eighth of their bytes. The results of the code stay the same. Public domain. */
#ifdef __GNUC__
  #pragma GCC system_header /* no warning that C++98 has no variadic macros; its compilers have them */
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

/* Adds the steps of a function that reads or writes `size` bytes, and returns `size`. Functions that
   compare strings are not counted: the caller's loop counts as much. */
static inline size_t count_bytes(size_t size)
{
    steps_taken += size / 8 + 1;
    return size;
}

/* Calls memchr and counts the bytes up to the one found. */
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
