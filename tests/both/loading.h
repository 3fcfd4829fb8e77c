/* loading.h: readers, files, arguments and limits, for the loaders of models of both libraries. Include it after

       names_md2.h or names_md5.h
       load_memory, load_reader, load_file    the loaders of models
       NO_DATA, BAD_SCALE, NOT_MINE           messages of the loaders; NOT_MINE is for an empty file
       FILE_NAME                              the name of a file to write
       const void *sample(bool large, size_t *size)   a model; the large model has over 200,000 bytes
       void check_sample(const model_t *model, bool large)

   Public domain. */

static void test_version(void)
{
    CHECK_EQ(library_version(), LIBRARY_VERSION);
}

static void test_result_names(void)
{
    for (int i = 0; i <= (int)ERROR_GL; ++i) {
        const char *name = result_name((result_t)i);
        check_step("result %d: %s", i, name ? name : "(null)");
        CHECK(name && strncmp(name, "MD", 2) == 0);
        for (int k = 0; k < i; ++k) CHECK(strcmp(name, result_name((result_t)k)) != 0);
    }
    CHECK_TEXT(result_name(OK) + 4, "OK");
    CHECK_TEXT(result_name(ERROR_CORRUPT) + 4, "ERROR_CORRUPT");
    CHECK_TEXT(result_name(ERROR_VERSION) + 4, "ERROR_VERSION");
    CHECK_TEXT(result_name((result_t)(ERROR_GL + 1)) + 4, "ERROR_UNKNOWN");
}

/* -- Readers and files ---------------------------------------------------------- */

static void check_pieces(bool large, size_t step)
{
    size_t             size;
    const void        *bytes = sample(large, &size);
    feed               from = feed_of(bytes, size, step);
    reader_t           reader = { read_feed, &from };
    counting_allocator memory;
    options_t          options = counting_options(&memory);
    load_error_t       error;
    check_scene("%s model in pieces of %.0f bytes (0: of changing sizes)",
                large ? "a large" : "a small", (double)step);
    model_t *model = load_reader(&reader, &options, &error);
    CHECK_TEXT(error.message, "");
    CHECK_EQ(error.code, OK);
    CHECK(model != NULL);
    check_sample(model, large);
    CHECK(memory.allocations < 10); /* the buffer grows in few steps */
    CHECK(memory.live_blocks == 1 && memory.peak_blocks <= 2);
    free_model(model);
    CHECK(counting_is_clean(&memory));

    check_step("the reader fails in the middle");
    from = feed_of(bytes, size, step);
    from.fail_at = 1 + size / 2;
    CHECK(!load_reader(&reader, NULL, &error));
    CHECK_EQ(error.code, ERROR_READ);
}

static size_t read_too_much(void *user, void *dst, size_t size)
{
    (void)user;
    memset(dst, ' ', size);
    return size + 1;
}

static void test_readers(void)
{
    static const size_t steps[5] = { 1, 0, 997, 4095, SIZE_MAX };
    for (size_t i = 0; i < 10; ++i) check_pieces(i >= 5, steps[i % 5]);

    check_scene("a reader that never ends must not be read forever");
    counting_allocator memory;
    options_t          options = counting_options(&memory);
    load_error_t       error;
    size_t             size;
    const void        *bytes = sample(false, &size);
    feed               from = feed_of(bytes, size, 4096);
    reader_t           reader = { read_feed, &from };
    from.endless = true;
    options.max_bytes = 1u << 20;
    model_t *model = load_reader(&reader, &options, &error);
    CHECK(model || error.code == ERROR_LIMIT);
    free_model(model);
    CHECK(memory.peak_bytes <= options.max_bytes);
    CHECK(counting_is_clean(&memory));

    check_scene("a reader that returns more bytes than there was room for");
    reader.read = read_too_much;
    CHECK(!load_reader(&reader, NULL, &error));
    CHECK_EQ(error.code, ERROR_READ);
}

static void check_one_file(const char *path, bool large)
{
    size_t             size;
    const void        *bytes = sample(large, &size);
    counting_allocator memory;
    options_t          options = counting_options(&memory);
    check_scene("%s model in %s", large ? "a large" : "a small", path);
    CHECK(write_file(path, bytes, size));
    model_t *model = load_file(path, &options, NULL);
    CHECK(model != NULL);
    check_sample(model, large);
    CHECK(memory.allocations < 6); /* the size of a file is known before it is read */
    free_model(model);
    CHECK(counting_is_clean(&memory));
    remove_file(path);
}

/* Checks how a message writes a path: unchanged, except that control characters become ? and a newline becomes a
   blank. */
static void check_printed_path(const char *path, const char *printed)
{
    char       message[400];
    load_error_t error;
    check_scene("no file of the name %s", path);
    snprintf(message, sizeof message, "cannot open %s", printed);
    CHECK(!load_file(path, NULL, &error));
    check_error(&error, ERROR_OPEN, 0, message);
}

static void test_printed_paths(void)
{
    check_printed_path("no/\xC3\xB6\xE6\x97\xA5\xF0\x9F\x97\xA1.x", "no/\xC3\xB6\xE6\x97\xA5\xF0\x9F\x97\xA1.x");
    check_printed_path("no/\xF6l", "no/\xF6l");
    check_printed_path("no/\x1B[3m \x01\x1F\x7F~\n.", "no/?[3m ???~ .");

    /* A message has 239 bytes: "cannot open " and as much of the path as fits. */
    char path[300], printed[300];
    memset(path, 'x', sizeof path);
    path[1] = '/';
    path[sizeof path - 1] = 0;
    strcpy(printed, path);
    printed[239 - strlen("cannot open ")] = 0;
    check_printed_path(path, printed);
}

static void check_folder(size_t max_bytes)
{
    load_error_t error;
    options_t    options;
    memset(&options, 0, sizeof options);
    options.max_bytes = max_bytes;
    check_scene("a folder, max_bytes %lu", (unsigned long)max_bytes);
    CHECK(!load_file(".", &options, &error));
    CHECK_TEXT(error.message, error.code == ERROR_OPEN ? "cannot open ."
                                                       : "cannot read .: is it a folder?");
}

static void test_files(void)
{
    load_error_t error;
    check_one_file(check_path(FILE_NAME), false);
    check_one_file(check_path(FILE_NAME), true);
    check_one_file(check_path("test_\xC3\xB6\xE6\x97\xA5_" FILE_NAME), false);
    check_one_file(check_path("test_\xF0\x9F\x97\xA1_" FILE_NAME), false); /* a character beyond 16 bits */

    check_scene("no file");
    CHECK(!load_file("no folder\n\x01\x1F\x7F\xC3\xA4 $#", NULL, &error));
    check_error(&error, ERROR_OPEN, 0, "cannot open no folder ???\xC3\xA4 $#");
    check_folder(0);
    check_folder(SIZE_MAX); /* no limit: some systems return a size for a folder, which a limit would refuse */
    check_scene("an empty file");
    CHECK(write_file(check_path(FILE_NAME), "", 0));
    CHECK(!load_file(check_path(FILE_NAME), NULL, &error));
    CHECK_EQ(error.code, NOT_MINE);
    remove_file(check_path(FILE_NAME));
}

/* Paths must be valid UTF-8, also on Windows; otherwise a name that looks harmless could open another file.
   Each row has a file and spellings of its name that are not valid UTF-8. None of them may open it. */
static const struct {
    const char *what, *right, *wrong[4];
} hostile_paths[3] = {
    { "a letter in more bytes than it needs", "check_up.tmp",
      { "check_\xC1\xB5p.tmp", "check_\xE0\x81\xB5p.tmp", "check_\xF0\x80\x81\xB5p.tmp",
        "check_\xF8\x80\x80\x81\xB5p.tmp" } },
    { "a letter without one of its bytes", "check_\xC2\xB5p.tmp",
      { "check_\xB5p.tmp", "check_\xC2p.tmp", "check_\xE0\x82\xB5p.tmp",
        "check_\xC2\xB5p.tmp\xF0" } },
    { "a sword, as halves of UTF-16 or cut", "check_\xF0\x9F\x97\xA1.tmp",
      { "check_\xED\xA0\xBD\xED\xB7\xA1.tmp", "check_\xED\xA0\xBD.tmp",
        "check_\xF7\x9F\x97\xA1.tmp", "check_\xF0\x9F\x97.tmp" } }
};

/* Emscripten converts each path to a JavaScript string before it looks for the file, and accepts much invalid
   UTF-8. The library cannot control which file such a path opens there. */
#ifdef __EMSCRIPTEN__
enum { WRONG_PATHS = 0 };
#else
enum { WRONG_PATHS = 4 };
#endif

/* Sets the step to a path, with \x... for the bytes that are not ASCII. */
static void set_path_step(const char *path)
{
    char printed[160];
    for (size_t length = 0; *path; ++path) {
        bool is_ascii = (unsigned char)*path < 128;
        snprintf(printed + length, sizeof printed - length, is_ascii ? "%c" : "\\x%02X",
                 (unsigned)*path & 0xFF);
        length += is_ascii ? 1 : 4;
    }
    check_step("spelled %s", printed);
}

static bool path_opens(const char *path)
{
    load_error_t error;
    model_t *model = load_file(path, NULL, &error);
    bool opens = model != NULL;
    CHECK(opens || error.code == ERROR_OPEN);
    free_model(model);
    return opens;
}

static void test_paths(void)
{
    size_t      size;
    const void *data = sample(false, &size);
    char        name[64];
    for (int i = 0; i < 3; ++i) {
        check_scene("%s", hostile_paths[i].what);
        snprintf(name, sizeof name, "%s" FILE_NAME, hostile_paths[i].right);
        const char *right = check_path(name);
        CHECK(write_file(right, data, size));
        check_step("with the valid spelling");
        CHECK(path_opens(right));
        for (int k = 0; k < WRONG_PATHS; ++k) {
            snprintf(name, sizeof name, "%s" FILE_NAME, hostile_paths[i].wrong[k]);
            set_path_step(name);
            CHECK(!path_opens(check_path(name)));
        }
        remove_file(right);
    }
}

/* -- Arguments and options -------------------------------------------------------- */

/* Checks the error of a loader that returned nothing, then overwrites it for the next loader. */
static void expect_argument_error(const void *loaded, load_error_t *error, const char *message)
{
    CHECK(loaded == NULL);
    check_error(error, ERROR_ARGUMENT, 0, message);
    memset(error, 0x5A, sizeof *error);
}

static void test_missing_arguments(void)
{
    reader_t     none = { NULL, NULL };
    load_error_t error;
    memset(&error, 0x5A, sizeof error);
    expect_argument_error(load_memory(NULL, 9, NULL, &error), &error, NO_DATA);
    expect_argument_error(load_reader(NULL, NULL, &error), &error, "no reader is given");
    expect_argument_error(load_reader(&none, NULL, &error), &error, "no reader is given");
    expect_argument_error(load_file(NULL, NULL, &error), &error, "no path is given");

    check_scene("nothing to load, and options that are refused");
    counting_allocator memory;
    options_t          options = counting_options(&memory);
    const char        *half = "an allocator needs both alloc and release";
    options.allocator.release = NULL;
    CHECK(!load_memory(NULL, 9, &options, &error));
    CHECK_EQ(error.code, ERROR_ARGUMENT); /* there are two mistakes, and either may be reported */
    CHECK(strcmp(error.message, half) == 0 || strcmp(error.message, NO_DATA) == 0);
    expect_argument_error(load_reader(NULL, &options, &error), &error, half);
    expect_argument_error(load_file(NULL, &options, &error), &error, half);
    options = counting_options(&memory);
    options.scale = -1;
    CHECK(!load_memory(NULL, 0, &options, &error));
    CHECK_EQ(error.code, ERROR_ARGUMENT);
    CHECK(strcmp(error.message, BAD_SCALE) == 0 || strcmp(error.message, NO_DATA) == 0);
    expect_argument_error(load_reader(&none, &options, &error), &error, BAD_SCALE);
    expect_argument_error(load_file(NULL, &options, &error), &error, BAD_SCALE);
    CHECK(counting_is_clean(&memory));

    CHECK(!load_memory(NULL, 100, NULL, NULL));
    free_model(NULL);
}

/* Checks that all three loaders refuse these options with the same message. */
static void expect_refused(const options_t *options, const char *message)
{
    size_t      size;
    const void *bytes = sample(false, &size);
    feed      from = feed_of(bytes, size, 100);
    reader_t     reader = { read_feed, &from };
    load_error_t error;
    CHECK(write_file(check_path(FILE_NAME), bytes, size));
    check_scene("from memory, flags %u, scale %g", (unsigned)options->flags,
                (double)options->scale);
    expect_argument_error(load_memory(bytes, size, options, &error), &error, message);
    check_scene("by a reader, flags %u, scale %g", (unsigned)options->flags,
                (double)options->scale);
    expect_argument_error(load_reader(&reader, options, &error), &error, message);
    check_scene("from a file, flags %u, scale %g", (unsigned)options->flags,
                (double)options->scale);
    expect_argument_error(load_file(check_path(FILE_NAME), options, &error), &error, message);
    remove_file(check_path(FILE_NAME));
}

static void test_refused_options(void)
{
    const float        scales[3] = { -1.0f, (float)HUGE_VAL, (float)(HUGE_VAL - HUGE_VAL) };
    counting_allocator memory;
    options_t          options = counting_options(&memory);
    options.allocator.release = NULL;
    expect_refused(&options, "an allocator needs both alloc and release");
    options = counting_options(&memory);
    options.allocator.alloc = NULL;
    expect_refused(&options, "an allocator needs both alloc and release");

    options = counting_options(&memory);
    for (int i = 0; i < 3; ++i) {
        options.scale = scales[i];
        expect_refused(&options, BAD_SCALE);
    }
}

/* -- Memory ------------------------------------------------------------------------ */

static bool loads_within(size_t max_bytes, load_error_t *error)
{
    size_t             size;
    const void        *bytes = sample(false, &size);
    counting_allocator memory;
    options_t          options = counting_options(&memory);
    options.max_bytes = max_bytes;
    model_t *model = load_memory(bytes, size, &options, error);
    CHECK(memory.peak_bytes <= max_bytes);
    CHECK_EQ(error->code, model ? OK : ERROR_LIMIT);
    free_model(model);
    CHECK(counting_is_clean(&memory));
    return model != NULL;
}

/* The copy has the same block, which only free_model(model) may free. */
static void test_copied_model(void)
{
    size_t             size;
    const void        *data = sample(false, &size);
    counting_allocator memory;
    options_t          options = counting_options(&memory);
    model_t           *model = load_memory(data, size, &options, NULL);
    CHECK(model != NULL);
    model_t copy = *model, none;
    free_model(&copy);
    check_sample(model, false);
    CHECK_EQ(memory.live_blocks, 1);
    memset(&none, 0, sizeof none);
    free_model(&none);
    free_model(model);
    CHECK(counting_is_clean(&memory));
}

/* max_bytes limits the memory that is in use at any time, including the bytes of a file if the library
   reads them. */
static void test_limits(void)
{
    size_t             size;
    const void        *data = sample(false, &size);
    counting_allocator memory;
    options_t          options = counting_options(&memory);
    load_error_t       error;
    model_t           *model = load_memory(data, size, &options, NULL);
    CHECK(model != NULL);
    size_t bytes = model->bytes, least = memory.peak_bytes;
    CHECK_EQ(memory.live_bytes, bytes);
    free_model(model);

    check_scene("a model of %lu bytes, for which loading needs %lu", (unsigned long)bytes,
                (unsigned long)least);
    CHECK(least > bytes);
    CHECK(loads_within(least, &error));
    CHECK(!loads_within(least - 1, &error));
    CHECK(!loads_within(least - bytes, &error)); /* only the scratch memory fits */
    CHECK(!loads_within(least - bytes - 1, &error));
    CHECK(!loads_within(1, &error));

    check_scene("a file that is larger than max_bytes");
    CHECK(write_file(check_path(FILE_NAME), data, size));
    options.max_bytes = 100;
    CHECK(!load_file(check_path(FILE_NAME), &options, &error));
    check_error(&error, ERROR_LIMIT, 0,
                "needs 100 more bytes, but max_bytes is 100");

    check_scene("an allocator without memory for the first bytes of a file");
    options = counting_options(&memory);
    memory.fail_at = 1;
    CHECK(!load_file(check_path(FILE_NAME), &options, &error));
    CHECK_EQ(error.code, ERROR_MEMORY);
    CHECK(counting_is_clean(&memory));
    remove_file(check_path(FILE_NAME));
}
