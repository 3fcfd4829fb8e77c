/* Declarations that fake_gl.c and fake_gl_shaders.c share. Public domain. */
#ifndef FAKE_GL_PARTS_H_INCLUDED
#define FAKE_GL_PARTS_H_INCLUDED

#include "fake_gl.h"

/* Counts a call by its name, and returns from the calling function if the context is lost. */
#define FAKE_CALL(name) do { fake_count_call(name); if (fake.lost) return; } while (0)
#define FAKE_GET(name, none) do { fake_count_call(name); if (fake.lost) return none; } while (0)

void fake_count_call(const char *name);

/* Reads every byte of an upload, so that a sanitizer detects bytes outside the caller's memory. */
void fake_read_bytes(const void *memory, size_t size);

/* Returns an object; if it does not exist, counts a mistake and returns NULL. */
fake_object *fake_find(int kind, unsigned name);

void fake_destroy(fake_object *object);

/* A function that fake_gl_get_proc finds; a list ends with NULL. */
typedef struct fake_entry {
    const char  *name;
    fake_gl_proc function;
} fake_entry;

#define FAKE_ENTRY(name) { #name, (fake_gl_proc)fake_##name }

extern const fake_entry fake_shader_entries[];

#endif /* FAKE_GL_PARTS_H_INCLUDED */
