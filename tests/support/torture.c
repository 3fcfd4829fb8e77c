/* The functions of torture.h. Public domain. */
#include "torture.h"

void check_linear_work(hurt_work work, int hurts, size_t bytes, double most, double growth,
                       double slack)
{
    double hardest = 0.0, largest_growth = 0.0;
    int i;
    for (i = 0; i < hurts; ++i) {
        char name[16];
        double before, after;
        snprintf(name, sizeof name, "hurt %d", i);
        check_subject(name);
        before = work(i, bytes);
        after = work(i, bytes * 4);
        if (!CHECK(after < most && after < growth * before + slack)) {
            printf("  %.3f steps a byte, then %.3f\n", before, after);
        }
        if (after > hardest) hardest = after;
        if (after / (before + slack) > largest_growth) largest_growth = after / (before + slack);
    }
    check_subject("");
    printf("the hardest takes %.2f steps a byte; four times the size, %.2f times as many\n",
           hardest, largest_growth);
    CHECK_FLOOR(i, hurts, "files made to hurt");
}

/* A file, and spellings of its name that are not UTF-8: none may open it. */
static const struct {
    const char *right, *wrong[4];
} hostile_paths[3] = {
    /* u as if it were far away, in two, three and four bytes, and five */
    { "check_up.tmp",
      { "check_\xC1\xB5p.tmp", "check_\xE0\x81\xB5p.tmp", "check_\xF0\x80\x81\xB5p.tmp",
        "check_\xF8\x80\x80\x81\xB5p.tmp" } },
    /* a letter of two bytes, of which one is left */
    { "check_\xC2\xB5p.tmp",
      { "check_\xB5p.tmp", "check_\xC2p.tmp", "check_\xE0\x82\xB5p.tmp",
        "check_\xC2\xB5p.tmp\xF0" } },
    /* a sword, as two halves of UTF-16 */
    { "check_\xF0\x9F\x97\xA1.tmp",
      { "check_\xED\xA0\xBD\xED\xB7\xA1.tmp", "check_\xED\xA0\xBD.tmp",
        "check_\xF7\x9F\x97\xA1.tmp", "check_\xF0\x9F\x97.tmp" } }
};

/* Emscripten turns every path into a string of JavaScript before it looks for the file, and takes
   much for UTF-8: the library has no say in which file a wrong path opens there. */
#ifdef __EMSCRIPTEN__
enum { WRONG_PATHS = 0 };
#else
enum { WRONG_PATHS = 4 };
#endif

void check_paths(const char *ending, path_test opens, const void *data, size_t size)
{
    char right[64], wrong[64];
    int i, k;
    for (i = 0; i < 3; ++i) {
        snprintf(right, sizeof right, "%s%s", hostile_paths[i].right, ending);
        CHECK(write_file(right, data, size));
        CHECK(opens(right));
        for (k = 0; k < WRONG_PATHS; ++k) {
            snprintf(wrong, sizeof wrong, "%s%s", hostile_paths[i].wrong[k], ending);
            if (!CHECK(!opens(wrong))) printf("  %d, %d opens\n", i, k);
        }
        remove_file(right);
    }
}
