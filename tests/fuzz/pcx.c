/* pcx.c: loads a PCX picture. */
#include "fuzz.h"

#include "md2_model.h"

FUZZ_UNSEEN_BEGIN

static void fuzz_check_pixels(const uint8_t *pixels, uint32_t width, uint32_t height)
{
    size_t i, bytes = (size_t)width * height * 4;
    FUZZ_CHECK(width > 0 && height > 0);
    fuzz_check_memory(bytes + (sizeof(md2_allocator) + sizeof(size_t) + 15) / 16 * 16, 0, 0);
    for (i = 3; i < bytes; i += 4) FUZZ_CHECK(pixels[i] == 255);
    FUZZ_INITIALISED(pixels, bytes);
}

/* Two bytes of a file can become a run of 63 pixels of four bytes each. */
static void fuzz_pcx(fuzz_input *input)
{
    md2_error error;
    uint32_t width = 0, height = 0;
    fuzz_measure(128 * input->size, input);
    md2_options options = fuzz_md2_options(input);
    memset(&error, 0x7F, sizeof error);
    uint8_t *pixels =
        md2_load_pcx_memory(input->data, input->size, &width, &height, &options, &error);
    fuzz_check_md2_error(&error, pixels != NULL, input);
    FUZZ_CHECK(!input->max_bytes || fuzz_memory.peak_bytes <= input->max_bytes);
    if (pixels) fuzz_check_pixels(pixels, width, height);
    md2_free_image(pixels);
    FUZZ_CHECK(fuzz_memory.live_blocks == 0);
}

/* Changes the rest of the file, because the 768 bytes of palette at its end decide nothing. */
static size_t fuzz_mutate_pcx(uint8_t *data, size_t size, size_t max, fuzz_dice *dice)
{
    size_t palette = size < 900 ? 0 : 768, body = size - palette, at;
    uint8_t kept[768];
    if (fuzz_below(dice, 10) == 0 || palette == 0) return fuzz_mutate_bytes(data, size, max, dice);
    memcpy(kept, data + body, palette);
    at = fuzz_below(dice, 2) ? 128 : 0;
    if (at && body > at && fuzz_below(dice, 2)) {
        data[at + fuzz_below(dice, body - at)] = (uint8_t)(0xC0 | fuzz_throw(dice));
    } else if (at) {
        body = at + fuzz_mutate_bytes(data + at, body - at, max - at - palette, dice);
    } else {
        static const uint8_t fields[] = { 0, 2, 3, 4, 5, 6, 8, 8, 9, 10, 10, 11, 65, 66, 66, 67 };
        uint8_t *field = data + FUZZ_PICK(dice, fields);
        *field =
            (uint8_t)(fuzz_below(dice, 2) ? *field + fuzz_below(dice, 5) - 2 : fuzz_throw(dice));
    }
    memcpy(data + body, kept, palette);
    return body + palette;
}

FUZZ_UNSEEN_END

FUZZ_ENTRY(pcx, fuzz_mutate_pcx)
