/* Files for measuring. Public domain. */
#ifndef BENCH_INPUTS_H_INCLUDED
#define BENCH_INPUTS_H_INCLUDED

#include "check.h"
#include "support.h"

typedef struct bench_bytes {
    unsigned char *data; /* a zero follows, which size does not count */
    size_t         size;
} bench_bytes;

static inline void bench_free(bench_bytes *bytes)
{
    free(bytes->data);
    bytes->data = NULL;
    bytes->size = 0;
}

/* The program ends where there is no such file. */
static inline bench_bytes bench_read(const char *folder, const char *name)
{
    char           path[1024];
    bench_bytes    bytes;
    unsigned char *data;
    snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
    data = read_file(path, &bytes.size);
    if (!data) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(EXIT_FAILURE);
    }
    bytes.data = (unsigned char *)malloc_or_abort(bytes.size + 1);
    memcpy(bytes.data, data, bytes.size);
    bytes.data[bytes.size] = 0;
    free(data);
    return bytes;
}

#endif /* BENCH_INPUTS_H_INCLUDED */
