/* The functions of fake_gl.c and fake_gl_shaders.c for each other. Public domain. */
#ifndef FAKE_GL_PARTS_H_INCLUDED
#define FAKE_GL_PARTS_H_INCLUDED

#include "fake_gl.h"

/* Calls are counted by name and do nothing when the context is lost. */
#define FAKE_CALL(name) do { fake_count_call(name); if (fake.lost) return; } while (0)
#define FAKE_ASK(name, nothing) do { fake_count_call(name); if (fake.lost) return nothing; } while (0)

void fake_count_call(const char *name);

/* Every byte of an upload is read, so that a sanitizer sees one that is not there. */
void fake_touch(const void *memory, size_t size);

/* The object, or NULL and a mistake. */
fake_object *fake_find(int kind, unsigned name);

void fake_destroy(fake_object *object);

/* What fake_gl_get_proc finds; a list ends with NULL. */
typedef struct fake_entry {
    const char  *name;
    fake_gl_proc function;
} fake_entry;

#define FAKE_ENTRY(name) { #name, (fake_gl_proc)fake_##name }

extern const fake_entry fake_shader_entries[];

#endif /* FAKE_GL_PARTS_H_INCLUDED */
