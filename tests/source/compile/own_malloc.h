/* A custom allocator, to test that malloc is not even linked. */
#ifndef OWN_MALLOC_H
#define OWN_MALLOC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
void *own_malloc(size_t size);
void own_free(void *pointer);
#ifdef __cplusplus
}
#endif

#endif
