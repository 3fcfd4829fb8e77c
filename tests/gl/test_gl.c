/* test_gl.c: the OpenGL part of both headers on a real driver, without a display: the vertices of
   the vertex shader are read back and compared with the CPU's, light, tint and texture of a square are
   looked at. Everything on GL 3.3 core and on GL ES 3.0. The examples' tests compare pictures.

       test_gl SCRATCH_FOLDER

   Without EGL it says SKIPPED and counts; with CI set in the environment that is a failure. Public
   domain. */
#include "render.h"

const char *scratch;
gl_context context;
struct counted counted;

static void test_context(bool es)
{
    check_section("context");
    if (!gl_context_open(&context, es)) {
        printf("SKIPPED: %s: %s\n", context.name, context.why);
        ++counted.skipped;
        return;
    }
    ++counted.contexts;
    test_vertices();
    md2_test_square();
    md5_test_square();
    gl_context_close(&context);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s SCRATCH_FOLDER\n", argv[0]);
        return EXIT_FAILURE;
    }
    scratch = argv[1];
    test_context(false);
    test_context(true);
    check_section("counts");
    printf("%lu contexts, %lu SKIPPED\n", counted.contexts, counted.skipped);
    if (counted.skipped) CHECK(!getenv("CI"));
    if (counted.contexts) {
        CHECK_FLOOR(counted.vertices, 250000 * counted.contexts,
                    "vertices compared with the CPU's");
        CHECK_FLOOR(counted.own_models, 80 * counted.contexts, "models of our own drawn");
        CHECK_FLOOR(counted.vertices5, 15000 * counted.contexts,
                    "md5 vertices compared with the CPU's");
        CHECK_FLOOR(counted.own_meshes, 100 * counted.contexts, "md5 meshes of our own drawn");
    }
    return check_finish();
}
