/* The functions of models.h. Public domain. */
#include "models.h"

static void *loaded_or_abort(void *model, const char *message)
{
    if (!model) {
        printf("a model of the tests cannot be loaded: %s\n", message);
        abort();
    }
    return model;
}

md2_model *md2_from_bytes(m2_bytes bytes, uint32_t flags)
{
    const md2_options options = { flags, 0, 0, 0, { NULL, NULL, NULL } };
    md2_error error;
    md2_model *model = md2_load_memory(bytes.data, bytes.size, &options, &error);
    m2_free(&bytes);
    return (md2_model *)loaded_or_abort(model, error.message);
}

md5_model *md5_from_text(m5_text *text, uint32_t flags)
{
    const md5_options options = { flags, 0, 0, NULL, 0, { NULL, NULL, NULL } };
    md5_error error;
    md5_model *model = md5_load_model_memory(text->bytes, text->size, &options, &error);
    m5_free(text);
    return (md5_model *)loaded_or_abort(model, error.message);
}

/* Writes three random numbers between `low` and `low` + `size`, in parentheses. */
static void put_triple(m5_text *text, random_source *random, double low, double size)
{
    double x = random_unit(random), y = random_unit(random), z = random_unit(random);
    m5_put(text, "( %.4f %.4f %.4f ) ", low + x * size, low + y * size, low + z * size);
}

md5_model *md5_random_model(random_source *random, int joints, int vertices, int triangles,
                            int most_weights, uint32_t flags)
{
    m5_text text = { NULL, 0, 0 };
    int i, weights = 0, *counts = (int *)malloc_or_abort((size_t)vertices * sizeof *counts);
    m5_put(&text, "MD5Version 10 numJoints %d numMeshes 1 joints {\n", joints);
    for (i = 0; i < joints; ++i) {
        m5_put(&text, "j%d %d ", i, i ? (int)random_below(random, (uint32_t)i) : -1);
        put_triple(&text, random, 0, 8);
        put_triple(&text, random, -0.5, 1);
    }
    m5_put(&text, "}\nmesh { numverts %d\n", vertices);
    for (i = 0; i < vertices; ++i) {
        counts[i] = 1 + (int)random_below(random, (uint32_t)most_weights);
        m5_put(&text, "vert %d ( %.4f 0.25 ) %d %d\n", i, random_unit(random), weights, counts[i]);
        weights += counts[i];
    }
    m5_put(&text, "numtris %d\n", triangles);
    for (i = 0; i < triangles; ++i) {
        m5_put(&text, "tri %d", i);
        for (int k = 0; k < 3; ++k)
            m5_put(&text, " %d", (int)random_below(random, (uint32_t)vertices));
        m5_put_text(&text, "\n");
    }
    m5_put(&text, "numweights %d\n", weights);
    for (i = 0, weights = 0; i < vertices; ++i) {
        for (int k = 0; k < counts[i]; ++k, ++weights) {
            double bias = k % 7 == 3 ? 0 : (0.9 + random_unit(random) * 0.2) / counts[i];
            m5_put(&text, "weight %d %d %.6f ", weights,
                   (int)random_below(random, (uint32_t)joints), bias);
            put_triple(&text, random, 0, 4);
        }
    }
    m5_put_text(&text, "}\n");
    free(counts);
    return md5_from_text(&text, flags);
}
