/* load_both.h: loads a file from memory, and also with a reader if the end of the input asks for it. Included by a
   target, after

       TARGET                    its name
       OPTIONS_TYPE, READER_TYPE, ERROR_TYPE, RESULT   types; RESULT is the type of the loaded object
       LOAD_MEMORY, LOAD_READER  the functions of the library
       EXTRA_BYTES               bytes that the result may need even for a very short file
       MOST_AT_ONCE(size, read)  largest number of bytes in use at any time; `read`: the file comes from a reader
       CHECK_RESULT, FREE_RESULT

   Public domain. */
FUZZ_UNSEEN_BEGIN

static void TARGET(fuzz_input *input)
{
    OPTIONS_TYPE options = OPTIONS(input);
    RESULT *made[2] = { NULL, NULL };
    bool limited = input->max_bytes || input->fail_at || input->break_at != SIZE_MAX || !input->step;
    for (int i = 0; i < (input->step ? 2 : 1); ++i) {
        size_t blocks = fuzz_memory.live_blocks, bytes = fuzz_memory.live_bytes;
        fuzz_source source = { input, 0 };
        READER_TYPE reader = { fuzz_read, &source };
        ERROR_TYPE error;
        memset(&error, 0x7F, sizeof error);
        fuzz_measure(fuzz_memory_bound(input->size, i == 1) + EXTRA_BYTES, input);
        made[i] = i ? LOAD_READER(&reader, &options, &error)
                    : LOAD_MEMORY(input->data, input->size, &options, &error);
        CHECK_ERROR(&error, made[i] != NULL, input);
        fuzz_check_memory(made[i] ? made[i]->bytes : 0, blocks, bytes);
        FUZZ_CHECK(fuzz_memory.peak_bytes - bytes <= MOST_AT_ONCE(input->size, i));
        FUZZ_CHECK(!input->max_bytes || fuzz_memory.peak_bytes - bytes <= input->max_bytes);
        if (made[i]) CHECK_RESULT(made[i]);
    }
    if (made[0] && made[1])
        fuzz_check_same(made[0], made[1], made[0]->bytes);
    FUZZ_CHECK(!made[1] || input->break_at > input->size);
    FUZZ_CHECK(limited || made[1] || !made[0]);
    FUZZ_CHECK(limited || made[0] || !made[1]);
    FREE_RESULT(made[1]);
    FREE_RESULT(made[0]);
    FUZZ_CHECK(fuzz_memory.live_blocks == 0 && fuzz_memory.live_bytes == 0);
}

FUZZ_UNSEEN_END

#undef TARGET
#undef OPTIONS_TYPE
#undef READER_TYPE
#undef ERROR_TYPE
#undef RESULT
#undef OPTIONS
#undef LOAD_MEMORY
#undef LOAD_READER
#undef EXTRA_BYTES
#undef MOST_AT_ONCE
#undef CHECK_ERROR
#undef CHECK_RESULT
#undef FREE_RESULT
