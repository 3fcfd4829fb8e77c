/* What the tests of both libraries on a GL that draws nothing (fake_gl.h) share. Public domain. */
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

typedef struct record { uint8_t bytes[256]; size_t size; } record; /* of an instance */

extern const char *folder;            /* where files may be written */
extern unsigned long pictures_decoded, pictures_freed; /* by the picture format of the tests */
extern const uint8_t picture[5 + 24]; /* a file of that format: 2 x 3 pixels */

void save(const char *name, const void *data, size_t size);
void forget(const char *name);

void expect_no_mistakes(const char *call);
void expect_live(unsigned wanted, const char *call); /* so many objects of OpenGL exist */

/* That the call has changed nothing that was set then, nor the vertex array that was bound. */
void expect_state(const fake_state *then, const fake_object *array, const char *call);

/* And deletes the texture. */
void expect_texels(uint32_t texture, int width, int height, const uint8_t *rgba);

/* The buffer behind an attribute that steps once an instance. */
const fake_object *streamed(uint32_t vao);

/* Of the last draw; and the source of a shader: the vertex shader is number 0. */
const fake_variable *sent_uniform(const char *name);
const char          *source_of(uint32_t program, int number);

/* Vertices fetched for each triangle with a cache of 16. */
double cache_misses(const uint32_t *indices, uint32_t count);

/* The same for the same triangles and winding, whatever their order and their first corners. */
uint64_t sum_triangles(const uint32_t *indices, uint32_t count);

void md2_test_library(void);
void md5_test_library(void);

#endif /* MOCK_H_INCLUDED */
