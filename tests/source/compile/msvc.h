/* The parts of MSVC's C library that the headers use, declared as MSVC declares them, also the overloads of C++.
   clang reads the headers with them in MSVC's dialect, on systems without Windows. */
#ifndef MSVC_H_INCLUDED
#define MSVC_H_INCLUDED

#include <stddef.h>

#ifdef __cplusplus
  #define MSVC_SEARCH(TYPE, name, WANTED) \
    extern "C++" { const TYPE *name(const TYPE *, WANTED); TYPE *name(TYPE *, WANTED); }
extern "C" {
#else
  #define MSVC_SEARCH(TYPE, name, WANTED) TYPE *name(const TYPE *, WANTED);
#endif

typedef struct FILE FILE;
enum { SEEK_SET, SEEK_CUR, SEEK_END, EOF = -1 };
int _wfopen_s(FILE **file, const wchar_t *path, const wchar_t *mode);
int fclose(FILE *file);
int ferror(FILE *file);
int fgetc(FILE *file);
int fseek(FILE *file, long offset, int origin);
long ftell(FILE *file);
void rewind(FILE *file);
size_t fread(void *out, size_t size, size_t count, FILE *file);

void *malloc(size_t size);
void free(void *block);
void *_aligned_malloc(size_t size, size_t alignment);
void _aligned_free(void *block);
float sqrtf(float x);

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
size_t strlen(const char *text);
size_t strcspn(const char *text, const char *others);
MSVC_SEARCH(char, strchr, int)
MSVC_SEARCH(char, strrchr, int)
MSVC_SEARCH(char, strpbrk, const char *)
MSVC_SEARCH(char, strstr, const char *)
#ifdef __cplusplus
extern "C++" { const void *memchr(const void *, int, size_t); void *memchr(void *, int, size_t); }
#else
void *memchr(const void *bytes, int value, size_t size);
#endif

#ifdef __cplusplus
}
#endif

#endif /* MSVC_H_INCLUDED */
