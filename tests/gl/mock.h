/* mock.h: helpers that the tests of both libraries share, on a GL that draws nothing (fake_gl.h). Public domain. */
#ifndef MOCK_H_INCLUDED
#define MOCK_H_INCLUDED

#include "check.h"
#include "fake_gl.h"
#include "support.h"

#define MD2_GL
#define MD2_SMOOTH
#define MD2_STB_IMAGE
#define MD5_GL
#define MD5_STB_IMAGE
#include "models.h"

enum { SMALL = 1, PLAYER = 2, GRID = 4, TRIANGLES = 8, EACH = SMALL | PLAYER | GRID };

typedef struct record { uint8_t bytes[256]; size_t size; } record; /* the bytes of an instance on the GPU */

extern const char *folder;            /* the folder for files that the tests write */
extern unsigned long pictures_decoded, pictures_freed; /* counts of the tests' picture decoder */
extern const uint8_t picture[5 + 24]; /* a file in the tests' picture format: 2 x 3 pixels */

void save(const char *name, const void *data, size_t size);
void forget(const char *name);

void expect_no_mistakes(const char *call);
void expect_live(unsigned wanted, const char *call); /* checks the number of objects of OpenGL */

/* Checks that the call has changed neither the state `before` nor the vertex array that was bound. */
void expect_state(const fake_state *before, const fake_object *array, const char *call);

/* Checks all texels, then deletes the texture. */
void expect_texels(uint32_t texture, int width, int height, const uint8_t *rgba);

/* Returns the buffer of the attributes that advance once per instance. */
const fake_object *streamed(uint32_t vao);

/* The first function returns a uniform of the last draw, the second the source of a shader: number 0 is the
   vertex shader. */
const fake_variable *sent_uniform(const char *name);
const char          *source_of(uint32_t program, int number);

/* Returns the number of vertices fetched per triangle, with a cache of 16 vertices. */
double cache_misses(const uint32_t *indices, uint32_t count);

/* Returns a sum that depends on the triangles and their winding, but not on their order or first corners. */
uint64_t sum_triangles(const uint32_t *indices, uint32_t count);

void md2_test_library(void);
void md5_test_library(void);

#endif /* MOCK_H_INCLUDED */
