# What copies of md2.h and md5.h are told for the proof, inside of their functions: how often a loop turns, and calls in
# the place of memset and memcpy over structs, of strchr and of casts from void *, which WP does not read. The rest is in proof.c.
/^static bool md2__check_sections/i\
static void md2__forget_error(md2__loader *loader);
/^static bool md2__check_sections/,/^}/{
    /^    for (; section->count_field/i\
    /*@ loop pragma UNROLL "completely", 5; */
    s/^        memset(&loader->context.error, 0, sizeof loader->context.error);/        md2__forget_error(loader);/
}
/^static bool md2__reserve_bytes/i\
static uint8_t *md2__alloc_bytes(md2__context *context, uint64_t size);\
static void md2__copy_bytes(uint8_t *to, const uint8_t *from, size_t size);
/^static bool md2__reserve_bytes/,/^}/{
    s/memcpy(/md2__copy_bytes(/
    s/(uint8_t \*)md2__alloc(/md2__alloc_bytes(/
}

# The names of frames.
/md2__find_name_length(const/,/^}/s#^    for#/*@ loop invariant length <= size; loop assigns length; loop variant size - length; */\n&#
/md2__trim_trailing_letters(const/,/^}/s#^    while#/*@ loop invariant LE(begin, remark) \&\& LE(remark, end); loop assigns remark; loop variant remark - begin; */\n&#
/md2__trim_trailing_number(const/,/^}/{
    s#^    for#/*@ TRIM(begin, \\at(end, Pre)) loop assigns end, place_value, *number; loop variant end - begin; */\n&#
    s#^    while#/*@ TRIM(begin, \\at(end, Pre)) loop assigns end; loop variant end - begin; */\n&#
}
/md2__parse_frame_name(const/,/^}/{
    s#^    while (begin#/*@ loop invariant LE(text, begin) \&\& LE(begin, end); loop assigns begin; loop variant end - begin; */\n&#
    s#^    while (end#/*@ TRIM(begin, text + length) loop assigns end; loop variant end - begin; */\n&#
    s#^    while (text#/*@ loop invariant LE(begin, text) \&\& LE(text, end); loop assigns text; loop variant end - text; */\n&#
}

# The loops of the token reader: `at` walks up to the end of the text. The readers of numbers do not know that end.
/^static void md5__set_input/i\
static const char *proof_end;\
static bool md5__is_blank(char c) { return (uint8_t)c <= ' '; }\
static uint32_t md5__digit_of(char c) { return (uint32_t)c - '0'; }\
static void md5__set_sign(float *out, uint32_t negative);\
static bool md5__is_number_char(char c);
/^static void md5__set_input/,/^}/{
    s/strchr("+-.eE", loader->end\[-1\])/md5__is_number_char(loader->end[-1])/
    s#^    while#/*@ loop invariant LE(loader->text, loader->end) \&\& LE(loader->end, (char *)text + size); loop assigns loader->end; loop variant loader->end - loader->text; */\n&#
}
/^static void md5__set_input/,/^\/\* -- Quaternions/{
    s/(uint8_t)\*at <= ' '/md5__is_blank(*at)/
    s/(uint32_t)\(\*[+]*at\) - '0'/md5__digit_of(\1)/
}
/md5__skip_blanks(const/,/^}/s#^        while#/*@ BELOW(\\at(at, Pre), loader->end, at) */\n&#
/md5__skip_comment(const/,/^}/s#^    for#/*@ WITHIN(\\at(at, Pre) + 2, loader->end, at) */\n&#
/md5__find_token(const/,/^}/s#^    while#/*@ loop invariant at == loader->end || !BLANK(*at); WITHIN(\\at(at, Pre), loader->end, at) */\n&#
/md5__find_word_end(const/,/^}/s#^    while#/*@ WITHIN(\\at(at, Pre), loader->end, at) */\n&#
/md5__read_string(md5__loader/,/^}/s#^    for#/*@ WITHIN(out->text, loader->end, at) */\n&#
/md5__read_integer(md5__loader/,/^}/s#^        for#/*@ loop invariant 0 <= value <= MOST_DIGITS; BELOW(first_digit, loader->end, at, value) */\n&#
/md5__read_index(md5__loader/,/^}/s#^        for#/*@ BELOW(token, loader->end, at, index, digit) */\n&#
/md5__scale_by_ten(uint64_t/,/^}/s#^    for#/*@ loop invariant -63 <= exponent <= 22; loop assigns exponent, value; loop variant -exponent; */\n&#
/md5__parse_float(const/,/^}/{
    s/(\*at | 0x20) == 'e'/(*at == 'e' || *at == 'E')/
    s#^    for#/*@ loop invariant \\at(at, Pre) - at <= exponent <= at - \\at(at, Pre); loop invariant has_digits ==> LT(\\at(at, Pre), at); BELOW(\\at(at, Pre), proof_end, at, has_point, has_digits, is_kept, digits, exponent) */\n&#
    s#^        for#/*@ loop invariant 0 <= written <= MOST_DIGITS; BELOW(\\at(at, Pre) + 1, proof_end, at, written) */\n&#
}
/md5__parse_float_fast(const/,/^}/{
    s#^    for#/*@ BELOW(first, proof_end, at, digit, mantissa) */\n&#
    s#^        while#/*@ loop invariant !ENDS(*at); BELOW(point, proof_end, at, digit, mantissa) */\n&#
    /memcpy(&bits, out/d
    /bits |= negative/d
    s/memcpy(out, &bits, sizeof bits)/md5__set_sign(out, negative)/
}
/md5__read_tuple(md5__loader/,/^}/s#^    for#/*@ loop invariant at == \\null || (LE(loader->text, at) \&\& LE(at, loader->end)); loop invariant 0 <= i <= count; loop assigns at, i, out[0 .. count - 1], loader->text_error; loop variant count - i; */\n&#
/md5__skip_item(md5__loader/,/^}/s#^    do #/*@ loop invariant LE(loader->text, at) \&\& LE(at, loader->end); loop assigns at, depth, string, loader->text_error; */\n&#
