/* Readers, files, arguments and limits: for the loaders of models of either library. Included after

       LIB(name), OPTION(name)                the prefixes of names and of options
       LOAD_MEMORY, LOAD_READER, LOAD_FILE, FREE
       NO_DATA, BAD_SCALE, NOT_MINE           what the loaders say; of an empty file
       FILE_NAME                              a file to write
       const void *sample(bool large, size_t *size)   a model; the large one has over 200,000 bytes
       bool is_sample(const LIB(model) *model, bool large)

   Public domain. */

static void test_result_names(void)
{
    for (int i = 0; i < (int)OPTION(RESULT_COUNT); ++i) {
        const char *name = LIB(result_name)((LIB(result))i);
        CHECK(name && strncmp(name, "MD", 2) == 0);
        for (int k = 0; k < i; ++k) CHECK(strcmp(name, LIB(result_name)((LIB(result))k)) != 0);
    }
    CHECK_TEXT(LIB(result_name)(OPTION(OK)) + 4, "OK");
    CHECK_TEXT(LIB(result_name)(OPTION(ERROR_CORRUPT)) + 4, "ERROR_CORRUPT");
    CHECK_TEXT(LIB(result_name)(OPTION(ERROR_VERSION)) + 4, "ERROR_VERSION");
    CHECK_TEXT(LIB(result_name)(OPTION(RESULT_COUNT)) + 4, "ERROR_UNKNOWN");
}

/* -- Readers and files ---------------------------------------------------------- */

static void check_pieces(bool large, size_t step)
{
    size_t             size;
    const void        *bytes = sample(large, &size);
    feed             from = feed_of(bytes, size, step);
    LIB(reader)        reader = { read_feed, &from };
    counting_allocator memory;
    LIB(options)       options = counting_options(&memory);
    LIB(error)         error;
    LIB(model)        *model = LOAD_READER(&reader, &options, &error);
    if (CHECK(model != NULL)) CHECK(is_sample(model, large));
    CHECK_EQ(error.code, OPTION(OK));
    CHECK(memory.allocations < 10); /* room for more grows in few steps */
    CHECK(memory.live_blocks == 1 && memory.peak_blocks <= 2);
    FREE(model);
    CHECK(counting_is_clean(&memory));
    from = feed_of(bytes, size, step);
    from.fail_at = 1 + size / 2;
    CHECK(!LOAD_READER(&reader, NULL, &error));
    CHECK_EQ(error.code, OPTION(ERROR_READ));
}

static size_t read_too_much(void *user, void *dst, size_t size)
{
    (void)user;
    memset(dst, ' ', size);
    return size + 1;
}

/* A source without an end is never followed for ever. */
static void test_readers(void)
{
    static const size_t steps[5] = { 1, 0, 997, 4095, SIZE_MAX };
    counting_allocator  memory;
    LIB(options)        options = counting_options(&memory);
    LIB(error)          error;
    size_t              size;
    const void         *bytes = sample(false, &size);
    feed              from = feed_of(bytes, size, 4096);
    for (size_t i = 0; i < 10; ++i) check_pieces(i >= 5, steps[i % 5]);
    from.endless = true;
    LIB(reader) reader = { read_feed, &from };
    options.max_bytes = 1u << 20;
    LIB(model) *model = LOAD_READER(&reader, &options, &error);
    CHECK(model || error.code == OPTION(ERROR_LIMIT));
    FREE(model);
    CHECK(memory.peak_bytes <= options.max_bytes);
    CHECK(counting_is_clean(&memory));
    reader.read = read_too_much;
    CHECK(!LOAD_READER(&reader, NULL, &error));
    CHECK_EQ(error.code, OPTION(ERROR_READ));
}

static void check_one_file(const char *path, bool large)
{
    size_t             size;
    const void        *bytes = sample(large, &size);
    counting_allocator memory;
    LIB(options)       options = counting_options(&memory);
    if (!CHECK(write_file(path, bytes, size))) return;
    LIB(model) *model = LOAD_FILE(path, &options, NULL);
    if (CHECK(model != NULL)) CHECK(is_sample(model, large));
    CHECK(memory.allocations < 6); /* the size of a file is known */
    FREE(model);
    CHECK(counting_is_clean(&memory));
    remove_file(path);
}

static void test_files(void)
{
    LIB(error) error;
    check_one_file(FILE_NAME, false);
    check_one_file(FILE_NAME, true);
    check_one_file("test_\xC3\xB6\xE6\x97\xA5_" FILE_NAME, false);
    check_one_file("test_\xF0\x9F\x97\xA1_" FILE_NAME, false); /* beyond 16 bits */
    CHECK(!LOAD_FILE("no folder\n\x01\x1F\x7F\xC3\xA4 $#", NULL, &error));
    check_error(&error, OPTION(ERROR_OPEN), 0, "cannot open no folder ????? $#");
    CHECK(!LOAD_FILE(".", NULL, &error));
    CHECK_TEXT(error.message, error.code == OPTION(ERROR_OPEN) ? "cannot open ."
                                                               : "cannot read .: is it a folder?");
    CHECK(write_file(FILE_NAME, "", 0));
    CHECK(!LOAD_FILE(FILE_NAME, NULL, &error));
    CHECK_EQ(error.code, NOT_MINE);
    remove_file(FILE_NAME);
}

/* -- Arguments and options -------------------------------------------------------- */

/* Spoils the error for the next loader. */
static void expect_argument_error(const void *loaded, LIB(error) *error, const char *message)
{
    CHECK(loaded == NULL);
    check_error(error, OPTION(ERROR_ARGUMENT), 0, message);
    memset(error, 0x5A, sizeof *error);
}

static void test_missing_arguments(void)
{
    LIB(reader) none = { NULL, NULL };
    LIB(error)  error;
    memset(&error, 0x5A, sizeof error);
    expect_argument_error(LOAD_MEMORY(NULL, 9, NULL, &error), &error, NO_DATA);
    expect_argument_error(LOAD_READER(NULL, NULL, &error), &error, "no reader is given");
    expect_argument_error(LOAD_READER(&none, NULL, &error), &error, "no reader is given");
    expect_argument_error(LOAD_FILE(NULL, NULL, &error), &error, "no path is given");
    CHECK(!LOAD_MEMORY(NULL, 100, NULL, NULL));
    FREE(NULL);
}

/* By a reader and from a file in the same words; from memory too, unless `alone`. */
static void expect_refused(const LIB(options) *options, bool alone, const char *message)
{
    size_t      size;
    const void *bytes = sample(false, &size);
    feed      from = feed_of(bytes, size, 100);
    LIB(reader) reader = { read_feed, &from };
    LIB(error)  error;
    check_subject(message);
    CHECK(write_file(FILE_NAME, bytes, size));
    if (!alone) expect_argument_error(LOAD_MEMORY(bytes, size, options, &error), &error, message);
    expect_argument_error(LOAD_READER(&reader, options, &error), &error, message);
    expect_argument_error(LOAD_FILE(FILE_NAME, options, &error), &error, message);
    remove_file(FILE_NAME);
}

static void test_refused_options(void)
{
    const float        scales[3] = { -1.0f, (float)HUGE_VAL, (float)(HUGE_VAL - HUGE_VAL) };
    counting_allocator memory;
    LIB(options)       options = counting_options(&memory);
    options.allocator.release = NULL;
    expect_refused(&options, false, "an allocator needs both alloc and release");
    options = counting_options(&memory);
    options.allocator.alloc = NULL;
    expect_refused(&options, false, "an allocator needs both alloc and release");
    options = counting_options(&memory);
    for (int i = 0; i < 3; ++i) {
        options.scale = scales[i];
        expect_refused(&options, false, BAD_SCALE);
    }
}

/* -- Memory ------------------------------------------------------------------------ */

static bool loads_within(size_t max_bytes, LIB(error) *error)
{
    size_t             size;
    const void        *bytes = sample(false, &size);
    counting_allocator memory;
    LIB(options)       options = counting_options(&memory);
    options.max_bytes = max_bytes;
    LIB(model) *model = LOAD_MEMORY(bytes, size, &options, error);
    CHECK(memory.peak_bytes <= max_bytes);
    CHECK_EQ(error->code, model ? OPTION(OK) : OPTION(ERROR_LIMIT));
    FREE(model);
    CHECK(counting_is_clean(&memory));
    return model != NULL;
}

/* max_bytes bounds all that is live at once, with the bytes of the file if the library reads
   them. */
static void test_limits(void)
{
    size_t             size, bytes = 0, least;
    const void        *data = sample(false, &size);
    counting_allocator memory;
    LIB(options)       options = counting_options(&memory);
    LIB(error)         error;
    LIB(model)        *model = LOAD_MEMORY(data, size, &options, NULL);
    if (CHECK(model != NULL)) bytes = model->bytes;
    least = memory.peak_bytes;
    CHECK_EQ(memory.live_bytes, bytes);
    FREE(model);
    CHECK(least > bytes);
    CHECK(loads_within(least, &error));
    CHECK(!loads_within(least - 1, &error));
    CHECK(!loads_within(least - bytes, &error)); /* the scratch alone fits */
    CHECK(!loads_within(least - bytes - 1, &error));
    CHECK(!loads_within(1, &error));
    CHECK(write_file(FILE_NAME, data, size));
    options.max_bytes = 100;          /* the file alone is too large */
    CHECK(!LOAD_FILE(FILE_NAME, &options, &error));
    check_error(&error, OPTION(ERROR_LIMIT), 0,
                "100 bytes more are needed, but max_bytes is 100");
    options = counting_options(&memory);
    memory.fail_at = 1;               /* not even for the first bytes */
    CHECK(!LOAD_FILE(FILE_NAME, &options, &error));
    CHECK_EQ(error.code, OPTION(ERROR_MEMORY));
    CHECK(counting_is_clean(&memory));
    remove_file(FILE_NAME);
}
