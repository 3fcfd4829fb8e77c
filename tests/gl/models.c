/* The functions of models.h. Public domain. */
#include "models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

md2_model *md2_from_bytes(m2_bytes *bytes, uint32_t flags)
{
    md2_options options;
    md2_error error;
    md2_model *model;
    memset(&options, 0, sizeof options);
    options.flags = flags;
    model = md2_load_memory(bytes->data, bytes->size, &options, &error);
    if (!model) {
        printf("a model of the tests does not load: %s\n", error.message);
        abort();
    }
    m2_free(bytes);
    return model;
}

md5_model *md5_from_text(m5_text *text, uint32_t flags)
{
    md5_options options;
    md5_error error;
    md5_model *model;
    memset(&options, 0, sizeof options);
    options.flags = flags;
    model = md5_load_model_memory(text->bytes, text->size, &options, &error);
    if (!model) {
        printf("a model of the tests does not load: %s\n", error.message);
        abort();
    }
    m5_free(text);
    return model;
}
