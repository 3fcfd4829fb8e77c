/* test_nulls.c: calls each public function of both headers with each of its pointers NULL in turn.
   Without an optional pointer the function must work; without a required pointer it must do nothing. Each
   function is a test, as in `test_nulls md2_play`.
   --folder=FOLDER is for files that the tests write; it must exist, and the default is build. Public domain. */
#include "nulls.h"

#include <string.h>

bool  done;
float output[4][FLOATS];

counting_allocator call_memory;

bool accept_path(void *user, const char *path) { (void)user; return path[0] != 0; }

/* -- One function ------------------------------------------------------------ */

enum { NO_NULL = -1 };

static int  null_at;          /* number of the pointer that is NULL */
static bool null_is_nullable; /* true if the function must work without it */
static int  pointer_count;    /* number of pointers of the function, counted in its first call */

bool is_null(int number, bool is_nullable)
{
    if (pointer_count <= number) pointer_count = number + 1;
    if (number != null_at) return false;
    null_is_nullable = is_nullable;
    return true;
}

static void mark_output(void) { memset(output, 77, sizeof output); }

static bool is_output_written(void)
{
    const unsigned char *bytes = (const unsigned char *)output;
    for (size_t i = 0; i < sizeof output; ++i) {
        if (bytes[i] != 77) return true;
    }
    return false;
}

/* Calls a function with all its pointers, then once without each of them. */
static void with_nulls(void (*call)(void), void (*reset)(void))
{
    pointer_count = 0;
    for (null_at = NO_NULL; null_at < pointer_count; ++null_at) {
        if (null_at == NO_NULL) check_scene("no pointer is NULL");
        else check_scene("pointer %d is NULL, counted from 0", null_at);
        reset();
        mark_output();
        done = false;
        null_is_nullable = true; /* if no pointer is NULL, the function must work */
        call();

        bool has_worked = done || is_output_written();
        CHECK_EQ(has_worked, null_is_nullable);
        CHECK_TEXT(fake.first_mistake, "");
    }
}

/* -- All functions ----------------------------------------------------------- */

static const null_calls *library; /* the calls for the current library */
static const null_call  *now;

static void test_function(void)
{
    memset(&call_memory, 0, sizeof call_memory);
    fake.mistakes = 0;
    fake.first_mistake[0] = 0;
    with_nulls(now->call, library->reset);
    CHECK(counting_is_clean(&call_memory));
}

static void test_library(const null_calls *calls, const char *folder)
{
    library = calls;
    fake_gl_reset();
    calls->prepare(folder);
    for (unsigned i = 0; i < calls->count; ++i) {
        now = &calls->list[i];
        check_run(now->function, "each of its pointers may be NULL", test_function);
    }
    calls->clean_up();
}

int main(int argc, char **argv)
{
    check_start(argc, argv, "--folder=");
    const char *folder = check_option("--folder=");
    if (!folder) folder = "build";
    test_library(&md2_calls, folder);
    test_library(&md5_calls, folder);
    return check_finish();
}
