/* Rows of the table, shared by the files of the program hashes. Public domain. */
#ifndef HASHES_H_INCLUDED
#define HASHES_H_INCLUDED

#include "md2.h"
#include "md5.h"

#include "model_builder_md2.h"
#include "support.h"

typedef struct row {
    const char *name, *what; /* what is hashed, in words */
    uint64_t hash;           /* FNV-1a */
    uint64_t bytes, recorded;
} row;

/* The row of that name, to which several functions may add. */
row *row_of(const char *name);

void hash_word(row *r, uint64_t word, int size);
void hash_int(row *r, int64_t x);
void hash_float(row *r, float x);
void hash_floats(row *r, const float *x, size_t count);

/* As printf takes them, so that compilers check them: %u, %d, %s, and %f for a float. */
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void hash_values(row *r, const char *kinds, ...);

md2_pose random_md2_pose(const md2_model *m, int frames);

/* A file of the character, hashed into a row. */
m2_bytes character_file(const char *row_name, const char *name, const char *suffix);

void hash_gl(void);

#endif /* HASHES_H_INCLUDED */
