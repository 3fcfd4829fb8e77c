# What a copy of md2.h is told for the proof, inside of its functions: how often a loop turns, and a call in the
# place of a memset over a struct, which WP does not read. The rest is in proof.c.
/^static bool md2__check_sections/i\
static void md2__forget_error(md2__loader *loader);
/^static bool md2__check_sections/,/^}/{
    /^    for (; section->count_field/i\
    /*@ loop pragma UNROLL "completely", 5; */
    s/^        memset(&loader->context.error, 0, sizeof loader->context.error);/        md2__forget_error(loader);/
}
