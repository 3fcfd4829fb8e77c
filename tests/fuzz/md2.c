/* An MD2 through md2_load_memory and, as the input's end says, through a reader as well. */
#include "fuzz.h"

#include "md2_model.h"

static md2_model *fuzz_md2_from_reader(const fuzz_input *input, const md2_options *options,
                                       md2_error *error)
{
    fuzz_source source = { input, 0 };
    md2_reader reader;
    reader.read = fuzz_read;
    reader.user = &source;
    return md2_load_reader(&reader, options, error);
}

static md2_model *fuzz_md2_load(const fuzz_input *input, const md2_options *options, bool reader)
{
    size_t blocks = fuzz_memory.live_blocks, bytes = fuzz_memory.live_bytes;
    md2_model *model;
    md2_error error;
    memset(&error, 0x7F, sizeof error);
    fuzz_measure(fuzz_memory_bound(input->size, reader), input->fail_at);
    model = reader ? fuzz_md2_from_reader(input, options, &error)
                   : md2_load_memory(input->data, input->size, options, &error);
    fuzz_check_md2_error(&error, model != NULL, input->size);
    fuzz_check_memory(model ? model->bytes : 0, blocks, bytes);
    FUZZ_CHECK(!options->max_bytes || fuzz_memory.peak_bytes - bytes <= options->max_bytes);
    if (model) fuzz_check_md2(model);
    return model;
}

static void fuzz_md2(const uint8_t *data, size_t size)
{
    fuzz_input input;
    md2_options options;
    md2_model *model, *again;
    fuzz_start_memory(0, 0);
    input = fuzz_open(data, size);
    options = fuzz_md2_options(&input);
    model = fuzz_md2_load(&input, &options, false);
    if (input.step) {
        options.flags &= ~(uint32_t)MD2_BORROW;
        again = fuzz_md2_load(&input, &options, true);
        if (model && again && model->flags == options.flags)
            fuzz_check_same(model, again, model->bytes);
        FUZZ_CHECK(!model || again || input.max_bytes || input.fail_at ||
                   input.break_at != SIZE_MAX);
        md2_free_model(again);
    }
    md2_free_model(model);
    FUZZ_CHECK(fuzz_memory.live_blocks == 0 && fuzz_memory.live_bytes == 0);
}

FUZZ_ENTRY(md2, fuzz_mutate_bytes)
