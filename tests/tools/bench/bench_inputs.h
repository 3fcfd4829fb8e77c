/* bench_inputs.h: shared by both measuring programs: files, and two renderers with a crowd each. Included after md2.h
   and md5.h. Public domain. */
#ifndef BENCH_INPUTS_H_INCLUDED
#define BENCH_INPUTS_H_INCLUDED

#include "check.h"
#include "fake_gl.h"
#include "support.h"

typedef struct bench_bytes {
    unsigned char *data; /* followed by a zero, which `size` does not include */
    size_t         size;
} bench_bytes;

/* Reads a file. Ends the program if there is no such file. */
static inline bench_bytes bench_read(const char *folder, const char *name)
{
    char           path[1024];
    bench_bytes    bytes;
    snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", name);
    unsigned char *data = read_file(path, &bytes.size);
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

/* -- Crowds that are drawn ---------------------------------------------------------------- */

enum { MAX_INSTANCES = 10000 };

static struct crowd {
    uint32_t        count;
    md2_gl         *md2_gl;
    md5_gl         *md5_gl;
    md2_gl_mesh     md2_mesh;
    md5_gl_mesh     md5_mesh;
    md2_gl_scene    md2_scene;
    md5_gl_scene    md5_scene;
    md2_gl_instance md2_instances[MAX_INSTANCES];
    md5_gl_instance md5_instances[MAX_INSTANCES];
} crowd;

static void draw_md2(void)
{
    md2_gl_draw(crowd.md2_gl, &crowd.md2_mesh, 0, &crowd.md2_scene, crowd.md2_instances,
                crowd.count);
}

static void draw_md5(void)
{
    md5_gl_draw(crowd.md5_gl, &crowd.md5_mesh, 0, &crowd.md5_scene, crowd.md5_instances,
                crowd.count);
}

static void start_gl(fake_gl_proc (*get_proc)(const char *), const md2_model *md2,
                     const md5_model *md5)
{
    const md2_gl_options md2_options = { .leave_state = true };
    const md5_gl_options md5_options = { .leave_state = true };
    fake_gl_reset();
    crowd.md2_gl = md2_gl_create(get_proc, &md2_options, NULL);
    crowd.md5_gl = md5_gl_create(get_proc, &md5_options, NULL);
    if (!CHECK(crowd.md2_gl && md2_gl_upload(crowd.md2_gl, md2, &crowd.md2_mesh, NULL) &&
               crowd.md5_gl && md5_gl_upload(crowd.md5_gl, md5, 0, &crowd.md5_mesh, NULL))) {
        exit(EXIT_FAILURE);
    }
}

static void end_gl(void)
{
    md2_gl_free_mesh(crowd.md2_gl, &crowd.md2_mesh);
    md5_gl_free_mesh(crowd.md5_gl, &crowd.md5_mesh);
    md2_gl_destroy(crowd.md2_gl);
    md5_gl_destroy(crowd.md5_gl);
}

#endif /* BENCH_INPUTS_H_INCLUDED */
